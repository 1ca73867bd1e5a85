//! `lanesum-graph rtl`: writes a core with the given options to a directory.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use lanesum_rtl::{Goal, Options, Registers, RtlError, Technology, WordOrder};

use crate::cli::{FileError, Outcome, named, write_file};

#[derive(Args)]
pub(crate) struct Rtl {
    /// The algorithm: sha1, sha256 ...
    #[arg(short, long)]
    algorithm: String,
    /// Rounds per clock cycle [default: the best number for the target].
    #[arg(short, long, value_name = "N")]
    unfold: Option<usize>,
    /// The optimization goal, if the number of rounds is not given.
    #[arg(long, value_enum, default_value_t = Best::Throughput, conflicts_with = "unfold")]
    best: Best,
    /// Stages of a pipeline.
    #[arg(short, long, default_value_t = 1, value_name = "P")]
    stages: usize,
    /// The technology whose delays place sums and registers.
    #[arg(short, long, default_value = "generic")]
    target: String,
    /// The placement of registers.
    #[arg(long, value_enum, default_value_t = Placed::Free)]
    registers: Placed,
    /// Store the chaining value in the core, which hashes messages block by block without an idle
    /// clock cycle between them. Recommended for SHA-256 and SHA-512, with `--unfold 1`, and for
    /// SHA-1 with `--unfold 4`. Not for independent blocks: another message starts three cycles
    /// later than the next block of the same one.
    #[arg(long)]
    chain: bool,
    /// Number of values that can wait at the end of a pipeline.
    #[arg(long, value_name = "VALUES")]
    buffer: Option<usize>,
    /// Name of the top module, of its files, and the prefix of all other module names [default: the
    /// algorithm and `_core`].
    #[arg(long)]
    name: Option<String>,
    /// The place of the first word in `block_i`, `state_i` and `state_o` [default: low-first, or
    /// high-first with `--stream`].
    #[arg(long, value_enum)]
    word_order: Option<WordOrderArgument>,
    /// For SHA-2: add the shell `lanesum_sha2`, which pads and hashes the messages of an AXI4-Stream,
    /// to a core that accepts a word of the stream in each of its first rounds: 32 bits, or 64 with
    /// SHA-512. Then `--name` is the name of the shell.
    #[arg(long)]
    stream: bool,
    /// Add a clock gate, which stops the registers of the datapath while none of them changes: for
    /// standard cells. Replace its module, NAME_gate, by one with the clock gate of their library.
    #[arg(long)]
    clock_gate: bool,
    #[arg(short, long, value_enum, default_value_t = LanguageArgument::Sv)]
    language: LanguageArgument,
    /// Add the description NAME.core for FuseSoC and the constraints NAME.sdc, as in `rtl/cores`.
    #[arg(long, value_name = "NAME")]
    package: Option<String>,
    /// Output directory, which is created if it is missing.
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
}

#[derive(Clone, Copy, ValueEnum)]
enum Placed {
    /// Only for the state and sixteen words of W, with sums of two operands.
    Paper,
    /// Only for the state and sixteen words of W, with carry-save rows in sums.
    Rows,
    /// Anywhere that shortens the clock period, for complete sums of a round's terms.
    Retimed,
    /// Anywhere that shortens the clock period, and for SHA-1 with a word in carry-save form if that is shorter.
    Free,
}

#[derive(Clone, Copy, ValueEnum)]
enum Best {
    /// Maximum throughput.
    Throughput,
    /// Maximum throughput per area.
    PerArea,
}

#[derive(Clone, Copy, ValueEnum)]
enum WordOrderArgument {
    /// In the lowest bits.
    LowFirst,
    /// In the highest bits, as FIPS 180-4 writes a block or a digest from left to right.
    HighFirst,
}

#[derive(Clone, Copy, ValueEnum)]
enum LanguageArgument {
    /// SystemVerilog.
    Sv,
    /// VHDL-2008.
    Vhdl,
}

/// Writes all files or none, and removes the files of another core in the directory.
fn write(output: &Path, files: &[(String, String)]) -> Result<(), FileError> {
    let of = |step| move |(path, source): (PathBuf, io::Error)| FileError { step, path, source };
    let mut parts: Vec<(PathBuf, PathBuf)> = Vec::new();
    for (name, text) in files {
        let path = output.join(name);
        let folder = path.parent().unwrap_or(output);
        fs::create_dir_all(folder).map_err(|e| of("create")((folder.to_owned(), e)))?;
        let part = output.join(format!("{name}.part"));
        let written = write_file(&part, text);
        parts.push((part, path));
        if let Err(error) = written {
            parts.iter().for_each(|(part, _)| drop(fs::remove_file(part)));
            return Err(error);
        }
    }
    for folder in [output.to_owned(), output.join("tb"), output.join("formal")] {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_ours =
                || fs::read_to_string(&path).is_ok_and(|text| lanesum_rtl::is_generated(&text));
            if path.extension().is_none_or(|e| e != "part") && path.is_file() && is_ours() {
                fs::remove_file(&path).map_err(|e| of("remove")((path.clone(), e)))?;
            }
        }
    }
    // The top module is the first of `files`, but the last here.
    for (part, path) in parts.iter().rev() {
        fs::rename(part, path).map_err(|e| of("write")((path.clone(), e)))?;
    }
    Ok(())
}

pub(crate) fn run(asked: &Rtl) -> Outcome {
    let options = Options {
        stages: asked.stages,
        technology: Technology::named(&asked.target)?,
        registers: match asked.registers {
            Placed::Paper => Registers::Paper,
            Placed::Rows => Registers::Rows,
            Placed::Retimed => Registers::Retimed,
            Placed::Free => Registers::Free,
        },
        buffer: asked.buffer,
        chain: asked.chain,
        name: asked.name.clone(),
        word_order: match asked.word_order {
            Some(WordOrderArgument::LowFirst) => WordOrder::LowFirst,
            Some(WordOrderArgument::HighFirst) => WordOrder::HighFirst,
            None if asked.stream => WordOrder::HighFirst,
            None => WordOrder::LowFirst,
        },
        stream: asked.stream,
        clock_gate: asked.clock_gate,
        ..Options::new(named(&asked.algorithm)?, asked.unfold.unwrap_or(1))
    };
    let language = match asked.language {
        LanguageArgument::Sv => lanesum_rtl::Language::Sv,
        LanguageArgument::Vhdl if asked.stream => {
            let why = "--language vhdl; the shell is in SystemVerilog";
            return Err(RtlError::Conflict("--stream", why).into());
        }
        LanguageArgument::Vhdl if asked.clock_gate => {
            let why = "--language vhdl; a gated clock rises a delta cycle late there";
            return Err(RtlError::Conflict("--clock-gate", why).into());
        }
        LanguageArgument::Vhdl if asked.package.is_some() => {
            let why = "--language vhdl; the description lists SystemVerilog";
            return Err(RtlError::Conflict("--package", why).into());
        }
        LanguageArgument::Vhdl => lanesum_rtl::Language::Vhdl,
    };
    let core = match asked.unfold {
        Some(_) => lanesum_rtl::core(&options)?,
        None => {
            let goal = match asked.best {
                Best::Throughput => Goal::Throughput,
                Best::PerArea => Goal::PerArea,
            };
            lanesum_rtl::best_unfold(&options, goal)?
        }
    };
    let mut files = lanesum_rtl::files(&core, language);
    if let Some(name) = &asked.package {
        let package = lanesum_rtl::package(&core, name, &files);
        files.extend(package);
    }
    write(&asked.output, &files)?;
    let (unit, areas) = (&core.options.technology.unit, &core.options.technology.area.unit);
    let measured = core.measured().map(|m| {
        let note = if m.older { " (an older core, without zeroize_i)" } else { "" };
        format!("; measured: {:.2} {unit}, {:.0} {areas}{note}", m.period, m.area)
    });
    writeln!(
        io::stdout().lock(),
        "{}: {} rounds a clock, {} stages; a block every {} clocks, its value after {}; longest \
         path {}, predicted clock {:.2} {unit}, area {:.0} {areas}{}",
        core.options.algorithm.title(),
        core.options.unfold,
        core.options.stages,
        core.interval,
        core.latency,
        core.path,
        core.period(),
        core.area(),
        measured.unwrap_or_default()
    )?;
    Ok(ExitCode::SUCCESS)
}
