//! The proof of functions that write the digests of messages of one block, which contains the padding or precedes a block
//! of padding that is expanded in advance. Nothing depends on a count, so the code is executed once per lane and case.

use super::call::{Blocks, Call, Stride};
use super::contract::recorded;
use super::domain::{Domain, Nodes, Numbers};
use super::fault::Fault;
use super::finish::after_expanded;
use super::value::Byte;
use super::{Binary, random};
use lanesum_graph::eval::eval;
use lanesum_graph::graph::{Id, Op};

/// The input words of the lane under proof.
struct DigestInputs<'w, W> {
    /// The chaining value before the block.
    iv: &'w [W],
    block: &'w [W],
    /// The expanded padding, or no words.
    padding_block: &'w [W],
}

impl Binary<'_> {
    /// Executes the function for one lane, and compares the digest with `expected`.
    fn check_digest<D: Domain>(
        &self,
        domain: &mut D,
        lane: usize,
        words: &DigestInputs<'_, D::Word>,
        expected: &[D::Word],
        mut seen: impl FnMut(u64),
    ) -> Result<(), Fault> {
        let bytes = |&word| (0..self.contract.word_len as u8).map(move |i| Byte::Of(word, i));
        let call = Call {
            link: words.iv.iter().flat_map(bytes).collect(),
            padding_block: words.padding_block,
            ..self.call(Stride::Is(self.kernel.lanes), lane, words.block, Blocks::Are(1))
        };
        let mut machine = call.entry_state(self.entry, &[]);
        call.run(domain, &mut machine, None, |at, _| seen(at))?;
        call.check_return(domain, &machine, expected)
    }

    /// Proves one lane for any chaining value and block, with any expanded padding and without.
    pub(super) fn prove_digest_blocks(&self, nodes: &mut Nodes, lane: usize) -> Result<(), Fault> {
        let (block, rounds) = (&self.block, recorded(self.kernel.family, true));
        let first = (block.state.len() + block.block.len()) as u32;
        let input = |i: u32| nodes.graph.node(Op::Input(first + i));
        let padding_block: Vec<Id> = (0..rounds.block.len() as u32).map(input).collect();
        let expected = after_expanded(nodes, &rounds, &block.spec.outputs, &padding_block);
        let words =
            DigestInputs { iv: &block.state, block: &block.block, padding_block: &padding_block };
        self.check_digest(nodes, lane, &words, &expected, |_| ())
    }

    /// Executes the function on concrete values. This finds counterexamples but proves nothing. Calls `seen` with the
    /// address of each instruction.
    pub(super) fn refute_digest_blocks(&self, mut seen: impl FnMut(u64)) -> Result<(), Fault> {
        let bits = self.kernel.family.word_bits();
        let (block, rounds) = (&self.block, recorded(self.kernel.family, true));
        let (mut random, mut domain) = (random(bits), Numbers { bits });
        let mut some = |count: usize| -> Vec<u64> { (0..count).map(|_| random()).collect() };
        for lane in 0..self.kernel.lanes {
            let [iv, words, padding_block] =
                [block.state.len(), block.block.len(), rounds.block.len()].map(&mut some);
            let values = eval(&block.graph, &[&iv[..], &words].concat());
            let state: Vec<u64> = block.spec.outputs.iter().map(|id| values[id.index()]).collect();
            let values = eval(&rounds.graph, &[&state[..], &padding_block].concat());
            let outputs = rounds.spec.outputs.iter();
            let padded: Vec<u64> = outputs.map(|id| values[id.index()]).collect();
            for (padding_block, expected) in [(&padding_block[..], &padded), (&[], &state)] {
                let words = DigestInputs { iv: &iv, block: &words, padding_block };
                self.check_digest(&mut domain, lane, &words, expected, &mut seen)?;
            }
        }
        Ok(())
    }
}
