//! The forms of Ch, Maj and Σ, and sums as single instructions.

use crate::graph::{Graph, Id, Op};
use crate::record::Form;
use crate::rewrite::{NotProven, apply};

/// A form of Ch(x, y, z).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChForm {
    /// One operation of three operands.
    Whole,
    /// ((y ⊕ z) ∧ x) ⊕ z: three operations.
    Mux,
    /// (x ∧ y) + (z ∧ ¬x): the halves have no bit in common, so they can be added to a
    /// sum separately.
    Split,
}

/// A form of Maj(x, y, z).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MajForm {
    /// One operation of three operands.
    Whole,
    /// x ⊕ ((x ⊕ y) ∧ (x ⊕ z)): four operations without reuse.
    Plain,
    /// ((x ⊕ y) ∧ (y ⊕ z)) ⊕ y: in SHA-2 the y ⊕ z of a round is the x ⊕ y of the
    /// previous round.
    Reuse,
    /// (y ∧ z) + (x ∧ (y ⊕ z)): the halves have no bit in common.
    Split,
}

/// A form of x ⊕ y ⊕ z of rotations of one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SigmaForm {
    /// One operation of three operands.
    Whole,
    /// Two ⊕ of the three rotations.
    Plain,
    /// Rotations of rotations: ROTR^a(x ⊕ ROTR^b(x ⊕ ROTR^c(x))), which needs one
    /// copy of x if instructions overwrite an operand.
    Chained,
}

/// The choice of a form for each function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forms {
    /// Ch.
    pub ch: ChForm,
    /// Maj.
    pub maj: MajForm,
    /// Σ, σ and Parity.
    pub sigma: SigmaForm,
}

impl Forms {
    /// The forms with the fewest operations of two operands.
    pub const FEWEST: Self = Self { ch: ChForm::Mux, maj: MajForm::Reuse, sigma: SigmaForm::Plain };
    /// The forms that add each half of Ch and Maj to its sum when it is ready.
    pub const SPLIT: Self =
        Self { ch: ChForm::Split, maj: MajForm::Split, sigma: SigmaForm::Plain };

    /// Every choice without operations of three operands.
    pub fn all() -> impl Iterator<Item = Self> {
        [ChForm::Mux, ChForm::Split].into_iter().flat_map(|ch| {
            [MajForm::Plain, MajForm::Reuse, MajForm::Split].into_iter().flat_map(move |maj| {
                [SigmaForm::Plain, SigmaForm::Chained].into_iter().map(move |sigma| Self {
                    ch,
                    maj,
                    sigma,
                })
            })
        })
    }

    /// A short name: `Ch mux, Maj reuse, Σ chained`.
    pub fn name(self) -> String {
        let ch = match self.ch {
            ChForm::Whole => "whole",
            ChForm::Mux => "mux",
            ChForm::Split => "split",
        };
        let maj = match self.maj {
            MajForm::Whole => "whole",
            MajForm::Plain => "plain",
            MajForm::Reuse => "reuse",
            MajForm::Split => "split",
        };
        let sigma = match self.sigma {
            SigmaForm::Whole => "whole",
            SigmaForm::Plain => "plain",
            SigmaForm::Chained => "chained",
        };
        format!("Ch {ch}, Maj {maj}, Σ {sigma}")
    }
}

/// Rewrites Ch, Maj and Σ to `forms`.
///
/// # Errors
///
/// [`NotProven`], which would be a bug in this pass.
pub fn expand(graph: &mut Graph, form: &Form, forms: Forms) -> Result<Form, NotProven> {
    apply(graph, form, "expand", |graph, _, op| match op {
        Op::Ch(x, y, z) => match forms.ch {
            ChForm::Whole => graph.node(op),
            ChForm::Mux => {
                let differ = graph.node(Op::Xor(y, z));
                let chosen = graph.node(Op::And(differ, x));
                graph.node(Op::Xor(chosen, z))
            }
            ChForm::Split => {
                let ones = graph.node(Op::And(x, y));
                let zeros = graph.node(Op::AndNot(z, x));
                graph.node(Op::Add(ones, zeros))
            }
        },
        Op::Maj(x, y, z) => match forms.maj {
            MajForm::Whole => graph.node(op),
            MajForm::Plain => {
                let (xy, xz) = (graph.node(Op::Xor(x, y)), graph.node(Op::Xor(x, z)));
                let both = graph.node(Op::And(xy, xz));
                graph.node(Op::Xor(x, both))
            }
            MajForm::Reuse => {
                let (xy, yz) = (graph.node(Op::Xor(x, y)), graph.node(Op::Xor(y, z)));
                let both = graph.node(Op::And(xy, yz));
                graph.node(Op::Xor(both, y))
            }
            MajForm::Split => {
                let (both, differ) = (graph.node(Op::And(y, z)), graph.node(Op::Xor(y, z)));
                let decided = graph.node(Op::And(x, differ));
                graph.node(Op::Add(both, decided))
            }
        },
        Op::Xor3(x, y, z) => match (forms.sigma, rotations(graph, [x, y, z])) {
            (SigmaForm::Whole, _) => graph.node(op),
            (SigmaForm::Chained, Some((word, [a, b, c]))) => {
                let inner = graph.node(Op::Rotr(word, c - b));
                let inner = graph.node(Op::Xor(inner, word));
                let middle = graph.node(Op::Rotr(inner, b - a));
                let middle = graph.node(Op::Xor(middle, word));
                graph.node(Op::Rotr(middle, a))
            }
            (SigmaForm::Chained, None) if two_rotations(graph, x, y).is_some() => {
                let (word, [a, b]) = two_rotations(graph, x, y).expect("just seen");
                let inner = graph.node(Op::Rotr(word, b - a));
                let inner = graph.node(Op::Xor(inner, word));
                let outer = graph.node(Op::Rotr(inner, a));
                graph.node(Op::Xor(outer, z))
            }
            // The first word of a Parity is the newest, so it is added last.
            (_, None) if !matches!(graph.op(x), Op::Rotr(..)) => {
                let yz = graph.node(Op::Xor(y, z));
                graph.node(Op::Xor(x, yz))
            }
            _ => {
                let xy = graph.node(Op::Xor(x, y));
                graph.node(Op::Xor(xy, z))
            }
        },
        op => graph.node(op),
    })
}

/// Three rotations of one word, least first.
fn rotations(graph: &Graph, terms: [Id; 3]) -> Option<(Id, [u32; 3])> {
    let mut counts = [0; 3];
    let mut word = None;
    for (count, term) in counts.iter_mut().zip(terms) {
        let Op::Rotr(x, n) = graph.op(term) else { return None };
        if word.replace(x).is_some_and(|other| other != x) {
            return None;
        }
        *count = n;
    }
    counts.sort_unstable();
    word.map(|word| (word, counts))
}

fn two_rotations(graph: &Graph, x: Id, y: Id) -> Option<(Id, [u32; 2])> {
    match (graph.op(x), graph.op(y)) {
        (Op::Rotr(x, n), Op::Rotr(y, m)) if x == y => Some((x, [n.min(m), n.max(m)])),
        _ => None,
    }
}

/// Merges `x + y` and `+ k` into one address computation if the inner sum has no
/// other user.
///
/// # Errors
///
/// [`NotProven`], which would be a bug in this pass.
pub fn fuse_lea(graph: &mut Graph, form: &Form) -> Result<Form, NotProven> {
    let uses = uses(graph, form);
    apply(graph, form, "fuse_lea", |graph, old, op| {
        let single = |graph: &Graph, position: usize| {
            let operand = graph.op(old).operands().nth(position).expect("an operand");
            uses[operand.index()] == 1
        };
        match op {
            Op::Add(x, y) => match (graph.op(x), graph.op(y)) {
                (Op::AddConst(inner, k), _) if single_of(graph, old, &uses, inner, k) => {
                    graph.node(Op::Lea(inner, y, k))
                }
                (_, Op::AddConst(inner, k)) if single_of(graph, old, &uses, inner, k) => {
                    graph.node(Op::Lea(x, inner, k))
                }
                _ => graph.node(op),
            },
            Op::AddConst(x, k) => match graph.op(x) {
                Op::Add(y, z) if single(graph, 0) => graph.node(Op::Lea(y, z, k)),
                _ => graph.node(op),
            },
            op => graph.node(op),
        }
    })
}

/// Whether an operand of `old` is an addition of `k` without other users.
fn single_of(graph: &Graph, old: Id, uses: &[u32], _: Id, k: u64) -> bool {
    graph.op(old).operands().any(|operand| {
        matches!(graph.op(operand), Op::AddConst(_, j) if j == k) && uses[operand.index()] == 1
    })
}

/// Rewrites each rotation as two shifts and an ∨, for machines without rotations.
///
/// # Errors
///
/// [`NotProven`], which would be a bug in this pass.
pub fn split_rotations(graph: &mut Graph, form: &Form) -> Result<Form, NotProven> {
    apply(graph, form, "split_rotations", |graph, _, op| match op {
        Op::Rotr(x, n) => {
            let low = graph.node(Op::Shr(x, n));
            let high = graph.node(Op::Shl(x, graph.width() - n));
            graph.node(Op::Or(low, high))
        }
        op => graph.node(op),
    })
}

/// The number of uses of each node, by operations and as a result of `form`.
pub fn uses(graph: &Graph, form: &Form) -> Vec<u32> {
    let mut uses = vec![0; graph.len()];
    for id in graph.reachable(form.outputs.iter().copied()) {
        graph.op(id).operands().for_each(|operand| uses[operand.index()] += 1);
    }
    form.outputs.iter().for_each(|output| uses[output.index()] += 1);
    uses
}
