//! One message that arrives in pieces.

use core::fmt;

use lanesum_spec::Algorithm;

use super::blocks::Blocks;
use super::{BLOCK, Checked, Detection, choice};
use crate::choose::AsEngine;
use crate::words::{Width, fill, pad};

/// Hashes `message` on the engine's kernel for one message, and checks each block for collision attacks.
///
/// ```
/// use lanesum::Algorithm;
/// use lanesum::sha1dc::{self, Detection};
///
/// let checked = sha1dc::hash(Algorithm::SHA1, Detection::new(), "abc");
/// assert!(!checked.is_collision());
/// assert_eq!(checked.digest(), lanesum::sha1("abc"));
/// ```
///
/// # Panics
///
/// If the engine's algorithm is not SHA-1.
#[track_caller]
pub fn hash(engine: impl AsEngine, detection: Detection, message: impl AsRef<[u8]>) -> Checked {
    hash_by(&Blocks::new(choice(&engine), detection), message.as_ref())
}

/// Hashes `message` with these kernels.
pub(super) fn hash_by(blocks: &Blocks, message: &[u8]) -> Checked {
    let (mut state, mut is_collision) = (u32::iv(Algorithm::SHA1), false);
    let (whole, rest) = message.split_at(message.len() / BLOCK * BLOCK);
    if !whole.is_empty() {
        blocks.compress(&mut state, whole, &mut |_| is_collision = true);
    }
    end(blocks, state, is_collision, rest, message.len() as u64)
}

/// Compresses `rest`, the last bytes of a message of `bytes` bytes, with their padding.
#[inline]
fn end(
    blocks: &Blocks,
    mut state: [u32; 8],
    mut is_collision: bool,
    rest: &[u8],
    bytes: u64,
) -> Checked {
    let mut padded = [0; 2 * BLOCK];
    let len = pad(&mut padded, rest, BLOCK, true, bytes);
    blocks.compress(&mut state, &padded[..len], &mut |_| is_collision = true);
    Checked::new(&state, is_collision)
}

/// Hashes one message whose bytes arrive in pieces, and checks each block for collision attacks.
#[derive(Clone)]
pub struct Sha1Dc {
    blocks: Blocks,
    state: [u32; 8],
    is_collision: bool,
    /// The length of the message so far, in bytes.
    bytes: u64,
    /// The last `bytes % 64` bytes of the message.
    tail: [u8; BLOCK],
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
        Self {
            blocks: Blocks::new(choice(&engine), detection),
            state: u32::iv(Algorithm::SHA1),
            is_collision: false,
            bytes: 0,
            tail: [0; _],
        }
    }

    /// Appends `data` to the message.
    pub fn update(&mut self, data: impl AsRef<[u8]>) -> &mut Self {
        let data = data.as_ref();
        let tail_len = self.bytes as usize % BLOCK;
        self.bytes += data.len() as u64;
        fill(&mut self.tail, tail_len, data, |blocks| {
            self.blocks.compress(&mut self.state, blocks, &mut |_| self.is_collision = true);
        });
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
        let rest = &self.tail[..self.bytes as usize % BLOCK];
        end(&self.blocks, self.state, self.is_collision, rest, self.bytes)
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
            .field("is_collision", &self.is_collision)
            .finish_non_exhaustive()
    }
}
