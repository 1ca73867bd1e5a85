//! The default policy.

#[cfg(feature = "std")]
use core::sync::atomic::{AtomicBool, Ordering};
#[cfg(feature = "std")]
use std::env::{self, VarError};

#[cfg(feature = "std")]
use lanesum_spec::Algorithm;

#[cfg(feature = "std")]
use super::costs::CostsFault;
use super::policy::Policy;
#[cfg(feature = "std")]
use super::policy::PolicyError;
#[cfg(feature = "std")]
use super::process::PerFamily;
#[cfg(feature = "std")]
use crate::base::{FirstUse, is_secure, with_errno_restored};

/// Whether the environment sets the default policy.
#[cfg(feature = "std")]
static READS_ENV: AtomicBool = AtomicBool::new(false);

impl Policy {
    /// The policy of calls that take an [`Algorithm`]: every kernel that this CPU supports, at its measured
    /// cost. With feature `std`, long runs time kernels and settle on the fastest.
    ///
    /// After [`use_env`](Self::use_env) it is the policy of `LANESUM_KERNEL` and `LANESUM_COSTS`, with two
    /// exceptions, because these calls cannot fail: an invalid value is ignored, and an algorithm without an allowed
    /// kernel may use every kernel.
    pub fn automatic() -> Self {
        #[cfg(feature = "std")]
        {
            static POLICY: FirstUse<Policy> = FirstUse::new();
            let find = || {
                if !READS_ENV.load(Ordering::Relaxed) {
                    return Self::all().yielding();
                }
                let policy = Self::kernels_from_env().unwrap_or_else(|_| Self::all());
                policy.clone().with_costs_from_env().unwrap_or(policy).yielding()
            };
            POLICY.get_or(find).clone()
        }
        #[cfg(not(feature = "std"))]
        Self::all()
    }

    /// The policy that two environment variables describe. `LANESUM_KERNEL` is in the form of
    /// [`parse`](Self::parse). `LANESUM_COSTS` is the path of a file that `lanesum tune` has written, whose costs
    /// replace the built-in ones as in [`with_costs`](Self::with_costs). It is ignored in set-user-ID programs on
    /// Linux. A variable that is empty or not set has no effect.
    ///
    /// # Errors
    ///
    /// If `LANESUM_KERNEL` names an unknown kernel or tier, or one that cannot run here, or leaves no
    /// kernel; or if the file cannot be read, or is not a costs file of this CPU.
    #[cfg(feature = "std")]
    pub fn from_env() -> Result<Self, PolicyError> {
        Self::kernels_from_env()?.with_costs_from_env()
    }

    #[cfg(feature = "std")]
    fn kernels_from_env() -> Result<Self, PolicyError> {
        match env::var("LANESUM_KERNEL") {
            Ok(words) => Self::parse(&words),
            Err(VarError::NotPresent) => Ok(Self::all()),
            Err(VarError::NotUnicode(word)) => Err(PolicyError::unknown(&word.to_string_lossy())),
        }
    }

    #[cfg(feature = "std")]
    fn with_costs_from_env(self) -> Result<Self, PolicyError> {
        let path = env::var_os("LANESUM_COSTS").filter(|path| !path.is_empty() && !is_secure());
        let Some(path) = path else { return Ok(self) };
        let costs = match with_errno_restored(|| read(path.as_ref())) {
            Ok(Some(text)) => self.with_costs(&text),
            Ok(None) => Err(CostsFault::Format.into()),
            Err(error) => Err(CostsFault::Unreadable(error.raw_os_error()).into()),
        };
        costs.map_err(|error| error.in_file(&path.to_string_lossy()))
    }

    /// Makes [`from_env`](Self::from_env) the default policy of this process. The crate itself reads no environment
    /// variable: call this before the first call that takes an [`Algorithm`], which fixes the default.
    #[cfg(feature = "std")]
    pub fn use_env() {
        READS_ENV.store(true, Ordering::Relaxed);
    }

    /// Calls [`use_env`](Self::use_env), and checks that `LANESUM_KERNEL` and `LANESUM_COSTS` are valid and allow a
    /// kernel for `algorithm`. Success is cached, so a check before every call costs one load.
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

/// Reads a costs file; `None` if it is too long or not text.
#[cfg(feature = "std")]
fn read(path: &std::path::Path) -> std::io::Result<Option<String>> {
    use std::io::Read;

    /// Many times the length of a file with every kernel and family.
    const MAX_BYTES: u64 = 256 << 10;

    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(String::from_utf8(bytes).ok().filter(|text| text.len() as u64 <= MAX_BYTES))
}

impl Default for Policy {
    fn default() -> Self {
        Self::automatic()
    }
}
