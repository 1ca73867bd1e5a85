//! The vendor interface "Vendor Lanesum", declared in `lanesum-pkcs11.h`: hashes many messages per
//! call, in parallel SIMD lanes, for which PKCS #11 has no function.

use cryptoki_sys::*;
use engine::{Bytes, Truncated, hash_many, mac_many};

use super::library::{key_of, read};
use super::{Status, call, has_place, keyed, mechanism};
use crate::guard::{apart, put, slice, slice_mut};

/// `LANESUM_FUNCTION_LIST`. Like every function list, it begins with its version.
#[repr(C)]
pub struct Functions {
    pub version: CK_VERSION,
    pub digest_many: Many,
    pub sign_many: ManyWithKey,
}

type Many = unsafe extern "C" fn(
    CK_SESSION_HANDLE,
    *mut CK_MECHANISM,
    *const *const CK_BYTE,
    *const CK_ULONG,
    CK_ULONG,
    *mut CK_BYTE,
    *mut CK_ULONG,
) -> CK_RV;

type ManyWithKey = unsafe extern "C" fn(
    CK_SESSION_HANDLE,
    *mut CK_MECHANISM,
    CK_OBJECT_HANDLE,
    *const *const CK_BYTE,
    *const CK_ULONG,
    CK_ULONG,
    *mut CK_BYTE,
    *mut CK_ULONG,
) -> CK_RV;

/// The function list of the interface.
pub static FUNCTIONS: Functions =
    Functions { version: CK_VERSION { major: 1, minor: 0 }, digest_many: digest, sign_many: sign };

/// The arguments of an application: pointers and lengths of messages, their number, and the output
/// buffer and its length.
type Passed = (*const *const CK_BYTE, *const CK_ULONG, CK_ULONG, *mut CK_BYTE, *mut CK_ULONG);

/// Returns the length of `count` results of `each` bytes.
fn total(count: usize, each: usize) -> Result<usize, CK_RV> {
    count.checked_mul(each).ok_or(CKR_ARGUMENTS_BAD)
}

/// Lets `write` compute results of `each` bytes per message into the output buffer, if there is
/// one. If messages overlap the buffer, uses a temporary buffer, because some results are written
/// before other messages are read.
///
/// # Safety
///
/// `data` and `lens` are valid for `count` elements, and each message for its length; the output is
/// as [`give`](super::give) requires.
unsafe fn fill(
    (data, lens, count, out, out_len): Passed,
    each: usize,
    write: impl FnOnce(&[&[u8]], &mut [u8]) -> Result<(), CK_RV>,
) -> Result<(), CK_RV> {
    // SAFETY: the caller guarantees valid messages and output pointers.
    unsafe {
        let (data, lens) =
            (slice(data, count as usize).status()?, slice(lens, count as usize).status()?);
        let message = |(&data, &len): (&*const CK_BYTE, &CK_ULONG)| slice(data, len as usize);
        let messages: Result<Vec<&[u8]>, _> = data.iter().zip(lens).map(message).collect();
        let messages = messages.status()?;
        let len = total(messages.len(), each)?;
        if !has_place(out, out_len, len)? {
            return Ok(());
        }
        let written = core::ptr::slice_from_raw_parts(out, len);
        if messages.iter().all(|&message| apart(message, written).is_ok()) {
            return write(&messages, slice_mut(out, len).status()?);
        }
        let mut own = vec![0; len];
        write(&messages, &mut own)?;
        put(out, len, &own).status()
    }
}

unsafe extern "C" fn digest(
    session: CK_SESSION_HANDLE,
    how: *mut CK_MECHANISM,
    data: *const *const CK_BYTE,
    lens: *const CK_ULONG,
    count: CK_ULONG,
    out: *mut CK_BYTE,
    out_len: *mut CK_ULONG,
) -> CK_RV {
    call(|| {
        read(|library| library.session(session))?;
        // SAFETY: the application passes a valid mechanism, `count` messages, and valid output
        // pointers.
        unsafe {
            let algorithm = mechanism::digest(how)?;
            fill((data, lens, count, out, out_len), algorithm.digest_len(), |messages, out| {
                hash_many(algorithm, messages, Bytes(out));
                Ok(())
            })
        }
    })
}

unsafe extern "C" fn sign(
    session: CK_SESSION_HANDLE,
    how: *mut CK_MECHANISM,
    key: CK_OBJECT_HANDLE,
    data: *const *const CK_BYTE,
    lens: *const CK_ULONG,
    count: CK_ULONG,
    out: *mut CK_BYTE,
    out_len: *mut CK_ULONG,
) -> CK_RV {
    keyed(|| {
        let key = key_of(session, key)??;
        // SAFETY: the application passes a valid mechanism, `count` messages, and valid output
        // pointers.
        unsafe {
            let (algorithm, each) = mechanism::hmac(how)?;
            let key = key.hmac(algorithm, CKA_SIGN, (*how).mechanism)?;
            fill((data, lens, count, out, out_len), each, |messages, out| {
                mac_many(algorithm, &key, messages, Truncated(out, each));
                Ok(())
            })
        }
    })
}
