//! Wrong kernels that an earlier prover proved: each relies on a false claim about a flag, a sign,
//! a count or an address. SOUNDNESS.md describes them.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use crate::common::Named;
use crate::hostile_ends::{
    APART, RAX, RCX, RSP, asks_for_a_block, instruction, kept, memory, of_sha_instructions,
    original, with,
};
use crate::hostile_parts::{program, whole};
use crate::refused::{fault, shipped};
use lanesum_prove::{Binary, Code, Instruction, Operand, Place};

const FIRST: &str = "    push rbx\n";

/// Whether SHA-256's kernel for one message is proven with these lines before its first
/// instruction.
fn proven(case: &str, lines: &str) -> bool {
    let text = shipped("sha256_bmi2");
    assert!(text.contains(FIRST));
    fault("sha256_bmi2", case, &text.replacen(FIRST, &format!("{lines}{FIRST}"), 1)).is_none()
}

/// With 1,000 or more blocks, each of these returns without compressing any: the preceding
/// comparison never jumps, because its sum or difference overflows.
#[test]
fn a_comparison_that_overflows_is_not_the_sign_of_its_result() {
    const RETURNS: &str = "cmp rdx, 1000\njb 77f\nret\n77:\n";
    let least = "movabs rax, 0x8000000000000000\n";
    let half = "movabs rax, 0x4000000000000000\n";
    for (i, lines) in [
        format!("{least}cmp rdx, rax\njl 77f\n"),
        format!("{least}cmp rdx, rax\njge 78f\njmp 77f\n78:\n"),
        format!("{least}cmp rdx, rax\njle 77f\n"),
        format!("{least}cmp rdx, rax\njg 78f\njmp 77f\n78:\n"),
        format!("{least}cmp rdx, rax\nsetl al\ntest al, al\njnz 77f\n"),
        format!(
            "{least}cmp rdx, rax\nmov ecx, 0\nmov eax, 1\ncmovge eax, ecx\ntest eax, eax\njnz 77f\n"
        ),
        format!("{least}mov rcx, rdx\nsub rcx, rax\njl 77f\n"),
        format!("{half}lea rcx, [rdx + rax]\nadd rcx, rax\njl 77f\n"),
        format!("{half}lea rcx, [rdx + rax]\nmov r8, rdx\nsub r8, rax\ncmp rcx, r8\njl 77f\n"),
    ]
    .into_iter()
    .enumerate()
    {
        let found = proven(&format!("overflow-{i}"), &format!("{lines}{RETURNS}"));
        assert!(!found, "`{lines}` is proven");
    }
    // A comparison that cannot overflow is still accepted.
    for (i, lines) in
        ["cmp rdx, 0\njge 77f\nret\n77:\n", "mov rax, -1\ncmp rdx, rax\njg 77f\nret\n77:\n"]
            .into_iter()
            .enumerate()
    {
        assert!(proven(&format!("no-overflow-{i}"), lines), "`{lines}` is refused");
    }
}

/// A pointer may have its highest bit set, as all pointers in the Linux kernel do.
#[test]
fn a_pointer_has_no_sign() {
    for (i, lines) in [
        "test rsi, rsi\njs .Lsha256_bmi2_end\n",
        "cmp rdi, 0\njl .Lsha256_bmi2_end\n",
        "mov rax, rsp\nand rax, rax\njs .Lsha256_bmi2_end\n",
        "lea rax, [rip + lanesum_text]\nsub rax, 0\nsets al\ntest al, al\njnz .Lsha256_bmi2_end\n",
        "lea rax, [rsi + 8]\ncmp rax, rsi\njl .Lsha256_bmi2_end\n",
    ]
    .into_iter()
    .enumerate()
    {
        assert!(!proven(&format!("pointer-sign-{i}"), lines), "`{lines}` is proven");
    }
    // Without blocks a pointer may be null.
    let text = shipped("sha256_bmi2");
    let (asks, before) = ("test rsi, rsi\njz .Lsha256_bmi2_end\n", "    test rdx, rdx\n");
    assert!(text.contains(before));
    let text = text.replacen(before, &format!("{asks}{before}"), 1);
    assert!(fault("sha256_bmi2", "null", &text).is_some_and(|found| found.contains("unknown")));
    // Other pointers are not zero, and two pointers into one object are ordered.
    for (i, lines) in [
        "test rsi, rsi\njz .Lsha256_bmi2_end\n",
        "lea rax, [rsi + 8]\ncmp rax, rsi\njb .Lsha256_bmi2_end\n",
    ]
    .into_iter()
    .enumerate()
    {
        assert!(proven(&format!("pointer-{i}"), lines), "`{lines}` is refused");
    }
}

/// Without blocks the pointer may have any value, such as zero, one or the maximum.
#[test]
fn an_empty_slice_may_be_anywhere() {
    const ASKS: &str = "    test rdx, rdx\n";
    let text = shipped("sha256_bmi2");
    assert!(text.contains(ASKS));
    for (i, lines) in [
        "lea rax, [rsi - 1]\ntest rax, rax\njnz 77f\n",
        "lea rax, [rsi - 8]\ncmp rax, rsi\njb 77f\n",
        "lea rax, [rsi + 100]\ncmp rax, rsi\nja 77f\n",
        "test rsi, rsi\njnz 77f\n",
    ]
    .into_iter()
    .enumerate()
    {
        let lines = format!("{lines}xor dword ptr [rdi], 1\n77:\n{ASKS}");
        let found = fault("sha256_bmi2", &format!("empty-{i}"), &text.replacen(ASKS, &lines, 1));
        assert!(found.is_some(), "`{lines}` is proven");
    }
}

/// In a function that pads: the block counter, the slices of the messages, and the first instruction
/// on the path to the loop after the check for a remaining block.
fn counter(code: &Code) -> (usize, Operand, &Instruction) {
    let all: Vec<&Instruction> = code.instructions().collect();
    let call = all.iter().position(|i| i.name() == "call").expect("a call");
    let argument = |register: usize| {
        let passes = |i: &&&Instruction| {
            i.name() == "mov" && i.operands[0] == whole(register) && i.operands.len() == 2
        };
        all[..call].iter().rev().find(passes).expect("an argument of the call").operands[1]
    };
    let Operand::General(register, _) = argument(9) else { panic!("the blocks are not counted") };
    let start = all[call..].windows(3).find_map(|next| match next[1].operands[..] {
        [Operand::Target(_)] if next[0].name() != "cmp" => None,
        [Operand::Target(_)] if next[0].operands[0] != whole(register) => None,
        [Operand::Target(to)] if next[1].name() == "jbe" => code.at(to).ok(),
        [Operand::Target(_)] if next[1].name() == "ja" => Some(next[2]),
        _ => None,
    });
    (register, argument(RCX), start.expect("a check for a remaining block"))
}

/// `compress` processes the whole blocks that all messages have before the loop. A loop that starts
/// with the whole blocks of some message skips blocks of every shorter one.
#[test]
fn the_loop_begins_with_the_first_block_that_is_not_compressed() {
    for name in [
        "sha_ni_x2/sha1/finish",
        "sha_ni_x2/sha256/finish",
        "sha_ni_x4/sha1/finish",
        "avx512_x8/sha512/finish",
    ] {
        let binary = of_sha_instructions(name);
        let code = binary.code();
        let (register, slices, start) = counter(code);
        let block = binary.kernel.family.word_bits() * 2;
        let shift = Operand::Immediate(block.trailing_zeros().into());
        for lane in 0..binary.kernel.lanes as i64 {
            let all = [
                instruction("mov", &[whole(register), slices]),
                instruction("mov", &[whole(register), memory(register, None, 16 * lane + 8, 8)]),
                instruction("shr", &[whole(register), shift]),
            ];
            let found = binary.with(with(code, start, &all, &[]));
            assert!(found.prove().is_err(), "{name} is proven with the blocks of lane {lane}");
            assert!(found.refute().is_err(), "{name}, lane {lane}: no concrete run detects it");
        }
        // The original loop starts after the blocks that all messages have.
        let nothing = [instruction("nop", &[])];
        binary.with(with(code, start, &nothing, &[])).prove().unwrap();
    }
}

/// Two paths that a length selects continue with indirect jumps, to addresses outside of the
/// precomputed order. The second path must not be lost.
#[test]
fn ways_that_go_on_by_registers_are_both_followed() {
    let binary = of_sha_instructions("sha_ni_x2/sha256/finish");
    let code = binary.code();
    let asks = asks_for_a_block(code);
    let left = |i: usize| match asks[i].operands[0] {
        Operand::General(left, _) => left,
        other => panic!("{other:?}"),
    };
    let free = (0..16).find(|register| ![left(0), left(1), 4].contains(register)).unwrap();
    let short = Operand::General(free, 4);
    // Whether five bytes of the first message remain, and at least as many of the second: then the
    // second is padded a byte too late.
    let keep = [
        instruction("cmp", &[whole(left(0)), Operand::Immediate(5)]),
        instruction("sete", &[kept(-64)]),
    ];
    let from = APART + (asks[1].address << 8);
    let image = |offset: u64| {
        let Operand::Memory(place) = memory(4, None, (from + offset) as i64, 0) else { panic!() };
        Operand::Memory(Place { base: None, image: true, ..place })
    };
    let way = |goes: &[Instruction; 2], wrong: &Instruction, swapped: bool| {
        // The path with five bytes is the jump's target, or its successor.
        let (places, name) = ([0x80, 0x90], if swapped { "je" } else { "jne" });
        let mut all = vec![
            instruction("push", &[whole(free)]),
            instruction("movzx", &[short, kept(-56)]),
            instruction("cmp", &[whole(left(1)), Operand::Immediate(5)]),
            instruction("je", &[]),
            instruction("test", &[short, short]),
            instruction(name, &[]),
        ];
        for place in places {
            all.push(instruction("lea", &[whole(free), image(place)]));
            all.extend(goes.iter().cloned());
        }
        all.push(instruction("pop", &[whole(free)]));
        let last = all.len() - 1;
        let code = with(code, asks[0], &keep, &[]);
        let mut code = program(&code, asks[1], &all, &[(3, last), (5, 9)]);
        let harmless = instruction("nop", &[]);
        let firsts = if swapped { [wrong, &harmless] } else { [&harmless, wrong] };
        for (place, first) in places.iter().zip(firsts) {
            let address = from + place;
            code = code.changed(Instruction { address, next: address + 1, ..first.clone() });
            let back = instruction("jmp", &[Operand::Target(from + last as u64)]);
            code = code.changed(Instruction { address: address + 1, next: address + 2, ..back });
        }
        binary.with(code).prove()
    };
    let nothing = instruction("nop", &[]);
    let harm = instruction("add", &[whole(left(1)), Operand::Immediate(1)]);
    let by_register = [instruction("jmp", &[whole(free)]), nothing.clone()];
    let by_return = [instruction("push", &[whole(free)]), instruction("ret", &[])];
    let place = memory(4, None, -80, 8);
    let by_memory = [instruction("mov", &[place, whole(free)]), instruction("jmp", &[place])];
    for (i, goes) in [by_register, by_return, by_memory].iter().enumerate() {
        for swapped in [false, true] {
            way(goes, &nothing, swapped).unwrap();
            assert!(way(goes, &harm, swapped).is_err(), "{i}, {swapped}");
        }
    }
}

/// A length is never less than the minimum integer, although their difference is negative.
#[test]
fn a_difference_of_lengths_that_overflows_has_no_order() {
    let binary: Binary<'_> = original();
    let of_one = of_sha_instructions("sha_ni_x1/sha256/finish");
    for binary in [&binary, &of_one] {
        let code = binary.code();
        let Some(at) = code.instructions().find(|i| {
            i.name() == "cmp"
                && matches!(i.operands[..], [Operand::General(..), Operand::Immediate(63 | 127)])
        }) else {
            continue;
        };
        let Operand::General(left, 8) = at.operands[0] else { continue };
        let free = if left == RAX { RCX } else { RAX };
        for (name, harm) in [("jl", true), ("jle", true), ("jge", false)] {
            // No number is less than the minimum, so the subtraction is executed.
            let all = [
                instruction("push", &[whole(free)]),
                instruction("mov", &[whole(free), Operand::Immediate(1 << 63)]),
                instruction("cmp", &[whole(left), whole(free)]),
                instruction(name, &[]),
                instruction("sub", &[whole(left), Operand::Immediate(1)]),
                instruction("pop", &[whole(free)]),
            ];
            let found = binary.with(program(code, at, &all, &[(3, 5)])).prove();
            assert_eq!(found.is_err(), harm, "{name} in {}: {found:?}", binary.kernel);
        }
    }
}

/// The last block of the longest message may begin up to eight bytes after its end. So an empty message may end further
/// before a block than the greatest length. This function pads such a message twice.
#[test]
fn the_last_block_begins_after_the_longest_message() {
    let binary = of_sha_instructions("sha_ni_x2/sha256/finish");
    let code = binary.code();
    let asks = asks_for_a_block(code);
    let left = [0, 1].map(|i| asks[i].operands[0]);
    let free = (0..16).map(whole).find(|one| !left.contains(one) && *one != whole(RSP)).unwrap();
    const GREATEST: i64 = i64::MAX - 2 * 4096;
    let if_less = |than: i64| {
        let all = [
            instruction("push", &[free]),
            instruction("mov", &[free, Operand::Immediate(than as u64)]),
            instruction("cmp", &[left[0], free]),
            instruction("jge", &[]),
            instruction("mov", &[left[0], Operand::Immediate(5)]),
            instruction("pop", &[free]),
        ];
        binary.with(program(code, asks[0], &all, &[(3, 5)])).prove()
    };
    if_less(-GREATEST - 8).unwrap();
    for bytes in [0, 7] {
        assert!(if_less(-GREATEST - bytes).is_err(), "{bytes}");
    }
}
