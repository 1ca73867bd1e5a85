//! What every function that is called from outside goes through: a barrier that
//! no panic passes, and checks of what comes in as pointers.

use core::ffi::{CStr, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};

use engine::hazmat::{Depth, below};

use crate::c::status;

/// Why a call did nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub(crate) enum Failure {
    /// A pointer is null that may not be.
    Null = status::LANESUM_E_NULL,
    /// A pointer is not aligned as its type has to be.
    Alignment = status::LANESUM_E_ALIGNMENT,
    /// A length is more than memory has, or too small for what is to go there.
    Length = status::LANESUM_E_LENGTH,
    /// No algorithm has that number or name.
    Algorithm = status::LANESUM_E_ALGORITHM,
    /// A context was never initialised, or was finished.
    State = status::LANESUM_E_STATE,
    /// Another thread is using the context.
    Busy = status::LANESUM_E_BUSY,
    /// No row of that name can run here, or none has the algorithm.
    Row = status::LANESUM_E_ROW,
    /// Offsets, rows or an exported state are not what they are to be.
    Malformed = status::LANESUM_E_MALFORMED,
    /// What is to be read and what is to be written overlap.
    Overlap = status::LANESUM_E_OVERLAP,
    /// The function does not give what its parameters ask for.
    Parameter = status::LANESUM_E_PARAMETER,
    /// A tag is not that of the message.
    Mismatch = status::LANESUM_E_MISMATCH,
    /// The library broke a promise of its own.
    Internal = status::LANESUM_E_INTERNAL,
}

impl Failure {
    /// Every failure.
    pub(crate) const ALL: [Self; 12] = [
        Self::Null,
        Self::Alignment,
        Self::Length,
        Self::Algorithm,
        Self::State,
        Self::Busy,
        Self::Row,
        Self::Malformed,
        Self::Overlap,
        Self::Parameter,
        Self::Mismatch,
        Self::Internal,
    ];

    /// The status that a C caller gets.
    pub(crate) const fn status(self) -> c_int {
        self as c_int
    }
}

/// Runs `call`, and gives `on_panic` if it panics: nothing unwinds into a caller
/// that is not Rust.
#[inline]
pub(crate) fn barrier<T>(on_panic: T, call: impl FnOnce() -> T) -> T {
    // What the call had its hands on is behind pointers of the caller's, who is
    // told that the call failed.
    catch_unwind(AssertUnwindSafe(call)).unwrap_or(on_panic)
}

/// Runs a call of the C library: its status.
#[inline]
pub(crate) fn call(call: impl FnOnce() -> Result<(), Failure>) -> c_int {
    barrier(Failure::Internal.status(), || match call() {
        Ok(()) => status::LANESUM_OK,
        Err(failure) => failure.status(),
    })
}

/// The same for a call that has a key in its hands.
#[inline(always)]
pub(crate) fn keyed(call: impl FnOnce() -> Result<(), Failure>) -> c_int {
    cleared(|| self::call(call))
}

/// Runs what has a key in its hands, and overwrites what the door has left of it on the stack. What
/// the engine leaves there it overwrites itself.
#[inline(always)]
pub(crate) fn cleared<T>(call: impl FnOnce() -> T) -> T {
    below(Depth::Door, call)
}

/// The longest slice that there is, in bytes.
const MAX_LEN: usize = isize::MAX as usize;

/// The `len` values at `pointer`, which may be null if there are none.
///
/// # Errors
///
/// If it is null, not aligned, or more than memory has.
///
/// # Safety
///
/// Otherwise `len` initialised values are there, and stay as they are for `'a`.
#[inline]
pub(crate) unsafe fn slice<'a, T>(pointer: *const T, len: usize) -> Result<&'a [T], Failure> {
    if len == 0 {
        return Ok(&[]);
    }
    check(pointer, len)?;
    // SAFETY: not null, aligned, at most as long as a slice may be; the rest is
    // the caller's word.
    Ok(unsafe { core::slice::from_raw_parts(pointer, len) })
}

/// The same, to write to.
///
/// # Errors
///
/// As [`slice`].
///
/// # Safety
///
/// As [`slice`], and nothing else reads or writes the values for `'a`.
#[inline]
pub(crate) unsafe fn slice_mut<'a, T>(pointer: *mut T, len: usize) -> Result<&'a mut [T], Failure> {
    if len == 0 {
        return Ok(&mut []);
    }
    check(pointer, len)?;
    // SAFETY: as for `slice`.
    Ok(unsafe { core::slice::from_raw_parts_mut(pointer, len) })
}

/// What `pointer` points to.
///
/// # Errors
///
/// If it is null or not aligned.
///
/// # Safety
///
/// Otherwise a value is there that is initialised (or of a type that need not be),
/// and nobody changes it for `'a` but by means that its type allows.
#[inline]
pub(crate) unsafe fn reference<'a, T>(pointer: *const T) -> Result<&'a T, Failure> {
    check(pointer, 1)?;
    // SAFETY: not null and aligned; the rest is the caller's word.
    Ok(unsafe { &*pointer })
}

#[inline]
fn check<T>(pointer: *const T, len: usize) -> Result<(), Failure> {
    if pointer.is_null() {
        Err(Failure::Null)
    } else if !pointer.is_aligned() {
        Err(Failure::Alignment)
    } else if len > MAX_LEN / size_of::<T>().max(1) {
        Err(Failure::Length)
    } else {
        Ok(())
    }
}

/// Copies `bytes` to `out`, which has room for `room` bytes. The bytes may be the
/// only thing read before: `out` is not touched until now.
///
/// # Errors
///
/// If `out` is null, or the room too small.
///
/// # Safety
///
/// Otherwise `room` bytes may be written there.
#[inline]
pub(crate) unsafe fn put(out: *mut u8, room: usize, bytes: &[u8]) -> Result<(), Failure> {
    check_room(out, room, bytes.len())?;
    // SAFETY: there is room; `bytes` is memory of our own.
    unsafe { core::ptr::copy_nonoverlapping(bytes.as_ptr(), out, bytes.len()) };
    Ok(())
}

/// Whether `len` bytes could be [`put`].
///
/// # Errors
///
/// As [`put`].
#[inline]
pub(crate) fn check_room(out: *const u8, room: usize, len: usize) -> Result<(), Failure> {
    check(out, room)?;
    if room < len { Err(Failure::Length) } else { Ok(()) }
}

/// The text at `pointer`, which ends with a zero.
///
/// # Errors
///
/// If the pointer is null; `wrong` if the text is not UTF-8.
///
/// # Safety
///
/// Otherwise a zero follows, and nobody changes the text for `'a`.
pub(crate) unsafe fn text<'a>(pointer: *const c_char, wrong: Failure) -> Result<&'a str, Failure> {
    check(pointer, 1)?;
    // SAFETY: not null; the rest is the caller's word.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map_err(|_| wrong)
}

/// Whether the bytes of `read` and `written` are apart. Neither is looked at.
///
/// # Errors
///
/// If they share a byte.
#[inline]
pub(crate) fn apart(read: &[u8], written: *const [u8]) -> Result<(), Failure> {
    let (a, b) = (read.as_ptr().addr(), written.cast::<u8>().addr());
    let (a_end, b_end) = (a + read.len(), b.saturating_add(written.len()));
    if a < b_end && b < a_end { Err(Failure::Overlap) } else { Ok(()) }
}
