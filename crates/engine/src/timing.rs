//! Which of two rows of different width is the faster, by the clock.
//!
//! Two groups of lanes are faster than one on a core that has its vector units
//! to itself, and slower where a sibling thread competes for them. Only a long
//! run can tell: a short one never measures.

use core::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use lanesum_spec::Family;

use crate::kernel::Backend;
use crate::plan::{Plan, Preference};

/// What the process has learned of one family under the automatic policy.
pub(crate) struct Learned {
    preference: AtomicU8,
    /// Bytes hashed since the last trial, or since the start.
    bytes: AtomicU64,
    /// What came of a trial that ended before it had seen enough: bytes of each
    /// rival, and nanoseconds.
    trial: [[AtomicU64; 2]; 2],
}

impl Learned {
    const fn new() -> Self {
        let trial = [const { [const { AtomicU64::new(0) }; 2] }; 2];
        Self { preference: AtomicU8::new(0), bytes: AtomicU64::new(0), trial }
    }

    /// What has been learned of `family`.
    pub(crate) fn of(family: Family) -> &'static Self {
        static LEARNED: [Learned; Family::ALL.len()] = [const { Learned::new() }; _];
        &LEARNED[family as usize]
    }
}

/// Times the turns of long runs, to settle on the faster of two rows.
pub(crate) struct Timing {
    clock: Option<fn() -> u64>,
    preference: Preference,
    /// Where what is learned is kept for others, if it is.
    learned: Option<&'static Learned>,
    /// Bytes until the next trial, and hashed since the last.
    until_trial: u64,
    hashed: u64,
    trial: Option<Trial>,
}

/// Two rows turn by turn, all lanes live.
struct Trial {
    rivals: [Backend; 2],
    /// Whose turn it is.
    turn: usize,
    bytes: [u64; 2],
    nanoseconds: [u64; 2],
}

impl Timing {
    /// How much is hashed before the first trial, in bytes.
    const LONG: u64 = 16 << 20;
    /// How much each rival hashes in a trial, in bytes.
    const SAMPLE: u64 = 1 << 20;
    /// How much is hashed between trials, in bytes.
    const BETWEEN: u64 = 256 << 20;

    pub(crate) fn new(clock: Option<fn() -> u64>, learned: Option<&'static Learned>) -> Self {
        let known = learned.map(|learned| learned.preference.load(Ordering::Relaxed));
        let known = known.and_then(Preference::from_u8);
        let due = if known.is_some() { Self::BETWEEN } else { Self::LONG };
        let bytes = learned.map_or(0, |learned| learned.bytes.load(Ordering::Relaxed));
        Self {
            clock,
            preference: known.unwrap_or(Preference::Chosen),
            learned,
            until_trial: due.saturating_sub(bytes),
            hashed: 0,
            trial: None,
        }
    }

    /// Which of the plan's two rows to prefer.
    pub(crate) fn preference(&self) -> Preference {
        self.preference
    }

    /// The row on trial, if the next calls are part of one.
    pub(crate) fn trial(&mut self, plan: &Plan, live: usize) -> Option<Backend> {
        if self.until_trial > 0 || live < plan.lanes() || self.clock.is_none() {
            return None;
        }
        if self.trial.is_none() {
            let Some(rivals) = plan.rivals() else {
                self.clock = None;
                return None;
            };
            // Batches that are short one by one make up one trial together.
            let [bytes, nanoseconds] = self.learned.map_or([[0; 2]; 2], |learned| {
                learned
                    .trial
                    .each_ref()
                    .map(|sums| sums.each_ref().map(|sum| sum.swap(0, Ordering::Relaxed)))
            });
            let turn = usize::from(bytes[1] < bytes[0]);
            self.trial = Some(Trial { rivals, turn, bytes, nanoseconds });
        }
        self.trial.as_ref().map(|trial| trial.rivals[trial.turn])
    }

    /// The time, while a trial runs.
    pub(crate) fn now(&self) -> u64 {
        match (&self.trial, self.clock) {
            (Some(_), Some(clock)) => clock(),
            _ => 0,
        }
    }

    /// Notes that `backend` hashed `bytes` bytes in `lanes` lanes together.
    pub(crate) fn ran(&mut self, backend: Backend, lanes: usize, bytes: u64, start: u64) {
        self.until_trial = self.until_trial.saturating_sub(bytes);
        self.hashed += bytes;
        let now = self.now();
        let Some(trial) = &mut self.trial else { return };
        if trial.rivals[trial.turn] != backend || lanes < backend.lanes() {
            return;
        }
        trial.bytes[trial.turn] += bytes;
        trial.nanoseconds[trial.turn] += now.saturating_sub(start);
        // By the amount hashed, not call by call: what one call of the wider
        // row does takes several of the narrower.
        if trial.bytes[trial.turn] >= trial.bytes[1 - trial.turn] + Self::SAMPLE / 8 {
            trial.turn = 1 - trial.turn;
        }
        if trial.bytes.iter().all(|&bytes| bytes >= Self::SAMPLE) {
            let per_byte = |i: usize| trial.nanoseconds[i] * 1024 / (trial.bytes[i] / 1024);
            self.preference =
                if per_byte(1) < per_byte(0) { Preference::Rival } else { Preference::Chosen };
            self.trial = None;
            self.until_trial = Self::BETWEEN;
            self.hashed = 0;
            if let Some(learned) = self.learned {
                learned.preference.store(self.preference as u8, Ordering::Relaxed);
                learned.bytes.store(0, Ordering::Relaxed);
                learned.trial.iter().flatten().for_each(|sum| sum.store(0, Ordering::Relaxed));
            }
        }
    }
}

impl Drop for Timing {
    /// What was hashed counts towards the next trial, whoever makes it.
    fn drop(&mut self) {
        if let Some(learned) = self.learned {
            learned.bytes.fetch_add(self.hashed, Ordering::Relaxed);
            if let Some(trial) = &self.trial {
                let both = learned.trial.iter().flatten();
                for (to, sum) in both.zip([trial.bytes, trial.nanoseconds].as_flattened()) {
                    to.fetch_add(*sum, Ordering::Relaxed);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
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

        let plan = Policy::automatic().plan(Algorithm::SHA256);
        let Some(rivals) = plan.rivals() else {
            let why = "this CPU has no two rows worth timing against each other";
            lanesum_testkit::left_out(lanesum_testkit::Kind::Test, "rivals", why);
            return;
        };
        let mut hashed = 0;
        while LEARNED.preference.load(Ordering::Relaxed) == 0 {
            let mut timing = Timing::new(Some(clock), Some(&LEARNED));
            let backend = timing.trial(&plan, plan.lanes()).unwrap_or(rivals[0]);
            let start = timing.now();
            timing.ran(backend, backend.lanes(), RUN, start);
            hashed += RUN;
            assert!(hashed < 2 * Timing::LONG, "a trial that never ends");
        }
        assert!(hashed >= Timing::LONG + 2 * Timing::SAMPLE);
    }
}
