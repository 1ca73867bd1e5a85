//! Progress on a terminal while files are hashed, and the `--explain` report.

use std::io::{self, IsTerminal};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use std::{env, fmt, thread};

use console::Term;
use indicatif::{BinaryBytes, HumanDuration, MultiProgress, ProgressBar, ProgressStyle};
use lanesum::Policy;
use lanesum_files::{Checksum, Doing, Progress as Counters};

use crate::message::{Shown, print_message};

/// Delay before the progress bar appears.
const DELAY: Duration = Duration::from_millis(700);

/// Interval between updates of the progress bar.
const UPDATE_INTERVAL: Duration = Duration::from_millis(200);

/// Interval between progress lines on a terminal without cursor control.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Maximum number of large files shown below the bar.
const MAX_LARGE_FILES: usize = 3;

/// Maximum number of errors that are repeated at the end.
const MAX_REPEATED_ERRORS: usize = 1000;

/// The progress of a command, shown on standard error if that is a terminal and the job takes a
/// while.
#[derive(Default)]
pub(crate) struct Progress {
    /// The counters that show the progress.
    pub(crate) counters: Counters,
    screen: OnceLock<Screen>,
    errors: Mutex<Errors>,
}

#[derive(Default)]
struct Errors {
    count: u64,
    messages: Vec<String>,
}

/// Returns a function for [`Progress::watch`] that computes the completed share of the bytes that
/// `total` adds up. Its first call runs `total` in a thread that ends with the process.
pub(crate) fn share_of<T: FnOnce() -> Option<u64> + Send + 'static>(
    total: impl FnOnce() -> T + Send,
) -> impl FnMut(&Counters) -> Option<f64> + Send {
    let (mut total, bytes) = (Some(total), Arc::new(OnceLock::new()));
    move |counters| {
        if let Some(total) = total.take() {
            let (total, bytes) = (total(), bytes.clone());
            // If the thread cannot be started, no remaining time is shown.
            let _ = thread::Builder::new().spawn(move || total().map(|total| bytes.set(total)));
        }
        share(counters, *bytes.get()?)
    }
}

/// Returns the completed share of `total` bytes; `None` if that is 0.
pub(crate) fn share(counters: &Counters, total: u64) -> Option<f64> {
    (total > 0).then(|| counters.bytes() as f64 / total as f64)
}

/// The progress bar, and a line for each of up to `MAX_LARGE_FILES` large files.
struct Screen {
    all: MultiProgress,
    bar: ProgressBar,
    long: Mutex<Vec<ProgressBar>>,
}

impl Progress {
    /// Creates a progress display. `explains`: whether to collect the timings for
    /// [`Progress::explain`].
    pub(crate) fn new(explains: bool) -> Self {
        let counters = if explains { Counters::timed() } else { Counters::default() };
        Self { counters, ..Self::default() }
    }

    /// Determines the total number of bytes during the run, if its progress will be shown.
    pub(crate) fn counting_total(mut self) -> Self {
        if io::stderr().is_terminal() {
            self.counters = self.counters.counting_total();
        }
        self
    }

    /// Runs `job` and shows its progress. `share` returns the completed share, from 0 to 1, if it
    /// is known. Its first call is when the bar appears, and may block.
    pub(crate) fn watch<T>(
        &self,
        mut share: impl FnMut(&Counters) -> Option<f64> + Send,
        job: impl FnOnce() -> T,
    ) -> T {
        if !io::stderr().is_terminal() {
            return job();
        }
        let result = thread::scope(|scope| {
            let (done, wait) = channel::<()>();
            // If the thread cannot be started, the job runs without a display.
            let _ = thread::Builder::new().spawn_scoped(scope, move || {
                let start = Instant::now();
                let is_dumb =
                    env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
                let mut pause = DELAY;
                while wait.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                    if is_dumb && pause == DELAY {
                        // Start to determine the total.
                        share(&self.counters);
                        pause = LINE_INTERVAL;
                        continue;
                    }
                    let text = self.text(share(&self.counters), start.elapsed());
                    if is_dumb {
                        print_message(text.1);
                    } else {
                        pause = UPDATE_INTERVAL;
                        self.screen.get_or_init(Screen::new).show(&self.counters, text);
                    }
                }
                if let Some(screen) = self.screen.get() {
                    screen.clear();
                }
            });
            // Dropped when the job ends, even by a panic.
            let _done: Sender<()> = done;
            job()
        });
        self.repeat_errors();
        result
    }

    /// Calls `write`, which may write to the terminal, while the bar is hidden.
    pub(crate) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        match self.screen.get() {
            Some(screen) => screen.all.suspend(write),
            None => write(),
        }
    }

    /// Reports an error with a file, immediately and again at the end.
    pub(crate) fn fault(&self, message: impl fmt::Display) {
        let message = message.to_string();
        self.suspend(|| print_message(&message));
        self.count_fault(message);
    }

    /// Counts an error that has been reported.
    pub(crate) fn count_fault(&self, message: String) {
        let mut errors = self.errors();
        errors.count += 1;
        if errors.messages.len() < MAX_REPEATED_ERRORS && io::stderr().is_terminal() {
            errors.messages.push(message);
        }
    }

    fn errors(&self) -> MutexGuard<'_, Errors> {
        self.errors.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Repeats all errors at the end of a run that was long enough for a progress bar.
    fn repeat_errors(&self) {
        let errors = self.errors();
        if self.screen.get().is_none() || errors.count == 0 {
            return;
        }
        let more = errors.count - errors.messages.len() as u64;
        print_message(format_args!("{} in total:", count(errors.count, "error")));
        errors.messages.iter().for_each(print_message);
        if more > 0 {
            print_message(format_args!("and {more} more"));
        }
    }

    /// Returns the completed share, and the progress as text, most important part first.
    fn text(&self, share: Option<f64>, elapsed: Duration) -> (Option<f64>, String) {
        let (bytes, files) = (self.counters.bytes(), self.counters.files());
        let rate = bytes as f64 / elapsed.as_secs_f64();
        let mut parts = Vec::new();
        let errors = self.errors().count;
        if errors > 0 {
            parts.push(count(errors, "error"));
        }
        let share = share.filter(|share| *share > 0.0).map(|share| share.min(1.0));
        if let Some(share) = share {
            let left = elapsed.mul_f64((1.0 - share) / share);
            parts.push(format!("{:.0}%", share * 100.0));
            parts.push(format!("{} left", HumanDuration(left)));
        }
        parts.push(format!("{}/s", BinaryBytes(rate as u64)));
        parts.push(count(files, "file"));
        parts.push(BinaryBytes(bytes).to_string());
        (share, parts.join(", "))
    }

    /// Prints the kernels that hashed the files, and where the time went.
    pub(crate) fn explain(&self, policy: &Policy, algorithms: &[Checksum]) {
        let spent = |doing| self.counters.spent(doing).map(|spent| spent.as_secs_f64());
        let Some(all) = spent(Doing::All) else { return };
        for checksum in algorithms {
            let Some(algorithm) = checksum.lanesum() else {
                print_message(format_args!(
                    "{checksum}: computed by another library, one file at a time"
                ));
                continue;
            };
            let Ok(engine) = policy.engine(algorithm) else { continue };
            let kernels = [1_u8, 2, 4, 8, 16, 32].map(|files| {
                let kernel = engine.kernel(files.into());
                (files, kernel.name(), kernel.lanes())
            });
            let mut ranges: Vec<String> = Vec::new();
            let mut last = "";
            for (files, name, lanes) in kernels {
                if name != last {
                    let lanes =
                        if lanes == 1 { String::new() } else { format!(" ({lanes} lanes)") };
                    ranges.push(format!("{name}{lanes} from {}", count(files.into(), "file")));
                    last = name;
                }
            }
            print_message(format_args!("{algorithm}: {}", ranges.join(", ")));
        }
        let (reading, waiting) =
            (spent(Doing::Reading).unwrap_or(0.0), spent(Doing::Waiting).unwrap_or(0.0));
        let part = |time: f64| time / all.max(1e-9) * 100.0;
        print_message(format_args!(
            "{}, {}; {all:.2} s of thread time: {:.0}% reading, {:.0}% finding files and waiting, {:.0}% hashing and the rest",
            count(self.counters.files(), "file"),
            BinaryBytes(self.counters.bytes()),
            part(reading),
            part(waiting),
            part((all - reading - waiting).max(0.0)),
        ));
    }
}

/// Formats a count: `1 file`, `2 files`.
fn count(number: u64, word: &str) -> String {
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}

/// Number of steps of the bar.
const BAR_STEPS: u64 = 1000;

impl Screen {
    fn new() -> Self {
        let (_, columns) = Term::stderr().size();
        // On narrow terminals, the text is more useful than the bar.
        let template = match columns {
            0..60 => "{wide_msg}",
            60..90 => "{bar:12} {wide_msg}",
            _ => "{bar:24} {wide_msg}",
        };
        let all = MultiProgress::new();
        let bar = all.add(ProgressBar::new(BAR_STEPS));
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self { bar, long: Mutex::default(), all }
    }

    fn show(&self, counters: &Counters, (share, text): (Option<f64>, String)) {
        if let Some(share) = share {
            self.bar.set_position((share * BAR_STEPS as f64) as u64);
        }
        self.bar.set_message(text);
        self.bar.tick();
        let files = counters.long();
        let mut lines = self.long.lock().unwrap_or_else(PoisonError::into_inner);
        let wanted = files.len().min(MAX_LARGE_FILES);
        while lines.len() > wanted
            && let Some(line) = lines.pop()
        {
            line.finish_and_clear();
            self.all.remove(&line);
        }
        while lines.len() < wanted {
            let line = self.all.add(ProgressBar::new(BAR_STEPS));
            if let Ok(style) = ProgressStyle::with_template("  {wide_msg}") {
                line.set_style(style);
            }
            lines.push(line);
        }
        for (line, file) in lines.iter().zip(&files) {
            let part = file.read() as f64 / file.len.max(1) as f64 * 100.0;
            let path = Shown(file.path.as_os_str());
            line.set_message(format!("{part:3.0}% of {} {path}", BinaryBytes(file.len)));
            line.tick();
        }
    }

    fn clear(&self) {
        let lines = self.long.lock().unwrap_or_else(PoisonError::into_inner);
        lines.iter().chain([&self.bar]).for_each(ProgressBar::finish_and_clear);
    }
}
