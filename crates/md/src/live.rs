//! A message under way, apart from where its caller keeps it.

use engine::{Algorithm, unstable};
use lanesum_spec::Family;

use crate::layout::{Half, Sha2, Short, Small, Solaris};
use crate::md4;

/// An algorithm of the engine, or MD4, which only this library has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hash {
    Engine(Algorithm),
    Md4,
}

impl Hash {
    /// The family that it has words, blocks and padding of: MD4's are MD5's.
    fn family(self) -> Family {
        match self {
            Self::Engine(algorithm) => algorithm.family(),
            Self::Md4 => Family::Md5,
        }
    }

    /// The length of a block, in bytes.
    pub(crate) fn block_len(self) -> usize {
        self.family().block_len()
    }

    /// The length of a digest, in bytes.
    pub(crate) fn digest_len(self) -> usize {
        match self {
            Self::Engine(algorithm) => algorithm.digest_len(),
            Self::Md4 => 16,
        }
    }

    fn iv(self) -> [u64; 8] {
        match self {
            Self::Engine(algorithm) => algorithm.iv(),
            // RFC 1320 §3.3 has what RFC 1321 §3.3 has.
            Self::Md4 => Algorithm::MD5.iv(),
        }
    }

    /// Whether padding counts as part of the message afterwards: it does in what
    /// is older than SHA-2.
    fn counts_padding(self) -> bool {
        !matches!(self.family(), Family::Sha256 | Family::Sha512)
    }

    /// Compresses whole blocks into words, which are in the low bits.
    pub(crate) fn compress(self, words: &mut [u64; 8], blocks: &[u8]) {
        match self {
            Self::Md4 => {
                let mut state = [0, 1, 2, 3].map(|i| words[i] as u32);
                blocks.as_chunks().0.iter().for_each(|block| md4::compress(&mut state, block));
                words.iter_mut().zip(state).for_each(|(to, word)| *to = word.into());
            }
            Self::Engine(algorithm) => {
                if algorithm.family().word_bits() == 64 {
                    unstable::compress64(algorithm, words, blocks);
                } else {
                    let mut state = words.map(|word| word as u32);
                    unstable::compress32(algorithm, &mut state, blocks);
                    *words = state.map(u64::from);
                }
            }
        }
    }
}

/// A message under way.
pub(crate) struct Live {
    hash: Hash,
    /// The chaining value, in the low bits.
    pub(crate) words: [u64; 8],
    /// The length of the message so far, in bits.
    bits: u128,
    /// The last bytes of it, less than a block.
    buffer: [u8; 128],
}

impl Live {
    /// A message of no bytes yet.
    pub(crate) fn new(hash: Hash) -> Self {
        Self { hash, words: hash.iv(), bits: 0, buffer: [0; _] }
    }

    /// How many bytes of the last block have come.
    fn tail_len(&self) -> usize {
        (self.bits / 8) as usize % self.hash.block_len()
    }

    /// Adds `data` to the message.
    pub(crate) fn update(&mut self, mut data: &[u8]) {
        let (block, tail_len) = (self.hash.block_len(), self.tail_len());
        self.bits = self.bits.wrapping_add(data.len() as u128 * 8);
        if tail_len > 0 {
            let (head, rest) = data.split_at(data.len().min(block - tail_len));
            self.buffer[tail_len..][..head.len()].copy_from_slice(head);
            if tail_len + head.len() < block {
                return;
            }
            self.hash.compress(&mut self.words, &self.buffer[..block]);
            data = rest;
        }
        let (whole, rest) = data.split_at(data.len() - data.len() % block);
        if !whole.is_empty() {
            self.hash.compress(&mut self.words, whole);
        }
        self.buffer[..rest.len()].copy_from_slice(rest);
    }

    /// Adds padding, after which the chaining value is the digest.
    pub(crate) fn pad(&mut self) {
        let family = self.hash.family();
        let len = self.tail_len();
        let mut tail = [0; 256];
        tail[..len].copy_from_slice(&self.buffer[..len]);
        // The length is written here, as one of 128 bits may be at hand.
        let padded = lanesum_spec::pad(family, &mut tail, len, 0);
        let field = &mut tail[padded - family.length_len()..padded];
        if family.is_big_endian() {
            field.copy_from_slice(&self.bits.to_be_bytes()[16 - family.length_len()..]);
        } else {
            field.copy_from_slice(&self.bits.to_le_bytes()[..family.length_len()]);
        }
        self.hash.compress(&mut self.words, &tail[..padded]);
        let block = family.block_len();
        // There it is in libmd, for whoever goes on after padding.
        self.buffer[..block].copy_from_slice(&tail[padded - block..padded]);
        if self.hash.counts_padding() {
            self.bits = self.bits.wrapping_add((padded - len) as u128 * 8);
        }
    }

    /// The chaining value as bytes: of a digest, the first
    /// [`digest_len`](Hash::digest_len).
    pub(crate) fn bytes(&self) -> [u8; 64] {
        let family = self.hash.family();
        let mut bytes = [0; 64];
        let word_len = family.word_bits() as usize / 8;
        for (to, word) in bytes.chunks_exact_mut(word_len).zip(self.words) {
            if family.is_big_endian() {
                to.copy_from_slice(&word.to_be_bytes()[8 - word_len..]);
            } else {
                to.copy_from_slice(&word.to_le_bytes()[..word_len]);
            }
        }
        bytes
    }
}

/// Where a caller keeps a message under way.
pub(crate) trait Context: Copy {
    /// What a context is when its message is finished: nothing of it is left.
    const FINISHED: Self;

    /// The message that is here.
    fn load(&self, hash: Hash) -> Live;

    /// Puts the message here.
    fn store(&mut self, live: &Live);
}

impl<const N: usize> Context for Small<N> {
    const FINISHED: Self = Self { state: [0; N], bits: 0, buffer: [0; _] };

    fn load(&self, hash: Hash) -> Live {
        let mut live = Live { hash, words: [0; 8], bits: self.bits.into(), buffer: [0; _] };
        live.words.iter_mut().zip(self.state).for_each(|(to, word)| *to = word.into());
        live.buffer[..64].copy_from_slice(&self.buffer);
        live
    }

    fn store(&mut self, live: &Live) {
        self.state.iter_mut().zip(live.words).for_each(|(to, word)| *to = word as u32);
        self.bits = live.bits as u64;
        self.buffer.copy_from_slice(&live.buffer[..64]);
    }
}

impl Context for Sha2 {
    const FINISHED: Self = Self { state: [[0; 8]; 8], bits: [0; 2], buffer: [0; _] };

    fn load(&self, hash: Hash) -> Live {
        let mut live = Live { hash, words: [0; 8], bits: 0, buffer: self.buffer };
        if hash.family().word_bits() == 64 {
            live.words = self.state.map(u64::from_ne_bytes);
            live.bits = u128::from(self.bits[1]) << 64 | u128::from(self.bits[0]);
        } else {
            let words = self.state.as_flattened().as_chunks().0;
            for (to, word) in live.words.iter_mut().zip(words) {
                *to = u32::from_ne_bytes(*word).into();
            }
            live.bits = self.bits[0].into();
        }
        live
    }

    fn store(&mut self, live: &Live) {
        if live.hash.family().word_bits() == 64 {
            self.state = live.words.map(u64::to_ne_bytes);
            self.bits = [live.bits as u64, (live.bits >> 64) as u64];
        } else {
            let words = self.state.as_flattened_mut().as_chunks_mut().0;
            for (to, word) in words.iter_mut().zip(live.words) {
                *to = (word as u32).to_ne_bytes();
            }
            self.bits[0] = live.bits as u64;
        }
        self.buffer = live.buffer;
    }
}

macro_rules! halves {
    ($layout:ident) => {
        impl Context for $layout {
            const FINISHED: Self = Self { state: [0; _], bits: [0; 2], buffer: [0; _] };

            fn load(&self, hash: Hash) -> Live {
                let bits = u64::from(self.bits[1]) << 32 | u64::from(self.bits[0]);
                let mut live = Live { hash, words: [0; 8], bits: bits.into(), buffer: [0; _] };
                live.words.iter_mut().zip(self.state).for_each(|(to, word)| *to = word.into());
                live.buffer[..64].copy_from_slice(&self.buffer);
                live
            }

            fn store(&mut self, live: &Live) {
                self.state.iter_mut().zip(live.words).for_each(|(to, word)| *to = word as u32);
                self.bits = [live.bits as u32, (live.bits >> 32) as u32];
                self.buffer.copy_from_slice(&live.buffer[..64]);
            }
        }
    };
}
halves!(Half);
halves!(Short);

impl Context for Solaris {
    const FINISHED: Self = Self { sha2: Sha2::FINISHED, mechanism: [0; 2] };

    fn load(&self, hash: Hash) -> Live {
        self.sha2.load(hash)
    }

    fn store(&mut self, live: &Live) {
        self.sha2.store(live);
    }
}
