//! Kernels for one message beside `llvm-mca`, which has models of its own.
//!
//! What it says stands in `models/llvm-mca.csv`, which `lanesum-graph mca` makes; the report puts
//! it beside what our models say of the same instructions.

use std::path::Path;

use lanesum_measure::Table;
use lanesum_spec::Family;

use crate::analyse::{BoundError, Kernels};
use crate::emit::{Isa, Kernel, Target, WordSource};
use crate::model::{Machine, Models, Orders};
use crate::search::model::Model;
use crate::stitch;

/// The instructions of a turn of a kernel's loop over blocks, all loops within it unrolled.
#[derive(Debug)]
pub struct Turn {
    /// The kernel: `sha256_bmi2`, `sha256_avx2`.
    pub kernel: String,
    /// Whose compression function it is.
    pub family: Family,
    /// Blocks of a turn.
    pub blocks: usize,
    /// Instructions in Intel's syntax, a line each.
    pub text: String,
    /// What our models take its instructions from.
    body: Body,
}

#[derive(Debug)]
enum Body {
    /// Text of general registers, which the model of a search runs.
    General(Box<Kernel>),
    /// Vectors beside them, of which the models have a bound.
    Stitched(stitch::VectorIsa),
}

/// The table that is built in.
pub fn table() -> Table {
    Table::parse(Path::new("models/llvm-mca.csv"), include_str!("../models/llvm-mca.csv"))
}

/// Every kernel for x86-64 that ships.
///
/// # Errors
///
/// When a pass is not proven, or an order is of another kernel.
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

/// What lies between the label of the loop over blocks and the branch back to it, without
/// branches; a loop within is there as often as the rounds of a block want it.
fn unrolled(text: &str, label: &str, family: Family, blocks: usize) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let begin = format!("{label}:");
    let start = lines.iter().position(|line| *line == begin).map_or(0, |at| at + 1);
    let back = |line: &&str, label: &str| {
        let to = line.split_once(' ').filter(|(name, _)| name.starts_with('j'));
        to.is_some_and(|(_, to)| to == label || to == format!("{label}b"))
    };
    let end = start + lines[start..].iter().position(|line| back(line, label)).unwrap_or(0);
    // Parts: straight text, and the loops in it.
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
    // A round adds W_t + K_t from where the schedule left it: a block has so many.
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
    // The loops of a turn go around alike often.
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
    /// A number that is another when the text is.
    pub fn fingerprint(&self) -> String {
        let fold = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        format!("{:08x}", self.text.bytes().fold(0x811c_9dc5, fold))
    }

    /// Whether `machine` has its instructions.
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

    /// What our models say of a block: cycles, and how they come by them.
    ///
    /// # Errors
    ///
    /// When a model refers to what is not there, or a pass is not proven.
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
                let bounds = kernels.bounds(machine, self.family)?;
                let found = bounds.iter().find(|bound| bound.kernel == "sse2_stitched");
                Ok(found.map(|bound| (bound.predicted(), "predicted")))
            }
        }
    }
}

/// The lines of the table: `cycles` is asked for a turn's cycles on each of LLVM's CPUs.
///
/// # Errors
///
/// What `cycles` fails with, or as [`turns`].
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
