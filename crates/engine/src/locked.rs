//! Memory for keys: pages of their own, which are not swapped out nor written into core dumps
//! where the system allows that, and are overwritten before the system has them back.
//!
//! This asks the system for memory, which the engine has no other need of: it is here for the
//! command and the door of PKCS #11, which have nothing else in common.

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

    /// So many bytes of new pages, all zeros.
    pub(super) fn map(len: usize) -> NonNull<u8> {
        // SAFETY: nothing is mapped there before; what is asked of the mapping changes no byte,
        // and where the system refuses it the memory is as good as other memory.
        unsafe {
            let at = mmap(ptr::null_mut(), len, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, -1, 0);
            assert!(at.addr() != usize::MAX, "no memory for a key");
            madvise(at, len, MADV_DONTDUMP);
            mlock(at, len);
            NonNull::new(at.cast()).expect("a mapping is nowhere at null")
        }
    }

    /// Gives them back.
    ///
    /// # Safety
    ///
    /// They are [`map`]'s, of so many bytes, and not used again.
    pub(super) unsafe fn unmap(at: NonNull<u8>, len: usize) {
        // SAFETY: as the caller says.
        unsafe { munmap(at.as_ptr().cast(), len) };
    }
}

/// Where nothing is known of the system, memory as any other.
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
    /// They are [`map`]'s, of so many bytes, and not used again.
    pub(super) unsafe fn unmap(at: NonNull<u8>, len: usize) {
        // SAFETY: as the caller says.
        unsafe { dealloc(at.as_ptr(), layout(len)) };
    }
}

/// What a mapping is aligned to at least, in bytes.
const ALIGNMENT: usize = 4096;

/// A value in pages of its own. Dropped, it is overwritten.
pub struct Locked<T: ?Sized>(NonNull<T>);

// SAFETY: it owns its value, as a box does.
unsafe impl<T: ?Sized + Send> Send for Locked<T> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Sync> Sync for Locked<T> {}

impl<T> Locked<T> {
    /// Moves a value into pages of its own. What it was moved from is the caller's to overwrite.
    pub fn new(value: T) -> Self {
        const { assert!(align_of::<T>() <= ALIGNMENT, "pages are aligned to so much") };
        let place = pages::map(size_of::<T>().max(1)).cast::<T>();
        // SAFETY: there is room for it, aligned to a page.
        unsafe { place.write(value) };
        Self(place)
    }
}

impl Locked<[u8]> {
    /// So many zeros.
    pub fn zeros(len: usize) -> Self {
        Self(NonNull::slice_from_raw_parts(pages::map(len.max(1)), len))
    }

    /// A copy of these bytes.
    pub fn copy(bytes: &[u8]) -> Self {
        let mut copy = Self::zeros(bytes.len());
        copy.copy_from_slice(bytes);
        copy
    }
}

impl<T: ?Sized> Deref for Locked<T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: the value is there as long as this is.
        unsafe { self.0.as_ref() }
    }
}

impl<T: ?Sized> DerefMut for Locked<T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above, and this has it alone.
        unsafe { self.0.as_mut() }
    }
}

impl<T: ?Sized> Drop for Locked<T> {
    fn drop(&mut self) {
        let len = size_of_val(&**self);
        // SAFETY: the value is dropped once; what it stood in is plain bytes from then on, in pages
        // that were mapped for it.
        unsafe {
            ptr::drop_in_place(self.0.as_ptr());
            let place = self.0.as_ptr().cast::<MaybeUninit<u8>>();
            wipe(core::slice::from_raw_parts_mut(place, len), MaybeUninit::new(0));
            pages::unmap(self.0.cast(), len.max(1));
        }
    }
}

impl<T: ?Sized> fmt::Debug for Locked<T> {
    /// Shows nothing of the value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Locked")
    }
}
