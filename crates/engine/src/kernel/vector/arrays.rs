//! Lanes as arrays, which the compiler may vectorize: for targets without a vector word here.

use core::array;
use core::ops::{Add, BitAnd, BitXor, Not, Sub};

use lanesum_spec::{Hints, W32, W64, Word};

use super::Vector;
use super::kernel::lane_kernel;

/// Lanes as an array: the portable definition of a vector.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Array<W, const LANES: usize>([W; LANES]);

impl<W: Copy, const L: usize> Array<W, L> {
    #[inline(always)]
    fn zip(self, rhs: Self, op: impl Fn(W, W) -> W) -> Self {
        Self(array::from_fn(|l| op(self.0[l], rhs.0[l])))
    }
}

macro_rules! lanewise {
    ($($trait:ident $method:ident),*) => {$(
        impl<W: Word, const L: usize> $trait for Array<W, L> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, rhs: Self) -> Self {
                self.zip(rhs, W::$method)
            }
        }
    )*};
}
lanewise!(Add add, Sub sub, BitAnd bitand, BitXor bitxor);

impl<W: Word, const L: usize> Not for Array<W, L> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(self.0.map(W::not))
    }
}

macro_rules! array_word {
    ($word:ident($int:ident)) => {
        impl<const L: usize> Add<$int> for Array<$word, L> {
            type Output = Self;
            #[inline(always)]
            fn add(self, rhs: $int) -> Self {
                Self(self.0.map(|word| word + rhs))
            }
        }

        impl<const L: usize> Word for Array<$word, L> {
            type Int = $int;

            #[inline(always)]
            fn rotr(self, n: u32) -> Self {
                Self(self.0.map(|word| word.rotr(n)))
            }

            #[inline(always)]
            fn shr(self, n: u32) -> Self {
                Self(self.0.map(|word| word.shr(n)))
            }
        }

        impl<const L: usize> Hints for Array<$word, L> {}

        impl<const L: usize> Vector for Array<$word, L> {
            const LANES: usize = L;

            #[inline(always)]
            unsafe fn load(words: &[$int]) -> Self {
                Self(array::from_fn(|l| $word(words[l])))
            }

            #[inline(always)]
            unsafe fn store(self, words: &mut [$int]) {
                words.iter_mut().zip(self.0).for_each(|(to, word)| *to = word.0);
            }

            #[inline(always)]
            unsafe fn load_block(data: &[&[u8]], offset: usize, big_endian: bool) -> [Self; 16] {
                let mut w = [Self([$word(0); L]); 16];
                for (l, lane) in data.iter().enumerate() {
                    // SAFETY: the caller guarantees a block in every lane.
                    let block = unsafe { $word::load_block(&[lane], offset, big_endian) };
                    w.iter_mut().zip(block).for_each(|(w, word)| w.0[l] = word);
                }
                w
            }
        }
    };
}
array_word!(W32(u32));
array_word!(W64(u64));

lane_kernel!(
    PORTABLE_X2 = portable_x2,
    Portable,
    features = [],
    tails = copied,
    W64 as Array<W64, 2>,
);
lane_kernel!(
    PORTABLE_X4 = portable_x4,
    Portable,
    features = [],
    tails = copied,
    W32 as Array<W32, 4>,
);
