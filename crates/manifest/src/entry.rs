//! An entry of a manifest: an algorithm, a digest and a name.

use std::borrow::Cow;
use std::fmt;

use data_encoding::HEXLOWER;
use lanesum_spec::DigestBytes;

use crate::{Checksum, Time};

/// A digest, its algorithm, and the name of the file.
///
/// A name is not empty and does not contain NUL: no file has such a name, and no line can represent it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Entry<'a> {
    algorithm: Checksum,
    /// The digest, padded with zeros.
    digest: DigestBytes,
    name: Cow<'a, [u8]>,
    len: Option<u64>,
    modified: Option<Time>,
}

impl<'a> Entry<'a> {
    /// Creates an entry. The name may be borrowed or owned.
    ///
    /// # Errors
    ///
    /// If the length of the digest is not the algorithm's, or the name is empty or contains NUL.
    pub fn new<N: AsRef<[u8]> + ?Sized>(
        algorithm: impl Into<Checksum>,
        digest: &[u8],
        name: &'a N,
    ) -> Result<Self, InvalidEntry> {
        let algorithm = algorithm.into();
        if digest.len() != algorithm.digest_len() {
            return Err(InvalidEntry::DigestLength { algorithm, len: digest.len() });
        }
        let mut bytes = [0; 64];
        bytes[..digest.len()].copy_from_slice(digest);
        Self::from_parts(algorithm, bytes, Cow::Borrowed(name.as_ref()))
    }

    /// Creates an entry from a digest that is already padded with zeros.
    pub(crate) fn from_parts(
        algorithm: Checksum,
        digest: DigestBytes,
        name: Cow<'a, [u8]>,
    ) -> Result<Self, InvalidEntry> {
        if name.is_empty() {
            return Err(InvalidEntry::EmptyName);
        }
        if name.contains(&0) {
            return Err(InvalidEntry::NulInName);
        }
        Ok(Self { algorithm, digest, name, len: None, modified: None })
    }

    /// Adds the length in bytes and the modification time, if known. Formats without fields for them
    /// ignore them.
    #[must_use]
    pub fn with_stat(self, len: Option<u64>, modified: Option<Time>) -> Self {
        Self { len, modified, ..self }
    }

    /// Returns the algorithm.
    pub fn algorithm(&self) -> Checksum {
        self.algorithm
    }

    /// Returns the digest: [`Checksum::digest_len`] bytes.
    pub fn digest(&self) -> &[u8] {
        &self.digest[..self.algorithm.digest_len()]
    }

    /// Returns the name, which may contain any bytes except NUL.
    pub fn name(&self) -> &[u8] {
        &self.name
    }

    /// Returns the length of the file in bytes, if recorded.
    pub fn len_of_file(&self) -> Option<u64> {
        self.len
    }

    /// Returns the modification time, if recorded.
    pub fn modified(&self) -> Option<Time> {
        self.modified
    }

    /// Replaces the name with another that a line can represent.
    pub(crate) fn map_name(
        self,
        change: impl FnOnce(Cow<'a, [u8]>) -> Cow<'a, [u8]>,
    ) -> Result<Self, crate::Malformed> {
        let name = change(self.name);
        let entry = Self::from_parts(self.algorithm, self.digest, name)?;
        Ok(entry.with_stat(self.len, self.modified))
    }

    /// Converts to an entry that owns its name.
    pub fn into_owned(self) -> Entry<'static> {
        Entry { name: Cow::Owned(self.name.into_owned()), ..self }
    }
}

impl fmt::Debug for Entry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry")
            .field("algorithm", &self.algorithm)
            .field("digest", &HEXLOWER.encode(self.digest()))
            .field("name", &format_args!("\"{}\"", self.name.escape_ascii()))
            .field("len", &self.len)
            .field("modified", &self.modified)
            .finish()
    }
}

/// Why an entry cannot be represented by a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidEntry {
    /// The length of the digest is not the algorithm's.
    DigestLength {
        /// The algorithm.
        algorithm: Checksum,
        /// The actual length, in bytes.
        len: usize,
    },
    /// The name is empty.
    EmptyName,
    /// The name contains NUL.
    NulInName,
}

impl fmt::Display for InvalidEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DigestLength { algorithm, len } => write!(
                f,
                "a digest of {len} bytes; {algorithm} digests have {}",
                algorithm.digest_len()
            ),
            Self::EmptyName => f.write_str("the name is empty"),
            Self::NulInName => f.write_str("the name contains a NUL"),
        }
    }
}

impl std::error::Error for InvalidEntry {}
