//! The queue of jobs between the caller, who names files, and the workers.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

use crate::depth::{Depth, Sample};
use crate::reading::LONG;
use crate::{Input, Job, Progress, metadata};

/// A job and its place in the order of results.
pub(crate) struct Numbered<J> {
    pub(crate) number: u64,
    pub(crate) job: J,
    /// Whether its file is long, and counted as one that is being hashed.
    pub(crate) is_long: bool,
}

/// What a worker takes at a time.
pub(crate) type Taken<J> = Vec<Numbered<J>>;

/// Jobs that are pulled from their source before they are needed, so that the workers
/// have something to do while a slow folder is listed.
const AHEAD: usize = 256;

/// The same where files are long, and so many names are soon listed beside them: the
/// further one sees, the earlier the longest are begun.
const FAR_AHEAD: usize = 4096;

/// The mean length of files, in bytes, from which on it costs next to nothing to ask each
/// for its length before its turn has come.
const WORTH_A_LOOK: u64 = 256 << 10;

/// Jobs pulled at a time, at most. A worker that was faster is woken once for them: where nothing is read
/// but what is known of files, that is a good part of the time.
const PULL: usize = 256;

/// Jobs that a worker takes at a time, at most.
const TAKEN: usize = 16;

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
pub(crate) struct Queue<'a, J> {
    state: Mutex<State<J>>,
    changed: Condvar,
    source: Mutex<Box<dyn Iterator<Item = J> + Send + 'a>>,
    /// Workers that are not waiting.
    busy: AtomicUsize,
    /// Whether long jobs wait, for workers that look between turns of their lanes.
    long_waits: AtomicBool,
    /// Whether all jobs have been pulled, and at most one of them reads something.
    has_one_file: AtomicBool,
    /// How many were asked for.
    workers: Option<NonZeroUsize>,
    /// How many there are descriptors for, if those are scarce.
    cap: Option<NonZeroUsize>,
    start: Instant,
}

struct State<J> {
    jobs: VecDeque<Numbered<J>>,
    /// Jobs whose files are known to be long. They are begun before all others, or the last
    /// of them would keep one worker at work when the others have nothing left, and each
    /// worker has a fair part of them in its lanes, for what is begun stays with its worker.
    long: VecDeque<Numbered<J>>,
    /// How many long ones are in workers' lanes.
    long_begun: usize,
    /// Jobs pulled in all, which is the number of the next one.
    pulled: u64,
    /// Pulled jobs that read a file or standard input.
    files: u64,
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
    Begin(Taken<J>, Option<Taken<J>>),
    /// There is nothing to begin yet.
    Later,
    /// There will be nothing more to begin, for this worker at least.
    End,
    /// Drop everything.
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

    /// What to do next. Only an `idle` worker, one who has nothing in its lanes and no
    /// result that it has not handed on, may be made to wait: others may be waiting for it.
    /// It has `long` long files in its lanes.
    ///
    /// The first worker stays to the end, however few there should be.
    pub(crate) fn next(
        &self,
        first: bool,
        idle: bool,
        long: usize,
        progress: &Progress,
    ) -> Next<J> {
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
            let has_long_files = progress.mean_len() >= WORTH_A_LOOK;
            if state.should_pull(if has_long_files { FAR_AHEAD } else { AHEAD }) {
                state = self.pull(state, has_long_files);
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

    /// Pulls more jobs from the source, and looks for long ones among them if told to.
    fn pull<'s>(
        &'s self,
        mut state: MutexGuard<'s, State<J>>,
        look: bool,
    ) -> MutexGuard<'s, State<J>> {
        state.pulling = true;
        let count = state.pull;
        state.pull = (count * 2).min(PULL);
        drop(state);

        let mut source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
        let jobs: Vec<J> = source.by_ref().take(count).collect();
        drop(source);
        let long: Vec<bool> = jobs.iter().map(|job| look && is_long(job)).collect();

        let mut state = self.lock();
        state.pulling = false;
        state.ended = jobs.len() < count;
        for (job, is_long) in jobs.into_iter().zip(long) {
            let number = state.pulled;
            state.pulled += 1;
            state.window += 1;
            state.window_bytes += job.weight();
            state.files += u64::from(!matches!(job.input(), Input::Nothing));
            let numbered = Numbered { number, job, is_long: false };
            if is_long { &mut state.long } else { &mut state.jobs }.push_back(numbered);
        }
        self.long_waits.store(!state.long.is_empty(), Ordering::Relaxed);
        self.has_one_file.store(state.has_one_file(), Ordering::Relaxed);
        self.wake(&state);
        state
    }

    /// Takes back jobs that a worker has not begun, the first of them last.
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

    /// A worker that has `long` long files in its lanes has opened one more: it begins that
    /// if it has less than its part of them, or else leaves it to whoever has.
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

    /// A long file is done.
    pub(crate) fn long_done(&self) {
        self.lock().long_begun -= 1;
    }

    /// Whether a long file waits for a worker that has few.
    pub(crate) fn long_waits(&self) -> bool {
        self.long_waits.load(Ordering::Relaxed)
    }

    /// A worker's fair part of all long files that are known, and `more`.
    fn part_of_long(&self, state: &mut State<J>, more: usize) -> usize {
        (state.long_begun + state.long.len() + more).div_ceil(self.target(state))
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
        state.long.clear();
        self.changed.notify_all();
    }

    /// A fair part of what is there for a worker that has `long` long files: when little is
    /// left, each worker should get some.
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
            len if state.has_one_file() => len.min(TAKEN),
            len => (len / (2 * self.target(state))).clamp(1, TAKEN),
        };
        Some(state.jobs.drain(..count).collect())
    }

    /// How many workers there should be.
    fn target(&self, state: &mut State<J>) -> usize {
        let new = || self.workers.map_or_else(|| Depth::new(cores()), Depth::fixed);
        let workers = state.depth.get_or_insert_with(new).workers();
        self.cap.map_or(workers, |cap| workers.min(cap.get()))
    }

    /// Whether all jobs have been pulled, and at most one of them reads something.
    pub(crate) fn has_one_file(&self) -> bool {
        self.has_one_file.load(Ordering::Relaxed)
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
    /// Whether all jobs have been pulled, and at most one of them reads something.
    fn has_one_file(&self) -> bool {
        self.ended && self.files <= 1
    }

    /// Whether there is no job to take.
    fn is_empty(&self) -> bool {
        self.jobs.is_empty() && self.long.is_empty()
    }

    fn should_pull(&self, ahead: usize) -> bool {
        !self.ended
            && !self.pulling
            && self.jobs.len() + self.long.len() < ahead
            && self.window < WINDOW
            && self.window_bytes < WINDOW_BYTES
    }
}

/// Whether the job's file is long, as far as one can see without opening it.
fn is_long(job: &impl Job) -> bool {
    match job.input() {
        // What cannot be asked now will be found out when it is opened.
        Input::File(path) => metadata(path).is_ok_and(|m| m.is_file() && m.len() >= LONG),
        _ => false,
    }
}

/// The cores that this process may use. It is a dozen system calls to find out.
fn cores() -> NonZeroUsize {
    static CORES: OnceLock<NonZeroUsize> = OnceLock::new();
    *CORES.get_or_init(|| thread::available_parallelism().unwrap_or(NonZeroUsize::MIN))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Checksum;
    use lanesum::Algorithm;
    use std::path::{Path, PathBuf};

    struct Long(PathBuf);

    impl Job for Long {
        fn input(&self) -> Input<'_> {
            Input::File(&self.0)
        }
        fn algorithms(&self) -> &[Checksum] {
            &[Checksum::Lanesum(Algorithm::SHA256)]
        }
    }

    /// Takes on all it is given and allowed, as a worker that nothing has ended yet; how many.
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
            let jobs = (0..count).map(|_| Long(Path::new("long").to_owned()));
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
            // When one ends, there is nothing more to share.
            queue.long_done();
            assert!(matches!(queue.next(true, false, mine, &Progress::default()), Next::End));
        }
    }

    #[test]
    fn a_worker_alone_takes_on_all_long_files() {
        let jobs = (0..10).map(|_| Long(Path::new("long").to_owned()));
        let queue = Queue::new(jobs, NonZeroUsize::new(1));
        assert_eq!(take_on(&queue, true, 0), 10);
    }

    #[test]
    fn what_is_given_back_is_the_next_to_be_taken() {
        let jobs = (0..9).map(|i| Long(PathBuf::from(i.to_string())));
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
