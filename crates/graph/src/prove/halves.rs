//! Words of 64 bits in registers of 32. A register holds the lower half of some word: the
//! upper half of w is the lower one of ROTR^32(w), and so every half is.
//!
//! Logic goes by halves. A sum is two: `add` of lower halves is the lower half of the sum,
//! and `adc` of the upper halves right after it the upper one of the same words' sum. What a
//! text has for a lower half may be right by itself and yet of another word: σ takes its lower
//! half from a rotation where FIPS 180-4 has a shift. So the words that are added are those
//! whose upper halves `adc` reads, if the lower halves are the same; and the sum is theirs, also
//! where its lower half already is.

use super::domain::Domain;
use crate::emit::semantics::Function;

/// The second term of a sum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Term<W> {
    /// A word.
    Word(W),
    /// A constant.
    Constant(u64),
}

/// Lower halves that were added by the instruction before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Carry<W> {
    x: W,
    y: Term<W>,
    pub(super) sum: W,
}

/// Half a word.
const HALF: u64 = 32;

fn swapped<D: Domain>(domain: &mut D, x: D::Word) -> D::Word {
    domain.apply_constant(Function::RotateRight, x, HALF)
}

/// Adds lower halves.
pub(super) fn add<D: Domain>(domain: &mut D, x: D::Word, y: Term<D::Word>) -> Carry<D::Word> {
    let sum = match y {
        Term::Word(y) => domain.apply(Function::Add, x, y),
        Term::Constant(k) => domain.apply_constant(Function::Add, x, k),
    };
    Carry { x, y, sum }
}

/// Adds upper halves, and the carry: the word whose halves are the two sums.
pub(super) fn add_carry<D: Domain>(
    domain: &mut D,
    carry: Carry<D::Word>,
    x: D::Word,
    y: Term<D::Word>,
) -> Result<D::Word, String> {
    let wrong = || Err("a carry is taken of other words".to_owned());
    let x = swapped(domain, x);
    match (carry.y, y) {
        (Term::Constant(low), Term::Constant(high)) if domain.equal_low(carry.x, x) => {
            let k = low & 0xffff_ffff | high << HALF;
            Ok(domain.apply_constant(Function::Add, x, k))
        }
        (Term::Word(low), Term::Word(high)) => {
            let high = swapped(domain, high);
            let fits =
                |domain: &mut D, p, q| domain.equal_low(carry.x, p) && domain.equal_low(low, q);
            // Equal words first: what differs takes longer to compare.
            if domain.equal(carry.x, high) && fits(domain, high, x)
                || fits(domain, x, high)
                || fits(domain, high, x)
            {
                return Ok(domain.apply(Function::Add, x, high));
            }
            wrong()
        }
        _ => wrong(),
    }
}

/// A half shifted right by itself: the upper half of its word shifted right.
pub(super) fn shift<D: Domain>(domain: &mut D, x: D::Word, n: u64) -> Result<D::Word, String> {
    if !(1..HALF).contains(&n) {
        return Err("a half is shifted by more than it has".to_owned());
    }
    let word = swapped(domain, x);
    let shifted = domain.apply_constant(Function::ShiftRight, word, n);
    Ok(swapped(domain, shifted))
}

/// A half shifted right with the other half of its word coming in: a rotation.
pub(super) fn shift_from<D: Domain>(
    domain: &mut D,
    x: D::Word,
    y: D::Word,
    n: u64,
) -> Result<D::Word, String> {
    let other = swapped(domain, x);
    if !(1..HALF).contains(&n) || !domain.equal(y, other) {
        return Err("what is shifted together is not one word".to_owned());
    }
    Ok(domain.apply_constant(Function::RotateRight, x, n))
}
