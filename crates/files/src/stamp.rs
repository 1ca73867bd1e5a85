//! Detects changes of a file by its metadata.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, SystemTime};

use rustix::fs::Stat;

/// The metadata of a regular file at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// The length in bytes.
    pub len: u64,
    /// Time of the last write to the contents: seconds since 1970, and nanoseconds.
    pub modified: (i64, u32),
    /// Time of the last change of contents or metadata.
    pub changed: (i64, u32),
    /// The inode number.
    pub inode: u64,
}

impl Stamp {
    /// Extracts the stamp from `metadata`.
    pub fn of(metadata: &Metadata) -> Self {
        Self {
            len: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec() as u32),
            changed: (metadata.ctime(), metadata.ctime_nsec() as u32),
            inode: metadata.ino(),
        }
    }

    /// Whether any later write must change these times, if reading began at `began`.
    ///
    /// A write within the same clock tick of the file system as an earlier one changes no time.
    pub fn is_settled(&self, began: SystemTime) -> bool {
        // A time before 1970 comes from a wrong clock.
        self.changed.0 >= 0
            && self.modified.0 >= 0
            && is_past(self.changed, began)
            && self.has_settled_contents(began)
    }

    /// Whether any later write must change the modification time, if reading began at `began`.
    pub fn has_settled_contents(&self, began: SystemTime) -> bool {
        is_past(self.modified, began)
    }

    /// Whether the metadata shows no write since `before`.
    pub(crate) fn has_contents_of(&self, before: &Self) -> bool {
        (self.len, self.modified) == (before.len, before.modified)
    }
}

/// The coarsest timestamp granularity of a file system, FAT's.
const COARSEST_TICK: Duration = Duration::from_secs(2);

/// Whether a time in seconds and nanoseconds since 1970 is at least a tick before `moment`.
fn is_past((seconds, nanoseconds): (i64, u32), moment: SystemTime) -> bool {
    match u64::try_from(seconds) {
        Ok(seconds) => moment
            .duration_since(SystemTime::UNIX_EPOCH)
            .is_ok_and(|moment| Duration::new(seconds, nanoseconds) + COARSEST_TICK <= moment),
        Err(_) => true,
    }
}

impl From<&Stat> for Stamp {
    // The types of these fields differ between systems.
    #[allow(clippy::unnecessary_cast)]
    fn from(stat: &Stat) -> Self {
        Self {
            len: stat.st_size as u64,
            modified: (stat.st_mtime as i64, stat.st_mtime_nsec as u32),
            changed: (stat.st_ctime as i64, stat.st_ctime_nsec as u32),
            inode: stat.st_ino as u64,
        }
    }
}
