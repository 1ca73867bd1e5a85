//! Orders of kernels: the convergence of searches, the cost of one machine's order on another,
//! and Young's table. All figures are from records.

use std::collections::BTreeMap;

use lanesum_measure::{RecordError, Source, Table};
use lanesum_spec::Family;

use crate::figures::{Curve, convergence as curves};
use crate::{Section, Sources, brief, mca, two};
use lanesum_kernels::search::study::{AGAIN, Crossed};
use lanesum_model::analyse::{BoundError, Kernels};

/// The convergence of the searches on one machine, by kernel: the costs measured during the
/// search, and the costs of the best orders when measured again alternately.
#[derive(Clone, Debug)]
pub struct Convergence {
    source: Source,
    kernels: Vec<Searched>,
}

#[derive(Clone, Debug)]
struct Searched {
    kernel: String,
    /// The machine's model, or `here`.
    by: String,
    curves: BTreeMap<String, Vec<(f64, f64)>>,
    after: BTreeMap<String, f64>,
}

/// The cost of orders by kernel, by the machine that the order was found for, and by the
/// machine that runs it.
#[derive(Clone, Debug)]
pub struct Crossing {
    source: Source,
    kernels: Vec<(String, Vec<Crossed>)>,
}

/// A line of Young's table.
#[derive(Clone, Debug)]
pub struct Counted {
    algorithm: String,
    kernel: String,
    bytes: f64,
    instructions: f64,
    cycles: Option<f64>,
}

/// Young's table of one machine.
#[derive(Clone, Debug)]
pub struct InstructionTable {
    source: Source,
    rows: Vec<Counted>,
}

impl Convergence {
    /// From a record `convergence`.
    ///
    /// # Errors
    ///
    /// A column is missing, or a field is not a number.
    pub fn from_table(table: &Table) -> Result<Self, RecordError> {
        let [kernel, by] = [table.column("kernel")?, table.column("machine")?];
        let [method, stage] = [table.column("method")?, table.column("stage")?];
        let [evaluations, cycles] = [table.column("evaluations")?, table.column("cycles")?];
        let mut kernels: Vec<Searched> = Vec::new();
        for row in table.rows() {
            let (name, by) = (row.text(&kernel), row.text(&by));
            let place = kernels.iter().position(|k| k.kernel == name && k.by == by);
            let place = place.unwrap_or_else(|| {
                let (curves, after) = (BTreeMap::new(), BTreeMap::new());
                kernels.push(Searched {
                    kernel: name.to_owned(),
                    by: by.to_owned(),
                    curves,
                    after,
                });
                kernels.len() - 1
            });
            let method = row.text(&method).to_owned();
            let cycles = table.number(row, &cycles)?;
            if row.text(&stage) == "after" {
                kernels[place].after.insert(method, cycles);
            } else {
                let point = (table.number(row, &evaluations)?, cycles);
                kernels[place].curves.entry(method).or_default().push(point);
            }
        }
        Ok(Self { source: Source::of(table), kernels })
    }
}

impl Crossing {
    /// From a record `orders`.
    ///
    /// # Errors
    ///
    /// A column is missing, or a field is not a number.
    pub fn from_table(table: &Table) -> Result<Self, RecordError> {
        let [kernel, found_for] = [table.column("kernel")?, table.column("found_for")?];
        let [machine, cycles] = [table.column("machine")?, table.column("cycles")?];
        let mut kernels: Vec<(String, Vec<Crossed>)> = Vec::new();
        for row in table.rows() {
            let cost = Crossed {
                found_for: row.text(&found_for).to_owned(),
                machine: row.text(&machine).to_owned(),
                cycles: table.number(row, &cycles)?,
            };
            match kernels.iter_mut().find(|(name, _)| name == row.text(&kernel)) {
                Some((_, costs)) => costs.push(cost),
                None => kernels.push((row.text(&kernel).to_owned(), vec![cost])),
            }
        }
        Ok(Self { source: Source::of(table), kernels })
    }
}

impl InstructionTable {
    /// From a record `instructions`, which may lack cycles.
    ///
    /// # Errors
    ///
    /// A column is missing, or a field is not a number.
    pub fn from_table(table: &Table) -> Result<Self, RecordError> {
        let [algorithm, kernel] = [table.column("algorithm")?, table.column("kernel")?];
        let [bytes, count] =
            [table.column("block_bytes")?, table.column("instructions_per_block")?];
        let cycles = table.column("cycles_per_block").ok();
        let counted = |line: &lanesum_measure::Row| {
            Ok(Counted {
                algorithm: line.text(&algorithm).to_owned(),
                kernel: line.text(&kernel).to_owned(),
                bytes: table.number(line, &bytes)?,
                instructions: table.number(line, &count)?,
                cycles: cycles.as_ref().map(|column| table.number(line, column)).transpose()?,
            })
        };
        let rows: Result<Vec<Counted>, RecordError> = table.rows().iter().map(counted).collect();
        Ok(Self { source: Source::of(table), rows: rows? })
    }
}

/// The sections.
///
/// # Errors
///
/// A model refers to a missing item, or a pass is not proven.
pub(crate) fn sections(
    sources: &Sources,
    kernels: &mut Kernels<'_>,
) -> Result<Vec<Section>, BoundError> {
    Ok(vec![
        convergence(sources),
        crossing(sources),
        young(sources, kernels)?,
        mca::section(kernels)?,
    ])
}

/// The source of a record: the CPU by its name in the models, the commit and the load.
fn measured(sources: &Sources, source: &Source) -> String {
    format!("Measured on {}.", source.shown(&sources.models.cores()))
}

fn convergence(sources: &Sources) -> Section {
    let mut section = Section::new("Orders: how searches converge");
    section.text(
        "Many orders of a kernel's instructions compute the same result. A list scheduler finds one \
         without measuring any. Each search starts from that order, moves one kind of operation \
         within its round, and measures the new order. Because measurements are noisy, the best order is \
         measured again at the end, alternating with the others.",
    );
    section.text("The columns:");
    section.list(&[
        "*compiler*: the code of the system's C compiler for the specification, with the same instructions",
        "*list*: the list scheduler's order",
        "*local*, *genetic*: the best orders of a local and of a genetic search",
        "*evaluations to 1 %*: the number of orders that a search had measured when it was within 1 % of \
         its final result",
        "*list, more time* and *compiler, more time*: the extra time compared with the better search",
    ]);
    if sources.convergence.is_empty() {
        section.text("Not measured here.");
    }
    for record in &sources.convergence {
        section.text(measured(sources, &record.source));
        let mut rows = Vec::new();
        for searched in &record.kernels {
            let at = |method: &str| searched.after.get(method).copied();
            let cell = |method: &str| at(method).map_or("-".to_owned(), |c| format!("{c:.1}"));
            let best = ["local", "genetic"].into_iter().filter_map(at).reduce(f64::min);
            let more = |than: Option<f64>| match (than, best) {
                (Some(than), Some(best)) => format!("{:+.1} %", 100.0 * (than / best - 1.0)),
                _ => "-".to_owned(),
            };
            rows.push(vec![
                searched.kernel.clone(),
                cell("compiler"),
                cell("list"),
                cell("local"),
                cell("genetic"),
                format!("{} / {}", near(searched, "local"), near(searched, "genetic")),
                more(at("list")),
                more(at("compiler")),
            ]);
            let curve = |method: &'static str| {
                let points = searched.curves.get(method).cloned().unwrap_or_default();
                Curve { name: method, points }
            };
            let level = |name: &'static str, method: &str| {
                let found = searched.curves.get(method).and_then(|points| points.first());
                at(method).or(found.map(|p| p.1)).map(|cycles| (name, cycles))
            };
            let levels = [level("compiler", "compiler"), level("list scheduler", "list")];
            let levels: Vec<(&str, f64)> = levels.into_iter().flatten().collect();
            section.figure(
                &format!(
                    "{}: cycles per block of the best order so far, by {}",
                    searched.kernel,
                    if searched.by == "here" { &record.source.machine } else { &searched.by }
                ),
                curves(&[curve("local"), curve("genetic")], &levels),
            );
        }
        section.table(
            &format!("Cycles per block, {}, {}.", record.source.machine, record.source.date),
            &[
                "kernel",
                "compiler",
                "list",
                "local",
                "genetic",
                "evaluations to 1 % (local / genetic)",
                "list, more time",
                "compiler, more time",
            ],
            rows,
        );
    }
    section
}

/// The number of evaluations after which a search was within 1 % of its result.
fn near(searched: &Searched, method: &str) -> String {
    let points = searched.curves.get(method).map_or(&[][..], Vec::as_slice);
    let Some(&(_, end)) = points.last() else { return "-".to_owned() };
    let found = points.iter().find(|(_, cycles)| *cycles <= 1.01 * end);
    found.map_or("-".to_owned(), |(evaluations, _)| format!("{evaluations:.0}"))
}

fn crossing(sources: &Sources) -> Section {
    let mut section = Section::new("How an order performs on other machines");
    section.text(
        "Young found that code tuned for the K7 was fastest everywhere, and asked whether this is \
         true in general. Each row is an order: the list scheduler's, one from a local search for \
         the model of each machine, and one found by measuring. Each column is a machine; its heading \
         has the cycles per block of its best order, and its cells the extra time of each order, in \
         percent. The last two columns are the maximum and the mean of the row.",
    );
    if sources.crossing.is_empty() {
        section.text("Not measured here.");
    }
    for record in &sources.crossing {
        section.text(measured(sources, &record.source));
        for (kernel, costs) in &record.kernels {
            let mut machines: Vec<&str> = Vec::new();
            let mut orders: Vec<&str> = Vec::new();
            for Crossed { found_for: order, machine, .. } in costs {
                if !machines.contains(&machine.as_str()) {
                    machines.push(machine);
                }
                if !orders.contains(&order.as_str()) {
                    orders.push(order);
                }
            }
            let cost = |order: &str, machine: &str| {
                let found = costs.iter().find(|c| c.found_for == order && c.machine == machine);
                found.map(|c| c.cycles)
            };
            let here = orders.iter().filter_map(|o| cost(o, "here")).reduce(f64::min);
            let disturbed = disturbed(here, shipped(sources, &record.source, kernel));
            let crowded = here.is_some() && record.source.is_crowded();
            if crowded || disturbed.is_some() {
                machines.retain(|machine| *machine != "here");
            }
            let least: Vec<f64> = machines
                .iter()
                .map(|machine| {
                    orders.iter().filter_map(|o| cost(o, machine)).fold(f64::INFINITY, f64::min)
                })
                .collect();
            let mut verdict = (f64::INFINITY, "");
            let rows = orders
                .iter()
                .map(|order| {
                    let more: Vec<f64> = machines
                        .iter()
                        .zip(&least)
                        .map(|(machine, least)| {
                            100.0 * (cost(order, machine).unwrap_or(f64::NAN) / least - 1.0)
                        })
                        .collect();
                    let worst = more.iter().copied().fold(0.0, f64::max);
                    let mean = more.iter().sum::<f64>() / more.len() as f64;
                    if worst < verdict.0 {
                        verdict = (worst, order);
                    }
                    let name = if *order == "here" { "(measured)" } else { *order };
                    let mut row = vec![name.to_owned()];
                    row.extend(more.iter().chain([&worst, &mean]).map(|m| format!("{m:.1}")));
                    row
                })
                .collect();
            let heads: Vec<String> = machines
                .iter()
                .zip(&least)
                .map(|(machine, least)| {
                    let machine =
                        if *machine == "here" { &record.source.machine } else { *machine };
                    format!("{machine} ({least:.0})")
                })
                .collect();
            let mut columns = vec!["order for"];
            columns.extend(heads.iter().map(String::as_str));
            columns.extend(["worst", "mean"]);
            let machine = &record.source.machine;
            let basis = match disturbed {
                Some((here, shipped)) => format!(
                    "All columns are models. {machine} is omitted: another program shared its core during \
                     the run (no order took less than {here:.0} cycles; the shipped kernel takes {shipped:.0})."
                ),
                None if crowded => format!(
                    "All columns are models. {machine} is omitted: it ran more programs than it has CPUs."
                ),
                None if machines.contains(&"here") => {
                    format!("{machine} was measured; the other columns are models.")
                }
                None => "All columns are models.".to_owned(),
            };
            let best = match verdict.1 {
                "here" => "The measured order".to_owned(),
                "list" => "The list scheduler's order".to_owned(),
                machine => format!("The order for {machine}"),
            };
            section.table(
                &format!(
                    "{kernel}, {}: percent above the minimum of each machine, with that minimum in cycles per \
                     block in parentheses. {basis} {best} is at most {:.1} % above.",
                    record.source.date, verdict.0
                ),
                &columns,
                rows,
            );
            let slow = orders.iter().filter(|order| {
                let times = cost(order, "here").zip(here).map(|(cycles, least)| cycles / least);
                machines.contains(&"here") && times.is_some_and(|times| times > 2.0)
            });
            for order in slow {
                section.text(format!(
                    "The slowdown of the {order} order on {machine} is reproducible: the figure is the median \
                     of {AGAIN} runs, alternating with the other orders. Its cause is unknown."
                ));
            }
        }
    }
    section
}

/// The cycles per block of a shipped kernel on the machine of a record, from the record of
/// instructions.
fn shipped(sources: &Sources, source: &Source, kernel: &str) -> Option<f64> {
    let (algorithm, isa) = kernel.split_once('_')?;
    let table = sources.instructions.iter().find(|table| table.source.machine == source.machine)?;
    let is_shipped =
        |line: &&Counted| line.algorithm == algorithm && line.kernel == format!("{isa}_asm_x1");
    table.rows.iter().find(is_shipped)?.cycles
}

/// The minimum of all orders and the time of the shipped kernel, if the minimum is so much larger
/// that other programs must have used the core: the same search found the shipped order.
fn disturbed(least: Option<f64>, shipped: Option<f64>) -> Option<(f64, f64)> {
    least.zip(shipped).filter(|(least, shipped)| *least > 1.2 * shipped)
}

fn young(sources: &Sources, kernels: &mut Kernels<'_>) -> Result<Section, BoundError> {
    let mut section = Section::new("Young's table: instructions, cycles, instructions per cycle");
    section.text(
        "Instructions per block, counted by callgrind, measured cycles, and the bound of the most \
         similar kernel in the models: the chain from round to round, or the busiest pool of units.",
    );
    if sources.instructions.is_empty() {
        section.text("Not measured here.");
    }
    let cores = sources.models.cores();
    for record in &sources.instructions {
        section.text(measured(sources, &record.source));
        let core = cores.of(&record.source.processor, &record.source.machine);
        let machine = core.and_then(|core| sources.models.machine(&core.name).ok());
        let mut rows = Vec::new();
        for line in &record.rows {
            let bound = match (machine, family(&line.algorithm)) {
                (Some(machine), Some(family)) => kernels
                    .bounds(machine, family)?
                    .into_iter()
                    .find(|bound| bound.kernel == bound_of(&line.kernel)),
                _ => None,
            };
            let cycles = line.cycles;
            rows.push(vec![
                line.algorithm.clone(),
                line.kernel.clone(),
                format!("{:.0}", line.instructions),
                cycles.map_or("-".to_owned(), |c| format!("{c:.0}")),
                cycles.map_or("-".to_owned(), |c| two(line.instructions / c)),
                cycles.map_or("-".to_owned(), |c| two(c / line.bytes)),
                bound
                    .as_ref()
                    .map_or("-".to_owned(), |b| format!("{} ({})", brief(b.cycles()), b.limit())),
                match (cycles, &bound) {
                    (Some(c), Some(b)) => two(c / b.cycles()),
                    _ => "-".to_owned(),
                },
            ]);
        }
        let model = machine.map_or("no model", |machine| machine.title.as_str());
        section.table(
            &format!("Per block, {} ({model}), {}.", record.source.machine, record.source.date),
            &[
                "algorithm",
                "kernel",
                "instructions",
                "cycles",
                "IPC",
                "cycles/byte",
                "bound, cycles",
                "cycles / bound",
            ],
            rows,
        );
    }
    Ok(section)
}

fn family(algorithm: &str) -> Option<Family> {
    match algorithm {
        "sha1" => Some(Family::Sha1),
        "sha256" => Some(Family::Sha256),
        "sha512" => Some(Family::Sha512),
        _ => None,
    }
}

/// The kernel of the models that bounds one of the engine.
fn bound_of(kernel: &str) -> &str {
    match kernel {
        "sse2_x1" | "ssse3_x1" => "sse2_stitched",
        "avx_x1" | "avx2_x1" | "avx512_x1" => "sse2_stitched",
        name if name.contains("asm")
            || name.starts_with("portable")
            || name.starts_with("bmi2") =>
        {
            "scalar"
        }
        name => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_busy_core_took_is_left_out() {
        assert_eq!(disturbed(Some(658.0), Some(486.0)), Some((658.0, 486.0)));
        // The shipped kernel may be the slow one.
        let free = [(Some(252.0), Some(231.0)), (Some(620.0), Some(1298.0)), (Some(658.0), None)];
        assert!(free.iter().all(|(least, shipped)| disturbed(*least, *shipped).is_none()));
    }
}
