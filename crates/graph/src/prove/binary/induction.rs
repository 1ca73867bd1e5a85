//! One block after another: what holds at the head of the loop over blocks goes on to
//! hold, so that any number of them is gone through.
//!
//! What the head is, and by how much numbers and addresses there grow from block to
//! block, is seen of a run on numbers. That is a guess. From nothing but it, with k
//! blocks done of n, the code goes once around: to the head, where it must hold with
//! k + 1 done (what does not is taken away until the rest does), or to the caller, if
//! that block is the last. Either way the chaining value is the specification's.

use std::collections::HashMap;

use super::machine::{Blocks, Call, Machine};
use super::value::{Address, Byte, Region, Value, Words, address};
use super::{Binary, Fault};
use crate::graph::Id;
use crate::prove::domain::{Domain, Nodes, Numbers};

/// Where a byte is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Cell {
    General(usize, usize),
    Vector(usize, usize),
    Stack(i64),
    Frame(i64),
    State(usize),
}

impl Cell {
    fn get<W: Copy>(self, machine: &Machine<W>) -> Byte<W> {
        match self {
            Self::General(i, j) => machine.general[i][j],
            Self::Vector(i, j) => machine.vectors[i][j],
            Self::Stack(offset) => machine.stack.get(offset),
            Self::Frame(offset) => machine.frame.get(offset),
            Self::State(i) => machine.state[i],
        }
    }

    fn set<W: Copy>(self, machine: &mut Machine<W>, byte: Byte<W>) {
        match self {
            Self::General(i, j) => machine.general[i][j] = byte,
            Self::Vector(i, j) => machine.vectors[i][j] = byte,
            Self::Stack(offset) => machine.stack.set(offset, byte),
            Self::Frame(offset) => machine.frame.set(offset, byte),
            Self::State(i) => machine.state[i] = byte,
        }
    }

    /// Every byte of a machine.
    fn all<W: Copy>(machine: &Machine<W>) -> Vec<Self> {
        let general = (0..16).flat_map(|i| (0..8).map(move |j| Self::General(i, j)));
        let vectors = (0..32).flat_map(|i| (0..64).map(move |j| Self::Vector(i, j)));
        general
            .chain(vectors)
            .chain(machine.stack.offsets().map(Self::Stack))
            .chain(machine.frame.offsets().map(Self::Frame))
            .chain((0..machine.state.len()).map(Self::State))
            .collect()
    }

    /// The eight bytes that an address may be in.
    fn eights<W: Copy>(machine: &Machine<W>) -> Vec<[Self; 8]> {
        let general = (0..16).map(|i| std::array::from_fn(|j| Self::General(i, j)));
        let every = |range: std::ops::Range<i64>| range.filter(|offset| offset.rem_euclid(8) == 0);
        let stack = every(machine.stack.offsets());
        let frame = every(machine.frame.offsets());
        general
            .chain(stack.map(|offset| std::array::from_fn(|j| Self::Stack(offset + j as i64))))
            .chain(frame.map(|offset| std::array::from_fn(|j| Self::Frame(offset + j as i64))))
            .collect()
    }
}

/// A loop over blocks: where it begins, and what grows there from block to block.
#[derive(Clone, Debug)]
pub(super) struct Loop {
    head: u64,
    grows: Vec<([Cell; 8], i32)>,
}

impl Binary<'_> {
    /// The loop over blocks, as a run on numbers shows it.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub(super) fn find_loop(&self, stride: usize) -> Result<Loop, Fault> {
        let mut domain = Numbers { bits: self.kernel.family.word_bits() };
        let state = vec![1; self.kernel.family.state_words()];
        let message: Vec<u64> = (0..48).collect();
        // How often each place is jumped back to.
        let mut back = |blocks: usize| -> Result<HashMap<u64, usize>, Fault> {
            let call = self.call(stride, 0, &message[..16 * blocks], Blocks::Are(blocks));
            let mut machine = call.called(self.entry, &state);
            let mut counts = HashMap::new();
            call.run(&mut domain, &mut machine, None, |from, to| {
                if to <= from {
                    *counts.entry(to).or_default() += 1;
                }
            })?;
            Ok(counts)
        };
        let (two, three) = (back(2)?, back(3)?);
        let head = two.iter().filter(|(to, count)| **count == 1 && three.get(to) == Some(&2));
        let none = || Fault::whole("it has no loop over blocks".into());
        let head = *head.map(|(to, _)| to).min().ok_or_else(none)?;

        let call = self.call(stride, 0, &message, Blocks::Are(3));
        let mut before = call.called(self.entry, &state);
        call.run(&mut domain, &mut before, Some(head), |_, _| ())?;
        let mut after = before.clone();
        call.run(&mut domain, &mut after, Some(head), |_, _| ())?;
        let mut grows = Vec::new();
        let mut words = Words { domain: &mut domain, len: call.word_len };
        for cells in Cell::eights(&before) {
            let mut value = |machine: &Machine<u64>| {
                let bytes = cells.map(|cell| cell.get(machine));
                match words.value(&bytes) {
                    Value::Number(k) => Some(Address::new(Region::Nothing, k as i64)),
                    Value::Address(address) => Some(address),
                    _ => None,
                }
            };
            let growth = value(&before).zip(value(&after)).and_then(|(x, y)| y.minus(x));
            if let Some(Address { region: Region::Nothing, offset, .. }) = growth
                && offset != 0
                && let Ok(done) = i32::try_from(offset)
            {
                grows.push((cells, done));
            }
        }
        Ok(Loop { head, grows })
    }

    /// Proves one lane for any number of blocks, from any chaining value.
    ///
    /// # Errors
    ///
    /// The first fault: what the code does that kernels may not, or what is not shown.
    pub(super) fn show_all(&self, stride: usize, lane: usize, found: &Loop) -> Result<(), Fault> {
        let mut nodes = Nodes { graph: self.block.graph.clone() };
        let (state, words) = (&self.block.state, &self.block.block);
        let outputs = &self.block.spec.outputs;
        let call = |last| self.call(stride, lane, words, Blocks::Any { last });

        // From the call to the head, whether or not the first block is the last.
        let mut heads = Vec::new();
        for last in [false, true] {
            let mut machine = call(last).called(self.entry, state);
            if call(last).run(&mut nodes, &mut machine, Some(found.head), |_, _| ())? {
                return Err(Fault::whole("it does not come to its loop".into()));
            }
            machine.flags = Default::default();
            heads.push(machine);
        }
        let mut head = heads.remove(0);
        generalise(&mut nodes, &call(false), &mut head, &found.grows);

        // What does not hold again is taken away until all the rest does.
        let chaining: HashMap<Id, Id> =
            state.iter().copied().zip(outputs.iter().copied()).collect();
        loop {
            let mut next = head.clone();
            if call(false).run(&mut nodes, &mut next, Some(found.head), |_, _| ())? {
                return Err(Fault::whole("it leaves blocks out".into()));
            }
            if next.aligned != head.aligned {
                return Err(Fault::whole("it aligns its stack in its loop".into()));
            }
            let holds = |cell: &Cell| {
                let first = cell.get(&heads[0]) == at_first(cell.get(&head));
                first
                    && match (cell.get(&head), cell.get(&next)) {
                        (Byte::Unknown, _) => true,
                        (Byte::Number(k), now) => now == Byte::Number(k),
                        (Byte::Address(a, i), now) => {
                            now == Byte::Address(a.plus(i64::from(a.done)), i)
                        }
                        (Byte::Of(word, i), Byte::Of(now, j)) => {
                            let wanted = chaining.get(&word);
                            i == j && wanted.is_some_and(|&wanted| nodes.equal(now, wanted))
                        }
                        (Byte::Of(..), _) => false,
                    }
            };
            let gone: Vec<Cell> = Cell::all(&head)
                .into_iter()
                .filter(|cell| cell.get(&head) != Byte::Unknown && !holds(cell))
                .collect();
            if gone.is_empty() {
                break;
            }
            gone.into_iter().for_each(|cell| cell.set(&mut head, Byte::Unknown));
        }

        // The last block: to the caller.
        if !call(true).run(&mut nodes, &mut head, Some(found.head), |_, _| ())? {
            return Err(Fault::whole("it goes on after the last block".into()));
        }
        call(true).came_back(&mut nodes, &head, outputs)
    }
}

/// What `byte` is with no block done.
fn at_first(byte: Byte<Id>) -> Byte<Id> {
    match byte {
        Byte::Address(a, i) => address(Address { done: 0, ..a })[usize::from(i)],
        other => other,
    }
}

/// Gives what grows from block to block its growth.
fn generalise(
    nodes: &mut Nodes,
    call: &Call<'_, Id>,
    head: &mut Machine<Id>,
    grows: &[([Cell; 8], i32)],
) {
    let mut words = Words { domain: nodes, len: call.word_len };
    for &(cells, done) in grows {
        let bytes = cells.map(|cell| cell.get(head));
        let now = match words.value(&bytes) {
            Value::Number(k) => Address::new(Region::Nothing, k as i64),
            Value::Address(address) => address,
            _ => continue,
        };
        let grown = address(Address { done, ..now });
        cells.into_iter().zip(grown).for_each(|(cell, byte)| cell.set(head, byte));
    }
}
