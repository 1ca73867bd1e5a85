//! Collision detection in lanes. Screens the blocks that lanes compress next. If a block fulfills the
//! conditions of a vector, checks the chaining values before and after it.

use core::ops::Range;

use lanesum_spec::Family;

use super::pending::{Found, Pending};
use super::{BLOCK, BLOCKS, Checked, Detection};
use crate::choose::Selected;
use crate::kernel::Watcher;
use crate::run::Call;
use crate::words::{MAX_LANES, State};

pub(super) struct Watch {
    watcher: Watcher,
    detection: Detection,
    /// By seat: whether a collision was detected in the message.
    collisions: [bool; MAX_LANES],
}

impl Watch {
    pub(super) fn new(choice: Selected<'_>, detection: Detection) -> Self {
        Self { watcher: choice.watcher(), detection, collisions: [false; MAX_LANES] }
    }

    /// Resets a seat for a new message.
    pub(super) fn begin(&mut self, seat: usize) {
        self.collisions[seat] = false;
    }

    /// Returns the result for the message in a seat, whose final chaining value is `words`.
    pub(super) fn checked(&self, seat: usize, words: &[u64; 8]) -> Checked {
        Checked::new(&words.map(|word| word as u32), self.collisions[seat])
    }

    /// Executes a kernel call, and checks each block.
    pub(super) fn compress(&mut self, call: Call<'_>) {
        let Call { kernel, state, first, data, blocks, seats } = call;
        let compress = |state: &mut State, rows: Range<usize>| {
            if !rows.is_empty() {
                let mut rest: [&[u8]; MAX_LANES] = [&[]; MAX_LANES];
                rest.iter_mut().zip(data).for_each(|(rest, d)| *rest = &d[rows.start * BLOCK..]);
                kernel.compress_in(Family::Sha1, state, first, &rest[..data.len()], rows.len());
            }
        };
        let live = &data[..seats.len()];
        let block = |l: usize, row: usize| -> &[u8; BLOCK] {
            live[l][row * BLOCK..].first_chunk().expect("`data` has `blocks` blocks per lane")
        };
        let mut pending = Pending::new(self.watcher, self.detection);
        let mut suspects = [0; BLOCKS];
        let most = BLOCKS / live.len();
        for start in (0..blocks).step_by(most) {
            let rows = start..blocks.min(start + most);
            let suspects = &mut suspects[..rows.len() * live.len()];
            let in_rows = rows.clone().flat_map(|row| (0..live.len()).map(move |l| block(l, row)));
            self.watcher.screen(in_rows, suspects);
            let mut done = rows.start;
            for (row, suspects) in rows.clone().zip(suspects.chunks(live.len())) {
                if suspects.iter().all(|&suspects| suspects == 0) {
                    continue;
                }
                compress(state, done..row);
                let before = state.clone();
                compress(state, row..row + 1);
                for (l, &suspects) in suspects.iter().enumerate().filter(|(_, all)| **all != 0) {
                    let words = |state: &State| state.get(first + l).map(|word| word as u32);
                    let states = [&words(&before), &words(state)];
                    let mut is_collision = false;
                    let mut hit = |found: Found| {
                        self.collisions[usize::from(found.of)] = true;
                        is_collision = true;
                    };
                    pending.add(suspects, block(l, row), states, seats[l], &mut hit);
                    if self.detection.is_safe {
                        pending.finish(&mut hit);
                        if is_collision {
                            spoil(state, first + l, block(l, row));
                        }
                    }
                }
                done = row + 1;
            }
            compress(state, done..rows.end);
        }
        pending.finish(&mut |found| self.collisions[usize::from(found.of)] = true);
    }
}

/// Changes the digest of a message of a collision, by compressing the block of the attack twice
/// more.
fn spoil(state: &mut State, lane: usize, block: &[u8; BLOCK]) {
    let mut words = state.get(lane);
    for _ in 0..2 {
        lanesum_spec::compress(Family::Sha1, &mut words, block);
    }
    state.set(lane, &words);
}
