//! The command line: flags, and the output of each command.

mod calibrate;
mod emit;
mod linux;
mod prove;
mod rtl;
mod simulate;
mod steps;
mod study;
mod sweep;
mod targets;

use std::error::Error;
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use lanesum::unstable::Chains;
use lanesum::{Algorithm, Kernel};
use lanesum_graph::record;
use lanesum_graph::trace::{self, Blame, blocks, rounds};
use lanesum_kernels::emit::{Isa, LaneTarget, Target};
use lanesum_model::analyse::{Delays, PAPER_N, unfolded_clock};
use lanesum_model::{ModelError, Models, Texts};
use lanesum_report::{Sources, bounds, markdown};

use targets::Generated;

/// The specification as a dataflow graph: how fast can SHA be?
#[derive(Parser)]
#[command(name = "lanesum-graph", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Print counts of the specification's graph, and bounds of each kernel, as Markdown.
    Bounds {
        /// Show only this machine.
        #[arg(long)]
        machine: Option<String>,
        /// Directory of records, with a subdirectory for each machine.
        #[arg(long, default_value = "benches/record", value_name = "DIR")]
        records: PathBuf,
        /// Replace built-in models by delays.toml, instruction-sets.toml,
        /// machines.toml or figures.toml in this directory, if present.
        #[arg(long, value_name = "DIR")]
        models: Option<PathBuf>,
    },
    /// Generate a hardware core in SystemVerilog or VHDL, with its testbench.
    Rtl(rtl::Rtl),
    /// Write the description for FuseSoC, the constraints and other generated files of a hand-written block in `rtl`.
    Block {
        /// Its directory in `rtl`.
        #[arg(value_parser = lanesum_rtl::BLOCKS)]
        block: String,
        /// The source of its top module.
        source: PathBuf,
        /// Output directory [default: rtl/BLOCK].
        #[arg(short, long, value_name = "DIR")]
        output: Option<PathBuf>,
    },
    /// Fit the delays and areas of a target to the synthesis results of small circuits.
    Calibrate(calibrate::Calibrate),
    /// Generate the page on hardware and its figures from the records of cores.
    Hardware {
        /// Directory of records, with a subdirectory for each machine.
        #[arg(long, default_value = "benches/record", value_name = "DIR")]
        records: PathBuf,
        /// Output directory for hardware.md and figures/.
        #[arg(short, long, default_value = "docs", value_name = "DIR")]
        output: PathBuf,
    },
    /// Print measured.toml of crates/rtl, the measured cores of the records.
    Measured {
        /// Directory of records, with a subdirectory for each machine.
        #[arg(long, default_value = "benches/record", value_name = "DIR")]
        records: PathBuf,
    },
    /// Print the engine's kernel/costs.rs, the assumed costs of kernels, from records.
    Costs {
        /// Directory of records, with a subdirectory for each machine.
        #[arg(long, default_value = "benches/record", value_name = "DIR")]
        records: PathBuf,
    },
    /// Print the clock period of a core with N rounds per clock cycle, round by round.
    Unfold {
        /// The algorithm: sha1, sha256 ...
        algorithm: String,
        /// Rounds per clock cycle.
        n: usize,
    },
    /// Print W_t and a, b, c ... of every round, in the format of FIPS 180-4's examples.
    Trace {
        /// The algorithm: sha1, sha256 ...
        algorithm: String,
        /// The message.
        file: PathBuf,
        /// Run this kernel of the engine instead, and print the first round in which it
        /// differs from the specification.
        #[arg(long)]
        kernel: Option<String>,
    },
    /// Write the engine's kernels for one message, with interleaved rounds and schedule.
    Stitch {
        /// Output directory.
        #[arg(default_value = "crates/engine/src/kernel/x86/stitched", value_name = "DIR")]
        folder: PathBuf,
        /// Write self-contained .S and .h for C projects into this directory instead.
        #[arg(long, value_name = "DIR", conflicts_with = "folder")]
        c: Option<PathBuf>,
        /// Write the additional files of the Linux module into this directory instead: tables, with one
        /// 16-byte register per line, and kernels with SHA instructions that the engine lacks.
        #[arg(long, value_name = "DIR", conflicts_with_all = ["folder", "c"])]
        linux: Option<PathBuf>,
    },
    /// Measure other forms of these kernels, compared with the shipped ones.
    Sweep {
        /// Number of alternating measurements of all forms.
        #[arg(long, default_value_t = 5)]
        times: usize,
    },
    /// Generate the proven assembly file of a kernel, for the engine or for C projects.
    Emit {
        /// The kernel: sha512_bmi2, sha256_avx512_x16 ... [default: the engine's kernels for one
        /// message]
        kernel: Option<String>,
        /// Generate the engine's lane kernels.
        #[arg(long, conflicts_with_all = ["kernel", "linux"])]
        lanes: bool,
        /// Generate the Linux module's kernels that the engine lacks.
        #[arg(long, conflicts_with = "kernel")]
        linux: bool,
        /// Write files into this directory instead of printing.
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
        /// Generate self-contained .S and .h files.
        #[arg(long)]
        c: bool,
        /// Generate a self-contained file of a lane kernel for Go's assembler, with the machine code as directives.
        #[arg(long, requires = "kernel", conflicts_with = "c")]
        go: bool,
    },
    /// Prove that an assembly file, or the machine code in a library or program, computes
    /// the specification.
    Prove(prove::Prove),
    /// Search for a better order of a kernel's operations.
    Search(emit::SearchArguments),
    /// Print how local search and the genetic algorithm converge, compared with the list
    /// scheduler and the compiler, as a table of cycles over evaluations.
    Converge {
        #[command(flatten)]
        study: study::Study,
        /// Use a machine's model instead of this CPU.
        #[arg(long)]
        machine: Option<String>,
    },
    /// Generate docs/{bounds,claims,orders,waterfall,optimal}.md with their figures from the records: the
    /// convergence of searches, one machine's orders on another, Young's table, the fewest instructions of each
    /// function; the limits that each kernel's time consists of, also as docs/explore-data.js; and lower bounds for every program.
    Orders {
        /// Directory of records, with a subdirectory for each machine.
        #[arg(long, default_value = "benches/record", value_name = "DIR")]
        records: PathBuf,
        /// Output directory of the page, whose figures are in its subdirectory `figures`.
        #[arg(default_value = "docs", value_name = "DIR")]
        docs: PathBuf,
    },
    /// Print the bounds and the simulated cycles of each kernel in a library or program, as a table.
    Simulate(simulate::Simulate),
    /// Print the cost of one machine's orders on the others as a table.
    Cross {
        #[command(flatten)]
        study: study::Study,
        /// Also search for an order on this CPU, and measure all orders on it.
        #[arg(long)]
        measure: bool,
    },
}

/// An unknown name on the command line.
#[derive(Debug)]
pub(crate) struct Usage {
    what: &'static str,
    name: String,
    valid: Vec<String>,
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown {} `{}`; there are {}", self.what, self.name, self.valid.join(", "))
    }
}

impl Error for Usage {}

/// A file that cannot be read or written.
#[derive(Debug)]
pub(crate) struct FileError {
    pub(crate) step: &'static str,
    pub(crate) path: PathBuf,
    pub(crate) source: io::Error,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot {} {}", self.step, self.path.display())
    }
}

impl Error for FileError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.source)
    }
}

pub(crate) type Outcome = Result<ExitCode, Box<dyn Error>>;

pub(crate) fn run() -> Outcome {
    match Cli::parse().command {
        Command::Bounds { machine, records, models } => {
            let models = models_from(models.as_deref())?;
            if let Some(name) = &machine {
                let valid = models.machines.iter().map(|m| m.name.clone()).collect();
                models.machine(name).map_err(|error| usage(error, valid))?;
            }
            let sources = Sources::new(models, &records)?;
            let (text, _) = markdown(&bounds(&sources, machine.as_deref())?, "figures");
            io::stdout().lock().write_all(text.as_bytes())?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Emit { kernel: Some(name), dir, go: true, .. } => match targets::generated(&name)?
        {
            Generated::Lanes(target) => emit::write_go(target, dir.as_deref()),
            Generated::One(_) => Err(Box::new(Usage {
                what: "lane kernel",
                name,
                valid: LaneTarget::all().map(|target| target.name()).collect(),
            })),
        },
        Command::Emit { kernel, lanes, linux, dir, c, go: _ } => {
            let directory = dir.as_deref();
            match (kernel.as_deref(), lanes) {
                (_, true) => emit::write_lanes(LaneTarget::shipped(), directory, c),
                (Some(name), _) => match targets::generated(name)? {
                    Generated::Lanes(target) => emit::write_lanes([target], directory, c),
                    Generated::One(target) => emit::write([target], directory, c),
                },
                (None, false) => {
                    let isa = if linux { Isa::X86_64 } else { Isa::Bmi2 };
                    emit::write(Target::whole(isa), directory, c)
                }
            }
        }
        Command::Prove(asked) => prove::run(&asked),
        Command::Sweep { times } => sweep::run(times),
        Command::Search(arguments) => emit::find(&arguments),
        Command::Converge { study, machine } => study::convergence(&study, machine.as_deref()),
        Command::Orders { records, docs } => study::page(&records, &docs),
        Command::Cross { study, measure } => study::crossing(&study, measure),
        Command::Simulate(asked) => simulate::run(&asked),
        Command::Rtl(rtl) => rtl::run(&rtl),
        Command::Block { block, source: path, output } => {
            let output = output.unwrap_or_else(|| Path::new("rtl").join(&block));
            let source = fs::read_to_string(&path);
            let source = source.map_err(|source| FileError { step: "read", path, source })?;
            write_files(lanesum_rtl::block(&block, &source).expect("one of `BLOCKS`"), &output)
        }
        Command::Calibrate(asked) => calibrate::run(&asked),
        Command::Hardware { records, output } => {
            write_files(lanesum_report::hardware::page(&records)?, &output)
        }
        Command::Measured { records } => {
            let text = lanesum_report::hardware::measured(&records)?;
            io::stdout().lock().write_all(text.as_bytes())?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Costs { records } => {
            let text = lanesum_model::costs::costs(&models_from(None)?, &records)?;
            io::stdout().lock().write_all(text.as_bytes())?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Unfold { algorithm, n } => unfold(named(&algorithm)?, n),
        Command::Trace { algorithm, file, kernel } => {
            let algorithm = named(&algorithm)?;
            let message = fs::read(&file).map_err(|source| FileError {
                step: "read",
                path: file.clone(),
                source,
            })?;
            match kernel {
                None => print_trace(algorithm, &message),
                Some(name) => check_kernel(algorithm, &message, &name),
            }
        }
        Command::Stitch { linux: Some(folder), .. } => {
            for (name, text) in lanesum_kernels::stitch::tables() {
                write_file(&folder.join(name), &text)?;
            }
            write_instructions(&folder, false)?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Stitch { folder, c, linux: None } => {
            for kernel in lanesum_kernels::stitch::kernels() {
                let Some(folder) = &c else {
                    write_file(&folder.join(kernel.file()), &kernel.text())?;
                    continue;
                };
                write_file(&folder.join(format!("{}.S", kernel.name)), &kernel.assembly())?;
                write_file(&folder.join(format!("{}.h", kernel.name)), &kernel.header())?;
            }
            if c.is_none() {
                write_instructions(&folder, true)?;
            }
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Writes the kernels with SHA instructions of the engine, or those of the Linux module.
fn write_instructions(folder: &Path, of_engine: bool) -> Result<(), Box<dyn Error>> {
    for text in lanesum_kernels::stitch::ShaNiText::all() {
        if text.is_of_engine == of_engine {
            write_file(&folder.join(text.file()), &text.text())?;
        }
    }
    Ok(())
}

fn usage(error: ModelError, valid: Vec<String>) -> Box<dyn Error> {
    match error {
        ModelError::Unknown { what, name, .. } => Box::new(Usage { what, name, valid }),
        other => Box::new(other),
    }
}

fn models_from(directory: Option<&Path>) -> Result<Models, Box<dyn Error>> {
    let mut texts = Texts::built_in();
    if let Some(directory) = directory {
        let wrong = |source| FileError { step: "read", path: directory.to_owned(), source };
        fs::read_dir(directory).map_err(wrong)?;
        for (name, text) in [
            ("delays.toml", &mut texts.delays),
            ("instruction-sets.toml", &mut texts.instruction_sets),
            ("machines.toml", &mut texts.machines),
            ("figures.toml", &mut texts.figures),
        ] {
            let path = directory.join(name);
            match fs::read_to_string(&path) {
                Ok(found) => *text = found,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(source) => return Err(FileError { step: "read", path, source }.into()),
            }
        }
    }
    Ok(Models::from_texts(&texts)?)
}

/// Writes files to a directory, from pairs of path and contents.
fn write_files(files: impl IntoIterator<Item = (String, String)>, to: &Path) -> Outcome {
    for (name, text) in files {
        write_file(&to.join(name), &text)?;
    }
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn write_file(path: &Path, text: &str) -> Result<(), FileError> {
    fs::write(path, text).map_err(|source| FileError {
        step: "write",
        path: path.to_owned(),
        source,
    })
}

/// An algorithm of FIPS 180-4; the compatibility functions are not in it.
pub(crate) fn named(name: &str) -> Result<Algorithm, Usage> {
    let valid = || Algorithm::all().filter(|a| a.family().is_fips());
    let found = Algorithm::from_name(name).filter(|a| a.family().is_fips());
    found.ok_or_else(|| Usage {
        what: "algorithm",
        name: name.to_owned(),
        valid: valid().map(|a| a.name().to_owned()).collect(),
    })
}

fn unfold(algorithm: Algorithm, n: usize) -> Outcome {
    let block = record(algorithm.family(), false);
    let total = block.spec.rounds.len();
    if n == 0 || !total.is_multiple_of(n) {
        let valid = (1..=total).filter(|d| total.is_multiple_of(*d)).map(|d| d.to_string());
        return Err(Box::new(Usage {
            what: "number of rounds per clock",
            name: format!("{n}, which does not divide {total}"),
            valid: valid.collect(),
        }));
    }
    let models = Models::built_in()?;
    let delays = Delays::hardware(models.delay("paper")?);
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{}: {n} of {total} rounds per clock, A = {}, F = {}",
        algorithm.title(),
        delays.add,
        delays.function
    )?;
    for rounds in 1..=n {
        let clock = unfolded_clock(&block, rounds, &delays);
        writeln!(out, "  state after round t+{:<2}  {:>10}", rounds - 1, clock.paper.to_string())?;
    }
    let clock = unfolded_clock(&block, n, &delays);
    writeln!(out, "clock, registers only for the state: {}", clock.paper)?;
    writeln!(out, "clock, registers anywhere: {}", clock.retimed)?;
    writeln!(out, "clocks per block: {}", clock.clocks(total))?;
    if !PAPER_N.contains(&n) {
        writeln!(out, "(not in the paper's Table 1)")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print_trace(algorithm: Algorithm, message: &[u8]) -> Outcome {
    let family = algorithm.family();
    let digits = family.word_bits() as usize / 4;
    let mut state: Vec<u64> = algorithm.iv()[..family.state_words()].to_vec();
    let mut out = io::BufWriter::new(io::stdout().lock());
    for (i, block) in blocks(family, message).iter().enumerate() {
        writeln!(out, "Block {}", i + 1)?;
        let rounds = rounds(family, &state, block);
        for (t, round) in rounds.iter().enumerate() {
            writeln!(out, "W[{t:2}] = {:0digits$x}", round.w)?;
        }
        let letters: String = "abcdefgh"
            .chars()
            .take(state.len())
            .map(|c| format!("{c:^w$}", w = digits + 1))
            .collect();
        writeln!(out, "{:7}{}", "", letters.trim_end())?;
        for (t, round) in rounds.iter().enumerate() {
            let words: Vec<String> =
                round.state.iter().map(|word| format!("{word:0digits$x}")).collect();
            writeln!(out, "t={t:2}:  {}", words.join(" "))?;
        }
        let last = rounds.last().map_or(&[][..], |round| &round.state);
        for (i, word) in last.iter().enumerate() {
            let sum = state[i].wrapping_add(*word);
            let sum = if family.word_bits() == 32 { sum & 0xffff_ffff } else { sum };
            writeln!(out, "H[{i}] = {:0digits$x} + {word:0digits$x} = {sum:0digits$x}", state[i])?;
            state[i] = sum;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Runs the kernel over the message in every lane, each lane beginning one block
/// later than the one before, and compares every chaining value.
fn check_kernel(algorithm: Algorithm, message: &[u8], name: &str) -> Outcome {
    let family = algorithm.family();
    let usable = || Kernel::all().filter(|kernel| kernel.supports(algorithm));
    let kernel = usable().find(|kernel| kernel.name() == name).ok_or_else(|| Usage {
        what: "kernel",
        name: name.to_owned(),
        valid: usable().map(|kernel| kernel.name().to_owned()).collect(),
    })?;
    let blocks = blocks(family, message);
    let bytes: Vec<Vec<u8>> = blocks
        .iter()
        .map(|block| {
            let word_len = family.word_bits() as usize / 8;
            block.iter().flat_map(|w| w.to_be_bytes()[8 - word_len..].to_vec()).collect()
        })
        .collect();
    let mut chains = Chains::new(algorithm, kernel).ok_or("the kernel has not the algorithm")?;
    let words = family.state_words();
    let lanes = kernel.lanes();
    let mut states = vec![algorithm.iv(); lanes];
    let mut out = io::stdout().lock();
    for step in 0..blocks.len() {
        let at = |lane: usize| (step + lane) % blocks.len();
        let data: Vec<&[u8]> = (0..lanes).map(|lane| &bytes[at(lane)][..]).collect();
        chains.compress(&data, 1);
        for (lane, state) in states.iter_mut().enumerate() {
            let found = chains.words(lane);
            let blame =
                trace::departed_round(family, &state[..words], &blocks[at(lane)], &found[..words]);
            if let Some(blame) = blame {
                let place = match blame {
                    Blame::Round(t) => format!("first in round {t}"),
                    Blame::Several => "in its schedule or in several rounds".to_owned(),
                };
                writeln!(out, "{name}: lane {lane}, block {}: departs {place}", step + 1)?;
                return Ok(ExitCode::from(1));
            }
            *state = found;
        }
    }
    writeln!(
        out,
        "{name}: {} blocks in each of {lanes} lanes are the specification's",
        blocks.len()
    )?;
    Ok(ExitCode::SUCCESS)
}
