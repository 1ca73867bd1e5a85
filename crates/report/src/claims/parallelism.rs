//! gaudet's page: the critical path, the rotates, and the parts to move to the SIMD side.

use lanesum_spec::Family;

use crate::claims::{Claim, Verdict, printed};
use crate::{brief, two};
use lanesum_graph::graph::Kind;
use lanesum_graph::record::{Block, Form};
use lanesum_graph::rewrite::{Forms, expand};
use lanesum_model::ConstantValue;
use lanesum_model::analyse::{
    BoundError, Delays, Kernels, WorkPart, count, fewest, fewest_registers, list_schedule,
    loop_edges, max_ratio, offload, software_delays, steady_form,
};

const WHO: &str = "gaudet";

/// A block of SHA-1 on units that take one cycle, with the sums in the best order.
struct Parallel {
    block: Block,
    form: Form,
    /// The description of a round's critical loop.
    critical: String,
    per_round: f64,
    steady: f64,
    operations: usize,
}

impl Parallel {
    fn new(kernels: &Kernels<'_>) -> Result<Self, BoundError> {
        let risc = kernels.models().machine("risc")?;
        let [add, logic, rotate] = ["add", "logic", "rotate"].map(|op| risc.units.latency(op));
        let unit: Delays = software_delays(add, logic, rotate);
        let mut block = kernels.record(Family::Sha1);
        let (spec, state) = (block.spec.clone(), block.state.clone());
        let written = expand(&mut block.graph, &spec, Forms::SPLIT)?;
        let (steady, form) = steady_form(&mut block.graph, &state, &written, &unit)?;
        let round = Form { outputs: written.rounds[0].state.clone(), rounds: Vec::new() };
        let (per_round, round) = steady_form(&mut block.graph, &state, &round, &unit)?;
        let longest = max_ratio(&loop_edges(&block.graph, &state, &round, &unit));
        let critical = longest.map_or(String::new(), |found| found.name(&block.graph));
        let nodes = block.graph.reachable(form.outputs.iter().copied());
        let operations = count(&block.graph, nodes).values().sum();
        Ok(Self { block, form, critical, per_round, steady, operations })
    }

    /// The cycles of one block on `units` units.
    fn on(&self, units: usize) -> usize {
        list_schedule(&self.block.graph, &self.form, units, None).cycles
    }
}

/// The claims about the path, about the units and registers that it needs, and about slow
/// rotations.
pub(super) fn path(kernels: &Kernels<'_>) -> Result<Vec<Claim>, BoundError> {
    let models = kernels.models();
    let found = Parallel::new(kernels)?;
    let [claimed, per_byte] = models.numbers("gaudet-path")?;
    let alus = models.number("gaudet-alus")? as usize;
    let rounds = found.block.rounds();
    let path = rounds as f64 * found.per_round;
    let bytes = found.block.family.block_len() as f64;
    let alone = found.on(alus);
    let same =
        |cycles: f64| (cycles - claimed).abs() < 0.01 && printed(cycles / bytes, per_byte, 1);
    let whole = same(found.steady) && same(alone as f64);
    let of_rounds = same(path);
    let first = Claim::new(
        "path",
        WHO,
        format!(
            "SHA-1's minimum critical path is {claimed} cycles on single-cycle units, {per_byte} cycles/byte"
        ),
    );
    let first = first.is(
        Verdict::of(whole, of_rounds),
        format!(
            "{rounds} rounds of {} cycles (two rounds by {}) make {}, {} cycles/byte. The addition of the chaining \
             value makes it {} from block to block. A single block, with all words available, takes \
             {alone}. {}",
            brief(found.per_round),
            found.critical,
            brief(path),
            two(path / bytes),
            brief(found.steady),
            match (whole, of_rounds) {
                (true, _) => "The claim holds for the whole",
                (_, true) => "The claim holds only for the rounds",
                _ => "None of these matches the claim",
            },
        ),
    );
    let operations = found.operations as f64;
    let need = |cycles: f64| (operations / cycles).ceil() as usize;
    let more = found.operations as i64 - ((alus as i64 - 1) * path as i64);
    let second = Claim::new("alus", WHO, format!("that path takes {alus} ALUs")).is(
        Verdict::of(
            need(path) == alus && need(found.steady) == alus,
            need(path) == alus,
        ),
        format!(
            "{operations} operations in {} cycles need {} units; in {} cycles they need {}. A single \
             block takes {} cycles on {} units and {alone} on {alus}.{}",
            brief(path),
            need(path),
            brief(found.steady),
            need(found.steady),
            found.on(alus - 1),
            alus - 1,
            if need(path) == alus && need(found.steady) != alus {
                format!(
                    " The claim holds for {} cycles: {more} {} the capacity of {} units",
                    brief(path),
                    if more == 1 { "operation exceeds" } else { "operations exceed" },
                    alus - 1
                )
            } else {
                String::new()
            },
        ),
    );
    let claimed = models.number("gaudet-registers")? as usize;
    let state = &found.block.state;
    let (_, registers) = fewest_registers(&found.block.graph, &found.form, alus, state);
    let kept = registers + state.len();
    let third = Claim::new("registers", WHO, format!("and {claimed} registers")).is(
        Verdict::assuming((registers..=kept).contains(&claimed)),
        format!(
            "list scheduling on {alus} units needs at most {registers} registers, with the block and the \
             chaining value for the last addition in memory, or {kept} with that value in registers. \
             {claimed} are {}",
            if claimed < registers {
                "fewer than any schedule found here needs"
            } else if claimed > kept {
                "more than it needs"
            } else {
                "enough with the value in memory"
            },
        ),
    );
    Ok(vec![first, second, third, rotates(kernels)?])
}

/// The rotations of the Pentium 4.
fn rotates(kernels: &Kernels<'_>) -> Result<Claim, BoundError> {
    let models = kernels.models();
    let claimed = models.number("gaudet-rotates")?;
    let [each, all] = models.numbers("gaudet-rotate-cycles")?;
    let [share, whole] = models.numbers("gaudet-rotate-share")?;
    let mut block = kernels.record(Family::Sha1);
    let spec = block.spec.clone();
    let written = expand(&mut block.graph, &spec, Forms::SPLIT)?;
    let rotates = count(&block.graph, block.split(&written).0)[&Kind::Rotate] as f64;
    let p4 = models.machine("p4")?;
    let occupied = p4.units.ops["rotate"].uses.get("shift").map_or(0.0, ConstantValue::value);
    let (total, bytes) = (rotates * occupied, block.family.block_len() as f64);
    let measured = models.figures_of(WHO, "p4", "sha1").find(|f| f.kernel == "stitched");
    let measured = measured.map_or(f64::NAN, |f| f.cycles_per_byte);
    let x86 = models.instruction_set("x86")?;
    let others = fewest(&mut kernels.record(Family::Sha256), x86)?.cost.of("rotate");
    let young = models.figures_of("Young", "p4", "sha256").find_map(|f| f.cycles);
    let young = young.map_or(f64::NAN, f64::from);
    let right = rotates == claimed
        && occupied == each
        && (total - all).abs() < 0.5
        && printed(total / bytes, share, 0)
        && measured.round() == whole;
    // The rotations alone occupy the unit for this long, so the total cannot be less.
    let refuted = others * occupied > young;
    Ok(Claim::new(
        "rotates",
        WHO,
        format!(
            "{claimed} rotates of {each} cycles on the Pentium 4 are {all} cycles, {share} of {whole} \
             cycles/byte"
        ),
    )
    .is(
        Verdict::of(right && !refuted, right),
        format!(
            "{rotates} rotates remain in the scalar code. At {} cycles each they take {} cycles, {} of the \
             {measured} cycles/byte measured. SHA-256's {others} rotates would take {} cycles at that \
             rate; Young measured {young} in total on a Pentium 4, {}",
            brief(occupied),
            brief(total),
            two(total / bytes),
            brief(others * occupied),
            if refuted {
                "so the unit cannot have been busy that long there"
            } else {
                "which leaves room for them"
            },
        ),
    ))
}

/// The other parts that could move to the SIMD side.
pub(super) fn moving(kernels: &Kernels<'_>) -> Result<Vec<Claim>, BoundError> {
    let mut pays = Vec::new();
    let mut tried = 0;
    for machine in &kernels.models().machines {
        let found = offload(kernels, machine, Family::Sha1)?;
        tried += usize::from(!found.is_empty());
        let plain =
            |parts: &[WorkPart]| parts.iter().all(|p| matches!(p, WorkPart::W | WorkPart::K));
        let best_plain =
            found.iter().find(|o| plain(&o.parts)).map_or(f64::INFINITY, |o| o.cycles());
        if let Some(best) = found.first().filter(|o| o.cycles() < best_plain - 0.5) {
            pays.push(format!(
                "{}, where moving {} takes {} instead of {} cycles",
                machine.titled(),
                best.name().replace("rot b", "the rotation of b"),
                brief(best.cycles()),
                brief(best_plain)
            ));
        }
    }
    let what = "nothing beyond K + W is worth moving to the SIMD side (his open question)";
    Ok(vec![Claim::new("moving", WHO, what).is(
        Verdict::of(pays.is_empty(), pays.len() < tried),
        if pays.is_empty() {
            format!("by the estimates of the models, no other set of parts does better on any of {tried} machines")
        } else {
            format!(
                "by the estimates of the models, no other set of parts does better, except on {}",
                pays.join(", ")
            )
        },
    )])
}
