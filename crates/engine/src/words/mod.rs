//! Words of messages and of chaining values, and the bytes that they are: what kernels and all
//! that calls them have in common. Nothing here knows a kernel.

mod blocks;
mod bytes;
mod columns;
#[allow(unsafe_code)]
mod padding;
mod width;

pub use self::blocks::fill;
pub(crate) use self::bytes::{bytes, read};
pub(crate) use self::columns::{Columns, MAX_LANES, State};
pub(crate) use self::padding::pad;
pub(crate) use self::width::{Width, block_len, by_width};
