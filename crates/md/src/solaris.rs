//! The functions specific to Solaris's libmd: `SHA2Init` with a mechanism, and `md5_calc`. The
//! other functions, such as `SHA1Init` and `SHA256Init`, have the signatures of the BSDs.
#![allow(clippy::missing_safety_doc, reason = "the system's manual page has it")]

use core::ffi::{c_uint, c_void};

use engine::Algorithm;

use crate::door;
use crate::layout::Solaris;
use crate::live::{Hash, Kept, Live};

/// Maps a mechanism of `<sys/sha2.h>`, as passed to `SHA2Init`, to its hash: SHA-256, SHA-384 and
/// SHA-512, each also for HMAC and general HMAC (which use the same hash here), SHA-512/224 and
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

/// Returns the hash of an initialized context.
fn begun(context: &Solaris) -> Option<Hash> {
    let [mechanism, check] = context.mechanism;
    if check == mechanism.wrapping_add(1) { hash(mechanism.into()) } else { None }
}

/// `SHA2Init`: begins a message. After an unknown mechanism, later calls with the context do
/// nothing.
#[unsafe(export_name = "SHA2Init")]
pub unsafe extern "C" fn init(mechanism: u64, context: *mut Solaris) {
    door::barrier((), || {
        let mut fresh = Solaris::FINISHED;
        if let Some(hash) = hash(mechanism) {
            fresh.store(&Live::new(hash));
            fresh.mechanism = [mechanism as u32, mechanism as u32 + 1];
        }
        // SAFETY: the caller guarantees memory for a context.
        unsafe { door::copy_out(context, fresh) }
    });
}

/// `SHA2Update`: adds `len` bytes to the message.
#[unsafe(export_name = "SHA2Update")]
pub unsafe extern "C" fn update(context: *mut Solaris, data: *const c_void, len: usize) {
    door::barrier((), || {
        // SAFETY: the caller guarantees a valid context and `len` readable bytes.
        unsafe {
            let hash = begun(&door::copy_in(context)?)?;
            door::update(hash, context, data.cast(), len);
        }
        Some(())
    });
}

/// `SHA2Final`: writes the digest, whose length depends on the mechanism, to `digest`.
#[unsafe(export_name = "SHA2Final")]
pub unsafe extern "C" fn last(digest: *mut c_void, context: *mut Solaris) {
    door::barrier((), || {
        // SAFETY: the caller guarantees a valid context and room for a digest.
        unsafe {
            let hash = begun(&door::copy_in(context)?)?;
            door::last(hash, digest.cast(), context);
        }
        Some(())
    });
}

/// `md5_calc`: writes the MD5 of `len` bytes to `digest`.
#[unsafe(export_name = "md5_calc")]
pub unsafe extern "C" fn md5_calc(digest: *mut u8, data: *const u8, len: c_uint) {
    door::barrier((), || {
        // SAFETY: the caller guarantees `len` readable bytes and room for a digest.
        unsafe {
            let data = door::bytes(data, len as usize)?;
            door::put(digest, engine::hash(Algorithm::MD5, data).as_bytes())
        }
    });
}
