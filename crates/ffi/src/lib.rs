//! libheddle: the engine behind C's calling conventions.
//!
//! [`guard`] is what stands at every door: no panic leaves, no pointer comes in
//! unchecked. [`c`] is the library of `heddle.h`. Whoever hashes calls
//! [`fork::ready`] first.

pub mod c;
mod context;
mod fork;
mod guard;
#[cfg(test)]
mod tests;
