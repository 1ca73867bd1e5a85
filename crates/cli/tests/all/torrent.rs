//! `lanesum tree torrent1` and `torrent2`, compared with libtorrent, torf and mktorrent.

use std::fs;
use std::path::{Path, PathBuf};

use lanesum_testkit::has_tool;

use crate::common::{Folder, Ran, bytes, refused, well};

/// The Python interpreter with libtorrent and torf, which `cargo xtask tools` installs.
fn python() -> PathBuf {
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/trees/bin/python");
    assert!(python.exists(), "libtorrent and torf are missing: run `cargo xtask venv trees`");
    python
}

/// Returns the results of other programs for a path, with the programs' names.
fn others(folder: &Folder, version: u32, path: &str, piece_len: u64) -> Vec<(String, String)> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/trees/torrents.py");
    let mut command = folder.command(python());
    command.arg(script).args([&version.to_string(), path, &piece_len.to_string(), "theirs"]);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).unwrap();
    let pair = |line: &str| line.split_once(' ').map(|(a, b)| (a.to_owned(), b.to_owned()));
    lines.lines().filter_map(pair).collect()
}

/// Checks that all programs agree on a path, and that ours verifies its own torrent and theirs.
fn agree(folder: &Folder, path: &str, piece_len: u64) -> usize {
    let mut runs = 0;
    for version in [1, 2] {
        let ours = folder.run(&format!(
            "tree torrent{version} --piece-length {piece_len} -o ours --announce http://a/b {path}"
        ));
        assert_eq!((ours.status, &ours.err[..]), (Some(0), ""), "{path} {piece_len}");
        let hash = ours.out.strip_suffix(&format!("  {path}\n")).unwrap();
        for (who, theirs) in others(folder, version, path, piece_len) {
            assert_eq!(hash, theirs, "{path} {piece_len} {version} by {who}");
            runs += 1;
        }
        for torrent in ["ours", "theirs"] {
            let ran = folder.run(&format!("tree torrent{version} --verify {torrent} {path}"));
            well(ran, &format!("{path}: OK\n"));
        }
        // Other programs omit or add fields only outside the info dictionary.
        let text = |name| fs::read(folder.at(name)).unwrap();
        let after = |text: Vec<u8>| {
            let at = text.windows(7).position(|window| window == b"4:infod").unwrap();
            text[at..].to_vec()
        };
        assert!(after(text("ours")) == after(text("theirs")), "{path} {piece_len} {version}");
    }
    runs
}

#[test]
fn info_hashes_match_libtorrent_torf_and_mktorrent() {
    if !has_tool("mktorrent") {
        return;
    }
    let folder = Folder::new();
    let mut runs = 0;
    let leaf = 16 << 10;
    for len in
        [1, leaf - 1, leaf, leaf + 1, 3 * leaf, 4 * leaf, 4 * leaf + 1, 9 * leaf + 5, 1 << 20]
    {
        folder.file("one", bytes(len));
        runs += agree(&folder, "one", 2 * leaf as u64);
    }
    folder.file("many/a/b/x", bytes(70_000)).file("many/a/b/y", bytes(10)).file("many/a/e", "");
    folder.file("many/z", bytes(300_000)).file("many/b", bytes(32_768)).file("many/.hidden", "h");
    for piece_len in [leaf as u64, 2 * leaf as u64, 1 << 18] {
        runs += agree(&folder, "many", piece_len);
    }
    assert!(runs > 40, "{runs}");
}

#[test]
#[ignore = "long: run by `cargo xtask test-long`"]
fn info_hashes_of_hundreds_of_lengths_are_those_of_libtorrent() {
    let folder = Folder::new();
    for i in 0..150_usize {
        let len = 1 + i * 7919 + (i % 5) * (16 << 10);
        folder.file("one", bytes(len));
        agree(&folder, "one", 1 << (14 + i % 4));
    }
}

#[test]
fn mismatching_pieces_are_reported() {
    let folder = Folder::new();
    let mut data = bytes(300_000);
    folder.file("d/a", bytes(40_000)).file("d/b", &data);
    for version in [1, 2] {
        let made =
            folder.run(&format!("tree torrent{version} --piece-length 16384 -o {version} d"));
        assert_eq!(made.status, Some(0), "{}", made.err);
    }
    data[100_000] ^= 1;
    data[299_999] ^= 1;
    folder.file("d/b", &data);
    // In version 1, pieces span files.
    let lines = "d: piece 8, bytes 131072 to 147456: FAILED\n\
                 d: piece 20, bytes 327680 to 340000: FAILED\nd: FAILED\n";
    let ran = |words: &str| folder.run(words);
    let failed = |out: &str| Ran { status: Some(1), out: out.into(), err: String::new() };
    assert_eq!(ran("tree torrent1 --verify 1 d"), failed(lines));
    let lines = "d/b: piece 6, bytes 98304 to 114688: FAILED\n\
                 d/b: piece 18, bytes 294912 to 300000: FAILED\nd: FAILED\n";
    assert_eq!(ran("tree torrent2 --verify 2 d"), failed(lines));
    // For a range of bytes, only its pieces and one neighbor.
    let lines = "d/b: piece 6, bytes 98304 to 114688: FAILED\nd: FAILED\n";
    assert_eq!(ran("tree torrent2 --bytes 90000-110000 --verify 2 d"), failed(lines));
    let lines = "d/b: piece 18, bytes 294912 to 300000: FAILED\nd: FAILED\n";
    assert_eq!(ran("tree torrent2 --bytes 299999-299999 --verify 2 d"), failed(lines));
    assert_eq!(ran("tree torrent2 --bytes 700000-9999999999999 --verify 2 d"), failed(lines));
    well(ran("tree torrent2 --bytes 0-1000 --verify 2 d"), "d: OK\n");
    let lines = "d: piece 8, bytes 131072 to 147456: FAILED\nd: FAILED\n";
    assert_eq!(ran("tree torrent1 --bytes 140000-140000 --verify 1 d"), failed(lines));
    well(ran("tree torrent1 --bytes 200000-300000 --verify 1 d"), "d: OK\n");
    refused(
        &ran("tree torrent1 --bytes 9-1 --verify 1 d"),
        2,
        "expected the first and the last byte",
    );
    folder.file("d/b", &data[1..]);
    refused(&ran("tree torrent1 --verify 1 d"), 1, "d/b: it has 299999 bytes instead of 300000");
    fs::remove_file(folder.at("d/a")).unwrap();
    refused(&ran("tree torrent2 --verify 2 d"), 1, "cannot read d/a: No such file");
    refused(&ran("tree torrent2 --verify 1 d"), 1, "malformed torrent: no version 2 metadata");
    refused(&ran("tree torrent1 --verify 2 d"), 1, "malformed torrent: no version 1 pieces");
}

#[test]
fn inconsistent_torrents_are_rejected() {
    let folder = Folder::new();
    folder.file("x", bytes(100_000)).file("d/e", "");
    let made = folder.run("tree torrent2 --piece-length 16384 -o good x");
    assert_eq!(made.status, Some(0));
    let mut good = fs::read(folder.at("good")).unwrap();
    let last = good.len() - 10;
    good[last] ^= 1;
    folder.file("layer", &good);
    let refuse = |name: &str, version: u32, text: &str| {
        let ran = folder.run(&format!("tree torrent{version} --verify {name} x"));
        refused(&ran, 1, &format!("{name}: {text}"));
    };
    refuse("layer", 2, "malformed torrent: the pieces do not match their root");
    folder.file("empty", "").file("short", &good[..100]);
    refuse("empty", 1, "malformed torrent: ");
    refuse("short", 2, "malformed torrent: ");
    let one = |path: &str| {
        format!(
            "d4:infod5:filesld6:lengthi1e4:path{path}ee4:name1:d12:piece lengthi16384e6:pieces20:{}ee",
            "x".repeat(20)
        )
    };
    for path in ["l2:..1:xe", "l1:.e", "l0:e", "l3:a/be", "l1:\0e", "le"] {
        folder.file("path", one(path));
        refuse("path", 1, "malformed torrent: ");
    }
    refused(&folder.run("tree torrent1 d"), 1, "d has only empty files: a torrent needs data");
    refused(&folder.run("tree torrent1 --piece-length 30000 x"), 2, "a power of two");
    refused(&folder.run("tree torrent1 missing"), 1, "cannot read missing: No such file");
}

#[test]
fn logs_have_the_roots_of_rfc_6962() {
    let folder = Folder::new();
    // Entries of Certificate Transparency's tests without a line feed.
    folder.file("zero", b"\x10\x00\x20\x21\x00\x30\x31").file("none", "");
    let tree = lanesum::tree::Tree::rfc6962(lanesum::Algorithm::SHA256);
    let root = tree.build_entries(&[&b"\x10"[..], b"\x20\x21", b"\x30\x31"]).root();
    well(folder.run("tree rfc6962 -z zero"), &format!("{root}  zero\n"));
    // The hash of the empty string.
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    well(folder.run("tree rfc6962 none"), &format!("{empty}  none\n"));
    for count in [1, 2, 3, 1023, 1024, 1025, 5000] {
        let lines: Vec<String> =
            (0..count).map(|i| "entry ".repeat(i % 7) + &i.to_string()).collect();
        let root = tree.build_entries(&lines).root();
        folder.file("log", lines.join("\n"));
        well(folder.run("tree rfc6962 log"), &format!("{root}  log\n"));
        folder.file("log", lines.join("\n") + "\n");
        well(folder.run("tree rfc6962 log"), &format!("{root}  log\n"));
    }
}
