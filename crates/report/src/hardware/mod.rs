//! The page on hardware: the paper's tables and figures, reproduced from the graph and from the
//! records of `cargo xtask rtl-report`, and compared with our cores.
//!
//! The paper is Lee, Chan and Verbauwhede, "Throughput Optimized SHA-1 Architecture Using
//! Unfolding Transformation", 2006; its figures are in `figures.toml`.

mod drawings;
mod layout;
mod measured;
mod ours;
mod records;
mod related;
mod tables;

use std::fmt;
use std::path::Path;

use lanesum_measure::RecordError;
use lanesum_spec::Family;

use crate::round_bound;
use drawings::Series;
use lanesum_graph::record::record;
use lanesum_model::ModelError;
use lanesum_model::analyse::{BoundError, Delays};
use lanesum_rtl::{RtlError, Technology};
pub use measured::measured;
use records::{Row, TargetRecord};

/// The reason why the page cannot be generated.
#[derive(Debug)]
pub enum PageError {
    /// Records cannot be read.
    Read(RecordError),
    /// A record of `cargo xtask rtl-report` is missing.
    Missing(&'static str),
    /// A core on the page cannot be built.
    Core(RtlError),
    /// The critical loop cannot be found.
    Bound(BoundError),
}

impl fmt::Display for PageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(_) => f.write_str("cannot read the records"),
            Self::Missing(target) => {
                write!(f, "no record of {target}; `cargo xtask rtl-report RTL={target}` makes one")
            }
            Self::Core(error) => error.fmt(f),
            Self::Bound(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PageError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read(error) => Some(error),
            _ => None,
        }
    }
}

impl From<ModelError> for PageError {
    fn from(error: ModelError) -> Self {
        Self::Bound(error.into())
    }
}

impl From<RtlError> for PageError {
    fn from(error: RtlError) -> Self {
        Self::Core(error)
    }
}

/// Returns the page and its figures, by their paths in `docs/`.
///
/// # Errors
///
/// A [`PageError`], which names a missing record.
pub fn page(records: &Path) -> Result<Vec<(String, String)>, PageError> {
    let all = |target| records::all(records, target).map_err(PageError::Read);
    let older = all("osu018")?;
    let cells = older.first().cloned().ok_or(PageError::Missing("osu018"))?;
    let merged = |target| Ok::<_, PageError>(TargetRecord::merged(all(target)?));
    let (ecp5, mapped, ice40) = (merged("ecp5")?, merged("xc2v")?, merged("ice40")?);
    let (sky130, laid_out) = (merged("sky130")?, all("layout")?);
    let mut files = Vec::new();
    let figure = |files: &mut Vec<(String, String)>, name: &str, svg: String| {
        files.push((format!("figures/hardware-{name}.svg"), svg));
    };
    figure(&mut files, "1", drawings::round());
    figure(&mut files, "2", drawings::equations(&drawings::papers(1)?));
    let unit = Delays { add: 1.0, logic: 0.0, rotate: 0.0, function: 0.2, sigma: 0.2 };
    let (block, critical) =
        round_bound(record(Family::Sha1, false), &unit).map_err(PageError::Bound)?;
    figure(&mut files, "3", drawings::critical_loop(&block.graph, &critical));
    figure(&mut files, "4", drawings::rounds(&drawings::papers(1)?));
    figure(&mut files, "5", drawings::rounds(&drawings::papers(2)?));
    figure(&mut files, "6", drawings::equations(&drawings::papers(8)?));
    figure(&mut files, "7", figure_7(&cells));
    figure(&mut files, "t", falling(&cells)?);
    figure(&mut files, "area", area(&cells));
    let mut text = tables::head(&cells, [&ecp5, &mapped, &ice40]);
    text += &tables::one()?;
    text += &tables::two(ecp5.as_ref(), mapped.as_ref(), ice40.as_ref());
    text += &tables::three(&cells);
    text += &tables::four(&cells, ecp5.as_ref());
    text += &related::claims(sky130.as_ref())?;
    text += &layout::layout(laid_out.first());
    text += &ours::each_clock(&older);
    text += &tables::energy(&cells);
    text += &ours::idle(&cells);
    text += &ours::kept(&cells);
    text += &ours::chained(&cells);
    text += &ours::wide(&cells);
    text += &ours::goals(&cells, ecp5.as_ref());
    text += &ours::figures(&cells);
    text += &ours::predicted(&[
        ("osu018", Some(&cells)),
        ("ecp5", ecp5.as_ref()),
        ("ice40", ice40.as_ref()),
    ]);
    text += &ours::all(&cells);
    files.push(("hardware.md".to_owned(), text));
    Ok(files)
}

/// N_add and the time of a block, in ns, of the paper and of its architecture here.
fn block_times(cells: &TargetRecord) -> [Vec<(f64, f64)>; 2] {
    let papers = tables::PAPER.iter().take(4).map(|p| (p.additions, p.clocks * p.cells.1));
    let ours = tables::PAPER.iter().take(4).filter_map(|p| {
        let row = cells.find(p.name)?;
        Some((p.additions, row.get("clocks_a_block")? * row.get("ns_best")?))
    });
    [papers.collect(), ours.collect()]
}

fn figure_7(cells: &TargetRecord) -> String {
    let mut series = Vec::new();
    let names = ["paper (its Table 3)", "its architecture in osu018"];
    for (points, name) in block_times(cells).into_iter().zip(names) {
        let (slope, rest) = drawings::fit(&points);
        let labels = [1, 2, 4, 8].map(|n| format!("n = {n}")).to_vec();
        let ends = [100.0, 250.0].map(|x| (x, slope * x + rest)).to_vec();
        series.push(Series { name: name.to_owned(), points, labels, line: false });
        let name = format!("{slope:.2} ns · N_add {rest:+.0} ns");
        series.push(Series { name, points: ends, labels: vec![], line: true });
    }
    drawings::plot(
        &series,
        ("additions on a block's critical path, N_add", "ns for a block"),
        false,
    )
}

/// A round's share of the clock period, which decreases to the bound as n grows.
fn falling(cells: &TargetRecord) -> Result<String, PageError> {
    let technology = Technology::named("osu018")?;
    let (a, f) = (technology.add, technology.function);
    let divisors = [1.0, 2.0, 4.0, 5.0, 8.0, 10.0, 16.0, 20.0, 40.0, 80.0];
    let model = divisors.iter().map(|&n: &f64| {
        let functions = ((n - 1.0) / 2.0).floor().max(0.0);
        (n, ((n + 2.0) * a + functions * f) / n)
    });
    let measured = |paper: bool, retimed: bool| -> Vec<(f64, f64)> {
        let of = |row: &&Row| {
            let plain = row.stages == 1 && !row.chain && row.algorithm.name() == "sha1";
            plain && (row.paper, row.retimed) == (paper, retimed)
        };
        let mut points: Vec<(f64, f64)> = cells
            .rows
            .iter()
            .filter(of)
            .filter_map(|r| Some((r.unfold as f64, r.get("ns_best")? / r.unfold as f64)))
            .collect();
        points.sort_by(|x, y| x.0.total_cmp(&y.0));
        points
    };
    let line = |name: String, value: f64| Series {
        name,
        points: vec![(1.0, value), (80.0, value)],
        labels: vec![],
        line: true,
    };
    let series = [
        Series {
            name: "paper's registers, (n + 2)A and F, without registers' own time".to_owned(),
            points: model.collect(),
            labels: vec![],
            line: true,
        },
        line(format!("bound of whole rotations, A + F/2 = {:.2} ns", a + f / 2.0), a + f / 2.0),
        line(format!("bound of split rotations, A = {a:.2} ns"), a),
        Series {
            name: "paper's registers, measured".to_owned(),
            points: measured(true, false),
            labels: vec![],
            line: true,
        },
        Series {
            name: "retimed, measured".to_owned(),
            points: measured(false, true),
            labels: vec![],
            line: true,
        },
        Series {
            name: "kept in carry-save form, measured".to_owned(),
            points: measured(false, false),
            labels: vec![],
            line: true,
        },
    ];
    Ok(drawings::plot(&series, ("n, rounds per clock", "ns per round"), true))
}

/// Area and throughput of every measured core.
fn area(cells: &TargetRecord) -> String {
    let group = |name: &str, of: &dyn Fn(&&Row) -> bool| {
        let rows: Vec<&Row> = cells.rows.iter().filter(of).filter(|r| r.mbps().is_some()).collect();
        Series {
            name: name.to_owned(),
            points: rows
                .iter()
                .map(|r| (r.get("area").unwrap_or(1.0), r.mbps().unwrap_or(1.0)))
                .collect(),
            labels: rows.iter().map(|r| r.name.clone()).collect(),
            line: false,
        }
    };
    let printed = Series {
        name: "as the paper printed".to_owned(),
        points: tables::PAPER.iter().map(|p| (p.cells.0, p.cells.2)).collect(),
        labels: vec![],
        line: false,
    };
    let sha1 = |r: &&Row| r.algorithm.name() == "sha1";
    let series = [
        printed,
        group("the paper's registers", &|r| r.paper),
        group("ours, SHA-1, one block", &|r| sha1(r) && !r.paper && r.stages == 1 && !r.chain),
        group("ours, SHA-1, one message (--chain)", &|r| sha1(r) && r.chain),
        group("ours, SHA-1, pipelines", &|r| sha1(r) && !r.paper && r.stages > 1),
        group("ours, SHA-2", &|r| !sha1(r)),
    ];
    drawings::plot(&series, ("gate equivalents (NAND2)", "Mbit/s"), true)
}
