//! Contexts: values in caller-allocated memory. That memory may contain anything, so a mark before
//! each value is checked first.

use core::cell::UnsafeCell;
use core::mem::MaybeUninit;
use core::ptr;
use core::sync::atomic::{AtomicU64, Ordering, fence};

use crate::guard::{self, Failure};

/// A value that a context can hold. It may be moved bytewise, as C does with the contexts.
pub(crate) trait Held: Sized {
    /// The context type as declared in C.
    type Declared;

    /// The mark of a context with such a value, unlikely to occur in other memory. The last three
    /// bytes are zero.
    const MARK: u64;

    /// Whether storing a value changes the sequence number, for a value that many threads read
    /// while another one may replace it.
    const SHARED: bool = false;

    /// Overwrites keys and message bytes, but leaves every field valid. The default runs the
    /// destructor, which does this for values that own no memory.
    fn blank(&mut self) {
        // SAFETY: the destructor overwrites words and bytes in place, for which any bit pattern is
        // valid, and the value is not dropped again.
        unsafe { ptr::drop_in_place(self) };
    }
}

/// A context: a mark, which also specifies whether a value is present, and the value.
///
/// The mark encodes the type of the value, whether a thread has taken it, and a sequence number that
/// every change increments. So only one thread at a time changes a value, and no thread reads a value
/// while it changes. Reading does not write to the context, which may be in read-only memory.
#[repr(C)]
pub(crate) struct Context<T> {
    mark: AtomicU64,
    value: UnsafeCell<MaybeUninit<T>>,
}

/// The bit of the mark that is set while a thread has taken the value.
const TAKEN: u64 = 0x80_0000;
/// The bits of the mark with the sequence number.
const TIMES: u64 = TAKEN - 1;
/// The number of shared values stored so far, in all contexts.
static PUT: AtomicU64 = AtomicU64::new(0);

// SAFETY: the mark prevents concurrent changes; the value is copied or changed in place, and no
// reference to it is retained.
unsafe impl<T: Send> Sync for Context<T> {}

impl<T: Held> Context<T> {
    /// Fails to compile if a context does not fit in its declared type.
    const FITS: () = assert!(
        size_of::<Self>() <= size_of::<T::Declared>()
            && align_of::<Self>() <= align_of::<T::Declared>()
            && T::MARK.trailing_zeros() >= 24
    );

    /// Returns the context at `pointer`.
    ///
    /// # Errors
    ///
    /// If `pointer` is null or misaligned.
    ///
    /// # Safety
    ///
    /// Otherwise it is valid for the declared size, and accessed only through this type while in
    /// use.
    #[inline]
    pub(crate) unsafe fn at<'a>(pointer: *const T::Declared) -> Result<&'a Self, Failure> {
        const { Self::FITS };
        // SAFETY: any bytes are a valid `Context`, whose fields are atomic or in a cell; `FITS`
        // checks the size.
        unsafe { guard::reference(pointer.cast::<Self>()) }
    }

    /// Checks that `data` does not overlap the context.
    #[inline]
    pub(crate) fn is_apart(&self, data: *const [u8]) -> Result<(), Failure> {
        let own = ptr::from_ref(self).cast::<u8>();
        guard::apart(data, ptr::slice_from_raw_parts(own, size_of::<T::Declared>()))
    }

    /// Takes the value for this thread, and returns the mark to restore afterwards.
    #[inline]
    fn take(&self) -> Result<u64, Failure> {
        let mark = self.mark.load(Ordering::Relaxed);
        if mark & !(TIMES | TAKEN) != T::MARK {
            return Err(Failure::State);
        }
        let taken = self.mark.compare_exchange(
            mark & !TAKEN,
            mark | TAKEN,
            Ordering::Acquire,
            Ordering::Relaxed,
        );
        // Concurrent readers must see the mark before any change.
        fence(Ordering::Release);
        taken.map_err(|_| Failure::Busy)
    }

    /// Stores a value. The previous contents are not read, since they may be uninitialized.
    #[inline]
    pub(crate) fn put(&self, value: T) {
        let times = if T::SHARED { PUT.fetch_add(1, Ordering::Relaxed) & TIMES } else { 0 };
        self.mark.store(T::MARK | times | TAKEN, Ordering::Relaxed);
        fence(Ordering::Release);
        // `TAKEN` excludes other threads, except one that took the previous value: see `copy_out`.
        self.copy_in(MaybeUninit::new(value));
        self.mark.store(T::MARK | times, Ordering::Release);
    }

    /// Copies the value, regardless of the current mark. The read is volatile, because another
    /// thread may store a value concurrently, in violation of the contract. Each field is then
    /// valid but may be of either value, so the worst result is a wrong digest; the copy itself
    /// does not change.
    ///
    /// # Safety
    ///
    /// The mark has shown that the context holds a value.
    #[inline]
    unsafe fn copy_out(&self) -> MaybeUninit<T> {
        // SAFETY: `self.value` is memory of this size.
        unsafe { ptr::read_volatile(self.value.get()) }
    }

    /// Writes a copy back.
    #[inline]
    fn copy_in(&self, value: MaybeUninit<T>) {
        // SAFETY: `self.value` is memory of this size. The previous value needs no drop.
        unsafe { ptr::write_volatile(self.value.get(), value) };
    }

    /// Runs `change` on a copy of the value, with exclusive access, and writes the copy back.
    ///
    /// # Errors
    ///
    /// If the context holds no value, another thread has taken it, or `change` fails.
    #[inline]
    pub(crate) fn with<R>(
        &self,
        change: impl FnOnce(&mut T) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        let mark = self.take()?;
        let mut leave = Leave(&self.mark, 0);
        // SAFETY: the mark has shown that the context holds a value.
        let mut copy = unsafe { self.copy_out() };
        // SAFETY: `copy` is initialized. It is not dropped, since that would wipe the value written
        // back.
        let result = change(unsafe { copy.assume_init_mut() });
        self.copy_in(copy);
        leave.1 = (mark & !TIMES) | (mark.wrapping_add(1) & TIMES);
        result
    }

    /// Runs `last` on a copy of the value, with exclusive access. On success, the value is removed.
    ///
    /// # Errors
    ///
    /// If the context holds no value, another thread has taken it, or `last` fails. The value then
    /// remains.
    #[inline]
    pub(crate) fn finish<R>(
        &self,
        last: impl FnOnce(&mut T) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        let mark = self.take()?;
        let mut leave = Leave(&self.mark, 0);
        // SAFETY: the mark has shown that the context holds a value.
        let mut copy = unsafe { self.copy_out() };
        // SAFETY: `copy` is initialized, as above.
        let value = unsafe { copy.assume_init_mut() };
        let result = last(value);
        if result.is_err() {
            leave.1 = mark;
        } else {
            // Not zeros: a thread that violates the contract must still find valid fields.
            value.blank();
            self.copy_in(copy);
        }
        result
    }

    /// Returns a copy of the value. Any number of threads may read concurrently.
    ///
    /// # Errors
    ///
    /// If the context holds no value, or another thread is changing it.
    #[inline]
    pub(crate) fn read(&self) -> Result<T, Failure>
    where
        T: Clone,
    {
        let mark = self.mark.load(Ordering::Acquire);
        if mark & !(TIMES | TAKEN) != T::MARK {
            return Err(Failure::State);
        }
        // SAFETY: the mark has shown that the context holds a value. The copy is discarded if the
        // value changed.
        let copy = unsafe { self.copy_out() };
        fence(Ordering::Acquire);
        if mark & TAKEN != 0 || self.mark.load(Ordering::Relaxed) != mark {
            return Err(Failure::Busy);
        }
        // SAFETY: the same mark before and after shows that the copy is consistent. The value owns
        // nothing but its bytes, so it may be duplicated.
        Ok(unsafe { copy.assume_init() })
    }

    /// Overwrites and removes the value.
    ///
    /// # Errors
    ///
    /// If the context holds no value, or another thread has taken it.
    #[inline]
    pub(crate) fn wipe(&self) -> Result<(), Failure> {
        self.finish(|_| Ok(()))
    }
}

/// Restores a mark when a thread is done, or 0 if it panics.
struct Leave<'m>(&'m AtomicU64, u64);

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        self.0.store(self.1, Ordering::Release);
    }
}
