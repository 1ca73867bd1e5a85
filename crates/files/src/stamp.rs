//! What of a file's metadata tells whether it is the one that it was.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, SystemTime};

use rustix::fs::Stat;

/// How a regular file looked at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// The length in bytes.
    pub len: u64,
    /// When the contents were written last: seconds since 1970, and nanoseconds.
    pub modified: (i64, u32),
    /// When anything of the file was changed last, its metadata too.
    pub changed: (i64, u32),
    /// The number that its file system knows it by.
    pub inode: u64,
}

impl Stamp {
    /// How the file looked that this metadata is of.
    pub fn of(metadata: &Metadata) -> Self {
        Self {
            len: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec() as u32),
            changed: (metadata.ctime(), metadata.ctime_nsec() as u32),
            inode: metadata.ino(),
        }
    }

    /// Whether no later write can leave these times as they are, if reading began at `began`.
    ///
    /// A write within the same tick of the file system's clock as an earlier one changes no time.
    pub fn is_settled(&self, began: SystemTime) -> bool {
        // Before 1970 a clock was wrong.
        self.changed.0 >= 0
            && self.modified.0 >= 0
            && is_past(self.changed, began)
            && self.has_settled_contents(began)
    }

    /// Whether no later write can leave the time of the last write as it is, if reading began at
    /// `began`.
    pub fn has_settled_contents(&self, began: SystemTime) -> bool {
        is_past(self.modified, began)
    }

    /// Whether nothing tells that its contents were written to in between.
    pub(crate) fn has_contents_of(&self, before: &Self) -> bool {
        (self.len, self.modified) == (before.len, before.modified)
    }
}

/// The coarsest tick of a file system's clock is FAT's.
const TICK: Duration = Duration::from_secs(2);

/// Whether a time in seconds and nanoseconds since 1970 is at least a tick before `moment`.
fn is_past((seconds, nanoseconds): (i64, u32), moment: SystemTime) -> bool {
    match u64::try_from(seconds) {
        Ok(seconds) => moment
            .duration_since(SystemTime::UNIX_EPOCH)
            .is_ok_and(|moment| Duration::new(seconds, nanoseconds) + TICK <= moment),
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
