//! Signing and verifying by HMAC, §5.11 and §5.13.

use core::ptr::null;

use cryptoki_sys::*;
use engine::{Hmac, HmacKey};
use zeroize::Zeroizing;

use super::library::{Session, read, within};
use super::{Outcome, Status, begin, end, keyed, mechanism, place, proceed};
use crate::guard::slice;

/// A tag under way, to give or to compare with.
pub struct Authenticating {
    hmac: Hmac,
    /// How many bytes of the tag count.
    len: usize,
    /// Whether the message is in parts: one has come, be it of no bytes.
    in_parts: bool,
    /// Whether the length of a tag of one part was asked for, or room was too small: such a
    /// message has no end in parts.
    in_one: bool,
}

impl Authenticating {
    fn update(&mut self, part: &[u8]) {
        self.hmac.update(part);
        self.in_parts = true;
    }

    /// The tag of all that has come and `data`, whole.
    fn tag(&mut self, data: &[u8]) -> Zeroizing<Vec<u8>> {
        self.hmac.update(data);
        Zeroizing::new(self.hmac.clone().finish().as_bytes().to_vec())
    }

    /// The tag of all that has come and `data`, where there is room for it.
    ///
    /// # Safety
    ///
    /// As [`place`], and there are so many bytes of data.
    unsafe fn sign(
        &mut self,
        data: (*const CK_BYTE, CK_ULONG),
        out: *mut CK_BYTE,
        out_len: *mut CK_ULONG,
    ) -> Result<Outcome, CK_RV> {
        // SAFETY: as the caller says.
        let Some(place) = (unsafe { place(out, out_len, self.len) })? else {
            return Ok(Outcome::Told);
        };
        // SAFETY: as the caller says.
        let tag = self.tag(unsafe { slice(data.0, data.1 as usize) }.status()?);
        // SAFETY: as the caller says; the message was borrowed for the tag alone.
        unsafe { place.put(&tag[..self.len]) };
        Ok(Outcome::Done)
    }

    /// Compares, in constant time.
    fn verify(&mut self, data: &[u8], tag: &[u8]) -> Result<Outcome, CK_RV> {
        if tag.len() != self.len {
            return Err(CKR_SIGNATURE_LEN_RANGE);
        }
        self.hmac.update(data);
        let right = self.hmac.clone().verify_truncated(tag, self.len);
        if right { Ok(Outcome::Done) } else { Err(CKR_SIGNATURE_INVALID) }
    }
}

/// Begins to sign or to verify, whichever `operation` and `usage` are for.
///
/// # Safety
///
/// As [`mechanism::hmac`].
unsafe fn init(
    session: CK_SESSION_HANDLE,
    how: *const CK_MECHANISM,
    key: CK_OBJECT_HANDLE,
    usage: CK_ATTRIBUTE_TYPE,
    operation: impl FnOnce(&mut Session) -> &mut Option<Authenticating>,
) -> Result<(), CK_RV> {
    // Before a session is locked: whoever has one waits for nothing shared.
    let key = read(|library| {
        library.session(session)?;
        Ok(library.key(key))
    })?;
    within(session, |session| {
        begin(operation(session), how, || {
            // SAFETY: as the caller says.
            let (algorithm, len) = unsafe { mechanism::hmac(how) }?;
            let key = key?;
            if !mechanism::fits(key.key_type(), algorithm) {
                return Err(CKR_KEY_TYPE_INCONSISTENT);
            }
            // SAFETY: the mechanism has just been read.
            if !key.allows(usage, unsafe { (*how).mechanism }) {
                return Err(CKR_KEY_FUNCTION_NOT_PERMITTED);
            }
            let hmac = Hmac::new(&HmacKey::new(algorithm, key.value()));
            Ok(Authenticating { hmac, len, in_parts: false, in_one: false })
        })
    })
}

fn signing(session: &mut Session) -> &mut Option<Authenticating> {
    &mut session.sign
}

fn verifying(session: &mut Session) -> &mut Option<Authenticating> {
    &mut session.verify
}

pub unsafe extern "C" fn sign_init(
    session: CK_SESSION_HANDLE,
    how: *mut CK_MECHANISM,
    key: CK_OBJECT_HANDLE,
) -> CK_RV {
    // SAFETY: the application passes a mechanism, or null.
    keyed(|| unsafe { init(session, how, key, CKA_SIGN, signing) })
}

pub unsafe extern "C" fn verify_init(
    session: CK_SESSION_HANDLE,
    how: *mut CK_MECHANISM,
    key: CK_OBJECT_HANDLE,
) -> CK_RV {
    // SAFETY: the application passes a mechanism, or null.
    keyed(|| unsafe { init(session, how, key, CKA_VERIFY, verifying) })
}

/// Adds a part to what is signed or verified.
///
/// # Safety
///
/// There are so many bytes.
unsafe fn update(
    session: CK_SESSION_HANDLE,
    part: *const CK_BYTE,
    len: CK_ULONG,
    operation: impl FnOnce(&mut Session) -> &mut Option<Authenticating>,
) -> CK_RV {
    keyed(|| {
        within(session, |session| {
            proceed(operation(session), |authenticating| {
                // SAFETY: as the caller says.
                authenticating.update(unsafe { slice(part, len as usize) }.status()?);
                Ok(())
            })
        })
    })
}

pub unsafe extern "C" fn sign_update(
    session: CK_SESSION_HANDLE,
    part: *mut CK_BYTE,
    len: CK_ULONG,
) -> CK_RV {
    // SAFETY: the application passes a part of so many bytes.
    unsafe { update(session, part, len, signing) }
}

pub unsafe extern "C" fn verify_update(
    session: CK_SESSION_HANDLE,
    part: *mut CK_BYTE,
    len: CK_ULONG,
) -> CK_RV {
    // SAFETY: the application passes a part of so many bytes.
    unsafe { update(session, part, len, verifying) }
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
            end(&mut session.sign, |signing| {
                if signing.in_parts {
                    return Err(CKR_OPERATION_ACTIVE);
                }
                signing.in_one = true;
                // SAFETY: the application passes a message of so many bytes, and a place
                // for the tag and its length.
                unsafe { signing.sign((data, data_len), out, out_len) }
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
            end(&mut session.sign, |signing| {
                if signing.in_one && !signing.in_parts {
                    return Err(CKR_OPERATION_ACTIVE);
                }
                // SAFETY: the application passes a place for the tag and its length.
                unsafe { signing.sign((null(), 0), out, out_len) }
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
            end(&mut session.verify, |verifying| {
                if verifying.in_parts {
                    return Err(CKR_OPERATION_ACTIVE);
                }
                // SAFETY: the application passes a message and a tag of so many bytes.
                let (data, tag) = unsafe {
                    (
                        slice(data, data_len as usize).status()?,
                        slice(tag, tag_len as usize).status()?,
                    )
                };
                verifying.verify(data, tag)
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
            end(&mut session.verify, |verifying| {
                // SAFETY: the application passes a tag of so many bytes.
                verifying.verify(&[], unsafe { slice(tag, tag_len as usize) }.status()?)
            })
        })
    })
}
