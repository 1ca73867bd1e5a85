//! CSV with a header: Lanesum's own format, and that of PowerShell's `Export-Csv`.

use std::borrow::Cow;

use csv_core::{ReadFieldResult, Reader, WriteResult, Writer};
use data_encoding::{BASE64, HEXLOWER};

use super::tagged;
use crate::{Checksum, Entry, Malformed, Terminator, digest};

/// The header of Lanesum's own format.
const HEAD: &str = "algorithm,digest,path,path_base64,size,mtime";

pub(super) fn head(_: &[Checksum], terminator: Terminator, out: &mut Vec<u8>) {
    out.extend(HEAD.as_bytes());
    out.push(terminator.byte());
}

pub(super) fn write(entry: &Entry<'_>, _: Terminator, out: &mut Vec<u8>) {
    // A line contains no line feed, so readers can split at line feeds.
    let path = str::from_utf8(entry.name()).ok().filter(|path| !path.contains(['\n', '\r']));
    let encoded = if path.is_none() { BASE64.encode(entry.name()) } else { String::new() };
    let fields = [
        entry.algorithm().name().to_owned(),
        HEXLOWER.encode(entry.digest()),
        path.unwrap_or_default().to_owned(),
        encoded,
        entry.len_of_file().map(|len| len.to_string()).unwrap_or_default(),
        entry.modified().map(|time| time.to_string()).unwrap_or_default(),
    ];
    for (i, field) in fields.iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        push_field(field.as_bytes(), out);
    }
}

fn push_field(field: &[u8], out: &mut Vec<u8>) {
    let mut writer = Writer::new();
    // Each byte may be escaped, and the field quoted.
    let mut room = vec![0; 2 * field.len() + 2];
    let (result, _, written) = writer.field(field, &mut room);
    let (end, more) = writer.finish(&mut room[written..]);
    assert!(
        matches!((result, end), (WriteResult::InputEmpty, WriteResult::InputEmpty)),
        "there is room for a field"
    );
    // The writer quotes an empty first field of a record, which is unnecessary for this one.
    if !field.is_empty() {
        out.extend(&room[..written + more]);
    }
}

/// Parses the lines after a header.
#[derive(Clone, Debug)]
pub(crate) struct Csv {
    algorithm: usize,
    digest: usize,
    path: usize,
    path_base64: Option<usize>,
    len: Option<usize>,
    modified: Option<usize>,
}

impl Csv {
    /// Returns the columns, if the line is a header.
    pub(crate) fn head(line: &[u8]) -> Option<Self> {
        // Rules out other formats without parsing.
        let start = line.iter().position(|byte| *byte != b'"')?;
        if !line.get(start..start + 9)?.eq_ignore_ascii_case(b"algorithm") {
            return None;
        }
        let columns = fields(str::from_utf8(line).ok()?.as_bytes());
        let place = |names: &[&str]| {
            columns.iter().position(|column| {
                let column = column.to_ascii_lowercase();
                names.iter().any(|name| column == name.as_bytes())
            })
        };
        Some(Self {
            algorithm: place(&["algorithm"])?,
            digest: place(&["digest", "hash"])?,
            path: place(&["path"])?,
            path_base64: place(&["path_base64"]),
            len: place(&["size"]),
            modified: place(&["mtime"]),
        })
    }

    pub(crate) fn read(
        &self,
        line: &[u8],
        asked: Option<Checksum>,
    ) -> Result<Entry<'static>, Malformed> {
        let fields = fields(line);
        let field = |place: usize| fields.get(place).ok_or(Malformed::Unrecognized);
        let optional = |place: Option<usize>| {
            let field = fields.get(place?)?;
            str::from_utf8(field).ok().filter(|field| !field.is_empty())
        };
        let tag = String::from_utf8_lossy(field(self.algorithm)?);
        let tag = Checksum::from_name(&tag)
            .ok_or_else(|| Malformed::UnknownAlgorithm(tag.into_owned()))?;
        let algorithm = tagged(tag, asked)?;
        let digest = digest::decode(algorithm, field(self.digest)?)?;
        let name = match optional(self.path_base64) {
            None => field(self.path)?.clone(),
            Some(text) => BASE64
                .decode(text.as_bytes())
                .map_err(|error| Malformed::Json(format!("path_base64: {error}")))?,
        };
        let len = optional(self.len).and_then(|len| len.parse().ok());
        let modified = optional(self.modified).and_then(|time| time.parse().ok());
        Ok(Entry::from_parts(algorithm, digest, Cow::Owned(name))?.with_stat(len, modified))
    }
}

/// Splits a line into fields.
fn fields(line: &[u8]) -> Vec<Vec<u8>> {
    let mut reader = Reader::new();
    let mut fields = Vec::new();
    let mut rest = line;
    let mut room = vec![0; line.len() + 1];
    let mut ended = false;
    while !ended {
        let (result, read, written) = reader.read_field(rest, &mut room);
        rest = &rest[read..];
        match result {
            // One more call signals the end of the input to the parser.
            ReadFieldResult::InputEmpty if !rest.is_empty() => {}
            ReadFieldResult::InputEmpty => {
                let mut field = room[..written].to_vec();
                let (_, _, more) = reader.read_field(&[], &mut room);
                field.extend(&room[..more]);
                fields.push(field);
                ended = true;
            }
            ReadFieldResult::Field { record_end } => {
                fields.push(room[..written].to_vec());
                ended = record_end;
            }
            ReadFieldResult::OutputFull | ReadFieldResult::End => ended = true,
        }
    }
    fields
}
