//! Random sequences of file operations, injected errors and commands. Each run is compared with the
//! model; the main rules are first checked without it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};
use std::{env, thread};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use rustix::process::{Pid, Signal, geteuid, kill_process};

use super::model::{
    Asked, Cache, Expected, FUTURE, Findings, Glob, Line, Listed, Manifest, Names, Node, Rule,
    Scope, Stamp, Tree, Will, compared, join, listed, roots,
};
use super::{Clock, LANESUM, Work, finish, snapshot};
use crate::common::{Ran, hex};

const FILES: [&str; 11] = [
    "t/a.c",
    "t/b.x",
    "t/d/a.c",
    "t/d/b.x",
    "t/d/e/a.c",
    "t/d/e/c",
    "t/d.x",
    "t/f/a.c",
    "u/a.c",
    "t/new\nline",
    "t/back\\slash",
];
const DIRECTORIES: [&str; 6] = ["t", "t/d", "t/d/e", "t/f", "u", "t/m"];
const PATHS: [&[&str]; 10] = [
    &["t"],
    &["t"],
    &["u"],
    &["t", "u"],
    &["."],
    &["t/d"],
    &["t/a.c"],
    &["t/d/e", "t/f"],
    &["nowhere"],
    &["t/missing"],
];

#[derive(Clone, Debug)]
enum Operation {
    Write(&'static str, u8),
    Append(&'static str),
    Delete(&'static str),
    Move(&'static str, &'static str),
    RemoveAll(&'static str),
    Make(&'static str),
    /// Replaces a directory with an empty one, like an unmounted file system.
    Empty(&'static str),
    Link(&'static str, &'static str),
    /// Replaces a directory with a symlink to its new place.
    LinkAway(&'static str),
    Fifo(&'static str),
    /// Replaces a file with a directory.
    Become(&'static str),
    Touch(&'static str, u8),
    /// Changes the contents, but neither the length nor the times.
    Rot(&'static str),
    Many(u8),
    Fewer(u8),
    Forbid(&'static str),
    Permit,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    None,
    StdoutFull,
    StdoutGone,
    Read(&'static str),
    List(&'static str, u8),
    TemporaryWrite,
    TemporarySync,
    Rename,
    Signal(Signal, u8),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Verb {
    Sum { json: bool, to_stdout: bool, partial: bool },
    Update { dry: bool, backup: bool },
    Audit,
    Check,
    Diff,
}

#[derive(Clone, Debug)]
struct Run {
    verb: Verb,
    paths: &'static [&'static str],
    glob: Option<Glob>,
    depth: Option<usize>,
    cache: bool,
    paranoid: bool,
    stat: bool,
    allow: bool,
    clock: Clock,
    fault: Fault,
}

#[derive(Clone, Debug)]
enum Step {
    Do(Operation),
    Run(Run),
}

fn operation() -> impl Strategy<Value = Operation> {
    use Operation::*;
    let file = || select(&FILES[..]);
    let directory = || select(&DIRECTORIES[..]);
    prop_oneof![
        8 => (file(), 0..7_u8).prop_map(|(name, contents)| Write(name, contents)),
        1 => file().prop_map(Append),
        4 => file().prop_map(Delete),
        4 => (file(), file()).prop_map(|(from, to)| Move(from, to)),
        1 => directory().prop_map(RemoveAll),
        1 => directory().prop_map(Make),
        1 => directory().prop_map(Empty),
        1 => (file(), select(&["b.x", "d", "nowhere", "../x"][..])).prop_map(|(n, to)| Link(n, to)),
        1 => directory().prop_map(LinkAway),
        1 => file().prop_map(Fifo),
        1 => file().prop_map(Become),
        1 => (file(), 0..3_u8).prop_map(|(name, time)| Touch(name, time)),
        3 => file().prop_map(Rot),
        2 => (10..25_u8).prop_map(Many),
        2 => (1..25_u8).prop_map(Fewer),
        1 => prop_oneof![file(), directory()].prop_map(Forbid),
        1 => Just(Permit),
    ]
}

fn run() -> impl Strategy<Value = Run> {
    let verb = prop_oneof![
        4 => (any::<bool>(), prop::bool::weighted(0.2), prop::bool::weighted(0.3))
            .prop_map(|(json, to_stdout, partial)| Verb::Sum { json, to_stdout, partial }),
        9 => (prop::bool::weighted(0.15), prop::bool::weighted(0.3))
            .prop_map(|(dry, backup)| Verb::Update { dry, backup }),
        2 => Just(Verb::Audit),
        1 => Just(Verb::Check),
        1 => Just(Verb::Diff),
    ];
    let signals = select(&[Signal::TERM, Signal::INT, Signal::HUP, Signal::KILL][..]);
    let fault = prop_oneof![
        20 => Just(Fault::None),
        1 => Just(Fault::StdoutFull),
        1 => Just(Fault::StdoutGone),
        2 => select(&FILES[..]).prop_map(Fault::Read),
        2 => (select(&DIRECTORIES[..]), 1..3_u8).prop_map(|(name, when)| Fault::List(name, when)),
        1 => Just(Fault::TemporaryWrite),
        1 => Just(Fault::TemporarySync),
        1 => Just(Fault::Rename),
        2 => (signals, any::<u8>()).prop_map(|(signal, delay)| Fault::Signal(signal, delay)),
    ];
    let paths = prop_oneof![1 => Just(&[][..]), 1 => select(&PATHS[..])];
    let glob = prop::option::weighted(0.2, select(&[Glob::OnlyC, Glob::NotC, Glob::NotE][..]));
    let depth = prop::option::weighted(0.1, 1..3_usize);
    let flag = prop::bool::weighted(0.3);
    let clock = prop_oneof![4 => Just(Clock::Later), 1 => Just(Clock::Earlier)];
    (verb, paths, glob, depth, (flag, flag, flag, flag), clock, fault).prop_map(
        |(verb, paths, glob, depth, (cache, paranoid, stat, allow), clock, fault)| Run {
            verb,
            paths,
            glob,
            depth,
            cache,
            paranoid,
            stat,
            allow,
            clock,
            fault,
        },
    )
}

fn sequence() -> impl Strategy<Value = Vec<Step>> {
    // The initial tree and its manifest.
    let begin = (
        vec((select(&FILES[..]), 0..7_u8), 0..10),
        prop::option::of(10..25_u8),
        any::<(bool, bool)>(),
    );
    let steps = vec(
        prop_oneof![3 => operation().prop_map(Step::Do), 2 => run().prop_map(Step::Run)],
        6..20,
    );
    (begin, steps).prop_map(|((files, many, (json, stat)), steps)| {
        let writes = files.into_iter().map(|(name, contents)| Operation::Write(name, contents));
        let many = many.map(Operation::Many);
        let first = Run {
            verb: Verb::Sum { json, to_stdout: false, partial: false },
            paths: &["t"],
            glob: None,
            depth: None,
            cache: false,
            paranoid: false,
            stat,
            allow: false,
            clock: Clock::Later,
            fault: Fault::None,
        };
        let begin = writes.chain(many).map(Step::Do).chain([Step::Run(first)]);
        begin.chain(steps).collect()
    })
}

fn contents(index: u8) -> Vec<u8> {
    match index {
        0 => Vec::new(),
        1 | 2 => vec![b'@' + index],
        3 | 4 => vec![b'@' + index; 2],
        _ => vec![b'@' + index; 3000],
    }
}

/// Quotes a word for a shell.
fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,@+:".contains(c);
    match text {
        _ if !text.is_empty() && text.chars().all(is_plain) => text.to_owned(),
        _ => format!("$'{}'", text.replace('\\', r"\\").replace('\n', r"\n").replace('\'', r"\'")),
    }
}

/// A working directory and its history.
struct State {
    work: Work,
    /// The last modification time that was set, in seconds.
    time: u64,
    /// The contents of the default cache and of the named one.
    caches: [Cache; 2],
    /// The history as a shell script.
    script: String,
}

impl State {
    fn new() -> Self {
        let work = Work::in_memory();
        work.file("x", "outside");
        let script = "set -x; mkdir w cache; cd w; export XDG_CACHE_HOME=../cache; echo -n outside > x\n\
             cc -shared -fPIC -o ../clock.so .../crates/cli/tests/clock.c\n";
        let mut state =
            Self { work, time: 1_600_000_000, caches: Default::default(), script: script.into() };
        state.set_time("x");
        state
    }

    fn set_time(&mut self, name: &str) {
        self.time += 1;
        let time = self.time;
        self.set_time_to(name, time);
    }

    fn set_time_to(&mut self, name: &str, seconds: u64) {
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        File::options().write(true).open(self.work.at(name)).unwrap().set_modified(time).unwrap();
        let _ = writeln!(self.script, "touch -d @{seconds} {}", quoted(name));
    }

    fn log(&mut self, line: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.script, "{line}");
    }

    /// Creates the directory of a name, unless something else is in the way.
    fn prepare(&mut self, name: &str) -> bool {
        let parent = Path::new(name).parent().unwrap();
        if self.work.at(parent).is_dir() {
            return true;
        }
        let is_made = fs::create_dir_all(self.work.at(parent)).is_ok();
        if is_made {
            self.log(format_args!("mkdir -p {}", parent.display()));
        }
        is_made
    }

    fn is_file(&self, name: &str) -> bool {
        fs::symlink_metadata(self.work.at(name)).is_ok_and(|metadata| metadata.is_file())
    }

    fn is_directory(&self, name: &str) -> bool {
        fs::symlink_metadata(self.work.at(name)).is_ok_and(|metadata| metadata.is_dir())
    }

    fn is_free(&self, name: &str) -> bool {
        fs::symlink_metadata(self.work.at(name)).is_err()
    }

    fn write(&mut self, name: &str, bytes: &[u8]) {
        let path = self.work.at(name);
        let stamp =
            |path: &Path| fs::metadata(path).ok().map(|m| (m.ino(), m.ctime(), m.ctime_nsec()));
        let before = stamp(&path);
        fs::write(&path, bytes).unwrap();
        // Two writes must not have equal times, as they may on a file system with coarse
        // timestamps.
        while before.is_some() && stamp(&path) == before {
            thread::sleep(Duration::from_millis(1));
            fs::write(&path, bytes).unwrap();
        }
        let word = match bytes {
            [first, ..] if bytes.len() > 100 && bytes.iter().all(|byte| byte == first) => {
                format!("$(printf '%{}s' | tr ' ' {})", bytes.len(), char::from(*first))
            }
            _ => quoted(&String::from_utf8_lossy(bytes)),
        };
        self.log(format_args!("printf %s {word} > {}", quoted(name)));
    }

    fn remove(&mut self, name: &str) {
        if self.is_directory(name) {
            fs::remove_dir_all(self.work.at(name)).unwrap();
        } else {
            fs::remove_file(self.work.at(name)).unwrap();
        }
        self.log(format_args!("rm -r {}", quoted(name)));
    }

    fn apply(&mut self, operation: &Operation) {
        match *operation {
            Operation::Write(name, index) => {
                if self.prepare(name) && (self.is_free(name) || self.is_file(name)) {
                    self.write(name, &contents(index));
                    self.set_time(name);
                }
            }
            Operation::Append(name) => {
                if self.is_file(name) {
                    let bytes = [fs::read(self.work.at(name)).unwrap(), b"more".to_vec()].concat();
                    self.write(name, &bytes);
                    self.set_time(name);
                }
            }
            Operation::Delete(name) => {
                if !self.is_free(name) {
                    self.remove(name);
                }
            }
            Operation::Move(from, to) => {
                let may = self.is_file(from) && from != to;
                if may && self.prepare(to) && (self.is_free(to) || self.is_file(to)) {
                    fs::rename(self.work.at(from), self.work.at(to)).unwrap();
                    self.log(format_args!("mv {} {}", quoted(from), quoted(to)));
                }
            }
            Operation::RemoveAll(name) => {
                if self.is_directory(name) {
                    self.remove(name);
                }
            }
            Operation::Make(name) => {
                if self.is_free(name) && self.prepare(name) {
                    fs::create_dir(self.work.at(name)).unwrap();
                    self.log(format_args!("mkdir {name}"));
                }
            }
            Operation::Empty(name) => {
                if self.is_directory(name) {
                    self.remove(name);
                    fs::create_dir(self.work.at(name)).unwrap();
                    self.log(format_args!("mkdir {name}"));
                }
            }
            Operation::Link(name, target) => {
                if self.prepare(name) && (self.is_free(name) || self.is_file(name)) {
                    if !self.is_free(name) {
                        self.remove(name);
                    }
                    symlink(target, self.work.at(name)).unwrap();
                    self.log(format_args!("ln -s {target} {}", quoted(name)));
                }
            }
            Operation::LinkAway(name) => {
                let away = format!("s/{}", name.replace('/', "-"));
                if self.is_directory(name) && self.is_free(&away) && self.prepare(&away) {
                    fs::rename(self.work.at(name), self.work.at(&away)).unwrap();
                    let target = "../".repeat(name.matches('/').count()) + &away;
                    symlink(&target, self.work.at(name)).unwrap();
                    self.log(format_args!("mv {name} {away}; ln -s {target} {name}"));
                }
            }
            Operation::Fifo(name) => {
                if self.prepare(name) && (self.is_free(name) || self.is_file(name)) {
                    if !self.is_free(name) {
                        self.remove(name);
                    }
                    mknodat(CWD, self.work.at(name), FileType::Fifo, Mode::from_raw_mode(0o644), 0)
                        .unwrap();
                    self.log(format_args!("mkfifo {}", quoted(name)));
                }
            }
            Operation::Become(name) => {
                if self.is_file(name) {
                    self.remove(name);
                    fs::create_dir(self.work.at(name)).unwrap();
                    self.log(format_args!("mkdir {}", quoted(name)));
                }
            }
            Operation::Touch(name, time) => {
                if self.is_file(name) {
                    let past = 1_600_000_002 + u64::from(time);
                    self.set_time_to(name, if time == 0 { FUTURE } else { past });
                }
            }
            Operation::Rot(name) => {
                let path = self.work.at(name);
                if self.is_file(name) && fs::metadata(&path).unwrap().len() > 0 {
                    let seconds = fs::metadata(&path).unwrap().mtime() as u64;
                    let mut bytes = fs::read(&path).unwrap();
                    bytes[0] ^= 1;
                    self.write(name, &bytes);
                    self.set_time_to(name, seconds);
                }
            }
            Operation::Many(count) => {
                for i in 0..count {
                    let name = format!("t/m/{i}");
                    if self.prepare(&name) && self.is_free(&name) {
                        self.write(&name, format!("many {i}").as_bytes());
                        self.set_time(&name);
                    }
                }
            }
            Operation::Fewer(count) => {
                for i in 0..count {
                    let name = format!("t/m/{i}");
                    if self.is_file(&name) {
                        self.remove(&name);
                    }
                }
            }
            Operation::Forbid(name) => {
                // Only root can examine the file afterwards.
                if geteuid().is_root() && (self.is_file(name) || self.is_directory(name)) {
                    fs::set_permissions(self.work.at(name), fs::Permissions::from_mode(0o0))
                        .unwrap();
                    self.log(format_args!("chmod 0 {}", quoted(name)));
                }
            }
            Operation::Permit => {
                if geteuid().is_root() {
                    for name in FILES.into_iter().chain(DIRECTORIES) {
                        if self.is_file(name) || self.is_directory(name) {
                            let mode = if self.is_file(name) { 0o644 } else { 0o755 };
                            let mode = fs::Permissions::from_mode(mode);
                            fs::set_permissions(self.work.at(name), mode).unwrap();
                        }
                    }
                    self.log(format_args!("chmod -R u+rwX t u"));
                }
            }
        }
    }

    /// Scans the working directory, without the manifest and temporaries.
    fn scan(&self) -> Tree {
        let mut tree = Tree::default();
        let mut directories = vec![String::new()];
        while let Some(directory) = directories.pop() {
            for entry in fs::read_dir(self.work.at(&directory)).unwrap() {
                let part = entry.unwrap().file_name().into_string().unwrap();
                let name = join(&directory, &part);
                if name == "M" || (part.starts_with('.') && part.ends_with(".lanesum-tmp")) {
                    continue;
                }
                let path = self.work.at(&name);
                let metadata = fs::symlink_metadata(&path).unwrap();
                let is_closed = metadata.mode() & 0o400 == 0;
                let node = if metadata.is_dir() {
                    if is_closed {
                        tree.closed.insert(name.clone());
                    }
                    directories.push(name.clone());
                    Node::Directory
                } else if metadata.is_symlink() {
                    Node::Link(
                        fs::read_link(&path).unwrap().into_os_string().into_string().unwrap(),
                    )
                } else if metadata.is_file() {
                    if is_closed {
                        tree.unreadable.insert(name.clone());
                    }
                    let modified = format!("{}.{:09}", metadata.mtime(), metadata.mtime_nsec());
                    let identity = (metadata.ino(), metadata.ctime(), metadata.ctime_nsec());
                    let stamp = Stamp { len: metadata.len(), modified, identity };
                    Node::File { digest: hex("sha256", &fs::read(&path).unwrap()), stamp }
                } else {
                    Node::Special
                };
                tree.nodes.insert(name, node);
            }
        }
        tree
    }

    fn manifest(&self) -> Option<String> {
        fs::read_to_string(self.work.at("M")).ok()
    }
}

/// Parses the lines of the formats gnu and json as this command writes them.
fn parsed(text: &str) -> Result<Manifest, String> {
    let mut manifest = Manifest { is_dotted: !text.is_empty(), ..Manifest::default() };
    if !text.is_empty() && !text.ends_with('\n') {
        return Err(format!("the last line is not whole: {text:?}"));
    }
    for line in text.lines() {
        let (name, line) = if line.starts_with('{') {
            manifest.is_json = true;
            let value: serde_json::Value =
                serde_json::from_str(line).map_err(|error| format!("{line:?}: {error}"))?;
            let text = |key: &str| value[key].as_str().map(str::to_owned);
            let (Some(name), Some(digest)) = (text("path"), text("digest")) else {
                return Err(format!("{line:?} lacks a field"));
            };
            (name, Line { digest, len: value["size"].as_u64(), modified: text("mtime") })
        } else {
            let (is_escaped, rest) =
                line.strip_prefix('\\').map_or((false, line), |rest| (true, rest));
            let Some((digest, name)) =
                rest.split_once("  ").filter(|(digest, _)| digest.len() == 64)
            else {
                return Err(format!("{line:?} is no line"));
            };
            let mut plain = String::new();
            let mut chars = name.chars();
            while let Some(c) = chars.next() {
                plain.push(match c {
                    '\\' if is_escaped => match chars.next() {
                        Some('n') => '\n',
                        Some('\\') => '\\',
                        other => return Err(format!("{line:?}: escape {other:?}")),
                    },
                    c => c,
                });
            }
            (plain, Line { digest: digest.to_owned(), len: None, modified: None })
        };
        manifest.is_dotted &= name.starts_with("./");
        let name = name.trim_start_matches("./").to_owned();
        if manifest.lines.insert(name.clone(), line).is_some() {
            return Err(format!("{name:?} is listed twice"));
        }
    }
    Ok(manifest)
}

/// Parses the findings that a run reported as JSON.
fn found(out: &str) -> Result<Findings, String> {
    let mut findings = Findings::default();
    let mut has_summary = false;
    for line in out.lines() {
        let value: serde_json::Value =
            serde_json::from_str(line).map_err(|error| format!("{line:?}: {error}"))?;
        if value.get("summary").is_some() {
            has_summary = true;
            continue;
        }
        let name = |key: &str| {
            let text = value[key].as_str().unwrap_or_default();
            text.trim_start_matches("./").to_owned()
        };
        let digest =
            |key: &str| value[key]["digests"]["sha256"].as_str().unwrap_or_default().to_owned();
        match value["class"].as_str() {
            Some("same") => drop(findings.same.insert(name("path"))),
            Some("changed") => drop(findings.changed.insert(name("path"))),
            Some("rotted") => drop(findings.rotted.insert(name("path"))),
            Some("unreadable") => drop(findings.unreadable.insert(name("path"))),
            Some("missing") => drop(findings.missing.insert(name("path"), digest("before"))),
            Some("new") => drop(findings.new.insert(name("path"), digest("now"))),
            Some("moved") => {
                let (before, now) = (digest("before"), digest("now"));
                if before != now || before == hex("sha256", b"") {
                    return Err(format!("{line} has not moved"));
                }
                findings.missing.insert(name("moved_from"), before);
                findings.new.insert(name("path"), now);
            }
            other => return Err(format!("{line}: class {other:?}")),
        }
    }
    if has_summary { Ok(findings) } else { Err(format!("{out:?} has no summary")) }
}

/// Compares findings with those expected, except for names that the rules leave open.
fn compare_findings(
    out: &str,
    expected: &Expected,
    known: impl Fn(&str) -> bool,
) -> Result<(), String> {
    let actual = found(out)?;
    let wanted = &expected.findings;
    let is_open = |name: &&String| !wanted.open.contains(*name);
    for (class, actual, wanted) in [
        ("same", &actual.same, &wanted.same),
        ("changed", &actual.changed, &wanted.changed),
        ("rotted", &actual.rotted, &wanted.rotted),
        ("unreadable", &actual.unreadable, &wanted.unreadable),
    ] {
        let actual: Names =
            actual.iter().filter(is_open).filter(|name| known(name)).cloned().collect();
        let wanted: Names = wanted.iter().filter(is_open).cloned().collect();
        if actual != wanted {
            return Err(format!("{class}: {actual:?}, expected {wanted:?}"));
        }
    }
    for (class, actual, wanted) in
        [("missing", &actual.missing, &wanted.missing), ("new", &actual.new, &wanted.new)]
    {
        let plain = |all: &BTreeMap<String, String>| -> BTreeMap<String, String> {
            let all = all.iter().filter(|(name, _)| !expected.findings.open.contains(*name));
            all.map(|(name, digest)| (name.clone(), digest.clone())).collect()
        };
        let (actual, wanted) = (plain(actual), plain(wanted));
        if actual != wanted {
            return Err(format!("{class} (or moved): {actual:?}, expected {wanted:?}"));
        }
    }
    // The number of moved files must be the maximum.
    let moved = out.matches("\"class\":\"moved\"").count();
    let missing = out.matches("\"class\":\"missing\"").count();
    let new = |digest: &String| wanted.new.values().filter(|d| *d == digest).count();
    let mut by_digest: BTreeMap<&String, usize> = BTreeMap::new();
    wanted.missing.values().for_each(|digest| *by_digest.entry(digest).or_default() += 1);
    let empty = hex("sha256", b"");
    let movable = by_digest.iter().filter(|(digest, _)| **digest != &empty);
    let movable: usize = movable.map(|(digest, count)| (*count).min(new(digest))).sum();
    if wanted.open.is_empty() && (moved != movable || missing != wanted.missing.len() - movable) {
        return Err(format!("{moved} moved and {missing} missing, but {movable} may have moved"));
    }
    Ok(())
}

fn matches(rule: &Rule, line: &Line) -> bool {
    match rule {
        Rule::Kept(kept) | Rule::Perhaps(kept) => kept == line,
        Rule::Now { digest, len, modified } => {
            *digest == line.digest && *len == line.len && modified.contains(&line.modified)
        }
    }
}

/// Compares the lines of a manifest with the expected ones.
fn compare_lines(actual: &Manifest, expected: &Expected) -> Result<(), String> {
    for (name, rule) in &expected.lines {
        match actual.lines.get(name) {
            None if matches!(rule, Rule::Perhaps(_)) => {}
            None => return Err(format!("{name:?} is not listed, expected {rule:?}")),
            Some(line) if matches(rule, line) => {}
            Some(line) => return Err(format!("{name:?}: {line:?}, expected {rule:?}")),
        }
    }
    match actual.lines.keys().find(|name| !expected.lines.contains_key(*name)) {
        Some(name) => Err(format!("{name:?} is listed")),
        None => Ok(()),
    }
}

impl Run {
    fn words(&self, state: &State) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        let scope = |words: &mut Vec<String>| {
            if let Some(glob) = self.glob {
                words.extend(["-g".into(), glob.text().into()]);
            }
            if let Some(depth) = self.depth {
                words.extend(["-d".into(), depth.to_string()]);
            }
        };
        let cache = state.work.0.path().join("named");
        let cached = |words: &mut Vec<String>| {
            if self.cache {
                words.push(format!("--cache={}", cache.display()));
            }
            if self.paranoid && (self.cache || matches!(self.verb, Verb::Update { .. })) {
                words.push("--paranoid".into());
            }
        };
        let paths = || self.paths.iter().map(|&path| path.to_owned());
        match self.verb {
            Verb::Sum { json, to_stdout, partial } => {
                words.extend(["sum".into(), "-r".into()]);
                words.extend(paths());
                scope(&mut words);
                cached(&mut words);
                if json {
                    words.extend(["--format".into(), "json".into()]);
                }
                if self.stat && json {
                    words.push("--stat".into());
                }
                if !to_stdout {
                    words.extend(["-o".into(), "M".into()]);
                    words.extend(partial.then(|| "--partial".into()));
                }
            }
            Verb::Update { dry, backup } => {
                words.extend(["sum", "-u", "M", "--json", "--all"].map(Into::into));
                words.extend(paths());
                scope(&mut words);
                cached(&mut words);
                // Only manifests with times accept the option.
                let is_json = state.manifest().is_some_and(|text| text.starts_with('{'));
                words.extend((self.stat && is_json).then(|| "--stat".into()));
                words.extend(dry.then(|| "--dry-run".into()));
                words.extend(backup.then(|| "--backup".into()));
                words.extend(self.allow.then(|| "--allow=missing".into()));
            }
            Verb::Audit => {
                words.extend(["check", "--audit", "M", "--json", "--all"].map(Into::into));
                words.extend(paths().flat_map(|path| ["--tree".into(), path]));
                scope(&mut words);
                cached(&mut words);
                words.extend(self.allow.then(|| "--allow=missing".into()));
            }
            Verb::Check => words.extend(["check".into(), "M".into()]),
            Verb::Diff => words.extend(["diff", "M", "t"].map(Into::into)),
        }
        words
    }

    fn scope(&self) -> Scope {
        let paths = match (self.paths, self.verb) {
            ([], Verb::Sum { .. }) => vec![String::new()],
            (paths, _) => {
                paths.iter().map(|path| path.trim_start_matches('.').to_owned()).collect()
            }
        };
        Scope { paths, glob: self.glob, depth: self.depth }
    }

    fn writes(&self) -> bool {
        matches!(self.verb, Verb::Sum { to_stdout: false, .. } | Verb::Update { dry: false, .. })
    }

    fn uses_stdout(&self) -> bool {
        !matches!(self.verb, Verb::Sum { to_stdout: false, .. })
    }

    /// Returns the command, and the log of its injected errors.
    fn command(&self, state: &State, tree: &Tree) -> (Command, PathBuf) {
        let log = state.work.0.path().join("log");
        let _ = fs::remove_file(&log);
        let mut words: Vec<String> = Vec::new();
        let is_denied =
            !tree.closed.is_empty() || tree.nodes.keys().any(|name| tree.unreadable.contains(name));
        if is_denied && geteuid().is_root() {
            words.extend(
                ["setpriv", "--bounding-set=-dac_override,-dac_read_search"].map(Into::into),
            );
        }
        let temporary = ".M.lanesum-tmp";
        let inject = match self.fault {
            // strace resolves symlinks, so it would inject errors for another name.
            Fault::Read(name) if tree.is_file(name) => {
                Some((name, "read,pread64", "EIO".to_owned()))
            }
            Fault::List(name, when) if tree.nodes.get(name) == Some(&Node::Directory) => {
                Some((name, "getdents64", format!("EIO:when={when}")))
            }
            Fault::TemporaryWrite => Some((temporary, "write,pwrite64,writev", "ENOSPC".into())),
            Fault::TemporarySync => Some((temporary, "fsync,fdatasync", "EIO".into())),
            Fault::Rename => Some(("", "rename,renameat,renameat2", "EIO".into())),
            _ => None,
        };
        if let Some((name, calls, error)) = inject {
            let log = log.display();
            words.extend(["strace", "-f", "-qq", "-o"].map(Into::into));
            words.push(log.to_string());
            if !name.is_empty() {
                words.extend(["-P".into(), state.work.at(name).display().to_string()]);
            }
            words.extend(["-e".into(), format!("trace={calls}")]);
            words.extend(["-e".into(), format!("inject={calls}:error={error}")]);
        }
        words.push(LANESUM.into());
        words.extend(self.words(state));
        let mut command = state.work.command(&words[0]);
        command.args(&words[1..]);
        self.clock.set(&mut command);
        match self.fault {
            Fault::StdoutFull => {
                command.stdout(File::options().write(true).open("/dev/full").unwrap());
            }
            Fault::StdoutGone => {
                let (reader, writer) = std::io::pipe().unwrap();
                drop(reader);
                command.stdout(writer);
            }
            _ => {}
        }
        (command, log)
    }

    fn shell_line(&self, command: &Command) -> String {
        let words = [command.get_program()].into_iter().chain(command.get_args());
        let words: Vec<_> = words.map(|word| quoted(&word.to_string_lossy())).collect();
        let redirect = match self.fault {
            Fault::StdoutFull => " > /dev/full".to_owned(),
            Fault::StdoutGone => " | (exec <&-)".to_owned(),
            Fault::Signal(signal, delay) => {
                format!(" # {signal:?} after {} us", u64::from(delay) * 40)
            }
            _ => String::new(),
        };
        let seconds = self.clock.seconds();
        format!("LD_PRELOAD=../clock.so LANESUM_TEST_CLOCK={seconds} {}{redirect}", words.join(" "))
    }

    /// Returns the model's result for a run; `None` if the rules do not specify it.
    fn expected(
        &self,
        tree: &Tree,
        manifest: Option<&Manifest>,
        caches: &[Cache; 2],
    ) -> Option<Expected> {
        let scope = self.scope();
        let is_settled = self.clock == Clock::Later;
        let nothing = Cache::new();
        let none = Manifest::default();
        let of = |status| Expected {
            status,
            is_refused: Will::Yes,
            lines: BTreeMap::new(),
            findings: Findings::default(),
            learnt: Cache::new(),
        };
        match self.verb {
            Verb::Sum { json, to_stdout, partial } => {
                let trusts_cache = self.cache && !self.paranoid;
                let stat = self.stat;
                let asked = Listed { scope, partial, stat, is_json: json, trusts_cache, to_stdout };
                let cache = if self.cache { &caches[1] } else { &nothing };
                let mut expected = listed(tree, cache, is_settled, &asked)?;
                if !self.cache {
                    expected.learnt.clear();
                }
                Some(expected)
            }
            Verb::Update { .. } | Verb::Audit => {
                let is_update = self.verb != Verb::Audit;
                let is_blank = manifest.is_none_or(|manifest| manifest.lines.is_empty());
                if !is_update && is_blank {
                    return Some(of(vec![1]));
                }
                if is_blank && scope.paths.is_empty() {
                    return None;
                }
                let asked = Asked {
                    scope,
                    paranoid: self.paranoid && (self.cache || is_update),
                    stat: self.stat && is_update,
                    allow_missing: self.allow,
                    trusts_lines: is_update,
                    is_update,
                };
                let cache = match (self.cache, is_update) {
                    (true, _) => &caches[1],
                    (false, true) => &caches[0],
                    (false, false) => &nothing,
                };
                let mut expected =
                    compared(tree, manifest.unwrap_or(&none), cache, is_settled, &asked)?;
                if !is_update && !self.cache {
                    expected.learnt.clear();
                }
                Some(expected)
            }
            Verb::Check => {
                let lines = &manifest.map_or(&none, |manifest| manifest).lines;
                let is_good = lines.iter().all(|(name, line)| tree.verifies(name, &line.digest));
                Some(of(vec![i32::from(lines.is_empty() || !is_good)]))
            }
            Verb::Diff => Some(of(vec![0, 1, 2])),
        }
    }

    /// Whether a run could block forever on a FIFO that is named.
    fn may_block(&self, tree: &Tree, manifest: Option<&Manifest>) -> bool {
        let none = Manifest::default();
        let manifest = manifest.unwrap_or(&none);
        let named = match self.verb {
            Verb::Check => manifest.lines.keys().cloned().collect(),
            Verb::Diff => vec!["t".to_owned()],
            _ => roots(manifest, &self.scope()),
        };
        named.iter().any(|name| tree.is_special(name))
    }

    fn execute(&self, state: &mut State) -> Result<(), String> {
        let mut tree = state.scan();
        let old_text = state.manifest();
        let old = old_text.as_deref().map(parsed).transpose()?;
        if self.may_block(&tree, old.as_ref()) {
            return Ok(());
        }
        let (mut command, log) = self.command(state, &tree);
        state.log(format_args!("{}", self.shell_line(&command)));
        match self.fault {
            Fault::Read(name) if tree.is_file(name) => {
                tree.unreadable.insert(name.into());
            }
            Fault::List(name, when) if tree.nodes.get(name) == Some(&Node::Directory) => {
                tree.unlistable.insert(name.into(), when == 2);
            }
            _ => {}
        }
        let before = snapshot(&state.work.dir());
        let ran = match self.fault {
            Fault::Signal(signal, delay) => killed(&mut command, signal, delay),
            _ => finish(&mut command),
        };
        let is_fired = fs::read_to_string(&log).is_ok_and(|log| log.contains("(INJECTED)"));
        let what = self.check_rules(state, &tree, old.as_ref(), &before, &ran);
        let what = what.and_then(|()| {
            self.check_model(state, &tree, old_text.as_deref(), old.as_ref(), is_fired, &ran)
        });
        // Only SIGKILL leaves an unfinished output behind.
        for temporary in state.work.temporaries() {
            fs::remove_file(temporary).unwrap();
        }
        if state.is_file("M.bak") {
            // Set a time that the model knows.
            state.set_time("M.bak");
        }
        what.map_err(|what| format!("{what}\n{ran:?}"))
    }

    /// Checks the rules that hold for every run, without the model.
    fn check_rules(
        &self,
        state: &State,
        tree: &Tree,
        old: Option<&Manifest>,
        before: &BTreeMap<PathBuf, Vec<u8>>,
        ran: &Ran,
    ) -> Result<(), String> {
        let mut after = snapshot(&state.work.dir());
        let mut before = before.clone();
        for own in ["M", "M.bak", ".M.lanesum-tmp"] {
            let is_temporary = own == ".M.lanesum-tmp";
            let own = state.work.at(own);
            let is_there = after.remove(&own).is_some();
            before.remove(&own);
            if is_temporary && is_there && self.fault_signal() != Some(Signal::KILL) {
                return Err("a temporary file is left".into());
            }
        }
        if before != after {
            return Err("a file that is no manifest was changed".into());
        }
        let text = state.manifest();
        let new = text.as_deref().map(parsed).transpose()?;
        let (Some(old), Some(new)) = (old, &new) else {
            return if old.is_some() { Err("the manifest is gone".into()) } else { Ok(()) };
        };
        if old == new {
            return Ok(());
        }
        if !self.writes() {
            return Err("a run that writes no manifest changed it".into());
        }
        // A new manifest replaces the old one; an update explains each line.
        let is_update = matches!(self.verb, Verb::Update { .. });
        for (name, line) in &new.lines {
            let is_kept = old.lines.get(name).is_some_and(|old| old.digest == line.digest);
            let is_explained = is_update && is_kept || tree.has(name, &line.digest);
            if !is_explained {
                return Err(format!("the line of {name:?} is not what the file has: {line:?}"));
            }
        }
        for name in old.lines.keys().filter(|name| is_update && !new.lines.contains_key(*name)) {
            let gone = match fs::symlink_metadata(state.work.at(name)) {
                Ok(metadata) => metadata.is_dir(),
                Err(error) => {
                    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
                }
            };
            if !gone {
                return Err(format!("the line of {name:?} was removed, and the file exists"));
            }
        }
        if ran.status == Some(2) {
            return Err("the manifest was changed by wrong usage".into());
        }
        Ok(())
    }

    fn fault_signal(&self) -> Option<Signal> {
        match self.fault {
            Fault::Signal(signal, _) => Some(signal),
            _ => None,
        }
    }

    /// Compares a run with the model.
    fn check_model(
        &self,
        state: &mut State,
        tree: &Tree,
        old_text: Option<&str>,
        old: Option<&Manifest>,
        is_fired: bool,
        ran: &Ran,
    ) -> Result<(), String> {
        let expected = self.expected(tree, old, &state.caches);
        let is_cut = match self.fault {
            Fault::StdoutFull | Fault::StdoutGone => {
                // A listing without files writes nothing.
                let is_silent = matches!(self.verb, Verb::Sum { .. })
                    && expected.as_ref().is_some_and(|expected| expected.lines.is_empty());
                self.uses_stdout() && !is_silent
            }
            Fault::TemporaryWrite | Fault::TemporarySync | Fault::Rename => is_fired,
            _ => false,
        };
        let has_signal = self.fault_signal().is_some();
        if is_cut || has_signal || expected.is_none() {
            // The model does not determine how much a cache contains.
            for name in ["cache", "named", "named-wal", "named-shm", "named-journal"] {
                let path = state.work.0.path().join(name);
                let _ = fs::remove_dir_all(&path).or_else(|_| fs::remove_file(&path));
            }
            state.log(format_args!("rm -rf ../cache ../named*"));
            state.caches = Default::default();
        } else if let Some(expected) = &expected
            // A dry run does not create the default cache.
            && (self.cache || state.work.0.path().join("cache/lanesum/cache.sqlite").exists())
        {
            let cache = &mut state.caches[usize::from(self.cache)];
            cache.extend(expected.learnt.iter().map(|(name, known)| (name.clone(), known.clone())));
        }
        let Some(expected) = expected else { return Ok(()) };
        let text = state.manifest();
        let is_old = text.as_deref() == old_text;
        let new = text.as_deref().map(parsed).transpose()?.unwrap_or_default();
        let as_new = compare_lines(&new, &expected);
        if has_signal {
            return if is_old { Ok(()) } else { as_new };
        }
        if ran.status.is_none() {
            return Err("it was killed".into());
        }
        if is_cut {
            let is_one = ran.status == Some(1) && (is_old || !self.writes());
            return if is_one {
                Ok(())
            } else {
                Err("a failed run was no failure, or wrote".into())
            };
        }
        if !expected.status.contains(&ran.status.unwrap()) {
            return Err(format!("status {:?}, expected {:?}", ran.status, expected.status));
        }
        if self.writes() {
            match expected.is_refused {
                Will::Yes if !is_old => return Err("a refused run wrote".into()),
                Will::Yes => {}
                // An update without lines may create no manifest.
                Will::No if is_old && old.is_none() && expected.lines.is_empty() => {}
                Will::No => as_new?,
                Will::Either if is_old => {}
                Will::Either => as_new?,
            }
        } else if let Verb::Sum { .. } = self.verb {
            let mut printed = parsed(&ran.out)?;
            printed.lines.remove("M");
            compare_lines(&printed, &expected)?;
        }
        if matches!(self.verb, Verb::Update { .. } | Verb::Audit)
            && !(ran.out.is_empty() && old.is_none_or(|o| o.lines.is_empty()))
        {
            let is_line = |name: &str| old.is_some_and(|old| old.lines.contains_key(name));
            let known = |name: &str| is_line(name) || expected.findings.unreadable.contains(name);
            let known = |name: &str| known(name) || expected.lines.contains_key(name);
            compare_findings(&ran.out, &expected, known)?;
        }
        if let Verb::Update { backup: true, dry: false } = self.verb {
            let backup = fs::read_to_string(state.work.at("M.bak")).ok();
            if !is_old && old_text.is_some() && backup.as_deref() != old_text {
                return Err(format!("the backup is {backup:?}"));
            }
        }
        Ok(())
    }
}

/// Runs a command and sends it a signal.
fn killed(command: &mut Command, signal: Signal, delay: u8) -> Ran {
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    thread::sleep(Duration::from_micros(u64::from(delay) * 40));
    let _ = kill_process(Pid::from_child(&child), signal);
    Ran { status: child.wait().unwrap().code(), out: String::new(), err: String::new() }
}

fn play(steps: &[Step]) -> Result<(), TestCaseError> {
    let mut state = State::new();
    for step in steps {
        match step {
            Step::Do(operation) => state.apply(operation),
            Step::Run(run) => run.execute(&mut state).map_err(|what| {
                TestCaseError::fail(format!("{what}\nTo reproduce it:\n{}", state.script))
            })?,
        }
    }
    Ok(())
}

/// Plays `cases` sequences on two threads. `LANESUM_SEQUENCES` and `LANESUM_SEED` override the number and the seed.
fn play_all(cases: u32) {
    let number = |name: &str| env::var(name).ok().map(|text| text.parse::<u64>().expect(name));
    let cases = number("LANESUM_SEQUENCES").map_or(cases, |cases| cases as u32);
    let seed = number("LANESUM_SEED").unwrap_or(1);
    println!("LANESUM_SEQUENCES={cases} LANESUM_SEED={seed}");
    super::clock();
    let play_some = |part: u64| {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        bytes[8..16].copy_from_slice(&part.to_le_bytes());
        let config = ProptestConfig {
            cases: cases / 2,
            failure_persistence: None,
            max_shrink_iters: 400,
            ..ProptestConfig::default()
        };
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        let result = TestRunner::new_with_rng(config, rng).run(&sequence(), |steps| play(&steps));
        match result {
            Ok(()) => None,
            Err(TestError::Fail(why, _)) => Some(why.to_string()),
            Err(TestError::Abort(why)) => Some(format!("aborted: {why}")),
        }
    };
    let failures: Vec<_> = thread::scope(|scope| {
        let parts = [0, 1].map(|part| scope.spawn(move || play_some(part)));
        parts.into_iter().filter_map(|part| part.join().unwrap()).collect()
    });
    assert!(failures.is_empty(), "seed {seed}: {}", failures.join("\n----\n"));
}

#[test]
fn runs_in_any_sequence_match_the_model() {
    play_all(300);
}

#[test]
#[ignore = "long: run by `cargo xtask test-long`"]
fn ten_thousand_sequences_match_the_model() {
    play_all(10_000);
}
