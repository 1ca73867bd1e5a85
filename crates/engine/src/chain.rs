//! The chaining value of one message.

use lanesum_spec::{Algorithm, Int};

use crate::kernel::{Backend, Select, Single};
use crate::wipe::wipe;
use crate::words::MAX_LANES;
use crate::{Digest, oneshot};

/// A chaining value, in words of its family's width.
#[derive(Clone)]
pub(crate) enum Chain {
    W32([u32; 8]),
    W64([u64; 8]),
}

impl Chain {
    /// The chaining value whose words are the low bits of `words`.
    pub(crate) fn new(algorithm: Algorithm, words: [u64; 8]) -> Self {
        match algorithm.family().word_bits() {
            32 => Self::W32(words.map(Int::truncate)),
            _ => Self::W64(words),
        }
    }

    /// The algorithm's initial chaining value.
    #[inline]
    pub(crate) fn initial(algorithm: Algorithm) -> Self {
        match algorithm.family().word_bits() {
            32 => Self::W32(algorithm.iv32()),
            _ => Self::W64(algorithm.iv()),
        }
    }

    /// The words, each in the low bits.
    pub(crate) fn words(&self) -> [u64; 8] {
        match self {
            Self::W32(words) => words.map(u64::from),
            Self::W64(words) => *words,
        }
    }

    /// Compresses all of `data`, which is whole blocks.
    #[inline]
    pub(crate) fn compress(&mut self, backend: Backend, algorithm: Algorithm, data: &[u8]) {
        match self {
            Self::W32(words) => run(words, backend, algorithm, data),
            Self::W64(words) => run(words, backend, algorithm, data),
        }
    }

    /// The digest of the message of so many bytes of which it is the chaining value but for
    /// `end`, less than a block. Nothing else is left of what comes after it.
    #[inline]
    pub(crate) fn end(
        &self,
        backend: Backend,
        algorithm: Algorithm,
        end: &[u8],
        bytes: u64,
    ) -> Digest {
        fn of<I: Select, const TWO: usize>(
            words: &[I; 8],
            backend: Backend,
            algorithm: Algorithm,
            end: &[u8],
            bytes: u64,
        ) -> Digest {
            // The words alone: a copy of all of `self` would read what a kernel has just written
            // by other sixteens, and wait for it.
            let mut words = *words;
            let digest =
                oneshot::end::<I, TWO>(algorithm, &mut words, end, bytes, |words, blocks| {
                    run(words, backend, algorithm, blocks);
                    wipe(blocks, 0);
                });
            wipe(&mut words, I::ZERO);
            digest
        }
        match self {
            Self::W32(words) => of::<u32, 128>(words, backend, algorithm, end, bytes),
            Self::W64(words) => of::<u64, 256>(words, backend, algorithm, end, bytes),
        }
    }

    /// The digest that it is at the end of a message.
    pub(crate) fn digest(&self, algorithm: Algorithm) -> Digest {
        match self {
            Self::W32(words) => oneshot::digest(algorithm, words),
            Self::W64(words) => oneshot::digest(algorithm, words),
        }
    }

    /// Overwrites it.
    pub(crate) fn wipe(&mut self) {
        match self {
            Self::W32(words) => wipe(words, 0),
            Self::W64(words) => wipe(words, 0),
        }
    }
}

/// Compresses all of `data`, which is whole blocks, into one chaining value.
#[inline]
pub(crate) fn run<I: Select>(
    words: &mut [I; 8],
    backend: Backend,
    algorithm: Algorithm,
    data: &[u8],
) {
    let family = algorithm.family();
    if let Some(single) = Single::with(backend, family) {
        return single.compress(words, data);
    }
    run_lanes(words, backend, algorithm, data);
}

/// The same on a row of many lanes, forced by a policy: every lane does the same. It is apart
/// since it takes some KiB of stack.
#[cold]
#[inline(never)]
fn run_lanes<I: Select>(words: &mut [I; 8], backend: Backend, algorithm: Algorithm, data: &[u8]) {
    let family = algorithm.family();
    let blocks = data.len() >> family.block_len().trailing_zeros();
    let lanes = backend.lanes();
    let mut state = [I::ZERO; 8 * MAX_LANES];
    for (row, &word) in state.chunks_exact_mut(lanes).zip(words.iter()) {
        row.fill(word);
    }
    let data = [data; MAX_LANES];
    backend.compress(family, &mut state[..8 * lanes], lanes, &data[..lanes], blocks);
    for (word, row) in words.iter_mut().zip(state.chunks_exact(lanes)) {
        *word = row[0];
    }
}
