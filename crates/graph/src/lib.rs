//! The specification as a dataflow graph, and bounds on its speed.
//!
//! [`record`](fn@record) runs the generic functions of `lanesum-spec` on words that
//! record their operations. Each node has a normal form, so comparing two nodes can
//! prove that they are equal; [`eval`](fn@eval) evaluates the graph. [`rewrite`]
//! transforms a form of a function into another one and proves that both are equal;
//! [`analyse`] counts, schedules and bounds; [`model`] has delays, instruction sets
//! and machines as data; [`report`] combines the results; [`trace`] shows a block
//! round by round; [`stitch`] generates the engine's kernels for one message.
//!
//! ```
//! use lanesum_graph::rewrite::{Forms, expand};
//! use lanesum_graph::{analyse, record};
//! use lanesum_spec::Family;
//!
//! let mut block = record(Family::Sha256, false);
//! let spec = block.spec.clone();
//! // Fails if the new form is not proven equal.
//! let form = expand(&mut block.graph, &spec, Forms::FEWEST)?;
//! let nodes = block.graph.reachable(form.outputs.iter().copied());
//! let operations: usize = analyse::count(&block.graph, nodes).values().sum();
//! assert_eq!(operations, 2105);
//! # Ok::<(), lanesum_graph::rewrite::NotProven>(())
//! ```
#![forbid(unsafe_code)]

pub mod analyse;
pub mod costs;
pub mod emit;
pub mod eval;
pub mod fit;
mod fold;
pub mod graph;
pub mod hardware;
pub mod mca;
pub mod model;
mod normal;
mod op;
pub mod prove;
pub mod record;
pub mod report;
pub mod rewrite;
pub mod rtl;
pub mod search;
pub mod stitch;
pub mod time;
pub mod trace;

pub use eval::eval;
pub use graph::{Graph, Id, Kind, Op};
pub use normal::NormalId;
pub use record::{Block, Form, Node, Recorder, Round, Specification, record, record_rounds};
