//! Prints the steps of proofs.

use std::io::{self, Write};

/// Runs a proof and prints every step.
pub(super) fn in_steps<T>(prove: impl FnOnce(&mut dyn FnMut(&str)) -> T) -> T {
    let mut out = io::BufWriter::new(io::stdout());
    let proven = prove(&mut |step| {
        // A closed pipe is not an error of the proof.
        let _ = writeln!(out, "{step}");
    });
    let _ = out.flush();
    proven
}
