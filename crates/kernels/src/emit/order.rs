//! The order of operations: list scheduling with one start time per kind of operation, equal in all
//! rounds.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::listing::Listing;
use super::shape::Shaped;
use lanesum_graph::graph::{Graph, Id, Op};
use lanesum_model::{FoundOrder, ModelError};

/// The operations of a kernel and their kinds: corresponding operations of different rounds have
/// one kind.
#[derive(Clone, Debug)]
pub struct Operations {
    /// The operations, in topological order.
    pub ids: Vec<Id>,
    /// The kind and the round of each operation.
    pub kinds: Vec<(usize, usize)>,
    /// The description of each kind in terms of a round's words.
    pub names: Vec<String>,
    /// The predecessors of each operation.
    needs: Vec<Vec<usize>>,
    /// The users of each operation.
    users: Vec<Vec<usize>>,
    /// The operations that overwrite a word that each operation reads.
    successors: Vec<Vec<usize>>,
    chain: f64,
}

/// A time for each kind of operation, in cycles from the beginning of its round.
pub type Times = Vec<f64>;

/// A kernel whose operations can have any order.
pub trait Orderable {
    /// The name.
    fn name(&self) -> String;

    /// The operations.
    fn operations(&self) -> &Operations;

    /// The initial order of a search.
    fn start(&self) -> Times;

    /// Returns the kernel in an order.
    fn listing(&self, times: &Times) -> Listing;
}

impl Operations {
    /// Returns the times of a stored order.
    ///
    /// # Errors
    ///
    /// [`ModelError::Unknown`] if an operation of the order no longer exists.
    pub fn times(&self, found: &FoundOrder) -> Result<Times, ModelError> {
        let mut times = self.latest();
        for (kind, time) in &found.times {
            let at = self.names.iter().position(|name| name == kind);
            let at = at.ok_or_else(|| ModelError::Unknown {
                what: "operation",
                name: kind.clone(),
                place: format!("the order of {}", found.kernel),
                valid: self.names.clone(),
            })?;
            times[at] = *time;
        }
        Ok(times)
    }

    /// Returns the operations of `shaped`.
    pub fn new(shaped: &Shaped) -> Self {
        let graph = &shaped.block.graph;
        let mut namer = Namer { graph, shaped, round_of: HashMap::new(), names: HashMap::new() };
        let last = shaped.form.rounds.len() - 1;
        for (t, round) in shaped.form.rounds.iter().enumerate() {
            std::iter::once(round.w)
                .chain(round.state.iter().copied())
                .for_each(|root| namer.visit(root, t));
        }
        shaped.form.outputs.iter().for_each(|&root| namer.visit(root, last));

        let ids: Vec<Id> = graph
            .reachable(shaped.form.outputs.iter().copied())
            .into_iter()
            .filter(|&id| !matches!(graph.op(id), Op::Input(_)))
            .collect();
        let mut index: HashMap<String, usize> = HashMap::new();
        let mut names = Vec::new();
        let mut kinds = Vec::with_capacity(ids.len());
        for id in &ids {
            let (round, name) = &namer.round_of[id];
            let kind = *index.entry(name.clone()).or_insert_with(|| {
                names.push(name.clone());
                names.len() - 1
            });
            kinds.push((kind, *round));
        }
        let position: HashMap<Id, usize> = ids.iter().enumerate().map(|(i, &id)| (id, i)).collect();
        let mut users = vec![Vec::new(); ids.len()];
        let mut needs = vec![Vec::new(); ids.len()];
        for (i, &id) in ids.iter().enumerate() {
            for operand in graph.op(id).operands() {
                if let Some(&o) = position.get(&operand) {
                    needs[i].push(o);
                    users[o].push(i);
                }
            }
        }
        let mut all = Self {
            successors: vec![Vec::new(); ids.len()],
            ids,
            kinds,
            names,
            needs,
            users,
            chain: shaped.chain,
        };
        all.keep_sixteen_words(shaped, &position);
        all
    }

    /// W_t is computed after all uses of W_(t-16), which it overwrites.
    fn keep_sixteen_words(&mut self, shaped: &Shaped, position: &HashMap<Id, usize>) {
        let graph = &shaped.block.graph;
        let mut readers: HashMap<Id, Vec<usize>> = HashMap::new();
        for (i, &id) in self.ids.iter().enumerate() {
            graph.op(id).operands().for_each(|word| readers.entry(word).or_default().push(i));
        }
        let rounds = &shaped.form.rounds;
        for (t, round) in rounds.iter().enumerate().skip(16) {
            // Words from memory are not operations, and have separate locations.
            let Some(&new) = position.get(&round.w) else { continue };
            for &reader in readers.get(&rounds[t - 16].w).into_iter().flatten() {
                if reader != new && !self.needs[new].contains(&reader) {
                    self.successors[reader].push(new);
                }
            }
        }
    }

    /// Times as late as possible, so that every user still finds its operands; averaged
    /// over the rounds.
    pub fn latest(&self) -> Times {
        let mut late = vec![f64::INFINITY; self.ids.len()];
        let end = self.chain * (1 + self.kinds.iter().map(|k| k.1).max().unwrap_or(0)) as f64;
        for i in (0..self.ids.len()).rev() {
            let users = self.users[i].iter().map(|&u| late[u]).fold(f64::INFINITY, f64::min);
            late[i] = if users.is_finite() { users - 1.0 } else { end };
        }
        let mut sums = vec![(0.0, 0.0); self.names.len()];
        for (i, &(kind, round)) in self.kinds.iter().enumerate() {
            sums[kind].0 += late[i] - self.chain * round as f64;
            sums[kind].1 += 1.0;
        }
        sums.into_iter().map(|(sum, n)| sum / n).collect()
    }

    /// One word at a time, each directly after the operations that only it needs; averaged over the rounds.
    pub fn sequential(&self) -> Times {
        let rounds = 1 + self.kinds.iter().map(|k| k.1).max().unwrap_or(0);
        let mut count = vec![0usize; rounds];
        let places: Vec<usize> = self
            .kinds
            .iter()
            .map(|&(_, round)| {
                count[round] += 1;
                count[round] - 1
            })
            .collect();
        let mut sums = vec![(0.0, 0.0); self.names.len()];
        for (&(kind, round), place) in self.kinds.iter().zip(places) {
            sums[kind].0 += self.chain * place as f64 / count[round] as f64;
            sums[kind].1 += 1.0;
        }
        sums.into_iter().map(|(sum, n)| sum / n).collect()
    }

    /// The operations in the order of `times`, as far as dependencies allow.
    pub fn order(&self, times: &[f64]) -> Vec<Id> {
        let key = |i: usize| {
            let (kind, round) = self.kinds[i];
            let time = self.chain * round as f64 + times[kind];
            // Integers in thousandths of a cycle, for a total order.
            ((time * 1000.0).round() as i64, i)
        };
        let mut missing: Vec<usize> = self.needs.iter().map(Vec::len).collect();
        self.successors.iter().flatten().for_each(|&later| missing[later] += 1);
        let mut ready: BinaryHeap<Reverse<(i64, usize)>> =
            (0..self.ids.len()).filter(|&i| missing[i] == 0).map(|i| Reverse(key(i))).collect();
        let mut order = Vec::with_capacity(self.ids.len());
        while let Some(Reverse((_, i))) = ready.pop() {
            order.push(self.ids[i]);
            for &user in self.users[i].iter().chain(&self.successors[i]) {
                missing[user] -= 1;
                if missing[user] == 0 {
                    ready.push(Reverse(key(user)));
                }
            }
        }
        order
    }
}

/// Assigns each operation to the first round that needs it, and names it by its
/// operation on the words of that round.
struct Namer<'a> {
    graph: &'a Graph,
    shaped: &'a Shaped,
    round_of: HashMap<Id, (usize, String)>,
    /// Names of one round.
    names: HashMap<(Id, usize), String>,
}

impl Namer<'_> {
    fn visit(&mut self, id: Id, round: usize) {
        if self.round_of.contains_key(&id) || matches!(self.graph.op(id), Op::Input(_)) {
            return;
        }
        let name = self.operation(id, round);
        self.round_of.insert(id, (round, name));
        let operands: Vec<Id> = self.graph.op(id).operands().collect();
        operands.into_iter().for_each(|operand| self.visit(operand, round));
    }

    /// The name of an operand, if possible as a word of the round.
    fn name(&mut self, id: Id, round: usize) -> String {
        if let Some(name) = self.names.get(&(id, round)) {
            return name.clone();
        }
        let name = self.word(id, round).unwrap_or_else(|| self.operation(id, round));
        self.names.insert((id, round), name.clone());
        name
    }

    fn word(&self, id: Id, round: usize) -> Option<String> {
        let rounds = &self.shaped.form.rounds;
        let before = if round == 0 { &self.shaped.block.state } else { &rounds[round - 1].state };
        if let Some(i) = before.iter().position(|s| *s == id) {
            return Some(["a", "b", "c", "d", "e", "f", "g", "h"][i].to_owned());
        }
        if let Some(i) = rounds[round].state.iter().position(|s| *s == id) {
            return Some(format!("new {}", ["a", "b", "c", "d", "e"][i]));
        }
        let words = rounds.iter().take(round + 1).rev().take(17);
        words.enumerate().find(|(_, r)| r.w == id).map(|(back, _)| format!("W[t-{back}]"))
    }

    fn operation(&mut self, id: Id, round: usize) -> String {
        let op = self.graph.op(id);
        let mut operands: Vec<String> = op.operands().map(|o| self.name(o, round)).collect();
        if !matches!(op, Op::Sub(..) | Op::AndNot(..)) {
            operands.sort();
        }
        let x = operands.first().cloned().unwrap_or_default();
        let list = operands.join(", ");
        match op {
            Op::Input(n) => format!("input {n}"),
            Op::Const(_) => "constant".to_owned(),
            Op::Add(..) => format!("({})", operands.join(" + ")),
            Op::Sub(..) => format!("({})", operands.join(" - ")),
            Op::AddConst(..) => format!("({x} + K)"),
            Op::Lea(..) => format!("({} + K)", operands.join(" + ")),
            Op::And(..) => format!("({})", operands.join(" & ")),
            Op::AndNot(..) => format!("({})", operands.join(" &~ ")),
            Op::Or(..) => format!("({})", operands.join(" | ")),
            Op::Xor(..) => format!("({})", operands.join(" ^ ")),
            Op::Not(..) => format!("~{x}"),
            Op::Rotr(_, n) => format!("rotr({x}, {n})"),
            Op::Shr(_, n) => format!("shr({x}, {n})"),
            Op::Shl(_, n) => format!("shl({x}, {n})"),
            Op::Ch(..) | Op::Maj(..) | Op::Xor3(..) => format!("f({list})"),
        }
    }
}
