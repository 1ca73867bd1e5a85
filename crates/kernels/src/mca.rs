//! Kernels for one message, analyzed by `llvm-mca` with LLVM's models.
//!
//! `lanesum-graph mca` generates `llvm-mca.csv` with the results. The report compares them with our
//! models' results for the same instructions.

use std::path::Path;

use lanesum_measure::Table;
use lanesum_spec::Family;

use crate::emit::{Isa, Kernel, Target, WordSource};
use crate::search::model::Model;
use crate::stitch;
use lanesum_model::analyse::{BoundError, Kernels};
use lanesum_model::{ConstantValue, Machine, Models, Orders};

/// The instructions of an iteration of a kernel's loop over blocks, with inner loops unrolled.
#[derive(Debug)]
pub struct Turn {
    /// The kernel: `sha256_bmi2`, `sha256_avx2`.
    pub kernel: String,
    /// The family of its compression function.
    pub family: Family,
    /// Blocks per iteration.
    pub blocks: usize,
    /// Instructions in Intel syntax, one per line.
    pub text: String,
    /// The source of its instructions for our models.
    body: Body,
}

#[derive(Debug)]
enum Body {
    /// A kernel in general registers, which the search model simulates.
    General(Box<Kernel>),
    /// A kernel that also uses vectors, which the models bound.
    Stitched(stitch::VectorIsa),
}

/// The built-in table.
pub fn table() -> Table {
    Table::parse(Path::new("llvm-mca.csv"), include_str!("../llvm-mca.csv"))
}

/// Returns every shipped kernel for x86-64.
///
/// # Errors
///
/// A pass is not proven, or an order belongs to another kernel.
pub fn turns() -> Result<Vec<Turn>, BoundError> {
    let orders = Orders::built_in()?;
    let mut turns = Vec::new();
    for target in Target::all().filter(|t| t.words == WordSource::Block && t.isa != Isa::I686) {
        let kernel = Kernel::new(target)?;
        let times = orders.of(&target.name()).map(|order| kernel.operations.times(order));
        let times = times.transpose()?.unwrap_or_else(|| kernel.start());
        let text = kernel.listing(&times).to_string();
        turns.push(Turn {
            kernel: target.name(),
            family: target.family,
            blocks: 1,
            text: unrolled(&text, &format!(".L{}_block", target.name()), target.family, 1),
            body: Body::General(Box::new(kernel)),
        });
    }
    for kernel in stitch::kernels() {
        let blocks = if kernel.isa.is_wide() { 2 } else { 1 };
        turns.push(Turn {
            text: unrolled(&kernel.text(), "2", kernel.family, blocks),
            kernel: kernel.name,
            family: kernel.family,
            blocks,
            body: Body::Stitched(kernel.isa),
        });
    }
    Ok(turns)
}

/// Returns the body of the loop over blocks without branches, in which inner loops are repeated for all
/// rounds of a block.
fn unrolled(text: &str, label: &str, family: Family, blocks: usize) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let begin = format!("{label}:");
    let start = lines.iter().position(|line| *line == begin).map_or(0, |at| at + 1);
    let back = |line: &&str, label: &str| {
        let to = line.split_once(' ').filter(|(name, _)| name.starts_with('j'));
        to.is_some_and(|(_, to)| to == label || to == format!("{label}b"))
    };
    let end = start + lines[start..].iter().position(|line| back(line, label)).unwrap_or(0);
    // The parts are straight code and inner loops.
    let mut parts: Vec<(Vec<&str>, bool)> = vec![(Vec::new(), false)];
    for line in &lines[start..end] {
        if let Some(label) = line.strip_suffix(':') {
            let is_loop = lines[start..end].iter().any(|line| back(line, label));
            if is_loop {
                parts.push((Vec::new(), true));
            }
        } else if line.starts_with('j') {
            if parts.last().is_some_and(|part| part.1 && line.ends_with('b')) {
                parts.push((Vec::new(), false));
            }
        } else if !line.starts_with(['.', '#']) && !line.is_empty() {
            parts.last_mut().expect("a part").0.push(line);
        }
    }
    // Each round adds W_t + K_t from the memory of the schedule, which counts the rounds.
    let rounds = |lines: &[&str]| {
        let added = |line: &&&str| {
            let word = line.strip_prefix("add ").and_then(|rest| rest.split_once(", ["));
            word.is_some_and(|(_, from)| from.starts_with("rdi+") || from.starts_with("rsp+"))
        };
        lines.iter().filter(added).count()
    };
    let of_block = if family == Family::Sha256 { 64 } else { 80 };
    let straight: usize = parts.iter().filter(|part| !part.1).map(|part| rounds(&part.0)).sum();
    let looped: usize = parts.iter().filter(|part| part.1).map(|part| rounds(&part.0)).sum();
    // All inner loops have the same number of iterations.
    let times = (of_block * blocks - straight.min(of_block * blocks)).checked_div(looped);
    let mut out = String::new();
    for (lines, is_loop) in &parts {
        for _ in 0..if *is_loop { times.unwrap_or(1) } else { 1 } {
            lines.iter().for_each(|line| out += &format!("{line}\n"));
        }
    }
    out
}

impl Turn {
    /// A fingerprint of the code.
    pub fn fingerprint(&self) -> String {
        let fold = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        format!("{:08x}", self.text.bytes().fold(0x811c_9dc5, fold))
    }

    /// Whether `machine` supports its instructions.
    pub fn runs_on(&self, machine: &Machine) -> bool {
        let has = |set: &str| machine.vectors.iter().any(|name| name == set);
        let bmi = machine.scalar == "x86-bmi";
        let wide = machine.scalar_bits == 64 && machine.scalar.starts_with("x86");
        wide && match &self.body {
            Body::General(kernel) => kernel.target.isa != Isa::Bmi2 || bmi,
            Body::Stitched(isa) => match isa {
                stitch::VectorIsa::Sse2 | stitch::VectorIsa::Ssse3 => has("sse2"),
                stitch::VectorIsa::Avx => has("avx") || has("avx2"),
                stitch::VectorIsa::AvxBmi | stitch::VectorIsa::Avx2 => has("avx2") && bmi,
                stitch::VectorIsa::Avx512 => has("avx512") && bmi,
            },
        }
    }

    /// Returns our models' cycles per block, and the method.
    ///
    /// # Errors
    ///
    /// A model refers to a missing item, or a pass is not proven.
    pub fn ours(
        &self,
        kernels: &mut Kernels<'_>,
        machine: &Machine,
        orders: &Orders,
    ) -> Result<Option<(f64, &'static str)>, BoundError> {
        match &self.body {
            Body::General(kernel) => {
                let times = orders.of(&self.kernel).map(|order| kernel.operations.times(order));
                let times = times.transpose()?.unwrap_or_else(|| kernel.start());
                let cycles = Model { machine }.cycles(&kernel.body(&times).instructions);
                Ok(Some((cycles, "run")))
            }
            Body::Stitched(_) => {
                let estimates = kernels.estimates(machine, self.family)?;
                let found = estimates.iter().find(|estimate| estimate.kernel == "sse2_stitched");
                let overlap = machine.overlap().value();
                Ok(found.map(|estimate| (estimate.predicted(overlap), "predicted")))
            }
        }
    }
}

/// Returns the lines of the table. `cycles` returns an iteration's cycles on each of LLVM's CPUs.
///
/// # Errors
///
/// An error of `cycles` or of [`turns`].
pub fn lines<E: From<BoundError>>(
    models: &Models,
    mut cycles: impl FnMut(&Turn, &str) -> Result<f64, E>,
) -> Result<String, E> {
    let mut out = String::from("kernel,fingerprint,cpu,cycles\n");
    for turn in turns()? {
        let mut cpus: Vec<&str> = models
            .machines
            .iter()
            .filter(|machine| turn.runs_on(machine))
            .filter_map(|machine| Some(machine.llvm.as_ref()?.cpu.as_str()))
            .collect();
        cpus.sort_unstable();
        cpus.dedup();
        for cpu in cpus {
            let found = cycles(&turn, cpu)? / turn.blocks as f64;
            out += &format!("{},{},{cpu},{found:.1}\n", turn.kernel, turn.fingerprint());
        }
    }
    Ok(out)
}
