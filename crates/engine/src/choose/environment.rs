//! The default policy, and what a process computes of it once.

#[cfg(feature = "std")]
use core::sync::atomic::AtomicBool;
use core::sync::atomic::{AtomicU8, Ordering};
#[cfg(feature = "std")]
use std::env::VarError;

use lanesum_spec::{Algorithm, Family};

#[cfg(feature = "std")]
use super::first_use::{FirstUse, Found};
use super::plan::Plan;
use super::policy::Policy;
#[cfg(feature = "std")]
use super::policy::PolicyError;
use crate::kernel::Kernel;

/// Whether the default policy is that of `LANESUM_KERNEL`.
#[cfg(feature = "std")]
static READS_ENV: AtomicBool = AtomicBool::new(false);

impl Policy {
    /// The policy of calls that take an [`Algorithm`]: every kernel that this CPU supports, at its measured
    /// cost. With feature `std`, long runs time kernels and settle on the fastest.
    ///
    /// After [`use_env`](Self::use_env) it is the policy of `LANESUM_KERNEL`, except that an invalid value is
    /// ignored, and that algorithms that no allowed kernel has may use every kernel: these calls cannot fail.
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
    /// As [`from_env`](Self::from_env), or if no kernel is left that has the algorithm.
    #[cfg(feature = "std")]
    #[inline]
    pub fn check_env(algorithm: Algorithm) -> Result<(), PolicyError> {
        static OBEYED: [AtomicBool; Family::ALL.len()] = [const { AtomicBool::new(false) }; _];
        let obeyed = &OBEYED[algorithm.family() as usize];
        if !obeyed.load(Ordering::Relaxed) {
            Self::use_env();
            Self::from_env()?.check(algorithm)?;
            obeyed.store(true, Ordering::Relaxed);
        }
        Ok(())
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self::automatic()
    }
}

/// The automatic policy's plan for `algorithm`, kept where there is something to keep it in.
#[cfg(feature = "std")]
pub(super) fn automatic_plan(algorithm: Algorithm) -> Found<Plan> {
    static PLANS: [FirstUse<Plan>; Family::ALL.len()] = [const { FirstUse::new() }; _];
    PLANS[algorithm.family() as usize].get_or(|| found(algorithm))
}

#[cfg(not(feature = "std"))]
pub(super) fn automatic_plan(algorithm: Algorithm) -> Own {
    Own(found(algorithm))
}

/// A plan that there is no place to keep in.
#[cfg(not(feature = "std"))]
pub(super) struct Own(Plan);

#[cfg(not(feature = "std"))]
impl core::ops::Deref for Own {
    type Target = Plan;

    fn deref(&self) -> &Plan {
        &self.0
    }
}

/// Computes the automatic policy's plan. Never inlined, as `FirstUse::compute`.
#[cold]
#[inline(never)]
fn found(algorithm: Algorithm) -> Plan {
    // The automatic policy has all kernels where a choice leaves none, and portable ones
    // are in every build.
    Policy::automatic().plan(algorithm).expect("a kernel for every algorithm")
}

/// The kernel for one message of `algorithm` by the automatic policy, found once.
#[inline]
pub(super) fn for_one(algorithm: Algorithm) -> Kernel {
    /// One more than the place in the table; 0: not yet found.
    static FOUND: [AtomicU8; Family::ALL.len()] = [const { AtomicU8::new(0) }; _];
    let place = &FOUND[algorithm.family() as usize];
    let index = place.load(Ordering::Relaxed);
    if let Some(kernel) = index.checked_sub(1).and_then(Kernel::at) {
        return kernel;
    }
    let kernel = found_for_one(algorithm);
    place.store(kernel.index() as u8 + 1, Ordering::Relaxed);
    kernel
}

/// Never inlined, as `FirstUse::compute`.
#[cold]
#[inline(never)]
fn found_for_one(algorithm: Algorithm) -> Kernel {
    // The automatic policy has a kernel for every algorithm; see `found`.
    Policy::automatic().for_one(algorithm).expect("a kernel for every algorithm").kernel
}
