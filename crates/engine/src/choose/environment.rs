//! The engine of calls that are given no policy. A process reads its environment for it once,
//! at the first use.

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

impl Policy {
    /// Every kernel that this CPU supports, at the cost that was measured when it was made.
    ///
    /// With feature `std`, long runs time their own turns and settle on the cheaper kernel, and
    /// `LANESUM_KERNEL` selects the kernels. Calls that cannot fail ignore the variable if it is
    /// invalid, and for algorithms that no allowed kernel has; a line on standard error reports that,
    /// once. A program that can report errors calls [`check_env`](Self::check_env) first.
    pub fn automatic() -> Self {
        #[cfg(feature = "std")]
        {
            static POLICY: FirstUse<Policy> = FirstUse::new();
            let find = || {
                let policy = Self::from_env().unwrap_or_else(|error| {
                    error.pass_over();
                    Self::all()
                });
                policy.yielding()
            };
            POLICY.get_or(find).clone()
        }
        #[cfg(not(feature = "std"))]
        Self::all()
    }

    /// The policy that `LANESUM_KERNEL` says. If it is not set, every kernel may run.
    ///
    /// # Errors
    ///
    /// If the variable names something that does not exist or cannot run here, or leaves no
    /// kernel.
    #[cfg(feature = "std")]
    pub fn from_env() -> Result<Self, PolicyError> {
        match std::env::var("LANESUM_KERNEL") {
            Ok(words) => Self::parse(&words),
            Err(VarError::NotPresent) => Ok(Self::all()),
            Err(VarError::NotUnicode(word)) => Err(PolicyError::unknown(&word.to_string_lossy())),
        }
    }

    /// Whether calls without a policy can obey `LANESUM_KERNEL` for `algorithm`. That they
    /// can is found once in a process; to ask before every call costs next to nothing.
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
