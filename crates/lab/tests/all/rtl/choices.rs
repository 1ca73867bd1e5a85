//! Default choices of core options, how they are reported, and the rejection of invalid options.

use std::path::Path;
use std::process::{Command, Output};

use lanesum_rtl::{Core, Goal, MeasuredCore, Options, Simulation, Technology, best_unfold, core};
use lanesum_spec::Algorithm;

pub fn command(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lanesum-graph")).arg("rtl").args(args).output().unwrap()
}

/// Writes a core to a new directory and returns the command's output.
fn printed(folder: &str, args: &[&str]) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    let output = command(&[args, &["-o", folder.to_str().unwrap()]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn invalid_options_list_the_valid_choices() {
    let cases: [(&[&str], &str); 29] = [
        (&["-a", "sha1", "-u", "3"], "3 rounds a clock do not divide 80; choose among 1, 2, 4, 5"),
        (&["-a", "sha256", "-u", "0"], "0 rounds a clock do not divide 64; choose among 1, 2, 4"),
        (&["-a", "sha1", "-u", "8", "-s", "4"], "4 stages do not divide 10 clocks; choose among 1"),
        (
            &["-a", "sha1", "-u", "1", "-t", "7nm"],
            "unknown target `7nm`; there are generic, osu018",
        ),
        (&["-a", "sha1", "-u", "1", "--buffer", "2"], "--buffer does not go with --stages 1"),
        (&["-a", "md5", "-u", "1"], "unknown algorithm `md5`; there are sha1, sha224"),
        (
            &["-a", "sha1", "-u", "2", "-s", "4", "--buffer", "257"],
            "--buffer 257 is too many values; choose from 0 to 256",
        ),
        (
            &["-a", "sha1", "-s", "4", "--buffer", "99999999999"],
            "--buffer 99999999999 is too many values; choose from 0 to 256",
        ),
        // The user did not choose the rounds per cycle.
        (
            &["-a", "sha1", "-s", "3"],
            "3 stages do not divide 80 rounds; choose among 1, 2, 4, 5, 8, 10, 16, 20, 40, 80\n",
        ),
        (
            &["-a", "sha256", "-s", "3"],
            "3 stages do not divide 64 rounds; choose among 1, 2, 4, 8, 16, 32, 64\n",
        ),
        (&["-a", "sha512", "-s", "0"], "0 stages do not divide 80 rounds; choose among 1, 2"),
        (&["-a", "sha1", "-s", "2", "--chain"], "--chain does not go with a pipeline"),
        (&["-a", "sha1", "-s", "3", "--chain"], "--chain does not go with a pipeline"),
        (
            &["-a", "sha1", "-u", "3", "--chain", "--registers", "rows"],
            "--chain does not go with --registers paper or rows",
        ),
        (&["-a", "sha1", "--name", "Sha1"], "--name Sha1 is not a module name; use lower-case"),
        (&["-a", "sha1", "--name", "sha1__x"], "--name sha1__x is not a module name"),
        (&["-a", "sha1", "--name", "module"], "--name module is not a module name"),
        (&["-a", "sha1", "--name", "always_ff"], "--name always_ff is not a module name"),
        (
            &["-a", "sha1", "-u", "4", "--stream"],
            "--stream does not go with sha1; its shell is for SHA-2",
        ),
        (
            &["-a", "sha256", "-u", "1", "--chain", "--stream"],
            "--stream does not go with --chain, which is for whole blocks",
        ),
        (
            &["-a", "sha256", "-u", "2", "--stream"],
            "--stream does not go with more rounds a clock than words; choose --unfold 1",
        ),
        (&["-a", "sha256", "-s", "2", "--stream"], "--stream does not go with a pipeline"),
        (
            &["-a", "sha256", "--registers", "rows", "--stream"],
            "--stream does not go with --registers, which are placed in one way only",
        ),
        (
            &["-a", "sha512", "-u", "1", "--stream", "--word-order", "low-first"],
            "--stream does not go with --word-order low-first",
        ),
        (
            &["-a", "sha512", "-u", "1", "--stream", "-l", "vhdl"],
            "--stream does not go with --language vhdl",
        ),
        (&["-a", "sha1", "--package", "x", "-l", "vhdl"], "--package does not go with"),
        (&["-a", "sha1", "-s", "2", "--clock-gate"], "--clock-gate does not go with a pipeline"),
        (
            &["-a", "sha1", "--clock-gate", "-l", "vhdl"],
            "--clock-gate does not go with --language vhdl",
        ),
        (&["-a", "sha1", "--word-order", "big"], "invalid value 'big' for '--word-order"),
    ];
    for (args, expected) in cases {
        let output = command(&[args, &["-o", "/nonexistent/core"]].concat());
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(expected), "{error}");
        assert_eq!(output.status.code(), Some(2), "{error}");
    }
}

/// With a given number of stages, only compatible numbers of rounds per cycle are considered.
#[test]
fn stages_restrict_the_rounds_per_cycle() {
    for stages in [16, 40] {
        let options = Options { stages, buffer: Some(0), ..Options::new(Algorithm::SHA1, 1) };
        let core = best_unfold(&options, Goal::Throughput).unwrap();
        assert_eq!(80 / core.options.unfold % stages, 0, "{}", core.options.unfold);
    }
}

/// Average cycles between values, if blocks are always offered and values always accepted. Measured
/// over `4 * slots` values after a warm-up of as many.
fn clocks_a_value(core: &Core, slots: usize) -> usize {
    let mut simulation = Simulation::new(&core.netlist);
    simulation.set("block_valid_i", &[1]);
    if core.buffer > 0 {
        simulation.set("state_ready_i", &[1]);
    }
    let (mut clock, mut values) = (0, Vec::new());
    while values.len() <= 8 * slots {
        simulation.settle();
        if simulation.get("state_valid_o") == [1] {
            values.push(clock);
        }
        simulation.clock();
        clock += 1;
        assert!(clock < 100_000, "no progress: {:?}", core.options);
    }
    let clocks: usize = values[8 * slots] - values[4 * slots];
    clocks.div_ceil(4 * slots)
}

#[test]
#[ignore = "long: run by `cargo xtask test-long`"]
fn the_interval_matches_a_simulation_for_every_buffer() {
    let sha1 = [(1, 2), (2, 4), (4, 4), (8, 5), (10, 8)].map(|(n, p)| (Algorithm::SHA1, n, p));
    for (algorithm, unfold, stages) in
        sha1.into_iter().chain([(Algorithm::SHA256, 2, 8), (Algorithm::SHA512, 4, 5)])
    {
        let made =
            |buffer| core(&Options { stages, buffer, ..Options::new(algorithm, unfold) }).unwrap();
        let full = made(None);
        let turn = full.options.rounds() / unfold / stages;
        assert_eq!((full.interval, clocks_a_value(&full, full.buffer)), (turn, turn));
        let mut last = usize::MAX;
        let middle = full.buffer / 2 + 1;
        let most = full.buffer + 1;
        // All buffers if there are few; otherwise the ends and the middle.
        for buffer in (1..=most)
            .filter(|b| most <= 6 || [1, 2, middle, most - 2, most - 1, most].contains(b))
            .chain([0])
        {
            let core = made(Some(buffer));
            assert_eq!(core.interval, clocks_a_value(&core, buffer.max(1)), "{:?}", core.options);
            assert!(core.interval <= last, "{:?}", core.options);
            last = core.interval;
        }
    }
    let args = ["-a", "sha1", "-u", "2", "-s", "4"];
    let one = printed("buffer-1", &[&args[..], &["--buffer", "1"]].concat());
    assert!(one.contains("a block every 50 clocks"), "{one}");
    let full = printed("buffer-full", &args);
    assert!(full.contains("a block every 10 clocks"), "{full}");
}

/// Measured SHA-1 cores with one set of registers.
fn measured_cores(technology: &Technology) -> Vec<(Core, MeasuredCore)> {
    let here = |m: &&MeasuredCore| m.algorithm == "sha1" && m.stages == 1 && !m.chain;
    let cores = technology.measured.iter().filter(here).map(|m| {
        let technology = technology.clone();
        let options = Options { technology, ..Options::new(Algorithm::SHA1, m.unfold) };
        (core(&options).unwrap(), m.clone())
    });
    cores.collect()
}

/// A core, with a measurement of `off` times the predicted period and area.
fn as_predicted(core: &Core, off: f64) -> (Core, MeasuredCore) {
    let Options { algorithm, unfold, stages, chain, .. } = core.options;
    let (algorithm, period, area) =
        (algorithm.name().to_owned(), core.period() * off, core.area() * off);
    let target = core.options.technology.name.clone();
    (
        core.clone(),
        MeasuredCore { target, algorithm, unfold, stages, chain, period, area, older: false },
    )
}

fn rate(core: &Core, period: f64) -> f64 {
    1.0 / (core.interval as f64 * period)
}

#[test]
#[ignore = "long: run by `cargo xtask test-long`"]
fn the_rounds_per_cycle_are_chosen_for_target_and_goal() {
    let chosen = |target: &str, best: &str| {
        let args = ["-a", "sha1", "-t", target, "--best", best];
        printed(&format!("best-{target}-{best}"), &args)
    };
    let per_area = chosen("osu018", "per-area");
    assert!(per_area.starts_with("SHA-1: 2 rounds a clock"), "{per_area}");
    let cores = measured_cores(&Technology::named("osu018").unwrap());
    let (_, two) = cores.iter().find(|(_, m)| m.unfold == 2 && !m.chain).unwrap();
    let figures = format!("measured: {:.2} ns, {:.0} GE\n", two.period, two.area);
    assert!(per_area.ends_with(&figures), "{per_area}");

    for target in ["osu018", "ecp5", "ice40"] {
        let technology = Technology::named(target).unwrap();
        let cores = measured_cores(&technology);
        for goal in [Goal::Throughput, Goal::PerArea] {
            let worth = |(core, m): &(Core, MeasuredCore)| {
                rate(core, m.period) / if goal == Goal::PerArea { m.area } else { 1.0 }
            };
            let most = cores.iter().map(worth).fold(0.0, f64::max);
            let options =
                Options { technology: technology.clone(), ..Options::new(Algorithm::SHA1, 1) };
            let best = best_unfold(&options, goal).unwrap();
            // No measured core is better, even than the corrected prediction of an unmeasured core.
            if let Some(m) = best.measured().cloned() {
                assert_eq!(worth(&(best, m)), most, "{target} {goal:?}");
            } else {
                let worst = cores.iter().map(|c| worth(c) / worth(&as_predicted(&c.0, 1.0)));
                let corrected = worth(&as_predicted(&best, 1.0)) * worst.fold(1e9, f64::min);
                assert!(corrected > most, "{target} {goal:?}");
            }
            if (target, goal) == ("ecp5", Goal::Throughput) {
                // According to the measurements, four rounds per cycle beat two.
                let of = |n| cores.iter().find(|c| c.1.unfold == n).map(worth).unwrap();
                assert!(of(4) > of(2));
            }
        }
    }
    let text = chosen("ecp5", "throughput");
    let unfold: usize = text.split(' ').nth(1).unwrap().parse().unwrap();
    assert!(unfold >= 4, "{text}");
}

/// Measured cores are compared with predictions for the others, scaled by the worst measured error.
#[test]
#[ignore = "long: run by `cargo xtask test-long`"]
fn predictions_are_corrected_by_measurements() {
    let technology = Technology::named("osu018").unwrap();
    let technology = Technology { measured: Vec::new(), ..technology };
    let chosen = |measured: Vec<MeasuredCore>, goal| {
        let technology = Technology { measured, ..technology.clone() };
        let options = Options { technology, ..Options::new(Algorithm::SHA1, 1) };
        best_unfold(&options, goal).unwrap().options.unfold
    };
    let as_if = |unfold, off: f64| {
        let options =
            Options { technology: technology.clone(), ..Options::new(Algorithm::SHA1, unfold) };
        as_predicted(&core(&options).unwrap(), off).1
    };
    for goal in [Goal::Throughput, Goal::PerArea] {
        let best = chosen(vec![], goal);
        let other = if best == 1 { 2 } else { 1 };
        // A single measurement, better or worse than predicted, scales all predictions equally.
        for off in [0.5, 2.0] {
            assert_eq!(chosen(vec![as_if(other, off)], goal), best, "{goal:?} {off}");
            assert_eq!(chosen(vec![as_if(best, off)], goal), best, "{goal:?} {off}");
        }
        // With two measurements, the better one wins; all predictions are scaled by the worse.
        for off in [(2.0, 0.5), (1.9, 1.0)] {
            let found = chosen(vec![as_if(best, off.0), as_if(other, off.1)], goal);
            assert_eq!(found, other, "{goal:?} {off:?}");
        }
        let found = chosen(vec![as_if(other, 1.0), as_if(16, 1.0)], goal);
        assert_eq!(found, best, "{goal:?}");
        let found = chosen(vec![as_if(other, 1.0), as_if(16, 2.0)], goal);
        assert_eq!(found, other, "{goal:?}");
    }
}
