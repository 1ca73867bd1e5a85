//! Short messages, one call after another, in core cycles per call. Most of the time is the
//! library's overhead around the blocks.

use anyhow::{Result, ensure};
use lanesum::Algorithm;

use crate::clock::{self, Clock, Timing};
use crate::libraries::{self, Library};
use crate::statistics::spread;
use crate::{machine, record};

/// The number of timings of each case.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    record: record::Arguments,
    /// Number of timings of each case
    #[arg(long, default_value_t = 2000)]
    rounds: usize,
    /// Make a trial, whose record is not stored with the others
    #[arg(long)]
    trial: bool,
}

const ALGORITHMS: [Algorithm; 3] = [Algorithm::SHA1, Algorithm::SHA256, Algorithm::SHA512];

/// Bytes of each message, and whether each message begins with the previous digest, so that
/// each call depends on the previous one.
const SHAPES: [(usize, bool); 6] =
    [(0, false), (32, false), (55, false), (64, false), (64, true), (128, true)];

/// Calls per timing: a few microseconds.
const CALLS: usize = 32;

struct Case {
    algorithm: Algorithm,
    bytes: usize,
    fed_back: bool,
    library: Library,
    timings: Vec<Timing>,
}

impl Case {
    fn calls(&mut self, message: &mut [u8; 128]) {
        let len = self.algorithm.digest_len().min(self.bytes);
        let mut digest = [0; 64];
        for _ in 0..CALLS {
            (self.library.hash)(std::hint::black_box(&message[..self.bytes]), &mut digest);
            if self.fed_back {
                message[..len].copy_from_slice(&digest[..len]);
            }
        }
        std::hint::black_box(digest);
    }

    fn time(&mut self, clock: &Clock, message: &mut [u8; 128]) {
        self.calls(message);
        let timing = clock.time(|| self.calls(message));
        self.timings.push(timing);
    }
}

fn lanesum(algorithm: Algorithm) -> Library {
    let hash = move |message: &[u8], out: &mut [u8; 64]| {
        let digest = lanesum::hash(algorithm, message);
        out[..algorithm.digest_len()].copy_from_slice(digest.as_ref());
    };
    Library { name: "lanesum_hash", hash: Box::new(hash) }
}

const COLUMNS: &[&str] = &[
    "algorithm",
    "library",
    "bytes",
    "fed_back",
    "cycles_min",
    "cycles_p25",
    "cycles_median",
    "cycles_p75",
    "samples",
];

pub(crate) fn main(arguments: &Arguments) -> Result<()> {
    ensure!(arguments.rounds > 0, "at least one round is required");
    machine::stay();
    let mut head = machine::head();
    head.push(("libraries", libraries::versions()));
    let mut cases = Vec::new();
    for algorithm in ALGORITHMS {
        for (bytes, fed_back) in SHAPES {
            for library in std::iter::once(lanesum(algorithm)).chain(libraries::all(algorithm)) {
                cases.push(Case { algorithm, bytes, fed_back, library, timings: Vec::new() });
            }
        }
    }
    let clock = Clock::new();
    let mut message = [0x5a; 128];
    for _ in 0..arguments.rounds {
        cases.iter_mut().for_each(|case| case.time(&clock, &mut message));
    }
    let core = machine::core();
    let discarded = clock::sift(&core, cases.iter_mut().map(|case| &mut case.timings));
    head.push(("discarded", discarded.to_string()));
    head.extend(machine::state(["load after", "noise after"]));
    let rows: Vec<_> = cases
        .iter()
        .map(|case| {
            let cycles: Vec<f64> =
                case.timings.iter().map(|timing| timing.cycles(&clock) / CALLS as f64).collect();
            let mut row = vec![
                case.algorithm.name().to_owned(),
                case.library.name.to_owned(),
                case.bytes.to_string(),
                if case.fed_back { "yes" } else { "no" }.to_owned(),
            ];
            row.extend(spread(&cycles, 1));
            row.push(cycles.len().to_string());
            row
        })
        .collect();
    arguments.record.write("calls", !arguments.trial, &head, COLUMNS, &rows)
}
