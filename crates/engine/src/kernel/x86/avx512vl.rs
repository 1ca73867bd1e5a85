//! AVX-512 in 256-bit registers (AVX-512VL): eight lanes of 32 bits, four of 64, with AVX-512's
//! rotates and three-input logic. A core with 256-bit vector units executes three of these
//! instructions in the time of two 512-bit ones.

use core::arch::asm;

use super::avx2::{rows, transpose32, transpose64};
use super::avx512::{padded_rows, short_rows};
use super::isa::*;
use super::padded::opaque_index;
use crate::kernel::vector::kernel::lane_kernel;
use crate::kernel::vector::masked::Masked;
use crate::kernel::vector::simd::simd_word;

simd_word! {
    /// Eight lanes of 32 bits.
    Avx512vlx8(__m256i): 8 of u32 as i32 {
        load: _mm256_loadu_si256, store: _mm256_storeu_si256, splat: _mm256_set1_epi32,
        add: _mm256_add_epi32, sub: _mm256_sub_epi32, and: _mm256_and_si256, xor: _mm256_xor_si256,
        rotr: |x, n: u32| _mm256_rorv_epi32(x, _mm256_set1_epi32(n as i32)),
        shr: |x, n: u32| _mm256_srl_epi32(x, _mm_cvtsi32_si128(n as i32)),
        transpose: |data, offset, big_endian| {
            transpose32([rows(data, offset), rows(data, offset + 32)], big_endian)
        },
        pin: pin, short: true,
        ch: _mm256_ternarylogic_epi64::<0xca>,
        maj: _mm256_ternarylogic_epi64::<0xe8>,
        xor3: _mm256_ternarylogic_epi64::<0x96>,
    }
}

simd_word! {
    /// Four lanes of 64 bits.
    Avx512vlx4(__m256i): 4 of u64 as i64 {
        load: _mm256_loadu_si256, store: _mm256_storeu_si256, splat: _mm256_set1_epi64x,
        add: _mm256_add_epi64, sub: _mm256_sub_epi64, and: _mm256_and_si256, xor: _mm256_xor_si256,
        rotr: |x, n: u32| _mm256_rorv_epi64(x, _mm256_set1_epi64x(n.into())),
        shr: |x, n: u32| _mm256_srl_epi64(x, _mm_cvtsi32_si128(n as i32)),
        transpose: |data, offset, big_endian| {
            let quarter = |i: usize| rows(data, offset + 32 * i);
            transpose64([quarter(0), quarter(1), quarter(2), quarter(3)], big_endian)
        },
        pin: pin, short: true,
        ch: _mm256_ternarylogic_epi64::<0xca>,
        maj: _mm256_ternarylogic_epi64::<0xe8>,
        xor3: _mm256_ternarylogic_epi64::<0x96>,
    }
}

impl Masked for Avx512vlx8 {
    #[inline(always)]
    unsafe fn load_tail(
        data: &[&[u8]],
        offset: usize,
        alike: bool,
        big_endian: bool,
    ) -> [Self; 16] {
        // Opaque to the compiler, which would otherwise count down each lane's remaining bytes
        // separately, block by block.
        let offset = opaque_index(offset);
        // SAFETY: the caller guarantees the features and a slice per lane.
        Self::words(unsafe { transpose32(halves(padded_rows(data, offset, alike)), big_endian) })
    }

    #[inline(always)]
    unsafe fn load_short(data: &[&[u8]], big_endian: bool) -> [Self; 16] {
        // SAFETY: the caller guarantees the features and short slices.
        Self::words(unsafe { transpose32(halves(short_rows::<8, 1, 0>(data)), big_endian) })
    }

    #[inline(always)]
    unsafe fn bit_lengths(data: &[&[u8]], before: u64) -> Self {
        // SAFETY: the caller guarantees the features and a slice per lane.
        Self(unsafe {
            let (first, second) = data.split_at_unchecked(4);
            let low = _mm256_cvtepi64_epi32(bit_lengths64(first, before));
            let high = _mm256_cvtepi64_epi32(bit_lengths64(second, before));
            _mm256_set_m128i(high, low)
        })
    }

    #[inline(always)]
    unsafe fn write(words: [Self; 8], big_endian: bool, out: *mut u8, row_len: usize) {
        let [a, b, c, d, e, f, g, h] = words;
        let rows = [a.0, b.0, c.0, d.0, e.0, f.0, g.0, h.0];
        // SAFETY: a word exists only on a CPU with its features; the caller guarantees the places.
        unsafe {
            // The transpose is its own inverse, with as many lanes as words.
            let lanes = transpose32([rows, rows], big_endian);
            let mut l = 0;
            while l < 8 {
                _mm256_storeu_si256(out.add(l * row_len).cast(), lanes[l]);
                l += 1;
            }
        }
    }

    #[inline(always)]
    fn select(lanes: u32, yes: Self, no: Self) -> Self {
        // SAFETY: a word exists only on a CPU with its features.
        Self(unsafe { _mm256_mask_mov_epi32(no.0, lanes as u8, yes.0) })
    }
}

impl Masked for Avx512vlx4 {
    #[inline(always)]
    unsafe fn load_tail(
        data: &[&[u8]],
        offset: usize,
        alike: bool,
        big_endian: bool,
    ) -> [Self; 16] {
        // SAFETY: the caller guarantees the features and a slice per lane.
        Self::words(unsafe {
            let [a, b] = halves(padded_rows(data, offset, alike));
            let [c, d] = halves(padded_rows(data, offset + 64, alike));
            transpose64([a, b, c, d], big_endian)
        })
    }

    #[inline(always)]
    unsafe fn load_short(data: &[&[u8]], big_endian: bool) -> [Self; 16] {
        // SAFETY: the caller guarantees the features and short slices.
        Self::words(unsafe {
            let [a, b] = halves(short_rows::<4, 2, 0>(data));
            let [c, d] = halves(short_rows::<4, 2, 1>(data));
            transpose64([a, b, c, d], big_endian)
        })
    }

    #[inline(always)]
    unsafe fn bit_lengths(data: &[&[u8]], before: u64) -> Self {
        // SAFETY: the caller guarantees the features and a slice per lane.
        Self(unsafe { bit_lengths64(data, before) })
    }

    #[inline(always)]
    unsafe fn write(words: [Self; 8], big_endian: bool, out: *mut u8, row_len: usize) {
        let [a, b, c, d, e, f, g, h] = words;
        // SAFETY: a word exists only on a CPU with its features; the caller guarantees the places.
        unsafe {
            let (front, back) = ([a.0, b.0, c.0, d.0], [e.0, f.0, g.0, h.0]);
            let lanes = transpose64([front, back, front, back], big_endian);
            let mut l = 0;
            while l < 4 {
                let to = out.add(l * row_len).cast::<__m256i>();
                _mm256_storeu_si256(to, lanes[l]);
                _mm256_storeu_si256(to.add(1), lanes[4 + l]);
                l += 1;
            }
        }
    }

    #[inline(always)]
    fn select(lanes: u32, yes: Self, no: Self) -> Self {
        // SAFETY: a word exists only on a CPU with its features.
        Self(unsafe { _mm256_mask_mov_epi64(no.0, lanes as u8, yes.0) })
    }
}

/// Returns the low words of the lengths of four messages in bits. `before` bytes of each message precede its slice.
///
/// # Safety
///
/// `data` has four slices.
#[target_feature(enable = "avx512f,avx512vl")]
#[inline]
unsafe fn bit_lengths64(data: &[&[u8]], before: u64) -> __m256i {
    // SAFETY: the caller guarantees the slices.
    unsafe {
        let (first, second) = data.split_at_unchecked(2);
        let [first, second] = [first.as_ptr().cast(), second.as_ptr().cast()];
        let [first, second] = [_mm256_loadu_si256(first), _mm256_loadu_si256(second)];
        let lens = _mm256_permutex2var_epi64(first, _mm256_set_epi64x(7, 5, 3, 1), second);
        _mm256_slli_epi64::<3>(_mm256_add_epi64(lens, _mm256_set1_epi64x(before as i64)))
    }
}

lane_kernel!(
    AVX512_VL_X8 = avx512_vl_x8,
    Avx512,
    features = ["avx512f", "avx512bw", "avx512vl", "avx2", "bmi2"],
    tails = masked,
    W32 as Avx512vlx8 { sha1: sha1::Sha1, sha256: sha2::Sha256 },
);
lane_kernel!(
    AVX512_VL_X4 = avx512_vl_x4,
    Avx512,
    features = ["avx512f", "avx512bw", "avx512vl", "avx2", "bmi2"],
    tails = masked,
    W64 as Avx512vlx4,
);

#[target_feature(enable = "avx512f,avx512vl")]
#[inline]
fn pin(mut x: __m256i) -> __m256i {
    // SAFETY: the assembly is empty.
    unsafe { asm!("/* {0} */", inout(ymm_reg) x, options(pure, nomem, nostack, preserves_flags)) };
    x
}

/// Splits each row into its first and last 32 bytes.
#[target_feature(enable = "avx512f")]
#[inline]
fn halves<const LANES: usize>(rows: [__m512i; LANES]) -> [[__m256i; LANES]; 2] {
    let mut halves = [[_mm256_setzero_si256(); LANES]; 2];
    let mut l = 0;
    while l < LANES {
        halves[0][l] = _mm512_castsi512_si256(rows[l]);
        halves[1][l] = _mm512_extracti64x4_epi64::<1>(rows[l]);
        l += 1;
    }
    halves
}
