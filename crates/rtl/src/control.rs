//! The control logic around the datapath: handshakes, counter, stages.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};

use crate::datapath::{CoreFrame, Key, Sequencer, Stage, Unavailable};
use crate::netlist::{Gate, Netlist, Signal};

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
    /// The load signal, if the load leads to the first entry.
    load: Option<Signal>,
    /// The cycle of the stage that follows each count.
    leads_to: Vec<Option<usize>>,
    known: HashMap<(Vec<u64>, u32), Signal>,
    used: HashMap<String, usize>,
    /// The registers created so far, and their value in each cycle.
    pub made: Vec<(String, Vec<u64>)>,
}

impl Ahead {
    pub(super) fn new(
        count: Option<Signal>,
        load: Option<Signal>,
        leads_to: Vec<Option<usize>>,
    ) -> Self {
        let (known, used, made) = (HashMap::new(), HashMap::new(), Vec::new());
        Self { count, load, leads_to, known, used, made }
    }
}

impl Sequencer for Ahead {
    fn sequence(
        &mut self,
        netlist: &mut Netlist,
        name: &str,
        values: &[Option<u64>],
        width: u32,
    ) -> Signal {
        let first = filled(values).first().copied().unwrap_or(0);
        let after: Vec<Option<u64>> =
            self.leads_to.iter().map(|k| k.and_then(|k| values[k])).collect();
        let mut table = filled(&after);
        let same = filled(values).iter().all(|&v| v == first);
        let (Some(count), false) = (self.count, same) else {
            return netlist.word(first, width);
        };
        table.push(first);
        let key = (table, width);
        if let Some(&signal) = self.known.get(&key) {
            return signal;
        }
        let mut table = key.0.clone();
        table.pop();
        let mut next = netlist.table(count, &table, width);
        if let Some(load) = self.load {
            let first = netlist.word(first, width);
            next = netlist.select(load, first, next);
        }
        let number = self.used.entry(name.to_owned()).or_default();
        let full = if *number == 0 { name.to_owned() } else { format!("{name}_{number}") };
        *number += 1;
        let each = std::iter::once(first).chain(table).take(values.len()).collect();
        self.made.push((full.clone(), each));
        let register = netlist.register(full, width, None);
        netlist.drive(register, next);
        let signal = netlist.q(register);
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

/// The ports that every core has, in order.
pub(super) struct Ports {
    pub valid: Signal,
    pub block: Vec<Signal>,
    pub state: Vec<Signal>,
}

pub(super) fn ports(netlist: &mut Netlist, frame: &CoreFrame<'_>) -> Ports {
    let family = frame.recurrence.family;
    let width = family.word_bits();
    let words = family.state_words();
    let last = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'][words - 1];
    Ports {
        valid: netlist.input("block_valid_i", 1, 1, "a block, and the value to extend by it")[0],
        block: netlist.input("block_i", width, 16, "word t is W_t"),
        state: netlist.input(
            "state_i",
            width,
            words,
            &format!("word 0 is a, word {} is {last}", words - 1),
        ),
    }
}

/// Cycles after the last round until every sequence is complete.
pub(super) fn epilogue(frame: &CoreFrame<'_>) -> usize {
    let schedule = frame.recurrence.schedule();
    let late = frame.placement.skew[..schedule].iter().copied().max().unwrap_or(0);
    (late as usize).div_ceil(frame.unfold)
}

/// Builds a core with one set of registers, which processes one block at a time. With `overlap`,
/// the cycle that computes the value also outputs it and can accept the next block.
pub(crate) fn iterative(frame: &CoreFrame<'_>, overlap: bool) -> Result<Built, Unavailable> {
    let mut netlist = Netlist::default();
    let n = frame.unfold as isize;
    let rounds = frame.recurrence.rounds;
    let clocks = frame.placement.prologue + rounds / frame.unfold + epilogue(frame);
    let first = -(frame.placement.prologue as isize) * n;
    let end = first + clocks as isize * n;

    let ports = ports(&mut netlist, frame);
    let taken = netlist.input("state_ready_i", 1, 1, "the value is taken")[0];
    let busy = netlist.register("busy".to_owned(), 1, Some(0));
    let finish = netlist.register("finish".to_owned(), 1, Some(0));
    let held = netlist.register("held".to_owned(), 1, Some(0));
    let width = bits_for(clocks);
    let count = netlist.register("count".to_owned(), width, Some(0));
    let (busy_q, finish_q) = (netlist.q(busy), netlist.q(finish));
    let (held_q, count_q) = (netlist.q(held), netlist.q(count));

    let valid = if overlap { netlist.or(finish_q, held_q) } else { held_q };
    let kept = {
        let not_taken = netlist.not(taken);
        netlist.and(valid, not_taken)
    };
    let free = {
        let idle = netlist.not(busy_q);
        let free = if overlap { netlist.or(idle, finish_q) } else { idle };
        let not_kept = netlist.not(kept);
        netlist.and(free, not_kept)
    };
    netlist.name(free, "ready");
    let load = netlist.and(ports.valid, free);
    netlist.name(load, "load");

    let goes_on = {
        let not_finish = netlist.not(finish_q);
        netlist.and(busy_q, not_finish)
    };
    let busy_next = netlist.or(load, goes_on);
    netlist.drive(busy, busy_next);
    let zero = netlist.word(0, width);
    let more = netlist.gate(Gate::Increment(count_q), width);
    let count_next = netlist.select(load, zero, more);
    netlist.drive(count, count_next);
    let last = netlist.equals(count_q, clocks as u64 - 1);
    let finish_next = netlist.and(goes_on, last);
    netlist.drive(finish, finish_next);
    let held_next = if overlap { kept } else { netlist.or(finish_q, kept) };
    netlist.drive(held, held_next);

    let leads_to = (0..clocks).map(|c| (c + 1 < clocks).then_some(c + 1)).collect();
    let mut ahead = Ahead::new(Some(count_q), Some(load), leads_to);
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
        let driven = match (loaded, next) {
            (Some(x), Some(y)) => stage.netlist.select(load, x, y),
            (Some(x), None) | (None, Some(x)) => x,
            (None, None) => stage.netlist.q(register),
        };
        stage.netlist.drive(register, driven);
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
        let out_q = netlist.q(out);
        let next = netlist.select(finish_q, sum, out_q);
        netlist.drive(out, next);
        shown.push(if overlap { netlist.select(held_q, out_q, sum) } else { out_q });
    }
    netlist.output("block_ready_o", vec![free], "the block is taken; from state_ready_i");
    netlist.output("state_valid_o", vec![valid], "the value after the block, held until taken");
    netlist.output("state_o", shown, "in the words of state_i");
    let idle = if overlap { 1 } else { 2 };
    let (interval, latency) = (clocks + idle, clocks + idle);
    Ok(Built { netlist: netlist.clean(), interval, latency, buffer: 1, ledger })
}
