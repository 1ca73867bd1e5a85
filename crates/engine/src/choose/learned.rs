//! Results of timing long runs, shared by the process. Without `std` there is no clock, so no results.

#[cfg(any(test, feature = "std"))]
pub(crate) use self::shared::Learned;
#[cfg(not(any(test, feature = "std")))]
pub(crate) use self::without_clock::Learned;

/// The sums of a trial: bytes and nanoseconds of each rival.
pub(super) type Sums = [[u64; 2]; 2];

#[cfg(any(test, feature = "std"))]
mod shared {
    // Without 64-bit atomics a counter has 32 bits.
    #![allow(clippy::unnecessary_cast)]

    use core::sync::atomic::{AtomicU8, Ordering};

    use super::Sums;
    use crate::choose::plan::Preference;

    #[cfg(target_has_atomic = "64")]
    use core::sync::atomic::AtomicU64 as Counter;
    // 32 bits suffice: a trial takes some MiB and some milliseconds, and a late trial is harmless.
    #[cfg(not(target_has_atomic = "64"))]
    use core::sync::atomic::AtomicUsize as Counter;

    /// The shared results for one family under the automatic policy.
    pub(crate) struct Learned {
        /// The preference plus one; 0: none yet.
        preference: AtomicU8,
        /// Bytes hashed since the last trial, or since the start.
        bytes: Counter,
        /// The sums of trials that ended before each rival hashed a full sample.
        trial: [[Counter; 2]; 2],
    }

    impl Learned {
        pub(in crate::choose) const fn new() -> Self {
            let trial = [const { [const { Counter::new(0) }; 2] }; 2];
            Self { preference: AtomicU8::new(0), bytes: Counter::new(0), trial }
        }

        #[inline]
        pub(in crate::choose) fn preference(&self) -> Option<Preference> {
            match self.preference.load(Ordering::Relaxed) {
                0 => None,
                1 => Some(Preference::Chosen),
                _ => Some(Preference::Rival),
            }
        }

        /// Bytes hashed since the last trial, or since the start.
        #[inline]
        pub(in crate::choose) fn bytes(&self) -> u64 {
            self.bytes.load(Ordering::Relaxed) as u64
        }

        /// Returns the sums of the unfinished trial and resets them.
        pub(in crate::choose) fn take_trial(&self) -> Sums {
            let take = |sum: &Counter| sum.swap(0, Ordering::Relaxed) as u64;
            self.trial.each_ref().map(|sums| sums.each_ref().map(take))
        }

        /// Records the outcome of a trial.
        pub(in crate::choose) fn settle(&self, preference: Preference) {
            self.preference.store(preference as u8 + 1, Ordering::Relaxed);
            self.bytes.store(0, Ordering::Relaxed);
            self.trial.iter().flatten().for_each(|sum| sum.store(0, Ordering::Relaxed));
        }

        /// Adds `bytes` hashed bytes, and the sums of an unfinished trial, if any.
        pub(in crate::choose) fn add(&self, bytes: u64, trial: Option<Sums>) {
            self.bytes.fetch_add(bytes as _, Ordering::Relaxed);
            let sums = trial.iter().flatten().flatten();
            for (to, sum) in self.trial.iter().flatten().zip(sums) {
                to.fetch_add(*sum as _, Ordering::Relaxed);
            }
        }
    }
}

#[cfg(not(any(test, feature = "std")))]
mod without_clock {
    use super::Sums;
    use crate::choose::plan::Preference;

    /// No value, so no atomics that a target may lack.
    pub(crate) enum Learned {}

    impl Learned {
        pub(in crate::choose) fn preference(&self) -> Option<Preference> {
            match *self {}
        }

        pub(in crate::choose) fn bytes(&self) -> u64 {
            match *self {}
        }

        pub(in crate::choose) fn take_trial(&self) -> Sums {
            match *self {}
        }

        pub(in crate::choose) fn settle(&self, _preference: Preference) {
            match *self {}
        }

        pub(in crate::choose) fn add(&self, _bytes: u64, _trial: Option<Sums>) {
            match *self {}
        }
    }
}
