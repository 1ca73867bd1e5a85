//! Kernels that screen for blocks of collision attacks on SHA-1.

use core::mem::MaybeUninit;

use lanesum_spec::{Algorithm, Family, W32, sha1dc};

use super::abi::{Functions, Pairs, Trace, Watching};
use super::tested::Tested;
use super::{Kernel, One};
use crate::words::MAX_LANES;

/// Block length in bytes.
const BLOCK: usize = 64;

/// At or below this number of blocks, the specification screens them faster than lanes do.
const SINGLE_BLOCKS: usize = 4;

/// At or below this number of lanes, a kernel for one message that screens what it compresses hashes many messages
/// faster than lanes do: measured on AMD Zen 3, whose AVX2 has 8 lanes. 16 lanes of AVX-512 are faster.
const SINGLE_LANES: usize = 8;

/// A kernel that reports to which disturbance vectors each block may belong.
#[derive(Clone, Copy)]
pub(crate) struct Watcher {
    pub(crate) kernel: Kernel,
    functions: Watching,
    /// The functions of the kernel for one message, if it screens.
    single: Option<Watching>,
}

impl Watcher {
    /// Selects the widest of `kernels` that screens and passes its known-answer test, or else a
    /// one-lane kernel, which every build has.
    pub(crate) fn of(kernels: impl Iterator<Item = Kernel>) -> Self {
        kernels
            .chain(Kernel::all().filter(|kernel| kernel.lanes() == 1))
            .filter_map(Self::with)
            .find(|watcher| watcher.is_sound())
            .expect("the specification agrees with itself")
    }

    /// Returns the kernel's screening functions, if it has any.
    pub(crate) fn with(kernel: Kernel) -> Option<Self> {
        match &kernel.entry(Family::Sha1)?.functions {
            Functions::W32(functions) => {
                Some(Self { kernel, functions: functions.watching?, single: None })
            }
            Functions::W64(_) => None,
        }
    }

    /// The number of blocks screened in parallel.
    pub(crate) fn lanes(self) -> usize {
        self.kernel.lanes()
    }

    /// Screens single blocks by the kernel of `one` if it screens and passes its known-answer test.
    pub(crate) fn with_one(mut self, one: One) -> Self {
        let watcher = Self::with(one.kernel()).filter(|_| one.is_single());
        self.single = watcher.filter(|watcher| watcher.is_sound()).map(|own| own.functions);
        self
    }

    /// Whether the kernel for one message hashes many messages faster than lanes do.
    pub(crate) fn is_faster_alone(self) -> bool {
        self.lanes() <= SINGLE_LANES && self.is_traced()
    }

    /// Compresses blocks of one message and returns the trace of each, if the kernel for one message writes traces.
    ///
    /// # Panics
    ///
    /// If there are fewer places than blocks.
    #[inline]
    pub(crate) fn trace<'t>(
        self,
        state: &mut [u32; 8],
        blocks: &[[u8; BLOCK]],
        places: &'t mut [MaybeUninit<Trace>],
    ) -> Option<&'t [Trace]> {
        let traced = self.single?.traced?;
        let places = &mut places[..blocks.len()];
        // SAFETY: the CPU can run the kernel of one lane; `blocks` has all blocks, and each has a place.
        unsafe { traced(state, blocks.as_flattened(), blocks.len(), places) };
        // SAFETY: the kernel has written a trace to each place.
        Some(unsafe { &*(core::ptr::from_ref(places) as *const [Trace]) })
    }

    /// Writes to `suspects[i]` which vectors block i may belong to, for each entry of `suspects`.
    pub(crate) fn screen<'b>(
        self,
        blocks: impl Iterator<Item = &'b [u8; BLOCK]>,
        suspects: &mut [u32],
    ) {
        let mut blocks = blocks;
        let (many, few) = match suspects.len() % self.lanes() {
            few if few <= SINGLE_BLOCKS => suspects.split_at_mut(suspects.len() - few),
            _ => (suspects, &mut [][..]),
        };
        if !many.is_empty() {
            self.screen_many(&mut blocks, many);
        }
        for (suspects, block) in few.iter_mut().zip(blocks) {
            *suspects = self.screen_one(block);
        }
    }

    /// Returns which vectors a block may belong to.
    #[inline]
    pub(crate) fn screen_one(self, block: &[u8; BLOCK]) -> u32 {
        let Some(single) = self.single else { return sha1dc::left_alone(block) };
        let mut suspects = [0];
        // SAFETY: the CPU can run the kernel of one lane; there are a block and an entry of `suspects`.
        unsafe { (single.screen)(&[block], 1, &mut suspects) };
        suspects[0]
    }

    /// Screens blocks in lanes, `lanes` at a time.
    fn screen_many<'b>(
        self,
        blocks: &mut impl Iterator<Item = &'b [u8; BLOCK]>,
        suspects: &mut [u32],
    ) {
        let lanes = self.lanes();
        let mut data: [&[u8]; MAX_LANES] = [&[0; BLOCK]; MAX_LANES];
        let mut found = [0; MAX_LANES];
        let mut blocks = blocks.map(<[u8; BLOCK]>::as_slice);
        for suspects in suspects.chunks_mut(lanes) {
            // Unused lanes repeat their previous block.
            data.iter_mut().zip(blocks.by_ref().take(suspects.len())).for_each(|(d, b)| *d = b);
            // SAFETY: the CPU can run the kernel; every lane has a block and an entry of `found`.
            unsafe { (self.functions.screen)(&data[..lanes], 1, &mut found[..lanes]) }
            suspects.copy_from_slice(&found[..suspects.len()]);
        }
    }

    /// Whether the kernel for one message writes traces.
    pub(crate) fn is_traced(self) -> bool {
        self.single.is_some_and(|own| own.traced.is_some())
    }

    /// Whether `block` is part of a collision by `vector`. `before` and `after` are the chaining values.
    ///
    /// # Panics
    ///
    /// If the kernel for one message does not [write traces](Self::is_traced).
    pub(crate) fn collides(
        self,
        block: &[u8; BLOCK],
        vector: &sha1dc::Vector,
        [before, after]: [[u32; 5]; 2],
    ) -> bool {
        let (block, before) = sha1dc::counterpart(block, vector, before, after);
        let mut state = [0; 8];
        state[..5].copy_from_slice(&before);
        let mut places = [MaybeUninit::uninit()];
        self.trace(&mut state, &[block], &mut places).expect("the kernel writes traces");
        state[..5] == after
    }

    /// Runs `lanesum_spec::sha1dc::apart` on as many pairs as the kernel has lanes.
    pub(crate) fn apart(self, pairs: &Pairs<'_>) -> [[u32; MAX_LANES]; 2] {
        let mut apart = [[0; MAX_LANES]; 2];
        let lanes = self.lanes();
        assert!(pairs.blocks[..lanes].iter().all(|block| block.len() >= BLOCK));
        assert!(pairs.differences[..lanes].iter().all(|words| words.len() >= 4 * 80));
        // SAFETY: the CPU can run the kernel; every lane has a block and a difference.
        unsafe { (self.functions.apart)(pairs, &mut apart) }
        apart
    }

    /// Whether the kernel passes its known-answer test, which runs before its first use in a
    /// process.
    fn is_sound(self) -> bool {
        Tested::of(self.kernel).screening.is_sound(|| self.known_answer())
    }

    /// Compares every lane with the scalar specification. Some of the `BLOCKS` blocks fulfill a
    /// vector's conditions.
    pub(super) fn known_answer(self) -> bool {
        const BLOCKS: usize = 8;
        let mut bytes = [0; (MAX_LANES + BLOCKS) * BLOCK];
        // Lane 0 has blocks that fulfill all conditions of a vector, and one that fulfills only the shared ones.
        let mut state = 20_u32;
        for word in bytes.as_chunks_mut::<4>().0 {
            // Marsaglia's xorshift.
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            *word = state.to_be_bytes();
        }
        let lanes = self.lanes();
        let mut data = [&bytes[..]; MAX_LANES];
        data.iter_mut().enumerate().for_each(|(l, data)| *data = &bytes[l * BLOCK + l..]);
        let mut suspects = [0; BLOCKS * MAX_LANES];
        // SAFETY: the CPU can run the kernel; every lane has `BLOCKS - 1` blocks and an entry for
        // each.
        unsafe { (self.functions.screen)(&data[..lanes], BLOCKS - 1, &mut suspects[..]) }
        let screens = suspects[..(BLOCKS - 1) * lanes].iter().enumerate().all(|(i, &suspects)| {
            let block = &data[i % lanes][i / lanes * BLOCK..][..BLOCK];
            suspects == sha1dc::left_alone(block.try_into().expect("a block"))
        });

        let (blocks, _) = bytes.as_chunks::<BLOCK>();
        let mut places = [const { MaybeUninit::uninit() }; MAX_LANES];
        let is_traced = self.functions.traced.is_none_or(|traced| {
            let (mut state, mut expected) =
                (<u32 as crate::words::Width>::iv(Algorithm::SHA1), Algorithm::SHA1.iv());
            // SAFETY: the CPU can run the kernel of one lane; there are more blocks, and as many traces.
            unsafe { traced(&mut state, blocks.as_flattened(), MAX_LANES, &mut places) };
            // SAFETY: the kernel has written all of them.
            let traces = unsafe { places.map(|place| place.assume_init()) };
            let is_right = blocks.iter().zip(&traces).all(|(block, trace)| {
                lanesum_spec::compress(Family::Sha1, &mut expected, block);
                trace.words == sha1dc::last_words(block)
                    && trace.left == sha1dc::left_alone(block)
                    && trace.state()[..5].iter().zip(&expected).all(|(&a, &b)| u64::from(a) == b)
            });
            is_right && state == traces[MAX_LANES - 1].state()
        });
        let words = |bytes: &[u8]| {
            let words = bytes.as_chunks().0;
            core::array::from_fn(|i| u32::from_be_bytes(words[i]))
        };
        let mut pairs = Pairs::none();
        for (l, data) in data[..lanes].iter().enumerate() {
            let states = [&words(&data[64..]), &words(&data[84..])];
            pairs.set(l, data, &sha1dc::VECTORS[l], states);
        }
        let apart = self.apart(&pairs);
        screens
            && is_traced
            && (0..lanes).all(|l| {
                let number = |bytes: &[u8; 4]| W32(u32::from_be_bytes(*bytes));
                let block = data[l].as_chunks().0;
                let difference = pairs.differences[l].as_chunks().0;
                let column = |columns: &[[u32; MAX_LANES]; 5]| columns.map(|c| W32(c[l]));
                let said = sha1dc::apart(
                    core::array::from_fn(|t| number(&block[t])),
                    &core::array::from_fn(|t| W32(u32::from_le_bytes(difference[t]))),
                    W32(pairs.late[l]),
                    column(&pairs.before),
                    column(&pairs.after),
                );
                apart.map(|words| words[l]) == said.map(|word| word.0)
            })
    }
}

impl<'b> Pairs<'b> {
    /// Returns lanes whose blocks are zeros.
    pub(crate) fn none() -> Self {
        Self {
            blocks: [&[0; BLOCK]; MAX_LANES],
            differences: [&sha1dc::VECTORS[0].difference; MAX_LANES],
            late: [0; MAX_LANES],
            before: [[0; MAX_LANES]; 5],
            after: [[0; MAX_LANES]; 5],
        }
    }

    /// Sets lane l to `block`, which leads from the first chaining value to the second, and to a vector.
    pub(crate) fn set(
        &mut self,
        l: usize,
        block: &'b [u8],
        vector: &'static sha1dc::Vector,
        [before, after]: [&[u32; 5]; 2],
    ) {
        self.blocks[l] = block;
        self.differences[l] = &vector.difference;
        self.late[l] = if vector.is_late { u32::MAX } else { 0 };
        self.before.iter_mut().zip(before).for_each(|(column, &word)| column[l] = word);
        self.after.iter_mut().zip(after).for_each(|(column, &word)| column[l] = word);
    }
}

#[cfg(test)]
mod tests {
    use std::vec;
    use std::vec::Vec;

    use super::*;

    #[test]
    fn every_kernel_screens_like_the_specification() {
        let mut state = 1_u64;
        let mut number = || {
            // Marsaglia's xorshift.
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state.to_le_bytes()
        };
        let blocks: Vec<[u8; BLOCK]> = (0..1000 * MAX_LANES)
            .map(|_| {
                let mut block = [0; BLOCK];
                block.as_chunks_mut().0.iter_mut().for_each(|bytes| *bytes = number());
                block
            })
            .collect();
        let fulfilled: Vec<u32> = blocks.iter().map(sha1dc::suspects_of).collect();
        assert!(fulfilled.iter().filter(|&&suspects| suspects != 0).count() > 1000);
        // The shared conditions leave few vectors, and every vector that all conditions leave.
        let left: Vec<u32> = blocks.iter().map(sha1dc::left_alone).collect();
        assert!(left.iter().zip(&fulfilled).all(|(left, all)| left & all == *all));
        assert!(left.iter().filter(|&&left| left != 0).count() < blocks.len() / 8);
        for watcher in Kernel::all().filter_map(Watcher::with) {
            let mut suspects = vec![0; blocks.len()];
            watcher.screen(blocks.iter(), &mut suspects);
            assert!(suspects == left, "{}", watcher.kernel);
        }
    }
}
