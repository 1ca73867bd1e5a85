//! Measurements of cores: records of `cargo xtask rtl-report`.

use std::collections::HashMap;
use std::path::Path;

use lanesum_measure::{Cores, Reader, RecordError};
use lanesum_spec::Algorithm;

/// Column names of older records, which had one netlist per core.
const ALIASES: [(&str, &str); 7] = [
    ("area", "ge"),
    ("area", "lut"),
    ("runs", "seeds"),
    ("ns_best", "ns"),
    ("mbps_best", "mbps"),
    ("mbps_best_per_k", "mbps_per_kge"),
    ("ns_worst", "ns"),
];

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
    /// Registers are moved, but no word is in carry-save form.
    pub retimed: bool,
    /// The chaining value stays in the core.
    pub chain: bool,
    columns: HashMap<String, String>,
}

impl Row {
    fn new(columns: HashMap<String, String>) -> Option<Self> {
        let name = columns.get("core")?.clone();
        let mut parts = name.split('_');
        let algorithm = Algorithm::from_name(parts.next()?)?;
        let (mut unfold, mut stages) = (1, 1);
        let [mut paper, mut retimed, mut chain] = [false; 3];
        for part in parts {
            match (part, part.split_at(1)) {
                ("paper", _) => paper = true,
                ("retimed", _) => retimed = true,
                ("chain", _) => chain = true,
                (_, ("u", n)) => unfold = n.parse().ok()?,
                (_, ("p", n)) => stages = n.parse().ok()?,
                _ => return None,
            }
        }
        Some(Self { name, algorithm, unfold, stages, paper, retimed, chain, columns })
    }

    /// The figure in a column, or `None`.
    pub fn get(&self, column: &str) -> Option<f64> {
        let alias = ALIASES.iter().filter(|alias| alias.0 == column).map(|alias| alias.1);
        let mut names = std::iter::once(column).chain(alias);
        names.find_map(|name| self.columns.get(name)?.parse().ok())
    }

    /// The text in a column, or `None`.
    pub fn word(&self, column: &str) -> Option<&str> {
        self.columns.get(column).map(String::as_str)
    }

    /// Whether the registers of the core are quiet without a block: the first record with the
    /// energy of an idle clock is of such cores.
    pub fn is_quiet(&self) -> bool {
        self.columns.contains_key("idle_pj")
    }

    /// The throughput for `clocks` clock cycles of `ns` nanoseconds per block.
    pub fn mbps_at(&self, clocks: f64, ns: f64) -> Option<f64> {
        Some(1000.0 * self.get("bits")? / (clocks * ns))
    }

    /// The throughput of the best netlist or placement.
    pub fn mbps(&self) -> Option<f64> {
        self.get("mbps_best")
    }
}

/// The record of a target.
#[derive(Clone, Debug)]
pub(crate) struct TargetRecord {
    /// The path in the directory of records.
    pub name: String,
    pub rows: Vec<Row>,
    /// Cores whose rows are from older records, because this one lacks them.
    pub older: Vec<String>,
}

impl TargetRecord {
    /// Returns the newest record, with the rows that only older records have.
    pub fn merged(records: Vec<Self>) -> Option<Self> {
        let mut records = records.into_iter();
        let mut newest = records.next()?;
        for record in records {
            let mut wanted = false;
            for row in record.rows {
                if newest.find(&row.name).is_none() {
                    newest.older.push(row.name.clone());
                    newest.rows.push(row);
                    wanted = true;
                }
            }
            if wanted {
                newest.name += &format!("`, `{}", record.name);
            }
        }
        Some(newest)
    }

    /// Whether its cores have registers that are quiet without a block.
    pub fn has_quiet_cores(&self) -> bool {
        self.rows.first().is_some_and(Row::is_quiet)
    }

    /// The core named `name`.
    pub fn find(&self, name: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.name == name)
    }
}

/// Returns all records of `target` in `folder`, the newest first. They do not depend on the
/// machine that ran the tools.
pub(crate) fn all(folder: &Path, target: &str) -> Result<Vec<TargetRecord>, RecordError> {
    let tables = Reader::new(folder, Cores::default()).all(&format!("rtl-{target}"))?;
    let record = |table: &lanesum_measure::Table| {
        let rows = table.rows().iter().filter_map(|row| {
            let cells = table.columns().iter();
            let cells = cells.map(|column| (column.clone(), table.of(row, column).to_owned()));
            Row::new(cells.collect())
        });
        let path = table.path.strip_prefix(folder).unwrap_or(&table.path);
        let name = path.display().to_string();
        TargetRecord { name, rows: rows.collect(), older: Vec::new() }
    };
    Ok(tables.iter().map(record).collect())
}
