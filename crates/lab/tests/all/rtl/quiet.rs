//! Registers that hold while a core is idle, and that a reset or `zeroize_i` clears; clock gates.

use lanesum_rtl::{Core, Gate, Options, Registers, Simulation, Technology, core, wiped};
use lanesum_spec::Algorithm;

use crate::rtl::{Numbers, divisors, random_block, streamed};

/// Cores of every kind: each number of rounds per cycle, each placement, with chaining, for words, and
/// pipelines with and without an output buffer.
fn cores() -> Vec<Core> {
    let mut all = Vec::new();
    for algorithm in [Algorithm::SHA1, Algorithm::SHA256, Algorithm::SHA512] {
        let technology = Technology::named("osu018").unwrap();
        let plain = Options { technology, ..Options::new(algorithm, 1) };
        for unfold in divisors(plain.rounds()).filter(|n| *n <= 16) {
            let one = Options { unfold, ..plain.clone() };
            all.push(Options { chain: true, ..one.clone() });
            all.push(Options { registers: Registers::Paper, ..one.clone() });
            all.push(one);
        }
        for buffer in [Some(0), Some(1), None] {
            let registers = Registers::Rows;
            all.push(Options { stages: 4, unfold: 2, buffer, registers, ..plain.clone() });
        }
        all.push(Options { stages: 4, unfold: 2, ..plain.clone() });
    }
    all.extend([Algorithm::SHA256, Algorithm::SHA512].map(streamed));
    all.push(Options {
        stages: 80,
        buffer: Some(2),
        registers: Registers::Rows,
        ..Options::new(Algorithm::SHA1, 1)
    });
    all.iter().map(|options| core(options).unwrap()).collect()
}

#[test]
fn a_reset_and_zeroize_clear_every_register() {
    for core in cores() {
        wiped(&core).unwrap_or_else(|kept| panic!("{kept:?}: {:?}", core.options));
    }
}

/// A core in which one register keeps its bits is rejected, whichever register it is; so is a core
/// whose outputs are not gated.
#[test]
fn a_register_that_keeps_a_word_is_found() {
    let one = Options::new(Algorithm::SHA256, 1);
    let pipeline = Options { stages: 4, unfold: 2, buffer: Some(2), ..one.clone() };
    let chain = Options { chain: true, ..one.clone() };
    for options in [chain, one, pipeline, streamed(Algorithm::SHA256)] {
        let core = core(&options).unwrap();
        let data: Vec<usize> = (0..core.netlist.registers.len())
            .filter(|&number| core.netlist.registers[number].is_data())
            // A bit that is one in the first cycle of a block can be stuck at one.
            .filter(|&number| core.netlist.width(core.netlist.q(number)) > 1)
            .collect();
        assert!(data.len() > 20);
        for number in data {
            let mut faulty = core.clone();
            let netlist = &mut faulty.netlist;
            let (q, next) = (netlist.q(number), netlist.registers[number].next.unwrap());
            let sticky = netlist.or(q, next);
            netlist.drive(number, sticky);
            let kept = wiped(&faulty).unwrap_err();
            assert!(kept.contains(&core.netlist.registers[number].name), "{kept:?}");
        }
        let mut faulty = core.clone();
        let (_, words) = faulty.netlist.outputs.iter_mut().find(|o| o.0.name == "state_o").unwrap();
        let register = core.netlist.registers.iter().find(|r| r.is_data()).unwrap();
        words[0] = register.signal;
        assert!(wiped(&faulty).unwrap_err().contains(&"state_o".to_owned()));
    }
}

/// The average number of register bits that change per clock, with random words at the inputs.
fn toggles(simulation: &mut Simulation<'_>, core: &Core, clocks: u32) -> f64 {
    let mut numbers = Numbers(11);
    let mut before = simulation.registers().to_vec();
    let mut changed = 0;
    for _ in 0..clocks {
        let (state, block) = random_block(core.options.algorithm.family(), &mut numbers);
        simulation.set("state_i", &state);
        if core.options.stream {
            simulation.set("word_i", &block[..1]);
        } else {
            simulation.set("block_i", &block);
        }
        simulation.clock();
        let after = simulation.registers().to_vec();
        changed += before.iter().zip(&after).map(|(x, y)| (x ^ y).count_ones()).sum::<u32>();
        before = after;
    }
    f64::from(changed) / f64::from(clocks)
}

/// Checks that without a block, or with a value that is not taken, no register changes, whatever the
/// inputs show. A pipeline counts its steps: at most one bit changes for twenty of a busy core.
///
/// # Errors
///
/// The changes per clock, idle and busy.
fn quiet(core: &Core) -> Result<(), [f64; 2]> {
    let mut simulation = Simulation::new(&core.netlist);
    let has = |port: &str| core.netlist.inputs.iter().any(|p| p.name == port);
    let set = |simulation: &mut Simulation<'_>, port: &str, value: u64| {
        if has(port) {
            simulation.set(port, &[value]);
        }
    };
    set(&mut simulation, "state_ready_i", 1);
    let valid = if core.options.stream { "word_valid_i" } else { "block_valid_i" };
    set(&mut simulation, valid, 1);
    set(&mut simulation, "last_i", 1);
    let busy = toggles(&mut simulation, core, 400);
    let limit = if core.options.stages == 1 { 0.0 } else { busy / 20.0 };
    let within = |idle: f64| if idle <= limit { Ok(()) } else { Err([idle, busy]) };
    set(&mut simulation, valid, 0);
    toggles(&mut simulation, core, 2 * core.latency as u32);
    within(toggles(&mut simulation, core, 400))?;
    if core.buffer == 0 {
        return Ok(());
    }
    // The sink stalls; the value remains.
    set(&mut simulation, "state_ready_i", 0);
    set(&mut simulation, valid, 1);
    let many = (core.buffer + 2) * core.latency;
    toggles(&mut simulation, core, many as u32);
    let value = simulation.get("state_o");
    assert_eq!(simulation.get("state_valid_o"), [1]);
    let clocks = if core.options.unfold == 1 { 10_000 } else { 400 };
    let stalled = toggles(&mut simulation, core, clocks);
    assert_eq!((simulation.get("state_valid_o"), simulation.get("state_o")), (vec![1], value));
    within(stalled)
}

#[test]
fn an_idle_core_is_quiet() {
    for core in cores() {
        quiet(&core).unwrap_or_else(|changes| panic!("{changes:?}: {:?}", core.options));
    }
}

/// A core in which one register loads a word without a condition is rejected, whichever register of
/// the schedule it is.
#[test]
fn a_register_that_changes_in_an_idle_core_is_found() {
    let one = Options::new(Algorithm::SHA256, 1);
    for options in [Options { chain: true, ..one.clone() }, one, streamed(Algorithm::SHA256)] {
        let core = core(&options).unwrap();
        let name = if core.options.stream { "word_i" } else { "block_i" };
        let port = core.netlist.inputs.iter().position(|p| p.name == name).unwrap();
        let registers = core.netlist.registers.iter().enumerate();
        let schedule = registers.filter(|(_, r)| r.is_data() && r.name.starts_with('w'));
        let schedule: Vec<usize> = schedule.map(|(number, _)| number).collect();
        assert!(schedule.len() >= 15);
        for number in schedule {
            let mut faulty = core.clone();
            let input = faulty.netlist.gate(Gate::Input(port, 0), 32);
            faulty.netlist.drive(number, input);
            quiet(&faulty).unwrap_err();
        }
    }
}

/// Runs a core with its clock gate next to the same core without one, with stalls of both sides, resets and `zeroize_i`. Returns
/// the percentage of clocks that the gate stops, busy without stalls, with stalls, and idle.
///
/// # Errors
///
/// The name of the first register that differs.
fn gated(core: &Core) -> Result<[u32; 3], String> {
    const CLOCKS: u32 = 1000;
    let mut plain = core.netlist.clone();
    let enable = plain.enable.take().expect("a clock gate");
    plain.output("enable_o", vec![enable], "");
    let mut numbers = Numbers(13);
    let [valid, part] = match core.options.stream {
        true => ["word_valid_i", "word_i"],
        false => ["block_valid_i", "block_i"],
    };
    let mut each = [0; 3];
    for (kind, stopped) in each.iter_mut().enumerate() {
        let mut both = [Simulation::new(&core.netlist), Simulation::new(&plain)];
        for _ in 0..CLOCKS {
            let (state, block) = random_block(core.options.algorithm.family(), &mut numbers);
            let stalls = [0, 3, 4][kind];
            let bits = [valid, "last_i", "state_ready_i", "zeroize_i"].map(|port| {
                let one = match port {
                    "last_i" => numbers.below(3) == 0,
                    "zeroize_i" => kind == 1 && numbers.below(100) == 0,
                    "state_ready_i" => numbers.below(4) >= stalls % 4,
                    _ => numbers.below(4) >= stalls,
                };
                (port, u64::from(one))
            });
            let reset = kind == 1 && numbers.below(200) == 0;
            for simulation in &mut both {
                if reset {
                    simulation.reset();
                }
                for (port, one) in bits {
                    if core.netlist.inputs.iter().any(|p| p.name == port) {
                        simulation.set(port, &[one]);
                    }
                }
                simulation.set("state_i", &state);
                simulation.set(part, &block[..if core.options.stream { 1 } else { 16 }]);
                simulation.settle();
            }
            *stopped += u32::from(both[1].get("enable_o") == [0]);
            both.iter_mut().for_each(Simulation::clock);
            let [gated, plain] = both.each_ref().map(|simulation| simulation.registers());
            if let Some(at) = gated.iter().zip(plain).position(|(x, y)| x != y) {
                return Err(core.netlist.registers[at].name.clone());
            }
        }
    }
    Ok(each.map(|stopped| 100 * stopped / CLOCKS))
}

/// The cores that have a clock gate.
fn with_gate() -> Vec<Core> {
    let mut all = Vec::new();
    for algorithm in [Algorithm::SHA1, Algorithm::SHA256, Algorithm::SHA512] {
        for unfold in [1, 2, 4] {
            let one = Options { unfold, clock_gate: true, ..Options::new(algorithm, 1) };
            all.extend([Options { chain: true, ..one.clone() }, one]);
        }
        if algorithm != Algorithm::SHA1 {
            all.push(Options { clock_gate: true, ..streamed(algorithm) });
        }
    }
    all.iter().map(|options| core(options).unwrap()).collect()
}

#[test]
fn a_clock_gate_stops_only_registers_that_hold() {
    for core in with_gate() {
        let [busy, stalled, idle] =
            gated(&core).unwrap_or_else(|name| panic!("{name}: {:?}", core.options));
        assert!(busy <= 1 && idle >= 99, "{busy}, {idle}: {:?}", core.options);
        // A core for a stream also stops between the words of a block.
        let least = if core.options.stream { 10 } else { 0 };
        assert!(stalled >= least, "{stalled}: {:?}", core.options);
    }
}

/// A gate is rejected that misses a block, a cycle of a block, or the cycle that clears the registers.
#[test]
fn a_clock_gate_that_closes_too_early_is_found() {
    for core in with_gate() {
        let enable = core.netlist.enable.unwrap();
        let of = |name: &str| {
            let registers = &core.netlist.registers;
            registers.iter().find(|r| r.name == name).unwrap().signal
        };
        let take = core.netlist.named("take").unwrap();
        for closes in ["run", "held", "awake", "take"] {
            let mut faulty = core.clone();
            let only = match closes {
                "awake" => of("awake"),
                "take" => take,
                name => faulty.netlist.or(of(name), take),
            };
            faulty.netlist.enable = Some(faulty.netlist.and(enable, only));
            gated(&faulty).unwrap_err();
        }
    }
}
