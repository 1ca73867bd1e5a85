//! Operations at the end of a block whose result nobody uses.

use crate::graph::Id;
use crate::record::Block;

/// What full unrolling removes, in operations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// All operations that the specification writes, whether anything comes of them or not.
    pub all: usize,
    /// Of them, the schedule's that a loop over a ring of sixteen words does for
    /// words after the last.
    pub ring: usize,
    /// The operations left when the first so many words of the state are wanted.
    pub first_words: Vec<usize>,
    /// The operations left when word i of the state alone is wanted.
    pub single_word: Vec<usize>,
}

/// Counts them for `block` as the specification writes it: as it was recorded, with no other form in
/// its graph.
pub fn ending(block: &Block) -> Ending {
    let graph = &block.graph;
    let works = |id: Id| graph.op(id).kind().is_some();
    let work = |roots: &[Id]| {
        let nodes = graph.reachable(roots.iter().copied());
        nodes.into_iter().filter(|&id| works(id)).count()
    };
    let outputs = &block.spec.outputs;
    let words: Vec<_> = block.spec.rounds.iter().map(|r| r.w).collect();
    let steps = words.len().saturating_sub(16);
    Ending {
        all: graph.ids().filter(|&id| works(id)).count(),
        ring: work(&words).checked_div(steps).unwrap_or(0) * 16,
        first_words: (1..=outputs.len()).map(|n| work(&outputs[..n])).collect(),
        single_word: outputs.iter().map(|&output| work(&[output])).collect(),
    }
}
