//! Reorders sums by the arrival of their terms.

use std::collections::HashMap;

use crate::graph::{Graph, Id, Op};
use crate::record::{Form, Round};
use crate::rewrite::{NotProven, prove};
use crate::time::Time;

/// A term of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// A word.
    Plus(Id),
    /// A subtracted word.
    Minus(Id),
    /// A constant.
    Constant(u64),
}

/// The sums of a form as lists of terms. An addition that only additions use is a
/// step of a larger sum, not a separate word.
#[derive(Debug)]
pub struct Sums {
    terms: HashMap<Id, Vec<Term>>,
}

impl Sums {
    /// Collects the sums that `roots` depend on.
    pub fn new(graph: &Graph, roots: impl IntoIterator<Item = Id> + Clone) -> Self {
        let nodes = graph.reachable(roots.clone());
        let mut is_word = vec![false; graph.len()];
        for &id in &nodes {
            if !graph.op(id).is_sum() {
                graph.op(id).operands().for_each(|operand| is_word[operand.index()] = true);
            }
        }
        roots.into_iter().for_each(|root| is_word[root.index()] = true);
        let mut terms = HashMap::new();
        for &id in &nodes {
            if graph.op(id).is_sum() && is_word[id.index()] {
                let mut list = Vec::new();
                collect(graph, &is_word, id, true, true, &mut list);
                terms.insert(id, list);
            }
        }
        Self { terms }
    }

    /// The terms of `id`, if it is the root of a sum.
    pub fn terms(&self, id: Id) -> Option<&[Term]> {
        self.terms.get(&id).map(Vec::as_slice)
    }

    /// The number of sums.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Whether there are no sums.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }
}

fn collect(graph: &Graph, is_word: &[bool], id: Id, root: bool, plus: bool, to: &mut Vec<Term>) {
    if !graph.op(id).is_sum() || (is_word[id.index()] && !root) {
        to.push(if plus { Term::Plus(id) } else { Term::Minus(id) });
        return;
    }
    let mut go = |x, plus| collect(graph, is_word, x, false, plus, to);
    let constant = |k: u64| Term::Constant(if plus { k } else { graph.mask(k.wrapping_neg()) });
    match graph.op(id) {
        Op::Add(x, y) => {
            go(x, plus);
            go(y, plus);
        }
        Op::Sub(x, y) => {
            go(x, plus);
            go(y, !plus);
        }
        Op::AddConst(x, k) => {
            go(x, plus);
            to.push(constant(k));
        }
        Op::Lea(x, y, k) => {
            go(x, plus);
            go(y, plus);
            to.push(constant(k));
        }
        _ => unreachable!("a sum"),
    }
}

/// Adds the two earliest terms first in every sum. No other order has an earlier result, since max
/// is monotone. `start` has the times of inputs, `delay` the times of operations.
///
/// A sum within a sum is not shared but computed again, so this may add operations.
///
/// # Errors
///
/// [`NotProven`], which would be a bug in this pass.
pub fn balance(
    graph: &mut Graph,
    form: &Form,
    start: impl Fn(Id) -> Option<Time>,
    delay: impl Fn(&Graph, Op) -> Time,
) -> Result<Form, NotProven> {
    let roots: Vec<Id> = form.outputs.clone();
    let nodes = graph.reachable(roots.iter().copied());
    let sums = Sums::new(graph, roots);
    let mut new: HashMap<Id, Id> = HashMap::new();
    let mut times: HashMap<Id, Time> = HashMap::new();
    let add = delay(graph, Op::Add(Id(0), Id(0)));
    for id in nodes {
        let Some(terms) = sums.terms(id) else {
            if graph.op(id).is_sum() {
                continue;
            }
            let op = graph.op(id).map(|x| new[&x]);
            let made = graph.node(op);
            let late = op.operands().map(|x| times[&x]).fold(Time::NEVER, Time::max);
            let time = start(id).unwrap_or(late + delay(graph, op));
            times.insert(made, time);
            new.insert(id, made);
            continue;
        };
        let mut parts: Vec<(Time, Term)> = terms
            .iter()
            .map(|&term| match term {
                Term::Plus(x) => (times[&new[&x]], Term::Plus(new[&x])),
                Term::Minus(x) => (times[&new[&x]], Term::Minus(new[&x])),
                Term::Constant(k) => (Time::NEVER, Term::Constant(k)),
            })
            .collect();
        while parts.len() > 1 {
            // The earliest term is last; of equal ones, the first in the specification.
            parts.reverse();
            parts.sort_by(|x, y| y.0.total_cmp(&x.0));
            let (t0, x) = parts.pop().expect("two terms");
            let (t1, y) = parts.pop().expect("two terms");
            let (op, minus) = match (x, y) {
                (Term::Plus(x), Term::Plus(y)) => (Op::Add(x, y), false),
                (Term::Plus(x), Term::Minus(y)) | (Term::Minus(y), Term::Plus(x)) => {
                    (Op::Sub(x, y), false)
                }
                (Term::Minus(x), Term::Minus(y)) => (Op::Add(x, y), true),
                (Term::Plus(x), Term::Constant(k)) | (Term::Constant(k), Term::Plus(x)) => {
                    (Op::AddConst(x, k), false)
                }
                (Term::Minus(x), Term::Constant(k)) | (Term::Constant(k), Term::Minus(x)) => {
                    let k = graph.node(Op::Const(k));
                    (Op::Sub(k, x), false)
                }
                (Term::Constant(j), Term::Constant(k)) => (Op::Const(j.wrapping_add(k)), false),
            };
            let made = graph.node(op);
            let time = t0.max(t1) + add;
            times.entry(made).and_modify(|t| *t = t.min(time)).or_insert(time);
            parts.insert(0, (time, if minus { Term::Minus(made) } else { Term::Plus(made) }));
        }
        let Some((_, Term::Plus(made))) = parts.pop() else {
            // A sum of one negative word is unchanged.
            let op = graph.op(id).map(|x| new[&x]);
            let made = graph.node(op);
            times.insert(made, Time::NEVER);
            new.insert(id, made);
            continue;
        };
        if let Some(time) = start(id) {
            times.insert(made, time);
        }
        new.insert(id, made);
    }
    // W_t + K_t is no longer a separate word, and keeps its old node.
    let name = |id: Id| new.get(&id).copied().unwrap_or(id);
    let after = Form {
        outputs: form.outputs.iter().map(|&id| name(id)).collect(),
        rounds: form
            .rounds
            .iter()
            .map(|r| Round {
                w: name(r.w),
                wk: name(r.wk),
                state: r.state.iter().map(|&id| name(id)).collect(),
            })
            .collect(),
    };
    prove(graph, form, &after, "balance")?;
    Ok(after)
}
