//! Executed machine code as operations of the machines' models.

use crate::constant::ConstantValue;
use crate::machine::Units;
use crate::simulate::{MicroOp, MicroProgram, Queue};

/// When an operation needs the result of an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandUse {
    /// At its start.
    AtStart,
    /// As its operand of this index, which may have a shorter latency than others.
    Operand(usize),
    /// To be forwarded: an earlier store to the address from which it loads.
    Stored,
}

/// An operation of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeOp {
    /// Its name in the machines' models.
    pub name: &'static str,
    /// The bits of the registers or of the memory that it accesses (0: general registers).
    pub bits: u32,
    /// Whether it copies a register, which register renaming may do.
    pub is_copy: bool,
    /// The earlier operations whose results it needs.
    pub after: Vec<(usize, OperandUse)>,
}

/// A sequence of instructions, each of any number of operations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CodeTrace {
    instructions: Vec<Vec<CodeOp>>,
    operations: usize,
}

impl CodeTrace {
    /// Appends an instruction. Its operations may depend on each other.
    pub fn push(&mut self, operations: Vec<CodeOp>) {
        self.operations += operations.len();
        self.instructions.push(operations);
    }

    /// The number of operations so far, which is the index of the next one.
    pub fn operations(&self) -> usize {
        self.operations
    }

    /// The instructions.
    pub fn instructions(&self) -> &[Vec<CodeOp>] {
        &self.instructions
    }

    /// The program for a core with these `units` in `pools`, as [`pools`](crate::simulate::pools) returns them.
    /// Without `memory`, loads and stores take no time and no units.
    pub fn on<C: ConstantValue>(
        &self,
        units: &Units<C>,
        pools: &[(&str, f64)],
        memory: bool,
    ) -> MicroProgram {
        let mut program = MicroProgram::default();
        for operations in &self.instructions {
            program.push(operations.iter().map(|op| op.on(units, pools, memory)));
        }
        program
    }
}

impl CodeOp {
    fn is_memory(&self) -> bool {
        matches!(self.name, "load" | "store" | "vload" | "vstore")
    }

    fn on<C: ConstantValue>(
        &self,
        units: &Units<C>,
        pools: &[(&str, f64)],
        memory: bool,
    ) -> MicroOp {
        let name = units.name(self.name);
        let is_free =
            if self.is_memory() { !memory } else { self.is_copy && units.latency(name) == 0.0 };
        let latency = if is_free { 0.0 } else { units.latency(name) };
        let forwarding = if self.bits == 0 { "forward" } else { "vforward" };
        let late = |needed| match needed {
            OperandUse::Operand(i) if !is_free => latency - units.latency_from(name, i),
            // The latency of forwarding is that of the store and the load.
            OperandUse::Stored if !is_free && units.ops.contains_key(forwarding) => {
                let store = if self.bits == 0 { "store" } else { "vstore" };
                latency + units.latency(store) - units.latency(forwarding)
            }
            _ => 0.0,
        };
        let used = units.ops.get(name).into_iter().flat_map(|op| &op.uses);
        let takes = used.filter(|_| !is_free).filter_map(|(pool, cycles)| {
            let at = pools.iter().position(|(name, _)| name == pool)?;
            // A wider register occupies more of the same units.
            let width = units.pool(pool, self.bits).map_or(pools[at].1, C::value);
            Some((at, cycles.value() * pools[at].1 / width))
        });
        MicroOp {
            after: self.after.iter().map(|&(from, needed)| (from, late(needed))).collect(),
            latency,
            takes: takes.collect(),
            queue: match self.bits {
                _ if is_free || self.is_memory() => Queue::Unlimited,
                0 => Queue::General,
                _ => Queue::Vector,
            },
        }
    }
}
