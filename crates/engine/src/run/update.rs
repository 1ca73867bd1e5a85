//! `update_many`: appends a piece to each of many messages.

use core::convert::Infallible;

use super::chain::Chain;
use super::driver::{Driver, Mode};
use super::hasher::Hasher;
use super::schedule::Schedule;
use crate::Message;
use crate::choose::AsEngine;

/// Appends a piece to each of many messages, hashing them together. Equivalent to calling
/// [`Hasher::update`] on each hasher with its piece.
///
/// Returns once every piece is hashed and never waits for more bytes. This suits a thread that serves many
/// slow sources, such as uploads: collect the pieces that have arrived, add them all, and collect again. Any
/// number of messages can be in progress. Does not allocate, and hashes on the calling thread, whatever the
/// engine's number of threads.
///
/// ```
/// use lanesum::{Algorithm, Hasher, hash, update_many};
///
/// let mut uploads = vec![Hasher::new(Algorithm::SHA256); 3];
/// // Nothing has arrived from the second upload. It delays no other.
/// let [first, _, third] = &mut uploads[..] else { unreachable!() };
/// update_many(Algorithm::SHA256, [(first, "fi"), (third, "th")]);
/// update_many(Algorithm::SHA256, uploads.iter_mut().zip(["rst", "second", "ird"]));
/// assert_eq!(uploads[0].finish(), hash(Algorithm::SHA256, "first"));
/// ```
///
/// The example `uploads` is a server on tokio that hashes its uploads this way. Pieces of a few KiB or more gain the
/// most; a piece that does not complete a block is only copied.
///
/// # Panics
///
/// If a hasher's algorithm is not the engine's. The pieces before it have been appended.
#[track_caller]
pub fn update_many<'h, D>(
    engine: impl AsEngine,
    updates: impl IntoIterator<Item = (&'h mut Hasher, &'h D)>,
) where
    D: AsRef<[u8]> + ?Sized + 'h,
{
    let choice = engine.choice();
    let family = choice.algorithm().family();
    let block_len = family.block_len();
    let wrong = choice.with_steps(|steps| {
        let schedule = Schedule::without_padding(family);
        let mut lanes = Driver { steps, schedule, mode: Pieces };
        let mut wrong = None;
        for (hasher, data) in updates {
            let (algorithm, data) = (hasher.algorithm(), data.as_ref());
            if algorithm != choice.algorithm() {
                wrong = Some(algorithm);
                break;
            }
            if hasher.has_room(data.len()) {
                hasher.add(data);
                continue;
            }
            lanes.free_lane();
            let start = hasher.chain.words();
            lanes.schedule.put(Piece::new(hasher, data, block_len), &start, 0);
        }
        while lanes.next().is_some() {}
        wrong
    });
    // Outside the closure, which would hide the caller's location.
    if let Some(wrong) = wrong {
        panic!("hasher uses {wrong}, but the engine uses {}", choice.algorithm());
    }
}

/// A piece of a message in a lane, which fills at least the hasher's last block.
struct Piece<'p> {
    hasher: &'p mut Hasher,
    /// Whether the hasher's last block, now complete, is still to be compressed.
    is_tail_left: bool,
    /// The whole blocks after it that are not yet compressed.
    blocks: &'p [u8],
    /// The bytes after these, less than a block.
    rest: &'p [u8],
    /// The length of the piece, in bytes.
    len: usize,
}

impl<'p> Piece<'p> {
    fn new(hasher: &'p mut Hasher, data: &'p [u8], block_len: usize) -> Self {
        let (len, filled) = (data.len(), hasher.tail().len());
        let is_tail_left = filled > 0;
        let mut data = data;
        if is_tail_left {
            let (head, rest) = data.split_at(block_len - filled);
            // The hasher's length is unchanged until the piece is finished, so it still ignores these bytes.
            hasher.last_block()[filled..].copy_from_slice(head);
            data = rest;
        }
        let (blocks, rest) = data.split_at(data.len() & !(block_len - 1));
        Self { hasher, is_tail_left, blocks, rest, len }
    }
}

/// Updates the hashers of pieces.
struct Pieces;

impl<'p> Mode<Piece<'p>> for Pieces {
    type Done = ();

    /// Hands the chaining value and the bytes after the last whole block to the hasher.
    fn take(&mut self, schedule: &mut Schedule<Piece<'p>>) -> Option<()> {
        let ended = schedule.take()?;
        let Piece { hasher, rest, len, .. } = ended.message;
        let Ok(words) = ended.words;
        hasher.chain = Chain::new(hasher.algorithm(), words);
        hasher.last_block()[..rest.len()].copy_from_slice(rest);
        hasher.grow(len);
        Some(())
    }
}

impl Message for Piece<'_> {
    type Error = Infallible;

    fn fill(&mut self) -> Result<&[u8], Infallible> {
        Ok(if self.is_tail_left { &*self.hasher.last_block() } else { self.blocks })
    }

    fn consume(&mut self, n: usize) {
        if self.is_tail_left {
            self.is_tail_left = false;
        } else {
            self.blocks = &self.blocks[n..];
        }
    }
}
