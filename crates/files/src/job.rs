//! The types of a run: jobs and their results.

use std::ops::Deref;
use std::path::Path;
use std::time::SystemTime;

use lanesum::{Digest, Hasher, HmacKey};
use lanesum_manifest::Checksum;

use crate::{Kinds, Stamp};

/// Something that keeps its place in the order of results, most often a file to hash.
pub trait Job: Send {
    /// What to hash.
    fn input(&self) -> Input<'_>;

    /// With which algorithms, in the order in which the digests are wanted. All
    /// are computed in one reading; with none, nothing is read.
    fn algorithms(&self) -> &[Checksum];

    /// The key under which the digests are to be HMACs, if they are. Then there is one algorithm,
    /// the key's.
    fn key(&self) -> Option<&HmacKey> {
        None
    }

    /// Whether SHA-1, if it is one of the algorithms, looks for blocks of collision attacks. Such a
    /// file is an error. It has no effect on HMACs.
    fn watches(&self) -> bool {
        false
    }

    /// The kinds of files that its input may be: `Any` for a file that the user named.
    fn kinds(&self) -> Kinds {
        Kinds::Any
    }

    /// Whether a file that another program writes to meanwhile is hashed all the same,
    /// as far as it goes when it is read. Unless it is, that is an error: the bytes that
    /// were read may never have been the file's contents at any moment.
    fn accepts_changes(&self) -> bool {
        false
    }

    /// The digests, if they are known without reading the file, whose `input` is then ignored. Called by the
    /// worker that would read the file, so that several lookups run concurrently.
    fn recall(&mut self) -> Option<Digests> {
        None
    }

    /// Where to store the hash states of a long file, so that another run can resume. `None` for a keyed hash.
    fn checkpoints(&self) -> Option<&dyn Checkpoints> {
        None
    }

    /// About how much memory it holds, in bytes. While a slow file holds up the results
    /// after it, no more jobs are taken on than fit in a bound on this.
    fn weight(&self) -> usize {
        let path = match self.input() {
            Input::File(path) => path.as_os_str().len(),
            _ => 0,
        };
        path + 256
    }
}

/// Keeps how far long files have been hashed.
pub trait Checkpoints: Sync {
    /// How many bytes are hashed from one state to the next, more than none.
    fn every(&self) -> u64;

    /// The states in which an earlier run has left a file that looked so, one for each algorithm
    /// and all after the same bytes.
    fn resume(&self, path: &Path, stamp: &Stamp, algorithms: &[Checksum]) -> Option<Vec<Hasher>>;

    /// A file has been hashed so far, that looked so when reading `began`.
    fn reached(&self, path: &Path, stamp: &Stamp, began: SystemTime, hashers: &[Hasher]);
}

/// The input of a [`Job`].
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// A file.
    File(&'a Path),
    /// The rest of standard input.
    StandardInput,
    /// No input: the job is a remark in the order of the results.
    Nothing,
}

/// A file's digests, one for each of its job's algorithms.
#[derive(Clone, Debug, Default)]
pub struct Digests {
    few: Few,
    stamp: Option<Stamp>,
}

/// One digest, the usual case, needs no allocation.
#[derive(Clone, Debug)]
enum Few {
    One([Digest; 1]),
    Any(Vec<Digest>),
}

impl Default for Few {
    fn default() -> Self {
        Self::Any(Vec::new())
    }
}

impl Digests {
    /// The state of the file when it was read; `None` if it is not a regular file.
    pub fn stamp(&self) -> Option<Stamp> {
        self.stamp
    }

    /// Sets the state of the file.
    #[must_use]
    pub fn with_stamp(self, stamp: Option<Stamp>) -> Self {
        Self { stamp, ..self }
    }
}

impl From<Digest> for Digests {
    fn from(digest: Digest) -> Self {
        Self { few: Few::One([digest]), stamp: None }
    }
}

impl FromIterator<Digest> for Digests {
    fn from_iter<T: IntoIterator<Item = Digest>>(digests: T) -> Self {
        let mut digests = digests.into_iter();
        let few = match (digests.next(), digests.next()) {
            (Some(one), None) => Few::One([one]),
            (first, second) => Few::Any(first.into_iter().chain(second).chain(digests).collect()),
        };
        Self { few, stamp: None }
    }
}

impl Deref for Digests {
    type Target = [Digest];

    fn deref(&self) -> &[Digest] {
        match &self.few {
            Few::One(digest) => digest,
            Few::Any(digests) => digests,
        }
    }
}
