//! One message. Its blocks are screened in lanes, many at a time, and then compressed in order.

use core::fmt;

use lanesum_spec::Algorithm;

use super::pending::Pending;
use super::{BLOCK, BLOCKS, Checked, Detection, choice};
use crate::choose::AsEngine;
use crate::kernel::{One, Watcher};
use crate::words::{fill, pad};

/// Hashes one message whose bytes arrive in pieces, and checks each block for collision attacks.
#[derive(Clone)]
pub struct Sha1Dc {
    watched: Watched,
    /// The length of the message so far, in bytes.
    bytes: u64,
    /// The last `bytes % 64` bytes of the message.
    tail: [u8; BLOCK],
}

/// A chaining value, with the state of collision detection.
#[derive(Clone)]
struct Watched {
    one: One,
    watcher: Watcher,
    detection: Detection,
    state: [u32; 8],
    is_collision: bool,
}

impl Sha1Dc {
    /// Begins an empty message on the automatic kernels, with git's configuration.
    pub fn new() -> Self {
        Self::with(Algorithm::SHA1, Detection::new())
    }

    /// Begins an empty message on the engine's kernels, with the configuration `detection`.
    ///
    /// # Panics
    ///
    /// If the engine's algorithm is not SHA-1.
    #[track_caller]
    pub fn with(engine: impl AsEngine, detection: Detection) -> Self {
        let choice = choice(&engine);
        let watched = Watched {
            one: choice.one(),
            watcher: choice.watcher(),
            detection,
            state: Algorithm::SHA1.iv32(),
            is_collision: false,
        };
        Self { watched, bytes: 0, tail: [0; _] }
    }

    /// Appends `data` to the message.
    pub fn update(&mut self, data: impl AsRef<[u8]>) -> &mut Self {
        let data = data.as_ref();
        let tail_len = self.bytes as usize % BLOCK;
        self.bytes += data.len() as u64;
        fill(&mut self.tail, tail_len, data, |blocks| self.watched.compress(blocks));
        self
    }

    /// Appends the rest of `reader` to the message and returns the number of bytes read.
    ///
    /// # Errors
    ///
    /// Errors of `reader`, except interruptions, which are retried. The bytes read before the error
    /// are part of the message.
    #[cfg(feature = "std")]
    pub fn update_reader(&mut self, reader: impl std::io::Read) -> std::io::Result<u64> {
        crate::run::each_read(reader, |data| _ = self.update(data))
    }

    /// Returns the digest of the message so far, and whether a collision was detected. More data may
    /// be appended.
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
    /// Compresses all of `data`, which must be whole blocks.
    fn compress(&mut self, data: &[u8]) {
        for blocks in data.as_chunks::<BLOCK>().0.chunks(BLOCKS) {
            // Clearing the large buffer takes longer than checking two blocks.
            match blocks.len() {
                0..=2 => self.compress_by(blocks, [0; 2]),
                _ => self.compress_by(blocks, [0; BLOCKS]),
            }
        }
    }

    /// Compresses `blocks`. `suspects` is a buffer for the result of each block.
    #[inline(always)]
    fn compress_by<const N: usize>(&mut self, blocks: &[[u8; BLOCK]], mut suspects: [u32; N]) {
        let suspects = &mut suspects[..blocks.len()];
        self.watcher.screen(blocks.iter(), suspects);
        match suspects.iter().all(|&suspects| suspects == 0) {
            true => self.run(blocks),
            false => self.run_looking(blocks, suspects),
        }
    }

    /// Compresses blocks, and checks the blocks that fulfill the conditions of vectors.
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

/// Writing appends to the message; flushing does nothing.
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
