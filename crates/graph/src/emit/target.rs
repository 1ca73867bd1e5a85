//! Which kernels there are.

use lanesum_spec::Family;

use super::instruction::Register;
use super::shape::WordSource;

/// The instructions that a kernel may be made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Isa {
    /// What every x86-64 has.
    X86_64,
    /// BMI1 and BMI2 too: `andn` and `rorx`.
    Bmi2,
    /// What every x86 of 32 bits has.
    I686,
}

impl Isa {
    /// Every one.
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

    /// The registers that a function gives back as it found them, in the order in
    /// which they are saved.
    pub fn saved(self) -> &'static [Register] {
        match self {
            Self::I686 => &[Register(3), Register(5), Register(6), Register(7)],
            _ => {
                &[Register(3), Register(5), Register(12), Register(13), Register(14), Register(15)]
            }
        }
    }
}

/// Which kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Target {
    /// The compression function.
    pub family: Family,
    /// Where the words come from.
    pub words: WordSource,
    /// What it is made of.
    pub isa: Isa,
}

impl Target {
    /// Every kernel there is.
    pub fn all() -> impl Iterator<Item = Self> {
        [Family::Sha1, Family::Sha256, Family::Sha512].into_iter().flat_map(|family| {
            [WordSource::Expanded, WordSource::Block].into_iter().flat_map(move |words| {
                Isa::ALL.into_iter().map(move |isa| Self { family, words, isa })
            })
        })
    }

    /// The name: `sha512_rounds_bmi2`, or `sha512_bmi2` for one with its schedule.
    pub fn name(self) -> String {
        let family = self.family.name();
        match self.words {
            WordSource::Expanded => format!("{family}_rounds_{}", self.isa.name()),
            WordSource::Block => format!("{family}_{}", self.isa.name()),
        }
    }

    /// The kernel of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|target| target.name() == name)
    }

    /// Whether the fewest instructions are wanted, not the shortest chain: where each rotation takes
    /// a copy too, cores wait for the instructions of SHA-2.
    pub fn wants_fewest(self) -> bool {
        match self.isa {
            Isa::X86_64 => self.family != Family::Sha1,
            Isa::I686 => true,
            Isa::Bmi2 => false,
        }
    }

    /// Bytes of a word.
    pub fn word_len(self) -> i64 {
        i64::from(self.family.word_bits() / 8)
    }

    /// Bytes by which the second argument goes on with each block.
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
