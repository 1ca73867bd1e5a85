//! Kernels for 32-bit x86: seven registers, arguments on the stack, the chaining value in the
//! frame. Constants are immediates, so the code is position-independent.
//!
//! 64-bit words are pairs: logic operates on halves, sums use `add` and `adc`, rotations use
//! `shrd` of both halves.

use std::collections::HashMap;

use super::allocate::{Allocated, InstructionForm, Places, Step, Steps, allocate};
use super::instruction::{AsmAddress, AsmOperand, Base, Name, RSP, Register};
use super::listing::{Line, Listing, Writer};
use super::shape::{Shaped, WordSource};
use super::target::{Isa, Target, rounds};
use lanesum_graph::graph::{Graph, Id, Op};

const EAX: Register = Register(0);
const ECX: Register = Register(1);
const EDX: Register = Register(2);
const ESI: Register = Register(6);
/// All but the stack pointer and `esi`.
const GENERAL: [u8; 6] = [0, 1, 2, 3, 5, 7];

/// Offsets in the frame, in bytes from the stack pointer. The last sixteen words of the schedule
/// are first, because their encodings are short.
struct Frame32 {
    state: i64,
    next: i64,
    count: i64,
    spills: i64,
}

impl Frame32 {
    fn of(target: Target) -> Self {
        let word_len = target.word_len();
        let state = match target.words {
            WordSource::Expanded => 0,
            WordSource::Block => 16 * word_len,
        };
        let next = state + target.family.state_words() as i64 * word_len;
        Self { state, next, count: next + 4, spills: next + 8 }
    }
}

fn stack(displacement: i64) -> AsmAddress {
    AsmAddress::narrow(RSP, displacement)
}

/// The words of a graph in 32-bit registers: unchanged, or in two halves.
struct Lowered {
    steps: Steps,
    /// The lower and the upper half; for words that fit in a register, only one.
    halves: Vec<Vec<Id>>,
}

impl Lowered {
    fn of(graph: &Graph) -> Self {
        if graph.width() == 32 {
            let halves = graph.ids().map(|id| vec![id]).collect();
            return Self { steps: Steps::of(graph), halves };
        }
        let mut all = Vec::with_capacity(2 * graph.len());
        graph.ids().for_each(|id| all.extend(pair(graph.op(id))));
        let halves = graph.ids().map(|id| vec![low(id), high(id)]).collect();
        Self { steps: Steps { bits: 32, all }, halves }
    }

    /// The consecutive memory locations of a word's halves.
    fn at(&self, id: Id, address: AsmAddress) -> impl Iterator<Item = (Id, AsmAddress)> + '_ {
        let halves = self.halves[id.index()].iter().enumerate();
        halves.map(move |(i, &half)| {
            (half, AsmAddress { displacement: address.displacement + 4 * i as i64, ..address })
        })
    }
}

/// The lower half of a 64-bit word.
fn low(id: Id) -> Id {
    Id::new(2 * id.index())
}

/// The upper half of a 64-bit word.
fn high(id: Id) -> Id {
    Id::new(2 * id.index() + 1)
}

/// The steps for the lower and the upper half of a 64-bit word.
fn pair(op: Op) -> [Step; 2] {
    let both =
        |op: fn(Id, Id) -> Op, x, y| [Step::Op(op(low(x), low(y))), Step::Op(op(high(x), high(y)))];
    match op {
        Op::Input(n) => [Step::Op(Op::Input(n)); 2],
        Op::Add(x, y) => {
            [Step::Carrying(Op::Add(low(x), low(y))), Step::Carried(Op::Add(high(x), high(y)))]
        }
        Op::AddConst(x, k) => [
            Step::Carrying(Op::AddConst(low(x), k & 0xffff_ffff)),
            Step::Carried(Op::AddConst(high(x), k >> 32)),
        ],
        Op::And(x, y) => both(Op::And, x, y),
        Op::AndNot(x, y) => both(Op::AndNot, x, y),
        Op::Or(x, y) => both(Op::Or, x, y),
        Op::Xor(x, y) => both(Op::Xor, x, y),
        Op::Not(x) => [Step::Op(Op::Not(low(x))), Step::Op(Op::Not(high(x)))],
        Op::Rotr(x, n) if n < 32 => {
            [Step::Funnel(low(x), high(x), n), Step::Funnel(high(x), low(x), n)]
        }
        Op::Rotr(x, n) if n > 32 => {
            [Step::Funnel(high(x), low(x), n - 32), Step::Funnel(low(x), high(x), n - 32)]
        }
        Op::Shr(x, n) if n < 32 => {
            [Step::Funnel(low(x), high(x), n), Step::Op(Op::Shr(high(x), n))]
        }
        // Belongs to another form in the same graph.
        _ => [Step::Unknown; 2],
    }
}

/// The instructions of one block's rounds in an order.
pub(super) fn body(target: Target, shaped: &Shaped, order: &[Id]) -> Allocated {
    let (word_len, frame) = (target.word_len(), Frame32::of(target));
    let block = &shaped.block;
    let lowered = Lowered::of(&block.graph);
    let order: Vec<Id> =
        order.iter().flat_map(|id| lowered.halves[id.index()].iter().copied()).collect();
    let state = |i: usize| stack(frame.state + i as i64 * word_len);
    let place = |t: usize| match target.words {
        WordSource::Expanded => AsmAddress::narrow(ESI, t as i64 * word_len),
        WordSource::Block => stack((t % 16) as i64 * word_len),
    };
    let mut homes: HashMap<Id, AsmAddress> = HashMap::new();
    for (i, &id) in block.state.iter().enumerate() {
        homes.extend(lowered.at(id, state(i)));
    }
    for (t, &id) in block.block.iter().enumerate() {
        homes.extend(lowered.at(id, place(t)));
    }
    let mut stores = HashMap::new();
    if target.words == WordSource::Block {
        for (t, round) in shaped.form.rounds.iter().enumerate().skip(16) {
            stores.extend(lowered.at(round.w, place(t)));
        }
    }
    // Each word of the new chaining value overwrites the old one.
    let mut kept = HashMap::new();
    for (i, &id) in shaped.form.outputs.iter().enumerate() {
        kept.extend(lowered.at(id, state(i)));
    }
    let registers = GENERAL.into_iter().map(Register);
    let places = Places {
        registers: registers.chain((target.words == WordSource::Block).then_some(ESI)).collect(),
        held: Vec::new(),
        homes,
        stores,
        kept,
        spills: stack(frame.spills),
        constants: Base::Constants,
        form: InstructionForm::Destructive,
    };
    allocate(&lowered.steps, &order, &[], &places)
}

/// The kernel around the rounds of one block, with C's calling convention for arguments on the stack.
pub(super) fn listing(target: Target, body: &Allocated) -> Listing {
    let at = Frame32::of(target);
    let frame = at.spills + 4 * body.spilled as i64;
    let state_len = target.family.state_words() as i64 * target.word_len();
    let name = target.name();
    let (again, end) = (format!(".L{name}_block"), format!(".L{name}_end"));
    let saved = Isa::I686.saved();
    let depth = 4 + 4 * saved.len() as i64;

    let mut text = Writer::default();
    let register = AsmOperand::Register;
    let memory = |base, offset| AsmOperand::Memory(AsmAddress::narrow(base, offset));
    // The arguments: chaining value, words, number of blocks.
    let argument = |i: i64, pushed: i64| memory(RSP, pushed + 4 * i);
    text.directive(".cfi_startproc");
    text.put(Name::Mov, 32, &[register(ECX), argument(2, 4)]);
    text.put(Name::Test, 32, &[register(ECX), register(ECX)]);
    text.branch(Name::Jz, &end);
    for (i, saved) in saved.iter().enumerate() {
        let depth = 8 + 4 * i;
        text.put(Name::Push, 32, &[register(*saved)]);
        text.directive(&format!(".cfi_def_cfa_offset {depth}"));
        text.directive(&format!(".cfi_offset {}, -{depth}", saved.name(32)));
    }
    text.put(Name::Sub, 32, &[register(RSP), AsmOperand::Immediate(frame)]);
    text.directive(&format!(".cfi_def_cfa_offset {}", depth + frame));
    text.put(Name::Mov, 32, &[memory(RSP, at.count), register(ECX)]);
    text.put(Name::Mov, 32, &[register(ESI), argument(1, depth + frame)]);
    if target.words == WordSource::Block {
        text.put(Name::Mov, 32, &[memory(RSP, at.next), register(ESI)]);
    }
    text.put(Name::Mov, 32, &[register(EAX), argument(0, depth + frame)]);
    for i in (0..state_len).step_by(4) {
        text.put(Name::Mov, 32, &[register(EDX), memory(EAX, i)]);
        text.put(Name::Mov, 32, &[memory(RSP, at.state + i), register(EDX)]);
    }

    text.directive(".p2align 4");
    text.lines.push(Line::Label(again.clone()));
    if target.words == WordSource::Block {
        text.put(Name::Mov, 32, &[register(ESI), memory(RSP, at.next)]);
        for from in (0..target.block_len()).step_by(4) {
            // The upper half of a word is first.
            let to = if target.word_len() == 8 { from ^ 4 } else { from };
            let word = [EAX, ECX, EDX][(from / 4 % 3) as usize];
            text.put(Name::Mov, 32, &[register(word), memory(ESI, from)]);
            text.put(Name::Bswap, 32, &[register(word)]);
            text.put(Name::Mov, 32, &[memory(RSP, to), register(word)]);
        }
        text.put(Name::Add, 32, &[register(ESI), AsmOperand::Immediate(target.block_len())]);
        text.put(Name::Mov, 32, &[memory(RSP, at.next), register(ESI)]);
    }
    let instructions = body.instructions.iter().cloned();
    text.lines.extend(instructions.map(|instruction| Line::Instruction(instruction, None)));
    if target.words == WordSource::Expanded {
        let len = rounds(target.family) * target.word_len();
        text.put(Name::Add, 32, &[register(ESI), AsmOperand::Immediate(len)]);
    }
    text.put(Name::Sub, 32, &[memory(RSP, at.count), AsmOperand::Immediate(1)]);
    text.branch(Name::Jnz, &again);

    text.put(Name::Mov, 32, &[register(EAX), argument(0, depth + frame)]);
    for i in (0..state_len).step_by(4) {
        text.put(Name::Mov, 32, &[register(EDX), memory(RSP, at.state + i)]);
        text.put(Name::Mov, 32, &[memory(EAX, i), register(EDX)]);
    }
    text.put(Name::Add, 32, &[register(RSP), AsmOperand::Immediate(frame)]);
    text.directive(&format!(".cfi_def_cfa_offset {depth}"));
    for (i, saved) in saved.iter().enumerate().rev() {
        text.put(Name::Pop, 32, &[register(*saved)]);
        text.directive(&format!(".cfi_def_cfa_offset {}", 4 + 4 * i));
        text.directive(&format!(".cfi_restore {}", saved.name(32)));
    }
    text.lines.push(Line::Label(end));
    text.put(Name::Ret, 64, &[]);
    text.directive(".cfi_endproc");
    Listing { lines: text.lines, constants: String::new() }
}
