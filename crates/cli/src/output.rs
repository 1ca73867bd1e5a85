//! Destinations of results: standard output, a stream, or a file that appears when it is complete.

mod replacement;

use std::env;
use std::fs::{self, File, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::ops::Range;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use lanesum_files::Identity;
use lanesum_manifest::Terminator;
use lanesum_streams::{duplicate, was_closed};
use rustix::fs::{PROC_SUPER_MAGIC, statfs};
use rustix::io::Errno;

use self::replacement::Replacement;
use crate::Reported;
use crate::message::{Newlines, Shown, print_message, reason, visible};
use crate::progress::Progress;
use crate::standard::Stdout;

/// The name of standard output in messages.
const STDOUT: &str = "standard output";

/// Size of the write buffer, in bytes.
const BUFFER_BYTES: usize = 64 << 10;

/// Maximum number of symlinks followed in a row, as in Linux.
const MAX_LINKS: usize = 40;

/// A buffered destination of results. On a terminal, deceptive characters in names are escaped;
/// files and pipes receive unmodified bytes.
pub(crate) struct Output {
    target: Target,
    buffer: Vec<u8>,
    /// The ranges of the buffer with color codes, which are not escaped.
    colors: Vec<Range<usize>>,
    newlines: Newlines,
    /// Whether results are written immediately, for a terminal.
    is_terminal: bool,
}

enum Target {
    Stdout,
    /// A stream or a device, with its name for messages.
    Stream(File, String),
    /// A file that appears under its name when it is complete.
    File(Replacement),
}

/// The target of a path given to `-o`.
enum Place {
    /// A regular file, which may not exist yet.
    File(PathBuf),
    /// An open descriptor, a FIFO or a device.
    Stream(File),
}

impl Place {
    /// Resolves symlinks in the last component of `path`, including dangling ones.
    fn of(path: &Path) -> io::Result<Self> {
        let mut path = path.to_owned();
        for _ in 0..MAX_LINKS {
            let metadata = match fs::symlink_metadata(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Ok(Self::File(path));
                }
                metadata => metadata?,
            };
            if metadata.is_symlink() {
                if is_of_proc(&path) {
                    return descriptor(&path).map(Self::Stream);
                }
                path = parent(&path).join(fs::read_link(&path)?);
            } else if metadata.is_file() {
                return Ok(Self::File(path));
            } else {
                return Ok(Self::Stream(OpenOptions::new().write(true).open(path)?));
            }
        }
        Err(rustix::io::Errno::LOOP.into())
    }
}

fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."))
}

/// Whether a symlink belongs to procfs: a descriptor such as `/dev/fd/3`, not a file name.
fn is_of_proc(path: &Path) -> bool {
    statfs(parent(path)).is_ok_and(|parent| parent.f_type == PROC_SUPER_MAGIC)
}

/// Opens the descriptor that a symlink of procfs refers to: a duplicate of this process's own, or
/// another process's file opened for appending.
fn descriptor(path: &Path) -> io::Result<File> {
    let is_ours = fs::canonicalize(parent(path))? == fs::canonicalize("/proc/self/fd")?;
    let number = path.file_name().filter(|_| is_ours).and_then(|name| name.to_str()?.parse().ok());
    match number {
        Some(number) => duplicate(number).map(File::from),
        None => OpenOptions::new().append(true).open(path),
    }
}

/// Why writing stopped.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The reader closed the pipe, which is not an error, as in other tools.
    Closed,
    /// Writing failed: the name of the output, and the error.
    Failed(String, io::Error),
}

impl Stop {
    /// Reports the error, if any.
    pub(crate) fn print_message(&self) -> Reported {
        if let Self::Failed(name, error) = self {
            print_message(format_args!("cannot write {name}: {}", reason(error)));
        }
        Reported::Failed
    }
}

impl Output {
    /// Opens standard output. Fails if it is closed.
    pub(crate) fn standard() -> Result<Self, Stop> {
        if was_closed(1) {
            return Err(Stop::Failed(STDOUT.to_owned(), Errno::BADF.into()));
        }
        Ok(Self::standard_if_used())
    }

    /// Opens standard output, which may be closed if nothing is written.
    pub(crate) fn standard_if_used() -> Self {
        Self {
            target: Target::Stdout,
            buffer: Vec::new(),
            colors: Vec::new(),
            newlines: Newlines::Preserved,
            is_terminal: io::stdout().is_terminal(),
        }
    }

    /// Opens the file at `path`, which is replaced when the output is complete. Descriptors, FIFOs
    /// and devices are written to as results arrive.
    pub(crate) fn file(path: &Path) -> Result<Self, Stop> {
        let name = Shown(path.as_os_str()).to_string();
        let failed = |error| Stop::Failed(name.clone(), error);
        let target = match Place::of(path).map_err(failed)? {
            Place::File(path) => Target::File(Replacement::of(path).map_err(failed)?),
            Place::Stream(file) => Target::Stream(file, name),
        };
        let is_terminal = matches!(&target, Target::Stream(file, _) if file.is_terminal());
        let (buffer, colors, newlines) = (Vec::new(), Vec::new(), Newlines::Preserved);
        Ok(Self { target, buffer, colors, newlines, is_terminal })
    }

    /// Whether the output becomes visible only when it is finished.
    pub(crate) fn is_file(&self) -> bool {
        matches!(self.target, Target::File(_))
    }

    /// Returns the identities of the files that are written to, which a walk must exclude.
    pub(crate) fn identities(&self) -> Vec<Identity> {
        let files: Vec<_> = match &self.target {
            Target::Stdout => {
                let stdout = io::stdout().as_fd().try_clone_to_owned().map(File::from);
                stdout.and_then(|stdout| stdout.metadata()).into_iter().collect()
            }
            Target::Stream(file, _) => file.metadata().into_iter().collect(),
            Target::File(file) => file.identities().collect(),
        };
        files.iter().filter(|file| file.is_file()).map(Identity::of).collect()
    }

    /// Returns an error if the output would replace the input at `path`.
    pub(crate) fn check_input(&self, path: &Path) -> Result<(), Stop> {
        let is_same = |input: &fs::Metadata| self.identities().contains(&Identity::of(input));
        match fs::metadata(path).is_ok_and(|input| input.is_file() && is_same(&input)) {
            true => Err(Stop::Failed(self.name(), io::Error::other("it is also an input"))),
            false => Ok(()),
        }
    }

    /// Whether the output is a terminal that supports colors, and `NO_COLOR` is not set.
    pub(crate) fn has_color(&self) -> bool {
        let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
        self.is_terminal
            && !is_set("NO_COLOR")
            && env::var_os("TERM").is_some_and(|term| !term.is_empty() && term != "dumb")
    }

    /// Returns the output buffer.
    pub(crate) fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.buffer
    }

    /// Sets the line terminator. In lines that end with NUL, a newline is part of a name.
    pub(crate) fn end_lines_with(&mut self, terminator: Terminator) {
        self.newlines = match terminator {
            Terminator::Newline => Newlines::Preserved,
            Terminator::Nul => Newlines::Escaped,
        };
    }

    /// Appends `text` in the color with this ANSI code.
    pub(crate) fn push_colored(&mut self, color: u8, text: &str) {
        self.push_color(color);
        self.buffer.extend(text.as_bytes());
        self.push_color(0);
    }

    fn push_color(&mut self, color: u8) {
        let start = self.buffer.len();
        self.buffer.extend(format!("\x1b[{color}m").as_bytes());
        self.colors.push(start..self.buffer.len());
    }

    /// Appends a name to a line in a format without escapes. On a terminal, newlines in the name
    /// are escaped, since they would forge lines.
    pub(crate) fn push_name(&mut self, name: &[u8]) {
        if self.is_terminal {
            self.buffer.extend(&*visible(name, Newlines::Escaped));
        } else {
            self.buffer.extend(name);
        }
    }

    /// Escapes the buffer for a terminal, except for color codes.
    fn escape(&mut self) {
        let mut escaped = Vec::with_capacity(self.buffer.len());
        let mut rest = 0;
        for color in self.colors.drain(..) {
            escaped.extend(&*visible(&self.buffer[rest..color.start], self.newlines));
            escaped.extend(&self.buffer[color.clone()]);
            rest = color.end;
        }
        escaped.extend(&*visible(&self.buffer[rest..], self.newlines));
        self.buffer = escaped;
    }

    /// Writes the buffered lines if the buffer is full or the output is a terminal.
    pub(crate) fn write_if_due(&mut self, progress: &Progress) -> Result<(), Stop> {
        if self.is_terminal {
            progress.suspend(|| self.flush())
        } else if self.buffer.len() >= BUFFER_BYTES {
            self.flush()
        } else {
            Ok(())
        }
    }

    /// Writes the buffered lines.
    pub(crate) fn flush(&mut self) -> Result<(), Stop> {
        if self.is_terminal {
            self.escape();
        }
        self.colors.clear();
        let result = match &mut self.target {
            Target::Stdout => Stdout.write_all(&self.buffer),
            Target::Stream(file, _) => file.write_all(&self.buffer),
            Target::File(file) => file.file().write_all(&self.buffer),
        };
        self.buffer.clear();
        result.map_err(|error| match error.kind() {
            io::ErrorKind::BrokenPipe => Stop::Closed,
            _ => Stop::Failed(self.name(), error),
        })
    }

    /// Whether `path` is the temporary file that becomes the output.
    pub(crate) fn is_temporary(&self, path: &Path) -> bool {
        matches!(&self.target, Target::File(file) if file.temporary().file_name() == path.file_name())
    }

    /// Returns the output's name for messages.
    pub(crate) fn name(&self) -> String {
        match &self.target {
            Target::Stdout => STDOUT.to_owned(),
            Target::Stream(_, name) => name.clone(),
            Target::File(file) => Shown(file.path().as_os_str()).to_string(),
        }
    }

    /// Writes the rest. A file appears under its name after all of it is on disk.
    pub(crate) fn finish(self) -> Result<(), Stop> {
        self.publish(false)
    }

    /// Finishes like [`finish`](Self::finish); with `backup`, the replaced file remains as
    /// `NAME.bak`.
    pub(crate) fn publish(mut self, backup: bool) -> Result<(), Stop> {
        self.flush()?;
        let name = self.name();
        match self.target {
            Target::Stdout | Target::Stream(..) => Ok(()),
            Target::File(file) => file.publish(backup).map_err(|error| Stop::Failed(name, error)),
        }
    }
}
