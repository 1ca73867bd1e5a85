//! One message on each tier of instructions, against libcrypto held to the same
//! tier by its capability mask, which it reads once: each tier is a process.

use std::env;
use std::fs;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::statistics::{figure, median};
use crate::{libraries, machine, record};

/// What to measure, and how often.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    record: record::Arguments,
    /// How often all tiers are measured in turn
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// How often each case is timed in a round
    #[arg(long, default_value_t = 40)]
    samples: usize,
    /// Lengths of the message, in bytes
    #[arg(long, value_delimiter = ',', default_value = LENGTHS)]
    bytes: Vec<usize>,
    /// A trial: the record does not go among the records
    #[arg(long)]
    trial: bool,
}

/// One block and two, gaudet's lengths, 16 KiB and 1 MiB.
const LENGTHS: &str = "64,128,256,1024,2048,8192,16384,1048576";

/// A tier: its name, our row, and `OPENSSL_ia32cap`.
struct Tier {
    name: &'static str,
    row: &'static str,
    mask: &'static str,
}

/// The masks clear the bits of CPUID that OpenSSL looks at. Its AVX path is for Intel's
/// CPUs alone, so the bit that it takes for one is set there.
const TIERS: [Tier; 8] = [
    Tier { name: "sha_ni", row: "sha_ni_x1", mask: "" },
    Tier { name: "avx512", row: "avx512_x1", mask: ":~0x20000000" },
    Tier { name: "avx2", row: "avx2_x1", mask: ":~0x20000000" },
    Tier { name: "avx", row: "avx_x1", mask: "0xfffa3203478bffff:~0x20000120" },
    Tier { name: "ssse3", row: "ssse3_x1", mask: ":~0x20000120" },
    Tier { name: "sse2", row: "sse2_x1", mask: NO_VECTORS },
    Tier { name: "bmi2", row: "bmi2_asm_x1", mask: NO_VECTORS },
    Tier { name: "scalar", row: "x86_64_asm_x1", mask: NO_VECTORS },
];

/// OpenSSL has no code with SSE2, nor with BMI2 alone, for x86-64: it takes general registers.
const NO_VECTORS: &str = "~0x1000020000000000:~0x20000120";

/// Figures of one case, a figure from each round.
struct Case {
    /// Tier, algorithm, row, blocks.
    key: [String; 4],
    /// Of one round alone the least may be luck: a clock that was read wrong.
    least: Vec<f64>,
    median: Vec<f64>,
}

const COLUMNS: &[&str] =
    &["tier", "algorithm", "row", "blocks", "cycles_per_byte_min", "cycles_per_byte_median"];

pub(crate) fn main(arguments: &Arguments) -> Result<()> {
    ensure!(arguments.rounds > 0 && arguments.samples > 0, "there is to be at least one round");
    let mut head = machine::head();
    head.push(("libraries", libraries::versions()));
    let folder = env::temp_dir().join(format!("lanesum-bench-tiers-{}", std::process::id()));
    let mut cases: Vec<Case> = Vec::new();
    for _ in 0..arguments.rounds {
        for tier in TIERS {
            one(&tier, arguments, &folder, &mut cases)?;
        }
    }
    ensure!(!cases.is_empty(), "no tier was measured");
    head.extend(machine::state(["load after", "noise after"]));
    let rows: Vec<Vec<String>> = cases
        .iter()
        .map(|case| {
            let mut row = case.key.to_vec();
            row.push(figure(median(&case.least), 4));
            row.push(figure(median(&case.median), 4));
            row
        })
        .collect();
    arguments.record.write("tiers", !arguments.trial, &head, COLUMNS, &rows)
}

/// Measures a tier in a process of its own.
fn one(
    tier: &Tier,
    arguments: &Arguments,
    folder: &std::path::Path,
    cases: &mut Vec<Case>,
) -> Result<()> {
    if !lanesum::Backend::all().any(|backend| backend.name() == tier.row) {
        return Ok(());
    }
    let mut command = Command::new(env::current_exe()?);
    command
        .args(["kernels", "--trial", "--exact"])
        .args(["--with", &format!("{},lanesum_hash,openssl", tier.row)])
        .args([
            "--bytes",
            &arguments.bytes.iter().map(usize::to_string).collect::<Vec<_>>().join(","),
        ])
        .args(["--rounds", &arguments.samples.to_string(), "--record"])
        .arg(folder)
        .env("LANESUM_BACKEND", tier.row)
        .stdout(Stdio::null());
    if !tier.mask.is_empty() {
        command.env("OPENSSL_ia32cap", tier.mask);
    }
    let status = command.status().context("cannot run the kernels")?;
    ensure!(status.success(), "the kernels of {} failed: {status}", tier.name);
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let text = fs::read_to_string(&path)?;
        fs::remove_file(&path)?;
        let table: String = text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| format!("{line}\n"))
            .collect();
        for line in csv::Reader::from_reader(table.as_bytes()).records() {
            let line = line?;
            let number = |i: usize| line[i].parse::<f64>().ok();
            let key = [tier.name, &line[0], &line[1], &line[3]].map(str::to_owned);
            let (Some(least), Some(middle)) = (number(4), number(5)) else { continue };
            match cases.iter_mut().find(|case| case.key == key) {
                Some(case) => {
                    case.least.push(least);
                    case.median.push(middle);
                }
                None => cases.push(Case { key, least: vec![least], median: vec![middle] }),
            }
        }
    }
    fs::remove_dir(folder)?;
    Ok(())
}
