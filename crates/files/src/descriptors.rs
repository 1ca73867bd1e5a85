//! Keeps a run within the number of files that a process may have open.

use std::fs;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{Resource, getrlimit};

/// From this limit on, the descriptors that are open already are too few to be counted.
const PLENTY: usize = 1024;

/// Descriptors left to others than workers: the directory that is listed, the manifest, the cache's
/// journal, temporary files.
const RESERVE: usize = 4;

/// Descriptors taken to be open where the system cannot list them.
const USUAL: usize = 8;

/// How often and after which pause a file is opened again while too many are open and none of them
/// is this run's.
pub(crate) const PATIENCE: usize = 20;
pub(crate) const PAUSE: Duration = Duration::from_millis(5);

/// The files that stay open from one call of a kernel to the next, and how many there may be. A
/// small file is opened, read and closed at once, so it counts only as its worker's own.
pub(crate) struct Descriptors {
    held: Arc<AtomicUsize>,
    limit: usize,
    workers: Option<NonZeroUsize>,
}

/// A file that stays open.
pub(crate) struct Held(Arc<AtomicUsize>);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Descriptors {
    /// Those that this process may still open.
    pub(crate) fn new() -> Self {
        let most = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        if most >= PLENTY {
            return Self::with(most / 2, None);
        }
        // The list itself takes one.
        let open = fs::read_dir("/proc/self/fd").map_or(USUAL, |list| list.count() - 1);
        let free = most.saturating_sub(open).saturating_sub(RESERVE);
        // Half of them are for files that stay open, the others for those that workers open.
        let workers = NonZeroUsize::new(free / 2).unwrap_or(NonZeroUsize::MIN);
        Self::with(free.saturating_sub(workers.get()), Some(workers))
    }

    fn with(limit: usize, workers: Option<NonZeroUsize>) -> Self {
        Self { held: Arc::default(), limit, workers }
    }

    /// The number of workers that there may be, if descriptors are scarce.
    pub(crate) fn workers(&self) -> Option<NonZeroUsize> {
        self.workers
    }

    /// A file stays open until what this returns is dropped.
    pub(crate) fn hold(&self) -> Held {
        self.held.fetch_add(1, Ordering::Relaxed);
        Held(self.held.clone())
    }

    /// Whether any file stays open.
    pub(crate) fn has_held(&self) -> bool {
        self.held.load(Ordering::Relaxed) > 0
    }

    /// Whether more files stay open than may.
    pub(crate) fn are_exceeded(&self) -> bool {
        self.held.load(Ordering::Relaxed) > self.limit
    }
}

/// Whether a file could not be opened because others are.
pub(crate) fn is_exhausted(error: &std::io::Error) -> bool {
    let is = |errno: Errno| error.raw_os_error() == Some(errno.raw_os_error());
    is(Errno::MFILE) || is(Errno::NFILE)
}
