//! `lanesum check --audit` and `lanesum diff`: changes to the files of a tree.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{CWD, FileType, Mode, mknodat};

use crate::common::{Folder, Ran, hex, ran, refused, well};

/// Changes the contents of a file but not its modification time, like bit rot.
fn rot(folder: &Folder, name: &str, bytes: &str) {
    let path = folder.at(name);
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    assert_eq!(fs::metadata(&path).unwrap().len(), bytes.len() as u64);
    fs::write(&path, bytes).unwrap();
    File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
}

/// Creates a tree and its manifest, and changes its files in every way that an audit distinguishes.
fn changed_tree(flags: &str) -> Folder {
    let folder = Folder::new();
    for name in ["same", "changed", "gone", "rotten", "sub/moved", "sub.x", "sub/deep/same"] {
        folder.file(format!("tree/{name}"), name).age(format!("tree/{name}"));
    }
    well(folder.run(&format!("sum -r tree -o SUMS {flags}")), "");
    folder.file("tree/changed", "otherwise").file("tree/new", "new");
    fs::remove_file(folder.at("tree/gone")).unwrap();
    fs::rename(folder.at("tree/sub/moved"), folder.at("tree/a moved")).unwrap();
    rot(&folder, "tree/rotten", "ROTTEN");
    folder
}

#[test]
fn an_audit_classifies_every_file() {
    let folder = changed_tree("--format json --stat");
    let expected = Ran {
        status: Some(1),
        out: "\
changed       tree/changed
rotted        tree/rotten
moved         tree/sub/moved -> tree/a moved
missing       tree/gone
new           tree/new
8 files: 3 the same, 1 new, 1 changed, 1 moved, 1 missing, 1 rotted
"
        .into(),
        err: String::new(),
    };
    assert_eq!(folder.run("check --audit SUMS"), expected);
    assert_eq!(folder.run("check --audit --tree tree SUMS"), expected);
    // The manifest comes from a pipe, in another order.
    let text = fs::read_to_string(folder.at("SUMS")).unwrap();
    let mut lines: Vec<_> = text.lines().collect();
    lines.reverse();
    let reversed = lines.join("\n");
    assert_eq!(folder.feed("check --audit", reversed.as_bytes()), expected);
    let all = folder.run("check --audit --all SUMS").out;
    assert!(all.contains("same          tree/sub/deep/same\n"), "{all}");
}

#[test]
fn missing_lengths_and_times_are_not_assumed() {
    // Without lengths and times, rot cannot be distinguished from a change.
    for flags in ["", "--tag", "--format json", "-a sha512,sha1"] {
        let folder = changed_tree(flags);
        let ran = folder.run("check --audit SUMS");
        assert!(ran.out.contains("changed       tree/rotten\n"), "{flags}: {}", ran.out);
        assert!(
            ran.out.ends_with("8 files: 3 the same, 1 new, 2 changed, 1 moved, 1 missing\n"),
            "{flags}: {}",
            ran.out
        );
    }
}

#[test]
fn json_reports_the_same_findings() {
    let folder = changed_tree("--format json --stat");
    let ran = folder.run("check --audit --json SUMS");
    assert_eq!((ran.status, ran.err.as_str()), (Some(1), ""));
    let lines: Vec<serde_json::Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (summary, findings) = lines.split_last().unwrap();
    let counts: BTreeMap<String, u64> = serde_json::from_value(summary["summary"].clone()).unwrap();
    assert_eq!((counts["same"], counts["rotted"], counts["unreadable"]), (3, 1, 0));
    let of = |class: &str| findings.iter().find(|finding| finding["class"] == class).unwrap();
    assert_eq!(of("moved")["moved_from"], "tree/sub/moved");
    assert_eq!(of("moved")["path"], "tree/a moved");
    assert_eq!(of("rotted")["before"]["digests"]["sha256"], hex("sha256", b"rotten"));
    assert_eq!(of("rotted")["now"]["digests"]["sha256"], hex("sha256", b"ROTTEN"));
    assert_eq!(of("rotted")["now"]["size"], 6);
    assert_eq!(of("missing")["now"], serde_json::Value::Null);
}

#[test]
fn allowed_findings_are_not_failures() {
    let folder = changed_tree("--format json --stat");
    for (allow, status) in [
        ("new,changed,moved,missing,rotted", 0),
        ("new,changed,moved,missing", 1),
        ("rotted", 1),
        ("new,changed,moved,missing,unreadable", 1),
    ] {
        let ran = folder.run(&format!("check --audit --allow {allow} SUMS"));
        assert_eq!(ran.status, Some(status), "{allow}: {}", ran.out);
    }
    for class in ["beans", "same"] {
        let ran = folder.run(&format!("check --audit --allow {class} SUMS"));
        refused(
            &ran,
            2,
            "[possible values: new, changed, moved, missing, unreadable, rotted, incomparable]",
        );
    }
    assert_eq!(folder.run("check --all SUMS").status, Some(2));
    assert_eq!(folder.run("check --gitignore SUMS").status, Some(2));
}

#[test]
fn names_that_lead_out_of_the_tree_are_not_followed() {
    let folder = Folder::new();
    folder.file("tree/in", "abc");
    // Opening it would block forever.
    mknodat(CWD, folder.at("outside"), FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
    symlink("../outside", folder.at("tree/link")).unwrap();
    symlink("/etc", folder.at("tree/etc")).unwrap();
    let digest = hex("sha256", b"abc");
    let names = [
        "tree/in",
        "tree/../outside",
        "../outside",
        &format!("{}", folder.at("outside").display()),
        "tree/link",
        "tree/etc/passwd",
        "/etc/passwd",
    ];
    let lines: String = names.iter().map(|name| format!("{digest}  {name}\n")).collect();
    folder.file("SUMS", lines);
    let start = Instant::now();
    let mut child = folder
        .lanesum()
        .args(["check", "--audit", "--tree", "tree", "SUMS"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    while child.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < Duration::from_secs(60), "it blocks on a file outside the tree");
        thread::sleep(Duration::from_millis(5));
    }
    let ran = ran(&child.wait_with_output().unwrap());
    assert_eq!(ran.status, Some(1));
    let expected = "\
unreadable    tree/etc/passwd (below a symlink; use -L to follow it)
unreadable    tree/link (a symlink; use -L to follow it)
3 files: 1 the same, 2 unreadable
";
    assert_eq!(ran.out, expected);
    let expected = "lanesum: SUMS: 4 lines are not audited: outside the audited trees, or excluded by \
                    options\n";
    assert_eq!(ran.err, expected);
    // No single tree contains all names.
    let ran = folder.run("check --audit SUMS");
    refused(&ran, 2, "SUMS: its names are in several trees; name one or more of: --tree");
}

#[test]
fn a_manifest_with_a_malformed_line_is_a_failure() {
    let folder = Folder::new();
    folder.file("tree/a", "abc");
    let good = format!("{}  tree/a\n", hex("sha256", b"abc"));
    folder.file("SUMS", good.clone() + "garbage\n");
    let ran = folder.run("check --audit SUMS");
    assert_eq!((ran.status, ran.out.as_str()), (Some(1), "1 file: 1 the same\n"));
    assert!(ran.err.contains("SUMS: 2: improperly formatted"), "{}", ran.err);
    folder.file("SUMS", "garbage\n");
    refused(&folder.run("check --audit SUMS"), 1, "no properly formatted checksum lines found");
    refused(&folder.run("check --audit missing"), 1, "cannot open missing");
    refused(&folder.run("check --audit tree"), 1, "cannot read tree: Is a directory");
    // A manifest in the tree is not reported as a file.
    folder.file("tree/SUMS", good);
    well(folder.run("check --audit tree/SUMS"), "1 file: 1 the same\n");
}

#[test]
fn a_name_that_is_listed_twice_is_one_file() {
    let folder = Folder::new();
    folder.file("tree/a", "abc").file("tree/b", "abc");
    let line = |algorithm, name, message| {
        format!("{} ({name}) = {}\n", str::to_uppercase(algorithm), hex(algorithm, message))
    };
    folder.file(
        "SUMS",
        [
            line("sha256", "tree/a", b"abc"),
            line("sha1", "./tree/b", b"abc"),
            line("sha1", "tree//a", b"abc"),
            line("sha256", "tree/b", b"abc"),
        ]
        .concat(),
    );
    well(folder.run("check --audit SUMS"), "2 files: 2 the same\n");
    folder.file(
        "SUMS",
        [line("sha256", "tree/a", b"abc"), line("sha256", "tree/a", b"other")].concat(),
    );
    let ran = folder.run("check --audit SUMS");
    assert!(ran.out.contains("changed       tree/a\nnew           tree/b\n"), "{}", ran.out);
}

#[test]
fn trees_and_manifests_are_compared_in_every_pairing() {
    let folder = changed_tree("--format json --stat");
    folder.file("old/rotten", "rotten").file("old/changed", "changed").file("old/gone", "gone");
    folder.file("old/same", "same").file("old/sub/moved", "sub/moved").file("old/sub.x", "sub.x");
    folder.file("old/sub/deep/same", "sub/deep/same");
    let of_now = folder.run("sum -r tree").out;
    folder.file("NOW", of_now);
    let expected = "\
changed       changed
changed       rotten
moved         sub/moved -> a moved
missing       gone
new           new
8 files: 3 the same, 1 new, 2 changed, 1 moved, 1 missing
";
    for words in ["old tree", "SUMS tree", "old NOW"] {
        let ran = folder.run(&format!("diff {words}"));
        let out = ran
            .out
            .replace("rotted ", "changed")
            .replace("1 changed, 1 moved, 1 missing, 1 rotted", "2 changed, 1 moved, 1 missing");
        let out = out.replace(" tree/", " ");
        assert_eq!(
            (ran.status, out.as_str(), ran.err.as_str()),
            (Some(1), expected, ""),
            "{words}"
        );
    }
    let ran = folder.run("diff SUMS NOW");
    assert_eq!(ran.out.replace("tree/", ""), expected, "{}", ran.err);
    well(folder.run("diff tree tree"), "8 files: 8 the same\n".replace('8', "7").as_str());
    well(folder.run("diff NOW tree"), "7 files: 7 the same\n");
    well(folder.run("diff -a sha1 tree tree"), "7 files: 7 the same\n");
    refused(&folder.run("diff tree missing"), 1, "cannot open missing");
    assert_eq!(folder.run("diff tree").status, Some(2));
    folder.file("SHA1", folder.run("sum -r tree -a sha1").out);
    let ran = folder.run("diff SHA1 NOW");
    assert!(ran.out.ends_with("7 files: 7 incomparable\n"), "{}", ran.out);
}

#[test]
fn gitignored_files_are_skipped_on_request() {
    let folder = Folder::new();
    let git = |words: &str| {
        let mut command = folder.command("git");
        command.current_dir(folder.at("repo")).env("HOME", folder.path());
        let output = command.args(words.split(' ')).output().unwrap();
        assert!(output.status.success(), "git {words}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    folder.file("repo/.gitignore", "*.o\n/build/\n!keep.o\nlogs/**\n");
    folder.file("repo/src/.gitignore", "!special.o\nlocal\n/top\n");
    for name in [
        "a.o",
        "keep.o",
        "a.c",
        "build/x",
        "src/build/x",
        "src/special.o",
        "src/other.o",
        "src/local",
        "src/deep/local",
        "src/top",
        "src/deep/top",
        "logs/today",
        "excluded",
        "src/a.c",
    ] {
        folder.file(format!("repo/{name}"), name);
    }
    git("init -q");
    folder.file("repo/.git/info/exclude", "excluded\n");
    let mut theirs: Vec<_> =
        git("ls-files -co --exclude-standard").lines().map(str::to_owned).collect();
    theirs.sort();
    let names = |words: &str, at: &str| {
        let mut command = folder.lanesum();
        let output = command.current_dir(folder.at(at)).args(words.split(' ')).output().unwrap();
        let ran = ran(&output);
        assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{words}");
        let mut names: Vec<_> =
            ran.out.lines().map(|line| line[66..].trim_start_matches("./").to_owned()).collect();
        names.sort();
        names
    };
    assert!(theirs.len() > 5 && theirs.len() < 16, "{theirs:?}");
    assert_eq!(names("sum -r --gitignore", "repo"), theirs);
    let in_src: Vec<_> =
        theirs.iter().filter_map(|name| name.strip_prefix("src/")).map(str::to_owned).collect();
    // Rules of parent directories also apply.
    assert_eq!(names("sum -r --gitignore", "repo/src"), in_src);
    let below = names("sum -r --gitignore repo/src", ".");
    assert_eq!(below, in_src.iter().map(|name| format!("repo/src/{name}")).collect::<Vec<_>>());
    assert!(names("sum -r", "repo").len() > theirs.len() + 5);
}

#[test]
fn names_are_read_from_a_file() {
    let folder = Folder::new();
    folder.file("a", "abc").file("two\nlines", "def").file("-", "dash");
    folder.file("LIST", "a\0two\nlines\0\0-");
    let lines = format!(
        "{}  a\n\\{}  two\\nlines\n{}  ./-\n",
        hex("sha256", b"abc"),
        hex("sha256", b"def"),
        hex("sha256", b"dash")
    );
    well(folder.run("sum --files0-from LIST"), &lines);
    well(folder.feed("sum --files0-from -", b"a\0two\nlines\0-\0"), &lines);
    well(folder.feed("sum --files0-from -", b""), "");
    folder.file("dir/sub/a", "abc").file("LIST", "dir\0a\0");
    let walked = format!("{0}  dir/sub/a\n{0}  a\n", hex("sha256", b"abc"));
    well(folder.run("sum -r --files0-from LIST"), &walked);
    assert_eq!(folder.run("sum --files0-from LIST").status, Some(1));
    refused(&folder.run("sum --files0-from missing"), 1, "cannot open missing");
    assert_eq!(folder.run("sum --files0-from LIST a").status, Some(2));
    let long = [b"a\0".to_vec(), vec![b'x'; 3 << 20], b"\0a\0".to_vec()].concat();
    let ran = folder.feed("sum --files0-from -", &long);
    assert_eq!((ran.status, ran.out.lines().count()), (Some(1), 2));
    assert!(ran.err.contains("a name is longer than 1048576 bytes"), "{}", ran.err);
}

#[test]
fn max_rate_limits_reading() {
    let folder = Folder::new();
    for i in 0..8 {
        folder.file(format!("tree/{i}"), vec![i; 100_000]);
    }
    let time = |words: &str| {
        let start = Instant::now();
        assert_eq!(folder.run(words).status, Some(0), "{words}");
        start.elapsed().as_secs_f64()
    };
    let slow = time("sum -r tree --max-rate 400kB -o SUMS");
    assert!((1.9..6.0).contains(&slow), "{slow} s for 800 kB");
    let slow = time("check SUMS --quiet --max-rate 800K");
    assert!((0.9..5.0).contains(&slow), "{slow} s for 800 kB");
    for wrong in ["0", "x", "5X", "-1", "99999999999T", "5iB5"] {
        assert_eq!(
            folder.run(&format!("sum -r tree --max-rate {wrong}")).status,
            Some(2),
            "{wrong}"
        );
    }
}
