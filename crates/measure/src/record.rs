//! The benchmarks' records: `<machine>/<date>-<kind>.csv`, or `<date>.<number>-<kind>.csv` for the
//! second record of a day and later ones.

use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use crate::cores::{Core, Cores};
use crate::fingerprints::{self, FNV, Fingerprints, fnv};

/// A record, parsed as a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The file.
    pub path: PathBuf,
    /// The machine: the directory's name.
    pub machine: String,
    /// The machine's description in the head, `# machine: ...`; empty if it is missing.
    pub processor: String,
    /// The day of the measurement.
    pub date: String,
    /// Its kind, such as `jobs`.
    pub kind: String,
    /// Orders records by age.
    age: Age,
    /// A note if code has changed since; a [`Reader`] with sources sets it.
    stale: Option<String>,
    head: Vec<(String, String)>,
    columns: Vec<String>,
    rows: Vec<Row>,
}

/// Date and time, the number within its day, and a hash of the text. Without a time in its head, a record
/// counts as the oldest of its day. The hash makes the order total, whatever the machines are called.
type Age = (String, u32, u64);

/// A line of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    line: usize,
    fields: Vec<String>,
}

/// A record that exists but is unusable.
#[derive(Debug)]
pub enum RecordError {
    /// The file or directory cannot be read.
    Read {
        /// The file or directory.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A column is missing.
    Column {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
        /// The existing columns.
        found: String,
    },
    /// A field is not a number.
    Number {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column.
        column: String,
    },
}

impl fmt::Display for RecordError {
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

impl std::error::Error for RecordError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// A column of a table.
#[derive(Clone, Debug)]
pub struct Column {
    name: String,
    position: usize,
}

/// Reads the records of a directory, and rejects tainted ones.
#[derive(Clone, Debug)]
pub struct Reader {
    folder: PathBuf,
    cores: Cores,
    sources: Option<Fingerprints>,
}

/// Splits a file name into day, number within the day, and kind.
fn parts(path: &Path) -> Option<(&str, u32, &str)> {
    let (date, rest) = path.file_name()?.to_str()?.split_at_checked("2026-11-21".len())?;
    let (number, kind) = rest.strip_suffix(".csv")?.split_once('-')?;
    let number = match number.strip_prefix('.') {
        None if number.is_empty() => 1,
        None => return None,
        Some(number) => number.parse().ok()?,
    };
    Some((date, number, kind))
}

impl Reader {
    /// Creates a reader of `folder`, which contains a directory for each machine. A missing
    /// directory contains no records.
    pub fn new(folder: &Path, cores: Cores) -> Self {
        Self { folder: folder.to_owned(), cores, sources: None }
    }

    /// Compares each record with these sources, so that [`newest`](Self::newest) skips outdated figures. A
    /// table of kernels whose other sources have changed is [stale](Table::stale).
    #[must_use]
    pub fn of_sources(self, sources: Fingerprints) -> Self {
        Self { sources: Some(sources), ..self }
    }

    /// Whether a kernel is unchanged since it was measured.
    pub fn is_current(&self, table: &Table, kernel: &str) -> bool {
        let same = |now: &Fingerprints| now.same(&table.fingerprints(), kernel, "", "");
        self.sources.as_ref().is_none_or(same)
    }

    /// Returns the core of a record's machine, if known.
    pub fn core(&self, table: &Table) -> Option<&Core> {
        self.cores.of(&table.processor, &table.machine)
    }

    /// Selects the newest record of a kind for each machine, sorted by machine. Every page selects its records
    /// here. Skips tainted records, rows with an impossible minimum, and figures whose sources have changed:
    /// the rows of the kernel, or the whole record if its rows do not each measure one kernel. A synthesis of
    /// hardware has the same result on a busy machine.
    ///
    /// # Errors
    ///
    /// If a record cannot be read.
    pub fn newest(&self, kind: &str) -> Result<Vec<Table>, RecordError> {
        let mut tables: Vec<Table> = Vec::new();
        for mut table in self.all(kind)? {
            let is_first = tables.iter().all(|newer| newer.machine != table.machine);
            if is_first && table.taint(self.core(&table)).is_none() {
                table.sift(self.sources.as_ref());
                table.stale = self.sources.as_ref().and_then(|now| table.compare(now));
                if table.stale.is_none() || fingerprints::is_of_kernels(kind) {
                    tables.push(table);
                }
            }
        }
        tables.sort_by(|x, y| x.machine.cmp(&y.machine));
        Ok(tables)
    }

    /// Reads all records of a kind, tainted ones included. The newest is first.
    ///
    /// # Errors
    ///
    /// If a record cannot be read.
    pub fn all(&self, kind: &str) -> Result<Vec<Table>, RecordError> {
        let mut tables = Vec::new();
        for path in self.files()? {
            if parts(&path).is_some_and(|parts| parts.2 == kind) {
                tables.push(Table::read(&path)?);
            }
        }
        tables.sort_by(|x, y| y.age.cmp(&x.age));
        Ok(tables)
    }

    /// Returns the records that no page shows, with the reasons: tainted records, records replaced by newer
    /// ones of the same machine and kind, and records whose sources have changed.
    ///
    /// # Errors
    ///
    /// If a record cannot be read.
    pub fn refused(&self) -> Result<Vec<(PathBuf, String)>, RecordError> {
        let files = self.files()?;
        let mut kinds: Vec<&str> = files.iter().filter_map(|path| Some(parts(path)?.2)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let mut refused = Vec::new();
        for kind in kinds {
            let mut machines = Vec::new();
            for table in self.all(kind)? {
                if let Some(taint) = table.taint(self.core(&table)) {
                    refused.push((table.path, taint));
                } else if machines.contains(&table.machine) {
                    refused.push((table.path, "there is a newer one".into()));
                } else {
                    let stale = self.sources.as_ref().and_then(|now| table.compare(now));
                    if let Some(stale) = stale.filter(|_| !fingerprints::is_of_kernels(kind)) {
                        refused.push((table.path, stale));
                    }
                    machines.push(table.machine);
                }
            }
        }
        Ok(refused)
    }

    fn files(&self) -> Result<Vec<PathBuf>, RecordError> {
        let mut files = Vec::new();
        for machine in list(&self.folder)? {
            files.extend(list(&machine)?);
        }
        Ok(files)
    }
}

/// Ratio of the longest to the shortest time for the same work at which a machine does not count as
/// quiet.
const VARIES: f64 = 3.0;
/// A minimum below this fraction of the lower quartile was measured with a wrong clock. Records
/// without quartiles use the median. With quartiles the median would not do: a sibling that starts
/// halfway splits one speed in two.
const APART: f64 = 0.7;
/// Tolerance of width measurements.
const WIDTH: f64 = 1.05;

impl Table {
    /// Reads a record.
    ///
    /// # Errors
    ///
    /// [`RecordError::Read`].
    pub fn read(path: &Path) -> Result<Self, RecordError> {
        let text = fs::read_to_string(path)
            .map_err(|source| RecordError::Read { path: path.to_owned(), source })?;
        Ok(Self::parse(path, &text))
    }

    /// Parses `text` as the record at `path`.
    pub fn parse(path: &Path, text: &str) -> Self {
        // Records before November 2026 use the project's old name, Heddle, in columns and rows.
        let text = text.replace("heddle", "lanesum").replace("Heddle", "Lanesum");
        let head: Vec<(String, String)> = text
            .lines()
            .filter_map(|line| line.strip_prefix("# ")?.split_once(": "))
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .collect();
        let mut rows = text
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty())
            .map(|(i, line)| Row { line: i + 1, fields: fields(line) });
        let mut columns = rows.next().map_or(Vec::new(), |row| row.fields);
        // Those records call a kernel a row.
        columns
            .iter_mut()
            .filter(|column| *column == "row")
            .for_each(|column| *column = "kernel".into());
        let rows = rows.collect();
        let (date, number, kind) = parts(path).unwrap_or_default();
        let print = fnv(FNV, text.bytes());
        let machine = path.parent().and_then(Path::file_name).unwrap_or_default();
        let mut table = Self {
            path: path.to_owned(),
            machine: machine.to_string_lossy().into_owned(),
            processor: String::new(),
            date: date.to_owned(),
            kind: kind.to_owned(),
            age: (date.to_owned(), number, print),
            stale: None,
            head,
            columns,
            rows,
        };
        table.processor = table.says("machine").unwrap_or_default().to_owned();
        // Such as 2026-11-24T18:57:31Z.
        if let Some(time) = table.says("date").filter(|time| time.find('T') == Some(date.len())) {
            table.age.0 = time.to_owned();
        }
        table
    }

    /// Returns the value of a key in the head.
    pub fn says(&self, key: &str) -> Option<&str> {
        self.head.iter().find(|(name, _)| name == key).map(|(_, value)| &value[..])
    }

    /// Returns the core's clock in GHz: the mean of the medians that probes measured before and
    /// after.
    pub fn ghz(&self) -> Option<f64> {
        let median = |key: &str| {
            let (_, rest) = self.says(key)?.split_once(" GHz (median ")?;
            rest.split_once(')')?.0.parse::<f64>().ok()
        };
        let found: Vec<f64> =
            ["noise before", "noise after"].into_iter().filter_map(median).collect();
        (!found.is_empty()).then(|| found.iter().sum::<f64>() / found.len() as f64)
    }

    /// Returns why the record must not be used: a disturbed machine according to its head, or
    /// figures that its core cannot reach.
    pub fn taint(&self, core: Option<&Core>) -> Option<String> {
        if !fingerprints::is_timed(&self.kind) {
            return None;
        }
        let width = core.and_then(|core| core.width).unwrap_or(f64::INFINITY);
        let high = core.and_then(|core| core.ghz).map_or(f64::INFINITY, |[_, high]| high);
        for key in ["noise before", "noise after"] {
            let Some(noise) = self.says(key) else { continue };
            if let Some(moves) = before(noise, " moves per cycle").filter(|n| *n > WIDTH * width) {
                return Some(format!("{key}: {moves} moves per cycle on a core of {width}"));
            }
            if let Some(ghz) = before(noise, " GHz").filter(|ghz| *ghz > high) {
                return Some(format!("{key}: {ghz} GHz on a core of {high}"));
            }
            if let Some(most) = before(noise, " times the minimum").filter(|most| *most >= VARIES) {
                return Some(format!("{key}: the same work took up to {most} times as long"));
            }
        }
        let most = self.rows.iter().find_map(|row| {
            let moves: f64 = self.of(row, "dispatch_max").parse().ok()?;
            (moves > WIDTH * width).then_some(moves)
        });
        most.map(|moves| format!("a sample of {moves} moves per cycle on a core of {width}"))
    }

    /// Whether a row's minimum is so far below its other samples that it was measured wrong.
    fn is_apart(&self, row: &Row) -> bool {
        let of = |column: String| self.of(row, &column).parse::<f64>().ok();
        ["cycles_per_byte", "cycles"].iter().any(|name| {
            let others = of(format!("{name}_p25")).or_else(|| of(format!("{name}_median")));
            let figures = of(format!("{name}_min")).zip(others);
            figures.is_some_and(|(least, others)| least < APART * others)
        })
    }

    /// Drops rows that were measured wrong, and rows of kernels that have changed since.
    fn sift(&mut self, sources: Option<&Fingerprints>) {
        let measured = self.fingerprints();
        let mut rows = std::mem::take(&mut self.rows);
        rows.retain(|row| {
            let columns = ["kernel", "library", "peer", "provider", "digests"];
            let names = columns.map(|column| self.of(row, column));
            let name = names.into_iter().find(|name| !name.is_empty()).unwrap_or_default();
            let [tier, algorithm] = ["tier", "algorithm"].map(|column| self.of(row, column));
            let same = |now: &Fingerprints| now.same(&measured, name, tier, algorithm);
            !self.is_apart(row) && sources.is_none_or(same)
        });
        self.rows = rows;
    }

    /// Returns the fingerprints in the head. Older records only have fingerprints of kernels.
    fn fingerprints(&self) -> Fingerprints {
        let stated = ["kernels", "sources"].map(|key| self.says(key).unwrap_or_default());
        Fingerprints::parse(&stated.join(", "))
    }

    /// Compares the measured code with the current code, and returns a note if it has changed.
    fn compare(&self, now: &Fingerprints) -> Option<String> {
        let measured = self.fingerprints();
        let changed = now.changed(&measured, &self.kind);
        let parts = measured.has_parts().then(|| format!(" ({})", changed.join(", ")));
        (!changed.is_empty())
            .then(|| "the code has changed since".to_owned() + &parts.unwrap_or_default())
    }

    /// Returns a note for the reader if code that the figures depend on has changed since.
    pub fn stale(&self) -> Option<&str> {
        self.stale.as_deref()
    }

    /// Returns the column with this name.
    ///
    /// # Errors
    ///
    /// [`RecordError::Column`].
    pub fn column(&self, name: &str) -> Result<Column, RecordError> {
        let position = self.columns.iter().position(|column| column == name);
        let position = position.ok_or_else(|| RecordError::Column {
            path: self.path.clone(),
            column: name.to_owned(),
            found: self.columns.join(", "),
        })?;
        Ok(Column { name: name.to_owned(), position })
    }

    /// Returns the names of the columns.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Returns the rows.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Returns the number in a column of a row.
    ///
    /// # Errors
    ///
    /// [`RecordError::Number`].
    pub fn number(&self, row: &Row, column: &Column) -> Result<f64, RecordError> {
        row.text(column).parse().map_err(|_| RecordError::Number {
            path: self.path.clone(),
            line: row.line,
            column: column.name.clone(),
        })
    }

    /// Returns the field in a column of a row; empty if there is no such column.
    pub fn of<'a>(&self, row: &'a Row, column: &str) -> &'a str {
        let position = self.columns.iter().position(|name| name == column);
        position.and_then(|position| row.fields.get(position)).map_or("", String::as_str)
    }

    /// Returns the first row whose columns hold these values.
    pub fn find(&self, wanted: &[(&str, &str)]) -> Option<&Row> {
        self.rows
            .iter()
            .find(|row| wanted.iter().all(|(column, value)| self.of(row, column) == *value))
    }

    /// Returns a number in that row, if it exists.
    pub fn figure(&self, wanted: &[(&str, &str)], column: &str) -> Option<f64> {
        self.of(self.find(wanted)?, column).parse().ok()
    }
}

impl Row {
    /// Returns the field in a column; empty if the row is too short.
    pub fn text(&self, column: &Column) -> &str {
        self.fields.get(column.position).map_or("", String::as_str)
    }
}

/// Returns the number directly before `words`.
fn before(text: &str, words: &str) -> Option<f64> {
    let (text, _) = text.split_once(words)?;
    text.rsplit(' ').next()?.parse().ok()
}

/// Splits a line into fields; quoted fields may contain commas.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match (c, fields.last_mut()) {
            ('"', _) => quoted = !quoted,
            (',', _) if !quoted => fields.push(String::new()),
            (c, Some(field)) => field.push(c),
            (_, None) => {}
        }
    }
    fields.iter().map(|field| field.trim().to_owned()).collect()
}

/// Lists the entries of a directory, sorted by name; empty if it is missing.
fn list(directory: &Path) -> Result<Vec<PathBuf>, RecordError> {
    let wrong = |source| RecordError::Read { path: directory.to_owned(), source };
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

#[cfg(test)]
mod tests;
