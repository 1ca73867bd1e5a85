//! Short messages, one call after another, in cycles of the core for each call: where a
//! library's own work around the blocks is most of what is measured.

use anyhow::{Result, ensure};
use lanesum::Algorithm;

use crate::libraries::{self, Library};
use crate::statistics::{figure, median, minimum};
use crate::{clock, machine, record};

/// How often each case is timed.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    record: record::Arguments,
    /// How often each case is timed
    #[arg(long, default_value_t = 2000)]
    rounds: usize,
    /// A trial: the record does not go among the records
    #[arg(long)]
    trial: bool,
}

const ALGORITHMS: [Algorithm; 3] = [Algorithm::SHA1, Algorithm::SHA256, Algorithm::SHA512];

/// Bytes of each message, and whether a message begins with the digest of the one before, so
/// that no call can begin before the last has ended.
const SHAPES: [(usize, bool); 6] =
    [(0, false), (32, false), (55, false), (64, false), (64, true), (128, true)];

/// Calls in one timing: some microseconds.
const CALLS: usize = 32;

struct Case {
    algorithm: Algorithm,
    bytes: usize,
    fed_back: bool,
    library: Library,
    samples: Vec<f64>,
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

    /// The same as `kernels` does: a timing in which the clock changed is left out.
    fn time(&mut self, overhead: f64, message: &mut [u8; 128]) {
        self.calls(message);
        let before = clock::cycle(overhead);
        let from = clock::ticks();
        self.calls(message);
        let ticks = (clock::ticks() - from) as f64 - overhead;
        let after = clock::cycle(overhead);
        if (before - after).abs() < 0.02 * before {
            self.samples.push(ticks / f64::midpoint(before, after) / CALLS as f64);
        }
    }
}

fn lanesum(algorithm: Algorithm) -> Library {
    let hash = move |message: &[u8], out: &mut [u8; 64]| {
        let digest = lanesum::hash(algorithm, message);
        out[..algorithm.digest_len()].copy_from_slice(digest.as_ref());
    };
    Library { name: "lanesum_hash", hash: Box::new(hash) }
}

const COLUMNS: &[&str] =
    &["algorithm", "library", "bytes", "fed_back", "cycles_min", "cycles_median", "samples"];

pub(crate) fn main(arguments: &Arguments) -> Result<()> {
    ensure!(arguments.rounds > 0, "there is to be at least one round");
    machine::stay();
    let mut head = machine::head();
    head.push(("libraries", libraries::versions()));
    let mut cases = Vec::new();
    for algorithm in ALGORITHMS {
        for (bytes, fed_back) in SHAPES {
            for library in std::iter::once(lanesum(algorithm)).chain(libraries::all(algorithm)) {
                cases.push(Case { algorithm, bytes, fed_back, library, samples: Vec::new() });
            }
        }
    }
    let overhead = clock::overhead();
    let mut message = [0x5a; 128];
    for _ in 0..arguments.rounds {
        cases.iter_mut().for_each(|case| case.time(overhead, &mut message));
    }
    head.extend(machine::state(["load after", "noise after"]));
    let rows: Vec<_> = cases
        .iter()
        .map(|case| {
            vec![
                case.algorithm.name().to_owned(),
                case.library.name.to_owned(),
                case.bytes.to_string(),
                if case.fed_back { "yes" } else { "no" }.to_owned(),
                figure(minimum(&case.samples), 1),
                figure(median(&case.samples), 1),
                case.samples.len().to_string(),
            ]
        })
        .collect();
    arguments.record.write("calls", !arguments.trial, &head, COLUMNS, &rows)
}
