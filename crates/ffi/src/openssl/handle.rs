//! A `Handle` owns a value of ours. OpenSSL's core keeps it as a pointer that it does not
//! look behind.

use core::ffi::c_void;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ptr;

use crate::guard::barrier;

/// Something of type `T` that the core has a pointer to.
pub struct Handle<T>(PhantomData<T>);

impl<T: Sync> Handle<T> {
    /// What is there, to look at: other threads may look at it too, for an application may copy
    /// one context in all of them.
    ///
    /// # Safety
    ///
    /// As [`borrow`](Self::borrow), but for others who [`share`](Self::share) it.
    pub unsafe fn share<'c>(pointer: *const c_void) -> Option<&'c T> {
        // SAFETY: as the caller says.
        unsafe { pointer.cast::<T>().as_ref() }
    }
}

impl<T> Handle<T> {
    /// Makes it and gives it away: null if it cannot be made.
    #[inline]
    pub fn make(make: impl FnOnce() -> Option<T>) -> *mut c_void {
        let leak = |value: T| Box::into_raw(Box::new(value)).cast();
        barrier(ptr::null_mut(), || make().map_or(ptr::null_mut(), leak))
    }

    /// What is there, for as long as the call that brought the pointer, to change.
    ///
    /// # Safety
    ///
    /// The pointer is null, or from [`make`](Self::make) and not yet freed, and
    /// nobody else uses what is there for `'c`: the core leaves it to
    /// applications that one thread at a time uses a context.
    pub unsafe fn borrow<'c>(pointer: *mut c_void) -> Option<&'c mut T> {
        // SAFETY: as the caller says.
        unsafe { pointer.cast::<T>().as_mut() }
    }

    /// Takes it back, and overwrites it: it knows of messages and of keys.
    ///
    /// # Safety
    ///
    /// As [`borrow`](Self::borrow), and it is not used again.
    pub unsafe fn free(pointer: *mut c_void) {
        if pointer.is_null() {
            return;
        }
        let value = pointer.cast::<T>();
        // SAFETY: it came from `Box::into_raw`, and is dropped where it is; what it
        // stood in is plain bytes from then on.
        barrier((), || unsafe {
            ptr::drop_in_place(value);
            let mut place = Box::from_raw(value.cast::<MaybeUninit<T>>());
            ptr::write_bytes(place.as_mut_ptr().cast::<u8>(), 0, size_of::<T>());
            zeroize::optimization_barrier(&place);
        });
    }
}
