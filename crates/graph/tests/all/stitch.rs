//! The engine's kernels for one message are what this crate writes, and proven.

use crate::common::{blocks, random};

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use lanesum_graph::prove::text::{Text, TextError};
use lanesum_graph::stitch::{Isa, Kernel, Order, kernels, variants};
use lanesum_graph::trace::{Blame, departed_round};
use lanesum_spec::Family;

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
    let made: BTreeSet<_> = kernels.iter().map(Kernel::file).collect();
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
                let rest = place.split(']').next().unwrap().split('+').skip(1);
                for part in rest {
                    let is_number = part.bytes().all(|b| b.is_ascii_digit());
                    assert!(is_number, "{}: {line} has an index", kernel.name);
                }
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

fn read(kernel: &Kernel, text: &str) -> Result<Text, TextError> {
    Text::stitched(kernel.family, kernel.isa, Order::Big, text)
}

/// Whatever the order of bytes and the distance of the schedule.
#[test]
fn every_form_that_is_measured_computes_the_specification() {
    let mut seen = 0;
    for variant in variants() {
        let Some(order) = variant.order else { continue };
        let name = format!("{:?} {} {}", variant.family, variant.isa.1, variant.form);
        let text = Text::stitched(variant.family, variant.isa.0, order, &variant.text).unwrap();
        text.refute().unwrap_or_else(|fault| panic!("{name}: {fault}"));
        seen += 1;
    }
    assert!(seen > 3 * 25, "{seen} forms");
}

#[test]
fn every_text_is_proven_for_every_number_of_blocks() {
    for kernel in kernels() {
        let proven = read(&kernel, &kernel.text()).and_then(|text| text.prove());
        proven.unwrap_or_else(|fault| panic!("{}: {fault}", kernel.name));
    }
}

/// The round that a scalar addition of W + K is for, in texts that hold one block: rounds
/// follow each other, those of SHA-2 but the last sixteen in a loop.
fn with_a_fault(kernel: &Kernel, t: usize, rounds: usize) -> String {
    let whole = kernel.text();
    let mut lines: Vec<&str> = whole.lines().collect();
    let sums: Vec<usize> = (0..lines.len())
        .filter(|&i| lines[i].starts_with("add ") && lines[i].contains("[rsp+"))
        .collect();
    let (first, at) = (rounds - sums.len(), t);
    let at = sums[if kernel.family == Family::Sha1 { at } else { at - first }];
    lines.insert(at, lines[at]);
    lines.join("\n")
}

#[test]
fn a_fault_in_a_round_is_found_and_the_round_named() {
    let one_block = [Isa::Sse2, Isa::Ssse3, Isa::Avx];
    for kernel in kernels().into_iter().filter(|kernel| one_block.contains(&kernel.isa)) {
        let (family, rounds) =
            (kernel.family, if kernel.family == Family::Sha256 { 64 } else { 80 });
        let mut seed = 3;
        let block = blocks(family.word_bits(), &mut seed)[1];
        let mask = u64::MAX >> (64 - family.word_bits());
        let state: Vec<u64> = (0..family.state_words()).map(|_| random(&mut seed) & mask).collect();
        let all = [0, 7, 19, 20, 41, 63];
        let those = all.into_iter().filter(|_| family == Family::Sha1).chain([
            rounds - 16,
            rounds - 5,
            rounds - 1,
        ]);
        for t in those {
            let text = with_a_fault(&kernel, t, rounds);
            let faulty = read(&kernel, &text).unwrap();
            let result = faulty.run(&state, &block).unwrap();
            let blame = departed_round(family, &state, &block, &result);
            assert_eq!(blame, Some(Blame::Round(t)), "{}, round {t}", kernel.name);
            assert!(faulty.prove().is_err());
        }
        let sound = read(&kernel, &kernel.text()).unwrap();
        let result = sound.run(&state, &block).unwrap();
        assert_eq!(departed_round(family, &state, &block, &result), None);
    }
}

/// A text that is changed in one place is refused: by what it computes, or by what it does.
#[test]
fn changed_texts_are_not_proven() {
    type Change = fn(&str) -> String;
    for kernel in kernels() {
        let whole = kernel.text();
        let lines: Vec<&str> = whole.lines().collect();
        let changes: [(&str, Change); 7] = [
            ("pxor", |line| line.replace("pxor", "por")),
            ("padd", |line| {
                line.replace("padd", "pxor").replace("pxord", "pxor").replace("pxorq", "pxor")
            }),
            ("ror", |line| line.replace("ror", "rol")),
            ("and ", |line| line.replace("and ", "or ")),
            ("movdqa [", |_| String::new()),
            ("jb 2b", |_| String::new()),
            ("pop rbp", |_| "pop rax".to_owned()),
        ];
        for (what, change) in changes {
            let places: Vec<usize> =
                (0..lines.len()).filter(|&i| lines[i].contains(what)).collect();
            let Some(&place) = places.get(places.len() / 2) else { continue };
            let mut text: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
            text[place] = change(lines[place]);
            let proven = read(&kernel, &text.join("\n")).and_then(|text| text.prove());
            assert!(proven.is_err(), "{}: `{}` for `{}`", kernel.name, text[place], lines[place]);
        }
    }
}
