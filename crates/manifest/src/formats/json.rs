//! `{"algorithm":"sha256","digest":"<hex>","path":"name"}`, and `size` and `mtime` if known.

use std::borrow::Cow;

use data_encoding::{BASE64, HEXLOWER};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Text, tagged};
use crate::{Checksum, Entry, Malformed, Terminator, digest};

/// The fields, in the documented order, which is stable.
#[derive(Serialize, Deserialize)]
struct Object<'a> {
    #[serde(borrow)]
    algorithm: Cow<'a, str>,
    #[serde(borrow)]
    digest: Cow<'a, str>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    path: Option<Cow<'a, str>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    path_base64: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    size: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mtime: Option<Value>,
}

pub(super) fn write(entry: &Entry<'_>, _: Terminator, out: &mut Vec<u8>) {
    let path = str::from_utf8(entry.name()).ok();
    let object = Object {
        algorithm: entry.algorithm().name().into(),
        digest: HEXLOWER.encode(entry.digest()).into(),
        path: path.map(Cow::Borrowed),
        path_base64: path.is_none().then(|| BASE64.encode(entry.name()).into()),
        size: entry.len_of_file().map(Value::from),
        mtime: entry.modified().map(|time| time.to_string().into()),
    };
    serde_json::to_writer(out, &object).expect("strings into memory");
}

pub(super) fn read<'a>(
    text: Text<'a>,
    asked: Option<Checksum>,
) -> Option<Result<Entry<'a>, Malformed>> {
    (text.line.starts_with(b"{") && !text.is_escaped).then(|| read_entry(text.line, asked))
}

fn read_entry(line: &[u8], asked: Option<Checksum>) -> Result<Entry<'_>, Malformed> {
    let object: Object<'_> = serde_json::from_slice(line).map_err(|error| {
        // The parser's line number is not the manifest's.
        let (column, reason) = (error.column(), error.to_string());
        let reason = reason.split(" at line ").next().unwrap_or_default();
        Malformed::Json(format!("{reason} at column {column}"))
    })?;
    let tag = Checksum::from_name(&object.algorithm)
        .ok_or_else(|| Malformed::UnknownAlgorithm(object.algorithm.into_owned()))?;
    let algorithm = tagged(tag, asked)?;
    let digest = digest::decode(algorithm, object.digest.as_bytes())?;
    let name = match (object.path, object.path_base64) {
        (Some(Cow::Borrowed(path)), None) => Cow::Borrowed(path.as_bytes()),
        (Some(Cow::Owned(path)), None) => Cow::Owned(path.into_bytes()),
        (None, Some(text)) => Cow::Owned(
            BASE64
                .decode(text.as_bytes())
                .map_err(|error| Malformed::Json(format!("path_base64: {error}")))?,
        ),
        (None, None) => return Err(Malformed::Json("no field `path` or `path_base64`".into())),
        (Some(_), Some(_)) => {
            return Err(Malformed::Json("both `path` and `path_base64`".into()));
        }
    };
    // Other writers may use these names for other values.
    let len = object.size.and_then(|size| size.as_u64());
    let modified = object.mtime.and_then(|time| time.as_str()?.parse().ok());
    Ok(Entry::from_parts(algorithm, digest, name)?.with_stat(len, modified))
}
