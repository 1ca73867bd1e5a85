//! Many whole messages at once, in the shapes that callers have them in.

use core::ffi::{c_char, c_int, c_void};
use core::ptr::slice_from_raw_parts_mut;

use engine::{Algorithm, Bytes, Messages, Offset, Offsets, Strided, hash_many};

use super::algorithm::{algorithm, lanesum_algorithm};
use super::kernel::chosen;
use crate::guard::{self, Failure};

/// Messages by pointers and lengths.
pub(super) struct Pointers<'m> {
    pointers: &'m [*const u8],
    lens: &'m [usize],
}

impl Pointers<'_> {
    /// `count` messages, all of them apart from what will be written.
    ///
    /// # Errors
    ///
    /// If one of the pointers is null without need, a length is more than memory
    /// has, or a message overlaps with `written`.
    ///
    /// # Safety
    ///
    /// Otherwise the messages are there, and stay as they are for `'m`.
    pub(super) unsafe fn new<'m>(
        pointers: *const *const c_void,
        lens: *const usize,
        count: usize,
        written: *const [u8],
    ) -> Result<Pointers<'m>, Failure> {
        // SAFETY: the caller's promise.
        let (pointers, lens) = unsafe {
            (guard::slice(pointers.cast::<*const u8>(), count)?, guard::slice(lens, count)?)
        };
        // All of them without a branch first; which one is wrong, and how, only if one is.
        if !guard::are_apart(pointers, lens, written) {
            for (&pointer, &len) in pointers.iter().zip(lens) {
                // SAFETY: the caller's promise.
                guard::apart(unsafe { guard::slice(pointer, len)? }, written)?;
            }
        }
        Ok(Pointers { pointers, lens })
    }
}

impl<'m> Pointers<'m> {
    /// So many of the messages, from number `first` on.
    pub(super) fn part(&self, first: usize, count: usize) -> Self {
        let range = first..first + count;
        Self { pointers: &self.pointers[range.clone()], lens: &self.lens[range] }
    }
}

// SAFETY: messages are read alone, and stay as they are for as long as these are there.
unsafe impl Sync for Pointers<'_> {}

impl Messages for Pointers<'_> {
    fn count(&self) -> usize {
        self.pointers.len()
    }

    #[inline]
    fn message(&self, index: usize) -> &[u8] {
        let pointer = self.pointers[index];
        // SAFETY: there are as many lengths as pointers.
        let len = unsafe { *self.lens.get_unchecked(index) };
        if pointer.is_null() {
            return &[];
        }
        // SAFETY: the promise of `new`, which also looked at every length.
        unsafe { core::slice::from_raw_parts(pointer, len) }
    }
}

/// What `count` results of `len` bytes take at `out`, of `room` bytes.
pub(super) fn places(
    out: *mut u8,
    room: usize,
    count: usize,
    len: usize,
) -> Result<*mut [u8], Failure> {
    let taken = count.checked_mul(len).ok_or(Failure::Length)?;
    if taken > 0 {
        guard::check_room(out, room, taken)?;
    }
    Ok(slice_from_raw_parts_mut(out, taken))
}

/// # Safety
///
/// `out` may be written to, and is no part of the messages; `kernels` is null or a
/// text that ends with a zero.
unsafe fn hash<M: Messages + Sync>(
    algorithm: Algorithm,
    messages: &M,
    out: *mut [u8],
    kernels: *const c_char,
) -> Result<(), Failure> {
    // SAFETY: the caller's promise; `places` has checked the rest.
    unsafe {
        let out = guard::slice_mut(out.cast(), out.len())?;
        chosen(kernels, algorithm, |engine| hash_many(engine, messages, Bytes(out)))
    }
}

/// Hashes `count` messages side by side, as many at once as the CPU does well. Message i
/// is the `lens[i]` bytes at `messages[i]`. Its digest is the i-th at `digests`, where
/// digests stand one right after the other, in `room` bytes. No message may overlap with
/// the digests. `kernels`: see lanesum_kernel.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hash_many(
    algorithm: lanesum_algorithm,
    messages: *const *const c_void,
    lens: *const usize,
    count: usize,
    digests: *mut u8,
    room: usize,
    kernels: *const c_char,
) -> c_int {
    guard::call(|| {
        let algorithm = self::algorithm(algorithm)?;
        if count == 1 && kernels.is_null() {
            // SAFETY: the caller's promise.
            return unsafe { hash_one(guard::usable(algorithm)?, messages, lens, (digests, room)) };
        }
        let out = places(digests, room, count, algorithm.digest_len())?;
        // SAFETY: the caller's promise; the messages are apart from the digests.
        unsafe { hash(algorithm, &Pointers::new(messages, lens, count, out)?, out, kernels) }
    })
}

/// A batch of one: what others ask first takes as long as a short message.
///
/// # Safety
///
/// As [`lanesum_hash_many`].
#[inline]
unsafe fn hash_one(
    algorithm: Algorithm,
    messages: *const *const c_void,
    lens: *const usize,
    (digest, room): (*mut u8, usize),
) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    unsafe {
        let (message, len) = (*guard::reference(messages)?, *guard::reference(lens)?);
        let written = slice_from_raw_parts_mut(digest, algorithm.digest_len());
        guard::apart(guard::slice(message.cast::<u8>(), len)?, written)?;
        super::hasher::hash(algorithm, (message.cast(), len), (digest, room))
    }
}

/// Hashes `count` messages that stand one after the other in a buffer of `len` bytes.
/// Message i reaches from `offsets[i]` to `offsets[i + 1]`, so there is one offset more
/// than messages. Otherwise it is lanesum_hash_many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hash_offsets(
    algorithm: lanesum_algorithm,
    buffer: *const c_void,
    len: usize,
    offsets: *const u64,
    count: usize,
    digests: *mut u8,
    room: usize,
    kernels: *const c_char,
) -> c_int {
    // SAFETY: the caller's promise.
    guard::call(|| unsafe {
        hash_offsets(algorithm, (buffer, len), offsets, count, (digests, room), kernels)
    })
}

/// lanesum_hash_offsets for the 32-bit offsets of Arrow.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hash_offsets32(
    algorithm: lanesum_algorithm,
    buffer: *const c_void,
    len: usize,
    offsets: *const i32,
    count: usize,
    digests: *mut u8,
    room: usize,
    kernels: *const c_char,
) -> c_int {
    // SAFETY: the caller's promise.
    guard::call(|| unsafe {
        hash_offsets(algorithm, (buffer, len), offsets, count, (digests, room), kernels)
    })
}

/// # Safety
///
/// As the functions that call it.
unsafe fn hash_offsets<O: Offset>(
    algorithm: lanesum_algorithm,
    (buffer, len): (*const c_void, usize),
    offsets: *const O,
    count: usize,
    (digests, room): (*mut u8, usize),
    kernels: *const c_char,
) -> Result<(), Failure> {
    let algorithm = self::algorithm(algorithm)?;
    let out = places(digests, room, count, algorithm.digest_len())?;
    if count == 0 {
        return Ok(());
    }
    let offset_count = count.checked_add(1).ok_or(Failure::Length)?;
    // SAFETY: the caller's promise; the buffer is apart from the digests.
    unsafe {
        let buffer = guard::slice(buffer.cast(), len)?;
        let offsets = guard::slice(offsets, offset_count)?;
        guard::apart(buffer, out)?;
        let messages = Offsets::new(buffer, offsets).map_err(|_| Failure::Malformed)?;
        hash(algorithm, &messages, out, kernels)
    }
}

/// Hashes `count` messages of `len` bytes each: rows of a table, chunks of a file, pairs
/// of digests in a Merkle tree. The first is at `buffer`, and each begins `stride` bytes
/// after the one before it. Otherwise it is lanesum_hash_many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hash_strided(
    algorithm: lanesum_algorithm,
    buffer: *const c_void,
    len: usize,
    stride: usize,
    count: usize,
    digests: *mut u8,
    room: usize,
    kernels: *const c_char,
) -> c_int {
    guard::call(|| {
        let algorithm = self::algorithm(algorithm)?;
        let out = places(digests, room, count, algorithm.digest_len())?;
        let Some(last) = count.checked_sub(1) else { return Ok(()) };
        let end = last.checked_mul(stride).and_then(|start| start.checked_add(len));
        // SAFETY: the caller's promise; the buffer is apart from the digests.
        unsafe {
            let buffer = guard::slice(buffer.cast(), end.ok_or(Failure::Length)?)?;
            guard::apart(buffer, out)?;
            let messages = Strided::with_stride(buffer, len, stride, count);
            hash(algorithm, &messages.map_err(|_| Failure::Malformed)?, out, kernels)
        }
    })
}
