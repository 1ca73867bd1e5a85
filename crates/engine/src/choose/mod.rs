//! The choice of kernels: which may run, which are best for how many messages, and what the
//! clock says of them. Nothing here knows a message.

mod engine;
mod environment;
mod learned;
mod plan;
mod policy;
mod trial;

pub(crate) use self::engine::Choice;
pub use self::engine::{AsEngine, Engine};
pub(crate) use self::plan::{Plan, Shape, Short, Turn, readable};
pub use self::policy::{Policy, PolicyError};
pub(crate) use self::trial::Turns;
