//! Findings and their classes.

use std::fmt;
use std::path::PathBuf;

use lanesum::Digest;

/// The class of a finding. Classes of an audit have the same names there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// The contents match the id or the checksum.
    Same,
    /// A file that another one refers to does not exist.
    Missing,
    /// It cannot be read or decoded.
    Unreadable,
    /// The contents do not match the id or the checksum.
    Rotted,
    /// The object contains a block of a SHA-1 collision attack.
    Collision,
}

impl Class {
    /// Every class.
    pub const ALL: [Self; 5] =
        [Self::Same, Self::Missing, Self::Unreadable, Self::Rotted, Self::Collision];

    /// Returns the name in reports, such as `rotted`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Missing => "missing",
            Self::Unreadable => "unreadable",
            Self::Rotted => "rotted",
            Self::Collision => "collision",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The result for an object or a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The result.
    pub class: Class,
    /// The id of the object, or the SHA-256 of a Git LFS object. `None` if the finding is about a file.
    pub object: Option<Digest>,
    /// The file that contains the object, or that the finding is about.
    pub path: PathBuf,
    /// Where a packed object begins in its pack, in bytes.
    pub offset: Option<u64>,
    /// Why the class is not `Same`; empty if it is.
    pub reason: String,
}

/// A kind of object or file that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// A loose object.
    Loose,
    /// An object in a pack.
    Packed,
    /// A pack.
    Pack,
    /// A file with a checksum, including packs.
    File,
    /// A Git LFS object.
    Lfs,
    /// A Git LFS pointer whose object is not in the repository.
    LfsAbsent,
    /// A pack or a loose object that another program removed during the run.
    Vanished,
}

/// The number of findings of each class, and of each kind of thing that was verified.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    classes: [u64; Class::ALL.len()],
    found: [u64; 7],
}

impl Counts {
    /// Returns the number of findings of a class.
    pub fn of(&self, class: Class) -> u64 {
        self.classes[class as usize]
    }

    /// Returns the number of findings that are not [`Class::Same`].
    pub fn faults(&self) -> u64 {
        self.classes.iter().sum::<u64>() - self.of(Class::Same)
    }

    /// Returns how many things of a kind were found.
    pub fn found(&self, found: Found) -> u64 {
        self.found[found as usize]
    }

    pub(crate) fn add(&mut self, class: Class) {
        self.classes[class as usize] += 1;
    }

    pub(crate) fn find(&mut self, found: Found, count: u64) {
        self.found[found as usize] += count;
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.classes.iter_mut().zip(&other.classes).for_each(|(sum, count)| *sum += count);
        self.found.iter_mut().zip(&other.found).for_each(|(sum, count)| *sum += count);
    }
}

/// The reason why an object or a file is not the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) class: Class,
    pub(crate) reason: String,
}

impl Fault {
    pub(crate) fn unreadable(reason: impl Into<String>) -> Self {
        Self { class: Class::Unreadable, reason: reason.into() }
    }

    pub(crate) fn rotted(reason: impl Into<String>) -> Self {
        Self { class: Class::Rotted, reason: reason.into() }
    }
}

impl From<std::io::Error> for Fault {
    fn from(error: std::io::Error) -> Self {
        Self::unreadable(reason(&error))
    }
}

/// The system's reason, without the number that Rust adds to it.
pub(crate) fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.rfind(" (os error ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}
