//! Whole blocks of a message that comes in pieces.

/// Passes `data`, the next bytes of a message, on to `compress` in whole blocks. `last` has room
/// for one block: before, its first `filled` bytes are those that have come and wait for the rest
/// of their block; afterwards, those that wait then.
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
    last[..rest.len()].copy_from_slice(rest);
}
