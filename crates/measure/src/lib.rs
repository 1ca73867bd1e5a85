//! The rules for samples, figures and records.
//!
//! `lanesum bench` and the project's benchmarks judge their samples here, and all pages read their records
//! here. So a sample that is rejected when it is measured is also rejected when it is read.
#![forbid(unsafe_code)]

mod cores;
mod fingerprints;
mod judge;
mod record;
mod source;
mod statistics;

pub use cores::{Core, Cores};
pub use fingerprints::Fingerprints;
pub use judge::{Discarded, Judge, Probe};
pub use record::{Column, Reader, RecordError, Row, Table};
pub use source::Source;
pub use statistics::{Spread, interval_of_median, median, minimum};
