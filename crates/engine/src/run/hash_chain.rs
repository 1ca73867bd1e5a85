//! Hash chains: a digest that is hashed again and again. The links of one chain depend on each other, so
//! many chains run in lanes, and a lane is refilled when its chain ends. Digests stay in words from one
//! link to the next, as in PBKDF2.

use core::cmp::Reverse;
use core::ops::Range;

use lanesum_spec::{Algorithm, Family, Int};

use super::batch::{Batch, EmitTo};
use super::many::{in_parts, is_faster_one_by_one};
use super::one::of_bytes;
use crate::base::wipe;
use crate::choose::{AsEngine, Plan, Selected, Steps};
use crate::kernel::{Half, Kernel, KernelWord, Link};
use crate::outputs::Places;
use crate::words::{Columns, MAX_LANES, Width, by_width, bytes, read};
use crate::{Digest, Messages, Outputs};

/// The maximum number of links per kernel call. Kernels may change between calls.
const LINKS_PER_CALL: u64 = 512;

/// The number of chains sorted at a time. Lanes are refilled across windows, so only the end of a batch
/// depends on it.
const WINDOW_CHAINS: usize = 256;

/// Hashes `start`, a digest, `count` times: the end of a hash chain of `count` links. A chain of 0 links is
/// `start` itself.
///
/// Winternitz's one-time signatures and Lamport's one-time passwords reveal an inner value of a chain, from
/// which anyone can compute its end. A proof of history is a long chain.
///
/// ```
/// use lanesum::{Algorithm, chain, hash};
///
/// let start = hash(Algorithm::SHA256, "seed");
/// let end = chain(Algorithm::SHA256, start, 1_000);
/// assert_eq!(chain(Algorithm::SHA256, chain(Algorithm::SHA256, start, 400), 600), end);
/// assert_eq!(chain(Algorithm::SHA256, start, 1), hash(Algorithm::SHA256, start));
/// ```
///
/// Digests stay in words from one link to the next. For many chains, [`chain_many`] is faster.
///
/// # Panics
///
/// If `start` is not as long as a digest.
#[track_caller]
pub fn chain(engine: impl AsEngine, start: impl AsRef<[u8]>, count: u64) -> Digest {
    let (choice, start) = (engine.choice(), start.as_ref());
    let (algorithm, len) = (choice.algorithm(), start.len());
    let expected = algorithm.digest_len();
    assert!(len == expected, "start has {len} bytes, but a digest of {algorithm} has {expected}");
    of_one(choice, start, count)
}

/// Computes many hash chains in lanes: hashes start i `counts[i]` times, as [`chain`] does, and writes the
/// last digest to place i. Does not allocate, unless `digests` is a vector that must grow.
///
/// Each start is a digest. `starts` and `digests` are as in [`hash_many`](crate::hash_many). The numbers of
/// links may differ: a lane whose chain ends takes the next one. Chains are sorted by length, a few hundred
/// at a time, so pass all of them in one call.
///
/// ```
/// use lanesum::{Algorithm, chain, chain_many, sha256};
///
/// let starts = [sha256("first"), sha256("second"), sha256("third")];
/// let mut ends = [[0; 32]; 3];
/// chain_many(Algorithm::SHA256, &starts, &[15, 0, 7], &mut ends);
/// assert_eq!(ends[0], chain(Algorithm::SHA256, starts[0], 15));
/// assert_eq!(ends[1], starts[1]);
/// ```
///
/// # Panics
///
/// If there is not exactly one count and one place for each start, if a start is not as long as a digest, or if
/// a place is longer than a digest.
#[track_caller]
pub fn chain_many<S, D>(engine: impl AsEngine, starts: &S, counts: &[u64], digests: D)
where
    S: Messages + Sync + ?Sized,
    D: Outputs,
{
    let choice = engine.choice();
    check(choice.algorithm(), starts, counts);
    let places = digests.places(counts.len(), choice.algorithm().digest_len());
    in_parts(choice, 0..counts.len(), places, &|part: Range<usize>, places| {
        let start = |i| starts.message(part.start + i);
        by_turns(choice, &start, &counts[part.clone()], places, &mut || true);
    });
}

/// An interruptible [`chain_many`] on the calling thread: calls `resume` before every few hundred links. If
/// `resume` returns false, stops and returns false, and the contents of `digests` are unspecified.
///
/// # Panics
///
/// Panics if [`chain_many`] would.
#[track_caller]
pub fn chain_many_while<S, D>(
    engine: impl AsEngine,
    starts: &S,
    counts: &[u64],
    digests: D,
    resume: &mut dyn FnMut() -> bool,
) -> bool
where
    S: Messages + ?Sized,
    D: Outputs,
{
    let choice = engine.choice();
    check(choice.algorithm(), starts, counts);
    let places = digests.places(counts.len(), choice.algorithm().digest_len());
    by_turns(choice, &|i| starts.message(i), counts, places, resume)
}

/// Hashes many messages, and each digest once more: double SHA-256 (SHA256d), as in the blocks, transactions
/// and checksums of Bitcoin. The second digest of message i is written to place i, as in
/// [`hash_many`](crate::hash_many). Does not allocate, unless `digests` is a vector that must grow.
///
/// ```
/// use lanesum::{Algorithm, double_hash_many, sha256};
///
/// let (headers, mut checksums) = ([[1; 80], [2; 80]], [[0; 4]; 2]);
/// double_hash_many(Algorithm::SHA256, &headers, &mut checksums);
/// assert_eq!(checksums[1], sha256(sha256(headers[1]))[..4]);
/// ```
///
/// # Panics
///
/// If there is not exactly one place for each message, or if a place is longer than a digest.
#[doc(alias = "sha256d")]
#[track_caller]
pub fn double_hash_many<M, D>(engine: impl AsEngine, messages: &M, digests: D)
where
    M: Messages + Sync + ?Sized,
    D: Outputs,
{
    let choice = engine.choice();
    let places = digests.places(messages.count(), choice.algorithm().digest_len());
    in_parts(choice, 0..messages.count(), places, &|part, places| {
        double_part(choice, messages, part, places);
    });
}

/// Computes the double hashes of the messages whose indices are in `part`.
fn double_part<M, P>(choice: Selected<'_>, messages: &M, part: Range<usize>, places: P)
where
    M: Messages + ?Sized,
    P: Places,
{
    if part.len() == 1 {
        return one_by_one(choice, messages, part, places);
    }
    let algorithm = choice.algorithm();
    choice.with_steps(|steps| {
        if is_faster_one_by_one(
            algorithm,
            |shape| steps.plan().is_faster_one_by_one(shape),
            messages,
            &part,
        ) {
            return one_by_one(choice, messages, part, places);
        }
        let message = |i| messages.message(part.start + i);
        by_width!(algorithm.family(), I => {
            Batch::<I>::double(algorithm, steps).run(part.len(), &message, &mut EmitTo(places));
        });
    });
}

fn one_by_one<M, P>(choice: Selected<'_>, messages: &M, part: Range<usize>, mut places: P)
where
    M: Messages + ?Sized,
    P: Places,
{
    for (place, i) in part.enumerate() {
        let digest = of_bytes(choice, of_bytes(choice, messages.message(i)).as_bytes());
        places.put(place, &[0], core::array::from_ref(digest.room()));
    }
}

/// Checks that there is one count per start, and that each start is as long as a digest.
#[track_caller]
fn check<S: Messages + ?Sized>(algorithm: Algorithm, starts: &S, counts: &[u64]) {
    let (count, expected) = (starts.count(), algorithm.digest_len());
    assert!(
        counts.len() == count,
        "number of counts ({}) does not match number of starts ({count})",
        counts.len()
    );
    for i in 0..count {
        let len = starts.message(i).len();
        assert!(
            len == expected,
            "start {i} has {len} bytes, but a digest of {algorithm} has {expected}"
        );
    }
}

/// Computes one chain on the kernel for one message.
fn of_one(choice: Selected<'_>, start: &[u8], count: u64) -> Digest {
    let (algorithm, kernel) = (choice.algorithm(), choice.one().kernel());
    if kernel.lanes() > 1 {
        // A policy forces a kernel with several lanes.
        let mut digest = [Digest::EMPTY];
        let places = (&mut digest[..]).places(1, algorithm.digest_len());
        by_turns(choice, &|_| start, &[count], places, &mut || true);
        return digest[0];
    }
    by_width!(algorithm.family(), I => {
        let (iv, link) = (I::iv(algorithm), Link::unkeyed(algorithm));
        let (mut words, mut sum) = (words::<I>(algorithm.family(), start), [I::ZERO; 8]);
        let mut left = count;
        while left > 0 {
            let step = left.min(LINKS_PER_CALL);
            run(kernel, algorithm.family(), [&iv; 2], &link, [&mut words, &mut sum], 1, step);
            left -= step;
        }
        let digest = Digest::of(algorithm, &words);
        wipe(&mut words, I::ZERO);
        digest
    })
}

/// Hashes the digest in each lane of `u` another `links` times. Two links are an iteration of PBKDF2 whose
/// hashes both start from the initial chaining value; its sum is not used.
fn run<I: KernelWord>(
    kernel: Kernel,
    family: Family,
    starts: [&[I]; 2],
    link: &Link<I>,
    [u, sum]: [&mut [I]; 2],
    stride: usize,
    links: u64,
) {
    let half = if links.is_multiple_of(2) { Half::Inner } else { Half::Outer };
    kernel.iterate(family, starts, link, u, sum, stride, half, links.div_ceil(2) as u32);
}

/// Returns the words of a digest. Words that it lacks are zero.
fn words<I: KernelWord>(family: Family, digest: &[u8]) -> [I; 8] {
    let mut bytes = [0; Digest::MAX_LEN];
    bytes[..digest.len()].copy_from_slice(digest);
    let words =
        core::array::from_fn(|i| read(family.is_big_endian(), &bytes[i * I::BYTES..][..I::BYTES]));
    wipe(&mut bytes, 0);
    words
}

/// Computes chains in lanes until all have ended or `resume` returns false. Returns whether all have ended.
fn by_turns<'s, P: Places>(
    choice: Selected<'_>,
    start: &dyn Fn(usize) -> &'s [u8],
    counts: &[u64],
    places: P,
    resume: &mut dyn FnMut() -> bool,
) -> bool {
    let algorithm = choice.algorithm();
    choice.with_steps(|steps| {
        by_width!(algorithm.family(), I => {
            let mut chains = Lanes::<I, P>::new(algorithm, places);
            let is_done = chains.run(steps, start, &mut Queue::new(counts), resume);
            chains.u.wipe();
            chains.sum.wipe();
            is_done
        })
    })
}

/// Chains in lanes: lanes 0 … `live` are active.
struct Lanes<I, P> {
    algorithm: Algorithm,
    places: P,
    link: Link<I>,
    starts: Columns<I>,
    u: Columns<I>,
    /// Receives the sums of the kernels; not read.
    sum: Columns<I>,
    /// The number of links that remain in each lane, and the index of its chain.
    left: [u64; MAX_LANES],
    indices: [usize; MAX_LANES],
    live: usize,
}

impl<I: KernelWord, P: Places> Lanes<I, P> {
    fn new(algorithm: Algorithm, places: P) -> Self {
        Self {
            algorithm,
            places,
            link: Link::unkeyed(algorithm),
            starts: Columns::of(&I::iv(algorithm)),
            u: Columns::new(),
            sum: Columns::new(),
            left: [0; MAX_LANES],
            indices: [0; MAX_LANES],
            live: 0,
        }
    }

    #[inline(never)]
    fn run<'s>(
        &mut self,
        mut steps: Steps<&Plan>,
        start: &dyn Fn(usize) -> &'s [u8],
        queue: &mut Queue<'_>,
        resume: &mut dyn FnMut() -> bool,
    ) -> bool {
        let lanes = steps.plan().lanes();
        loop {
            while self.live < lanes
                && let Some((index, count)) = queue.next()
            {
                self.begin(index, start(index), count);
            }
            if self.live == 0 {
                return true;
            }
            if !resume() {
                return false;
            }
            self.run_lanes(&mut steps);
            // Backwards, because the last lane moves to the place of one that ends.
            for lane in (0..self.live).rev() {
                if self.left[lane] == 0 {
                    self.end(lane);
                }
            }
        }
    }

    /// Puts a chain in a lane. A chain without links ends at once.
    fn begin(&mut self, index: usize, start: &[u8], count: u64) {
        let words = words(self.algorithm.family(), start);
        self.u.set(self.live, &words);
        self.left[self.live] = count;
        self.indices[self.live] = index;
        if count == 0 {
            self.put(self.live);
        } else {
            self.live += 1;
        }
    }

    /// Runs every active lane for as many links as remain in all lanes of its step.
    fn run_lanes(&mut self, steps: &mut Steps<&Plan>) {
        let family = self.algorithm.family();
        let mut lanes = 0..self.live;
        while let Some(step) = steps.next(&mut lanes) {
            let left = &mut self.left[step.lanes()];
            let links = left.iter().fold(LINKS_PER_CALL, |least, &left| least.min(left));
            let starts = [self.starts.words(0); 2];
            let states = [self.u.words_mut(step.first), self.sum.words_mut(step.first)];
            run(step.kernel, family, starts, &self.link, states, MAX_LANES, links);
            left.iter_mut().for_each(|left| *left -= links);
            steps.ran(step, links * (step.used * family.block_len()) as u64);
        }
    }

    /// Writes the digest of a chain that has ended; the last lane takes its place.
    fn end(&mut self, lane: usize) {
        self.put(lane);
        self.live -= 1;
        if lane < self.live {
            self.u.set(lane, &self.u.lane(self.live));
            self.left[lane] = self.left[self.live];
            self.indices[lane] = self.indices[self.live];
        }
    }

    fn put(&mut self, lane: usize) {
        let digest = bytes(self.algorithm.family(), &self.u.lane(lane));
        self.places.put(self.indices[lane], &[0], &[digest]);
    }
}

/// The chains that have not begun, longest first within a window.
struct Queue<'c> {
    counts: &'c [u64],
    /// The index of the first chain after the window.
    next: usize,
    /// The chains of the window, by their distance from its first one.
    order: [u16; WINDOW_CHAINS],
    left: Range<usize>,
}

impl<'c> Queue<'c> {
    fn new(counts: &'c [u64]) -> Self {
        Self { counts, next: 0, order: [0; WINDOW_CHAINS], left: 0..0 }
    }

    /// Returns the index of the next chain, and its number of links.
    fn next(&mut self) -> Option<(usize, u64)> {
        if self.left.is_empty() {
            let window = WINDOW_CHAINS.min(self.counts.len() - self.next);
            let counts = &self.counts[self.next..][..window];
            let order = &mut self.order[..window];
            order.iter_mut().zip(0..).for_each(|(to, i)| *to = i);
            order.sort_unstable_by_key(|&i| Reverse(counts[usize::from(i)]));
            self.next += window;
            self.left = 0..window;
        }
        let first = self.next - self.left.end;
        let index = first + usize::from(self.order[self.left.next()?]);
        Some((index, self.counts[index]))
    }
}
