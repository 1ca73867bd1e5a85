//! Standard input and output. One that was closed at the start stays unusable.

use std::fs::File;
use std::io::{self, Write};

use lanesum_streams::was_closed;
use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::stdio::{dup2_stdin, dup2_stdout, stdin, stdout};

/// Standard output, without the line buffer of [`io::Stdout`] and without a descriptor of its own.
pub(crate) struct Stdout;

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(rustix::io::write(stdout(), bytes)?)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Standard input from where it stands, without the buffer of [`io::Stdin`].
pub(crate) fn input() -> io::Result<File> {
    Ok(stdin().try_clone_to_owned()?.into())
}

/// Makes reading standard input and writing standard output fail as they would without Rust's
/// runtime, which has opened `/dev/null` in place of closed ones.
pub(crate) fn fail_closed() {
    if !was_closed(0) && !was_closed(1) {
        return;
    }
    // Neither read nor written, nor of use to whoever opens /dev/stdin or /dev/stdout.
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let Ok(unusable) = openat(CWD, "/", flags, Mode::empty()) else { return };
    if was_closed(0) {
        let _ = dup2_stdin(&unusable);
    }
    if was_closed(1) {
        let _ = dup2_stdout(&unusable);
    }
}
