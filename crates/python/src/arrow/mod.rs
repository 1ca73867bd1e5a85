//! Arrow columns from any library with the PyCapsule interface.

mod capsules;
mod cells;
mod column;
mod digests;
mod input;
mod memory;
mod rows;
mod source;

pub(crate) use self::column::{Column, Values};
pub(crate) use self::digests::digests;
pub(crate) use self::input::{Input, is_arrow};
pub(crate) use self::rows::digests as row_digests;
