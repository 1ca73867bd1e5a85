//! Signing and verifying with HMAC, §5.11 and §5.13.

use cryptoki_sys::*;

use super::library::{key_of, within};
use super::operation::{Authenticating, Operation, Session, begin, last, one, part};
use super::{Status, give, in_session, keyed, mechanism};
use crate::guard::slice;

/// Returns the session's sign or verify operation.
fn operation<const VERIFY: bool>(session: &mut Session) -> &mut Option<Operation<Authenticating>> {
    if VERIFY { &mut session.verify } else { &mut session.sign }
}

/// Begins to sign or to verify.
pub unsafe extern "C" fn init<const VERIFY: bool>(
    session: CK_SESSION_HANDLE,
    how: *mut CK_MECHANISM,
    key: CK_OBJECT_HANDLE,
) -> CK_RV {
    keyed(|| {
        let usage = if VERIFY { CKA_VERIFY } else { CKA_SIGN };
        let key = key_of(session, key)?;
        within(session, |session| {
            begin(operation::<VERIFY>(session), how, || {
                // SAFETY: the application passes a valid mechanism, or null.
                let (algorithm, len) = unsafe { mechanism::hmac(how) }?;
                // SAFETY: `mechanism::hmac` has checked and read the mechanism.
                let key = key?.hmac(algorithm, usage, unsafe { (*how).mechanism })?;
                Ok(Authenticating::new(&key, len))
            })
        })
    })
}

/// Adds a part to the message to sign or verify.
pub unsafe extern "C" fn update<const VERIFY: bool>(
    session: CK_SESSION_HANDLE,
    data: *mut CK_BYTE,
    len: CK_ULONG,
) -> CK_RV {
    in_session(session, |session| {
        part(operation::<VERIFY>(session), |authenticating| {
            // SAFETY: the application passes `len` readable bytes.
            authenticating.update(unsafe { slice(data, len as usize) }.status()?);
            Ok(())
        })
    })
}

pub unsafe extern "C" fn sign(
    session: CK_SESSION_HANDLE,
    data: *mut CK_BYTE,
    data_len: CK_ULONG,
    out: *mut CK_BYTE,
    out_len: *mut CK_ULONG,
) -> CK_RV {
    in_session(session, |session| {
        // SAFETY: the application passes `data_len` readable bytes, and valid output pointers.
        one(&mut session.sign, |signing| unsafe {
            give(out, out_len, signing.len, || {
                Ok(signing.tag(slice(data, data_len as usize).status()?))
            })
        })
    })
}

pub unsafe extern "C" fn sign_final(
    session: CK_SESSION_HANDLE,
    out: *mut CK_BYTE,
    out_len: *mut CK_ULONG,
) -> CK_RV {
    in_session(session, |session| {
        // SAFETY: the application passes valid output pointers.
        last(&mut session.sign, |signing| unsafe {
            give(out, out_len, signing.len, || Ok(signing.tag(&[])))
        })
    })
}

pub unsafe extern "C" fn verify(
    session: CK_SESSION_HANDLE,
    data: *mut CK_BYTE,
    data_len: CK_ULONG,
    tag: *mut CK_BYTE,
    tag_len: CK_ULONG,
) -> CK_RV {
    in_session(session, |session| {
        one(&mut session.verify, |verifying| {
            // SAFETY: the application passes `data_len` and `tag_len` readable bytes.
            let (data, tag) =
                unsafe { (slice(data, data_len as usize), slice(tag, tag_len as usize)) };
            verifying.verify(data.status()?, tag.status()?)
        })
    })
}

pub unsafe extern "C" fn verify_final(
    session: CK_SESSION_HANDLE,
    tag: *mut CK_BYTE,
    tag_len: CK_ULONG,
) -> CK_RV {
    in_session(session, |session| {
        last(&mut session.verify, |verifying| {
            // SAFETY: the application passes `tag_len` readable bytes.
            verifying.verify(&[], unsafe { slice(tag, tag_len as usize) }.status()?)
        })
    })
}
