//! gaudet's measurement of a whole program.

use crate::claims::{Claim, Verdict, joined, printed};
use crate::{brief, two};
use lanesum_model::analyse::{BoundError, Kernels};

/// The machines of his page, in its order, by their names in the models.
const MACHINES: [&str; 4] = ["p4", "pentium-m", "k8", "efficeon"];

pub(super) fn zeros(kernels: &Kernels<'_>) -> Result<Vec<Claim>, BoundError> {
    let models = kernels.models();
    let before: [f64; 4] = models.numbers("gaudet-zeros")?;
    let after: [f64; 4] = models.numbers("gaudet-zeros-sse2")?;
    let claimed: [f64; 4] = models.numbers("gaudet-zeros-faster")?;
    let mut wrong = Vec::new();
    let mut around = Vec::new();
    for (i, name) in MACHINES.into_iter().enumerate() {
        let found = before[i] / after[i];
        if !printed(found, claimed[i], 1) {
            wrong.push(format!("{} on {name}, not {}", two(found), claimed[i]));
        }
        let mut kernel = models.figures_of("gaudet", name, "sha1");
        let kernel = kernel.find(|figure| figure.kernel == "stitched");
        let rest = after[i] - kernel.map_or(f64::NAN, |figure| figure.cycles_per_byte);
        if rest < 0.0 {
            wrong.push(format!("less than the kernel alone on {name}"));
        }
        around.push(format!("{} on {name}", brief(rest)));
    }
    let faster = joined(&claimed.map(|times| times.to_string()));
    let what = format!("his code makes sha1sum over 256 MB of zeros {faster} times as fast");
    Ok(vec![Claim::new("zeros", "gaudet", what).is(
        Verdict::when(wrong.is_empty()),
        if wrong.is_empty() {
            format!(
                "the quotients of his cycles per byte match. The cycles per byte outside the code \
                 itself are {}",
                joined(&around)
            )
        } else {
            format!("his cycles per byte make {}", joined(&wrong))
        },
    )])
}
