//! Prints the fingerprints of a tree's sources, as the head of a record states them. For a record that was
//! made before heads stated them: `git archive COMMIT crates | tar x -C DIRECTORY`.

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let crates = std::env::args_os().nth(1).map_or_else(|| "crates".into(), PathBuf::from);
    match lanesum_measure::Fingerprints::of(&crates) {
        Ok(fingerprints) => println!("{fingerprints}"),
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
