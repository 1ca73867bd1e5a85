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
//!
//! The first block after a message's last begins a message. Only the value after the last block is
//! shown, and no block is accepted until it is taken. Between blocks, all registers of the datapath
//! but the chaining value are zero or constant.

use std::collections::BTreeSet;

use crate::control::{
    Activity, Ahead, Built, Ledger, Needs, Outputs, bits_for, control_register, finished, needs,
    ports,
};
use crate::datapath::{CoreFrame, Key, Source, Stage, Unavailable, Wanted};
use crate::netlist::{Gate, Netlist, Signal};
use crate::options::Chaining;
use crate::recurrence::Part;
use crate::sums::Arrival;

impl Stage<'_, '_> {
    /// The source of the operands of word `t + offset`: the block that begins, if this cycle's
    /// rounds do not reach the word.
    pub(super) fn source(&self, from: Source, s: usize, offset: isize) -> Source {
        let beyond =
            offset > self.frame.options.unfold as isize || s == self.frame.recurrence.schedule();
        let hands = self.frame.options.stores_chain();
        if hands && from == Source::Registers && beyond { Source::Handed } else { from }
    }

    /// The round at which cycle k begins, for the block that ends or the block that begins.
    pub(super) fn time(&self, from: Source, k: usize) -> isize {
        if self.frame.options.chaining() == Chaining::Turn && from == Source::Registers && k == 0 {
            return self.frame.recurrence.rounds as isize - self.frame.options.unfold as isize;
        }
        self.clocks[k]
    }

    /// Word i of the chaining value in the cycle between two blocks, and zero in all others.
    pub(super) fn chaining(&mut self, i: usize) -> Signal {
        let (turn, word) = (self.turn.expect("a core with chaining"), self.q(Key::Chain(i)));
        let masked = self.make(Gate::Mask(turn, word), Arrival::default());
        self.netlist.name(masked, &format!("h{i}_turn"));
        masked
    }

    /// Word `t + offset` of a sequence, as the block that begins reads it.
    pub(super) fn handed(&mut self, s: usize, offset: isize) -> Wanted<Signal> {
        let back = self.frame.options.unfold as isize - offset;
        let state = &self.frame.recurrence.state;
        let found = state.iter().position(|w| w.sequence == s && w.back == back);
        let Some(i) = found else { return self.word(s, offset) };
        if let Some(&done) = self.handed.get(&(s, offset)) {
            return Ok(done);
        }
        if self.frame.options.chaining() == Chaining::Ring {
            return self.restored(s, offset, i);
        }
        let rotation = state[i].rotation;
        let name = format!("{}_next{back}", self.frame.recurrence.sequences[s].name);
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
                let sum = self.add_up(vec![rotated, more], &format!("value{i}"));
                self.unrotated(i, sum)
            })
        };
        if let Some(word) = made {
            self.netlist.name(word, &name);
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
    let first = -(frame.options.unfold as isize);
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
struct MessageControl {
    /// A block is accepted.
    take: Signal,
    /// The accepted block is the first of a message.
    first: Signal,
    /// This cycle computes rounds.
    run: Signal,
    /// This cycle computes rounds, and the next is not between two blocks.
    shift: Signal,
    /// This cycle is between two blocks; one of them may be missing.
    turn: Signal,
    /// The chaining value does not change.
    keep: Signal,
    held: Signal,
    count: Signal,
    ready: Signal,
}

fn control(netlist: &mut Netlist, clocks: usize, valid: Signal, is_last: Signal) -> MessageControl {
    let taken = netlist.input("state_ready_i", 1, 1, "the value is taken")[0];
    let width = bits_for(clocks - 1);
    let [ready, run, last, turn, begins, held, ended] = [
        ("ready", 0, "a block can be accepted"),
        ("run", 0, "a block is processed"),
        ("last", 0, "the cycle before the one between two blocks"),
        ("turn", 0, "the cycle between two blocks"),
        ("begins", 0, "a block was accepted a clock ago"),
        ("held", 0, "the chaining value is a message's value"),
        ("ended", 1, "the newest block is its message's last"),
    ]
    .map(|(name, reset, comment)| control_register(netlist, name, 1, reset, comment));
    let count = control_register(netlist, "count", width, 0, "the cycle after this one");
    let [ready_q, run_q, last_q, turn_q, begins_q, held_q, ended_q, count_q] =
        [ready, run, last, turn, begins, held, ended, count].map(|r| netlist.q(r));
    let [idle, open, not_last, not_turn] =
        [run_q, ended_q, last_q, turn_q].map(|bit| netlist.not(bit));
    netlist.name(idle, "idle");

    let take = netlist.and(valid, ready_q);
    netlist.name(take, "take");
    let first = netlist.and(take, ended_q);
    netlist.name(first, "first");
    let ends = {
        let none = netlist.not(begins_q);
        netlist.and(turn_q, none)
    };
    netlist.name(ends, "ends");
    let goes_on = {
        let not_ends = netlist.not(ends);
        netlist.and(run_q, not_ends)
    };
    netlist.name(goes_on, "goes_on");
    let run_next = netlist.or(take, goes_on);
    netlist.name(run_next, "run_next");
    let turn_next = {
        let start = netlist.and(take, idle);
        netlist.or(last_q, start)
    };
    netlist.name(turn_next, "turn_next");
    // While idle, the counter stays at the cycle before a block's first, so that the constants of
    // the first cycle are ready.
    let wraps = netlist.equals(count_q, clocks as u64 - 1);
    netlist.name(wraps, "wraps");
    let last_next = netlist.and(wraps, goes_on);
    netlist.name(last_next, "last_next");
    let count_next = {
        let not_wraps = netlist.not(wraps);
        let counts = netlist.and(run_next, not_wraps);
        let more = netlist.gate(Gate::Increment(count_q), width);
        netlist.gate(Gate::Mask(counts, more), width)
    };
    let waits = {
        let not_taken = netlist.not(taken);
        netlist.and(held_q, not_taken)
    };
    netlist.name(waits, "waits");
    let held_next = {
        let gives = netlist.and(ends, ended_q);
        netlist.or(gives, waits)
    };
    netlist.name(held_next, "held_next");
    let ended_next = netlist.select(take, is_last, ended_q);
    netlist.name(ended_next, "ended_next");
    let ready_next = {
        let not_busy = netlist.or(run_next, held_next);
        let free = netlist.not(not_busy);
        let open_next = netlist.not(ended_next);
        let continues = netlist.and(last_next, open_next);
        netlist.or(free, continues)
    };
    // Between blocks of a message, during its rounds, and until the value is taken.
    let keep = {
        let rounds = netlist.and(run_q, not_turn);
        let between = netlist.and(idle, open);
        let keep = netlist.or(rounds, between);
        netlist.or(keep, waits)
    };
    netlist.name(keep, "keep");
    let shift = netlist.and(run_q, not_last);
    netlist.name(shift, "shift");
    netlist.drive(ready, ready_next);
    netlist.drive(run, run_next);
    netlist.drive(last, last_next);
    netlist.drive(turn, turn_next);
    netlist.drive(begins, take);
    netlist.drive(held, held_next);
    netlist.drive(ended, ended_next);
    netlist.drive(count, count_next);
    MessageControl {
        take,
        first,
        run: run_q,
        shift,
        turn: turn_q,
        keep,
        held: held_q,
        count: count_q,
        ready: ready_q,
    }
}

/// Builds a core with one set of registers that processes the blocks of one message in order.
pub(crate) fn chained(frame: &CoreFrame<'_>) -> Result<Built, Unavailable> {
    let mut netlist = Netlist::default();
    let recurrence = frame.recurrence;
    let n = frame.options.unfold as isize;
    let clocks = recurrence.rounds / frame.options.unfold;
    let ports = ports(&mut netlist, frame);
    let is_last = netlist.input("last_i", 1, 1, "the block is the last of its message")[0];
    let MessageControl { take, first, run, shift, turn, keep, held, count, ready } =
        control(&mut netlist, clocks, ports.valid, is_last);

    let leads_to = (0..clocks).map(Some).collect();
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
    for &key in needs.at_load.union(&needs.later) {
        if matches!(key, Key::Chain(_)) {
            continue;
        }
        let register = stage.register(key);
        let next = needs.next.get(&key).copied().flatten();
        let at_load = needs.at_load.contains(&key);
        let loads = at_load.then(|| loaded(&mut stage, frame, key)).transpose()?;
        match (loads, next) {
            (Some(Loaded::Block(word)), next) => {
                let choices = [Some((take, word)), next.map(|next| (shift, next))];
                stage.netlist.drive_choice(register, choices);
            }
            (None | Some(Loaded::First(0)), Some(next)) => {
                stage.netlist.drive_choice(register, [Some((run, next))]);
            }
            (Some(Loaded::First(k)), Some(next)) => {
                let k = stage.netlist.word(k, stage.netlist.width(next));
                let next = stage.netlist.select(run, next, k);
                stage.netlist.drive(register, next);
            }
            (None | Some(Loaded::First(_)), None) => return Err(Unavailable),
        }
    }
    let mut shown = Vec::new();
    for (i, value) in values.into_iter().enumerate() {
        let register = stage.register(Key::Chain(i));
        let q = stage.netlist.q(register);
        let choices = [(first, ports.state[i]), (turn, value), (keep, q)];
        stage.netlist.drive_choice(register, choices.map(Some));
        shown.push(q);
    }
    let ledger =
        Ledger { first: -n, clocks, overlap: false, words: Vec::new(), sequences: ahead.made };
    let busy = netlist.or(run, held);
    let activity = Some(Activity { take, busy, hold: None });
    let outputs = Outputs { ready, valid: held, state: shown, id: None, activity };
    let comment = "a value, held until taken";
    let netlist = finished(netlist, frame, outputs, comment);
    let (interval, latency) = (clocks, clocks + 2);
    Ok(Built { netlist, interval, latency, buffer: 1, ledger: Some(ledger) })
}
