//! The constants of a core from which bounds are computed: the latency of instructions from each of their operands
//! to the result, and the time per instruction when instructions are independent.
//!
//! In a chain through one operand, each instruction takes the latency from that operand, because
//! the other operands are ready earlier. The critical path of a kernel passes through several
//! operands, so one latency per instruction is too coarse a model.
//!
//! Independent instructions saturate the units that execute them, or the dispatch. Copies between registers
//! (`mov`) need no unit, so they take the width of the dispatch.
#![allow(unsafe_code)]

use anyhow::{Result, bail, ensure};
use lanesum_measure::Core;

use crate::clock::{self, Clock, Timing};
use crate::{machine, record, statistics};

/// The number of timings of each series.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    record: record::Arguments,
    /// Number of timings of each series of instructions
    #[arg(long, default_value_t = 2000)]
    rounds: usize,
    /// Make a trial, whose record is not stored with the others
    #[arg(long)]
    trial: bool,
}

/// Iterations of a loop.
const TURNS: u32 = 200;

/// Instructions of a chain per iteration.
const LINKS: u32 = 20;

/// The operand of rows with independent instructions.
const INDEPENDENT: &str = "independent";

/// A loop of one instruction, and the operand that the chain passes through.
struct Series {
    instruction: &'static str,
    operand: &'static str,
    /// The number of these instructions per iteration.
    count: u32,
    /// Each link ends with a register copy, whose latency is in another row.
    copied: bool,
    run: fn(),
}

/// Memory for loads and stores. Its first word is its own address, for a chain of loads.
#[repr(align(64))]
struct Memory([u64; 8]);

/// A function that runs these lines a number of times per iteration of a loop. They may use `r8` to
/// `r15`, `rax`, every vector register, and the memory at `{p}`.
macro_rules! repeated {
    ($times:literal, $($line:expr),+) => {{
        fn run() {
            let mut memory = Memory([0; 8]);
            memory.0[0] = (&raw const memory.0).addr() as u64;
            let address = &raw mut memory.0;
            // SAFETY: the assembly uses the registers that it declares, and accesses only `memory`, of 64
            // bytes; `main` checks that the CPU has the instructions of each series that it runs. A chain
            // of loads only reads its first word, which stays its address.
            unsafe {
                std::arch::asm!(
                    ".irp i,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15",
                    "pxor xmm\\i, xmm\\i",
                    ".endr",
                    "2:",
                    concat!(".rept ", $times),
                    $($line,)+
                    ".endr",
                    "dec {n:e}",
                    "jnz 2b",
                    "/* {p} */",
                    n = inout(reg) TURNS => _,
                    p = inout(reg) address => _,
                    inout("rax") 1u64 => _,
                    out("r8") _, out("r9") _, out("r10") _, out("r11") _,
                    out("r12") _, out("r13") _, out("r14") _, out("r15") _,
                    out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _,
                    out("xmm4") _, out("xmm5") _, out("xmm6") _, out("xmm7") _,
                    out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _,
                    out("xmm12") _, out("xmm13") _, out("xmm14") _, out("xmm15") _,
                    options(nostack),
                );
            }
        }
        run as fn()
    }};
}

/// A chain of these two links, ten times per iteration.
macro_rules! chain {
    ($name:literal, $operand:literal, $($line:expr),+) => {
        Series {
            instruction: $name,
            operand: $operand,
            count: LINKS,
            copied: false,
            run: repeated!("10", $($line),+),
        }
    };
}

/// Chains of an instruction with two operands: through the first, which it writes, and through
/// the second, where the first is reloaded in each link, and two registers alternate.
macro_rules! both {
    ($name:literal, $first:literal, $second:literal, $end:literal) => {
        [
            chain!(
                $name,
                $first,
                concat!($name, " xmm1, xmm3", $end),
                concat!($name, " xmm1, xmm3", $end)
            ),
            chain!(
                $name,
                $second,
                "movdqa xmm1, xmm3",
                concat!($name, " xmm1, xmm2", $end),
                "movdqa xmm2, xmm3",
                concat!($name, " xmm2, xmm1", $end)
            ),
        ]
    };
}

/// The chains of an instruction with two operands in general registers.
macro_rules! general {
    ($name:literal) => {
        [
            chain!($name, "first", concat!($name, " r8, rax"), concat!($name, " r8, rax")),
            chain!(
                $name,
                "second",
                "mov r8, rax",
                concat!($name, " r8, r9"),
                "mov r9, rax",
                concat!($name, " r9, r8")
            ),
        ]
    };
}

/// Independent instructions, each in eight general registers (`\\r`) or in fourteen vector registers (`\\i`).
macro_rules! independent {
    ($name:literal, general, $line:literal) => {
        independent!(
            $name,
            200,
            repeated!("25", ".irp r,r8,r9,r10,r11,r12,r13,r14,r15", $line, ".endr")
        )
    };
    ($name:literal, vector, $line:literal) => {
        independent!(
            $name,
            196,
            repeated!("14", ".irp i,1,2,3,4,5,6,7,8,9,10,11,12,13,14", $line, ".endr")
        )
    };
    ($name:literal, $count:literal, $run:expr) => {
        Series { instruction: $name, operand: INDEPENDENT, count: $count, copied: false, run: $run }
    };
}

/// Two independent instructions that alternate. They take as long as both together if they use the same units, and as
/// long as the slower one if they use different ones.
macro_rules! pair {
    ($name:literal, vector, $first:literal, $second:literal) => {
        independent!(
            $name,
            196,
            repeated!("7", ".irp i,1,2,3,4,5,6,7,8,9,10,11,12,13,14", $first, $second, ".endr")
        )
    };
    ($name:literal, general, $first:literal, $second:literal) => {
        independent!(
            $name,
            208,
            repeated!("13", ".irp r,r8,r9,r10,r11,r12,r13,r14,r15", $first, $second, ".endr")
        )
    };
}

/// The series of instructions of baseline x86-64, BMI2 and SSSE3.
fn common() -> Vec<Series> {
    let mut series = Vec::new();
    series.extend(general!("add"));
    series.extend(general!("xor"));
    series.extend([
        chain!("lea", "base", "lea r8, [r8 + rax]", "lea r8, [r8 + rax]"),
        chain!("lea", "index", "lea r8, [rax + r8]", "lea r8, [rax + r8]"),
        chain!("lea of three", "base", "lea r8, [r8 + rax + 1]", "lea r8, [r8 + rax + 1]"),
        chain!("rorx", "second", "rorx r8, r8, 7", "rorx r8, r8, 7"),
        chain!("shr", "first", "shr r8, 7", "shr r8, 7"),
        chain!("bswap", "first", "bswap r8", "bswap r8"),
        chain!("mov", "second", "mov r8, r9", "mov r9, r8"),
        chain!("mov load", "address", "mov {p}, [{p}]", "mov {p}, [{p}]"),
        chain!("mov forward", "second", "mov [{p}], r8", "mov r8, [{p}]"),
        independent!("add", general, "add \\r, rax"),
        independent!("xor", general, "xor \\r, rax"),
        independent!("lea", general, "lea \\r, [\\r + rax]"),
        independent!("rorx", general, "rorx \\r, rax, 7"),
        independent!("shr", general, "shr \\r, 7"),
        independent!("bswap", general, "bswap \\r"),
        independent!("mov", general, "mov \\r, rax"),
        independent!("mov load", general, "mov \\r, [{p}]"),
        independent!("mov store", general, "mov [{p}], \\r"),
    ]);
    series.extend(both!("paddd", "first", "second", ""));
    series.extend(both!("pxor", "first", "second", ""));
    series.extend(both!("punpckldq", "first", "second", ""));
    series.extend([
        chain!("pslld", "first", "pslld xmm1, 7", "pslld xmm1, 7"),
        chain!("pshufb", "first", "pshufb xmm1, xmm3", "pshufb xmm1, xmm3"),
        chain!("movdqa", "second", "movdqa xmm1, xmm2", "movdqa xmm2, xmm1"),
        chain!("movdqa forward", "second", "movdqa [{p}], xmm1", "movdqa xmm1, [{p}]"),
        independent!("paddd", vector, "paddd xmm\\i, xmm15"),
        independent!("pxor", vector, "pxor xmm\\i, xmm15"),
        independent!("punpckldq", vector, "punpckldq xmm\\i, xmm15"),
        independent!("pslld", vector, "pslld xmm\\i, 7"),
        independent!("pshufb", vector, "pshufb xmm\\i, xmm15"),
        independent!("movdqa", vector, "movdqa xmm\\i, xmm15"),
        independent!("movdqa load", vector, "movdqa xmm\\i, [{p}]"),
        independent!("movdqa store", vector, "movdqa [{p}], xmm\\i"),
        pair!("add + rorx", general, "add \\r, rax", "rorx \\r, rax, 7"),
        pair!("mov load + mov store", general, "mov \\r, [{p}]", "mov [{p} + 8], rax"),
        pair!("paddd + pslld", vector, "paddd xmm\\i, xmm15", "pslld xmm\\i, 7"),
        pair!("pslld + pshufb", vector, "pslld xmm\\i, 7", "pshufb xmm\\i, xmm15"),
        pair!("pslld + punpckldq", vector, "pslld xmm\\i, 7", "punpckldq xmm\\i, xmm15"),
        pair!("pshufb + punpckldq", vector, "pshufb xmm\\i, xmm15", "punpckldq xmm\\i, xmm15"),
        pair!("movdqa load + paddd", vector, "movdqa xmm0, [{p}]", "paddd xmm\\i, xmm15"),
    ]);
    series
}

/// The series of the SHA instructions.
fn sha() -> Vec<Series> {
    let mut series = Vec::new();
    series.extend(both!("sha1rnds4", "abcd", "e+w", ", 0"));
    series.extend(both!("sha1nexte", "abcd", "w", ""));
    series.extend(both!("sha1msg1", "first", "second", ""));
    series.extend(both!("sha1msg2", "first", "second", ""));
    // The third operand of sha256rnds2 is always xmm0.
    series.extend(both!("sha256rnds2", "cdgh", "abef", ", xmm0"));
    let copied = chain!(
        "sha256rnds2",
        "wk",
        "movdqa xmm1, xmm3",
        "sha256rnds2 xmm1, xmm3, xmm0",
        "movdqa xmm0, xmm1",
        "movdqa xmm2, xmm3",
        "sha256rnds2 xmm2, xmm3, xmm0",
        "movdqa xmm0, xmm2"
    );
    series.push(Series { copied: true, ..copied });
    series.extend(both!("sha256msg1", "first", "second", ""));
    series.extend(both!("sha256msg2", "first", "second", ""));
    series.extend([
        // The rounds of a kernel without the schedule: the chain through all operands.
        chain!(
            "sha1rnds4",
            "rounds",
            "sha1nexte xmm1, xmm3",
            "movdqa xmm2, xmm0",
            "sha1rnds4 xmm0, xmm1, 0",
            "sha1nexte xmm2, xmm3",
            "movdqa xmm1, xmm0",
            "sha1rnds4 xmm0, xmm2, 0"
        ),
        chain!(
            "sha256rnds2",
            "rounds",
            "sha256rnds2 xmm1, xmm2, xmm0",
            "sha256rnds2 xmm2, xmm1, xmm0"
        ),
        independent!("sha1rnds4", vector, "sha1rnds4 xmm\\i, xmm15, 0"),
        independent!("sha1nexte", vector, "sha1nexte xmm\\i, xmm15"),
        independent!("sha1msg1", vector, "sha1msg1 xmm\\i, xmm15"),
        independent!("sha1msg2", vector, "sha1msg2 xmm\\i, xmm15"),
        independent!("sha256rnds2", vector, "sha256rnds2 xmm\\i, xmm15, xmm0"),
        independent!("sha256msg1", vector, "sha256msg1 xmm\\i, xmm15"),
        independent!("sha256msg2", vector, "sha256msg2 xmm\\i, xmm15"),
        pair!(
            "sha1rnds4 + sha1msg2",
            vector,
            "sha1rnds4 xmm\\i, xmm15, 0",
            "sha1msg2 xmm\\i, xmm15"
        ),
        pair!("sha1rnds4 + paddd", vector, "sha1rnds4 xmm\\i, xmm15, 0", "paddd xmm\\i, xmm15"),
        pair!("sha1nexte + sha1msg1", vector, "sha1nexte xmm\\i, xmm15", "sha1msg1 xmm\\i, xmm15"),
        pair!(
            "sha256rnds2 + sha256msg2",
            vector,
            "sha256rnds2 xmm\\i, xmm15, xmm0",
            "sha256msg2 xmm\\i, xmm15"
        ),
        pair!(
            "sha256rnds2 + paddd",
            vector,
            "sha256rnds2 xmm\\i, xmm15, xmm0",
            "paddd xmm\\i, xmm15"
        ),
        pair!("sha256msg2 + paddd", vector, "sha256msg2 xmm\\i, xmm15", "paddd xmm\\i, xmm15"),
        pair!("sha256msg1 + pslld", vector, "sha256msg1 xmm\\i, xmm15", "pslld xmm\\i, 7"),
    ]);
    series
}

/// The series of AVX2's registers.
fn avx2() -> Vec<Series> {
    vec![
        independent!("vpaddd ymm", vector, "vpaddd ymm\\i, ymm\\i, ymm15"),
        independent!("vpslld ymm", vector, "vpslld ymm\\i, ymm\\i, 7"),
        independent!("vpunpckldq ymm", vector, "vpunpckldq ymm\\i, ymm\\i, ymm15"),
        independent!("vmovdqa load ymm", vector, "vmovdqa ymm\\i, [{p}]"),
        independent!("vmovdqa store ymm", vector, "vmovdqa [{p}], ymm\\i"),
        pair!(
            "vpaddd + vpslld ymm",
            vector,
            "vpaddd ymm\\i, ymm\\i, ymm15",
            "vpslld ymm\\i, ymm\\i, 7"
        ),
    ]
}

/// The series of AVX-512 (with VL).
fn avx512() -> Vec<Series> {
    vec![
        chain!(
            "vpternlogd",
            "first",
            "vpternlogd xmm1, xmm3, xmm3, 0x96",
            "vpternlogd xmm1, xmm3, xmm3, 0x96"
        ),
        chain!(
            "vpternlogd",
            "second",
            "movdqa xmm1, xmm3",
            "vpternlogd xmm1, xmm2, xmm3, 0x96",
            "movdqa xmm2, xmm3",
            "vpternlogd xmm2, xmm1, xmm3, 0x96"
        ),
        chain!("vprold", "second", "vprold xmm1, xmm1, 7", "vprold xmm1, xmm1, 7"),
        independent!("vpternlogd", vector, "vpternlogd xmm\\i, xmm\\i, xmm15, 0x96"),
        independent!("vprold", vector, "vprold xmm\\i, xmm\\i, 7"),
        independent!("vpaddd zmm", vector, "vpaddd zmm\\i, zmm\\i, zmm15"),
        independent!("vpternlogd zmm", vector, "vpternlogd zmm\\i, zmm\\i, zmm15, 0x96"),
        independent!("vprold zmm", vector, "vprold zmm\\i, zmm\\i, 7"),
        independent!("vmovdqa64 load zmm", vector, "vmovdqa64 zmm\\i, [{p}]"),
        independent!("vmovdqa64 store zmm", vector, "vmovdqa64 [{p}], zmm\\i"),
        independent!("vpshufb zmm", vector, "vpshufb zmm\\i, zmm\\i, zmm15"),
        pair!("vprold + pshufb", vector, "vprold xmm\\i, xmm\\i, 7", "pshufb xmm\\i, xmm15"),
        pair!(
            "vprold + vpternlogd",
            vector,
            "vprold xmm\\i, xmm\\i, 7",
            "vpternlogd xmm\\i, xmm\\i, xmm15, 0x96"
        ),
        pair!(
            "vpaddd + vprold zmm",
            vector,
            "vpaddd zmm\\i, zmm\\i, zmm15",
            "vprold zmm\\i, zmm\\i, 7"
        ),
        pair!(
            "vpaddd + vpternlogd zmm",
            vector,
            "vpaddd zmm\\i, zmm\\i, zmm15",
            "vpternlogd zmm\\i, zmm\\i, zmm15, 0x96"
        ),
    ]
}

/// The series that this CPU can run.
fn all() -> Result<Vec<Series>> {
    ensure!(
        is_x86_feature_detected!("bmi2") && is_x86_feature_detected!("ssse3"),
        "this CPU lacks BMI2 or SSSE3"
    );
    let mut all = common();
    if is_x86_feature_detected!("sha") {
        all.extend(sha());
    }
    if is_x86_feature_detected!("avx2") {
        all.extend(avx2());
    }
    if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl") {
        all.extend(avx512());
    }
    Ok(all)
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

/// Clears the upper halves of vector registers, on which instructions of SSE would otherwise depend.
fn clean() {
    if is_x86_feature_detected!("avx") {
        // SAFETY: the CPU has AVX; the upper halves are clobbered, as in a call.
        unsafe { std::arch::asm!("vzeroupper", options(nomem, nostack), clobber_abi("C")) };
    }
}

/// The share of the usual width below which another thread shares the core.
const UNDISTURBED: f64 = 0.85;

pub(crate) fn main(arguments: &Arguments) -> Result<()> {
    ensure!(arguments.rounds > 0, "at least one round is required");
    machine::stay();
    let mut head = machine::head();
    let clock = Clock::new();
    let mut cases: Vec<(Series, Vec<Timing>)> =
        all()?.into_iter().map(|series| (series, Vec::new())).collect();
    for _ in 0..arguments.rounds {
        for (series, timings) in &mut cases {
            clean();
            timings.push(clock.time(series.run));
        }
    }
    let core = machine::core();
    let discarded = clock::sift(&core, cases.iter_mut().map(|case| &mut case.1));
    head.push(("discarded", discarded.to_string()));
    head.extend(machine::state(["load after", "noise after"]));
    // A busy sibling thread takes about half of the width, and also of the units.
    let width =
        clock::top_tenth(cases.iter().flat_map(|case| &case.1).map(Timing::width).collect());
    let undisturbed = UNDISTURBED * width;
    head.push(("undisturbed", format!("samples with at least {undisturbed:.2} moves per cycle")));
    let of = |series: &Series, timings: &[Timing]| -> Vec<f64> {
        let instructions = f64::from(series.count * TURNS);
        let quiet = timings.iter().filter(|timing| timing.width() >= undisturbed);
        quiet.map(|timing| timing.cycles(&clock) / instructions).collect()
    };
    let copy = cases
        .iter()
        .find(|(series, _)| (series.instruction, series.operand) == ("movdqa", "second"));
    // Less than a cycle means zero: register renaming eliminates the copy.
    let copy = copy.and_then(|(series, timings)| lanesum_measure::median(&of(series, timings)));
    let copy = copy.unwrap_or(0.0).round();
    let mut rows = Vec::new();
    for (series, timings) in &cases {
        let mut cycles = of(series, timings);
        if series.copied {
            cycles.iter_mut().for_each(|n| *n -= copy);
        }
        plausible(series.instruction, series.operand, &cycles, &core)?;
        let mut row = vec![series.instruction.to_owned(), series.operand.to_owned()];
        row.extend(statistics::spread(&cycles, 3));
        row.push(cycles.len().to_string());
        rows.push(row);
    }
    arguments.record.write("latencies", !arguments.trial, &head, COLUMNS, &rows)
}

/// Tolerance of a measured time per instruction.
const TOLERANCE: f64 = 0.95;

/// Rejects a series whose median no core of this width can have: every instruction occupies a slot of
/// the dispatch.
fn plausible(instruction: &str, operand: &str, cycles: &[f64], core: &Core) -> Result<()> {
    let Some(median) = lanesum_measure::median(cycles) else {
        bail!("no undisturbed sample of {instruction} ({operand})");
    };
    let least = core.width.map_or(0.0, |width| TOLERANCE / width);
    ensure!(
        median > least,
        "{instruction} ({operand}) takes {median:.3} cycles, though this core starts at most {} instructions \
         per cycle",
        core.width.unwrap_or(f64::INFINITY)
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_that_no_core_can_run_is_rejected() {
        let core = Core { width: Some(6.0), ..Core::default() };
        assert!(plausible("mov", INDEPENDENT, &[0.17; 9], &core).is_ok());
        let error = plausible("add", INDEPENDENT, &[0.15; 9], &core).unwrap_err().to_string();
        assert_eq!(
            error,
            "add (independent) takes 0.150 cycles, though this core starts at most 6 instructions per cycle"
        );
        let error = plausible("add", "first", &[], &core).unwrap_err().to_string();
        assert_eq!(error, "no undisturbed sample of add (first)");
    }

    #[test]
    fn every_series_runs_and_is_named_once() {
        let all = all().unwrap();
        for (i, series) in all.iter().enumerate() {
            (series.run)();
            let same = |other: &Series| {
                (other.instruction, other.operand) == (series.instruction, series.operand)
            };
            assert!(!all[..i].iter().any(same), "{} {}", series.instruction, series.operand);
        }
    }
}
