//! Reads one file, a run of bytes at a time.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use rustix::fs::{FileType, Stat, fstat};

use crate::ahead::Ahead;
use crate::buffer::{Buffer, retry};
use crate::descriptors::{Descriptors, Held};
use crate::nearby::Nearby;
use crate::progress::{Long, Progress};
use crate::stamp::Stamp;
use crate::{Error, Kinds, Step};

/// A file that is being read.
///
/// For a small file these are the system calls: open, fstat, read, close. If the read returns as
/// many bytes as fstat reported, there is no need of another read that returns none.
pub(crate) struct Reading {
    state: State,
    buffer: Buffer,
    /// The bytes at hand are `buffer[start..end]`.
    start: usize,
    end: usize,
    /// Bytes read so far.
    total: u64,
    /// The file's metadata before the first read; none unless it is a regular file.
    before: Option<Stamp>,
    /// Whether it may look otherwise after the last.
    may_change: bool,
    /// Where it is told how far a long file has been read.
    long: Option<Arc<Long>>,
    /// Counts the file while it is open.
    held: Option<Held>,
}

enum State {
    /// Read when asked for more.
    Open(Arc<File>),
    /// Read by a thread of its own.
    Ahead(Ahead),
    /// All has been read.
    Ended,
}

/// What a reader is told about the moment: whether it pays to read ahead.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Company {
    /// No other file of this worker is in a lane.
    pub(crate) alone: bool,
    /// A core has nothing to do.
    pub(crate) idle_core: bool,
}

/// A file of which so much is left to read, in bytes, is long: worth a thread that reads
/// it when it is alone, and worth being shared out among workers when it is not.
pub(crate) const LONG: u64 = 4 << 20;

impl Reading {
    /// Opens the file and reads its first run.
    pub(crate) fn open(
        nearby: &mut Nearby,
        path: &Path,
        kinds: Kinds,
        buffer: Buffer,
        may_change: bool,
    ) -> Result<Self, Error> {
        let failed = |source| Error::new(path, Step::Open, source);
        let file = nearby.open(path, kinds).map_err(failed)?;
        Self::begin(file, path, kinds, buffer, may_change)
    }

    /// Reads the first run of a file that is open.
    pub(crate) fn begin(
        file: File,
        path: &Path,
        kinds: Kinds,
        buffer: Buffer,
        may_change: bool,
    ) -> Result<Self, Error> {
        // Before the first read, which could take bytes out of a FIFO.
        let stat = stat(&file, path)?;
        kinds.check(&stat).map_err(|source| Error::new(path, Step::Open, source))?;
        let mut reading = Self {
            state: State::Ended,
            buffer,
            start: 0,
            end: 0,
            total: 0,
            before: is_regular(&stat).then(|| Stamp::from(&stat)),
            may_change,
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

    /// The whole file, if it has been read to its end in one run.
    pub(crate) fn whole(&self) -> Option<&[u8]> {
        (matches!(self.state, State::Ended) && self.total == self.end as u64)
            .then(|| &self.buffer[..self.end])
    }

    /// Whether much is left of it, as far as its length tells.
    pub(crate) fn is_long(&self) -> bool {
        self.before.is_some_and(|before| before.len.saturating_sub(self.total) >= LONG)
    }

    /// Counts the file while it is open.
    pub(crate) fn hold(&mut self, descriptors: &Descriptors) {
        self.held = Some(descriptors.hold());
    }

    /// Tells from now on how far it has been read.
    pub(crate) fn tell(&mut self, long: Arc<Long>) {
        self.long = Some(long);
    }

    /// What it tells how far it has been read.
    pub(crate) fn told(&self) -> Option<&Arc<Long>> {
        self.long.as_ref()
    }

    /// How the file looked when reading began; none of what is no regular file.
    pub(crate) fn stamp(&self) -> Option<Stamp> {
        self.before
    }

    /// Goes on at `offset` in place of where it is; whether it can.
    pub(crate) fn skip_to(&mut self, offset: u64, path: &Path) -> Result<bool, Error> {
        let State::Open(file) = &mut self.state else { return Ok(false) };
        file.seek(SeekFrom::Start(offset))
            .map_err(|source| Error::new(path, Step::Read, source))?;
        (self.start, self.end, self.total) = (0, 0, offset);
        Ok(true)
    }

    /// Bytes read so far.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// Whether no bytes are at hand and there may be more.
    #[inline]
    pub(crate) fn has_run_out(&self) -> bool {
        self.start == self.end && !matches!(self.state, State::Ended)
    }

    /// Reads on if no bytes are at hand, and returns how many it read.
    pub(crate) fn advance(
        &mut self,
        path: &Path,
        company: impl FnOnce() -> Company,
    ) -> Result<usize, Error> {
        if !self.has_run_out() {
            return Ok(0);
        }
        self.refill(path, company())?;
        Ok(self.end)
    }

    /// The bytes at hand: after [`advance`](Self::advance) none only at the end of the file.
    #[inline]
    pub(crate) fn at_hand(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// The buffer that the bytes at hand are in, and where in it, until it is given back.
    pub(crate) fn lend(&mut self) -> (Box<[u8]>, Range<usize>) {
        (self.buffer.replace(Box::default()), self.start..self.end)
    }

    /// Takes back the buffer that was lent.
    pub(crate) fn give_back(&mut self, bytes: Box<[u8]>) {
        self.buffer.replace(bytes);
    }

    /// Drops the first `n` bytes at hand.
    #[inline]
    pub(crate) fn consume(&mut self, n: usize) {
        self.start += n;
        assert!(self.start <= self.end, "no more can be consumed than is at hand");
    }

    #[cold]
    fn refill(&mut self, path: &Path, company: Company) -> Result<(), Error> {
        (self.start, self.end) = (0, 0);
        if let State::Open(_) = self.state {
            self.adapt(company);
        }
        match &mut self.state {
            State::Ended => {}
            State::Open(file) => self.end = read(file, &mut self.buffer, path)?,
            State::Ahead(ahead) => {
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

    /// Larger reads for a file alone, and a thread for one that is long besides.
    fn adapt(&mut self, company: Company) {
        if !company.alone {
            return;
        }
        self.buffer.widen();
        // What has no length, a pipe, has proved itself long or not yet.
        let long = match self.before {
            Some(before) => before.len.saturating_sub(self.total),
            None => self.total,
        };
        if company.idle_core
            && long >= LONG
            && let State::Open(file) = std::mem::replace(&mut self.state, State::Ended)
        {
            self.state = match Ahead::start(file, self.buffer.alone_len()) {
                Ok(ahead) => State::Ahead(ahead),
                Err(file) => State::Open(file),
            };
        }
    }

    /// A regular file that has not changed ends where its length says, so there is no
    /// need of a read that gives nothing.
    fn is_at_known_end(&self) -> bool {
        matches!(self.state, State::Open(_))
            && !self.may_change
            && self.before.is_some_and(|before| before.len == self.total)
    }

    /// The end of a file that took more than one read: it must look as it did.
    fn close(&mut self, path: &Path) -> Result<(), Error> {
        let file = match std::mem::replace(&mut self.state, State::Ended) {
            State::Open(file) => file,
            State::Ahead(ahead) => ahead.finish(),
            State::Ended => return Ok(()),
        };
        let before = self.before.filter(|_| !self.may_change);
        let after = before.map(|_| stat(&file, path)).transpose()?;
        drop(file);
        self.held = None;
        let (Some(before), Some(after)) = (before, after) else { return Ok(()) };
        // Files of procfs have no length and those of sysfs a page, whatever they hold.
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
