//! Measures Lanesum, its peers and the ceilings, in the same run.
//!
//! The package's `README.md` explains how to run it and how to read a record.

#[cfg(feature = "builds")]
mod builds;
#[cfg(feature = "installed")]
mod calls;
mod ceiling;
mod clock;
mod cores;
mod data;
mod jobs;
mod keep;
#[cfg(feature = "installed")]
mod kernels;
#[cfg(target_arch = "x86_64")]
mod latencies;
#[cfg(feature = "installed")]
mod libraries;
mod machine;
mod page;
mod peers;
mod probe;
mod record;
mod run;
mod samples;
mod statistics;
#[cfg(feature = "installed")]
mod tiers;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Measure Lanesum, its peers and the ceilings, in the same run.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Make the files that the jobs hash, unless they exist
    Data(data::Arguments),
    /// Open, read and close every file, and do nothing else
    Ceiling(ceiling::Arguments),
    /// Hash and check real files: whole programs against each other
    Jobs(jobs::Arguments),
    /// Hash in memory with every kernel and with other libraries: cycles per byte
    #[cfg(feature = "installed")]
    Kernels(kernels::Arguments),
    /// Hash short messages, one call after another, with Lanesum and with other libraries: cycles per call
    #[cfg(feature = "installed")]
    Calls(calls::Arguments),
    /// Hash batches in cargo's dev profile, compared with `sha2`, and measure the CPU time of builds
    #[cfg(feature = "builds")]
    Builds(builds::Arguments),
    /// Measure the constants of bounds: latencies from each operand, and times of independent instructions
    #[cfg(target_arch = "x86_64")]
    Latencies(latencies::Arguments),
    /// Hash one message on each tier of instructions, compared with libcrypto limited to the same
    #[cfg(feature = "installed")]
    Tiers(tiers::Arguments),
    /// Store another program's measurements as a record
    Keep(keep::Arguments),
    /// Make docs/benchmarks.md, docs/published.md and their plots from the records
    Page(page::Arguments),
    /// Print this machine's newest record of batches as a table: our time divided by the best other library's
    Matrix(page::Arguments),
    /// List the peers and where they were found
    Peers(peers::Arguments),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Data(arguments) => data::main(&arguments),
        Command::Ceiling(arguments) => ceiling::main(&arguments),
        Command::Jobs(arguments) => jobs::main(&arguments),
        #[cfg(feature = "installed")]
        Command::Kernels(arguments) => kernels::main(&arguments),
        #[cfg(feature = "installed")]
        Command::Calls(arguments) => calls::main(&arguments),
        #[cfg(feature = "builds")]
        Command::Builds(arguments) => builds::main(&arguments),
        #[cfg(target_arch = "x86_64")]
        Command::Latencies(arguments) => latencies::main(&arguments),
        #[cfg(feature = "installed")]
        Command::Tiers(arguments) => tiers::main(&arguments),
        Command::Keep(arguments) => keep::main(&arguments),
        Command::Page(arguments) => page::main(&arguments),
        Command::Matrix(arguments) => page::print_matrix(&arguments),
        Command::Peers(arguments) => peers::main(&arguments),
    };
    if let Err(error) = result {
        // Without the backtrace that the environment may enable.
        eprintln!("lanesum-bench: {error:#}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
