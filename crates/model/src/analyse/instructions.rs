//! The number of instructions per block with an instruction set.
//!
//! The bound for one form of a function is a sum: its operations, the copies needed because an
//! instruction overwrites an operand, and the loads of the block and the state. The minimum over
//! the forms in this crate does not prove that no other form is shorter. It does refute a claim
//! of a larger minimum.

use std::collections::BTreeMap;

use crate::{InstructionSet, Rotate};
use lanesum_graph::graph::{Graph, Id, Kind, Op};
use lanesum_graph::record::{Block, Form};
use lanesum_graph::rewrite::{
    ChForm, Forms, MajForm, NotProven, SigmaForm, expand, fuse_lea, split_rotations,
};

/// Numbers of instructions by the machine's operation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cost {
    /// By name: `add`, `lea`, `logic`, `rotate`, `shift`, `ternary`, `mov`, `load`, `swap`.
    pub counts: BTreeMap<&'static str, f64>,
}

impl Cost {
    /// Adds `n` instructions of `op`.
    pub fn add(&mut self, op: &'static str, n: f64) {
        if n != 0.0 {
            *self.counts.entry(op).or_default() += n;
        }
    }

    /// The total.
    pub fn total(&self) -> f64 {
        self.counts.values().sum()
    }

    /// The number of instructions of `op`.
    pub fn of(&self, op: &str) -> f64 {
        self.counts.get(op).copied().unwrap_or(0.0)
    }

    /// The sum as text: `816 add + 192 rotate`.
    pub fn derivation(&self) -> String {
        let terms: Vec<String> =
            self.counts.iter().map(|(op, n)| format!("{} {op}", round(*n))).collect();
        terms.join(" + ")
    }

    /// The sum of both.
    pub fn plus(mut self, other: &Self) -> Self {
        other.counts.iter().for_each(|(op, n)| self.add(op, *n));
        self
    }

    /// The numbers multiplied by `n`.
    pub fn times(&self, n: f64) -> Self {
        Self { counts: self.counts.iter().map(|(&op, c)| (op, c * n)).collect() }
    }
}

fn round(n: f64) -> String {
    if (n - n.round()).abs() < 1e-9 { format!("{n:.0}") } else { format!("{n:.1}") }
}

/// A form of a block, and its cost.
#[derive(Clone, Debug)]
pub struct Instructions {
    /// The forms of Ch, Maj and Σ.
    pub forms: Forms,
    /// The form's roots in the block's graph.
    pub form: Form,
    /// The total cost: operations, copies, and loads of the block and the state.
    pub cost: Cost,
    /// The part of the schedule: only W_t.
    pub schedule: Cost,
    /// The instructions of an actual program: the operations in the order of the form,
    /// with a copy if both operands are used again. Registers are unlimited.
    pub built: f64,
}

/// The cost of the operations of `nodes`, without loads. Words in `kept` must not be
/// overwritten.
fn operations(
    graph: &Graph,
    form: &Form,
    nodes: &[Id],
    set: &InstructionSet,
    kept: &[Id],
) -> (Cost, usize) {
    let mut cost = Cost::default();
    let mut destroys: Vec<Id> = Vec::new();
    let folded = folded_rotations(graph, form, set);
    for &id in nodes {
        let op = graph.op(id);
        let Some(kind) = op.kind() else { continue };
        match (kind, op) {
            (Kind::Rotate, _) if folded.contains(&id) => continue,
            (Kind::Rotate, _) if set.rotate == Rotate::ShiftInsert => cost.add("shift", 2.0),
            (Kind::Logic, Op::AndNot(..)) if !set.andn => cost.add("logic", 2.0),
            _ => cost.add(kind.name(), 1.0),
        }
        let keeps = match op {
            Op::Lea(..) => true,
            Op::Rotr(..) => set.rotate == Rotate::Copying,
            Op::AndNot(..) => set.andn,
            // Adding a constant can also be an address computation.
            Op::AddConst(..) => set.lea,
            _ => false,
        };
        if set.operands == 2 && !keeps {
            destroys.push(id);
        }
    }
    cost.add("mov", copies(graph, &destroys, kept) as f64);
    (cost, built_copies(graph, form, &destroys))
}

/// The copies of a program in the order of the form: overwriting an operand is free at
/// its last use.
fn built_copies(graph: &Graph, form: &Form, destroys: &[Id]) -> usize {
    let mut left = lanesum_graph::rewrite::uses(graph, form);
    let mut copies = 0;
    let mut next = destroys.iter().peekable();
    for id in graph.reachable(form.outputs.iter().copied()) {
        if next.next_if(|&&d| d == id).is_some() {
            let free = destroyable(graph, id).into_iter().any(|x| left[x] == 1);
            copies += usize::from(!free);
        }
        graph.op(id).operands().for_each(|x| left[x.index()] -= 1);
    }
    copies
}

/// The copies needed by instructions that overwrite one operand each. At most one
/// instruction can overwrite a value without a copy, so the copies are the instructions
/// that a maximum matching of instructions to operands leaves unmatched. An instruction
/// is an edge between its (at most two) operands; a component of e edges and v values
/// matches min(e, v). An instruction with only `kept` operands needs a copy.
fn copies(graph: &Graph, destroys: &[Id], kept: &[Id]) -> usize {
    let mut parent: Vec<usize> = (0..graph.len()).collect();
    fn root(parent: &mut [usize], mut x: usize) -> usize {
        while parent[x] != x {
            parent[x] = parent[parent[x]];
            x = parent[x];
        }
        x
    }
    let mut seen = vec![false; graph.len()];
    let harmless = |id: Id| {
        let mut operands = destroyable(graph, id);
        operands.retain(|&x| kept.iter().all(|id| id.index() != x));
        operands
    };
    let (destroys, needy): (Vec<Id>, Vec<Id>) =
        destroys.iter().partition(|&&id| !harmless(id).is_empty());
    for &id in &destroys {
        let operands = harmless(id);
        operands.iter().for_each(|&x| seen[x] = true);
        if let [x, y] = operands[..] {
            let (x, y) = (root(&mut parent, x), root(&mut parent, y));
            parent[x] = y;
        }
    }
    let (mut edges, mut values) = (BTreeMap::new(), BTreeMap::new());
    for &id in &destroys {
        let x = harmless(id)[0];
        *edges.entry(root(&mut parent, x)).or_insert(0usize) += 1;
    }
    for x in (0..graph.len()).filter(|&x| seen[x]) {
        *values.entry(root(&mut parent, x)).or_insert(0usize) += 1;
    }
    let over = edges.iter().map(|(component, &e)| e.saturating_sub(values[component]));
    needy.len() + over.sum::<usize>()
}

fn destroyable(graph: &Graph, id: Id) -> Vec<usize> {
    match graph.op(id) {
        Op::Sub(x, _) | Op::AndNot(x, _) => vec![x.index()],
        op => op.operands().take(2).map(Id::index).collect(),
    }
}

/// Rotations that are free, because all their users accept a rotated operand.
fn folded_rotations(graph: &Graph, form: &Form, set: &InstructionSet) -> Vec<Id> {
    let mut folded = Vec::new();
    if !set.shifted_operand {
        return folded;
    }
    let nodes = graph.reachable(form.outputs.iter().copied());
    let mut users: BTreeMap<Id, Vec<Id>> = BTreeMap::new();
    for &id in &nodes {
        for operand in graph.op(id).operands() {
            users.entry(operand).or_default().push(id);
        }
    }
    let mut taken: Vec<bool> = vec![false; graph.len()];
    for &id in nodes.iter().filter(|&&id| matches!(graph.op(id), Op::Rotr(..))) {
        let users = users.get(&id).map_or(&[][..], Vec::as_slice);
        let logic = |user: &Id| graph.op(*user).kind() == Some(Kind::Logic) && !taken[user.index()];
        if !form.outputs.contains(&id) && users.iter().all(logic) {
            users.iter().for_each(|user| taken[user.index()] = true);
            folded.push(id);
        }
    }
    folded
}

/// Returns the instructions of `block` in `forms`.
///
/// # Errors
///
/// [`NotProven`], which would be a bug in a pass.
pub fn instructions(
    block: &mut Block,
    form: &Form,
    forms: Forms,
    set: &InstructionSet,
) -> Result<Instructions, NotProven> {
    let graph = &mut block.graph;
    let mut form = expand(graph, form, forms)?;
    if set.rotate == Rotate::None {
        form = split_rotations(graph, &form)?;
    }
    if set.lea && graph.width() == 32 {
        form = fuse_lea(graph, &form)?;
    }
    let nodes = graph.reachable(form.outputs.iter().copied());
    let (mut cost, built_copies) = operations(graph, &form, &nodes, set, &[]);
    cost.add("load", (16 + block.state.len()) as f64);
    if !set.swapping_load && block.family.is_big_endian() {
        cost.add("swap", 16.0);
    }
    let words: Vec<Id> = form.rounds.iter().skip(16).map(|r| r.w).collect();
    let mut only_words = graph.reachable(words);
    only_words.retain(|id| nodes.contains(id));
    let (schedule, _) = operations(graph, &form, &only_words, set, &[]);
    let built = cost.total() - cost.of("mov") + built_copies as f64;
    Ok(Instructions { forms, form, cost, schedule, built })
}

/// The instructions of a block counted by function, as on paper: each addition is an instruction, and
/// so is each operation of a function between sums, which preserves its operands. A function of one
/// word may overwrite it.
#[derive(Clone, Debug, PartialEq)]
pub struct ByFunction {
    /// The instructions of each function, by the name of its first operation.
    pub functions: BTreeMap<&'static str, f64>,
    /// The instructions of the schedule.
    pub schedule: f64,
    /// The instructions of the rounds.
    pub rounds: f64,
}

/// Counts the instructions of `block` by function.
///
/// # Errors
///
/// [`NotProven`], which would be a bug in a pass.
pub fn by_function(
    block: &Block,
    forms: Forms,
    set: &InstructionSet,
) -> Result<ByFunction, NotProven> {
    let graph = &block.graph;
    let is_sum = |id: Id| graph.op(id).is_sum();
    let words: Vec<Id> = block.spec.rounds.iter().map(|round| round.w).collect();
    let of_words = graph.reachable(words.iter().copied());
    let last = block.spec.rounds.last().map_or(&[][..], |round| &round.state);
    let mut counted = ByFunction { functions: BTreeMap::new(), schedule: 0.0, rounds: 0.0 };
    let mut seen = std::collections::BTreeSet::new();
    for id in graph.reachable(last.iter().copied()).into_iter().filter(|&id| is_sum(id)) {
        let mut cost = 1.0;
        let works = |x: &Id| graph.op(*x).kind().is_some() && !is_sum(*x);
        for root in graph.op(id).operands().filter(works) {
            if seen.insert(root) {
                let own = function(graph, root, forms, set, false)?;
                counted.functions.insert(name_of(graph.op(root)), own);
                cost += own;
            }
        }
        let to = if of_words.contains(&id) { &mut counted.schedule } else { &mut counted.rounds };
        *to += cost;
    }
    Ok(counted)
}

fn name_of(op: Op) -> &'static str {
    match op {
        Op::Ch(..) => "Ch",
        Op::Maj(..) => "Maj",
        Op::Xor3(..) => "Σ",
        _ => "other",
    }
}

/// The instructions of only the function that ends in `root`. A function of one word overwrites it
/// unless it `survives`; several words always survive.
fn function(
    whole: &Graph,
    root: Id,
    forms: Forms,
    set: &InstructionSet,
    survives: bool,
) -> Result<f64, NotProven> {
    let mut graph = Graph::new(whole.width());
    let mut new: BTreeMap<Id, Id> = BTreeMap::new();
    let mut inputs = Vec::new();
    for id in whole.reachable([root]) {
        let op = whole.op(id);
        let made = if op.kind().is_none() || op.is_sum() {
            let input = graph.node(Op::Input(id.index() as u32));
            inputs.push(input);
            input
        } else {
            graph.node(op.map(|x| new[&x]))
        };
        new.insert(id, made);
    }
    let form = Form { outputs: vec![new[&root]], rounds: Vec::new() };
    let mut form = expand(&mut graph, &form, forms)?;
    if set.rotate == Rotate::None {
        form = split_rotations(&mut graph, &form)?;
    }
    let nodes = graph.reachable(form.outputs.iter().copied());
    inputs.retain(|input| nodes.contains(input));
    let kept = if inputs.len() == 1 && !survives { &[][..] } else { &inputs };
    Ok(operations(&graph, &form, &nodes, set, kept).0.total())
}

/// The fewest instructions of the function that ends in `root`, in a form of this crate, if its words
/// survive.
///
/// # Errors
///
/// [`NotProven`], which would be a bug in a pass.
pub fn of_function(graph: &Graph, root: Id, set: &InstructionSet) -> Result<f64, NotProven> {
    let mut fewest = f64::INFINITY;
    for forms in choices(set) {
        fewest = fewest.min(function(graph, root, forms, set, true)?);
    }
    Ok(fewest)
}

/// The forms of the functions that an instruction set supports.
pub(crate) fn choices(set: &InstructionSet) -> Vec<Forms> {
    if set.ternary {
        return vec![Forms { ch: ChForm::Whole, maj: MajForm::Whole, sigma: SigmaForm::Whole }];
    }
    Forms::all().collect()
}

/// Returns the form with the fewest instructions among those in this crate.
///
/// # Errors
///
/// [`NotProven`], which would be a bug in a pass.
pub fn fewest(block: &mut Block, set: &InstructionSet) -> Result<Instructions, NotProven> {
    let form = block.spec.clone();
    let mut best: Option<Instructions> = None;
    for forms in choices(set) {
        let found = instructions(block, &form, forms, set)?;
        if best.as_ref().is_none_or(|best| found.cost.total() < best.cost.total()) {
            best = Some(found);
        }
    }
    Ok(best.expect("a way"))
}

/// The vector operations for W_t + K_t of one block, several words at a time.
/// `apart` is the minimum distance of the schedule's words.
pub fn vector_schedule(
    block: &Block,
    ways: &Instructions,
    lanes: usize,
    set: &InstructionSet,
) -> Cost {
    let rounds = ways.form.rounds.len();
    let steps = (rounds - 16) as f64;
    let mut cost = Cost::default();
    for (op, n) in &ways.schedule.counts {
        cost.add(vector_op(op), n / lanes as f64);
    }
    let groups = steps / lanes as f64;
    let sha1 = block.family == lanesum_spec::Family::Sha1;
    // Unaligned words are extracted from two vectors.
    let distances: &[usize] = if sha1 { &[3, 8, 14, 16] } else { &[2, 7, 15, 16] };
    let cuts = distances.iter().filter(|&&d| d % lanes != 0).count();
    cost.add("vshuffle", groups * cuts as f64);
    // The last words of a vector depend on its first ones: another rotation and ⊕ for
    // SHA-1, another σ1 and addition for SHA-2.
    if sha1 {
        match set.rotate {
            Rotate::None => {
                cost.add("vshift", 2.0 * groups);
                cost.add("vlogic", 2.0 * groups);
            }
            Rotate::ShiftInsert => {
                cost.add("vshift", 2.0 * groups);
                cost.add("vlogic", groups);
            }
            Rotate::InPlace | Rotate::Copying => {
                cost.add("vrotate", groups);
                cost.add("vlogic", groups);
            }
        }
    } else {
        let sigma: f64 = 0.5; // σ1 is half of the schedule's σ
        for op in ["logic", "rotate", "shift", "ternary"] {
            cost.add(vector_op(op), sigma * ways.schedule.of(op) / lanes as f64);
        }
        cost.add("vadd", groups);
    }
    cost.add("vshuffle", groups);
    // Adding K_t, storing W_t + K_t, loading the block and swapping its bytes.
    cost.add("vadd", rounds as f64 / lanes as f64);
    cost.add("vstore", rounds as f64 / lanes as f64);
    cost.add("vload", 16.0 / lanes as f64);
    cost.add("vshuffle", 16.0 / lanes as f64);
    cost
}

/// The vector operation for an operation.
pub(crate) fn vector_op(op: &str) -> &'static str {
    match op {
        "add" | "lea" => "vadd",
        "rotate" => "vrotate",
        "shift" => "vshift",
        "ternary" => "vternary",
        "load" => "vload",
        "mov" => "vmov",
        "swap" => "vshuffle",
        _ => "vlogic",
    }
}
