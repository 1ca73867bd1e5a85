//! The loop of a kernel over blocks, as a problem of modulo scheduling.

use super::model::flows;
use crate::emit::instruction::{AsmInstruction, Name};
use crate::emit::listing::{Line, Listing};
use lanesum_model::analyse::{Cyclic, Dependence};
use lanesum_model::{ConstantValue, Units};

/// The instructions of the loop over blocks: from its label to its branch.
pub fn loop_over_blocks(listing: &Listing) -> Vec<AsmInstruction> {
    let is_branch = |i: &AsmInstruction| i.name == Name::Jnz;
    let body = listing.lines.iter().skip_while(|line| !matches!(line, Line::Label(_)));
    let mut instructions: Vec<AsmInstruction> = body
        .filter_map(|line| match line {
            Line::Instruction(instruction, _) => Some(instruction.clone()),
            _ => None,
        })
        .collect();
    let branch = instructions.iter().position(is_branch).map_or(0, |at| at + 1);
    instructions.truncate(branch);
    instructions
}

/// One iteration of a loop of instructions in any order, with unlimited registers: only data must exist before
/// it is used. A constant that is not in `units` is 0 cycles, and an unknown pool is unlimited.
///
/// # Panics
///
/// If a constant is not whole.
pub fn cyclic<C: ConstantValue>(instructions: &[AsmInstruction], units: &Units<C>) -> Cyclic {
    let n = instructions.len();
    let mut cyclic = Cyclic::of_units(units);
    let flows = flows(instructions, 2);
    let named = |unit: &'static str| if units.ops.contains_key(unit) { unit } else { "logic" };
    let latency = |unit: &'static str| units.latency(named(unit)) as i64;
    let result = |i: usize| {
        let is_slow = flows[i].adds_three && units.ops.contains_key("lea3");
        let computed = flows[i].computes().map(|unit| if is_slow { "lea3" } else { unit });
        let computed = computed.map_or(0, latency);
        computed + if flows[i].stores { latency("store") } else { 0 }
    };
    for (i, flow) in flows.iter().enumerate().skip(n) {
        let ops = [flow.computes(), flow.loads.then_some("load"), flow.stores.then_some("store")];
        let ops: Vec<&str> = ops.into_iter().flatten().map(named).collect();
        cyclic.push(units, &ops);
        let mut depend = |on: usize, latency: i64| {
            let (from, distance) = if on < n { (on, 1) } else { (on - n, 0) };
            cyclic.dependences.push(Dependence { from, to: i - n, latency, distance });
        };
        flow.after.iter().for_each(|&on| depend(on, result(on)));
        flow.through_memory.iter().for_each(|&on| depend(on, result(on) + latency("load")));
    }
    cyclic
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::{Isa, Target, WordSource, emit};
    use lanesum_model::{Models, Orders};
    use lanesum_spec::Family;

    #[test]
    fn the_shipped_instructions_of_sha1_fit_in_their_bound_and_no_less() {
        let (models, orders) = (Models::built_in().unwrap(), Orders::built_in().unwrap());
        let target = Target { family: Family::Sha1, words: WordSource::Block, isa: Isa::Bmi2 };
        let body = loop_over_blocks(&emit(target, &orders).unwrap());
        assert_eq!(body.last().unwrap().name, Name::Jnz);
        let zen5 = models.machine("zen5").unwrap();
        let bounds = [cyclic(&body, &zen5.stated()), cyclic(&body, &zen5.units)].map(|c| c.bound());
        let whole = cyclic(&body, &zen5.units);
        let (period, starts) = whole.shortest().expect("a schedule");
        // The chain is two cycles per round, and the addition of the chaining value.
        assert_eq!((bounds, period), ([161; 2], 161));
        assert_eq!(whole.check(period, &starts), Ok(()));
        assert!(whole.check(period - 1, &starts).is_err());
        // Without one of its units, or with a longer addition, the schedule is wrong.
        let mut fewer = whole.clone();
        let alu = zen5.units.pools.keys().position(|pool| pool == "alu").unwrap();
        fewer.units[alu] = 1;
        assert!(fewer.check(period, &starts).is_err());
        let mut slower = whole.clone();
        slower.dependences.iter_mut().for_each(|d| d.latency += 1);
        assert!(slower.check(period, &starts).is_err());
        // The bound is a proof: the planted shorter period has a chain that refutes it.
        let obstacle = whole.refute(period - 1).expect("an obstacle");
        assert!(whole.confirms(period - 1, &obstacle) && !whole.confirms(period, &obstacle));
    }
}
