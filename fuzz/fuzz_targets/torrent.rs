//! No input panics as a `.torrent` of either version; no path leaves its directory, and reading a
//! rewritten torrent yields the same contents.
#![no_main]

use lanesum_manifest::torrent::{Torrent, Version};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for version in [Version::One, Version::Two] {
        let torrent = match Torrent::parse(bytes, version) {
            Ok(torrent) => torrent,
            Err(error) => {
                assert!(!error.to_string().is_empty());
                continue;
            }
        };
        let names = torrent.files.iter().flat_map(|file| &file.path).chain([&torrent.name]);
        for name in names {
            assert!(!name.is_empty() && name != b"." && name != b"..");
            assert!(!name.contains(&b'/') && !name.contains(&0));
        }
        // Padding files are written like other files.
        if torrent.files.iter().all(|file| !file.is_padding) {
            let written = torrent.write(&["http://a/b".into(), "http://c/d".into()]);
            assert_eq!(Torrent::parse(&written, version), Ok(torrent));
        }
    }
});
