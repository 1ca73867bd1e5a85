//! Kernels from the graph: shaped, put in order, given registers, written as text.
//!
//! [`shape`](shape::shape) makes the chain from round to round short;
//! [`Operations`](order::Operations) says in which order; [`allocate`](mod@allocate) gives
//! registers; [`Kernel`] puts entry and loop around it. What comes out is a text and no more: what
//! it does is for [`prove`](crate::prove) to say.

pub mod allocate;
pub mod generated;
mod i686;
pub mod instruction;
pub mod kernel;
pub mod listing;
pub mod order;
pub mod shape;
pub mod target;

pub use generated::{EmitError, emit};
pub use kernel::{Homes, Kernel};
pub use listing::Listing;
pub use shape::WordSource;
pub use target::{Isa, Target};
