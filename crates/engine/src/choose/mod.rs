//! Which kernels run: what may, what is best for how many messages, and what the clock says.
//! Nothing here knows a message.

mod environment;
#[cfg(feature = "std")]
mod first_use;
mod plan;
mod policy;
mod trial;

pub(crate) use self::environment::{for_one, with_turns};
pub(crate) use self::plan::{Plan, Turn};
pub use self::policy::{Policy, PolicyError};
pub(crate) use self::trial::Turns;
