//! What words are while a text is executed: numbers, or nodes of a graph.

use crate::emit::semantics::{Function, value};
use crate::graph::{Graph, Id, Op};

/// An interpretation of words.
pub trait Domain {
    /// A word.
    type Word: Copy + PartialEq + std::fmt::Debug;

    /// A constant.
    fn constant(&mut self, k: u64) -> Self::Word;

    /// The result of a function on words, `y` being the second source, if any.
    fn apply(&mut self, function: Function, x: Self::Word, y: Self::Word) -> Self::Word;

    /// A function whose second source is a constant.
    fn apply_constant(&mut self, function: Function, x: Self::Word, k: u64) -> Self::Word;

    /// Whether two words are known to be equal.
    fn equal(&self, x: Self::Word, y: Self::Word) -> bool;

    /// Whether the lower halves of two words are known to be equal.
    fn equal_low(&mut self, x: Self::Word, y: Self::Word) -> bool;
}

/// Words of so many bits as numbers. Equal numbers prove nothing, but numbers
/// that differ refute.
#[derive(Clone, Copy, Debug)]
pub struct Numbers {
    /// The width.
    pub bits: u32,
}

impl Domain for Numbers {
    type Word = u64;

    fn constant(&mut self, k: u64) -> u64 {
        k & (u64::MAX >> (64 - self.bits))
    }

    fn apply(&mut self, function: Function, x: u64, y: u64) -> u64 {
        value(function, self.bits, x, y).expect("a function of words")
    }

    fn apply_constant(&mut self, function: Function, x: u64, k: u64) -> u64 {
        self.apply(function, x, k)
    }

    fn equal(&self, x: u64, y: u64) -> bool {
        x == y
    }

    fn equal_low(&mut self, x: u64, y: u64) -> bool {
        (x ^ y) << (64 - self.bits / 2) == 0
    }
}

/// Words as nodes of a graph, equal if their normal forms are.
#[derive(Clone, Debug)]
pub struct Nodes {
    /// The graph, which grows.
    pub graph: Graph,
}

impl Domain for Nodes {
    type Word = Id;

    fn constant(&mut self, k: u64) -> Id {
        self.graph.node(Op::Const(k))
    }

    fn apply(&mut self, function: Function, x: Id, y: Id) -> Id {
        let op = match function {
            Function::Copy => return x,
            Function::Add | Function::Address => Op::Add(x, y),
            Function::Sub => Op::Sub(x, y),
            Function::And | Function::Test => Op::And(x, y),
            Function::Or => Op::Or(x, y),
            Function::Xor => Op::Xor(x, y),
            Function::Not => Op::Not(x),
            Function::NotAnd => Op::AndNot(y, x),
            _ => unreachable!("{function:?} is no function of two words"),
        };
        self.graph.node(op)
    }

    fn apply_constant(&mut self, function: Function, x: Id, k: u64) -> Id {
        let bits = self.graph.width();
        let n = (k as u32) % bits;
        let op = match function {
            Function::RotateRight => Op::Rotr(x, n),
            Function::RotateLeft => Op::Rotr(x, (bits - n) % bits),
            Function::ShiftRight if n == 0 => return x,
            Function::ShiftRight => Op::Shr(x, n),
            Function::ShiftLeft if n == 0 => return x,
            Function::ShiftLeft => Op::Shl(x, n),
            Function::Add => Op::AddConst(x, k),
            _ => {
                let k = self.constant(k);
                return self.apply(function, x, k);
            }
        };
        self.graph.node(op)
    }

    fn equal(&self, x: Id, y: Id) -> bool {
        self.graph.equal(x, y)
    }

    /// They are if the words are, or if what they differ in was shifted left by half a word
    /// or more.
    fn equal_low(&mut self, x: Id, y: Id) -> bool {
        if self.graph.equal(x, y) {
            return true;
        }
        let differ = self.graph.node(Op::Xor(x, y));
        let half = self.graph.width() / 2;
        // Whatever is shifted was shifted right too, by what makes a rotation of the two.
        (0..self.graph.len()).any(|i| match self.graph.op(Id(i as u32)) {
            Op::Shr(word, n) if n <= half && n > 0 => {
                let shifted = self.graph.node(Op::Shl(word, 2 * half - n));
                self.graph.equal(shifted, differ)
            }
            _ => false,
        })
    }
}
