//! The cost of an order in a model of a core.

use std::collections::HashMap;
use std::convert::Infallible;

use super::OrderCost;
use crate::emit::instruction::{AsmInstruction, AsmOperand, Name, Register};
use crate::emit::kernel::Kernel;
use crate::emit::order::Times;
use lanesum_model::simulate::{CoreLimits, MicroOp, MicroProgram, Pipes, Queue, Scheduler};
use lanesum_model::{ConstantValue, Machine};

/// A machine of `machines.toml`: its pools and operations, with fitted units.
#[derive(Clone, Copy, Debug)]
pub struct Model<'a> {
    /// The machine.
    pub machine: &'a Machine,
}

impl Model<'_> {
    /// Cycles from the first instruction to the last, where `instructions` are the
    /// rounds of a block. They run three times, and only the third run counts.
    pub fn cycles(&self, instructions: &[AsmInstruction]) -> f64 {
        let units = self.machine.predicted();
        let pools: Vec<(&String, f64)> = units
            .pools
            .iter()
            .filter(|(name, _)| *name != "issue")
            .map(|(name, units)| (name, units.value()))
            .collect();
        let pool = |name: &str| pools.iter().position(|(n, _)| n.as_str() == name);
        let issue = units.pools.get("issue").map_or(4.0, ConstantValue::value);
        let program = self.program(instructions, &pool);
        let named: Vec<(&str, f64)> = pools.iter().map(|(name, n)| (name.as_str(), *n)).collect();
        let alus = Pipes::of("alu", &named, &units).filter(|_| self.machine.bound);
        let core = CoreLimits {
            issue,
            retire: f64::INFINITY,
            reorder: usize::MAX,
            general: Scheduler { entries: self.machine.window.value() as usize, queue: 0 },
            vector: None,
            bound: alus.into_iter().collect(),
            units: pools.iter().map(|(_, units)| *units).collect(),
        };
        let after = core.run(&program);
        let block = instructions.len();
        after[3 * block - 1] - after[2 * block - 1]
    }

    fn program(
        &self,
        instructions: &[AsmInstruction],
        pool: &impl Fn(&str) -> Option<usize>,
    ) -> MicroProgram {
        let mut writers: HashMap<Register, usize> = HashMap::new();
        let mut stores: HashMap<AsmOperand, usize> = HashMap::new();
        let mut program = MicroProgram::default();
        for instruction in instructions.iter().cycle().take(3 * instructions.len()) {
            let unit = unit(instruction.name);
            let (to, sources) = match instruction.operands.split_first() {
                Some((to, _)) if instruction.name.reads_destination() => {
                    (Some(to), &instruction.operands[..])
                }
                Some((to, rest)) => (Some(to), rest),
                None => (None, &instruction.operands[..]),
            };
            let mut after = Vec::new();
            let mut takes = Vec::new();
            let mut take = |name: &str| {
                let ops = &self.machine.units.ops;
                let Some(op) = ops.get(name).or_else(|| ops.get("logic")) else { return 0.0 };
                takes.extend(op.uses.iter().filter_map(|(p, n)| pool(p).map(|p| (p, n.value()))));
                op.latency.as_ref().map_or(0.0, ConstantValue::value)
            };
            let is_lea = unit == "lea";
            let stored = matches!(to, Some(AsmOperand::Memory(_)));
            let loaded = !is_lea && sources.iter().any(|s| matches!(s, AsmOperand::Memory(_)));
            // A move to or from memory is only a load or a store.
            let mut latency = if unit == "mov" && (stored || loaded) { 0.0 } else { take(unit) };
            if stored {
                latency += take("store");
            }
            for source in sources {
                match source {
                    AsmOperand::Register(register) => after.extend(writers.get(register)),
                    AsmOperand::Memory(address) | AsmOperand::Broadcast(address) => {
                        after.extend(address.registers().filter_map(|r| writers.get(&r)));
                        after.extend(stores.get(source));
                    }
                    AsmOperand::Immediate(_) => {}
                }
            }
            if loaded {
                // The address is known early, so only the stored value can be late.
                take("load");
                if unit == "mov" {
                    latency += 1.0;
                }
            }
            let here = program.len();
            match to {
                Some(AsmOperand::Register(register)) => {
                    writers.insert(*register, here);
                }
                Some(operand @ AsmOperand::Memory(_)) => {
                    stores.insert(*operand, here);
                }
                _ => {}
            }
            let after = after.into_iter().map(|from| (from, 0.0)).collect();
            program.push([MicroOp { after, latency, takes, queue: Queue::General }]);
        }
        program
    }
}

/// The operation of an instruction in a machine's model; unknown operations are `logic`.
fn unit(name: Name) -> &'static str {
    match name {
        Name::Mov => "mov",
        Name::Lea => "lea",
        Name::Add | Name::Adc | Name::Sub | Name::Jz | Name::Jnz | Name::Ret => "add",
        Name::And | Name::Or | Name::Xor | Name::Not | Name::Test => "logic",
        Name::Andn => "andn",
        Name::Rorx | Name::Ror | Name::Rol => "rotate",
        Name::Shr | Name::Shl | Name::Shrd => "shift",
        Name::Bswap => "swap",
        Name::Push => "store",
        Name::Pop => "load",
        _ => unreachable!("the models are of general registers"),
    }
}

impl OrderCost for Model<'_> {
    type Error = Infallible;

    fn cost(&mut self, kernel: &Kernel, candidates: &[Times]) -> Result<Vec<f64>, Infallible> {
        Ok(candidates.iter().map(|times| self.cycles(&kernel.body(times).instructions)).collect())
    }
}
