//! No pack, index or loose object panics, allocates without bounds or runs forever, and every byte string gets a
//! result.
#![no_main]

use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::LazyLock;

use lanesum::{Policy, sha1};
use lanesum_files::{Progress, Settings};
use lanesum_git::{Class, Found, Options, Repository, check};
use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use zlib_rs::{DeflateConfig, compress_bound, compress_slice, crc32::crc32};

/// An entry of a pack.
#[derive(Arbitrary, Debug)]
enum Entry {
    Blob(Vec<u8>),
    /// A delta of an entry, by its distance in entries or by its id.
    Distance(u8, Vec<u8>),
    Id(u8, Vec<u8>),
    /// Bytes as they are.
    Raw(Vec<u8>),
}

#[derive(Arbitrary, Debug)]
enum Input {
    /// A pack of entries, with its index, and changes of bytes of both.
    Entries(Vec<Entry>, Vec<(u16, u8)>, Vec<(u16, u8)>),
    /// A pack and an index as they are.
    Raw(Vec<u8>, Vec<u8>),
    /// The contents of a loose object.
    Loose(Vec<u8>),
}

static DIRECTORY: LazyLock<PathBuf> = LazyLock::new(|| {
    let directory = std::env::temp_dir().join(format!("lanesum-fuzz-{}", std::process::id()));
    for name in ["refs", "objects/pack", "objects/00"] {
        fs::create_dir_all(directory.join(name)).expect("temporary files");
    }
    fs::write(directory.join("HEAD"), "ref: refs/heads/main\n").expect("temporary files");
    directory
});

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut buffer = vec![0; compress_bound(bytes.len())];
    compress_slice(&mut buffer, bytes, DeflateConfig::new(1)).0.to_vec()
}

fn header(kind: u8, mut len: usize) -> Vec<u8> {
    let mut bytes = vec![kind << 4 | (len & 15) as u8];
    len >>= 4;
    while len > 0 {
        *bytes.last_mut().expect("not empty") |= 0x80;
        bytes.push((len & 0x7f) as u8);
        len >>= 7;
    }
    bytes
}

/// Ids are numbers, so that deltas can name any entry.
fn id(number: usize) -> [u8; 20] {
    let mut id = [0; 20];
    id[19] = number as u8;
    id
}

fn pack(entries: &[Entry]) -> (Vec<u8>, Vec<u8>) {
    let entries = &entries[..entries.len().min(200)];
    let mut pack = b"PACK\0\0\0\x02".to_vec();
    pack.extend((entries.len() as u32).to_be_bytes());
    let mut offsets = Vec::new();
    for (number, entry) in entries.iter().enumerate() {
        offsets.push(pack.len());
        match entry {
            Entry::Blob(bytes) => pack.extend([header(3, bytes.len()), deflate(bytes)].concat()),
            Entry::Distance(distance, bytes) => {
                let base = offsets[number.saturating_sub(usize::from(*distance))];
                let mut back = pack.len() - base;
                let mut digits = vec![(back & 0x7f) as u8];
                while back >> 7 > 0 {
                    back = (back >> 7) - 1;
                    digits.insert(0, (back & 0x7f) as u8 | 0x80);
                }
                pack.extend([header(6, bytes.len()), digits, deflate(bytes)].concat());
            }
            Entry::Id(base, bytes) => {
                let base = id(usize::from(*base) % entries.len()).to_vec();
                pack.extend([header(7, bytes.len()), base, deflate(bytes)].concat());
            }
            Entry::Raw(bytes) => pack.extend(if bytes.is_empty() { b"\0" } else { &bytes[..] }),
        }
    }
    let end = pack.len();
    let checksum = sha1(&pack);
    let mut index = b"\xfftOc\0\0\0\x02".to_vec();
    (0..256).for_each(|_| index.extend((entries.len() as u32).to_be_bytes()));
    (0..entries.len()).for_each(|number| index.extend(id(number)));
    for (number, offset) in offsets.iter().enumerate() {
        let next = offsets.get(number + 1).copied().unwrap_or(end);
        index.extend(crc32(0, &pack[*offset..next]).to_be_bytes());
    }
    offsets.iter().for_each(|offset| index.extend((*offset as u32).to_be_bytes()));
    pack.extend(checksum);
    index.extend(checksum);
    index.extend(sha1(&index));
    (pack, index)
}

fn change(bytes: &mut [u8], changes: &[(u16, u8)]) {
    for (at, byte) in changes {
        let len = bytes.len();
        bytes[usize::from(*at) % len] ^= byte;
    }
}

fuzz_target!(|input: Input| {
    let objects = DIRECTORY.join("objects");
    let loose = objects.join("00").join(&"0".repeat(38));
    let (mut bytes, mut index, mut count) = (Vec::new(), Vec::new(), None);
    let _ = fs::remove_file(&loose);
    match input {
        Input::Entries(entries, in_pack, in_index) => {
            (bytes, index) = pack(&entries);
            change(&mut bytes, &in_pack);
            change(&mut index, &in_index);
            count = in_index.is_empty().then(|| entries.len().min(200) as u64);
        }
        Input::Raw(pack, raw) => (bytes, index) = (pack, raw),
        Input::Loose(contents) => {
            fs::write(&loose, deflate(&contents)).expect("temporary files");
        }
    }
    fs::write(objects.join("pack/pack-1.pack"), bytes).expect("temporary files");
    fs::write(objects.join("pack/pack-1.idx"), index).expect("temporary files");
    let repository = Repository::open(&DIRECTORY).expect("a repository");
    let workers = NonZeroUsize::new(2);
    let settings = Settings { workers, ..Settings::new(Policy::automatic()) };
    let progress = Progress::default();
    let options = Options { settings: &settings, progress: &progress, reports_same: true };
    let counts = check(&repository, &options, &|finding| {
        assert_eq!(finding.class == Class::Same, finding.reason.is_empty());
        ControlFlow::Continue(())
    });
    // Each entry has one finding, unless the pack was not readable at all.
    let packed = counts.found(Found::Packed);
    assert!(count.is_none_or(|count| packed == count || packed == 0));
    let findings: u64 = Class::ALL.iter().map(|class| counts.of(*class)).sum();
    let found = packed + counts.found(Found::Loose) + counts.found(Found::File);
    assert_eq!(findings, found);
});
