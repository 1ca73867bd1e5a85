//! The trait that every compression function implements.

use crate::{Family, Hints, Int, unroll};

/// A compression function: one block of sixteen words into a chaining value of
/// `N` words, in any interpretation of its words. What [`Family`] says is said here.
pub trait Compression<const N: usize> {
    /// The word's integer: `u32` for a block of 64 bytes, `u64` for one of 128.
    type Int: Int;

    /// Whether words are big-endian in blocks, digests and the length field
    /// (FIPS 180-4 §3.1). Of the compatibility functions some are not.
    const BIG_ENDIAN: bool = true;

    /// Whether FIPS 180-4 has it: SHA-1 and SHA-2.
    const FIPS: bool = false;

    /// The number of rounds, or of steps of each line.
    const ROUNDS: usize;

    /// How the published digest of "abc" begins, by the algorithm that has the name of the
    /// family ([`Family::algorithm`]).
    const ABC: [u8; 4];

    /// How many words a block is once it is [`expand`](Self::expand)ed: its own sixteen, if
    /// there is no message schedule that could be worked out beforehand.
    const EXPANDED: usize = 16;

    /// One block into one chaining value. `block[t]` is W_t for t < 16.
    fn compress<W: Hints<Int = Self::Int>>(state: [W; N], block: [W; 16]) -> [W; N];

    /// What is to be known of a block that is the same for many messages, such
    /// as one of padding alone, for [`compress_expanded`](Self::compress_expanded):
    /// the first [`EXPANDED`](Self::EXPANDED) words count. With a message schedule they are
    /// what the rounds add, such as W_t + K_t of every round t.
    #[inline]
    fn expand(block: [Self::Int; 16]) -> Expanded<Self::Int> {
        let mut expanded = [Self::Int::ZERO; MAX_EXPANDED];
        expanded[..16].copy_from_slice(&block);
        expanded
    }

    /// The block that was [`expand`](Self::expand)ed into one chaining value:
    /// the same as [`compress`](Self::compress), with fewer operations where
    /// there is a schedule to save.
    #[inline(always)]
    fn compress_expanded<W>(state: [W; N], expanded: &Expanded<Self::Int>) -> [W; N]
    where
        W: Hints<Int = Self::Int>,
    {
        let zero = state[0].zero();
        let mut block = [zero; 16];
        unroll!(T => { block[T] = zero + expanded[T]; });
        Self::compress(state, block)
    }
}

/// The words of a block that is expanded, of any family.
pub type Expanded<I> = [I; MAX_EXPANDED];

/// The most words that an expanded block of any family is.
pub const MAX_EXPANDED: usize = {
    let (mut most, mut i) = (0, 0);
    while i < Family::ALL.len() {
        let words = Family::ALL[i].expanded_words();
        most = if words > most { words } else { most };
        i += 1;
    }
    most
};

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
