//! Emitted kernels: the committed files match the generator and are proven, and the proof detects
//! any change.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::fs;
use std::path::Path;

use lanesum_kernels::emit::go::{go_assembly, unaligned};
use lanesum_kernels::emit::listing::{Line, Listing};
use lanesum_kernels::emit::{
    Isa, Kernel, LaneTarget, Orderable, Target, WordSource, emit, emit_lanes,
};
use lanesum_kernels::proof;
use lanesum_kernels::search::model::Model;
use lanesum_model::{Models, Orders};
use lanesum_prove::text::{TextError, machine_code};

use crate::binary::changes_of_are_caught;

/// The kernels with a schedule: the engine's, the Linux module's, and 32-bit code.
fn whole() -> impl Iterator<Item = Target> {
    Target::all().filter(|target| target.words == WordSource::Block)
}

#[test]
fn committed_kernels_match_the_generator_byte_for_byte() {
    let directory = |target: Target| match target.isa {
        Isa::Bmi2 => Some("../engine/src/kernel/x86/scalar"),
        Isa::X86_64 => Some("../../kmod"),
        Isa::I686 => None,
    };
    let one = whole().filter_map(|target| {
        Some((format!("{}/{}.s", directory(target)?, target.name()), text_of(target)))
    });
    let lanes = LaneTarget::shipped().map(|target| {
        let path = format!("../engine/src/kernel/x86/lanes/{}.s", target.name());
        (path, lane_listing(target).to_string())
    });
    for (path, text) in one.chain(lanes) {
        let committed = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(&path));
        assert!(committed.unwrap() == text, "{path} is stale: `make generate` rewrites it");
    }
}

pub(crate) fn text_of(target: Target) -> String {
    emit(target, &Orders::built_in().unwrap()).unwrap().to_string()
}

fn proven(target: Target, text: &str) -> Result<(), TextError> {
    proof::emitted(target, text)?.prove()
}

#[test]
fn every_emitted_kernel_is_proven() {
    for target in whole() {
        let found = proven(target, &text_of(target));
        found.unwrap_or_else(|fault| panic!("{}: {fault}", target.name()));
    }
}

#[test]
#[ignore = "long: run by `cargo xtask test-long`"]
fn kernels_are_also_proven_in_list_scheduling_order() {
    for target in Target::all() {
        let kernel = Kernel::new(target).unwrap();
        let found = proven(target, &kernel.listing(&kernel.start()).to_string());
        found.unwrap_or_else(|fault| panic!("{}: {fault}", target.name()));
    }
}

#[test]
fn a_kernel_is_not_proven_as_another() {
    for (name, others) in [
        ("sha256_bmi2", ["sha1_bmi2", "sha512_bmi2", "sha256_rounds_bmi2", "sha256_x86_64"]),
        ("sha256_i686", ["sha1_i686", "sha512_i686", "sha256_rounds_i686", "sha256_x86_64"]),
        ("sha512_i686", ["sha1_i686", "sha256_i686", "sha512_rounds_i686", "sha512_x86_64"]),
    ] {
        let text = text_of(Target::named(name).unwrap());
        for other in others {
            assert!(proven(Target::named(other).unwrap(), &text).is_err(), "{name} as {other}");
        }
    }
}

/// Changes instructions and constants of a shipped kernel, one at a time: `count` of the
/// instructions, or all.
fn changes_are_detected(name: &str, count: Option<usize>) {
    let target = Target::named(name).unwrap();
    let text = proof::emitted(target, &text_of(target)).unwrap();
    changes_of_are_caught(name, &text.binary().unwrap(), count, 64);
    let every = if count.is_some() { 8 } else { 1 };
    let mut listing = emit(target, &Orders::built_in().unwrap()).unwrap();
    let is_data = |i: &usize| matches!(listing.lines[*i], Line::Data(..));
    let data: Vec<usize> = (0..listing.lines.len()).filter(is_data).step_by(every).collect();
    for i in data {
        let Line::Data(k, bits) = listing.lines[i] else { continue };
        listing.lines[i] = Line::Data(k ^ 1 << (i % 32), bits);
        let found = proof::emitted(target, &listing.to_string()).unwrap().refute();
        assert!(found.is_err(), "a change of constant {k:#x} is not detected");
        listing.lines[i] = Line::Data(k, bits);
    }
}

#[test]
fn some_changes_of_every_shipped_file_are_detected() {
    for target in whole() {
        changes_are_detected(&target.name(), Some(64));
    }
}

#[test]
#[ignore = "long: run by `cargo xtask test-long`"]
fn every_change_of_a_shipped_file_is_detected() {
    for target in whole() {
        changes_are_detected(&target.name(), None);
    }
}

#[test]
fn forbidden_instructions_in_a_kernel_are_rejected() {
    let target = Target::named("sha256_bmi2").unwrap();
    let text = text_of(target);
    let at = text.lines().find(|line| line.contains("sub qword ptr [rsp + ")).unwrap();
    for (line, fault) in [
        ("test eax, eax\n    jz .Lsha256_bmi2_end", "depends on a message"),
        ("mov r15d, dword ptr [rax]", "depends on"),
        ("mov dword ptr [rsp - 136], r15d", "outside of its frame"),
        ("mov r15d, dword ptr [rsp - 136]", "outside of its frame"),
        ("mov r15, qword ptr [rsp + 400000]", "outside of its frame"),
        ("mov dword ptr [rdi + 32], r15d", "depends on"),
    ] {
        let text = text.replace(at, &format!("    {line}\n{at}"));
        let found = proven(target, &text).unwrap_err().to_string();
        assert!(found.contains(fault), "{line}: {found}");
    }
    // Instructions that this kernel's CPU lacks.
    let old = Target::named("sha256_x86_64").unwrap();
    let fault = proven(old, &text).unwrap_err().to_string();
    assert!(fault.contains("requires BMI"), "{fault}");
}

#[test]
fn forbidden_instructions_in_a_32_bit_kernel_are_rejected() {
    let target = Target::named("sha512_i686").unwrap();
    let text = text_of(target);
    // The carry of the first sum of the first round.
    let lines: Vec<&str> = text.lines().collect();
    let adc = lines.iter().position(|line| line.contains(" adc ")).unwrap();
    let with = |line: &str| {
        let mut lines = lines.clone();
        lines.insert(adc, line);
        proven(target, &lines.join("\n")).unwrap_err().to_string()
    };
    for (line, fault) in [
        ("xor ebp, ebp", "a carry is"),
        ("inc ebp", "a carry is unknown"),
        ("mov rax, qword ptr [rsp]", "as failed"),
        ("mov eax, dword ptr [esp - 4]", "outside of its frame"),
        ("mov eax, dword ptr [esp + 4000]", "outside of its frame"),
        ("mov dword ptr [esp + 4000], eax", "outside of its frame"),
        ("rorx eax, eax, 3", "it requires BMI2"),
        ("movd xmm0, eax", "it requires SSE2"),
        ("mov eax, dword ptr gs:[0]", "unsupported or relocated instruction"),
    ] {
        let found = with(line);
        assert!(found.contains(fault), "{line}: {found}");
    }
    // The carry of a different sum.
    let mut swapped = lines.clone();
    let second = lines.iter().skip(adc + 1).position(|line| line.contains(" adc ")).unwrap();
    swapped.swap(adc, adc + 1 + second);
    assert!(proven(target, &swapped.join("\n")).is_err());
}

/// According to the models, an order found by measurements on one machine is no slower on others.
#[test]
fn shipped_orders_cost_no_more_than_list_scheduling_on_the_models() {
    let models = Models::built_in().unwrap();
    let orders = Orders::built_in().unwrap();
    for target in whole() {
        let kernel = Kernel::new(target).unwrap();
        let Some(order) = orders.of(&target.name()) else { continue };
        let times = kernel.operations.times(order).unwrap();
        for name in ["zen5", "goldencove"] {
            let model = Model { machine: models.machine(name).unwrap() };
            let [searched, list] =
                [&times, &kernel.start()].map(|t| model.cycles(&kernel.body(t).instructions));
            let at = format!("{} on {name}: {searched} cycles, by list {list}", target.name());
            eprintln!("{at}");
            assert!(searched <= 1.04 * list, "{at}");
        }
    }
}

fn lane_listing(target: LaneTarget) -> Listing {
    emit_lanes(target, &Orders::built_in().unwrap()).unwrap()
}

#[test]
fn every_lane_kernel_is_proven_and_changes_of_it_are_detected() {
    for target in LaneTarget::all() {
        let name = target.name();
        let text = lane_listing(target).to_string();
        let proof = proof::lanes(target, &text).unwrap();
        proof.prove().unwrap_or_else(|fault| panic!("{name}: {fault}"));
        changes_of_are_caught(&name, &proof.binary().unwrap(), Some(16), 64);
    }
}

/// Callers of a lane kernel do not set the lengths, and their array ends before the last one. Pointers may be null if
/// there are no blocks, and the CPU may lack other instructions.
#[test]
fn a_lane_kernel_reads_only_the_pointers_of_its_messages() {
    let target = LaneTarget::named("sha256_avx512_x16").unwrap();
    let text = lane_listing(target).to_string();
    let with = |line: &str| {
        let first = "    test rcx, rcx\n";
        assert!(text.contains(first));
        let text = text.replacen(first, &format!("{line}\n{first}"), 1);
        proof::lanes(target, &text).unwrap().prove().map_err(|fault| fault.to_string())
    };
    assert_eq!(with("mov rax, [rdx + 240]"), Ok(()));
    assert_eq!(with("lea rax, [rdx + 4343]\ntest rax, rax\njz .Lsha256_avx512_x16_end"), Ok(()));
    for (line, what) in [
        ("mov rax, [rdx + 8]", "it reads the length of a message"),
        ("mov rax, [rdx + 248]", "it reads the length of a message"),
        ("vmovdqu ymm0, [rdx + 224]", "it reads the length of a message"),
        ("mov rax, [rdx]\ntest rax, rax\njz .Lsha256_avx512_x16_end", "a condition is unknown"),
        // The array ends 248 bytes after its start, at least a page before the end of memory.
        (
            "lea rax, [rdx + 4344]\ntest rax, rax\njz .Lsha256_avx512_x16_end",
            "a condition is unknown",
        ),
        ("xor eax, eax\nrorx eax, eax, 5", "it requires BMI2"),
    ] {
        let found = with(line).expect_err(line);
        assert!(found.contains(what), "{line}: {found}");
    }
}

/// The bytes of directives of Go's assembler.
fn bytes_of(directives: &str) -> Vec<u8> {
    let of = |directive: &str| {
        let (name, value) = directive.split_once(" $0x").unwrap();
        let lengths = [("BYTE", 1), ("WORD", 2), ("LONG", 4), ("QUAD", 8)];
        let (_, len) = lengths.into_iter().find(|(each, _)| *each == name).unwrap();
        assert_eq!(value.len(), 2 * len, "{directive}");
        u64::from_str_radix(value, 16).unwrap().to_le_bytes()[..len].to_vec()
    };
    directives.trim_end().split("; ").flat_map(of).collect()
}

/// The bytes in a file for Go replace each instruction that refers to no label, and the result is proven.
#[test]
fn files_for_go_have_the_bytes_of_each_instruction() {
    let as_bytes = |directives: &str| {
        let bytes: Vec<_> = bytes_of(directives).iter().map(u8::to_string).collect();
        format!(".byte {}\n", bytes.join(", "))
    };
    for target in LaneTarget::all() {
        let file = go_assembly(target, &unaligned(lane_listing(target))).unwrap();
        let (_, code) = file.split_once("NOFRAME, $0-0\n").unwrap();
        let (mut text, mut rotation) = (String::new(), None);
        for line in code.lines() {
            let (directives, source) = line.trim().split_once("// ").unwrap();
            if directives.is_empty() {
                text += &format!(".L{source}\n");
            } else if let Some((_, value)) =
                source.split_once(" 0x").filter(|_| source.starts_with('.'))
            {
                let value = u64::from_str_radix(value, 16).unwrap().to_le_bytes();
                assert_eq!(bytes_of(directives), value[..bytes_of(directives).len()]);
                text += &format!("{source}\n");
            } else if source.contains(".L") {
                text += &format!("{source}\n");
            } else {
                text += &as_bytes(directives);
                if source.starts_with("vpror") || source.starts_with("vpsrl") {
                    rotation = Some(as_bytes(directives));
                }
            }
        }
        let proof = |text: &str| proof::lanes(target, text).unwrap().prove();
        proof(&text).unwrap_or_else(|fault| panic!("{}: {fault}", target.name()));
        let rotation = rotation.expect("a rotation, whose last byte is its number of bits");
        let (front, bits) = rotation.trim_end().rsplit_once(", ").unwrap();
        let other = format!("{front}, {}\n", bits.parse::<u8>().unwrap() ^ 1);
        assert!(proof(&text.replacen(&rotation, &other, 1)).is_err());
    }
}

#[test]
fn machine_code_with_relocations_is_rejected() {
    assert_eq!(machine_code("push rbp\n.La:\nret\n").unwrap(), [vec![0x55], vec![], vec![0xc3]]);
    let found = machine_code("jmp elsewhere\n").unwrap_err().to_string();
    assert!(found.contains("relocations"), "{found}");
}

/// A callee aligns the stack pointer that its caller has aligned. A greater alignment lowers it by an unknown amount.
#[test]
fn a_stack_pointer_is_aligned_again_to_no_more() {
    let target = LaneTarget::named("sha256_avx512_x16").unwrap();
    let text = lane_listing(target).to_string();
    let with = |lines: &str| {
        let first = "    and rsp, -64\n";
        assert!(text.contains(first));
        let text = text.replacen(first, &format!("{first}{lines}\n"), 1);
        proof::lanes(target, &text).unwrap().prove().map_err(|fault| fault.to_string())
    };
    // The stack pointer is 64 bytes lower than after the first alignment.
    let store = "mov [rsp + 56], rax";
    assert_eq!(with(&format!("sub rsp, 24\nand rsp, -32\nsub rsp, 32\n{store}")), Ok(()));
    assert_eq!(with("sub rsp, 40\nand rsp, -64"), Ok(()));
    for lines in ["and rsp, -128", "sub rsp, 8\nand rsp, -4096", "and rsp, -48"] {
        let found = with(lines).expect_err(lines);
        assert!(found.contains("unsupported alignment"), "{lines}: {found}");
    }
    // After the alignment, the stack pointer is 32 bytes lower, not 24: this is the caller's part of the frame.
    let cut = text.replacen("    lea r11, [rsp + 0]\n", "    lea r11, [rsp + 32]\n", 1);
    assert_ne!(cut, text);
    let cut =
        cut.replacen("    and rsp, -64\n", "    and rsp, -64\nsub rsp, 24\nand rsp, -32\n", 1);
    proof::lanes(target, &cut).unwrap().prove().unwrap();
    let cut = cut.replacen("    lea r11, [rsp + 32]\n", "    lea r11, [rsp + 64]\n", 1);
    assert!(proof::lanes(target, &cut).unwrap().prove().is_err());
}

/// The distance of a table from the code depends on padding, and another file pads differently.
#[test]
fn a_table_is_at_any_distance_from_its_code() {
    let target = Target::named("sha512_bmi2").unwrap();
    let text = text_of(target);
    let with = |line: &str| {
        let first = "    push rbx\n";
        assert!(text.contains(first));
        proven(target, &text.replacen(first, &format!("{line}\n{first}"), 1))
    };
    with("mov rax, [rip + .Lsha512_bmi2_k + 632]").unwrap();
    for place in [".Lsha512_bmi2_k - 8", ".Lsha512_bmi2_k + 640", ".Lsha512_bmi2_k - 3000"] {
        assert!(with(&format!("mov rax, [rip + {place}]")).is_err(), "{place}");
        // An address that is computed.
        assert!(with(&format!("lea rax, [rip + {place}]\nmov rax, [rax]")).is_err(), "{place}");
    }
}

#[test]
fn a_lane_kernel_is_not_proven_as_another() {
    let target = LaneTarget::named("sha256_avx2_x8").unwrap();
    let text = lane_listing(target).to_string();
    // With AVX-512, the same text is a kernel of as many lanes.
    let is_other =
        |other: &LaneTarget| (other.family, other.lanes()) != (target.family, target.lanes());
    for other in LaneTarget::all().filter(is_other) {
        let found = proof::lanes(other, &text).unwrap().prove();
        assert!(found.is_err(), "{} as {}", target.name(), other.name());
    }
    // A table of constants whose last word of a lane differs.
    let mut listing = lane_listing(target);
    let last = listing.lines.iter().rposition(|line| matches!(line, Line::Data(..))).unwrap();
    let Line::Data(k, bits) = listing.lines[last] else { unreachable!() };
    listing.lines[last] = Line::Data(k ^ 1, bits);
    assert!(proof::lanes(target, &listing.to_string()).unwrap().prove().is_err());
}
