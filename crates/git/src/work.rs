//! The decoding of deltas, distributed among threads.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use crate::object::Object;
use crate::run::{Run, lock};

/// A decoded object, counted while it is in memory.
pub(crate) struct Held<'a> {
    pub(crate) object: Object,
    live_bytes: &'a AtomicUsize,
}

impl<'a> Held<'a> {
    pub(crate) fn new(object: Object, run: &'a Run<'_>) -> Arc<Self> {
        run.live_bytes.fetch_add(object.message().len(), Ordering::Relaxed);
        Arc::new(Self { object, live_bytes: &run.live_bytes })
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.live_bytes.fetch_sub(self.object.message().len(), Ordering::Relaxed);
    }
}

/// An object in a batch.
pub(crate) struct Message<'a>(pub(crate) Arc<Held<'a>>);

impl AsRef<[u8]> for Message<'_> {
    fn as_ref(&self) -> &[u8] {
        self.0.object.message()
    }
}

/// The remaining deltas of a base.
pub(crate) struct Deltas<'a> {
    pub(crate) base: u32,
    pub(crate) next: u32,
    /// The base, unless it was dropped.
    pub(crate) held: Option<Arc<Held<'a>>>,
}

/// The work that is available to any thread.
pub(crate) struct Work<'a> {
    /// The first entry that no thread has taken.
    pub(crate) entries: AtomicUsize,
    workers: usize,
    /// The threads that have no work.
    idle: AtomicUsize,
    shared: Mutex<Vec<Deltas<'a>>>,
    changed: Condvar,
    /// Whether a thread has panicked.
    is_abandoned: AtomicBool,
}

/// Wakes the other threads if this thread panics.
pub(crate) struct Presence<'a, 'b>(pub(crate) &'a Work<'b>);

impl Drop for Presence<'_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.is_abandoned.store(true, Ordering::Relaxed);
            let _shared = lock(&self.0.shared);
            self.0.changed.notify_all();
        }
    }
}

impl<'a> Work<'a> {
    pub(crate) fn new(workers: usize) -> Self {
        Self {
            entries: AtomicUsize::new(0),
            workers,
            idle: AtomicUsize::new(0),
            shared: Mutex::default(),
            changed: Condvar::new(),
            is_abandoned: AtomicBool::new(false),
        }
    }

    /// Waits for deltas that another thread shares. Returns `None` if all threads are idle.
    pub(crate) fn take(&self) -> Option<Deltas<'a>> {
        let mut shared = lock(&self.shared);
        if let Some(deltas) = shared.pop() {
            return Some(deltas);
        }
        let idle = self.idle.fetch_add(1, Ordering::Relaxed) + 1;
        if idle == self.workers {
            self.changed.notify_all();
            return None;
        }
        loop {
            if self.idle.load(Ordering::Relaxed) == self.workers
                || self.is_abandoned.load(Ordering::Relaxed)
            {
                return None;
            }
            shared = self.changed.wait(shared).unwrap_or_else(PoisonError::into_inner);
            if let Some(deltas) = shared.pop() {
                self.idle.fetch_sub(1, Ordering::Relaxed);
                return Some(deltas);
            }
        }
    }

    /// If another thread is idle, shares the deltas nearest to the root, which are usually the
    /// most. This thread must have an entry to decode.
    pub(crate) fn share(&self, stack: &mut Vec<Deltas<'a>>) {
        if !stack.is_empty() && self.idle.load(Ordering::Relaxed) > 0 {
            lock(&self.shared).push(stack.remove(0));
            self.changed.notify_one();
        }
    }
}
