//! The SHA512 instructions of x86 (Arrow Lake, Lunar Lake and later), two rounds each.
//!
//! No test machine has them: the kernel is compiled, and tested with functions that emulate the
//! instructions as Intel's manual defines them (Software Developer's Manual, volume 2,
//! VSHA512RNDS2, VSHA512MSG1, VSHA512MSG2). It has not been timed.

use lanesum_spec::sha2::{Sha512, Variant};
use lanesum_spec::unroll;

use super::bmi2_x1;
use super::isa::*;
use crate::kernel::abi::FunctionsOf;
use crate::kernel::copied::copied_finish;
use crate::kernel::entry::kernel;
use crate::kernel::lane::{lane, set_lane};

kernel!(SHA512_NI_X1 = sha512_ni_x1, Sha512Ni, lanes = 1, features = ["sha512", "avx2", "bmi1", "bmi2"],
    Sha512: FunctionsOf::new(instructions::sha512, sha512_finish, bmi2_x1::sha512::iterate),
);

copied_finish!(sha512_finish, u64, Sha512, instructions::sha512, 1);

/// The shuffle to big-endian words, for `_mm256_shuffle_epi8`.
#[target_feature(enable = "avx2")]
#[inline]
fn word_order() -> __m256i {
    _mm256_broadcastsi128_si256(_mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7))
}

/// Returns words 0, 1, 4 and 5 of eight in the instructions' register order, or 2, 3, 6 and 7 if
/// `first` is 2: later words are lower.
#[inline]
fn halves(words: &[u64; 8], first: usize) -> [u64; 4] {
    [words[first + 5], words[first + 4], words[first + 1], words[first]]
}

/// Defines a module with the kernel in terms of the functions `$rnds2`, `$msg1` and `$msg2`.
macro_rules! compression {
    ($name:ident, $features:literal, $rnds2:path, $msg1:path, $msg2:path) => {
        mod $name {
            use super::*;

            /// SHA-512 (FIPS 180-4 §6.4.2) on one stream.
            ///
            /// # Safety
            ///
            /// See [`Compress`](crate::kernel::abi::Compress).
            #[target_feature(enable = $features)]
            #[inline(never)]
            pub(in crate::kernel::x86::sha512_ni) unsafe fn sha512(
                state: &mut [u64],
                stride: usize,
                data: &[&[u8]],
                blocks: usize,
            ) {
                // SAFETY: the caller guarantees the extent of the state.
                let mut words: [u64; 8] = unsafe { lane(state, stride, 0) };
                let load = |words: [u64; 4]| {
                    // SAFETY: the array has four words.
                    unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
                };
                let (mut abef, mut cdgh) = (load(halves(&words, 0)), load(halves(&words, 2)));
                let order = word_order();
                let message = data[0].as_ptr();
                let mut block = 0;
                while block < blocks {
                    let before = [abef, cdgh];
                    // w[g % 4] is W_4g … W_4g+3.
                    let mut w = [_mm256_setzero_si256(); 4];
                    unroll!(G => {
                        if G < 4 {
                            // SAFETY: the caller guarantees the block.
                            let bytes = unsafe {
                                _mm256_loadu_si256(message.add(128 * block + 32 * G).cast())
                            };
                            w[G % 4] = _mm256_shuffle_epi8(bytes, order);
                        } else {
                            // W_{t-7} straddles two registers; σ1 of W_{t-2} is inside msg2.
                            let [m0, m1, m2, m3] = [w[G % 4], w[(G + 1) % 4], w[(G + 2) % 4], w[(G + 3) % 4]];
                            let mixed = _mm256_blend_epi32::<0b0000_0011>(m2, m3);
                            let w7 = _mm256_permute4x64_epi64::<0b00_11_10_01>(mixed);
                            let half = $msg1(m0, _mm256_castsi256_si128(m1));
                            w[G % 4] = $msg2(_mm256_add_epi64(half, w7), m3);
                        }
                        // SAFETY: reads four of the 80 words of K.
                        let k = unsafe { _mm256_loadu_si256(Sha512::K.as_ptr().add(4 * G).cast()) };
                        let wk = _mm256_add_epi64(w[G % 4], k);
                        cdgh = $rnds2(cdgh, abef, _mm256_castsi256_si128(wk));
                        abef = $rnds2(abef, cdgh, _mm256_extracti128_si256::<1>(wk));
                    }; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
                    abef = _mm256_add_epi64(abef, before[0]);
                    cdgh = _mm256_add_epi64(cdgh, before[1]);
                    block += 1;
                }
                let (mut low, mut high) = ([0; 4], [0; 4]);
                // SAFETY: each array has room for four words.
                unsafe {
                    _mm256_storeu_si256(low.as_mut_ptr().cast(), abef);
                    _mm256_storeu_si256(high.as_mut_ptr().cast(), cdgh);
                }
                [words[5], words[4], words[1], words[0]] = low;
                [words[7], words[6], words[3], words[2]] = high;
                // SAFETY: the caller guarantees the extent of the state.
                unsafe { set_lane(state, stride, 0, &words) };
            }
        }
    };
}
compression!(
    instructions,
    "sha512,avx2",
    _mm256_sha512rnds2_epi64,
    _mm256_sha512msg1_epi64,
    _mm256_sha512msg2_epi64
);

/// The instructions emulated as functions, after the manual's pseudocode.
#[cfg(test)]
mod emulated {
    use super::*;

    compression!(kernel, "avx2", super::rnds2, super::msg1, super::msg2);
    pub(super) use kernel::sha512;

    fn words(x: __m256i) -> [u64; 4] {
        let mut words = [0; 4];
        // SAFETY: the array has room for four words.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), x) };
        words
    }

    fn low(x: __m128i) -> [u64; 2] {
        let mut words = [0; 2];
        // SAFETY: there is room for two words.
        unsafe { _mm_storeu_si128(words.as_mut_ptr().cast(), x) };
        words
    }

    fn vector(words: [u64; 4]) -> __m256i {
        // SAFETY: the array has four words.
        unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
    }

    fn cap_sigma(x: u64, [r, s, t]: [u32; 3]) -> u64 {
        x.rotate_right(r) ^ x.rotate_right(s) ^ x.rotate_right(t)
    }

    fn sigma(x: u64, [r, s, t]: [u32; 3]) -> u64 {
        x.rotate_right(r) ^ x.rotate_right(s) ^ x >> t
    }

    pub(super) fn rnds2(cdgh: __m256i, abef: __m256i, wk: __m128i) -> __m256i {
        let ([f, e, b, a], [h, g, d, c]) = (words(abef), words(cdgh));
        let mut s = [a, b, c, d, e, f, g, h];
        for wk in low(wk) {
            let [a, b, c, d, e, f, g, h] = s;
            let t1 = h
                .wrapping_add((e & f) ^ (g & !e))
                .wrapping_add(cap_sigma(e, [14, 18, 41]))
                .wrapping_add(wk);
            let t2 = ((a & b) ^ (a & c) ^ (b & c)).wrapping_add(cap_sigma(a, [28, 34, 39]));
            s = [t1.wrapping_add(t2), a, b, c, d.wrapping_add(t1), e, f, g];
        }
        vector([s[5], s[4], s[1], s[0]])
    }

    pub(super) fn msg1(a: __m256i, b: __m128i) -> __m256i {
        let (w, next) = (words(a), low(b)[0]);
        let w = [w[0], w[1], w[2], w[3], next];
        vector(core::array::from_fn(|i| w[i].wrapping_add(sigma(w[i + 1], [1, 8, 7]))))
    }

    pub(super) fn msg2(a: __m256i, b: __m256i) -> __m256i {
        let (sums, before) = (words(a), words(b));
        let w16 = sums[0].wrapping_add(sigma(before[2], [19, 61, 6]));
        let w17 = sums[1].wrapping_add(sigma(before[3], [19, 61, 6]));
        let w18 = sums[2].wrapping_add(sigma(w16, [19, 61, 6]));
        let w19 = sums[3].wrapping_add(sigma(w17, [19, 61, 6]));
        vector([w16, w17, w18, w19])
    }
}

#[cfg(test)]
mod tests {
    use lanesum_spec::{Compression, W64};

    use super::*;
    use crate::base::has;

    /// Compares the kernel with the specification, its instructions emulated.
    #[test]
    fn the_kernel_is_the_specification_where_its_instructions_do_what_the_manual_says() {
        if !has!("avx2") {
            let why = "its instructions are emulated with AVX2, which this CPU has not";
            return lanesum_testkit::left_out(lanesum_testkit::Kind::Kernel, "sha512_ni_x1", why);
        }
        let mut number = 1u64;
        let mut random = || {
            number = number.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            number ^ number >> 29
        };
        for (blocks, stride) in [(0, 1), (1, 1), (2, 1), (3, 4), (7, 2)] {
            let start: [u64; 8] = core::array::from_fn(|_| random());
            let bytes: [u8; 7 * 128] = core::array::from_fn(|_| random() as u8);
            let mut expected = start.map(W64);
            for block in bytes.chunks_exact(128).take(blocks) {
                let words = block.as_chunks::<8>().0;
                let words = core::array::from_fn(|t| W64(u64::from_be_bytes(words[t])));
                expected = Sha512::compress(expected, words);
            }
            let mut state = [0; 32];
            start.iter().enumerate().for_each(|(i, word)| state[i * stride] = *word);
            // SAFETY: the CPU has AVX2, and `bytes` has at least `blocks` blocks.
            unsafe { emulated::sha512(&mut state, stride, &[&bytes], blocks) };
            let found: [u64; 8] = core::array::from_fn(|i| state[i * stride]);
            assert_eq!(found, expected.map(|word| word.0), "{blocks} blocks");
        }
    }
}
