//! Blocks of one message: compressed in order, and checked by the traces that compression leaves. Kernels that leave
//! none screen blocks in lanes before they compress them.

use core::mem::MaybeUninit;

use lanesum_spec::sha1dc;

use super::pending::{Found, Pending};
use super::{BLOCK, BLOCKS, Detection};
use crate::choose::Selected;
use crate::kernel::{One, Watcher};
use crate::words::MAX_LANES;

/// The number of blocks whose traces are checked together.
const TRACES: usize = MAX_LANES;

/// A block of a collision.
#[derive(Clone, Copy, Debug)]
pub struct Collision<'b> {
    /// The number of the block in the data.
    pub index: usize,
    /// The block.
    pub block: &'b [u8; BLOCK],
    /// The disturbance vector: a number of [`lanesum_spec::sha1dc::VECTORS`].
    pub vector: usize,
    /// The chaining value before the block.
    pub before: [u32; 5],
}

/// The kernels for the blocks of one message.
#[derive(Clone)]
pub(crate) struct Blocks {
    one: One,
    watcher: Watcher,
    detection: Detection,
}

impl Blocks {
    pub(crate) fn new(choice: Selected<'_>, detection: Detection) -> Self {
        Self { one: choice.one(), watcher: choice.watcher(), detection }
    }

    /// Compresses all of `data`, which must be whole blocks, into `state`. Calls `found` for each block
    /// of a collision, in order.
    pub(crate) fn compress(
        &self,
        state: &mut [u32; 8],
        data: &[u8],
        found: &mut impl FnMut(Collision<'_>),
    ) {
        for (i, blocks) in data.as_chunks::<BLOCK>().0.chunks(BLOCKS).enumerate() {
            let mut found = |hit: Found| {
                let block = &blocks[usize::from(hit.of)];
                let (index, vector) = (i * BLOCKS + usize::from(hit.of), hit.vector.into());
                found(Collision { index, block, vector, before: hit.before });
            };
            if self.compress_traced(state, blocks, &mut found) {
                continue;
            }
            if blocks.len() <= 2 {
                // Clearing the large buffer takes longer than checking two blocks.
                self.compress_by(state, blocks, [0; 2], &mut found);
            } else {
                self.compress_by(state, blocks, [0; BLOCKS], &mut found);
            }
        }
    }

    /// Compresses `blocks` and checks their traces, if the kernel for one message writes them. Returns whether it
    /// did; if not, `state` is as before. That is also so if the digest depends on a collision that it found.
    fn compress_traced(
        &self,
        state: &mut [u32; 8],
        blocks: &[[u8; BLOCK]],
        found: &mut impl FnMut(Found),
    ) -> bool {
        if self.detection.is_unscreened {
            return false;
        }
        let first = *state;
        let (mut pending, mut is_collision) = (None, false);
        let mut hit = |hit: Found| match self.detection.is_safe {
            true => is_collision = true,
            false => found(hit),
        };
        let mut places = [const { MaybeUninit::uninit() }; TRACES];
        for (i, piece) in blocks.chunks(TRACES).enumerate() {
            let before = *state;
            let Some(traces) = self.watcher.trace(state, piece, &mut places) else { return false };
            for (l, trace) in traces.iter().enumerate().filter(|(_, trace)| trace.left != 0) {
                let suspects = sha1dc::read(&trace.words, trace.left);
                if suspects != 0 {
                    let before = if l == 0 { before } else { traces[l - 1].state() };
                    let of = (i * TRACES + l) as u8;
                    pending.get_or_insert_with(|| Pending::new(self.watcher, self.detection)).add(
                        suspects,
                        &piece[l],
                        [&before, &trace.state()],
                        of,
                        &mut hit,
                    );
                }
            }
        }
        pending.iter_mut().for_each(|pending: &mut Pending<'_>| pending.finish(&mut hit));
        if is_collision {
            *state = first;
        }
        !is_collision
    }

    /// Compresses `blocks`. `suspects` is a buffer for the result of each block.
    #[inline(always)]
    fn compress_by<const N: usize>(
        &self,
        state: &mut [u32; 8],
        blocks: &[[u8; BLOCK]],
        mut suspects: [u32; N],
        found: &mut impl FnMut(Found),
    ) {
        let suspects = &mut suspects[..blocks.len()];
        match self.detection.is_unscreened {
            false => self.watcher.screen(blocks.iter(), suspects),
            true => suspects.fill(u32::MAX),
        }
        match suspects.iter().all(|&suspects| suspects == 0) {
            true => self.run(state, blocks),
            false => self.run_looking(state, blocks, suspects, found),
        }
    }

    /// Compresses blocks, and checks the blocks that fulfill the conditions of vectors.
    #[cold]
    #[inline(never)]
    fn run_looking(
        &self,
        state: &mut [u32; 8],
        blocks: &[[u8; BLOCK]],
        suspects: &[u32],
        found: &mut impl FnMut(Found),
    ) {
        let mut pending = None;
        let mut done = 0;
        for (i, &suspects) in suspects.iter().enumerate().filter(|(_, all)| **all != 0) {
            self.run(state, &blocks[done..i]);
            self.check(state, &mut pending, (i, &blocks[i]), suspects, found);
            done = i + 1;
        }
        self.run(state, &blocks[done..]);
        pending.iter_mut().for_each(|pending| pending.finish(found));
    }

    /// Compresses block i, and checks it, possibly later, with the vectors in `suspects`.
    #[cold]
    #[inline(never)]
    fn check<'b>(
        &self,
        state: &mut [u32; 8],
        pending: &mut Option<Pending<'b>>,
        (i, block): (usize, &'b [u8; BLOCK]),
        suspects: u32,
        found: &mut impl FnMut(Found),
    ) {
        let pending = pending.get_or_insert_with(|| Pending::new(self.watcher, self.detection));
        let before = *state;
        self.run(state, core::slice::from_ref(block));
        let mut is_collision = false;
        let mut hit = |hit| {
            is_collision = true;
            found(hit);
        };
        pending.add(suspects, block, [&before, state], i as u8, &mut hit);
        if self.detection.is_safe {
            pending.finish(&mut hit);
            if is_collision {
                self.run(state, &[*block; 2]);
            }
        }
    }

    fn run(&self, state: &mut [u32; 8], blocks: &[[u8; BLOCK]]) {
        if !blocks.is_empty() {
            self.one.compress(state, blocks.as_flattened());
        }
    }
}

// The number of a block within a piece is stored in a byte.
const _: () = assert!(BLOCKS <= 1 << u8::BITS);
