//! Models as data: delays, instruction sets, machines, and the figures of others.
//!
//! The files under `models/` are built in; [`Models::from_texts`] takes others.

mod figures;
mod measured;
mod orders;

use std::collections::BTreeMap;
use std::fmt;

use lanesum_measure::{Core, Cores};
use serde::Deserialize;

pub use figures::{Figure, Publication, Published};
pub use measured::{Measured, Record};
pub use orders::{FoundOrder, Orders};

/// A model of hardware delays, in any unit.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct DelayModel {
    /// The name by which it is chosen.
    pub name: String,
    /// What it stands for.
    pub title: String,
    /// An addition, A.
    pub add: f64,
    /// Ch, Maj or Parity, F.
    pub function: f64,
    /// Σ or σ, S.
    pub sigma: f64,
    /// ∧, ∨, ⊕ or ¬ of words.
    pub logic: f64,
    /// A rotation or shift by a constant.
    pub rotate: f64,
}

/// What an instruction set can do in one instruction.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct InstructionSet {
    /// The name by which machines refer to it, and the first part of a lane kernel's.
    pub name: String,
    /// What it is.
    pub title: String,
    /// The bits of a vector register; 0 for general registers.
    pub vector_bits: u32,
    /// The operands of an instruction: with 2 the result takes the place of one.
    pub operands: u32,
    /// How a rotation is done.
    pub rotate: Rotate,
    /// Whether x + y + k is one instruction (for words of 32 bits).
    pub lea: bool,
    /// Whether x ∧ ¬y is one instruction that keeps both.
    pub andn: bool,
    /// Whether any bitwise function of three words is one instruction.
    pub ternary: bool,
    /// Whether a logic instruction rotates its second operand for nothing.
    pub shifted_operand: bool,
    /// Whether the byte order is turned by the load itself.
    pub swapping_load: bool,
    /// Whether an addition takes one of its operands from memory.
    pub memory_operand: bool,
}

/// How an instruction set rotates by a constant.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Rotate {
    /// In the place of its operand.
    InPlace,
    /// Into another register.
    Copying,
    /// Not at all: two shifts and an ∨.
    None,
    /// A shift, and a shift that inserts.
    ShiftInsert,
}

/// One operation of a machine: its latency in cycles, and for how many cycles it
/// takes a unit of each pool.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Unit {
    /// In cycles.
    pub latency: f64,
    /// From each operand in turn, the one that is written over first, where that has been
    /// measured; `latency` is then the longest.
    #[serde(default)]
    pub from: Vec<f64>,
    /// Cycles of each pool.
    #[serde(flatten)]
    pub pools: BTreeMap<String, f64>,
}

/// A scheduling model of LLVM's.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Llvm {
    /// What `-mcpu` takes.
    pub cpu: String,
    /// The core whose model LLVM takes in place of one of its own.
    pub borrowed: Option<String>,
}

/// A processor.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// The name by which it is chosen.
    pub name: String,
    /// What it is.
    pub title: String,
    /// Where its figures come from.
    pub basis: String,
    /// Where they can be looked up.
    #[serde(default)]
    pub sources: Vec<String>,
    /// Whether some of them were written down from memory, and not compared with a source.
    #[serde(default)]
    pub remembered: bool,
    /// The instruction set of its general registers.
    pub scalar: String,
    /// The bits of its general registers: words wider than that take no part.
    pub scalar_bits: u32,
    /// Those of its vector registers.
    pub vectors: Vec<String>,
    /// LLVM's model of it.
    #[serde(default)]
    pub llvm: Option<Llvm>,
    /// What the head of a record says of such a machine, all of it; a record whose
    /// directory's name begins with the model's is of it too.
    #[serde(default)]
    pub recognised_by: Vec<String>,
    /// The lowest and the highest clock that it runs at, in GHz.
    #[serde(default)]
    pub ghz: Option<[f64; 2]>,
    /// How well chain and pools overlap: a prediction is their norm of this
    /// exponent. Greater is better; a bound is what it comes to without end.
    #[serde(default = "overlap")]
    pub overlap: f64,
    /// Instructions that wait for their operands at most: the entries of its schedulers.
    #[serde(default = "window")]
    pub window: usize,
    /// Whether an instruction is bound to its ALU when it is fetched, before anybody knows
    /// which will be free.
    #[serde(default)]
    pub bound: bool,
    /// Whether it has SHA-NI.
    #[serde(default)]
    pub sha: bool,
    /// The units of each pool: operations a cycle. `issue` counts every instruction.
    pub pools: BTreeMap<String, f64>,
    /// The pools that differ for vectors of so many bits.
    #[serde(default)]
    pub widths: BTreeMap<String, BTreeMap<String, f64>>,
    /// The operations.
    pub ops: BTreeMap<String, Unit>,
}

/// Where nothing was fitted (`lanesum-graph fit`): somewhat more than what Zen 5 has.
fn overlap() -> f64 {
    3.0
}

/// Where nothing is known: enough that issue and units bind first.
fn window() -> usize {
    96
}

/// The operations of general registers that every machine names.
pub const SCALAR_OPS: [&str; 9] =
    ["add", "lea", "logic", "rotate", "shift", "mov", "load", "store", "swap"];
/// Those of vector registers.
pub const VECTOR_OPS: [&str; 10] = [
    "vadd", "vmov", "vlogic", "vternary", "vrotate", "vshift", "vshuffle", "vunpack", "vload",
    "vstore",
];
/// SHA-NI's.
pub const SHA_OPS: [&str; 7] =
    ["sha1rnds4", "sha1nexte", "sha1msg1", "sha1msg2", "sha256rnds2", "sha256msg1", "sha256msg2"];

/// A file of models that cannot be used.
#[derive(Debug)]
pub enum ModelError {
    /// It is no TOML, or a field is missing or unknown.
    Syntax {
        /// Which file.
        file: &'static str,
        /// What is wrong with it.
        source: Box<toml::de::Error>,
    },
    /// A name is not among those there are.
    Unknown {
        /// What was looked for: `machine`, `pool` …
        what: &'static str,
        /// The name.
        name: String,
        /// Where it stands.
        place: String,
        /// The names there are.
        valid: Vec<String>,
    },
    /// A number is not greater than 0.
    NotPositive {
        /// Where it stands.
        place: String,
    },
    /// A published figure has more numbers than are wanted, or fewer.
    Count {
        /// Its name.
        name: String,
        /// How many it has.
        found: usize,
        /// How many are wanted.
        wanted: usize,
    },
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax { file, .. } => write!(f, "cannot read models from {file}"),
            Self::Unknown { what, name, place, valid } => {
                write!(f, "{place} has no {what} `{name}`; there are {}", valid.join(", "))
            }
            Self::NotPositive { place } => write!(f, "{place} is not greater than 0"),
            Self::Count { name, found, wanted } => {
                write!(f, "published figure `{name}` has {found} numbers, not {wanted}")
            }
        }
    }
}

impl std::error::Error for ModelError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Syntax { source, .. } => Some(&**source),
            _ => None,
        }
    }
}

/// Every model.
#[derive(Clone, Debug, PartialEq)]
pub struct Models {
    /// Hardware delays.
    pub delays: Vec<DelayModel>,
    /// Instruction sets.
    pub instruction_sets: Vec<InstructionSet>,
    /// Machines.
    pub machines: Vec<Machine>,
    /// Texts in which others published.
    pub texts: Vec<Publication>,
    /// Figures of others for their kernels.
    pub figures: Vec<Figure>,
    /// Numbers that others claim.
    pub published: Vec<Published>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DelayFile {
    delays: Vec<DelayModel>,
}
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SetFile {
    instruction_set: Vec<InstructionSet>,
}
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MachineFile {
    machine: Vec<Machine>,
}

/// The text of each file of models.
#[derive(Clone, Debug)]
pub struct Texts {
    /// `delays.toml`.
    pub delays: String,
    /// `instruction-sets.toml`.
    pub instruction_sets: String,
    /// `machines.toml`.
    pub machines: String,
    /// `figures.toml`.
    pub figures: String,
}

impl Texts {
    /// The files that are built in.
    pub fn built_in() -> Self {
        Self {
            delays: include_str!("../../models/delays.toml").to_owned(),
            instruction_sets: include_str!("../../models/instruction-sets.toml").to_owned(),
            machines: include_str!("../../models/machines.toml").to_owned(),
            figures: include_str!("../../models/figures.toml").to_owned(),
        }
    }
}

impl Models {
    /// The models that are built in.
    ///
    /// # Errors
    ///
    /// As [`from_texts`](Self::from_texts); a test keeps them free of it.
    pub fn built_in() -> Result<Self, ModelError> {
        Self::from_texts(&Texts::built_in())
    }

    /// Reads and checks models.
    ///
    /// # Errors
    ///
    /// [`ModelError`], which names the file or the place and the valid choices.
    pub fn from_texts(texts: &Texts) -> Result<Self, ModelError> {
        fn read<T: serde::de::DeserializeOwned>(
            file: &'static str,
            text: &str,
        ) -> Result<T, ModelError> {
            toml::from_str(text)
                .map_err(|source| ModelError::Syntax { file, source: Box::new(source) })
        }
        let figures = read::<figures::FigureFile>("figures.toml", &texts.figures)?;
        let models = Self {
            delays: read::<DelayFile>("delays.toml", &texts.delays)?.delays,
            instruction_sets: read::<SetFile>("instruction-sets.toml", &texts.instruction_sets)?
                .instruction_set,
            machines: read::<MachineFile>("machines.toml", &texts.machines)?.machine,
            texts: figures.text,
            figures: figures.figure,
            published: figures.published,
        };
        models.machines.iter().try_for_each(|machine| models.check(machine))?;
        models.check_figures()?;
        Ok(models)
    }

    /// The machines as those who judge records know them.
    pub fn cores(&self) -> Cores {
        Cores::new(self.machines.iter().map(|machine| Core {
            name: machine.name.clone(),
            title: machine.title.clone(),
            recognised_by: machine.recognised_by.clone(),
            width: machine.pools.get("issue").copied(),
            ghz: machine.ghz,
        }))
    }

    fn check(&self, machine: &Machine) -> Result<(), ModelError> {
        let place = format!("machine `{}`", machine.name);
        for set in machine.vectors.iter().chain([&machine.scalar]) {
            self.instruction_set(set)?;
        }
        let mut needed: Vec<&str> = SCALAR_OPS.to_vec();
        for set in &machine.vectors {
            let set = self.instruction_set(set)?;
            needed.extend(VECTOR_OPS.iter().filter(|&&op| match op {
                "vternary" => set.ternary,
                "vrotate" => matches!(set.rotate, Rotate::InPlace | Rotate::Copying),
                _ => true,
            }));
        }
        if machine.sha {
            needed.extend(SHA_OPS);
        }
        for op in needed {
            if !machine.ops.contains_key(op) {
                let valid = machine.ops.keys().cloned().collect();
                return Err(unknown("unit", op, &place, valid));
            }
        }
        let pools: Vec<String> = machine.pools.keys().cloned().collect();
        let used = machine.ops.values().flat_map(|unit| unit.pools.keys());
        let widths = machine.widths.values().flat_map(|pools| pools.keys());
        for pool in used.chain(widths).chain([&"issue".to_owned()]) {
            if !pools.contains(pool) {
                return Err(unknown("pool", pool, &place, pools));
            }
        }
        for (name, &per_cycle) in &machine.pools {
            // A NaN is no number of units either.
            if !matches!(per_cycle.partial_cmp(&0.0), Some(std::cmp::Ordering::Greater)) {
                return Err(ModelError::NotPositive { place: format!("{place}: pool `{name}`") });
            }
        }
        Ok(())
    }

    /// The delay model of that name.
    ///
    /// # Errors
    ///
    /// When there is none, with the names there are.
    pub fn delay(&self, name: &str) -> Result<&DelayModel, ModelError> {
        find(&self.delays, |d| &d.name, "delay model", name)
    }

    /// The instruction set of that name.
    ///
    /// # Errors
    ///
    /// When there is none, with the names there are.
    pub fn instruction_set(&self, name: &str) -> Result<&InstructionSet, ModelError> {
        find(&self.instruction_sets, |s| &s.name, "instruction set", name)
    }

    /// The machine of that name.
    ///
    /// # Errors
    ///
    /// When there is none, with the names there are.
    pub fn machine(&self, name: &str) -> Result<&Machine, ModelError> {
        find(&self.machines, |m| &m.name, "machine", name)
    }
}

fn find<'a, T>(
    list: &'a [T],
    key: impl Fn(&T) -> &String,
    what: &'static str,
    name: &str,
) -> Result<&'a T, ModelError> {
    list.iter().find(|item| key(item) == name).ok_or_else(|| {
        unknown(what, name, "the model file", list.iter().map(|item| key(item).clone()).collect())
    })
}

fn unknown(what: &'static str, name: &str, place: &str, valid: Vec<String>) -> ModelError {
    ModelError::Unknown { what, name: name.to_owned(), place: place.to_owned(), valid }
}

impl Machine {
    /// The units of `pool` for vectors of `bits` bits (0: general registers).
    pub fn pool(&self, pool: &str, bits: u32) -> f64 {
        let wide = self.widths.get(&bits.to_string()).and_then(|pools| pools.get(pool));
        *wide.or_else(|| self.pools.get(pool)).expect("checked when read")
    }

    /// The latency of `op`, in cycles.
    pub fn latency(&self, op: &str) -> f64 {
        self.ops[op].latency
    }

    /// The latency of `op` from one of its operands, in cycles.
    pub fn latency_from(&self, op: &str, operand: usize) -> f64 {
        let unit = &self.ops[op];
        unit.from.get(operand).copied().unwrap_or(unit.latency)
    }
}
