//! The machine code of the library that ships: proven, and the proof notices changes.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::certificate::Certificate;
use crate::common::{Named, random, shipped, shipped_file};
use lanesum_prove::{Binary, Instruction, Mnemonic, Operand, Shipped, Task, left_out, read};
use lanesum_spec::Family;

fn find(kernel: Shipped) -> Binary<'static> {
    Binary::find(shipped(), kernel).unwrap_or_else(|fault| panic!("{kernel}: {fault}"))
}

fn named(name: &str) -> Shipped {
    Shipped::all().find(|kernel| kernel.to_string() == name).unwrap()
}

/// The `finish` functions that are not proven: they pad copies of the ends of several messages.
fn copied_in_lanes() -> impl Iterator<Item = Shipped> {
    let copies = |kernel: &Shipped| {
        kernel.lanes > 1 && ["sse2_", "avx2_"].iter().any(|of| kernel.name.starts_with(of))
    };
    let compress = Shipped::all().filter(|kernel| kernel.task == Task::Compress);
    compress.filter(copies).map(|kernel| Shipped { task: Task::Finish, ..kernel })
}

#[test]
fn every_lane_of_every_kernel_that_ships_is_proven() {
    let certificate = Certificate::of(shipped_file());
    let is_proven = certificate.as_ref().is_some_and(Certificate::is_valid);
    let mut functions = Vec::new();
    let failures: Vec<String> = Shipped::all()
        .filter_map(|kernel| {
            let binary = find(kernel);
            functions.extend(binary.called().unwrap());
            let fault = if is_proven { None } else { binary.prove().err() }?;
            Some(format!("{kernel}: {fault}"))
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    if is_proven {
        let why = "this C library was proven by an earlier run; `cargo xtask test-slow CERTIFICATES=` repeats the proof";
        lanesum_testkit::left_out(lanesum_testkit::Kind::Test, "proofs", why);
    } else if let Some(certificate) = certificate {
        certificate.store();
    }
    // In the modules of kernels, only the checks of CPU features and the ends of messages that are padded in
    // copies in several lanes are unproven.
    let left = left_out(shipped(), &functions);
    let of_kernels = left.keys().filter(|path| {
        let path = path.strip_prefix("lanesum::kernel::").unwrap_or_default();
        path.starts_with("x86::") || path.starts_with("portable::")
    });
    let copied: Vec<String> = copied_in_lanes().map(Shipped::path).collect();
    assert!(copied.iter().all(|path| left.contains_key(path)), "{left:#?}");
    let others = of_kernels.filter(|path| !path.ends_with("::{closure#0}"));
    let others = others.filter(|path| !copied.contains(path));
    // The search of a kilobyte around other data also reaches proven functions, in the list of assembly and in the table
    // of addresses of functions: the order of data decides which.
    let is_proven = |path: &str| {
        let mut named = shipped().named(path).peekable();
        named.peek().is_some() && named.all(|one| functions.contains(&one.address))
    };
    let others = others.filter(|path| !is_proven(path));
    assert_eq!(others.collect::<Vec<_>>(), Vec::<&String>::new());
    // The list includes the code that pads and writes for other kernels.
    for path in ["copied::Copied<I>::lanes", "Kernel::write_by"] {
        let path = format!("lanesum::kernel::{path}");
        assert!(left.contains_key(&path), "{path} is not said: {left:#?}");
    }
}

/// Each kernel of the engine is here for every algorithm that it has.
#[test]
fn no_kernel_is_forgotten() {
    for kernel in lanesum::Kernel::all() {
        for algorithm in lanesum::Algorithm::all().filter(|a| kernel.supports(*a)) {
            let is = |there: Shipped| {
                there.name == kernel.name()
                    && there.family == algorithm.family()
                    && there.lanes == kernel.lanes()
            };
            let name = algorithm.name();
            assert!(Shipped::all().any(is), "no {kernel} {name} in prove/src/kernel.rs");
        }
    }
    // Those of other CPUs too.
    for name in lanesum_testkit::here().kernels {
        assert!(
            Shipped::all().any(|kernel| kernel.name == *name),
            "no {name} in prove/src/kernel.rs"
        );
    }
    // And every function that ends messages, unless it pads copies in several lanes.
    let unproven: Vec<Shipped> = copied_in_lanes().collect();
    let ends = shipped().dispatched().iter().filter(|one| one.kernel.task == Task::Finish);
    for one in ends {
        let is_proven = Shipped::all().any(|kernel| kernel == one.kernel);
        assert_ne!(is_proven, unproven.contains(&one.kernel), "{}", one.kernel);
    }
    // Also the functions that write digests or detect collisions, where the library has a separate one.
    for task in [Task::Write, Task::DigestBlocks, Task::Traced, Task::Screen, Task::Apart] {
        let all: Vec<_> =
            shipped().dispatched().iter().filter(|one| one.kernel.task == task).collect();
        assert!(!all.is_empty(), "{task:?}");
        for one in all {
            let path = one.kernel.path();
            assert!(Shipped::all().any(|kernel| kernel.path() == path), "{}", one.kernel);
        }
    }
}

/// An instruction changed in a way that the seed chooses.
fn change(instruction: &Instruction, seed: &mut u64) -> Instruction {
    const OTHERS: [(&str, &str); 20] = [
        ("paddd", "psubd"),
        ("paddq", "psubq"),
        ("psubd", "paddd"),
        ("psubq", "paddq"),
        ("pxor", "por"),
        ("por", "pand"),
        ("pand", "pandn"),
        ("pandn", "pand"),
        ("psrld", "pslld"),
        ("pslld", "psrld"),
        ("psrlq", "psllq"),
        ("psllq", "psrlq"),
        ("prold", "prord"),
        ("prolq", "prorq"),
        ("punpckldq", "punpckhdq"),
        ("punpckhqdq", "punpcklqdq"),
        ("sha1msg1", "sha1msg2"),
        ("sha256msg2", "sha256msg1"),
        ("sha1nexte", "sha1msg1"),
        ("sha256msg1", "sha256msg2"),
    ];
    let mut changes = Vec::new();
    let mnemonic = Mnemonic::Nop;
    let without = Instruction { mnemonic, operands: Vec::new(), ..instruction.clone() };
    changes.push(without);
    let name = instruction.name();
    let short = name.trim_start_matches('v');
    if let Some((_, other)) = OTHERS.iter().find(|(name, _)| *name == short) {
        let mut changed = instruction.clone();
        changed.rename(&format!("{}{other}", if short == name { "" } else { "v" }));
        changes.push(changed);
    }
    for i in 0..instruction.operands.len() {
        let mut changed = instruction.clone();
        match &mut changed.operands[i] {
            Operand::Immediate(n) => *n ^= 1,
            Operand::Memory(place) => place.offset += 8,
            Operand::Vector(number, _) => *number ^= 1,
            Operand::General(number, _) => *number ^= 1,
            Operand::High(_) | Operand::Mask(_) | Operand::Target(_) => continue,
        }
        changes.push(changed);
    }
    changes.swap_remove(random(seed) as usize % changes.len())
}

/// Changes `count` instructions of a kernel, or every one, one at a time. What the proof lets
/// pass must be the same function.
fn changes_are_caught(name: &str, count: Option<usize>) {
    changes_of_are_caught(name, &find(named(name)), count, 1);
}

/// Changes single instructions of a function. Each change must be refuted or not proven; a sample of
/// the refuted ones must not be proven either.
pub(crate) fn changes_of_are_caught(
    name: &str,
    binary: &Binary<'_>,
    count: Option<usize>,
    every: usize,
) {
    // A kernel that panics if it is not called as it must be has more.
    let executed = binary.executed().unwrap();
    let mut instructions: Vec<&Instruction> = binary
        .code()
        .instructions()
        .filter(|i| executed.contains(&i.address))
        .filter(|i| !matches!(&i.name()[..], "nop" | "int3" | "ud2" | "vzeroupper"))
        .collect();
    let mut seed = 5;
    if let Some(count) = count {
        while instructions.len() > count {
            instructions.swap_remove(random(&mut seed) as usize % instructions.len());
        }
    }
    let mut passed = Vec::new();
    for (i, instruction) in instructions.iter().enumerate() {
        let changed = change(instruction, &mut seed);
        let text = format!("{instruction}: {} {:x?}", changed.name(), changed.operands);
        let other = binary.with(binary.code().changed(changed));
        if i % every != 0 && other.refute().is_err()
            || other.prove_lane(0).is_err()
            || other.prove().is_err()
        {
            continue;
        }
        // On numbers, with from one to three blocks in the lanes, nothing has changed.
        assert!(other.refute().is_ok(), "{name}: not noticed: {text}");
        // A check that never fails may well be another.
        let checks = ["cmp", "test", "call", "ret"].contains(&&instruction.name()[..])
            || instruction.name().starts_with('j');
        if !checks {
            passed.push(text);
        }
    }
    println!("{name}: {} changes, {} of none: {passed:?}", instructions.len(), passed.len());
    // A text takes the words of a next block where there is none, too, and of the block that PBKDF2
    // pads most words are zero: in its loop around SHA-1's text that is one change of nineteen.
    assert!(passed.len() * 16 <= instructions.len().max(16), "{name}:\n{}", passed.join("\n"));
}

#[test]
fn every_changed_instruction_of_sha_instructions_is_noticed() {
    changes_are_caught("sha_ni_x1/sha1", None);
    changes_are_caught("sha_ni_vl_x2/sha1", None);
    changes_are_caught("sha_ni_x1/sha256", None);
    changes_are_caught("sha_ni_x2/sha256", None);
    changes_are_caught("sha512_ni_x1/sha512", None);
}

/// If the upper half of any vector register is not zero, Golden Cove executes a SHA instruction in hundreds of
/// cycles. A compiler may merge operations on two registers into one on a wider register.
#[test]
fn sha_instructions_are_not_mixed_with_wide_registers() {
    let is_wide = |i: &Instruction| {
        i.operands.iter().any(|operand| matches!(operand, Operand::Vector(_, 32..)))
    };
    // The functions of the kernel with an instruction whose name begins so.
    let functions = |kernel: Shipped, name: &str, wide: bool| -> Vec<u64> {
        let binary = find(kernel);
        let starts: Vec<u64> = binary.code().functions().collect();
        let own = binary.code().instructions().filter(|i| i.name().starts_with(name));
        let own = own.filter(|&i| !wide || is_wide(i));
        own.filter_map(|i| starts.iter().copied().filter(|&at| at <= i.address).max()).collect()
    };
    assert!(!functions(named("avx2_x8/sha1"), "vp", true).is_empty());
    let mixed = |kernel: &Shipped| {
        let wide = functions(*kernel, "", true);
        functions(*kernel, "sha", false).iter().any(|at| wide.contains(at))
    };
    let of_sha = || Shipped::all().filter(|kernel| kernel.name.starts_with("sha_ni_"));
    assert!(of_sha().any(|kernel| !functions(kernel, "sha", false).is_empty()));
    let mixed: Vec<Shipped> = of_sha().filter(mixed).collect();
    assert!(mixed.is_empty(), "{mixed:?}");
}

/// Functions that look for blocks of collision attacks, evaluate all conditions, and check the blocks.
#[test]
fn changed_instructions_of_screening_functions_are_noticed() {
    for (name, count) in SCREENING {
        changes_of_are_caught(name, &find(named(name)), Some(count), 8);
    }
}

#[test]
#[ignore = "long: run by `cargo xtask test-long`"]
fn every_changed_instruction_of_a_screening_function_is_noticed() {
    for (name, _) in SCREENING {
        changes_of_are_caught(name, &find(named(name)), None, 8);
    }
}

/// The number of changes to each function.
const SCREENING: [(&str, usize); 7] = [
    ("sha_ni_x1/sha1/traced", 16),
    ("sha_ni_vl_x1/sha1/traced", 16),
    ("avx2_x8/sha1/screen", 16),
    ("portable_x1/sha1/screen", 24),
    ("portable_x1/sha1/read", 24),
    ("portable_x1/sha1/apart", 24),
    ("avx2_x8/sha1/apart", 16),
];

/// Code without vectors masks one bit of each byte and gathers these bits by a multiplication.
#[test]
fn changed_products_that_gather_bits_are_noticed() {
    for name in ["portable_x1/sha1/screen", "bmi2_x1/sha1/screen"] {
        let binary = find(named(name));
        let mut seen = 0;
        for old in binary.code().instructions() {
            let [to, Operand::Immediate(k @ 0x1_0000_0000..)] = old.operands[..] else { continue };
            for bit in [0, 7, 8, 21, 56] {
                let operands = vec![to, Operand::Immediate(k ^ 1 << bit)];
                let changed = Instruction { operands, ..old.clone() };
                let other = binary.with(binary.code().changed(changed));
                assert!(other.prove().is_err(), "{name}: bit {bit} of {old}");
            }
            seen += 1;
        }
        assert!(seen >= 2, "{name}: {seen}");
    }
}

/// Another condition.
#[test]
fn changed_tables_of_conditions_are_noticed() {
    let file = fs::read(lanesum_testkit::release_library()).unwrap();
    let refused = |at: usize, to: u8| {
        assert_ne!(file[at], to);
        // The first segment is at the same addresses as in the file.
        let old = format!("{:?}", shipped().byte::<u64>(at as u64));
        assert_eq!(old, format!("Some(Number({}))", file[at]));
        let image = shipped().patched(at as u64, &[to]);
        let binary = Binary::find(&image, named("portable_x1/sha1/read")).unwrap();
        assert!(binary.prove().is_err(), "{to} at {at:#x}");
    };
    let places = |bytes: &[u8]| -> Vec<usize> {
        let windows = file.windows(bytes.len()).enumerate();
        windows.filter(|(_, window)| *window == bytes).map(|(at, _)| at).collect()
    };
    // The first condition of a vector: bit 4 of word 38 differs from bit 4 of word 39. Words are counted back from 67.
    let all = places(&[1, 0, 0, 0, 67 - 38, 67 - 39, 4, 4]);
    assert!(!all.is_empty());
    for at in all {
        for (i, to) in [(0, 0), (4, 67 - 37), (5, 67 - 40), (6, 5), (7, 3)] {
            refused(at + i, to);
        }
    }
}

/// `finish` of kernels that pad a copy of the message's end.
#[test]
fn every_changed_instruction_of_a_copied_end_is_noticed() {
    for name in ["bmi2_asm_x1/sha256/finish", "sha512_ni_x1/sha512/finish"] {
        changes_are_caught(name, None);
    }
}

#[test]
#[ignore = "long: run by `cargo xtask test-long`"]
fn every_changed_instruction_of_a_lane_kernel_is_noticed() {
    changes_are_caught("avx512_x16/sha1", None);
}

/// One of each is proven if numbers refute it, too.
#[test]
fn changed_instructions_of_any_kernel_are_noticed() {
    for kernel in Shipped::all() {
        changes_of_are_caught(&kernel.to_string(), &find(kernel), Some(3), 3);
    }
}

#[test]
#[ignore = "long: run by `cargo xtask test-long`"]
fn more_changed_instructions_of_any_kernel_are_noticed() {
    for kernel in Shipped::all() {
        changes_are_caught(&kernel.to_string(), Some(6));
    }
}

/// Changes instructions of a program for i686, including every carry into the upper half of a length.
#[test]
#[ignore = "wants a program for i686: run by `cargo xtask cross-i686`"]
fn changed_instructions_of_32_bit_code_are_noticed() {
    let path = std::env::var_os("LANESUM_I686").expect("LANESUM_I686 says where a program is");
    let image = read(Path::new(&path)).unwrap();
    let mut halves = 0;
    for kernel in image.shipped() {
        let binary =
            Binary::find(&image, kernel).unwrap_or_else(|fault| panic!("{kernel}: {fault}"));
        changes_of_are_caught(&kernel.to_string(), &binary, Some(3), 3);
        if kernel.task != Task::Finish {
            continue;
        }
        let executed = binary.executed().unwrap();
        let all = binary.code().instructions().filter(|i| executed.contains(&i.address));
        for old in all.filter(|i| ["adc", "shld"].contains(&&i.name()[..])) {
            let own = old.name();
            let mut changes = vec![("nop", Vec::new()), ("add", old.operands[..2].to_vec())];
            let (last, rest) = old.operands.split_last().unwrap();
            if let Operand::Immediate(k) = last {
                changes.push((&own, [rest, &[Operand::Immediate(k ^ 1)]].concat()));
                changes.push(("shrd", [rest, &[*last]].concat()));
            }
            for (name, operands) in changes {
                let mut changed = Instruction { operands, ..old.clone() };
                changed.rename(name);
                let other = binary.with(binary.code().changed(changed.clone()));
                assert!(other.prove().is_err(), "{kernel}: {changed:?} for {old}");
            }
            halves += 1;
        }
    }
    assert!(halves >= 10, "{halves}");
}

#[test]
fn a_fault_names_the_instruction_and_its_address() {
    let binary = find(named("sse2_x4/sha256"));
    let old = binary.code().instructions().find(|i| i.name() == "paddd").unwrap();
    let changed = Instruction { mnemonic: Mnemonic::Pmulld, ..old.clone() };
    let fault = binary.with(binary.code().changed(changed)).prove().unwrap_err().to_string();
    assert!(fault.starts_with(&format!("{:#x}: paddd", old.address)), "{fault}");
    assert!(fault.ends_with("unsupported instruction"), "{fault}");
}

/// A kernel is not proven as one with another number of lanes, nor as another function.
#[test]
fn a_kernel_is_no_proof_of_another() {
    let binary = find(named("sha_ni_x1/sha256"));
    for kernel in
        [Shipped { lanes: 2, ..binary.kernel }, Shipped { family: Family::Sha1, ..binary.kernel }]
    {
        assert!(binary.as_if(kernel).prove().is_err(), "{kernel:?}");
    }
    let pair = find(named("sha_ni_x2/sha256"));
    assert!(pair.as_if(Shipped { lanes: 1, ..pair.kernel }).prove().is_err());
}

/// Words of a lane may lie any distance apart: a kernel that takes five for one is wrong, though
/// it is right for the distances that it is run with.
#[test]
fn every_distance_of_words_is_proven() {
    let binary = find(named("avx2_x1/sha256"));
    let asks = |i: &&Instruction| {
        i.name() == "cmp"
            && matches!(i.operands[..], [Operand::General(2, 8), Operand::Immediate(1)])
    };
    let old = binary.code().instructions().find(asks).expect("it asks whether the distance is one");
    for distance in [2, 5, 100, 1 << 30] {
        let operands = vec![old.operands[0], Operand::Immediate(distance)];
        let changed = Instruction { operands, ..old.clone() };
        let other = binary.with(binary.code().changed(changed));
        other.refute().unwrap();
        assert!(other.prove().is_err(), "{distance} words apart are taken for one");
    }
}

/// The loop of PBKDF2: every instruction changed in one way, and what a colleague would try.
#[test]
#[ignore = "long: run by `cargo xtask test-long`"]
fn every_change_of_iterations_is_noticed() {
    changes_of_are_caught("sse2_x4/sha1/iterate", &find(named("sse2_x4/sha1/iterate")), None, 64);
    changes_of_are_caught(
        "sha_ni_x2/sha256/iterate",
        &find(named("sha_ni_x2/sha256/iterate")),
        None,
        64,
    );
    let stitched = named("ssse3_x1/sha1/iterate");
    changes_of_are_caught("ssse3_x1/sha1/iterate", &find(stitched), None, 64);
}

/// A loop around a text: what it calls is proven as it is called there, with the block that was written.
#[test]
fn a_text_within_a_loop_is_called_with_one_block() {
    let binary = find(named("avx2_x1/sha512/iterate"));
    let is_text = |i: &&Instruction| {
        i.name() == "call"
            && matches!(i.operands[..], [Operand::Target(to)] if binary.code().functions().any(|at| at == to))
    };
    let executed = binary.executed().unwrap();
    let all = || binary.code().instructions().filter(|i| executed.contains(&i.address));
    let call = all().find(is_text).expect("it calls the text");
    let refused = |changed: Instruction, what: &str| {
        let fault = binary.with(binary.code().changed(changed)).prove();
        assert!(fault.is_err(), "{what}");
    };
    let nothing = Instruction { mnemonic: Mnemonic::Nop, operands: vec![], ..call.clone() };
    refused(nothing, "no call");
    // The arguments: the state, the block, how many blocks.
    const ARGUMENTS: [(usize, usize); 3] = [(7, 8), (6, 8), (2, 4)];
    for (register, len) in ARGUMENTS {
        let to = Operand::General(register, len);
        let before = all().filter(|i| i.address < call.address);
        let last = before.filter(|i| i.operands.first() == Some(&to)).last();
        let last = last.expect("an argument");
        for k in [1, 8, 16] {
            let mut changed = last.clone();
            match &mut changed.operands[1] {
                // An immediate of zero has the same effect as one.
                Operand::Immediate(count) => *count = k + 1,
                Operand::Memory(place) => place.offset += k as i64,
                other => panic!("{last}: {other:?}"),
            }
            assert_ne!(changed, *last);
            refused(changed, &format!("{last}, {k}"));
        }
    }
    // Also changes to the assembly file, which is most of the function.
    changes_of_are_caught("avx2_x1/sha512/iterate", &binary, Some(24), 8);
}

#[test]
fn iterations_are_counted_right() {
    let binary = find(named("sse2_x4/sha1/iterate"));
    let refused = |old: &Instruction, what: &str, change: &dyn Fn(&mut Instruction)| {
        let mut changed = old.clone();
        change(&mut changed);
        assert_ne!(changed, *old, "{what}");
        let other = binary.with(binary.code().changed(changed));
        assert!(other.prove().is_err(), "{what}, at {old}");
    };
    let executed = binary.executed().unwrap();
    let all = || binary.code().instructions().filter(|i| executed.contains(&i.address));
    let narrow = |i: &&Instruction| matches!(i.operands.first(), Some(Operand::General(_, 4)));
    let mut seen = 0;
    for old in all().filter(|i| ["dec", "sub"].contains(&&i.name()[..])).filter(narrow) {
        refused(old, "it counts up", &|i| i.rename("inc"));
        refused(old, "it counts in 64 bits", &|i| {
            let Operand::General(register, _) = i.operands[0] else { panic!("{i}") };
            i.operands[0] = Operand::General(register, 8);
        });
        refused(old, "it counts in 16 bits", &|i| {
            let Operand::General(register, _) = i.operands[0] else { panic!("{i}") };
            i.operands[0] = Operand::General(register, 2);
        });
        refused(old, "it counts two at a time", &|i| {
            i.rename("sub");
            i.operands = vec![i.operands[0], Operand::Immediate(2)];
        });
        seen += 1;
    }
    // It stops where there are 2^k left, wherever that is.
    for old in all().filter(|i| i.name() == "test").filter(narrow) {
        for k in [0, 1, 8, 20, 31] {
            refused(old, "it does nothing for some count", &|i| {
                i.rename("cmp");
                i.operands[1] = Operand::Immediate(1 << k);
            });
        }
        seen += 1;
    }
    // Which hash is the next.
    for old in all().filter(|i| i.name() == "cmp" || i.name() == "mov") {
        if let [to @ Operand::General(..), Operand::Immediate(k)] = old.operands[..] {
            refused(old, "it goes on with another hash", &|i| {
                i.operands = vec![to, Operand::Immediate(k ^ 1)];
            });
            seen += 1;
        }
    }
    assert!(seen >= 4, "{seen}");
}

/// Of objects the linker makes a library first.
#[test]
fn functions_of_an_object_are_proven() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("object");
    fs::create_dir_all(&folder).unwrap();
    let text =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/src/kernel/x86/scalar/sha256_bmi2.s");
    let text = fs::read_to_string(text).unwrap();
    let name = "_RNvNtNtCs0_7lanesum6kernel3foo3bar";
    let whole = format!(
        ".intel_syntax noprefix\n.text\n.globl {name}\n.type {name}, @function\n{name}:\n{text}\n\
         .size {name}, .-{name}\n.section .note.GNU-stack, \"\", @progbits\n"
    );
    let [source, object] = ["one.s", "one.o"].map(|name| folder.join(name));
    fs::write(&source, whole).unwrap();
    assert!(Command::new("as").arg("-o").args([&object, &source]).status().unwrap().success());
    // It is read, and has no function of that name.
    let object = object.to_str().unwrap();
    let output = prove(&["--binary", object, "sha_ni_x1/sha256"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("there is no function lanesum::"), "{said}");
    let image = read(Path::new(object)).unwrap();
    assert_eq!(image.named("lanesum::kernel::foo::bar").count(), 1);
}

/// An object from the static library, as the compiler wrote it.
#[test]
fn a_kernel_in_an_object_is_proven() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("kernel_object");
    fs::create_dir_all(&folder).unwrap();
    let archive = lanesum_testkit::release_library().with_extension("a");
    let nm = |arguments: &[&str]| {
        let mut nm = Command::new("nm");
        let output = nm.args(arguments).arg("--defined-only").arg(&archive).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let (names, symbols) = (nm(&["-AC"]), nm(&["-A"]));
    for (path, kernel) in [
        ("lanesum::kernel::x86::sse2::sse2_x4::sha256::compress", "sse2_x4/sha256"),
        ("lanesum::kernel::x86::avx2::avx2_x8::sha1::compress", "avx2_x8/sha1"),
        ("lanesum::kernel::x86::avx512vl::avx512_vl_x8::sha256::compress", "avx512_vl_x8/sha256"),
        ("lanesum::kernel::portable::portable_x1::md5::compress", "portable_x1/md5"),
    ] {
        let mut lines = names.lines().zip(symbols.lines());
        let named = lines.find(|(line, _)| line.ends_with(&format!(" {path}")));
        // The archive, the object in it, the address and the kind of the symbol, and its name.
        let symbol = named.expect("an object with it").1;
        let object = symbol.split(':').nth(1).unwrap();
        let symbol = symbol.split(' ').next_back().unwrap();
        let ran = |command: &mut Command| {
            assert!(command.current_dir(&folder).status().unwrap().success(), "{command:?}");
        };
        ran(Command::new("ar").arg("x").arg(&archive).arg(object));
        // Only the kernel: other functions refer to other objects.
        ran(Command::new("ld").args([
            "-r",
            "--gc-sections",
            "-e",
            symbol,
            "-o",
            "kernel.o",
            object,
        ]));
        let object = folder.join("kernel.o");
        let output = prove(&["--binary", object.to_str().unwrap(), kernel]);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && said.starts_with(kernel), "{said}{error}");
    }
}

fn prove(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lanesum-graph"));
    command.arg("prove").args(arguments).output().unwrap()
}

#[test]
fn the_command_says_what_is_proven_and_what_cannot_be() {
    let library = lanesum_testkit::release_library();
    let library = library.to_str().unwrap();
    let one = prove(&["--binary", library, "sha_ni_x1/sha256"]);
    let text = String::from_utf8_lossy(&one.stdout).into_owned();
    assert!(one.status.success(), "{text}");
    assert!(text.starts_with("sha_ni_x1/sha256: ") && text.lines().count() == 1, "{text}");

    let failed = |arguments: &[&str], code: i32, wanted: &[&str]| {
        let output = prove(arguments);
        let (out, error) = (&output.stdout, String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8_lossy(out).into_owned() + &error;
        assert_eq!(output.status.code(), Some(code), "{text}");
        wanted.iter().for_each(|wanted| assert!(text.contains(wanted), "{text}"));
    };
    failed(&["--binary", library, "sha_ni_x1/sha3"], 2, &["sha_ni_x1/sha3", "avx2_x8/sha256"]);
    failed(&["--binary", "/nonexistent"], 1, &["/nonexistent"]);
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    failed(&["--binary", source], 1, &[source, "not an ELF file"]);
    failed(&["sha256_bmi2"], 2, &["--help"]);
    // Any other program has no kernels in it.
    failed(&["--binary", "/bin/true", "sha_ni_x1/sha256"], 1, &["stripped"]);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("binary");
    fs::create_dir_all(&folder).unwrap();
    let other = folder.join("other");
    fs::write(folder.join("other.c"), "int main(void) { return 0; }\n").unwrap();
    let built = Command::new("cc").arg("-o").args([&other, &folder.join("other.c")]).status();
    assert!(built.unwrap().success());
    let other = other.to_str().unwrap();
    failed(&["--binary", other, "sha_ni_x1/sha256"], 1, &["no table entry refers to lanesum::"]);
}
