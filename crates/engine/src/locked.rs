//! Memory for keys: dedicated pages that are neither swapped out nor written to core dumps, if the
//! system supports that, and are overwritten before they are unmapped.
//!
//! No other part of the engine maps memory. This module is here because the command and the PKCS #11
//! library both need it, and have no other crate in common.

use core::fmt;
use core::mem::MaybeUninit;
use core::ops::{Deref, DerefMut};
use core::ptr::{self, NonNull};

use crate::base::wipe;

#[cfg(target_os = "linux")]
mod pages {
    use core::ffi::c_void;
    use core::ptr::{self, NonNull};

    const PROT_READ_WRITE: i32 = 1 | 2;
    const MAP_PRIVATE_ANONYMOUS: i32 = 0x02 | 0x20;
    const MADV_DONTDUMP: i32 = 16;

    unsafe extern "C" {
        fn mmap(
            at: *mut c_void,
            len: usize,
            rights: i32,
            flags: i32,
            file: i32,
            offset: isize,
        ) -> *mut c_void;
        fn munmap(at: *mut c_void, len: usize) -> i32;
        fn madvise(at: *mut c_void, len: usize, advice: i32) -> i32;
        fn mlock(at: *const c_void, len: usize) -> i32;
    }

    /// Maps `len` bytes of new pages, all zeros.
    pub(super) fn map(len: usize) -> NonNull<u8> {
        // SAFETY: the system chooses an unused address, so no existing memory is affected. `madvise` and
        // `mlock` change no bytes, and the memory is usable if they fail.
        unsafe {
            let at = mmap(ptr::null_mut(), len, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, -1, 0);
            assert!(at.addr() != usize::MAX, "no memory for a key");
            madvise(at, len, MADV_DONTDUMP);
            mlock(at, len);
            NonNull::new(at.cast()).expect("a mapping is nowhere at null")
        }
    }

    /// Unmaps the pages.
    ///
    /// # Safety
    ///
    /// `at` must be the result of [`map`] with the same `len`, and must not be used again.
    pub(super) unsafe fn unmap(at: NonNull<u8>, len: usize) {
        // SAFETY: the caller guarantees that the pages were mapped with this length.
        unsafe { munmap(at.as_ptr().cast(), len) };
    }
}

/// On other systems, ordinary heap memory.
#[cfg(not(target_os = "linux"))]
mod pages {
    use core::ptr::NonNull;
    use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};

    fn layout(len: usize) -> Layout {
        Layout::from_size_align(len, super::ALIGNMENT).expect("a length that memory has")
    }

    pub(super) fn map(len: usize) -> NonNull<u8> {
        // SAFETY: the length is not zero.
        let at = unsafe { alloc_zeroed(layout(len)) };
        NonNull::new(at).unwrap_or_else(|| handle_alloc_error(layout(len)))
    }

    /// # Safety
    ///
    /// `at` must be the result of [`map`] with the same `len`, and must not be used again.
    pub(super) unsafe fn unmap(at: NonNull<u8>, len: usize) {
        // SAFETY: the caller guarantees that the memory was allocated with this layout.
        unsafe { dealloc(at.as_ptr(), layout(len)) };
    }
}

/// The minimum alignment of a mapping, in bytes.
const ALIGNMENT: usize = 4096;

/// A value in dedicated pages, overwritten when dropped.
pub struct Locked<T: ?Sized>(NonNull<T>);

// SAFETY: `Locked` owns its value, like `Box`.
unsafe impl<T: ?Sized + Send> Send for Locked<T> {}
// SAFETY: `Locked` owns its value, like `Box`.
unsafe impl<T: ?Sized + Sync> Sync for Locked<T> {}

impl<T> Locked<T> {
    /// Moves a value into dedicated pages. The caller must overwrite the original.
    pub fn new(value: T) -> Self {
        const { assert!(align_of::<T>() <= ALIGNMENT, "pages are aligned to so much") };
        let place = pages::map(size_of::<T>().max(1)).cast::<T>();
        // SAFETY: the mapping is large enough for the value and aligned to a page.
        unsafe { place.write(value) };
        Self(place)
    }
}

impl Locked<[u8]> {
    /// Returns `len` zeros.
    pub fn zeros(len: usize) -> Self {
        Self(NonNull::slice_from_raw_parts(pages::map(len.max(1)), len))
    }

    /// Returns a copy of `bytes`.
    pub fn copy(bytes: &[u8]) -> Self {
        let mut copy = Self::zeros(bytes.len());
        copy.copy_from_slice(bytes);
        copy
    }
}

impl<T: ?Sized> Deref for Locked<T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: the value lives as long as `self`.
        unsafe { self.0.as_ref() }
    }
}

impl<T: ?Sized> DerefMut for Locked<T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: the value lives as long as `self`, which is borrowed exclusively.
        unsafe { self.0.as_mut() }
    }
}

impl<T: ?Sized> Drop for Locked<T> {
    fn drop(&mut self) {
        let len = size_of_val(&**self);
        // SAFETY: the value is dropped once. Afterwards its place is plain bytes, in pages that were mapped
        // with this length.
        unsafe {
            ptr::drop_in_place(self.0.as_ptr());
            let place = self.0.as_ptr().cast::<MaybeUninit<u8>>();
            wipe(core::slice::from_raw_parts_mut(place, len), MaybeUninit::new(0));
            pages::unmap(self.0.cast(), len.max(1));
        }
    }
}

impl<T: ?Sized> fmt::Debug for Locked<T> {
    /// Does not show the value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Locked")
    }
}
