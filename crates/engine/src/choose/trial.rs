//! The steps of a run. A long run times two kernels of different width against each other and
//! continues with the faster one.
//!
//! Two groups of lanes beat one on a core whose vector units are free, and lose when a sibling
//! thread competes for them. Only long runs measure this; short runs never do.

use core::borrow::Borrow;
use core::ops::Range;

use lanesum_spec::Family;

use super::learned::{Learned, Sums};
use super::plan::{Plan, Preference, Step};
use super::process::PerFamily;
#[cfg(feature = "std")]
use crate::base::FirstUse;
use crate::kernel::Kernel;
use crate::words::MAX_LANES;

/// A clock for long runs, and the shared timing results.
#[derive(Clone, Copy)]
pub(crate) struct Clock {
    /// Returns nanoseconds since an arbitrary start; `None`: no timing.
    now: Option<fn() -> u64>,
    /// The results shared with other runs, if any.
    learned: Option<&'static Learned>,
}

impl Clock {
    pub(super) fn new(now: Option<fn() -> u64>, learned: Option<&'static Learned>) -> Self {
        Self { now, learned }
    }

    /// Returns the automatic policy's clock.
    #[inline]
    pub(super) fn automatic(family: Family) -> Self {
        Self::new(default_clock(), PerFamily::of(family).learned())
    }
}

/// The steps of a run by a plan. Long runs are timed to select the faster of two kernels.
pub(crate) struct Steps<P> {
    plan: P,
    clock: Clock,
    preference: Preference,
    /// Bytes until the next trial, and bytes hashed since the last one.
    until_trial: u64,
    hashed: u64,
    trial: Option<Trial>,
}

/// A comparison of two kernels that alternate while all lanes are live.
struct Trial {
    rivals: [Kernel; 2],
    /// The index of the kernel that runs next.
    next: usize,
    bytes: [u64; 2],
    nanoseconds: [u64; 2],
    /// When the current step began.
    start: u64,
}

/// Bytes hashed before the first trial.
const FIRST_TRIAL_BYTES: u64 = 16 << 20;
/// Bytes that each rival hashes in a trial.
const SAMPLE_BYTES: u64 = 1 << 20;
/// Bytes hashed between trials.
const RETRIAL_BYTES: u64 = 256 << 20;

impl<P: Borrow<Plan>> Steps<P> {
    #[inline]
    pub(crate) fn new(plan: P, clock: Clock) -> Self {
        let learned = clock.learned;
        let known = learned.and_then(Learned::preference);
        let due = if known.is_some() { RETRIAL_BYTES } else { FIRST_TRIAL_BYTES };
        let bytes = learned.map_or(0, Learned::bytes);
        Self {
            plan,
            clock,
            preference: known.unwrap_or(Preference::Chosen),
            until_trial: due.saturating_sub(bytes),
            hashed: 0,
            trial: None,
        }
    }

    /// Returns the plan.
    #[inline]
    pub(crate) fn plan(&self) -> &Plan {
        self.plan.borrow()
    }

    /// Takes the next step from the front of `left`, which may exceed the number of lanes. Returns
    /// `None` if `left` is empty.
    #[inline]
    pub(crate) fn next(&mut self, left: &mut Range<usize>) -> Option<Step> {
        if left.start == left.end {
            return None;
        }
        let on_trial = if self.until_trial == 0 { self.on_trial(left.len()) } else { None };
        let live = left.len().min(MAX_LANES);
        let kernel = on_trial.unwrap_or_else(|| self.plan().first(self.preference, live));
        Some(Step::take(kernel, left))
    }

    /// Returns the kernel that a trial runs next, if a trial is due and enough lanes are live.
    #[cold]
    fn on_trial(&mut self, live: usize) -> Option<Kernel> {
        let clock = self.clock.now?;
        if self.trial.is_none() {
            if live < self.plan().lanes() {
                return None;
            }
            let Some(rivals) = self.plan().rivals() else {
                self.clock.now = None;
                return None;
            };
            // Several short batches share one trial.
            let learned = self.clock.learned;
            let [bytes, nanoseconds] = learned.map_or_else(Default::default, Learned::take_trial);
            let next = usize::from(bytes[1] < bytes[0]);
            self.trial = Some(Trial { rivals, next, bytes, nanoseconds, start: 0 });
        }
        let trial = self.trial.as_mut()?;
        trial.start = clock();
        let kernel = trial.rivals[trial.next];
        (live >= kernel.lanes()).then_some(kernel)
    }

    /// Whether steps are timed at present.
    #[inline]
    pub(crate) fn is_on_trial(&self) -> bool {
        self.trial.is_some()
    }

    /// Records that `step`, the step taken last, hashed `bytes` bytes.
    #[inline]
    pub(crate) fn ran(&mut self, step: Step, bytes: u64) {
        self.until_trial = self.until_trial.saturating_sub(bytes);
        self.hashed += bytes;
        if self.trial.is_some() {
            self.tried(step, bytes);
        }
    }

    #[cold]
    fn tried(&mut self, step: Step, bytes: u64) {
        let (Some(trial), Some(clock)) = (&mut self.trial, self.clock.now) else { return };
        if trial.rivals[trial.next] != step.kernel || step.used < step.kernel.lanes() {
            return;
        }
        trial.bytes[trial.next] += bytes;
        trial.nanoseconds[trial.next] += clock().saturating_sub(trial.start);
        // Alternate by bytes rather than calls: one call of the wider kernel does the work of several
        // calls of the narrower.
        if trial.bytes[trial.next] >= trial.bytes[1 - trial.next] + SAMPLE_BYTES / 8 {
            trial.next = 1 - trial.next;
        }
        if trial.bytes.iter().all(|&bytes| bytes >= SAMPLE_BYTES) {
            let per_byte = |i: usize| trial.nanoseconds[i] * 1024 / (trial.bytes[i] / 1024);
            self.preference =
                if per_byte(1) < per_byte(0) { Preference::Rival } else { Preference::Chosen };
            self.trial = None;
            self.until_trial = RETRIAL_BYTES;
            self.hashed = 0;
            if let Some(learned) = self.clock.learned {
                learned.settle(self.preference);
            }
        }
    }
}

impl<P> Drop for Steps<P> {
    /// Adds the hashed bytes to the shared count, so that they bring the next trial closer.
    fn drop(&mut self) {
        if self.hashed == 0 {
            return;
        }
        if let Some(learned) = self.clock.learned {
            learned.add(self.hashed, self.trial.as_ref().map(Trial::sums));
        }
    }
}

impl Trial {
    /// The bytes and nanoseconds of each rival.
    fn sums(&self) -> Sums {
        [self.bytes, self.nanoseconds]
    }
}

/// Returns a clock of nanoseconds since its first use, or `None` without `std`.
pub(super) fn default_clock() -> Option<fn() -> u64> {
    #[cfg(feature = "std")]
    {
        use std::time::Instant;
        static START: FirstUse<Instant> = FirstUse::new();
        Some(|| START.get_or(Instant::now).elapsed().as_nanos() as u64)
    }
    #[cfg(not(feature = "std"))]
    None
}

#[cfg(test)]
mod tests {
    use core::sync::atomic::{AtomicU64, Ordering};

    use lanesum_spec::Algorithm;

    use super::*;
    use crate::Policy;
    use crate::run::few;
    use crate::words::by_width;

    #[test]
    fn runs_too_short_for_a_trial_make_one_together() {
        const RUN: u64 = 64 << 10;
        static LEARNED: Learned = Learned::new();
        fn clock() -> u64 {
            static NOW: AtomicU64 = AtomicU64::new(0);
            NOW.fetch_add(1000, Ordering::Relaxed)
        }

        let plan = Policy::automatic().plan(Algorithm::SHA256).unwrap();
        if plan.rivals().is_none() {
            let why = "this CPU has no two kernels worth timing against each other";
            lanesum_testkit::left_out(lanesum_testkit::Kind::Test, "rivals", why);
            return;
        }
        let mut hashed = 0;
        while LEARNED.preference().is_none() {
            let mut steps = Steps::new(&plan, Clock::new(Some(clock), Some(&LEARNED)));
            let step = steps.next(&mut (0..plan.lanes())).unwrap();
            steps.ran(step, RUN);
            hashed += RUN;
            assert!(hashed < 2 * FIRST_TRIAL_BYTES, "a trial that never ends");
        }
        assert!(hashed >= FIRST_TRIAL_BYTES + 2 * SAMPLE_BYTES);
    }

    #[test]
    fn short_batches_end_a_trial_that_is_due() {
        const SHORT: [u8; 55] = [0; 55];
        static LEARNED: [Learned; 3] = [const { Learned::new() }; 3];
        fn clock() -> u64 {
            static NOW: AtomicU64 = AtomicU64::new(0);
            NOW.fetch_add(1000, Ordering::Relaxed)
        }

        let algorithms = [Algorithm::SHA1, Algorithm::SHA256, Algorithm::SHA512];
        for (algorithm, learned) in algorithms.into_iter().zip(&LEARNED) {
            let plan = Policy::automatic().plan(algorithm).unwrap();
            if plan.rivals().is_none() {
                continue;
            }
            learned.add(FIRST_TRIAL_BYTES, None);
            let mut batches = 0;
            while learned.preference().is_none() {
                let mut steps = Steps::new(&plan, Clock::new(Some(clock), Some(learned)));
                let messages: [&[u8]; MAX_LANES] = [&SHORT; _];
                let mut emit = |_: usize, _: &[u16], _: &[[u8; 64]]| {};
                by_width!(algorithm.family(), I => {
                    let message = |i: usize| messages[i];
                    assert!(few::<I>(algorithm, &mut steps, MAX_LANES, message, None, &mut emit));
                });
                batches += 1;
                assert!(
                    batches < (4 * SAMPLE_BYTES as usize) / SHORT.len(),
                    "a trial that never ends"
                );
            }
        }
    }
}
