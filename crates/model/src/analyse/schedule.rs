//! List scheduling of a graph's operations, and the number of registers that the order needs.

use std::collections::BinaryHeap;

use lanesum_graph::graph::{Graph, Id};
use lanesum_graph::record::Form;

/// The start cycle of each operation, on identical units that take one cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListSchedule {
    /// The number of units.
    pub units: usize,
    /// The cycles from the first operation to the last result.
    pub cycles: usize,
    /// The operations with their start cycles, in topological order.
    pub starts: Vec<(Id, usize)>,
}

/// Schedules `form` on `units` units: in each cycle, the ready operations with the
/// longest remaining path. With a `window`, no operation starts earlier than `window`
/// cycles before it must.
pub fn list_schedule(
    graph: &Graph,
    form: &Form,
    units: usize,
    window: Option<usize>,
) -> ListSchedule {
    let nodes: Vec<Id> = graph.reachable(form.outputs.iter().copied());
    let works = |id: Id| graph.op(id).kind().is_some();
    let mut height = vec![0usize; graph.len()];
    let mut users: Vec<Vec<Id>> = vec![Vec::new(); graph.len()];
    let mut waits = vec![0usize; graph.len()];
    for &id in nodes.iter().rev() {
        if !works(id) {
            continue;
        }
        height[id.index()] += 1;
        for operand in graph.op(id).operands().filter(|&x| works(x)) {
            height[operand.index()] = height[operand.index()].max(height[id.index()]);
            users[operand.index()].push(id);
            waits[id.index()] += 1;
        }
    }
    let depth = nodes.iter().map(|id| height[id.index()]).max().unwrap_or(0);
    let release = |id: Id| window.map_or(0, |w| (depth - height[id.index()]).saturating_sub(w));
    let mut starts = vec![0usize; graph.len()];
    // By height, then the older first. Operations in `later` wait for their release.
    let mut ready: BinaryHeap<(usize, std::cmp::Reverse<Id>)> = BinaryHeap::new();
    let mut later: Vec<Id> =
        nodes.iter().copied().filter(|&id| works(id) && waits[id.index()] == 0).collect();
    let (mut cycle, mut left) = (0, nodes.iter().filter(|&&id| works(id)).count());
    while left > 0 {
        later.retain(|&id| {
            let now = release(id) <= cycle;
            if now {
                ready.push((height[id.index()], std::cmp::Reverse(id)));
            }
            !now
        });
        let mut done = Vec::new();
        while done.len() < units
            && let Some((_, std::cmp::Reverse(id))) = ready.pop()
        {
            starts[id.index()] = cycle;
            done.push(id);
        }
        left -= done.len();
        for id in done {
            for &user in &users[id.index()] {
                waits[user.index()] -= 1;
                if waits[user.index()] == 0 {
                    later.push(user);
                }
            }
        }
        cycle += 1;
    }
    let starts =
        nodes.into_iter().filter(|&id| works(id)).map(|id| (id, starts[id.index()])).collect();
    ListSchedule { units, cycles: cycle, starts }
}

/// Cycles for 1 … `most` units.
pub fn curve(graph: &Graph, form: &Form, most: usize) -> Vec<usize> {
    (1..=most).map(|k| list_schedule(graph, form, k, None).cycles).collect()
}

/// The maximum number of live words: results that will be used, and words of `held`
/// (the chaining value) until their last use in a round. The block, the constants and
/// the chaining value for the last addition are in memory.
pub fn live(graph: &Graph, form: &Form, schedule: &ListSchedule, held: &[Id]) -> usize {
    let mut last_use = vec![0usize; graph.len()];
    let mut born: Vec<(Id, usize)> = held.iter().map(|&id| (id, 0)).collect();
    for &(id, start) in &schedule.starts {
        born.push((id, start + 1));
        let last = form.outputs.contains(&id);
        for operand in graph.op(id).operands().filter(|x| !(last && held.contains(x))) {
            last_use[operand.index()] = last_use[operand.index()].max(start + 1);
        }
    }
    for output in &form.outputs {
        last_use[output.index()] = schedule.cycles + 1;
    }
    let mut change = vec![0isize; schedule.cycles + 3];
    for (id, from) in born {
        if last_use[id.index()] > from {
            change[from] += 1;
            change[last_use[id.index()]] -= 1;
        }
    }
    let mut now = 0;
    change
        .into_iter()
        .map(|c| {
            now += c;
            now
        })
        .max()
        .unwrap_or(0) as usize
}

/// The minimum number of registers at the minimum number of cycles on `units` units,
/// over different windows.
pub fn fewest_registers(graph: &Graph, form: &Form, units: usize, held: &[Id]) -> (usize, usize) {
    let cycles = list_schedule(graph, form, units, None).cycles;
    [0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64]
        .into_iter()
        .map(|window| list_schedule(graph, form, units, Some(window)))
        .chain([list_schedule(graph, form, units, None)])
        .filter(|s| s.cycles <= cycles)
        .map(|s| (s.cycles, live(graph, form, &s, held)))
        .min_by_key(|&(_, registers)| registers)
        .unwrap_or((cycles, 0))
}
