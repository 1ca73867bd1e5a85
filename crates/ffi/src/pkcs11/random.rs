//! Random bytes, §5.17: the system's own.

use cryptoki_sys::*;

use super::library::read;
use super::{Status, call};
use crate::guard::slice_mut;

/// Fills `bytes` with what nobody can foretell.
pub fn fill(bytes: &mut [u8]) -> Result<(), CK_RV> {
    getrandom::fill(bytes).map_err(|_| CKR_DEVICE_ERROR)
}

pub unsafe extern "C" fn seed(
    session: CK_SESSION_HANDLE,
    _seed: *mut CK_BYTE,
    _len: CK_ULONG,
) -> CK_RV {
    call(|| {
        read(|library| library.session(session))?;
        Err(CKR_RANDOM_SEED_NOT_SUPPORTED)
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
