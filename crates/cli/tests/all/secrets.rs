//! The command leaves no key material in memory when it ends. Before that, the key is in pages that
//! are locked in memory and excluded from core dumps.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use lanesum_spec::Algorithm;
use lanesum_testkit::has_tool;
use lanesum_testkit::memory::{Secrets, flags, search};
use rustix::process::{Pid, Signal, kill_process};

use crate::common::{Folder, bytes};

const KEY: &[u8] =
    b"\x93\xe1\x0b\x5d\xc7\x22\x8f\xf0\x64\x19\xae\x3b\xd6\x71\x05\xc8\x9a\x4f\xe2\x37";

/// Makes a program stop at its end, after its exit handlers. PLANT names a file to copy into memory.
const STOP: &str = r#"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile unsigned char *planted;

__attribute__((constructor)) static void plant(void) {
    const char *path = getenv("PLANT");
    FILE *file = path ? fopen(path, "r") : NULL;
    if (!file) return;
    planted = malloc(4096);
    for (int c, i = 0; planted && (c = getc(file)) != EOF; i++) planted[i] = (unsigned char)c;
    fclose(file);
}

__attribute__((destructor)) static void stop(void) { kill(getpid(), SIGSTOP); }
"#;

/// Compiles `STOP` to a library.
fn stop(folder: &Folder) -> PathBuf {
    folder.file("stop.c", STOP);
    let library = folder.at("stop.so");
    let status = Command::new("cc")
        .args(["-shared", "-fPIC", "-o"])
        .args([&library, &folder.at("stop.c")])
        .status()
        .unwrap();
    assert!(status.success());
    library
}

/// Waits until the process has stopped.
fn await_stop(child: &Child) {
    let begun = Instant::now();
    loop {
        let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
        let state = stat.rsplit(')').next().unwrap().trim_start().chars().next();
        if state == Some('T') {
            return;
        }
        assert!(state != Some('Z') && begun.elapsed() < Duration::from_secs(60), "{stat}");
        thread::sleep(Duration::from_millis(1));
    }
}

/// Lets the process end.
fn end(mut child: Child) {
    kill_process(Pid::from_child(&child), Signal::CONT).unwrap();
    assert!(child.wait().unwrap().success());
}

fn world() -> Folder {
    let folder = Folder::new();
    folder.file("key", KEY).file("m", bytes(1000)).file("long", bytes(3 << 20));
    for i in 0..60 {
        folder.file(format!("tree/{i}"), bytes(i * 331));
    }
    folder
}

/// A command that stops when it ends.
fn command(folder: &Folder, library: &Path, words: &str) -> Command {
    let mut command = folder.lanesum();
    command.args(words.split_whitespace()).env("LD_PRELOAD", library).stdout(Stdio::null());
    command
}

fn found(child: &Child, algorithm: Algorithm) -> Vec<String> {
    let found = search(child.id(), 0, &Secrets::of_hmac(algorithm, KEY));
    found
        .iter()
        .map(|found| format!("{} at {:#x} in {}", found.what, found.at, found.mapping))
        .collect()
}

#[test]
fn no_key_material_is_left_when_the_command_ends() {
    if !has_tool("cc") {
        return;
    }
    let folder = world();
    let library = stop(&folder);
    for algorithm in [Algorithm::SHA1, Algorithm::SHA256, Algorithm::SHA512] {
        let run = |words: &str, change: &dyn Fn(&mut Command)| {
            let mut command = command(&folder, &library, &format!("mac -a {algorithm} {words}"));
            change(&mut command);
            let child = command.spawn().unwrap();
            await_stop(&child);
            let found = found(&child, algorithm);
            end(child);
            found
        };
        let nothing: Vec<String> = Vec::new();
        assert_eq!(run("--key-file key m", &|_| ()), nothing, "{algorithm}");
        assert_eq!(run("--key-file key -r tree long", &|_| ()), nothing, "{algorithm}, a tree");
        let given = |command: &mut Command| {
            command.stdin(File::open(folder.at("key")).unwrap());
        };
        assert_eq!(run("--key-file - m", &given), nothing, "{algorithm}, standard input");
        assert_eq!(run("--key-fd 0 m", &given), nothing, "{algorithm}, a descriptor");
        let planted = run("--key-file key m", &|command| {
            command.env("PLANT", folder.at("key"));
        });
        assert!(planted.iter().any(|line| line.starts_with("the key at")), "{planted:?}");
    }
}

#[test]
fn a_key_in_use_is_in_pages_that_are_locked_and_not_dumped() {
    let folder = world();
    let status = Command::new("mkfifo").arg(folder.at("fifo")).status().unwrap();
    assert!(status.success());
    let mut child = folder.lanesum();
    let mut child =
        child.args(["mac", "--key-file", "key", "fifo"]).stdout(Stdio::null()).spawn().unwrap();
    // Returns once the command has opened the other end.
    let mut fifo = OpenOptions::new().write(true).open(folder.at("fifo")).unwrap();
    let found = search(child.id(), 0, &Secrets::of_hmac(Algorithm::SHA256, KEY));
    let is_locked = |address| {
        let flags = flags(child.id(), address);
        ["lo", "dd"].iter().all(|flag| flags.iter().any(|has| has == flag))
    };
    for what in ["the inner chaining value", "the outer chaining value"] {
        assert!(found.iter().any(|found| found.what == what && is_locked(found.at)), "{found:?}");
    }
    assert!(
        found.iter().all(|found| !found.what.contains("key")),
        "the raw key remains: {found:?}"
    );
    fifo.write_all(b"warp").unwrap();
    drop(fifo);
    assert!(child.wait().unwrap().success());
}
