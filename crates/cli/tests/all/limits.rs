//! System limits: few file descriptors, and paths longer than a system call accepts.

use std::fs;

use rustix::fs::{CWD, Mode, OFlags, mkdirat, openat};

use crate::common::{Folder, Ran, bytes, hex, ran, well};

/// Runs the command with at most `limit` descriptors, including those that it inherits from `sh`.
fn limited(folder: &Folder, limit: u32, words: &str) -> Ran {
    let program = env!("CARGO_BIN_EXE_lanesum");
    let script = format!("ulimit -n {limit}; exec '{program}' {words}");
    ran(&folder.command("sh").args(["-c", &script]).output().unwrap())
}

/// Creates more files than there are descriptors. They stay open while they are hashed.
fn tree() -> (Folder, String) {
    let folder = Folder::new();
    let mut lines = String::new();
    for i in 0..60 {
        let (name, contents) = (format!("tree/{}/{i:02}", i % 4), bytes(100_000 + 5000 * i));
        folder.file(&name, &contents);
        lines += &format!("{}  {name}\n", hex("sha256", &contents));
    }
    folder.file("tree/long", bytes(9 << 20));
    lines += &format!("{}  tree/long\n", hex("sha256", &bytes(9 << 20)));
    let mut lines: Vec<_> = lines.lines().collect();
    lines.sort_by_key(|line| &line[66..]);
    (folder, lines.join("\n") + "\n")
}

#[test]
fn few_descriptors_suffice() {
    let (folder, lines) = tree();
    folder.file("SUMS", &lines);
    // The minimum: standard streams, a directory or a file, the manifest, the temporary file, and
    // two descriptors for signals if there is a temporary file.
    for (words, out, least) in [
        ("sum -r tree", lines.clone(), 4),
        ("sum -r tree -j 8", lines.clone(), 4),
        ("sum -r tree -a sha256,sha1 --format bsd -o BOTH", String::new(), 8),
        ("check --quiet SUMS", String::new(), 5),
        ("check --quiet -j 8 SUMS", String::new(), 5),
        ("check --audit SUMS", "61 files: 61 the same\n".to_owned(), 6),
        ("diff tree tree", "61 files: 61 the same\n".to_owned(), 6),
        ("sum -u SUMS", "61 files: 61 the same\n".to_owned(), 12),
    ] {
        for limit in [least, least + 1, least + 2, 12, 13, 16, 20, 50, 200].map(|n| n.max(least)) {
            let ran = limited(&folder, limit, words);
            assert_eq!(ran.err, "", "{words}: {limit}");
            assert_eq!((ran.status, &ran.out), (Some(0), &out), "{words}: {limit}");
        }
    }
    assert_eq!(fs::read_to_string(folder.at("BOTH")).unwrap().lines().count(), 2 * 61);
}

#[test]
fn paths_of_any_length_are_walked_and_checked() {
    let folder = Folder::new();
    let name = "a directory of twenty";
    fs::create_dir(folder.at("tree")).unwrap();
    let open = |at: &dyn std::os::fd::AsFd, name: &std::path::Path| {
        openat(at, name, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()).unwrap()
    };
    let (mut directory, mut path) = (open(&CWD, &folder.at("tree")), "tree".to_owned());
    let (mut lines, mut names) = (Vec::new(), Vec::new());
    for level in 1..=400 {
        mkdirat(&directory, name, Mode::RWXU).unwrap();
        directory = open(&directory, name.as_ref());
        path = format!("{path}/{name}");
        if level % 20 == 0 {
            for file in ["x", "y"] {
                let flags = OFlags::CREATE | OFlags::WRONLY | OFlags::CLOEXEC;
                let open = openat(&directory, file, flags, Mode::RUSR | Mode::WUSR).unwrap();
                rustix::io::write(&open, path.as_bytes()).unwrap();
                lines.push(format!("{}  {path}/{file}\n", hex("sha256", path.as_bytes())));
                names.push(format!("{path}/{file}"));
            }
        }
    }
    // The entries of a directory are sorted by name.
    lines.sort_by(|a, b| a[66..].cmp(&b[66..]));
    let lines = lines.concat();
    let count = names.len();
    well(folder.run("sum -r tree"), &lines);
    well(limited(&folder, 12, "sum -r tree"), &lines);
    folder.file("SUMS", &lines);
    let ok: String = lines.lines().map(|line| format!("{}: OK\n", &line[66..])).collect();
    well(folder.run("check SUMS"), &ok);
    well(limited(&folder, 12, "check SUMS"), &ok);
    let same = format!("{count} files: {count} the same\n");
    for words in [
        "check --audit SUMS",
        "check --audit SUMS -L -x",
        "check --audit SUMS --cache=CACHE",
        "check --audit SUMS --cache=CACHE",
        "diff tree tree",
        "sum -u SUMS --format json --stat",
        "sum -u SUMS",
    ] {
        well(folder.run(words), &same);
    }
    // A missing file is reported, however long its path.
    let missing = lines.replace("/x\n", "/z\n");
    folder.file("MISSING", missing);
    let gone = count / 2;
    let audit = folder.run("check --audit MISSING");
    assert!(audit.out.ends_with(&format!("{gone} the same, {gone} moved\n")), "{audit:?}");
    // A path given as an argument may also be long.
    let mut command = folder.lanesum();
    let last = names.last().unwrap();
    let line = lines.lines().find(|line| line[66..] == **last).unwrap();
    well(ran(&command.args(["sum", last]).output().unwrap()), &format!("{line}\n"));
}
