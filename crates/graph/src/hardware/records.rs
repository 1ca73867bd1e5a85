//! What was measured of cores: records that `make rtl-report` kept.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use heddle_spec::Algorithm;

/// A core that was synthesized.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// Its name in the record: `sha1_u4_p4_paper`.
    pub name: String,
    pub algorithm: Algorithm,
    pub unfold: usize,
    pub stages: usize,
    /// The paper's registers, and sums of two operands.
    pub paper: bool,
    /// Registers moved, but no word kept in carry-save form.
    pub retimed: bool,
    /// The whole schedule in registers.
    pub whole: bool,
    columns: HashMap<String, String>,
}

impl Row {
    fn new(columns: HashMap<String, String>) -> Option<Self> {
        let name = columns.get("core")?.clone();
        let mut parts = name.split('_');
        let algorithm = Algorithm::from_name(parts.next()?)?;
        let (mut unfold, mut stages) = (1, 1);
        let (mut paper, mut retimed, mut whole) = (false, false, false);
        for part in parts {
            match (part, part.split_at(1)) {
                ("paper", _) => paper = true,
                ("retimed", _) => retimed = true,
                ("w80", _) => whole = true,
                (_, ("u", n)) => unfold = n.parse().ok()?,
                (_, ("p", n)) => stages = n.parse().ok()?,
                _ => return None,
            }
        }
        Some(Self { name, algorithm, unfold, stages, paper, retimed, whole, columns })
    }

    /// A figure; `None` where there is none.
    pub fn get(&self, column: &str) -> Option<f64> {
        self.columns.get(column)?.parse().ok()
    }

    /// The throughput of the best netlist or placement.
    pub fn mbps(&self) -> Option<f64> {
        self.get("mbps_best")
    }
}

/// The record of a target.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    /// Where it is, below the folder of records.
    pub name: String,
    pub rows: Vec<Row>,
}

impl Record {
    /// The core of that shape.
    pub fn find(&self, name: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.name == name)
    }
}

/// The newest record of `target` below `folder`; of two of a day that of the later path.
/// No clock of the machine that ran the tools is in it, so that any machine's will do.
pub(crate) fn newest(folder: &Path, target: &str) -> io::Result<Option<Record>> {
    let mut found: Option<(String, PathBuf)> = None;
    let mut machines: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    machines.sort();
    for machine in machines.iter().filter(|path| path.is_dir()) {
        for entry in fs::read_dir(machine)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let Some(date) = name.strip_suffix(&format!("-rtl-{target}.csv")) else { continue };
            if found.as_ref().is_none_or(|(newest, _)| date >= newest.as_str()) {
                found = Some((date.to_owned(), path));
            }
        }
    }
    let Some((_, path)) = found else { return Ok(None) };
    let text = fs::read_to_string(&path)?;
    let mut lines = text.lines().skip_while(|line| line.starts_with('#'));
    let columns: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let rows = lines.filter_map(|line| {
        let cells = columns.iter().zip(line.split(','));
        Row::new(cells.map(|(&column, cell)| (column.to_owned(), cell.to_owned())).collect())
    });
    let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
    Ok(Some(Record { name, rows: rows.collect() }))
}
