//! A machine that runs the text of a kernel on symbols. Everything that it has no
//! meaning for is a fault, so that a text that runs to its end did nothing else
//! than it may.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use super::domain::Domain;
use super::halves::{self, Carry, Term};
use crate::emit::instruction::{Address, Base, Instruction, Operand, RSP, Register};
use crate::emit::kernel::{ARGUMENTS, Isa};
use crate::emit::listing::{Line, Listing};
use crate::emit::semantics::{self, Function};

/// Where an address points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Region {
    /// The chaining value, the first argument.
    State,
    /// The words of the block at hand, the second.
    Words,
    /// The stack; 0 is where the return address is.
    Stack,
    /// The kernel's own constants.
    Constants,
}

/// What a register or a place in memory holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<W> {
    /// Nothing that is known: it may be overwritten, not read.
    Undefined,
    /// A word.
    Word(W),
    /// A word whose bytes are in reverse.
    Reversed(W),
    /// An address, so many bytes into a region.
    Pointer(Region, i64),
    /// The number of blocks that are left at the head of the loop, plus this.
    Count(i64),
    /// What the caller had in a register.
    Callers(Register),
    /// The address to return to.
    Return,
}

/// A place that holds a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// A register.
    Register(Register),
    /// A word in memory.
    Memory(Region, i64),
}

/// Why a text is not shown to be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line of the text, from 1; none if it is the whole.
    pub line: Option<usize>,
    /// What is wrong there.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.what),
            None => f.write_str(&self.what),
        }
    }
}

impl std::error::Error for Fault {}

/// Registers and memory at a point of the text.
#[derive(Clone, Debug)]
pub struct Machine<W> {
    /// The registers.
    pub registers: [Value<W>; 16],
    /// Memory: words by place, with their lengths in bytes.
    pub memory: BTreeMap<(Region, i64), (Value<W>, i64)>,
    /// What the zero flag says: whether this is zero.
    zero: Option<Value<W>>,
    /// What the carry is of, where words are in halves.
    carry: Option<Carry<W>>,
}

/// A text, ready to run.
#[derive(Debug)]
pub struct Program<'a> {
    listing: &'a Listing,
    labels: HashMap<&'a str, usize>,
    pub(super) constants: Vec<(u64, u32)>,
    /// The width of an address.
    pub(super) pointer_bits: u32,
    /// The width of a word in a register, which may hold half of one.
    pub(super) word_bits: u32,
    in_halves: bool,
    pub(super) state_len: i64,
    block_len: i64,
}

/// Where a run stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// At a branch, on the line of that number (from 0), which goes to the line of the other number if the
    /// count is zero, or else if it is not.
    Branch {
        /// The line of the branch.
        at: usize,
        /// Where it goes.
        to: usize,
        /// Whether it goes there for zero.
        if_zero: bool,
        /// What is compared with zero, as a count of the blocks that are left, and more or less.
        count: i64,
    },
    /// At the line that it was to run to.
    Reached,
    /// Back at the caller.
    Returned,
}

impl<'a> Program<'a> {
    /// A text of a kernel on words of `word_bits` bits for CPUs of `isa`, with a chaining value
    /// and blocks of so many bytes.
    ///
    /// # Errors
    ///
    /// If a label is there twice, or instructions follow the constants.
    pub fn new(
        listing: &'a Listing,
        isa: Isa,
        word_bits: u32,
        state_len: i64,
        block_len: i64,
    ) -> Result<Self, Fault> {
        let mut labels = HashMap::new();
        let mut constants = Vec::new();
        let mut in_table = false;
        for (i, line) in listing.lines.iter().enumerate() {
            let fault = |what: &str| Err(Fault { line: Some(i + 1), what: what.to_owned() });
            match line {
                Line::Label(label) => {
                    if labels.insert(label.as_str(), i).is_some() {
                        return fault("a label is there twice");
                    }
                    in_table |= *label == listing.constants;
                }
                Line::Data(_, bits) if in_table && *bits != word_bits => {
                    return fault("a constant has another width");
                }
                Line::Data(k, bits) if in_table => constants.push((*k, *bits)),
                Line::Data(..) => return fault("data is outside the table of constants"),
                Line::Directive(_) if in_table => return fault("the table has a gap"),
                Line::Instruction(..) if in_table => return fault("an instruction is among data"),
                _ => {}
            }
        }
        Ok(Self {
            listing,
            labels,
            constants,
            pointer_bits: isa.bits(),
            word_bits: word_bits.min(isa.bits()),
            in_halves: word_bits > isa.bits(),
            state_len,
            block_len,
        })
    }

    /// Runs from a line until it stops: at a branch, at `until`, or at the caller.
    ///
    /// # Errors
    ///
    /// At the first instruction that does what kernels may not.
    pub fn run<D: Domain>(
        &self,
        domain: &mut D,
        machine: &mut Machine<D::Word>,
        from: usize,
        until: Option<usize>,
    ) -> Result<Stop, Fault> {
        let mut at = from;
        loop {
            if Some(at) == until {
                return Ok(Stop::Reached);
            }
            let fault = |what: String| Fault { line: Some(at + 1), what };
            match self.listing.lines.get(at) {
                Some(Line::Instruction(instruction, label)) => {
                    let function = semantics::of(instruction.name).function;
                    match function {
                        Function::IfZero | Function::IfNotZero => {
                            let label = label.as_deref().unwrap_or_default();
                            let to = self.labels.get(label).copied();
                            let to = to.ok_or_else(|| fault(format!("there is no {label}")))?;
                            let Some(Value::Count(count)) = machine.zero else {
                                return Err(fault("a branch depends on a word".to_owned()));
                            };
                            let if_zero = function == Function::IfZero;
                            return Ok(Stop::Branch { at, to, if_zero, count });
                        }
                        Function::Return => {
                            let to = self.pop(machine).map_err(fault)?;
                            return match to {
                                Value::Return => Ok(Stop::Returned),
                                _ => Err(fault("it returns to somewhere else".to_owned())),
                            };
                        }
                        _ => self.step(domain, machine, instruction).map_err(fault)?,
                    }
                }
                Some(Line::Data(..)) | None => {
                    return Err(fault("the text ends without a return".to_owned()));
                }
                Some(_) => {}
            }
            at += 1;
        }
    }

    fn step<D: Domain>(
        &self,
        domain: &mut D,
        machine: &mut Machine<D::Word>,
        instruction: &Instruction,
    ) -> Result<(), String> {
        let line = semantics::of(instruction.name);
        let bits = instruction.bits;
        let operands = &instruction.operands;
        match line.function {
            Function::Push => {
                let value = self.read(domain, machine, operands.first(), self.pointer_bits)?;
                let Value::Pointer(Region::Stack, top) = machine.registers[4] else {
                    return Err("the stack pointer points elsewhere".to_owned());
                };
                let len = self.pointer_len();
                machine.registers[4] = Value::Pointer(Region::Stack, top - len);
                return self.store(machine, self.top(), value, len);
            }
            Function::Pop => {
                let value = self.pop(machine)?;
                return self.write(machine, operands.first(), value, self.pointer_bits);
            }
            _ => {}
        }
        let (to, sources) = match (operands.split_first(), line.reads_destination) {
            (Some(_), true) => (operands.first(), &operands[..]),
            (Some((to, rest)), false) => (Some(to), rest),
            (None, _) => return Err("an operand is missing".to_owned()),
        };
        let x = match (line.function, sources.first()) {
            (Function::Address, Some(Operand::Memory(address))) => {
                let value = self.sum(domain, machine, *address, bits)?;
                return self.write(machine, to, value, bits);
            }
            _ => self.read(domain, machine, sources.first(), bits)?,
        };
        let result = match line.function {
            Function::Copy => x,
            Function::Swap => match x {
                Value::Word(w) => Value::Reversed(w),
                Value::Reversed(w) => Value::Word(w),
                _ => return Err("what is swapped is no word".to_owned()),
            },
            Function::Not => {
                let x = self.word(x, bits)?;
                Value::Word(domain.apply(Function::Not, x, x))
            }
            function if self.in_halves && matches!(x, Value::Word(_)) => {
                let (x, y) = (self.word(x, bits)?, sources.get(1));
                Value::Word(self.half(domain, machine, function, x, (y, sources.get(2)))?)
            }
            function => match (x, sources.get(1)) {
                (Value::Word(x), Some(Operand::Immediate(k)))
                    if bits == self.word_bits && function.is_of_a_constant() =>
                {
                    Value::Word(domain.apply_constant(function, x, self.mask(*k)))
                }
                (Value::Word(_), y) if y.is_some() => {
                    if !function.is_of_two_words() {
                        return Err(format!("{function:?} has no meaning here"));
                    }
                    let x = self.word(x, bits)?;
                    let y = self.read(domain, machine, y, bits)?;
                    let y = self.word(y, bits)?;
                    Value::Word(domain.apply(function, x, y))
                }
                // Pointers and the count: what of them is needed.
                (_, Some(Operand::Immediate(k))) if bits == self.pointer_bits => {
                    let k = match function {
                        Function::Add => *k,
                        Function::Sub => -*k,
                        _ => return Err("a pointer is worked upon".to_owned()),
                    };
                    match x {
                        Value::Pointer(region, offset) => Value::Pointer(region, offset + k),
                        Value::Count(n) => Value::Count(n + k),
                        _ => return Err("what is worked upon is not known".to_owned()),
                    }
                }
                (Value::Count(n), Some(y))
                    if function == Function::Test
                        && Some(y) == operands.first()
                        && bits == self.pointer_bits =>
                {
                    Value::Count(n)
                }
                _ => return Err("what is worked upon is not known".to_owned()),
            },
        };
        if !line.keeps_flags {
            machine.zero = line.sets_zero.then_some(result);
            if line.function != Function::Add || !matches!(result, Value::Word(_)) {
                machine.carry = None;
            }
        }
        if line.function == Function::Test {
            return Ok(());
        }
        self.write(machine, to, result, bits)
    }

    /// What an instruction makes of halves.
    fn half<D: Domain>(
        &self,
        domain: &mut D,
        machine: &mut Machine<D::Word>,
        function: Function,
        x: D::Word,
        (y, z): (Option<&Operand>, Option<&Operand>),
    ) -> Result<D::Word, String> {
        let bits = self.word_bits;
        let term = match y {
            Some(Operand::Immediate(k)) => Term::Constant(self.mask(*k)),
            _ => {
                let y = self.read(domain, machine, y, bits)?;
                Term::Word(self.word(y, bits)?)
            }
        };
        match (function, term, z) {
            (Function::Add, y, None) => {
                let carry = halves::add(domain, x, y);
                machine.carry = Some(carry);
                Ok(carry.sum)
            }
            (Function::AddCarry, y, None) => {
                let carry = machine.carry.take().ok_or("there is no carry")?;
                let sum = halves::add_carry(domain, carry, x, y)?;
                // The lower half, wherever it is, is this word's.
                let known = machine.memory.values_mut().map(|(value, _)| value);
                for value in machine.registers.iter_mut().chain(known) {
                    if *value == Value::Word(carry.sum) {
                        *value = Value::Word(sum);
                    }
                }
                Ok(domain.apply_constant(Function::RotateRight, sum, 32))
            }
            (Function::ShiftRight, Term::Constant(n), None) => halves::shift(domain, x, n),
            (Function::ShiftRightFrom, Term::Word(y), Some(Operand::Immediate(n))) => {
                halves::shift_from(domain, x, y, self.mask(*n))
            }
            (Function::And | Function::Or | Function::Xor, Term::Word(y), None) => {
                Ok(domain.apply(function, x, y))
            }
            _ => Err(format!("{function:?} does nothing here to half a word")),
        }
    }

    pub(super) fn pointer_len(&self) -> i64 {
        i64::from(self.pointer_bits / 8)
    }

    /// Where the stack pointer points.
    pub(super) fn top(&self) -> Address {
        Address { bits: self.pointer_bits, ..Address::at(RSP, 0) }
    }

    pub(super) fn mask(&self, k: i64) -> u64 {
        k as u64 & (u64::MAX >> (64 - self.word_bits))
    }

    pub(super) fn word<W: Copy>(&self, value: Value<W>, bits: u32) -> Result<W, String> {
        match value {
            Value::Word(w) if bits == self.word_bits => Ok(w),
            Value::Word(_) => Err("a word is taken at another width".to_owned()),
            _ => Err("what is worked upon is no word".to_owned()),
        }
    }

    /// The sum that an address is, of words.
    pub(super) fn sum<D: Domain>(
        &self,
        domain: &mut D,
        machine: &Machine<D::Word>,
        address: Address,
        bits: u32,
    ) -> Result<Value<D::Word>, String> {
        let Base::Register(base) = address.base else {
            return Err("an address is taken of a constant".to_owned());
        };
        if self.in_halves {
            return Err("an address has no carry".to_owned());
        }
        if address.bits != self.pointer_bits {
            return Err("an address has another width".to_owned());
        }
        let mut sum = self.word(machine.registers[usize::from(base.0)], bits)?;
        if let Some(index) = address.index {
            let y = self.word(machine.registers[usize::from(index.0)], bits)?;
            sum = domain.apply(Function::Add, sum, y);
        }
        if address.displacement != 0 {
            sum = domain.apply_constant(Function::Add, sum, self.mask(address.displacement));
        }
        Ok(Value::Word(sum))
    }

    /// The bytes of a block.
    pub fn block_len(&self) -> i64 {
        self.block_len
    }

    /// The line of a label's number, if a branch back to it makes a loop.
    pub fn is_back(&self, stop: &Stop) -> bool {
        matches!(stop, Stop::Branch { at, to, if_zero: false, .. } if to < at)
    }
}

impl<W: Copy> Machine<W> {
    /// As a function finds it: `state` at the first argument, `words` at the
    /// second, each of `word_len` bytes.
    pub fn called(isa: Isa, state: &[W], words: &[Value<W>], word_len: i64) -> Self {
        let mut machine = Self {
            registers: [Value::Undefined; 16],
            memory: BTreeMap::new(),
            zero: None,
            carry: None,
        };
        for &saved in isa.saved() {
            machine.registers[usize::from(saved.0)] = Value::Callers(saved);
        }
        machine.registers[4] = Value::Pointer(Region::Stack, 0);
        let arguments =
            [Value::Pointer(Region::State, 0), Value::Pointer(Region::Words, 0), Value::Count(0)];
        let pointer_len = i64::from(isa.bits() / 8);
        for (i, argument) in (1..).zip(arguments) {
            if isa == Isa::I686 {
                let place = (Region::Stack, pointer_len * i);
                machine.memory.insert(place, (argument, pointer_len));
            } else {
                let register = ARGUMENTS[i as usize - 1];
                machine.registers[usize::from(register.0)] = argument;
            }
        }
        machine.memory.insert((Region::Stack, 0), (Value::Return, pointer_len));
        machine.set(
            Region::State,
            &state.iter().map(|w| Value::Word(*w)).collect::<Vec<_>>(),
            word_len,
        );
        machine.set(Region::Words, words, word_len);
        machine
    }

    /// What a branch back to the loop leaves of the flags is not known.
    pub fn forget_flags(&mut self) {
        (self.zero, self.carry) = (None, None);
    }

    fn set(&mut self, region: Region, values: &[Value<W>], word_len: i64) {
        for (i, value) in values.iter().enumerate() {
            self.memory.insert((region, i as i64 * word_len), (*value, word_len));
        }
    }

    /// Every place, with what it holds.
    pub fn places(&self) -> impl Iterator<Item = (Place, Value<W>)> + '_ {
        let registers =
            (0..16).map(|i| (Place::Register(Register(i)), self.registers[usize::from(i)]));
        let memory = self
            .memory
            .iter()
            .map(|(&(region, at), &(value, _))| (Place::Memory(region, at), value));
        registers.chain(memory)
    }

    /// What a place holds.
    pub fn get(&self, place: Place) -> Value<W> {
        match place {
            Place::Register(register) => self.registers[usize::from(register.0)],
            Place::Memory(region, at) => {
                self.memory.get(&(region, at)).map_or(Value::Undefined, |(value, _)| *value)
            }
        }
    }

    /// Puts a value into a place that is there.
    pub fn put(&mut self, place: Place, value: Value<W>) {
        match place {
            Place::Register(register) => self.registers[usize::from(register.0)] = value,
            Place::Memory(region, at) => {
                if let Some(cell) = self.memory.get_mut(&(region, at)) {
                    cell.0 = value;
                }
            }
        }
    }
}
