//! Hashes one long file with several algorithms, on separate threads where cores are idle.

use std::collections::VecDeque;
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use lanesum::Hasher;

use crate::lanes::{Hashed, Stream};
use crate::reading::Reading;

/// Maximum number of runs that a thread may lag behind the others: enough to cover a short
/// preemption, few enough to fit in the L2 cache.
const MAX_LAG_RUNS: usize = 3;

/// The hashers of a file, in the order of its algorithms.
pub(crate) struct Streams {
    places: Vec<Place>,
    /// Runs still in use by some threads, oldest first.
    unanswered: VecDeque<Arc<Box<[u8]>>>,
}

#[allow(clippy::large_enum_variant, reason = "there are few of them")]
enum Place {
    /// A hasher on the calling thread.
    Here(Stream),
    There(Elsewhere),
}

/// A hasher on its own thread. It answers each task, with its state if that was requested.
struct Elsewhere {
    tasks: Sender<Task>,
    answers: Receiver<Option<Hasher>>,
    thread: JoinHandle<Stream>,
}

/// A task for a thread.
enum Task {
    Hash(Arc<Box<[u8]>>, Range<usize>),
    State,
}

impl Streams {
    /// Hashes with all of `streams` on the calling thread.
    pub(crate) fn here(streams: impl IntoIterator<Item = Stream>) -> Self {
        let places = streams.into_iter().map(Place::Here).collect();
        Self { places, unanswered: VecDeque::new() }
    }

    /// Moves all hashers except the first to their own threads, as far as threads can be started.
    pub(crate) fn spread(self) -> Self {
        let spread = |(index, place)| match place {
            Place::Here(stream) if index > 0 => match Elsewhere::start(&stream) {
                Some(there) => Place::There(there),
                None => Place::Here(stream),
            },
            place => place,
        };
        Self { places: self.places.into_iter().enumerate().map(spread).collect(), ..self }
    }

    /// Hashes and consumes the available bytes of `reading`.
    pub(crate) fn update(&mut self, reading: &mut Reading) {
        let len = reading.available().len();
        if self.elsewhere().next().is_none() {
            self.update_here(reading.available());
        } else {
            // Threads cannot borrow the buffer, so they share it. Once all have answered, this
            // thread is the only owner.
            let (bytes, range) = reading.lend();
            let bytes = Arc::new(bytes);
            self.elsewhere().for_each(|there| {
                there.give(Task::Hash(bytes.clone(), range.clone()));
            });
            self.update_here(&bytes[range]);
            let run_len = bytes.len();
            self.unanswered.push_back(bytes);
            let free = if self.unanswered.len() > MAX_LAG_RUNS { self.oldest() } else { None };
            reading.give_back(free.unwrap_or_else(|| vec![0; run_len].into_boxed_slice()));
        }
        reading.consume(len);
    }

    fn update_here(&mut self, bytes: &[u8]) {
        for place in &mut self.places {
            if let Place::Here(stream) = place {
                stream.update(bytes);
            }
        }
    }

    /// Waits until all threads have acknowledged the oldest run and returns it; `None` if there is
    /// no run.
    fn oldest(&mut self) -> Option<Box<[u8]>> {
        let bytes = self.unanswered.pop_front()?;
        self.elsewhere().for_each(|there| _ = there.answer());
        Arc::into_inner(bytes)
    }

    fn elsewhere(&self) -> impl Iterator<Item = &Elsewhere> {
        self.places.iter().filter_map(|place| match place {
            Place::Here(_) => None,
            Place::There(there) => Some(there),
        })
    }

    /// Returns the states of the hashers that support it.
    pub(crate) fn states(&mut self) -> Vec<Hasher> {
        while !self.unanswered.is_empty() {
            self.oldest();
        }
        let state = |place: &Place| match place {
            Place::Here(stream) => stream.state(),
            Place::There(there) => {
                there.give(Task::State);
                there.answer()
            }
        };
        self.places.iter().filter_map(state).collect()
    }

    /// Returns the results.
    pub(crate) fn finish(self) -> impl Iterator<Item = Hashed> {
        self.places.into_iter().map(|place| match place {
            Place::Here(stream) => stream.finish(),
            Place::There(there) => there.end().finish(),
        })
    }
}

impl Elsewhere {
    /// Starts a thread that continues `stream`; `None` if it cannot be started.
    fn start(stream: &Stream) -> Option<Self> {
        let (tasks, given) = channel();
        let (answer, answers) = channel();
        let theirs = stream.clone();
        let thread = thread::Builder::new().spawn(move || run(theirs, &given, &answer)).ok()?;
        Some(Self { tasks, answers, thread })
    }

    /// Sends a task. If the thread has panicked, `answer` reports it.
    fn give(&self, task: Task) {
        let _ = self.tasks.send(task);
    }

    fn answer(&self) -> Option<Hasher> {
        self.answers.recv().expect("the thread of a stream runs until it is stopped")
    }

    fn end(self) -> Stream {
        drop(self.tasks);
        self.thread.join().unwrap_or_else(|panic| resume_unwind(panic))
    }
}

/// The thread: performs tasks in order until the channel is closed.
fn run(mut stream: Stream, tasks: &Receiver<Task>, answer: &Sender<Option<Hasher>>) -> Stream {
    while let Ok(task) = tasks.recv() {
        let state = match task {
            Task::Hash(bytes, range) => {
                stream.update(&bytes[range]);
                None
            }
            Task::State => stream.state(),
        };
        // The bytes have been released here.
        if answer.send(state).is_err() {
            break;
        }
    }
    stream
}
