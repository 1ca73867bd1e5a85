//! Compares the speeds of the OpenSSL provider in the engine and in `docs/openssl.md` with the records.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::tables::{root, table};

/// Each core: its name in `MEASURED`, its column in the page, and the directory of its records.
const CORES: [(&str, usize, &str); 3] = [
    ("Zen4", 1, "amd-epyc-x2-25-17"),
    ("Zen5", 2, "amd-epyc-x2"),
    ("GoldenCove", 3, "intel-xeon-x2"),
];

/// Each digest of the record: its family, and the first cell of its row in the page.
const DIGESTS: [(&str, &str, &str); 6] = [
    ("SHA1", "Sha1", "SHA-1"),
    ("SHA256", "Sha256", "SHA-224, SHA-256"),
    ("SHA512", "Sha512", "SHA-384, SHA-512, SHA-512/t"),
    ("MD5", "Md5", "MD5"),
    ("RIPEMD160", "Ripemd160", "RIPEMD-160"),
    ("SM3", "Sm3", "SM3"),
];

/// Returns the newest record `evp` in this directory.
fn newest(directory: &Path) -> String {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let texts = entries
        .filter(|path| path.to_str().unwrap().ends_with("-evp.csv"))
        .map(|path| fs::read_to_string(path).unwrap());
    // The first line of a record is its date and time.
    texts.max_by(|a, b| a.lines().next().cmp(&b.lines().next())).expect("there is a record")
}

/// Returns the minimum, median and maximum of OpenSSL's time in percent of Lanesum's, with every
/// instruction of the CPU, for each digest of the record.
fn speeds(record: &str) -> BTreeMap<&str, [u32; 3]> {
    let mut times = BTreeMap::<_, BTreeMap<_, f64>>::new();
    for line in record.lines() {
        let [tier, digest, bytes, call, provider, _, median] =
            line.split(',').collect::<Vec<_>>()[..]
        else {
            continue;
        };
        if tier == "sha_ni" && call.starts_with("EVP") {
            times
                .entry((digest, bytes, call))
                .or_default()
                .insert(provider, median.parse().unwrap());
        }
    }
    let mut ratios = BTreeMap::<_, Vec<f64>>::new();
    for ((digest, ..), of) in times {
        ratios.entry(digest).or_default().push(100.0 * of["default"] / of["lanesum"]);
    }
    let summary = |mut ratios: Vec<f64>| {
        ratios.sort_by(f64::total_cmp);
        let half = ratios.len() / 2;
        let median = (ratios[half] + ratios[ratios.len() - 1 - half]) / 2.0;
        [ratios[0], median, ratios[ratios.len() - 1]].map(|ratio| ratio.round() as u32)
    };
    ratios.into_iter().map(|(digest, ratios)| (digest, summary(ratios))).collect()
}

#[test]
fn speeds_of_the_provider_are_those_of_the_records() {
    let engine = fs::read_to_string(root().join("crates/engine/src/peers.rs")).unwrap();
    let page = fs::read_to_string(root().join("docs/openssl.md")).unwrap();
    let rows = table(&page, "| speed in % of OpenSSL's own");
    assert_eq!(rows.len(), DIGESTS.len());
    let mut measured = 0;
    for (core, column, directory) in CORES {
        let record = newest(&root().join("benches/record").join(directory));
        let speeds = speeds(&record);
        for (digest, family, title) in DIGESTS {
            let row = rows.iter().find(|row| row[0] == title).unwrap();
            let expected = speeds.get(digest).map(|&[min, median, max]| {
                let line = format!("(Core::{core}, Family::{family}, [{min}, {median}, {max}]),");
                assert!(engine.contains(&line), "the engine lacks {line}");
                measured += 1;
                let bold = if median >= 100 { "**" } else { "" };
                format!("{bold}{median}{bold} ({min} to {max})")
            });
            assert_eq!(row[column], expected.as_deref().unwrap_or("-"), "{title} on {core}");
        }
    }
    assert_eq!(engine.matches("\n    (Core::").count(), measured, "the engine has others besides");
}

#[test]
fn a_changed_time_changes_the_speeds() {
    let row = |bytes: u32, provider: &str, median: u32| {
        format!("sha_ni,MD5,{bytes},EVP_Digest,{provider},1.0,{median}\n")
    };
    let of = |last: u32| {
        let rows = [(0, "default", 90), (0, "lanesum", 100), (64, "default", 120)];
        let rows = rows.map(|(bytes, provider, median)| row(bytes, provider, median)).concat();
        speeds(&(rows + &row(64, "lanesum", last)))["MD5"]
    };
    assert_eq!(of(100), [90, 105, 120]);
    assert_eq!(of(120), [90, 95, 100]);
}
