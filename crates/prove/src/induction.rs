//! Induction over blocks: an invariant at the loop header that each iteration preserves holds for
//! any number of blocks.
//!
//! A concrete run suggests the loop header, the number of blocks per iteration, and the growth of
//! numbers and addresses per iteration. The proof relies on none of these guesses.
//!
//! The invariant depends on the number of remaining blocks if that is small: a register may hold
//! two blocks, and the second one may not exist. So there is one state per small number of blocks,
//! and one for all greater numbers. The base case initializes each state from the call.
//!
//! The induction step executes the code from one of these states, with any number of blocks done.
//! If it reaches the header, the result must satisfy the state for fewer blocks; facts that fail
//! are dropped until a fixed point. If no block remains, it must return to the caller. Either way
//! the chaining value must equal the specification's.

use std::collections::HashMap;

use super::address::{Address, Region};
use super::call::{Blocks, Call, Left, Stride};
use super::cell::Cell;
use super::domain::{COMPRESSED, Domain, Nodes, Numbers, Operation, SUBSTITUTED, folded};
use super::fault::Fault;
use super::processor::Processor;
use super::screened::{check_row, check_trace, of_block};
use super::value::Byte;
use super::{Binary, Task, random};
use lanesum_graph::graph::{Graph, Id, Op};

/// A loop over blocks: its header, its blocks per iteration, and the cells that grow with each
/// block.
#[derive(Clone, Debug)]
pub(super) struct BlockLoop {
    pub(super) head: u64,
    pub(super) step: usize,
    pub(super) grows: Vec<(Vec<Cell>, i32)>,
    /// The least number of whole blocks for which another function compresses them before the loop.
    pub(super) calls_from: i128,
}

impl Binary<'_> {
    /// Finds the loop over blocks in a concrete run.
    ///
    /// # Errors
    ///
    /// If there is no such loop.
    pub(super) fn find_loop(&self, stride: Stride) -> Result<BlockLoop, Fault> {
        let stride = stride.sample();
        const FEW: usize = 4;
        const MORE: usize = 7;
        let mut domain = Numbers { bits: self.kernel.family.word_bits() };
        let mut random = random(self.kernel.family.word_bits());
        let state: Vec<u64> = self.block.state.iter().map(|_| random()).collect();
        let words = self.contract.block_words;
        let message: Vec<u64> = (0..words * MORE).map(|_| random()).collect();
        // Counts the back jumps to each address.
        let mut back = |blocks: usize| -> Result<HashMap<u64, usize>, Fault> {
            let call = self.call(stride, 0, &message[..words * blocks], Blocks::Are(blocks));
            let mut machine = call.entry_state(self.entry, &state);
            let mut counts = HashMap::new();
            call.run(&mut domain, &mut machine, None, |from, to| {
                if to <= from {
                    *counts.entry(to).or_default() += 1;
                }
            })?;
            Ok(counts)
        };
        let (few, more) = (back(FEW)?, back(MORE)?);
        let found = (1..FEW).find_map(|step| {
            let is_head = |(to, count): &(&u64, &usize)| {
                **count == (FEW - 1) / step && more.get(to) == Some(&((MORE - 1) / step))
            };
            few.iter().filter(is_head).map(|(&to, _)| (to, step)).min()
        });
        let (head, step) =
            found.ok_or_else(|| Fault::whole("it has no loop over blocks".into()))?;

        let call = self.call(stride, 0, &message, Blocks::Are(MORE));
        let mut before = call.entry_state(self.entry, &state);
        call.run(&mut domain, &mut before, Some(head), |_, _| ())?;
        let mut after = before.clone();
        call.run(&mut domain, &mut after, Some(head), |_, _| ())?;
        let grows = growths(&call, &mut domain, &before, &after, step);
        Ok(BlockLoop { head, step, grows, calls_from: i128::MAX })
    }

    /// Proves one lane for any number of blocks and any initial chaining value.
    ///
    /// # Errors
    ///
    /// The first fault: a violation of the rules for kernels, or a missing proof.
    pub(super) fn prove_blocks(
        &self,
        nodes: &mut Nodes,
        stride: Stride,
        lane: usize,
        found: &BlockLoop,
    ) -> Result<(), Fault> {
        let (head, step) = (found.head, found.step);
        // An iteration's row is that of its first block.
        if step > 1 && matches!(self.kernel.task, Task::Traced | Task::Screen) {
            return Err(Fault::whole("it writes one row for several blocks".into()));
        }
        let most = 2 * step;
        let state = &self.block.state;
        let inputs = (most + step) * self.contract.block_words;
        let inputs = (0..inputs as u32).map(|i| Op::Input(state.len() as u32 + i));
        let message: Vec<Id> = inputs.map(|input| nodes.graph.node(input)).collect();
        // The chaining values after each block of an iteration.
        let mut chaining = vec![state.clone()];
        for words in message.chunks_exact(self.contract.block_words).take(step) {
            let old = chaining.last().expect("at least one");
            let of = state.iter().chain(&self.block.block).zip(old.iter().chain(words));
            let mut renamed = Renamed::new(of.map(|(&x, &y)| (x, y)));
            let outputs = &self.block.spec.outputs;
            let next = outputs.iter().map(|&id| renamed.of(&mut nodes.graph, id)).collect();
            chaining.push(next);
        }
        let lefts: Vec<Left> = (1..most).map(Left::Exactly).chain([Left::AtLeast(most)]).collect();
        let conditions = match self.kernel.task {
            Task::Screen | Task::Traced => Some(of_block(nodes, &message)),
            _ => None,
        };
        let trace = match self.kernel.task {
            Task::Traced => self.trace_of(&mut nodes.graph, &message[..16], &chaining[1]),
            _ => Vec::new(),
        };
        if self.kernel.task == Task::Screen {
            // It compresses nothing.
            chaining.iter_mut().for_each(|words| words.clone_from(state));
        }
        let call = |left, begun| Call {
            trace: trace.clone(),
            conditions: conditions.as_ref(),
            ..self.call(stride, lane, &message, Blocks::Any { left, begun })
        };

        // The base case: from the call to the header, for each number of blocks.
        let mut heads = Vec::new();
        for &left in &lefts {
            let call = call(left, false);
            let mut machine = call.entry_state(self.entry, state);
            if call.run(nodes, &mut machine, Some(head), |_, _| ())? {
                return Err(Fault::whole("it returns before its loop".into()));
            }
            (machine.flags, machine.carried, machine.tested) = Default::default();
            // Nothing is written for the current block.
            machine.out = call.out();
            generalise(nodes, &call, &mut machine, &found.grows);
            heads.push(machine);
        }

        let blocks = chaining[step].iter().chain(&message[step * self.contract.block_words..]);
        let of = state.iter().chain(&message).zip(blocks);
        let mut renamed = Renamed::new(of.map(|(&x, &y)| (x, y)));
        let call = |left| call(left, true);
        self.turns(nodes, &call, found, (&lefts, heads), &chaining, &mut renamed)
    }

    /// Proves the induction step: each iteration reestablishes the invariant, or returns to the
    /// caller with the words `expected` for that number of blocks. Weakens the invariant until a
    /// fixed point.
    pub(super) fn turns<'c>(
        &self,
        nodes: &mut Nodes,
        call: &dyn Fn(Left) -> Call<'c, Id>,
        found: &BlockLoop,
        (lefts, mut heads): (&[Left], Vec<Processor<Id>>),
        expected: &[Vec<Id>],
        renamed: &mut Renamed,
    ) -> Result<(), Fault> {
        let (head, step) = (found.head, found.step);
        nodes.say(|| format!("loop at {head:#x}, {step} at a time"));
        let most = 2 * step;
        let mut ends: Vec<Option<Vec<Processor<Id>>>> = lefts.iter().map(|_| None).collect();
        // Start with the most blocks: facts dropped there are dropped for fewer blocks too.
        'again: loop {
            for i in (0..lefts.len()).rev() {
                let left = lefts[i];
                let end = match ends[i].take() {
                    Some(end) => end,
                    None => {
                        nodes.say(|| format!("from the head, {left:?} left"));
                        let (call, machine) = (call(left), heads[i].clone());
                        let end = turn(nodes, &call, machine, (head, left, step), expected)?;
                        if !end.is_empty() && left.least() <= step {
                            let what = "it continues after the last block";
                            return Err(Fault::whole(what.into()));
                        }
                        end
                    }
                };
                let mut changed = false;
                for now in &end {
                    // The numbers of blocks that may remain after this iteration.
                    let fewest = left.least() - step - 1;
                    let last = if left == Left::AtLeast(most) { i } else { fewest };
                    for next in fewest..=last {
                        let mut check = InvariantCheck { nodes, renamed, step, open: false };
                        if check.weaken(&mut heads[next], now)? {
                            ends[next] = None;
                            changed = true;
                        }
                    }
                }
                // The last state may have weakened itself.
                if !changed || i != lefts.len() - 1 {
                    ends[i] = Some(end);
                }
                if changed {
                    continue 'again;
                }
            }
            for (left, head) in lefts.iter().zip(&heads) {
                nodes.say(|| format!("invariant, {left:?} left: {}", describe_invariant(head)));
            }
            return Ok(());
        }
    }
}

/// Executes an iteration, which returns with the words `expected`, or ends at the loop header with the
/// returned machine.
fn turn(
    nodes: &mut Nodes,
    call: &Call<'_, Id>,
    mut machine: Processor<Id>,
    (head, left, step): (u64, Left, usize),
    expected: &[Vec<Id>],
) -> Result<Vec<Processor<Id>>, Fault> {
    let has_returned = call.run(nodes, &mut machine, Some(head), |_, _| ())?;
    if call.is_traced() {
        check_trace(nodes, call, &machine)?;
    }
    if let Some(conditions) = call.conditions {
        check_row(conditions, nodes, call, &mut machine)?;
    }
    if !has_returned {
        return Ok(vec![machine]);
    }
    if left != Left::Exactly(left.least().min(step)) {
        return Err(Fault::whole("it skips blocks".into()));
    }
    call.check_return(nodes, &machine, &expected[left.least()])?;
    Ok(Vec::new())
}

/// All known bytes of an invariant.
fn describe_invariant(head: &Processor<Id>) -> String {
    let known = Cell::all(head).into_iter().map(|cell| (cell, cell.get(head)));
    let known = known.filter(|(_, byte)| *byte != Byte::Unknown);
    known.map(|(cell, byte)| format!("{cell:?} = {byte:?}; ")).collect()
}

/// The cells that grow in an iteration of `step` blocks, with their growth per block.
pub(super) fn growths(
    call: &Call<'_, u64>,
    domain: &mut Numbers,
    before: &Processor<u64>,
    after: &Processor<u64>,
    step: usize,
) -> Vec<(Vec<Cell>, i32)> {
    let mut grows = Vec::new();
    let mut words = call.words(domain);
    for cells in Cell::of_numbers(before, words.pointer) {
        let mut value = |machine: &Processor<u64>| {
            let bytes: Vec<_> = cells.iter().map(|cell| cell.get(machine)).collect();
            let value = words.value(&bytes);
            words.whole(value)
        };
        let growth = value(before).zip(value(after)).and_then(|(x, y)| y.minus(x));
        if let Some(Address { region: Region::Number, offset, .. }) = growth
            && let offset = words.pointer.signed(offset)
            && offset != 0
            && offset % step as i64 == 0
            && let Ok(done) = i32::try_from(offset / step as i64)
        {
            grows.push((cells, done));
        }
    }
    grows
}

/// A substitution of words for words.
pub(super) struct Renamed {
    new: HashMap<Id, Id>,
}

impl Renamed {
    /// Substitutes the second word of each pair for the first.
    pub(super) fn new(pairs: impl Iterator<Item = (Id, Id)>) -> Self {
        Self { new: pairs.collect() }
    }

    pub(super) fn of(&mut self, graph: &mut Graph, word: Id) -> Id {
        // Operands precede their operation; skip words that are already substituted.
        let mut stack = vec![word];
        while let Some(&id) = stack.last() {
            let op = graph.op(id);
            let waiting = stack.len();
            if !self.new.contains_key(&id) {
                stack.extend(op.operands().filter(|operand| !self.new.contains_key(operand)));
            }
            if stack.len() > waiting {
                continue;
            }
            stack.pop();
            if !self.new.contains_key(&id) {
                let op = match op {
                    // Its own inputs may be substituted, so the result is another word.
                    Op::Input(i) if i >= COMPRESSED => Op::Input(i | SUBSTITUTED),
                    op => op.map(|operand| self.new[&operand]),
                };
                self.new.insert(id, folded(graph, op));
            }
        }
        self.new[&word]
    }
}

/// Compares an invariant with the state one iteration later.
pub(super) struct InvariantCheck<'a> {
    pub(super) nodes: &'a mut Nodes,
    pub(super) renamed: &'a mut Renamed,
    pub(super) step: usize,
    /// Whether to weaken known numbers to partially known ones rather than to unknown bytes.
    pub(super) open: bool,
}

impl InvariantCheck<'_> {
    /// Drops the facts of `head` that do not hold in `now`; returns whether there were any.
    pub(super) fn weaken(
        &mut self,
        head: &mut Processor<Id>,
        now: &Processor<Id>,
    ) -> Result<bool, Fault> {
        if now.aligned != head.aligned {
            return Err(Fault::whole("it aligns its stack in the loop".into()));
        }
        if (now.stack.top, now.frame.top) != (head.stack.top, head.frame.top) {
            return Err(Fault::whole("the size of its frame changes in the loop".into()));
        }
        let mut changed = false;
        for cell in Cell::all(head) {
            let (said, found) = (cell.get(head), cell.get(now));
            if !self.is(said, found) {
                cell.set(
                    head,
                    match said.open() {
                        // An equal symbolic address may be a different number in the next
                        // iteration.
                        Some(bits) if self.open && said == found => Byte::Bits(0, 0, bits.lanes),
                        Some(_) if self.open => said.joined(found, 0),
                        _ => Byte::Unknown,
                    },
                );
                changed = true;
            }
        }
        Ok(changed)
    }

    fn is(&mut self, said: Byte<Id>, now: Byte<Id>) -> bool {
        match (said, now) {
            (Byte::Unknown, _) => true,
            (Byte::Number(_), now) => now == said,
            (Byte::Bits(..), now) => said.joined(now, 0) == said,
            (Byte::Address(a, i), now) => {
                now == Byte::Address(a.plus(i64::from(a.done) * self.step as i64), i)
            }
            (Byte::Of(word, i), Byte::Of(now, j)) => {
                let wanted = self.renamed.of(&mut self.nodes.graph, word);
                // Operations on halves yield words rotated by whole bytes.
                let bits = self.nodes.bits();
                let by = 8 * (u32::from(j) + bits - u32::from(i)) % bits;
                let now = match by {
                    0 => now,
                    by => self.nodes.apply_constant(Operation::RotateRight, now, by.into()),
                };
                self.nodes.equal(now, wanted) && {
                    self.nodes.say_equal("holds again", now, wanted);
                    true
                }
            }
            (Byte::Of(..), _) => false,
        }
    }
}

/// Adds the growth per block to the growing cells.
pub(super) fn generalise(
    nodes: &mut Nodes,
    call: &Call<'_, Id>,
    head: &mut Processor<Id>,
    grows: &[(Vec<Cell>, i32)],
) {
    let mut words = call.words(nodes);
    for (cells, done) in grows {
        let bytes: Vec<_> = cells.iter().map(|cell| cell.get(head)).collect();
        let value = words.value(&bytes);
        let Some(now) = words.whole(value) else { continue };
        let grown = words.pointer.bytes(Address { done: *done, ..now });
        cells.iter().zip(grown).for_each(|(cell, byte)| cell.set(head, byte));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Bit;

    #[test]
    fn gathered_bits_are_others_in_the_next_iteration() {
        let mut nodes = Nodes::new(Graph::new(u32::BITS));
        let word = nodes.graph.node(Op::Input(0));
        let gathered = nodes.gathered(&[Bit::Of(word, 3), Bit::Of(word, 5)]);
        let rotated = nodes.graph.node(Op::Rotr(gathered, 1));
        let mut renamed = Renamed::new([(word, word)].into_iter());
        for id in [gathered, rotated] {
            let next = renamed.of(&mut nodes.graph, id);
            assert!(!nodes.equal(id, next));
        }
        assert_eq!(renamed.of(&mut nodes.graph, word), word);
    }
}
