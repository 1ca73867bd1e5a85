//! Errors of walking, opening, reading and hashing files.

use std::path::{Path, PathBuf};
use std::{error, fmt, io};

/// A file that could not be hashed, or a directory that could not be walked.
#[derive(Debug)]
pub struct Error {
    path: PathBuf,
    step: Step,
    source: Option<io::Error>,
}

/// The step that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Opening the file.
    Open,
    /// Reading the file.
    Read,
    /// Listing a directory, or looking up an entry.
    Walk,
    /// Following a symlink that points to one of its parent directories.
    Follow,
    /// Comparing the file's metadata after reading with its metadata before: another program wrote
    /// to the file, so the bytes read may never have been its contents.
    Compare,
    /// Hashing with SHA-1: the file contains a block of a collision attack.
    Collide,
}

impl Error {
    /// Creates an error with the system's error as its source.
    pub fn new(path: &Path, step: Step, source: io::Error) -> Self {
        Self { path: path.to_owned(), step, source: Some(source) }
    }

    /// Creates an error without a system error.
    pub(crate) fn plain(path: &Path, step: Step) -> Self {
        Self { path: path.to_owned(), step, source: None }
    }

    /// Returns the path of the file or directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the step that failed.
    pub fn step(&self) -> Step {
        self.step
    }

    /// Returns the kind of the system's error; `Other` if there is none.
    pub fn kind(&self) -> io::ErrorKind {
        self.source.as_ref().map_or(io::ErrorKind::Other, io::Error::kind)
    }

    /// Returns the system's error, if there is one.
    pub(crate) fn source(&self) -> Option<&io::Error> {
        self.source.as_ref()
    }

    /// Converts into the system's error, if there is one.
    pub fn into_source(self) -> Option<io::Error> {
        self.source
    }

    /// Formats the message of [`Display`](fmt::Display) with `path` in place of the path, for front
    /// ends that quote names differently.
    pub fn describe(&self, path: &dyn fmt::Display) -> String {
        match self.step {
            Step::Open => format!("cannot open {path}"),
            Step::Read => format!("cannot read {path}"),
            Step::Walk => format!("cannot access {path}"),
            Step::Follow => {
                format!("cannot follow {path}: it points to one of its parent directories")
            }
            Step::Compare => format!("{path} changed while being read"),
            Step::Collide => format!(
                "{path} contains a SHA-1 collision attack: another file can have the same digest"
            ),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe(&self.path.display()))
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        self.source.as_ref().map(|source| source as _)
    }
}
