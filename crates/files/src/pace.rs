//! Limits the read rate of a run.

use std::num::NonZeroU64;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::Progress;

/// Counts the bytes that a run reads, and limits their rate.
pub struct Meter<'a> {
    progress: &'a Progress,
    pace: Option<Pace>,
}

impl<'a> Meter<'a> {
    /// Creates a meter that counts in `progress`, and limits the rate to `max_rate` bytes per
    /// second.
    pub fn new(progress: &'a Progress, max_rate: Option<NonZeroU64>) -> Self {
        Self { progress, pace: max_rate.map(Pace::new) }
    }

    /// Counts `count` bytes that have been read, and waits until the rate limit permits them.
    pub fn read(&self, count: usize) {
        if count > 0 {
            self.progress.add_bytes(count);
            if let Some(pace) = &self.pace {
                pace.wait(count);
            }
        }
    }
}

/// A limit on the combined read rate of all workers.
struct Pace {
    bytes_a_second: NonZeroU64,
    /// The time at which all bytes read so far are due at this rate.
    due: Mutex<Instant>,
}

impl Pace {
    fn new(bytes_a_second: NonZeroU64) -> Self {
        Self { bytes_a_second, due: Mutex::new(Instant::now()) }
    }

    /// Waits until `count` more bytes may have been read.
    fn wait(&self, count: usize) {
        let seconds = count as f64 / self.bytes_a_second.get() as f64;
        let now = Instant::now();
        let due = {
            let mut due = self.due.lock().unwrap_or_else(PoisonError::into_inner);
            // Idle time earns no credit.
            *due = (*due).max(now) + Duration::from_secs_f64(seconds);
            *due
        };
        thread::sleep(due.saturating_duration_since(now));
    }
}
