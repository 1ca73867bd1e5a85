//! The cost of an order in a model of a core.

use std::collections::HashMap;
use std::convert::Infallible;

use super::OrderCost;
use crate::emit::instruction::{AsmInstruction, AsmOperand, Name, Register};
use crate::emit::kernel::Kernel;
use crate::emit::order::Times;
use lanesum_model::simulate::{CoreLimits, MicroOp, MicroProgram, Pipes, Queue, Scheduler, pools};
use lanesum_model::{ConstantValue, Machine};

/// A machine of `machines.toml`: its pools and operations.
#[derive(Clone, Copy, Debug)]
pub struct Model<'a> {
    /// The machine.
    pub machine: &'a Machine,
}

impl Model<'_> {
    /// Cycles from the first instruction to the last, where `instructions` are the
    /// rounds of a block. They run three times, and only the third run counts.
    pub fn cycles(&self, instructions: &[AsmInstruction]) -> f64 {
        let units = &self.machine.units;
        let pools = pools(units);
        let pool = |name: &str| pools.iter().position(|(n, _)| *n == name);
        let issue = units.pools.get("issue").map_or(4.0, ConstantValue::value);
        let program = self.program(instructions, &pool);
        let alus = Pipes::of("alu", &pools, units).filter(|_| self.machine.bound);
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
        let mut program = MicroProgram::default();
        for flow in flows(instructions, 3) {
            let mut takes = Vec::new();
            let mut take = |name: &str| {
                let ops = &self.machine.units.ops;
                let Some(op) = ops.get(name).or_else(|| ops.get("logic")) else { return 0.0 };
                takes.extend(op.uses.iter().filter_map(|(p, n)| pool(p).map(|p| (p, n.value()))));
                op.latency.as_ref().map_or(0.0, ConstantValue::value)
            };
            let mut latency = flow.computes().map_or(0.0, &mut take);
            if flow.stores {
                latency += take("store");
            }
            if flow.loads {
                // The address is known early, so only the stored value can be late.
                take("load");
                if flow.unit == "mov" {
                    latency += 1.0;
                }
            }
            let after = flow.after.into_iter().chain(flow.through_memory);
            let after = after.map(|from| (from, 0.0)).collect();
            program.push([MicroOp { after, latency, takes, queue: Queue::General }]);
        }
        program
    }
}

/// An instruction in the flow of data.
pub(super) struct Flow {
    /// The instructions whose results it reads in registers.
    pub(super) after: Vec<usize>,
    /// The instructions that computed its address, or stored the word that it loads.
    pub(super) through_memory: Vec<usize>,
    /// Its operation in a machine's model.
    unit: &'static str,
    /// Whether it is a lea of two words and a constant.
    pub(super) adds_three: bool,
    pub(super) loads: bool,
    pub(super) stores: bool,
}

impl Flow {
    /// Its operation, unless it is a move to or from memory, which is only a store or a load.
    pub(super) fn computes(&self) -> Option<&'static str> {
        (self.unit != "mov" || !self.stores && !self.loads).then_some(self.unit)
    }
}

/// The flow of data in `copies` consecutive runs of the instructions.
pub(super) fn flows(instructions: &[AsmInstruction], copies: usize) -> Vec<Flow> {
    let mut writers: HashMap<Register, usize> = HashMap::new();
    let mut stores: HashMap<AsmOperand, usize> = HashMap::new();
    let mut flows = Vec::with_capacity(copies * instructions.len());
    for instruction in instructions.iter().cycle().take(copies * instructions.len()) {
        let unit = unit(instruction.name);
        let (to, sources) = match instruction.operands.split_first() {
            Some((to, _)) if instruction.name.reads_destination() => {
                (Some(to), &instruction.operands[..])
            }
            Some((to, rest)) => (Some(to), rest),
            None => (None, &instruction.operands[..]),
        };
        let (mut after, mut through_memory) = (Vec::new(), Vec::new());
        let is_lea = unit == "lea";
        for source in sources {
            match source {
                AsmOperand::Register(register) => after.extend(writers.get(register)),
                AsmOperand::Memory(address) | AsmOperand::Broadcast(address) => {
                    let computed = address.registers().filter_map(|r| writers.get(&r));
                    if is_lea { &mut after } else { &mut through_memory }.extend(computed);
                    through_memory.extend(stores.get(source));
                }
                AsmOperand::Immediate(_) => {}
            }
        }
        let here = flows.len();
        match to {
            Some(AsmOperand::Register(register)) => {
                writers.insert(*register, here);
            }
            Some(operand @ AsmOperand::Memory(_)) => {
                stores.insert(*operand, here);
            }
            _ => {}
        }
        let adds_three = is_lea
            && sources.iter().any(|source| match source {
                AsmOperand::Memory(address) => {
                    address.registers().count() == 2 && address.displacement != 0
                }
                _ => false,
            });
        flows.push(Flow {
            adds_three,
            after,
            through_memory,
            unit,
            loads: !is_lea && sources.iter().any(|s| matches!(s, AsmOperand::Memory(_))),
            stores: matches!(to, Some(AsmOperand::Memory(_))),
        });
    }
    flows
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

impl OrderCost<Kernel> for Model<'_> {
    type Error = Infallible;

    fn cost(&mut self, kernel: &Kernel, candidates: &[Times]) -> Result<Vec<f64>, Infallible> {
        Ok(candidates.iter().map(|times| self.cycles(&kernel.body(times).instructions)).collect())
    }
}
