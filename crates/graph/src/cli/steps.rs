//! Steps of proofs, printed.

use std::io::{self, Write};

/// Proves something, of which every step is printed.
pub(super) fn in_steps<T>(prove: impl FnOnce(&mut dyn FnMut(&str)) -> T) -> T {
    let mut out = io::BufWriter::new(io::stdout());
    let proven = prove(&mut |step| {
        // A reader who has seen enough is no fault of the proof's.
        let _ = writeln!(out, "{step}");
    });
    let _ = out.flush();
    proven
}
