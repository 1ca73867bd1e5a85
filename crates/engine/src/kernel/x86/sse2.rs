//! SSE2, which every x86-64 has: four lanes of 32 bits, two of 64.

use core::arch::asm;

use super::isa::*;
use crate::kernel::vector::kernel::lane_kernel;
use crate::kernel::vector::simd::{at, simd_word};

simd_word! {
    /// Four lanes of 32 bits.
    Sse2x4(__m128i): 4 of u32 as i32 {
        load: _mm_loadu_si128, store: _mm_storeu_si128, splat: _mm_set1_epi32,
        add: _mm_add_epi32, sub: _mm_sub_epi32, and: _mm_and_si128, xor: _mm_xor_si128,
        rotr: |x, n: u32| _mm_or_si128(shr32(x, n), shl32(x, 32 - n)),
        shr: shr32,
        transpose: transpose32,
        pin: pin, short: false,
    }
}

simd_word! {
    /// Two lanes of 64 bits.
    Sse2x2(__m128i): 2 of u64 as i64 {
        load: _mm_loadu_si128, store: _mm_storeu_si128, splat: _mm_set1_epi64x,
        add: _mm_add_epi64, sub: _mm_sub_epi64, and: _mm_and_si128, xor: _mm_xor_si128,
        rotr: |x, n: u32| _mm_or_si128(shr64(x, n), shl64(x, 64 - n)),
        shr: shr64,
        transpose: transpose64,
        pin: pin, short: false,
    }
}

lane_kernel!(SSE2_X4 = sse2_x4, Sse2, features = ["sse2"], tails = copied, W32 as Sse2x4);
lane_kernel!(SSE2_X2 = sse2_x2, Sse2, features = ["sse2"], tails = copied, W64 as Sse2x2);

#[target_feature(enable = "sse2")]
#[inline]
fn pin(mut x: __m128i) -> __m128i {
    // SAFETY: the assembly is empty.
    unsafe { asm!("/* {0} */", inout(xmm_reg) x, options(pure, nomem, nostack, preserves_flags)) };
    x
}

// Shifts by a count in a register, which compilers turn into immediate shifts. The immediate forms
// need a constant, which `32 - n` cannot be.

#[target_feature(enable = "sse2")]
#[inline]
fn shr32(x: __m128i, n: u32) -> __m128i {
    _mm_srl_epi32(x, _mm_cvtsi32_si128(n as i32))
}

#[target_feature(enable = "sse2")]
#[inline]
fn shl32(x: __m128i, n: u32) -> __m128i {
    _mm_sll_epi32(x, _mm_cvtsi32_si128(n as i32))
}

#[target_feature(enable = "sse2")]
#[inline]
fn shr64(x: __m128i, n: u32) -> __m128i {
    _mm_srl_epi64(x, _mm_cvtsi32_si128(n as i32))
}

#[target_feature(enable = "sse2")]
#[inline]
fn shl64(x: __m128i, n: u32) -> __m128i {
    _mm_sll_epi64(x, _mm_cvtsi32_si128(n as i32))
}

/// Reverses the bytes of each word. SSE2 has no byte shuffle: swap bytes in each half-word, then
/// half-words in each word.
#[target_feature(enable = "sse2")]
#[inline]
fn swap_bytes<const WORD: usize>(x: __m128i) -> __m128i {
    let halves = _mm_or_si128(_mm_slli_epi16::<8>(x), _mm_srli_epi16::<8>(x));
    if WORD == 4 {
        _mm_shufflehi_epi16::<0b10_11_00_01>(_mm_shufflelo_epi16::<0b10_11_00_01>(halves))
    } else {
        _mm_shufflehi_epi16::<0b00_01_10_11>(_mm_shufflelo_epi16::<0b00_01_10_11>(halves))
    }
}

/// Loads 16 bytes at `offset` of each of `LANES` lanes, as words of `WORD` bytes.
#[target_feature(enable = "sse2")]
#[inline]
unsafe fn rows<const LANES: usize, const WORD: usize>(
    data: &[&[u8]],
    offset: usize,
    big_endian: bool,
) -> [__m128i; LANES] {
    let mut r = [_mm_setzero_si128(); LANES];
    let mut l = 0;
    while l < LANES {
        // SAFETY: the caller guarantees a block in each lane.
        r[l] = unsafe { _mm_loadu_si128(at(data, l, offset).cast()) };
        if big_endian {
            r[l] = swap_bytes::<WORD>(r[l]);
        }
        l += 1;
    }
    r
}

/// Transposes the 64-byte blocks of four lanes into sixteen words of four lanes.
#[target_feature(enable = "sse2")]
#[inline]
unsafe fn transpose32(data: &[&[u8]], offset: usize, big_endian: bool) -> [__m128i; 16] {
    let mut w = [_mm_setzero_si128(); 16];
    let mut t = 0;
    while t < 16 {
        // SAFETY: the caller guarantees a block in each lane.
        let r = unsafe { rows::<4, 4>(data, offset + 4 * t, big_endian) };
        let ab_lo = _mm_unpacklo_epi32(r[0], r[1]);
        let ab_hi = _mm_unpackhi_epi32(r[0], r[1]);
        let cd_lo = _mm_unpacklo_epi32(r[2], r[3]);
        let cd_hi = _mm_unpackhi_epi32(r[2], r[3]);
        w[t] = _mm_unpacklo_epi64(ab_lo, cd_lo);
        w[t + 1] = _mm_unpackhi_epi64(ab_lo, cd_lo);
        w[t + 2] = _mm_unpacklo_epi64(ab_hi, cd_hi);
        w[t + 3] = _mm_unpackhi_epi64(ab_hi, cd_hi);
        t += 4;
    }
    w
}

/// Transposes the 128-byte blocks of two lanes into sixteen words of two lanes.
#[target_feature(enable = "sse2")]
#[inline]
unsafe fn transpose64(data: &[&[u8]], offset: usize, big_endian: bool) -> [__m128i; 16] {
    let mut w = [_mm_setzero_si128(); 16];
    let mut t = 0;
    while t < 16 {
        // SAFETY: the caller guarantees a block in each lane.
        let r = unsafe { rows::<2, 8>(data, offset + 8 * t, big_endian) };
        w[t] = _mm_unpacklo_epi64(r[0], r[1]);
        w[t + 1] = _mm_unpackhi_epi64(r[0], r[1]);
        t += 2;
    }
    w
}
