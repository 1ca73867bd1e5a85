//! Message padding in registers as blocks are loaded, for kernels with 64-byte blocks, big-endian
//! words and one message per stream (FIPS 180-4 §5.1.1).

use lanesum_spec::unroll;

use super::isa::*;

/// Tables for padding with unaligned loads and `_mm_shuffle_epi8`.
struct PaddingTables {
    /// At offset 64 − n: a block of zeros with the 0x80 that ends a message of n bytes.
    end: [u8; 128],
    /// At offset n: a shuffle that drops a register's first n bytes and shifts in zeros.
    without: [u8; 64],
}

static PADDING: PaddingTables = {
    let mut tables = PaddingTables { end: [0; 128], without: [0x80; 64] };
    tables.end[64] = 0x80;
    let mut i = 0;
    while i < 16 {
        tables.without[i as usize] = i;
        i += 1;
    }
    tables
};

/// Returns `block`, opaque to the optimizer, which would otherwise cache every address derived from
/// it in a separate register across blocks.
#[inline(always)]
pub(super) fn opaque_index(mut block: usize) -> usize {
    // SAFETY: the assembly is empty.
    unsafe {
        core::arch::asm!("/* {0} */", inout(reg) block, options(pure, nomem, nostack, preserves_flags));
    }
    block
}

/// Returns `order`, opaque to the optimizer, which would otherwise replace a shuffle by it with several cheaper
/// instructions that the prover does not know.
#[target_feature(enable = "sse2")]
#[inline]
pub(super) fn opaque_vector(mut order: __m128i) -> __m128i {
    // SAFETY: the assembly is empty.
    unsafe {
        core::arch::asm!("/* {0} */", inout(xmm_reg) order, options(pure, nomem, nostack, preserves_flags));
    }
    order
}

/// Returns the bytes that a message of `len` bytes has left at `block`; negative past its end.
#[inline(always)]
pub(super) fn left(len: usize, block: usize) -> isize {
    (len as isize).wrapping_sub(64 * block as isize)
}

/// Returns the minimum and the maximum length of `N` messages.
///
/// # Safety
///
/// `data` has a slice for each stream.
#[inline(always)]
pub(super) unsafe fn lengths<const N: usize>(data: &[&[u8]]) -> [usize; 2] {
    let (mut shortest, mut longest) = (usize::MAX, 0);
    let mut n = 0;
    while n < N {
        // SAFETY: the caller guarantees a slice per stream.
        let len = unsafe { data.get_unchecked(n) }.len();
        shortest = shortest.min(len);
        longest = longest.max(len);
        n += 1;
    }
    [shortest, longest]
}

/// Loads a block of a message into four registers, with the padding if the message ends there (FIPS
/// 180-4 §5.1.1). Padding in memory would make the loads wait for the stores.
///
/// # Safety
///
/// The CPU has SSSE3.
#[inline(always)]
pub(super) unsafe fn padded(message: &[u8], block: usize, before: u64) -> [__m128i; 4] {
    let left = left(message.len(), block);
    let from = message.as_ptr().wrapping_add(64 * block);
    // SAFETY: the caller guarantees SSSE3. Loads from the message stay within its `left` bytes, and
    // loads from `PADDING` within its arrays.
    unsafe {
        let load = |from: *const u8| _mm_loadu_si128(from.cast());
        if left >= 64 {
            return [load(from), load(from.add(16)), load(from.add(32)), load(from.add(48))];
        }
        let mut quarters = [_mm_setzero_si128(); 4];
        if left >= 0 {
            let left = left as usize;
            let end = PADDING.end.as_ptr().add(64 - left);
            quarters = [load(end), load(end.add(16)), load(end.add(32)), load(end.add(48))];
            if left < 16 {
                quarters[0] = _mm_or_si128(quarters[0], load_under_16(from, left));
            } else {
                quarters[0] = _mm_or_si128(quarters[0], load(from));
                // Move each other load's start back so that it ends within the message.
                unroll!(I => {
                    let start = (left - 16).min(16 * I);
                    let order = load(PADDING.without.as_ptr().add(16 * I - start));
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

/// Loads `len` bytes, fewer than 16, followed by zeros.
///
/// # Safety
///
/// `from` is valid for reads of `len` bytes, and the CPU has SSSE3.
#[inline(always)]
unsafe fn load_under_16(from: *const u8, len: usize) -> __m128i {
    // SAFETY: the two halves may overlap but stay within the `len` bytes.
    unsafe {
        let order = |n: usize| _mm_loadu_si128(PADDING.without.as_ptr().add(n).cast());
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
