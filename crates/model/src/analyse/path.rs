//! Arrival times, critical paths, and the time from one block to the next.

use std::collections::HashMap;

use crate::DelayModel;
use lanesum_graph::graph::{Graph, Id, Kind, Op};
use lanesum_graph::record::Form;
use lanesum_graph::rewrite::{NotProven, balance};
use lanesum_graph::time::Time;

/// The time of each kind of operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delays {
    /// An addition.
    pub add: f64,
    /// A bitwise operation of two operands.
    pub logic: f64,
    /// A rotation.
    pub rotate: f64,
    /// Ch, Maj or Parity, as one operation.
    pub function: f64,
    /// Σ or σ, as one operation on rotations.
    pub sigma: f64,
}

impl Delays {
    /// The delays of a hardware model.
    pub fn hardware(model: &DelayModel) -> Self {
        Self {
            add: model.add,
            logic: model.logic,
            rotate: model.rotate,
            function: model.function,
            sigma: model.sigma,
        }
    }

    /// The time of one operation. An ⊕ of three words is a Σ if its operands are rotations of one
    /// word, and a Parity function otherwise.
    pub fn time(&self, graph: &Graph, op: Op) -> Time {
        match op.kind() {
            None => Time::ZERO,
            Some(Kind::Add | Kind::Lea) => Time { value: self.add, additions: 1, ..Time::ZERO },
            Some(Kind::Logic) => Time::of(self.logic),
            Some(Kind::Rotate | Kind::Shift) => Time::of(self.rotate),
            Some(Kind::Ternary) => match op {
                Op::Xor3(x, y, _) if same_word(graph, x, y) => {
                    Time { value: self.sigma, sigmas: 1, ..Time::ZERO }
                }
                _ => Time { value: self.function, functions: 1, ..Time::ZERO },
            },
        }
    }
}

fn same_word(graph: &Graph, x: Id, y: Id) -> bool {
    matches!((graph.op(x), graph.op(y)), (Op::Rotr(x, _), Op::Rotr(y, _)) if x == y)
}

/// Every operation of a processor with one-cycle units.
pub fn software_delays(add: f64, logic: f64, rotate: f64) -> Delays {
    Delays { add, logic, rotate, function: logic, sigma: logic }
}

/// The ready time of each node, by [`Id::index`]. Words without operands that are not
/// in `start` have the time [`Time::NEVER`].
pub fn arrivals(
    graph: &Graph,
    nodes: &[Id],
    start: impl Fn(Id) -> Option<Time>,
    delay: impl Fn(Op) -> Time,
) -> Vec<Time> {
    let mut times = vec![Time::NEVER; graph.len()];
    for &id in nodes {
        let op = graph.op(id);
        let late = op.operands().map(|x| times[x.index()]).fold(Time::NEVER, Time::max);
        times[id.index()] = start(id).unwrap_or(late + delay(op));
    }
    times
}

/// The latest time of `ids`.
pub fn latest(times: &[Time], ids: &[Id]) -> Time {
    ids.iter().map(|id| times[id.index()]).fold(Time::NEVER, Time::max)
}

/// Returns the critical path of a form from its inputs, all ready at 0, to its
/// outputs: its time and its nodes.
pub fn critical_path(graph: &Graph, form: &Form, delays: &Delays) -> (f64, Vec<Id>) {
    let nodes = graph.reachable(form.outputs.iter().copied());
    let start = |id| matches!(graph.op(id), Op::Input(_)).then_some(Time::ZERO);
    let times = arrivals(graph, &nodes, start, |op| delays.time(graph, op));
    let by_time = |x: &&Id, y: &&Id| times[x.index()].total_cmp(&times[y.index()]);
    let Some(&end) = form.outputs.iter().max_by(by_time) else { return (0.0, Vec::new()) };
    let mut path = vec![end];
    let mut at = end;
    loop {
        let operands: Vec<Id> = graph.op(at).operands().collect();
        let Some(&before) = operands.iter().max_by(by_time) else { break };
        path.push(before);
        at = before;
    }
    path.reverse();
    (times[end.index()].value, path)
}

/// `through[i][j]`: the longest time from word i of the old state to word j of the
/// new one, if a path exists.
pub fn through(
    graph: &Graph,
    state: &[Id],
    outputs: &[Id],
    delays: &Delays,
) -> Vec<Vec<Option<f64>>> {
    let nodes = graph.reachable(outputs.iter().copied());
    state
        .iter()
        .map(|&from| {
            let start = |id| (id == from).then_some(Time::ZERO);
            let times = arrivals(graph, &nodes, start, |op| delays.time(graph, op));
            let time = |id: &Id| times[id.index()].value;
            outputs.iter().map(|id| time(id).is_finite().then(|| time(id))).collect()
        })
        .collect()
}

/// The maximum cycle mean of a max-plus matrix (Karp), and the time of each word in
/// the steady state.
pub fn cycle_mean(matrix: &[Vec<Option<f64>>]) -> (f64, Vec<f64>) {
    let n = matrix.len();
    // walks[k][j]: the longest walk of k steps from any node to j.
    let mut walks = vec![vec![Some(0.0); n]];
    for k in 0..n {
        let next = (0..n)
            .map(|j| (0..n).filter_map(|i| Some(walks[k][i]? + matrix[i][j]?)).reduce(f64::max))
            .collect();
        walks.push(next);
    }
    let mean = (0..n)
        .filter_map(|j| {
            let last = walks[n][j]?;
            (0..n).filter_map(|k| Some((last - walks[k][j]?) / (n - k) as f64)).reduce(f64::min)
        })
        .reduce(f64::max)
        .unwrap_or(0.0);
    // The steady state: longest walks relative to the mean, which stop growing.
    let mut times = vec![0.0; n];
    for _ in 0..2 * n {
        times = (0..n)
            .map(|j| {
                (0..n)
                    .filter_map(|i| Some(times[i] + matrix[i][j]? - mean))
                    .fold(f64::NEG_INFINITY, f64::max)
                    .max(times[j])
            })
            .collect();
    }
    (mean, times)
}

/// Returns `form` with the order of its sums that has the shortest time from one block
/// (or round) to the next, and that time. Inputs are always ready, and state words are
/// ready when the previous block has computed them.
///
/// # Errors
///
/// [`NotProven`], which would be a bug in a pass.
pub fn steady_form(
    graph: &mut Graph,
    state: &[Id],
    form: &Form,
    delays: &Delays,
) -> Result<(f64, Form), NotProven> {
    let mean =
        |graph: &Graph, form: &Form| cycle_mean(&through(graph, state, &form.outputs, delays)).0;
    let mut best = (mean(graph, form), form.clone());
    // Iterate over blocks, each with the best order of sums for the state of the
    // previous one, until the differences between the state's words settle.
    let mut times = vec![0.0; state.len()];
    for _ in 0..6 {
        let at: HashMap<Id, Time> =
            state.iter().copied().zip(times.iter().map(|&t| Time::of(t))).collect();
        let start = |id: Id| at.get(&id).copied();
        let found = balance(graph, form, start, |graph, op| delays.time(graph, op))?;
        let found_mean = mean(graph, &found);
        if found_mean < best.0 - 1e-9 {
            best = (found_mean, found.clone());
        }
        let nodes = graph.reachable(found.outputs.iter().copied());
        let done = arrivals(graph, &nodes, start, |op| delays.time(graph, op));
        let late = latest(&done, &found.outputs).value;
        let next: Vec<f64> = found.outputs.iter().map(|id| done[id.index()].value - late).collect();
        if next == times {
            break;
        }
        times = next;
    }
    Ok(best)
}
