//! Commands that write are killed at any moment. Their output is whole or missing. A signal that can be caught
//! leaves no temporary file either.

use std::fs;
use std::io::ErrorKind;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::common::{Folder, bytes, hex, well};

const FILES: usize = 1500;

fn tree() -> Folder {
    let folder = Folder::new();
    for i in 0..FILES {
        folder.file(format!("tree/{}/{i}", i % 7), bytes(i * 5 % 40_000));
    }
    folder
}

/// Counts of the outcomes of killed runs of one command.
#[derive(Default)]
struct Left {
    killed: u32,
    ended: u32,
    /// Unchanged or missing files.
    old: u32,
    /// Files as after a complete run.
    new: u32,
}

impl Left {
    /// Prints a line of the record.
    fn tell(&self, command: &str) {
        let Self { killed, ended, old, new } = self;
        println!("record: {command},{killed},{ended},{old},{new},0");
    }

    /// Returns the number of the next run, unless `times` runs have been killed.
    fn turn(&self, times: u32) -> Option<u32> {
        let turn = self.killed + self.ended;
        assert!(turn <= 20 * times, "{turn} runs, {} killed", self.killed);
        (self.killed < times).then_some(turn)
    }

    /// Runs a command and sends it a signal after part of the time of a complete run. The part
    /// differs from run to run.
    fn kill(&mut self, folder: &Folder, command: &str, whole: Duration, turn: u32) {
        const SIGNALS: [Signal; 4] = [Signal::KILL, Signal::TERM, Signal::INT, Signal::HUP];
        let signal = SIGNALS[turn as usize % SIGNALS.len()];
        let was_left = has_temporary(folder);
        let mut child = folder.lanesum();
        child.args(command.split(' ')).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = child.spawn().unwrap();
        // The steps must not coincide with any period of the program.
        thread::sleep(
            whole.mul_f64(f64::from(turn * 61 % 97) / 97.0)
                + Duration::from_micros(u64::from(turn) * 37),
        );
        let _ = kill_process(Pid::from_child(&child), signal);
        // A shell reports 128 plus the signal number for a killed command.
        match child.wait().unwrap().code() {
            Some(0 | 1) => self.ended += 1,
            _ => self.killed += 1,
        }
        let is_left = has_temporary(folder) && !was_left && signal != Signal::KILL;
        assert!(!is_left, "{command}: {signal:?} left a temporary file");
    }
}

fn has_temporary(folder: &Folder) -> bool {
    let mut names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    names.any(|name| name.to_string_lossy().ends_with(".lanesum-tmp"))
}

/// Returns the first half of a manifest.
fn half(text: &str) -> String {
    text.lines().take(FILES / 2).map(|line| format!("{line}\n")).collect()
}

fn time_of(folder: &Folder, command: &str) -> Duration {
    let start = Instant::now();
    folder.run(command);
    start.elapsed()
}

/// Kills each command that writes a manifest or a cache `times` times.
fn kill(times: u32) {
    let folder = tree();
    folder.settle();
    let plain = folder.run("sum -r tree").out;
    let timed = folder.run("sum -r tree --format json --stat").out;
    for command in [
        "sum -r tree -o SUMS",
        "sum -r tree --cache=CACHE",
        "sum -r tree --cache=CACHE -o SUMS",
        "sum --update SUMS --cache=CACHE tree",
        "sum --update SUMS --cache=CACHE --paranoid tree",
        "sum --update SUMS --cache=CACHE --backup tree",
        "sum --update SUMS --cache=CACHE --format json --stat tree",
        "sum -r tree --format json --stat -o SUMS",
        "check --audit --cache=CACHE SUMS --tree tree",
        "diff --cache=CACHE SUMS tree",
    ] {
        let good = if command.contains("--stat") { &timed } else { &plain };
        let old = half(good);
        folder.file("SUMS", &old);
        let _ = fs::remove_file(folder.at("CACHE"));
        let _ = fs::remove_file(folder.at("SUMS.bak"));
        let cold = time_of(&folder, command);
        folder.file("SUMS", &old);
        let warm = time_of(&folder, command);
        let mut left = Left::default();
        while let Some(turn) = left.turn(times) {
            folder.file("SUMS", &old);
            let is_cold = turn % 3 == 0;
            if is_cold {
                let _ = fs::remove_file(folder.at("CACHE"));
            }
            left.kill(&folder, command, if is_cold { cold } else { warm }, turn);
            let found = fs::read_to_string(folder.at("SUMS")).unwrap();
            assert!(found == old || found == *good, "{command}: {} bytes", found.len());
            if let Ok(backup) = fs::read_to_string(folder.at("SUMS.bak")) {
                assert!(backup == old, "{command}: the backup has {} bytes", backup.len());
            }
            *(if found == old { &mut left.old } else { &mut left.new }) += 1;
            if folder.at("CACHE").exists() {
                well(folder.run("sum -r tree --cache=CACHE"), &plain);
            }
        }
        left.tell(command);
    }
    // A temporary file left by a killed run is replaced and removed.
    let good = plain;
    well(folder.run("sum -r tree -o SUMS"), "");
    assert_eq!(fs::read_to_string(folder.at("SUMS")).unwrap(), good);
    assert!(!has_temporary(&folder));
}

/// Kills a run inside a long file `times` times. The runs after it resume from its state or start again, and succeed.
fn kill_inside(times: u32) {
    let folder = Folder::new();
    let long = bytes(251 * 4096).repeat(4);
    folder.file("long", &long);
    folder.settle();
    let line = format!("{}  long\n", hex("sha256", &long));
    let command = "sum long --cache=CACHE --checkpoint 100000";
    let whole = time_of(&folder, command);
    let mut left = Left::default();
    while let Some(turn) = left.turn(times) {
        // Only every third run has an earlier state.
        if turn % 3 != 1 {
            let _ = fs::remove_file(folder.at("CACHE"));
        }
        left.kill(&folder, command, whole, turn);
        if turn % 3 != 0 {
            well(folder.run(command), &line);
            left.new += 1;
        }
    }
    left.tell(command);
}

/// Kills each command that writes another file `times` times: it is whole or missing.
fn kill_writers(times: u32) {
    let folder = tree();
    folder.file("image", bytes(251 * 4096).repeat(20));
    for command in [
        "mac --key-text k -r tree -o OUT",
        "sum -a sha1,sha512 -r tree --format json -o OUT",
        "sum --update OUT --cache=CACHE tree",
        "tree torrent1 tree -o OUT",
        "tree torrent2 tree -o OUT",
        "tree dmverity image -o OUT",
    ] {
        let whole = time_of(&folder, command);
        let good = fs::read(folder.at("OUT")).unwrap();
        assert!(!good.is_empty(), "{command}");
        let mut left = Left::default();
        while let Some(turn) = left.turn(times) {
            let _ = fs::remove_file(folder.at("OUT"));
            left.kill(&folder, command, whole, turn);
            match fs::read(folder.at("OUT")) {
                Ok(found) => {
                    assert!(found == good, "{command}: {} bytes", found.len());
                    left.new += 1;
                }
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::NotFound, "{command}");
                    left.old += 1;
                }
            }
        }
        left.tell(command);
        folder.run(command);
        assert!(!folder.at(".OUT.lanesum-tmp").exists(), "{command}");
        fs::remove_file(folder.at("OUT")).unwrap();
    }
}

#[test]
fn the_output_of_a_killed_run_is_complete_or_missing() {
    kill(6);
    kill_inside(6);
    kill_writers(4);
}

#[test]
#[ignore = "long: run by `cargo xtask test-long`"]
fn the_output_of_a_run_killed_a_hundred_times_is_complete_or_missing() {
    println!("record: command,killed,ended before,left as it was,left whole,left wrong");
    kill(100);
    kill_inside(100);
    kill_writers(100);
}
