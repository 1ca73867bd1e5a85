//! Batches, divided into pieces for several threads.
//!
//! Threads end with the call, so none has to survive a fork, and a forked child can start its own.
//! The calling thread checks for signals between pieces and within long ones.

use std::hint::black_box;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Thread, ThreadId};
use std::time::{Duration, Instant};

use lanesum::{
    Algorithm, Bytes, Done, Hex, HmacKey, Lanes, Message, Messages, chain, double_hash_many,
    hash_many, mac_many,
};
use pyo3::prelude::*;

/// The computation for each message.
pub(crate) enum Work {
    Digest(Algorithm),
    /// The digest of the digest.
    DoubleDigest(Algorithm),
    Tag(HmacKey),
}

/// The format of digests.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Bytes,
    Hex,
}

/// A batch computation and its options.
pub(crate) struct Batch {
    pub(crate) work: Work,
    pub(crate) form: Form,
    /// Maximum number of threads; `None` means one per core.
    pub(crate) threads: Option<NonZeroUsize>,
}

/// Maximum number of messages in a piece. A piece of short messages takes about a millisecond.
const PIECE: usize = 16 << 10;
/// Number of bytes that ends a piece of at least `A_FEW` messages.
const PIECE_BYTES: usize = 16 << 20;
/// Minimum number of messages in a piece that `PIECE_BYTES` ends.
const A_FEW: usize = 64;

/// Maximum number of messages that are hashed without another thread, if they have less than
/// `PIECE_BYTES` in total.
const ALONE: usize = 1 << 10;

/// The interval at which the calling thread checks for signals.
const INTERVAL: Duration = Duration::from_millis(10);

/// Number of bytes of each long message to hash between two checks for signals.
const SLICE: usize = 64 << 10;

impl Batch {
    pub(crate) fn algorithm(&self) -> Algorithm {
        match &self.work {
            Work::Digest(algorithm) | Work::DoubleDigest(algorithm) => *algorithm,
            Work::Tag(key) => key.algorithm(),
        }
    }

    /// Returns the length of a written digest, in bytes.
    pub(crate) fn place_len(&self) -> usize {
        let len = self.algorithm().digest_len();
        match self.form {
            Form::Bytes => len,
            Form::Hex => 2 * len,
        }
    }

    /// Writes the digests of a piece of `messages`, on the current thread.
    pub(crate) fn digests<M: Messages + Sync>(
        &self,
        messages: &M,
        piece: Piece<'_>,
        interrupt: &Interrupt,
    ) {
        let Piece { out, is_long, .. } = piece;
        if is_long {
            return self.digests_in_slices(messages, out, interrupt);
        }
        match (&self.work, self.form) {
            (Work::Digest(algorithm), Form::Bytes) => hash_many(*algorithm, messages, Bytes(out)),
            (Work::Digest(algorithm), Form::Hex) => hash_many(*algorithm, messages, Hex(out)),
            (Work::DoubleDigest(algorithm), Form::Bytes) => {
                double_hash_many(*algorithm, messages, Bytes(out));
            }
            (Work::DoubleDigest(algorithm), Form::Hex) => {
                double_hash_many(*algorithm, messages, Hex(out));
            }
            (Work::Tag(key), Form::Bytes) => mac_many(key.algorithm(), key, messages, Bytes(out)),
            (Work::Tag(key), Form::Hex) => mac_many(key.algorithm(), key, messages, Hex(out)),
        }
    }

    /// Writes the digests of long messages, hashing a slice of each per step, until `interrupt` is
    /// raised.
    fn digests_in_slices<M: Messages>(&self, messages: &M, out: &mut [u8], interrupt: &Interrupt) {
        let mut put = |done: Done<Slices<'_>>| {
            let Ok(mut digest) = done.digest;
            if let Work::DoubleDigest(algorithm) = self.work {
                digest = chain(algorithm, digest, 1);
            }
            let place = &mut out[done.message.number * self.place_len()..][..self.place_len()];
            match self.form {
                Form::Bytes => place.copy_from_slice(digest.as_bytes()),
                Form::Hex => place.copy_from_slice(digest.to_string().as_bytes()),
            }
        };
        let mut lanes = Lanes::new(self.algorithm());
        let mut waiting = (0..messages.count())
            .map(|number| Slices { number, rest: messages.message(number) })
            .peekable();
        while !(interrupt.is_raised() || waiting.peek().is_none() && lanes.is_empty()) {
            let is_full = lanes.len() >= lanes.lanes();
            let done = match waiting.next_if(|_| !is_full) {
                None => lanes.advance(),
                Some(message) => match &self.work {
                    Work::Digest(_) | Work::DoubleDigest(_) => lanes.push(message),
                    Work::Tag(key) => lanes.push_keyed(key, message),
                },
            };
            done.into_iter().for_each(&mut put);
        }
    }

    /// Writes the digest of each message to its place in `out`, which must have
    /// [`place_len`](Self::place_len) bytes per message. Fails if a signal handler does.
    pub(crate) fn run<M: Messages + Sync>(
        &self,
        py: Python<'_>,
        messages: &M,
        out: &mut [u8],
    ) -> PyResult<()> {
        let len = |i| messages.message(i).len();
        self.run_pieces(py, messages.count(), len, out, |piece, interrupt| {
            let part = Part { messages, range: piece.range.clone() };
            self.digests(&part, piece, interrupt);
        })
    }

    /// Computes the digests of `count` messages that `made` creates a piece at a time, as
    /// [`run`](Self::run) does for existing messages. `len` returns the length of a message in
    /// bytes.
    pub(crate) fn run_pieces(
        &self,
        py: Python<'_>,
        count: usize,
        len: impl Fn(usize) -> usize + Send,
        out: &mut [u8],
        made: impl Fn(Piece<'_>, &Interrupt) + Sync,
    ) -> PyResult<()> {
        shared(py, self.threads, Pieces::new(count, len, out, self.place_len()), made)
    }
}

/// The rest of a long message.
struct Slices<'m> {
    /// Its index in the piece.
    number: usize,
    rest: &'m [u8],
}

impl Message for Slices<'_> {
    type Error = std::convert::Infallible;

    fn fill(&mut self) -> Result<&[u8], Self::Error> {
        Ok(&self.rest[..self.rest.len().min(SLICE)])
    }

    fn consume(&mut self, n: usize) {
        self.rest = &self.rest[n..];
    }
}

/// Stops a batch when a signal handler raises an exception.
pub(crate) struct Interrupt {
    is_raised: AtomicBool,
    caller: ThreadId,
    checks: Mutex<Checks>,
}

struct Checks {
    last: Instant,
    error: Option<PyErr>,
}

impl Interrupt {
    fn new() -> Self {
        let checks = Checks { last: Instant::now(), error: None };
        let caller = thread::current().id();
        Self { is_raised: AtomicBool::new(false), caller, checks: Mutex::new(checks) }
    }

    /// Whether the batch must stop. On the calling thread, this runs the handlers of pending
    /// signals once per [`INTERVAL`].
    pub(crate) fn is_raised(&self) -> bool {
        if self.is_raised.load(Ordering::Relaxed) {
            return true;
        }
        if thread::current().id() != self.caller {
            return false;
        }
        let mut checks = self.checks.lock().unwrap_or_else(PoisonError::into_inner);
        if checks.last.elapsed() < INTERVAL {
            return false;
        }
        checks.error = Python::attach(|py| py.check_signals()).err();
        checks.last = Instant::now();
        self.is_raised.store(checks.error.is_some(), Ordering::Relaxed);
        checks.error.is_some()
    }

    fn into_result(self) -> PyResult<()> {
        let checks = self.checks.into_inner().unwrap_or_else(PoisonError::into_inner);
        checks.error.map_or(Ok(()), Err)
    }
}

/// A range of the messages of a batch.
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

/// Some messages of a batch, and the places of their digests.
pub(crate) struct Piece<'o> {
    pub(crate) range: Range<usize>,
    pub(crate) out: &'o mut [u8],
    /// Whether the messages are so long that hashing all of them would delay signals.
    is_long: bool,
}

/// The messages that no thread has taken yet.
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

    /// Limits pieces to `most` messages.
    pub(crate) fn of_at_most(self, most: usize) -> Self {
        Self { most, few: most, ..self }
    }

    /// Limits pieces so that each of `threads` threads gets several: a thread that finishes early
    /// takes another.
    fn divide(&mut self, threads: usize) {
        let each = self.left.len().div_ceil(4 * threads);
        self.most = self.most.min(each.max(ALONE / 2));
        self.few = self.few.min(each).max(1);
    }

    fn take(&mut self) -> Option<Piece<'o>> {
        if self.left.is_empty() {
            return None;
        }
        let (start, mut end, mut bytes) = (self.left.start, self.left.start, 0usize);
        let most = self.left.end.min(start + self.most);
        while end < most && (bytes < PIECE_BYTES || end - start < self.few) {
            bytes = bytes.saturating_add((self.len)(end));
            end += 1;
        }
        self.left.start = end;
        let out = self.out.split_off_mut(..(end - start) * self.place_len)?;
        Some(Piece { range: start..end, out, is_long: bytes > 2 * PIECE_BYTES })
    }
}

/// Counts a running thread, and wakes the calling thread when it ends.
struct Running<'a> {
    count: &'a AtomicUsize,
    caller: Thread,
}

impl<'a> Running<'a> {
    fn new(count: &'a AtomicUsize, caller: &Thread) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self { count, caller: caller.clone() }
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.count.fetch_sub(1, Ordering::Release);
        self.caller.unpark();
    }
}

/// Whether there is memory for `threads` more threads. If memory runs out in a thread, the C
/// library aborts the process.
fn is_room_for(threads: usize) -> bool {
    // A thread's stack, and the C library's allocations for it, in bytes.
    const BYTES: usize = 4 << 20;
    let mut room = Vec::<u8>::new();
    let is_room = threads == 0 || room.try_reserve_exact(threads.saturating_mul(BYTES)).is_ok();
    // The compiler may remove an allocation that is not used, and assume that it succeeds.
    black_box(room.as_mut_ptr());
    is_room
}

/// Calls `work` with every piece, on at most `threads` threads including the calling one. If a
/// signal handler fails, skips the remaining pieces and fails.
pub(crate) fn shared<L: Fn(usize) -> usize + Send>(
    py: Python<'_>,
    threads: Option<NonZeroUsize>,
    mut pieces: Pieces<'_, L>,
    work: impl Fn(Piece<'_>, &Interrupt) + Sync,
) -> PyResult<()> {
    // A caller with many batches shorter than `INTERVAL` is interrupted between two of them.
    py.check_signals()?;
    let threads = match (threads, pieces.left.len()) {
        (_, 0..=1) => 1,
        (Some(threads), _) => threads.get().min(pieces.left.len()),
        // Querying the system takes longer than hashing a few short messages.
        (None, 0..=ALONE) if pieces.left.clone().map(&pieces.len).sum::<usize>() < PIECE_BYTES => 1,
        (None, count) => thread::available_parallelism().map_or(1, NonZeroUsize::get).min(count),
    };
    let threads = if is_room_for(threads - 1) { threads } else { 1 };
    if threads > 1 {
        pieces.divide(threads);
    }
    let (pieces, interrupt) = (Mutex::new(pieces), Interrupt::new());
    let step = || {
        if interrupt.is_raised() {
            return false;
        }
        let taken = pieces.lock().unwrap_or_else(PoisonError::into_inner).take();
        taken.map(|piece| work(piece, &interrupt)).is_some()
    };
    py.detach(|| {
        let (count, caller) = (AtomicUsize::new(0), thread::current());
        thread::scope(|scope| {
            for _ in 1..threads {
                let running = Running::new(&count, &caller);
                // If a thread cannot be started, the others take its pieces.
                let _ = thread::Builder::new().spawn_scoped(scope, || {
                    let _running = running;
                    while step() {}
                });
            }
            while step() {}
            while count.load(Ordering::Acquire) > 0 {
                thread::park_timeout(INTERVAL);
                interrupt.is_raised();
            }
        });
    });
    interrupt.into_result()
}
