//! `lanesum tree`, compared with the tools that define the trees.

use std::fs;

use data_encoding::BASE64;
use lanesum_spec::{Algorithm, digest};
use lanesum_testkit::has_tool;

use crate::common::{Folder, bytes, refused, well};

/// Returns lengths around every boundary of blocks of `block` bytes, and of nodes with `fan_out`
/// blocks.
fn lens(block: usize, fan_out: usize) -> Vec<usize> {
    let blocks = [0, 1, 2, 3, fan_out - 1, fan_out, fan_out + 1, 2 * fan_out, fan_out * fan_out];
    let edges = blocks.into_iter().flat_map(|n| [n * block, n * block + 1, (n + 1) * block - 1]);
    let mut lens: Vec<_> = edges.chain((0..30).map(|i| i * 7919)).collect();
    lens.sort_unstable();
    lens.dedup();
    lens
}

#[test]
fn digests_match_fsverity() {
    if !has_tool("fsverity") {
        return;
    }
    for (algorithm, block, fan_out, salt) in [
        ("sha256", 4096, 128, ""),
        ("sha256", 1024, 32, "abcd"),
        ("sha512", 1024, 16, ""),
        ("sha512", 4096, 64, "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"),
    ] {
        let folder = Folder::new();
        let lens = lens(block, fan_out).into_iter().filter(|len| *len < 20 << 20);
        let names: Vec<_> = lens.map(|len| (len, format!("f{len}"))).collect();
        for (len, name) in &names {
            folder.file(name, bytes(*len));
        }
        let names: Vec<_> = names.into_iter().map(|(_, name)| name).collect();
        assert!(names.len() > 40, "{}", names.len());
        let names = names.join(" ");
        let salts = if salt.is_empty() { String::new() } else { format!("--salt={salt}") };
        let theirs = folder.peer(&format!(
            "fsverity digest --hash-alg={algorithm} --block-size={block} {salts} {names}"
        ));
        assert_eq!(theirs.status, Some(0), "{}", theirs.err);
        for jobs in [1, 3] {
            let ours = folder.run(&format!(
                "tree fsverity -j {jobs} -a {algorithm} --block-size {block} {salts} {names}"
            ));
            well(ours, &theirs.out);
        }
    }
}

#[test]
fn hash_devices_match_veritysetup() {
    if !has_tool("veritysetup") {
        return;
    }
    let mut runs = 0;
    for (algorithm, data, hash, fan_out, salt) in [
        ("sha256", 4096, 4096, 128, "abcd"),
        ("sha1", 1024, 512, 16, "-"),
        ("sha512", 512, 1024, 16, "0102030405060708090a0b0c0d0e0f1011"),
        ("sha384", 512, 512, 8, "ff"),
    ] {
        let folder = Folder::new();
        for len in lens(data, fan_out) {
            // Other tests cover bytes after the last whole block, and less than a block.
            if len < data || len % data != 0 && len > 9 * data || len > 3 << 20 {
                continue;
            }
            // veritysetup does not truncate an existing device.
            let _ = fs::remove_file(folder.at("theirs"));
            folder.file("data", bytes(len));
            let salts = if salt == "-" { String::new() } else { format!("--salt {salt}") };
            let ours = folder.run(&format!(
                "tree dmverity -a {algorithm} --data-block-size {data} --hash-block-size {hash} {salts} -o ours data"
            ));
            assert_eq!(ours.status, Some(0), "{}", ours.err);
            let uuid = ours.out.lines().nth(1).unwrap().split_whitespace().last().unwrap();
            let theirs = folder.peer(&format!(
                "veritysetup format data theirs --hash {algorithm} --data-block-size {data} --hash-block-size {hash} --salt {salt} --uuid {uuid}"
            ));
            assert_eq!(theirs.status, Some(0), "{}", theirs.err);
            let lines = |text: &str| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(lines(&ours.out), lines(&theirs.out), "{algorithm} {len}");
            let read = |name| fs::read(folder.at(name)).unwrap();
            assert!(read("ours") == read("theirs"), "{algorithm} {len}");
            runs += 1;
        }
    }
    assert!(runs > 60, "{runs}");
}

#[test]
fn blocks_that_differ_from_a_root_are_reported() {
    let folder = Folder::new();
    let mut data = bytes(300 * 4096 + 5);
    folder.file("data", &data);
    let made = folder.run("tree dmverity --salt abcd -o device data");
    assert!(made.err.contains("does not cover the last 5 bytes of data"), "{}", made.err);
    let line = made.out.lines().find(|line| line.starts_with("Root hash")).unwrap();
    let root = line.split_whitespace().last().unwrap();
    data.truncate(300 * 4096);
    folder.file("data", &data);
    let verify = format!("tree dmverity --salt abcd --verify {root}");
    well(folder.run(&format!("{verify} data")), "data: OK\n");
    data[7 * 4096] ^= 1;
    data[300 * 4096 - 1] ^= 1;
    folder.file("data", &data);
    let ran = folder.run(&format!("{verify} --hash-device device data"));
    let lines = "data: block 7, bytes 28672 to 32768: FAILED\n\
                 data: block 299, bytes 1224704 to 1228800: FAILED\ndata: FAILED\n";
    assert_eq!((ran.status, &ran.out[..], &ran.err[..]), (Some(1), lines, ""));
    // A modified hash device proves nothing.
    let mut device = fs::read(folder.at("device")).unwrap();
    let last = device.len() - 4000;
    device[last] ^= 1;
    folder.file("changed", &device).file("short", &device[..5000]);
    let ran = folder.run(&format!("{verify} --hash-device changed data"));
    assert_eq!((ran.status, &ran.out[..]), (Some(1), ""));
    assert_eq!(ran.err, "lanesum: changed does not match the root\n");
    let ran = folder.run(&format!("{verify} --hash-device short data"));
    refused(&ran, 1, "lanesum: cannot read short: ");
    // For a range of bytes, no other block is read.
    let part =
        |bytes: &str| folder.run(&format!("{verify} --hash-device device --bytes {bytes} data"));
    well(part("0-28671"), "data: OK\n");
    well(part("32768-1224703"), "data: OK\n");
    let first = "data: block 7, bytes 28672 to 32768: FAILED\ndata: FAILED\n";
    for bytes in ["28672-28672", "0-28672", "32767-40000"] {
        assert_eq!((part(bytes).status, &part(bytes).out[..]), (Some(1), first), "{bytes}");
    }
    assert_eq!(part(&format!("28672-{}", u64::MAX)).out, lines);
    refused(&part("1228800-1228800"), 1, "byte 1228800 is out of range");
    refused(&folder.run(&format!("{verify} --bytes 0-1 data")), 2, "--hash-device");
}

#[test]
fn blocks_of_trees_with_one_or_more_levels_are_reported() {
    let folder = Folder::new();
    for (data_len, hash_len) in [(512, 512), (1024, 512), (512, 2048)] {
        let fan_out = hash_len / 32;
        for blocks in [1, 2, fan_out, fan_out + 1, fan_out * fan_out, fan_out * fan_out + 1] {
            let mut data = bytes(blocks * data_len);
            folder.file("data", &data);
            let lens = format!("--data-block-size {data_len} --hash-block-size {hash_len}");
            let made = folder.run(&format!("tree dmverity {lens} -o device data"));
            let line = made.out.lines().find(|line| line.starts_with("Root hash")).unwrap();
            let root = line.split_whitespace().last().unwrap();
            let verify = format!("tree dmverity {lens} --verify {root} --hash-device device data");
            well(folder.run(&verify), "data: OK\n");
            data[(blocks - 1) * data_len] ^= 1;
            folder.file("data", &data);
            let named = match blocks {
                1 => String::new(),
                _ => format!(
                    "data: block {}, bytes {} to {}: FAILED\n",
                    blocks - 1,
                    (blocks - 1) * data_len,
                    blocks * data_len
                ),
            };
            assert_eq!(folder.run(&verify).out, format!("{named}data: FAILED\n"), "{blocks}");
        }
    }
}

#[test]
fn blocks_that_differ_from_a_tree_of_fsverity_are_reported() {
    if !has_tool("fsverity") {
        return;
    }
    let folder = Folder::new();
    for len in [0, 1, 4096, 4097, 128 * 4096, 129 * 4096 - 7, 128 * 129 * 4096 + 1] {
        let mut data = bytes(len);
        folder.file("f", &data);
        let theirs = folder.peer("fsverity digest --salt=abcd --out-merkle-tree=kept f");
        let digest = theirs.out.split_once(' ').unwrap().0.strip_prefix("sha256:").unwrap();
        let verify = format!("tree fsverity --salt abcd --verify {digest} --merkle-tree kept f");
        well(folder.run(&verify), "f: OK\n");
        let Some(last) = data.last_mut() else { continue };
        *last ^= 1;
        folder.file("f", &data);
        let block = (len - 1) / 4096;
        let named = match block {
            0 => String::new(),
            _ => format!("f: block {block}, bytes {} to {len}: FAILED\n", block * 4096),
        };
        let ran = folder.run(&verify);
        assert_eq!((ran.status, &ran.out[..]), (Some(1), &format!("{named}f: FAILED\n")[..]));
        if block > 0 {
            well(folder.run(&format!("{verify} --bytes 0-{}", block * 4096 - 1)), "f: OK\n");
            assert_eq!(folder.run(&format!("{verify} --bytes {0}-{0}", len - 1)).out, ran.out);
            // The digest of the first leaf is the first after the levels above.
            let mut kept = fs::read(folder.at("kept")).unwrap();
            let blocks_above =
                [0, 1, 3][usize::from(block >= 128) + usize::from(block >= 128 * 128)];
            kept[4096 * blocks_above] ^= 1;
            folder.file("kept", kept);
            refused(&folder.run(&verify), 1, "kept does not match the root");
        }
    }
}

#[test]
fn files_are_compared_with_roots_of_logs_and_with_uploads() {
    let folder = Folder::new();
    folder.file("a", "warp\nweft\nshed\n").file("b", "warp\nweft\nsheds\n").file("c", "warp\0weft");
    folder.file("none", "").file("d", "warp\nweft");
    let first = |words: &str| folder.run(words).out.split("  ").next().unwrap().to_owned();
    let both = |words: &str| {
        let ran = folder.run(&format!("{words} a b a"));
        let lines = "a: OK\nb: FAILED\na: OK\n";
        assert_eq!((ran.status, &ran.out[..], &ran.err[..]), (Some(1), lines, ""), "{words}");
    };
    let root = first("tree rfc6962 a");
    both(&format!("tree rfc6962 --verify {root}"));
    both(&format!("tree rfc6962 --verify {}", root.to_uppercase()));
    // A leaf is an entry of the log: a line, or a NUL-terminated record.
    let root = first("tree rfc6962 d");
    well(folder.run(&format!("tree rfc6962 -z --verify {root} c")), "c: OK\n");
    assert_eq!(folder.run(&format!("tree rfc6962 --verify {root} c")).out, "c: FAILED\n");
    let root = first("tree rfc6962 -a sha512 none");
    well(folder.run(&format!("tree rfc6962 -a sha512 --verify {root} none")), "none: OK\n");
    assert_eq!(folder.run(&format!("tree rfc6962 --verify {root} none")).status, Some(1));

    let value = first("tree s3 --part-size 7 a");
    let (digest, parts) = value.split_once('-').unwrap();
    assert_eq!(parts, "3");
    both(&format!("tree s3 --part-size 7 --verify {value}"));
    both(&format!("tree s3 --part-size 7 --verify {digest}"));
    for wrong in [format!("--part-size 7 --verify {digest}-2"), format!("--verify {value}")] {
        let ran = folder.run(&format!("tree s3 {wrong} a"));
        assert_eq!((ran.status, &ran.out[..]), (Some(1), "a: FAILED\n"), "{wrong}");
    }
    for wrong in ["", "x", "AAAA", &digest[1..], &format!("{digest}-"), &format!("{digest}-x")] {
        let ran = folder.run(&format!("tree s3 --verify={wrong} a"));
        refused(&ran, 2, "expected a SHA-256 in base64");
    }
    let ran = folder.run(&format!("tree s3 --part-size 7 --verify {value} a missing a"));
    assert_eq!((ran.status, &ran.out[..]), (Some(1), "a: OK\na: OK\n"));
    assert!(ran.err.starts_with("lanesum: cannot read missing: "), "{}", ran.err);
}

#[test]
fn files_are_compared_with_digests_of_fsverity() {
    let folder = Folder::new();
    folder.file("a", bytes(5000)).file("b", bytes(5001));
    let line = folder.run("tree fsverity a").out;
    let digest = line.split_once(' ').unwrap().0.strip_prefix("sha256:").unwrap();
    well(folder.run(&format!("tree fsverity --verify {digest} a")), "a: OK\n");
    let ran = folder.run(&format!("tree fsverity --verify {digest} a b"));
    assert_eq!((ran.status, &ran.out[..], &ran.err[..]), (Some(1), "a: OK\nb: FAILED\n", ""));
}

#[test]
fn uploads_in_parts_have_composite_checksums() {
    let folder = Folder::new();
    let sha256 = |bytes: &[u8]| digest(Algorithm::SHA256, bytes)[..32].to_vec();
    for part in [1000, 600_000] {
        for len in [0, 1, part - 1, part, part + 1, 5 * part, 40 * part + 7] {
            let message = bytes(len);
            folder.file("f", &message);
            let mut parts: Vec<_> = message.chunks(part).map(sha256).collect();
            if parts.is_empty() {
                parts.push(sha256(b""));
            }
            let line = format!("{}-{}  f\n", BASE64.encode(&sha256(&parts.concat())), parts.len());
            for jobs in [1, 2] {
                well(folder.run(&format!("tree s3 -j {jobs} --part-size {part} f")), &line);
            }
        }
    }
}

#[test]
fn invalid_trees_and_files_are_rejected() {
    let folder = Folder::new();
    folder.file("f", bytes(100)).file("d/x", "");
    let wrong = |words: &str, status: i32, text: &str| refused(&folder.run(words), status, text);
    wrong("tree fsverity -a sha1 f", 2, "fs-verity has no trees of sha1, only of sha256");
    wrong("tree fsverity --block-size 3000 f", 2, "block size 3000 is not a power of two");
    wrong("tree fsverity --salt abc f", 2, "expected pairs of hexadecimal digits");
    wrong("tree dmverity f", 1, "f is shorter than a block of 4096 bytes");
    wrong("tree dmverity missing", 1, "cannot read missing: No such file");
    wrong("tree s3 d", 1, "cannot read d: not a regular file");
    wrong("tree s3 --part-size 0 f", 2, "--part-size");
}
