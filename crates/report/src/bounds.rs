//! Kernels: bounds on each machine, bottlenecks, offloading, and measurements.

use std::collections::BTreeMap;

use lanesum_spec::{Algorithm, Family};

use crate::counts::{SHA, short};
use crate::figures::{Roof, roofline};
use crate::{Section, Sources, brief, two};
use lanesum_model::analyse::{
    BoundError, KernelBound, KernelEstimate, KernelLimits, Kernels, offload,
};
use lanesum_model::{Constant, ConstantValue, Cycles, Machine, Record};

pub(crate) fn sections(
    sources: &Sources,
    machines: &[&Machine],
    kernels: &mut Kernels<'_>,
) -> Result<Vec<Section>, BoundError> {
    let mut bounds_section = Section::new("Bounds of kernels");
    bounds_section.text(
        "Lower bounds in cycles per byte of the best of the forms that were examined: the maximum of the chain from \
         block to block and the work of the busiest pool of units. They follow from constants with a source. A constant \
         without one counts nothing, so a bound is valid, but weak, if few constants have one. After a slash \
         is the same figure by all constants, including assumed ones, where it differs. It is an \
         estimate, not a bound. `rounds` is a kernel of one message whose schedule is computed elsewhere, and `2x16` \
         interleaves two groups of sixteen lanes. The bottleneck is in brackets. Lane kernels are counted without the \
         transposition of the block, and a rotation without an instruction for it takes two shifts. A kernel of another \
         form can need less: the limits of each kernel's machine code are on the page [Where the cycles go](waterfall.md).",
    );
    let mut bottlenecks = Section::new("The bottleneck of each form");
    let mut bottleneck_rows = Vec::new();
    for machine in machines {
        let mut names: Vec<String> = Vec::new();
        let mut cells: Vec<Vec<Option<String>>> = Vec::new();
        for (column, family) in SHA.into_iter().enumerate() {
            let estimates = kernels.estimates(machine, family)?;
            for (bound, estimate) in kernels.bounds(machine, family)?.iter().zip(&estimates) {
                // A 512-bit register has 16 or 8 lanes; both are on one line.
                let label = label(bound);
                let row = names.iter().position(|n| *n == label).unwrap_or_else(|| {
                    names.push(label);
                    cells.push(vec![None; 3]);
                    names.len() - 1
                });
                cells[row][column] = Some(cell(bound, estimate));
                bottleneck_rows.extend(bottleneck(machine, family, bound));
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
            &format!("{} ({}).", machine.title, machine.shown()),
            &["kernel", "SHA-1", "SHA-256", "SHA-512"],
            rows,
        );
    }
    bottlenecks.table(
        "Single streams of SHA instructions are bound by their latency chain; lane kernels are \
         bound by their ports, or by their chain if one group does not fill the units. Only constants with a \
         source are included.",
        &["machine", "kernel", "chain, cycles", "ports, cycles", "bottleneck"],
        bottleneck_rows,
    );
    Ok(vec![
        bounds_section,
        constants(machines),
        bottlenecks,
        offload_section(kernels, machines)?,
        measured(sources, machines, kernels)?,
    ])
}

/// Two figures of the same kernel: `5.31 [alu] / 6.64 [alu]`.
pub(crate) fn cell(bound: &KernelBound, estimate: &KernelEstimate) -> String {
    let bounded = bound.cycles() > 0.0;
    let shown = if bounded {
        format!("{} [{}]", two(bound.cycles_per_byte()), bound.limit())
    } else {
        "no bound".to_owned()
    };
    let estimated = two(estimate.cycles_per_byte());
    if bounded && estimated == two(bound.cycles_per_byte()) {
        return shown;
    }
    format!("{shown} / {estimated} [{}]", estimate.limit())
}

/// The constants of each machine, by origin.
fn constants(machines: &[&Machine]) -> Section {
    let mut section = Section::new("Constants of the machines, and their sources");
    section.text(
        "The operations per cycle of each pool (`alu`; `load/512` for vectors of 512 bits), the latency of \
         each operation, and the cycles for which it occupies a unit of a pool. No bound uses \
         assumed constants, and no constant is fitted to measurements of our kernels.",
    );
    let mut rows = Vec::new();
    for machine in machines {
        let mut by_origin: BTreeMap<(u8, String), Vec<String>> = BTreeMap::new();
        for (name, constant) in machine.origins() {
            let origin = match constant {
                Constant::Stated(stated) => (0, stated.source().to_string()),
                Constant::Assumed(_) => (1, "assumed".to_owned()),
            };
            by_origin.entry(origin).or_default().push(format!("{name} = {}", constant.value()));
        }
        for ((_, origin), constants) in by_origin {
            rows.push(vec![machine.shown(), origin, constants.join(", ")]);
        }
    }
    section.table("Constants by origin.", &["machine", "source", "constants"], rows);
    section
}

fn label<T>(limits: &KernelLimits<T>) -> String {
    match limits.kernel.rsplit_once("_2x") {
        Some((set, _)) => format!("{set}, two groups"),
        None if limits.kernel.starts_with("sha_ni") => limits.kernel.clone(),
        None => match limits.kernel.rsplit_once("_x") {
            Some((set, _)) => format!("{set}, one group"),
            None => limits.kernel.clone(),
        },
    }
}

fn bottleneck(machine: &Machine, family: Family, bound: &KernelBound) -> Option<Vec<String>> {
    let sha = bound.kernel.starts_with("sha_ni");
    let widest = bound.kernel.starts_with("avx512") || bound.kernel.starts_with("neon");
    if !sha && !widest || bound.cycles() == 0.0 {
        return None;
    }
    let bits = if sha { 128 } else { 512 };
    let ports = bound.pools.first().map_or("no source".to_owned(), |(pool, cycles)| {
        let uses = |op: &&&str| machine.units.ops[**op].uses.contains_key(pool);
        let work: Vec<String> = bound
            .cost
            .counts
            .iter()
            .filter(|(op, _)| pool == "issue" || uses(op))
            .map(|(op, n)| format!("{} {op}", brief(*n)))
            .collect();
        let units = machine.stated();
        let units = units.pool(pool, bits).map_or(f64::NAN, ConstantValue::value);
        format!("{} (({}) / {} {pool})", brief(cycles.cycles()), work.join(" + "), brief(units))
    });
    let chain = if bound.chain.cycles() == 0.0 {
        "no source".to_owned()
    } else {
        format!("{} ({})", brief(bound.chain.cycles()), bound.chain_of)
    };
    Some(vec![
        machine.shown(),
        format!("{} {}", short(family), bound.kernel),
        chain,
        ports,
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
                machine.shown(),
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
        "Estimates in cycles per block, by all constants of each machine.",
        &["machine", "family", "nothing", "W", "W + K", "best beyond W + K", "faster"],
        rows,
    );
    Ok(section)
}

/// The bounds and measured figures of each machine with a record. Without any record: the bounds on Zen 5.
fn measured(
    sources: &Sources,
    machines: &[&Machine],
    kernels: &mut Kernels<'_>,
) -> Result<Section, BoundError> {
    let mut section = Section::new("Bounds and measurements");
    let zen5 = sources.models.machine("zen5")?;
    let recorded = machines.iter().filter_map(|m| Some((*m, Some(sources.record_of(m)?))));
    let mut recorded: Vec<(&Machine, Option<&Record>)> = recorded.collect();
    if recorded.is_empty() {
        section.text("Not measured here.");
        recorded.push((zen5, None));
    }
    for (machine, record) in recorded {
        compared(&mut section, machine, record, kernels)?;
    }
    Ok(section)
}

/// The bounds and measured figures of a machine.
fn compared(
    section: &mut Section,
    machine: &Machine,
    record: Option<&Record>,
    kernels: &mut Kernels<'_>,
) -> Result<(), BoundError> {
    let mut rows = Vec::new();
    let mut used: Vec<(&str, &str)> = Vec::new();
    // The forms of other functions are not searched for the shortest chain, so theirs is not a bound: MD5 has been
    // measured below it.
    let fips = Algorithm::all().filter(|a| a.family().is_fips());
    let algorithms = fips.filter(|a| *a == a.family().algorithm());
    for algorithm in algorithms {
        let bounds = kernels.bounds(machine, algorithm.family())?;
        let mut roofs = Vec::new();
        for bound in &bounds {
            // One model bounds several kernels.
            for name in engine_kernels(&bound.kernel) {
                let found = record.and_then(|record| {
                    let rows = record.rows.iter();
                    let of =
                        rows.filter(|row| row.algorithm == algorithm.name() && row.kernel == name);
                    of.max_by_key(|row| row.blocks).map(|row| (record, row))
                });
                if let Some((record, row)) = found {
                    let (machine, date) = (&record.machine, &record.date);
                    let what = format!("{} by {name} on {machine}, {date},", algorithm.name());
                    bound.admits(row.cycles_per_byte_min, &what)?;
                    used.push((row.algorithm.as_str(), row.kernel.as_str()));
                }
                let measured = found.map(|(_, row)| row.cycles_per_byte_min);
                if record.is_some() && measured.is_none() {
                    continue;
                }
                let least = Some(bound.cycles_per_byte()).filter(|least| *least > 0.0);
                roofs.push(Roof { bound, label: name.to_owned(), measured });
                rows.push(vec![
                    algorithm.name().to_owned(),
                    name.to_owned(),
                    least.map_or("no bound".to_owned(), two),
                    least.map_or("-", |_| bound.limit()).to_owned(),
                    measured.map_or("not measured here".to_owned(), two),
                    measured.zip(least).map_or("-".to_owned(), |(m, least)| two(m / least)),
                ]);
            }
        }
        section.figure(
            &format!(
                "Roofline {} {}: bytes per cycle of {} on {} at best (orange: bound by the chain; blue: by the ports; \
                 grey: the bound of the ports) and measured (black).",
                algorithm.name(),
                machine.name,
                algorithm.title(),
                machine.titled()
            ),
            roofline(&roofs),
        );
    }
    let of = record.map_or(String::new(), |r| format!(" ({}, {})", r.machine, r.date));
    section.table(
        &format!(
            "Cycles per byte of each kernel on {}{of}: the lower bound, the measured minimum, and their ratio. A \
             measurement below the bound stops the generation of this page.",
            machine.titled()
        ),
        &["algorithm", "kernel", "bound", "bottleneck", "measured", "measured / bound"],
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
        section.text(format!(
            "Measured but not modelled: {}.",
            if unmodelled.is_empty() { "none".to_owned() } else { unmodelled.join(", ") },
        ));
    }
    Ok(())
}

/// The engine's names for a kernel.
fn engine_kernels(bound: &str) -> Vec<&str> {
    match bound {
        "scalar" => vec!["portable_x1", "bmi2_x1", "bmi2_asm_x1"],
        "sse2_stitched" => vec!["sse2_x1"],
        "rounds" => vec![],
        kernel => vec![kernel],
    }
}
