//! Read-only formats: PowerShell's tables, and lines that start with the name, such as SFV and
//! `rhash --simple`.

use std::borrow::Cow;

use super::tagged;
use crate::{Checksum, Entry, InvalidEntry, Malformed, digest};

/// PowerShell's output of `Get-FileHash`: a table, or a list with a line for each property.
#[derive(Clone, Debug, Default)]
pub(crate) struct PowerShell {
    algorithm: Option<String>,
    digest: Option<String>,
}

/// A line of a PowerShell table or list.
pub(crate) enum Shown<'a> {
    Entry(Result<Entry<'a>, Malformed>),
    /// A header, or a part of a file's list.
    Part,
}

impl PowerShell {
    /// Parses a line of such a table or list.
    pub(crate) fn read<'a>(
        &mut self,
        line: &'a [u8],
        asked: Option<Checksum>,
    ) -> Option<Shown<'a>> {
        if let Some((key, value)) = property(line) {
            match key {
                "Algorithm" => self.algorithm = Some(value.to_owned()),
                "Hash" => self.digest = Some(value.to_owned()),
                _ => {
                    let (algorithm, digest) = (self.algorithm.take()?, self.digest.take()?);
                    return Some(Shown::Entry(entry(
                        &algorithm,
                        digest.as_bytes(),
                        value.as_bytes(),
                        asked,
                    )));
                }
            }
            return Some(Shown::Part);
        }
        let mut words = line.splitn(2, |byte| *byte == b' ');
        let first = str::from_utf8(words.next()?).ok()?;
        let rest = words.next()?.trim_ascii_start();
        let end = rest.iter().position(|byte| *byte == b' ')?;
        let (second, name) = (&rest[..end], rest[end..].trim_ascii());
        let is_head = (first, second, name) == ("Algorithm", b"Hash".as_slice(), b"Path")
            || [first.as_bytes(), second, name].iter().all(|w| w.iter().all(|b| *b == b'-'));
        if is_head {
            return Some(Shown::Part);
        }
        if Checksum::from_name(first).is_none() || !digest::is_hex(second) || name.is_empty() {
            return None;
        }
        if name.ends_with(b"...") || name.ends_with("…".as_bytes()) {
            return Some(Shown::Entry(Err(Malformed::Cut)));
        }
        Some(Shown::Entry(entry(first, second, name, asked)))
    }
}

/// Parses a line of a list, such as `Path      : C:\x`.
fn property(line: &[u8]) -> Option<(&str, &str)> {
    let (key, value) = str::from_utf8(line).ok()?.split_once(" : ")?;
    let key = key.trim_end();
    matches!(key, "Algorithm" | "Hash" | "Path").then_some((key, value.trim()))
}

fn entry<'a>(
    tag: &str,
    digest: &[u8],
    name: &'a [u8],
    asked: Option<Checksum>,
) -> Result<Entry<'a>, Malformed> {
    let tag =
        Checksum::from_name(tag).ok_or_else(|| Malformed::UnknownAlgorithm(tag.to_owned()))?;
    let algorithm = tagged(tag, asked)?;
    Ok(Entry::from_parts(algorithm, digest::decode(algorithm, digest)?, Cow::Borrowed(name))?)
}

/// `name  <hex>`, followed by further digests; the longest one is used.
pub(crate) fn name_first<'a>(
    line: &'a [u8],
    asked: Option<Checksum>,
) -> Option<Result<Entry<'a>, Malformed>> {
    let is_digest = |word: &[u8]| {
        digest::is_hex(word) && (digest::recognize(word).is_ok() || word.len() == CRC_DIGITS)
    };
    let mut name = line.trim_ascii_end();
    let mut words = Vec::new();
    while let Some(space) = name.iter().rposition(|byte| matches!(byte, b' ' | b'\t')) {
        let word = &name[space + 1..];
        if !is_digest(word) {
            break;
        }
        words.push(word);
        name = name[..space].trim_ascii_end();
    }
    // A malformed tagged line is not the name of a file.
    if name.ends_with(b") =") || name.ends_with(b")=") {
        return None;
    }
    let fits = |word: &&&[u8]| asked.is_none_or(|asked| 2 * asked.digest_len() == word.len());
    let word = words.iter().filter(fits).max_by_key(|word| word.len())?;
    if word.len() == CRC_DIGITS {
        return Some(Err(Malformed::Crc));
    }
    if name.is_empty() {
        return Some(Err(InvalidEntry::EmptyName.into()));
    }
    let recognized = match asked {
        Some(algorithm) => digest::decode(algorithm, word).map(|digest| (algorithm, digest)),
        None => digest::recognize(word),
    };
    Some(recognized.and_then(|(algorithm, digest)| {
        Ok(Entry::from_parts(algorithm, digest, Cow::Borrowed(name))?)
    }))
}

/// Parses the name and the CRC-32 of an SFV line, with or without its terminator. An [`Entry`] cannot
/// hold a CRC-32, which detects accidental corruption only; readers return [`Malformed::Crc`].
///
/// ```
/// assert_eq!(lanesum_manifest::sfv_line(b"a b 352441c2\r\n"), Some((&b"a b"[..], 0x3524_41c2)));
/// assert_eq!(lanesum_manifest::sfv_line(b"352441c2"), None);
/// ```
pub fn sfv_line(line: &[u8]) -> Option<(&[u8], u32)> {
    let line = line.trim_ascii_end();
    let (name, crc) = line.split_at_checked(line.len().checked_sub(CRC_DIGITS)?)?;
    let crc = str::from_utf8(crc).ok().filter(|crc| digest::is_hex(crc.as_bytes()))?;
    let crc = u32::from_str_radix(crc, 16).ok()?;
    let is_apart = name.ends_with(b" ") || name.ends_with(b"\t");
    let name = name.trim_ascii_end();
    (is_apart && !name.is_empty() && !name.contains(&0)).then_some((name, crc))
}

/// Length of a CRC-32, in hexadecimal digits.
const CRC_DIGITS: usize = 8;
