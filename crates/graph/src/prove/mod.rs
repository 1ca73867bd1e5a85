//! Proof that the text of a kernel computes the specification.
//!
//! The text, not what it was made from, is read and executed on symbols: twice
//! through its loop, by which every number of blocks is covered. The first pass
//! finds what stays true at the head of the loop; the second, from nothing but that,
//! shows that it stays true, and that the chaining value there is the specification's
//! of one block more. What the kernel must not do (a branch or an address that depends
//! on a word, a read of what is not known, a write outside of its frame and of
//! the chaining value) the [`machine`] has no meaning for.
//!
//! The same is first done on numbers, which refutes a wrong kernel faster.

pub mod binary;
pub mod domain;
mod halves;
pub mod machine;
mod memory;

use self::domain::{Domain, Nodes, Numbers};
use self::machine::{Fault, Machine, Place, Program, Region, Stop, Value};
use crate::emit::instruction::{Instruction, Operand, RSP};
use crate::emit::listing::{Line, Listing};
use crate::emit::semantics::{self, Function};
use crate::emit::{Isa, Target, Words};
use crate::eval::eval;
use crate::record::{Block, record, record_rounds};

/// The specification to hold kernels of one target against.
#[derive(Clone, Debug)]
pub struct Prover {
    target: Target,
    block: Block,
    /// Inputs of a trial, and the outputs.
    trials: Vec<(Vec<u64>, Vec<u64>)>,
}

impl Prover {
    /// The specification of `target`, as FIPS 180-4 writes it.
    pub fn new(target: Target) -> Self {
        let block = match target.words {
            Words::Expanded => record_rounds(target.family, false),
            Words::Block => record(target.family, false),
        };
        let bits = target.family.word_bits();
        let mut number = 0x9e37_79b9_7f4a_7c15u64;
        let trials = (0..2).map(|_| {
            let inputs: Vec<u64> = (0..block.state.len() + block.block.len())
                .map(|_| {
                    number ^= number << 13;
                    number ^= number >> 7;
                    number ^= number << 17;
                    number & (u64::MAX >> (64 - bits))
                })
                .collect();
            let values = eval(&block.graph, &inputs);
            let outputs = block.spec.outputs.iter().map(|id| values[id.index()]).collect();
            (inputs, outputs)
        });
        let trials = trials.collect();
        Self { target, block, trials }
    }

    /// Proves that `listing` computes the specification.
    ///
    /// # Errors
    ///
    /// The first fault: what the text does that kernels may not, or a word that
    /// is not shown to be the specification's.
    pub fn prove(&self, listing: &Listing) -> Result<(), Fault> {
        self.refute(listing)?;
        self.show(listing)
    }

    /// The proof alone, without numbers before it.
    ///
    /// # Errors
    ///
    /// As [`prove`](Self::prove).
    pub fn show(&self, listing: &Listing) -> Result<(), Fault> {
        self.check_instructions(listing)?;
        let mut nodes = Nodes { graph: self.block.graph.clone() };
        let (state, words) = (&self.block.state, &self.block.block);
        self.check(&mut nodes, listing, state, words, &self.block.spec.outputs)
    }

    /// The same on numbers alone, which shows faults but no more.
    ///
    /// # Errors
    ///
    /// As [`prove`](Self::prove).
    pub fn refute(&self, listing: &Listing) -> Result<(), Fault> {
        self.check_instructions(listing)?;
        for (inputs, outputs) in &self.trials {
            let (state, words) = inputs.split_at(self.block.state.len());
            let mut numbers = Numbers { bits: self.target.family.word_bits() };
            self.check(&mut numbers, listing, state, words, outputs)?;
        }
        Ok(())
    }

    /// Whether the kernel's CPUs have every instruction, and every register.
    fn check_instructions(&self, listing: &Listing) -> Result<(), Fault> {
        let isa = self.target.isa;
        for (i, line) in listing.lines.iter().enumerate() {
            let Line::Instruction(instruction, _) = line else { continue };
            let name = instruction.name.text();
            let what = match semantics::of(instruction.name).feature {
                Some(feature) if isa != Isa::Bmi2 => format!("{name} needs {feature}"),
                _ if isa == Isa::I686 && !is_narrow(instruction) => {
                    format!("{name} is of 64-bit code here")
                }
                _ => continue,
            };
            return Err(Fault { line: Some(i + 1), what });
        }
        Ok(())
    }

    fn check<D: Domain>(
        &self,
        domain: &mut D,
        listing: &Listing,
        state: &[D::Word],
        words: &[D::Word],
        outputs: &[D::Word],
    ) -> Result<(), Fault> {
        let target = self.target;
        let isa = target.isa;
        let state_len = state.len() as i64 * target.word_len();
        let bits = target.family.word_bits();
        let program = Program::new(listing, isa, bits, state_len, target.block_len())?;
        // As they lie in memory: a word, or its lower half and its upper one, which in bytes
        // as they come is the first.
        let word_len = target.word_len().min(i64::from(isa.bits() / 8));
        let mut parts = |words: &[D::Word], reversed: bool| -> Vec<D::Word> {
            if word_len == target.word_len() {
                return words.to_vec();
            }
            let halves = words.iter().flat_map(|&w| {
                let upper = domain.apply_constant(Function::RotateRight, w, 32);
                if reversed { [upper, w] } else { [w, upper] }
            });
            halves.collect()
        };
        let (state, outputs) = (&parts(state, false)[..], &parts(outputs, false)[..]);
        let words = match target.words {
            Words::Expanded => parts(words, false).into_iter().map(Value::Word).collect(),
            Words::Block => parts(words, true).into_iter().map(Value::Reversed).collect(),
        };
        let words: Vec<Value<D::Word>> = words;
        let proof = Proof { program, isa, state, outputs, word_len };
        let mut machine = Machine::called(isa, state, &words, word_len);

        // No blocks: straight to the caller, and nothing has changed.
        let stop = proof.program.run(domain, &mut machine, 0, None)?;
        let Stop::Branch { at, to, if_zero: true, count: 0 } = stop else {
            return Err(whole("it does not ask whether there are blocks"));
        };
        let mut none = machine.clone();
        proof.returns(domain, &mut none, to, state)?;

        // To the end of the first block: the branch back tells where the loop is.
        let mut first = machine.clone();
        let stop = proof.program.run(domain, &mut first, at + 1, None)?;
        let Stop::Branch { at: back, to: head, .. } = stop else {
            return Err(whole("it has no loop over blocks"));
        };
        if !proof.program.is_back(&stop) {
            return Err(whole("it has no loop over blocks"));
        }
        let reached = proof.program.run(domain, &mut machine, at + 1, Some(head))?;
        if reached != Stop::Reached {
            return Err(whole("it branches before its loop"));
        }

        // What holds at the head, for every block; then that it goes on to hold.
        let before = machine.clone();
        let roles: Vec<(Place, Role)> = before
            .places()
            .filter(is_not_a_word_of_the_block)
            .map(|(p, value)| (p, proof.role(domain, value, first.get(p))))
            .collect();
        for &(place, role) in &roles {
            if role == Role::Nothing {
                machine.put(place, Value::Undefined);
            }
        }
        machine.forget_flags();
        let stop = proof.program.run(domain, &mut machine, head, None)?;
        if stop != (Stop::Branch { at: back, to: head, if_zero: false, count: -1 }) {
            return Err(whole("it leaves its loop elsewhere"));
        }
        for (place, role) in roles {
            if role != Role::Nothing
                && proof.role(domain, before.get(place), machine.get(place)) != role
            {
                return Err(whole(&format!("{place:?} does not hold what the next block needs")));
            }
        }
        proof.returns(domain, &mut machine, back + 1, outputs)
    }
}

/// Whether an instruction is one of 32-bit code, which has eight registers.
fn is_narrow(instruction: &Instruction) -> bool {
    instruction.operands.iter().all(|operand| match operand {
        Operand::Register(register) => register.0 < 8 && instruction.bits == 32,
        Operand::Memory(address) => {
            address.bits == 32 && address.registers().all(|register| register.0 < 8)
        }
        Operand::Immediate(_) => instruction.bits == 32,
    })
}

fn whole(what: &str) -> Fault {
    Fault { line: None, what: what.to_owned() }
}

/// What a place is to the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// It may hold anything.
    Nothing,
    /// It stays as it is.
    Constant,
    /// A word of the chaining value.
    State(usize),
    /// Where the words of the next block are.
    Words,
    /// How many blocks are left.
    Count,
}

struct Proof<'a, W> {
    program: Program<'a>,
    isa: Isa,
    state: &'a [W],
    outputs: &'a [W],
    word_len: i64,
}

impl<W: Copy> Proof<'_, W> {
    /// What a place is that holds `before` at the head of the loop and `after` at
    /// its end.
    fn role<D: Domain<Word = W>>(&self, domain: &D, before: Value<W>, after: Value<W>) -> Role {
        match (before, after) {
            (Value::Word(x), Value::Word(y)) => {
                let is = |i: &usize| {
                    domain.equal(x, self.state[*i]) && domain.equal(y, self.outputs[*i])
                };
                (0..self.state.len()).find(is).map_or(Role::Nothing, Role::State)
            }
            // The next block's words are the second argument's, once the pointer
            // has gone on by a block.
            (Value::Pointer(Region::Words, 0), Value::Pointer(Region::Words, n))
                if n == self.program.block_len() =>
            {
                Role::Words
            }
            (Value::Pointer(Region::Words, _), _) => Role::Nothing,
            (Value::Pointer(..) | Value::Callers(_) | Value::Return, after)
                if same(before, after) =>
            {
                Role::Constant
            }
            (Value::Count(0), Value::Count(-1)) => Role::Count,
            _ => Role::Nothing,
        }
    }

    /// Runs from a line to the caller, and looks at what it finds.
    fn returns<D: Domain<Word = W>>(
        &self,
        domain: &mut D,
        machine: &mut Machine<W>,
        from: usize,
        state: &[W],
    ) -> Result<(), Fault> {
        if self.program.run(domain, machine, from, None)? != Stop::Returned {
            return Err(whole("it branches after its loop"));
        }
        for (i, &word) in state.iter().enumerate() {
            let place = Place::Memory(Region::State, i as i64 * self.word_len);
            match machine.get(place) {
                Value::Word(found) if domain.equal(found, word) => {}
                _ => return Err(whole(&format!("word {i} of the chaining value is not shown"))),
            }
        }
        for &saved in self.isa.saved() {
            match machine.get(Place::Register(saved)) {
                Value::Callers(found) if found == saved => {}
                _ => {
                    return Err(whole(&format!(
                        "it does not give {} back",
                        saved.name(self.isa.bits())
                    )));
                }
            }
        }
        match machine.get(Place::Register(RSP)) {
            Value::Pointer(Region::Stack, popped) if popped == i64::from(self.isa.bits() / 8) => {
                Ok(())
            }
            _ => Err(whole("the stack pointer is not the caller's")),
        }
    }
}

/// The block's words are there for every block; nothing can write to them.
fn is_not_a_word_of_the_block<W>((place, _): &(Place, Value<W>)) -> bool {
    !matches!(place, Place::Memory(Region::Words, _))
}

fn same<W>(x: Value<W>, y: Value<W>) -> bool {
    match (x, y) {
        (Value::Pointer(r, n), Value::Pointer(q, m)) => r == q && n == m,
        (Value::Callers(r), Value::Callers(q)) => r == q,
        (Value::Return, Value::Return) => true,
        _ => false,
    }
}
