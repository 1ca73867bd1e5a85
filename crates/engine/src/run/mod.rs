//! Messages hashed: one as it is or as its bytes come, many whole ones, and the schedule of lanes
//! that others take when a message ends. Nothing here knows where messages come from.

mod batch;
mod chain;
mod hasher;
mod iter;
mod many;
mod one;
mod schedule;

pub(crate) use self::batch::{Batch, Start};
pub(crate) use self::chain::{Chain, One};
pub(crate) use self::hasher::state_head;
pub use self::hasher::{Exported, Hasher, ImportError};
pub use self::iter::{HashIter, hash_iter};
#[cfg(feature = "rayon")]
pub use self::many::hash_many_parallel;
pub use self::many::{hash_many, hash_many_with};
pub use self::one::hash;
pub(crate) use self::schedule::{Ended, Schedule};
