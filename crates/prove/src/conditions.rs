//! The proof of the function that reads all conditions of the vectors that remain for a block.
//!
//! Its arguments are the last words of a schedule, and a word of vectors whose shared conditions hold. For each set
//! bit of that word it evaluates the other conditions of a vector, and sets the vector's bit in its result if all hold.
//! So it has a loop over the set bits.
//!
//! The loop is cut at the instruction that looks for the lowest set bit of the word of remaining vectors. There the
//! remaining vectors and the result so far become new symbols. Every position of the lowest bit is a case. From
//! it, each path must clear that bit, and set the vector's bit in the result if and only if all its conditions
//! hold, given that the shared ones do. A path may only leave the loop if no vector remains. It is also cut at branches
//! on whether vectors remain; if so, the path must lead to that instruction.

use std::collections::BTreeMap;

use lanesum_spec::sha1dc::suspects;

use super::Binary;
use super::call::{Blocks, Call, LAST_WORDS, Stride};
use super::contract::Contract;
use super::domain::{Bit, Domain, Nodes, Numbers};
use super::fault::Fault;
use super::induction::{InvariantCheck, Renamed};
use super::instruction::{Mnemonic, Operand};
use super::processor::Processor;
use super::run::Stop;
use super::screened::{MOST_PRODUCTS, last_words, of_block};
use super::truth::{BitValue, Equation, Truth, VectorConditions};
use super::value::{Byte, number};
use lanesum_graph::graph::{Graph, Id, Op};
use lanesum_graph::record::Recorder;

/// The number of vectors, one per bit of a word.
const VECTORS: usize = u32::BITS as usize;

/// The maximum number of paths of an iteration, and of branches of a path.
const MOST_PATHS: usize = 64;

/// The fault of a register that does not have the result.
const RESULT: &str = "its result is not proven";

/// The fault of code that tests other words.
const OTHER: &str = "it looks for vectors in another word";

/// The inputs of a proof.
struct ConditionInputs {
    /// The last words of the schedule, all conditions on them, and the shared ones.
    all: Vec<Id>,
    conditions: VectorConditions,
    shared: VectorConditions,
    /// The argument: the vectors.
    left: Id,
    /// The remaining vectors.
    rest: Id,
    /// The result so far.
    found: Id,
}

/// The state at a place where execution is cut: a branch on whether vectors remain, or the instruction that
/// looks for the lowest of them.
struct Cut {
    machine: Processor<Id>,
    /// Whether no vector remains.
    is_done: bool,
}

/// The facts at the beginning of a path.
#[derive(Clone, Copy)]
struct Start {
    is_begun: bool,
    is_done: bool,
    /// The lowest remaining vector, which the path handles.
    lowest: Option<usize>,
}

/// A path of an iteration.
struct Path {
    machine: Processor<Id>,
    /// The words on which it has branched, and whether each is zero.
    decided: Vec<(Id, bool)>,
    has_returned: bool,
}

impl Path {
    /// A path that begins with this machine.
    fn new(machine: Processor<Id>) -> Self {
        Self { machine, decided: Vec::new(), has_returned: false }
    }
}

/// The specification's word of vectors whose conditions a block fulfills.
fn fulfilled(graph: &mut Graph, block: &[Id]) -> Id {
    let recorder = Recorder::over(std::mem::replace(graph, Graph::new(u32::BITS)));
    let found = suspects(std::array::from_fn(|t| recorder.at::<u32, false>(block[t]))).id();
    *graph = recorder.finish();
    found
}

impl Binary<'_> {
    /// Proves the function for any schedule and any vectors.
    pub(super) fn prove_conditions(&self, nodes: &mut Nodes) -> Result<(), Fault> {
        nodes.graph.limit_products(MOST_PRODUCTS);
        let block = self.block.block.clone();
        let all = last_words(&mut nodes.graph, &block);
        let word = fulfilled(&mut nodes.graph, &block);
        let conditions = VectorConditions::new(nodes, &all, word);
        let shared = of_block(nodes, &block);
        let first = (self.block.state.len() + block.len()) as u32;
        let mut input = |i: u32| nodes.graph.node(Op::Input(first + i));
        let (left, rest, found) = (input(0), input(1), input(2));
        let words = ConditionInputs { all, conditions, shared, left, rest, found };
        let contract = self.contract_of_words();
        let call =
            Call { contract: &contract, ..self.call(Stride::Is(1), 0, &words.all, Blocks::Are(1)) };
        // The register with the result so far is unknown.
        let mut all = (0..16).map(|register| words.prove(nodes, &call, self.entry, register));
        let first = all.next().unwrap_or_else(|| Err(Fault::whole(RESULT.into())));
        match first {
            Err(fault) if fault.what == RESULT => all.find_map(Result::ok).ok_or(fault),
            found => found,
        }
    }

    /// Executes the function for these last words and vectors, and returns its result.
    pub(super) fn conditions_of(
        &self,
        words: &[u64],
        left: u32,
        mut seen: impl FnMut(u64),
    ) -> Result<u32, Fault> {
        let mut domain = Numbers { bits: u32::BITS };
        let contract = self.contract_of_words();
        let call =
            Call { contract: &contract, ..self.call(Stride::Is(1), 0, words, Blocks::Are(1)) };
        let mut machine = call.entry_state(self.entry, &[]);
        let second = call.convention().registers()[1];
        machine.general[second][..4].copy_from_slice(&left.to_le_bytes().map(Byte::Number));
        call.run(&mut domain, &mut machine, None, |at, _| seen(at))?;
        call.check_return(&mut domain, &machine, &[])?;
        let mut words = call.words(&mut domain);
        let found = words.value(&machine.general[0][..4]);
        let found = words.as_word(found).ok_or_else(|| Fault::whole(RESULT.into()))?;
        Ok(found as u32)
    }

    /// The function's contract: its message is the last words of a schedule.
    fn contract_of_words(&self) -> Contract {
        Contract { block_words: LAST_WORDS, big_endian: false, ..self.contract.clone() }
    }
}

impl ConditionInputs {
    fn prove(
        &self,
        nodes: &mut Nodes,
        call: &Call<'_, Id>,
        entry: u64,
        result: usize,
    ) -> Result<(), Fault> {
        let mut cuts: BTreeMap<u64, Cut> = BTreeMap::new();
        let mut todo = Vec::new();
        let mut machine = call.entry_state(entry, &[]);
        let second = call.convention().registers()[1];
        machine.general[second][..4].copy_from_slice(&[0, 1, 2, 3].map(|i| Byte::Of(self.left, i)));
        let begun = Path::new(machine);
        for path in paths(nodes, call, begun, &|_, _| false)? {
            let is_none = |&(word, zero): &(Id, bool)| zero && nodes.equal(word, self.left);
            let is_done = path.decided.iter().any(is_none);
            let start = Start { is_begun: false, is_done, lowest: None };
            let zero = nodes.constant(0);
            if self.result(nodes, call, &path, result).is_none_or(|word| !nodes.equal(word, zero)) {
                return Err(Fault::whole(RESULT.into()));
            }
            self.arrive(nodes, call, path, (start, result), &mut cuts, &mut todo)?;
        }
        while let Some(at) = todo.pop() {
            let &Cut { ref machine, is_done } = &cuts[&at];
            let head = machine.clone();
            if let (Some((target, _)), Some(word)) = (head.fork, head.tested) {
                let instruction = call.code.at(at)?;
                for zero in [true, false] {
                    let start = match zero {
                        true => Start { is_begun: false, is_done: true, lowest: None },
                        false => Start { is_begun: true, is_done, lowest: None },
                    };
                    let jumps = zero == (instruction.mnemonic == Mnemonic::Je);
                    let next = if jumps { target } else { instruction.next };
                    let machine = Processor { at: next, fork: None, tested: None, ..head.clone() };
                    let begun = Path { decided: vec![(word, zero)], ..Path::new(machine) };
                    let stop = |nodes: &Nodes, word| self.is_left(nodes, word, start);
                    for path in paths(nodes, call, begun, &stop)? {
                        let wrong = || Fault::whole(RESULT.into());
                        let word = self.result(nodes, call, &path, result).ok_or_else(wrong)?;
                        if !nodes.equal(word, self.found) {
                            return Err(wrong());
                        }
                        // Otherwise it could test the same vectors forever.
                        if !zero && path.machine.scanned.is_none() {
                            return Err(Fault::whole("it looks for no vector".into()));
                        }
                        self.arrive(nodes, call, path, (start, result), &mut cuts, &mut todo)?;
                    }
                }
                continue;
            }
            for p in 0..VECTORS {
                let start = Start { is_begun: true, is_done: p + 1 == VECTORS, lowest: Some(p) };
                let begun = Path::new(self.with_lowest(nodes, call, &head, p)?);
                let stop = |nodes: &Nodes, word| self.is_left(nodes, word, start);
                for path in paths(nodes, call, begun, &stop)? {
                    self.check(nodes, call, &path, result, p as u8)?;
                    self.arrive(nodes, call, path, (start, result), &mut cuts, &mut todo)?;
                }
            }
        }
        Ok(())
    }

    /// Whether a word has all vectors, or the remaining ones.
    fn is_left(&self, nodes: &Nodes, word: Id, start: Start) -> bool {
        nodes.equal(self.left, word) || self.is_remaining(nodes, word, start)
    }

    /// Whether a word has the remaining vectors, except the lowest if the path handles it.
    fn is_remaining(&self, nodes: &Nodes, word: Id, start: Start) -> bool {
        start.is_begun
            && match start.lowest {
                Some(p) => self.is_rest(nodes, word, p),
                None => nodes.equal(word, self.rest),
            }
    }

    /// The word in the register of the result, or at the end the returned one.
    fn result(
        &self,
        nodes: &mut Nodes,
        call: &Call<'_, Id>,
        path: &Path,
        register: usize,
    ) -> Option<Id> {
        let register = if path.has_returned { 0 } else { register };
        let mut words = call.words(nodes);
        let value = words.value(&path.machine.general[register][..4]);
        words.as_word(value)
    }

    /// Checks that a path adds vector `v` to the result if all its conditions hold, and nothing if one of them does
    /// not, given that its shared conditions hold.
    fn check(
        &self,
        nodes: &mut Nodes,
        call: &Call<'_, Id>,
        path: &Path,
        result: usize,
        v: u8,
    ) -> Result<(), Fault> {
        let word = self.result(nodes, call, path, result);
        let word = word.ok_or_else(|| Fault::whole(RESULT.into()))?;
        let of = |all: &VectorConditions| {
            Truth::new(nodes, &all.named).conditions(all.vectors[usize::from(v)])
        };
        let (all, shared) = (of(&self.conditions), of(&self.shared));
        // Whether this path, if these equations hold, adds `v` to the result, or nothing.
        let adds = |equations: &[Equation], is_found: bool| {
            let mut truth = Truth::new(nodes, &self.conditions.named);
            assume_path(&mut truth, &path.decided);
            shared.iter().chain(equations).for_each(|&equation| truth.assume(equation));
            truth.is_void
                || (0..u32::BITS as u8).all(|i| {
                    let wanted = match is_found && i == v {
                        true => BitValue::Is(true),
                        false => truth.bit(self.found, i),
                    };
                    truth.bit(word, i) == wanted
                })
        };
        let is_right =
            adds(&all, true) && all.iter().all(|&(word, i, is)| adds(&[(word, i, !is)], false));
        match is_right {
            true => Ok(()),
            false => Err(Fault::whole(format!("the conditions of vector {v} are not proven"))),
        }
    }

    /// Whether a word has the remaining vectors above bit p.
    fn is_rest(&self, nodes: &Nodes, word: Id, p: usize) -> bool {
        let mut truth = Truth::new(nodes, &self.conditions.named);
        (0..u32::BITS as u8).all(|i| {
            let wanted = match usize::from(i) > p {
                true => truth.bit(self.rest, i),
                false => BitValue::Is(false),
            };
            truth.bit(word, i) == wanted
        })
    }

    /// Executes the instruction at a cut if p is the lowest remaining vector.
    fn with_lowest(
        &self,
        nodes: &mut Nodes,
        call: &Call<'_, Id>,
        head: &Processor<Id>,
        p: usize,
    ) -> Result<Processor<Id>, Fault> {
        let instruction = call.code.at(head.at)?;
        let mut machine = head.clone();
        let bit = |i: usize| match i.cmp(&p) {
            std::cmp::Ordering::Less => Bit::Is(false),
            std::cmp::Ordering::Equal => Bit::Is(true),
            std::cmp::Ordering::Greater => Bit::Of(self.rest, i as u8),
        };
        let word = nodes.gathered(&(0..VECTORS).map(bit).collect::<Vec<_>>());
        for byte in machine.bytes_mut() {
            if let Byte::Of(old, i) = *byte
                && old == self.rest
            {
                *byte = match nodes.graph.op(word) {
                    Op::Const(k) => Byte::Number((k >> (8 * i)) as u8),
                    _ => Byte::Of(word, i),
                };
            }
        }
        machine.scanned = None;
        let to = &instruction.operands[0];
        let Operand::General(_, len) = to else {
            return Err(Fault::at(instruction, "unsupported instruction".into()));
        };
        let mut words = call.words(nodes);
        let written = call.write(&mut words, &mut machine, to, &number(p as u64, *len));
        // The register may be the stack pointer.
        let written = written.and_then(|()| call.forget_below(&mut machine));
        written.map_err(|what| Fault::at(instruction, what))?;
        machine.at = instruction.next;
        Ok(machine)
    }

    /// The end of a path: at a cut, whose state is weakened, or at the caller.
    fn arrive(
        &self,
        nodes: &mut Nodes,
        call: &Call<'_, Id>,
        path: Path,
        (start, result): (Start, usize),
        cuts: &mut BTreeMap<u64, Cut>,
        todo: &mut Vec<u64>,
    ) -> Result<(), Fault> {
        let Path { mut machine, decided, has_returned } = path;
        if has_returned {
            if !start.is_done {
                return Err(Fault::whole("it skips vectors".into()));
            }
            return call.check_return(nodes, &machine, &[]);
        }
        let (at, scanned) = (machine.at, machine.scanned);
        let other = || Fault::whole(OTHER.into());
        let word = scanned.or(machine.tested).ok_or_else(other)?;
        let is_all = nodes.equal(self.left, word);
        match is_all {
            false if self.is_remaining(nodes, word, start) => {}
            true if start.is_begun && !start.is_done => {
                return Err(Fault::whole("it skips remaining vectors".into()));
            }
            true if !start.is_done && scanned.is_some() => {}
            _ => return Err(other()),
        }
        if scanned.is_some() {
            // All cuts that look for a vector are one.
            let is_same =
                |(place, cut): (&u64, &Cut)| (*place == at) == cut.machine.scanned.is_some();
            if !cuts.iter().all(is_same) {
                return Err(other());
            }
            let is_some = |&(known, zero): &(Id, bool)| !zero && nodes.equal(known, word);
            if !decided.iter().any(is_some) {
                return Err(Fault::whole("it looks for a bit of zero".into()));
            }
        }
        // Only the arguments, the remaining vectors and the result so far are known.
        for byte in machine.bytes_mut() {
            if let Byte::Of(old, i) = *byte {
                *byte = match old {
                    _ if nodes.equal(old, word) => Byte::Of(self.rest, i),
                    _ if self.left == old || self.all.contains(&old) => Byte::Of(old, i),
                    _ => Byte::Unknown,
                };
            }
        }
        for (i, byte) in machine.general[result][..4].iter_mut().enumerate() {
            *byte = Byte::Of(self.found, i as u8);
        }
        (machine.flags, machine.compared) = Default::default();
        machine.tested = if scanned.is_some() { None } else { Some(self.rest) };
        let Some(cut) = cuts.get_mut(&at) else {
            cuts.insert(at, Cut { machine, is_done: start.is_done });
            todo.push(at);
            return Ok(());
        };
        if (cut.machine.tested, cut.machine.fork) != (machine.tested, machine.fork) {
            return Err(other());
        }
        // The arguments and the remaining vectors are the same symbols.
        let renamed =
            &mut Renamed::new([self.left, self.rest].map(|word| (word, word)).into_iter());
        let mut check = InvariantCheck { nodes, renamed, step: 1, open: false };
        let changed = check.weaken(&mut cut.machine, &machine)?;
        if changed || cut.is_done && !start.is_done {
            cut.is_done &= start.is_done;
            if !todo.contains(&at) {
                todo.push(at);
            }
        }
        Ok(())
    }
}

/// Executes all paths to the caller, to an instruction that looks for a bit, or to a branch on a word for which `stops`
/// is true.
fn paths(
    nodes: &mut Nodes,
    call: &Call<'_, Id>,
    begun: Path,
    stops: &dyn Fn(&Nodes, Id) -> bool,
) -> Result<Vec<Path>, Fault> {
    let (mut ended, mut waiting) = (Vec::new(), vec![begun]);
    while let Some(mut path) = waiting.pop() {
        let machine = &mut path.machine;
        let stop = call.run_to_fork(nodes, machine, None, |_, _| ())?;
        let is_end =
            machine.scanned.is_some() || machine.tested.is_some_and(|word| stops(nodes, word));
        if stop != Stop::Forked || is_end {
            ended.push(Path { has_returned: stop == Stop::Returned, ..path });
            continue;
        }
        let instruction = call.code.at(machine.at)?;
        let unknown = || Fault::at(instruction, "the branch target is unknown".into());
        let (target, _) = machine.fork.take().ok_or_else(unknown)?;
        let word = machine.tested.ok_or_else(unknown)?;
        let same = path.decided.iter().find(|(known, _)| nodes.equal(*known, word));
        let known = same.map(|&(_, zero)| zero);
        for zero in
            [true, false].into_iter().filter(|zero| known.is_none_or(|known| known == *zero))
        {
            let jumps = zero == (instruction.mnemonic == Mnemonic::Je);
            let at = if jumps { target } else { instruction.next };
            let decided = [&path.decided[..], &[(word, zero)]].concat();
            let other = Path {
                machine: Processor { at, ..path.machine.clone() },
                decided,
                has_returned: false,
            };
            waiting.push(other);
        }
        if path.decided.len().max(ended.len() + waiting.len()) > MOST_PATHS {
            return Err(Fault::whole("it has too many paths or branches".into()));
        }
    }
    Ok(ended)
}

/// Assumes the branches of a path.
fn assume_path(truth: &mut Truth<'_>, decided: &[(Id, bool)]) {
    for &(word, zero) in decided {
        let bits = 0..u32::BITS as u8;
        let open = bits.filter(|&i| truth.bit(word, i) != BitValue::Is(false)).collect::<Vec<u8>>();
        match open[..] {
            _ if zero => open.into_iter().for_each(|i| truth.assume((word, i, false))),
            [only] => truth.assume((word, only, true)),
            // One of several bits is set.
            _ => {}
        }
    }
}
