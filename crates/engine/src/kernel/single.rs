//! The kernel for single messages.

use lanesum_spec::Family;

use super::{Functions, FunctionsOf, Half, Kernel, KernelWord, Link, Rest};

/// The functions of a one-lane kernel for a family, on a CPU that can run it. Every method panics if the
/// kernel's words have another width.
#[derive(Clone, Copy)]
pub(crate) struct Single(&'static Functions);

impl Single {
    /// Returns the kernel's functions for `family`, or `None` if it has several lanes.
    ///
    /// # Panics
    ///
    /// If the kernel does not implement `family`.
    #[inline]
    pub(crate) fn with(kernel: Kernel, family: Family) -> Option<Self> {
        let job = kernel.job(family).expect("a kernel of this family");
        (kernel.lanes() == 1).then_some(Self(&job.functions))
    }

    /// Compresses `blocks`, a whole number of blocks, into `state`.
    #[inline]
    pub(crate) fn compress<I: KernelWord>(self, state: &mut [I; 8], blocks: &[u8]) {
        let count = blocks.len() / (16 * I::BYTES);
        // SAFETY: the functions belong to a one-lane kernel that the CPU can run; `blocks` has
        // `count` blocks, and `state` all words.
        unsafe { (self.functions::<I>().compress)(state, 1, &[blocks], count) }
    }

    /// Compresses all of `message` and its padding into `state`, the chaining value after `before`
    /// bytes of whole blocks.
    #[inline]
    pub(crate) fn finish<I: KernelWord>(self, state: &mut [I; 8], message: &[u8], before: u64) {
        let rest = Rest { before, last: None };
        // SAFETY: the functions belong to a one-lane kernel that the CPU can run; `state` has all
        // words, and a message may have any length.
        unsafe { (self.functions::<I>().finish)(state, 1, &[message], rest) };
    }

    /// Replaces `words`, the final chaining value of HMAC's inner hash, with that of the outer
    /// hash, which starts from `outer`.
    #[inline]
    pub(crate) fn outer<I: KernelWord>(self, words: &mut [I; 8], outer: &[I; 8], link: &Link<I>) {
        let (sum, half) = (&mut [I::ZERO; 8], Half::Outer as usize);
        // SAFETY: the functions belong to a one-lane kernel that the CPU can run; every slice has
        // all words.
        unsafe { (self.functions::<I>().iterate)([outer; 2], link, words, sum, 1, (half, 1)) }
    }

    #[inline]
    fn functions<I: KernelWord>(self) -> &'static FunctionsOf<I> {
        I::select(self.0).expect("a kernel of these words")
    }
}
