//! The form of a task, and the rules for the table of tasks.

use crate::tools::{PACKAGES, VENVS};

/// When a task runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// For every change: `make check` before a commit, `make test` before it lands.
    First,
    /// By `.ci/run`, after `make test`.
    Second,
    /// On demand.
    Manual,
    /// On an idle machine; writes a record in `benches/record`.
    Measurement,
    /// As a part of other tasks.
    Part,
}

impl Stage {
    pub const ALL: [Self; 5] =
        [Self::First, Self::Second, Self::Manual, Self::Measurement, Self::Part];

    pub fn title(self) -> &'static str {
        match self {
            Self::First => "First stage: before every commit, and before a change lands",
            Self::Second => "Second stage: CI runs these tasks after `make test` (`.ci/run`)",
            Self::Manual => "On demand",
            Self::Measurement => "Measurements, on an idle machine",
            Self::Part => "Parts of other tasks",
        }
    }
}

/// A step of a task.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// A script for `bash -euo pipefail`, run in the root of the repository.
    Sh(&'static str),
    /// Another task, unless it has already run.
    Run(&'static str),
    /// The tests of all crates, except for those named in `table::SLOW`, or only these.
    Tests(Selection),
}

/// The minutes of a task that was not measured.
pub const UNMEASURED: [u16; 2] = [u16::MAX; 2];

/// A selection of the tests of all crates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// The tests of `make test`.
    Quick,
    /// The tests of the second stage.
    Slow,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    pub name: &'static str,
    /// The actions or the subject of the task.
    pub about: &'static str,
    pub stage: Stage,
    /// Minutes and CPU minutes, rounded up; 0: one of them was not measured.
    pub minutes: [u16; 2],
    /// Groups of Debian packages, and virtual environments.
    pub needs: &'static [&'static str],
    pub steps: &'static [Step],
    /// The test of `lanesum-testkit`'s table that the task reports as run.
    pub ran: Option<&'static str>,
    /// Whether the run ends with a summary of skipped tests.
    pub summed: bool,
}

impl Task {
    pub const fn new(stage: Stage, name: &'static str, minutes: [u16; 2]) -> Self {
        let (about, needs, steps) = ("", &[], &[]);
        Self { name, about, stage, minutes, needs, steps, ran: None, summed: false }
    }

    pub const fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    pub const fn needs(self, needs: &'static [&'static str]) -> Self {
        Self { needs, ..self }
    }

    pub const fn steps(self, steps: &'static [Step]) -> Self {
        Self { steps, ..self }
    }

    pub const fn ran(self, test: &'static str) -> Self {
        Self { ran: Some(test), ..self }
    }

    pub const fn summed(self) -> Self {
        Self { summed: true, ..self }
    }

    /// Returns the names of the tasks among the steps.
    pub fn tasks(&self) -> impl Iterator<Item = &'static str> {
        self.steps.iter().filter_map(|step| match step {
            Step::Run(name) => Some(*name),
            Step::Sh(_) | Step::Tests(_) => None,
        })
    }

    /// Returns minutes and CPU minutes as text; `-`: not measured.
    pub fn cost(&self) -> String {
        let [wall, cpu] = self.minutes.map(|minutes| match minutes {
            0 | u16::MAX => "-".to_owned(),
            known => known.to_string(),
        });
        format!("{wall}, {cpu}")
    }
}

/// Returns the task with this name.
pub fn find<'t>(table: &'t [Task], name: &str) -> Option<&'t Task> {
    table.iter().find(|task| task.name == name)
}

/// Returns every task that `name` runs, including itself, without repetition.
pub fn reached(table: &[Task], name: &'static str) -> Vec<&'static str> {
    let mut found = vec![name];
    let mut next = 0;
    while next < found.len() {
        for name in find(table, found[next]).into_iter().flat_map(Task::tasks) {
            if !found.contains(&name) {
                found.push(name);
            }
        }
        next += 1;
    }
    found
}

/// Returns the faults of a table of tasks.
pub fn faults(table: &[Task]) -> Vec<String> {
    let mut faults = Vec::new();
    for (at, task) in table.iter().enumerate() {
        let mut fault = |what: String| faults.push(format!("{}: {what}", task.name));
        if table[..at].iter().any(|earlier| earlier.name == task.name) {
            fault("the name occurs twice".into());
        }
        let may_lack = matches!(task.stage, Stage::Manual | Stage::Measurement);
        if task.minutes == [0, 0] || task.minutes == UNMEASURED && !may_lack {
            fault("no minutes".into());
        }
        if task.about.is_empty() || task.about.ends_with('.') {
            fault("no description, or one that ends with a period".into());
        }
        if task.steps.is_empty() && task.needs.is_empty() {
            fault("no steps".into());
        }
        for need in task.needs {
            let is_venv = VENVS.iter().any(|(name, _)| name == need);
            if !is_venv && !PACKAGES.iter().any(|(name, _)| name == need) {
                fault(format!("neither packages nor a virtual environment: {need}"));
            }
        }
        for name in task.tasks() {
            if find(table, name).is_none() {
                fault(format!("no such task: {name}"));
            } else if reached(table, name).contains(&task.name) {
                fault(format!("runs itself through {name}"));
            }
        }
    }
    faults
}
