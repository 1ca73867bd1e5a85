//! `lanesum check`, compared with GNU's tools.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use crate::common::{Folder, Ran, bytes, hex, nasty_names, ran, refused, well};

fn sums(lines: &[(&str, &str)]) -> String {
    lines
        .iter()
        .map(|(message, name)| format!("{}  {name}\n", hex("sha256", message.as_bytes())))
        .collect()
}

#[test]
fn every_name_round_trips_with_each_tool() {
    let folder = Folder::new();
    let names = nasty_names();
    for (i, name) in names.iter().enumerate() {
        folder.file(format!("tree/{}", "x"), "");
        fs::write(folder.at("tree").join(name), bytes(i)).unwrap();
    }
    fs::remove_file(folder.at("tree/x")).unwrap();
    let count = fs::read_dir(folder.at("tree")).unwrap().count();
    assert!(count > 250, "{count} names");
    for flags in
        ["", "--tag", "--format json", "-z", "-z --tag", "-a sha1,sha512", "--format json -z"]
    {
        let run = folder.run(&format!("sum -r tree -o SUMS {flags}"));
        well(run, "");
        let zero = if flags.contains("-z") { "-z" } else { "" };
        let report = folder.run(&format!("check {zero} SUMS"));
        assert_eq!((report.status, report.err.as_str()), (Some(0), ""), "{flags}");
        let each = if flags.contains(',') { 2 } else { 1 };
        assert_eq!(report.out.lines().filter(|line| line.ends_with(": OK")).count(), each * count);
    }
    // Names without a directory, which a line or a command could misinterpret.
    let inside = |program: &str, args: &[&str]| {
        let mut command = folder.command(program);
        command.current_dir(folder.at("tree")).args(args).arg("--").args(&names);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{program} {args:?}: {output:?}");
        output.stdout
    };
    let lanesum = env!("CARGO_BIN_EXE_lanesum");
    let check = |program: &str, args: &[&str], manifest: &[u8]| {
        fs::write(folder.at("SUMS"), manifest).unwrap();
        let output = folder
            .command(program)
            .current_dir(folder.at("tree"))
            .args(args)
            .arg("../SUMS")
            .output();
        let output = output.unwrap();
        assert!(output.status.success() && output.stdout.is_empty(), "{program}: {output:?}");
    };
    for tag in [&[][..], &["--tag"]] {
        let ours = inside(lanesum, &[&["sum"][..], tag].concat());
        let theirs = inside("sha256sum", tag);
        assert_eq!(ours, theirs, "the lines are not identical");
        check(lanesum, &["check", "--quiet", "--strict"], &theirs);
        check("sha256sum", &["-c", "--quiet", "--strict"], &ours);
    }
    let ours = inside(lanesum, &["sum", "-a", "sha512,sha1"]);
    check("cksum", &["-c", "--quiet", "--strict"], &ours);
    let zero = inside("sha256sum", &["-z"]);
    check(lanesum, &["check", "--quiet", "--strict", "-z"], &zero);
}

#[test]
fn manifests_found_in_the_wild_are_read() {
    let folder = Folder::new();
    folder.file("a", "abc").file("b", "def");
    let (a, b) = (hex("sha256", b"abc"), hex("sha256", b"def"));
    let upper = a.to_uppercase();
    for (what, manifest) in [
        ("CRLF", format!("{a}  a\r\n{b}  b\r\n")),
        ("BOM", format!("\u{feff}{a}  a\n{b}  b\n")),
        ("comments", format!("# made by hand\n\n{a}  a\n{b}  b\n")),
        ("upper case", format!("{upper}  a\n{b}  b\n")),
        ("asterisk", format!("{a} *a\n{b} *b\n")),
        ("one space", format!("{a} a\n{b} b\n")),
        ("no final newline", format!("{a}  a\n{b}  b")),
        ("tagged", format!("SHA256 (a) = {a}\nSHA256 (b) = {b}\n")),
        ("OpenSSL", format!("SHA2-256(a)= {a}\nSHA2-256(b)= {b}\n")),
        ("mixed", format!("SHA1 (a) = {}\n{b}  b\n", hex("sha1", b"abc"))),
        ("by length", format!("{}  a\n{}  b\n", hex("sha512", b"abc"), hex("sha224", b"def"))),
    ] {
        folder.file("SUMS", &manifest);
        let expected =
            Ran { status: Some(0), out: "a: OK\nb: OK\n".to_owned(), err: String::new() };
        assert_eq!(folder.run("check --strict SUMS"), expected, "{what}");
        assert_eq!(folder.feed("check --strict", manifest.as_bytes()), expected, "{what}, piped");
    }
}

#[test]
fn the_report_and_its_warnings_match_the_gnu_tool() {
    let folder = Folder::new();
    folder.file("good", "abc").file("bad", "abc").file("dir/x", "");
    let manifest =
        sums(&[("abc", "good"), ("def", "bad"), ("", "missing"), ("", "dir")]) + "garbage\n";
    folder.file("SUMS", manifest);
    let theirs = folder.peer("sha256sum -c SUMS");
    let ours = folder.run("check SUMS");
    assert_eq!((ours.status, &ours.out), (theirs.status, &theirs.out));
    let warnings = |text: &str| {
        let lines = text.lines().filter_map(|line| line.split_once("WARNING: "));
        lines.map(|(_, warning)| warning.to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(warnings(&ours.err), warnings(&theirs.err));
    assert_eq!(warnings(&ours.err).len(), 3);
    assert!(ours.err.contains("cannot open missing: No such file or directory"), "{}", ours.err);
    assert!(ours.err.contains("cannot read dir: Is a directory"), "{}", ours.err);
    let warned = folder.run("check -w SUMS");
    assert!(warned.err.contains("SUMS: 5: improperly formatted checksum line: "), "{}", warned.err);
}

#[test]
fn exit_codes_and_reports_match_gnu_for_every_manifest_and_flag() {
    let folder = Folder::new();
    folder.file("good", "abc").file("bad", "abc").file("dir/x", "");
    let good = sums(&[("abc", "good")]);
    let manifests = [
        good.clone(),
        good.clone() + "garbage\n",
        "garbage\n".to_owned(),
        String::new(),
        "\n".to_owned(),
        sums(&[("def", "bad")]),
        sums(&[("abc", "good"), ("def", "bad")]),
        sums(&[("abc", "good"), ("", "missing")]),
        sums(&[("", "missing")]),
        sums(&[("", "missing")]) + "garbage\n",
        sums(&[("", "dir")]),
        sums(&[("abc", "good"), ("", "good/under")]),
        format!("# only a comment\n{good}"),
        format!("{}\n", hex("sha256", b"abc")),
        format!("zz{good}"),
    ];
    let flags = [
        "",
        "--quiet",
        "--status",
        "--strict",
        "--warn",
        "--ignore-missing",
        "--ignore-missing --strict",
        "--quiet --strict",
        "--status --strict",
        "--ignore-missing --status",
    ];
    for manifest in &manifests {
        folder.file("SUMS", manifest);
        for flags in flags {
            let theirs = folder.peer(&format!("sha256sum -c {flags} SUMS"));
            let ours = folder.run(&format!("check {flags} SUMS"));
            let what = format!("{flags} {manifest:?}\n{ours:?}\n{theirs:?}");
            assert_eq!((ours.status, &ours.out), (theirs.status, &theirs.out), "{what}");
            assert_eq!(ours.err.is_empty(), theirs.err.is_empty(), "{what}");
            for phrase in
                ["no properly formatted checksum lines found", "no file was verified", "WARNING: "]
            {
                assert_eq!(
                    ours.err.contains(phrase),
                    theirs.err.contains(phrase),
                    "{phrase}: {what}"
                );
            }
        }
    }
}

#[test]
fn an_unreadable_manifest_fails_and_the_next_is_read() {
    let folder = Folder::new();
    folder.file("good", "abc").file("SUMS", sums(&[("abc", "good")])).file("dir/x", "");
    for (name, message) in [
        ("missing", "cannot open missing: No such file or directory"),
        ("dir", "cannot read dir: Is a directory"),
        ("good", "good: no properly formatted checksum lines found; line 1: not a checksum line"),
    ] {
        let expected = Ran {
            status: Some(1),
            out: "good: OK\n".to_owned(),
            err: format!("lanesum: {message}\n"),
        };
        assert_eq!(folder.run(&format!("check {name} SUMS")), expected);
    }
    let expected = Ran { status: Some(1), out: String::new(), err: String::new() };
    let none = folder.feed("check", b"");
    assert_eq!(none.err, "lanesum: standard input: no properly formatted checksum lines found\n");
    assert_eq!((none.status, none.out), (expected.status, expected.out));
}

#[test]
fn a_manifest_without_checksum_lines_is_explained_by_its_first_line() {
    let folder = Folder::new();
    folder.file("a", "abc");
    let missing = "no properly formatted checksum lines found";
    let digest = hex("sha256", b"abc");
    for (text, reason) in [
        ("garbage\nmore\n".to_owned(), "; line 1: not a checksum line"),
        ("\n# note\n\nmore\n".to_owned(), "; line 4: not a checksum line"),
        (format!("{digest}\ta\n"), "; line 1: a tab follows the digest"),
        (
            format!("{}  a\n", &digest[..60]),
            "; line 1: 60 hexadecimal digits identify no algorithm",
        ),
        ("# note\n\n".to_owned(), "\n"),
        (String::new(), "\n"),
    ] {
        folder.file("SUMS", &text);
        let expected = format!("lanesum: SUMS: {missing}{reason}");
        let ran = folder.run("check SUMS");
        assert!(ran.status == Some(1) && ran.err.starts_with(&expected), "{text:?}: {}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        // `--warn` reports every line, and so does an audit.
        let why = reason.split_once(": ").map_or("", |(_, why)| why);
        for flag in ["--warn", "--audit"] {
            let ran = folder.run(&format!("check {flag} SUMS"));
            assert!(ran.status == Some(1) && ran.err.contains(why), "{flag}: {}", ran.err);
            assert!(ran.err.ends_with(&format!("lanesum: SUMS: {missing}\n")), "{}", ran.err);
        }
    }
}

#[test]
fn a_requested_algorithm_overrides_the_digest_length() {
    let folder = Folder::new();
    folder.file("a", "abc");
    folder.file("SUMS", format!("{}  a\n", hex("sha512/256", b"abc")));
    assert_eq!(folder.run("check SUMS").status, Some(1));
    well(folder.run("check -a sha512/256 SUMS"), "a: OK\n");
    folder.file("SUMS", format!("{}  a\n", hex("ripemd160", b"abc")));
    well(folder.run("check -a rmd160 SUMS"), "a: OK\n");
    // A digest must never be accepted as one of another algorithm.
    folder.file("SUMS", format!("SHA256 (a) = {}\n", hex("sha256", b"abc")));
    assert_eq!(folder.run("check -a sha1 SUMS").status, Some(1));
}

#[test]
fn a_dash_in_a_manifest_is_standard_input() {
    let folder = Folder::new();
    let written = folder.feed("sum", b"abc");
    folder.file("SUMS", &written.out);
    well(folder.feed("check SUMS", b"abc"), "-: OK\n");
    assert_eq!(folder.feed("check SUMS", b"def").out, "-: FAILED\n");
}

#[test]
fn a_kernel_without_the_algorithm_of_a_line_makes_the_manifest_unusable() {
    let folder = Folder::new();
    folder.file("a", "abc").file("SUMS", format!("{}  a\n", hex("sha512", b"abc")));
    // A kernel that supports only 32-bit words. Every machine has one, under some name.
    let list = folder.run("list --all").out;
    let kernel =
        |line: &&str| line.contains("sha256") && !line.contains("sha512") && line.contains("_x");
    let name = list.lines().skip_while(|line| !line.starts_with("kernel")).find(kernel);
    let name = name.and_then(|line| line.split_whitespace().next()).expect("such a kernel");
    let run = ran(&folder
        .lanesum()
        .args(["check", "SUMS"])
        .env("LANESUM_KERNEL", name)
        .output()
        .unwrap());
    assert_eq!(run.status, Some(1), "{run:?}");
    assert!(run.err.contains("SUMS: ") && run.err.contains("sha512"), "{run:?}");
}

#[test]
fn results_are_in_manifest_order_regardless_of_lengths() {
    let folder = Folder::new();
    let mut manifest = String::new();
    let mut report = String::new();
    for i in 0..300_usize {
        let contents = bytes(if i % 50 == 0 { 3 << 20 } else { i * 37 });
        let name = format!("f{}", i * 7919 % 1000);
        folder.file(&name, &contents);
        let algorithm = ["sha256", "sha1", "sha512"][i % 3];
        let tag = ["SHA256", "SHA1", "SHA512"][i % 3];
        manifest += &format!("{tag} ({name}) = {}\n", hex(algorithm, &contents));
        report += &format!("{name}: OK\n");
    }
    folder.file("SUMS", manifest);
    for jobs in ["", "-j 1", "-j 5"] {
        well(folder.run(&format!("check SUMS {jobs}")), &report);
    }
}

fn objects(text: &str) -> Vec<serde_json::Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_check_as_json_has_an_object_for_each_line_and_a_summary() {
    use serde_json::json;

    let folder = Folder::new();
    folder.file("good", "abc").file("bad", "abc").file("c\u{e9}", "abc");
    fs::write(folder.at(OsStr::from_bytes(b"\xff")), "abc").unwrap();
    let mut manifest = sums(&[("abc", "good"), ("def", "bad"), ("", "missing")]).into_bytes();
    manifest.extend(b"garbage\n");
    manifest.extend(format!("SHA1 (c\u{e9}) = {}\n", hex("sha1", b"abc")).bytes());
    manifest.extend([hex("sha256", b"abc").as_bytes(), b"  \xff\n"].concat());
    folder.file("SUMS", &manifest);
    let all = [
        json!({ "path": "good", "status": "ok", "algorithm": "sha256" }),
        json!({ "path": "bad", "status": "failed", "algorithm": "sha256" }),
        json!({ "path": "missing", "status": "unreadable", "algorithm": "sha256",
            "reason": "cannot open missing: No such file or directory" }),
        json!({ "manifest": "SUMS", "line": 4, "status": "malformed",
            "reason": "not a checksum line" }),
        json!({ "path": "c\u{e9}", "status": "ok", "algorithm": "sha1" }),
        json!({ "path_base64": "/w==", "status": "ok", "algorithm": "sha256" }),
    ];
    let summary = |ok: u64, failed: u64, unreadable: u64, malformed: u64| {
        json!({ "summary": {
            "ok": ok, "failed": failed, "unreadable": unreadable, "malformed": malformed } })
    };
    let ran = folder.run("check --json SUMS");
    assert_eq!((ran.status, &ran.err[..]), (Some(1), ""));
    assert_eq!(objects(&ran.out), [&all[..], &[summary(3, 1, 1, 1)]].concat());
    let ran = folder.run("check --json --quiet --ignore-missing SUMS");
    let some = [all[1].clone(), all[3].clone(), summary(3, 1, 0, 1)];
    assert_eq!((ran.status, objects(&ran.out)), (Some(1), some.to_vec()));

    // `--json` does not change the exit status.
    for flags in ["", "--strict", "--ignore-missing"] {
        for manifest in [
            sums(&[("abc", "good")]),
            sums(&[("abc", "good")]) + "garbage\n",
            sums(&[("abc", "good"), ("", "missing")]),
            sums(&[("", "missing")]),
            "garbage\n".to_owned(),
            String::new(),
        ] {
            folder.file("SUMS", &manifest);
            let status = |json: &str| folder.run(&format!("check {json} {flags} SUMS")).status;
            assert_eq!(status("--json"), status(""), "{flags} {manifest:?}");
        }
    }
    assert_eq!(folder.run("check --json missing").status, Some(1));
    assert_eq!(folder.run("check --json --status SUMS").status, Some(2));
}

#[test]
fn a_file_is_verified_against_a_digest_given_as_an_argument() {
    let folder = Folder::new();
    folder.file("a", "abc").file("dir/x", "");
    let (sha256, sha1) = (hex("sha256", b"abc"), hex("sha1", b"abc"));
    let truncated = hex("sha512/256", b"abc");
    for words in [
        format!("--expect {sha256} a"),
        format!("a --expect {}", sha256.to_uppercase()),
        format!("--expect sha256:{sha256} a"),
        format!("--expect SHA256={sha256} a"),
        format!("--expect {sha1} a"),
        format!("--expect sha512/256:{truncated} a"),
        format!("-a sha512/256 --expect {truncated} a"),
        format!("-a sha256 --expect SHA-256:{sha256} a"),
    ] {
        well(folder.run(&format!("check {words}")), "a: OK\n");
        well(folder.run(&format!("check --quiet {words}")), "");
    }
    well(folder.feed(&format!("check --expect {sha256} -"), b"abc"), "-: OK\n");
    let failed = |words: &str, out: &str, err: &str| {
        let expected = Ran { status: Some(1), out: out.to_owned(), err: err.to_owned() };
        assert_eq!(folder.run(words), expected, "{words}");
    };
    let verdict = "a: NOT VERIFIED (matches SHA-512/256; use -a sha512/256)\n";
    failed(&format!("check --expect {truncated} a"), verdict, "");
    let other = format!("check -a sha256 --expect {truncated} a");
    failed(&other, "a: FAILED\n", "");
    failed(&format!("check --status --expect {truncated} a"), "", "");
    let missing = "lanesum: cannot open missing: No such file or directory\n";
    failed(&format!("check --expect {sha1} missing"), "missing: FAILED open or read\n", missing);
    let read = "lanesum: cannot read dir: Is a directory\n";
    failed(&format!("check --expect {sha1} dir"), "dir: FAILED open or read\n", read);
    let ran = folder.run(&format!("check --json --expect {sha1} a"));
    assert_eq!((ran.status, objects(&ran.out)[0]["algorithm"].as_str()), (Some(0), Some("sha1")));
    for (words, text) in [
        ("--expect abc a".to_owned(), "--expect abc: 3 hexadecimal digits identify no algorithm"),
        ("--expect xyz a".to_owned(), "expected hexadecimal digits"),
        ("--expect sha256: a".to_owned(), "expected hexadecimal digits"),
        (format!("--expect md6:{sha256} a"), "unknown algorithm"),
        (format!("--expect sha1:{sha256} a"), "the digest has 64 characters; sha1 digests have 40"),
        (format!("-a sha1 --expect sha256:{sha256} a"), "names sha256, but --algorithm sha1"),
        (format!("--expect {sha256}"), "requires exactly one file"),
        (format!("--expect {sha256} a dir"), "requires exactly one file"),
        (format!("--audit --expect {sha256} a"), "--audit"),
    ] {
        refused(&folder.run(&format!("check {words}")), 2, text);
    }
}
