//! `SHA256 (name) = <hex>`, and OpenSSL's `SHA2-256(name)= <hex>`.

use super::{Text, is_escaped, push_name, tagged};
use crate::{Checksum, Entry, Malformed, Terminator, digest};

/// Maximum length of a tag. Digests are longer, except very short ones in base64.
const MAX_TAG: usize = 23;

pub(super) fn write(entry: &Entry<'_>, terminator: Terminator, out: &mut Vec<u8>) {
    write_tagged(entry.algorithm().tag(), entry, terminator, out);
}

/// `sha256 (name) = <hex>`, as printed by Solaris's `digest -v`.
pub(super) fn write_solaris(entry: &Entry<'_>, terminator: Terminator, out: &mut Vec<u8>) {
    write_tagged(entry.algorithm().name(), entry, terminator, out);
}

fn write_tagged(tag: &str, entry: &Entry<'_>, terminator: Terminator, out: &mut Vec<u8>) {
    if is_escaped(entry.name(), terminator) {
        out.push(b'\\');
    }
    out.extend(tag.as_bytes());
    out.extend(b" (");
    push_name(entry.name(), terminator, out);
    out.extend(b") = ");
    digest::push_hex(entry.digest(), out);
}

pub(super) fn read<'a>(
    text: Text<'a>,
    asked: Option<Checksum>,
) -> Option<Result<Entry<'a>, Malformed>> {
    let bracket = text.line.iter().position(|&b| b == b'(')?;
    let (tag, rest) = text.line.split_at(bracket);
    // rhash aligns tags of all lengths in a column.
    let tag = str::from_utf8(tag.trim_ascii_end()).ok()?;
    if tag.is_empty() {
        return read_bare(text, rest, asked);
    }
    let algorithm = Checksum::from_name(tag);
    if algorithm.is_none() && !is_like_a_tag(tag) {
        return None;
    }
    // A name may contain parentheses; a digest does not.
    let end = rest.iter().rposition(|&b| b == b')');
    let parts = end.and_then(|end| Some((&rest[1..end], after_equals(&rest[end + 1..])?)));
    Some(match (algorithm, parts) {
        (None, Some(_)) => Err(Malformed::UnknownAlgorithm(tag.to_owned())),
        (None, None) => return None,
        (Some(_), None) => Err(Malformed::Unrecognized),
        (Some(algorithm), Some((name, digest))) => read_entry(text, algorithm, asked, name, digest),
    })
}

/// `(name) = <hex>`, as printed by Solaris's `digest` for several files.
fn read_bare<'a>(
    text: Text<'a>,
    rest: &'a [u8],
    asked: Option<Checksum>,
) -> Option<Result<Entry<'a>, Malformed>> {
    let end = rest.iter().rposition(|&b| b == b')')?;
    let digest = after_equals(&rest[end + 1..]).filter(|digest| digest::is_hex(digest))?;
    let recognized = match asked {
        Some(asked) => digest::decode(asked, digest).map(|digest| (asked, digest)),
        None => digest::recognize(digest),
    };
    Some(recognized.and_then(|(algorithm, digest)| {
        Ok(Entry::from_parts(algorithm, digest, text.name(&rest[1..end])?)?)
    }))
}

fn read_entry<'a>(
    text: Text<'a>,
    tag: Checksum,
    asked: Option<Checksum>,
    name: &'a [u8],
    digest: &[u8],
) -> Result<Entry<'a>, Malformed> {
    let algorithm = tagged(tag, asked)?;
    let digest = digest::decode(algorithm, digest)?;
    Ok(Entry::from_parts(algorithm, digest, text.name(name)?)?)
}

/// Whether `tag` might name an algorithm, rather than be the digest of an untagged line with one
/// space and a parenthesis in its name.
fn is_like_a_tag(tag: &str) -> bool {
    (1..=MAX_TAG).contains(&tag.len())
        && tag.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'/' | b'_'))
        && !digest::is_hex(tag.as_bytes())
}

/// Returns the text after an equals sign and optional spaces around it.
fn after_equals(text: &[u8]) -> Option<&[u8]> {
    Some(text.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start())
}
