//! `lanesum list`: lists the algorithms and the kernels that this CPU uses for them.

use std::io::Write;

use lanesum::unstable::why_absent;
use lanesum::{Algorithm, Kernel, Policy, Tier};
use lanesum_manifest::{Checksum, Foreign};
use serde_json::{Value, json};

use crate::args::List;
use crate::{Reported, refuse_environment};

/// Number of messages that fills every lane of the widest kernel.
const WIDEST_LANES: usize = 32;

/// Formats the algorithms with their kernels; with `--all` also their aliases and every kernel,
/// with `--json` as an object.
pub(crate) fn text(args: &List) -> Result<Vec<u8>, Reported> {
    let policy = Policy::from_env().map_err(|error| refuse_environment(&error))?;
    let mut text = Vec::new();
    // Writing to memory cannot fail.
    let _ = if args.json {
        writeln!(text, "{:#}", object(&policy))
    } else if args.all {
        algorithms(&policy, true, &mut text).and_then(|()| kernels(&policy, &mut text))
    } else {
        algorithms(&policy, false, &mut text).and_then(|()| {
            let here = Kernel::all().count();
            let kernels = Kernel::table().count();
            writeln!(
                text,
                "\n'one' hashes a single message, 'many' {WIDEST_LANES} at once; this CPU runs {here} of {kernels} kernels.\n\
                 'lanesum list --all' lists them, and the aliases of the algorithms."
            )
        })
    };
    Ok(text)
}

fn algorithms(policy: &Policy, all: bool, out: &mut Vec<u8>) -> std::io::Result<()> {
    let last = if all { "aliases" } else { "" };
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
            chosen(WIDEST_LANES),
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

/// Formats the algorithms, kernels and tiers as JSON. Later versions may add fields.
fn object(policy: &Policy) -> Value {
    let algorithms = Algorithm::all().map(|algorithm| {
        let engine = policy.engine(algorithm).ok();
        let kernel = |live| engine.as_ref().map(|engine| engine.kernel(live).name());
        json!({
            "name": algorithm.name(),
            "bits": algorithm.digest_len() * 8,
            "aliases": algorithm.aliases(),
            "broken": algorithm.is_compatibility_only(),
            "one": kernel(1),
            "many": kernel(WIDEST_LANES),
        })
    });
    let kernels = Kernel::table().map(|kernel| {
        let Ok(kernel) = kernel else {
            return json!({ "name": kernel.err(), "runs": false });
        };
        let names = |test: &dyn Fn(Algorithm) -> bool| -> Vec<_> {
            Algorithm::all().filter(|&a| test(a)).map(Algorithm::name).collect()
        };
        json!({
            "name": kernel.name(),
            "runs": true,
            "lanes": kernel.lanes(),
            "tier": kernel.tier().name(),
            "algorithms": names(&|algorithm| kernel.supports(algorithm)),
            "chosen": names(&|algorithm| is_chosen(policy, algorithm, kernel)),
        })
    });
    let tiers = Tier::ALL.map(|tier| {
        let runs = Kernel::all().any(|kernel| kernel.tier() == tier);
        json!({ "name": tier.name(), "runs": runs })
    });
    json!({
        "algorithms": algorithms.collect::<Vec<_>>(),
        "kernels": kernels.collect::<Vec<_>>(),
        "tiers": tiers,
    })
}

/// Whether the policy uses a kernel for any number of messages.
fn is_chosen(policy: &Policy, algorithm: Algorithm, kernel: Kernel) -> bool {
    let engine = policy.engine(algorithm);
    engine.is_ok_and(|engine| (1..=WIDEST_LANES).any(|live| engine.kernel(live) == kernel))
}

/// Writes a line without trailing spaces.
fn line(out: &mut Vec<u8>, text: &str) -> std::io::Result<()> {
    writeln!(out, "{}", text.trim_end())
}

fn kernels(policy: &Policy, out: &mut Vec<u8>) -> std::io::Result<()> {
    writeln!(out, "\n{:<14} {:>5}  use", "kernel", "lanes")?;
    for kernel in Kernel::table() {
        match kernel {
            Err(name) => writeln!(out, "{name:<14} {:>5}  {}", "", why_absent(name))?,
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
        "\nFor each number of messages, the combination of kernels with the fewest cycles per\n\
         block is used, by a table of measured costs or by the file LANESUM_COSTS. A kernel\n\
         that fails its known-answer test is never used. LANESUM_KERNEL selects a kernel by\n\
         name, or caps the tier ({});\n\
         '-' before a tier excludes it.",
        Tier::ALL.map(Tier::name).join(", ")
    )
}

/// Formats the algorithms for which a kernel is used, or the reason why it is not used.
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
    let chosen = named(&|algorithm| is_chosen(policy, algorithm, kernel));
    if !chosen.is_empty() {
        return format!("chosen: {chosen}");
    }
    let able = named(&|algorithm| kernel.supports(algorithm));
    match named(&is_allowed).as_str() {
        "" => format!("excluded (supports {able})"),
        allowed => format!("not used, because another kernel is faster: {allowed}"),
    }
}
