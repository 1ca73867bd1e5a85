//! Results that a process computes once for each family, under the automatic policy.

#[cfg(feature = "std")]
use core::sync::atomic::AtomicBool;

use lanesum_spec::{Expanded, Family};

use super::learned::Learned;
use super::plan::Plan;
#[cfg(feature = "std")]
use crate::base::{FirstUse, Found};
#[cfg(not(feature = "std"))]
use crate::kernel::KernelCell;
use crate::kernel::{Kernel, One, Watcher};
#[cfg(feature = "std")]
use crate::words::AnyExpanded;
use crate::words::Width;

/// The cached results for a family. Each is computed on first use.
pub(super) struct PerFamily {
    /// The kernel for one message.
    #[cfg(feature = "std")]
    one: FirstUse<One>,
    #[cfg(not(feature = "std"))]
    one: KernelCell,
    /// The kernels that screen for blocks of collision attacks.
    #[cfg(feature = "std")]
    screening: FirstUse<Watcher>,
    #[cfg(not(feature = "std"))]
    screening: KernelCell,
    #[cfg(feature = "std")]
    plan: FirstUse<Plan>,
    /// The expanded second block of a message of exactly one block, which is only padding.
    #[cfg(feature = "std")]
    padding_block: FirstUse<AnyExpanded>,
    #[cfg(feature = "std")]
    learned: Learned,
    /// Whether the environment is known to be valid.
    #[cfg(feature = "std")]
    pub(super) is_checked: AtomicBool,
}

impl PerFamily {
    const fn new() -> Self {
        Self {
            #[cfg(feature = "std")]
            one: FirstUse::new(),
            #[cfg(not(feature = "std"))]
            one: KernelCell::new(),
            #[cfg(feature = "std")]
            screening: FirstUse::new(),
            #[cfg(not(feature = "std"))]
            screening: KernelCell::new(),
            #[cfg(feature = "std")]
            plan: FirstUse::new(),
            #[cfg(feature = "std")]
            padding_block: FirstUse::new(),
            #[cfg(feature = "std")]
            learned: Learned::new(),
            #[cfg(feature = "std")]
            is_checked: AtomicBool::new(false),
        }
    }

    #[inline]
    pub(super) fn of(family: Family) -> &'static Self {
        static RECORDS: [PerFamily; Family::ALL.len()] = [const { PerFamily::new() }; _];
        &RECORDS[family as usize]
    }

    /// Returns the kernel for one message of `family`, selected by `select` on first use.
    #[inline]
    pub(super) fn one(&'static self, family: Family, select: impl FnOnce() -> Kernel) -> One {
        #[cfg(feature = "std")]
        return *self.one.get_or(|| One::new(select(), family));
        #[cfg(not(feature = "std"))]
        One::new(self.one.get_or(select), family)
    }

    /// Returns the best kernel with SHA-1 collision detection, selected by `select` on first use, with the
    /// kernel for one message.
    #[inline]
    pub(super) fn watcher(
        &'static self,
        one: impl FnOnce() -> One,
        select: impl FnOnce() -> Watcher,
    ) -> Watcher {
        #[cfg(feature = "std")]
        return *self.screening.get_or(|| select().with_one(one()));
        #[cfg(not(feature = "std"))]
        {
            let kernel = self.screening.get_or(|| select().kernel);
            Watcher::with(kernel).expect("a kernel that screens").with_one(one())
        }
    }

    /// Returns the plan, cached if feature `std` is enabled, or else computed by `compute`.
    #[cfg(feature = "std")]
    pub(super) fn plan(&'static self, compute: impl FnOnce() -> Plan) -> Found<Plan> {
        self.plan.get_or(compute)
    }

    #[cfg(not(feature = "std"))]
    pub(super) fn plan(&self, compute: impl FnOnce() -> Plan) -> Own {
        Own(compute())
    }

    /// Returns the expanded second block of a message of exactly one block; `None` while another thread
    /// stores it, and without `std`.
    #[cfg_attr(not(feature = "std"), expect(unused_variables))]
    #[inline]
    fn padding_block<I: Width>(&'static self, family: Family) -> Option<&'static Expanded<I>> {
        #[cfg(feature = "std")]
        {
            if self.padding_block.get().is_none() {
                self.expand_padding_block(family);
            }
            self.padding_block.get().map(I::expanded)
        }
        #[cfg(not(feature = "std"))]
        None
    }

    #[cfg(feature = "std")]
    #[cold]
    #[inline(never)]
    fn expand_padding_block(&'static self, family: Family) {
        self.padding_block.get_or(|| AnyExpanded::new(family, 0, family.block_len() as u64));
    }

    /// The results of timing long runs; `None` without a clock.
    #[inline]
    pub(super) fn learned(&'static self) -> Option<&'static Learned> {
        #[cfg(feature = "std")]
        return Some(&self.learned);
        #[cfg(not(feature = "std"))]
        None
    }
}

/// Returns the cached expanded last block of messages of `len` bytes if that is exactly one block, as in
/// nodes of Merkle trees.
#[inline]
pub(crate) fn padding_block<I: Width>(family: Family, len: usize) -> Option<&'static Expanded<I>> {
    if len == family.block_len() { PerFamily::of(family).padding_block(family) } else { None }
}

/// A plan computed for one call, because there is no cache without `std`.
#[cfg(not(feature = "std"))]
pub(super) struct Own(Plan);

#[cfg(not(feature = "std"))]
impl core::ops::Deref for Own {
    type Target = Plan;

    fn deref(&self) -> &Plan {
        &self.0
    }
}
