//! The engine's stitched kernels match the generator and are proven.

use crate::common::{blocks, random};

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use lanesum_graph::trace::{Blame, departed_round};
use lanesum_kernels::proof;
use lanesum_kernels::stitch::{Order, ShaNiText, StitchedKernel, VectorIsa, kernels, variants};
use lanesum_prove::text::{Text, TextError};
use lanesum_spec::Family;

#[test]
fn committed_kernels_match_the_generator() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/src/kernel/x86/stitched");
    let instructions = ShaNiText::all().into_iter().filter(|text| text.is_of_engine);
    let made: BTreeMap<_, _> = kernels()
        .iter()
        .map(|kernel| (kernel.file(), kernel.text()))
        .chain(instructions.map(|text| (text.file(), text.text())))
        .collect();
    for (name, text) in &made {
        let committed = fs::read_to_string(folder.join(name)).unwrap();
        assert!(committed == *text, "{name} is stale: run `make generate`");
    }
    let made: BTreeSet<_> = made.into_keys().collect();
    let found: BTreeSet<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".s"))
        .collect();
    assert_eq!(found, made);
}

/// The first line whose branch or address may depend on a message. Addresses may use only the
/// pointer registers. Comparisons must be between these and stack slots that have held a pointer
/// since the start of the kernel. Branches must follow such a comparison.
fn chosen_by_a_message(text: &str) -> Option<String> {
    const POINTERS: [&str; 4] = ["rsi", "rdi", "rbp", "r14"];
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let begun = lines.iter().position(|line| line.ends_with(':')).unwrap_or(lines.len());
    let holds_a_pointer = |place: &str| {
        let is_stored = |line: &str| line.split([' ', ',']).nth(1) == Some(place);
        let stores: Vec<usize> = (0..lines.len()).filter(|&at| is_stored(lines[at])).collect();
        let is_right = |&at: &usize| {
            let from = lines[at].strip_prefix("mov ").and_then(|line| line.split(", ").nth(1));
            from.is_some_and(|from| at < begun || POINTERS.contains(&from))
        };
        place.starts_with("[rsp+") && !stores.is_empty() && stores.iter().all(is_right)
    };
    let mut before = "";
    for &line in &lines {
        let (name, operands) = line.split_once(' ').unwrap_or((line, ""));
        let is_right = || {
            if let Some((_, place)) = operands.split_once('[')
                && name != "lea"
            {
                let (place, _) = place.split_once(']').unwrap_or((place, ""));
                let (register, numbers) = place.split_once('+').unwrap_or((place, ""));
                // r14 points to the chaining value only right after it was loaded; vector
                // instructions may not use it.
                if !(register == "rsp" || POINTERS.contains(&register))
                    || !numbers.bytes().all(|b| b.is_ascii_digit())
                    || register == "r14" && name.starts_with('v')
                {
                    return false;
                }
            }
            match name {
                "cmp" => operands.split_once(", ").is_some_and(|(left, right)| {
                    POINTERS.contains(&left) && holds_a_pointer(right)
                }),
                "test" => POINTERS.contains(&operands.split(',').next().unwrap_or("")),
                "shl" | "shr" | "sar" | "rol" | "ror" | "rorx" => {
                    operands.ends_with(|c: char| c.is_ascii_digit())
                }
                _ if name.starts_with("cmov") => {
                    before.starts_with("cmp ")
                        && operands.split(", ").all(|register| POINTERS.contains(&register))
                }
                _ if name.starts_with('j') => before.starts_with("cmp "),
                _ => true,
            }
        };
        if !is_right() {
            return Some(line.to_owned());
        }
        before = line;
    }
    None
}

#[test]
fn no_address_and_no_branch_depends_on_a_message() {
    for kernel in kernels() {
        let text = kernel.text();
        assert_eq!(chosen_by_a_message(&text), None, "{}", kernel.name);
        assert!(text.contains("\ncmp "), "{} has no loop over blocks", kernel.name);
        // Each of these changes to one line must be detected.
        type Change = (&'static str, fn(&str) -> String);
        let changes: [Change; 9] = [
            ("cmp ", |line| line.replace("cmp rsi", "cmp rax").replace("cmp r14", "cmp r13")),
            ("cmp ", |line| format!("{}, rax", line.split_once(',').unwrap().0)),
            ("cmp ", |line| format!("{}, [rsp+0]", line.split_once(',').unwrap().0)),
            ("cmp ", |_| String::new()),
            ("cmp ", |line| format!("{line}\nadd rax, rbx")),
            ("cmp ", |line| format!("mov {}, rax\n{line}", line.split_once(", ").unwrap().1)),
            ("ror", |line| format!("{}, cl", line.rsplit_once(',').unwrap().0)),
            ("[rsp+", |line| line.replace("[rsp+", "[rsp+rax+")),
            ("[rsp+", |line| line.replace("[rsp+", "[rax+")),
        ];
        for (what, change) in changes {
            let lines: Vec<&str> = text.lines().collect();
            let is_there =
                |&i: &usize| lines[i].starts_with(what) || lines[i].contains(&format!(" {what}"));
            let at = (0..lines.len()).rfind(is_there).unwrap();
            let changed = change(lines[at]);
            let faulty = [&lines[..at], &[&changed], &lines[at + 1..]].concat().join("\n");
            assert!(chosen_by_a_message(&faulty).is_some(), "{}: {changed}", kernel.name);
        }
    }
}

fn read(kernel: &StitchedKernel, text: &str) -> Result<Text, TextError> {
    proof::stitched(kernel.family, kernel.isa, Order::Big, text)
}

/// For every byte order and every distance between the schedule and its rounds.
#[test]
fn every_measured_form_computes_the_specification() {
    let mut seen = 0;
    for variant in variants() {
        let Some(order) = variant.order else { continue };
        let name = format!("{:?} {} {}", variant.family, variant.isa.1, variant.form);
        let text = proof::stitched(variant.family, variant.isa.0, order, &variant.text).unwrap();
        text.refute().unwrap_or_else(|fault| panic!("{name}: {fault}"));
        seen += 1;
    }
    assert!(seen > 3 * 25, "{seen} forms");
}

#[test]
fn every_kernel_is_proven_for_every_number_of_blocks() {
    for kernel in kernels() {
        let proven = read(&kernel, &kernel.text()).and_then(|text| text.prove());
        proven.unwrap_or_else(|fault| panic!("{}: {fault}", kernel.name));
    }
}

/// Inserts a fault into the scalar addition of W + K for round `t`. In kernels with one block at a
/// time, the rounds are in order; for SHA-2, all but the last sixteen are in a loop.
fn with_a_fault(kernel: &StitchedKernel, t: usize, rounds: usize) -> String {
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
fn a_fault_is_attributed_to_its_round() {
    let one_block = [VectorIsa::Sse2, VectorIsa::Ssse3, VectorIsa::Avx];
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

/// A change in one place is rejected, because of the result or because of other effects.
#[test]
fn changed_kernels_are_not_proven() {
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
