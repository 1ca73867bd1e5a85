//! What is computed for nothing at the end of a block.

use crate::record::Block;

/// What full unrolling removes, in operations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// All operations of a block.
    pub all: usize,
    /// Of them, the schedule's that a loop over a ring of sixteen words does for
    /// words after the last.
    pub ring: usize,
    /// The operations left when the first so many words of the state are wanted.
    pub first_words: Vec<usize>,
    /// The operations left when word i of the state alone is wanted.
    pub single_word: Vec<usize>,
}

/// Counts them for `block` as the specification writes it.
pub fn ending(block: &Block) -> Ending {
    let graph = &block.graph;
    let work = |roots: &[crate::graph::Id]| {
        let nodes = graph.reachable(roots.iter().copied());
        nodes.into_iter().filter(|&id| graph.op(id).kind().is_some()).count()
    };
    let outputs = &block.spec.outputs;
    let words: Vec<_> = block.spec.rounds.iter().map(|r| r.w).collect();
    let steps = words.len().saturating_sub(16);
    Ending {
        all: work(outputs),
        ring: work(&words).checked_div(steps).unwrap_or(0) * 16,
        first_words: (1..=outputs.len()).map(|n| work(&outputs[..n])).collect(),
        single_word: outputs.iter().map(|&output| work(&[output])).collect(),
    }
}
