//! Finds the files below a path.

mod folder;
mod ignored;

use std::collections::VecDeque;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::{env, fmt, fs, io};

use ignore::overrides::{Override, OverrideBuilder};
use rustix::fs::FileType;

use self::folder::{Entry, Folder, Lists};
use self::ignored::Ignored;
use crate::{Error, Step, metadata};

/// The suffix of temporary files. A file `NAME` is written as `.NAME.lanesum-tmp` in the same
/// directory until it is complete.
pub const TEMPORARY: &str = ".lanesum-tmp";

/// Options of a walk.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Follow symlinks below a root. A root that is a symlink is always followed.
    pub follow: bool,
    /// Do not cross file system boundaries.
    pub one_file_system: bool,
    /// Maximum depth; a root's own files are at level 1.
    pub max_depth: Option<usize>,
    /// Globs, as in ripgrep's `-g`: include only matching files, or exclude them if the glob starts with `!`;
    /// the last match wins. A glob without a slash matches names at any depth, one with a slash matches the path
    /// from the working directory.
    pub globs: Vec<String>,
    /// Sort by the bytes of whole paths: a directory sorts like its name with a slash.
    pub by_path: bool,
    /// Exclude files that git would ignore: matches of `.gitignore` files, in the tree and in
    /// its parents up to the root of the repository, and `.git` itself.
    pub gitignore: bool,
    /// Files to exclude under any name: the outputs of this run.
    pub outputs: Vec<Identity>,
}

/// Identifies a file, whatever path it is reached by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    device: u64,
    inode: u64,
}

impl Identity {
    /// Returns the identity of the file with this `metadata`.
    pub fn of(metadata: &fs::Metadata) -> Self {
        Self { device: metadata.dev(), inode: metadata.ino() }
    }
}

/// An entry found by a walk.
#[derive(Debug)]
pub enum Found {
    /// A file to hash: a regular file, or a root that is not a directory.
    File(PathBuf),
    /// A symlink that was not followed.
    Link(PathBuf),
    /// A FIFO, a socket or a device. Opening one can block or have side effects, so only roots are opened.
    Special(PathBuf),
    /// One of [`Options::outputs`].
    Output(PathBuf),
    /// A temporary file, `.NAME.lanesum-tmp`, of a run that is still writing or was killed.
    Temporary(PathBuf),
    /// An entry that could not be accessed. The walk continues after it.
    Unreadable(Error),
}

/// Walks trees depth-first, the entries of each directory sorted by the bytes of their names. By default
/// nothing is excluded: hidden and ignored files are included.
///
/// It uses the file types in directory entries, without a `stat` of each.
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
    /// The ignore rules, if they are used.
    ignored: Option<Ignored>,
    /// The directories from the current root down to the current one.
    folders: Vec<Folder>,
    /// Lists of finished directories, for reuse.
    spare: Vec<Lists>,
    /// The device of the current root, if other devices are skipped.
    device: Option<u64>,
    /// Errors to report next.
    unreadable: VecDeque<Error>,
}

/// Which files a walk's [`Options`] select, whether or not they exist.
#[derive(Clone, Debug)]
pub struct Selection {
    globs: Override,
    max_depth: Option<usize>,
    one_file_system: bool,
    hides: bool,
}

impl Selection {
    /// Whether the globs and the depth select the file at `path`, which is at or below `root`.
    pub fn has(&self, root: &Path, path: &Path) -> bool {
        // Paths in the working directory lack its name.
        let root = if root == Path::new(".") { Path::new("") } else { root };
        let Ok(below) = path.strip_prefix(root) else { return true };
        let depth = below.components().count();
        if self.max_depth.is_some_and(|max| depth > max) {
            return false;
        }
        if self.globs.is_empty() {
            return true;
        }
        // An excluded directory excludes everything below it.
        let mut at = root.to_owned();
        below.components().zip(1..).all(|(name, level)| {
            at.push(name);
            !self.globs.matched(&at, level < depth).is_ignore()
        })
    }

    /// Whether the former place of a missing file is on another file system than `root`, and so
    /// excluded.
    pub fn is_elsewhere(&self, root: &Path, path: &Path) -> bool {
        let device = |path: &Path| fs::metadata(path).ok().map(|found| found.dev());
        self.one_file_system
            && path.ancestors().skip(1).find_map(device).is_some_and(|at| Some(at) != device(root))
    }

    /// Whether an existing file may be excluded for another reason: ignored by git, or on another
    /// file system.
    pub fn may_hide(&self) -> bool {
        self.hides
    }
}

/// An invalid glob in [`Options::globs`].
#[derive(Debug)]
pub struct GlobError(ignore::Error);

impl fmt::Display for GlobError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for GlobError {}

impl Walk {
    /// Creates a walk through the trees of `roots`, in order.
    ///
    /// # Errors
    ///
    /// If a glob is invalid.
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
        Ok(Self {
            roots,
            options: options.clone(),
            globs,
            ignored: options.gitignore.then(Ignored::default),
            folders: Vec::new(),
            spare: Vec::new(),
            device: None,
            unreadable: VecDeque::new(),
        })
    }

    /// Returns which files this walk's options select.
    pub fn selection(&self) -> Selection {
        Selection {
            globs: self.globs.clone(),
            max_depth: self.options.max_depth,
            one_file_system: self.options.one_file_system,
            hides: self.options.gitignore || self.options.one_file_system,
        }
    }

    /// Adds a root after the remaining ones.
    pub fn add(&mut self, root: PathBuf) {
        self.roots.push_back(root);
    }

    /// Starts a root, following a symlink: a file, or a directory to walk.
    fn start(&mut self, root: PathBuf) -> Option<Found> {
        let metadata = match metadata(&root) {
            Ok(metadata) => metadata,
            // A missing root is reported as a file that cannot be opened, as without a walk.
            Err(error) => return Some(Found::Unreadable(Error::new(&root, Step::Open, error))),
        };
        if !metadata.is_dir() {
            return Some(Found::File(root));
        }
        self.device = self.options.one_file_system.then(|| metadata.dev());
        if let Some(ignored) = &mut self.ignored {
            ignored.start(&root, |error| self.unreadable.push_back(error));
        }
        self.enter(root);
        None
    }

    /// Lists a directory, whose entries come next.
    fn enter(&mut self, path: PathBuf) {
        if self.options.max_depth.is_some_and(|max| self.folders.len() >= max) {
            return;
        }
        // A root that cannot be listed is reported as one that cannot be opened.
        let step = if self.folders.is_empty() { Step::Open } else { Step::Walk };
        let unreadable = &mut self.unreadable;
        let failed = |path: PathBuf, error| {
            unreadable.push_back(Error::new(&path, Step::Walk, error));
        };
        let lists = self.spare.pop().unwrap_or_default();
        match Folder::open(path, lists, self.options.follow, self.options.by_path, failed) {
            Ok(folder) => {
                if let Some(ignored) = &mut self.ignored {
                    ignored.enter(folder.path(), |error| self.unreadable.push_back(error));
                }
                self.folders.push(folder);
            }
            Err((path, error)) => self.unreadable.push_back(Error::new(&path, step, error)),
        }
    }

    /// Classifies an entry; `None` for a directory, and for an excluded file.
    fn found(&mut self, mut entry: Entry) -> Option<Found> {
        let is_link = entry.kind.is_symlink();
        if is_link && self.options.follow {
            match self.followed(entry) {
                Ok(followed) => entry = followed,
                Err(error) => return Some(Found::Unreadable(error)),
            }
        }
        let is_folder = entry.kind.is_dir();
        if self.globs.matched(&entry.path, is_folder).is_ignore() {
            return None;
        }
        if self.ignored.as_ref().is_some_and(|ignored| ignored.has(&entry.path, is_folder)) {
            return None;
        }
        if is_folder {
            match self.is_elsewhere(&entry) {
                Ok(false) => self.enter(entry.path),
                Ok(true) => {}
                Err(error) => return Some(unreadable(&entry, error)),
            }
            None
        } else if entry.kind.is_symlink() {
            Some(Found::Link(entry.path))
        } else if !entry.kind.is_file() {
            Some(Found::Special(entry.path))
        } else if is_temporary(&entry.path) {
            Some(Found::Temporary(entry.path))
        } else if self.is_output(&entry) {
            Some(Found::Output(entry.path))
        } else {
            Some(Found::File(entry.path))
        }
    }

    /// Returns the target of a symlink, under the name of the symlink.
    fn followed(&self, link: Entry) -> Result<Entry, Error> {
        let metadata =
            metadata(&link.path).map_err(|error| Error::new(&link.path, Step::Walk, error))?;
        let identity = Some([metadata.dev(), metadata.ino()]);
        if metadata.is_dir() && self.folders.iter().any(|folder| folder.identity == identity) {
            return Err(Error::plain(&link.path, Step::Follow));
        }
        let kind = FileType::from_raw_mode(metadata.mode());
        Ok(Entry { kind, inode: metadata.ino(), ..link })
    }

    /// Whether a directory is on another file system than its root and must be skipped.
    fn is_elsewhere(&self, entry: &Entry) -> io::Result<bool> {
        match self.device {
            Some(device) => Ok(metadata(&entry.path)?.dev() != device),
            None => Ok(false),
        }
    }

    fn is_output(&self, entry: &Entry) -> bool {
        // The directory entry has the inode number, so a stat is only needed if that matches.
        self.options.outputs.iter().any(|output| {
            entry.inode == output.inode
                && metadata(&entry.path).is_ok_and(|metadata| Identity::of(&metadata) == *output)
        })
    }
}

impl Iterator for Walk {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        loop {
            if let Some(error) = self.unreadable.pop_front() {
                return Some(Found::Unreadable(error));
            }
            let found = match self.folders.last_mut() {
                Some(folder) => match folder.next() {
                    Some(entry) => self.found(entry),
                    None => {
                        self.spare.extend(self.folders.pop().map(Folder::into_lists));
                        if let Some(ignored) = &mut self.ignored {
                            ignored.leave();
                        }
                        None
                    }
                },
                None => {
                    let root = self.roots.pop_front()?;
                    self.start(root)
                }
            };
            if found.is_some() {
                return found;
            }
        }
    }
}

/// Whether a file has the name of a [`TEMPORARY`].
fn is_temporary(path: &Path) -> bool {
    // The last bytes differ for all other names.
    let path = path.as_os_str().as_bytes();
    path.ends_with(TEMPORARY.as_bytes())
        && path.rsplit(|&byte| byte == b'/').next().is_some_and(|name| name.starts_with(b"."))
}

fn unreadable(entry: &Entry, error: io::Error) -> Found {
    Found::Unreadable(Error::new(&entry.path, Step::Walk, error))
}
