//! One message, whole or in pieces.

use core::ffi::{c_char, c_int, c_void};
use core::ptr::slice_from_raw_parts;

use engine::{Algorithm, Hasher};

use super::algorithm::{algorithm, lanesum_algorithm, usable};
use super::kernel::chosen;
use crate::context::{Context, Held};
use crate::guard::{self, Failure};

/// A message that comes in pieces, and its hash so far: 320 bytes, aligned to 8,
/// wherever the caller likes. lanesum_hasher_init makes it one; until then, and
/// after lanesum_hasher_finish, calls with it fail with LANESUM_E_STATE. It holds no
/// memory and may be forgotten or moved by memcpy at any time between calls.
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

/// Hashes one message of `len` bytes, and writes its digest to `digest`, which has `room`
/// bytes. Message and digest may overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hash(
    algorithm: lanesum_algorithm,
    message: *const c_void,
    len: usize,
    digest: *mut u8,
    room: usize,
) -> c_int {
    // SAFETY: the caller's promise.
    guard::call(|| unsafe { hash(usable(algorithm)?, (message.cast(), len), (digest, room)) })
}

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
    // SAFETY: the caller's promise; the message was read before the digest is written.
    unsafe {
        let message = guard::slice(message, len)?;
        guard::put(digest, room, engine::hash(algorithm, message).as_bytes())
    }
}

/// Begins a message, whatever was at `hasher` before. `kernels` is NULL, or says which
/// kernels may run: see lanesum_kernel.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hasher_init(
    hasher: *mut lanesum_hasher,
    algorithm: lanesum_algorithm,
    kernels: *const c_char,
) -> c_int {
    guard::call(|| {
        // SAFETY: the caller's promise.
        let context = unsafe { Context::<Hasher>::at(hasher)? };
        let algorithm = self::algorithm(algorithm)?;
        // SAFETY: the caller's promise.
        unsafe { chosen(kernels, algorithm, |engine| context.put(Hasher::new(engine))) }
    })
}

/// Adds `len` bytes to the message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hasher_update(
    hasher: *mut lanesum_hasher,
    data: *const c_void,
    len: usize,
) -> c_int {
    guard::call(|| {
        // SAFETY: the caller's promise.
        let (context, data) =
            unsafe { (Context::<Hasher>::at(hasher)?, guard::slice(data.cast::<u8>(), len)?) };
        context.is_apart(data)?;
        context.with(|hasher| {
            hasher.update(data);
            Ok(())
        })
    })
}

/// Writes the digest of the whole message to `digest`, which has `room` bytes. The hasher
/// is then finished and overwritten. If the call fails, it is as it was before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hasher_finish(
    hasher: *mut lanesum_hasher,
    digest: *mut u8,
    room: usize,
) -> c_int {
    guard::call(|| {
        // SAFETY: the caller's promise.
        let context = unsafe { Context::<Hasher>::at(hasher)? };
        let finished = context.finish(|hasher| {
            guard::check_room(digest, room, hasher.algorithm().digest_len())?;
            Ok(hasher.finish())
        })?;
        // SAFETY: there is room; the caller's promise.
        unsafe { guard::put(digest, room, finished.as_bytes()) }
    })
}

/// Copies `from` to `to`. Each then goes on independently of the other.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hasher_copy(
    to: *mut lanesum_hasher,
    from: *const lanesum_hasher,
) -> c_int {
    guard::call(|| {
        // SAFETY: the caller's promise.
        let (to, from) = unsafe { (Context::<Hasher>::at(to)?, Context::<Hasher>::at(from)?) };
        to.put(from.with(|hasher| Ok(hasher.clone()))?);
        Ok(())
    })
}

/// Gives the message up, and overwrites what the context knows of it. A context that was
/// never initialised, or is finished, is left as it is: LANESUM_E_STATE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hasher_wipe(hasher: *mut lanesum_hasher) -> c_int {
    // SAFETY: the caller's promise.
    guard::call(|| unsafe { Context::<Hasher>::at(hasher)? }.wipe())
}

/// The longest exported state, in bytes.
pub const LANESUM_MAX_STATE_LEN: usize = 256;

/// Writes the state of the hash so far to `state`, which has `*len` bytes, and the length
/// of the state to `*len`. lanesum_hasher_import goes on from it, later, elsewhere, or
/// with another version of Lanesum. The state reveals as much of the message as a digest
/// does, and also the last bytes of the message, up to a block.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hasher_export(
    hasher: *const lanesum_hasher,
    state: *mut u8,
    len: *mut usize,
) -> c_int {
    guard::call(|| {
        // SAFETY: the caller's promise.
        let (context, room) = unsafe { (Context::<Hasher>::at(hasher)?, *guard::reference(len)?) };
        let exported = context.with(|hasher| Ok(hasher.export()))?;
        let bytes = exported.as_ref();
        context.is_apart(slice_from_raw_parts(state, bytes.len()))?;
        // SAFETY: the caller's promise; `len` was looked at before.
        unsafe {
            guard::put(state, room, bytes)?;
            len.write(bytes.len());
        }
        Ok(())
    })
}

/// Makes `hasher` go on from an exported state of `len` bytes, whatever was there before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hasher_import(
    hasher: *mut lanesum_hasher,
    state: *const u8,
    len: usize,
) -> c_int {
    guard::call(|| {
        // SAFETY: the caller's promise.
        let (context, state) =
            unsafe { (Context::<Hasher>::at(hasher)?, guard::slice(state, len)?) };
        context.put(guard::import(state)?);
        Ok(())
    })
}
