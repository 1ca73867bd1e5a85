//! Exports and imports the state of a session's operations, §5.6.

use cryptoki_sys::*;
use engine::Hasher;
use zeroize::Zeroizing;

use super::operation::{Digesting, Operation};
use super::{Status, give, in_session};
use crate::guard::{import, slice};

/// The header of a saved state. A flag follows, whether the message is passed in parts, and then
/// the state of the hash in the format of [`Hasher::export`].
const MAGIC: [u8; 4] = *b"HP1\x01";

pub unsafe extern "C" fn get(
    session: CK_SESSION_HANDLE,
    out: *mut CK_BYTE,
    len: *mut CK_ULONG,
) -> CK_RV {
    in_session(session, |session| {
        // Check this first for any operation, since without `len` no length can be returned.
        if len.is_null() {
            return Err(CKR_ARGUMENTS_BAD);
        }
        if session.sign.is_some() || session.verify.is_some() {
            // The state would contain a key, and keys must not be exported.
            return Err(CKR_STATE_UNSAVEABLE);
        }
        let digesting = &session.digest.as_ref().ok_or(CKR_OPERATION_NOT_INITIALIZED)?.on;
        let begun = Hasher::new(digesting.algorithm);
        let hash = digesting.parts.as_ref().unwrap_or(&begun).export();
        let in_parts = u8::from(digesting.parts.is_some());
        // Wiped when dropped, since a key may be part of the message.
        let state = Zeroizing::new([&MAGIC[..], &[in_parts], hash.as_ref()].concat());
        // SAFETY: the application passes valid output pointers.
        unsafe { give(out, len, state.len(), || Ok(&state[..])) }.map(drop)
    })
}

/// Restores the operation from a state.
fn restore(state: &[u8]) -> Option<Operation<Digesting>> {
    let (&in_parts, hash) = state.strip_prefix(&MAGIC)?.split_first()?;
    let hasher = import(hash).ok()?;
    let algorithm = hasher.algorithm();
    // A message without parts is empty. The state does not record whether a key is part of the
    // message, so assume that it is.
    match in_parts {
        0 if hasher.is_empty() => Some(Operation::new(Digesting::new(algorithm))),
        1 => Some(Operation::in_parts(Digesting { algorithm, parts: Some(hasher), has_key: true })),
        _ => None,
    }
}

pub unsafe extern "C" fn set(
    session: CK_SESSION_HANDLE,
    state: *mut CK_BYTE,
    len: CK_ULONG,
    encryption_key: CK_OBJECT_HANDLE,
    authentication_key: CK_OBJECT_HANDLE,
) -> CK_RV {
    in_session(session, |session| {
        if state.is_null() {
            return Err(CKR_ARGUMENTS_BAD);
        }
        // SAFETY: the application passes `len` readable bytes.
        let state = unsafe { slice(state, len as usize) }.status()?;
        let digest = restore(state).ok_or(CKR_SAVED_STATE_INVALID)?;
        if encryption_key != CK_INVALID_HANDLE || authentication_key != CK_INVALID_HANDLE {
            return Err(CKR_KEY_NOT_NEEDED);
        }
        session.digest = Some(digest);
        (session.sign, session.verify) = (None, None);
        Ok(())
    })
}
