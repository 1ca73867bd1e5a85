//! One message on each tier of instructions, compared with libcrypto limited to the same
//! tier by its capability mask. libcrypto reads the mask once, so each tier needs a process.

use std::env;
use std::fs;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use lanesum_measure::{Table, median};

use crate::statistics::figure;
use crate::{libraries, machine, record};

/// The cases to measure, and the number of timings.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    record: record::Arguments,
    /// Number of rounds over all tiers
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Number of timings of each case in a round
    #[arg(long, default_value_t = 40)]
    samples: usize,
    /// Message lengths in bytes
    #[arg(long, value_delimiter = ',', default_value = LENGTHS)]
    bytes: Vec<usize>,
    /// Make a trial, whose record is not stored with the others
    #[arg(long)]
    trial: bool,
}

/// One block and two, gaudet's lengths, 16 KiB and 1 MiB.
const LENGTHS: &str = "64,128,256,1024,2048,8192,16384,1048576";

/// A tier: its name, our kernel, and `OPENSSL_ia32cap`.
struct Tier {
    name: &'static str,
    kernel: &'static str,
    mask: &'static str,
}

/// The masks clear the CPUID bits that OpenSSL checks. Its AVX code is only for Intel's CPUs,
/// so that mask sets the bit that identifies one.
const TIERS: [Tier; 7] = [
    Tier { name: "sha_ni", kernel: "sha_ni_x1", mask: "" },
    Tier { name: "avx512", kernel: "avx512_x1", mask: ":~0x20000000" },
    Tier { name: "avx2", kernel: "avx2_x1", mask: ":~0x20000000" },
    Tier { name: "avx", kernel: "avx_x1", mask: "0xfffa3203478bffff:~0x20000120" },
    Tier { name: "ssse3", kernel: "ssse3_x1", mask: ":~0x20000120" },
    Tier { name: "sse2", kernel: "sse2_x1", mask: NO_VECTORS },
    Tier { name: "bmi2", kernel: "bmi2_asm_x1", mask: NO_VECTORS },
];

/// OpenSSL has no code for only SSE2 or only BMI2 on x86-64, and uses general registers.
const NO_VECTORS: &str = "~0x1000020000000000:~0x20000120";

/// Figures of one case from every round, because those of a single round may be luck.
struct Case {
    /// Tier, algorithm, kernel, blocks.
    key: [String; 4],
    /// The minimum, quartiles and median of each round, in the order of `FIGURES`.
    rounds: [Vec<f64>; 4],
}

/// The figures of a case from each round.
const FIGURES: [&str; 4] =
    ["cycles_per_byte_min", "cycles_per_byte_p25", "cycles_per_byte_median", "cycles_per_byte_p75"];

pub(crate) fn main(arguments: &Arguments) -> Result<()> {
    ensure!(arguments.rounds > 0 && arguments.samples > 0, "at least one round is required");
    let mut head = machine::head();
    head.push(("libraries", libraries::versions()));
    let folder = env::temp_dir().join(format!("lanesum-bench-tiers-{}", std::process::id()));
    let (mut cases, mut discarded): (Vec<Case>, _) = (Vec::new(), Vec::new());
    for _ in 0..arguments.rounds {
        for tier in TIERS {
            one(&tier, arguments, &folder, &mut cases, &mut discarded)?;
        }
    }
    ensure!(!cases.is_empty(), "no tier was measured");
    // Each round reports this for its samples.
    let counts = discarded.iter().map(|text: &String| {
        let mut words = text.split_whitespace().map(str::parse::<usize>);
        (words.next(), words.nth(1))
    });
    let (gone, all) = counts.fold((0, 0), |(gone, all), words| match words {
        (Some(Ok(some)), Some(Ok(of))) => (gone + some, all + of),
        _ => (gone, all),
    });
    head.push(("discarded", format!("{gone} of {all} samples")));
    head.extend(machine::state(["load after", "noise after"]));
    let rows: Vec<Vec<String>> = cases
        .iter()
        .map(|case| {
            let mut row = case.key.to_vec();
            row.extend(case.rounds.iter().map(|round| figure(median(round), 4)));
            row
        })
        .collect();
    let columns: Vec<&str> =
        ["tier", "algorithm", "kernel", "blocks"].into_iter().chain(FIGURES).collect();
    arguments.record.write("tiers", !arguments.trial, &head, &columns, &rows)
}

/// Measures a tier in a separate process.
fn one(
    tier: &Tier,
    arguments: &Arguments,
    folder: &std::path::Path,
    cases: &mut Vec<Case>,
    discarded: &mut Vec<String>,
) -> Result<()> {
    if !lanesum::Kernel::all().any(|kernel| kernel.name() == tier.kernel) {
        return Ok(());
    }
    let mut command = Command::new(env::current_exe()?);
    command
        .args(["kernels", "--trial", "--exact"])
        .args(["--with", &format!("{},lanesum_hash,openssl", tier.kernel)])
        .args([
            "--bytes",
            &arguments.bytes.iter().map(usize::to_string).collect::<Vec<_>>().join(","),
        ])
        .args(["--rounds", &arguments.samples.to_string(), "--record"])
        .arg(folder)
        .env("LANESUM_KERNEL", tier.kernel)
        .stdout(Stdio::null());
    if !tier.mask.is_empty() {
        command.env("OPENSSL_ia32cap", tier.mask);
    }
    let status = command.status().context("cannot run the kernels")?;
    ensure!(status.success(), "the kernels of {} failed: {status}", tier.name);
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let table = Table::read(&path)?;
        fs::remove_file(&path)?;
        discarded.extend(table.says("discarded").map(str::to_owned));
        for row in table.rows() {
            let of = |column| table.of(row, column);
            let key = [tier.name, of("algorithm"), of("kernel"), of("blocks")].map(str::to_owned);
            let figures = FIGURES.map(|column| of(column).parse::<f64>().ok());
            let [Some(least), Some(lower), Some(middle), Some(upper)] = figures else { continue };
            let figures = [least, lower, middle, upper];
            let place = cases.iter().position(|case| case.key == key).unwrap_or_else(|| {
                cases.push(Case { key, rounds: Default::default() });
                cases.len() - 1
            });
            for (round, figure) in cases[place].rounds.iter_mut().zip(figures) {
                round.push(figure);
            }
        }
    }
    fs::remove_dir(folder)?;
    Ok(())
}
