//! Executes code whose branches depend on the lengths of other lanes' messages. Both paths are
//! executed; where they join, only their common facts remain.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::call::Call;
use super::code::Code;
use super::domain::Domain;
use super::fault::Fault;
use super::instruction::{Mnemonic, Operand};
use super::processor::{Compared, Processor};
use super::value::Byte;

/// The maximum number of instructions in a loop iteration, over all paths.
const MOST: usize = 1_000_000;

/// The address of a machine that has returned. No code is at this address.
const CALLER: u64 = u64::MAX;

/// Machines that wait at a join point, by its position in the topological order and its address.
type Pending<W> = BTreeMap<(usize, u64), (Processor<W>, u32)>;

impl Code {
    /// A topological order of the code reachable from `from`, ignoring back edges.
    fn order(&self, from: u64, until: Option<u64>) -> HashMap<u64, usize> {
        let next = |at: u64| -> Vec<u64> {
            let Ok(instruction) = self.at(at) else { return Vec::new() };
            let target = match instruction.operands.first() {
                Some(Operand::Target(target)) => Some(*target),
                _ => None,
            };
            match instruction.mnemonic {
                Mnemonic::Ret => Vec::new(),
                Mnemonic::Jmp => target.into_iter().collect(),
                Mnemonic::Call => vec![instruction.next],
                // Only jumps have a target.
                _ => target.into_iter().chain([instruction.next]).collect(),
            }
        };
        let mut seen = BTreeSet::from([from]);
        let mut left = Vec::new();
        let mut stack = vec![(from, next(from))];
        while let Some((at, to)) = stack.last_mut() {
            match to.pop() {
                Some(to) if Some(to) == until || !seen.insert(to) => {}
                Some(to) => stack.push((to, next(to))),
                None => {
                    left.push(*at);
                    stack.pop();
                }
            }
        }
        left.into_iter().rev().enumerate().map(|(i, at)| (at, i)).collect()
    }
}

impl<W: Copy + PartialEq> Call<'_, W> {
    /// Executes code like [`run`](Self::run), but follows both paths of branches on unknown
    /// lengths.
    ///
    /// # Errors
    ///
    /// At the first instruction that violates the rules for kernels, or if the paths end
    /// differently.
    pub(super) fn run_merged<D: Domain<Word = W>>(
        &self,
        domain: &mut D,
        machine: Processor<W>,
        until: Option<u64>,
    ) -> Result<(Processor<W>, bool), Fault> {
        let order = self.code.order(machine.at, until);
        // Addresses outside of the order, such as targets of indirect jumps, come last and
        // separately.
        let place = |at: u64| (order.get(&at).copied().unwrap_or(usize::MAX), at);
        // The paths to resume, with the lanes whose lengths select them.
        let mut pending = Pending::from([(place(machine.at), (machine, 0u32))]);
        let mut ends: [Option<(Processor<W>, u32)>; 2] = [None, None];
        let mut steps = 0;
        while steps < MOST {
            let Some((_, (mut machine, lanes))) = pending.pop_first() else {
                return match ends {
                    [Some((machine, _)), None] => Ok((machine, false)),
                    [None, Some((machine, _))] => Ok((machine, true)),
                    _ => Err(Fault::whole("unknown lengths decide whether it returns".into())),
                };
            };
            // Once all paths have joined, their branch conditions no longer matter.
            let lanes = match ends {
                [None, None] if pending.is_empty() => 0,
                _ => lanes,
            };
            // Execute a path until another one must catch up.
            while steps < MOST {
                steps += 1;
                let instruction = self.code.at(machine.at)?;
                let fault = |what: String| Fault::at(instruction, what);
                let next = self.step(&mut self.words(&mut *domain), &mut machine, instruction);
                let next = next.map_err(fault)?;
                if let Some((other, by)) = machine.fork.take() {
                    if !order.contains_key(&other) && Some(other) != until {
                        return Err(fault("it jumps outside of the kernel's code".into()));
                    }
                    let other = Processor { at: other, ..machine.clone() };
                    if Some(other.at) == until {
                        meet(&mut ends[0], other, lanes | by)?;
                    } else {
                        put_aside(&mut pending, place(other.at), other, lanes | by)?;
                    }
                }
                let Some(next) = next else {
                    // The common end of all returns.
                    machine.at = CALLER;
                    meet(&mut ends[1], machine, lanes)?;
                    break;
                };
                machine.at = next;
                if until == Some(next) {
                    meet(&mut ends[0], machine, lanes)?;
                    break;
                }
                if pending.first_key_value().is_some_and(|(first, _)| *first <= place(next)) {
                    put_aside(&mut pending, place(next), machine, lanes)?;
                    break;
                }
            }
        }
        Err(Fault::whole("it does not terminate".into()))
    }
}

/// Joins a machine with those that ended in the same way, and the lanes that select between them.
fn meet<W: Copy + PartialEq>(
    end: &mut Option<(Processor<W>, u32)>,
    machine: Processor<W>,
    lanes: u32,
) -> Result<(), Fault> {
    let (mut both, by) = end.take().map_or((None, 0), |(old, by)| (Some(old), by));
    join(&mut both, machine, lanes | by)?;
    *end = both.map(|both| (both, lanes | by));
    Ok(())
}

/// Lets a machine wait for others at its address.
fn put_aside<W: Copy + PartialEq>(
    pending: &mut Pending<W>,
    place: (usize, u64),
    machine: Processor<W>,
    lanes: u32,
) -> Result<(), Fault> {
    let mut both = pending.remove(&place);
    meet(&mut both, machine, lanes)?;
    pending.extend(both.map(|both| (place, both)));
    Ok(())
}

/// Reduces two machines to their common facts, if the lengths of `lanes` select between them.
pub(super) fn join<W: Copy + PartialEq>(
    one: &mut Option<Processor<W>>,
    other: Processor<W>,
    lanes: u32,
) -> Result<(), Fault> {
    let Some(one) = one else {
        *one = Some(other);
        return Ok(());
    };
    if one.at != other.at {
        return Err(Fault::whole("paths join at different addresses".into()));
    }
    if one.aligned != other.aligned {
        return Err(Fault::whole("it aligns its stack on only one of two paths".into()));
    }
    if (one.stack.top, one.frame.top) != (other.stack.top, other.frame.top) {
        return Err(Fault::whole("paths join with different frames".into()));
    }
    if one.has_compressed != other.has_compressed {
        return Err(Fault::whole("it compresses whole blocks on only one of two paths".into()));
    }
    let both = [(&mut one.stack, other.stack), (&mut one.frame, other.frame)];
    for (one, other) in both {
        one.bytes.resize(one.bytes.len().max(other.bytes.len()), None);
        for (i, x) in one.bytes.iter_mut().enumerate() {
            let y = other.bytes.get(i).copied().flatten();
            // A byte that either path has written counts as written.
            if *x != y || matches!(y, Some(Byte::Bits(..))) {
                let [x_now, y] = [*x, y].map(|byte| byte.unwrap_or(Byte::Unknown));
                *x = Some(x_now.joined(y, lanes));
            }
        }
    }
    let registers = one.general.iter_mut().chain(&mut one.masks).flatten();
    let all = registers.chain(one.vectors.iter_mut().flatten());
    let all = all.chain(&mut one.state).chain(&mut one.out);
    let of_other = other.general.iter().chain(&other.masks).flatten();
    let of_other = of_other.chain(other.vectors.iter().flatten());
    let of_other = of_other.chain(&other.state).chain(&other.out);
    for (x, y) in all.zip(of_other) {
        if x != y || matches!(y, Byte::Bits(..)) {
            *x = x.joined(*y, lanes);
        }
    }
    if one.flags != other.flags {
        one.flags = Default::default();
    }
    // The lengths of `lanes` also select which comparison it was.
    one.compared = one.compared.filter(|_| one.compared == other.compared).map(|compared| {
        let by = if compared.numbers.is_some() { 0 } else { lanes };
        Compared { lanes: compared.lanes | by, ..compared }
    });
    one.carried = None;
    Ok(())
}
