//! Holds a run to a number of bytes a second.

use std::num::NonZeroU64;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// A bound on how fast all workers read together.
pub(crate) struct Pace {
    bytes_a_second: NonZeroU64,
    /// When what has been read would have been read at that rate.
    due: Mutex<Instant>,
}

impl Pace {
    pub(crate) fn new(bytes_a_second: NonZeroU64) -> Self {
        Self { bytes_a_second, due: Mutex::new(Instant::now()) }
    }

    /// Waits until so many bytes more may have been read.
    pub(crate) fn wait(&self, count: usize) {
        let seconds = count as f64 / self.bytes_a_second.get() as f64;
        let now = Instant::now();
        let due = {
            let mut due = self.due.lock().unwrap_or_else(PoisonError::into_inner);
            // Time in which nothing was read is not made up for.
            *due = (*due).max(now) + Duration::from_secs_f64(seconds);
            *due
        };
        thread::sleep(due.saturating_duration_since(now));
    }
}
