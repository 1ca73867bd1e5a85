//! Calling conventions and arguments: 64-bit code follows the System V convention, and 32-bit code
//! passes all arguments on the stack (cdecl).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use lanesum_spec::Family;

use super::features::Features;
use super::kernel::{Shipped, Task};
use super::value::Pointer;
use lanesum_graph::record::{Block, record, record_rounds};

/// An argument of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A pointer to the chaining values.
    State,
    /// The length in words of the slice of chaining values. It includes the last word of every
    /// lane.
    StateWords,
    /// The length in words of the slice of sums.
    SumWords,
    /// The distance in words between consecutive words of a lane.
    Stride,
    /// A pointer to the slices of the lanes' blocks.
    Slices,
    /// A pointer to an array with a pointer to a lane's blocks in every other place. The rest of the array is not
    /// read.
    Pointers,
    /// The number of lanes.
    Lanes,
    /// A pointer to the output slots of the lanes' digests, of up to 64 bytes each.
    Out,
    /// A pointer to the blocks of the only lane.
    Message,
    /// The length of that slice, at least that of its blocks.
    MessageLen,
    /// A pointer to a word per lane and block, in which the function writes which conditions the block fulfills.
    Suspects,
    /// The length in words of that slice, at least that of all blocks.
    SuspectsLen,
    /// A pointer to a trace per block, which the function writes.
    Traces,
    /// The number of these traces, at least that of blocks.
    TracesLen,
    /// The number of blocks per lane.
    Blocks,
    /// An address in the program.
    Image(u64),
    /// A pointer to the slices of two chaining values, the initial values of HMAC's hashes.
    Chains,
    /// A pointer to the padding that turns a digest into the next block.
    Link,
    /// A pointer to the sums of digests.
    Sum,
    /// Which of HMAC's two hashes comes first.
    Half,
    /// The number of HMACs, as a 32-bit number.
    Iterations,
    /// The number of bytes per message that are already compressed, a multiple of the block length.
    /// In 32-bit code, its lower half.
    Before,
    /// The upper half of `Before`, in 32-bit code.
    BeforeHigh,
    /// A pointer to the blocks and chaining values to check for collisions.
    Pairs,
    /// A pointer to two words per lane: whether the chaining values differ after and before the block.
    Results,
    /// An argument that the function ignores.
    Anything,
    /// A pointer to the expanded last block of messages of equal length, or zero.
    Expanded,
    /// A pointer to the chaining value before the first block, the same in every lane.
    InitialValue,
}

/// A calling convention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convention {
    SystemV,
    /// 64-bit code in the Linux kernel: no red zone, and a stack aligned to 8 bytes.
    Linux,
    Cdecl,
}

impl Convention {
    /// The convention of programs with addresses of this size.
    pub fn of(pointer: Pointer) -> Self {
        if pointer.0 == 4 { Self::Cdecl } else { Self::SystemV }
    }

    /// The alignment of the stack pointer before a call.
    pub(super) fn stack_alignment(self) -> i64 {
        if self == Self::Linux { 8 } else { 16 }
    }

    /// The argument registers, in order. Further arguments are on the stack.
    pub(super) fn registers(self) -> &'static [usize] {
        match self {
            // rdi, rsi, rdx, rcx, r8, r9
            Self::SystemV | Self::Linux => &[7, 6, 2, 1, 8, 9],
            Self::Cdecl => &[],
        }
    }

    /// The callee-saved registers.
    pub(super) fn saved(self) -> &'static [usize] {
        match self {
            // rbx, rbp, r12 to r15
            Self::SystemV | Self::Linux => &[3, 5, 12, 13, 14, 15],
            // ebx, ebp, esi, edi
            Self::Cdecl => &[3, 5, 6, 7],
        }
    }

    /// The maximum size of a frame, including callees: every thread has this much stack, and in Linux its own
    /// functions are limited to it.
    pub(super) fn most_stack(self) -> i64 {
        if self == Self::Linux { 2048 } else { 1 << 16 }
    }

    /// The size of the red zone: bytes below the stack pointer that a function may use.
    pub(super) fn red_zone(self) -> i64 {
        match self {
            Self::SystemV => 128,
            Self::Cdecl | Self::Linux => 0,
        }
    }
}

/// A function's arguments and block format.
#[derive(Clone, Debug)]
pub struct Contract {
    /// The arguments, in order.
    pub(super) arguments: Vec<Argument>,
    /// The number of lanes.
    pub(super) lanes: usize,
    /// Bytes per word.
    pub(super) word_len: usize,
    /// Words per chaining value.
    pub(super) words: usize,
    /// Words per block.
    pub(super) block_words: usize,
    /// Whether the function runs in the Linux kernel.
    pub(super) in_linux: bool,
    /// Whether the words of a block are big-endian.
    pub(super) big_endian: bool,
    /// Whether the number of blocks may be zero.
    pub(super) none: bool,
    /// Whether the distance between a lane's words may exceed the number of lanes.
    pub(super) strided: bool,
    /// Whether the function evaluates conditions on single bits.
    pub(super) screens: bool,
    /// Whether a function with a separate proof may call it.
    pub(super) is_callee: bool,
    /// The features of the target CPUs.
    pub(super) features: Features,
}

impl Contract {
    /// The contract of a function in the engine's table of kernels.
    pub(super) fn of_engine(kernel: Shipped, pointer: Pointer) -> Self {
        use Argument::{
            Anything, Before, BeforeHigh, Blocks, Chains, Expanded, Half, InitialValue, Iterations,
            Lanes, Link, Message, MessageLen, Out, Pairs, Results, Slices, State, StateWords,
            Stride, Sum, SumWords, Suspects, SuspectsLen, Traces, TracesLen,
        };
        let mut arguments = match kernel.task {
            // Callers within the same table entry do not set unused arguments.
            Task::Compress if kernel.is_masked() || kernel.has_sha() && kernel.lanes > 1 => {
                vec![State, Anything, Stride, Slices, Anything, Blocks]
            }
            Task::Compress if kernel.has_sha() => {
                vec![State, StateWords, Stride, Slices, Anything, Blocks]
            }
            Task::Compress => vec![State, StateWords, Stride, Slices, Lanes, Blocks],
            Task::Finish if kernel.copies() => {
                vec![State, StateWords, Stride, Slices, Lanes, Before, Anything]
            }
            Task::Finish => vec![State, StateWords, Stride, Slices, Lanes, Before, Expanded],
            Task::Write => vec![State, StateWords, Stride, Out, Lanes],
            Task::Iterate => {
                let arrays = [Chains, Link, State, StateWords, Sum, SumWords];
                arrays.into_iter().chain([Stride, Half, Iterations]).collect()
            }
            Task::DigestBlocks => {
                vec![InitialValue, Slices, Lanes, Before, Expanded, Out, Lanes]
            }
            Task::Traced => {
                vec![State, StateWords, Message, MessageLen, Blocks, Traces, TracesLen]
            }
            Task::Screen => vec![Slices, Lanes, Blocks, Suspects, SuspectsLen],
            Task::Read => vec![Message, Anything],
            Task::Apart => vec![Pairs, Results],
        };
        if pointer.0 == 4
            && let Some(before) = arguments.iter().position(|argument| *argument == Before)
        {
            arguments.insert(before + 1, BeforeHigh);
        }
        let features = Features::of_kernel(kernel.name);
        let screens = kernel.screens() || kernel.task == Task::Traced;
        Self {
            arguments,
            lanes: kernel.lanes,
            big_endian: kernel.family.is_big_endian(),
            strided: !screens && kernel.task != Task::DigestBlocks,
            screens,
            is_callee: kernel.task == Task::Compress,
            ..Self::of_emitted(kernel.family, features)
        }
    }

    /// Whether messages are one block long with their padding, so that no block precedes the current one.
    pub(super) fn is_one_block(&self) -> bool {
        self.arguments.contains(&Argument::InitialValue)
    }

    /// Bytes of an output slot for a digest.
    pub(super) fn row_len(&self) -> usize {
        if self.is_one_block() { self.words * self.word_len } else { 64 }
    }

    /// A kernel for one message, with three arguments: pointers to the chaining value and the
    /// blocks, and the number of blocks.
    pub(super) fn of_emitted(family: Family, features: Features) -> Self {
        Self {
            arguments: vec![Argument::State, Argument::Message, Argument::Blocks],
            lanes: 1,
            word_len: family.word_bits() as usize / 8,
            words: family.state_words(),
            block_words: 16,
            in_linux: false,
            big_endian: true,
            none: true,
            strided: false,
            screens: false,
            is_callee: false,
            features,
        }
    }

    /// A lane kernel, with four arguments: a pointer to the chaining values, the distance between a
    /// lane's words, a pointer to the array of pointers to the lanes' blocks, and the number of blocks.
    pub(super) fn of_lanes(family: Family, lanes: usize, features: Features) -> Self {
        use Argument::{Blocks, Pointers, State, Stride};
        let arguments = vec![State, Stride, Pointers, Blocks];
        Self { arguments, lanes, strided: true, ..Self::of_emitted(family, features) }
    }

    /// A kernel for one message in the Linux kernel.
    pub(super) fn of_linux(family: Family, features: Features) -> Self {
        Self { in_linux: true, ..Self::of_emitted(family, features) }
    }

    /// A function for the rounds only. Its blocks are `words` sums W + K in native byte order.
    pub(super) fn of_rounds(family: Family, words: usize, features: Features) -> Self {
        Self { block_words: words, big_endian: false, ..Self::of_emitted(family, features) }
    }

    /// A stitched kernel. It has a table as a fourth argument, and requires at least one block.
    pub(super) fn of_stitched(
        family: Family,
        table: u64,
        big_endian: bool,
        features: Features,
    ) -> Self {
        let mut contract = Self { big_endian, none: false, ..Self::of_emitted(family, features) };
        contract.arguments.push(Argument::Image(table));
        contract
    }

    /// The computation of one block.
    pub(super) fn block(&self, family: Family) -> Arc<Block> {
        recorded(family, self.block_words != 16)
    }
}

/// A family's compression function, or its rounds, as a graph. It is recorded once per process,
/// since its normal forms take longer than many proofs.
pub(super) fn recorded(family: Family, rounds: bool) -> Arc<Block> {
    static ALL: Mutex<BTreeMap<(u8, bool), Arc<Block>>> = Mutex::new(BTreeMap::new());
    let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    let block = all.entry((family as u8, rounds)).or_insert_with(|| {
        Arc::new(if rounds { record_rounds(family, false) } else { record(family, false) })
    });
    Arc::clone(block)
}
