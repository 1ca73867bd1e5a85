//! The reasons why a line is not an entry.

use std::fmt;

use data_encoding::{BASE64, HEXLOWER};

use crate::{Checksum, InvalidEntry, MAX_LINE};

/// Why a line is not an entry, as a clause that follows the manifest's name and the line number.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Malformed {
    /// The line matches no format.
    Unrecognized,
    /// The line is longer than [`MAX_LINE`].
    TooLong,
    /// The line contains NUL.
    Nul,
    /// The manifest is UTF-16.
    Utf16,
    /// A tab follows the digest.
    Tab,
    /// One space follows the digest, but two do on earlier lines.
    OneSpace,
    /// The tag is not a known algorithm.
    UnknownAlgorithm(String),
    /// The algorithm of the line differs from the one in [`Options`](crate::Options).
    OtherAlgorithm {
        /// The line's algorithm.
        tagged: Checksum,
        /// The requested algorithm.
        asked: Checksum,
    },
    /// The length of the digest is not the algorithm's.
    DigestLength {
        /// The algorithm.
        algorithm: Checksum,
        /// The length of the digest on the line, in characters.
        characters: usize,
    },
    /// No algorithm has digests of this length.
    UnknownLength {
        /// The length, in hexadecimal digits.
        digits: usize,
    },
    /// The digest has the right length, but is neither hexadecimal nor base64.
    NotADigest,
    /// An escaped name has a backslash before a character other than `\`, `n` or `r`.
    Escape,
    /// The line is not JSON, or not an object with the fields of an entry.
    Json(String),
    /// The digest is a CRC-32.
    Crc,
    /// The end of the name is truncated.
    Cut,
    /// The line has only a digest, and the manifest's name does not identify the file.
    Bare,
    /// The name is empty or contains NUL.
    Name(InvalidEntry),
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unrecognized => f.write_str("not a checksum line"),
            Self::TooLong => write!(f, "the line is longer than {MAX_LINE} bytes"),
            Self::Nul => {
                f.write_str("the line contains a NUL; use -z if the lines of the manifest end in NUL")
            }
            Self::Utf16 => f.write_str("the manifest is UTF-16; convert it to UTF-8"),
            Self::Tab => f.write_str("a tab follows the digest; replace it with two spaces"),
            Self::OneSpace => f.write_str(
                "one space follows the digest, but two on earlier lines; insert a second space",
            ),
            Self::UnknownAlgorithm(tag) => {
                write!(f, "unknown algorithm {tag}; see 'lanesum list'")
            }
            Self::OtherAlgorithm { tagged, asked } => {
                write!(
                    f,
                    "the digest is {tagged}, not {asked}; omit -a to use each line's own algorithm"
                )
            }
            Self::DigestLength { algorithm, characters } => write!(
                f,
                "the digest has {characters} characters; {algorithm} digests have {} (or {} in base64)",
                HEXLOWER.encode_len(algorithm.digest_len()),
                BASE64.encode_len(algorithm.digest_len()),
            ),
            Self::UnknownLength { digits } => {
                write!(
                    f,
                    "{digits} hexadecimal digits identify no algorithm; if the line is complete, select one with -a"
                )
            }
            Self::NotADigest => f.write_str("the digest is neither hexadecimal nor base64"),
            Self::Escape => f.write_str(
                r"invalid escape in the name; valid escapes are \\ \n \r",
            ),
            Self::Json(reason) => f.write_str(reason),
            Self::Crc => f.write_str(
                "CRC-32 detects accidental corruption only; 'lanesum check' accepts it in SFV files",
            ),
            Self::Cut => f.write_str(
                "the name is truncated; write the table with Export-Csv or Format-List",
            ),
            Self::Bare => f.write_str(
                "the digest has no file name; a file called NAME.sha256 needs none",
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
