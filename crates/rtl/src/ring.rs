//! A core for SHA-2 that stores the chaining value in rings, with one round per cycle.
//!
//! The chaining value of each sequence is a ring of four words. In the last three rounds of a block
//! and in the cycle after them, the turn, the newest word of the state is added to the last word of
//! the ring, and the ring moves by one position. So each sequence needs one adder instead of four,
//! and the rounds add nothing beyond FIPS 180-4. The turn is also the first cycle of the next block:
//! it loads the state from the ring. A block takes one cycle in addition to its rounds. At the turn,
//! the ring is one position before its end: word i of the chaining value is where word i + 1 will be.
//!
//! The next block is accepted in the last round; if it is missing, the core waits there. A core for a
//! stream accepts only the first word of the block there, and each of the others in the cycle before
//! it is used. If a word is missing, all registers hold. So no register holds a block.

use std::collections::BTreeMap;

use crate::control::{
    Activity, Ahead, Built, Ledger, Outputs, Ports, bits_for, control_register, finished, ports,
};
use crate::datapath::{CoreFrame, Key, Stage, Unavailable, Wanted};
use crate::netlist::{Gate, Netlist, Signal};
use crate::sums::Arrival;

impl Stage<'_, '_> {
    /// Word i of the state, which is word `t + offset` of sequence s, or at the turn the word of the
    /// chaining value that replaces it.
    pub(super) fn restored(&mut self, s: usize, offset: isize, i: usize) -> Wanted<Signal> {
        let (turn, chain) = (self.turn.expect("a core with a ring"), self.q(Key::Chain(i - 1)));
        let Some(word) = self.word(s, offset)? else { return Ok(None) };
        let restored = self.make(Gate::Select(turn, chain, word), Arrival::default());
        let letter = ["a", "b", "c", "d", "e", "f", "g", "h"][i];
        self.netlist.name(restored, &format!("{letter}_or_turn"));
        Ok(Some(restored))
    }
}

/// The control registers and their signals.
struct RingControl {
    ready: usize,
    run: usize,
    held: usize,
    ended: usize,
    count: usize,
    /// A block or word is accepted.
    take: Signal,
    /// It is the first of a message.
    first: Signal,
    /// This cycle of a block is complete.
    step: Signal,
    /// This cycle of a block waits for the next block or word.
    hold: Signal,
}

fn control(netlist: &mut Netlist, clocks: usize, valid: Signal, part: &str) -> RingControl {
    let [ready, run, held, ended] = [
        ("ready", format!("a {part} can be accepted")),
        ("run", "a block is processed".to_owned()),
        ("held", "the chaining value is a message's value".to_owned()),
        ("ended", format!("the last {part} of the message was accepted")),
    ]
    .map(|(name, comment)| control_register(netlist, name, 1, 0, &comment));
    let width = bits_for(clocks - 1);
    let count = control_register(netlist, "count", width, 0, "the cycle after this one");
    let [ready_q, run_q] = [ready, run].map(|r| netlist.q(r));
    let [idle, missing] = [run_q, valid].map(|bit| netlist.not(bit));
    let take = netlist.and(valid, ready_q);
    let first = netlist.and(take, idle);
    let waits = netlist.and(ready_q, missing);
    let hold = netlist.and(run_q, waits);
    let moves = netlist.not(hold);
    let step = netlist.and(run_q, moves);
    for (signal, name) in [(take, "take"), (first, "first"), (hold, "hold"), (step, "step")] {
        netlist.name(signal, name);
    }
    RingControl { ready, run, held, ended, count, take, first, step, hold }
}

impl RingControl {
    /// Sets the next values of the control registers, and returns whether the value at the output
    /// stays. In the cycles `due`, the message continues, unless it has ended.
    fn drive(
        &self,
        netlist: &mut Netlist,
        turn: Signal,
        due: &[u64],
        is_last: Signal,
        stream: bool,
    ) -> Signal {
        let ended = netlist.q(self.ended);
        let mut ends = netlist.and(turn, ended);
        if !stream {
            // The last block of a message is also known to be the last in the turn before it.
            let comment = "a block was accepted a clock ago";
            let begins = control_register(netlist, "begins", 1, 0, comment);
            netlist.drive(begins, self.take);
            let begins = netlist.q(begins);
            let none = netlist.not(begins);
            ends = netlist.and(ends, none);
        }
        netlist.name(ends, "ends");
        let taken = netlist.input("state_ready_i", 1, 1, "the value is taken")[0];
        let [run_q, held_q, ended_q, count_q] =
            [self.run, self.held, self.ended, self.count].map(|r| netlist.q(r));
        let width = netlist.width(count_q);
        let run_next = {
            let not_ends = netlist.not(ends);
            let goes_on = netlist.and(run_q, not_ends);
            netlist.or(self.take, goes_on)
        };
        netlist.name(run_next, "run_next");
        let waits = {
            let not_taken = netlist.not(taken);
            netlist.and(held_q, not_taken)
        };
        netlist.name(waits, "waits");
        let held_next = netlist.or(ends, waits);
        netlist.name(held_next, "held_next");
        let ended_next = {
            let ended = netlist.select(self.take, is_last, ended_q);
            netlist.and(run_next, ended)
        };
        netlist.name(ended_next, "ended_next");
        let count_next = {
            let wraps = netlist.equals(count_q, due.len() as u64 - 1);
            netlist.name(wraps, "wraps");
            let not_wraps = netlist.not(wraps);
            let more = netlist.gate(Gate::Increment(count_q), width);
            let more = netlist.gate(Gate::Mask(not_wraps, more), width);
            let next = netlist.select(self.hold, count_q, more);
            netlist.gate(Gate::Mask(run_next, next), width)
        };
        let ready_next = {
            let due = netlist.table(count_q, due, 1);
            netlist.name(due, "due");
            let goes_on = netlist.not(ended_next);
            let due = netlist.and(due, goes_on);
            let due = netlist.or(due, self.hold);
            let free = netlist.not(held_next);
            netlist.select(run_next, due, free)
        };
        netlist.drive(self.ready, ready_next);
        netlist.drive(self.run, run_next);
        netlist.drive(self.held, held_next);
        netlist.drive(self.ended, ended_next);
        netlist.drive(self.count, count_next);
        waits
    }
}

/// The number of words of a block.
const WORDS: usize = 16;

/// The registers of words and sums that `from` depends on.
fn live(stage: &mut Stage<'_, '_>, from: Vec<Key>) -> Result<BTreeMap<Key, Signal>, Unavailable> {
    let mut found = BTreeMap::new();
    let mut left = from;
    while let Some(key) = left.pop() {
        if matches!(key, Key::Chain(_)) || found.contains_key(&key) {
            continue;
        }
        let next = stage.next(key)?.ok_or(Unavailable)?;
        found.insert(key, next);
        left.extend(stage.reads(next));
    }
    Ok(found)
}

/// Builds a core that processes the blocks of one message in order.
pub(crate) fn ring(frame: &CoreFrame<'_>) -> Result<Built, Unavailable> {
    let mut netlist = Netlist::default();
    let recurrence = frame.recurrence;
    let schedule = recurrence.schedule();
    let clocks = recurrence.rounds + 1;
    let part = if frame.options.stream { "word" } else { "block" };
    let Ports { valid, block, state } = ports(&mut netlist, frame);
    let comment = format!("the {part} is the last of its message");
    let is_last = netlist.input("last_i", 1, 1, &comment)[0];
    let control = control(&mut netlist, clocks, valid, part);
    let RingControl { take, first, step, hold, .. } = control;
    let count = netlist.q(control.count);

    let leads_to = (0..clocks).map(Some).collect();
    let mut ahead = Ahead::new(Some(count), None, leads_to);
    ahead.hold = Some(hold);
    let mut stage = Stage::new(&mut netlist, frame, &mut ahead, "", -1, clocks);
    // The order of the registers in the text.
    for i in 0..recurrence.state.len() {
        stage.register(Key::Chain(i));
    }
    let at = |cycles: &dyn Fn(usize) -> bool| -> Vec<Option<u64>> {
        (0..clocks).map(|k| Some(u64::from(cycles(k)))).collect()
    };
    let turn = stage.bit("turn", "the state is loaded from the chaining value", &at(&|k| k == 0));
    stage.turn = Some(turn);
    let length = recurrence.state.iter().map(|w| w.back).max().expect("words").unsigned_abs() + 1;
    let adds = at(&|k| k == 0 || k + length > clocks);
    let adds = stage.bit("adds", "the state is added to the chaining value", &adds);

    let newest = (0..schedule).map(|s| Key::Word(s, 0)).collect();
    let round = {
        let not_turn = stage.netlist.not(turn);
        stage.netlist.and(step, not_turn)
    };
    let turns = stage.netlist.and(step, turn);
    let words = live(&mut stage, newest)?;
    // The values that the turn loads: the previous word in the ring, or a sum for the first.
    let mut before = Vec::new();
    for (i, letter) in recurrence.state.iter().enumerate() {
        let key = Key::Word(letter.sequence, letter.back.unsigned_abs());
        before.push(if letter.back == 0 {
            let [newest, oldest] = [key, Key::Chain(i + length - 1)].map(|key| stage.q(key));
            stage.add_up(vec![newest, oldest], &format!("value{i}"))
        } else {
            stage.q(Key::Chain(i - 1))
        });
    }
    for (&key, &next) in &words {
        let register = stage.register(key);
        let q = stage.netlist.q(register);
        let choices = match key {
            Key::Word(s, back) if s == schedule && back < block.len() => {
                let computes = {
                    let none = stage.netlist.not(take);
                    stage.netlist.and(step, none)
                };
                vec![(take, block[block.len() - 1 - back]), (computes, next)]
            }
            Key::Word(s, back) if s != schedule => {
                let is_it = |w: &crate::StateWord| (w.sequence, w.back.unsigned_abs()) == (s, back);
                let i = recurrence.state.iter().position(is_it).ok_or(Unavailable)?;
                vec![(round, next), (turns, before[i])]
            }
            _ => vec![(step, next)],
        };
        // A core that waits for a block needs no words of the schedule.
        let kept = frame.options.stream || !matches!(key, Key::Word(s, _) if s == schedule);
        let held = kept.then_some((hold, q));
        stage.netlist.drive_choice(register, choices.into_iter().map(Some).chain([held]));
    }
    let due = |k| frame.options.stream && k < WORDS - 1 || k + 1 == clocks;
    let due: Vec<u64> = (0..clocks).map(|k| u64::from(due(k))).collect();
    let waits = control.drive(stage.netlist, turn, &due, is_last, frame.options.stream);
    let keep = {
        let run = stage.netlist.q(control.run);
        let not_adds = stage.netlist.not(adds);
        let rounds = stage.netlist.and(run, not_adds);
        let keep = stage.netlist.or(rounds, hold);
        stage.netlist.or(keep, waits)
    };
    stage.netlist.name(keep, "keep");
    let rolls = stage.netlist.and(step, adds);
    stage.netlist.name(rolls, "rolls");
    let mut shown = Vec::new();
    for (i, letter) in recurrence.state.iter().enumerate() {
        let register = stage.register(Key::Chain(i));
        let q = stage.netlist.q(register);
        // One position before the end.
        let back = letter.back.unsigned_abs();
        let loaded = state[i - back + (back + 1) % length];
        let choices = [(first, loaded), (rolls, before[i]), (keep, q)];
        stage.netlist.drive_choice(register, choices.map(Some));
        shown.push(q);
    }
    let ledger =
        Ledger { first: -1, clocks, overlap: false, words: Vec::new(), sequences: ahead.made };
    let [ready, held] = [control.ready, control.held].map(|r| netlist.q(r));
    let busy = {
        let run = netlist.q(control.run);
        netlist.or(run, held)
    };
    // A core that waits for a block clears the words of the schedule.
    let activity = Some(Activity { take, busy, hold: frame.options.stream.then_some(hold) });
    let outputs = Outputs { ready, valid: held, state: shown, id: None, activity };
    let netlist = finished(netlist, frame, outputs, "a value, held until taken");
    Ok(Built { netlist, interval: clocks, latency: clocks + 2, buffer: 1, ledger: Some(ledger) })
}
