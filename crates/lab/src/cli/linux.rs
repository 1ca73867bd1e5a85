//! Proofs of the Linux module.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use lanesum_kernels::proof::linux_functions;
use lanesum_prove::linux;

use super::Outcome;

/// Proves every function of the module; none may be missing.
pub(super) fn prove(object: &Path) -> Outcome {
    let functions = linux_functions();
    let image = linux::read(object, &functions)?;
    let mut code = ExitCode::SUCCESS;
    for function in functions {
        let name = &function.name;
        let shown = function.find(&image).and_then(|binary| {
            binary.refute()?;
            binary.prove()?;
            Ok(binary.len())
        });
        match shown {
            Ok(instructions) => {
                writeln!(io::stdout(), "{name}: {instructions} instructions compute it")?;
            }
            Err(fault) => {
                writeln!(io::stdout(), "{name}: NOT PROVEN: {fault}")?;
                code = ExitCode::from(1);
            }
        }
    }
    Ok(code)
}
