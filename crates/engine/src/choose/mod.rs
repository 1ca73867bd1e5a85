//! Kernel selection: allowed kernels, the best ones for each number of messages, and timing
//! results. Independent of the messages' contents.

mod costs;
mod engine;
mod environment;
mod learned;
mod plan;
mod policy;
mod process;
mod shape;
mod trial;

pub use self::costs::CostsFile;
pub use self::engine::{AsEngine, Engine, Selected};
pub(crate) use self::plan::{Plan, Step};
pub use self::policy::{Policy, PolicyError};
pub(crate) use self::process::padding_block;
pub(crate) use self::shape::{Shape, Short};
pub(crate) use self::trial::Steps;
