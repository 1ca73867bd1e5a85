//! The ends of messages, padded in registers as they are loaded: for kernels of 64-byte blocks
//! and big-endian words that take one message in each stream (FIPS 180-4 §5.1.1).

use lanesum_spec::unroll;

use super::isa::*;

/// What pads a message: its bytes and those of its end are moved there by `_mm_shuffle_epi8`.
struct Rows {
    /// From 64 − n on: a block of zeros but for the bit that ends a message after n bytes.
    end: [u8; 128],
    /// From n on: the order of a register's bytes that leaves its first n out, zeros coming in.
    without: [u8; 64],
}

static ROWS: Rows = {
    let mut rows = Rows { end: [0; 128], without: [0x80; 64] };
    rows.end[64] = 0x80;
    let mut i = 0;
    while i < 16 {
        rows.without[i as usize] = i;
        i += 1;
    }
    rows
};

/// A number of which the compiler knows nothing: of a block's it would keep every address in a register
/// of its own, from block to block.
#[inline(always)]
pub(super) fn still(mut block: usize) -> usize {
    // SAFETY: no instruction at all.
    unsafe {
        core::arch::asm!("/* {0} */", inout(reg) block, options(pure, nomem, nostack, preserves_flags));
    }
    block
}

/// How many bytes a message of `len` bytes has from this block on; below zero, how many it lacks.
#[inline(always)]
pub(super) fn left(len: usize, block: usize) -> isize {
    (len as isize).wrapping_sub(64 * block as isize)
}

/// The number of whole blocks that all of `N` messages have, and that of the last block of any of
/// them, padded.
///
/// # Safety
///
/// `data` has a slice for each stream.
#[inline(always)]
pub(super) unsafe fn whole_and_last<const N: usize>(data: &[&[u8]]) -> [usize; 2] {
    let (mut shortest, mut longest) = (usize::MAX, 0);
    let mut n = 0;
    while n < N {
        // SAFETY: the caller vouches for a slice for each stream.
        let len = unsafe { data.get_unchecked(n) }.len();
        shortest = shortest.min(len);
        longest = longest.max(len);
        n += 1;
    }
    [shortest / 64, (longest + 8) / 64]
}

/// A block of a message as four registers, with the padding where the message has ended (FIPS
/// 180-4 §5.1.1). In memory it would have to be there before it could be loaded.
///
/// # Safety
///
/// The CPU has SSSE3.
#[inline(always)]
pub(super) unsafe fn padded(message: &[u8], block: usize, before: u64) -> [__m128i; 4] {
    let left = left(message.len(), block);
    let from = message.as_ptr().wrapping_add(64 * block);
    // SAFETY: the caller vouches for the CPU. So many bytes of the message are left as are loaded
    // of it. A row begins so that all that is loaded of it is there.
    unsafe {
        let load = |from: *const u8| _mm_loadu_si128(from.cast());
        if left >= 64 {
            return [load(from), load(from.add(16)), load(from.add(32)), load(from.add(48))];
        }
        let mut quarters = [_mm_setzero_si128(); 4];
        if left >= 0 {
            let left = left as usize;
            let end = ROWS.end.as_ptr().add(64 - left);
            quarters = [load(end), load(end.add(16)), load(end.add(32)), load(end.add(48))];
            if left < 16 {
                quarters[0] = _mm_or_si128(quarters[0], few(from, left));
            } else {
                quarters[0] = _mm_or_si128(quarters[0], load(from));
                // The others from no place on where a load would go beyond the message.
                unroll!(I => {
                    let start = (left - 16).min(16 * I);
                    let order = load(ROWS.without.as_ptr().add(16 * I - start));
                    let bytes = _mm_shuffle_epi8(load(from.add(start)), order);
                    quarters[I] = _mm_or_si128(quarters[I], bytes);
                }; 1 2 3);
            }
        }
        if left < 56 {
            let bits = ((before + message.len() as u64) << 3).swap_bytes();
            quarters[3] = _mm_or_si128(quarters[3], _mm_set_epi64x(bits as i64, 0));
        }
        quarters
    }
}

/// So many bytes, fewer than sixteen, and zeros behind them.
///
/// # Safety
///
/// The bytes are there, and the CPU has SSSE3.
#[inline(always)]
unsafe fn few(from: *const u8, len: usize) -> __m128i {
    // SAFETY: of two halves that overlap neither goes beyond the bytes.
    unsafe {
        let order = |n: usize| _mm_loadu_si128(ROWS.without.as_ptr().add(n).cast());
        let eight = |at: usize| _mm_loadl_epi64(from.add(at).cast());
        let four = |at: usize| _mm_cvtsi32_si128(from.add(at).cast::<i32>().read_unaligned());
        let two =
            |at: usize| _mm_cvtsi32_si128(i32::from(from.add(at).cast::<u16>().read_unaligned()));
        let (low, high) = if len >= 8 {
            let high = _mm_shuffle_epi8(eight(len - 8), order(16 - len));
            (eight(0), _mm_slli_si128::<8>(high))
        } else if len >= 4 {
            let high = _mm_shuffle_epi8(four(len - 4), order(8 - len));
            (four(0), _mm_slli_si128::<4>(high))
        } else if len >= 2 {
            let high = _mm_shuffle_epi8(two(len - 2), order(4 - len));
            (two(0), _mm_slli_si128::<2>(high))
        } else if len == 1 {
            return _mm_cvtsi32_si128(i32::from(from.read()));
        } else {
            return _mm_setzero_si128();
        };
        _mm_or_si128(low, high)
    }
}
