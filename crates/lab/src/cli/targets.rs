//! Kernels by their names on the command line.

use std::error::Error;
use std::fs;

use lanesum_kernels::emit::{Isa, LaneTarget, Target};
use lanesum_kernels::search::measure::{KernelSignature, Stopwatch};

use super::Usage;

/// The kernel called `name`.
pub(super) fn target(name: &str) -> Result<Target, Usage> {
    Target::named(name).ok_or_else(|| Usage {
        what: "kernel",
        name: name.to_owned(),
        valid: Target::all().map(Target::name).collect(),
    })
}

/// A kernel that is generated from the graph.
pub(super) enum Generated {
    One(Target),
    Lanes(LaneTarget),
}

/// The kernel called `name`, for one message or in lanes.
pub(super) fn generated(name: &str) -> Result<Generated, Usage> {
    if let Some(target) = LaneTarget::named(name) {
        return Ok(Generated::Lanes(target));
    }
    target(name).map(Generated::One).map_err(|mut usage| {
        usage.valid.extend(LaneTarget::all().map(LaneTarget::name));
        usage
    })
}

/// Whether kernels with these instructions can be timed on this CPU.
pub(super) fn can_run(isa: Isa) -> Result<(), &'static str> {
    let has = |tier| lanesum::Kernel::all().any(|kernel| kernel.tier() == tier);
    match isa {
        Isa::Bmi2 if !has(lanesum::Tier::Bmi2) => {
            Err("this CPU has no BMI1 and BMI2: search with a model (--machine)")
        }
        Isa::I686 => Err("32-bit code is not timed here: search with a model (--machine)"),
        _ => Ok(()),
    }
}

/// Whether a lane kernel can be timed on this CPU.
pub(super) fn can_run_lanes(target: LaneTarget) -> Result<(), String> {
    let name = target.kernel();
    match lanesum::Kernel::all().any(|kernel| kernel.name() == name) {
        true => Ok(()),
        false => Err(format!("this CPU cannot run {name}")),
    }
}

/// Runs `work` with this machine, in a temporary directory.
pub(super) fn here<T>(
    signature: KernelSignature,
    work: impl FnOnce(&mut Stopwatch) -> Result<T, Box<dyn Error>>,
) -> Result<T, Box<dyn Error>> {
    let folder = std::env::temp_dir().join(format!("lanesum-graph-{}", std::process::id()));
    let mut machine = Stopwatch::new(&folder, signature)?;
    let done = work(&mut machine);
    // The temporary files are useless afterwards.
    let _ = fs::remove_dir_all(&folder);
    done
}
