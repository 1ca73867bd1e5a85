//! A thread that reads files and hashes them in lanes.

use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io;
use std::path::Path;
use std::rc::Rc;
use std::thread;
use std::time::SystemTime;

use lanesum::{Algorithm, Engine, Hasher, Message, Policy};
use rustix::stdio::stdin;

use crate::buffer::{LeftBehind, Pool};
use crate::descriptors::{ATTEMPT_INTERVAL, Descriptors, MAX_ATTEMPTS, is_exhausted};
use crate::dir_handle::DirHandle;
use crate::lanes::{Ended, Hashed, Lanes, Stream};
use crate::queue::{Next, Numbered, Queue, Taken};
use crate::reading::{Reading, Spare};
use crate::results::{Outcome, Results};
use crate::streams::Streams;
use crate::{
    Checksum, Digests, Doing, Error, ForeignHasher, Input, Job, Kinds, Meter, Progress, Stamp, Step,
};

/// Maximum number of results that a worker retains before it delivers them.
const MAX_UNDELIVERED: usize = 16;

/// State shared by the workers of a run.
pub(crate) struct Run<'a, J> {
    pub(crate) queue: Queue<'a, J>,
    pub(crate) results: Results<'a, J>,
    pub(crate) buffers: LeftBehind,
    pub(crate) descriptors: Descriptors,
    /// Buffer length for a single file, in bytes.
    pub(crate) alone_len: usize,
    pub(crate) progress: &'a Progress,
    pub(crate) meter: Meter<'a>,
    pub(crate) policy: &'a Policy,
}

impl<J> Run<'_, J> {
    /// Ends the progress of a file that has been read, or cannot be.
    fn ended(&self, reading: &Reading) {
        if let Some(long) = reading.progress() {
            self.progress.end_long(long);
        }
    }

    /// Returns the engine for `algorithm`. The policy has a kernel for it.
    fn engine(&self, algorithm: Algorithm) -> Engine {
        self.policy.engine(algorithm).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Returns the engine for a run with a single file.
    fn engine_for_one(&self, algorithm: Algorithm) -> Engine {
        self.policy.engine_for_one(algorithm).unwrap_or_else(|error| panic!("{error}"))
    }
}

/// Lanes of an algorithm, with or without collision detection.
type Group<'r, 'a, J> = ((Algorithm, bool), Lanes<InLane<'r, 'a, J>>);

/// The state of a worker. It shares only the run with other workers.
struct Worker<'r, 'a, J: Job> {
    run: &'r Run<'a, J>,
    pool: Pool,
    dir_handle: DirHandle,
    /// For each algorithm seen so far, with and without collision detection.
    lanes: Vec<Group<'r, 'a, J>>,
    load: Rc<WorkerLoad<'r, 'a, J>>,
    /// Jobs that were taken and not yet begun, next one last.
    taken: Taken<J>,
    finished: Vec<Outcome<J>>,
    /// Number of long files in the lanes.
    long: usize,
}

/// State shared with the files in lanes.
struct WorkerLoad<'r, 'a, J> {
    /// Number of messages in this worker's lanes.
    live: Cell<usize>,
    run: &'r Run<'a, J>,
}

/// A message in a lane. Small, because lanes are reordered whenever one of them ends.
enum InLane<'r, 'a, J> {
    /// A file, read as it is hashed.
    Only(Box<Only<'r, 'a, J>>),
    /// A small file with several algorithms, in a lane of each. The bytes from `at` on are still to
    /// be hashed.
    Part { of: Rc<Gathered<J>>, index: usize, at: usize },
}

/// A file that is in one lane.
struct Only<'r, 'a, J> {
    job: Numbered<J>,
    reading: Reading,
    load: Rc<WorkerLoad<'r, 'a, J>>,
}

/// A small file that was read once, for several algorithms.
struct Gathered<J> {
    job: Numbered<J>,
    reading: Reading,
    hashed: RefCell<Vec<Option<Hashed>>>,
}

impl<J: Job> Message for InLane<'_, '_, J> {
    type Error = Error;

    #[inline]
    fn fill(&mut self) -> Result<&[u8], Error> {
        match self {
            InLane::Only(only) => {
                if only.reading.has_run_out() {
                    only.read_on()?;
                }
                Ok(only.reading.available())
            }
            InLane::Part { of, at, .. } => Ok(&of.reading.available()[*at..]),
        }
    }

    #[inline]
    fn consume(&mut self, n: usize) {
        match self {
            InLane::Only(only) => only.reading.consume(n),
            InLane::Part { at, .. } => *at += n,
        }
    }
}

impl<J: Job> Only<'_, '_, J> {
    #[cold]
    fn read_on(&mut self) -> Result<(), Error> {
        let Self { job, reading, load } = self;
        let advance = || reading.advance(path(&job.job), || load.spare());
        let read = load.run.progress.during(Doing::Reading, advance)?;
        load.run.meter.read(read);
        Ok(())
    }
}

impl<J> InLane<'_, '_, J> {
    fn job(&self) -> &J {
        match self {
            InLane::Only(only) => &only.job.job,
            InLane::Part { of, .. } => &of.job.job,
        }
    }
}

impl<J: Job> WorkerLoad<'_, '_, J> {
    fn spare(&self) -> Spare {
        let is_alone = self.live.get() <= 1;
        Spare { is_alone, has_idle_core: is_alone && self.run.queue.has_idle_core() }
    }
}

/// Returns the name of a job's input, for messages.
fn path(job: &impl Job) -> &Path {
    match job.input() {
        Input::File(path) => path,
        Input::StandardInput => Path::new("-"),
        Input::Nothing => Path::new(""),
    }
}

/// Runs until no work is left, starting with `taken`.
pub(crate) fn work<J: Job>(
    run: &Run<'_, J>,
    taken: Taken<J>,
    first: bool,
    spawn: impl Fn(Taken<J>) -> Option<Taken<J>>,
) {
    let load = Rc::new(WorkerLoad { live: Cell::new(0), run });
    let mut worker = Worker {
        run,
        pool: Pool::new(run.alone_len),
        dir_handle: DirHandle::new(run.descriptors.workers().is_some()),
        lanes: Vec::new(),
        load,
        taken: Vec::new(),
        finished: Vec::new(),
        long: 0,
    };
    worker.take(taken);
    loop {
        while let Some(job) = worker.taken.pop() {
            worker.begin(job);
        }
        let (is_idle, long) = (worker.is_idle(), worker.long);
        let next = run
            .progress
            .during(Doing::Waiting, || run.queue.next(first, is_idle, long, run.progress));
        match next {
            Next::Begin(mine, other) => {
                worker.take(mine);
                // If no thread can be started, this one does the work.
                worker.take(other.and_then(&spawn).unwrap_or_default());
            }
            Next::Later => {
                worker.run_one(|| run.queue.long_waits());
                worker.deliver();
            }
            Next::End => break,
            Next::Stop => return,
        }
    }
    while !worker.is_idle() {
        worker.run_one(|| false);
        worker.deliver();
    }
    worker.pool.leave(&run.buffers);
}

impl<'r, 'a, J: Job> Worker<'r, 'a, J> {
    fn is_idle(&self) -> bool {
        self.load.live.get() == 0 && self.finished.is_empty()
    }

    fn take(&mut self, taken: Taken<J>) {
        self.dir_handle.forget();
        self.taken.splice(..0, taken.into_iter().rev());
    }

    /// Opens a job's file and puts it in a lane, which may finish other files.
    fn begin(&mut self, mut job: Numbered<J>) {
        self.long += usize::from(job.is_long);
        if job.job.algorithms().is_empty() {
            return self.finish(job, Ok(Digests::default()));
        }
        let known = self.run.progress.during(Doing::Waiting, || job.job.recall());
        if let Some(known) = known {
            self.run.progress.skip(job.len);
            return self.finish(job, Ok(known));
        }
        let is_keyed = job.job.key().is_some();
        assert!(!is_keyed || job.job.algorithms().len() == 1, "a key is of one algorithm");
        let Some(reading) = self.open(&job.job) else {
            return self.finish(job, Ok(Digests::default()));
        };
        let mut reading = match reading {
            Ok(reading) => reading,
            Err(error) => {
                self.run.progress.skip(job.len);
                return self.finish(job, Err(error));
            }
        };
        if reading.is_long() && !job.is_long && matches!(job.job.input(), Input::File(_)) {
            // Another worker may have fewer of them, and then opens the file again.
            let Some(mine) = self.run.queue.admit_long(job, self.long) else { return };
            job = mine;
            self.long += 1;
        }
        self.run.meter.read(reading.total() as usize);
        if let Some(stamp) = reading.stamp().filter(|_| reading.is_long()) {
            reading.report_to(self.run.progress.begin_long(path(&job.job), stamp.len));
        }
        let is_whole = reading.whole().is_some();
        if !is_whole {
            reading.hold(&self.run.descriptors);
            // This file may take long, and others may wait for the finished results.
            self.deliver();
        }
        let has_checkpoints = |stamp: Stamp| {
            let checkpoints = job.job.checkpoints().filter(|_| !is_keyed);
            checkpoints.is_some_and(|checkpoints| stamp.len > checkpoints.every())
        };
        if !is_whole && reading.stamp().is_some_and(has_checkpoints) {
            return self.stream(job, reading);
        }
        match *job.job.algorithms() {
            [Checksum::Lanesum(algorithm)] => {
                let load = self.load.clone();
                self.push(algorithm, InLane::Only(Box::new(Only { job, reading, load })));
            }
            _ if is_whole => self.share(job, reading),
            _ => self.stream(job, reading),
        }
        while !is_whole && self.run.descriptors.are_exceeded() && self.load.live.get() > 0 {
            self.run_one(|| false);
        }
    }

    /// Opens the input of a job and reads its first run; `None` if it has no input.
    fn open(&mut self, job: &J) -> Option<Result<Reading, Error>> {
        let mut tries = 0;
        loop {
            let opened = self.try_open(job)?;
            let error = match opened {
                Err(error) if error.source().is_some_and(is_exhausted) => error,
                opened => return Some(opened),
            };
            // Descriptors are exhausted. First hash this worker's open files, then wait for those
            // of other workers, and finally give other programs some time.
            self.dir_handle.forget();
            if self.load.live.get() > 0 {
                self.run_one(|| false);
            } else if self.run.descriptors.has_held() || tries < MAX_ATTEMPTS {
                tries += 1;
                thread::sleep(ATTEMPT_INTERVAL);
            } else {
                return Some(Err(error));
            }
        }
    }

    fn try_open(&mut self, job: &J) -> Option<Result<Reading, Error>> {
        let (kinds, accepts_changes) = (job.kinds(), job.accepts_changes());
        let is_only = self.run.queue.has_one_file();
        let buffer = || match is_only {
            true => self.pool.take_alone(),
            false => self.pool.take(&self.run.buffers),
        };
        let dir_handle = &mut self.dir_handle;
        let open = || match job.input() {
            Input::Nothing => None,
            Input::File(path) => {
                Some(Reading::open(dir_handle, path, kinds, buffer(), accepts_changes))
            }
            Input::StandardInput => {
                let path = Path::new("-");
                let opened =
                    standard_input().map_err(|source| Error::new(path, Step::Open, source));
                Some(opened.and_then(|file| {
                    Reading::begin(file, path, Kinds::Any, buffer(), accepts_changes)
                }))
            }
        };
        self.run.progress.during(Doing::Reading, open)
    }

    /// Puts a file that is in memory in a lane of each of its algorithms. Foreign algorithms hash
    /// it here.
    fn share(&mut self, job: Numbered<J>, reading: Reading) {
        let count = job.job.algorithms().len();
        let hashed = RefCell::new(vec![None; count]);
        let gathered = Rc::new(Gathered { job, reading, hashed });
        for index in 0..count {
            match gathered.job.job.algorithms()[index] {
                Checksum::Lanesum(algorithm) => {
                    // `settle` acts on the last handle, so this clone must move into the lane.
                    let of = gathered.clone();
                    self.push(algorithm, InLane::Part { of, index, at: 0 });
                }
                Checksum::Foreign(foreign) => {
                    let mut hasher = ForeignHasher::new(foreign);
                    hasher.update(gathered.reading.available());
                    gathered.hashed.borrow_mut()[index] = Some(hasher.finish().into());
                }
            }
        }
        self.settle(gathered);
    }

    /// Reads a long file once for all of its algorithms.
    fn stream(&mut self, job: Numbered<J>, mut reading: Reading) {
        // Unstarted jobs must not wait for this file.
        self.run.queue.give_back(&mut self.taken);
        let result = self.read_through(&job.job, &mut reading);
        self.run.ended(&reading);
        self.finish(job, result);
    }

    fn read_through(&self, job: &J, reading: &mut Reading) -> Result<Digests, Error> {
        let detects_collisions = job.detects_collisions();
        let hasher = |algorithm: &Checksum| match *algorithm {
            Checksum::Lanesum(algorithm) => Stream::new(
                self.run.engine(algorithm),
                detects_collisions && algorithm == Algorithm::SHA1,
            ),
            Checksum::Foreign(foreign) => Stream::Foreign(ForeignHasher::new(foreign)),
        };
        let mut streams = Streams::here(job.algorithms().iter().map(hasher));
        let spare = || Spare { is_alone: true, has_idle_core: self.run.queue.has_idle_core() };
        // Neither collision detection nor foreign algorithms have a state that can be stored.
        let has_states =
            !detects_collisions && job.algorithms().iter().all(|a| a.lanesum().is_some());
        let kept = job.checkpoints().zip(reading.stamp()).filter(|_| has_states);
        if let Some((checkpoints, stamp)) = kept
            && let Some(left) = checkpoints.resume(path(job), &stamp, job.algorithms())
            && let Some(offset) = left.first().map(Hasher::len)
            && reading.skip_to(offset, path(job))?
        {
            self.run.progress.add_bytes(offset as usize);
            streams = Streams::here(left.into_iter().map(Stream::Plain));
        }
        if reading.is_long() && self.run.queue.has_idle_core() {
            streams = streams.spread();
        }
        let began = SystemTime::now();
        let mut since = 0;
        loop {
            let progress = self.run.progress;
            let read = progress.during(Doing::Reading, || reading.advance(path(job), spare))?;
            self.run.meter.read(read);
            let len = reading.available().len();
            if len == 0 {
                return digests(job, reading, streams.finish());
            }
            streams.update(reading);
            since += len as u64;
            if let Some((checkpoints, stamp)) = kept
                && since >= checkpoints.every()
            {
                checkpoints.reached(path(job), &stamp, began, &streams.states());
                since = 0;
            }
        }
    }

    fn push(&mut self, algorithm: Algorithm, message: InLane<'r, 'a, J>) {
        let key = match &message {
            InLane::Only(only) => only.job.job.key().cloned(),
            InLane::Part { .. } => None,
        };
        let detects_collisions =
            algorithm == Algorithm::SHA1 && key.is_none() && message.job().detects_collisions();
        let place =
            self.lanes.iter().position(|(known, _)| *known == (algorithm, detects_collisions));
        let place = place.unwrap_or_else(|| {
            // Testing the wide kernels takes longer than hashing a short file.
            let engine = if self.run.queue.has_one_file() && !detects_collisions {
                self.run.engine_for_one(algorithm)
            } else {
                self.run.engine(algorithm)
            };
            let lanes = Lanes::new(engine, detects_collisions);
            self.lanes.push(((algorithm, detects_collisions), lanes));
            self.lanes.len() - 1
        });
        self.load.live.set(self.load.live.get() + 1);
        // Borrowed, so that the local copy of the key is wiped in place.
        if let Some(ended) = self.lanes[place].1.push(message, key.as_ref()) {
            self.done(ended);
        }
    }

    /// Advances the lanes until a message is done or `pause` returns true.
    fn run_one(&mut self, pause: impl Fn() -> bool) {
        let Some((_, lanes)) = self.lanes.iter_mut().find(|(_, lanes)| !lanes.is_empty()) else {
            return;
        };
        let done = loop {
            let done = lanes.advance();
            if done.is_some() || pause() {
                break done;
            }
        };
        if let Some(done) = done {
            self.done(done);
        }
    }

    fn done(&mut self, done: Ended<InLane<'r, 'a, J>>) {
        self.load.live.set(self.load.live.get() - 1);
        match done.message {
            InLane::Only(only) => {
                let Only { job, reading, .. } = *only;
                self.run.ended(&reading);
                let result = done.hashed.and_then(|hashed| digests(&job.job, &reading, [hashed]));
                self.finish(job, result);
            }
            InLane::Part { of, index, .. } => {
                // Reading from memory cannot fail.
                of.hashed.borrow_mut()[index] = done.hashed.ok();
                self.settle(of);
            }
        }
    }

    /// Finishes a file with several algorithms once no other part of it is left.
    fn settle(&mut self, gathered: Rc<Gathered<J>>) {
        if let Ok(Gathered { job, hashed, reading }) = Rc::try_unwrap(gathered) {
            let hashed = hashed.into_inner().into_iter().flatten();
            let result = digests(&job.job, &reading, hashed);
            self.finish(job, result);
        }
    }

    fn finish(&mut self, job: Numbered<J>, result: Result<Digests, Error>) {
        if job.is_long {
            self.long -= 1;
            self.run.queue.long_done();
        }
        if !matches!(job.job.input(), Input::Nothing) {
            self.run.progress.add_file();
        }
        self.finished.push((job, result));
        if self.finished.len() >= MAX_UNDELIVERED {
            self.deliver();
        }
    }

    fn deliver(&mut self) {
        if !self.finished.is_empty() {
            self.run.results.deliver(&mut self.finished, &self.run.queue);
        }
    }
}

/// Returns the digests of a job, or an error if its file contains a collision.
fn digests(
    job: &impl Job,
    reading: &Reading,
    hashed: impl IntoIterator<Item = Hashed>,
) -> Result<Digests, Error> {
    let mut is_collision = false;
    let mut digests = hashed.into_iter().map(|hashed| {
        is_collision |= hashed.is_collision;
        hashed.digest
    });
    let first = digests.next();
    let digests = match (first, digests.next()) {
        (Some(only), None) => Digests::from(only),
        (first, second) => first.into_iter().chain(second).chain(digests).collect(),
    };
    if is_collision {
        Err(Error::plain(path(job), Step::Collide))
    } else {
        Ok(digests.with_stamp(reading.stamp()))
    }
}

/// Duplicates standard input.
fn standard_input() -> io::Result<File> {
    Ok(stdin().try_clone_to_owned()?.into())
}
