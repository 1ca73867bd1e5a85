//! Kernels by the names that people type.

use lanesum_graph::emit::{Isa, Target};

use super::Usage;

/// The kernel of this name.
pub(super) fn target(name: &str) -> Result<Target, Usage> {
    Target::named(name).ok_or_else(|| Usage {
        what: "kernel",
        name: name.to_owned(),
        valid: Target::all().map(Target::name).collect(),
    })
}

/// Whether kernels of these instructions can be timed on this CPU.
pub(super) fn can_run(isa: Isa) -> Result<(), &'static str> {
    let has = |tier| lanesum::Kernel::all().any(|kernel| kernel.tier() == tier);
    match isa {
        Isa::Bmi2 if !has(lanesum::Tier::Bmi2) => {
            Err("this CPU has no BMI1 and BMI2: search by a model (--machine)")
        }
        Isa::I686 => Err("code of 32 bits is not timed here: search by a model (--machine)"),
        _ => Ok(()),
    }
}
