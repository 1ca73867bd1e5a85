//! `lanesum-testkit summary` prints which checks a run skipped, and fails if one was required or a
//! required word is unknown. `summary cut-short` is for a failed run, and `check` only checks the
//! words. `lanesum-testkit api DIR` lists the public items of the crate with its `cargo doc`
//! output in that directory.
#![forbid(unsafe_code)]

mod api;

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use lanesum_testkit::{FILE, REQUIRE, Summary, here, required};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("lanesum-testkit: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let words = env::var(REQUIRE).unwrap_or_default();
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let [command, pages] = &arguments[..]
        && command == "api"
    {
        print!("{}", api::listing(Path::new(pages))?);
        return Ok(());
    }
    match arguments.join(" ").as_str() {
        "check" => required(&words).map(drop).map_err(|unknown| unknown.to_string()),
        "summary" => summary(&words),
        "summary cut-short" => {
            println!(
                "The run failed before its end; the list has only the checks before the failure."
            );
            summary(&words)
        }
        _ => Err("want check, summary, summary cut-short or api DIR".to_owned()),
    }
}

fn summary(words: &str) -> Result<(), String> {
    let file = env::var_os(FILE).ok_or_else(|| format!("{FILE} names no file"))?;
    let gathered = fs::read_to_string(&file)
        .map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    let summary = Summary::read(&gathered, here().name)?;
    print!("{}", summary.text());
    let missing = summary.missing(words)?;
    if missing.is_empty() {
        return Ok(());
    }
    Err(format!("{REQUIRE} requires skipped checks: {}", missing.join("; ")))
}
