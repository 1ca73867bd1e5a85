//! The engine's kernels for one message are what this crate writes.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use heddle_graph::stitch::kernels;

#[test]
fn the_committed_texts_are_those_made_now_and_no_others() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/src/backend/x86/stitched");
    let kernels = kernels();
    for kernel in &kernels {
        let committed = fs::read_to_string(folder.join(kernel.file())).unwrap();
        assert!(
            committed == kernel.text(),
            "{} is not what is made now: run `make generated`",
            kernel.name
        );
    }
    let made: BTreeSet<_> = kernels.iter().map(|kernel| kernel.file()).collect();
    let found: BTreeSet<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".s"))
        .collect();
    assert_eq!(found, made);
}

/// A message must not choose where a kernel goes or what it reads: addresses are
/// of the pointers' registers, and comparisons of those alone.
#[test]
fn no_address_and_no_branch_depends_on_a_message() {
    for kernel in kernels() {
        let mut comparisons = 0;
        for line in kernel.text().lines().filter(|line| !line.starts_with('#')) {
            let (name, operands) = line.split_once(' ').unwrap_or((line, ""));
            if let Some((_, place)) = operands.split_once('[')
                && name != "lea"
            {
                let register = place.split(['+', ']']).next().unwrap();
                let pointers = ["rsp", "rbp", "rsi", "rdi", "r14"];
                assert!(pointers.contains(&register), "{}: {line}", kernel.name);
                // The chaining value is reached by r14 only right after that was fetched.
                assert!(register != "r14" || !name.starts_with('v'), "{}: {line}", kernel.name);
            }
            if name == "cmp" || name == "test" {
                let register = operands.split(',').next().unwrap();
                assert!(
                    ["rsi", "rdi", "rbp", "r14"].contains(&register),
                    "{}: {line}",
                    kernel.name
                );
                comparisons += 1;
            }
            let shifts = ["shl", "shr", "sar", "rol", "ror", "rorx"];
            assert!(
                !shifts.contains(&name) || operands.ends_with(|c: char| c.is_ascii_digit()),
                "{}: {line} shifts by a register",
                kernel.name
            );
        }
        assert!(comparisons > 0, "{} goes on from block to block", kernel.name);
    }
}
