//! The chaining value of one message, and the kernel that compresses blocks into it.

use lanesum_spec::{Algorithm, Family, Int};

use crate::Digest;
use crate::base::wipe;
use crate::choose::Selected;
use crate::kernel::{Kernel, KernelWord, Link, Rest, Single};
use crate::words::{Columns, MAX_LANES, block_len};

/// The kernel for one message, looked up once rather than per call.
#[derive(Clone, Copy)]
pub(crate) struct One {
    family: Family,
    kernel: Kernel,
    /// `None` if a policy forces a kernel with several lanes.
    single: Option<Single>,
}

impl One {
    /// Returns the engine's kernel.
    #[inline]
    pub(crate) fn of(choice: Selected<'_>) -> Self {
        let (family, kernel) = (choice.algorithm().family(), choice.for_one());
        Self { family, kernel, single: Single::with(kernel, family) }
    }

    /// Returns the automatic engine's kernel; `self` if it already is that kernel.
    #[inline]
    pub(crate) fn automatic(self, algorithm: Algorithm) -> Self {
        let automatic = Selected::automatic(algorithm);
        if automatic.is_automatic(self.kernel) { self } else { Self::of(automatic) }
    }

    /// Whether the kernel has one lane.
    #[inline]
    pub(crate) fn is_single(self) -> bool {
        self.single.is_some()
    }

    /// Compresses all of `data`, which must be whole blocks, into one chaining value.
    ///
    /// # Panics
    ///
    /// If the algorithm's words are of another width.
    #[inline]
    pub(crate) fn compress<I: KernelWord>(self, words: &mut [I; 8], data: &[u8]) {
        match self.single {
            Some(single) => single.compress(words, data),
            None => self.in_lanes(words, data, None),
        }
    }

    /// Compresses `message` and its padding into a chaining value of `before` bytes, which must be
    /// whole blocks.
    ///
    /// # Panics
    ///
    /// If the algorithm's words are of another width.
    #[inline]
    fn finish<I: KernelWord>(self, words: &mut [I; 8], message: &[u8], before: u64) {
        match self.single {
            Some(single) => single.finish(words, message, before),
            None => self.in_lanes(words, message, Some(before)),
        }
    }

    /// Compresses `data` on a multi-lane kernel with the same input in every lane: whole blocks, or
    /// with its padding the end of a message after `before` bytes. Not inlined, because it uses some
    /// KiB of stack.
    #[cold]
    #[inline(never)]
    fn in_lanes<I: KernelWord>(self, words: &mut [I; 8], data: &[u8], before: Option<u64>) {
        let blocks = data.len() >> self.family.block_len().trailing_zeros();
        let lanes = self.kernel.lanes();
        let mut state = Columns::<I>::new();
        state.fill(lanes, words);
        let (family, to, data) = (self.family, state.words_mut(0), &[data; MAX_LANES][..lanes]);
        match before {
            None => self.kernel.compress(family, to, MAX_LANES, data, blocks),
            Some(before) => {
                self.kernel.finish(family, to, MAX_LANES, data, Rest { before, last: None });
            }
        }
        *words = state.lane(0);
    }
}

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
            32 => Self::W32(algorithm.iv32()),
            _ => Self::W64(algorithm.iv()),
        }
    }

    /// Sets the algorithm's initial chaining value in place. Copying one here in other 16-byte pieces
    /// than a kernel loads would defeat store-to-load forwarding.
    #[inline]
    pub(crate) fn begin(&mut self, algorithm: Algorithm) {
        match algorithm.family().word_bits() {
            32 => *self = Self::W32(algorithm.iv32()),
            _ => *self = Self::W64(algorithm.iv()),
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
            one.finish(&mut words, end, bytes - end.len() as u64);
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
    let mut words = *inner;
    if let Some(single) = one.single.filter(|_| one.kernel.has_fast_loop()) {
        // Created first, so that it is in memory when the outer hash reads it.
        let link = Link::new(algorithm);
        single.finish(&mut words, message, before);
        single.outer(&mut words, outer, &link);
    } else {
        one.finish(&mut words, message, before);
        let digest = Digest::of(algorithm, &words);
        words = *outer;
        one.finish(&mut words, digest.as_bytes(), before);
    }
    Digest::of(algorithm, &words)
}
