//! A machine that runs machine code on symbols. Whatever has no meaning here is a
//! fault, so that a function that runs to its end did nothing else than it may.

use std::cmp::Ordering;

use super::super::domain::Domain;
use super::Fault;
use super::code::Code;
use super::contract::Features;
use super::image::Image;
use super::instruction::{Instruction, Operand, Place};
use super::value::{Address, Byte, Region, Value, Words, address, number};

/// Flags, as far as they are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// Whether the result is zero.
    pub zero: Option<bool>,
    /// Whether there was a carry or a borrow.
    pub carry: Option<bool>,
    /// The highest bit of the result.
    pub sign: Option<bool>,
    /// Whether the result is none of its size with a sign.
    pub overflow: Option<bool>,
}

/// Memory that grows down from some bytes above its origin.
#[derive(Clone, Debug, PartialEq)]
pub struct Downwards<W> {
    top: i64,
    /// From the highest on; nothing was written to those that are none.
    bytes: Vec<Option<Byte<W>>>,
}

impl<W: Copy> Downwards<W> {
    /// Nothing was written to it; it ends so many bytes above its origin.
    fn new(top: i64) -> Self {
        Self { top, bytes: Vec::new() }
    }

    fn index(&self, offset: i64) -> Option<usize> {
        usize::try_from(self.top - 1 - offset).ok()
    }

    fn written(&self, offset: i64) -> Option<Byte<W>> {
        *self.bytes.get(self.index(offset)?)?
    }

    /// The byte at an offset.
    pub fn get(&self, offset: i64) -> Byte<W> {
        self.written(offset).unwrap_or(Byte::Unknown)
    }

    /// Writes a byte.
    pub fn set(&mut self, offset: i64, byte: Byte<W>) {
        if let Some(i) = self.index(offset) {
            if i >= self.bytes.len() {
                self.bytes.resize(i + 1, None);
            }
            self.bytes[i] = Some(byte);
        }
    }

    /// The offsets that hold anything, from the lowest.
    pub fn offsets(&self) -> std::ops::Range<i64> {
        self.top - self.bytes.len() as i64..self.top
    }

    /// Forgets all below an offset.
    fn truncate(&mut self, offset: i64) {
        self.bytes.truncate(self.index(offset).map_or(0, |i| i + 1));
    }
}

/// Registers and memory.
#[derive(Clone, Debug)]
pub struct Machine<W> {
    /// General registers, in the order of their numbers.
    pub general: [[Byte<W>; 8]; 16],
    /// Vector registers.
    pub vectors: Vec<[Byte<W>; 64]>,
    /// Flags.
    pub flags: Flags,
    /// The stack, from the return address down.
    pub stack: Downwards<W>,
    /// The same, from where its pointer was aligned.
    pub frame: Downwards<W>,
    /// To how many bytes that was, and below which offset of the stack all is the frame's.
    pub aligned: Option<(i64, i64)>,
    /// Registers of masks, as far as they are known.
    pub masks: [Option<u64>; 8],
    /// The chaining values.
    pub state: Vec<Byte<W>>,
    /// Where digests are to be.
    pub out: Vec<Byte<W>>,
    /// The next instruction.
    pub at: u64,
}

/// How many blocks there are, and how many of them are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocks {
    /// So many.
    Are(usize),
    /// Any number but none, of which some are left.
    Any {
        /// How many, the one at hand among them.
        left: Left,
        /// Whether any number may be done; else none is.
        begun: bool,
    },
}

/// How many blocks are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// So many.
    Exactly(usize),
    /// So many or more.
    AtLeast(usize),
}

impl Left {
    /// The least that it may be.
    pub fn least(self) -> usize {
        let (Self::Exactly(n) | Self::AtLeast(n)) = self;
        n
    }
}

/// How far a word is from the next of its lane, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stride {
    /// So many.
    Is(usize),
    /// Any number from this one on.
    AtLeast(usize),
}

/// What a function is given in a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// Where the chaining values are.
    State,
    /// How many words these are, those between the lanes' among them.
    StateWords,
    /// How far a word is from the next of its lane.
    Stride,
    /// Where the slices of the lanes' blocks are.
    Slices,
    /// How many lanes.
    Lanes,
    /// Where the digest of each lane is to be, of 64 bytes at the most.
    Out,
    /// Where the blocks of the only lane are.
    Message,
    /// How many blocks each lane has.
    Blocks,
    /// A place in the program.
    Image(u64),
}

/// What a function is called with.
pub struct Call<'a, W> {
    /// The program.
    pub image: &'a Image,
    /// Its functions.
    pub code: &'a Code,
    /// What is in which register.
    pub arguments: &'a [(usize, Argument)],
    /// What the CPUs have that it is for.
    pub features: Features,
    /// The bytes of a word.
    pub word_len: usize,
    /// The words of a block.
    pub block_words: usize,
    /// Whether the highest byte of a word of a message is the first.
    pub big_endian: bool,
    /// The words of a chaining value.
    pub words: usize,
    /// The lanes.
    pub lanes: usize,
    /// How far a word is from the next of its lane: no less than there are lanes.
    pub stride: Stride,
    /// The lane that is looked at. Of the others nothing is known.
    pub lane: usize,
    /// The words of its blocks, or of those from the one at hand on.
    pub message: &'a [W],
    /// How many blocks.
    pub blocks: Blocks,
}

/// More instructions than any kernel needs for a few blocks.
const MOST: usize = 1_000_000;

/// Registers that a function gives back as it found them.
const SAVED: [usize; 6] = [3, 5, 12, 13, 14, 15];

/// Bytes of the place for a digest.
const DIGEST: usize = 64;

/// The stack pointer.
pub const RSP: usize = 4;

/// Bytes below the stack pointer that a function may use.
const RED_ZONE: i64 = 128;

/// Bytes that lie between any object and the ends of all memory.
const PAGE: i128 = 4096;

/// More bytes than any kernel has on the stack.
const MOST_STACK: i128 = 1 << 20;

fn eight<W: Copy>(bytes: &[Byte<W>]) -> [Byte<W>; 8] {
    std::array::from_fn(|i| bytes[i])
}

impl<W: Copy + PartialEq> Call<'_, W> {
    /// The bytes of a block.
    pub fn block_len(&self) -> i64 {
        (self.block_words * self.word_len) as i64
    }

    /// How many blocks there are.
    fn total(&self) -> Address {
        let number = Address::new(Region::Number, 0);
        match self.blocks {
            Blocks::Are(n) => number.plus(n as i64),
            Blocks::Any { .. } => Address { total: 1, ..number },
        }
    }

    /// A machine as it is when a function at `at` is called with the chaining value
    /// `state` in the lane that is looked at.
    pub fn called(&self, at: u64, state: &[W]) -> Machine<W> {
        let callers = |i| eight(&address(Address::new(Region::Callers(i as u8), 0)));
        let mut general = std::array::from_fn(callers);
        let pointer = |region| eight(&address(Address::new(region, 0)));
        for &(register, argument) in self.arguments {
            general[register] = match argument {
                Argument::State => pointer(Region::State),
                Argument::StateWords => eight(&address(self.state_words())),
                Argument::Stride => eight(&address(self.strides(1))),
                Argument::Slices => pointer(Region::Data),
                Argument::Lanes => eight(&number(self.lanes as u64, 8)),
                Argument::Message => pointer(Region::Message(0)),
                Argument::Out => pointer(Region::Out),
                Argument::Blocks => eight(&address(self.total())),
                Argument::Image(at) => eight(&address(Address::new(Region::Image, at as i64))),
            };
        }
        general[RSP] = pointer(Region::Stack);
        let mut stack = Downwards::new(8);
        for (i, byte) in address(Address::new(Region::Return, 0)).into_iter().enumerate() {
            stack.set(i as i64, byte);
        }
        Machine {
            general,
            vectors: vec![[Byte::Unknown; 64]; 32],
            flags: Flags::default(),
            stack,
            frame: Downwards::new(8),
            aligned: None,
            masks: [None; 8],
            state: self.state(state),
            out: self.out(),
            at,
        }
    }

    /// So many times the distance of a lane's words.
    fn strides(&self, times: usize) -> Address {
        let number = Address::new(Region::Number, 0);
        match self.stride {
            Stride::Is(stride) => number.plus((times * stride) as i64),
            Stride::AtLeast(_) => Address { stride: times as i32, ..number },
        }
    }

    /// How many words all chaining values are, with what is between them.
    fn state_words(&self) -> Address {
        self.strides(self.words - 1).plus(self.lanes as i64)
    }

    /// How many of them are kept of each row of words: what is between rows of any distance can
    /// be neither read nor written.
    fn row(&self) -> usize {
        match self.stride {
            Stride::Is(stride) => stride,
            Stride::AtLeast(_) => self.lanes,
        }
    }

    /// Which byte of those that are kept an address is of.
    fn of_state(&self, at: Address) -> Option<usize> {
        let offset = usize::try_from(at.offset).ok()?;
        match self.stride {
            Stride::Is(_) => (at.stride == 0).then_some(offset),
            Stride::AtLeast(_) => {
                let distance = usize::try_from(at.stride).ok()?;
                let within = offset < self.lanes * self.word_len;
                let whole = distance.is_multiple_of(self.word_len);
                (within && whole).then_some(distance * self.lanes + offset)
            }
        }
    }

    /// The chaining values in memory, of which one lane's are `words`.
    fn state(&self, words: &[W]) -> Vec<Byte<W>> {
        let cell = |i: usize| {
            let (word, lane) = (i / self.word_len / self.row(), i / self.word_len % self.row());
            let byte = (i % self.word_len) as u8;
            match lane {
                _ if lane == self.lane => Byte::Of(words[word], byte),
                _ if lane < self.lanes => Byte::Unknown,
                // Between the lanes' words there is what is none of its business.
                _ => Byte::Address(Address::new(Region::Callers(u8::MAX), i as i64), byte),
            }
        };
        let kept = (self.words - 1) * self.row() + self.lanes;
        (0..kept * self.word_len).map(cell).collect()
    }

    /// What is in the place of digests before any is written.
    fn out(&self) -> Vec<Byte<W>> {
        let is_asked = self.arguments.iter().any(|(_, argument)| *argument == Argument::Out);
        let before = Region::Callers(u8::MAX - 1);
        let byte = |i: usize| Byte::Address(Address::new(before, i as i64), 0);
        (0..if is_asked { DIGEST * self.lanes } else { 0 }).map(byte).collect()
    }

    /// Whether the digest of a lane is these words, with zeros behind it or what was there.
    fn is_written<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &Machine<W>,
        expected: &[W],
    ) -> bool {
        let from = DIGEST * self.lane;
        let Some(own) = machine.out.get(from..from + DIGEST) else { return true };
        let (digest, rest) = own.split_at(expected.len() * self.word_len);
        let is = digest.chunks_exact(self.word_len).zip(expected).all(|(bytes, &word)| {
            let mut bytes = bytes.to_vec();
            if self.big_endian {
                bytes.reverse();
            }
            matches!(words.value(&bytes), Value::Word(found) if words.domain.equal(found, word))
        });
        let before = self.out();
        let before = &before[from + digest.len()..];
        is && rest.iter().zip(before).all(|(byte, old)| *byte == Byte::Number(0) || byte == old)
    }

    /// Whether the function came back as it must, and with these words.
    ///
    /// # Errors
    ///
    /// If not.
    pub fn came_back<D: Domain<Word = W>>(
        &self,
        domain: &mut D,
        machine: &Machine<W>,
        expected: &[W],
    ) -> Result<(), Fault> {
        let mut words = Words { domain, len: self.word_len };
        let wanted = self.state(expected);
        for (i, cells) in machine.state.chunks_exact(self.word_len).enumerate() {
            let (word, lane) = (i / self.row(), i % self.row());
            if lane == self.lane {
                let is = match words.value(cells) {
                    Value::Word(found) => words.domain.equal(found, expected[word]),
                    _ => false,
                };
                if !is {
                    let what = format!("word {word} of lane {lane} is not shown");
                    return Err(Fault::whole(what));
                }
            } else if lane >= self.lanes && *cells != wanted[i * self.word_len..][..self.word_len] {
                return Err(Fault::whole("it writes between the lanes' words".into()));
            }
        }
        if !self.is_written(&mut words, machine, expected) {
            return Err(Fault::whole(format!("the digest of lane {} is not shown", self.lane)));
        }
        for saved in SAVED {
            let callers = eight(&address(Address::new(Region::Callers(saved as u8), 0)));
            if machine.general[saved] != callers {
                let what = "it does not give back what the caller had in a register";
                return Err(Fault::whole(what.into()));
            }
        }
        if machine.general[RSP] != eight(&address(Address::new(Region::Stack, 8))) {
            return Err(Fault::whole("the stack pointer is not the caller's".into()));
        }
        Ok(())
    }

    /// The chaining value of the lane that is looked at; zero for what is no word.
    pub fn chaining<D: Domain<Word = W>>(&self, domain: &mut D, machine: &Machine<W>) -> Vec<W> {
        let zero = domain.constant(0);
        let mut words = Words { domain, len: self.word_len };
        let cells = machine.state.chunks_exact(self.word_len);
        let own = cells.enumerate().filter(|(i, _)| i % self.row() == self.lane);
        own.map(|(_, cells)| match words.value(cells) {
            Value::Word(word) => word,
            _ => zero,
        })
        .collect()
    }

    /// Runs until the caller's turn, or until it is at `until` again. Whether it is
    /// the caller's is returned; `goes` is told of every instruction that another
    /// follows, and where that is.
    ///
    /// # Errors
    ///
    /// At the first instruction that does what kernels may not.
    pub fn run<D: Domain<Word = W>>(
        &self,
        domain: &mut D,
        machine: &mut Machine<W>,
        until: Option<u64>,
        mut goes: impl FnMut(u64, u64),
    ) -> Result<bool, Fault> {
        for _ in 0..MOST {
            let instruction = self.code.at(machine.at)?;
            let fault = |what: String| Fault::at(instruction, what);
            let mut words = Words { domain: &mut *domain, len: self.word_len };
            let next = self.step(&mut words, machine, instruction).map_err(fault)?;
            let Some(next) = next else { return Ok(true) };
            goes(instruction.address, next);
            machine.at = next;
            if until == Some(next) {
                return Ok(false);
            }
        }
        Err(Fault::whole("it does not come to an end".into()))
    }

    /// One instruction, and where the next is: none if the caller's.
    pub(super) fn step<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &mut Machine<W>,
        instruction: &Instruction,
    ) -> Result<Option<u64>, String> {
        if let Some(feature) = instruction.features.iter().find(|&&f| !(self.features)(f)) {
            return Err(format!("it needs {feature:?}"));
        }
        let vector = |operand: &Operand| matches!(operand, Operand::Vector(..));
        if instruction.operands.iter().any(vector) || instruction.name == "vzeroupper" {
            self.vector_step(words, machine, instruction)?;
            return Ok(Some(instruction.next));
        }
        self.general_step(words, machine, instruction)
    }

    /// Where a place in memory is.
    pub(super) fn place<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &Machine<W>,
        place: &Place,
    ) -> Result<Address, String> {
        let sum = self.effective(words, machine, place)?;
        match words.value(&sum) {
            Value::Address(address) => Ok(address),
            Value::Number(_) => Err("an address is a mere number".into()),
            _ => Err("an address depends on what is not known, or on a message".into()),
        }
    }

    /// The bytes of base + index · scale + offset.
    pub(super) fn effective<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &Machine<W>,
        place: &Place,
    ) -> Result<Vec<Byte<W>>, String> {
        use crate::emit::semantics::Function::{Add, ShiftLeft};
        if place.image {
            return Ok(address(Address::new(Region::Image, place.offset)));
        }
        let mut sum = place.base.map_or(number(0, 8), |base| machine.general[base].to_vec());
        if let Some((index, scale)) = place.index {
            let shift = u64::from(scale.trailing_zeros());
            let index = machine.general[index];
            let index = if shift == 0 {
                index.to_vec()
            } else {
                words.shifted(ShiftLeft, &index, shift)?
            };
            sum = words.arithmetic(Add, &sum, &index)?;
        }
        words.arithmetic(Add, &sum, &number(place.offset as u64, 8))
    }

    /// The bytes at a place.
    pub(super) fn load(
        &self,
        machine: &Machine<W>,
        from: Address,
        len: usize,
    ) -> Result<Vec<Byte<W>>, String> {
        (0..len as i64).map(|i| self.byte(machine, from.plus(i))).collect()
    }

    fn byte(&self, machine: &Machine<W>, at: Address) -> Result<Byte<W>, String> {
        let beyond = |what: &str| format!("it reads beyond {what}");
        let Address { region, done, total, stride, offset } = at;
        if !self.is_place(at) {
            return Err("an address depends on how many blocks there are".into());
        }
        let place = usize::try_from(offset);
        match region {
            Region::Stack => {
                self.in_stack(machine, at)?;
                Ok(machine.stack.get(offset))
            }
            Region::Frame => {
                self.in_stack(machine, at)?;
                Ok(machine.frame.get(offset))
            }
            Region::State => {
                let byte = self.of_state(at).and_then(|place| machine.state.get(place));
                byte.copied().ok_or_else(|| beyond("the chaining values"))
            }
            Region::Data => {
                let place = place.map_err(|_| beyond("the slices"))?;
                let (lane, part, byte) = (place / 16, place / 8 % 2, place % 8);
                if lane >= self.lanes {
                    return Err(beyond("the slices"));
                }
                let part = match part {
                    0 => Address::new(Region::Message(lane as u16), 0),
                    _ => {
                        let Address { total, offset, .. } = self.total();
                        let len = self.block_len();
                        let number = Address::new(Region::Number, offset * len);
                        Address { total: total * len as i32, ..number }
                    }
                };
                Ok(address(part)[byte])
            }
            Region::Message(lane) => {
                let len = self.message.len() * self.word_len;
                let (known, len) = match self.blocks {
                    Blocks::Are(_) => (at.is_fixed(), len),
                    // The block at hand, and those that are left after it for sure.
                    Blocks::Any { left, begun } => {
                        let grows = if begun { i64::from(done) } else { self.block_len() };
                        let left = left.least() * self.block_len() as usize;
                        let known = grows == self.block_len() && (total, stride) == (0, 0);
                        (known, left.min(len))
                    }
                };
                let place = place.ok().filter(|&place| known && place < len);
                let place = place.ok_or_else(|| beyond("the blocks, or the one at hand"))?;
                let (word, byte) = (place / self.word_len, place % self.word_len);
                let byte = if self.big_endian { self.word_len - 1 - byte } else { byte };
                let own = usize::from(lane) == self.lane;
                Ok(if own { Byte::Of(self.message[word], byte as u8) } else { Byte::Unknown })
            }
            Region::Out => {
                let byte = place.ok().and_then(|place| machine.out.get(place));
                byte.copied().ok_or_else(|| beyond("the digests"))
            }
            Region::Image => {
                let byte = self.image.byte(offset as u64);
                byte.ok_or_else(|| "it reads what may change, or is not there".into())
            }
            Region::Number | Region::Callers(_) | Region::Return => {
                Err("an address is none of its own".into())
            }
        }
    }

    /// Whether an address depends on nothing that it may not depend on in its region.
    fn is_place(&self, at: Address) -> bool {
        match at.region {
            Region::Message(_) => true,
            Region::State => (at.done, at.total) == (0, 0),
            _ => at.is_fixed(),
        }
    }

    /// Whether a byte of the stack is the function's: not below its red zone, nor on
    /// the other side of where it was aligned.
    fn in_stack(&self, machine: &Machine<W>, at: Address) -> Result<(), String> {
        let outside = || Err("it goes outside of its part of the stack".into());
        let Byte::Address(top, 0) = machine.general[RSP][0] else { return outside() };
        let lowest = top.plus(-RED_ZONE);
        let limit = machine.aligned.map_or(i64::MIN, |(_, below)| below);
        let inside = match (at.region, top.region) {
            (Region::Stack, Region::Stack) => at.offset >= lowest.offset.max(limit),
            (Region::Stack, Region::Frame) => at.offset >= limit,
            (Region::Frame, Region::Frame) => {
                at.offset >= lowest.offset && at.offset < machine.frame.top
            }
            _ => false,
        };
        let end = if at.region == Region::Stack { 8 } else { machine.frame.top };
        if inside && at.offset < end { Ok(()) } else { outside() }
    }

    /// Whether a place is aligned to so many bytes.
    pub(super) fn is_aligned(&self, machine: &Machine<W>, at: Address, bytes: i64) -> bool {
        if !at.is_fixed() {
            return false;
        }
        match at.region {
            // A caller's stack pointer is a multiple of 16 before the call.
            Region::Stack => bytes <= 16 && (at.offset - 8).rem_euclid(bytes) == 0,
            Region::Frame => {
                let to = machine.aligned.map_or(1, |(to, _)| to);
                bytes <= to && at.offset.rem_euclid(bytes) == 0
            }
            // The loader keeps addresses modulo a page.
            Region::Image => at.offset.rem_euclid(bytes) == 0,
            _ => false,
        }
    }

    /// Writes bytes to a place.
    pub(super) fn store(
        &self,
        machine: &mut Machine<W>,
        to: Address,
        bytes: &[Byte<W>],
    ) -> Result<(), String> {
        if !self.is_place(to) {
            return Err("an address depends on how many blocks there are".into());
        }
        for (at, &byte) in (0..).map(|i| to.plus(i)).zip(bytes) {
            match at.region {
                Region::Stack => {
                    self.in_stack(machine, at)?;
                    machine.stack.set(at.offset, byte);
                }
                Region::Frame => {
                    self.in_stack(machine, at)?;
                    machine.frame.set(at.offset, byte);
                }
                Region::State => {
                    let place = self.of_state(at);
                    let cell = place.and_then(|place| machine.state.get_mut(place));
                    *cell.ok_or("it writes beyond the chaining values")? = byte;
                }
                Region::Out => {
                    let place = usize::try_from(at.offset).ok();
                    let cell = place.and_then(|place| machine.out.get_mut(place));
                    *cell.ok_or("it writes beyond the digests")? = byte;
                }
                _ => return Err("it writes where it may not".into()),
            }
        }
        Ok(())
    }

    /// Makes the aligned stack pointer the origin of the frame, which was at `top` before.
    ///
    /// The bytes from `top` on that nothing was written to are the frame's from now on, and
    /// what lies below it may be overwritten there: nothing is known of it. Nor is of addresses
    /// in a frame of before.
    pub(super) fn align_frame(&self, machine: &mut Machine<W>, to: i64, top: i64) {
        let free = |at: &i64| machine.stack.written(*at).is_none();
        let room = (top..8).take_while(free).count() as i64;
        machine.aligned = Some((to, top + room));
        let stale = |byte: &mut Byte<W>| {
            if matches!(byte, Byte::Address(Address { region: Region::Frame, .. }, _)) {
                *byte = Byte::Unknown;
            }
        };
        machine.general.iter_mut().flatten().for_each(stale);
        machine.vectors.iter_mut().flatten().for_each(stale);
        machine.state.iter_mut().for_each(stale);
        machine.out.iter_mut().for_each(stale);
        machine.stack.bytes.iter_mut().flatten().for_each(stale);
        machine.stack.truncate(top);
        machine.frame = Downwards::new(room);
    }

    /// The least and the greatest value of a number that depends on how many blocks there are,
    /// if memory holds these.
    fn bounds(&self, x: Address) -> [i128; 2] {
        let (done, total) = (i128::from(x.done), i128::from(x.total));
        let at = |k: i128, n: i128| done * k + total * n + i128::from(x.offset);
        let values = match self.blocks {
            Blocks::Are(n) => vec![at(0, n as i128)],
            Blocks::Any { left, begun } => {
                // No object is of more bytes.
                let most = i128::from(i64::MAX) / i128::from(self.block_len());
                let least = left.least() as i128;
                let mut values = vec![at(0, least)];
                if begun {
                    values.push(at(most - least, most));
                }
                if matches!(left, Left::AtLeast(_)) {
                    values.push(at(0, most));
                }
                values
            }
        };
        let distances = match self.stride {
            Stride::Is(_) => [0; 2],
            Stride::AtLeast(least) => {
                // No object is of more bytes.
                let most = i64::MAX as usize / self.word_len - self.lanes;
                [least as i128, (most / (self.words - 1)) as i128]
            }
        };
        let strides = distances.map(|distance| i128::from(x.stride) * distance);
        let ends = (values.iter().min(), values.iter().max());
        [
            ends.0.expect("a value") + strides[0].min(strides[1]),
            ends.1.expect("a value") + strides[0].max(strides[1]),
        ]
    }

    /// Whether a number of 64 bits is what it is computed to be, and no more or less by 2^64.
    pub(super) fn is_exact(&self, x: Address) -> bool {
        let [least, most] = self.bounds(x);
        match x.region {
            Region::Number => least >= i64::MIN.into() && most <= i64::MAX.into(),
            // No object is within a page of where addresses begin or end, as numbers with a sign.
            Region::Message(_) => {
                let len = self.block_len();
                let Ok(total) = i32::try_from(-len) else { return false };
                let Some(total) = x.total.checked_add(total) else { return false };
                // How much is left after it, as a number below zero.
                let [_, beyond] = self.bounds(Address { total, ..x });
                least >= -PAGE && beyond <= PAGE
            }
            Region::State => {
                let end = self.state_words().times(self.word_len as i64, Region::State);
                let Some(beyond) = end.and_then(|end| x.minus(end)) else { return false };
                least >= -PAGE && self.bounds(beyond)[1] <= PAGE
            }
            Region::Callers(_) | Region::Return => false,
            _ => {
                let end = match x.region {
                    Region::Data => 16 * self.lanes,
                    Region::Out => DIGEST * self.lanes,
                    Region::Image => 1 << 31,
                    _ => 8,
                };
                let lowest = if matches!(x.region, Region::Stack | Region::Frame) {
                    -MOST_STACK
                } else {
                    -PAGE
                };
                least >= lowest && most <= end as i128 + PAGE
            }
        }
    }

    /// How a number, or the distance of two addresses, compares with zero.
    pub(super) fn against_zero(&self, x: Address) -> Option<Ordering> {
        if !self.is_exact(x) {
            return None;
        }
        if x.region != Region::Number {
            return Some(Ordering::Greater);
        }
        let [least, most] = self.bounds(x);
        match (least.signum(), most.signum()) {
            (0, 0) => Some(Ordering::Equal),
            (1, _) => Some(Ordering::Greater),
            (_, -1) => Some(Ordering::Less),
            _ => None,
        }
    }
}
