//! The SHA instructions of x86: they run whole rounds and cannot be expressed as a word. One stream
//! is bound by their latency; two or four interleaved streams hide it. Whole
//! blocks of a single stream of SHA-1 are generated assembly (`stitched`), except with AVX-512VL.

use core::mem::MaybeUninit;

use lanesum_spec::sha2::{Sha256, Variant};
use lanesum_spec::{W32, sha1, sha1dc, unroll};

use super::isa::*;
use super::padded::{left, lengths, opaque_index, opaque_vector, padded};
use crate::kernel::abi::{CompressTraced, Ending, FunctionsOf, Trace, Watching};
use crate::kernel::entry::kernel;
use crate::kernel::iterate::{Iterations, Link, iterate};
use crate::kernel::lane::{lane, set_lane};
use crate::kernel::portable::portable_x1;

// With AVX-512VL's rotations, a vector instruction or two replace SHA1MSG2, which some cores of Intel execute
// as microcode.
#[cfg(target_arch = "x86_64")]
kernel!(SHA_NI_VL_X1 = sha_ni_vl_x1, ShaNi, lanes = 1,
    features = ["sha", "ssse3", "sse4.1", "avx512f", "avx512bw", "avx512vl"],
    Sha1: FunctionsOf::new(vl::sha1::<1>, vl::sha1_finish::<1>, vl::sha1_iterate::<1>)
        .watching(watching(vl::sha1_traced)),
);
#[cfg(target_arch = "x86_64")]
kernel!(SHA_NI_VL_X2 = sha_ni_vl_x2, ShaNi, lanes = 2,
    features = ["sha", "ssse3", "sse4.1", "avx512f", "avx512bw", "avx512vl"],
    Sha1: FunctionsOf::new(vl::sha1::<2>, vl::sha1_finish::<2>, vl::sha1_iterate::<2>)
        .writing(sha1_write::<2>),
);
#[cfg(target_arch = "x86_64")]
kernel!(SHA_NI_VL_X4 = sha_ni_vl_x4, ShaNi, lanes = 4,
    features = ["sha", "ssse3", "sse4.1", "avx512f", "avx512bw", "avx512vl"],
    Sha1: FunctionsOf::new(vl::sha1::<4>, vl::sha1_finish::<4>, vl::sha1_iterate::<4>)
        .writing(sha1_write::<4>),
);
kernel!(SHA_NI_X1 = sha_ni_x1, ShaNi, lanes = 1, features = ["sha", "ssse3", "sse4.1"],
    Sha1: FunctionsOf::new(sha1::<1>, sha1_finish::<1>, sha1_iterate::<1>).watching(watching(sha1_traced)),
    Sha256: FunctionsOf::new(sha256::<1>, sha256_finish::<1>, sha256_iterate::<1>)
        .digesting_blocks(sha256_digest_blocks::<1>),
);
kernel!(SHA_NI_X2 = sha_ni_x2, ShaNi, lanes = 2, features = ["sha", "ssse3", "sse4.1"],
    Sha1: FunctionsOf::new(sha1::<2>, sha1_finish::<2>, sha1_iterate::<2>).writing(sha1_write::<2>),
    Sha256: FunctionsOf::new(sha256::<2>, sha256_finish::<2>, sha256_iterate::<2>)
        .writing(sha256_write::<2>)
        .digesting_blocks(sha256_digest_blocks::<2>),
);
// Four streams of SHA-256 exceed the number of registers.
kernel!(SHA_NI_X4 = sha_ni_x4, ShaNi, lanes = 4, features = ["sha", "ssse3", "sse4.1"],
    Sha1: FunctionsOf::new(sha1::<4>, sha1_finish::<4>, sha1_iterate::<4>).writing(sha1_write::<4>),
);

/// The chaining values of `N` streams, two registers each.
type Streams<const N: usize> = ([__m128i; N], [__m128i; N]);

/// The shuffle for `_mm_shuffle_epi8` to big-endian words, the first word lowest.
#[target_feature(enable = "sse2")]
#[inline]
fn word_order() -> __m128i {
    _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3)
}

/// The shuffle to big-endian words, the first word highest: reverses the register's bytes.
#[target_feature(enable = "sse2")]
#[inline]
fn register_order() -> __m128i {
    _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
}

/// Loads four words, the first highest: part of a single stream's chaining value.
#[target_feature(enable = "sse2")]
#[inline]
fn load_reversed(words: &[u32]) -> __m128i {
    assert!(words.len() == 4);
    // SAFETY: the slice has four words.
    let quad = unsafe { _mm_loadu_si128(words.as_ptr().cast()) };
    _mm_shuffle_epi32::<0x1b>(quad)
}

/// Stores four words, the highest first.
#[target_feature(enable = "sse2")]
#[inline]
fn store_reversed(words: &mut [u32], quad: __m128i) {
    assert!(words.len() == 4);
    // SAFETY: the slice has room for four words.
    unsafe { _mm_storeu_si128(words.as_mut_ptr().cast(), _mm_shuffle_epi32::<0x1b>(quad)) }
}

/// Loads four words of streams `n` and `n + 1`, the first of `places` lowest: a register per stream.
///
/// # Safety
///
/// `state` contains these words.
#[inline(always)]
unsafe fn load_pair(state: &[u32], stride: usize, n: usize, places: [usize; 4]) -> [__m128i; 2] {
    // SAFETY: the caller guarantees the extent of the state, and the target has SSE2.
    unsafe {
        let row = |i: usize| _mm_loadl_epi64(state.as_ptr().add(i * stride + n).cast());
        let [a, b, c, d] = places;
        let ab = _mm_unpacklo_epi32(row(a), row(b));
        let cd = _mm_unpacklo_epi32(row(c), row(d));
        [_mm_unpacklo_epi64(ab, cd), _mm_unpackhi_epi64(ab, cd)]
    }
}

/// Stores what [`load_pair`] loads.
///
/// # Safety
///
/// `state` contains these words.
#[inline(always)]
unsafe fn store_pair(
    state: &mut [u32],
    stride: usize,
    n: usize,
    places: [usize; 4],
    pair: [__m128i; 2],
) {
    // SAFETY: the caller guarantees the extent of the state, and the target has SSE2.
    unsafe {
        let ab = _mm_unpacklo_epi32(pair[0], pair[1]);
        let cd = _mm_unpackhi_epi32(pair[0], pair[1]);
        let rows = [ab, _mm_unpackhi_epi64(ab, ab), cd, _mm_unpackhi_epi64(cd, cd)];
        for (i, row) in places.into_iter().zip(rows) {
            _mm_storel_epi64(state.as_mut_ptr().add(i * stride + n).cast(), row);
        }
    }
}

/// Packs four words, the first highest.
#[target_feature(enable = "sse2")]
#[inline]
fn pack(a: u32, b: u32, c: u32, d: u32) -> __m128i {
    _mm_set_epi32(a as i32, b as i32, c as i32, d as i32)
}

/// Returns the four words of a register, the highest first.
#[target_feature(enable = "sse4.1")]
#[inline]
fn words(x: __m128i) -> [u32; 4] {
    [
        _mm_extract_epi32::<3>(x) as u32,
        _mm_extract_epi32::<2>(x) as u32,
        _mm_extract_epi32::<1>(x) as u32,
        _mm_extract_epi32::<0>(x) as u32,
    ]
}

/// Compresses a block into `$abef` and `$cdgh` of each of `N` streams. `$load` yields four words of
/// stream `$n`, from word `4 * $g` on.
macro_rules! sha256_block {
    ($abef:ident, $cdgh:ident, ($n:ident, $g:ident) => $load:expr) => {
        let (abef_before, cdgh_before) = ($abef, $cdgh);
        // w[n][g % 4] is W_4g … W_4g+3 of stream n.
        let mut w = [[_mm_setzero_si128(); 4]; N];
        unroll!(G => {
            let mut n = 0;
            while n < N {
                if G < 4 {
                    let ($n, $g) = (n, G);
                    w[n][G % 4] = $load;
                } else {
                    // σ0 of W_{t-15} was added as soon as W_{t-16} was free; W_{t-7} straddles two
                    // registers; msg2 applies σ1 of W_{t-2}.
                    let w7 = _mm_alignr_epi8::<4>(w[n][(G + 3) % 4], w[n][(G + 2) % 4]);
                    let sum = _mm_add_epi32(w[n][G % 4], w7);
                    w[n][G % 4] = _mm_sha256msg2_epu32(sum, w[n][(G + 3) % 4]);
                }
                n += 1;
            }
            let mut n = 0;
            while n < N {
                // SAFETY: reads four of the 80 words of K.
                let k = unsafe { _mm_loadu_si128(Sha256::K.as_ptr().add(4 * G).cast()) };
                let wk = _mm_add_epi32(w[n][G % 4], k);
                $cdgh[n] = _mm_sha256rnds2_epu32($cdgh[n], $abef[n], wk);
                $abef[n] = _mm_sha256rnds2_epu32($abef[n], $cdgh[n], _mm_shuffle_epi32::<0x0e>(wk));
                n += 1;
            }
            if matches!(G, 3..15) {
                let mut n = 0;
                while n < N {
                    w[n][(G + 1) % 4] = _mm_sha256msg1_epu32(w[n][(G + 1) % 4], w[n][(G + 2) % 4]);
                    n += 1;
                }
            }
        });
        let mut n = 0;
        while n < N {
            $abef[n] = _mm_add_epi32($abef[n], abef_before[n]);
            $cdgh[n] = _mm_add_epi32($cdgh[n], cdgh_before[n]);
            n += 1;
        }
    };
}

/// Compresses the block whose words, plus K, are `$expanded` into `$abef` and `$cdgh` of each of `N`
/// streams.
macro_rules! sha256_expanded {
    ($abef:ident, $cdgh:ident, $expanded:ident) => {
        let (abef_before, cdgh_before) = ($abef, $cdgh);
        unroll!(G => {
            // SAFETY: reads two pairs of the 80 words.
            let [first, second] = unsafe {
                [4 * G, 4 * G + 2].map(|t| _mm_loadl_epi64($expanded.as_ptr().add(t).cast()))
            };
            let mut n = 0;
            while n < N {
                $cdgh[n] = _mm_sha256rnds2_epu32($cdgh[n], $abef[n], first);
                n += 1;
            }
            let mut n = 0;
            while n < N {
                $abef[n] = _mm_sha256rnds2_epu32($abef[n], $cdgh[n], second);
                n += 1;
            }
        });
        let mut n = 0;
        while n < N {
            $abef[n] = _mm_add_epi32($abef[n], abef_before[n]);
            $cdgh[n] = _mm_add_epi32($cdgh[n], cdgh_before[n]);
            n += 1;
        }
    };
}

/// Defines the function `fn`, which compresses the rest of `N` messages and their padding. It calls `compress` for more
/// whole blocks than `max_blocks`, and otherwise expands the macros `block` and `expanded`, which compress one block in
/// registers. `load` and `store` access the chaining values, and `order` is the shuffle of a message's bytes.
macro_rules! finish {
    (fn $finish:ident($family:ident), features = $features:literal, compress = $compress:ident,
        max_blocks = $max_blocks:expr, load = $load:ident, store = $store:ident, order = $order:ident,
        block = $block:ident $(($rotates:literal))?, expanded = $expanded:ident $(,)?) => {
        #[doc = concat!("The rest of `N` messages of ", stringify!($family), ", and their padding.")]
        ///
        /// # Safety
        ///
        /// See [`Finish`](crate::kernel::abi::Finish).
        #[target_feature(enable = $features)]
        #[inline(never)]
        pub(super) unsafe fn $finish<const N: usize>(
            state: &mut [u32],
            stride: usize,
            data: &[&[u8]],
            ending: Ending<'_, u32>,
        ) {
            // SAFETY: the caller guarantees a slice per lane.
            let [shortest, longest] = unsafe { lengths::<N>(data) };
            let last_block = (longest + 8) / 64;
            // The prover knows the shortest and the longest message, but not whether two lanes' messages differ.
            let is_uniform = opaque_index(shortest) == longest;
            // Only if every stream ends with that block.
            let expanded = ending.padding_block.filter(|_| is_uniform && 64 * last_block >= longest);
            let mut block = 0;
            // A call for few blocks takes longer than loading them like the rest.
            if shortest >= const { 64 * ($max_blocks + 1) } {
                block = shortest / 64;
                // SAFETY: every slice has `block` blocks; the caller guarantees everything else.
                unsafe { $compress::<N>(state, stride, data, block) };
            }
            // SAFETY: the caller guarantees the extent of the state.
            let (mut first, mut second) = unsafe { $load::<N>(state, stride) };
            let order = $order();
            while block <= last_block {
                block = opaque_index(block);
                if block == last_block && let Some(expanded) = expanded {
                    $expanded!(first, second, expanded);
                    break;
                }
                if (N == 1 || is_uniform) && left(shortest, block) >= 64 {
                    // Whole in every stream: loaded as the rounds need it.
                    $block!($($rotates)? first, second, (n, g) => {
                        // SAFETY: the caller guarantees a slice per lane, which has the block.
                        let bytes = unsafe {
                            let from = data.get_unchecked(n).as_ptr().add(64 * block + 16 * g);
                            _mm_loadu_si128(from.cast())
                        };
                        _mm_shuffle_epi8(bytes, order)
                    });
                    block += 1;
                    continue;
                }
                let mut quarters = [[_mm_setzero_si128(); 4]; N];
                unroll!(L => {
                    if L < N {
                        // SAFETY: the caller guarantees a slice per lane and the CPU features.
                        quarters[L] = unsafe { padded(data.get_unchecked(L), block, ending.before) };
                    }
                }; 0 1 2 3);
                let kept = (first, second);
                $block!($($rotates)? first, second, (n, g) => _mm_shuffle_epi8(quarters[n][g], order));
                // Restore the state of a stream that has ended.
                unroll!(L => {
                    // SAFETY: the caller guarantees a slice per lane.
                    if L < N && left(unsafe { data.get_unchecked(L) }.len(), block) < -8 {
                        (first[L], second[L]) = (kept.0[L], kept.1[L]);
                    }
                }; 0 1 2 3);
                block += 1;
            }
            // SAFETY: the caller guarantees the extent of the state.
            unsafe { $store(state, stride, first, second) };
        }
    };
}

/// SHA-256 (FIPS 180-4 §6.2.2) on `N` interleaved streams.
///
/// # Safety
///
/// See [`Compress`](crate::kernel::abi::Compress).
#[target_feature(enable = "sha,ssse3,sse4.1")]
#[inline(never)]
unsafe fn sha256<const N: usize>(state: &mut [u32], stride: usize, data: &[&[u8]], blocks: usize) {
    // SAFETY: the caller guarantees the extent of the state.
    let mut streams = unsafe { load_sha256::<N>(state, stride) };
    let mut from = [core::ptr::null(); N];
    let mut n = 0;
    while n < N {
        // SAFETY: the caller guarantees a slice per lane.
        from[n] = unsafe { data.get_unchecked(n) }.as_ptr();
        n += 1;
    }
    // SAFETY: the caller guarantees `blocks` blocks.
    unsafe { sha256_blocks(&mut streams, from, blocks) };
    // SAFETY: the caller guarantees the extent of the state.
    unsafe { store_sha256(state, stride, streams.0, streams.1) };
}

/// Compresses the `blocks` blocks at `from[n]` into stream n.
///
/// # Safety
///
/// The CPU has the features, and `from[n]` is valid for reads of `blocks` blocks.
#[target_feature(enable = "sha,ssse3,sse4.1")]
#[inline(never)]
unsafe fn sha256_blocks<const N: usize>(
    streams: &mut Streams<N>,
    from: [*const u8; N],
    blocks: usize,
) {
    let order = word_order();
    let (mut abef, mut cdgh) = *streams;
    let mut block = 0;
    while block < blocks {
        sha256_block!(abef, cdgh, (n, g) => {
            // SAFETY: the caller guarantees the block.
            let bytes = unsafe { _mm_loadu_si128(from[n].add(64 * block + 16 * g).cast()) };
            _mm_shuffle_epi8(bytes, order)
        });
        block += 1;
    }
    *streams = (abef, cdgh);
}

finish!(
    fn sha256_finish(Sha256),
    features = "sha,ssse3,sse4.1",
    compress = sha256,
    max_blocks = 15,
    load = load_sha256,
    store = store_sha256,
    order = word_order,
    block = sha256_block,
    expanded = sha256_expanded,
);

/// The words of a stream's registers: the instructions need a, b, e, f in one and c, d, g, h in the
/// other, with a and c highest.
const ABEF: [usize; 4] = [5, 4, 1, 0];
const CDGH: [usize; 4] = [7, 6, 3, 2];

/// Loads the chaining values of `N` streams: one or an even number.
///
/// # Safety
///
/// `state` contains the last word of the last stream.
#[target_feature(enable = "sse4.1")]
#[inline]
unsafe fn load_sha256<const N: usize>(state: &[u32], stride: usize) -> Streams<N> {
    let mut abef = [_mm_setzero_si128(); N];
    let mut cdgh = [_mm_setzero_si128(); N];
    if N == 1 && stride == 1 {
        let [dcba, hgfe] = [load_reversed(&state[..4]), load_reversed(&state[4..8])];
        return ([_mm_unpackhi_epi64(hgfe, dcba); N], [_mm_unpacklo_epi64(hgfe, dcba); N]);
    }
    if N == 1 {
        // SAFETY: the caller guarantees the extent of the state.
        let [a, b, c, d, e, f, g, h] = unsafe { lane(state, stride, 0) };
        return ([pack(a, b, e, f); N], [pack(c, d, g, h); N]);
    }
    let mut n = 0;
    while n < N {
        // SAFETY: the caller guarantees the extent of the state.
        unsafe {
            [abef[n], abef[n + 1]] = load_pair(state, stride, n, ABEF);
            [cdgh[n], cdgh[n + 1]] = load_pair(state, stride, n, CDGH);
        }
        n += 2;
    }
    (abef, cdgh)
}

/// Stores the chaining values of `N` streams.
///
/// # Safety
///
/// `state` contains the last word of the last stream.
#[target_feature(enable = "sse4.1")]
#[inline]
unsafe fn store_sha256<const N: usize>(
    state: &mut [u32],
    stride: usize,
    abef: [__m128i; N],
    cdgh: [__m128i; N],
) {
    if N == 1 && stride == 1 {
        store_reversed(&mut state[..4], _mm_unpackhi_epi64(cdgh[0], abef[0]));
        store_reversed(&mut state[4..8], _mm_unpacklo_epi64(cdgh[0], abef[0]));
        return;
    }
    if N == 1 {
        let ([a, b, e, f], [c, d, g, h]) = (words(abef[0]), words(cdgh[0]));
        // SAFETY: the caller guarantees the extent of the state.
        return unsafe { set_lane(state, stride, 0, &[a, b, c, d, e, f, g, h]) };
    }
    let mut n = 0;
    while n < N {
        // SAFETY: the caller guarantees the extent of the state.
        unsafe {
            store_pair(state, stride, n, ABEF, [abef[n], abef[n + 1]]);
            store_pair(state, stride, n, CDGH, [cdgh[n], cdgh[n + 1]]);
        }
        n += 2;
    }
}

/// Writes the chaining values of `N` streams, an even number, as bytes.
///
/// # Safety
///
/// See [`Write`](crate::kernel::abi::Write).
#[target_feature(enable = "sha,ssse3,sse4.1")]
#[inline(never)]
unsafe fn sha256_write<const N: usize>(state: &[u32], stride: usize, out: &mut [[u8; 64]]) {
    let order = opaque_vector(word_order());
    let mut n = 0;
    while n < N {
        // SAFETY: the caller guarantees the extent of the state, and an entry of `out` per stream.
        unsafe {
            let first = load_pair(state, stride, n, [0, 1, 2, 3]);
            let second = load_pair(state, stride, n, [4, 5, 6, 7]);
            for (i, half) in [first, second].into_iter().enumerate() {
                for (l, quad) in half.into_iter().enumerate() {
                    let to = out.get_unchecked_mut(n + l).as_mut_ptr().add(16 * i);
                    _mm_storeu_si128(to.cast(), _mm_shuffle_epi8(quad, order));
                }
            }
        }
        n += 2;
    }
}

/// The digests of `N` messages of one block each.
///
/// # Safety
///
/// See [`DigestBlocks`](crate::kernel::abi::DigestBlocks).
#[target_feature(enable = "sha,ssse3,sse4.1")]
#[inline(never)]
unsafe fn sha256_digest_blocks<const N: usize>(
    iv: &[u32; 8],
    data: &[&[u8]],
    ending: Ending<'_, u32>,
    out: &mut [[u8; 32]],
) {
    // SAFETY: a chaining value has eight words.
    let ([abef], [cdgh]) = unsafe { load_sha256::<1>(iv, 1) };
    let (mut abef, mut cdgh) = ([abef; N], [cdgh; N]);
    let order = word_order();
    if let Some(padding_block) = ending.padding_block {
        sha256_block!(abef, cdgh, (n, g) => {
            // SAFETY: the caller guarantees a block per stream.
            let bytes = unsafe {
                _mm_loadu_si128(data.get_unchecked(n).as_ptr().add(16 * g).cast())
            };
            _mm_shuffle_epi8(bytes, order)
        });
        sha256_expanded!(abef, cdgh, padding_block);
    } else {
        let mut quarters = [[_mm_setzero_si128(); 4]; N];
        unroll!(L => {
            if L < N {
                // SAFETY: the caller guarantees a slice per stream and the CPU features.
                quarters[L] = unsafe { padded(data.get_unchecked(L), 0, ending.before) };
            }
        }; 0 1);
        sha256_block!(abef, cdgh, (n, g) => _mm_shuffle_epi8(quarters[n][g], order));
    }
    let order = register_order();
    let mut n = 0;
    while n < N {
        // SAFETY: the caller guarantees an entry of `out` per stream.
        unsafe {
            let to: *mut __m128i = out.get_unchecked_mut(n).as_mut_ptr().cast();
            let (abcd, efgh) =
                (_mm_unpackhi_epi64(cdgh[n], abef[n]), _mm_unpacklo_epi64(cdgh[n], abef[n]));
            _mm_storeu_si128(to, _mm_shuffle_epi8(abcd, order));
            _mm_storeu_si128(to.add(1), _mm_shuffle_epi8(efgh, order));
        }
        n += 1;
    }
}

/// The loop of PBKDF2 over SHA-256 on `N` interleaved streams.
///
/// # Safety
///
/// See [`Iterate`](crate::kernel::abi::Iterate).
#[target_feature(enable = "sha,ssse3,sse4.1")]
#[inline(never)]
unsafe fn sha256_iterate<const N: usize>(
    chains: [&[u32]; 2],
    link: &Link<u32>,
    u: &mut [u32],
    sum: &mut [u32],
    stride: usize,
    iterations: Iterations,
) {
    // SAFETY: the caller guarantees the extent of each state.
    let load = |state: &[u32]| unsafe { load_sha256::<N>(state, stride) };
    let starts = [load(chains[0]), load(chains[1])];
    let (mut abef, mut cdgh) = load(u);
    let (mut sum_abef, mut sum_cdgh) = load(sum);
    let [_, mask]: [__m128i; 2] = quads(&link.mask);
    let pads: [__m128i; 4] = quads(&link.pad);
    iterate!(iterations, half => {
        let (abef_u, cdgh_u) = (abef, cdgh);
        (abef, cdgh) = starts[half];
        sha256_block!(abef, cdgh, (n, g) => match g {
            0 => _mm_shuffle_epi32::<0xb1>(_mm_unpackhi_epi64(abef_u[n], cdgh_u[n])),
            1 => {
                // Only SHA-224 omits a word of this half, the last.
                let efgh = _mm_shuffle_epi32::<0xb1>(_mm_unpacklo_epi64(abef_u[n], cdgh_u[n]));
                _mm_add_epi32(_mm_and_si128(efgh, mask), pads[1])
            }
            _ => pads[g],
        });
    }, {
        let mut n = 0;
        while n < N {
            sum_abef[n] = _mm_xor_si128(sum_abef[n], abef[n]);
            sum_cdgh[n] = _mm_xor_si128(sum_cdgh[n], cdgh[n]);
            n += 1;
        }
    });
    // SAFETY: the caller guarantees the extent of each state.
    unsafe {
        store_sha256(u, stride, abef, cdgh);
        store_sha256(sum, stride, sum_abef, sum_cdgh);
    }
}

/// Loads words into registers of four, the first lowest.
#[target_feature(enable = "sse2")]
#[inline]
fn quads<const WORDS: usize, const QUADS: usize>(words: &[u32; WORDS]) -> [__m128i; QUADS] {
    const { assert!(WORDS == 4 * QUADS) };
    let mut quads = [_mm_setzero_si128(); QUADS];
    let mut i = 0;
    while i < QUADS {
        // SAFETY: `words` has four words per quad.
        quads[i] = unsafe { _mm_loadu_si128(words.as_ptr().add(4 * i).cast()) };
        i += 1;
    }
    quads
}

/// Compresses a block into `$abcd` and `$e` of each of `N` streams. `$load` yields four words of
/// stream `$n`, from word `4 * $g` on. `$each` sees each group of the first stream's schedule. If `$rotates` is true,
/// the last groups of the schedule are rotated rather than computed by the SHA instructions.
macro_rules! sha1_block {
    ($rotates:literal $abcd:ident, $e:ident, ($n:ident, $g:ident) => $load:expr
        $(, ($group:ident, $words:ident) => $each:expr)?) => {
        let (abcd_before, e_before) = ($abcd, $e);
        // w[n][g % 8] is W_4g … W_4g+3 of stream n; before[n] is a … d of four rounds ago, whose
        // rotated a is now $e.
        let mut w = [[_mm_setzero_si128(); 8]; N];
        let mut before = $abcd;
        unroll!(G => {
            let mut n = 0;
            while n < N {
                if G < 4 {
                    let ($n, $g) = (n, G);
                    w[n][G % 8] = $load;
                } else if $rotates && G >= 8 {
                    // The schedule, applied to itself: W_t = ROTL^2(W_t-6 ^ W_t-16 ^ W_t-28 ^ W_t-32).
                    let w6 = _mm_alignr_epi8::<8>(w[n][(G + 6) % 8], w[n][(G + 7) % 8]);
                    let early = _mm_xor_si128(w[n][G % 8], w[n][(G + 1) % 8]);
                    let sum = _mm_xor_si128(_mm_xor_si128(early, w[n][(G + 4) % 8]), w6);
                    w[n][G % 8] = _mm_or_si128(_mm_slli_epi32::<2>(sum), _mm_srli_epi32::<30>(sum));
                } else {
                    let early = _mm_sha1msg1_epu32(w[n][(G + 4) % 8], w[n][(G + 5) % 8]);
                    let sum = _mm_xor_si128(early, w[n][(G + 6) % 8]);
                    w[n][G % 8] = _mm_sha1msg2_epu32(sum, w[n][(G + 7) % 8]);
                }
                n += 1;
            }
            $(
                let ($group, $words) = (G, w[0][G % 8]);
                $each;
            )?
            let mut n = 0;
            while n < N {
                let we = if G == 0 {
                    _mm_add_epi32($e[n], w[n][0])
                } else {
                    _mm_sha1nexte_epu32(before[n], w[n][G % 8])
                };
                before[n] = $abcd[n];
                $abcd[n] = match G / 5 {
                    0 => _mm_sha1rnds4_epu32::<0>($abcd[n], we),
                    1 => _mm_sha1rnds4_epu32::<1>($abcd[n], we),
                    2 => _mm_sha1rnds4_epu32::<2>($abcd[n], we),
                    _ => _mm_sha1rnds4_epu32::<3>($abcd[n], we),
                };
                n += 1;
            }
        }; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
        let mut n = 0;
        while n < N {
            $e[n] = _mm_sha1nexte_epu32(before[n], e_before[n]);
            $abcd[n] = _mm_add_epi32($abcd[n], abcd_before[n]);
            n += 1;
        }
    };
}

/// Compresses the block whose words, plus K, are `$expanded` into `$abcd` and `$e` of each of `N`
/// streams.
macro_rules! sha1_expanded {
    ($abcd:ident, $e:ident, $expanded:ident) => {
        let (abcd_before, e_before) = ($abcd, $e);
        let mut before = $abcd;
        unroll!(G => {
            // SAFETY: reads four of the 80 words.
            let wk = unsafe { _mm_loadu_si128($expanded.as_ptr().add(4 * G).cast()) };
            // The instructions add K.
            let k = _mm_set1_epi32(const { sha1::K[G / 5] as i32 });
            let w = _mm_shuffle_epi32::<0x1b>(_mm_sub_epi32(wk, k));
            let mut n = 0;
            while n < N {
                let we = if G == 0 {
                    _mm_add_epi32($e[n], w)
                } else {
                    _mm_sha1nexte_epu32(before[n], w)
                };
                before[n] = $abcd[n];
                $abcd[n] = match G / 5 {
                    0 => _mm_sha1rnds4_epu32::<0>($abcd[n], we),
                    1 => _mm_sha1rnds4_epu32::<1>($abcd[n], we),
                    2 => _mm_sha1rnds4_epu32::<2>($abcd[n], we),
                    _ => _mm_sha1rnds4_epu32::<3>($abcd[n], we),
                };
                n += 1;
            }
        }; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
        let mut n = 0;
        while n < N {
            $e[n] = _mm_sha1nexte_epu32(before[n], e_before[n]);
            $abcd[n] = _mm_add_epi32($abcd[n], abcd_before[n]);
            n += 1;
        }
    };
}

/// The first four words of a stream, a highest.
const ABCD: [usize; 4] = [3, 2, 1, 0];

/// Loads the chaining values of `N` streams, one or an even number: a and e highest.
///
/// # Safety
///
/// `state` contains the last word of the last stream.
#[target_feature(enable = "sse4.1")]
#[inline]
unsafe fn load_sha1<const N: usize>(state: &[u32], stride: usize) -> Streams<N> {
    let mut abcd = [_mm_setzero_si128(); N];
    let mut e = [_mm_setzero_si128(); N];
    if N == 1 && stride == 1 {
        return ([load_reversed(&state[..4]); N], [pack(state[4], 0, 0, 0); N]);
    }
    if N == 1 {
        // SAFETY: the caller guarantees the extent of the state.
        let [a, b, c, d, last] = unsafe { lane(state, stride, 0) };
        return ([pack(a, b, c, d); N], [pack(last, 0, 0, 0); N]);
    }
    let mut n = 0;
    while n < N {
        // SAFETY: the caller guarantees the extent of the state.
        unsafe {
            [abcd[n], abcd[n + 1]] = load_pair(state, stride, n, ABCD);
            let last = _mm_loadl_epi64(state.as_ptr().add(4 * stride + n).cast());
            e[n] = _mm_slli_si128::<12>(last);
            e[n + 1] = _mm_slli_si128::<12>(_mm_srli_si128::<4>(last));
        }
        n += 2;
    }
    (abcd, e)
}

/// Stores the chaining values of `N` streams.
///
/// # Safety
///
/// `state` contains the last word of the last stream.
#[target_feature(enable = "sse4.1")]
#[inline]
unsafe fn store_sha1<const N: usize>(
    state: &mut [u32],
    stride: usize,
    abcd: [__m128i; N],
    e: [__m128i; N],
) {
    if N == 1 && stride == 1 {
        store_reversed(&mut state[..4], abcd[0]);
        state[4] = _mm_extract_epi32::<3>(e[0]) as u32;
        return;
    }
    if N == 1 {
        let ([a, b, c, d], [last, ..]) = (words(abcd[0]), words(e[0]));
        // SAFETY: the caller guarantees the extent of the state.
        return unsafe { set_lane(state, stride, 0, &[a, b, c, d, last]) };
    }
    let mut n = 0;
    while n < N {
        let last = _mm_unpackhi_epi32(e[n], e[n + 1]);
        // SAFETY: the caller guarantees the extent of the state.
        unsafe {
            store_pair(state, stride, n, ABCD, [abcd[n], abcd[n + 1]]);
            let to = state.as_mut_ptr().add(4 * stride + n);
            _mm_storel_epi64(to.cast(), _mm_unpackhi_epi64(last, last));
        }
        n += 2;
    }
}

/// Writes the chaining values of `N` streams, an even number, as bytes.
///
/// # Safety
///
/// See [`Write`](crate::kernel::abi::Write).
#[target_feature(enable = "sha,ssse3,sse4.1")]
#[inline(never)]
unsafe fn sha1_write<const N: usize>(state: &[u32], stride: usize, out: &mut [[u8; 64]]) {
    let order = opaque_vector(word_order());
    let mut n = 0;
    while n < N {
        // SAFETY: the caller guarantees the extent of the state, and an entry of `out` per stream.
        unsafe {
            let last = _mm_loadl_epi64(state.as_ptr().add(4 * stride + n).cast());
            let last = _mm_shuffle_epi8(last, order);
            let last = [_mm_cvtsi128_si32(last), _mm_extract_epi32::<1>(last)];
            for (l, quad) in load_pair(state, stride, n, [0, 1, 2, 3]).into_iter().enumerate() {
                let to = out.get_unchecked_mut(n + l).as_mut_ptr();
                _mm_storeu_si128(to.cast(), _mm_shuffle_epi8(quad, order));
                to.add(16).cast::<i32>().write_unaligned(last[l]);
            }
        }
        n += 2;
    }
}

/// Defines the functions of SHA-1 that compress. `$rotates` is [`sha1_block`]'s, and `$alone`
/// compresses a single stream.
macro_rules! sha1_functions {
    ($features:literal, $rotates:literal $(, $alone:path)?) => {
        /// SHA-1 (FIPS 180-4 §6.1.2) on `N` interleaved streams. K is built into the instructions, so
        /// [`sha1::K`] is not read.
        ///
        /// # Safety
        ///
        /// See [`Compress`](crate::kernel::abi::Compress).
        #[target_feature(enable = $features)]
        #[inline(never)]
        pub(super) unsafe fn sha1<const N: usize>(state: &mut [u32], stride: usize, data: &[&[u8]], blocks: usize) {
            $(
                #[cfg(target_arch = "x86_64")]
                if N == 1 {
                    // SAFETY: the callee has the same contract, which the caller upholds.
                    return unsafe { $alone(state, stride, data, blocks) };
                }
            )?
            // SAFETY: the caller guarantees the extent of the state.
            let mut streams = unsafe { load_sha1::<N>(state, stride) };
            let mut from = [core::ptr::null(); N];
            let mut n = 0;
            while n < N {
                // SAFETY: the caller guarantees a slice per lane.
                from[n] = unsafe { data.get_unchecked(n) }.as_ptr();
                n += 1;
            }
            // SAFETY: the caller guarantees `blocks` blocks.
            unsafe { sha1_blocks(&mut streams, from, blocks) };
            // SAFETY: the caller guarantees the extent of the state.
            unsafe { store_sha1(state, stride, streams.0, streams.1) };
        }

        /// Compresses the `blocks` blocks at `from[n]` into stream n.
        ///
        /// # Safety
        ///
        /// The CPU has the features, and `from[n]` is valid for reads of `blocks` blocks.
        #[target_feature(enable = $features)]
        #[inline(never)]
        unsafe fn sha1_blocks<const N: usize>(
            streams: &mut Streams<N>,
            from: [*const u8; N],
            blocks: usize,
        ) {
            const { assert!(sha1::K.len() == 4) }; // one phase for each value of the immediate
            let order = register_order();
            let (mut abcd, mut e) = *streams;
            let mut block = 0;
            while block < blocks {
                sha1_block!($rotates abcd, e, (n, g) => {
                    // SAFETY: the caller guarantees the block.
                    let bytes = unsafe { _mm_loadu_si128(from[n].add(64 * block + 16 * g).cast()) };
                    _mm_shuffle_epi8(bytes, order)
                });
                block += 1;
            }
            *streams = (abcd, e);
        }

        finish!(
            fn sha1_finish(Sha1),
            features = $features,
            compress = sha1,
            max_blocks = if N < 4 { 3 } else { 0 },
            load = load_sha1,
            store = store_sha1,
            order = register_order,
            block = sha1_block($rotates),
            expanded = sha1_expanded,
        );

        /// The loop of PBKDF2 over SHA-1 on `N` interleaved streams.
        ///
        /// # Safety
        ///
        /// See [`Iterate`](crate::kernel::abi::Iterate).
        #[target_feature(enable = $features)]
        #[inline(never)]
        pub(super) unsafe fn sha1_iterate<const N: usize>(
            chains: [&[u32]; 2],
            link: &Link<u32>,
            u: &mut [u32],
            sum: &mut [u32],
            stride: usize,
            iterations: Iterations,
        ) {
            // SAFETY: the caller guarantees the extent of each state.
            let load = |state: &[u32]| unsafe { load_sha1::<N>(state, stride) };
            let starts = [load(chains[0]), load(chains[1])];
            let (mut abcd, mut e) = load(u);
            let (mut sum_abcd, mut sum_e) = load(sum);
            // W_t is the highest word of its register, so a … d and e are already in order. No masks: SHA-1
            // is the only digest of its family, and uses all words.
            let pads: [__m128i; 4] = quads(&link.pad);
            let pads = pads.map(|quad| _mm_shuffle_epi32::<0x1b>(quad));
            iterate!(iterations, half => {
                let (abcd_u, e_u) = (abcd, e);
                (abcd, e) = starts[half];
                sha1_block!($rotates abcd, e, (n, g) => match g {
                    0 => abcd_u[n],
                    1 => _mm_add_epi32(e_u[n], pads[1]),
                    _ => pads[g],
                });
            }, {
                let mut n = 0;
                while n < N {
                    sum_abcd[n] = _mm_xor_si128(sum_abcd[n], abcd[n]);
                    sum_e[n] = _mm_xor_si128(sum_e[n], e[n]);
                    n += 1;
                }
            });
            // SAFETY: the caller guarantees the extent of each state.
            unsafe {
                store_sha1(u, stride, abcd, e);
                store_sha1(sum, stride, sum_abcd, sum_e);
            }
        }

        /// Compresses blocks and writes their traces.
        ///
        /// # Safety
        ///
        /// See [`CompressTraced`](crate::kernel::abi::CompressTraced).
        #[target_feature(enable = $features)]
        #[inline(never)]
        pub(super) unsafe fn sha1_traced(
            state: &mut [u32],
            data: &[u8],
            blocks: usize,
            traces: &mut [MaybeUninit<Trace>],
        ) {
            const N: usize = 1;
            let order = register_order();
            let outer = opaque_vector(_mm_set_epi8(-1, -1, -1, -1, -1, -1, -1, -1, 15, 11, 7, 3, 12, 8, 4, 0));
            // SAFETY: the caller guarantees a chaining value.
            let (mut abcd, mut e) = unsafe { load_sha1::<N>(state, 1) };
            let mut block = 0;
            while block < blocks {
                // SAFETY: the caller guarantees `blocks` blocks and traces.
                let (from, trace) = unsafe {
                    (data.as_ptr().add(64 * block), traces.as_mut_ptr().add(block).cast::<Trace>())
                };
                // SAFETY: a trace has nine groups of words.
                let words: *mut __m128i = unsafe { &raw mut (*trace).words }.cast();
                let mut last = [_mm_setzero_si128(); 9];
                sha1_block!($rotates abcd, e, (_n, g) => {
                    // SAFETY: the block has four parts of 16 bytes.
                    _mm_shuffle_epi8(unsafe { _mm_loadu_si128(from.add(16 * g).cast()) }, order)
                }, (group, words_of_group) => {
                    let place = 16_usize.wrapping_sub(group);
                    if place <= 8 {
                        last[place] = words_of_group;
                        // SAFETY: the trace has groups 8 to 16.
                        unsafe { _mm_storeu_si128(words.add(place), words_of_group) };
                    }
                });
                // SAFETY: a trace has eight words of the chaining value, and one of vectors.
                unsafe {
                    let [a, b, c, d] = gather(last, outer);
                    (*trace).left = sha1dc::left([W32(a), W32(b), W32(c), W32(d)]).0;
                    let after: *mut __m128i = (&raw mut (*trace).after).cast();
                    _mm_storeu_si128(after, abcd[0]);
                    _mm_storeu_si128(after.add(1), e[0]);
                }
                block += 1;
            }
            // SAFETY: the caller guarantees a chaining value.
            unsafe { store_sha1::<N>(state, 1, abcd, e) };
        }
    };
}
sha1_functions!("sha,ssse3,sse4.1", false, super::stitched::sha_ni_x1::sha1);

/// The functions of SHA-1 with AVX-512VL.
#[cfg(target_arch = "x86_64")]
mod vl {
    use super::*;

    sha1_functions!("sha,ssse3,sse4.1,avx512f,avx512bw,avx512vl", true);
}

/// Computes [`bits`](sha1dc::bits) of the last words of a schedule, four in each register. `outer` is the shuffle to
/// the lowest byte, then the highest byte, of each of four words.
#[target_feature(enable = "ssse3")]
#[inline]
fn gather(words: [__m128i; 9], outer: __m128i) -> [u32; 4] {
    // No `map`, which compilers do not always inline.
    let mut bytes = words;
    let mut i = 0;
    while i < bytes.len() {
        bytes[i] = _mm_shuffle_epi8(words[i], outer);
        i += 1;
    }
    let mut bits = [0; 4];
    let mut half = 0;
    while half < 2 {
        let two = |i: usize| _mm_unpacklo_epi32(bytes[4 * half + i], bytes[4 * half + i + 1]);
        let (low, high) = (_mm_unpacklo_epi64(two(1), two(3)), _mm_unpackhi_epi64(two(0), two(2)));
        // A shift by fewer than eight bits moves a bit of each byte to its top.
        bits[0] |= (_mm_movemask_epi8(_mm_slli_epi16::<6>(low)) as u32) << (16 * half);
        bits[1] |= (_mm_movemask_epi8(_mm_slli_epi16::<3>(low)) as u32) << (16 * half);
        bits[2] |= (_mm_movemask_epi8(_mm_slli_epi16::<1>(low)) as u32) << (16 * half);
        bits[3] |= (_mm_movemask_epi8(_mm_slli_epi16::<2>(high)) as u32) << (16 * half);
        half += 1;
    }
    bits
}

/// The functions for collision detection: a screen of few blocks, and checks of suspected ones in lanes, are rare, and
/// the portable kernel's.
const fn watching(traced: CompressTraced) -> Option<Watching> {
    let Some(portable) = portable_x1::sha1::WATCHING else { return None };
    Some(Watching { traced: Some(traced), ..portable })
}
