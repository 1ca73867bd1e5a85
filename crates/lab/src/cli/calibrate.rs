//! `lanesum-graph calibrate`: the delays and areas of a target, from a synthesis flow.

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use clap::Args;
use lanesum_rtl::{Synthesized, Technology, calibrate, table};

use crate::cli::{FileError, Outcome, write_file};

#[derive(Args)]
pub(crate) struct Calibrate {
    /// Target to fit
    #[arg(short, long)]
    target: String,
    /// The program that synthesizes a directory. Its last line of output has the area after
    /// `GE` or `LUT` and the period after `ns`: rtl/flow/osu018 ...
    #[arg(short, long, value_name = "PROGRAM")]
    flow: PathBuf,
    /// Directory of the circuits, which is created if it is missing.
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
}

/// A flow that failed, or whose output has no figures.
#[derive(Debug)]
struct FlowError {
    flow: PathBuf,
    circuit: PathBuf,
    what: String,
}

impl fmt::Display for FlowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.flow.display(), self.circuit.display(), self.what)
    }
}

impl std::error::Error for FlowError {}

pub(crate) fn run(asked: &Calibrate) -> Outcome {
    let target = Technology::named(&asked.target)?;
    let fitted = calibrate(&target, |name, files| {
        let circuit = asked.output.join(name);
        let wrong = |source| FileError { step: "create", path: circuit.clone(), source };
        fs::create_dir_all(&circuit).map_err(wrong)?;
        for (file, text) in files {
            write_file(&circuit.join(file), text)?;
        }
        measure(asked, circuit)
    })?;
    io::stdout().lock().write_all(table(&fitted).as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn measure(asked: &Calibrate, circuit: PathBuf) -> Result<Synthesized, Box<dyn std::error::Error>> {
    let flow = asked.flow.clone();
    let wrong = |source| FileError { step: "run", path: flow.clone(), source };
    let output =
        Command::new(&flow).arg(&circuit).stderr(Stdio::inherit()).output().map_err(wrong)?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = said.lines().last().unwrap_or_default().to_owned();
    let after = |words: &[&str]| {
        let mut all = line.split_whitespace();
        all.find(|word| words.contains(word))?;
        all.next()?.parse::<f64>().ok().filter(|x| *x > 0.0)
    };
    match (output.status.success(), after(&["GE", "LUT"]), after(&["ns"])) {
        (true, Some(area), Some(period)) => Ok(Synthesized { area, period }),
        (false, ..) => {
            let what = output.status.to_string();
            Err(FlowError { flow: asked.flow.clone(), circuit, what }.into())
        }
        _ => {
            let what = format!("no area after GE or LUT and no period after ns in `{line}`");
            Err(FlowError { flow: asked.flow.clone(), circuit, what }.into())
        }
    }
}
