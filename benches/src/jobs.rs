//! Whole programs on real files, alternately, many times.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use lanesum_measure::{median, minimum};

use crate::data;
use crate::machine::{self, Head};
use crate::peers::{self, Action, Peer, Task};
use crate::record;
use crate::run::{Run, run};
use crate::statistics::figure;

/// The programs to run, and the files.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    data: data::Arguments,
    #[command(flatten)]
    peers: peers::Arguments,
    #[command(flatten)]
    record: record::Arguments,
    /// Number of runs of each program for each job
    #[arg(long, default_value_t = 7)]
    rounds: usize,
    /// Number of runs of a program that takes 3 times as long as the fastest
    #[arg(long, default_value_t = 2)]
    slow_rounds: usize,
    /// Number of runs of each program for start-up time
    #[arg(long, default_value_t = 150)]
    starts: usize,
    /// Drop the page cache before every run (needs root)
    #[arg(long)]
    cold: bool,
    /// Run only jobs with these name prefixes: tree-small,check
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Run only peers with these name prefixes: lanesum,go,ceiling
    #[arg(long, value_delimiter = ',')]
    with: Vec<String>,
}

/// A line of the table of jobs.
struct Job {
    name: &'static str,
    action: Action,
    algorithm: &'static str,
    /// The files to hash, in the data directory.
    path: &'static str,
    rounds: Rounds,
}

#[derive(PartialEq, Eq)]
enum Rounds {
    Usual,
    Starts,
    One,
}

const fn job(
    name: &'static str,
    action: Action,
    algorithm: &'static str,
    path: &'static str,
) -> Job {
    Job { name, action, algorithm, path, rounds: Rounds::Usual }
}

const JOBS: &[Job] = &[
    job("tree-small", Action::Tree, "sha256", "small"),
    job("tree-small", Action::Tree, "sha1", "small"),
    job("check-small", Action::Check, "sha256", "small"),
    job("check-small", Action::Check, "sha1", "small"),
    job("tree-mixed", Action::Tree, "sha256", "mixed"),
    job("file-large", Action::File, "sha256", "large/4g.bin"),
    Job { rounds: Rounds::Starts, ..job("start", Action::File, "sha256", "start/1k.bin") },
    Job { rounds: Rounds::One, ..job("memory", Action::Tree, "sha256", "many") },
];

/// The sum of a job's runs by one peer.
struct Outcome<'a> {
    peer: &'a Peer,
    runs: Vec<Run>,
}

const COLUMNS: &[&str] = &[
    "job",
    "algorithm",
    "cache",
    "peer",
    "version",
    "status",
    "runs",
    "quiet_runs",
    "wall_s_min",
    "wall_s_median",
    "wall_s_quiet_min",
    "cpu_s_min",
    "cpu_s_median",
    "user_s_min",
    "system_s_min",
    "others_cpu_s_median",
    "gb_per_s",
    "gb_per_cpu_s",
    "cpu_of_ceiling",
    "memory_mib_max",
    "disk_read_mb_max",
];

const RUN_COLUMNS: &[&str] = &[
    "job",
    "algorithm",
    "cache",
    "peer",
    "run",
    "wall_s",
    "user_s",
    "system_s",
    "others_cpu_s",
    "disk_read_bytes",
    "memory_bytes",
    "quiet",
    "status",
];

pub(crate) fn main(arguments: &Arguments) -> Result<()> {
    ensure!(arguments.rounds > 0 && arguments.slow_rounds > 0, "at least one round is required");
    let folder = data::make(&arguments.data)?;
    let peers = peers::find(&arguments.peers)?;
    let chosen = |names: &[String], name: &str| {
        names.is_empty() || names.iter().any(|begin| name.starts_with(begin.as_str()))
    };
    let peers: Vec<_> = peers.into_iter().filter(|p| chosen(&arguments.with, &p.name)).collect();
    let jobs: Vec<_> = JOBS.iter().filter(|job| chosen(&arguments.only, job.name)).collect();
    ensure!(!peers.is_empty() && !jobs.is_empty(), "no peer or no job has such a name prefix");

    let mut head = machine::head();
    head.push(("data", format!("scale {}, in turn, round robin", arguments.data.scale())));
    let (mut rows, mut run_rows) = (Vec::new(), Vec::new());
    for job in jobs {
        let bytes = if job.path == "many" { 0 } else { bytes_below(&folder.join(job.path))? };
        let outcomes = measure(arguments, job, &peers, &folder)?;
        let cache = if arguments.cold { "cold" } else { "warm" };
        rows.extend(summary(job, cache, bytes, &outcomes));
        run_rows.extend(outcomes.iter().flat_map(|outcome| each_run(job, cache, outcome)));
    }
    head.extend(machine::state(["load after", "noise after"]));
    head.push(("memory floor", machine::memory()));
    write(arguments, &head, &rows, &run_rows)
}

fn write(
    arguments: &Arguments,
    head: &Head,
    rows: &[Vec<String>],
    runs: &[Vec<String>],
) -> Result<()> {
    let (what, each) =
        if arguments.cold { ("jobs-cold", "jobs-cold-runs") } else { ("jobs", "jobs-runs") };
    let is_full = arguments.data.is_full();
    arguments.record.write(what, is_full, head, COLUMNS, rows)?;
    arguments.record.write(each, is_full, head, RUN_COLUMNS, runs)
}

fn bytes_below(path: &Path) -> Result<u64> {
    if path.is_file() {
        return Ok(path.metadata()?.len());
    }
    fs::read_dir(path)?.map(|entry| bytes_below(&entry?.path())).sum()
}

fn drop_caches() -> Result<()> {
    rustix::fs::sync();
    fs::write("/proc/sys/vm/drop_caches", "3")
        .context("cannot drop the page cache: --cold needs root")
}

/// The manifest of a directory, generated once by the installed tool.
fn manifest(job: &Job, peers: &[Peer], folder: &Path) -> Result<String> {
    let name = format!("manifests/{}.{}", job.path.replace('/', "-"), job.algorithm);
    if folder.join(&name).exists() {
        return Ok(name);
    }
    let task =
        Task { action: Action::Tree, algorithm: job.algorithm, path: job.path, data: job.path };
    let maker = peers.iter().find(|peer| peer.name == "coreutils");
    let Some(mut command) = maker.and_then(|maker| maker.command(&task)) else {
        bail!("coreutils is not among the peers to make {name}; run once without --with")
    };
    let unfinished = folder.join("manifests/unfinished");
    let file = fs::File::create(&unfinished)?;
    let status = command.current_dir(folder).stdout(file).status()?;
    ensure!(status.success(), "coreutils cannot make {name}: {status}");
    fs::rename(unfinished, folder.join(&name))?;
    Ok(name)
}

/// Whether a peer prints the lines of the manifest, in any order.
///
/// Other programs compare them, because Linux counts this program's peak memory as
/// that of each program that it starts later.
fn lines_are_right(command: &Command, manifest: &str, folder: &Path) -> Result<bool> {
    let script = r#"sort "$0" >"$0.sorted" && "$@" | sort | cmp -s - "$0.sorted""#;
    let mut shell = Command::new("/bin/sh");
    shell.arg("-c").arg(script).arg(manifest).arg(command.get_program()).args(command.get_args());
    shell.env("LC_ALL", "C").current_dir(folder).stdin(Stdio::null()).stderr(Stdio::null());
    Ok(shell.status()?.success())
}

/// Runs a job with every peer, alternately.
fn measure<'a>(
    arguments: &Arguments,
    job: &Job,
    peers: &'a [Peer],
    folder: &Path,
) -> Result<Vec<Outcome<'a>>> {
    let rounds = match job.rounds {
        Rounds::Usual => arguments.rounds,
        Rounds::Starts => arguments.starts,
        Rounds::One => 1,
    };
    let usual = job.rounds == Rounds::Usual;
    let path = match job.action {
        Action::Check => manifest(job, peers, folder)?,
        _ => job.path.to_owned(),
    };
    let task = Task { action: job.action, algorithm: job.algorithm, path: &path, data: job.path };
    let command = |peer: &Peer| {
        let mut command = peer.command(&task)?;
        command.current_dir(folder);
        Some(command)
    };

    let mut outcomes = Vec::new();
    for peer in peers {
        if !peer.is_absent() && command(peer).is_none() {
            continue; // it has no such job
        }
        // `true` is a baseline only for start-up; and for memory, where a run takes long, only a
        // few peers are of interest.
        let takes_part = match job.rounds {
            Rounds::Usual => peer.name != "true",
            Rounds::Starts => true,
            Rounds::One => ["lanesum", "ceiling", "go"].contains(&peer.name.as_str()),
        };
        if !takes_part {
            continue;
        }
        outcomes.push(Outcome { peer, runs: Vec::new() });
    }

    // Before timing, check the digests, which also fills the page cache.
    let mut wrong = Vec::new();
    if usual && job.action == Action::Tree && !arguments.cold {
        let manifest = manifest(job, peers, folder)?;
        for Outcome { peer, .. } in &outcomes {
            let is_main = ["lanesum", "go"].contains(&peer.name.as_str());
            if let Some(command) = command(peer).filter(|_| is_main)
                && !lines_are_right(&command, &manifest, folder)?
            {
                wrong.push(peer.name.clone());
            }
        }
    }
    if !arguments.cold {
        // Once, outside the timed runs.
        let mut warm = Command::new(std::env::current_exe()?);
        run(warm.args(["ceiling", "-j2", job.path]).current_dir(folder))?;
    }

    let count = outcomes.len();
    for round in 0..rounds {
        let fastest = outcomes.iter().filter_map(|outcome| outcome.fastest()).reduce(f64::min);
        for turn in 0..count {
            // Each round begins with another peer, so that no peer always follows the same one.
            let outcome = &mut outcomes[(turn + round) % count];
            let is_slow = usual && outcome.wall() > fastest.map(|wall| 3.0 * wall);
            if is_slow && fastest.is_some() && round >= arguments.slow_rounds {
                continue;
            }
            let Some(mut command) = command(outcome.peer) else { continue };
            if arguments.cold {
                drop_caches()?;
            }
            let mut run = run(&mut command)?;
            if wrong.contains(&outcome.peer.name) {
                run.failure = Some("wrong digests".into());
            }
            if usual || run.failure.is_some() {
                let failure = run.failure.as_deref().unwrap_or_default();
                let Job { name, algorithm, .. } = job;
                let (wall, cpu) = (run.wall, run.cpu());
                eprintln!(
                    "{name} {algorithm} {round} {:32} {wall:8.3} s {cpu:8.3} CPU s {failure}",
                    outcome.peer.name
                );
            }
            outcome.runs.push(run);
        }
    }
    Ok(outcomes)
}

impl Outcome<'_> {
    fn all(&self, value: impl Fn(&Run) -> f64) -> Vec<f64> {
        self.runs.iter().map(value).collect()
    }

    fn wall(&self) -> Option<f64> {
        minimum(&self.all(|run| run.wall))
    }

    /// The wall time, if other peers are compared with it.
    fn fastest(&self) -> Option<f64> {
        self.wall().filter(|_| self.peer.is_rival() || self.peer.name == "lanesum")
    }

    fn status(&self) -> String {
        if self.peer.is_absent() {
            return "absent".into();
        }
        self.runs.iter().find_map(|run| run.failure.clone()).unwrap_or_else(|| "ok".into())
    }
}

fn summary(job: &Job, cache: &str, bytes: u64, outcomes: &[Outcome<'_>]) -> Vec<Vec<String>> {
    let cpu = |outcome: &Outcome<'_>| minimum(&outcome.all(Run::cpu));
    let ceiling = outcomes.iter().find(|o| o.peer.name == "ceiling").and_then(cpu);
    let rate =
        |seconds: Option<f64>| seconds.filter(|_| bytes > 1 << 20).map(|s| bytes as f64 / s / 1e9);
    let row = |outcome: &Outcome<'_>| {
        let wall = outcome.all(|run| run.wall);
        let quiet: Vec<_> =
            outcome.runs.iter().filter(|run| run.is_quiet()).map(|run| run.wall).collect();
        let most = |values: Vec<f64>| values.into_iter().reduce(f64::max);
        // A start takes less than 0.01 s and needs more digits.
        let digits = if job.rounds == Rounds::Starts { 6 } else { 4 };
        vec![
            job.name.into(),
            job.algorithm.into(),
            cache.into(),
            outcome.peer.name.clone(),
            outcome.peer.version.clone(),
            outcome.status(),
            wall.len().to_string(),
            quiet.len().to_string(),
            figure(minimum(&wall), digits),
            figure(median(&wall), digits),
            figure(minimum(&quiet), digits),
            figure(cpu(outcome), digits),
            figure(median(&outcome.all(Run::cpu)), digits),
            figure(minimum(&outcome.all(|run| run.user)), digits),
            figure(minimum(&outcome.all(|run| run.system)), digits),
            figure(median(&outcome.all(|run| run.others)), 2),
            figure(rate(minimum(&wall)), 3),
            figure(rate(cpu(outcome)), 3),
            figure(cpu(outcome).zip(ceiling).map(|(cpu, ceiling)| cpu / ceiling), 2),
            figure(most(outcome.all(|run| run.memory as f64 / f64::from(1 << 20))), 1),
            figure(most(outcome.all(|run| run.disk_read as f64 / 1e6)), 1),
        ]
    };
    outcomes.iter().map(row).collect()
}

fn each_run(job: &Job, cache: &str, outcome: &Outcome<'_>) -> Vec<Vec<String>> {
    // The summary suffices for starts.
    let runs = if job.rounds == Rounds::Starts { &[] } else { &outcome.runs[..] };
    let row = |(number, run): (usize, &Run)| {
        vec![
            job.name.into(),
            job.algorithm.into(),
            cache.into(),
            outcome.peer.name.clone(),
            (number + 1).to_string(),
            format!("{:.4}", run.wall),
            format!("{:.4}", run.user),
            format!("{:.4}", run.system),
            format!("{:.2}", run.others),
            run.disk_read.to_string(),
            run.memory.to_string(),
            run.is_quiet().to_string(),
            run.failure.clone().unwrap_or_else(|| "ok".into()),
        ]
    };
    runs.iter().enumerate().map(row).collect()
}
