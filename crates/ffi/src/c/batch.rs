//! Many whole messages at once, in the shapes that callers have them in.

use core::ffi::{c_int, c_void};
use core::ops::Range;
use core::ptr::slice_from_raw_parts_mut;

use engine::{Algorithm, Bytes, Messages, Offset, Offsets, Strided, hash_many};

use super::algorithm::{algorithm, lanesum_algorithm};
use super::policy::{chosen, lanesum_policy, share, threads};
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
    /// `count` of the messages, starting with number `first`.
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

/// The messages of a batch whose numbers are in `range`.
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

/// The work of a message for [`share`], with that of its padding.
pub(super) fn work(message: &[u8]) -> usize {
    message.len() + 64
}

/// What `count` results of `len` bytes take at `out`, of `room` bytes.
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

/// # Safety
///
/// `out` may be written to, and is no part of the messages; `policy` as
/// [`chosen`] requires.
unsafe fn hash<M: Messages + Sync>(
    algorithm: Algorithm,
    messages: &M,
    out: *mut [u8],
    policy: *const lanesum_policy,
) -> Result<(), Failure> {
    // SAFETY: the caller's promise; `places` has checked the rest.
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

/// Hashes `count` messages side by side, using the best batch width for this CPU. Message i
/// is the `lens[i]` bytes at `messages[i]`. Its digest is the i-th at `digests`, which has
/// `room` bytes: digests are contiguous. No message may overlap the digests.
/// `policy`: see lanesum_policy.
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
            // SAFETY: the caller's promise.
            return unsafe { hash_one(guard::usable(algorithm)?, messages, lens, (digests, room)) };
        }
        let out = places(digests, room, count, algorithm.digest_len())?;
        // SAFETY: the caller's promise; the messages are apart from the digests.
        unsafe { hash(algorithm, &Pointers::new(messages, lens, count, out)?, out, policy) }
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

/// Hashes `count` messages in one buffer of `len` bytes. Message i begins at `offsets[i]`
/// and ends before `offsets[i + 1]`, so there are `count + 1` offsets. LANESUM_E_OFFSETS if
/// one is less than the one before it, or past the end of the buffer. Digests and `policy`
/// are those of lanesum_hash_many.
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
    // SAFETY: the caller's promise.
    guard::call(|| unsafe {
        hash_offsets(algorithm, (buffer, len), offsets, count, (digests, room), policy)
    })
}

/// Hashes messages in one buffer as lanesum_hash_offsets does, by the 32-bit offsets of Arrow.
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
    // SAFETY: the caller's promise.
    guard::call(|| unsafe {
        hash_offsets(algorithm, (buffer, len), offsets, count, (digests, room), policy)
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
    policy: *const lanesum_policy,
) -> Result<(), Failure> {
    let algorithm = self::algorithm(algorithm)?;
    let out = places(digests, room, count, algorithm.digest_len())?;
    if count == 0 {
        return Ok(());
    }
    let offset_count = count.checked_add(1).ok_or(Failure::TooLong)?;
    // SAFETY: the caller's promise; the buffer is apart from the digests.
    unsafe {
        let buffer = guard::slice(buffer.cast(), len)?;
        let offsets = guard::slice(offsets, offset_count)?;
        guard::apart(buffer, out)?;
        let messages = Offsets::new(buffer, offsets).map_err(|_| Failure::Offsets)?;
        hash(algorithm, &messages, out, policy)
    }
}

/// Hashes `count` messages of `len` bytes each: rows of a table, chunks of a file, pairs
/// of digests in a Merkle tree. The first is at `buffer`, and each begins `stride` bytes
/// after the one before it. LANESUM_E_STRIDE if `stride` is less than `len`. Digests and
/// `policy` are those of lanesum_hash_many.
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
        // SAFETY: the caller's promise; the buffer is apart from the digests.
        unsafe {
            let buffer = guard::slice(buffer.cast(), end.ok_or(Failure::TooLong)?)?;
            guard::apart(buffer, out)?;
            let messages = Strided::with_stride(buffer, len, stride, count);
            hash(algorithm, &messages.map_err(|_| Failure::Stride)?, out, policy)
        }
    })
}
