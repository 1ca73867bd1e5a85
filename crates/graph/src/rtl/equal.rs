//! A core run on words that are wires of a graph: that it computes the specification
//! is then proven by normal forms, for every block and chaining value at once.
//!
//! Control is run as numbers, words as nodes. A carry-save row is the words x ⊕ y ⊕ z
//! and x + y + z less that, so that what it adds up to is the multiset {x, y, z}. Two
//! cores that are both proven equal to the specification are equal to one another:
//! n rounds a clock to one, pipelines to none.

use std::fmt;

use crate::graph::{Graph, Id, Op};
use crate::record::record;
use crate::rtl::netlist::{Gate, Netlist, ones};
use crate::rtl::{Core, Simulation};

/// Why a core is not proven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unequal {
    /// A word of a block's value has another normal form than the specification's.
    Word {
        /// The block, from 0.
        block: usize,
        /// The word of the value.
        word: usize,
    },
    /// Values do not come.
    Stuck,
}

impl fmt::Display for Unequal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word { block, word } => write!(f, "word {word} of block {block} is not proven"),
            Self::Stuck => f.write_str("no value comes"),
        }
    }
}

impl std::error::Error for Unequal {}

/// A value of a signal.
#[derive(Clone, Copy, PartialEq)]
enum Value {
    /// A number.
    Number(u64),
    /// A word of the graph.
    Word(Id),
}

struct Symbolic<'n> {
    netlist: &'n Netlist,
    graph: Graph,
    unknown: u32,
    registers: Vec<Value>,
    inputs: Vec<Vec<Value>>,
    values: Vec<Value>,
}

/// Inputs of the graph that one block has.
const EACH: usize = 24;

/// Proves that `core` gives the specification's value for each of `blocks` blocks,
/// offered one after the other, whatever they and their chaining values are.
///
/// # Errors
///
/// [`Unequal`], with the first word that is not proven.
pub fn prove(core: &Core, blocks: usize) -> Result<(), Unequal> {
    let family = core.options.algorithm.family();
    let mut run = Symbolic::new(&core.netlist, family.word_bits());
    let spec = record(family, false);
    let due: Vec<Vec<Id>> = (0..blocks)
        .map(|j| {
            let mut to: Vec<Id> = Vec::with_capacity(spec.graph.len());
            for i in 0..spec.graph.len() {
                let id = match spec.graph.op(Id(i as u32)) {
                    Op::Input(n) => run.graph.node(Op::Input((j * EACH) as u32 + n)),
                    op => run.graph.node(op.map(|x| to[x.index()])),
                };
                to.push(id);
            }
            spec.spec.outputs.iter().map(|id| to[id.index()]).collect()
        })
        .collect();
    let words = family.state_words();
    let (mut sent, mut received) = (0, 0);
    for _ in 0..(blocks + 2) * (core.latency + core.interval + 4) {
        let offered = sent.min(blocks - 1);
        let each: Vec<Value> = (0..words + 16)
            .map(|i| Value::Word(run.graph.node(Op::Input((offered * EACH + i) as u32))))
            .collect();
        run.set("block_valid_i", &[Value::Number(u64::from(sent < blocks))]);
        run.set("state_i", &each[..words]);
        run.set("block_i", &each[words..]);
        run.set("state_ready_i", &[Value::Number(1)]);
        run.set("id_i", &[Value::Number(0)]);
        run.settle();
        if run.get("state_valid_o") == [Value::Number(1)] {
            for (word, value) in run.get("state_o").into_iter().enumerate() {
                let id = run.id(value);
                if !run.graph.equal(id, due[received][word]) {
                    return Err(Unequal::Word { block: received, word });
                }
            }
            received += 1;
            if received == blocks {
                return Ok(());
            }
        }
        if sent < blocks && run.get("block_ready_o") == [Value::Number(1)] {
            sent += 1;
        }
        run.clock();
    }
    Err(Unequal::Stuck)
}

impl<'n> Symbolic<'n> {
    fn new(netlist: &'n Netlist, width: u32) -> Self {
        let mut new = Self {
            netlist,
            graph: Graph::new(width),
            unknown: 1 << 20,
            registers: Vec::new(),
            inputs: netlist.inputs.iter().map(|p| vec![Value::Number(0); p.words]).collect(),
            values: Vec::new(),
        };
        for register in &netlist.registers {
            let value = register.reset.map_or_else(|| new.any(), Value::Number);
            new.registers.push(value);
        }
        new
    }

    /// A word of which nothing is known.
    fn any(&mut self) -> Value {
        self.unknown += 1;
        Value::Word(self.graph.node(Op::Input(self.unknown)))
    }

    fn id(&mut self, value: Value) -> Id {
        match value {
            Value::Number(k) => self.graph.node(Op::Const(k)),
            Value::Word(id) => id,
        }
    }

    /// Sets a port, if there is one of that name.
    fn set(&mut self, port: &str, words: &[Value]) {
        if let Some(at) = self.netlist.inputs.iter().position(|p| p.name == port) {
            self.inputs[at].copy_from_slice(words);
        }
    }

    fn get(&self, port: &str) -> Vec<Value> {
        let found = self.netlist.outputs.iter().find(|(p, _)| p.name == port);
        found.expect("an output").1.iter().map(|s| self.values[s.index()]).collect()
    }

    fn clock(&mut self) {
        for (value, register) in self.registers.iter_mut().zip(&self.netlist.registers) {
            *value = self.values[register.next.expect("driven").index()];
        }
    }

    fn settle(&mut self) {
        self.values.clear();
        for (gate, width) in &self.netlist.gates {
            let value = self.gate(gate, *width);
            self.values.push(value);
        }
    }

    fn gate(&mut self, gate: &Gate, width: u32) -> Value {
        use Value::{Number, Word};
        let operands: Vec<Value> = gate.operands().map(|x| self.values[x.index()]).collect();
        let numbers: Option<Vec<u64>> = operands
            .iter()
            .map(|v| match v {
                Number(k) => Some(*k),
                Word(_) => None,
            })
            .collect();
        match (gate, &operands[..]) {
            (Gate::Input(port, word), _) => return self.inputs[*port][*word],
            (Gate::Register(r), _) => return self.registers[*r],
            (_, &[Number(bit), x]) if matches!(gate, Gate::Mask(..)) => {
                return if bit == 1 { x } else { Number(0) };
            }
            (_, &[Number(bit), x, y]) if matches!(gate, Gate::Select(..)) => {
                return if bit == 1 { x } else { y };
            }
            (Gate::And(..), &[Number(0), _] | &[_, Number(0)]) => return Number(0),
            (Gate::And(..), &[Number(k), x] | &[x, Number(k)]) if k == ones(width) => return x,
            (Gate::Or(..), &[Number(0), x] | &[x, Number(0)]) => return x,
            (Gate::Or(..), &[Number(k), _] | &[_, Number(k)]) if k == ones(width) => {
                return Number(k);
            }
            _ => {}
        }
        if let Some(numbers) = numbers {
            let numbers = std::array::from_fn(|i| numbers.get(i).copied().unwrap_or(0));
            return Number(Simulation::value(gate, numbers, width));
        }
        // What is not a word of the datapath, or is chosen by what is not known.
        if width != self.graph.width()
            || matches!(gate, Gate::Mask(..) | Gate::Select(..) | Gate::Table(..))
        {
            return self.any();
        }
        let x: Vec<Id> = operands.into_iter().map(|v| self.id(v)).collect();
        let op = match (gate, &x[..]) {
            (Gate::Add(..), &[x, y]) => Op::Add(x, y),
            (Gate::Save(..) | Gate::Xor3(..), &[x, y, z]) => Op::Xor3(x, y, z),
            (Gate::Carry(..), &[x, y, z]) => {
                let save = self.graph.node(Op::Xor3(x, y, z));
                let two = self.graph.node(Op::Add(x, y));
                let sum = self.graph.node(Op::Add(two, z));
                Op::Sub(sum, save)
            }
            (Gate::And(..), &[x, y]) => Op::And(x, y),
            (Gate::Or(..), &[x, y]) => Op::Or(x, y),
            (Gate::Xor(..), &[x, y]) => Op::Xor(x, y),
            (Gate::Not(_), &[x]) => Op::Not(x),
            (Gate::Rotr(_, n), &[x]) => Op::Rotr(x, *n),
            (Gate::Shr(_, n), &[x]) => Op::Shr(x, *n),
            (Gate::Ch(..), &[x, y, z]) => Op::Ch(x, y, z),
            (Gate::Maj(..), &[x, y, z]) => Op::Maj(x, y, z),
            (gate, _) => unreachable!("not of the datapath: {gate:?}"),
        };
        Word(self.graph.node(op))
    }
}
