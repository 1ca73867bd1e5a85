//! Counts the operations of the specification.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::{Add, BitAnd, BitXor, Mul, Not, Sub};

use lanesum::Family;
use lanesum_spec::{Compression, Hints, Int, Word, each_family};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Op {
    Add,
    Sub,
    And,
    Xor,
    Not,
    Rotr(u32),
    Shr(u32),
    Ch,
    Maj,
    Xor3,
}

/// Operations by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) adds: u64,
    pub(crate) subs: u64,
    /// Rotations, including `by_bytes` rotations by whole bytes and `left_by_one` to the left by
    /// one.
    pub(crate) rotations: u64,
    pub(crate) by_bytes: u64,
    pub(crate) left_by_one: u64,
    pub(crate) shifts: u64,
    pub(crate) ands: u64,
    pub(crate) xors: u64,
    pub(crate) nots: u64,
    /// Ch, Maj and Parity, if the word type has instructions for them.
    pub(crate) ternary: u64,
}

impl Counts {
    fn note(&mut self, op: Op, word_bits: u32) {
        let count = match op {
            Op::Add => &mut self.adds,
            Op::Sub => &mut self.subs,
            Op::And => &mut self.ands,
            Op::Xor => &mut self.xors,
            Op::Not => &mut self.nots,
            Op::Shr(_) => &mut self.shifts,
            Op::Ch | Op::Maj | Op::Xor3 => &mut self.ternary,
            Op::Rotr(n) => {
                self.by_bytes += u64::from(n % 8 == 0);
                self.left_by_one += u64::from(n == word_bits - 1);
                &mut self.rotations
            }
        };
        *count += 1;
    }

    fn zip(self, rhs: Self, op: impl Fn(u64, u64) -> u64) -> Self {
        Self {
            adds: op(self.adds, rhs.adds),
            subs: op(self.subs, rhs.subs),
            rotations: op(self.rotations, rhs.rotations),
            by_bytes: op(self.by_bytes, rhs.by_bytes),
            left_by_one: op(self.left_by_one, rhs.left_by_one),
            shifts: op(self.shifts, rhs.shifts),
            ands: op(self.ands, rhs.ands),
            xors: op(self.xors, rhs.xors),
            nots: op(self.nots, rhs.nots),
            ternary: op(self.ternary, rhs.ternary),
        }
    }
}

impl Add for Counts {
    type Output = Self;
    fn add(self, rhs: Self) -> Self {
        self.zip(rhs, |a, b| a + b)
    }
}

impl Sub for Counts {
    type Output = Self;
    fn sub(self, rhs: Self) -> Self {
        self.zip(rhs, |a, b| a - b)
    }
}

impl Mul<u64> for Counts {
    type Output = Self;
    fn mul(self, n: u64) -> Self {
        self.zip(self, |a, _| a * n)
    }
}

/// The operations so far.
#[derive(Default)]
struct Recorder {
    known: HashMap<(Op, [u64; 3]), u64>,
    nodes: u64,
    counts: Counts,
    /// `counts` after each round.
    rounds: Vec<Counts>,
    /// Whether to forget values after every sixteen rounds: a compiler that does not unroll the
    /// loop over them cannot reuse values of earlier iterations.
    forgetful: bool,
}

thread_local! {
    static RECORDER: RefCell<Recorder> = RefCell::default();
}

fn with_recorder<T>(f: impl FnOnce(&mut Recorder) -> T) -> T {
    RECORDER.with_borrow_mut(f)
}

fn node(op: Op, args: [u64; 3], word_bits: u32) -> u64 {
    with_recorder(|recorder| {
        let mut args = args;
        if matches!(op, Op::Add | Op::And | Op::Xor | Op::Maj | Op::Xor3) {
            args.sort_unstable();
        }
        if let Some(&known) = recorder.known.get(&(op, args)) {
            return known;
        }
        recorder.counts.note(op, word_bits);
        recorder.nodes += 1;
        recorder.known.insert((op, args), recorder.nodes);
        recorder.nodes
    })
}

/// A placeholder for an operand that an operation lacks.
const NONE: u64 = 0;

macro_rules! recorded_word {
    ($word:ident { $($ternary:ident: $op:ident),* }) => {
        /// A value: the number of the operation that computed it.
        struct $word<I, const SHORT: bool>(u64, std::marker::PhantomData<I>);

        impl<I, const SHORT: bool> $word<I, SHORT> {
            fn input() -> Self {
                Self::new(with_recorder(|recorder| {
                    recorder.nodes += 1;
                    recorder.nodes
                }))
            }

            fn new(node: u64) -> Self {
                Self(node, std::marker::PhantomData)
            }
        }

        impl<I, const SHORT: bool> Clone for $word<I, SHORT> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<I, const SHORT: bool> Copy for $word<I, SHORT> {}

        recorded_word!(@binary $word Add add, Sub sub, BitAnd bitand And, BitXor bitxor Xor);
        recorded_word!(@constant $word u32 u64);

        impl<I: Int, const SHORT: bool> Not for $word<I, SHORT> {
            type Output = Self;
            fn not(self) -> Self {
                Self::new(node(Op::Not, [self.0, NONE, NONE], I::BITS))
            }
        }

        impl<I: Int, const SHORT: bool> Word for $word<I, SHORT>
        where
            Self: Add<I, Output = Self>,
        {
            type Int = I;

            fn rotr(self, n: u32) -> Self {
                Self::new(node(Op::Rotr(n), [self.0, NONE, NONE], I::BITS))
            }

            fn shr(self, n: u32) -> Self {
                Self::new(node(Op::Shr(n), [self.0, NONE, NONE], I::BITS))
            }

            $(
                fn $ternary(x: Self, y: Self, z: Self) -> Self {
                    Self::new(node(Op::$op, [x.0, y.0, z.0], I::BITS))
                }
            )*
        }

        impl<I: Int, const SHORT: bool> Hints for $word<I, SHORT>
        where
            Self: Add<I, Output = Self>,
        {
            const SHORT: bool = SHORT;

            fn fence(_w: &mut [Self; 16]) {
                with_recorder(|recorder| {
                    recorder.rounds.push(recorder.counts);
                    if recorder.forgetful && recorder.rounds.len() % 16 == 0 {
                        recorder.known.clear();
                    }
                });
            }
        }
    };
    (@binary $word:ident $($trait:ident $method:ident $($op:ident)?),*) => {$(
        impl<I: Int, const SHORT: bool> $trait for $word<I, SHORT> {
            type Output = Self;
            fn $method(self, rhs: Self) -> Self {
                Self::new(node(recorded_word!(@op $trait $($op)?), [self.0, rhs.0, NONE], I::BITS))
            }
        }
    )*};
    (@op $trait:ident) => { Op::$trait };
    (@op $trait:ident $op:ident) => { Op::$op };
    (@constant $word:ident $($int:ident)*) => {$(
        impl<const SHORT: bool> Add<$int> for $word<$int, SHORT> {
            type Output = Self;
            fn add(self, rhs: $int) -> Self {
                if rhs == 0 {
                    return self; // no operation (RIPEMD-160 has two such passes)
                }
                // Larger than the number of any node, because no constant is near 2^64.
                let constant = !u64::from(rhs);
                Self::new(node(Op::Add, [self.0, constant, NONE], $int::BITS))
            }
        }
    )*};
}
recorded_word!(Binary {});
recorded_word!(Ternary { ch: Ch, maj: Maj, xor3: Xor3 });

/// The counts of a compression function.
struct Reading {
    total: Counts,
    /// Counts after each round.
    rounds: Vec<Counts>,
}

fn read<C: Compression<N>, const N: usize, W: Hints<Int = C::Int>>(
    input: fn() -> W,
    forgetful: bool,
) -> Reading {
    RECORDER.set(Recorder { forgetful, ..Recorder::default() });
    let [state, block] = [[(); N].map(|()| input()).to_vec(), [(); 16].map(|()| input()).to_vec()];
    C::compress(state.try_into().ok().unwrap(), block.try_into().ok().unwrap());
    let recorder = RECORDER.take();
    Reading { total: recorder.counts, rounds: recorder.rounds }
}

fn read_with<C: Compression<N>, const N: usize>(form: Form, forgetful: bool) -> Reading
where
    Binary<C::Int, false>: Hints<Int = C::Int>,
    Binary<C::Int, true>: Hints<Int = C::Int>,
    Ternary<C::Int, false>: Hints<Int = C::Int>,
    Ternary<C::Int, true>: Hints<Int = C::Int>,
{
    match (form.ternary, form.short) {
        (false, false) => read::<C, N, _>(Binary::<C::Int, false>::input, forgetful),
        (false, true) => read::<C, N, _>(Binary::<C::Int, true>::input, forgetful),
        (true, false) => read::<C, N, _>(Ternary::<C::Int, false>::input, forgetful),
        (true, true) => read::<C, N, _>(Ternary::<C::Int, true>::input, forgetful),
    }
}

/// The form of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    /// Whether it has instructions for rotations and for ternary functions.
    pub(crate) ternary: bool,
    /// Whether rounds have a shorter dependency chain and one more operation.
    pub(crate) short: bool,
}

/// Returns the operations that a kernel of this form may have, and whether it has a loop, for each
/// way to unroll its rounds: all of them, or sixteen in a loop after the first sixteen.
pub(crate) fn expected(family: Family, form: Form) -> Vec<(Counts, bool)> {
    macro_rules! read {
        ($forgetful:ident $($word:ident { $($name:ident: $module:ident::$family:ident,)* })*) => {
            match family {
                $($(Family::$family => {
                    read_with::<lanesum_spec::$module::$family, _>(form, $forgetful)
                })*)*
            }
        };
    }
    let read = |forgetful| each_family!(read, forgetful);
    let mut all = vec![(read(false).total, false)];
    let Reading { total, rounds } = read(true);
    let ends: Vec<Counts> = rounds.chunks_exact(16).map(|turn| turn[15]).collect();
    let turns: Vec<Counts> = ends.windows(2).map(|pair| pair[1] - pair[0]).collect();
    // A loop is possible only if all its iterations have the same operations.
    if turns.windows(2).all(|pair| pair[0] == pair[1]) {
        let rest = total - *ends.last().unwrap();
        all.push((ends[0] + turns[0] + rest, true));
    }
    all
}
