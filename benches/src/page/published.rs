//! Published figures, from the models' file.

use lanesum_model::Figure;

use crate::cores::models;

/// The numbers called `name`; a test covers every name that a page uses.
pub(super) fn numbers<const N: usize>(name: &str) -> [f64; N] {
    models().numbers(name).unwrap_or_else(|error| panic!("{error}"))
}

/// The first figure of an author for a kernel on a machine.
pub(super) fn figure(
    who: &'static str,
    machine: &'static str,
    algorithm: &str,
    kernel: &str,
) -> Option<&'static Figure> {
    models().figures.iter().find(|figure| {
        figure.who.starts_with(who)
            && (&figure.machine[..], &figure.algorithm[..], &figure.kernel[..])
                == (machine, algorithm, kernel)
    })
}
