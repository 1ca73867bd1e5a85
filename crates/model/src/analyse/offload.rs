//! gaudet's open question: which operations to move to the vector unit, the cost of transfers,
//! and which choice is best on each machine.
//!
//! Operations move in parts: W_t, + K_t, the rotation of b, and of Ch, Maj and Parity an early
//! part (of the two older words) and a late part. Every set of parts is tried. A word that
//! crosses over is stored and loaded. That takes one store and one load each way, and adds the
//! latency of both to the chain.

use std::collections::HashMap;

use lanesum_spec::Family;

use crate::analyse::kernels::{BoundError, Kernels, fetch, pools};
use crate::analyse::{Delays, cycle_mean, fewest, steady_form, vector_schedule};
use crate::constant::{Constant, Cycles, Estimate};
use crate::machine::Units;
use crate::{Machine, Rotate};
use lanesum_graph::graph::{Graph, Id, Kind, Op};
use lanesum_graph::record::{Block, Form};
use lanesum_graph::rewrite::{Forms, expand};

/// A part of the work that may go to the vector side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WorkPart {
    /// W_t: off the recurrence.
    W,
    /// + K_t: off the recurrence.
    K,
    /// Only rotations of b (SHA-1).
    RotateB,
    /// The part of Ch, Maj and Parity that depends only on the older two words.
    Early,
    /// The rest of Ch, Maj and Parity.
    Late,
    /// Σ0 and Σ1 (SHA-2).
    Sigma,
}

impl WorkPart {
    /// Every part.
    pub const ALL: [Self; 6] =
        [Self::W, Self::K, Self::RotateB, Self::Early, Self::Late, Self::Sigma];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::W => "W",
            Self::K => "K",
            Self::RotateB => "rot b",
            Self::Early => "early f",
            Self::Late => "late f",
            Self::Sigma => "Σ",
        }
    }
}

/// One set of parts on the vector side.
#[derive(Clone, Debug, PartialEq)]
pub struct Offload {
    /// The parts.
    pub parts: Vec<WorkPart>,
    /// Words moved from general to vector registers, per block.
    pub to_vector: usize,
    /// Words moved back, per block.
    pub to_scalar: usize,
    /// The busiest pool and its cycles.
    pub ports: (String, f64),
    /// The chain in cycles, including transfers.
    pub chain: f64,
}

impl Offload {
    /// The cycles per block.
    pub fn cycles(&self) -> f64 {
        self.ports.1.max(self.chain)
    }

    /// Its name, such as `W + K` or `nothing`.
    pub fn name(&self) -> String {
        let names: Vec<&str> = self.parts.iter().map(|part| part.name()).collect();
        if names.is_empty() { "nothing".to_owned() } else { names.join(" + ") }
    }
}

/// Estimates each set of parts, by all constants of `machine`, with its widest vectors of at
/// most 128 bits. Returns W and K, and the others that may be best, the best first. Empty if it has no
/// vectors, or no general registers that are wide enough.
///
/// # Errors
///
/// A model refers to a missing item, or a pass is not proven.
pub fn offload(
    kernels: &Kernels<'_>,
    machine: &Machine,
    family: Family,
) -> Result<Vec<Offload>, BoundError> {
    let models = kernels.models();
    let mut narrow = None;
    for name in &machine.vectors {
        let set = models.instruction_set(name)?;
        if set.vector_bits <= 128 {
            narrow = Some(set);
        }
    }
    let Some(vector) = narrow else { return Ok(Vec::new()) };
    if family.word_bits() > machine.scalar_bits {
        return Ok(Vec::new());
    }
    let scalar = models.instruction_set(&machine.scalar)?;
    let mut block = kernels.record(family);
    let all = fewest(&mut block, scalar)?;
    let vector_way = fewest(&mut block, vector)?;
    let lanes = (vector.vector_bits / family.word_bits()) as usize;
    let words = vector_schedule(&block, &vector_way, lanes.max(1), vector);

    let spec = block.spec.clone();
    let written = expand(&mut block.graph, &spec, Forms::FEWEST)?;
    let units = &machine.units;
    let delays = Delays {
        add: units.latency("add"),
        logic: units.latency("logic"),
        rotate: units.latency("rotate"),
        function: units.latency("logic"),
        sigma: units.latency("logic"),
    };
    let state = block.state.clone();
    let balanced = steady_form(&mut block.graph, &state, &written, &delays)?.1;
    let forms = [(written.clone(), classify(&block, &written)), {
        let parts = classify(&block, &balanced);
        (balanced, parts)
    }];
    let parts: Vec<WorkPart> =
        WorkPart::ALL.into_iter().filter(|part| forms[0].1.values().any(|p| p == part)).collect();

    let mut sets = Vec::new();
    for choice in 0..1u32 << parts.len() {
        let moved: Vec<WorkPart> =
            (0..parts.len()).filter(|i| choice >> i & 1 == 1).map(|i| parts[i]).collect();
        if moved.contains(&WorkPart::K) && !moved.contains(&WorkPart::W) {
            continue;
        }
        let (form, classes) = &forms[0];
        let on_vector = |id: Id| classes.get(&id).is_some_and(|part| moved.contains(part));
        let crossing = crossings(&block.graph, form, &on_vector);
        let mut cost = all.cost.clone();
        if moved.contains(&WorkPart::W) {
            for (op, n) in &all.schedule.counts {
                cost.add(op, -n);
            }
            cost.add("load", -16.0);
            fetch(&mut cost, block.rounds() as f64, scalar);
            cost.add("swap", -cost.of("swap"));
            cost = cost.plus(&words);
        }
        if moved.contains(&WorkPart::K) {
            let rounds = block.rounds() as f64;
            let op = if cost.of("lea") >= rounds { "lea" } else { "add" };
            cost.add(op, -rounds);
            if op == "lea" {
                cost.add("add", rounds);
            }
        } else if moved.contains(&WorkPart::W) {
            cost.add("vadd", -(block.rounds() as f64) / lanes as f64);
        }
        for (&id, part) in classes {
            if matches!(part, WorkPart::W | WorkPart::K) || !moved.contains(part) {
                continue;
            }
            match block.graph.op(id).kind() {
                Some(Kind::Rotate) => {
                    cost.add("rotate", -1.0);
                    if vector.rotate == Rotate::None {
                        cost.add("vshift", 2.0);
                        cost.add("vlogic", 1.0);
                    } else {
                        cost.add("vshift", 2.0);
                    }
                }
                _ => {
                    cost.add("logic", -1.0);
                    cost.add("vlogic", 1.0);
                }
            }
        }
        cost.add("store", crossing.0 as f64);
        cost.add("vload", crossing.0 as f64);
        cost.add("vstore", crossing.1 as f64);
        cost.counts.values_mut().for_each(|n| *n = n.max(0.0));
        let (pool, busiest) = pools::<Estimate>(units, &cost, vector.vector_bits).remove(0);
        let ports = (pool, busiest.cycles());
        sets.push((moved, crossing, ports));
    }
    // Transfers do not shorten the chain, so if the ports of a set take longer than
    // the best so far, its chain is not needed.
    sets.sort_by(|x, y| x.2.1.total_cmp(&y.2.1));
    let plain = |parts: &[WorkPart]| parts.iter().all(|p| matches!(p, WorkPart::W | WorkPart::K));
    let (mut found, mut best_beyond) = (Vec::new(), f64::INFINITY);
    let mut plain_chain = None;
    for (parts, (to_vector, to_scalar), ports) in sets {
        let is_plain = plain(&parts);
        if !is_plain && ports.1 >= best_beyond {
            continue;
        }
        let whole = |parts: &[WorkPart]| {
            let chains = forms.iter().map(|(form, classes)| {
                let mut on_vector = vec![false; block.graph.len()];
                for (id, part) in classes {
                    on_vector[id.index()] = parts.contains(part);
                }
                chain(&block, form, &delays, units, &|id: Id| on_vector[id.index()])
            });
            chains.fold(f64::INFINITY, f64::min)
        };
        let chain =
            if is_plain { *plain_chain.get_or_insert_with(|| whole(&[])) } else { whole(&parts) };
        if !is_plain {
            best_beyond = best_beyond.min(ports.1.max(chain));
        }
        found.push(Offload { parts, to_vector, to_scalar, ports, chain });
    }
    found.sort_by(|x, y| {
        (x.cycles(), x.parts.len()).partial_cmp(&(y.cycles(), y.parts.len())).expect("numbers")
    });
    Ok(found)
}

/// The part of each node; `None` for sums and other nodes that stay.
fn classify(block: &Block, form: &Form) -> HashMap<Id, WorkPart> {
    let graph = &block.graph;
    let (on, off) = block.split(form);
    let ks: Vec<Id> = form.rounds.iter().map(|r| r.wk).collect();
    let mut parts: HashMap<Id, WorkPart> = off
        .into_iter()
        .map(|id| (id, if ks.contains(&id) { WorkPart::K } else { WorkPart::W }))
        .collect();
    let sha1 = block.family == Family::Sha1;
    // The time of the newest word that a function's operation reads.
    let mut age: HashMap<Id, usize> = HashMap::new();
    for (i, &id) in block.state.iter().enumerate() {
        age.insert(id, 8 - i);
    }
    for (t, round) in form.rounds.iter().enumerate() {
        for &id in [round.state.first(), round.state.get(4)].into_iter().flatten() {
            age.entry(id).or_insert(t + 9);
        }
    }
    let newest = |id: Id, age: &HashMap<Id, usize>| match graph.op(id) {
        Op::Rotr(x, _) if sha1 => age.get(&x).copied(),
        _ => age.get(&id).copied(),
    };
    let sigma = |parts: &HashMap<Id, WorkPart>, id: Id| parts.get(&id) == Some(&WorkPart::Sigma);
    for &id in &on {
        match graph.op(id) {
            Op::Rotr(_, 2) if sha1 => {
                parts.insert(id, WorkPart::RotateB);
            }
            Op::Rotr(..) if !sha1 => {
                parts.insert(id, WorkPart::Sigma);
            }
            Op::Xor(x, y) if !sha1 && sigma(&parts, x) && sigma(&parts, y) => {
                parts.insert(id, WorkPart::Sigma);
            }
            op if op.kind() == Some(Kind::Logic) => {
                let reads: Vec<usize> = op.operands().filter_map(|x| newest(x, &age)).collect();
                age.entry(id).or_insert(reads.iter().copied().max().unwrap_or(0));
                parts.insert(id, WorkPart::Late);
            }
            _ => {}
        }
    }
    // An operation is early if its user reads a newer word.
    for &id in &on {
        let op = graph.op(id);
        if op.kind() != Some(Kind::Logic) || parts.get(&id) != Some(&WorkPart::Late) {
            continue;
        }
        for x in op.operands() {
            let is_function = parts.get(&x) == Some(&WorkPart::Late);
            let newer = op.operands().filter(|&y| y != x).filter_map(|y| newest(y, &age)).max();
            if is_function && newer > newest(x, &age) {
                parts.insert(x, WorkPart::Early);
            }
        }
    }
    parts
}

/// The numbers of transferred words: (to the vector side, back). Block words and
/// constants are in memory for both sides.
fn crossings(graph: &Graph, form: &Form, on_vector: &impl Fn(Id) -> bool) -> (usize, usize) {
    let mut to_vector = std::collections::HashSet::new();
    let mut to_scalar = std::collections::HashSet::new();
    let off_the_block = |id: Id| graph.op(id).kind().is_some();
    for id in graph.reachable(form.outputs.iter().copied()) {
        for x in graph.op(id).operands().filter(|&x| off_the_block(x)) {
            match (on_vector(x), on_vector(id)) {
                (false, true) => {
                    to_vector.insert(x);
                }
                // The schedule stores W_t + K_t, four at a time.
                (true, false) if !form.rounds.iter().any(|r| r.w == x || r.wk == x) => {
                    to_scalar.insert(x);
                }
                _ => {}
            }
        }
    }
    (to_vector.len(), to_scalar.len())
}

/// The chain from block to block, with the time of every transfer.
fn chain(
    block: &Block,
    form: &Form,
    delays: &Delays,
    units: &Units<Constant>,
    on_vector: &impl Fn(Id) -> bool,
) -> f64 {
    let graph = &block.graph;
    let there = units.latency("store") + units.latency("vload");
    let back = units.latency("vstore") + units.latency("load");
    let vector = |op: Op| match op.kind() {
        Some(Kind::Rotate) => units.latency("vshift") + units.latency("vlogic"),
        Some(_) => units.latency("vlogic"),
        None => 0.0,
    };
    let nodes = graph.reachable(form.outputs.iter().copied());
    let matrix: Vec<Vec<Option<f64>>> = block
        .state
        .iter()
        .map(|&from| {
            let mut times = vec![f64::NEG_INFINITY; graph.len()];
            for &id in &nodes {
                let op = graph.op(id);
                let ready = op.operands().map(|x| {
                    times[x.index()]
                        + match (on_vector(x), on_vector(id)) {
                            (false, true) => there,
                            (true, false) => back,
                            _ => 0.0,
                        }
                });
                let time = if on_vector(id) { vector(op) } else { delays.time(graph, op).value };
                times[id.index()] =
                    if id == from { 0.0 } else { ready.fold(f64::NEG_INFINITY, f64::max) + time };
            }
            let time = |id: &Id| times[id.index()];
            form.outputs.iter().map(|id| time(id).is_finite().then(|| time(id))).collect()
        })
        .collect();
    cycle_mean(&matrix).0
}
