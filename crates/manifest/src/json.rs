//! Findings as JSON Lines.

use data_encoding::{BASE64, HEXLOWER};
use serde_json::{Map, Value, json};

use crate::{Counts, Finding, Named, Record};

impl Finding {
    /// Formats the finding as a JSON object, without a line feed.
    ///
    /// | field | value |
    /// |---|---|
    /// | `class` | the name of the [`Class`](crate::Class) |
    /// | `path`, or `path_base64` if it is not UTF-8 | the name |
    /// | `moved_from`, or `moved_from_base64` | the previous name of a moved file |
    /// | `before`, `now` | the records: `digests` by algorithm, `size`, `mtime` |
    /// | `reason` | why the file cannot be read |
    ///
    /// Fields may be added.
    pub fn to_json(&self, reason: Option<&str>) -> String {
        let mut object = Map::new();
        object.insert("class".into(), self.class.name().into());
        push_name(&mut object, "path", self.name());
        if let Some(name) = self.moved_from() {
            push_name(&mut object, "moved_from", name);
        }
        for (key, record) in [("before", &self.before), ("now", &self.now)] {
            // The record of an unreadable file has only a name.
            if let Some(record) = record.as_ref().filter(|record| record.digests().len() > 0) {
                object.insert(key.into(), known(record));
            }
        }
        if let Some(reason) = reason {
            object.insert("reason".into(), reason.into());
        }
        Value::Object(object).to_string()
    }
}

impl Counts {
    /// Formats the counts as a JSON object, `{"summary":{"same":2,...}}`, without a line feed.
    pub fn to_json(&self) -> String {
        let counts: Map<_, _> = crate::Class::ALL
            .iter()
            .map(|class| (class.name().to_owned(), self.of(*class).into()))
            .collect();
        json!({ "summary": counts }).to_string()
    }
}

fn push_name(object: &mut Map<String, Value>, key: &str, name: &[u8]) {
    match str::from_utf8(name) {
        Ok(name) => object.insert(key.into(), name.into()),
        Err(_) => object.insert(format!("{key}_base64"), BASE64.encode(name).into()),
    };
}

fn known(record: &Record) -> Value {
    let digests: Map<_, _> = record
        .digests()
        .map(|(algorithm, digest)| (algorithm.name().to_owned(), HEXLOWER.encode(digest).into()))
        .collect();
    let mut object = Map::new();
    object.insert("digests".into(), digests.into());
    if let Some(len) = record.len_of_file() {
        object.insert("size".into(), len.into());
    }
    if let Some(time) = record.modified() {
        object.insert("mtime".into(), time.to_string().into());
    }
    object.into()
}
