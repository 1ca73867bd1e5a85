//! `lanesum list`: the algorithms and kernels that exist, and those that would be used here.

use std::io::Write;

use lanesum::{Algorithm, Kernel, Policy};
use lanesum_manifest::{Checksum, Foreign};

use crate::Verdict;
use crate::say::say;

/// Messages at once from which on lanes are as full as they get.
const MANY: usize = 32;

/// The algorithms, each with the kernel that it would run on; or `all`: those with their other
/// names, and every kernel with what it is used for.
pub(crate) fn text(all: bool) -> Result<Vec<u8>, Verdict> {
    let policy = Policy::from_env().map_err(|error| {
        say(format_args!("LANESUM_KERNEL: {error}"));
        Verdict::Usage
    })?;
    let mut text = Vec::new();
    // Writing to memory does not fail.
    let _ = if all {
        algorithms(&policy, true, &mut text).and_then(|()| kernels(&policy, &mut text))
    } else {
        algorithms(&policy, false, &mut text).and_then(|()| {
            let here = Kernel::all().count();
            let kernels = Kernel::table().count();
            writeln!(
                text,
                "\n'one' is for one message at hand, 'many' for {MANY}; this CPU can run {here} of {kernels} kernels.\n\
                 'lanesum list --all' shows them, and the algorithms' other names."
            )
        })
    };
    Ok(text)
}

fn algorithms(policy: &Policy, all: bool, out: &mut Vec<u8>) -> std::io::Result<()> {
    let last = if all { "other names" } else { "" };
    line(out, &format!("{:<12} {:>4}  {:<14} {:<14} {last}", "algorithm", "bits", "one", "many"))?;
    for algorithm in Algorithm::all() {
        let engine = policy.engine(algorithm).ok();
        let chosen = |live| engine.as_ref().map_or("-", |engine| engine.kernel(live).name());
        let mut last = if all { algorithm.aliases().join(", ") } else { String::new() };
        if algorithm.is_compatibility_only() {
            last += if last.is_empty() { "" } else { " " };
            last += "(broken: for compatibility only)";
        }
        let text = format!(
            "{:<12} {:>4}  {:<14} {:<14} {last}",
            algorithm.name(),
            algorithm.digest_len() * 8,
            chosen(1),
            chosen(MANY),
        );
        line(out, &text)?;
    }
    writeln!(out, "sha512/t     for every other t in whole bytes, such as sha512/192")?;
    writeln!(
        out,
        "\nComputed by other libraries, one file at a time, for 'sum', 'check' and 'diff':"
    )?;
    for foreign in Foreign::ALL.map(Checksum::Foreign) {
        let names = if all { foreign.aliases().join(", ") } else { String::new() };
        let (name, bits) = (foreign.name(), foreign.digest_len() * 8);
        line(out, &format!("{name:<12} {bits:>4}  {:<29} {names}", ""))?;
    }
    Ok(())
}

/// A line that ends where its text does.
fn line(out: &mut Vec<u8>, text: &str) -> std::io::Result<()> {
    writeln!(out, "{}", text.trim_end())
}

fn kernels(policy: &Policy, out: &mut Vec<u8>) -> std::io::Result<()> {
    writeln!(out, "\n{:<14} {:>5}  use", "kernel", "lanes")?;
    for kernel in Kernel::table() {
        match kernel {
            Err(name) => writeln!(out, "{name:<14} {:>5}  this CPU cannot run it", "")?,
            Ok(kernel) => {
                writeln!(
                    out,
                    "{:<14} {:>5}  {}",
                    kernel.name(),
                    kernel.lanes(),
                    role(policy, kernel)
                )?;
            }
        }
    }
    writeln!(
        out,
        "\nFor each number of messages at hand, those kernels are used that together take the\n\
         fewest cycles a block by the table of costs. A kernel that gives a wrong answer when\n\
         first tried is not used. LANESUM_KERNEL names one kernel, or a tier ({}) as\n\
         a cap, or with '-' before it to leave it out.",
        lanesum::Tier::ALL.map(lanesum::Tier::name).join(", ")
    )
}

/// What a kernel that can run here is used for, or why it is not.
fn role(policy: &Policy, kernel: Kernel) -> String {
    let named = |test: &dyn Fn(Algorithm) -> bool| {
        let mut names: Vec<&str> = Vec::new();
        for algorithm in Algorithm::all().filter(|&algorithm| test(algorithm)) {
            names.push(algorithm.name());
        }
        names.join(", ")
    };
    let is_allowed =
        |algorithm: Algorithm| policy.kernels(algorithm).any(|allowed| allowed == kernel);
    let chosen = named(&|algorithm| {
        let engine = policy.engine(algorithm);
        engine.is_ok_and(|engine| (1..=MANY).any(|live| engine.kernel(live) == kernel))
    });
    if !chosen.is_empty() {
        return format!("chosen: {chosen}");
    }
    let able = named(&|algorithm| kernel.supports(algorithm));
    match named(&is_allowed).as_str() {
        "" => format!("left out (could do {able})"),
        allowed => format!("another is cheaper: {allowed}"),
    }
}
