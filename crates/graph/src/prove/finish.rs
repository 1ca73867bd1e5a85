//! The proof of `finish`: the ends of messages that each have their own length, and their
//! padding.
//!
//! The lane that is looked at has a message of L bytes. Whole blocks that all lanes have are
//! compressed by the kernel that does that; then come the others, one after the other, from
//! block k on to the last that any lane has. From nothing but the chaining value before block k,
//! a turn leads to the next block, or, after the last one, to the caller. What a turn does depends
//! on how far the message goes into block k, on whether the lane, or any, has a block after it, and
//! on whether all messages are of one length. These cases are gone through one by one; between them
//! they leave no length out.

use super::address::{Address, Region};
use super::call::{Blocks, Call, Stride};
use super::case::{Case, Lengths};
use super::domain::{Domain, Nodes, Numbers};
use super::ends::MOST;
use super::fault::Fault;
use super::induction::{BlockLoop, Holds, Renamed, growths};
use super::lengths::{Bits, Count, Of};
use super::merged::join;
use super::processor::Processor;
use super::value::bits;
use super::{Binary, random};
use crate::eval::eval;
use crate::graph::{Id, Op};
use crate::record::{Block, record_rounds};

/// A number that is at least the first and at most the second.
type Range = [i128; 2];

/// What is true of a lane at block k.
#[derive(Clone, Copy, Debug)]
struct LengthClass {
    /// How many bytes its message has from there on; below zero, how many it lacks.
    left: Range,
    /// How many blocks it has after that one; below zero if it has not even that.
    after: Range,
}

/// The words of one lane, and what else is an input.
struct LaneInputs {
    state: Vec<Id>,
    data: Vec<Id>,
    end: Vec<Id>,
    length: [Id; 2],
    expanded: Vec<Id>,
}

fn length(of: Of) -> Address {
    Address::counted(1, Count::Length(of))
}

impl Binary<'_> {
    fn finishing<'c, W: Copy>(
        &'c self,
        (stride, lane): (Stride, usize),
        message: &'c [W],
        lengths: Lengths<W>,
    ) -> Call<'c, W> {
        let lengths = Some(lengths);
        Call { lengths, ..self.call(stride, lane, message, Blocks::Are(0)) }
    }

    /// Bytes of a block, and of those at its end where the length goes.
    fn block_len(&self) -> [i128; 2] {
        let word_len = i128::from(self.kernel.family.word_bits() / 8);
        [16 * word_len, 2 * word_len]
    }

    /// Runs it on numbers: that shows faults, but no more.
    pub(super) fn refute_finish(&self) -> Result<(), Fault> {
        let bits = self.kernel.family.word_bits();
        let (mut random, mut domain) = (random(bits), Numbers { bits });
        let [block, end] = self.block_len().map(|len| len as u64);
        let lanes = self.kernel.lanes;
        // Whole blocks in all lanes are another function's.
        let same = [0, 1, block / 2, block - end - 1, block - end, block - 1];
        for i in 0..12usize {
            let some = |l: u64| (37 * l + 29 * i as u64 + 11 * l * l) % (3 * block);
            let lengths: Vec<u64> = match same.get(i) {
                Some(&len) => vec![len; lanes],
                None => (0..lanes as u64).map(|l| if l == 0 { 9 } else { some(l) }).collect(),
            };
            let (lane, before) = ((i * 5 + lanes - 1) % lanes, (i as u64 * block) << 40);
            let state: Vec<u64> = self.block.state.iter().map(|_| random()).collect();
            let len = lengths[lane];
            let words: Vec<u64> = (0..len.div_ceil(block / 16)).map(|_| random()).collect();
            let mut expected = state.clone();
            for block in self.padded(&words, len, before).chunks_exact(16) {
                let values = eval(&self.block.graph, &[&expected[..], block].concat());
                let outputs = self.block.spec.outputs.iter();
                expected = outputs.map(|id| values[id.index()]).collect();
            }
            for stride in self.some_strides() {
                let lengths = Lengths::Are(lengths.clone(), before);
                let call = self.finishing((stride, lane), &words, lengths);
                let mut machine = call.called(self.entry, &state);
                call.run(&mut domain, &mut machine, None, |_, _| ())?;
                call.came_back(&mut domain, &machine, &expected)?;
            }
        }
        Ok(())
    }

    /// The words of a message of `len` bytes, padded (FIPS 180-4 §5.1, RFC 1321 §3.1).
    fn padded(&self, words: &[u64], len: u64, before: u64) -> Vec<u64> {
        let word_len = self.kernel.family.word_bits() as usize / 8;
        let big_endian = self.contract.big_endian;
        let bytes = |word: u64| match big_endian {
            true => word.to_be_bytes()[8 - word_len..].to_vec(),
            false => word.to_le_bytes()[..word_len].to_vec(),
        };
        let mut all: Vec<u8> = words.iter().flat_map(|&word| bytes(word)).collect();
        all.truncate(len as usize);
        all.push(0x80);
        while all.len() % (16 * word_len) != 14 * word_len {
            all.push(0);
        }
        let length = u128::from(before + len) << 3;
        match big_endian {
            true => all.extend(&length.to_be_bytes()[16 - 2 * word_len..]),
            false => all.extend(&length.to_le_bytes()[..2 * word_len]),
        }
        let word = |bytes: &[u8]| {
            let append = |word: u64, byte: &u8| word << 8 | u64::from(*byte);
            if big_endian {
                bytes.iter().fold(0, append)
            } else {
                bytes.iter().rev().fold(0, append)
            }
        };
        all.chunks_exact(word_len).map(word).collect()
    }

    /// Tells `seen` of every instruction of a run on numbers, with so many blocks in the longest
    /// message.
    pub(super) fn trace_finish(
        &self,
        stride: Stride,
        blocks: u64,
        mut seen: impl FnMut(u64),
    ) -> Result<(), Fault> {
        let bits = self.kernel.family.word_bits();
        let (call, state) = self.some_finish(stride, blocks);
        let mut machine = call.called(self.entry, &state);
        call.run(&mut Numbers { bits }, &mut machine, None, |at, _| seen(at)).map(|_| ())
    }

    /// A call with a first message of no bytes, and a longest one of so many blocks.
    fn some_finish(&self, stride: Stride, blocks: u64) -> (Call<'_, u64>, Vec<u64>) {
        let block = self.block_len()[0] as u64;
        let last = (blocks - 1) * block;
        let mut lengths: Vec<u64> =
            (0..self.kernel.lanes as u64).map(|l| 7 * l % (last + 1)).collect();
        (lengths[0], lengths[1]) = (0, last);
        let mut random = random(self.kernel.family.word_bits());
        let state = self.block.state.iter().map(|_| random()).collect();
        (self.finishing((stride, 0), &[], Lengths::Are(lengths, 0)), state)
    }

    /// Where the loop over blocks is cut: the first place to which code comes once for every block.
    pub(super) fn find_finish(&self, stride: Stride) -> Result<BlockLoop, Fault> {
        let stride = match stride {
            Stride::Is(_) => stride,
            Stride::AtLeast(least) => Stride::Is(least + 2),
        };
        let mut traces = Vec::new();
        for blocks in [3, 5] {
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
        let (call, state) = self.some_finish(stride, 5);
        let mut before = call.called(self.entry, &state);
        call.run(&mut domain, &mut before, Some(head), |_, _| ())?;
        let mut after = before.clone();
        call.run(&mut domain, &mut after, Some(head), |_, _| ())?;
        Ok(BlockLoop { head, step: 1, grows: growths(&call, &mut domain, &before, &after, 1) })
    }

    /// The parts of a block that a message may end in: in each of them it does so in one way.
    fn ends(&self) -> Vec<Range> {
        let [block, end] = self.block_len();
        let mut cuts = vec![0, 1, block - end, block];
        // Of two rows.
        if block == 128 {
            cuts.extend([64, 65]);
        }
        cuts.sort_unstable();
        cuts.windows(2).map(|cut| [cut[0], cut[1] - 1]).collect()
    }

    /// Whether the padding of a message that ends so wants another block.
    fn wants_another(&self, [_, most]: Range) -> bool {
        let [block, end] = self.block_len();
        most >= block - end
    }

    /// Proves one lane, for messages of any length.
    pub(super) fn show_finish(
        &self,
        nodes: &mut Nodes,
        stride: Stride,
        lane: usize,
        found: &BlockLoop,
    ) -> Result<(), Fault> {
        let [block, end] = self.block_len();
        let own = Of::Lane(lane as u8);
        let family = self.kernel.family;
        let rounds = (family.expanded_words() > 16).then(|| record_rounds(family, false));
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
        let second = LengthClass { left: [-end, -1], after: [0, 0] };
        let part = |range: Range| {
            let after = i128::from(self.wants_another(range));
            LengthClass { left: range, after: [after, after] }
        };
        for expanded in [false, true] {
            // All of one length, whose last block begins so.
            for range in self.ends() {
                let shortest = length(own);
                let more = match self.wants_another(range) {
                    // How far the last block begins behind the end.
                    true => [block - range[1], block - range[0]],
                    false => [-range[1], -range[0]],
                };
                let last = Address::counted(block as i32, Count::Last(own));
                let facts = vec![(last, length(own), more)];
                let case = given.case(true, expanded, facts);
                let entries = [[0, block - 1], [block, MOST]].map(|all| {
                    let zero = Address::new(Region::Number, 0);
                    let whole = Address::counted(1, Count::Whole(own));
                    let last = Address::counted(1, Count::Last(own));
                    vec![(shortest, zero, all), (whole, last, [-1, 0])]
                });
                let mut turns = vec![(part(range), Vec::new(), part(range).after[0] == 0)];
                if self.wants_another(range) {
                    turns.push((second, Vec::new(), true));
                }
                let padding = (expanded && (range == [0, 0] || self.wants_another(range)))
                    .then_some(rounds.as_ref())
                    .flatten();
                let turns = (turns, padding);
                let calls = (&[case][..], &entries[..]);
                self.show_turns(nodes, (stride, lane), found, &given, calls, turns)?;
            }
        }
        // Of several lengths.
        let all = u32::MAX >> (32 - self.kernel.lanes);
        let (shortest, longest) = (Of::Shortest(all), Of::Longest(all));
        let differ = (length(shortest), length(longest), [-MOST, -1]);
        let block_number = Address { done: 1, ..Address::new(Region::Number, 0) };
        let last = |of| Address::counted(1, Count::Last(of));
        let full = LengthClass { left: [block, MOST], after: [1, MOST] };
        let gone = LengthClass { left: [-MOST, -1], after: [-MOST, -1] };
        let classes = self.ends().into_iter().map(part).chain([full, second, gone]);
        let mut turns = Vec::new();
        for class in classes {
            for (is_last, of_longest) in [(true, [0, 0]), (false, [1, MOST])] {
                // The longest has as many blocks as this one.
                if class.after[0] > of_longest[1] {
                    continue;
                }
                let mut facts = vec![(last(longest), block_number, of_longest)];
                // And this one as the shortest; else both are gone through.
                if class.after[1] < 0 {
                    facts.push((last(shortest), block_number, [-MOST, -1]));
                }
                turns.push((class, facts, is_last));
            }
        }
        let mut entries = Vec::new();
        for range in [[0, block - 1], [block, MOST]] {
            let zero = Address::new(Region::Number, 0);
            let whole = Address::counted(1, Count::Whole(shortest));
            entries.push(vec![(length(shortest), zero, range), (whole, last(longest), [-MOST, 0])]);
        }
        // Whether there is an expanded block is of no account then.
        let cases = [true, false].map(|expanded| given.case(false, expanded, vec![differ]));
        self.show_turns(nodes, (stride, lane), found, &given, (&cases, &entries), (turns, None))
    }

    /// Shows that what is said of the head of the loop, which is what calls of these kinds lead to,
    /// holds again after every turn, or that the turn leads to the caller. What does not hold is
    /// taken away until all the rest does.
    #[allow(clippy::type_complexity, reason = "turns are said in one place")]
    fn show_turns(
        &self,
        nodes: &mut Nodes,
        (stride, lane): (Stride, usize),
        found: &BlockLoop,
        given: &LaneInputs,
        (cases, entries): (&[Case<Id>], &[Vec<(Address, Address, Range)>]),
        (mut turns, padding): (
            Vec<(LengthClass, Vec<(Address, Address, Range)>, bool)>,
            Option<&Block>,
        ),
    ) -> Result<(), Fault> {
        let call = |case: &Case<Id>, facts: &[(Address, Address, Range)]| {
            let facts = [&case.facts[..], facts].concat();
            let case = Case { facts, ..case.clone() };
            self.finishing((stride, lane), &[], Lengths::Any(case))
        };
        let mut head = None;
        for (case, facts) in
            cases.iter().flat_map(|case| entries.iter().map(move |all| (case, all)))
        {
            let call = call(case, facts);
            let machine = call.called(self.entry, &given.state);
            let (mut machine, is_callers) = call.run_merged(nodes, machine, Some(found.head))?;
            if is_callers {
                return Err(Fault::whole("it does not come to its loop".into()));
            }
            // With none of them it need not.
            let has_some = |&(_, zero, [least, _]): &(Address, Address, Range)| {
                zero == Address::new(Region::Number, 0) && least >= self.block_len()[0]
            };
            if facts.iter().any(has_some) && !machine.has_compressed {
                return Err(Fault::whole("it leaves whole blocks out".into()));
            }
            machine.has_compressed = true;
            (machine.flags, machine.carried, machine.compared) = Default::default();
            begin(nodes, &call, &mut machine, found);
            join(&mut head, machine, 0)?;
        }
        let mut head = head.ok_or_else(|| Fault::whole("it is never called".into()))?;
        let own = Of::Lane(lane as u8);
        let [block, _] = self.block_len();
        let block_number = Address { done: 1, ..Address::new(Region::Number, 0) };
        let begins = Address { done: block as i32, ..block_number };
        let Some(case) = cases.last() else { return Ok(()) };
        // Most of what does not hold is seen of one turn that leads to another.
        turns.sort_by_key(|(_, _, is_last)| *is_last);
        let mut count = 1;
        loop {
            let mut changed = false;
            for (class, facts, is_last) in &turns[..count] {
                let mut facts = facts.clone();
                facts.push((length(own), begins, class.left));
                facts.push((Address::counted(1, Count::Last(own)), block_number, class.after));
                let call = call(case, &facts);
                nodes.say(|| format!("from the head, {class:?}, the last: {is_last}"));
                let (machine, is_callers) =
                    call.run_merged(nodes, head.clone(), Some(found.head))?;
                if is_callers != *is_last {
                    return Err(Fault::whole("it does not end after the last block".into()));
                }
                let next = given.after(self, nodes, class);
                if !is_callers {
                    let of = given.state.iter().copied().zip(next);
                    let mut renamed = Renamed::new(of);
                    let mut holds = Holds { nodes, renamed: &mut renamed, step: 1, open: true };
                    changed |= holds.weaken(&mut head, &machine)?;
                    continue;
                }
                let shown = call.came_back(nodes, &machine, &next);
                match padding {
                    Some(rounds) if shown.is_err() => {
                        let next = given.after_expanded(nodes, rounds);
                        call.came_back(nodes, &machine, &next)?;
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
    fn case(
        &self,
        uniform: bool,
        expanded: bool,
        facts: Vec<(Address, Address, Range)>,
    ) -> Case<Id> {
        Case {
            uniform,
            expanded: if expanded { self.expanded.clone() } else { Vec::new() },
            chaining: self.state.clone(),
            length: self.length,
            data: self.data.clone(),
            end: self.end.clone(),
            facts,
        }
    }

    /// The chaining value after block k.
    fn after(&self, binary: &Binary<'_>, nodes: &mut Nodes, class: &LengthClass) -> Vec<Id> {
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
            // Where a message ends may be known, and so is the bit.
            let end = match least == most {
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

    /// The same of a block that is expanded.
    fn after_expanded(&self, nodes: &mut Nodes, rounds: &Block) -> Vec<Id> {
        let inputs: Vec<Id> = self.state.iter().chain(&self.expanded).copied().collect();
        let mut new: Vec<Id> = Vec::new();
        for i in 0..rounds.graph.len() {
            let op = rounds.graph.op(Id(i as u32));
            new.push(match op {
                Op::Input(i) => inputs[i as usize],
                op => nodes.graph.node(op.map(|operand| new[operand.index()])),
            });
        }
        rounds.spec.outputs.iter().map(|id| new[id.index()]).collect()
    }
}

/// Says of the head of the loop what is so at block k, where it is first come to with the number of
/// whole blocks that all have.
fn begin(nodes: &mut Nodes, call: &Call<'_, Id>, head: &mut Processor<Id>, found: &BlockLoop) {
    let mut words = call.words(nodes);
    for (cells, grows) in &found.grows {
        let bytes_of: Vec<_> = cells.iter().map(|cell| cell.get(head)).collect();
        let value = words.value(&bytes_of);
        let now = words.whole(value);
        if now.is_some_and(|now| now.done == *grows) {
            continue;
        }
        let begun = now.filter(|now| {
            matches!(now.of, Count::Whole(_)) && now.total == *grows && now.done == 0
        });
        let grown = match begun {
            Some(now) => {
                words.pointer.bytes(Address { done: *grows, total: 0, of: Count::Blocks, ..now })
            }
            None => bits(Bits::open(0), cells.len()),
        };
        cells.iter().zip(grown).for_each(|(cell, byte)| cell.set(head, byte));
    }
}
