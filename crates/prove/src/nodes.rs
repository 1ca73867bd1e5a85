//! The interpretation of words as nodes of a graph.

use super::domain::{Bit, COMPRESSED, Domain, GATHERED, Nodes, Operation, folded};
use super::truth::{BitValue, Truth};
use lanesum_graph::graph::{Id, Op};

impl Domain for Nodes {
    type Word = Id;

    fn bits(&self) -> u32 {
        self.graph.width()
    }

    fn constant(&mut self, k: u64) -> Id {
        self.graph.node(Op::Const(k))
    }

    fn apply(&mut self, function: Operation, x: Id, y: Id) -> Id {
        let op = match function {
            Operation::Add => Op::Add(x, y),
            Operation::Sub => Op::Sub(x, y),
            Operation::And => Op::And(x, y),
            Operation::Or => Op::Or(x, y),
            Operation::Xor => Op::Xor(x, y),
            Operation::Not => Op::Not(x),
            _ => unreachable!("{function:?} is not a binary function"),
        };
        folded(&mut self.graph, op)
    }

    fn apply_constant(&mut self, function: Operation, x: Id, k: u64) -> Id {
        let bits = self.graph.width();
        let n = (k as u32) % bits;
        let op = match function {
            Operation::RotateRight => Op::Rotr(x, n),
            Operation::RotateLeft => Op::Rotr(x, (bits - n) % bits),
            Operation::ShiftRight | Operation::ShiftLeft if n == 0 => return x,
            Operation::ShiftRight => Op::Shr(x, n),
            Operation::ShiftLeft => Op::Shl(x, n),
            Operation::Add => Op::AddConst(x, k),
            _ => {
                let k = self.constant(k);
                return self.apply(function, x, k);
            }
        };
        folded(&mut self.graph, op)
    }

    fn equal(&self, x: Id, y: Id) -> bool {
        self.graph.equal(x, y)
    }

    fn compressed(&mut self, state: &[Id], block: &[Id]) -> Option<Vec<Id>> {
        let before = (self.compressed.len() * 8) as u32;
        let new = self.compressed.entry([state, block].concat()).or_insert_with(|| {
            let input = |i| self.graph.node(Op::Input(COMPRESSED + before + i));
            (0..state.len() as u32).map(input).collect()
        });
        Some(new.clone())
    }

    fn gathered(&mut self, bits: &[Bit<Id>]) -> Id {
        let width = self.graph.width() as usize;
        let mut all = bits.to_vec();
        all.resize(width, Bit::Is(false));
        let is_one = |bit: &Bit<Id>| matches!(bit, Bit::Is(true));
        if all.iter().all(|bit| matches!(bit, Bit::Is(_))) {
            let k = (0..).zip(&all).map(|(i, bit)| u64::from(is_one(bit)) << i).sum();
            return self.constant(k);
        }
        if let Bit::Of(word, 0) = all[0]
            && (0..).zip(&all).all(|(i, bit)| *bit == Bit::Of(word, i))
        {
            return word;
        }
        if let Some(&known) = self.gathered.get(&all) {
            return known;
        }
        let new = self.graph.node(Op::Input(GATHERED + self.gathered.len() as u32));
        self.say(|| format!("node {} has the bits {all:?}", new.index()));
        self.bits.insert(new, all.clone());
        self.gathered.insert(all, new);
        new
    }

    fn possible(&mut self, x: Id) -> u64 {
        let mut truth = Truth::new(self, &[]);
        let width = self.graph.width() as u8;
        (0..width).filter(|&i| truth.bit(x, i) != BitValue::Is(false)).map(|i| 1 << i).sum()
    }

    fn say(&mut self, step: impl FnOnce() -> String) {
        if let Some(steps) = &mut self.steps {
            steps.push(step());
        }
    }

    /// Lower halves are equal if the words are, or if their difference is a left shift by half a
    /// word or more.
    fn equal_low(&mut self, x: Id, y: Id) -> bool {
        if self.graph.equal(x, y) {
            return true;
        }
        let differ = self.graph.node(Op::Xor(x, y));
        let half = self.graph.width() / 2;
        // That shift is part of a rotation, so its word is also shifted right.
        self.graph.ids().any(|id| match self.graph.op(id) {
            Op::Shr(word, n) if n <= half && n > 0 => {
                let shifted = self.graph.node(Op::Shl(word, 2 * half - n));
                self.graph.equal(shifted, differ) && {
                    let [x, y, differ] = [x, y, differ].map(Id::index);
                    let shifted = shifted.index();
                    self.say(|| {
                        format!("halves: low of node {x} = low of node {y}: node {differ} = node {shifted}")
                    });
                    true
                }
            }
            _ => false,
        })
    }

    fn say_equal(&mut self, what: &str, x: Id, y: Id) {
        let form = self.graph.value(x).number();
        self.say(|| format!("{what}: node {} = node {} by form {form}", x.index(), y.index()));
    }
}
