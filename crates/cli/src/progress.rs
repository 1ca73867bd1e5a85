//! The progress bar.

use std::io::{self, IsTerminal};
use std::sync::OnceLock;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{BinaryBytes, HumanDuration, ProgressBar, ProgressStyle};
use lanesum_files::Progress as Counters;

/// What ends sooner needs no bar.
const PATIENCE: Duration = Duration::from_millis(700);

/// Between two looks.
const TICK: Duration = Duration::from_millis(200);

/// A bar on standard error, if that is a terminal and the job takes a while.
#[derive(Default)]
pub(crate) struct Progress {
    /// What has been done.
    pub(crate) counters: Counters,
    bar: OnceLock<ProgressBar>,
}

impl Progress {
    /// Runs `job` and shows how far it is. `share` tells how much of it is done, from 0 to 1, when that can
    /// be known; it is first called when the bar is, and may take its time.
    pub(crate) fn watch<T>(
        &self,
        mut share: impl FnMut(&Counters) -> Option<f64> + Send,
        job: impl FnOnce() -> T,
    ) -> T {
        if !io::stderr().is_terminal() {
            return job();
        }
        thread::scope(|scope| {
            let (done, wait) = channel::<()>();
            // A job that is not watched is done all the same.
            let _ = thread::Builder::new().spawn_scoped(scope, move || {
                let start = Instant::now();
                let mut pause = PATIENCE;
                while wait.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                    pause = TICK;
                    let bar = self.bar.get_or_init(new_bar);
                    let share = share(&self.counters);
                    show(bar, &self.counters, share, start.elapsed());
                }
                if let Some(bar) = self.bar.get() {
                    bar.finish_and_clear();
                }
            });
            // Dropped when the job ends, also by a panic.
            let _done: Sender<()> = done;
            job()
        })
    }

    /// Does something that writes to the terminal, with the bar out of the way.
    pub(crate) fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        match self.bar.get() {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }
}

/// Steps of the bar.
const STEPS: u64 = 1000;

fn new_bar() -> ProgressBar {
    let bar = ProgressBar::new(STEPS);
    if let Ok(style) = ProgressStyle::with_template("{bar:24} {wide_msg}") {
        bar.set_style(style);
    }
    bar
}

fn show(bar: &ProgressBar, counters: &Counters, share: Option<f64>, elapsed: Duration) {
    let bytes = counters.bytes();
    let rate = bytes as f64 / elapsed.as_secs_f64();
    let mut message = format!(
        "{} files, {}, {}/s",
        counters.files(),
        BinaryBytes(bytes),
        BinaryBytes(rate as u64)
    );
    if let Some(share) = share.filter(|share| *share > 0.0) {
        let share = share.min(1.0);
        bar.set_position((share * STEPS as f64) as u64);
        let left = elapsed.mul_f64((1.0 - share) / share);
        message += &format!(", {:.0} %, {} left", share * 100.0, HumanDuration(left));
    }
    bar.set_message(message);
    bar.tick();
}
