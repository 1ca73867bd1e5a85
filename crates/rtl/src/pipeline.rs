//! The control logic of a pipeline: steps, stages, and the output buffer.

use std::collections::BTreeSet;

use crate::Simulation;
use crate::control::{
    Ahead, Built, Outputs, add_chain, bits_for, control_register, epilogue, finished, needs, ports,
    result_keys,
};
use crate::datapath::{CoreFrame, Key, Stage, Unavailable};
use crate::netlist::{Gate, Netlist, Signal};

/// Counts the cycles of a pipeline step, after which each stage takes over the previous stage's
/// state.
struct TurnClocks {
    clocks: usize,
    phase: Option<Signal>,
}

impl TurnClocks {
    fn new(netlist: &mut Netlist, clocks: usize) -> Self {
        if clocks == 1 {
            return Self { clocks, phase: None };
        }
        let width = bits_for(clocks - 1);
        let register = control_register(netlist, "phase", width, 0, "the cycle of a step");
        let phase = netlist.q(register);
        let more = netlist.gate(Gate::Increment(phase), width);
        let zero = netlist.word(0, width);
        let last = netlist.equals(phase, clocks as u64 - 1);
        let next = netlist.select(last, zero, more);
        netlist.drive(register, next);
        Self { clocks, phase: Some(phase) }
    }

    /// A registered bit that is one in cycle `at` of the step.
    fn at(&self, netlist: &mut Netlist, name: &str, at: usize) -> Signal {
        let Some(phase) = self.phase else { return netlist.word(1, 1) };
        let before = netlist.equals(phase, ((at + self.clocks - 1) % self.clocks) as u64);
        let comment = format!("cycle {at} of a step");
        let register = control_register(netlist, name, 1, 0, &comment);
        netlist.drive(register, before);
        netlist.q(register)
    }
}

/// The output buffer needed to accept a block in every step: one value for each block between the
/// input and the output.
pub(crate) fn full_buffer(latency: usize, turn_clocks: usize) -> usize {
    (latency + 1) / turn_clocks + 1
}

/// Average number of cycles between blocks, rounded up, if blocks are always offered and values
/// always accepted. A block waits while the buffer is full: first until an earlier value is
/// removed, then until the next step.
pub(crate) fn steady_interval(netlist: &Netlist, buffer: usize) -> usize {
    let mut simulation = Simulation::new(netlist);
    simulation.set("block_valid_i", &[1]);
    simulation.set("state_ready_i", &[1]);
    // A block waits for the one `buffer` blocks before it, so the behavior is periodic with a
    // period of `buffer` blocks.
    let (mut taken, mut since) = (0, 0_usize);
    for clock in 0.. {
        simulation.clock();
        if simulation.get("block_ready_o") == [0] {
            continue;
        }
        if taken == buffer {
            since = clock;
        } else if taken == 2 * buffer {
            return (clock - since).div_ceil(buffer);
        }
        taken += 1;
    }
    unreachable!("there is always a next clock")
}

/// Builds a pipeline with `stages` sets of registers, one pipeline step apart.
pub(crate) fn pipelined(
    frame: &CoreFrame<'_>,
    stages: usize,
    buffer: Option<usize>,
) -> Result<Built, Unavailable> {
    let mut netlist = Netlist::default();
    let n = frame.options.unfold as isize;
    let turn_clocks = frame.recurrence.rounds / frame.options.unfold / stages;
    let prologue = frame.placement.prologue;
    let epilogue = epilogue(frame);
    let mut spans: Vec<usize> = Vec::new();
    spans.extend(Some(prologue % turn_clocks).filter(|&clocks| clocks > 0));
    spans.extend(vec![turn_clocks; prologue / turn_clocks + stages + epilogue / turn_clocks]);
    spans.push(epilogue % turn_clocks);

    let ports = ports(&mut netlist, frame);
    let id_in = netlist.input("id_i", 8, 1, "the block's name, given back with its value")[0];
    let turn = TurnClocks::new(&mut netlist, turn_clocks);
    let take_over = turn.at(&mut netlist, "take_over", turn_clocks - 1);
    let accept_at = (2 * turn_clocks - 1 - spans[0]) % turn_clocks;
    let accept = turn.at(&mut netlist, "accept", accept_at);
    let finish = turn.at(&mut netlist, "finish", epilogue % turn_clocks);

    let total: usize = spans.iter().sum();
    let latency = total + 2;
    let buffer = buffer.unwrap_or(full_buffer(latency, turn_clocks));
    let comment = "blocks and values in the core";
    let used = control_register(&mut netlist, "used", bits_for(buffer), 0, comment);
    // Zero in reset, so that no block is accepted before the stages are cleared.
    let comment = "the output buffer has room for another value";
    let room = control_register(&mut netlist, "room", 1, 0, comment);
    let room_q = netlist.q(room);
    let ready = netlist.and(accept, room_q);
    netlist.name(ready, "ready");
    let load = netlist.and(ports.valid, ready);
    netlist.name(load, "load");

    // Whether each stage contains a block, whether one enters, and whether one stays.
    let mut valid: Vec<Signal> = Vec::new();
    let mut moves = Vec::new();
    for p in 0..spans.len() {
        let name = format!("s{p}_valid");
        let register = control_register(&mut netlist, &name, 1, 0, "the stage has a block");
        let q = netlist.q(register);
        let (by, before) = if p == 0 { (accept, load) } else { (take_over, valid[p - 1]) };
        let enter = netlist.and(by, before);
        netlist.name(enter, &format!("s{p}_enter"));
        let not_by = netlist.not(by);
        let stay = netlist.and(not_by, q);
        netlist.name(stay, &format!("s{p}_stay"));
        let next = netlist.or(enter, stay);
        netlist.name(next, &format!("s{p}_valid_next"));
        netlist.drive(register, next);
        valid.push(q);
        moves.push((enter, stay, next));
    }

    // From the last stage to the first: each stage determines the outputs of the previous one.
    let mut boundary = -(prologue as isize) * n + total as isize * n;
    let results = result_keys(frame, boundary);
    let mut end: BTreeSet<Key> = results.iter().map(|r| r.0).collect();
    end.extend(results.iter().map(|r| r.2));
    end.insert(Key::Id);
    let mut sums = Vec::new();
    let mut id = id_in;
    // The next stage's registers, and the logic that updates them within the step. Registers of a
    // stage without a block are zero.
    let mut after: Vec<(Key, usize, Option<Signal>)> = Vec::new();
    for p in (0..spans.len()).rev() {
        let clocks = spans[p];
        boundary -= clocks as isize * n;
        let offset = if p == 0 { turn_clocks - clocks } else { 0 };
        let leads_to = (0..turn_clocks)
            .map(|phase| ((phase + 1) % turn_clocks).checked_sub(offset).filter(|&k| k < clocks))
            .collect();
        let (enter, stay, active) = moves[p];
        let mut ahead = Ahead::new(turn.phase, Some(active), leads_to);
        let prefix = format!("s{p}_");
        let mut stage = Stage::new(&mut netlist, frame, &mut ahead, &prefix, boundary, clocks);
        if p == 0 {
            stage.input = Some((ports.block.clone(), ports.state.clone()));
        }
        if p + 1 == spans.len() {
            sums = add_chain(&mut stage, frame, &results);
            id = stage.q(Key::Id);
        }
        // The final addition reads the registers of the last stage.
        let needs = needs(&mut stage, clocks, &end, p + 1 == spans.len())?;
        for (key, register, own) in after.drain(..) {
            let given = match needs.next.get(&key) {
                Some(&given) => given,
                None => Some(stage.q(key)),
            };
            let (enter, stay, _) = moves[p + 1];
            let choices = [given.map(|x| (enter, x)), own.map(|x| (stay, x))];
            stage.netlist.drive_choice(register, choices);
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
                    stage.netlist.drive_choice(register, [own.map(|x| (stay, x))]);
                }
                continue;
            }
            let loaded = match key {
                Key::Id => Some(id_in),
                key if needs.at_load.contains(&key) => stage.load(key)?,
                _ => None,
            };
            let choices = [loaded.map(|x| (enter, x)), own.map(|x| (stay, x))];
            stage.netlist.drive_choice(register, choices);
        }
        end = needs.at_load;
    }

    let push = netlist.and(valid[spans.len() - 1], finish);
    netlist.name(push, "push");
    let data: Vec<Signal> = sums.into_iter().chain([id]).collect();
    let (shown, out_valid) = if buffer == 0 {
        let register = control_register(&mut netlist, "out_valid", 1, 0, "a value is shown");
        netlist.drive(register, push);
        let no_used = netlist.q(used);
        netlist.drive(used, no_used);
        let always = netlist.word(1, 1);
        netlist.drive(room, always);
        let shown = data.iter().enumerate().map(|(i, &word)| {
            let out = netlist.register(format!("out{i}"), netlist.width(word), None);
            netlist.drive_choice(out, [Some((push, word))]);
            netlist.q(out)
        });
        (shown.collect::<Vec<_>>(), netlist.q(register))
    } else {
        let taken = netlist.input("state_ready_i", 1, 1, "the value is taken")[0];
        let (shown, out_valid, pop) = queue(&mut netlist, &data, buffer, push, taken);
        // Accept a block only if the buffer has room for its value.
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
    let comment = if buffer == 0 { "a value, for one clock" } else { "a value, held until taken" };
    let (state, id) = (state.to_vec(), Some(*id_out));
    let outputs = Outputs { ready, valid: out_valid, state, id, activity: None };
    let netlist = finished(netlist, frame, outputs, comment);
    Ok(Built { netlist, interval: turn_clocks, latency, buffer, ledger: None })
}

/// A FIFO of values, with the oldest in slot 0.
fn queue(
    netlist: &mut Netlist,
    data: &[Signal],
    slots: usize,
    push: Signal,
    taken: Signal,
) -> (Vec<Signal>, Signal, Signal) {
    let width = bits_for(slots);
    let held = control_register(netlist, "waiting", width, 0, "values in the output buffer");
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
    // Slots without a value are zero.
    let pushed: Vec<Signal> = data
        .iter()
        .map(|&word| {
            let width = netlist.width(word);
            netlist.gate(Gate::Mask(push, word), width)
        })
        .collect();
    let not_pop = netlist.not(pop);
    // Whether all of the earlier slots, and this one, have a value.
    let mut occupied = netlist.word(1, 1);
    for slot in 0..slots {
        let here = netlist.equals(held_q, slot as u64);
        let not_here = netlist.not(here);
        occupied = netlist.and(occupied, not_here);
        netlist.name(occupied, &format!("slot{slot}_occupied"));
        let behind = netlist.equals(held_q, slot as u64 + 1);
        let not_behind = netlist.not(behind);
        // A new value, the next slot's value, or its own.
        let fill = netlist.select(pop, behind, here);
        let shift = netlist.and(pop, not_behind);
        let stay = netlist.and(occupied, not_pop);
        for (signal, name) in [(fill, "fill"), (shift, "shift"), (stay, "stay")] {
            netlist.name(signal, &format!("slot{slot}_{name}"));
        }
        for (i, &word) in pushed.iter().enumerate() {
            let own = netlist.q(registers[slot][i]);
            let older = registers.get(slot + 1).map(|next| (shift, netlist.q(next[i])));
            let choices = [Some((fill, word)), older, Some((stay, own))];
            netlist.drive_choice(registers[slot][i], choices);
        }
    }
    let shown = registers[0].iter().map(|&r| netlist.q(r)).collect();
    (shown, valid, pop)
}
