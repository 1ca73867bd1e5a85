//! The trait that every compression function implements.

use crate::{Family, Hints, Int, unroll};

/// A compression function: compresses one block of sixteen words into a chaining value of `N`
/// words, for any interpretation of words. The constants are the source of [`Family`]'s properties.
pub trait Compression<const N: usize> {
    /// The integer of a word: `u32` for 64-byte blocks, `u64` for 128-byte blocks.
    type Int: Int;

    /// Whether words are big-endian in blocks, digests and the length field (FIPS 180-4 §3.1). Some
    /// compatibility functions are little-endian.
    const BIG_ENDIAN: bool = true;

    /// Whether FIPS 180-4 specifies it: SHA-1 and SHA-2.
    const FIPS: bool = false;

    /// The number of rounds (steps per line in RIPEMD-160).
    const ROUNDS: usize;

    /// The first bytes of the published digest of "abc", for the algorithm with the family's name
    /// ([`Family::algorithm`]).
    const ABC: [u8; 4];

    /// The number of words of an [`expand`](Self::expand)ed block: sixteen if there is no message
    /// schedule to precompute.
    const EXPANDED: usize = 16;

    /// Compresses one block into a chaining value. `block[t]` is W_t for t < 16.
    fn compress<W: Hints<Int = Self::Int>>(state: [W; N], block: [W; 16]) -> [W; N];

    /// Precomputes a block that is the same for many messages, such as one of only padding, for
    /// [`compress_expanded`](Self::compress_expanded). Returns [`EXPANDED`](Self::EXPANDED) words,
    /// followed by zeros. With a message schedule these are the addends of the rounds, such as W_t
    /// + K_t for every round t.
    #[inline]
    fn expand(block: [Self::Int; 16]) -> Expanded<Self::Int> {
        let mut expanded = [Self::Int::ZERO; MAX_EXPANDED];
        expanded[..16].copy_from_slice(&block);
        expanded
    }

    /// Compresses an [`expand`](Self::expand)ed block into a chaining value. The result is that of
    /// [`compress`](Self::compress), without the work of the message schedule.
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

/// The words of an expanded block of any family.
pub type Expanded<I> = [I; MAX_EXPANDED];

/// The maximum number of words of an expanded block, over all families.
pub const MAX_EXPANDED: usize = {
    let (mut most, mut i) = (0, 0);
    while i < Family::ALL.len() {
        let words = Family::ALL[i].expanded_words();
        most = if words > most { words } else { most };
        i += 1;
    }
    most
};

/// Unrolls `$body` with the constant `$t` = 0 … 15, so that every index that depends only on `$t`
/// is an immediate in the object code. A list of literals after the body replaces 0 … 15.
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
