//! Fits the constants of a machine that only predictions use to records: the ALUs and vector loads that a
//! core keeps busy, the overlap of chain and pools, and the number of waiting instructions.

use std::collections::BTreeMap;
use std::sync::Arc;

use lanesum_measure::Table;
use lanesum_spec::Family;

use crate::emit::{Isa, Kernel, Target, WordSource};
use crate::search::model::Model;
use lanesum_model::analyse::{BoundError, Kernels};
use lanesum_model::{
    Constant, ConstantValue, Fitted, FittedConstants, Machine, Models, Orders, Record,
};

/// The result of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The machine with the fitted constants.
    pub machine: Machine,
    /// The number of rows used for the fit.
    pub rows: usize,
    /// The root mean square errors of predictions before and after the fit.
    pub off: [f64; 2],
}

const ALGORITHMS: [(&str, Family); 3] =
    [("sha1", Family::Sha1), ("sha256", Family::Sha256), ("sha512", Family::Sha512)];

/// The engine's kernel for a kernel of the models.
fn kernel_of(name: &str) -> &str {
    match name {
        "scalar" => "bmi2_asm_x1",
        "sse2_stitched" => "sse2_x1",
        kernel => kernel,
    }
}

/// The measurement of a kernel of the models.
struct FitPoint {
    family: Family,
    kernel: String,
    cycles_per_byte: f64,
}

/// The vector widths whose loads are fitted.
const WIDTHS: [&str; 2] = ["128", "256"];

/// The constants to fit, in tenths.
#[derive(Clone, Copy)]
enum Fittable {
    Alus,
    Loads,
    Overlap,
}

/// The fitted constants of `machine` with another value of one.
fn with(machine: &Machine, record: &Arc<str>, constant: Fittable, value: f64) -> Machine {
    let number = |constant: &Constant| Fitted::new(constant.value(), record.clone());
    let mut fitted = machine.fitted.clone().unwrap_or_else(|| FittedConstants {
        overlap: number(&machine.overlap()),
        pools: BTreeMap::new(),
        widths: BTreeMap::new(),
    });
    let value = Fitted::new(value, record.clone());
    match constant {
        Fittable::Alus => {
            fitted.pools.insert("alu".to_owned(), value);
        }
        Fittable::Loads => {
            for bits in WIDTHS {
                let width = fitted.widths.entry(bits.to_owned()).or_default();
                width.insert("load".to_owned(), value.clone());
            }
        }
        Fittable::Overlap => fitted.overlap = value,
    }
    Machine { fitted: Some(fitted), ..machine.clone() }
}

/// Fits ALUs, vector loads and overlap of `machine` to the longest messages of a record, so that the
/// error of predictions is minimal. Constants that no row depends on are unchanged, and so are the
/// stated constants, from which bounds are computed.
///
/// # Errors
///
/// A model refers to a missing item, or a pass is not proven.
pub fn fit(models: &Models, machine: &Machine, record: &Record) -> Result<Fit, BoundError> {
    let mut kernels = Kernels::new(models);
    let mut points = Vec::new();
    for (algorithm, family) in ALGORITHMS {
        for estimate in kernels.estimates(machine, family)? {
            let name = kernel_of(&estimate.kernel);
            let rows = record.rows.iter();
            let found = rows.filter(|row| row.algorithm == algorithm && row.kernel == name);
            points.extend(found.max_by_key(|row| row.blocks).map(|row| FitPoint {
                family,
                kernel: estimate.kernel.clone(),
                cycles_per_byte: row.cycles_per_byte_min,
            }));
        }
    }
    let mut off = |machine: &Machine| -> Result<f64, BoundError> {
        let mut square = 0.0;
        let overlap = machine.overlap().value();
        for (_, family) in ALGORITHMS {
            let estimates = kernels.estimates(machine, family)?;
            for point in points.iter().filter(|point| point.family == family) {
                let found = estimates.iter().find(|estimate| estimate.kernel == point.kernel);
                let predicted = found.map_or(f64::NAN, |e| e.predicted(overlap) / e.bytes);
                square += (predicted / point.cycles_per_byte).ln().powi(2);
            }
        }
        Ok((square / points.len() as f64).sqrt())
    };
    let before = off(machine)?;
    let (mut best, mut least) = (machine.clone(), before);
    let file: Arc<str> = format!("{}/{}-kernels.csv", record.machine, record.date).into();
    let issue = machine.pool("issue", 0);
    let constants = [(Fittable::Alus, issue), (Fittable::Loads, issue), (Fittable::Overlap, 12.0)];
    // Optimize one constant at a time until none improves.
    loop {
        let start = least;
        for (constant, most) in constants {
            let mut tenths = 10;
            while f64::from(tenths) / 10.0 <= most {
                let tried = with(&best, &file, constant, f64::from(tenths) / 10.0);
                let found = off(&tried)?;
                if found + 1e-9 < least {
                    (best, least) = (tried, found);
                }
                tenths += 1;
            }
        }
        if least >= start {
            return Ok(Fit { machine: best, rows: points.len(), off: [before, least] });
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
        let machine = Machine { window: Constant::Assumed(window as f64), ..machine.clone() };
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
