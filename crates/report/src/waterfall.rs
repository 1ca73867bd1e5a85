//! The time of each kernel on each measured machine, split into the limits of the core.

use lanesum_measure::{RecordError, Row, Table};
use lanesum_model::analyse::{BoundError, EXACT, Refuted};
use lanesum_model::{Machine, Record};
use lanesum_spec::Algorithm;
use serde::Serialize;

use crate::svg::Svg;
use crate::{Section, Sources};

/// The limits of a kernel on a machine, in cycles per block of every lane.
#[derive(Clone, Debug, PartialEq)]
pub struct Simulated {
    model: String,
    algorithm: String,
    kernel: String,
    lanes: f64,
    instructions: f64,
    chain: f64,
    pool: String,
    ports: f64,
    dispatch: f64,
    order: f64,
    window: f64,
    memory: f64,
    binding: f64,
    llvm_mca: Option<f64>,
}

impl Simulated {
    /// The rows of a record.
    ///
    /// # Errors
    ///
    /// A column is missing, or a number is malformed.
    pub fn from_table(table: &Table) -> Result<Vec<Self>, RecordError> {
        let of = |row: &Row| {
            let text = |name| Ok::<_, RecordError>(row.text(&table.column(name)?).to_owned());
            let number = |name| table.number(row, &table.column(name)?);
            Ok(Self {
                model: text("model")?,
                algorithm: text("algorithm")?,
                kernel: text("kernel")?,
                lanes: number("lanes")?,
                instructions: number("instructions")?,
                chain: number("chain")?,
                pool: text("pool")?,
                ports: number("ports")?,
                dispatch: number("dispatch")?,
                order: number("order")?,
                window: number("window")?,
                memory: number("memory")?,
                binding: number("binding")?,
                llvm_mca: text("llvm_mca")?.parse().ok(),
            })
        };
        table.rows().iter().map(of).collect()
    }

    /// The highest of its bounds, and its name.
    fn bound(&self) -> (&str, f64) {
        let bounds = [("chain", self.chain), (&self.pool, self.ports), ("dispatch", self.dispatch)];
        bounds.into_iter().max_by(|x, y| x.1.total_cmp(&y.1)).expect("three bounds")
    }

    /// The cycles that each further limit of the simulated core adds.
    fn steps(&self) -> [f64; 4] {
        [
            self.order - self.bound().1,
            self.window - self.order,
            self.memory - self.window,
            self.binding - self.memory,
        ]
    }

    /// The measured cycles per block of every lane in a record.
    fn measured(&self, record: &Record) -> Option<f64> {
        Some(cycles_per_block(record, &self.algorithm, &self.kernel)? * self.lanes)
    }
}

/// The measured cycles per block of one lane of a kernel, for the longest messages of a record.
pub(crate) fn cycles_per_block(record: &Record, algorithm: &str, kernel: &str) -> Option<f64> {
    let rows = record.rows.iter();
    let of = rows.filter(|row| row.algorithm == algorithm && row.kernel == kernel);
    let longest = of.max_by_key(|row| row.blocks)?;
    let block = Algorithm::from_name(algorithm)?.block_len() as f64;
    Some(longest.cycles_per_byte_min * block)
}

/// Cycles per block of every lane of a kernel on a measured machine, in whole cycles as the page prints them.
#[derive(Debug, Serialize)]
struct Bar<'a> {
    algorithm: &'a str,
    kernel: &'a str,
    lanes: i64,
    chain: i64,
    pool: &'a str,
    units: i64,
    dispatch: i64,
    order: i64,
    schedulers: i64,
    memory: i64,
    bound_units: i64,
    simulated: i64,
    measured: i64,
}

impl<'a> Bar<'a> {
    fn new(row: &'a Simulated, measured: f64) -> Self {
        let whole = |cycles: f64| cycles.round_ties_even() as i64;
        let [order, schedulers, memory, bound_units] = row.steps().map(whole);
        Self {
            algorithm: &row.algorithm,
            kernel: &row.kernel,
            lanes: whole(row.lanes),
            chain: whole(row.chain),
            pool: &row.pool,
            units: whole(row.ports),
            dispatch: whole(row.dispatch),
            order,
            schedulers,
            memory,
            bound_units,
            simulated: whole(row.binding),
            measured: whole(measured),
        }
    }
}

/// The kernels of a measured machine.
#[derive(Debug, Serialize)]
pub(crate) struct Bars<'a> {
    name: &'a str,
    title: &'a str,
    measured: String,
    kernels: Vec<Bar<'a>>,
}

/// The residual that needs an explanation.
const RESIDUAL: f64 = 0.05;

/// The names of the steps of the figure after the bound.
const STEPS: [&str; 5] = [
    "order and units",
    "scheduler and reorder buffer",
    "loads and stores",
    "bound units",
    "residual",
];

pub(crate) fn sections(sources: &Sources) -> Result<Vec<Section>, BoundError> {
    let mut method = Section::new("Method");
    method.text(
        "`lanesum-graph simulate` executes each kernel's machine code, taken from the measured program, for a few \
         blocks, and records every instruction with its registers and memory accesses. Three lower bounds follow from \
         this code and from constants with a source ([listed here](bounds.md#constants-of-the-machines-and-their-sources)): the longest \
         chain from block to block (*chain*), the work of the busiest pool of units, and the instructions divided by \
         the dispatch width (*dispatch*). No run of this code can be faster than the highest of them. A measurement below it \
         by more than the accuracy of the clock, 1 %, stops the generation of this page.",
    );
    method.text(
        "A simulator then adds the other limits of the core, one at a time: the units and the dispatch in the \
         order of the code, with 2,048 instructions in flight; the entries of the schedulers and of the reorder buffer; \
         the latency and the units of loads and stores, including loads from earlier stores; and, on cores with a scheduler \
         per unit, the choice of a unit at dispatch. The core is assumed to choose the unit for which the fewest operations \
         waited at the start of the cycle, and to take turns among equals. These figures are estimates: they also use \
         constants without a source. For Zen 5, it has only the scheduler of general registers, with 88 entries, which \
         vector operations share, and no reorder buffer. What the simulator does not model: instruction fetch and \
         decoding, cache misses, write-back ports, and units that general and vector registers share.",
    );
    method.text(
        "*Residual* is the measured minimum minus the simulated cycles, in percent of the measured ones. *llvm-mca* is LLVM's \
         simulator, run on the same instructions. OSACA 0.7.1 lacks the SHA instructions and `rorx` for Zen 4, and \
         needs minutes for a thousand instructions, so its figures are omitted.",
    );
    let mut sections = vec![method];
    for (machine, record, rows) in measured_machines(sources) {
        sections.push(section(sources, machine, record, &rows)?);
    }
    Ok(sections)
}

/// The machines with measurements of simulated kernels.
fn measured_machines(
    sources: &Sources,
) -> impl Iterator<Item = (&Machine, &Record, Vec<(&Simulated, f64)>)> {
    sources.models.machines.iter().filter_map(|machine| {
        let record = sources.record_of(machine)?;
        let simulated = sources.simulated.iter().filter(|row| row.model == machine.name);
        let rows: Vec<(&Simulated, f64)> =
            simulated.filter_map(|row| Some((row, row.measured(record)?))).collect();
        (!rows.is_empty()).then_some((machine, record, rows))
    })
}

/// The figures of the page's tables.
pub(crate) fn bars(sources: &Sources) -> Vec<Bars<'_>> {
    let machines = measured_machines(sources).map(|(machine, record, rows)| Bars {
        name: &machine.name,
        title: &machine.title,
        measured: format!("{}, {}", record.machine, record.date),
        kernels: rows.iter().map(|(row, measured)| Bar::new(row, *measured)).collect(),
    });
    machines.collect()
}

fn section(
    sources: &Sources,
    machine: &Machine,
    record: &Record,
    rows: &[(&Simulated, f64)],
) -> Result<Section, BoundError> {
    let mut section = Section::new(&machine.title);
    let mut table = Vec::new();
    let mut unexplained = Vec::new();
    for (row, measured) in rows {
        let (limit, bound) = row.bound();
        if *measured < EXACT * bound {
            let block = Algorithm::from_name(&row.algorithm).map_or(1, Algorithm::block_len) as f64;
            return Err(BoundError::Refuted(Refuted {
                measured: format!(
                    "{} by {} on {}, {},",
                    row.algorithm, row.kernel, record.machine, record.date
                ),
                cycles_per_byte: measured / block / row.lanes,
                bound: bound / block / row.lanes,
                limit: limit.to_owned(),
                sources: vec!["the record `simulated`".to_owned()],
            }));
        }
        let residual = (measured - row.binding) / measured;
        if residual.abs() > RESIDUAL {
            unexplained.push(format!(
                "{} `{}` {:+.0} %",
                row.algorithm,
                row.kernel,
                100.0 * residual
            ));
        }
        let bar = Bar::new(row, *measured);
        table.push(vec![
            row.algorithm.clone(),
            format!("`{}`", row.kernel),
            format!("{:.0}", row.instructions),
            format!("{:.1}", row.instructions / measured),
            bar.chain.to_string(),
            format!("{} {}", bar.units, bar.pool),
            bar.dispatch.to_string(),
            format!("{:+}", bar.order),
            format!("{:+}", bar.schedulers),
            format!("{:+}", bar.memory),
            format!("{:+}", bar.bound_units),
            bar.simulated.to_string(),
            bar.measured.to_string(),
            format!("{:+.1} %", 100.0 * residual),
            row.llvm_mca.map_or("-".to_owned(), |cycles| format!("{cycles:.0}")),
        ]);
    }
    let error = |cycles: &dyn Fn(&Simulated) -> Option<f64>| {
        let errors = rows.iter().filter_map(|(row, measured)| Some((cycles(row)? / measured).ln()));
        let errors: Vec<f64> = errors.collect();
        let square = errors.iter().map(|error| error * error).sum::<f64>();
        100.0 * ((square / errors.len().max(1) as f64).sqrt().exp() - 1.0)
    };
    section.text(format!(
        "Cycles per block of every lane. The root mean square error of the simulator is {:.1} %, and that of \
         llvm-mca is {:.1} %.",
        error(&|row| Some(row.binding)),
        error(&|row| row.llvm_mca),
    ));
    section.figure(
        &format!(
            "Waterfall {}: bound, further limits and residual, in parts of the measured cycles",
            machine.name
        ),
        picture(rows),
    );
    section.table(
        &format!("Measured on {}, {}.", record.machine, record.date),
        &[
            "algorithm",
            "kernel",
            "instructions",
            "per cycle",
            "chain",
            "busiest units",
            "dispatch",
            "+ order",
            "+ schedulers",
            "+ memory",
            "+ bound units",
            "simulated",
            "measured",
            "residual",
            "llvm-mca",
        ],
        table,
    );
    section.text(if unexplained.is_empty() {
        "No residual is above 5 %.".to_owned()
    } else {
        let experiments = experiments(sources, machine).unwrap_or_default();
        format!(
            "Residuals above 5 %, which are not explained: {}. {experiments}",
            unexplained.join(", ")
        )
    });
    Ok(section)
}

/// The experiments about the residuals of a machine.
fn experiments(sources: &Sources, machine: &Machine) -> Option<String> {
    let table = sources.latencies_of(machine)?;
    let cycles = |instruction| {
        let series = [("instruction", instruction), ("operand", "independent")];
        table.figure(&series, "cycles_median")
    };
    match &machine.name[..] {
        "zen4" => Some(format!(
            "Pairs of independent instructions (`lanesum-bench latencies`) show that the choice of units is less even than \
             simulated: `paddd` with `pslld` takes {:.2} instead of 0.25 cycles per instruction, and `sha1rnds4` with \
             `paddd` {:.2} instead of 1.00. Other rules for the choice were tried: immediate counts, counts of some cycles \
             ago, plain turns, random units, and a choice when the operation starts. Each has larger errors. The same \
             record shows limits that the simulator lacks: `lea` and `sha256msg1` reach {:.1} and {:.1} per cycle, not 4 and 2.",
            cycles("paddd + pslld")?,
            cycles("sha1rnds4 + paddd")?,
            1.0 / cycles("lea")?,
            1.0 / cycles("sha256msg1")?,
        )),
        "zen5" => Some(
            "Kernels in general registers dispatch fewer than six instructions per cycle, although no limit of the model \
             requires it. The experiments with pairs of instructions have not run on this core yet."
                .to_owned(),
        ),
        _ => None,
    }
}

/// A bar for each kernel.
fn picture(rows: &[(&Simulated, f64)]) -> String {
    const ROW: f64 = 16.0;
    const LEFT: f64 = 190.0;
    const WIDTH: f64 = 420.0;
    let height = 60.0 + ROW * rows.len() as f64;
    let mut svg = Svg::new(LEFT + WIDTH + 110.0, height);
    let names = ["chain", "units", "dispatch"].into_iter().chain(STEPS);
    let colours =
        ["#0072b2", "#005580", "#56b4e9", "#009e73", "#e69f00", "#cc79a7", "#d55e00", "#999999"];
    for (i, (name, colour)) in names.zip(colours).enumerate() {
        let at = (10.0 + 180.0 * (i % 4) as f64, 8.0 + 16.0 * (i / 4) as f64);
        svg.rect(at, (10.0, 10.0), colour);
        svg.text((at.0 + 14.0, at.1 + 9.0), "start", name);
    }
    for (i, (row, measured)) in rows.iter().enumerate() {
        let y = 48.0 + ROW * i as f64;
        let (limit, bound) = row.bound();
        let of_bound = match limit {
            "chain" => 0,
            "dispatch" => 2,
            _ => 1,
        };
        svg.text((LEFT - 6.0, y + 10.0), "end", &format!("{} {}", row.algorithm, row.kernel));
        let residual = measured - row.binding;
        let parts = [(of_bound, bound)].into_iter();
        let parts = parts.chain((3..).zip(row.steps())).chain([(7, residual)]);
        // A negative part ends the bar before the measured time.
        let mut x = 0.0;
        for (colour, cycles) in parts {
            let wide = (cycles / measured).max(0.0);
            svg.rect((LEFT + WIDTH * x, y), (WIDTH * wide, 11.0), colours[colour]);
            x += wide;
        }
        svg.text((LEFT + WIDTH * x.max(1.0) + 6.0, y + 10.0), "start", &format!("{measured:.0}"));
    }
    let bottom = 48.0 + ROW * rows.len() as f64;
    svg.line((LEFT + WIDTH, 44.0), (LEFT + WIDTH, bottom), "#000", 1.0);
    svg.finish()
}
