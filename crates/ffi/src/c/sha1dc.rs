//! SHA-1 with detection of collision attacks.

use core::ffi::{c_int, c_void};

use engine::sha1dc::{Checked, Detection, Sha1Dc, hash};
use engine::{Algorithm, AsEngine};

use super::batch::{Pointers, places};
use super::policy::{chosen, lanesum_policy};
use crate::context::{Context, Held};
use crate::guard::{self, Failure};

/// Options for collision detection: 0, for the behavior of git, or a sum of LANESUM_SHA1DC_
/// constants.
pub type lanesum_detection = i32;

/// Return a digest other than SHA-1 for a message with a block of a collision attack, so that the
/// two messages of a collision have different digests.
pub const LANESUM_SHA1DC_SAFE: lanesum_detection = 1;
/// Also detect the published collisions of reduced-round SHA-1.
pub const LANESUM_SHA1DC_REDUCED: lanesum_detection = 2;

/// The length of a digest, in bytes.
const LEN: usize = 20;

fn detection(number: lanesum_detection) -> Result<Detection, Failure> {
    let mut detection = Detection::new();
    if number & !(LANESUM_SHA1DC_SAFE | LANESUM_SHA1DC_REDUCED) != 0 {
        return Err(Failure::Detection);
    }
    if number & LANESUM_SHA1DC_SAFE != 0 {
        detection = detection.safe();
    }
    if number & LANESUM_SHA1DC_REDUCED != 0 {
        detection = detection.reduced();
    }
    Ok(detection)
}

/// The state of an incremental SHA-1 with detection of collision attacks: 320 bytes, aligned to 8,
/// allocated by the caller anywhere. lanesum_sha1dc_init initializes it. Before that, and after
/// lanesum_sha1dc_finish, calls with it fail with LANESUM_E_STATE. It owns no other memory, and may
/// be discarded or moved by memcpy at any time between calls.
#[repr(C)]
pub struct lanesum_sha1dc_hasher {
    opaque: [u64; 40],
}

impl Held for Sha1Dc {
    type Declared = lanesum_sha1dc_hasher;
    const MARK: u64 = u64::from_be_bytes(*b"sha1d\0\0\0");

    fn blank(&mut self) {
        *self = Self::new();
    }
}

/// Writes a digest and the collision flag.
///
/// # Safety
///
/// `digest` is valid for writes of `room` bytes, and `collision` is valid for writes.
unsafe fn put(
    checked: Checked,
    (digest, room): (*mut u8, usize),
    collision: *mut c_int,
) -> Result<(), Failure> {
    // SAFETY: the caller guarantees valid output pointers.
    unsafe {
        guard::put(digest, room, &checked.digest())?;
        collision.write(checked.is_collision().into());
    }
    Ok(())
}

/// Hashes a message of `len` bytes with SHA-1, and writes its digest to `digest`, a buffer of
/// `room` bytes. Sets `*collision` to 1 if the message contains a block of a collision attack, which
/// means that another message can have the same SHA-1 digest, else to 0. `detection`: see
/// lanesum_detection.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_sha1dc(
    message: *const c_void,
    len: usize,
    detection: lanesum_detection,
    digest: *mut u8,
    room: usize,
    collision: *mut c_int,
) -> c_int {
    guard::call(|| {
        let detection = self::detection(detection)?;
        guard::usable(Algorithm::SHA1)?;
        guard::check_room(digest, room, LEN)?;
        // SAFETY: the caller guarantees valid pointers; the message is read before the digest is
        // written.
        unsafe {
            guard::reference(collision)?;
            let message = guard::slice(message.cast::<u8>(), len)?;
            put(hash(Algorithm::SHA1, detection, message), (digest, room), collision)
        }
    })
}

/// Hashes `count` messages as lanesum_hash_many does, but always on the calling thread.
/// `collisions` has `count` bytes: byte i is set to 1 if message i contains a block of a collision
/// attack, else to 0. No message may overlap `digests` or `collisions`, and these may not overlap
/// each other. `detection`: see lanesum_detection. `policy`: see lanesum_policy.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_sha1dc_many(
    messages: *const *const c_void,
    lens: *const usize,
    count: usize,
    detection: lanesum_detection,
    digests: *mut u8,
    room: usize,
    collisions: *mut u8,
    policy: *const lanesum_policy,
) -> c_int {
    /// The number of messages per call of the engine, after which their results are written.
    const PIECE: usize = 256;

    guard::call(|| {
        let detection = self::detection(detection)?;
        let out = places(digests, room, count, LEN)?;
        // SAFETY: the caller guarantees valid pointers; the messages are checked not to overlap the
        // output.
        unsafe {
            let flags = guard::slice_mut(collisions, count)?;
            let messages = Pointers::new(messages, lens, count, out)?;
            for i in 0..count {
                guard::apart(engine::Messages::message(&messages, i), flags)?;
            }
            guard::apart(guard::slice(digests.cast_const(), count * LEN)?, flags)?;
            let engine = chosen(policy, Algorithm::SHA1, |engine| engine.to_engine())?;
            let out = guard::slice_mut(digests, count * LEN)?.as_chunks_mut::<LEN>().0;
            let mut checked = [Checked::default(); PIECE];
            let places = out.chunks_mut(PIECE).zip(flags.chunks_mut(PIECE));
            for (i, (out, flags)) in places.enumerate() {
                let checked = &mut checked[..out.len()];
                let part = messages.part(i * PIECE, out.len());
                engine::sha1dc::hash_many(&engine, detection, &part, checked);
                for ((out, flag), checked) in out.iter_mut().zip(flags).zip(checked) {
                    *out = checked.digest();
                    *flag = checked.is_collision().into();
                }
            }
        }
        Ok(())
    })
}

/// Begins a message. The previous contents of `hasher` are not read. `detection`: see
/// lanesum_detection. `policy`: see lanesum_policy.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_sha1dc_init(
    hasher: *mut lanesum_sha1dc_hasher,
    detection: lanesum_detection,
    policy: *const lanesum_policy,
) -> c_int {
    guard::call(|| {
        // SAFETY: the caller guarantees memory of the declared size.
        let context = unsafe { Context::<Sha1Dc>::at(hasher)? };
        let detection = self::detection(detection)?;
        // SAFETY: the caller guarantees that `policy` is null or valid.
        unsafe {
            chosen(policy, Algorithm::SHA1, |engine| context.put(Sha1Dc::with(engine, detection)))
        }
    })
}

/// Adds the `len` bytes at `data` to the message. LANESUM_E_OVERLAP if they overlap the hasher.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_sha1dc_update(
    hasher: *mut lanesum_sha1dc_hasher,
    data: *const c_void,
    len: usize,
) -> c_int {
    guard::call(|| {
        // SAFETY: the caller guarantees that the pointers are valid for their lengths.
        let (context, data) =
            unsafe { (Context::<Sha1Dc>::at(hasher)?, guard::slice(data.cast::<u8>(), len)?) };
        context.is_apart(data)?;
        context.with(|hasher| {
            hasher.update(data);
            Ok(())
        })
    })
}

/// Writes the digest of the message to `digest`, a buffer of `room` bytes. Sets `*collision` to 1
/// if the message contains a block of a collision attack, else to 0. The hasher is then finished.
/// If the call fails, the hasher is unchanged.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_sha1dc_finish(
    hasher: *mut lanesum_sha1dc_hasher,
    digest: *mut u8,
    room: usize,
    collision: *mut c_int,
) -> c_int {
    guard::call(|| {
        // SAFETY: the caller guarantees memory of the declared size.
        let context = unsafe { Context::<Sha1Dc>::at(hasher)? };
        let checked = context.finish(|hasher| {
            guard::check_room(digest, room, LEN)?;
            // SAFETY: the caller guarantees that `collision` is null or valid.
            unsafe { guard::reference(collision)? };
            Ok(hasher.finish())
        })?;
        // SAFETY: the caller guarantees valid output pointers; the closure has checked them and
        // `room`.
        unsafe { put(checked, (digest, room), collision) }
    })
}
