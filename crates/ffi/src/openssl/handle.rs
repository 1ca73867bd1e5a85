//! Opaque handles: OpenSSL's core stores a pointer to a value that this library allocates.

use core::ffi::c_void;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ptr;

use crate::guard::barrier;

/// An opaque handle to a `T`, stored by the core.
pub struct Handle<T>(PhantomData<T>);

impl<T: Sync> Handle<T> {
    /// Returns a shared reference to the value. Other threads may share it too, since an
    /// application may copy one context in several threads.
    ///
    /// # Safety
    ///
    /// As [`borrow`](Self::borrow), except that others may [`share`](Self::share) the value
    /// concurrently.
    pub unsafe fn share<'c>(pointer: *const c_void) -> Option<&'c T> {
        // SAFETY: the caller guarantees a valid handle.
        unsafe { pointer.cast::<T>().as_ref() }
    }
}

impl<T> Handle<T> {
    /// Allocates a value and returns its handle, or null on failure.
    #[inline]
    pub fn make(make: impl FnOnce() -> Option<T>) -> *mut c_void {
        let leak = |value: T| Box::into_raw(Box::new(value)).cast();
        barrier(ptr::null_mut(), || make().map_or(ptr::null_mut(), leak))
    }

    /// Returns an exclusive reference to the value, for the duration of the call that received the
    /// handle.
    ///
    /// # Safety
    ///
    /// The handle is null, or comes from [`make`](Self::make) and is not yet freed. Nothing else
    /// uses the value for `'c`: OpenSSL requires applications to use a context in one thread at a
    /// time.
    pub unsafe fn borrow<'c>(pointer: *mut c_void) -> Option<&'c mut T> {
        // SAFETY: the caller guarantees a valid handle and exclusive access.
        unsafe { pointer.cast::<T>().as_mut() }
    }

    /// Frees the value, and overwrites it, since it may contain messages and keys.
    ///
    /// # Safety
    ///
    /// As [`borrow`](Self::borrow), and the handle is not used again.
    pub unsafe fn free(pointer: *mut c_void) {
        if pointer.is_null() {
            return;
        }
        let value = pointer.cast::<T>();
        // SAFETY: the value comes from `Box::into_raw` and is dropped in place, after which its
        // memory is plain bytes.
        barrier((), || unsafe {
            ptr::drop_in_place(value);
            let mut place = Box::from_raw(value.cast::<MaybeUninit<T>>());
            ptr::write_bytes(place.as_mut_ptr().cast::<u8>(), 0, size_of::<T>());
            zeroize::optimization_barrier(&place);
        });
    }
}
