//! The report on how fast SHA can be: one document, as text, JSON or a page; and the page about
//! [`hardware`].
#![forbid(unsafe_code)]

mod bounds;
mod carry_save;
mod claims;
mod counts;
mod fewest;
pub(crate) mod figures;
pub mod hardware;
mod linear;
mod markdown;
mod optimal;
mod orders;
pub(crate) mod svg;
mod unfolding;
mod waterfall;

use std::path::Path;

use serde::Serialize;

use lanesum_measure::{Fingerprints, Reader, Table};
use lanesum_model::analyse::{BoundError, Kernels};

use lanesum_model::{Machine, ModelError, Models, Record};

pub use claims::{Claim, Subject, Verdict, claims};
pub use markdown::markdown;
pub use orders::{Convergence, Counted, Crossing, InstructionTable};
pub(crate) use unfolding::{paper_table, round_bound};
pub use waterfall::Simulated;

/// A document: sections of text, tables and figures.
#[derive(Clone, Debug)]
pub struct Document {
    /// Its title.
    pub title: String,
    /// Its sections, in order.
    pub sections: Vec<Section>,
}

/// A section.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its heading.
    pub title: String,
    /// Its paragraphs, tables and figures, in order.
    pub items: Vec<Item>,
}

/// Something in a section.
#[derive(Clone, Debug)]
pub enum Item {
    /// A paragraph.
    Text {
        /// The words.
        text: String,
    },
    /// A list.
    List {
        /// Its points.
        points: Vec<String>,
    },
    /// A table.
    Table {
        /// A description of the contents.
        caption: String,
        /// The heads of its columns.
        columns: Vec<String>,
        /// Its rows, each as long as `columns`.
        rows: Vec<Vec<String>>,
    },
    /// A drawing.
    Figure {
        /// A description of the contents.
        caption: String,
        /// The drawing.
        svg: String,
    },
}

impl Section {
    fn new(title: &str) -> Self {
        Self { title: title.to_owned(), items: Vec::new() }
    }

    fn text(&mut self, text: impl Into<String>) {
        self.items.push(Item::Text { text: text.into() });
    }

    fn list(&mut self, points: &[&str]) {
        self.items.push(Item::List { points: points.iter().map(|&p| p.to_owned()).collect() });
    }

    fn table(&mut self, caption: &str, columns: &[&str], rows: Vec<Vec<String>>) {
        let columns = columns.iter().map(|c| (*c).to_owned()).collect();
        self.items.push(Item::Table { caption: caption.to_owned(), columns, rows });
    }

    fn figure(&mut self, caption: &str, svg: String) {
        self.items.push(Item::Figure { caption: caption.to_owned(), svg });
    }
}

/// The inputs of the pages.
#[derive(Debug)]
pub struct Sources {
    /// The models.
    pub models: Models,
    /// Measurements, one record for each machine.
    pub records: Vec<Record>,
    /// How searches for orders converged.
    pub convergence: Vec<Convergence>,
    /// The cost of one machine's orders on another.
    pub crossing: Vec<Crossing>,
    /// Instructions and cycles of a block.
    pub instructions: Vec<InstructionTable>,
    /// The limits of kernels' machine code.
    pub simulated: Vec<Simulated>,
    /// Latencies and throughputs of instructions.
    pub latencies: Vec<Table>,
}

impl Sources {
    /// The models, and the newest records under `directory`.
    ///
    /// # Errors
    ///
    /// A record exists but cannot be used, or a constant of a model differs from the record that is its source.
    pub fn new(models: Models, directory: &Path) -> Result<Self, ModelError> {
        models.check_records(directory)?;
        let reader = Reader::new(directory, models.cores());
        // Where the sources are available, drop the rows of kernels that have changed since.
        let reader = match Fingerprints::of(&directory.join("../../crates")) {
            Ok(sources) => reader.of_sources(sources),
            Err(_) => reader,
        };
        let newest = |kind| reader.newest(kind);
        Ok(Self {
            models,
            records: Record::newest(&reader)?,
            convergence: newest("convergence")?
                .iter()
                .map(Convergence::from_table)
                .collect::<Result<_, _>>()?,
            crossing: newest("orders")?
                .iter()
                .map(Crossing::from_table)
                .collect::<Result<_, _>>()?,
            instructions: newest("instructions")?
                .iter()
                .map(InstructionTable::from_table)
                .collect::<Result<_, _>>()?,
            simulated: newest("simulated")?
                .iter()
                .max_by_key(|table| table.date.clone())
                .map_or(Ok(Vec::new()), Simulated::from_table)?,
            latencies: newest("latencies")?,
        })
    }

    /// The measurements of the kernels on `machine`.
    fn record_of(&self, machine: &Machine) -> Option<&Record> {
        self.records
            .iter()
            .find(|record| self.is_of(&record.processor, &record.machine, &machine.name))
    }

    /// The latencies of instructions on `machine`.
    fn latencies_of(&self, machine: &Machine) -> Option<&Table> {
        self.latencies
            .iter()
            .find(|table| self.is_of(&table.processor, &table.machine, &machine.name))
    }

    /// Whether a record in the directory `name`, with this `processor` in its head, is of a machine of the models.
    fn is_of(&self, processor: &str, name: &str, machine: &str) -> bool {
        self.models.cores().of(processor, name).is_some_and(|core| core.name == machine)
    }
}

/// Generates the counts of the specification's graph, and the bounds of one machine or of all: `docs/bounds.md`.
///
/// # Errors
///
/// A model refers to a missing item, or a pass is not proven.
pub fn bounds(sources: &Sources, machine: Option<&str>) -> Result<Document, BoundError> {
    let models = &sources.models;
    let machines: Vec<&Machine> = match machine {
        Some(name) => vec![models.machine(name)?],
        None => models.machines.iter().collect(),
    };
    let mut kernels = Kernels::new(models);
    let mut sections = vec![
        counts::operations()?,
        counts::proofs()?,
        counts::schedules()?,
        counts::instruction_sets(models)?,
        unfolding::iteration_bounds(models)?,
        unfolding::unfolding(models)?,
        linear::schedule_forms(),
        counts::endings(),
    ];
    sections.extend(bounds::sections(sources, &machines, &mut kernels)?);
    Ok(Document { title: "Counts, chains and bounds".to_owned(), sections })
}

/// Generates the verdicts on the claims of the publications, which become `docs/claims.md`.
///
/// # Errors
///
/// The errors of [`bounds`].
pub fn verdicts(sources: &Sources) -> Result<Document, BoundError> {
    let sections = claims::sections(sources, &mut Kernels::new(&sources.models))?;
    Ok(Document { title: "Published claims, with verdicts".to_owned(), sections })
}

/// Generates the sections on orders and on the fewest instructions, which become `docs/orders.md`.
///
/// # Errors
///
/// The errors of [`bounds`].
pub fn orders(sources: &Sources) -> Result<Document, BoundError> {
    let mut sections = orders::sections(sources, &mut Kernels::new(&sources.models))?;
    sections.push(fewest::section(&sources.models)?);
    Ok(Document { title: "The order of instructions".to_owned(), sections })
}

/// Generates the page on the limits that a kernel's time consists of, `docs/waterfall.md`.
///
/// # Errors
///
/// A measured figure is below a bound.
pub fn waterfall(sources: &Sources) -> Result<Document, BoundError> {
    let sections = waterfall::sections(sources)?;
    Ok(Document { title: "Where the cycles go".to_owned(), sections })
}

/// Generates the sections on lower bounds and on orders that attain them, which become `docs/optimal.md`.
///
/// # Errors
///
/// The errors of [`bounds`], and a measured figure below its bound.
pub fn optimal(sources: &Sources) -> Result<Document, BoundError> {
    let sections = optimal::sections(sources)?;
    Ok(Document { title: "How far from optimal".to_owned(), sections })
}

/// Returns the figures of [`waterfall`]'s tables, for the interactive page.
pub fn bars(sources: &Sources) -> impl Serialize {
    waterfall::bars(sources)
}

/// A number with two decimals.
fn two(x: f64) -> String {
    format!("{x:.2}")
}

/// A number with one decimal, or none if it is whole.
fn brief(x: f64) -> String {
    if (x - x.round()).abs() < 0.05 { format!("{x:.0}") } else { format!("{x:.1}") }
}
