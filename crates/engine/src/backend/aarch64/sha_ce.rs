//! The SHA instructions of ARMv8 and ARMv8.2: whole rounds, so no word. One
//! stream sits on their latency; two interleaved streams fill it.

use core::arch::aarch64::*;

use heddle_spec::sha2::{Sha256, Sha512, Variant};
use heddle_spec::{Family, sha1, unroll};

use crate::backend::simd::at;
use crate::backend::{Job, Kernels, KernelsOf, Row, Tier, has};

macro_rules! block_row {
    ($row:ident = $name:ident, $tier:ident, $feature:tt, $lanes:literal, {
        $($family:ident $int:ident $kernel:expr, $cost:literal);*
    }) => {
        pub(in crate::backend) static $row: Row = Row {
            name: stringify!($name),
            tier: Tier::$tier,
            lanes: $lanes,
            supported: || has!("neon") && has!($feature),
            jobs: &[$(Job {
                family: Family::$family,
                kernels: Kernels::$int(KernelsOf { compress: $kernel, whole: None }),
                cost: $cost,
            }),*],
        };
    };
}
block_row!(SHA_CE_X1 = sha_ce_x1, ShaCe, "sha2", 1, {
    Sha1 W32 sha1::<1>, 1000; Sha256 W32 sha256::<1>, 1280
});
block_row!(SHA_CE_X2 = sha_ce_x2, ShaCe, "sha2", 2, {
    Sha1 W32 sha1::<2>, 1100; Sha256 W32 sha256::<2>, 1560
});
// The instructions of SHA-512 go by the feature that SHA-3's go by.
block_row!(SHA512_CE_X1 = sha512_ce_x1, Sha512Ce, "sha3", 1, {
    Sha512 W64 sha512, 2600
});

/// Words `i` … `i + 3` of lane `l`.
#[target_feature(enable = "neon")]
#[inline]
fn words(state: &[u32], stride: usize, i: usize, l: usize) -> uint32x4_t {
    let h = |i: usize| state[i * stride + l];
    let h = [h(i), h(i + 1), h(i + 2), h(i + 3)];
    // SAFETY: four words.
    unsafe { vld1q_u32(h.as_ptr()) }
}

/// Sets words `i` … `i + 3` of lane `l`.
#[target_feature(enable = "neon")]
#[inline]
fn set_words(state: &mut [u32], stride: usize, i: usize, l: usize, words: uint32x4_t) {
    let mut h = [0; 4];
    // SAFETY: four words.
    unsafe { vst1q_u32(h.as_mut_ptr(), words) };
    let mut j = 0;
    while j < 4 {
        state[(i + j) * stride + l] = h[j];
        j += 1;
    }
}

/// SHA-1, FIPS 180-4 §6.1.2, `N` streams side by side.
///
/// # Safety
///
/// As for [`Compress`](crate::backend::Compress).
#[target_feature(enable = "neon,sha2")]
#[inline(never)]
unsafe fn sha1<const N: usize>(state: &mut [u32], stride: usize, data: &[&[u8]], blocks: usize) {
    // Lanes of a register are in the order of the letters: a is the lowest.
    let mut abcd = [vdupq_n_u32(0); N];
    let mut e = [0; N];
    let mut n = 0;
    while n < N {
        abcd[n] = words(state, stride, 0, n);
        e[n] = state[4 * stride + n];
        n += 1;
    }

    let mut block = 0;
    while block < blocks {
        let (abcd_before, e_before) = (abcd, e);
        // w[n][g % 4] is W_4g … W_4g+3 of stream n.
        let mut w = [[vdupq_n_u32(0); 4]; N];
        unroll!(G => {
            let mut n = 0;
            while n < N {
                if G < 4 {
                    // SAFETY: the caller vouches for a block of each lane.
                    let bytes = unsafe { vld1q_u8(at(data, n, 64 * block + 16 * G)) };
                    w[n][G % 4] = vreinterpretq_u32_u8(vrev32q_u8(bytes));
                } else {
                    let sum = vsha1su0q_u32(w[n][G % 4], w[n][(G + 1) % 4], w[n][(G + 2) % 4]);
                    w[n][G % 4] = vsha1su1q_u32(sum, w[n][(G + 3) % 4]);
                }
                n += 1;
            }
            let mut n = 0;
            while n < N {
                let wk = vaddq_u32(w[n][G % 4], vdupq_n_u32(sha1::K[G / 5]));
                // In four rounds e becomes a, rotated.
                let next_e = vsha1h_u32(vgetq_lane_u32::<0>(abcd[n]));
                abcd[n] = match G / 5 {
                    0 => vsha1cq_u32(abcd[n], e[n], wk),
                    2 => vsha1mq_u32(abcd[n], e[n], wk),
                    _ => vsha1pq_u32(abcd[n], e[n], wk),
                };
                e[n] = next_e;
                n += 1;
            }
        }; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
        let mut n = 0;
        while n < N {
            abcd[n] = vaddq_u32(abcd[n], abcd_before[n]);
            e[n] = e[n].wrapping_add(e_before[n]);
            n += 1;
        }
        block += 1;
    }

    let mut n = 0;
    while n < N {
        set_words(state, stride, 0, n, abcd[n]);
        state[4 * stride + n] = e[n];
        n += 1;
    }
}

/// SHA-256, FIPS 180-4 §6.2.2, `N` streams side by side.
///
/// # Safety
///
/// As for [`Compress`](crate::backend::Compress).
#[target_feature(enable = "neon,sha2")]
#[inline(never)]
unsafe fn sha256<const N: usize>(state: &mut [u32], stride: usize, data: &[&[u8]], blocks: usize) {
    let mut abcd = [vdupq_n_u32(0); N];
    let mut efgh = [vdupq_n_u32(0); N];
    let mut n = 0;
    while n < N {
        abcd[n] = words(state, stride, 0, n);
        efgh[n] = words(state, stride, 4, n);
        n += 1;
    }

    let mut block = 0;
    while block < blocks {
        let (abcd_before, efgh_before) = (abcd, efgh);
        // w[n][g % 4] is W_4g … W_4g+3 of stream n.
        let mut w = [[vdupq_n_u32(0); 4]; N];
        unroll!(G => {
            // SAFETY: four words of K, which has eighty.
            let k = unsafe { vld1q_u32(Sha256::K.as_ptr().add(4 * G)) };
            let mut n = 0;
            while n < N {
                if G < 4 {
                    // SAFETY: the caller vouches for a block of each lane.
                    let bytes = unsafe { vld1q_u8(at(data, n, 64 * block + 16 * G)) };
                    w[n][G % 4] = vreinterpretq_u32_u8(vrev32q_u8(bytes));
                } else {
                    let sum = vsha256su0q_u32(w[n][G % 4], w[n][(G + 1) % 4]);
                    w[n][G % 4] = vsha256su1q_u32(sum, w[n][(G + 2) % 4], w[n][(G + 3) % 4]);
                }
                n += 1;
            }
            let mut n = 0;
            while n < N {
                let wk = vaddq_u32(w[n][G % 4], k);
                let next_abcd = vsha256hq_u32(abcd[n], efgh[n], wk);
                efgh[n] = vsha256h2q_u32(efgh[n], abcd[n], wk);
                abcd[n] = next_abcd;
                n += 1;
            }
        });
        let mut n = 0;
        while n < N {
            abcd[n] = vaddq_u32(abcd[n], abcd_before[n]);
            efgh[n] = vaddq_u32(efgh[n], efgh_before[n]);
            n += 1;
        }
        block += 1;
    }

    let mut n = 0;
    while n < N {
        set_words(state, stride, 0, n, abcd[n]);
        set_words(state, stride, 4, n, efgh[n]);
        n += 1;
    }
}

/// SHA-512, FIPS 180-4 §6.4.2, one stream.
///
/// # Safety
///
/// As for [`Compress`](crate::backend::Compress).
#[target_feature(enable = "neon,sha3")]
#[inline(never)]
unsafe fn sha512(state: &mut [u64], stride: usize, data: &[&[u8]], blocks: usize) {
    // s[i] is a pair of letters, the earlier one in the low half: ab, cd, ef, gh.
    let mut s = [vdupq_n_u64(0); 4];
    let mut i = 0;
    while i < 4 {
        let h = [state[2 * i * stride], state[(2 * i + 1) * stride]];
        // SAFETY: two words.
        s[i] = unsafe { vld1q_u64(h.as_ptr()) };
        i += 1;
    }

    let mut block = 0;
    while block < blocks {
        let before = s;
        // w[g % 8] is W_2g and W_2g+1.
        let mut w = [vdupq_n_u64(0); 8];
        unroll!(G => {
            if G < 8 {
                // SAFETY: the caller vouches for a block.
                let bytes = unsafe { vld1q_u8(at(data, 0, 128 * block + 16 * G)) };
                w[G % 8] = vreinterpretq_u64_u8(vrev64q_u8(bytes));
            } else {
                // W_{t-7} and the word after it straddle two registers.
                let w7 = vextq_u64::<1>(w[(G + 4) % 8], w[(G + 5) % 8]);
                let sum = vsha512su0q_u64(w[G % 8], w[(G + 1) % 8]);
                w[G % 8] = vsha512su1q_u64(sum, w[(G + 7) % 8], w7);
            }
            // SAFETY: two words of K, which has eighty.
            let k = unsafe { vld1q_u64(Sha512::K.as_ptr().add(2 * G)) };
            let wk = vaddq_u64(w[G % 8], k);
            let [ab, cd, ef, gh] = s;
            // The first of the two rounds is in the high halves: it adds to h,
            // and the second to g, which is h by then.
            let gh_wk = vaddq_u64(gh, vextq_u64::<1>(wk, wk));
            let t1 = vsha512hq_u64(gh_wk, vextq_u64::<1>(ef, gh), vextq_u64::<1>(cd, ef));
            s = [vsha512h2q_u64(t1, cd, ab), ab, vaddq_u64(cd, t1), ef];
        }; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19
           20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39);
        let mut i = 0;
        while i < 4 {
            s[i] = vaddq_u64(s[i], before[i]);
            i += 1;
        }
        block += 1;
    }

    let mut i = 0;
    while i < 4 {
        state[2 * i * stride] = vgetq_lane_u64::<0>(s[i]);
        state[(2 * i + 1) * stride] = vgetq_lane_u64::<1>(s[i]);
        i += 1;
    }
}
