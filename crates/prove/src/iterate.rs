//! The proof of PBKDF2's loop over iterations, which also computes hash chains.
//!
//! An iteration passes a digest through both hashes of HMAC and XORs the result into a sum. The
//! first iteration of a call may start with the second hash. In a hash chain, both hashes start from the
//! initial chaining value, and the padding counts no block of key.
//!
//! The loop is cut at an address after the hashes that executes once per iteration. There the
//! chaining value becomes the symbol v; the first time, it is that of the first iteration. The
//! induction step assumes only v. It leads to the same address with the successor of v as chaining
//! value and v added to the sum or, after the last iteration, to the caller.

use std::collections::{BTreeMap, HashMap};

use lanesum_spec::{Algorithm, Family};

use super::call::{Blocks, Call, Left, Stride};
use super::domain::{Domain, Nodes, Numbers};
use super::fault::Fault;
use super::induction::{BlockLoop, Renamed, generalise, growths};
use super::processor::Processor;
use super::value::Byte;
use super::{Binary, random};
use lanesum_graph::eval::eval;
use lanesum_graph::graph::{Graph, Id, Op};

/// The number of words of the padding that turns a digest into the next block: sixteen addends,
/// followed by eight masks.
const LINK: usize = 24;

/// The padding for digests of an algorithm after `before` bytes (RFC 2104, FIPS 180-4 §5.1).
fn link(algorithm: Algorithm, before: usize) -> [u64; LINK] {
    let (family, len) = (algorithm.family(), algorithm.digest_len());
    let word_len = family.word_bits() as usize / 8;
    let big_endian = family.is_big_endian();
    let word = |bytes: &[u8]| {
        let append = |word: u64, byte: &u8| word << 8 | u64::from(*byte);
        if big_endian { bytes.iter().fold(0, append) } else { bytes.iter().rev().fold(0, append) }
    };
    let mut mask = vec![0; 8 * word_len];
    mask[..len].fill(0xff);
    let mut block = vec![0u8; 16 * word_len];
    block[len] = 0x80;
    let bits = 8 * (before + len) as u64;
    let end = block.len() - 8;
    block[end..].copy_from_slice(&if big_endian { bits.to_be_bytes() } else { bits.to_le_bytes() });
    let words = block.chunks_exact(word_len).chain(mask.chunks_exact(word_len));
    let words: Vec<u64> = words.map(word).collect();
    std::array::from_fn(|i| words[i])
}

/// The paddings of a family: for each algorithm that of HMAC, after a block of key, and that of hash chains.
fn all_links(family: Family) -> Vec<[u64; LINK]> {
    let all = Algorithm::all().filter(|algorithm| algorithm.family() == family);
    all.flat_map(|algorithm| [family.block_len(), 0].map(|before| link(algorithm, before)))
        .collect()
}

/// The words that all paddings of a family share; `None` where they differ.
fn links(family: Family) -> [Option<u64>; LINK] {
    let all = all_links(family);
    std::array::from_fn(|i| all.iter().all(|link| link[i] == all[0][i]).then_some(all[0][i]))
}

/// The words of one lane: chaining value, sum, initial values of both hashes, and padding.
struct ChainInputs<W> {
    state: Vec<W>,
    sum: Vec<W>,
    chains: [Vec<W>; 2],
    link: [W; LINK],
}

impl<W: Copy> ChainInputs<W> {
    /// The contents of all arrays, with this chaining value and sum.
    fn arrays(&self, state: &[W], sum: &[W]) -> Vec<W> {
        [state, sum, &self.chains[0], &self.chains[1]].concat()
    }
}

impl Binary<'_> {
    /// A call with `iterations` iterations.
    fn iterating<'c, W: Copy>(
        &'c self,
        (stride, lane): (Stride, usize),
        given: &ChainInputs<W>,
        half: usize,
        iterations: Blocks,
    ) -> Call<'c, W> {
        let known = links(self.kernel.family);
        let len = self.kernel.family.word_bits() as usize / 8;
        let byte = |i: usize| match known[i / len] {
            Some(k) => Byte::Number((k >> (8 * (i % len))) as u8),
            None => Byte::Of(given.link[i / len], (i % len) as u8),
        };
        let link = (0..LINK * len).map(byte).collect();
        Call { link, half, ..self.call(stride, lane, &[], iterations) }
    }

    /// Random inputs for one lane, with a random padding of the family.
    fn some_given(&self, random: &mut impl FnMut() -> u64) -> ChainInputs<u64> {
        let all = all_links(self.kernel.family);
        let link = all[random() as usize % all.len()];
        let mut words = || self.block.state.iter().map(|_| random()).collect::<Vec<u64>>();
        ChainInputs { state: words(), sum: words(), chains: [words(), words()], link }
    }

    /// Executes the function on concrete values. This finds counterexamples but proves nothing.
    pub(super) fn refute_iterations(&self) -> Result<(), Fault> {
        let bits = self.kernel.family.word_bits();
        let (mut random, mut domain) = (random(bits), Numbers { bits });
        for i in 0..8 {
            let lanes = self.kernel.lanes;
            let (lane, half, iterations) = ((i * 5 + lanes - 1) % lanes, i % 2, i / 2 % 4);
            let given = self.some_given(&mut random);
            let (mut state, mut sum) = (given.state.clone(), given.sum.clone());
            for iteration in 0..iterations {
                for hash in (if iteration == 0 { half } else { 0 })..2 {
                    let (pad, mask) = given.link.split_at(16);
                    let kept = state.iter().zip(mask).map(|(word, mask)| word & mask);
                    let kept = kept.chain(std::iter::repeat(0)).zip(pad);
                    let block = kept.map(|(word, pad)| word.wrapping_add(*pad));
                    let inputs = given.chains[hash].iter().copied().chain(block);
                    let values = eval(&self.block.graph, &inputs.collect::<Vec<u64>>());
                    let outputs = self.block.spec.outputs.iter();
                    state = outputs.map(|id| values[id.index()]).collect();
                }
                sum.iter_mut().zip(&state).for_each(|(sum, word)| *sum ^= word);
            }
            for stride in self.some_strides() {
                let call = self.iterating((stride, lane), &given, half, Blocks::Are(iterations));
                let mut machine =
                    call.entry_state(self.entry, &given.arrays(&given.state, &given.sum));
                call.run(&mut domain, &mut machine, None, |_, _| ())?;
                call.check_return(&mut domain, &machine, &given.arrays(&state, &sum))?;
            }
        }
        Ok(())
    }

    /// Executes the function on concrete values, and calls `seen` with the address of each
    /// instruction.
    pub(super) fn trace_iterations(
        &self,
        stride: Stride,
        half: usize,
        iterations: usize,
        mut seen: impl FnMut(u64),
    ) -> Result<(), Fault> {
        let bits = self.kernel.family.word_bits();
        let given = self.some_given(&mut random(bits));
        let call = self.iterating((stride, 0), &given, half, Blocks::Are(iterations));
        let mut machine = call.entry_state(self.entry, &given.arrays(&given.state, &given.sum));
        let goes = |at, _| seen(at);
        call.run(&mut Numbers { bits }, &mut machine, None, goes).map(|_| ())
    }

    /// Finds the cut point: the start of the last run of instructions in an iteration that execute
    /// once per iteration, regardless of the first hash.
    pub(super) fn find_iterations(&self, stride: Stride) -> Result<BlockLoop, Fault> {
        let stride = stride.sample();
        let mut seen: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        let runs = [(0, 3), (1, 3), (0, 6), (1, 6)];
        for (i, (half, iterations)) in runs.into_iter().enumerate() {
            self.trace_iterations(stride, half, iterations, |at| {
                seen.entry(at).or_insert_with(|| vec![0; runs.len()])[i] += 1;
            })?;
        }
        let is_once = |at: &u64| seen[at].iter().zip(runs).all(|(times, (_, n))| *times == n);
        let mut trace = Vec::new();
        self.trace_iterations(stride, 0, 1, |at| trace.push(at))?;
        let known: Vec<u64> = trace.into_iter().filter(|at| seen.contains_key(at)).collect();
        let last = known.iter().rposition(is_once);
        let last = last.ok_or_else(|| Fault::whole("it has no loop over iterations".into()))?;
        let first = known[..last].iter().rposition(|at| !is_once(at)).map_or(0, |i| i + 1);
        let head = known[first];

        let bits = self.kernel.family.word_bits();
        let given = self.some_given(&mut random(bits));
        let mut domain = Numbers { bits };
        let call = self.iterating((stride, 0), &given, 0, Blocks::Are(5));
        let mut before = call.entry_state(self.entry, &given.arrays(&given.state, &given.sum));
        call.run(&mut domain, &mut before, Some(head), |_, _| ())?;
        let mut after = before.clone();
        call.run(&mut domain, &mut after, Some(head), |_, _| ())?;
        let grows = growths(&call, &mut domain, &before, &after, 1);
        Ok(BlockLoop { head, step: 1, grows, calls_from: i128::MAX })
    }

    /// Proves one lane for any number of iterations and any initial chaining value.
    pub(super) fn prove_iterations(
        &self,
        nodes: &mut Nodes,
        stride: Stride,
        lane: usize,
        found: &BlockLoop,
    ) -> Result<(), Fault> {
        let words = self.block.state.len();
        let mut next = (words + self.block.block.len()) as u32;
        let mut inputs = |nodes: &mut Nodes, count: usize| -> Vec<Id> {
            next += count as u32;
            (next - count as u32..next).map(|i| nodes.graph.node(Op::Input(i))).collect()
        };
        let [state, sum, inner, outer] = std::array::from_fn(|_| inputs(nodes, words));
        let mut link = inputs(nodes, LINK);
        for (word, known) in link.iter_mut().zip(links(self.kernel.family)) {
            *word = known.map_or(*word, |k| nodes.constant(k));
        }
        let link = std::array::from_fn(|i| link[i]);
        let given = ChainInputs { state, sum, chains: [inner, outer], link };
        let after_hash = |nodes: &mut Nodes, hash: usize, words: &[Id]| -> Vec<Id> {
            let (pad, mask) = given.link.split_at(16);
            let mut block = pad.to_vec();
            for (i, &word) in words.iter().enumerate() {
                let kept = nodes.graph.node(Op::And(word, mask[i]));
                block[i] = nodes.graph.node(Op::Add(kept, pad[i]));
            }
            let of = self.block.state.iter().chain(&self.block.block);
            let of = of.zip(given.chains[hash].iter().chain(&block));
            let mut renamed = Renamed::new(of.map(|(&x, &y)| (x, y)));
            let outputs = self.block.spec.outputs.iter();
            outputs.map(|&id| renamed.of(&mut nodes.graph, id)).collect()
        };
        let from_inner = after_hash(nodes, 0, &given.state);
        let whole = after_hash(nodes, 1, &from_inner);
        let rest = after_hash(nodes, 1, &given.state);
        let mut added = Vec::new();
        for (&sum, &word) in given.sum.iter().zip(&given.state) {
            added.push(nodes.graph.node(Op::Xor(sum, word)));
        }
        let one = given.arrays(&given.state, &added);
        let of = given.state.iter().chain(&given.sum).zip(whole.iter().chain(&added));
        let mut renamed = Renamed::new(of.map(|(&x, &y)| (x, y)));
        let lefts = [Left::Exactly(1), Left::AtLeast(2)];
        for (half, first) in [whole.clone(), rest].into_iter().enumerate() {
            let call = |iterations| self.iterating((stride, lane), &given, half, iterations);
            let arrays = given.arrays(&given.state, &given.sum);
            // Without iterations nothing changes.
            let none = call(Blocks::Are(0));
            let mut machine = none.entry_state(self.entry, &arrays);
            none.run(nodes, &mut machine, None, |_, _| ())?;
            none.check_return(nodes, &machine, &arrays)?;
            let mut heads = Vec::new();
            for left in lefts {
                let call = call(Blocks::Any { left, begun: false });
                let mut machine = call.entry_state(self.entry, &arrays);
                if call.run(nodes, &mut machine, Some(found.head), |_, _| ())? {
                    return Err(Fault::whole("it returns before its loop".into()));
                }
                (machine.flags, machine.carried) = Default::default();
                generalise(nodes, &call, &mut machine, &found.grows);
                nodes
                    .say(|| format!("the first iteration, from hash {half}, becomes a new symbol"));
                name_anew(&nodes.graph, &mut machine, &first, &given.state);
                heads.push(machine);
            }
            let call = |left| call(Blocks::Any { left, begun: true });
            let expected = [arrays, one.clone()];
            self.turns(nodes, &call, found, (&lefts, heads), &expected, &mut renamed)?;
        }
        Ok(())
    }
}

/// Replaces computed words by symbols, and invalidates other words that depend on these symbols.
fn name_anew(graph: &Graph, machine: &mut Processor<Id>, computed: &[Id], names: &[Id]) {
    let mut new: HashMap<Id, Option<Id>> = HashMap::new();
    let mut name = |word: Id| {
        *new.entry(word).or_insert_with(|| {
            let found = computed.iter().position(|&id| graph.equal(id, word));
            let depends = || graph.reachable([word]).iter().any(|id| names.contains(id));
            found.map(|i| names[i]).or_else(|| (!depends()).then_some(word))
        })
    };
    for byte in machine.bytes_mut() {
        if let Byte::Of(word, i) = *byte {
            *byte = name(word).map_or(Byte::Unknown, |word| Byte::Of(word, i));
        }
    }
}
