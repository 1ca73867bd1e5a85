//! A record of a file, from a manifest or from the file itself.

use std::ops::Deref;

use lanesum_spec::DigestBytes;

use crate::{Checksum, Class, Entry, Time, normal_name};

/// A file's name, digests, length and time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    name: Vec<u8>,
    digests: OneOrMany,
    len: Option<u64>,
    modified: Option<Time>,
}

/// A digest, padded with zeros.
type Known = (Checksum, DigestBytes);

/// A single digest, the common case, needs no allocation.
#[derive(Clone, Debug)]
enum OneOrMany {
    Many(Vec<Known>),
    One([Known; 1]),
}

impl Deref for OneOrMany {
    type Target = [Known];

    fn deref(&self) -> &[Known] {
        match self {
            Self::Many(digests) => digests,
            Self::One(digest) => digest,
        }
    }
}

impl OneOrMany {
    fn push(&mut self, digest: Known) {
        match self {
            Self::Many(digests) if digests.is_empty() => *self = Self::One([digest]),
            Self::Many(digests) => digests.push(digest),
            Self::One([first]) => *self = Self::Many(vec![*first, digest]),
        }
    }
}

impl PartialEq for OneOrMany {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for OneOrMany {}

/// An item with a name, by which it is sorted and paired with others.
pub trait Named {
    /// Returns the name, in [normal form](normal_name).
    fn name(&self) -> &[u8];
}

impl Record {
    /// Creates a record with only a name, and normalizes the name.
    pub fn new(name: &[u8]) -> Self {
        Self::named(normal_name(name).into_owned())
    }

    /// Creates a record with a name that is already in normal form.
    pub fn named(name: Vec<u8>) -> Self {
        Self { name, digests: OneOrMany::Many(Vec::new()), len: None, modified: None }
    }

    /// Adds the length in bytes and the modification time, if known.
    #[must_use]
    pub fn with_stat(self, len: Option<u64>, modified: Option<Time>) -> Self {
        Self { len, modified, ..self }
    }

    /// Returns the file's length in bytes, if known.
    pub fn len_of_file(&self) -> Option<u64> {
        self.len
    }

    /// Returns the time of the last modification, if known.
    pub fn modified(&self) -> Option<Time> {
        self.modified
    }

    /// Adds a digest.
    ///
    /// # Panics
    ///
    /// If the length of the digest is not the algorithm's.
    pub fn add(&mut self, algorithm: impl Into<Checksum>, digest: &[u8]) {
        let algorithm = algorithm.into();
        assert_eq!(digest.len(), algorithm.digest_len(), "a digest of {algorithm}");
        let mut bytes = [0; 64];
        bytes[..digest.len()].copy_from_slice(digest);
        if !self.digests.contains(&(algorithm, bytes)) {
            self.digests.push((algorithm, bytes));
        }
    }

    /// Returns the digests. There may be several of one algorithm if a manifest contradicts itself;
    /// then no file matches.
    pub fn digests(&self) -> impl ExactSizeIterator<Item = (Checksum, &[u8])> {
        self.digests
            .iter()
            .map(|(algorithm, digest)| (*algorithm, &digest[..algorithm.digest_len()]))
    }

    /// Returns the digest of an algorithm, if it is unique.
    pub fn digest(&self, algorithm: impl Into<Checksum>) -> Option<&[u8]> {
        let algorithm = algorithm.into();
        let mut of_it = self.digests().filter(|(known, _)| *known == algorithm);
        let (_, digest) = of_it.next()?;
        of_it.next().is_none().then_some(digest)
    }

    /// Returns the record without its digests.
    #[must_use]
    pub fn without_digests(self) -> Self {
        Self { digests: OneOrMany::Many(Vec::new()), ..self }
    }

    /// Replaces the name.
    #[must_use]
    pub fn renamed(self, name: &[u8]) -> Self {
        Self { name: normal_name(name).into_owned(), ..self }
    }

    /// Merges another record of the same file.
    pub fn merge(&mut self, other: &Self) {
        other.digests().for_each(|(algorithm, digest)| self.add(algorithm, digest));
        self.len = self.len.or(other.len);
        self.modified = self.modified.or(other.modified);
    }

    /// Classifies the difference between this record and a later one of the same name.
    pub fn compare(&self, now: &Self) -> Class {
        let mut pairs = self.digests.iter().flat_map(|before| {
            now.digests.iter().filter(|now| now.0 == before.0).map(|now| now.1 == before.1)
        });
        let is_known = |a: Option<u64>, b: Option<u64>| a.is_some() && b.is_some();
        let differs_in_len = is_known(self.len, now.len) && self.len != now.len;
        match pairs.next() {
            None if differs_in_len => Class::Changed,
            None => Class::Incomparable,
            Some(first) if first && pairs.all(|is_same| is_same) => Class::Same,
            Some(_) => {
                let untouched = is_known(self.len, now.len)
                    && self.len == now.len
                    && self.modified.is_some()
                    && self.modified == now.modified;
                if untouched { Class::Rotted } else { Class::Changed }
            }
        }
    }
}

impl Named for Record {
    fn name(&self) -> &[u8] {
        &self.name
    }
}

impl From<&Entry<'_>> for Record {
    fn from(entry: &Entry<'_>) -> Self {
        let mut record = Self::new(entry.name());
        record.add(entry.algorithm(), entry.digest());
        record.with_stat(entry.len_of_file(), entry.modified())
    }
}

/// Merges consecutive records of the same file.
pub fn merged(records: impl Iterator<Item = Record>) -> impl Iterator<Item = Record> {
    let mut records = records.peekable();
    std::iter::from_fn(move || {
        let mut record = records.next()?;
        while let Some(more) = records.next_if(|next| next.name == record.name) {
            record.merge(&more);
        }
        Some(record)
    })
}
