//! The specification as a dataflow graph.
//!
//! [`record`](fn@record) runs the generic functions of `lanesum-spec` on words that record their
//! operations. Each node has a normal form, so comparing two nodes can prove that they are equal;
//! [`eval`](fn@eval) evaluates the graph. [`rewrite`] transforms a form of a function into another
//! one and proves that both are equal; [`trace`] shows a block round by round.
//!
//! ```
//! use lanesum_graph::rewrite::{Forms, expand};
//! use lanesum_graph::{Op, record};
//! use lanesum_spec::Family;
//!
//! let mut block = record(Family::Sha256, false);
//! let spec = block.spec.clone();
//! // Fails if the new form is not proven equal.
//! let form = expand(&mut block.graph, &spec, Forms::FEWEST)?;
//! let nodes = block.graph.reachable(form.outputs.iter().copied());
//! let additions = nodes.into_iter().filter(|&id| matches!(block.graph.op(id), Op::Add(..)));
//! // Another 64, of the constants, are `Op::AddConst`.
//! assert_eq!(additions.count(), 536);
//! # Ok::<(), lanesum_graph::rewrite::NotProven>(())
//! ```
#![forbid(unsafe_code)]

pub mod eval;
pub mod fold;
pub mod graph;
mod normal;
mod op;
pub mod record;
pub mod rewrite;
pub mod time;
pub mod trace;

pub use eval::eval;
pub use graph::{Graph, Id, Kind, Op};
pub use normal::NormalId;
pub use record::{Block, Form, Node, Recorder, Round, Specification, record, record_rounds};
