//! The kernel for one message.

use lanesum_spec::Family;

use super::entry::FamilyEntry;
use super::iterate::Iterations;
use super::{Ending, FunctionsOf, Half, Kernel, KernelWord, Link};
use crate::words::{Columns, MAX_LANES};

/// A kernel for one message of a family, looked up once rather than per call. Every method panics if the family's words
/// have another width.
// Two pointers, so that it is passed in registers.
#[derive(Clone, Copy)]
pub(crate) struct One {
    kernel: Kernel,
    entry: &'static FamilyEntry,
}

impl One {
    /// Looks up the kernel's functions.
    ///
    /// # Panics
    ///
    /// If the kernel does not implement `family`.
    #[inline]
    pub(crate) fn new(kernel: Kernel, family: Family) -> Self {
        Self { kernel, entry: kernel.entry(family).expect("a kernel of this family") }
    }

    /// The kernel.
    #[inline]
    pub(crate) fn kernel(self) -> Kernel {
        self.kernel
    }

    /// Whether the kernel has one lane, unlike one that a policy forces.
    #[inline]
    pub(crate) fn is_single(self) -> bool {
        self.kernel.lanes() == 1
    }

    /// Whether the kernel has one lane and computes HMAC's outer hash faster by [`outer`](Self::outer) than by
    /// [`finish`](Self::finish).
    #[inline]
    pub(crate) fn has_fast_loop(self) -> bool {
        self.is_single() && self.kernel.has_fast_loop()
    }

    /// Compresses `blocks`, a whole number of blocks, into `state`.
    #[inline]
    pub(crate) fn compress<I: KernelWord>(self, state: &mut [I; 8], blocks: &[u8]) {
        let Some(functions) = self.functions::<I>() else {
            return self.in_lanes(state, blocks, None);
        };
        let count = blocks.len() / (16 * I::BYTES);
        // SAFETY: the functions belong to a one-lane kernel that the CPU can run; `blocks` has
        // `count` blocks, and `state` all words.
        unsafe { (functions.compress)(state, 1, &[blocks], count) }
    }

    /// Compresses all of `message` and its padding into `state`, the chaining value before it.
    #[inline]
    pub(crate) fn finish<I: KernelWord>(
        self,
        state: &mut [I; 8],
        message: &[u8],
        ending: Ending<'_, I>,
    ) {
        let Some(functions) = self.functions::<I>() else {
            return self.in_lanes(state, message, Some(ending));
        };
        // SAFETY: the functions belong to a one-lane kernel that the CPU can run; `state` has all
        // words, and a message may have any length.
        unsafe { (functions.finish)(state, 1, &[message], ending) };
    }

    /// Returns the digest of a message whose rest is one block, as [`Kernel::digest_blocks`] does, if the kernel has one
    /// lane and a function for it.
    ///
    /// # Panics
    ///
    /// If the rest is not one block long, unless there is no such function.
    #[inline]
    pub(crate) fn digest_block<I: KernelWord>(
        self,
        iv: &[I; 8],
        message: &[u8],
        ending: Ending<'_, I>,
    ) -> Option<I::Row> {
        let digest_blocks = self.functions::<I>()?.digest_blocks?;
        assert!(ending.are_one_block(self.entry.family, &[message]));
        let mut digest = [I::BLANK];
        // SAFETY: the function belongs to a one-lane kernel that the CPU can run; the rest of the message is
        // one block, and `digest` has an entry.
        unsafe { digest_blocks(iv, &[message], ending, &mut digest) };
        Some(digest[0])
    }

    /// Replaces `words`, the final chaining value of HMAC's inner hash, with that of the outer
    /// hash, which starts from `outer`.
    ///
    /// # Panics
    ///
    /// If the kernel has several lanes.
    #[inline]
    pub(crate) fn outer<I: KernelWord>(self, words: &mut [I; 8], outer: &[I; 8], link: &Link<I>) {
        let functions = self.functions::<I>().expect("a kernel of one lane");
        let sum = &mut [I::ZERO; 8];
        let iterations = Iterations { first_hash: Half::Outer as usize, count: 1 };
        // SAFETY: the functions belong to a one-lane kernel that the CPU can run; every slice has
        // all words.
        unsafe { (functions.iterate)([outer; 2], link, words, sum, 1, iterations) }
    }

    #[inline]
    fn functions<I: KernelWord>(self) -> Option<&'static FunctionsOf<I>> {
        let functions = || I::select(&self.entry.functions).expect("a kernel of these words");
        self.is_single().then(functions)
    }

    /// Compresses `data` on a multi-lane kernel with the same input in every lane: whole blocks, or
    /// the rest of a message with its padding. Not inlined, because it uses some
    /// KiB of stack.
    #[cold]
    #[inline(never)]
    fn in_lanes<I: KernelWord>(
        self,
        words: &mut [I; 8],
        data: &[u8],
        ending: Option<Ending<'_, I>>,
    ) {
        let (family, lanes) = (self.entry.family, self.kernel.lanes());
        let blocks = data.len() >> family.block_len().trailing_zeros();
        let mut state = Columns::<I>::new();
        state.fill(lanes, words);
        let (to, data) = (state.words_mut(0), &[data; MAX_LANES][..lanes]);
        match ending {
            None => self.kernel.compress(family, to, MAX_LANES, data, blocks),
            Some(ending) => self.kernel.finish(family, to, MAX_LANES, data, ending),
        }
        *words = state.lane(0);
    }
}
