//! What is kept of trees of files from one run to the next, and what is found by it.
//!
//! - [`Manifest`] has the records of a manifest in order, however long and in whatever order it is.
//! - [`audit`] holds a tree against such records, [`diff`] two manifests against each other, and
//!   [`compare`] whichever two there are. What their findings mean is said in [`lanesum_manifest`].
//! - [`Cache`] remembers digests by the length, times and inode of files, and how far long files
//!   have been hashed.
//!
//! Memory is bounded: what has to be put in order goes to temporary files.
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
