//! Kernels: they can be listed, and a call can be told which to use.

use core::ffi::{c_char, c_int};

use engine::{Algorithm, AsEngine, Kernel, Policy};

use super::algorithm::{LANESUM_MAX_NAME_LEN, algorithm, lanesum_algorithm};
use crate::guard::{self, Failure};

/// A kernel of the table of what runs where.
///
/// Calls with a parameter `kernels` take NULL, for the kernels that are best here, or a
/// text that says which may run: a kernel ("sse2_x4": this one and no other), a tier
/// ("avx2": kernels of this tier and of those below it) or a tier to leave out
/// ("-avx512"), several of them separated by commas. The environment variable
/// LANESUM_KERNEL says the same for calls with NULL. No digest depends on it. A
/// plan is made for the kernels in every call, which takes some microseconds.
#[repr(C)]
pub struct lanesum_kernel {
    /// Its name: the instructions and the number of lanes.
    name: [c_char; LANESUM_MAX_NAME_LEN],
    /// The instructions that it is made of; empty if it cannot run here.
    tier: [c_char; LANESUM_MAX_NAME_LEN],
    /// How many messages it hashes at once; 0 if it cannot run here.
    lanes: u32,
    /// Whether it can run here: 0 or 1.
    runs: i32,
}

impl lanesum_kernel {
    fn new(kernel: Result<Kernel, &str>) -> Self {
        fn text(text: &str) -> [c_char; LANESUM_MAX_NAME_LEN] {
            let mut bytes = [0; LANESUM_MAX_NAME_LEN];
            // A zero stays behind the longest.
            for (to, byte) in bytes[..LANESUM_MAX_NAME_LEN - 1].iter_mut().zip(text.bytes()) {
                *to = byte as c_char;
            }
            bytes
        }
        match kernel {
            Ok(kernel) => Self {
                name: text(kernel.name()),
                tier: text(kernel.tier().name()),
                lanes: kernel.lanes() as u32,
                runs: 1,
            },
            Err(name) => Self { name: text(name), tier: text(""), lanes: 0, runs: 0 },
        }
    }
}

/// Runs a call by what its `kernels` choose for an algorithm, which it can do.
///
/// # Errors
///
/// If they name nothing, or leave the algorithm no kernel.
///
/// # Safety
///
/// `kernels` is null or a text that ends with a zero.
#[inline]
pub(super) unsafe fn chosen<R>(
    kernels: *const c_char,
    algorithm: Algorithm,
    run: impl FnOnce(&dyn AsEngine) -> R,
) -> Result<R, Failure> {
    if kernels.is_null() {
        return guard::usable(algorithm).map(|algorithm| run(&algorithm));
    }
    // SAFETY: the caller's promise.
    unsafe { named(kernels, algorithm, run) }
}

/// The same by kernels that are named. It is apart: an engine is large, and few calls need one.
///
/// # Safety
///
/// As [`chosen`].
#[cold]
#[inline(never)]
unsafe fn named<R>(
    kernels: *const c_char,
    algorithm: Algorithm,
    run: impl FnOnce(&dyn AsEngine) -> R,
) -> Result<R, Failure> {
    // SAFETY: the caller's promise.
    let policy = Policy::parse(unsafe { guard::text(kernels, Failure::Kernel)? });
    let engine = policy.and_then(|policy| policy.engine(algorithm));
    engine.map(|engine| run(&engine)).map_err(|_| Failure::Kernel)
}

/// How many kernels there are, whether they can run here or not.
#[unsafe(no_mangle)]
pub extern "C" fn lanesum_kernel_count() -> usize {
    Kernel::table().count()
}

/// Writes kernel `index` to `*kernel`; the widest is kernel 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_kernel_at(index: usize, kernel: *mut lanesum_kernel) -> c_int {
    guard::call(|| {
        let found = Kernel::table().nth(index).ok_or(Failure::Kernel)?;
        // SAFETY: the caller's promise.
        unsafe { give(kernel, lanesum_kernel::new(found)) }
    })
}

/// Whether kernel `index` can run an algorithm here: 1 or 0, or a negative status if
/// there is no such kernel or algorithm.
#[unsafe(no_mangle)]
pub extern "C" fn lanesum_kernel_supports(index: usize, algorithm: lanesum_algorithm) -> c_int {
    let runs = || {
        let algorithm = self::algorithm(algorithm)?;
        let kernel = Kernel::table().nth(index).ok_or(Failure::Kernel)?;
        Ok(kernel.is_ok_and(|kernel| kernel.supports(algorithm)).into())
    };
    guard::barrier(Failure::Internal.status(), || runs().unwrap_or_else(Failure::status))
}

/// Writes to `*kernel` the kernel that takes the first of `live` messages side by side (1
/// to 32). It is one of those that `kernels` lets run: see lanesum_kernel.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_kernel_chosen(
    algorithm: lanesum_algorithm,
    live: usize,
    kernels: *const c_char,
    kernel: *mut lanesum_kernel,
) -> c_int {
    guard::call(|| {
        let algorithm = self::algorithm(algorithm)?;
        // SAFETY: the caller's promise.
        let engine = unsafe { chosen(kernels, algorithm, |engine| engine.to_engine())? };
        if !(1..=32).contains(&live) {
            return Err(Failure::Parameter);
        }
        // SAFETY: the caller's promise.
        unsafe { give(kernel, lanesum_kernel::new(Ok(engine.kernel(live)))) }
    })
}

/// # Safety
///
/// There is room for a kernel at `to`, unless it is null or not aligned.
unsafe fn give(to: *mut lanesum_kernel, kernel: lanesum_kernel) -> Result<(), Failure> {
    // SAFETY: only checked, not read.
    unsafe { guard::reference(to.cast::<core::mem::MaybeUninit<lanesum_kernel>>())? };
    // SAFETY: not null and aligned; the caller's promise.
    unsafe { to.write(kernel) };
    Ok(())
}
