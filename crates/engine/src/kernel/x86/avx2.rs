//! AVX2: eight lanes of 32 bits, four of 64, and pairs of either.

use core::arch::asm;

use super::isa::*;
use crate::kernel::vector::kernel::lane_kernel;
use crate::kernel::vector::pair::Pair;
use crate::kernel::vector::simd::{at, simd_word};

simd_word! {
    /// Eight lanes of 32 bits.
    Avx2x8(__m256i): 8 of u32 as i32 {
        load: _mm256_loadu_si256, store: _mm256_storeu_si256, splat: _mm256_set1_epi32,
        add: _mm256_add_epi32, sub: _mm256_sub_epi32, and: _mm256_and_si256, xor: _mm256_xor_si256,
        rotr: |x, n: u32| _mm256_or_si256(shr32(x, n), shl32(x, 32 - n)),
        shr: shr32,
        transpose: |data, offset, big_endian| {
            transpose32([rows(data, offset), rows(data, offset + 32)], big_endian)
        },
        pin: pin, short: false,
    }
}

simd_word! {
    /// Four lanes of 64 bits.
    Avx2x4(__m256i): 4 of u64 as i64 {
        load: _mm256_loadu_si256, store: _mm256_storeu_si256, splat: _mm256_set1_epi64x,
        add: _mm256_add_epi64, sub: _mm256_sub_epi64, and: _mm256_and_si256, xor: _mm256_xor_si256,
        rotr: |x, n: u32| _mm256_or_si256(shr64(x, n), shl64(x, 64 - n)),
        shr: shr64,
        transpose: |data, offset, big_endian| {
            let quarter = |i: usize| rows(data, offset + 32 * i);
            transpose64([quarter(0), quarter(1), quarter(2), quarter(3)], big_endian)
        },
        pin: pin, short: false,
    }
}

lane_kernel!(AVX2_X8 = avx2_x8, Avx2, features = ["avx2"], tails = copied, W32 as Avx2x8);
lane_kernel!(AVX2_X4 = avx2_x4, Avx2, features = ["avx2"], tails = copied, W64 as Avx2x4);
// SHA-1 and SHA-512 leave registers for a second group; SHA-256 does not.
lane_kernel!(AVX2_2X8 = avx2_2x8, Avx2, features = ["avx2"], tails = copied,
    W32 as Pair<Avx2x8> { sha1: sha1::Sha1, #[cfg(feature = "compat")] md5: md5::Md5 },
);
lane_kernel!(AVX2_2X4 = avx2_2x4, Avx2, features = ["avx2"], tails = copied, W64 as Pair<Avx2x4>);

#[target_feature(enable = "avx2")]
#[inline]
fn pin(mut x: __m256i) -> __m256i {
    // SAFETY: the assembly is empty.
    unsafe { asm!("/* {0} */", inout(ymm_reg) x, options(pure, nomem, nostack, preserves_flags)) };
    x
}

// Shifts by a count in a register, which compilers turn into immediate shifts. The immediate forms
// need a constant, which `32 - n` cannot be.

#[target_feature(enable = "avx2")]
#[inline]
fn shr32(x: __m256i, n: u32) -> __m256i {
    _mm256_srl_epi32(x, _mm_cvtsi32_si128(n as i32))
}

#[target_feature(enable = "avx2")]
#[inline]
fn shl32(x: __m256i, n: u32) -> __m256i {
    _mm256_sll_epi32(x, _mm_cvtsi32_si128(n as i32))
}

#[target_feature(enable = "avx2")]
#[inline]
fn shr64(x: __m256i, n: u32) -> __m256i {
    _mm256_srl_epi64(x, _mm_cvtsi32_si128(n as i32))
}

#[target_feature(enable = "avx2")]
#[inline]
fn shl64(x: __m256i, n: u32) -> __m256i {
    _mm256_sll_epi64(x, _mm_cvtsi32_si128(n as i32))
}

/// Reverses the bytes of each word.
#[target_feature(enable = "avx2")]
#[inline]
fn swap_bytes<const WORD: usize>(x: __m256i) -> __m256i {
    let order = if WORD == 4 {
        _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3)
    } else {
        _mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7)
    };
    _mm256_shuffle_epi8(x, _mm256_broadcastsi128_si256(order))
}

/// Loads 32 bytes at `offset` of each lane.
///
/// # Safety
///
/// `data` has a slice for each lane, with at least 32 bytes at `offset`.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) unsafe fn rows<const LANES: usize>(data: &[&[u8]], offset: usize) -> [__m256i; LANES] {
    let mut r = [_mm256_setzero_si256(); LANES];
    let mut l = 0;
    while l < LANES {
        // SAFETY: the caller guarantees the bytes.
        r[l] = unsafe { _mm256_loadu_si256(at(data, l, offset).cast()) };
        l += 1;
    }
    r
}

/// Transposes blocks of eight lanes, in halves of 32 bytes, into sixteen words of eight lanes.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn transpose32(halves: [[__m256i; 8]; 2], big_endian: bool) -> [__m256i; 16] {
    let mut w = [_mm256_setzero_si256(); 16];
    let mut half = 0;
    while half < 2 {
        let mut r = halves[half];
        if big_endian {
            let mut l = 0;
            while l < 8 {
                r[l] = swap_bytes::<4>(r[l]);
                l += 1;
            }
        }
        // In each half h of a register: words 4h + i of four lanes, i = 0 … 3.
        let mut q = [_mm256_setzero_si256(); 8];
        let mut g = 0;
        while g < 8 {
            let ab_lo = _mm256_unpacklo_epi32(r[g], r[g + 1]);
            let ab_hi = _mm256_unpackhi_epi32(r[g], r[g + 1]);
            let cd_lo = _mm256_unpacklo_epi32(r[g + 2], r[g + 3]);
            let cd_hi = _mm256_unpackhi_epi32(r[g + 2], r[g + 3]);
            q[g] = _mm256_unpacklo_epi64(ab_lo, cd_lo);
            q[g + 1] = _mm256_unpackhi_epi64(ab_lo, cd_lo);
            q[g + 2] = _mm256_unpacklo_epi64(ab_hi, cd_hi);
            q[g + 3] = _mm256_unpackhi_epi64(ab_hi, cd_hi);
            g += 4;
        }
        let mut i = 0;
        while i < 4 {
            w[8 * half + i] = _mm256_permute2x128_si256::<0x20>(q[i], q[4 + i]);
            w[8 * half + 4 + i] = _mm256_permute2x128_si256::<0x31>(q[i], q[4 + i]);
            i += 1;
        }
        half += 1;
    }
    w
}

/// Transposes blocks of four lanes, in quarters of 32 bytes, into sixteen words of four lanes.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn transpose64(quarters: [[__m256i; 4]; 4], big_endian: bool) -> [__m256i; 16] {
    let mut w = [_mm256_setzero_si256(); 16];
    let mut quarter = 0;
    while quarter < 4 {
        let mut r = quarters[quarter];
        if big_endian {
            let mut l = 0;
            while l < 4 {
                r[l] = swap_bytes::<8>(r[l]);
                l += 1;
            }
        }
        // In each half h of a register: words 2h or 2h + 1 of two lanes.
        let even0 = _mm256_unpacklo_epi64(r[0], r[1]);
        let odd0 = _mm256_unpackhi_epi64(r[0], r[1]);
        let even2 = _mm256_unpacklo_epi64(r[2], r[3]);
        let odd2 = _mm256_unpackhi_epi64(r[2], r[3]);
        w[4 * quarter] = _mm256_permute2x128_si256::<0x20>(even0, even2);
        w[4 * quarter + 1] = _mm256_permute2x128_si256::<0x20>(odd0, odd2);
        w[4 * quarter + 2] = _mm256_permute2x128_si256::<0x31>(even0, even2);
        w[4 * quarter + 3] = _mm256_permute2x128_si256::<0x31>(odd0, odd2);
        quarter += 1;
    }
    w
}
