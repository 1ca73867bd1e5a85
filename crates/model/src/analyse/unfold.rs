//! Hardware with n rounds per clock cycle: with the paper's registers, and with
//! registers anywhere.

use std::collections::HashMap;

use lanesum_spec::Family;

use crate::analyse::{Delays, Time};
use lanesum_graph::graph::{Graph, Id, Op};
use lanesum_graph::record::{Block, Form};
use lanesum_graph::rewrite::{Sums, Term};

/// The numbers of rounds per clock cycle that divide SHA-1's eighty.
pub const PAPER_N: [usize; 10] = [1, 2, 4, 5, 8, 10, 16, 20, 40, 80];

/// The clock period of an unfolded core.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// Rounds per clock cycle.
    pub rounds: usize,
    /// With registers only for a, b, c …, and with W_t and K_t available.
    pub paper: Time,
    /// With registers anywhere except inside an addition or a function.
    pub retimed: Time,
}

impl Clock {
    /// The clock cycles per block: the rounds', one to load and one to finish.
    pub fn clocks(&self, rounds: usize) -> usize {
        rounds / self.rounds + 2
    }
}

/// The first `n` rounds of a block as a separate form.
///
/// # Panics
///
/// If the form has fewer rounds.
pub fn round_form(form: &Form, n: usize) -> Form {
    Form { outputs: form.rounds[n - 1].state.clone(), rounds: Vec::new() }
}

/// The clock period of `n` rounds. Words of the schedule are always available, as in
/// the paper.
pub fn unfolded_clock(block: &Block, n: usize, delays: &Delays) -> Clock {
    let graph = &block.graph;
    let form = round_form(&block.spec, n);
    let words: HashMap<Id, ()> = block.spec.rounds.iter().map(|r| (r.w, ())).collect();
    let paper = {
        let start = |id: Id| {
            (words.contains_key(&id) || matches!(graph.op(id), Op::Input(_))).then_some(Time::ZERO)
        };
        let times = arrive(graph, &form, &start, delays, Time::ZERO, None);
        form.outputs.iter().map(|id| times[id]).fold(Time::ZERO, Time::max)
    };
    // Slightly longer delays distinguish clock periods of equal value: 2A+F, not
    // A+6F, if F is A/5.
    let apart = Delays {
        function: delays.function * (1.0 + 1.3e-5),
        sigma: delays.sigma * (1.0 + 3.1e-5),
        ..*delays
    };
    let retimed = retimed(block, &form, &words, n, &apart);
    Clock { rounds: n, paper, retimed }
}

/// The minimum clock period with registers anywhere: the shortest sum of whole
/// additions, functions and Σ for which the times of the state settle.
fn retimed(block: &Block, form: &Form, words: &HashMap<Id, ()>, n: usize, delays: &Delays) -> Time {
    let (most, sha2) = (2 * n as u32 + 2, block.family != Family::Sha1);
    let mut clocks: Vec<Time> = Vec::new();
    for a in 0..=2 * most {
        for f in 0..=most {
            for s in 0..=if sha2 { most } else { 0 } {
                clocks.push(Time {
                    value: f64::from(a) * delays.add
                        + f64::from(f) * delays.function
                        + f64::from(s) * delays.sigma,
                    additions: a,
                    functions: f,
                    sigmas: s,
                });
            }
        }
    }
    clocks.sort_by(Time::total_cmp);
    // Registers that work for a period work for every longer one, so bisection finds it.
    let settles = |clock: &Time| settles(block, form, words, delays, clock.value);
    let (mut low, mut high) = (0, clocks.len() - 1);
    while low < high {
        let middle = (low + high) / 2;
        if settles(&clocks[middle]) { high = middle } else { low = middle + 1 }
    }
    clocks[high]
}

fn settles(
    block: &Block,
    form: &Form,
    words: &HashMap<Id, ()>,
    delays: &Delays,
    clock: f64,
) -> bool {
    if clock + 1e-9 < delays.add.max(delays.function).max(delays.sigma) {
        return false;
    }
    let mut times: Vec<f64> = vec![0.0; block.state.len()];
    for _ in 0..4 * block.state.len() + 4 {
        let start = |id: Id| {
            if words.contains_key(&id) {
                return Some(Time::NEVER);
            }
            let word = block.state.iter().position(|&s| s == id)?;
            Some(Time::of(times[word]))
        };
        let done = arrive(&block.graph, form, &start, delays, Time::NEVER, Some(clock));
        let next: Vec<f64> =
            (0..times.len()).map(|i| times[i].max(done[&form.outputs[i]].value - clock)).collect();
        if next.iter().zip(&times).all(|(x, y)| (x - y).abs() < 1e-9) {
            return true;
        }
        times = next;
    }
    false
}

/// The ready time of each word of a form, with the best order of each sum. With a
/// clock, no operation crosses a clock edge.
fn arrive(
    graph: &Graph,
    form: &Form,
    start: &impl Fn(Id) -> Option<Time>,
    delays: &Delays,
    constant: Time,
    clock: Option<f64>,
) -> HashMap<Id, Time> {
    let sums = Sums::new(graph, form.outputs.iter().copied());
    let step = |ready: Time, op: Time| {
        let done = ready + op;
        let Some(clock) = clock else { return done };
        if !done.value.is_finite() || op.value == 0.0 {
            return done;
        }
        let edge = ((ready.value + 1e-9) / clock).floor() * clock + clock;
        if done.value > edge + 1e-9 { Time { value: edge, ..ready } + op } else { done }
    };
    let add = delays.time(graph, Op::Add(Id::new(0), Id::new(0)));
    let mut times: HashMap<Id, Time> = HashMap::new();
    for id in graph.reachable(form.outputs.iter().copied()) {
        let op = graph.op(id);
        let time = if let Some(time) = start(id) {
            time
        } else if let Some(terms) = sums.terms(id) {
            let mut ready: Vec<Time> = terms
                .iter()
                .map(|term| match term {
                    Term::Plus(x) | Term::Minus(x) => times[x],
                    Term::Constant(_) => constant,
                })
                .collect();
            while ready.len() > 1 {
                ready.sort_by(|x, y| y.total_cmp(x));
                let (x, y) = (ready.pop().expect("two"), ready.pop().expect("two"));
                ready.push(step(x.max(y), add));
            }
            ready[0]
        } else if op.is_sum() {
            continue;
        } else {
            let late = op.operands().map(|x| times[&x]).fold(Time::NEVER, Time::max);
            let late = if op.kind().is_none() { constant } else { late };
            step(late, delays.time(graph, op))
        };
        times.insert(id, time);
    }
    times
}
