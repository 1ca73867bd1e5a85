//! Kernels from the graph: shaped, put in order, given registers, written as text.
//!
//! [`shape`](shape::shape) makes the chain from round to round short;
//! [`Operations`](order::Operations) says in which order; [`allocate`](mod@allocate) gives
//! registers; [`Kernel`] puts entry and loop around it. What instructions do is
//! in one table, [`semantics`], by which the text that comes out is proven again.

pub mod allocate;
pub mod generated;
mod i686;
pub mod instruction;
pub mod kernel;
pub mod listing;
pub mod order;
pub mod semantics;
pub mod shape;

pub use generated::{EmitError, emit};
pub use kernel::{Isa, Kernel, Target};
pub use listing::Listing;
pub use shape::Words;
