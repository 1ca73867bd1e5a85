//! Fits the unpublished constants of a machine to records: the ALUs and vector loads that a core keeps
//! busy, the overlap of chain and pools, and the number of waiting instructions.

use lanesum_measure::Table;
use lanesum_spec::Family;

use crate::emit::{Isa, Kernel, Target, WordSource};
use crate::search::model::Model;
use lanesum_model::analyse::{BoundError, Kernels};
use lanesum_model::{Machine, Models, Orders, Record};

/// The result of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The machine with the fitted constants.
    pub machine: Machine,
    /// The number of rows used for the fit.
    pub rows: usize,
    /// The number of rows that are still below their bound.
    pub refuted: usize,
    /// The root mean square errors of predictions before and after the fit.
    pub off: [f64; 2],
}

const ALGORITHMS: [(&str, Family); 3] =
    [("sha1", Family::Sha1), ("sha256", Family::Sha256), ("sha512", Family::Sha512)];

/// The engine's kernel for a bound of the models.
fn kernel_of(bound: &str) -> &str {
    match bound {
        "scalar" => "bmi2_asm_x1",
        "sse2_stitched" => "sse2_x1",
        kernel => kernel,
    }
}

/// The accuracy of a bound is that of the measured length of a cycle.
const EXACT: f64 = 0.98;

/// The measurement of a bound's kernel.
struct FitPoint {
    family: Family,
    kernel: String,
    cycles_per_byte: f64,
}

/// The vector widths whose loads are fitted; the loads of general registers are published.
const WIDTHS: [&str; 2] = ["128", "256"];

fn set_loads(machine: &mut Machine, units: f64) {
    for bits in WIDTHS {
        machine.widths.entry(bits.to_owned()).or_default().insert("load".to_owned(), units);
    }
}

/// Fits ALUs, vector loads and overlap of `machine` to the longest messages of a record. Constants that no row
/// depends on are unchanged.
///
/// # Errors
///
/// A model refers to a missing item, or a pass is not proven.
pub fn fit(models: &Models, machine: &Machine, record: &Record) -> Result<Fit, BoundError> {
    let mut kernels = Kernels::new(models);
    let mut points = Vec::new();
    for (algorithm, family) in ALGORITHMS {
        for bound in kernels.bounds(machine, family)? {
            let name = kernel_of(&bound.kernel);
            let rows = record.rows.iter();
            let found = rows.filter(|row| row.algorithm == algorithm && row.kernel == name);
            points.extend(found.max_by_key(|row| row.blocks).map(|row| FitPoint {
                family,
                kernel: bound.kernel.clone(),
                cycles_per_byte: row.cycles_per_byte_min,
            }));
        }
    }
    // Rows below their bound refute the constants. Among the other constants, those with the smallest
    // error are the best.
    let mut off = |machine: &Machine| -> Result<(usize, f64), BoundError> {
        let (mut refuted, mut square) = (0, 0.0);
        for (_, family) in ALGORITHMS {
            let bounds = kernels.bounds(machine, family)?;
            for point in points.iter().filter(|point| point.family == family) {
                let bound = bounds.iter().find(|bound| bound.kernel == point.kernel);
                let predicted = bound.map_or(f64::NAN, |b| b.predicted() / b.bytes);
                square += (predicted / point.cycles_per_byte).ln().powi(2);
                let least = bound.map_or(0.0, |b| b.cycles_per_byte());
                refuted += usize::from(point.cycles_per_byte < EXACT * least);
            }
        }
        Ok((refuted, (square / points.len() as f64).sqrt()))
    };
    let before = off(machine)?;
    let (mut best, mut least) = (machine.clone(), before);
    let issue = machine.pools["issue"];
    type Set = fn(&mut Machine, f64);
    let constants: [(Set, f64); 3] = [
        (|machine, units| machine.pools.extend([("alu".to_owned(), units)]), issue),
        (set_loads, issue),
        (|machine, exponent| machine.overlap = exponent, 12.0),
    ];
    // Optimize one constant at a time until none improves.
    loop {
        let start = least;
        for (set, most) in &constants {
            let mut tenths = 10;
            while f64::from(tenths) / 10.0 <= *most {
                let mut tried = best.clone();
                set(&mut tried, f64::from(tenths) / 10.0);
                let found = off(&tried)?;
                if (found.0, found.1 + 1e-9) < least {
                    (best, least) = (tried, found);
                }
                tenths += 1;
            }
        }
        if least >= start {
            let (rows, off) = (points.len(), [before.1, least.1]);
            return Ok(Fit { machine: best, rows, refuted: least.0, off });
        }
    }
}

/// The window sizes to try.
const LEAST: usize = 8;
const MOST: usize = 256;

/// Returns the window size with which the model of searches predicts the cycles per block of a record
/// `instructions` best, or `None` if the record has no cycles or does not determine it. Outliers are not
/// weighted more than other kernels.
///
/// # Errors
///
/// A model refers to a missing item, or a pass is not proven.
pub fn window(machine: &Machine, record: &Table) -> Result<Option<usize>, BoundError> {
    let orders = Orders::built_in()?;
    let mut kernels = Vec::new();
    for target in Target::all().filter(|t| t.words == WordSource::Block && t.isa == Isa::Bmi2) {
        let algorithm = ALGORITHMS.iter().find(|(_, family)| *family == target.family);
        let wanted = [("algorithm", algorithm.map_or("", |a| a.0)), ("kernel", "bmi2_asm_x1")];
        let Some(cycles) = record.figure(&wanted, "cycles_per_block") else { continue };
        let kernel = Kernel::new(target)?;
        let times = orders.of(&target.name()).map(|order| kernel.operations.times(order));
        let times = times.transpose()?.unwrap_or_else(|| kernel.start());
        kernels.push((kernel.body(&times).instructions, cycles));
    }
    let off = |window: usize| {
        let machine = Machine { window, ..machine.clone() };
        let of = |(instructions, cycles): &(Vec<_>, f64)| {
            (Model { machine: &machine }.cycles(instructions) / cycles).ln().abs()
        };
        kernels.iter().map(of).sum::<f64>()
    };
    let windows = (LEAST..=MOST).step_by(8).map(|window| (window, off(window)));
    let best = windows.min_by(|x, y| x.1.total_cmp(&y.1)).map(|best| best.0);
    // The largest or smallest window means that the cycles do not depend on it.
    Ok(best.filter(|window| !kernels.is_empty() && (LEAST + 1..MOST).contains(window)))
}
