//! JSON Lines objects.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use data_encoding::BASE64;
use serde_json::{Map, Value};

/// Creates an object with the member `key`: a name, in base64 if it is not UTF-8.
pub(crate) fn named(key: &str, name: &OsStr) -> Map<String, Value> {
    let field = match name.to_str() {
        Some(text) => (key.to_owned(), text.into()),
        None => (format!("{key}_base64"), BASE64.encode(name.as_bytes()).into()),
    };
    Map::from_iter([field])
}

pub(crate) fn push(object: &Map<String, Value>, out: &mut Vec<u8>) {
    // Writing to memory cannot fail.
    let _ = serde_json::to_writer(&mut *out, object);
    out.push(b'\n');
}
