//! The entries of one directory, in two allocations whatever their number.
//!
//! Whichever worker runs short of files lists the next directory, and freed memory stays in that
//! worker's allocator arena. With an allocation per entry, or new lists for each directory, every
//! worker would end up holding as much memory as the largest directory needs.

use std::cmp::{Ordering, min};
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::thread;

use rustix::fs::{AtFlags, Dir, FileType, statat};

use crate::descriptors::{ATTEMPT_INTERVAL, MAX_ATTEMPTS, is_exhausted};
use crate::open::open_directory;

/// A directory that is being walked.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    /// The device and the inode, if symlinks are followed: they detect loops.
    pub(super) identity: Option<[u64; 2]>,
    lists: Lists,
}

/// The contents of a directory. The lists of a finished directory are reused.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// All names, concatenated, in the order of the system.
    names: Vec<u8>,
    /// Sorted by name, in reverse.
    entries: Vec<Place>,
}

/// The position of an entry's name, and the data of its directory entry.
#[derive(Clone, Copy, Debug)]
struct Place {
    start: usize,
    len: usize,
    kind: FileType,
    inode: u64,
}

/// An entry of a directory.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) path: PathBuf,
    pub(super) kind: FileType,
    pub(super) inode: u64,
}

impl Folder {
    /// Lists a directory into `lists`, sorted by name or by `whole_paths`. Passes entries that
    /// cannot be accessed to `failed`.
    pub(super) fn open(
        path: PathBuf,
        mut lists: Lists,
        identified: bool,
        whole_paths: bool,
        mut failed: impl FnMut(PathBuf, io::Error),
    ) -> Result<Self, (PathBuf, io::Error)> {
        let mut tries = 0;
        let mut list = loop {
            match open_directory(&path, true).and_then(|open| Ok(Dir::new(open)?)) {
                Ok(list) => break list,
                Err(error) if is_exhausted(&error) && tries < MAX_ATTEMPTS => {
                    tries += 1;
                    thread::sleep(ATTEMPT_INTERVAL);
                }
                Err(error) => return Err((path, error)),
            }
        };
        let identity = match identified.then(|| list.stat()).transpose() {
            Ok(stat) => stat.map(|stat| [stat.st_dev, stat.st_ino]),
            Err(error) => return Err((path, error.into())),
        };
        let Lists { names, entries } = &mut lists;
        names.clear();
        entries.clear();
        while let Some(entry) = list.read() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    failed(path.clone(), error.into());
                    continue;
                }
            };
            let name = entry.file_name().to_bytes();
            if matches!(name, b"." | b"..") {
                continue;
            }
            let kind = match entry.file_type() {
                // Not every file system records the type in the directory.
                FileType::Unknown => list
                    .fd()
                    .and_then(|fd| statat(fd, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW))
                    .map(|stat| FileType::from_raw_mode(stat.st_mode)),
                kind => Ok(kind),
            };
            match kind {
                Ok(kind) => {
                    let (start, inode) = (names.len(), entry.ino());
                    names.extend(name);
                    entries.push(Place { start, len: names.len() - start, kind, inode });
                }
                Err(error) => failed(path.join(OsStr::from_bytes(name)), error.into()),
            }
        }
        let name = |place: &Place| &names[place.start..][..place.len];
        if whole_paths {
            entries.sort_unstable_by(|a, b| {
                by_path((name(b), b.kind.is_dir()), (name(a), a.kind.is_dir()))
            });
        } else {
            entries.sort_unstable_by(|a, b| name(b).cmp(name(a)));
        }
        Ok(Self { path, identity, lists })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the lists, for reuse.
    pub(super) fn into_lists(self) -> Lists {
        self.lists
    }

    /// Returns the next entry, by the bytes of its name.
    pub(super) fn next(&mut self) -> Option<Entry> {
        let Place { start, len, kind, inode } = self.lists.entries.pop()?;
        // Allocate the exact size: excess capacity costs most when another thread frees it.
        let mut path = PathBuf::with_capacity(self.path.as_os_str().len() + 1 + len);
        path.push(&self.path);
        path.push(OsStr::from_bytes(&self.lists.names[start..][..len]));
        Some(Entry { path, kind, inode })
    }
}

/// Compares two names as parts of paths: a directory's name is followed by a slash.
fn by_path((a, a_is_folder): (&[u8], bool), (b, b_is_folder): (&[u8], bool)) -> Ordering {
    let len = min(a.len(), b.len());
    let next =
        |name: &[u8], is_folder: bool| name.get(len).copied().or_else(|| is_folder.then_some(b'/'));
    a[..len].cmp(&b[..len]).then_with(|| next(a, a_is_folder).cmp(&next(b, b_is_folder)))
}
