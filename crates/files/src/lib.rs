//! Walks directory trees, reads files, hashes them in parallel, and returns the results in a stable
//! order.
//!
//! ```
//! use std::ops::ControlFlow;
//! use std::path::PathBuf;
//!
//! use lanesum::{Algorithm, Policy};
//! use lanesum_files::{Checksum, Found, Input, Job, Options, Progress, Settings, Walk, hash};
//!
//! struct File(PathBuf);
//!
//! impl Job for File {
//!     fn input(&self) -> Input<'_> {
//!         Input::File(&self.0)
//!     }
//!     fn algorithms(&self) -> &[Checksum] {
//!         &[Checksum::Lanesum(Algorithm::SHA256)]
//!     }
//! }
//!
//! let files = Walk::new(["src".into()], &Options::default())?.filter_map(|found| match found {
//!     Found::File(path) => Some(File(path)),
//!     _ => None,
//! });
//! let settings = Settings::new(Policy::automatic());
//! hash(files, &settings, &Progress::default(), |File(path), digests| {
//!     match digests {
//!         Ok(digests) => println!("{}  {}", digests[0], path.display()),
//!         Err(error) => eprintln!("{error}"),
//!     }
//!     ControlFlow::Continue(())
//! });
//! # Ok::<(), lanesum_files::GlobError>(())
//! ```
#![forbid(unsafe_code)]

mod ahead;
mod buffer;
mod descriptors;
mod dir_handle;
mod error;
mod foreign;
mod job;
mod lanes;
mod open;
mod pace;
mod progress;
mod queue;
mod reading;
mod results;
mod run;
mod stamp;
mod streams;
mod tuner;
mod walk;
mod worker;

pub use error::{Error, Step};
pub use foreign::ForeignHasher;
pub use job::{Checkpoints, Digests, Input, Job, Sha256File};
pub use lanesum_manifest::{Checksum, Foreign};
pub use open::{Kinds, metadata, open, symlink_metadata};
pub use pace::Meter;
pub use progress::{Doing, Long, Progress};
#[doc(hidden)]
pub use run::hash_by_buffers;
pub use run::{Settings, hash};
pub use stamp::Stamp;
pub use walk::{Found, GlobError, Identity, Options, Selection, TEMPORARY, Walk};
