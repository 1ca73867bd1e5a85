//! Kernels in memory, in core cycles, compared with other libraries: every kernel of the
//! engine, the kernels that the engine selects, and single streams of peers.

use anyhow::{Result, ensure};
use lanesum::unstable::Chains;
use lanesum::{Algorithm, Digest, Family, HmacKey, Kernel, hash_many, mac_many};
use lanesum_measure::{Spread, median};

use crate::clock::{self, Clock, Timing};
use crate::statistics::{figure, spread};
use crate::{libraries, machine, record};

/// The cases to measure, and the number of timings.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    record: record::Arguments,
    /// Number of timings of each case
    #[arg(long, default_value_t = 200)]
    rounds: usize,
    /// Measure only names with these prefixes: avx512,lanesum,openssl
    #[arg(long, value_delimiter = ',')]
    with: Vec<String>,
    /// Treat the names of `--with` as whole names
    #[arg(long, requires = "with")]
    exact: bool,
    /// Message lengths in bytes, multiples of a block, instead of 1, 4, 16, 64 and 256 blocks
    #[arg(long, value_delimiter = ',')]
    bytes: Vec<usize>,
    /// Make a trial, whose record is not stored with the others
    #[arg(long)]
    trial: bool,
}

/// Default message lengths, in blocks.
const BLOCKS: [usize; 5] = [1, 4, 16, 64, 256];

/// Batch sizes for the kernels that the engine selects: each size that may be covered by
/// another combination of kernels, and large ones.
const LIVE: [usize; 17] = [1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 17, 20, 24, 28, 31, 32, 2048];

/// Batch sizes with one key.
const KEYED: [usize; 4] = [2, 8, 32, 2048];

/// Larger batches are skipped, because they would measure the cache.
const MAX_BYTES: usize = 128 << 10;

/// The minimum number of bytes per timing, which may need several calls.
const MIN_BYTES: usize = 16 << 10;

/// A case to time: its description, and one call.
struct Case<'a> {
    algorithm: Algorithm,
    kernel: &'static str,
    lanes: usize,
    blocks: usize,
    call: Box<dyn FnMut() + 'a>,
    timings: Vec<Timing>,
}

impl Case<'_> {
    fn bytes(&self) -> usize {
        self.lanes * self.blocks * self.algorithm.block_len()
    }

    /// Calls per timing.
    fn calls(&self) -> usize {
        MIN_BYTES.div_ceil(self.bytes())
    }

    /// Calls once to warm up, then measures.
    fn time(&mut self, clock: &Clock) {
        (self.call)();
        let calls = self.calls();
        self.timings.push(clock.time(|| (0..calls).for_each(|_| (self.call)())));
    }
}

/// Different messages of equal length, with a gap of a cache line. At distances of a power
/// of two, they would conflict in the cache.
struct Messages {
    bytes: Vec<u8>,
    /// The requested lengths, in bytes.
    lengths: Vec<usize>,
}

impl Messages {
    fn new(lengths: Vec<usize>) -> Self {
        let longest = lengths.iter().copied().max().unwrap_or(0).max(2 * MAX_BYTES) as u64;
        let bytes = (0..longest).map(|i| (i * i * 31 + i * 7 + (i >> 8)) as u8);
        Self { bytes: bytes.collect(), lengths }
    }

    /// Lengths in blocks at which `lanes` lanes are timed: all requested ones for one message, and
    /// for more messages those that do not measure the cache.
    fn blocks(&self, algorithm: Algorithm, lanes: usize) -> Vec<usize> {
        let block = algorithm.block_len();
        let of = |len: &usize| len.is_multiple_of(block).then_some(len / block);
        let blocks = match &self.lengths[..] {
            [] => BLOCKS.to_vec(),
            lengths => lengths.iter().filter_map(of).filter(|&blocks| blocks > 0).collect(),
        };
        let fits = |&blocks: &usize| lanes * blocks * block <= MAX_BYTES;
        blocks.into_iter().filter(|n| lanes == 1 || fits(n)).collect()
    }

    fn take(&self, count: usize, len: usize) -> Vec<&[u8]> {
        (0..count).map(|l| &self.bytes[l * (len + 64)..][..len]).collect()
    }
}

/// All kernels, without padding or scheduler.
fn kernels(messages: &Messages) -> Vec<Case<'_>> {
    let mut cases = Vec::new();
    for algorithm in Family::ALL.map(Family::algorithm) {
        for kernel in Kernel::all() {
            let lanes = kernel.lanes();
            for blocks in messages.blocks(algorithm, lanes) {
                let Some(mut chains) = Chains::new(algorithm, kernel) else { continue };
                let data = messages.take(lanes, blocks * algorithm.block_len());
                let call = Box::new(move || chains.compress(&data, blocks));
                let kernel = kernel.name();
                cases.push(Case { algorithm, kernel, lanes, blocks, call, timings: Vec::new() });
            }
        }
    }
    cases
}

/// Batches of whole messages with the kernels that the engine selects.
fn chosen(messages: &Messages) -> Vec<Case<'_>> {
    let mut cases = Vec::new();
    for algorithm in Family::ALL.map(Family::algorithm) {
        for lanes in LIVE {
            for blocks in messages.blocks(algorithm, lanes) {
                let data = messages.take(lanes, blocks * algorithm.block_len());
                let mut digests: Vec<Digest> = vec![lanesum::hash(algorithm, b""); lanes];
                let call = Box::new(move || hash_many(algorithm, &data, &mut digests));
                cases.push(Case {
                    algorithm,
                    kernel: "lanesum",
                    lanes,
                    blocks,
                    call,
                    timings: Vec::new(),
                });
            }
        }
    }
    cases
}

/// One whole message at a time, with Lanesum and with other libraries, after a check that their
/// digests are equal.
fn peers(messages: &Messages) -> Result<Vec<Case<'_>>> {
    let mut cases = Vec::new();
    for algorithm in Family::ALL.map(Family::algorithm) {
        for blocks in messages.blocks(algorithm, 1) {
            let message = messages.take(1, blocks * algorithm.block_len())[0];
            let call = Box::new(move || {
                std::hint::black_box(lanesum::hash(algorithm, message));
            });
            let kernel = "lanesum_hash";
            cases.push(Case { algorithm, kernel, lanes: 1, blocks, call, timings: Vec::new() });
            for mut library in libraries::all(algorithm) {
                let mut digest = [0; 64];
                (library.hash)(message, &mut digest);
                let ours = lanesum::hash(algorithm, message);
                ensure!(
                    digest[..algorithm.digest_len()] == *ours.as_ref(),
                    "the {algorithm} digests of {} and lanesum differ",
                    library.name
                );
                let call = Box::new(move || (library.hash)(message, &mut digest));
                let kernel = library.name;
                cases.push(Case { algorithm, kernel, lanes: 1, blocks, call, timings: Vec::new() });
            }
        }
    }
    Ok(cases)
}

/// HMAC with one precomputed key: batches, and one message at a time compared with other
/// libraries.
fn keyed(messages: &Messages) -> Result<Vec<Case<'_>>> {
    let key = b"a key that is shorter than a block";
    let mut cases = Vec::new();
    for algorithm in [Algorithm::SHA1, Algorithm::SHA256, Algorithm::SHA512] {
        let ours = HmacKey::new(algorithm, key);
        for blocks in messages.blocks(algorithm, 1) {
            let fits = |lanes: &usize| messages.blocks(algorithm, *lanes).contains(&blocks);
            for lanes in KEYED.into_iter().filter(fits) {
                let data = messages.take(lanes, blocks * algorithm.block_len());
                let mut tags = vec![Digest::default(); lanes];
                let key = ours.clone();
                let call = Box::new(move || mac_many(algorithm, &key, &data, &mut tags));
                let kernel = "lanesum_hmac_many";
                cases.push(Case { algorithm, kernel, lanes, blocks, call, timings: Vec::new() });
            }
            let message = messages.take(1, blocks * algorithm.block_len())[0];
            let key_of = ours.clone();
            let call = Box::new(move || {
                std::hint::black_box(key_of.mac(message));
            });
            let kernel = "lanesum_hmac";
            cases.push(Case { algorithm, kernel, lanes: 1, blocks, call, timings: Vec::new() });
            for mut library in libraries::keyed(algorithm, key) {
                let mut tag = [0; 64];
                (library.hash)(message, &mut tag);
                ensure!(
                    tag[..algorithm.digest_len()] == *ours.mac(message).as_bytes(),
                    "the {algorithm} tags of {} and lanesum differ",
                    library.name
                );
                let call = Box::new(move || (library.hash)(message, &mut tag));
                let kernel = library.name;
                cases.push(Case { algorithm, kernel, lanes: 1, blocks, call, timings: Vec::new() });
            }
        }
    }
    Ok(cases)
}

const COLUMNS: &[&str] = &[
    "algorithm",
    "kernel",
    "lanes",
    "blocks",
    "cycles_per_byte_min",
    "cycles_per_byte_p25",
    "cycles_per_byte_median",
    "cycles_per_byte_p75",
    "undisturbed_min",
    "undisturbed_median",
    "samples",
    "undisturbed_samples",
    "gb_per_s_max",
    "gb_per_s_median",
    "dispatch_max",
    "dispatch_median",
];

pub(crate) fn main(arguments: &Arguments) -> Result<()> {
    ensure!(arguments.rounds > 0, "at least one round is required");
    machine::stay();
    let mut head = machine::head();
    head.push(("libraries", libraries::versions()));

    let messages = Messages::new(arguments.bytes.clone());
    let mut cases = kernels(&messages);
    cases.extend(chosen(&messages));
    cases.extend(peers(&messages)?);
    cases.extend(keyed(&messages)?);
    let is_wanted = |found: &str| {
        let mut names = arguments.with.iter();
        names.any(
            |name| if arguments.exact { found == name } else { found.starts_with(name.as_str()) },
        )
    };
    cases.retain(|case| arguments.with.is_empty() || is_wanted(case.kernel));
    ensure!(!cases.is_empty(), "no case has such a name prefix");

    let clock = Clock::new();
    for _ in 0..arguments.rounds {
        cases.iter_mut().for_each(|case| case.time(&clock));
    }

    let core = machine::core();
    let discarded = clock::sift(&core, cases.iter_mut().map(|case| &mut case.timings));
    head.push(("discarded", discarded.to_string()));
    head.extend(machine::state(["load after", "noise after"]));
    let widths = cases.iter().flat_map(|case| &case.timings).map(Timing::width).collect();
    // The width is the ninth decile of the samples; a busy sibling thread takes about half of it.
    let width = clock::top_tenth(widths);
    head.push((
        "undisturbed",
        format!("samples with at least {:.2} moves per cycle", 0.85 * width),
    ));
    let rows: Vec<_> = cases.iter().map(|case| summary(case, &clock, 0.85 * width)).collect();
    let full = !arguments.trial && arguments.with.is_empty() && arguments.bytes.is_empty();
    arguments.record.write("kernels", full, &head, COLUMNS, &rows)
}

fn summary(case: &Case<'_>, clock: &Clock, undisturbed: f64) -> Vec<String> {
    let bytes = (case.calls() * case.bytes()) as f64;
    let cycles = |timings: &mut dyn Iterator<Item = &Timing>| {
        timings.map(|timing| timing.cycles(clock) / bytes).collect::<Vec<_>>()
    };
    let all = cycles(&mut case.timings.iter());
    let quiet = cycles(&mut case.timings.iter().filter(|timing| timing.width() >= undisturbed));
    let rates: Vec<_> =
        case.timings.iter().map(|timing| bytes / timing.nanoseconds(clock)).collect();
    let widths: Vec<_> = case.timings.iter().map(Timing::width).collect();
    let most = |samples: &[f64]| Spread::of(samples).map(|spread| spread.most);
    let [quiet_least, _, quiet_median, _] = spread(&quiet, 4);
    let mut row = vec![
        case.algorithm.name().to_owned(),
        case.kernel.to_owned(),
        case.lanes.to_string(),
        case.blocks.to_string(),
    ];
    row.extend(spread(&all, 4));
    row.extend([
        quiet_least,
        quiet_median,
        all.len().to_string(),
        quiet.len().to_string(),
        figure(most(&rates), 3),
        figure(median(&rates), 3),
        figure(most(&widths), 2),
        figure(median(&widths), 2),
    ]);
    row
}
