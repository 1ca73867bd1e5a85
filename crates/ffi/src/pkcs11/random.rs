//! Random bytes from the system, §5.17.

use cryptoki_sys::*;

use super::library::read;
use super::{Status, call};
use crate::guard::{slice, slice_mut};

/// Fills `bytes` with what nobody can foretell.
pub fn fill(bytes: &mut [u8]) -> Result<(), CK_RV> {
    getrandom::fill(bytes).map_err(|_| CKR_DEVICE_ERROR)
}

/// Takes a seed, which the system's generator has no need of: programs that have one to give
/// stop if it is refused.
pub unsafe extern "C" fn seed(
    session: CK_SESSION_HANDLE,
    seed: *mut CK_BYTE,
    len: CK_ULONG,
) -> CK_RV {
    call(|| {
        read(|library| library.session(session))?;
        // SAFETY: the application passes so many bytes, of which none is read.
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
        // SAFETY: the application passes room for so many bytes.
        fill(unsafe { slice_mut(out, len as usize) }.status()?)
    })
}
