//! Hints to the compiler, kept apart from the specification: the order of sums, and where the
//! schedule is kept. They change no result.

use core::ops::Add;

use crate::Word;
use crate::sha2::{self, Variant, big_sigma};

/// A word, and the order in which it wants its sums made. Each hint does nothing unless a word
/// says otherwise.
pub trait Hints: Word {
    /// Whether to prefer the form of a round of SHA-2 with the shorter chain from one
    /// round to the next, at the price of one operation more.
    const SHORT: bool = false;

    /// Whether to make the sums of a round of SHA-2 in their order also in the form that is not
    /// short: for words whose compiler would otherwise put what is late in the midst of them.
    const PINNED: bool = false;

    /// This sum is complete: a compiler may not reassociate across it.
    #[inline(always)]
    fn pin(self) -> Self {
        self
    }

    /// The sum of this and Ch(x, y, z). No bit is set in both halves of Ch, x ∧ y and ¬x ∧ z, so
    /// that they may be added one after the other: override where Ch is not one instruction, and
    /// y is waited for.
    #[inline(always)]
    fn plus_ch(self, x: Self, y: Self, z: Self) -> Self {
        self + Self::ch(x, y, z)
    }

    /// The schedule `w`, where the rounds are to find it: for words that have it in memory
    /// ([`fence`](Self::fence)), a place of which the compiler does not know that it is `w`'s,
    /// for it takes time in the square of the rounds to find that it cannot take `w` apart.
    #[inline(always)]
    fn place(w: &mut [Self; 16]) -> &mut [Self; 16] {
        w
    }

    /// The schedule `w` lives in memory from here on, not in registers.
    #[inline(always)]
    fn fence(_w: &mut [Self; 16]) {}

    /// One round of SHA-2, [`sha2::round`], in the form that suits the word.
    #[inline(always)]
    fn round<V, X>(state: [Self; 8], wk: X) -> [Self; 8]
    where
        V: Variant<Int = Self::Int>,
        Self: Add<X, Output = Self>,
    {
        if Self::SHORT {
            short_round::<V, Self, X>(state, wk)
        } else if Self::PINNED {
            pinned_round::<V, Self, X>(state, wk)
        } else {
            sha2::round::<V, Self, X>(state, wk)
        }
    }
}

/// The new `e` is Σ1(e) + (Ch(e, f, g) + (d + h + wk)), and the new `a` is had from it by taking
/// `d` off again: Σ1, one addition and no more lie between one `e` and the next.
#[inline(always)]
fn short_round<V, W, X>([a, b, c, d, e, f, g, h]: [W; 8], wk: X) -> [W; 8]
where
    V: Variant<Int = W::Int>,
    W: Hints + Add<X, Output = W>,
{
    let big_sigma1 = big_sigma(e, V::BIG_SIGMA1);
    let big_sigma0 = big_sigma(a, V::BIG_SIGMA0);
    let early = (d + (h + wk)).pin();
    let new_e = ((early + W::ch(e, f, g)).pin() + big_sigma1).pin();
    let new_a = ((new_e - d).pin() + W::maj(a, b, c)).pin() + big_sigma0;
    [new_a, a, b, c, new_e, e, f, g]
}

/// T1 of FIPS 180-4, its terms added in the order in which they are known.
#[inline(always)]
fn pinned_round<V, W, X>([a, b, c, d, e, f, g, h]: [W; 8], wk: X) -> [W; 8]
where
    V: Variant<Int = W::Int>,
    W: Hints + Add<X, Output = W>,
{
    let big_sigma1 = big_sigma(e, V::BIG_SIGMA1);
    let big_sigma0 = big_sigma(a, V::BIG_SIGMA0);
    let t1 = ((h + wk).pin() + W::ch(e, f, g)).pin() + big_sigma1;
    let t2 = big_sigma0 + W::maj(a, b, c);
    [t1 + t2, a, b, c, d + t1, e, f, g]
}
