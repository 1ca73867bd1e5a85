//! Lane kernels: a message in each lane of vector registers.
//!
//! A kernel uses the C calling convention of x86-64 (System V), with the arguments chaining values,
//! the distance between a lane's words, messages, and number of blocks per message. The messages
//! are an array of pointers, each but the last followed by a word that is not read. While a
//! block is compressed, its chaining values and the last sixteen words of the schedule are in the
//! frame.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use lanesum_spec::Family;

use super::allocate::{Allocated, InstructionForm, Places, Steps, allocate};
use super::instruction::{AsmAddress, AsmInstruction, AsmOperand, Base, Name, RSP, Register};
use super::kernel::moves;
use super::listing::{Line, Listing, Writer};
use super::order::{Operations, Times};
use super::shape::{Shaped, shape_lanes};
use lanesum_graph::graph::{Id, Op};
use lanesum_graph::rewrite::NotProven;

/// The instruction set of a lane kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LaneIsa {
    /// AVX2.
    Avx2,
    /// AVX-512F and AVX-512BW.
    Avx512,
}

impl LaneIsa {
    /// The size of a vector in bytes.
    fn vector_len(self) -> usize {
        match self {
            Self::Avx2 => 32,
            Self::Avx512 => 64,
        }
    }

    /// The CPUs that run it, for a reader of C.
    pub(super) fn machine(self) -> &'static str {
        match self {
            Self::Avx2 => "x86-64, System V ABI, AVX2",
            Self::Avx512 => "x86-64, System V ABI, AVX-512F, AVX-512BW",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    /// The name of a vector register.
    fn register(self, n: usize) -> String {
        Register(n as u8).vector_name(self.vector_len() as u32)
    }

    fn registers(self) -> impl Iterator<Item = Register> {
        (0..if self == Self::Avx2 { 16 } else { 32 }).map(Register)
    }

    /// Transposes the quarters of vectors, in registers from `free`: returns those with their
    /// first quarters, their second quarters and so on.
    fn quarters(self, text: &mut Writer, rows: &[String], free: usize) -> Range<usize> {
        let r = |n: usize| self.register(free + n);
        let mut shuffle = |op: &str, to: usize, x: &str, y: &str, k: u32| {
            text.directive(&format!("{op} {}, {x}, {y}, {k}", r(to)));
        };
        match rows {
            [a, b] => {
                shuffle("vperm2i128", 0, a, b, 0x20);
                shuffle("vperm2i128", 1, a, b, 0x31);
                free..free + 2
            }
            [a, b, c, d] => {
                let (even, odd) = (0x88, 0xdd);
                shuffle("vshufi32x4", 0, a, b, even);
                shuffle("vshufi32x4", 1, a, b, odd);
                shuffle("vshufi32x4", 2, c, d, even);
                shuffle("vshufi32x4", 3, c, d, odd);
                shuffle("vshufi32x4", 4, &r(0), &r(2), even);
                shuffle("vshufi32x4", 5, &r(1), &r(3), even);
                shuffle("vshufi32x4", 6, &r(0), &r(2), odd);
                shuffle("vshufi32x4", 7, &r(1), &r(3), odd);
                free + 4..free + 8
            }
            _ => unreachable!("vectors have two or four quarters"),
        }
    }
}

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
        [LaneIsa::Avx2, LaneIsa::Avx512].into_iter().flat_map(|isa| {
            [Family::Sha1, Family::Sha256, Family::Sha512].map(|family| Self { family, isa })
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

/// Offsets in the frame, in bytes from the stack pointer: the last sixteen words of the schedule,
/// each in the place of the word sixteen earlier, the chaining values, and spilled words.
struct LaneFrame {
    vector_len: i64,
    len: i64,
    state: i64,
    spills: i64,
}

impl LaneFrame {
    /// Word i of the chaining values.
    fn word(&self, i: usize) -> AsmOperand {
        AsmOperand::Memory(AsmAddress::at(RSP, self.state + i as i64 * self.vector_len))
    }
}

const RAX: Register = Register(0);

/// The register with the offset of the block in each message.
const OFFSET: Register = Register(8);

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
        let shaped = shape_lanes(target.family, target.isa == LaneIsa::Avx512)?;
        let operations = Operations::new(&shaped);
        Ok(Self { target, shaped, operations })
    }

    /// The initial order: one word at a time, which needs the fewest registers.
    pub fn start(&self) -> Times {
        self.operations.sequential()
    }

    fn frame(&self, spilled: usize) -> LaneFrame {
        let vector_len = self.target.isa.vector_len() as i64;
        let state = 16 * vector_len;
        let spills = state + self.target.family.state_words() as i64 * vector_len;
        LaneFrame { vector_len, len: spills + spilled as i64 * vector_len, state, spills }
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
        let at = |from: i64, i: usize| AsmAddress::at(RSP, from + i as i64 * vector_len);
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
            spills: AsmAddress::at(RSP, frame.spills),
            constants,
            form: InstructionForm::Vector(vector_len as u32),
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

    /// Returns the kernel in an order.
    pub fn listing(&self, times: &Times) -> Listing {
        let LaneTarget { family, isa } = self.target;
        let Rounds { first, repeated, constants: table } = self.rounds(times);
        let spilled = repeated.iter().map(|part| part.spilled).fold(first.spilled, usize::max);
        let frame = self.frame(spilled);
        let (name, vector_len) = (self.target.name(), isa.vector_len());
        let (again, end) = (format!(".L{name}_block"), format!(".L{name}_end"));
        let constants = format!(".L{name}_k");
        let word_len = self.target.word_len();
        let constant_len = if isa == LaneIsa::Avx512 { word_len } else { vector_len };

        let mut text = Writer::default();
        text.directive(&format!(
            ".cfi_startproc\ntest rcx, rcx\njz {end}\npush rbp\n.cfi_def_cfa_offset 16\n\
             .cfi_offset rbp, -16\nmov rbp, rsp\n.cfi_def_cfa_register rbp\n\
             sub rsp, {}\nand rsp, -{vector_len}\nshl rsi, {}",
            frame.len,
            word_len.ilog2()
        ));
        self.copy_state(&mut text, &frame, false);
        text.directive("xor r8d, r8d\n.p2align 6");
        text.lines.push(Line::Label(again.clone()));
        self.load_block(&mut text);
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
        text.directive(&format!("add r8, {}\ndec rcx\njnz {again}", 16 * word_len));
        self.copy_state(&mut text, &frame, true);
        text.directive("vzeroupper\nmov rsp, rbp\npop rbp\n.cfi_def_cfa rsp, 8\n.cfi_restore rbp");
        text.lines.push(Line::Label(end));
        text.directive("ret\n.cfi_endproc\n.p2align 6");
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

    /// Adds a vector instruction.
    fn put(&self, text: &mut Writer, name: Name, operands: &[AsmOperand]) {
        let instruction = AsmInstruction::new(name, self.target.family.word_bits(), operands);
        let vector = Some(self.target.isa.vector_len() as u32);
        text.lines.push(Line::Instruction(AsmInstruction { vector, ..instruction }, None));
    }

    /// Copies the chaining values from the caller's array to the frame, or back. Consecutive words are
    /// `rsi` bytes apart.
    fn copy_state(&self, text: &mut Writer, frame: &LaneFrame, back: bool) {
        let register = AsmOperand::Register(Register(0));
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

    /// Loads a block of each message, and stores word t of every lane to the frame: transposes the
    /// words in each quarter of groups of rows, then the quarters.
    fn load_block(&self, text: &mut Writer) {
        let LaneTarget { isa, .. } = self.target;
        let (lanes, vector_len, word_len) =
            (self.target.lanes(), isa.vector_len(), self.target.word_len());
        let per_quarter = 16 / word_len;
        let r = |n: usize| isa.register(n);
        let temporary = |n: usize| isa.register(lanes + n);
        let register = |n: usize| AsmOperand::Register(Register(n as u8));
        let mask = isa.registers().count() - 1;
        // The shuffle is before the constants.
        let shuffle = AsmAddress {
            base: Base::Constants,
            index: None,
            displacement: -(vector_len as i64),
            bits: 64,
        };
        self.put(text, Name::Vmov, &[register(mask), AsmOperand::Memory(shuffle)]);
        for part in 0..16 / lanes {
            for lane in 0..lanes {
                let bytes = AsmAddress {
                    index: Some(OFFSET),
                    ..AsmAddress::at(RAX, (vector_len * part) as i64)
                };
                text.directive(&format!("mov rax, [rdx + {}]", 16 * lane));
                self.put(text, Name::Vmov, &[register(lane), AsmOperand::Memory(bytes)]);
                text.directive(&format!("vpshufb {}, {}, {}", r(lane), r(lane), r(mask)));
            }
            for group in (0..lanes).step_by(per_quarter) {
                let row = |i: usize| r(group + i);
                let mut two = |op: &str, to: String, x: String, y: String| {
                    text.directive(&format!("vpunpck{op} {to}, {x}, {y}"));
                };
                if per_quarter == 4 {
                    two("ldq", temporary(0), row(0), row(1));
                    two("hdq", temporary(1), row(0), row(1));
                    two("ldq", temporary(2), row(2), row(3));
                    two("hdq", temporary(3), row(2), row(3));
                    for (i, (op, pair)) in
                        [("lqdq", 0), ("hqdq", 0), ("lqdq", 1), ("hqdq", 1)].into_iter().enumerate()
                    {
                        two(op, row(i), temporary(pair), temporary(pair + 2));
                    }
                } else {
                    two("lqdq", temporary(0), row(0), row(1));
                    two("hqdq", row(1), row(0), row(1));
                    self.put(text, Name::Vmov, &[register(group), register(lanes)]);
                }
            }
            for i in 0..per_quarter {
                let rows: Vec<String> =
                    (0..lanes / per_quarter).map(|group| r(group * per_quarter + i)).collect();
                for (quarter, word) in isa.quarters(text, &rows, lanes).enumerate() {
                    let t = part * lanes + quarter * per_quarter + i;
                    let to = AsmAddress::at(RSP, (vector_len * t) as i64);
                    self.put(text, Name::Vmov, &[AsmOperand::Memory(to), register(word)]);
                }
            }
        }
    }
}
