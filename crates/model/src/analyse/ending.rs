//! Operations at the end of a block with unused results.

use lanesum_graph::graph::Id;
use lanesum_graph::record::Block;

/// The operations that full unrolling removes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// All operations of the specification, including unused ones.
    pub all: usize,
    /// The additional operations of a loop over a ring of sixteen words, which computes
    /// words after the last.
    pub ring: usize,
    /// The remaining operations by the number of required words, from the first.
    pub first_words: Vec<usize>,
    /// The remaining operations if only word i of the state is required.
    pub single_word: Vec<usize>,
}

/// Counts the operations of `block` in the form of the specification. Its graph must not contain other
/// forms.
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
