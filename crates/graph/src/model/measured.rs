//! Measurements of the engine's kernels: `benches/record/<machine>/<date>-kernels.csv`.

use lanesum_measure::{Reader, RecordError, Row, Table};

/// One measured row.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The algorithm, as the table of algorithms names it.
    pub algorithm: String,
    /// The kernel of the engine.
    pub kernel: String,
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
    /// What the head of the file says of the machine.
    pub processor: String,
    /// The day: the first part of the file's name.
    pub date: String,
    /// The rows.
    pub rows: Vec<Measured>,
}

impl Record {
    /// The newest kernel record of each machine, by machine.
    ///
    /// # Errors
    ///
    /// When a record is there and cannot be read or has not the columns.
    pub fn newest(reader: &Reader) -> Result<Vec<Self>, RecordError> {
        reader.newest("kernels")?.iter().map(Self::from_table).collect()
    }

    fn from_table(table: &Table) -> Result<Self, RecordError> {
        let [algorithm, kernel] = [table.column("algorithm")?, table.column("kernel")?];
        let [lanes, blocks] = [table.column("lanes")?, table.column("blocks")?];
        let min = table.column("cycles_per_byte_min")?;
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
