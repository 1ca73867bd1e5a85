//! The cost of an order in a model: a core that fetches in order, executes ready
//! instructions, oldest first, and retires in order.

use std::collections::HashMap;
use std::convert::Infallible;

use super::OrderCost;
use crate::emit::instruction::{AsmInstruction, AsmOperand, Name, Register};
use crate::emit::kernel::Kernel;
use crate::emit::order::Times;
use lanesum_model::{ConstantValue, Machine};

/// A machine of `machines.toml`: its pools and operations, with fitted units.
#[derive(Clone, Copy, Debug)]
pub struct Model<'a> {
    /// The machine.
    pub machine: &'a Machine,
}

/// An instruction in the model of a core.
struct Work {
    /// The instructions whose results it reads.
    after: Vec<usize>,
    /// The latency of its result.
    latency: f64,
    /// The cycles that it occupies in each pool.
    takes: Vec<(usize, f64)>,
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
        let window = self.machine.window.value() as usize;
        let work = self.work(instructions, &pool);
        let mut done = vec![f64::INFINITY; work.len()];
        // The remaining capacity of each pool in the cycle; fractional units accumulate.
        let mut left = vec![0.0; pools.len()];
        let mut ports = Alus::new(self.machine, &pools);
        let mut waiting: Vec<(usize, Option<usize>)> = Vec::new();
        let (mut next, mut fetched, mut now) = (0, 0.0, 0.0);
        let mut marks = Vec::new();
        let block = instructions.len();
        while next < work.len() || !waiting.is_empty() {
            fetched = (fetched + issue).min(issue + 1.0);
            while fetched >= 1.0 && next < work.len() && waiting.len() < window {
                waiting.push((next, ports.bind(&work[next])));
                next += 1;
                fetched -= 1.0;
            }
            for (left, (_, units)) in left.iter_mut().zip(&pools) {
                *left = (*left + units).min(units.max(1.0) + units.fract());
            }
            ports.next_cycle();
            waiting.retain(|&(i, port)| {
                let item = &work[i];
                let ready = item.after.iter().all(|&o| done[o] <= now);
                let free = item.takes.iter().all(|&(p, units)| left[p] >= units.min(pools[p].1));
                if !(ready && free && ports.take(port)) {
                    return true;
                }
                item.takes.iter().for_each(|&(p, units)| left[p] -= units);
                done[i] = now + item.latency;
                false
            });
            now += 1.0;
            while marks.len() < work.len() / block
                && waiting.first().map_or(next, |&(i, _)| i) >= (marks.len() + 1) * block
            {
                marks.push(now);
            }
        }
        marks.push(now);
        marks[2] - marks[1]
    }

    fn work(
        &self,
        instructions: &[AsmInstruction],
        pool: &impl Fn(&str) -> Option<usize>,
    ) -> Vec<Work> {
        let mut writers: HashMap<Register, usize> = HashMap::new();
        let mut stores: HashMap<AsmOperand, usize> = HashMap::new();
        let mut work: Vec<Work> = Vec::with_capacity(3 * instructions.len());
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
            let here = work.len();
            match to {
                Some(AsmOperand::Register(register)) => {
                    writers.insert(*register, here);
                }
                Some(operand @ AsmOperand::Memory(_)) => {
                    stores.insert(*operand, here);
                }
                _ => {}
            }
            work.push(Work { after, latency, takes });
        }
        work
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

/// The ALUs of a core that binds instructions to them; only the first ones can shift.
struct Alus {
    /// The number of waiting instructions of each port, and whether it is busy in this cycle.
    waiting: Vec<(usize, bool)>,
    shifting: usize,
    alu: Option<usize>,
    shift: Option<usize>,
}

impl Alus {
    fn new(machine: &Machine, pools: &[(&String, f64)]) -> Self {
        let pool = |name: &str| pools.iter().position(|(n, _)| *n == name);
        let units = |name: &str| pool(name).map_or(0, |pool| pools[pool].1.ceil() as usize);
        let count = if machine.bound { units("alu") } else { 0 };
        let shifting = units("shift").clamp(1, count.max(1));
        Self { waiting: vec![(0, false); count], shifting, alu: pool("alu"), shift: pool("shift") }
    }

    /// The port with the fewest waiting instructions, preferably one that cannot shift.
    fn bind(&mut self, work: &Work) -> Option<usize> {
        let takes = |pool: Option<usize>| work.takes.iter().any(|(p, _)| Some(*p) == pool);
        if self.waiting.is_empty() || !takes(self.alu) {
            return None;
        }
        let all = if takes(self.shift) { self.shifting } else { self.waiting.len() };
        let port = (0..all).rev().min_by_key(|&port| self.waiting[port].0)?;
        self.waiting[port].0 += 1;
        Some(port)
    }

    fn next_cycle(&mut self) {
        self.waiting.iter_mut().for_each(|(_, taken)| *taken = false);
    }

    /// Whether an instruction that is bound to `port` may start.
    fn take(&mut self, port: Option<usize>) -> bool {
        let Some(port) = port else { return true };
        let (waiting, taken) = &mut self.waiting[port];
        if *taken {
            return false;
        }
        (*waiting, *taken) = (*waiting - 1, true);
        true
    }
}

impl OrderCost for Model<'_> {
    type Error = Infallible;

    fn cost(&mut self, kernel: &Kernel, candidates: &[Times]) -> Result<Vec<f64>, Infallible> {
        Ok(candidates.iter().map(|times| self.cycles(&kernel.body(times).instructions)).collect())
    }
}
