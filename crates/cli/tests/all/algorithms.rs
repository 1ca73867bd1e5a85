//! Every algorithm in every format: `check`, `diff` and `--update` read back what `sum` writes.

use std::fs;

use lanesum_manifest::{Checksum, Format};

use crate::common::{Folder, bytes, hex, ran, refused, well};

/// The algorithms that the digest length of an untagged line identifies.
const BY_LENGTH: [&str; 6] = ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"];

/// Every listed algorithm, and two of SHA-512/t.
fn algorithms() -> Vec<&'static str> {
    Checksum::all().map(Checksum::name).chain(["sha512/8", "sha512/192"]).collect()
}

/// Creates a tree with names that formats escape.
fn tree() -> Folder {
    let folder = Folder::new();
    folder.file("tree/a", "abc").file("tree/b c", "").file("tree/d%25e", bytes(70_000));
    folder.file("tree/back\\slash\nline", bytes(300_000));
    folder
}

const COUNT: &str = "4 files: 4 the same\n";

/// Checks, audits, compares and updates the manifest `file` of `tree` without naming its algorithm.
#[track_caller]
fn reads_back(folder: &Folder, file: &str) {
    well(folder.run(&format!("check --quiet --strict {file}")), "");
    well(folder.run(&format!("check --audit {file}")), COUNT);
    well(folder.run(&format!("diff {file} tree")), COUNT);
    well(folder.run(&format!("diff tree {file}")), COUNT);
    let before = fs::read(folder.at(file)).unwrap();
    well(folder.run(&format!("sum --update {file} --cache=CACHE")), COUNT);
    assert_eq!(fs::read(folder.at(file)).unwrap(), before, "{file}");
}

#[test]
fn every_algorithm_is_read_back_without_an_option() {
    let folder = tree();
    for algorithm in algorithms() {
        well(folder.run(&format!("sum -r -a {algorithm} tree -o SUMS")), "");
        reads_back(&folder, "SUMS");
        let text = fs::read_to_string(folder.at("SUMS")).unwrap();
        assert_eq!(BY_LENGTH.contains(&algorithm), !text.contains("tree/a) = "), "{text}");
        let piped = folder.run(&format!("sum -r -a {algorithm} tree"));
        assert_eq!(piped.out, text);
        well(folder.feed("check --quiet --strict", text.as_bytes()), "");
        // A line for a new file has the algorithm of the other lines.
        folder.file("tree/new", "new");
        let updated = folder.run("sum --update SUMS --cache=CACHE");
        assert_eq!(
            updated.out, "new           tree/new\n5 files: 4 the same, 1 new\n",
            "{updated:?}"
        );
        well(folder.run(&format!("sum -r -a {algorithm} tree -o FRESH")), "");
        assert_eq!(fs::read(folder.at("SUMS")).unwrap(), fs::read(folder.at("FRESH")).unwrap());
        fs::remove_file(folder.at("tree/new")).unwrap();
    }
}

#[test]
fn every_format_reads_every_algorithm_back_or_is_refused() {
    let folder = tree();
    for algorithm in algorithms() {
        let own = algorithm.replace('/', "-");
        for format in Format::all() {
            let name = format.name();
            let sum = format!("sum -r -a {algorithm} --format {name} tree");
            if format.names_algorithm() {
                well(folder.run(&format!("{sum} -o SUMS")), "");
                reads_back(&folder, "SUMS");
                continue;
            }
            if !BY_LENGTH.contains(&algorithm) {
                let why = format!("format {name} does not record the algorithm, and ");
                for output in ["", "-o SUMS", "-o x.md5"] {
                    let ran = folder.run(&format!("{sum} {output}"));
                    refused(&ran, 2, &why);
                    assert!(ran.err.ends_with(": use --format bsd or json\n"), "{ran:?}");
                }
            }
            let file = match format.is_known_by_file() {
                true => format!("manifest-{own}.txt"),
                false => format!("x.{own}"),
            };
            well(folder.run(&format!("{sum} -o {file}")), "");
            assert!(!fs::read_to_string(folder.at(&file)).unwrap().contains(" = "));
            reads_back(&folder, &file);
        }
    }
}

#[test]
fn a_manifest_s_own_name_is_not_contradicted() {
    let folder = tree();
    let own = "format gnu does not record the algorithm, and x.sm3 selects SM3: use ";
    refused(&folder.run("sum --format gnu -r tree -o x.sm3"), 2, own);
    well(folder.run("sum -r tree -o x.sm3"), "");
    reads_back(&folder, "x.sm3");
    // BagIt spells the names of algorithms differently.
    let bag = "manifest-sha256.txt is a BagIt file name: use --format bagit";
    refused(&folder.run("sum -r tree --format gnu -o manifest-sha256.txt"), 2, bag);
    well(folder.run("sum -r tree -o manifest-sha256.txt"), "");
    reads_back(&folder, "manifest-sha256.txt");
    let other =
        "SUMS is not a BagIt file name: rename it to manifest-sha256.txt, or use --format gnu";
    refused(&folder.run("sum -r tree --format bagit -o SUMS"), 2, other);
    let piped = folder.run("sum -r tree --format bagit");
    assert_eq!((piped.status, piped.out.lines().count()), (Some(1), 2), "{piped:?}");
    assert!(piped.err.contains("cannot write tree/d%25e to standard output in format bagit"));
    well(folder.feed("check --quiet --strict", piped.out.as_bytes()), "");
}

#[test]
fn several_algorithms_are_computed_in_one_pass() {
    let folder = tree();
    let all: Vec<_> = algorithms();
    well(folder.run(&format!("sum -r -a {} tree -o SUMS", all.join(","))), "");
    for algorithm in &all {
        well(folder.run(&format!("sum -r --tag -a {algorithm} tree -o ONE")), "");
        let (all, one) =
            (fs::read(folder.at("SUMS")).unwrap(), fs::read(folder.at("ONE")).unwrap());
        let lines: Vec<_> = all.split(|&byte| byte == b'\n').collect();
        assert!(one.split(|&byte| byte == b'\n').all(|line| lines.contains(&line)), "{algorithm}");
    }
    reads_back(&folder, "SUMS");
}

#[test]
fn digests_match_other_tools() {
    let folder = tree();
    folder.file("long", bytes(9_000_000));
    for (words, algorithm) in [
        ("b2sum", "blake2b"),
        ("b3sum", "blake3"),
        ("openssl dgst -r -sha3-224", "sha3-224"),
        ("openssl dgst -r -sha3-256", "sha3-256"),
        ("openssl dgst -r -sha3-384", "sha3-384"),
        ("openssl dgst -r -sha3-512", "sha3-512"),
    ] {
        let files = ["tree/a", "tree/b c", "long"];
        let theirs = {
            let mut words = words.split(' ');
            let mut command = folder.command(words.next().unwrap());
            ran(&command.args(words).args(files).output().unwrap())
        };
        assert_eq!(theirs.status, Some(0), "{words}: {theirs:?}");
        folder.file("SUMS", &theirs.out);
        let ok = "tree/a: OK\ntree/b c: OK\nlong: OK\n";
        well(folder.run(&format!("check -a {algorithm} SUMS")), ok);
        // The name of the manifest also selects the algorithm.
        let upper = algorithm.to_uppercase();
        for name in
            [format!("x.{algorithm}"), format!("{upper}SUMS"), format!("{algorithm}sums.txt")]
        {
            folder.file(&name, &theirs.out);
            well(folder.run(&format!("check {name}")), ok);
        }
    }
    let theirs = folder.peer("b3sum tree/a long").out;
    for name in ["B3SUMS", "b3sums.txt", "x.b3"] {
        folder.file(name, &theirs);
        well(folder.run(&format!("check {name}")), "tree/a: OK\nlong: OK\n");
    }
    let theirs = folder.peer("b2sum tree/a long").out;
    for name in ["B2SUMS", "BLAKE2SUMS", "x.b2"] {
        folder.file(name, &theirs);
        well(folder.run(&format!("check {name}")), "tree/a: OK\nlong: OK\n");
    }
    // A bare digest.
    folder.file("long.b3", &folder.peer("b3sum --no-names long").out);
    well(folder.run("check long.b3"), "long: OK\n");
}

#[test]
fn a_digest_of_another_algorithm_is_no_failure_of_the_file() {
    let folder = tree();
    let blake3 = folder.peer("b3sum tree/a");
    let a = hex("sha256", b"abc");
    for (text, out, err) in [
        (
            blake3.out.clone(),
            "tree/a: NOT VERIFIED (matches BLAKE3; use -a blake3)\n",
            "lanesum: F: 1 line matches BLAKE3, not SHA-256: run lanesum check -a blake3 F\n",
        ),
        (
            format!("{}{}", hex("sm3", b"abc") + "  tree/a\n", hex("sm3", b"") + " *tree/b c\n"),
            "tree/a: NOT VERIFIED (matches SM3; use -a sm3)\n\
             tree/b c: NOT VERIFIED (matches SM3; use -a sm3)\n",
            "lanesum: F: 2 lines match SM3, not SHA-256: run lanesum check -a sm3 F\n",
        ),
        (
            folder.peer("b2sum tree/a").out,
            "tree/a: NOT VERIFIED (matches BLAKE2b; use -a blake2b)\n",
            "lanesum: F: 1 line matches BLAKE2b, not SHA-512: run lanesum check -a blake2b F\n",
        ),
        // A line that matches no algorithm, and one that matches another.
        (
            format!("{a}  tree/a\n{}  tree/b c\n{}", hex("sha256", b"x"), blake3.out),
            "tree/a: OK\ntree/b c: FAILED\ntree/a: NOT VERIFIED (matches BLAKE3; use -a blake3)\n",
            "lanesum: WARNING: 1 computed checksum did NOT match\n\
             lanesum: F: 1 line matches BLAKE3, not SHA-256: run lanesum check -a blake3 F\n",
        ),
        // A line that names its algorithm is not checked against others.
        (
            format!("SHA256 (tree/a) = {}\n", &blake3.out[..64]),
            "tree/a: FAILED\n",
            "lanesum: WARNING: 1 computed checksum did NOT match\n",
        ),
    ] {
        folder.file("F", text);
        let found = folder.run("check F");
        assert_eq!((found.status, &*found.out, &*found.err), (Some(1), out, err));
        assert_eq!(folder.run("check --status F").status, Some(1));
        assert_eq!(folder.run("check --quiet F").out, out.replace("tree/a: OK\n", ""));
    }
    let piped = folder.feed("check", blake3.out.as_bytes());
    assert!(piped.err.contains(
        "standard input: 1 line matches BLAKE3, not SHA-256: run lanesum check -a blake3\n"
    ));
    folder.file("F", &blake3.out);
    well(folder.run("check -a blake3 F"), "tree/a: OK\n");
}

#[test]
fn an_update_never_changes_a_line_s_algorithm() {
    let folder = tree();
    let line = |algorithm, name: &str, text: &[u8]| format!("{}  {name}\n", hex(algorithm, text));
    for (text, algorithm, title, assumed) in [
        (folder.peer("b3sum tree/a").out, "blake3", "BLAKE3", "SHA-256"),
        (folder.peer("b2sum tree/a").out, "blake2b", "BLAKE2b", "SHA-512"),
        (line("sm3", "tree/a", b"abc"), "sm3", "SM3", "SHA-256"),
        (line("ripemd160", "tree/a", b"abc"), "ripemd160", "RIPEMD-160", "SHA-1"),
        (format!("(tree/a) = {}\n", hex("sm3", b"abc")), "sm3", "SM3", "SHA-256"),
    ] {
        folder.file("SUMS", &text);
        let why = format!("SUMS: its lines match {title}, not {assumed}: use -a {algorithm}\n");
        for command in [
            "sum --update SUMS --cache=CACHE",
            "check --audit SUMS",
            "diff SUMS tree",
            "diff tree SUMS",
        ] {
            refused(&folder.run(command), 1, &why);
            assert_eq!(fs::read_to_string(folder.at("SUMS")).unwrap(), text, "{command}");
        }
        let audit = folder.run(&format!("check --audit -a {algorithm} SUMS --allow new"));
        assert_eq!((audit.status, &*audit.err), (Some(0), ""), "{audit:?}");
        // With -a, it writes tagged lines if the format permits.
        let told = format!("sum --update SUMS --cache=CACHE -a {algorithm} tree/a");
        if !text.starts_with('(') {
            refused(&folder.run(&told), 2, "format gnu does not record the algorithm, and ");
            assert_eq!(fs::read_to_string(folder.at("SUMS")).unwrap(), text);
        }
        well(folder.run(&format!("{told} --format bsd")), "1 file: 1 the same\n");
        let tagged = fs::read_to_string(folder.at("SUMS")).unwrap();
        assert!(tagged.contains(" (tree/a) = "), "{tagged}");
        well(folder.run("check --strict SUMS"), "tree/a: OK\n");
    }
    // From the directory of the manifest, and with only new files in scope.
    let text = folder.peer("b3sum tree/a").out;
    folder.file("SUMS", &text);
    fs::create_dir(folder.at("work")).unwrap();
    folder.file("tree/new", "new");
    let why = "its lines match BLAKE3, not SHA-256: use -a blake3\n";
    for words in ["sum -u ../SUMS --names-from manifest", "check --audit ../SUMS -C .."] {
        let mut command = folder.lanesum();
        command.args(words.split(' ')).arg("--cache=C").current_dir(folder.at("work"));
        refused(&crate::common::ran(&command.output().unwrap()), 1, why);
    }
    for path in ["tree/new", "tree/new tree/b"] {
        let ran = folder.run(&format!("sum --update SUMS --cache=CACHE {path}"));
        assert!(ran.status == Some(1) && ran.err.ends_with(why), "{path}: {ran:?}");
    }
    assert_eq!(fs::read_to_string(folder.at("SUMS")).unwrap(), text);
    fs::remove_file(folder.at("tree/new")).unwrap();
    // A changed file is not mistaken for one with a digest of another algorithm.
    folder.file("SUMS", line("sha256", "tree/a", b"was"));
    let ran = folder.run("sum --update SUMS --cache=CACHE tree/a");
    assert_eq!(ran.out, "changed       tree/a\n1 file: 1 changed\n", "{ran:?}");
    assert_eq!(fs::read_to_string(folder.at("SUMS")).unwrap(), line("sha256", "tree/a", b"abc"));
    // The algorithm in the name of a manifest applies to all its lines.
    folder.file("x.sm3", line("sm3", "tree/a", b"abc"));
    well(folder.run("sum --update x.sm3 --cache=CACHE tree/a"), "1 file: 1 the same\n");
    assert_eq!(fs::read_to_string(folder.at("x.sm3")).unwrap(), line("sm3", "tree/a", b"abc"));
}

#[test]
fn shells_complete_all_algorithms_and_bench_accepts_only_ours() {
    let folder = tree();
    for shell in ["bash", "zsh", "fish"] {
        let script = folder.run(&format!("completions {shell}")).out;
        for algorithm in Checksum::all() {
            assert!(script.contains(algorithm.name()), "{shell} {algorithm}");
        }
    }
    for alias in ["SHA2-256", "sha512_256", "BLAKE2b512", "sha3_256", "sha1dc", "sha512/192"] {
        assert_eq!(folder.run(&format!("sum -a {alias} tree/a")).status, Some(0), "{alias}");
    }
    for command in
        ["bench -a blake3", "mac -a blake3 -k tree/a tree/a", "tree rfc6962 -a blake3 tree/a"]
    {
        let ran = folder.run(command);
        assert_eq!(ran.status, Some(2), "{ran:?}");
        assert!(ran.err.contains("unknown algorithm") && !ran.err.contains("blake2b"), "{ran:?}");
    }
    let list = folder.run("list --all").out;
    let (ours, theirs) =
        list.split_once("Computed by other libraries, one file at a time").unwrap();
    for algorithm in Checksum::all() {
        let part = if algorithm.lanesum().is_some() { ours } else { theirs };
        assert!(part.lines().any(|line| line.starts_with(algorithm.name())), "{algorithm}");
    }
}
