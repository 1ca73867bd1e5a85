//! FIFOs and devices in place of files, and endless input: the command neither blocks forever nor
//! uses unbounded memory.

use std::fs;
use std::os::unix::process::CommandExt;

use rustix::fs::{CWD, FileType, Mode, mknodat};

use crate::common::{Folder, Ran, bytes, hex, ran, well};

fn fifo(folder: &Folder, name: &str) {
    mknodat(CWD, folder.at(name), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
}

/// Runs the command, which is killed if it blocks.
fn run(folder: &Folder, called: &str, words: &str) -> Ran {
    let mut command = folder.command("timeout");
    let program = env!("CARGO_BIN_EXE_lanesum");
    // `timeout` cannot set a command's name.
    command.args(["60", "sh", "-c", r#"name=$1; shift; exec "$name" "$@""#, "sh"]);
    let name = folder.at(format!("names/{called}"));
    if !name.exists() {
        fs::create_dir_all(folder.at("names")).unwrap();
        std::os::unix::fs::symlink(program, &name).unwrap();
    }
    ran(&command.arg(name).args(words.split_whitespace()).output().unwrap())
}

#[test]
fn a_listed_fifo_fails_without_blocking() {
    let folder = Folder::new();
    folder.file("tree/a", "abc");
    fifo(&folder, "tree/fifo");
    let line = |name: &str| format!("{}  tree/{name}\n", hex("sha256", b"abc"));
    folder.file("SUMS", line("a") + &line("fifo"));
    let checked = run(&folder, "lanesum", "check SUMS");
    assert_eq!(checked.out, "tree/a: OK\ntree/fifo: FAILED open or read\n");
    let said = "lanesum: cannot open tree/fifo: not a regular file\n";
    assert!(checked.err.starts_with(said), "{}", checked.err);
    assert_eq!(checked.status, Some(1));
    folder.file("a.sfv", "tree/a 352441c2\ntree/fifo 352441c2\n");
    let checked = run(&folder, "lanesum", "check a.sfv");
    assert_eq!(checked.out, "tree/a: OK\ntree/fifo: FAILED open or read\n");
    // Reading a device could have any effect.
    folder.file("DEVICE", format!("{}  /dev/zero\n", hex("sha256", b"abc")));
    let checked = run(&folder, "lanesum", "check DEVICE");
    assert_eq!(checked.out, "/dev/zero: FAILED open or read\n");
    for words in ["check --audit SUMS", "sum -u SUMS", "diff SUMS tree"] {
        let ran = run(&folder, "lanesum", words);
        // `diff` prints names relative to the tree.
        let name = if words.starts_with("diff") { "fifo" } else { "tree/fifo" };
        let line = format!("unreadable    {name} (not a regular file)\n");
        assert!(ran.out.contains(&line), "{ran:?}");
        assert_eq!(ran.status, Some(1), "{words}");
    }
    let checked = run(&folder, "sha256sum", "-c SUMS");
    assert_eq!(checked.out, "tree/a: OK\ntree/fifo: FAILED open or read\n");
    folder.file("B2SUMS", format!("{}  tree/fifo\n", "0".repeat(128)));
    let checked = run(&folder, "b2sum", "-c B2SUMS");
    assert_eq!(checked.out, "tree/fifo: FAILED open or read\n");
    for words in ["tree fsverity tree/fifo", "tree s3 tree/fifo"] {
        let ran = run(&folder, "lanesum", words);
        assert!(ran.err.contains("not a regular file"), "{ran:?}");
        assert_eq!(ran.status, Some(1), "{words}");
    }
}

#[test]
fn fifos_given_as_arguments_are_read() {
    let folder = Folder::new();
    folder.file("tree/a", "abc");
    folder.file("SUMS", folder.run("sum tree/a").out);
    let digest = hex("sha256", b"abc");
    for (words, out) in [
        ("sum - < <(cat tree/a)", format!("{digest}  -\n")),
        ("check <(cat SUMS)", "tree/a: OK\n".to_owned()),
        ("check --audit <(cat SUMS)", "1 file: 1 the same\n".to_owned()),
        (r"sum --files0-from <(printf 'tree/a\0')", format!("{digest}  tree/a\n")),
        (r"sum --files0-from - < <(printf 'tree/a\0')", format!("{digest}  tree/a\n")),
    ] {
        let script = format!("exec '{}' {words}", env!("CARGO_BIN_EXE_lanesum"));
        let output = folder.command("timeout").args(["60", "bash", "-c", &script]).output();
        well(ran(&output.unwrap()), &out);
    }
    for words in ["sum <(cat tree/a)", "sum -r <(cat tree/a)", "mac -k <(cat tree/a) tree/a"] {
        let script = format!("exec '{}' {words}", env!("CARGO_BIN_EXE_lanesum"));
        let output = folder.command("timeout").args(["60", "bash", "-c", &script]).output();
        let ran = ran(&output.unwrap());
        assert_eq!((ran.status, ran.out.lines().count()), (Some(0), 1), "{words}: {ran:?}");
        assert!(!words.starts_with("sum") || ran.out.starts_with(&digest), "{words}: {ran:?}");
    }
}

#[test]
fn special_or_endless_gitignore_files_do_not_block_a_walk() {
    let folder = Folder::new();
    folder.file("tree/a", "abc").file("tree/.git/HEAD", "").file("tree/b/.gitignore", "skipped\n");
    folder.file("tree/b/skipped", "").file("tree/b/kept", "");
    fifo(&folder, "tree/.gitignore");
    fs::create_dir_all(folder.at("tree/.git/info")).unwrap();
    fifo(&folder, "tree/.git/info/exclude");
    let ran = run(&folder, "lanesum", "sum -r --gitignore tree");
    let names: Vec<_> = ran.out.lines().map(|line| &line[66..]).collect();
    assert_eq!(names, ["tree/a", "tree/b/.gitignore", "tree/b/kept"], "{ran:?}");
    folder.file("tree/b/.gitignore", "skipped\n".repeat(200_000));
    let ran = run(&folder, "lanesum", "sum -r --gitignore tree");
    let said = "cannot read tree/b/.gitignore: longer than 1048576 bytes";
    assert!(ran.err.contains(said) && ran.status == Some(1), "{ran:?}");
}

#[test]
fn an_endless_key_is_rejected() {
    let folder = Folder::new();
    folder.file("a", "abc").file("KEY", bytes(1 << 20)).file("LONG", bytes((1 << 20) + 1));
    assert_eq!(folder.run("mac -k KEY a").status, Some(0));
    for key in ["LONG", "/dev/zero"] {
        let ran = run(&folder, "lanesum", &format!("mac -k {key} a"));
        let said = format!("cannot read the key from {key}: the key is longer than 1048576 bytes");
        assert!(ran.err.contains(&said) && ran.status == Some(1), "{ran:?}");
        let ran = run(&folder, "mac", &format!("-a sha256_hmac -k {key} a"));
        assert_eq!((ran.status, &ran.err[..]), (Some(1), "mac: invalid key.\n"));
    }
}

#[test]
fn the_command_continues_without_an_unusable_cache() {
    let folder = Folder::new();
    folder.file("tree/a", "abc");
    folder.file("SUMS", folder.run("sum -r tree").out).file("FOREIGN", bytes(5000));
    fs::create_dir(folder.at("DIRECTORY")).unwrap();
    fifo(&folder, "FIFO");
    let line = format!("{}  tree/a\n", hex("sha256", b"abc"));
    for (cache, why) in [
        ("FIFO", "not a regular file"),
        ("/dev/null", "not a regular file"),
        ("DIRECTORY", "not a regular file"),
        ("FOREIGN", "not a Lanesum cache"),
        ("SUMS/cache", "File exists"),
    ] {
        for (command, out) in [
            ("sum -r tree", line.as_str()),
            ("check --audit SUMS", "1 file: 1 the same\n"),
            ("diff SUMS tree", "1 file: 1 the same\n"),
            ("sum -u SUMS", "1 file: 1 the same\n"),
        ] {
            let ran = run(&folder, "lanesum", &format!("{command} --cache={cache}"));
            assert_eq!((ran.status, &ran.out[..]), (Some(0), out), "{command} {cache}: {ran:?}");
            assert!(ran.err.contains(why) && ran.err.lines().count() == 1, "{ran:?}");
        }
    }
    assert_eq!(fs::read(folder.at("FOREIGN")).unwrap(), bytes(5000));
    let mut command = folder.lanesum();
    command.env_remove("HOME").env_remove("XDG_CACHE_HOME").arg0("lanesum");
    let ran = ran(&command.args(["sum", "-r", "tree", "--cache"]).output().unwrap());
    assert_eq!((ran.status, ran.out), (Some(0), line));
    assert!(ran.err.contains("HOME is not set"), "{}", ran.err);
}
