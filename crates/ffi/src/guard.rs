//! What every function that is called from outside goes through: a barrier that
//! no panic passes, and checks of what comes in as pointers.

use core::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Why a call did nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// A pointer is null that may not be.
    Null,
    /// A pointer is not aligned as its type has to be.
    Alignment,
    /// A length or a count is more than memory has, or does not fit the others.
    Length,
    /// No algorithm has that number or name.
    Algorithm,
    /// A context was never initialised, or was finished.
    State,
    /// Another thread is using the context.
    Busy,
    /// No row of that name can run here, or none has the algorithm.
    Row,
    /// Bytes are not what they are to be: an exported state, text in UTF-8.
    Malformed,
    /// The parameters ask for what the function does not give.
    Parameter,
    /// A tag is not that of the message.
    Mismatch,
    /// The library broke a promise of its own.
    Internal,
}

impl Failure {
    /// Every failure, in the order of their statuses: -1, -2, ….
    pub(crate) const ALL: [Self; 11] = [
        Self::Null,
        Self::Alignment,
        Self::Length,
        Self::Algorithm,
        Self::State,
        Self::Busy,
        Self::Row,
        Self::Malformed,
        Self::Parameter,
        Self::Mismatch,
        Self::Internal,
    ];

    /// The status that a C caller gets.
    pub(crate) const fn status(self) -> c_int {
        -1 - self as c_int
    }
}

/// The status of a call that did what it was asked.
pub(crate) const OK: c_int = 0;

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
        Ok(()) => OK,
        Err(failure) => failure.status(),
    })
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
/// Otherwise an initialised value is there, and stays as it is for `'a`.
#[inline]
pub(crate) unsafe fn reference<'a, T>(pointer: *const T) -> Result<&'a T, Failure> {
    check(pointer, 1)?;
    // SAFETY: not null and aligned; the rest is the caller's word.
    Ok(unsafe { &*pointer })
}

/// The same, to write to. What is there may be of any bytes if `T` is
/// [`MaybeUninit`](core::mem::MaybeUninit).
///
/// # Errors
///
/// As [`reference`].
///
/// # Safety
///
/// As [`reference`], and nothing else reads or writes the value for `'a`.
#[inline]
pub(crate) unsafe fn reference_mut<'a, T>(pointer: *mut T) -> Result<&'a mut T, Failure> {
    check(pointer, 1)?;
    // SAFETY: as for `reference`.
    Ok(unsafe { &mut *pointer })
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
