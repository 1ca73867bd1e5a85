//! Conversion between words and the bytes of messages and digests.

use lanesum_spec::{Family, Int};

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
        store_16(to, number);
    }
    bytes
}

/// Writes `value` in little-endian order with a single store on x86-64. A sixteen-byte load right after
/// separate stores could not be forwarded, and would wait until they have reached the cache.
#[inline(always)]
pub(super) fn store_16(to: &mut [u8; 16], value: u128) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use core::arch::x86_64::{_mm_set_epi64x, _mm_storeu_si128};
        // SAFETY: every x86-64 CPU has SSE2, and `to` is sixteen bytes. The empty assembly forces the value
        // into the register; otherwise the compiler stores the halves separately.
        unsafe {
            let mut register = _mm_set_epi64x((value >> 64) as i64, value as i64);
            core::arch::asm!("/* {0} */", inout(xmm_reg) register,
                options(pure, nomem, nostack, preserves_flags));
            _mm_storeu_si128(to.as_mut_ptr().cast(), register);
        }
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    {
        *to = value.to_le_bytes();
    }
}
