//! The claims of the texts this project began with, each judged by computing it.

mod instructions;
mod paper;
mod parallelism;
mod schedules;

use lanesum_spec::Algorithm;

use crate::analyse::{BoundError, Kernels};
use crate::model::{Figure, Models};
use crate::report::{Section, Sources, two};

/// What a claim comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is so.
    Holds,
    /// It is so if what the reason states is assumed.
    Assuming,
    /// It is not so.
    False,
}

impl Verdict {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Assuming => "holds under stated assumptions",
            Self::False => "false",
        }
    }

    fn when(holds: bool) -> Self {
        if holds { Self::Holds } else { Self::False }
    }

    fn assuming(holds: bool) -> Self {
        if holds { Self::Assuming } else { Self::False }
    }
}

/// A claim and its verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Whose.
    pub who: &'static str,
    /// What was claimed.
    pub what: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Why, in figures that were just computed.
    pub reason: String,
}

fn claim(
    who: &'static str,
    what: impl Into<String>,
    verdict: Verdict,
    reason: impl Into<String>,
) -> Claim {
    Claim { who, what: what.into(), verdict, reason: reason.into() }
}

/// Every claim.
///
/// # Errors
///
/// When a model refers to what is not there, or a pass is not proven.
pub fn claims(models: &Models, kernels: &mut Kernels<'_>) -> Result<Vec<Claim>, BoundError> {
    let mut list = parallelism::parallelism(models, kernels)?;
    list.extend(instructions::instruction_counts(models, kernels)?);
    list.extend(schedules::schedules(models)?);
    list.extend(paper::paper(models)?);
    Ok(list)
}

pub(crate) fn section(sources: &Sources, kernels: &mut Kernels<'_>) -> Result<Section, BoundError> {
    let mut section = Section::new("The seeds' claims");
    let rows = claims(&sources.models, kernels)?
        .into_iter()
        .map(|c| vec![c.who.to_owned(), c.what, c.verdict.name().to_owned(), c.reason])
        .collect::<Vec<_>>();
    for row in &rows {
        section.text(format!("[{}] {}: {}. {}", row[2], row[0], row[1], row[3]));
    }
    let mut table = Vec::new();
    let mut unexplained = Vec::new();
    for figure in &sources.models.figures {
        let (bound, limit) = prediction(&sources.models, kernels, figure)?;
        let ratio = figure.cycles_per_byte / bound;
        let verdict = if ratio < 0.995 {
            unexplained.push(format!("{}, {} ({})", figure.who, figure.called, figure.algorithm));
            "below the bound: the model has it too slow"
        } else if ratio > 1.6 {
            unexplained.push(format!("{}, {} ({})", figure.who, figure.called, figure.algorithm));
            "not explained by ports or chain"
        } else {
            "within the bound"
        };
        table.push(vec![
            figure.who.clone(),
            figure.called.clone(),
            figure.algorithm.clone(),
            figure.instructions.map_or("-".to_owned(), |n| n.to_string()),
            figure.cycles.map_or("-".to_owned(), |n| n.to_string()),
            figure.ipc.map_or("-".to_owned(), two),
            two(figure.cycles_per_byte),
            format!("{} [{limit}]", two(bound)),
            format!("{}, {verdict}", two(ratio)),
        ]);
    }
    section.table(
        "Figures of the time beside the model of their machine: cycles per byte given and at best, \
         and the one over the other.",
        &["who", "on", "algorithm", "instr.", "cycles", "IPC", "given", "at best", "over it"],
        table,
    );
    section.text(format!("Rows that the models cannot explain: {}.", unexplained.join("; ")));
    Ok(section)
}

/// The best of a figure's kind of kernel on its machine: cycles per byte, and what binds.
fn prediction(
    models: &Models,
    kernels: &mut Kernels<'_>,
    figure: &Figure,
) -> Result<(f64, String), BoundError> {
    let machine = models.machine(&figure.machine)?;
    let algorithm = Algorithm::from_name(&figure.algorithm).unwrap_or(Algorithm::SHA1);
    let bounds = kernels.bounds(machine, algorithm.family())?;
    let best = bounds
        .iter()
        .filter(|b| b.row.ends_with(figure.kernel.as_str()))
        .min_by(|x, y| x.cycles_per_byte().total_cmp(&y.cycles_per_byte()))
        .unwrap_or(&bounds[0]);
    Ok((best.cycles_per_byte(), best.limit().to_owned()))
}
