//! The proof of `finish`: the ends and padding of messages of different lengths.
//!
//! The message of the lane under proof has L bytes. The kernel's `compress` processes the whole
//! blocks that all lanes have. The loop then processes the others in order, from block k to the
//! last block of any lane. The induction step assumes only the chaining value before block k. It
//! leads to the next block or, after the last one, to the caller. An iteration depends on where the
//! message ends relative to block k, on whether this lane or any other has later blocks, and on
//! whether all lengths are equal. The proof enumerates these cases, which together cover all
//! lengths.

use super::Binary;
use super::address::{Address, Region};
use super::call::{Blocks, Call, Stride};
use super::case::{Case, Lengths};
use super::classes::{Classes, Entry, Fact, LengthClass, Range, Turn, ends};
use super::contract::{Argument, recorded};
use super::domain::{Domain, Nodes, Numbers};
use super::ends::most_bytes;
use super::fault::Fault;
use super::induction::{BlockLoop, InvariantCheck, Renamed, growths};
use super::lengths::{Bits, Count, LengthOf};
use super::merged::join;
use super::processor::Processor;
use super::value::Byte;
use lanesum_graph::graph::{Id, Op};
use lanesum_graph::record::Block;

/// The input words of the lane under proof.
pub(super) struct LaneInputs {
    pub(super) state: Vec<Id>,
    pub(super) data: Vec<Id>,
    pub(super) end: Vec<Id>,
    pub(super) length: [Id; 2],
    pub(super) expanded: Vec<Id>,
}

impl Binary<'_> {
    pub(super) fn finishing<'c, W: Copy>(
        &'c self,
        (stride, lane): (Stride, usize),
        message: &'c [W],
        lengths: Lengths<W>,
    ) -> Call<'c, W> {
        let lengths = Some(lengths);
        Call { lengths, ..self.call(stride, lane, message, Blocks::Are(0)) }
    }

    /// The number of bytes of a block, and of the length field at its end.
    pub(super) fn block_len(&self) -> [i128; 2] {
        let word_len = i128::from(self.kernel.family.word_bits() / 8);
        [16 * word_len, 2 * word_len]
    }

    /// Finds the cut point of the loop over blocks: the first address that executes once per block.
    pub(super) fn find_finish(&self, stride: Stride) -> Result<BlockLoop, Fault> {
        let stride = stride.sample();
        let mut traces = Vec::new();
        let counts = self.some_blocks();
        for blocks in counts {
            let mut trace = Vec::new();
            self.trace_finish(stride, blocks, |at| trace.push(at))?;
            traces.push((blocks as usize, trace));
        }
        let is_once = |at: &&u64| {
            let times = |trace: &[u64]| trace.iter().filter(|seen| seen == at).count();
            traces.iter().all(|(blocks, trace)| times(trace) == *blocks)
        };
        let head = *traces[0]
            .1
            .iter()
            .find(is_once)
            .ok_or_else(|| Fault::whole("it has no loop over blocks".into()))?;
        let mut domain = Numbers { bits: self.kernel.family.word_bits() };
        let message = self.some_message();
        let (call, state) = self.some_finish(stride, counts[1], &message);
        let mut before = call.entry_state(self.entry, &state);
        call.run(&mut domain, &mut before, Some(head), |_, _| ())?;
        let mut after = before.clone();
        call.run(&mut domain, &mut after, Some(head), |_, _| ())?;
        let grows = growths(&call, &mut domain, &before, &after, 1);
        Ok(BlockLoop { head, step: 1, grows, calls_from: self.find_calls(stride, head) })
    }

    /// The parts of a block in which a message may end. SHA kernels copy each number of bytes
    /// differently.
    pub(super) fn ends(&self) -> Vec<Range> {
        ends(self.block_len(), self.kernel.has_sha())
    }

    /// Proves one lane, for messages of any length.
    pub(super) fn prove_finish(
        &self,
        nodes: &mut Nodes,
        stride: Stride,
        lane: usize,
        found: &BlockLoop,
    ) -> Result<(), Fault> {
        let [block, end] = self.block_len();
        let classes = Classes {
            block,
            end,
            most: most_bytes(self.image.pointer()),
            calls_from: found.calls_from,
            own: LengthOf::Lane(lane as u8),
            lanes: u32::MAX >> (32 - self.kernel.lanes),
        };
        let family = self.kernel.family;
        let rounds = (family.expanded_words() > 16).then(|| recorded(family, true));
        let mut next = (self.block.state.len() + self.block.block.len()) as u32;
        let mut inputs = |nodes: &mut Nodes, count: usize| -> Vec<Id> {
            next += count as u32;
            (next - count as u32..next).map(|i| nodes.graph.node(Op::Input(i))).collect()
        };
        let [data, end_words] = [inputs(nodes, 16), inputs(nodes, 16)];
        let length_words = inputs(nodes, 2);
        let words = rounds.as_ref().map_or(16, |rounds| rounds.block.len());
        let given = LaneInputs {
            state: self.block.state.clone(),
            data,
            end: end_words,
            length: [length_words[0], length_words[1]],
            expanded: inputs(nodes, words),
        };
        // Without a lane under proof, only check that all accesses are allowed.
        let is_none = lane == self.kernel.lanes;
        // The function may ignore the expanded block.
        let is_asked = self.contract.arguments.contains(&Argument::Expanded);
        let expanded: &[bool] = if is_asked { &[false, true] } else { &[false] };
        for &expanded in expanded.iter().filter(|_| !is_none) {
            // All lengths are equal, and the last block begins in this way.
            for range in self.ends() {
                let (fact, entries, turns) = classes.equal(range);
                let case = given.case(true, expanded, vec![fact]);
                let padding = (expanded && (range == [0, 0] || classes.wants_another(range)))
                    .then_some(rounds.as_deref())
                    .flatten();
                let calls = (&[case][..], &entries[..]);
                self.show_turns(nodes, (stride, lane), found, &given, calls, (turns, padding))?;
            }
        }
        if self.kernel.lanes == 1 {
            return Ok(());
        }
        let (fact, entries, turns) = classes.differing(&self.ends(), is_none);
        // An expanded block is ignored if lengths differ.
        let case = |&expanded: &bool| given.case(false, expanded, vec![fact]);
        let cases: Vec<_> = expanded.iter().rev().map(case).collect();
        self.show_turns(nodes, (stride, lane), found, &given, (&cases, &entries), (turns, None))
    }

    /// Proves that each iteration reestablishes the invariant at the loop header, or returns to the
    /// caller. The base case joins the states after the calls of each case; the invariant is
    /// weakened until a fixed point.
    fn show_turns(
        &self,
        nodes: &mut Nodes,
        (stride, lane): (Stride, usize),
        found: &BlockLoop,
        given: &LaneInputs,
        (cases, entries): (&[Case<Id>], &[Entry]),
        (mut turns, padding): (Vec<Turn>, Option<&Block>),
    ) -> Result<(), Fault> {
        let call = |case: &Case<Id>, facts: &[Fact]| {
            let facts = [&case.facts[..], facts].concat();
            let case = Case { facts, ..case.clone() };
            self.finishing((stride, lane), &[], Lengths::Any(case))
        };
        let mut head = None;
        for (case, entry) in
            cases.iter().flat_map(|case| entries.iter().map(move |all| (case, all)))
        {
            let call = call(case, &entry.facts);
            let machine = call.entry_state(self.entry, &given.state);
            let (mut machine, is_callers) = call.run_merged(nodes, machine, Some(found.head))?;
            if is_callers {
                return Err(Fault::whole("it returns before its loop".into()));
            }
            // Calls that may have no whole blocks need not compress any.
            if entry.has_whole && !machine.has_compressed {
                return Err(Fault::whole("it skips whole blocks".into()));
            }
            (machine.flags, machine.carried, machine.compared) = Default::default();
            begin(nodes, &call, &mut machine, found);
            machine.has_compressed = true;
            join(&mut head, machine, 0)?;
        }
        let mut head = head.ok_or_else(|| Fault::whole("no call to prove".into()))?;
        let Some(case) = cases.last() else { return Ok(()) };
        // Iterations that reach the header again refute most facts, so they go first.
        turns.sort_by_key(|turn| turn.is_last);
        let mut count = 1;
        loop {
            let mut changed = false;
            for Turn { class, facts, is_last } in &turns[..count] {
                let [least, most] = class.left;
                let ends_at = (self.kernel.has_sha() && least == most).then_some(least as i64);
                let call = call(&Case { ends_at, ..case.clone() }, facts);
                nodes.say(|| format!("from the head, {class:?}, the last: {is_last}"));
                let (machine, is_callers) =
                    call.run_merged(nodes, head.clone(), Some(found.head))?;
                if is_callers != *is_last {
                    return Err(Fault::whole("it does not return after the last block".into()));
                }
                let next = given.after(self, nodes, class);
                if !is_callers {
                    let of = given.state.iter().copied().zip(next);
                    let mut renamed = Renamed::new(of);
                    let mut check =
                        InvariantCheck { nodes, renamed: &mut renamed, step: 1, open: true };
                    changed |= check.weaken(&mut head, &machine)?;
                    continue;
                }
                let shown = call.check_return(nodes, &machine, &next);
                match padding {
                    Some(rounds) if shown.is_err() => {
                        let next = after_expanded(nodes, rounds, &given.state, &given.expanded);
                        call.check_return(nodes, &machine, &next)?;
                    }
                    _ => shown?,
                }
            }
            if !changed && count == turns.len() {
                return Ok(());
            }
            if !changed {
                count = turns.len();
            }
        }
    }
}

impl LaneInputs {
    pub(super) fn case(&self, uniform: bool, expanded: bool, facts: Vec<Fact>) -> Case<Id> {
        Case {
            uniform,
            expanded: if expanded { self.expanded.clone() } else { Vec::new() },
            chaining: self.state.clone(),
            length: self.length,
            data: self.data.clone(),
            end: self.end.clone(),
            ends_at: None,
            len: None,
            facts,
        }
    }

    /// The chaining value after block k.
    pub(super) fn after(
        &self,
        binary: &Binary<'_>,
        nodes: &mut Nodes,
        class: &LengthClass,
    ) -> Vec<Id> {
        let [block, _] = binary.block_len();
        let word_len = block / 16;
        if class.after[1] < 0 {
            return self.state.clone();
        }
        let zero = nodes.constant(0);
        let [least, most] = class.left;
        let mut words = Vec::new();
        for t in 0..16 {
            let start = t as i128 * word_len;
            let data = (start < most).then_some(self.data[t]);
            let is_end = start + word_len > least && start <= most;
            // A known end fixes the end bit, except in a word with message bytes.
            let end = match least == most {
                true if data.is_some() => None,
                true => {
                    let byte = if binary.contract.big_endian {
                        word_len - 1 - (least - start)
                    } else {
                        least - start
                    };
                    is_end.then(|| nodes.constant(0x80 << (8 * byte)))
                }
                false => is_end.then_some(self.end[t]),
            };
            words.push(match (data, end) {
                (Some(data), Some(end)) => nodes.graph.node(Op::Or(data, end)),
                (data, end) => data.or(end).unwrap_or(zero),
            });
        }
        if class.after == [0, 0] {
            let [low, high] = if binary.contract.big_endian { [15, 14] } else { [14, 15] };
            (words[low], words[high]) = (self.length[0], self.length[1]);
        }
        let of = binary.block.state.iter().chain(&binary.block.block);
        let of = of.copied().zip(self.state.iter().chain(&words).copied());
        let mut renamed = Renamed::new(of);
        let outputs = binary.block.spec.outputs.iter();
        outputs.map(|&id| renamed.of(&mut nodes.graph, id)).collect()
    }
}

/// The chaining value after a block whose expanded words are `expanded`. `rounds` is its computation.
pub(super) fn after_expanded(
    nodes: &mut Nodes,
    rounds: &Block,
    state: &[Id],
    expanded: &[Id],
) -> Vec<Id> {
    let inputs: Vec<Id> = state.iter().chain(expanded).copied().collect();
    let mut new: Vec<Id> = Vec::new();
    for id in rounds.graph.ids() {
        new.push(match rounds.graph.op(id) {
            Op::Input(i) => inputs[i as usize],
            op => nodes.graph.node(op.map(|operand| new[operand.index()])),
        });
    }
    rounds.spec.outputs.iter().map(|id| new[id.index()]).collect()
}

/// Rewrites the state at the loop header in terms of k, the number of the current block.
///
/// This is the base case of the induction: at the first block k is the number of blocks that
/// `compress` has processed, [`Call::whole_blocks`], or 0 if it was not called. A value that counts anything else,
/// such as the whole blocks of another lane, becomes unknown.
fn begin(nodes: &mut Nodes, call: &Call<'_, Id>, head: &mut Processor<Id>, found: &BlockLoop) {
    let whole = call.whole_blocks();
    let number = Address::new(Region::Number, 0);
    let none = (Address::counted(1, whole), number, [0, 0]);
    let has_none = call.case().is_some_and(|case| case.facts.contains(&none));
    let mut words = call.words(nodes);
    for (cells, grows) in &found.grows {
        let bytes_of: Vec<_> = cells.iter().map(|cell| cell.get(head)).collect();
        let value = words.value(&bytes_of);
        let now = words.whole(value);
        // The lower half of a register that is already rewritten: no call has a k before this.
        if now.is_some_and(|now| now.done == *grows) {
            continue;
        }
        let begun = now.filter(|now| {
            let is_whole = now.of == whole && now.total == *grows;
            let is_first = match head.has_compressed {
                true => is_whole,
                false => now.total == 0 || is_whole && has_none,
            };
            is_first && (now.done, now.stride) == (0, 0)
        });
        let grown = match begun {
            Some(now) => {
                words.pointer.bytes(Address { done: *grows, total: 0, of: Count::Blocks, ..now })
            }
            // A word may even depend on message contents, and an address on the caller's registers,
            // so only values that lengths decide remain that.
            None => {
                let open = |byte: &Byte<Id>| match byte.open() {
                    Some(_) => Byte::of_bits(Bits::open(0)),
                    None => Byte::Unknown,
                };
                bytes_of.iter().map(open).collect()
            }
        };
        cells.iter().zip(grown).for_each(|(cell, byte)| cell.set(head, byte));
    }
}
