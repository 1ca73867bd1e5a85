//! What surrounds the datapath: the handshakes, the counter, the stages.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};

use crate::rtl::datapath::{Frame, Key, Sequencer, Stage, Unavailable};
use crate::rtl::netlist::{Gate, Netlist, Signal};

/// A core and what is known of its time.
#[derive(Clone, Debug)]
pub(crate) struct Built {
    pub netlist: Netlist,
    /// Clocks from one block to the next, of independent messages.
    pub interval: usize,
    /// The same where each block needs the chaining value of the one before.
    pub latency: usize,
    /// Blocks that wait at the output at most; 0 for none.
    pub buffer: usize,
    /// What the registers hold, of a core of one set of them.
    pub ledger: Option<Ledger>,
}

/// What registers hold clock by clock, for proofs. The clock of a block is 0 when
/// it has just been loaded.
#[derive(Clone, Debug)]
pub(crate) struct Ledger {
    /// The round at which clock 0 begins.
    pub first: isize,
    /// The clock in which the value is made.
    pub clocks: usize,
    /// Whether the value is shown, and the next block taken, in that same clock.
    pub overlap: bool,
    /// Registers of words, and the clocks in which what they hold is wanted.
    pub words: Vec<(String, Key, BTreeSet<usize>)>,
    /// Registers that have a given value in each clock before the last.
    pub sequences: Vec<(String, Vec<u64>)>,
}

/// Fills what may be anything with the value before it, so that little changes.
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

/// Registered signals by the clock of the block, one clock ahead of it.
struct Ahead {
    /// Of the clock before: the entry of the table for the next.
    count: Option<Signal>,
    /// The clock in which a block is loaded, if the first entry comes with it.
    load: Option<Signal>,
    /// Which clock of the stage each count leads to.
    leads_to: Vec<Option<usize>>,
    known: HashMap<(Vec<u64>, u32), Signal>,
    used: HashMap<String, usize>,
    /// The registers made, and what they are in each clock.
    made: Vec<(String, Vec<u64>)>,
}

impl Ahead {
    fn new(count: Option<Signal>, load: Option<Signal>, leads_to: Vec<Option<usize>>) -> Self {
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

/// Bits for counting to `most`.
fn bits_for(most: usize) -> u32 {
    (usize::BITS - most.leading_zeros()).max(1)
}

/// The registers that a stage needs: when it is loaded, and later.
struct Needs {
    at_load: BTreeSet<Key>,
    later: BTreeSet<Key>,
    next: HashMap<Key, Option<Signal>>,
    /// What is wanted in each clock, to the one after the last.
    wanted: Vec<BTreeSet<Key>>,
}

/// Which registers hold something that is wanted, going back from the end of the
/// stage clock by clock. With `holds` the stage itself holds what is wanted then.
fn needs(
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

/// The words of the state after the last round, at boundary `end`, and the
/// chaining value.
fn result_keys(frame: &Frame<'_>, end: isize) -> Vec<(Key, u32, Key)> {
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

fn add_chain(
    stage: &mut Stage<'_, '_>,
    frame: &Frame<'_>,
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

/// The ports that every core has, in their order.
struct Ports {
    valid: Signal,
    block: Vec<Signal>,
    state: Vec<Signal>,
}

fn ports(netlist: &mut Netlist, frame: &Frame<'_>) -> Ports {
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

/// Clocks after the last round until every sequence is known to its end.
fn epilogue(frame: &Frame<'_>) -> usize {
    let schedule = frame.recurrence.schedule();
    let late = frame.placement.skew[..schedule].iter().copied().max().unwrap_or(0);
    (late as usize).div_ceil(frame.unfold)
}

/// One block at a time in one set of registers. With `overlap` the result is shown
/// in the clock it is made in, in which the next block may come.
pub(crate) fn iterative(frame: &Frame<'_>, overlap: bool) -> Result<Built, Unavailable> {
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
    let ledger = Ledger { first, clocks, overlap, words, sequences: ahead.made };
    // Words of a pair mean nothing one by one, and those of a whole schedule come when they
    // do: their proof is the normal form.
    let ledger = Some(ledger).filter(|_| !frame.placement.kept && !frame.whole);
    let mut shown = Vec::new();
    for (i, sum) in sums.into_iter().enumerate() {
        let out = netlist.register(format!("out{i}"), netlist.width(sum), None);
        let out_q = netlist.q(out);
        let next = netlist.select(finish_q, sum, out_q);
        netlist.drive(out, next);
        shown.push(if overlap { netlist.select(held_q, out_q, sum) } else { out_q });
    }
    netlist.output("block_ready_o", vec![free], "the block is taken");
    netlist.output("state_valid_o", vec![valid], "the value after the block, held until taken");
    netlist.output("state_o", shown, "in the words of state_i");
    let idle = if overlap { 1 } else { 2 };
    let (interval, latency) = (clocks + idle, clocks + idle);
    Ok(Built { netlist: netlist.clean(), interval, latency, buffer: 1, ledger })
}

/// Registers that count the clocks of a turn, in which each stage takes over what
/// the one before it has.
struct Turn {
    clocks: usize,
    phase: Option<Signal>,
}

impl Turn {
    fn new(netlist: &mut Netlist, clocks: usize) -> Self {
        if clocks == 1 {
            return Self { clocks, phase: None };
        }
        let width = bits_for(clocks - 1);
        let register = netlist.register("phase".to_owned(), width, Some(0));
        let phase = netlist.q(register);
        let more = netlist.gate(Gate::Increment(phase), width);
        let zero = netlist.word(0, width);
        let last = netlist.equals(phase, clocks as u64 - 1);
        let next = netlist.select(last, zero, more);
        netlist.drive(register, next);
        Self { clocks, phase: Some(phase) }
    }

    /// A registered bit that is one in clock `at` of the turn.
    fn at(&self, netlist: &mut Netlist, name: &str, at: usize) -> Signal {
        let Some(phase) = self.phase else { return netlist.word(1, 1) };
        let before = netlist.equals(phase, ((at + self.clocks - 1) % self.clocks) as u64);
        let register = netlist.register(name.to_owned(), 1, Some(0));
        netlist.drive(register, before);
        netlist.q(register)
    }
}

/// Blocks in `stages` sets of registers, each as far from the next as a turn.
pub(crate) fn pipelined(
    frame: &Frame<'_>,
    stages: usize,
    buffer: Option<usize>,
) -> Result<Built, Unavailable> {
    let mut netlist = Netlist::default();
    let n = frame.unfold as isize;
    let turn_clocks = frame.recurrence.rounds / frame.unfold / stages;
    let prologue = frame.placement.prologue;
    let epilogue = epilogue(frame);
    let mut spans: Vec<usize> = Vec::new();
    spans.extend(Some(prologue % turn_clocks).filter(|&clocks| clocks > 0));
    spans.extend(vec![turn_clocks; prologue / turn_clocks + stages + epilogue / turn_clocks]);
    spans.push(epilogue % turn_clocks);

    let ports = ports(&mut netlist, frame);
    let id_in = netlist.input("id_i", 8, 1, "the block's name, given back with its value")[0];
    let turn = Turn::new(&mut netlist, turn_clocks);
    let take_over = turn.at(&mut netlist, "take_over", turn_clocks - 1);
    let accept_at = (2 * turn_clocks - 1 - spans[0]) % turn_clocks;
    let accept = turn.at(&mut netlist, "accept", accept_at);
    let finish = turn.at(&mut netlist, "finish", epilogue % turn_clocks);

    let total: usize = spans.iter().sum();
    let buffer = buffer.unwrap_or((total + 3) / turn_clocks + 1);
    let used = netlist.register("used".to_owned(), bits_for(buffer), Some(0));
    let room = netlist.register("room".to_owned(), 1, Some(1));
    let ready = if buffer == 0 {
        accept
    } else {
        let room = netlist.q(room);
        netlist.and(accept, room)
    };
    let load = netlist.and(ports.valid, ready);
    netlist.name(load, "load");

    // Whether a stage has a block.
    let mut valid = Vec::new();
    for p in 0..spans.len() {
        let register = netlist.register(format!("s{p}_valid"), 1, Some(0));
        let q = netlist.q(register);
        let (by, before) = if p == 0 { (accept, load) } else { (take_over, valid[p - 1]) };
        let next = netlist.select(by, before, q);
        netlist.drive(register, next);
        valid.push(q);
    }

    // From the last stage to the first: each says what it needs of the one before.
    let mut boundary = -(prologue as isize) * n + total as isize * n;
    let results = result_keys(frame, boundary);
    let mut end: BTreeSet<Key> = results.iter().map(|r| r.0).collect();
    end.extend(results.iter().map(|r| r.2));
    end.insert(Key::Id);
    let mut sums = Vec::new();
    let mut id = id_in;
    // Of the stage after this one: its registers, and what moves them on.
    let mut after: Vec<(Key, usize, Option<Signal>)> = Vec::new();
    for p in (0..spans.len()).rev() {
        let clocks = spans[p];
        boundary -= clocks as isize * n;
        let offset = if p == 0 { turn_clocks - clocks } else { 0 };
        let leads_to = (0..turn_clocks)
            .map(|phase| ((phase + 1) % turn_clocks).checked_sub(offset).filter(|&k| k < clocks))
            .collect();
        let mut ahead = Ahead::new(turn.phase, None, leads_to);
        let prefix = format!("s{p}_");
        let mut stage = Stage::new(&mut netlist, frame, &mut ahead, &prefix, boundary, clocks);
        if p == 0 {
            stage.input = Some((ports.block.clone(), ports.state.clone()));
        }
        if p + 1 == spans.len() {
            sums = add_chain(&mut stage, frame, &results);
            id = stage.q(Key::Id);
        }
        // The sum is made from what the last stage holds.
        let needs = needs(&mut stage, clocks, &end, p + 1 == spans.len())?;
        for (key, register, own) in after.drain(..) {
            let given = match needs.next.get(&key) {
                Some(&given) => given,
                None => Some(stage.q(key)),
            };
            let driven = match (given, own) {
                (Some(x), Some(y)) => stage.netlist.select(take_over, x, y),
                (Some(x), None) | (None, Some(x)) => x,
                (None, None) => stage.netlist.q(register),
            };
            stage.netlist.drive(register, driven);
        }
        let keys: BTreeSet<Key> = needs.at_load.union(&needs.later).copied().collect();
        for key in keys {
            let own = needs.later.contains(&key).then(|| needs.next[&key]).flatten();
            let register = stage.register(key);
            if p > 0 {
                let loaded = needs.at_load.contains(&key);
                if loaded {
                    after.push((key, register, own));
                } else {
                    let next = own.unwrap_or(stage.netlist.q(register));
                    stage.netlist.drive(register, next);
                }
                continue;
            }
            let loaded = match key {
                Key::Id => Some(id_in),
                key if needs.at_load.contains(&key) => stage.load(key)?,
                _ => None,
            };
            let driven = match (loaded, own) {
                (Some(x), Some(y)) => stage.netlist.select(accept, x, y),
                (Some(x), None) | (None, Some(x)) => x,
                (None, None) => stage.netlist.q(register),
            };
            stage.netlist.drive(register, driven);
        }
        end = needs.at_load;
    }

    let push = netlist.and(valid[spans.len() - 1], finish);
    netlist.name(push, "push");
    let data: Vec<Signal> = sums.into_iter().chain([id]).collect();
    let (shown, out_valid) = if buffer == 0 {
        let register = netlist.register("out_valid".to_owned(), 1, Some(0));
        netlist.drive(register, push);
        let (no_used, full) = (netlist.q(used), netlist.q(room));
        netlist.drive(used, no_used);
        netlist.drive(room, full);
        let shown = data.iter().enumerate().map(|(i, &word)| {
            let out = netlist.register(format!("out{i}"), netlist.width(word), None);
            netlist.drive(out, word);
            netlist.q(out)
        });
        (shown.collect::<Vec<_>>(), netlist.q(register))
    } else {
        let taken = netlist.input("state_ready_i", 1, 1, "the value is taken")[0];
        let (shown, out_valid, pop) = queue(&mut netlist, &data, buffer, push, taken);
        // A block is let in only if there is room for its value.
        let used_q = netlist.q(used);
        let width = netlist.width(used_q);
        let more = netlist.gate(Gate::Increment(used_q), width);
        let less = netlist.gate(Gate::Decrement(used_q), width);
        let when_load = netlist.select(pop, used_q, more);
        let when_not = netlist.select(pop, less, used_q);
        let next = netlist.select(load, when_load, when_not);
        netlist.drive(used, next);
        let full = netlist.equals(next, buffer as u64);
        let not_full = netlist.not(full);
        netlist.drive(room, not_full);
        (shown, out_valid)
    };
    let (id_out, state) = shown.split_last().expect("an id");
    netlist.output("block_ready_o", vec![ready], "the block is taken");
    let comment = if buffer == 0 {
        "the value after the block, for one clock"
    } else {
        "the value after the block, held until taken"
    };
    netlist.output("state_valid_o", vec![out_valid], comment);
    netlist.output("state_o", state.to_vec(), "in the words of state_i");
    netlist.output("id_o", vec![*id_out], "the id that came with the block");
    let netlist = netlist.clean();
    Ok(Built { netlist, interval: turn_clocks, latency: total + 2, buffer, ledger: None })
}

/// Values that wait to be taken, the oldest in slot 0.
fn queue(
    netlist: &mut Netlist,
    data: &[Signal],
    slots: usize,
    push: Signal,
    taken: Signal,
) -> (Vec<Signal>, Signal, Signal) {
    let width = bits_for(slots);
    let held = netlist.register("waiting".to_owned(), width, Some(0));
    let held_q = netlist.q(held);
    let empty = netlist.equals(held_q, 0);
    let valid = netlist.not(empty);
    let pop = netlist.and(valid, taken);
    netlist.name(pop, "pop");
    let more = netlist.gate(Gate::Increment(held_q), width);
    let less = netlist.gate(Gate::Decrement(held_q), width);
    let when_push = netlist.select(pop, held_q, more);
    let when_not = netlist.select(pop, less, held_q);
    let next = netlist.select(push, when_push, when_not);
    netlist.drive(held, next);
    let registers: Vec<Vec<usize>> = (0..slots)
        .map(|slot| {
            let name = |i: usize| format!("slot{slot}_{i}");
            let each = data.iter().enumerate();
            each.map(|(i, &word)| netlist.register(name(i), netlist.width(word), None)).collect()
        })
        .collect();
    for slot in 0..slots {
        let here = netlist.equals(held_q, slot as u64);
        let behind = netlist.equals(held_q, slot as u64 + 1);
        for (i, &word) in data.iter().enumerate() {
            let q = netlist.q(registers[slot][i]);
            let older = if slot + 1 < slots { netlist.q(registers[slot + 1][i]) } else { word };
            let when_pop = netlist.select(behind, word, older);
            let kept = netlist.select(here, word, q);
            let next = netlist.select(pop, when_pop, kept);
            netlist.drive(registers[slot][i], next);
        }
    }
    let shown = registers[0].iter().map(|&r| netlist.q(r)).collect();
    (shown, valid, pop)
}
