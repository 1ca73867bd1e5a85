//! Lanes: the specification read with words that are vectors, and what it asks of them.

// Where there are vectors no policy chooses arrays, and they would be a third of the object
// code: there they are compiled for unit tests alone.
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

/// A word that is a vector of lanes: loaded from memory, and stored.
pub(in crate::kernel) trait Vector: Hints {
    /// The number of lanes.
    const LANES: usize;

    /// Whether SHA-1 that notices collisions is read with this word.
    const WATCHES: bool = true;

    /// The first `LANES` words of `words`, one in each lane.
    ///
    /// # Safety
    ///
    /// The CPU has the word's features, and `words` has so many words.
    unsafe fn load(words: &[Self::Int]) -> Self;

    /// Writes the lanes to the first `LANES` words of `words`.
    ///
    /// # Safety
    ///
    /// As for [`load`](Self::load).
    unsafe fn store(self, words: &mut [Self::Int]);

    /// The sixteen words of the block at `offset` bytes in each of `data`, lane
    /// l from `data[l]`: word t of the result holds W_t of every lane.
    ///
    /// # Safety
    ///
    /// The CPU has the word's features, `data` has `LANES` slices, and a whole
    /// block follows `offset` in each.
    unsafe fn load_block(data: &[&[u8]], offset: usize, big_endian: bool) -> [Self; 16];
}

/// Word i of every lane, whose place is `i * stride`, for i < N.
///
/// # Safety
///
/// The CPU has the word's features; `state` reaches the last word of the lanes.
#[inline(always)]
unsafe fn load<const N: usize, V: Vector>(state: &[V::Int], stride: usize) -> [V; N] {
    // SAFETY: as the caller vouches.
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

/// Writes word i of every lane to `i * stride`.
///
/// # Safety
///
/// As for [`load`].
#[inline(always)]
unsafe fn store<const N: usize, V: Vector>(words: [V; N], state: &mut [V::Int], stride: usize) {
    let mut i = 0;
    while i < N {
        // SAFETY: as the caller vouches.
        unsafe { words[i].store(state.get_unchecked_mut(i * stride..)) };
        i += 1;
    }
}

/// Compresses `blocks` blocks of each of `data` into the lanes of `state`.
///
/// # Safety
///
/// As for the kernel ([`Compress`](super::abi::Compress)).
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
    // SAFETY: the caller vouches for the CPU and for every length.
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
