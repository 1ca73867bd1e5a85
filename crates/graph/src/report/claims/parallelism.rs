//! gaudet's page: the critical path, the rotates, Efficeon.

use lanesum_spec::Family;

use crate::analyse::{
    BoundError, Kernels, count, curve, fewest, fewest_registers, offload, software_delays,
    steady_form,
};
use crate::graph::Kind;
use crate::model::Models;
use crate::record::{Form, record};
use crate::report::claims::{Claim, Verdict, claim};
use crate::report::{brief, two};
use crate::rewrite::{Forms, expand};

/// gaudet's page: the critical path, the rotates, Efficeon.
pub(super) fn parallelism(
    models: &Models,
    kernels: &mut Kernels<'_>,
) -> Result<Vec<Claim>, BoundError> {
    let unit = software_delays(1.0, 1.0, 1.0);
    let mut block = record(Family::Sha1, false);
    let spec = block.spec.clone();
    let state = block.state.clone();
    let written = expand(&mut block.graph, &spec, Forms::SPLIT)?;
    let (steady, form) = steady_form(&mut block.graph, &state, &written, &unit)?;
    let round = Form { outputs: written.rounds[0].state.clone(), rounds: Vec::new() };
    let (per_round, _) = steady_form(&mut block.graph, &state, &round, &unit)?;
    let path = 80.0 * per_round;
    let graph = &block.graph;
    let nodes = graph.reachable(form.outputs.iter().copied());
    let operations: usize = count(graph, nodes).values().sum();
    let cycles = curve(graph, &form, 8);
    let need = (operations as f64 / path).ceil();
    let (_, registers) = fewest_registers(graph, &form, 7, &state);
    let mut list = vec![
        claim(
            "gaudet",
            "SHA-1's minimum critical path is 160 cycles on single-cycle units",
            Verdict::assuming((path - 160.0).abs() < 0.01),
            format!(
                "80 rounds of {} cycles (ROTL^5 and one addition) make {}; the addition of the \
                 chaining value makes it {} from block to block, and one block alone, from words \
                 all at hand, takes {}. Holds for the rounds alone.",
                brief(per_round),
                brief(path),
                brief(steady),
                cycles[7],
            ),
        ),
        claim(
            "gaudet",
            "that path takes seven ALUs",
            Verdict::assuming(need == 7.0),
            format!(
                "{operations} operations in {} cycles need {need} units; in {} cycles they need {}. \
                 One block alone takes {} cycles on six units and {} on seven. Holds for {} cycles, \
                 by {} operation(s) more than six units can do.",
                brief(path),
                brief(steady),
                (operations as f64 / steady).ceil(),
                cycles[5],
                cycles[6],
                brief(path),
                operations as i64 - 6 * path as i64,
            ),
        ),
        claim(
            "gaudet",
            "and 26 registers",
            Verdict::assuming(registers <= 26),
            format!(
                "list scheduling on seven units keeps {registers} words alive at most, with the \
                 block and the chaining value for the last addition in memory (five more if that \
                 is kept); 16 W, 5 of state and 5 on the way are 26."
            ),
        ),
    ];
    let p4 = models.machine("p4")?;
    let rotates = count(graph, block.split(&written).0)[&Kind::Rotate];
    let occupied = p4.ops["rotate"].pools.get("shift").copied().unwrap_or(0.0);
    let total = rotates as f64 * occupied;
    let young = models
        .figures
        .iter()
        .find(|f| f.machine == "p4" && f.algorithm == "sha256" && f.cycles.is_some());
    let mut sha256 = record(Family::Sha256, false);
    let sha256_way = fewest(&mut sha256, models.instruction_set("x86")?)?;
    let sha256_rotates = sha256_way.cost.of("rotate") * occupied;
    list.push(claim(
        "gaudet",
        "160 rotates of 4 cycles on the Pentium 4 are 640 cycles, 10 of 14 cycles/byte",
        Verdict::assuming(rotates == 160 && (total - 640.0).abs() < 0.5),
        format!(
            "{rotates} rotates stay with the rounds; x {} = {} cycles = {} cycles/byte. But if each \
             took the unit for {} cycles, SHA-256's {} rotates alone would take {} cycles, and \
             Young measured {} in all on a Pentium 4: the unit cannot have been held so long there.",
            brief(occupied), brief(total), two(total / 64.0), brief(occupied),
            brief(sha256_way.cost.of("rotate")), brief(sha256_rotates),
            young.and_then(|f| f.cycles).unwrap_or(0),
        ),
    ));
    let efficeon = models.machine("efficeon")?;
    let bounds = kernels.bounds(efficeon, Family::Sha1)?;
    let stitched = bounds.iter().find(|b| b.row.ends_with("stitched"));
    let pool = |name: &str| {
        let found = stitched.and_then(|b| b.pools.iter().find(|(p, _)| p == name));
        found.map_or(0.0, |p| p.1)
    };
    list.push(claim(
        "gaudet",
        "on Efficeon the ALUs bind: about 340 instructions each, 250 on each SIMD unit",
        Verdict::when(
            pool("alu") > pool("vector")
                && (pool("alu") / 340.0 - 1.0).abs() < 0.15
                && (pool("vector") / 250.0 - 1.0).abs() < 0.15,
        ),
        format!(
            "at least {} on each of two ALUs and {} on each SIMD unit; 340 cycles are {} \
             cycles/byte of the 5.90 measured.",
            brief(pool("alu")),
            brief(pool("vector")),
            two(340.0 / 64.0),
        ),
    ));
    let mut pays = Vec::new();
    for machine in &models.machines {
        let found = offload(models, machine, Family::Sha1)?;
        let plain =
            |o: &&crate::analyse::Offload| o.parts.iter().all(|p| matches!(p.name(), "W" | "K"));
        let best_plain = found.iter().find(plain).map_or(f64::INFINITY, |o| o.cycles());
        if let Some(best) = found.first().filter(|o| o.cycles() < best_plain - 0.5) {
            pays.push(format!(
                "{} ({}: {} against {} cycles)",
                machine.name,
                best.name(),
                brief(best.cycles()),
                brief(best_plain)
            ));
        }
    }
    list.push(claim(
        "gaudet",
        "nothing beyond K + W is worth moving to the SIMD side (his open question)",
        if pays.is_empty() { Verdict::Holds } else { Verdict::Assuming },
        if pays.is_empty() {
            "no set of parts does better on any machine here.".to_owned()
        } else {
            format!("no other set of parts does better but on {}.", pays.join(", "))
        },
    ));
    Ok(list)
}
