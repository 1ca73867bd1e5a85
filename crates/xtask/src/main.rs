//! `cargo xtask TASK` runs a task of this repository; without a task, it lists them. The tasks are the
//! rows of `table.rs`.
#![forbid(unsafe_code)]

mod crates;
mod list;
mod process;
mod run;
mod table;
mod task;
#[cfg(test)]
mod tests;
mod tools;

use std::path::Path;
use std::process::ExitCode;
use std::{env, iter};

use table::TASKS;

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    if let Err(error) = root.canonicalize().and_then(env::set_current_dir) {
        return failed(&format!("{}: {error}", root.display()), 1);
    }
    let faults = task::faults(TASKS);
    if !faults.is_empty() {
        return failed(&format!("faults in the table of tasks: {}", faults.join("; ")), 1);
    }
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments[..] {
        [] | ["list"] => {
            print!("{}", list::plain());
            Ok(())
        }
        ["list", "--markdown"] => {
            print!("{}", list::markdown());
            Ok(())
        }
        ["venv", name] => tools::install(name),
        ["affected", _, ..] => crates::test(&arguments[1..]),
        [name, ref settings @ ..] => return start(name, settings),
    };
    result.map_or_else(|error| failed(&error, 1), |()| ExitCode::SUCCESS)
}

/// Runs a task by name, with additional variables of the environment.
fn start(name: &str, settings: &[&str]) -> ExitCode {
    let Some(task) = task::find(TASKS, name) else {
        let near = near(name);
        let hint =
            if near.is_empty() { "`cargo xtask` lists them".into() } else { near.join(", ") };
        return failed(&format!("no task '{name}'; near names: {hint}"), 2);
    };
    for setting in settings {
        match setting.split_once('=') {
            Some((name, _)) if is_variable(name) => {}
            _ => return failed(&format!("'{setting}' is not NAME=VALUE"), 2),
        }
    }
    let result = if settings.is_empty() {
        run::Session::default().run(task)
    } else {
        let pairs = settings.iter().filter_map(|setting| setting.split_once('='));
        process::again(name, pairs)
    };
    result.map_or_else(|error| failed(&error, 1), |()| ExitCode::SUCCESS)
}

fn is_variable(name: &str) -> bool {
    !name.is_empty()
        && name.chars().all(|c| c.is_ascii_uppercase() || c == '_' || c.is_ascii_digit())
}

fn failed(error: &str, code: u8) -> ExitCode {
    eprintln!("cargo xtask: {error}");
    ExitCode::from(code)
}

/// Returns the names of tasks that differ from `name` by at most two letters, or that contain it.
fn near(name: &str) -> Vec<&'static str> {
    let names = TASKS.iter().map(|task| task.name);
    names.filter(|task| distance(task, name) <= 2 || task.contains(name)).collect()
}

/// Returns the number of insertions, deletions and replacements between two names.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut last = iter::once(i + 1).collect::<Vec<_>>();
        for (j, y) in b.bytes().enumerate() {
            let replaced = row[j] + usize::from(x != y);
            last.push(replaced.min(row[j + 1] + 1).min(last[j] + 1));
        }
        row = last;
    }
    row[b.len()]
}
