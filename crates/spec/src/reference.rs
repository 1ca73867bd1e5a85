//! The specification interpreted with plain numbers. All other interpretations are tested against
//! it.

use crate::sha2::IV512;
use crate::{Algorithm, Compression, Family, Int, MAX_BLOCK, compress, pad};

/// A digest in its first [`Algorithm::digest_len`] bytes.
pub type DigestBytes = [u8; 64];

/// Hashes a whole message. The digest is in the first [`Algorithm::digest_len`] bytes.
///
/// This is the reference implementation: simple, and as slow as a scalar kernel.
pub fn digest(algorithm: Algorithm, message: &[u8]) -> DigestBytes {
    let family = algorithm.family();
    let mut state = algorithm.iv();
    let blocks = message.chunks_exact(family.block_len());
    let rest = blocks.remainder();
    blocks.for_each(|block| compress(family, &mut state, block));

    let mut tail = [0; 2 * MAX_BLOCK];
    tail[..rest.len()].copy_from_slice(rest);
    let padded = pad(family, &mut tail, rest.len(), message.len() as u64);
    tail[..padded]
        .chunks_exact(family.block_len())
        .for_each(|block| compress(family, &mut state, block));

    let mut bytes = [0; 64];
    let word_len = family.word_bits() as usize / 8;
    for (to, word) in bytes.chunks_exact_mut(word_len).zip(state) {
        if family.is_big_endian() {
            to.copy_from_slice(&word.to_be_bytes()[8 - word_len..]);
        } else {
            to.copy_from_slice(&word.to_le_bytes()[..word_len]);
        }
    }
    bytes[algorithm.digest_len()..].fill(0);
    bytes
}

pub(crate) fn compress_as<C: Compression<N>, const N: usize>(state: &mut [u64; 8], block: &[u8]) {
    assert_eq!(block.len(), 16 * C::Int::BYTES, "a block of sixteen words");
    let w = core::array::from_fn(|t| {
        let value = C::Int::from_be_bytes(&block[t * C::Int::BYTES..][..C::Int::BYTES]);
        <C::Int as Int>::Number::from(if C::BIG_ENDIAN { value } else { value.swap_bytes() })
    });
    let h = core::array::from_fn(|i| C::Int::truncate(state[i]).into());
    let new = C::compress(h, w);
    state.iter_mut().zip(new).for_each(|(to, word)| *to = word.into().widen());
}

/// Computes the initial hash value of SHA-512/t, FIPS 180-4 §5.3.6. `t` is in bits.
///
/// # Panics
///
/// If `t` is not between 1 and 511, or is 384.
pub fn sha512_t_iv(t: u32) -> [u64; 8] {
    assert!(0 < t && t < 512 && t != 384, "FIPS 180-4 §5.3.6: 0 < t < 512, and t is not 384");
    let mut state = IV512.map(|word| word ^ 0xa5a5_a5a5_a5a5_a5a5);
    let mut tail = [0; 2 * MAX_BLOCK];
    tail[..8].copy_from_slice(b"SHA-512/");
    let mut len = 8;
    for unit in [100, 10, 1] {
        if t >= unit {
            tail[len] = b'0' + (t / unit % 10) as u8;
            len += 1;
        }
    }
    let padded = pad(Family::Sha512, &mut tail, len, len as u64);
    compress(Family::Sha512, &mut state, &tail[..padded]);
    state
}
