//! Contexts: values that live in the caller's memory. That memory may hold anything, so each
//! value stands behind a mark that is checked first.

use core::cell::UnsafeCell;
use core::mem::MaybeUninit;
use core::ptr;
use core::sync::atomic::{AtomicU64, Ordering, fence};

use crate::guard::{self, Failure};

/// A value that a context may hold. Its bytes may be moved, as C does with the
/// contexts around it.
pub(crate) trait Held: Sized {
    /// What C's declaration of the context is.
    type Declared;

    /// Marks a context that holds such a value: what no other memory will be. The
    /// last three bytes are zero.
    const MARK: u64;

    /// Whether many threads read it at once: see [`Context::read`].
    const SHARED: bool = false;

    /// Leaves nothing of what it knew, but every field valid: as does its destructor, if it has
    /// one, of a value that owns nothing.
    fn blank(&mut self) {
        // SAFETY: what runs overwrites words and bytes where they are, of which any are valid.
        // Nobody drops it again.
        unsafe { ptr::drop_in_place(self) };
    }
}

/// A context: a mark, and the value if the mark says so.
///
/// The mark is the kind of value, whether a thread is at it and, of values that many
/// threads read, which of all it is: no two threads get a value to change at once, and
/// none reads it while it changes.
#[repr(C)]
pub(crate) struct Context<T> {
    mark: AtomicU64,
    value: UnsafeCell<MaybeUninit<T>>,
}

/// This bit of the mark says that a thread has the value.
const TAKEN: u64 = 0x80_0000;
/// These bits say which of the values that were put anywhere it is.
const TIMES: u64 = TAKEN - 1;
/// How many values that are shared were put anywhere.
static PUT: AtomicU64 = AtomicU64::new(0);

// SAFETY: the mark keeps threads from having the value at once; it is copied or
// changed where it is, never kept.
unsafe impl<T: Send> Sync for Context<T> {}

impl<T: Held> Context<T> {
    const FITS: () = assert!(
        size_of::<Self>() <= size_of::<T::Declared>()
            && align_of::<Self>() <= align_of::<T::Declared>()
            && T::MARK.trailing_zeros() >= 24
    );

    /// The context at `pointer`.
    ///
    /// # Errors
    ///
    /// If it is null or not aligned.
    ///
    /// # Safety
    ///
    /// Otherwise there is memory of the declared size, used through this type
    /// alone while it is used.
    #[inline]
    pub(crate) unsafe fn at<'a>(pointer: *const T::Declared) -> Result<&'a Self, Failure> {
        const { Self::FITS };
        // SAFETY: any bytes are a context, whose fields are atomic or in a cell; it
        // fits in what was declared.
        unsafe { guard::reference(pointer.cast::<Self>()) }
    }

    /// Whether `data` is apart from the context's memory.
    #[inline]
    pub(crate) fn is_apart(&self, data: *const [u8]) -> Result<(), Failure> {
        let own = ptr::from_ref(self).cast::<u8>();
        guard::apart(data, ptr::slice_from_raw_parts(own, size_of::<T::Declared>()))
    }

    /// Takes the value for this thread: the mark to leave behind.
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
        // Who reads meanwhile sees the mark before he sees a change.
        fence(Ordering::Release);
        taken.map_err(|_| Failure::Busy)
    }

    /// Puts a value here, whatever was here before: that is not looked at, as it may
    /// never have been written.
    #[inline]
    pub(crate) fn put(&self, value: T) {
        let times = if T::SHARED { PUT.fetch_add(1, Ordering::Relaxed) & TIMES } else { 0 };
        self.mark.store(T::MARK | times | TAKEN, Ordering::Relaxed);
        fence(Ordering::Release);
        // `TAKEN` keeps others away, but for one that was here before: see `copy_out`.
        self.copy_in(MaybeUninit::new(value));
        self.mark.store(T::MARK | times, Ordering::Release);
    }

    /// A copy of the value, whatever the mark says by now. It is volatile, as another
    /// thread may put a value here meanwhile against its promise: of fields that are
    /// each of one valid value or another nothing worse comes than a wrong digest, and
    /// in the copy they stay as they are.
    ///
    /// # Safety
    ///
    /// The mark has said that a value is here.
    #[inline]
    unsafe fn copy_out(&self) -> MaybeUninit<T> {
        // SAFETY: memory of this size is here.
        unsafe { ptr::read_volatile(self.value.get()) }
    }

    /// Puts a copy back.
    #[inline]
    fn copy_in(&self, value: MaybeUninit<T>) {
        // SAFETY: memory of this size is here. Nothing needs to be dropped.
        unsafe { ptr::write_volatile(self.value.get(), value) };
    }

    /// Runs `change` on a copy of the value, alone, and puts that back.
    ///
    /// # Errors
    ///
    /// If there is none, another thread has it, or `change` fails.
    #[inline]
    pub(crate) fn with<R>(
        &self,
        change: impl FnOnce(&mut T) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        let mark = self.take()?;
        let mut leave = Leave(&self.mark, 0);
        // SAFETY: the mark said that a value was put here.
        let mut copy = unsafe { self.copy_out() };
        // SAFETY: as above. It is not dropped, which would wipe what is here again.
        let result = change(unsafe { copy.assume_init_mut() });
        self.copy_in(copy);
        leave.1 = mark;
        result
    }

    /// Runs `last` on a copy of the value, alone; if it succeeds, the value is gone.
    ///
    /// # Errors
    ///
    /// If there is none, another thread has it, or `last` fails; it stays then.
    #[inline]
    pub(crate) fn finish<R>(
        &self,
        last: impl FnOnce(&mut T) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        let mark = self.take()?;
        let mut leave = Leave(&self.mark, 0);
        // SAFETY: the mark said that a value was put here.
        let mut copy = unsafe { self.copy_out() };
        // SAFETY: as above.
        let value = unsafe { copy.assume_init_mut() };
        let result = last(value);
        if result.is_err() {
            leave.1 = mark;
        } else {
            // Not zeros: who is here against his promise finds valid fields.
            value.blank();
            self.copy_in(copy);
        }
        result
    }

    /// A copy of the value, for contexts that many threads read at once.
    ///
    /// # Errors
    ///
    /// If there is none, or another thread is changing it.
    #[inline]
    pub(crate) fn read(&self) -> Result<T, Failure>
    where
        T: Clone,
    {
        const { assert!(T::SHARED) };
        let mark = self.mark.load(Ordering::Acquire);
        if mark & !(TIMES | TAKEN) != T::MARK {
            return Err(Failure::State);
        }
        // SAFETY: the mark said so. What was changed meanwhile is not looked at.
        let copy = unsafe { self.copy_out() };
        fence(Ordering::Acquire);
        if mark & TAKEN != 0 || self.mark.load(Ordering::Relaxed) != mark {
            return Err(Failure::Busy);
        }
        // SAFETY: the mark said before and after that this value was here. It owns
        // nothing but its bytes, so that there may be two of it.
        Ok(unsafe { copy.assume_init() })
    }

    /// Overwrites the value: there is none from now on.
    ///
    /// # Errors
    ///
    /// If there is none, or another thread has it.
    #[inline]
    pub(crate) fn wipe(&self) -> Result<(), Failure> {
        self.finish(|_| Ok(()))
    }
}

/// What a mark is to be when a thread is through; none, if it panics.
struct Leave<'m>(&'m AtomicU64, u64);

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        self.0.store(self.1, Ordering::Release);
    }
}
