//! Lines that the tools of coreutils write and read. The command's tests compare reports about
//! other lines with those tools.

use crate::common::NASTY;
use lanesum_manifest::{CoreutilsLine, CoreutilsReader, CoreutilsStyle, Kind, Lengths, Terminator};
use proptest::prelude::*;

static KINDS: [Kind; 2] = [
    Kind { tag: "SHA256", digest_len: 32, lengths: Lengths::One },
    Kind { tag: "BLAKE2b", digest_len: 64, lengths: Lengths::All },
];

fn style(is_tagged: bool, asterisk: bool) -> CoreutilsStyle {
    CoreutilsStyle { is_tagged, asterisk, base64: false, terminator: Terminator::Newline }
}

/// Writes an entry in a style, and returns the entry that a reader parses.
#[track_caller]
fn reads_back(style: CoreutilsStyle, reader: &CoreutilsReader, kind: Kind, name: &[u8]) {
    let written: Vec<u8> = (1..=kind.digest_len as u8).collect();
    let mut text = Vec::new();
    style.write(kind, &written, name, &mut text);
    assert_eq!(text.iter().filter(|byte| **byte == b'\n').count(), 1, "{}", text.escape_ascii());
    match reader.clone().line(&text) {
        CoreutilsLine::Entry { kind: read, digest, name: same } => {
            assert_eq!((read, &*same), (kind, name), "{}", text.escape_ascii());
            assert_eq!(digest.unwrap()[..kind.digest_len], written);
        }
        other => panic!("{other:?}: {}", text.escape_ascii()),
    }
}

#[test]
fn every_name_reads_back_from_lines_of_every_style() {
    for name in NASTY {
        for kind in KINDS {
            for asterisk in [false, true] {
                reads_back(style(false, asterisk), &CoreutilsReader::of_one(kind), kind, name);
            }
            for reader in [
                CoreutilsReader::of_one(kind),
                CoreutilsReader::cksum_of_one(kind),
                CoreutilsReader::cksum_of_any(&KINDS, KINDS[0]),
            ] {
                reads_back(style(true, false), &reader, kind, name);
            }
        }
    }
}

#[test]
fn a_tag_determines_the_length_of_a_shorter_digest() {
    let mut text = Vec::new();
    style(true, false).write(KINDS[1], &[0x4a], b"a", &mut text);
    assert_eq!(text, b"BLAKE2b-8 (a) = 4a\n");
    let mut reader = CoreutilsReader::cksum_of_any(&KINDS, KINDS[0]);
    let CoreutilsLine::Entry { kind, .. } = reader.line(&text) else { panic!("an entry") };
    assert_eq!((kind.digest_len, reader.kind()), (1, KINDS[1]));
    for wrong in ["-0", "-7", "-520", "-08", "-", "-8x", "-99999999999999999999999"] {
        let line = format!("BLAKE2b{wrong} (a) = 4a");
        assert_eq!(reader.line(line.as_bytes()), CoreutilsLine::Improper, "{line}");
    }
}

#[test]
fn base64_round_trips_and_noncanonical_base64_is_rejected() {
    static SHA3: [Kind; 1] = [Kind { tag: "SHA3", digest_len: 64, lengths: Lengths::Four }];
    for len in [28, 32, 48, 64] {
        let digest: Vec<u8> = (0..len).map(|i: u8| i.wrapping_mul(37)).collect();
        for is_tagged in [false, true] {
            let style = CoreutilsStyle { base64: true, ..style(is_tagged, false) };
            let mut text = Vec::new();
            style.write(SHA3[0], &digest, b"a", &mut text);
            let mut reader = CoreutilsReader::cksum_of_one(SHA3[0]);
            let CoreutilsLine::Entry { kind, digest: read, .. } = reader.line(&text) else {
                panic!("{}", text.escape_ascii())
            };
            assert_eq!(
                (kind.digest_len, &read.unwrap()[..usize::from(len)]),
                (len.into(), &digest[..])
            );
            let mut md5sum = CoreutilsReader::of_one(KINDS[0]);
            assert_eq!(md5sum.line(&text), CoreutilsLine::Improper, "only cksum reads base64");
        }
    }
    // With 32 bytes, two bits of the last character are unused and must be zero. Here they are not.
    let line = format!("SHA3-256 (a) = {}B=", "A".repeat(42));
    let mut reader = CoreutilsReader::cksum_of_any(&SHA3, KINDS[0]);
    let CoreutilsLine::Entry { digest, .. } = reader.line(line.as_bytes()) else {
        panic!("{line}")
    };
    assert_eq!(digest, None);
    for wrong in ["SHA3-255 (a) = ", "SHA3-512 (a) = ", "SHA3 [a) = ", "SHA2-256 (a) = "] {
        let line = format!("{wrong}{}A=", "A".repeat(42));
        assert_eq!(reader.line(line.as_bytes()), CoreutilsLine::Improper, "{line}");
    }
}

#[test]
fn a_tag_determines_the_kind_of_all_lines() {
    static SHA2: [Kind; 2] =
        [KINDS[0], Kind { tag: "SHA2", digest_len: 64, lengths: Lengths::Four }];
    let mut reader = CoreutilsReader::cksum_of_first(&SHA2, SHA2[1]);
    let line = |tag: &str, digits: usize| format!("{tag}(a)= {}", "0".repeat(digits));
    let is_entry = |line: CoreutilsLine<'_>| matches!(line, CoreutilsLine::Entry { .. });
    assert!(is_entry(reader.line(line("SHA2-384", 96).as_bytes())), "OpenSSL's tag");
    assert!(is_entry(reader.line(line("SHA256", 64).as_bytes())));
    assert_eq!(reader.kind(), KINDS[0]);
    assert!(!is_entry(reader.line(line("SHA2-384", 96).as_bytes())));
}

#[test]
fn one_space_and_two_are_not_mixed() {
    let hex = "00".repeat(32);
    let (one, two) = (format!("{hex} a"), format!("{hex}  a"));
    let name = |line: CoreutilsLine<'_>| match line {
        CoreutilsLine::Entry { name, .. } => Some(name.into_owned()),
        _ => None,
    };
    let mut reader = CoreutilsReader::of_one(KINDS[0]);
    assert_eq!(name(reader.line(two.as_bytes())).unwrap(), b"a");
    assert_eq!(name(reader.line(one.as_bytes())), None);
    let mut reader = CoreutilsReader::of_one(KINDS[0]);
    assert_eq!(name(reader.line(one.as_bytes())).unwrap(), b"a");
    assert_eq!(name(reader.line(two.as_bytes())).unwrap(), b" a");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_line_breaks_a_reader(lines in prop::collection::vec(".{0,200}", 0..9), bytes: Vec<u8>) {
        let mut readers = [
            CoreutilsReader::of_one(KINDS[0]),
            CoreutilsReader::cksum_of_one(KINDS[1]),
            CoreutilsReader::cksum_of_any(&KINDS, KINDS[0]),
        ];
        for reader in &mut readers {
            reader.line(&bytes);
            for line in &lines {
                reader.line(line.as_bytes());
                reader.line(format!("SHA256{line}").as_bytes());
                reader.line(format!("{}{line}", "0a".repeat(32)).as_bytes());
            }
        }
    }
}
