//! Atomic replacement of files.

use std::ffi::{CString, OsStr};
use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::thread;

use lanesum_files::{Identity, TEMPORARY};
use rustix::fs::{
    Gid, Mode, OFlags, Uid, XattrFlags, fchmod, fchown, fremovexattr, fsetxattr, getxattr,
    listxattr,
};
use rustix::process::geteuid;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use crate::message::{Shown, print_message};

/// Flags with which opening neither follows a symlink nor blocks on a FIFO.
const NO_DETOUR: i32 = OFlags::NOFOLLOW.bits() as i32 | OFlags::NONBLOCK.bits() as i32;

/// Maximum length of an extended attribute's value, and of the list of names, on Linux, in bytes.
const XATTR_MAX: usize = 64 << 10;

/// The extended attribute of a POSIX ACL.
const ACL: &[u8] = b"system.posix_acl_access";

/// Error message for a file that another run has locked.
const BUSY: &str = "another run is writing it";

/// A file that replaces another atomically when it is complete. Until then it is
/// `.NAME.lanesum-tmp` in the same directory. A lock on it prevents two runs from writing the same
/// file.
pub(super) struct Replacement {
    file: File,
    temporary: PathBuf,
    path: PathBuf,
    published: bool,
}

impl Replacement {
    /// Creates the temporary file for `path`, which must be absent or a regular file.
    pub(super) fn of(path: PathBuf) -> io::Result<Self> {
        let temporary = temporary(&path, b"")?;
        remove_on_signals();
        // Lock the list before creating the file, so that a signal cannot leave an unlisted file
        // behind.
        let mut known = temporaries();
        // The temporary file must not be readable by users who cannot read the replaced file.
        let replaced = fs::metadata(&path).ok();
        let file = create(&temporary, if replaced.is_some() { 0o600 } else { 0o666 })?;
        known.push(temporary.clone());
        drop(known);
        // From here on, `drop` removes the temporary file.
        let ours = Self { file, temporary, path, published: false };
        if let Some(replaced) = replaced {
            let mode = mode_of(&replaced);
            set_mode(&ours.file, mode & Mode::RWXU, mode)?;
        }
        Ok(ours)
    }

    pub(super) fn file(&mut self) -> &mut File {
        &mut self.file
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn temporary(&self) -> &Path {
        &self.temporary
    }

    /// Returns the metadata of the temporary file and of the replaced file.
    pub(super) fn identities(&self) -> impl Iterator<Item = Metadata> {
        [self.file.metadata().ok(), fs::metadata(&self.path).ok()].into_iter().flatten()
    }

    /// Renames the temporary file once its contents are on disk. Preserves the mode, owner, ACLs
    /// and extended attributes of the replaced file as far as the system allows. With `backup`, the
    /// replaced file remains as `NAME.bak`.
    pub(super) fn publish(mut self, backup: bool) -> io::Result<()> {
        let replaced = fs::metadata(&self.path).ok();
        if let Some(replaced) = &replaced {
            self.preserve(replaced)?;
        }
        self.file.sync_all()?;
        if backup && replaced.is_some() {
            self.back_up()?;
        }
        let mut known = temporaries();
        // Without locks, another run may have replaced the temporary file.
        if !self.is_ours() {
            return Err(io::Error::new(ErrorKind::ResourceBusy, BUSY));
        }
        fs::rename(&self.temporary, &self.path)?;
        known.retain(|path| *path != self.temporary);
        drop(known);
        self.published = true;
        // Make the rename durable. Some file systems cannot sync a directory and do not need it.
        let directory = self.path.parent().filter(|directory| *directory != Path::new(""));
        let directory = File::open(directory.unwrap_or(Path::new(".")));
        let _ = directory.and_then(|directory| directory.sync_all());
        if let Some(replaced) = replaced.filter(|replaced| replaced.nlink() > 1) {
            print_message(format_args!(
                "{} was one of {} hard links; the others still have its old contents",
                Shown(self.path.as_os_str()),
                replaced.nlink()
            ));
        }
        Ok(())
    }

    /// Whether the temporary file's name still refers to this file.
    fn is_ours(&self) -> bool {
        let named = fs::symlink_metadata(&self.temporary).ok();
        let written = self.file.metadata().ok();
        named.zip(written).is_some_and(|(a, b)| Identity::of(&a) == Identity::of(&b))
    }

    fn preserve(&self, replaced: &Metadata) -> io::Result<()> {
        let ours = self.file.metadata()?;
        let (owner, group) = (Uid::from_raw(replaced.uid()), Gid::from_raw(replaced.gid()));
        if (ours.uid(), ours.gid()) != (replaced.uid(), replaced.gid())
            && fchown(&self.file, Some(owner), Some(group)).is_err()
        {
            // Only root may change the owner; the user may belong to the group.
            let _ = fchown(&self.file, None, Some(group));
        }
        let mut mode = mode_of(replaced);
        let has_group = self.file.metadata()?.gid() == replaced.gid();
        if !has_group {
            // If the group differs, it gets no more access than others.
            let others = (mode & Mode::RWXO).bits();
            mode = (mode & !Mode::RWXG) | Mode::from_bits_truncate(others << 3);
        }
        // The directory's default ACL must not grant access that the replaced file did not.
        let _ = fremovexattr(&self.file, "system.posix_acl_access");
        set_mode(&self.file, mode, mode)?;
        // Includes POSIX ACLs, which agree with the mode. Attributes that cannot be set are
        // skipped.
        let mut names = vec![0; XATTR_MAX];
        let len = listxattr(&self.path, &mut names[..]).unwrap_or(0);
        let mut value = vec![0; XATTR_MAX];
        let is_kept = |name: &&[u8]| !name.is_empty() && (has_group || *name != ACL);
        for name in names[..len].split(|&byte| byte == 0).filter(is_kept) {
            let Ok(name) = CString::new(name) else { continue };
            if let Ok(len) = getxattr(&self.path, &name, &mut value[..]) {
                let _ = fsetxattr(&self.file, &name, &value[..len], XattrFlags::empty());
            }
        }
        Ok(())
    }

    /// Links the replaced file to the backup name, which always refers to a complete file.
    fn back_up(&self) -> io::Result<()> {
        let mut name = self.path.as_os_str().to_owned();
        name.push(".bak");
        let (name, step) = (Path::new(&name), temporary(&self.path, b".bak")?);
        // Delays signals until the second name is renamed to the backup's or removed.
        let _known = temporaries();
        match fs::remove_file(&step) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        // Fall back to a copy if the file system lacks hard links.
        let linked = fs::hard_link(&self.path, &step).or_else(|_| {
            fs::copy(&self.path, &step)?;
            File::open(&step)?.sync_all()
        });
        let renamed = linked.and_then(|()| fs::rename(&step, name));
        // `rename` does nothing if both names refer to one file.
        let _ = fs::remove_file(&step);
        renamed
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if !self.published {
            let mut known = temporaries();
            if self.is_ours() {
                let _ = fs::remove_file(&self.temporary);
            }
            known.retain(|path| *path != self.temporary);
        }
    }
}

/// Returns the temporary file's name, in the directory of `path`, truncated to the maximum length.
fn temporary(path: &Path, suffix: &[u8]) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or(ErrorKind::IsADirectory)?.as_bytes();
    let room = 255 - 1 - suffix.len() - TEMPORARY.len();
    let name = &name[..name.len().min(room)];
    let name = [b".", name, suffix, TEMPORARY.as_bytes()].concat();
    Ok(path.with_file_name(OsStr::from_bytes(&name)))
}

fn mode_of(metadata: &Metadata) -> Mode {
    Mode::from_raw_mode(metadata.mode()) & (Mode::RWXU | Mode::RWXG | Mode::RWXO)
}

/// Sets the mode of a file. If the file system does not support this, such as FAT, accepts a mode
/// within `most`.
fn set_mode(file: &File, mode: Mode, most: Mode) -> io::Result<()> {
    fchmod(file, mode).or_else(|error| match most.contains(mode_of(&file.metadata()?)) {
        true => Ok(()),
        false => Err(error.into()),
    })
}

/// Creates and locks a new file. Removes one that a killed run left behind.
fn create(path: &Path, mode: u32) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).custom_flags(NO_DETOUR).mode(mode);
    loop {
        let file = match options.clone().create_new(true).open(path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => None,
            file => Some(file?),
        };
        let is_new = file.is_some();
        let file = match file.map_or_else(|| options.open(path), Ok) {
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) if is_in_the_way(path) => return Err(in_the_way(path, &error)),
            file => file?,
        };
        let ours = file.metadata().inspect_err(|_| {
            if is_new {
                let _ = fs::remove_file(path);
            }
        })?;
        // In a directory that others can write to, another user's file must not be removed.
        if !is_new && is_foreign(&ours) {
            return Err(in_the_way(path, &ErrorKind::PermissionDenied.into()));
        }
        match file.try_lock() {
            // Some file systems lack locks. There, the last run to start wins.
            Ok(()) | Err(TryLockError::Error(_)) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(io::Error::new(ErrorKind::ResourceBusy, BUSY));
            }
        }
        // Another run may have published or removed the file before it was locked.
        let is_there = fs::symlink_metadata(path)
            .is_ok_and(|metadata| Identity::of(&ours) == Identity::of(&metadata));
        match (is_there, is_new) {
            (true, true) => return Ok(file),
            (true, false) => fs::remove_file(path)?,
            (false, _) => {}
        }
    }
}

fn is_foreign(file: &Metadata) -> bool {
    file.uid() != geteuid().as_raw() || file.nlink() > 1 || !file.is_file()
}

fn is_in_the_way(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| !metadata.is_file())
}

fn in_the_way(path: &Path, error: &io::Error) -> io::Error {
    let text = format!("{} is in the way: remove it", Shown(path.as_os_str()));
    io::Error::new(error.kind(), text)
}

/// The existing temporary files, which signals remove.
fn temporaries() -> MutexGuard<'static, Vec<PathBuf>> {
    static TEMPORARIES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
    TEMPORARIES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes temporary files on SIGTERM, SIGINT and SIGHUP, then terminates with that signal.
fn remove_on_signals() {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        let (ready, wait) = channel::<()>();
        // If the thread cannot be started, signals terminate the command, and the next run removes
        // the leftover files.
        let _ = thread::Builder::new().name("signals".into()).spawn(move || {
            let caught =
                [SIGTERM, SIGINT, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal));
            let Ok(mut signals) = Signals::new(caught) else { return };
            drop(ready);
            for signal in signals.forever() {
                let known = temporaries();
                for path in &*known {
                    let _ = fs::remove_file(path);
                }
                let _ = emulate_default_handler(signal);
            }
        });
        let _ = wait.recv();
    });
}

/// Whether the process was started with a signal ignored, as by `nohup`.
fn is_ignored(signal: i32) -> bool {
    let Ok(status) = fs::read_to_string("/proc/self/status") else { return false };
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
