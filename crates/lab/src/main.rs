//! `lanesum-graph`: the specification as a graph, from the command line.
#![forbid(unsafe_code)]

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::run() {
        Ok(code) => code,
        Err(error) => {
            // A closed pipe is not an error.
            if let Some(io) = error.downcast_ref::<std::io::Error>()
                && io.kind() == std::io::ErrorKind::BrokenPipe
            {
                return ExitCode::SUCCESS;
            }
            eprint!("lanesum-graph: {error}");
            let mut source = error.source();
            while let Some(cause) = source {
                eprint!(": {}", cause.to_string().trim_end());
                source = cause.source();
            }
            eprintln!();
            let usage = error.is::<cli::Usage>() || error.is::<lanesum_rtl::RtlError>();
            ExitCode::from(if usage { 2 } else { 1 })
        }
    }
}
