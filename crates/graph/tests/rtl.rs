//! Every core, run on its netlist against the engine. No HDL tool is needed.

use std::collections::VecDeque;

use heddle_graph::rtl::{Core, Options, Registers, Simulation, core};
use heddle_graph::trace::blocks;
use heddle_spec::{Algorithm, Family};

/// A generator of numbers that repeats itself from its seed: xorshift64*.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 8) % n
    }
}

fn expected(family: Family, state: &[u64], block: &[u64; 16]) -> Vec<u64> {
    let width = family.word_bits() as usize / 8;
    let bytes: Vec<u8> = block.iter().flat_map(|w| w.to_be_bytes()[8 - width..].to_vec()).collect();
    let mut whole = [0; 8];
    whole[..state.len()].copy_from_slice(state);
    heddle_spec::compress(family, &mut whole, &bytes);
    whole[..state.len()].to_vec()
}

fn random_block(family: Family, numbers: &mut Numbers) -> (Vec<u64>, [u64; 16]) {
    let mask = if family.word_bits() == 64 { u64::MAX } else { u64::from(u32::MAX) };
    let state = (0..family.state_words()).map(|_| numbers.next() & mask).collect();
    (state, std::array::from_fn(|_| numbers.next() & mask))
}

/// Drives `count` random blocks through a core, with stalls of either side in
/// `stalls` of four clocks, and checks every value, in order. Gives the clocks.
fn drive(core: &Core, count: usize, stalls: u64, numbers: &mut Numbers) -> usize {
    let family = core.options.algorithm.family();
    let mut simulation = Simulation::new(&core.netlist);
    let pipeline = core.options.stages > 1;
    let mut waiting: VecDeque<(Vec<u64>, u64)> = VecDeque::new();
    let (mut sent, mut received, mut clocks, mut id) = (0, 0, 0, 0);
    let mut now = random_block(family, numbers);
    while received < count {
        let valid = sent < count && numbers.below(4) >= stalls;
        let ready = numbers.below(4) >= stalls;
        simulation.set("block_valid_i", &[u64::from(valid)]);
        if valid {
            simulation.set("block_i", &now.1);
            simulation.set("state_i", &now.0);
        }
        if pipeline {
            simulation.set("id_i", &[id]);
        }
        if core.buffer > 0 {
            simulation.set("state_ready_i", &[u64::from(ready)]);
        }
        simulation.settle();
        if simulation.get("state_valid_o") == [1] {
            let (value, id) = waiting.front().expect("a value only after its block");
            assert_eq!(&simulation.get("state_o"), value, "{:?}", core.options);
            if pipeline {
                assert_eq!(simulation.get("id_o"), [*id]);
            }
            if ready || core.buffer == 0 {
                waiting.pop_front();
                received += 1;
            }
        }
        if valid && simulation.get("block_ready_o") == [1] {
            waiting.push_back((expected(family, &now.0, &now.1), id));
            sent += 1;
            id = numbers.below(256);
            now = random_block(family, numbers);
        }
        simulation.clock();
        clocks += 1;
        assert!(clocks < 100_000, "no progress: {:?}", core.options);
    }
    clocks
}

fn divisors(n: usize) -> impl Iterator<Item = usize> {
    (1..=n).filter(move |d| n.is_multiple_of(*d))
}

#[test]
fn every_divisor_of_the_rounds_is_a_core() {
    let mut numbers = Numbers(1);
    for algorithm in [Algorithm::SHA1, Algorithm::SHA256, Algorithm::SHA512] {
        let rounds = Options::new(algorithm, 1).rounds();
        for unfold in divisors(rounds) {
            for registers in [Registers::Paper, Registers::Rows, Registers::Free] {
                let mut options = Options::new(algorithm, unfold);
                options.registers = registers;
                let core = core(&options).unwrap();
                let clocks = drive(&core, 6, 0, &mut numbers);
                let expected = 6 * core.interval;
                assert!(clocks <= expected + 3, "{clocks} {expected} {options:?}");
                drive(&core, 4, 2, &mut numbers);
            }
        }
    }
}

/// Hashes messages of many lengths on the core, block after block, each from the
/// value of the one before, and compares the digests with the engine's.
#[test]
fn messages_have_the_digests_of_the_engine() {
    let sha512_192 = Algorithm::from_name("sha512/192").unwrap();
    let all = Algorithm::all().filter(|a| !matches!(a.family(), Family::Md5 | Family::Ripemd160));
    for algorithm in all.chain([sha512_192]) {
        let core = core(&Options::new(algorithm, 2)).unwrap();
        let mut simulation = Simulation::new(&core.netlist);
        let family = algorithm.family();
        for len in [0, 1, 3, 55, 56, 63, 64, 111, 112, 127, 128, 1000] {
            let message: Vec<u8> = (0..len).map(|i| (i % 251) as u8).collect();
            let mut state = algorithm.iv()[..family.state_words()].to_vec();
            simulation.set("state_ready_i", &[1]);
            for block in blocks(family, &message) {
                simulation.set("block_valid_i", &[1]);
                simulation.set("block_i", &block);
                simulation.set("state_i", &state);
                simulation.settle();
                assert_eq!(simulation.get("block_ready_o"), [1]);
                simulation.clock();
                simulation.set("block_valid_i", &[0]);
                simulation.settle();
                while simulation.get("state_valid_o") != [1] {
                    simulation.clock();
                    simulation.settle();
                }
                state = simulation.get("state_o");
            }
            let word_len = family.word_bits() as usize / 8;
            let bytes = state.iter().flat_map(|w| w.to_be_bytes()[8 - word_len..].to_vec());
            let digest: Vec<u8> = bytes.take(algorithm.digest_len()).collect();
            assert_eq!(digest, heddle::hash(algorithm, &message).as_ref(), "{algorithm} {len}");
        }
    }
}
