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

/// What `text` is in base64, at most 64 bytes, padded with zeros; none if base64 would not be
/// written so.
pub(crate) fn decode_base64(text: &[u8]) -> Option<DigestBytes> {
    let mut bytes = [0; 66];
    let room = BASE64.decode_len(text.len()).ok().filter(|room| *room <= bytes.len())?;
    let len = BASE64.decode_mut(text, &mut bytes[..room]).ok().filter(|len| *len <= 64)?;
    let mut digest = [0; 64];
    digest[..len].copy_from_slice(&bytes[..len]);
    Some(digest)
}

/// The digest that `text` is in hexadecimal or base64, padded with zeros.
pub(crate) fn decode(algorithm: Checksum, text: &[u8]) -> Result<DigestBytes, Malformed> {
    let len = algorithm.digest_len();
    let mut malformed = Malformed::DigestLength { algorithm, characters: text.len() };
    for encoding in [HEXLOWER_PERMISSIVE, BASE64] {
        if encoding.encode_len(len) != text.len() {
            continue;
        }
        // Room is made for base64's padding too.
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

/// Fills `bytes` with what `text` is in hexadecimal; none if it is of another length
/// or no hexadecimal.
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

/// The algorithms that a digest's length selects from, the preferred of a length first. Every
/// foreign algorithm shares its length with one of these.
fn by_len() -> impl Iterator<Item = Checksum> {
    Algorithm::all().map(Checksum::Lanesum)
}

/// The algorithm that a digest of `len` bytes is taken to be of.
pub(crate) fn of_len(len: usize) -> Option<Checksum> {
    by_len().find(|algorithm| algorithm.digest_len() == len)
}

/// Whether `text` is one or more hexadecimal digits.
pub(crate) fn is_hex(text: &[u8]) -> bool {
    // Looked at to the end whatever there is, which is the work of few vectors.
    !text.is_empty() && text.iter().fold(true, |is_hex, byte| is_hex & byte.is_ascii_hexdigit())
}

/// Where the digest ends that a line begins with and a space follows; none if it does not begin
/// with one in hexadecimal.
pub(crate) fn end(line: &[u8]) -> Option<usize> {
    let mut ends = by_len().map(|algorithm| 2 * algorithm.digest_len());
    ends.find(|&end| line.get(end) == Some(&b' ') && is_hex(&line[..end]))
}
