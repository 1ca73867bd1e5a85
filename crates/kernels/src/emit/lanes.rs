//! Lane kernels: a message in each lane of vector registers.
//!
//! A kernel uses the C calling convention of x86-64 (System V), with the arguments chaining values,
//! the distance between a lane's words, messages, and number of blocks per message. The messages
//! are an array of pointers, each but the last followed by a word that is not read. While a
//! block is compressed, the last sixteen words of the schedule and its chaining values are in the
//! frame, in this order.
//!
//! If the messages are a null pointer, the first argument is the address of such an area with the words of one
//! block, a word of all lanes in each vector, which is compressed in place.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use lanesum_spec::Family;

use super::allocate::{Allocated, InstructionForm, Places, Steps, allocate};
use super::instruction::{
    AsmAddress, AsmInstruction, AsmOperand, Base, LaneIsa, Name, RSP, Register,
};
use super::kernel::moves;
use super::listing::{Line, Listing, Writer};
use super::order::{Operations, Orderable, Times};
use super::shape::{Shaped, shape_lanes};
use lanesum_graph::graph::{Id, Op};
use lanesum_graph::rewrite::NotProven;

/// A lane kernel's compression function and instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LaneTarget {
    /// The compression function.
    pub family: Family,
    /// The instruction set.
    pub isa: LaneIsa,
}

impl LaneTarget {
    /// Every target.
    pub fn all() -> impl Iterator<Item = Self> {
        LaneIsa::ALL.into_iter().flat_map(|isa| {
            [Family::Sha1, Family::Sha256, Family::Sha512].map(|family| Self { family, isa })
        })
    }

    /// The targets whose text the engine contains. The compiler's text of the others is faster for messages of a few
    /// blocks.
    pub fn shipped() -> impl Iterator<Item = Self> {
        Self::all().filter(|target| match target.isa {
            LaneIsa::Avx2 => true,
            LaneIsa::Avx512Vl => false,
            LaneIsa::Avx512 => target.family != Family::Sha512,
        })
    }

    /// The number of lanes.
    pub fn lanes(self) -> usize {
        self.isa.vector_len() / self.word_len()
    }

    /// The name of the engine's kernel with these lanes: `avx2_x8`.
    pub fn kernel(self) -> String {
        format!("{}_x{}", self.isa.name(), self.lanes())
    }

    /// The name: `sha256_avx2_x8`.
    pub fn name(self) -> String {
        format!("{}_{}", self.family.name(), self.kernel())
    }

    /// The target called `name`.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|target| target.name() == name)
    }

    fn word_len(self) -> usize {
        self.family.word_bits() as usize / 8
    }
}

/// Offsets in bytes: from [`AREA`], the last sixteen words of the schedule, each in the place of the word
/// sixteen earlier, and the chaining values; from the stack pointer, spilled words, followed by the kernel's own
/// area.
struct LaneFrame {
    vector_len: i64,
    len: i64,
    state: i64,
    area: i64,
}

impl LaneFrame {
    /// Word i of the chaining values.
    fn word(&self, i: usize) -> AsmOperand {
        AsmOperand::Memory(AsmAddress::at(AREA, self.state + i as i64 * self.vector_len))
    }
}

const RAX: Register = Register(0);

/// The register with the offset of the block in each message.
const OFFSET: Register = Register(8);

/// The register with the address of the words of the schedule and the chaining values.
const AREA: Register = Register(11);

/// The register with the address of the constants of sixteen rounds.
const TABLE: Register = Register(9);

/// The instructions of one block's rounds, and their constants.
struct Rounds {
    first: Allocated,
    /// Sixteen rounds with a schedule, which read a table at [`TABLE`].
    repeated: Option<Allocated>,
    constants: Vec<u64>,
}

/// A lane kernel whose operations can have any order.
#[derive(Clone, Debug)]
pub struct LaneKernel {
    /// Its target.
    pub target: LaneTarget,
    /// Its graph.
    pub shaped: Shaped,
    /// Its operations.
    pub operations: Operations,
}

impl LaneKernel {
    /// Creates a kernel.
    ///
    /// # Errors
    ///
    /// [`NotProven`], which would be a bug in a rewrite.
    pub fn new(target: LaneTarget) -> Result<Self, NotProven> {
        let shaped = shape_lanes(target.family, target.isa.is_ternary())?;
        let operations = Operations::new(&shaped);
        Ok(Self { target, shaped, operations })
    }

    fn frame(&self, spilled: usize) -> LaneFrame {
        let vector_len = self.target.isa.vector_len() as i64;
        let (state, area) = (16 * vector_len, spilled as i64 * vector_len);
        let area_len = state + self.target.family.state_words() as i64 * vector_len;
        LaneFrame { vector_len, len: area + area_len, state, area }
    }

    /// Converts the operations of `order` to instructions, with the words `held` in registers at the
    /// beginning and `results` at the end.
    fn part(
        &self,
        order: &[Id],
        held: &[(Id, Register)],
        results: &[Id],
        constants: Base,
    ) -> Allocated {
        let (block, form) = (&self.shaped.block, &self.shaped.form);
        let vector_len = self.target.isa.vector_len() as i64;
        let frame = self.frame(0);
        let at = |from: i64, i: usize| AsmAddress::at(AREA, from + i as i64 * vector_len);
        let word = |t: usize| at(0, t % 16);
        let state = block.state.iter().enumerate().map(|(i, &id)| (id, at(frame.state, i)));
        let computed: HashSet<Id> = order.iter().copied().collect();
        let words = form.rounds.iter().enumerate().map(|(t, round)| (round.w, word(t)));
        let (mut stores, words): (HashMap<_, _>, HashMap<_, _>) =
            words.partition(|(id, _)| computed.contains(id));
        // The last words of the schedule have no later users.
        let unread = if self.target.family == Family::Sha1 { 3 } else { 2 };
        for round in form.rounds.iter().rev().take(unread) {
            stores.remove(&round.w);
        }
        // Repeated rounds read words of the previous ones.
        let (stores, kept) = match constants {
            Base::Constants => (stores, HashMap::new()),
            Base::Register(_) => (HashMap::new(), stores),
        };
        let places = Places {
            registers: self.target.isa.registers().collect(),
            held: held.to_vec(),
            homes: state.chain(words).collect(),
            stores,
            kept,
            spills: AsmAddress::at(RSP, 0),
            constants,
            form: InstructionForm::Vector(self.target.isa),
        };
        allocate(&Steps::of(&block.graph), order, results, &places)
    }

    /// The rounds of one block. SHA-2 computes sixteen rounds at a time, the first sixteen without a
    /// schedule: the whole would not fit in a CPU's cache of decoded instructions.
    fn rounds(&self, times: &Times) -> Rounds {
        let order = self.operations.order(times);
        let form = &self.shaped.form;
        if self.target.family == Family::Sha1 {
            let all = self.part(&order, &[], &form.outputs, Base::Constants);
            let constants = all.constants.clone();
            return Rounds { first: all, repeated: None, constants };
        }
        let kinds = self.operations.ids.iter().copied().zip(self.operations.kinds.iter().copied());
        let kind_of: HashMap<Id, (usize, usize)> = kinds.collect();
        let id_of: HashMap<(usize, usize), Id> =
            kind_of.iter().map(|(&id, &kind)| (kind, id)).collect();
        let part = |rounds: Range<usize>| -> Vec<Id> {
            let is_in = |id: &Id| rounds.contains(&kind_of[id].1);
            order.iter().copied().filter(is_in).collect()
        };
        let (first, second) = (part(0..16), part(16..32));
        // The words that pass from sixteen rounds to the next: the state, and parts of it that the
        // next round reuses.
        let graph = &self.shaped.block.graph;
        let words: HashSet<Id> = form.rounds.iter().map(|round| round.w).collect();
        let read: BTreeSet<Id> = second.iter().flat_map(|&id| graph.op(id).operands()).collect();
        let passed = |id: &Id| kind_of.get(id).is_some_and(|kind| kind.1 < 16);
        let mut before = form.rounds[15].state.clone();
        before.extend(read.into_iter().filter(|id| passed(id) && !words.contains(id)));
        let mut seen = HashSet::new();
        before.retain(|&id| seen.insert(id));
        let after: Vec<Id> = before
            .iter()
            .map(|id| {
                let (kind, round) = kind_of[id];
                id_of[&(kind, round + 16)]
            })
            .collect();
        let held: Vec<(Id, Register)> =
            before.iter().copied().zip(self.target.isa.registers()).collect();
        let first = self.part(&first, &[], &before, Base::Constants);
        let repeated = self.part(&second, &held, &after, Base::Register(TABLE));

        // The constants of later rounds, in the order in which these sixteen read theirs.
        let of = |t: usize| match graph.op(form.rounds[t].wk) {
            Op::AddConst(_, k) => k,
            other => panic!("a round adds a constant to its word, not {other:?}"),
        };
        let place = |k: &u64| (16..32).find(|&t| of(t) == *k).expect("a constant of a round");
        let places: Vec<usize> = repeated.constants.iter().map(place).collect();
        let mut constants = first.constants.clone();
        for more in (0..form.rounds.len() - 16).step_by(16) {
            constants.extend(places.iter().map(|t| of(t + more)));
        }
        Rounds { first, repeated: Some(repeated), constants }
    }

    /// Adds a vector instruction.
    fn put(&self, text: &mut Writer, name: Name, operands: &[AsmOperand]) {
        let instruction = AsmInstruction::new(name, self.target.family.word_bits(), operands);
        let vector = Some(self.target.isa);
        text.lines.push(Line::Instruction(AsmInstruction { vector, ..instruction }, None));
    }

    /// Copies the chaining values from the caller's array to the area, or back. Consecutive words are
    /// `rsi` bytes apart.
    fn copy_state(&self, text: &mut Writer, frame: &LaneFrame, back: bool) {
        // On AMD, gdb 13 shows the upper halves of registers 16 to 31 only.
        let register = vector(self.target.isa.registers().count() - 1);
        let array = AsmOperand::Memory(AsmAddress::at(RAX, 0));
        text.directive("mov rax, rdi");
        for i in 0..self.target.family.state_words() {
            let (to, from) = if back { (array, frame.word(i)) } else { (frame.word(i), array) };
            if i > 0 {
                text.directive("add rax, rsi");
            }
            self.put(text, Name::Vmov, &[register, from]);
            self.put(text, Name::Vmov, &[to, register]);
        }
    }

    /// Copies the vectors in `from` to the registers `to`.
    fn moves(&self, text: &mut Writer, to: &[Register], from: &[Register]) {
        let all: Vec<Register> = self.target.isa.registers().collect();
        for (to, from) in moves(to, from, &all) {
            let [to, from] = [to, from].map(AsmOperand::Register);
            self.put(text, Name::Vmov, &[to, from]);
        }
    }

    /// Loads a block of each message, and stores word t of every lane to the area.
    fn load_block(&self, text: &mut Writer) {
        let LaneTarget { isa, .. } = self.target;
        let (lanes, vector_len) = (self.target.lanes(), isa.vector_len());
        let per_quarter = 16 / self.target.word_len();
        // The shuffle is before the constants.
        let shuffle = AsmAddress {
            base: Base::Constants,
            index: None,
            displacement: -(vector_len as i64),
            bits: 64,
        };
        let mask = isa.registers().count() - 1;
        self.put(text, Name::Vmov, &[vector(mask), AsmOperand::Memory(shuffle)]);
        if vector_len == 32 {
            // Each load has a quarter of one lane, so that rows have the quarters of two.
            let insert = if isa.is_ternary() { "vinserti32x4" } else { "vinserti128" };
            for quarter in 0..16 / per_quarter {
                for i in 0..per_quarter {
                    let at = format!("xmmword ptr [rax + r8 + {}]", 16 * quarter);
                    let (row, low) = (isa.register(i), Register(i as u8).vector_name(16));
                    let load = if isa.is_ternary() { "vmovdqu64" } else { "vmovdqu" };
                    text.directive(&format!("mov rax, [rdx + {}]\n{load} {low}, {at}", 16 * i));
                    text.directive(&format!("mov rax, [rdx + {}]", 16 * (i + per_quarter)));
                    text.directive(&format!("{insert} {row}, {row}, {at}, 1"));
                    text.directive(&format!("vpshufb {row}, {row}, {}", isa.register(mask)));
                }
                self.transpose_in_quarters(text, 0, per_quarter);
                (0..per_quarter).for_each(|i| self.put_word(text, quarter * per_quarter + i, i));
            }
            return;
        }
        for part in 0..16 / lanes {
            for lane in 0..lanes {
                let bytes = AsmAddress {
                    index: Some(OFFSET),
                    ..AsmAddress::at(RAX, (vector_len * part) as i64)
                };
                text.directive(&format!("mov rax, [rdx + {}]", 16 * lane));
                self.put(text, Name::Vmov, &[vector(lane), AsmOperand::Memory(bytes)]);
                let row = isa.register(lane);
                text.directive(&format!("vpshufb {row}, {row}, {}", isa.register(mask)));
            }
            for group in (0..lanes).step_by(per_quarter) {
                self.transpose_in_quarters(text, group, lanes);
            }
            for i in 0..per_quarter {
                let row = |group: usize| isa.register(group * per_quarter + i);
                let free = |n: usize| isa.register(lanes + n);
                for (to, x, y, k) in [
                    (0, row(0), row(1), 0x88),
                    (1, row(0), row(1), 0xdd),
                    (2, row(2), row(3), 0x88),
                    (3, row(2), row(3), 0xdd),
                    (4, free(0), free(2), 0x88),
                    (5, free(1), free(3), 0x88),
                    (6, free(0), free(2), 0xdd),
                    (7, free(1), free(3), 0xdd),
                ] {
                    text.directive(&format!("vshufi32x4 {}, {x}, {y}, {k}", free(to)));
                }
                for quarter in 0..4 {
                    let t = part * lanes + quarter * per_quarter + i;
                    self.put_word(text, t, lanes + 4 + quarter);
                }
            }
        }
    }

    /// Stores word t of every lane to the area.
    fn put_word(&self, text: &mut Writer, t: usize, register: usize) {
        let to = AsmAddress::at(AREA, (self.target.isa.vector_len() * t) as i64);
        self.put(text, Name::Vmov, &[AsmOperand::Memory(to), vector(register)]);
    }

    /// Transposes the words in each quarter of the registers from `first`, as many as a quarter has words. Overwrites
    /// as many from `free`.
    fn transpose_in_quarters(&self, text: &mut Writer, first: usize, free: usize) {
        let isa = self.target.isa;
        let row = |i: usize| isa.register(first + i);
        let temporary = |i: usize| isa.register(free + i);
        let mut unpack = |op: &str, to: String, x: String, y: String| {
            text.directive(&format!("vpunpck{op} {to}, {x}, {y}"));
        };
        if self.target.word_len() == 8 {
            unpack("lqdq", temporary(0), row(0), row(1));
            unpack("hqdq", row(1), row(0), row(1));
            self.put(text, Name::Vmov, &[vector(first), vector(free)]);
            return;
        }
        unpack("ldq", temporary(0), row(0), row(1));
        unpack("hdq", temporary(1), row(0), row(1));
        unpack("ldq", temporary(2), row(2), row(3));
        unpack("hdq", temporary(3), row(2), row(3));
        for (i, (op, pair)) in
            [("lqdq", 0), ("hqdq", 0), ("lqdq", 1), ("hqdq", 1)].into_iter().enumerate()
        {
            unpack(op, row(i), temporary(pair), temporary(pair + 2));
        }
    }
}

fn vector(n: usize) -> AsmOperand {
    AsmOperand::Register(Register(n as u8))
}

impl Orderable for LaneKernel {
    fn name(&self) -> String {
        self.target.name()
    }

    fn operations(&self) -> &Operations {
        &self.operations
    }

    /// One word at a time, which needs the fewest registers.
    fn start(&self) -> Times {
        self.operations.sequential()
    }

    fn listing(&self, times: &Times) -> Listing {
        let LaneTarget { family, isa } = self.target;
        let Rounds { first, repeated, constants: table } = self.rounds(times);
        let spilled = repeated.iter().map(|part| part.spilled).fold(first.spilled, usize::max);
        let frame = self.frame(spilled);
        let (name, vector_len) = (self.target.name(), isa.vector_len());
        let label = |part: &str| format!(".L{name}_{part}");
        let (again, loaded, in_place) = (label("block"), label("loaded"), label("in_place"));
        let (return_, end) = (label("return"), label("end"));
        let constants = format!(".L{name}_k");
        let word_len = self.target.word_len();
        let constant_len = if isa.is_ternary() { word_len } else { vector_len };

        let mut text = Writer::default();
        text.directive(&format!(
            ".cfi_startproc\ntest rcx, rcx\njz {end}\npush rbp\n.cfi_def_cfa_offset 16\n\
             .cfi_offset rbp, -16\nmov rbp, rsp\n.cfi_def_cfa_register rbp\n\
             sub rsp, {}\nand rsp, -{vector_len}\ntest rdx, rdx\njz {in_place}\n\
             lea r11, [rsp + {}]\nshl rsi, {}",
            frame.len,
            frame.area,
            word_len.ilog2()
        ));
        self.copy_state(&mut text, &frame, false);
        text.directive("xor r8d, r8d\n.p2align 6");
        text.lines.push(Line::Label(again.clone()));
        self.load_block(&mut text);
        text.lines.push(Line::Label(loaded.clone()));
        let mut results = first.results.clone();
        text.instructions(first.instructions);
        if let Some(part) = repeated {
            let repeat = format!(".L{name}_rounds");
            let before: Vec<Register> = self.target.isa.registers().take(results.len()).collect();
            self.moves(&mut text, &before, &results);
            text.directive(&format!(
                "lea r9, [rip + {constants} + {}]\nlea r10, [rip + {constants} + {}]\n.p2align 6",
                16 * constant_len,
                table.len() * constant_len
            ));
            text.lines.push(Line::Label(repeat.clone()));
            results.clone_from(&part.results);
            text.instructions(part.instructions);
            self.moves(&mut text, &before, &results);
            text.directive(&format!("add r9, {}\ncmp r9, r10\njne {repeat}", 16 * constant_len));
            for (i, &result) in before.iter().take(family.state_words()).enumerate() {
                let result = AsmOperand::Register(result);
                self.put(&mut text, Name::Vadd, &[result, result, frame.word(i)]);
            }
            results = before;
        }
        for (i, &result) in results.iter().take(family.state_words()).enumerate() {
            self.put(&mut text, Name::Vmov, &[frame.word(i), AsmOperand::Register(result)]);
        }
        text.directive(&format!("test rdx, rdx\njz {return_}"));
        text.directive(&format!("add r8, {}\ndec rcx\njnz {again}", 16 * word_len));
        self.copy_state(&mut text, &frame, true);
        text.lines.push(Line::Label(return_));
        text.directive("vzeroupper\nmov rsp, rbp\npop rbp\n.cfi_def_cfa rsp, 8\n.cfi_restore rbp");
        text.lines.push(Line::Label(end));
        text.directive("ret");
        text.lines.push(Line::Label(in_place));
        text.directive(&format!(
            ".cfi_def_cfa rbp, 16\n.cfi_offset rbp, -16\nmov r11, rdi\njmp {loaded}\n.cfi_endproc\n.p2align 6"
        ));
        // A shuffle that reverses the bytes of each word.
        let order = |i: usize| (i ^ (word_len - 1)) as u64;
        let half = |at: usize| (0..8).map(|i| order(at + i) << (8 * i)).sum();
        let halves = [half(0), half(8)].into_iter().cycle().take(vector_len / 8);
        text.lines.extend(halves.map(|half| Line::Data(half, 64)));
        text.lines.push(Line::Label(constants.clone()));
        let copies = table.iter().flat_map(|&k| std::iter::repeat_n(k, constant_len / word_len));
        text.lines.extend(copies.map(|k| Line::Data(k, family.word_bits())));
        Listing { lines: text.lines, constants }
    }
}
