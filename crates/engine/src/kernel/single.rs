//! The kernel for one message, found once in a process: a call of it is a load, a
//! comparison and a jump.

use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

use lanesum_spec::Family;

use super::{Backend, Kernels, KernelsOf, Select};

/// A kernel of one lane for a family, on a CPU that can run it.
pub(crate) struct Single<I: 'static> {
    kernels: &'static KernelsOf<I>,
    state_words: usize,
}

/// The same for who holds it, and knows the width of its words when he calls it.
#[derive(Clone, Copy)]
pub(crate) struct Held(&'static Kernels);

/// Where kernels that were found are kept, by family.
pub(crate) type Found<I> = [AtomicPtr<KernelsOf<I>>; Family::ALL.len()];

/// Nothing found yet.
pub(crate) const fn none<I>() -> Found<I> {
    [const { AtomicPtr::new(null_mut()) }; Family::ALL.len()]
}

impl<I: Select> Single<I> {
    /// The kernel that `choose` has chosen in this process before, or chooses now;
    /// none if that is of more lanes than one.
    #[inline]
    pub(crate) fn of(family: Family, choose: impl FnOnce() -> Backend) -> Option<Self> {
        let place = &I::found()[family as usize];
        // SAFETY: what is not null there has come from a `&'static` below, for
        // this family, and nobody writes through it.
        let found = unsafe { place.load(Ordering::Acquire).as_ref() };
        let kernels = match found {
            Some(kernels) => kernels,
            None => {
                let kernels = Self::with(choose(), family)?.kernels;
                place.store(core::ptr::from_ref(kernels).cast_mut(), Ordering::Release);
                kernels
            }
        };
        Some(Self { kernels, state_words: family.state_words() })
    }

    /// The kernel that this backend has; none if it is of more lanes than one.
    ///
    /// # Panics
    ///
    /// If the backend has no kernel of the family with these words.
    #[inline]
    pub(crate) fn with(backend: Backend, family: Family) -> Option<Self> {
        (backend.lanes() == 1).then(|| Self {
            kernels: backend.kernels::<I>(family),
            state_words: family.state_words(),
        })
    }

    /// Compresses all of `blocks`, which is whole blocks, into `state`.
    #[inline]
    pub(crate) fn compress(&self, state: &mut [I; 8], blocks: &[u8]) {
        let count = blocks.len() / (16 * I::BYTES);
        let state = &mut state[..self.state_words];
        // SAFETY: a kernel that was chosen belongs to a backend, which the CPU can
        // run, of one lane; there are so many blocks, and all words of the state.
        unsafe { (self.kernels.compress)(state, 1, &[blocks], count) }
    }
}

impl Held {
    /// The kernel that this backend has; none if it is of more lanes than one.
    ///
    /// # Panics
    ///
    /// If the backend has no kernel of the family.
    pub(crate) fn with(backend: Backend, family: Family) -> Option<Self> {
        let job = backend.job(family).expect("a kernel of this family");
        (backend.lanes() == 1).then_some(Self(&job.kernels))
    }

    /// Compresses all of `blocks`, which is whole blocks, into `state`.
    ///
    /// # Panics
    ///
    /// If the kernel is of words of another width.
    #[inline]
    pub(crate) fn compress<I: Select>(self, state: &mut [I; 8], blocks: &[u8]) {
        let kernels = I::select(self.0).expect("a kernel of these words");
        Single { kernels, state_words: state.len() }.compress(state, blocks);
    }
}

/// Where kernels of 32-bit words are kept.
pub(super) static FOUND32: Found<u32> = none();
/// Where kernels of 64-bit words are kept.
pub(super) static FOUND64: Found<u64> = none();
