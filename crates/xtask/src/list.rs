//! The lists of tasks: for a terminal, and for CONTRIBUTING.md.

use std::fmt::Write as _;

use crate::table::TASKS;
use crate::task::{Stage, Task};

/// How a user calls a task: some have a name for make.
fn called(task: &Task) -> String {
    match task.name {
        "check" | "test" | "test-all" => format!("make {}", task.name),
        name => format!("cargo xtask {name}"),
    }
}

/// Returns the list for a terminal.
pub fn plain() -> String {
    let mut text =
        String::from("cargo xtask TASK [NAME=VALUE...] runs a task (minutes, CPU minutes):\n");
    for stage in Stage::ALL {
        let _ = writeln!(text, "\n{}", stage.title().replace('`', ""));
        for task in TASKS.iter().filter(|task| task.stage == stage) {
            let about = task.about.split([';', ':']).next().unwrap_or_default().replace('`', "");
            let _ = writeln!(text, "  {:18} {:>8}  {about}", task.name, task.cost());
        }
    }
    text + "\nalso: cargo xtask venv NAME, cargo xtask list --markdown; make build, install, kmod\n"
}

/// Returns the tables of CONTRIBUTING.md.
pub fn markdown() -> String {
    let mut text = String::new();
    for stage in [Stage::First, Stage::Second, Stage::Manual] {
        let _ = writeln!(text, "\n{}:\n\n| command | runs | minutes, CPU minutes |", stage.title());
        text += "|---|---|---|\n";
        for task in TASKS.iter().filter(|task| task.stage == stage) {
            let _ = writeln!(text, "| `{}` | {} | {} |", called(task), task.about, task.cost());
        }
    }
    text + "\n"
}
