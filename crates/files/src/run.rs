//! Hashes many files in parallel. Results arrive in the order of the jobs.

use std::num::{NonZeroU64, NonZeroUsize};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Scope};

use lanesum::Policy;

use crate::buffer::{ALONE_LEN, LeftBehind};
use crate::descriptors::Descriptors;
use crate::queue::{Queue, Taken};
use crate::results::Results;
use crate::worker::{Run, work};
use crate::{Digests, Doing, Error, Job, Meter, Progress};

/// Settings of a run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The policy that selects kernels. Must allow at least one for each algorithm of the jobs
    /// ([`Policy::check`]).
    pub policy: Policy,
    /// Number of threads; `None` adapts it to the measured rate, starting with one per core.
    pub workers: Option<NonZeroUsize>,
    /// Maximum read rate, in bytes per second.
    pub max_rate: Option<NonZeroU64>,
}

impl Settings {
    /// Creates settings with `policy`, a number of threads chosen from the measured rate, and no
    /// rate limit.
    pub fn new(policy: Policy) -> Self {
        Self { policy, workers: None, max_rate: None }
    }

    /// Limits the read rate, in bytes per second.
    #[must_use]
    pub fn at(self, max_rate: Option<NonZeroU64>) -> Self {
        Self { max_rate, ..self }
    }
}

/// Hashes the files of `jobs` and passes each job with its digests to `sink`, in the order of the jobs. A
/// file that cannot be read affects only its own result. The run ends early if `sink` breaks, or by
/// [`Progress::cancel`].
///
/// Small files share the lanes of vector kernels. Memory is bounded whatever the number and the lengths of
/// the files: the results that wait for an earlier one are limited in number and weight. A single small file
/// is hashed in the calling thread, and no other thread is started.
///
/// `jobs` and `sink` are called from any thread, but never concurrently.
///
/// # Panics
///
/// If the policy has no kernel for an algorithm of a job.
pub fn hash<J: Job>(
    jobs: impl Iterator<Item = J> + Send,
    settings: &Settings,
    progress: &Progress,
    sink: impl FnMut(J, Result<Digests, Error>) -> ControlFlow<()> + Send,
) {
    hash_by_buffers(ALONE_LEN, jobs, settings, progress, sink);
}

/// Like [`hash`], with single-file buffers of `alone_len` bytes, at least one: for measurements.
#[doc(hidden)]
pub fn hash_by_buffers<J: Job>(
    alone_len: usize,
    jobs: impl Iterator<Item = J> + Send,
    settings: &Settings,
    progress: &Progress,
    sink: impl FnMut(J, Result<Digests, Error>) -> ControlFlow<()> + Send,
) {
    let jobs = jobs.take_while(|_| !progress.is_cancelled());
    let descriptors = Descriptors::new();
    let run = Run {
        queue: Queue::new(jobs, settings.workers).at_most(descriptors.workers()),
        descriptors,
        results: Results::new(sink),
        buffers: LeftBehind::default(),
        alone_len: alone_len.max(1),
        progress,
        meter: Meter::new(progress, settings.max_rate),
        policy: &settings.policy,
    };
    thread::scope(|scope| start(scope, &run, Vec::new(), true));
}

/// Runs a worker on this thread. It starts further workers on their own threads.
fn start<'scope, 'a: 'scope, J: Job + 'a>(
    scope: &'scope Scope<'scope, '_>,
    run: &'scope Run<'a, J>,
    taken: Taken<J>,
    first: bool,
) {
    /// Records the end of the worker, even after a panic, so that others do not wait for it.
    struct Leave<'r, 'a, J: Job>(&'r Queue<'a, J>);
    impl<J: Job> Drop for Leave<'_, '_, J> {
        fn drop(&mut self) {
            if thread::panicking() {
                self.0.stop();
            }
            self.0.leave();
        }
    }

    let _leave = Leave(&run.queue);
    let spawn = |taken| {
        // If the thread cannot be started, the jobs must not be lost.
        let taken = Arc::new(Mutex::new(taken));
        let theirs = taken.clone();
        let take = |taken: &Mutex<Taken<J>>| {
            std::mem::take(&mut *taken.lock().unwrap_or_else(PoisonError::into_inner))
        };
        let started = thread::Builder::new().spawn_scoped(scope, move || {
            start(scope, run, take(&theirs), false);
        });
        match started {
            Ok(_) => None,
            Err(_) => {
                run.queue.leave();
                Some(take(&taken))
            }
        }
    };
    run.progress.during(Doing::All, || work(run, taken, first, spawn));
}
