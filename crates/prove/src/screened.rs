//! The proof of functions that look for blocks of collision attacks on SHA-1.
//!
//! The specification is `lanesum_spec::sha1dc::left`, recorded as a word of the graph that has a bit for each
//! disturbance vector. For each vector, the proof assumes that its conditions hold, or that one of them does not, and
//! derives the bit that the function reports.

use lanesum_spec::sha1dc::{left_alone, left_of, suspects_of};

use super::call::{Blocks, Call, LAST_WORDS, Stride};
use super::domain::{Domain, Nodes, Numbers};
use super::fault::Fault;
use super::processor::Processor;
use super::random;
use super::truth::VectorConditions;
use super::{Binary, Task};
use lanesum_graph::eval::eval;
use lanesum_graph::graph::{Graph, Id, Op};
use lanesum_graph::record::Recorder;

/// The maximum number of products of a polynomial. The products of conditions are opaque words.
pub(super) const MOST_PRODUCTS: usize = 64;

/// The fault of a wrong report.
const NOT_PROVEN: &str = "the vectors that a block may belong to are not proven";

/// The shared conditions of vectors for a block.
pub(super) fn of_block(nodes: &mut Nodes, block: &[Id]) -> VectorConditions {
    nodes.graph.limit_products(MOST_PRODUCTS);
    let last = last_words(&mut nodes.graph, block);
    let left = left_by(&mut nodes.graph, &last);
    VectorConditions::new(nodes, &last, left)
}

/// Checks the words of the current block's trace, except the last, which [`check_row`] checks.
pub(super) fn check_trace(
    nodes: &mut Nodes,
    call: &Call<'_, Id>,
    machine: &Processor<Id>,
) -> Result<(), Fault> {
    let mut words = call.words(nodes);
    for (i, (bytes, &wanted)) in machine.out.chunks_exact(words.len).zip(&call.trace).enumerate() {
        let found = words.value(bytes);
        if !words.as_word(found).is_some_and(|found| words.domain.equal(found, wanted)) {
            return Err(Fault::whole(format!("word {i} of the trace is not proven")));
        }
    }
    Ok(())
}

/// Checks the word of vectors for the lane's current block, and forgets all that the function wrote for the block.
pub(super) fn check_row(
    conditions: &VectorConditions,
    nodes: &mut Nodes,
    call: &Call<'_, Id>,
    machine: &mut Processor<Id>,
) -> Result<(), Fault> {
    let found = row(nodes, call, machine, 0)?;
    machine.out = call.out();
    if conditions.are(nodes, found) { Ok(()) } else { Err(Fault::whole(NOT_PROVEN.into())) }
}

/// The word of vectors that a function has written for a block of its lane.
fn row<D: Domain>(
    domain: &mut D,
    call: &Call<'_, D::Word>,
    machine: &Processor<D::Word>,
    block: usize,
) -> Result<D::Word, Fault> {
    let mut words = call.words(domain);
    let at = block * call.row_len() + (call.trace.len() + call.lane) * words.len;
    let found = words.value(&machine.out[at..at + words.len]);
    words.as_word(found).ok_or_else(|| Fault::whole(NOT_PROVEN.into()))
}

/// The last words of a block's schedule, in reverse order.
pub(super) fn last_words(graph: &mut Graph, block: &[Id]) -> Vec<Id> {
    let recorder = Recorder::over(std::mem::replace(graph, Graph::new(u32::BITS)));
    let mut words: Vec<_> = block[..16].iter().map(|&id| recorder.at::<u32, false>(id)).collect();
    for t in 16..32 + LAST_WORDS {
        let back = |n: usize| words[t - n];
        words.push(lanesum_spec::sha1::schedule(back(16), back(14), back(8), back(3)));
    }
    let last = words.iter().rev().take(LAST_WORDS).map(|word| word.id()).collect();
    *graph = recorder.finish();
    last
}

/// The values of the last words of a block's schedule.
fn last_values(block: &[u64]) -> Vec<u64> {
    let mut graph = Graph::new(u32::BITS);
    let inputs: Vec<Id> = (0..16).map(|i| graph.node(Op::Input(i))).collect();
    let last = last_words(&mut graph, &inputs);
    let values = eval(&graph, block);
    last.iter().map(|id| values[id.index()]).collect()
}

/// The specification's word of vectors that a trace with these last words leaves.
fn left_by(graph: &mut Graph, last: &[Id]) -> Id {
    let recorder = Recorder::over(std::mem::replace(graph, Graph::new(u32::BITS)));
    // Word i is W_64−i.
    let words = &last[3..];
    let found = left_of(&std::array::from_fn(|i| recorder.at::<u32, false>(words[i]))).id();
    *graph = recorder.finish();
    found
}

/// The bytes of a block.
fn bytes_of(words: &[u64]) -> [u8; 64] {
    std::array::from_fn(|i| (words[i / 4] as u32).to_be_bytes()[i % 4])
}

impl Binary<'_> {
    /// Executes the function on concrete values, and calls `seen` with the address of each instruction. This finds
    /// counterexamples but proves nothing.
    pub(super) fn refute_screened(&self, mut seen: impl FnMut(u64)) -> Result<(), Fault> {
        let mut random = random(self.kernel.family.word_bits());
        let wrong = || Fault::whole(NOT_PROVEN.into());
        for i in 0..24 {
            let message: Vec<u64> = (0..16 * (1 + i % 4)).map(|_| random()).collect();
            let left_of = |block: &[u64]| u64::from(left_alone(&bytes_of(block)));
            let lane = (i * 5 + self.kernel.lanes - 1) % self.kernel.lanes;
            let mut domain = Numbers { bits: u32::BITS };
            match self.kernel.task {
                Task::Screen => {
                    let blocks = Blocks::Are(message.len() / 16);
                    let call = self.call(Stride::Is(self.kernel.lanes), lane, &message, blocks);
                    let mut machine = call.entry_state(self.entry, &[]);
                    call.run(&mut domain, &mut machine, None, |at, _| seen(at))?;
                    call.check_return(&mut domain, &machine, &[])?;
                    for (k, block) in message.chunks_exact(16).enumerate() {
                        if row(&mut domain, &call, &machine, k)? != left_of(block) {
                            return Err(wrong());
                        }
                    }
                }
                _ => {
                    let mut block = message[..16].to_vec();
                    while suspects_of(&bytes_of(&block)) == 0 {
                        block = (0..16).map(|_| random()).collect();
                    }
                    let (all, left) =
                        (suspects_of(&bytes_of(&block)), left_alone(&bytes_of(&block)));
                    for some in [u32::MAX, random() as u32] {
                        let found =
                            self.conditions_of(&last_values(&block), left & some, &mut seen)?;
                        if found != all & some {
                            return Err(wrong());
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Compares the traces of concrete blocks with the specification's.
    pub(super) fn refute_traces(&self, state: &[u64], message: &[u64]) -> Result<(), Fault> {
        let mut domain = Numbers { bits: u32::BITS };
        let call = self.call(Stride::Is(1), 0, message, Blocks::Are(message.len() / 16));
        let mut machine = call.entry_state(self.entry, state);
        call.run(&mut domain, &mut machine, None, |_, _| ())?;
        let mut after = std::array::from_fn(|i| state.get(i).copied().unwrap_or_default());
        let rows = machine.out.chunks_exact(call.row_len());
        for (k, (row, block)) in rows.zip(message.chunks_exact(16)).enumerate() {
            let bytes = bytes_of(block);
            lanesum_spec::compress(self.kernel.family, &mut after, &bytes);
            let [a, b, c, d, e, ..] = after;
            let left = left_alone(&bytes).into();
            let wanted = [&last_values(block)[..], &[d, c, b, a, 0, 0, 0, e, left]].concat();
            let mut words = call.words(&mut domain);
            let mut found = row.chunks_exact(words.len).map(|bytes| {
                let value = words.value(bytes);
                words.as_word(value)
            });
            if !wanted.into_iter().all(|word| found.next() == Some(Some(word))) {
                return Err(Fault::whole(format!("trace {k} is wrong")));
            }
        }
        Ok(())
    }

    /// The words of the trace of the block with these words, except its vectors, given the chaining value after it.
    pub(super) fn trace_of(&self, graph: &mut Graph, block: &[Id], after: &[Id]) -> Vec<Id> {
        let last = last_words(graph, block);
        let zero = graph.node(Op::Const(0));
        let [a, b, c, d, e] = after[..] else { unreachable!("the words of SHA-1") };
        [last, vec![d, c, b, a, zero, zero, zero, e]].concat()
    }
}
