//! Planted faults of each class are reported, with the right object or file.

use std::fs;
use std::path::Path;
use std::process::Command;

use lanesum::{Algorithm, hash};
use lanesum_git::{Class, Found, Repository};
use zlib_rs::{Inflate, InflateFlush, Status};

use crate::common::{Folder, checked, checked_by};

/// Changes bytes of a file, which git has made read-only.
fn edit(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(path).unwrap();
    change(&mut bytes);
    fs::remove_file(path).unwrap();
    fs::write(path, bytes).unwrap();
}

/// Restores a file when the closure returns.
fn with_edited(path: &Path, change: impl FnOnce(&mut Vec<u8>), check: impl FnOnce()) {
    let before = fs::read(path).unwrap();
    edit(path, change);
    check();
    edit(path, |bytes| *bytes = before);
}

fn name(path: &Path) -> &str {
    path.file_name().unwrap().to_str().unwrap()
}

/// Returns the contents of a zlib stream, if it is well-formed and ends with `bytes`.
fn inflated(bytes: &[u8]) -> Option<Vec<u8>> {
    let (mut inflate, mut contents) = (Inflate::new(true, 15), vec![0; 1 << 16]);
    let status = inflate.decompress(bytes, &mut contents, InflateFlush::Finish);
    contents.truncate(inflate.total_out() as usize);
    let is_all = inflate.total_in() as usize == bytes.len();
    (status == Ok(Status::StreamEnd) && is_all).then_some(contents)
}

/// Returns the path of a loose object.
fn loose(repository: &str, id: &str) -> String {
    format!("{repository}/.git/objects/{}/{}", &id[..2], &id[2..])
}

#[test]
fn corrupt_bytes_are_found() {
    let folder = Folder::new();
    folder.repository("r", "sha1", 2);
    folder.git("r", "repack -q -a -d -f --window=20");
    folder.git("r", "-c pack.writeReverseIndex=true repack -q -a -d -b");
    folder.git("r", "commit-graph write --reachable");
    folder.git("r", "multi-pack-index write");
    let pack = "r/.git/objects/pack";
    let files = ["pack", "idx", "rev", "bitmap"].map(|extension| folder.only(pack, extension));
    let more = ["pack/multi-pack-index", "info/commit-graph"];
    let more = more.map(|name| folder.at("r/.git/objects").join(name));
    checked(&folder.at("r")).is_well();
    for path in files.iter().chain(&more) {
        let len = fs::metadata(path).unwrap().len() as usize;
        // Most bytes of other files are counts and ids.
        let step = if path.extension().is_some_and(|end| end == "pack") { 1 } else { 3 };
        for at in (0..len).step_by(step) {
            let flip = |bytes: &mut Vec<u8>| bytes[at] ^= 1 << (at % 8);
            with_edited(path, flip, || {
                let found = checked_by(&folder.at("r"), 2, usize::MAX);
                assert!(found.counts.faults() > 0, "byte {at} of {}", path.display());
            });
        }
        for end in (0..len).step_by(13) {
            with_edited(
                path,
                |bytes| bytes.truncate(end),
                || {
                    let found = checked_by(&folder.at("r"), 2, usize::MAX);
                    assert!(found.counts.faults() > 0, "{end} bytes of {}", path.display());
                },
            );
        }
        with_edited(
            path,
            |bytes| bytes.push(0),
            || {
                let found = checked_by(&folder.at("r"), 2, usize::MAX);
                assert!(found.counts.faults() > 0, "a byte after {}", path.display());
            },
        );
    }
    checked(&folder.at("r")).is_well();
}

#[test]
fn every_corrupt_byte_of_a_loose_object_is_found() {
    let folder = Folder::new();
    folder.repository("r", "sha1", 1);
    let id = folder.git("r", "rev-parse HEAD:d/1").trim().to_owned();
    let path = folder.at(loose("r", &id));
    let bytes = fs::read(&path).unwrap();
    let before = inflated(&bytes).unwrap();
    for bit in 0..8 * bytes.len() {
        let flip = |bytes: &mut Vec<u8>| bytes[bit / 8] ^= 1 << (bit % 8);
        with_edited(&path, flip, || {
            let found = checked_by(&folder.at("r"), 1, usize::MAX);
            // A few bits are unused, such as those before the checksum.
            let has_meaning = inflated(&fs::read(&path).unwrap()).as_ref() != Some(&before);
            let expected = if has_meaning { vec![id.clone()] } else { Vec::new() };
            let faults: Vec<_> = found.faults().into_iter().map(|(_, id)| id).collect();
            assert_eq!(faults, expected, "bit {bit}");
        });
    }
    edit(&path, Vec::clear);
    checked(&folder.at("r")).is_one(Class::Unreadable, &id, "the file is empty");
    edit(&path, |bytes| bytes.extend(b"x\x9c"));
    checked(&folder.at("r")).is_one(Class::Unreadable, &id, "the zlib stream is truncated");
}

#[test]
fn the_corrupt_object_of_a_pack_is_named() {
    for format in ["sha1", "sha256"] {
        let folder = Folder::new();
        folder.repository("r", format, 4);
        folder.git("r", "repack -q -a -d -f --window=20");
        let pack = folder.only("r/.git/objects/pack", "pack");
        let index = pack.with_extension("idx");
        let listed = folder.git("r", &format!("verify-pack -v {}", index.display()));
        // Each line is an object: id, type, length, length in the pack, offset, and for a delta its
        // depth and base.
        let objects: Vec<Vec<&str>> = listed
            .lines()
            .map(|line| line.split_whitespace().collect())
            .filter(|words: &Vec<&str>| words.len() >= 5 && words[0].len() >= 40)
            .collect();
        assert!(objects.len() > 20);
        let mut damaged = 0;
        for words in &objects {
            let (id, offset): (_, usize) = (words[0], words[4].parse().unwrap());
            let compressed: usize = words[3].parse().unwrap();
            // The deltas of an object, their deltas, and so on.
            let mut lost = vec![id];
            for _ in 0..objects.len() {
                let more = objects.iter().filter(|other| {
                    other.get(6).is_some_and(|base| lost.contains(base))
                        && !lost.contains(&other[0])
                });
                let more: Vec<_> = more.map(|other| other[0]).collect();
                lost.extend(more);
            }
            // Change a byte of the zlib stream's checksum.
            with_edited(
                &pack,
                |bytes| bytes[offset + compressed - 2] ^= 4,
                || {
                    let found = checked(&folder.at("r"));
                    let mut expected: Vec<_> =
                        lost.iter().map(|id| (Class::Unreadable, (*id).to_owned())).collect();
                    expected.push((Class::Rotted, name(&pack).to_owned()));
                    let mut faults = found.faults();
                    faults.sort();
                    expected.sort();
                    assert_eq!(faults, expected);
                    let finding = found.of(id);
                    assert_eq!((finding.offset, &finding.path), (Some(offset as u64), &pack));
                    assert!(finding.reason.contains("invalid zlib stream"), "{}", finding.reason);
                },
            );
            damaged += 1;
        }
        assert_eq!(damaged, objects.len());
    }
}

#[test]
fn a_wrong_id_or_crc_in_an_index_is_named() {
    let folder = Folder::new();
    folder.repository("r", "sha1", 1);
    folder.git("r", "repack -q -a -d");
    let index = folder.only("r/.git/objects/pack", "idx");
    let bytes = fs::read(&index).unwrap();
    let count = u32::from_be_bytes(bytes[8 + 1020..8 + 1024].try_into().unwrap()) as usize;
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let last = 8 + 1024 + 20 * (count - 1);
    let (id, contents) = {
        let mut id = bytes[last..last + 20].to_vec();
        let contents = hex(&id);
        id[19] ^= 1;
        (hex(&id), contents)
    };
    with_edited(
        &index,
        |bytes| bytes[last + 19] ^= 1,
        || {
            let found = checked(&folder.at("r"));
            assert!(found.of(&id).reason.contains(&format!("its contents have the id {contents}")));
            let remedy = "rebuild it with 'git index-pack' on its pack";
            assert!(found.of(name(&index)).reason.contains(remedy));
            assert_eq!(found.counts.of(Class::Rotted), 2);
        },
    );
    let crc = 8 + 1024 + 20 * count + 4 * (count - 1);
    with_edited(
        &index,
        |bytes| bytes[crc] ^= 1,
        || {
            let found = checked(&folder.at("r"));
            assert_eq!(found.of(&contents).class, Class::Rotted);
            assert!(found.of(&contents).reason.contains("the index has another CRC-32"));
        },
    );
}

#[test]
fn files_for_another_pack_are_found() {
    let folder = Folder::new();
    folder.repository("r", "sha1", 2);
    folder.git("r", "-c pack.writeReverseIndex=true repack -q -a -d -f --depth=0");
    let other = folder.only("r/.git/objects/pack", "pack");
    let read = |extension: &str| fs::read(other.with_extension(extension)).unwrap();
    let (old_index, old_reverse) = (read("idx"), read("rev"));
    folder.git("r", "-c pack.writeReverseIndex=true repack -q -a -d -f --window=20");
    let index = folder.only("r/.git/objects/pack", "idx");
    let reverse = index.with_extension("rev");
    with_edited(
        &reverse,
        |bytes| *bytes = old_reverse,
        || {
            checked(&folder.at("r")).is_one(
                Class::Rotted,
                name(&reverse),
                "it does not match its pack",
            );
        },
    );
    // The checksum is valid, but differs from the pack's.
    with_edited(
        &reverse,
        |bytes| {
            bytes.truncate(12);
            bytes.extend(hash(Algorithm::SHA1, &bytes[..]).as_bytes().to_vec());
        },
        || checked(&folder.at("r")).is_one(Class::Unreadable, name(&reverse), "it is truncated"),
    );
    edit(&index, |bytes| *bytes = old_index);
    let found = checked(&folder.at("r"));
    assert!(found.of(name(&index)).reason.contains("it is for a pack with the checksum"));
}

#[test]
fn missing_files_are_found() {
    let folder = Folder::new();
    folder.repository("r", "sha1", 2);
    folder.git("r", "repack -q -a -d");
    folder.git("r", "commit-graph write --reachable --split");
    let pack = folder.only("r/.git/objects/pack", "pack");
    let index = pack.with_extension("idx");
    let moved = |path: &Path, check: &dyn Fn()| {
        let aside = path.with_extension("aside");
        fs::rename(path, &aside).unwrap();
        check();
        fs::rename(aside, path).unwrap();
    };
    moved(&pack, &|| {
        checked(&folder.at("r")).is_one(
            Class::Missing,
            name(&pack),
            "the pack of this index is missing",
        );
    });
    moved(&index, &|| {
        let found = checked(&folder.at("r"));
        found.is_one(Class::Missing, name(&index), "run 'git index-pack' on the pack");
        assert_eq!(found.counts.found(Found::Packed), 0);
    });
    let graph = folder.only("r/.git/objects/info/commit-graphs", "graph");
    moved(&graph, &|| {
        checked(&folder.at("r")).is_one(Class::Missing, name(&graph), "the chain lists it");
    });
    folder.write("r/.git/objects/info/alternates", "/nowhere/else\n");
    checked(&folder.at("r")).is_one(Class::Missing, "else", "correct info/alternates");
}

#[test]
fn an_object_under_another_name_is_rotted() {
    let folder = Folder::new();
    folder.repository("r", "sha256", 1);
    let ids: Vec<String> = ["HEAD:d/1", "HEAD:d/2"]
        .map(|name| folder.git("r", &format!("rev-parse {name}")).trim().to_owned())
        .into();
    let bytes = fs::read(folder.at(loose("r", &ids[0]))).unwrap();
    edit(&folder.at(loose("r", &ids[1])), |before| *before = bytes);
    let reason = format!("its contents have the id {}", ids[0]);
    checked(&folder.at("r")).is_one(Class::Rotted, &ids[1], &reason);
}

#[test]
fn fifos_are_not_opened() {
    let folder = Folder::new();
    folder.repository("r", "sha1", 1);
    let id = folder.git("r", "rev-parse HEAD:d/1").trim().to_owned();
    for path in [
        loose("r", &id),
        "r/.git/objects/info/commit-graph".into(),
        "r/.git/objects/pack/pack-1.idx".into(),
    ] {
        let path = folder.at(path);
        let before = fs::read(&path);
        let _ = fs::remove_file(&path);
        let made = Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(made.success());
        let found = checked(&folder.at("r"));
        assert_eq!(found.faults().len(), 1, "{found:#?}");
        let fault = found.findings.iter().find(|finding| finding.path == path).unwrap();
        assert_eq!(fault.class, Class::Unreadable);
        assert!(fault.reason.contains("not a regular file"), "{}", fault.reason);
        fs::remove_file(&path).unwrap();
        if let Ok(bytes) = before {
            fs::write(&path, bytes).unwrap();
        }
    }
    fs::create_dir(folder.at("q")).unwrap();
    let made = Command::new("mkfifo").arg(folder.at("q/.git")).status().unwrap();
    assert!(made.success());
    let error = Repository::open(&folder.at("q")).unwrap_err().to_string();
    assert!(error.ends_with("not a regular file"), "{error}");
}
