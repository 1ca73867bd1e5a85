//! Values computed once per process, without a lock. A forked child has a single thread, which would
//! wait forever for a lock that another thread held.

use core::ops::Deref;
use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::OnceLock;

/// A value computed on first use. Threads that race compute it independently, and one of the equal
/// values is cached.
pub(crate) struct FirstUse<T> {
    kept: OnceLock<T>,
    /// Whether a thread has begun to store its value. No other thread tries, so none ever waits in
    /// [`OnceLock::set`].
    claimed: AtomicBool,
}

/// The cached value, or a private one if another thread is just storing its value.
pub(crate) enum Found<T: 'static> {
    Kept(&'static T),
    Own(Box<T>),
}

impl<T> FirstUse<T> {
    pub(crate) const fn new() -> Self {
        Self { kept: OnceLock::new(), claimed: AtomicBool::new(false) }
    }

    /// Returns the value, if it is cached.
    #[inline]
    pub(crate) fn get(&'static self) -> Option<&'static T> {
        self.kept.get()
    }

    /// Returns the value, computed by `find` on first use.
    #[inline]
    pub(crate) fn get_or(&'static self, find: impl FnOnce() -> T) -> Found<T> {
        match self.kept.get() {
            Some(kept) => Found::Kept(kept),
            None => self.compute(find),
        }
    }

    /// Not inlined: callers with a key overwrite the stack below their own frame, and inlining this would
    /// leave more of it intact.
    #[cold]
    #[inline(never)]
    fn compute(&'static self, find: impl FnOnce() -> T) -> Found<T> {
        let value = find();
        if self.claimed.swap(true, Ordering::Relaxed) {
            return Found::Own(Box::new(value));
        }
        Found::Kept(self.kept.get_or_init(|| value))
    }
}

impl<T> Deref for Found<T> {
    type Target = T;

    fn deref(&self) -> &T {
        match self {
            Self::Kept(kept) => kept,
            Self::Own(own) => own,
        }
    }
}
