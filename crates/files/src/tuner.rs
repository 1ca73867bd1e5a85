//! Decides how many files are read concurrently.

use std::num::NonZeroUsize;
use std::time::Duration;

/// The state of a run at one moment. All values count from the same start.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sample {
    /// Elapsed time.
    pub(crate) elapsed: Duration,
    /// Processor time of the whole process.
    pub(crate) cpu: Duration,
    /// Work done: the bytes read, plus a fixed overhead in bytes for each file.
    pub(crate) work: u64,
}

/// Tunes the number of concurrent readers from the measured rate of each number.
///
/// One worker per core is best while the data comes from the page cache. When it comes from a
/// device, cores are idle, and only a trial shows the best queue depth: deep for a flash drive or a
/// network, shallow for a rotating disk, where each further reader costs a seek. The device's own
/// description is not used: in a virtual machine it is wrong.
///
/// Has no clock and no threads: all input comes through [`observe`](Self::observe).
#[derive(Clone, Debug)]
pub(crate) struct ReaderTuner {
    cores: usize,
    min: usize,
    max: usize,
    workers: usize,
    last: Sample,
    /// The rate of `workers` workers, in work per second; 0 until measured.
    rate: f64,
    trial: Option<Trial>,
    /// Epochs to wait before the next trial, and after that trial if it fails.
    rest: u32,
    next_rest: u32,
    /// Whether the next trial adds workers.
    up: bool,
    /// Consecutive failed trials; reset by a success and by the pause after two failures.
    failed: u32,
    /// Consecutive epochs in which the processor was the bottleneck.
    busy: u32,
}

#[derive(Clone, Copy, Debug)]
struct Trial {
    /// The number of workers before the trial.
    from: usize,
    /// Whether an epoch has passed with the new number.
    settled: bool,
}

/// The shortest time for a meaningful rate.
pub(crate) const MIN_EPOCH: Duration = Duration::from_millis(40);

/// Maximum number of workers on small machines: no known device rewards more.
const MAX_WORKERS: usize = 16;

/// Minimum speedup for a trial to succeed; a smaller one is noise.
const MIN_SPEEDUP: f64 = 1.15;

/// Share of the available processor time at which the process counts as CPU-bound.
const CPU_BOUND_SHARE: f64 = 0.85;

/// Consecutive CPU-bound epochs before a deep queue is abandoned. If the device and the processor
/// are about equally fast, the queue depth is the reason.
const MAX_CPU_BOUND_EPOCHS: u32 = 6;

/// Initial and maximum number of epochs between failed trials. Conditions change, as when a
/// device's cache fills or another program stops using it, so trials never end.
const REST_EPOCHS: (u32, u32) = (4, 64);

impl ReaderTuner {
    /// Creates a tuner for a machine with `cores` cores.
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
            next_rest: REST_EPOCHS.0,
            up: true,
            failed: 0,
            busy: 0,
        }
    }

    /// Always uses `workers` workers, whatever the rate.
    pub(crate) fn fixed(workers: NonZeroUsize) -> Self {
        let cores = workers.get();
        Self { min: cores, max: cores, ..Self::new(workers) }
    }

    /// Returns the current number of workers.
    pub(crate) fn workers(&self) -> usize {
        self.workers
    }

    /// Whether an epoch has passed since the last sample that was used.
    pub(crate) fn is_due(&self, elapsed: Duration) -> bool {
        self.min < self.max && elapsed >= self.last.elapsed + MIN_EPOCH
    }

    /// Records a sample and returns the new number of workers. Ignores a sample that is not yet
    /// [due](Self::is_due).
    pub(crate) fn observe(&mut self, sample: Sample) -> usize {
        if !self.is_due(sample.elapsed) {
            return self.workers;
        }
        let seconds = (sample.elapsed - self.last.elapsed).as_secs_f64();
        let rate = sample.work.saturating_sub(self.last.work) as f64 / seconds;
        let cpu = sample.cpu.saturating_sub(self.last.cpu).as_secs_f64();
        self.last = sample;
        let is_busy = cpu >= CPU_BOUND_SHARE * seconds * self.cores as f64;
        self.busy = if is_busy { self.busy + 1 } else { 0 };
        if is_busy {
            self.bear_with_processor();
            return self.workers;
        }
        if let Some(trial) = self.trial.take() {
            if trial.settled {
                self.judge(trial.from, rate);
            } else {
                // Workers were still starting or stopping.
                self.trial = Some(Trial { settled: true, ..trial });
            }
        } else {
            // Smoothed, so that one large directory or one long file does not decide.
            self.rate = if self.rate == 0.0 { rate } else { (self.rate + rate) / 2.0 };
            self.rest = self.rest.saturating_sub(1);
        }
        if self.trial.is_none() && self.rest == 0 && self.rate > 0.0 {
            self.try_another();
        }
        self.workers
    }

    /// Handles a CPU-bound epoch, which shows nothing about the device. After enough of them,
    /// returns to one worker per core.
    fn bear_with_processor(&mut self) {
        if let Some(trial) = self.trial.take() {
            self.workers = trial.from;
        }
        if self.workers > self.cores && self.busy < MAX_CPU_BOUND_EPOCHS {
            return;
        }
        self.workers = self.cores;
        self.rate = 0.0;
        self.rest = 0;
        self.next_rest = REST_EPOCHS.0;
        self.up = true;
        self.failed = 0;
    }

    fn judge(&mut self, from: usize, rate: f64) {
        if rate > self.rate * MIN_SPEEDUP {
            self.rate = rate;
            self.failed = 0;
            self.next_rest = REST_EPOCHS.0;
        } else {
            self.workers = from;
            self.fail();
        }
    }

    /// Reverses the direction for the next trial, which follows soon. After two failures, backs
    /// off.
    fn fail(&mut self) {
        self.up = !self.up;
        self.failed += 1;
        self.rest = 1;
        if self.failed == 2 {
            self.failed = 0;
            self.rest = self.next_rest;
            self.next_rest = (self.next_rest * 2).min(REST_EPOCHS.1);
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

    /// Work per second and busy cores of a simulated device, as a function of the number of
    /// workers.
    type Device = fn(workers: f64) -> (f64, f64);

    /// Reads from memory: each of the two cores adds its share.
    const PAGE_CACHE: Device = |workers| (1e9 * workers.min(2.0), workers.min(2.0));
    /// A fixed latency per request, with unlimited parallelism.
    const FLASH: Device = |workers| (3e7 * workers, 0.06 * workers);
    /// A single arm: with two readers, seeks between their files already dominate.
    const ROTATING: Device = |workers| (1.5e8 / (1.0 + 0.6 * (workers - 1.0)), 0.1);
    /// A few concurrent requests are faster than one, many are slower.
    const ARRAY: Device =
        |workers| (1e8 * workers.min(8.0) / (1.0 + (workers / 14.0).powi(4)), 0.3);

    /// Simulates `epochs` epochs with an uneven clock. Returns the last sample and the number of
    /// workers in each epoch.
    fn run(
        tuner: &mut ReaderTuner,
        start: Sample,
        device: Device,
        epochs: u32,
    ) -> (Sample, Vec<usize>) {
        let mut sample = start;
        let mut levels = Vec::new();
        for epoch in 0..epochs {
            // Files differ: the rate of an epoch varies by up to 6 % in either direction.
            let noise = 1.0 + 0.06 * f64::from(epoch * 7 % 5).mul_add(0.5, -1.0);
            let step = MIN_EPOCH + Duration::from_millis(u64::from(epoch % 3));
            let (rate, busy) = device(tuner.workers() as f64);
            sample.elapsed += step;
            sample.cpu += step.mul_f64(busy);
            sample.work += (rate * noise * step.as_secs_f64()) as u64;
            levels.push(tuner.observe(sample));
        }
        (sample, levels)
    }

    /// Returns the median number of workers in the second half of a run.
    fn settled(levels: &[usize]) -> usize {
        let mut late = levels[levels.len() / 2..].to_vec();
        late.sort_unstable();
        late[late.len() / 2]
    }

    #[test]
    fn the_page_cache_gets_one_worker_per_core() {
        let (_, levels) = run(&mut ReaderTuner::new(CORES), Sample::default(), PAGE_CACHE, 500);
        assert!(levels.iter().all(|&workers| workers == 2), "{levels:?}");
    }

    #[test]
    fn a_flash_drive_gets_a_deep_queue_within_half_a_second() {
        let (_, levels) = run(&mut ReaderTuner::new(CORES), Sample::default(), FLASH, 500);
        let half_a_second = 500 / MIN_EPOCH.as_millis() as usize;
        assert_eq!(levels[half_a_second], 16, "{levels:?}");
        assert_eq!(settled(&levels), 16);
        let full = levels.iter().filter(|&&workers| workers == 16).count();
        assert!(full > 450, "trials of less must be few: {full} of 500");
    }

    #[test]
    fn a_rotating_disk_gets_one_reader_and_few_trials() {
        let (_, levels) = run(&mut ReaderTuner::new(CORES), Sample::default(), ROTATING, 500);
        assert_eq!(settled(&levels), 1, "{levels:?}");
        let more = levels.iter().filter(|&&workers| workers > 1).count();
        assert!(more < 50, "trials of more must be few: {more} of 500");
        assert!(levels.iter().all(|&workers| workers <= 4), "{levels:?}");
    }

    #[test]
    fn an_intermediate_optimum_is_found() {
        let (_, levels) = run(&mut ReaderTuner::new(CORES), Sample::default(), ARRAY, 500);
        assert_eq!(settled(&levels), 8, "{levels:?}");
    }

    #[test]
    fn occasional_cpu_bound_epochs_do_not_end_a_deep_queue() {
        let mut tuner = ReaderTuner::new(CORES);
        let (mut sample, _) = run(&mut tuner, Sample::default(), FLASH, 100);
        // Two cores are busy, whatever the number of workers.
        const BURST: Device = |workers| (3e7 * workers, 2.0);
        for _ in 0..50 {
            let bursts;
            (sample, bursts) = run(&mut tuner, sample, BURST, MAX_CPU_BOUND_EPOCHS - 1);
            assert!(bursts.iter().all(|&workers| workers == 16), "{bursts:?}");
            (sample, _) = run(&mut tuner, sample, FLASH, 2);
        }
    }

    #[test]
    fn the_number_of_workers_follows_a_change_of_device() {
        let mut tuner = ReaderTuner::new(CORES);
        let mut sample = Sample::default();
        for (device, workers) in [(FLASH, 16), (PAGE_CACHE, 2), (ROTATING, 1), (FLASH, 16)] {
            let levels;
            (sample, levels) = run(&mut tuner, sample, device, 600);
            assert_eq!(settled(&levels), workers, "{levels:?}");
        }
    }

    #[test]
    fn a_requested_number_of_workers_is_constant() {
        for workers in [1, 3, 40] {
            let mut tuner = ReaderTuner::fixed(NonZeroUsize::new(workers).unwrap());
            for device in [FLASH, ROTATING, PAGE_CACHE] {
                let (_, levels) = run(&mut tuner, Sample::default(), device, 50);
                assert!(levels.iter().all(|&level| level == workers));
            }
        }
    }
}
