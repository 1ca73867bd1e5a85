//! A complete kernel: entry, a loop over blocks around the rounds, and return.
//!
//! A kernel uses the C calling convention of x86-64 (System V), with the arguments
//! chaining value, words, and number of blocks. Between blocks, the chaining value is
//! in registers, and also in the frame for the final addition.

use std::collections::HashMap;

use lanesum_spec::Family;

use super::allocate::{Allocated, InstructionForm, Places, Steps, allocate};
use super::i686;
use super::instruction::{AsmAddress, AsmOperand, Base, Name, RSP, Register};
use super::listing::{Line, Listing, Writer};
use super::order::{Operations, Orderable, Times};
use super::shape::{Shaped, WordSource, shape, shape_fewest};
use super::target::{Isa, Target};
use lanesum_graph::graph::Id;
use lanesum_graph::rewrite::NotProven;

/// The registers of the first three arguments.
pub const ARGUMENTS: [Register; 3] = [RDI, RSI, RDX];

const RDI: Register = Register(7);
const RSI: Register = Register(6);
const RDX: Register = Register(2);
/// All registers except the stack pointer and `rsi`, those with short encodings first.
const GENERAL: [u8; 14] = [0, 1, 2, 3, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// A kernel whose operations can have any order.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Its target.
    pub target: Target,
    /// Its graph.
    pub shaped: Shaped,
    /// Its operations.
    pub operations: Operations,
}

/// Offsets in the frame, in bytes from the stack pointer. Small offsets have short
/// encodings: first the last sixteen words of the schedule, each in the place of the word
/// sixteen earlier, then the chaining value.
struct Frame64 {
    state: i64,
    pointer: i64,
    count: i64,
    spills: i64,
}

impl Frame64 {
    fn of(target: Target) -> Self {
        let word_len = target.word_len();
        let state = match target.words {
            WordSource::Expanded => 0,
            WordSource::Block => 16 * word_len,
        };
        let pointer = state + (target.family.state_words() as i64 * word_len + 7) / 8 * 8;
        // Two pointers: to the chaining value, and to the next block.
        Self { state, pointer, count: pointer + 16, spills: pointer + 24 }
    }
}

impl Kernel {
    /// Creates a kernel.
    ///
    /// # Errors
    ///
    /// [`NotProven`], which would be a bug in a rewrite.
    pub fn new(target: Target) -> Result<Self, NotProven> {
        let shaped = match target.wants_fewest() {
            true => shape_fewest(target.family, target.words)?,
            false => shape(target.family, target.words, target.isa == Isa::Bmi2)?,
        };
        let operations = Operations::new(&shaped);
        Ok(Self { target, shaped, operations })
    }

    /// The instructions of one block's rounds in an order. `rsi` points to
    /// W_t + K_t if they are in memory.
    pub fn body(&self, times: &Times) -> Allocated {
        let order = self.operations.order(times);
        if self.target.isa == Isa::I686 {
            return i686::body(self.target, &self.shaped, &order);
        }
        let places = self.places();
        allocate(&Steps::of(&self.shaped.block.graph), &order, &self.shaped.form.outputs, &places)
    }

    fn general(&self) -> Vec<Register> {
        let mut registers: Vec<Register> = GENERAL.into_iter().map(Register).collect();
        if self.target.words == WordSource::Block {
            registers.push(RSI);
        }
        registers
    }

    /// The registers of the chaining value between blocks.
    pub fn state_registers(&self) -> Vec<Register> {
        let registers = self.general();
        registers[..self.target.family.state_words()].to_vec()
    }

    fn places(&self) -> Places {
        let Self { target, shaped, .. } = self;
        let (word_len, frame) = (target.word_len(), Frame64::of(*target));
        let block = &shaped.block;
        let state = block.state.iter().enumerate();
        let mut homes: HashMap<Id, AsmAddress> = state
            .map(|(i, &id)| (id, AsmAddress::at(RSP, frame.state + i as i64 * word_len)))
            .collect();
        let place = |t: usize| match target.words {
            WordSource::Expanded => AsmAddress::at(RSI, t as i64 * word_len),
            WordSource::Block => AsmAddress::at(RSP, (t % 16) as i64 * word_len),
        };
        homes.extend(block.block.iter().enumerate().map(|(t, &id)| (id, place(t))));
        let mut stores = HashMap::new();
        if target.words == WordSource::Block {
            // Each new word of the schedule replaces the one sixteen places earlier.
            // The last words have no later users.
            let back = if target.family == Family::Sha1 { 3 } else { 2 };
            let rounds = &shaped.form.rounds;
            let wanted = rounds.iter().enumerate().take(rounds.len() - back).skip(16);
            stores.extend(wanted.map(|(t, round)| (round.w, place(t))));
        }
        Places {
            registers: self.general(),
            held: block.state.iter().copied().zip(self.state_registers()).collect(),
            homes,
            stores,
            kept: HashMap::new(),
            spills: AsmAddress::at(RSP, frame.spills),
            constants: Base::Constants,
            form: match target.isa {
                Isa::Bmi2 => InstructionForm::Bmi,
                _ => InstructionForm::Destructive,
            },
        }
    }

    /// Copies the block's bytes as words to the frame.
    fn load_block(&self, text: &mut Writer, at: &Frame64) {
        let (bits, word_len) = (self.target.family.word_bits(), self.target.word_len());
        let register = AsmOperand::Register;
        let memory = |base, offset| AsmOperand::Memory(AsmAddress::at(base, offset));
        let state = self.state_registers();
        let free: Vec<Register> =
            self.general().into_iter().filter(|r| *r != RSI && !state.contains(r)).collect();
        text.put(Name::Mov, 64, &[register(RSI), memory(RSP, at.pointer + 8)]);
        for t in 0..16 {
            let word = free[t % free.len()];
            let t = t as i64 * word_len;
            text.put(Name::Mov, bits, &[register(word), memory(RSI, t)]);
            text.put(Name::Bswap, bits, &[register(word)]);
            text.put(Name::Mov, bits, &[memory(RSP, t), register(word)]);
        }
        text.put(Name::Add, 64, &[register(RSI), AsmOperand::Immediate(self.target.block_len())]);
        text.put(Name::Mov, 64, &[memory(RSP, at.pointer + 8), register(RSI)]);
    }
}

impl Orderable for Kernel {
    fn name(&self) -> String {
        self.target.name()
    }

    fn operations(&self) -> &Operations {
        &self.operations
    }

    /// Each operation as late as the chain allows, or, with few registers, one word at a time.
    fn start(&self) -> Times {
        match self.target.isa {
            Isa::I686 => self.operations.sequential(),
            _ => self.operations.latest(),
        }
    }

    fn listing(&self, times: &Times) -> Listing {
        let target = self.target;
        if target.isa == Isa::I686 {
            return i686::listing(target, &self.body(times));
        }
        let saved_registers = target.isa.saved().iter().copied();
        let (bits, word_len) = (target.family.word_bits(), target.word_len());
        let body = self.body(times);
        let at = Frame64::of(target);
        let frame = (at.spills + body.spilled as i64 * word_len + 7) / 8 * 8;
        let name = target.name();
        let (again, end) = (format!(".L{name}_block"), format!(".L{name}_end"));
        let constants = format!(".L{name}_k");

        let mut text = Writer::default();
        let register = AsmOperand::Register;
        let memory = |base, offset| AsmOperand::Memory(AsmAddress::at(base, offset));
        text.directive(".cfi_startproc");
        text.put(Name::Test, 64, &[register(RDX), register(RDX)]);
        text.branch(Name::Jz, &end);
        for (i, saved) in saved_registers.clone().enumerate() {
            let depth = 16 + 8 * i;
            text.put(Name::Push, 64, &[register(saved)]);
            text.directive(&format!(".cfi_def_cfa_offset {depth}"));
            text.directive(&format!(".cfi_offset {}, -{depth}", saved.name(64)));
        }
        let depth = 8 + 8 * saved_registers.len() as i64;
        text.put(Name::Sub, 64, &[register(RSP), AsmOperand::Immediate(frame)]);
        text.directive(&format!(".cfi_def_cfa_offset {}", depth + frame));
        text.put(Name::Mov, 64, &[memory(RSP, at.pointer), register(RDI)]);
        text.put(Name::Mov, 64, &[memory(RSP, at.count), register(RDX)]);
        if target.words == WordSource::Block {
            text.put(Name::Mov, 64, &[memory(RSP, at.pointer + 8), register(RSI)]);
        }
        // The pointer's register is loaded last.
        let mut state: Vec<(i64, Register)> =
            self.state_registers().into_iter().enumerate().map(|(i, r)| (i as i64, r)).collect();
        state.sort_by_key(|&(_, r)| r == RDI);
        for &(i, r) in &state {
            text.put(Name::Mov, bits, &[register(r), memory(RDI, i * word_len)]);
            text.put(Name::Mov, bits, &[memory(RSP, at.state + i * word_len), register(r)]);
        }

        text.directive(".p2align 6");
        text.lines.push(Line::Label(again.clone()));
        if target.words == WordSource::Block {
            self.load_block(&mut text, &at);
        }
        text.instructions(body.instructions);
        for (i, &r) in body.results.iter().enumerate() {
            let to = memory(RSP, at.state + i as i64 * word_len);
            text.put(Name::Mov, bits, &[to, register(r)]);
        }
        let spare = self.general();
        for (to, from) in moves(&self.state_registers(), &body.results, &spare) {
            text.put(Name::Mov, bits, &[register(to), register(from)]);
        }
        if target.words == WordSource::Expanded {
            text.put(Name::Add, 64, &[register(RSI), AsmOperand::Immediate(target.block_len())]);
        }
        text.put(Name::Sub, 64, &[memory(RSP, at.count), AsmOperand::Immediate(1)]);
        text.branch(Name::Jnz, &again);

        // A register without a word of the state.
        let to = if target.words == WordSource::Block { RSI } else { Register(15) };
        text.put(Name::Mov, 64, &[register(to), memory(RSP, at.pointer)]);
        for (i, r) in state {
            text.put(Name::Mov, bits, &[memory(to, i * word_len), register(r)]);
        }
        text.put(Name::Add, 64, &[register(RSP), AsmOperand::Immediate(frame)]);
        text.directive(&format!(".cfi_def_cfa_offset {depth}"));
        for (i, saved) in saved_registers.enumerate().rev() {
            text.put(Name::Pop, 64, &[register(saved)]);
            text.directive(&format!(".cfi_def_cfa_offset {}", 8 + 8 * i));
            text.directive(&format!(".cfi_restore {}", saved.name(64)));
        }
        text.lines.push(Line::Label(end));
        text.put(Name::Ret, 64, &[]);
        text.directive(".cfi_endproc");
        if !body.constants.is_empty() {
            text.directive(".p2align 6");
            text.lines.push(Line::Label(constants.clone()));
            text.lines.extend(body.constants.iter().map(|&k| Line::Data(k, bits)));
        }
        let constants = if body.constants.is_empty() { String::new() } else { constants };
        Listing { lines: text.lines, constants }
    }
}

/// Returns moves that copy each of `from` to its register in `to` in parallel: first
/// those with an unused target; cycles use a spare register.
pub(super) fn moves(
    to: &[Register],
    from: &[Register],
    all: &[Register],
) -> Vec<(Register, Register)> {
    let mut left: Vec<(Register, Register)> =
        to.iter().copied().zip(from.iter().copied()).filter(|(t, f)| t != f).collect();
    let mut done = Vec::new();
    while !left.is_empty() {
        let free = left.iter().position(|(t, _)| left.iter().all(|(_, f)| f != t));
        if let Some(i) = free {
            done.push(left.swap_remove(i));
        } else {
            let ring = left[0].1;
            let used = |r: &Register| to.contains(r) || left.iter().any(|(_, f)| f == r);
            let spare = *all.iter().find(|r| !used(r)).expect("more registers than words");
            done.push((spare, ring));
            left.iter_mut().filter(|(_, f)| *f == ring).for_each(|(_, f)| *f = spare);
        }
    }
    done
}
