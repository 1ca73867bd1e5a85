//! Kernels: bounds on each machine, theorems, offloading, and measurements.

use lanesum_spec::{Algorithm, Family};

use crate::counts::{SHA, short};
use crate::figures::{Roof, roofline};
use crate::{Section, Sources, brief, two};
use lanesum_model::Machine;
use lanesum_model::analyse::{BoundError, KernelBound, Kernels, offload};

/// The record of this machine.
fn record_of<'a>(sources: &'a Sources, machine: &Machine) -> Option<&'a lanesum_model::Record> {
    let cores = sources.models.cores();
    sources.records.iter().find(|record| {
        let core = cores.of(&record.processor, &record.machine);
        core.is_some_and(|core| core.name == machine.name)
    })
}

pub(crate) fn sections(
    sources: &Sources,
    machines: &[&Machine],
    kernels: &mut Kernels<'_>,
) -> Result<Vec<Section>, BoundError> {
    let mut bounds_section = Section::new("Bounds of kernels");
    bounds_section.text(
        "Lower bounds in cycles per byte: the maximum of the chain from block to block and the \
         work of the busiest pool of units. `2x16` interleaves two groups of sixteen lanes. The \
         bottleneck is in brackets.",
    );
    let mut theorems = Section::new("Theorems: the bottleneck of each kernel");
    let mut theorem_rows = Vec::new();
    for machine in machines {
        let mut names: Vec<String> = Vec::new();
        let mut cells: Vec<Vec<Option<String>>> = Vec::new();
        for (column, family) in SHA.into_iter().enumerate() {
            for bound in kernels.bounds(machine, family)? {
                // A 512-bit register has 16 or 8 lanes; both are on one line.
                let label = label(&bound);
                let row = names.iter().position(|n| *n == label).unwrap_or_else(|| {
                    names.push(label);
                    cells.push(vec![None; 3]);
                    names.len() - 1
                });
                cells[row][column] =
                    Some(format!("{} [{}]", two(bound.cycles_per_byte()), bound.limit()));
                theorem_rows.extend(theorem(machine, family, &bound));
            }
        }
        let rows = names
            .into_iter()
            .zip(cells)
            .map(|(name, cells)| {
                let cells = cells.into_iter().map(|c| c.unwrap_or_else(|| "-".to_owned()));
                std::iter::once(name).chain(cells).collect()
            })
            .collect();
        bounds_section.table(
            &format!("{} ({}): {}.{}", machine.title, machine.name, machine.basis, mark(machine)),
            &["kernel", "SHA-1", "SHA-256", "SHA-512"],
            rows,
        );
    }
    bounds_section.table(
        "Sources for the figures of the machines.",
        &["machine", "figures", "sources"],
        machines
            .iter()
            .filter(|machine| !machine.sources.is_empty())
            .map(|machine| {
                let how = if machine.remembered { "from memory" } else { "measured" };
                vec![machine.name.clone(), how.to_owned(), machine.sources.join("; ")]
            })
            .collect(),
    );
    theorems.table(
        "Single streams of SHA instructions are bound by their latency chain; lane kernels are \
         bound by their ports, or by their chain if one group does not fill the units.",
        &["machine", "kernel", "chain, cycles", "ports, cycles", "bottleneck"],
        theorem_rows,
    );
    Ok(vec![
        bounds_section,
        theorems,
        offload_section(kernels, machines)?,
        measured(sources, kernels)?,
    ])
}

/// A remark on a machine whose figures were not all compared with a source.
fn mark(machine: &Machine) -> &'static str {
    if machine.remembered { " Figures that are not measured are from memory." } else { "" }
}

fn label(bound: &KernelBound) -> String {
    match bound.kernel.rsplit_once("_2x") {
        Some((set, _)) => format!("{set}, two groups"),
        None if bound.kernel.starts_with("sha_ni") => bound.kernel.clone(),
        None => match bound.kernel.rsplit_once("_x") {
            Some((set, _)) => format!("{set}, one group"),
            None => bound.kernel.clone(),
        },
    }
}

fn theorem(machine: &Machine, family: Family, bound: &KernelBound) -> Option<Vec<String>> {
    let sha = bound.kernel.starts_with("sha_ni");
    let widest = bound.kernel.starts_with("avx512") || bound.kernel.starts_with("neon");
    if !sha && !widest {
        return None;
    }
    let (pool, cycles) = &bound.pools[0];
    let work: Vec<String> = bound
        .cost
        .counts
        .iter()
        .filter(|(op, _)| machine.ops[**op].pools.contains_key(pool))
        .map(|(op, n)| format!("{} {op}", brief(*n)))
        .collect();
    let bits = if sha { 128 } else { 512 };
    Some(vec![
        machine.name.clone(),
        format!("{} {}", short(family), bound.kernel),
        format!("{} ({})", brief(bound.chain), bound.chain_of),
        format!(
            "{} (({}) / {} {pool})",
            brief(*cycles),
            work.join(" + "),
            brief(machine.pool(pool, bits))
        ),
        bound.limit().to_owned(),
    ])
}

fn offload_section(kernels: &Kernels<'_>, machines: &[&Machine]) -> Result<Section, BoundError> {
    let mut section = Section::new("Parts to move to the vector side (gaudet's open question)");
    section.text(
        "Every set of parts of a block of one message; only W and K are not on the recurrence. A \
         word that moves between the sides costs a store and a load, and the latency of both if it \
         is on the chain; W + K is stored four (or two) words at a time. f is Ch, Maj or Parity; \
         early f depends only on the two older words.",
    );
    let mut rows = Vec::new();
    for machine in machines {
        for family in SHA {
            let found = offload(kernels, machine, family)?;
            let cycles = |parts: &str| {
                found
                    .iter()
                    .find(|o| o.name() == parts)
                    .map_or("-".to_owned(), |o| brief(o.cycles()))
            };
            let beyond = |o: &&lanesum_model::analyse::Offload| {
                o.parts.iter().any(|p| !matches!(p.name(), "W" | "K"))
            };
            let Some(best) = found.first() else { continue };
            let plain_best =
                found.iter().find(|o| !beyond(o)).map_or(f64::INFINITY, |o| o.cycles());
            let best_beyond = found.iter().find(beyond);
            rows.push(vec![
                machine.name.clone(),
                short(family).to_owned(),
                cycles("nothing"),
                cycles("W"),
                cycles("W + K"),
                best_beyond.map_or("-".to_owned(), |o| {
                    format!(
                        "{} ({}; {} words there, {} back; ports {}, chain {})",
                        brief(o.cycles()),
                        o.name(),
                        o.to_vector,
                        o.to_scalar,
                        brief(o.ports.1),
                        brief(o.chain)
                    )
                }),
                if best.cycles() < plain_best - 0.5 { "yes" } else { "no" }.to_owned(),
            ]);
        }
    }
    section.table(
        "Lower bounds in cycles per block.",
        &["machine", "family", "nothing", "W", "W + K", "best beyond W + K", "faster"],
        rows,
    );
    Ok(section)
}

fn measured(sources: &Sources, kernels: &mut Kernels<'_>) -> Result<Section, BoundError> {
    let mut section = Section::new("Predicted and measured");
    let machine = sources.models.machine("zen5")?;
    let record = record_of(sources, machine);
    section.text(match record {
        Some(record) => format!("Measured: {}, {}.", record.machine, record.date),
        None => format!("{}: not measured here.", machine.title),
    });
    let mut rows = Vec::new();
    let mut used: Vec<(&str, &str)> = Vec::new();
    let mut lane_errors: Vec<f64> = Vec::new();
    let algorithms = Algorithm::all().filter(|a| *a == a.family().algorithm());
    for algorithm in algorithms {
        let bounds = kernels.bounds(machine, algorithm.family())?;
        let mut roofs = Vec::new();
        for bound in &bounds {
            // The code of portable_x1 and of bmi2_x1 is bounded by the same kernel.
            for name in engine_kernels(&bound.kernel) {
                let found = record.and_then(|record| {
                    record
                        .rows
                        .iter()
                        .filter(|row| row.algorithm == algorithm.name() && row.kernel == name)
                        .max_by_key(|row| row.blocks)
                });
                used.extend(found.map(|row| (row.algorithm.as_str(), row.kernel.as_str())));
                let measured = found.map(|row| row.cycles_per_byte_min);
                let predicted = bound.predicted() / bound.bytes;
                let error = measured.map(|m| 100.0 * (predicted - m) / m);
                if bound.lanes > 1 && !bound.kernel.starts_with("sha_ni") {
                    lane_errors.extend(error);
                }
                roofs.push(Roof { bound, label: name.to_owned(), measured });
                rows.push(vec![
                    algorithm.name().to_owned(),
                    name.to_owned(),
                    two(bound.cycles_per_byte()),
                    bound.limit().to_owned(),
                    two(predicted),
                    measured.map_or("not measured here".to_owned(), two),
                    error.map_or("-".to_owned(), |e| format!("{e:+.0} %")),
                    match measured {
                        Some(m) if m < 0.98 * bound.cycles_per_byte() => "below the bound",
                        _ => "",
                    }
                    .to_owned(),
                ]);
            }
        }
        section.figure(
            &format!(
                "{}: bytes per cycle at best (orange: bound by the chain; blue: by the ports; grey: \
                 the bound of the ports) and measured (black).",
                algorithm.title()
            ),
            roofline(&roofs),
        );
    }
    section.table(
        "Cycles per byte of each kernel on Zen 5: the lower bound, the prediction (chain, ports \
         and loads with interference), the measured minimum, and the error of the prediction. A \
         measurement below the bound refutes the model.",
        &["algorithm", "kernel", "bound", "bottleneck", "predicted", "measured", "error", ""],
        rows,
    );
    if let Some(record) = record {
        let unmodelled: Vec<String> = record
            .rows
            .iter()
            .filter(|row| !used.contains(&(row.algorithm.as_str(), row.kernel.as_str())))
            // The other rows are of other libraries, and of the kernel that the engine selects.
            .filter(|row| {
                ["portable", "bmi2", "sse2", "avx", "sha_ni"]
                    .iter()
                    .any(|tier| row.kernel.starts_with(tier))
            })
            .map(|row| format!("{} {}", row.algorithm, row.kernel))
            .collect::<std::collections::BTreeSet<_>>()
            .into_iter()
            .collect();
        let within = lane_errors.iter().filter(|e| e.abs() <= 15.0).count();
        section.text(format!(
            "Within 15 % of the measurements: {within} of {} lane kernels. Measured but not modelled: {}.",
            lane_errors.len(),
            if unmodelled.is_empty() { "none".to_owned() } else { unmodelled.join(", ") },
        ));
    }
    Ok(section)
}

/// The engine's names for a kernel.
fn engine_kernels(bound: &str) -> Vec<&str> {
    if bound == "scalar" { vec!["portable_x1", "bmi2_x1"] } else { vec![bound] }
}
