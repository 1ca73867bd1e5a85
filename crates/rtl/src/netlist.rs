//! A core as a netlist: operations on words and bits, and registers.

use std::collections::HashMap;
use std::rc::Rc;

use crate::{Arrival, Technology};
use lanesum_graph::fold::Fold;

/// The number of late bits of SHA-1's newest word: the bits that ROTL^5 moves to the low end, and
/// that the next sum waits for.
pub(crate) const LATE: u32 = 5;

/// A signal of a [`Netlist`]. Operands have lower numbers than the gates that read them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Signal(pub(crate) u32);

impl Signal {
    /// The number of the signal.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The driver of a signal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Gate {
    /// Word `.1` of input port `.0`.
    Input(usize, usize),
    /// The register with this index.
    Register(usize),
    /// A constant.
    Const(u64),
    /// x + y, by a carry-propagate adder.
    Add(Signal, Signal),
    /// x − y.
    Sub(Signal, Signal),
    /// The sum word of a carry-save row.
    Save(Signal, Signal, Signal),
    /// The carry word of a carry-save row, already shifted left by one.
    Carry(Signal, Signal, Signal),
    /// x + 1, for a counter.
    Increment(Signal),
    /// x − 1, for a counter.
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
    /// x shifted left by n. If the second signal is present, it is the other word of a carry-save
    /// pair, and only the sum of the two shifted words is used: a proof may replace one of them by
    /// any word.
    Shl(Signal, Option<Signal>, u32),
    /// x + y for words without common one bits, that is x ∨ y.
    Join(Signal, Signal),
    /// The sum word of a row that adds the `LATE` lowest bits completely; those bits of y are
    /// zero.
    LowSave(Signal, Signal, Signal),
    /// The carry word of that row; its `LATE` lowest bits are zero.
    LowCarry(Signal, Signal, Signal),
    /// Ch(x, y, z).
    Ch(Signal, Signal, Signal),
    /// Maj(x, y, z).
    Maj(Signal, Signal, Signal),
    /// x ⊕ y ⊕ z.
    Xor3(Signal, Signal, Signal),
    /// x if the bit is one, and zero otherwise.
    Mask(Signal, Signal),
    /// x if the bit is one, and y otherwise.
    Select(Signal, Signal, Signal),
    /// Entry x of a table; the last entry if x is out of range.
    Table(Signal, Rc<[u64]>),
}

impl Gate {
    /// The operands, in order.
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

/// A register. At each clock edge, it loads the value of `next`.
#[derive(Clone, Debug)]
pub struct ClockedRegister {
    /// Its name, without the suffix `_q`.
    pub name: String,
    /// A description of its contents, for the generated comment.
    pub comment: String,
    /// Its reset value; `None` for registers of the datapath.
    pub reset: Option<u64>,
    /// Its next value; `None` until [`Netlist::drive`] sets it.
    pub next: Option<Signal>,
    /// The signal that it drives.
    pub signal: Signal,
}

impl ClockedRegister {
    /// Whether it belongs to the datapath: it has no reset value.
    pub fn is_data(&self) -> bool {
        self.reset.is_none()
    }
}

/// A port of one or more words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Its name, including the suffix.
    pub name: &'static str,
    /// Bits per word.
    pub width: u32,
    /// Number of words.
    pub words: usize,
    /// A description for the generated comment.
    pub comment: String,
}

/// A synchronous circuit with one clock.
#[derive(Clone, Debug, Default)]
pub struct Netlist {
    pub(crate) gates: Vec<(Gate, u32)>,
    index: HashMap<(Gate, u32), Signal, Fold>,
    pub(crate) names: Vec<Option<String>>,
    pub(crate) arrivals: Vec<Option<Arrival>>,
    /// The registers.
    pub registers: Vec<ClockedRegister>,
    /// The inputs, except clock and reset.
    pub inputs: Vec<Port>,
    /// The outputs, with the signals that drive their words.
    pub outputs: Vec<(Port, Vec<Signal>)>,
    /// If there is a clock gate: whether the registers of the datapath are clocked.
    pub enable: Option<Signal>,
}

impl Netlist {
    /// Returns the signal driven by `gate`, reusing an existing one if possible. Folds selections
    /// between equal signals and masks by constants.
    pub fn gate(&mut self, gate: Gate, width: u32) -> Signal {
        let gate = match gate {
            Gate::Select(_, x, y) if x == y => return x,
            Gate::Select(s, x, y) => match self.constant(s) {
                Some(0) => return y,
                Some(_) => return x,
                None => Gate::Select(s, x, y),
            },
            Gate::Mask(s, x) if width == 1 => return self.and(s, x),
            Gate::Mask(s, x) => match (self.constant(s), self.constant(x)) {
                (Some(0), _) | (_, Some(0)) => Gate::Const(0),
                (Some(_), _) => return x,
                _ => Gate::Mask(s, x),
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
                _ if x == y => return x,
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

    /// Returns the signal of an existing gate.
    pub(crate) fn find(&self, gate: Gate, width: u32) -> Option<Signal> {
        self.index.get(&(gate, width)).copied()
    }

    /// The gate that drives a signal.
    pub fn driver(&self, signal: Signal) -> &Gate {
        &self.gates[signal.index()].0
    }

    /// The name of a signal, if it has one.
    pub fn name_of(&self, signal: Signal) -> Option<&str> {
        self.names[signal.index()].as_deref()
    }

    /// The signal with this name.
    pub fn named(&self, name: &str) -> Option<Signal> {
        let at = self.names.iter().position(|own| own.as_deref() == Some(name))?;
        Some(Signal(at as u32))
    }

    /// The width of a signal, in bits.
    pub fn width(&self, signal: Signal) -> u32 {
        self.gates[signal.index()].1
    }

    pub(crate) fn constant(&self, signal: Signal) -> Option<u64> {
        match *self.driver(signal) {
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

    /// x ∨ y of bits.
    pub fn or(&mut self, x: Signal, y: Signal) -> Signal {
        self.gate(Gate::Or(x, y), self.width(x))
    }

    /// ¬x of a bit.
    pub fn not(&mut self, x: Signal) -> Signal {
        self.gate(Gate::Not(x), self.width(x))
    }

    /// x if the bit `by` is one, and y otherwise.
    pub fn select(&mut self, by: Signal, x: Signal, y: Signal) -> Signal {
        self.gate(Gate::Select(by, x, y), self.width(x))
    }

    /// Whether x = k.
    pub fn equals(&mut self, x: Signal, k: u64) -> Signal {
        self.gate(Gate::Equals(x, k), 1)
    }

    /// Entry x of `table`; a constant if all entries are equal.
    pub fn table(&mut self, x: Signal, table: &[u64], width: u32) -> Signal {
        if table.iter().all(|k| *k == table[0]) {
            return self.word(table[0], width);
        }
        self.gate(Gate::Table(x, table.into()), width)
    }

    /// Names a signal, unless it already has a name.
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

    /// Adds an input port; its words are `Gate::Input`.
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

    /// Adds an output port.
    pub fn output(&mut self, name: &'static str, words: Vec<Signal>, comment: &str) {
        let width = self.width(words[0]);
        let port = Port { name, width, words: words.len(), comment: comment.to_owned() };
        self.outputs.push((port, words));
    }

    /// Adds a register. [`drive`](Self::drive) sets its next value later.
    pub fn register(&mut self, name: String, width: u32, reset: Option<u64>) -> usize {
        let number = self.registers.len();
        let signal = self.gate(Gate::Register(number), width);
        let comment = String::new();
        self.registers.push(ClockedRegister { name, comment, reset, next: None, signal });
        number
    }

    /// Describes what register `number` holds.
    pub(crate) fn describe(&mut self, number: usize, comment: impl Into<String>) {
        self.registers[number].comment = comment.into();
    }

    /// The output signal of register `number`.
    pub fn q(&self, number: usize) -> Signal {
        self.registers[number].signal
    }

    /// Sets the next value of register `number`.
    pub fn drive(&mut self, number: usize, next: Signal) {
        assert_eq!(self.width(next), self.width(self.q(number)));
        self.registers[number].next = Some(next);
    }

    /// Sets the next value of register `number` to the word whose condition is true, or zero if
    /// none is. At most one condition is true.
    pub fn drive_choice(
        &mut self,
        number: usize,
        choices: impl IntoIterator<Item = Option<(Signal, Signal)>>,
    ) {
        let width = self.width(self.q(number));
        let mut merged: Vec<(Signal, Signal)> = Vec::new();
        for (condition, word) in choices.into_iter().flatten() {
            // One condition for each word.
            match merged.iter().position(|choice| choice.1 == word) {
                Some(at) => merged[at].0 = self.or(merged[at].0, condition),
                None => merged.push((condition, word)),
            }
        }
        let mut next = self.word(0, width);
        for (condition, word) in merged {
            let masked = self.gate(Gate::Mask(condition, word), width);
            next = self.gate(Gate::Or(next, masked), width);
        }
        self.drive(number, next);
    }

    /// Makes each register that has a reset value load it at a clock edge with `bit`.
    pub(crate) fn reset_by(&mut self, bit: Signal) {
        let not = self.not(bit);
        self.name(not, "no_zeroize");
        for number in 0..self.registers.len() {
            let ClockedRegister { reset: Some(reset), next: Some(next), signal, .. } =
                self.registers[number]
            else {
                continue;
            };
            let width = self.width(signal);
            let next = if reset == 0 {
                self.gate(Gate::Mask(not, next), width)
            } else {
                let value = self.word(reset, width);
                self.select(bit, value, next)
            };
            self.drive(number, next);
        }
    }

    /// Returns an equivalent netlist with duplicate registers merged and all logic removed that no
    /// output depends on.
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

    /// Rebuilds the netlist from the outputs back, with register i replaced by register `same[i]`.
    fn rebuilt(&self, same: &[usize]) -> Self {
        let mut live = vec![false; self.gates.len()];
        let mut stack: Vec<Signal> = self.outputs.iter().flat_map(|o| o.1.clone()).collect();
        stack.extend(self.enable);
        while let Some(signal) = stack.pop() {
            if std::mem::replace(&mut live[signal.index()], true) {
                continue;
            }
            match self.driver(signal) {
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
                    new.describe(number, register.comment.clone());
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
        new.enable = self.enable.map(|signal| to[signal.index()].expect("reached"));
        new
    }

    /// The arrival time of a signal, from the recorded delays of the datapath.
    pub fn arrival(&self, signal: Signal) -> Arrival {
        if let Some(arrival) = self.arrivals[signal.index()] {
            return arrival;
        }
        match self.driver(signal) {
            // Select signals come from registers, so a multiplexer is as late as its data inputs.
            Gate::Select(_, x, y) => self.arrival(*x).max(self.arrival(*y)),
            Gate::Mask(_, x) => self.arrival(*x),
            Gate::Or(x, y) => self.arrival(*x).max(self.arrival(*y)),
            _ => Arrival::default(),
        }
    }

    /// The delay of the gate that drives a signal, as the datapath records it. Shifts and selections are free.
    pub fn delay(&self, signal: Signal, technology: &Technology) -> Arrival {
        let rotated = |x: &Signal| match *self.driver(*x) {
            Gate::Rotr(word, _) => Some(word),
            _ => None,
        };
        let none = Arrival::default();
        match self.driver(signal) {
            Gate::Add(..) | Gate::Sub(..) => technology.addition(),
            Gate::Save(..) | Gate::Carry(..) => technology.carry_save_row(),
            Gate::LowSave(..) | Gate::LowCarry(..) => technology.low_row(),
            Gate::Xor3(x, y, _) if rotated(x).is_some() && rotated(x) == rotated(y) => {
                Arrival { value: technology.sigma, sigmas: 1, ..none }
            }
            Gate::Ch(..) | Gate::Maj(..) | Gate::Xor3(..) => {
                Arrival { value: technology.function, functions: 1, ..none }
            }
            _ => none,
        }
    }

    /// Each gate with each of its operands, as (operand, gate, registers between them).
    pub fn edges(&self) -> impl Iterator<Item = (Signal, Signal, u32)> {
        let signals = (0..self.gates.len() as u32).map(Signal);
        let gates =
            signals.flat_map(|to| self.driver(to).operands().map(move |from| (from, to, 0)));
        gates.chain(self.registers.iter().filter_map(|r| Some((r.next?, r.signal, 1))))
    }

    /// For each signal, the number of low bits without readers, because every reader shifts them
    /// out.
    pub(crate) fn unread(&self) -> Vec<u32> {
        let mut unread: Vec<u32> = self.gates.iter().map(|(_, width)| *width).collect();
        for (gate, _) in &self.gates {
            let out = if let Gate::Shr(_, n) = gate { *n } else { 0 };
            gate.operands().for_each(|x| unread[x.index()] = unread[x.index()].min(out));
        }
        let ends = self.outputs.iter().flat_map(|o| o.1.iter().copied());
        for end in ends.chain(self.registers.iter().filter_map(|r| r.next)).chain(self.enable) {
            unread[end.index()] = 0;
        }
        unread
    }

    /// Total number of register bits.
    pub fn register_bits(&self) -> u32 {
        self.registers.iter().map(|r| self.width(r.signal)).sum()
    }
}

/// A word of `width` ones.
pub(crate) fn ones(width: u32) -> u64 {
    if width == 64 { u64::MAX } else { (1 << width) - 1 }
}
