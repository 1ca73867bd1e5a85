//! The reasons why a line is not an entry.

use std::fmt;

use data_encoding::{BASE64, HEXLOWER};

use crate::{Checksum, InvalidEntry, MAX_LINE};

/// Why a line is not an entry, as a clause to follow the manifest's name and the
/// line's number.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Malformed {
    /// The line is like none of the formats.
    Unrecognized,
    /// The line is longer than [`MAX_LINE`].
    TooLong,
    /// There is a NUL in the line.
    Nul,
    /// The manifest is UTF-16.
    Utf16,
    /// A tab follows the digest.
    Tab,
    /// One space follows the digest, but two do on lines before.
    OneSpace,
    /// The tag names no algorithm.
    UnknownAlgorithm(String),
    /// The line is of another algorithm than [`Options`](crate::Options) ask for.
    OtherAlgorithm {
        /// The line's algorithm.
        tagged: Checksum,
        /// The algorithm asked for.
        asked: Checksum,
    },
    /// The digest is not as long as its algorithm's are.
    DigestLength {
        /// The algorithm.
        algorithm: Checksum,
        /// The length of the digest as it stands on the line.
        characters: usize,
    },
    /// No algorithm is known by a digest of this length.
    UnknownLength {
        /// The length, in hexadecimal digits.
        digits: usize,
    },
    /// The digest is as long as it should be, but not hexadecimal or base64.
    NotADigest,
    /// A backslash in an escaped name stands before something else than `\`, `n` or `r`.
    Escape,
    /// The line is not JSON, or not an object with the fields of an entry.
    Json(String),
    /// The digest is a CRC-32.
    Crc,
    /// The end of the name is left out.
    Cut,
    /// A digest stands alone, and nothing tells what it is of.
    Bare,
    /// The name is empty or holds a NUL.
    Name(InvalidEntry),
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unrecognized => f.write_str("not a checksum line"),
            Self::TooLong => write!(f, "the line is longer than {MAX_LINE} bytes"),
            Self::Nul => {
                f.write_str("a NUL in the line (a manifest whose lines end in NUL is read with -z)")
            }
            Self::Utf16 => f.write_str("the manifest is UTF-16; convert it to UTF-8"),
            Self::Tab => f.write_str("a tab follows the digest; put two spaces there in its place"),
            Self::OneSpace => f.write_str(
                "one space follows the digest, but two do on lines before; put two there",
            ),
            Self::UnknownAlgorithm(tag) => {
                write!(f, "unknown algorithm {tag}; `lanesum list` shows those there are")
            }
            Self::OtherAlgorithm { tagged, asked } => {
                write!(
                    f,
                    "a digest of {tagged}, where {asked} was asked for; without -a each line has its own"
                )
            }
            Self::DigestLength { algorithm, characters } => write!(
                f,
                "a digest of {characters} characters, where {algorithm} has {} (or {} in base64)",
                HEXLOWER.encode_len(algorithm.digest_len()),
                BASE64.encode_len(algorithm.digest_len()),
            ),
            Self::UnknownLength { digits } => {
                write!(
                    f,
                    "no algorithm is known by a digest of {digits} hexadecimal digits; \
                     if the line is whole, name its algorithm with -a"
                )
            }
            Self::NotADigest => f.write_str("the digest is neither hexadecimal nor base64"),
            Self::Escape => f.write_str(
                r"a backslash in the name is not before another, n or r, as in \\ \n \r",
            ),
            Self::Json(reason) => f.write_str(reason),
            Self::Crc => f.write_str(
                "CRC-32 detects accidental corruption only; 'lanesum check' takes it where nothing better is known",
            ),
            Self::Cut => f.write_str(
                "the name is cut off; write the table by Export-Csv or Format-List",
            ),
            Self::Bare => f.write_str(
                "a digest without a name; in a file called NAME.sha256 it would be of NAME",
            ),
            Self::Name(invalid) => invalid.fmt(f),
        }
    }
}

impl std::error::Error for Malformed {}

impl From<InvalidEntry> for Malformed {
    fn from(invalid: InvalidEntry) -> Self {
        Self::Name(invalid)
    }
}
