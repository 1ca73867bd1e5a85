//! Blocks that fulfill the conditions of vectors, collected until they fill all lanes.

use lanesum_spec::sha1dc::VECTORS;

use super::{BLOCK, Detection};
use crate::kernel::{Pairs, Watcher};
use crate::words::MAX_LANES;

/// At or below this number of blocks, a kernel for one message checks them faster than lanes do.
const SINGLE_BLOCKS: usize = 4;

/// Blocks to check, each with a vector.
pub(super) struct Pending<'b> {
    watcher: Watcher,
    detection: Detection,
    suspected: [Option<Suspected<'b>>; MAX_LANES],
    count: usize,
}

/// A block that may be part of a collision by a vector.
#[derive(Clone, Copy)]
struct Suspected<'b> {
    block: &'b [u8; BLOCK],
    /// The chaining values before and after the block.
    before: [u32; 5],
    after: [u32; 5],
    of: u8,
    vector: u8,
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
        Self { watcher, detection, suspected: [None; _], count: 0 }
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
        let [before, after] = [before, after].map(|state| *state.first_chunk().expect("8 words"));
        while suspects != 0 {
            let vector = suspects.trailing_zeros() as u8;
            suspects &= suspects - 1;
            self.suspected[self.count] = Some(Suspected { block, before, after, of, vector });
            self.count += 1;
            if self.count == self.watcher.lanes() {
                self.finish(found);
            }
        }
    }

    /// Checks all pending blocks.
    pub(super) fn finish(&mut self, found: &mut impl FnMut(Found)) {
        let suspected = &self.suspected[..core::mem::take(&mut self.count)];
        let mut hit = |one: &Suspected<'_>| {
            found(Found { of: one.of, vector: one.vector, before: one.before });
        };
        if suspected.len() <= SINGLE_BLOCKS
            && !self.detection.finds_reduced
            && self.watcher.is_traced()
        {
            let collides = |one: &&Suspected<'_>| {
                let vector = &VECTORS[usize::from(one.vector)];
                self.watcher.collides(one.block, vector, [one.before, one.after])
            };
            suspected.iter().flatten().filter(collides).for_each(hit);
        } else if !suspected.is_empty() {
            let mut pairs = Pairs::none();
            for (l, one) in suspected.iter().flatten().enumerate() {
                let vector = &VECTORS[usize::from(one.vector)];
                pairs.set(l, one.block, vector, [&one.before, &one.after]);
            }
            let [apart, reduced] = self.watcher.apart(&pairs);
            for (l, one) in suspected.iter().flatten().enumerate() {
                if apart[l] == 0 || self.detection.finds_reduced && reduced[l] == 0 {
                    hit(one);
                }
            }
        }
    }
}
