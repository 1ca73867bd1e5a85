//! Values that a process computes once, without a lock. After a fork the child has one thread
//! alone; it would wait for ever for a lock that another thread held.

use core::ops::Deref;
use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::OnceLock;

/// A value that whoever needs it first finds out. Threads that come at the same time each find
/// it out, and one of the equal values stays.
pub(crate) struct FirstUse<T> {
    kept: OnceLock<T>,
    /// Whether a thread keeps its value, or has: no other tries, so that none ever waits in
    /// [`OnceLock::set`].
    claimed: AtomicBool,
}

/// A value that is kept, or one's own when another thread is just keeping its.
pub(crate) enum Found<T: 'static> {
    Kept(&'static T),
    Own(Box<T>),
}

impl<T> FirstUse<T> {
    pub(crate) const fn new() -> Self {
        Self { kept: OnceLock::new(), claimed: AtomicBool::new(false) }
    }

    /// The value, if it is known.
    #[inline]
    pub(crate) fn get(&'static self) -> Option<&'static T> {
        self.kept.get()
    }

    /// The value, computed by `find` on first use.
    #[inline]
    pub(crate) fn get_or(&'static self, find: impl FnOnce() -> T) -> Found<T> {
        match self.kept.get() {
            Some(kept) => Found::Kept(kept),
            None => self.compute(find),
        }
    }

    /// Never inlined: callers with a key overwrite the stack below their own frame, so inlining this would
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
