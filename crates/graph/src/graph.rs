//! The arena: hash-consed operations on words, each with its normal form.

use std::collections::HashMap;

use crate::fold::Fold;
use crate::normal::{Normal, Value};

/// An operation of a [`Graph`]. Operands are older than their users, so the
/// order of ids is a topological order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(pub(crate) u32);

impl Id {
    /// The position in the arena.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node does with its operands, all words of the graph's width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// The n-th word from outside.
    Input(u32),
    /// A constant.
    Const(u64),
    /// x + y.
    Add(Id, Id),
    /// x + k, for a constant k.
    AddConst(Id, u64),
    /// x + y + k: an address computation done by one instruction.
    Lea(Id, Id, u64),
    /// x − y.
    Sub(Id, Id),
    /// x ∧ y.
    And(Id, Id),
    /// x ∧ ¬y.
    AndNot(Id, Id),
    /// x ∨ y.
    Or(Id, Id),
    /// x ⊕ y.
    Xor(Id, Id),
    /// ¬x.
    Not(Id),
    /// ROTR^n(x).
    Rotr(Id, u32),
    /// SHR^n(x).
    Shr(Id, u32),
    /// x shifted left by n.
    Shl(Id, u32),
    /// Ch(x, y, z).
    Ch(Id, Id, Id),
    /// Maj(x, y, z).
    Maj(Id, Id, Id),
    /// x ⊕ y ⊕ z.
    Xor3(Id, Id, Id),
}

impl Op {
    /// The operands, in order.
    pub fn operands(self) -> impl Iterator<Item = Id> {
        let (x, y, z) = match self {
            Self::Input(_) | Self::Const(_) => (None, None, None),
            Self::AddConst(x, _)
            | Self::Not(x)
            | Self::Rotr(x, _)
            | Self::Shr(x, _)
            | Self::Shl(x, _) => (Some(x), None, None),
            Self::Add(x, y)
            | Self::Lea(x, y, _)
            | Self::Sub(x, y)
            | Self::And(x, y)
            | Self::AndNot(x, y)
            | Self::Or(x, y)
            | Self::Xor(x, y) => (Some(x), Some(y), None),
            Self::Ch(x, y, z) | Self::Maj(x, y, z) | Self::Xor3(x, y, z) => {
                (Some(x), Some(y), Some(z))
            }
        };
        [x, y, z].into_iter().flatten()
    }

    /// The same operation on other operands.
    pub fn map(self, mut f: impl FnMut(Id) -> Id) -> Self {
        match self {
            Self::Input(_) | Self::Const(_) => self,
            Self::Add(x, y) => Self::Add(f(x), f(y)),
            Self::AddConst(x, k) => Self::AddConst(f(x), k),
            Self::Lea(x, y, k) => Self::Lea(f(x), f(y), k),
            Self::Sub(x, y) => Self::Sub(f(x), f(y)),
            Self::And(x, y) => Self::And(f(x), f(y)),
            Self::AndNot(x, y) => Self::AndNot(f(x), f(y)),
            Self::Or(x, y) => Self::Or(f(x), f(y)),
            Self::Xor(x, y) => Self::Xor(f(x), f(y)),
            Self::Not(x) => Self::Not(f(x)),
            Self::Rotr(x, n) => Self::Rotr(f(x), n),
            Self::Shr(x, n) => Self::Shr(f(x), n),
            Self::Shl(x, n) => Self::Shl(f(x), n),
            Self::Ch(x, y, z) => Self::Ch(f(x), f(y), f(z)),
            Self::Maj(x, y, z) => Self::Maj(f(x), f(y), f(z)),
            Self::Xor3(x, y, z) => Self::Xor3(f(x), f(y), f(z)),
        }
    }

    /// What kind of work it is; none for a word that is merely there.
    pub fn kind(self) -> Option<Kind> {
        Some(match self {
            Self::Input(_) | Self::Const(_) => return None,
            Self::Add(..) | Self::AddConst(..) | Self::Sub(..) => Kind::Add,
            Self::Lea(..) => Kind::Lea,
            Self::And(..) | Self::AndNot(..) | Self::Or(..) | Self::Xor(..) | Self::Not(..) => {
                Kind::Logic
            }
            Self::Rotr(..) => Kind::Rotate,
            Self::Shr(..) | Self::Shl(..) => Kind::Shift,
            Self::Ch(..) | Self::Maj(..) | Self::Xor3(..) => Kind::Ternary,
        })
    }

    /// Whether it adds: one operand of a sum after another.
    pub(crate) fn is_sum(self) -> bool {
        matches!(self, Self::Add(..) | Self::AddConst(..) | Self::Lea(..) | Self::Sub(..))
    }
}

/// Kinds of work, as instruction sets and delay models tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Addition and subtraction modulo 2^w.
    Add,
    /// Two additions in one instruction.
    Lea,
    /// ∧, ∨, ⊕, ¬.
    Logic,
    /// Rotation by a constant.
    Rotate,
    /// Shift by a constant.
    Shift,
    /// A bitwise function of three words.
    Ternary,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 6] =
        [Self::Add, Self::Lea, Self::Logic, Self::Rotate, Self::Shift, Self::Ternary];

    /// The name, as model files have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Lea => "lea",
            Self::Logic => "logic",
            Self::Rotate => "rotate",
            Self::Shift => "shift",
            Self::Ternary => "ternary",
        }
    }
}

/// Hash-consed operations: equal operations on equal operands are one node.
#[derive(Clone, Debug)]
pub struct Graph {
    width: u32,
    ops: Vec<Op>,
    values: Vec<Value>,
    index: HashMap<Op, Id, Fold>,
    normal: Normal,
}

impl Graph {
    /// An empty graph of words of `width` bits: 32 or 64.
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

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.ops.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.ops.is_empty()
    }

    /// What `id` does.
    pub fn op(&self, id: Id) -> Op {
        self.ops[id.index()]
    }

    /// The node that does `op`: an old one if there is one. Operands of
    /// commutative operations are put in order, and sums of constants folded.
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
    pub fn value(&self, id: Id) -> Value {
        self.values[id.index()]
    }

    /// `id` as a sum: its terms with their coefficients modulo 2^w, and the constant.
    pub fn sum(&self, id: Id) -> (&[(Value, u64)], u64) {
        self.normal.sum(&self.values[id.index()])
    }

    /// Whether `x` and `y` are proven equal for all inputs.
    pub fn equal(&self, x: Id, y: Id) -> bool {
        self.value(x) == self.value(y)
    }

    pub(crate) fn mask(&self, k: u64) -> u64 {
        if self.width == 64 { k } else { k & ((1 << self.width) - 1) }
    }

    /// The nodes that `roots` depend on, themselves too, in topological order.
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
