//! Opens paths of any length, and files without blocking on a FIFO's writer.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, Stat, fstat, openat, statat};
use rustix::io::{Errno, retry_on_intr};

/// The maximum length of a path in a system call, in bytes, including the terminating NUL.
const PATH_MAX: usize = 4096;

/// The kinds of files to read. Opening a file of another kind fails and never blocks, so a FIFO in
/// place of a listed file cannot hang a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kinds {
    /// Any file that can be opened, for files that the user named. Opening a FIFO waits for its
    /// writer.
    #[default]
    Any,
    /// All except FIFOs.
    NoFifo,
    /// Regular files and block devices.
    Storage,
}

impl Kinds {
    /// The `open` flags.
    fn flags(self) -> OFlags {
        let flags = OFlags::RDONLY | OFlags::CLOEXEC;
        match self {
            Self::Any => flags,
            Self::NoFifo | Self::Storage => flags | OFlags::NONBLOCK | OFlags::NOCTTY,
        }
    }

    /// Fails if an open file is of another kind. Accepts a directory: reading it fails with the
    /// system's own error.
    pub(crate) fn check(self, stat: &Stat) -> io::Result<()> {
        let is_accepted = match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile | FileType::BlockDevice | FileType::Directory => true,
            FileType::CharacterDevice => self != Self::Storage,
            _ => self == Self::Any,
        };
        if is_accepted { Ok(()) } else { Err(io::Error::other("not a regular file")) }
    }
}

/// Opens a file of one of the `kinds` for reading. The path may be longer than `PATH_MAX`.
///
/// # Errors
///
/// If it cannot be opened, or is of another kind.
pub fn open(path: &Path, kinds: Kinds) -> io::Result<File> {
    let file = open_in(CWD, path, kinds)?;
    if kinds != Kinds::Any {
        kinds.check(&fstat(&file)?)?;
    }
    Ok(file)
}

/// Returns the metadata of a path, which may be longer than `PATH_MAX`. Follows symlinks.
///
/// # Errors
///
/// If the metadata cannot be read.
pub fn metadata(path: &Path) -> io::Result<Metadata> {
    if path.as_os_str().len() < PATH_MAX {
        return fs::metadata(path);
    }
    File::from(open_long(CWD, path, OFlags::PATH | OFlags::CLOEXEC)?).metadata()
}

/// Returns the metadata of a path, which may be longer than `PATH_MAX`. Does not follow a symlink
/// in the last component.
///
/// # Errors
///
/// If the metadata cannot be read.
pub fn symlink_metadata(path: &Path) -> io::Result<Metadata> {
    if path.as_os_str().len() < PATH_MAX {
        return fs::symlink_metadata(path);
    }
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    File::from(open_long(CWD, path, flags)?).metadata()
}

/// Opens a file relative to `directory`. The caller checks its kind.
pub(crate) fn open_in(directory: impl AsFd, path: &Path, kinds: Kinds) -> io::Result<File> {
    let opened = open_long(&directory, path, kinds.flags());
    let opened = match opened {
        // Another program holds a lease on the file. A blocking open makes it release the lease.
        Err(Errno::AGAIN) if is_regular(&directory, path) => {
            open_long(&directory, path, Kinds::Any.flags())
        }
        opened => opened,
    };
    Ok(opened?.into())
}

/// Opens a directory, either to list it or only to open entries.
pub(crate) fn open_directory(path: &Path, is_listed: bool) -> io::Result<OwnedFd> {
    let access = if is_listed { OFlags::RDONLY } else { OFlags::PATH };
    Ok(open_long(CWD, path, access | OFlags::DIRECTORY | OFlags::CLOEXEC)?)
}

fn is_regular(directory: impl AsFd, path: &Path) -> bool {
    let stat = statat(directory, path, AtFlags::empty());
    stat.is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode).is_file())
}

/// Opens a path. A path that is too long for one system call is resolved in pieces, each relative
/// to the directory of the previous one.
fn open_long(directory: impl AsFd, path: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    let mut rest = path.as_os_str().as_bytes();
    let mut open: Option<OwnedFd> = None;
    loop {
        let start = open.as_ref().map_or(directory.as_fd(), AsFd::as_fd);
        let open_at = |piece: &[u8], flags| {
            retry_on_intr(|| openat(start, OsStr::from_bytes(piece), flags, Mode::empty()))
        };
        if rest.len() < PATH_MAX {
            return open_at(rest, flags);
        }
        let Some(slash) = rest[..PATH_MAX - 1].iter().rposition(|&byte| byte == b'/') else {
            return Err(Errno::NAMETOOLONG);
        };
        // If the first piece is only a slash, it is the root.
        let (piece, after) = rest.split_at(slash.max(1));
        open = Some(open_at(piece, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC)?);
        let name_start = after.iter().position(|&byte| byte != b'/').unwrap_or(after.len());
        // The rest is relative. If only slashes are left, open the directory itself.
        rest = match &after[name_start..] {
            b"" => b".",
            rest => rest,
        };
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::path::PathBuf;

    use rustix::fs::{mkdirat, mknodat};

    use super::*;

    /// Creates `depth` nested directories with a file in the innermost one, and returns the file's
    /// path.
    fn deep(top: &Path, depth: usize) -> PathBuf {
        let name = "a directory of twenty";
        let mut path = top.to_owned();
        let mut directory = open_directory(top, false).unwrap();
        for _ in 0..depth {
            mkdirat(&directory, name, Mode::RWXU).unwrap();
            path.push(name);
            let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
            directory = openat(&directory, name, flags, Mode::empty()).unwrap();
        }
        let flags = OFlags::CREATE | OFlags::WRONLY | OFlags::CLOEXEC;
        let file = openat(&directory, "file", flags, Mode::RUSR | Mode::WUSR).unwrap();
        rustix::io::write(&file, b"deep").unwrap();
        path.join("file")
    }

    #[test]
    fn a_path_of_any_length_is_opened() {
        let place = tempfile::tempdir().unwrap();
        let path = deep(place.path(), 600);
        assert!(path.as_os_str().len() > 3 * PATH_MAX);
        for kinds in [Kinds::Any, Kinds::Storage] {
            let mut text = String::new();
            open(&path, kinds).unwrap().read_to_string(&mut text).unwrap();
            assert_eq!(text, "deep");
        }
        assert_eq!(metadata(&path).unwrap().len(), 4);
        assert!(symlink_metadata(&path).unwrap().is_file());
        let parent = path.parent().unwrap();
        assert!(metadata(parent).unwrap().is_dir());
        assert!(metadata(&parent.join("")).unwrap().is_dir());
        let error = open(&parent.join("missing"), Kinds::Any).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        // Repeated slashes move the first cut to every position.
        for slashes in 1..60 {
            let text = path.to_str().unwrap();
            let (first, rest) = text.split_at(place.path().as_os_str().len());
            let path = format!("{first}{}{rest}", "/".repeat(slashes));
            assert_eq!(metadata(Path::new(&path)).unwrap().len(), 4, "{slashes}");
        }
        let slashes = format!("{}{}", "/".repeat(2 * PATH_MAX), &path.to_str().unwrap()[1..]);
        assert_eq!(metadata(Path::new(&slashes)).unwrap().len(), 4);
        assert!(metadata(Path::new(&"/".repeat(2 * PATH_MAX))).unwrap().is_dir());
        let long_name = "x".repeat(2 * PATH_MAX);
        let error = open(Path::new(&long_name), Kinds::Any).unwrap_err();
        assert_eq!(error.raw_os_error(), Some(Errno::NAMETOOLONG.raw_os_error()));
    }

    #[test]
    fn a_fifo_or_a_device_that_was_not_named_is_refused_at_once() {
        let place = tempfile::tempdir().unwrap();
        let fifo = place.path().join("fifo");
        mknodat(CWD, &fifo, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        for (path, kinds) in [
            (&*fifo, Kinds::NoFifo),
            (&*fifo, Kinds::Storage),
            (Path::new("/dev/zero"), Kinds::Storage),
        ] {
            let error = open(path, kinds).unwrap_err();
            assert_eq!(error.to_string(), "not a regular file", "{path:?}");
        }
        assert!(open(Path::new("/dev/zero"), Kinds::NoFifo).is_ok());
        assert!(open(Path::new("/dev/zero"), Kinds::Any).is_ok());
    }
}
