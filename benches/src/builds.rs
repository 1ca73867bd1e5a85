//! Builds as users make them: hashing in cargo's dev profile, compared with the crate `sha2`, and the CPU time of
//! compiling Lanesum.

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use lanesum::Algorithm;
use lanesum_measure::Spread;
use sha2::Digest as _;

use crate::clock::Clock;
use crate::statistics::figure;
use crate::{machine, record, run, samples};

/// The number of timings and of builds.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    record: record::Arguments,
    /// Number of timings of each batch
    #[arg(long, default_value_t = 201)]
    rounds: usize,
    /// Number of builds by each command
    #[arg(long, default_value_t = 3)]
    builds: usize,
    /// Make a trial, whose record is not stored with the others
    #[arg(long)]
    trial: bool,
}

/// Batches: a number of messages, and the bytes of each.
const BATCHES: [(usize, usize); 2] = [(1000, 64), (64, 16 << 10)];

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The column that names the call or the command. Calls fill the columns of samples, commands the columns of builds.
const WHAT: &str = "what";
const BATCH: [&str; 3] = ["library", "messages", "bytes"];
const SAMPLE: [&str; 5] = ["ns", "ghz_before", "width_before", "ghz_after", "width_after"];
const BUILD: [&str; 5] = ["cpu_s_min", "cpu_s_median", "cpu_s_max", "wall_s_median", "builds"];

pub(crate) fn main(arguments: &Arguments) -> Result<()> {
    ensure!(cfg!(debug_assertions), "this program is not compiled in cargo's dev profile");
    ensure!(arguments.rounds > 0, "at least one round is required");
    let mut head = machine::head();
    let what = "SHA-256 in cargo's dev profile, ns per message, both libraries alternately in one process; CPU seconds \
                of commands with an empty target directory, all crates downloaded before";
    head.push(("what", what.to_owned()));
    let columns: Vec<String> =
        [WHAT].iter().chain(&BATCH).chain(&SAMPLE).map(|&name| name.to_owned()).collect();
    // In a separate thread, because commands would inherit its CPU.
    let timings = std::thread::scope(|scope| scope.spawn(|| time(arguments.rounds)).join());
    let timings = timings.ok().context("the measurement panicked")??;
    let judged = samples::judge(&machine::core(), &columns, &timings)?;
    let judged = judged.context("the columns are those of samples")?;
    head.push(("discarded", judged.discarded.to_string()));
    let commands = builds(arguments.builds)?;
    head.extend(machine::state(["load after", "noise after"]));

    let columns: Vec<&str> = judged.columns.iter().map(|name| &name[..]).chain(BUILD).collect();
    let empty = |count| vec![String::new(); count];
    let calls = judged.rows.into_iter().map(|row| [row, empty(BUILD.len())].concat());
    let commands = commands.into_iter().map(|(command, figures)| {
        [vec![command], empty(columns.len() - 1 - BUILD.len()), figures.to_vec()].concat()
    });
    let rows: Vec<_> = calls.chain(commands).collect();
    arguments.record.write("builds", !arguments.trial, &head, &columns, &rows)
}

/// Times both libraries in every round, and returns a row for each sample.
fn time(rounds: usize) -> Result<Vec<Vec<String>>> {
    machine::stay();
    let clock = Clock::new();
    let mut rows = Vec::new();
    for round in 0..rounds {
        for (count, bytes) in BATCHES {
            let messages: Vec<Vec<u8>> = (0..count).map(|i| vec![i as u8; bytes]).collect();
            let mut ours = vec![[0; 32]; count];
            let mut theirs = vec![[0; 32]; count];
            let mut sample = |library: &str, work: &mut dyn FnMut()| {
                let timing = clock.time(work);
                let [before, after] = timing.probes();
                let numbers = [
                    timing.nanoseconds(&clock) / count as f64,
                    before.ghz,
                    before.width,
                    after.ghz,
                    after.width,
                ];
                let names = ["SHA-256".to_owned(), library.to_owned()];
                let batch = [count.to_string(), bytes.to_string()];
                // The first round warms up.
                if round > 0 || rounds == 1 {
                    let numbers = numbers.map(|number| number.to_string());
                    rows.push([&names[..], &batch[..], &numbers[..]].concat());
                }
            };
            sample("lanesum", &mut || {
                lanesum::hash_many(Algorithm::SHA256, black_box(&messages), &mut ours);
            });
            sample("sha2", &mut || {
                for (message, digest) in black_box(&messages).iter().zip(&mut theirs) {
                    *digest = sha2::Sha256::digest(message).into();
                }
            });
            ensure!(ours == theirs, "the digests differ");
        }
    }
    Ok(rows)
}

/// The commands, by their names in the record.
fn commands(folder: &Path) -> Result<Vec<(String, Command)>> {
    let readme = fs::read_to_string(Path::new(ROOT).join("README.md"))?;
    let first = readme.lines().find_map(|line| line.strip_prefix("$ cargo run "));
    let first = first.context("README.md has no command `cargo run`")?;
    let first = first.split('#').next().unwrap_or_default().trim();
    let cargo = |line: &str| {
        let mut command = Command::new("cargo");
        command.args(line.split_whitespace());
        (format!("cargo {line}"), command)
    };
    let mut pip = Command::new(folder.join("venv/bin/pip"));
    pip.args(["install", "./crates/python"]);
    Ok(vec![
        ("pip install ./crates/python".to_owned(), pip),
        cargo("build --release -p lanesum"),
        cargo(&format!("run {first}")),
    ])
}

/// Runs every command several times, alternately, with an empty target directory and a new Python environment.
/// Returns the figures of each.
fn builds(rounds: usize) -> Result<Vec<(String, [String; 5])>> {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/builds");
    let clear = || if folder.exists() { fs::remove_dir_all(&folder) } else { Ok(()) };
    let mut runs: Vec<(String, Vec<run::Run>)> = Vec::new();
    let done = |command: &mut Command| -> Result<run::Run> {
        // Cargo sets variables for this program that it does not set for a user.
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("CARGO_") && name != "CARGO_HOME" {
                command.env_remove(name);
            }
        }
        command.env_remove("RUSTFLAGS").env_remove("MAKEFLAGS").env_remove("MAKELEVEL");
        command.env("CARGO_TARGET_DIR", folder.join("target")).current_dir(ROOT);
        let run = run::run(command)?;
        if let Some(failure) = &run.failure {
            bail!("{command:?}: {failure}");
        }
        Ok(run)
    };
    for _ in 0..rounds {
        for (i, (name, mut command)) in commands(&folder)?.into_iter().enumerate() {
            clear()?;
            done(Command::new("cargo").args(["fetch", "--locked"]))?;
            done(Command::new("python3").args(["-m", "venv"]).arg(folder.join("venv")))?;
            let run = done(&mut command)?;
            if runs.len() == i {
                runs.push((name, Vec::new()));
            }
            runs[i].1.push(run);
        }
    }
    clear()?;
    let figures = |runs: &[run::Run]| -> Option<[String; 5]> {
        let cpu = Spread::of(&runs.iter().map(run::Run::cpu).collect::<Vec<_>>())?;
        let wall = Spread::of(&runs.iter().map(|run| run.wall).collect::<Vec<_>>())?;
        let seconds = |value| figure(Some(value), 1);
        let [least, median, most] = [cpu.least, cpu.median, cpu.most].map(seconds);
        Some([least, median, most, seconds(wall.median), runs.len().to_string()])
    };
    let rows = runs.iter().map(|(name, runs)| Some((name.clone(), figures(runs)?)));
    rows.collect::<Option<_>>().context("no build")
}
