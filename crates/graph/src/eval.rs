//! Evaluates a graph on numbers. Tests compare every pass with this evaluation.

use crate::graph::{Graph, Id, Op};

/// Returns the value of every node for these inputs, by [`Id::index`].
///
/// # Panics
///
/// If the graph reads a missing input.
pub fn eval(graph: &Graph, inputs: &[u64]) -> Vec<u64> {
    let mut values: Vec<u64> = Vec::with_capacity(graph.len());
    for i in 0..graph.len() {
        let value = match graph.op(Id(i as u32)) {
            Op::Input(n) => graph.mask(inputs[n as usize]),
            op => of_numbers(graph, op, |id| values[id.index()]),
        };
        values.push(value);
    }
    values
}

/// Returns the value of an operation for the values of its operands.
///
/// # Panics
///
/// If it is an input.
pub fn of_numbers(graph: &Graph, op: Op, v: impl Fn(Id) -> u64) -> u64 {
    let width = graph.width();
    graph.mask(match op {
        Op::Input(n) => panic!("input {n} is not an operation"),
        Op::Const(k) => k,
        Op::Add(x, y) => v(x).wrapping_add(v(y)),
        Op::AddConst(x, k) => v(x).wrapping_add(k),
        Op::Lea(x, y, k) => v(x).wrapping_add(v(y)).wrapping_add(k),
        Op::Sub(x, y) => v(x).wrapping_sub(v(y)),
        Op::And(x, y) => v(x) & v(y),
        Op::AndNot(x, y) => v(x) & !v(y),
        Op::Or(x, y) => v(x) | v(y),
        Op::Xor(x, y) => v(x) ^ v(y),
        Op::Not(x) => !v(x),
        Op::Rotr(x, n) => v(x) >> n | v(x).checked_shl(width - n).unwrap_or(0),
        Op::Shr(x, n) => v(x) >> n,
        Op::Shl(x, n) => v(x) << n,
        Op::Ch(x, y, z) => (v(x) & v(y)) ^ (!v(x) & v(z)),
        Op::Maj(x, y, z) => (v(x) & v(y)) ^ (v(x) & v(z)) ^ (v(y) & v(z)),
        Op::Xor3(x, y, z) => v(x) ^ v(y) ^ v(z),
    })
}
