//! Checks the object code: a lane kernel executes exactly the arithmetic instructions that the
//! specification requires in that kernel's form.
//!
//! The expected counts are computed: the specification runs with a word type that records each
//! operation, counting equal ones once. The actual instructions are counted in the release build of
//! this library, which users run.
//!
//! Excluded, because they are not the specification compiled for vectors: single-lane kernels,
//! portable kernels (arrays, whose instructions the compiler selects) and block kernels (dedicated
//! instructions).
#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]

#[cfg(target_arch = "x86_64")]
mod object_code;
mod specification;

use lanesum::Family;
use specification::{Form, expected};

#[cfg(not(target_arch = "x86_64"))]
#[test]
fn lane_kernels_do_what_the_specification_asks_for_and_no_more() {
    let why = "the names of this architecture's instructions are not known";
    lanesum_testkit::left_out(lanesum_testkit::Kind::Test, "object_code", why);
}

/// Compares the expected counts with those derived by hand from FIPS 180-4: 7 additions per round,
/// 3 per word of the schedule, and so on.
#[test]
fn counts_match_the_standard() {
    let one = |family, ternary, short| expected(family, Form { ternary, short })[0].0;
    let sha256 = one(Family::Sha256, true, false);
    assert_eq!(sha256.adds, 64 * 7 + 48 * 3 + 8);
    assert_eq!(sha256.rotations, 64 * 6 + 48 * 4);
    assert_eq!(sha256.ternary, 64 * 4 + 48 * 2);
    assert_eq!((sha256.shifts, sha256.subs), (48 * 2, 0));
    let short = one(Family::Sha256, true, true);
    assert_eq!(short.adds + short.subs, sha256.adds + 64, "one more operation per round");
    let sha1 = one(Family::Sha1, true, false);
    assert_eq!(sha1.adds, 80 * 4 + 5);
    assert_eq!(sha1.rotations, 80 * 2 + 64);
    // Maj of a round shares a ⊕ b with Maj of the next.
    let binary = one(Family::Sha256, false, false);
    assert_eq!(binary.xors + binary.ands, 64 * (3 + 4 + 4) - 63 + 48 * 4);
}

#[cfg(target_arch = "x86_64")]
#[test]
fn lane_kernels_do_what_the_specification_asks_for_and_no_more() {
    use std::path::Path;

    use lanesum::{Algorithm, Kernel, Tier};
    use lanesum_testkit::{Kind, left_out};
    use object_code::{Found, difference, kernels, look};

    if !lanesum_testkit::has_tool("objdump") {
        return;
    }
    let kernels = kernels(&lanesum_testkit::release_library());
    let mut seen = 0;
    for name in Kernel::table().filter_map(Result::err) {
        let why = "this CPU cannot run it, and its object code is not looked at";
        left_out(Kind::Kernel, name, why);
    }
    let is_lane_kernel = |kernel: &Kernel| {
        kernel.lanes() > 1 && !matches!(kernel.tier(), Tier::Portable | Tier::ShaNi)
    };
    let mut failures = Vec::new();
    for kernel in Kernel::all().filter(is_lane_kernel) {
        for family in Family::ALL {
            let algorithm = Algorithm::all().find(|a| a.family() == family).unwrap();
            if !kernel.supports(algorithm) {
                continue;
            }
            let key = (kernel.name().to_owned(), family.name().to_owned());
            let code = kernels.get(&key).unwrap_or_else(|| panic!("no kernel {key:?} is found"));
            let Some(found) = look(code, family.word_bits()) else {
                // Its instructions are the operations of the graph, in the order of a search.
                let text = format!("src/kernel/x86/lanes/{}_{kernel}.s", family.name());
                let text = Path::new(env!("CARGO_MANIFEST_DIR")).join(text);
                assert!(text.exists(), "{kernel} {family:?} adds no vectors");
                continue;
            };
            let groups =
                kernel.lanes() as u64 * u64::from(family.word_bits()) / found.register_bits;
            let ternary = found.ternary > 0;

            // Only kernels in the short form have subtractions.
            let short = found.subs > 0;
            let candidates = expected(family, Form { ternary, short });
            // Returns the differences from each candidate, if the code differs from all of them.
            let differs = |found| {
                let differences: Vec<String> = candidates
                    .iter()
                    .map_while(|(e, looped)| difference(&found, &(*e * groups), *looped, ternary))
                    .collect();
                (differences.len() == candidates.len()).then(|| differences.join("; or: "))
            };
            failures.extend(differs(found).map(|why| format!("{kernel} {family:?}: {why}")));
            // One additional instruction of any kind is detected. For logic, it must be one more
            // than the complements, which may or may not be separate instructions.
            let nots = candidates.iter().map(|(e, _)| e.nots * groups).max().unwrap_or(0);
            let planted = [
                Found { adds: found.adds + 1, ..found },
                Found { subs: found.subs + 1, ..found },
                Found { logic: found.logic + nots + 1, ..found },
                Found { right_shifts: found.right_shifts + 1, ..found },
                Found { left_shifts: found.left_shifts + 1, ..found },
                Found { rotations: found.rotations + 1, ..found },
                Found { calls: 1, ..found },
                Found { variable: 1, ..found },
                Found { branches: 9, ..found },
            ];
            let missed = planted.into_iter().filter(|&found| differs(found).is_none());
            failures
                .extend(missed.map(|found| format!("{kernel} {family:?}: not seen: {found:?}")));
            println!(
                "{kernel} {family:?}: {groups} group(s), short: {short}; {} shuffles, {} moves",
                found.shuffles, found.moves,
            );
            seen += 1;
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(seen > 0, "every x86-64 CPU has a lane kernel");
}
