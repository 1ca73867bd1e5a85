//! Models as data: delays, instruction sets, machines and published figures. [`analyse`] counts
//! instructions, schedules them and computes bounds.
//!
//! The TOML files of this crate are built in; [`Models::from_texts`] takes others.
#![forbid(unsafe_code)]

pub mod analyse;
pub mod code;
pub mod costs;
pub mod simulate;

mod constant;
mod figures;
mod machine;
mod measured;
mod orders;
mod recorded;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use lanesum_measure::{Core, Cores, RecordError};
use serde::Deserialize;

pub use constant::{Bound, Constant, ConstantSource, ConstantValue, Cycles, Estimate, Stated};
pub use figures::{Figure, Publication, Published};
pub use machine::{Machine, MachineOperation, Units};
pub use measured::{Measured, Record};
pub use orders::{FoundOrder, Orders};

/// A model of hardware delays, in any unit.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct DelayModel {
    /// Its name.
    pub name: String,
    /// Its description.
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

/// The operations that an instruction set has as single instructions.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct InstructionSet {
    /// The name that machines refer to, and the first part of lane kernels' names.
    pub name: String,
    /// Its description.
    pub title: String,
    /// The bits of a vector register; 0 for general registers.
    pub vector_bits: u32,
    /// The number of operands of an instruction: with 2, the result overwrites one.
    pub operands: u32,
    /// The implementation of a rotation.
    pub rotate: Rotate,
    /// Whether x + y + k is one instruction (for words of 32 bits).
    pub lea: bool,
    /// Whether x ∧ ¬y is one instruction that preserves both.
    pub andn: bool,
    /// Whether any bitwise function of three words is one instruction.
    pub ternary: bool,
    /// Whether a logic instruction rotates its second operand at no cost.
    pub shifted_operand: bool,
    /// Whether loads can swap bytes.
    pub swapping_load: bool,
    /// Whether an addition can have an operand in memory.
    pub memory_operand: bool,
}

/// How an instruction set rotates by a constant.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Rotate {
    /// Overwrites its operand.
    InPlace,
    /// Writes to another register.
    Copying,
    /// No instruction: two shifts and an ∨.
    None,
    /// A shift, and a shift that inserts.
    ShiftInsert,
}

/// A scheduling model of LLVM's.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Llvm {
    /// The value of `-mcpu`.
    pub cpu: String,
    /// The core whose model LLVM uses instead, if it lacks one for this core.
    pub borrowed: Option<String>,
}

/// The operations in general registers, which every machine lists.
pub const SCALAR_OPS: [&str; 9] =
    ["add", "lea", "logic", "rotate", "shift", "mov", "load", "store", "swap"];
/// The operations in vector registers.
pub const VECTOR_OPS: [&str; 10] = [
    "vadd", "vmov", "vlogic", "vternary", "vrotate", "vshift", "vshuffle", "vunpack", "vload",
    "vstore",
];
/// The operations of SHA-NI.
pub const SHA_OPS: [&str; 7] =
    ["sha1rnds4", "sha1nexte", "sha1msg1", "sha1msg2", "sha256rnds2", "sha256msg1", "sha256msg2"];

/// A file of models that cannot be used.
#[derive(Debug)]
pub enum ModelError {
    /// The file is not valid TOML, or a field is missing or unknown.
    Syntax {
        /// The file.
        file: &'static str,
        /// The error.
        source: Box<toml::de::Error>,
    },
    /// An unknown name.
    Unknown {
        /// The kind of name: `machine`, `pool` …
        what: &'static str,
        /// The name.
        name: String,
        /// Its place.
        place: String,
        /// The valid names.
        valid: Vec<String>,
    },
    /// A number is not greater than 0.
    NotPositive {
        /// Its place.
        place: String,
    },
    /// A stated number of units is neither whole nor the reciprocal of a whole number, so it was fitted.
    NotWhole {
        /// Its place.
        place: String,
        /// The number.
        units: f64,
    },
    /// A constant differs from the record that is its source.
    NotRecorded {
        /// The machine.
        machine: String,
        /// The constant.
        constant: String,
        /// Its value.
        value: f64,
        /// The value from the record, or `None` if it has no such row.
        found: Option<f64>,
        /// The record.
        record: String,
    },
    /// The record that is a source cannot be read.
    Record(RecordError),
    /// A published figure has a wrong number of numbers.
    Count {
        /// Its name.
        name: String,
        /// The number that it has.
        found: usize,
        /// The required number.
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
            Self::NotWhole { place, units } => {
                write!(f, "{place} has {units} units by its source; no core has a part of a unit")
            }
            Self::NotRecorded { machine, constant, value, found: Some(found), record } => write!(
                f,
                "machine `{machine}`: {constant} is {value}, but {found} in its source, {record}"
            ),
            Self::NotRecorded { machine, constant, record, .. } => {
                write!(f, "machine `{machine}`: {constant} is not in its source, {record}")
            }
            Self::Record(error) => error.fmt(f),
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
            Self::Record(error) => error.source(),
            _ => None,
        }
    }
}

impl From<RecordError> for ModelError {
    fn from(error: RecordError) -> Self {
        Self::Record(error)
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
    /// Publications.
    pub texts: Vec<Publication>,
    /// Published figures of kernels.
    pub figures: Vec<Figure>,
    /// Numbers of published claims.
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
    source: Vec<NamedSource>,
    machine: Vec<machine::MachineText>,
}
#[derive(Deserialize)]
struct NamedSource {
    name: String,
    #[serde(flatten)]
    source: ConstantSource,
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
    /// The built-in files.
    pub fn built_in() -> Self {
        Self {
            delays: include_str!("../delays.toml").to_owned(),
            instruction_sets: include_str!("../instruction-sets.toml").to_owned(),
            machines: include_str!("../machines.toml").to_owned(),
            figures: include_str!("../figures.toml").to_owned(),
        }
    }
}

impl Models {
    /// Returns the built-in models.
    ///
    /// # Errors
    ///
    /// The errors of [`from_texts`](Self::from_texts); a test checks that none occurs.
    pub fn built_in() -> Result<Self, ModelError> {
        Self::from_texts(&Texts::built_in())
    }

    /// Reads and checks models.
    ///
    /// # Errors
    ///
    /// A [`ModelError`], which names the file or the place and the valid choices.
    pub fn from_texts(texts: &Texts) -> Result<Self, ModelError> {
        fn read<T: serde::de::DeserializeOwned>(
            file: &'static str,
            text: &str,
        ) -> Result<T, ModelError> {
            toml::from_str(text)
                .map_err(|source| ModelError::Syntax { file, source: Box::new(source) })
        }
        let figures = read::<figures::FigureFile>("figures.toml", &texts.figures)?;
        let MachineFile { source, machine } = read("machines.toml", &texts.machines)?;
        let sources: BTreeMap<String, Arc<ConstantSource>> =
            source.into_iter().map(|named| (named.name, named.source.into())).collect();
        let models = Self {
            delays: read::<DelayFile>("delays.toml", &texts.delays)?.delays,
            instruction_sets: read::<SetFile>("instruction-sets.toml", &texts.instruction_sets)?
                .instruction_set,
            machines: machine
                .into_iter()
                .map(|text| text.machine(&sources))
                .collect::<Result<_, _>>()?,
            texts: figures.text,
            figures: figures.figure,
            published: figures.published,
        };
        models.machines.iter().try_for_each(|machine| models.check(machine))?;
        models.check_figures()?;
        Ok(models)
    }

    /// The machines in the form that the validation of records uses.
    pub fn cores(&self) -> Cores {
        Cores::new(self.known_cores())
    }

    /// The cores of [`cores`](Self::cores), in the order of the file.
    pub fn known_cores(&self) -> impl Iterator<Item = Core> {
        self.machines.iter().map(|machine| Core {
            name: machine.name.clone(),
            title: machine.title.clone(),
            recognised_by: machine.recognised_by.clone(),
            width: machine.units.pools.get("issue").map(ConstantValue::value),
            ghz: machine.ghz,
        })
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
            if !machine.units.ops.contains_key(op) {
                let valid = machine.units.ops.keys().cloned().collect();
                return Err(unknown("unit", op, &place, valid));
            }
        }
        let pools: Vec<String> = machine.units.pools.keys().cloned().collect();
        let used = machine.units.ops.values().flat_map(|op| op.uses.keys());
        let widths = machine.units.widths.values().flat_map(|pools| pools.keys());
        for pool in used.chain(widths).chain([&"issue".to_owned()]) {
            if !pools.contains(pool) {
                return Err(unknown("pool", pool, &place, pools));
            }
        }
        let units = &machine.units;
        for (name, per_cycle) in units.pools.iter().chain(units.widths.values().flatten()) {
            // Also rejects NaN.
            if !matches!(per_cycle.value().partial_cmp(&0.0), Some(std::cmp::Ordering::Greater)) {
                return Err(ModelError::NotPositive { place: format!("{place}: pool `{name}`") });
            }
        }
        let stated = machine.stated();
        for (name, units) in stated.pools.iter().chain(stated.widths.values().flatten()) {
            let units = units.value();
            if units.fract() != 0.0 && units.recip().fract() != 0.0 {
                return Err(ModelError::NotWhole {
                    place: format!("{place}: pool `{name}`"),
                    units,
                });
            }
        }
        for (_, constant) in machine.origins() {
            if let Some(ConstantSource::Text(name)) = constant.stated().map(Stated::source)
                && self.texts.iter().all(|text| text.name != *name)
            {
                let valid = self.texts.iter().map(|text| text.name.clone()).collect();
                return Err(unknown("text", name, &place, valid));
            }
        }
        Ok(())
    }

    /// Returns the delay model called `name`.
    ///
    /// # Errors
    ///
    /// The name is unknown; the error lists the valid names.
    pub fn delay(&self, name: &str) -> Result<&DelayModel, ModelError> {
        find(&self.delays, |d| &d.name, "delay model", name)
    }

    /// Returns the instruction set called `name`.
    ///
    /// # Errors
    ///
    /// The name is unknown; the error lists the valid names.
    pub fn instruction_set(&self, name: &str) -> Result<&InstructionSet, ModelError> {
        find(&self.instruction_sets, |s| &s.name, "instruction set", name)
    }

    /// Returns the machine called `name`.
    ///
    /// # Errors
    ///
    /// The name is unknown; the error lists the valid names.
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
