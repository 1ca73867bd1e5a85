//! `lanesum tune`: measures the costs of kernels, from which batches are planned.

use std::fmt::Write as _;
use std::time::Duration;

use lanesum::unstable::CostsFile;
use lanesum::{Engine, Family, Kernel, Policy, PolicyError};

use super::measure::{self, Case, Subject};
use super::show;
use crate::args::Tune;
use crate::message::{Shown, print_message};
use crate::output::{Output, Stop};
use crate::{CommandResult, Reported};

/// Blocks per lane. The built-in costs are for messages of this length, too.
const BLOCKS: usize = 64;

/// The maximum number of messages that a plan distributes to kernels.
const MAX_MESSAGES: usize = 32;

/// A kernel, a family, and the cost of a block in every lane, in tenths of a cycle.
type Cost = (Kernel, Family, u32);

pub(crate) fn run(args: &Tune) -> CommandResult {
    // Opened before measuring, so that an error is reported immediately.
    let output = args.output.as_deref().map(Output::file).transpose();
    let output = output.map_err(|stop| stop.print_message())?;
    let cases = Family::ALL.into_iter().flat_map(|family| {
        let len = BLOCKS * family.block_len();
        let algorithm = family.algorithm();
        Kernel::all().filter_map(move |kernel| Case::new(algorithm, Subject::Kernel(kernel), len))
    });
    let mut results = super::measured(cases.collect(), Duration::from_secs_f64(args.seconds));
    measure::keep_quiet_rounds(&mut results.cases);
    let costs: Vec<Cost> = results.cases.iter().filter_map(cost).collect();
    if costs.is_empty() {
        print_message("no sample is plausible: measure again on an idle machine");
        return Err(Reported::Failed);
    }
    let file = CostsFile(&costs).to_string();
    let mut text = show::head(&results);
    let unmeasured = results.cases.len() - costs.len();
    if unmeasured > 0 {
        let _ = writeln!(text, "{unmeasured} costs are unchanged: no sample is plausible");
    }
    text += &changes(&file, &costs).map_err(|error| {
        print_message(error);
        Reported::Failed
    })?;
    match (output, &args.output) {
        (Some(output), Some(path)) => {
            write(output, &file).map_err(|stop| stop.print_message())?;
            let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
            text +=
                &format!("\nTo use these costs, set LANESUM_COSTS={}\n", Shown(path.as_os_str()));
        }
        _ => text += "\nNo file was written; '--output FILE' writes one for LANESUM_COSTS.\n",
    }
    crate::print(text.as_bytes())
}

fn write(mut output: Output, text: &str) -> Result<(), Stop> {
    output.buffer().extend_from_slice(text.as_bytes());
    output.finish()
}

/// Returns the cost of a measured kernel; `None` without a plausible sample.
fn cost(case: &Case) -> Option<Cost> {
    let Subject::Kernel(kernel) = case.subject else { return None };
    let cycles = case.message_cycles()?.median * kernel.lanes() as f64 / BLOCKS as f64;
    Some((kernel, case.algorithm.family(), (10.0 * cycles).round() as u32))
}

/// Formats the batches for which the costs in `file` select other kernels than the built-in costs.
fn changes(file: &str, costs: &[Cost]) -> Result<String, PolicyError> {
    let built_in = Policy::parse("")?;
    let measured = built_in.clone().with_costs(file)?;
    let mut lines = String::new();
    for family in Family::ALL {
        let engines = [&built_in, &measured].map(|policy| policy.engine(family.algorithm()));
        let [Ok(before), Ok(after)] = engines else { continue };
        let kernels = |messages| [before.kernel(messages), after.kernel(messages)];
        let mut first = 1;
        while first <= MAX_MESSAGES {
            let [old, new] = kernels(first);
            let is_same = |&messages: &usize| kernels(messages) == [old, new];
            let last = (first..=MAX_MESSAGES).take_while(is_same).last().unwrap_or(first);
            if old != new {
                let range = match first == last {
                    true => first.to_string(),
                    false => format!("{first}-{last}"),
                };
                let [before, after] = [&before, &after]
                    .map(|engine| (first..=last).map(|n| plan_cost(engine, n, costs)).sum::<f64>());
                // Unknown if one of the kernels has no plausible sample.
                let percent = (100.0 * (after / before - 1.0)).round() as i64;
                let percent = if after.is_nan() || before.is_nan() {
                    "?".into()
                } else {
                    percent.to_string()
                };
                let _ = writeln!(
                    lines,
                    "{:<10} {range:>8}  {old:<14} {new:<14} {percent:>4} %",
                    family.name()
                );
            }
            first = last + 1;
        }
    }
    if lines.is_empty() {
        return Ok("\nThe measured costs select the same kernels as the built-in costs.\n".into());
    }
    Ok(format!(
        "\n{:<10} {:>8}  {:<14} {:<14} {:>6}\n{lines}\n\
         Batches for which the measured costs select another first kernel than the built-in costs, and the\n\
         estimated change of their time.\n",
        "family", "messages", "built-in", "measured", "time"
    ))
}

/// Returns the cost of a block of each of `messages` messages by an engine's plan, in tenths of a cycle.
fn plan_cost(engine: &Engine, messages: usize, costs: &[Cost]) -> f64 {
    let family = engine.algorithm().family();
    let (mut left, mut sum) = (messages, 0.0);
    while left > 0 {
        let kernel = engine.kernel(left);
        let of = costs.iter().find(|cost| (cost.0, cost.1) == (kernel, family));
        sum += of.map_or(f64::NAN, |cost| f64::from(cost.2));
        left = left.saturating_sub(kernel.lanes());
    }
    sum
}
