//! What can be asked of a core, and what cannot.

use std::fmt;

use lanesum_spec::{Algorithm, Family};
use serde::Deserialize;

/// The delays of a technology, in a unit of its own.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Technology {
    /// The name that `--target` takes.
    pub name: String,
    /// What it is.
    pub title: String,
    /// The unit of the delays.
    pub unit: String,
    /// A: an addition of 32 bits.
    pub add: f64,
    /// C: a carry-save row.
    pub row: f64,
    /// F: Ch, Maj or Parity, with the choice among them.
    pub function: f64,
    /// Σ or σ.
    pub sigma: f64,
    /// R: what registers, selections and wires add to every path.
    pub overhead: f64,
    /// A 64-bit addition takes so many times A.
    pub wide: f64,
    /// What takes how much room.
    pub area: Areas,
    /// What was measured of cores, beside which predictions are shown.
    #[serde(skip)]
    pub measured: Vec<MeasuredCore>,
}

/// Areas of operations on 32 bits, in a unit of the technology.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Areas {
    /// The unit.
    pub unit: String,
    /// An addition.
    pub add: f64,
    /// A carry-save row.
    pub row: f64,
    /// One of Ch, Maj and Parity, or a Σ.
    pub function: f64,
    /// A bit of a register, with what selects its next value.
    pub bit: f64,
}

/// What was measured of a core of one set of registers, or of a pipeline.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct MeasuredCore {
    /// The name of the technology.
    pub target: String,
    /// The algorithm.
    pub algorithm: String,
    /// Rounds a clock.
    pub unfold: usize,
    /// Stages.
    #[serde(default = "one")]
    pub stages: usize,
    /// Whether it keeps the chaining value.
    #[serde(default)]
    pub chain: bool,
    /// The clock's period.
    pub period: f64,
    /// The area.
    pub area: f64,
}

fn one() -> usize {
    1
}

#[derive(Deserialize)]
struct Targets {
    target: Vec<Technology>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Measurements {
    #[serde(default)]
    measured: Vec<MeasuredCore>,
}

impl Technology {
    /// The technologies built in.
    ///
    /// # Panics
    ///
    /// Never: the files are part of the crate, and a test reads them.
    pub fn all() -> Vec<Self> {
        let text = include_str!("../../models/targets.toml");
        let mut all = toml::from_str::<Targets>(text).expect("the file built in is right").target;
        let text = include_str!("../../models/measured.toml");
        let cores: Measurements = toml::from_str(text).expect("the file built in is right");
        for core in cores.measured {
            let target = all.iter_mut().find(|target| target.name == core.target);
            target.expect("a target of the file built in").measured.push(core);
        }
        all
    }

    /// The technology of that name.
    ///
    /// # Errors
    ///
    /// [`RtlError::Target`], which names those there are.
    pub fn named(name: &str) -> Result<Self, RtlError> {
        let found = Self::all().into_iter().find(|t| t.name == name);
        found.ok_or_else(|| RtlError::Target(name.to_owned()))
    }

    /// The delays for words of `width` bits.
    pub(crate) fn for_width(&self, width: u32) -> Self {
        let wide = if width == 64 { self.wide } else { 1.0 };
        Self { add: self.add * wide, ..self.clone() }
    }
}

/// Where registers go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Registers {
    /// For the state and sixteen words of the schedule alone, sums of two operands:
    /// the architecture of the paper.
    Paper,
    /// The paper's registers, sums with carry-save rows.
    Rows,
    /// Wherever they shorten the clock, whole sums of the rounds' terms.
    Retimed,
    /// The same, or with the newest word of the state but one kept in carry-save form,
    /// shifted by the next round's rotation: whichever has the shorter clock.
    #[default]
    Free,
}

/// How much of the message schedule is in registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Schedule {
    /// Sixteen words, a window that slides.
    #[default]
    Window,
    /// All words of a block.
    Whole,
}

/// The language a core is printed in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// SystemVerilog.
    #[default]
    Sv,
    /// VHDL-2008.
    Vhdl,
}

/// What the number of rounds a clock is chosen for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Goal {
    /// Throughput.
    #[default]
    Throughput,
    /// Throughput for the area it takes.
    PerArea,
}

/// What is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The algorithm; its IV goes in at `state_i`.
    pub algorithm: Algorithm,
    /// Rounds a clock.
    pub unfold: usize,
    /// Stages of a pipeline; 1 for one set of registers, used again and again.
    pub stages: usize,
    /// The delays by which sums and registers are placed.
    pub technology: Technology,
    /// Where registers may go.
    pub registers: Registers,
    /// How much of the message schedule is in registers.
    pub schedule: Schedule,
    /// Whether the core keeps the chaining value, and can go on with it from block to block.
    pub chain: bool,
    /// Values that can wait at the end of a pipeline; as many as there are blocks
    /// in it unless told, 256 at most, and with 0 they do not wait.
    pub buffer: Option<usize>,
}

impl Options {
    /// A core of one set of registers for no technology in particular.
    pub fn new(algorithm: Algorithm, unfold: usize) -> Self {
        Self {
            algorithm,
            unfold,
            stages: 1,
            technology: Technology::named("generic").expect("built in"),
            registers: Registers::default(),
            schedule: Schedule::default(),
            chain: false,
            buffer: None,
        }
    }

    /// Rounds of the algorithm.
    pub fn rounds(&self) -> usize {
        rounds(self.algorithm.family())
    }

    /// The schedule that has `words` words in registers.
    ///
    /// # Errors
    ///
    /// [`RtlError::Schedule`], with those there are.
    pub fn schedule_of(&self, words: usize) -> Result<Schedule, RtlError> {
        match words {
            16 => Ok(Schedule::Window),
            words if words == self.rounds() => Ok(Schedule::Whole),
            words => Err(RtlError::Schedule { words, rounds: self.rounds() }),
        }
    }

    /// Whether there can be such a core.
    ///
    /// # Errors
    ///
    /// [`RtlError`], with the choices there are.
    pub fn check(&self) -> Result<(), RtlError> {
        self.check_without_unfold()?;
        let rounds = self.rounds();
        if self.unfold == 0 || !rounds.is_multiple_of(self.unfold) {
            return Err(RtlError::Unfold { unfold: self.unfold, rounds });
        }
        let clocks = rounds / self.unfold;
        if self.stages == 0 || !clocks.is_multiple_of(self.stages) {
            return Err(RtlError::Stages { stages: self.stages, clocks });
        }
        if self.chain && clocks == 1 {
            let why = "all rounds in one clock: there is no idle one to save";
            return Err(RtlError::Whole("--chain", why));
        }
        if self.schedule == Schedule::Whole && self.unfold > 16 {
            let why = "more than 16 rounds a clock, whose words would come too late";
            return Err(RtlError::Whole(self.whole_schedule(), why));
        }
        Ok(())
    }

    /// Whether there can be such a core of some number of rounds a clock.
    pub(crate) fn check_for_any_unfold(&self) -> Result<(), RtlError> {
        self.check_without_unfold()?;
        let rounds = self.rounds();
        if self.stages == 0 || !rounds.is_multiple_of(self.stages) {
            return Err(RtlError::AnyStages { stages: self.stages, rounds });
        }
        Ok(())
    }

    /// What is wrong whatever the rounds a clock are: told first, since nobody need have
    /// asked for those.
    fn check_without_unfold(&self) -> Result<(), RtlError> {
        if !self.algorithm.family().is_fips() {
            return Err(RtlError::Algorithm(self.algorithm));
        }
        if self.buffer.is_some() && self.stages == 1 {
            return Err(RtlError::Whole("--buffer", "--stages 1, whose value is held anyway"));
        }
        if let Some(values) = self.buffer.filter(|values| *values > MOST_WAITING) {
            return Err(RtlError::Buffer { values });
        }
        if self.schedule == Schedule::Whole && self.stages > 1 {
            let why = "a pipeline, whose stages hand words on";
            return Err(RtlError::Whole(self.whole_schedule(), why));
        }
        if self.chain {
            let no = |why| Err(RtlError::Whole("--chain", why));
            if self.stages > 1 {
                return no("a pipeline, whose blocks are of different messages");
            }
            if self.schedule == Schedule::Whole {
                return no("a schedule that is whole, of which a block's last words are read late");
            }
            if matches!(self.registers, Registers::Paper | Registers::Rows) {
                return no("--registers paper or rows, which have a clock to load a block");
            }
        }
        Ok(())
    }

    /// How a whole schedule is asked for.
    fn whole_schedule(&self) -> &'static str {
        if self.rounds() == 64 { "--schedule 64" } else { "--schedule 80" }
    }
}

/// Values that can wait at most: more than there are blocks in the longest pipeline, and
/// registers for more would outgrow its stages.
const MOST_WAITING: usize = 256;

fn rounds(family: Family) -> usize {
    if family == Family::Sha256 { 64 } else { 80 }
}

/// A core that cannot be.
#[derive(Clone, Debug, PartialEq)]
pub enum RtlError {
    /// FIPS 180-4 has no such algorithm.
    Algorithm(Algorithm),
    /// The rounds are not a multiple of the unfolding.
    Unfold {
        /// What was asked.
        unfold: usize,
        /// The rounds.
        rounds: usize,
    },
    /// The clocks are not a multiple of the stages.
    Stages {
        /// What was asked.
        stages: usize,
        /// The clocks of a block's rounds.
        clocks: usize,
    },
    /// The stages divide the clocks of no number of rounds a clock.
    AnyStages {
        /// What was asked.
        stages: usize,
        /// The rounds.
        rounds: usize,
    },
    /// More values are to wait than can.
    Buffer {
        /// What was asked.
        values: usize,
    },
    /// No schedule has so many words in registers.
    Schedule {
        /// What was asked.
        words: usize,
        /// The rounds, and words of the schedule.
        rounds: usize,
    },
    /// There is no such target.
    Target(String),
    /// An option that makes no sense for this core.
    Whole(&'static str, &'static str),
    /// No placement of registers is known that works.
    Placement,
}

fn divisors(n: usize) -> String {
    let all = (1..=n).filter(|d| n.is_multiple_of(*d)).map(|d| d.to_string());
    all.collect::<Vec<_>>().join(", ")
}

impl fmt::Display for RtlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Algorithm(algorithm) => {
                write!(f, "no hardware for {algorithm}; there is for sha1 and the SHA-2 functions")
            }
            Self::Unfold { unfold, rounds } => {
                let valid = divisors(*rounds);
                write!(f, "{unfold} rounds a clock do not divide {rounds}; choose among {valid}")
            }
            Self::Stages { stages, clocks } => {
                let valid = divisors(*clocks);
                write!(f, "{stages} stages do not divide {clocks} clocks; choose among {valid}")
            }
            Self::AnyStages { stages, rounds } => {
                let valid = divisors(*rounds);
                write!(f, "{stages} stages do not divide {rounds} rounds; choose among {valid}")
            }
            Self::Buffer { values } => {
                write!(f, "--buffer {values} is too many values; choose from 0 to {MOST_WAITING}")
            }
            Self::Schedule { words, rounds } => {
                write!(f, "no schedule keeps {words} words; choose between 16 and {rounds}")
            }
            Self::Target(name) => {
                let names: Vec<String> = Technology::all().into_iter().map(|t| t.name).collect();
                write!(f, "unknown target `{name}`; there are {}", names.join(", "))
            }
            Self::Whole(option, why) => write!(f, "{option} does not go with {why}"),
            Self::Placement => f.write_str("no placement of registers is known for this core"),
        }
    }
}

impl std::error::Error for RtlError {}
