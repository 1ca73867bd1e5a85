//! Proofs of assembly files and of machine code.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use lanesum_prove::text::TextError;
use lanesum_prove::{
    Binary, Image, Shipped, check_fingerprints, fingerprints, left_out, misdirected, namesakes,
    read,
};

use super::steps::in_steps;
use super::{FileError, Outcome, Usage, emit, write_file};

/// The code to prove.
#[derive(clap::Args)]
pub(super) struct Prove {
    /// The kernel: sha512_bmi2, sha256_avx2 ... of an assembly file, avx2_x8/sha256 ... of
    /// machine code [default for machine code: all kernels].
    #[arg(required_unless_present = "binary")]
    kernel: Option<String>,
    /// The assembly file.
    #[arg(required_unless_present = "binary", conflicts_with = "binary")]
    file: Option<PathBuf>,
    /// Prove the machine code of a library, program or object file for x86, with symbols,
    /// instead.
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Prove all functions of an object file of the Linux module, with the Linux kernel's calling
    /// convention.
    #[arg(long, requires = "binary", conflicts_with_all = ["kernel", "steps"])]
    linux: bool,
    /// Write the fingerprints of the proven functions and tables to this file, if all are proven.
    #[arg(long, value_name = "FILE", requires = "binary", conflicts_with_all = ["kernel", "linux", "steps"])]
    fingerprints: Option<PathBuf>,
    /// Only check that the binary, which may be stripped, has these fingerprints.
    #[arg(
        long, value_name = "FILE", requires = "binary",
        conflicts_with_all = ["kernel", "linux", "steps", "fingerprints"]
    )]
    against: Option<PathBuf>,
    /// Print every step of each proof.
    #[arg(long)]
    steps: bool,
}

pub(super) fn run(asked: &Prove) -> Outcome {
    match (&asked.binary, &asked.kernel, &asked.file) {
        (Some(object), ..) if asked.linux => super::linux::prove(object),
        (Some(binary), ..) if let Some(lines) = &asked.against => against(binary, lines),
        (Some(binary), kernel, _) => {
            of_binary(binary, kernel.as_deref(), asked.steps, asked.fingerprints.as_deref())
        }
        (None, Some(kernel), Some(file)) => emit::prove(kernel, file, asked.steps),
        // The command line requires both.
        (None, ..) => Ok(ExitCode::from(2)),
    }
}

/// Whether a kernel has this name, or is required by the one with this name: `finish` calls the function
/// that compresses whole blocks.
fn is_asked(kernel: Shipped, name: &str) -> bool {
    let own = kernel.to_string();
    own == name || name.strip_suffix("/finish") == Some(&own)
}

/// Checks a possibly stripped file against the fingerprints of a proven one.
fn against(path: &Path, lines: &Path) -> Outcome {
    let wrong = |path: &Path| {
        let path = path.to_owned();
        move |source| FileError { step: "read", path, source }
    };
    let file = fs::read(path).map_err(wrong(path))?;
    let lines = fs::read_to_string(lines).map_err(wrong(lines))?;
    let found = Image::of_stripped(&file).and_then(|image| check_fingerprints(&image, &lines));
    match found {
        Ok(count) => {
            writeln!(io::stdout(), "{}: {count} functions are the proven ones", path.display())?;
            Ok(ExitCode::SUCCESS)
        }
        Err(fault) => Err(format!("{}: {fault}", path.display()).into()),
    }
}

fn of_binary(path: &Path, kernel: Option<&str>, steps: bool, to: Option<&Path>) -> Outcome {
    let image = match read(path) {
        Ok(image) => image,
        Err(TextError::Io(path, source)) => {
            return Err(Box::new(FileError { step: "read", path, source }));
        }
        Err(error) => return Err(format!("{}: {error}", path.display()).into()),
    };
    let kernels: Vec<Shipped> =
        image.shipped().filter(|k| kernel.is_none_or(|name| is_asked(*k, name))).collect();
    if kernels.is_empty() {
        return Err(Box::new(Usage {
            what: "kernel",
            name: kernel.unwrap_or_default().to_owned(),
            valid: image.shipped().map(|k| k.to_string()).collect(),
        }));
    }
    let mut code = ExitCode::SUCCESS;
    let (mut functions, mut entries) = (Vec::new(), Vec::new());
    let mut present = Vec::new();
    for one in kernels {
        match image.omits(one).filter(|_| kernel.is_none()) {
            Some(why) => writeln!(io::stdout(), "{one}: absent, because {why}")?,
            None => present.push(one),
        }
    }
    for kernel in present {
        let proven = Binary::find(&image, kernel).and_then(|binary| {
            if steps {
                in_steps(|print| binary.prove_in_steps(print))?;
            } else {
                binary.prove()?;
            }
            let called = binary.called()?;
            Ok((binary, called))
        });
        let namesakes = namesakes(&image, kernel);
        let not_proven = match proven {
            Ok((binary, called)) => {
                functions.extend(called);
                entries.push((kernel, binary.entry()));
                match namesakes.first() {
                    Some(at) => format!("another function has its name, at {at:#x}"),
                    None => {
                        let instructions = binary.len();
                        writeln!(
                            io::stdout(),
                            "{kernel}: {instructions} instructions compute it in every lane"
                        )?;
                        continue;
                    }
                }
            }
            Err(fault) => fault.to_string(),
        };
        writeln!(io::stdout(), "{kernel}: NOT PROVEN: {not_proven}")?;
        code = ExitCode::from(1);
    }
    let missing = match (image.dispatched().is_empty(), image.lists_kernels()) {
        // The tables may be in another object.
        _ if kernel.is_some() && image.is_object() => None,
        (true, _) => Some("no entries of kernels"),
        (false, false) => Some("no symbol names the list of kernels, which may have other entries"),
        _ => None,
    };
    if let Some(missing) = missing {
        writeln!(io::stdout(), "table: NOT PROVEN: {missing}")?;
        code = ExitCode::from(1);
    }
    if kernel.is_some() {
        return Ok(code);
    }
    for one in misdirected(&image, &entries) {
        let (kernel, at) = (one.kernel, one.address);
        writeln!(io::stdout(), "{kernel}: NOT PROVEN: the table leads to {at:#x}")?;
        code = ExitCode::from(1);
    }
    for (name, count) in left_out(&image, &functions) {
        let times = if count > 1 { format!(" ({count} functions)") } else { String::new() };
        writeln!(io::stdout(), "skipped: {name}{times}")?;
    }
    if let Some(to) = to.filter(|_| code == ExitCode::SUCCESS) {
        write_file(to, &fingerprints(&image, &functions))?;
    }
    Ok(code)
}
