//! The checks at the entry of every function that is called from outside, with the statuses
//! of `lanesum.h`.

use core::ffi::{CStr, c_char, c_int};
use std::sync::{Mutex, TryLockError};

pub(crate) use lanesum_door::{
    Failure, apart, are_apart, barrier, check, check_room, copy, put, reference, slice, slice_mut,
};

use engine::unstable::{Depth, algorithm_of, below, below_as_said};
use engine::{Algorithm, Hasher, Policy};

use crate::c::status;

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

/// As [`keyed`], for a batch or a derivation: the arguments fill larger frames.
#[inline(always)]
pub(crate) fn keyed_batch(call: impl FnOnce() -> Result<(), Failure>) -> c_int {
    below(Depth::OneCall, || self::call(call))
}

/// The same for a call of one message under a key, which says how far down it goes: what the door and
/// the engine leave is overwritten once.
#[inline(always)]
pub(crate) fn keyed_message(call: impl FnOnce(&mut Depth) -> Result<(), Failure>) -> c_int {
    below_as_said(|depth| self::call(|| call(depth)))
}

/// Runs what has a key in its hands, and overwrites what the door has left of it on the stack. What
/// the engine leaves there it overwrites itself.
#[inline(always)]
pub(crate) fn cleared<T>(call: impl FnOnce() -> T) -> T {
    below(Depth::Door, call)
}

/// The same of what has a key in its hands and no context.
#[inline(always)]
pub(crate) fn cleared_shallow<T>(call: impl FnOnce() -> T) -> T {
    below(Depth::Call, call)
}

/// Runs what works on a hash. If a key is part of the message, what is left of it on the stack is
/// overwritten: no call of the engine's knows that.
#[inline(always)]
pub(crate) fn hashing<T>(has_key: bool, work: impl FnOnce() -> T) -> T {
    if has_key { below(Depth::Lanes, work) } else { work() }
}

/// A value that a call made and another frees. One thread at a time has it.
pub(crate) struct Owned<T>(Mutex<Option<T>>);

impl<T> Owned<T> {
    /// Makes one, and puts where it is into `to`.
    ///
    /// # Errors
    ///
    /// If `to` is null or not aligned, or `make` fails.
    ///
    /// # Safety
    ///
    /// Otherwise a pointer may be written there.
    pub(crate) unsafe fn put<D>(
        to: *mut *mut D,
        make: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<(), Failure> {
        lanesum_door::check(to, 1)?;
        let made = Box::into_raw(Box::new(Self(Mutex::new(Some(make()?)))));
        // SAFETY: not null and aligned; the rest is the caller's word.
        unsafe { to.write(made.cast()) };
        Ok(())
    }

    /// Runs `work` on the value, alone, which is there until `work` takes it.
    ///
    /// # Errors
    ///
    /// If `pointer` is null, the value was taken, another thread has it, or `work` fails.
    ///
    /// # Safety
    ///
    /// Otherwise [`put`](Self::put) has made what is there, and nobody has freed it.
    pub(crate) unsafe fn with<D, R>(
        pointer: *const D,
        work: impl FnOnce(&mut Option<T>) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        // SAFETY: the caller's promise.
        let owned = unsafe { reference(pointer.cast::<Self>())? };
        let mut value = owned.0.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => Failure::Busy,
            TryLockError::Poisoned(_) => Failure::State,
        })?;
        work(&mut value)
    }

    /// Frees the value; of null nothing.
    ///
    /// # Safety
    ///
    /// As [`with`](Self::with), and nobody uses it from now on.
    pub(crate) unsafe fn free<D>(pointer: *mut D) {
        if !pointer.is_null() {
            // SAFETY: the caller's promise; `put` made it of a box.
            barrier((), || drop(unsafe { Box::from_raw(pointer.cast::<Self>()) }));
        }
    }
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
    lanesum_door::check(pointer, 1)?;
    // SAFETY: not null; the rest is the caller's word.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map_err(|_| wrong)
}

/// The algorithm, if a call that is told no kernels can run it as LANESUM_KERNEL asks.
///
/// # Errors
///
/// If the variable names nothing, or leaves the algorithm no kernel.
#[inline]
pub(crate) fn usable(algorithm: Algorithm) -> Result<Algorithm, Failure> {
    Policy::check_env(algorithm).map_or(Err(Failure::Kernel), |()| Ok(algorithm))
}

/// The hash whose state was exported, if [`usable`] says so of its algorithm: to import another is
/// to be told on standard error what it goes on by.
///
/// # Errors
///
/// As [`usable`], or if `state` is not a whole exported state.
pub(crate) fn import(state: &[u8]) -> Result<Hasher, Failure> {
    let algorithm = algorithm_of(state).map_err(|_| Failure::Malformed)?;
    usable(algorithm)?;
    Hasher::import(state).map_err(|_| Failure::Malformed)
}
