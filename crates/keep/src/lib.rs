//! Audits trees of files against manifests, and caches digests between runs.
//!
//! - [`Manifest`] reads the records of a manifest in path order, whatever its length and order.
//! - [`audit`] compares a tree with such records, [`diff`] compares two manifests, and [`compare`] any
//!   combination. [`lanesum_manifest`] defines the classes of differences.
//! - [`Cache`] stores digests by length, times and inode of files, and the hash states of long files.
//!
//! Memory is bounded: sorting uses temporary files.
#![forbid(unsafe_code)]

mod audit;
mod cache;
mod coded;
mod compare;
mod diff;
mod manifest;
mod place;
mod sorter;

pub use audit::{Audit, Kept, Told, Trees, Trust, Why, Witness, audit};
pub use cache::{Cache, CacheError, Row};
pub use compare::{Side, compare, compared_by};
pub use diff::{diff, hashed};
pub use manifest::{Manifest, Records, SeveralRoots, Survey};
