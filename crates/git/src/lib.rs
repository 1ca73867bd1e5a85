//! Verifies the objects of git repositories: each is decoded once, on all cores, and hashed in lanes, SHA-1 with
//! detection of collision attacks.
//!
//! [`check`] verifies
//!
//! - loose and packed objects: their ids, the zlib streams and deltas that they are stored as, and the CRC-32 of packed
//!   ones;
//! - the checksums of packs and of the files derived from them: indexes, reverse indexes, bitmaps, multi-pack-indexes,
//!   commit-graphs;
//! - Git LFS objects whose pointers are among the objects;
//!
//! in the repository and in its alternates. It does not parse trees, commits and tags, and does not check which objects
//! are reachable: `git fsck` does.
//!
//! ```
//! use std::ops::ControlFlow;
//! use std::path::Path;
//!
//! use lanesum_files::{Progress, Settings};
//! use lanesum_git::{Class, Options, Repository, check};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let directory = std::env::temp_dir().join(format!("lanesum-git-{}", std::process::id()));
//! # std::fs::create_dir_all(directory.join("objects"))?;
//! # std::fs::create_dir_all(directory.join("refs"))?;
//! # std::fs::write(directory.join("HEAD"), "ref: refs/heads/main\n")?;
//! # let path = directory.as_path();
//! let repository = Repository::open(path)?;
//! let settings = Settings::new(lanesum::Policy::automatic());
//! let progress = Progress::default();
//! let options = Options { settings: &settings, progress: &progress, reports_same: false };
//! let counts = check(&repository, &options, &|finding| {
//!     eprintln!("{}: {}", finding.class, finding.reason);
//!     ControlFlow::Continue(())
//! });
//! assert_eq!(counts.of(Class::Rotted), 0);
//! # std::fs::remove_dir_all(&directory)?;
//! # Ok(())
//! # }
//! ```
//!
//! # Memory
//!
//! An index and the structure of its pack take about 60 bytes per object. Decoded delta bases take up to 256 MiB in
//! total; beyond that they are decoded again when they are needed. Each thread holds one more object, its base and its
//! delta, of at most 1 GiB each. Larger objects are hashed while they are decoded. No allocation trusts a length in a file: the
//! compressed bytes, or the instructions of a delta, must be able to produce it.
#![forbid(unsafe_code)]

mod batch;
mod check;
mod checksums;
mod delta;
mod entry;
mod file;
mod index;
mod inflate;
mod lfs;
mod loose;
mod object;
mod pack;
mod report;
mod repository;
mod run;
mod work;

pub use check::check;
#[doc(hidden)]
pub use check::check_within;
pub use report::{Class, Counts, Finding, Found};
pub use repository::{OpenError, Repository};
pub use run::Options;
