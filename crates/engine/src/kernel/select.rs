//! What kernels have for words of each width.

use core::ptr::null_mut;
use core::sync::atomic::AtomicPtr;

use lanesum_spec::Family;

use super::{Functions, FunctionsOf};
use crate::words::Width;

/// The functions of the automatic kernel for one message, by family; null until they are found.
type Kept<I> = [AtomicPtr<FunctionsOf<I>>; Family::ALL.len()];

const fn none<I>() -> Kept<I> {
    [const { AtomicPtr::new(null_mut()) }; Family::ALL.len()]
}

/// Words that kernels are made for.
pub(crate) trait Select: Width {
    /// The functions, if they are of these words.
    fn select(functions: &Functions) -> Option<&FunctionsOf<Self>>;

    /// The kernels for one message that were found in this process.
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
