//! A reader of the published vectors beside this file, for tests to include
//! with `#[path]`. Files are named from this folder: `cavp/SHA1Monte.rsp`.
//!
//! A file that is missing or ill-formed is a panic that names file and line.

// Each test that includes this file is a crate of its own and uses a part of it.
#![allow(dead_code, unreachable_pub)]

use std::collections::BTreeMap;
use std::path::Path;

/// The published vectors of one algorithm.
pub struct Published {
    /// The algorithm's name, as `lanesum_spec::Algorithm::from_name` takes it.
    pub algorithm: &'static str,
    /// Files for [`messages`].
    pub messages: &'static [&'static str],
    /// A file for [`monte`].
    pub monte: Option<&'static str>,
}

macro_rules! cavp {
    ($algorithm:literal, $stem:literal) => {
        Published {
            algorithm: $algorithm,
            messages: &[
                concat!("cavp/", $stem, "ShortMsg.rsp"),
                concat!("cavp/", $stem, "LongMsg.rsp"),
            ],
            monte: Some(concat!("cavp/", $stem, "Monte.rsp")),
        }
    };
}

/// Every algorithm that has published vectors here.
pub const PUBLISHED: [Published; 10] = [
    cavp!("sha1", "SHA1"),
    cavp!("sha224", "SHA224"),
    cavp!("sha256", "SHA256"),
    cavp!("sha384", "SHA384"),
    cavp!("sha512", "SHA512"),
    cavp!("sha512/224", "SHA512_224"),
    cavp!("sha512/256", "SHA512_256"),
    Published { algorithm: "md5", messages: &["hash/rfc-1321-md5.txt"], monte: None },
    Published { algorithm: "ripemd160", messages: &["hash/ripemd160.txt"], monte: None },
    Published { algorithm: "sm3", messages: &["hash/gb-t-32905-sm3.txt"], monte: None },
];

/// A message and its digest.
pub struct Case {
    /// The whole message.
    pub message: Vec<u8>,
    /// Its digest, in full.
    pub digest: Vec<u8>,
}

/// The messages and digests of a file of `Len`, `Msg` and `MD`.
pub fn messages(file: &str) -> Vec<Case> {
    let cases = records(file).into_iter().map(|record| {
        let bits: usize = record.number("Len");
        assert_eq!(bits % 8, 0, "{}: a message of {bits} bits is not of whole bytes", record.place);
        let mut message = record.bytes("Msg");
        if bits == 0 {
            message.clear(); // written `00`
        }
        assert_eq!(message.len() * 8, bits, "{}: Len and Msg differ", record.place);
        Case { message, digest: record.bytes("MD") }
    });
    cases.collect()
}

/// A Monte Carlo test: digests of digests, SHAVS §6.4.
pub struct Monte {
    /// What the first of the chained messages are made of.
    pub seed: Vec<u8>,
    /// The digest that every thousandth link of the chain is to give.
    pub digests: Vec<Vec<u8>>,
}

impl Monte {
    /// The digests that `hash` gives, to be compared with [`Monte::digests`].
    ///
    /// A message is the last three digests; the last digest of a thousand is
    /// the seed of the next thousand.
    pub fn run(&self, mut hash: impl FnMut(&[u8]) -> Vec<u8>) -> Vec<Vec<u8>> {
        let mut seed = self.seed.clone();
        let mut digests = Vec::new();
        while digests.len() < self.digests.len() {
            let mut last = [seed.clone(), seed.clone(), seed];
            for _ in 0..1000 {
                let digest = hash(&last.concat());
                last.rotate_left(1);
                last[2] = digest;
            }
            [_, _, seed] = last;
            digests.push(seed.clone());
        }
        digests
    }
}

/// The Monte Carlo test of a file of `Seed` and `MD`.
pub fn monte(file: &str) -> Monte {
    let records = records(file);
    Monte {
        seed: records[0].bytes("Seed"),
        digests: records.iter().map(|record| record.bytes("MD")).collect(),
    }
}

/// Lines `name = value` that belong together.
pub struct Record {
    /// File and line, for messages.
    pub place: String,
    values: BTreeMap<String, String>,
}

impl Record {
    /// The value of `name` as it is written; empty if there is nothing after `=`.
    pub fn text(&self, name: &str) -> &str {
        self.values.get(name).unwrap_or_else(|| panic!("{}: no {name}", self.place))
    }

    /// The value of `name`, written in hexadecimal.
    pub fn bytes(&self, name: &str) -> Vec<u8> {
        let text = self.text(name);
        let digits = text.chars().map(|c| c.to_digit(16).map(|d| d as u8));
        let digits: Option<Vec<u8>> = digits.collect();
        match digits {
            Some(digits) if digits.len() % 2 == 0 => {
                digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect()
            }
            _ => panic!("{}: {name} is not hexadecimal", self.place),
        }
    }

    /// The value of `name`, written in decimal.
    pub fn number(&self, name: &str) -> usize {
        let text = self.text(name);
        text.parse().unwrap_or_else(|_| panic!("{}: {name} is not a number", self.place))
    }

    /// Whether there is a value of that name.
    pub fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }
}

/// The records of any of the files: one begins where a name comes again.
pub fn records(file: &str) -> Vec<Record> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors").join(file);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("cannot read vectors/{file}: {error}"));

    let mut records: Vec<Record> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#', '[']) {
            continue;
        }
        let place = format!("vectors/{file}:{}", number + 1);
        let (name, value) =
            line.split_once('=').unwrap_or_else(|| panic!("{place}: not a line `name = value`"));
        let (name, value) = (name.trim(), value.trim());
        if records.last().is_none_or(|record| record.has(name)) {
            records.push(Record { place, values: BTreeMap::new() });
        }
        let record = records.last_mut().expect("one was pushed if there was none");
        record.values.insert(name.into(), value.into());
    }
    assert!(!records.is_empty(), "vectors/{file} holds no record");
    records
}
