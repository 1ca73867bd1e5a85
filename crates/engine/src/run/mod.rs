//! Hashing: one message, whole or incremental; batches; and the schedule, which refills a lane when
//! its message ends. Independent of where messages come from.

mod batch;
mod chain;
mod driver;
mod few;
mod hash_chain;
mod hasher;
mod iter;
mod many;
mod one;
mod prefixed;
mod schedule;
mod source;
mod step;
mod update;

pub(crate) use self::batch::{Batch, EmitTo, Start, are_groups};
pub(crate) use self::chain::Chain;
pub(crate) use self::driver::{Driver, Mode};
pub(crate) use self::few::{KeyWords, few, one_block_each};
pub use self::hash_chain::{chain, chain_many, chain_many_while, double_hash_many};
#[cfg(feature = "std")]
pub(crate) use self::hasher::each_read;
pub(crate) use self::hasher::state_head;
pub use self::hasher::{Exported, Hasher, ImportError};
pub use self::iter::{HashIter, hash_iter};
pub use self::many::hash_many;
pub(crate) use self::many::{in_parts, is_faster_one_by_one};
pub use self::one::hash;
pub(crate) use self::one::of_bytes;
pub(crate) use self::schedule::{Call, Ended, Schedule};
pub(crate) use self::step::compress_lanes;
pub use self::update::update_many;
