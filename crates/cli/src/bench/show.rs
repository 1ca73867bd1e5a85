//! Prints measurements as a table with bars, as JSON, or as a record.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use lanesum::Algorithm;
use lanesum_measure::{Probe, Spread};
use serde_json::{Value, json};

use super::Results;
use super::clock::crowding;
use crate::Reported;
use crate::message::{Shown, print_message, reason};

/// Maximum length of a bar, in characters.
const MAX_BAR_CHARS: usize = 24;
/// Minimum crowding (see `clock::crowding`) at which a busy sibling thread is reported.
const MIN_CROWDING: f64 = 1.25;

fn is_crowded(probe: Probe) -> bool {
    crowding(probe) > MIN_CROWDING
}

/// Returns the measured algorithms, in the order of the arguments.
pub(super) fn algorithms(results: &Results) -> Vec<Algorithm> {
    let mut found = Vec::new();
    for case in &results.cases {
        if !found.contains(&case.algorithm) {
            found.push(case.algorithm);
        }
    }
    found
}

/// Describes the machine and the number of discarded samples.
pub(super) fn head(results: &Results) -> String {
    let mut out = String::new();
    let [before, after] = results.probes;
    let _ = writeln!(out, "{}, {} CPUs", results.cpu, results.cpus);
    let _ = writeln!(
        out,
        "core: {:.2} GHz before, {:.2} GHz after; {}",
        before.ghz,
        after.ghz,
        if is_crowded(before) || is_crowded(after) {
            "another thread used the core: only the minimum is reliable; measure again on an idle machine"
        } else {
            "no other thread used the core before or after"
        }
    );
    let _ = writeln!(out, "discarded samples: {}", results.discarded);
    out
}

/// Formats a table for each algorithm, with bars proportional to throughput.
pub(super) fn text(results: &Results) -> Vec<u8> {
    let (mut out, [_, after]) = (head(results), results.probes);
    for algorithm in algorithms(results) {
        let _ = writeln!(
            out,
            "\n{:<14} {:>5} {:>8} {:>9} {:>9} {:>13} {:>8} {:>8}",
            algorithm.name(),
            "lanes",
            "bytes",
            "c/B min",
            "median",
            "quartiles",
            "GB/s max",
            "median"
        );
        let cases = || results.cases.iter().filter(|case| case.algorithm == algorithm);
        let peers = || results.peers.iter().filter(|peer| peer.algorithm == algorithm);
        let top = cases()
            .filter_map(|case| Some(case.rate()?.median))
            .chain(peers().map(|peer| peer.rate))
            .fold(f64::MIN_POSITIVE, f64::max);
        for case in cases() {
            let Some(rate) = case.rate() else { continue };
            let cycles = case.cycles();
            let cell = |of: fn(Spread) -> f64| {
                cycles.map_or_else(|| "-".into(), |spread| format!("{:.3}", of(spread)))
            };
            let quartiles = format!("{}-{}", cell(|spread| spread.lower), cell(|s| s.upper));
            let _ = writeln!(
                out,
                "{:<14} {:>5} {:>8} {:>9} {:>9} {:>13} {:>8.2} {:>8.2} {}",
                case.subject.name(),
                case.subject.lanes(),
                case.len,
                cell(|spread| spread.least),
                cell(|spread| spread.median),
                quartiles,
                rate.most,
                rate.median,
                bar(rate.median, top),
            );
        }
        for peer in peers() {
            let cycles = after.ghz / peer.rate;
            let _ = writeln!(
                out,
                "{:<14} {:>5} {:>8} {:>9} {:>9.3} {:>13} {:>8} {:>8.2} {}",
                "openssl",
                1,
                peer.len,
                "",
                cycles,
                "",
                "",
                peer.rate,
                bar(peer.rate, top),
            );
        }
    }
    let _ = writeln!(
        out,
        "\nEach line is one kernel with all lanes full; 'hash' is one whole message, including padding,\n\
         with the engine's own choice of kernel. Core cycles are calibrated with a dependency chain of\n\
         known length before and after each sample. Half of the samples lie between the quartiles."
    );
    if let Some(peer) = &results.peer {
        let _ = writeln!(out, "{peer}");
    }
    out.into_bytes()
}

fn bar(rate: f64, top: f64) -> String {
    "#".repeat(((rate / top * MAX_BAR_CHARS as f64).round() as usize).clamp(1, MAX_BAR_CHARS))
}

/// Formats the results as one JSON object.
pub(super) fn json(results: &Results) -> Vec<u8> {
    let [before, after] =
        results.probes.map(|probe| json!({ "ghz": probe.ghz, "crowding": crowding(probe) }));
    let figure = |spread: Option<Spread>, end: &str, of: fn(Spread) -> f64| match spread {
        None => Value::Null,
        Some(spread) => json!({
            end: of(spread),
            "p25": spread.lower,
            "median": spread.median,
            "p75": spread.upper,
        }),
    };
    let cases: Vec<Value> = results
        .cases
        .iter()
        .map(|case| {
            json!({
                "algorithm": case.algorithm.name(),
                "kernel": case.subject.name(),
                "lanes": case.subject.lanes(),
                "bytes": case.len,
                "cycles_per_byte": figure(case.cycles(), "min", |spread| spread.least),
                "gb_per_s": figure(case.rate(), "max", |spread| spread.most),
                "samples": case.rate().map_or(0, |spread| spread.samples),
            })
        })
        .collect();
    let peers: Vec<Value> = results
        .peers
        .iter()
        .map(|peer| {
            json!({
                "algorithm": peer.algorithm.name(),
                "peer": "openssl",
                "bytes": peer.len,
                "gb_per_s": peer.rate,
            })
        })
        .collect();
    let all = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "cpu": results.cpu,
        "cpus": results.cpus,
        "core": { "before": before, "after": after },
        "thrown_away": {
            "samples": results.discarded.samples,
            "clock": results.discarded.clock,
            "width": results.discarded.width,
            "unsteady": results.discarded.unsteady,
        },
        "cases": cases,
        "peer": results.peer,
        "peers": peers,
    });
    format!("{all}\n").into_bytes()
}

/// Writes a record in the format of the project's benchmarks: `# key: value` lines, then a table.
pub(super) fn record(results: &Results, table: &str, path: &Path) -> Result<(), Reported> {
    let mut out = String::new();
    let [before, after] = results.probes;
    for (key, value) in [
        ("machine", format!("{}, {} logical CPUs", results.cpu, results.cpus)),
        ("made by", format!("lanesum bench {}", env!("CARGO_PKG_VERSION"))),
        ("core before", format!("{:.2} GHz, crowding {:.2}", before.ghz, crowding(before))),
        ("core after", format!("{:.2} GHz, crowding {:.2}", after.ghz, crowding(after))),
        ("discarded", results.discarded.to_string()),
    ] {
        let _ = writeln!(out, "# {key}: {value}");
    }
    fs::write(path, out + table).map_err(|error| {
        let path = Shown(path.as_os_str());
        print_message(format_args!("cannot write {path}: {}", reason(&error)));
        Reported::Failed
    })
}

/// Formats the table of a record of kernels.
pub(super) fn table(results: &Results) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "algorithm,kernel,lanes,blocks,cycles_per_byte_min,cycles_per_byte_p25,cycles_per_byte_median,\
         cycles_per_byte_p75,undisturbed_min,undisturbed_median,samples,undisturbed_samples,gb_per_s_max,gb_per_s_median,\
         dispatch_max,dispatch_median"
    );
    for case in &results.cases {
        let blocks = case.len / case.algorithm.block_len();
        let Some(rate) = case.rate() else { continue };
        if blocks == 0 {
            continue;
        }
        let kernel = match case.subject.name() {
            "hash" => "lanesum_hash",
            name => name,
        };
        // Without a plausible sample there are no cycles.
        let cycles = case.cycles();
        let samples = cycles.map_or(0, |spread| spread.samples);
        let cycles =
            cycles.map_or(",,,".into(), |Spread { least, lower, median, upper, .. }| {
                format!("{least:.4},{lower:.4},{median:.4},{upper:.4}")
            });
        let _ = writeln!(
            out,
            "{},{kernel},{},{blocks},{cycles},,,{samples},,{:.3},{:.3},,",
            case.algorithm.name(),
            case.subject.lanes(),
            rate.most,
            rate.median,
        );
    }
    out
}
