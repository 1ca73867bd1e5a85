//! The initial state of a call, and its postcondition.

use super::Whole;
use super::address::{Address, Region};
use super::case::Lengths;
use super::code::Code;
use super::contract::{Argument, Contract, Convention};
use super::domain::Domain;
use super::fault::Fault;
use super::image::Image;
use super::lengths::{Count, RESULTS_LEN};
use super::processor::{Downwards, Flags, Processor, RSP};
use super::truth::VectorConditions;
use super::value::{Byte, Pointer};
use super::words::Words;

/// The number of blocks, and how many of them are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocks {
    /// A known number of blocks, none of them done.
    Are(usize),
    /// Any positive number of blocks.
    Any {
        /// The number of remaining blocks, including the current one.
        left: Left,
        /// Whether any number of blocks may be done; otherwise none is.
        begun: bool,
    },
}

/// The number of remaining blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// Exactly this number.
    Exactly(usize),
    /// This number or more.
    AtLeast(usize),
}

impl Left {
    /// The lower bound.
    pub fn least(self) -> usize {
        let (Self::Exactly(n) | Self::AtLeast(n)) = self;
        n
    }
}

/// The distance in words between consecutive words of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stride {
    /// Exactly this distance.
    Is(usize),
    /// Any distance not below this one.
    AtLeast(usize),
}

impl Stride {
    /// One such distance, for concrete executions.
    pub(super) fn sample(self) -> Self {
        match self {
            Self::Is(_) => self,
            Self::AtLeast(least) => Self::Is(least + 2),
        }
    }
}

/// A call of a function in the current state of the proof.
pub struct Call<'a, W> {
    /// The program.
    pub image: &'a Image,
    /// The callee's code.
    pub code: &'a Code,
    /// Its contract.
    pub contract: &'a Contract,
    /// The distance between consecutive words of a lane, at least `lanes`.
    pub stride: Stride,
    /// The lane under proof. All other lanes' words are unknown.
    pub lane: usize,
    /// The words of its blocks, starting at the current block.
    pub message: &'a [W],
    /// The number of blocks or iterations.
    pub blocks: Blocks,
    /// The padding that turns a digest into the next block, if the function takes it: a mask and an
    /// addend per word. Or the blocks and chaining values to check for collisions, or the chaining value before the
    /// first block.
    pub link: Vec<Byte<W>>,
    /// The words of the difference between the schedules of two messages, if the function takes it.
    pub(super) difference: &'a [W],
    /// The words of the expanded padding after the only block, if the function takes it.
    pub(super) padding_block: &'a [W],
    /// Which of HMAC's two hashes comes first.
    pub half: usize,
    /// The message lengths, if the function takes them.
    pub(super) lengths: Option<Lengths<W>>,
    /// The separately proven function that compresses whole blocks, if the kernel may call it.
    pub(super) compress: Option<&'a Whole>,
    /// The words of the current block's trace, if the function writes traces.
    pub(super) trace: Vec<W>,
    /// The conditions of the current block, if the function evaluates them.
    pub(super) conditions: Option<&'a VectorConditions>,
}

/// The number of writable arrays of chaining values; all others are read-only.
pub(super) const WRITTEN: u8 = 2;

/// The number of the last words of a schedule in a trace, from W_67 down.
pub(super) const LAST_WORDS: usize = 36;

/// Words of a trace: the last words of a schedule, a chaining value, and the vectors that the block may belong to.
const TRACE: usize = LAST_WORDS + 8 + 1;

impl<W: Copy + PartialEq> Call<'_, W> {
    /// The size of an address.
    pub fn pointer(&self) -> Pointer {
        self.image.pointer()
    }

    /// The calling convention.
    pub(super) fn convention(&self) -> Convention {
        if self.contract.in_linux { Convention::Linux } else { Convention::of(self.pointer()) }
    }

    /// The maximum size of the function's frame. A callee with a separate proof gets half of the
    /// stack, and its caller the other half.
    pub(super) fn most_stack(&self) -> i64 {
        let all = self.convention().most_stack();
        if self.contract.is_callee { all / 2 } else { all }
    }

    /// The view of bytes as words in this call.
    pub(super) fn words<'d, D: Domain<Word = W>>(&self, domain: &'d mut D) -> Words<'d, D> {
        let length = self.case().map(|case| (self.lane as u8, case.length));
        let joins = self.lengths.is_some();
        let end = self.case().and_then(|case| {
            let at = case.ends_at? as usize;
            let (word, own) = (at / self.contract.word_len, at % self.contract.word_len);
            (own != 0).then(|| (case.data[word], own))
        });
        let (len, pointer, big_endian) =
            (self.contract.word_len, self.pointer(), self.contract.big_endian);
        // The length of the whole message, if that of the rest is known.
        let padded = self.case().and_then(|case| {
            let ends_at = case.ends_at.filter(|_| self.contract.is_one_block());
            let rest = case.len.or(ends_at.map(|len| Address::new(Region::Number, len)));
            rest?.sum(self.before())
        });
        let gathers = self.contract.screens;
        Words { domain, len, pointer, length, joins, end, padded, big_endian, gathers }
    }

    /// The end of the stack arguments, as an offset from the return address.
    pub(super) fn stack_top(&self) -> i64 {
        let on_stack =
            self.contract.arguments.len().saturating_sub(self.convention().registers().len());
        (self.pointer().0 * (1 + on_stack)) as i64
    }

    /// Bytes per block.
    pub fn block_len(&self) -> i64 {
        (self.contract.block_words * self.contract.word_len) as i64
    }

    /// An upper bound on the number of blocks in an object, or of iterations.
    pub(super) fn most_blocks(&self) -> i64 {
        if self.contract.arguments.contains(&Argument::Iterations) {
            return u32::MAX.into();
        }
        self.pointer().most() / self.block_len()
    }

    /// The total number of blocks.
    pub(super) fn total(&self) -> Address {
        let number = Address::new(Region::Number, 0);
        match self.blocks {
            Blocks::Are(n) => number.plus(n as i64),
            Blocks::Any { .. } => Address::counted(1, Count::Blocks),
        }
    }

    /// The machine state at the entry of the function at `at`, with the lane under proof's chaining
    /// value `state`.
    pub fn entry_state(&self, at: u64, state: &[W]) -> Processor<W> {
        let pointer = self.pointer();
        let place = |region| Address::new(region, 0);
        let callers = |i| pointer.register(place(Region::Callers(i as u8)));
        let mut general = std::array::from_fn(callers);
        general[RSP] = pointer.register(place(Region::Stack));
        // Stack arguments lie above the return address.
        let registers = self.convention().registers();
        let mut stack = Downwards::new(self.stack_top());
        let return_to = pointer.bytes(place(Region::Return)).into_iter();
        (0..).zip(return_to).for_each(|(i, byte)| stack.set(i, byte));
        for (i, argument) in self.contract.arguments.iter().enumerate() {
            let Some(given) = self.argument_value(*argument) else {
                if let Some(&register) = registers.get(i) {
                    general[register] = [Byte::Unknown; 8];
                }
                continue;
            };
            if let Some(&register) = registers.get(i) {
                general[register] = pointer.register(given);
            } else {
                let from = pointer.0 * (1 + i - registers.len());
                let mut bytes = pointer.bytes(given);
                // Iteration counts have 32 bits.
                if *argument == Argument::Iterations {
                    bytes[4..].fill(Byte::Unknown);
                }
                (from as i64..).zip(bytes).for_each(|(i, byte)| stack.set(i, byte));
            }
        }
        Processor {
            general,
            vectors: vec![[Byte::Unknown; 64]; 32],
            flags: Flags::default(),
            compared: None,
            tested: None,
            scanned: None,
            fork: None,
            carried: None,
            stack,
            frame: Downwards::new(0),
            aligned: None,
            masks: [[Byte::Unknown; 8]; 8],
            state: self.state(state),
            out: self.out(),
            has_compressed: false,
            at,
        }
    }

    /// The value of an argument; `None` if the callee ignores it.
    pub(super) fn argument_value(&self, argument: Argument) -> Option<Address> {
        let place = |region| Address::new(region, 0);
        Some(match argument {
            Argument::Anything => return None,
            Argument::State => place(Region::State(0)),
            Argument::Sum => place(Region::State(1)),
            Argument::Chains => place(Region::Chains),
            Argument::Link | Argument::Pairs | Argument::InitialValue => place(Region::Link),
            Argument::Half => Address::new(Region::Number, self.half as i64),
            Argument::StateWords => Address::counted(1, Count::Words(0)),
            Argument::SumWords => Address::counted(1, Count::Words(1)),
            Argument::Stride => self.strides(1),
            Argument::Slices | Argument::Pointers => place(Region::Data),
            Argument::Lanes => Address::new(Region::Number, self.contract.lanes as i64),
            Argument::Message => place(Region::Message(0)),
            Argument::MessageLen => Address::counted(1, Count::Slice(0)),
            Argument::Out | Argument::Results => place(Region::Out),
            Argument::Suspects | Argument::Traces => place(Region::Rows),
            Argument::SuspectsLen | Argument::TracesLen => Address::counted(1, Count::Suspects),
            Argument::Blocks | Argument::Iterations => self.total(),
            Argument::Before => self.before(),
            Argument::BeforeHigh => self.before_high(),
            Argument::Expanded => self.expanded(),
            Argument::Image(at) => return self.image.place(at),
        })
    }

    /// The stride times `times`.
    pub(super) fn strides(&self, times: usize) -> Address {
        let number = Address::new(Region::Number, 0);
        match self.stride {
            Stride::Is(stride) => number.plus((times * stride) as i64),
            Stride::AtLeast(_) => Address { stride: times as i32, ..number },
        }
    }

    /// The length in words of an array of chaining values, gaps included.
    pub(super) fn state_words(&self) -> Address {
        self.strides(self.contract.words - 1).plus(self.contract.lanes as i64)
    }

    /// The number of modeled words per row. If the stride is symbolic, gaps between rows are not
    /// modeled and can be neither read nor written.
    fn row(&self) -> usize {
        match self.stride {
            Stride::Is(stride) => stride,
            Stride::AtLeast(_) => self.contract.lanes,
        }
    }

    /// The index of an address among the modeled bytes of the chaining values.
    pub(super) fn state_index(&self, at: Address) -> Option<usize> {
        let Region::State(array) = at.region else { return None };
        let offset = usize::try_from(at.offset).ok()?;
        let place = match self.stride {
            Stride::Is(_) => (at.stride == 0).then_some(offset),
            Stride::AtLeast(_) => {
                let distance = usize::try_from(at.stride).ok()?;
                let within = offset < self.contract.lanes * self.contract.word_len;
                let whole = distance.is_multiple_of(self.contract.word_len);
                (within && whole).then_some(distance * self.contract.lanes + offset)
            }
        };
        let len = self.modeled_words() * self.contract.word_len;
        place.filter(|&place| place < len).map(|place| usize::from(array) * len + place)
    }

    /// The number of modeled words of an array of chaining values.
    fn modeled_words(&self) -> usize {
        (self.contract.words - 1) * self.row() + self.contract.lanes
    }

    /// The array, word and lane of the modeled word `i`.
    fn position(&self, i: usize) -> [usize; 3] {
        let (array, i) = (i / self.modeled_words(), i % self.modeled_words());
        [array, i / self.row(), i % self.row()]
    }

    /// The modeled chaining values, array by array; `words` are the lane under proof's.
    fn state(&self, words: &[W]) -> Vec<Byte<W>> {
        let cell = |i: usize| {
            let ([array, word, lane], byte) =
                (self.position(i / self.contract.word_len), i % self.contract.word_len);
            match lane {
                _ if lane == self.lane => {
                    Byte::Of(words[array * self.contract.words + word], byte as u8)
                }
                _ if lane < self.contract.lanes => Byte::Unknown,
                // The gap between rows, which the function must not change.
                _ => {
                    let before = Address::new(Region::Callers(u8::MAX), i as i64);
                    Byte::Address(before, byte as u8)
                }
            }
        };
        let arrays = words.len() / self.contract.words;
        (0..arrays * self.modeled_words() * self.contract.word_len).map(cell).collect()
    }

    /// Whether the lane under proof's words equal `words`.
    pub(super) fn is_lane(&self, machine: &Processor<W>, words: &[W]) -> bool {
        let wanted = self.state(words);
        let own = |i: &usize| self.position(i / self.contract.word_len)[2] == self.lane;
        (0..wanted.len()).filter(own).all(|i| machine.state.get(i) == Some(&wanted[i]))
    }

    /// The words of the lane under proof, if all are known.
    pub(super) fn lane_words<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &Processor<W>,
    ) -> Option<Vec<W>> {
        let cells = machine.state.chunks_exact(self.contract.word_len);
        let own = cells.enumerate().filter(|(i, _)| self.position(*i)[2] == self.lane);
        own.map(|(_, cells)| {
            let found = words.value(cells);
            words.as_word(found)
        })
        .collect()
    }

    /// Sets the words of the lane under proof, which must be the only lane.
    pub(super) fn set_lane(&self, machine: &mut Processor<W>, words: &[W]) {
        machine.state = self.state(words);
    }

    /// Whether the function writes a trace per block.
    pub(super) fn is_traced(&self) -> bool {
        self.contract.arguments.contains(&Argument::Traces)
    }

    /// The bytes that the function writes for a block in every lane: a word per lane, or a trace.
    pub(super) fn row_len(&self) -> usize {
        let words = if self.is_traced() { TRACE } else { self.contract.lanes };
        words * self.contract.word_len
    }

    /// The modeled bytes of the array of such rows: the current block's, or all of a known number.
    fn rows_len(&self) -> usize {
        match self.blocks {
            Blocks::Are(blocks) => blocks * self.row_len(),
            Blocks::Any { .. } => self.row_len(),
        }
    }

    /// The modeled bytes of the output.
    pub(super) fn out_len(&self) -> usize {
        let len = |argument: &Argument| match argument {
            Argument::Out => self.contract.row_len() * self.contract.lanes,
            Argument::Suspects | Argument::Traces => self.rows_len(),
            Argument::Results => RESULTS_LEN,
            _ => 0,
        };
        self.contract.arguments.iter().map(len).sum()
    }

    /// The initial contents of the output.
    pub(super) fn out(&self) -> Vec<Byte<W>> {
        if !self.contract.arguments.contains(&Argument::Out) {
            return vec![Byte::Unknown; self.out_len()];
        }
        let before = Region::Callers(u8::MAX - 1);
        let byte = |i: usize| Byte::Address(Address::new(before, i as i64), 0);
        (0..self.out_len()).map(byte).collect()
    }

    /// Whether the lane under proof's output slot holds the digest `expected`, followed by zeros or its contents before.
    fn is_written<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &Processor<W>,
        expected: &[W],
    ) -> bool {
        if !self.contract.arguments.contains(&Argument::Out) {
            return true;
        }
        let row_len = self.contract.row_len();
        let from = row_len * self.lane;
        let Some(own) = machine.out.get(from..from + row_len) else { return true };
        let (digest, rest) = own.split_at(expected.len() * self.contract.word_len);
        let is = digest.chunks_exact(self.contract.word_len).zip(expected).all(|(bytes, &word)| {
            let mut bytes = bytes.to_vec();
            if self.contract.big_endian {
                bytes.reverse();
            }
            let found = words.value(&bytes);
            words.as_word(found).is_some_and(|found| words.domain.equal(found, word))
        });
        let before = self.out();
        let before = &before[from + digest.len()..];
        let may_be = |(byte, old): (&Byte<W>, &Byte<W>)| *byte == Byte::Number(0) || byte == old;
        is && rest.iter().zip(before).all(may_be)
    }

    /// Checks the postcondition: the final words, the gaps, the output, the callee-saved registers
    /// and the stack pointer.
    ///
    /// # Errors
    ///
    /// If any of these is wrong.
    pub fn check_return<D: Domain<Word = W>>(
        &self,
        domain: &mut D,
        machine: &Processor<W>,
        expected: &[W],
    ) -> Result<(), Fault> {
        let mut words = self.words(domain);
        let wanted = self.state(expected);
        for (i, cells) in machine.state.chunks_exact(self.contract.word_len).enumerate() {
            let [array, word, lane] = self.position(i);
            if lane == self.lane {
                let wanted = expected[array * self.contract.words + word];
                let found = words.value(cells);
                let is = words.as_word(found).is_some_and(|found| {
                    words.domain.say_equal("in the end", found, wanted);
                    words.domain.equal(found, wanted)
                });
                if !is {
                    let what = format!("word {word} of lane {lane} is not proven");
                    return Err(Fault::whole(what));
                }
            } else if lane >= self.contract.lanes
                && *cells != wanted[i * self.contract.word_len..][..self.contract.word_len]
            {
                return Err(Fault::whole("it writes between the lanes' words".into()));
            }
        }
        if !self.is_written(&mut words, machine, expected) {
            return Err(Fault::whole(format!("the digest of lane {} is not proven", self.lane)));
        }
        let pointer = self.pointer();
        for &saved in self.convention().saved() {
            let callers = pointer.register(Address::new(Region::Callers(saved as u8), 0));
            if machine.general[saved] != callers {
                let what = "a callee-saved register is not restored";
                return Err(Fault::whole(what.into()));
            }
        }
        let popped = Address::new(Region::Stack, pointer.0 as i64);
        if machine.general[RSP] != pointer.register(popped) {
            return Err(Fault::whole("the stack pointer is not restored".into()));
        }
        Ok(())
    }

    /// The chaining value of the lane under proof, with zero for each unknown word.
    pub fn chaining<D: Domain<Word = W>>(&self, domain: &mut D, machine: &Processor<W>) -> Vec<W> {
        let zero = domain.constant(0);
        let mut words = self.words(domain);
        let cells = machine.state.chunks_exact(self.contract.word_len);
        let own = cells.enumerate().filter(|(i, _)| self.position(*i)[2] == self.lane);
        own.map(|(_, cells)| {
            let found = words.value(cells);
            words.as_word(found).unwrap_or(zero)
        })
        .collect()
    }
}
