//! Generates, searches and proves kernels.

use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use lanesum_kernels::emit::generated::{assembly, header, lanes_header};
use lanesum_kernels::emit::go::{go_assembly, unaligned};
use lanesum_kernels::emit::{
    Kernel, LaneKernel, LaneTarget, Listing, Orderable, Target, emit, emit_lanes,
};
use lanesum_kernels::proof;
use lanesum_kernels::search::measure::KernelSignature;
use lanesum_kernels::search::model::Model;
use lanesum_kernels::search::{Found, Method, OrderCost, search};
use lanesum_kernels::stitch::{self, Order as Bytes};
use lanesum_model::{FoundOrder, Models, Orders};
use lanesum_prove::text::{Text, TextError};

use super::steps::in_steps;
use super::targets::{Generated, can_run, can_run_lanes, generated, here};
use super::{FileError, Outcome, Usage, usage, write_file};

/// The settings of a search.
#[derive(clap::Args)]
pub(super) struct SearchArguments {
    /// The kernel: sha512_bmi2, sha512_rounds_bmi2 ...
    kernel: String,
    /// Method: list, local or genetic.
    #[arg(long, default_value = "local")]
    method: String,
    /// Number of orders to evaluate.
    #[arg(long, default_value_t = 1000)]
    evaluations: usize,
    /// Seed of the random numbers.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Search with a machine's model instead of this CPU.
    #[arg(long)]
    machine: Option<String>,
    /// File of orders, in which each better order is stored.
    #[arg(long, value_name = "FILE")]
    orders: Option<PathBuf>,
}

/// Replaces a file atomically, so that an interrupted run leaves the old one.
fn replace(path: &Path, text: &str) -> Result<(), FileError> {
    let new = path.with_extension("new");
    write_file(&new, text)?;
    fs::rename(&new, path).map_err(|source| FileError {
        step: "replace",
        path: path.to_owned(),
        source,
    })
}

/// Prints kernels for one message or writes them to a directory, with `c` for C projects.
pub(super) fn write(
    targets: impl IntoIterator<Item = Target>,
    directory: Option<&Path>,
    c: bool,
) -> Outcome {
    let orders = Orders::built_in()?;
    for target in targets {
        let listing = emit(target, &orders)?;
        let proof = proof::emitted(target, &listing.to_string())?;
        write_proven(&target.name(), &listing, c.then(|| header(target)), &proof, directory)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints lane kernels or writes them to a directory, with `c` for C projects.
pub(super) fn write_lanes(
    targets: impl IntoIterator<Item = LaneTarget>,
    directory: Option<&Path>,
    c: bool,
) -> Outcome {
    let orders = Orders::built_in()?;
    for target in targets {
        let listing = emit_lanes(target, &orders)?;
        let proof = proof::lanes(target, &listing.to_string())?;
        write_proven(&target.name(), &listing, c.then(|| lanes_header(target)), &proof, directory)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints a lane kernel for Go's assembler, or writes it to a directory.
pub(super) fn write_go(target: LaneTarget, directory: Option<&Path>) -> Outcome {
    let listing = unaligned(emit_lanes(target, &Orders::built_in()?)?);
    proof::lanes(target, &listing.to_string())?.prove()?;
    write_or_print(
        &format!("{}_amd64.s", target.name()),
        &go_assembly(target, &listing)?,
        directory,
    )?;
    Ok(ExitCode::SUCCESS)
}

/// Proves a kernel, and prints it or writes it to a directory: with a C header as a self-contained
/// file, otherwise the bare text. Unproven kernels are not written.
fn write_proven(
    name: &str,
    listing: &Listing,
    header: Option<String>,
    proof: &Text,
    directory: Option<&Path>,
) -> Result<(), Box<dyn Error>> {
    proof.prove()?;
    let files = match header {
        Some(header) => {
            vec![(format!("{name}.S"), assembly(name, listing)), (format!("{name}.h"), header)]
        }
        None => vec![(format!("{name}.s"), listing.to_string())],
    };
    files.iter().try_for_each(|(file, text)| write_or_print(file, text, directory))
}

fn write_or_print(file: &str, text: &str, directory: Option<&Path>) -> Result<(), Box<dyn Error>> {
    match directory {
        Some(directory) => replace(&directory.join(file), text)?,
        None => io::stdout().lock().write_all(text.as_bytes())?,
    }
    Ok(())
}

/// Proves an assembly file.
pub(super) fn prove(kernel: &str, file: &Path, steps: bool) -> Outcome {
    let read = || {
        let wrong = |source| FileError { step: "read", path: file.to_owned(), source };
        fs::read_to_string(file).map_err(wrong)
    };
    let stitched = stitch::kernels().into_iter().find(|stitched| stitched.name == kernel);
    let text = match stitched {
        Some(kernel) => proof::stitched(kernel.family, kernel.isa, Bytes::Big, &read()?)?,
        None => match generated(kernel)? {
            Generated::Lanes(target) => proof::lanes(target, &read()?)?,
            Generated::One(target) => proof::emitted(target, &read()?)?,
        },
    };
    if steps {
        in_steps(|print| text.prove_in_steps(print))?;
    } else {
        text.prove()?;
    }
    let instructions = text.instructions()?;
    writeln!(io::stdout(), "{}: {instructions} instructions compute {kernel}", file.display())?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn find(arguments: &SearchArguments) -> Outcome {
    let method = Method::ALL.into_iter().find(|m| m.name() == arguments.method);
    let method = method.ok_or_else(|| Usage {
        what: "method",
        name: arguments.method.clone(),
        valid: Method::ALL.map(|m| m.name().to_owned()).to_vec(),
    })?;
    let found = match generated(&arguments.kernel)? {
        Generated::Lanes(target) => {
            if arguments.machine.is_some() {
                return Err("lane kernels are searched by measuring: leave out --machine".into());
            }
            can_run_lanes(target)?;
            let kernel = LaneKernel::new(target)?;
            let prove = |text: &str| proof::lanes(target, text);
            here(KernelSignature::Lanes, |machine| {
                run(&kernel, machine, prove, method, arguments, "this CPU")
            })?
        }
        Generated::One(target) => {
            let kernel = Kernel::new(target)?;
            let prove = |text: &str| proof::emitted(target, text);
            match &arguments.machine {
                Some(name) => {
                    let models = Models::built_in()?;
                    let valid = models.machines.iter().map(|m| m.name.clone()).collect();
                    let machine = models.machine(name).map_err(|error| usage(error, valid))?;
                    let mut model = Model { machine };
                    run(&kernel, &mut model, prove, method, arguments, &format!("{name} (model)"))?
                }
                None => {
                    can_run(target.isa)?;
                    here(KernelSignature::Message, |machine| {
                        run(&kernel, machine, prove, method, arguments, "this CPU")
                    })?
                }
            }
        }
    };
    println!("evaluations,cycles");
    found.progress.iter().for_each(|(spent, cycles)| println!("{spent},{cycles:.2}"));
    Ok(ExitCode::SUCCESS)
}

fn run<K: Orderable, C: OrderCost<K>>(
    kernel: &K,
    cost: &mut C,
    prove: impl Fn(&str) -> Result<Text, TextError>,
    method: Method,
    arguments: &SearchArguments,
    machine: &str,
) -> Result<Found, Box<dyn Error>>
where
    C::Error: Error + 'static,
{
    let start = kernel.start();
    let mut failure = None;
    let keep = |times: &Vec<f64>, cycles: f64| {
        let Some(path) = &arguments.orders else { return };
        let proven = prove(&kernel.listing(times).to_string()).and_then(|text| text.prove());
        let kept = proven.map_err(Into::into).and_then(|()| {
            let mut orders = match fs::read_to_string(path) {
                Ok(text) => Orders::from_text(&text)?,
                Err(error) if error.kind() == io::ErrorKind::NotFound => Orders::default(),
                Err(source) => {
                    return Err(FileError { step: "read", path: path.clone(), source }.into());
                }
            };
            orders.put(FoundOrder {
                kernel: kernel.name(),
                machine: machine.to_owned(),
                method: method.name().to_owned(),
                seed: arguments.seed,
                evaluations: arguments.evaluations,
                cycles,
                times: kernel
                    .operations()
                    .names
                    .iter()
                    .cloned()
                    .zip(times.iter().copied())
                    .collect(),
            });
            Ok::<(), Box<dyn std::error::Error>>(replace(path, &orders.to_text())?)
        });
        failure = failure.take().or(kept.err());
    };
    let found = search(kernel, cost, method, &start, arguments.evaluations, arguments.seed, keep)?;
    match failure {
        Some(error) => Err(error),
        None => Ok(found),
    }
}
