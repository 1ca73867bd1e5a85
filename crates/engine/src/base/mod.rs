//! Utilities for all other layers, independent of hash functions: the CPU and its features, values computed
//! once per process, and overwriting of secrets.

mod cpu;
#[cfg(all(any(test, not(feature = "std")), any(target_arch = "x86", target_arch = "x86_64")))]
#[allow(unsafe_code)]
pub(crate) mod cpuid;
mod features;
#[cfg(feature = "std")]
mod first_use;
mod hex;
#[cfg(feature = "std")]
#[allow(unsafe_code)]
mod libc;
#[allow(unsafe_code)]
mod registers;
mod wipe;

pub use self::cpu::Cpu;
#[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) use self::features::has;
pub(crate) use self::features::supported;
#[cfg(feature = "std")]
pub(crate) use self::first_use::{FirstUse, Found};
pub(crate) use self::hex::write_hex;
#[cfg(feature = "std")]
pub(crate) use self::libc::{is_secure, with_errno_restored};
pub(crate) use self::registers::{clear_bytes, clear_registers};
pub(crate) use self::wipe::wipe;

/// Whether two strings are equal, in a constant context.
pub(crate) const fn same(x: &str, y: &str) -> bool {
    let (x, y) = (x.as_bytes(), y.as_bytes());
    let mut i = 0;
    while i < x.len() && i < y.len() && x[i] == y[i] {
        i += 1;
    }
    i == x.len() && i == y.len()
}
