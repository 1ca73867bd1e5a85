//! Common code of contexts with keys: calls wipe their stack frames, and report failures on
//! OpenSSL's error queue.

use core::ffi::{c_int, c_void};

use super::Provider;
use super::error::Reason;
use super::handle::Handle;
use crate::guard::cleared;

/// A context with keys.
pub trait Keyed<'p> {
    /// Returns the provider of the context, which outlives it.
    fn provider(&self) -> &'p Provider;
}

/// Duplicates a context.
pub unsafe extern "C" fn dupctx<T: Clone + Sync>(context: *mut c_void) -> *mut c_void {
    // SAFETY: the core passes a valid context, which does not change during the call.
    cleared(|| Handle::make(|| unsafe { Handle::<T>::share(context) }.cloned()))
}

pub unsafe extern "C" fn freectx<T>(context: *mut c_void) {
    // SAFETY: the core frees a context of `newctx` or `dupctx` only once.
    cleared(|| unsafe { Handle::<T>::free(context) });
}

/// Runs `change` on a context. Returns 0 on failure or if the context is null.
///
/// # Safety
///
/// As [`Handle::borrow`].
#[inline(always)]
pub unsafe fn change<'p, T: Keyed<'p>>(
    context: *mut c_void,
    change: impl FnOnce(&mut T) -> Result<(), Reason>,
) -> c_int {
    // SAFETY: the caller upholds the contract of `borrow`.
    cleared(|| match unsafe { Handle::<T>::borrow(context) } {
        Some(known) => known.provider().answer(|| change(known)),
        None => 0,
    })
}

/// Runs `look` on a shared context. Returns 0 on failure or if the context is null.
///
/// # Safety
///
/// As [`Handle::share`].
pub unsafe fn look<'p, T: Keyed<'p> + Sync>(
    context: *mut c_void,
    look: impl FnOnce(&T) -> Result<(), Reason>,
) -> c_int {
    // SAFETY: the caller upholds the contract of `share`.
    match unsafe { Handle::<T>::share(context) } {
        Some(known) => known.provider().answer(|| look(known)),
        None => 0,
    }
}
