//! Commands that write are killed at any moment: what they write is whole or not there.

use std::fs;
use std::io::ErrorKind;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use crate::common::{Folder, bytes, well};

const FILES: usize = 1500;

fn tree() -> Folder {
    let folder = Folder::new();
    for i in 0..FILES {
        folder.file(format!("tree/{}/{i}", i % 7), bytes(i * 5 % 40_000));
    }
    folder
}

/// Kills each command that writes so many times, each time a little later.
fn kill(times: u32) {
    let folder = tree();
    folder.settle();
    let good = folder.run("sum -r tree").out;
    let old: String = good.lines().take(FILES / 2).map(|line| format!("{line}\n")).collect();
    for command in [
        "sum -r tree -o SUMS",
        "sum --update SUMS --cache=CACHE tree",
        "sum --update SUMS --cache=CACHE --paranoid tree",
        "check --audit --cache=CACHE SUMS --tree tree",
    ] {
        folder.file("SUMS", &old);
        let start = Instant::now();
        folder.run(command);
        let whole = start.elapsed();
        let (mut killed, mut ended) = (0, 0);
        for i in 0..times {
            folder.file("SUMS", &old);
            if i % 3 == 0 {
                let _ = fs::remove_file(folder.at("CACHE"));
            }
            let mut child = folder
                .lanesum()
                .args(command.split(' '))
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            // Steps that no period of the program's meets.
            thread::sleep(
                whole.mul_f64(f64::from(i * 61 % 97) / 90.0)
                    + Duration::from_micros(u64::from(i) * 37),
            );
            let _ = child.kill();
            if child.wait().unwrap().success() {
                ended += 1;
            } else {
                killed += 1;
            }
            let found = fs::read_to_string(folder.at("SUMS")).unwrap();
            assert!(found == old || found == good, "{command}: {} bytes", found.len());
            if folder.at("CACHE").exists() {
                well(folder.run("sum -r tree --cache=CACHE"), &good);
            }
        }
        assert!(killed > 0, "{command}: {ended} ended, none was killed");
    }
    // What the killed ones have left is taken over, or done away with.
    well(folder.run("sum -r tree -o SUMS"), "");
    assert_eq!(fs::read_to_string(folder.at("SUMS")).unwrap(), good);
    assert!(!folder.at(".SUMS.lanesum-tmp").exists());
}

/// Kills each command that writes a file so many times: it is whole or not there.
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
        let start = Instant::now();
        folder.run(command);
        let whole = start.elapsed();
        let good = fs::read(folder.at("OUT")).unwrap();
        assert!(!good.is_empty(), "{command}");
        let mut killed = 0;
        for i in 0..times {
            let _ = fs::remove_file(folder.at("OUT"));
            let mut child = folder.lanesum();
            child.args(command.split(' ')).stdout(Stdio::null()).stderr(Stdio::null());
            let mut child = child.spawn().unwrap();
            thread::sleep(whole.mul_f64(f64::from(i * 61 % 97) / 90.0));
            let _ = child.kill();
            killed += u32::from(!child.wait().unwrap().success());
            match fs::read(folder.at("OUT")) {
                Ok(found) => assert!(found == good, "{command}: {} bytes", found.len()),
                Err(error) => assert_eq!(error.kind(), ErrorKind::NotFound, "{command}"),
            }
        }
        assert!(killed > 0, "{command}: none was killed");
        folder.run(command);
        assert!(!folder.at(".OUT.lanesum-tmp").exists(), "{command}");
        fs::remove_file(folder.at("OUT")).unwrap();
    }
}

#[test]
fn what_a_killed_run_writes_is_whole_or_not_there() {
    kill(6);
    kill_writers(4);
}

#[test]
#[ignore = "long: run by `make test-long`"]
fn what_a_run_that_is_killed_a_hundred_times_writes_is_whole_or_not_there() {
    kill(100);
    kill_writers(100);
}
