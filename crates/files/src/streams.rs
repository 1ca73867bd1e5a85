//! One long file by several algorithms, each in a thread of its own where cores are idle.

use std::collections::VecDeque;
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use lanesum::Hasher;

use crate::lanes::{Hashed, Stream};
use crate::reading::Reading;

/// Runs of bytes that a thread may be behind the others, at most: enough that none waits for another
/// that has lost its core for a while, few enough to stay in a second-level cache.
const BEHIND: usize = 3;

/// The streams of a file, one for each algorithm and in the order of those.
pub(crate) struct Streams {
    places: Vec<Place>,
    /// Runs that not all threads have answered for, the oldest first.
    unanswered: VecDeque<Arc<Box<[u8]>>>,
}

#[allow(clippy::large_enum_variant, reason = "there are few of them")]
enum Place {
    /// In the thread that asks.
    Here(Stream),
    There(Elsewhere),
}

/// A stream in a thread of its own, which answers each task: with its state, if that was asked for.
struct Elsewhere {
    tasks: Sender<Task>,
    answers: Receiver<Option<Hasher>>,
    thread: JoinHandle<Stream>,
}

/// What a thread is given to do.
enum Task {
    Hash(Arc<Box<[u8]>>, Range<usize>),
    Tell,
}

impl Streams {
    /// All in this thread.
    pub(crate) fn here(streams: impl IntoIterator<Item = Stream>) -> Self {
        let places = streams.into_iter().map(Place::Here).collect();
        Self { places, unanswered: VecDeque::new() }
    }

    /// The same, all but the first in threads of their own, as far as there are threads to be had.
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

    /// Hashes and consumes what the reading has at hand.
    pub(crate) fn update(&mut self, reading: &mut Reading) {
        let len = reading.at_hand().len();
        if self.elsewhere().next().is_none() {
            self.update_here(reading.at_hand());
        } else {
            // Threads cannot borrow it: they share it, and it is ours alone when all have answered.
            let (bytes, range) = reading.lend();
            let bytes = Arc::new(bytes);
            self.elsewhere().for_each(|there| {
                there.give(Task::Hash(bytes.clone(), range.clone()));
            });
            self.update_here(&bytes[range]);
            let run_len = bytes.len();
            self.unanswered.push_back(bytes);
            let free = if self.unanswered.len() > BEHIND { self.oldest() } else { None };
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

    /// The oldest run, once all threads have answered for it; none if there is no run.
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

    /// Their states, of those that have one.
    pub(crate) fn states(&mut self) -> Vec<Hasher> {
        while !self.unanswered.is_empty() {
            self.oldest();
        }
        let state = |place: &Place| match place {
            Place::Here(stream) => stream.state(),
            Place::There(there) => {
                there.give(Task::Tell);
                there.answer()
            }
        };
        self.places.iter().filter_map(state).collect()
    }

    /// What they have come to.
    pub(crate) fn finish(self) -> impl Iterator<Item = Hashed> {
        self.places.into_iter().map(|place| match place {
            Place::Here(stream) => stream.finish(),
            Place::There(there) => there.end().finish(),
        })
    }
}

impl Elsewhere {
    /// Starts a thread that goes on with the stream, if there is one to be had.
    fn start(stream: &Stream) -> Option<Self> {
        let (tasks, given) = channel();
        let (answer, answers) = channel();
        let theirs = stream.clone();
        let thread = thread::Builder::new().spawn(move || run(theirs, &given, &answer)).ok()?;
        Some(Self { tasks, answers, thread })
    }

    /// A thread that has panicked is found out by its answer.
    fn give(&self, task: Task) {
        let _ = self.tasks.send(task);
    }

    fn answer(&self) -> Option<Hasher> {
        self.answers.recv().expect("the thread of a stream lives until it is told to end")
    }

    fn end(self) -> Stream {
        drop(self.tasks);
        self.thread.join().unwrap_or_else(|panic| resume_unwind(panic))
    }
}

/// A thread: does one task after the other until there will be no more.
fn run(mut stream: Stream, tasks: &Receiver<Task>, answer: &Sender<Option<Hasher>>) -> Stream {
    while let Ok(task) = tasks.recv() {
        let state = match task {
            Task::Hash(bytes, range) => {
                stream.update(&bytes[range]);
                None
            }
            Task::Tell => stream.state(),
        };
        // The bytes are let go by now.
        if answer.send(state).is_err() {
            break;
        }
    }
    stream
}
