//! `<hex>  name`.

use super::{Text, is_escaped, push_name};
use crate::{Checksum, Entry, InvalidEntry, Malformed, Terminator, digest};

pub(super) fn write(entry: &Entry<'_>, terminator: Terminator, out: &mut Vec<u8>) {
    if is_escaped(entry.name(), terminator) {
        out.push(b'\\');
    }
    digest::push_hex(entry.digest(), out);
    out.extend(b"  ");
    push_name(entry.name(), terminator, out);
}

/// The separator between digest and name in a manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spacing {
    /// A space.
    One,
    /// A space, and a space or an asterisk.
    Two,
}

/// Parses the untagged lines of a manifest. The first one decides the spacing of all.
#[derive(Clone, Debug, Default)]
pub(crate) struct Untagged {
    spacing: Option<Spacing>,
}

impl Untagged {
    /// Parses a line. The end of its first word may be known.
    pub(crate) fn read<'a>(
        &mut self,
        text: Text<'a>,
        end: Option<usize>,
        algorithm: Option<Checksum>,
    ) -> Result<Entry<'a>, Malformed> {
        let space = end.or_else(|| text.line.iter().position(|byte| matches!(byte, b' ' | b'\t')));
        let (first, rest) = text.line.split_at(space.ok_or(Malformed::Unrecognized)?);
        let (algorithm, digest) = match algorithm {
            Some(algorithm) => match digest::decode(algorithm, first) {
                Ok(digest) => (algorithm, digest),
                // If the word is not hexadecimal, the line is probably not a checksum line.
                Err(_) if !digest::is_hex(first) => return Err(Malformed::Unrecognized),
                Err(malformed) => return Err(malformed),
            },
            None => digest::recognize(first).map_err(|malformed| match malformed {
                Malformed::NotADigest => Malformed::Unrecognized,
                other => other,
            })?,
        };
        let Some(rest) = rest.strip_prefix(b" ") else {
            return Err(Malformed::Tab);
        };
        let name = match rest {
            [] => return Err(InvalidEntry::EmptyName.into()),
            _ if self.spacing == Some(Spacing::One) => rest,
            [b' ' | b'*', name @ ..] if !name.is_empty() => {
                self.spacing = Some(Spacing::Two);
                name
            }
            _ if self.spacing == Some(Spacing::Two) => return Err(Malformed::OneSpace),
            _ => {
                self.spacing = Some(Spacing::One);
                rest
            }
        };
        Ok(Entry::from_parts(algorithm, digest, text.name(name)?)?)
    }
}
