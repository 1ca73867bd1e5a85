//! The default policy, and the plans cached per process.

#[cfg(feature = "std")]
use core::sync::atomic::AtomicBool;
use core::sync::atomic::{AtomicU8, Ordering};
#[cfg(feature = "std")]
use std::env::VarError;

use lanesum_spec::{Algorithm, Family};

use super::plan::Plan;
use super::policy::Policy;
#[cfg(feature = "std")]
use super::policy::PolicyError;
#[cfg(feature = "std")]
use crate::base::{FirstUse, Found};
use crate::kernel::Kernel;

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

/// Returns the automatic policy's plan for `algorithm`, cached if feature `std` is enabled.
#[cfg(feature = "std")]
pub(super) fn automatic_plan(algorithm: Algorithm) -> Found<Plan> {
    static PLANS: [FirstUse<Plan>; Family::ALL.len()] = [const { FirstUse::new() }; _];
    PLANS[algorithm.family() as usize].get_or(|| found(algorithm))
}

#[cfg(not(feature = "std"))]
pub(super) fn automatic_plan(algorithm: Algorithm) -> Own {
    Own(found(algorithm))
}

/// A plan computed for one call, because there is no cache without `std`.
#[cfg(not(feature = "std"))]
pub(super) struct Own(Plan);

#[cfg(not(feature = "std"))]
impl core::ops::Deref for Own {
    type Target = Plan;

    fn deref(&self) -> &Plan {
        &self.0
    }
}

/// Computes the automatic policy's plan. Not inlined, for the same reason as `FirstUse::compute`.
#[cold]
#[inline(never)]
fn found(algorithm: Algorithm) -> Plan {
    // The automatic policy allows all kernels if the environment leaves none, and every build
    // has portable kernels.
    Policy::automatic().plan(algorithm).expect("a kernel for every algorithm")
}

/// Returns the automatic policy's kernel for one message of `algorithm`, cached per family.
#[inline]
pub(super) fn for_one(algorithm: Algorithm) -> Kernel {
    /// The kernel's index in the table plus one; 0: not yet found.
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

/// Not inlined, for the same reason as `FirstUse::compute`.
#[cold]
#[inline(never)]
fn found_for_one(algorithm: Algorithm) -> Kernel {
    // The automatic policy has a kernel for every algorithm; see `found`.
    Policy::automatic().for_one(algorithm).expect("a kernel for every algorithm").kernel
}
