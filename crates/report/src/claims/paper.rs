//! Lee, Chan and Verbauwhede: unfolding.

use lanesum_spec::Family;

use crate::claims::{Claim, Verdict};
use crate::{brief, two};
use crate::{paper_table, round_bound};
use lanesum_graph::record::Block;
use lanesum_model::analyse::{BoundError, Clock, Delays, Kernels, PAPER_N, Time, unfolded_clock};

const WHO: &str = "Lee, Chan, Verbauwhede";

pub(super) fn paper(kernels: &Kernels<'_>) -> Result<Vec<Claim>, BoundError> {
    let models = kernels.models();
    let delays = Delays::hardware(models.delay("paper")?);
    let block = kernels.record(Family::Sha1);
    let clocks: Vec<Clock> = PAPER_N.iter().map(|&n| unfolded_clock(&block, n, &delays)).collect();
    Ok(vec![
        bound(kernels, &delays)?,
        table(kernels, &block, &clocks)?,
        two_rounds(kernels, &clocks)?,
        sixth_figure(kernels, &block, &delays)?,
        optimum(kernels, &block, &clocks, &delays)?,
    ])
}

/// A sum of additions and functions, such as `A + F/2` or `4A + F`.
fn sum(additions: f64, functions: f64) -> String {
    let term = |n: f64, name: &str| match n {
        1.0 => name.to_owned(),
        n if n < 1.0 && (1.0 / n).fract() == 0.0 => format!("{name}/{}", 1.0 / n),
        n => format!("{n}{name}"),
    };
    format!("{} + {}", term(additions, "A"), term(functions, "F"))
}

fn is(time: Time, [additions, functions]: [f64; 2]) -> bool {
    (f64::from(time.additions), f64::from(time.functions)) == (additions, functions)
}

fn bound(kernels: &Kernels<'_>, delays: &Delays) -> Result<Claim, BoundError> {
    let [additions, functions] = kernels.models().numbers("lee-bound")?;
    let (mut off, mut loops) = (Vec::new(), Vec::new());
    for tenth in 1..=10 {
        let function = f64::from(tenth) / 10.0;
        let delays = Delays { function, ..*delays };
        let (block, critical) = round_bound(kernels.record(Family::Sha1), &delays)?;
        let claimed = additions * delays.add + functions * function;
        if (critical.ratio() - claimed).abs() > 1e-6 {
            off.push(format!(
                "{} ({}, not {})",
                brief(function),
                two(critical.ratio()),
                two(claimed)
            ));
        }
        let name =
            format!("{} through {} registers", critical.name(&block.graph), critical.registers);
        if !loops.contains(&name) {
            loops.push(name);
        }
    }
    let what = format!("SHA-1's iteration bound is {}", sum(additions, functions));
    Ok(Claim::new("lee-bound", WHO, what).is(
        Verdict::when(off.is_empty()),
        format!(
            "for F = 0.1 ... 1 (A = {}) it holds {}. The critical loop is {}",
            delays.add,
            if off.is_empty() {
                "exactly".to_owned()
            } else {
                format!("except for F = {}", off.join(", "))
            },
            loops.join(" or "),
        ),
    ))
}

fn table(kernels: &Kernels<'_>, block: &Block, clocks: &[Clock]) -> Result<Claim, BoundError> {
    let printed = paper_table(kernels.models())?;
    let rounds = block.spec.rounds.len();
    let (mut differs, mut by_formula) = (Vec::new(), Vec::new());
    // N_non of section 5.3, for even n.
    let formula = |n: usize| (n as f64 - 2.0) / 2.0 * (rounds as f64 / n as f64 + 2.0);
    for (clock, &(add, non)) in clocks.iter().zip(&printed) {
        let times = clock.clocks(rounds) as u32;
        let ours = (times * clock.paper.additions, times * clock.paper.functions);
        if ours != (add, non) {
            differs.push(format!(
                "n = {}: N_add / N_non is {} / {}, not {add} / {non} (the clock is {})",
                clock.rounds, ours.0, ours.1, clock.paper
            ));
            if clock.rounds % 2 == 1 && formula(clock.rounds) == f64::from(non) {
                by_formula.push(clock.rounds);
            }
        }
    }
    let what = "Table 1: additions and functions on a block's critical paths for ten n";
    let mut reason = format!(
        "{} of {} columns match the paper. {}",
        printed.len() - differs.len(),
        printed.len(),
        differs.join("; ")
    );
    for n in by_formula {
        reason += &format!(
            ". At n = {n}, which is odd, the formula for even n yields the printed number; at n = 1 it would \
             yield {} functions, but the table has {}",
            formula(1),
            printed[0].1
        );
    }
    Ok(Claim::new("lee-table-1", WHO, what).is(Verdict::when(differs.is_empty()), reason))
}

fn two_rounds(kernels: &Kernels<'_>, clocks: &[Clock]) -> Result<Claim, BoundError> {
    let claimed: [f64; 2] = kernels.models().numbers("lee-two-rounds")?;
    let clock = at(clocks, 2).paper;
    let what = format!(
        "section 5.2: two rounds a clock take ({})/2 each",
        sum(claimed[0], claimed[1]).replace(' ', "")
    );
    let printed = paper_table(kernels.models())?;
    let place = PAPER_N.iter().position(|&n| n == 2).expect("an n of the paper");
    let times = at(clocks, 2).clocks(kernels.record(Family::Sha1).spec.rounds.len()) as u32;
    let table = printed[place] == (times * clock.additions, times * clock.functions);
    Ok(Claim::new("lee-two-rounds", WHO, what).is(
        Verdict::when(is(clock, claimed)),
        format!(
            "the clock of two rounds is {clock}. Table 1 has {}",
            if table { "the same" } else { "something else" }
        ),
    ))
}

fn sixth_figure(
    kernels: &Kernels<'_>,
    block: &Block,
    delays: &Delays,
) -> Result<Claim, BoundError> {
    let claimed: [f64; 2] = kernels.models().numbers("lee-figure-6")?;
    // The fourth round computes TEMP[t+3], the fifth TEMP[t+4].
    let form = |n: usize| unfolded_clock(block, n, delays).paper;
    let (third, fourth) = (form(4), form(5));
    let what = format!("Figure 6: S5(TEMP[t+3]) is ready at {}", sum(claimed[0], claimed[1]));
    Ok(Claim::new("lee-figure-6", WHO, what).is(
        Verdict::when(is(third, claimed)),
        format!("TEMP[t+3] is ready at {third}, and TEMP[t+4], which needs it, at {fourth}"),
    ))
}

fn optimum(
    kernels: &Kernels<'_>,
    block: &Block,
    clocks: &[Clock],
    delays: &Delays,
) -> Result<Claim, BoundError> {
    let claimed = kernels.models().number("lee-optimum")?;
    let rounds = block.spec.rounds.len();
    let total = |clock: &Clock, retimed: bool| {
        let time = if retimed { clock.retimed } else { clock.paper };
        clock.clocks(rounds) as f64 * time.value
    };
    let best = |retimed: bool| {
        let least = |x: &&Clock, y: &&Clock| total(x, retimed).total_cmp(&total(y, retimed));
        *clocks.iter().min_by(least).expect("an n of the paper")
    };
    let (paper, free) = (best(false), best(true));
    let (_, critical) = round_bound(kernels.record(Family::Sha1), delays)?;
    let bound = critical.ratio() * free.rounds as f64;
    Ok(Claim::new("lee-optimum", WHO, format!("n = {claimed} is the optimum")).is(
        Verdict::of(
            paper.rounds as f64 == claimed && free.rounds as f64 == claimed,
            paper.rounds as f64 == claimed,
        ),
        format!(
            "with registers only for the state, n = {} is the optimum ({} at A = {}, F = {}). With \
             registers anywhere it is n = {} ({}), where the clock {} {} the iteration bound",
            paper.rounds,
            two(total(&paper, false)),
            delays.add,
            delays.function,
            free.rounds,
            two(total(&free, true)),
            free.retimed,
            if (free.retimed.value - bound).abs() < 1e-3 { "meets" } else { "is above" },
        ),
    ))
}

fn at(clocks: &[Clock], rounds: usize) -> &Clock {
    clocks.iter().find(|clock| clock.rounds == rounds).expect("an n of the paper")
}
