//! Other forms of SHA-1's message schedule.

use crate::graph::{Graph, Id, Op};
use crate::record::Form;
use crate::rewrite::{NotProven, apply};

/// SHA-1's schedule squared `k` times: W_t from words `3·2^k`, `8·2^k`, `14·2^k`
/// and `16·2^k` back, rotated left by 2^k, for every t ≥ `16·2^k`.
///
/// # Errors
///
/// [`NotProven`], which would be a bug in the derivation.
pub fn squared_schedule(graph: &mut Graph, form: &Form, k: u32) -> Result<Form, NotProven> {
    let words: Vec<Id> = form.rounds.iter().map(|r| r.w).collect();
    let mut new = words.clone();
    let times = 1usize << k;
    for t in 16 * times..words.len() {
        new[t] = far_word(graph, &new, t, times);
    }
    apply(graph, form, "squared_schedule", |graph, old, op| {
        match words.iter().position(|&w| w == old) {
            Some(t) if t >= 16 * times => new[t],
            _ => graph.node(op),
        }
    })
}

/// ROTL^n of the ⊕ of the words 3n, 8n, 14n and 16n before t.
pub fn far_word(graph: &mut Graph, words: &[Id], t: usize, n: usize) -> Id {
    let xy = graph.node(Op::Xor(words[t - 16 * n], words[t - 14 * n]));
    let xyz = graph.node(Op::Xor(xy, words[t - 8 * n]));
    let all = graph.node(Op::Xor(xyz, words[t - 3 * n]));
    graph.node(Op::Rotr(all, graph.width() - n as u32))
}

/// Computes W_t … W_{t+3} as one vector: the last lane without W_t, and then the
/// repair, W_{t+3} ⊕ ROTL^1(W_t). Returns the four words before the repair, and the
/// last one after it.
pub fn vector_repair(graph: &mut Graph, words: &[Id], t: usize) -> ([Id; 4], Id) {
    let left = graph.width() - 1;
    let lanes = std::array::from_fn(|lane| {
        let at = t + lane;
        let xy = graph.node(Op::Xor(words[at - 16], words[at - 14]));
        let mut all = graph.node(Op::Xor(xy, words[at - 8]));
        if lane < 3 {
            all = graph.node(Op::Xor(all, words[at - 3]));
        }
        graph.node(Op::Rotr(all, left))
    });
    let again = graph.node(Op::Rotr(lanes[0], left));
    (lanes, graph.node(Op::Xor(lanes[3], again)))
}
