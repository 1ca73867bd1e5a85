//! An incremental hash, in a copy of the caller's context.

use engine::{Algorithm, Digest, unstable};
use lanesum_spec::{Family, Int};

use crate::layout::{Layout, Sha2, Solaris};
use crate::md4;

/// An algorithm of the engine, or MD4, which only this library supports.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hash {
    Engine(Algorithm),
    Md4,
}

impl Hash {
    /// Returns the algorithm with the same words, blocks, padding, initial value and digest length.
    /// For MD4 this is MD5 (RFC 1320 §3.1 to §3.5, RFC 1321).
    fn form(self) -> Algorithm {
        match self {
            Self::Engine(algorithm) => algorithm,
            Self::Md4 => Algorithm::MD5,
        }
    }

    /// Returns the length of a block, in bytes.
    pub(crate) fn block_len(self) -> usize {
        self.form().block_len()
    }

    /// Returns the length of a digest, in bytes.
    pub(crate) fn digest_len(self) -> usize {
        self.form().digest_len()
    }

    fn family(self) -> Family {
        self.form().family()
    }

    /// Whether padding counts toward the message length, as in algorithms older than SHA-2.
    fn counts_padding(self) -> bool {
        !matches!(self.family(), Family::Sha256 | Family::Sha512)
    }

    /// Compresses whole blocks into `words`, which are in the low bits.
    pub(crate) fn compress(self, words: &mut [u64; 8], blocks: &[u8]) {
        match self {
            Self::Engine(algorithm) => unstable::compress(algorithm, words, blocks),
            Self::Md4 => {
                let mut state = [0, 1, 2, 3].map(|i| words[i] as u32);
                blocks.as_chunks().0.iter().for_each(|block| md4::compress(&mut state, block));
                words.iter_mut().zip(state).for_each(|(to, word)| *to = word.into());
            }
        }
    }
}

/// Compresses whole blocks into `words`, a chaining value with N words of the algorithm's width.
pub(crate) fn compress<I: Int, const N: usize>(hash: Hash, words: &mut [I; N], blocks: &[u8]) {
    let mut wide = [0; 8];
    wide.iter_mut().zip(*words).for_each(|(to, word)| *to = word.widen());
    hash.compress(&mut wide, blocks);
    words.iter_mut().zip(wide).for_each(|(to, word)| *to = I::truncate(word));
}

/// An incremental hash.
pub(crate) struct Live {
    hash: Hash,
    /// The chaining value, in the low bits.
    words: [u64; 8],
    /// The length of the message so far, in bits.
    bits: u128,
    /// The bytes of the incomplete last block.
    last: [u8; 128],
}

impl Live {
    /// Begins a message.
    pub(crate) fn new(hash: Hash) -> Self {
        Self { hash, words: hash.form().iv(), bits: 0, last: [0; _] }
    }

    /// Returns the number of bytes in the last block.
    fn filled(&self) -> usize {
        (self.bits / 8) as usize % self.hash.block_len()
    }

    /// Adds `data` to the message.
    pub(crate) fn update(&mut self, data: &[u8]) {
        let (hash, filled) = (self.hash, self.filled());
        self.bits = self.bits.wrapping_add(data.len() as u128 * 8);
        unstable::fill(&mut self.last[..hash.block_len()], filled, data, |blocks| {
            hash.compress(&mut self.words, blocks);
        });
    }

    /// Pads the message, after which the chaining value is the digest.
    pub(crate) fn pad(&mut self) {
        let family = self.hash.family();
        let len = self.filled();
        let mut tail = [0; 256];
        tail[..len].copy_from_slice(&self.last[..len]);
        // Write the length here, since it may have 128 bits.
        let padded = lanesum_spec::pad(family, &mut tail, len, 0);
        let field = &mut tail[padded - family.length_len()..padded];
        if family.is_big_endian() {
            field.copy_from_slice(&self.bits.to_be_bytes()[16 - family.length_len()..]);
        } else {
            field.copy_from_slice(&self.bits.to_le_bytes()[..family.length_len()]);
        }
        self.hash.compress(&mut self.words, &tail[..padded]);
        let block = family.block_len();
        // libmd also leaves the padded block here, for callers that continue after padding.
        self.last[..block].copy_from_slice(&tail[padded - block..padded]);
        if self.hash.counts_padding() {
            self.bits = self.bits.wrapping_add((padded - len) as u128 * 8);
        }
    }

    /// Returns the digest of the message.
    pub(crate) fn finish(mut self) -> Digest {
        self.pad();
        unstable::digest(self.hash.form(), self.words)
    }
}

/// A caller's context that stores an incremental hash.
pub(crate) trait Kept: Copy {
    /// The context of a finished message, with no trace of it.
    const FINISHED: Self;

    /// Reads the hash from the context.
    fn load(&self, hash: Hash) -> Live;

    /// Writes the hash to the context.
    fn store(&mut self, live: &Live);
}

/// A field with the chaining value, in words of `bits` bits. Missing words read as 0.
pub(crate) trait Words: Copy {
    /// All words 0.
    const ZERO: Self;
    fn get(&self, bits: u32) -> [u64; 8];
    fn set(&mut self, bits: u32, words: &[u64; 8]);
}

impl<const N: usize> Words for [u32; N] {
    const ZERO: Self = [0; N];

    fn get(&self, _: u32) -> [u64; 8] {
        core::array::from_fn(|i| if i < N { self[i].into() } else { 0 })
    }

    fn set(&mut self, _: u32, words: &[u64; 8]) {
        self.iter_mut().zip(words).for_each(|(to, &word)| *to = word as u32);
    }
}

impl Words for [[u8; 8]; 8] {
    const ZERO: Self = [[0; 8]; 8];

    fn get(&self, bits: u32) -> [u64; 8] {
        if bits == 64 {
            return self.map(u64::from_ne_bytes);
        }
        let words = self.as_flattened().as_chunks().0;
        core::array::from_fn(|i| u32::from_ne_bytes(words[i]).into())
    }

    fn set(&mut self, bits: u32, words: &[u64; 8]) {
        if bits == 64 {
            *self = words.map(u64::to_ne_bytes);
            return;
        }
        let to = self.as_flattened_mut().as_chunks_mut().0;
        to.iter_mut().zip(words).for_each(|(to, &word)| *to = (word as u32).to_ne_bytes());
    }
}

/// A field with the length of the message in bits, in a context with words of `bits` bits.
pub(crate) trait Length: Copy {
    /// Length 0.
    const ZERO: Self;
    fn get(self, bits: u32) -> u128;
    fn set(&mut self, bits: u32, length: u128);
}

impl Length for u64 {
    const ZERO: Self = 0;

    fn get(self, _: u32) -> u128 {
        self.into()
    }

    fn set(&mut self, _: u32, length: u128) {
        *self = length as u64;
    }
}

impl Length for [u32; 2] {
    const ZERO: Self = [0; 2];

    fn get(self, _: u32) -> u128 {
        u128::from(self[1]) << 32 | u128::from(self[0])
    }

    fn set(&mut self, _: u32, length: u128) {
        *self = [length as u32, (length >> 32) as u32];
    }
}

impl Length for [u64; 2] {
    const ZERO: Self = [0; 2];

    fn get(self, bits: u32) -> u128 {
        let high = if bits == 64 { self[1] } else { 0 };
        u128::from(high) << 64 | u128::from(self[0])
    }

    fn set(&mut self, bits: u32, length: u128) {
        self[0] = length as u64;
        if bits == 64 {
            self[1] = (length >> 64) as u64;
        }
    }
}

impl<W: Words, L: Length, const BLOCK: usize> Kept for Layout<W, L, BLOCK> {
    const FINISHED: Self = Self { words: W::ZERO, bits: L::ZERO, block: [0; _] };

    fn load(&self, hash: Hash) -> Live {
        let bits = hash.family().word_bits();
        let mut last = [0; 128];
        last[..BLOCK].copy_from_slice(&self.block);
        Live { hash, words: self.words.get(bits), bits: self.bits.get(bits), last }
    }

    fn store(&mut self, live: &Live) {
        let bits = live.hash.family().word_bits();
        self.words.set(bits, &live.words);
        self.bits.set(bits, live.bits);
        self.block.copy_from_slice(&live.last[..BLOCK]);
    }
}

impl Kept for Solaris {
    const FINISHED: Self = Self { sha2: Sha2::FINISHED, mechanism: [0; 2] };

    fn load(&self, hash: Hash) -> Live {
        self.sha2.load(hash)
    }

    fn store(&mut self, live: &Live) {
        self.sha2.store(live);
    }
}
