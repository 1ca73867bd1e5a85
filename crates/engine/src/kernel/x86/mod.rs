//! Kernels of x86, 32-bit and 64-bit.

mod avx2;
// 64-bit only: it has 32 vector registers, and a 64-byte mask fits in a general register.
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod avx512vl;
mod padded;
// The `.s` files have call frame information for ELF and Mach-O.
#[cfg(all(target_arch = "x86_64", not(any(windows, miri))))]
mod scalar;
mod sha512_ni;
mod sha_ni;
mod sse2;
// 64-bit assembly.
#[cfg(target_arch = "x86_64")]
mod stitched;
#[cfg(target_arch = "x86_64")]
mod text;

#[cfg(target_arch = "x86")]
use core::arch::x86 as isa;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64 as isa;

use lanesum_spec::{W32, W64};

#[cfg(target_arch = "x86_64")]
use super::Assembly;
use super::vector::kernel::lane_kernel;
#[cfg(all(target_arch = "x86_64", not(any(windows, miri))))]
pub(in crate::kernel) use text::lane_text;

pub(super) use avx2::{AVX2_2X4, AVX2_2X8, AVX2_X4, AVX2_X8};
#[cfg(target_arch = "x86_64")]
pub(super) use avx512::{AVX512_2X8, AVX512_2X16, AVX512_X8, AVX512_X16};
#[cfg(target_arch = "x86_64")]
pub(super) use avx512vl::{AVX512_VL_X4, AVX512_VL_X8};
#[cfg(all(target_arch = "x86_64", not(any(windows, miri))))]
pub(super) use scalar::BMI2_ASM_X1;
#[cfg(target_arch = "x86_64")]
pub(super) use sha_ni::{SHA_NI_VL_X1, SHA_NI_VL_X2, SHA_NI_VL_X4};
pub(super) use sha_ni::{SHA_NI_X1, SHA_NI_X2, SHA_NI_X4};
pub(super) use sha512_ni::SHA512_NI_X1;
pub(super) use sse2::{SSE2_X2, SSE2_X4};
#[cfg(target_arch = "x86_64")]
pub(super) use stitched::{AVX_X1, AVX2_X1, AVX512_X1, SSE2_X1, SSSE3_X1};

// The specification's own words, with non-destructive rotates.
lane_kernel!(BMI2_X1 = bmi2_x1, Bmi2, features = ["bmi1", "bmi2"], tails = copied,
    W32 as W32 { sha1: sha1::Sha1, sha256: sha2::Sha256 },
    W64 as W64 { sha512: sha2::Sha512 },
);

/// Every function that is assembly.
// A static instead of functions that list them: additional functions change how the compiler groups all functions into
// units, and then it inlines other calls in code that hashes.
#[cfg(target_arch = "x86_64")]
pub(crate) static ASSEMBLY: &[Assembly] = &[
    stitched::sse2_x1::sha1::ASSEMBLY,
    stitched::sse2_x1::sha256::ASSEMBLY,
    stitched::sse2_x1::sha512::ASSEMBLY,
    stitched::ssse3_x1::sha1::ASSEMBLY,
    stitched::ssse3_x1::sha256::ASSEMBLY,
    stitched::ssse3_x1::sha512::ASSEMBLY,
    stitched::avx_x1::sha1::ASSEMBLY,
    stitched::avx_x1::sha256::ASSEMBLY,
    stitched::avx_x1::sha512::ASSEMBLY,
    stitched::avx2_x1::sha1::ASSEMBLY,
    stitched::avx2_x1::sha256::ASSEMBLY,
    stitched::avx2_x1::sha512::ASSEMBLY,
    stitched::avx512_x1::sha1::ASSEMBLY,
    stitched::avx512_x1::sha256::ASSEMBLY,
    stitched::avx512_x1::sha512::ASSEMBLY,
    stitched::sha_ni_x1::sha1::ASSEMBLY,
    #[cfg(not(any(windows, miri)))]
    scalar::bmi2_asm_x1::sha1::compress::ASSEMBLY,
    #[cfg(not(any(windows, miri)))]
    scalar::bmi2_asm_x1::sha256::compress::ASSEMBLY,
    #[cfg(not(any(windows, miri)))]
    scalar::bmi2_asm_x1::sha512::compress::ASSEMBLY,
    #[cfg(not(any(windows, miri)))]
    avx2::avx2_x8::sha1::ASSEMBLY,
    #[cfg(not(any(windows, miri)))]
    avx2::avx2_x8::sha256::ASSEMBLY,
    #[cfg(not(any(windows, miri)))]
    avx2::avx2_x4::sha512::ASSEMBLY,
    #[cfg(not(any(windows, miri)))]
    avx512::avx512_x16::sha1::ASSEMBLY,
    #[cfg(not(any(windows, miri)))]
    avx512::avx512_x16::sha256::ASSEMBLY,
];
