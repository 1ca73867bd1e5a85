//! Lanes: the specification instantiated with vector words, and the trait that it needs.

// Where vectors are available, no policy selects arrays, and they would add a third to the object
// code: compile them only for unit tests there.
#[cfg(any(test, not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))))]
mod arrays;
pub(in crate::kernel) mod iterate;
pub(in crate::kernel) mod kernel;
#[cfg(target_arch = "x86_64")]
pub(in crate::kernel) mod masked;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(in crate::kernel) mod pair;
#[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
pub(in crate::kernel) mod simd;
pub(in crate::kernel) mod watch;

use lanesum_spec::{Compression, Hints, Int};

#[cfg(any(
    test,
    not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))
))]
pub(in crate::kernel) use self::arrays::{PORTABLE_X2, PORTABLE_X4};

/// A word that is a vector of lanes, with loads and stores.
pub(in crate::kernel) trait Vector: Hints {
    /// The number of lanes.
    const LANES: usize;

    /// Whether SHA-1 with collision detection is instantiated with this word.
    const WATCHES: bool = true;

    /// Loads the first `LANES` words of `words`, one into each lane.
    ///
    /// # Safety
    ///
    /// The CPU has the word's features, and `words` has at least `LANES` words.
    unsafe fn load(words: &[Self::Int]) -> Self;

    /// Stores the lanes to the first `LANES` words of `words`.
    ///
    /// # Safety
    ///
    /// The CPU has the word's features, and `words` has at least `LANES` words.
    unsafe fn store(self, words: &mut [Self::Int]);

    /// Loads the sixteen words of the block at byte `offset` of each of `data`, lane l from
    /// `data[l]`: word t of the result holds W_t of every lane.
    ///
    /// # Safety
    ///
    /// The CPU has the word's features, `data` has `LANES` slices, and each has a whole block at
    /// `offset`.
    unsafe fn load_block(data: &[&[u8]], offset: usize, big_endian: bool) -> [Self; 16];
}

/// Loads word i of every lane from `i * stride`, for i < N.
///
/// # Safety
///
/// The CPU has the word's features; `state` contains the last word of the last lane.
#[inline(always)]
unsafe fn load<const N: usize, V: Vector>(state: &[V::Int], stride: usize) -> [V; N] {
    // SAFETY: the caller guarantees the features and the extent of `state`.
    unsafe {
        let mut words = [V::load(state); N];
        let mut i = 1;
        while i < N {
            words[i] = V::load(state.get_unchecked(i * stride..));
            i += 1;
        }
        words
    }
}

/// Stores word i of every lane to `i * stride`.
///
/// # Safety
///
/// The CPU has the word's features; `state` contains the last word of the last lane.
#[inline(always)]
unsafe fn store<const N: usize, V: Vector>(words: [V; N], state: &mut [V::Int], stride: usize) {
    let mut i = 0;
    while i < N {
        // SAFETY: the caller guarantees the features and the extent of `state`.
        unsafe { words[i].store(state.get_unchecked_mut(i * stride..)) };
        i += 1;
    }
}

/// Compresses `blocks` blocks of each of `data` into the lanes of `state`.
///
/// # Safety
///
/// See [`Compress`](super::abi::Compress).
#[inline(always)]
pub(super) unsafe fn compress<C, const N: usize, V>(
    state: &mut [C::Int],
    stride: usize,
    data: &[&[u8]],
    blocks: usize,
) where
    C: Compression<N>,
    V: Vector<Int = C::Int>,
{
    // SAFETY: the caller guarantees the CPU features and all lengths.
    unsafe {
        let mut s = load::<N, V>(state, stride);
        let mut block = 0;
        while block < blocks {
            let w = V::load_block(data, block * 16 * C::Int::BYTES, C::BIG_ENDIAN);
            s = C::compress(s, w);
            block += 1;
        }
        store(s, state, stride);
    }
}
