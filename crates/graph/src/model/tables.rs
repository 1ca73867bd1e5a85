//! Records that the benches keep: `benches/record/<machine>/<date>-<kind>.csv`.

use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

/// The newest record of one kind and one machine, as a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The file.
    pub path: PathBuf,
    /// The machine: the directory's name.
    pub machine: String,
    /// What the head of the file says of the machine, `# machine: ...`; empty if
    /// it says nothing.
    pub processor: String,
    /// The day: the first part of the file's name.
    pub date: String,
    columns: Vec<String>,
    rows: Vec<Row>,
}

/// A line of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    line: usize,
    fields: Vec<String>,
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

/// A column that a table has.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    name: &'static str,
    position: usize,
}

impl Table {
    /// The newest record of a kind of each machine under `directory`, by machine. A
    /// directory that is not there holds none.
    ///
    /// # Errors
    ///
    /// [`MeasuredError::Read`].
    pub fn newest(directory: &Path, kind: &str) -> Result<Vec<Self>, MeasuredError> {
        let end = format!("-{kind}.csv");
        let mut tables = Vec::new();
        for machine in list(directory)? {
            let mut files: Vec<PathBuf> = list(&machine)?;
            files.retain(|file| name(file).ends_with(&end));
            if let Some(newest) = files.pop() {
                let date = name(&newest).trim_end_matches(&end).to_owned();
                tables.push(Self::read(newest, name(&machine), date)?);
            }
        }
        Ok(tables)
    }

    fn read(path: PathBuf, machine: String, date: String) -> Result<Self, MeasuredError> {
        let text = fs::read_to_string(&path)
            .map_err(|source| MeasuredError::Read { path: path.clone(), source })?;
        let processor = text
            .lines()
            .find_map(|line| line.strip_prefix("# machine: "))
            .unwrap_or_default()
            .to_owned();
        // Lines that begin with # say how the record was made.
        let mut rows = text
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty())
            .map(|(i, line)| {
                let fields = line.split(',').map(|field| field.trim().to_owned()).collect();
                Row { line: i + 1, fields }
            });
        let columns = rows.next().map_or(Vec::new(), |row| row.fields);
        let rows = rows.collect();
        Ok(Self { path, machine, processor, date, columns, rows })
    }

    /// The column of that name.
    ///
    /// # Errors
    ///
    /// [`MeasuredError::Column`].
    pub fn column(&self, name: &'static str) -> Result<Column, MeasuredError> {
        let position = self.columns.iter().position(|column| column == name);
        let position = position.ok_or_else(|| MeasuredError::Column {
            path: self.path.clone(),
            column: name,
            found: self.columns.join(", "),
        })?;
        Ok(Column { name, position })
    }

    /// Its rows.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// A row's number in a column.
    ///
    /// # Errors
    ///
    /// [`MeasuredError::Number`].
    pub fn number(&self, row: &Row, column: Column) -> Result<f64, MeasuredError> {
        row.text(column).parse().map_err(|_| MeasuredError::Number {
            path: self.path.clone(),
            line: row.line,
            column: column.name,
        })
    }
}

impl Row {
    /// What is in a column; nothing if the row is too short.
    pub fn text(&self, column: Column) -> &str {
        self.fields.get(column.position).map_or("", String::as_str)
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
