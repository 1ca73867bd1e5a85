//! Orders of kernels: the convergence of searches, the cost of one machine's order on another,
//! and Young's table. All figures are from records.

use std::collections::{BTreeMap, BTreeSet};

use lanesum_measure::{RecordError, Source, Table};
use lanesum_spec::Family;

use crate::figures::{Curve, convergence as curves};
use crate::{Section, Sources, brief, two};
use lanesum_kernels::search::study::{AGAIN, Crossed};
use lanesum_model::Machine;
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
    Ok(vec![convergence(sources), crossing(sources), young(sources, kernels)?])
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
            let by = if searched.by == "here" { &record.source.machine } else { &searched.by };
            section.figure(
                &format!("{} {by}: cycles per block of the best order so far", searched.kernel),
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
    let mut section = Section::new("How an order for another machine performs");
    section.text(
        "Young found that code tuned for the K7 was fastest everywhere, and asked whether this is \
         true in general. Each row is an order: the list scheduler's, one from a local search by \
         the model of each machine, and one found by measuring. Each column is a kernel; its heading \
         has the measured cycles per block of its best order, and its cells the extra time of each order, in percent. \
         Kernels for 32-bit CPUs, such as the K7, are not measured.",
    );
    if sources.crossing.is_empty() {
        section.text("Not measured here.");
    }
    let name_of = |order: &str| match sources.models.machine(order) {
        Ok(machine) => machine.shown(),
        Err(_) if order == "list" => order.to_owned(),
        Err(_) if order == "here" => "(measured)".to_owned(),
        Err(_) => format!("{order} (no model)"),
    };
    for record in &sources.crossing {
        section.text(measured(sources, &record.source));
        let machine = &record.source.machine;
        let mut orders: Vec<&str> = Vec::new();
        let mut kernels: Vec<(&str, f64, BTreeMap<&str, f64>)> = Vec::new();
        for (kernel, costs) in &record.kernels {
            let here = costs.iter().filter(|cost| cost.machine == "here");
            let times: BTreeMap<&str, f64> =
                here.clone().map(|cost| (cost.found_for.as_str(), cost.cycles)).collect();
            let Some(least) = times.values().copied().reduce(f64::min) else { continue };
            if let Some((here, shipped)) =
                disturbed(Some(least), shipped(sources, &record.source, kernel))
            {
                section.text(format!(
                    "{kernel} is omitted: another program shared the core during the run (no order took less than \
                     {here:.0} cycles; the shipped kernel takes {shipped:.0})."
                ));
                continue;
            }
            if record.source.is_crowded() {
                section.text(format!(
                    "{kernel} is omitted: {machine} ran more programs than it has CPUs."
                ));
                continue;
            }
            for cost in here {
                if !orders.contains(&cost.found_for.as_str()) {
                    orders.push(&cost.found_for);
                }
            }
            kernels.push((kernel, least, times));
        }
        if kernels.is_empty() {
            continue;
        }
        let rows = orders.iter().map(|order| {
            let cells = kernels.iter().map(|(_, least, times)| {
                let more = times.get(order).map(|cycles| 100.0 * (cycles / least - 1.0));
                more.map_or("-".to_owned(), |more| format!("{more:.1}"))
            });
            std::iter::once(name_of(order)).chain(cells).collect()
        });
        let heads: Vec<String> =
            kernels.iter().map(|(kernel, least, _)| format!("{kernel} ({least:.0})")).collect();
        let mut columns = vec!["order for"];
        columns.extend(heads.iter().map(String::as_str));
        section.table(
            &format!("Measured on {machine}, {}: percent above the minimum.", record.source.date),
            &columns,
            rows.collect(),
        );
        for (kernel, least, times) in &kernels {
            for (order, cycles) in times.iter().filter(|(_, cycles)| **cycles > 2.0 * least) {
                section.text(format!(
                    "{kernel} in the {} order takes {:.1} times the minimum: the median of {AGAIN} runs, which \
                     alternated with the other orders. The models do not predict it.",
                    name_of(order),
                    cycles / least
                ));
            }
        }
    }
    section
}

/// The cycles per block of a shipped kernel on the machine of a record, from the record of
/// instructions.
fn shipped(sources: &Sources, source: &Source, kernel: &str) -> Option<f64> {
    shipped_where(sources, kernel, |other| other.machine == source.machine)
}

/// The cycles per block of a shipped kernel on a machine of the models.
pub(crate) fn shipped_on(sources: &Sources, machine: &str, kernel: &str) -> Option<f64> {
    shipped_where(sources, kernel, |source| {
        sources.is_of(&source.processor, &source.machine, machine)
    })
}

fn shipped_where(
    sources: &Sources,
    kernel: &str,
    is_wanted: impl Fn(&Source) -> bool,
) -> Option<f64> {
    let (algorithm, isa) = kernel.split_once('_')?;
    let table = sources.instructions.iter().find(|table| is_wanted(&table.source))?;
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
        "Instructions per block, counted by callgrind, measured cycles, and the bound by constants \
         with a source: the chain from round to round, or the busiest pool of units. Kernels with \
         SSSE3, AVX, AVX2 or AVX-512 are bounded by their rounds without the schedule. A measurement below its bound is an error.",
    );
    if sources.instructions.is_empty() {
        section.text("Not measured here.");
    }
    let cores = sources.models.cores();
    for record in &sources.instructions {
        section.text(measured(sources, &record.source));
        let core = cores.of(&record.source.processor, &record.source.machine);
        let machine = core.and_then(|core| sources.models.machine(&core.name).ok());
        let (mut rows, mut origins) = (Vec::new(), BTreeSet::new());
        for line in &record.rows {
            let bound = match (machine, family(&line.algorithm)) {
                (Some(machine), Some(family)) => kernels
                    .bounds(machine, family)?
                    .into_iter()
                    .find(|bound| bound.kernel == bound_of(&line.kernel)),
                _ => None,
            };
            let cycles = line.cycles;
            if let (Some(bound), Some(cycles)) = (&bound, cycles) {
                let Source { machine, date, .. } = &record.source;
                let (algorithm, kernel) = (&line.algorithm, &line.kernel);
                let what = format!("{algorithm} by {kernel} on {machine}, {date},");
                bound.admits(cycles / line.bytes, &what)?;
                origins.extend(bound.bound().sources().map(ToString::to_string));
            }
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
                    (Some(c), Some(b)) if b.cycles() > 0.0 => two(c / b.cycles()),
                    _ => "-".to_owned(),
                },
            ]);
        }
        if !origins.is_empty() {
            let origins: Vec<String> = origins.into_iter().collect();
            section.text(format!("The constants of these bounds are from {}.", origins.join("; ")));
        }
        let model = machine.map_or("no model".to_owned(), Machine::titled);
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

/// The kernel of the models that bounds one of the engine. The models have the schedule of SSE2; others
/// take fewer instructions, so only their rounds are bounded.
fn bound_of(kernel: &str) -> &str {
    match kernel {
        "sse2_x1" => "sse2_stitched",
        "ssse3_x1" | "avx_x1" | "avx2_x1" | "avx512_x1" => "rounds",
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
