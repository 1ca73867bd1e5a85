//! `finish` for kernels that cannot pad while loading: each message's end is padded in a copy.

use core::slice;

use lanesum_spec::{Compression, Int};

use super::Ending;
use super::abi::Compress;
use crate::base::wipe;
use crate::words::{fill_padded, pad, padded_blocks};

/// Defines `$finish` for a kernel with `$lanes` lanes, whose own function for `$family` is
/// `$compress`.
macro_rules! copied_finish {
    ($finish:ident $(<const $n:ident>)?, $int:ty, $family:ty, $compress:expr, $lanes:expr) => {
        /// # Safety
        ///
        /// See [`Finish`](crate::kernel::abi::Finish).
        pub(in crate::kernel) unsafe fn $finish $(<const $n: usize>)? (
            state: &mut [$int],
            stride: usize,
            data: &[&[u8]],
            ending: $crate::kernel::Ending<'_, $int>,
        ) {
            use $crate::kernel::copied;
            // SAFETY: the caller guarantees the CPU features and all lengths.
            unsafe { copied::finish::<$family, _, { $lanes }>($compress, state, stride, data, ending) }
        }
    };
}
pub(super) use copied_finish;

/// Two blocks, enough for the padded end of a message.
type Tail<I> = [[I; 16]; 2];

/// Compresses all of `data[l]` and its message's padding into lane l of a kernel with `LANES` lanes,
/// whose own function is `compress`.
///
/// # Safety
///
/// See [`Finish`](super::abi::Finish).
#[inline(always)]
pub(super) unsafe fn finish<C: Compression<N>, const N: usize, const LANES: usize>(
    compress: Compress<C::Int>,
    state: &mut [C::Int],
    stride: usize,
    data: &[&[u8]],
    ending: Ending<'_, C::Int>,
) {
    let copied = Copied { compress, words: N, big_endian: C::BIG_ENDIAN };
    // SAFETY: the caller guarantees the CPU features and all lengths.
    unsafe {
        match LANES {
            1 => copied.one(state, stride, data, ending.before),
            _ => copied.lanes::<LANES>(state, stride, data, ending.before),
        }
    }
}

/// A kernel, as far as padding in memory depends on it.
struct Copied<I> {
    compress: Compress<I>,
    /// The number of words of a chaining value.
    words: usize,
    big_endian: bool,
}

impl<I: Int> Copied<I> {
    const BLOCK: usize = 16 * I::BYTES;

    /// Compresses one message, which follows `before` bytes.
    ///
    /// # Safety
    ///
    /// See [`finish`].
    #[inline(always)]
    unsafe fn one(&self, state: &mut [I], stride: usize, data: &[&[u8]], before: u64) {
        // SAFETY: the caller guarantees a slice.
        let message = unsafe { *data.get_unchecked(0) };
        let mut whole = message.len() / Self::BLOCK;
        // Saving a call is worth copying a block.
        if whole == 1 && message.len() + 1 + 2 * I::BYTES <= 2 * Self::BLOCK {
            whole = 0;
        }
        // SAFETY: the caller guarantees the CPU features and the extent of `state`; each slice has
        // as many blocks as stated.
        unsafe {
            if whole > 0 {
                (self.compress)(state, stride, data, whole);
            }
            let end = message.get_unchecked(whole * Self::BLOCK..);
            let len = before + message.len() as u64;
            match padded_blocks(end.len(), Self::BLOCK) {
                1 => self.last::<1>(state, stride, end, len),
                _ => self.last::<2>(state, stride, end, len),
            }
        }
    }

    /// Compresses `end`, the last of a message's `len` bytes, which has `BLOCKS` blocks with its padding.
    /// The caller overwrites the stack if a key may precede the message.
    ///
    /// # Safety
    ///
    /// See [`finish`].
    #[inline(always)]
    unsafe fn last<const BLOCKS: usize>(
        &self,
        state: &mut [I],
        stride: usize,
        end: &[u8],
        len: u64,
    ) {
        let mut tail = [[I::ZERO; 16]; BLOCKS];
        fill_padded(bytes_mut(&mut tail), end, Self::BLOCK, self.big_endian, len);
        // SAFETY: the caller guarantees the CPU features and the extent of `state`; `tail` has as many
        // blocks as stated.
        unsafe { (self.compress)(state, stride, &[bytes(&tail)], BLOCKS) };
    }

    /// Compresses one message per lane, each after `before` bytes. Shared by the kernels with `LANES` lanes.
    ///
    /// # Safety
    ///
    /// See [`finish`].
    #[inline(never)]
    unsafe fn lanes<const LANES: usize>(
        &self,
        state: &mut [I],
        stride: usize,
        data: &[&[u8]],
        before: u64,
    ) {
        let data: &[&[u8]; LANES] = data.first_chunk().expect("a slice per lane");
        let mut tails: [Tail<I>; LANES] = [[[I::ZERO; 16]; 2]; LANES];
        // The number of blocks before each copy, and the total.
        let wholes = data.map(|message| message.len() / Self::BLOCK);
        let mut ends = wholes;
        for (l, message) in data.iter().enumerate() {
            let end = &message[wholes[l] * Self::BLOCK..];
            ends[l] += self.pad(&mut tails[l], end, before + message.len() as u64);
        }
        let last = ends.iter().copied().fold(0, usize::max);
        let mut done = 0;
        while done < last {
            // The contiguous blocks of each lane from number `done` on.
            let mut runs: [&[u8]; LANES] = [&[]; LANES];
            let (mut live, mut len) = (runs[0], usize::MAX);
            for (l, run) in runs.iter_mut().enumerate().filter(|&(l, _)| done < ends[l]) {
                *run = match done.checked_sub(wholes[l]) {
                    None => &data[l][done * Self::BLOCK..wholes[l] * Self::BLOCK],
                    Some(from) => {
                        &bytes(&tails[l])[from * Self::BLOCK..][..(ends[l] - done) * Self::BLOCK]
                    }
                };
                live = run;
                len = len.min(run.len());
            }
            // A lane whose message has ended repeats another lane's blocks, then its state is restored.
            let mut saved = [[I::ZERO; 8]; LANES];
            let has_ended = |&l: &usize| done >= ends[l];
            for l in (0..LANES).filter(has_ended) {
                runs[l] = live;
                (0..self.words).for_each(|i| saved[l][i] = state[i * stride + l]);
            }
            let blocks = len / Self::BLOCK;
            // SAFETY: the caller guarantees the CPU features and the extent of `state`; each run has
            // at least `blocks` blocks.
            unsafe { (self.compress)(state, stride, &runs, blocks) };
            for l in (0..LANES).filter(has_ended) {
                (0..self.words).for_each(|i| state[i * stride + l] = saved[l][i]);
            }
            done += blocks;
        }
        wipe_if_keyed(tails.as_flattened_mut(), before);
    }

    /// Copies `end`, the last of a message's `len` bytes, to `tail`, which must be zeros, and pads it.
    /// Returns the number of blocks.
    #[inline(always)]
    fn pad(&self, tail: &mut Tail<I>, end: &[u8], len: u64) -> usize {
        pad(bytes_mut(tail), end, Self::BLOCK, self.big_endian, len) / Self::BLOCK
    }
}

/// Returns the bytes of blocks.
#[inline(always)]
fn bytes<I: Int>(blocks: &[[I; 16]]) -> &[u8] {
    // SAFETY: integers have no padding.
    unsafe { slice::from_raw_parts(blocks.as_ptr().cast::<u8>(), size_of_val(blocks)) }
}

/// Returns the bytes of blocks.
#[inline(always)]
fn bytes_mut<I: Int>(blocks: &mut [[I; 16]]) -> &mut [u8] {
    // SAFETY: integers have no invalid values, and no padding.
    unsafe { slice::from_raw_parts_mut(blocks.as_mut_ptr().cast::<u8>(), size_of_val(blocks)) }
}

/// Overwrites copies of messages if `before` is not zero, because a key may precede them.
#[inline(always)]
fn wipe_if_keyed<I: Int>(blocks: &mut [[I; 16]], before: u64) {
    if before > 0 {
        wipe(blocks, [I::ZERO; 16]);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::vec::Vec;

    use lanesum_spec::Family;

    use super::super::{Kernel, KernelWord};
    use super::*;
    use crate::words::{Columns, MAX_LANES, by_width, bytes};

    /// The number of whole blocks of each lane's message: all equal, all different, one message the
    /// only shortest, or the only longest.
    fn orders(lanes: usize) -> Vec<Vec<usize>> {
        if lanes <= 4 {
            return (0..1 << (2 * lanes))
                .map(|n| (0..lanes).map(|l| n >> (2 * l) & 3).collect())
                .collect();
        }
        let uniform = (0..4).map(|n| std::vec![n; lanes]);
        let turned = (0..lanes).map(|by| (0..lanes).map(|l| ((l + by) % lanes).min(3)).collect());
        let turned: Vec<Vec<usize>> = turned.collect();
        let falling = turned.iter().map(|order| order.iter().map(|n| 3 - n).collect());
        uniform.chain(falling).chain(turned.iter().cloned()).collect()
    }

    /// Every kernel finishes messages whose last blocks end at every byte, in every lane, next to
    /// longer and shorter ones, at the beginning and after a block.
    #[test]
    fn every_end_of_a_message_is_padded_in_every_lane() {
        let message: Vec<u8> = (0..8 * 128 + MAX_LANES).map(|i| (i * i + i / 251) as u8).collect();
        for algorithm in Family::ALL.map(Family::algorithm) {
            let (family, block) = (algorithm.family(), algorithm.block_len());
            let mut digests = HashMap::new();
            let mut digest = |l: usize, len: usize| {
                *digests.entry((l, len)).or_insert_with(|| {
                    let digest = lanesum_spec::digest(algorithm, &message[l..l + len]);
                    <[u8; 16]>::try_from(&digest[..16]).unwrap()
                })
            };
            for kernel in Kernel::all().filter(|kernel| kernel.supports(algorithm)) {
                let lanes = kernel.lanes();
                for (i, order) in orders(lanes).into_iter().enumerate() {
                    for end in 0..block {
                        let before = (i + end) % 2 * block;
                        let len = |l: usize| order[l] * block + (end + i * l) % block;
                        by_width!(family, I => {
                            let found = finished::<I>(kernel, algorithm, before, |l| {
                                &message[l..l + before + len(l)]
                            });
                            for (l, found) in found.iter().enumerate().take(lanes) {
                                let expected = digest(l, before + len(l));
                                assert_eq!(found[..16], expected, "{kernel} {algorithm} {order:?} {end}, lane {l}");
                            }
                        });
                    }
                }
            }
        }
    }

    /// Finishes a message in each lane. The specification compresses the first `before` bytes of each, a block
    /// or none.
    fn finished<'m, I: KernelWord>(
        kernel: Kernel,
        algorithm: lanesum_spec::Algorithm,
        before: usize,
        message: impl Fn(usize) -> &'m [u8],
    ) -> [[u8; 64]; MAX_LANES] {
        let family = algorithm.family();
        let mut data: [&[u8]; MAX_LANES] = [&[]; MAX_LANES];
        let mut state = Columns::<I>::new();
        for (l, data) in data.iter_mut().enumerate().take(kernel.lanes()) {
            let (first, rest) = message(l).split_at(before);
            let mut start = algorithm.iv();
            if before > 0 {
                lanesum_spec::compress(family, &mut start, first);
            }
            state.set(l, &start.map(I::truncate));
            *data = rest;
        }
        let ending = Ending { before: before as u64, padding_block: None };
        let data = &data[..kernel.lanes()];
        kernel.finish::<I>(family, state.words_mut(0), MAX_LANES, data, ending);
        core::array::from_fn(|l| bytes(family, &state.lane(l)))
    }
}
