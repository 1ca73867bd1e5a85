//! The options of a core, and their validation.

use std::fmt;

use lanesum_spec::{Algorithm, Family};
use serde::Deserialize;

/// The delays and areas of a technology.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Technology {
    /// The name that `--target` accepts.
    pub name: String,
    /// A description.
    pub title: String,
    /// The unit of the delays.
    pub unit: String,
    /// A: an addition of 32 bits.
    pub add: f64,
    /// C: a carry-save row.
    pub row: f64,
    /// F: Ch, Maj or Parity, including the selection among them.
    pub function: f64,
    /// S: a Σ or σ function.
    pub sigma: f64,
    /// R: the overhead of registers, multiplexers and wires on every path.
    pub overhead: f64,
    /// The delay of a 64-bit addition, as a multiple of A.
    pub wide: f64,
    /// The area of each operation.
    pub area: Areas,
    /// Measurements of cores, shown next to the predictions.
    #[serde(skip)]
    pub measured: Vec<MeasuredCore>,
}

/// Areas of operations on 32 bits.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Areas {
    /// The unit of the areas.
    pub unit: String,
    /// An addition.
    pub add: f64,
    /// A carry-save row.
    pub row: f64,
    /// Ch, Maj, Parity or a Σ function.
    pub function: f64,
    /// One bit of a register, including the multiplexer for its next value.
    pub bit: f64,
}

/// The measurement of a core or pipeline.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct MeasuredCore {
    /// The name of the technology.
    pub target: String,
    /// The algorithm.
    pub algorithm: String,
    /// Rounds per cycle.
    pub unfold: usize,
    /// Number of stages.
    #[serde(default = "one")]
    pub stages: usize,
    /// Whether the core stores the chaining value.
    #[serde(default)]
    pub chain: bool,
    /// The clock period.
    pub period: f64,
    /// The area.
    pub area: f64,
    /// Whether an older version of the core was measured, without `zeroize_i` and with registers
    /// that change without a block.
    #[serde(default)]
    pub older: bool,
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
    /// Returns the built-in technologies.
    ///
    /// # Panics
    ///
    /// Never: the data files are part of the crate, and a test parses them.
    pub fn all() -> Vec<Self> {
        let text = include_str!("../targets.toml");
        let mut all = toml::from_str::<Targets>(text).expect("the file built in is right").target;
        let text = include_str!("../measured.toml");
        let cores: Measurements = toml::from_str(text).expect("the file built in is right");
        for core in cores.measured {
            let target = all.iter_mut().find(|target| target.name == core.target);
            target.expect("a target of the file built in").measured.push(core);
        }
        all
    }

    /// Returns the technology with this name.
    ///
    /// # Errors
    ///
    /// [`RtlError::Target`], which lists the available names.
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

/// The permitted register placements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Registers {
    /// Registers only for the state and sixteen words of the schedule, two-operand adders only: the
    /// architecture of the paper.
    Paper,
    /// The paper's registers, and sums with carry-save rows.
    Rows,
    /// Wherever registers shorten the clock period: also partial sums of a round's terms, but no
    /// carry-save pairs.
    Retimed,
    /// Like `Retimed`, or with one word of the state stored in carry-save form, shifted by the next
    /// round's rotation; whichever has the shorter clock period.
    #[default]
    Free,
}

/// The place of word 0 of a block or a value in its port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WordOrder {
    /// In the lowest bits.
    #[default]
    LowFirst,
    /// In the highest bits, so that a port reads as FIPS 180-4 writes its words.
    HighFirst,
}

impl WordOrder {
    /// Words in the order of their bits, from the lowest, or back.
    pub(crate) fn arrange<T>(self, mut words: Vec<T>) -> Vec<T> {
        if self == Self::HighFirst {
            words.reverse();
        }
        words
    }
}

/// How a core stores the chaining value between the blocks of a message.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Chaining {
    /// Not at all: it enters and leaves with each block.
    Outside,
    /// In registers that are added to the state in the cycle between two blocks; see `chained.rs`.
    Turn,
    /// In a ring; see `ring.rs`.
    Ring,
}

/// The output language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// SystemVerilog.
    #[default]
    Sv,
    /// VHDL-2008.
    Vhdl,
}

/// The goal that selects the number of rounds per cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Goal {
    /// Throughput.
    #[default]
    Throughput,
    /// Throughput per area.
    PerArea,
}

/// The options of a core.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The algorithm; the initial value is supplied at `state_i`.
    pub algorithm: Algorithm,
    /// Rounds per cycle.
    pub unfold: usize,
    /// Pipeline stages; 1 for a single set of registers that is reused.
    pub stages: usize,
    /// The delays used to place registers and to order sums.
    pub technology: Technology,
    /// The permitted register placements.
    pub registers: Registers,
    /// Whether the core stores the chaining value and can continue from it with the next block.
    pub chain: bool,
    /// Number of values that the output of a pipeline buffers, at most 256. With 0, values are not
    /// held. Default: the number of blocks in the pipeline.
    pub buffer: Option<usize>,
    /// The name of the top module, and the beginning of the names of its files and other modules.
    /// Default: `sha1_core`, by the algorithm.
    pub name: Option<String>,
    /// The order of the words in the ports.
    pub word_order: WordOrder,
    /// Whether the core accepts one schedule word per clock, and has the shell `lanesum_sha2`, which
    /// makes these words of the messages of an AXI4-Stream. Then `name` is the name of the shell.
    /// There is no shell in VHDL.
    pub stream: bool,
    /// Whether a clock gate stops the registers of the datapath while none of them changes. Ignored in
    /// VHDL, where a gated clock rises a delta cycle too late.
    pub clock_gate: bool,
}

impl Options {
    /// A core with one set of registers, for the generic technology.
    pub fn new(algorithm: Algorithm, unfold: usize) -> Self {
        Self {
            algorithm,
            unfold,
            stages: 1,
            technology: Technology::named("generic").expect("built in"),
            registers: Registers::default(),
            chain: false,
            buffer: None,
            name: None,
            word_order: WordOrder::default(),
            stream: false,
            clock_gate: false,
        }
    }

    /// Whether the core stores the chaining value between the blocks of a message.
    pub(crate) fn stores_chain(&self) -> bool {
        self.chain || self.stream
    }

    /// How the core stores the chaining value.
    pub(crate) fn chaining(&self) -> Chaining {
        match (self.stores_chain(), self.unfold == 1 && self.algorithm.family() != Family::Sha1) {
            (false, _) => Chaining::Outside,
            (true, false) => Chaining::Turn,
            (true, true) => Chaining::Ring,
        }
    }

    /// Number of rounds of the algorithm.
    pub fn rounds(&self) -> usize {
        rounds(self.algorithm.family())
    }

    /// Checks that these options can be combined.
    ///
    /// # Errors
    ///
    /// [`RtlError`], which lists the valid choices.
    pub fn check(&self) -> Result<(), RtlError> {
        self.check_without_unfold()?;
        let rounds = self.rounds();
        if self.unfold == 0 || !rounds.is_multiple_of(self.unfold) {
            return Err(RtlError::Unfold { unfold: self.unfold, rounds });
        }
        if self.stream && self.unfold != 1 {
            let why = "more rounds a clock than words; choose --unfold 1";
            return Err(RtlError::Conflict("--stream", why));
        }
        let clocks = rounds / self.unfold;
        if self.stages == 0 || !clocks.is_multiple_of(self.stages) {
            return Err(RtlError::Stages { stages: self.stages, clocks });
        }
        if self.chain && clocks == 1 {
            let why = "all rounds in one clock: there is no idle one to save";
            return Err(RtlError::Conflict("--chain", why));
        }
        Ok(())
    }

    /// Checks that these options work with some number of rounds per cycle.
    pub(crate) fn check_for_any_unfold(&self) -> Result<(), RtlError> {
        self.check_without_unfold()?;
        let rounds = self.rounds();
        if self.stages == 0 || !rounds.is_multiple_of(self.stages) {
            return Err(RtlError::AnyStages { stages: self.stages, rounds });
        }
        Ok(())
    }

    /// Checks everything that does not depend on the rounds per cycle. This comes first, because
    /// the user may not have chosen those.
    fn check_without_unfold(&self) -> Result<(), RtlError> {
        if !self.algorithm.family().is_fips() {
            return Err(RtlError::Algorithm(self.algorithm));
        }
        if let Some(name) = self.name.as_ref().filter(|name| !is_identifier(name)) {
            return Err(RtlError::Name(name.clone()));
        }
        if self.buffer.is_some() && self.stages == 1 {
            return Err(RtlError::Conflict("--buffer", "--stages 1, whose value is held anyway"));
        }
        if let Some(values) = self.buffer.filter(|values| *values > MOST_WAITING) {
            return Err(RtlError::Buffer { values });
        }
        if self.clock_gate && self.stages > 1 {
            let why = "a pipeline, whose clock has no proof of its gate";
            return Err(RtlError::Conflict("--clock-gate", why));
        }
        if self.stream {
            let no = |why| Err(RtlError::Conflict("--stream", why));
            if self.algorithm.family() == Family::Sha1 {
                return no("sha1; its shell is for SHA-2");
            }
            if self.chain {
                return no("--chain, which is for whole blocks");
            }
            if self.stages > 1 {
                return no("a pipeline, whose blocks are of different messages");
            }
            if self.registers != Registers::Free {
                return no("--registers, which are placed in one way only");
            }
            if self.word_order != WordOrder::HighFirst {
                return no("--word-order low-first; a stream begins with the first byte of a word");
            }
        }
        if self.chain {
            let no = |why| Err(RtlError::Conflict("--chain", why));
            if self.stages > 1 {
                return no("a pipeline, whose blocks are of different messages");
            }
            if matches!(self.registers, Registers::Paper | Registers::Rows) {
                return no("--registers paper or rows, which have a clock to load a block");
            }
        }
        Ok(())
    }
}

/// The maximum size of the output buffer. It exceeds the number of blocks in the longest pipeline,
/// and a larger buffer would take more area than the stages.
const MOST_WAITING: usize = 256;

/// Whether `name` is an identifier of both languages. Words of letters only may be reserved in one of
/// them, so it must contain a digit or an underscore.
fn is_identifier(name: &str) -> bool {
    let mut parts = name.split('_');
    let lower = |part: &str| part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && parts.all(|part| !part.is_empty() && lower(part))
        && name.contains(|c: char| c == '_' || c.is_ascii_digit())
        && !RESERVED.contains(&name)
}

/// The reserved words of SystemVerilog with a digit or an underscore. No such word is reserved in VHDL.
const RESERVED: [&str; 38] = [
    "accept_on",
    "always_comb",
    "always_ff",
    "always_latch",
    "bufif0",
    "bufif1",
    "first_match",
    "highz0",
    "highz1",
    "notif0",
    "notif1",
    "pull0",
    "pull1",
    "pulsestyle_ondetect",
    "pulsestyle_onevent",
    "reject_on",
    "rtranif0",
    "rtranif1",
    "s_always",
    "s_eventually",
    "s_nexttime",
    "s_until",
    "s_until_with",
    "strong0",
    "strong1",
    "supply0",
    "supply1",
    "sync_accept_on",
    "sync_reject_on",
    "tranif0",
    "tranif1",
    "tri0",
    "tri1",
    "unique0",
    "until_with",
    "wait_order",
    "weak0",
    "weak1",
];

fn rounds(family: Family) -> usize {
    if family == Family::Sha256 { 64 } else { 80 }
}

/// Invalid options.
#[derive(Clone, Debug, PartialEq)]
pub enum RtlError {
    /// Not an algorithm of FIPS 180-4.
    Algorithm(Algorithm),
    /// The number of rounds is not a multiple of the rounds per cycle.
    Unfold {
        /// The requested rounds per cycle.
        unfold: usize,
        /// The number of rounds.
        rounds: usize,
    },
    /// The number of cycles is not a multiple of the stages.
    Stages {
        /// The requested stages.
        stages: usize,
        /// Cycles for the rounds of a block.
        clocks: usize,
    },
    /// No number of rounds per cycle results in a multiple of the stages.
    AnyStages {
        /// The requested stages.
        stages: usize,
        /// The number of rounds.
        rounds: usize,
    },
    /// The requested buffer exceeds the maximum.
    Buffer {
        /// The requested number of values.
        values: usize,
    },
    /// The requested name is not an identifier of both languages.
    Name(String),
    /// Unknown target.
    Target(String),
    /// An option that conflicts with another property of the core: the option, and the reason.
    Conflict(&'static str, &'static str),
    /// No known register placement works.
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
            Self::Name(name) => write!(
                f,
                "--name {name} is not a module name; use lower-case letters, digits and single \
                 underscores, first a letter, with a digit or an underscore: sha256_u1"
            ),
            Self::Target(name) => {
                let names: Vec<String> = Technology::all().into_iter().map(|t| t.name).collect();
                write!(f, "unknown target `{name}`; there are {}", names.join(", "))
            }
            Self::Conflict(option, why) => write!(f, "{option} does not go with {why}"),
            Self::Placement => f.write_str("no placement of registers is known for this core"),
        }
    }
}

impl std::error::Error for RtlError {}
