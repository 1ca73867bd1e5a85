//! The turns of a run. In a long run two kernels of different width are timed against each
//! other, and the faster one goes on.
//!
//! Two groups of lanes are faster than one on a core that has its vector units
//! to itself, and slower where a sibling thread competes for them. Only a long
//! run can tell: a short one never measures.

use core::borrow::Borrow;
use core::ops::Range;

use lanesum_spec::Family;

use super::learned::{Learned, Sums};
use super::plan::{Plan, Preference, Turn};
#[cfg(feature = "std")]
use crate::base::FirstUse;
use crate::kernel::Kernel;
use crate::words::MAX_LANES;

/// What times a run, and where what it learns is kept.
#[derive(Clone, Copy)]
pub(crate) struct Clock {
    /// Nanoseconds since some moment; none: nothing is timed.
    now: Option<fn() -> u64>,
    /// Where what is learned is kept for others, if it is.
    learned: Option<&'static Learned>,
}

impl Clock {
    pub(super) fn new(now: Option<fn() -> u64>, learned: Option<&'static Learned>) -> Self {
        Self { now, learned }
    }

    /// That of the automatic policy.
    #[inline]
    pub(super) fn automatic(family: Family) -> Self {
        Self::new(default_clock(), Learned::of(family))
    }
}

/// The turns of a run by a plan, timed when it is long, to settle on the faster of two kernels.
pub(crate) struct Turns<P> {
    plan: P,
    clock: Clock,
    preference: Preference,
    /// Bytes until the next trial, and hashed since the last.
    until_trial: u64,
    hashed: u64,
    trial: Option<Trial>,
}

/// Two kernels turn by turn, all lanes live.
struct Trial {
    rivals: [Kernel; 2],
    /// Whose turn it is.
    turn: usize,
    bytes: [u64; 2],
    nanoseconds: [u64; 2],
    /// When the turn under way began.
    start: u64,
}

/// How much is hashed before the first trial, in bytes.
const LONG: u64 = 16 << 20;
/// How much each rival hashes in a trial, in bytes.
const SAMPLE: u64 = 1 << 20;
/// How much is hashed between trials, in bytes.
const BETWEEN: u64 = 256 << 20;

impl<P: Borrow<Plan>> Turns<P> {
    pub(super) fn new(plan: P, clock: Clock) -> Self {
        let learned = clock.learned;
        let known = learned.and_then(Learned::preference);
        let due = if known.is_some() { BETWEEN } else { LONG };
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

    /// The plan that they go by.
    #[inline]
    pub(crate) fn plan(&self) -> &Plan {
        self.plan.borrow()
    }

    /// The next turn with the first of the lanes that are `left`, which it takes; none if none
    /// is left. More may be left than there are lanes.
    #[inline]
    pub(crate) fn next(&mut self, left: &mut Range<usize>) -> Option<Turn> {
        if left.start == left.end {
            return None;
        }
        let on_trial = if self.until_trial == 0 { self.on_trial(left.len()) } else { None };
        let live = left.len().min(MAX_LANES);
        let kernel = on_trial.unwrap_or_else(|| self.plan().first(self.preference, live));
        Some(Turn::take(kernel, left))
    }

    /// The kernel whose turn it is in a trial, if there is to be one and it has lanes enough.
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
            // Batches that are short one by one make up one trial together.
            let learned = self.clock.learned;
            let [bytes, nanoseconds] = learned.map_or_else(Default::default, Learned::take_trial);
            let turn = usize::from(bytes[1] < bytes[0]);
            self.trial = Some(Trial { rivals, turn, bytes, nanoseconds, start: 0 });
        }
        let trial = self.trial.as_mut()?;
        trial.start = clock();
        let kernel = trial.rivals[trial.turn];
        (live >= kernel.lanes()).then_some(kernel)
    }

    /// Notes that the turn, the last that was taken, hashed so many bytes.
    #[inline]
    pub(crate) fn ran(&mut self, turn: Turn, bytes: u64) {
        self.until_trial = self.until_trial.saturating_sub(bytes);
        self.hashed += bytes;
        if self.trial.is_some() {
            self.tried(turn, bytes);
        }
    }

    #[cold]
    fn tried(&mut self, turn: Turn, bytes: u64) {
        let (Some(trial), Some(clock)) = (&mut self.trial, self.clock.now) else { return };
        if trial.rivals[trial.turn] != turn.kernel || turn.used < turn.kernel.lanes() {
            return;
        }
        trial.bytes[trial.turn] += bytes;
        trial.nanoseconds[trial.turn] += clock().saturating_sub(trial.start);
        // By the amount hashed, not call by call: what one call of the wider
        // kernel does takes several of the narrower.
        if trial.bytes[trial.turn] >= trial.bytes[1 - trial.turn] + SAMPLE / 8 {
            trial.turn = 1 - trial.turn;
        }
        if trial.bytes.iter().all(|&bytes| bytes >= SAMPLE) {
            let per_byte = |i: usize| trial.nanoseconds[i] * 1024 / (trial.bytes[i] / 1024);
            self.preference =
                if per_byte(1) < per_byte(0) { Preference::Rival } else { Preference::Chosen };
            self.trial = None;
            self.until_trial = BETWEEN;
            self.hashed = 0;
            if let Some(learned) = self.clock.learned {
                learned.settle(self.preference);
            }
        }
    }
}

impl<P> Drop for Turns<P> {
    /// What was hashed counts towards the next trial, whoever makes it.
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

/// Nanoseconds since the process first asked, where there is a clock.
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
            let mut turns = Turns::new(&plan, Clock::new(Some(clock), Some(&LEARNED)));
            let turn = turns.next(&mut (0..plan.lanes())).unwrap();
            turns.ran(turn, RUN);
            hashed += RUN;
            assert!(hashed < 2 * LONG, "a trial that never ends");
        }
        assert!(hashed >= LONG + 2 * SAMPLE);
    }
}
