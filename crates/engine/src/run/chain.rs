//! The chaining value of one message, and the kernel that compresses blocks into it.

use lanesum_spec::{Algorithm, Family, Int};

use crate::Digest;
use crate::base::wipe;
use crate::choose::Choice;
use crate::kernel::{AnySingle, Kernel, Link, Select};
use crate::words::{Columns, MAX_LANES, block_len, by_width, bytes, pad};

/// The kernel for one message, looked up once rather than per call.
#[derive(Clone, Copy)]
pub(crate) struct One {
    family: Family,
    kernel: Kernel,
    /// `None` if a policy forces a kernel with several lanes.
    single: Option<AnySingle>,
}

impl One {
    /// Returns the engine's kernel.
    #[inline]
    pub(crate) fn of(choice: Choice<'_>) -> Self {
        let (family, kernel) = (choice.algorithm().family(), choice.for_one());
        Self { family, kernel, single: AnySingle::with(kernel, family) }
    }

    /// Returns the automatic engine's kernel; `self` if it already is that kernel.
    #[inline]
    pub(crate) fn automatic(self, algorithm: Algorithm) -> Self {
        let is_it = by_width!(self.family, I => {
            self.single.is_some_and(|single| single.is_kept::<I>(self.family))
        });
        if is_it { self } else { Self::automatic_of(algorithm) }
    }

    #[cold]
    #[inline(never)]
    fn automatic_of(algorithm: Algorithm) -> Self {
        let choice = Choice::automatic(algorithm);
        // Caches the automatic kernel for later calls.
        by_width!(algorithm.family(), I => {
            let _ = choice.single::<I>();
        });
        Self::of(choice)
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
    pub(crate) fn compress<I: Select>(self, words: &mut [I; 8], data: &[u8]) {
        match self.single {
            Some(single) => single.compress(words, data),
            None => self.compress_in_lanes(words, data),
        }
    }

    /// Compresses `message` and its padding into a chaining value of `before` bytes, which must be
    /// whole blocks. Returns false and does nothing if the kernel does not pad.
    #[inline]
    fn finish<I: Select>(self, words: &mut [I; 8], message: &[u8], before: u64) -> bool {
        self.single.is_some_and(|single| single.finish(words, message, before))
    }

    /// Compresses `data` on a multi-lane kernel with the same input in every lane. Not inlined,
    /// because it uses some KiB of stack.
    #[cold]
    #[inline(never)]
    fn compress_in_lanes<I: Select>(self, words: &mut [I; 8], data: &[u8]) {
        let blocks = data.len() >> self.family.block_len().trailing_zeros();
        let lanes = self.kernel.lanes();
        let mut state = Columns::<I>::new();
        state.fill(lanes, words);
        let data = &[data; MAX_LANES][..lanes];
        self.kernel.compress(self.family, state.words_mut(0), MAX_LANES, data, blocks);
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

    /// Returns the digest of a message of `bytes` bytes. `end` is its last part, shorter than a block,
    /// and `self` the chaining value of everything before. Copies of `end` are wiped.
    #[inline]
    pub(crate) fn end(&self, one: One, algorithm: Algorithm, end: &[u8], bytes: u64) -> Digest {
        #[inline]
        fn of<I: Select, const TWO: usize>(
            words: &[I; 8],
            one: One,
            algorithm: Algorithm,
            end: &[u8],
            bytes: u64,
        ) -> Digest {
            // Copy only the words: a copy of `self` would defeat store-to-load forwarding, because the
            // kernel has just stored other 16-byte pieces.
            let mut words = *words;
            if one.finish(&mut words, end, bytes - end.len() as u64) {
                let digest = self::digest(algorithm, &words);
                wipe(&mut words, I::ZERO);
                return digest;
            }
            let digest = self::end::<I, TWO>(algorithm, &mut words, end, bytes, |words, blocks| {
                one.compress(words, blocks);
                wipe(blocks, 0);
            });
            wipe(&mut words, I::ZERO);
            digest
        }
        match self {
            Self::W32(words) => {
                of::<u32, { 2 * block_len::<u32>() }>(words, one, algorithm, end, bytes)
            }
            Self::W64(words) => {
                of::<u64, { 2 * block_len::<u64>() }>(words, one, algorithm, end, bytes)
            }
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
            (Self::W32(inner), Self::W32(outer)) => {
                tag::<u32, { 2 * block_len::<u32>() }>([inner, outer], one, algorithm, message)
            }
            (Self::W64(inner), Self::W64(outer)) => {
                tag::<u64, { 2 * block_len::<u64>() }>([inner, outer], one, algorithm, message)
            }
            _ => unreachable!("both are of one algorithm"),
        }
    }

    /// Returns the digest, if this is the final chaining value of a message.
    pub(crate) fn digest(&self, algorithm: Algorithm) -> Digest {
        match self {
            Self::W32(words) => digest(algorithm, words),
            Self::W64(words) => digest(algorithm, words),
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

/// [`Chain::tag`], for words of one width; `TWO` is the length of two blocks.
#[inline]
fn tag<I: Select, const TWO: usize>(
    [inner, outer]: [&[I; 8]; 2],
    one: One,
    algorithm: Algorithm,
    message: &[u8],
) -> Digest {
    let block = const { TWO / 2 };
    let mut words = *inner;
    if let Some(single) = one.single {
        // Created first, so that it is in memory when the outer hash reads it.
        let link = Link::new(algorithm);
        if single.finish(&mut words, message, block as u64) {
            single.outer(&mut words, outer, &link);
            return self::digest(algorithm, &words);
        }
    }
    let (whole, rest) = message.split_at(message.len() - message.len() % block);
    if !whole.is_empty() {
        one.compress(&mut words, whole);
    }
    let compress = |words: &mut [I; 8], blocks: &mut [u8]| one.compress(words, blocks);
    let bytes = (block + message.len()) as u64;
    let digest = end::<I, TWO>(algorithm, &mut words, rest, bytes, compress);
    let bytes = (block + algorithm.digest_len()) as u64;
    end::<I, TWO>(algorithm, &mut { *outer }, digest.as_bytes(), bytes, compress)
}

/// Returns the digest of a message of `bytes` bytes. `state` is the chaining value of its whole
/// blocks, and `end` the rest, at most two blocks with padding. `compress` compresses the padded
/// copy of `end` and may modify it. `TWO` is the length of two blocks.
#[inline]
pub(super) fn end<I: Select, const TWO: usize>(
    algorithm: Algorithm,
    state: &mut [I; 8],
    end: &[u8],
    bytes: u64,
    compress: impl FnOnce(&mut [I; 8], &mut [u8]),
) -> Digest {
    let mut tail = [0; TWO];
    let padded = pad(&mut tail, end, const { TWO / 2 }, algorithm.family().is_big_endian(), bytes);
    compress(state, &mut tail[..padded]);
    digest(algorithm, state)
}

/// Returns the digest of a final chaining value: its words in the family's byte order, truncated
/// to the algorithm's length.
#[inline]
pub(crate) fn digest<I: Select>(algorithm: Algorithm, state: &[I; 8]) -> Digest {
    Digest::new(&bytes(algorithm.family(), state), algorithm.digest_len())
}
