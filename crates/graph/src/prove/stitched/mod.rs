//! Proof that a stitched text computes the specification, for every number of blocks.
//!
//! The text is called with one to `MOST` blocks and runs until it first comes to the
//! head of its loop. What it has there is an invariant for so many blocks: from nothing
//! but that it runs on, to the caller or to the head again, with fewer blocks left. The
//! chaining value is then the specification's, and all that is read after is what the
//! invariant of fewer blocks says, of later ones. With `MOST` blocks every comparison
//! with the end finds blocks left, so that any greater number takes the same way.

mod line;
mod machine;
mod vector;

use std::collections::{BTreeSet, HashMap};

use lanesum_spec::Family;

use self::line::{Line, parse};
use self::machine::{Byte, Cell, Machine, Program, Region, Run, Value};
use super::domain::{Nodes, Numbers};
use super::machine::Fault;
use super::whole;
use crate::Value as Normal;
use crate::eval::eval;
use crate::graph::{Graph, Id, Op};
use crate::record::{Block, record};
use crate::stitch::{Isa, Order, table};

/// As many blocks as are looked at one by one: more than any comparison looks ahead.
const MOST: usize = 5;

/// Addresses that a stack may begin at, modulo 64, when a function is called.
const ALIGNMENTS: [i64; 4] = [8, 24, 40, 56];

/// Registers that a function gives back as it found them.
const SAVED: [usize; 6] = [3, 5, 12, 13, 14, 15];

/// A kernel's text, and what it is to compute.
pub struct Stitched {
    family: Family,
    isa: Isa,
    order: Order,
    lines: Vec<Line>,
    head: usize,
    table: Vec<u8>,
}

/// A part of a machine that an invariant speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    General(usize),
    Vector(usize, usize),
    Stack(i64),
}

impl Stitched {
    /// The text of a kernel.
    ///
    /// # Errors
    ///
    /// At a line that is not understood.
    pub fn new(family: Family, isa: Isa, text: &str) -> Result<Self, Fault> {
        let lines = parse(text)?;
        let head = lines.iter().position(|line| *line == Line::Label(2));
        let head = head.ok_or_else(|| whole("it has no loop over blocks"))?;
        Ok(Self { family, isa, order: Order::Big, lines, head, table: table(family, isa) })
    }

    /// The same for blocks whose words have this order of bytes.
    pub fn with_order(self, order: Order) -> Self {
        Self { order, ..self }
    }

    /// How many instructions it has.
    pub fn instructions(&self) -> usize {
        self.lines.iter().filter(|line| matches!(line, Line::Instruction { .. })).count()
    }

    fn program<W>(&self, message: Vec<W>, alignment: i64) -> Program<'_, W> {
        let word_len = self.family.word_bits() as usize / 8;
        let Self { order, lines, table, .. } = self;
        Program { lines, word_len, message, order: *order, table, alignment }
    }

    /// The chaining value after `words`, blocks of sixteen, as the text computes it.
    ///
    /// # Errors
    ///
    /// At the first instruction that does what kernels may not.
    pub fn run(&self, state: &[u64], words: &[u64], alignment: i64) -> Result<Vec<u64>, Fault> {
        let program = self.program(words.to_vec(), alignment);
        let mut machine = Machine::called(state, words.len() / 16);
        let mut domain = Numbers { bits: self.family.word_bits() };
        let mut at = 0;
        while let Some(next) = program.run(&mut domain, &mut machine, at, self.head)?.at {
            at = next;
        }
        gives_back(&machine)?;
        Ok(machine.state)
    }

    /// Runs it on numbers, with every number of blocks up to eight and every alignment
    /// of the stack: that shows faults, but no more.
    ///
    /// # Errors
    ///
    /// The first fault.
    pub fn refute(&self) -> Result<(), Fault> {
        let block = record(self.family, false);
        let mask = u64::MAX >> (64 - self.family.word_bits());
        let mut number = 0x9e37_79b9_7f4a_7c15u64;
        let mut random = || {
            number ^= number << 13;
            number ^= number >> 7;
            number ^= number << 17;
            number & mask
        };
        for blocks in 1..=8 {
            let state: Vec<u64> = block.state.iter().map(|_| random()).collect();
            let words: Vec<u64> = (0..16 * blocks).map(|_| random()).collect();
            let expected = words.chunks_exact(16).fold(state.clone(), |state, words| {
                let values = eval(&block.graph, &[&state[..], words].concat());
                block.spec.outputs.iter().map(|id| values[id.index()]).collect()
            });
            for alignment in ALIGNMENTS {
                if self.run(&state, &words, alignment)? != expected {
                    return Err(whole(&format!("it computes something else of {blocks} blocks")));
                }
            }
        }
        Ok(())
    }

    /// Proves that the text computes the specification, of any number of blocks but none.
    ///
    /// # Errors
    ///
    /// The first fault: what the text does that kernels may not, or what is not shown.
    pub fn prove(&self) -> Result<(), Fault> {
        self.refute()?;
        ALIGNMENTS.into_iter().try_for_each(|alignment| self.show(alignment))
    }

    /// The proof alone, on a stack that begins at one address modulo 64.
    fn show(&self, alignment: i64) -> Result<(), Fault> {
        let mut block = record(self.family, false);
        let state = block.state.clone();
        let inputs = (0..16 * MOST).map(|i| Op::Input((state.len() + i) as u32));
        let message: Vec<Id> = inputs.map(|input| block.graph.node(input)).collect();
        let mut nodes = Nodes { graph: std::mem::replace(&mut block.graph, Graph::new(32)) };
        let program = self.program(message.clone(), alignment);

        // From the call to the head, with each number of blocks.
        let mut heads = Vec::new();
        for blocks in 1..=MOST {
            let program = self.program(message[..16 * blocks].to_vec(), alignment);
            let mut machine = Machine::called(&state, blocks);
            let run = program.run(&mut nodes, &mut machine, 0, self.head)?;
            if run.at.is_none() {
                return Err(whole("it does not come to its loop"));
            }
            looks_no_further(&run, blocks)?;
            if machine.state != state {
                return Err(whole("the chaining value changes before the loop"));
            }
            heads.push(machine);
        }

        // What is not the same of later blocks belongs to no invariant: it is taken away, until
        // all that is left comes back.
        let step = if self.isa.is_wide() { 2 } else { 1 };
        loop {
            let mut gone: BTreeSet<Place> = BTreeSet::new();
            for blocks in 1..=MOST {
                let mut machine = heads[blocks - 1].clone();
                let program = self.program(message[..16 * blocks].to_vec(), alignment);
                let run = program.run(&mut nodes, &mut machine, self.head, self.head)?;
                looks_no_further(&run, blocks)?;
                let done = blocks.min(step);
                let expected = specification(&mut nodes.graph, &block, &message[..16 * done]);
                for (i, (&x, &y)) in machine.state.iter().zip(&expected).enumerate() {
                    if !nodes.graph.equal(x, y) {
                        return Err(whole(&format!(
                            "word {i} of the chaining value is not shown, with {blocks} blocks left"
                        )));
                    }
                }
                if run.at.is_none() {
                    if done < blocks {
                        return Err(whole("it leaves blocks out"));
                    }
                    gives_back(&machine)?;
                    continue;
                }
                if done == blocks {
                    return Err(whole("it goes on after the last block"));
                }
                // Blocks by their distance from those at work.
                let names = Names::new(&nodes.graph, &expected, &state, &message, done);
                names.differ(
                    &mut nodes.graph,
                    &program,
                    &machine,
                    &heads[blocks - done - 1],
                    &mut gone,
                );
            }
            // Three and more blocks left are the same but for where the end is.
            for pair in heads[2..].windows(2) {
                differ_in_end(&program, pair, &mut gone);
            }
            if gone.is_empty() {
                return Ok(());
            }
            heads.iter_mut().for_each(|head| gone.iter().for_each(|place| forget(head, *place)));
        }
    }
}

/// With as many blocks as are looked at, each comparison is to find some left.
fn looks_no_further(run: &Run, blocks: usize) -> Result<(), Fault> {
    if blocks == MOST && run.left.iter().any(|&left| left <= 0) {
        return Err(whole(&format!("it looks further ahead than {MOST} blocks")));
    }
    Ok(())
}

fn gives_back<W: Copy + PartialEq>(machine: &Machine<W>) -> Result<(), Fault> {
    for saved in SAVED {
        if machine.general[saved] != Value::Callers(saved) {
            return Err(whole("it does not give back what the caller had in a register"));
        }
    }
    if machine.general[4] == Value::Pointer(Region::Stack, 8) {
        return Ok(());
    }
    Err(whole("the stack pointer is not the caller's"))
}

/// The chaining value after `words`, blocks of sixteen, as FIPS 180-4 has it.
fn specification(graph: &mut Graph, block: &Block, words: &[Id]) -> Vec<Id> {
    let nodes = graph.reachable(block.spec.outputs.iter().copied());
    words.chunks_exact(16).fold(block.state.clone(), |state, words| {
        let from = block.state.iter().chain(&block.block);
        let mut new: HashMap<Id, Id> =
            from.copied().zip(state.into_iter().chain(words.iter().copied())).collect();
        for &id in &nodes {
            if !new.contains_key(&id) {
                let op = graph.op(id).map(|operand| new[&operand]);
                new.insert(id, graph.node(op));
            }
        }
        block.spec.outputs.iter().map(|id| new[id]).collect()
    })
}

/// Every place of a machine that holds something, and what.
fn places(machine: &Machine<Id>) -> Vec<(Place, Cell<Id>)> {
    let general = machine.general.iter().enumerate();
    let vectors = machine.vectors.iter().enumerate().flat_map(|(i, bytes)| {
        bytes.iter().enumerate().map(move |(j, &byte)| (Place::Vector(i, j), Cell::Byte(byte)))
    });
    general
        .map(|(i, &value)| (Place::General(i), Cell::Value(value)))
        .chain(vectors)
        .chain(machine.stack.iter().map(|(&place, &cell)| (Place::Stack(place), cell)))
        .filter(|(_, cell)| {
            !matches!(cell, Cell::Byte(Byte::Unknown) | Cell::Value(Value::Unknown))
        })
        .collect()
}

fn at(machine: &Machine<Id>, place: Place) -> Option<Cell<Id>> {
    match place {
        Place::General(i) => Some(Cell::Value(machine.general[i])),
        Place::Vector(i, j) => Some(Cell::Byte(machine.vectors[i][j])),
        Place::Stack(offset) => machine.stack.get(&offset).copied(),
    }
}

fn forget(machine: &mut Machine<Id>, place: Place) {
    match place {
        Place::General(i) => machine.general[i] = Value::Unknown,
        Place::Vector(i, j) => machine.vectors[i][j] = Byte::Unknown,
        Place::Stack(offset) => drop(machine.stack.remove(&offset)),
    }
}

/// Where one of the two, with one block more, holds other than the same or the end.
fn differ_in_end(program: &Program<'_, Id>, heads: &[Machine<Id>], gone: &mut BTreeSet<Place>) {
    let block = 16 * program.word_len as i64;
    for (place, cell) in places(&heads[0]) {
        let same = match (cell, at(&heads[1], place)) {
            (x, Some(y)) if x == y => true,
            (
                Cell::Value(Value::Pointer(Region::Message, n)),
                Some(Cell::Value(Value::Pointer(Region::Message, m))),
            ) => m == n + block,
            _ => false,
        };
        if !same {
            gone.insert(place);
        }
    }
    // What only the other has is no invariant of both.
    let only = places(&heads[1])
        .into_iter()
        .filter(|&(place, _)| !matches!(at(&heads[0], place), Some(cell) if !is_unknown(cell)));
    gone.extend(only.map(|(place, _)| place));
}

fn is_unknown(cell: Cell<Id>) -> bool {
    matches!(cell, Cell::Byte(Byte::Unknown) | Cell::Value(Value::Unknown))
}

/// New names for words: of later blocks as if they were the first.
struct Names {
    map: HashMap<Normal, Id>,
    done: usize,
}

impl Names {
    fn new(graph: &Graph, expected: &[Id], state: &[Id], message: &[Id], done: usize) -> Self {
        let chaining = expected.iter().zip(state);
        let words = message[16 * done..].iter().zip(message);
        let map = chaining.chain(words).map(|(&old, &new)| (graph.value(old), new)).collect();
        Self { map, done }
    }

    /// Where `machine`, under these names, does not hold what `head` does.
    fn differ(
        &self,
        graph: &mut Graph,
        program: &Program<'_, Id>,
        machine: &Machine<Id>,
        head: &Machine<Id>,
        gone: &mut BTreeSet<Place>,
    ) {
        let pairs: Vec<(Place, Cell<Id>, Option<Cell<Id>>)> = places(head)
            .into_iter()
            .map(|(place, wanted)| (place, wanted, at(machine, place)))
            .collect();
        let roots = pairs.iter().filter_map(|(_, _, found)| match found {
            Some(Cell::Byte(Byte::Of(word, _)) | Cell::Value(Value::Word(word))) => Some(*word),
            _ => None,
        });
        let mut new: HashMap<Id, Id> = HashMap::new();
        for id in graph.reachable(roots) {
            let named = match (self.map.get(&graph.value(id)), graph.op(id)) {
                (Some(&name), _) => Some(name),
                (None, Op::Input(_)) => None,
                (None, op) if op.operands().all(|operand| new.contains_key(&operand)) => {
                    Some(graph.node(op.map(|operand| new[&operand])))
                }
                _ => None,
            };
            new.extend(named.map(|name| (id, name)));
        }
        let same_word = |x: Id, y: Id| new.get(&x).is_some_and(|&x| graph.equal(x, y));
        let passed = (self.done * 16 * program.word_len) as i64;
        for (place, wanted, found) in pairs {
            let same = match (found, wanted) {
                (Some(Cell::Value(Value::Word(x))), Cell::Value(Value::Word(y))) => same_word(x, y),
                (Some(Cell::Byte(Byte::Of(x, i))), Cell::Byte(Byte::Of(y, j))) => {
                    i == j && same_word(x, y)
                }
                (
                    Some(Cell::Value(Value::Pointer(Region::Message, n))),
                    Cell::Value(Value::Pointer(Region::Message, m)),
                ) => n == m + passed,
                (Some(x), y) => x == y,
                (None, _) => false,
            };
            if !same {
                gone.insert(place);
            }
        }
    }
}
