//! The blocks of a message: their number, whole blocks of a message that arrives in pieces, and empty messages.

use lanesum_spec::Family;

/// Returns the number of blocks of a message of `len` bytes, padding included.
#[inline]
pub(crate) fn blocks(family: Family, len: usize) -> usize {
    // Shift instead of divide: a division would take longer than everything else here.
    ((len + family.length_len()) >> family.block_len().trailing_zeros()) + 1
}

/// Passes `data`, the next bytes of a message, to `compress` in whole blocks. `last` is the buffer of
/// one block. On entry its first `filled` bytes are the incomplete block so far. On return it
/// contains the new incomplete block.
#[inline(always)]
pub fn fill(last: &mut [u8], filled: usize, mut data: &[u8], mut compress: impl FnMut(&[u8])) {
    let block = last.len();
    debug_assert!(block.is_power_of_two() && filled < block, "less than a block waits");
    if filled > 0 {
        let (head, rest) = data.split_at(data.len().min(block - filled));
        last[filled..][..head.len()].copy_from_slice(head);
        if filled + head.len() < block {
            return;
        }
        compress(last);
        data = rest;
    }
    let (whole, rest) = data.split_at(data.len() & !(block - 1));
    if !whole.is_empty() {
        compress(whole);
    }
    // A copy of unknown length is a function call, even if it copies nothing.
    if !rest.is_empty() {
        last[..rest.len()].copy_from_slice(rest);
    }
}

/// Returns `bytes`; an empty slice is replaced by one at a readable address. A masked load of zero bytes
/// takes hundreds of cycles at an unmapped address, such as the dangling pointer of Rust's empty slices.
#[inline]
pub(crate) fn readable(bytes: &[u8]) -> &[u8] {
    static MEMORY: [u8; 1] = [0];
    if bytes.is_empty() { &MEMORY[..0] } else { bytes }
}
