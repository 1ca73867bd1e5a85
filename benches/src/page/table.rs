//! Records as tables.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// A record: its machine and day, its head, its lines.
pub(super) struct Table {
    pub(super) machine: String,
    pub(super) day: String,
    pub(super) head: Vec<(String, String)>,
    pub(super) columns: csv::StringRecord,
    pub(super) lines: Vec<csv::StringRecord>,
}

impl Table {
    fn read(machine: String, path: &Path) -> Result<Self> {
        let text =
            fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        // Until November 2026 the project was called Heddle, and so are its columns and rows in
        // records of that time.
        let text = text.replace("heddle", "lanesum").replace("Heddle", "Lanesum");
        let (head, table): (Vec<&str>, Vec<&str>) =
            text.lines().partition(|line| line.starts_with('#'));
        let head: Vec<(String, String)> = head
            .iter()
            .filter_map(|line| line.trim_start_matches("# ").split_once(": "))
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .collect();
        let table = table.join("\n");
        let mut reader = csv::Reader::from_reader(table.as_bytes());
        let columns = reader.headers()?.clone();
        let lines = reader.records().collect::<Result<_, _>>()?;
        // The file's name begins with the date.
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let day = name.chars().take("2026-11-21".len()).collect();
        Ok(Self { machine, day, head, columns, lines })
    }

    /// What is in a column of a line; nothing if there is no such column.
    pub(super) fn of<'a>(&self, line: &'a csv::StringRecord, column: &str) -> &'a str {
        let place = self.columns.iter().position(|name| name == column);
        place.and_then(|place| line.get(place)).unwrap_or_default()
    }

    /// The line whose columns hold these values.
    pub(super) fn line(&self, wanted: &[(&str, &str)]) -> Option<&csv::StringRecord> {
        self.lines
            .iter()
            .find(|line| wanted.iter().all(|(column, value)| self.of(line, column) == *value))
    }

    /// A number of that line.
    pub(super) fn number(&self, wanted: &[(&str, &str)], column: &str) -> Option<f64> {
        self.of(self.line(wanted)?, column).parse().ok()
    }
}

/// What a record is of: its file is called `<date>-<what>.csv`, or `<date>.<number>-<what>.csv`.
fn kind(path: &Path) -> Option<&str> {
    let (_, name) = path.file_name()?.to_str()?.split_at_checked("2026-11-21".len())?;
    let name = name.trim_start_matches(|c: char| c == '.' || c.is_ascii_digit());
    name.strip_prefix('-')?.strip_suffix(".csv")
}

/// The newest record of a kind of each machine.
pub(super) fn newest(folder: &Path, what: &str) -> Result<Vec<Table>> {
    let mut newest: BTreeMap<String, PathBuf> = BTreeMap::new();
    let machines =
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for machine in machines {
        let machine = machine?;
        if !machine.file_type()?.is_dir() {
            continue;
        }
        for entry in fs::read_dir(machine.path())? {
            let path = entry?.path();
            if kind(&path).is_some_and(|kind| kind == what) {
                let name = machine.file_name().to_string_lossy().into_owned();
                let place = newest.entry(name).or_insert_with(|| path.clone());
                *place = path.max(place.clone());
            }
        }
    }
    newest.into_iter().map(|(machine, path)| Table::read(machine, &path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_of_what_its_name_says_and_not_of_a_part_of_it() {
        assert_eq!(kind(Path::new("record/x/2026-11-21-calls.csv")), Some("calls"));
        assert_eq!(kind(Path::new("record/x/2026-11-21.12-c-calls.csv")), Some("c-calls"));
        assert_eq!(kind(Path::new("record/x/notes.csv")), None);
    }
}
