//! The state that all threads of a run share.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use lanesum::{Digest, Engine};
use lanesum_files::{Meter, Progress, Settings};

use crate::object::ObjectHash;
use crate::report::{Class, Counts, Fault, Finding, Found};

/// How to verify a repository.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// The kernels, the number of threads, by default one for each core, and the maximum read rate.
    pub settings: &'a Settings,
    /// Counts the bytes and files that are read. Cancelled if `sink` breaks; cancelling it ends the run.
    pub progress: &'a Progress,
    /// Whether to also report objects and files of class [`Class::Same`].
    pub reports_same: bool,
}

/// Receives each finding, from any thread.
pub(crate) type Sink<'a> = dyn Fn(Finding) -> ControlFlow<()> + Sync + 'a;

pub(crate) struct Run<'a> {
    pub(crate) hash: ObjectHash,
    pub(crate) engine: Engine,
    pub(crate) settings: &'a Settings,
    /// Cancelled if the sink wants no more findings.
    pub(crate) progress: &'a Progress,
    pub(crate) meter: Meter<'a>,
    pub(crate) workers: usize,
    reports_same: bool,
    sink: &'a Sink<'a>,
    counts: Mutex<Counts>,
    /// Git LFS pointers: the SHA-256 and the length of each object.
    pointers: Mutex<BTreeMap<[u8; 32], u64>>,
    /// The bytes of all decoded objects in memory.
    pub(crate) live_bytes: AtomicUsize,
    pub(crate) max_live_bytes: usize,
}

impl<'a> Run<'a> {
    pub(crate) fn new(
        hash: ObjectHash,
        Options { settings, progress, reports_same }: Options<'a>,
        max_live_bytes: usize,
        sink: &'a Sink<'a>,
    ) -> Self {
        let engine = settings.policy.engine(hash.algorithm());
        let cores = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Self {
            hash,
            engine: engine.expect("the policy was checked"),
            settings,
            progress,
            meter: Meter::new(progress, settings.max_rate),
            workers: settings.workers.map_or_else(cores, NonZeroUsize::get),
            reports_same,
            sink,
            counts: Mutex::default(),
            pointers: Mutex::default(),
            live_bytes: AtomicUsize::new(0),
            max_live_bytes,
        }
    }

    /// Whether no more findings are wanted.
    pub(crate) fn is_stopped(&self) -> bool {
        self.progress.is_cancelled()
    }

    fn find(&self, finding: Finding) {
        if !self.is_stopped() && (self.sink)(finding).is_break() {
            self.progress.cancel();
        }
    }

    /// Counts and reports an object.
    pub(crate) fn object(
        &self,
        counts: &mut Counts,
        id: Digest,
        path: &Path,
        offset: Option<u64>,
        result: Result<(), Fault>,
    ) {
        self.take(counts, Some(id), path, offset, result);
    }

    /// Counts and reports a file with a checksum, or a file that is missing.
    pub(crate) fn file(&self, path: &Path, result: Result<(), Fault>) {
        let mut counts = Counts::default();
        counts.find(Found::File, 1);
        self.progress.add_file();
        self.take(&mut counts, None, path, None, result);
        self.add(&counts);
    }

    fn take(
        &self,
        counts: &mut Counts,
        object: Option<Digest>,
        path: &Path,
        offset: Option<u64>,
        result: Result<(), Fault>,
    ) {
        let fault = result.err();
        let class = fault.as_ref().map_or(Class::Same, |fault| fault.class);
        counts.add(class);
        if class != Class::Same || self.reports_same {
            let reason = fault.map(|fault| fault.reason).unwrap_or_default();
            self.find(Finding { class, object, path: path.to_owned(), offset, reason });
        }
    }

    /// Adds the counts of a worker.
    pub(crate) fn add(&self, counts: &Counts) {
        lock(&self.counts).merge(counts);
    }

    pub(crate) fn counts(&self) -> Counts {
        *lock(&self.counts)
    }

    pub(crate) fn add_pointer(&self, digest: [u8; 32], len: u64) {
        lock(&self.pointers).insert(digest, len);
    }

    pub(crate) fn take_pointers(&self) -> BTreeMap<[u8; 32], u64> {
        std::mem::take(&mut *lock(&self.pointers))
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
