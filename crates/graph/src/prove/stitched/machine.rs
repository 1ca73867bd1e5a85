//! A machine of general and vector registers that runs a stitched text on symbols.
//!
//! Vector registers and memory are bytes, each of which is a byte of some word: what
//! moves bytes needs no meaning beyond that, and what works upon words finds them
//! again. As for [`emitted`](super::super::machine) kernels, whatever has no meaning
//! here is a fault.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::super::domain::Domain;
use super::super::machine::Fault;
use super::line::{Line, Operand};
use crate::emit::semantics::Function;
use crate::stitch::Order;

/// What an address points into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Region {
    /// The chaining value.
    State,
    /// The blocks.
    Message,
    /// K and orders of bytes.
    Table,
    /// The stack; 0 is where the return address is.
    Stack,
}

/// What a general register, or eight bytes of the stack, hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<W> {
    /// Nothing that is known: it may be overwritten, not read.
    Unknown,
    /// A word; where it is of 32 bits, the rest is zero or of no account.
    Word(W),
    /// A number that no message decides.
    Number(i64),
    /// An address.
    Pointer(Region, i64),
    /// What the caller had in that register.
    Callers(usize),
    /// The address to return to.
    Return,
}

/// A byte of a vector register or of memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Byte<W> {
    /// Nothing that is known.
    Unknown,
    /// A number that no message decides.
    Number(u8),
    /// The byte of a word that is so far from its lowest.
    Of(W, usize),
}

/// What is on the stack from some place on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<W> {
    /// A byte.
    Byte(Byte<W>),
    /// Eight bytes that are no word.
    Value(Value<W>),
}

/// Registers and memory at a point of the text.
#[derive(Clone, Debug)]
pub struct Machine<W> {
    /// General registers, in the order of their numbers.
    pub general: [Value<W>; 16],
    /// Vector registers.
    pub vectors: Vec<[Byte<W>; 32]>,
    /// Registers of masks.
    pub masks: [Option<u64>; 8],
    /// The stack.
    pub stack: BTreeMap<i64, Cell<W>>,
    /// The chaining value.
    pub state: Vec<W>,
    /// How two addresses compared, if that was the last to set flags.
    flags: Option<Ordering>,
}

/// A text, and what it is called with.
pub struct Program<'a, W> {
    /// The text.
    pub lines: &'a [Line],
    /// The bytes of a word.
    pub word_len: usize,
    /// The words of the blocks.
    pub message: Vec<W>,
    /// The order of bytes in them.
    pub order: Order,
    /// The table.
    pub table: &'a [u8],
    /// The address of the return address, modulo 64.
    pub alignment: i64,
}

/// A run that stopped.
#[derive(Clone, Debug)]
pub struct Run {
    /// The line where it stopped, or none if that is the caller's.
    pub at: Option<usize>,
    /// How many blocks each comparison found left after some address of the message.
    pub left: Vec<i64>,
}

pub(super) type Vector<W> = [Byte<W>; 32];

impl<W: Copy + PartialEq> Machine<W> {
    /// As a kernel is called: the chaining value, blocks, how many, the table.
    pub fn called(state: &[W], blocks: usize) -> Self {
        let mut general = std::array::from_fn(Value::Callers);
        general[4] = Value::Pointer(Region::Stack, 0);
        general[7] = Value::Pointer(Region::State, 0);
        general[6] = Value::Pointer(Region::Message, 0);
        general[2] = Value::Number(blocks as i64);
        general[1] = Value::Pointer(Region::Table, 0);
        Self {
            general,
            vectors: vec![[Byte::Unknown; 32]; 16],
            masks: [None; 8],
            stack: BTreeMap::from([(0, Cell::Value(Value::Return))]),
            state: state.to_vec(),
            flags: None,
        }
    }
}

pub(super) fn unknown(what: &str) -> String {
    format!("{what} is not known")
}

impl<W: Copy + PartialEq> Program<'_, W> {
    /// Runs from a line until the next time that it comes to `until`, or back to
    /// the caller.
    ///
    /// # Errors
    ///
    /// At the first instruction that does what kernels may not.
    pub fn run<D: Domain<Word = W>>(
        &self,
        domain: &mut D,
        machine: &mut Machine<W>,
        from: usize,
        until: usize,
    ) -> Result<Run, Fault> {
        let mut run = Run { at: None, left: Vec::new() };
        let mut at = from;
        loop {
            let fault = |what: String| Fault { line: Some(at + 1), what };
            let Some(line) = self.lines.get(at) else {
                return Err(fault("the text ends without a return".into()));
            };
            let mut next = at + 1;
            if let Line::Instruction { name, operands } = line {
                match (&name[..], &operands[..]) {
                    ("ret", []) => {
                        return match self.pop(machine).map_err(fault)? {
                            Value::Return => Ok(run),
                            _ => Err(fault("it returns to somewhere else".into())),
                        };
                    }
                    ("jb" | "jae", [Operand::Label { name: label, forward }]) => {
                        let flags = machine.flags.ok_or_else(|| fault(unknown("a condition")))?;
                        if (flags == Ordering::Less) == (name == "jb") {
                            let wanted = Line::Label(*label);
                            let place = if *forward {
                                (at..self.lines.len()).find(|&i| self.lines[i] == wanted)
                            } else {
                                (0..at).rev().find(|&i| self.lines[i] == wanted)
                            };
                            next = place.ok_or_else(|| fault("there is no such label".into()))?;
                        }
                    }
                    ("cmp", [x, y]) => {
                        let (x, y) =
                            (self.value(domain, machine, x), self.value(domain, machine, y));
                        let (x, y) = (x.map_err(fault)?, y.map_err(fault)?);
                        let (Value::Pointer(a, n), Value::Pointer(b, m)) = (x, y) else {
                            return Err(fault("what is compared is no address".into()));
                        };
                        if a != b {
                            return Err(fault("addresses of two things are compared".into()));
                        }
                        if a == Region::Message {
                            run.left.push((m - n) / (16 * self.word_len as i64));
                        }
                        machine.flags = Some(n.cmp(&m));
                    }
                    _ => self.step(domain, machine, name, operands).map_err(fault)?,
                }
            }
            if next == until {
                run.at = Some(next);
                return Ok(run);
            }
            at = next;
        }
    }

    fn step<D: Domain<Word = W>>(
        &self,
        domain: &mut D,
        machine: &mut Machine<W>,
        name: &str,
        operands: &[Operand],
    ) -> Result<(), String> {
        if operands.iter().any(|operand| matches!(operand, Operand::Vector { .. })) {
            return self.vector_step(domain, machine, name, operands);
        }
        let keeps_flags =
            matches!(name, "mov" | "lea" | "rorx" | "push" | "pop" | "cmovb" | "cmovae" | "kmovw");
        match (name, operands) {
            ("vzeroupper", []) => {
                for vector in &mut machine.vectors {
                    vector[16..].fill(Byte::Number(0));
                }
            }
            ("push", [from]) => {
                let value = self.value(domain, machine, from)?;
                let Value::Pointer(Region::Stack, top) = machine.general[4] else {
                    return Err(unknown("the stack pointer"));
                };
                machine.general[4] = Value::Pointer(Region::Stack, top - 8);
                self.store(machine, top - 8, value, 8)?;
            }
            ("pop", [Operand::General(to, 64)]) => {
                let value = self.pop(machine)?;
                machine.general[*to] = value;
            }
            ("kmovw", [Operand::Mask(to), Operand::General(from, 32)]) => {
                let Value::Number(mask) = machine.general[*from] else {
                    return Err(unknown("a mask"));
                };
                machine.masks[*to] = Some(mask as u64);
            }
            ("cmovb" | "cmovae", [to @ Operand::General(..), from]) => {
                let flags = machine.flags.ok_or_else(|| unknown("a condition"))?;
                if (flags == Ordering::Less) == (name == "cmovb") {
                    let value = self.value(domain, machine, from)?;
                    self.write(machine, to, value)?;
                }
            }
            ("mov", [to, from]) => {
                let value = self.value(domain, machine, from)?;
                self.write(machine, to, value)?;
            }
            ("lea", [to, Operand::Memory { base, index, offset }]) => {
                let mut sum = machine.general[*base];
                if let Some(index) = index {
                    sum = self.arithmetic(domain, "add", sum, machine.general[*index])?;
                }
                if *offset != 0 {
                    sum = self.arithmetic(domain, "add", sum, Value::Number(*offset))?;
                }
                self.write(machine, to, sum)?;
            }
            ("imul", [to, x, y]) => {
                let (x, y) = (self.value(domain, machine, x)?, self.value(domain, machine, y)?);
                let (Value::Number(x), Value::Number(y)) = (x, y) else {
                    return Err("what is multiplied is no number".into());
                };
                self.write(machine, to, Value::Number(x * y))?;
            }
            ("add" | "sub" | "and" | "or" | "xor" | "ror", [to, from]) => {
                let (x, y) = (self.value(domain, machine, to)?, self.value(domain, machine, from)?);
                let result = self.arithmetic(domain, name, x, y)?;
                self.write(machine, to, result)?;
            }
            ("andn" | "rorx", [to, x, y]) => {
                let (x, y) = (self.value(domain, machine, x)?, self.value(domain, machine, y)?);
                let result = self.arithmetic(domain, name, x, y)?;
                self.write(machine, to, result)?;
            }
            _ => return Err(format!("{name} has no meaning here")),
        }
        if !keeps_flags {
            machine.flags = None;
        }
        Ok(())
    }

    /// What general registers do with words, addresses and numbers.
    fn arithmetic<D: Domain<Word = W>>(
        &self,
        domain: &mut D,
        name: &str,
        x: Value<W>,
        y: Value<W>,
    ) -> Result<Value<W>, String> {
        Ok(match (name, x, y) {
            ("ror" | "rorx", Value::Word(x), Value::Number(n)) => {
                Value::Word(domain.apply_constant(Function::RotateRight, x, n as u64))
            }
            (_, Value::Word(x), Value::Word(y)) => {
                let function = match name {
                    "add" => Function::Add,
                    "sub" => Function::Sub,
                    "and" => Function::And,
                    "or" => Function::Or,
                    "xor" => Function::Xor,
                    "andn" => Function::NotAnd,
                    _ => return Err(format!("{name} has no meaning for words")),
                };
                Value::Word(domain.apply(function, x, y))
            }
            ("add", Value::Pointer(region, n), Value::Number(m))
            | ("add", Value::Number(m), Value::Pointer(region, n)) => Value::Pointer(region, n + m),
            ("sub", Value::Pointer(region, n), Value::Number(m)) => Value::Pointer(region, n - m),
            ("and", Value::Pointer(Region::Stack, n), Value::Number(-64)) => {
                Value::Pointer(Region::Stack, ((n + self.alignment) & -64) - self.alignment)
            }
            _ => return Err("what is worked upon is not known".into()),
        })
    }

    fn pop(&self, machine: &mut Machine<W>) -> Result<Value<W>, String> {
        let Value::Pointer(Region::Stack, top) = machine.general[4] else {
            return Err(unknown("the stack pointer"));
        };
        machine.general[4] = Value::Pointer(Region::Stack, top + 8);
        match machine.stack.get(&top) {
            Some(&Cell::Value(value)) => Ok(value),
            _ => Err(unknown("what is popped")),
        }
    }

    fn value<D: Domain<Word = W>>(
        &self,
        domain: &mut D,
        machine: &Machine<W>,
        operand: &Operand,
    ) -> Result<Value<W>, String> {
        let value = match operand {
            Operand::General(number, bits) => match machine.general[*number] {
                Value::Word(_) if *bits as usize != 8 * self.word_len => {
                    return Err("a word is taken at another width".into());
                }
                value => value,
            },
            Operand::Immediate(number) => Value::Number(*number),
            Operand::Memory { .. } => {
                let (region, offset) = address(machine, operand)?;
                if region == Region::Stack
                    && let Some(Cell::Value(value)) = machine.stack.get(&offset)
                {
                    *value
                } else {
                    let mut bytes = [Byte::Unknown; 8];
                    for (i, byte) in bytes[..self.word_len].iter_mut().enumerate() {
                        *byte = self.byte(machine, region, offset + i as i64)?;
                    }
                    Value::Word(self.word(domain, &bytes[..self.word_len])?)
                }
            }
            _ => return Err("an operand has no meaning here".into()),
        };
        if value == Value::Unknown { Err(unknown("what is read")) } else { Ok(value) }
    }

    fn write(&self, machine: &mut Machine<W>, to: &Operand, value: Value<W>) -> Result<(), String> {
        match to {
            Operand::General(4, _) if !matches!(value, Value::Pointer(Region::Stack, _)) => {
                Err("the stack pointer is overwritten".into())
            }
            Operand::General(number, bits) => {
                match value {
                    Value::Word(_) if *bits as usize != 8 * self.word_len => {
                        return Err("a word is kept at another width".into());
                    }
                    Value::Word(_) | Value::Number(_) => {}
                    _ if *bits == 32 => return Err("half of an address is kept".into()),
                    _ => {}
                }
                machine.general[*number] = value;
                Ok(())
            }
            Operand::Memory { .. } => {
                let (region, offset) = address(machine, to)?;
                match (region, value) {
                    (Region::State, Value::Word(word)) => {
                        let i = offset as usize / self.word_len;
                        let aligned = (offset as usize).is_multiple_of(self.word_len);
                        match machine.state.get_mut(i).filter(|_| aligned) {
                            Some(place) => *place = word,
                            None => return Err("it writes beside the chaining value".into()),
                        }
                        Ok(())
                    }
                    (Region::Stack, value) => self.store(machine, offset, value, self.word_len),
                    _ => Err("it writes where it may not".into()),
                }
            }
            _ => Err("an operand has no meaning here".into()),
        }
    }

    /// Stores to the stack, below the stack pointer never.
    fn store(
        &self,
        machine: &mut Machine<W>,
        offset: i64,
        value: Value<W>,
        len: usize,
    ) -> Result<(), String> {
        if let Value::Word(word) = value {
            let bytes: Vec<Byte<W>> = (0..len).map(|i| Byte::Of(word, i)).collect();
            return store_bytes(machine, offset, &bytes);
        }
        store_bytes(machine, offset, &[Byte::Unknown; 8])?;
        machine.stack.insert(offset, Cell::Value(value));
        Ok(())
    }

    pub(super) fn byte(
        &self,
        machine: &Machine<W>,
        region: Region,
        offset: i64,
    ) -> Result<Byte<W>, String> {
        let place = usize::try_from(offset);
        let beyond = |what: &str| format!("it reads beyond {what}");
        let len = self.word_len;
        match region {
            Region::Stack => match machine.stack.get(&offset) {
                Some(Cell::Byte(byte)) => Ok(*byte),
                _ => Err(unknown("what is on the stack")),
            },
            Region::State => {
                let place = place.map_err(|_| beyond("the chaining value"))?;
                let word = machine.state.get(place / len);
                word.map(|w| Byte::Of(*w, place % len)).ok_or_else(|| beyond("the chaining value"))
            }
            Region::Message => {
                let place = place.map_err(|_| beyond("the blocks"))?;
                let word = self.message.get(place / len);
                let byte = match self.order {
                    Order::Big => len - 1 - place % len,
                    Order::Little => place % len,
                };
                word.map(|w| Byte::Of(*w, byte)).ok_or_else(|| beyond("the blocks"))
            }
            Region::Table => {
                let byte = place.ok().and_then(|place| self.table.get(place));
                byte.map(|&byte| Byte::Number(byte)).ok_or_else(|| beyond("the table"))
            }
        }
    }

    /// The word that bytes are.
    pub(super) fn word<D: Domain<Word = W>>(
        &self,
        domain: &mut D,
        bytes: &[Byte<W>],
    ) -> Result<W, String> {
        match bytes[0] {
            Byte::Of(word, first) => {
                let in_turn = |(i, byte): (usize, &Byte<W>)| {
                    *byte == Byte::Of(word, (first + i) % self.word_len)
                };
                if bytes.len() != self.word_len || !bytes.iter().enumerate().all(in_turn) {
                    return Err("bytes of several words are worked upon as one".into());
                }
                Ok(domain.apply_constant(Function::RotateRight, word, 8 * first as u64))
            }
            Byte::Number(_) => {
                let mut k = 0;
                for (i, byte) in bytes.iter().enumerate() {
                    let Byte::Number(byte) = byte else {
                        return Err("bytes of several words are worked upon as one".into());
                    };
                    k |= u64::from(*byte) << (8 * i);
                }
                Ok(domain.constant(k))
            }
            Byte::Unknown => Err(unknown("what is worked upon")),
        }
    }
}

/// Where a place in memory is.
pub(super) fn address<W: Copy>(
    machine: &Machine<W>,
    operand: &Operand,
) -> Result<(Region, i64), String> {
    match operand {
        Operand::Memory { base, index: None, offset } => match machine.general[*base] {
            Value::Pointer(region, n) => Ok((region, n + offset)),
            Value::Word(_) => Err("an address depends on a word".into()),
            _ => Err(unknown("an address")),
        },
        _ => Err("an address has two registers".into()),
    }
}

/// Bytes onto the stack, not below its pointer and not over what the caller wants again.
pub(super) fn store_bytes<W: Copy>(
    machine: &mut Machine<W>,
    offset: i64,
    bytes: &[Byte<W>],
) -> Result<(), String> {
    let Value::Pointer(Region::Stack, top) = machine.general[4] else {
        return Err(unknown("the stack pointer"));
    };
    let end = offset + bytes.len() as i64;
    if offset < top || end > 0 {
        return Err("it writes outside of its part of the stack".into());
    }
    // A value of eight bytes is gone when one of them is overwritten.
    let overlapped: Vec<i64> = machine
        .stack
        .range(offset - 7..end)
        .filter(|(_, cell)| matches!(cell, Cell::Value(_)))
        .map(|(&place, _)| place)
        .collect();
    for place in overlapped {
        machine.stack.remove(&place);
    }
    for (place, byte) in (offset..).zip(bytes) {
        machine.stack.insert(place, Cell::Byte(*byte));
    }
    Ok(())
}
