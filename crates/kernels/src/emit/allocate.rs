//! Converts operations in a given order to instructions: assigns registers, and spills
//! words to the stack.

use std::collections::{HashMap, HashSet};

use super::instruction::{AsmAddress, AsmInstruction, AsmOperand, Base, LaneIsa, Name, Register};
use lanesum_graph::graph::{Graph, Id, Op};

/// The computation of a word of a register's width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// An operation.
    Op(Op),
    /// A sum whose carry the next step uses.
    Carrying(Op),
    /// A sum that uses the carry of the previous step.
    Carried(Op),
    /// The first word shifted right by a number of bits, filled with bits of the second.
    Funnel(Id, Id, u32),
    /// A word that needs no instruction.
    Unknown,
}

impl Step {
    /// The words that it reads.
    pub fn operands(self) -> impl Iterator<Item = Id> {
        let (op, funnel) = match self {
            Self::Op(op) | Self::Carrying(op) | Self::Carried(op) => (Some(op), None),
            Self::Funnel(x, y, _) => (None, Some([x, y])),
            Self::Unknown => (None, None),
        };
        op.into_iter().flat_map(Op::operands).chain(funnel.into_iter().flatten())
    }
}

/// Steps for words of one width, by the number of the word.
#[derive(Clone, Debug)]
pub struct Steps {
    /// The width.
    pub bits: u32,
    /// The steps.
    pub all: Vec<Step>,
}

impl Steps {
    /// One step for each operation of a graph.
    pub fn of(graph: &Graph) -> Self {
        let all = graph.ids().map(|id| Step::Op(graph.op(id))).collect();
        Self { bits: graph.width(), all }
    }
}

/// A word that is also in memory loses its register if it is not used within this many
/// operations.
const NEAR: usize = 60;

/// The locations of words before the first operation, and the available locations.
#[derive(Clone, Debug)]
pub struct Places {
    /// Available registers, the preferred ones first.
    pub registers: Vec<Register>,
    /// Words in registers.
    pub held: Vec<(Id, Register)>,
    /// Words in memory, which may also be in registers.
    pub homes: HashMap<Id, AsmAddress>,
    /// Words to store as soon as they are computed.
    pub stores: HashMap<Id, AsmAddress>,
    /// Words that must be in memory at the end.
    pub kept: HashMap<Id, AsmAddress>,
    /// The memory for consecutive spilled words.
    pub spills: AsmAddress,
    /// The address of the table of constants.
    pub constants: Base,
    /// The form of the instructions.
    pub form: InstructionForm,
}

/// The operands of an instruction set's instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionForm {
    /// General registers: the destination is the first source.
    Destructive,
    /// General registers, with the separate destinations of BMI1 and BMI2.
    Bmi,
    /// Vectors, with separate destinations.
    Vector(LaneIsa),
}

impl Places {
    /// The size of a register in memory, in bytes.
    fn register_len(&self, bits: u32) -> i64 {
        match self.form {
            InstructionForm::Vector(isa) => isa.vector_len() as i64,
            _ => i64::from(bits / 8),
        }
    }
}

/// The result of an allocation.
#[derive(Clone, Debug)]
pub struct Allocated {
    /// The instructions.
    pub instructions: Vec<AsmInstruction>,
    /// The location of each requested word.
    pub results: Vec<Register>,
    /// The constants read from memory, in order.
    pub constants: Vec<u64>,
    /// The number of spilled words on the stack.
    pub spilled: usize,
}

struct Allocator<'a> {
    steps: &'a Steps,
    places: &'a Places,
    /// The positions at which each word is used, last first.
    uses: Vec<Vec<usize>>,
    register_of: Vec<Option<Register>>,
    held: [Option<Id>; 32],
    homes: HashMap<Id, AsmAddress>,
    /// Registers that the current operation reads.
    busy: Vec<Register>,
    now: usize,
    out: Allocated,
}

/// Assigns registers to the operations of `order`. `results` must be in registers at
/// the end.
pub fn allocate(steps: &Steps, order: &[Id], results: &[Id], places: &Places) -> Allocated {
    let mut uses = vec![Vec::new(); steps.all.len()];
    results.iter().for_each(|id| uses[id.index()].push(order.len()));
    for (position, &id) in order.iter().enumerate().rev() {
        for operand in steps.all[id.index()].operands() {
            uses[operand.index()].push(position);
        }
    }
    let mut allocator = Allocator {
        steps,
        places,
        uses,
        register_of: vec![None; steps.all.len()],
        held: [None; 32],
        homes: places.homes.clone(),
        busy: Vec::new(),
        now: 0,
        out: Allocated {
            instructions: Vec::with_capacity(order.len() * 5 / 4),
            results: Vec::new(),
            constants: Vec::new(),
            spilled: 0,
        },
    };
    for &(id, register) in &places.held {
        allocator.put(id, register);
    }
    for (position, &id) in order.iter().enumerate() {
        allocator.now = position;
        allocator.step(id);
    }
    allocator.now = order.len();
    allocator.busy.clear();
    for &id in results {
        let register = allocator.in_register(id);
        allocator.busy.push(register);
        allocator.out.results.push(register);
    }
    drop_unread(&mut allocator.out.instructions, places);
    allocator.out
}

/// Removes the stores of words that were in a register at every use: their memory is
/// not read before it is overwritten.
fn drop_unread(instructions: &mut Vec<AsmInstruction>, places: &Places) {
    let wanted: HashSet<AsmAddress> = places.stores.values().copied().collect();
    let mut read: HashSet<AsmAddress> = HashSet::new();
    let mut keep = vec![true; instructions.len()];
    for (instruction, keep) in instructions.iter().zip(&mut keep).rev() {
        let sources = match instruction.operands[..] {
            [AsmOperand::Memory(to), _] if matches!(instruction.name, Name::Mov | Name::Vmov) => {
                *keep = !wanted.contains(&to) || read.remove(&to);
                &instruction.operands[1..]
            }
            _ => &instruction.operands[..],
        };
        read.extend(sources.iter().filter_map(|source| match source {
            AsmOperand::Memory(address) => Some(*address),
            _ => None,
        }));
    }
    let mut keep = keep.into_iter();
    instructions.retain(|_| keep.next().unwrap_or(true));
}

impl Allocator<'_> {
    fn emit(&mut self, name: Name, operands: &[AsmOperand]) {
        let vector = match self.places.form {
            InstructionForm::Vector(isa) => Some(isa),
            _ => None,
        };
        let instruction = AsmInstruction::new(name, self.steps.bits, operands);
        self.out.instructions.push(AsmInstruction { vector, ..instruction });
    }

    fn is_vector(&self) -> bool {
        matches!(self.places.form, InstructionForm::Vector(_))
    }

    fn move_to(&mut self, to: AsmOperand, from: AsmOperand) {
        let name = if self.is_vector() { Name::Vmov } else { Name::Mov };
        self.emit(name, &[to, from]);
    }

    fn put(&mut self, id: Id, register: Register) {
        self.held[usize::from(register.0)] = Some(id);
        self.register_of[id.index()] = Some(register);
    }

    fn drop_register(&mut self, register: Register) {
        if let Some(id) = self.held[usize::from(register.0)].take() {
            self.register_of[id.index()] = None;
        }
    }

    /// The position of the next use after the current operation.
    fn next_use(&self, id: Id) -> Option<usize> {
        self.uses[id.index()].iter().rev().copied().find(|&position| position > self.now)
    }

    /// Whether the current operation may overwrite the register of `id`.
    fn spent(&self, id: Id) -> bool {
        match self.next_use(id) {
            None => true,
            Some(next) => self.homes.contains_key(&id) && next > self.now + NEAR,
        }
    }

    /// Returns a free register, and marks it as busy.
    fn fresh(&mut self) -> Register {
        let free =
            |a: &Self, r: &Register| !a.busy.contains(r) && a.held[usize::from(r.0)].is_none();
        let all = &self.places.registers;
        let found = all.iter().copied().find(|r| free(self, r));
        let register = found.unwrap_or_else(|| self.evict());
        self.busy.push(register);
        register
    }

    /// Frees the register whose word has the furthest next use; words in memory count as
    /// slightly further.
    fn evict(&mut self) -> Register {
        let key = |register: &Register| {
            let id = self.held[usize::from(register.0)].expect("none is free");
            let next = self.next_use(id).unwrap_or(usize::MAX / 2);
            next + if self.homes.contains_key(&id) { 2 * NEAR } else { 0 }
        };
        let candidates = self.places.registers.iter().filter(|r| !self.busy.contains(r));
        let register = *candidates.max_by_key(|r| key(r)).expect("more registers than operands");
        let id = self.held[usize::from(register.0)].expect("none is free");
        if !self.homes.contains_key(&id) && self.next_use(id).is_some() {
            let len = self.places.register_len(self.steps.bits);
            let mut address = self.places.spills;
            address.displacement += self.out.spilled as i64 * len;
            self.out.spilled += 1;
            self.homes.insert(id, address);
            self.move_to(AsmOperand::Memory(address), AsmOperand::Register(register));
        }
        self.drop_register(register);
        register
    }

    /// Returns the word as an operand that may be in memory.
    fn operand(&mut self, id: Id) -> AsmOperand {
        match self.register_of[id.index()] {
            Some(register) => AsmOperand::Register(register),
            None => match self.homes.get(&id) {
                Some(&address) => AsmOperand::Memory(address),
                None => panic!("{:?} is nowhere", self.steps.all[id.index()]),
            },
        }
    }

    /// Returns the word in a register, and loads it if necessary.
    fn in_register(&mut self, id: Id) -> Register {
        match self.operand(id) {
            AsmOperand::Register(register) => register,
            operand => {
                let register = self.fresh();
                self.move_to(AsmOperand::Register(register), operand);
                self.put(id, register);
                register
            }
        }
    }

    /// Returns a copy of the word that may be overwritten.
    fn copy(&mut self, id: Id) -> Register {
        let operand = self.operand(id);
        match operand {
            AsmOperand::Register(register) if self.spent(id) => {
                self.drop_register(register);
                register
            }
            operand => {
                let register = self.fresh();
                self.move_to(AsmOperand::Register(register), operand);
                register
            }
        }
    }

    /// Frees the registers of words whose last use is the current operation.
    fn release(&mut self, id: Id) {
        for operand in self.steps.all[id.index()].operands() {
            if let Some(register) = self.register_of[operand.index()]
                && self.spent(operand)
            {
                self.drop_register(register);
                self.busy.retain(|r| *r != register);
            }
        }
    }

    fn constant(&mut self, k: u64) -> AsmOperand {
        let signed = if self.steps.bits == 64 { k as i64 } else { i64::from(k as u32 as i32) };
        if !self.is_vector() && i32::try_from(signed).is_ok() {
            return AsmOperand::Immediate(signed);
        }
        let place = self.out.constants.iter().position(|c| *c == k).unwrap_or_else(|| {
            self.out.constants.push(k);
            self.out.constants.len() - 1
        });
        let broadcasts = match self.places.form {
            InstructionForm::Vector(isa) => isa.is_ternary(),
            _ => false,
        };
        let len = match broadcasts {
            true => i64::from(self.steps.bits / 8),
            false => self.places.register_len(self.steps.bits),
        };
        let displacement = place as i64 * len;
        let address =
            AsmAddress { base: self.places.constants, index: None, displacement, bits: 64 };
        if broadcasts { AsmOperand::Broadcast(address) } else { AsmOperand::Memory(address) }
    }

    fn step(&mut self, id: Id) {
        // An operand must not be evicted for another one.
        let step = self.steps.all[id.index()];
        self.busy.clear();
        let held = step.operands().filter_map(|o| self.register_of[o.index()]);
        self.busy.extend(held);
        let to = match step {
            Step::Op(Op::Input(_)) => return,
            Step::Unknown => panic!("no instructions do this: expand the form first"),
            Step::Op(op) if self.is_vector() => self.vector_operation(id, op),
            Step::Op(op) => self.operation(id, op),
            Step::Carrying(op) => self.sum(Name::Add, op),
            Step::Carried(op) => self.sum(Name::Adc, op),
            Step::Funnel(x, y, n) => {
                let y = self.in_register(y);
                let to = self.copy(x);
                let n = AsmOperand::Immediate(i64::from(n));
                self.emit(Name::Shrd, &[AsmOperand::Register(to), AsmOperand::Register(y), n]);
                to
            }
        };
        self.release(id);
        self.put(id, to);
        let to_memory = self.places.stores.get(&id).or_else(|| self.places.kept.get(&id));
        if let Some(&address) = to_memory {
            self.move_to(AsmOperand::Memory(address), AsmOperand::Register(to));
            self.homes.insert(id, address);
        }
        if self.uses[id.index()].is_empty() {
            self.drop_register(to);
        }
    }

    /// A sum whose carry is used: it must not be replaced, or separated from its user.
    fn sum(&mut self, name: Name, op: Op) -> Register {
        match op {
            Op::Add(x, y) => self.in_place(name, x, y),
            Op::AddConst(x, k) => {
                let k = self.constant(k);
                let to = self.copy(x);
                self.emit(name, &[AsmOperand::Register(to), k]);
                to
            }
            other => panic!("{other:?} has no carry"),
        }
    }

    fn operation(&mut self, id: Id, op: Op) -> Register {
        match op {
            Op::Input(_) => panic!("an input is nowhere"),
            Op::Const(k) => {
                let k = self.constant(k);
                let to = self.fresh();
                self.emit(Name::Mov, &[AsmOperand::Register(to), k]);
                to
            }
            Op::Add(x, y) => self.commutative(id, Name::Add, x, y),
            Op::And(x, y) => self.commutative(id, Name::And, x, y),
            Op::Or(x, y) => self.commutative(id, Name::Or, x, y),
            Op::Xor(x, y) => self.commutative(id, Name::Xor, x, y),
            Op::Sub(x, y) => {
                let y = self.operand(y);
                let to = self.copy(x);
                self.emit(Name::Sub, &[AsmOperand::Register(to), y]);
                to
            }
            Op::AddConst(x, k) => self.add_constant(id, x, k),
            Op::Lea(x, y, k) => self.add_address(id, x, y, k),
            Op::AndNot(x, y) if self.places.form == InstructionForm::Bmi => {
                let y = self.in_register(y);
                let x = self.operand(x);
                self.release(id);
                let to = self.fresh();
                self.emit(Name::Andn, &[AsmOperand::Register(to), AsmOperand::Register(y), x]);
                to
            }
            Op::AndNot(x, y) => {
                let x = self.operand(x);
                let to = self.copy(y);
                self.emit(Name::Not, &[AsmOperand::Register(to)]);
                self.emit(Name::And, &[AsmOperand::Register(to), x]);
                to
            }
            Op::Not(x) => {
                let to = self.copy(x);
                self.emit(Name::Not, &[AsmOperand::Register(to)]);
                to
            }
            Op::Rotr(x, n) if self.places.form == InstructionForm::Bmi => {
                let x = self.operand(x);
                self.release(id);
                let to = self.fresh();
                let n = AsmOperand::Immediate(i64::from(n));
                self.emit(Name::Rorx, &[AsmOperand::Register(to), x, n]);
                to
            }
            Op::Rotr(x, n) => self.by_constant(Name::Ror, x, n),
            Op::Shr(x, n) => self.by_constant(Name::Shr, x, n),
            Op::Shl(x, n) => self.by_constant(Name::Shl, x, n),
            Op::Ch(..) | Op::Maj(..) | Op::Xor3(..) => {
                panic!("no instruction here has three sources: expand the form first")
            }
        }
    }

    fn vector_operation(&mut self, id: Id, op: Op) -> Register {
        let (name, x, y) = match op {
            Op::Const(k) => {
                let k = self.constant(k);
                let to = self.fresh();
                self.move_to(AsmOperand::Register(to), k);
                return to;
            }
            Op::Add(x, y) => self.one_in_register(Name::Vadd, x, y),
            Op::And(x, y) => self.one_in_register(Name::Vand, x, y),
            Op::Or(x, y) => self.one_in_register(Name::Vor, x, y),
            Op::Xor(x, y) => self.one_in_register(Name::Vxor, x, y),
            Op::Sub(x, y) => (Name::Vsub, self.in_register(x), self.operand(y)),
            // The complement is of the first source.
            Op::AndNot(x, y) => (Name::Vandn, self.in_register(y), self.operand(x)),
            Op::AddConst(x, k) => (Name::Vadd, self.in_register(x), self.constant(k)),
            Op::Not(x) => (Name::Vxor, self.in_register(x), self.constant(u64::MAX)),
            Op::Shr(x, n) => (Name::Vshr, self.in_register(x), AsmOperand::Immediate(i64::from(n))),
            Op::Shl(x, n) => (Name::Vshl, self.in_register(x), AsmOperand::Immediate(i64::from(n))),
            Op::Rotr(x, n) => {
                (Name::Vror, self.in_register(x), AsmOperand::Immediate(i64::from(n)))
            }
            Op::Ch(x, y, z) => return self.ternary([x, y, z], |[x, y, z]| if x { y } else { z }),
            Op::Maj(x, y, z) => {
                return self.ternary([x, y, z], |[x, y, z]| x && (y || z) || y && z);
            }
            Op::Xor3(x, y, z) => return self.ternary([x, y, z], |[x, y, z]| x ^ y ^ z),
            Op::Input(_) | Op::Lea(..) => panic!("no vector instruction does {op:?}"),
        };
        self.release(id);
        let to = self.fresh();
        self.emit(name, &[AsmOperand::Register(to), AsmOperand::Register(x), y]);
        to
    }

    /// A function of the bits of three words: the destination is the first source, and the last may
    /// be in memory.
    fn ternary(&mut self, words: [Id; 3], function: impl Fn([bool; 3]) -> bool) -> Register {
        let held = |a: &Self, i: usize| a.register_of[words[i].index()].is_some();
        let first = (0..3).find(|&i| held(self, i) && self.spent(words[i])).unwrap_or(0);
        let (second, third) = ((first + 1) % 3, (first + 2) % 3);
        let (second, third) = if held(self, second) || !held(self, third) {
            (second, third)
        } else {
            (third, second)
        };
        let table: i64 = (0..8)
            .map(|bits: i64| {
                let mut values = [false; 3];
                values[first] = bits & 4 != 0;
                values[second] = bits & 2 != 0;
                values[third] = bits & 1 != 0;
                i64::from(function(values)) << bits
            })
            .sum();
        let source = self.in_register(words[second]);
        let last = self.operand(words[third]);
        let to = self.copy(words[first]);
        let operands = [AsmOperand::Register(to), AsmOperand::Register(source), last];
        let table = AsmOperand::Immediate(table);
        self.emit(Name::Vternary, &[operands[0], operands[1], operands[2], table]);
        to
    }

    /// The operands of a commutative vector instruction: only the second may be in memory.
    fn one_in_register(&mut self, name: Name, x: Id, y: Id) -> (Name, Register, AsmOperand) {
        let held = |id: Id| self.register_of[id.index()].is_some();
        let (x, y) = if held(x) || !held(y) { (x, y) } else { (y, x) };
        (name, self.in_register(x), self.operand(y))
    }

    fn by_constant(&mut self, name: Name, x: Id, n: u32) -> Register {
        let to = self.copy(x);
        self.emit(name, &[AsmOperand::Register(to), AsmOperand::Immediate(i64::from(n))]);
        to
    }

    fn commutative(&mut self, id: Id, name: Name, x: Id, y: Id) -> Register {
        let held = |a: &Self, id: Id| a.register_of[id.index()].is_some();
        let over = |a: &Self, id: Id| held(a, id) && a.spent(id);
        let both = held(self, x) && held(self, y);
        if name == Name::Add && both && !over(self, x) && !over(self, y) && x != y {
            return self.add_address(id, x, y, 0);
        }
        self.in_place(name, x, y)
    }

    fn in_place(&mut self, name: Name, x: Id, y: Id) -> Register {
        let held = |a: &Self, id: Id| a.register_of[id.index()].is_some();
        let over = |a: &Self, id: Id| held(a, id) && a.spent(id);
        // The overwritten operand: one that is not used again, or else one in memory,
        // whose load is a copy.
        let (x, y) =
            if over(self, x) || (!over(self, y) && !held(self, x)) { (x, y) } else { (y, x) };
        let source = self.operand(y);
        let to = self.copy(x);
        self.emit(name, &[AsmOperand::Register(to), source]);
        to
    }

    fn add_constant(&mut self, id: Id, x: Id, k: u64) -> Register {
        match (self.constant(k), self.register_of[x.index()]) {
            (AsmOperand::Immediate(k), Some(register)) if !self.spent(x) => {
                self.busy.push(register);
                self.release(id);
                let to = self.fresh();
                let bits = self.places.spills.bits;
                let address =
                    AsmOperand::Memory(AsmAddress { bits, ..AsmAddress::at(register, k) });
                self.emit(Name::Lea, &[AsmOperand::Register(to), address]);
                to
            }
            (k @ AsmOperand::Memory(_), Some(register)) if !self.spent(x) => {
                self.busy.push(register);
                let to = self.fresh();
                self.emit(Name::Mov, &[AsmOperand::Register(to), k]);
                self.emit(Name::Add, &[AsmOperand::Register(to), AsmOperand::Register(register)]);
                to
            }
            (k, _) => {
                let to = self.copy(x);
                self.emit(Name::Add, &[AsmOperand::Register(to), k]);
                to
            }
        }
    }

    fn add_address(&mut self, id: Id, x: Id, y: Id, k: u64) -> Register {
        let constant = self.constant(k);
        let AsmOperand::Immediate(displacement) = constant else {
            let to = self.commutative(id, Name::Add, x, y);
            self.emit(Name::Add, &[AsmOperand::Register(to), constant]);
            return to;
        };
        let x = self.in_register(x);
        let y = self.in_register(y);
        self.release(id);
        let to = self.fresh();
        let bits = self.places.spills.bits;
        let address = AsmAddress { base: Base::Register(x), index: Some(y), displacement, bits };
        self.emit(Name::Lea, &[AsmOperand::Register(to), AsmOperand::Memory(address)]);
        to
    }
}
