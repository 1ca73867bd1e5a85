//! The functions that only Solaris's libmd has: `SHA2Init` with a mechanism, and `md5_calc`.
//! Solaris's `SHA1Init`, `SHA256Init` and so on have the form of the BSDs'.
#![allow(clippy::missing_safety_doc, reason = "the system's manual page has it")]

use core::ffi::{c_uint, c_void};

use engine::Algorithm;

use crate::door;
use crate::layout::Solaris;
use crate::live::{Hash, Kept, Live};

/// The mechanisms of `<sys/sha2.h>`, as `SHA2Init` takes them: SHA-256, its HMAC and
/// general HMAC (which the library hashes alike), SHA-384, SHA-512, SHA-512/224 and
/// SHA-512/256.
fn hash(mechanism: u64) -> Option<Hash> {
    let algorithm = match mechanism {
        0..=2 => Algorithm::SHA256,
        3..=5 => Algorithm::SHA384,
        6..=8 => Algorithm::SHA512,
        9 => Algorithm::SHA512_224,
        10 => Algorithm::SHA512_256,
        _ => return None,
    };
    Some(Hash::Engine(algorithm))
}

/// What a context was begun with, if it was begun.
fn begun(context: &Solaris) -> Option<Hash> {
    let [mechanism, check] = context.mechanism;
    if check == mechanism.wrapping_add(1) { hash(mechanism.into()) } else { None }
}

/// `SHA2Init`: a message of no bytes yet. Of a mechanism that there is not, no
/// message: what follows does nothing.
#[unsafe(export_name = "SHA2Init")]
pub unsafe extern "C" fn init(mechanism: u64, context: *mut Solaris) {
    door::barrier((), || {
        let mut fresh = Solaris::FINISHED;
        if let Some(hash) = hash(mechanism) {
            fresh.store(&Live::new(hash));
            fresh.mechanism = [mechanism as u32, mechanism as u32 + 1];
        }
        // SAFETY: the caller's promise.
        unsafe { door::copy_out(context, fresh) }
    });
}

/// `SHA2Update`: adds `len` bytes to the message.
#[unsafe(export_name = "SHA2Update")]
pub unsafe extern "C" fn update(context: *mut Solaris, data: *const c_void, len: usize) {
    door::barrier((), || {
        // SAFETY: the caller's promise.
        unsafe {
            let hash = begun(&door::copy_in(context)?)?;
            door::update(hash, context, data.cast(), len);
        }
        Some(())
    });
}

/// `SHA2Final`: writes the digest of the mechanism's length to `digest`.
#[unsafe(export_name = "SHA2Final")]
pub unsafe extern "C" fn last(digest: *mut c_void, context: *mut Solaris) {
    door::barrier((), || {
        // SAFETY: the caller's promise.
        unsafe {
            let hash = begun(&door::copy_in(context)?)?;
            door::last(hash, digest.cast(), context);
        }
        Some(())
    });
}

/// `md5_calc`: the MD5 of `len` bytes.
#[unsafe(export_name = "md5_calc")]
pub unsafe extern "C" fn md5_calc(digest: *mut u8, data: *const u8, len: c_uint) {
    door::barrier((), || {
        // SAFETY: the caller's promise.
        unsafe {
            let data = door::bytes(data, len as usize)?;
            door::put(digest, engine::hash(Algorithm::MD5, data).as_bytes())
        }
    });
}
