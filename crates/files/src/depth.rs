//! Decides how many files are read at once.

use std::num::NonZeroUsize;
use std::time::Duration;

/// How far things had come at some moment. All count from the same start.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sample {
    /// The time gone by.
    pub(crate) elapsed: Duration,
    /// Processor time that the whole process has used.
    pub(crate) cpu: Duration,
    /// Work done: bytes, and so many for each file as it costs beside them.
    pub(crate) work: u64,
}

/// Decides how many workers should read at once, from the rate that each number
/// of them was seen to reach.
///
/// One worker a core is best while the data comes from memory. When it comes from
/// a device, cores stand idle, and then only a trial tells what the device likes: many
/// requests in its queue, as a flash drive or a network does, or few, as a rotating disk
/// does, where each further reader costs a seek. What a device says of itself is not asked: in a
/// virtual machine it is not true.
///
/// It has no clock and no threads of its own; [`observe`](Self::observe) is told all it knows.
#[derive(Clone, Debug)]
pub(crate) struct Depth {
    cores: usize,
    min: usize,
    max: usize,
    workers: usize,
    last: Sample,
    /// The rate that `workers` reaches, in work a second; none before it is measured.
    rate: f64,
    trial: Option<Trial>,
    /// Epochs to stay before the next trial, and how many after that one if it fails.
    rest: u32,
    next_rest: u32,
    /// Which way the next trial goes.
    up: bool,
    /// Of the two ways, how many have failed since one succeeded or there was peace.
    failed: u32,
    /// Epochs in a row in which the processor was the limit.
    busy: u32,
}

#[derive(Clone, Copy, Debug)]
struct Trial {
    /// What to return to.
    from: usize,
    /// Whether an epoch has gone by with the new number.
    settled: bool,
}

/// The shortest time over which a rate means anything.
pub(crate) const EPOCH: Duration = Duration::from_millis(40);

/// More workers than this no device known to us rewards.
const MAX_WORKERS: usize = 16;

/// How much better a trial must be to be kept: less is noise.
const GAIN: f64 = 1.15;

/// Of the processor time there is, the part from which on the process is bound by it.
const BUSY: f64 = 0.85;

/// Epochs in a row that it must be bound by it before a deep queue is given up: where a
/// device and the processor are about equally fast, it is the queue that makes them so.
const PATIENCE: u32 = 6;

/// Epochs between failed trials, first and at most: a device's cache may fill, or
/// another program let go of it, so no verdict is for ever.
const REST: (u32, u32) = (4, 64);

impl Depth {
    /// For a machine with so many cores.
    pub(crate) fn new(cores: NonZeroUsize) -> Self {
        let cores = cores.get();
        Self {
            cores,
            min: 1,
            max: cores.max(MAX_WORKERS),
            workers: cores,
            last: Sample::default(),
            rate: 0.0,
            trial: None,
            rest: 0,
            next_rest: REST.0,
            up: true,
            failed: 0,
            busy: 0,
        }
    }

    /// Always the same number, whatever the rate.
    pub(crate) fn fixed(workers: NonZeroUsize) -> Self {
        let cores = workers.get();
        Self { min: cores, max: cores, ..Self::new(workers) }
    }

    /// How many workers there should be now.
    pub(crate) fn workers(&self) -> usize {
        self.workers
    }

    /// Whether enough time has gone by since the last sample that was used.
    pub(crate) fn is_due(&self, elapsed: Duration) -> bool {
        self.min < self.max && elapsed >= self.last.elapsed + EPOCH
    }

    /// Takes a sample, and returns how many workers there should be from now on.
    /// One that comes before it [is due](Self::is_due) is passed over.
    pub(crate) fn observe(&mut self, sample: Sample) -> usize {
        if !self.is_due(sample.elapsed) {
            return self.workers;
        }
        let seconds = (sample.elapsed - self.last.elapsed).as_secs_f64();
        let rate = sample.work.saturating_sub(self.last.work) as f64 / seconds;
        let cpu = sample.cpu.saturating_sub(self.last.cpu).as_secs_f64();
        self.last = sample;
        let is_busy = cpu >= BUSY * seconds * self.cores as f64;
        self.busy = if is_busy { self.busy + 1 } else { 0 };
        if is_busy {
            self.bear_with_processor();
            return self.workers;
        }
        if let Some(trial) = self.trial.take() {
            if trial.settled {
                self.judge(trial.from, rate);
            } else {
                // Workers were still coming or going.
                self.trial = Some(Trial { settled: true, ..trial });
            }
        } else {
            // Smoothed: one large folder or one long file must not decide.
            self.rate = if self.rate == 0.0 { rate } else { (self.rate + rate) / 2.0 };
            self.rest = self.rest.saturating_sub(1);
        }
        if self.trial.is_none() && self.rest == 0 && self.rate > 0.0 {
            self.try_another();
        }
        self.workers
    }

    /// The processor is the limit, so nothing is learnt of the device. When it stays the
    /// limit, a worker a core is best.
    fn bear_with_processor(&mut self) {
        if let Some(trial) = self.trial.take() {
            self.workers = trial.from;
        }
        if self.workers > self.cores && self.busy < PATIENCE {
            return;
        }
        self.workers = self.cores;
        self.rate = 0.0;
        self.rest = 0;
        self.next_rest = REST.0;
        self.up = true;
        self.failed = 0;
    }

    fn judge(&mut self, from: usize, rate: f64) {
        if rate > self.rate * GAIN {
            self.rate = rate;
            self.failed = 0;
            self.next_rest = REST.0;
        } else {
            self.workers = from;
            self.fail();
        }
    }

    /// The other way is tried soon; after both have failed there is peace for a while.
    fn fail(&mut self) {
        self.up = !self.up;
        self.failed += 1;
        self.rest = 1;
        if self.failed == 2 {
            self.failed = 0;
            self.rest = self.next_rest;
            self.next_rest = (self.next_rest * 2).min(REST.1);
        }
    }

    fn try_another(&mut self) {
        let from = self.workers;
        let to = if self.up { (from * 2).min(self.max) } else { (from / 2).max(self.min) };
        if to == from {
            self.fail();
        } else {
            self.workers = to;
            self.trial = Some(Trial { from, settled: false });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORES: NonZeroUsize = NonZeroUsize::new(2).unwrap();

    /// What a device gives: work a second and busy cores, by the number of workers.
    type Device = fn(workers: f64) -> (f64, f64);

    /// Reads come from memory: each core adds its share, and there are two.
    const PAGE_CACHE: Device = |workers| (1e9 * workers.min(2.0), workers.min(2.0));
    /// Each request takes its time, and the device serves any number of them at once.
    const FLASH: Device = |workers| (3e7 * workers, 0.06 * workers);
    /// One arm: two readers already spend their time on seeks between their files.
    const ROTATING: Device = |workers| (1.5e8 / (1.0 + 0.6 * (workers - 1.0)), 0.1);
    /// A few requests at once are better than one, many are worse.
    const ARRAY: Device =
        |workers| (1e8 * workers.min(8.0) / (1.0 + (workers / 14.0).powi(4)), 0.3);

    /// Runs on simulated time with a clock that ticks unevenly, and returns how many
    /// workers there were at each of the epochs.
    fn run(depth: &mut Depth, start: Sample, device: Device, epochs: u32) -> (Sample, Vec<usize>) {
        let mut sample = start;
        let mut levels = Vec::new();
        for epoch in 0..epochs {
            // Files differ: the rate of an epoch is off by up to 6 % either way.
            let noise = 1.0 + 0.06 * f64::from(epoch * 7 % 5).mul_add(0.5, -1.0);
            let step = EPOCH + Duration::from_millis(u64::from(epoch % 3));
            let (rate, busy) = device(depth.workers() as f64);
            sample.elapsed += step;
            sample.cpu += step.mul_f64(busy);
            sample.work += (rate * noise * step.as_secs_f64()) as u64;
            levels.push(depth.observe(sample));
        }
        (sample, levels)
    }

    /// How many workers the later half of a run had, most of the time.
    fn settled(levels: &[usize]) -> usize {
        let mut late = levels[levels.len() / 2..].to_vec();
        late.sort_unstable();
        late[late.len() / 2]
    }

    #[test]
    fn from_memory_there_is_one_worker_a_core_at_all_times() {
        let (_, levels) = run(&mut Depth::new(CORES), Sample::default(), PAGE_CACHE, 500);
        assert!(levels.iter().all(|&workers| workers == 2), "{levels:?}");
    }

    #[test]
    fn a_device_that_likes_a_full_queue_gets_one_within_half_a_second() {
        let (_, levels) = run(&mut Depth::new(CORES), Sample::default(), FLASH, 500);
        let half_a_second = 500 / EPOCH.as_millis() as usize;
        assert_eq!(levels[half_a_second], 16, "{levels:?}");
        assert_eq!(settled(&levels), 16);
        let full = levels.iter().filter(|&&workers| workers == 16).count();
        assert!(full > 450, "trials of less must be few: {full} of 500");
    }

    #[test]
    fn a_rotating_disk_gets_one_reader_and_few_trials_of_more() {
        let (_, levels) = run(&mut Depth::new(CORES), Sample::default(), ROTATING, 500);
        assert_eq!(settled(&levels), 1, "{levels:?}");
        let more = levels.iter().filter(|&&workers| workers > 1).count();
        assert!(more < 50, "trials of more must be few: {more} of 500");
        assert!(levels.iter().all(|&workers| workers <= 4), "{levels:?}");
    }

    #[test]
    fn a_device_with_an_optimum_in_between_is_climbed_to_it() {
        let (_, levels) = run(&mut Depth::new(CORES), Sample::default(), ARRAY, 500);
        assert_eq!(settled(&levels), 8, "{levels:?}");
    }

    #[test]
    fn a_queue_that_keeps_the_processor_busy_now_and_then_stays() {
        let mut depth = Depth::new(CORES);
        let (mut sample, _) = run(&mut depth, Sample::default(), FLASH, 100);
        const BURST: Device = |workers| (3e7 * workers, 2.0);
        for _ in 0..50 {
            let bursts;
            (sample, bursts) = run(&mut depth, sample, BURST, PATIENCE - 1);
            assert!(bursts.iter().all(|&workers| workers == 16), "{bursts:?}");
            (sample, _) = run(&mut depth, sample, FLASH, 2);
        }
    }

    #[test]
    fn it_follows_when_the_data_moves_from_one_device_to_another() {
        let mut depth = Depth::new(CORES);
        let mut sample = Sample::default();
        for (device, workers) in [(FLASH, 16), (PAGE_CACHE, 2), (ROTATING, 1), (FLASH, 16)] {
            let levels;
            (sample, levels) = run(&mut depth, sample, device, 600);
            assert_eq!(settled(&levels), workers, "{levels:?}");
        }
    }

    #[test]
    fn a_number_that_was_asked_for_is_kept() {
        for workers in [1, 3, 40] {
            let mut depth = Depth::fixed(NonZeroUsize::new(workers).unwrap());
            for device in [FLASH, ROTATING, PAGE_CACHE] {
                let (_, levels) = run(&mut depth, Sample::default(), device, 50);
                assert!(levels.iter().all(|&level| level == workers));
            }
        }
    }
}
