//! The cases of the proof of `finish`: the known facts about message lengths.

use super::address::Address;
use super::classes::Fact;

/// The known facts about message lengths.
pub(super) enum Lengths<W> {
    /// Concrete lengths, and the number of bytes already compressed.
    Are(Vec<u64>, u64),
    /// Symbolic lengths.
    Any(Case<W>),
}

/// The facts about lengths that one loop iteration depends on. The current block is block k.
#[derive(Clone)]
pub(super) struct Case<W> {
    /// Whether all lengths are equal.
    pub(super) uniform: bool,
    /// The expanded last block of all messages; empty without one.
    pub(super) expanded: Vec<W>,
    /// The chaining value before the current block.
    pub(super) chaining: Vec<W>,
    /// The two words of the length in bits, lower word first.
    pub(super) length: [W; 2],
    /// The current block as two disjoint parts: the message bytes, and the end bit. Each part is
    /// zero elsewhere.
    pub(super) data: Vec<W>,
    pub(super) end: Vec<W>,
    /// The offset in the current block at which the message ends, if known. The word with the end
    /// then includes the end bit, followed by zeros.
    pub(super) ends_at: Option<i64>,
    /// The message's length if a copy of its end is padded: a constant, or k blocks and `ends_at`
    /// bytes. The current block may be two.
    pub(super) len: Option<Address>,
    /// Bounds of differences of two numbers.
    pub(super) facts: Vec<Fact>,
}
