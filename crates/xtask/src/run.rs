//! Runs tasks and measures their steps.

use std::io::Write as _;
use std::time::{Duration, Instant};
use std::{env, fs};

use crate::process::{done, shell};
use crate::table::{SLOW, TASKS};
use crate::task::{Selection, Step, Task, find};
use crate::tools;

/// The file that collects the skipped tests of a run (`lanesum-testkit`).
const LEFT_OUT: &str = "LANESUM_LEFT_OUT";

/// The wall and CPU time of this program's children, up to now.
#[derive(Clone, Copy)]
struct Clock {
    wall: Instant,
    cpu: Duration,
}

impl Clock {
    fn now() -> Self {
        // The fields after the name: cutime and cstime, in hundredths of a second, are the 14th and 15th.
        let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
        let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        let ticks: u64 =
            fields.skip(13).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
        Self { wall: Instant::now(), cpu: Duration::from_millis(ticks * 10) }
    }

    /// Returns wall and CPU seconds since then.
    fn elapsed(self) -> [f64; 2] {
        let now = Self::now();
        [now.wall - self.wall, now.cpu - self.cpu].map(|time| time.as_secs_f64())
    }
}

fn minutes([wall, cpu]: [f64; 2]) -> String {
    format!("{:5.1} min {:5.1} CPU min", wall / 60.0, cpu / 60.0)
}

/// A certificate states that the C library is proven. `CERTIFICATES=` always proves it.
const CERTIFICATES: &str = "export LANESUM_CERTIFICATES=${CERTIFICATES-$(realpath -m \"${CARGO_TARGET_DIR:-target}\")/certificates}\n";

/// A run: the tasks that are done, and the times of the steps of the first task.
#[derive(Default)]
pub struct Session {
    done: Vec<&'static str>,
    steps: Vec<(&'static str, [f64; 2])>,
    installing: [f64; 2],
    depth: usize,
}

impl Session {
    /// Runs a task, unless it has already run.
    pub fn run(&mut self, task: &'static Task) -> Result<(), String> {
        if self.done.contains(&task.name) {
            return Ok(());
        }
        self.done.push(task.name);
        if task.summed && env::var_os(LEFT_OUT).is_none() {
            let this = env::current_exe().map_err(|error| error.to_string())?;
            return done(".ci/summed", &[&this.to_string_lossy(), task.name]);
        }
        let start = Clock::now();
        self.depth += 1;
        let result = self.steps(task);
        self.depth -= 1;
        let time = start.elapsed();
        if self.depth == 1 {
            self.steps.push((task.name, time));
        }
        if self.depth == 0 {
            self.report(task, time);
        }
        result.map_err(|error| {
            if error.contains("task ") { error } else { format!("task {}: {error}", task.name) }
        })?;
        task.ran.map_or(Ok(()), report_run)
    }

    fn steps(&mut self, task: &'static Task) -> Result<(), String> {
        for need in task.needs {
            let start = Clock::now();
            tools::install(need)?;
            let time = start.elapsed();
            self.installing = [0, 1].map(|at| self.installing[at] + time[at]);
        }
        for step in task.steps {
            match step {
                Step::Sh(script) => {
                    eprintln!("[{}] {}", task.name, first_line(script));
                    shell(script)?;
                }
                Step::Tests(selection) => tests(*selection, self.done[0] == task.name)?,
                Step::Run(name) => self.run(find(TASKS, name).ok_or("no such task")?)?,
            }
        }
        Ok(())
    }

    /// Prints the times of a task and of the tasks that it ran, and the second stage after `make test`.
    fn report(&self, task: &Task, total: [f64; 2]) {
        if self.steps.len() > 1 {
            println!("\nTimes of {}:", task.name);
            for (name, time) in &self.steps {
                println!("  {name:20} {}", minutes(*time));
            }
            println!("  {:20} {} (included above)", "installing tools", minutes(self.installing));
        }
        println!("  {:20} {}", task.name, minutes(total));
        if task.name == "test" {
            let second = find(TASKS, "second").into_iter().flat_map(Task::tasks);
            let names = second.collect::<Vec<_>>().join(", ");
            println!(
                "Left to the second stage, which CI also runs (`cargo xtask second`): {names}"
            );
        }
    }
}

/// Runs a selection of the tests of all crates. Both selections are of the same programs, so that nothing is compiled twice.
/// As a part of another task, the slow tests repeat the proof of the C library.
fn tests(selection: Selection, certified: bool) -> Result<(), String> {
    let mut script = String::from(if certified { CERTIFICATES } else { "" });
    script += "cargo test --workspace --all-features --locked --no-fail-fast";
    script += if selection == Selection::Quick { " --" } else { " --tests --" };
    for name in SLOW {
        script += if selection == Selection::Quick { " --skip " } else { " " };
        script += name;
    }
    shell(&script)
}

/// Returns the first line of a script, for progress.
fn first_line(script: &str) -> &str {
    script.trim().lines().next().unwrap_or_default()
}

/// Records in the run's summary that a test which `cargo test` skips has run.
fn report_run(test: &str) -> Result<(), String> {
    let Some(file) = env::var_os(LEFT_OUT) else { return Ok(()) };
    let opened = fs::OpenOptions::new().append(true).create(true).open(file);
    let written = opened.and_then(|mut file| writeln!(file, "ran\ttest\t{test}"));
    written.map_err(|error| format!("cannot record the test {test}: {error}"))
}
