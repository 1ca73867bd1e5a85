//! Standard input and output. A stream that was closed at the start remains unusable.

use std::fs::File;
use std::io::{self, Write};

use lanesum_streams::was_closed;
use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::stdio::{dup2_stdin, dup2_stdout, stdin, stdout};

/// Standard output, without the line buffer of [`io::Stdout`] and without a duplicate of its descriptor.
pub(crate) struct Stdout;

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(rustix::io::write(stdout(), bytes)?)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Standard input at its current position, without the buffer of [`io::Stdin`].
pub(crate) fn input() -> io::Result<File> {
    Ok(stdin().try_clone_to_owned()?.into())
}

/// Makes reads of standard input and writes to standard output fail if the stream was closed.
/// Rust's runtime opens `/dev/null` in place of closed streams.
pub(crate) fn fail_closed() {
    if !was_closed(0) && !was_closed(1) {
        return;
    }
    // Reading, writing and reopening via /dev/stdin all fail on such a descriptor.
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let Ok(unusable) = openat(CWD, "/", flags, Mode::empty()) else { return };
    if was_closed(0) {
        let _ = dup2_stdin(&unusable);
    }
    if was_closed(1) {
        let _ = dup2_stdout(&unusable);
    }
}
