//! Reads a file in runs of bytes.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use rustix::fs::{FileType, Stat, fstat};

use crate::ahead::ReadAhead;
use crate::buffer::{Buffer, retry};
use crate::descriptors::{Descriptors, Held};
use crate::dir_handle::DirHandle;
use crate::progress::{Long, Progress};
use crate::stamp::Stamp;
use crate::{Error, Kinds, Step};

/// A file that is being read.
///
/// For a small file the system calls are: open, fstat, read, close. If the read returns as many
/// bytes as fstat reported, the read that would return 0 is skipped.
pub(crate) struct Reading {
    state: State,
    buffer: Buffer,
    /// The available bytes are `buffer[start..end]`.
    start: usize,
    end: usize,
    /// Number of bytes read so far.
    total: u64,
    /// The file's metadata before the first read; `None` unless it is a regular file.
    before: Option<Stamp>,
    /// Whether a change of the file while it is read is not an error ([`Job::accepts_changes`](crate::Job::accepts_changes)).
    accepts_changes: bool,
    /// The progress counter of a long file.
    long: Option<Arc<Long>>,
    /// Counts the file while it is open.
    held: Option<Held>,
}

enum State {
    /// Read on demand.
    Open(Arc<File>),
    /// Read ahead on a separate thread.
    ReadAhead(ReadAhead),
    /// Read to its end.
    Ended,
}

/// Resources that are unused at the moment, so that reading ahead may pay off.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spare {
    /// No other file of this worker is in a lane.
    pub(crate) is_alone: bool,
    /// A core is idle.
    pub(crate) has_idle_core: bool,
}

/// Remaining length, in bytes, at which a file counts as long: worth a thread for reading ahead if
/// it is alone, and worth distributing among workers if it is not.
pub(crate) const LONG_FILE_BYTES: u64 = 4 << 20;

impl Reading {
    /// Opens the file and reads its first run.
    pub(crate) fn open(
        dir_handle: &mut DirHandle,
        path: &Path,
        kinds: Kinds,
        buffer: Buffer,
        accepts_changes: bool,
    ) -> Result<Self, Error> {
        let failed = |source| Error::new(path, Step::Open, source);
        let file = dir_handle.open(path, kinds).map_err(failed)?;
        Self::begin(file, path, kinds, buffer, accepts_changes)
    }

    /// Reads the first run of an open file.
    pub(crate) fn begin(
        file: File,
        path: &Path,
        kinds: Kinds,
        buffer: Buffer,
        accepts_changes: bool,
    ) -> Result<Self, Error> {
        // Check before the first read, which could consume bytes of a FIFO.
        let stat = stat(&file, path)?;
        kinds.check(&stat).map_err(|source| Error::new(path, Step::Open, source))?;
        let mut reading = Self {
            state: State::Ended,
            buffer,
            start: 0,
            end: 0,
            total: 0,
            before: is_regular(&stat).then(|| Stamp::from(&stat)),
            accepts_changes,
            long: None,
            held: None,
        };
        reading.end = read(&file, &mut reading.buffer, path)?;
        reading.total = reading.end as u64;
        if reading.before.is_some_and(|before| before.len == reading.total) {
            return Ok(reading);
        }
        if reading.end > 0 {
            reading.state = State::Open(Arc::new(file));
        }
        Ok(reading)
    }

    /// Returns the contents of the file if a single run reached its end.
    pub(crate) fn whole(&self) -> Option<&[u8]> {
        (matches!(self.state, State::Ended) && self.total == self.end as u64)
            .then(|| &self.buffer[..self.end])
    }

    /// Whether the file is long, judging by its remaining length.
    pub(crate) fn is_long(&self) -> bool {
        self.before.is_some_and(|before| before.len.saturating_sub(self.total) >= LONG_FILE_BYTES)
    }

    /// Counts the file while it is open.
    pub(crate) fn hold(&mut self, descriptors: &Descriptors) {
        self.held = Some(descriptors.hold());
    }

    /// Reports progress to `long` from now on.
    pub(crate) fn report_to(&mut self, long: Arc<Long>) {
        self.long = Some(long);
    }

    /// Returns the progress counter.
    pub(crate) fn progress(&self) -> Option<&Arc<Long>> {
        self.long.as_ref()
    }

    /// Returns the file's metadata from when reading began; `None` unless it is a regular file.
    pub(crate) fn stamp(&self) -> Option<Stamp> {
        self.before
    }

    /// Seeks to `offset`. Returns whether that is possible.
    pub(crate) fn skip_to(&mut self, offset: u64, path: &Path) -> Result<bool, Error> {
        let State::Open(file) = &mut self.state else { return Ok(false) };
        file.seek(SeekFrom::Start(offset))
            .map_err(|source| Error::new(path, Step::Read, source))?;
        (self.start, self.end, self.total) = (0, 0, offset);
        Ok(true)
    }

    /// Returns the number of bytes read so far.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// Whether no bytes are available and there may be more.
    #[inline]
    pub(crate) fn has_run_out(&self) -> bool {
        self.start == self.end && !matches!(self.state, State::Ended)
    }

    /// Reads the next run if no bytes are available. Returns the number of bytes read.
    pub(crate) fn advance(
        &mut self,
        path: &Path,
        spare: impl FnOnce() -> Spare,
    ) -> Result<usize, Error> {
        if !self.has_run_out() {
            return Ok(0);
        }
        self.refill(path, spare())?;
        Ok(self.end)
    }

    /// Returns the available bytes. After [`advance`](Self::advance), empty only at end of file.
    #[inline]
    pub(crate) fn available(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Lends the buffer of the available bytes, with their range, until `give_back`.
    pub(crate) fn lend(&mut self) -> (Box<[u8]>, Range<usize>) {
        (self.buffer.replace(Box::default()), self.start..self.end)
    }

    /// Takes back the buffer that was lent.
    pub(crate) fn give_back(&mut self, bytes: Box<[u8]>) {
        self.buffer.replace(bytes);
    }

    /// Drops the first `n` available bytes.
    #[inline]
    pub(crate) fn consume(&mut self, n: usize) {
        self.start += n;
        assert!(self.start <= self.end, "at most the available bytes can be consumed");
    }

    #[cold]
    fn refill(&mut self, path: &Path, spare: Spare) -> Result<(), Error> {
        (self.start, self.end) = (0, 0);
        if let State::Open(_) = self.state {
            self.adapt(spare);
        }
        match &mut self.state {
            State::Ended => {}
            State::Open(file) => self.end = read(file, &mut self.buffer, path)?,
            State::ReadAhead(ahead) => {
                self.end = ahead
                    .next(&mut self.buffer)
                    .map_err(|source| Error::new(path, Step::Read, source))?;
            }
        }
        self.total += self.end as u64;
        if let Some(long) = &self.long {
            Progress::read_long(long, self.total);
        }
        if self.end == 0 || self.is_at_known_end() {
            self.close(path)?;
        }
        Ok(())
    }

    /// Enlarges the buffer of a file that is alone, and starts reading ahead if it is also long.
    fn adapt(&mut self, spare: Spare) {
        if !spare.is_alone {
            return;
        }
        self.buffer.widen();
        // A pipe has no length: it counts as long once enough has been read from it.
        let long = match self.before {
            Some(before) => before.len.saturating_sub(self.total),
            None => self.total,
        };
        if spare.has_idle_core
            && long >= LONG_FILE_BYTES
            && let State::Open(file) = std::mem::replace(&mut self.state, State::Ended)
        {
            self.state = match ReadAhead::start(file, self.buffer.alone_len()) {
                Ok(ahead) => State::ReadAhead(ahead),
                Err(file) => State::Open(file),
            };
        }
    }

    /// Whether an unchanged regular file has been read to its reported length. The read that would
    /// return 0 is skipped.
    fn is_at_known_end(&self) -> bool {
        matches!(self.state, State::Open(_))
            && !self.accepts_changes
            && self.before.is_some_and(|before| before.len == self.total)
    }

    /// Closes a file that took more than one read. Fails if its metadata has changed.
    fn close(&mut self, path: &Path) -> Result<(), Error> {
        let file = match std::mem::replace(&mut self.state, State::Ended) {
            State::Open(file) => file,
            State::ReadAhead(ahead) => ahead.finish(),
            State::Ended => return Ok(()),
        };
        let before = self.before.filter(|_| !self.accepts_changes);
        let after = before.map(|_| stat(&file, path)).transpose()?;
        drop(file);
        self.held = None;
        let (Some(before), Some(after)) = (before, after) else { return Ok(()) };
        // Files of procfs report length 0 and files of sysfs a page, whatever their contents.
        let outgrown = before.len > 0 && self.total > before.len;
        if !is_regular(&after) || !Stamp::from(&after).has_contents_of(&before) || outgrown {
            return Err(Error::plain(path, Step::Compare));
        }
        Ok(())
    }
}

fn stat(file: &File, path: &Path) -> Result<Stat, Error> {
    fstat(file).map_err(|errno| Error::new(path, Step::Read, errno.into()))
}

fn is_regular(stat: &Stat) -> bool {
    FileType::from_raw_mode(stat.st_mode).is_file()
}

fn read(mut file: &File, buffer: &mut [u8], path: &Path) -> Result<usize, Error> {
    retry(|| file.read(buffer)).map_err(|source| Error::new(path, Step::Read, source))
}
