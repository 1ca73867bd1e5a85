//! Transforms the specification's graph so that the chain from round to round is only an
//! addition and a Σ: four cycles for SHA-2, two for SHA-1.

use lanesum_spec::Family;

use lanesum_graph::graph::{Graph, Id, Op};
use lanesum_graph::record::{Block, Form, record, record_rounds};
use lanesum_graph::rewrite::{
    ChForm, Forms, MajForm, NotProven, SigmaForm, balance, expand, fuse_lea, split_rotations,
};
use lanesum_graph::time::Time;

/// The source of a kernel's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WordSource {
    /// W_t + K_t of every round, from memory: only the rounds.
    Expanded,
    /// The block's bytes: the rounds and the schedule.
    Block,
}

/// A compression function in the form that is emitted.
#[derive(Clone, Debug)]
pub struct Shaped {
    /// The inputs, and the form of the specification.
    pub block: Block,
    /// The form that is emitted, in the same graph.
    pub form: Form,
    /// Cycles from one round to the next, if each operation takes one.
    pub chain: f64,
}

/// Shapes the compression function of `family`; `three_operands` says whether an
/// ∧ with a complement is one instruction.
///
/// Each rewrite proves that it changes no word, so this fails only if a rewrite has a
/// bug.
///
/// # Errors
///
/// [`NotProven`].
pub fn shape(family: Family, words: WordSource, three_operands: bool) -> Result<Shaped, NotProven> {
    // The form that computes the new a from the new e: d is added to e's sum early.
    let mut block = match words {
        WordSource::Expanded => record_rounds(family, true),
        WordSource::Block => record(family, true),
    };
    let ch = if three_operands { ChForm::Split } else { ChForm::Mux };
    let forms = Forms { ch, maj: MajForm::Split, sigma: SigmaForm::Plain };
    let form = expand(&mut block.graph, &block.spec, forms)?;

    // Every word of the state, and every W_t, is a separate word, not a step of another
    // sum.
    let mut all = form.clone();
    all.outputs.extend(form.rounds.iter().flat_map(|r| r.state.iter().copied()));
    if words == WordSource::Block {
        all.outputs.extend(form.rounds.iter().map(|r| r.w));
    }

    // As if there were rounds before the first one: the state's words have increasing
    // age, and the schedule is available.
    let chain = if family == Family::Sha1 { 2.0 } else { 4.0 };
    let state = block.state.clone();
    let half = state.len() / 2;
    let start = |id: Id| -> Option<Time> {
        if let Some(i) = state.iter().position(|s| *s == id) {
            // The new a is computed from the new e, two additions later.
            let (age, lead) = match family {
                Family::Sha1 => (i, 0.0),
                _ => (i % half, if i < half { 0.0 } else { 2.0 }),
            };
            return Some(Time::of(-chain * age as f64 - lead));
        }
        block.block.contains(&id).then_some(Time::NEVER)
    };
    let unit = |_: &Graph, _: Op| Time::of(1.0);
    let balanced = balance(&mut block.graph, &all, start, unit)?;
    let balanced = fuse_lea_of_words(&mut block.graph, &balanced)?;
    let form =
        Form { outputs: balanced.outputs[..form.outputs.len()].to_vec(), rounds: balanced.rounds };
    Ok(Shaped { block, form, chain })
}

/// An addition of three terms is one instruction only if the constant fits in it.
fn fuse_lea_of_words(graph: &mut Graph, form: &Form) -> Result<Form, NotProven> {
    if graph.width() == 32 { fuse_lea(graph, form) } else { Ok(form.clone()) }
}

/// Shapes the compression function of `family` for instructions that overwrite an operand, with the
/// fewest instructions, in the order of the specification.
///
/// # Errors
///
/// The errors of [`shape`].
pub fn shape_fewest(family: Family, words: WordSource) -> Result<Shaped, NotProven> {
    let mut block = match words {
        WordSource::Expanded => record_rounds(family, false),
        WordSource::Block => record(family, false),
    };
    // Only in SHA-2 can a Maj reuse a part of the previous one.
    let maj = if family == Family::Sha1 { MajForm::Split } else { MajForm::Reuse };
    let forms = Forms { ch: ChForm::Mux, maj, sigma: SigmaForm::Chained };
    let form = expand(&mut block.graph, &block.spec, forms)?;
    let form = fuse_lea_of_words(&mut block.graph, &form)?;
    let chain = if family == Family::Sha1 { 3.0 } else { 5.0 };
    Ok(Shaped { block, form, chain })
}

/// Shapes the compression function of `family` for vectors; `is_ternary` says whether there are
/// rotations and functions of three sources (AVX-512). With them, the chain from round to round is the
/// limit on cores whose vector operations take two cycles (Zen 5): it is the shorter one, at the cost of
/// an addition per round. Without them, the number of instructions is the limit.
///
/// # Errors
///
/// The errors of [`shape`].
pub fn shape_lanes(family: Family, is_ternary: bool) -> Result<Shaped, NotProven> {
    let mut block = record(family, is_ternary);
    if is_ternary {
        let form = block.spec.clone();
        return Ok(Shaped { block, form, chain: 1.0 });
    }
    let maj = if family == Family::Sha1 { MajForm::Split } else { MajForm::Reuse };
    let forms = Forms { ch: ChForm::Mux, maj, sigma: SigmaForm::Plain };
    let form = expand(&mut block.graph, &block.spec, forms)?;
    let form = split_rotations(&mut block.graph, &form)?;
    Ok(Shaped { block, form, chain: 1.0 })
}
