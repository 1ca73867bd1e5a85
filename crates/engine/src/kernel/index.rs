//! Kernels by their index in the table. As a [`Kernel`], an index or a member of a set is a kernel that this CPU can
//! run.

#[cfg(not(feature = "std"))]
use core::sync::atomic::{AtomicU8, Ordering};

use super::Kernel;
use super::table::{KERNEL_COUNT, KERNELS};

/// A kernel in one byte.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct KernelIndex(u8);

impl From<Kernel> for KernelIndex {
    #[inline]
    fn from(kernel: Kernel) -> Self {
        const { assert!(KERNEL_COUNT < 256) };
        Self(kernel.index() as u8)
    }
}

impl From<KernelIndex> for Kernel {
    #[inline]
    fn from(index: KernelIndex) -> Self {
        Self(&KERNELS[usize::from(index.0)])
    }
}

/// A set of kernels.
#[derive(Clone, Copy, Default)]
pub(crate) struct KernelSet(u64);

impl KernelSet {
    pub(crate) fn insert(&mut self, kernel: Kernel) {
        const { assert!(KERNEL_COUNT <= 64, "a bit for each kernel") };
        self.0 |= 1 << kernel.index();
    }

    pub(crate) fn contains(self, kernel: Kernel) -> bool {
        self.0 >> kernel.index() & 1 == 1
    }

    /// Returns the kernels, widest first.
    pub(crate) fn iter(self) -> impl Iterator<Item = Kernel> {
        let all = KERNELS.iter().enumerate();
        all.filter(move |&(index, _)| self.0 >> index & 1 == 1).map(|(_, entry)| Kernel(entry))
    }
}

/// A kernel selected on first use. Threads that race select the same one.
#[cfg(not(feature = "std"))]
pub(crate) struct KernelCell(AtomicU8);

#[cfg(not(feature = "std"))]
impl KernelCell {
    pub(crate) const fn new() -> Self {
        Self(AtomicU8::new(0))
    }

    /// Returns the kernel, selected by `select` on first use.
    #[inline]
    pub(crate) fn get_or(&self, select: impl FnOnce() -> Kernel) -> Kernel {
        // The index plus one; 0: not yet selected.
        if let Some(index) = self.0.load(Ordering::Relaxed).checked_sub(1) {
            return KernelIndex(index).into();
        }
        let kernel = select();
        self.0.store(KernelIndex::from(kernel).0 + 1, Ordering::Relaxed);
        kernel
    }
}
