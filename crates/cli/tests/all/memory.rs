//! Memory use does not grow with the size of the job.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::common::{Folder, hex};

/// The documented memory limit for a million files in directories of up to 100,000, in bytes.
const BOUND: u64 = 64 << 20;

/// Runs the command and returns its peak memory, in bytes. The system's value for a finished child includes
/// the memory of this process at the fork, so the value is read before the child ends.
fn peak(command: &mut Command, feed: impl FnOnce(&mut dyn Write)) -> u64 {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let stdin = child.stdin.take().unwrap();
    let ended = AtomicBool::new(false);
    thread::scope(|scope| {
        let watch = scope.spawn(|| {
            let mut peak = 0;
            while !ended.load(Ordering::Relaxed) {
                let text = fs::read_to_string(&status).unwrap_or_default();
                let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
                let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok());
                peak = kib.unwrap_or(0).max(peak);
                thread::sleep(Duration::from_millis(2));
            }
            peak << 10
        });
        feed(&mut BufWriter::new(stdin));
        let exit = child.wait().unwrap();
        ended.store(true, Ordering::Relaxed);
        assert!(exit.success(), "{exit:?}");
        let peak = watch.join().unwrap();
        assert!(peak > 1 << 20, "{peak}");
        peak
    })
}

#[test]
fn a_huge_manifest_is_checked_as_it_is_read() {
    let folder = Folder::new();
    folder.file("a", "abc");
    let good = format!("{}  a\n", hex("sha256", b"abc"));
    let chunk = [good, "# a remark that is passed over\n".repeat(2000)].concat();
    let peak = peak(folder.lanesum().args(["check", "--status"]), |pipe| {
        // 150 MB of lines, then a line of 60 MB.
        for _ in 0..2400 {
            pipe.write_all(chunk.as_bytes()).unwrap();
        }
        for _ in 0..60 {
            pipe.write_all(&vec![b'x'; 1 << 20]).unwrap();
        }
    });
    assert!(peak < BOUND, "{} KiB", peak >> 10);
}

fn folder_of(files: usize, folders: usize) -> Folder {
    let folder = Folder::new();
    for d in 0..folders {
        folder.file(format!("{d}/first"), "abc");
        for f in 1..files {
            File::create(folder.at(format!("{d}/a file with a name of usual length {f}"))).unwrap();
        }
    }
    folder
}

#[test]
#[ignore = "long: run by `cargo xtask test-long`"]
fn a_directory_of_a_hundred_thousand_files_fits_behind_a_slow_file() {
    let folder = folder_of(100_000, 1);
    // The first file takes longest, and all results after it must wait.
    folder.sparse("0/a", 1 << 30);
    for jobs in [&[][..], &["-j", "16"]] {
        let peak = peak(folder.lanesum().args(["sum", "-r", "."]).args(jobs), |_| {});
        assert!(peak < BOUND, "{jobs:?}: {} KiB", peak >> 10);
    }
}

#[test]
#[ignore = "makes a million files, which takes minutes: cargo xtask memory"]
fn a_million_files_take_no_more_memory_than_one_directory() {
    let folder = folder_of(100_000, 10);
    let peak = peak(folder.lanesum().args(["sum", "-r", "."]), |_| {});
    assert!(peak < BOUND, "{} KiB", peak >> 10);
}

/// Creates two manifests of `entries` entries that differ in a few of them. One is sorted.
fn manifests(entries: u64) -> Folder {
    let folder = Folder::new();
    for (name, is_new) in [("before", false), ("now", true)] {
        let mut file = BufWriter::new(File::create(folder.at(name)).unwrap());
        for i in 0..entries {
            // The factor is coprime to `entries`, so that every number occurs once.
            let i = if is_new { i.wrapping_mul(7_368_787) % entries } else { i };
            let contents = if is_new && i % 100_003 == 7 { i + 1 } else { i };
            let digest =
                u128::from(contents + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
            let digest = [digest, !digest].map(|half| format!("{half:032x}")).concat();
            let folder = if is_new && i % 200_003 == 9 { "moved" } else { "folder" };
            writeln!(file, "{digest}  {folder}/{:04}/a file of a usual name {i:09}", i / 10_000)
                .unwrap();
        }
    }
    folder
}

fn compare(entries: u64) -> u64 {
    let folder = manifests(entries);
    let mut command = folder.lanesum();
    command.args(["diff", "before", "now", "--allow", "changed,moved"]);
    peak(&mut command, |_| {})
}

#[test]
fn manifests_are_compared_with_temporary_files() {
    let peak = compare(400_000);
    assert!(peak < 3 * BOUND, "{} KiB", peak >> 10);
}

#[test]
#[ignore = "makes manifests of ten million entries, which takes minutes: cargo xtask memory"]
fn ten_million_entries_are_compared_in_two_hundred_mebibytes() {
    let peak = compare(10_000_000);
    assert!(peak < 200 << 20, "{} KiB", peak >> 10);
}
