//! The boundary checks of exported functions: they catch panics, and do not dereference pointers
//! that are visibly invalid.

use core::ffi::{c_char, c_int};
use core::ptr;
use std::io::Write;

use engine::Digest;
use lanesum_spec::Int;

use crate::live::{self, Hash, Kept, Live};

/// Runs `call`, and returns `otherwise` if it panics or returns `None`.
pub(crate) fn barrier<T>(otherwise: T, call: impl FnOnce() -> Option<T>) -> T {
    lanesum_door::barrier(None, call).unwrap_or(otherwise)
}

/// Returns the `len` bytes at `data`.
///
/// # Safety
///
/// If not null, `data` is valid for reads of `len` bytes, which do not change for `'a`.
pub(crate) unsafe fn bytes<'a>(data: *const u8, len: usize) -> Option<&'a [u8]> {
    // SAFETY: the caller guarantees `len` readable bytes.
    unsafe { lanesum_door::slice(data, len) }.ok()
}

/// A context at any alignment. C requires an aligned one, but a function that returns `void` could
/// not report that it did not hash.
#[derive(Clone, Copy)]
#[repr(C, packed)]
struct Anywhere<C: Copy>(C);

/// Copies the context at `context`.
///
/// # Safety
///
/// If not null, `context` is valid for reads of this size.
pub(crate) unsafe fn copy_in<C: Copy>(context: *const C) -> Option<C> {
    if context.is_null() {
        return None;
    }
    // SAFETY: the caller guarantees memory of this size, and any bytes are a valid context.
    // Volatile, since another thread may access it.
    Some(unsafe { ptr::read_volatile(context.cast::<Anywhere<C>>()) }.0)
}

/// Writes `value` to `context`.
///
/// # Safety
///
/// If not null, `context` is valid for writes of this size.
pub(crate) unsafe fn copy_out<C: Copy>(context: *mut C, value: C) -> Option<()> {
    if context.is_null() {
        return None;
    }
    // SAFETY: the caller guarantees memory of this size.
    unsafe { ptr::write_volatile(context.cast::<Anywhere<C>>(), Anywhere(value)) };
    Some(())
}

/// `…Init`: begins a message.
///
/// # Safety
///
/// As [`copy_out`].
pub(crate) unsafe fn init<C: Kept>(hash: Hash, context: *mut C) {
    barrier((), || {
        let mut fresh = C::FINISHED;
        fresh.store(&Live::new(hash));
        // SAFETY: the caller guarantees memory for a context.
        unsafe { copy_out(context, fresh) }
    });
}

/// Runs `change` on a copy of the context and writes it back. Returns `None` if `context` is null or
/// `change` panics.
///
/// # Safety
///
/// As [`copy_in`] and [`copy_out`].
pub(crate) unsafe fn with<C: Copy, T>(
    context: *mut C,
    change: impl FnOnce(&mut C) -> T,
) -> Option<T> {
    barrier(None, || {
        // SAFETY: the caller guarantees a valid context.
        let mut copy = unsafe { copy_in(context)? };
        let changed = change(&mut copy);
        // SAFETY: the caller guarantees a valid context.
        unsafe { copy_out(context, copy)? };
        Some(Some(changed))
    })
}

/// Runs `change` on the hash in a context.
unsafe fn with_live<C: Kept>(hash: Hash, context: *mut C, change: impl FnOnce(&mut Live)) {
    // SAFETY: the caller guarantees a valid context.
    unsafe {
        with(context, |copy| {
            let mut live = copy.load(hash);
            change(&mut live);
            copy.store(&live);
        });
    }
}

/// `…Update`: adds `len` bytes to the message.
///
/// # Safety
///
/// As [`copy_in`] and [`bytes`].
pub(crate) unsafe fn update<C: Kept>(hash: Hash, context: *mut C, data: *const u8, len: usize) {
    // SAFETY: the caller guarantees a valid context and `len` readable bytes.
    unsafe {
        let Some(data) = bytes(data, len) else { return };
        with_live(hash, context, |live| live.update(data));
    }
}

/// `…Pad`: pads the current message.
///
/// # Safety
///
/// As [`copy_in`].
pub(crate) unsafe fn pad<C: Kept>(hash: Hash, context: *mut C) {
    // SAFETY: the caller guarantees a valid context.
    unsafe { with_live(hash, context, Live::pad) };
}

/// Returns the digest, and overwrites the context.
unsafe fn finish<C: Kept>(hash: Hash, context: *mut C) -> Option<Digest> {
    // SAFETY: the caller guarantees a valid context.
    let copy = unsafe { copy_in(context)? };
    let digest = copy.load(hash).finish();
    // SAFETY: the caller guarantees a valid context.
    unsafe { copy_out(context, C::FINISHED)? };
    Some(digest)
}

/// `…Final`: writes the digest to `digest`.
///
/// # Safety
///
/// As [`copy_in`]; if not null, `digest` has room for a digest.
pub(crate) unsafe fn last<C: Kept>(hash: Hash, digest: *mut u8, context: *mut C) {
    // SAFETY: the caller guarantees a valid context and room for a digest.
    barrier((), || unsafe { put(digest, finish(hash, context)?.as_bytes()) });
}

/// Copies `bytes` of the library to the caller's buffer.
///
/// # Safety
///
/// If not null, `to` is valid for writes of `bytes.len()` bytes.
pub(crate) unsafe fn put(to: *mut u8, bytes: &[u8]) -> Option<()> {
    // SAFETY: the caller guarantees the room.
    unsafe { lanesum_door::put(to, bytes.len(), bytes) }.ok()
}

/// `…End`: writes the digest in hexadecimal and a terminating NUL to `text`. If `text` is null,
/// allocates the string with `malloc`; the caller frees it.
///
/// # Safety
///
/// As [`copy_in`]; if not null, `text` has room for the string.
pub(crate) unsafe fn end<C: Kept>(hash: Hash, context: *mut C, text: *mut c_char) -> *mut c_char {
    barrier(ptr::null_mut(), || {
        // SAFETY: the caller guarantees a valid context and room for the text.
        unsafe { hex(text, hash.digest_len(), || finish(hash, context)) }
    })
}

/// Writes a digest of `len` bytes in hexadecimal to `text`, or to allocated memory, as [`end`]
/// does.
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
        // SAFETY: `malloc` accepts any length. The caller frees the result.
        place = unsafe { libc::malloc(2 * len + 1) }.cast();
    }
    if place.is_null() {
        return None;
    }
    let Some(digest) = digest() else {
        if text.is_null() {
            // SAFETY: `malloc` returned it above, and nothing else uses it.
            unsafe { libc::free(place.cast()) };
        }
        return None;
    };
    // The last byte remains the terminating NUL.
    let mut line = [0; 2 * Digest::MAX_LEN + 1];
    write!(&mut line[..2 * len], "{digest}").ok()?;
    // SAFETY: the caller guarantees the room, or `malloc` allocated it.
    unsafe { put(place, &line[..=2 * len])? };
    Some(place.cast())
}

/// `…Transform`: compresses one block into the caller's chaining value.
///
/// # Safety
///
/// If not null, `state` is valid for N words and `block` for one block.
pub(crate) unsafe fn transform<I: Int, const N: usize>(
    hash: Hash,
    state: *mut I,
    block: *const u8,
) {
    barrier((), || {
        let state = state.cast::<[I; N]>();
        // SAFETY: the caller guarantees N words and a whole block.
        let (mut words, block) = unsafe { (copy_in(state)?, bytes(block, hash.block_len())?) };
        live::compress(hash, &mut words, block);
        // SAFETY: the caller guarantees N words.
        unsafe { copy_out(state, words) }
    });
}

/// Sets `errno`.
pub(crate) fn set_errno(error: c_int) {
    // SAFETY: `errno` is thread-local.
    unsafe { *libc::__errno_location() = error };
}
