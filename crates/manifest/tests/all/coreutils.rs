//! Lines as coreutils' tools write and read them. What they say to other lines is compared with
//! the tools themselves, by the command's tests.

use crate::common::NASTY;
use lanesum_manifest::{CoreutilsLine, CoreutilsReader, CoreutilsStyle, Kind, Terminator};
use proptest::prelude::*;

static KINDS: [Kind; 2] = [
    Kind { tag: "SHA256", digest_len: 32, is_variable: false },
    Kind { tag: "BLAKE2b", digest_len: 64, is_variable: true },
];

fn style(is_tagged: bool, asterisk: bool) -> CoreutilsStyle {
    CoreutilsStyle { is_tagged, asterisk, terminator: Terminator::Newline }
}

/// The entry that a reader finds in what a style writes.
#[track_caller]
fn reads_back(style: CoreutilsStyle, reader: &CoreutilsReader, kind: Kind, name: &[u8]) {
    let written: Vec<u8> = (1..=kind.digest_len as u8).collect();
    let mut text = Vec::new();
    style.write(kind, &written, name, &mut text);
    assert_eq!(text.iter().filter(|byte| **byte == b'\n').count(), 1, "{}", text.escape_ascii());
    match reader.clone().line(&text) {
        CoreutilsLine::Entry { kind: read, digest, name: same } => {
            assert_eq!((read, &*same), (kind, name), "{}", text.escape_ascii());
            assert_eq!(digest[..kind.digest_len], written);
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
fn a_shorter_digest_is_told_by_its_tag() {
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
