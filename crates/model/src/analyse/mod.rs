//! Bounds on speed derived from a graph: counts, paths, schedules, registers.

mod code;
mod ending;
mod instructions;
mod kernels;
mod linear;
mod modulo;
mod offload;
mod path;
mod ratio;
mod schedule;
mod sha_instructions;
pub mod shortest;
mod unfold;

pub use code::{CodeBounds, code_bounds};
pub use ending::{Ending, ending};
pub use instructions::{
    ByFunction, Cost, Instructions, by_function, fewest, instructions, of_function, vector_schedule,
};
pub use kernels::{BoundError, EXACT, KernelBound, KernelEstimate, KernelLimits, Kernels, Refuted};
pub use linear::{ScheduleForm, schedule_forms, squared_holds};
pub use modulo::{Cyclic, Dependence, Obstacle, Violation};
pub use offload::{Offload, WorkPart, offload};
pub use path::{
    Delays, arrivals, critical_path, cycle_mean, latest, software_delays, steady_form, through,
};
pub use ratio::{Edge, Loop, all_loops, loop_edges, max_ratio};
pub use schedule::{ListSchedule, curve, fewest_registers, list_schedule, live};
pub use sha_instructions::{Link, ShaInstruction, ShaProgram, sha_program};
pub use unfold::{Clock, PAPER_N, round_form, unfolded_clock};

pub use lanesum_graph::time::Time;

use std::collections::BTreeMap;

use lanesum_graph::graph::{Graph, Id, Kind};

/// Counts the operations of each kind in a set of nodes.
pub fn count(graph: &Graph, nodes: impl IntoIterator<Item = Id>) -> BTreeMap<Kind, usize> {
    let mut counts = BTreeMap::new();
    for id in nodes {
        if let Some(kind) = graph.op(id).kind() {
            *counts.entry(kind).or_default() += 1;
        }
    }
    counts
}
