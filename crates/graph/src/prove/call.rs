//! What a function is called with, what it finds then, and what it must leave behind.

use super::Whole;
use super::address::{Address, Region};
use super::case::Lengths;
use super::code::Code;
use super::contract::{Argument, Convention};
use super::domain::Domain;
use super::fault::Fault;
use super::features::Features;
use super::image::Image;
use super::lengths::Count;
use super::processor::{Downwards, Flags, Processor, RSP};
use super::value::{Byte, Pointer};
use super::words::Words;

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

/// What a function is called with.
pub struct Call<'a, W> {
    /// The program.
    pub image: &'a Image,
    /// Its functions.
    pub code: &'a Code,
    /// Its arguments, in order.
    pub arguments: &'a [Argument],
    /// What the CPUs have that it is for.
    pub features: Features,
    /// The bytes of a word.
    pub word_len: usize,
    /// The words of a block.
    pub block_words: usize,
    /// Whether it is called in Linux itself.
    pub in_linux: bool,
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
    /// How many blocks, or how many iterations.
    pub blocks: Blocks,
    /// What makes a digest the next block, if that is asked for: bits that are kept of each word,
    /// and what is added.
    pub link: Vec<Byte<W>>,
    /// With which of its two hashes the first HMAC begins.
    pub half: usize,
    /// How long messages are, if that is asked for.
    pub(super) lengths: Option<Lengths<W>>,
    /// Where the function is that compresses whole blocks, if that may be called: it is proven by
    /// itself.
    pub(super) compress: Option<&'a Whole>,
}

/// How many arrays of chaining values may be written; more are read alone.
pub(super) const WRITTEN: u8 = 2;

/// Bytes of the place for a digest.
pub(super) const DIGEST: usize = 64;

impl<W: Copy + PartialEq> Call<'_, W> {
    /// The bytes of an address.
    pub fn pointer(&self) -> Pointer {
        self.image.pointer()
    }

    /// How it is called.
    pub(super) fn convention(&self) -> Convention {
        if self.in_linux { Convention::Linux } else { Convention::of(self.pointer()) }
    }

    /// Words, and what is known of them.
    pub(super) fn words<'d, D: Domain<Word = W>>(&self, domain: &'d mut D) -> Words<'d, D> {
        let length = self.case().map(|case| (self.lane as u8, case.length));
        let joins = self.lengths.is_some();
        let end = self.case().and_then(|case| {
            let at = case.ends_at? as usize;
            let (word, own) = (at / self.word_len, at % self.word_len);
            (own != 0).then(|| (case.data[word], own))
        });
        let (len, pointer, big_endian) = (self.word_len, self.pointer(), self.big_endian);
        let padded = self.case().and_then(|case| case.len?.sum(self.before()));
        Words { domain, len, pointer, length, joins, end, padded, big_endian }
    }

    /// Where the arguments on the stack end.
    pub(super) fn stack_top(&self) -> i64 {
        let on_stack = self.arguments.len().saturating_sub(self.convention().registers().len());
        (self.pointer().0 * (1 + on_stack)) as i64
    }

    /// The bytes of a block.
    pub fn block_len(&self) -> i64 {
        (self.block_words * self.word_len) as i64
    }

    /// More blocks than there are in any object, or the most iterations.
    pub(super) fn most_blocks(&self) -> i64 {
        if self.arguments.contains(&Argument::Iterations) {
            return u32::MAX.into();
        }
        self.pointer().most() / self.block_len()
    }

    /// How many blocks there are.
    pub(super) fn total(&self) -> Address {
        let number = Address::new(Region::Number, 0);
        match self.blocks {
            Blocks::Are(n) => number.plus(n as i64),
            Blocks::Any { .. } => Address::counted(1, Count::Blocks),
        }
    }

    /// A machine as it is when a function at `at` is called with the chaining value
    /// `state` in the lane that is looked at.
    pub fn called(&self, at: u64, state: &[W]) -> Processor<W> {
        let pointer = self.pointer();
        let place = |region| Address::new(region, 0);
        let callers = |i| pointer.register(place(Region::Callers(i as u8)));
        let mut general = std::array::from_fn(callers);
        general[RSP] = pointer.register(place(Region::Stack));
        // Above the return address there is what is no argument of a register's.
        let registers = self.convention().registers();
        let mut stack = Downwards::new(self.stack_top());
        let return_to = pointer.bytes(place(Region::Return)).into_iter();
        (0..).zip(return_to).for_each(|(i, byte)| stack.set(i, byte));
        for (i, argument) in self.arguments.iter().enumerate() {
            let Some(given) = self.given(*argument) else {
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
                // These are a number of 32 bits.
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

    /// What an argument is, if it is of any account.
    pub(super) fn given(&self, argument: Argument) -> Option<Address> {
        let place = |region| Address::new(region, 0);
        Some(match argument {
            Argument::Anything => return None,
            Argument::State => place(Region::State(0)),
            Argument::Sum => place(Region::State(1)),
            Argument::Chains => place(Region::Chains),
            Argument::Link => place(Region::Link),
            Argument::Half => Address::new(Region::Number, self.half as i64),
            Argument::StateWords => Address::counted(1, Count::Words(0)),
            Argument::SumWords => Address::counted(1, Count::Words(1)),
            Argument::Stride => self.strides(1),
            Argument::Slices => place(Region::Data),
            Argument::Lanes => Address::new(Region::Number, self.lanes as i64),
            Argument::Message => place(Region::Message(0)),
            Argument::Out => place(Region::Out),
            Argument::Blocks | Argument::Iterations => self.total(),
            Argument::Before => self.before(),
            Argument::BeforeHigh => self.before_high(),
            Argument::Expanded => self.expanded(),
            Argument::Image(at) => return self.image.place(at),
        })
    }

    /// So many times the distance of a lane's words.
    pub(super) fn strides(&self, times: usize) -> Address {
        let number = Address::new(Region::Number, 0);
        match self.stride {
            Stride::Is(stride) => number.plus((times * stride) as i64),
            Stride::AtLeast(_) => Address { stride: times as i32, ..number },
        }
    }

    /// How many words all chaining values are, with what is between them.
    pub(super) fn state_words(&self) -> Address {
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
    pub(super) fn of_state(&self, at: Address) -> Option<usize> {
        let Region::State(array) = at.region else { return None };
        let offset = usize::try_from(at.offset).ok()?;
        let place = match self.stride {
            Stride::Is(_) => (at.stride == 0).then_some(offset),
            Stride::AtLeast(_) => {
                let distance = usize::try_from(at.stride).ok()?;
                let within = offset < self.lanes * self.word_len;
                let whole = distance.is_multiple_of(self.word_len);
                (within && whole).then_some(distance * self.lanes + offset)
            }
        };
        let len = self.kept() * self.word_len;
        place.filter(|&place| place < len).map(|place| usize::from(array) * len + place)
    }

    /// How many words are kept of an array of chaining values.
    fn kept(&self) -> usize {
        (self.words - 1) * self.row() + self.lanes
    }

    /// The array, the word in it and the lane of one of all words that are kept.
    fn of_kept(&self, i: usize) -> [usize; 3] {
        let (array, i) = (i / self.kept(), i % self.kept());
        [array, i / self.row(), i % self.row()]
    }

    /// The chaining values in memory, array after array, of which one lane's are `words`.
    fn state(&self, words: &[W]) -> Vec<Byte<W>> {
        let cell = |i: usize| {
            let ([array, word, lane], byte) = (self.of_kept(i / self.word_len), i % self.word_len);
            match lane {
                _ if lane == self.lane => Byte::Of(words[array * self.words + word], byte as u8),
                _ if lane < self.lanes => Byte::Unknown,
                // Between the lanes' words there is what is none of its business.
                _ => {
                    let before = Address::new(Region::Callers(u8::MAX), i as i64);
                    Byte::Address(before, byte as u8)
                }
            }
        };
        let arrays = words.len() / self.words;
        (0..arrays * self.kept() * self.word_len).map(cell).collect()
    }

    /// Whether the words of the lane that is looked at are these.
    pub(super) fn is_lane(&self, machine: &Processor<W>, words: &[W]) -> bool {
        let wanted = self.state(words);
        let own = |i: &usize| self.of_kept(i / self.word_len)[2] == self.lane;
        (0..wanted.len()).filter(own).all(|i| machine.state.get(i) == Some(&wanted[i]))
    }

    /// The words of the lane that is looked at, if all are known.
    pub(super) fn lane_words<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &Processor<W>,
    ) -> Option<Vec<W>> {
        let cells = machine.state.chunks_exact(self.word_len);
        let own = cells.enumerate().filter(|(i, _)| self.of_kept(*i)[2] == self.lane);
        own.map(|(_, cells)| {
            let found = words.value(cells);
            words.as_word(found)
        })
        .collect()
    }

    /// Sets the words of the lane that is looked at, which is the only one.
    pub(super) fn set_lane(&self, machine: &mut Processor<W>, words: &[W]) {
        machine.state = self.state(words);
    }

    /// What is in the place of digests before any is written.
    fn out(&self) -> Vec<Byte<W>> {
        let is_asked = self.arguments.contains(&Argument::Out);
        let before = Region::Callers(u8::MAX - 1);
        let byte = |i: usize| Byte::Address(Address::new(before, i as i64), 0);
        (0..if is_asked { DIGEST * self.lanes } else { 0 }).map(byte).collect()
    }

    /// Whether the digest of a lane is these words, with zeros behind it or what was there.
    fn is_written<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &Processor<W>,
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
            let found = words.value(&bytes);
            words.as_word(found).is_some_and(|found| words.domain.equal(found, word))
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
        machine: &Processor<W>,
        expected: &[W],
    ) -> Result<(), Fault> {
        let mut words = self.words(domain);
        let wanted = self.state(expected);
        for (i, cells) in machine.state.chunks_exact(self.word_len).enumerate() {
            let [array, word, lane] = self.of_kept(i);
            if lane == self.lane {
                let wanted = expected[array * self.words + word];
                let found = words.value(cells);
                let is = words.as_word(found).is_some_and(|found| {
                    words.domain.say_equal("in the end", found, wanted);
                    words.domain.equal(found, wanted)
                });
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
        let pointer = self.pointer();
        for &saved in self.convention().saved() {
            let callers = pointer.register(Address::new(Region::Callers(saved as u8), 0));
            if machine.general[saved] != callers {
                let what = "it does not give back what the caller had in a register";
                return Err(Fault::whole(what.into()));
            }
        }
        let popped = Address::new(Region::Stack, pointer.0 as i64);
        if machine.general[RSP] != pointer.register(popped) {
            return Err(Fault::whole("the stack pointer is not the caller's".into()));
        }
        Ok(())
    }

    /// The chaining value of the lane that is looked at; zero for what is no word.
    pub fn chaining<D: Domain<Word = W>>(&self, domain: &mut D, machine: &Processor<W>) -> Vec<W> {
        let zero = domain.constant(0);
        let mut words = self.words(domain);
        let cells = machine.state.chunks_exact(self.word_len);
        let own = cells.enumerate().filter(|(i, _)| self.of_kept(*i)[2] == self.lane);
        own.map(|(_, cells)| {
            let found = words.value(cells);
            words.as_word(found).unwrap_or(zero)
        })
        .collect()
    }
}
