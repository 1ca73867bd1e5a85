//! How functions are called, and with what: 64-bit code by the System V convention, 32-bit code
//! with everything on the stack (cdecl).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use lanesum_spec::Family;

use super::features::{self, Features};
use super::kernel::{Shipped, Task};
use super::value::Pointer;
use crate::record::{Block, record, record_rounds};

/// What a function is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// Where the chaining values are.
    State,
    /// How many words the slice has that these are in: it reaches the last of them, at least.
    StateWords,
    /// The number of words in the slice where digests are added up.
    SumWords,
    /// How far a word is from the next of its lane.
    Stride,
    /// Where the slices of the lanes' blocks are.
    Slices,
    /// How many lanes.
    Lanes,
    /// Where the digest of each lane is to be, of 64 bytes at the most.
    Out,
    /// Where the blocks of the only lane are.
    Message,
    /// How many blocks each lane has.
    Blocks,
    /// A place in the program.
    Image(u64),
    /// Where there are two chaining values, those that the hashes of HMAC begin with.
    Chains,
    /// Where that is which makes a digest the next block.
    Link,
    /// Where digests are added up.
    Sum,
    /// With which of its two hashes the first HMAC begins.
    Half,
    /// How often HMAC is taken, a number of 32 bits.
    Iterations,
    /// How many bytes of each message are compressed already: whole blocks. In 32-bit code this is the
    /// lower half of a number of 64 bits.
    Before,
    /// Its upper half, in 32-bit code.
    BeforeHigh,
    /// What is of no account.
    Anything,
    /// Where the last block of messages of one length is, expanded; zero if it is nowhere.
    Expanded,
}

/// Who is called how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convention {
    /// 64-bit code: arguments in registers.
    SystemV,
    /// The same in Linux itself: interrupts use what lies below the stack pointer, and that is a
    /// multiple of 8.
    Linux,
    /// 32-bit code: arguments on the stack.
    Cdecl,
}

impl Convention {
    /// That of programs with addresses of so many bytes.
    pub fn of(pointer: Pointer) -> Self {
        if pointer.0 == 4 { Self::Cdecl } else { Self::SystemV }
    }

    /// Of what the stack pointer is a multiple before a call.
    pub(super) fn stack_alignment(self) -> i64 {
        if self == Self::Linux { 8 } else { 16 }
    }

    /// The registers that the first arguments are in; the others are on the stack.
    pub(super) fn registers(self) -> &'static [usize] {
        match self {
            // rdi, rsi, rdx, rcx, r8, r9
            Self::SystemV | Self::Linux => &[7, 6, 2, 1, 8, 9],
            Self::Cdecl => &[],
        }
    }

    /// Registers that a function gives back as it found them.
    pub(super) fn saved(self) -> &'static [usize] {
        match self {
            // rbx, rbp, r12 and so on
            Self::SystemV | Self::Linux => &[3, 5, 12, 13, 14, 15],
            // ebx, ebp, esi, edi
            Self::Cdecl => &[3, 5, 6, 7],
        }
    }

    /// More bytes than any kernel has on the stack: as much as any thread has there for sure, and in
    /// Linux as much as its own functions may have.
    pub(super) fn most_stack(self) -> i64 {
        if self == Self::Linux { 2048 } else { 1 << 16 }
    }

    /// Bytes below the stack pointer that a function may use.
    pub(super) fn red_zone(self) -> i64 {
        match self {
            Self::SystemV => 128,
            Self::Cdecl | Self::Linux => 0,
        }
    }
}

/// What a function is given, and what of it is one block.
#[derive(Clone, Debug)]
pub struct Contract {
    /// Its arguments, in order.
    pub(super) arguments: Vec<Argument>,
    /// The words of a block.
    pub(super) block_words: usize,
    /// Whether it is called in Linux itself.
    pub(super) in_linux: bool,
    /// Whether the highest byte of a word of a block is the first.
    pub(super) big_endian: bool,
    /// Whether there may be no blocks.
    pub(super) none: bool,
    /// Whether the words of a chaining value may lie apart.
    pub(super) strided: bool,
    /// What the CPUs have that it is for.
    pub(super) features: Features,
}

impl Contract {
    /// Of the engine's rows: slices of lanes, or places for their digests.
    pub(super) fn of_engine(kernel: Shipped, pointer: Pointer) -> Self {
        use Argument::{
            Anything, Before, BeforeHigh, Blocks, Chains, Expanded, Half, Iterations, Lanes, Link,
            Out, Slices, State, StateWords, Stride, Sum, SumWords,
        };
        let mut arguments = match kernel.task {
            // Who calls it from within its row leaves out what it does not ask for.
            Task::Compress if kernel.is_masked() || kernel.has_sha() && kernel.lanes > 1 => {
                vec![State, Anything, Stride, Slices, Anything, Blocks]
            }
            Task::Compress if kernel.has_sha() => {
                vec![State, StateWords, Stride, Slices, Anything, Blocks]
            }
            Task::Compress => vec![State, StateWords, Stride, Slices, Lanes, Blocks],
            Task::Finish if kernel.has_sha() || kernel.copies() => {
                vec![State, StateWords, Stride, Slices, Lanes, Before, Anything]
            }
            Task::Finish => vec![State, StateWords, Stride, Slices, Lanes, Before, Expanded],
            Task::Write => vec![State, StateWords, Stride, Out, Lanes],
            Task::Iterate => {
                let arrays = [Chains, Link, State, StateWords, Sum, SumWords];
                arrays.into_iter().chain([Stride, Half, Iterations]).collect()
            }
        };
        if pointer.0 == 4
            && let Some(before) = arguments.iter().position(|argument| *argument == Before)
        {
            arguments.insert(before + 1, BeforeHigh);
        }
        Self {
            arguments,
            block_words: 16,
            in_linux: false,
            big_endian: !matches!(kernel.family, Family::Md5 | Family::Ripemd160),
            none: true,
            strided: true,
            features: features::of_kernel(kernel.name),
        }
    }

    /// A kernel for one message: pointers to the chaining value and to the blocks, and how many
    /// these are.
    pub(super) fn of_emitted(features: Features) -> Self {
        Self {
            arguments: vec![Argument::State, Argument::Message, Argument::Blocks],
            block_words: 16,
            in_linux: false,
            big_endian: true,
            none: true,
            strided: false,
            features,
        }
    }

    /// The same in Linux.
    pub(super) fn of_linux(features: Features) -> Self {
        Self { in_linux: true, ..Self::of_emitted(features) }
    }

    /// The same of rounds alone, whose blocks are so many sums W + K, as numbers.
    pub(super) fn of_rounds(words: usize, features: Features) -> Self {
        Self { block_words: words, big_endian: false, ..Self::of_emitted(features) }
    }

    /// A stitched kernel, which has a table too, and one block at least.
    pub(super) fn of_stitched(table: u64, big_endian: bool, features: Features) -> Self {
        let mut contract = Self { big_endian, none: false, ..Self::of_emitted(features) };
        contract.arguments.push(Argument::Image(table));
        contract
    }

    /// The computation of one block.
    pub(super) fn block(&self, family: Family) -> Arc<Block> {
        recorded(family, self.block_words != 16)
    }
}

/// A family's compression function, or its rounds, as a graph. Each is recorded once in a process: its
/// normal forms take longer than many a proof.
pub(super) fn recorded(family: Family, rounds: bool) -> Arc<Block> {
    static ALL: Mutex<BTreeMap<(u8, bool), Arc<Block>>> = Mutex::new(BTreeMap::new());
    let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    let block = all.entry((family as u8, rounds)).or_insert_with(|| {
        Arc::new(if rounds { record_rounds(family, false) } else { record(family, false) })
    });
    Arc::clone(block)
}
