//! What the compression functions have in common.

use crate::{Int, Word, unroll};

/// A compression function: one block of sixteen words into a chaining value of
/// `N` words, in any interpretation of its words.
pub trait Compression<const N: usize> {
    /// The word's integer: `u32` for a block of 64 bytes, `u64` for one of 128.
    type Int: Int;

    /// Whether words are big-endian in blocks, digests and the length field
    /// (FIPS 180-4 §3.1). Only the compatibility functions are not.
    const BIG_ENDIAN: bool = true;

    /// Whether there is a message schedule, so that a block that is [`expand`](Self::expand)ed
    /// beforehand saves work.
    const HAS_SCHEDULE: bool;

    /// One block into one chaining value. `block[t]` is W_t for t < 16.
    fn compress<W: Word<Int = Self::Int>>(state: [W; N], block: [W; 16]) -> [W; N];

    /// What is to be known of a block that is the same for many messages, such
    /// as one of padding alone, for [`compress_expanded`](Self::compress_expanded).
    /// With a message schedule: W_t + K_t of every round t.
    #[inline]
    fn expand(block: [Self::Int; 16]) -> [Self::Int; 80] {
        let mut expanded = [Self::Int::ZERO; 80];
        expanded[..16].copy_from_slice(&block);
        expanded
    }

    /// The block that was [`expand`](Self::expand)ed into one chaining value:
    /// the same as [`compress`](Self::compress), with fewer operations where
    /// there is a schedule to save.
    #[inline(always)]
    fn compress_expanded<W>(state: [W; N], expanded: &[Self::Int; 80]) -> [W; N]
    where
        W: Word<Int = Self::Int>,
    {
        let zero = state[0].zero();
        let mut block = [zero; 16];
        unroll!(T => { block[T] = zero + expanded[T]; });
        Self::compress(state, block)
    }
}

/// Spells `$body` out with the constant `$t` = 0 … 15, so that every index that
/// depends on `$t` alone is an immediate in the object code. A list of literals
/// after the body takes the place of 0 … 15.
#[doc(hidden)]
#[macro_export]
macro_rules! unroll {
    ($t:ident => $body:block) => {
        $crate::unroll!($t => $body; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    ($t:ident => $body:block; $($i:literal)*) => {
        $({
            const $t: usize = $i;
            $body
        })*
    };
}
