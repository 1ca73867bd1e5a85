//! The checks at the entry of every function. No panic leaves, and pointers that are visibly
//! wrong are not followed.

use core::ffi::{c_char, c_int};
use core::ptr;
use std::io::Write;

use engine::Digest;
use lanesum_spec::Int;

use crate::live::{Hash, Kept, Live};

/// Runs `call`, and gives `otherwise` if it panics or has nothing to give.
pub(crate) fn barrier<T>(otherwise: T, call: impl FnOnce() -> Option<T>) -> T {
    lanesum_door::barrier(None, call).unwrap_or(otherwise)
}

/// The bytes to read at `data`.
///
/// # Safety
///
/// They are there, if the pointer is not null, and stay as they are for `'a`.
pub(crate) unsafe fn bytes<'a>(data: *const u8, len: usize) -> Option<&'a [u8]> {
    // SAFETY: the caller's promise.
    unsafe { lanesum_door::slice(data, len) }.ok()
}

/// A context wherever it is. C asks for one that is aligned; of a function without a result, one
/// that was not hashed would be told by nothing.
#[derive(Clone, Copy)]
#[repr(C, packed)]
struct Anywhere<C: Copy>(C);

/// A copy of what is at `context`.
///
/// # Safety
///
/// There is memory of this size, if the pointer is not null.
pub(crate) unsafe fn copy_in<C: Copy>(context: *const C) -> Option<C> {
    if context.is_null() {
        return None;
    }
    // SAFETY: the caller's promise; any bytes are a context. Volatile, as another
    // thread may be at it.
    Some(unsafe { ptr::read_volatile(context.cast::<Anywhere<C>>()) }.0)
}

/// Puts `value` at `context`.
///
/// # Safety
///
/// As [`copy_in`].
pub(crate) unsafe fn copy_out<C: Copy>(context: *mut C, value: C) -> Option<()> {
    if context.is_null() {
        return None;
    }
    // SAFETY: the caller's promise.
    unsafe { ptr::write_volatile(context.cast::<Anywhere<C>>(), Anywhere(value)) };
    Some(())
}

/// `…Init`: a message of no bytes yet.
///
/// # Safety
///
/// As [`copy_in`].
pub(crate) unsafe fn init<C: Kept>(hash: Hash, context: *mut C) {
    barrier((), || {
        let mut fresh = C::FINISHED;
        fresh.store(&Live::new(hash));
        // SAFETY: the caller's promise.
        unsafe { copy_out(context, fresh) }
    });
}

/// Runs `change` on the message that is at `context`.
unsafe fn with<C: Kept>(hash: Hash, context: *mut C, change: impl FnOnce(&mut Live)) {
    barrier((), || {
        // SAFETY: the caller's promise.
        let mut copy = unsafe { copy_in(context)? };
        let mut live = copy.load(hash);
        change(&mut live);
        copy.store(&live);
        // SAFETY: the caller's promise.
        unsafe { copy_out(context, copy) }
    });
}

/// `…Update`: adds `len` bytes to the message.
///
/// # Safety
///
/// As [`copy_in`] and [`bytes`].
pub(crate) unsafe fn update<C: Kept>(hash: Hash, context: *mut C, data: *const u8, len: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        let Some(data) = bytes(data, len) else { return };
        with(hash, context, |live| live.update(data));
    }
}

/// `…Pad`: adds the padding of the message so far.
///
/// # Safety
///
/// As [`copy_in`].
pub(crate) unsafe fn pad<C: Kept>(hash: Hash, context: *mut C) {
    // SAFETY: the caller's promise.
    unsafe { with(hash, context, Live::pad) };
}

/// The digest; nothing of the message is left at `context`.
unsafe fn finish<C: Kept>(hash: Hash, context: *mut C) -> Option<Digest> {
    // SAFETY: the caller's promise.
    let copy = unsafe { copy_in(context)? };
    let digest = copy.load(hash).finish();
    // SAFETY: the caller's promise.
    unsafe { copy_out(context, C::FINISHED)? };
    Some(digest)
}

/// `…Final`: writes the digest to `digest`.
///
/// # Safety
///
/// As [`copy_in`]; there is room for a digest, if the pointer is not null.
pub(crate) unsafe fn last<C: Kept>(hash: Hash, digest: *mut u8, context: *mut C) {
    // SAFETY: the caller's promise.
    barrier((), || unsafe { put(digest, finish(hash, context)?.as_bytes()) });
}

/// Writes bytes of ours to a caller's place for them.
///
/// # Safety
///
/// There is room, if the pointer is not null.
pub(crate) unsafe fn put(to: *mut u8, bytes: &[u8]) -> Option<()> {
    // SAFETY: the caller's promise.
    unsafe { lanesum_door::put(to, bytes.len(), bytes) }.ok()
}

/// `…End`: writes the digest in hexadecimal, and a zero, to `text`; or to memory
/// that the caller is to free, if that is null.
///
/// # Safety
///
/// As [`last`], with room for so much.
pub(crate) unsafe fn end<C: Kept>(hash: Hash, context: *mut C, text: *mut c_char) -> *mut c_char {
    barrier(ptr::null_mut(), || {
        // SAFETY: the caller's promise.
        unsafe { hex(text, hash.digest_len(), || finish(hash, context)) }
    })
}

/// Writes a digest of `len` bytes in hexadecimal, as [`end`] does.
///
/// # Safety
///
/// As [`end`].
pub(crate) unsafe fn hex(
    text: *mut c_char,
    len: usize,
    digest: impl FnOnce() -> Option<Digest>,
) -> Option<*mut c_char> {
    let mut place = text.cast::<u8>();
    if place.is_null() {
        // SAFETY: `malloc` takes any length; what it gives the caller frees.
        place = unsafe { libc::malloc(2 * len + 1) }.cast();
    }
    if place.is_null() {
        return None;
    }
    let Some(digest) = digest() else {
        if text.is_null() {
            // SAFETY: it was allocated just now.
            unsafe { libc::free(place.cast()) };
        }
        return None;
    };
    // The zero is there.
    let mut line = [0; 2 * Digest::MAX_LEN + 1];
    write!(&mut line[..2 * len], "{digest}").ok()?;
    // SAFETY: the caller's promise, or as much as was allocated.
    unsafe { put(place, &line[..=2 * len])? };
    Some(place.cast())
}

/// `…Transform`: one block into words that a caller keeps.
///
/// # Safety
///
/// There are N words and a block, if the pointers are not null.
pub(crate) unsafe fn transform<I: Int, const N: usize>(
    hash: Hash,
    state: *mut I,
    block: *const u8,
) {
    barrier((), || {
        let state = state.cast::<[I; N]>();
        // SAFETY: the caller's promise.
        let (mut words, block) = unsafe { (copy_in(state)?, bytes(block, hash.block_len())?) };
        let mut wide = [0; 8];
        wide.iter_mut().zip(words).for_each(|(to, word)| *to = word.widen());
        hash.compress(&mut wide, block);
        words.iter_mut().zip(wide).for_each(|(to, word)| *to = I::truncate(word));
        // SAFETY: the caller's promise.
        unsafe { copy_out(state, words) }
    });
}

/// Says why a call failed, as libc's calls do.
pub(crate) fn set_errno(error: c_int) {
    // SAFETY: the calling thread's own.
    unsafe { *libc::__errno_location() = error };
}
