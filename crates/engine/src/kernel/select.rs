//! Access to kernel functions and the single-message cache by word width.

use core::ptr::null_mut;
use core::sync::atomic::AtomicPtr;

use lanesum_spec::Family;

use super::{Functions, FunctionsOf};
use crate::words::Width;

/// The cached automatic kernel for one message, by family; null until selected.
type Kept<I> = [AtomicPtr<FunctionsOf<I>>; Family::ALL.len()];

const fn none<I>() -> Kept<I> {
    [const { AtomicPtr::new(null_mut()) }; Family::ALL.len()]
}

/// Words that kernels operate on.
pub(crate) trait Select: Width {
    /// Returns the functions if they operate on these words.
    fn select(functions: &Functions) -> Option<&FunctionsOf<Self>>;

    /// The process-wide cache of kernels for one message.
    fn kept() -> &'static Kept<Self>;
}

impl Select for u32 {
    fn select(functions: &Functions) -> Option<&FunctionsOf<Self>> {
        if let Functions::W32(functions) = functions { Some(functions) } else { None }
    }

    fn kept() -> &'static Kept<Self> {
        static KEPT: Kept<u32> = none();
        &KEPT
    }
}

impl Select for u64 {
    fn select(functions: &Functions) -> Option<&FunctionsOf<Self>> {
        if let Functions::W64(functions) = functions { Some(functions) } else { None }
    }

    fn kept() -> &'static Kept<Self> {
        static KEPT: Kept<u64> = none();
        &KEPT
    }
}
