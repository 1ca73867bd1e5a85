//! Instructions, instruction sets, and programs for registers.

use lanesum_graph::graph::{Graph, Id, Op};

/// An operation on words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Primitive {
    /// ROTR^n(x).
    Rotr(u32),
    /// SHR^n(x).
    Shr(u32),
    /// x shifted left by n.
    Shl(u32),
    /// x ⊕ y.
    Xor,
    /// x ∧ y.
    And,
    /// x ∨ y.
    Or,
    /// x ∧ ¬y.
    AndNot,
    /// x + y.
    Add,
    /// x − y.
    Sub,
    /// ¬x.
    Not,
    /// The bitwise function of x, y and z with this truth table: bit 4x + 2y + z.
    Ternary(u8),
}

impl Primitive {
    /// The number of operands.
    pub fn arity(self) -> usize {
        match self {
            Self::Rotr(_) | Self::Shr(_) | Self::Shl(_) | Self::Not => 1,
            Self::Ternary(_) => 3,
            _ => 2,
        }
    }

    pub(super) fn commutes(self) -> bool {
        !matches!(self, Self::AndNot | Self::Sub)
    }

    /// Adds the operation to a graph.
    fn node(self, graph: &mut Graph, [x, y, z]: [Id; 3]) -> Id {
        let op = match self {
            Self::Rotr(n) => Op::Rotr(x, n),
            Self::Shr(n) => Op::Shr(x, n),
            Self::Shl(n) => Op::Shl(x, n),
            Self::Not => Op::Not(x),
            Self::And => Op::And(x, y),
            Self::Or => Op::Or(x, y),
            Self::Xor => Op::Xor(x, y),
            Self::AndNot => Op::AndNot(x, y),
            Self::Add => Op::Add(x, y),
            Self::Sub => Op::Sub(x, y),
            Self::Ternary(table) => {
                let mut sum = graph.node(Op::Const(0));
                for row in (0..8u8).filter(|row| table >> row & 1 == 1) {
                    let product = [(x, 4), (y, 2), (z, 1)].map(|(word, bit)| {
                        if row & bit != 0 { word } else { graph.node(Op::Not(word)) }
                    });
                    let [x, y, z] = product;
                    let xy = graph.node(Op::And(x, y));
                    let product = graph.node(Op::And(xy, z));
                    sum = graph.node(Op::Xor(sum, product));
                }
                return sum;
            }
        };
        graph.node(op)
    }
}

/// An instruction, with the indices of its operands: the inputs, then the results of earlier
/// instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Expression {
    /// The operation.
    pub operation: Primitive,
    /// The operands. If the operation has fewer than three, the last one is repeated.
    pub operands: [usize; 3],
}

/// Which instructions overwrite an operand with their result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overwrites {
    /// None: all results go to a new register.
    Nothing,
    /// All of them, as in general registers before BMI.
    Everything,
    /// All except rotations (rorx) and ∧¬ (andn), as in general registers with BMI.
    AllButBmi,
    /// Functions of three words, as in AVX-512.
    Ternary,
}

/// An instruction set.
#[derive(Clone, Debug)]
pub struct Set {
    /// Its name in tables.
    pub name: &'static str,
    /// Its operations with at most two operands.
    pub operations: Vec<Primitive>,
    /// Whether it has every bitwise function of three words.
    pub ternary: bool,
    /// Which instructions overwrite an operand. A copy (mov) is an instruction.
    pub overwrites: Overwrites,
}

impl Set {
    /// The operands that an instruction may overwrite; none if its result goes to a new register.
    pub(super) fn overwritten(&self, operation: Primitive) -> &'static [usize] {
        match (self.overwrites, operation) {
            (Overwrites::Nothing, _)
            | (Overwrites::AllButBmi, Primitive::Rotr(_) | Primitive::AndNot) => &[],
            (Overwrites::Ternary, operation) if operation.arity() < 3 => &[],
            (_, Primitive::Ternary(_)) => &[0, 1, 2],
            // pandn overwrites the operand that it complements.
            (_, Primitive::AndNot) => &[1],
            (_, Primitive::And | Primitive::Or | Primitive::Xor | Primitive::Add) => &[0, 1],
            _ => &[0],
        }
    }
}

/// A line of a program for registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The operation; none for a copy.
    pub operation: Option<Primitive>,
    /// The register of the result.
    pub to: usize,
    /// The registers of the operands.
    pub from: [usize; 3],
}

/// A program for registers. The first registers contain the inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StraightLine {
    /// Its instructions, with copies.
    pub lines: Vec<Assignment>,
    /// The registers of the results.
    pub results: Vec<usize>,
}

impl StraightLine {
    /// Orders instructions such that the fewest copies are needed, and assigns registers. `results` are the
    /// indices of the words that must exist at the end, and `survivors` has a bit for each input that must.
    pub(super) fn new(
        set: &Set,
        inputs: usize,
        instructions: &[Expression],
        results: &[usize],
        survivors: u32,
    ) -> Self {
        let mut orders =
            Linearization { set, inputs, instructions, results, survivors, best: None };
        orders.extend(&mut Vec::new(), 0);
        let (_, order) = orders.best.clone().expect("instructions have an order");
        let mut program = Self { lines: Vec::new(), results: Vec::new() };
        let mut register: Vec<usize> = (0..inputs + instructions.len()).collect();
        let mut free = inputs;
        let mut new = || {
            free += 1;
            free - 1
        };
        for (at, &next) in order.iter().enumerate() {
            let Expression { operation, operands } = instructions[next];
            let mut from = operands.map(|x| register[x]);
            let overwritable = set.overwritten(operation);
            let dead = overwritable.iter().find(|&&i| orders.dies(&order[..at], next, operands[i]));
            let to = match (dead, overwritable.first()) {
                (Some(&i), _) => from[i],
                (None, None) => new(),
                (None, Some(&i)) => {
                    let to = new();
                    let copied = from[i];
                    program.lines.push(Assignment { operation: None, to, from: [copied; 3] });
                    from.iter_mut().filter(|from| **from == copied).for_each(|from| *from = to);
                    to
                }
            };
            program.lines.push(Assignment { operation: Some(operation), to, from });
            register[inputs + next] = to;
        }
        program.results = results.iter().map(|&x| register[x]).collect();
        program
    }

    /// The program as a formula for each line.
    pub fn text(&self, inputs: &[&str]) -> String {
        let name = |register: usize| match inputs.get(register) {
            Some(&name) => name.to_owned(),
            None => char::from(b"tuvwpqrs"[register - inputs.len()]).to_string(),
        };
        let line = |line: &Assignment| {
            let [x, y, z] = line.from.map(name);
            let to = name(line.to);
            match line.operation {
                None => format!("{to} = {x}"),
                Some(Primitive::Rotr(n)) => format!("{to} = {x} ⋙ {n}"),
                Some(Primitive::Shr(n)) => format!("{to} = {x} ≫ {n}"),
                Some(Primitive::Shl(n)) => format!("{to} = {x} ≪ {n}"),
                Some(Primitive::Not) => format!("{to} = ¬{x}"),
                Some(Primitive::And) => format!("{to} = {x} ∧ {y}"),
                Some(Primitive::Or) => format!("{to} = {x} ∨ {y}"),
                Some(Primitive::Xor) => format!("{to} = {x} ⊕ {y}"),
                Some(Primitive::AndNot) => format!("{to} = {x} ∧ ¬{y}"),
                Some(Primitive::Add) => format!("{to} = {x} + {y}"),
                Some(Primitive::Sub) => format!("{to} = {x} − {y}"),
                Some(Primitive::Ternary(table)) => {
                    format!("{to} = ternary {table:#04x} of {x}, {y}, {z}")
                }
            }
        };
        if self.lines.is_empty() {
            return "-".to_owned();
        }
        self.lines.iter().map(line).collect::<Vec<_>>().join("; ")
    }

    /// Adds the results of the program to a graph.
    pub(super) fn nodes(&self, graph: &mut Graph, inputs: &[Id]) -> Vec<Id> {
        let mut registers: Vec<Id> = inputs.to_vec();
        for line in &self.lines {
            let from = line.from.map(|register| registers[register]);
            let word = line.operation.map_or(from[0], |operation| operation.node(graph, from));
            registers.resize(registers.len().max(line.to + 1), word);
            registers[line.to] = word;
        }
        self.results.iter().map(|&register| registers[register]).collect()
    }
}

/// A search for the order with the fewest copies.
struct Linearization<'a> {
    set: &'a Set,
    inputs: usize,
    instructions: &'a [Expression],
    results: &'a [usize],
    survivors: u32,
    best: Option<(usize, Vec<usize>)>,
}

impl Linearization<'_> {
    /// Whether no instruction needs `word` any more after the instructions `done` and `next`.
    fn dies(&self, done: &[usize], next: usize, word: usize) -> bool {
        let survives = self.survivors >> word & 1 == 1 || self.results.contains(&word);
        let used_by = |i: usize| self.instructions[i].operands.contains(&word);
        !survives
            && (0..self.instructions.len()).all(|i| i == next || done.contains(&i) || !used_by(i))
    }

    fn extend(&mut self, done: &mut Vec<usize>, copies: usize) {
        if self.best.as_ref().is_some_and(|(best, _)| copies >= *best) {
            return;
        }
        if done.len() == self.instructions.len() {
            self.best = Some((copies, done.clone()));
            return;
        }
        for next in 0..self.instructions.len() {
            let Expression { operation, operands } = self.instructions[next];
            let ready = |&x: &usize| x < self.inputs || done.contains(&(x - self.inputs));
            if done.contains(&next) || !operands.iter().all(ready) {
                continue;
            }
            let overwritable = self.set.overwritten(operation);
            let copied = !overwritable.is_empty()
                && !overwritable.iter().any(|&i| self.dies(done, next, operands[i]));
            done.push(next);
            self.extend(done, copies + usize::from(copied));
            done.pop();
        }
    }
}
