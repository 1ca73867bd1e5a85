//! hashdeep's files: a header with the names of the columns, then `size,digest,digest,name`.

use super::{Text, is_escaped, push_name};
use crate::{Checksum, Entry, Malformed, Terminator, digest};

/// Start of the first line.
const VERSION: &[u8] = b"%%%% HASHDEEP-1.0";
/// Start of the line that lists the columns.
const COLUMNS: &[u8] = b"%%%% ";

pub(super) fn head(algorithms: &[Checksum], terminator: Terminator, out: &mut Vec<u8>) {
    out.extend(VERSION);
    out.push(terminator.byte());
    out.extend(COLUMNS);
    out.extend(b"size");
    for algorithm in algorithms {
        out.push(b',');
        out.extend(algorithm.name().as_bytes());
    }
    out.extend(b",filename");
    out.push(terminator.byte());
}

/// Writes the digests of one file. hashdeep itself cannot represent names with a line feed or a
/// carriage return; a line with such a name is escaped like GNU's.
pub(super) fn write(entries: &[Entry<'_>], terminator: Terminator, out: &mut Vec<u8>) {
    let [first, ..] = entries else { return };
    let breaks = is_escaped(first.name(), terminator)
        && first.name().iter().any(|byte| matches!(byte, b'\n' | b'\r'));
    if breaks {
        out.push(b'\\');
    }
    if let Some(len) = first.len_of_file() {
        out.extend(len.to_string().as_bytes());
    }
    for entry in entries {
        out.push(b',');
        digest::push_hex(entry.digest(), out);
    }
    out.push(b',');
    if breaks {
        push_name(first.name(), terminator, out);
    } else {
        out.extend(first.name());
    }
    out.push(terminator.byte());
}

/// Reads the lines after a header that lists the columns.
#[derive(Clone, Debug)]
pub(crate) struct Hashdeep {
    /// The names of the columns with digests.
    columns: Vec<String>,
}

/// A line of a header.
pub(crate) enum Head {
    Columns(Hashdeep),
    Other,
}

impl Hashdeep {
    /// Parses a line of a header; `None` for any other line.
    pub(crate) fn head(line: &[u8]) -> Option<Head> {
        let columns = line.strip_prefix(COLUMNS)?;
        let columns = str::from_utf8(columns).ok()?;
        let Some(columns) = columns.strip_prefix("size,").and_then(|c| c.strip_suffix(",filename"))
        else {
            return Some(Head::Other);
        };
        Some(Head::Columns(Self { columns: columns.split(',').map(str::to_owned).collect() }))
    }

    /// The number of digests per line.
    pub(crate) fn columns(&self) -> usize {
        self.columns.len()
    }

    /// Parses a line, and uses the longest digest of a known algorithm.
    pub(crate) fn read<'a>(
        &self,
        text: Text<'a>,
        asked: Option<Checksum>,
    ) -> Result<Entry<'a>, Malformed> {
        let mut rest = text.line;
        let mut field = || {
            let end = rest.iter().position(|&byte| byte == b',')?;
            let (field, after) = rest.split_at(end);
            rest = &after[1..];
            Some(field)
        };
        let len = field().ok_or(Malformed::Unrecognized)?;
        let len = match len {
            [] => None,
            _ => Some(
                str::from_utf8(len)
                    .ok()
                    .and_then(|len| len.parse().ok())
                    .ok_or(Malformed::Unrecognized)?,
            ),
        };
        let mut best: Option<(Checksum, &[u8])> = None;
        for column in &self.columns {
            let digest = field().ok_or(Malformed::Unrecognized)?;
            let Some(algorithm) = Checksum::from_name(column) else { continue };
            let is_better = best.is_none_or(|(best, _)| algorithm.digest_len() > best.digest_len());
            if asked.map_or(is_better, |asked| asked == algorithm) {
                best = Some((algorithm, digest));
            }
        }
        let (algorithm, digest) =
            best.ok_or_else(|| Malformed::UnknownAlgorithm(self.columns.join(", ")))?;
        let digest = digest::decode(algorithm, digest)?;
        Ok(Entry::from_parts(algorithm, digest, text.name(rest)?)?.with_stat(len, None))
    }
}
