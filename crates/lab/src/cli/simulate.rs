//! `lanesum-graph simulate`: the limits of each kernel's machine code on machines of the models.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use clap::Args;
use lanesum_kernels::simulated::{SimulationError, TRACED, Trace};
use lanesum_model::{Cycles, Machine, Models};
use lanesum_prove::{Binary, Shipped, Task, read};

use crate::cli::{FileError, Outcome, Usage};

#[derive(Args)]
pub(crate) struct Simulate {
    /// A library or program for x86-64, with symbols.
    #[arg(long, value_name = "FILE")]
    binary: PathBuf,
    /// Only this kernel: avx2_x8/sha256 ...
    #[arg(long)]
    kernel: Option<String>,
    /// Only these machines, separated by commas.
    #[arg(long, value_delimiter = ',', default_value = "zen4,zen5,goldencove")]
    machine: Vec<String>,
    /// llvm-mca of LLVM 19, which has the models named in machines.toml.
    #[arg(long, default_value = "llvm-mca-19", value_name = "PROGRAM")]
    mca: String,
}

pub(crate) fn run(asked: &Simulate) -> Outcome {
    let models = Models::built_in()?;
    let valid = || models.machines.iter().map(|machine| machine.name.clone()).collect();
    let machines = asked.machine.iter().map(|name| models.machine(name));
    let machines: Result<Vec<_>, _> = machines.collect();
    let machines = machines.map_err(|error| super::usage(error, valid()))?;
    let image =
        read(&asked.binary).map_err(|error| format!("{}: {error}", asked.binary.display()))?;
    let compresses = |kernel: &Shipped| kernel.task == Task::Compress && kernel.family.is_fips();
    let all = || image.shipped().filter(compresses);
    let wanted =
        |kernel: &Shipped| asked.kernel.as_ref().is_none_or(|name| *name == kernel.to_string());
    let kernels: Vec<Shipped> = all().filter(wanted).collect();
    if kernels.is_empty() {
        let name = asked.kernel.clone().unwrap_or_default();
        let valid = all().map(|kernel| kernel.to_string()).collect();
        return Err(Box::new(Usage { what: "kernel", name, valid }));
    }
    let mut out = io::stdout().lock();
    let version = output(&asked.mca, &["--version"], "")?;
    let version = version.lines().find(|line| line.contains("version")).unwrap_or_default();
    writeln!(out, "# llvm-mca: {}", version.trim())?;
    writeln!(
        out,
        "model,algorithm,kernel,lanes,instructions,chain,pool,ports,dispatch,order,window,memory,binding,llvm_mca"
    )?;
    for kernel in kernels {
        let binary = Binary::find(&image, kernel).map_err(|fault| fault.to_string())?;
        let trace = match Trace::of(&binary) {
            // No machine of the models has these instructions.
            Err(SimulationError::Unknown(_)) if kernel.name == "sha512_ni_x1" => continue,
            found => found.map_err(|error| format!("{kernel}: {error}"))?,
        };
        for machine in &machines {
            let found = trace.on(machine).map_err(|error| format!("{kernel}: {error}"))?;
            let (pool, ports) = &found.ports;
            writeln!(
                out,
                "{},{},{},{},{:.1},{:.1},{pool},{:.1},{:.1},{:.1},{:.1},{:.1},{:.1},{}",
                machine.name,
                kernel.family.name(),
                kernel.name,
                kernel.lanes,
                found.instructions,
                found.chain.cycles(),
                ports.cycles(),
                found.dispatch.cycles(),
                found.order,
                found.window,
                found.memory,
                found.binding,
                llvm_mca(&asked.mca, machine, &trace)?
                    .map_or(String::new(), |cycles| format!("{cycles:.1}")),
            )?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// LLVM's simulated cycles per block, if LLVM has a model of the machine.
fn llvm_mca(tool: &str, machine: &Machine, trace: &Trace) -> Result<Option<f64>, Box<dyn Error>> {
    let Some(llvm) = &machine.llvm else { return Ok(None) };
    let text = trace.text();
    // Excludes the first iteration, which fills the core's pipeline.
    let after = |times: usize| -> Result<f64, Box<dyn Error>> {
        let (cpu, times) = (format!("-mcpu={}", llvm.cpu), format!("-iterations={times}"));
        let arguments = ["-mtriple=x86_64-linux-gnu", &cpu, &times, "-instruction-info=0"];
        let said = output(tool, &arguments, &text)?;
        let line = said.lines().find_map(|line| line.strip_prefix("Total Cycles:"));
        Ok(line
            .ok_or_else(|| format!("{tool}: no `Total Cycles` in its output"))?
            .trim()
            .parse()?)
    };
    Ok(Some((after(3)? - after(1)?) / (2 * TRACED) as f64))
}

fn output(tool: &str, arguments: &[&str], input: &str) -> Result<String, Box<dyn Error>> {
    let wrong = |source| FileError { step: "run", path: tool.into(), source };
    let mut child = Command::new(tool)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .map_err(wrong)?;
    // It reads all input before it writes output.
    child.stdin.take().expect("it is piped").write_all(input.as_bytes()).map_err(wrong)?;
    let output = child.wait_with_output().map_err(wrong)?;
    if !output.status.success() {
        return Err(format!("{tool}: {}", output.status).into());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
