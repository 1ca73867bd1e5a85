//! Audits trees of files against manifests, and caches digests between runs.
//!
//! - [`Manifest`] reads the records of a manifest in path order, whatever its length and order.
//! - [`audit`] compares a tree with such records, [`diff`] compares two manifests, and [`compare`]
//!   any combination. [`lanesum_manifest`] defines the classes of differences.
//! - [`Cache`] stores digests by size, times and inode of files, and the hash states of long files,
//!   in an SQLite database. It requires the feature `cache`, which is enabled by default.
//!
//! Memory is bounded: sorting uses temporary files.
#![forbid(unsafe_code)]

mod audit;
#[cfg(feature = "cache")]
mod cache;
#[cfg(not(feature = "cache"))]
#[path = "no_cache.rs"]
mod cache;
mod coded;
mod compare;
mod diff;
mod manifest;
mod place;
mod sorter;

pub use audit::{Audit, Outcome, Reason, SharedCache, Sink, Trees, Trust, audit};
#[cfg(feature = "cache")]
pub use cache::CacheError;
pub use cache::{Cache, Row};
pub use compare::{Side, compare, compared_by};
pub use diff::{diff, hashed};
pub use manifest::{Manifest, Records, SeveralRoots, Survey};
