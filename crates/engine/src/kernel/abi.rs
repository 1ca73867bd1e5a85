//! The types of the functions that a kernel is made of.

use lanesum_spec::Expanded;

use super::iterate::Link;
use crate::words::MAX_LANES;

/// Compresses the first `blocks` blocks of `data[l]` into lane l, whose word i
/// is `state[i * stride + l]`.
///
/// # Safety
///
/// The CPU has the features of the kernel; `data` has a slice for each lane, of at
/// least `blocks` blocks; `state` reaches the last word of the last lane.
pub(crate) type Compress<I> =
    unsafe fn(state: &mut [I], stride: usize, data: &[&[u8]], blocks: usize);

/// Compresses all of `data[l]`, and the padding of its message, into lane l,
/// whose word i is `state[i * stride + l]`.
///
/// # Safety
///
/// The CPU has the features of the kernel; `data` has a slice for each lane;
/// `state` reaches the last word of the last lane.
pub(crate) type Finish<I> =
    unsafe fn(state: &mut [I], stride: usize, data: &[&[u8]], rest: Rest<'_, I>);

/// Writes the chaining value of lane l, whose word i is `state[i * stride + l]`,
/// to `out[l]` as bytes, and nothing or zeros behind it.
///
/// # Safety
///
/// The CPU has the features of the kernel; `out` has a place for each lane; `state`
/// reaches the last word of the last lane.
pub(crate) type Write<I> = unsafe fn(state: &[I], stride: usize, out: &mut [[u8; 64]]);

/// Takes `u` through so many iterations of HMAC in every lane, the first of them
/// from its inner hash (0) or its outer one (1) on, and adds (⊕) each to `sum`:
/// the loop of PBKDF2, or the end of HMAC. Word i of lane l is at `i * stride + l`, also in
/// `chains`, which the inner and the outer hash go on from.
///
/// # Safety
///
/// The CPU has the features of the kernel; each slice reaches the last word of the
/// last lane.
pub(crate) type Iterate<I> = unsafe fn(
    chains: [&[I]; 2],
    link: &Link<I>,
    u: &mut [I],
    sum: &mut [I],
    stride: usize,
    iterations: (usize, u32),
);

/// Writes which disturbance vectors of SHA-1 each of the first `blocks` blocks of `data[l]` fulfils
/// the conditions of (`lanesum_spec::sha1dc::suspects`): those of block b of lane l to
/// `suspects[b * lanes + l]`.
///
/// # Safety
///
/// The CPU has the features of the kernel; `data` has a slice for each lane, of at
/// least `blocks` blocks; `suspects` has a place for each block.
pub(crate) type Screen = unsafe fn(data: &[&[u8]], blocks: usize, suspects: &mut [u32]);

/// Writes how far apart two messages are by `lanesum_spec::sha1dc::apart` in lane l: of the block
/// `pairs.blocks[l]`, by the difference `pairs.differences[l]`.
///
/// # Safety
///
/// The CPU has the features of the kernel; `pairs` has a block and a difference for each lane.
pub(crate) type Apart = unsafe fn(pairs: &Pairs<'_>, apart: &mut [[u32; MAX_LANES]; 2]);

/// Blocks in lanes, each of which may be one of a collision by a vector.
pub(crate) struct Pairs<'b> {
    pub(crate) blocks: [&'b [u8]; MAX_LANES],
    pub(crate) differences: [&'static [u8]; MAX_LANES],
    /// All bits for vectors that are late, else none.
    pub(crate) late: [u32; MAX_LANES],
    /// The chaining values before the block and after.
    pub(crate) before: [[u32; MAX_LANES]; 5],
    pub(crate) after: [[u32; MAX_LANES]; 5],
}

/// What a kernel has for SHA-1 that notices collisions.
#[derive(Clone, Copy)]
pub(crate) struct Watching {
    pub(super) screen: Screen,
    pub(super) apart: Apart,
}

/// What is known of messages whose rest is to be compressed.
#[derive(Clone, Copy)]
#[cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, reason = "no kernel there expands blocks")
)]
pub(crate) struct Rest<'p, I> {
    /// How many bytes of each are compressed already: whole blocks.
    pub(crate) before: u64,
    /// The last block, expanded, of messages as long as these are if they all
    /// are of one length and padding alone is in it.
    pub(crate) last: Option<&'p Expanded<I>>,
}

/// What a kernel has for one family.
///
/// The layout is that of C, here and in [`FunctionsOf`] and the entries of the table: the prover reads
/// from a linked library which functions the table leads to.
#[repr(C)]
pub(crate) enum Functions {
    W32(FunctionsOf<u32>),
    W64(FunctionsOf<u64>),
}

/// What a kernel has for one family, whose words are of one width. The prover knows its layout.
#[repr(C)]
pub(crate) struct FunctionsOf<I> {
    pub(super) compress: Compress<I>,
    /// For kernels that pad by themselves; the others have it done (`tails`).
    pub(super) finish: Option<Finish<I>>,
    /// For kernels that have more lanes than are written one by one.
    pub(super) write: Option<Write<I>>,
    pub(super) iterate: Iterate<I>,
    /// For SHA-1, of kernels that are one group of lanes: two are no faster at this.
    pub(super) watching: Option<Watching>,
}

impl<I> FunctionsOf<I> {
    /// What every kernel has.
    pub(super) const fn new(compress: Compress<I>, iterate: Iterate<I>) -> Self {
        Self { compress, finish: None, write: None, iterate, watching: None }
    }

    /// The same, of a kernel that pads by itself.
    #[cfg_attr(not(any(target_arch = "x86", target_arch = "x86_64", test)), expect(dead_code))]
    pub(super) const fn finishing(mut self, finish: Finish<I>) -> Self {
        self.finish = Some(finish);
        self
    }

    /// The same, of a kernel that writes digests by itself.
    #[cfg_attr(not(any(target_arch = "x86_64", test)), expect(dead_code))]
    pub(super) const fn writing(mut self, write: Write<I>) -> Self {
        self.write = Some(write);
        self
    }
}

impl FunctionsOf<u32> {
    /// The same, of a kernel that looks for blocks of collision attacks.
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
