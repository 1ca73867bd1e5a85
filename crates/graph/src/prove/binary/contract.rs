//! How functions are called, and with what: 64-bit code, by the System V convention.

use iced_x86::CpuidFeature;
use lanesum_spec::Family;

use super::call::Argument;
use super::{Kernel, Task};
use crate::record::{Block, record, record_rounds};

/// What a function is given, and what of it is one block.
#[derive(Clone, Debug)]
pub struct Contract {
    /// What is in which register.
    pub(super) arguments: Vec<(usize, Argument)>,
    /// The words of a block.
    pub(super) block_words: usize,
    /// Whether the highest byte of a word of a block is the first.
    pub(super) big_endian: bool,
    /// Whether there may be no blocks.
    pub(super) none: bool,
    /// Whether the words of a chaining value may lie apart.
    pub(super) strided: bool,
    /// What the CPUs have that it is for.
    pub(super) features: Features,
}

/// Whether CPUs have a feature.
pub(super) type Features = fn(CpuidFeature) -> bool;

const RDI: usize = 7;
const RSI: usize = 6;
const RDX: usize = 2;
const RCX: usize = 1;
const R8: usize = 8;
const R9: usize = 9;

impl Contract {
    /// Of the engine's rows: slices of lanes, or places for their digests.
    pub(super) fn of_rows(kernel: Kernel) -> Self {
        let mut arguments =
            vec![(RDI, Argument::State), (RSI, Argument::StateWords), (RDX, Argument::Stride)];
        arguments.extend(match kernel.task {
            Task::Compress => {
                vec![(RCX, Argument::Slices), (R8, Argument::Lanes), (R9, Argument::Blocks)]
            }
            Task::Write => vec![(RCX, Argument::Out), (R8, Argument::Lanes)],
        });
        Self {
            arguments,
            block_words: 16,
            big_endian: !matches!(kernel.family, Family::Md5 | Family::Ripemd160),
            none: true,
            strided: true,
            // Which these are is asked before a row is used.
            features: |_| true,
        }
    }

    /// A kernel for one message: pointers to the chaining value and to the blocks, and how many
    /// these are.
    pub(super) fn of_emitted(features: Features) -> Self {
        Self {
            arguments: vec![
                (RDI, Argument::State),
                (RSI, Argument::Message),
                (RDX, Argument::Blocks),
            ],
            block_words: 16,
            big_endian: true,
            none: true,
            strided: false,
            features,
        }
    }

    /// The same of rounds alone, whose blocks are so many sums W + K, as numbers.
    pub(super) fn of_rounds(words: usize, features: Features) -> Self {
        Self { block_words: words, big_endian: false, ..Self::of_emitted(features) }
    }

    /// A stitched kernel, which has a table too, and one block at least.
    pub(super) fn of_stitched(table: u64, big_endian: bool, features: Features) -> Self {
        let mut contract = Self { big_endian, none: false, ..Self::of_emitted(features) };
        contract.arguments.push((RCX, Argument::Image(table)));
        contract
    }

    /// What a function is to compute of one block.
    pub(super) fn block(&self, family: Family) -> Block {
        if self.block_words == 16 { record(family, false) } else { record_rounds(family, false) }
    }
}
