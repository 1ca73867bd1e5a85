//! The chaining value of one message.

use heddle_spec::{Algorithm, Int};

use crate::backend::{Backend, Half, Link, Rest, Select};
use crate::state::MAX_LANES;
use crate::wipe::wipe;
use crate::{Digest, state};

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

    /// Compresses all of `data`, and the padding of a message that goes on with it
    /// from `before` bytes.
    pub(crate) fn finish(
        &mut self,
        backend: Backend,
        algorithm: Algorithm,
        data: &[u8],
        before: u64,
    ) {
        match self {
            Self::W32(words) => finish(words, backend, algorithm, data, before),
            Self::W64(words) => finish(words, backend, algorithm, data, before),
        }
    }

    /// From the end of the inner hash of HMAC to that of the outer one, which goes
    /// on from `outer`.
    pub(crate) fn outer(&mut self, backend: Backend, algorithm: Algorithm, outer: &Self) {
        match (self, outer) {
            (Self::W32(words), Self::W32(outer)) => hash_again(words, backend, algorithm, outer),
            (Self::W64(words), Self::W64(outer)) => hash_again(words, backend, algorithm, outer),
            _ => unreachable!("chaining values of one algorithm"),
        }
    }

    /// The digest that it is at the end of a message.
    pub(crate) fn digest(&self, algorithm: Algorithm) -> Digest {
        state::digest(algorithm, &self.words())
    }

    /// Overwrites it.
    pub(crate) fn wipe(&mut self) {
        match self {
            Self::W32(words) => wipe(words, 0),
            Self::W64(words) => wipe(words, 0),
        }
    }
}

#[inline]
fn run<I: Select>(words: &mut [I; 8], backend: Backend, algorithm: Algorithm, data: &[u8]) {
    let family = algorithm.family();
    let blocks = data.len() >> family.block_len().trailing_zeros();
    if backend.lanes() == 1 {
        return backend.compress(family, words, 1, &[data], blocks);
    }
    in_every_lane([words], backend.lanes(), |[state], lanes| {
        let data = [data; MAX_LANES];
        backend.compress(family, state, lanes, &data[..lanes], blocks);
    });
}

#[inline]
fn finish<I: Select>(
    words: &mut [I; 8],
    backend: Backend,
    algorithm: Algorithm,
    data: &[u8],
    before: u64,
) {
    let (family, rest) = (algorithm.family(), Rest { before, last: None });
    if backend.lanes() == 1 {
        return backend.finish(family, words, 1, &[data], rest);
    }
    in_every_lane([words], backend.lanes(), |[state], lanes| {
        let data = [data; MAX_LANES];
        backend.finish(family, state, lanes, &data[..lanes], rest);
    });
}

#[inline]
fn hash_again<I: Select>(
    words: &mut [I; 8],
    backend: Backend,
    algorithm: Algorithm,
    outer: &[I; 8],
) {
    let (family, link) = (algorithm.family(), Link::new(algorithm));
    // What is added there nobody wants.
    let mut sum = [I::ZERO; 8];
    let run = |u: &mut [I], outer: &[I], sum: &mut [I], lanes| {
        backend.iterate(family, [outer; 2], &link, u, sum, lanes, Half::Outer, 1);
    };
    if backend.lanes() == 1 {
        run(words, outer, &mut sum, 1);
    } else {
        let mut outer = *outer;
        let all = [words, &mut outer, &mut sum];
        in_every_lane(all, backend.lanes(), |[u, outer, sum], lanes| run(u, outer, sum, lanes));
        wipe(&mut outer, I::ZERO);
    }
    wipe(&mut sum, I::ZERO);
}

/// Runs a row of many lanes, forced by a policy, on chaining values of one message:
/// every lane does the same. The kernel is given columns, and how many.
fn in_every_lane<I: Select, const N: usize>(
    mut chains: [&mut [I; 8]; N],
    lanes: usize,
    kernel: impl FnOnce([&mut [I]; N], usize),
) {
    let mut columns = [[I::ZERO; 8 * MAX_LANES]; N];
    for (columns, words) in columns.iter_mut().zip(&chains) {
        for (row, &word) in columns.chunks_exact_mut(lanes).zip(words.iter()) {
            row.fill(word);
        }
    }
    kernel(columns.each_mut().map(|columns| &mut columns[..8 * lanes]), lanes);
    for (columns, words) in columns.iter().zip(&mut chains) {
        for (word, row) in words.iter_mut().zip(columns.chunks_exact(lanes)) {
            *word = row[0];
        }
    }
    wipe(&mut columns, [I::ZERO; _]);
}
