//! HMAC of one message, at once or incrementally, and of batches.

use core::ffi::{c_int, c_void};

use engine::unstable::{self, Depth};
use engine::{Bytes, Hmac, HmacKey, Messages, mac_many};

use super::algorithm::{algorithm, lanesum_algorithm, usable};
use super::batch::{Pointers, places, work};
use super::policy::{chosen, lanesum_policy, share, threads};
use crate::context::{Context, Held};
use crate::guard::{self, Failure};

/// An expanded HMAC key: 256 bytes, aligned to 8, allocated by the caller. lanesum_hmac_key_init
/// initializes it. Any number of threads may use it concurrently.
#[repr(C)]
pub struct lanesum_hmac_key {
    opaque: [u64; 32],
}

impl Held for HmacKey {
    type Declared = lanesum_hmac_key;
    const MARK: u64 = u64::from_be_bytes(*b"hmack\0\0\0");
    const SHARED: bool = true;
}

/// The state of an incremental HMAC: 512 bytes, aligned to 8, allocated by the caller anywhere.
/// lanesum_hmac_init initializes it. Before that, and after lanesum_hmac_finish or
/// lanesum_hmac_verify, calls with it fail with LANESUM_E_STATE. It contains a key: wipe it after
/// use.
#[repr(C)]
pub struct lanesum_hmac {
    opaque: [u64; 64],
}

impl Held for Hmac {
    type Declared = lanesum_hmac;
    const MARK: u64 = u64::from_be_bytes(*b"hmacm\0\0\0");
}

/// Writes the tag of a message of `len` bytes, under a key of `key_len` bytes, to `tag`, a buffer
/// of `room` bytes. The tag may overlap the message and the key.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hmac_once(
    algorithm: lanesum_algorithm,
    key: *const c_void,
    key_len: usize,
    message: *const c_void,
    len: usize,
    tag: *mut u8,
    room: usize,
) -> c_int {
    guard::keyed(|| {
        let algorithm = usable(algorithm)?;
        guard::check_room(tag, room, algorithm.digest_len())?;
        // SAFETY: the caller guarantees valid pointers; key and message are read before the tag is
        // written.
        unsafe {
            let key = guard::slice(key.cast(), key_len)?;
            let message = guard::slice(message.cast(), len)?;
            guard::put(tag, room, HmacKey::new(algorithm, key).mac(message).as_bytes())
        }
    })
}

/// Expands the HMAC key of `len` bytes at `bytes` into `key`, which can then authenticate any number
/// of messages. The previous contents of `key` are not read. `policy`: see lanesum_policy.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hmac_key_init(
    key: *mut lanesum_hmac_key,
    algorithm: lanesum_algorithm,
    bytes: *const c_void,
    len: usize,
    policy: *const lanesum_policy,
) -> c_int {
    guard::call(|| {
        // SAFETY: the caller guarantees that the pointers are valid for their lengths.
        let (context, bytes) =
            unsafe { (Context::<HmacKey>::at(key)?, guard::slice(bytes.cast::<u8>(), len)?) };
        let algorithm = self::algorithm(algorithm)?;
        // SAFETY: the caller guarantees that `policy` is null or valid.
        unsafe {
            chosen(policy, algorithm, |engine| {
                guard::cleared(|| context.put(HmacKey::new(engine, bytes)));
            })
        }
    })
}

/// Overwrites a key. No other thread may be using the key. LANESUM_E_STATE if it is not
/// initialized.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hmac_key_wipe(key: *mut lanesum_hmac_key) -> c_int {
    // SAFETY: the caller guarantees memory of the declared size.
    guard::keyed(|| unsafe { Context::<HmacKey>::at(key)? }.wipe())
}

/// Writes the tag of a message of `len` bytes to `tag`, a buffer of `room` bytes. Message and tag
/// may overlap.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hmac_key_mac(
    key: *const lanesum_hmac_key,
    message: *const c_void,
    len: usize,
    tag: *mut u8,
    room: usize,
) -> c_int {
    guard::keyed_message(|depth| {
        // SAFETY: the caller guarantees valid pointers; the message is read before the tag is
        // written.
        unsafe {
            let key = Context::<HmacKey>::at(key)?.read()?;
            guard::check_room(tag, room, key.algorithm().digest_len())?;
            let message = guard::slice(message.cast(), len)?;
            guard::put(tag, room, unstable::tag(&key, message, depth).as_bytes())
        }
    })
}

/// Verifies that `tag`, of `tag_len` bytes, is the tag of the message of `len` bytes. Returns
/// LANESUM_OK if it is, else LANESUM_E_MISMATCH. The comparison takes constant time. A tag shorter
/// or longer than a digest never matches.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hmac_key_verify(
    key: *const lanesum_hmac_key,
    message: *const c_void,
    len: usize,
    tag: *const u8,
    tag_len: usize,
) -> c_int {
    guard::keyed_message(|depth| {
        // SAFETY: the caller guarantees that the pointers are valid for their lengths.
        let (key, message, tag) = unsafe {
            let key = Context::<HmacKey>::at(key)?.read()?;
            (key, guard::slice(message.cast(), len)?, guard::slice(tag, tag_len)?)
        };
        let right = unstable::tag(&key, message, depth) == *tag;
        if right { Ok(()) } else { Err(Failure::Mismatch) }
    })
}

/// Computes the tags of `count` messages under one key, in parallel SIMD lanes. Message i is the
/// `lens[i]` bytes at `messages[i]`. Its tag is the i-th in `tags`, a buffer of `room` bytes: tags
/// are contiguous. No message may overlap the tags. `policy`: see lanesum_policy.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_mac_many(
    key: *const lanesum_hmac_key,
    messages: *const *const c_void,
    lens: *const usize,
    count: usize,
    tags: *mut u8,
    room: usize,
    policy: *const lanesum_policy,
) -> c_int {
    guard::keyed_message(|depth| {
        // SAFETY: the caller guarantees valid pointers; `Pointers::new` checks that no message
        // overlaps the tags.
        unsafe {
            if count == 1 && policy.is_null() {
                return mac_one(key, messages, lens, (tags, room), depth);
            }
            let key = Context::<HmacKey>::at(key)?.read()?;
            let algorithm = key.algorithm();
            let out = places(tags, room, count, algorithm.digest_len())?;
            let messages = Pointers::new(messages, lens, count, out)?;
            let out = guard::slice_mut(out.cast(), out.len())?;
            let threads = threads(policy)?;
            chosen(policy, algorithm, |engine| {
                if threads == 1 {
                    unstable::mac_many(engine, &key, &messages, Bytes(out), depth);
                    return Ok(());
                }
                *depth = Depth::One;
                let work = |i| work(messages.message(i));
                share(threads, count, work, (out, algorithm.digest_len()), |range, out| {
                    let messages = messages.part(range.start, range.len());
                    mac_many(engine, &key, &messages, Bytes(out));
                    Ok(())
                })
            })?
        }
    })
}

/// Computes the tag of a batch of one message.
///
/// # Safety
///
/// As [`lanesum_mac_many`].
#[inline]
unsafe fn mac_one(
    key: *const lanesum_hmac_key,
    messages: *const *const c_void,
    lens: *const usize,
    (tag, room): (*mut u8, usize),
    depth: &mut Depth,
) -> Result<(), Failure> {
    // SAFETY: the caller guarantees valid pointers; `apart` checks that the message does not
    // overlap the tag.
    unsafe {
        let key = Context::<HmacKey>::at(key)?.read()?;
        let algorithm = key.algorithm();
        let written = places(tag, room, 1, algorithm.digest_len())?;
        let (message, len) = (*guard::reference(messages)?, *guard::reference(lens)?);
        let message = guard::slice(message.cast::<u8>(), len)?;
        guard::apart(message, written)?;
        guard::usable(algorithm)?;
        let made = unstable::tag_automatically(&key, message, depth);
        guard::put(tag, room, made.as_bytes())
    }
}

/// Begins a message under a key. The key is copied: it may be wiped before the message is finished.
/// The previous contents of `hmac` are not read.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hmac_init(
    hmac: *mut lanesum_hmac,
    key: *const lanesum_hmac_key,
) -> c_int {
    guard::keyed(|| {
        // SAFETY: the caller guarantees memory of the declared size at both pointers.
        let (context, key) =
            unsafe { (Context::<Hmac>::at(hmac)?, Context::<HmacKey>::at(key)?.read()?) };
        context.put(Hmac::new(&key));
        Ok(())
    })
}

/// Adds the `len` bytes at `data` to the message. LANESUM_E_OVERLAP if they overlap the context.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hmac_update(
    hmac: *mut lanesum_hmac,
    data: *const c_void,
    len: usize,
) -> c_int {
    guard::keyed(|| {
        // SAFETY: the caller guarantees that the pointers are valid for their lengths.
        let (context, data) =
            unsafe { (Context::<Hmac>::at(hmac)?, guard::slice(data.cast::<u8>(), len)?) };
        context.is_apart(data)?;
        context.with(|hmac| {
            hmac.update(data);
            Ok(())
        })
    })
}

/// Writes the tag of the message to `tag`, a buffer of `room` bytes, and overwrites the context,
/// which is then finished. If the call fails, the context is unchanged.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hmac_finish(
    hmac: *mut lanesum_hmac,
    tag: *mut u8,
    room: usize,
) -> c_int {
    guard::keyed(|| {
        // SAFETY: the caller guarantees memory of the declared size.
        let context = unsafe { Context::<Hmac>::at(hmac)? };
        let finished = context.finish(|hmac| {
            guard::check_room(tag, room, hmac.algorithm().digest_len())?;
            Ok(hmac.finish())
        })?;
        // SAFETY: the caller guarantees `room` writable bytes; the closure has checked that the tag
        // fits.
        unsafe { guard::put(tag, room, finished.as_bytes()) }
    })
}

/// Finishes the message, and verifies that `tag`, of `tag_len` bytes, is its tag. Returns
/// LANESUM_OK or LANESUM_E_MISMATCH, as lanesum_hmac_key_verify does. In both cases the context is
/// finished and overwritten.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hmac_verify(
    hmac: *mut lanesum_hmac,
    tag: *const u8,
    tag_len: usize,
) -> c_int {
    guard::keyed(|| {
        // SAFETY: the caller guarantees that the pointers are valid for their lengths.
        let (context, tag) = unsafe { (Context::<Hmac>::at(hmac)?, guard::slice(tag, tag_len)?) };
        let verdict = context.finish(|hmac| Ok(hmac.verify(tag)))?;
        verdict.map_err(|_| Failure::Mismatch)
    })
}

/// Copies `from` to `to`. The copies are independent. The previous contents of `to` are not read.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hmac_copy(
    to: *mut lanesum_hmac,
    from: *const lanesum_hmac,
) -> c_int {
    guard::keyed(|| {
        // SAFETY: the caller guarantees memory of the declared size at both pointers.
        let (to, from) = unsafe { (Context::<Hmac>::at(to)?, Context::<Hmac>::at(from)?) };
        to.put(from.read()?);
        Ok(())
    })
}

/// Abandons the message, and overwrites the key and the state of the message. LANESUM_E_STATE, and
/// no change, if the context was never initialized or is finished.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hmac_wipe(hmac: *mut lanesum_hmac) -> c_int {
    // SAFETY: the caller guarantees memory of the declared size.
    guard::keyed(|| unsafe { Context::<Hmac>::at(hmac)? }.wipe())
}
