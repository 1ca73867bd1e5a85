//! The bytes to search for: keys and data derived from them.

use std::collections::HashMap;

use lanesum_spec::sha2::{Sha256, Sha512, Variant};
use lanesum_spec::{Algorithm, Family, MAX_BLOCK, compress, digest, sha1};

/// Number of consecutive bytes of a secret that are recognized, at any offset.
pub(super) const WINDOW: usize = 8;

/// Distances between words of one chaining value, in bytes, if each is in its own lane or is
/// widened.
const STRIDES: [usize; 5] = [8, 16, 32, 64, 128];

/// Names of the words of the inner padded key: W, and W + K.
const INNER: [&str; 2] =
    ["the inner key block's words", "the inner key block's words with constants"];
/// Names of the words of the outer padded key: W, and W + K.
const OUTER: [&str; 2] =
    ["the outer key block's words", "the outer key block's words with constants"];

/// Secrets, in the representations that programs use.
#[derive(Clone, Debug, Default)]
pub struct Secrets {
    windows: HashMap<u64, &'static str>,
    /// 32-bit words, each with the next word of the same value.
    pairs: HashMap<u32, Vec<(u32, &'static str)>>,
    filter: Filter,
}

/// A Bloom filter that rejects most numbers faster than a hash table.
#[derive(Clone, Debug)]
struct Filter(Vec<u64>);

impl Default for Filter {
    fn default() -> Self {
        Self(vec![0; 1 << 11])
    }
}

impl Filter {
    fn place(number: u64) -> (usize, u64) {
        let hash = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 47;
        ((hash >> 6) as usize, 1 << (hash & 63))
    }

    fn insert(&mut self, number: u64) {
        let (place, bit) = Self::place(number);
        self.0[place] |= bit;
    }

    fn has(&self, number: u64) -> bool {
        let (place, bit) = Self::place(number);
        self.0[place] & bit != 0
    }
}

impl Secrets {
    /// Creates the secrets that HMAC derives from a key: the key, its digest if it is long, both
    /// padded forms, and both chaining values, and the words of everything that is hashed.
    pub fn of_hmac(algorithm: Algorithm, key: &[u8]) -> Self {
        let mut secrets = Self::default();
        secrets.hmac(algorithm, key);
        secrets
    }

    /// Adds the secrets that HMAC derives from this key.
    pub fn hmac(&mut self, algorithm: Algorithm, key: &[u8]) {
        let block_len = algorithm.block_len();
        let family = algorithm.family();
        // The last name given to a window wins: in big-endian order, bytes are also words.
        if key.len() > block_len {
            self.scheduled(["the key's words", "the key's words with constants"], key, family);
        }
        self.bytes("the key", key);
        let mut block = [0; MAX_BLOCK];
        let len = if key.len() <= block_len {
            block[..key.len()].copy_from_slice(key);
            key.len()
        } else {
            let len = algorithm.digest_len();
            block[..len].copy_from_slice(&digest(algorithm, key)[..len]);
            self.bytes("the long key's digest", &block[..len]);
            len
        };
        for (pad, padded, words, chain) in [
            (0x36, "the key, padded for the inner hash", INNER, "the inner chaining value"),
            (0x5c, "the key, padded for the outer hash", OUTER, "the outer chaining value"),
        ] {
            let block = block.map(|byte| byte ^ pad);
            self.scheduled(words, &block[..len], family);
            self.bytes(padded, &block[..len]);
            let mut words = algorithm.iv();
            compress(family, &mut words, &block[..block_len]);
            self.words(chain, &words[..family.state_words()], family.word_bits());
        }
    }

    /// Adds the secrets of `others`.
    pub fn add(&mut self, others: &Self) {
        others.windows.iter().for_each(|(&number, &what)| {
            self.windows.insert(number, what);
            self.filter.insert(number);
        });
        others.pairs.iter().for_each(|(&first, seconds)| {
            self.pairs.entry(first).or_default().extend(seconds);
            self.filter.insert(first.into());
        });
    }

    /// Adds all windows of eight bytes.
    pub fn bytes(&mut self, what: &'static str, bytes: &[u8]) {
        for window in bytes.windows(WINDOW) {
            let number = u64::from_ne_bytes(window.try_into().expect("a window's length"));
            self.windows.insert(number, what);
            self.filter.insert(number);
        }
    }

    /// Adds the words of a message's blocks as the rounds use them: alone, and with the round
    /// constants added.
    fn scheduled(&mut self, [what, summed]: [&'static str; 2], message: &[u8], family: Family) {
        let bits = family.word_bits();
        for block in message.chunks(family.block_len()) {
            let words = block.chunks_exact(bits as usize / 8).map(|bytes| {
                let mut word = [0; 8];
                word[8 - bytes.len()..].copy_from_slice(bytes);
                u64::from_be_bytes(word)
            });
            let words: Vec<u64> = words.collect();
            self.words(what, &words, bits);
            let sum = |(t, word): (usize, &u64)| match family {
                Family::Sha1 => u64::from((*word as u32).wrapping_add(sha1::K[0])),
                Family::Sha256 => u64::from((*word as u32).wrapping_add(Sha256::K[t])),
                Family::Sha512 => word.wrapping_add(Sha512::K[t]),
                _ => *word,
            };
            self.words(summed, &words.iter().enumerate().map(sum).collect::<Vec<_>>(), bits);
        }
    }

    /// Adds words in three layouts: consecutive in both byte orders, one word repeated in several
    /// lanes, and consecutive words in one of several lanes.
    fn words(&mut self, what: &'static str, words: &[u64], bits: u32) {
        let len = bits as usize / 8;
        let native = words.iter().flat_map(|word| word.to_le_bytes()[..len].to_vec());
        let swapped = words.iter().flat_map(|word| word.to_be_bytes()[8 - len..].to_vec());
        self.bytes(what, &native.collect::<Vec<_>>());
        self.bytes(what, &swapped.collect::<Vec<_>>());
        if bits > 32 {
            return;
        }
        for &word in words {
            self.bytes(what, &[word as u32, word as u32].map(u32::to_le_bytes).concat());
        }
        for pair in words.windows(2) {
            let (first, second) = (pair[0] as u32, pair[1] as u32);
            self.pairs.entry(first).or_default().push((second, what));
            self.filter.insert(first.into());
        }
    }

    /// Returns the secret in `memory` at `at`, if any.
    #[inline]
    pub(super) fn at(&self, memory: &[u8], at: usize) -> Option<&'static str> {
        let window = memory.get(at..at + WINDOW)?;
        let number = u64::from_ne_bytes(window.try_into().ok()?);
        if number == 0 {
            return None;
        }
        if self.filter.has(number)
            && let Some(what) = self.windows.get(&number)
        {
            return Some(what);
        }
        let first = number as u32;
        if !at.is_multiple_of(4) || !self.filter.has(first.into()) {
            return None;
        }
        let is_at = |second: u32, stride: usize| {
            memory.get(at + stride..at + stride + 4) == Some(&second.to_le_bytes())
        };
        let pairs = self.pairs.get(&first)?;
        let found =
            pairs.iter().find(|(second, _)| STRIDES.iter().any(|&stride| is_at(*second, stride)));
        found.map(|(_, what)| *what)
    }
}
