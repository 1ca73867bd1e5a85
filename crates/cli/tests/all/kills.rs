//! Commands that write are killed at any moment: what they write is whole or not there.

use std::fs;
use std::io::ErrorKind;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use crate::common::{Folder, bytes, hex, well};

const FILES: usize = 1500;

fn tree() -> Folder {
    let folder = Folder::new();
    for i in 0..FILES {
        folder.file(format!("tree/{}/{i}", i % 7), bytes(i * 5 % 40_000));
    }
    folder
}

/// What killed runs of one command have left.
#[derive(Default)]
struct Left {
    killed: u32,
    ended: u32,
    /// Files as they were before, or none.
    old: u32,
    /// Files as they are after a whole run.
    new: u32,
}

impl Left {
    /// A line of the record.
    fn tell(&self, command: &str) {
        let Self { killed, ended, old, new } = self;
        println!("record: {command},{killed},{ended},{old},{new},0");
    }

    /// The turns until so many runs have been killed.
    fn turn(&self, times: u32) -> Option<u32> {
        let turn = self.killed + self.ended;
        assert!(turn <= 20 * times, "{turn} runs, {} killed", self.killed);
        (self.killed < times).then_some(turn)
    }

    /// Runs a command and kills it after a part of the time that a whole run takes, another each time.
    fn kill(&mut self, folder: &Folder, command: &str, whole: Duration, turn: u32) {
        let mut child = folder.lanesum();
        child.args(command.split(' ')).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = child.spawn().unwrap();
        // Steps that no period of the program's meets.
        thread::sleep(
            whole.mul_f64(f64::from(turn * 61 % 97) / 97.0)
                + Duration::from_micros(u64::from(turn) * 37),
        );
        let _ = child.kill();
        if child.wait().unwrap().code().is_some() {
            self.ended += 1;
        } else {
            self.killed += 1;
        }
    }
}

fn time_of(folder: &Folder, command: &str) -> Duration {
    let start = Instant::now();
    folder.run(command);
    start.elapsed()
}

/// Kills each command that writes a manifest or a cache so many times.
fn kill(times: u32) {
    let folder = tree();
    folder.settle();
    let good = folder.run("sum -r tree").out;
    let old: String = good.lines().take(FILES / 2).map(|line| format!("{line}\n")).collect();
    for command in [
        "sum -r tree -o SUMS",
        "sum -r tree --cache=CACHE",
        "sum -r tree --cache=CACHE -o SUMS",
        "sum --update SUMS --cache=CACHE tree",
        "sum --update SUMS --cache=CACHE --paranoid tree",
        "check --audit --cache=CACHE SUMS --tree tree",
        "diff --cache=CACHE SUMS tree",
    ] {
        folder.file("SUMS", &old);
        let _ = fs::remove_file(folder.at("CACHE"));
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
            assert!(found == old || found == good, "{command}: {} bytes", found.len());
            *(if found == old { &mut left.old } else { &mut left.new }) += 1;
            if folder.at("CACHE").exists() {
                well(folder.run("sum -r tree --cache=CACHE"), &good);
            }
        }
        left.tell(command);
    }
    // What the killed ones have left is taken over, or done away with.
    well(folder.run("sum -r tree -o SUMS"), "");
    assert_eq!(fs::read_to_string(folder.at("SUMS")).unwrap(), good);
    assert!(!folder.at(".SUMS.lanesum-tmp").exists());
}

/// Kills a run inside a long file so many times. Those that come after it go on with its state, or
/// begin anew, and end well.
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
        // A state, and now and then none.
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

/// Kills each command that writes another file so many times: it is whole or not there.
fn kill_writers(times: u32) {
    let folder = tree();
    folder.file("image", bytes(251 * 4096).repeat(20));
    for command in [
        "mac --key-text k -r tree -o OUT",
        "sum -a sha1,sha512 -r tree --format json -o OUT",
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
fn what_a_killed_run_writes_is_whole_or_not_there() {
    kill(6);
    kill_inside(6);
    kill_writers(4);
}

#[test]
#[ignore = "long: run by `make test-long`"]
fn what_a_run_that_is_killed_a_hundred_times_writes_is_whole_or_not_there() {
    println!("record: command,killed,ended before,left as it was,left whole,left wrong");
    kill(100);
    kill_inside(100);
    kill_writers(100);
}
