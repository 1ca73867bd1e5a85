//! Blocks that fulfill the conditions of vectors, collected until they fill all lanes.

use lanesum_spec::sha1dc::VECTORS;

use super::{BLOCK, Detection};
use crate::kernel::{Pairs, Watcher};
use crate::words::MAX_LANES;

/// Blocks to check, each with a vector.
pub(super) struct Pending<'b> {
    watcher: Watcher,
    detection: Detection,
    pairs: Pairs<'b>,
    /// The owners of the blocks.
    of: [u8; MAX_LANES],
    /// The numbers of the vectors.
    vectors: [u8; MAX_LANES],
    count: usize,
}

/// A block of a collision.
pub(super) struct Found {
    /// The owner of the block.
    pub(super) of: u8,
    /// The number of the vector.
    pub(super) vector: u8,
    /// The chaining value before the block.
    pub(super) before: [u32; 5],
}

impl<'b> Pending<'b> {
    pub(super) fn new(watcher: Watcher, detection: Detection) -> Self {
        Self {
            watcher,
            detection,
            pairs: Pairs::none(),
            of: [0; MAX_LANES],
            vectors: [0; MAX_LANES],
            count: 0,
        }
    }

    /// Adds `block`, which leads from the chaining value `before` to `after`, once per vector in
    /// `suspects`. Calls `found` for each collision, in order, possibly later.
    pub(super) fn add(
        &mut self,
        mut suspects: u32,
        block: &'b [u8; BLOCK],
        [before, after]: [&[u32; 8]; 2],
        of: u8,
        found: &mut impl FnMut(Found),
    ) {
        while suspects != 0 {
            let vector = suspects.trailing_zeros() as usize;
            suspects &= suspects - 1;
            self.pairs.blocks[self.count] = block;
            self.pairs.set(self.count, &VECTORS[vector], before, after);
            self.of[self.count] = of;
            self.vectors[self.count] = vector as u8;
            self.count += 1;
            if self.count == self.watcher.lanes() {
                self.finish(found);
            }
        }
    }

    /// Checks all pending blocks.
    pub(super) fn finish(&mut self, found: &mut impl FnMut(Found)) {
        let count = core::mem::take(&mut self.count);
        if count == 0 {
            return;
        }
        let [apart, reduced] = self.watcher.apart(&self.pairs, count);
        for l in 0..count {
            if apart[l] == 0 || self.detection.finds_reduced && reduced[l] == 0 {
                let before = self.pairs.before.map(|column| column[l]);
                found(Found { of: self.of[l], vector: self.vectors[l], before });
            }
        }
    }
}
