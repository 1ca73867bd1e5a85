//! Opens files relative to a cached directory.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::fs::CWD;

use crate::open::{Kinds, open_directory, open_in};

/// Opens files in sequence. The system resolves each component of a path, which at a depth of eight
/// is a large part of the cost of opening a file. So the second consecutive file in a directory opens
/// the directory, and it and later files are opened relative to it.
#[derive(Default)]
pub(crate) struct DirHandle {
    /// Whether descriptors are too scarce to keep a directory open.
    is_scarce: bool,
    /// The directory of the last file, with its trailing slash.
    folder: Vec<u8>,
    /// The open directory, from the second consecutive file in it on.
    open: Option<OwnedFd>,
}

impl DirHandle {
    /// Creates an opener, which keeps no directory open if descriptors are scarce.
    pub(crate) fn new(is_scarce: bool) -> Self {
        Self { is_scarce, ..Self::default() }
    }

    /// Closes the directory, whose name may refer to another one later.
    pub(crate) fn forget(&mut self) {
        *self = Self::new(self.is_scarce);
    }

    /// Opens a file for reading. The caller checks its kind.
    pub(crate) fn open(&mut self, path: &Path, kinds: Kinds) -> io::Result<File> {
        if self.is_scarce {
            return open_in(CWD, path, kinds);
        }
        let bytes = path.as_os_str().as_bytes();
        let name_start = bytes.iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1);
        let (folder, name) = bytes.split_at(name_start);
        if folder.is_empty() || folder != self.folder {
            self.folder.clear();
            self.folder.extend_from_slice(folder);
            self.open = None;
        } else if !name.is_empty() {
            if self.open.is_none() {
                self.open = open_directory(Path::new(OsStr::from_bytes(folder)), false).ok();
            }
            if let Some(open) = &self.open {
                if let Ok(file) = open_in(open, Path::new(OsStr::from_bytes(name)), kinds) {
                    return Ok(file);
                }
                // Another directory may have this name now: resolve the whole path.
                self.open = None;
            }
        }
        open_in(CWD, path, kinds)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Read;

    use super::*;

    fn read(dir_handle: &mut DirHandle, path: impl AsRef<Path>) -> io::Result<String> {
        let mut text = String::new();
        dir_handle.open(path.as_ref(), Kinds::Any)?.read_to_string(&mut text)?;
        Ok(text)
    }

    #[test]
    fn the_opened_files_are_those_of_the_whole_path() {
        let place = tempfile::tempdir().unwrap();
        let dir_handle = &mut DirHandle::default();
        for folder in ["a", "a/b", "c"] {
            fs::create_dir(place.path().join(folder)).unwrap();
            for name in ["1", "2", "3", "4"] {
                let path = place.path().join(folder).join(name);
                fs::write(&path, path.as_os_str().as_encoded_bytes()).unwrap();
            }
        }
        let names =
            ["a/1", "a/2", "a/3", "a/b/3", "a/b/4", "a/b/../4", "a/./4", "a/.//3", "c/2", "c/1"];
        for name in names.iter().chain(names.iter().rev()) {
            let path = place.path().join(name);
            let real = path.canonicalize().unwrap();
            assert_eq!(read(dir_handle, &path).unwrap(), real.to_str().unwrap(), "{name}");
        }
        assert_eq!(
            read(dir_handle, place.path().join("c/5")).unwrap_err().kind(),
            io::ErrorKind::NotFound
        );
        assert!(
            dir_handle.open(&place.path().join("c/1/"), Kinds::Any).is_err(),
            "not a directory"
        );
    }

    #[test]
    fn files_of_a_replaced_directory_are_found() {
        let place = tempfile::tempdir().unwrap();
        let (folder, other) = (place.path().join("folder"), place.path().join("other"));
        let dir_handle = &mut DirHandle::default();
        fs::create_dir(&folder).unwrap();
        for name in ["1", "2", "3"] {
            fs::write(folder.join(name), "old").unwrap();
            assert_eq!(read(dir_handle, folder.join(name)).unwrap(), "old");
        }
        fs::rename(&folder, &other).unwrap();
        fs::create_dir(&folder).unwrap();
        for name in ["3", "4"] {
            fs::write(folder.join(name), "new").unwrap();
        }
        assert_eq!(
            read(dir_handle, folder.join("4")).unwrap(),
            "new",
            "the old directory lacks this name"
        );
        assert_eq!(read(dir_handle, folder.join("3")).unwrap(), "new");
        dir_handle.forget();
        assert_eq!(read(dir_handle, folder.join("3")).unwrap(), "new");
    }
}
