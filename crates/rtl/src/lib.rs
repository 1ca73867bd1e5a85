//! Hardware from the specification: cores that compute n rounds per cycle, with one set of
//! registers or as a pipeline.
//!
//! [`Recurrence`] extracts the rounds and the schedule from the recorded graph. [`core`](fn@core)
//! unfolds them, places registers for the shortest clock period under the delays of a
//! [`Technology`], and returns a [`Core`]: a netlist that [`Simulation`] runs and [`verilog`]
//! prints.
//!
//! Prior art: Lee, Chan and Verbauwhede unfolded SHA-1 with registers only for the state
//! ("Throughput Optimized SHA-1 Architecture Using Unfolding Transformation", 2006), and later
//! retimed hashes of the MD4 class to their iteration bound. The retimed cores here follow them.
#![forbid(unsafe_code)]

mod bench;
mod calibrate;
mod chained;
mod control;
mod datapath;
mod directory;
mod equal;
mod formal;
mod fusesoc;
mod kept;
mod netlist;
mod options;
mod pipeline;
mod plan;
mod recurrence;
mod ring;
mod shell;
mod simulate;
mod sums;
mod terms;
mod text;
pub mod verilog;
pub mod vhdl;
mod vhdl_bench;

pub use calibrate::{Files, Synthesized, calibrate, table};
pub use datapath::Placement;
pub use directory::{files, is_generated};
pub use equal::{Unequal, prove, wiped};
pub use fusesoc::{BLOCKS, block, package};
pub use netlist::{ClockedRegister, Gate, Netlist, Port, Signal};
pub use options::{
    Areas, Goal, Language, MeasuredCore, Options, Registers, RtlError, Technology, WordOrder,
};
pub use plan::{Core, best_unfold, core};
pub use recurrence::{Part, Recurrence, Sequence, StateWord};
pub use simulate::Simulation;
pub use sums::Arrival;
