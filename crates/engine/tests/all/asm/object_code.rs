//! Counts the instructions of kernels in the object code.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use crate::asm::specification::Counts;

/// The instructions of one kernel, by their effect. Only this module knows instruction names. The
/// instructions and the register width that a kernel uses are detected, not configured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) adds: u64,
    pub(crate) subs: u64,
    pub(crate) rotations: u64,
    pub(crate) right_shifts: u64,
    pub(crate) left_shifts: u64,
    pub(crate) logic: u64,
    pub(crate) ternary: u64,
    /// Shifts within half-words, which swap bytes on CPUs without a byte shuffle. Each is paired
    /// with an `or`.
    pub(crate) byte_swaps: u64,
    pub(crate) shuffles: u64,
    pub(crate) moves: u64,
    pub(crate) calls: u64,
    pub(crate) branches: u64,
    /// Shifts and rotations by a count that is not an immediate.
    pub(crate) variable: u64,
    pub(crate) register_bits: u64,
}

/// Counts the instructions of a kernel, unless it adds no vectors: it only calls assembly.
pub(crate) fn look(code: &[String], word_bits: u32) -> Option<Found> {
    let w = if word_bits == 64 { "q" } else { "d" };
    let register = ["%zmm", "%ymm", "%xmm"];
    let is_add = |line: &&String| {
        let (name, _) = line.split_once(' ').unwrap_or((line, ""));
        name.trim_start_matches('v') == format!("padd{w}")
    };
    let width = (0..3).find(|&i| code.iter().filter(is_add).any(|line| line.contains(register[i])));
    let width = width?;
    let mut found = Found { register_bits: 512 >> width, ..Found::default() };

    for line in code {
        let (name, operands) = line.split_once(' ').unwrap_or((line, ""));
        let operands = operands.split('#').next().unwrap_or_default().trim();
        if name.starts_with("call") {
            found.calls += 1;
        } else if name.starts_with('j') && name != "jmp" {
            found.branches += 1;
        }
        if !operands.contains(register[width]) {
            continue;
        }
        let name = name.strip_prefix('v').unwrap_or(name);
        let immediate = operands.starts_with('$');
        let registers: Vec<&str> =
            operands.split(',').map(str::trim).filter(|o| !o.starts_with('$')).collect();
        // An operation on a register and itself produces a constant: zero or all ones.
        let constant = registers.iter().all(|register| *register == registers[0]);
        let is = |stem: &str| name.strip_prefix(stem) == Some(w);
        let logic = ["and", "andn", "or", "xor"].iter().any(|stem| {
            let bits = |name: &str| matches!(name, "" | "d" | "q" | "ps" | "pd");
            name.strip_prefix('p').unwrap_or(name).strip_prefix(stem).is_some_and(bits)
        });
        match name {
            _ if is("padd") => found.adds += 1,
            _ if is("psub") => found.subs += 1,
            _ if (is("prol") || is("pror")) && immediate => found.rotations += 1,
            _ if is("psrl") && immediate => found.right_shifts += 1,
            _ if is("psll") && immediate => found.left_shifts += 1,
            "psllw" => found.byte_swaps += 1,
            "psrlw" => {}
            _ if ["prol", "pror", "psrl", "psll"].iter().any(|stem| name.starts_with(stem)) => {
                found.variable += 1;
            }
            _ if name.starts_with("pternlog") && !constant => found.ternary += 1,
            _ if logic && !constant => found.logic += 1,
            _ if name.starts_with("mov") => found.moves += 1,
            _ if ["punpck", "unpck", "pshuf", "shuf", "perm", "insert", "pblend", "pperm"]
                .iter()
                .any(|stem| name.starts_with(stem)) =>
            {
                found.shuffles += 1;
            }
            _ => {}
        }
    }
    found.logic -= found.byte_swaps;
    Some(found)
}

/// Returns the differences between the actual and the expected counts, if there are any.
///
/// Accepts three equivalent replacements that a compiler may make: an addition for a left shift by
/// one, a shuffle for a rotation by whole bytes, and a complement merged with an adjacent
/// operation.
pub(crate) fn difference(found: &Found, e: &Counts, looped: bool, ternary: bool) -> Option<String> {
    let mut differences = Vec::new();
    let mut same = |what: &str, found: u64, expected: u64| {
        if found != expected {
            differences.push(format!("{what} {found}, expected {expected}"));
        }
    };
    same("subtractions", found.subs, e.subs);
    if ternary {
        same("additions", found.adds, e.adds);
        same("rotations", found.rotations, e.rotations);
        same("right shifts", found.right_shifts, e.shifts);
        same("left shifts", found.left_shifts, 0);
        // x ∨ ¬y and the operation on its result are one ternary instruction.
        let folded = if e.nots > 0 { e.ands } else { 0 };
        same("logic", found.logic + found.ternary, e.ternary + e.ands + e.xors - folded);
    } else {
        let doubled = found.adds.saturating_sub(e.adds);
        same("additions", found.adds, e.adds + if doubled > 0 { e.left_by_one } else { 0 });
        let shifted = (found.right_shifts + e.by_bytes).saturating_sub(e.shifts);
        let shuffled = if shifted == e.rotations { e.by_bytes } else { 0 };
        same("right shifts", found.right_shifts, e.rotations - shuffled + e.shifts);
        same("left shifts", found.left_shifts + doubled, e.rotations - shuffled);
        same("rotations", found.rotations, 0);
        let logic = e.ands + e.xors + e.nots + e.rotations - shuffled;
        same("logic", found.logic, found.logic.clamp(logic - e.nots, logic));
    }
    same("calls", found.calls, 0);
    same("variable shifts", found.variable, 0);
    // Branches for zero blocks, for the next block, and for the next sixteen rounds.
    same("branches", found.branches, found.branches.min(2 + u64::from(looped)));
    (!differences.is_empty()).then(|| differences.join(", "))
}

/// Returns the instructions of every kernel, with `AT&T` operands, by kernel name and family.
pub(crate) fn kernels(library: &Path) -> BTreeMap<(String, String), Vec<String>> {
    let output = Command::new("objdump")
        .args(["--disassemble", "--no-show-raw-insn", "--demangle", "--wide"])
        .arg(library)
        .output()
        .unwrap_or_else(|error| {
            panic!("cannot run objdump ({error}): install binutils (`cargo xtask tools` does)")
        });
    let text = String::from_utf8_lossy(&output.stdout);

    let mut kernels: BTreeMap<_, Vec<String>> = BTreeMap::new();
    let mut current = None;
    for line in text.lines() {
        if let Some(symbol) = line.strip_suffix(">:").and_then(|line| line.split_once('<')) {
            // lanesum::kernel::<arch>::<isa>::<kernel>::<family>::compress, perhaps ::h<hash>
            let path: Vec<&str> = symbol.1.split("::").collect();
            let hash = |part: &str| part.len() == 17 && part.starts_with('h');
            let path = &path[..path.len() - usize::from(path.last().is_some_and(|p| hash(p)))];
            current = match path {
                ["lanesum", "kernel", .., kernel, family, "compress"] => {
                    Some(((*kernel).to_owned(), (*family).to_owned()))
                }
                _ => None,
            };
        } else if let Some(kernel) = &current
            && let Some((address, instruction)) = line.split_once(":\t")
            && address.trim().chars().all(|c| c.is_ascii_hexdigit())
        {
            let words: Vec<&str> = instruction.split_whitespace().collect();
            kernels.entry(kernel.clone()).or_default().push(words.join(" "));
        }
    }
    kernels
}
