//! Compares the speeds of the OpenSSL provider in the engine and in `docs/openssl.md` with the records.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use lanesum_measure::{Cores, Reader, Table, median};

use crate::tables::{root, table};

/// Each core: its name in `MEASURED`, its column in the page, and the directory of its records.
const CORES: [(&str, usize, &str); 5] = [
    ("Zen3", 1, "amd-epyc-x2-25-1"),
    ("Zen4", 2, "amd-epyc-x2-25-17"),
    ("Zen5", 3, "amd-epyc-x2"),
    ("GoldenCove", 4, "intel-xeon-x2"),
    ("RaptorCove", 5, "intel-xeon-x2-6-207"),
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

/// Returns the minimum, median and maximum of OpenSSL's time in percent of Lanesum's, with every
/// instruction of the CPU, for each digest of a record.
fn speeds(record: &Table) -> BTreeMap<&str, [u32; 3]> {
    let mut ratios = BTreeMap::<_, Vec<f64>>::new();
    for row in record.rows() {
        let of = |column| record.of(row, column);
        if of("tier") != "sha_ni" || of("provider") != "lanesum" || !of("call").starts_with("EVP") {
            continue;
        }
        let median = |provider| {
            let same = ["tier", "algorithm", "bytes", "call"].map(|column| (column, of(column)));
            record.figure(&[&same[..], &[("provider", provider)]].concat(), "ns_median").unwrap()
        };
        let ratio = 100.0 * median("default") / median("lanesum");
        ratios.entry(of("algorithm")).or_default().push(ratio);
    }
    let summary = |ratios: Vec<f64>| {
        let [min, max] = [f64::min, f64::max].map(|of| ratios.iter().copied().reduce(of).unwrap());
        [min, median(&ratios).unwrap(), max].map(|ratio| ratio.round() as u32)
    };
    ratios.into_iter().map(|(digest, ratios)| (digest, summary(ratios))).collect()
}

#[test]
fn speeds_of_the_provider_are_those_of_the_records() {
    let engine = fs::read_to_string(root().join("crates/engine/src/peers.rs")).unwrap();
    let page = fs::read_to_string(root().join("docs/openssl.md")).unwrap();
    let rows = table(&page, "| speed in % of OpenSSL's own");
    assert_eq!(rows.len(), DIGESTS.len());
    // Without the sources, so that the records of older engines count too.
    let records = Reader::new(&root().join("benches/record"), Cores::default());
    let records = records.newest("evp").unwrap();
    let mut measured = 0;
    for (core, column, directory) in CORES {
        let speeds = speeds(records.iter().find(|record| record.machine == directory).unwrap());
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
    let of = |last: u32| {
        let rows =
            [(0, "default", 90), (0, "lanesum", 100), (64, "default", 120), (64, "lanesum", last)];
        let row =
            |(bytes, provider, ns)| format!("sha_ni,MD5,{bytes},EVP_Digest,{provider},{ns}\n");
        let text = "tier,algorithm,bytes,call,provider,ns_median\n".to_owned();
        let record =
            Table::parse(Path::new("m/2026-11-25-evp.csv"), &(text + &rows.map(row).concat()));
        speeds(&record)["MD5"]
    };
    assert_eq!(of(100), [90, 105, 120]);
    assert_eq!(of(120), [90, 95, 100]);
}
