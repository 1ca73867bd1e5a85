//! Boundary checks of exported functions, with the statuses of `lanesum.h`.

use core::ffi::{CStr, c_char, c_int};
use std::sync::{RwLock, TryLockError};

pub(crate) use lanesum_door::{
    Failure, apart, are_apart, barrier, check, check_room, copy, put, reference, slice, slice_mut,
};

use engine::unstable::{Depth, algorithm_of, wiping_entry_stack, wiping_stack};
use engine::{Algorithm, Hasher, Policy};

use crate::c::status;

/// Runs a call of the C library and returns its status.
#[inline]
pub(crate) fn call(call: impl FnOnce() -> Result<(), Failure>) -> c_int {
    barrier(Failure::Internal.status(), || match call() {
        Ok(()) => status::LANESUM_OK,
        Err(failure) => failure.status(),
    })
}

/// Runs a call that handles a key: wipes its stack frames and returns its status.
#[inline(always)]
pub(crate) fn keyed(call: impl FnOnce() -> Result<(), Failure>) -> c_int {
    cleared(|| self::call(call))
}

/// Runs a call like [`keyed`] for a batch or a derivation, whose arguments need larger stack
/// frames.
#[inline(always)]
pub(crate) fn keyed_batch(call: impl FnOnce() -> Result<(), Failure>) -> c_int {
    wiping_stack(Depth::One, || self::call(call))
}

/// Runs a call for one message under a key, which reports its stack depth, so that the frames of
/// the call and the engine are wiped once.
#[inline(always)]
pub(crate) fn keyed_message(call: impl FnOnce(&mut Depth) -> Result<(), Failure>) -> c_int {
    wiping_entry_stack(|depth| self::call(|| call(depth)))
}

/// Runs `call`, which handles a key, and wipes the stack frames of this layer. The engine wipes its
/// own.
#[inline(always)]
pub(crate) fn cleared<T>(call: impl FnOnce() -> T) -> T {
    wiping_stack(Depth::Short, call)
}

/// Runs `work` on a hash. If a key is part of the message, wipes the stack frames, because the
/// engine does not know that.
#[inline(always)]
pub(crate) fn hashing<T>(has_key: bool, work: impl FnOnce() -> T) -> T {
    if has_key { wiping_stack(Depth::TwoGroups, work) } else { work() }
}

/// A value allocated by one call and freed by another. Any number of threads can read it, or one can
/// change it.
pub(crate) struct Owned<T>(RwLock<Option<T>>);

impl<T> Owned<T> {
    /// Allocates a value, and writes a pointer to it to `*to`.
    ///
    /// # Errors
    ///
    /// If `to` is null or misaligned, or `make` fails.
    ///
    /// # Safety
    ///
    /// Otherwise `to` is valid for writes.
    pub(crate) unsafe fn put<D>(
        to: *mut *mut D,
        make: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<(), Failure> {
        lanesum_door::check(to, 1)?;
        let made = Box::into_raw(Box::new(Self(RwLock::new(Some(make()?)))));
        // SAFETY: not null and aligned; the caller guarantees the rest.
        unsafe { to.write(made.cast()) };
        Ok(())
    }

    /// Runs `work` on the value with exclusive access. The value is `None` after `work` has taken
    /// it.
    ///
    /// # Errors
    ///
    /// If `pointer` is null, another thread is using the value or has panicked in it, or `work`
    /// fails.
    ///
    /// # Safety
    ///
    /// Otherwise `pointer` comes from [`put`](Self::put) and is not yet freed.
    pub(crate) unsafe fn with<D, R>(
        pointer: *const D,
        work: impl FnOnce(&mut Option<T>) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        // SAFETY: the caller guarantees that `put` allocated it and that it is not freed.
        let owned = unsafe { reference(pointer.cast::<Self>())? };
        work(&mut *owned.0.try_write().map_err(in_use)?)
    }

    /// Runs `work` on the value, concurrently with other readers.
    ///
    /// # Errors
    ///
    /// As [`with`](Self::with), if another thread is changing the value.
    ///
    /// # Safety
    ///
    /// As [`with`](Self::with).
    pub(crate) unsafe fn read<D, R>(
        pointer: *const D,
        work: impl FnOnce(&Option<T>) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        // SAFETY: the caller guarantees that `put` allocated it and that it is not freed.
        let owned = unsafe { reference(pointer.cast::<Self>())? };
        work(&*owned.0.try_read().map_err(in_use)?)
    }

    /// Frees the value. No-op if null.
    ///
    /// # Safety
    ///
    /// As [`with`](Self::with), and the value is not in use, now or later.
    pub(crate) unsafe fn free<D>(pointer: *mut D) {
        if !pointer.is_null() {
            // SAFETY: the caller guarantees a valid pointer, and `put` allocated it with `Box`.
            barrier((), || drop(unsafe { Box::from_raw(pointer.cast::<Self>()) }));
        }
    }
}

fn in_use<G>(error: TryLockError<G>) -> Failure {
    match error {
        TryLockError::WouldBlock => Failure::Busy,
        TryLockError::Poisoned(_) => Failure::State,
    }
}

/// Returns the NUL-terminated string at `pointer`.
///
/// # Errors
///
/// If the pointer is null; `wrong` if the string is not UTF-8.
///
/// # Safety
///
/// Otherwise the string is NUL-terminated, and does not change for `'a`.
pub(crate) unsafe fn text<'a>(pointer: *const c_char, wrong: Failure) -> Result<&'a str, Failure> {
    lanesum_door::check(pointer, 1)?;
    // SAFETY: not null; the caller guarantees the rest.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map_err(|_| wrong)
}

/// Returns `algorithm`, if LANESUM_KERNEL allows a kernel for it. For calls without a policy.
///
/// # Errors
///
/// If LANESUM_KERNEL or LANESUM_COSTS is invalid, or no kernel is allowed for the algorithm.
#[inline]
pub(crate) fn usable(algorithm: Algorithm) -> Result<Algorithm, Failure> {
    Policy::check_env(algorithm).map_or(Err(Failure::Kernel), |()| Ok(algorithm))
}

/// Imports the state of a hash. Checks first that its algorithm is [`usable`], since importing a
/// state for which LANESUM_KERNEL allows no kernel prints the fallback to standard error.
///
/// # Errors
///
/// As [`usable`], or if `state` is not a complete exported state.
pub(crate) fn import(state: &[u8]) -> Result<Hasher, Failure> {
    let algorithm = algorithm_of(state).map_err(|_| Failure::Malformed)?;
    usable(algorithm)?;
    Hasher::import(state).map_err(|_| Failure::Malformed)
}
