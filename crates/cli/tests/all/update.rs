//! `lanesum sum --update` brings a manifest up to date.

use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt, symlink};
use std::thread;

use rustix::process::{Pid, Signal, kill_process};

use crate::common::{Folder, Ran, bytes, hex, ran, refused, well};

/// Creates a tree with a manifest.
fn tree(flags: &str) -> Folder {
    let folder = Folder::new();
    for i in 0..20 {
        let name = format!("tree/{}/{i:02}", i % 3);
        folder.file(&name, bytes(i)).age(&name);
    }
    well(folder.run(&format!("sum -r tree -o SUMS {flags}")), "");
    folder
}

fn update(folder: &Folder, words: &str) -> Ran {
    folder.run(&format!("sum --update SUMS --cache=CACHE {words}"))
}

#[test]
fn an_updated_manifest_equals_a_new_one() {
    for flags in ["", "--tag", "--format json --stat", "-a sha1,sha512", "-z"] {
        let folder = tree(flags);
        let zero = if flags == "-z" { "-z" } else { "" };
        let words = zero.to_owned();
        well(update(&folder, &words), "20 files: 20 the same\n");
        let made = fs::read(folder.at("SUMS")).unwrap();
        folder.file("tree/0/00", "other").file("tree/0/new", "new");
        fs::remove_file(folder.at("tree/1/01")).unwrap();
        fs::rename(folder.at("tree/2/05"), folder.at("tree/0/moved")).unwrap();
        let expected = "\
changed       tree/0/00
moved         tree/2/05 -> tree/0/moved
new           tree/0/new
missing       tree/1/01
21 files: 17 the same, 1 new, 1 changed, 1 moved, 1 missing
";
        well(update(&folder, &words), expected);
        let updated = fs::read(folder.at("SUMS")).unwrap();
        assert_ne!(updated, made);
        well(folder.run(&format!("sum -r tree -o FRESH {flags}")), "");
        assert_eq!(updated, fs::read(folder.at("FRESH")).unwrap(), "{flags}");
        well(update(&folder, &words), "20 files: 20 the same\n");
        assert_eq!(updated, fs::read(folder.at("SUMS")).unwrap(), "{flags}");
    }
}

#[test]
fn names_comments_and_formats_are_unchanged() {
    let folder = Folder::new();
    folder.file("a", "abc").file("b", "def");
    let (a, b) = (hex("sha1", b"abc"), hex("sha1", b"def"));
    folder.file("SUMS", format!("# by hand\n# twice\nSHA1 (./b) = {b}\nSHA1 (./a) = {a}\n"));
    folder.file("c", "ghi");
    let ran = update(&folder, "-g !CACHE");
    assert_eq!(ran.out, "new           c\n3 files: 2 the same, 1 new\n", "{}", ran.err);
    assert_eq!(
        fs::read_to_string(folder.at("SUMS")).unwrap(),
        format!(
            "# by hand\n# twice\nSHA1 (./a) = {a}\nSHA1 (./b) = {b}\nSHA1 (./c) = {}\n",
            hex("sha1", b"ghi")
        )
    );
}

#[test]
fn a_missing_manifest_is_created() {
    let folder = Folder::new();
    folder.file("tree/a", "abc");
    let ran = folder.run("sum --update SUMS --cache=CACHE tree");
    assert_eq!(ran.out, "new           tree/a\n1 file: 1 new\n", "{}", ran.err);
    let line = format!("{}  tree/a\n", hex("sha256", b"abc"));
    assert_eq!(fs::read_to_string(folder.at("SUMS")).unwrap(), line);
}

#[test]
fn a_file_that_has_rotted_keeps_its_line() {
    let folder = tree("--format json --stat");
    let before = fs::read(folder.at("SUMS")).unwrap();
    let path = folder.at("tree/0/18");
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    fs::write(&path, [7; 18]).unwrap();
    File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
    let ran = update(&folder, "--paranoid");
    assert_eq!(
        (ran.status, ran.out.as_str()),
        (Some(1), "rotted        tree/0/18\n20 files: 19 the same, 1 rotted\n")
    );
    assert_eq!(fs::read(folder.at("SUMS")).unwrap(), before);
}

#[test]
fn malformed_manifests_and_unsupported_arguments_are_rejected() {
    let folder = tree("");
    let text = fs::read_to_string(folder.at("SUMS")).unwrap() + "garbage\n";
    folder.file("SUMS", &text);
    refused(&update(&folder, ""), 1, "is not updated: fix or remove the malformed lines");
    assert_eq!(fs::read_to_string(folder.at("SUMS")).unwrap(), text);
    let folder = tree("-a md5,sha256 --format hashdeep");
    refused(&update(&folder, ""), 2, "only one of several digests on a line would be kept");
    refused(&folder.run("sum --update - tree"), 2, "cannot update standard input");
    let folder = tree("--tag");
    refused(&update(&folder, "-a sha1"), 2, "its lines use other algorithms");
    // A misspelled name does not create a manifest of the working directory.
    refused(&folder.run("sum --update SUM"), 2, "SUM does not exist");
    assert!(!folder.at("SUM").exists());
    for words in ["--update SUMS -o X", "--update", "--update SUMS --files0-from X"] {
        assert_eq!(folder.run(&format!("sum {words}")).status, Some(2), "{words}");
    }
}

#[test]
fn without_a_usable_cache_everything_is_read() {
    let folder = tree("");
    for (home, says) in [("relative", "HOME is not set"), ("/dev/null", "cannot use the cache")] {
        let mut command = folder.lanesum();
        command.args(["sum", "--update", "SUMS"]).env("HOME", home).env_remove("XDG_CACHE_HOME");
        let ran = ran(&command.output().unwrap());
        assert_eq!((ran.status, ran.out.as_str()), (Some(0), "20 files: 20 the same\n"));
        assert!(ran.err.contains(says), "{}", ran.err);
    }
}

#[test]
fn concurrent_runs_do_not_write_the_same_manifest() {
    let folder = tree("");
    let before = fs::read(folder.at("SUMS")).unwrap();
    let held = File::create(folder.at(".SUMS.lanesum-tmp")).unwrap();
    held.try_lock().unwrap();
    refused(&update(&folder, ""), 1, "cannot write");
    refused(&folder.run("sum -r tree -o SUMS"), 1, "another run is writing it");
    assert_eq!(fs::read(folder.at("SUMS")).unwrap(), before);
    // A killed run holds no lock.
    drop(held);
    well(update(&folder, ""), "20 files: 20 the same\n");
    assert!(!folder.at(".SUMS.lanesum-tmp").exists());
    // Many concurrent runs: each succeeds completely or is refused.
    thread::scope(|scope| {
        let runs: Vec<_> = (0..8).map(|_| scope.spawn(|| update(&folder, ""))).collect();
        for run in runs {
            let ran = run.join().unwrap();
            assert!(
                ran.status == Some(0) || ran.err.contains("another run is writing it"),
                "{ran:?}"
            );
        }
    });
    assert_eq!(fs::read(folder.at("SUMS")).unwrap(), before);
}

#[test]
fn a_link_in_place_of_the_temporary_is_not_written_to() {
    let folder = tree("");
    let temporary = folder.at(".SUMS.lanesum-tmp");
    folder.file("mine", "mine");
    fs::hard_link(folder.at("mine"), &temporary).unwrap();
    refused(&folder.run("sum -r tree -o SUMS"), 1, "is in the way");
    fs::remove_file(&temporary).unwrap();
    std::os::unix::fs::symlink("mine", &temporary).unwrap();
    refused(&folder.run("sum -r tree -o SUMS"), 1, "cannot write");
    assert_eq!(fs::read_to_string(folder.at("mine")).unwrap(), "mine");
}

#[test]
fn a_full_disk_leaves_the_manifest_unchanged() {
    let folder = tree("");
    for i in 0..3000 {
        folder.file(format!("tree/more/{i}"), "");
    }
    let before = fs::read(folder.at("SUMS")).unwrap();
    // The limit simulates a full disk; the signal is ignored, so that writing fails.
    let script = "trap '' XFSZ; ulimit -f 100; exec \"$0\" sum --update SUMS --cache=CACHE tree";
    let mut command = folder.command("sh");
    let output = command.args(["-c", script, env!("CARGO_BIN_EXE_lanesum")]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("File too large"), "{said}");
    assert_eq!(fs::read(folder.at("SUMS")).unwrap(), before);
    assert!(!folder.at(".SUMS.lanesum-tmp").exists());
    let again = "sum --update SUMS --cache=CACHE tree";
    assert_eq!(folder.run(again).status, Some(0));
    well(folder.run(again), "3020 files: 3020 the same\n");
}

#[test]
fn comments_are_preserved() {
    let folder = tree("--tag");
    let text = fs::read_to_string(folder.at("SUMS")).unwrap();
    let (first, rest) = text.split_once('\n').unwrap();
    folder.file("SUMS", format!("# above\n{first}\n# between\n{rest}# below\n"));
    well(update(&folder, ""), "20 files: 20 the same\n");
    let expected = format!("# above\n# between\n# below\n{text}");
    assert_eq!(fs::read_to_string(folder.at("SUMS")).unwrap(), expected);
}

#[test]
fn an_update_covers_the_selected_files_of_its_paths() {
    let folder = tree("");
    let before = fs::read_to_string(folder.at("SUMS")).unwrap();
    // A changed file in each part of the tree, and a missing one.
    for part in 0..3 {
        folder.file(format!("tree/{part}/1{}", 2 + part), "changed");
        fs::remove_file(folder.at(format!("tree/{part}/0{}", 3 + part))).unwrap();
    }
    let changed = |words: &str| {
        let ran = update(&folder, words);
        let after = fs::read_to_string(folder.at("SUMS")).unwrap();
        folder.file("SUMS", &before);
        let gone: Vec<_> = before.lines().filter(|line| !after.contains(line)).collect();
        let name = |line: &&str| line[66..].to_owned();
        assert_eq!(ran.status, Some(0), "{words}: {}", ran.err);
        gone.iter().map(name).collect::<Vec<_>>()
    };
    let one = |part: usize| {
        vec![format!("tree/{part}/0{}", 3 + part), format!("tree/{part}/1{}", 2 + part)]
    };
    assert_eq!(changed(""), [one(0), one(1), one(2)].concat());
    assert_eq!(changed("tree"), [one(0), one(1), one(2)].concat());
    assert_eq!(changed("tree/1"), one(1));
    assert_eq!(changed("tree/0 tree/2"), [one(0), one(2)].concat());
    assert_eq!(changed("./tree//1/"), one(1));
    assert_eq!(changed("tree/1/13"), ["tree/1/13"]);
    assert_eq!(changed("-g 03"), ["tree/0/03"]);
    assert_eq!(changed("-g !0"), [one(1), one(2)].concat());
    assert_eq!(changed("-d 1"), [""; 0]);
    refused(&update(&folder, "tree/1 tree"), 2, "tree/1 is inside tree");
    refused(&update(&folder, ". /etc"), 2, "'.' cannot be combined with other trees");
}

#[test]
fn lines_are_not_removed_in_bulk_without_permission() {
    let folder = Folder::new();
    for i in 0..100 {
        folder.file(format!("tree/{i:02}"), bytes(i));
    }
    well(folder.run("sum -r tree -o SUMS"), "");
    let lines = || fs::read_to_string(folder.at("SUMS")).unwrap().lines().count();
    let remove = |range: std::ops::Range<u8>| {
        range.for_each(|i| fs::remove_file(folder.at(format!("tree/{i:02}"))).unwrap());
    };
    remove(0..10);
    assert_eq!(update(&folder, "").status, Some(0));
    assert_eq!(lines(), 90);
    remove(10..21);
    let ran = update(&folder, "");
    let says =
        "SUMS is not updated: 11 of 90 files are missing; --allow missing removes 11 lines\n";
    assert_eq!((ran.status, ran.err), (Some(1), format!("lanesum: {says}")));
    assert!(ran.out.ends_with("90 files: 79 the same, 11 missing\n"), "{}", ran.out);
    assert_eq!(lines(), 90);
    assert_eq!(update(&folder, "--dry-run --allow missing").status, Some(0));
    assert_eq!((lines(), folder.at("SUMS.bak").exists()), (90, false));
    assert_eq!(update(&folder, "--backup --allow missing").status, Some(0));
    assert_eq!(lines(), 79);
    assert_eq!(fs::read_to_string(folder.at("SUMS.bak")).unwrap().lines().count(), 90);
    // Moved files are found again.
    fs::rename(folder.at("tree"), folder.at("other")).unwrap();
    fs::create_dir(folder.at("tree")).unwrap();
    fs::rename(folder.at("other"), folder.at("tree/other")).unwrap();
    let ran = update(&folder, "");
    assert!(ran.out.ends_with("79 files: 79 moved\n"), "{}", ran.out);
    // A tree without files may be one that is not mounted.
    fs::rename(folder.at("tree/other"), folder.at("other")).unwrap();
    for (path, why) in [("", "tree/other does not exist"), ("tree", "tree has become empty")] {
        let ran = update(&folder, path);
        assert_eq!(ran.status, Some(1), "{path}");
        assert!(ran.err.contains(&format!("SUMS is not updated: {why}; ")), "{}", ran.err);
        assert_eq!(lines(), 79);
    }
    let ran = update(&folder, "tree/mistyped --allow missing");
    assert_eq!((ran.status, lines()), (Some(1), 79));
    assert_eq!(ran.err, "lanesum: SUMS is not updated: tree/mistyped does not exist\n");
    assert_eq!(update(&folder, "tree --allow missing").status, Some(0));
    assert_eq!(lines(), 0);
}

#[test]
fn comments_and_heads_survive_in_every_format() {
    for format in ["gnu", "bsd", "json", "csv", "hashdeep"] {
        let folder = tree(&format!("--format {format}"));
        let made = fs::read_to_string(folder.at("SUMS")).unwrap();
        let first = made.lines().next().unwrap();
        let comments = "# above\n; another\n  # indented\n# the last, without an end";
        folder.file("SUMS", format!("{made}{comments}"));
        well(update(&folder, ""), "20 files: 20 the same\n");
        let text = fs::read_to_string(folder.at("SUMS")).unwrap();
        assert!(text.contains(&format!("{comments}\n")), "{format}: {text}");
        assert!(format != "hashdeep" || text.starts_with(first), "{text}");
        let ran = folder.run("check --quiet --strict SUMS");
        assert_eq!((ran.status, &*ran.out), (Some(0), ""), "{format}: {ran:?}");
        well(update(&folder, ""), "20 files: 20 the same\n");
        assert_eq!(fs::read_to_string(folder.at("SUMS")).unwrap(), text, "{format}");
    }
    // With NUL terminators.
    let folder = tree("-z");
    let made = fs::read_to_string(folder.at("SUMS")).unwrap();
    folder.file("SUMS", format!("{made}# no end"));
    well(update(&folder, "-z"), "20 files: 20 the same\n");
    assert_eq!(fs::read_to_string(folder.at("SUMS")).unwrap(), format!("# no end\0{made}"));
}

#[test]
fn a_file_named_like_standard_input_is_a_file() {
    let folder = Folder::new();
    folder.file("t/-", "good").file("t/a", "a");
    let inside = |words: &str, input: &str| {
        let script = format!("printf {input} | \"$0\" {words}");
        let mut command = folder.command("sh");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_lanesum")]).current_dir(folder.at("t"));
        ran(&command.output().unwrap())
    };
    let line = format!("{}  ./-\n", hex("sha256", b"good"));
    assert_eq!(inside("sum -u ../M . --cache=../C", "x").status, Some(0));
    let text = fs::read_to_string(folder.at("M")).unwrap();
    assert!(text.starts_with(&line), "{text}");
    folder.file("names", "-\0");
    well(inside("sum --files0-from ../names", "x"), &line);
    well(inside("check --quiet ../M", "other"), "");
    assert_eq!(inside("sum -u ../M . --cache=../C", "x").out, "2 files: 2 the same\n");
    assert_eq!(fs::read_to_string(folder.at("M")).unwrap(), text);
    // Standard input cannot be read again.
    folder.file("STDIN", format!("{}  -\n", hex("sha256", b"x")));
    let ran = inside("sum -u ../STDIN . --cache=../C", "x");
    assert!(
        ran.status == Some(1) && ran.err.contains("remove the line for standard input"),
        "{ran:?}"
    );
}

#[test]
fn moved_files_do_not_excuse_a_missing_tree() {
    for is_empty in [false, true] {
        let folder = Folder::new();
        for i in 0..3 {
            folder.file(format!("one/{i}"), bytes(i + 1));
        }
        folder.file("two/x", "x");
        well(folder.run("sum -r one two -o SUMS"), "");
        let before = fs::read(folder.at("SUMS")).unwrap();
        for i in 0..3 {
            folder.file(format!("two/{i}"), bytes(i + 1));
        }
        fs::remove_dir_all(folder.at("one")).unwrap();
        if is_empty {
            fs::create_dir(folder.at("one")).unwrap();
        }
        let ran = update(&folder, "one two");
        assert_eq!(ran.status, Some(1), "{ran:?}");
        assert_eq!(fs::read(folder.at("SUMS")).unwrap(), before);
        // A file in place of the tree does not permit the removal either.
        if !is_empty {
            folder.file("one", "file");
            assert_eq!(update(&folder, "one two").status, Some(1));
            assert_eq!(fs::read(folder.at("SUMS")).unwrap(), before);
        }
        assert_eq!(update(&folder, "one two --allow missing").status, Some(0));
    }
}

#[test]
fn a_tree_that_has_lost_all_its_files_is_not_emptied() {
    // Few lines, or a small share of them, and a new file in the place of the tree.
    for (ours, others) in [(3, 0), (12, 200)] {
        let folder = Folder::new();
        for i in 0..ours {
            folder.file(format!("one/{i}"), bytes(i + 1));
        }
        for i in 0..others {
            folder.file(format!("two/{i}"), bytes(i + 100));
        }
        fs::create_dir_all(folder.at("two")).unwrap();
        well(folder.run("sum -r one two -o SUMS"), "");
        let before = fs::read(folder.at("SUMS")).unwrap();
        fs::rename(folder.at("one"), folder.at("elsewhere")).unwrap();
        folder.file("one/NOT_MOUNTED", "stray");
        let ran = update(&folder, "one two");
        let says = format!(
            "lanesum: SUMS is not updated: one no longer has any of the listed files; \
             --allow missing removes {ours} lines\n"
        );
        assert_eq!((ran.status, ran.err), (Some(1), says));
        assert_eq!(fs::read(folder.at("SUMS")).unwrap(), before);
        // Files with the same contents in another tree do not count.
        fs::rename(folder.at("elsewhere"), folder.at("two/copy")).unwrap();
        let ran = update(&folder, "one two");
        assert!(ran.status == Some(1) && ran.out.contains(&format!("{ours} moved")), "{ran:?}");
        // Excluded files may remain.
        assert_eq!(update(&folder, "one two -g !x --dry-run").status, Some(0));
        // Files may move within the tree, and one listed file is enough.
        fs::rename(folder.at("two/copy"), folder.at("one/moved")).unwrap();
        assert_eq!(update(&folder, "one two --dry-run").status, Some(0));
        fs::rename(folder.at("one/moved/0"), folder.at("one/0")).unwrap();
        fs::remove_dir_all(folder.at("one/moved")).unwrap();
        assert_eq!(update(&folder, "one two --dry-run").status, Some(0));
        fs::remove_file(folder.at("one/0")).unwrap();
        assert_eq!(update(&folder, "one two --allow missing").status, Some(0));
        let text = fs::read_to_string(folder.at("SUMS")).unwrap();
        assert_eq!(text.lines().count(), others + 1);
    }
}

#[test]
fn an_update_allows_only_missing_files() {
    let folder = tree("");
    for class in ["new", "changed", "moved", "rotted", "unreadable", "missing,new", "same"] {
        let ran = update(&folder, &format!("--allow {class}"));
        refused(&ran, 2, "[possible values: missing]");
    }
    refused(&folder.run("sum tree/0/00 --allow missing"), 2, "--allow requires --update");
}

#[test]
fn times_are_recorded_only_in_formats_that_have_them() {
    let says = "--stat requires --format json or csv";
    for flags in ["", "--tag", "--format solaris", "--format hashdeep"] {
        let folder = tree(flags);
        let before = fs::read(folder.at("SUMS")).unwrap();
        refused(&folder.run(&format!("sum -r tree --stat {flags}")), 2, says);
        refused(&folder.run(&format!("sum -r tree --stat -o OTHER {flags}")), 2, says);
        assert!(!folder.at("OTHER").exists());
        // An update keeps the format of the manifest, unless another is selected.
        refused(&update(&folder, "--stat"), 2, says);
        refused(&update(&folder, "--stat --format gnu"), 2, says);
        assert_eq!(fs::read(folder.at("SUMS")).unwrap(), before);
        well(update(&folder, "--stat --format csv"), "20 files: 20 the same\n");
        well(update(&folder, "--stat"), "20 files: 20 the same\n");
        let text = fs::read_to_string(folder.at("SUMS")).unwrap();
        assert!(text.lines().skip(1).all(|line| !line.ends_with(',')), "{text}");
    }
}

#[test]
fn rot_detected_with_the_cache_is_not_recorded_in_another_manifest() {
    let folder = tree("");
    folder.settle();
    well(update(&folder, "--paranoid"), "20 files: 20 the same\n");
    // The cache stores other contents for the file with these times.
    let path = folder.at("tree/0/18");
    let stamp = lanesum_files::Stamp::of(&fs::metadata(&path).unwrap());
    let mut cache = lanesum_keep::Cache::open(&folder.at("CACHE")).unwrap();
    let digest = lanesum::hash(lanesum::Algorithm::SHA256, "precious");
    let learnt = [(lanesum::Algorithm::SHA256.into(), digest)];
    cache.insert(&path, &stamp, learnt.into_iter(), std::time::SystemTime::now());
    cache.write().unwrap();
    drop(cache);
    let mut command = folder.lanesum();
    let words = "sum -u OTHER --paranoid --cache=CACHE tree";
    let ran = ran(&command.args(words.split(' ')).output().unwrap());
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.out.contains("rotted        tree/0/18\n"), "{ran:?}");
    assert_eq!(fs::read_to_string(folder.at("OTHER")).unwrap().lines().count(), 19);
}

#[test]
fn a_backup_that_is_a_link_to_the_manifest_leaves_no_temporary() {
    let folder = tree("");
    let before = fs::read(folder.at("SUMS")).unwrap();
    fs::hard_link(folder.at("SUMS"), folder.at("SUMS.bak")).unwrap();
    folder.file("tree/0/00", "changed");
    assert_eq!(update(&folder, "--backup").status, Some(0));
    assert_eq!(fs::read(folder.at("SUMS.bak")).unwrap(), before);
    let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(names.into_iter().all(|name| !name.to_string_lossy().contains("tmp")));
}

#[test]
fn a_manifest_that_another_program_changes_meanwhile_is_not_replaced() {
    let folder = tree("");
    // The update waits for the end of a file that is read slowly.
    folder.file("tree/0/slow", vec![0; 1 << 20]);
    let mut command = folder.lanesum();
    command.args(["sum", "-u", "SUMS", "--cache=CACHE", "--max-rate", "1M"]);
    let mut child = command.spawn().unwrap();
    let (pid, sums) = (Pid::from_child(&child), folder.at("SUMS").canonicalize().unwrap());
    let mut has_open = || {
        assert_eq!(child.try_wait().unwrap(), None, "it ends before it reads the manifest");
        let links = fs::read_dir(format!("/proc/{}/fd", child.id())).unwrap();
        links.flatten().any(|link| fs::read_link(link.path()).is_ok_and(|file| file == sums))
    };
    while !has_open() {
        thread::yield_now();
    }
    kill_process(pid, Signal::STOP).unwrap();
    let edited = fs::read_to_string(folder.at("SUMS")).unwrap() + "# by hand\n";
    folder.file("SUMS", &edited);
    kill_process(pid, Signal::CONT).unwrap();
    let ran = ran(&child.wait_with_output().unwrap());
    let says = "lanesum: SUMS is not updated: another program has changed it; run again\n";
    assert_eq!((ran.status, ran.err.as_str()), (Some(1), says));
    assert_eq!(fs::read_to_string(folder.at("SUMS")).unwrap(), edited);
}

#[test]
fn nothing_is_removed_from_a_tree_on_another_file_system() {
    let folder = tree("");
    let elsewhere = tempfile::tempdir_in("/dev/shm").unwrap();
    let is_other = |path: &std::path::Path| fs::metadata(path).unwrap().dev();
    assert_ne!(is_other(elsewhere.path()), is_other(folder.path()), "/dev/shm is a file system");
    well(update(&folder, "tree"), "20 files: 20 the same\n");
    // The manifest has all files except one.
    for i in 1..20 {
        let to = elsewhere.path().join((i % 3).to_string());
        fs::create_dir_all(&to).unwrap();
        fs::copy(folder.at(format!("tree/{}/{i:02}", i % 3)), to.join(format!("{i:02}"))).unwrap();
    }
    fs::rename(folder.at("tree"), folder.at("mounted")).unwrap();
    symlink(elsewhere.path(), folder.at("tree")).unwrap();
    let before = fs::read(folder.at("SUMS")).unwrap();
    let ran = update(&folder, "tree");
    let why = "tree is on another file system than at the last update";
    let says = format!("lanesum: SUMS is not updated: {why}; --allow missing removes 1 line\n");
    assert_eq!((ran.status, ran.err), (Some(1), says));
    assert_eq!(fs::read(folder.at("SUMS")).unwrap(), before);
    assert_eq!(update(&folder, "tree --allow missing").status, Some(0));
    // From now on the tree is on this file system.
    fs::remove_file(elsewhere.path().join("1/01")).unwrap();
    assert_eq!(update(&folder, "tree").status, Some(0));
    assert_eq!(fs::read_to_string(folder.at("SUMS")).unwrap().lines().count(), 18);
}

#[test]
fn names_are_relative_to_the_specified_directory() {
    let folder = tree("");
    let lines = fs::read_to_string(folder.at("SUMS")).unwrap();
    fs::create_dir(folder.at("work")).unwrap();
    let same = "20 files: 20 the same\n";
    let absolute = folder.at("tree").display().to_string();
    let inside = |words: &str| {
        let mut command = folder.lanesum();
        command.args(words.split_whitespace()).current_dir(folder.at("work"));
        ran(&command.output().unwrap())
    };
    for (root, manifest) in [("../tree", "UP"), (&absolute, "ABSOLUTE")] {
        well(inside(&format!("sum -r {root} -o {manifest}")), "");
        well(inside(&format!("check --quiet {manifest}")), "");
        well(inside(&format!("check --audit {manifest}")), same);
        well(inside(&format!("sum -u {manifest} --cache=C")), same);
        let text = fs::read_to_string(folder.at(format!("work/{manifest}"))).unwrap();
        assert_eq!(text, lines.replace("  tree/", &format!("  {root}/")), "{root}");
    }
    for words in ["-C .. ../SUMS", "--names-from manifest ../SUMS"] {
        well(inside(&format!("check --quiet {words}")), "");
        well(inside(&format!("check --audit {words}")), same);
    }
    well(inside("sum -u ../SUMS -C .. --cache=C"), same);
    well(inside("sum -u ../SUMS --names-from manifest --cache=C"), same);
    well(inside("sum -C .. -r tree"), &lines);
    well(inside("sum -C .. -r tree -o SUMS"), "");
    for sums in ["SUMS", "work/SUMS"] {
        assert_eq!(fs::read_to_string(folder.at(sums)).unwrap(), lines);
    }
    refused(&inside("check -C missing ../SUMS"), 2, "cannot change to missing: No such file");
    assert_eq!(inside("check --names-from cwd --audit ../SUMS").status, Some(1));
    // No single root is guessed for names in several directories.
    let text = fs::read_to_string(folder.at("work/ABSOLUTE")).unwrap();
    folder.file("work/MIXED", text + &lines);
    let says =
        format!("MIXED: its names are in several trees; name one or more of: {absolute} tree");
    refused(&inside("sum -u MIXED --cache=C"), 2, &says);
    // A bag is verified from any directory.
    folder.file("bag/manifest-sha256.txt", lines.replace("  tree/", "  data/"));
    fs::rename(folder.at("tree"), folder.at("bag/data")).unwrap();
    assert!(inside("check ../bag/manifest-sha256.txt").out.starts_with("data/0/00: OK\n"));
    well(inside("check --audit ../bag/manifest-sha256.txt"), same);
    well(inside("sum -u ../bag/manifest-sha256.txt --cache=C"), same);
}
