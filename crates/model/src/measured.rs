//! Measurements of the engine's kernels: `benches/record/<machine>/<date>-kernels.csv`.

use lanesum_measure::{Reader, RecordError, Row, Table};

/// One measured row.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The algorithm's name in the table of algorithms.
    pub algorithm: String,
    /// The engine's kernel.
    pub kernel: String,
    /// Its number of lanes.
    pub lanes: u32,
    /// Blocks per call and lane.
    pub blocks: u32,
    /// The minimum of the runs in which no other thread shared the core.
    pub cycles_per_byte_min: f64,
    /// The median of the runs.
    pub cycles_per_byte_median: f64,
}

/// The newest record of one machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The machine: the directory's name.
    pub machine: String,
    /// The description of the machine in the head of the file.
    pub processor: String,
    /// The date: the first part of the file's name.
    pub date: String,
    /// The rows.
    pub rows: Vec<Measured>,
}

impl Record {
    /// Returns the newest kernel record of each machine.
    ///
    /// # Errors
    ///
    /// A record exists, but cannot be read or lacks a column.
    pub fn newest(reader: &Reader) -> Result<Vec<Self>, RecordError> {
        reader.newest("kernels")?.iter().map(Self::from_table).collect()
    }

    fn from_table(table: &Table) -> Result<Self, RecordError> {
        let [algorithm, kernel] = [table.column("algorithm")?, table.column("kernel")?];
        let [lanes, blocks] = [table.column("lanes")?, table.column("blocks")?];
        // Another thread on the core can disturb the measurement of a cycle, which then seems longer.
        let min =
            table.column("undisturbed_min").or_else(|_| table.column("cycles_per_byte_min"))?;
        let median = table.column("cycles_per_byte_median")?;
        let measured = |line: &Row| {
            Ok(Measured {
                algorithm: line.text(&algorithm).to_owned(),
                kernel: line.text(&kernel).to_owned(),
                lanes: table.number(line, &lanes)? as u32,
                blocks: table.number(line, &blocks)? as u32,
                cycles_per_byte_min: table.number(line, &min)?,
                cycles_per_byte_median: table.number(line, &median)?,
            })
        };
        let rows: Result<Vec<Measured>, RecordError> = table.rows().iter().map(measured).collect();
        let Table { machine, processor, date, .. } = table;
        Ok(Self {
            machine: machine.clone(),
            processor: processor.clone(),
            date: date.clone(),
            rows: rows?,
        })
    }
}
