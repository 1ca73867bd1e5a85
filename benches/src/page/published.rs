//! Published figures, from the graph's file.

use std::sync::LazyLock;

use serde::Deserialize;

const TEXT: &str = include_str!("../../../crates/model/figures.toml");

#[derive(Deserialize)]
struct File {
    figure: Vec<Figure>,
    published: Vec<Numbers>,
}

/// A kernel's figure; only the fields that are used here.
#[derive(Deserialize)]
pub(super) struct Figure {
    who: String,
    machine: String,
    algorithm: String,
    kernel: String,
    pub(super) cycles_per_byte: f64,
    pub(super) instructions: Option<u32>,
    pub(super) cycles: Option<u32>,
}

#[derive(Deserialize)]
struct Numbers {
    name: String,
    values: Vec<f64>,
}

static FILE: LazyLock<File> =
    LazyLock::new(|| toml::from_str(TEXT).expect("a test checks this file"));

/// The numbers called `name`; a test covers every name that a page uses.
pub(super) fn numbers<const N: usize>(name: &str) -> [f64; N] {
    let found = FILE.published.iter().find(|numbers| numbers.name == name);
    let values = found.and_then(|numbers| numbers.values.clone().try_into().ok());
    values.unwrap_or_else(|| panic!("figures.toml has no {N} numbers of `{name}`"))
}

/// The first figure of an author for a kernel on a machine.
pub(super) fn figure(
    who: &str,
    machine: &str,
    algorithm: &str,
    kernel: &str,
) -> Option<&'static Figure> {
    FILE.figure.iter().find(|figure| {
        figure.who.starts_with(who)
            && (&figure.machine[..], &figure.algorithm[..], &figure.kernel[..])
                == (machine, algorithm, kernel)
    })
}
