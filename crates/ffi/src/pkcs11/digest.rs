//! Message digests, §5.10.

use cryptoki_sys::*;
use engine::unstable::{Depth, below};
use engine::{Algorithm, Digest, Hasher, hash};

use super::library::{read, within};
use super::{Outcome, Status, begin, call, end, keyed, mechanism, place, proceed};
use crate::guard::slice;

/// A digest under way.
pub struct Digesting {
    pub algorithm: Algorithm,
    /// What has come in parts, be it of no bytes; nothing yet if none has.
    pub parts: Option<Hasher>,
    /// Whether the length of a message in one part was asked for, or room was too small: such a
    /// message has no end in parts.
    pub in_one: bool,
    /// Whether a key is part of the message.
    pub has_key: bool,
}

impl Digesting {
    fn new(algorithm: Algorithm) -> Self {
        Self::going_on(algorithm, None, false)
    }

    /// What has come so far, of a digest that is taken up.
    pub fn going_on(algorithm: Algorithm, parts: Option<Hasher>, has_key: bool) -> Self {
        Self { algorithm, parts, in_one: false, has_key }
    }

    fn update(&mut self, part: &[u8]) {
        let hasher = self.parts.get_or_insert_with(|| Hasher::new(self.algorithm));
        if self.has_key {
            // No call of the engine's knows that.
            return below(Depth::Lanes, || hasher.update(part));
        }
        hasher.update(part);
    }
}

impl Drop for Digesting {
    /// Overwrites it: a key may be part of the message.
    fn drop(&mut self) {
        if let Some(hasher) = &mut self.parts {
            *hasher = Hasher::new(self.algorithm);
            zeroize::optimization_barrier(hasher);
        }
    }
}

pub unsafe extern "C" fn init(session: CK_SESSION_HANDLE, how: *mut CK_MECHANISM) -> CK_RV {
    call(|| {
        within(session, |session| {
            // SAFETY: the application passes a mechanism, or null.
            begin(&mut session.digest, how, || unsafe {
                mechanism::digest(how).map(Digesting::new)
            })
        })
    })
}

/// The place of the digest, and then what it is of.
///
/// # Safety
///
/// As [`place`].
unsafe fn last(
    digesting: &mut Digesting,
    out: *mut CK_BYTE,
    len: *mut CK_ULONG,
    digest: impl FnOnce(&Digesting) -> Result<Digest, CK_RV>,
) -> Result<Outcome, CK_RV> {
    // SAFETY: as the caller says.
    let place = unsafe { place(out, len, digesting.algorithm.digest_len()) }?;
    let Some(place) = place else { return Ok(Outcome::Told) };
    let digest = digest(digesting)?;
    // SAFETY: as the caller says; what the digest is of was borrowed for that alone.
    unsafe { place.put(digest.as_bytes()) };
    Ok(Outcome::Done)
}

pub unsafe extern "C" fn one(
    session: CK_SESSION_HANDLE,
    data: *mut CK_BYTE,
    data_len: CK_ULONG,
    out: *mut CK_BYTE,
    out_len: *mut CK_ULONG,
) -> CK_RV {
    call(|| {
        within(session, |session| {
            end(&mut session.digest, |digesting| {
                if digesting.parts.is_some() {
                    return Err(CKR_OPERATION_ACTIVE);
                }
                digesting.in_one = true;
                let whole = |digesting: &Digesting| {
                    // SAFETY: the application passes a message of so many bytes.
                    let data = unsafe { slice(data, data_len as usize) }.status()?;
                    Ok(hash(digesting.algorithm, data))
                };
                // SAFETY: and a place for the digest and its length.
                unsafe { last(digesting, out, out_len, whole) }
            })
        })
    })
}

pub unsafe extern "C" fn update(
    session: CK_SESSION_HANDLE,
    part: *mut CK_BYTE,
    part_len: CK_ULONG,
) -> CK_RV {
    keyed(|| {
        within(session, |session| {
            proceed(&mut session.digest, |digesting| {
                // SAFETY: the application passes a part of so many bytes.
                digesting.update(unsafe { slice(part, part_len as usize) }.status()?);
                Ok(())
            })
        })
    })
}

pub unsafe extern "C" fn key(session: CK_SESSION_HANDLE, key: CK_OBJECT_HANDLE) -> CK_RV {
    keyed(|| {
        // Before a session is locked: whoever has one waits for nothing shared.
        let key = read(|library| {
            library.session(session)?;
            Ok(library.key(key))
        })?;
        within(session, |session| {
            proceed(&mut session.digest, |digesting| {
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
    keyed(|| {
        within(session, |session| {
            end(&mut session.digest, |digesting| {
                if digesting.in_one && digesting.parts.is_none() {
                    return Err(CKR_OPERATION_ACTIVE);
                }
                let all = |digesting: &Digesting| match &digesting.parts {
                    Some(hasher) if digesting.has_key => {
                        Ok(below(Depth::Lanes, || hasher.digest()))
                    }
                    Some(hasher) => Ok(hasher.digest()),
                    None => Ok(hash(digesting.algorithm, &[])),
                };
                // SAFETY: the application passes a place for the digest and its length.
                unsafe { last(digesting, out, out_len, all) }
            })
        })
    })
}
