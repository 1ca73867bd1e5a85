//! The types of a run: jobs, their results, and the progress made.

use std::ops::Deref;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use lanesum::{Algorithm, Digest, HmacKey};

/// Something that keeps its place in the order of results, most often a file to hash.
pub trait Job: Send {
    /// What to hash.
    fn input(&self) -> Input<'_>;

    /// With which algorithms, in the order in which the digests are wanted. All
    /// are computed in one reading; with none, nothing is read.
    fn algorithms(&self) -> &[Algorithm];

    /// The key under which the digests are to be HMACs, if they are. Then there is one algorithm,
    /// the key's.
    fn key(&self) -> Option<&HmacKey> {
        None
    }

    /// Whether a file that another program writes to meanwhile is hashed all the same,
    /// as far as it goes when it is read. Unless it is, that is an error: the bytes that
    /// were read may never have been the file's contents at any moment.
    fn accepts_changes(&self) -> bool {
        false
    }

    /// How the file looked when it was listed, where that must be what is hashed: else it is one
    /// that was changed.
    fn looked(&self) -> Option<Look> {
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

/// What of a file's metadata tells that another program wrote to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Its length in bytes.
    pub len: u64,
    /// When it was last written to: seconds since 1970, and nanoseconds of the next.
    pub modified: (i64, u64),
}

/// What a [`Job`] has hashed.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// A file.
    File(&'a Path),
    /// What is left of standard input.
    StandardInput,
    /// Nothing: the job is a remark that stands among the results.
    Nothing,
}

/// A file's digests, one for each of its job's algorithms.
#[derive(Clone, Debug)]
pub struct Digests(Few);

/// One digest, the usual case, needs no allocation.
#[derive(Clone, Debug)]
enum Few {
    One([Digest; 1]),
    Any(Vec<Digest>),
}

impl Default for Digests {
    fn default() -> Self {
        Self(Few::Any(Vec::new()))
    }
}

impl From<Digest> for Digests {
    fn from(digest: Digest) -> Self {
        Self(Few::One([digest]))
    }
}

impl FromIterator<Digest> for Digests {
    fn from_iter<T: IntoIterator<Item = Digest>>(digests: T) -> Self {
        Self(Few::Any(digests.into_iter().collect()))
    }
}

impl Deref for Digests {
    type Target = [Digest];

    fn deref(&self) -> &[Digest] {
        match &self.0 {
            Few::One(digest) => digest,
            Few::Any(digests) => digests,
        }
    }
}

/// How far a run has come. Any thread may look.
#[derive(Debug, Default)]
pub struct Progress {
    bytes: AtomicU64,
    files: AtomicU64,
}

impl Progress {
    /// Bytes read.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Files hashed, or found not to be readable.
    pub fn files(&self) -> u64 {
        self.files.load(Ordering::Relaxed)
    }

    /// The mean length of files so far, in bytes.
    pub(crate) fn mean_len(&self) -> u64 {
        self.bytes() / self.files().max(1)
    }

    pub(crate) fn add_file(&self) {
        self.files.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn add_bytes(&self, count: usize) {
        self.bytes.fetch_add(count as u64, Ordering::Relaxed);
    }
}
