//! The kernel for one message, found once in a process: a call of it is a load, a
//! comparison and a jump.

use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

use lanesum_spec::Family;

use super::{Backend, Kernels, Select};

/// A kernel of one lane for a family, on a CPU that can run it.
#[derive(Clone, Copy)]
pub(crate) struct Single(&'static Kernels);

/// The kernels that were found, by family.
static FOUND: [AtomicPtr<Kernels>; Family::ALL.len()] =
    [const { AtomicPtr::new(null_mut()) }; Family::ALL.len()];

impl Single {
    /// The kernel that `choose` has chosen in this process before, or chooses now;
    /// none if that is of more lanes than one.
    #[inline]
    pub(crate) fn of(family: Family, choose: impl FnOnce() -> Backend) -> Option<Self> {
        let place = &FOUND[family as usize];
        // SAFETY: what is not null there has come from a `&'static` below, for
        // this family, and nobody writes through it.
        let found = unsafe { place.load(Ordering::Acquire).as_ref() };
        match found {
            Some(kernels) => Some(Self(kernels)),
            None => {
                let single = Self::with(choose(), family)?;
                place.store(core::ptr::from_ref(single.0).cast_mut(), Ordering::Release);
                Some(single)
            }
        }
    }

    /// The kernel that this backend has; none if it is of more lanes than one.
    ///
    /// # Panics
    ///
    /// If the backend has no kernel of the family.
    #[inline]
    pub(crate) fn with(backend: Backend, family: Family) -> Option<Self> {
        let job = backend.job(family).expect("a kernel of this family");
        (backend.lanes() == 1).then_some(Self(&job.kernels))
    }

    /// Compresses all of `blocks`, which is whole blocks, into `state`.
    ///
    /// # Panics
    ///
    /// If the family's words are of another width.
    #[inline]
    pub(crate) fn compress<I: Select>(self, state: &mut [I; 8], blocks: &[u8]) {
        let kernels = I::select(self.0).expect("a kernel of these words");
        let count = blocks.len() / (16 * I::BYTES);
        // SAFETY: a kernel that was chosen belongs to a backend, which the CPU can
        // run, of one lane; there are so many blocks, and all words of the state.
        unsafe { (kernels.compress)(state, 1, &[blocks], count) }
    }
}
