//! The SHA instructions of ARMv8 and ARMv8.2: they run whole rounds and cannot be expressed as a
//! word. One stream is bound by their latency; two interleaved streams hide it.

use core::arch::aarch64::*;

use lanesum_spec::sha2::{Sha256, Sha512, Variant};
use lanesum_spec::{sha1, unroll};

use crate::kernel::abi::FunctionsOf;
use crate::kernel::copied::copied_finish;
use crate::kernel::entry::kernel;
use crate::kernel::iterate::{Iterations, Link, iterate};
use crate::kernel::lane::{lane, set_lane};
use crate::kernel::vector::simd::at;

kernel!(SHA_CE_X1 = sha_ce_x1, ShaCe, lanes = 1, features = ["neon", "sha2"],
    Sha1: FunctionsOf::new(sha1::<1>, sha1_finish::<1>, sha1_iterate::<1>),
    Sha256: FunctionsOf::new(sha256::<1>, sha256_finish::<1>, sha256_iterate::<1>),
);
kernel!(SHA_CE_X2 = sha_ce_x2, ShaCe, lanes = 2, features = ["neon", "sha2"],
    Sha1: FunctionsOf::new(sha1::<2>, sha1_finish::<2>, sha1_iterate::<2>),
    Sha256: FunctionsOf::new(sha256::<2>, sha256_finish::<2>, sha256_iterate::<2>),
);
// The SHA-512 instructions are part of the `sha3` target feature.
kernel!(SHA512_CE_X1 = sha512_ce_x1, Sha512Ce, lanes = 1, features = ["neon", "sha3"],
    Sha512: FunctionsOf::new(sha512, sha512_finish, sha512_iterate),
);

copied_finish!(sha1_finish<const N>, u32, sha1::Sha1, sha1::<N>, N);
copied_finish!(sha256_finish<const N>, u32, Sha256, sha256::<N>, N);
copied_finish!(sha512_finish, u64, Sha512, sha512, 1);

/// Loads words into registers of four.
#[target_feature(enable = "neon")]
#[inline]
fn quads<const WORDS: usize, const QUADS: usize>(words: &[u32; WORDS]) -> [uint32x4_t; QUADS] {
    const { assert!(WORDS >= 4 * QUADS) };
    let mut quads = [vdupq_n_u32(0); QUADS];
    let mut i = 0;
    while i < QUADS {
        // SAFETY: `words` has four words per quad.
        quads[i] = unsafe { vld1q_u32(words.as_ptr().add(4 * i)) };
        i += 1;
    }
    quads
}

/// Returns the four words of a register.
#[target_feature(enable = "neon")]
#[inline]
fn words(quad: uint32x4_t) -> [u32; 4] {
    let mut words = [0; 4];
    // SAFETY: the array has four words.
    unsafe { vst1q_u32(words.as_mut_ptr(), quad) };
    words
}

/// Compresses a block into `$abcd` and `$e` of each of `N` streams. `$load` yields four words of
/// stream `$n`, from word `4 * $g` on.
macro_rules! sha1_block {
    ($abcd:ident, $e:ident, ($n:ident, $g:ident) => $load:expr) => {
        let (abcd_before, e_before) = ($abcd, $e);
        // w[n][g % 4] is W_4g … W_4g+3 of stream n.
        let mut w = [[vdupq_n_u32(0); 4]; N];
        unroll!(G => {
            let mut n = 0;
            while n < N {
                if G < 4 {
                    let ($n, $g) = (n, G);
                    w[n][G % 4] = $load;
                } else {
                    let sum = vsha1su0q_u32(w[n][G % 4], w[n][(G + 1) % 4], w[n][(G + 2) % 4]);
                    w[n][G % 4] = vsha1su1q_u32(sum, w[n][(G + 3) % 4]);
                }
                n += 1;
            }
            let mut n = 0;
            while n < N {
                let wk = vaddq_u32(w[n][G % 4], vdupq_n_u32(sha1::K[G / 5]));
                // After four rounds, e is the current a, rotated.
                let next_e = vsha1h_u32(vgetq_lane_u32::<0>($abcd[n]));
                $abcd[n] = match G / 5 {
                    0 => vsha1cq_u32($abcd[n], $e[n], wk),
                    2 => vsha1mq_u32($abcd[n], $e[n], wk),
                    _ => vsha1pq_u32($abcd[n], $e[n], wk),
                };
                $e[n] = next_e;
                n += 1;
            }
        }; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
        let mut n = 0;
        while n < N {
            $abcd[n] = vaddq_u32($abcd[n], abcd_before[n]);
            $e[n] = $e[n].wrapping_add(e_before[n]);
            n += 1;
        }
    };
}

/// Loads the chaining values of `N` streams: a is the lowest word of its register.
///
/// # Safety
///
/// `state` contains the last word of the last stream.
#[target_feature(enable = "neon")]
#[inline]
unsafe fn load_sha1<const N: usize>(state: &[u32], stride: usize) -> ([uint32x4_t; N], [u32; N]) {
    let mut abcd = [vdupq_n_u32(0); N];
    let mut e = [0; N];
    let mut n = 0;
    while n < N {
        // SAFETY: the caller guarantees the extent of the state.
        let h: [u32; 5] = unsafe { lane(state, stride, n) };
        [abcd[n]] = quads(&h);
        e[n] = h[4];
        n += 1;
    }
    (abcd, e)
}

/// Stores the chaining values of `N` streams.
///
/// # Safety
///
/// `state` contains the last word of the last stream.
#[target_feature(enable = "neon")]
#[inline]
unsafe fn store_sha1<const N: usize>(
    state: &mut [u32],
    stride: usize,
    abcd: [uint32x4_t; N],
    e: [u32; N],
) {
    let mut n = 0;
    while n < N {
        let [a, b, c, d] = words(abcd[n]);
        // SAFETY: the caller guarantees the extent of the state.
        unsafe { set_lane(state, stride, n, &[a, b, c, d, e[n]]) };
        n += 1;
    }
}

/// SHA-1 (FIPS 180-4 §6.1.2) on `N` interleaved streams.
///
/// # Safety
///
/// See [`Compress`](crate::kernel::abi::Compress).
#[target_feature(enable = "neon,sha2")]
#[inline(never)]
unsafe fn sha1<const N: usize>(state: &mut [u32], stride: usize, data: &[&[u8]], blocks: usize) {
    // SAFETY: the caller guarantees the extent of the state.
    let (mut abcd, mut e) = unsafe { load_sha1::<N>(state, stride) };
    let mut block = 0;
    while block < blocks {
        sha1_block!(abcd, e, (n, g) => {
            // SAFETY: the caller guarantees a block in each lane.
            let bytes = unsafe { vld1q_u8(at(data, n, 64 * block + 16 * g)) };
            vreinterpretq_u32_u8(vrev32q_u8(bytes))
        });
        block += 1;
    }
    // SAFETY: the caller guarantees the extent of the state.
    unsafe { store_sha1(state, stride, abcd, e) };
}

/// The loop of PBKDF2 over SHA-1 on `N` interleaved streams.
///
/// # Safety
///
/// See [`Iterate`](crate::kernel::abi::Iterate).
#[target_feature(enable = "neon,sha2")]
#[inline(never)]
unsafe fn sha1_iterate<const N: usize>(
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
    // No masks: SHA-1 is the only digest of its family, and uses all words.
    let pads: [uint32x4_t; 4] = quads(&link.pad);
    iterate!(iterations, half => {
        let (abcd_u, e_u) = (abcd, e);
        (abcd, e) = starts[half];
        sha1_block!(abcd, e, (n, g) => match g {
            0 => abcd_u[n],
            1 => vsetq_lane_u32::<0>(e_u[n], pads[1]),
            _ => pads[g],
        });
    }, {
        let mut n = 0;
        while n < N {
            sum_abcd[n] = veorq_u32(sum_abcd[n], abcd[n]);
            sum_e[n] ^= e[n];
            n += 1;
        }
    });
    // SAFETY: the caller guarantees the extent of each state.
    unsafe {
        store_sha1(u, stride, abcd, e);
        store_sha1(sum, stride, sum_abcd, sum_e);
    }
}

/// Compresses a block into `$abcd` and `$efgh` of each of `N` streams. `$load` yields four words of
/// stream `$n`, from word `4 * $g` on.
macro_rules! sha256_block {
    ($abcd:ident, $efgh:ident, ($n:ident, $g:ident) => $load:expr) => {
        let (abcd_before, efgh_before) = ($abcd, $efgh);
        // w[n][g % 4] is W_4g … W_4g+3 of stream n.
        let mut w = [[vdupq_n_u32(0); 4]; N];
        unroll!(G => {
            // SAFETY: reads four of the 80 words of K.
            let k = unsafe { vld1q_u32(Sha256::K.as_ptr().add(4 * G)) };
            let mut n = 0;
            while n < N {
                if G < 4 {
                    let ($n, $g) = (n, G);
                    w[n][G % 4] = $load;
                } else {
                    let sum = vsha256su0q_u32(w[n][G % 4], w[n][(G + 1) % 4]);
                    w[n][G % 4] = vsha256su1q_u32(sum, w[n][(G + 2) % 4], w[n][(G + 3) % 4]);
                }
                n += 1;
            }
            let mut n = 0;
            while n < N {
                let wk = vaddq_u32(w[n][G % 4], k);
                let next_abcd = vsha256hq_u32($abcd[n], $efgh[n], wk);
                $efgh[n] = vsha256h2q_u32($efgh[n], $abcd[n], wk);
                $abcd[n] = next_abcd;
                n += 1;
            }
        });
        let mut n = 0;
        while n < N {
            $abcd[n] = vaddq_u32($abcd[n], abcd_before[n]);
            $efgh[n] = vaddq_u32($efgh[n], efgh_before[n]);
            n += 1;
        }
    };
}

/// Loads the chaining values of `N` streams: a and e are the lowest words.
///
/// # Safety
///
/// `state` contains the last word of the last stream.
#[target_feature(enable = "neon")]
#[inline]
unsafe fn load_sha256<const N: usize>(
    state: &[u32],
    stride: usize,
) -> ([uint32x4_t; N], [uint32x4_t; N]) {
    let mut abcd = [vdupq_n_u32(0); N];
    let mut efgh = [vdupq_n_u32(0); N];
    let mut n = 0;
    while n < N {
        // SAFETY: the caller guarantees the extent of the state.
        let h: [u32; 8] = unsafe { lane(state, stride, n) };
        [abcd[n], efgh[n]] = quads(&h);
        n += 1;
    }
    (abcd, efgh)
}

/// Stores the chaining values of `N` streams.
///
/// # Safety
///
/// `state` contains the last word of the last stream.
#[target_feature(enable = "neon")]
#[inline]
unsafe fn store_sha256<const N: usize>(
    state: &mut [u32],
    stride: usize,
    abcd: [uint32x4_t; N],
    efgh: [uint32x4_t; N],
) {
    let mut n = 0;
    while n < N {
        let ([a, b, c, d], [e, f, g, h]) = (words(abcd[n]), words(efgh[n]));
        // SAFETY: the caller guarantees the extent of the state.
        unsafe { set_lane(state, stride, n, &[a, b, c, d, e, f, g, h]) };
        n += 1;
    }
}

/// SHA-256 (FIPS 180-4 §6.2.2) on `N` interleaved streams.
///
/// # Safety
///
/// See [`Compress`](crate::kernel::abi::Compress).
#[target_feature(enable = "neon,sha2")]
#[inline(never)]
unsafe fn sha256<const N: usize>(state: &mut [u32], stride: usize, data: &[&[u8]], blocks: usize) {
    // SAFETY: the caller guarantees the extent of the state.
    let (mut abcd, mut efgh) = unsafe { load_sha256::<N>(state, stride) };
    let mut block = 0;
    while block < blocks {
        sha256_block!(abcd, efgh, (n, g) => {
            // SAFETY: the caller guarantees a block in each lane.
            let bytes = unsafe { vld1q_u8(at(data, n, 64 * block + 16 * g)) };
            vreinterpretq_u32_u8(vrev32q_u8(bytes))
        });
        block += 1;
    }
    // SAFETY: the caller guarantees the extent of the state.
    unsafe { store_sha256(state, stride, abcd, efgh) };
}

/// The loop of PBKDF2 over SHA-256 on `N` interleaved streams.
///
/// # Safety
///
/// See [`Iterate`](crate::kernel::abi::Iterate).
#[target_feature(enable = "neon,sha2")]
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
    let (mut abcd, mut efgh) = load(u);
    let (mut sum_abcd, mut sum_efgh) = load(sum);
    let [_, mask]: [uint32x4_t; 2] = quads(&link.mask);
    let pads: [uint32x4_t; 4] = quads(&link.pad);
    iterate!(iterations, half => {
        let (abcd_u, efgh_u) = (abcd, efgh);
        (abcd, efgh) = starts[half];
        sha256_block!(abcd, efgh, (n, g) => match g {
            0 => abcd_u[n],
            // Only SHA-224 omits a word of this half, the last.
            1 => vaddq_u32(vandq_u32(efgh_u[n], mask), pads[1]),
            _ => pads[g],
        });
    }, {
        let mut n = 0;
        while n < N {
            sum_abcd[n] = veorq_u32(sum_abcd[n], abcd[n]);
            sum_efgh[n] = veorq_u32(sum_efgh[n], efgh[n]);
            n += 1;
        }
    });
    // SAFETY: the caller guarantees the extent of each state.
    unsafe {
        store_sha256(u, stride, abcd, efgh);
        store_sha256(sum, stride, sum_abcd, sum_efgh);
    }
}

/// Compresses a block into `$s`. `$load` yields two words, from word `2 * $g` on.
macro_rules! sha512_block {
    ($s:ident, $g:ident => $load:expr) => {
        let before = $s;
        // w[g % 8] is W_2g and W_2g+1.
        let mut w = [vdupq_n_u64(0); 8];
        unroll!(G => {
            if G < 8 {
                let $g = G;
                w[G % 8] = $load;
            } else {
                // W_{t-7} and the word after it straddle two registers.
                let w7 = vextq_u64::<1>(w[(G + 4) % 8], w[(G + 5) % 8]);
                let sum = vsha512su0q_u64(w[G % 8], w[(G + 1) % 8]);
                w[G % 8] = vsha512su1q_u64(sum, w[(G + 7) % 8], w7);
            }
            // SAFETY: reads two of the 80 words of K.
            let k = unsafe { vld1q_u64(Sha512::K.as_ptr().add(2 * G)) };
            let wk = vaddq_u64(w[G % 8], k);
            let [ab, cd, ef, gh] = $s;
            // The first of the two rounds is in the high halves: it adds to h,
            // and the second to g, which is h by then.
            let gh_wk = vaddq_u64(gh, vextq_u64::<1>(wk, wk));
            let t1 = vsha512hq_u64(gh_wk, vextq_u64::<1>(ef, gh), vextq_u64::<1>(cd, ef));
            $s = [vsha512h2q_u64(t1, cd, ab), ab, vaddq_u64(cd, t1), ef];
        }; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19
           20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39);
        let mut i = 0;
        while i < 4 {
            $s[i] = vaddq_u64($s[i], before[i]);
            i += 1;
        }
    };
}

/// Loads the chaining value as ab, cd, ef, gh, the earlier letter in the low half.
///
/// # Safety
///
/// `state` contains the last word of the stream.
#[target_feature(enable = "neon")]
#[inline]
unsafe fn load_sha512(state: &[u64], stride: usize) -> [uint64x2_t; 4] {
    // SAFETY: the caller guarantees the extent of the state.
    let h: [u64; 8] = unsafe { lane(state, stride, 0) };
    let mut s = [vdupq_n_u64(0); 4];
    let mut i = 0;
    while i < 4 {
        // SAFETY: reads two of the eight words.
        s[i] = unsafe { vld1q_u64(h.as_ptr().add(2 * i)) };
        i += 1;
    }
    s
}

/// Stores the chaining value.
///
/// # Safety
///
/// `state` contains the last word of the stream.
#[target_feature(enable = "neon")]
#[inline]
unsafe fn store_sha512(state: &mut [u64], stride: usize, s: [uint64x2_t; 4]) {
    let mut h = [0; 8];
    let mut i = 0;
    while i < 4 {
        // SAFETY: writes two of the eight words.
        unsafe { vst1q_u64(h.as_mut_ptr().add(2 * i), s[i]) };
        i += 1;
    }
    // SAFETY: the caller guarantees the extent of the state.
    unsafe { set_lane(state, stride, 0, &h) };
}

/// SHA-512 (FIPS 180-4 §6.4.2) on one stream.
///
/// # Safety
///
/// See [`Compress`](crate::kernel::abi::Compress).
#[target_feature(enable = "neon,sha3")]
#[inline(never)]
unsafe fn sha512(state: &mut [u64], stride: usize, data: &[&[u8]], blocks: usize) {
    // SAFETY: the caller guarantees the extent of the state.
    let mut s = unsafe { load_sha512(state, stride) };
    let mut block = 0;
    while block < blocks {
        sha512_block!(s, g => {
            // SAFETY: the caller guarantees a block.
            let bytes = unsafe { vld1q_u8(at(data, 0, 128 * block + 16 * g)) };
            vreinterpretq_u64_u8(vrev64q_u8(bytes))
        });
        block += 1;
    }
    // SAFETY: the caller guarantees the extent of the state.
    unsafe { store_sha512(state, stride, s) };
}

/// The loop of PBKDF2 over SHA-512 on one stream.
///
/// # Safety
///
/// See [`Iterate`](crate::kernel::abi::Iterate).
#[target_feature(enable = "neon,sha3")]
#[inline(never)]
unsafe fn sha512_iterate(
    chains: [&[u64]; 2],
    link: &Link<u64>,
    u: &mut [u64],
    sum: &mut [u64],
    stride: usize,
    iterations: Iterations,
) {
    // SAFETY: the caller guarantees the extent of each state.
    let load = |state: &[u64]| unsafe { load_sha512(state, stride) };
    let starts = [load(chains[0]), load(chains[1])];
    let (mut s, mut total) = (load(u), load(sum));
    iterate!(iterations, half => {
        let before = s;
        s = starts[half];
        sha512_block!(s, g => {
            // SAFETY: reads two of 16 words, and two of eight.
            unsafe {
                let pad = vld1q_u64(link.pad.as_ptr().add(2 * g));
                if g < 4 {
                    // A digest may end between words or within one.
                    let mask = vld1q_u64(link.mask.as_ptr().add(2 * g));
                    vaddq_u64(vandq_u64(before[g], mask), pad)
                } else {
                    pad
                }
            }
        });
    }, {
        let mut i = 0;
        while i < 4 {
            total[i] = veorq_u64(total[i], s[i]);
            i += 1;
        }
    });
    // SAFETY: the caller guarantees the extent of each state.
    unsafe {
        store_sha512(u, stride, s);
        store_sha512(sum, stride, total);
    }
}
