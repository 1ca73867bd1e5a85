//! Cores that store the chaining value: consecutive blocks of messages with and without stalls, and
//! proofs for all blocks.

use lanesum_rtl::{
    Core, Options, Registers, RtlError, Simulation, Technology, WordOrder, core, prove,
};
use lanesum_spec::{Algorithm, Family};

use crate::rtl::{Numbers, divisors, expected, random_block, streamed};

/// Sends `count` random blocks, or their words, in messages of `len`, stalling each side in `stalls` of
/// four cycles, and checks each output value. Returns the cycles from the first block to the last
/// value, and the number of output values.
fn drive(
    core: &Core,
    count: usize,
    len: usize,
    stalls: u64,
    numbers: &mut Numbers,
) -> (usize, usize) {
    let Options { algorithm, stream, word_order, .. } = core.options;
    let family = algorithm.family();
    let ([valid_i, ready_o, part_i], words) = if stream {
        (["word_valid_i", "word_ready_o", "word_i"], 1)
    } else {
        (["block_valid_i", "block_ready_o", "block_i"], 16)
    };
    let ordered = |mut words: Vec<u64>| {
        if word_order == WordOrder::HighFirst {
            words.reverse();
        }
        words
    };
    let mut simulation = Simulation::new(&core.netlist);
    // The value to continue from, and the value that is due.
    let (mut open, mut due): (Option<Vec<u64>>, Option<Vec<u64>>) = (None, None);
    // Blocks, and words of the next block.
    let (mut sent, mut at) = (0_usize, 0);
    let (mut clocks, mut shown) = (0, 0);
    let mut now = random_block(family, numbers);
    loop {
        let is_last = sent % len == len - 1 || sent + 1 == count;
        let completes = at + words == 16;
        let valid = sent < count && numbers.below(4) >= stalls;
        let ready = numbers.below(4) >= stalls;
        simulation.set(valid_i, &[u64::from(valid)]);
        simulation.set("last_i", &[u64::from(is_last && completes)]);
        simulation.set(part_i, &now.1[at..at + words]);
        simulation.set("state_i", &ordered(now.0.clone()));
        simulation.set("state_ready_i", &[u64::from(ready)]);
        simulation.settle();
        if simulation.get("state_valid_o") == [1] {
            assert_eq!(Some(ordered(simulation.get("state_o"))), due, "{:?}", core.options);
            if ready {
                shown += 1;
                due = None;
                if sent == count {
                    return (clocks, shown);
                }
            }
        }
        if valid && simulation.get(ready_o) == [1] {
            assert!(due.is_none(), "nothing is accepted before the value is taken");
            at += words;
            if completes {
                let value = expected(family, open.as_ref().unwrap_or(&now.0), &now.1);
                (open, due) = if is_last { (None, Some(value)) } else { (Some(value), None) };
                (sent, at) = (sent + 1, 0);
                now = random_block(family, numbers);
            }
        }
        simulation.clock();
        clocks += usize::from(sent > 0 || at > 0);
        assert!(clocks < 100_000, "no progress: {:?}", core.options);
    }
}

/// Checks every possible core of an algorithm: its timing, its values with and without stalls, its
/// proof.
fn every_core(algorithm: Algorithm) {
    let mut numbers = Numbers(5);
    let rounds = Options::new(algorithm, 1).rounds();
    for unfold in divisors(rounds).filter(|n| *n < rounds) {
        for (registers, target) in
            [(Registers::Retimed, "osu018"), (Registers::Free, "osu018"), (Registers::Free, "ecp5")]
        {
            let technology = Technology::named(target).unwrap();
            let plain = Options::new(algorithm, unfold);
            let core = core(&Options { chain: true, registers, technology, ..plain }).unwrap();
            right(&core, &mut numbers);
        }
    }
}

fn right(core: &Core, numbers: &mut Numbers) {
    // There is no idle cycle within a message, and three between messages: the last rounds, the
    // value, and its handshake. A ring needs a cycle for its turn.
    let turn = core.options.unfold == 1 && core.options.algorithm != Algorithm::SHA1;
    let clocks = core.options.rounds() / core.options.unfold + usize::from(turn);
    assert_eq!((core.interval, core.latency), (clocks, clocks + 2));
    assert_eq!(drive(core, 6, 6, 0, numbers), (6 * clocks + 2, 1), "{:?}", core.options);
    assert_eq!(drive(core, 6, 2, 0, numbers), (3 * (2 * clocks + 3) - 1, 3), "{:?}", core.options);
    // Stalls change no value.
    for (len, stalls) in [(1, 0), (1, 2), (3, 1), (5, 2), (9, 3)] {
        let (_, shown) = drive(core, 9, len, stalls, numbers);
        assert_eq!(shown, 9usize.div_ceil(len), "{:?}", core.options);
    }
    prove(core, 6).unwrap_or_else(|e| panic!("{e}: {:?}", core.options));
}

#[test]
fn every_sha1_core_is_correct() {
    every_core(Algorithm::SHA1);
}

#[test]
fn every_sha256_core_is_correct() {
    every_core(Algorithm::SHA256);
}

#[test]
fn every_sha512_core_is_correct() {
    every_core(Algorithm::SHA512);
}

#[test]
fn every_core_for_a_stream_is_correct() {
    let mut numbers = Numbers(11);
    for algorithm in [Algorithm::SHA256, Algorithm::SHA512] {
        for target in ["osu018", "ecp5"] {
            let technology = Technology::named(target).unwrap();
            right(&core(&Options { technology, ..streamed(algorithm) }).unwrap(), &mut numbers);
        }
    }
}

/// The proof rejects a core in which a word of a ring is loaded, or restored, at another place.
#[test]
fn a_ring_in_another_order_is_refuted() {
    let chain = Options { chain: true, ..Options::new(Algorithm::SHA256, 1) };
    for options in [streamed(Algorithm::SHA256), chain] {
        let core = core(&options).unwrap();
        let of = |name: &str| core.netlist.registers.iter().position(|r| r.name == name).unwrap();
        for [one, other] in [["h0", "h1"], ["h6", "h7"], ["a1", "a2"], ["e1", "e2"]] {
            let mut faulty = core.clone();
            let registers = &mut faulty.netlist.registers;
            let next = registers[of(one)].next;
            registers[of(one)].next = registers[of(other)].next;
            registers[of(other)].next = next;
            prove(&faulty, 3).unwrap_err();
        }
    }
}

#[test]
fn options_without_chaining_are_rejected() {
    let one = Options { chain: true, ..Options::new(Algorithm::SHA1, 2) };
    let wrong = [
        Options { stages: 2, ..one.clone() },
        Options { registers: Registers::Paper, ..one.clone() },
        Options { unfold: 80, ..one },
    ];
    for options in wrong {
        let error = core(&options).unwrap_err();
        assert!(matches!(error, RtlError::Conflict("--chain", _)), "{error}");
    }
}

#[test]
fn a_reset_in_any_cycle_discards_all_blocks() {
    let mut numbers = Numbers(7);
    let technology = Technology::named("osu018").unwrap();
    let plain = Options { technology, ..Options::new(Algorithm::SHA1, 4) };
    let core = core(&Options { chain: true, ..plain }).unwrap();
    for at in 0..2 * core.latency + 4 {
        let mut simulation = Simulation::new(&core.netlist);
        let mut clock = |inputs: [u64; 3], block: &(Vec<u64>, [u64; 16])| {
            let ports = ["block_valid_i", "last_i", "state_ready_i"];
            for (port, value) in ports.into_iter().zip(inputs) {
                simulation.set(port, &[value]);
            }
            simulation.set("state_i", &block.0);
            simulation.set("block_i", &block.1);
            if inputs == [0, 0, 0] {
                simulation.reset();
            }
            simulation.settle();
            let value = (simulation.get("state_valid_o") == [1]).then(|| simulation.get("state_o"));
            let ready = simulation.get("block_ready_o") == [1];
            simulation.clock();
            (ready, value)
        };
        // Blocks of one message without pauses, until the reset.
        for _ in 0..at {
            clock([1, 0, 1], &random_block(Family::Sha1, &mut numbers));
        }
        let block = random_block(Family::Sha1, &mut numbers);
        assert_eq!(clock([0, 0, 0], &block), (false, None), "{at}");
        for _ in 0..3 {
            assert_eq!(clock([0, 1, 0], &block), (true, None), "{at}");
        }
        assert_eq!(clock([1, 1, 0], &block), (true, None), "{at}");
        for _ in 1..core.latency {
            assert_eq!(clock([0, 0, 1], &block).1, None, "{at}");
        }
        let value = clock([0, 0, 1], &block).1;
        assert_eq!(value, Some(expected(Family::Sha1, &block.0, &block.1)), "{at}");
    }
}
