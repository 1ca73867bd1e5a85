//! A core as a netlist: operations on words and bits, and registers.

use std::collections::HashMap;
use std::rc::Rc;

use crate::fold::Fold;
use crate::rtl::Arrival;

/// The bits of SHA-1's newest word that a sum waits for: those that ROTL^5 moves to
/// the low end.
pub(crate) const LATE: u32 = 5;

/// A signal of a [`Netlist`]. Operands are older than their users.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Signal(pub(crate) u32);

impl Signal {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What drives a signal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Gate {
    /// Word `.1` of input port `.0`.
    Input(usize, usize),
    /// The register of that number.
    Register(usize),
    /// A constant.
    Const(u64),
    /// x + y, by an adder that propagates its carries.
    Add(Signal, Signal),
    /// x − y.
    Sub(Signal, Signal),
    /// The sum word of a carry-save row.
    Save(Signal, Signal, Signal),
    /// The carry word of a carry-save row, already shifted left by one.
    Carry(Signal, Signal, Signal),
    /// x + 1, of a counter.
    Increment(Signal),
    /// x − 1, of a counter.
    Decrement(Signal),
    /// Whether x = k.
    Equals(Signal, u64),
    /// x ∧ y.
    And(Signal, Signal),
    /// x ∨ y.
    Or(Signal, Signal),
    /// x ⊕ y.
    Xor(Signal, Signal),
    /// ¬x.
    Not(Signal),
    /// ROTR^n(x).
    Rotr(Signal, u32),
    /// SHR^n(x).
    Shr(Signal, u32),
    /// x shifted left by n. Where there is a second word, nobody reads either but for
    /// their sum: a proof may take what it likes for one of them.
    Shl(Signal, Option<Signal>, u32),
    /// x + y of words that have no bit in common.
    Join(Signal, Signal),
    /// The first word of a row whose `LATE` lowest bits are added, where those of y are zero.
    LowSave(Signal, Signal, Signal),
    /// The second word of that row: it has no bit among the lowest.
    LowCarry(Signal, Signal, Signal),
    /// Ch(x, y, z).
    Ch(Signal, Signal, Signal),
    /// Maj(x, y, z).
    Maj(Signal, Signal, Signal),
    /// x ⊕ y ⊕ z.
    Xor3(Signal, Signal, Signal),
    /// The word x where the bit is one, and zero elsewhere.
    Mask(Signal, Signal),
    /// If the bit is one x, and otherwise y.
    Select(Signal, Signal, Signal),
    /// Entry x of a table; beyond its end the last.
    Table(Signal, Rc<[u64]>),
}

impl Gate {
    /// The signals it reads, in order.
    pub fn operands(&self) -> impl Iterator<Item = Signal> + use<> {
        let (x, y, z) = match *self {
            Self::Input(..) | Self::Register(_) | Self::Const(_) => (None, None, None),
            Self::Increment(x)
            | Self::Decrement(x)
            | Self::Equals(x, _)
            | Self::Not(x)
            | Self::Rotr(x, _)
            | Self::Shr(x, _)
            | Self::Table(x, _) => (Some(x), None, None),
            Self::Shl(x, beside, _) => (Some(x), beside, None),
            Self::Add(x, y)
            | Self::Sub(x, y)
            | Self::And(x, y)
            | Self::Or(x, y)
            | Self::Xor(x, y)
            | Self::Join(x, y)
            | Self::Mask(x, y) => (Some(x), Some(y), None),
            Self::Save(x, y, z)
            | Self::Carry(x, y, z)
            | Self::LowSave(x, y, z)
            | Self::LowCarry(x, y, z)
            | Self::Ch(x, y, z)
            | Self::Maj(x, y, z)
            | Self::Xor3(x, y, z)
            | Self::Select(x, y, z) => (Some(x), Some(y), Some(z)),
        };
        [x, y, z].into_iter().flatten()
    }

    fn map(&self, f: impl Fn(Signal) -> Signal) -> Self {
        match self {
            Self::Input(..) | Self::Register(_) | Self::Const(_) => self.clone(),
            Self::Increment(x) => Self::Increment(f(*x)),
            Self::Decrement(x) => Self::Decrement(f(*x)),
            Self::Equals(x, k) => Self::Equals(f(*x), *k),
            Self::Not(x) => Self::Not(f(*x)),
            Self::Rotr(x, n) => Self::Rotr(f(*x), *n),
            Self::Shr(x, n) => Self::Shr(f(*x), *n),
            Self::Shl(x, beside, n) => Self::Shl(f(*x), beside.map(&f), *n),
            Self::Join(x, y) => Self::Join(f(*x), f(*y)),
            Self::LowSave(x, y, z) => Self::LowSave(f(*x), f(*y), f(*z)),
            Self::LowCarry(x, y, z) => Self::LowCarry(f(*x), f(*y), f(*z)),
            Self::Table(x, t) => Self::Table(f(*x), t.clone()),
            Self::Add(x, y) => Self::Add(f(*x), f(*y)),
            Self::Sub(x, y) => Self::Sub(f(*x), f(*y)),
            Self::And(x, y) => Self::And(f(*x), f(*y)),
            Self::Or(x, y) => Self::Or(f(*x), f(*y)),
            Self::Xor(x, y) => Self::Xor(f(*x), f(*y)),
            Self::Mask(x, y) => Self::Mask(f(*x), f(*y)),
            Self::Save(x, y, z) => Self::Save(f(*x), f(*y), f(*z)),
            Self::Carry(x, y, z) => Self::Carry(f(*x), f(*y), f(*z)),
            Self::Ch(x, y, z) => Self::Ch(f(*x), f(*y), f(*z)),
            Self::Maj(x, y, z) => Self::Maj(f(*x), f(*y), f(*z)),
            Self::Xor3(x, y, z) => Self::Xor3(f(*x), f(*y), f(*z)),
            Self::Select(x, y, z) => Self::Select(f(*x), f(*y), f(*z)),
        }
    }
}

/// A register: what it holds after a clock edge is what `next` was before it.
#[derive(Clone, Debug)]
pub struct ClockedRegister {
    /// Its name, without the suffix `_q`.
    pub name: String,
    /// Its value in reset; none for a register of the datapath.
    pub reset: Option<u64>,
    /// What it holds next, once known.
    pub next: Option<Signal>,
    /// The signal it drives.
    pub signal: Signal,
}

/// A port: so many words of so many bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// The name, with its suffix.
    pub name: &'static str,
    /// Bits of a word.
    pub width: u32,
    /// Words.
    pub words: usize,
    /// What it carries, for a comment.
    pub comment: String,
}

/// A synchronous circuit of one clock.
#[derive(Clone, Debug, Default)]
pub struct Netlist {
    pub(crate) gates: Vec<(Gate, u32)>,
    index: HashMap<(Gate, u32), Signal, Fold>,
    pub(crate) names: Vec<Option<String>>,
    pub(crate) arrivals: Vec<Option<Arrival>>,
    /// The registers.
    pub registers: Vec<ClockedRegister>,
    /// Inputs besides clock and reset.
    pub inputs: Vec<Port>,
    /// Outputs, with the signals that drive their words.
    pub outputs: Vec<(Port, Vec<Signal>)>,
}

impl Netlist {
    /// The signal that `gate` of `width` bits drives: an old one if there is one.
    /// Selections between equals and masks by constants are folded.
    pub fn gate(&mut self, gate: Gate, width: u32) -> Signal {
        let gate = match gate {
            Gate::Select(_, x, y) if x == y => return x,
            Gate::Select(s, x, y) => match self.constant(s) {
                Some(0) => return y,
                Some(_) => return x,
                None => Gate::Select(s, x, y),
            },
            Gate::And(x, y) => match (self.constant(x), self.constant(y)) {
                (Some(0), _) | (_, Some(0)) => Gate::Const(0),
                (Some(k), _) if k == ones(width) => return y,
                (_, Some(k)) if k == ones(width) => return x,
                _ => Gate::And(x.min(y), x.max(y)),
            },
            Gate::Or(x, y) => match (self.constant(x), self.constant(y)) {
                (Some(0), _) => return y,
                (_, Some(0)) => return x,
                _ => Gate::Or(x.min(y), x.max(y)),
            },
            Gate::Not(x) => match self.constant(x) {
                Some(k) => Gate::Const(!k & ones(width)),
                None => Gate::Not(x),
            },
            Gate::Rotr(x, n) if n % width == 0 => return x,
            Gate::Const(k) => Gate::Const(k & ones(width)),
            Gate::Add(x, y) => Gate::Add(x.min(y), x.max(y)),
            gate => gate,
        };
        let key = (gate, width);
        if let Some(&signal) = self.index.get(&key) {
            return signal;
        }
        let signal = Signal(self.gates.len() as u32);
        self.gates.push(key.clone());
        self.names.push(None);
        self.arrivals.push(None);
        self.index.insert(key, signal);
        signal
    }

    /// The signal of a gate that there is already.
    pub(crate) fn find(&self, gate: Gate, width: u32) -> Option<Signal> {
        self.index.get(&(gate, width)).copied()
    }

    /// The width of a signal, in bits.
    pub fn width(&self, signal: Signal) -> u32 {
        self.gates[signal.index()].1
    }

    pub(crate) fn constant(&self, signal: Signal) -> Option<u64> {
        match self.gates[signal.index()].0 {
            Gate::Const(k) => Some(k),
            _ => None,
        }
    }

    /// A constant of `width` bits.
    pub fn word(&mut self, k: u64, width: u32) -> Signal {
        self.gate(Gate::Const(k), width)
    }

    /// x ∧ y of bits.
    pub fn and(&mut self, x: Signal, y: Signal) -> Signal {
        self.gate(Gate::And(x, y), self.width(x))
    }

    /// x ∨ y.
    pub fn or(&mut self, x: Signal, y: Signal) -> Signal {
        self.gate(Gate::Or(x, y), self.width(x))
    }

    /// ¬x.
    pub fn not(&mut self, x: Signal) -> Signal {
        self.gate(Gate::Not(x), self.width(x))
    }

    /// x if the bit `by` is one, else y.
    pub fn select(&mut self, by: Signal, x: Signal, y: Signal) -> Signal {
        self.gate(Gate::Select(by, x, y), self.width(x))
    }

    /// Whether x = k.
    pub fn equals(&mut self, x: Signal, k: u64) -> Signal {
        self.gate(Gate::Equals(x, k), 1)
    }

    /// Entry x of `table`, a constant where all entries are the same.
    pub fn table(&mut self, x: Signal, table: &[u64], width: u32) -> Signal {
        if table.iter().all(|k| *k == table[0]) {
            return self.word(table[0], width);
        }
        self.gate(Gate::Table(x, table.into()), width)
    }

    /// Gives a signal a name, if it has none.
    pub fn name(&mut self, signal: Signal, name: &str) {
        let slot = &mut self.names[signal.index()];
        let named = matches!(
            self.gates[signal.index()].0,
            Gate::Register(_) | Gate::Const(_) | Gate::Input(..)
        );
        if slot.is_none() && !named {
            *slot = Some(name.to_owned());
        }
    }

    /// An input port; its words are `Gate::Input`.
    pub fn input(
        &mut self,
        name: &'static str,
        width: u32,
        words: usize,
        comment: &str,
    ) -> Vec<Signal> {
        let port = self.inputs.len();
        self.inputs.push(Port { name, width, words, comment: comment.to_owned() });
        (0..words).map(|i| self.gate(Gate::Input(port, i), width)).collect()
    }

    /// An output port.
    pub fn output(&mut self, name: &'static str, words: Vec<Signal>, comment: &str) {
        let width = self.width(words[0]);
        let port = Port { name, width, words: words.len(), comment: comment.to_owned() };
        self.outputs.push((port, words));
    }

    /// A register, whose `next` is yet to be told.
    pub fn register(&mut self, name: String, width: u32, reset: Option<u64>) -> usize {
        let number = self.registers.len();
        let signal = self.gate(Gate::Register(number), width);
        self.registers.push(ClockedRegister { name, reset, next: None, signal });
        number
    }

    /// The signal of register `number`.
    pub fn q(&self, number: usize) -> Signal {
        self.registers[number].signal
    }

    /// Says what register `number` holds next.
    pub fn drive(&mut self, number: usize, next: Signal) {
        assert_eq!(self.width(next), self.width(self.q(number)));
        self.registers[number].next = Some(next);
    }

    /// The same circuit with one register in place of several that always hold
    /// the same, and without what no output depends on.
    pub fn clean(&self) -> Self {
        let mut merged = self.clone();
        loop {
            let mut first: HashMap<(Signal, Option<u64>), usize> = HashMap::new();
            let same: Vec<usize> = merged
                .registers
                .iter()
                .enumerate()
                .map(|(i, r)| *first.entry((r.next.expect("driven"), r.reset)).or_insert(i))
                .collect();
            let before = merged.registers.len();
            merged = merged.rebuilt(&same);
            if merged.registers.len() == before {
                return merged;
            }
        }
    }

    /// Rebuilt from the outputs back, register i replaced by register `same[i]`.
    fn rebuilt(&self, same: &[usize]) -> Self {
        let mut live = vec![false; self.gates.len()];
        let mut stack: Vec<Signal> = self.outputs.iter().flat_map(|o| o.1.clone()).collect();
        while let Some(signal) = stack.pop() {
            if std::mem::replace(&mut live[signal.index()], true) {
                continue;
            }
            match &self.gates[signal.index()].0 {
                Gate::Register(r) => {
                    stack.push(self.registers[same[*r]].signal);
                    stack.push(self.registers[same[*r]].next.expect("driven"));
                }
                gate => stack.extend(gate.operands()),
            }
        }
        let mut new = Self { inputs: self.inputs.clone(), ..Self::default() };
        let mut to: Vec<Option<Signal>> = vec![None; self.gates.len()];
        let mut kept = Vec::new();
        for (i, (gate, width)) in self.gates.iter().enumerate() {
            if !live[i] {
                continue;
            }
            let signal = match gate {
                Gate::Register(r) if same[*r] != *r => {
                    let first = self.registers[same[*r]].signal;
                    to[first.index()].expect("the first of its kind is older")
                }
                Gate::Register(r) => {
                    let register = &self.registers[*r];
                    let number = new.register(register.name.clone(), *width, register.reset);
                    kept.push((*r, number));
                    new.q(number)
                }
                gate => {
                    let gate = gate.map(|x| to[x.index()].expect("operands are older"));
                    new.gate(gate, *width)
                }
            };
            if let Some(name) = &self.names[i] {
                new.name(signal, name);
            }
            if new.arrivals[signal.index()].is_none() {
                new.arrivals[signal.index()] = self.arrivals[i];
            }
            to[i] = Some(signal);
        }
        for (old, number) in kept {
            let next = self.registers[old].next.expect("driven");
            new.drive(number, to[next.index()].expect("reached"));
        }
        new.outputs = self
            .outputs
            .iter()
            .map(|(port, words)| {
                let words = words.iter().map(|w| to[w.index()].expect("reached")).collect();
                (port.clone(), words)
            })
            .collect();
        new
    }

    /// When a signal is ready, as far as the datapath says.
    pub fn arrival(&self, signal: Signal) -> Arrival {
        if let Some(arrival) = self.arrivals[signal.index()] {
            return arrival;
        }
        match &self.gates[signal.index()].0 {
            // What the control selects is as late as what it selects from.
            Gate::Select(_, x, y) => self.arrival(*x).max(self.arrival(*y)),
            Gate::Mask(_, x) => self.arrival(*x),
            _ => Arrival::default(),
        }
    }

    /// The low bits of each signal that nobody reads: those that all its readers shift out.
    pub(crate) fn unread(&self) -> Vec<u32> {
        let mut unread: Vec<u32> = self.gates.iter().map(|(_, width)| *width).collect();
        for (gate, _) in &self.gates {
            let out = if let Gate::Shr(_, n) = gate { *n } else { 0 };
            gate.operands().for_each(|x| unread[x.index()] = unread[x.index()].min(out));
        }
        let ends = self.outputs.iter().flat_map(|o| o.1.iter().copied());
        for end in ends.chain(self.registers.iter().filter_map(|r| r.next)) {
            unread[end.index()] = 0;
        }
        unread
    }

    /// Bits of all registers.
    pub fn register_bits(&self) -> u32 {
        self.registers.iter().map(|r| self.width(r.signal)).sum()
    }
}

/// A word of `width` ones.
pub(crate) fn ones(width: u32) -> u64 {
    if width == 64 { u64::MAX } else { (1 << width) - 1 }
}
