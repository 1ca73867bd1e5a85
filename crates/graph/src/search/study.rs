//! Studies of searches: how fast they converge, and what an order that was found for one machine
//! costs on another.

use super::measure::{MeasureError, Stopwatch, TimedText};
use super::model::Model;
use super::{Method, OrderCost, search};
use crate::emit::kernel::Kernel;
use crate::emit::order::Times;
use crate::emit::{Isa, Target};
use crate::model::{self, Models};

/// A point of a curve of convergence.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// How orders are looked for; `compiler` is what it makes of the specification's text.
    pub method: &'static str,
    /// `search` while it goes on; `after` is the best of each, measured side by side.
    pub stage: &'static str,
    /// The orders that have been looked at.
    pub evaluations: usize,
    /// The best cost so far, in cycles a block.
    pub cycles: f64,
}

/// How often what was found is measured again, side by side.
pub(crate) const AGAIN: usize = 15;

/// The best order of each method.
pub type BestOrders = Vec<(Method, Times)>;

/// Both searches from the list scheduler's order, under one cost.
///
/// # Errors
///
/// If orders cannot be looked at.
pub fn converge<C: OrderCost>(
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

/// The same on the machine at hand, and then the best of each beside what the compiler makes of
/// the specification's text. A search believes its luckiest measurement: what it is worth is
/// seen when all are measured again.
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

/// The medians of runs in which all take turns.
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

/// What an order costs.
#[derive(Clone, Debug, PartialEq)]
pub struct Crossed {
    /// The machine for whose model it was found; `list` is the list scheduler's, `here` was
    /// found by measuring.
    pub found_for: String,
    /// The machine whose model says what it costs; `here` was measured.
    pub machine: String,
    /// Cycles a block.
    pub cycles: f64,
}

/// The machines that a kernel runs on.
pub fn machines(models: &Models, target: Target) -> Vec<&model::Machine> {
    let runs = |machine: &&model::Machine| match target.isa {
        Isa::Bmi2 => machine.scalar == "x86-bmi",
        Isa::X86_64 => machine.scalar.starts_with("x86") && machine.scalar_bits == 64,
        Isa::I686 => machine.scalar.starts_with("x86"),
    };
    models.machines.iter().filter(runs).collect()
}

/// Looks for an order for each machine's model, and on the machine at hand if it is given;
/// each order's cost on every machine.
///
/// # Errors
///
/// If the machine at hand cannot be asked.
pub fn cross(
    kernel: &Kernel,
    machines: &[&model::Machine],
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
