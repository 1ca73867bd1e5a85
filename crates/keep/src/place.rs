//! Files found by a walk, under the names that records use.

use std::borrow::Cow;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use lanesum_files::{Error, Found, Walk};
use lanesum_manifest::{Named, Record, normal_name};

use crate::manifest::{below, folder_name};

/// A file, or an error, at a name in a tree.
pub(crate) struct Place {
    /// `None` if the name is `path`.
    name: Option<Vec<u8>>,
    pub(crate) path: PathBuf,
    pub(crate) kind: Kind,
}

pub(crate) enum Kind {
    File,
    Link,
    Special,
    Unreadable(Error),
}

impl Named for Place {
    fn name(&self) -> &[u8] {
        self.name.as_deref().unwrap_or(self.path.as_os_str().as_bytes())
    }
}

impl Place {
    /// Converts the place to a record with only a name.
    pub(crate) fn into_record(self) -> Record {
        Record::named(self.name.unwrap_or_else(|| self.path.into_os_string().into_vec()))
    }
}

/// The names in a tree, in path order.
pub(crate) struct Places {
    walk: Walk,
    /// The directory that names are relative to; `None` for the working directory.
    root: Option<Vec<u8>>,
}

impl Places {
    pub(crate) fn new(walk: Walk, root: Option<&Path>) -> Self {
        Self { walk, root: root.map(folder_name) }
    }
}

impl Iterator for Places {
    type Item = Place;

    fn next(&mut self) -> Option<Place> {
        let (path, kind) = loop {
            match self.walk.next()? {
                Found::File(path) => break (path, Kind::File),
                Found::Link(path) => break (path, Kind::Link),
                Found::Special(path) => break (path, Kind::Special),
                Found::Unreadable(error) => {
                    break (error.path().to_owned(), Kind::Unreadable(error));
                }
                Found::Output(_) | Found::Temporary(_) => {}
            }
        };
        let name = normal_name(path.as_os_str().as_bytes());
        let name = match (&self.root, name) {
            (Some(root), name) if *name == **root => Some(b".".to_vec()),
            (Some(root), name) => Some(below(root, &name).to_vec()),
            (None, Cow::Owned(name)) => Some(name),
            (None, Cow::Borrowed(_)) => None,
        };
        Some(Place { name, path, kind })
    }
}
