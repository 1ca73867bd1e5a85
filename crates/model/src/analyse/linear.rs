//! SHA-1's schedule as algebra: a recurrence over GF(2), and its consequences.

use std::collections::BTreeSet;

use lanesum_graph::graph::{Graph, Id, Op};
use lanesum_graph::record::Block;
use lanesum_graph::rewrite::far_word;

/// A polynomial over GF(2) in x (a word earlier) and r (a rotation left): the set
/// of its terms x^i r^j.
type Polynomial = BTreeSet<(usize, usize)>;

/// A form of the schedule: W_t is the ⊕ of earlier words, each rotated left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduleForm {
    /// The power of the recurrence.
    pub power: usize,
    /// Distance and rotation of each word.
    pub terms: Vec<(usize, usize)>,
    /// The first t for which it holds by derivation.
    pub from: usize,
    /// The first t from which on it is proven for all words of the graph, or `None`.
    pub proven_from: Option<usize>,
    /// The maximum number of words at a time, which is the minimum distance.
    pub widest: usize,
}

impl ScheduleForm {
    /// The formula: `ROTL^2(W[t-6] ⊕ W[t-16] …)`, or with separately rotated words.
    pub fn formula(&self) -> String {
        let rotation = self.terms[0].1;
        let words = |with: bool| {
            let each: Vec<String> = self
                .terms
                .iter()
                .map(
                    |&(d, r)| {
                        if with { format!("ROTL^{r} W[t-{d}]") } else { format!("W[t-{d}]") }
                    },
                )
                .collect();
            each.join(" ⊕ ")
        };
        if self.terms.iter().all(|&(_, r)| r == rotation) {
            format!("ROTL^{rotation}({})", words(false))
        } else {
            words(true)
        }
    }
}

fn times(x: &Polynomial, y: &Polynomial) -> Polynomial {
    let mut product = Polynomial::new();
    for &(i, j) in x {
        for &(k, l) in y {
            let term = (i + k, (j + l) % 32);
            if !product.remove(&term) {
                product.insert(term);
            }
        }
    }
    product
}

/// The recurrence, extracted from the graph: distances and rotations.
fn recurrence(block: &Block) -> Polynomial {
    let words: Vec<Id> = block.spec.rounds.iter().map(|r| r.w).collect();
    let mut terms = Polynomial::from([(0, 0)]);
    let t = 40;
    walk(&block.graph, words[t], 0, true, &mut |id, rotation| {
        words.iter().position(|&w| w == id).map(|s| terms.insert((t - s, rotation))).is_some()
    });
    terms
}

fn walk(graph: &Graph, id: Id, left: usize, root: bool, found: &mut impl FnMut(Id, usize) -> bool) {
    if !root && found(id, left) {
        return;
    }
    let more = match graph.op(id) {
        Op::Rotr(_, n) => (graph.width() - n) as usize,
        _ => 0,
    };
    for operand in graph.op(id).operands() {
        walk(graph, operand, left + more, false, found);
    }
}

/// The powers 1 … `most` of SHA-1's recurrence, each proven for the words of the graph.
pub fn schedule_forms(block: &mut Block, most: usize) -> Vec<ScheduleForm> {
    let p = recurrence(block);
    let words: Vec<Id> = block.spec.rounds.iter().map(|r| r.w).collect();
    let mut power = Polynomial::from([(0, 0)]);
    (1..=most)
        .map(|n| {
            power = times(&power, &p);
            let terms: Vec<(usize, usize)> =
                power.iter().copied().filter(|&(d, _)| d > 0).collect();
            let last = terms.iter().map(|&(d, _)| d).max().expect("a term");
            let holds = |block: &mut Block, t: usize| {
                let graph = &mut block.graph;
                let sum = terms
                    .iter()
                    .map(|&(d, r)| (words[t - d], r))
                    .collect::<Vec<_>>()
                    .into_iter()
                    .map(|(w, r)| graph.node(Op::Rotr(w, 32 - r as u32)))
                    .collect::<Vec<_>>()
                    .into_iter()
                    .reduce(|x, y| graph.node(Op::Xor(x, y)))
                    .expect("a term");
                graph.equal(sum, words[t])
            };
            let proven: Vec<usize> = (last..words.len()).filter(|&t| holds(block, t)).collect();
            // From this t on without a gap.
            let proven_from = (last..words.len()).rev().take_while(|t| proven.contains(t)).last();
            ScheduleForm {
                power: n,
                // Each application of the recurrence needs sixteen earlier words, so n
                // applications need 16n.
                from: 16 * n,
                proven_from,
                widest: terms.iter().map(|&(d, _)| d).min().expect("a term"),
                terms,
            }
        })
        .collect()
}

/// Whether the form of power 2^k is proven for every t from `from` on.
///
/// # Panics
///
/// If `from` is less than 16·2^k, because earlier words do not exist.
pub fn squared_holds(block: &mut Block, k: u32, from: usize) -> bool {
    let words: Vec<Id> = block.spec.rounds.iter().map(|r| r.w).collect();
    (from..words.len()).all(|t| {
        let word = far_word(&mut block.graph, &words, t, 1 << k);
        block.graph.equal(word, words[t])
    })
}
