//! `lanesum bench` and `lanesum tune`: measure the hashing speed of this machine.

mod clock;
mod measure;
mod openssl;
mod plan;
mod show;
pub(crate) mod tune;

use std::time::Duration;

use lanesum::{Algorithm, Kernel};
use lanesum_measure::{Discarded, Probe};

use self::measure::{Case, Subject};
use crate::args::{Bench, Peer};
use crate::message::print_message;
use crate::{CommandResult, Reported};

/// Maximum bytes of all messages of a case. Larger cases would measure memory bandwidth.
const MAX_CASE_BYTES: usize = 16 << 20;

/// All measurements of a run.
struct Results {
    cpu: String,
    cpus: usize,
    /// Probes of the core before and after the measurements.
    probes: [Probe; 2],
    cases: Vec<Case>,
    /// The number of discarded samples.
    discarded: Discarded,
    peers: Vec<PeerRate>,
    /// The version of the peer, or a note that it is not installed; `None` without `--against`.
    peer: Option<String>,
}

/// The throughput that a peer reports for messages of one length.
struct PeerRate {
    algorithm: Algorithm,
    len: usize,
    /// In gigabytes (10^9 bytes) per second.
    rate: f64,
}

pub(crate) fn run(args: &Bench) -> CommandResult {
    let subjects = subjects(args).map_err(|message| {
        print_message(message);
        Reported::Usage
    })?;
    let subjects = if args.plan { plan::subjects(&args.messages, &subjects) } else { subjects };
    let mut cases = Vec::new();
    for &algorithm in &args.algorithms {
        for &subject in &subjects {
            let of = args.lengths.iter().filter_map(|&len| Case::new(algorithm, subject, len));
            cases.extend(of.filter(|case| case.subject.lanes() * case.len <= MAX_CASE_BYTES));
        }
    }
    if cases.is_empty() {
        print_message(
            "nothing to measure: no kernel supports the algorithms, or no length is a multiple of the block length",
        );
        return Err(Reported::Usage);
    }

    let mut results = measured(cases, Duration::from_secs_f64(args.seconds));
    if let Some(Peer::Openssl) = args.against {
        (results.peer, results.peers) = against_openssl(args);
    }
    if let Some(path) = &args.record {
        let table = if args.plan { plan::table(&results) } else { show::table(&results) };
        show::record(&results, &table, path)?;
    }
    crate::print(&match (args.json, args.plan) {
        (true, _) => show::json(&results),
        (false, true) => plan::text(&results).into_bytes(),
        (false, false) => show::text(&results),
    })
}

/// Measures the cases, which takes `time`.
fn measured(mut cases: Vec<Case>, time: Duration) -> Results {
    let before = clock::probe();
    let discarded = measure::run(&mut cases, time);
    Results {
        cpu: cpu(),
        cpus: std::thread::available_parallelism().map_or(1, usize::from),
        probes: [before, clock::probe()],
        cases,
        discarded,
        peers: Vec::new(),
        peer: None,
    }
}

/// Returns the subjects named in the arguments; by default `hash` and all kernels.
fn subjects(args: &Bench) -> Result<Vec<Subject>, String> {
    if args.kernels.is_empty() {
        return Ok([Subject::Hash].into_iter().chain(Kernel::all().map(Subject::Kernel)).collect());
    }
    let named = |name: &String| {
        if name == "hash" {
            return Ok(Subject::Hash);
        }
        for kernel in Kernel::table() {
            match kernel {
                Ok(kernel) if kernel.name() == name => return Ok(Subject::Kernel(kernel)),
                Err(absent) if absent == name => {
                    return Err(format!("this CPU cannot run '{name}'; see 'lanesum list --all'"));
                }
                _ => {}
            }
        }
        Err(format!("unknown kernel '{name}'; see 'lanesum list --all', or use 'hash'"))
    };
    args.kernels.iter().map(named).collect()
}

fn against_openssl(args: &Bench) -> (Option<String>, Vec<PeerRate>) {
    let Some(version) = openssl::version() else {
        return (Some("openssl: not found (install it to compare)".into()), Vec::new());
    };
    let mut rates = Vec::new();
    for &algorithm in &args.algorithms {
        for &len in args.lengths.iter().filter(|&&len| len > 0) {
            let rate = openssl::rate(algorithm, len);
            rates.extend(rate.map(|rate| PeerRate { algorithm, len, rate }));
        }
    }
    (Some(version), rates)
}

/// Returns the name of the CPU, if the system reports it.
fn cpu() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let value = |key: &str| {
        info.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            (name.trim() == key).then(|| value.trim().to_owned())
        })
    };
    match value("model name") {
        None => std::env::consts::ARCH.to_owned(),
        Some(name) => {
            let number = |key| value(key).unwrap_or_else(|| "unknown".into());
            format!("{name}, family {} model {}", number("cpu family"), number("model"))
        }
    }
}
