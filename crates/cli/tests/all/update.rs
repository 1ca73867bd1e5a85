//! `lanesum sum --update`: a manifest is made to say what is there.

use std::fs::{self, File};
use std::thread;

use crate::common::{Folder, Ran, bytes, hex, ran, refused, well};

/// A tree of which a manifest has been made.
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
fn an_updated_manifest_is_the_one_that_would_be_made_now() {
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
fn names_comments_and_formats_stay_as_they_were() {
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
fn a_manifest_that_is_not_there_is_made() {
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
fn nothing_is_updated_by_what_is_not_understood() {
    let folder = tree("");
    let text = fs::read_to_string(folder.at("SUMS")).unwrap() + "garbage\n";
    folder.file("SUMS", &text);
    refused(&update(&folder, ""), 1, "nothing is updated while lines are not understood");
    assert_eq!(fs::read_to_string(folder.at("SUMS")).unwrap(), text);
    let folder = tree("-a md5,sha256 --format hashdeep");
    refused(&update(&folder, ""), 2, "of several digests on a line one would be kept");
    refused(&folder.run("sum --update - tree"), 2, "standard input cannot be updated");
    let folder = tree("--tag");
    refused(&update(&folder, "-a sha1"), 2, "its lines are of other algorithms");
    for words in ["--update SUMS -o X", "--update", "--update SUMS --files0-from X"] {
        assert_eq!(folder.run(&format!("sum {words}")).status, Some(2), "{words}");
    }
}

#[test]
fn where_no_cache_can_be_everything_is_read() {
    let folder = tree("");
    for (home, says) in [("relative", "there is no HOME"), ("/dev/null", "cannot use the cache")] {
        let mut command = folder.lanesum();
        command.args(["sum", "--update", "SUMS"]).env("HOME", home).env_remove("XDG_CACHE_HOME");
        let ran = ran(&command.output().unwrap());
        assert_eq!((ran.status, ran.out.as_str()), (Some(0), "20 files: 20 the same\n"));
        assert!(ran.err.contains(says), "{}", ran.err);
    }
}

#[test]
fn two_runs_do_not_write_one_manifest() {
    let folder = tree("");
    let before = fs::read(folder.at("SUMS")).unwrap();
    let held = File::create(folder.at(".SUMS.lanesum-tmp")).unwrap();
    held.try_lock().unwrap();
    refused(&update(&folder, ""), 1, "cannot write");
    refused(&folder.run("sum -r tree -o SUMS"), 1, "another run is writing it");
    assert_eq!(fs::read(folder.at("SUMS")).unwrap(), before);
    // One that was killed holds nothing.
    drop(held);
    well(update(&folder, ""), "20 files: 20 the same\n");
    assert!(!folder.at(".SUMS.lanesum-tmp").exists());
    // Many at once: each is whole, or is refused.
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
fn what_is_put_in_the_way_of_a_manifest_is_not_written_to() {
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
fn a_disk_that_is_full_leaves_the_manifest_as_it_was() {
    let folder = tree("");
    for i in 0..3000 {
        folder.file(format!("tree/more/{i}"), "");
    }
    let before = fs::read(folder.at("SUMS")).unwrap();
    // The limit stands for the disk's end; the signal is passed over, so that writing fails.
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
