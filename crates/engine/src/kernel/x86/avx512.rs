//! AVX-512: sixteen lanes of 32 bits, eight of 64, and pairs of either.

use core::arch::asm;
use core::mem::{MaybeUninit, transmute};

use lanesum_spec::unroll;

use super::isa::*;
use crate::kernel::vector::kernel::lane_kernel;
use crate::kernel::vector::masked::Masked;
use crate::kernel::vector::pair::Pair;
use crate::kernel::vector::simd::{at, simd_word};

simd_word! {
    /// Sixteen lanes of 32 bits. One group is bound by the dependency chain between rounds, so
    /// rounds use the short form.
    Avx512x16(__m512i): 16 of u32 as i32 {
        load: _mm512_loadu_si512, store: _mm512_storeu_si512, splat: _mm512_set1_epi32,
        add: _mm512_add_epi32, sub: _mm512_sub_epi32, and: _mm512_and_si512, xor: _mm512_xor_si512,
        rotr: |x, n: u32| _mm512_rorv_epi32(x, _mm512_set1_epi32(n as i32)),
        shr: |x, n: u32| _mm512_srl_epi32(x, _mm_cvtsi32_si128(n as i32)),
        transpose: |data, offset, big_endian| transpose32(rows(data, offset), big_endian),
        pin: pin, short: true,
        // Three-input functions by truth table: bit 4x + 2y + z of the constant. The element width
        // does not matter; that of the register's own type compiles fastest.
        ch: _mm512_ternarylogic_epi64::<0xca>,
        maj: _mm512_ternarylogic_epi64::<0xe8>,
        xor3: _mm512_ternarylogic_epi64::<0x96>,
    }
}

simd_word! {
    /// Eight lanes of 64 bits, otherwise as [`Avx512x16`].
    Avx512x8(__m512i): 8 of u64 as i64 {
        load: _mm512_loadu_si512, store: _mm512_storeu_si512, splat: _mm512_set1_epi64,
        add: _mm512_add_epi64, sub: _mm512_sub_epi64, and: _mm512_and_si512, xor: _mm512_xor_si512,
        rotr: |x, n: u32| _mm512_rorv_epi64(x, _mm512_set1_epi64(n.into())),
        shr: |x, n: u32| _mm512_srl_epi64(x, _mm_cvtsi32_si128(n as i32)),
        transpose: |data, offset, big_endian| {
            transpose64([rows(data, offset), rows(data, offset + 64)], big_endian)
        },
        pin: pin, short: true,
        ch: _mm512_ternarylogic_epi64::<0xca>,
        maj: _mm512_ternarylogic_epi64::<0xe8>,
        xor3: _mm512_ternarylogic_epi64::<0x96>,
    }
}

impl Masked for Avx512x16 {
    #[inline(always)]
    unsafe fn load_tail(
        data: &[&[u8]],
        offset: usize,
        alike: bool,
        big_endian: bool,
    ) -> [Self; 16] {
        // SAFETY: the caller guarantees the features and a slice per lane.
        Self::words(unsafe { transpose32(tail_rows(data, offset, alike), big_endian) })
    }

    #[inline(always)]
    unsafe fn load_short(data: &[&[u8]], big_endian: bool) -> [Self; 16] {
        // SAFETY: the caller guarantees the features and short slices.
        Self::words(unsafe { transpose32(short_rows::<16, 1, 0>(data), big_endian) })
    }

    #[inline(always)]
    unsafe fn bit_lengths(data: &[&[u8]], before: u64) -> Self {
        // SAFETY: the caller guarantees the features and a slice per lane.
        Self(unsafe { bit_lengths32(data, before) })
    }

    #[inline(always)]
    unsafe fn write(words: [Self; 8], big_endian: bool, out: *mut u8, row_len: usize) {
        let [a, b, c, d, e, f, g, h] = words;
        // SAFETY: a word exists only on a CPU with its features; the caller guarantees the places.
        unsafe { write32([a.0, b.0, c.0, d.0, e.0, f.0, g.0, h.0], big_endian, out, row_len) }
    }

    #[inline(always)]
    fn select(lanes: u32, yes: Self, no: Self) -> Self {
        // SAFETY: a word exists only on a CPU with its features.
        Self(unsafe { _mm512_mask_mov_epi32(no.0, lanes as u16, yes.0) })
    }
}

impl Masked for Avx512x8 {
    #[inline(always)]
    unsafe fn load_tail(
        data: &[&[u8]],
        offset: usize,
        alike: bool,
        big_endian: bool,
    ) -> [Self; 16] {
        // SAFETY: the caller guarantees the features and a slice per lane.
        Self::words(unsafe {
            let halves = [tail_rows(data, offset, alike), tail_rows(data, offset + 64, alike)];
            transpose64(halves, big_endian)
        })
    }

    #[inline(always)]
    unsafe fn load_short(data: &[&[u8]], big_endian: bool) -> [Self; 16] {
        // SAFETY: the caller guarantees the features and short slices.
        Self::words(unsafe {
            transpose64([short_rows::<8, 2, 0>(data), short_rows::<8, 2, 1>(data)], big_endian)
        })
    }

    #[inline(always)]
    unsafe fn bit_lengths(data: &[&[u8]], before: u64) -> Self {
        // SAFETY: the caller guarantees the features and a slice per lane.
        Self(unsafe { bit_lengths64(data, before) })
    }

    #[inline(always)]
    unsafe fn write(words: [Self; 8], big_endian: bool, out: *mut u8, row_len: usize) {
        let [a, b, c, d, e, f, g, h] = words;
        // SAFETY: a word exists only on a CPU with its features; the caller guarantees the places.
        unsafe { write64([a.0, b.0, c.0, d.0, e.0, f.0, g.0, h.0], big_endian, out, row_len) }
    }

    #[inline(always)]
    fn select(lanes: u32, yes: Self, no: Self) -> Self {
        // SAFETY: a word exists only on a CPU with its features.
        Self(unsafe { _mm512_mask_mov_epi64(no.0, lanes as u8, yes.0) })
    }
}

lane_kernel!(
    AVX512_X16 = avx512_x16,
    Avx512,
    features = ["avx512f", "avx512bw", "bmi2"],
    tails = masked,
    W32 as Avx512x16,
);
lane_kernel!(
    AVX512_X8 = avx512_x8,
    Avx512,
    features = ["avx512f", "avx512bw", "bmi2"],
    tails = masked,
    W64 as Avx512x8,
);
// Two groups are faster only if no sibling thread competes for the vector units. They gain more
// there than they lose elsewhere, and long runs measure which applies. RIPEMD-160 already fills the
// units with its two parallel lines.
lane_kernel!(AVX512_2X16 = avx512_2x16, Avx512, features = ["avx512f", "avx512bw", "bmi2"], tails = masked,
    W32 as Pair<Avx512x16> {
        sha1: sha1::Sha1, sha256: sha2::Sha256, #[cfg(feature = "compat")] md5: md5::Md5,
    },
);
lane_kernel!(
    AVX512_2X8 = avx512_2x8,
    Avx512,
    features = ["avx512f", "avx512bw", "bmi2"],
    tails = masked,
    W64 as Pair<Avx512x8>,
);

#[target_feature(enable = "avx512f")]
#[inline]
fn pin(mut x: __m512i) -> __m512i {
    // SAFETY: the assembly is empty.
    unsafe { asm!("/* {0} */", inout(zmm_reg) x, options(pure, nomem, nostack, preserves_flags)) };
    x
}

/// Reverses the bytes of each word.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn swap_bytes<const WORD: usize>(x: __m512i) -> __m512i {
    let order = if WORD == 4 {
        _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3)
    } else {
        _mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7)
    };
    _mm512_shuffle_epi8(x, _mm512_broadcast_i32x4(order))
}

/// Loads 64 bytes at `offset` of each lane.
///
/// # Safety
///
/// `data` has a slice for each lane, with at least 64 bytes at `offset`.
#[target_feature(enable = "avx512f")]
#[inline]
unsafe fn rows<const LANES: usize>(data: &[&[u8]], offset: usize) -> [__m512i; LANES] {
    let mut r = [_mm512_setzero_si512(); LANES];
    let mut l = 0;
    while l < LANES {
        // SAFETY: the caller guarantees the bytes.
        r[l] = unsafe { _mm512_loadu_si512(at(data, l, offset).cast()) };
        l += 1;
    }
    r
}

/// [`padded_rows`], inlined if the lanes are `alike`: the rows would otherwise pass through memory.
///
/// # Safety
///
/// The CPU has AVX-512F, AVX-512BW and BMI2; `data` has a slice for each lane, all of equal length if `alike`.
#[inline(always)]
unsafe fn tail_rows<const LANES: usize>(
    data: &[&[u8]],
    offset: usize,
    alike: bool,
) -> [__m512i; LANES] {
    // SAFETY: the caller guarantees the features and a slice per lane; the mask selects only bytes within the lane.
    unsafe {
        if !alike {
            return padded_rows(data, offset, false);
        }
        let mut r = [_mm512_setzero_si512(); LANES];
        let (mask, end) = ending(data.get_unchecked(0).len(), offset);
        let mut l = 0;
        while l < LANES {
            let start = data.get_unchecked(l).as_ptr().wrapping_add(offset);
            r[l] = _mm512_or_si512(_mm512_maskz_loadu_epi8(mask, start.cast()), end);
            l += 1;
        }
        r
    }
}

/// Loads up to 64 bytes at `offset` of each lane, followed by 0x80 if the lane ends within or just
/// before them, then zeros. If `alike`, all lanes have equal length.
///
/// # Safety
///
/// `data` has a slice for each lane, all of equal length if `alike`.
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
#[inline]
pub(super) unsafe fn padded_rows<const LANES: usize>(
    data: &[&[u8]],
    offset: usize,
    alike: bool,
) -> [__m512i; LANES] {
    let mut r = [_mm512_setzero_si512(); LANES];
    // SAFETY: the caller guarantees a slice per lane; the mask selects only bytes within the lane.
    unsafe {
        if alike {
            let (mask, end) = ending(data.get_unchecked(0).len(), offset);
            let mut l = 0;
            while l < LANES {
                let start = data.get_unchecked(l).as_ptr().wrapping_add(offset);
                r[l] = _mm512_or_si512(_mm512_maskz_loadu_epi8(mask, start.cast()), end);
                l += 1;
            }
        } else {
            let mut l = 0;
            while l < LANES {
                let lane = data.get_unchecked(l);
                let (mask, end) = ending(lane.len(), offset);
                let start = lane.as_ptr().wrapping_add(offset);
                r[l] = _mm512_or_si512(_mm512_maskz_loadu_epi8(mask, start.cast()), end);
                l += 1;
            }
        }
    }
    r
}

/// Loads 64 bytes from byte `64 * ROW` of each message, followed by 0x80 if the message ends within or just before them,
/// then zeros.
///
/// # Safety
///
/// The CPU has AVX-512F, AVX-512BW and BMI2; `data` has a slice for each lane, shorter than `64 * ROWS` bytes.
#[inline(always)]
pub(super) unsafe fn short_rows<const LANES: usize, const ROWS: usize, const ROW: usize>(
    data: &[&[u8]],
) -> [__m512i; LANES] {
    const { assert!(ROWS <= 2 && ROW < ROWS && LANES <= 16) };
    // SAFETY: the caller guarantees the features.
    let mut r = [unsafe { _mm512_setzero_si512() }; LANES];
    unroll!(L => {
        if L < LANES {
            // SAFETY: the caller guarantees the features and a slice per lane; the mask selects only its bytes.
            r[L] = unsafe {
                let message = data.get_unchecked(L);
                let len = message.len();
                let (bytes, end) = match (ROWS, ROW) {
                    (1, _) => (len, 128 - len),
                    (_, 0) => (len, 128 - len.min(64)),
                    _ => (len.saturating_sub(64), 192 - len.max(63)),
                };
                let start = message.as_ptr().wrapping_add(64 * ROW);
                let mask = _bzhi_u64(u64::MAX, bytes as u32);
                let end = _mm512_loadu_si512(END.as_ptr().add(end).cast());
                _mm512_or_si512(_mm512_maskz_loadu_epi8(mask, start.cast()), end)
            };
        }
    }; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    r
}

/// The 64 bytes from byte 128 - i on have 0x80 at byte i.
static END: [u8; 256] = {
    let mut bytes = [0; 256];
    bytes[128] = 0x80;
    bytes
};

/// Returns the mask of the 64 bytes at `offset` that a message of `len` bytes has, and the padding
/// after them.
#[target_feature(enable = "avx512f,bmi2")]
#[inline]
fn ending(len: usize, offset: usize) -> (u64, __m512i) {
    let left = (len as isize - offset as isize).clamp(-1, 64);
    let mask = _bzhi_u64(u64::MAX, left.max(0) as u32);
    // SAFETY: for every value of `left`, the 64 bytes are within END.
    (mask, unsafe { _mm512_loadu_si512(END.as_ptr().offset(128 - left).cast()) })
}

/// Transposes the 64-byte blocks of sixteen lanes into sixteen words of sixteen lanes.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn transpose32(mut r: [__m512i; 16], big_endian: bool) -> [__m512i; 16] {
    if big_endian {
        let mut l = 0;
        while l < 16 {
            r[l] = swap_bytes::<4>(r[l]);
            l += 1;
        }
    }
    let mut q = [_mm512_setzero_si512(); 16];
    let mut g = 0;
    while g < 16 {
        let four = quarters_of_words(r[g], r[g + 1], r[g + 2], r[g + 3]);
        let mut i = 0;
        while i < 4 {
            q[g + i] = four[i];
            i += 1;
        }
        g += 4;
    }
    // Gather the quarters of four such registers into one.
    let mut w = [_mm512_setzero_si512(); 16];
    let mut i = 0;
    while i < 4 {
        let [a, b, c, d] = quarters(q[i], q[4 + i], q[8 + i], q[12 + i]);
        w[i] = a;
        w[4 + i] = b;
        w[8 + i] = c;
        w[12 + i] = d;
        i += 1;
    }
    w
}

/// Transposes the words in each quarter (4x4): quarter q of register i of the result has word 4q +
/// i of each of the four arguments.
#[target_feature(enable = "avx512f")]
#[inline]
fn quarters_of_words(a: __m512i, b: __m512i, c: __m512i, d: __m512i) -> [__m512i; 4] {
    let ab_lo = _mm512_unpacklo_epi32(a, b);
    let ab_hi = _mm512_unpackhi_epi32(a, b);
    let cd_lo = _mm512_unpacklo_epi32(c, d);
    let cd_hi = _mm512_unpackhi_epi32(c, d);
    let [w0, w1] = unpack64(ab_lo, cd_lo);
    let [w2, w3] = unpack64(ab_hi, cd_hi);
    [w0, w1, w2, w3]
}

/// Transposes 128-bit quarters (4x4).
#[target_feature(enable = "avx512f")]
#[inline]
fn quarters(a: __m512i, b: __m512i, c: __m512i, d: __m512i) -> [__m512i; 4] {
    let ab_even = _mm512_shuffle_i32x4::<0x88>(a, b);
    let ab_odd = _mm512_shuffle_i32x4::<0xdd>(a, b);
    let cd_even = _mm512_shuffle_i32x4::<0x88>(c, d);
    let cd_odd = _mm512_shuffle_i32x4::<0xdd>(c, d);
    [
        _mm512_shuffle_i32x4::<0x88>(ab_even, cd_even),
        _mm512_shuffle_i32x4::<0x88>(ab_odd, cd_odd),
        _mm512_shuffle_i32x4::<0xdd>(ab_even, cd_even),
        _mm512_shuffle_i32x4::<0xdd>(ab_odd, cd_odd),
    ]
}

#[target_feature(enable = "avx512f")]
#[inline]
fn unpack64(a: __m512i, b: __m512i) -> [__m512i; 2] {
    [_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b)]
}

/// Transposes blocks of eight lanes, in halves of 64 bytes, into sixteen words of eight lanes.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn transpose64(halves: [[__m512i; 8]; 2], big_endian: bool) -> [__m512i; 16] {
    let mut w = [_mm512_setzero_si512(); 16];
    let mut half = 0;
    while half < 2 {
        let mut r = halves[half];
        if big_endian {
            let mut l = 0;
            while l < 8 {
                r[l] = swap_bytes::<8>(r[l]);
                l += 1;
            }
        }
        // In each quarter q: words 2q or 2q + 1 of two lanes.
        let [even0, odd0] = unpack64(r[0], r[1]);
        let [even2, odd2] = unpack64(r[2], r[3]);
        let [even4, odd4] = unpack64(r[4], r[5]);
        let [even6, odd6] = unpack64(r[6], r[7]);
        let even = quarters(even0, even2, even4, even6);
        let odd = quarters(odd0, odd2, odd4, odd6);
        let mut i = 0;
        while i < 4 {
            w[8 * half + 2 * i] = even[i];
            w[8 * half + 2 * i + 1] = odd[i];
            i += 1;
        }
        half += 1;
    }
    w
}

/// Slices are a pointer and a length.
const _: () = {
    let bytes: &[u8] = &[0; 3];
    // SAFETY: any bytes are a value of the array.
    let [_, len]: [MaybeUninit<usize>; 2] = unsafe { transmute(bytes) };
    // SAFETY: no word of a slice is uninitialized.
    assert!(unsafe { len.assume_init() } == 3);
};

/// Returns the low words of the lengths of eight messages in bits. `before` bytes of each message precede its slice.
///
/// # Safety
///
/// `data` has eight slices.
#[target_feature(enable = "avx512f")]
#[inline]
unsafe fn bit_lengths64(data: &[&[u8]], before: u64) -> __m512i {
    // SAFETY: the caller guarantees the slices, which are pairs of words.
    unsafe {
        let pairs = |i: usize| _mm512_loadu_si512(data.as_ptr().add(4 * i).cast());
        let second = _mm512_set_epi64(15, 13, 11, 9, 7, 5, 3, 1);
        let lens = _mm512_permutex2var_epi64(pairs(0), second, pairs(1));
        _mm512_slli_epi64::<3>(_mm512_add_epi64(lens, _mm512_set1_epi64(before as i64)))
    }
}

/// [`bit_lengths64`], for sixteen messages.
///
/// # Safety
///
/// `data` has sixteen slices.
#[target_feature(enable = "avx512f")]
#[inline]
unsafe fn bit_lengths32(data: &[&[u8]], before: u64) -> __m512i {
    // SAFETY: the caller guarantees the slices.
    unsafe {
        let (first, second) = data.split_at_unchecked(8);
        let low = _mm512_cvtepi64_epi32(bit_lengths64(first, before));
        let high = _mm512_cvtepi64_epi32(bit_lengths64(second, before));
        _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
    }
}

/// Writes eight words of sixteen lanes as sixteen digests of 32 bytes, `row_len` bytes apart.
///
/// # Safety
///
/// These places are valid for writes.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
unsafe fn write32(mut words: [__m512i; 8], big_endian: bool, out: *mut u8, row_len: usize) {
    if big_endian {
        let mut i = 0;
        while i < 8 {
            words[i] = swap_bytes::<4>(words[i]);
            i += 1;
        }
    }
    let [a, b, c, d, e, f, g, h] = words;
    // Quarter q of register i: words 0 … 3, or 4 … 7, of lane 4q + i.
    let front = quarters_of_words(a, b, c, d);
    let back = quarters_of_words(e, f, g, h);
    let low = _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0);
    let high = _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4);
    let mut i = 0;
    while i < 4 {
        let lanes_0_4 = _mm512_permutex2var_epi64(front[i], low, back[i]);
        let lanes_8_12 = _mm512_permutex2var_epi64(front[i], high, back[i]);
        // SAFETY: the caller guarantees the places.
        unsafe {
            let at = |l: usize| out.add(l * row_len).cast::<__m256i>();
            _mm256_storeu_si256(at(i), _mm512_castsi512_si256(lanes_0_4));
            _mm256_storeu_si256(at(4 + i), _mm512_extracti64x4_epi64::<1>(lanes_0_4));
            _mm256_storeu_si256(at(8 + i), _mm512_castsi512_si256(lanes_8_12));
            _mm256_storeu_si256(at(12 + i), _mm512_extracti64x4_epi64::<1>(lanes_8_12));
        }
        i += 1;
    }
}

/// Writes eight words of eight lanes as eight digests, `row_len` bytes apart.
///
/// # Safety
///
/// These places are valid for writes.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
unsafe fn write64(mut words: [__m512i; 8], big_endian: bool, out: *mut u8, row_len: usize) {
    if big_endian {
        let mut i = 0;
        while i < 8 {
            words[i] = swap_bytes::<8>(words[i]);
            i += 1;
        }
    }
    let [a, b, c, d, e, f, g, h] = words;
    // Quarter q: two words of lane 2q or 2q + 1.
    let [even0, odd0] = unpack64(a, b);
    let [even1, odd1] = unpack64(c, d);
    let [even2, odd2] = unpack64(e, f);
    let [even3, odd3] = unpack64(g, h);
    let even = quarters(even0, even1, even2, even3);
    let odd = quarters(odd0, odd1, odd2, odd3);
    let mut i = 0;
    while i < 4 {
        // SAFETY: the caller guarantees the places.
        unsafe {
            _mm512_storeu_si512(out.add(2 * i * row_len).cast(), even[i]);
            _mm512_storeu_si512(out.add((2 * i + 1) * row_len).cast(), odd[i]);
        }
        i += 1;
    }
}
