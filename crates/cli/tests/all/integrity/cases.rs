//! One test for each rule.

use std::fs::{self, File};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, chown, symlink};
use std::time::{Duration, SystemTime};

use rustix::fs::{CWD, FileType, Mode, XattrFlags, getxattr, mknodat, setxattr};

use super::{Clock, Work, finish, snapshot};
use crate::common::{Ran, hex};

/// Returns the line of a file in GNU's format.
fn line(name: &str, contents: &str) -> String {
    format!("{}  {name}\n", hex("sha256", contents.as_bytes()))
}

/// Creates a tree of `count` files with different contents, and its manifest `M`.
fn listed(count: usize) -> Work {
    let work = Work::new();
    for i in 0..count {
        work.file(format!("t/{}/{i:04}", i % 3), format!("contents {i}"));
    }
    good(&work.run("sum -r t -o M"));
    assert_eq!(work.read("M").lines().count(), count);
    work
}

#[track_caller]
fn good(ran: &Ran) {
    assert_eq!(ran.status, Some(0), "{ran:?}");
}

#[track_caller]
fn failed(ran: &Ran, text: &str) {
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.err.contains(text), "no {text:?} in {ran:?}");
}

#[track_caller]
fn usage(ran: &Ran, text: &str) {
    assert_eq!(ran.status, Some(2), "{ran:?}");
    assert!(ran.err.contains(text), "no {text:?} in {ran:?}");
}

/// Runs a command that must not change anything below the working directory.
#[track_caller]
fn untouched(work: &Work, run: impl FnOnce() -> Ran) -> Ran {
    let before = snapshot(&work.dir());
    let ran = run();
    assert!(snapshot(&work.dir()) == before, "something was changed: {ran:?}");
    ran
}

/// Runs an update that must be refused, and must not change the manifest or anything else.
#[track_caller]
fn refused(work: &Work, words: &str) -> Ran {
    let ran = untouched(work, || work.run(words));
    failed(&ran, "M is not updated: ");
    ran
}

fn fifo(work: &Work, name: &str) {
    mknodat(CWD, work.at(name), FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
}

// `sum -o M`: when the manifest is published.

#[test]
fn a_manifest_is_written_only_if_every_file_could_be_read() {
    let work = Work::new();
    work.file("t/a", "a");
    for command in ["sum t/a missing", "sum -r t missing", "sum -r missing t"] {
        let _ = fs::remove_file(work.at("M"));
        for _ in 0..2 {
            let ran = untouched(&work, || work.run(&format!("{command} -o M")));
            failed(&ran, "M is not written: 1 file could not be");
            assert!(ran.err.contains("--partial"), "{ran:?}");
            assert!(ran.err.contains("missing"), "{ran:?}");
            work.file("M", "old\n");
        }
        failed(&work.run(&format!("{command} -o M --partial")), "missing");
        assert_eq!(work.read("M"), line("t/a", "a"), "{command}");
    }
    let ran = work.run("sum t/a missing gone -o N");
    failed(&ran, "N is not written: 2 files could not be");
}

#[test]
fn a_file_that_fails_in_the_middle_leaves_the_manifest() {
    let work = Work::new();
    work.file("t/a", "a").file("t/bad", "bad").file("t/c", "c");
    work.file("M", "old\n");
    for (partial, expected) in
        [("", "old\n".to_owned()), ("--partial", line("t/a", "a") + &line("t/c", "c"))]
    {
        let mut strace = work.command("strace");
        strace.args(["-f", "-qq", "-o", "/dev/null", "-P"]).arg(work.at("t/bad"));
        strace.args(["-e", "trace=read", "-e", "inject=read:error=EIO", super::LANESUM]);
        let ran =
            finish(strace.args(["sum", "-r", "t", "-o", "M"]).args(partial.split_whitespace()));
        failed(&ran, "t/bad: Input/output error");
        assert_eq!(ran.err.contains("M is not written: 1 file"), partial.is_empty(), "{ran:?}");
        assert_eq!(work.read("M"), expected);
    }
    assert_eq!(work.temporaries().len(), 0);
}

#[test]
fn a_manifest_of_nothing_is_not_written() {
    let work = Work::new();
    work.file("t/a", "a").file("M", "old\n");
    fs::create_dir(work.at("empty")).unwrap();
    for command in ["sum -r empty", "sum -r t -g *.none"] {
        let ran = untouched(&work, || work.run(&format!("{command} -o M")));
        failed(&ran, "M is not written: ");
        failed(&untouched(&work, || work.run(&format!("{command} -o N"))), "N is not written: ");
        assert_eq!(work.run(&format!("{command} -o M --partial")).status, Some(1));
        assert_eq!(work.read("M"), "", "{command}");
        work.file("M", "old\n");
    }
    // On standard output, only a glob that matches nothing is an error.
    good(&work.run("sum -r empty"));
    let ran = work.run("sum -r t -g *.none");
    assert_eq!((ran.status, &*ran.out), (Some(1), ""));
    assert_ne!(ran.err, "");
}

#[test]
fn streams_are_written_to_and_never_replaced() {
    let work = Work::new();
    work.file("t/a", "a");
    let expected = format!("before\n{}", line("t/a", "a"));
    symlink("/dev/stdout", work.at("LINK")).unwrap();
    for (target, redirect) in [
        ("/dev/stdout", ">>"),
        ("/dev/fd/1", ">>"),
        ("/proc/self/fd/1", ">>"),
        ("LINK", ">>"),
        ("/dev/fd/3", "3>>"),
        ("/proc/self/fd/3", "3>>"),
        ("/dev/stderr", "2>>"),
    ] {
        work.file("OUT", "before\n");
        let inode = fs::metadata(work.at("OUT")).unwrap().ino();
        let ran = work.shell(&format!("\"$L\" sum -r t -o {target} {redirect} OUT"));
        assert_eq!(ran.status, Some(0), "{target}: {ran:?}");
        assert_eq!(work.read("OUT"), expected, "{target}");
        assert_eq!(fs::metadata(work.at("OUT")).unwrap().ino(), inode, "{target}");
    }
    assert!(work.at("LINK").is_symlink());
    assert_eq!(work.temporaries().len(), 0);
}

#[test]
fn a_fifo_is_written_to() {
    let work = Work::new();
    work.file("t/a", "a");
    fifo(&work, "F");
    let ran = work.shell("cat F & \"$L\" sum -r t -o F; status=$?; wait; exit $status");
    assert_eq!((ran.status, &*ran.out), (Some(0), &*line("t/a", "a")), "{ran:?}");
    assert!(fs::symlink_metadata(work.at("F")).unwrap().file_type().is_fifo());
}

#[test]
fn a_link_is_followed_to_the_file_it_names_existing_or_not() {
    let work = Work::new();
    work.file("t/a", "a");
    fs::create_dir(work.at("d")).unwrap();
    symlink("d/N", work.at("LINK")).unwrap();
    symlink("LINK", work.at("AGAIN")).unwrap();
    for _ in 0..2 {
        good(&work.run("sum -r t -o AGAIN"));
        assert!(work.at("LINK").is_symlink() && work.at("AGAIN").is_symlink());
        assert_eq!(work.read("d/N"), line("t/a", "a"));
    }
    work.file("t/b", "b");
    good(&work.run("sum -u AGAIN t"));
    assert!(work.at("LINK").is_symlink() && work.at("AGAIN").is_symlink());
    assert_eq!(work.read("d/N"), line("t/a", "a") + &line("t/b", "b"));
    // If the directory does not exist, nothing is created.
    symlink("nowhere/N", work.at("LOST")).unwrap();
    failed(&untouched(&work, || work.run("sum -r t -o LOST")), "LOST");
}

#[test]
fn a_replaced_file_keeps_its_mode_owner_acl_and_attributes() {
    for command in ["sum -r t -o M", "sum -u M t"] {
        let work = listed(3);
        work.file("t/new", "new");
        let path = work.at("M");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        let is_root = rustix::process::geteuid().is_root();
        if is_root {
            chown(&path, Some(12), Some(34)).unwrap();
        }
        setxattr(&path, "user.origin", b"tape 7", XattrFlags::empty()).unwrap();
        let ran = finish(work.command("setfacl").args(["-m", "u:56:r", "M"]));
        good(&ran);
        let acl = |work: &Work| finish(work.command("getfacl").args(["-n", "M"])).out;
        let (before, owner) = (acl(&work), fs::metadata(&path).unwrap());
        assert!(before.contains("user:56:r--"), "{before}");
        good(&work.run(command));
        assert!(work.read("M").contains("t/new"), "{command}");
        let now = fs::metadata(&path).unwrap();
        assert_eq!(now.mode(), owner.mode(), "{command}");
        assert_eq!((now.uid(), now.gid()), (owner.uid(), owner.gid()), "{command}");
        let mut value = [0; 16];
        let len = getxattr(&path, "user.origin", &mut value[..]).unwrap();
        assert_eq!(&value[..len], b"tape 7", "{command}");
        assert_eq!(acl(&work), before, "{command}");
    }
}

#[test]
fn another_name_of_a_replaced_file_keeps_the_old_contents_with_a_note() {
    for command in ["sum -r t -o M", "sum -u M t"] {
        let work = listed(3);
        let old = work.read("M");
        fs::hard_link(work.at("M"), work.at("OTHER")).unwrap();
        work.file("t/new", "new");
        let ran = work.run(command);
        good(&ran);
        assert!(ran.err.contains("link"), "{ran:?}");
        assert_eq!(work.read("OTHER"), old);
        assert_ne!(work.read("M"), old);
    }
}

#[test]
fn a_stale_temporary_is_taken_over() {
    let work = listed(3);
    let old = work.read("M");
    for command in ["sum -r t -o M", "sum -u M t"] {
        work.file(".M.lanesum-tmp", "x".repeat(10_000));
        good(&work.run(command));
        assert_eq!(work.read("M"), old);
        assert_eq!(work.temporaries().len(), 0, "{command}");
    }
}

#[test]
fn a_fifo_in_the_place_of_the_temporary_is_refused() {
    let work = listed(3);
    fifo(&work, ".M.lanesum-tmp");
    work.file("t/new", "new");
    for command in ["sum -r t -o M", "sum -u M t"] {
        // Opening it for writing would block.
        failed(&untouched(&work, || work.run(command)), "M");
    }
}

#[test]
fn unfinished_outputs_are_not_listed() {
    let work = Work::new();
    work.file("t/a", "a").file("t/.X.lanesum-tmp", "half").file("t/lanesum-tmp", "b");
    let expected = line("t/a", "a") + &line("t/lanesum-tmp", "b");
    let ran = work.run("sum -r t -o M");
    good(&ran);
    assert!(ran.err.contains("t/.X.lanesum-tmp"), "{ran:?}");
    assert_eq!(work.read("M"), expected);
    good(&work.run("sum -u M"));
    assert_eq!(work.read("M"), expected);
    good(&work.run("check --audit M"));
}

// `sum -u M`: which lines are covered.

#[test]
fn lines_outside_the_given_paths_stay() {
    let work = listed(9);
    let old = work.read("M");
    work.remove("t/1/0001").remove("t/2").file("t/0/0000", "changed").file("t/2.new", "new");
    // A sibling whose name begins with the path is not below it.
    work.file("t/1.x/y", "y").file("t/1/new", "new");
    good(&work.run("sum -u M t/1"));
    let expected: String =
        old.lines().filter(|l| !l.ends_with("0001")).map(|l| format!("{l}\n")).collect();
    let mut lines: Vec<_> = work.read("M").lines().map(str::to_owned).collect();
    let added = line("t/1/new", "new");
    lines.retain(|line| line != added.trim_end());
    assert_eq!(lines, expected.lines().collect::<Vec<_>>());
    assert!(work.read("M").contains(&added));
    // A path may be a file.
    good(&work.run("sum -u M t/0/0000"));
    assert!(work.read("M").contains(&line("t/0/0000", "changed")));
    assert!(!work.read("M").contains("2.new"));
}

#[test]
fn a_mistyped_path_changes_nothing() {
    let work = listed(9);
    for words in
        ["sum -u M T", "sum -u M t/missing", "sum -u M t/0 T", "sum -u M T --allow missing"]
    {
        let ran = refused(&work, words);
        assert!(ran.err.contains('T') || ran.err.contains("t/missing"), "{ran:?}");
    }
}

#[test]
fn lines_that_a_flag_excludes_stay() {
    let work = Work::new();
    for name in ["a.c", "b.o", "d/a.c", "d/b.o", "d/e/a.c", ".gitignore"] {
        work.file(format!("t/{name}"), if name == ".gitignore" { "*.o\n" } else { name });
    }
    good(&work.run("sum -r t -o M"));
    let old = work.read("M");
    for words in ["-g *.c", "-g !*.o", "-d 1", "-d 2", "--gitignore", "-x", "-g !e"] {
        good(&work.run(&format!("sum -u M t {words}")));
        assert_eq!(work.read("M"), old, "{words}");
    }
    // Globs and a depth apply whether or not the files exist.
    work.remove("t/d/b.o").remove("t/d/e");
    for words in ["-g !*.o -g !e", "-d 1"] {
        good(&work.run(&format!("sum -u M t {words}")));
        assert_eq!(work.read("M"), old, "{words}");
    }
    // No name starts with the name of the working directory.
    for words in ["-g !*.o -g !e", "-d 2", "-g !t", "-g !*"] {
        good(&work.run(&format!("sum -u M . {words} --allow missing")));
        assert_eq!(work.read("M"), old, "{words}");
        let audit = work.run(&format!("check --audit M --tree . {words} --allow new"));
        assert!(audit.out.ends_with("the same\n") || audit.out == "0 files\n", "{audit:?}");
    }
    // Other files are updated.
    good(&work.run("sum -u M t -g *.c"));
    assert!(!work.read("M").contains("t/d/e/a.c"), "{}", work.read("M"));
    assert!(work.read("M").contains("t/d/b.o"));
    good(&work.run("sum -u M t --gitignore"));
    assert!(!work.read("M").contains("t/d/b.o") && work.read("M").contains("t/b.o"));
}

#[test]
fn names_that_lead_up_are_found_from_the_same_directory() {
    let work = Work::new();
    work.file("p/a", "a").file("p/d/b", "b").file("w/x", "x");
    let run = |words: &str| {
        finish(work.lanesum().current_dir(work.at("w")).args(words.split_whitespace()))
    };
    good(&run("sum -r ../p -o M"));
    let old = work.read("w/M");
    assert_eq!(old, line("../p/a", "a") + &line("../p/d/b", "b"));
    good(&run("sum -u M"));
    assert_eq!(work.read("w/M"), old);
    good(&run("check --audit M"));
    work.remove("p/a").file("p/c", "c");
    good(&run("sum -u M"));
    assert_eq!(work.read("w/M"), line("../p/c", "c") + &line("../p/d/b", "b"));
    // No name is below the working directory, and the tree has moved.
    fs::rename(work.at("p"), work.at("q")).unwrap();
    let old = work.read("w/M");
    failed(&run("sum -u M"), "M is not updated: ");
    assert_eq!(work.read("w/M"), old);
}

#[test]
fn absolute_names_share_a_directory_or_need_one() {
    let work = listed(6);
    let tree = work.at("t");
    let tree = tree.to_str().unwrap();
    good(&work.run(&format!("sum -r {tree} -o M")));
    let old = work.read("M");
    good(&work.run("sum -u M"));
    assert_eq!(work.read("M"), old);
    good(&work.run("check --audit M"));
    work.remove("t/0/0000");
    good(&work.run("sum -u M"));
    assert_eq!(work.read("M").lines().count(), 5);
    // With absolute and relative names, or names in the root, no tree is assumed.
    let relative = work.run("sum -r t").out;
    for more in [relative, line("/bin/nothing", "x"), line("../other/x", "x")] {
        work.file("M", old.clone() + &more);
        usage(&untouched(&work, || work.run("sum -u M")), "M");
        usage(&untouched(&work, || work.run("check --audit M")), "M");
    }
    work.file("M", line("t/1/0001", "x") + &line("../other/x", "x"));
    usage(&untouched(&work, || work.run("sum -u M")), "M");
}

#[test]
fn relative_names_in_several_directories_are_from_the_working_directory() {
    let work = Work::new();
    work.file("a", "a").file("t/b", "b");
    good(&work.run("sum a t/b -o M"));
    work.file("t/new", "new").remove("a");
    good(&work.run("sum -u M"));
    assert_eq!(work.read("M"), line("t/b", "b") + &line("t/new", "new"));
}

// `sum -u M`: when an update is refused.

#[test]
fn a_root_that_has_moved_away_is_refused() {
    let work = listed(9);
    fs::rename(work.at("t"), work.at("elsewhere")).unwrap();
    for words in ["sum -u M", "sum -u M t", "sum -u M t/0"] {
        assert!(refused(&work, words).err.contains("--allow missing"));
    }
    // The findings are still reported.
    let ran = refused(&work, "sum -u M --json");
    assert_eq!(ran.out.matches("\"class\":\"missing\"").count(), 9, "{ran:?}");
    good(&work.run("sum -u M t --allow missing"));
    assert_eq!(work.read("M"), "");
}

#[test]
fn an_empty_mount_point_is_refused() {
    let work = listed(9);
    work.remove("t");
    fs::create_dir(work.at("t")).unwrap();
    for words in ["sum -u M", "sum -u M t"] {
        refused(&work, words);
    }
    fs::create_dir_all(work.at("t/0/empty")).unwrap();
    refused(&work, "sum -u M t/0");
    good(&work.run("sum -u M t/0 --allow missing"));
    assert_eq!(work.read("M").lines().count(), 6);
}

#[test]
fn a_root_that_is_gone_has_not_moved_to_its_copy() {
    let work = listed(9);
    finish(work.command("cp").args(["-a", "t", "copy"]));
    work.remove("t");
    refused(&work, "sum -u M t copy");
    fs::create_dir(work.at("t")).unwrap();
    assert!(refused(&work, "sum -u M t copy").err.contains("--allow missing removes 9 lines"));
    good(&work.run("sum -u M t copy --allow missing"));
    good(&work.run("check M"));
}

#[test]
fn one_root_of_several_that_is_gone_is_refused() {
    let work = listed(9);
    work.file("u/x", "x").file("u/y", "y");
    good(&work.run("sum -r t u -o M"));
    work.remove("u").file("t/new", "new");
    refused(&work, "sum -u M t u");
    fs::create_dir(work.at("u")).unwrap();
    refused(&work, "sum -u M t u");
    good(&work.run("sum -u M t"));
    assert!(work.read("M").contains("u/x") && work.read("M").contains("t/new"));
}

#[test]
fn many_missing_files_are_refused() {
    // 11 of 109 lines exceed both 10 lines and 10 %; 10 lines do not, and 11 of 110 do not.
    for (lines, gone, is_refused) in
        [(109, 11, true), (12, 10, false), (110, 11, false), (20, 11, true)]
    {
        let work = listed(lines);
        let old = work.read("M");
        for i in 0..gone {
            work.remove(&format!("t/{}/{i:04}", i % 3));
        }
        if is_refused {
            assert!(refused(&work, "sum -u M").err.contains("--allow missing"));
            failed(&untouched(&work, || work.run("sum -u M --dry-run")), "M is not updated: ");
            good(&work.run("sum -u M --allow missing"));
        } else {
            good(&untouched(&work, || work.run("sum -u M --dry-run")));
            assert_eq!(work.read("M"), old);
            good(&work.run("sum -u M"));
        }
        assert_eq!(work.read("M").lines().count(), lines - gone, "{gone} of {lines}");
    }
}

#[test]
fn moved_files_are_not_missing() {
    let work = listed(30);
    fs::rename(work.at("t/0"), work.at("t/moved")).unwrap();
    fs::rename(work.at("t/1"), work.at("t/moved too")).unwrap();
    let ran = work.run("sum -u M");
    good(&ran);
    assert!(ran.out.contains("20 moved"), "{ran:?}");
    good(&work.run("check M"));
}

#[test]
fn another_file_system_in_the_place_of_the_root_is_refused() {
    let elsewhere = tempfile::TempDir::new_in("/dev/shm").unwrap();
    let work = listed(9);
    let device = |path: &std::path::Path| fs::metadata(path).unwrap().dev();
    assert_ne!(device(elsewhere.path()), device(&work.at("t")), "both are on one file system");
    good(&work.run("sum -u M t"));
    // Most files are unchanged.
    for i in 1..9 {
        let name = format!("{}/{i:04}", i % 3);
        fs::create_dir_all(elsewhere.path().join(&name).parent().unwrap()).unwrap();
        fs::copy(work.at("t").join(&name), elsewhere.path().join(&name)).unwrap();
    }
    work.remove("t");
    symlink(elsewhere.path(), work.at("t")).unwrap();
    refused(&work, "sum -u M t");
    good(&work.run("sum -u M t --allow missing"));
    assert_eq!(work.read("M").lines().count(), 8);
    // The tree is now on this file system.
    fs::remove_file(elsewhere.path().join("1/0001")).unwrap();
    good(&work.run("sum -u M t"));
    assert_eq!(work.read("M").lines().count(), 7);
}

// `sum -u M`: which lines remain although their file cannot be read.

#[test]
fn lines_below_a_link_that_is_not_followed_stay() {
    let work = listed(9);
    let old = work.read("M");
    fs::rename(work.at("t/1"), work.at("store")).unwrap();
    symlink("../store", work.at("t/1")).unwrap();
    let ran = work.run("sum -u M");
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.out.contains("3 unreadable"), "{ran:?}");
    assert_eq!(work.read("M"), old);
    good(&work.run("sum -u M -L"));
    assert_eq!(work.read("M"), old);
    // A file that cannot be reached through the link is missing.
    work.remove("store/0001");
    assert_eq!(work.run("sum -u M").status, Some(1));
    assert_eq!(work.read("M").lines().count(), 8);
}

#[test]
fn only_a_directory_in_place_of_a_file_removes_its_line() {
    let work = listed(6);
    let old = work.read("M");
    work.remove("t/0/0000").remove("t/1/0001");
    fifo(&work, "t/0/0000");
    symlink("0004", work.at("t/1/0001")).unwrap();
    let ran = work.run("sum -u M");
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.out.contains("2 unreadable"), "{ran:?}");
    assert_eq!(work.read("M"), old);
    // A directory with the name of a file makes the file missing.
    work.remove("t/2/0002");
    fs::create_dir(work.at("t/2/0002")).unwrap();
    let ran = work.run("sum -u M");
    assert!(ran.out.contains("1 missing, 2 unreadable"), "{ran:?}");
    assert_eq!(work.read("M").lines().count(), 5);
}

#[test]
fn lines_in_half_a_directory_stay() {
    let work = listed(30);
    let old = work.read("M");
    for when in ["1", "2"] {
        let mut strace = work.command("strace");
        strace.args(["-f", "-qq", "-o", "/dev/null", "-P"]).arg(work.at("t/1"));
        let inject = format!("inject=getdents64:error=EIO:when={when}");
        strace.args(["-e", "trace=getdents64", "-e", &inject, super::LANESUM]);
        let ran = finish(strace.args(["sum", "-u", "M"]));
        assert_eq!(ran.status, Some(1), "{when}: {ran:?}");
        assert_eq!(work.read("M"), old, "{when}");
    }
}

// `sum -u M`: when the manifest is published.

#[test]
fn a_dry_run_writes_nothing_and_has_the_status_of_the_real_run() {
    let work = listed(9);
    work.file("t/new", "new").remove("t/0/0000").file("t/1/0001", "changed");
    let dry = untouched(&work, || work.run("sum -u M --dry-run --backup"));
    good(&dry);
    let real = work.run("sum -u M --backup");
    assert_eq!(dry.out, real.out);
    good(&real);
    work.remove("t");
    let dry = untouched(&work, || work.run("sum -u M --dry-run --backup"));
    failed(&dry, "M is not updated: ");
    assert_eq!(dry.out, refused(&work, "sum -u M --backup").out);
}

#[test]
fn a_backup_is_the_previous_manifest() {
    let work = listed(9);
    let first = work.read("M");
    work.file("t/new", "new");
    good(&work.run("sum -u M --backup"));
    assert_eq!(work.read("M.bak"), first);
    let second = work.read("M");
    work.file("t/newer", "newer");
    good(&work.run("sum -u M --backup"));
    assert_eq!(work.read("M.bak"), second);
    // A refused update changes neither the manifest nor the backup.
    work.remove("t");
    refused(&work, "sum -u M --backup");
    // A new manifest has no backup.
    work.file("u/x", "x");
    good(&work.run("sum -u N u --backup"));
    assert!(!work.at("N.bak").exists());
}

#[test]
fn a_report_that_cannot_be_written_leaves_the_manifest() {
    let work = listed(2000);
    work.file("t/new", "new").remove("t/0/0000");
    for (script, says) in [
        // The reader exits before the first line.
        ("\"$L\" sum -u M --json --all > >(exec <&-); exit $?", ""),
        ("\"$L\" sum -u M --json --all | head -1 >/dev/null; exit ${PIPESTATUS[0]}", ""),
        ("\"$L\" sum -u M --all > /dev/full", "cannot write standard output: No space left"),
        ("\"$L\" sum -u M > /dev/full", "cannot write standard output: No space left"),
        ("\"$L\" sum -u M --dry-run > /dev/full", "cannot write standard output: No space left"),
    ] {
        let ran = untouched(&work, || work.shell(script));
        failed(&ran, says);
        assert!(!says.is_empty() || ran.err.is_empty(), "{script}: {ran:?}");
    }
    good(&work.run("sum -u M"));
}

#[test]
fn a_manifest_that_cannot_be_written_stays() {
    let work = listed(9);
    work.file("t/new", "new");
    let script = "trap '' XFSZ; ulimit -f 0; \"$L\" sum -u M t";
    failed(&untouched(&work, || work.shell(script)), "M: File too large");
}

#[test]
fn only_a_regular_file_is_updated() {
    let work = listed(3);
    fifo(&work, "F");
    for target in ["F", "/dev/null", "/dev/stdout", "t"] {
        let ran = untouched(&work, || work.run(&format!("sum -u {target} t")));
        assert!(ran.status != Some(0), "{target}: {ran:?}");
        assert!(ran.err.contains(target), "{target}: {ran:?}");
    }
}

// `--stat`: a time is recorded only if it distinguishes versions.

#[test]
fn a_time_that_is_not_old_is_not_listed() {
    let work = Work::new();
    work.file("t/old", "1").file("t/young", "1");
    let now = SystemTime::now();
    let set = |name: &str, time| {
        File::options().write(true).open(work.at(name)).unwrap().set_modified(time).unwrap();
    };
    let run = |clock: Clock, words: &str| {
        let mut command = work.lanesum();
        clock.set(&mut command);
        finish(command.args(words.split_whitespace()))
    };
    let listed = |name: &str| {
        let text = work.read("M");
        let line = text.lines().find(|line| line.contains(name)).unwrap();
        assert!(line.contains("\"size\":1"), "{line}");
        line.contains("mtime")
    };
    let set_both = || {
        set("t/old", now - Duration::from_secs(1_000_000));
        set("t/young", now);
    };
    set_both();
    for (clock, young) in [(Clock::Later, true), (Clock::Earlier, false)] {
        for words in ["sum -r t -o M", "sum -u M t --paranoid", "sum -u M t"] {
            good(&run(clock, &format!("{words} --format json --stat")));
            assert!(listed("t/old"), "{clock:?}: {words}");
            assert_eq!(listed("t/young"), young, "{clock:?}: {words}");
        }
        fs::remove_file(work.at("M")).unwrap();
        good(&run(clock, "sum -u M t --format json --stat"));
        assert_eq!((listed("t/old"), listed("t/young")), (true, young), "{clock:?}");
    }
    // An edit in the same clock tick as the first time is detected later, and is not rot.
    work.file("t/young", "2").file("t/old", "2");
    set_both();
    let ran = run(Clock::Later, "check --audit M");
    assert!(ran.out.contains("changed       t/young"), "{ran:?}");
    assert!(ran.out.contains("rotted        t/old"), "{ran:?}");
    let ran = run(Clock::Later, "sum -u M");
    assert!(ran.out.contains("changed       t/young"), "{ran:?}");
    // Lengths are preserved if no line has a time.
    work.remove("t/old");
    good(&run(Clock::Later, "sum -r t -o M --format json --stat"));
    set("t/young", SystemTime::now() + Duration::from_secs(1_000_000));
    work.file("t/young", "3");
    good(&run(Clock::Earlier, "sum -u M"));
    assert!(!listed("t/young"));
    work.file("t/new", "1");
    good(&run(Clock::Earlier, "sum -u M"));
    assert!(!listed("t/young") && !listed("t/new"));
}

// `check --audit`.

#[test]
fn an_audit_has_the_same_scope_and_writes_nothing() {
    let work = listed(9);
    work.remove("t/1/0001").file("t/2/0002", "changed").file("t/0/new", "new");
    let ran = untouched(&work, || work.run("check --audit M --tree t/1"));
    assert_eq!(ran.status, Some(1));
    assert!(ran.out.contains("t/1/0001") && !ran.out.contains("t/2/"), "{ran:?}");
    assert!(ran.out.contains("1 missing") && ran.err.contains('6'), "{ran:?}");
    good(&untouched(&work, || work.run("check --audit M --tree t/1 --allow missing")));
    // The tree is a file, which is missing.
    let ran = work.run("check --audit M --tree t/1/0001 --allow missing");
    assert!(
        ran.status == Some(0) && ran.out == "missing       t/1/0001\n1 file: 1 missing\n",
        "{ran:?}"
    );
    // No line is covered.
    fs::create_dir(work.at("u")).unwrap();
    for tree in ["u", "nowhere", "t/1.x"] {
        let ran = untouched(&work, || work.run(&format!("check --audit M --tree {tree}")));
        assert_eq!(ran.status, Some(1), "{ran:?}");
        assert_ne!(ran.err, "", "{tree}");
    }
    let ran = untouched(&work, || work.run("check --audit M -g *.none"));
    assert!(!ran.out.contains("missing"), "{ran:?}");
}

#[test]
fn an_audit_finds_names_from_another_directory() {
    let work = listed(9);
    fs::create_dir(work.at("elsewhere")).unwrap();
    let dir = work.dir();
    let run = |words: &str| {
        let mut command = work.lanesum();
        command.current_dir(work.at("elsewhere")).args(words.split_whitespace());
        finish(&mut command)
    };
    assert_eq!(run("check --audit ../M").status, Some(1));
    good(&run("check --audit ../M --names-from manifest"));
    good(&run(&format!("check --audit ../M -C {}", dir.display())));
    work.file("t/0/0000", "changed");
    assert_eq!(run("check --audit ../M --names-from manifest").status, Some(1));
}
