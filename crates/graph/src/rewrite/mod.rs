//! Passes that transform a form of a function into another one in the same graph.
//!
//! Every pass is checked when it runs: the normal form of each named word (outputs,
//! W_t, the state after every round) must be unchanged.

mod balance;
mod forms;
mod schedule;

use std::collections::HashMap;
use std::fmt;

pub use balance::Term;
pub use balance::{Sums, balance};
pub use forms::uses;
pub use forms::{ChForm, Forms, MajForm, SigmaForm, expand, fuse_lea, split_rotations};
pub use schedule::far_word;
pub use schedule::{squared_schedule, vector_repair};

use crate::graph::{Graph, Id, Op};
use crate::record::{Form, Round};

/// A pass changed a word, or its result is not proven equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotProven {
    /// The pass.
    pub pass: &'static str,
    /// The position of the first such word in [`Form::named`].
    pub word: usize,
}

impl fmt::Display for NotProven {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pass `{}` is not proven to keep named word {}", self.pass, self.word)
    }
}

impl std::error::Error for NotProven {}

/// Rebuilds `form` from its inputs: `f` receives each operation with its new operands
/// and its old id, and returns the node that replaces it.
///
/// # Errors
///
/// A named word of the new form is not proven equal to the old one.
pub fn apply(
    graph: &mut Graph,
    form: &Form,
    pass: &'static str,
    mut f: impl FnMut(&mut Graph, Id, Op) -> Id,
) -> Result<Form, NotProven> {
    let mut new: HashMap<Id, Id> = HashMap::new();
    for old in graph.reachable(form.named()) {
        let op = graph.op(old).map(|operand| new[&operand]);
        let id = f(graph, old, op);
        new.insert(old, id);
    }
    let after = rename(form, |id| new[&id]);
    prove(graph, form, &after, pass)?;
    Ok(after)
}

/// Proves that all named words of two forms are equal.
///
/// # Errors
///
/// The normal forms of a named word differ.
pub fn prove(
    graph: &Graph,
    before: &Form,
    after: &Form,
    pass: &'static str,
) -> Result<(), NotProven> {
    match before.named().zip(after.named()).position(|(old, new)| !graph.equal(old, new)) {
        Some(word) => Err(NotProven { pass, word }),
        None => Ok(()),
    }
}

fn rename(form: &Form, new: impl Fn(Id) -> Id) -> Form {
    Form {
        outputs: form.outputs.iter().map(|&id| new(id)).collect(),
        rounds: form
            .rounds
            .iter()
            .map(|r| Round {
                w: new(r.w),
                wk: new(r.wk),
                state: r.state.iter().map(|&id| new(id)).collect(),
            })
            .collect(),
    }
}
