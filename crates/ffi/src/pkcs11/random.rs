//! Random bytes from the system, §5.17.

use cryptoki_sys::*;

use super::library::read;
use super::{Status, call};
use crate::guard::{slice, slice_mut};

/// Fills `bytes` with cryptographically secure random bytes.
pub fn fill(bytes: &mut [u8]) -> Result<(), CK_RV> {
    getrandom::fill(bytes).map_err(|_| CKR_DEVICE_ERROR)
}

/// Accepts and ignores a seed. The system's generator needs none, but programs fail if a seed is
/// rejected.
pub unsafe extern "C" fn seed(
    session: CK_SESSION_HANDLE,
    seed: *mut CK_BYTE,
    len: CK_ULONG,
) -> CK_RV {
    call(|| {
        read(|library| library.session(session))?;
        // SAFETY: the application passes `len` valid bytes, which are not read.
        unsafe { slice(seed, len as usize) }.status().map(drop)
    })
}

pub unsafe extern "C" fn generate(
    session: CK_SESSION_HANDLE,
    out: *mut CK_BYTE,
    len: CK_ULONG,
) -> CK_RV {
    call(|| {
        read(|library| library.session(session))?;
        // SAFETY: the application passes `len` writable bytes.
        fill(unsafe { slice_mut(out, len as usize) }.status()?)
    })
}
