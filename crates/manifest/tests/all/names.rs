//! Entries round-trip with any bytes in their names.

use crate::common::NASTY;
use lanesum_manifest::{
    Checksum, Entry, Foreign, Format, Line, Options, Reader, Terminator, Time, report_name,
};
use lanesum_spec::{Algorithm, digest};
use proptest::prelude::*;

const TERMINATORS: [Terminator; 2] = [Terminator::Newline, Terminator::Nul];

/// Returns an entry with this name. Only the length of its digest is valid for the algorithm.
fn entry(algorithm: impl Into<Checksum>, name: &[u8]) -> Entry<'_> {
    let algorithm = algorithm.into();
    Entry::new(algorithm, &digest(Algorithm::SHA512, name)[..algorithm.digest_len()], name).unwrap()
}

fn written(format: Format, terminator: Terminator, entries: &[Entry<'_>]) -> Vec<u8> {
    let mut out = Vec::new();
    let algorithms: Vec<_> = entries.first().iter().map(|entry| entry.algorithm()).collect();
    format.head(&algorithms, terminator, &mut out);
    entries.iter().for_each(|entry| format.write(entry, terminator, &mut out));
    out
}

/// Returns a reader of such a manifest.
fn reader(format: Format, options: Options) -> Reader {
    let reader = Reader::new(options);
    if format.is_known_by_file() { reader.of_file(b"bag/manifest-sha256.txt") } else { reader }
}

/// Returns the entries of a manifest. All its lines must be entries.
fn read(manifest: &[u8], options: Options, mut reader: Reader) -> Vec<Entry<'static>> {
    let end = options.terminator.byte();
    let lines = manifest.split_inclusive(|&b| b == end);
    lines
        .filter_map(|line| match reader.line(line) {
            Line::Entry(entry) => Some(entry.into_owned()),
            Line::Skip => None,
            Line::Malformed(why) => panic!("{why:?}: {}", line.escape_ascii()),
        })
        .collect()
}

/// Returns options that request the algorithm if lines do not determine it.
fn options(format: Format, algorithm: Checksum, terminator: Terminator) -> Options {
    Options { algorithm: (!format.names_algorithm()).then_some(algorithm), terminator }
}

fn check_round_trip(algorithm: Checksum, names: &[&[u8]]) {
    let entries: Vec<_> = names.iter().map(|name| entry(algorithm, name)).collect();
    for format in Format::all() {
        for terminator in TERMINATORS {
            let manifest = written(format, terminator, &entries);
            let options = options(format, algorithm, terminator);
            assert_eq!(
                read(&manifest, options, reader(format, options)),
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

fn algorithms() -> Vec<Checksum> {
    let shorter = ["sha512/8", "sha512/16", "sha512/24", "sha512/504"];
    Checksum::all().chain(shorter.map(|name| Checksum::from_name(name).unwrap())).collect()
}

fn name() -> impl Strategy<Value = Vec<u8>> {
    // Half of the bytes have a special meaning in some format.
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
fn every_nasty_name_round_trips_in_every_format_and_algorithm() {
    for algorithm in algorithms() {
        check_round_trip(algorithm, NASTY);
        // Each name also on the first line, which readers examine further.
        NASTY.iter().for_each(|&name| check_round_trip(algorithm, &[name]));
    }
}

#[test]
fn formats_and_algorithms_may_be_mixed_in_a_manifest() {
    let reader = Reader::new(Options::default());
    let entries: Vec<_> = Checksum::all()
        .filter(|a| reader.algorithm_of_len(a.digest_len()) == Some(*a))
        .flat_map(|algorithm| NASTY.iter().map(move |name| entry(algorithm, name)))
        .collect();
    let formats = ["gnu", "bsd", "solaris", "json"].map(|name| Format::from_name(name).unwrap());
    for terminator in TERMINATORS {
        let mut manifest = Vec::new();
        for (i, entry) in entries.iter().enumerate() {
            formats[i % formats.len()].write(entry, terminator, &mut manifest);
        }
        let options = Options { algorithm: None, terminator };
        assert_eq!(read(&manifest, options, Reader::new(options)), entries);
    }
}

/// The algorithms that the length of a digest identifies.
const BY_LENGTH: [&str; 6] = ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"];

#[test]
fn lines_round_trip_without_a_request_if_their_algorithm_is_known() {
    for algorithm in algorithms() {
        let own = algorithm.name().replace('/', "-");
        let (entry, len) = (|name| entry(algorithm, name), algorithm.digest_len());
        let paths = ["SUMS", "x.sm3", "B3SUMS", &format!("dir/x.{own}"), &format!("{own}sums.txt")]
            .map(str::to_owned);
        for path in paths.into_iter().chain([format!("manifest-{own}.txt")]) {
            for terminator in TERMINATORS {
                let options = Options { algorithm: None, terminator };
                let fresh = Reader::new(options).of_file(path.as_bytes());
                let is_known = fresh.algorithm_of_len(len) == Some(algorithm);
                let is_told = path.contains(&own);
                assert!(!is_told || is_known, "{path}");
                if path == "SUMS" {
                    assert_eq!(is_known, BY_LENGTH.contains(&algorithm.name()), "{algorithm}");
                }
                for format in Format::all() {
                    let is_other_file = format.is_known_by_file() != fresh.is_bagit();
                    for &name in NASTY {
                        let is_untagged = !format.names_algorithm();
                        if is_untagged && is_other_file && name.contains(&b'%')
                            || format.changes_name(name) && is_other_file
                        {
                            continue;
                        }
                        let manifest = written(format, terminator, &[entry(name)]);
                        if is_known || !is_untagged {
                            let found = read(&manifest, options, fresh.clone());
                            assert_eq!(found, [entry(name)], "{format:?} {path}");
                        } else {
                            let line = fresh.clone().line(&manifest);
                            assert_ne!(line, Line::Entry(entry(name)), "{format:?} {path}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn no_foreign_algorithm_is_determined_by_digest_length() {
    let reader = Reader::new(Options::default());
    for foreign in Foreign::ALL.map(Checksum::Foreign) {
        let known = reader.algorithm_of_len(foreign.digest_len());
        assert!(known.is_some_and(|known| known.lanesum().is_some()), "{foreign}: {known:?}");
    }
}

#[test]
fn names_of_algorithms_are_unique() {
    let names =
        |a: Checksum| [a.name(), a.tag(), a.title()].into_iter().chain(a.aliases().to_vec());
    for algorithm in Checksum::all() {
        for name in names(algorithm) {
            assert_eq!(Checksum::from_name(name), Some(algorithm), "{name}");
            assert_eq!(name.to_uppercase().parse(), Ok(algorithm), "{name}");
        }
    }
    let wrong = "blake4".parse::<Checksum>().unwrap_err().to_string();
    assert!(wrong.contains("sm3, blake2b, blake3, sha3-224, "), "{wrong}");
}

#[test]
fn names_in_report_lines_round_trip() {
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
    fn any_names_round_trip(names in prop::collection::vec(name(), 1..6)) {
        let names: Vec<&[u8]> = names.iter().map(Vec::as_slice).collect();
        for algorithm in [Algorithm::SHA256, Algorithm::SHA512_224, Algorithm::MD5] {
            check_round_trip(algorithm.into(), &names);
        }
    }

    #[test]
    fn lines_may_end_in_cr_lf_and_begin_with_a_byte_order_mark(
        names in prop::collection::vec(name(), 1..6),
    ) {
        let entries: Vec<_> = names.iter().map(|name| entry(Algorithm::SHA1, name)).collect();
        for format in Format::all() {
            let manifest = written(format, Terminator::Newline, &entries);
            let manifest = [b"\xef\xbb\xbf".as_slice(), &with_crlf(&manifest)].concat();
            let options = Options::default();
            prop_assert_eq!(&read(&manifest, options, reader(format, options)), &entries);
        }
    }

    #[test]
    fn the_last_line_needs_no_terminator(name in name()) {
        let entry = entry(Algorithm::SHA384, &name);
        for format in Format::all() {
            for terminator in TERMINATORS {
                let mut manifest = written(format, terminator, std::slice::from_ref(&entry));
                manifest.pop();
                let options = Options { algorithm: None, terminator };
                let found = read(&manifest, options, reader(format, options));
                prop_assert_eq!(found, [entry.clone()]);
            }
        }
    }

    #[test]
    fn lengths_and_times_round_trip_in_formats_with_these_fields(
        name in name(),
        len: Option<u64>,
        seconds: Option<i32>,
        nanoseconds in 0..1_000_000_000_u32,
    ) {
        let time = seconds.map(|seconds| Time::new(seconds.into(), nanoseconds));
        let bare = entry(Algorithm::SHA256, &name);
        let whole = bare.clone().with_stat(len, time);
        for terminator in TERMINATORS {
            let options = Options { algorithm: None, terminator };
            for format in Format::all() {
                let manifest = written(format, terminator, std::slice::from_ref(&whole));
                let expected = match format.name() {
                    "json" | "csv" => whole.clone(),
                    "hashdeep" => bare.clone().with_stat(len, None),
                    _ => bare.clone(),
                };
                prop_assert_eq!(read(&manifest, options, reader(format, options)), [expected]);
            }
        }
    }

    #[test]
    fn no_bytes_after_a_header_make_a_reader_panic(
        lines in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..60), 0..8),
        head in prop::sample::select(vec![
            "%%%% size,md5,sha256,filename", "%%%% ", "algorithm,hash,path", "\"Algorithm\",\"Hash\",\"Path\"",
            "Algorithm : SHA256", "Hash : x",
        ]),
    ) {
        let mut reader = Reader::new(Options::default()).of_file(b"x.sha256");
        let _ = reader.line(head.as_bytes());
        for line in &lines {
            if let Line::Malformed(reason) = reader.line(line) {
                prop_assert!(!reason.to_string().is_empty());
            }
        }
    }

    #[test]
    fn no_bytes_make_a_reader_panic(line in prop::collection::vec(any::<u8>(), 0..200)) {
        for terminator in TERMINATORS {
            for algorithm in [None, Some(Algorithm::SHA256.into())] {
                let line = Reader::new(Options { algorithm, terminator }).line(&line);
                if let Line::Malformed(reason) = line {
                    prop_assert!(!reason.to_string().is_empty());
                }
            }
        }
    }
}
