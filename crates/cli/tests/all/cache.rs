//! The cache: digests from it are correct even if it is stale, damaged or unusable.

use std::fs::{self, File};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, SystemTime};

use lanesum::{Algorithm, hash};
use lanesum_files::Stamp;
use lanesum_keep::Cache;
use lanesum_testkit::{Kind, left_out};

use crate::common::{Folder, bytes, hex, ran, well};

fn tree(count: usize) -> (Folder, String) {
    let folder = Folder::new();
    for i in 0..count {
        folder.file(format!("tree/{}/{i:03}", i % 5), bytes(i));
    }
    let lines = folder.run("sum -r tree").out;
    (folder, lines)
}

/// Returns the number of files of the tree that a command opens.
fn opened(folder: &Folder, words: &str) -> usize {
    let strace = ["-f", "-qq", "-e", "trace=openat", "-o", "TRACE", env!("CARGO_BIN_EXE_lanesum")];
    let mut command = folder.command("strace");
    let output = command.args(strace).args(words.split(' ')).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let trace = fs::read_to_string(folder.at("TRACE")).unwrap();
    // The file is opened by its path, or by its name in an open directory.
    let is_named = |line: &str| line.contains("\"tree/") || !line.contains("AT_FDCWD");
    let is_call = |line: &str| line.contains("openat(") && !line.contains("O_DIRECTORY");
    let is_file = |line: &&str| is_named(line) && is_call(line);
    // If the test fails, its output lists the files.
    trace.lines().filter(is_file).inspect(|line| println!("{line}")).count()
}

#[test]
fn unchanged_files_are_not_read_again() {
    let (folder, lines) = tree(50);
    folder.settle();
    let words = "sum -r tree --cache=CACHE";
    well(folder.run(words), &lines);
    assert_eq!(opened(&folder, words), 0);
    well(folder.run(words), &lines);
    assert_eq!(opened(&folder, "sum -r tree --cache=CACHE --paranoid"), 50);
    // First another algorithm, then both.
    assert_eq!(opened(&folder, "sum -r tree --cache=CACHE -a sha1"), 50);
    assert_eq!(opened(&folder, "sum -r tree --cache=CACHE -a sha1,sha256"), 0);
    folder.file("SUMS", &lines);
    // Any spelling of the working directory finds the cached digests.
    assert_eq!(opened(&folder, "sum -r ./tree --cache=CACHE"), 0);
    assert_eq!(opened(&folder, "check --audit --cache=CACHE SUMS"), 0);
    assert_eq!(opened(&folder, "check --audit SUMS"), 50);
    assert_eq!(opened(&folder, "sum --update SUMS --cache=CACHE"), 0);
    // A modified file is read, and cached again once its time is old enough.
    File::options().write(true).open(folder.at("tree/1/001")).unwrap().set_len(1).unwrap();
    assert_eq!(opened(&folder, words), 1);
    folder.settle();
    assert_eq!(opened(&folder, words), 1);
    assert_eq!(opened(&folder, words), 0);
    // A copy has other inodes and times.
    assert!(folder.peer("cp -a tree copy").status == Some(0));
    let copied = folder.run("sum -r copy --cache=CACHE").out;
    assert_eq!(copied.lines().count(), 50);
}

#[test]
fn recently_written_files_are_not_cached() {
    let folder = Folder::new();
    for i in 0..60_u32 {
        let message = i.to_le_bytes();
        folder.file("tree/f", message);
        let line = format!("{}  tree/f\n", hex("sha256", &message));
        well(folder.run("sum --cache=CACHE tree/f"), &line);
    }
    // A clock that was ahead leaves times in the future.
    let future = std::time::SystemTime::now() + Duration::from_secs(1_000_000);
    File::options().write(true).open(folder.at("tree/f")).unwrap().set_modified(future).unwrap();
    folder.settle();
    assert_eq!(opened(&folder, "sum --cache=CACHE tree/f"), 1);
    assert_eq!(opened(&folder, "sum --cache=CACHE tree/f"), 1);
}

#[test]
fn a_damaged_cache_causes_no_wrong_digest() {
    let (folder, lines) = tree(120);
    folder.settle();
    well(folder.run("sum -r tree --cache=CACHE"), &lines);
    let good = fs::read(folder.at("CACHE")).unwrap();
    assert!(good.len() > 8192, "{}", good.len());
    let mut said = 0;
    for i in 0..120 {
        let mut bad = good.clone();
        // Corrupt the header first, then any place.
        let place = if i < 40 { i * 3 } else { i * 7919 % good.len() };
        bad[place] ^= 1 << (i % 8);
        fs::write(folder.at("CACHE"), bad).unwrap();
        let ran = folder.run("sum -r tree --cache=CACHE");
        // A file that is no longer recognized as a cache is not changed.
        assert_eq!(ran.out, lines, "byte {place}: {}", ran.err);
        assert_eq!(ran.status, Some(0), "byte {place}: {}", ran.err);
        said += usize::from(!ran.err.is_empty());
    }
    assert!(said > 5, "{said}");
    // Truncated at various lengths.
    for len in [1, 50, 100, 4096, 5000, good.len() - 1] {
        fs::write(folder.at("CACHE"), &good[..len]).unwrap();
        let ran = folder.run("sum -r tree --cache=CACHE");
        assert_eq!((ran.status, &ran.out), (Some(0), &lines), "{len}: {}", ran.err);
    }
}

#[test]
fn a_rotted_file_is_reported_and_not_cached() {
    let folder = Folder::new();
    folder.file("tree/f", "abc");
    folder.settle();
    // Rot is the only change of contents that leaves the modification time unchanged: cache another
    // digest for the current time.
    let stamp = Stamp::of(&fs::metadata(folder.at("tree/f")).unwrap());
    let mut cache = Cache::open(&folder.at("CACHE")).unwrap();
    let was = (Algorithm::SHA256.into(), hash(Algorithm::SHA256, "was"));
    cache.insert(&folder.at("tree/f"), &stamp, [was].into_iter(), SystemTime::now());
    cache.write().unwrap();
    drop(cache);
    for _ in 0..2 {
        let ran = folder.run("sum --paranoid --cache=CACHE tree/f");
        assert_eq!(ran.status, Some(1));
        assert!(ran.err.contains("tree/f has rotted"), "{}", ran.err);
    }
    folder.file("SUMS", format!("{}  tree/f\n", hex("sha256", b"was")));
    let ran = folder.run("check --audit --cache=CACHE --paranoid SUMS");
    assert_eq!(ran.out, "rotted        tree/f\n1 file: 1 rotted\n", "{}", ran.err);
}

#[test]
fn a_file_that_is_not_a_cache_is_not_changed() {
    let (folder, lines) = tree(2);
    folder.file("photo", bytes(5000));
    fs::write(folder.at("other.db"), sqlite()).unwrap();
    for name in ["photo", "other.db"] {
        let ran = folder.run(&format!("sum -r tree --cache={name}"));
        assert_eq!((ran.status, &ran.out), (Some(0), &lines), "{name}: {}", ran.err);
        assert!(ran.err.contains("not a Lanesum cache; continuing without it"), "{ran:?}");
    }
    assert_eq!(fs::read(folder.at("photo")).unwrap(), bytes(5000));
    assert_eq!(fs::read(folder.at("other.db")).unwrap(), sqlite());
}

/// Returns the header of another program's SQLite database.
fn sqlite() -> Vec<u8> {
    let mut head = b"SQLite format 3\0".to_vec();
    head.resize(4096, 0);
    head
}

#[test]
fn a_cache_without_a_name_is_in_the_default_location() {
    let (folder, lines) = tree(10);
    folder.settle();
    let run = |name: &str, value: &str| {
        let mut command = folder.lanesum();
        command.args(["sum", "-r", "tree", "--cache"]).env_remove("XDG_CACHE_HOME");
        ran(&command.env_remove("HOME").env(name, value).output().unwrap())
    };
    let at = |name: &str| folder.at(name).display().to_string();
    well(run("XDG_CACHE_HOME", &at("caches")), &lines);
    assert!(folder.at("caches/lanesum/cache.sqlite").is_file());
    well(run("HOME", &at("home")), &lines);
    assert!(folder.at("home/.cache/lanesum/cache.sqlite").is_file());
    let ran = run("HOME", "relative");
    assert_eq!((ran.status, ran.out), (Some(0), lines));
    assert!(ran.err.contains("HOME is not set; continuing without a cache"), "{}", ran.err);
}

#[test]
fn a_cache_in_the_tree_is_skipped() {
    let (folder, _) = tree(10);
    folder.settle();
    for _ in 0..2 {
        let ran = folder.run("sum -r tree --cache=tree/CACHE");
        assert_eq!((ran.status, ran.out.lines().count()), (Some(0), 10), "{ran:?}");
        assert!(ran.err.contains("skipping tree/CACHE: it is the output file"), "{}", ran.err);
        folder.file("SUMS", &ran.out);
        well(folder.run("check --audit SUMS --cache=tree/CACHE"), "10 files: 10 the same\n");
        well(folder.run("sum --update SUMS --cache=tree/CACHE"), "10 files: 10 the same\n");
        well(folder.run("diff SUMS tree --cache=tree/CACHE"), "10 files: 10 the same\n");
    }
}

#[test]
fn several_runs_share_a_cache() {
    let (folder, lines) = tree(200);
    folder.settle();
    thread::scope(|scope| {
        let runs: Vec<_> =
            (0..6).map(|_| scope.spawn(|| folder.run("sum -r tree --cache=CACHE"))).collect();
        for run in runs {
            well(run.join().unwrap(), &lines);
        }
    });
    assert_eq!(opened(&folder, "sum -r tree --cache=CACHE"), 0);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "tree, CACHE and TRACE");
}

#[test]
fn a_full_disk_is_reported_and_damages_no_cache() {
    let (folder, lines) = tree(400);
    folder.settle();
    fs::create_dir(folder.at("small")).unwrap();
    // A disk that is full while the cache is written, and has space the next time.
    let script = r#"
        mount -t tmpfs -o size=256k small small || exit 9
        head -c 200K /dev/zero >small/other
        for run in 1 2; do
            status=0
            "$0" sum -r tree --cache=small/CACHE >out.$run 2>err.$run || status=$?
            echo $status >status.$run
            rm -f small/other
        done
        cp small/CACHE CACHE"#;
    let mut command = folder.command("unshare");
    command.args(["-rm", "sh", "-c", script, env!("CARGO_BIN_EXE_lanesum")]);
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    if said.starts_with("unshare:") || output.status.code() == Some(9) {
        left_out(Kind::Test, "a_full_disk", &format!("nothing can be mounted: {}", said.trim()));
        return;
    }
    assert!(output.status.success(), "{output:?}");
    let text = |name: &str| fs::read_to_string(folder.at(name)).unwrap();
    assert_eq!([text("out.1"), text("out.2")], [lines.clone(), lines]);
    assert_eq!(
        text("err.1"),
        "lanesum: cannot write the cache small/CACHE: database or disk is full\n"
    );
    assert_eq!([text("status.1"), text("status.2"), text("err.2")], ["0\n", "0\n", ""]);
    assert_eq!(
        opened(&folder, "sum -r tree --cache=CACHE"),
        0,
        "the second run has written everything"
    );
}

#[test]
fn a_run_killed_inside_a_file_resumes_there() {
    let folder = Folder::new();
    let long: Vec<u8> = bytes(251 * 256).repeat(80);
    folder.file("long", &long);
    folder.settle();
    let line = format!("{}  long\n", hex("sha256", &long));
    let words = ["sum", "long", "--cache=CACHE", "--checkpoint", "250000", "--max-rate", "2M"];
    let mut child = folder.lanesum().args(words).stdout(Stdio::null()).spawn().unwrap();
    // Wait for bytes to be read rather than for a time, since the machine may be busy.
    let has_read = |bytes: u64| {
        let io = fs::read_to_string(format!("/proc/{}/io", child.id())).unwrap();
        let read = io.lines().find_map(|line| line.strip_prefix("rchar: ")).unwrap();
        read.parse::<u64>().unwrap() >= bytes
    };
    while !has_read(2_500_000) {
        thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let strace = ["-f", "-qq", "-e", "trace=lseek", "-o", "TRACE", env!("CARGO_BIN_EXE_lanesum")];
    let mut command = folder.command("strace");
    well(ran(&command.args(strace).args(words).output().unwrap()), &line);
    let trace = fs::read_to_string(folder.at("TRACE")).unwrap();
    let offsets: Vec<u64> = trace
        .lines()
        .filter(|line| line.contains("SEEK_SET"))
        .filter_map(|line| line.rsplit_once("= ")?.1.parse().ok())
        .filter(|offset| *offset >= 250_000)
        .collect();
    assert!(offsets.iter().any(|offset| *offset >= 1_000_000), "{trace}");
    // A file that has changed since then is hashed from the start.
    let mut child =
        folder.lanesum().args(words).arg("--paranoid").stdout(Stdio::null()).spawn().unwrap();
    thread::sleep(Duration::from_millis(900));
    child.kill().unwrap();
    child.wait().unwrap();
    let mut other = long;
    other[0] ^= 1;
    folder.file("long", &other);
    well(
        folder.run("sum long --cache=CACHE --checkpoint 250000"),
        &format!("{}  long\n", hex("sha256", &other)),
    );
}
