//! A fast hash for tables. Long sums are hashed millions of times, and keys are never chosen by an
//! attacker.

use std::hash::{BuildHasherDefault, Hasher};

/// Builds [`FoldHasher`]s.
pub type Fold = BuildHasherDefault<FoldHasher>;

/// Multiplies and folds, a word at a time.
#[derive(Clone, Copy, Debug, Default)]
pub struct FoldHasher(u64);

impl FoldHasher {
    fn mix(&mut self, word: u64) {
        let word = self.0.rotate_left(23) ^ word ^ 0x9e37_79b9_7f4a_7c15;
        let product = u128::from(word) * u128::from(0xf39c_c060_5ced_c835u64);
        self.0 = (product as u64) ^ ((product >> 64) as u64);
    }
}

impl Hasher for FoldHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.mix(u64::from_le_bytes(word));
        }
    }
    fn write_u32(&mut self, word: u32) {
        self.mix(u64::from(word));
    }
    fn write_u64(&mut self, word: u64) {
        self.mix(word);
    }
    fn write_usize(&mut self, word: usize) {
        self.mix(word as u64);
    }
    fn write_isize(&mut self, word: isize) {
        self.mix(word as u64);
    }
}
