//! Hardware from the specification: cores that do n rounds a clock, in one set of
//! registers or in a pipeline of many.
//!
//! [`Recurrence`] reads the rounds and the schedule off the recorded graph;
//! [`core`](fn@core) unfolds them, puts registers where the clock is shortest by
//! the delays of a [`Technology`], and gives a [`Core`]: a netlist that
//! [`Simulation`] runs and [`verilog`] prints.
//!
//! Lee, Chan and Verbauwhede unfolded SHA-1 with registers for the state alone
//! ("Throughput Optimized SHA-1 Architecture Using Unfolding Transformation",
//! 2006), and later retimed hashes of the MD4 class to their iteration bound; that
//! is the prior art of the retimed cores here.

mod bench;
mod calibrate;
mod chained;
mod control;
mod datapath;
mod directory;
mod equal;
mod formal;
mod kept;
mod netlist;
mod options;
mod pipeline;
mod plan;
mod recurrence;
mod simulate;
mod sums;
mod terms;
mod text;
pub mod verilog;
pub mod vhdl;
mod vhdl_bench;
mod whole;

pub use calibrate::{Files, Synthesized, calibrate, table};
pub use datapath::Placement;
pub use directory::{files, is_generated};
pub use equal::{Unequal, prove};
pub use netlist::{ClockedRegister, Gate, Netlist, Port, Signal};
pub use options::{
    Areas, Goal, Language, MeasuredCore, Options, Registers, RtlError, Schedule, Technology,
};
pub use plan::{Core, best_unfold, core};
pub use recurrence::{Part, Recurrence, Sequence, StateWord};
pub use simulate::Simulation;
pub use sums::Arrival;
