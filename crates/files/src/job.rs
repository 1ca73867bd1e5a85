//! Jobs and their results.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use lanesum::{Algorithm, Digest, Hasher, HmacKey};
use lanesum_manifest::Checksum;

use crate::{Kinds, Stamp};

/// An entry in the order of results, usually a file to hash.
pub trait Job: Send {
    /// The input to hash.
    fn input(&self) -> Input<'_>;

    /// The algorithms, in the order of the digests. The file is read once for all of them, and not
    /// at all if the slice is empty.
    fn algorithms(&self) -> &[Checksum];

    /// The HMAC key, if the digests are HMACs. Requires a single algorithm, which is the key's.
    fn key(&self) -> Option<&HmacKey> {
        None
    }

    /// Whether SHA-1, if requested, detects blocks of collision attacks. Such a file is an error.
    /// Has no effect on HMACs.
    fn detects_collisions(&self) -> bool {
        false
    }

    /// The accepted kinds of files: `Any` for a file that the user named.
    fn kinds(&self) -> Kinds {
        Kinds::Any
    }

    /// Whether to hash a file that another program writes to meanwhile, up to its end when it is
    /// read. By default that is an error: the bytes read may never have been the file's contents.
    /// A file that a single read returns whole is not checked: a write during that read is not detected.
    fn accepts_changes(&self) -> bool {
        false
    }

    /// Looks up the digests of a file that is unchanged since they were computed. Such a file is not read. Records
    /// whether they were found: from then on [`input`](Self::input) must return [`Input::Nothing`], so that the
    /// file does not count as hashed.
    /// Called by the worker that would read the file, so several lookups run concurrently.
    fn recall(&mut self) -> Option<Digests> {
        None
    }

    /// Where to store the hash states of a long file, so that another run can resume. `None` for a keyed hash.
    fn checkpoints(&self) -> Option<&dyn Checkpoints> {
        None
    }

    /// Approximate memory use, in bytes. While a slow file delays the results after it, the total
    /// weight of the jobs in flight is bounded.
    fn weight(&self) -> usize {
        let path = match self.input() {
            Input::File(path) => path.as_os_str().len(),
            _ => 0,
        };
        path + 256
    }
}

/// A file to hash with SHA-256 that the user did not name.
#[derive(Clone, Debug)]
pub struct Sha256File<T> {
    /// The file's path. Only a regular file or a block device is read.
    pub path: PathBuf,
    /// The caller's data, returned with the result.
    pub data: T,
}

impl<T: Send> Job for Sha256File<T> {
    fn input(&self) -> Input<'_> {
        Input::File(&self.path)
    }

    fn algorithms(&self) -> &[Checksum] {
        &[Checksum::Lanesum(Algorithm::SHA256)]
    }

    fn kinds(&self) -> Kinds {
        Kinds::Storage
    }
}

/// Stores the hash states of long files.
pub trait Checkpoints: Sync {
    /// The number of bytes between two states, at least 1.
    fn every(&self) -> u64;

    /// Returns the states that an earlier run stored for `path` with the same `stamp`: one for each
    /// algorithm, all at the same offset.
    fn resume(&self, path: &Path, stamp: &Stamp, algorithms: &[Checksum]) -> Option<Vec<Hasher>>;

    /// Stores the states of a file. Its metadata was `stamp` when reading began, at `began`.
    fn reached(&self, path: &Path, stamp: &Stamp, began: SystemTime, hashers: &[Hasher]);
}

/// The input of a [`Job`].
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// A file.
    File(&'a Path),
    /// The rest of standard input.
    StandardInput,
    /// No input: the job is a message in the order of the results.
    Nothing,
}

/// A file's digests, one for each of its job's algorithms.
#[derive(Clone, Debug, Default)]
pub struct Digests {
    digests: OneOrMany,
    stamp: Option<Stamp>,
}

/// A single digest, the common case, needs no allocation.
#[derive(Clone, Debug)]
enum OneOrMany {
    One([Digest; 1]),
    Many(Vec<Digest>),
}

impl Default for OneOrMany {
    fn default() -> Self {
        Self::Many(Vec::new())
    }
}

impl Digests {
    /// Returns the metadata of the file when it was read; `None` if it is not a regular file.
    pub fn stamp(&self) -> Option<Stamp> {
        self.stamp
    }

    /// Sets the metadata of the file.
    #[must_use]
    pub fn with_stamp(self, stamp: Option<Stamp>) -> Self {
        Self { stamp, ..self }
    }
}

impl From<Digest> for Digests {
    fn from(digest: Digest) -> Self {
        Self { digests: OneOrMany::One([digest]), stamp: None }
    }
}

impl FromIterator<Digest> for Digests {
    fn from_iter<T: IntoIterator<Item = Digest>>(digests: T) -> Self {
        let mut digests = digests.into_iter();
        let digests = match (digests.next(), digests.next()) {
            (Some(one), None) => OneOrMany::One([one]),
            (first, second) => {
                OneOrMany::Many(first.into_iter().chain(second).chain(digests).collect())
            }
        };
        Self { digests, stamp: None }
    }
}

impl Deref for Digests {
    type Target = [Digest];

    fn deref(&self) -> &[Digest] {
        match &self.digests {
            OneOrMany::One(digest) => digest,
            OneOrMany::Many(digests) => digests,
        }
    }
}
