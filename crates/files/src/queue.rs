//! Jobs on their way from whoever names them to the workers.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

use crate::depth::{Depth, Sample};
use crate::{Job, Progress};

/// A job and its place in the order of results.
pub(crate) struct Numbered<J> {
    pub(crate) number: u64,
    pub(crate) job: J,
}

pub(crate) type Batch<J> = Vec<Numbered<J>>;

/// Jobs that are pulled from their source before they are needed, so that the workers
/// have something to do while a slow folder is listed.
const AHEAD: usize = 256;

/// Jobs pulled at a time, at most.
const PULL: usize = 64;

/// Jobs that a worker takes at a time, at most.
const BATCH: usize = 16;

/// Jobs between the first whose result is not ready and the last begun, at most, and the
/// memory that they may hold, in bytes: then workers wait for the slow one.
const WINDOW: usize = 32 << 10;
const WINDOW_BYTES: usize = 12 << 20;

/// Bytes that could be read in the time it takes to open and close a file.
const FILE_WORK: u64 = 16 << 10;

/// The queue that workers share.
///
/// There is no thread that pulls: the worker who finds the queue short does it, while
/// the others go on with what is there.
pub(crate) struct Queue<J, I> {
    state: Mutex<State<J>>,
    changed: Condvar,
    source: Mutex<I>,
    /// Workers that are not waiting.
    busy: AtomicUsize,
    /// How many were asked for.
    workers: Option<NonZeroUsize>,
    start: Instant,
}

struct State<J> {
    jobs: VecDeque<Numbered<J>>,
    /// Jobs pulled in all, which is the number of the next one.
    pulled: u64,
    /// Jobs that are pulled and whose results are not handed on, and what they weigh.
    window: usize,
    window_bytes: usize,
    pull: usize,
    pulling: bool,
    ended: bool,
    stopped: bool,
    workers: usize,
    waiting: usize,
    /// None until there are two jobs at once: to ask how many cores there are takes a while.
    depth: Option<Depth>,
}

/// What a worker is to do next.
pub(crate) enum Next<J> {
    /// Begin these, and let another worker begin those, if there are any.
    Begin(Batch<J>, Option<Batch<J>>),
    /// There is nothing to begin yet.
    Later,
    /// There will be nothing more to begin, for this worker at least.
    End,
    /// Drop everything.
    Stop,
}

impl<J: Job, I: Iterator<Item = J>> Queue<J, I> {
    pub(crate) fn new(source: I, workers: Option<NonZeroUsize>) -> Self {
        let state = State {
            jobs: VecDeque::new(),
            pulled: 0,
            window: 0,
            window_bytes: 0,
            // Little at first: the first file should not wait for the names of many.
            pull: 2,
            pulling: false,
            ended: false,
            stopped: false,
            workers: 1,
            waiting: 0,
            depth: None,
        };
        Self {
            state: Mutex::new(state),
            changed: Condvar::new(),
            source: Mutex::new(source),
            busy: AtomicUsize::new(1),
            workers,
            start: Instant::now(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<J>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What to do next. Only an `idle` worker, one who has nothing in its lanes and no
    /// result that it has not handed on, may be made to wait: others may be waiting for it.
    ///
    /// The first worker stays to the end, however few there should be.
    pub(crate) fn next(&self, first: bool, idle: bool, progress: &Progress) -> Next<J> {
        let mut state = self.lock();
        self.observe(&mut state, progress);
        loop {
            if state.stopped {
                return Next::Stop;
            }
            if !first && state.workers > self.target(&mut state) {
                state.workers -= 1;
                return Next::End;
            }
            if state.should_pull() {
                state = self.pull(state);
                continue;
            }
            if let Some(batch) = self.take(&mut state) {
                let more = !state.jobs.is_empty() && state.workers < self.target(&mut state);
                let other = if more { self.take(&mut state) } else { None };
                if other.is_some() {
                    state.workers += 1;
                    self.busy.fetch_add(1, Ordering::Relaxed);
                }
                return Next::Begin(batch, other);
            }
            if state.ended {
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

    fn pull<'a>(&'a self, mut state: MutexGuard<'a, State<J>>) -> MutexGuard<'a, State<J>> {
        state.pulling = true;
        let count = state.pull;
        state.pull = (count * 2).min(PULL);
        drop(state);

        let mut source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
        let jobs: Vec<J> = source.by_ref().take(count).collect();
        drop(source);

        let mut state = self.lock();
        state.pulling = false;
        state.ended = jobs.len() < count;
        for job in jobs {
            let number = state.pulled;
            state.pulled += 1;
            state.window += 1;
            state.window_bytes += job.weight();
            state.jobs.push_back(Numbered { number, job });
        }
        self.wake(&state);
        state
    }

    /// Results of so many jobs, that weigh so much, have been handed on.
    pub(crate) fn handed_on(&self, jobs: usize, weight: usize) {
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

    /// A worker has gone, or could not be had in the first place. That one still counts
    /// as one of so many, so that no other is asked for in its place.
    pub(crate) fn leave(&self) {
        self.busy.fetch_sub(1, Ordering::Relaxed);
    }

    /// No results are wanted any more.
    pub(crate) fn stop(&self) {
        let mut state = self.lock();
        state.stopped = true;
        state.jobs.clear();
        self.changed.notify_all();
    }

    /// A fair part of what is there: when little is left, each worker should get some.
    fn take(&self, state: &mut State<J>) -> Option<Batch<J>> {
        let count = match state.jobs.len() {
            0 => return None,
            1 => 1,
            len => (len / (2 * self.target(state))).clamp(1, BATCH),
        };
        Some(state.jobs.drain(..count).collect())
    }

    /// How many workers there should be.
    fn target(&self, state: &mut State<J>) -> usize {
        let new = || self.workers.map_or_else(|| Depth::new(cores()), Depth::fixed);
        state.depth.get_or_insert_with(new).workers()
    }

    /// Whether a core has nothing to do.
    pub(crate) fn has_idle_core(&self) -> bool {
        self.busy.load(Ordering::Relaxed) < self.workers.unwrap_or_else(cores).get()
    }

    fn observe(&self, state: &mut State<J>, progress: &Progress) {
        let Some(depth) = &mut state.depth else { return };
        let elapsed = self.start.elapsed();
        if depth.is_due(elapsed) {
            let cpu = clock_gettime(ClockId::ProcessCPUTime);
            let work = progress.bytes() + progress.files() * FILE_WORK;
            let cpu = Duration::new(cpu.tv_sec as u64, cpu.tv_nsec as u32);
            depth.observe(Sample { elapsed, cpu, work });
        }
    }
}

impl<J> State<J> {
    fn should_pull(&self) -> bool {
        !self.ended
            && !self.pulling
            && self.jobs.len() < AHEAD
            && self.window < WINDOW
            && self.window_bytes < WINDOW_BYTES
    }
}

/// The cores that this process may use. It is a dozen system calls to find out.
fn cores() -> NonZeroUsize {
    static CORES: OnceLock<NonZeroUsize> = OnceLock::new();
    *CORES.get_or_init(|| thread::available_parallelism().unwrap_or(NonZeroUsize::MIN))
}
