//! `Hasher`: incremental hashing of one message.

use core::fmt;

use lanesum_spec::{Algorithm, MAX_BLOCK};

use super::chain::Chain;
use crate::Digest;
use crate::base::wipe;
use crate::choose::{AsEngine, Selected};
use crate::kernel::One;
use crate::words::fill;

/// Hashes one message whose bytes arrive in pieces of any length.
///
/// ```
/// use lanesum::{Algorithm, Hasher, hash};
///
/// let mut hasher = Hasher::new(Algorithm::SHA512);
/// hasher.update(b"fir");
/// hasher.update(b"st");
/// assert_eq!(hasher.finish(), hash(Algorithm::SHA512, b"first"));
///
/// // In one expression, or from a reader or another source.
/// assert_eq!(Hasher::new(Algorithm::SHA512).update("fir").update("st").finish(), hasher.finish());
/// let mut hasher = Hasher::new(Algorithm::SHA512);
/// std::io::copy(&mut &b"first"[..], &mut hasher)?;
/// assert_eq!(hasher.finish(), hash(Algorithm::SHA512, b"first"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone)]
pub struct Hasher {
    algorithm: Algorithm,
    one: One,
    pub(super) chain: Chain,
    /// The length of the message so far, in bytes.
    bytes: u64,
    /// The last `bytes % block_len` bytes of the message.
    tail: [u8; MAX_BLOCK],
}

impl Hasher {
    /// Begins an empty message on the engine's kernel for one message.
    #[inline(always)]
    pub fn new(engine: impl AsEngine) -> Self {
        let choice = engine.choice();
        let algorithm = choice.algorithm();
        Self::resumed(algorithm, choice.one(), Chain::initial(algorithm), 0)
    }

    /// Creates a hasher that needs a [`reset`](Self::reset) before its first use. Its memory is
    /// constants: copying an initial chaining value from the stack would stall the kernel that loads
    /// it.
    #[inline(always)]
    pub(crate) fn blank(algorithm: Algorithm) -> Self {
        let one = Selected::automatic(algorithm).one();
        Self::resumed(algorithm, one, Chain::W32([0; 8]), 0)
    }

    /// Resumes a message whose first `bytes` bytes, whole blocks, are in `chain`.
    #[inline(always)]
    pub(crate) fn resumed(algorithm: Algorithm, one: One, chain: Chain, bytes: u64) -> Self {
        Self { algorithm, one, chain, bytes, tail: [0; _] }
    }

    /// Returns the algorithm.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Returns the length of the message so far, in bytes.
    pub fn len(&self) -> u64 {
        self.bytes
    }

    /// Whether the message is empty so far.
    pub fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// Returns the length of the incomplete last block, in bytes.
    fn tail_len(&self) -> usize {
        // The block length is a power of two, so a mask replaces the division.
        self.bytes as usize & (self.algorithm.block_len() - 1)
    }

    /// Returns the bytes of the incomplete last block.
    pub(crate) fn tail(&self) -> &[u8] {
        &self.tail[..self.tail_len()]
    }

    /// Removes the bytes of the incomplete last block from the message.
    #[cfg(feature = "digest")]
    pub(crate) fn drop_tail(&mut self) {
        self.bytes -= self.tail_len() as u64;
    }

    /// Whether `len` more bytes leave the last block incomplete, so that nothing is compressed.
    #[inline]
    pub(crate) fn has_room(&self, len: usize) -> bool {
        len < self.algorithm.block_len() - self.tail_len()
    }

    /// Appends `data` to the message.
    pub fn update(&mut self, data: impl AsRef<[u8]>) -> &mut Self {
        self.add(data.as_ref());
        self
    }

    /// Returns the buffer of the last block. Bytes past the first `tail_len` are unspecified.
    pub(super) fn last_block(&mut self) -> &mut [u8] {
        &mut self.tail[..self.algorithm.block_len()]
    }

    /// Counts `len` more bytes, which the caller has added to the chaining value and the last block.
    pub(super) fn grow(&mut self, len: usize) {
        self.bytes += len as u64;
    }

    pub(crate) fn add(&mut self, data: &[u8]) {
        let tail_len = self.tail_len();
        self.bytes += data.len() as u64;
        let last = &mut self.tail[..self.algorithm.block_len()];
        fill(last, tail_len, data, |blocks| {
            self.chain.compress(self.one, blocks);
        });
    }

    /// Appends the rest of `reader` to the message and returns the number of bytes read.
    ///
    /// # Errors
    ///
    /// Errors of `reader`, except interruptions, which are retried. The bytes read before the error
    /// are part of the message.
    #[cfg(feature = "std")]
    pub fn update_reader(&mut self, reader: impl std::io::Read) -> std::io::Result<u64> {
        each_read(reader, |data| self.add(data))
    }

    /// Returns the digest of the message so far. More data may be appended.
    pub fn finish(&self) -> Digest {
        self.chain.end(self.one, self.algorithm, self.tail(), self.bytes)
    }

    /// Begins another message with the same algorithm and kernel.
    #[inline]
    pub fn reset(&mut self) -> &mut Self {
        self.chain.begin(self.algorithm);
        self.bytes = 0;
        self
    }

    /// Overwrites all state derived from the message.
    pub(crate) fn wipe(&mut self) {
        self.chain.wipe();
        wipe(&mut self.tail, 0);
    }

    /// Exports the state of the hash so far. [`import`](Self::import) resumes from it, later or in
    /// another process.
    ///
    /// The state reveals as much of the message as a digest does, and also the last bytes of the
    /// message, up to a block.
    pub fn export(&self) -> Exported {
        let mut exported = Exported { bytes: [0; _], len: 0 };
        exported.write(&MAGIC);
        let name = self.algorithm.name();
        exported.write(&[name.len() as u8]);
        exported.write(name.as_bytes());
        exported.write(&self.bytes.to_be_bytes());
        let family = self.algorithm.family();
        let word_len = family.word_bits() as usize / 8;
        for word in &self.chain.words()[..family.state_words()] {
            exported.write(&word.to_be_bytes()[8 - word_len..]);
        }
        exported.write(self.tail());
        exported
    }

    /// Resumes from an exported state.
    ///
    /// # Errors
    ///
    /// If `bytes` is not a complete exported state.
    pub fn import(bytes: &[u8]) -> Result<Self, ImportError> {
        let (algorithm, mut bytes) = state_head(bytes)?;
        let mut read = |n: usize| bytes.split_off(..n).ok_or(ImportError);
        let mut hasher = Self::new(algorithm);
        let mut number = |n: usize| {
            Ok::<u64, ImportError>(read(n)?.iter().fold(0, |sum, &b| sum << 8 | u64::from(b)))
        };
        hasher.bytes = number(8)?;
        if hasher.bytes > MAX_BYTES {
            return Err(ImportError);
        }
        let family = algorithm.family();
        let mut words = [0; 8];
        for word in &mut words[..family.state_words()] {
            *word = number(family.word_bits() as usize / 8)?;
        }
        hasher.chain = Chain::new(algorithm, words);
        let tail_len = hasher.tail_len();
        hasher.tail[..tail_len].copy_from_slice(read(tail_len)?);
        if bytes.is_empty() { Ok(hasher) } else { Err(ImportError) }
    }
}

/// Parses the algorithm of an exported state, and returns it with the remaining bytes.
pub(crate) fn state_head(mut bytes: &[u8]) -> Result<(Algorithm, &[u8]), ImportError> {
    let mut read = |n: usize| bytes.split_off(..n).ok_or(ImportError);
    if read(MAGIC.len())? != MAGIC {
        return Err(ImportError);
    }
    let name_len = read(1)?[0];
    let name = str::from_utf8(read(name_len.into())?).map_err(|_| ImportError)?;
    let algorithm = Algorithm::from_name(name).ok_or(ImportError)?;
    if name == algorithm.name() { Ok((algorithm, bytes)) } else { Err(ImportError) }
}

/// Calls `add` with the rest of `reader` in pieces, and returns the number of bytes read.
#[cfg(feature = "std")]
pub(crate) fn each_read(
    mut reader: impl std::io::Read,
    mut add: impl FnMut(&[u8]),
) -> std::io::Result<u64> {
    let mut buffer = vec![0; 64 << 10];
    let mut bytes = 0;
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return Ok(bytes),
            Ok(len) => {
                add(&buffer[..len]);
                bytes += len as u64;
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Writing appends to the message; flushing does nothing.
#[cfg(feature = "std")]
impl std::io::Write for Hasher {
    fn write(&mut self, data: &[u8]) -> std::io::Result<usize> {
        self.add(data);
        Ok(data.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl fmt::Debug for Hasher {
    /// Shows the algorithm and the length, but not the state, which may be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hasher")
            .field("algorithm", &self.algorithm)
            .field("bytes", &self.bytes)
            .finish_non_exhaustive()
    }
}

/// The maximum message length of the smaller families (FIPS 180-4 §1), in bytes: 2^64 - 1 bits. No
/// real message is as long, but an imported state may contain a larger number.
const MAX_BYTES: u64 = (1 << 61) - 1;

/// The magic bytes of an exported state: `LSM` and the version, 1.
const MAGIC: [u8; 4] = *b"LSM\x01";

/// The state of a [`Hasher`], in a stable format, version 1. Numbers are big-endian. The fields
/// are
///
/// - `LSM` and the byte 1;
/// - the length of the algorithm's name, as one byte, and the name;
/// - the length of the message so far in bytes, as eight bytes;
/// - the chaining value;
/// - the bytes of the incomplete last block.
#[derive(Clone)]
pub struct Exported {
    bytes: [u8; MAGIC.len() + 1 + 16 + 8 + 64 + MAX_BLOCK],
    len: usize,
}

impl Exported {
    fn write(&mut self, bytes: &[u8]) {
        self.bytes[self.len..][..bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
    }
}

impl AsRef<[u8]> for Exported {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

impl fmt::Debug for Exported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exported").field("len", &self.len).finish_non_exhaustive()
    }
}

/// The error for bytes that are not an exported state of a [`Hasher`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImportError;

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("invalid hash state: incomplete, or of an unsupported version or algorithm")
    }
}

impl core::error::Error for ImportError {}
