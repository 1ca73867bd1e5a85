//! Whole messages in memory.

use lanesum_spec::Algorithm;

use super::batch::{Batch, Start, few};
use crate::choose::{Plan, Turns, with_turns};
use crate::kernel::Select;
use crate::{Messages, Outputs, Policy};

/// The digests of many messages at once: that of message i goes to place i.
/// Nothing is allocated.
///
/// Messages are a slice of slices, [`Strided`](crate::Strided) of one length or [`Offsets`](crate::Offsets) into one
/// buffer; digests go to a slice of [`Digest`](crate::Digest), or into the caller's memory as
/// [`Bytes`](crate::Bytes) or [`Hex`](crate::Hex).
///
/// ```
/// use lanesum::{Algorithm, Bytes, Strided, hash_many};
///
/// // A level of a Merkle tree: each parent hashes two digests, 64 bytes.
/// let level = [7; 8 * 64];
/// let mut parents = [0; 8 * 32];
/// let pairs = Strided::new(&level, 64)?;
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
    D: Outputs,
{
    hash_lanes(None, algorithm, messages, digests);
}

/// The same by the kernels that `policy` allows.
///
/// # Panics
///
/// If there is not a place for each digest, and no more, or the policy leaves no
/// kernel for the algorithm.
pub fn hash_many_with<M, D>(policy: &Policy, algorithm: Algorithm, messages: &M, digests: D)
where
    M: Messages + ?Sized,
    D: Outputs,
{
    hash_lanes(Some(policy), algorithm, messages, digests);
}

fn hash_lanes<M, D>(policy: Option<&Policy>, algorithm: Algorithm, messages: &M, digests: D)
where
    M: Messages + ?Sized,
    D: Outputs,
{
    let places = digests.count(algorithm.digest_len());
    assert_eq!(places, Some(messages.count()), "a place for each digest, and no more");
    with_turns(policy, algorithm, |turns| match algorithm.family().word_bits() {
        32 => run::<u32, M, D>(algorithm, turns, messages, digests),
        _ => run::<u64, M, D>(algorithm, turns, messages, digests),
    });
}

#[inline(never)]
fn run<I, M, D>(algorithm: Algorithm, turns: Turns<&Plan>, messages: &M, mut digests: D)
where
    I: Select,
    M: Messages + ?Sized,
    D: Outputs,
{
    let len = algorithm.digest_len();
    let message = |i| messages.message(i);
    let mut emit = |first, places: &_, bytes: &_| digests.put_group(first, places, bytes, len);
    if few::<I>(algorithm, turns.plan(), messages.count(), message, &mut emit) {
        return;
    }
    let start = Start::Same(I::iv(algorithm));
    Batch::new(algorithm, turns, start, 0).run(messages.count(), message, emit);
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
    D: Outputs,
{
    /// Too few to be worth another thread.
    const FEW: usize = 256;

    fn halve<M, D>(algorithm: Algorithm, all: &M, from: usize, to: usize, digests: D)
    where
        M: Messages + Sync + ?Sized,
        D: Outputs,
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
