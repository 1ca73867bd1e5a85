//! Packs and objects that git would not write.

use std::path::PathBuf;

use lanesum::{Digest, sha1};
use lanesum_git::Class;
use zlib_rs::{DeflateConfig, ReturnCode, compress_bound, compress_slice};

use crate::common::{Checked, Folder, checked};

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut buffer = vec![0; compress_bound(bytes.len())];
    let (compressed, code) = compress_slice(&mut buffer, bytes, DeflateConfig::default());
    assert_eq!(code, ReturnCode::Ok);
    compressed.to_vec()
}

fn id(contents: &[u8]) -> Digest {
    let header = format!("blob {}\0", contents.len());
    sha1([header.as_bytes(), contents].concat()).into()
}

/// Encodes the header of an entry.
fn header(kind: u8, mut len: u64) -> Vec<u8> {
    let mut bytes = vec![kind << 4 | (len & 15) as u8];
    len >>= 4;
    while len > 0 {
        *bytes.last_mut().unwrap() |= 0x80;
        bytes.push((len & 0x7f) as u8);
        len >>= 7;
    }
    bytes
}

fn blob(contents: &[u8]) -> Vec<u8> {
    [header(3, contents.len() as u64), deflate(contents)].concat()
}

/// Encodes a delta of an object with an id.
fn delta_of(base: &Digest, delta: &[u8]) -> Vec<u8> {
    [&header(7, delta.len() as u64)[..], base.as_bytes(), &deflate(delta)].concat()
}

/// Creates a repository with one pack of these entries, under these ids.
fn packed(folder: &Folder, entries: &[(Digest, Vec<u8>)]) -> PathBuf {
    let mut pack = b"PACK\0\0\0\x02".to_vec();
    pack.extend((entries.len() as u32).to_be_bytes());
    let mut listed = Vec::new();
    for (id, bytes) in entries {
        listed.push((*id, zlib_rs::crc32::crc32(0, bytes), pack.len() as u32));
        pack.extend(bytes);
    }
    let checksum = sha1(&pack);
    pack.extend(checksum);
    listed.sort();
    let mut index = b"\xfftOc\0\0\0\x02".to_vec();
    for byte in 0..=255 {
        let count = listed.iter().filter(|(id, ..)| id.as_bytes()[0] <= byte).count();
        index.extend((count as u32).to_be_bytes());
    }
    listed.iter().for_each(|(id, ..)| index.extend(id.as_bytes()));
    listed.iter().for_each(|(_, crc, _)| index.extend(crc.to_be_bytes()));
    listed.iter().for_each(|(.., offset)| index.extend(offset.to_be_bytes()));
    index.extend(checksum);
    index.extend(sha1(&index));
    folder.write("r/HEAD", "ref: refs/heads/main\n");
    std::fs::create_dir_all(folder.at("r/refs")).unwrap();
    folder.write("r/objects/pack/pack-1.idx", index);
    folder.write("r/objects/pack/pack-1.pack", pack);
    folder.at("r")
}

fn checked_pack(entries: &[(Digest, Vec<u8>)]) -> Checked {
    let folder = Folder::new();
    checked(&packed(&folder, entries))
}

/// Returns an arbitrary id.
fn named(number: u8) -> Digest {
    sha1([number]).into()
}

#[test]
fn deltas_apply_in_any_order() {
    // Each object has one more byte than its predecessor; bases follow their deltas.
    let contents = |len: usize| -> Vec<u8> { (0..len).map(|i| (i % 100) as u8).collect() };
    let mut entries = vec![(id(&contents(1)), blob(&contents(1)))];
    for len in 1..100 {
        let delta = [len as u8, len as u8 + 1, 0x90, len as u8, 1, len as u8];
        entries.push((id(&contents(len + 1)), delta_of(&id(&contents(len)), &delta)));
    }
    checked_pack(&entries).is_well();
    entries.reverse();
    checked_pack(&entries).is_well();
}

#[test]
fn long_chains_need_no_stack() {
    let contents = |n: u32| n.to_be_bytes();
    let mut entries = vec![(id(&contents(0)), blob(&contents(0)))];
    for n in 1..5000 {
        let delta = [&[4, 4, 4][..], &contents(n)].concat();
        entries.push((id(&contents(n)), delta_of(&id(&contents(n - 1)), &delta)));
    }
    let folder = Folder::new();
    let path = packed(&folder, &entries);
    for (workers, bytes) in [(1, usize::MAX), (2, 0)] {
        crate::common::checked_by(&path, workers, bytes).is_well();
    }
}

#[test]
fn cycles_of_deltas_are_found() {
    let delta = [0, 0];
    for len in 1..4_u8 {
        let mut entries: Vec<_> =
            (0..len).map(|n| (named(n), delta_of(&named((n + 1) % len), &delta))).collect();
        entries.push((id(b"well"), blob(b"well")));
        let found = checked_pack(&entries);
        assert_eq!(found.counts.of(Class::Unreadable), u64::from(len), "{found:#?}");
        for n in 0..len {
            assert_eq!(found.of(&named(n).to_string()).reason, "its delta bases form a cycle");
        }
    }
}

#[test]
fn missing_and_corrupt_bases_are_named() {
    let none = named(9);
    let by_distance = |distance: u8| [header(6, 2), vec![distance], deflate(&[0, 0])].concat();
    for (entry, reason) in [
        (delta_of(&none, &[0, 0]), format!("its delta base {none} is not in the pack")),
        (by_distance(0), "its delta bases form a cycle".into()),
        (by_distance(1), "its delta base is 1 bytes before it, where no object begins".into()),
        (by_distance(100), "its delta base is 100 bytes before it, where no object begins".into()),
    ] {
        let found = checked_pack(&[(named(1), entry), (named(2), delta_of(&named(1), &[0, 0]))]);
        assert_eq!(found.of(&named(1).to_string()).reason, reason);
        let lost = found.of(&named(2).to_string());
        assert_eq!(lost.class, Class::Unreadable);
        assert!(lost.reason.contains("cycle") || lost.reason.contains(&named(1).to_string()));
    }
}

#[test]
fn malformed_entries_are_unreadable() {
    let cases: [(Vec<u8>, &str); 10] = [
        (vec![0x80; 3], "the header of the entry is truncated"),
        ([&[0xbf][..], &[0xff; 9], &[0]].concat(), "a number over 64 bits"),
        ([header(0, 1), deflate(b"a")].concat(), "the unknown type 0"),
        ([header(5, 1), deflate(b"a")].concat(), "the unknown type 5"),
        ([header(3, 2), deflate(b"a")].concat(), "has 1 bytes, not the declared 2"),
        ([header(3, 1), deflate(b"ab")].concat(), "more than the declared 1 bytes"),
        ([header(3, 1), deflate(b"a"), vec![0, 0]].concat(), "2 bytes follow the zlib stream"),
        ([header(3, 1), deflate(b"a")[..7].to_vec()].concat(), "the zlib stream is truncated"),
        ([header(3, 1), b"beans".to_vec()].concat(), "invalid zlib stream"),
        (header(3, 1), "its header states 1 bytes, more than 0 compressed bytes can expand to"),
    ];
    for (entry, reason) in cases {
        let found = checked_pack(&[(id(b"a"), entry)]);
        found.is_one(Class::Unreadable, &id(b"a").to_string(), reason);
    }
}

#[test]
fn malformed_deltas_are_unreadable() {
    let base = b"0123456789";
    let cases: [(&[u8], &str); 5] = [
        (&[10], "the delta is truncated"),
        (&[10, 3, 0], "the delta has a reserved instruction"),
        (&[10, 3, 0x91, 8, 3], "copies bytes from outside of its base"),
        (&[9, 0], "for a base of 9 bytes, but its base has 10"),
        (&[10, 4, 0x91, 1, 3], "yields 3 bytes, not the declared 4"),
    ];
    for (delta, reason) in cases {
        let entries = [(id(base), blob(base)), (named(1), delta_of(&id(base), delta))];
        checked_pack(&entries).is_one(Class::Unreadable, &named(1).to_string(), reason);
    }
}

/// A length that a file declares, but cannot have, is not allocated.
#[test]
fn enormous_lengths_are_rejected() {
    let large = 1 << 46;
    let found = checked_pack(&[(named(1), [header(3, large), deflate(b"a")].concat())]);
    let reason = format!("its header states {large} bytes, more than");
    found.is_one(Class::Unreadable, &named(1).to_string(), &reason);
    // A delta of a few kilobytes that would yield 32 GiB.
    let base = vec![7; 0xff_ffff];
    let copies = 2048;
    let mut delta = Vec::new();
    for mut len in [base.len() as u64, base.len() as u64 * copies] {
        while len >= 0x80 {
            delta.push(len as u8 | 0x80);
            len >>= 7;
        }
        delta.push(len as u8);
    }
    (0..copies).for_each(|_| delta.extend([0xf0, 0xff, 0xff, 0xff]));
    let entries = [(id(&base), blob(&base)), (named(1), delta_of(&id(&base), &delta))];
    let reason = "are more than 1 GiB, the limit for deltas and their bases";
    checked_pack(&entries).is_one(Class::Unreadable, &named(1).to_string(), reason);
    // Loose objects.
    let folder = Folder::new();
    let path = packed(&folder, &[(id(b"a"), blob(b"a"))]);
    let name = named(1).to_string();
    let loose = format!("r/objects/{}/{}", &name[..2], &name[2..]);
    let cases = [
        (format!("blob {large}\0a"), "bytes, more than"),
        ("blob 2\0a".to_owned(), "has 1 bytes, not the declared 2"),
        ("blob 1\0ab".to_owned(), "more than the declared 1 bytes"),
        ("blob 01\0a".to_owned(), ""),
        ("beans".to_owned(), ""),
        (format!("blob {}", "1".repeat(1000)), ""),
    ];
    for (object, reason) in cases {
        folder.write(&loose, deflate(object.as_bytes()));
        let found = checked(&path);
        let class = if reason.is_empty() { Class::Rotted } else { Class::Unreadable };
        found.is_one(class, &name, reason);
        // With the right name, the header is the only fault.
        if reason.is_empty() {
            let right = Digest::from(sha1(&object)).to_string();
            folder.write(
                &format!("r/objects/{}/{}", &right[..2], &right[2..]),
                deflate(object.as_bytes()),
            );
            let found = checked(&path);
            assert_eq!(found.of(&right).reason, "the header of the object is malformed");
            std::fs::remove_dir_all(folder.at(format!("r/objects/{}", &right[..2]))).unwrap();
        }
    }
    folder.write(&loose, [deflate(b"blob 1\0a"), b"more".to_vec()].concat());
    checked(&path).is_one(Class::Unreadable, &name, "4 bytes follow the zlib stream");
}

/// The published collisions begin with the first byte of a message. Behind git's header the same blocks are no
/// collision, so the objects here are the attacks themselves, without a header.
#[test]
fn collisions_are_reported() {
    let folder = Folder::new();
    let path = packed(&folder, &[(id(b"a"), blob(b"a"))]);
    for attack in [
        &include_bytes!("../../../engine/tests/all/data/sha1dc/shattered-1.bin")[..],
        include_bytes!("../../../engine/tests/all/data/sha1dc/shattered-2.bin"),
        include_bytes!("../../../engine/tests/all/data/sha1dc/sha-mbles-1.bin"),
    ] {
        let name = Digest::from(sha1(attack)).to_string();
        let directory = format!("r/objects/{}", &name[..2]);
        folder.write(&format!("{directory}/{}", &name[2..]), deflate(attack));
        checked(&path).is_one(Class::Collision, &name, "part of a SHA-1 collision attack");
        std::fs::remove_dir_all(folder.at(directory)).unwrap();
    }
    checked(&path).is_well();
}

#[test]
fn unusable_offsets_are_reported() {
    let folder = Folder::new();
    let path = packed(&folder, &[(id(b"a"), blob(b"a")), (id(b"b"), blob(b"b"))]);
    let index = folder.at("r/objects/pack/pack-1.idx");
    let before = std::fs::read(&index).unwrap();
    let offsets = 8 + 1024 + 2 * 24;
    let with_first = |offset: u32| {
        let mut bytes = before.clone();
        bytes[offsets..offsets + 4].copy_from_slice(&offset.to_be_bytes());
        std::fs::write(&index, bytes).unwrap();
        checked(&path)
    };
    let first = before[8 + 1024..][..20].to_vec();
    let first = Digest::try_from(&first[..]).unwrap().to_string();
    for offset in [0, 11, 1000] {
        let reason = format!("the index has the offset {offset}, but entries end at");
        assert!(with_first(offset).of(&first).reason.starts_with(&reason));
    }
    let found = with_first(1 << 31);
    assert_eq!(found.of(&first).reason, "the index has no 64-bit offset of this number");
    let other = u32::from_be_bytes(before[offsets + 4..offsets + 8].try_into().unwrap());
    let found = with_first(other);
    let reasons: Vec<_> = found.findings.iter().map(|finding| &finding.reason).collect();
    assert!(reasons.iter().any(|reason| reason.starts_with("the index has the same offset for")));
}
