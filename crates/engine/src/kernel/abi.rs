//! The types of a kernel's functions.

use core::mem::MaybeUninit;

use lanesum_spec::sha1dc::LastWords;
use lanesum_spec::{Expanded, Family};

use super::iterate::{Iterations, Link};
use crate::words::{MAX_LANES, Width};

/// Compresses the first `blocks` blocks of `data[l]` into lane l, whose word i is
/// `state[i * stride + l]`.
///
/// # Safety
///
/// The CPU has the kernel's features; `data` has a slice of at least `blocks` blocks per lane;
/// `state` contains the last word of the last lane.
pub(crate) type Compress<I> =
    unsafe fn(state: &mut [I], stride: usize, data: &[&[u8]], blocks: usize);

/// Compresses all of `data[l]` and its message's padding into lane l, whose word i is
/// `state[i * stride + l]`.
///
/// # Safety
///
/// The CPU has the kernel's features; `data` has a slice per lane; `state` contains the last word
/// of the last lane.
pub(crate) type Finish<I> =
    unsafe fn(state: &mut [I], stride: usize, data: &[&[u8]], ending: Ending<'_, I>);

/// Writes the chaining value of lane l, whose word i is `state[i * stride + l]`, to the start of
/// `out[l]` as bytes. The remaining bytes are unchanged or zero.
///
/// # Safety
///
/// The CPU has the kernel's features; `out` has an entry per lane; `state` contains the last word
/// of the last lane.
pub(crate) type Write<I> = unsafe fn(state: &[I], stride: usize, out: &mut [[u8; 64]]);

/// Writes the final chaining value of a message per lane to `out[l]` as bytes. `iv` is the chaining value before
/// the rest of the message. With a padding block, the rest is the first block of `data[l]`. Without, it is all of
/// `data[l]`, and one block with its padding, and the length of the whole message in bits fits in a word and in
/// `usize`.
///
/// # Safety
///
/// The CPU has the kernel's features; `data` has a slice per lane, of at least a block with a padding block, and
/// otherwise short enough for the padding; `out` has an entry per lane.
pub(crate) type DigestBlocks<I> = unsafe fn(
    iv: &[I; 8],
    data: &[&[u8]],
    ending: Ending<'_, I>,
    out: &mut [<I as KernelWord>::Row],
);

/// Runs iterations of HMAC on `u` in every lane and XORs the result of each into `sum`: the loop of
/// PBKDF2, or the end of HMAC. Word i of lane l is at `i * stride + l`; `chains` holds the chaining
/// values that the inner and the outer hash start from.
///
/// # Safety
///
/// The CPU has the kernel's features; each slice contains the last word of the last lane.
pub(crate) type Iterate<I> = unsafe fn(
    chains: [&[I]; 2],
    link: &Link<I>,
    u: &mut [I],
    sum: &mut [I],
    stride: usize,
    iterations: Iterations,
);

/// Writes which disturbance vectors the first `blocks` blocks of `data[l]` may belong to
/// (`lanesum_spec::sha1dc::left_of`): block b of lane l to `suspects[b * lanes + l]`.
///
/// # Safety
///
/// The CPU has the kernel's features; `data` has a slice of at least `blocks` blocks per lane;
/// `suspects` has an entry for each block.
pub(crate) type Screen = unsafe fn(data: &[&[u8]], blocks: usize, suspects: &mut [u32]);

/// Runs `lanesum_spec::sha1dc::apart` in lane l on the block `pairs.blocks[l]` and the difference
/// `pairs.differences[l]`.
///
/// # Safety
///
/// The CPU has the kernel's features; `pairs` has a block and a difference for each lane.
pub(crate) type Apart = unsafe fn(pairs: &Pairs<'_>, apart: &mut [[u32; MAX_LANES]; 2]);

/// Compresses `blocks` blocks of one message, and writes the trace of each.
///
/// # Safety
///
/// The CPU has the kernel's features; `state` has the words of a chaining value, `data` has `blocks` blocks, and
/// `traces` has a trace for each.
pub(crate) type CompressTraced =
    unsafe fn(state: &mut [u32], data: &[u8], blocks: usize, traces: &mut [MaybeUninit<Trace>]);

/// The data about a compressed block for the search for collision attacks.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Trace {
    /// The last words of its schedule.
    pub(crate) words: LastWords,
    /// The chaining value after it, as in the registers of the SHA instructions of x86: d, c, b, a, 0, 0, 0, e.
    pub(crate) after: [u32; 8],
    /// The disturbance vectors that the block may belong to, by some of their conditions
    /// (`lanesum_spec::sha1dc::left`).
    pub(crate) left: u32,
}

impl Trace {
    /// Returns the chaining value after the block.
    pub(crate) fn state(&self) -> [u32; 8] {
        let [d, c, b, a, .., e] = self.after;
        [a, b, c, d, e, 0, 0, 0]
    }
}

/// Blocks in lanes, each suspected of a collision by one disturbance vector.
pub(crate) struct Pairs<'b> {
    pub(crate) blocks: [&'b [u8]; MAX_LANES],
    pub(crate) differences: [&'static [u8]; MAX_LANES],
    /// All ones for late vectors, else zero.
    pub(crate) late: [u32; MAX_LANES],
    /// The chaining values before and after the block.
    pub(crate) before: [[u32; MAX_LANES]; 5],
    pub(crate) after: [[u32; MAX_LANES]; 5],
}

/// A kernel's functions for SHA-1 with collision detection. The prover depends on its layout.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Watching {
    pub(super) screen: Screen,
    pub(super) apart: Apart,
    /// Set if the kernel has one lane and writes the traces of the blocks that it compresses.
    pub(super) traced: Option<CompressTraced>,
}

/// How messages end whose remaining bytes are to be compressed.
#[derive(Clone, Copy)]
#[cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, reason = "no kernel there expands blocks")
)]
pub(crate) struct Ending<'p, I> {
    /// The number of bytes of each message already compressed: whole blocks.
    pub(crate) before: u64,
    /// The expanded last block, if all messages have equal length and it consists of padding only.
    pub(crate) padding_block: Option<&'p Expanded<I>>,
}

impl<I> Ending<'_, I> {
    /// Messages after `before` compressed bytes, without an expanded block.
    pub(crate) fn after(before: u64) -> Self {
        Self { before, padding_block: None }
    }

    /// Whether each of `rests`, the remaining bytes of messages, is a whole block before a padding block, or one block with
    /// its padding.
    #[inline]
    pub(crate) fn are_one_block(&self, family: Family, rests: &[&[u8]]) -> bool {
        let lens = rests.iter().map(|rest| rest.len());
        match self.padding_block {
            Some(_) => lens.fold(usize::MAX, usize::min) >= family.block_len(),
            None => lens.fold(0, usize::max) < family.block_len() - family.length_len(),
        }
    }
}

/// A kernel's functions for one family.
///
/// `repr(C)`, as are [`FunctionsOf`], [`Watching`] and the table entries: the prover locates the functions
/// through the table in a linked library.
#[repr(C)]
pub(crate) enum Functions {
    W32(FunctionsOf<u32>),
    W64(FunctionsOf<u64>),
}

/// A kernel's functions for one family with words `I`. The prover depends on its layout.
#[repr(C)]
pub(crate) struct FunctionsOf<I: KernelWord> {
    pub(super) compress: Compress<I>,
    pub(super) finish: Finish<I>,
    /// Set if the kernel writes the digests of all lanes together.
    pub(super) write: Option<Write<I>>,
    pub(super) iterate: Iterate<I>,
    /// Set if the kernel has a function for messages of one block.
    pub(super) digest_blocks: Option<DigestBlocks<I>>,
    /// Set for SHA-1 by kernels of a single group of lanes: two groups screen no faster.
    pub(super) watching: Option<Watching>,
}

impl<I: KernelWord> FunctionsOf<I> {
    /// Returns the functions that every kernel has.
    pub(super) const fn new(compress: Compress<I>, finish: Finish<I>, iterate: Iterate<I>) -> Self {
        Self { compress, finish, write: None, iterate, digest_blocks: None, watching: None }
    }

    /// Adds `write`, for a kernel that writes the digests of all lanes together.
    #[cfg_attr(not(any(target_arch = "x86", target_arch = "x86_64", test)), expect(dead_code))]
    pub(super) const fn writing(mut self, write: Write<I>) -> Self {
        self.write = Some(write);
        self
    }

    /// Adds `digest_blocks`, for a kernel with a function for messages of one block.
    #[cfg_attr(not(any(target_arch = "x86", target_arch = "x86_64", test)), expect(dead_code))]
    pub(super) const fn digesting_blocks(mut self, digest_blocks: DigestBlocks<I>) -> Self {
        self.digest_blocks = Some(digest_blocks);
        self
    }
}

impl FunctionsOf<u32> {
    /// Adds `watching`, for a kernel that screens for blocks of collision attacks.
    pub(super) const fn watching(mut self, watching: Option<Watching>) -> Self {
        self.watching = watching;
        self
    }

    pub(super) const fn any(self) -> Functions {
        Functions::W32(self)
    }
}

impl FunctionsOf<u64> {
    pub(super) const fn any(self) -> Functions {
        Functions::W64(self)
    }
}

/// Words that kernels operate on.
pub(crate) trait KernelWord: Width {
    /// Returns the functions if they operate on these words.
    fn select(functions: &Functions) -> Option<&FunctionsOf<Self>>;

    /// The bytes of a chaining value of eight words.
    type Row: AsRef<[u8]> + AsMut<[u8]> + Copy;
    /// A row to be overwritten.
    const BLANK: Self::Row;

    /// Divides bytes into rows, and leaves out an incomplete one.
    fn rows(bytes: &mut [u8]) -> &mut [Self::Row];
}

/// Implements the rows of [`KernelWord`].
macro_rules! rows {
    ($len:literal) => {
        type Row = [u8; $len];
        const BLANK: Self::Row = [0; $len];

        #[inline]
        fn rows(bytes: &mut [u8]) -> &mut [Self::Row] {
            bytes.as_chunks_mut().0
        }
    };
}

impl KernelWord for u32 {
    rows!(32);

    #[inline]
    fn select(functions: &Functions) -> Option<&FunctionsOf<Self>> {
        if let Functions::W32(functions) = functions { Some(functions) } else { None }
    }
}

impl KernelWord for u64 {
    rows!(64);

    #[inline]
    fn select(functions: &Functions) -> Option<&FunctionsOf<Self>> {
        if let Functions::W64(functions) = functions { Some(functions) } else { None }
    }
}
