//! Exports and imports the state of a session's operations, §5.6.

use cryptoki_sys::*;
use engine::Hasher;
use zeroize::Zeroizing;

use super::operation::{Digesting, Operation};
use super::{Status, give, in_session};
use crate::guard::{import, slice};

/// A saved state: this, whether the message is in parts, and the hash's own state
/// as [`Hasher::export`] has it.
const MAGIC: [u8; 4] = *b"HP1\x01";

pub unsafe extern "C" fn get(
    session: CK_SESSION_HANDLE,
    out: *mut CK_BYTE,
    len: *mut CK_ULONG,
) -> CK_RV {
    in_session(session, |session| {
        // Whatever the operation: with no place for it no length could be told either.
        if len.is_null() {
            return Err(CKR_ARGUMENTS_BAD);
        }
        if session.sign.is_some() || session.verify.is_some() {
            // A key would be part of it, and keys do not leave.
            return Err(CKR_STATE_UNSAVEABLE);
        }
        let digesting = &session.digest.as_ref().ok_or(CKR_OPERATION_NOT_INITIALIZED)?.on;
        let begun = Hasher::new(digesting.algorithm);
        let hash = digesting.parts.as_ref().unwrap_or(&begun).export();
        let in_parts = u8::from(digesting.parts.is_some());
        // A key may be part of the message.
        let state = Zeroizing::new([&MAGIC[..], &[in_parts], hash.as_ref()].concat());
        // SAFETY: the application passes a place for the state and its length.
        unsafe { give(out, len, state.len(), || Ok(&state[..])) }.map(drop)
    })
}

/// The operation that a state is of.
fn restore(state: &[u8]) -> Option<Operation<Digesting>> {
    let (&in_parts, hash) = state.strip_prefix(&MAGIC)?.split_first()?;
    let hasher = import(hash).ok()?;
    let algorithm = hasher.algorithm();
    // What is in no parts has no bytes yet. Whether a key is in the others is not known.
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
        // SAFETY: the application passes a state of so many bytes.
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
