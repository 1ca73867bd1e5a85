//! The control logic around the datapath: handshakes, counter, stages.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};

use crate::datapath::{CoreFrame, Key, Sequencer, Stage, Unavailable};
use crate::netlist::{Gate, Netlist, Signal};
use crate::options::WordOrder;

/// A core with its timing.
#[derive(Clone, Debug)]
pub(crate) struct Built {
    pub netlist: Netlist,
    /// Cycles between the starts of two blocks of independent messages.
    pub interval: usize,
    /// Cycles between the starts of two blocks if each needs the previous chaining value.
    pub latency: usize,
    /// Maximum number of blocks that wait at the output.
    pub buffer: usize,
    /// The register contents in each cycle, for cores with one set of registers.
    pub ledger: Option<Ledger>,
}

/// Register contents cycle by cycle, for proofs. Cycle 0 follows the load of a block.
#[derive(Clone, Debug)]
pub(crate) struct Ledger {
    /// The round at which cycle 0 begins.
    pub first: isize,
    /// The cycle in which the value is computed.
    pub clocks: usize,
    /// Whether that cycle also outputs the value and accepts the next block.
    pub overlap: bool,
    /// Data registers, with the cycles in which their contents are read.
    pub words: Vec<(String, Key, BTreeSet<usize>)>,
    /// Registers with a fixed value in each cycle before the last.
    pub sequences: Vec<(String, Vec<u64>)>,
}

/// Replaces each arbitrary value by the previous one, to minimize changes.
fn filled(values: &[Option<u64>]) -> Vec<u64> {
    let mut last = values.iter().flatten().next().copied().unwrap_or(0);
    values
        .iter()
        .map(|value| {
            last = value.unwrap_or(last);
            last
        })
        .collect()
}

/// Registered signals that depend on the cycle of the block, computed one cycle ahead.
pub(super) struct Ahead {
    /// The counter; it indexes the table of the next cycle's values.
    count: Option<Signal>,
    /// Whether the next cycle processes a block; without one, the signals are zero. `None`: the
    /// counter stops between blocks, so that the signals do not change.
    active: Option<Signal>,
    /// The cycle of the stage that follows each count.
    leads_to: Vec<Option<usize>>,
    /// Whether the next cycle of the block is this one again.
    pub hold: Option<Signal>,
    known: HashMap<(Vec<u64>, u32), Signal>,
    used: HashMap<String, usize>,
    /// The registers created so far, and their value in each cycle.
    pub made: Vec<(String, Vec<u64>)>,
}

impl Ahead {
    pub(super) fn new(
        count: Option<Signal>,
        active: Option<Signal>,
        leads_to: Vec<Option<usize>>,
    ) -> Self {
        let (known, used, made) = (HashMap::new(), HashMap::new(), Vec::new());
        Self { count, active, leads_to, hold: None, known, used, made }
    }
}

impl Sequencer for Ahead {
    fn sequence(
        &mut self,
        netlist: &mut Netlist,
        name: &str,
        comment: &str,
        values: &[Option<u64>],
        width: u32,
    ) -> Signal {
        let first = filled(values).first().copied().unwrap_or(0);
        let after: Vec<Option<u64>> =
            self.leads_to.iter().map(|k| k.and_then(|k| values[k])).collect();
        let table = filled(&after);
        let same = filled(values).iter().all(|&v| v == first);
        let (Some(count), false) = (self.count, same) else {
            return netlist.word(first, width);
        };
        let key = (table, width);
        if let Some(&signal) = self.known.get(&key) {
            return signal;
        }
        let mut next = netlist.table(count, &key.0, width);
        netlist.name(next, &format!("{name}_next"));
        if let Some(active) = self.active {
            next = netlist.gate(Gate::Mask(active, next), width);
        }
        let number = self.used.entry(name.to_owned()).or_default();
        let full = if *number == 0 { name.to_owned() } else { format!("{name}_{number}") };
        *number += 1;
        self.made.push((full.clone(), key.0.clone()));
        let register = netlist.register(full, width, None);
        netlist.describe(register, comment);
        let signal = netlist.q(register);
        if let Some(hold) = self.hold {
            next = netlist.select(hold, signal, next);
        }
        netlist.drive(register, next);
        self.known.insert(key, signal);
        signal
    }
}

/// The number of bits that can represent `most`.
pub(super) fn bits_for(most: usize) -> u32 {
    (usize::BITS - most.leading_zeros()).max(1)
}

/// The registers that a stage needs at its load and later.
pub(super) struct Needs {
    pub at_load: BTreeSet<Key>,
    pub later: BTreeSet<Key>,
    pub next: HashMap<Key, Option<Signal>>,
    /// The registers read in each cycle, including the one after the last.
    wanted: Vec<BTreeSet<Key>>,
}

/// Liveness analysis: the registers that are needed, from the end of the stage backwards. With
/// `holds`, the stage itself holds the values of `end`.
pub(super) fn needs(
    stage: &mut Stage<'_, '_>,
    clocks: usize,
    end: &BTreeSet<Key>,
    holds: bool,
) -> Result<Needs, Unavailable> {
    let mut next: HashMap<Key, Option<Signal>> = HashMap::new();
    let mut reads: HashMap<Key, BTreeSet<Key>> = HashMap::new();
    let mut wanted = end.clone();
    let mut each = vec![end.clone()];
    let mut later = BTreeSet::new();
    for k in (0..clocks).rev() {
        if holds || k + 1 < clocks {
            later.extend(wanted.iter().copied());
        }
        let mut before = BTreeSet::new();
        for &key in &wanted {
            if let Entry::Vacant(entry) = next.entry(key) {
                let signal = stage.next(key)?;
                entry.insert(signal);
                reads.insert(key, signal.map(|s| stage.reads(s)).unwrap_or_default());
            }
            before.extend(reads[&key].iter().copied());
        }
        each.push(before.clone());
        wanted = before;
    }
    each.reverse();
    Ok(Needs { at_load: wanted, later, next, wanted: each })
}

/// The state's words after the last round, at boundary `end`, and the chaining value's words.
pub(super) fn result_keys(frame: &CoreFrame<'_>, end: isize) -> Vec<(Key, u32, Key)> {
    let recurrence = frame.recurrence;
    recurrence
        .state
        .iter()
        .enumerate()
        .map(|(i, word)| {
            let newest = end - frame.placement.skew[word.sequence];
            let back = newest - (recurrence.rounds as isize - word.back);
            let back = usize::try_from(back).expect("the last word is known");
            (Key::Word(word.sequence, back), word.rotation, Key::Chain(i))
        })
        .collect()
}

pub(super) fn add_chain(
    stage: &mut Stage<'_, '_>,
    frame: &CoreFrame<'_>,
    results: &[(Key, u32, Key)],
) -> Vec<Signal> {
    let width = frame.recurrence.graph.width();
    results
        .iter()
        .enumerate()
        .map(|(i, &(word, rotation, chain))| {
            let word = stage.q(word);
            let rotated = stage.netlist.gate(Gate::Rotr(word, rotation), width);
            let chain = stage.q(chain);
            let sum = stage.netlist.gate(Gate::Add(chain, rotated), width);
            stage.netlist.name(sum, &format!("sum{i}"));
            sum
        })
        .collect()
}

/// The ports that every core has, in order. The block of a core for a stream is one word.
pub(super) struct Ports {
    pub valid: Signal,
    pub block: Vec<Signal>,
    pub state: Vec<Signal>,
}

pub(super) fn ports(netlist: &mut Netlist, frame: &CoreFrame<'_>) -> Ports {
    let family = frame.recurrence.family;
    let width = family.word_bits();
    let words = family.state_words();
    let [block, state] = match frame.options.word_order {
        WordOrder::LowFirst => {
            ["W_15 ... W_0, from the highest bits", "the chaining value, a in the lowest bits"]
        }
        WordOrder::HighFirst => {
            ["W_0 ... W_15, from the highest bits", "the chaining value, a in the highest bits"]
        }
    };
    let (valid, block) = if frame.options.stream {
        let valid = netlist.input("word_valid_i", 1, 1, "a word of a message");
        (valid, netlist.input("word_i", width, 1, "the next word of a block, from W_0 to W_15"))
    } else {
        let comment = "a block, and the value to extend by it";
        let valid = netlist.input("block_valid_i", 1, 1, comment);
        (valid, frame.options.word_order.arrange(netlist.input("block_i", width, 16, block)))
    };
    let state = frame.options.word_order.arrange(netlist.input("state_i", width, words, state));
    Ports { valid: valid[0], block, state }
}

/// Cycles after the last round until every sequence is complete.
pub(super) fn epilogue(frame: &CoreFrame<'_>) -> usize {
    let schedule = frame.recurrence.schedule();
    let late = frame.placement.skew[..schedule].iter().copied().max().unwrap_or(0);
    (late as usize).div_ceil(frame.options.unfold)
}

/// Adds a register with a reset value.
pub(super) fn control_register(
    netlist: &mut Netlist,
    name: &str,
    width: u32,
    reset: u64,
    comment: &str,
) -> usize {
    let register = netlist.register(name.to_owned(), width, Some(reset));
    netlist.describe(register, comment);
    register
}

/// The control registers of a core with one set of registers, and their signals.
struct BlockControl {
    /// A block is accepted.
    take: Signal,
    /// This cycle computes rounds.
    run: Signal,
    /// The value is complete, but the output register still holds an earlier one.
    stall: Signal,
    /// The value moves to the output register.
    give: Signal,
    /// The output register keeps its value.
    keep: Signal,
    held: Signal,
    /// A block is processed, or a value is in the core.
    busy: Signal,
    count: Signal,
    ready: Signal,
}

fn control(netlist: &mut Netlist, clocks: usize, valid: Signal, overlap: bool) -> BlockControl {
    let taken = netlist.input("state_ready_i", 1, 1, "the value is taken")[0];
    let width = bits_for(clocks);
    let [ready, run, finish, held] = [
        ("ready", "a block can be accepted"),
        ("run", "a block is processed"),
        ("finish", "its last state is known"),
        ("held", "the output register has a value"),
    ]
    .map(|(name, comment)| control_register(netlist, name, 1, 0, comment));
    let count = control_register(netlist, "count", width, 0, "the cycle after this one");
    let [ready_q, run_q, finish_q, held_q, count_q] =
        [ready, run, finish, held, count].map(|r| netlist.q(r));

    let take = netlist.and(valid, ready_q);
    netlist.name(take, "take");
    let stall = netlist.and(finish_q, held_q);
    netlist.name(stall, "stall");
    let give = {
        let free = netlist.not(held_q);
        netlist.and(finish_q, free)
    };
    netlist.name(give, "give");
    let keep = {
        let not_taken = netlist.not(taken);
        netlist.and(held_q, not_taken)
    };
    netlist.name(keep, "keep");
    let last = netlist.equals(count_q, clocks as u64);
    netlist.name(last, "last");
    let run_next = {
        let not_last = netlist.not(last);
        let goes_on = netlist.and(run_q, not_last);
        netlist.or(take, goes_on)
    };
    netlist.name(run_next, "run_next");
    let finish_next = {
        let ends = netlist.and(run_q, last);
        netlist.or(ends, stall)
    };
    netlist.name(finish_next, "finish_next");
    let held_next = netlist.or(give, keep);
    netlist.name(held_next, "held_next");
    // While no block is processed, the counter stays at the cycle before a block's first, so that
    // the constants of the first cycle are ready.
    let more = netlist.gate(Gate::Increment(count_q), width);
    let count_next = netlist.gate(Gate::Mask(run_next, more), width);
    let ready_next = {
        let blocked = if overlap { netlist.and(finish_next, held_next) } else { finish_next };
        let not_ready = netlist.or(run_next, blocked);
        netlist.not(not_ready)
    };
    netlist.drive(ready, ready_next);
    netlist.drive(run, run_next);
    netlist.drive(finish, finish_next);
    netlist.drive(held, held_next);
    netlist.drive(count, count_next);
    let busy = netlist.or(run_q, finish_q);
    let busy = netlist.or(busy, held_q);
    BlockControl {
        take,
        run: run_q,
        stall,
        give,
        keep,
        held: held_q,
        busy,
        count: count_q,
        ready: ready_q,
    }
}

/// Builds a core with one set of registers, which processes one block at a time. With `overlap`,
/// the cycle that computes the value can also accept the next block.
///
/// The registers of the datapath are zero unless a block is loaded, processed, or waits for the
/// output register.
pub(crate) fn iterative(frame: &CoreFrame<'_>, overlap: bool) -> Result<Built, Unavailable> {
    let mut netlist = Netlist::default();
    let n = frame.options.unfold as isize;
    let rounds = frame.recurrence.rounds;
    let clocks = frame.placement.prologue + rounds / frame.options.unfold + epilogue(frame);
    let first = -(frame.placement.prologue as isize) * n;
    let end = first + clocks as isize * n;

    let ports = ports(&mut netlist, frame);
    let BlockControl { take, run, stall, give, keep, held, busy, count, ready } =
        control(&mut netlist, clocks, ports.valid, overlap);

    let leads_to = (0..clocks).map(Some).collect();
    let mut ahead = Ahead::new(Some(count), None, leads_to);
    let mut stage = Stage::new(&mut netlist, frame, &mut ahead, "", first, clocks);
    stage.input = Some((ports.block, ports.state));
    let results = result_keys(frame, end);
    let mut wanted: BTreeSet<Key> = results.iter().map(|r| r.0).collect();
    wanted.extend(results.iter().map(|r| r.2));
    let needs = needs(&mut stage, clocks, &wanted, true)?;
    for &key in needs.at_load.union(&needs.later) {
        let next = needs.later.contains(&key).then(|| needs.next[&key]).flatten();
        let loaded = if needs.at_load.contains(&key) { stage.load(key)? } else { None };
        let register = stage.register(key);
        let q = stage.netlist.q(register);
        let held = wanted.contains(&key).then_some((stall, q));
        let choices = [loaded.map(|x| (take, x)), next.map(|x| (run, x)), held];
        stage.netlist.drive_choice(register, choices);
    }
    let sums = add_chain(&mut stage, frame, &results);
    let words = needs.at_load.union(&needs.later).map(|&key| {
        let register = stage.register(key);
        let when = (0..=clocks).filter(|&k| needs.wanted[k].contains(&key)).collect();
        (stage.netlist.registers[register].name.clone(), key, when)
    });
    let words = words.collect();
    let ledger = Some(Ledger { first, clocks, overlap, words, sequences: ahead.made });
    let mut shown = Vec::new();
    for (i, sum) in sums.into_iter().enumerate() {
        let out = netlist.register(format!("out{i}"), netlist.width(sum), None);
        netlist.describe(out, format!("word {i} of the value"));
        let q = netlist.q(out);
        netlist.drive_choice(out, [Some((give, sum)), Some((keep, q))]);
        shown.push(q);
    }
    let interval = clocks + if overlap { 1 } else { 2 };
    let activity = Some(Activity { take, busy, hold: None });
    let outputs = Outputs { ready, valid: held, state: shown, id: None, activity };
    let netlist = finished(netlist, frame, outputs, "a value, held until taken");
    Ok(Built { netlist, interval, latency: clocks + 2, buffer: 1, ledger })
}

/// The outputs of a core, before they are masked.
pub(super) struct Outputs {
    pub ready: Signal,
    pub valid: Signal,
    pub state: Vec<Signal>,
    pub id: Option<Signal>,
    /// For a clock gate.
    pub activity: Option<Activity>,
}

/// When the registers of the datapath change.
pub(super) struct Activity {
    /// A block or word is accepted.
    pub take: Signal,
    /// A block is processed, or a value is in the core.
    pub busy: Signal,
    /// All registers hold nevertheless.
    pub hold: Option<Signal>,
}

impl Activity {
    /// The enable of the clock gate. The clock runs for a cycle after the last busy one, in which the
    /// registers become zero.
    fn enable(self, netlist: &mut Netlist) -> Signal {
        let comment = "a block or a value was in the core a clock ago";
        let awake = control_register(netlist, "awake", 1, 1, comment);
        let next = netlist.or(self.take, self.busy);
        netlist.name(next, "awake_next");
        netlist.drive(awake, next);
        let mut runs = netlist.q(awake);
        if let Some(hold) = self.hold {
            let moves = netlist.not(hold);
            runs = netlist.and(runs, moves);
        }
        let enable = netlist.or(self.take, runs);
        netlist.name(enable, "enable");
        enable
    }
}

/// Adds the outputs, which are zero without a value, the input that resets the control registers at a
/// clock edge, and the enable of a clock gate.
pub(super) fn finished(
    mut netlist: Netlist,
    frame: &CoreFrame<'_>,
    outputs: Outputs,
    comment: &str,
) -> Netlist {
    let Outputs { ready, valid, state, id, activity } = outputs;
    let state = state.into_iter().map(|word| {
        let width = netlist.width(word);
        netlist.gate(Gate::Mask(valid, word), width)
    });
    let state = frame.options.word_order.arrange(state.collect());
    let [name, taken] = match frame.options.stream {
        true => ["word_ready_o", "the word is taken"],
        false => ["block_ready_o", "the block is taken"],
    };
    netlist.output(name, vec![ready], taken);
    netlist.output("state_valid_o", vec![valid], comment);
    netlist.output("state_o", state, "in the words of state_i; zero without a value");
    if let Some(id) = id {
        netlist.output("id_o", vec![id], "the id that came with the block");
    }
    if let Some(activity) = activity.filter(|_| frame.options.clock_gate) {
        netlist.enable = Some(activity.enable(&mut netlist));
    }
    let zeroize =
        netlist.input("zeroize_i", 1, 1, "drop blocks and values, and clear all words")[0];
    netlist.reset_by(zeroize);
    netlist.clean()
}
