//! Digests as text: hexadecimal and base64.

use data_encoding::{BASE64, HEXLOWER, HEXLOWER_PERMISSIVE};
use lanesum_spec::{Algorithm, DigestBytes};

use crate::{Checksum, Malformed};

/// Appends the digest in hexadecimal, in lower case.
pub(crate) fn push_hex(digest: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + HEXLOWER.encode_len(digest.len()), 0);
    HEXLOWER.encode_mut(digest, &mut out[start..]);
}

/// Appends the digest in base64.
pub(crate) fn push_base64(digest: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + BASE64.encode_len(digest.len()), 0);
    BASE64.encode_mut(digest, &mut out[start..]);
}

/// Decodes `text` from base64 to at most 64 bytes, padded with zeros; `None` if it is not canonical
/// base64.
pub(crate) fn decode_base64(text: &[u8]) -> Option<DigestBytes> {
    let mut bytes = [0; 66];
    let room = BASE64.decode_len(text.len()).ok().filter(|room| *room <= bytes.len())?;
    let len = BASE64.decode_mut(text, &mut bytes[..room]).ok().filter(|len| *len <= 64)?;
    let mut digest = [0; 64];
    digest[..len].copy_from_slice(&bytes[..len]);
    Some(digest)
}

/// Decodes a digest from hexadecimal or base64, padded with zeros.
pub(crate) fn decode(algorithm: Checksum, text: &[u8]) -> Result<DigestBytes, Malformed> {
    let len = algorithm.digest_len();
    let mut malformed = Malformed::DigestLength { algorithm, characters: text.len() };
    for encoding in [HEXLOWER_PERMISSIVE, BASE64] {
        if encoding.encode_len(len) != text.len() {
            continue;
        }
        // Include space for base64's padding.
        let mut bytes = [0; 66];
        let decoded = encoding
            .decode_len(text.len())
            .ok()
            .and_then(|room| encoding.decode_mut(text, &mut bytes[..room]).ok());
        if decoded == Some(len) {
            let mut digest = [0; 64];
            digest[..len].copy_from_slice(&bytes[..len]);
            return Ok(digest);
        }
        malformed = Malformed::NotADigest;
    }
    Err(malformed)
}

/// Decodes `text` from hexadecimal into `bytes`; `None` if its length differs or it is not
/// hexadecimal.
pub(crate) fn decode_hex(text: &[u8], bytes: &mut [u8]) -> Option<()> {
    (HEXLOWER_PERMISSIVE.encode_len(bytes.len()) == text.len()).then_some(())?;
    HEXLOWER_PERMISSIVE.decode_mut(text, bytes).ok()?;
    Some(())
}

/// Decodes a digest whose length selects the algorithm.
///
/// If several algorithms have the length, the first in the table is used: SHA-1, not RIPEMD-160;
/// SHA-256, not SHA-512/256 or SM3. Base64 is recognized by its padding. SHA-384's is unpadded, so its base64
/// is not recognized: it is as long as SHA-256 in hexadecimal, and a corrupt digest of one must not
/// become a digest of the other.
pub(crate) fn recognize(text: &[u8]) -> Result<(Checksum, DigestBytes), Malformed> {
    let (encoding, unknown) = if is_hex(text) {
        (HEXLOWER_PERMISSIVE, Malformed::UnknownLength { digits: text.len() })
    } else if text.ends_with(b"=") {
        (BASE64, Malformed::Unrecognized)
    } else {
        return Err(Malformed::Unrecognized);
    };
    let algorithm = by_len()
        .find(|algorithm| encoding.encode_len(algorithm.digest_len()) == text.len())
        .ok_or(unknown)?;
    Ok((algorithm, decode(algorithm, text)?))
}

/// The algorithms that the length of a digest selects, with the preferred one of each length first.
/// Every foreign algorithm shares its length with one of these.
fn by_len() -> impl Iterator<Item = Checksum> {
    Algorithm::all().map(Checksum::Lanesum)
}

/// Returns the algorithm assumed for a digest of `len` bytes.
pub(crate) fn of_len(len: usize) -> Option<Checksum> {
    by_len().find(|algorithm| algorithm.digest_len() == len)
}

/// Whether `text` is one or more hexadecimal digits.
pub(crate) fn is_hex(text: &[u8]) -> bool {
    // Without an early exit, so that the loop is vectorized.
    !text.is_empty() && text.iter().fold(true, |is_hex, byte| is_hex & byte.is_ascii_hexdigit())
}

/// Returns the end of the hexadecimal digest at the start of a line, which a space must follow;
/// `None` if there is no such digest.
pub(crate) fn end(line: &[u8]) -> Option<usize> {
    let mut ends = by_len().map(|algorithm| 2 * algorithm.digest_len());
    ends.find(|&end| line.get(end) == Some(&b' ') && is_hex(&line[..end]))
}
