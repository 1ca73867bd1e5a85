//! The kernel table, and the kernel that a policy selects.

use core::ffi::{c_char, c_int};

use engine::{AsEngine, Kernel};

use super::algorithm::{LANESUM_MAX_NAME_LEN, algorithm, lanesum_algorithm};
use super::policy::{chosen, lanesum_policy};
use crate::guard::{self, Failure};

/// An entry of the kernel table, written by lanesum_kernel_at.
#[repr(C)]
pub struct lanesum_kernel {
    /// The name: the instruction set and the number of lanes, NUL-terminated.
    name: [c_char; LANESUM_MAX_NAME_LEN],
    /// The instruction set, NUL-terminated; empty if the kernel cannot run here.
    tier: [c_char; LANESUM_MAX_NAME_LEN],
    /// The number of messages hashed in parallel; 0 if the kernel cannot run here.
    lanes: u32,
    /// 1 if the kernel can run here, else 0.
    runs: i32,
}

impl lanesum_kernel {
    fn new(kernel: Result<Kernel, &str>) -> Self {
        fn text(text: &str) -> [c_char; LANESUM_MAX_NAME_LEN] {
            let mut bytes = [0; LANESUM_MAX_NAME_LEN];
            // Keep a terminating NUL after the longest name.
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

/// Returns the number of kernels, including those that cannot run here.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn lanesum_kernel_count() -> usize {
    Kernel::table().count()
}

/// Writes kernel `index` to `*kernel`. Kernel 0 is the widest. LANESUM_E_KERNEL if `index` is not
/// less than lanesum_kernel_count().
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_kernel_at(index: usize, kernel: *mut lanesum_kernel) -> c_int {
    guard::call(|| {
        let found = Kernel::table().nth(index).ok_or(Failure::Kernel)?;
        // SAFETY: the caller guarantees that `kernel` is valid for writes.
        unsafe { give(kernel, lanesum_kernel::new(found)) }
    })
}

/// Returns 1 if kernel `index` can run the algorithm here, 0 if it cannot, or a negative status if
/// the kernel or the algorithm does not exist.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn lanesum_kernel_supports(index: usize, algorithm: lanesum_algorithm) -> c_int {
    let runs = || {
        let algorithm = self::algorithm(algorithm)?;
        let kernel = Kernel::table().nth(index).ok_or(Failure::Kernel)?;
        Ok(kernel.is_ok_and(|kernel| kernel.supports(algorithm)).into())
    };
    guard::barrier(Failure::Internal.status(), || runs().unwrap_or_else(Failure::status))
}

/// Writes to `*kernel` the kernel that runs first when `live` messages are hashed in parallel. If it
/// has fewer lanes, other calls hash the remaining messages. LANESUM_E_PARAMETER if `live` is not
/// from 1 to 32. `policy`: see lanesum_policy.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_kernel_chosen(
    algorithm: lanesum_algorithm,
    live: usize,
    policy: *const lanesum_policy,
    kernel: *mut lanesum_kernel,
) -> c_int {
    guard::call(|| {
        let algorithm = self::algorithm(algorithm)?;
        // SAFETY: the caller guarantees that `policy` is null or valid.
        let engine = unsafe { chosen(policy, algorithm, |engine| engine.to_engine())? };
        if !(1..=32).contains(&live) {
            return Err(Failure::Parameter);
        }
        // SAFETY: the caller guarantees that `kernel` is valid for writes.
        unsafe { give(kernel, lanesum_kernel::new(Ok(engine.kernel(live)))) }
    })
}

/// Writes `kernel` to `*to`.
///
/// # Safety
///
/// `to` is valid for writes, unless it is null or misaligned.
unsafe fn give(to: *mut lanesum_kernel, kernel: lanesum_kernel) -> Result<(), Failure> {
    // SAFETY: the pointer is only checked, not read.
    unsafe { guard::reference(to.cast::<core::mem::MaybeUninit<lanesum_kernel>>())? };
    // SAFETY: not null and aligned; the caller guarantees the rest.
    unsafe { to.write(kernel) };
    Ok(())
}
