//! The chaining value of one message.

use lanesum_spec::{Algorithm, Int};

use crate::Digest;
use crate::base::wipe;
use crate::kernel::{Ending, KernelWord, Link, One};
use crate::words::{Width, block_len};

/// A chaining value, in words of its family's width.
#[derive(Clone)]
pub(crate) enum Chain {
    W32([u32; 8]),
    W64([u64; 8]),
}

impl Chain {
    /// Creates a chaining value from the low bits of `words`.
    pub(crate) fn new(algorithm: Algorithm, words: [u64; 8]) -> Self {
        match algorithm.family().word_bits() {
            32 => Self::W32(words.map(Int::truncate)),
            _ => Self::W64(words),
        }
    }

    /// Returns the algorithm's initial chaining value.
    #[inline]
    pub(crate) fn initial(algorithm: Algorithm) -> Self {
        match algorithm.family().word_bits() {
            32 => Self::W32(u32::iv(algorithm)),
            _ => Self::W64(u64::iv(algorithm)),
        }
    }

    /// Sets the algorithm's initial chaining value in place. Copying one here in other 16-byte pieces
    /// than a kernel loads would defeat store-to-load forwarding.
    #[inline]
    pub(crate) fn begin(&mut self, algorithm: Algorithm) {
        match algorithm.family().word_bits() {
            32 => *self = Self::W32(u32::iv(algorithm)),
            _ => *self = Self::W64(u64::iv(algorithm)),
        }
    }

    /// Returns the words, each in the low bits.
    pub(crate) fn words(&self) -> [u64; 8] {
        match self {
            Self::W32(words) => words.map(u64::from),
            Self::W64(words) => *words,
        }
    }

    /// Compresses all of `data`, which must be whole blocks.
    #[inline]
    pub(crate) fn compress(&mut self, one: One, data: &[u8]) {
        match self {
            Self::W32(words) => one.compress(words, data),
            Self::W64(words) => one.compress(words, data),
        }
    }

    /// Returns the digest of a message of `bytes` bytes. `end` is its last part, and `self` the
    /// chaining value of the blocks before.
    #[inline]
    pub(crate) fn end(&self, one: One, algorithm: Algorithm, end: &[u8], bytes: u64) -> Digest {
        #[inline]
        fn of<I: KernelWord>(
            words: &[I; 8],
            one: One,
            algorithm: Algorithm,
            end: &[u8],
            bytes: u64,
        ) -> Digest {
            // Copy only the words: a copy of `self` would defeat store-to-load forwarding, because the
            // kernel has just stored other 16-byte pieces.
            let mut words = *words;
            one.finish(&mut words, end, Ending::after(bytes - end.len() as u64));
            let digest = Digest::of(algorithm, &words);
            wipe(&mut words, I::ZERO);
            digest
        }
        match self {
            Self::W32(words) => of(words, one, algorithm, end, bytes),
            Self::W64(words) => of(words, one, algorithm, end, bytes),
        }
    }

    /// Returns an HMAC tag: hashes `message` from `self`, the inner key block, and the result from `outer`. The
    /// caller overwrites the stack that this uses.
    ///
    /// # Panics
    ///
    /// If the two have words of different widths.
    #[inline]
    pub(crate) fn tag(
        &self,
        outer: &Self,
        one: One,
        algorithm: Algorithm,
        message: &[u8],
    ) -> Digest {
        match (self, outer) {
            (Self::W32(inner), Self::W32(outer)) => tag([inner, outer], one, algorithm, message),
            (Self::W64(inner), Self::W64(outer)) => tag([inner, outer], one, algorithm, message),
            _ => unreachable!("both are of one algorithm"),
        }
    }

    /// Returns the digest, if this is the final chaining value of a message.
    pub(crate) fn digest(&self, algorithm: Algorithm) -> Digest {
        match self {
            Self::W32(words) => Digest::of(algorithm, words),
            Self::W64(words) => Digest::of(algorithm, words),
        }
    }

    /// Overwrites the words.
    pub(crate) fn wipe(&mut self) {
        match self {
            Self::W32(words) => wipe(words, 0),
            Self::W64(words) => wipe(words, 0),
        }
    }
}

/// [`Chain::tag`], for words of one width.
#[inline]
fn tag<I: KernelWord>(
    [inner, outer]: [&[I; 8]; 2],
    one: One,
    algorithm: Algorithm,
    message: &[u8],
) -> Digest {
    let before = block_len::<I>() as u64;
    let ending = Ending::after(before);
    if ending.are_one_block(algorithm.family(), &[message])
        && let Some(digest) = one.digest_block(inner, message, ending)
        && let Some(tag) =
            one.digest_block(outer, &digest.as_ref()[..algorithm.digest_len()], ending)
    {
        return Digest::of_bytes(algorithm, tag.as_ref());
    }
    let mut words = *inner;
    if one.has_fast_loop() {
        // Created first, so that it is in memory when the outer hash reads it.
        let link = Link::new(algorithm);
        one.finish(&mut words, message, Ending::after(before));
        one.outer(&mut words, outer, &link);
    } else {
        one.finish(&mut words, message, Ending::after(before));
        let digest = Digest::of(algorithm, &words);
        words = *outer;
        one.finish(&mut words, digest.as_bytes(), Ending::after(before));
    }
    Digest::of(algorithm, &words)
}
