//! The progress of a run.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The progress of a run, which any thread may read, and by which any thread may cancel the run.
#[derive(Debug, Default)]
pub struct Progress {
    bytes: AtomicU64,
    files: AtomicU64,
    /// Whether the total length is determined.
    counts_total: bool,
    /// Total length of the files found so far, in bytes.
    found: AtomicU64,
    /// Whether all files have been found.
    found_all: AtomicBool,
    /// Long files in progress.
    long: Mutex<Vec<Arc<Long>>>,
    /// Time by activity, if measured.
    spent: Option<Box<[AtomicU64; Doing::COUNT]>>,
    cancelled: AtomicBool,
}

/// A long file in progress.
#[derive(Debug)]
pub struct Long {
    /// The file's path.
    pub path: PathBuf,
    /// The file's length, in bytes.
    pub len: u64,
    read: AtomicU64,
}

impl Long {
    /// Returns the number of bytes read so far.
    pub fn read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }
}

/// An activity of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// Opening and reading files.
    Reading,
    /// Finding files, looking up digests, and waiting for earlier results.
    Waiting,
    /// All time: reading, waiting and hashing.
    All,
}

impl Doing {
    /// Number of activities.
    const COUNT: usize = 3;
}

impl Progress {
    /// Creates counters that also measure time by activity.
    pub fn timed() -> Self {
        Self { spent: Some(Box::default()), ..Self::default() }
    }

    /// Makes the run determine the [total](Self::total): it finds files further ahead, and
    /// determines their lengths.
    #[must_use]
    pub fn counting_total(self) -> Self {
        Self { counts_total: true, ..self }
    }

    /// Ends the run early: no further file is started, and those in progress are completed.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether the run has been cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Returns the number of bytes read.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Returns the number of files hashed, or found unreadable.
    pub fn files(&self) -> u64 {
        self.files.load(Ordering::Relaxed)
    }

    /// Returns the total length of the regular files to read, in bytes, once the run has found all
    /// of them; `None` before, and unless it [was requested](Self::counting_total).
    pub fn total(&self) -> Option<u64> {
        let is_known = self.counts_total && self.found_all.load(Ordering::Relaxed);
        is_known.then(|| self.found.load(Ordering::Relaxed))
    }

    /// Returns the long files in progress, in start order.
    pub fn long(&self) -> Vec<Arc<Long>> {
        self.lock().clone()
    }

    /// Returns the time that all workers together spent on `doing`, if measured.
    pub fn spent(&self, doing: Doing) -> Option<Duration> {
        let spent = self.spent.as_ref()?;
        Some(Duration::from_nanos(spent[doing as usize].load(Ordering::Relaxed)))
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Long>>> {
        self.long.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the mean length of the files so far, in bytes.
    pub(crate) fn mean_len(&self) -> u64 {
        self.bytes() / self.files().max(1)
    }

    /// Counts a file that was hashed, or found unreadable.
    pub fn add_file(&self) {
        self.files.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn counts_total(&self) -> bool {
        self.counts_total
    }

    /// Adds `len` bytes of files that have been found, and whether these are the last files.
    pub(crate) fn add_found(&self, len: u64, is_last: bool) {
        self.found.fetch_add(len, Ordering::Relaxed);
        self.found_all.fetch_or(is_last, Ordering::Relaxed);
    }

    /// Subtracts the `len` bytes of a file that is not read.
    pub(crate) fn skip(&self, len: u64) {
        if len > 0 {
            self.found.fetch_sub(len, Ordering::Relaxed);
        }
    }

    pub(crate) fn add_bytes(&self, count: usize) {
        self.bytes.fetch_add(count as u64, Ordering::Relaxed);
    }

    /// Runs `work` and adds its time to `doing`, if time is measured.
    pub(crate) fn during<T>(&self, doing: Doing, work: impl FnOnce() -> T) -> T {
        let Some(spent) = &self.spent else { return work() };
        let start = Instant::now();
        let result = work();
        spent[doing as usize].fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
        result
    }

    /// Registers a long file.
    pub(crate) fn begin_long(&self, path: &Path, len: u64) -> Arc<Long> {
        let long = Arc::new(Long { path: path.to_owned(), len, read: AtomicU64::new(0) });
        self.lock().push(long.clone());
        long
    }

    /// Records that `read` bytes of a long file have been read.
    pub(crate) fn read_long(long: &Long, read: u64) {
        long.read.store(read, Ordering::Relaxed);
    }

    /// Removes a finished long file.
    pub(crate) fn end_long(&self, long: &Arc<Long>) {
        self.lock().retain(|other| !Arc::ptr_eq(other, long));
    }
}
