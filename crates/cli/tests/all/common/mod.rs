//! A temporary directory, and the command run in it.
// Each test file uses only part of it.
#![allow(dead_code)]

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, SystemTime};

use lanesum_spec::{Algorithm, digest};
use tempfile::TempDir;

pub(crate) struct Folder(TempDir);

/// The status and the output of a command.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) status: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn at(&self, name: impl AsRef<OsStr>) -> PathBuf {
        self.0.path().join(name.as_ref())
    }

    /// Writes a file, and creates its parent directories.
    pub(crate) fn file(&self, name: impl AsRef<OsStr>, bytes: impl AsRef<[u8]>) -> &Self {
        let path = self.at(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
        self
    }

    /// Makes a file's modification time old enough to be trusted.
    pub(crate) fn age(&self, name: impl AsRef<OsStr>) -> &Self {
        let file = File::options().write(true).open(self.at(name)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(3600)).unwrap();
        self
    }

    /// Creates a sparse file of zeros, which occupies no space.
    pub(crate) fn sparse(&self, name: &str, len: u64) -> File {
        let file = File::create(self.at(name)).unwrap();
        file.set_len(len).unwrap();
        file
    }

    /// Waits until all changes are old enough for a cache to trust the files' times.
    pub(crate) fn settle(&self) {
        thread::sleep(Duration::from_millis(2100));
    }

    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.path()).env_remove("LANESUM_KERNEL").env_remove("LANESUM_COSTS");
        command.env("LC_ALL", "C");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(crate) fn lanesum(&self) -> Command {
        self.command(env!("CARGO_BIN_EXE_lanesum"))
    }

    /// Runs `lanesum` with the space-separated arguments `words`.
    pub(crate) fn run(&self, words: &str) -> Ran {
        ran(&self.lanesum().args(words.split_whitespace()).output().unwrap())
    }

    /// Runs another program, whose name and arguments are the words of `words`.
    pub(crate) fn peer(&self, words: &str) -> Ran {
        let mut words = words.split_whitespace();
        ran(&self.command(words.next().unwrap()).args(words).output().unwrap())
    }

    /// Runs `lanesum` with `input` on standard input.
    pub(crate) fn feed(&self, words: &str, input: &[u8]) -> Ran {
        let mut command = self.lanesum();
        let mut child =
            command.args(words.split_whitespace()).stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        thread::scope(|scope| {
            // Fails with a broken pipe if the command does not read to the end.
            scope.spawn(move || stdin.write_all(input));
            ran(&child.wait_with_output().unwrap())
        })
    }
}

pub(crate) fn ran(output: &Output) -> Ran {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ran { status: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
}

/// Asserts success, empty standard error and this output.
#[track_caller]
pub(crate) fn well(ran: Ran, out: &str) {
    assert_eq!(ran, Ran { status: Some(0), out: out.to_owned(), err: String::new() });
}

/// Asserts the exit status, empty standard output, and that standard error contains `text`.
#[track_caller]
pub(crate) fn refused(ran: &Ran, status: i32, text: &str) {
    assert_eq!((ran.status, &ran.out[..]), (Some(status), ""), "{text}: {}", ran.err);
    assert!(ran.err.contains(text), "{text}: {}", ran.err);
}

/// Returns the digest that the reference implementation computes, in hexadecimal.
pub(crate) fn hex(algorithm: &str, message: &[u8]) -> String {
    let algorithm = Algorithm::from_name(algorithm).unwrap();
    let bytes = digest(algorithm, message);
    bytes[..algorithm.digest_len()].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns bytes without repeated blocks.
pub(crate) fn bytes(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i % 251) as u8 ^ (i / 251) as u8).collect()
}

/// Returns names that break lines, could be misread on a line, or are not text.
pub(crate) fn nasty_names() -> Vec<OsString> {
    let mut names: Vec<Vec<u8>> = [
        &b"plain"[..],
        b"two words",
        b" leading space",
        b"trailing space ",
        b"  ",
        b"*star",
        b"--help",
        b"#comment",
        b"\\",
        b"back\\slash",
        b"\\n",
        b"new\nline",
        b"\n",
        b"carriage\rreturn",
        b"ends in cr\r",
        b"tab\there",
        b"\xff\xfe not UTF-8 \x80",
        b"SHA256 (fake) = ",
        b"brackets) = (",
        b"{\"path\":\"x\"}",
        "größe – 長さ".as_bytes(),
        b"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  x",
    ]
    .map(<[u8]>::to_vec)
    .to_vec();
    names.extend((1..=255).filter(|byte| *byte != b'/').map(|byte| vec![b'b', byte]));
    names.push(vec![b'x'; 255]);
    names.into_iter().map(|name| OsStr::from_bytes(&name).to_owned()).collect()
}
