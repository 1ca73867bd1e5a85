//! Classes of differences between two states of a file.

use std::fmt;
use std::str::FromStr;

/// The class of a difference between two states of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// The digests match.
    Same,
    /// The name is new, and no missing file had the same contents.
    New,
    /// Same name, different contents.
    Changed,
    /// Same contents under a new name; the old name is gone.
    Moved,
    /// The name is gone, and the contents have no new name.
    Missing,
    /// The file exists, but cannot be read.
    Unreadable,
    /// The contents differ, but the length and the modification time do not: no regular write explains the
    /// change.
    Rotted,
    /// No algorithm is common to both records.
    Incomparable,
}

impl Class {
    /// Every class.
    pub const ALL: [Self; 8] = [
        Self::Same,
        Self::New,
        Self::Changed,
        Self::Moved,
        Self::Missing,
        Self::Unreadable,
        Self::Rotted,
        Self::Incomparable,
    ];

    /// Returns the name in reports, such as `rotted`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::New => "new",
            Self::Changed => "changed",
            Self::Moved => "moved",
            Self::Missing => "missing",
            Self::Unreadable => "unreadable",
            Self::Rotted => "rotted",
            Self::Incomparable => "incomparable",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error for an unknown name of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoClass;

impl fmt::Display for NoClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown class; expected one of")?;
        let names = Class::ALL.map(Class::name);
        names
            .iter()
            .enumerate()
            .try_for_each(|(i, name)| write!(f, "{}{name}", if i == 0 { " " } else { ", " }))
    }
}

impl std::error::Error for NoClass {}

impl FromStr for Class {
    type Err = NoClass;

    fn from_str(name: &str) -> Result<Self, NoClass> {
        Self::ALL.into_iter().find(|class| class.name() == name).ok_or(NoClass)
    }
}

/// The number of files of each class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts([u64; Class::ALL.len()]);

impl Counts {
    /// Counts one more file.
    pub fn add(&mut self, class: Class) {
        self.0[class as usize] += 1;
    }

    /// Returns the number of files of a class.
    pub fn of(&self, class: Class) -> u64 {
        self.0[class as usize]
    }

    /// Returns the number of files that are not the same.
    pub fn differences(&self) -> u64 {
        self.0.iter().sum::<u64>() - self.of(Class::Same)
    }
}
