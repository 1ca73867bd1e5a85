//! Kernels: ways to run the compression functions, and the one table of them.
//!
//! There are three kinds of kernel. A *lane kernel* is the specification itself, read
//! with a word that is a vector of lanes. A *block kernel* does whole rounds by
//! instructions of its own (SHA-NI), which are no word; it is written by hand. A
//! *stitched kernel* is for one message: its text is generated.

// Big-endian Arm numbers the lanes of a register against memory: its words would
// want code of their own, and it has the portable kernels.
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod aarch64;
mod abi;
mod costs;
mod entry;
mod iterate;
mod known_answer;
// Where there are kernels of instructions that do whole rounds, or emitted ones.
#[cfg(any(
    target_arch = "x86",
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little")
))]
mod lane;
#[cfg(test)]
mod planted;
mod portable;
mod select;
mod single;
mod table;
mod tails;
#[cfg(test)]
mod tests;
mod tier;
mod vector;
mod vendor;
mod watcher;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86;

use core::fmt;
use core::sync::atomic::{AtomicU8, Ordering};

use lanesum_spec::{Algorithm, Family};

use self::abi::{Functions, FunctionsOf};
pub(crate) use self::abi::{Pairs, Rest};
use self::entry::{Entry, Job};
pub(crate) use self::iterate::{Half, Link};
use self::known_answer::known_answer;
pub(crate) use self::select::Select;
pub(crate) use self::single::{AnySingle, Single};
pub(crate) use self::table::KERNEL_COUNT;
use self::table::KERNELS;
pub use self::tier::Tier;
pub(crate) use self::watcher::Watcher;
use crate::words::{self, MAX_LANES, State};

/// Whether each kernel's functions of each family gave the known answer, in this process.
static TESTED: [[AtomicU8; Family::ALL.len()]; KERNEL_COUNT] =
    [const { [const { AtomicU8::new(UNTRIED) }; _] }; _];
const UNTRIED: u8 = 0;
const SOUND: u8 = 1;
const WRONG: u8 = 2;

/// A way to run compression functions that this CPU supports. Possession of one
/// is proof that it can run.
#[derive(Clone, Copy)]
pub struct Kernel {
    entry: &'static Entry,
    index: u8,
}

impl Kernel {
    /// All compiled kernels that this CPU supports, widest first; never empty.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::table().filter_map(Result::ok)
    }

    /// Every kernel of the table, or the name of one that cannot run: this CPU does not support it, or the
    /// crate was compiled without optimization and does not contain it.
    pub fn table() -> impl Iterator<Item = Result<Self, &'static str>> {
        KERNELS.iter().enumerate().map(|(index, &entry)| {
            if entry.runs_here() { Ok(Self { entry, index: index as u8 }) } else { Err(entry.name) }
        })
    }

    /// The kernel at a place in the table, if it can run here.
    pub(crate) fn at(index: u8) -> Option<Self> {
        let entry = *KERNELS.get(usize::from(index))?;
        entry.runs_here().then_some(Self { entry, index })
    }

    /// Whether the table has kernels that `is_meant` selects and this CPU supports, and none of them is compiled.
    pub(crate) fn needs_optimization(is_meant: impl Fn(&str, Tier) -> bool) -> bool {
        let mut meant = KERNELS
            .iter()
            .filter(|entry| (entry.supported)() && is_meant(entry.name, entry.tier))
            .peekable();
        meant.peek().is_some() && meant.all(|entry| !entry.is_compiled())
    }

    /// The one at the place of a kernel that was found to run here.
    #[inline]
    pub(crate) fn found(index: u8) -> Self {
        Self { entry: KERNELS[usize::from(index)], index }
    }

    /// The name: the ISA and the lanes, such as `avx2_x8`.
    pub fn name(self) -> &'static str {
        self.entry.name
    }

    /// How many messages one call compresses a block of.
    pub fn lanes(self) -> usize {
        self.entry.lanes
    }

    /// The instructions that the kernel is made of.
    pub fn tier(self) -> Tier {
        self.entry.tier
    }

    /// Whether the kernel has the algorithm's compression function.
    pub fn supports(self, algorithm: Algorithm) -> bool {
        self.job(algorithm.family()).is_some()
    }

    /// The kernel's place in the table.
    pub(crate) fn index(self) -> usize {
        usize::from(self.index)
    }

    /// What a block in every lane costs on such a CPU as this unless measured, in tenths of a
    /// cycle.
    pub(crate) fn cost(self, family: Family) -> Option<u32> {
        self.job(family).map(|job| job.costs[vendor::known()])
    }

    fn job(self, family: Family) -> Option<&'static Job> {
        self.entry.jobs.iter().find(|job| job.family == family)
    }

    /// Whether it gives the known answer for a family: tried before its first use in
    /// a process, remembered after.
    pub(crate) fn is_sound(self, family: Family) -> bool {
        let tested = &TESTED[self.index()][family as usize];
        if tested.load(Ordering::Relaxed) == UNTRIED {
            let sound = self.job(family).is_some() && known_answer(self, family);
            tested.store(if sound { SOUND } else { WRONG }, Ordering::Relaxed);
        }
        tested.load(Ordering::Relaxed) == SOUND
    }

    /// Compresses the first `blocks` blocks of `data[l]` into lane l, whose word
    /// i is `state[i * stride + l]`.
    ///
    /// # Panics
    ///
    /// If the kernel has not the family with these words, there is not a slice of at
    /// least `blocks` blocks for each lane, or `state` is too short.
    #[inline]
    pub(crate) fn compress<I: Select>(
        self,
        family: Family,
        state: &mut [I],
        stride: usize,
        data: &[&[u8]],
        blocks: usize,
    ) {
        let functions = self.functions::<I>(family);
        self.check_lanes(family, state, stride, data);
        let len = blocks.checked_mul(family.block_len());
        assert!(len.is_some_and(|len| data.iter().all(|d| d.len() >= len)));
        // SAFETY: only `table` and `at` make one, and of those kernels alone whose
        // target features `supported` has found on this CPU; the lengths are
        // those just asserted.
        unsafe { (functions.compress)(state, stride, data, blocks) }
    }

    /// The same in lanes from `first` on.
    ///
    /// # Panics
    ///
    /// As [`compress`](Self::compress), or if the kernel has more lanes than there are from
    /// `first` on.
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

    /// Compresses all of `data[l]`, and the padding of its message, into lane l.
    ///
    /// # Panics
    ///
    /// As [`compress`](Self::compress).
    #[inline]
    pub(crate) fn finish<I: Select>(
        self,
        family: Family,
        state: &mut [I],
        stride: usize,
        data: &[&[u8]],
        rest: Rest<'_, I>,
    ) {
        let Some(finish) = self.functions::<I>(family).finish else {
            return tails::finish(self, family, state, stride, data, rest);
        };
        self.check_lanes(family, state, stride, data);
        // SAFETY: as for `compress`.
        unsafe { finish(state, stride, data, rest) }
    }

    /// Writes the chaining value of lane l to `out[l]` as bytes, and nothing or
    /// zeros behind it.
    ///
    /// # Panics
    ///
    /// If the kernel has not the family with these words, `state` is too short, or there
    /// is not a place for each lane.
    pub(crate) fn write<I: Select>(
        self,
        family: Family,
        state: &[I],
        stride: usize,
        out: &mut [[u8; 64]],
    ) {
        let functions = self.functions::<I>(family);
        assert!(out.len() >= self.entry.lanes && stride >= self.entry.lanes);
        assert!(state.len() >= (family.state_words() - 1) * stride + self.entry.lanes);
        if let Some(write) = functions.write {
            // The proof of its machine code is of so many places.
            // SAFETY: as for `compress`.
            return unsafe { write(state, stride, &mut out[..self.entry.lanes]) };
        }
        for (l, bytes) in out[..self.entry.lanes].iter_mut().enumerate() {
            let word = |i| if i < family.state_words() { state[i * stride + l] } else { I::ZERO };
            *bytes = words::bytes(family, &core::array::from_fn(word));
        }
    }

    /// Takes `u` through so many iterations of HMAC in every lane of the kernel, the
    /// first of them from its hash `half` on, and adds (⊕) each to `sum`. Word i of
    /// lane l is at `i * stride + l`.
    ///
    /// # Panics
    ///
    /// If the kernel has not the family with these words, or a slice is too short.
    #[allow(clippy::too_many_arguments, reason = "the kernel has them")]
    pub(crate) fn iterate<I: Select>(
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
        assert!(stride >= self.entry.lanes);
        let len = (family.state_words() - 1) * stride + self.entry.lanes;
        // The proof of its machine code is of slices of one length.
        let (chains, u, sum) = (chains.map(|chain| &chain[..len]), &mut u[..len], &mut sum[..len]);
        // SAFETY: as for `compress`.
        unsafe { (functions.iterate)(chains, link, u, sum, stride, (half as usize, iterations)) }
    }

    fn functions<I: Select>(self, family: Family) -> &'static FunctionsOf<I> {
        let job = self.job(family).expect("a kernel of this family");
        I::select(&job.functions).expect("a kernel of these words")
    }

    /// Asserts that every lane has a slice, and its words in `state`.
    fn check_lanes<I>(self, family: Family, state: &[I], stride: usize, data: &[&[u8]]) {
        assert!(data.len() == self.entry.lanes && stride >= data.len());
        assert!(state.len() >= (family.state_words() - 1) * stride + self.entry.lanes);
    }
}

impl PartialEq for Kernel {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index
    }
}

impl Eq for Kernel {}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.entry.name)
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.entry.name)
    }
}
