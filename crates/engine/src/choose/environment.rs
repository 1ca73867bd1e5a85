//! The default policy.

#[cfg(feature = "std")]
use core::sync::atomic::{AtomicBool, Ordering};
#[cfg(feature = "std")]
use std::env::VarError;

#[cfg(feature = "std")]
use lanesum_spec::Algorithm;

use super::policy::Policy;
#[cfg(feature = "std")]
use super::policy::PolicyError;
#[cfg(feature = "std")]
use super::process::PerFamily;
#[cfg(feature = "std")]
use crate::base::FirstUse;

/// Whether `LANESUM_KERNEL` sets the default policy.
#[cfg(feature = "std")]
static READS_ENV: AtomicBool = AtomicBool::new(false);

impl Policy {
    /// The policy of calls that take an [`Algorithm`]: every kernel that this CPU supports, at its measured
    /// cost. With feature `std`, long runs time kernels and settle on the fastest.
    ///
    /// After [`use_env`](Self::use_env) it is the policy of `LANESUM_KERNEL`, with two exceptions, because these
    /// calls cannot fail: an invalid value is ignored, and an algorithm without an allowed kernel may use every
    /// kernel.
    pub fn automatic() -> Self {
        #[cfg(feature = "std")]
        {
            static POLICY: FirstUse<Policy> = FirstUse::new();
            let find = || {
                let env = READS_ENV.load(Ordering::Relaxed).then(Self::from_env);
                env.and_then(Result::ok).unwrap_or_else(Self::all).yielding()
            };
            POLICY.get_or(find).clone()
        }
        #[cfg(not(feature = "std"))]
        Self::all()
    }

    /// The policy that the environment variable `LANESUM_KERNEL` describes, in the form of
    /// [`parse`](Self::parse). If it is not set, every kernel is allowed.
    ///
    /// # Errors
    ///
    /// If the variable names an unknown kernel or tier, or one that cannot run here, or leaves no
    /// kernel.
    #[cfg(feature = "std")]
    pub fn from_env() -> Result<Self, PolicyError> {
        match std::env::var("LANESUM_KERNEL") {
            Ok(words) => Self::parse(&words),
            Err(VarError::NotPresent) => Ok(Self::all()),
            Err(VarError::NotUnicode(word)) => Err(PolicyError::unknown(&word.to_string_lossy())),
        }
    }

    /// Makes `LANESUM_KERNEL` the default policy of this process. The crate itself reads no environment
    /// variable: call this before the first call that takes an [`Algorithm`], which fixes the default.
    #[cfg(feature = "std")]
    pub fn use_env() {
        READS_ENV.store(true, Ordering::Relaxed);
    }

    /// Calls [`use_env`](Self::use_env), and checks that `LANESUM_KERNEL` is valid and allows a kernel for
    /// `algorithm`. Success is cached, so a check before every call costs one load.
    ///
    /// # Errors
    ///
    /// Fails if [`from_env`](Self::from_env) does, or if no allowed kernel supports the algorithm.
    #[cfg(feature = "std")]
    #[inline]
    pub fn check_env(algorithm: Algorithm) -> Result<(), PolicyError> {
        #[cold]
        #[inline(never)]
        fn check(algorithm: Algorithm, is_checked: &AtomicBool) -> Result<(), PolicyError> {
            Policy::use_env();
            Policy::from_env()?.check(algorithm)?;
            is_checked.store(true, Ordering::Relaxed);
            Ok(())
        }
        let is_checked = &PerFamily::of(algorithm.family()).is_checked;
        if is_checked.load(Ordering::Relaxed) { Ok(()) } else { check(algorithm, is_checked) }
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self::automatic()
    }
}
