//! Traces of a block, round by round, and the first round in which another implementation
//! differs.
//!
//! There are three methods: the reference's rounds ([`rounds`]); a word that records its
//! operations ([`Traced`]) and wraps any word with readable lanes; and, for a kernel with
//! only a result, running the rounds backwards from it ([`departed_round`]).

use std::cell::{Cell, RefCell};
use std::ops::{Add, BitAnd, BitXor, Not, Sub};

use lanesum_spec::sha2::{self, Sha256, Sha512, Variant};
use lanesum_spec::{Family, Hints, Int, W32, W64, Word, sha1};

use crate::eval;
use crate::record::record;

/// A round of the reference: W_t, and the state a, b, c ... after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundTrace {
    /// W_t.
    pub w: u64,
    /// The state after the round.
    pub state: Vec<u64>,
}

/// Evaluates the rounds of one block in the graph. Empty for the compatibility
/// functions, which FIPS 180-4 does not specify.
pub fn rounds(family: Family, state: &[u64], block: &[u64; 16]) -> Vec<RoundTrace> {
    let recorded = record(family, false);
    let values = eval(&recorded.graph, &recorded.inputs(state, block));
    let value = |id: &crate::Id| values[id.index()];
    recorded
        .spec
        .rounds
        .iter()
        .map(|round| RoundTrace {
            w: value(&round.w),
            state: round.state.iter().map(value).collect(),
        })
        .collect()
}

/// A word with readable lanes.
pub trait Lanes: Hints {
    /// The number of lanes.
    const LANES: usize;
    /// The word of lane `l`, in the low bits.
    fn lane(self, l: usize) -> u64;
}

impl Lanes for W32 {
    const LANES: usize = 1;
    fn lane(self, _: usize) -> u64 {
        u64::from(self.0)
    }
}

impl Lanes for W64 {
    const LANES: usize = 1;
    fn lane(self, _: usize) -> u64 {
        self.0
    }
}

/// One operation and its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its round, t.
    pub round: usize,
    /// The operation.
    pub operation: &'static str,
    /// The result in each lane.
    pub lanes: Vec<u64>,
}

/// The log of [`Traced`] words.
#[derive(Debug, Default)]
pub struct Log {
    events: RefCell<Vec<Event>>,
    round: Cell<usize>,
}

impl Log {
    /// The recorded events, in order.
    pub fn finish(self) -> Vec<Event> {
        self.events.into_inner()
    }

    /// Creates a word that records its operations in this log.
    pub fn word<W: Lanes>(&self, word: W) -> Traced<'_, W> {
        Traced { word, log: self }
    }
}

/// A word that behaves like `W` and records each result.
#[derive(Clone, Copy, Debug)]
pub struct Traced<'l, W> {
    word: W,
    log: &'l Log,
}

impl<W: Lanes> Traced<'_, W> {
    /// The wrapped word.
    pub fn word(self) -> W {
        self.word
    }

    fn done(self, operation: &'static str, word: W) -> Self {
        let lanes = (0..W::LANES).map(|l| word.lane(l)).collect();
        self.log.events.borrow_mut().push(Event { round: self.log.round.get(), operation, lanes });
        Self { word, ..self }
    }
}

macro_rules! traced {
    ($($trait:ident $method:ident $name:literal),*) => {$(
        impl<W: Lanes> $trait for Traced<'_, W> {
            type Output = Self;
            fn $method(self, y: Self) -> Self {
                self.done($name, self.word.$method(y.word))
            }
        }
    )*};
}
traced!(Add add "+", Sub sub "-", BitAnd bitand "and", BitXor bitxor "xor");

impl<W: Lanes> Not for Traced<'_, W> {
    type Output = Self;
    fn not(self) -> Self {
        self.done("not", !self.word)
    }
}

macro_rules! traced_word {
    ($int:ident) => {
        impl<W: Lanes<Int = $int>> Add<$int> for Traced<'_, W> {
            type Output = Self;
            fn add(self, k: $int) -> Self {
                self.done("+ K", self.word + k)
            }
        }
    };
}
traced_word!(u32);
traced_word!(u64);

impl<W: Lanes> Word for Traced<'_, W>
where
    Self: Add<W::Int, Output = Self>,
{
    type Int = W::Int;

    fn rotr(self, n: u32) -> Self {
        self.done("rotr", self.word.rotr(n))
    }
    fn shr(self, n: u32) -> Self {
        self.done("shr", self.word.shr(n))
    }
    fn ch(x: Self, y: Self, z: Self) -> Self {
        x.done("Ch", W::ch(x.word, y.word, z.word))
    }
    fn maj(x: Self, y: Self, z: Self) -> Self {
        x.done("Maj", W::maj(x.word, y.word, z.word))
    }
    fn xor3(x: Self, y: Self, z: Self) -> Self {
        x.done("xor3", W::xor3(x.word, y.word, z.word))
    }
}

impl<W: Lanes> Hints for Traced<'_, W>
where
    Self: Add<W::Int, Output = Self>,
{
    const SHORT: bool = W::SHORT;

    fn pin(self) -> Self {
        Self { word: self.word.pin(), ..self }
    }
    // Called once after each round.
    fn fence(w: &mut [Self; 16]) {
        let log = w[0].log;
        log.round.set(log.round.get() + 1);
        let mut words = w.map(|word| word.word);
        W::fence(&mut words);
        w.iter_mut().zip(words).for_each(|(to, word)| to.word = word);
    }
}

/// The first result that differs from the reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Departure {
    /// The round, t.
    pub round: usize,
    /// The lane.
    pub lane: usize,
    /// The operation.
    pub operation: &'static str,
    /// The reference's value.
    pub expected: u64,
    /// The actual value.
    pub found: u64,
}

/// Compares the events of lanes in order with the reference's events, which have one log per lane.
pub fn first_departure(reference: &[Vec<Event>], lanes: &[Event]) -> Option<Departure> {
    lanes.iter().enumerate().find_map(|(i, event)| {
        event.lanes.iter().enumerate().find_map(|(lane, &found)| {
            let expected = reference.get(lane)?.get(i)?;
            (expected.lanes[0] != found).then_some(Departure {
                round: event.round,
                lane,
                operation: event.operation,
                expected: expected.lanes[0],
                found,
            })
        })
    })
}

/// The location of an error, derived from a wrong result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blame {
    /// Only this round, t, is wrong.
    Round(usize),
    /// No single round explains the result: the schedule or several rounds are wrong.
    Several,
}

/// Finds the wrong round of a kernel that computed `result` from `state` and `block`,
/// or returns `None` if the result is correct. Undoes the rounds from the result; if
/// one round was wrong, only its new words differ from the reference.
///
/// # Panics
///
/// If FIPS 180-4 does not specify the family's rounds.
pub fn departed_round(
    family: Family,
    state: &[u64],
    block: &[u64; 16],
    result: &[u64],
) -> Option<Blame> {
    let forward = rounds(family, state, block);
    assert!(!forward.is_empty(), "a family of FIPS 180-4");
    let width = family.word_bits();
    let mask = |x: u64| if width == 64 { x } else { x & ((1 << width) - 1) };
    let words = family.state_words();
    let mut back: Vec<u64> = (0..words).map(|i| mask(result[i].wrapping_sub(state[i]))).collect();
    let last = forward.last().expect("a round");
    if back == last.state {
        return None;
    }
    for (t, round) in forward.iter().enumerate().rev() {
        let new = |i: usize| i == 0 || (words == 8 && i == 4);
        let rest_agrees = (0..words).filter(|&i| !new(i)).all(|i| back[i] == round.state[i]);
        if rest_agrees {
            return Some(Blame::Round(t));
        }
        back = match family {
            Family::Sha1 => undo_sha1(&back, round.w, t),
            Family::Sha256 => undo_sha2::<Sha256, W32>(&back, round.w, t),
            _ => undo_sha2::<Sha512, W64>(&back, round.w, t),
        };
    }
    Some(Blame::Several)
}

/// Returns the state before round t: repeats the round with e = 0; the difference of
/// the result is e.
fn undo_sha1(after: &[u64], w: u64, t: usize) -> Vec<u64> {
    let word = |i: usize| W32(after[i] as u32);
    let (a, b, c, d) = (word(1), word(2).rotl(2), word(3), word(4));
    let f = [W32::ch, W32::xor3, W32::maj, W32::xor3][t / 20](b, c, d);
    let wk = W32(w as u32) + sha1::K[t / 20];
    let without = sha1::round([a, b, c, d, W32(0)], f, wk);
    let e = word(0) - without[0];
    [a, b, c, d, e].map(|word| word.lane(0)).to_vec()
}

/// Returns the state before round t of SHA-2: repeats the round with d = h = 0; the
/// difference of a' is h, and that of e' is d + h.
fn undo_sha2<V: Variant, W>(after: &[u64], w: u64, t: usize) -> Vec<u64>
where
    W: Lanes<Int = V::Int> + From<V::Int>,
{
    let word = |i: usize| W::from(V::Int::truncate(after[i]));
    let zero = W::from(V::Int::ZERO);
    let (a, b, c, e, f, g) = (word(1), word(2), word(3), word(5), word(6), word(7));
    let wk = W::from(V::Int::truncate(w)) + V::K[t];
    let without = sha2::round::<V, W, W>([a, b, c, zero, e, f, g, zero], wk);
    let h = word(0) - without[0];
    let d = word(4) - without[4] - h;
    [a, b, c, d, e, f, g, h].map(|word| word.lane(0)).to_vec()
}

/// The padded message as blocks of words.
pub fn blocks(family: Family, message: &[u8]) -> Vec<[u64; 16]> {
    let block_len = family.block_len();
    let whole = message.len() / block_len * block_len;
    let mut tail = vec![0; 2 * lanesum_spec::MAX_BLOCK];
    let rest = message.len() - whole;
    tail[..rest].copy_from_slice(&message[whole..]);
    let padded = lanesum_spec::pad(family, &mut tail, rest, message.len() as u64);
    let all = message[..whole].chunks(block_len).chain(tail[..padded].chunks(block_len));
    all.map(|block| {
        let word_len = family.word_bits() as usize / 8;
        std::array::from_fn(|t| {
            let bytes = &block[t * word_len..][..word_len];
            let fold = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
            if family.is_big_endian() {
                bytes.iter().fold(0, fold)
            } else {
                bytes.iter().rev().fold(0, fold)
            }
        })
    })
    .collect()
}
