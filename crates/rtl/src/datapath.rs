//! The datapath of a stage: unfolded rounds, and the registers that pass values to the next cycle.
//!
//! Time is counted in rounds. A cycle of a stage begins at round t, its boundary, and computes n
//! rounds. Sequence s is known up to word `t - skew`; partial sums of later words may be registered
//! (`ahead`). Rounds that share hardware in successive cycles are merged: different constants
//! become a table indexed by the cycle, and different functions a multiplexer.

use std::collections::{BTreeSet, HashMap};

use crate::netlist::{Gate, Netlist, Signal};
use crate::options::{Chaining, Options, Registers, Technology};
use crate::recurrence::{Part, Recurrence};
use crate::sums::Arrival;
use lanesum_graph::graph::Id;

/// The placement of registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// For each sequence: before round t, it is known up to word `t - skew`.
    pub skew: Vec<isize>,
    /// For each sequence, level and group: the parts, by class, whose sum a register holds. They
    /// are parts of word `t - skew + 1 + level`.
    pub ahead: Vec<Vec<Vec<Vec<usize>>>>,
    /// Whether sums may use carry-save rows.
    pub rows: bool,
    /// Cycles before round 0.
    pub prologue: usize,
    /// Whether word `t + 1` of the first sequence is stored in carry-save form before its rotated
    /// part is known; see `kept.rs`.
    pub kept: bool,
}

/// The contents of a register of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Key {
    /// A word of a sequence, by its distance from the newest.
    Word(usize, usize),
    /// A partial sum: sequence, level, group.
    Sum(usize, usize, usize),
    /// The first or second word of a carry-save pair: the word after the newest, without its late
    /// bits.
    Pair(usize),
    /// A word of the chaining value.
    Chain(usize),
    /// The id of the block.
    Id,
}

/// A word is needed before it is computed or after it was dropped: the placement is impossible.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unavailable;

/// Generates signals with a given value in each cycle of a stage.
pub(crate) trait Sequencer {
    /// A signal that equals `values[k]` in cycle k of the stage; arbitrary where that is `None`. Its
    /// register has the name and the comment.
    fn sequence(
        &mut self,
        netlist: &mut Netlist,
        name: &str,
        comment: &str,
        values: &[Option<u64>],
        width: u32,
    ) -> Signal;
}

/// Parameters shared by all stages of a core.
pub(crate) struct CoreFrame<'a> {
    pub recurrence: &'a Recurrence,
    pub placement: &'a Placement,
    pub technology: &'a Technology,
    pub options: &'a Options,
    /// The classes of the parts of each sequence's sums, in order.
    pub classes: &'a [Vec<Class>],
    /// The parts of each word of each sequence, from its first word on, ordered by class.
    pub parts: &'a [Vec<Vec<Part>>],
}

/// The words that a part of a sum reads, relative to the sum's word, as (sequence, distance back).
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

/// The parts of every computed word, in the order of their classes.
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

/// The source of a sum's operands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// The registers at the beginning of a cycle.
    Registers,
    /// The registers, for words of the block that begins; words shared with the block that ends
    /// have the chaining value added.
    Handed,
    /// The block and the chaining value at the input.
    Input,
}

/// A stage under construction.
pub(crate) struct Stage<'a, 's> {
    pub netlist: &'a mut Netlist,
    pub(super) frame: &'a CoreFrame<'a>,
    pub(super) sequencer: &'s mut dyn Sequencer,
    pub(super) prefix: String,
    /// The round at which each cycle begins.
    pub(super) clocks: Vec<isize>,
    registers: HashMap<Key, usize>,
    words: HashMap<(usize, isize), Option<Signal>>,
    pub(super) pairs: HashMap<(isize, bool), Option<[Signal; 2]>>,
    /// Words of the block that ends, with the chaining value added.
    pub(super) handed: HashMap<(usize, isize), Option<Signal>>,
    /// The name of the sum under construction.
    pub(super) label: String,
    /// One in the cycle that ends a block and begins the next.
    pub turn: Option<Signal>,
    /// block_i and state_i, for a stage that is loaded from the input.
    pub input: Option<(Vec<Signal>, Vec<Signal>)>,
}

pub(super) type Wanted<T> = Result<Option<T>, Unavailable>;

impl<'a, 's> Stage<'a, 's> {
    pub fn new(
        netlist: &'a mut Netlist,
        frame: &'a CoreFrame<'a>,
        sequencer: &'s mut dyn Sequencer,
        prefix: &str,
        first: isize,
        clocks: usize,
    ) -> Self {
        let n = frame.options.unfold as isize;
        Self {
            netlist,
            frame,
            sequencer,
            prefix: prefix.to_owned(),
            clocks: (0..clocks as isize).map(|k| first + k * n).collect(),
            registers: HashMap::new(),
            words: HashMap::new(),
            pairs: HashMap::new(),
            handed: HashMap::new(),
            label: String::new(),
            turn: None,
            input: None,
        }
    }

    pub(super) fn width(&self) -> u32 {
        self.frame.recurrence.graph.width()
    }

    /// The register of `key`.
    pub fn register(&mut self, key: Key) -> usize {
        if let Some(&number) = self.registers.get(&key) {
            return number;
        }
        let width = if key == Key::Id { 8 } else { self.width() };
        let name = format!("{}{}", self.prefix, self.key_name(key));
        let number = self.netlist.register(name, width, None);
        self.netlist.describe(number, self.meaning(key));
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
            Key::Pair(i) => {
                format!("{}_{}", recurrence.sequences[0].name, ["save", "carry"][i])
            }
            Key::Chain(i) => format!("h{i}"),
            Key::Id => "id".to_owned(),
        }
    }

    /// Describes the contents of the register of `key` in a cycle that begins at round t.
    fn meaning(&self, key: Key) -> String {
        let recurrence = self.frame.recurrence;
        let index = |u: isize| match u {
            0 => "t".to_owned(),
            1.. => format!("t+{u}"),
            _ => format!("t{u}"),
        };
        let name = |s: usize| recurrence.sequences[s].name.to_uppercase();
        let skew = |s: usize| self.frame.placement.skew[s];
        match key {
            Key::Word(s, back) => format!("{}[{}]", name(s), index(-skew(s) - back as isize)),
            Key::Sum(s, level, group) => {
                let u = 1 + level as isize - skew(s);
                let of = if s == recurrence.schedule() { u } else { u - 1 };
                let term = |class: &Class| match class[..] {
                    [] => format!("K[{}]", index(of)),
                    [(leaf, back)] => format!("{}[{}]", name(leaf), index(u - back)),
                    _ => {
                        let function = match self.part_name(class).as_str() {
                            "s" if s == recurrence.schedule() => "sigma",
                            "s" => "Sigma",
                            _ => "f",
                        };
                        format!("{function}({}[{}])", name(class[0].0), index(u - class[0].1))
                    }
                };
                let parts = &self.frame.placement.ahead[s][level][group];
                let parts: Vec<String> =
                    parts.iter().map(|&part| term(&self.frame.classes[s][part])).collect();
                format!("{}, for {}[{}]", parts.join(" + "), name(s), index(u))
            }
            Key::Pair(i) => {
                let which = ["first", "second"][i];
                format!("{which} word of a pair for A[t+1], without late bits")
            }
            Key::Chain(i) => format!("word {i} of the chaining value"),
            Key::Id => "the block's id".to_owned(),
        }
    }

    /// A letter that names a part of a sum: `k`, `w`, `e`, `f`, `s`.
    pub(super) fn part_name(&self, class: &Class) -> String {
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

    pub(super) fn arrival(&self, x: Signal) -> Arrival {
        self.netlist.arrivals[x.index()].unwrap_or_default()
    }

    pub(super) fn make(&mut self, gate: Gate, delay: Arrival) -> Signal {
        let late = gate.operands().map(|x| self.arrival(x));
        let late = late.fold(Arrival::default(), Arrival::max);
        let signal = self.netlist.gate(gate, self.width());
        let slot = &mut self.netlist.arrivals[signal.index()];
        slot.get_or_insert(late + delay);
        signal
    }

    /// The next value of `key`; `None` if it is arbitrary.
    pub fn next(&mut self, key: Key) -> Wanted<Signal> {
        let n = self.frame.options.unfold as isize;
        let skew = |s: usize| self.frame.placement.skew[s];
        match key {
            Key::Word(s, back) if self.frame.options.chaining() == Chaining::Turn => {
                self.handed(s, n - skew(s) - back as isize)
            }
            Key::Word(s, back) => self.word(s, n - skew(s) - back as isize),
            Key::Sum(s, level, group) => {
                let offset = n - skew(s) + 1 + level as isize;
                let parts = self.frame.placement.ahead[s][level][group].clone();
                self.sum(Source::Registers, s, offset, &parts)
            }
            Key::Pair(i) => Ok(self.pair(n + 1)?.map(|pair| pair[i])),
            Key::Chain(_) | Key::Id => Ok(Some(self.q(key))),
        }
    }

    /// The value of `key` when a block is loaded, one cycle before its first; `None` if it is
    /// arbitrary.
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
            Key::Pair(i) => Ok(self.first_pair()?.map(|pair| pair[i])),
            Key::Chain(i) => Ok(Some(self.input.as_ref().expect("an input stage").1[i])),
            Key::Id => unreachable!("the id is loaded with the ports"),
        }
    }

    pub(super) fn input_word(&mut self, s: usize, u: isize) -> Wanted<Signal> {
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

    /// Undoes the rotation of word i of the state: returns the word of the sequence.
    pub(super) fn unrotated(&mut self, i: usize, word: Signal) -> Signal {
        let width = self.width();
        let left = (width - self.frame.recurrence.state[i].rotation) % width;
        self.make(Gate::Rotr(word, left), Arrival::default())
    }

    /// Word `t + offset` of a sequence.
    pub(super) fn word(&mut self, s: usize, offset: isize) -> Wanted<Signal> {
        let newest = -self.frame.placement.skew[s];
        if offset <= newest {
            return Ok(Some(self.q(Key::Word(s, (newest - offset) as usize))));
        }
        if offset > newest + self.frame.options.unfold as isize {
            return Err(Unavailable);
        }
        if let Some(&done) = self.words.get(&(s, offset)) {
            return Ok(done);
        }
        let mut made = if s == 0 && self.frame.placement.kept {
            self.resolved(offset)?
        } else {
            let all: Vec<usize> = (0..self.frame.classes[s].len()).collect();
            self.sum(Source::Registers, s, offset, &all)?
        };
        let recurrence = self.frame.recurrence;
        if let Some(word) = made {
            let name = format!("{}{}_t{offset}", self.prefix, recurrence.sequences[s].name);
            self.netlist.name(word, &name);
            if s == recurrence.schedule() && self.frame.options.registers == Registers::Paper {
                self.netlist.arrivals[word.index()] = Some(Arrival::default());
            }
        }
        // Words of the chaining value that no register holds yet.
        let early = self.clocks.iter().take_while(|&t| t + offset <= 0);
        let early =
            early.filter(|_| !self.frame.placement.kept && !self.frame.options.stores_chain());
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
            let bit = self.bit(&format!("first{k}"), &format!("cycle {k} of a block"), &at);
            made = Some(self.make(Gate::Select(bit, old, word), Arrival::default()));
        }
        self.words.insert((s, offset), made);
        Ok(made)
    }

    /// The keys of the registers that `signal` depends on.
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
            match self.netlist.driver(signal) {
                Gate::Register(number) => keys.extend(by_number.get(number)),
                gate => stack.extend(gate.operands()),
            }
        }
        keys
    }
}
