//! No input panics, and every parsed entry parses to the same entry after it is written again, in
//! every format.
#![no_main]

use lanesum_manifest::{Checksum, Format, Line, Options, Reader, Terminator};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((&flags, manifest)) = bytes.split_first() else { return };
    let terminator = if flags & 1 == 0 { Terminator::Newline } else { Terminator::Nul };
    let algorithm = Checksum::all().nth(usize::from(flags >> 1));
    let mut reader = Reader::new(Options { algorithm, terminator });
    for line in manifest.split_inclusive(|&b| b == terminator.byte()) {
        let entry = match reader.line(line) {
            Line::Entry(entry) => entry,
            Line::Skip => continue,
            Line::Malformed(reason) => {
                assert!(!reason.to_string().is_empty());
                continue;
            }
        };
        for format in Format::all() {
            for terminator in [Terminator::Newline, Terminator::Nul] {
                let (mut head, mut written) = (Vec::new(), Vec::new());
                format.head(&[entry.algorithm()], terminator, &mut head);
                format.write(&entry, terminator, &mut written);
                let ends = written.iter().filter(|&&b| b == terminator.byte()).count();
                assert!(ends == 1 || terminator == Terminator::Nul, "one line");
                let algorithm = (!format.names_algorithm()).then_some(entry.algorithm());
                let mut reader = Reader::new(Options { algorithm, terminator });
                if format.is_known_by_file() {
                    reader = reader.of_file(b"manifest-sha256.txt");
                }
                for line in head.split_inclusive(|&b| b == terminator.byte()) {
                    assert_eq!(reader.line(line), Line::Skip, "{format:?}");
                }
                // Formats store more or less than a file's name and digest.
                let Line::Entry(read) = reader.line(&written) else { panic!("{format:?}") };
                assert_eq!(read.with_stat(None, None), entry.clone().with_stat(None, None));
            }
        }
    }
});
