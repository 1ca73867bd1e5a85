//! Padding, FIPS 180-4 §5.1, for both block sizes.

use crate::Family;

/// The longest block of any family, in bytes.
pub const MAX_BLOCK: usize = 128;

/// Pads the last bytes of a message, FIPS 180-4 §5.1.
///
/// `tail[..len]` is the rest of the message after its whole blocks, shorter than a block;
/// `message_bytes` is the length of the whole message. Returns the length of the padded tail in
/// bytes: one block or two.
///
/// # Panics
///
/// If `len` is not less than a block, or `tail` is too short for the padding.
#[inline]
pub fn pad(family: Family, tail: &mut [u8], len: usize, message_bytes: u64) -> usize {
    let block = family.block_len();
    assert!(len < block, "a tail is shorter than a block");
    let length_len = family.length_len();
    let padded = if len + 1 + length_len <= block { block } else { 2 * block };

    let (zeros, length) = tail[len..padded].split_at_mut(padded - length_len - len);
    zeros.fill(0);
    zeros[0] = 0x80;
    // A 64-bit length field holds the length in bits modulo 2^64, as specified in RFC 1321 §3.2.
    // FIPS 180-4 §1 does not define longer messages.
    let bits = u128::from(message_bytes) * 8;
    if family.is_big_endian() {
        length.copy_from_slice(&bits.to_be_bytes()[16 - length_len..]);
    } else {
        length.copy_from_slice(&bits.to_le_bytes()[..length_len]);
    }
    padded
}
