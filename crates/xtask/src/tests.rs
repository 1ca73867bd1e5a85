//! Compares the table with the rest of the repository, and plants faults in it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use lanesum_testkit::ELSEWHERE;

use crate::list::markdown;
use crate::table::{SLOW, TASKS};
use crate::task::Stage::{self, First, Manual, Second};
use crate::task::Step::{Run, Sh};
use crate::task::{Task, UNMEASURED, faults, find, reached};

/// The goals of the Makefile, which people type or packages use.
const GOALS: [&str; 18] = [
    "bench",
    "build",
    "check",
    "clean",
    "dist",
    "docs",
    "generate",
    "help",
    "install",
    "install-bin",
    "install-lib",
    "install-md",
    "kmod",
    "kmod-install",
    "kmod-uninstall",
    "test",
    "test-all",
    "uninstall",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

#[test]
fn the_table_has_no_faults() {
    assert_eq!(faults(TASKS), [""; 0]);
    assert!(TASKS.iter().any(|task| task.minutes == UNMEASURED));
}

#[test]
fn planted_faults_are_found() {
    const GOOD: Task = Task::new(Manual, "good", [1, 1]).about("hashes").steps(&[Sh("true")]);
    const UNTIMED: Task = Task { name: "untimed", minutes: [0, 0], ..GOOD };
    const GUESSED: Task = Task { name: "guessed", stage: First, minutes: UNMEASURED, ..GOOD };
    const UNTOOLED: Task = Task { name: "untooled", needs: &["abacus"], ..GOOD };
    const LOOSE: Task = Task { name: "loose", steps: &[Run("gone")], ..GOOD };
    const LEFT: Task = Task { name: "left", steps: &[Run("right")], ..GOOD };
    const RIGHT: Task = Task { name: "right", steps: &[Run("left")], ..GOOD };
    const IDLE: Task = Task { name: "idle", steps: &[], about: "", ..GOOD };
    assert_eq!(faults(&[GOOD]), [""; 0]);
    for (table, fault) in [
        (&[UNTIMED][..], "untimed: no minutes"),
        (&[GUESSED], "guessed: no minutes"),
        (&[UNTOOLED], "untooled: neither packages nor a virtual environment: abacus"),
        (&[LOOSE], "loose: no such task: gone"),
        (&[LEFT, RIGHT], "left: runs itself through right"),
        (&[IDLE], "idle: no steps"),
        (&[GOOD, GOOD], "good: the name occurs twice"),
    ] {
        assert!(faults(table).contains(&fault.to_owned()), "{fault}: {:?}", faults(table));
    }
}

#[test]
fn ci_runs_every_task_of_the_first_two_stages() {
    let script = text(".ci/run");
    assert!(script.ends_with("\nmake test\ncargo xtask second\n"));
    let run: Vec<&str> = ["test", "second"].iter().flat_map(|name| reached(TASKS, name)).collect();
    for task in TASKS.iter().filter(|task| matches!(task.stage, First | Second)) {
        // These are subsets of `test`.
        let is_run = run.contains(&task.name) || ["check", "affected"].contains(&task.name);
        assert!(is_run, "{} is in no run of CI", task.name);
    }
    // The sum of the second stage is that of its tasks.
    let tasks: Vec<&Task> = TASKS.iter().filter(|task| task.stage == Stage::Second).collect();
    let sum = |at: usize| -> u16 {
        tasks.iter().filter(|task| task.name != "second").map(|task| task.minutes[at]).sum()
    };
    assert_eq!(find(TASKS, "second").unwrap().minutes, [sum(0), sum(1)]);
}

#[test]
fn testkit_names_the_task_of_every_test_that_make_test_skips() {
    let tasks: BTreeSet<(&str, String)> = TASKS
        .iter()
        .filter_map(|task| Some((task.ran?, format!("cargo xtask {}", task.name))))
        .collect();
    let named: BTreeSet<(&str, String)> =
        ELSEWHERE.iter().map(|(test, command)| (*test, (*command).to_owned())).collect();
    assert_eq!(tasks, named);
}

/// A part of a name that no test has would move no test to the second stage.
#[test]
fn every_slow_test_exists() {
    let is_source = |path: &&PathBuf| !path.ends_with("xtask/src/table.rs");
    let sources: String = files()
        .iter()
        .filter(|path| is_source(path) && path.extension().is_some_and(|end| end == "rs"))
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    for name in SLOW {
        let found = match name.strip_suffix("::") {
            Some(module) => sources.contains(&format!("\nmod {module};")),
            None => sources.contains(name),
        };
        assert!(found, "no test has the name {name}");
    }
}

#[test]
fn contributing_has_the_tables_of_commands() {
    const MARKS: [&str; 2] =
        ["<!-- commands: `cargo xtask list --markdown` -->\n", "<!-- end of commands -->"];
    let page = text("CONTRIBUTING.md");
    let (head, rest) = page.split_once(MARKS[0]).expect("the first mark");
    let (_, tail) = rest.split_once(MARKS[1]).expect("the second mark");
    let made = format!("{head}{}{}{}{tail}", MARKS[0], markdown(), MARKS[1]);
    if std::env::var_os("LANESUM_WRITE").is_some() {
        fs::write(root().join("CONTRIBUTING.md"), made).unwrap();
    } else {
        assert!(made == page, "CONTRIBUTING.md is stale: run `cargo xtask commands`");
    }
}

/// Returns the words after `prefix` in a text.
fn words_after<'t>(text: &'t str, prefix: &'t str) -> impl Iterator<Item = &'t str> {
    let is_letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    text.split(prefix).skip(1).map(move |rest| {
        let end = rest.find(|c| !is_letter(c)).unwrap_or(rest.len());
        rest[..end].trim_end_matches('-')
    })
}

/// Returns the text files of the repository, except for records and vectors.
fn files() -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![root()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            let is_skipped = ["target", "record", "vectors", ".git", "vendor"].contains(&name);
            match path.is_dir() {
                true if !is_skipped && path.join("pyvenv.cfg").symlink_metadata().is_err() => {
                    folders.push(path);
                }
                false if name != "tests.rs" => found.push(path),
                _ => {}
            }
        }
    }
    found
}

#[test]
fn commands_in_the_repository_exist() {
    let mut count = 0;
    for path in files() {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        for name in words_after(&text, "cargo xtask ") {
            let known = ["", "list", "venv"].contains(&name) || find(TASKS, name).is_some();
            assert!(known, "{}: no task '{name}'", path.display());
            count += 1;
        }
        for name in words_after(&text, "`make ").chain(words_after(&text, "\n$ make ")) {
            assert!(name.is_empty() || GOALS.contains(&name), "{}: make {name}", path.display());
        }
    }
    assert!(count > 200, "only {count} commands were found");
}

#[test]
fn the_makefile_has_only_its_goals() {
    let makefile = text("Makefile");
    let is_goal = |line: &&str| line.starts_with(|c: char| c.is_ascii_lowercase());
    let heads = makefile.lines().filter(is_goal).filter_map(|line| line.split_once(':'));
    let goals: BTreeSet<&str> = heads
        .filter(|(_, rest)| !rest.starts_with('='))
        .flat_map(|(goals, _)| goals.split_whitespace())
        .collect();
    assert_eq!(goals, BTreeSet::from(GOALS));
}
