//! Measures Heddle, its peers and the ceilings, in the same run.
//!
//! `README.md` beside this package says how to run it and how to read a record.

mod ceiling;
mod clock;
mod data;
mod jobs;
#[cfg(feature = "kernels")]
mod kernels;
#[cfg(feature = "kernels")]
mod libraries;
mod machine;
mod peers;
mod probe;
mod record;
mod run;
mod statistics;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Measure Heddle, its peers and the ceilings, in the same run.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Make the files that the jobs hash, unless they are there
    Data(data::Arguments),
    /// Open, read and close every file, and do nothing else
    Ceiling(ceiling::Arguments),
    /// Hash and check real files: whole programs against each other
    Jobs(jobs::Arguments),
    /// Hash in memory, by every row and by other libraries: cycles a byte
    #[cfg(feature = "kernels")]
    Kernels(kernels::Arguments),
    /// List the peers and where they were found
    Peers(peers::Arguments),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Data(arguments) => data::main(&arguments),
        Command::Ceiling(arguments) => ceiling::main(&arguments),
        Command::Jobs(arguments) => jobs::main(&arguments),
        #[cfg(feature = "kernels")]
        Command::Kernels(arguments) => kernels::main(&arguments),
        Command::Peers(arguments) => peers::main(&arguments),
    };
    if let Err(error) = result {
        // Without the backtrace that the environment may ask of every error.
        eprintln!("heddle-bench: {error:#}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
