//! Injects errors into each system call of the commands that write. Uses strace, because some calls
//! bypass libc.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, SystemTime};

use super::{Clock, LANESUM, Work, finish, snapshot};
use crate::common::{Ran, bytes};

/// A command and its output.
struct Writing {
    words: &'static str,
    output: &'static str,
    /// The flags with which the existing manifest was written.
    made_by: &'static str,
    /// Whether the command retains lines of unreadable files and updates the others.
    is_update: bool,
}

const fn writes(words: &'static str, output: &'static str) -> Writing {
    Writing { words, output, made_by: "", is_update: false }
}

const fn updates(words: &'static str, made_by: &'static str) -> Writing {
    Writing { words, output: "M", made_by, is_update: true }
}

const COMMANDS: [Writing; 10] = [
    writes("sum -j 1 -r t -o M", "M"),
    writes("sum -j 1 -r t -o M --cache=../named", "M"),
    updates("sum -j 1 -u M t", ""),
    updates("sum -j 1 -u M t --stat --cache=../named", "--format json --stat"),
    updates("sum -j 1 -u M t --backup --json --all", ""),
    writes("check -j 1 --audit M --tree t --cache=../named", ""),
    writes("mac -j 1 --key-text k -r t -o OUT", "OUT"),
    writes("tree dmverity -j 1 t/long -o OUT", "OUT"),
    writes("tree torrent1 -j 1 t -o OUT", "OUT"),
    writes("tree torrent2 -j 1 t -o OUT", "OUT"),
];

/// System calls, the injected error, and whether all calls fail from the first one on.
struct Failing {
    calls: &'static str,
    error: &'static str,
    lasts: bool,
}

const fn failing(calls: &'static str, error: &'static str, lasts: bool) -> Failing {
    Failing { calls, error, lasts }
}

/// The errors that the short test injects.
const FAULTS: [Failing; 7] = [
    failing("write,pwrite64,writev", "ENOSPC", true),
    failing("write,writev", "EPIPE", false),
    failing("read,pread64", "EIO", false),
    failing("getdents64", "EIO", false),
    failing("fsync,fdatasync", "EIO", false),
    failing("rename,renameat,renameat2,link,linkat", "EIO", false),
    failing("fchmod,fchown", "EPERM", false),
];

const MORE_FAULTS: [Failing; 7] = [
    failing("read,pread64", "EIO", true),
    failing("openat", "EACCES", false),
    failing("openat", "EMFILE", false),
    failing("statx,newfstatat,fstat", "EIO", false),
    failing("ftruncate,fallocate,lseek", "EIO", false),
    failing("fsetxattr,getxattr,listxattr,flock", "EPERM", false),
    failing("close,unlink,unlinkat,madvise", "EIO", false),
];

/// Creates a tree that has changed since its manifest was written.
fn work(command: &Writing) -> Work {
    let work = Work::in_memory();
    work.file("t/long", bytes(300_000));
    for name in ["t/a", "t/d/b", "t/d/e/c", "t/gone"] {
        work.file(name, name);
    }
    for name in ["t/a", "t/d/b", "t/d/e/c", "t/gone", "t/long"] {
        // Fixed times make the manifests of all trees equal.
        set_time(&work, name, 1_000);
    }
    let mut sum = lanesum(&work, LANESUM);
    let made =
        finish(sum.args(["sum", "-r", "t", "-o", "M"]).args(command.made_by.split_whitespace()));
    assert_eq!(made.status, Some(0), "{made:?}");
    work.remove("t/gone").file("t/new", "new").file("t/d/b", "changed");
    set_time(&work, "t/new", 2_000);
    set_time(&work, "t/d/b", 2_000);
    work
}

/// Creates the command, with a clock at which all files are old.
fn lanesum(work: &Work, program: &str) -> Command {
    let mut command = work.command(program);
    Clock::Later.set(&mut command);
    command
}

fn set_time(work: &Work, name: &str, seconds: u64) {
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
    File::options().write(true).open(work.at(name)).unwrap().set_modified(time).unwrap();
}

/// Runs a command with injected errors. Returns the calls that failed.
fn run(work: &Work, command: &Writing, fault: &Failing, first: usize) -> (Ran, Vec<String>) {
    let log = work.0.path().join("log");
    let Failing { calls, error, lasts } = fault;
    let plus = if *lasts { "+" } else { "" };
    let mut strace = lanesum(work, "strace");
    strace.args(["-f", "--seccomp-bpf", "-qq", "-y", "-o"]).arg(&log);
    strace.args(["-e", &format!("trace={calls}")]);
    strace.args(["-e", &format!("inject={calls}:error={error}:when={first}{plus}")]);
    let ran = finish(strace.arg(LANESUM).args(command.words.split(' ')));
    let log = fs::read_to_string(log).unwrap();
    let failed = log.lines().filter(|line| line.contains("(INJECTED)")).map(str::to_owned);
    (ran, failed.collect())
}

/// Returns the lines of a manifest by name.
fn lines(text: &[u8]) -> BTreeMap<String, String> {
    let text = String::from_utf8_lossy(text);
    assert!(text.is_empty() || text.ends_with('\n'), "{text:?} is cut");
    let name = |line: &str| match line.split_once("\"path\":\"") {
        Some((_, rest)) => rest.split('"').next().unwrap().to_owned(),
        None => line.split_once("  ").unwrap_or_else(|| panic!("{line:?}")).1.to_owned(),
    };
    text.lines().map(|line| (name(line), line.to_owned())).collect()
}

/// Whether each line is the old or the new one, and none is missing.
fn is_partly_updated(found: &[u8], old: &[u8], new: &[u8]) -> bool {
    let (found, old, new) = (lines(found), lines(old), lines(new));
    found.iter().all(|(name, line)| [&old, &new].iter().any(|all| all.get(name) == Some(line)))
        && old.keys().all(|name| found.contains_key(name) || !new.contains_key(name))
}

/// Whether a failed call must make the command fail, since it reads an input or writes the output.
fn is_vital(call: &str, work: &Work, calls: &str) -> bool {
    let dir = work.dir().display().to_string();
    let in_tree = call.contains(&format!("<{dir}/t"));
    let in_own = call.contains(&format!("<{dir}/M>")) || in_tree;
    match calls.split(',').next().unwrap() {
        "write" => {
            call.contains(".lanesum-tmp>") || call.contains("(1<") || call.contains("(3<pipe")
        }
        "read" => in_own,
        "getdents64" => in_tree,
        "fsync" => call.contains(".lanesum-tmp>"),
        "rename" => call.contains(".lanesum-tmp"),
        _ => false,
    }
}

/// Injects errors into each system call of each command.
fn fail(faults: &[Failing]) {
    let mut wrong = Vec::new();
    let mut runs = 0;
    for command in &COMMANDS {
        // The manifest of a run without injected errors.
        let good = work(command);
        let old = fs::read(good.at("M")).unwrap();
        let ran = finish(lanesum(&good, LANESUM).args(command.words.split(' ')));
        let is_audit = command.output.is_empty();
        assert_eq!(ran.status, Some(i32::from(is_audit)), "{}: {ran:?}", command.words);
        let new = (!is_audit).then(|| fs::read(good.at(command.output)).unwrap());
        for fault in faults {
            for first in 1.. {
                let work = work(command);
                let before = snapshot(&work.dir());
                let (ran, failed) = run(&work, command, fault, first);
                if failed.is_empty() {
                    break;
                }
                runs += 1;
                let vital = failed.iter().any(|call| is_vital(call, &work, fault.calls));
                let is_heard = !failed.iter().any(|call| call.contains("(2<"));
                let mut found = breach(&work, command, &before, &old, new.as_deref(), &ran);
                if vital && ran.status != Some(1) {
                    found = found.or(Some("the status is not 1"));
                }
                // An update reports unreadable files on standard output.
                let is_silent = ran.err.is_empty() && ran.out.is_empty();
                if vital && is_heard && is_silent && fault.error != "EPIPE" {
                    found = found.or(Some("nothing is said"));
                }
                if let Some(found) = found {
                    let (words, error) = (command.words, fault.error);
                    wrong.push(format!(
                        "{words}: {error} at call {first}: {found}\n{failed:#?}\n{ran:?}"
                    ));
                }
            }
        }
    }
    println!("{runs} runs with faults");
    assert!(runs > 10 * faults.len(), "only {runs} calls failed");
    assert!(wrong.is_empty(), "{} of {runs} runs:\n{}", wrong.len(), wrong.join("\n\n"));
}

/// Returns the broken rule, if any, among the rules that hold for every error.
fn breach(
    work: &Work,
    command: &Writing,
    before: &BTreeMap<PathBuf, Vec<u8>>,
    old: &[u8],
    new: Option<&[u8]>,
    ran: &Ran,
) -> Option<&'static str> {
    if !work.temporaries().is_empty() {
        return Some("a temporary is left");
    }
    let mut before = before.clone();
    let mut after = snapshot(&work.dir());
    for own in [command.output, "M.bak"].iter().filter(|own| !own.is_empty()) {
        before.remove(&work.at(own));
        after.remove(&work.at(own));
    }
    if before != after {
        return Some("another file was changed");
    }
    if ran.status.is_none() {
        return Some("it was killed");
    }
    if fs::read(work.at("M.bak")).is_ok_and(|backup| backup != old) {
        return Some("the backup is wrong");
    }
    let new = new?;
    let found = fs::read(work.at(command.output)).ok();
    let previous = (command.output == "M").then_some(old);
    let is_old = found.as_deref() == previous;
    let is_new = found.as_deref() == Some(new);
    match ran.status {
        Some(0) => (!is_new).then_some("the status is 0, but the output is not whole"),
        _ if command.is_update => {
            let is_so = is_partly_updated(&found.unwrap_or_default(), old, new);
            (!is_so).then_some("a line is wrong")
        }
        _ => (!is_old && !is_new).then_some("the output is neither the old one nor whole"),
    }
}

#[test]
fn a_call_that_fails_leaves_every_line() {
    fail(&FAULTS);
}

#[test]
#[ignore = "long: run by `cargo xtask test-long`"]
fn any_call_that_fails_leaves_every_line() {
    fail(&FAULTS);
    fail(&MORE_FAULTS);
}
