//! The targets of kernels.

use lanesum_spec::Family;

use super::instruction::Register;
use super::shape::WordSource;

/// The instruction set of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Isa {
    /// The baseline of x86-64. Only the Linux module has its kernels: SSE2 is faster for the engine.
    X86_64,
    /// With BMI1 and BMI2: `andn` and `rorx`.
    Bmi2,
    /// The baseline of 32-bit x86.
    I686,
}

impl Isa {
    /// Every value.
    pub const ALL: [Self; 3] = [Self::X86_64, Self::Bmi2, Self::I686];

    /// The name, in file names and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::X86_64 => "x86_64",
            Self::Bmi2 => "bmi2",
            Self::I686 => "i686",
        }
    }

    /// The width of its general registers.
    pub fn bits(self) -> u32 {
        if self == Self::I686 { 32 } else { 64 }
    }

    /// The callee-saved registers, in the order in which they are saved.
    pub fn saved(self) -> &'static [Register] {
        match self {
            Self::I686 => &[Register(3), Register(5), Register(6), Register(7)],
            _ => {
                &[Register(3), Register(5), Register(12), Register(13), Register(14), Register(15)]
            }
        }
    }
}

/// A target: a compression function, the source of its words, and an instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Target {
    /// The compression function.
    pub family: Family,
    /// The source of the words.
    pub words: WordSource,
    /// The instruction set.
    pub isa: Isa,
}

impl Target {
    /// Every target.
    pub fn all() -> impl Iterator<Item = Self> {
        [Family::Sha1, Family::Sha256, Family::Sha512].into_iter().flat_map(|family| {
            [WordSource::Expanded, WordSource::Block].into_iter().flat_map(move |words| {
                Isa::ALL.into_iter().map(move |isa| Self { family, words, isa })
            })
        })
    }

    /// The targets with a schedule for an instruction set.
    pub fn whole(isa: Isa) -> impl Iterator<Item = Self> {
        Self::all().filter(move |target| target.isa == isa && target.words == WordSource::Block)
    }

    /// The name: `sha512_rounds_bmi2`, or `sha512_bmi2` for one with its schedule.
    pub fn name(self) -> String {
        let family = self.family.name();
        match self.words {
            WordSource::Expanded => format!("{family}_rounds_{}", self.isa.name()),
            WordSource::Block => format!("{family}_{}", self.isa.name()),
        }
    }

    /// The target called `name`.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|target| target.name() == name)
    }

    /// Whether the fewest instructions are best, instead of the shortest chain: if each rotation also needs
    /// a copy, instruction count is the bottleneck of SHA-2.
    pub fn wants_fewest(self) -> bool {
        match self.isa {
            Isa::X86_64 => self.family != Family::Sha1,
            Isa::I686 => true,
            Isa::Bmi2 => false,
        }
    }

    /// Bytes per word.
    pub fn word_len(self) -> i64 {
        i64::from(self.family.word_bits() / 8)
    }

    /// Bytes by which the second argument advances per block.
    pub fn block_len(self) -> i64 {
        match self.words {
            WordSource::Block => 16 * self.word_len(),
            WordSource::Expanded => rounds(self.family) * self.word_len(),
        }
    }
}

pub(super) fn rounds(family: Family) -> i64 {
    if family == Family::Sha256 { 64 } else { 80 }
}
