//! The job queue between the caller, who names files, and the workers.

use std::collections::VecDeque;
use std::fs::Metadata;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

use crate::reading::LONG_FILE_BYTES;
use crate::tuner::{ReaderTuner, Sample};
use crate::{Input, Job, Progress, metadata};

/// A job and its position in the order of results.
pub(crate) struct Numbered<J> {
    pub(crate) number: u64,
    pub(crate) job: J,
    /// Whether the job counts in `State::long_begun`.
    pub(crate) is_long: bool,
    /// The length of its file, in bytes; 0 if it has not been determined.
    pub(crate) len: u64,
}

/// A batch of jobs for a worker.
pub(crate) type Taken<J> = Vec<Numbered<J>>;

/// Number of jobs to pull in advance, so that workers have work while a slow directory is listed.
const JOBS_AHEAD: usize = 256;

/// Number of jobs to pull in advance if files are long. Listing names is then cheap in comparison,
/// and the longest files start earlier.
const LONG_FILES_AHEAD: usize = 4096;

/// Mean file length, in bytes, above which an early `stat` of each file costs next to nothing.
const STAT_AHEAD_MEAN_BYTES: u64 = 256 << 10;

/// Maximum number of jobs per pull. An idle worker is woken once per pull, which is a large part of
/// the time if files are not read, only their metadata.
const MAX_JOBS_PER_PULL: usize = 256;

/// Maximum number of jobs that a worker takes at once.
const MAX_JOBS_PER_BATCH: usize = 16;

/// Maximum number of jobs from the first unfinished one to the last one started. Beyond that,
/// workers wait for the slow job.
const WINDOW_JOBS: usize = 32 << 10;
/// Maximum weight of these jobs, in bytes.
const WINDOW_BYTES: usize = 12 << 20;

/// Number of bytes that could be read in the time it takes to open and close a file.
const FILE_OVERHEAD_BYTES: u64 = 16 << 10;

/// The queue that workers share.
///
/// No thread is dedicated to pulling jobs: a worker that finds the queue short pulls, while the
/// others continue with the queued jobs.
pub(crate) struct Queue<'a, J> {
    state: Mutex<State<J>>,
    changed: Condvar,
    source: Mutex<Box<dyn Iterator<Item = J> + Send + 'a>>,
    /// Number of workers that are not waiting.
    busy: AtomicUsize,
    /// Whether long jobs wait, for workers that poll between steps of their lanes.
    long_waits: AtomicBool,
    /// Whether all jobs have been pulled, and at most one of them has an input.
    has_one_file: AtomicBool,
    /// The requested number of workers.
    workers: Option<NonZeroUsize>,
    /// The maximum number of workers if descriptors are scarce.
    cap: Option<NonZeroUsize>,
    start: Instant,
}

struct State<J> {
    jobs: VecDeque<Numbered<J>>,
    /// Jobs with files known to be long. They start before all others: otherwise the last one would
    /// keep a single worker busy at the end. A job that has started stays with its worker, so each
    /// worker takes only its share.
    long: VecDeque<Numbered<J>>,
    /// Number of long files in workers' lanes.
    long_begun: usize,
    /// Number of jobs pulled so far, which is the number of the next one.
    pulled: u64,
    /// Number of pulled jobs that read a file or standard input.
    files: u64,
    /// Number and weight of pulled jobs whose results have not been delivered.
    window: usize,
    window_bytes: usize,
    pull: usize,
    pulling: bool,
    ended: bool,
    stopped: bool,
    workers: usize,
    waiting: usize,
    /// None until two jobs are queued at once: querying the number of cores is slow.
    tuner: Option<ReaderTuner>,
}

/// The next step of a worker.
pub(crate) enum Next<J> {
    /// Begin the first batch, and let a new worker begin the second, if any.
    Begin(Taken<J>, Option<Taken<J>>),
    /// Nothing to begin yet.
    Later,
    /// Nothing more to begin, at least for this worker.
    End,
    /// Discard everything.
    Stop,
}

impl<'a, J: Job> Queue<'a, J> {
    pub(crate) fn new(
        source: impl Iterator<Item = J> + Send + 'a,
        workers: Option<NonZeroUsize>,
    ) -> Self {
        let state = State {
            jobs: VecDeque::new(),
            long: VecDeque::new(),
            long_begun: 0,
            pulled: 0,
            files: 0,
            window: 0,
            window_bytes: 0,
            // Few at first, so that the first file does not wait for many names.
            pull: 2,
            pulling: false,
            ended: false,
            stopped: false,
            workers: 1,
            waiting: 0,
            tuner: None,
        };
        Self {
            state: Mutex::new(state),
            changed: Condvar::new(),
            source: Mutex::new(Box::new(source)),
            busy: AtomicUsize::new(1),
            long_waits: AtomicBool::new(false),
            has_one_file: AtomicBool::new(false),
            workers,
            cap: None,
            start: Instant::now(),
        }
    }

    /// Allows at most `cap` workers.
    pub(crate) fn at_most(self, cap: Option<NonZeroUsize>) -> Self {
        Self { cap, ..self }
    }

    fn lock(&self) -> MutexGuard<'_, State<J>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the next step of a worker with `long` long files in its lanes. Blocks only if the
    /// worker is `idle`: its lanes are empty and all its results are delivered, so no other worker
    /// waits for it.
    ///
    /// The first worker runs to the end, however low the target.
    pub(crate) fn next(
        &self,
        first: bool,
        idle: bool,
        long: usize,
        progress: &Progress,
    ) -> Next<J> {
        let mut state = self.lock();
        self.observe(&mut state, progress);
        let counts_total = progress.counts_total();
        let mut runs_ahead = counts_total;
        loop {
            if state.stopped {
                return Next::Stop;
            }
            if !first && state.workers > self.target(&mut state) {
                state.workers -= 1;
                return Next::End;
            }
            let has_long_files = progress.mean_len() >= STAT_AHEAD_MEAN_BYTES;
            let ahead = if has_long_files { LONG_FILES_AHEAD } else { JOBS_AHEAD };
            // The total is known once the source has ended. Run ahead by one batch per call, because
            // this worker hashes nothing meanwhile.
            if state.should_pull(ahead)
                || std::mem::take(&mut runs_ahead) && state.should_pull(WINDOW_JOBS)
            {
                state = self.pull(state, has_long_files || counts_total, progress);
                continue;
            }
            let batch = self.take(&mut state, long);
            // With a single file, a second thread would have nothing to read.
            let is_shared = !state.is_empty() && !state.has_one_file();
            let other = if is_shared && state.workers < self.target(&mut state) {
                self.take(&mut state, 0)
            } else {
                None
            };
            if other.is_some() {
                state.workers += 1;
                self.busy.fetch_add(1, Ordering::Relaxed);
            }
            if batch.is_some() || other.is_some() {
                return Next::Begin(batch.unwrap_or_default(), other);
            }
            if state.ended && state.is_empty() {
                if !first {
                    state.workers -= 1;
                }
                return Next::End;
            }
            if !idle {
                return Next::Later;
            }
            state.waiting += 1;
            self.busy.fetch_sub(1, Ordering::Relaxed);
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            self.busy.fetch_add(1, Ordering::Relaxed);
            state.waiting -= 1;
        }
    }

    /// Pulls more jobs from the source. If `measures`, determines the lengths of their files.
    fn pull<'s>(
        &'s self,
        mut state: MutexGuard<'s, State<J>>,
        measures: bool,
        progress: &Progress,
    ) -> MutexGuard<'s, State<J>> {
        state.pulling = true;
        let count = state.pull;
        state.pull = (count * 2).min(MAX_JOBS_PER_PULL);
        drop(state);

        let mut source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
        let jobs: Vec<J> = source.by_ref().take(count).collect();
        drop(source);
        let file_len = |job| if measures { file_len(job) } else { 0 };
        let lens: Vec<u64> = jobs.iter().map(file_len).collect();
        progress.add_found(lens.iter().sum(), jobs.len() < count);

        let mut state = self.lock();
        state.pulling = false;
        state.ended = jobs.len() < count;
        for (job, len) in jobs.into_iter().zip(lens) {
            let number = state.pulled;
            state.pulled += 1;
            state.window += 1;
            state.window_bytes += job.weight();
            state.files += u64::from(!matches!(job.input(), Input::Nothing));
            let numbered = Numbered { number, job, is_long: false, len };
            if len >= LONG_FILE_BYTES { &mut state.long } else { &mut state.jobs }
                .push_back(numbered);
        }
        self.long_waits.store(!state.long.is_empty(), Ordering::Relaxed);
        self.has_one_file.store(state.has_one_file(), Ordering::Relaxed);
        self.wake(&state);
        state
    }

    /// Puts unstarted jobs back at the front of the queue, the last of `jobs` first.
    pub(crate) fn give_back(&self, jobs: &mut Taken<J>) {
        if jobs.is_empty() {
            return;
        }
        let mut state = self.lock();
        for mut job in jobs.drain(..) {
            state.long_begun -= usize::from(std::mem::take(&mut job.is_long));
            state.jobs.push_front(job);
        }
        self.wake(&state);
    }

    /// Called when a worker with `long` long files in its lanes has opened another. Returns the job
    /// if the worker is below its share, otherwise queues it for another worker.
    pub(crate) fn admit_long(&self, job: Numbered<J>, long: usize) -> Option<Numbered<J>> {
        let mut state = self.lock();
        if long < self.part_of_long(&mut state, 1) {
            state.long_begun += 1;
            return Some(Numbered { is_long: true, ..job });
        }
        state.long.push_back(job);
        self.long_waits.store(true, Ordering::Relaxed);
        self.wake(&state);
        None
    }

    /// Records that a long file is finished.
    pub(crate) fn long_done(&self) {
        self.lock().long_begun -= 1;
    }

    /// Whether a long file waits for a worker with few of them.
    pub(crate) fn long_waits(&self) -> bool {
        self.long_waits.load(Ordering::Relaxed)
    }

    /// Returns a worker's fair share of all known long files, plus `more` others.
    fn part_of_long(&self, state: &mut State<J>, more: usize) -> usize {
        (state.long_begun + state.long.len() + more).div_ceil(self.target(state))
    }

    /// Records that results of `jobs` jobs with total weight `weight` have been delivered.
    pub(crate) fn delivered(&self, jobs: usize, weight: usize) {
        let mut state = self.lock();
        state.window -= jobs;
        state.window_bytes -= weight;
        self.wake(&state);
    }

    fn wake(&self, state: &State<J>) {
        if state.waiting > 0 {
            self.changed.notify_all();
        }
    }

    /// Records that a worker has ended, or could not be started. It still counts toward the number
    /// of workers, so that no replacement is requested.
    pub(crate) fn leave(&self) {
        self.busy.fetch_sub(1, Ordering::Relaxed);
    }

    /// Discards all jobs: no more results are wanted.
    pub(crate) fn stop(&self) {
        let mut state = self.lock();
        state.stopped = true;
        state.jobs.clear();
        state.long.clear();
        self.changed.notify_all();
    }

    /// Takes a fair share of the jobs for a worker with `long` long files: near the end, each
    /// worker gets some.
    fn take(&self, state: &mut State<J>, long: usize) -> Option<Taken<J>> {
        if !state.long.is_empty() && long < self.part_of_long(state, 0) {
            let job = state.long.pop_front()?;
            state.long_begun += 1;
            self.long_waits.store(!state.long.is_empty(), Ordering::Relaxed);
            return Some(vec![Numbered { is_long: true, ..job }]);
        }
        let count = match state.jobs.len() {
            0 => return None,
            1 => 1,
            len if state.has_one_file() => len.min(MAX_JOBS_PER_BATCH),
            len => (len / (2 * self.target(state))).clamp(1, MAX_JOBS_PER_BATCH),
        };
        Some(state.jobs.drain(..count).collect())
    }

    /// Returns the wanted number of workers.
    fn target(&self, state: &mut State<J>) -> usize {
        let new = || self.workers.map_or_else(|| ReaderTuner::new(cores()), ReaderTuner::fixed);
        let workers = state.tuner.get_or_insert_with(new).workers();
        self.cap.map_or(workers, |cap| workers.min(cap.get()))
    }

    /// Whether all jobs have been pulled, and at most one of them has an input.
    pub(crate) fn has_one_file(&self) -> bool {
        self.has_one_file.load(Ordering::Relaxed)
    }

    /// Whether a core is idle.
    pub(crate) fn has_idle_core(&self) -> bool {
        self.busy.load(Ordering::Relaxed) < self.workers.unwrap_or_else(cores).get()
    }

    fn observe(&self, state: &mut State<J>, progress: &Progress) {
        let Some(tuner) = &mut state.tuner else { return };
        let elapsed = self.start.elapsed();
        if tuner.is_due(elapsed) {
            let cpu = clock_gettime(ClockId::ProcessCPUTime);
            let work = progress.bytes() + progress.files() * FILE_OVERHEAD_BYTES;
            let cpu = Duration::new(cpu.tv_sec as u64, cpu.tv_nsec as u32);
            tuner.observe(Sample { elapsed, cpu, work });
        }
    }
}

impl<J> State<J> {
    /// Whether all jobs have been pulled, and at most one of them has an input.
    fn has_one_file(&self) -> bool {
        self.ended && self.files <= 1
    }

    /// Whether no job is queued.
    fn is_empty(&self) -> bool {
        self.jobs.is_empty() && self.long.is_empty()
    }

    fn should_pull(&self, ahead: usize) -> bool {
        !self.ended
            && !self.pulling
            && self.jobs.len() + self.long.len() < ahead
            && self.window < WINDOW_JOBS
            && self.window_bytes < WINDOW_BYTES
    }
}

/// Returns the length of a job's file, in bytes; 0 if the job has no regular file.
fn file_len(job: &impl Job) -> u64 {
    let Input::File(path) = job.input() else { return 0 };
    // A failed `stat` is reported when the file is opened.
    metadata(path).ok().filter(Metadata::is_file).map_or(0, |metadata| metadata.len())
}

/// Returns the number of cores that this process may use. Cached, because it takes a dozen system
/// calls.
fn cores() -> NonZeroUsize {
    static CORES: OnceLock<NonZeroUsize> = OnceLock::new();
    *CORES.get_or_init(|| thread::available_parallelism().unwrap_or(NonZeroUsize::MIN))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sha256File;

    type Long = Sha256File<()>;

    fn long(path: impl ToString) -> Long {
        Sha256File { path: path.to_string().into(), data: () }
    }

    /// Takes all jobs that the queue offers, like a worker whose files have not ended. Returns
    /// their number.
    fn take_on(queue: &Queue<'_, Long>, first: bool, had: usize) -> usize {
        let mut long = had;
        while let Next::Begin(batch, other) = queue.next(first, false, long, &Progress::default()) {
            for job in batch.into_iter().chain(other.into_iter().flatten()) {
                let is_mine = job.is_long || queue.admit_long(job, long).is_some();
                long += usize::from(is_mine);
            }
        }
        long
    }

    #[test]
    fn a_worker_takes_on_its_part_of_long_files_and_leaves_the_rest() {
        for count in [1_usize, 2, 3, 10, 33] {
            let jobs = (0..count).map(|_| long("long"));
            let queue = Queue::new(jobs, NonZeroUsize::new(2));
            let mine = take_on(&queue, true, 0);
            assert_eq!(mine, count.div_ceil(2), "of {count}");
            assert_eq!(queue.long_waits(), count > 1);
            assert!(
                count == 1
                    || matches!(queue.next(true, false, mine, &Progress::default()), Next::Later)
            );
            assert_eq!(take_on(&queue, false, 0), count / 2, "of {count}");
            assert!(!queue.long_waits());
            // When one ends, nothing is left to share.
            queue.long_done();
            assert!(matches!(queue.next(true, false, mine, &Progress::default()), Next::End));
        }
    }

    #[test]
    fn a_worker_alone_takes_on_all_long_files() {
        let jobs = (0..10).map(|_| long("long"));
        let queue = Queue::new(jobs, NonZeroUsize::new(1));
        assert_eq!(take_on(&queue, true, 0), 10);
    }

    #[test]
    fn returned_jobs_are_taken_first() {
        let jobs = (0..9).map(long);
        let queue = Queue::new(jobs, NonZeroUsize::new(1));
        let progress = Progress::default();
        let mut taken = Vec::new();
        while let Next::Begin(mut batch, _) = queue.next(true, false, 0, &progress) {
            batch.reverse();
            taken.extend(batch.pop().map(|job| job.number));
            queue.give_back(&mut batch);
        }
        assert_eq!(taken, (0..9).collect::<Vec<_>>());
    }
}
