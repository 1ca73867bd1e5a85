//! Interpretations of words during execution: concrete numbers, or nodes of a graph.

use std::collections::HashMap;

use lanesum_graph::eval::of_numbers;
use lanesum_graph::graph::{Graph, Id, Op};

/// A function of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// x + y.
    Add,
    /// x − y.
    Sub,
    /// x ∧ y.
    And,
    /// x ∨ y.
    Or,
    /// x ⊕ y.
    Xor,
    /// ¬x.
    Not,
    /// x rotated right by y, a constant.
    RotateRight,
    /// x rotated left by y, a constant.
    RotateLeft,
    /// x shifted right by y, a constant.
    ShiftRight,
    /// x shifted left by y, a constant.
    ShiftLeft,
}

/// The result for numbers of `bits` bits. Counts must be less than `bits`.
pub fn value(function: Operation, bits: u32, x: u64, y: u64) -> u64 {
    let mask = u64::MAX >> (64 - bits);
    let (x, y) = (x & mask, y & mask);
    let count = (y as u32) % bits;
    let rotate = |left: u32| if left == 0 { x } else { x << left | x >> (bits - left) };
    mask & match function {
        Operation::Add => x.wrapping_add(y),
        Operation::Sub => x.wrapping_sub(y),
        Operation::And => x & y,
        Operation::Or => x | y,
        Operation::Xor => x ^ y,
        Operation::Not => !x,
        Operation::RotateRight => rotate((bits - count) % bits),
        Operation::RotateLeft => rotate(count),
        Operation::ShiftRight => x >> count,
        Operation::ShiftLeft => x << count,
    }
}

/// A bit of a new word: a constant, or a bit of another word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bit<W> {
    Is(bool),
    Of(W, u8),
}

/// An interpretation of words.
pub trait Domain {
    type Word: Copy + PartialEq + std::fmt::Debug;

    /// The width of a word in bits.
    fn bits(&self) -> u32;

    /// A constant.
    fn constant(&mut self, k: u64) -> Self::Word;

    /// The result of a function; `y` is ignored if it is unary.
    fn apply(&mut self, function: Operation, x: Self::Word, y: Self::Word) -> Self::Word;

    /// The result of a function whose second operand is a constant.
    fn apply_constant(&mut self, function: Operation, x: Self::Word, k: u64) -> Self::Word;

    /// Whether two words are provably equal.
    fn equal(&self, x: Self::Word, y: Self::Word) -> bool;

    /// Whether the lower halves of two words are provably equal.
    fn equal_low(&mut self, x: Self::Word, y: Self::Word) -> bool;

    /// The value of a concrete word.
    fn number(&self, _: Self::Word) -> Option<u64> {
        None
    }

    /// The chaining value after a block, as an uninterpreted function of the previous one and the
    /// block. `None` if words are concrete.
    fn compressed(&mut self, _: &[Self::Word], _: &[Self::Word]) -> Option<Vec<Self::Word>> {
        None
    }

    /// A word with these bits, lowest first. Higher bits are zero.
    fn gathered(&mut self, bits: &[Bit<Self::Word>]) -> Self::Word;

    /// The bits of a word that may be set.
    fn possible(&mut self, x: Self::Word) -> u64;

    /// Records a step of the proof, if steps are requested.
    fn say(&mut self, _: impl FnOnce() -> String) {}

    /// Records the equality of two words as a step of the proof.
    fn say_equal(&mut self, _: &str, _: Self::Word, _: Self::Word) {}

    /// The word with its halves swapped.
    fn swapped(&mut self, x: Self::Word) -> Self::Word {
        let half = u64::from(self.bits() / 2);
        self.apply_constant(Operation::RotateRight, x, half)
    }

    /// A word with the lower half of `low`, and with the lower half of `high` as its upper half.
    ///
    /// Code may compute a correct lower half as that of another word: for σ it may use a rotation
    /// where FIPS 180-4 has a shift.
    fn joined(&mut self, low: Self::Word, high: Self::Word) -> Option<Self::Word> {
        let (of_high, of_low) = (self.swapped(high), self.swapped(low));
        if self.equal(low, of_high) || self.equal_low(low, of_high) {
            return Some(of_high);
        }
        self.equal_low(high, of_low).then_some(low)
    }
}

/// Concrete words of `bits` bits. Equal values prove nothing, but different ones are a
/// counterexample.
#[derive(Clone, Copy, Debug)]
pub struct Numbers {
    pub bits: u32,
}

impl Domain for Numbers {
    type Word = u64;

    fn bits(&self) -> u32 {
        self.bits
    }

    fn constant(&mut self, k: u64) -> u64 {
        k & (u64::MAX >> (64 - self.bits))
    }

    fn apply(&mut self, function: Operation, x: u64, y: u64) -> u64 {
        value(function, self.bits, x, y)
    }

    fn apply_constant(&mut self, function: Operation, x: u64, k: u64) -> u64 {
        self.apply(function, x, k)
    }

    fn number(&self, x: u64) -> Option<u64> {
        Some(x)
    }

    fn gathered(&mut self, bits: &[Bit<u64>]) -> u64 {
        let bit = |bit: &Bit<u64>| match *bit {
            Bit::Is(is) => is.into(),
            Bit::Of(word, i) => word >> i & 1,
        };
        (0..).zip(bits).fold(0, |all, (i, one)| all | bit(one) << i)
    }

    fn possible(&mut self, x: u64) -> u64 {
        x
    }

    fn equal(&self, x: u64, y: u64) -> bool {
        x == y
    }

    fn equal_low(&mut self, x: u64, y: u64) -> bool {
        (x ^ y) << (64 - self.bits / 2) == 0
    }
}

/// Words as nodes of a graph. Words with equal normal forms are equal.
#[derive(Clone, Debug)]
pub struct Nodes {
    /// The graph, which execution extends.
    pub graph: Graph,
    /// The steps of the proof, if requested.
    pub steps: Option<Vec<String>>,
    /// The chaining values after blocks, by the previous one and the block.
    pub compressed: HashMap<Vec<Id>, Vec<Id>>,
    /// The inputs that are words of gathered bits, by these bits.
    pub gathered: HashMap<Vec<Bit<Id>>, Id>,
    /// The bits of these inputs.
    pub bits: HashMap<Id, Vec<Bit<Id>>>,
}

impl Nodes {
    pub(super) fn new(graph: Graph) -> Self {
        Self {
            graph,
            steps: None,
            compressed: HashMap::new(),
            gathered: HashMap::new(),
            bits: HashMap::new(),
        }
    }
}

/// The index of the first input for chaining values after blocks, above all other inputs of a
/// proof.
pub(super) const COMPRESSED: u32 = 1 << 24;

/// The index of the first input for words of gathered bits.
pub(super) const GATHERED: u32 = 1 << 25;

/// The bit in the index of an input for such a word in another iteration, in which its own inputs differ.
pub(super) const SUBSTITUTED: u32 = 1 << 26;

/// The node of an operation, with constants folded as in the specification.
pub(super) fn folded(graph: &mut Graph, op: Op) -> Id {
    let number = |id: Id| match graph.op(id) {
        Op::Const(k) => Some(k),
        _ => None,
    };
    let mut operands = op.operands().map(number).peekable();
    if operands.peek().is_some() && operands.all(|operand| operand.is_some()) {
        let k = of_numbers(graph, op, |id| number(id).unwrap_or_default());
        return graph.node(Op::Const(k));
    }
    graph.node(op)
}
