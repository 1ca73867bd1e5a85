//! Hashes one message, at once or incrementally.

use core::ffi::{c_int, c_void};
use core::ptr::slice_from_raw_parts;

use engine::{Algorithm, Hasher};

use super::algorithm::{algorithm, lanesum_algorithm, usable};
use super::policy::{chosen, lanesum_policy};
use crate::context::{Context, Held};
use crate::guard::{self, Failure};

/// The state of an incremental hash: 320 bytes, aligned to 8, allocated by the caller anywhere.
/// lanesum_hasher_init initializes it. Before that, and after lanesum_hasher_finish, calls with it
/// fail with LANESUM_E_STATE. It owns no other memory, and may be discarded or moved by memcpy at
/// any time between calls.
#[repr(C)]
pub struct lanesum_hasher {
    opaque: [u64; 40],
}

impl Held for Hasher {
    type Declared = lanesum_hasher;
    const MARK: u64 = u64::from_be_bytes(*b"hashe\0\0\0");

    fn blank(&mut self) {
        *self = Self::new(self.algorithm());
    }
}

/// Hashes a message of `len` bytes, and writes its digest to `digest`, a buffer of `room` bytes.
/// Message and digest may overlap. LANESUM_E_LENGTH if `room` is less than the length of a digest.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hash(
    algorithm: lanesum_algorithm,
    message: *const c_void,
    len: usize,
    digest: *mut u8,
    room: usize,
) -> c_int {
    // SAFETY: the caller guarantees that the pointers are valid for their lengths.
    guard::call(|| unsafe { hash(usable(algorithm)?, (message.cast(), len), (digest, room)) })
}

/// Implements [`lanesum_hash`] for an algorithm known to be usable.
///
/// # Safety
///
/// As [`lanesum_hash`].
#[inline]
pub(super) unsafe fn hash(
    algorithm: Algorithm,
    (message, len): (*const u8, usize),
    (digest, room): (*mut u8, usize),
) -> Result<(), Failure> {
    guard::check_room(digest, room, algorithm.digest_len())?;
    // SAFETY: the caller guarantees valid pointers; the message is read before the digest is
    // written.
    unsafe {
        let message = guard::slice(message, len)?;
        guard::put(digest, room, engine::hash(algorithm, message).as_bytes())
    }
}

/// Begins a message. The previous contents of `hasher` are not read. `policy`: see lanesum_policy.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hasher_init(
    hasher: *mut lanesum_hasher,
    algorithm: lanesum_algorithm,
    policy: *const lanesum_policy,
) -> c_int {
    guard::call(|| {
        // SAFETY: the caller guarantees memory of the declared size.
        let context = unsafe { Context::<Hasher>::at(hasher)? };
        let algorithm = self::algorithm(algorithm)?;
        // SAFETY: the caller guarantees that `policy` is null or valid.
        unsafe { chosen(policy, algorithm, |engine| context.put(Hasher::new(engine))) }
    })
}

/// Adds the `len` bytes at `data` to the message. LANESUM_E_OVERLAP if they overlap the hasher.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hasher_update(
    hasher: *mut lanesum_hasher,
    data: *const c_void,
    len: usize,
) -> c_int {
    guard::call(|| {
        // SAFETY: the caller guarantees that the pointers are valid for their lengths.
        let (context, data) =
            unsafe { (Context::<Hasher>::at(hasher)?, guard::slice(data.cast::<u8>(), len)?) };
        context.is_apart(data)?;
        context.with(|hasher| {
            hasher.update(data);
            Ok(())
        })
    })
}

/// Writes the digest of the message to `digest`, a buffer of `room` bytes, and overwrites the
/// hasher, which is then finished. If the call fails, the hasher is unchanged.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hasher_finish(
    hasher: *mut lanesum_hasher,
    digest: *mut u8,
    room: usize,
) -> c_int {
    guard::call(|| {
        // SAFETY: the caller guarantees memory of the declared size.
        let context = unsafe { Context::<Hasher>::at(hasher)? };
        let finished = context.finish(|hasher| {
            guard::check_room(digest, room, hasher.algorithm().digest_len())?;
            Ok(hasher.finish())
        })?;
        // SAFETY: the caller guarantees `room` writable bytes; the closure has checked that the
        // digest fits.
        unsafe { guard::put(digest, room, finished.as_bytes()) }
    })
}

/// Copies `from` to `to`. The copies are independent. The previous contents of `to` are not read.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hasher_copy(
    to: *mut lanesum_hasher,
    from: *const lanesum_hasher,
) -> c_int {
    guard::call(|| {
        // SAFETY: the caller guarantees memory of the declared size at both pointers.
        let (to, from) = unsafe { (Context::<Hasher>::at(to)?, Context::<Hasher>::at(from)?) };
        to.put(from.read()?);
        Ok(())
    })
}

/// Abandons the message, and overwrites its state. LANESUM_E_STATE, and no change, if the hasher
/// was never initialized or is finished.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hasher_wipe(hasher: *mut lanesum_hasher) -> c_int {
    // SAFETY: the caller guarantees memory of the declared size.
    guard::call(|| unsafe { Context::<Hasher>::at(hasher)? }.wipe())
}

/// The maximum length of an exported state, in bytes.
pub const LANESUM_MAX_STATE_LEN: usize = 256;

/// Writes the state of the hash to `state`, a buffer of `*len` bytes, and the length of the state
/// to `*len`. LANESUM_MAX_STATE_LEN bytes are always enough. LANESUM_E_LENGTH if the state does not
/// fit; `*len` is then unchanged. lanesum_hasher_import resumes from the state: later, on another
/// machine, or with another version of Lanesum.
///
/// The state contains the last bytes of the message, up to a block, and a chaining value, which
/// reveals as much of the message as a digest does. Protect it like the message.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hasher_export(
    hasher: *const lanesum_hasher,
    state: *mut u8,
    len: *mut usize,
) -> c_int {
    guard::call(|| {
        // SAFETY: the caller guarantees memory of the declared size at `hasher` and at `len`.
        let (context, room) = unsafe { (Context::<Hasher>::at(hasher)?, *guard::reference(len)?) };
        let exported = context.read()?.export();
        let bytes = exported.as_ref();
        context.is_apart(slice_from_raw_parts(state, bytes.len()))?;
        // SAFETY: the caller guarantees `room` writable bytes at `state`; `len` was checked above.
        unsafe {
            guard::put(state, room, bytes)?;
            len.write(bytes.len());
        }
        Ok(())
    })
}

/// Resumes from an exported state of `len` bytes. The previous contents of `hasher` are not read.
/// LANESUM_E_MALFORMED if the state is invalid or incomplete.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hasher_import(
    hasher: *mut lanesum_hasher,
    state: *const u8,
    len: usize,
) -> c_int {
    guard::call(|| {
        // SAFETY: the caller guarantees that the pointers are valid for their lengths.
        let (context, state) =
            unsafe { (Context::<Hasher>::at(hasher)?, guard::slice(state, len)?) };
        context.put(guard::import(state)?);
        Ok(())
    })
}
