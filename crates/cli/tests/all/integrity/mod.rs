//! The command never destroys or falsifies a manifest. `cases` tests each rule, `sequences`
//! compares random runs with the reference in `model`, and `faults` injects errors into system
//! calls, one at a time.

mod cases;
mod faults;
mod model;
mod sequences;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::common::{Ran, ran};

/// A working directory, with the caches next to it.
struct Work(TempDir);

impl Work {
    fn new() -> Self {
        Self::in_directory(TempDir::new().unwrap())
    }

    /// Creates a directory in memory if possible: `fsync` dominates the time of many short runs.
    fn in_memory() -> Self {
        Self::in_directory(TempDir::new_in("/dev/shm").or_else(|_| TempDir::new()).unwrap())
    }

    fn in_directory(directory: TempDir) -> Self {
        let work = Self(directory);
        fs::create_dir(work.dir()).unwrap();
        work
    }

    fn dir(&self) -> PathBuf {
        // Traced paths contain no symlinks.
        self.0.path().canonicalize().unwrap().join("w")
    }

    fn at(&self, name: impl AsRef<Path>) -> PathBuf {
        self.dir().join(name)
    }

    /// Writes a file and creates its directories.
    fn file(&self, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> &Self {
        let path = self.at(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
        self
    }

    fn remove(&self, name: &str) -> &Self {
        let path = self.at(name);
        if path.is_dir() && !path.is_symlink() {
            fs::remove_dir_all(path).unwrap();
        } else {
            fs::remove_file(path).unwrap();
        }
        self
    }

    fn read(&self, name: impl AsRef<Path>) -> String {
        let bytes = fs::read(self.at(name.as_ref()));
        String::from_utf8(bytes.unwrap_or_else(|e| panic!("{:?}: {e}", name.as_ref()))).unwrap()
    }

    fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.dir()).env_remove("LANESUM_KERNEL").env_remove("LANESUM_COSTS");
        command.env("LC_ALL", "C");
        command.env("XDG_CACHE_HOME", self.0.path().join("cache"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn lanesum(&self) -> Command {
        self.command(LANESUM)
    }

    /// Runs `lanesum` with these words.
    fn run(&self, words: &str) -> Ran {
        finish(self.lanesum().args(words.split_whitespace()))
    }

    /// Runs a shell script in which `$L` is `lanesum`.
    fn shell(&self, script: &str) -> Ran {
        finish(self.command("bash").args(["-c", script]).env("L", LANESUM))
    }

    /// The temporary files of unfinished outputs, below the working directory.
    fn temporaries(&self) -> Vec<PathBuf> {
        let paths = snapshot(&self.dir()).into_keys();
        paths.filter(|path| path.as_os_str().as_bytes().ends_with(b".lanesum-tmp")).collect()
    }
}

const LANESUM: &str = env!("CARGO_BIN_EXE_lanesum");

/// Time after which a run has failed, because it waits for an event that never occurs.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Runs a command to its end.
#[track_caller]
fn finish(command: &mut Command) -> Ran {
    let mut child = command.spawn().unwrap();
    let pid = rustix::process::Pid::from_child(&child);
    // Another thread reads both pipes, so that this one can wait with a time limit.
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let drain = |pipe: Option<Box<dyn std::io::Read + Send>>| {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            if let Some(mut pipe) = pipe {
                let _ = pipe.read_to_end(&mut bytes);
            }
            bytes
        })
    };
    let out = drain(out.map(|pipe| Box::new(pipe) as _));
    let err = drain(err.map(|pipe| Box::new(pipe) as _));
    let start = Instant::now();
    let mut pause = Duration::from_micros(200);
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > TIMEOUT {
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
            let _ = child.wait();
            panic!("{command:?} does not end");
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    };
    let (stdout, stderr) = (out.join().unwrap(), err.join().unwrap());
    ran(&std::process::Output { status, stdout, stderr })
}

/// Returns every path below a directory, with its kind and its contents or target.
fn snapshot(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut dirs = vec![dir.to_owned()];
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(&dir).unwrap() {
            let path = entry.unwrap().path();
            let kind = fs::symlink_metadata(&path).unwrap().file_type();
            let what = if kind.is_dir() {
                dirs.push(path.clone());
                b"directory".to_vec()
            } else if kind.is_symlink() {
                let target = fs::read_link(&path).unwrap();
                [b"link to ", target.as_os_str().as_bytes()].concat()
            } else if kind.is_file() {
                [b"file ", &fs::read(&path).unwrap()[..]].concat()
            } else {
                b"special".to_vec()
            };
            all.insert(path, what);
        }
    }
    all
}

/// Returns the library that shifts the clock.
fn clock() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    let build = || {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/clock.c");
        let dir = TempDir::new_in(target).unwrap();
        let made = dir.path().join("clock.so");
        let mut cc = Command::new("cc");
        cc.args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o"]).arg(&made).arg(source);
        assert!(cc.status().unwrap().success(), "{cc:?}");
        // Another run of these tests may have loaded the library.
        let library = target.join("clock.so");
        fs::rename(made, &library).unwrap();
        library
    };
    LIBRARY.get_or_init(build)
}

/// The time at which the command runs: all files count as old, or as just written.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Clock {
    Later,
    Earlier,
}

impl Clock {
    fn seconds(self) -> &'static str {
        match self {
            Self::Later => "1000",
            Self::Earlier => "-1000",
        }
    }

    fn set(self, command: &mut Command) {
        command.env("LD_PRELOAD", clock()).env("LANESUM_TEST_CLOCK", self.seconds());
    }
}
