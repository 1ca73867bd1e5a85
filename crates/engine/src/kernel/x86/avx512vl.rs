//! AVX-512 in registers of 256 bits (AVX-512VL): eight lanes of 32 bits, four of 64. They have its
//! rotates and its functions of three inputs. A core whose vector units are of 256 bits does three
//! of these in the time of two of 512 bits.

use core::arch::asm;

use super::avx2::{rows, transpose32, transpose64};
use super::isa::*;
use crate::kernel::vector::kernel::lane_kernel;
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

lane_kernel!(
    AVX512_VL_X8 = avx512_vl_x8,
    Avx512,
    features = ["avx512f", "avx512vl", "avx2"],
    tails = copied,
    W32 as Avx512vlx8 { sha1: sha1::Sha1, sha256: sha2::Sha256 },
);
lane_kernel!(
    AVX512_VL_X4 = avx512_vl_x4,
    Avx512,
    features = ["avx512f", "avx512vl", "avx2"],
    tails = copied,
    W64 as Avx512vlx4,
);

#[target_feature(enable = "avx512f,avx512vl")]
#[inline]
fn pin(mut x: __m256i) -> __m256i {
    // SAFETY: no instruction at all.
    unsafe { asm!("/* {0} */", inout(ymm_reg) x, options(pure, nomem, nostack, preserves_flags)) };
    x
}
