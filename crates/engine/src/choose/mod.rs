//! The choice of kernels: which may run, which are best for how many messages, and what the
//! clock says of them. Nothing here knows a message.

mod engine;
mod environment;
#[cfg(feature = "std")]
mod first_use;
mod learned;
mod plan;
mod policy;
mod trial;

pub(crate) use self::engine::Choice;
pub use self::engine::{AsEngine, Engine};
#[cfg(feature = "std")]
pub(crate) use self::first_use::FirstUse;
pub(crate) use self::plan::{Plan, Shape, Short, Turn, readable};
pub use self::policy::{Policy, PolicyError};
pub(crate) use self::trial::Turns;
