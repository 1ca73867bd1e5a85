//! Chaining values of all lanes.

use lanesum_spec::Family;

use crate::kernel::Kernel;

/// The most lanes that a kernel has.
pub(crate) const MAX_LANES: usize = 32;

#[derive(Clone)]
#[repr(align(64))]
pub(crate) struct Aligned<I>([I; 8 * MAX_LANES]);

/// Chaining values of all lanes, word-major: word i of lane l is at
/// `i * MAX_LANES + l`, so that one row is one vector register and lanes move
/// freely between kernels of different width.
///
/// Words are numbers, not bytes: the byte order of the family is undone when a
/// block is loaded and restored when a digest is written.
#[derive(Clone)]
#[allow(clippy::large_enum_variant, reason = "there is nothing to allocate from")]
pub(crate) enum State {
    W32(Aligned<u32>),
    W64(Aligned<u64>),
}

impl State {
    pub(crate) fn new(family: Family) -> Self {
        match family.word_bits() {
            32 => Self::W32(Aligned([0; 8 * MAX_LANES])),
            _ => Self::W64(Aligned([0; 8 * MAX_LANES])),
        }
    }

    /// Sets lane `l` to a chaining value, in the low bits of its words.
    pub(crate) fn set(&mut self, l: usize, iv: &[u64; 8]) {
        for (i, &word) in iv.iter().enumerate() {
            match self {
                Self::W32(words) => words.0[i * MAX_LANES + l] = word as u32,
                Self::W64(words) => words.0[i * MAX_LANES + l] = word,
            }
        }
    }

    /// The chaining value of lane `l`, in the low bits of its words.
    pub(crate) fn get(&self, l: usize) -> [u64; 8] {
        core::array::from_fn(|i| match self {
            Self::W32(words) => words.0[i * MAX_LANES + l].into(),
            Self::W64(words) => words.0[i * MAX_LANES + l],
        })
    }

    /// Overwrites all of it.
    pub(crate) fn wipe(&mut self) {
        (0..MAX_LANES).for_each(|l| self.set(l, &[0; 8]));
        zeroize::optimization_barrier(self);
    }

    /// Compresses the first `blocks` blocks of `data[l]` into lane `first + l`.
    ///
    /// # Panics
    ///
    /// If the kernel has more lanes than there are from `first` on, or as
    /// [`Kernel::compress`].
    pub(crate) fn compress(
        &mut self,
        kernel: Kernel,
        family: Family,
        first: usize,
        data: &[&[u8]],
        blocks: usize,
    ) {
        assert!(first + kernel.lanes() <= MAX_LANES, "all of the kernel's lanes are there");
        match self {
            Self::W32(words) => {
                kernel.compress(family, &mut words.0[first..], MAX_LANES, data, blocks);
            }
            Self::W64(words) => {
                kernel.compress(family, &mut words.0[first..], MAX_LANES, data, blocks);
            }
        }
    }
}
