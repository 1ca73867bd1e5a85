//! The cases of the proof of `finish`: what is known in each of the lengths of messages.

use super::address::Address;

/// What is known of lengths.
pub(super) enum Lengths<W> {
    /// They are these, and so many bytes are compressed already.
    Are(Vec<u64>, u64),
    /// They are as in a case.
    Any(Case<W>),
}

/// The lengths as far as one turn of the loop over blocks has to know them, k being the number of
/// the block at hand.
#[derive(Clone)]
pub(super) struct Case<W> {
    /// Whether all are one length.
    pub(super) uniform: bool,
    /// The last block of all, expanded, if there is one.
    pub(super) expanded: Vec<W>,
    /// The chaining value before the block at hand.
    pub(super) chaining: Vec<W>,
    /// The two words of the length in bits, the lower one first.
    pub(super) length: [W; 2],
    /// The words of the block at hand: of the bytes that the message has there, and of the bit
    /// that ends it. Both are zero elsewhere.
    pub(super) data: Vec<W>,
    pub(super) end: Vec<W>,
    /// How far the message goes into the block at hand, if that is known: it ends there then, and the
    /// word in which it does has that bit too, and zeros behind it.
    pub(super) ends_at: Option<i64>,
    /// The length of the only message if a copy of its end is padded: so many bytes, or all blocks
    /// before the block at hand and `ends_at` bytes. The block at hand may be two.
    pub(super) len: Option<Address>,
    /// What differences of two numbers are, at the least and at the most.
    pub(super) facts: Vec<(Address, Address, [i128; 2])>,
}
