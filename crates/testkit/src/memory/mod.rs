//! Secrets that another process has in memory: a program does one step with a key at a time, and
//! while it waits for the next one it is searched from outside.

mod derived;
mod look;
mod process;
mod secrets;
mod stepped;

pub use look::{Done, Look, algorithms, look};
pub use process::{Found, Leavings, PAINT, flags, leavings, search};
pub use secrets::Secrets;
pub use stepped::Stepped;
