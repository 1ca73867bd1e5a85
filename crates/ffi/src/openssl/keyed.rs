//! The part that contexts with keys share. Their calls overwrite what they leave on the
//! stack, and say on OpenSSL's error queue why they failed.

use core::ffi::{c_int, c_void};

use super::Provider;
use super::error::Reason;
use super::handle::Handle;
use crate::guard::cleared;

/// A context that knows keys.
pub trait Keyed<'p> {
    /// The provider that it is of, which outlives it.
    fn provider(&self) -> &'p Provider;
}

/// Makes a context as another one is.
pub unsafe extern "C" fn dupctx<T: Clone + Sync>(context: *mut c_void) -> *mut c_void {
    // SAFETY: the core passes a context that it has, and waits.
    cleared(|| Handle::make(|| unsafe { Handle::<T>::share(context) }.cloned()))
}

pub unsafe extern "C" fn freectx<T>(context: *mut c_void) {
    // SAFETY: the core frees what `newctx` or `dupctx` gave it, once.
    cleared(|| unsafe { Handle::<T>::free(context) });
}

/// Changes a context; that fails if there is none.
///
/// # Safety
///
/// As [`Handle::borrow`].
#[inline(always)]
pub unsafe fn change<'p, T: Keyed<'p>>(
    context: *mut c_void,
    change: impl FnOnce(&mut T) -> Result<(), Reason>,
) -> c_int {
    // SAFETY: as the caller says.
    cleared(|| match unsafe { Handle::<T>::borrow(context) } {
        Some(known) => known.provider().answer(|| change(known)),
        None => 0,
    })
}

/// Looks at a context; that fails if there is none.
///
/// # Safety
///
/// As [`Handle::share`].
pub unsafe fn look<'p, T: Keyed<'p> + Sync>(
    context: *mut c_void,
    look: impl FnOnce(&T) -> Result<(), Reason>,
) -> c_int {
    // SAFETY: as the caller says.
    match unsafe { Handle::<T>::share(context) } {
        Some(known) => known.provider().answer(|| look(known)),
        None => 0,
    }
}
