//! Conversion between words and the bytes of messages and digests.

use lanesum_spec::{Family, Int};

use super::padding::sixteen;

/// Converts `bytes` to a word.
///
/// # Panics
///
/// If the length of `bytes` is not that of a word.
#[inline(always)]
pub(crate) fn read<I: Int>(big_endian: bool, bytes: &[u8]) -> I {
    let word = I::from_be_bytes(bytes);
    if big_endian { word } else { word.swap_bytes() }
}

/// Converts a chaining value to bytes, in the order of the digest.
#[inline]
pub(crate) fn bytes<I: Int>(family: Family, words: &[I; 8]) -> [u8; 64] {
    let big_endian = family.is_big_endian();
    let mut bytes = [0; 64];
    let sixteens = words.chunks_exact(16 / I::BYTES);
    for (to, words) in bytes.as_chunks_mut().0.iter_mut().zip(sixteens) {
        let turned = words.iter().map(|&word| if big_endian { word.swap_bytes() } else { word });
        let number =
            turned.rev().fold(0, |all, word| all << (8 * I::BYTES) | u128::from(word.widen()));
        sixteen(to, number);
    }
    bytes
}
