//! Searches another process for secrets. The process performs one step with a key at a time, and is
//! searched while it waits for the next.

mod derived;
mod look;
mod process;
mod secrets;
mod stepped;

pub use look::{Done, Look, algorithms, look};
pub use process::{Found, Leavings, PAINT, flags, leavings, search};
pub use secrets::Secrets;
pub use stepped::Stepped;
