//! The table of all kernels.

#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
use super::aarch64;
use super::entry::Entry;
#[cfg(test)]
use super::planted;
use super::portable;
#[cfg(any(
    test,
    not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))
))]
use super::vector;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use super::x86;

/// All kernels, widest first. An array rather than a slice: the optimizer refers to a slice's
/// elements directly and drops the slice, and with it the symbol by which the prover finds the
/// table.
pub(super) static KERNELS: [&Entry; KERNEL_COUNT] = match ALL.first_chunk() {
    Some(all) => *all,
    None => unreachable!(),
};

/// A new kernel needs a line here; the checklist in CONTRIBUTING.md has the other steps.
pub(super) const ALL: &[&Entry] = &[
    #[cfg(test)]
    &planted::X32,
    #[cfg(target_arch = "x86_64")]
    &x86::AVX512_2X16,
    #[cfg(test)]
    &planted::X16,
    #[cfg(target_arch = "x86_64")]
    &x86::AVX512_2X8,
    #[cfg(target_arch = "x86_64")]
    &x86::AVX512_X16,
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    &x86::AVX2_2X8,
    #[cfg(test)]
    &planted::X8,
    #[cfg(target_arch = "x86_64")]
    &x86::AVX512_X8,
    #[cfg(target_arch = "x86_64")]
    &x86::AVX512_VL_X8,
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    &x86::AVX2_X8,
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    &x86::AVX2_2X4,
    #[cfg(test)]
    &planted::X4,
    #[cfg(target_arch = "x86_64")]
    &x86::AVX512_VL_X4,
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    &x86::AVX2_X4,
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    &x86::SSE2_X4,
    #[cfg(target_arch = "x86_64")]
    &x86::SHA_NI_VL_X4,
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    &x86::SHA_NI_X4,
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    &aarch64::NEON_X4,
    #[cfg(any(
        test,
        not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))
    ))]
    &vector::PORTABLE_X4,
    #[cfg(test)]
    &planted::X2,
    #[cfg(target_arch = "x86_64")]
    &x86::SHA_NI_VL_X2,
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    &x86::SHA_NI_X2,
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    &x86::SSE2_X2,
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    &aarch64::SHA_CE_X2,
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    &aarch64::NEON_X2,
    #[cfg(any(
        test,
        not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))
    ))]
    &vector::PORTABLE_X2,
    #[cfg(test)]
    &planted::X1,
    #[cfg(target_arch = "x86_64")]
    &x86::SHA_NI_VL_X1,
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    &x86::SHA_NI_X1,
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    &x86::SHA512_NI_X1,
    #[cfg(target_arch = "x86_64")]
    &x86::AVX512_X1,
    #[cfg(target_arch = "x86_64")]
    &x86::AVX2_X1,
    #[cfg(target_arch = "x86_64")]
    &x86::AVX_X1,
    #[cfg(target_arch = "x86_64")]
    &x86::SSSE3_X1,
    #[cfg(target_arch = "x86_64")]
    &x86::SSE2_X1,
    #[cfg(all(target_arch = "x86_64", not(any(windows, miri))))]
    &x86::BMI2_ASM_X1,
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    &x86::BMI2_X1,
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    &aarch64::SHA_CE_X1,
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    &aarch64::SHA512_CE_X1,
    &portable::PORTABLE_X1,
];

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::ASSEMBLY;

/// No function is assembly.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) static ASSEMBLY: &[super::Assembly] = &[];

/// The number of kernels, whether this CPU supports them or not.
pub(crate) const KERNEL_COUNT: usize = ALL.len();
