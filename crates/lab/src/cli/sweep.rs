//! Measures forms of stitched kernels, compared with the shipped ones.

use std::io::{self, Write};
use std::process::ExitCode;

use lanesum::{Algorithm, Kernel};
use lanesum_kernels::proof;
use lanesum_kernels::search::measure::{KernelSignature, Stopwatch, TimedText};
use lanesum_kernels::stitch::{Variant, VectorIsa, table, variants};

use super::Outcome;
use super::targets::here;

/// The bytes per call.
const BYTES: usize = 8192;

/// Whether this CPU has the instructions.
fn can_run(isa: VectorIsa) -> bool {
    let name = match isa {
        VectorIsa::Sse2 => "sse2_x1",
        VectorIsa::Ssse3 => "ssse3_x1",
        VectorIsa::Avx => "avx_x1",
        VectorIsa::AvxBmi | VectorIsa::Avx2 => "avx2_x1",
        VectorIsa::Avx512 => "avx512_x1",
    };
    Kernel::all().any(|kernel| kernel.name() == name)
}

/// Measures every form that can run here, `times` times alternately, and prints a table.
pub(super) fn run(times: usize) -> Outcome {
    let measured = here(KernelSignature::Message, |machine| measure(machine, times))?;
    let mut out = io::stdout().lock();
    writeln!(out, "algorithm,isa,form,bytes,cycles_per_byte")?;
    for (variant, algorithm, cycles) in measured {
        let isa = variant.isa.1;
        writeln!(out, "{},{isa},{},{BYTES},{cycles:.4}", algorithm.name(), variant.form)?;
    }
    Ok(ExitCode::SUCCESS)
}

type Timings = Vec<(Variant, Algorithm, f64)>;

fn measure(machine: &mut Stopwatch, times: usize) -> Result<Timings, Box<dyn std::error::Error>> {
    let mut measured = Vec::new();
    for algorithm in [Algorithm::SHA1, Algorithm::SHA256, Algorithm::SHA512] {
        let family = algorithm.family();
        let here: Vec<Variant> = variants()
            .into_iter()
            .filter(|variant| variant.family == family && can_run(variant.isa.0))
            .collect();
        let mut texts = Vec::new();
        for variant in &here {
            check(variant)?;
            let table = table(family, variant.isa.0);
            texts.push(TimedText { text: variant.text.clone(), table });
        }
        let mut cycles = vec![Vec::new(); texts.len()];
        for _ in 0..times {
            let run = machine.time(&texts, BYTES / algorithm.block_len())?;
            cycles.iter_mut().zip(run).for_each(|(all, now)| all.push(now));
        }
        for (variant, mut all) in here.into_iter().zip(cycles) {
            all.sort_by(f64::total_cmp);
            let middle = all[all.len() / 2];
            measured.push((variant, algorithm, middle / algorithm.block_len() as f64));
        }
    }
    Ok(measured)
}

/// Checks the result of a form before it is measured.
fn check(variant: &Variant) -> Result<(), Box<dyn std::error::Error>> {
    let Variant { family, isa, .. } = *variant;
    if let Some(order) = variant.order {
        proof::stitched(family, isa.0, order, &variant.text)?.refute()?;
    }
    Ok(())
}
