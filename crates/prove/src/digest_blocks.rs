//! The proof of functions that write the digests of messages of one block, which contains the padding or precedes a block
//! of padding that is expanded in advance. Nothing depends on a count, so the code is executed once per lane and case.

use super::Binary;
use super::address::{Address, Region};
use super::call::{Blocks, Call, Stride};
use super::case::{Case, Lengths};
use super::classes::LengthClass;
use super::contract::recorded;
use super::domain::{Domain, Nodes, Numbers};
use super::fault::Fault;
use super::finish::{LaneInputs, after_expanded};
use super::lengths::{Count, LengthOf};
use super::random;
use super::value::Byte;
use lanesum_graph::eval::eval;
use lanesum_graph::graph::{Id, Op};

impl Binary<'_> {
    /// A call with the chaining value `iv` before the message. Without `lengths`, messages are one block long.
    fn digesting<'c, W: Copy>(
        &'c self,
        lane: usize,
        iv: &[W],
        message: &'c [W],
        lengths: Option<Lengths<W>>,
    ) -> Call<'c, W> {
        let bytes = |&word| (0..self.contract.word_len as u8).map(move |i| Byte::Of(word, i));
        Call {
            link: iv.iter().flat_map(bytes).collect(),
            lengths,
            ..self.call(Stride::Is(self.kernel.lanes), lane, message, Blocks::Are(1))
        }
    }

    /// Executes the function on known lengths, and compares the digest with `expected`. Calls `seen` with the address of
    /// each instruction.
    fn check_digest<D: Domain>(
        &self,
        domain: &mut D,
        call: &Call<'_, D::Word>,
        expected: &[D::Word],
        mut seen: impl FnMut(u64),
    ) -> Result<(), Fault> {
        let mut machine = call.entry_state(self.entry, &[]);
        call.run(domain, &mut machine, None, |at, _| seen(at))?;
        call.check_return(domain, &machine, expected)
    }

    /// Proves one lane for any chaining value, for a block that any expanded padding follows, and for a message of any
    /// length that leaves room for the padding in the block.
    pub(super) fn prove_digest_blocks(&self, nodes: &mut Nodes, lane: usize) -> Result<(), Fault> {
        let (block, rounds) = (&self.block, recorded(self.kernel.family, true));
        let mut next = (block.state.len() + block.block.len()) as u32;
        let mut inputs = |nodes: &mut Nodes, count: usize| -> Vec<Id> {
            next += count as u32;
            (next - count as u32..next).map(|i| nodes.graph.node(Op::Input(i))).collect()
        };
        let padding_block = inputs(nodes, rounds.block.len());
        let expected = after_expanded(nodes, &rounds, &block.spec.outputs, &padding_block);
        let call = Call {
            padding_block: &padding_block,
            ..self.digesting(lane, &block.state, &block.block, None)
        };
        self.check_digest(nodes, &call, &expected, |_| ())?;

        let [data, end] = [inputs(nodes, 16), inputs(nodes, 16)];
        let (length, zero) = (inputs(nodes, 1)[0], nodes.constant(0));
        let [block_len, field_len] = self.block_len();
        // The last byte before the length field is the end bit's.
        let longest = block_len - field_len - 1;
        let fact = |lane: usize, range| {
            let length = Count::Length(LengthOf::Lane(lane as u8));
            (Address::counted(1, length), Address::new(Region::Number, 0), range)
        };
        for range in self.ends().into_iter().filter(|[_, most]| *most <= longest) {
            let range_of = |l: usize| if l == lane { range } else { [0, longest] };
            let facts = (0..self.kernel.lanes).map(|l| fact(l, range_of(l))).collect();
            let ends_at = (range[0] == range[1]).then_some(range[0] as i64);
            let given = LaneInputs {
                state: block.state.clone(),
                data: data.clone(),
                end: end.clone(),
                // The whole message's length in bits fits in a word.
                length: [length, zero],
                expanded: Vec::new(),
            };
            let case = given.case(false, false, facts);
            let ends_at = ends_at.filter(|_| self.kernel.has_sha());
            let lengths = Lengths::Any(Case { ends_at, ..case });
            let call = self.digesting(lane, &block.state, &[], Some(lengths));
            let expected = given.after(self, nodes, &LengthClass { left: range, after: [0, 0] });
            nodes.say(|| format!("messages of {range:?} bytes"));
            let machine = call.entry_state(self.entry, &[]);
            let (machine, _) = call.run_merged(nodes, machine, None)?;
            call.check_return(nodes, &machine, &expected)?;
        }
        Ok(())
    }

    /// Executes the function on concrete values. This finds counterexamples but proves nothing. Calls `seen` with the
    /// address of each instruction.
    pub(super) fn refute_digest_blocks(&self, mut seen: impl FnMut(u64)) -> Result<(), Fault> {
        let bits = self.kernel.family.word_bits();
        let (block, rounds) = (&self.block, recorded(self.kernel.family, true));
        let (mut random, mut domain) = (random(bits), Numbers { bits });
        let mut some = |count: usize| -> Vec<u64> { (0..count).map(|_| random()).collect() };
        let [block_len, field_len] = self.block_len().map(|len| len as u64);
        let longest = block_len - field_len - 1;
        for lane in 0..self.kernel.lanes {
            let [iv, words, padding_block] =
                [block.state.len(), block.block.len(), rounds.block.len()].map(&mut some);
            let after = |words: &[u64]| -> Vec<u64> {
                let values = eval(&block.graph, &[&iv[..], words].concat());
                block.spec.outputs.iter().map(|id| values[id.index()]).collect()
            };
            let values = eval(&rounds.graph, &[&after(&words)[..], &padding_block].concat());
            let expected: Vec<u64> =
                rounds.spec.outputs.iter().map(|id| values[id.index()]).collect();
            let call =
                Call { padding_block: &padding_block, ..self.digesting(lane, &iv, &words, None) };
            self.check_digest(&mut domain, &call, &expected, &mut seen)?;
            for len in [0, 1, 7, 20, block_len / 2, block_len / 2 + 1, longest - 1, longest] {
                let lane_len =
                    |l: usize| if l == lane { len } else { (37 * l as u64 + 11 * len) % longest };
                let before = block_len * [0, 1, 0x12345][lane % 3];
                let lengths = Lengths::Are((0..self.kernel.lanes).map(lane_len).collect(), before);
                let call = self.digesting(lane, &iv, &words, Some(lengths));
                let expected = after(&self.padded(&words, len, before));
                self.check_digest(&mut domain, &call, &expected, &mut seen)?;
            }
        }
        Ok(())
    }
}
