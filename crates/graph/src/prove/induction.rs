//! Induction over blocks. An invariant at the head of the loop holds again after each turn, so
//! it holds for any number of blocks.
//!
//! A run on numbers shows where the head is, how many blocks a turn takes, and by how much
//! numbers and addresses grow in a turn. That is only a guess.
//!
//! What is true at the head may depend on how many blocks are left, if few are: a register may
//! hold two blocks, and the second is not always there. So there is a state for each small
//! number of blocks, and one for any greater number. Each state begins as what the call leads
//! to.
//!
//! From a state alone, with any number of blocks done before, the code runs on. Either it comes
//! to the head again. There the state for fewer blocks must hold; whatever of it does not is
//! dropped, until the rest does. Or no block is left, and it comes to the caller. Both times the
//! chaining value must be the specification's.

use std::collections::HashMap;

use super::address::{Address, Region};
use super::call::{Blocks, Call, Left, Stride};
use super::cell::Cell;
use super::domain::{Domain, Nodes, Numbers, Operation, folded};
use super::fault::Fault;
use super::processor::Processor;
use super::value::Byte;
use super::{Binary, random};
use crate::graph::{Graph, Id, Op};

/// A loop over blocks: where it begins, how many it takes at a time, and what grows from
/// block to block.
#[derive(Clone, Debug)]
pub(super) struct BlockLoop {
    pub(super) head: u64,
    pub(super) step: usize,
    pub(super) grows: Vec<(Vec<Cell>, i32)>,
}

/// What a turn comes to, from the head of the loop.
enum End {
    /// The head again.
    Head(Box<Processor<Id>>),
    /// The caller.
    Caller,
}

impl Binary<'_> {
    /// The loop over blocks, as a run on numbers shows it.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub(super) fn find_loop(&self, stride: Stride) -> Result<BlockLoop, Fault> {
        let stride = match stride {
            Stride::Is(_) => stride,
            Stride::AtLeast(least) => Stride::Is(least + 2),
        };
        const FEW: usize = 4;
        const MORE: usize = 7;
        let mut domain = Numbers { bits: self.kernel.family.word_bits() };
        let mut random = random(self.kernel.family.word_bits());
        let state: Vec<u64> = self.block.state.iter().map(|_| random()).collect();
        let words = self.contract.block_words;
        let message: Vec<u64> = (0..MORE * words).map(|_| random()).collect();
        // How often each place is jumped back to.
        let mut back = |blocks: usize| -> Result<HashMap<u64, usize>, Fault> {
            let call = self.call(stride, 0, &message[..words * blocks], Blocks::Are(blocks));
            let mut machine = call.called(self.entry, &state);
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
        let mut before = call.called(self.entry, &state);
        call.run(&mut domain, &mut before, Some(head), |_, _| ())?;
        let mut after = before.clone();
        call.run(&mut domain, &mut after, Some(head), |_, _| ())?;
        let grows = growths(&call, &mut domain, &before, &after, step);
        Ok(BlockLoop { head, step, grows })
    }

    /// Proves one lane for any number of blocks, from any chaining value.
    ///
    /// # Errors
    ///
    /// The first fault: what the code does that kernels may not, or what is not shown.
    pub(super) fn show_all(
        &self,
        nodes: &mut Nodes,
        stride: Stride,
        lane: usize,
        found: &BlockLoop,
    ) -> Result<(), Fault> {
        let (head, step) = (found.head, found.step);
        let most = 2 * step;
        let state = &self.block.state;
        let inputs = (most + step) * self.contract.block_words;
        let inputs = (0..inputs as u32).map(|i| Op::Input(state.len() as u32 + i));
        let message: Vec<Id> = inputs.map(|input| nodes.graph.node(input)).collect();
        // The chaining value after each number of blocks up to a turn's.
        let mut chaining = vec![state.clone()];
        for words in message.chunks_exact(self.contract.block_words).take(step) {
            let old = chaining.last().expect("one at least");
            let of = state.iter().chain(&self.block.block).zip(old.iter().chain(words));
            let mut renamed = Renamed::new(of.map(|(&x, &y)| (x, y)));
            let outputs = &self.block.spec.outputs;
            let next = outputs.iter().map(|&id| renamed.of(&mut nodes.graph, id)).collect();
            chaining.push(next);
        }
        let lefts: Vec<Left> = (1..most).map(Left::Exactly).chain([Left::AtLeast(most)]).collect();
        let call = |left, begun| self.call(stride, lane, &message, Blocks::Any { left, begun });

        // From the call to the head, with each number of blocks.
        let mut heads = Vec::new();
        for &left in &lefts {
            let call = call(left, false);
            let mut machine = call.called(self.entry, state);
            if call.run(nodes, &mut machine, Some(head), |_, _| ())? {
                return Err(Fault::whole("it does not come to its loop".into()));
            }
            (machine.flags, machine.carried) = Default::default();
            generalise(nodes, &call, &mut machine, &found.grows);
            heads.push(machine);
        }

        let blocks = chaining[step].iter().chain(&message[step * self.contract.block_words..]);
        let of = state.iter().chain(&message).zip(blocks);
        let mut renamed = Renamed::new(of.map(|(&x, &y)| (x, y)));
        let call = |left| call(left, true);
        self.turns(nodes, &call, found, (&lefts, heads), &chaining, &mut renamed)
    }

    /// Shows that what is said of the head holds again after every turn, or that the turn leads
    /// to the caller with the words that are `expected` after so many blocks. What does not hold
    /// again is taken away until all the rest does.
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
        let mut ends: Vec<Option<End>> = lefts.iter().map(|_| None).collect();
        // More blocks first: what is taken away there is taken away of fewer too.
        'again: loop {
            for i in (0..lefts.len()).rev() {
                let left = lefts[i];
                let end = match ends[i].take() {
                    Some(end) => end,
                    None => {
                        let (call, mut machine) = (call(left), heads[i].clone());
                        nodes.say(|| format!("from the head, {left:?} left"));
                        if call.run(nodes, &mut machine, Some(head), |_, _| ())? {
                            if left != Left::Exactly(left.least().min(step)) {
                                return Err(Fault::whole("it leaves blocks out".into()));
                            }
                            call.came_back(nodes, &machine, &expected[left.least()])?;
                            End::Caller
                        } else if left.least() <= step {
                            let what = "it goes on after the last block";
                            return Err(Fault::whole(what.into()));
                        } else {
                            End::Head(Box::new(machine))
                        }
                    }
                };
                let mut changed = false;
                if let End::Head(now) = &end {
                    // So many are left now, or one of several numbers.
                    let fewest = left.least() - step - 1;
                    let last = if left == Left::AtLeast(most) { i } else { fewest };
                    for next in fewest..=last {
                        let mut holds = Holds { nodes, renamed, step, open: false };
                        if holds.weaken(&mut heads[next], now)? {
                            ends[next] = None;
                            changed = true;
                        }
                    }
                }
                // Of this very number it may have changed.
                if !changed || i != lefts.len() - 1 {
                    ends[i] = Some(end);
                }
                if changed {
                    continue 'again;
                }
            }
            for (left, head) in lefts.iter().zip(&heads) {
                nodes.say(|| format!("invariant, {left:?} left: {}", said_of(head)));
            }
            return Ok(());
        }
    }
}

/// Every byte that something is said of, where it is.
fn said_of(head: &Processor<Id>) -> String {
    let known = Cell::all(head).into_iter().map(|cell| (cell, cell.get(head)));
    let known = known.filter(|(_, byte)| *byte != Byte::Unknown);
    known.map(|(cell, byte)| format!("{cell:?} = {byte:?}; ")).collect()
}

/// What has grown in a turn of so many blocks, and by how much for each.
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

/// Words in which others stand for the inputs.
pub(super) struct Renamed {
    new: HashMap<Id, Id>,
}

impl Renamed {
    /// Each of these is to be the other.
    pub(super) fn new(pairs: impl Iterator<Item = (Id, Id)>) -> Self {
        Self { new: pairs.collect() }
    }

    pub(super) fn of(&mut self, graph: &mut Graph, word: Id) -> Id {
        // Operands come before the operation; what has a name already is not visited again.
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
                let op = op.map(|operand| self.new[&operand]);
                self.new.insert(id, folded(graph, op));
            }
        }
        self.new[&word]
    }
}

/// What is said of the head of a loop, against what is found there a turn later.
pub(super) struct Holds<'a> {
    pub(super) nodes: &'a mut Nodes,
    pub(super) renamed: &'a mut Renamed,
    pub(super) step: usize,
    /// Whether numbers that are not known are told from words that are not.
    pub(super) open: bool,
}

impl Holds<'_> {
    /// Takes away of `head` what does not hold of `now`; whether that was anything.
    pub(super) fn weaken(
        &mut self,
        head: &mut Processor<Id>,
        now: &Processor<Id>,
    ) -> Result<bool, Fault> {
        if now.aligned != head.aligned {
            return Err(Fault::whole("it aligns its stack in its loop".into()));
        }
        if (now.stack.top, now.frame.top) != (head.stack.top, head.frame.top) {
            return Err(Fault::whole("it has another frame in each turn of its loop".into()));
        }
        let mut changed = false;
        for cell in Cell::all(head) {
            let (said, found) = (cell.get(head), cell.get(now));
            if !self.is(said, found) {
                cell.set(
                    head,
                    match said.open() {
                        // The same address may be another number now.
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
                // The same byte of a word that is rotated by whole bytes: halves are worked upon so.
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

/// Gives what grows from block to block its growth.
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
