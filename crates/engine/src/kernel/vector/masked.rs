//! Whole messages in lanes: the remaining bytes of each, padded as they are loaded.

use lanesum_spec::{Compression, Int};

use super::pair::Pair;
use super::{Vector, load, store};
use crate::kernel::abi::{Compress, Ending, KernelWord};
use crate::words::MAX_LANES;

/// A vector with masked loads and a lane select, which padding inside a kernel needs.
pub(in crate::kernel) trait Masked: Vector {
    /// Loads a block as [`Vector::load_block`] does, but replaces the bytes past a slice's end by
    /// the padding (FIPS 180-4 §5.1) without the length: 0x80, then zeros.
    ///
    /// If `alike`, all slices have equal length, so that one mask serves every lane.
    ///
    /// # Safety
    ///
    /// The CPU has the word's features, and `data` has `LANES` slices, of one length if `alike`.
    unsafe fn load_tail(data: &[&[u8]], offset: usize, alike: bool, big_endian: bool)
    -> [Self; 16];

    /// Loads messages that are shorter than a block, each followed by 0x80 and zeros.
    ///
    /// # Safety
    ///
    /// The CPU has the word's features, and `data` has `LANES` slices, shorter than a block.
    unsafe fn load_short(data: &[&[u8]], big_endian: bool) -> [Self; 16];

    /// Returns the low word of the length of each message in bits. `before` bytes of the message precede its slice in
    /// `data`.
    ///
    /// # Safety
    ///
    /// The CPU has the word's features, and `data` has `LANES` slices.
    unsafe fn bit_lengths(data: &[&[u8]], before: u64) -> Self;

    /// Writes the bytes of eight `words` of lane l, a digest, to `out + l * row_len`.
    ///
    /// # Safety
    ///
    /// These places are valid for writes.
    unsafe fn write(words: [Self; 8], big_endian: bool, out: *mut u8, row_len: usize);

    /// Selects lane l of `yes` if bit l of `lanes` is set, else of `no`.
    fn select(lanes: u32, yes: Self, no: Self) -> Self;
}

/// How a kernel compresses one block in all lanes.
pub(in crate::kernel) trait CompressBlock<C: Compression<N>, const N: usize, V> {
    /// Compresses the block with the words `w` into the chaining values `s`.
    ///
    /// # Safety
    ///
    /// The CPU has the word's features.
    unsafe fn compress(s: [V; N], w: [V; 16]) -> [V; N];
}

/// The compression function of the specification, with the kernel's words.
pub(in crate::kernel) enum Specified {}

impl<C, const N: usize, V> CompressBlock<C, N, V> for Specified
where
    C: Compression<N>,
    V: Vector<Int = C::Int>,
{
    #[inline(always)]
    unsafe fn compress(s: [V; N], w: [V; 16]) -> [V; N] {
        C::compress(s, w)
    }
}

/// Returns the number of blocks of a message of `len` bytes with its padding.
#[inline(always)]
pub(in crate::kernel) fn padded_blocks<I: Int>(len: usize) -> usize {
    // 0x80 precedes the length field, which is two words long.
    (len + 2 * I::BYTES) / (16 * I::BYTES) + 1
}

/// Compresses all of each of `data` and its padding into the lanes of `state`. Blocks that are
/// whole in every lane go through `compress`, the kernel's own function.
///
/// # Safety
///
/// See [`Finish`](crate::kernel::abi::Finish).
#[inline(always)]
pub(in crate::kernel) unsafe fn finish<C, const N: usize, V, B>(
    compress: Compress<C::Int>,
    state: &mut [C::Int],
    stride: usize,
    data: &[&[u8]],
    ending: Ending<'_, C::Int>,
) where
    C: Compression<N>,
    V: Masked<Int = C::Int>,
    B: CompressBlock<C, N, V>,
{
    let block_len = 16 * C::Int::BYTES;
    let (mut shortest, mut longest) = (usize::MAX, 0);
    let mut l = 0;
    while l < V::LANES {
        // SAFETY: the caller guarantees a slice per lane.
        let len = unsafe { data.get_unchecked(l) }.len();
        shortest = shortest.min(len);
        longest = longest.max(len);
        l += 1;
    }
    let whole = shortest / block_len;
    let in_all = padded_blocks::<C::Int>(shortest);
    let last_block = padded_blocks::<C::Int>(longest) - 1;
    // Use the expanded padding block only if every lane ends with that same padding.
    let expanded =
        ending.padding_block.filter(|_| shortest == longest && last_block * block_len >= longest);

    // SAFETY: the caller guarantees the CPU features and all lengths.
    unsafe {
        // Out of line: with two ways to load a block before the same rounds, the compiler would
        // pass the words through memory.
        if whole > 0 {
            compress(state, stride, data, whole);
        }
        let mut s = load::<N, V>(state, stride);
        let mut block = whole;
        while block <= last_block {
            // Without a schedule there is nothing to skip, and this would only duplicate the
            // rounds.
            if C::EXPANDED > 16
                && block == last_block
                && let Some(expanded) = expanded
            {
                s = C::compress_expanded(s, expanded);
                break;
            }
            let w = padded_block::<C, N, V>(data, block, ending.before, shortest == longest);
            let new = B::compress(s, w);
            s = if block < in_all { new } else { live::<C, N, V>(data, block, new, s) };
            block += 1;
        }
        store(s, state, stride);
    }
}

/// Loads block number `block`, which is not whole in every lane: with padding, and with the length
/// in lanes where it is the last.
#[inline(always)]
unsafe fn padded_block<C, const N: usize, V>(
    data: &[&[u8]],
    block: usize,
    before: u64,
    uniform: bool,
) -> [V; 16]
where
    C: Compression<N>,
    V: Masked<Int = C::Int>,
{
    // The message length in bits as two words, from its length in bytes.
    let low = |len: usize| C::Int::truncate((before + len as u64) << 3);
    let high = |len: usize| C::Int::truncate((before + len as u64) >> (C::Int::BITS - 3));
    let (first, second) = if C::BIG_ENDIAN { (14, 15) } else { (15, 14) };
    // SAFETY: the caller guarantees the CPU features and a slice per lane.
    unsafe {
        let mut w = V::load_tail(data, block * 16 * C::Int::BYTES, uniform, C::BIG_ENDIAN);
        if uniform {
            let len = data.get_unchecked(0).len();
            if padded_blocks::<C::Int>(len) == block + 1 {
                w[first] = w[first] + high(len);
                w[second] = w[second] + low(len);
            }
            return w;
        }
        let mut highs = [C::Int::ZERO; MAX_LANES];
        let mut lows = [C::Int::ZERO; MAX_LANES];
        let mut l = 0;
        while l < V::LANES {
            let len = data.get_unchecked(l).len();
            if padded_blocks::<C::Int>(len) == block + 1 {
                lows[l] = low(len);
                highs[l] = high(len);
            }
            l += 1;
        }
        w[first] = w[first] + V::load(&highs);
        w[second] = w[second] + V::load(&lows);
        w
    }
}

/// Writes the chaining value of each lane to `out[l]` as bytes.
///
/// # Safety
///
/// See [`Write`](crate::kernel::abi::Write).
#[inline(always)]
pub(in crate::kernel) unsafe fn write<C, const N: usize, V>(
    state: &[C::Int],
    stride: usize,
    out: &mut [[u8; 64]],
) where
    C: Compression<N>,
    V: Masked<Int = C::Int>,
{
    // SAFETY: the caller guarantees the CPU features and all lengths.
    unsafe {
        let first = load::<N, V>(state, stride);
        let mut words = [first[0].zero(); 8];
        let mut i = 0;
        while i < N {
            words[i] = first[i];
            i += 1;
        }
        V::write(words, C::BIG_ENDIAN, out.as_mut_ptr().cast(), 64);
    }
}

/// Writes the digests of messages whose rest is one block, which includes the padding or precedes the padding block.
///
/// # Safety
///
/// See [`DigestBlocks`](crate::kernel::abi::DigestBlocks).
#[inline(always)]
pub(in crate::kernel) unsafe fn digest_blocks<C, const N: usize, V, B>(
    iv: &[C::Int; 8],
    data: &[&[u8]],
    ending: Ending<'_, C::Int>,
    out: &mut [<C::Int as KernelWord>::Row],
) where
    C: Compression<N, Int: KernelWord>,
    V: Masked<Int = C::Int>,
    B: CompressBlock<C, N, V>,
{
    // SAFETY: the caller guarantees the CPU features and all lengths.
    unsafe {
        let w = if ending.padding_block.is_some() {
            V::load_block(data, 0, C::BIG_ENDIAN)
        } else {
            let mut w = V::load_short(data, C::BIG_ENDIAN);
            // The upper word of the length is zero.
            let low = if C::BIG_ENDIAN { 15 } else { 14 };
            w[low] = w[low] + V::bit_lengths(data, ending.before);
            w
        };
        let zero = w[0].zero();
        let mut s = [zero; N];
        let mut i = 0;
        while i < N {
            s[i] = zero + iv[i];
            i += 1;
        }
        s = B::compress(s, w);
        if let Some(padding_block) = ending.padding_block {
            s = C::compress_expanded(s, padding_block);
        }
        let mut words = [zero; 8];
        let mut i = 0;
        while i < N {
            words[i] = s[i];
            i += 1;
        }
        let row_len = size_of::<<C::Int as KernelWord>::Row>();
        V::write(words, C::BIG_ENDIAN, out.as_mut_ptr().cast(), row_len);
    }
}

/// Returns `new` in lanes that have block number `block`, else `old`.
#[inline(always)]
unsafe fn live<C, const N: usize, V>(
    data: &[&[u8]],
    block: usize,
    new: [V; N],
    old: [V; N],
) -> [V; N]
where
    C: Compression<N>,
    V: Masked<Int = C::Int>,
{
    let mut lanes = 0;
    let mut l = 0;
    while l < V::LANES {
        // SAFETY: the caller guarantees a slice per lane.
        let len = unsafe { data.get_unchecked(l) }.len();
        lanes |= u32::from(padded_blocks::<C::Int>(len) > block) << l;
        l += 1;
    }
    let mut s = new;
    let mut i = 0;
    while i < N {
        s[i] = V::select(lanes, new[i], old[i]);
        i += 1;
    }
    s
}

impl<V: Masked> Masked for Pair<V>
where
    Self: core::ops::Add<V::Int, Output = Self>,
{
    #[inline(always)]
    unsafe fn load_tail(
        data: &[&[u8]],
        offset: usize,
        alike: bool,
        big_endian: bool,
    ) -> [Self; 16] {
        // SAFETY: the caller guarantees the features and a slice per lane of both groups.
        unsafe {
            let (first, second) = data.split_at_unchecked(V::LANES);
            Self::zip(
                V::load_tail(first, offset, alike, big_endian),
                V::load_tail(second, offset, alike, big_endian),
            )
        }
    }

    #[inline(always)]
    unsafe fn load_short(data: &[&[u8]], big_endian: bool) -> [Self; 16] {
        // SAFETY: the caller guarantees the features and a short slice per lane of both groups.
        unsafe {
            let (first, second) = data.split_at_unchecked(V::LANES);
            Self::zip(V::load_short(first, big_endian), V::load_short(second, big_endian))
        }
    }

    #[inline(always)]
    unsafe fn bit_lengths(data: &[&[u8]], before: u64) -> Self {
        // SAFETY: the caller guarantees the features and a slice per lane of both groups.
        unsafe {
            let (first, second) = data.split_at_unchecked(V::LANES);
            Self(V::bit_lengths(first, before), V::bit_lengths(second, before))
        }
    }

    #[inline(always)]
    unsafe fn write(words: [Self; 8], big_endian: bool, out: *mut u8, row_len: usize) {
        // SAFETY: the caller guarantees the places of both groups.
        unsafe {
            V::write(words.map(|word| word.0), big_endian, out, row_len);
            V::write(words.map(|word| word.1), big_endian, out.add(row_len * V::LANES), row_len);
        }
    }

    #[inline(always)]
    fn select(lanes: u32, yes: Self, no: Self) -> Self {
        Self(V::select(lanes, yes.0, no.0), V::select(lanes >> V::LANES, yes.1, no.1))
    }
}
