//! The proof of a `finish` for one message that pads a copy of the message's end.
//!
//! The function that compresses whole blocks is proven by itself. Here its result is a chaining value
//! of which only this is known: the same chaining value and the same block lead to it again. So the
//! proof shows which blocks `finish` compresses, in which order.
//!
//! A message has up to two blocks, or at least two before its last incomplete one. The first are
//! proven length by length. Of the others, how far they go into that block decides what `finish`
//! does. These numbers are gone through one by one, with any number of blocks before.

use super::Binary;
use super::address::{Address, Region};
use super::call::Stride;
use super::case::{Case, Lengths};
use super::domain::{Domain, Nodes};
use super::fault::Fault;
use crate::graph::{Id, Op};

impl Binary<'_> {
    /// Proves it for messages of any length.
    pub(super) fn show_copied(&self, nodes: &mut Nodes, stride: Stride) -> Result<(), Fault> {
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
            let machine = call.called(self.entry, &self.block.state);
            let (machine, _) = call.run_merged(nodes, machine, None)?;
            if len.done != 0 && !machine.has_compressed {
                return Err(Fault::whole("it leaves whole blocks out".into()));
            }
            call.came_back(nodes, &machine, &expected)?;
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
                std::cmp::Ordering::Less => case.data[t as usize],
                std::cmp::Ordering::Equal => {
                    let first = if self.contract.big_endian { word_len - 1 } else { 0 };
                    nodes.constant(0x80 << (8 * first))
                }
                std::cmp::Ordering::Greater => zero,
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
