//! Standard output and standard error, buffered and flushed like C programs do. Files and pipes
//! receive the original tools' output byte for byte. On a terminal, deceptive characters in names
//! are escaped, which the original tools do not do.

use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;

use lanesum_streams::was_closed;
use rustix::io::Errno;
use signal_hook::consts::SIGPIPE;
use signal_hook::low_level::emulate_default_handler;

use crate::message::{Newlines, reason, visible};
use crate::standard::Stdout;

/// Size at which the output buffer is flushed unless lines are written immediately, in bytes.
const BUFFER_BYTES: usize = 64 << 10;

pub(super) struct Streams {
    /// Prefix of messages: the name the command was called by.
    name: Vec<u8>,
    buffer: Vec<u8>,
    stdout: io::Result<Stdout>,
    is_terminal: bool,
    /// Whether standard input was read.
    reads_stdin: bool,
    newlines: Newlines,
    /// Whether each line is written immediately, so that readers receive it without delay and
    /// concurrent writers do not garble it.
    by_line: bool,
    /// Whether a write error ends the run.
    stops: bool,
}

impl Streams {
    pub(super) fn new(name: &[u8]) -> Self {
        Self {
            name: name.to_vec(),
            buffer: Vec::new(),
            is_terminal: io::stdout().is_terminal(),
            newlines: Newlines::Preserved,
            by_line: true,
            stops: false,
            stdout: Ok(Stdout),
            reads_stdin: false,
        }
    }

    /// Returns the buffer of standard output.
    pub(super) fn out(&mut self) -> &mut Vec<u8> {
        &mut self.buffer
    }

    /// Buffers lines, which end with NUL. A newline is part of a name.
    pub(super) fn gather(&mut self) {
        self.by_line = self.is_terminal;
        self.newlines = Newlines::Escaped;
    }

    /// Appends a name to a line in a format without escapes. On a terminal, newlines in the name
    /// are escaped, since they would forge lines.
    pub(super) fn push_name(&mut self, name: &[u8]) {
        if self.is_terminal {
            self.buffer.extend(&*visible(name, Newlines::Escaped));
        } else {
            self.buffer.extend(name);
        }
    }

    /// Flushes complete lines if due. Returns `Break` after a write error if
    /// [`abort_on_write_error`](Self::abort_on_write_error) was called, as GNU's tools do for lines with
    /// digests.
    pub(super) fn advance(&mut self) -> ControlFlow<()> {
        if self.by_line || self.buffer.len() >= BUFFER_BYTES {
            self.flush();
        }
        if self.stops && self.stdout.is_err() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Records that standard input is read.
    pub(super) fn read_stdin(&mut self) {
        self.reads_stdin = true;
    }

    /// Whether standard input was read although it was closed from the start.
    pub(super) fn has_read_closed(&self) -> bool {
        self.reads_stdin && was_closed(0)
    }

    /// Ends the run on a write error.
    pub(super) fn abort_on_write_error(&mut self) {
        self.stops = true;
    }

    /// Flushes the output, then prints an error message.
    pub(super) fn error(&mut self, message: &[u8]) {
        let name = self.name.clone();
        self.raw_error(&[&name[..], b": ", message, b"\n"].concat());
    }

    /// Flushes the output, then prints an error message without the program's name and a newline.
    pub(super) fn raw_error(&mut self, message: &[u8]) {
        self.flush();
        let mut stderr = io::stderr().lock();
        let message = match stderr.is_terminal() {
            true => visible(message, Newlines::Preserved),
            false => message.into(),
        };
        // Failure to write a message is not an error.
        let _ = stderr.write_all(&message);
    }

    fn flush(&mut self) {
        if self.is_terminal {
            self.buffer = visible(&self.buffer, self.newlines).into_owned();
        }
        if !self.buffer.is_empty()
            && let Ok(file) = &mut self.stdout
            && let Err(error) = file.write_all(&self.buffer)
        {
            if error.kind() == io::ErrorKind::BrokenPipe {
                // A C program that does not ignore SIGPIPE is terminated by it.
                let _ = emulate_default_handler(SIGPIPE);
            }
            // Continue, and report the error at the end.
            self.stdout = Err(error);
        }
        self.buffer.clear();
    }

    /// Flushes the output. Returns `status`, or failure on a write error.
    pub(super) fn finish(mut self, status: u8) -> ExitCode {
        self.flush();
        match &self.stdout {
            Ok(_) => ExitCode::from(status),
            Err(error) => {
                // C's streams report the cause if the last write failed, but not if an earlier one
                // did. Closing the stream reports a closed descriptor.
                let is_closed = error.raw_os_error() == Some(Errno::BADF.raw_os_error());
                let message = match self.by_line && !self.stops && !is_closed {
                    true => "write error".to_owned(),
                    false => format!("write error: {}", reason(error)),
                };
                self.error(message.as_bytes());
                ExitCode::FAILURE
            }
        }
    }
}
