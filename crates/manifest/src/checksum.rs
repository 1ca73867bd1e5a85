//! The algorithms that checksum lines are of.

use std::fmt;
use std::str::FromStr;

use lanesum_spec::{Algorithm, ParseAlgorithmError, digest};

/// The algorithm of a checksum line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Checksum {
    /// An algorithm that Lanesum implements.
    Lanesum(Algorithm),
}

impl Checksum {
    /// Every algorithm with a name of its own: [`Algorithm::all`].
    pub fn all() -> impl Iterator<Item = Self> {
        Algorithm::all().map(Self::Lanesum)
    }

    /// The algorithm called `name`: a name, tag or alias, in upper or lower case.
    pub fn from_name(name: &str) -> Option<Self> {
        Algorithm::from_name(name).map(Self::Lanesum)
    }

    /// The name on command lines and in JSON: `sha512/256`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lanesum(algorithm) => algorithm.name(),
        }
    }

    /// The name in messages: `SHA-512/256`.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Lanesum(algorithm) => algorithm.title(),
        }
    }

    /// The name in a BSD checksum line: `SHA256 (file) = ...`.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::Lanesum(algorithm) => algorithm.tag(),
        }
    }

    /// The length of a digest, in bytes.
    pub const fn digest_len(self) -> usize {
        match self {
            Self::Lanesum(algorithm) => algorithm.digest_len(),
        }
    }

    /// The digest of the empty message.
    pub(crate) fn of_empty(self) -> Vec<u8> {
        match self {
            Self::Lanesum(algorithm) => digest(algorithm, b"")[..algorithm.digest_len()].to_vec(),
        }
    }

    /// Lanesum's algorithm, if it is one.
    pub const fn lanesum(self) -> Option<Algorithm> {
        match self {
            Self::Lanesum(algorithm) => Some(algorithm),
        }
    }
}

impl From<Algorithm> for Checksum {
    fn from(algorithm: Algorithm) -> Self {
        Self::Lanesum(algorithm)
    }
}

impl PartialEq<Algorithm> for Checksum {
    fn eq(&self, other: &Algorithm) -> bool {
        self.lanesum() == Some(*other)
    }
}

impl fmt::Debug for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title())
    }
}

impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Checksum {
    type Err = ParseAlgorithmError;

    fn from_str(name: &str) -> Result<Self, ParseAlgorithmError> {
        Self::from_name(name).ok_or(ParseAlgorithmError)
    }
}
