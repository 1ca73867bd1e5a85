//! The kernels of an engine's sources, as a record's head has them: of a commit whose records
//! were made before heads had them, `git archive COMMIT crates/engine/src | tar x -C FOLDER`.

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let engine =
        std::env::args_os().nth(1).map_or_else(|| "crates/engine/src".into(), PathBuf::from);
    match lanesum_measure::Kernels::of(&engine) {
        Ok(kernels) => println!("{kernels}"),
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
