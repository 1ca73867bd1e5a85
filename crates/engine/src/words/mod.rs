//! Words of messages and of chaining values, and the bytes that they are: what kernels and all
//! that calls them have in common. Nothing here knows a kernel.

mod blocks;
mod columns;
#[allow(unsafe_code)]
mod padding;

pub use self::blocks::fill;
pub(crate) use self::columns::{MAX_LANES, State};
pub(crate) use self::padding::{pad, sixteen};
