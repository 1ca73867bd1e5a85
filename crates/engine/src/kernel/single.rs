//! The kernel for single messages, selected once per process: calling it costs a load, a comparison
//! and a jump.

use core::sync::atomic::Ordering;

use lanesum_spec::Family;

use super::{Functions, FunctionsOf, Half, Kernel, Link, Rest, Select};

/// The functions of a one-lane kernel for a family, on a CPU that can run it.
pub(crate) struct Single<I: 'static> {
    functions: &'static FunctionsOf<I>,
    state_words: usize,
}

/// The functions of a one-lane kernel; each call names the word width.
#[derive(Clone, Copy)]
pub(crate) struct AnySingle(&'static Functions);

impl<I: Select> Single<I> {
    /// Returns the automatic kernel, cached for the whole process. Calls `choose` if the cache is
    /// empty; returns `None` if that kernel has several lanes.
    #[inline]
    pub(crate) fn kept(family: Family, choose: impl FnOnce() -> Kernel) -> Option<Self> {
        let place = &I::kept()[family as usize];
        // SAFETY: a non-null pointer was stored below from a `&'static` of this family, and is
        // never written through.
        let found = unsafe { place.load(Ordering::Acquire).as_ref() };
        let functions = match found {
            Some(functions) => functions,
            None => {
                let functions = Self::with(choose(), family)?.functions;
                place.store(core::ptr::from_ref(functions).cast_mut(), Ordering::Release);
                functions
            }
        };
        Some(Self { functions, state_words: family.state_words() })
    }

    /// Returns the kernel's functions for `family`, or `None` if it has several lanes.
    ///
    /// # Panics
    ///
    /// If the kernel does not implement `family` with words `I`.
    #[inline]
    pub(crate) fn with(kernel: Kernel, family: Family) -> Option<Self> {
        (kernel.lanes() == 1).then(|| Self {
            functions: kernel.functions::<I>(family),
            state_words: family.state_words(),
        })
    }

    /// Compresses `blocks`, a whole number of blocks, into `state`.
    #[inline]
    pub(crate) fn compress(&self, state: &mut [I; 8], blocks: &[u8]) {
        let count = blocks.len() / (16 * I::BYTES);
        let state = &mut state[..self.state_words];
        // SAFETY: the functions belong to a one-lane kernel that the CPU can run; `blocks` has
        // `count` blocks, and `state` all words.
        unsafe { (self.functions.compress)(state, 1, &[blocks], count) }
    }

    /// Compresses all of `message` and its padding into `state`, the chaining value after `before`
    /// bytes of whole blocks.
    #[inline]
    pub(crate) fn finish(&self, state: &mut [I; 8], message: &[u8], before: u64) {
        let state = &mut state[..self.state_words];
        // SAFETY: the functions belong to a one-lane kernel that the CPU can run; `state` has all
        // words, and a message may have any length.
        unsafe { (self.functions.finish)(state, 1, &[message], Rest { before, last: None }) };
    }

    /// Replaces `words`, the final chaining value of HMAC's inner hash, with that of the outer
    /// hash, which starts from `outer`.
    #[inline]
    pub(crate) fn outer(&self, words: &mut [I; 8], outer: &[I; 8], link: &Link<I>) {
        let (len, mut sum) = (self.state_words, [I::ZERO; 8]);
        let (chains, half) = ([&outer[..len]; 2], Half::Outer as usize);
        let (words, sum) = (&mut words[..len], &mut sum[..len]);
        // SAFETY: the functions belong to a one-lane kernel that the CPU can run; every slice has
        // `len` words.
        unsafe { (self.functions.iterate)(chains, link, words, sum, 1, (half, 1)) }
    }
}

impl AnySingle {
    /// Returns the kernel's functions for `family`, or `None` if it has several lanes.
    ///
    /// # Panics
    ///
    /// If the kernel does not implement `family`.
    pub(crate) fn with(kernel: Kernel, family: Family) -> Option<Self> {
        let job = kernel.job(family).expect("a kernel of this family");
        (kernel.lanes() == 1).then_some(Self(&job.functions))
    }

    /// Whether this is the cached automatic kernel.
    ///
    /// # Panics
    ///
    /// If the kernel's words have another width.
    #[inline]
    pub(crate) fn is_kept<I: Select>(self, family: Family) -> bool {
        let kept = I::kept()[family as usize].load(Ordering::Relaxed);
        core::ptr::eq(kept, self.of_words::<I>().functions)
    }

    /// Compresses `blocks`, a whole number of blocks, into `state`.
    ///
    /// # Panics
    ///
    /// If the kernel's words have another width.
    #[inline]
    pub(crate) fn compress<I: Select>(self, state: &mut [I; 8], blocks: &[u8]) {
        self.of_words::<I>().compress(state, blocks);
    }

    /// Compresses all of `message` and its padding into `state`; see [`Single::finish`].
    ///
    /// # Panics
    ///
    /// If the kernel's words have another width.
    #[inline]
    pub(crate) fn finish<I: Select>(self, state: &mut [I; 8], message: &[u8], before: u64) {
        self.of_words::<I>().finish(state, message, before);
    }

    /// Finishes HMAC with its outer hash; see [`Single::outer`].
    ///
    /// # Panics
    ///
    /// If the kernel's words have another width.
    #[inline]
    pub(crate) fn outer<I: Select>(self, words: &mut [I; 8], outer: &[I; 8], link: &Link<I>) {
        self.of_words::<I>().outer(words, outer, link);
    }

    #[inline]
    fn of_words<I: Select>(self) -> Single<I> {
        let functions = I::select(self.0).expect("a kernel of these words");
        Single { functions, state_words: 8 }
    }
}
