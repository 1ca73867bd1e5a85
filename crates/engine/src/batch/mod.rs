//! Whole messages in memory.

mod digests;
mod iter;
mod messages;

use lanesum_spec::Algorithm;

pub(crate) use digests::hex;
pub use digests::{Bytes, Digests, Hex};
pub use iter::{HashIter, hash_iter};
pub use messages::{BatchError, Messages, Offset, Offsets, Rows};

use crate::kernel::Select;
use crate::plan::Plan;
use crate::timing::Timing;
use crate::whole::{self, Batch, Start};
use crate::{Digest, Policy};

/// The digest of one message.
pub fn hash(algorithm: Algorithm, message: &[u8]) -> Digest {
    crate::oneshot::hash(algorithm, message)
}

/// The digests of many messages at once: that of message i goes to place i.
/// Nothing is allocated.
///
/// Messages are a slice of slices, [`Rows`] of one length or [`Offsets`] into one
/// buffer; digests go to a slice of [`Digest`], or into the caller's memory as
/// [`Bytes`] or [`Hex`].
///
/// ```
/// use lanesum::{Algorithm, Bytes, Rows, hash_many};
///
/// // A level of a Merkle tree: each parent hashes two digests, 64 bytes.
/// let level = [7; 8 * 64];
/// let mut parents = [0; 8 * 32];
/// let pairs = Rows::new(&level, 64)?;
/// hash_many(Algorithm::SHA256, &pairs, Bytes(&mut parents));
/// # Ok::<(), lanesum::BatchError>(())
/// ```
///
/// # Panics
///
/// If there is not a place for each digest, and no more.
pub fn hash_many<M, D>(algorithm: Algorithm, messages: &M, digests: D)
where
    M: Messages + ?Sized,
    D: Digests,
{
    let timing = Policy::automatic_timing(algorithm);
    #[allow(clippy::needless_borrow, reason = "a reference with std, the plan itself without")]
    let plan: &Plan = &Policy::automatic_plan(algorithm);
    hash_planned(algorithm, plan, timing, messages, digests);
}

/// The same by the rows that `policy` allows.
///
/// # Panics
///
/// If there is not a place for each digest, and no more, or the policy leaves no
/// backend for the algorithm.
pub fn hash_many_with<M, D>(policy: &Policy, algorithm: Algorithm, messages: &M, digests: D)
where
    M: Messages + ?Sized,
    D: Digests,
{
    let timing = policy.timing(algorithm);
    hash_planned(algorithm, &policy.plan(algorithm), timing, messages, digests);
}

fn hash_planned<M, D>(algorithm: Algorithm, plan: &Plan, timing: Timing, messages: &M, digests: D)
where
    M: Messages + ?Sized,
    D: Digests,
{
    let places = digests.count(algorithm.digest_len());
    assert_eq!(places, Some(messages.count()), "a place for each digest, and no more");
    match algorithm.family().word_bits() {
        32 => run::<u32, M, D>(algorithm, plan, timing, messages, digests),
        _ => run::<u64, M, D>(algorithm, plan, timing, messages, digests),
    }
}

fn run<I, M, D>(algorithm: Algorithm, plan: &Plan, timing: Timing, messages: &M, mut digests: D)
where
    I: Select,
    M: Messages + ?Sized,
    D: Digests,
{
    let len = algorithm.digest_len();
    let message = |i| messages.message(i);
    let mut emit = |first, places: &_, bytes: &_| digests.put_group(first, places, bytes, len);
    if whole::few::<I>(algorithm, plan, messages.count(), message, &mut emit) {
        return;
    }
    let start = Start::Same(algorithm.iv().map(I::truncate));
    let mut batch = Batch::new(algorithm, plan, timing, start, 0);
    batch.run(messages.count(), message, emit);
}

/// [`hash_many`] by all of rayon's threads.
///
/// # Panics
///
/// As [`hash_many`].
#[cfg(feature = "rayon")]
pub fn hash_many_parallel<M, D>(algorithm: Algorithm, messages: &M, digests: D)
where
    M: Messages + Sync + ?Sized,
    D: Digests,
{
    /// Too few to be worth another thread.
    const FEW: usize = 256;

    fn halve<M, D>(algorithm: Algorithm, all: &M, from: usize, to: usize, digests: D)
    where
        M: Messages + Sync + ?Sized,
        D: Digests,
    {
        if to - from <= FEW {
            hash_many(algorithm, &Part { all, from, to }, digests);
            return;
        }
        let middle = from.midpoint(to);
        let (first, second) = digests.split(middle - from, algorithm.digest_len());
        rayon::join(
            || halve(algorithm, all, from, middle, first),
            || halve(algorithm, all, middle, to, second),
        );
    }

    let places = digests.count(algorithm.digest_len());
    assert_eq!(places, Some(messages.count()), "a place for each digest, and no more");
    halve(algorithm, messages, 0, messages.count(), digests);
}

/// Some of the messages, by their numbers.
#[cfg(feature = "rayon")]
struct Part<'m, M: ?Sized> {
    all: &'m M,
    from: usize,
    to: usize,
}

#[cfg(feature = "rayon")]
impl<M: Messages + ?Sized> Messages for Part<'_, M> {
    fn count(&self) -> usize {
        self.to - self.from
    }

    fn message(&self, index: usize) -> &[u8] {
        self.all.message(self.from + index)
    }
}
