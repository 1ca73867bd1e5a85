//! Hints to the compiler, separate from the specification: the order of additions, and the
//! placement of the schedule. They never change a result.

use core::ops::Add;

use crate::Word;
use crate::sha2::{self, Variant, big_sigma};

/// A word with preferences for the order of additions. By default a hint does nothing.
pub trait Hints: Word {
    /// Whether to prefer the form of a SHA-2 round with the shorter dependency chain from round to
    /// round, at the cost of one extra operation.
    const SHORT: bool = false;

    /// Whether to fix the order of additions also in the longer form of a SHA-2 round: for words
    /// whose compiler would otherwise move a late term into the middle of the sum.
    const PINNED: bool = false;

    /// Marks a sum as complete: the compiler must not reassociate across it.
    #[inline(always)]
    fn pin(self) -> Self {
        self
    }

    /// Returns self + Ch(x, y, z). The halves of Ch, x ∧ y and ¬x ∧ z, have no bit in common, so
    /// they may be added separately. Override if Ch is not a single instruction and y is on the
    /// critical path.
    #[inline(always)]
    fn plus_ch(self, x: Self, y: Self, z: Self) -> Self {
        self + Self::ch(x, y, z)
    }

    /// Returns the schedule `w` as the rounds should access it. Words that keep the schedule in
    /// memory ([`fence`](Self::fence)) return an alias that the optimizer cannot see through:
    /// without it, the attempt to split `w` into scalars is quadratic in the number of rounds.
    #[inline(always)]
    fn place(w: &mut [Self; 16]) -> &mut [Self; 16] {
        w
    }

    /// Forces the schedule `w` into memory, out of registers, from here on.
    #[inline(always)]
    fn fence(_w: &mut [Self; 16]) {}

    /// One round of SHA-2, [`sha2::round`], in the form that this word prefers.
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

/// Computes the new `e` as Σ1(e) + (Ch(e, f, g) + (d + h + wk)), and the new `a` by subtracting `d`
/// from it. Only Σ1 and one addition are on the critical path from one `e` to the next.
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

/// Adds the terms of T1 of FIPS 180-4 in the order in which they become available.
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
