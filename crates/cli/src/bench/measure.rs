//! Timing kernels and whole messages, round robin.

use std::hint::black_box;
use std::time::{Duration, Instant};

use lanesum::hazmat::Chains;
use lanesum::{Algorithm, Backend, hash};

use super::clock::Probe;

/// A timed call hashes at least so many bytes, by several calls if need be.
const LEAST: usize = 16 << 10;
/// A timing counts for its cycles only if the core's cycle was as long after it as
/// before, within this share.
const STEADY: f64 = 0.03;

/// What is timed: a row's kernel, or the call that users make.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    Row(Backend),
    /// One whole message through the engine's own choice, padding included.
    Hash,
}

impl Subject {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Row(backend) => backend.name(),
            Self::Hash => "hash",
        }
    }

    pub(super) fn lanes(self) -> usize {
        match self {
            Self::Row(backend) => backend.lanes(),
            Self::Hash => 1,
        }
    }
}

/// A subject at one length of message, and what it took.
pub(super) struct Case {
    pub(super) algorithm: Algorithm,
    pub(super) subject: Subject,
    /// The length of each message, in bytes.
    pub(super) len: usize,
    samples: Vec<Sample>,
    /// A sibling thread was at work before some sample.
    pub(super) crowding: f64,
}

struct Sample {
    /// Cycles a byte, if the core kept its frequency.
    cycles: Option<f64>,
    /// Bytes in a nanosecond.
    rate: f64,
}

/// The least or most, and the middle one, of samples.
#[derive(Clone, Copy)]
pub(super) struct Figure {
    pub(super) best: f64,
    pub(super) median: f64,
}

impl Case {
    /// None where the subject has no kernel for the algorithm, or the length is no
    /// whole number of blocks, which is all that a kernel takes.
    pub(super) fn new(algorithm: Algorithm, subject: Subject, len: usize) -> Option<Self> {
        let fits = match subject {
            Subject::Row(backend) => {
                backend.supports(algorithm) && len > 0 && len.is_multiple_of(algorithm.block_len())
            }
            Subject::Hash => true,
        };
        fits.then_some(Self { algorithm, subject, len, samples: Vec::new(), crowding: f64::MAX })
    }

    /// Times it once. `bytes` has room for all messages.
    fn time(&mut self, bytes: &[u8]) {
        let (len, lanes) = (self.len, self.subject.lanes());
        let calls = LEAST.div_ceil((len * lanes).max(64));
        let mut run: Box<dyn FnMut()> = match self.subject {
            Subject::Row(backend) => {
                let Some(mut chains) = Chains::new(self.algorithm, backend) else { return };
                // A cache line further apart than long, lest they want the same lines.
                let data: Vec<&[u8]> =
                    (0..lanes).map(|l| &bytes[l * (len + 64)..][..len]).collect();
                let blocks = len / self.algorithm.block_len();
                Box::new(move || chains.compress(&data, blocks))
            }
            Subject::Hash => {
                let (algorithm, message) = (self.algorithm, &bytes[..len]);
                Box::new(move || {
                    black_box(hash(algorithm, black_box(message)));
                })
            }
        };
        run();
        let before = Probe::now();
        let start = Instant::now();
        for _ in 0..calls {
            run();
        }
        let nanoseconds = start.elapsed().as_nanos().max(1) as f64;
        let after = Probe::now();
        let count = (calls * lanes * len.max(1)) as f64;
        let steady = (before.cycle - after.cycle).abs() < STEADY * before.cycle;
        let cycle = f64::midpoint(before.cycle, after.cycle);
        self.crowding = self.crowding.min(before.crowding);
        self.samples.push(Sample {
            cycles: steady.then_some(nanoseconds / cycle / count),
            rate: count / nanoseconds,
        });
    }

    /// Cycles a byte, of an empty message cycles; none if the core never was steady.
    pub(super) fn cycles(&self) -> Option<Figure> {
        figure(self.samples.iter().filter_map(|sample| sample.cycles).collect(), false)
    }

    /// 10^9 bytes in a second.
    pub(super) fn rate(&self) -> Option<Figure> {
        figure(self.samples.iter().map(|sample| sample.rate).collect(), true)
    }

    pub(super) fn samples(&self) -> usize {
        self.samples.len()
    }
}

/// The best, the most or the least, and the median.
fn figure(mut samples: Vec<f64>, most: bool) -> Option<Figure> {
    samples.sort_by(f64::total_cmp);
    let best = if most { samples.last() } else { samples.first() };
    Some(Figure { best: *best?, median: samples[samples.len() / 2] })
}

/// Times all cases in turn, at least once each, until the time is over.
pub(super) fn run(cases: &mut [Case], time: Duration) {
    let room = cases.iter().map(|case| case.subject.lanes() * (case.len + 64)).max();
    let bytes: Vec<u8> = (0..room.unwrap_or(0)).map(|i| (i * 31 + i / 251) as u8).collect();
    let start = Instant::now();
    loop {
        for case in &mut *cases {
            case.time(&bytes);
        }
        if start.elapsed() >= time {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_rate_is_the_highest_and_the_best_count_of_cycles_the_lowest() {
        let samples = vec![3.0, 1.0, 2.0];
        let most = figure(samples.clone(), true).unwrap();
        let least = figure(samples, false).unwrap();
        assert_eq!((most.best, least.best, most.median), (3.0, 1.0, 2.0));
        assert!(figure(Vec::new(), true).is_none());
    }
}
