//! Which samples count, what figures are made of them, and how records are read.
//!
//! `lanesum bench` and the project's own benches judge their samples here, and every page is
//! made of records that are read here, so that what is refused when it is measured is refused
//! when it is read.
#![forbid(unsafe_code)]

mod cores;
mod judge;
mod kernels;
mod record;
mod source;
mod statistics;

pub use cores::{Core, Cores};
pub use judge::{Judge, Probe, Thrown};
pub use kernels::Kernels;
pub use record::{Column, Reader, RecordError, Row, Table};
pub use source::Source;
pub use statistics::{Spread, interval_of_median, median, minimum};
