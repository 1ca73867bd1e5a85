//! The kernel for one message, found once in a process: a call of it is a load, a
//! comparison and a jump.

use core::sync::atomic::Ordering;

use lanesum_spec::Family;

use super::{Functions, FunctionsOf, Half, Kernel, Link, Rest, Select};

/// A kernel of one lane for a family, on a CPU that can run it.
pub(crate) struct Single<I: 'static> {
    functions: &'static FunctionsOf<I>,
    state_words: usize,
}

/// The same for who holds it, and knows the width of its words when he calls it.
#[derive(Clone, Copy)]
pub(crate) struct AnySingle(&'static Functions);

impl<I: Select> Single<I> {
    /// The automatic kernel, kept for the whole process: `choose` says which it is if nobody has
    /// asked before. None if that is of more lanes than one.
    #[inline]
    pub(crate) fn kept(family: Family, choose: impl FnOnce() -> Kernel) -> Option<Self> {
        let place = &I::kept()[family as usize];
        // SAFETY: what is not null there has come from a `&'static` below, for
        // this family, and nobody writes through it.
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

    /// What this kernel has for the family; nothing if it is of more lanes than one.
    ///
    /// # Panics
    ///
    /// If it has not the family with these words.
    #[inline]
    pub(crate) fn with(kernel: Kernel, family: Family) -> Option<Self> {
        (kernel.lanes() == 1).then(|| Self {
            functions: kernel.functions::<I>(family),
            state_words: family.state_words(),
        })
    }

    /// Compresses all of `blocks`, which is whole blocks, into `state`.
    #[inline]
    pub(crate) fn compress(&self, state: &mut [I; 8], blocks: &[u8]) {
        let count = blocks.len() / (16 * I::BYTES);
        let state = &mut state[..self.state_words];
        // SAFETY: the functions are those of a kernel, which the CPU can run, of one
        // lane; there are so many blocks, and all words of the state.
        unsafe { (self.functions.compress)(state, 1, &[blocks], count) }
    }

    /// Compresses all of `message` and its padding into `state`, which `before` bytes, whole blocks,
    /// have come to. False if the kernel does not pad by itself: nothing is done then.
    #[inline]
    pub(crate) fn finish(&self, state: &mut [I; 8], message: &[u8], before: u64) -> bool {
        let Some(finish) = self.functions.finish else { return false };
        let state = &mut state[..self.state_words];
        // SAFETY: as above; any number of bytes is a message.
        unsafe { finish(state, 1, &[message], Rest { before, last: None }) };
        true
    }

    /// Makes of `words`, the last chaining value of HMAC's inner hash, that of the outer one, which goes on
    /// from `outer`.
    #[inline]
    pub(crate) fn outer(&self, words: &mut [I; 8], outer: &[I; 8], link: &Link<I>) {
        let (len, mut sum) = (self.state_words, [I::ZERO; 8]);
        let (chains, half) = ([&outer[..len]; 2], Half::Outer as usize);
        let (words, sum) = (&mut words[..len], &mut sum[..len]);
        // SAFETY: as above.
        unsafe { (self.functions.iterate)(chains, link, words, sum, 1, (half, 1)) }
    }
}

impl AnySingle {
    /// What this kernel has for the family; nothing if it is of more lanes than one.
    ///
    /// # Panics
    ///
    /// If it has not the family.
    pub(crate) fn with(kernel: Kernel, family: Family) -> Option<Self> {
        let job = kernel.job(family).expect("a kernel of this family");
        (kernel.lanes() == 1).then_some(Self(&job.functions))
    }

    /// Whether it is the automatic kernel, and that is known.
    ///
    /// # Panics
    ///
    /// If the kernel is of words of another width.
    #[inline]
    pub(crate) fn is_kept<I: Select>(self, family: Family) -> bool {
        let kept = I::kept()[family as usize].load(Ordering::Relaxed);
        core::ptr::eq(kept, self.of_words::<I>().functions)
    }

    /// Compresses all of `blocks`, which is whole blocks, into `state`.
    ///
    /// # Panics
    ///
    /// If the kernel is of words of another width.
    #[inline]
    pub(crate) fn compress<I: Select>(self, state: &mut [I; 8], blocks: &[u8]) {
        self.of_words::<I>().compress(state, blocks);
    }

    /// Compresses all of `message` and its padding into `state`, as [`Single::finish`].
    ///
    /// # Panics
    ///
    /// If the kernel is of words of another width.
    #[inline]
    pub(crate) fn finish<I: Select>(self, state: &mut [I; 8], message: &[u8], before: u64) -> bool {
        self.of_words::<I>().finish(state, message, before)
    }

    /// The outer hash of HMAC, as [`Single::outer`].
    ///
    /// # Panics
    ///
    /// If the kernel is of words of another width.
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
