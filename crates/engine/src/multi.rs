//! **Unstable.** Traits for many messages in step, after the proposal that is open
//! as pull request 2479 of the RustCrypto project's `traits`. They change when that
//! does, in any version, and go when it is part of the `digest` crate.
//!
//! Messages are of one length, which the types see to: each call takes as many
//! blocks of every message, and the end of each is an array of one length.
//!
//! ```
//! use digest::Output;
//! use lanesum::multi::{Multi, MultiFixedOutput, MultiUpdate};
//! use lanesum::rustcrypto::Sha256;
//!
//! // Leaves of a Merkle tree: a tag, then the page, which is not copied.
//! let tag = [[0; 64].into()];
//! let pages = [[1; 4096], [2; 4096], [3; 4096]];
//! let mut leaves = Multi::<Sha256, 3>::default();
//! leaves.update_blocks(&[&tag; 3]);
//! let digests: [Output<Sha256>; 3] = leaves.finalize_fixed(&pages.each_ref());
//! # use digest::Digest;
//! # let one = Sha256::new().chain_update([0; 64]).chain_update([2; 4096]).finalize();
//! # assert_eq!(digests[1], one);
//! ```
//!
//! For messages of any lengths [`hash_many`](crate::hash_many) is the call.

use core::marker::PhantomData;

use ::digest::Output;
use ::digest::common::{Block, BlockSizeUser, OutputSizeUser};
use lanesum_spec::Algorithm;

use crate::choose::Choice;
use crate::kernel::Select;
use crate::run::{Batch, Start};
use crate::words::{MAX_LANES, State, by_width};

/// A hash function of [`rustcrypto`](crate::rustcrypto).
pub trait Hash: BlockSizeUser + OutputSizeUser {
    /// The algorithm.
    const ALGORITHM: Algorithm;
}

/// Adds whole blocks to each of `MSGS` messages.
pub trait MultiUpdate<const MSGS: usize>: BlockSizeUser {
    /// Adds `BLOCKS` blocks to each message: `blocks[i]` to message i.
    fn update_blocks<const BLOCKS: usize>(&mut self, blocks: &[&[Block<Self>; BLOCKS]; MSGS]);
}

/// Ends each of `MSGS` messages.
pub trait MultiFixedOutput<const MSGS: usize>: OutputSizeUser {
    /// The digests, after `TAIL` bytes more of each message: `tails[i]` of message i.
    fn finalize_fixed<const TAIL: usize>(self, tails: &[&[u8; TAIL]; MSGS])
    -> [Output<Self>; MSGS];
}

/// `MSGS` messages that come in step, block by block, and are hashed by `H` in lanes.
#[derive(Clone, Debug)]
pub struct Multi<H, const MSGS: usize> {
    /// The chaining value of each, in the low bits of its words.
    chains: [[u64; 8]; MSGS],
    /// The length of each so far, in bytes: whole blocks.
    bytes: u64,
    hash: PhantomData<H>,
}

impl<H: Hash, const MSGS: usize> Default for Multi<H, MSGS> {
    fn default() -> Self {
        Self { chains: [H::ALGORITHM.iv(); MSGS], bytes: 0, hash: PhantomData }
    }
}

impl<H: Hash, const MSGS: usize> BlockSizeUser for Multi<H, MSGS> {
    type BlockSize = H::BlockSize;
}

impl<H: Hash, const MSGS: usize> OutputSizeUser for Multi<H, MSGS> {
    type OutputSize = H::OutputSize;
}

impl<H: Hash, const MSGS: usize> MultiUpdate<MSGS> for Multi<H, MSGS> {
    fn update_blocks<const BLOCKS: usize>(&mut self, blocks: &[&[Block<Self>; BLOCKS]; MSGS]) {
        let family = H::ALGORITHM.family();
        let mut state = State::new(family);
        Choice::automatic(H::ALGORITHM).with_turns(|turns| {
            let groups = self.chains.chunks_mut(MAX_LANES).zip(blocks.chunks(MAX_LANES));
            for (chains, blocks) in groups {
                chains.iter().enumerate().for_each(|(l, chain)| state.set(l, chain));
                let data = |l: usize| Block::<Self>::slice_as_flattened(blocks[l]);
                turns.plan().compress(family, &mut state, chains.len(), data, BLOCKS);
                chains.iter_mut().enumerate().for_each(|(l, chain)| *chain = state.get(l));
            }
        });
        self.bytes += (BLOCKS * family.block_len()) as u64;
    }
}

impl<H: Hash, const MSGS: usize> MultiFixedOutput<MSGS> for Multi<H, MSGS> {
    fn finalize_fixed<const TAIL: usize>(
        self,
        tails: &[&[u8; TAIL]; MSGS],
    ) -> [Output<Self>; MSGS] {
        let tails = tails.map(|tail| tail.as_slice());
        let mut digests = core::array::from_fn(|_| Output::<Self>::default());
        let mut emit = |i: usize, bytes: &[u8]| {
            let digest: &mut Output<Self> = &mut digests[i];
            let len = digest.len();
            digest.copy_from_slice(&bytes[..len]);
        };
        by_width!(H::ALGORITHM.family(), I => {
            finish::<I>(H::ALGORITHM, &self.chains, self.bytes, &tails, &mut emit);
        });
        digests
    }
}

/// Hands out the number and the digest of each message. It knows nothing of `MSGS` and
/// `TAIL`, or all that it calls would be compiled for each pair of them.
fn finish<I: Select>(
    algorithm: Algorithm,
    chains: &[[u64; 8]],
    bytes: u64,
    tails: &[&[u8]],
    emit: &mut dyn FnMut(usize, &[u8]),
) {
    let start = |i: usize| chains[i].map(I::truncate);
    Choice::automatic(algorithm).with_turns(|turns| {
        let mut batch = Batch::new(algorithm, turns, Start::Each(&start), bytes);
        batch.run(
            tails.len(),
            |i| tails[i],
            |first: usize, places: &[u16], digests: &[[u8; 64]]| {
                for (&place, digest) in places.iter().zip(digests) {
                    emit(first + usize::from(place), digest);
                }
            },
        );
    });
}
