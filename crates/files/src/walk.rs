//! Which files there are below a path.

use std::collections::VecDeque;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::{env, fmt, fs};

use ignore::overrides::{Override, OverrideBuilder};
use walkdir::{DirEntry, DirEntryExt, WalkDir};

use crate::{Error, Step};

/// How to look through folders.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Follow symbolic links below a root. A link that is a root itself is always
    /// followed.
    pub follow: bool,
    /// Do not enter a folder on another file system than its root.
    pub one_file_system: bool,
    /// How many levels to descend; a root's own files are at level 1.
    pub max_depth: Option<usize>,
    /// Globs as ripgrep's `-g` has them: only what matches one is taken, or, with a
    /// `!` before it, is left out; a later one wins. A glob without a slash matches
    /// a name at any level, one with a slash the path from the working folder.
    pub globs: Vec<String>,
    /// Files to leave out, whatever they are called: those the results go to.
    pub outputs: Vec<Identity>,
}

/// A file, whatever path it is reached by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    device: u64,
    inode: u64,
}

impl Identity {
    /// The identity of the file that this metadata is of.
    pub fn of(metadata: &fs::Metadata) -> Self {
        Self { device: metadata.dev(), inode: metadata.ino() }
    }
}

/// What stands at one place of a tree.
#[derive(Debug)]
pub enum Found {
    /// A file to hash: a regular file, or whatever a root is that is no folder.
    File(PathBuf),
    /// A symbolic link that was not followed.
    Link(PathBuf),
    /// Neither a file nor a folder: a FIFO, a socket, a device. To open one may
    /// wait for ever, or do something, so none is opened that was not named.
    Special(PathBuf),
    /// One of [`Options::outputs`].
    Output(PathBuf),
    /// A place that could not be looked at; the walk goes on after it.
    Unreadable(Error),
}

/// Goes through trees, depth first, the entries of each folder in the order of
/// the bytes of their names. Nothing is left out unless asked: hidden files and
/// ignored ones are files like others.
///
/// It tells files from folders by their folder's entries, without a `stat` of each.
///
/// ```
/// use lanesum_files::{Found, Options, Walk};
///
/// let mut walk = Walk::new(["src".into()], &Options::default())?;
/// assert!(walk.any(|found| matches!(found, Found::File(path) if path.ends_with("walk.rs"))));
/// # Ok::<(), lanesum_files::GlobError>(())
/// ```
#[derive(Debug)]
pub struct Walk {
    roots: VecDeque<PathBuf>,
    options: Options,
    globs: Override,
    current: Option<walkdir::IntoIter>,
}

/// A glob of [`Options::globs`] that cannot be understood.
#[derive(Debug)]
pub struct GlobError(ignore::Error);

impl fmt::Display for GlobError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for GlobError {}

impl Walk {
    /// A walk through the trees of `roots`, one after the other.
    ///
    /// # Errors
    ///
    /// When a glob cannot be understood.
    pub fn new(
        roots: impl IntoIterator<Item = PathBuf>,
        options: &Options,
    ) -> Result<Self, GlobError> {
        let globs = if options.globs.is_empty() {
            Override::empty()
        } else {
            let mut globs = OverrideBuilder::new(env::current_dir().unwrap_or_default());
            for glob in &options.globs {
                globs.add(glob).map_err(GlobError)?;
            }
            globs.build().map_err(GlobError)?
        };
        let roots = roots.into_iter().collect();
        Ok(Self { roots, options: options.clone(), globs, current: None })
    }

    /// Adds a root, after those that are still to be walked.
    pub fn add(&mut self, root: PathBuf) {
        self.roots.push_back(root);
    }

    fn start(&self, root: PathBuf) -> walkdir::IntoIter {
        WalkDir::new(root)
            .follow_links(self.options.follow)
            .same_file_system(self.options.one_file_system)
            .max_depth(self.options.max_depth.unwrap_or(usize::MAX))
            .sort_by(|a, b| a.file_name().cmp(b.file_name()))
            .into_iter()
    }

    /// What an entry is to the walk; nothing for a folder, and what a glob leaves out.
    fn found(&mut self, entry: DirEntry) -> Option<Found> {
        let kind = entry.file_type();
        if entry.depth() == 0 {
            // A root was named: it is taken for what it leads to.
            return (!entry.path().is_dir()).then(|| Found::File(entry.into_path()));
        }
        if self.globs.matched(entry.path(), kind.is_dir()).is_ignore() {
            if kind.is_dir() {
                self.current.as_mut()?.skip_current_dir();
            }
            return None;
        }
        if kind.is_dir() {
            None
        } else if kind.is_symlink() {
            Some(Found::Link(entry.into_path()))
        } else if !kind.is_file() {
            Some(Found::Special(entry.into_path()))
        } else if self.is_output(&entry) {
            Some(Found::Output(entry.into_path()))
        } else {
            Some(Found::File(entry.into_path()))
        }
    }

    fn is_output(&self, entry: &DirEntry) -> bool {
        // The inode number is in the folder; only if that fits is a stat worth its time.
        self.options.outputs.iter().any(|output| {
            entry.ino() == output.inode
                && entry.metadata().is_ok_and(|metadata| Identity::of(&metadata) == *output)
        })
    }
}

impl Iterator for Walk {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        loop {
            let Some(current) = &mut self.current else {
                let root = self.roots.pop_front()?;
                self.current = Some(self.start(root));
                continue;
            };
            match current.next() {
                None => self.current = None,
                Some(Err(error)) => return Some(Found::Unreadable(convert(error))),
                Some(Ok(entry)) => {
                    if let Some(found) = self.found(entry) {
                        return Some(found);
                    }
                }
            }
        }
    }
}

fn convert(error: walkdir::Error) -> Error {
    let path = error.path().unwrap_or(Path::new("")).to_owned();
    let is_root = error.depth() == 0;
    if error.loop_ancestor().is_some() {
        return Error::plain(&path, Step::Follow);
    }
    match error.into_io_error() {
        // A root that is missing is a file that cannot be opened, as without a walk.
        Some(source) => Error::new(&path, if is_root { Step::Open } else { Step::Walk }, source),
        None => Error::plain(&path, Step::Walk),
    }
}
