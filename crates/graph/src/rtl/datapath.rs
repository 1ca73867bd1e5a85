//! The datapath of a stage: rounds unfolded over a clock, registers for what goes
//! from one clock to the next, and nothing that is not needed.
//!
//! Time is counted in rounds. A stage begins a clock at round t, its boundary, and
//! does n rounds in it. Sequence s is then known up to word `t - skew`; sums of
//! words to come may be registered in part, `ahead`. The rounds that one piece of
//! hardware does in turn are unified: where they differ in a constant it becomes a
//! table over the clocks, and where they differ in a function a selection.

use std::collections::{BTreeSet, HashMap};

use crate::graph::{Id, Op};
use crate::rtl::Technology;
use crate::rtl::netlist::{Gate, Netlist, Signal};
use crate::rtl::recurrence::{Part, Recurrence};
use crate::rtl::sums::{Arrival, Step, steps};

/// Where registers are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// Of each sequence: before round t it is known up to word `t - skew`.
    pub skew: Vec<isize>,
    /// Of each sequence, level and group: the parts (by class) of the sum for word
    /// `t - skew + 1 + level` that a register holds added up.
    pub ahead: Vec<Vec<Vec<Vec<usize>>>>,
    /// Whether sums may have carry-save rows.
    pub rows: bool,
    /// Clocks before round 0.
    pub prologue: usize,
}

/// What a register of a stage holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Key {
    /// The word so many before the newest of a sequence.
    Word(usize, usize),
    /// A partial sum: sequence, level, group.
    Sum(usize, usize, usize),
    /// A word of the chaining value.
    Chain(usize),
    /// The id of the block.
    Id,
}

/// A word is wanted that is not known yet or no more: the placement cannot be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unavailable;

/// Gives signals that have a value for each clock of a stage.
pub(crate) trait Sequencer {
    /// A signal that is `values[k]` in clock k of the stage; where that is `None`
    /// it may be anything.
    fn sequence(
        &mut self,
        netlist: &mut Netlist,
        name: &str,
        values: &[Option<u64>],
        width: u32,
    ) -> Signal;
}

/// What stays the same for all stages of a core.
pub(crate) struct Frame<'a> {
    pub recurrence: &'a Recurrence,
    pub placement: &'a Placement,
    pub technology: &'a Technology,
    /// Rounds a clock.
    pub unfold: usize,
    /// Classes of the parts of each sequence's sums, in order.
    pub classes: &'a [Vec<Class>],
    /// The parts of each word of each sequence, from its first on, in that order.
    pub parts: &'a [Vec<Vec<Part>>],
    /// Whether words of the schedule count as at hand, as the paper has them.
    pub schedule_at_hand: bool,
}

/// What a part of a sum reads, relative to the word it is for: (sequence, back).
pub(crate) type Class = Vec<(usize, isize)>;

/// The classes of the parts of each sequence's sums.
pub(crate) fn classes(recurrence: &Recurrence) -> Vec<Vec<Class>> {
    (0..recurrence.sequences.len())
        .map(|s| {
            let parts = recurrence.parts(s, 40).expect("a word in the middle");
            let mut classes: Vec<Class> =
                parts.iter().map(|&part| class(recurrence, part, s, 40)).collect();
            classes.sort();
            classes
        })
        .collect()
}

/// The parts of every word that is computed, in the order of their classes.
pub(crate) fn sorted_parts(recurrence: &Recurrence) -> Vec<Vec<Vec<Part>>> {
    let of = |s: usize, u: isize| {
        let mut parts = recurrence.parts(s, u).expect("a word of the sequence");
        parts.sort_by_cached_key(|&part| class(recurrence, part, s, u));
        parts
    };
    let each = recurrence.sequences.iter().enumerate();
    each.map(|(s, q)| (0..q.words.len() as isize).map(|i| of(s, q.first + i)).collect()).collect()
}

fn class(recurrence: &Recurrence, part: Part, s: usize, u: isize) -> Class {
    let mut class = Class::new();
    if let Part::Node(id) = part {
        read(recurrence, id, s, u, &mut class);
    }
    class.sort_unstable();
    class
}

fn read(recurrence: &Recurrence, id: Id, s: usize, u: isize, class: &mut Class) {
    match recurrence.leaves.get(&id) {
        Some(&(leaf, v)) if (leaf, v) != (s, u) => class.push((leaf, u - v)),
        _ => recurrence.graph.op(id).operands().for_each(|x| read(recurrence, x, s, u, class)),
    }
}

/// Where leaves come from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// The registers at the beginning of a clock.
    Registers,
    /// The block and the chaining value, at the input.
    Input,
}

/// A stage under construction.
pub(crate) struct Stage<'a, 's> {
    pub netlist: &'a mut Netlist,
    frame: &'a Frame<'a>,
    sequencer: &'s mut dyn Sequencer,
    prefix: String,
    /// The round at which each clock begins.
    clocks: Vec<isize>,
    registers: HashMap<Key, usize>,
    words: HashMap<(usize, isize), Option<Signal>>,
    /// block_i and state_i, for a stage that is loaded from the input.
    pub input: Option<(Vec<Signal>, Vec<Signal>)>,
}

type Wanted<T> = Result<Option<T>, Unavailable>;

impl<'a, 's> Stage<'a, 's> {
    pub fn new(
        netlist: &'a mut Netlist,
        frame: &'a Frame<'a>,
        sequencer: &'s mut dyn Sequencer,
        prefix: &str,
        first: isize,
        clocks: usize,
    ) -> Self {
        let n = frame.unfold as isize;
        Self {
            netlist,
            frame,
            sequencer,
            prefix: prefix.to_owned(),
            clocks: (0..clocks as isize).map(|k| first + k * n).collect(),
            registers: HashMap::new(),
            words: HashMap::new(),
            input: None,
        }
    }

    fn width(&self) -> u32 {
        self.frame.recurrence.graph.width()
    }

    /// The register that holds `key`.
    pub fn register(&mut self, key: Key) -> usize {
        if let Some(&number) = self.registers.get(&key) {
            return number;
        }
        let width = if key == Key::Id { 8 } else { self.width() };
        let name = format!("{}{}", self.prefix, self.key_name(key));
        let number = self.netlist.register(name, width, None);
        self.registers.insert(key, number);
        number
    }

    pub fn q(&mut self, key: Key) -> Signal {
        let number = self.register(key);
        self.netlist.q(number)
    }

    fn key_name(&self, key: Key) -> String {
        let recurrence = self.frame.recurrence;
        match key {
            Key::Word(s, back) if s == recurrence.schedule() => {
                format!("w{}", 15 - back as isize).replace('-', "_m")
            }
            Key::Word(s, back) => format!("{}{back}", recurrence.sequences[s].name),
            Key::Sum(s, level, group) => {
                let parts = &self.frame.placement.ahead[s][level][group];
                let name: String =
                    parts.iter().map(|&p| self.part_name(&self.frame.classes[s][p])).collect();
                format!("{}_{name}_{level}", recurrence.sequences[s].name)
            }
            Key::Chain(i) => format!("h{i}"),
            Key::Id => "id".to_owned(),
        }
    }

    /// `k`, `w`, `e`, `f`, `s`: a letter for a part of a sum.
    fn part_name(&self, class: &Class) -> String {
        let recurrence = self.frame.recurrence;
        match class[..] {
            [] => "k".to_owned(),
            [(s, back)] if s == recurrence.schedule() => {
                if back == 1 {
                    "w".to_owned()
                } else {
                    format!("w{back}")
                }
            }
            [(s, back)] => {
                let at = recurrence
                    .state
                    .iter()
                    .position(|w| w.sequence == s && w.back == back - 1)
                    .unwrap_or(0);
                ["a", "b", "c", "d", "e", "f", "g", "h"][at].to_owned()
            }
            _ if class.windows(2).all(|w| w[0] == w[1]) => "s".to_owned(),
            _ => "f".to_owned(),
        }
    }

    fn arrival(&self, x: Signal) -> Arrival {
        self.netlist.arrivals[x.index()].unwrap_or_default()
    }

    fn make(&mut self, gate: Gate, delay: Arrival) -> Signal {
        let late = gate.operands().map(|x| self.arrival(x));
        let late = late.fold(Arrival::default(), Arrival::max);
        let signal = self.netlist.gate(gate, self.width());
        let slot = &mut self.netlist.arrivals[signal.index()];
        slot.get_or_insert(late + delay);
        signal
    }

    /// What `key` holds after a clock; `None` if nothing in particular.
    pub fn next(&mut self, key: Key) -> Wanted<Signal> {
        let n = self.frame.unfold as isize;
        let skew = |s: usize| self.frame.placement.skew[s];
        match key {
            Key::Word(s, back) => self.word(s, n - skew(s) - back as isize),
            Key::Sum(s, level, group) => {
                let offset = n - skew(s) + 1 + level as isize;
                let parts = self.frame.placement.ahead[s][level][group].clone();
                self.sum(Source::Registers, s, offset, &parts)
            }
            Key::Chain(_) | Key::Id => Ok(Some(self.q(key))),
        }
    }

    /// What `key` holds when a block is loaded, which is before the first clock.
    pub fn load(&mut self, key: Key) -> Wanted<Signal> {
        let t = self.clocks[0];
        match key {
            Key::Word(s, back) => {
                self.input_word(s, t - self.frame.placement.skew[s] - back as isize)
            }
            Key::Sum(s, level, group) => {
                let offset = 1 + level as isize - self.frame.placement.skew[s];
                let parts = self.frame.placement.ahead[s][level][group].clone();
                self.sum(Source::Input, s, offset, &parts)
            }
            Key::Chain(i) => Ok(Some(self.input.as_ref().expect("an input stage").1[i])),
            Key::Id => unreachable!("the id is loaded where the ports are"),
        }
    }

    fn input_word(&mut self, s: usize, u: isize) -> Wanted<Signal> {
        let recurrence = self.frame.recurrence;
        let (block, state) = self.input.clone().expect("an input stage");
        if s == recurrence.schedule() {
            return match usize::try_from(u) {
                Err(_) => Ok(None),
                Ok(u) if u < 16 => Ok(Some(block[u])),
                Ok(_) => Err(Unavailable),
            };
        }
        if u > 0 {
            return Err(Unavailable);
        }
        let Some(i) = recurrence.state.iter().position(|w| w.sequence == s && w.back == -u) else {
            return Ok(None);
        };
        Ok(Some(self.unrotated(i, state[i])))
    }

    /// The word of a sequence whose rotation is word i of the state.
    fn unrotated(&mut self, i: usize, word: Signal) -> Signal {
        let width = self.width();
        let left = (width - self.frame.recurrence.state[i].rotation) % width;
        self.make(Gate::Rotr(word, left), Arrival::default())
    }

    /// Word `t + offset` of a sequence.
    fn word(&mut self, s: usize, offset: isize) -> Wanted<Signal> {
        let newest = -self.frame.placement.skew[s];
        if offset <= newest {
            return Ok(Some(self.q(Key::Word(s, (newest - offset) as usize))));
        }
        if offset > newest + self.frame.unfold as isize {
            return Err(Unavailable);
        }
        if let Some(&done) = self.words.get(&(s, offset)) {
            return Ok(done);
        }
        let all: Vec<usize> = (0..self.frame.classes[s].len()).collect();
        let mut made = self.sum(Source::Registers, s, offset, &all)?;
        let recurrence = self.frame.recurrence;
        if let Some(word) = made {
            let name = format!("{}{}_t{offset}", self.prefix, recurrence.sequences[s].name);
            self.netlist.name(word, &name);
            if s == recurrence.schedule() && self.frame.schedule_at_hand {
                self.netlist.arrivals[word.index()] = Some(Arrival::default());
            }
        }
        // Words of the chaining value that the registers have no room for yet.
        let early = self.clocks.iter().take_while(|&t| t + offset <= 0);
        for (k, t) in early.copied().collect::<Vec<_>>().into_iter().enumerate() {
            let u = t + offset;
            let state = recurrence.state.iter();
            let found = state.clone().position(|w| w.sequence == s && w.back == -u);
            let Some(i) = found.filter(|_| s != recurrence.schedule() && u <= 0) else { continue };
            let chain = self.q(Key::Chain(i));
            let old = self.unrotated(i, chain);
            let Some(word) = made else {
                made = Some(old);
                continue;
            };
            let at: Vec<Option<u64>> =
                (0..self.clocks.len()).map(|j| Some(u64::from(j == k))).collect();
            let name = format!("{}first{k}", self.prefix);
            let bit = self.sequencer.sequence(self.netlist, &name, &at, 1);
            made = Some(self.make(Gate::Select(bit, old, word), Arrival::default()));
        }
        self.words.insert((s, offset), made);
        Ok(made)
    }

    /// The sum of some parts of word `t + offset`.
    fn sum(&mut self, from: Source, s: usize, offset: isize, parts: &[usize]) -> Wanted<Signal> {
        let recurrence = self.frame.recurrence;
        let times: Vec<(usize, isize)> = match from {
            Source::Registers => self.clocks.iter().copied().enumerate().collect(),
            Source::Input => vec![(0, self.clocks[0])],
        };
        let mut found: Vec<(usize, &Vec<Part>, isize)> = Vec::new();
        for (k, t) in times {
            let u = t + offset;
            let at = usize::try_from(u - recurrence.sequences[s].first).ok();
            let list = at.and_then(|at| self.frame.parts[s].get(at));
            found.extend(list.map(|list| (k, list, u)));
        }
        if found.is_empty() {
            return Ok(None);
        }
        let mut terms = Vec::new();
        let mut left: Vec<usize> = parts.to_vec();
        if from == Source::Registers {
            let level = offset + self.frame.placement.skew[s] - 1;
            let ahead = &self.frame.placement.ahead[s];
            let groups = usize::try_from(level).ok().and_then(|level| ahead.get(level));
            for (g, group) in groups.into_iter().flatten().enumerate() {
                if group.iter().all(|part| left.contains(part)) {
                    left.retain(|part| !group.contains(part));
                    terms.push(self.q(Key::Sum(s, level as usize, g)));
                }
            }
        }
        for part in left {
            let each: Vec<(usize, Part)> =
                found.iter().map(|(k, list, _)| (*k, list[part])).collect();
            let roots: Vec<(usize, isize)> = found.iter().map(|&(k, _, u)| (k, u)).collect();
            match self.part(from, &each, s, &roots)? {
                Some(term) => terms.push(term),
                None => return Ok(None),
            }
        }
        Ok(Some(self.add_up(terms)))
    }

    fn part(
        &mut self,
        from: Source,
        each: &[(usize, Part)],
        s: usize,
        roots: &[(usize, isize)],
    ) -> Wanted<Signal> {
        if let Part::Constant(_) = each[0].1 {
            let mut values = vec![None; self.clocks.len()];
            for &(k, part) in each {
                if let Part::Constant(constant) = part {
                    values[k] = Some(constant);
                }
            }
            let width = self.width();
            return Ok(Some(match from {
                Source::Input => self.netlist.word(values[0].expect("a constant"), width),
                Source::Registers => {
                    let name = format!("{}k", self.prefix);
                    self.sequencer.sequence(self.netlist, &name, &values, width)
                }
            }));
        }
        let nodes: Vec<(usize, Id)> = each
            .iter()
            .filter_map(|&(k, part)| match part {
                Part::Node(id) => Some((k, id)),
                Part::Constant(_) => None,
            })
            .collect();
        // A word that is no sum is its own only part.
        let own = |&(k, id): &(usize, Id)| {
            let u = roots.iter().find(|r| r.0 == k).expect("a clock").1;
            self.frame.recurrence.leaves.get(&id) == Some(&(s, u))
        };
        let root = nodes.iter().all(own);
        self.unify(from, &nodes, root)
    }

    /// One signal for the nodes that the clocks have here.
    fn unify(&mut self, from: Source, nodes: &[(usize, Id)], root: bool) -> Wanted<Signal> {
        let recurrence = self.frame.recurrence;
        if !root && let Some(&(s, _)) = recurrence.leaves.get(&nodes[0].1) {
            let offset = |&(k, id): &(usize, Id)| {
                recurrence.leaves.get(&id).map(|&(leaf, v)| (leaf, v - self.clocks[k]))
            };
            let first = offset(&nodes[0]).expect("a leaf");
            assert!(nodes.iter().all(|n| offset(n) == Some(first)), "rounds read alike");
            return match from {
                Source::Registers => self.word(s, first.1),
                Source::Input => self.input_word(s, first.1 + self.clocks[0]),
            };
        }
        let kind = |op: Op| op.map(|_| Id(0));
        let mut kinds: Vec<Op> = Vec::new();
        for &(_, id) in nodes {
            let op = kind(recurrence.graph.op(id));
            if !kinds.contains(&op) {
                kinds.push(op);
            }
        }
        if kinds.len() == 1 {
            return self.apply(from, nodes);
        }
        // The function differs from clock to clock.
        let mut either: Option<Signal> = None;
        for op in kinds {
            let those: Vec<(usize, Id)> = nodes
                .iter()
                .copied()
                .filter(|&(_, id)| kind(recurrence.graph.op(id)) == op)
                .collect();
            let Some(signal) = self.apply(from, &those)? else { return Ok(None) };
            let mut bits = vec![None; self.clocks.len()];
            nodes.iter().for_each(|&(k, _)| bits[k] = Some(0));
            those.iter().for_each(|&(k, _)| bits[k] = Some(1));
            let name = match op {
                Op::Ch(..) => "ch",
                Op::Maj(..) => "maj",
                _ => "parity",
            };
            let name = format!("{}is_{name}", self.prefix);
            let bit = self.sequencer.sequence(self.netlist, &name, &bits, 1);
            let masked = self.make(Gate::Mask(bit, signal), Arrival::default());
            either = Some(match either {
                None => masked,
                Some(other) => self.make(Gate::Or(other, masked), Arrival::default()),
            });
        }
        Ok(either)
    }

    /// The operation that all of `nodes` do.
    fn apply(&mut self, from: Source, nodes: &[(usize, Id)]) -> Wanted<Signal> {
        let recurrence = self.frame.recurrence;
        let graph = &recurrence.graph;
        let count = graph.op(nodes[0].1).operands().count();
        let mut operands = Vec::with_capacity(count);
        for i in 0..count {
            let those: Vec<(usize, Id)> = nodes
                .iter()
                .map(|&(k, id)| (k, graph.op(id).operands().nth(i).expect("an operand")))
                .collect();
            match self.unify(from, &those, false)? {
                Some(signal) => operands.push(signal),
                None => return Ok(None),
            }
        }
        let technology = self.frame.technology;
        let function = Arrival { value: technology.function, functions: 1, ..Arrival::default() };
        let sigma = Arrival { value: technology.sigma, sigmas: 1, ..Arrival::default() };
        let op = graph.op(nodes[0].1);
        let same = |x: Id, y: Id| matches!((graph.op(x), graph.op(y)), (Op::Rotr(x, _), Op::Rotr(y, _)) if x == y);
        let (gate, delay) = match (op, &operands[..]) {
            (Op::Rotr(_, n), &[x]) => (Gate::Rotr(x, n), Arrival::default()),
            (Op::Shr(_, n), &[x]) => (Gate::Shr(x, n), Arrival::default()),
            (Op::Not(_), &[x]) => (Gate::Not(x), Arrival::default()),
            (Op::And(..), &[x, y]) => (Gate::And(x, y), Arrival::default()),
            (Op::Or(..), &[x, y]) => (Gate::Or(x, y), Arrival::default()),
            (Op::Xor(..), &[x, y]) => (Gate::Xor(x, y), Arrival::default()),
            (Op::Ch(..), &[x, y, z]) => (Gate::Ch(x, y, z), function),
            (Op::Maj(..), &[x, y, z]) => (Gate::Maj(x, y, z), function),
            (Op::Xor3(a, b, _), &[x, y, z]) => {
                (Gate::Xor3(x, y, z), if same(a, b) { sigma } else { function })
            }
            (op, _) => unreachable!("no part of a sum: {op:?}"),
        };
        Ok(Some(self.make(gate, delay)))
    }

    fn add_up(&mut self, mut terms: Vec<Signal>) -> Signal {
        let technology = self.frame.technology;
        terms.sort_by(|&x, &y| self.arrival(y).value.total_cmp(&self.arrival(x).value));
        let times: Vec<f64> = terms.iter().map(|&x| self.arrival(x).value).collect();
        let add = Arrival { value: technology.add, additions: 1, ..Arrival::default() };
        let row = Arrival { value: technology.row, rows: 1, ..Arrival::default() };
        for step in steps(&times, technology, self.frame.placement.rows) {
            terms.sort_by(|&x, &y| self.arrival(y).value.total_cmp(&self.arrival(x).value));
            let mut take = || terms.pop().expect("a term");
            match step {
                Step::Add => {
                    let (x, y) = (take(), take());
                    let sum = self.make(Gate::Add(x, y), add);
                    terms.push(sum);
                }
                Step::Row => {
                    let (x, y, z) = (take(), take(), take());
                    let made = [Gate::Save(x, y, z), Gate::Carry(x, y, z)];
                    terms.extend(made.map(|gate| self.make(gate, row)));
                }
            }
        }
        terms[0]
    }

    /// The keys of registers that `signal` reads.
    pub fn reads(&self, signal: Signal) -> BTreeSet<Key> {
        let by_number: HashMap<usize, Key> =
            self.registers.iter().map(|(&key, &number)| (number, key)).collect();
        let mut seen = BTreeSet::new();
        let mut keys = BTreeSet::new();
        let mut stack = vec![signal];
        while let Some(signal) = stack.pop() {
            if !seen.insert(signal) {
                continue;
            }
            match &self.netlist.gates[signal.index()].0 {
                Gate::Register(number) => keys.extend(by_number.get(number)),
                gate => stack.extend(gate.operands()),
            }
        }
        keys
    }
}
