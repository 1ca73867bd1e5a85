//! `<hex>  name`.

use lanesum_spec::Algorithm;

use super::{Spacing, Text, is_escaped, push_name};
use crate::{Entry, InvalidEntry, Malformed, Terminator, digest};

pub(super) fn write(entry: &Entry<'_>, terminator: Terminator, out: &mut Vec<u8>) {
    if is_escaped(entry.name(), terminator) {
        out.push(b'\\');
    }
    digest::push_hex(entry.digest(), out);
    out.extend(b"  ");
    push_name(entry.name(), terminator, out);
}

/// What is like no other format is taken for this one.
pub(super) fn read<'a>(
    text: Text<'a>,
    algorithm: Option<Algorithm>,
    spacing: &mut Option<Spacing>,
) -> Option<Result<Entry<'a>, Malformed>> {
    Some(read_entry(text, algorithm, spacing))
}

fn read_entry<'a>(
    text: Text<'a>,
    algorithm: Option<Algorithm>,
    spacing: &mut Option<Spacing>,
) -> Result<Entry<'a>, Malformed> {
    let space = text.line.iter().position(|b| matches!(b, b' ' | b'\t'));
    let (first, rest) = text.line.split_at(space.ok_or(Malformed::Unrecognized)?);
    let (algorithm, digest) = match algorithm {
        Some(algorithm) => match digest::decode(algorithm, first) {
            Ok(digest) => (algorithm, digest),
            // A word that is no digest is no reason to speak of digests.
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
        _ if *spacing == Some(Spacing::One) => rest,
        [b' ' | b'*', name @ ..] if !name.is_empty() => {
            *spacing = Some(Spacing::Two);
            name
        }
        _ if *spacing == Some(Spacing::Two) => return Err(Malformed::OneSpace),
        _ => {
            *spacing = Some(Spacing::One);
            rest
        }
    };
    Ok(Entry::from_parts(algorithm, digest, text.name(name)?)?)
}
