//! Many files at once, results in order.

use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Deref};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Scope};

use lanesum::{Algorithm, Digest, HmacKey, Policy};

use crate::Error;
use crate::order::Order;
use crate::queue::{Batch, Next, Numbered, Queue};
use crate::worker::{Outcome, work};

/// Something that keeps its place in the order of results, most often a file to hash.
pub trait Job: Send {
    /// What to hash.
    fn input(&self) -> Input<'_>;

    /// With which algorithms, in the order in which the digests are wanted. All
    /// are computed in one reading; with none, nothing is read.
    fn algorithms(&self) -> &[Algorithm];

    /// The key under which the digests are to be HMACs, if they are. Then there is one algorithm,
    /// the key's.
    fn key(&self) -> Option<&HmacKey> {
        None
    }

    /// Whether a file that another program writes to meanwhile is hashed all the same,
    /// as far as it goes when it is read. Unless it is, that is an error: the bytes that
    /// were read may never have been the file's contents at any moment.
    fn accepts_changes(&self) -> bool {
        false
    }

    /// About how much memory it holds, in bytes. While a slow file holds up the results
    /// after it, no more jobs are taken on than fit in a bound on this.
    fn weight(&self) -> usize {
        let path = match self.input() {
            Input::File(path) => path.as_os_str().len(),
            _ => 0,
        };
        path + 256
    }
}

/// What a [`Job`] has hashed.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// A file.
    File(&'a Path),
    /// What is left of standard input.
    StandardInput,
    /// Nothing: the job is a remark that stands among the results.
    Nothing,
}

/// A file's digests, one for each of its job's algorithms.
#[derive(Clone, Debug)]
pub struct Digests(Few);

/// One digest, the usual case, needs no allocation.
#[derive(Clone, Debug)]
enum Few {
    One([Digest; 1]),
    Any(Vec<Digest>),
}

impl Default for Digests {
    fn default() -> Self {
        Self(Few::Any(Vec::new()))
    }
}

impl From<Digest> for Digests {
    fn from(digest: Digest) -> Self {
        Self(Few::One([digest]))
    }
}

impl FromIterator<Digest> for Digests {
    fn from_iter<T: IntoIterator<Item = Digest>>(digests: T) -> Self {
        Self(Few::Any(digests.into_iter().collect()))
    }
}

impl Deref for Digests {
    type Target = [Digest];

    fn deref(&self) -> &[Digest] {
        match &self.0 {
            Few::One(digest) => digest,
            Few::Any(digests) => digests,
        }
    }
}

/// How far a run has come. Any thread may look.
#[derive(Debug, Default)]
pub struct Progress {
    bytes: AtomicU64,
    pub(crate) files: AtomicU64,
}

impl Progress {
    /// Bytes read.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Files hashed, or found not to be readable.
    pub fn files(&self) -> u64 {
        self.files.load(Ordering::Relaxed)
    }

    /// The mean length of files so far, in bytes.
    pub(crate) fn mean_len(&self) -> u64 {
        self.bytes() / self.files().max(1)
    }

    pub(crate) fn add_bytes(&self, count: usize) {
        self.bytes.fetch_add(count as u64, Ordering::Relaxed);
    }
}

/// How to run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How the engine chooses its kernels.
    pub policy: Policy,
    /// How many threads: none lets the measured rate decide, beginning with one a core.
    pub workers: Option<NonZeroUsize>,
}

/// Hashes the files of `jobs` and hands each job with its digests to `sink`, in the order
/// of the jobs, as soon as those before it are done. A file that cannot be read hurts
/// nothing but its own result. When `sink` breaks, the run ends.
///
/// Small files share the lanes of vector kernels. Memory is bounded however many
/// files there are and whatever their lengths: results that wait for a slow one before
/// them are limited in number and weight. A single small file is hashed in this thread,
/// without any other.
///
/// `jobs` and `sink` are called from any thread, but from one at a time.
pub fn hash<J: Job>(
    jobs: impl Iterator<Item = J> + Send,
    settings: &Settings,
    progress: &Progress,
    sink: impl FnMut(J, Result<Digests, Error>) -> ControlFlow<()> + Send,
) {
    let queue = Queue::new(jobs, settings.workers);
    let idle_core = || queue.has_idle_core();
    let results = Mutex::new(Results { order: Order::new(), sink, broke: false });
    let run = Shared { queue: &queue, results, progress };
    thread::scope(|scope| start(scope, &run, &settings.policy, &idle_core, Vec::new(), true));
}

/// What workers need of the run they are part of.
pub(crate) trait Run<J>: Sync {
    fn progress(&self) -> &Progress;
    fn next(&self, first: bool, idle: bool, long: usize) -> Next<J>;
    fn give_back(&self, jobs: &mut Batch<J>);
    fn admit_long(&self, job: Numbered<J>, long: usize) -> Option<Numbered<J>>;
    fn long_done(&self);
    fn long_waits(&self) -> bool;
    /// Takes all results out of the vector.
    fn hand_on(&self, results: &mut Vec<Outcome<J>>);
    /// A worker goes, of its own will or by a panic.
    fn leave(&self);
}

struct Shared<'a, J, I, S> {
    queue: &'a Queue<J, I>,
    results: Mutex<Results<J, S>>,
    progress: &'a Progress,
}

struct Results<J, S> {
    order: Order<(J, Result<Digests, Error>)>,
    sink: S,
    broke: bool,
}

impl<J, I, S> Run<J> for Shared<'_, J, I, S>
where
    J: Job,
    I: Iterator<Item = J> + Send,
    S: FnMut(J, Result<Digests, Error>) -> ControlFlow<()> + Send,
{
    fn progress(&self) -> &Progress {
        self.progress
    }

    fn next(&self, first: bool, idle: bool, long: usize) -> Next<J> {
        self.queue.next(first, idle, long, self.progress)
    }

    fn give_back(&self, jobs: &mut Batch<J>) {
        self.queue.give_back(jobs);
    }

    fn admit_long(&self, job: Numbered<J>, long: usize) -> Option<Numbered<J>> {
        self.queue.admit_long(job, long)
    }

    fn long_done(&self) {
        self.queue.long_done();
    }

    fn long_waits(&self) -> bool {
        self.queue.long_waits()
    }

    fn hand_on(&self, outcomes: &mut Vec<Outcome<J>>) {
        // A sink that has panicked is not called again, nor one that broke.
        let Ok(mut results) = self.results.lock() else { return outcomes.clear() };
        let Results { order, sink, broke } = &mut *results;
        if *broke {
            return outcomes.clear();
        }
        for (numbered, result) in outcomes.drain(..) {
            order.insert(numbered.number, (numbered.job, result));
        }
        let (mut jobs, mut weight) = (0, 0);
        while let Some((job, result)) = order.next() {
            jobs += 1;
            weight += job.weight();
            if sink(job, result).is_break() {
                *broke = true;
                return self.queue.stop();
            }
        }
        drop(results);
        self.queue.handed_on(jobs, weight);
    }

    fn leave(&self) {
        if thread::panicking() {
            self.queue.stop();
        }
        self.queue.leave();
    }
}

/// Begins a worker's work in this thread; it begins others' in theirs.
fn start<'scope, J: Job + 'scope, R: Run<J>>(
    scope: &'scope Scope<'scope, '_>,
    run: &'scope R,
    policy: &'scope Policy,
    idle_core: &'scope (dyn Fn() -> bool + Sync),
    batch: Batch<J>,
    first: bool,
) {
    /// Others must not wait for a worker that is gone.
    struct Leave<'a, J, R: Run<J>>(&'a R, std::marker::PhantomData<J>);
    impl<J, R: Run<J>> Drop for Leave<'_, J, R> {
        fn drop(&mut self) {
            self.0.leave();
        }
    }

    let _leave = Leave(run, std::marker::PhantomData);
    work(run, policy, idle_core, batch, first, |batch| {
        // A thread that cannot be started must not take the batch with it.
        let batch = Arc::new(Mutex::new(batch));
        let theirs = batch.clone();
        let take = |batch: &Mutex<Batch<J>>| {
            std::mem::take(&mut *batch.lock().unwrap_or_else(PoisonError::into_inner))
        };
        let started = thread::Builder::new().spawn_scoped(scope, move || {
            start(scope, run, policy, idle_core, take(&theirs), false);
        });
        match started {
            Ok(_) => None,
            Err(_) => {
                run.leave();
                Some(take(&batch))
            }
        }
    });
}
