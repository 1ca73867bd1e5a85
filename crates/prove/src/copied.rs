//! The proof of a `finish` for one message that pads a copy of the message's end.
//!
//! The function that compresses whole blocks has a separate proof. Here its result is an
//! uninterpreted function of the chaining value and the block. So the proof shows which blocks
//! `finish` compresses, in which order.
//!
//! A message has fewer than two blocks, or at least two before its last incomplete one. Each of the
//! shorter lengths is a separate case. For the longer ones, each number of bytes in the incomplete
//! block is a case, with any number of blocks before it.

use std::cmp::Ordering;

use super::Binary;
use super::address::{Address, Region};
use super::call::Stride;
use super::case::{Case, Lengths};
use super::domain::{Domain, Nodes};
use super::fault::Fault;
use lanesum_graph::graph::{Id, Op};

impl Binary<'_> {
    /// Proves the function for messages of any length.
    pub(super) fn prove_copied(&self, nodes: &mut Nodes, stride: Stride) -> Result<(), Fault> {
        let block = self.block_len()[0] as i64;
        let first = (self.block.state.len() + self.block.block.len()) as u32;
        let mut inputs = (first..).map(Op::Input);
        let mut some = |nodes: &mut Nodes, count: usize| -> Vec<Id> {
            inputs.by_ref().take(count).map(|input| nodes.graph.node(input)).collect()
        };
        let (data, length) = (some(nodes, 32), some(nodes, 2));
        let number = Address::new(Region::Number, 0);
        let short = (0..2 * block).map(|len| (number.plus(len), len));
        let begun = Address { done: block as i32, ..number };
        let long = (0..block).map(|end| (begun.plus(end), end));
        for (len, end) in short.chain(long) {
            nodes.say(|| format!("a message of {len:?} bytes"));
            let case = Case {
                uniform: true,
                expanded: Vec::new(),
                chaining: self.block.state.clone(),
                length: [length[0], length[1]],
                data: data.clone(),
                end: Vec::new(),
                ends_at: Some(end),
                len: Some(len),
                facts: Vec::new(),
            };
            let expected = self.padded_state(nodes, &case, end);
            let call = self.finishing((stride, 0), &[], Lengths::Any(case));
            let machine = call.entry_state(self.entry, &self.block.state);
            let (machine, _) = call.run_merged(nodes, machine, None)?;
            if len.done != 0 && !machine.has_compressed {
                return Err(Fault::whole("it skips whole blocks".into()));
            }
            call.check_return(nodes, &machine, &expected)?;
        }
        Ok(())
    }

    /// The chaining value after the last `end` bytes of a message and their padding.
    fn padded_state(&self, nodes: &mut Nodes, case: &Case<Id>, end: i64) -> Vec<Id> {
        let [block, length_len] = self.block_len().map(|len| len as i64);
        let word_len = block / 16;
        let count = 16 * ((end + length_len) / block + 1);
        let zero = nodes.constant(0);
        let mut words: Vec<Id> = (0..count)
            .map(|t| match (t * word_len).cmp(&end) {
                Ordering::Less => case.data[t as usize],
                Ordering::Equal => {
                    let first = if self.contract.big_endian { word_len - 1 } else { 0 };
                    nodes.constant(0x80 << (8 * first))
                }
                Ordering::Greater => zero,
            })
            .collect();
        let [low, high] = if self.contract.big_endian { [1, 2] } else { [2, 1] };
        let len = words.len();
        (words[len - low], words[len - high]) = (case.length[0], case.length[1]);
        words.chunks_exact(16).fold(case.chaining.clone(), |state, block| {
            nodes.compressed(&state, block).unwrap_or_default()
        })
    }
}
