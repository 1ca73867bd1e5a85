//! The arena: hash-consed operations on words, each with its normal form.

use std::collections::HashMap;

use crate::fold::Fold;
use crate::normal::{Normal, NormalId};
pub use crate::op::{Id, Kind, Op};

/// Hash-consed operations: equal operations on equal operands are one node.
#[derive(Clone, Debug)]
pub struct Graph {
    width: u32,
    ops: Vec<Op>,
    values: Vec<NormalId>,
    index: HashMap<Op, Id, Fold>,
    normal: Normal,
}

impl Graph {
    /// Creates an empty graph with words of `width` bits: 32 or 64.
    pub fn new(width: u32) -> Self {
        Self {
            width,
            ops: Vec::new(),
            values: Vec::new(),
            index: HashMap::default(),
            normal: Normal::new(width),
        }
    }

    /// The width of every word, in bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Limits the number of products of a polynomial. Longer products become opaque words.
    pub fn limit_products(&mut self, most: usize) {
        self.normal.most = most;
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.ops.len()
    }

    /// Whether the graph is empty.
    pub fn is_empty(&self) -> bool {
        self.ops.is_empty()
    }

    /// Returns every node, operands before their users.
    pub fn ids(&self) -> impl Iterator<Item = Id> + use<> {
        (0..self.ops.len() as u32).map(Id)
    }

    /// The operation of `id`.
    pub fn op(&self, id: Id) -> Op {
        self.ops[id.index()]
    }

    /// Returns the node for `op`, an existing one if possible. Sorts the operands of
    /// commutative operations, and folds sums of constants.
    pub fn node(&mut self, op: Op) -> Id {
        let sorted = |x: Id, y: Id| if x <= y { (x, y) } else { (y, x) };
        let op = match op {
            Op::Add(x, y) => match (self.op(x), self.op(y)) {
                (_, Op::Const(k)) => return self.node(Op::AddConst(x, k)),
                (Op::Const(k), _) => return self.node(Op::AddConst(y, k)),
                _ => {
                    let (x, y) = sorted(x, y);
                    Op::Add(x, y)
                }
            },
            Op::Lea(x, y, k) => {
                let (x, y) = sorted(x, y);
                Op::Lea(x, y, k)
            }
            Op::AddConst(x, 0) => return x,
            Op::AddConst(x, k) => match self.op(x) {
                Op::Const(j) => Op::Const(self.mask(j.wrapping_add(k))),
                _ => Op::AddConst(x, self.mask(k)),
            },
            Op::And(x, y) => {
                let (x, y) = sorted(x, y);
                Op::And(x, y)
            }
            Op::Or(x, y) => {
                let (x, y) = sorted(x, y);
                Op::Or(x, y)
            }
            Op::Xor(x, y) => {
                let (x, y) = sorted(x, y);
                Op::Xor(x, y)
            }
            Op::Const(k) => Op::Const(self.mask(k)),
            Op::Rotr(x, n) if n % self.width == 0 => return x,
            Op::Rotr(x, n) => Op::Rotr(x, n % self.width),
            op => op,
        };
        if let Some(&id) = self.index.get(&op) {
            return id;
        }
        let value = self.normal.value(op, |id| self.values[id.index()]);
        let id = Id(u32::try_from(self.ops.len()).expect("a graph of fewer than 2^32 nodes"));
        self.ops.push(op);
        self.values.push(value);
        self.index.insert(op, id);
        id
    }

    /// The normal form of `id`. Two nodes of one graph with the same value are
    /// equal for all inputs; that is a proof, not a test.
    pub fn value(&self, id: Id) -> NormalId {
        self.values[id.index()]
    }

    /// `id` as a sum: its terms with their coefficients modulo 2^w, and the constant.
    pub fn sum(&self, id: Id) -> (&[(NormalId, u64)], u64) {
        self.normal.sum(&self.values[id.index()])
    }

    /// Whether `x` and `y` are proven equal for all inputs.
    pub fn equal(&self, x: Id, y: Id) -> bool {
        self.value(x) == self.value(y)
    }

    /// Prints the normal forms and their derivation for each node, one per line, so that an independent
    /// program can check them.
    pub fn steps(&self) -> impl Iterator<Item = String> {
        let forms = self.normal.steps();
        let nodes = (0..self.len()).map(|i| {
            let (op, form) = (self.ops[i], self.values[i].number());
            let (name, operands, k) = op.parts();
            let operands: String = operands.map(|id| format!(" {}", id.index())).collect();
            let k = k.map_or_else(String::new, |k| format!(" {k:#x}"));
            let rule = self.normal.rule(op, |id| self.values[id.index()]);
            format!("node {i} = {name}{operands}{k} : form {form} by {rule}")
        });
        forms.chain(nodes)
    }

    /// The lowest `width` bits of a constant.
    pub fn mask(&self, k: u64) -> u64 {
        if self.width == 64 { k } else { k & ((1 << self.width) - 1) }
    }

    /// Returns the nodes that `roots` depend on, including `roots`, in topological order.
    pub fn reachable(&self, roots: impl IntoIterator<Item = Id>) -> Vec<Id> {
        let mut seen = vec![false; self.len()];
        let mut stack: Vec<Id> = roots.into_iter().collect();
        while let Some(id) = stack.pop() {
            if !std::mem::replace(&mut seen[id.index()], true) {
                stack.extend(self.op(id).operands());
            }
        }
        (0..self.len()).filter(|&i| seen[i]).map(|i| Id(i as u32)).collect()
    }
}
