//! Kernels: implementations of the compression functions, and the table of them.
//!
//! There are three kinds. A *lane kernel* is the specification instantiated with a vector of lanes
//! as its word. A *block kernel* hashes one message, or a few streams: it is written by hand around
//! instructions that run whole rounds (SHA-NI), or emitted from the graph. A *stitched kernel* hashes
//! one message with generated assembly that interleaves rounds with the schedule.

// Big-endian AArch64 numbers register lanes opposite to memory order, which these kernels do not
// support; it uses the portable kernels.
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod aarch64;
mod abi;
mod assembly;
mod copied;
mod costs;
mod cpu;
mod entry;
mod index;
mod iterate;
mod known_answer;
// For kernels with SHA instructions and generated assembly.
#[cfg(any(
    target_arch = "x86",
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little")
))]
mod lane;
mod one;
#[cfg(test)]
mod planted;
mod portable;
mod table;
mod tested;
#[cfg(test)]
mod tests;
mod tier;
mod vector;
mod watcher;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86;

use core::fmt;
use core::ops::Range;

use lanesum_spec::{Algorithm, Family};

pub(crate) use self::abi::{Ending, KernelWord, Pairs};
use self::abi::{Functions, FunctionsOf};
pub use self::assembly::Assembly;
pub(crate) use self::cpu::CoreIndex;
use self::entry::{Entry, FamilyEntry};
#[cfg(not(feature = "std"))]
pub(crate) use self::index::KernelCell;
pub(crate) use self::index::{KernelIndex, KernelSet};
use self::iterate::Iterations;
pub(crate) use self::iterate::{Half, Link};
use self::known_answer::known_answer;
pub(crate) use self::one::One;
use self::table::KERNELS;
pub(crate) use self::table::{ASSEMBLY, KERNEL_COUNT};
use self::tested::Tested;
pub use self::tier::Tier;
pub(crate) use self::watcher::Watcher;
use crate::words::{self, MAX_LANES, State};

/// An implementation of compression functions. A value exists only for a kernel that this CPU can
/// run.
// One pointer, to the place in the table, so that `index` is a subtraction: a structure of several fields would be copied through memory in every call.
#[derive(Clone, Copy)]
pub struct Kernel(&'static &'static Entry);

impl Kernel {
    /// Returns the compiled kernels that this CPU supports, widest first; never empty.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::table().filter_map(Result::ok)
    }

    /// Returns every kernel of the table, or its name if it cannot run: this CPU does not support
    /// it, or an unoptimized build does not contain it.
    pub fn table() -> impl Iterator<Item = Result<Self, &'static str>> {
        KERNELS
            .iter()
            .map(|entry| if entry.runs_here() { Ok(Self(entry)) } else { Err(entry.name) })
    }

    /// Whether the table has kernels that `is_meant` selects and this CPU supports, but none of
    /// them is compiled.
    pub(crate) fn needs_optimization(is_meant: impl Fn(&str, Tier) -> bool) -> bool {
        let mut meant = KERNELS
            .iter()
            .filter(|entry| (entry.supported)() && is_meant(entry.name, entry.tier))
            .peekable();
        meant.peek().is_some() && meant.all(|entry| !entry.is_compiled())
    }

    /// The name: instruction set and lanes, such as `avx2_x8`.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// The number of messages that one call compresses in parallel.
    #[inline]
    pub fn lanes(self) -> usize {
        self.0.lanes
    }

    /// The instruction set of the kernel.
    #[inline]
    pub fn tier(self) -> Tier {
        self.0.tier
    }

    /// Whether one step of the loop of PBKDF2 computes HMAC's outer hash faster than
    /// [`finish`](Self::finish) does: kernels with SHA instructions build its block in registers.
    #[inline]
    pub(crate) fn has_fast_loop(self) -> bool {
        self.tier() == Tier::ShaNi
    }

    /// Whether the kernel implements the algorithm's compression function.
    pub fn supports(self, algorithm: Algorithm) -> bool {
        self.entry(algorithm.family()).is_some()
    }

    /// The kernel's index in the table.
    #[inline]
    pub(crate) fn index(self) -> usize {
        let start = KERNELS.as_ptr().addr();
        (core::ptr::from_ref(self.0).addr() - start) / size_of::<&Entry>()
    }

    /// The default cost of one block in every lane on `core`, in tenths of a cycle.
    pub(crate) fn cost(self, family: Family, core: CoreIndex) -> Option<u32> {
        self.entry(family).map(|entry| entry.costs[core.index()])
    }

    /// Whether the kernel has a function for messages of one block, [`digest_blocks`](Self::digest_blocks).
    pub(crate) fn digests_blocks(self, family: Family) -> bool {
        self.entry(family).is_some_and(|entry| match &entry.functions {
            Functions::W32(functions) => functions.digest_blocks.is_some(),
            Functions::W64(functions) => functions.digest_blocks.is_some(),
        })
    }

    #[inline]
    fn entry(self, family: Family) -> Option<&'static FamilyEntry> {
        self.0.families.iter().find(|entry| entry.family == family)
    }

    /// Whether the kernel passes the known-answer test of `family`. Runs the test before the first
    /// use in a process and caches the result.
    pub(crate) fn is_sound(self, family: Family) -> bool {
        Tested::of(self).families[family as usize]
            .is_sound(|| self.entry(family).is_some() && known_answer(self, family))
    }

    /// Compresses the first `blocks` blocks of `data[l]` into lane l, whose word i is
    /// `state[i * stride + l]`.
    ///
    /// # Panics
    ///
    /// If the kernel does not implement `family` with words `I`, `data` does not have one slice of
    /// at least `blocks` blocks per lane, or `state` is too short.
    #[inline]
    pub(crate) fn compress<I: KernelWord>(
        self,
        family: Family,
        state: &mut [I],
        stride: usize,
        data: &[&[u8]],
        blocks: usize,
    ) {
        let functions = self.functions::<I>(family);
        assert!(data.len() == self.0.lanes);
        self.check_lanes(family, state, stride, data.len());
        let len = blocks.checked_mul(family.block_len());
        assert!(len.is_some_and(|len| data.iter().all(|d| d.len() >= len)));
        // SAFETY: `table` constructs a kernel only if `supported` detected its target features
        // on this CPU, and `index` only rebuilds such a kernel. The lengths were asserted
        // above.
        unsafe { (functions.compress)(state, stride, data, blocks) }
    }

    /// Compresses the first `blocks` blocks of `data[l]` into lane `first + l` of `state`.
    ///
    /// # Panics
    ///
    /// Under the conditions of [`compress`](Self::compress), or if `state` has fewer lanes from
    /// `first` on than the kernel.
    pub(crate) fn compress_in(
        self,
        family: Family,
        state: &mut State,
        first: usize,
        data: &[&[u8]],
        blocks: usize,
    ) {
        assert!(first + self.lanes() <= MAX_LANES, "all of the kernel's lanes are there");
        match state {
            State::W32(columns) => {
                self.compress(family, columns.words_mut(first), MAX_LANES, data, blocks);
            }
            State::W64(columns) => {
                self.compress(family, columns.words_mut(first), MAX_LANES, data, blocks);
            }
        }
    }

    /// Compresses all of `data[l]` and its message's padding into lane l. The lanes may be several
    /// groups of the kernel's, hashed one after another.
    ///
    /// # Panics
    ///
    /// If the kernel does not implement `family` with words `I`, `data` does not have slices for whole
    /// groups of lanes, or `state` is too short.
    #[inline]
    pub(crate) fn finish<I: KernelWord>(
        self,
        family: Family,
        state: &mut [I],
        stride: usize,
        data: &[&[u8]],
        ending: Ending<'_, I>,
    ) {
        self.finish_by(self.functions(family), family, state, stride, data, ending);
    }

    #[inline]
    fn finish_by<I: KernelWord>(
        self,
        functions: &FunctionsOf<I>,
        family: Family,
        state: &mut [I],
        stride: usize,
        data: &[&[u8]],
        ending: Ending<'_, I>,
    ) {
        self.check_lanes(family, state, stride, data.len());
        self.each_group(data.len(), |lanes| {
            let (state, data) = (&mut state[lanes.start..], &data[lanes]);
            // SAFETY: the CPU has the kernel's features, as in `compress`; the lengths were asserted
            // above.
            unsafe { (functions.finish)(state, stride, data, ending) }
        });
    }

    /// [`finish`](Self::finish), then [`write`](Self::write): looks up the functions once.
    ///
    /// # Panics
    ///
    /// Under the conditions of both.
    #[inline]
    pub(crate) fn digests<I: KernelWord>(
        self,
        family: Family,
        state: &mut [I],
        stride: usize,
        data: &[&[u8]],
        ending: Ending<'_, I>,
        out: &mut [[u8; 64]],
    ) {
        let functions = self.functions(family);
        self.finish_by(functions, family, state, stride, data, ending);
        self.write_by(functions, family, state, stride, out);
    }

    /// Writes the chaining value of lane l to the start of `out[l]` as bytes. The remaining bytes
    /// are unchanged or zero. The lanes may be several groups of the kernel's.
    ///
    /// # Panics
    ///
    /// If the kernel does not implement `family` with words `I`, `state` is too short, or `out` does
    /// not have entries for whole groups of lanes.
    pub(crate) fn write<I: KernelWord>(
        self,
        family: Family,
        state: &[I],
        stride: usize,
        out: &mut [[u8; 64]],
    ) {
        self.write_by(self.functions(family), family, state, stride, out);
    }

    #[inline]
    fn write_by<I: KernelWord>(
        self,
        functions: &FunctionsOf<I>,
        family: Family,
        state: &[I],
        stride: usize,
        out: &mut [[u8; 64]],
    ) {
        self.check_lanes(family, state, stride, out.len());
        if let Some(write) = functions.write {
            return self.each_group(out.len(), |lanes| {
                // The machine-code proof assumes exactly one entry per lane.
                // SAFETY: the CPU has the kernel's features, as in `compress`; the lengths were
                // asserted above.
                unsafe { write(&state[lanes.start..], stride, &mut out[lanes]) };
            });
        }
        for (l, bytes) in out.iter_mut().enumerate() {
            let word = |i| if i < family.state_words() { state[i * stride + l] } else { I::ZERO };
            *bytes = words::bytes(family, &core::array::from_fn(word));
        }
    }

    /// Writes the final chaining values of messages whose rest is one block to `out`: with a padding block, the first
    /// block of each element of `data`, otherwise all of it and the padding. Returns false, and writes nothing, if the
    /// kernel has no function for it.
    ///
    /// # Panics
    ///
    /// If the kernel does not implement `family` with words `I`, or otherwise if `data` or `out` does not have an
    /// element per lane or the rest of a message is not one block long.
    #[inline(always)]
    pub(crate) fn digest_blocks<I: KernelWord>(
        self,
        family: Family,
        iv: &[I; 8],
        data: &[&[u8]],
        ending: Ending<'_, I>,
        out: &mut [I::Row],
    ) -> bool {
        let Some(digest_blocks) = self.functions::<I>(family).digest_blocks else { return false };
        assert!(data.len() == self.0.lanes && out.len() == self.0.lanes);
        assert!(ending.are_one_block(family, data));
        // SAFETY: the CPU has the kernel's features, as in `compress`; the lengths were asserted above.
        unsafe { digest_blocks(iv, data, ending, out) };
        true
    }

    /// Runs `iterations` iterations of HMAC on `u` in every lane, the first from its hash `half`,
    /// and XORs the result of each into `sum`. Word i of lane l is at `i * stride + l`.
    ///
    /// # Panics
    ///
    /// If the kernel does not implement `family` with words `I`, or a slice is too short.
    #[allow(clippy::too_many_arguments, reason = "the kernel has them")]
    pub(crate) fn iterate<I: KernelWord>(
        self,
        family: Family,
        chains: [&[I]; 2],
        link: &Link<I>,
        u: &mut [I],
        sum: &mut [I],
        stride: usize,
        half: Half,
        iterations: u32,
    ) {
        let functions = self.functions::<I>(family);
        assert!(stride >= self.0.lanes);
        let len = (family.state_words() - 1) * stride + self.0.lanes;
        // The machine-code proof assumes slices of equal length.
        let (chains, u, sum) = (chains.map(|chain| &chain[..len]), &mut u[..len], &mut sum[..len]);
        let iterations = Iterations { first_hash: half as usize, count: iterations };
        // SAFETY: the CPU has the kernel's features, as in `compress`; the slices have `len` words.
        unsafe { (functions.iterate)(chains, link, u, sum, stride, iterations) }
    }

    #[inline]
    fn functions<I: KernelWord>(self, family: Family) -> &'static FunctionsOf<I> {
        let entry = self.entry(family).expect("a kernel of this family");
        I::select(&entry.functions).expect("a kernel of these words")
    }

    /// Calls `run` for each group of the kernel's lanes in `0..lanes`, which are whole groups.
    #[inline]
    pub(crate) fn each_group(self, lanes: usize, mut run: impl FnMut(Range<usize>)) {
        let mut first = 0;
        while first < lanes {
            run(first..first + self.0.lanes);
            first += self.0.lanes;
        }
    }

    /// Asserts that `lanes` are whole groups of the kernel's lanes, and that `state` has all words of them.
    #[inline]
    fn check_lanes<I>(self, family: Family, state: &[I], stride: usize, lanes: usize) {
        // Every kernel has a power of two of lanes, so this is no division.
        assert!(lanes & (self.0.lanes - 1) == 0 && stride >= lanes);
        assert!(state.len() >= (family.state_words() - 1) * stride + lanes);
    }
}

impl PartialEq for Kernel {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self.0, other.0)
    }
}

impl Eq for Kernel {}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
