//! Symbolic execution of a core: its words are graph nodes, so that normal forms prove its result
//! for all blocks and chaining values.
//!
//! Control signals are numbers, data words are nodes. A carry-save row yields x ⊕ y ⊕ z and x + y +
//! z − (x ⊕ y ⊕ z), so that their sum is the multiset {x, y, z}. Two cores that equal the
//! specification equal each other, whatever their unfolding or pipelining.

use std::collections::{HashMap, HashSet};
use std::fmt;

use crate::netlist::{Gate, LATE, Netlist, ones};
use crate::{Core, Simulation};
use lanesum_graph::graph::{Graph, Id, Op};
use lanesum_graph::record::record;

/// The reason why a core was not proven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unequal {
    /// The normal form of a word of a block's value differs from the specification's.
    Word {
        /// The index of the block.
        block: usize,
        /// The index of the word in the value.
        word: usize,
    },
    /// The core outputs no value.
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

/// The symbolic value of a signal.
#[derive(Clone, Copy, PartialEq)]
enum Value {
    /// A concrete number.
    Number(u64),
    /// A node of the graph.
    Word(Id),
}

struct Symbolic<'n> {
    netlist: &'n Netlist,
    graph: Graph,
    unknown: u32,
    registers: Vec<Value>,
    inputs: Vec<Vec<Value>>,
    values: Vec<Value>,
    /// Words whose [`LATE`] lowest bits are zero.
    empty: HashSet<Id>,
    /// First words of the rows that output pairs, by operands.
    saves: HashMap<Vec<Id>, Id>,
}

/// Graph inputs above this number are unknown words.
const ANY: u32 = 1 << 20;

/// Graph inputs reserved for each block.
const EACH: usize = 24;

/// Proves that `core` computes the specification's value for each of `blocks` consecutive blocks,
/// with arbitrary contents and chaining values. If the core stores the chaining value, messages have
/// three blocks: the second follows without a pause, the last after one. A core that accepts words
/// then has a pause before each word.
///
/// # Errors
///
/// [`Unequal`], with the first word that could not be proven.
pub fn prove(core: &Core, blocks: usize) -> Result<(), Unequal> {
    let family = core.options.algorithm.family();
    let mut run = Symbolic::new(&core.netlist, family.word_bits());
    let spec = record(family, false);
    let order = core.options.word_order;
    let words = family.state_words();
    let stream = core.options.stream;
    let stores = core.options.stores_chain();
    let chains = |j: usize| stores && !j.is_multiple_of(3);
    let is_last = |j: usize| !chains(j + 1) || j + 1 == blocks;
    // Such a block is offered after the previous one has ended.
    let pause = |j: usize| match j % 3 {
        2 if stream => 3,
        2 if stores => core.latency + 2,
        _ => 0,
    };
    let mut due: Vec<Vec<Id>> = Vec::new();
    for j in 0..blocks {
        let mut to: Vec<Id> = Vec::with_capacity(spec.graph.len());
        for old in spec.graph.ids() {
            let id = match spec.graph.op(old) {
                Op::Input(n) if chains(j) && (n as usize) < words => due[j - 1][n as usize],
                Op::Input(n) => run.graph.node(Op::Input((j * EACH) as u32 + n)),
                op => run.graph.node(op.map(|x| to[x.index()])),
            };
            to.push(id);
        }
        due.push(spec.spec.outputs.iter().map(|id| to[id.index()]).collect());
    }
    let (mut sent, mut words_sent, mut received, mut since) = (0, 0, 0, 0);
    for _ in 0..(blocks + 2) * (2 * core.latency + core.interval + 4) {
        let offered = sent.min(blocks - 1);
        let each: Vec<Value> = (0..words + 16)
            .map(|i| Value::Word(run.graph.node(Op::Input((offered * EACH + i) as u32))))
            .collect();
        let offers = sent < blocks && since >= pause(sent);
        let [valid, ready] = match stream {
            true => ["word_valid_i", "word_ready_o"],
            false => ["block_valid_i", "block_ready_o"],
        };
        let completes = !stream || words_sent == 15;
        run.set(valid, &[Value::Number(u64::from(offers))]);
        run.set("last_i", &[Value::Number(u64::from(is_last(sent) && completes))]);
        run.set("word_i", &each[words + words_sent..=words + words_sent]);
        run.set("state_i", &order.arrange(each[..words].to_vec()));
        run.set("block_i", &order.arrange(each[words..].to_vec()));
        run.set("state_ready_i", &[Value::Number(1)]);
        run.set("id_i", &[Value::Number(0)]);
        run.settle();
        if run.get("state_valid_o") == [Value::Number(1)] {
            // Only the value of a message's last block is output.
            while !is_last(received) {
                received += 1;
            }
            for (word, value) in order.arrange(run.get("state_o")).into_iter().enumerate() {
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
        if offers && run.get(ready) == [Value::Number(1)] {
            words_sent = if completes { 0 } else { words_sent + 1 };
            sent += usize::from(completes);
            since = 0;
        }
        since += 1;
        run.clock();
    }
    Err(Unequal::Stuck)
}

/// Clock edges after which [`wiped`] expects that a reset or `zeroize_i` has taken effect: at the
/// first edge in or after a reset, and at the second edge from the one that reads `zeroize_i`.
const WIPE_EDGES: [usize; 2] = [1, 2];

/// Proves that a reset, and `zeroize_i`, replace the contents of every register by constants that
/// depend on neither the previous contents nor the inputs; and that no output shows a word from the
/// reset, or from the edge that reads `zeroize_i`, on.
///
/// # Errors
///
/// The names of the registers that may retain a word, and `state_o` if it may show one.
pub fn wiped(core: &Core) -> Result<(), Vec<String>> {
    let netlist = &core.netlist;
    let mut found = Vec::new();
    for (reset, edges) in [true, false].into_iter().zip(WIPE_EDGES) {
        let mut run = Symbolic::new(netlist, core.options.algorithm.family().word_bits());
        for edge in 0..edges {
            for at in 0..netlist.inputs.len() {
                for word in 0..netlist.inputs[at].words {
                    run.inputs[at][word] = run.any();
                }
            }
            if !reset && edge == 0 {
                run.registers = (0..netlist.registers.len()).map(|_| run.any()).collect();
                run.set("zeroize_i", &[Value::Number(1)]);
            }
            run.settle();
            if reset || edge > 0 {
                found.extend(run.shown());
            }
            run.clock();
        }
        run.settle();
        found.extend(run.shown());
        let kept = netlist.registers.iter().zip(&run.registers);
        let kept = kept.filter(|(r, value)| r.is_data() && matches!(value, Value::Word(_)));
        found.extend(kept.map(|(register, _)| register.name.clone()));
    }
    if found.is_empty() { Ok(()) } else { Err(found) }
}

impl<'n> Symbolic<'n> {
    fn new(netlist: &'n Netlist, width: u32) -> Self {
        let mut new = Self {
            netlist,
            graph: Graph::new(width),
            unknown: ANY,
            registers: Vec::new(),
            inputs: netlist.inputs.iter().map(|p| vec![Value::Number(0); p.words]).collect(),
            values: Vec::new(),
            empty: HashSet::new(),
            saves: HashMap::new(),
        };
        for register in &netlist.registers {
            let value = register.reset.map_or_else(|| new.any(), Value::Number);
            new.registers.push(value);
        }
        new
    }

    /// A new unknown word.
    fn any(&mut self) -> Value {
        self.unknown += 1;
        Value::Word(self.graph.node(Op::Input(self.unknown)))
    }

    fn is_any(&self, value: &Value) -> bool {
        let Value::Word(id) = value else { return false };
        matches!(self.graph.op(*id), Op::Input(n) if n > ANY)
    }

    fn id(&mut self, value: Value) -> Id {
        match value {
            Value::Number(k) => self.graph.node(Op::Const(k)),
            Value::Word(id) => id,
        }
    }

    /// Sets an input port; does nothing if the core lacks it.
    fn set(&mut self, port: &str, words: &[Value]) {
        if let Some(at) = self.netlist.inputs.iter().position(|p| p.name == port) {
            self.inputs[at].copy_from_slice(words);
        }
    }

    fn get(&self, port: &str) -> Vec<Value> {
        let found = self.netlist.outputs.iter().find(|(p, _)| p.name == port);
        found.expect("an output").1.iter().map(|s| self.values[s.index()]).collect()
    }

    /// The name of the output of values, if it may show a word.
    fn shown(&self) -> Option<String> {
        let words = self.get("state_o");
        words.iter().any(|word| matches!(word, Value::Word(_))).then(|| "state_o".to_owned())
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
            (Gate::Select(..), &[_, x, y]) if x == y => return x,
            (Gate::Mask(..), &[_, Number(0)]) => return Number(0),
            (Gate::And(..), &[Number(0), _] | &[_, Number(0)]) => return Number(0),
            (Gate::And(..), &[Number(k), x] | &[x, Number(k)]) if k == ones(width) => return x,
            (Gate::Or(..), &[Number(0), x] | &[x, Number(0)]) => return x,
            (Gate::Or(..), &[Number(k), _] | &[_, Number(k)]) if k == ones(width) => {
                return Number(k);
            }
            // Before a block is loaded, the selection among words is unknown.
            (Gate::Or(..), _) if operands.iter().any(|v| self.is_any(v)) => return self.any(),
            _ => {}
        }
        if let Some(numbers) = numbers {
            let numbers = std::array::from_fn(|i| numbers.get(i).copied().unwrap_or(0));
            return Number(Simulation::value(gate, numbers, width));
        }
        // Not a word of the datapath, or selected by an unknown bit.
        if width != self.graph.width()
            || matches!(gate, Gate::Mask(..) | Gate::Select(..) | Gate::Table(..))
        {
            return self.any();
        }
        let x: Vec<Id> = operands.into_iter().map(|v| self.id(v)).collect();
        if let Some(id) = self.kept(gate, &x) {
            return Word(id);
        }
        let op = match (gate, &x[..]) {
            (Gate::Add(..), &[x, y]) => Op::Add(x, y),
            (Gate::Sub(..), &[x, y]) => Op::Sub(x, y),
            (Gate::Save(..) | Gate::Xor3(..), &[x, y, z]) => Op::Xor3(x, y, z),
            (Gate::Carry(..), &[a, b, c]) => {
                let save = self.graph.node(Op::Xor3(a, b, c));
                return Word(self.less(&x, save));
            }
            (Gate::And(..), &[x, y]) => Op::And(x, y),
            (Gate::Or(..), &[x, y]) => Op::Or(x, y),
            (Gate::Xor(..), &[x, y]) => Op::Xor(x, y),
            (Gate::Not(_), &[x]) => Op::Not(x),
            (Gate::Rotr(_, n), &[x]) => Op::Rotr(x, *n),
            (Gate::Shr(_, n), &[x]) => Op::Shr(x, *n),
            (Gate::Ch(..), &[x, y, z]) => Op::Ch(x, y, z),
            (Gate::Maj(..), &[x, y, z]) => Op::Maj(x, y, z),
            // A pair gate whose preconditions are not met.
            _ => return self.any(),
        };
        Word(self.graph.node(op))
    }

    /// Evaluates a gate of a carry-save pair; `None` if its preconditions are not met. The two
    /// words of a pair, or two words shifted together, are unknown except for their sum. Whether a
    /// word's low bits are zero follows from the gate that computed it.
    fn kept(&mut self, gate: &Gate, x: &[Id]) -> Option<Id> {
        let empty = |id: &Id| match self.graph.op(*id) {
            Op::Const(k) => k & ones(LATE) == 0,
            _ => self.empty.contains(id),
        };
        let id = match (gate, x) {
            (&Gate::Shl(_, None, n @ LATE..), &[x]) => self.shifted(x, n),
            (&Gate::Shl(_, Some(_), n @ LATE..), &[x, y]) => {
                let sum = self.graph.node(Op::Add(x, y));
                let (sum, y) = (self.shifted(sum, n), self.shifted(y, n));
                self.graph.node(Op::Sub(sum, y))
            }
            (Gate::Carry(..), &[a, b, c]) if x.iter().filter(|x| empty(x)).count() >= 2 => {
                let save = self.graph.node(Op::Xor3(a, b, c));
                self.less(x, save)
            }
            (Gate::LowCarry(..), &[_, y, _]) if empty(&y) => {
                let save = self.save(x);
                self.less(x, save)
            }
            (Gate::LowSave(..), &[_, y, _]) if empty(&y) => return Some(self.save(x)),
            (Gate::Join(..), &[x, y]) if empty(&x) => {
                let late = self.graph.width() - LATE;
                let few = match self.graph.op(y) {
                    Op::Shr(_, n) => n == late,
                    Op::Const(k) => k <= ones(LATE),
                    _ => false,
                };
                return few.then(|| self.graph.node(Op::Add(x, y)));
            }
            _ => return None,
        };
        self.empty.insert(id);
        Some(id)
    }

    /// 2^n x = ROTL^n(x) − (x >> (w − n)).
    fn shifted(&mut self, x: Id, n: u32) -> Id {
        let n = self.graph.width() - n;
        let (rotated, late) = (self.graph.node(Op::Rotr(x, n)), self.graph.node(Op::Shr(x, n)));
        self.graph.node(Op::Sub(rotated, late))
    }

    /// The first word of the row with these operands: an unknown word, the same for equal operands.
    fn save(&mut self, x: &[Id]) -> Id {
        if let Some(&id) = self.saves.get(x) {
            return id;
        }
        let any = self.any();
        let id = self.id(any);
        self.saves.insert(x.to_vec(), id);
        id
    }

    /// The sum of three words, minus `less`.
    fn less(&mut self, x: &[Id], less: Id) -> Id {
        let two = self.graph.node(Op::Add(x[0], x[1]));
        let sum = self.graph.node(Op::Add(two, x[2]));
        self.graph.node(Op::Sub(sum, less))
    }
}
