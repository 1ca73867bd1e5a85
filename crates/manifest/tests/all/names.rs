//! Whatever the bytes of a name, what is written reads back.

use crate::common::NASTY;
use lanesum_manifest::{Entry, Format, Line, Options, Reader, Terminator, report_name};
use lanesum_spec::{Algorithm, digest};
use proptest::prelude::*;

const TERMINATORS: [Terminator; 2] = [Terminator::Newline, Terminator::Nul];

fn entry(algorithm: Algorithm, name: &[u8]) -> Entry<'_> {
    let digest = digest(algorithm, name);
    Entry::new(algorithm, &digest[..algorithm.digest_len()], name).unwrap()
}

fn written(format: Format, terminator: Terminator, entries: &[Entry<'_>]) -> Vec<u8> {
    let mut out = Vec::new();
    entries.iter().for_each(|entry| format.write(entry, terminator, &mut out));
    out
}

/// The entries of a manifest all of whose lines are entries.
fn read(manifest: &[u8], options: Options) -> Vec<Entry<'static>> {
    let end = options.terminator.byte();
    let mut reader = Reader::new(options);
    let lines = manifest.split_inclusive(|&b| b == end);
    lines
        .map(|line| match reader.line(line) {
            Line::Entry(entry) => entry.into_owned(),
            other => panic!("{other:?}: {}", line.escape_ascii()),
        })
        .collect()
}

/// Asked for where the line does not say.
fn options(format: Format, algorithm: Algorithm, terminator: Terminator) -> Options {
    Options { algorithm: (!format.names_algorithm()).then_some(algorithm), terminator }
}

fn check_round_trip(algorithm: Algorithm, names: &[&[u8]]) {
    let entries: Vec<_> = names.iter().map(|name| entry(algorithm, name)).collect();
    for format in Format::all() {
        for terminator in TERMINATORS {
            let manifest = written(format, terminator, &entries);
            assert_eq!(
                read(&manifest, options(format, algorithm, terminator)),
                entries,
                "{format:?} {terminator:?}"
            );
        }
    }
}

fn with_crlf(manifest: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for &byte in manifest {
        out.extend((byte == b'\n').then_some(b'\r'));
        out.push(byte);
    }
    out
}

fn algorithms() -> Vec<Algorithm> {
    let shorter = ["sha512/8", "sha512/16", "sha512/24", "sha512/504"];
    Algorithm::all().chain(shorter.map(|name| Algorithm::from_name(name).unwrap())).collect()
}

fn name() -> impl Strategy<Value = Vec<u8>> {
    // Half of the bytes are those that mean something somewhere.
    let byte = prop_oneof![
        1u8..=255,
        prop::sample::select(b" \t\r\n\\*()=#{}\"-nrSHA256\xef\xbb\xbf".as_slice())
    ];
    let piece = prop_oneof![
        4 => prop::collection::vec(byte, 1..12),
        1 => prop::sample::select(NASTY).prop_map(<[u8]>::to_vec),
    ];
    prop::collection::vec(piece, 1..4).prop_map(|pieces| pieces.concat())
}

#[test]
fn every_nasty_name_reads_back_in_every_format_of_every_algorithm() {
    for algorithm in algorithms() {
        check_round_trip(algorithm, NASTY);
        // Each as the first line too, on which more is looked for.
        NASTY.iter().for_each(|&name| check_round_trip(algorithm, &[name]));
    }
}

#[test]
fn formats_and_algorithms_may_be_mixed_in_a_manifest() {
    let entries: Vec<_> = Algorithm::all()
        .filter(|a| !["sha512/224", "sha512/256", "ripemd160", "sm3"].contains(&a.name()))
        .flat_map(|algorithm| NASTY.iter().map(move |name| entry(algorithm, name)))
        .collect();
    for terminator in TERMINATORS {
        let mut manifest = Vec::new();
        for (i, entry) in entries.iter().enumerate() {
            let format = Format::all().nth(i % Format::all().len()).unwrap();
            format.write(entry, terminator, &mut manifest);
        }
        assert_eq!(read(&manifest, Options { algorithm: None, terminator }), entries);
    }
}

#[test]
fn a_report_line_gives_its_name_back() {
    for &name in NASTY {
        let report = report_name(name);
        assert!(!report.contains(&b'\n'));
        let is_escaped = name.iter().any(|b| b"\\\n\r".contains(b));
        assert_eq!(report.starts_with(b"\\"), is_escaped, "{}", name.escape_ascii());
        let mut back = Vec::new();
        let mut bytes = report[usize::from(is_escaped)..].iter();
        while let Some(&byte) = bytes.next() {
            back.push(match (is_escaped && byte == b'\\').then(|| bytes.next()) {
                None => byte,
                Some(Some(b'\\')) => b'\\',
                Some(Some(b'n')) => b'\n',
                Some(Some(b'r')) => b'\r',
                Some(other) => panic!("{other:?} in {}", report.escape_ascii()),
            });
        }
        assert_eq!(back, name, "{}", report.escape_ascii());
    }
    assert_eq!(&*report_name(b"n\nl"), br"\n\nl");
    assert_eq!(&*report_name(br"b\s"), br"\b\\s");
    assert_eq!(&*report_name(b"c\rr"), br"\c\rr");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_names_read_back(names in prop::collection::vec(name(), 1..6)) {
        let names: Vec<&[u8]> = names.iter().map(Vec::as_slice).collect();
        for algorithm in [Algorithm::SHA256, Algorithm::SHA512_224, Algorithm::MD5] {
            check_round_trip(algorithm, &names);
        }
    }

    #[test]
    fn lines_may_come_to_end_in_cr_lf_and_begin_with_a_byte_order_mark(
        names in prop::collection::vec(name(), 1..6),
    ) {
        let entries: Vec<_> = names.iter().map(|name| entry(Algorithm::SHA1, name)).collect();
        for format in Format::all() {
            let manifest = written(format, Terminator::Newline, &entries);
            let manifest = [b"\xef\xbb\xbf".as_slice(), &with_crlf(&manifest)].concat();
            prop_assert_eq!(&read(&manifest, Options::default()), &entries);
        }
    }

    #[test]
    fn the_last_line_needs_no_end(name in name()) {
        let entry = entry(Algorithm::SHA384, &name);
        for format in Format::all() {
            for terminator in TERMINATORS {
                let mut line = Vec::new();
                format.write(&entry, terminator, &mut line);
                line.pop();
                let options = Options { algorithm: None, terminator };
                prop_assert_eq!(Reader::new(options).line(&line), Line::Entry(entry.clone()));
            }
        }
    }

    #[test]
    fn no_bytes_are_beyond_the_reader(line in prop::collection::vec(any::<u8>(), 0..200)) {
        for terminator in TERMINATORS {
            for algorithm in [None, Some(Algorithm::SHA256)] {
                let line = Reader::new(Options { algorithm, terminator }).line(&line);
                if let Line::Malformed(reason) = line {
                    prop_assert!(!reason.to_string().is_empty());
                }
            }
        }
    }
}
