//! Studies of searches: their convergence, and the cost of one machine's orders on another.

use super::measure::{MeasureError, Stopwatch, TimedText};
use super::model::Model;
use super::{Method, OrderCost, search};
use crate::emit::kernel::Kernel;
use crate::emit::order::{Orderable, Times};
use crate::emit::{Isa, Target};
use lanesum_model::{Machine, Models};

/// A point of a convergence curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The search method, or `compiler` for the compiler's code.
    pub method: &'static str,
    /// `search` during the search; `after` for the best order of each method, measured alternately.
    pub stage: &'static str,
    /// The number of evaluated orders.
    pub evaluations: usize,
    /// The best cost so far, in cycles per block.
    pub cycles: f64,
}

/// The number of alternating measurements of the results.
pub const AGAIN: usize = 15;

/// The best order of each method.
pub type BestOrders = Vec<(Method, Times)>;

/// Runs both searches from the list scheduler's order, with one cost function.
///
/// # Errors
///
/// If orders cannot be evaluated.
pub fn converge<C: OrderCost<Kernel>>(
    kernel: &Kernel,
    cost: &mut C,
    evaluations: usize,
    seed: u64,
) -> Result<(Vec<Point>, BestOrders), C::Error> {
    let start = kernel.start();
    let mut points = Vec::new();
    let mut best = Vec::new();
    for method in Method::ALL {
        let found = search(kernel, cost, method, &start, evaluations, seed, |_, _| ())?;
        points.extend(found.progress.iter().map(|&(evaluations, cycles)| Point {
            method: method.name(),
            stage: "search",
            evaluations,
            cycles,
        }));
        best.push((method, found.times));
    }
    Ok((points, best))
}

/// Runs both searches on this machine, and then compares their best orders with the compiler's
/// code. A search prefers its luckiest measurement, so all results are measured again.
///
/// # Errors
///
/// If kernels cannot be assembled, compiled or run.
pub fn converge_here(
    kernel: &Kernel,
    machine: &mut Stopwatch,
    evaluations: usize,
    seed: u64,
) -> Result<Vec<Point>, MeasureError> {
    let (mut points, best) = converge(kernel, machine, evaluations, seed)?;
    let mut texts = vec![machine.compiled(kernel.target)?];
    texts.extend(best.iter().enumerate().map(|(i, (_, times))| TimedText::of(kernel, times, i)));
    let methods = ["compiler"].into_iter().chain(best.iter().map(|(method, _)| method.name()));
    let cycles = again(machine, &texts)?;
    points.extend(methods.zip(cycles).map(|(method, cycles)| Point {
        method,
        stage: "after",
        evaluations: 0,
        cycles,
    }));
    Ok(points)
}

/// The medians of alternating runs.
fn again(machine: &mut Stopwatch, texts: &[TimedText]) -> Result<Vec<f64>, MeasureError> {
    let runs: Result<Vec<Vec<f64>>, MeasureError> =
        (0..AGAIN).map(|_| machine.time(texts, 32)).collect();
    let runs = runs?;
    Ok((0..texts.len())
        .map(|i| {
            let mut all: Vec<f64> = runs.iter().map(|run| run[i]).collect();
            all.sort_by(f64::total_cmp);
            all[AGAIN / 2]
        })
        .collect())
}

/// The cost of an order.
#[derive(Clone, Debug, PartialEq)]
pub struct Crossed {
    /// The machine for whose model it was found; `list` is the list scheduler's order, `here`
    /// was found by measuring.
    pub found_for: String,
    /// The machine whose model determined the cost; `here` was measured.
    pub machine: String,
    /// Cycles per block.
    pub cycles: f64,
}

/// The machines that a kernel runs on.
pub fn machines(models: &Models, target: Target) -> Vec<&Machine> {
    let runs = |machine: &&Machine| match target.isa {
        Isa::Bmi2 => machine.scalar == "x86-bmi",
        Isa::X86_64 => machine.scalar.starts_with("x86") && machine.scalar_bits == 64,
        Isa::I686 => machine.scalar.starts_with("x86"),
    };
    models.machines.iter().filter(runs).collect()
}

/// Searches for an order for each machine's model, and on this machine if it is given, and
/// returns each order's cost on every machine.
///
/// # Errors
///
/// If this machine cannot measure kernels.
pub fn cross(
    kernel: &Kernel,
    machines: &[&Machine],
    mut here: Option<&mut Stopwatch>,
    evaluations: usize,
    seed: u64,
) -> Result<Vec<Crossed>, MeasureError> {
    let start = kernel.start();
    let mut orders = vec![("list".to_owned(), start.clone())];
    for machine in machines {
        let mut model = Model { machine };
        let Ok(found) =
            search(kernel, &mut model, Method::Local, &start, evaluations, seed, |_, _| ());
        orders.push((machine.name.clone(), found.times));
    }
    if let Some(here) = here.as_deref_mut() {
        let found = search(kernel, here, Method::Local, &start, evaluations, seed, |_, _| ())?;
        orders.push(("here".to_owned(), found.times));
    }
    let mut crossed = Vec::new();
    for machine in machines {
        let model = Model { machine };
        crossed.extend(orders.iter().map(|(found_for, times)| Crossed {
            found_for: found_for.clone(),
            machine: machine.name.clone(),
            cycles: model.cycles(&kernel.body(times).instructions),
        }));
    }
    if let Some(here) = here {
        let texts: Vec<TimedText> = orders
            .iter()
            .enumerate()
            .map(|(number, (_, times))| TimedText::of(kernel, times, number))
            .collect();
        let cycles = again(here, &texts)?;
        crossed.extend(orders.iter().zip(cycles).map(|((found_for, _), cycles)| Crossed {
            found_for: found_for.clone(),
            machine: "here".to_owned(),
            cycles,
        }));
    }
    Ok(crossed)
}
