//! The loop of PBKDF2 for a stitched kernel: its assembly compresses each digest, padded in a block
//! on the stack.

use core::arch::x86_64::{__m128i, _mm_set_epi32, _mm_set_epi64x, _mm_setzero_si128};

use crate::kernel::KernelWord;
use crate::kernel::iterate::{Iterations, Link, iterate};
use crate::kernel::lane::{lane, set_lane};
use crate::kernel::x86::padded::opaque_index;

/// Returns 16 bytes of a block: big-endian words, assembled in a register. A 16-byte load would
/// stall on the narrower stores of words.
#[inline(always)]
fn quad<I: KernelWord>(word: impl Fn(usize) -> I) -> __m128i {
    // `opaque_index`: otherwise the compiler loads several words at once and stalls on the assembly's
    // stores.
    let word = |i| opaque_index(word(i).swap_bytes().widen() as usize);
    // SAFETY: every x86-64 CPU has SSE2.
    unsafe {
        match I::BYTES {
            4 => _mm_set_epi32(word(3) as i32, word(2) as i32, word(1) as i32, word(0) as i32),
            _ => _mm_set_epi64x(word(1) as i64, word(0) as i64),
        }
    }
}

/// Runs `iterations` of HMAC on `u` and XORs the result of each into `sum`. `compress` compresses a
/// block of `QUADS` quads of 16 bytes into a chaining value of `N` words.
///
/// # Safety
///
/// See [`Iterate`](crate::kernel::abi::Iterate).
#[inline(always)]
pub(super) unsafe fn by<I: KernelWord, const N: usize, const QUADS: usize>(
    compress: impl Fn(&mut [I; N], &[__m128i; QUADS]),
    chains: [&[I]; 2],
    link: &Link<I>,
    u: &mut [I],
    sum: &mut [I],
    stride: usize,
    iterations: Iterations,
) {
    // SAFETY: the caller guarantees the lengths.
    unsafe {
        let per = const { 16 / I::BYTES };
        let starts: [[I; N]; 2] = [lane(chains[0], stride, 0), lane(chains[1], stride, 0)];
        let mut words: [I; N] = lane(u, stride, 0);
        let mut block = [_mm_setzero_si128(); QUADS];
        let mut i = 0;
        while i < QUADS {
            block[i] = quad(|j| link.pad[i * per + j]);
            i += 1;
        }
        iterate!(iterations, half => {
            // `opaque_index` keeps the compiler from duplicating the body for the two hashes.
            half = opaque_index(half);
            let mut i = 0;
            while i * per < N {
                block[i] = quad(|j| {
                    let i = i * per + j;
                    let pad = link.pad[i].widen();
                    let kept = if i < N { words[i].widen() & link.mask[i].widen() } else { 0 };
                    I::truncate(kept.wrapping_add(pad))
                });
                i += 1;
            }
            words = *starts.get_unchecked(half);
            compress(&mut words, &block);
        }, {
            let mut i = 0;
            while i < N {
                let place = sum.get_unchecked_mut(i * stride);
                *place = I::truncate(place.widen() ^ words[i].widen());
                i += 1;
            }
        });
        set_lane(u, stride, 0, &words);
    }
}
