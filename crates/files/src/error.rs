//! The errors between a path and its digest.

use std::path::{Path, PathBuf};
use std::{error, fmt, io};

/// A file that could not be hashed, or a folder that could not be walked.
#[derive(Debug)]
pub struct Error {
    path: PathBuf,
    step: Step,
    source: Option<io::Error>,
}

/// What was being done with the path when it failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Opening the file.
    Open,
    /// Reading from it.
    Read,
    /// Looking through a folder, or looking up an entry of one.
    Walk,
    /// Following a symbolic link that leads back to a folder it is in.
    Follow,
    /// Comparing the file after reading with the file before: another program
    /// wrote to it, so the bytes that were read may never have been its contents.
    Compare,
    /// Hashing it by SHA-1: a block of it is one of a collision attack.
    Collide,
}

impl Error {
    /// The system's error at a step.
    pub fn new(path: &Path, step: Step, source: io::Error) -> Self {
        Self { path: path.to_owned(), step, source: Some(source) }
    }

    /// An error without a cause in the system.
    pub(crate) fn plain(path: &Path, step: Step) -> Self {
        Self { path: path.to_owned(), step, source: None }
    }

    /// The file or folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What was being done with it.
    pub fn step(&self) -> Step {
        self.step
    }

    /// The kind of the system's error; `Other` where the system gave none.
    pub fn kind(&self) -> io::ErrorKind {
        self.source.as_ref().map_or(io::ErrorKind::Other, io::Error::kind)
    }

    /// The system's error, if it gave one.
    pub(crate) fn source(&self) -> Option<&io::Error> {
        self.source.as_ref()
    }

    /// What the system said, where it said something.
    pub fn into_source(self) -> Option<io::Error> {
        self.source
    }

    /// The clause of [`Display`](fmt::Display) around a path that is shown as `path`:
    /// for a front end that quotes names in a way of its own.
    pub fn describe(&self, path: &dyn fmt::Display) -> String {
        match self.step {
            Step::Open => format!("cannot open {path}"),
            Step::Read => format!("cannot read {path}"),
            Step::Walk => format!("cannot look through {path}"),
            Step::Follow => format!("cannot follow {path}, it leads back to a folder it is in"),
            Step::Compare => format!("{path} was changed while being read"),
            Step::Collide => format!(
                "{path} has a block of a collision attack on SHA-1: another file can have its digest"
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
