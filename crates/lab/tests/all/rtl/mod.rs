//! Simulates the netlist of every core and compares it with the engine. No HDL tool is needed.

mod chain;
mod choices;
mod quiet;
mod text;

use std::collections::VecDeque;

use std::path::Path;

use lanesum_graph::trace::blocks;
use lanesum_rtl::{
    Core, Language, Options, Registers, RtlError, Simulation, Synthesized, Technology, WordOrder,
    calibrate, core, prove, table,
};
use lanesum_spec::{Algorithm, Family};

use crate::rtl::choices::command;

/// A reproducible pseudorandom generator: xorshift64*.
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

/// A core that accepts words.
fn streamed(algorithm: Algorithm) -> Options {
    let word_order = WordOrder::HighFirst;
    Options { stream: true, word_order, ..Options::new(algorithm, 1) }
}

fn expected(family: Family, state: &[u64], block: &[u64; 16]) -> Vec<u64> {
    let width = family.word_bits() as usize / 8;
    let bytes: Vec<u8> = block.iter().flat_map(|w| w.to_be_bytes()[8 - width..].to_vec()).collect();
    let mut whole = [0; 8];
    whole[..state.len()].copy_from_slice(state);
    lanesum_spec::compress(family, &mut whole, &bytes);
    whole[..state.len()].to_vec()
}

fn random_block(family: Family, numbers: &mut Numbers) -> (Vec<u64>, [u64; 16]) {
    let mask = if family.word_bits() == 64 { u64::MAX } else { u64::from(u32::MAX) };
    let state = (0..family.state_words()).map(|_| numbers.next() & mask).collect();
    (state, std::array::from_fn(|_| numbers.next() & mask))
}

/// Drives `count` random blocks through a core, stalling each side in `stalls` of four cycles, and
/// checks every value in order. Returns the number of cycles.
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

const REGISTERS: [Registers; 4] =
    [Registers::Paper, Registers::Rows, Registers::Retimed, Registers::Free];

fn divisors(n: usize) -> impl Iterator<Item = usize> {
    (1..=n).filter(move |d| n.is_multiple_of(*d))
}

#[test]
fn every_divisor_of_the_rounds_yields_a_core() {
    let mut numbers = Numbers(1);
    for algorithm in [Algorithm::SHA1, Algorithm::SHA256, Algorithm::SHA512] {
        let rounds = Options::new(algorithm, 1).rounds();
        for unfold in divisors(rounds) {
            for registers in REGISTERS {
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

/// Proves for all blocks that each core has the specification's normal form, whatever its
/// unfolding.
#[test]
fn every_core_is_proven_equal_to_the_specification() {
    let pipelines = [
        (Algorithm::SHA1, 1, 80),
        (Algorithm::SHA1, 2, 4),
        (Algorithm::SHA1, 8, 5),
        (Algorithm::SHA256, 1, 4),
    ];
    let mut cases: Vec<(Algorithm, usize, usize)> = pipelines.into();
    for algorithm in [Algorithm::SHA1, Algorithm::SHA256, Algorithm::SHA512] {
        let rounds = Options::new(algorithm, 1).rounds();
        cases.extend(divisors(rounds).map(|unfold| (algorithm, unfold, 1)));
    }
    for (algorithm, unfold, stages) in cases {
        for registers in REGISTERS {
            if stages == 80 && matches!(registers, Registers::Retimed | Registers::Free) {
                continue;
            }
            let technology = Technology::named("osu018").unwrap();
            let options =
                Options { stages, registers, technology, ..Options::new(algorithm, unfold) };
            let core = core(&options).unwrap();
            prove(&core, 2).unwrap_or_else(|e| panic!("{e}: {options:?}"));
        }
    }
}

/// Hashes messages of many lengths on the core, block by block with chaining outside the core, and
/// compares the digests with the engine's.
#[test]
fn digests_match_the_engine() {
    let sha512_192 = Algorithm::from_name("sha512/192").unwrap();
    let all = Algorithm::all().filter(|a| a.family().is_fips());
    for algorithm in all.chain([sha512_192]) {
        let core = core(&Options::new(algorithm, 2)).unwrap();
        let mut simulation = Simulation::new(&core.netlist);
        let family = algorithm.family();
        for len in [0, 1, 3, 55, 56, 63, 64, 111, 112, 127, 128, 1000] {
            let message: Vec<u8> = (0..len).map(|i| (i % 251) as u8).collect();
            let mut state = algorithm.iv()[..family.state_words()].to_vec();
            simulation.set("state_ready_i", &[1]);
            simulation.clock();
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
            assert_eq!(digest, lanesum::hash(algorithm, &message).as_ref(), "{algorithm} {len}");
        }
    }
}

#[test]
#[ignore = "long: run by `cargo xtask test-long`"]
fn pipelines_of_many_depths_preserve_order_and_ids() {
    let mut numbers = Numbers(2);
    let sha1 = [(1, 2), (1, 80), (2, 4), (2, 8), (4, 4), (8, 5), (10, 8), (80, 1)];
    let sha256 = [(1, 4), (1, 64), (2, 8), (8, 2)];
    let cases = [(Algorithm::SHA1, &sha1[..]), (Algorithm::SHA256, &sha256)];
    for (algorithm, unfold, stages) in cases
        .iter()
        .flat_map(|(a, list)| list.iter().map(move |&(n, p)| (*a, n, p)))
        .chain([(Algorithm::SHA512, 1, 5)])
        .filter(|case| case.2 > 1)
    {
        for registers in REGISTERS {
            for buffer in [None, Some(0), Some(1)] {
                // A few blocks per stage are enough.
                let options = Options {
                    stages,
                    registers,
                    buffer,
                    technology: Technology::named("osu018").unwrap(),
                    ..Options::new(algorithm, unfold)
                };
                let many = matches!(registers, Registers::Retimed | Registers::Free);
                if many && buffer != Some(0) && stages > 8 {
                    continue;
                }
                // Another test simulates the interval with this buffer; it does not depend on the
                // registers.
                if buffer == Some(1) && registers != Registers::Rows {
                    continue;
                }
                let core = core(&options).unwrap();
                let count = 2 * stages.min(20) + 3;
                let clocks = drive(&core, count, 0, &mut numbers);
                if buffer != Some(1) {
                    let full = core.latency + count * core.interval;
                    assert!(clocks <= full + 2, "{clocks} > {full}: {options:?}");
                }
                drive(&core, 8, 2, &mut numbers);
            }
        }
    }
}

/// The paper's figure 6 line by line, and its table 1: n + 2 additions on a cycle's critical path.
#[test]
fn the_papers_registers_reproduce_the_papers_clock_periods() {
    let clocks = [
        (1, "3A"),
        (2, "4A"),
        (4, "6A+F"),
        (5, "7A+2F"),
        (8, "10A+3F"),
        (10, "12A+4F"),
        (16, "18A+7F"),
        (20, "22A+9F"),
        (40, "42A+19F"),
        (80, "82A+39F"),
    ];
    let retimed = [(2, "2A+F"), (4, "4A+2F"), (8, "8A+4F")];
    let mut options = Options::new(Algorithm::SHA1, 1);
    options.registers = Registers::Paper;
    for (unfold, clock) in clocks {
        options.unfold = unfold;
        let core = core(&options).unwrap();
        assert_eq!(core.path.to_string(), clock, "n = {unfold}");
        assert_eq!(core.interval, 80 / unfold + 2);
    }
    let lines = ["3A", "4A", "5A+F", "6A+F", "7A+2F", "8A+2F", "9A+3F", "10A+3F"];
    options.unfold = 8;
    let text = &lanesum_rtl::verilog::files(&core(&options).unwrap())[0].1;
    for (i, arrival) in lines.into_iter().enumerate() {
        let line = format!("logic [31:0] a_t{};  // {arrival}\n", i + 1);
        assert!(text.contains(&line), "{line}");
    }
    // Without the two additions at the end of every sum: the iteration bound, A + F/2.
    options.registers = Registers::Retimed;
    options.technology = Technology::named("osu018").unwrap();
    for (unfold, clock) in retimed {
        options.unfold = unfold;
        assert_eq!(core(&options).unwrap().path.to_string(), clock, "n = {unfold}");
    }
    // A word in carry-save form waits for only five bits, which beats that bound.
    options.registers = Registers::Free;
    for unfold in [1, 2, 4, 8] {
        options.unfold = unfold;
        let (core, technology) = (core(&options).unwrap(), &options.technology);
        let bound = technology.add + technology.function / 2.0;
        assert!(core.placement.kept, "n = {unfold}");
        assert!(core.path.value < bound * unfold as f64, "n = {unfold}: {}", core.path);
    }
}

#[test]
fn a_reset_discards_a_block_and_a_busy_core_accepts_none() {
    let core = core(&Options::new(Algorithm::SHA1, 4)).unwrap();
    let mut numbers = Numbers(3);
    let (state, block) = random_block(Family::Sha1, &mut numbers);
    let mut simulation = Simulation::new(&core.netlist);
    simulation.set("block_i", &block);
    simulation.set("state_i", &state);
    simulation.set("block_valid_i", &[1]);
    simulation.set("state_ready_i", &[1]);
    // The first clock edge clears the registers, the second accepts the block.
    simulation.clock();
    simulation.clock();
    for _ in 0..7 {
        // Offered in every cycle, and never accepted.
        simulation.settle();
        assert_eq!(simulation.get("block_ready_o"), [0]);
        simulation.clock();
    }
    simulation.set("block_valid_i", &[0]);
    simulation.reset();
    for clock in 0..100 {
        simulation.settle();
        assert_eq!(simulation.get("state_valid_o"), [0]);
        assert_eq!(simulation.get("block_ready_o"), [u64::from(clock > 0)]);
        simulation.clock();
    }
    drive(&core, 3, 1, &mut numbers);
}

/// Only sources for synthesis are at the top, and equal commands write equal files.
#[test]
fn output_files_are_reproducible() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rtl");
    let _ = std::fs::remove_dir_all(&folder);
    let read = |name: &str| {
        let folder = folder.join(name);
        let args = ["-a", "sha512/256", "-u", "2", "-s", "2", "-t", "osu018", "-o"];
        let output = command(&[&args[..], &[folder.to_str().unwrap()]].concat());
        assert!(output.status.success());
        let mut names: Vec<String> = std::fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        let files =
            ["sha512_256_core.sv", "sha512_256_core_add.sv", "sha512_256_core_row.sv", "tb"];
        assert_eq!(names, files);
        std::fs::read(folder.join("sha512_256_core.sv")).unwrap()
    };
    assert_eq!(read("one"), read("two"));
}

/// Files of a previous core in the directory are removed; files that are not generated remain.
#[test]
fn a_directory_contains_one_core() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rtl-again");
    let _ = std::fs::remove_dir_all(&folder);
    let names = |below: &str| {
        let entries = std::fs::read_dir(folder.join(below)).into_iter().flatten().flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    let write = |args: &[&str]| {
        let output = command(&[args, &["-o", folder.to_str().unwrap()]].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    write(&["-a", "sha1", "-u", "2"]);
    assert!(names("formal").contains(&"sha1_core.sby".to_owned()), "{:?}", names("formal"));
    std::fs::write(folder.join("top.sv"), "module top; endmodule\n").unwrap();
    write(&["-a", "sha256", "-u", "2", "--language", "vhdl", "--registers", "paper"]);
    let top = ["formal", "sha256_core.vhd", "sha256_core_add.vhd", "tb", "top.sv"];
    assert_eq!(names(""), top);
    assert_eq!(names("tb"), ["sha256_core_tb.vhd", "vectors.hex"]);
    assert!(names("formal").is_empty());
    // If a file cannot be written, the existing core remains.
    std::fs::create_dir_all(folder.join("tb/vectors.hex.part")).unwrap();
    let output = command(&["-a", "sha1", "-u", "4", "-o", folder.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("vectors.hex.part"), "{error}");
    assert_eq!(names("").iter().filter(|name| name.contains("sha")).count(), 2);
}

/// The generated proofs contain an assertion for every row that outputs a pair. Without them, the
/// proof would be vacuous. This check needs no sby.
#[test]
fn cores_with_carry_save_pairs_have_proofs() {
    let files = |options: &Options, language| {
        let core = core(options).unwrap();
        let kept = core.placement.kept;
        let files = lanesum_rtl::files(&core, language);
        (kept, files.into_iter().collect::<std::collections::HashMap<_, _>>())
    };
    let technology = Technology::named("osu018").unwrap();
    for unfold in [1, 2, 4, 8, 80] {
        let options =
            Options { technology: technology.clone(), ..Options::new(Algorithm::SHA1, unfold) };
        let (kept, files) = files(&options, Language::Sv);
        assert!(kept, "{unfold}");
        let script = |name: &str| &files[&format!("formal/{name}.sby")];
        let expose = "step: expose -evert -sep _ sha1_core/t:sha1_core_low\n";
        assert!(script("sha1_core_step").contains(expose));
        for (proof, name) in [
            ("sha1_core_step", "sha1_core_low_formal.sv"),
            ("sha1_core_step", "sha1_core_row_formal.sv"),
            ("sha1_core", "sha1_core_control.sv"),
        ] {
            assert!(script(proof).contains(name) && files.contains_key(&format!("formal/{name}")));
        }
        let step = &files["formal/sha1_core_step.sv"];
        let rows: Vec<&str> = files["sha1_core.sv"]
            .lines()
            .filter_map(|line| line.trim().strip_prefix("sha1_core_low "))
            .map(|line| line.split(' ').next().unwrap())
            .collect();
        assert!(rows.len() == unfold || rows.len() == unfold + 1, "{unfold}: {rows:?}");
        for row in rows {
            let sum = format!("{row}_a + ");
            assert!(
                step.lines().any(|line| line.contains("assert") && line.contains(&sum)),
                "{row}"
            );
        }
        for register in ["a_save", "a_carry"] {
            assert!(step.contains(&format!("assert (load_{register}")), "{unfold}: {register}");
        }
    }
    let options = Options::new(Algorithm::SHA1, 2);
    // Its registers mix words of two blocks, so `formal/` proves only the behavior at its ports.
    let (_, chained) = files(&Options { chain: true, ..options.clone() }, Language::Sv);
    let formal = chained.keys().filter(|name| name.starts_with("formal/"));
    let mut formal: Vec<&str> = formal.map(String::as_str).collect();
    formal.sort_unstable();
    assert_eq!(formal, ["formal/sha1_core.sby", "formal/sha1_core_control.sv"]);
    let others =
        [(Options { stages: 4, ..options.clone() }, Language::Sv), (options, Language::Vhdl)];
    for (options, language) in others {
        let (_, files) = files(&options, language);
        assert!(!files.keys().any(|name| name.starts_with("formal/")), "{options:?}");
    }
}

#[test]
fn calibration_recovers_the_delays_and_areas() {
    let made_up = Technology {
        add: 2.0,
        row: 0.75,
        function: 0.5,
        sigma: 0.25,
        overhead: 1.5,
        wide: 1.5,
        ..Technology::named("generic").unwrap()
    };
    let found = calibrate(&made_up, |name, files| {
        assert!(files.iter().any(|f| f.0.ends_with("_core.sv")), "{name}");
        let (period, area) = match name {
            "add1" => (1.5 + 2.0, 600.0 + 195.0),
            "add3" => (1.5 + 6.0, 1800.0 + 195.0),
            "row" => (1.5 + 2.75, 600.0 + 195.0 + 90.0),
            "function" => (1.5 + 2.5, 600.0 + 195.0 + 60.0),
            "sigma" => (1.5 + 2.25, 600.0 + 195.0),
            "wide1" => (1.5 + 3.0, 0.0),
            "wide3" => (1.5 + 9.0, 0.0),
            // In this technology, A + F is less than A + C.
            "core" => (2.5 + 4.0, 0.0),
            name => panic!("{name}"),
        };
        Ok::<_, RtlError>(Synthesized { area, period })
    })
    .unwrap();
    let delays = [found.add, found.row, found.function, found.sigma, found.wide, found.overhead];
    assert_eq!(delays, [2.0, 0.75, 0.5, 0.25, 1.5, 4.0]);
    let areas = [found.area.add, found.area.row, found.area.function, found.area.bit];
    assert_eq!(areas, [600.0, 90.0, 20.0, 1.0]);
    assert!(table(&found).contains("row = 0.75\n"));
}
