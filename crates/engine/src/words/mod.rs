//! The words of messages and chaining values, and their bytes: shared by kernels and their callers,
//! and independent of any kernel.

mod blocks;
#[allow(unsafe_code)]
mod bytes;
mod columns;
mod padding;
mod width;

pub use self::blocks::fill;
pub(crate) use self::blocks::{blocks, readable};
pub(crate) use self::bytes::{bytes, read};
pub(crate) use self::columns::{Columns, MAX_LANES, State};
pub use self::padding::pad;
pub(crate) use self::padding::{fill_padded, padded_blocks};
#[cfg(feature = "std")]
pub(crate) use self::width::AnyExpanded;
pub(crate) use self::width::{Width, block_len, by_width, expand_end};
