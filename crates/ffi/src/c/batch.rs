//! Batches of whole messages: by pointers and lengths, by offsets into a buffer, or at a fixed
//! stride.

use core::ffi::{c_int, c_void};
use core::ops::Range;
use core::ptr::slice_from_raw_parts_mut;

use engine::{Algorithm, Bytes, Messages, Offset, Offsets, Strided, hash_many};

use super::algorithm::{algorithm, lanesum_algorithm};
use super::policy::{chosen, lanesum_policy, share, threads};
use crate::guard::{self, Failure};

/// Messages given by pointers and lengths.
pub(super) struct Pointers<'m> {
    pointers: &'m [*const u8],
    lens: &'m [usize],
}

impl Pointers<'_> {
    /// Returns `count` messages, after checking that they do not overlap `written`.
    ///
    /// # Errors
    ///
    /// If a pointer is null but its length is not zero, a length exceeds the address space, or a
    /// message overlaps `written`.
    ///
    /// # Safety
    ///
    /// `pointers` and `lens` are valid for `count` elements, and each message is valid for reads
    /// and does not change for `'m`.
    pub(super) unsafe fn new<'m>(
        pointers: *const *const c_void,
        lens: *const usize,
        count: usize,
        written: *const [u8],
    ) -> Result<Pointers<'m>, Failure> {
        // SAFETY: the caller guarantees `count` elements at `pointers` and at `lens`.
        let (pointers, lens) = unsafe {
            (guard::slice(pointers.cast::<*const u8>(), count)?, guard::slice(lens, count)?)
        };
        // Check all messages without branches first. Only if that fails, find out which message is
        // invalid, and how.
        if !guard::are_apart(pointers, lens, written) {
            for (&pointer, &len) in pointers.iter().zip(lens) {
                // SAFETY: the caller guarantees that each message is valid for its length.
                guard::apart(unsafe { guard::slice(pointer, len)? }, written)?;
            }
        }
        Ok(Pointers { pointers, lens })
    }
}

impl<'m> Pointers<'m> {
    /// Returns the `count` messages starting at index `first`.
    pub(super) fn part(&self, first: usize, count: usize) -> Self {
        let range = first..first + count;
        Self { pointers: &self.pointers[range.clone()], lens: &self.lens[range] }
    }
}

// SAFETY: messages are only read, and do not change during `'m`.
unsafe impl Sync for Pointers<'_> {}

impl Messages for Pointers<'_> {
    fn count(&self) -> usize {
        self.pointers.len()
    }

    #[inline]
    fn message(&self, index: usize) -> &[u8] {
        let pointer = self.pointers[index];
        // SAFETY: `lens` is as long as `pointers`, whose bounds were checked.
        let len = unsafe { *self.lens.get_unchecked(index) };
        if pointer.is_null() {
            return &[];
        }
        // SAFETY: the caller of `new` guarantees valid messages, and `new` has checked every
        // length.
        unsafe { core::slice::from_raw_parts(pointer, len) }
    }
}

/// The messages of a batch with the indices in `range`.
struct Part<'m> {
    messages: &'m (dyn Messages + Sync),
    range: Range<usize>,
}

impl Messages for Part<'_> {
    fn count(&self) -> usize {
        self.range.len()
    }

    fn message(&self, index: usize) -> &[u8] {
        self.messages.message(self.range.start + index)
    }
}

/// Returns the bytes to compress for a message, including padding, for [`share`].
pub(super) fn work(message: &[u8]) -> usize {
    message.len() + 64
}

/// Checks that `count` results of `len` bytes fit in the `room` bytes at `out`, and returns the
/// bytes that they occupy.
pub(super) fn places(
    out: *mut u8,
    room: usize,
    count: usize,
    len: usize,
) -> Result<*mut [u8], Failure> {
    let taken = count.checked_mul(len).ok_or(Failure::TooLong)?;
    if taken > 0 {
        guard::check_room(out, room, taken)?;
    }
    Ok(slice_from_raw_parts_mut(out, taken))
}

/// Hashes a batch on the threads that `policy` allows.
///
/// # Safety
///
/// `out` is valid for writes and does not overlap the messages; `policy` is as [`chosen`] requires.
unsafe fn hash<M: Messages + Sync>(
    algorithm: Algorithm,
    messages: &M,
    out: *mut [u8],
    policy: *const lanesum_policy,
) -> Result<(), Failure> {
    // SAFETY: the caller guarantees this for `out` and `policy`; `places` has checked the length of
    // `out`.
    unsafe {
        let out = guard::slice_mut(out.cast(), out.len())?;
        let threads = threads(policy)?;
        chosen(policy, algorithm, |engine| {
            if threads == 1 {
                hash_many(engine, messages, Bytes(out));
                return Ok(());
            }
            let (count, work) = (messages.count(), |i| work(messages.message(i)));
            share(threads, count, work, (out, algorithm.digest_len()), |range, out| {
                hash_many(engine, &Part { messages, range }, Bytes(out));
                Ok(())
            })
        })?
    }
}

/// Hashes `count` messages in parallel SIMD lanes, using the best batch width for this CPU. Message
/// i is the `lens[i]` bytes at `messages[i]`. Its digest is the i-th in `digests`, a buffer of
/// `room` bytes: digests are contiguous. No message may overlap the digests. `policy`: see
/// lanesum_policy.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hash_many(
    algorithm: lanesum_algorithm,
    messages: *const *const c_void,
    lens: *const usize,
    count: usize,
    digests: *mut u8,
    room: usize,
    policy: *const lanesum_policy,
) -> c_int {
    guard::call(|| {
        let algorithm = self::algorithm(algorithm)?;
        if count == 1 && policy.is_null() {
            // SAFETY: the caller guarantees that the pointers are valid for one message.
            return unsafe { hash_one(guard::usable(algorithm)?, messages, lens, (digests, room)) };
        }
        let out = places(digests, room, count, algorithm.digest_len())?;
        // SAFETY: the caller guarantees valid pointers; `Pointers::new` checks that no message
        // overlaps the digests.
        unsafe { hash(algorithm, &Pointers::new(messages, lens, count, out)?, out, policy) }
    })
}

/// Hashes a batch of one message. The checks for larger batches take as long as hashing a short
/// message.
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
    // SAFETY: the caller guarantees that the pointers are valid for one message.
    unsafe {
        let (message, len) = (*guard::reference(messages)?, *guard::reference(lens)?);
        let written = slice_from_raw_parts_mut(digest, algorithm.digest_len());
        guard::apart(guard::slice(message.cast::<u8>(), len)?, written)?;
        super::hasher::hash(algorithm, (message.cast(), len), (digest, room))
    }
}

/// Hashes `count` messages in one buffer of `len` bytes, as lanesum_hash_many does. Message i
/// begins at `offsets[i]` and ends before `offsets[i + 1]`, so `offsets` has `count + 1` elements.
/// LANESUM_E_OFFSETS if an offset is less than its predecessor, or past the end of the buffer.
/// Digests are contiguous in `digests`, a buffer of `room` bytes that may not overlap `buffer`.
/// `policy`: see lanesum_policy.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hash_offsets(
    algorithm: lanesum_algorithm,
    buffer: *const c_void,
    len: usize,
    offsets: *const u64,
    count: usize,
    digests: *mut u8,
    room: usize,
    policy: *const lanesum_policy,
) -> c_int {
    // SAFETY: the caller guarantees that the pointers are valid for their lengths.
    guard::call(|| unsafe {
        hash_offsets(algorithm, (buffer, len), offsets, count, (digests, room), policy)
    })
}

/// Hashes `count` messages in one buffer of `len` bytes, as lanesum_hash_offsets does, but with
/// 32-bit offsets, as in Arrow. LANESUM_E_OFFSETS if an offset is negative, less than its
/// predecessor, or past the end of the buffer.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hash_offsets32(
    algorithm: lanesum_algorithm,
    buffer: *const c_void,
    len: usize,
    offsets: *const i32,
    count: usize,
    digests: *mut u8,
    room: usize,
    policy: *const lanesum_policy,
) -> c_int {
    // SAFETY: the caller guarantees that the pointers are valid for their lengths.
    guard::call(|| unsafe {
        hash_offsets(algorithm, (buffer, len), offsets, count, (digests, room), policy)
    })
}

/// Implements [`lanesum_hash_offsets`] and [`lanesum_hash_offsets32`].
///
/// # Safety
///
/// As [`lanesum_hash_offsets`].
unsafe fn hash_offsets<O: Offset>(
    algorithm: lanesum_algorithm,
    (buffer, len): (*const c_void, usize),
    offsets: *const O,
    count: usize,
    (digests, room): (*mut u8, usize),
    policy: *const lanesum_policy,
) -> Result<(), Failure> {
    let algorithm = self::algorithm(algorithm)?;
    let out = places(digests, room, count, algorithm.digest_len())?;
    if count == 0 {
        return Ok(());
    }
    let offset_count = count.checked_add(1).ok_or(Failure::TooLong)?;
    // SAFETY: the caller guarantees valid pointers; `apart` checks that the buffer does not overlap
    // the digests.
    unsafe {
        let buffer = guard::slice(buffer.cast(), len)?;
        let offsets = guard::slice(offsets, offset_count)?;
        guard::apart(buffer, out)?;
        let messages = Offsets::new(buffer, offsets).map_err(|_| Failure::Offsets)?;
        hash(algorithm, &messages, out, policy)
    }
}

/// Hashes `count` messages of `len` bytes each, as lanesum_hash_many does: rows of a table, chunks
/// of a file, pairs of digests in a Merkle tree. Message i begins at `buffer + i * stride`; the bytes
/// between messages are not read. LANESUM_E_STRIDE if `stride` is less than `len` and `count` is more
/// than 1. Digests are contiguous in `digests`, a buffer of `room` bytes that may overlap neither
/// the messages nor the bytes between them. `policy`: see lanesum_policy.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanesum_hash_strided(
    algorithm: lanesum_algorithm,
    buffer: *const c_void,
    len: usize,
    stride: usize,
    count: usize,
    digests: *mut u8,
    room: usize,
    policy: *const lanesum_policy,
) -> c_int {
    guard::call(|| {
        let algorithm = self::algorithm(algorithm)?;
        let out = places(digests, room, count, algorithm.digest_len())?;
        let Some(last) = count.checked_sub(1) else { return Ok(()) };
        let end = last.checked_mul(stride).and_then(|start| start.checked_add(len));
        // SAFETY: the caller guarantees valid pointers; `apart` checks that the buffer does not
        // overlap the digests.
        unsafe {
            let buffer = guard::slice(buffer.cast(), end.ok_or(Failure::TooLong)?)?;
            guard::apart(buffer, out)?;
            let messages = Strided::with_stride(buffer, len, stride, count);
            hash(algorithm, &messages.map_err(|_| Failure::Stride)?, out, policy)
        }
    })
}
