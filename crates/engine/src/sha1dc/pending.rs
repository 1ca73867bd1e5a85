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
    count: usize,
}

impl<'b> Pending<'b> {
    pub(super) fn new(watcher: Watcher, detection: Detection) -> Self {
        Self { watcher, detection, pairs: Pairs::none(), of: [0; MAX_LANES], count: 0 }
    }

    /// Adds `block`, which leads from the chaining value `before` to `after`, once per vector in
    /// `suspects`. Calls `found` with the owner `of` of a block that is part of a collision:
    /// immediately if the digest depends on it, otherwise possibly later.
    pub(super) fn add(
        &mut self,
        suspects: u32,
        block: &'b [u8; BLOCK],
        [before, after]: [&[u32; 8]; 2],
        of: u8,
        found: &mut impl FnMut(u8),
    ) {
        for vector in (0..VECTORS.len()).filter(|i| suspects >> i & 1 == 1) {
            self.pairs.blocks[self.count] = block;
            self.pairs.set(self.count, &VECTORS[vector], before, after);
            self.of[self.count] = of;
            self.count += 1;
            if self.count == self.watcher.lanes() {
                self.finish(found);
            }
        }
        if self.detection.is_safe {
            self.finish(found);
        }
    }

    /// Checks all pending blocks.
    pub(super) fn finish(&mut self, found: &mut impl FnMut(u8)) {
        let count = core::mem::take(&mut self.count);
        if count == 0 {
            return;
        }
        let [apart, reduced] = self.watcher.apart(&self.pairs);
        for l in 0..count {
            if apart[l] == 0 || self.detection.finds_reduced && reduced[l] == 0 {
                found(self.of[l]);
            }
        }
    }
}
