//! Lee, Chan and Verbauwhede: unfolding.

use lanesum_spec::Family;

use crate::analyse::{BoundError, Delays, PAPER_N, unfolded_clock};
use crate::model::Models;
use crate::record::record;
use crate::report::claims::{Claim, Verdict, claim};
use crate::report::hardware::{PAPER_TABLE, round_bound};
use crate::report::{brief, two};

/// Lee, Chan and Verbauwhede.
pub(super) fn paper(models: &Models) -> Result<Vec<Claim>, BoundError> {
    const WHO: &str = "Lee, Chan, Verbauwhede";
    let mut list = Vec::new();
    let delays = Delays::hardware(models.delay("paper")?);
    let mut off = Vec::new();
    let mut loops = Vec::new();
    for tenth in 1..=10 {
        let function = f64::from(tenth) / 10.0;
        let delays = Delays { function, ..delays };
        let (block, critical) = round_bound(Family::Sha1, &delays)?;
        if (critical.ratio() - (delays.add + function / 2.0)).abs() > 1e-6 {
            off.push(brief(function));
        }
        let name = critical.name(&block.graph);
        if !loops.contains(&name) {
            loops.push(name);
        }
    }
    list.push(claim(
        WHO,
        "SHA-1's iteration bound is A + F/2",
        Verdict::when(off.is_empty()),
        format!(
            "for F = 0.1 ... 1 (A = {}) {}; the critical loop is {}, through two registers.",
            delays.add,
            if off.is_empty() {
                "exactly".to_owned()
            } else {
                format!("not at F = {}", off.join(", "))
            },
            loops.join(" or "),
        ),
    ));
    let block = record(Family::Sha1, false);
    let clocks: Vec<_> = PAPER_N.iter().map(|&n| unfolded_clock(&block, n, &delays)).collect();
    let mut differs = Vec::new();
    for (clock, (add, non)) in clocks.iter().zip(PAPER_TABLE) {
        let times = clock.clocks(80) as u32;
        let ours = (times * clock.paper.additions, times * clock.paper.functions);
        if ours != (add, non) {
            differs.push(format!(
                "n = {}: N_add / N_non is {} / {}, not {add} / {non} (the clock is {})",
                clock.rounds, ours.0, ours.1, clock.paper
            ));
        }
    }
    list.push(claim(
        WHO,
        "Table 1: additions and functions on a block's critical paths for ten n",
        Verdict::when(differs.is_empty()),
        format!(
            "{} of 10 columns are as printed. {}. The formula for even n was used for an odd one; at \
             n = 1 it would give {} functions, where the table prints 0.",
            10 - differs.len(), differs.join("; "), 1 - 80 + 38,
        ),
    ));
    let at = |n: usize| clocks.iter().find(|c| c.rounds == n).expect("an n of the paper");
    let two_rounds = at(2);
    list.push(claim(
        WHO,
        "section 5.2: two rounds a clock take (4A + F)/2 each",
        Verdict::when(two_rounds.paper.additions == 4 && two_rounds.paper.functions == 1),
        format!(
            "the clock of Figure 5 is {}, as in Figure 6, in section 5.3 and in Table 1; 2A a round.",
            two_rounds.paper
        ),
    ));
    // Figure 6, TEMP of t+4: the braces are those of its two operands.
    let form = |n: usize| unfolded_clock(&block, n, &delays).paper;
    let (third, fourth) = (form(4), form(5));
    list.push(claim(
        WHO,
        "Figure 6: S5(TEMP[t+3]) is ready at 6A + 2F",
        Verdict::when(third.additions == 6 && third.functions == 2),
        format!(
            "TEMP[t+3] is ready at {third}, as its own line says; the line's result {fourth} is right \
             all the same, for its other operand is ready at 6A+2F."
        ),
    ));
    let total = |n: usize, retimed: bool| {
        let clock = at(n);
        let time = if retimed { clock.retimed } else { clock.paper };
        clock.clocks(80) as f64 * time.value
    };
    let best = |retimed: bool| {
        PAPER_N.into_iter().min_by(|&x, &y| total(x, retimed).total_cmp(&total(y, retimed)))
    };
    list.push(claim(
        WHO,
        "n = 8 is the optimum",
        Verdict::assuming(best(false) == Some(8)),
        format!(
            "with registers for the state alone n = {} is least ({} at A = {}, F = {}); with \
             registers anywhere n = {} is ({}), where the clock {} meets the iteration bound.",
            best(false).unwrap_or(0),
            two(total(8, false)),
            delays.add,
            delays.function,
            best(true).unwrap_or(0),
            two(total(best(true).unwrap_or(1), true)),
            at(2).retimed,
        ),
    ));
    Ok(list)
}
