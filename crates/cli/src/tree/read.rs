//! Hashes the leaves of a file in several threads. Each thread reads its own chunks.

use std::fs::{File, Metadata};
use std::io;
use std::num::NonZeroUsize;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use lanesum::tree::Tree;
use lanesum::{Done, Engine, Lanes, Message};
use lanesum_files::{Kinds, open};

use crate::args::MAX_BLOCK_BYTES;

/// Maximum length of a short leaf, in bytes. Short leaves are read whole, a batch for all lanes at
/// once; this includes the blocks of all block trees. Longer leaves have neither prefix nor
/// padding.
const MAX_SHORT_LEAF_BYTES: usize = MAX_BLOCK_BYTES;

/// Minimum read size for short leaves, in bytes.
const MIN_READ_BYTES: usize = 256 << 10;

/// Read size for long leaves, in bytes.
const LONG_LEAF_READ_BYTES: usize = 64 << 10;

/// Files whose leaves are hashed as if the files were concatenated.
pub(crate) struct Source {
    parts: Vec<Part>,
    /// The range of bytes that are hashed: from `start`, which begins a leaf, to `bytes`.
    pub(crate) start: u64,
    pub(crate) bytes: u64,
}

/// A file in its state when opened, or zeros if `file` is `None`.
struct Part {
    file: Option<(File, Metadata)>,
    /// Offset of its first byte in the concatenation.
    start: u64,
}

impl Source {
    /// Opens a single file.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let mut source = Self::none();
        source.add(path, None)?;
        Ok(source)
    }

    /// Creates an empty source.
    pub(crate) fn none() -> Self {
        Self { parts: Vec::new(), start: 0, bytes: 0 }
    }

    /// Adds a file, whose length must be `bytes` if given. Returns its length.
    pub(crate) fn add(&mut self, path: &Path, bytes: Option<u64>) -> io::Result<u64> {
        // Opening a FIFO would block until it has a writer.
        let file = open(path, Kinds::Storage)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(io::Error::other("not a regular file"));
        }
        let len = metadata.len();
        if let Some(bytes) = bytes.filter(|&bytes| bytes != len) {
            return Err(io::Error::other(format!("it has {len} bytes instead of {bytes}")));
        }
        self.parts.push(Part { file: Some((file, metadata)), start: self.bytes });
        self.bytes += len;
        Ok(len)
    }

    /// Adds zero bytes.
    pub(crate) fn add_zeros(&mut self, bytes: u64) {
        self.parts.push(Part { file: None, start: self.bytes });
        self.bytes += bytes;
    }

    /// Fills `to` with the bytes at offset `at`.
    fn read(&self, mut to: &mut [u8], mut at: u64) -> io::Result<()> {
        let mut part = self.parts.partition_point(|part| part.start <= at).saturating_sub(1);
        while !to.is_empty() {
            let end = self.parts.get(part + 1).map_or(u64::MAX, |next| next.start);
            let len = (end - at).min(to.len() as u64) as usize;
            let (here, rest) = to.split_at_mut(len);
            let Part { file, start } = &self.parts[part];
            match file {
                Some((file, _)) => file.read_exact_at(here, at - start).map_err(truncated_file)?,
                None => here.fill(0),
            }
            (to, at, part) = (rest, at + len as u64, part + 1);
        }
        Ok(())
    }

    /// Returns the concatenated digests of the leaves.
    pub(crate) fn leaves(
        &self,
        tree: &Tree,
        engine: &Engine,
        threads: Option<NonZeroUsize>,
    ) -> io::Result<Vec<u8>> {
        let threads = threads.or(thread::available_parallelism().ok()).map_or(1, usize::from);
        let next = AtomicU64::new(0);
        let work = || match tree.leaf_len() <= MAX_SHORT_LEAF_BYTES {
            true => self.short(tree, &next),
            false => self.long(tree.leaf_len() as u64, engine, &next),
        };
        let mut parts = Vec::new();
        thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            parts.extend(work()?);
            for other in others {
                parts.extend(other.join().expect("no thread panics")?);
            }
            io::Result::Ok(())
        })?;
        let seen = |of: &Metadata| (of.len(), of.mtime(), of.mtime_nsec());
        for (file, metadata) in self.parts.iter().filter_map(|part| part.file.as_ref()) {
            if seen(&file.metadata()?) != seen(metadata) {
                return Err(io::Error::other("it changed while being read"));
            }
        }
        parts.sort_unstable_by_key(|(number, _)| *number);
        Ok(parts.into_iter().flat_map(|(_, digests)| digests).collect())
    }

    /// Hashes chunks of whole leaves until none remain. Returns the number of each chunk, and its
    /// digests.
    fn short(&self, tree: &Tree, next: &AtomicU64) -> io::Result<Vec<(u64, Vec<u8>)>> {
        let chunk = (32 * tree.leaf_len()).max(MIN_READ_BYTES).next_multiple_of(tree.leaf_len());
        let mut buffer = vec![0; chunk];
        let mut parts = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let start = self.start + number * chunk as u64;
            if start >= self.bytes {
                return Ok(parts);
            }
            let here = &mut buffer[..(self.bytes - start).min(chunk as u64) as usize];
            self.read(here, start)?;
            let mut digests = Vec::new();
            tree.hash_leaves(here, &mut digests);
            parts.push((number, digests));
        }
    }

    /// Hashes leaves, one per lane, until none remain. Returns the number of each leaf, and its
    /// digest.
    fn long(
        &self,
        leaf_len: u64,
        engine: &Engine,
        next: &AtomicU64,
    ) -> io::Result<Vec<(u64, Vec<u8>)>> {
        let mut lanes = Lanes::new(engine);
        let mut parts = Vec::new();
        let mut take = |done: Done<Leaf<'_>>| {
            parts.push((done.message.number, done.digest?.as_bytes().to_vec()));
            io::Result::Ok(())
        };
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let start = self.start + number * leaf_len;
            if start >= self.bytes {
                break;
            }
            let end = self.bytes.min(start + leaf_len);
            let leaf = Leaf { source: self, number, start, end, buffer: Vec::new(), used: 0 };
            if let Some(done) = lanes.push(leaf) {
                take(done)?;
            }
        }
        lanes.drain().try_for_each(take)?;
        Ok(parts)
    }
}

/// A leaf that is read when its lane needs more bytes.
struct Leaf<'s> {
    source: &'s Source,
    number: u64,
    /// The unread range of the leaf.
    start: u64,
    end: u64,
    buffer: Vec<u8>,
    used: usize,
}

impl Message for Leaf<'_> {
    type Error = io::Error;

    fn fill(&mut self) -> io::Result<&[u8]> {
        if self.used == self.buffer.len() {
            self.buffer
                .resize((self.end - self.start).min(LONG_LEAF_READ_BYTES as u64) as usize, 0);
            self.source.read(&mut self.buffer, self.start)?;
            (self.start, self.used) = (self.start + self.buffer.len() as u64, 0);
        }
        Ok(&self.buffer[self.used..])
    }

    fn consume(&mut self, n: usize) {
        self.used += n;
    }
}

/// Reports a file that is shorter than when it was opened.
fn truncated_file(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => io::Error::other("it changed while being read"),
        _ => error,
    }
}
