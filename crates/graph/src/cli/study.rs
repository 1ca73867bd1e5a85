//! Searches looked at from outside, as tables for `benches/record`.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use lanesum_graph::emit::{Isa, Kernel};
use lanesum_graph::model::Models;
use lanesum_graph::report::{Sources, markdown, orders};
use lanesum_graph::search::measure::Machine;
use lanesum_graph::search::model::Model;
use lanesum_graph::search::study::{self, converge, converge_here, cross};

use super::emit::target;
use super::{FileError, Outcome, usage, write_file};

#[derive(clap::Args)]
pub(super) struct Study {
    /// The kernels: sha512_bmi2, sha512_rounds_bmi2 ...
    #[arg(required = true)]
    kernels: Vec<String>,
    /// How many orders each search looks at.
    #[arg(long, default_value_t = 1000)]
    evaluations: usize,
    /// Where the random numbers begin.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Runs `work` with the machine at hand.
fn here<T>(
    work: impl FnOnce(&mut Machine) -> Result<T, Box<dyn std::error::Error>>,
) -> Result<T, Box<dyn std::error::Error>> {
    let folder = std::env::temp_dir().join(format!("lanesum-study-{}", std::process::id()));
    let mut machine = Machine::new(&folder)?;
    let done = work(&mut machine);
    // What is left of a search is of no use to anybody.
    let _ = fs::remove_dir_all(&folder);
    done
}

/// The kernels, all of which the machine at hand can run if it is to.
fn kernels(asked: &Study, run: bool) -> Result<Vec<Kernel>, Box<dyn std::error::Error>> {
    let mut kernels = Vec::new();
    for name in &asked.kernels {
        let target = target(name)?;
        if run {
            can_run(target.isa)?;
        }
        kernels.push(Kernel::new(target)?);
    }
    Ok(kernels)
}

/// Whether kernels of these instructions can be timed on this CPU.
pub(super) fn can_run(isa: Isa) -> Result<(), &'static str> {
    let has = |tier| lanesum::Backend::all().any(|b| b.tier() == tier);
    match isa {
        Isa::Bmi2 if !has(lanesum::Tier::Bmi2) => {
            Err("this CPU has no BMI1 and BMI2: search by a model (--machine)")
        }
        Isa::I686 => Err("code of 32 bits is not timed here: search by a model (--machine)"),
        _ => Ok(()),
    }
}

/// Prints how the searches converge, on the machine at hand or by a model.
pub(super) fn convergence(asked: &Study, machine: Option<&str>) -> Outcome {
    let mut out = io::stdout().lock();
    let kernels = kernels(asked, machine.is_none())?;
    let models = Models::built_in()?;
    let valid = models.machines.iter().map(|m| m.name.clone()).collect();
    let model = machine.map(|name| models.machine(name)).transpose();
    let model = model.map_err(|error| usage(error, valid))?;
    writeln!(out, "kernel,machine,seed,method,stage,evaluations,cycles")?;
    for kernel in &kernels {
        let (evaluations, seed) = (asked.evaluations, asked.seed);
        let points = match model {
            Some(machine) => {
                let Ok((points, _)) = converge(kernel, &mut Model { machine }, evaluations, seed);
                points
            }
            None => here(|machine| Ok(converge_here(kernel, machine, evaluations, seed)?))?,
        };
        let (name, machine) = (kernel.target.name(), machine.unwrap_or("here"));
        for p in points {
            writeln!(
                out,
                "{name},{machine},{seed},{},{},{},{:.2}",
                p.method, p.stage, p.evaluations, p.cycles
            )?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints what an order that was found for one machine costs on another.
pub(super) fn crossing(asked: &Study, measure: bool) -> Outcome {
    let mut out = io::stdout().lock();
    let models = Models::built_in()?;
    let kernels = kernels(asked, false)?;
    // What cannot be timed here goes by the models alone, if something else can be.
    let mut refused = kernels.iter().map(|kernel| can_run(kernel.target.isa));
    if measure
        && let Some(Err(why)) = refused.clone().next()
        && refused.all(|r| r.is_err())
    {
        return Err(why.into());
    }
    writeln!(out, "kernel,found_for,machine,cycles")?;
    for kernel in &kernels {
        let machines = study::machines(&models, kernel.target);
        let (evaluations, seed) = (asked.evaluations, asked.seed);
        let crossed = if measure && can_run(kernel.target.isa).is_ok() {
            here(|here| Ok(cross(kernel, &machines, Some(here), evaluations, seed)?))?
        } else {
            cross(kernel, &machines, None, evaluations, seed)?
        };
        for c in crossed {
            writeln!(
                out,
                "{},{},{},{:.2}",
                kernel.target.name(),
                c.found_for,
                c.machine,
                c.cycles
            )?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes what the records say of orders.
pub(super) fn page(records: &Path, docs: &Path) -> Outcome {
    let sources = Sources::new(Models::built_in()?, records)?;
    let (text, figures) = markdown(&orders(&sources)?, "figures");
    let folder = docs.join("figures");
    let wrong = |source| FileError { step: "create", path: folder.clone(), source };
    fs::create_dir_all(&folder).map_err(wrong)?;
    for (file, svg) in figures {
        write_file(&folder.join(file), &svg)?;
    }
    let head = "<!-- Generated by `lanesum-graph orders` from benches/record. Do not edit. -->\n";
    write_file(&docs.join("orders.md"), &format!("{head}{text}"))?;
    Ok(ExitCode::SUCCESS)
}
