//! The sums of GNU's tools. CRC and truncated BLAKE2b are computed here, one file at a time.

use std::fs::File;
use std::io;

use crc::{CRC_32_CKSUM, Crc, Table};
use lanesum::Algorithm;
use lanesum_files::{Checksum, Foreign, ForeignHasher};
use lanesum_manifest::{Kind, Lengths};

use crate::crc32::{self, each};

/// A checksum or digest of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sum {
    Bsd,
    SystemV,
    Crc,
    /// The CRC-32 of Ethernet and gzip.
    Crc32b,
    Lanesum(Algorithm),
    /// SHA-2 with digests of this many bytes.
    Sha2(usize),
    Sha3(usize),
    Blake2b(usize),
}

/// The names accepted by `cksum -a`, in its order.
pub(super) const NAMES: [(&str, Sum); 14] = [
    ("bsd", Sum::Bsd),
    ("sysv", Sum::SystemV),
    ("crc", Sum::Crc),
    ("crc32b", Sum::Crc32b),
    ("md5", Sum::Lanesum(Algorithm::MD5)),
    ("sha1", Sum::Lanesum(Algorithm::SHA1)),
    ("sha224", Sum::Lanesum(Algorithm::SHA224)),
    ("sha256", Sum::Lanesum(Algorithm::SHA256)),
    ("sha384", Sum::Lanesum(Algorithm::SHA384)),
    ("sha512", Sum::Lanesum(Algorithm::SHA512)),
    ("sha2", Sum::Sha2(MAX_DIGEST_BYTES)),
    ("sha3", Sum::Sha3(MAX_DIGEST_BYTES)),
    ("blake2b", Sum::Blake2b(MAX_DIGEST_BYTES)),
    ("sm3", Sum::Lanesum(Algorithm::SM3)),
];

/// Maximum digest length of sums with several lengths, in bytes.
pub(super) const MAX_DIGEST_BYTES: usize = 64;

/// The kinds that `cksum -c` distinguishes by tag.
pub(super) static KINDS: [Kind; 10] = [
    kind("MD5", 16),
    kind("SHA1", 20),
    kind("SHA224", 28),
    kind("SHA256", 32),
    kind("SHA384", 48),
    kind("SHA512", 64),
    Sum::Sha2(MAX_DIGEST_BYTES).kind(),
    Sum::Sha3(MAX_DIGEST_BYTES).kind(),
    Sum::Blake2b(MAX_DIGEST_BYTES).kind(),
    kind("SM3", 32),
];

/// Kinds of SHA-2.
pub(super) static SHA2_KINDS: [Kind; 5] = [
    kind("SHA224", 28),
    kind("SHA256", 32),
    kind("SHA384", 48),
    kind("SHA512", 64),
    Sum::Sha2(MAX_DIGEST_BYTES).kind(),
];

const fn kind(tag: &'static str, digest_len: usize) -> Kind {
    Kind { tag, digest_len, lengths: Lengths::One }
}

impl Sum {
    /// Returns the kind of digest, with the tag used in messages.
    pub(super) const fn kind(self) -> Kind {
        match self {
            Self::Bsd => kind("BSD", 0),
            Self::SystemV => kind("SYSV", 0),
            Self::Crc => kind("CRC", 0),
            Self::Crc32b => kind("CRC32B", 0),
            Self::Lanesum(algorithm) => kind(algorithm.tag(), algorithm.digest_len()),
            Self::Sha2(digest_len) => Kind { tag: "SHA2", digest_len, lengths: Lengths::Four },
            Self::Sha3(digest_len) => Kind { tag: "SHA3", digest_len, lengths: Lengths::Four },
            Self::Blake2b(digest_len) => Kind { tag: "BLAKE2b", digest_len, lengths: Lengths::All },
        }
    }

    /// Returns the algorithm, if Lanesum implements it.
    pub(super) fn algorithm(self) -> Option<Algorithm> {
        match self {
            Self::Lanesum(algorithm) => Some(algorithm),
            Self::Sha2(28) => Some(Algorithm::SHA224),
            Self::Sha2(32) => Some(Algorithm::SHA256),
            Self::Sha2(48) => Some(Algorithm::SHA384),
            Self::Sha2(_) => Some(Algorithm::SHA512),
            _ => None,
        }
    }

    /// Returns the checksum that `lanesum-files` computes; `None` if [`other`] does.
    pub(super) fn checksum(self) -> Option<Checksum> {
        let foreign = match self {
            Self::Sha3(28) => Foreign::Sha3_224,
            Self::Sha3(32) => Foreign::Sha3_256,
            Self::Sha3(48) => Foreign::Sha3_384,
            Self::Sha3(_) => Foreign::Sha3_512,
            Self::Blake2b(MAX_DIGEST_BYTES) => Foreign::Blake2b,
            _ => return self.algorithm().map(Checksum::Lanesum),
        };
        Some(Checksum::Foreign(foreign))
    }

    /// Returns the sum for lines of a kind.
    pub(super) fn of_kind(kind: Kind) -> Self {
        let named = NAMES.iter().find(|(_, sum)| sum.kind().tag == kind.tag);
        named.expect("a kind of the table").1.with_len(kind.digest_len)
    }

    /// Returns the sum with digests of `len` bytes, if its length is variable.
    pub(super) fn with_len(self, len: usize) -> Self {
        match self {
            Self::Sha2(_) => Self::Sha2(len),
            Self::Sha3(_) => Self::Sha3(len),
            Self::Blake2b(_) => Self::Blake2b(len),
            sum => sum,
        }
    }

    /// Whether the sum is a number instead of a digest; its lines have another format.
    pub(super) fn is_number(self) -> bool {
        matches!(self, Self::Bsd | Self::SystemV | Self::Crc | Self::Crc32b)
    }
}

/// The result for a file: a digest, or a number and the file's length in bytes.
pub(super) enum Outcome {
    Digest(Vec<u8>),
    Number { sum: u32, len: u64 },
}

/// Reads a file to its end and computes a sum that `lanesum-files` lacks.
pub(super) fn other(sum: Sum, file: File) -> io::Result<Outcome> {
    Ok(match sum {
        Sum::Lanesum(_) | Sum::Sha2(_) | Sum::Sha3(_) => unreachable!("it is a checksum"),
        Sum::Blake2b(len) => {
            let mut state = ForeignHasher::blake2b(len);
            each(file, |bytes| state.update(bytes))?;
            Outcome::Digest(state.finish().as_bytes().to_vec())
        }
        Sum::Crc => {
            static CRC: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32_CKSUM);
            let mut state = CRC.digest();
            let len = each(file, |bytes| state.update(bytes))?;
            // POSIX appends the length, least significant byte first, without leading zeros.
            let bytes = len.to_le_bytes();
            state.update(&bytes[..8 - len.leading_zeros() as usize / 8]);
            Outcome::Number { sum: state.finalize(), len }
        }
        Sum::Crc32b => {
            let (sum, len) = crc32::of(file)?;
            Outcome::Number { sum, len }
        }
        Sum::Bsd => {
            let mut sum = 0_u16;
            let add = |sum: u16, &byte: &u8| sum.rotate_right(1).wrapping_add(byte.into());
            let len = each(file, |bytes| sum = bytes.iter().fold(sum, add))?;
            Outcome::Number { sum: sum.into(), len }
        }
        Sum::SystemV => {
            let mut sum = 0_u32;
            let add = |sum: u32, &byte: &u8| sum.wrapping_add(byte.into());
            let len = each(file, |bytes| sum = bytes.iter().fold(sum, add))?;
            let folded = (sum & 0xffff) + (sum >> 16);
            Outcome::Number { sum: (folded & 0xffff) + (folded >> 16), len }
        }
    })
}
