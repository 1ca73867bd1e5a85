//! `hash_many`: the public function for many whole messages.

use core::ops::Range;

use lanesum_spec::Algorithm;

use super::batch::{Batch, EmitTo, Start};
use super::few::{few, one_block_each};
use super::one::of_bytes;
use crate::choose::{AsEngine, Selected, Shape, Steps};
use crate::kernel::KernelWord;
use crate::outputs::{Places, Split};
use crate::words::by_width;
use crate::{Messages, Outputs};

/// Hashes many messages. The digest of message i is written to place i. Does not allocate, unless
/// `digests` is a vector that must grow.
///
/// `messages` is a slice, an array or a vector of byte strings, [`Strided`](crate::Strided) messages
/// of equal length, or [`Offsets`](crate::Offsets) into one buffer. `digests` is `&mut` a slice, an
/// array or a vector of [`Digest`](crate::Digest)s or byte arrays, or a byte buffer wrapped in
/// [`Bytes`](crate::Bytes), [`Truncated`](crate::Truncated) or [`Hex`](crate::Hex). A byte array shorter than
/// a digest truncates it, without an error.
///
/// ```
/// use lanesum::{Algorithm, Strided, hash_many};
///
/// // A level of a Merkle tree: each parent hashes two digests, 64 bytes.
/// let level = [7; 8 * 64];
/// let mut parents = [[0; 32]; 8];
/// let pairs = Strided::new(&level, 64)?;
/// hash_many(Algorithm::SHA256, &pairs, &mut parents);
/// # Ok::<(), lanesum::BatchError>(())
/// ```
///
/// # Panics
///
/// If there is not exactly one place for each message, or if a place is longer than a digest.
#[track_caller]
pub fn hash_many<M, D>(engine: impl AsEngine, messages: &M, digests: D)
where
    M: Messages + Sync + ?Sized,
    D: Outputs,
{
    let choice = engine.choice();
    let places = digests.places(messages.count(), choice.algorithm().digest_len());
    in_parts(choice, 0..messages.count(), places, &|part, places| {
        hash_part(choice, messages, part, places);
    });
}

/// Hashes many messages on the calling thread.
pub(super) fn hash_here<M, D>(choice: Selected<'_>, messages: &M, digests: D)
where
    M: Messages + ?Sized,
    D: Outputs,
{
    let count = messages.count();
    let places = digests.places(count, choice.algorithm().digest_len());
    hash_part(choice, messages, 0..count, places);
}

/// Hashes the messages whose indices are in `part`.
#[inline]
fn hash_part<M, P>(choice: Selected<'_>, messages: &M, part: Range<usize>, mut places: P)
where
    M: Messages + ?Sized,
    P: Places,
{
    if part.len() == 1 {
        let digest = of_bytes(choice, messages.message(part.start));
        return places.put(0, &[0], core::array::from_ref(digest.room()));
    }
    by_width!(choice.algorithm().family(), I => {
        run::<I, M, P>(choice, messages, part, places);
    });
}

/// Whether hashing one message at a time is at least as fast. `estimate` decides for a few messages; a single
/// message needs no plan.
#[inline]
pub(crate) fn is_faster_one_by_one<M>(
    algorithm: Algorithm,
    estimate: impl Fn(&Shape) -> bool,
    messages: &M,
    part: &Range<usize>,
) -> bool
where
    M: Messages + ?Sized,
{
    match part.len() {
        1 => true,
        2..=Shape::MAX_MESSAGES => {
            let lens = part.clone().map(|i| messages.message(i).len());
            estimate(&Shape::new(algorithm.family(), lens))
        }
        _ => false,
    }
}

#[inline(never)]
fn run<I, M, P>(choice: Selected<'_>, messages: &M, part: Range<usize>, places: P)
where
    I: KernelWord,
    M: Messages + ?Sized,
    P: Places,
{
    let (algorithm, count) = (choice.algorithm(), part.len());
    let message = |i| messages.message(part.start + i);
    let mut emit = EmitTo(places);
    choice.with_plan(|plan, clock| {
        if one_block_each::<I>(algorithm, plan, count, message, None, &mut emit) {
            return;
        }
        let mut steps = Steps::new(plan, clock);
        if !few::<I>(algorithm, &mut steps, count, message, None, &mut emit) {
            let start = Start::Same(I::iv(algorithm));
            Batch::new(algorithm, steps, start, 0).run(count, &message, &mut emit);
        }
    });
}

/// Splits a batch, with its places, into one part per thread of the engine and calls `run` for each.
/// For one thread this is a direct call without an extra stack frame.
#[inline(always)]
pub(crate) fn in_parts<P, F>(choice: Selected<'_>, all: Range<usize>, places: P, run: &F)
where
    P: Split,
    F: Fn(Range<usize>, P) + Sync,
{
    #[cfg(feature = "rayon")]
    if choice.threads() != 1 {
        return threads::share(choice.threads(), all, places, run);
    }
    let _ = choice;
    run(all, places);
}

#[cfg(feature = "rayon")]
mod threads {
    use super::{Range, Split};

    /// The minimum number of messages per part: fewer do not amortize another thread.
    const MIN_PART: usize = 256;

    /// Splits a batch between `threads` threads; 0: all of rayon's.
    #[inline(never)]
    pub(super) fn share<P, F>(threads: usize, all: Range<usize>, places: P, run: &F)
    where
        P: Split,
        F: Fn(Range<usize>, P) + Sync,
    {
        let parts = match threads {
            // More parts than threads, so that a thread that finishes early takes another part.
            0 => 4 * rayon::current_num_threads(),
            threads => threads,
        };
        halve(parts.min(all.len() / MIN_PART), all, places, run);
    }

    fn halve<P, F>(parts: usize, all: Range<usize>, places: P, run: &F)
    where
        P: Split,
        F: Fn(Range<usize>, P) + Sync,
    {
        if parts <= 1 {
            return run(all, places);
        }
        let (few, most) = (parts / 2, parts - parts / 2);
        let middle = all.start + all.len() / parts * few;
        let (first, second) = places.split(middle - all.start);
        rayon::join(
            || halve(few, all.start..middle, first, run),
            || halve(most, middle..all.end, second, run),
        );
    }
}
