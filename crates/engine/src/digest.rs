//! A digest: the output of a hash function.

use core::borrow::Borrow;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::str::FromStr;

use lanesum_spec::{Algorithm, Int};
use subtle::ConstantTimeEq;

use crate::base::{wipe, write_hex};
use crate::words::bytes;

/// A digest or an authentication tag: up to 64 bytes, displayed as lower-case hexadecimal.
///
/// Usable as a map key, ordered by its bytes, and parsed from hexadecimal:
///
/// ```
/// use std::collections::HashMap;
/// use lanesum::{Algorithm, Digest, hash};
///
/// let digest = hash(Algorithm::SHA256, "abc");
/// let names = HashMap::from([(digest, "abc")]);
/// let read: Digest = digest.to_string().parse()?;
/// assert_eq!(names[&read], "abc");
///
/// let bytes: [u8; 32] = digest.try_into()?;
/// assert_eq!(digest, bytes);
/// # Ok::<(), lanesum::ParseDigestError>(())
/// ```
///
/// `==` runs in constant time for digests of equal length, so it is safe for secret digests such as
/// MACs. `Ord` and `Hash` are not: use them only for digests that are not secret.
#[derive(Clone, Copy)]
pub struct Digest {
    bytes: [u8; 64],
    len: u8,
}

impl Digest {
    /// The longest digest, in bytes.
    pub const MAX_LEN: usize = 64;

    /// An empty digest, as a placeholder.
    pub const EMPTY: Self = Self { bytes: [0; 64], len: 0 };

    /// Returns the digest of a final chaining value: its words in the family's byte order, truncated to
    /// the algorithm's length.
    #[inline]
    pub(crate) fn of<I: Int>(algorithm: Algorithm, state: &[I; 8]) -> Self {
        Self::new(&bytes(algorithm.family(), state), algorithm.digest_len())
    }

    /// Returns the digest of the bytes of a final chaining value.
    #[inline]
    pub(crate) fn of_bytes(algorithm: Algorithm, bytes: &[u8]) -> Self {
        let mut all = [0; 64];
        all[..bytes.len()].copy_from_slice(bytes);
        Self::new(&all, algorithm.digest_len())
    }

    /// Creates a digest from the first `len` of `bytes`.
    #[inline]
    pub(crate) fn new(bytes: &[u8; 64], len: usize) -> Self {
        debug_assert!(len <= Self::MAX_LEN);
        Self { bytes: *bytes, len: len as u8 }
    }

    /// Returns the first `len` bytes of the digest.
    ///
    /// # Panics
    ///
    /// If the digest is shorter than `len`.
    #[track_caller]
    pub fn truncated(&self, len: usize) -> Self {
        assert!(
            len <= self.len.into(),
            "a digest of {} bytes cannot be truncated to {len}",
            self.len
        );
        Self { bytes: self.bytes, len: len as u8 }
    }

    /// Returns the whole buffer. Bytes past the digest's length are unspecified.
    #[inline]
    pub(crate) fn room(&self) -> &[u8; 64] {
        &self.bytes
    }

    /// Returns the first `N` bytes. `N` must not exceed the length of the digest.
    #[inline]
    pub(crate) fn first<const N: usize>(&self) -> [u8; N] {
        let mut first = [0; N];
        first.copy_from_slice(&self.bytes[..N]);
        first
    }

    /// Overwrites the bytes of a secret digest.
    pub(crate) fn wipe(&mut self) {
        wipe(&mut self.bytes, 0);
    }

    /// Returns the bytes of the digest; their number is the algorithm's
    /// [`digest_len`](crate::Algorithm::digest_len).
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }
}

/// Returns the empty digest.
impl Default for Digest {
    fn default() -> Self {
        Self::EMPTY
    }
}

/// Fails if the slice is longer than [`MAX_LEN`](Digest::MAX_LEN).
impl TryFrom<&[u8]> for Digest {
    type Error = ParseDigestError;

    fn try_from(from: &[u8]) -> Result<Self, ParseDigestError> {
        let mut digest = Self::EMPTY;
        let too_long = ParseDigestError::TooLong { len: from.len() };
        digest.bytes.get_mut(..from.len()).ok_or(too_long)?.copy_from_slice(from);
        digest.len = from.len() as u8;
        Ok(digest)
    }
}

/// Does not compile if `N` exceeds [`MAX_LEN`](Digest::MAX_LEN).
impl<const N: usize> From<[u8; N]> for Digest {
    fn from(from: [u8; N]) -> Self {
        const { assert!(N <= Self::MAX_LEN) };
        let mut digest = Self::EMPTY;
        digest.bytes[..N].copy_from_slice(&from);
        digest.len = N as u8;
        digest
    }
}

/// Fails if the digest is not `N` bytes long.
impl<const N: usize> TryFrom<Digest> for [u8; N] {
    type Error = ParseDigestError;

    fn try_from(digest: Digest) -> Result<Self, ParseDigestError> {
        let other = ParseDigestError::OtherLength { len: digest.as_bytes().len(), expected: N };
        digest.as_bytes().try_into().map_err(|_| other)
    }
}

/// Parses hexadecimal in upper or lower case. Nothing is an empty digest, which no message has.
impl FromStr for Digest {
    type Err = ParseDigestError;

    fn from_str(hex: &str) -> Result<Self, ParseDigestError> {
        if let Some((index, digit)) = hex.char_indices().find(|(_, c)| !c.is_ascii_hexdigit()) {
            return Err(ParseDigestError::NotHex { index, digit });
        }
        let (pairs, []) = hex.as_bytes().as_chunks::<2>() else {
            return Err(ParseDigestError::HalfByte { digits: hex.len() });
        };
        let digit = |byte: u8| char::from(byte).to_digit(16).unwrap_or(0);
        let mut digest = Self::EMPTY;
        let too_long = ParseDigestError::TooLong { len: pairs.len() };
        let places = digest.bytes.get_mut(..pairs.len()).ok_or(too_long)?;
        for (to, [high, low]) in places.iter_mut().zip(pairs) {
            *to = (digit(*high) << 4 | digit(*low)) as u8;
        }
        digest.len = pairs.len() as u8;
        Ok(digest)
    }
}

/// The error for bytes or text that are not a digest, and for an array of another length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParseDigestError {
    /// A character is not a hexadecimal digit.
    NotHex {
        /// The index of its first byte.
        index: usize,
        /// The character.
        digit: char,
    },
    /// The number of hexadecimal digits is odd.
    HalfByte {
        /// The number of digits.
        digits: usize,
    },
    /// There are more than [`Digest::MAX_LEN`] bytes.
    TooLong {
        /// The number of bytes.
        len: usize,
    },
    /// The array has another length than the digest.
    OtherLength {
        /// The length of the digest, in bytes.
        len: usize,
        /// The length of the array, in bytes.
        expected: usize,
    },
}

impl fmt::Display for ParseDigestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NotHex { index, digit } => {
                write!(f, "{digit:?} at byte {index} is not a hexadecimal digit")
            }
            Self::HalfByte { digits } => {
                write!(f, "{digits} hexadecimal digits are not a whole number of bytes")
            }
            Self::TooLong { len } => {
                write!(f, "{len} bytes are too long for a digest: at most {}", Digest::MAX_LEN)
            }
            Self::OtherLength { len, expected } => {
                write!(f, "a digest of {len} bytes does not fit an array of {expected}")
            }
        }
    }
}

impl core::error::Error for ParseDigestError {}

impl AsRef<[u8]> for Digest {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

/// `Eq`, `Ord` and `Hash` agree with the byte slice.
impl Borrow<[u8]> for Digest {
    fn borrow(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl PartialEq for Digest {
    fn eq(&self, other: &Self) -> bool {
        *self == *other.as_bytes()
    }
}

impl Eq for Digest {}

impl PartialOrd for Digest {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Orders digests by the first byte that differs. A digest sorts before the longer digests that
/// begin with it.
impl Ord for Digest {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_bytes().cmp(other.as_bytes())
    }
}

impl Hash for Digest {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}

/// Compares in constant time. Slices of another length are not equal.
impl PartialEq<[u8]> for Digest {
    fn eq(&self, other: &[u8]) -> bool {
        self.as_bytes().ct_eq(other).into()
    }
}

impl PartialEq<&[u8]> for Digest {
    fn eq(&self, other: &&[u8]) -> bool {
        *self == **other
    }
}

impl<const N: usize> PartialEq<[u8; N]> for Digest {
    fn eq(&self, other: &[u8; N]) -> bool {
        *self == *other.as_slice()
    }
}

impl<const N: usize> PartialEq<Digest> for [u8; N] {
    fn eq(&self, other: &Digest) -> bool {
        other == self
    }
}

impl fmt::LowerHex for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut hex = [0; 2 * Self::MAX_LEN];
        write_hex(&self.bytes, hex.as_chunks_mut().0);
        f.write_str(str::from_utf8(&hex[..2 * usize::from(self.len)]).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::LowerHex::fmt(self, f)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::LowerHex::fmt(self, f)
    }
}

/// Hexadecimal in human-readable formats (JSON, TOML), bytes in others.
#[cfg(feature = "serde")]
mod serialized {
    use serde::de::{Error, Visitor};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{Digest, fmt};

    impl Serialize for Digest {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            match to.is_human_readable() {
                true => to.collect_str(self),
                false => to.serialize_bytes(self.as_bytes()),
            }
        }
    }

    impl<'de> Deserialize<'de> for Digest {
        fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            match from.is_human_readable() {
                true => from.deserialize_str(Reader),
                false => from.deserialize_bytes(Reader),
            }
        }
    }

    struct Reader;

    impl Visitor<'_> for Reader {
        type Value = Digest;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a digest of at most 64 bytes, or its hexadecimal")
        }

        fn visit_str<E: Error>(self, hex: &str) -> Result<Digest, E> {
            hex.parse().map_err(E::custom)
        }

        fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Digest, E> {
            bytes.try_into().map_err(E::custom)
        }
    }
}
