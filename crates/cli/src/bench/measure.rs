//! Times kernels and whole messages in alternation, so that a slow period affects all of them.

use std::hint::black_box;
use std::time::{Duration, Instant};

use lanesum::unstable::Chains;
use lanesum::{Algorithm, Bytes, Engine, Kernel, Policy, hash, hash_many};
use lanesum_measure::{Core, Discarded, Judge, Probe, Spread, median};

use super::clock::{self, CHAINS};

/// Minimum number of bytes per sample; a sample repeats shorter calls.
const MIN_SAMPLE_BYTES: usize = 16 << 10;

/// The share of rounds that [`keep_quiet_rounds`] keeps, and the minimum number.
const QUIET_SHARE: usize = 8;
const MIN_QUIET_ROUNDS: usize = 8;

/// The timed operation: a kernel or a public function.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    Kernel(Kernel),
    /// `hash` of one message with the engine's choice of kernel, including padding.
    Hash,
    /// A batch of whole messages, with the engine's plan or a single kernel.
    Many(usize, Option<Kernel>),
}

impl Subject {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Kernel(kernel) => kernel.name(),
            Self::Hash => "hash",
            Self::Many(_, None) => "plan",
            Self::Many(_, Some(kernel)) => kernel.name(),
        }
    }

    /// The number of messages hashed concurrently.
    pub(super) fn lanes(self) -> usize {
        match self {
            Self::Kernel(kernel) => kernel.lanes(),
            Self::Hash => 1,
            Self::Many(messages, _) => messages,
        }
    }
}

/// A subject at one message length, with its samples.
pub(super) struct Case {
    pub(super) algorithm: Algorithm,
    pub(super) subject: Subject,
    /// The length of each message, in bytes.
    pub(super) len: usize,
    samples: Vec<Sample>,
}

/// A timing between two probes.
#[derive(Clone, Copy)]
struct Sample {
    /// Throughput, in bytes per nanosecond.
    rate: f64,
    before: Probe,
    after: Probe,
    /// Whether the sample is plausible. The cycles of other samples are discarded; their rate, which comes
    /// from another clock, is used.
    counts: bool,
}

impl Sample {
    /// Core cycles per byte.
    fn cycles(&self) -> f64 {
        f64::midpoint(self.before.ghz, self.after.ghz) / self.rate
    }
}

impl Case {
    /// Returns `None` if the subject has no kernel for the algorithm, or if `len` is not a multiple
    /// of the block length, as kernels require.
    pub(super) fn new(algorithm: Algorithm, subject: Subject, len: usize) -> Option<Self> {
        let fits = match subject {
            Subject::Kernel(kernel) => {
                kernel.supports(algorithm) && len > 0 && len.is_multiple_of(algorithm.block_len())
            }
            Subject::Hash | Subject::Many(_, None) => true,
            Subject::Many(_, Some(kernel)) => kernel.supports(algorithm),
        };
        fits.then_some(Self { algorithm, subject, len, samples: Vec::new() })
    }

    /// Takes a sample. `bytes` has room for all messages.
    fn time(&mut self, bytes: &[u8]) {
        let (len, lanes) = (self.len, self.subject.lanes());
        let calls = MIN_SAMPLE_BYTES.div_ceil((len * lanes).max(64));
        // Padding of one cache line keeps the messages from competing for the same cache sets.
        let messages = || (0..lanes).map(|l| &bytes[l * (len + 64)..][..len]).collect::<Vec<_>>();
        let mut run: Box<dyn FnMut()> = match self.subject {
            Subject::Kernel(kernel) => {
                let Some(mut chains) = Chains::new(self.algorithm, kernel) else { return };
                let data = messages();
                let blocks = len / self.algorithm.block_len();
                Box::new(move || chains.compress(&data, blocks))
            }
            Subject::Hash => {
                let (algorithm, message) = (self.algorithm, &bytes[..len]);
                Box::new(move || {
                    black_box(hash(algorithm, black_box(message)));
                })
            }
            Subject::Many(count, only) => {
                let engine = match only {
                    None => Ok(Engine::new(self.algorithm)),
                    Some(kernel) => Policy::fixed(kernel).engine(self.algorithm),
                };
                let Ok(engine) = engine else { return };
                let (data, mut digests) =
                    (messages(), vec![0; count * self.algorithm.digest_len()]);
                Box::new(move || hash_many(&engine, black_box(&data), Bytes(&mut digests)))
            }
        };
        run();
        let before = clock::probe();
        let start = Instant::now();
        for _ in 0..calls {
            run();
        }
        let nanoseconds = start.elapsed().as_nanos().max(1) as f64;
        let after = clock::probe();
        let count = (calls * lanes * len.max(1)) as f64;
        self.samples.push(Sample { rate: count / nanoseconds, before, after, counts: true });
    }

    /// Cycles per byte, or per message for empty messages; `None` without a plausible sample.
    pub(super) fn cycles(&self) -> Option<Spread> {
        self.cycles_of(1)
    }

    /// Cycles per message; `None` without a plausible sample.
    pub(super) fn message_cycles(&self) -> Option<Spread> {
        self.cycles_of(self.len.max(1))
    }

    fn cycles_of(&self, bytes: usize) -> Option<Spread> {
        let counting = self.samples.iter().filter(|sample| sample.counts);
        Spread::of(&counting.map(|sample| bytes as f64 * sample.cycles()).collect::<Vec<_>>())
    }

    /// Throughput, in gigabytes (10^9 bytes) per second.
    pub(super) fn rate(&self) -> Option<Spread> {
        Spread::of(&self.samples.iter().map(|sample| sample.rate).collect::<Vec<_>>())
    }
}

/// Marks implausible samples in all cases and returns their number.
fn sift(cases: &mut [Case]) -> Discarded {
    // A core cannot overlap more chains than `CHAINS`.
    let core = Core { width: Some(CHAINS as f64), ..Core::default() };
    let samples = cases.iter().flat_map(|case| &case.samples);
    let probes: Vec<Probe> = samples.flat_map(|sample| [sample.before, sample.after]).collect();
    let judge = Judge::new(&core, &probes);
    let mut discarded = Discarded::default();
    for sample in cases.iter_mut().flat_map(|case| &mut case.samples) {
        sample.counts = judge.accepts(sample.before, sample.after, &mut discarded);
    }
    discarded
}

/// Discards the samples of all rounds except the quietest. A thread on a sibling of the core slows all cases for
/// a while, but not the chains of the probes. A round has one sample of each case.
pub(super) fn keep_quiet_rounds(cases: &mut [Case]) {
    let rounds = cases.iter().map(|case| case.samples.len()).min().unwrap_or(0);
    let least: Vec<_> = cases.iter().map(|case| case.cycles().map(|cycles| cycles.least)).collect();
    let slowness = |round: usize| {
        let of = cases.iter().zip(&least).filter_map(|(case, least)| {
            let sample = case.samples[round];
            sample.counts.then_some(sample.cycles() / (*least)?)
        });
        median(&of.collect::<Vec<_>>()).unwrap_or(f64::INFINITY)
    };
    let mut order: Vec<_> = (0..rounds).map(|round| (slowness(round), round)).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    for &(_, round) in order.iter().skip((rounds / QUIET_SHARE).max(MIN_QUIET_ROUNDS)) {
        cases.iter_mut().for_each(|case| case.samples[round].counts = false);
    }
}

/// Samples all cases in alternation until `time` has elapsed, each at least once. Returns the
/// number of discarded samples.
pub(super) fn run(cases: &mut [Case], time: Duration) -> Discarded {
    let room = cases.iter().map(|case| case.subject.lanes() * (case.len + 64)).max();
    let bytes: Vec<u8> = (0..room.unwrap_or(0)).map(|i| (i * 31 + i / 251) as u8).collect();
    let start = Instant::now();
    loop {
        for case in &mut *cases {
            case.time(&bytes);
        }
        if start.elapsed() >= time {
            return sift(cases);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Another thread slows three quarters of the rounds, by a factor that depends on the case.
    #[test]
    fn only_quiet_rounds_are_kept() {
        let probe = Probe { ghz: 4.0, width: 2.9 };
        let case = |rate: f64, crowded: f64| {
            let mut case = Case::new(Algorithm::SHA256, Subject::Hash, 64).unwrap();
            let rate = |round| if round % 4 == 1 { rate } else { rate / crowded };
            let sample =
                |round| Sample { rate: rate(round), before: probe, after: probe, counts: true };
            case.samples = (0..80).map(sample).collect();
            case
        };
        let mut cases = [case(4.0, 1.5), case(1.0, 2.0), case(2.0, 1.1)];
        // One sample is a little too fast; the quiet rounds outvote it.
        cases[0].samples[0].rate = 4.1;
        keep_quiet_rounds(&mut cases);
        let medians = cases.each_ref().map(|case| case.cycles().unwrap());
        assert_eq!(
            medians.map(|cycles| (cycles.median, cycles.samples)),
            [(1.0, 10), (4.0, 10), (2.0, 10)]
        );
        // A short measurement keeps all rounds.
        cases.iter_mut().for_each(|case| {
            case.samples.truncate(3);
            case.samples.iter_mut().for_each(|sample| sample.counts = true);
        });
        keep_quiet_rounds(&mut cases);
        assert!(cases.iter().all(|case| case.cycles().unwrap().samples == 3));
        keep_quiet_rounds(&mut []);
    }

    #[test]
    fn implausible_samples_are_discarded() {
        let probe = |ghz, width| Probe { ghz, width };
        let sample = |before, after| Sample { rate: 2.0, before, after, counts: true };
        let mut case = Case::new(Algorithm::SHA256, Subject::Hash, 64).unwrap();
        case.samples = vec![sample(probe(4.0, 2.9), probe(4.0, 1.6)); 8];
        // Both probes were interrupted, so cycles seem twice as long.
        case.samples.push(sample(probe(2.0, 2.9), probe(2.0, 2.9)));
        // Five overlapping chains are implausible: there are only three.
        case.samples.push(sample(probe(4.0, 5.0), probe(4.0, 2.9)));
        case.samples.push(sample(probe(4.0, 2.9), probe(3.8, 2.9)));
        let mut cases = [case];
        let discarded = sift(&mut cases);
        assert_eq!((discarded.clock, discarded.width, discarded.unsteady), (1, 1, 1));
        let cycles = cases[0].cycles().unwrap();
        assert_eq!((cycles.least, cycles.median, cycles.samples), (2.0, 2.0, 8));
        assert_eq!(cases[0].rate().unwrap().samples, 11);
    }
}
