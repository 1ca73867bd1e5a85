//! Generates kernels from the graph.
//!
//! [`shape`](shape::shape) shortens the chain from round to round;
//! [`Operations`](order::Operations) determines the order; [`allocate`](mod@allocate) assigns
//! registers; [`Kernel`] adds entry and loop. The result is only assembly; [`prove`](lanesum_prove)
//! proves that it computes the specification.

pub mod allocate;
pub mod generated;
pub mod go;
mod i686;
pub mod instruction;
pub mod kernel;
pub mod lanes;
pub mod listing;
pub mod order;
pub mod shape;
pub mod target;

pub use generated::{EmitError, emit, emit_lanes};
pub use instruction::LaneIsa;
pub use kernel::Kernel;
pub use lanes::{LaneKernel, LaneTarget};
pub use listing::Listing;
pub use order::Orderable;
pub use shape::WordSource;
pub use target::{Isa, Target};
