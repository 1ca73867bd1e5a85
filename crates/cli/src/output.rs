//! Where results go: standard output, or a file that appears when it is whole.

use std::env;
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, IsTerminal, Write};
use std::ops::Range;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use lanesum_files::Identity;
use lanesum_manifest::Terminator;
use lanesum_streams::was_closed;
use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::process::geteuid;

use crate::Verdict;
use crate::progress::Progress;
use crate::say::{Newlines, Shown, reason, say, visible};
use crate::standard::Stdout;

/// Nobody is to lead the output elsewhere by a link of that name.
const NO_LINK: i32 = OFlags::NOFOLLOW.bits() as i32;

/// What messages call standard output.
const STDOUT: &str = "standard output";

/// Bytes gathered before they are written.
const BUFFER: usize = 64 << 10;

/// A place for results, with a buffer before it. On the way to a terminal names are escaped where
/// they could deceive its reader; a file or a pipe gets every byte.
pub(crate) struct Output {
    target: Target,
    buffer: Vec<u8>,
    /// The parts of the buffer that set colors, which are not escaped.
    colors: Vec<Range<usize>>,
    newlines: Newlines,
    /// Each result is shown at once.
    is_terminal: bool,
}

enum Target {
    Stdout,
    /// A stream or a device; its name is for messages.
    Stream(File, String),
    /// A file beside the one that it will take the place of.
    Atomic {
        temporary: Temporary,
        path: PathBuf,
    },
}

/// A file beside the one that it will take the place of: `.NAME.lanesum-tmp`. Whoever writes it
/// holds a lock on it, so that two runs do not write the same file; one that a killed run has left
/// is taken over.
struct Temporary {
    file: File,
    path: PathBuf,
    published: bool,
}

impl Temporary {
    fn beside(path: &Path) -> io::Result<Self> {
        let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
        // A name that would be too long is shortened.
        let name = &name.as_bytes()[..name.len().min(255 - 13)];
        let name = [&b"."[..], name, b".lanesum-tmp"].concat();
        let name = OsStr::from_bytes(&name);
        let temporary = path.with_file_name(name);
        loop {
            let file = OpenOptions::new()
                .write(true)
                .create(true)
                .truncate(false)
                .custom_flags(NO_LINK)
                // As for any new file: what is left after the umask.
                .mode(0o666)
                .open(&temporary)?;
            match file.try_lock() {
                // Where no file can be locked, what is written is whole all the same.
                Ok(()) | Err(TryLockError::Error(_)) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(io::Error::new(
                        io::ErrorKind::ResourceBusy,
                        "another run is writing it",
                    ));
                }
            }
            // Between the two calls another run may have published the file or removed it.
            let is_there = fs::symlink_metadata(&temporary).is_ok_and(|metadata| {
                file.metadata().is_ok_and(|ours| Identity::of(&ours) == Identity::of(&metadata))
            });
            if is_there {
                // In a folder that others write to, one of theirs is not taken for ours.
                let ours = file.metadata()?;
                if ours.uid() != geteuid().as_raw() || ours.nlink() != 1 || !ours.is_file() {
                    let text = format!("{} is in the way", Shown(temporary.as_os_str()));
                    return Err(io::Error::new(io::ErrorKind::PermissionDenied, text));
                }
                file.set_len(0)?;
                return Ok(Self { file, path: temporary, published: false });
            }
        }
    }

    fn publish(mut self, path: &Path) -> io::Result<()> {
        self.file.sync_all()?;
        fs::rename(&self.path, path)?;
        self.published = true;
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.published {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Why no more can be written.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The reader has gone, which is for the reader to judge: other tools go quietly too.
    Closed,
    /// It failed, with this name and for this reason.
    Failed(String, io::Error),
}

impl Stop {
    /// Says what there is to say.
    pub(crate) fn say(&self) -> Verdict {
        if let Self::Failed(name, error) = self {
            say(format_args!("cannot write {name}: {}", reason(error)));
        }
        Verdict::Failed
    }
}

impl Output {
    /// Standard output, which must not be closed.
    pub(crate) fn standard() -> Result<Self, Stop> {
        if was_closed(1) {
            return Err(Stop::Failed(STDOUT.to_owned(), Errno::BADF.into()));
        }
        Ok(Self::standard_if_used())
    }

    /// Standard output, which may be closed if nothing is written.
    pub(crate) fn standard_if_used() -> Self {
        Self {
            target: Target::Stdout,
            buffer: Vec::new(),
            colors: Vec::new(),
            newlines: Newlines::Kept,
            is_terminal: io::stdout().is_terminal(),
        }
    }

    /// The file at `path`, which is there in whole or not at all, and till then as it was. What
    /// is no regular file, a device or a FIFO, is not replaced but written to.
    pub(crate) fn file(path: &Path) -> Result<Self, Stop> {
        let failed = |error| Stop::Failed(Shown(path.as_os_str()).to_string(), error);
        let is_stream = fs::metadata(path).is_ok_and(|metadata| !metadata.is_file());
        let target = if is_stream {
            let file = OpenOptions::new().write(true).open(path).map_err(failed)?;
            Target::Stream(file, Shown(path.as_os_str()).to_string())
        } else {
            // A link stays, and what it leads to is replaced.
            let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
            let temporary = Temporary::beside(&path).map_err(failed)?;
            Target::Atomic { temporary, path }
        };
        Ok(Self {
            target,
            buffer: Vec::new(),
            colors: Vec::new(),
            newlines: Newlines::Kept,
            is_terminal: false,
        })
    }

    /// The files that are written to, which no manifest of a tree they are in can list.
    pub(crate) fn identities(&self) -> Vec<Identity> {
        let metadata = match &self.target {
            Target::Stdout => {
                let stdout = io::stdout().as_fd().try_clone_to_owned().map(File::from);
                vec![stdout.and_then(|stdout| stdout.metadata()).ok()]
            }
            Target::Stream(file, _) => vec![file.metadata().ok()],
            Target::Atomic { temporary, path } => {
                vec![temporary.file.metadata().ok(), fs::metadata(path).ok()]
            }
        };
        let files = metadata.into_iter().flatten().filter(fs::Metadata::is_file);
        files.map(|metadata| Identity::of(&metadata)).collect()
    }

    /// Whether a file of that name is the one that becomes the output at the end: nobody else
    /// knows of it.
    pub(crate) fn is_temporary(&self, path: &Path) -> bool {
        match &self.target {
            Target::Atomic { temporary, .. } => temporary.path.file_name() == path.file_name(),
            Target::Stdout | Target::Stream(..) => false,
        }
    }

    /// Whether it goes to a terminal that has colours, and nobody has asked for none.
    pub(crate) fn has_color(&self) -> bool {
        let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
        self.is_terminal
            && !is_set("NO_COLOR")
            && env::var_os("TERM").is_some_and(|term| !term.is_empty() && term != "dumb")
    }

    /// Where to append what is to be written.
    pub(crate) fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.buffer
    }

    /// Lines end with `terminator`: a newline in a line that ends with NUL is part of a name.
    pub(crate) fn end_lines_with(&mut self, terminator: Terminator) {
        self.newlines = match terminator {
            Terminator::Newline => Newlines::Kept,
            Terminator::Nul => Newlines::Escaped,
        };
    }

    /// Appends `text` in the color that terminals know by this number.
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

    /// Appends a name to a line that has no way to escape one. On a terminal its newlines would
    /// forge lines.
    pub(crate) fn push_name(&mut self, name: &[u8]) {
        if self.is_terminal {
            self.buffer.extend(&*visible(name, Newlines::Escaped));
        } else {
            self.buffer.extend(name);
        }
    }

    /// Escapes the buffer for a terminal, except for its colors.
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

    /// Writes the lines that have been gathered if they are many, or if they go to a terminal.
    pub(crate) fn write_if_due(&mut self, progress: &Progress) -> Result<(), Stop> {
        if self.is_terminal {
            progress.aside(|| self.flush())
        } else if self.buffer.len() >= BUFFER {
            self.flush()
        } else {
            Ok(())
        }
    }

    fn flush(&mut self) -> Result<(), Stop> {
        if self.is_terminal {
            self.escape();
        }
        self.colors.clear();
        let (file, name): (&mut dyn Write, _) = match &mut self.target {
            Target::Stdout => (&mut Stdout, STDOUT.to_owned()),
            Target::Stream(file, name) => (file, name.clone()),
            Target::Atomic { temporary, path } => {
                (&mut temporary.file, Shown(path.as_os_str()).to_string())
            }
        };
        let result = file.write_all(&self.buffer);
        self.buffer.clear();
        result.map_err(|error| match error.kind() {
            io::ErrorKind::BrokenPipe => Stop::Closed,
            _ => Stop::Failed(name, error),
        })
    }

    /// Writes what is left, and gives the file its name when all of it is on disk.
    pub(crate) fn finish(mut self) -> Result<(), Stop> {
        self.flush()?;
        let Target::Atomic { temporary, path } = self.target else { return Ok(()) };
        let failed = |error| Stop::Failed(Shown(path.as_os_str()).to_string(), error);
        temporary.publish(&path).map_err(failed)?;
        // The name is in the folder; some file systems cannot sync one, and lose nothing by it.
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        let _ = File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all());
        Ok(())
    }
}
