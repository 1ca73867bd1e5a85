//! Operations on words: the nodes of a graph.

/// An operation of a [`Graph`](crate::graph::Graph). Operands are older than their users, so the
/// order of ids is a topological order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(pub(crate) u32);

impl Id {
    /// The id of the node at this position in the arena.
    pub fn new(index: usize) -> Self {
        Self(index as u32)
    }

    /// The position in the arena.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The operation of a node. All operands are words of the graph's width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// The n-th input.
    Input(u32),
    /// A constant.
    Const(u64),
    /// x + y.
    Add(Id, Id),
    /// x + k, for a constant k.
    AddConst(Id, u64),
    /// x + y + k: an address computation in one instruction.
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

    /// Its name, its operands, and its constant, if any.
    pub(crate) fn parts(self) -> (&'static str, impl Iterator<Item = Id>, Option<u64>) {
        let (name, k) = match self {
            Self::Input(n) => ("input", Some(n.into())),
            Self::Const(k) => ("constant", Some(k)),
            Self::Add(..) => ("add", None),
            Self::AddConst(_, k) => ("add", Some(k)),
            Self::Lea(_, _, k) => ("add", Some(k)),
            Self::Sub(..) => ("sub", None),
            Self::And(..) => ("and", None),
            Self::AndNot(..) => ("andnot", None),
            Self::Or(..) => ("or", None),
            Self::Xor(..) | Self::Xor3(..) => ("xor", None),
            Self::Not(..) => ("not", None),
            Self::Rotr(_, n) => ("rotr", Some(n.into())),
            Self::Shr(_, n) => ("shr", Some(n.into())),
            Self::Shl(_, n) => ("shl", Some(n.into())),
            Self::Ch(..) => ("ch", None),
            Self::Maj(..) => ("maj", None),
        };
        (name, self.operands(), k)
    }

    /// This operation applied to other operands.
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

    /// Its kind of work, or `None` for an input or a constant.
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

    /// Whether it is an addition.
    pub fn is_sum(self) -> bool {
        matches!(self, Self::Add(..) | Self::AddConst(..) | Self::Lea(..) | Self::Sub(..))
    }
}

/// Kinds of work that instruction sets and delay models distinguish.
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

    /// The name in model files.
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
