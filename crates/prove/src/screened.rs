//! The proof of functions that look for blocks of collision attacks on SHA-1.
//!
//! Such a function branches on bits of a block: whether it fulfills the conditions of a disturbance vector. The
//! proof executes both paths of such a branch. On each of them it must show whether the block fulfills the
//! conditions of any vector.
//!
//! The specification of the conditions is `lanesum_spec::sha1dc::suspects`, recorded as a word of the graph.
//! For each vector, the proof assumes that its conditions hold, and derives that a tested word is not zero. If
//! that word is zero, no vector's conditions hold.

use lanesum_spec::sha1dc::{VECTORS, WORDS, fulfilled, suspects, suspects_of};

use super::call::{Blocks, Call, Left, Report, Stride, TRACE};
use super::domain::{Domain, Nodes, Numbers};
use super::fault::Fault;
use super::instruction::Mnemonic;
use super::processor::Processor;
use super::random;
use super::run::Stop;
use super::truth::{BitValue, Equation, Truth};
use super::value::Byte;
use super::{Binary, Task};
use lanesum_graph::eval::eval;
use lanesum_graph::graph::{Graph, Id, Op};
use lanesum_graph::record::Recorder;

/// The number of the last words of a schedule, from W_67 down.
pub(super) const LAST_WORDS: usize = 36;

/// The path of the function that reads all conditions of a block.
pub(super) const READ: &str = "lanesum_spec::sha1dc::read";

/// The maximum number of paths of an iteration.
const MOST_PATHS: usize = 64;

/// The maximum number of products of a polynomial. The products of conditions are opaque words.
pub(super) const MOST_PRODUCTS: usize = 64;

/// The fault of a wrong report.
const NOT_PROVEN: &str = "the conditions that a block fulfills are not proven";

/// A path of an iteration.
pub(super) struct Path {
    pub(super) machine: Processor<Id>,
    /// The words on which it has branched, and whether each is zero.
    pub(super) decided: Vec<(Id, bool)>,
    pub(super) has_returned: bool,
}

impl Path {
    /// A path that begins with this machine.
    pub(super) fn new(machine: Processor<Id>) -> Self {
        Self { machine, decided: Vec::new(), has_returned: false }
    }
}

/// The result of a path for a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlockResult {
    /// It fulfills no vector's conditions.
    Passed,
    /// It fulfills some vector's conditions.
    Suspect,
}

/// The last words of a block's schedule, in reverse order.
fn last_words(graph: &mut Graph, block: &[Id]) -> Vec<Id> {
    let recorder = Recorder::over(std::mem::replace(graph, Graph::new(u32::BITS)));
    let mut words: Vec<_> = block[..16].iter().map(|&id| recorder.at::<u32, false>(id)).collect();
    for t in 16..32 + LAST_WORDS {
        let back = |n: usize| words[t - n];
        words.push(lanesum_spec::sha1::schedule(back(16), back(14), back(8), back(3)));
    }
    let last = words.iter().rev().take(LAST_WORDS).map(|word| word.id()).collect();
    *graph = recorder.finish();
    last
}

/// The last words of a block's schedule, and the specification's word of vectors whose conditions it fulfills.
pub(super) fn specified(graph: &mut Graph, block: &[Id]) -> (Vec<Id>, Id) {
    let last = last_words(graph, block);
    let recorder = Recorder::over(std::mem::replace(graph, Graph::new(u32::BITS)));
    let found = suspects(std::array::from_fn(|t| recorder.at::<u32, false>(block[t]))).id();
    *graph = recorder.finish();
    (last, found)
}

/// The specification's word of vectors whose conditions a schedule with these last words fulfills.
fn fulfilled_by(graph: &mut Graph, last: &[Id]) -> Id {
    let recorder = Recorder::over(std::mem::replace(graph, Graph::new(u32::BITS)));
    let word = |t: usize| recorder.at::<u32, false>(last[31 + LAST_WORDS - t.max(32)]);
    let found = fulfilled(&std::array::from_fn::<_, WORDS, _>(word)).id();
    *graph = recorder.finish();
    found
}

/// For each vector the equation that holds if a block fulfills its conditions.
pub(super) fn each_vector(nodes: &Nodes, named: &[u32], suspects: Id) -> Vec<Equation> {
    let mut truth = Truth::new(nodes, named);
    (0..VECTORS.len() as u8).map(|vector| truth.origin((suspects, vector, true))).collect()
}

/// The bytes of a block.
fn bytes_of(words: &[u64]) -> [u8; 64] {
    std::array::from_fn(|i| (words[i / 4] as u32).to_be_bytes()[i % 4])
}

impl Binary<'_> {
    /// Random blocks on which a loop over blocks does not end early.
    pub(super) fn some_blocks_of(
        &self,
        count: usize,
        random: &mut impl FnMut() -> u64,
    ) -> Vec<u64> {
        let words = self.contract.block_words;
        let mut block = || loop {
            let block: Vec<u64> = (0..words).map(|_| random()).collect();
            if !self.contract.screens || suspects_of(&bytes_of(&block)) == 0 {
                return block;
            }
        };
        (0..count).flat_map(|_| block()).collect()
    }

    /// The separately proven function that reads all conditions, for the first block of `message`.
    pub(super) fn report(&self, nodes: &mut Nodes, message: &[Id]) -> Result<Report<Id>, Fault> {
        nodes.graph.limit_products(MOST_PRODUCTS);
        let (words, suspects) = specified(&mut nodes.graph, message);
        let mut found = self.image.named(READ);
        let vectors = each_vector(nodes, &named_words(nodes, &words), suspects);
        // Lane kernels evaluate all conditions themselves.
        let (entry, numbers) = match (found.next(), found.next()) {
            (Some(read), None) if self.code.is_function(read.address) => {
                (read.address, self.prove_conditions(read)?)
            }
            _ => (0, [None; VECTORS.len()]),
        };
        Ok(Report { entry, words, suspects, vectors, numbers })
    }

    /// Executes all paths of an iteration. Each must write the conditions that the block fulfills, and end at the
    /// loop header or return.
    pub(super) fn screened_turn(
        &self,
        nodes: &mut Nodes,
        call: &Call<'_, Id>,
        machine: Processor<Id>,
        (head, left): (u64, Left),
        expected: &[Vec<Id>],
    ) -> Result<Vec<Processor<Id>>, Fault> {
        let report = call.report.as_ref();
        let report = report.ok_or_else(|| Fault::whole("no conditions are read".into()))?;
        let mut heads = Vec::new();
        for path in paths(nodes, call, Path::new(machine), Some(head), &|_, _| false)? {
            if path.machine.scanned.is_some() {
                return Err(Fault::whole("it looks for a bit of a message".into()));
            }
            check_row(nodes, call, report, &path)?;
            let Path { mut machine, has_returned, .. } = path;
            (machine.left, machine.out) = (None, call.out());
            if !has_returned {
                heads.push(machine);
                continue;
            }
            if left != Left::Exactly(1) {
                return Err(Fault::whole("it skips blocks".into()));
            }
            call.check_return(nodes, &machine, &expected[1])?;
        }
        Ok(heads)
    }

    /// Executes the function on concrete values. This finds counterexamples but proves nothing.
    pub(super) fn refute_screened(&self) -> Result<(), Fault> {
        let mut random = random(self.kernel.family.word_bits());
        for i in 0..24 {
            let mut message = self.some_blocks_of(i % 4, &mut random);
            if i >= 12 {
                // Most single blocks pass, few do not.
                message.extend((0..16).map(|_| random()));
                while i >= 18 && suspects_of(&bytes_of(&message[16 * (i % 4)..])) == 0 {
                    message.truncate(16 * (i % 4));
                    message.extend((0..16).map(|_| random()));
                }
                message.extend(self.some_blocks_of(i % 2, &mut random));
            }
            match self.kernel.task {
                Task::Suspects => self.refute_suspects(i, &message)?,
                _ => self.refute_screen(i, &message)?,
            }
        }
        Ok(())
    }

    /// Screens blocks in one lane on concrete values.
    fn refute_screen(&self, i: usize, message: &[u64]) -> Result<(), Fault> {
        let mut domain = Numbers { bits: u32::BITS };
        let lane = (i * 5 + self.kernel.lanes - 1) % self.kernel.lanes;
        let blocks = Blocks::Are(message.len() / 16);
        let call = self.call(Stride::Is(self.kernel.lanes), lane, message, blocks);
        let mut machine = call.entry_state(self.entry, &[]);
        call.run(&mut domain, &mut machine, None, |_, _| ())?;
        call.check_return(&mut domain, &machine, &[])?;
        for (row, words) in machine.out.chunks_exact(call.row_len()).zip(message.chunks_exact(16)) {
            let mut all = call.words(&mut domain);
            let found = all.value(&row[4 * lane..][..4]);
            if all.as_word(found) != Some(suspects_of(&bytes_of(words)).into()) {
                return Err(Fault::whole(NOT_PROVEN.into()));
            }
        }
        Ok(())
    }

    /// Executes the function on concrete values, and calls `seen` with the address of each instruction.
    pub(super) fn trace_screened(&self, mut seen: impl FnMut(u64)) -> Result<(), Fault> {
        let bits = self.kernel.family.word_bits();
        let (mut random, mut domain) = (random(bits), Numbers { bits });
        if self.kernel.task == Task::Suspects {
            let words: Vec<u64> = (0..LAST_WORDS).map(|_| random()).collect();
            let places = (0, self.kernel.lanes);
            return self.suspects_of(&mut domain, places, &words, seen).map(|_| ());
        }
        for blocks in [0, 2, 1].into_iter().chain([1; 64]) {
            let message: Vec<u64> = (0..16 * blocks).map(|_| random()).collect();
            let stride = Stride::Is(self.kernel.lanes);
            let call = self.call(stride, 0, &message, Blocks::Are(blocks));
            let mut machine = call.entry_state(self.entry, &[]);
            call.run(&mut domain, &mut machine, None, |at, _| seen(at))?;
        }
        Ok(())
    }

    /// Executes the function for `count` traces, and returns the vectors that it writes for that of one lane. The
    /// others are unknown.
    fn suspects_of<D: Domain>(
        &self,
        domain: &mut D,
        (lane, count): (usize, usize),
        words: &[D::Word],
        mut seen: impl FnMut(u64),
    ) -> Result<D::Word, Fault> {
        let word_len = self.contract.word_len;
        let byte = |i: usize| match words.get(i / word_len) {
            Some(&word) => Byte::Of(word, (i % word_len) as u8),
            None => Byte::Unknown,
        };
        let len = TRACE * word_len;
        let given = (0..count * len).map(|i| match i / len == lane {
            true => byte(i % len),
            false => Byte::Unknown,
        });
        let call = Call {
            link: given.collect(),
            ..self.call(Stride::Is(self.kernel.lanes), lane, &[], Blocks::Are(1))
        };
        let mut machine = call.entry_state(self.entry, &[]);
        call.run(domain, &mut machine, None, |at, _| seen(at))?;
        call.check_return(domain, &machine, &[])?;
        let mut all = call.words(domain);
        let found = all.value(&machine.out[word_len * lane..][..word_len]);
        all.as_word(found).ok_or_else(|| Fault::whole(NOT_PROVEN.into()))
    }

    /// Proves for one lane, and any number of traces, that the function reports every vector whose conditions the
    /// lane's block fulfills.
    pub(super) fn prove_suspects(&self, nodes: &mut Nodes, lane: usize) -> Result<(), Fault> {
        nodes.graph.limit_products(MOST_PRODUCTS);
        let first = self.block.state.len() + self.block.block.len();
        let inputs = (first as u32..).map(Op::Input).take(LAST_WORDS);
        let words: Vec<Id> = inputs.map(|input| nodes.graph.node(input)).collect();
        let suspects = fulfilled_by(&mut nodes.graph, &words);
        let named = named_words(nodes, &words);
        let vectors = each_vector(nodes, &named, suspects);
        for count in lane + 1..=self.kernel.lanes {
            let found = self.suspects_of(nodes, (lane, count), &words, |_| ())?;
            let is_reported = (0..).zip(&vectors).all(|(vector, &holds)| {
                let mut truth = Truth::new(nodes, &named);
                truth.assume(holds);
                truth.is_void || truth.holds((found, vector, true)) == Some(true)
            });
            if !is_reported {
                return Err(Fault::whole(NOT_PROVEN.into()));
            }
        }
        Ok(())
    }

    /// Compares the vectors that the function reports on concrete values.
    fn refute_suspects(&self, i: usize, message: &[u64]) -> Result<(), Fault> {
        let mut domain = Numbers { bits: u32::BITS };
        let lane = (i * 5 + self.kernel.lanes - 1) % self.kernel.lanes;
        let mut graph = Graph::new(u32::BITS);
        let inputs: Vec<Id> = (0..16).map(|i| graph.node(Op::Input(i))).collect();
        let last = last_words(&mut graph, &inputs);
        for block in message.chunks_exact(16) {
            let values = eval(&graph, block);
            let words: Vec<u64> = last.iter().map(|id| values[id.index()]).collect();
            let places = (lane, lane + 1 + i % (self.kernel.lanes - lane));
            let found = self.suspects_of(&mut domain, places, &words, |_| ())?;
            let wanted = u64::from(suspects_of(&bytes_of(block)));
            if found & wanted != wanted {
                return Err(Fault::whole(NOT_PROVEN.into()));
            }
        }
        Ok(())
    }

    /// The words of the trace of the block with these words, given the chaining value after it.
    pub(super) fn trace_of(&self, graph: &mut Graph, block: &[Id], after: &[Id]) -> Vec<Id> {
        let last = last_words(graph, block);
        let zero = graph.node(Op::Const(0));
        let [a, b, c, d, e] = after[..] else { unreachable!("the words of SHA-1") };
        [last, vec![d, c, b, a, zero, zero, zero, e]].concat()
    }

    /// Checks the trace of the current block, and forgets it.
    pub(super) fn check_trace<D: Domain>(
        call: &Call<'_, D::Word>,
        domain: &mut D,
        machine: &mut Processor<D::Word>,
    ) -> Result<(), Fault> {
        let mut words = call.words(domain);
        for (i, (bytes, &wanted)) in
            machine.out.chunks_exact(words.len).zip(&call.trace).enumerate()
        {
            let found = words.value(bytes);
            if !words.as_word(found).is_some_and(|found| words.domain.equal(found, wanted)) {
                return Err(Fault::whole(format!("word {i} of the trace is not proven")));
            }
        }
        machine.out = call.out();
        Ok(())
    }
}

/// Executes all paths to the address `head`, to the caller, to an instruction that looks for a bit, or to a
/// branch on a word for which `stops` is true.
pub(super) fn paths(
    nodes: &mut Nodes,
    call: &Call<'_, Id>,
    begun: Path,
    head: Option<u64>,
    stops: &dyn Fn(&Nodes, Id) -> bool,
) -> Result<Vec<Path>, Fault> {
    let (mut ended, mut waiting) = (Vec::new(), vec![begun]);
    while let Some(mut path) = waiting.pop() {
        let machine = &mut path.machine;
        let stop = call.run_to_fork(nodes, machine, head, |_, _| ())?;
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
            if Some(at) == head { ended.push(other) } else { waiting.push(other) }
        }
        if ended.len() + waiting.len() > MOST_PATHS {
            return Err(Fault::whole("it has too many paths".into()));
        }
    }
    Ok(ended)
}

/// The normal forms of a schedule, in order.
pub(super) fn named_words(nodes: &Nodes, words: &[Id]) -> Vec<u32> {
    let mut all: Vec<u32> = words.iter().map(|&word| nodes.graph.value(word).number()).collect();
    all.sort_unstable();
    all
}

/// Assumes the branches of a path.
pub(super) fn assume_path(truth: &mut Truth<'_>, decided: &[(Id, bool)]) {
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

/// The result of a path for the current block.
fn verdict(nodes: &mut Nodes, report: &Report<Id>, path: &Path) -> Result<BlockResult, Fault> {
    let named = named_words(nodes, &report.words);
    // The callee's result includes every vector only if its argument includes each vector that may hold.
    if let Some(left) = path.machine.left
        && !covers_read(nodes, report, &named, left)
    {
        return Err(Fault::whole("it does not read the conditions of some vector".into()));
    }
    for &(word, zero) in &path.decided {
        if path.machine.left.is_some() && nodes.equal(word, report.suspects) {
            return Ok(if zero { BlockResult::Passed } else { BlockResult::Suspect });
        }
        if zero && covers(nodes, report, &named, &[word]) {
            return Ok(BlockResult::Passed);
        }
    }
    Err(Fault::whole("it does not decide whether a block may belong to an attack".into()))
}

/// Whether a bit of one of `words` is set if all conditions of any vector hold.
fn covers(nodes: &mut Nodes, report: &Report<Id>, named: &[u32], words: &[Id]) -> bool {
    let key = [&[report.suspects], words].concat();
    if let Some(&known) = nodes.covered.get(&key) {
        return known;
    }
    let is_covered = report.vectors.iter().all(|&holds| {
        let mut truth = Truth::new(nodes, named);
        truth.assume(holds);
        let mut bits = words.iter().flat_map(|&word| (0..32).map(move |i| (word, i)));
        truth.is_void || bits.any(|(word, i)| truth.bit(word, i) == BitValue::Is(true))
    });
    nodes.covered.insert(key, is_covered);
    is_covered
}

/// Whether the callee reads the conditions of each vector that a block may belong to: the bit of that vector
/// is set if all its conditions hold.
fn covers_read(nodes: &Nodes, report: &Report<Id>, named: &[u32], left: Id) -> bool {
    (0..).zip(&report.vectors).all(|(vector, &holds)| {
        let mut truth = Truth::new(nodes, named);
        truth.assume(holds);
        let mut places = (0..).zip(&report.numbers).filter(|(_, number)| **number == Some(vector));
        truth.is_void || places.any(|(i, _)| truth.bit(left, i) == BitValue::Is(true))
    })
}

/// Checks that the lane's word for the current block has the vectors whose conditions the block fulfills.
fn check_row(
    nodes: &mut Nodes,
    call: &Call<'_, Id>,
    report: &Report<Id>,
    path: &Path,
) -> Result<(), Fault> {
    let wrong = || Fault::whole(NOT_PROVEN.into());
    let mut words = call.words(nodes);
    let len = words.len;
    let found = words.value(&path.machine.out[len * call.lane..][..len]);
    let found = words.as_word(found).ok_or_else(wrong)?;
    let named = named_words(nodes, &report.words);
    if let Some(left) = path.machine.left {
        let is = nodes.equal(found, report.suspects) && covers_read(nodes, report, &named, left);
        return if is { Ok(()) } else { Err(wrong()) };
    }
    let zero = nodes.constant(0);
    if nodes.equal(found, zero) {
        let is_passed = verdict(nodes, report, path)? == BlockResult::Passed;
        return if is_passed { Ok(()) } else { Err(wrong()) };
    }
    let key = vec![report.suspects, zero, found];
    let is = match nodes.covered.get(&key) {
        Some(&known) => known,
        None => is_specified(nodes, report, &named, found),
    };
    nodes.covered.insert(key, is);
    if is { Ok(()) } else { Err(wrong()) }
}

/// Whether each bit of a word is set if all conditions of its vector hold, and not if one of them does not.
fn is_specified(nodes: &Nodes, report: &Report<Id>, named: &[u32], word: Id) -> bool {
    (0..).zip(&report.vectors).all(|(vector, &holds)| {
        let bit = |equation: Equation| {
            let mut truth = Truth::new(nodes, named);
            truth.assume(equation);
            if truth.is_void { None } else { truth.holds((word, vector, true)) }
        };
        let each = Truth::new(nodes, named).conditions(holds);
        bit(holds) == Some(true)
            && each.into_iter().all(|(word, i, is)| bit((word, i, !is)) == Some(false))
    })
}
