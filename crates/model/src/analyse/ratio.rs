//! The iteration bound: the maximum of time over registers, over all loops.

use crate::analyse::{Delays, Time};
use lanesum_graph::graph::{Graph, Id, Op};
use lanesum_graph::record::Form;

/// An edge of a loop graph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// The source node.
    pub from: usize,
    /// The target node.
    pub to: usize,
    /// The time of the target's operation.
    pub time: Time,
    /// The number of registers on it.
    pub registers: u32,
}

/// A loop, with the time and the registers on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// The time around it.
    pub time: Time,
    /// The registers on it.
    pub registers: u32,
    /// Its nodes, in order.
    pub nodes: Vec<usize>,
}

impl Loop {
    /// Time over registers.
    pub fn ratio(&self) -> f64 {
        self.time.value / f64::from(self.registers)
    }

    /// The names of the loop's operations from its first addition on, such as
    /// `F → + → +`, and the letters of its registers.
    pub fn name(&self, graph: &Graph) -> String {
        let names: Vec<&str> = self
            .nodes
            .iter()
            .filter_map(|&i| {
                Some(match graph.op(Id::new(i)) {
                    Op::Add(..) | Op::AddConst(..) | Op::Lea(..) | Op::Sub(..) => "+",
                    Op::Ch(..) => "Ch",
                    Op::Maj(..) => "Maj",
                    Op::Xor3(..) => "⊕⊕",
                    Op::Rotr(..) => "rot",
                    Op::Shr(..) | Op::Shl(..) => "shift",
                    Op::And(..) | Op::AndNot(..) => "∧",
                    Op::Or(..) => "∨",
                    Op::Xor(..) => "⊕",
                    Op::Not(_) => "¬",
                    Op::Input(_) | Op::Const(_) => return None,
                })
            })
            .collect();
        // Start after the last addition, so that one loop has one name.
        let turn = names
            .iter()
            .enumerate()
            .filter(|&(i, &name)| name != "+" && names[(i + names.len() - 1) % names.len()] == "+")
            .map(|(i, _)| i)
            .next()
            .unwrap_or(0);
        names.iter().cycle().skip(turn).take(names.len()).copied().collect::<Vec<_>>().join(" → ")
    }
}

/// The loop graph of a function that is applied repeatedly to its result: word i of
/// `outputs` becomes word i of `state` through one register.
pub fn loop_edges(graph: &Graph, state: &[Id], form: &Form, delays: &Delays) -> Vec<Edge> {
    let mut edges = Vec::new();
    for id in graph.reachable(form.outputs.iter().copied()) {
        let time = delays.time(graph, graph.op(id));
        edges.extend(graph.op(id).operands().map(|operand| Edge {
            from: operand.index(),
            to: id.index(),
            time,
            registers: 0,
        }));
    }
    edges.extend(form.outputs.iter().zip(state).map(|(output, input)| Edge {
        from: output.index(),
        to: input.index(),
        time: Time::ZERO,
        registers: 1,
    }));
    edges
}

/// Returns the loop with the maximum ratio: from any loop, moves to one that is longer
/// at this ratio until none exists. The ratio grows each time, and the number of loops
/// is finite.
pub fn max_ratio(edges: &[Edge]) -> Option<Loop> {
    let mut best: Option<Loop> = None;
    let mut ratio = 0.0;
    while let Some(longer) = positive_loop(edges, ratio) {
        ratio = longer.ratio();
        best = Some(longer);
    }
    best
}

/// A loop whose time per register exceeds `ratio`, found with the Bellman-Ford algorithm.
fn positive_loop(edges: &[Edge], ratio: f64) -> Option<Loop> {
    let n = edges.iter().map(|e| e.from.max(e.to) + 1).max()?;
    let mut far = vec![0.0f64; n];
    let mut by: Vec<Option<usize>> = vec![None; n];
    let mut changed = None;
    for _ in 0..=n {
        changed = None;
        for (i, edge) in edges.iter().enumerate() {
            let length = far[edge.from] + edge.time.value - ratio * f64::from(edge.registers);
            if length > far[edge.to] + 1e-9 {
                far[edge.to] = length;
                by[edge.to] = Some(i);
                changed = Some(edge.to);
            }
        }
        changed?;
    }
    // After n steps back, the walk is on the loop.
    let mut at = changed?;
    for _ in 0..n {
        at = edges[by[at]?].from;
    }
    let (start, mut list) = (at, Vec::new());
    loop {
        let edge = edges[by[at]?];
        list.push(edge);
        at = edge.from;
        if at == start {
            break;
        }
    }
    list.reverse();
    Some(closed(&list))
}

fn closed(edges: &[Edge]) -> Loop {
    Loop {
        time: edges.iter().fold(Time::ZERO, |sum, e| sum + e.time),
        registers: edges.iter().map(|e| e.registers).sum(),
        nodes: edges.iter().map(|e| e.to).collect(),
    }
}

/// Every simple loop, found by search: an independent method for small graphs.
pub fn all_loops(edges: &[Edge]) -> Vec<Loop> {
    fn search(edges: &[Edge], first: usize, path: &mut Vec<Edge>, found: &mut Vec<Loop>) {
        let at = path.last().map_or(first, |e| e.to);
        for &edge in edges.iter().filter(|e| e.from == at && e.to >= first) {
            if edge.to == first {
                path.push(edge);
                found.push(closed(path));
                path.pop();
            } else if path.iter().all(|e| e.to != edge.to) {
                path.push(edge);
                search(edges, first, path, found);
                path.pop();
            }
        }
    }
    let n = edges.iter().map(|e| e.from.max(e.to) + 1).max().unwrap_or(0);
    let mut found = Vec::new();
    for first in 0..n {
        search(edges, first, &mut Vec::new(), &mut found);
    }
    found
}
