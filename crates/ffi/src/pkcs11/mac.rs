//! Signing and verifying by HMAC, §5.11 and §5.13.

use cryptoki_sys::*;

use super::library::{key_of, within};
use super::operation::{Authenticating, Operation, Session, begin, last, one, part};
use super::{Status, give, keyed, mechanism};
use crate::guard::slice;

/// Which of a session's operations is meant.
type Which = fn(&mut Session) -> &mut Option<Operation<Authenticating>>;

const SIGN: Which = |session| &mut session.sign;
const VERIFY: Which = |session| &mut session.verify;

/// Begins to sign or to verify, for which a key has a `usage`.
///
/// # Safety
///
/// As [`mechanism::hmac`].
unsafe fn init(
    session: CK_SESSION_HANDLE,
    how: *const CK_MECHANISM,
    key: CK_OBJECT_HANDLE,
    usage: CK_ATTRIBUTE_TYPE,
    operation: Which,
) -> CK_RV {
    keyed(|| {
        let key = key_of(session, key)?;
        within(session, |session| {
            begin(operation(session), how, || {
                // SAFETY: as the caller says.
                let (algorithm, len) = unsafe { mechanism::hmac(how) }?;
                // SAFETY: the mechanism has just been read.
                let key = key?.hmac(algorithm, usage, unsafe { (*how).mechanism })?;
                Ok(Authenticating::new(&key, len))
            })
        })
    })
}

pub unsafe extern "C" fn sign_init(
    session: CK_SESSION_HANDLE,
    how: *mut CK_MECHANISM,
    key: CK_OBJECT_HANDLE,
) -> CK_RV {
    // SAFETY: the application passes a mechanism, or null.
    unsafe { init(session, how, key, CKA_SIGN, SIGN) }
}

pub unsafe extern "C" fn verify_init(
    session: CK_SESSION_HANDLE,
    how: *mut CK_MECHANISM,
    key: CK_OBJECT_HANDLE,
) -> CK_RV {
    // SAFETY: the application passes a mechanism, or null.
    unsafe { init(session, how, key, CKA_VERIFY, VERIFY) }
}

/// Adds a part to what is signed or verified.
///
/// # Safety
///
/// There are so many bytes.
unsafe fn update(
    session: CK_SESSION_HANDLE,
    data: *const CK_BYTE,
    len: CK_ULONG,
    operation: Which,
) -> CK_RV {
    keyed(|| {
        within(session, |session| {
            part(operation(session), |authenticating| {
                // SAFETY: as the caller says.
                authenticating.update(unsafe { slice(data, len as usize) }.status()?);
                Ok(())
            })
        })
    })
}

pub unsafe extern "C" fn sign_update(
    session: CK_SESSION_HANDLE,
    data: *mut CK_BYTE,
    len: CK_ULONG,
) -> CK_RV {
    // SAFETY: the application passes a part of so many bytes.
    unsafe { update(session, data, len, SIGN) }
}

pub unsafe extern "C" fn verify_update(
    session: CK_SESSION_HANDLE,
    data: *mut CK_BYTE,
    len: CK_ULONG,
) -> CK_RV {
    // SAFETY: the application passes a part of so many bytes.
    unsafe { update(session, data, len, VERIFY) }
}

pub unsafe extern "C" fn sign(
    session: CK_SESSION_HANDLE,
    data: *mut CK_BYTE,
    data_len: CK_ULONG,
    out: *mut CK_BYTE,
    out_len: *mut CK_ULONG,
) -> CK_RV {
    keyed(|| {
        within(session, |session| {
            // SAFETY: the application passes a message of so many bytes, and a place for the
            // tag and its length.
            one(&mut session.sign, |signing| unsafe {
                give(out, out_len, signing.len, || {
                    Ok(signing.tag(slice(data, data_len as usize).status()?))
                })
            })
        })
    })
}

pub unsafe extern "C" fn sign_final(
    session: CK_SESSION_HANDLE,
    out: *mut CK_BYTE,
    out_len: *mut CK_ULONG,
) -> CK_RV {
    keyed(|| {
        within(session, |session| {
            // SAFETY: the application passes a place for the tag and its length.
            last(&mut session.sign, |signing| unsafe {
                give(out, out_len, signing.len, || Ok(signing.tag(&[])))
            })
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
    keyed(|| {
        within(session, |session| {
            one(&mut session.verify, |verifying| {
                // SAFETY: the application passes a message and a tag of so many bytes.
                let (data, tag) =
                    unsafe { (slice(data, data_len as usize), slice(tag, tag_len as usize)) };
                verifying.verify(data.status()?, tag.status()?)
            })
        })
    })
}

pub unsafe extern "C" fn verify_final(
    session: CK_SESSION_HANDLE,
    tag: *mut CK_BYTE,
    tag_len: CK_ULONG,
) -> CK_RV {
    keyed(|| {
        within(session, |session| {
            last(&mut session.verify, |verifying| {
                // SAFETY: the application passes a tag of so many bytes.
                verifying.verify(&[], unsafe { slice(tag, tag_len as usize) }.status()?)
            })
        })
    })
}
