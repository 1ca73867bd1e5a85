//! Keeps a run within the process's limit of open files.

use std::fs;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{Resource, getrlimit};

/// At this limit and above, the descriptors that are already open are too few to count.
const UNCOUNTED_LIMIT: usize = 1024;

/// Descriptors reserved for other uses: the directory being listed, the manifest, the cache's
/// journal, temporary files.
const RESERVED_DESCRIPTORS: usize = 4;

/// Estimated number of open descriptors where the system cannot list them.
const ESTIMATED_OPEN: usize = 8;

/// Maximum number of attempts to open a file when the descriptors are exhausted and this run holds
/// none of them.
pub(crate) const MAX_ATTEMPTS: usize = 20;
/// Pause between attempts to open a file.
pub(crate) const ATTEMPT_INTERVAL: Duration = Duration::from_millis(5);

/// The files that stay open between calls of a kernel, and their maximum number. A small file is
/// opened, read and closed at once, so it only uses its worker's descriptor.
pub(crate) struct Descriptors {
    held: Arc<AtomicUsize>,
    limit: usize,
    workers: Option<NonZeroUsize>,
}

/// Counts a file that stays open, until dropped.
pub(crate) struct Held(Arc<AtomicUsize>);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Descriptors {
    /// Computes the limits from the descriptors that this process may still open.
    pub(crate) fn new() -> Self {
        let most = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        if most >= UNCOUNTED_LIMIT {
            return Self::with(most / 2, None);
        }
        // Listing the directory opens one descriptor itself.
        let open = fs::read_dir("/proc/self/fd").map_or(ESTIMATED_OPEN, |list| list.count() - 1);
        let free = most.saturating_sub(open).saturating_sub(RESERVED_DESCRIPTORS);
        // Half for workers, which open and close files, and the rest for files that stay open.
        let workers = NonZeroUsize::new(free / 2).unwrap_or(NonZeroUsize::MIN);
        Self::with(free.saturating_sub(workers.get()), Some(workers))
    }

    fn with(limit: usize, workers: Option<NonZeroUsize>) -> Self {
        Self { held: Arc::default(), limit, workers }
    }

    /// The maximum number of workers if descriptors are scarce.
    pub(crate) fn workers(&self) -> Option<NonZeroUsize> {
        self.workers
    }

    /// Counts a file that stays open until the returned value is dropped.
    pub(crate) fn hold(&self) -> Held {
        self.held.fetch_add(1, Ordering::Relaxed);
        Held(self.held.clone())
    }

    /// Whether any file is held open.
    pub(crate) fn has_held(&self) -> bool {
        self.held.load(Ordering::Relaxed) > 0
    }

    /// Whether more files are held open than the limit allows.
    pub(crate) fn are_exceeded(&self) -> bool {
        self.held.load(Ordering::Relaxed) > self.limit
    }
}

/// Whether opening a file failed because the descriptors are exhausted.
pub(crate) fn is_exhausted(error: &std::io::Error) -> bool {
    let is = |errno: Errno| error.raw_os_error() == Some(errno.raw_os_error());
    is(Errno::MFILE) || is(Errno::NFILE)
}
