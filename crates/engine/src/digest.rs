//! The published output of a hash function.

use core::fmt;
use core::str::FromStr;

use subtle::ConstantTimeEq;

/// A digest: up to 64 bytes, shown as lower-case hexadecimal.
///
/// Two digests are compared in constant time, so that a digest which is a
/// secret (a MAC) may be compared as well.
#[derive(Clone, Copy)]
pub struct Digest {
    bytes: [u8; 64],
    len: u8,
}

impl Digest {
    /// The longest digest, in bytes.
    pub const MAX_LEN: usize = 64;

    /// The digest whose bytes are the first `len` of `bytes`.
    #[inline]
    pub(crate) fn new(bytes: &[u8; 64], len: usize) -> Self {
        debug_assert!(len <= Self::MAX_LEN);
        Self { bytes: *bytes, len: len as u8 }
    }

    /// Its first `len` bytes.
    pub(crate) fn truncated(&self, len: usize) -> Self {
        debug_assert!(len <= self.len.into());
        Self { bytes: self.bytes, len: len as u8 }
    }

    /// Overwrites it: a digest that was a secret.
    pub(crate) fn wipe(&mut self) {
        crate::wipe::wipe(&mut self.bytes, 0);
    }

    /// The bytes: [`digest_len`](crate::Algorithm::digest_len) of them.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }
}

/// No bytes: a place for a digest to come.
impl Default for Digest {
    fn default() -> Self {
        Self { bytes: [0; 64], len: 0 }
    }
}

/// Fails for more than [`MAX_LEN`](Digest::MAX_LEN) bytes.
impl TryFrom<&[u8]> for Digest {
    type Error = ParseDigestError;

    fn try_from(from: &[u8]) -> Result<Self, ParseDigestError> {
        let mut digest = Self::default();
        digest.bytes.get_mut(..from.len()).ok_or(ParseDigestError)?.copy_from_slice(from);
        digest.len = from.len() as u8;
        Ok(digest)
    }
}

/// Reads hexadecimal, in upper or lower case.
impl FromStr for Digest {
    type Err = ParseDigestError;

    fn from_str(hex: &str) -> Result<Self, ParseDigestError> {
        let (pairs, []) = hex.as_bytes().as_chunks::<2>() else { return Err(ParseDigestError) };
        let digit = |byte: u8| char::from(byte).to_digit(16).ok_or(ParseDigestError);
        let mut digest = Self::default();
        let places = digest.bytes.get_mut(..pairs.len()).ok_or(ParseDigestError)?;
        for (to, [high, low]) in places.iter_mut().zip(pairs) {
            *to = (digit(*high)? << 4 | digit(*low)?) as u8;
        }
        digest.len = pairs.len() as u8;
        Ok(digest)
    }
}

/// The bytes, or the hexadecimal, of no digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseDigestError;

impl fmt::Display for ParseDigestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a digest: at most 64 bytes, as pairs of hexadecimal digits")
    }
}

impl core::error::Error for ParseDigestError {}

impl AsRef<[u8]> for Digest {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl PartialEq for Digest {
    fn eq(&self, other: &Self) -> bool {
        *self == *other.as_bytes()
    }
}

impl Eq for Digest {}

/// Compares in constant time; digests of other lengths are not equal.
impl PartialEq<[u8]> for Digest {
    fn eq(&self, other: &[u8]) -> bool {
        self.as_bytes().ct_eq(other).into()
    }
}

impl fmt::LowerHex for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hex = crate::outputs::hex(&self.bytes);
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
