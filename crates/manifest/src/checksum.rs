//! The algorithms of checksum lines.

use std::fmt;
use std::str::FromStr;

use data_encoding::HEXLOWER;
use lanesum_spec::{Algorithm, digest};

/// The algorithm of a checksum line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Checksum {
    /// An algorithm that Lanesum implements.
    Lanesum(Algorithm),
    /// An algorithm that another library implements.
    Foreign(Foreign),
}

/// An algorithm that another library implements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Foreign {
    /// BLAKE2b with digests of 512 bits, RFC 7693.
    Blake2b,
    /// BLAKE3 with digests of 256 bits.
    Blake3,
    /// SHA3-224, FIPS 202.
    Sha3_224,
    /// SHA3-256, FIPS 202.
    Sha3_256,
    /// SHA3-384, FIPS 202.
    Sha3_384,
    /// SHA3-512, FIPS 202.
    Sha3_512,
}

/// A row of the table of foreign algorithms.
struct Row {
    name: &'static str,
    /// The tag is also the name in messages.
    tag: &'static str,
    aliases: &'static [&'static str],
    digest_len: usize,
    /// The digest of the empty message.
    empty_digest: &'static str,
}

impl Foreign {
    /// Every foreign algorithm.
    pub const ALL: [Self; 6] = [
        Self::Blake2b,
        Self::Blake3,
        Self::Sha3_224,
        Self::Sha3_256,
        Self::Sha3_384,
        Self::Sha3_512,
    ];

    const fn row(self) -> &'static Row {
        match self {
            // OpenSSL's names follow b2sum's.
            Self::Blake2b => &Row {
                name: "blake2b",
                tag: "BLAKE2b",
                aliases: &["blake2b-512", "blake2b512"],
                digest_len: 64,
                empty_digest: "786a02f742015903c6c6fd852552d272912f4740e15847618a86e217f71f5419\
                           d25e1031afee585313896444934eb04b903a685b1448b755d56f701afe9be2ce",
            },
            Self::Blake3 => &Row {
                name: "blake3",
                tag: "BLAKE3",
                aliases: &[],
                digest_len: 32,
                empty_digest: "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262",
            },
            // hashlib's names follow OpenSSL's and coreutils'.
            Self::Sha3_224 => &Row {
                name: "sha3-224",
                tag: "SHA3-224",
                aliases: &["sha3_224"],
                digest_len: 28,
                empty_digest: "6b4e03423667dbb73b6e15454f0eb1abd4597f9a1b078e3f5b5a6bc7",
            },
            Self::Sha3_256 => &Row {
                name: "sha3-256",
                tag: "SHA3-256",
                aliases: &["sha3_256"],
                digest_len: 32,
                empty_digest: "a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a",
            },
            Self::Sha3_384 => &Row {
                name: "sha3-384",
                tag: "SHA3-384",
                aliases: &["sha3_384"],
                digest_len: 48,
                empty_digest: "0c63a75b845e4f7d01107d852e4c2485c51a50aaaa94fc61995e71bbee983a2a\
                           c3713831264adb47fb6bd1e058d5f004",
            },
            Self::Sha3_512 => &Row {
                name: "sha3-512",
                tag: "SHA3-512",
                aliases: &["sha3_512"],
                digest_len: 64,
                empty_digest: "a69f73cca23a9ac5c8b567dc185a756e97c982164fe25859e0d1dcc1475c80a6\
                           15b2123af1f5f94c11e3e9402c3ac558f500199d95b6d3e301758586281dcd26",
            },
        }
    }
}

impl Checksum {
    /// Every listed algorithm: [`Algorithm::all`], then [`Foreign::ALL`].
    pub fn all() -> impl Iterator<Item = Self> {
        Algorithm::all().map(Self::Lanesum).chain(Foreign::ALL.map(Self::Foreign))
    }

    /// Returns the algorithm with this name, tag or alias, ignoring case.
    pub fn from_name(name: &str) -> Option<Self> {
        let is_named = |foreign: &Foreign| {
            let Row { name: known, tag, aliases, .. } = foreign.row();
            [known, tag].into_iter().chain(*aliases).any(|known| known.eq_ignore_ascii_case(name))
        };
        Algorithm::from_name(name)
            .map(Self::Lanesum)
            .or_else(|| Foreign::ALL.into_iter().find(is_named).map(Self::Foreign))
    }

    /// Returns the name for command lines and JSON: `sha512/256`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lanesum(algorithm) => algorithm.name(),
            Self::Foreign(foreign) => foreign.row().name,
        }
    }

    /// Returns the name for messages: `SHA-512/256`.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Lanesum(algorithm) => algorithm.title(),
            Self::Foreign(foreign) => foreign.row().tag,
        }
    }

    /// Returns the name in a BSD checksum line: `SHA256 (file) = ...`.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::Lanesum(algorithm) => algorithm.tag(),
            Self::Foreign(foreign) => foreign.row().tag,
        }
    }

    /// Returns the length of a digest, in bytes.
    pub const fn digest_len(self) -> usize {
        match self {
            Self::Lanesum(algorithm) => algorithm.digest_len(),
            Self::Foreign(foreign) => foreign.row().digest_len,
        }
    }

    /// Returns other names, in lower case.
    pub const fn aliases(self) -> &'static [&'static str] {
        match self {
            Self::Lanesum(algorithm) => algorithm.aliases(),
            Self::Foreign(foreign) => foreign.row().aliases,
        }
    }

    /// Returns the digest of the empty message.
    pub fn empty_digest(self) -> Vec<u8> {
        match self {
            Self::Lanesum(algorithm) => digest(algorithm, b"")[..algorithm.digest_len()].to_vec(),
            Self::Foreign(foreign) => {
                HEXLOWER.decode(foreign.row().empty_digest.as_bytes()).expect("hexadecimal")
            }
        }
    }

    /// Returns Lanesum's algorithm, if it is one.
    pub const fn lanesum(self) -> Option<Algorithm> {
        match self {
            Self::Lanesum(algorithm) => Some(algorithm),
            Self::Foreign(_) => None,
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

/// The error for an unknown name of an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownChecksum;

impl fmt::Display for UnknownChecksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown algorithm; expected one of ")?;
        Checksum::all().try_for_each(|algorithm| write!(f, "{algorithm}, "))?;
        f.write_str("or sha512/t for a multiple t of 8")
    }
}

impl std::error::Error for UnknownChecksum {}

impl FromStr for Checksum {
    type Err = UnknownChecksum;

    fn from_str(name: &str) -> Result<Self, UnknownChecksum> {
        Self::from_name(name).ok_or(UnknownChecksum)
    }
}
