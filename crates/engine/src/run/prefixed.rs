//! Many messages with a common prefix, which a hasher has already processed.

use core::ops::Range;

use lanesum_spec::MAX_BLOCK;

use super::batch::{Batch, EmitTo, Start};
use super::hasher::Hasher;
use super::many::in_parts;
use super::step::compress_lanes;
use crate::choose::{AsEngine, Plan, Selected, Steps};
use crate::kernel::KernelWord;
use crate::outputs::Places;
use crate::words::{MAX_LANES, State, by_width};
use crate::{Messages, Outputs};

impl Hasher {
    /// Hashes many messages that share a prefix: the message of this hasher so far, such as a salt, a
    /// domain separator, or the midstate of a signature scheme. Whole blocks of the prefix are not
    /// hashed again. Otherwise like [`hash_many`](crate::hash_many).
    ///
    /// ```
    /// use lanesum::{Algorithm, Hasher, sha256};
    ///
    /// // Leaves of RFC 6962: a byte 0 before each entry.
    /// let mut leaf = Hasher::new(Algorithm::SHA256);
    /// leaf.update([0]);
    /// let mut hashes = [[0; 32]; 2];
    /// leaf.finish_many(Algorithm::SHA256, &["first", "second"], &mut hashes);
    /// assert_eq!(hashes[1], sha256("\0second"));
    /// ```
    ///
    /// # Panics
    ///
    /// If the engine's algorithm is not the hasher's, if there is not exactly one place for each
    /// message, or if a place is longer than a digest.
    #[track_caller]
    pub fn finish_many<M, D>(&self, engine: impl AsEngine, messages: &M, digests: D)
    where
        M: Messages + Sync + ?Sized,
        D: Outputs,
    {
        let choice = engine.choice();
        let algorithm = choice.algorithm();
        assert!(
            algorithm == self.algorithm(),
            "hasher uses {}, but the engine uses {algorithm}",
            self.algorithm()
        );
        let places = digests.places(messages.count(), algorithm.digest_len());
        in_parts(choice, 0..messages.count(), places, &|part, places| {
            choice.with_steps(|steps| {
                by_width!(algorithm.family(), I => {
                    run::<I, M, D::Places>(self, choice, steps, messages, part, places);
                });
            });
        });
    }
}

#[inline(never)]
fn run<I, M, P>(
    hasher: &Hasher,
    choice: Selected<'_>,
    steps: Steps<&Plan>,
    messages: &M,
    part: Range<usize>,
    mut places: P,
) where
    I: KernelWord,
    M: Messages + ?Sized,
    P: Places,
{
    let algorithm = choice.algorithm();
    let tail = hasher.tail();
    let before = hasher.len() - tail.len() as u64;
    let start = hasher.chain.words().map(I::truncate);
    if tail.is_empty() {
        let mut batch = Batch::new(algorithm, steps, Start::Same(start), before);
        let message = |i| messages.message(part.start + i);
        return batch.run(part.len(), &message, &mut EmitTo(places));
    }
    let (family, block_len) = (algorithm.family(), algorithm.block_len());
    let mut joined = [[0; MAX_BLOCK]; MAX_LANES];
    let mut state = State::new(family);
    for first in part.clone().step_by(MAX_LANES) {
        let group = first..part.end.min(first + MAX_LANES);
        // The rest of the prefix, and as much of each message as fits in the block. Messages that do not
        // fill the block are sorted last, and are hashed from this copy.
        let room = block_len - tail.len();
        let mut order = [0u16; MAX_LANES];
        let order = &mut order[..group.len()];
        let mut long = 0;
        let mut short = order.len();
        for i in 0..group.len() {
            let is_long = messages.message(first + i).len() >= room;
            if is_long {
                order[long] = i as u16;
                long += 1;
            } else {
                short -= 1;
                order[short] = i as u16;
            }
        }
        for (block, &i) in joined.iter_mut().zip(&*order) {
            let message = messages.message(first + usize::from(i));
            let taken = message.len().min(room);
            block[..tail.len()].copy_from_slice(tail);
            block[tail.len()..][..taken].copy_from_slice(&message[..taken]);
        }
        (0..long).for_each(|l| state.set(l, &hasher.chain.words()));
        compress_lanes(steps.plan(), family, &mut state, long, |l| &joined[l][..block_len], 1);
        let mut put = |order: &[u16], first_of: usize, group: &[u16], bytes: &[[u8; 64]]| {
            for (&place, bytes) in group.iter().zip(bytes) {
                let i = order[first_of + usize::from(place)];
                places.put(first - part.start, &[i], core::slice::from_ref(bytes));
            }
        };
        let (long, short) = order.split_at(long);
        let each = |l: usize| state.get(l).map(I::truncate);
        choice.with_steps(|steps| {
            let start = Start::Each(&each);
            Batch::new(algorithm, steps, start, before + block_len as u64).run(
                long.len(),
                &|l: usize| &messages.message(first + usize::from(long[l]))[room..],
                &mut |of: usize, group: &[u16], bytes: &[[u8; 64]]| put(long, of, group, bytes),
            );
        });
        choice.with_steps(|steps| {
            Batch::new(algorithm, steps, Start::Same(start), before).run(
                short.len(),
                &|l: usize| {
                    let len = messages.message(first + usize::from(short[l])).len();
                    &joined[long.len() + l][..tail.len() + len]
                },
                &mut |of: usize, group: &[u16], bytes: &[[u8; 64]]| put(short, of, group, bytes),
            );
        });
    }
}
