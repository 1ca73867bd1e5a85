//! One message. Its blocks are screened in lanes, many at once, before they are compressed one
//! after the other.

use core::fmt;

use lanesum_spec::Algorithm;

use super::pending::Pending;
use super::{BLOCK, BLOCKS, Checked, Detection, choice};
use crate::choose::AsEngine;
use crate::kernel::Watcher;
use crate::run::One;
use crate::words::{fill, pad};

/// Hashes one message, whose bytes come in any pieces, and looks at each block of it.
#[derive(Clone)]
pub struct Sha1Dc {
    watched: Watched,
    /// The length of what has come so far, in bytes.
    bytes: u64,
    /// The last `bytes % 64` bytes of it.
    tail: [u8; BLOCK],
}

/// A chaining value whose blocks are looked at.
#[derive(Clone)]
struct Watched {
    one: One,
    watcher: Watcher,
    detection: Detection,
    state: [u32; 8],
    is_collision: bool,
}

impl Sha1Dc {
    /// A message of no bytes yet.
    pub fn new() -> Self {
        Self::with(Algorithm::SHA1, Detection::new())
    }

    /// The same on the engine's kernels, with another detection.
    ///
    /// # Panics
    ///
    /// If the engine is not one of SHA-1.
    #[track_caller]
    pub fn with(engine: impl AsEngine, detection: Detection) -> Self {
        let choice = choice(&engine);
        let watched = Watched {
            one: One::of(choice),
            watcher: choice.watcher(),
            detection,
            state: Algorithm::SHA1.iv32(),
            is_collision: false,
        };
        Self { watched, bytes: 0, tail: [0; _] }
    }

    /// Adds `data` to the message.
    pub fn update(&mut self, data: impl AsRef<[u8]>) -> &mut Self {
        let data = data.as_ref();
        let tail_len = self.bytes as usize % BLOCK;
        self.bytes += data.len() as u64;
        fill(&mut self.tail, tail_len, data, |blocks| self.watched.compress(blocks));
        self
    }

    /// Adds all that `reader` has left, and says how many bytes that was.
    ///
    /// # Errors
    ///
    /// As [`Hasher::update_reader`](crate::Hasher::update_reader).
    #[cfg(feature = "std")]
    pub fn update_reader(&mut self, reader: impl std::io::Read) -> std::io::Result<u64> {
        crate::run::each_read(reader, |data| _ = self.update(data))
    }

    /// The digest of the message so far, and whether it is one of a collision. More may be added
    /// to it.
    pub fn finish(&self) -> Checked {
        let mut last = self.watched.clone();
        let rest = &self.tail[..self.bytes as usize % BLOCK];
        let mut padded = [0; 2 * BLOCK];
        let len = pad(&mut padded, rest, BLOCK, true, self.bytes);
        last.compress(&padded[..len]);
        Checked::new(&last.state, last.is_collision)
    }
}

impl Watched {
    /// Compresses all of `data`, which is whole blocks.
    fn compress(&mut self, data: &[u8]) {
        for blocks in data.as_chunks::<BLOCK>().0.chunks(BLOCKS) {
            // The room for many takes longer to clear than two blocks to look at.
            match blocks.len() {
                0..=2 => self.compress_by(blocks, [0; 2]),
                _ => self.compress_by(blocks, [0; BLOCKS]),
            }
        }
    }

    /// The same with this room for what is found of each.
    #[inline(always)]
    fn compress_by<const N: usize>(&mut self, blocks: &[[u8; BLOCK]], mut suspects: [u32; N]) {
        let suspects = &mut suspects[..blocks.len()];
        self.watcher.screen(blocks.iter(), suspects);
        match suspects.iter().all(|&suspects| suspects == 0) {
            true => self.run(blocks),
            false => self.run_looking(blocks, suspects),
        }
    }

    /// Compresses blocks of which some fulfil the conditions of vectors.
    #[cold]
    #[inline(never)]
    fn run_looking(&mut self, blocks: &[[u8; BLOCK]], suspects: &[u32]) {
        let mut pending = Pending::new(self.watcher, self.detection);
        let mut done = 0;
        for (i, &suspects) in suspects.iter().enumerate().filter(|(_, all)| **all != 0) {
            self.run(&blocks[done..i]);
            let before = self.state;
            self.run(&blocks[i..=i]);
            let mut is_collision = false;
            let states = [&before, &self.state];
            pending.add(suspects, &blocks[i], states, 0, &mut |_| is_collision = true);
            self.is_collision |= is_collision;
            if is_collision && self.detection.is_safe {
                self.run(&[blocks[i]; 2]);
            }
            done = i + 1;
        }
        self.run(&blocks[done..]);
        pending.finish(&mut |_| self.is_collision = true);
    }

    fn run(&mut self, blocks: &[[u8; BLOCK]]) {
        if !blocks.is_empty() {
            self.one.compress(&mut self.state, blocks.as_flattened());
        }
    }
}

impl Default for Sha1Dc {
    fn default() -> Self {
        Self::new()
    }
}

/// What is written is added to the message; nothing waits to be flushed.
#[cfg(feature = "std")]
impl std::io::Write for Sha1Dc {
    fn write(&mut self, data: &[u8]) -> std::io::Result<usize> {
        self.update(data);
        Ok(data.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl fmt::Debug for Sha1Dc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sha1Dc")
            .field("bytes", &self.bytes)
            .field("is_collision", &self.watched.is_collision)
            .finish_non_exhaustive()
    }
}
