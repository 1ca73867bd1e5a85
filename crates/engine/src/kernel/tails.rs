//! Fallback for kernels that cannot pad while loading: copies and pads the ends of messages.

use lanesum_spec::{Family, MAX_BLOCK};

use super::{Kernel, Rest, Select};
use crate::base::wipe;
use crate::words::{MAX_LANES, pad};

/// The padded end of the message in each lane.
struct Tails<const LANES: usize> {
    bytes: [[u8; 2 * MAX_BLOCK]; LANES],
    /// The number of blocks before the copy, and the total.
    wholes: [usize; LANES],
    ends: [usize; LANES],
    /// Log2 of the block length.
    shift: u32,
}

impl<const LANES: usize> Tails<LANES> {
    /// Pads messages that follow `before` bytes.
    #[inline(always)]
    fn new(family: Family, data: &[&[u8]], before: u64) -> Self {
        let block = family.block_len();
        let (bytes, shift) = ([[0; _]; _], block.trailing_zeros());
        let mut tails = Self { bytes, wholes: [0; _], ends: [0; _], shift };
        for (l, message) in data.iter().enumerate().take(LANES) {
            let whole = message.len() >> shift;
            let rest = &message[whole << shift..];
            let bytes = before + message.len() as u64;
            let padded = pad(&mut tails.bytes[l], rest, block, family.is_big_endian(), bytes);
            tails.wholes[l] = whole;
            tails.ends[l] = whole + (padded >> shift);
        }
        tails
    }

    /// Returns the minimum and maximum number of blocks of the first `lanes` messages.
    #[inline(always)]
    fn blocks(&self, lanes: usize) -> (usize, usize) {
        let ends = self.ends[..lanes].iter().copied();
        ends.fold((usize::MAX, 0), |(least, most), end| (least.min(end), most.max(end)))
    }

    /// Whether block number `block` is past the end of lane `l`.
    #[inline(always)]
    fn ended(&self, l: usize, block: usize) -> bool {
        block >= self.ends[l]
    }

    /// Returns lane l's contiguous blocks from number `block` on; empty if the lane has ended.
    #[inline(always)]
    fn run<'t>(&'t self, l: usize, data: &'t [u8], block: usize) -> &'t [u8] {
        let at = |block: usize| block << self.shift;
        if block < self.wholes[l] {
            &data[at(block)..at(self.wholes[l])]
        } else {
            let (from, to) =
                (block.min(self.ends[l]) - self.wholes[l], self.ends[l] - self.wholes[l]);
            &self.bytes[l][at(from)..at(to)]
        }
    }

    /// Overwrites the copies if `before` is not zero, because a key may precede them.
    #[inline(always)]
    fn wipe(&mut self, before: u64) {
        if before > 0 {
            wipe(&mut self.bytes, [0; _]);
        }
    }
}

/// Compresses all of `data[l]` and its message's padding into lane l.
///
/// # Panics
///
/// Under the conditions of [`Kernel::compress`].
pub(super) fn finish<I: Select>(
    kernel: Kernel,
    family: Family,
    state: &mut [I],
    stride: usize,
    data: &[&[u8]],
    rest: Rest<'_, I>,
) {
    // One buffer per lane: clearing more takes longer than compressing a block.
    match data.len() {
        1 => finish_in::<I, 1>(kernel, family, state, stride, data, rest.before),
        2 => finish_in::<I, 2>(kernel, family, state, stride, data, rest.before),
        3..=4 => finish_in::<I, 4>(kernel, family, state, stride, data, rest.before),
        5..=8 => finish_in::<I, 8>(kernel, family, state, stride, data, rest.before),
        _ => finish_in::<I, MAX_LANES>(kernel, family, state, stride, data, rest.before),
    }
}

/// Out of line, or the caller's stack frame would hold the copies for every number of lanes.
#[inline(never)]
fn finish_in<I: Select, const LANES: usize>(
    kernel: Kernel,
    family: Family,
    state: &mut [I],
    stride: usize,
    data: &[&[u8]],
    before: u64,
) {
    let (lanes, words) = (data.len(), family.state_words());
    let mut tails = Tails::<LANES>::new(family, data, before);
    let (_, last) = tails.blocks(lanes);
    let mut done = 0;
    while done < last {
        let mut runs: [&[u8]; LANES] = [&[]; LANES];
        let (mut live, mut len) = (runs[0], usize::MAX);
        for (l, run) in runs.iter_mut().enumerate().take(lanes) {
            *run = tails.run(l, data[l], done);
            if !run.is_empty() {
                live = run;
                len = len.min(run.len());
            }
        }
        // A lane whose message has ended repeats another lane's blocks, then its state is restored.
        let mut kept = [[I::ZERO; 8]; LANES];
        for l in (0..lanes).filter(|&l| tails.ended(l, done)) {
            runs[l] = live;
            (0..words).for_each(|i| kept[l][i] = state[i * stride + l]);
        }
        let blocks = len / family.block_len();
        kernel.compress(family, state, stride, &runs[..lanes], blocks);
        for l in (0..lanes).filter(|&l| tails.ended(l, done)) {
            (0..words).for_each(|i| state[i * stride + l] = kept[l][i]);
        }
        done += blocks;
    }
    tails.wipe(before);
}
