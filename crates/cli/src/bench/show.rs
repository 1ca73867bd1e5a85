//! What was measured: as a table with bars, as JSON, as a record.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use lanesum::Algorithm;
use serde_json::{Value, json};

use super::measure::Figure;
use super::{Probe, Results};
use crate::Verdict;
use crate::say::{Shown, reason, say};

/// The longest bar, in characters.
const BAR: usize = 24;
/// From here on a sibling thread is taken to be at work.
const CROWDED: f64 = 1.25;

fn is_crowded(probe: &Probe) -> bool {
    probe.crowding > CROWDED
}

/// The algorithms in the order in which they were asked for.
fn algorithms(results: &Results) -> Vec<Algorithm> {
    let mut found = Vec::new();
    for case in &results.cases {
        if !found.contains(&case.algorithm) {
            found.push(case.algorithm);
        }
    }
    found
}

/// A table for each algorithm; bars are as long as rates are high.
pub(super) fn text(results: &Results) -> Vec<u8> {
    let mut out = String::new();
    let [before, after] = &results.probes;
    let _ = writeln!(out, "{}, {} CPUs", results.cpu, results.cpus);
    let _ = writeln!(
        out,
        "core: {:.2} GHz before, {:.2} GHz after; {}",
        1.0 / before.cycle,
        1.0 / after.cycle,
        if is_crowded(before) || is_crowded(after) {
            "another thread is at work on it: take the least, and measure again"
        } else {
            "no other thread was at work on it before and after"
        }
    );
    for algorithm in algorithms(results) {
        let _ = writeln!(
            out,
            "\n{:<14} {:>5} {:>8} {:>9} {:>9} {:>8} {:>8}",
            algorithm.name(),
            "lanes",
            "bytes",
            "c/B least",
            "median",
            "GB/s top",
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
            let cell = |of: fn(Figure) -> f64| {
                cycles.map_or_else(|| "-".into(), |figure| format!("{:.3}", of(figure)))
            };
            let _ = writeln!(
                out,
                "{:<14} {:>5} {:>8} {:>9} {:>9} {:>8.2} {:>8.2} {}",
                case.subject.name(),
                case.subject.lanes(),
                case.len,
                cell(|figure| figure.best),
                cell(|figure| figure.median),
                rate.best,
                rate.median,
                bar(rate.median, top),
            );
        }
        for peer in peers() {
            let cycles = 1.0 / (peer.rate * after.cycle);
            let _ = writeln!(
                out,
                "{:<14} {:>5} {:>8} {:>9} {:>9.3} {:>8} {:>8.2} {}",
                "openssl",
                1,
                peer.len,
                "",
                cycles,
                "",
                peer.rate,
                bar(peer.rate, top),
            );
        }
    }
    let _ = writeln!(
        out,
        "\nRows are kernels alone, all lanes full; 'hash' is one whole message by the engine's own\n\
         choice, its padding included. Cycles are the core's, by a chain of known length."
    );
    if let Some(peer) = &results.peer {
        let _ = writeln!(out, "{peer}");
    }
    out.into_bytes()
}

fn bar(rate: f64, top: f64) -> String {
    "#".repeat(((rate / top * BAR as f64).round() as usize).clamp(1, BAR))
}

/// One object.
pub(super) fn json(results: &Results) -> Vec<u8> {
    let [before, after] =
        results.probes.map(|probe| json!({ "ghz": 1.0 / probe.cycle, "crowding": probe.crowding }));
    let figure = |figure: Option<Figure>, best: &str| match figure {
        None => Value::Null,
        Some(figure) => json!({ best: figure.best, "median": figure.median }),
    };
    let cases: Vec<Value> = results
        .cases
        .iter()
        .map(|case| {
            json!({
                "algorithm": case.algorithm.name(),
                "row": case.subject.name(),
                "lanes": case.subject.lanes(),
                "bytes": case.len,
                "cycles_per_byte": figure(case.cycles(), "min"),
                "gb_per_s": figure(case.rate(), "max"),
                "samples": case.samples(),
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
        "cases": cases,
        "peer": results.peer,
        "peers": peers,
    });
    format!("{all}\n").into_bytes()
}

/// A record as those of the project's own benches: lines `# key: value`, then a table.
pub(super) fn record(results: &Results, path: &Path) -> Verdict {
    let mut out = String::new();
    let [before, after] = &results.probes;
    for (key, value) in [
        ("machine", format!("{}, {} logical CPUs", results.cpu, results.cpus)),
        ("made by", format!("lanesum bench {}", env!("CARGO_PKG_VERSION"))),
        ("core before", format!("{:.2} GHz, crowding {:.2}", 1.0 / before.cycle, before.crowding)),
        ("core after", format!("{:.2} GHz, crowding {:.2}", 1.0 / after.cycle, after.crowding)),
    ] {
        let _ = writeln!(out, "# {key}: {value}");
    }
    let _ = writeln!(
        out,
        "algorithm,row,lanes,blocks,cycles_per_byte_min,cycles_per_byte_median,undisturbed_min,\
         undisturbed_median,samples,undisturbed_samples,gb_per_s_max,gb_per_s_median,\
         dispatch_max,dispatch_median"
    );
    for case in &results.cases {
        let blocks = case.len / case.algorithm.block_len();
        let (Some(cycles), Some(rate)) = (case.cycles(), case.rate()) else { continue };
        if blocks == 0 {
            continue;
        }
        let row = match case.subject.name() {
            "hash" => "lanesum_hash",
            name => name,
        };
        let _ = writeln!(
            out,
            "{},{row},{},{blocks},{:.4},{:.4},,,{},,{:.3},{:.3},,",
            case.algorithm.name(),
            case.subject.lanes(),
            cycles.best,
            cycles.median,
            case.samples(),
            rate.best,
            rate.median,
        );
    }
    match fs::write(path, out) {
        Ok(()) => Verdict::Well,
        Err(error) => {
            say(format_args!("cannot write {}: {}", Shown(path.as_os_str()), reason(&error)));
            Verdict::Failed
        }
    }
}
