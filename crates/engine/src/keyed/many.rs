//! HMAC of many messages.

use core::ops::Range;

use lanesum_spec::Algorithm;

use super::hmac::{HmacKey, VerifyError};
use super::stack::{Depth, wiping_reported_stack, wiping_stack};
use crate::choose::{AsEngine, Plan, Selected, Shape, Steps};
use crate::kernel::{KernelWord, One, Tier};
use crate::outputs::Places;
use crate::run::{
    Batch, Chain, EmitTo, KeyWords, Start, are_groups, few, in_parts, is_faster_one_by_one,
    one_block_each,
};
use crate::words::{MAX_LANES, by_width};
use crate::{Digest, Messages, Outputs};

/// The keys of a batch: one for all messages, or one for each.
#[derive(Clone, Copy, Debug)]
pub enum Keys<'k> {
    /// One key for all messages.
    Same(&'k HmacKey),
    /// Key i for message i.
    Each(&'k [HmacKey]),
}

impl<'k> From<&'k HmacKey> for Keys<'k> {
    fn from(key: &'k HmacKey) -> Self {
        Self::Same(key)
    }
}

impl<'k> From<&'k [HmacKey]> for Keys<'k> {
    fn from(keys: &'k [HmacKey]) -> Self {
        Self::Each(keys)
    }
}

impl<'k, const N: usize> From<&'k [HmacKey; N]> for Keys<'k> {
    fn from(keys: &'k [HmacKey; N]) -> Self {
        Self::Each(keys)
    }
}

#[cfg(feature = "alloc")]
impl<'k> From<&'k alloc::vec::Vec<HmacKey>> for Keys<'k> {
    fn from(keys: &'k alloc::vec::Vec<HmacKey>) -> Self {
        Self::Each(keys)
    }
}

impl<'k> Keys<'k> {
    /// Returns the key of message `i`.
    pub(super) fn get(self, i: usize) -> &'k HmacKey {
        match self {
            Self::Same(key) => key,
            Self::Each(keys) => &keys[i],
        }
    }

    /// Returns the keys of the messages in `part`.
    pub(super) fn part(self, part: Range<usize>) -> Self {
        match self {
            Self::Each(keys) => Self::Each(&keys[part]),
            same => same,
        }
    }

    /// Checks that there is a key of `algorithm` for each of `count` messages.
    ///
    /// # Panics
    ///
    /// If the number of keys is not `count`, or if a key has another algorithm.
    #[track_caller]
    fn check(self, algorithm: Algorithm, count: usize) {
        let keys = match self {
            Self::Same(key) => core::slice::from_ref(key),
            Self::Each(keys) => {
                assert!(
                    keys.len() == count,
                    "number of keys ({}) does not match number of messages ({count})",
                    keys.len()
                );
                keys
            }
        };
        for key in keys {
            let of = key.algorithm();
            assert!(of == algorithm, "key uses {of}, but the engine uses {algorithm}");
        }
    }
}

/// Computes the tags of many messages in lanes. The tag of message i is written to place i, as in
/// [`hash_many`](crate::hash_many). `keys` is a `&HmacKey` for all messages, or a slice with one
/// for each. Does not allocate, unless `tags` is a vector that must grow.
///
/// ```
/// use lanesum::{Algorithm, HmacKey, mac_many};
///
/// let key = HmacKey::new(Algorithm::SHA256, "key");
/// let mut tags = [[0; 16]; 2]; // truncated to half, RFC 2104 §5
/// mac_many(Algorithm::SHA256, &key, &["first", "second"], &mut tags);
/// key.verify_truncated("second", tags[1], 16)?;
/// # Ok::<(), lanesum::VerifyError>(())
/// ```
///
/// # Panics
///
/// If there is not exactly one key of the engine's algorithm and one place for each message, or if
/// a place is longer than a tag.
// Inlined, so that the overwritten stack begins where the frame of `HmacKey::new` did.
#[inline(always)]
#[track_caller]
pub fn mac_many<'k, M, D>(engine: impl AsEngine, keys: impl Into<Keys<'k>>, messages: &M, tags: D)
where
    M: Messages + Sync + ?Sized,
    D: Outputs,
{
    let (choice, keys) = (engine.choice(), keys.into());
    keys.check(choice.algorithm(), messages.count());
    let places = tags.places(messages.count(), choice.algorithm().digest_len());
    in_parts(choice, 0..messages.count(), places, &|part: Range<usize>, places| {
        let keys = keys.part(part.clone());
        wiping_reported_stack(|depth| mac_part(choice, keys, messages, part, places, depth));
    });
}

/// Computes tags as [`mac_many`] does, on the calling thread, for a caller that overwrites the stack. Sets `depth` to the
/// stack depth that it uses.
#[inline]
pub(crate) fn mac_many_at<M, D>(
    choice: Selected<'_>,
    key: &HmacKey,
    messages: &M,
    tags: D,
    depth: &mut Depth,
) where
    M: Messages + ?Sized,
    D: Outputs,
{
    let (keys, count) = (Keys::Same(key), messages.count());
    keys.check(choice.algorithm(), count);
    let places = tags.places(count, choice.algorithm().digest_len());
    mac_part(choice, keys, messages, 0..count, places, depth);
}

/// Computes the tags of the messages in `part`; `keys` has only their keys. Sets `depth` to the stack depth that it uses.
#[inline(always)]
fn mac_part<M, P>(
    choice: Selected<'_>,
    keys: Keys<'_>,
    messages: &M,
    part: Range<usize>,
    places: P,
    depth: &mut Depth,
) where
    M: Messages + ?Sized,
    P: Places,
{
    let is_faster = |shape: &Shape| choice.is_faster_one_by_one_for_tags(shape);
    if is_faster_one_by_one(choice.algorithm(), is_faster, messages, &part) {
        let one = choice.one();
        *depth = keys.get(0).depth_by(one);
        return one_by_one(one, keys, messages, part, places);
    }
    *depth = match keys {
        Keys::Same(_) if choice.has_cached_plan() => {
            choice.with_steps(|steps| depth_in_lanes(steps.plan(), choice, messages, &part))
        }
        // Computing a plan that is not cached takes longer than it saves.
        _ => Depth::Batch,
    };
    mac_lanes(choice, keys, messages, part, places);
}

/// Verifies that tag i is the full tag of message i, for every message. Compares every tag, in
/// constant time.
///
/// ```
/// use lanesum::{Algorithm, HmacKey, mac_many, verify_many};
///
/// let key = HmacKey::new(Algorithm::SHA256, "key");
/// let messages = ["first", "second"];
/// let mut tags = [[0; 32]; 2];
/// mac_many(Algorithm::SHA256, &key, &messages, &mut tags);
/// verify_many(Algorithm::SHA256, &key, &messages, &tags)?;
/// tags[1][0] ^= 1;
/// assert!(verify_many(Algorithm::SHA256, &key, &messages, &tags).is_err());
/// # Ok::<(), lanesum::VerifyError>(())
/// ```
///
/// # Errors
///
/// If a tag is wrong. The error contains the index of the first message with a wrong tag.
///
/// # Panics
///
/// If there is not exactly one key of the engine's algorithm and one tag for each message.
#[track_caller]
pub fn verify_many<'k, M, T>(
    engine: impl AsEngine,
    keys: impl Into<Keys<'k>>,
    messages: &M,
    tags: &T,
) -> Result<(), VerifyError>
where
    M: Messages + ?Sized,
    T: Messages + ?Sized,
{
    /// The number of tags computed before they are compared.
    const WINDOW_TAGS: usize = 128;

    let (choice, keys, count) = (engine.choice(), keys.into(), messages.count());
    keys.check(choice.algorithm(), count);
    assert!(
        tags.count() == count,
        "number of tags ({}) does not match number of messages ({count})",
        tags.count()
    );
    let mut wrong = None;
    wiping_stack(Depth::Batch, || {
        let mut right = [Digest::EMPTY; WINDOW_TAGS];
        for first in (0..count).step_by(WINDOW_TAGS) {
            let part = first..count.min(first + WINDOW_TAGS);
            let right = &mut right[..part.len()];
            let places = (&mut *right).places(part.len(), choice.algorithm().digest_len());
            mac_lanes(choice, keys.part(part.clone()), messages, part.clone(), places);
            for (i, right) in part.zip(right) {
                if *right != *tags.message(i) && wrong.is_none() {
                    wrong = Some(VerifyError { message: Some(i) });
                }
                right.wipe();
            }
        }
    });
    wrong.map_or(Ok(()), Err)
}

/// Computes the tags one message at a time.
fn one_by_one<M, P>(one: One, keys: Keys<'_>, messages: &M, part: Range<usize>, mut places: P)
where
    M: Messages + ?Sized,
    P: Places,
{
    for (i, message) in part.enumerate() {
        let mut tag = keys.get(i).tag_by(one, messages.message(message));
        places.put(i, &[0], core::array::from_ref(tag.room()));
        tag.wipe();
    }
}

/// The stack depth of [`mac_lanes`]. Kernels with several streams use more stack.
fn depth_in_lanes<M: Messages + ?Sized>(
    plan: &Plan,
    choice: Selected<'_>,
    messages: &M,
    part: &Range<usize>,
) -> Depth {
    let family = choice.algorithm().family();
    let (count, is_32) = (part.len(), family.word_bits() == 32);
    let shape = || Shape::new(family, part.clone().map(|i| messages.message(i).len()));
    if !(1..=MAX_LANES).contains(&count) || !are_groups(&shape()) {
        Depth::Batch
    } else if is_32 && plan.is_only(count, |kernel| kernel.lanes() <= 2) {
        Depth::One
    } else if plan.is_only(count, |kernel| {
        let register = if kernel.tier() == Tier::Avx512 { 512 } else { 256 };
        kernel.lanes() * family.word_bits() as usize <= register
    }) {
        Depth::Group
    } else {
        Depth::TwoGroups
    }
}

/// Computes the tags of the messages in `part`; `keys` has only their keys. The caller overwrites
/// the stack that this uses.
pub(super) fn mac_lanes<M, P>(
    choice: Selected<'_>,
    keys: Keys<'_>,
    messages: &M,
    part: Range<usize>,
    places: P,
) where
    M: Messages + ?Sized,
    P: Places,
{
    if part.is_empty() {
        return;
    }
    choice.with_steps(|steps| {
        by_width!(choice.algorithm().family(), I => {
            run::<I, M, P>(keys, steps, messages, part, places);
        });
    });
}

/// Computes the inner and then the outer hash of each message in its lane.
#[inline(never)]
fn run<I, M, P>(
    keys: Keys<'_>,
    mut steps: Steps<&Plan>,
    messages: &M,
    part: Range<usize>,
    places: P,
) where
    I: KernelWord,
    M: Messages + ?Sized,
    P: Places,
{
    let mut emit = EmitTo(places);
    if let Keys::Same(key) = keys {
        let [inner, outer] = &key.chains().map(words::<I>);
        let algorithm = key.algorithm();
        let key = KeyWords { algorithm, inner, outer };
        let message = |i| messages.message(part.start + i);
        if one_block_each(algorithm, steps.plan(), part.len(), message, Some(key), &mut emit)
            || few(algorithm, &mut steps, part.len(), message, Some(key), &mut emit)
        {
            return;
        }
    }
    run_batch::<I, M, P>(keys, steps, messages, part, emit);
}

fn words<I: KernelWord>(chain: &Chain) -> [I; 8] {
    chain.words().map(I::truncate)
}

#[inline(never)]
fn run_batch<I, M, P>(
    keys: Keys<'_>,
    steps: Steps<&Plan>,
    messages: &M,
    part: Range<usize>,
    mut emit: EmitTo<P>,
) where
    I: KernelWord,
    M: Messages + ?Sized,
    P: Places,
{
    let algorithm = keys.get(0).algorithm();
    let inner = |i: usize| words::<I>(keys.get(i).chains()[0]);
    let outer = |i: usize| words::<I>(keys.get(i).chains()[1]);
    let starts = match keys {
        Keys::Same(_) => [Start::Same(inner(0)), Start::Same(outer(0))],
        Keys::Each(_) => [Start::Each(&inner), Start::Each(&outer)],
    };
    let mut batch = Batch::keyed(algorithm, steps, starts);
    batch.run(part.len(), &|i: usize| messages.message(part.start + i), &mut emit);
    batch.wipe();
}
