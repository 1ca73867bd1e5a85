//! A core that stores the chaining value, and processes the blocks of a message without idle cycles
//! between them.
//!
//! The cycle that ends a block also begins the next. While it computes the last words of the state,
//! it adds the chaining value to them. The results are the initial state of the next block, and
//! that block's sums read them. All other cycles add zero. This needs no multiplexers, so only the
//! additions make this cycle longer than that of any other round.
//!
//! A message begins with the same cycle. Its state words are zero, and K + W is zero, so that the
//! round has no effect; the added chaining value is state_i. No part of a round is duplicated.

use std::collections::BTreeSet;

use crate::control::{Ahead, Built, Ledger, Needs, bits_for, needs, ports};
use crate::datapath::{CoreFrame, Key, Source, Stage, Unavailable, Wanted};
use crate::netlist::{Gate, Netlist, Signal};
use crate::recurrence::Part;
use crate::sums::Arrival;

impl Stage<'_, '_> {
    /// The source of the operands of word `t + offset`: the block that begins, if this cycle's
    /// rounds do not reach the word.
    pub(super) fn source(&self, from: Source, s: usize, offset: isize) -> Source {
        let beyond = offset > self.frame.unfold as isize || s == self.frame.recurrence.schedule();
        if self.frame.chain && from == Source::Registers && beyond { Source::Handed } else { from }
    }

    /// The round at which cycle k begins, for the block that ends or the block that begins.
    pub(super) fn time(&self, from: Source, k: usize) -> isize {
        if self.frame.chain && from == Source::Registers && k == 0 {
            return self.frame.recurrence.rounds as isize - self.frame.unfold as isize;
        }
        self.clocks[k]
    }

    /// Word i of the chaining value in the cycle between two blocks, and zero in all others.
    pub(super) fn chaining(&mut self, i: usize) -> Signal {
        let (turn, word) = (self.turn.expect("a core with chaining"), self.q(Key::Chain(i)));
        self.make(Gate::Mask(turn, word), Arrival::default())
    }

    /// Word `t + offset` of a sequence, as the block that begins reads it.
    pub(super) fn handed(&mut self, s: usize, offset: isize) -> Wanted<Signal> {
        let back = self.frame.unfold as isize - offset;
        let state = &self.frame.recurrence.state;
        let found = state.iter().position(|w| w.sequence == s && w.back == back);
        let Some(i) = found else { return self.word(s, offset) };
        if let Some(&done) = self.handed.get(&(s, offset)) {
            return Ok(done);
        }
        let rotation = state[i].rotation;
        let more = self.chaining(i);
        let made = if offset >= 1 && rotation == 0 {
            // Add the chaining value with the other terms of the sum, so that the word arrives as
            // early as possible.
            if s == 0 && self.frame.placement.kept {
                self.resolved_and(offset, Some(more))?
            } else {
                let all: Vec<usize> = (0..self.frame.classes[s].len()).collect();
                self.sum_and(Source::Registers, s, offset, &all, Some(more))?
            }
        } else {
            self.word(s, offset)?.map(|word| {
                let rotated = self.make(Gate::Rotr(word, rotation), Arrival::default());
                let sum = self.add_up(vec![rotated, more]);
                self.unrotated(i, sum)
            })
        };
        if let Some(word) = made {
            let name = self.frame.recurrence.sequences[s].name;
            self.netlist.name(word, &format!("{name}_next{back}"));
        }
        self.handed.insert((s, offset), made);
        Ok(made)
    }
}

/// The value that a register loads when a block is accepted.
enum Loaded {
    /// A word of the block, or a value computed from its words.
    Block(Signal),
    /// A constant, if the block is the first of a message.
    First(u64),
}

/// The value loaded for `key`, so that its register is correct in the cycle between two blocks.
fn loaded(
    stage: &mut Stage<'_, '_>,
    frame: &CoreFrame<'_>,
    key: Key,
) -> Result<Loaded, Unavailable> {
    let recurrence = frame.recurrence;
    let skew = |s: usize| frame.placement.skew[s];
    let first = -(frame.unfold as isize);
    Ok(match key {
        Key::Word(s, back) if s == recurrence.schedule() => {
            let t = first - skew(s) - back as isize;
            match usize::try_from(t) {
                Ok(_) => Loaded::Block(stage.input_word(s, t)?.expect("a word of the block")),
                // W_t = -K_t, so that the round has no effect.
                Err(_) => {
                    let parts = &frame.parts[0][(recurrence.rounds as isize + t) as usize];
                    let constant = parts.iter().find_map(|part| match part {
                        Part::Constant(k) => Some(*k),
                        Part::Node(_) => None,
                    });
                    Loaded::First(constant.ok_or(Unavailable)?.wrapping_neg())
                }
            }
        }
        Key::Sum(s, level, group) if first - skew(s) + 1 + level as isize > 0 => {
            let parts = &frame.placement.ahead[s][level][group];
            let of_state = |&part: &usize| {
                frame.classes[s][part].iter().any(|read| read.0 != recurrence.schedule())
            };
            // The words of the state are not available yet.
            if parts.iter().any(of_state) {
                return Err(Unavailable);
            }
            let offset = 1 + level as isize - skew(s);
            Loaded::Block(stage.sum(Source::Input, s, offset, parts)?.ok_or(Unavailable)?)
        }
        _ => Loaded::First(0),
    })
}

/// The registers needed, if the first cycle follows the last.
fn around(
    stage: &mut Stage<'_, '_>,
    clocks: usize,
    always: &BTreeSet<Key>,
) -> Result<Needs, Unavailable> {
    let mut end = always.clone();
    loop {
        let mut found = needs(stage, clocks, &end, true)?;
        found.at_load.extend(always);
        if found.at_load == end {
            return Ok(found);
        }
        end = found.at_load;
    }
}

/// The control registers and their signals.
struct Control {
    /// A block is accepted.
    take: Signal,
    /// The accepted block is the first after an idle cycle.
    start: Signal,
    /// This cycle is between two blocks; one of them may be missing.
    turn: Signal,
    count: Signal,
    ready: Signal,
    held: Signal,
}

fn control(netlist: &mut Netlist, clocks: usize, valid: Signal, chain: Signal) -> Control {
    let taken = netlist.input("state_ready_i", 1, 1, "the value is taken")[0];
    let width = bits_for(clocks - 1);
    let last_count = clocks as u64 - 1;
    let [idle, last, turn, begins, held] =
        [("idle", 1), ("last", 0), ("turn", 0), ("begins", 0), ("held", 0)]
            .map(|(name, reset)| netlist.register(name.to_owned(), 1, Some(reset)));
    let count = netlist.register("count".to_owned(), width, Some(last_count));
    let [idle_q, last_q, turn_q, begins_q, held_q, count_q] =
        [idle, last, turn, begins, held, count].map(|r| netlist.q(r));

    // Chaining to the next block discards the value.
    let free = {
        let not_held = netlist.not(held_q);
        let given = netlist.or(taken, chain);
        let free = netlist.or(not_held, given);
        netlist.and(idle_q, free)
    };
    let goes_on = netlist.and(last_q, chain);
    let ready = netlist.or(free, goes_on);
    netlist.name(ready, "ready");
    let take = netlist.and(valid, ready);
    netlist.name(take, "take");
    let start = netlist.and(take, idle_q);
    netlist.name(start, "start");
    let not_take = netlist.not(take);
    let ends = {
        let none = netlist.not(begins_q);
        netlist.and(turn_q, none)
    };
    let stays = netlist.and(idle_q, not_take);
    let idle_next = netlist.or(ends, stays);
    let turn_next = netlist.or(last_q, start);
    let last_next = {
        let before = netlist.equals(count_q, last_count - 1);
        let (busy, goes) = (netlist.not(idle_q), netlist.not(ends));
        let busy = netlist.and(busy, goes);
        netlist.and(before, busy)
    };
    let held_next = {
        let not_taken = netlist.not(taken);
        let kept = netlist.and(held_q, not_taken);
        let kept = netlist.and(kept, not_take);
        netlist.or(ends, kept)
    };
    // While idle, the counter stays at the cycle before a block's first, so that the constants of
    // the first cycle are ready.
    let count_next = {
        let more = netlist.gate(Gate::Increment(count_q), width);
        let (zero, last) = (netlist.word(0, width), netlist.word(last_count, width));
        let other = netlist.select(idle_next, last, more);
        netlist.select(turn_next, zero, other)
    };
    netlist.drive(idle, idle_next);
    netlist.drive(last, last_next);
    netlist.drive(turn, turn_next);
    netlist.drive(begins, take);
    netlist.drive(held, held_next);
    netlist.drive(count, count_next);
    Control { take, start, turn: turn_q, count: count_q, ready, held: held_q }
}

/// Builds a core with one set of registers that processes the blocks of one message in order.
pub(crate) fn chained(frame: &CoreFrame<'_>) -> Result<Built, Unavailable> {
    let mut netlist = Netlist::default();
    let recurrence = frame.recurrence;
    let n = frame.unfold as isize;
    let clocks = recurrence.rounds / frame.unfold;
    let ports = ports(&mut netlist, frame);
    let comment = "the block continues from the previous value; state_i is not read";
    let chain = netlist.input("chain_i", 1, 1, comment)[0];
    let Control { take, start, turn, count, ready, held } =
        control(&mut netlist, clocks, ports.valid, chain);

    let leads_to = (0..clocks).map(|c| Some((c + 1) % clocks)).collect();
    let mut ahead = Ahead::new(Some(count), None, leads_to);
    let mut stage = Stage::new(&mut netlist, frame, &mut ahead, "", -n, clocks);
    stage.turn = Some(turn);
    stage.input = Some((ports.block, ports.state.clone()));
    let mut values = Vec::new();
    let mut always = BTreeSet::new();
    for word in &recurrence.state {
        let made = stage.handed(word.sequence, n - word.back)?.ok_or(Unavailable)?;
        let value = stage.make(Gate::Rotr(made, word.rotation), Arrival::default());
        always.extend(stage.reads(value));
        values.push(value);
    }
    let needs = around(&mut stage, clocks, &always)?;
    let not_start = stage.netlist.not(start);
    for &key in needs.at_load.union(&needs.later) {
        if matches!(key, Key::Chain(_)) {
            continue;
        }
        let register = stage.register(key);
        let next = needs.next.get(&key).copied().flatten();
        let at_load = needs.at_load.contains(&key);
        let loads = at_load.then(|| loaded(&mut stage, frame, key)).transpose()?;
        let driven = match (loads, next) {
            (None, Some(next)) => next,
            (Some(Loaded::Block(word)), Some(next)) => stage.netlist.select(take, word, next),
            (Some(Loaded::Block(word)), None) => word,
            (Some(Loaded::First(0)), Some(next)) => {
                let width = stage.netlist.width(next);
                stage.netlist.gate(Gate::Mask(not_start, next), width)
            }
            (Some(Loaded::First(k)), Some(next)) => {
                let k = stage.netlist.word(k, stage.netlist.width(next));
                stage.netlist.select(start, k, next)
            }
            (None | Some(Loaded::First(_)), None) => return Err(Unavailable),
        };
        stage.netlist.drive(register, driven);
    }
    let other = stage.netlist.not(chain);
    let first = stage.netlist.and(start, other);
    let mut shown = Vec::new();
    for (i, value) in values.into_iter().enumerate() {
        let register = stage.register(Key::Chain(i));
        let q = stage.netlist.q(register);
        let next = stage.netlist.select(turn, value, q);
        let next = stage.netlist.select(first, ports.state[i], next);
        stage.netlist.drive(register, next);
        shown.push(q);
    }
    netlist.output(
        "block_ready_o",
        vec![ready],
        "the block is taken; from chain_i and state_ready_i",
    );
    netlist.output(
        "state_valid_o",
        vec![held],
        "the value after the last block, until taken or given up",
    );
    netlist.output("state_o", shown, "in the words of state_i");
    let netlist = netlist.clean();
    let ledger =
        Ledger { first: -n, clocks, overlap: false, words: Vec::new(), sequences: ahead.made };
    let (interval, latency) = (clocks, clocks + 2);
    Ok(Built { netlist, interval, latency, buffer: 1, ledger: Some(ledger) })
}
