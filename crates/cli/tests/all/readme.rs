//! Runs the commands of README.md and compares the output.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::Folder;

/// A command, and its documented output.
type Step = (String, Vec<String>);

/// Returns the steps of the block below a heading: `$ command` and its output.
fn steps(text: &str, heading: &str) -> Vec<Step> {
    let (_, rest) = text.split_once(&format!("## {heading}\n")).unwrap();
    let (_, rest) = rest.split_once("```console\n").unwrap();
    let (block, _) = rest.split_once("```").unwrap();
    let mut steps: Vec<Step> = Vec::new();
    for line in block.lines() {
        match (line.strip_prefix("$ "), steps.last_mut()) {
            (Some(command), _) => steps.push((command.to_owned(), Vec::new())),
            (None, Some((_, printed))) => printed.push(line.to_owned()),
            (None, None) => panic!("`{line}` comes before any command"),
        }
    }
    steps
}

#[test]
fn the_commands_of_the_readme_have_the_documented_output() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let steps = steps(&fs::read_to_string(path).unwrap(), "Shell");
    let folder = Folder::new();
    let command = Path::new(env!("CARGO_BIN_EXE_lanesum")).parent().unwrap();
    let path = format!("{}:{}", command.display(), std::env::var("PATH").unwrap());
    for (line, printed) in &steps {
        let mut shell = Command::new("bash");
        shell.args(["-c", line]).current_dir(folder.path()).env("PATH", &path).env("LC_ALL", "C");
        let output =
            shell.env_remove("LANESUM_KERNEL").env_remove("LANESUM_COSTS").output().unwrap();
        let out = String::from_utf8(output.stdout).unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success() && said.is_empty(), "{line}: {said}");
        assert_eq!(out.lines().collect::<Vec<_>>(), *printed, "{line}");
    }
    let ours = steps.iter().filter(|(line, _)| line.contains("lanesum ")).count();
    assert!(ours >= 2, "{steps:?}");
}
