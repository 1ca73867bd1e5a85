//! Blocks of one message. They are screened, few by the kernel for one message and many in lanes, and compressed in
//! order.

use super::pending::{Found, Pending};
use super::{BLOCK, BLOCKS, Detection};
use crate::choose::Selected;
use crate::kernel::{One, Watcher};

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
            if !self.detection.is_unscreened && self.compress_screened(state, blocks, &mut found) {
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

    /// Screens and compresses blocks together if the kernel for one message does. Returns whether it does.
    fn compress_screened(
        &self,
        state: &mut [u32; 8],
        blocks: &[[u8; BLOCK]],
        found: &mut impl FnMut(Found),
    ) -> bool {
        let (mut pending, mut done) = (None, 0);
        while done < blocks.len() {
            let left = &blocks[done..];
            let Some((count, suspects)) = self.watcher.compress(state, left) else { return false };
            if let Some(block) = left.get(count) {
                self.check(state, &mut pending, (done + count, block), suspects, found);
            }
            done += count + 1;
        }
        pending.iter_mut().for_each(|pending| pending.finish(found));
        true
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
        pending.add(suspects, block, [&before, state], i as u8, &mut |hit| {
            is_collision = true;
            found(hit);
        });
        if is_collision && self.detection.is_safe {
            self.run(state, &[*block; 2]);
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
