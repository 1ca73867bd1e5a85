//! Detects x86 CPU features with CPUID, for builds without `std`.

use core::sync::atomic::{AtomicU32, Ordering};

use super::same;

#[cfg(target_arch = "x86")]
use core::arch::x86 as isa;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64 as isa;

/// Registers of CPUID's leaves. Leaf 7 has subleaves 0 and 1.
#[derive(Clone, Copy)]
enum Register {
    Ecx1,
    Edx1,
    Ebx7,
    Eax7Sub1,
}

/// SSE and AVX registers, as bits of XCR0: the operating system saves them on a context switch.
const AVX: u64 = 0b110;
/// AVX registers, masks and both halves of the AVX-512 registers.
const AVX512: u64 = 0b1110_0110;

/// Each feature that kernels use: its name, its register and bit in CPUID, and the XCR0 bits that it requires.
const FEATURES: [(&str, Register, u32, u64); 12] = [
    ("sse2", Register::Edx1, 26, 0),
    ("ssse3", Register::Ecx1, 9, 0),
    ("sse4.1", Register::Ecx1, 19, 0),
    ("sha", Register::Ebx7, 29, 0),
    ("avx", Register::Ecx1, 28, AVX),
    ("avx2", Register::Ebx7, 5, AVX),
    ("sha512", Register::Eax7Sub1, 0, AVX),
    ("avx512f", Register::Ebx7, 16, AVX512),
    ("avx512bw", Register::Ebx7, 30, AVX512),
    ("avx512vl", Register::Ebx7, 31, AVX512),
    ("bmi1", Register::Ebx7, 3, 0),
    ("bmi2", Register::Ebx7, 8, 0),
];

/// The bit in ECX of leaf 1 that reports that the operating system enables XGETBV.
const OSXSAVE: u32 = 27;

/// Returns the bit of `feature` in the result of [`detected`].
///
/// # Panics
///
/// Panics if `feature` is not in [`FEATURES`].
pub(crate) const fn bit(feature: &str) -> u32 {
    let mut i = 0;
    while !same(FEATURES[i].0, feature) {
        i += 1;
    }
    1 << i
}

/// Returns the bits of the features that the CPU and the operating system support, detected once.
pub(crate) fn detected() -> u32 {
    /// The bit past the features; 0: not yet detected.
    const KNOWN: u32 = 1 << FEATURES.len();
    static DETECTED: AtomicU32 = AtomicU32::new(0);
    let known = DETECTED.load(Ordering::Relaxed);
    if known != 0 {
        return known;
    }
    let found = detect() | KNOWN;
    DETECTED.store(found, Ordering::Relaxed);
    found
}

fn detect() -> u32 {
    // Enclaves may not execute CPUID, and Miri does not support it. A target without SSE2 uses soft floats, as an
    // operating system kernel does because vector registers belong to other programs.
    if cfg!(any(miri, target_env = "sgx")) || !cfg!(target_feature = "sse2") {
        return 0;
    }
    let most = isa::__cpuid(0).eax;
    let first = isa::__cpuid(1);
    let seventh = |subleaf| (most >= 7).then(|| isa::__cpuid_count(7, subleaf));
    let saved = match first.ecx >> OSXSAVE & 1 {
        // SAFETY: OSXSAVE is set, so the operating system has enabled XGETBV.
        1 => unsafe { saved_registers() },
        _ => 0,
    };
    let seven = seventh(0);
    let register = |register| match register {
        Register::Ecx1 => first.ecx,
        Register::Edx1 => first.edx,
        Register::Ebx7 => seven.map_or(0, |leaf| leaf.ebx),
        // EAX of subleaf 0 is the highest subleaf.
        Register::Eax7Sub1 => match seven {
            Some(leaf) if leaf.eax >= 1 => seventh(1).map_or(0, |leaf| leaf.eax),
            _ => 0,
        },
    };
    FEATURES.iter().enumerate().fold(0, |found, (i, &(_, of, bit, needs))| {
        let has = register(of) >> bit & 1 == 1 && saved & needs == needs;
        found | u32::from(has) << i
    })
}

/// Returns XCR0: the registers that the operating system saves.
///
/// # Safety
///
/// The operating system must have enabled XGETBV.
#[target_feature(enable = "xsave")]
unsafe fn saved_registers() -> u64 {
    // SAFETY: the caller guarantees that XGETBV is enabled.
    unsafe { isa::_xgetbv(0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(not(miri))]
    fn cpuid_detects_the_features_that_std_detects() {
        macro_rules! compare {
            ($($feature:tt)*) => {{
                $(
                    let has = detected() & bit($feature) != 0;
                    assert_eq!(has, std::arch::is_x86_feature_detected!($feature), $feature);
                )*
                [$($feature),*]
            }};
        }
        let compared = compare!("sse2" "ssse3" "sse4.1" "sha" "avx" "avx2" "sha512" "avx512f" "avx512bw"
            "avx512vl" "bmi1" "bmi2");
        assert_eq!(compared, FEATURES.map(|(name, ..)| name));
    }
}
