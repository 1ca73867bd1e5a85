//! CPU features, by their `target_feature` names.

/// Whether the CPU has all listed features.
macro_rules! supported {
    ([$($feature:tt),*]) => {
        true $(&& $crate::base::has!($feature))*
    };
}
pub(crate) use supported;

/// Whether the CPU has a feature. Detected by `std`, or without it by `cpuid` on x86; elsewhere only the features of
/// the compiler's target count. Always false in Miri, which cannot execute `asm!`.
#[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! has {
    ($feature:tt) => {{
        #[cfg(all(feature = "std", target_arch = "aarch64"))]
        let has = std::arch::is_aarch64_feature_detected!($feature);
        #[cfg(all(feature = "std", not(target_arch = "aarch64")))]
        let has = std::arch::is_x86_feature_detected!($feature);
        #[cfg(all(not(feature = "std"), target_arch = "aarch64"))]
        let has = cfg!(target_feature = $feature);
        #[cfg(all(not(feature = "std"), not(target_arch = "aarch64")))]
        let has = cfg!(target_feature = $feature) || {
            use $crate::base::cpuid;
            cpuid::detected() & const { cpuid::bit($feature) } != 0
        };
        has && !cfg!(miri)
    }};
}
#[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) use has;
