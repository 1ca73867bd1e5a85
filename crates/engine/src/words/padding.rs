//! Pads the end of a message in a copy, written sixteen bytes at a time so that kernels' loads of that
//! size are forwarded.

use super::bytes::store_16;

/// Returns the last sixteen bytes of the padding of a message of `bytes` bytes, as a little-endian
/// number. Bytes before the length field are zero.
#[inline(always)]
fn length(bytes: u64, big_endian: bool, length_len: usize) -> u128 {
    let bits = u128::from(bytes) << 3;
    match (big_endian, length_len) {
        (true, 16) => bits.swap_bytes(),
        // FIPS 180-4 §5.1.1 and RFC 1321 §3.2 keep only the low 64 bits in a field of eight bytes.
        (true, _) => u128::from((bits as u64).swap_bytes()) << 64,
        (false, _) => u128::from(bits as u64) << 64,
    }
}

/// Returns the number of blocks of `block` bytes that the last `len` bytes of a message have with their
/// padding (FIPS 180-4 §5.1).
#[inline(always)]
pub(crate) fn padded_blocks(len: usize, block: usize) -> usize {
    (len + block / 8) / block + 1
}

/// Copies `from`, the last of a message's `bytes` bytes, to the front of `to`, which must be zeros,
/// and pads it. Returns the padded length, a multiple of `block`.
#[inline(always)]
pub fn pad(to: &mut [u8], from: &[u8], block: usize, big_endian: bool, bytes: u64) -> usize {
    let padded = padded_blocks(from.len(), block) * block;
    fill_padded(&mut to[..padded], from, block, big_endian, bytes);
    padded
}

/// Copies `from` to the front of `to`, as [`pad`] does; `to` must be as long as `from` with its padding.
/// Writes in units of sixteen bytes, without calling functions.
#[inline(always)]
pub(crate) fn fill_padded(to: &mut [u8], from: &[u8], block: usize, big_endian: bool, bytes: u64) {
    let length = length(bytes, big_endian, block / 8);
    let (pieces, _) = to.as_chunks_mut::<16>();
    let (whole, rest) = from.as_chunks::<16>();
    for (to, from) in pieces.iter_mut().zip(whole) {
        *to = *from;
    }
    let end = low_bytes(from, rest.len()) | 0x80 << (8 * rest.len());
    let last = pieces.len() - 1;
    if whole.len() < last {
        store_16(&mut pieces[whole.len()], end);
        store_16(&mut pieces[last], length);
    } else {
        store_16(&mut pieces[last], end | length);
    }
}

/// Returns the last `n` bytes of `from` as a little-endian number. `n` must be the length of `from` modulo 16.
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
        // One to three bytes: the first, the middle and the last.
        let place = |i: usize| u32::from(from[i]) << (8 * i);
        u128::from(place(0) | place(len / 2) | place(len - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanesum_spec::Family;

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
                let end = lanesum_spec::pad(family, &mut expected[whole..], rest, len as u64);
                let mut padded = [0; 256];
                let (from, big_endian) = (&bytes[..len], family.is_big_endian());
                let all = pad(&mut padded, from, block, big_endian, len as u64);
                assert_eq!(all, whole + end);
                assert_eq!(padded[..all], expected[..all], "{family:?}, {len} bytes");
            }
        }
    }
}
