//! Records of measurements: `benches/record/<machine>/<date>-kernels.csv`.

use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

/// One measured row.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The algorithm, as the table of algorithms names it.
    pub algorithm: String,
    /// The row of the engine.
    pub row: String,
    /// Its lanes.
    pub lanes: u32,
    /// Blocks a call and lane.
    pub blocks: u32,
    /// The least of the runs.
    pub cycles_per_byte_min: f64,
    /// The median of the runs.
    pub cycles_per_byte_median: f64,
}

/// The newest record of one machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The machine: the directory's name.
    pub machine: String,
    /// What the head of the file says of the machine, `# machine: ...`; empty if
    /// it says nothing.
    pub processor: String,
    /// The day: the first part of the file's name.
    pub date: String,
    /// The rows.
    pub rows: Vec<Measured>,
}

/// A record that is there and cannot be used.
#[derive(Debug)]
pub enum MeasuredError {
    /// It cannot be read.
    Read {
        /// The file or directory.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A column is missing.
    Column {
        /// The file.
        path: PathBuf,
        /// The column.
        column: &'static str,
        /// The columns there are.
        found: String,
    },
    /// A field is no number.
    Number {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column.
        column: &'static str,
    },
}

impl fmt::Display for MeasuredError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read { path, .. } => write!(f, "cannot read {}", path.display()),
            Self::Column { path, column, found } => {
                write!(f, "{} has no column `{column}`; there are {found}", path.display())
            }
            Self::Number { path, line, column } => {
                write!(f, "{}:{line}: `{column}` is not a number", path.display())
            }
        }
    }
}

impl std::error::Error for MeasuredError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read { source, .. } => Some(source),
            _ => None,
        }
    }
}

impl Record {
    /// The newest kernel record of each machine under `directory`, by machine. A
    /// directory that is not there holds none.
    ///
    /// # Errors
    ///
    /// When a record is there and cannot be read or has not the columns.
    pub fn newest(directory: &Path) -> Result<Vec<Self>, MeasuredError> {
        let mut records = Vec::new();
        for machine in list(directory)? {
            let mut files: Vec<PathBuf> = list(&machine)?;
            files.retain(|file| name(file).ends_with("-kernels.csv"));
            if let Some(newest) = files.pop() {
                records.push(Self::read(&newest, name(&machine))?);
            }
        }
        Ok(records)
    }

    fn read(path: &Path, machine: String) -> Result<Self, MeasuredError> {
        let text = fs::read_to_string(path)
            .map_err(|source| MeasuredError::Read { path: path.to_owned(), source })?;
        let processor = text
            .lines()
            .find_map(|line| line.strip_prefix("# machine: "))
            .unwrap_or_default()
            .to_owned();
        // Lines that begin with # say how the record was made.
        let mut lines = text
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty());
        let header = lines.next().map_or("", |(_, line)| line);
        let columns: Vec<&str> = header.split(',').map(str::trim).collect();
        let column = |name: &'static str| {
            columns.iter().position(|&c| c == name).ok_or_else(|| MeasuredError::Column {
                path: path.to_owned(),
                column: name,
                found: columns.join(", "),
            })
        };
        let [algorithm, row] = [column("algorithm")?, column("row")?];
        const NUMBERS: [&str; 4] =
            ["lanes", "blocks", "cycles_per_byte_min", "cycles_per_byte_median"];
        let mut positions = [0; 4];
        for (position, name) in positions.iter_mut().zip(NUMBERS) {
            *position = column(name)?;
        }
        let mut rows = Vec::new();
        for (i, line) in lines {
            let fields: Vec<&str> = line.split(',').map(str::trim).collect();
            let mut numbers = [0.0f64; 4];
            for ((number, &position), column) in numbers.iter_mut().zip(&positions).zip(NUMBERS) {
                *number =
                    fields.get(position).and_then(|field| field.parse().ok()).ok_or_else(|| {
                        MeasuredError::Number { path: path.to_owned(), line: i + 1, column }
                    })?;
            }
            let text = |position: usize| fields.get(position).unwrap_or(&"").to_string();
            rows.push(Measured {
                algorithm: text(algorithm),
                row: text(row),
                lanes: numbers[0] as u32,
                blocks: numbers[1] as u32,
                cycles_per_byte_min: numbers[2],
                cycles_per_byte_median: numbers[3],
            });
        }
        let date = name(path).trim_end_matches("-kernels.csv").to_owned();
        Ok(Self { machine, processor, date, rows })
    }
}

fn name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The entries of a directory, in order of name; none if it is not there.
fn list(directory: &Path) -> Result<Vec<PathBuf>, MeasuredError> {
    let wrong = |source| MeasuredError::Read { path: directory.to_owned(), source };
    if !directory.is_dir() {
        return Ok(Vec::new());
    }
    let mut entries = fs::read_dir(directory)
        .map_err(wrong)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(wrong)?;
    entries.sort();
    Ok(entries)
}
