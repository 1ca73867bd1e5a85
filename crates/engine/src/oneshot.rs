//! One whole message in memory: its blocks from where they are, its end padded in
//! a block or two on the stack, and no more. The end of a message that came in pieces
//! is the same.

use heddle_spec::Algorithm;

use crate::backend::{Select, Single, sixteen};
use crate::hasher::default_backend;
use crate::{Digest, Hasher};

/// The digest of `message`.
#[inline]
pub(crate) fn hash(algorithm: Algorithm, message: &[u8]) -> Digest {
    let digest = match algorithm.family().word_bits() {
        32 => of_words::<u32, 128>(algorithm, message),
        _ => of_words::<u64, 256>(algorithm, message),
    };
    digest.unwrap_or_else(|| {
        // A policy has one message done by a row of many lanes.
        let mut hasher = Hasher::new(algorithm);
        hasher.update(message);
        hasher.finish()
    })
}

/// The same for words of one width; `TWO` is the length of two blocks.
#[inline]
fn of_words<I: Select, const TWO: usize>(algorithm: Algorithm, message: &[u8]) -> Option<Digest> {
    let family = algorithm.family();
    let single = Single::<I>::of(family, || default_backend(algorithm))?;
    let mut state = I::iv(algorithm);

    let block = const { TWO / 2 };
    let length_len = const { TWO / 16 };
    let (mut whole, mut end) = message.split_at(message.len() - message.len() % block);
    if whole.len() == block && end.len() + 1 + length_len <= block {
        // One call instead of two is worth the copy of a block.
        (whole, end) = (&[], message);
    }
    if !whole.is_empty() {
        single.compress(&mut state, whole);
    }

    Some(self::end::<I, TWO>(algorithm, &single, &mut state, end, message.len() as u64))
}

/// The digest of a message of so many bytes, of which `end` are the last ones, less than two
/// blocks with their padding, and all others, whole blocks, are compressed in `state`. `TWO`
/// is the length of two blocks.
#[inline]
pub(crate) fn end<I: Select, const TWO: usize>(
    algorithm: Algorithm,
    single: &Single<I>,
    state: &mut [I; 8],
    end: &[u8],
    bytes: u64,
) -> Digest {
    let big_endian = algorithm.family().is_big_endian();
    let (block, length_len) = const { (TWO / 2, TWO / 16) };
    let mut tail = [0; TWO];
    let padded = (end.len() + 1 + length_len).next_multiple_of(block);
    pad(&mut tail[..padded], end, length(bytes, big_endian, length_len));
    single.compress(state, &tail[..padded]);

    let mut bytes = [0; 64];
    let sixteens = state.chunks_exact(16 / I::BYTES);
    for (to, words) in bytes.as_chunks_mut().0.iter_mut().zip(sixteens) {
        let turned = words.iter().map(|&word| if big_endian { word.swap_bytes() } else { word });
        sixteen(
            to,
            turned.rev().fold(0, |all, word| all << (8 * I::BYTES) | u128::from(word.widen())),
        );
    }
    Digest::new(&bytes, algorithm.digest_len())
}

/// The last sixteen bytes of the padding of a message of so many bytes, but for what is
/// before the length field in them; the first is lowest.
#[inline(always)]
fn length(bytes: u64, big_endian: bool, length_len: usize) -> u128 {
    let bits = u128::from(bytes) << 3;
    match (big_endian, length_len) {
        (true, 16) => bits.swap_bytes(),
        // Of a field of eight bytes FIPS 180-4 §5.1.1 and RFC 1321 §3.2 keep the low 64 bits.
        (true, _) => u128::from((bits as u64).swap_bytes()) << 64,
        (false, _) => u128::from(bits as u64) << 64,
    }
}

/// Copies `from` to the front of `to`, which is of whole blocks, all zeros and longer, and
/// pads it: FIPS 180-4 §5.1. Each sixteen bytes are written at once, and nothing is called.
#[inline(always)]
fn pad(to: &mut [u8], from: &[u8], length: u128) {
    let (pieces, _) = to.as_chunks_mut::<16>();
    let (whole, rest) = from.as_chunks::<16>();
    for (to, from) in pieces.iter_mut().zip(whole) {
        *to = *from;
    }
    let end = low_bytes(from, rest.len()) | 0x80 << (8 * rest.len());
    let last = pieces.len() - 1;
    if whole.len() < last {
        sixteen(&mut pieces[whole.len()], end);
        sixteen(&mut pieces[last], length);
    } else {
        sixteen(&mut pieces[last], end | length);
    }
}

/// The last `n` bytes of `from` as a number, the first lowest, for n = its length modulo 16.
#[inline(always)]
fn low_bytes(from: &[u8], n: usize) -> u128 {
    let len = from.len();
    if n == 0 {
        0
    } else if let Some(last) = from.last_chunk::<16>() {
        u128::from_le_bytes(*last) >> (8 * (16 - n))
    } else if let (Some(first), Some(last)) = (from.first_chunk::<8>(), from.last_chunk::<8>()) {
        let high = u128::from(u64::from_le_bytes(*last)) << (8 * (len - 8));
        u128::from(u64::from_le_bytes(*first)) | high
    } else if let (Some(first), Some(last)) = (from.first_chunk::<4>(), from.last_chunk::<4>()) {
        let high = u64::from(u32::from_le_bytes(*last)) << (8 * (len - 4));
        u128::from(u64::from(u32::from_le_bytes(*first)) | high)
    } else {
        // Of one, two or three bytes: the first, the middle one and the last.
        let place = |i: usize| u32::from(from[i]) << (8 * i);
        u128::from(place(0) | place(len / 2) | place(len - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heddle_spec::Family;

    #[test]
    fn padding_is_that_of_the_specification_at_every_length() {
        let bytes: Vec<u8> = (0..256).map(|i| (i * 37 + 1) as u8).collect();
        for family in Family::ALL {
            let (block, length_len) = (family.block_len(), family.length_len());
            for len in 0..2 * block - length_len {
                let mut expected = [0; 256];
                let whole = len / block * block;
                expected[..len].copy_from_slice(&bytes[..len]);
                let rest = len - whole;
                let end = heddle_spec::pad(family, &mut expected[whole..], rest, len as u64);
                let mut padded = [0; 256];
                let all = (len + 1 + length_len).next_multiple_of(block);
                assert_eq!(all, whole + end);
                let field = length(len as u64, family.is_big_endian(), length_len);
                pad(&mut padded[..all], &bytes[..len], field);
                assert_eq!(padded[..all], expected[..all], "{family:?}, {len} bytes");
            }
        }
    }
}
