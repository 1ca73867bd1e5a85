//! `lanesum bench --plan`: compares the engine's batch plan with every single kernel.

use std::fmt::Write as _;

use lanesum_measure::Spread;

use super::Results;
use super::measure::{Case, Subject};

/// Plans slower than the best single kernel by more than this factor are marked.
const SLOW_PLAN_RATIO: f64 = 1.03;

/// Returns the plan and each kernel as subjects, for each batch size.
pub(super) fn subjects(counts: &[usize], of: &[Subject]) -> Vec<Subject> {
    let kernels = of.iter().filter_map(|subject| match subject {
        Subject::Kernel(kernel) => Some(Some(*kernel)),
        _ => None,
    });
    let all: Vec<_> = [None].into_iter().chain(kernels).collect();
    counts
        .iter()
        .flat_map(|&count| all.iter().map(move |&only| Subject::Many(count, only)))
        .collect()
}

/// A batch: its results with the plan and with the best single kernel.
struct Line<'c> {
    plan: &'c Case,
    best: &'c Case,
    /// Core cycles per message with the plan and with the best kernel.
    cycles: [Spread; 2],
}

impl Line<'_> {
    /// Returns the plan's time relative to the best kernel's, at the lower quartiles: minima are
    /// too noisy.
    fn ratio(&self) -> f64 {
        let [plan, best] = self.cycles;
        plan.lower / best.lower
    }
}

/// Returns the batches with plausible samples, grouped by algorithm and length.
fn lines(results: &Results) -> Vec<Line<'_>> {
    let is_plan = |case: &&Case| matches!(case.subject, Subject::Many(_, None));
    let line = |plan| {
        let is_same = |case: &&Case| {
            let of = |case: &Case| (case.algorithm, case.len, case.subject.lanes());
            of(case) == of(plan) && !is_plan(case)
        };
        let kernels = results.cases.iter().filter(is_same);
        let timed = kernels.filter_map(|case| Some((case, case.message_cycles()?)));
        let (best, of_best) = timed.min_by(|a, b| a.1.lower.total_cmp(&b.1.lower))?;
        Some(Line { plan, best, cycles: [plan.message_cycles()?, of_best] })
    };
    let mut lines: Vec<Line<'_>> = results.cases.iter().filter(is_plan).filter_map(line).collect();
    let algorithms = super::show::algorithms(results);
    let of = |line: &Line<'_>| algorithms.iter().position(|&other| other == line.plan.algorithm);
    lines.sort_by_key(|line| (of(line), line.plan.len));
    lines
}

/// Formats a table for each algorithm and length.
pub(super) fn text(results: &Results) -> String {
    let (mut out, lines) = (super::show::head(results), lines(results));
    let mut last = None;
    for line in &lines {
        let of = (line.plan.algorithm, line.plan.len);
        if last.replace(of) != Some(of) {
            let (name, len) = (of.0.name(), of.1);
            let _ = writeln!(
                out,
                "\n{name}, {len} bytes\n{:>8} {:>13} {:>13}  {:<14} {:>6}",
                "messages", "plan, cycles", "best, cycles", "kernel", "ratio"
            );
        }
        let ratio = line.ratio();
        let _ = writeln!(
            out,
            "{:>8} {:>13.1} {:>13.1}  {:<14} {ratio:>6.3}{}",
            line.plan.subject.lanes(),
            line.cycles[0].lower,
            line.cycles[1].lower,
            line.best.subject.name(),
            if ratio > SLOW_PLAN_RATIO { " <" } else { "" },
        );
    }
    let behind = lines.iter().filter(|line| line.ratio() > SLOW_PLAN_RATIO).count();
    let _ = writeln!(
        out,
        "\nCore cycles per message, lower quartile. {behind} of {} plans take more than {SLOW_PLAN_RATIO} times as long as\n\
         the best single kernel (<).",
        lines.len()
    );
    out
}

/// Formats the table of a record.
pub(super) fn table(results: &Results) -> String {
    let mut out = String::from(
        "algorithm,bytes,messages,cycles_min,cycles_p25,cycles_median,kernel,kernel_cycles_min,\
         kernel_cycles_p25,kernel_cycles_median,ratio\n",
    );
    for line in lines(results) {
        let [plan, best] = line.cycles.map(|Spread { least, lower, median, .. }| {
            format!("{least:.1},{lower:.1},{median:.1}")
        });
        let _ = writeln!(
            out,
            "{},{},{},{plan},{},{best},{:.3}",
            line.plan.algorithm.name(),
            line.plan.len,
            line.plan.subject.lanes(),
            line.best.subject.name(),
            line.ratio(),
        );
    }
    out
}
