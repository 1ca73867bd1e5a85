//! How far a run has come.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How far a run has come. Any thread may look.
#[derive(Debug, Default)]
pub struct Progress {
    bytes: AtomicU64,
    files: AtomicU64,
    /// Long files that are being read.
    long: Mutex<Vec<Arc<Long>>>,
    /// Where the time went, if that is measured.
    spent: Option<Box<[AtomicU64; Doing::COUNT]>>,
}

/// A long file that is being read.
#[derive(Debug)]
pub struct Long {
    /// Its path.
    pub path: PathBuf,
    /// Its length, in bytes.
    pub len: u64,
    read: AtomicU64,
}

impl Long {
    /// How much of it has been read, in bytes.
    pub fn read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }
}

/// What a worker spends time on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// Opening and reading files.
    Reading,
    /// Finding files, looking up digests, and waiting for an earlier result.
    Waiting,
    /// The total: the two above, and hashing.
    All,
}

impl Doing {
    const COUNT: usize = 3;
}

impl Progress {
    /// Counters that also measure where the time goes.
    pub fn timed() -> Self {
        Self { spent: Some(Box::default()), ..Self::default() }
    }

    /// Bytes read.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Files hashed, or found not to be readable.
    pub fn files(&self) -> u64 {
        self.files.load(Ordering::Relaxed)
    }

    /// The long files that are being read, in the order in which they were begun.
    pub fn long(&self) -> Vec<Arc<Long>> {
        self.lock().clone()
    }

    /// The time that all workers together have spent so, if that is measured.
    pub fn spent(&self, doing: Doing) -> Option<Duration> {
        let spent = self.spent.as_ref()?;
        Some(Duration::from_nanos(spent[doing as usize].load(Ordering::Relaxed)))
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Long>>> {
        self.long.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The mean length of files so far, in bytes.
    pub(crate) fn mean_len(&self) -> u64 {
        self.bytes() / self.files().max(1)
    }

    pub(crate) fn add_file(&self) {
        self.files.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn add_bytes(&self, count: usize) {
        self.bytes.fetch_add(count as u64, Ordering::Relaxed);
    }

    /// Does something, and measures how long it takes if that is wanted.
    pub(crate) fn during<T>(&self, doing: Doing, work: impl FnOnce() -> T) -> T {
        let Some(spent) = &self.spent else { return work() };
        let start = Instant::now();
        let result = work();
        spent[doing as usize].fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
        result
    }

    /// A long file is begun.
    pub(crate) fn begin_long(&self, path: &Path, len: u64) -> Arc<Long> {
        let long = Arc::new(Long { path: path.to_owned(), len, read: AtomicU64::new(0) });
        self.lock().push(long.clone());
        long
    }

    /// So much of it has been read.
    pub(crate) fn read_long(long: &Long, read: u64) {
        long.read.store(read, Ordering::Relaxed);
    }

    /// It is done with.
    pub(crate) fn end_long(&self, long: &Arc<Long>) {
        self.lock().retain(|other| !Arc::ptr_eq(other, long));
    }
}
