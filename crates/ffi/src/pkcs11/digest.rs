//! Message digests, §5.10.

use cryptoki_sys::*;
use engine::hash;

use super::library::{key_of, within};
use super::operation::{Digesting, begin, last, one, part};
use super::{Status, call, give, in_session, keyed, mechanism};
use crate::guard::slice;

pub unsafe extern "C" fn init(session: CK_SESSION_HANDLE, how: *mut CK_MECHANISM) -> CK_RV {
    call(|| {
        within(session, |session| {
            // SAFETY: the application passes a valid mechanism, or null.
            begin(&mut session.digest, how, || unsafe {
                mechanism::digest(how).map(Digesting::new)
            })
        })
    })
}

pub unsafe extern "C" fn whole(
    session: CK_SESSION_HANDLE,
    data: *mut CK_BYTE,
    data_len: CK_ULONG,
    out: *mut CK_BYTE,
    out_len: *mut CK_ULONG,
) -> CK_RV {
    call(|| {
        within(session, |session| {
            // SAFETY: the application passes `data_len` readable bytes, and valid output pointers.
            one(&mut session.digest, |&mut Digesting { algorithm, .. }| unsafe {
                give(out, out_len, algorithm.digest_len(), || {
                    Ok(hash(algorithm, slice(data, data_len as usize).status()?))
                })
            })
        })
    })
}

pub unsafe extern "C" fn update(
    session: CK_SESSION_HANDLE,
    data: *mut CK_BYTE,
    len: CK_ULONG,
) -> CK_RV {
    in_session(session, |session| {
        part(&mut session.digest, |digesting| {
            // SAFETY: the application passes `len` readable bytes.
            digesting.update(unsafe { slice(data, len as usize) }.status()?);
            Ok(())
        })
    })
}

pub unsafe extern "C" fn key(session: CK_SESSION_HANDLE, key: CK_OBJECT_HANDLE) -> CK_RV {
    keyed(|| {
        let key = key_of(session, key)?;
        within(session, |session| {
            part(&mut session.digest, |digesting| {
                let key = key?;
                digesting.has_key = true;
                digesting.update(key.value());
                Ok(())
            })
        })
    })
}

pub unsafe extern "C" fn finish(
    session: CK_SESSION_HANDLE,
    out: *mut CK_BYTE,
    out_len: *mut CK_ULONG,
) -> CK_RV {
    in_session(session, |session| {
        // SAFETY: the application passes valid output pointers.
        last(&mut session.digest, |digesting| unsafe {
            give(out, out_len, digesting.algorithm.digest_len(), || Ok(digesting.digest()))
        })
    })
}
