//! The specification as recurrences: each new word of the state, and W_t, as a function of older
//! words. b, c, d … are then older values of a instead of separate words.

use std::collections::HashMap;

use lanesum_spec::Family;

use lanesum_graph::graph::{Graph, Id, Op};
use lanesum_graph::record::record;

/// A sequence of words: `A`, `E` or `W`.
#[derive(Clone, Debug)]
pub struct Sequence {
    /// Its name, in lower case.
    pub name: &'static str,
    /// The index of the first computed word: `A[1]`, `W[16]`.
    pub first: isize,
    /// Its words from index `first` on, as nodes of the graph.
    pub words: Vec<Id>,
}

/// A word of the state before round t: ROTR^rotation of word `t - back` of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateWord {
    /// The index of the sequence.
    pub sequence: usize,
    /// The distance back from index t.
    pub back: isize,
    /// The right rotation, in bits.
    pub rotation: u32,
}

/// The rounds and the schedule of a family, as recurrences.
#[derive(Clone, Debug)]
pub struct Recurrence {
    /// The family.
    pub family: Family,
    /// The graph that contains all words. Its inputs are `A[0]`, `A[-1]` … and W_0 … W_15.
    pub graph: Graph,
    /// The sequences of the state, followed by W.
    pub sequences: Vec<Sequence>,
    /// Sequence and index of each node that is a word of a sequence.
    pub leaves: HashMap<Id, (usize, isize)>,
    /// a, b, c … as words of sequences.
    pub state: Vec<StateWord>,
    /// The number of rounds.
    pub rounds: usize,
}

/// A term of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A word.
    Node(Id),
    /// A constant, K_t.
    Constant(u64),
}

impl Recurrence {
    /// Extracts the recurrences from the recorded rounds of `family`.
    ///
    /// # Panics
    ///
    /// Panics if FIPS 180-4 does not define `family`.
    pub fn new(family: Family) -> Self {
        let block = record(family, false);
        assert!(!block.spec.rounds.is_empty(), "a family of FIPS 180-4");
        let width = family.word_bits();
        let words = block.state.len();
        // A word of the state starts a sequence if the round does not merely move it.
        let (early, late) = (&block.spec.rounds[20].state, &block.spec.rounds[21].state);
        let passed = |id: Id| match block.graph.op(id) {
            Op::Rotr(x, n) if early.contains(&x) => Some((x, n)),
            _ => early.contains(&id).then_some((id, 0)),
        };
        let mut state: Vec<StateWord> = Vec::new();
        let mut heads = Vec::new();
        for (i, &id) in late.iter().enumerate() {
            state.push(match passed(id) {
                None => {
                    heads.push(i);
                    StateWord { sequence: heads.len() - 1, back: 0, rotation: 0 }
                }
                Some((older, n)) => {
                    let j = early.iter().position(|&e| e == older).expect("just found");
                    let StateWord { sequence, back, rotation } = state[j];
                    StateWord { sequence, back: back + 1, rotation: (rotation + n) % width }
                }
            });
        }
        // The chaining value as words of the sequences: c is ROTL^30 of A[-2].
        let mut graph = Graph::new(width);
        let mut leaves = HashMap::new();
        let schedule = heads.len();
        let mut new: Vec<Id> = Vec::with_capacity(block.graph.len());
        let mut named: HashMap<Id, (usize, isize)> = HashMap::new();
        for (t, round) in block.spec.rounds.iter().enumerate() {
            named.insert(round.w, (schedule, t as isize));
            for (s, &head) in heads.iter().enumerate() {
                named.insert(round.state[head], (s, t as isize + 1));
            }
        }
        let all: Vec<Id> = block.graph.ids().collect();
        for old in all {
            let id = match block.graph.op(old) {
                Op::Input(i) if (i as usize) < words => {
                    let word = state[i as usize];
                    let input = graph.node(Op::Input(i));
                    leaves.insert(input, (word.sequence, -word.back));
                    graph.node(Op::Rotr(input, word.rotation))
                }
                op => graph.node(op.map(|x| new[x.index()])),
            };
            if let Some(&leaf) = named.get(&old) {
                leaves.insert(id, leaf);
            }
            new.push(id);
        }
        let of = |pick: &dyn Fn(&lanesum_graph::record::Round) -> Id, skip| {
            block.spec.rounds.iter().skip(skip).map(|r| new[pick(r).index()]).collect::<Vec<Id>>()
        };
        let mut sequences: Vec<Sequence> = heads
            .iter()
            .zip(["a", "e"])
            .map(|(&head, name)| Sequence { name, first: 1, words: of(&|r| r.state[head], 0) })
            .collect();
        sequences.push(Sequence { name: "w", first: 16, words: of(&|r| r.w, 16) });
        let rounds = block.spec.rounds.len();
        Self { family, graph, sequences, leaves, state, rounds }
    }

    /// The index of the schedule's sequence, which is the last.
    pub fn schedule(&self) -> usize {
        self.sequences.len() - 1
    }

    /// The terms of word `u` of a sequence; a single term if the word is not a sum. `None` if the
    /// specification does not define this word.
    pub fn parts(&self, sequence: usize, u: isize) -> Option<Vec<Part>> {
        let found = &self.sequences[sequence];
        let id = *found.words.get(usize::try_from(u - found.first).ok()?)?;
        let mut parts = Vec::new();
        self.collect(id, true, &mut parts);
        Some(parts)
    }

    fn collect(&self, id: Id, root: bool, parts: &mut Vec<Part>) {
        match self.graph.op(id) {
            _ if !root && self.leaves.contains_key(&id) => parts.push(Part::Node(id)),
            Op::Add(x, y) => {
                self.collect(x, false, parts);
                self.collect(y, false, parts);
            }
            Op::AddConst(x, k) => {
                self.collect(x, false, parts);
                parts.push(Part::Constant(k));
            }
            _ => parts.push(Part::Node(id)),
        }
    }

    /// For each sequence, the newest word that a term of word `u` of `sequence` reads, as the
    /// distance back from word `u - 1`; 0 is that word. `None` for a sequence that the term does
    /// not read.
    pub fn freshness(&self, part: Part, sequence: usize, u: isize) -> Vec<Option<isize>> {
        let mut newest = vec![None; self.sequences.len()];
        let mut stack = match part {
            Part::Node(id) => vec![id],
            Part::Constant(_) => vec![],
        };
        let mut root = true;
        while let Some(id) = stack.pop() {
            let own = self.leaves.get(&id) == Some(&(sequence, u));
            match self.leaves.get(&id) {
                Some(&(s, v)) if !(root && own) => {
                    let back = u - 1 - v;
                    newest[s] = Some(newest[s].map_or(back, |b: isize| b.min(back)));
                }
                _ => stack.extend(self.graph.op(id).operands()),
            }
            root = false;
        }
        newest
    }
}
