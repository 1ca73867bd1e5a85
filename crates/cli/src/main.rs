//! The command `lanesum`: arguments, messages and exit statuses. `lanesum-files` hashes files, `lanesum-manifest`
//! defines the formats, and `lanesum-keep` audits.
#![forbid(unsafe_code)]

mod args;
mod audit;
mod bench;
mod cache;
mod check;
mod checker;
mod crc32;
mod doctor;
mod format;
mod git;
mod identify;
mod json;
mod key;
mod list;
mod listing;
mod mac;
mod man;
mod manifest;
mod message;
mod names;
mod output;
mod pages;
mod personalities;
mod progress;
mod standard;
mod suggest;
mod sum;
mod tree;

use std::borrow::Cow;
use std::env;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::os::unix::ffi::OsStrExt;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use lanesum::{Policy, PolicyError};
use lanesum_files::{Checksum, Settings};

use crate::args::{Cli, Command, Jobs};
use crate::message::{Newlines, print_message, visible};
use crate::output::Output;

/// The result of a command that ran to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// The command succeeded.
    Success,
    /// A check failed, or an item could not be processed. Each has been reported.
    Failed,
}

impl Verdict {
    fn of(success: bool) -> Self {
        if success { Self::Success } else { Self::Failed }
    }
}

/// An error that ends a command. It has been reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reported {
    /// A failure.
    Failed,
    /// A usage error.
    Usage,
}

/// The result of a command.
type CommandResult = Result<Verdict, Reported>;

fn main() -> ExitCode {
    standard::fail_closed();
    Policy::use_env();
    let mut arguments = env::args_os();
    let called = arguments.next().unwrap_or_default();
    if let Some(personality) = personalities::find(&called) {
        return personality.run(&called, arguments.collect());
    }
    let command = match Cli::try_parse() {
        Ok(cli) => cli.command,
        // Parsed again with the command that has examples in its help.
        Err(error) if is_help(error.kind()) => {
            return refuse(&pages::command().try_get_matches().err().unwrap_or(error));
        }
        Err(error) => {
            return refuse(&suggest::explain(error, &arguments.collect::<Vec<_>>()));
        }
    };
    let outcome = match command {
        Command::Sum(args) => sum::run(args),
        Command::Check(args) => check::run(args),
        Command::Diff(args) => audit::diff::run(&args),
        Command::Mac(args) => mac::run(args),
        Command::Tree(args) => tree::run(&args.kind),
        Command::Manifest(args) => Err(manifest::run(&args.arguments)),
        Command::Doctor(args) => doctor::run(&args),
        Command::Man(args) => man::run(&args.folder),
        Command::List(args) => list::text(&args).and_then(|text| print(&text)),
        Command::Bench(args) => bench::run(&args),
        Command::Tune(args) => bench::tune::run(&args),
        Command::Completions(args) => {
            let mut text = Vec::new();
            clap_complete::generate(args.shell, &mut Cli::command(), "lanesum", &mut text);
            print(&text)
        }
    };
    match outcome {
        Ok(Verdict::Success) => ExitCode::SUCCESS,
        Ok(Verdict::Failed) | Err(Reported::Failed) => ExitCode::from(1),
        Err(Reported::Usage) => ExitCode::from(2),
    }
}

/// Whether clap returned a help text instead of an error.
fn is_help(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand)
}

/// Prints the help text, or the error in the arguments.
fn refuse(error: &clap::Error) -> ExitCode {
    let text = error.render().to_string();
    if !error.use_stderr() && !io::stdout().is_terminal() {
        let printed = print(text.as_bytes());
        return ExitCode::from(u8::from(printed.is_err()));
    }
    let is_plain = |argument: OsString| {
        matches!(visible(argument.as_bytes(), Newlines::Preserved), Cow::Borrowed(_))
    };
    if !error.use_stderr() || env::args_os().all(is_plain) {
        error.exit();
    }
    // clap does not escape arguments, such as a file name from a glob. A deceptive one must not
    // mislead the reader of a terminal.
    let _ = io::stderr().lock().write_all(&visible(text.as_bytes(), Newlines::Preserved));
    ExitCode::from(2)
}

fn print(text: &[u8]) -> CommandResult {
    let mut output = Output::standard().map_err(|error| error.print_message())?;
    output.buffer().extend_from_slice(text);
    output.finish().map_err(|error| error.print_message())?;
    Ok(Verdict::Success)
}

/// Returns the settings from arguments and environment. Reports an error if the requested kernels
/// cannot run `algorithms`.
fn settings(jobs: &Jobs, algorithms: &[Checksum]) -> Result<Settings, Reported> {
    let policy = Policy::from_env().and_then(|policy| {
        algorithms.iter().filter_map(|a| a.lanesum()).try_for_each(|ours| policy.check(ours))?;
        Ok(policy)
    });
    match policy {
        Ok(policy) => Ok(Settings { workers: jobs.jobs, ..Settings::new(policy) }),
        Err(error) => Err(refuse_environment(&error)),
    }
}

/// Reports an error in the environment variables that select kernels.
fn refuse_environment(error: &PolicyError) -> Reported {
    print_message(format_args!("{}: {error}", error.variable()));
    Reported::Usage
}
