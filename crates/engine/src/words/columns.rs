//! The chaining values of all lanes, stored as columns.

use lanesum_spec::{Family, Int};

use crate::base::wipe;

/// The maximum number of lanes of a kernel.
pub(crate) const MAX_LANES: usize = 32;

/// Chaining values of `LANES` lanes, word-major: word i of lane l is at `i * LANES + l`. A column
/// is a vector register, and lanes can move between kernels of different width. `LANES` is the
/// stride passed to kernels.
///
/// Words are numbers, not bytes: the byte order of the family is undone when a block is loaded
/// and restored when a digest is written.
#[derive(Clone)]
#[repr(align(64))]
pub(crate) struct Columns<I, const LANES: usize = MAX_LANES>([[I; LANES]; 8]);

impl<I: Int, const LANES: usize> Columns<I, LANES> {
    /// Sets all words to zero.
    #[inline]
    pub(crate) fn new() -> Self {
        Self([[I::ZERO; LANES]; 8])
    }

    /// Sets all lanes to one chaining value.
    #[inline]
    pub(crate) fn of(words: &[I; 8]) -> Self {
        Self(words.map(|word| [word; LANES]))
    }

    /// Sets lane `l` to a chaining value.
    #[inline]
    pub(crate) fn set(&mut self, l: usize, words: &[I; 8]) {
        for (column, &word) in self.0.iter_mut().zip(words) {
            column[l] = word;
        }
    }

    /// Sets the first `lanes` lanes, and up to three more, to one chaining value.
    #[inline]
    pub(crate) fn fill(&mut self, lanes: usize, words: &[I; 8]) {
        for (column, &word) in self.0.iter_mut().zip(words) {
            // In groups of four, because a constant length is stored without a loop.
            column.as_chunks_mut().0[..lanes.div_ceil(4)].fill([word; 4]);
        }
    }

    /// Returns the chaining value of lane `l`.
    #[inline]
    pub(crate) fn lane(&self, l: usize) -> [I; 8] {
        self.0.each_ref().map(|column| column[l])
    }

    /// Returns the words from lane `first` on, in the layout of kernels.
    #[inline]
    pub(crate) fn words(&self, first: usize) -> &[I] {
        &self.0.as_flattened()[first..]
    }

    /// Returns the words from lane `first` on, in the layout of kernels.
    #[inline]
    pub(crate) fn words_mut(&mut self, first: usize) -> &mut [I] {
        &mut self.0.as_flattened_mut()[first..]
    }

    /// Overwrites all words.
    pub(crate) fn wipe(&mut self) {
        wipe(&mut self.0, [I::ZERO; LANES]);
    }
}

/// Chaining values of a family selected at run time.
#[derive(Clone)]
#[allow(clippy::large_enum_variant, reason = "there is nothing to allocate from")]
pub(crate) enum State {
    W32(Columns<u32>),
    W64(Columns<u64>),
}

impl State {
    pub(crate) fn new(family: Family) -> Self {
        match family.word_bits() {
            32 => Self::W32(Columns::new()),
            _ => Self::W64(Columns::new()),
        }
    }

    /// Sets lane `l` to a chaining value in the low bits of `words`.
    pub(crate) fn set(&mut self, l: usize, words: &[u64; 8]) {
        match self {
            Self::W32(columns) => columns.set(l, &words.map(Int::truncate)),
            Self::W64(columns) => columns.set(l, words),
        }
    }

    /// Returns the chaining value of lane `l`, in the low bits of the words.
    pub(crate) fn get(&self, l: usize) -> [u64; 8] {
        match self {
            Self::W32(columns) => columns.lane(l).map(Int::widen),
            Self::W64(columns) => columns.lane(l),
        }
    }

    /// Overwrites all words.
    pub(crate) fn wipe(&mut self) {
        match self {
            Self::W32(columns) => columns.wipe(),
            Self::W64(columns) => columns.wipe(),
        }
    }
}
