//! The claims of the publications on which this project is based, each with a computed verdict.

mod efficeon;
mod instructions;
mod paper;
mod parallelism;
mod schedules;
mod zeros;

use lanesum_spec::Algorithm;

use crate::bounds::cell;
use crate::{Section, Sources, two};
use lanesum_model::analyse::{BoundError, KernelBound, KernelEstimate, KernelLimits, Kernels};
use lanesum_model::{Cycles, Figure, Models};

/// A verdict on a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The claim holds.
    Holds,
    /// The claim holds under the assumptions that the reason states.
    Assuming,
    /// The claim does not hold.
    False,
}

impl Verdict {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Holds => "Holds",
            Self::Assuming => "Holds under stated assumptions",
            Self::False => "False",
        }
    }

    fn when(holds: bool) -> Self {
        if holds { Self::Holds } else { Self::False }
    }

    fn assuming(holds: bool) -> Self {
        if holds { Self::Assuming } else { Self::False }
    }

    /// The verdict on a claim that holds, that holds under assumptions, or neither.
    fn of(holds: bool, assuming: bool) -> Self {
        if holds { Self::Holds } else { Self::assuming(assuming) }
    }
}

/// A claim and its verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The name that tests use.
    pub name: &'static str,
    /// The author.
    pub who: &'static str,
    /// The claim.
    pub what: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The reason, with computed figures.
    pub reason: String,
}

impl Claim {
    fn new(name: &'static str, who: &'static str, what: impl Into<String>) -> Self {
        let (what, reason) = (what.into(), String::new());
        Self { name, who, what, verdict: Verdict::False, reason }
    }

    /// The claim with its verdict, and the reason as sentences.
    fn is(self, verdict: Verdict, reason: impl Into<String>) -> Self {
        let reason = reason.into();
        let mut letters = reason.trim_end_matches(['.', ' ']).chars();
        let first = letters.next().map_or(String::new(), |c| c.to_uppercase().to_string());
        Self { verdict, reason: format!("{first}{}.", letters.as_str()), ..self }
    }
}

/// Whether `found` is `given` when rounded or truncated to `digits` decimals.
fn printed(found: f64, given: f64, digits: i32) -> bool {
    let unit = 10f64.powi(-digits);
    found >= given - unit / 2.0 - 1e-9 && found < given + unit
}

/// The relative tolerance of "about".
const ABOUT: f64 = 0.15;

/// Whether a figure of about `given` is consistent with the minimum `least`: not below it, and
/// not far above.
fn about(given: f64, least: f64) -> bool {
    given >= least && given <= least * (1.0 + ABOUT)
}

/// `one`, `one and two`, `one, two and three`.
fn joined(list: &[String]) -> String {
    match list {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// A subject of claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The critical path of SHA-1, and the units and registers that it needs.
    Path,
    /// The parts to move to the SIMD side.
    Moving,
    /// Efficeon.
    Efficeon,
    /// A whole program.
    Zeros,
    /// Instructions of a block.
    Instructions,
    /// Which function is faster.
    Speed,
    /// SHA-1's schedule in vectors.
    Schedule,
    /// Several rounds per clock cycle.
    Unfolding,
}

impl Subject {
    /// Every one.
    pub const ALL: [Self; 8] = [
        Self::Path,
        Self::Moving,
        Self::Efficeon,
        Self::Zeros,
        Self::Instructions,
        Self::Speed,
        Self::Schedule,
        Self::Unfolding,
    ];
}

/// Returns the claims about `subject`, judged with the models and the specification in `kernels`.
///
/// # Errors
///
/// A model refers to a missing item, or a pass is not proven.
pub fn claims(kernels: &mut Kernels<'_>, subject: Subject) -> Result<Vec<Claim>, BoundError> {
    match subject {
        Subject::Path => parallelism::path(kernels),
        Subject::Moving => parallelism::moving(kernels),
        Subject::Efficeon => efficeon::efficeon(kernels),
        Subject::Zeros => zeros::zeros(kernels),
        Subject::Instructions => instructions::counts(kernels),
        Subject::Speed => instructions::speed(kernels),
        Subject::Schedule => schedules::schedules(kernels),
        Subject::Unfolding => paper::paper(kernels),
    }
}

/// The relative accuracy of published figures.
const EXACT: f64 = 0.005;
/// The highest ratio of a figure to its estimate that is usual for such code.
const USUAL: f64 = 1.6;

/// A section for each claim, and one for the published figures.
pub(crate) fn sections(
    sources: &Sources,
    kernels: &mut Kernels<'_>,
) -> Result<Vec<Section>, BoundError> {
    let mut publications = Section::new("The publications");
    let titles: Vec<&str> = sources.models.texts.iter().map(|text| &text.title[..]).collect();
    publications.list(&titles);
    publications.text(
        "Each heading below is a claim of one of them. The verdicts are computed from the graph of the specification, \
         from models of the machines, and from the published numbers in `crates/model/figures.toml`.",
    );
    let mut sections = vec![publications];
    for subject in Subject::ALL {
        for claim in claims(kernels, subject)? {
            let mut section = Section::new(&format!("{}: {}", claim.who, claim.what));
            section.text(format!("**{}.** {}", claim.verdict.name(), claim.reason));
            sections.push(section);
        }
    }
    sections.push(figures(sources, kernels)?);
    Ok(sections)
}

/// The published figures, compared with the bounds and estimates of their machines.
fn figures(sources: &Sources, kernels: &mut Kernels<'_>) -> Result<Section, BoundError> {
    let mut section = Section::new("Published figures");
    let mut table = Vec::new();
    let mut unexplained = Vec::new();
    for figure in &sources.models.figures {
        let (bound, estimate) = limits(&sources.models, kernels, figure)?;
        let what = format!("{} by {} on {}", figure.algorithm, figure.who, figure.called);
        bound.admits(figure.cycles_per_byte, &what)?;
        let ratio = figure.cycles_per_byte / estimate.cycles_per_byte();
        let verdict = if ratio < 1.0 - EXACT {
            unexplained.push(format!("{}, {} ({})", figure.who, figure.called, figure.algorithm));
            "below the estimate: an assumed constant is wrong"
        } else if ratio > USUAL {
            unexplained.push(format!("{}, {} ({})", figure.who, figure.called, figure.algorithm));
            "more than 1.6 times"
        } else {
            "within 1.6 times"
        };
        table.push(vec![
            figure.who.clone(),
            figure.called.clone(),
            figure.algorithm.clone(),
            figure.instructions.map_or("-".to_owned(), |n| n.to_string()),
            figure.cycles.map_or("-".to_owned(), |n| n.to_string()),
            figure.ipc.map_or("-".to_owned(), two),
            two(figure.cycles_per_byte),
            cell(&bound, &estimate),
            format!("{}, {verdict}", two(ratio)),
        ]);
    }
    section.table(
        "Figures of the time compared with the model of their machine: cycles per byte as \
         published; the lower bound by constants with a source, and after a slash the estimate by all constants, \
         most of which are assumed for these machines; and the ratio of the published figure to the estimate.",
        &["who", "on", "algorithm", "instr.", "cycles", "IPC", "published", "bound", "ratio"],
        table,
    );
    section.text(if unexplained.is_empty() {
        "Every row is between the estimate and 1.6 times it.".to_owned()
    } else {
        format!("Below the estimate, or above 1.6 times it: {}.", unexplained.join("; "))
    });
    Ok(section)
}

/// The limits of a figure's kind of kernel on its machine.
fn limits(
    models: &Models,
    kernels: &mut Kernels<'_>,
    figure: &Figure,
) -> Result<(KernelBound, KernelEstimate), BoundError> {
    let machine = models.machine(&figure.machine)?;
    let algorithm = Algorithm::from_name(&figure.algorithm).unwrap_or(Algorithm::SHA1);
    let estimates = kernels.estimates(machine, algorithm.family())?;
    let bounds = kernels.bounds(machine, algorithm.family())?;
    let of_kind = |kernel: &str| kernel.ends_with(figure.kernel.as_str());
    Ok((fastest(bounds, of_kind), fastest(estimates, of_kind)))
}

/// The limits of the kernel with the fewest cycles per byte; the first ones if no kernel is of the kind.
fn fastest<T: Cycles + Clone>(
    limits: Vec<KernelLimits<T>>,
    of_kind: impl Fn(&str) -> bool,
) -> KernelLimits<T> {
    let kind = limits.iter().filter(|limits| of_kind(&limits.kernel));
    let best = kind.min_by(|x, y| x.cycles_per_byte().total_cmp(&y.cycles_per_byte()));
    best.unwrap_or(&limits[0]).clone()
}
