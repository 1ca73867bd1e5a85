//! What kernels have for words of each width.

use super::{Functions, FunctionsOf, single};
use crate::words::Width;

/// Words that kernels are made for.
pub(crate) trait Select: Width {
    /// The functions, if they are of these words.
    fn select(functions: &Functions) -> Option<&FunctionsOf<Self>>;

    /// Where the kernels for one message are kept once they are found.
    fn kept() -> &'static single::Kept<Self>;
}

impl Select for u32 {
    fn select(functions: &Functions) -> Option<&FunctionsOf<Self>> {
        if let Functions::W32(functions) = functions { Some(functions) } else { None }
    }

    fn kept() -> &'static single::Kept<Self> {
        &single::KEPT32
    }
}

impl Select for u64 {
    fn select(functions: &Functions) -> Option<&FunctionsOf<Self>> {
        if let Functions::W64(functions) = functions { Some(functions) } else { None }
    }

    fn kept() -> &'static single::Kept<Self> {
        &single::KEPT64
    }
}
