//! A batch, cut into pieces that threads take one after the other.
//!
//! Threads live as long as the call: none has to survive a fork, and a child of one has all that
//! it needs. Between pieces the thread that called looks whether somebody wants it to stop.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use lanesum::{Algorithm, Bytes, Hex, HmacKey, Messages, hash_many, mac_many};
use pyo3::prelude::*;

/// What is computed of each message.
pub(crate) enum Work {
    Digest(Algorithm),
    Tag(HmacKey),
}

/// How digests are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Bytes,
    Hex,
}

/// A batch but for its messages.
pub(crate) struct Batch {
    pub(crate) work: Work,
    pub(crate) form: Form,
    /// How many threads at most; none: one a core.
    pub(crate) threads: Option<NonZeroUsize>,
}

/// The messages of a piece: at most so many, of which more than a few end it once they are of so
/// many bytes. A piece takes about a millisecond if its messages are short.
const PIECE: usize = 16 << 10;
const PIECE_BYTES: usize = 16 << 20;
const A_FEW: usize = 64;

/// So few messages are not worth another thread.
const ALONE: usize = 1 << 10;

/// How long a batch runs before it looks whether somebody wants it to stop.
const PATIENCE: Duration = Duration::from_millis(50);

impl Batch {
    pub(crate) fn algorithm(&self) -> Algorithm {
        match &self.work {
            Work::Digest(algorithm) => *algorithm,
            Work::Tag(key) => key.algorithm(),
        }
    }

    /// How many bytes a digest takes as it is written.
    pub(crate) fn place_len(&self) -> usize {
        let len = self.algorithm().digest_len();
        match self.form {
            Form::Bytes => len,
            Form::Hex => 2 * len,
        }
    }

    /// The digests of these messages, by this thread.
    pub(crate) fn digests<M: Messages + Sync>(&self, messages: &M, out: &mut [u8]) {
        match (&self.work, self.form) {
            (Work::Digest(algorithm), Form::Bytes) => hash_many(*algorithm, messages, Bytes(out)),
            (Work::Digest(algorithm), Form::Hex) => hash_many(*algorithm, messages, Hex(out)),
            (Work::Tag(key), Form::Bytes) => mac_many(key.algorithm(), key, messages, Bytes(out)),
            (Work::Tag(key), Form::Hex) => mac_many(key.algorithm(), key, messages, Hex(out)),
        }
    }

    /// The digests of all messages, each at its place in `out`, which has to be of
    /// [`place_len`](Self::place_len) bytes for each. Fails if a handler of a signal does.
    pub(crate) fn run<M: Messages + Sync>(
        &self,
        py: Python<'_>,
        messages: &M,
        out: &mut [u8],
    ) -> PyResult<()> {
        let len = |i| messages.message(i).len();
        self.run_pieces(py, messages.count(), len, out, |range, out| {
            self.digests(&Part { messages, range }, out);
        })
    }

    /// The same for messages that are `made`, a piece at a time, of so many bytes each.
    pub(crate) fn run_pieces(
        &self,
        py: Python<'_>,
        count: usize,
        len: impl Fn(usize) -> usize + Send,
        out: &mut [u8],
        made: impl Fn(Range<usize>, &mut [u8]) + Sync,
    ) -> PyResult<()> {
        shared(py, self.threads, Pieces::new(count, len, out, self.place_len()), made)
    }
}

/// Some of the messages of a batch.
struct Part<'m, M> {
    messages: &'m M,
    range: Range<usize>,
}

impl<M: Messages> Messages for Part<'_, M> {
    fn count(&self) -> usize {
        self.range.len()
    }

    #[inline]
    fn message(&self, index: usize) -> &[u8] {
        self.messages.message(self.range.start + index)
    }
}

/// What nobody has taken yet.
pub(crate) struct Pieces<'o, L> {
    left: Range<usize>,
    len: L,
    out: &'o mut [u8],
    place_len: usize,
    most: usize,
    few: usize,
}

impl<'o, L: Fn(usize) -> usize> Pieces<'o, L> {
    pub(crate) fn new(count: usize, len: L, out: &'o mut [u8], place_len: usize) -> Self {
        Self { left: 0..count, len, out, place_len, most: PIECE, few: A_FEW }
    }

    /// The same of at most so many messages each.
    pub(crate) fn of_at_most(self, most: usize) -> Self {
        Self { most, few: most, ..self }
    }

    /// Pieces for so many threads: each gets several, so that one which ends early takes another.
    fn divide(&mut self, threads: usize) {
        let each = self.left.len().div_ceil(4 * threads);
        self.most = self.most.min(each.max(ALONE / 2));
        self.few = self.few.min(each).max(1);
    }

    fn take(&mut self) -> Option<(Range<usize>, &'o mut [u8])> {
        if self.left.is_empty() {
            return None;
        }
        let (start, mut end, mut bytes) = (self.left.start, self.left.start, 0);
        let most = self.left.end.min(start + self.most);
        while end < most && (bytes < PIECE_BYTES || end - start < self.few) {
            bytes += (self.len)(end);
            end += 1;
        }
        self.left.start = end;
        let out = self.out.split_off_mut(..(end - start) * self.place_len)?;
        Some((start..end, out))
    }
}

/// Does all pieces, by at most so many threads of which one is that which calls.
pub(crate) fn shared<L: Fn(usize) -> usize + Send>(
    py: Python<'_>,
    threads: Option<NonZeroUsize>,
    mut pieces: Pieces<'_, L>,
    work: impl Fn(Range<usize>, &mut [u8]) + Sync,
) -> PyResult<()> {
    let threads = match (threads, pieces.left.len()) {
        (_, 0..=1) => 1,
        (Some(threads), _) => threads.get().min(pieces.left.len()),
        // To ask the system takes longer than a few short messages.
        (None, 0..=ALONE) if pieces.left.clone().map(&pieces.len).sum::<usize>() < PIECE_BYTES => 1,
        (None, count) => thread::available_parallelism().map_or(1, NonZeroUsize::get).min(count),
    };
    if threads > 1 {
        pieces.divide(threads);
    }
    let (pieces, stop) = (Mutex::new(pieces), AtomicBool::new(false));
    let step = || {
        let taken = pieces.lock().unwrap_or_else(PoisonError::into_inner).take();
        match taken {
            Some((range, out)) if !stop.load(Ordering::Relaxed) => {
                work(range, out);
                true
            }
            _ => false,
        }
    };
    py.detach(|| {
        thread::scope(|scope| {
            for _ in 1..threads {
                // One that cannot be started is done without.
                let _ = thread::Builder::new().spawn_scoped(scope, || while step() {});
            }
            let mut looked = Instant::now();
            while step() {
                if looked.elapsed() > PATIENCE {
                    if let Err(error) = Python::attach(|py| py.check_signals()) {
                        stop.store(true, Ordering::Relaxed);
                        return Err(error);
                    }
                    looked = Instant::now();
                }
            }
            Ok(())
        })
    })
}
