//! The latency of the SHA instructions, from each of their operands to the result.
//!
//! In a chain through one operand, each instruction takes the latency from that operand, because
//! the other operands are ready earlier. The critical path of a kernel passes through several
//! operands, so one latency per instruction is too coarse a model.
#![allow(unsafe_code)]

use anyhow::{Result, ensure};

use crate::clock::{self, Clock, Timing};
use crate::{machine, record, statistics};

/// The number of timings of each chain.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    record: record::Arguments,
    /// Number of timings of each chain
    #[arg(long, default_value_t = 2000)]
    rounds: usize,
    /// Make a trial, whose record is not stored with the others
    #[arg(long)]
    trial: bool,
}

/// Instructions of the chain per iteration.
const UNROLLED: u32 = 20;
const TURNS: u32 = 200;

/// A chain: the instruction, the operand that it passes through, and the loop.
struct Chain {
    instruction: &'static str,
    operand: &'static str,
    /// Each link ends with a register copy, whose latency is in another row.
    copied: bool,
    run: fn(),
}

/// A function that runs these two links ten times per iteration of a loop.
macro_rules! chain {
    ($($line:expr),+) => {{
        fn run() {
            // SAFETY: the assembly uses the registers that it declares, and no memory; `main` checks
            // that the CPU has SHA instructions.
            unsafe {
                std::arch::asm!(
                    "pxor xmm0, xmm0",
                    "pxor xmm1, xmm1",
                    "pxor xmm2, xmm2",
                    "pxor xmm3, xmm3",
                    "pxor xmm4, xmm4",
                    "2:",
                    ".rept 10",
                    $($line,)+
                    ".endr",
                    "dec {n:e}",
                    "jnz 2b",
                    n = inout(reg) TURNS => _,
                    out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _, out("xmm4") _,
                    options(nomem, nostack),
                );
            }
        }
        run as fn()
    }};
}

/// Chains of an instruction with two operands: through the first, which it writes, and through
/// the second, where the first is reloaded in each link, and two registers alternate.
macro_rules! both {
    ($name:literal, $first:literal, $second:literal, $end:literal) => {
        [
            Chain {
                instruction: $name,
                operand: $first,
                copied: false,
                run: chain!(
                    concat!($name, " xmm1, xmm3", $end),
                    concat!($name, " xmm1, xmm3", $end)
                ),
            },
            Chain {
                instruction: $name,
                operand: $second,
                copied: false,
                run: chain!(
                    "movdqa xmm1, xmm3",
                    concat!($name, " xmm1, xmm2", $end),
                    "movdqa xmm2, xmm3",
                    concat!($name, " xmm2, xmm1", $end)
                ),
            },
        ]
    };
}

fn chains() -> Vec<Chain> {
    let mut chains = Vec::new();
    chains.extend(both!("sha1rnds4", "abcd", "e+w", ", 0"));
    chains.extend(both!("sha1nexte", "abcd", "w", ""));
    chains.extend(both!("sha1msg1", "first", "second", ""));
    chains.extend(both!("sha1msg2", "first", "second", ""));
    // The third operand of sha256rnds2 is always xmm0.
    chains.extend(both!("sha256rnds2", "cdgh", "abef", ", xmm0"));
    chains.push(Chain {
        instruction: "sha256rnds2",
        operand: "wk",
        copied: true,
        run: chain!(
            "movdqa xmm1, xmm3",
            "sha256rnds2 xmm1, xmm3, xmm0",
            "movdqa xmm0, xmm1",
            "movdqa xmm2, xmm3",
            "sha256rnds2 xmm2, xmm3, xmm0",
            "movdqa xmm0, xmm2"
        ),
    });
    chains.extend(both!("sha256msg1", "first", "second", ""));
    chains.extend(both!("sha256msg2", "first", "second", ""));
    chains.push(Chain {
        instruction: "movdqa",
        operand: "second",
        copied: false,
        run: chain!("movdqa xmm1, xmm2", "movdqa xmm2, xmm1"),
    });
    // The rounds of a kernel without the schedule: the chain through all operands.
    chains.push(Chain {
        instruction: "sha1rnds4",
        operand: "rounds",
        copied: false,
        run: chain!(
            "sha1nexte xmm1, xmm3",
            "movdqa xmm2, xmm0",
            "sha1rnds4 xmm0, xmm1, 0",
            "sha1nexte xmm2, xmm3",
            "movdqa xmm1, xmm0",
            "sha1rnds4 xmm0, xmm2, 0"
        ),
    });
    chains.push(Chain {
        instruction: "sha256rnds2",
        operand: "rounds",
        copied: false,
        run: chain!("sha256rnds2 xmm1, xmm2, xmm0", "sha256rnds2 xmm2, xmm1, xmm0"),
    });
    chains
}

const COLUMNS: &[&str] = &[
    "instruction",
    "operand",
    "cycles_min",
    "cycles_p25",
    "cycles_median",
    "cycles_p75",
    "samples",
];

pub(crate) fn main(arguments: &Arguments) -> Result<()> {
    ensure!(arguments.rounds > 0, "at least one round is required");
    ensure!(is_x86_feature_detected!("sha"), "this CPU has no SHA instructions");
    machine::stay();
    let mut head = machine::head();
    let clock = Clock::new();
    let mut cases: Vec<(Chain, Vec<Timing>)> =
        chains().into_iter().map(|chain| (chain, Vec::new())).collect();
    for _ in 0..arguments.rounds {
        for (chain, timings) in &mut cases {
            timings.push(clock.time(chain.run));
        }
    }
    let discarded = clock::sift(&machine::core(), cases.iter_mut().map(|case| &mut case.1));
    head.push(("discarded", discarded.to_string()));
    head.extend(machine::state(["load after", "noise after"]));
    let links = f64::from(UNROLLED * TURNS);
    let of = |timings: &[Timing]| -> Vec<f64> {
        timings.iter().map(|timing| timing.cycles(&clock) / links).collect()
    };
    let copy = cases.iter().find(|(chain, _)| chain.instruction == "movdqa");
    // Less than a cycle means zero: register renaming eliminates the copy.
    let copy = copy.and_then(|(_, timings)| lanesum_measure::median(&of(timings)));
    let copy = copy.unwrap_or(0.0).round();
    let rows: Vec<Vec<String>> = cases
        .iter()
        .map(|(chain, timings)| {
            let cycles: Vec<f64> =
                of(timings).iter().map(|n| if chain.copied { n - copy } else { *n }).collect();
            let mut row = vec![chain.instruction.to_owned(), chain.operand.to_owned()];
            row.extend(statistics::spread(&cycles, 3));
            row.push(cycles.len().to_string());
            row
        })
        .collect();
    arguments.record.write("latencies", !arguments.trial, &head, COLUMNS, &rows)
}
