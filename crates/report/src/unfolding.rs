//! Iteration bounds and unfolded cores.

use lanesum_spec::Family;

use crate::counts::{SHA, name};
use crate::{Section, brief, figures, two};
use lanesum_graph::record::{Block, record};
use lanesum_model::analyse::{
    BoundError, Delays, Loop, PAPER_N, loop_edges, max_ratio, round_form, steady_form,
    unfolded_clock,
};
use lanesum_model::{ModelError, Models};

/// The iteration bound of one round of `block`: the critical loop in the best
/// order of the sums, and its graph.
pub(crate) fn round_bound(mut block: Block, delays: &Delays) -> Result<(Block, Loop), BoundError> {
    let round = round_form(&block.spec, 1);
    let state = block.state.clone();
    let (_, form) = steady_form(&mut block.graph, &state, &round, delays)?;
    let edges = loop_edges(&block.graph, &state, &form, delays);
    let found = max_ratio(&edges).expect("a round has loops");
    Ok((block, found))
}

pub(crate) fn iteration_bounds(models: &Models) -> Result<Section, BoundError> {
    let mut section = Section::new("Iteration bounds");
    let mut rows = Vec::new();
    for model in &models.delays {
        let delays = Delays::hardware(model);
        for family in SHA {
            let (block, critical) = round_bound(record(family, false), &delays)?;
            rows.push(vec![
                model.name.clone(),
                name(family).to_owned(),
                two(critical.ratio()),
                format!("({}) / {}", critical.time, critical.registers),
                critical.name(&block.graph),
            ]);
            if model.name == "paper" {
                section.figure(
                    &format!("Critical loop of {}: one round.", name(family)),
                    figures::critical_loop(&block.graph, &critical),
                );
            }
        }
    }
    section.table(
        "The maximum of time divided by registers over all loops of one round, with sums in the \
         order that minimizes it. A is an addition, F is Ch, Maj or Parity, S is Σ.",
        &["delays", "family", "bound", "time / registers", "critical loop"],
        rows,
    );
    let paper = models.delay("paper")?;
    let mut rows = Vec::new();
    for tenth in 1..=10 {
        let function = f64::from(tenth) / 10.0;
        let delays = Delays { function, ..Delays::hardware(paper) };
        let (block, critical) = round_bound(record(Family::Sha1, false), &delays)?;
        let expected = delays.add + function / 2.0;
        rows.push(vec![
            brief(function),
            two(critical.ratio()),
            two(expected),
            critical.name(&block.graph),
        ]);
    }
    section.table(
        "SHA-1 for F = 0.1 ... 1 (A = 1), compared with the paper's A + F/2.",
        &["F", "bound", "A + F/2", "critical loop"],
        rows,
    );
    Ok(section)
}

/// Table 1 of the paper: N_add and N_non for [`PAPER_N`], as printed there.
pub(crate) fn paper_table(models: &Models) -> Result<Vec<(u32, u32)>, ModelError> {
    let additions: [f64; PAPER_N.len()] = models.numbers("lee-table-1-additions")?;
    let functions: [f64; PAPER_N.len()] = models.numbers("lee-table-1-functions")?;
    Ok(additions.into_iter().zip(functions).map(|(a, f)| (a as u32, f as u32)).collect())
}

pub(crate) fn unfolding(models: &Models) -> Result<Section, BoundError> {
    let mut section = Section::new("Unfolding by n");
    let delays = Delays::hardware(models.delay("paper")?);
    let printed = paper_table(models)?;
    for family in SHA {
        let block = record(family, false);
        let rounds = block.spec.rounds.len();
        let mut rows = Vec::new();
        for (i, n) in PAPER_N.into_iter().enumerate() {
            if !rounds.is_multiple_of(n) || (family != Family::Sha1 && n > 16) {
                continue;
            }
            let clock = unfolded_clock(&block, n, &delays);
            let clocks = clock.clocks(rounds) as u32;
            let mut row = vec![
                n.to_string(),
                clock.paper.to_string(),
                clock.retimed.to_string(),
                format!("{} / {}", clocks * clock.paper.additions, clocks * clock.paper.functions),
                format!(
                    "{} / {}",
                    clocks * clock.retimed.additions,
                    clocks * clock.retimed.functions
                ),
                two(f64::from(clocks) * clock.paper.value),
                two(f64::from(clocks) * clock.retimed.value),
            ];
            if family == Family::Sha1 {
                let (add, non) = printed[i];
                let ours = (clocks * clock.paper.additions, clocks * clock.paper.functions);
                row.push(format!("{add} / {non}"));
                row.push(if ours == (add, non) { "same" } else { "differs" }.to_owned());
            }
            rows.push(row);
        }
        let mut columns = vec![
            "n",
            "clock, paper's registers",
            "clock, retimed",
            "N_add / N_non",
            "retimed",
            "block",
            "block, retimed",
        ];
        if family == Family::Sha1 {
            columns.extend(["paper's Table 1", ""]);
        }
        section.table(
            &format!(
                "{}: the clock with registers only for the state (W and K are available), and with \
                 registers anywhere except inside an operation; additions and functions on the \
                 critical path of a block's {rounds}/n + 2 clocks; and the block's time at A = {}, \
                 F = {}.",
                name(family),
                delays.add,
                delays.function
            ),
            &columns,
            rows,
        );
    }
    Ok(section)
}
