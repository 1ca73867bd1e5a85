//! Hostile versions of shipped functions, with inserted instructions that an earlier prover
//! misinterpreted.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::path::Path;

use crate::common::{Named, named, shipped};
use crate::hostile_ends::{
    APART, RAX, RCX, RSP, asks_for_a_block, instruction, kept, memory, of_sha_instructions,
    original, refused, table, with,
};
use lanesum_prove::{Binary, Code, Instruction, Operand, Shipped, Task, read};

const RDX: usize = 2;
const RSI: usize = 6;
const RDI: usize = 7;

pub(crate) fn whole(register: usize) -> Operand {
    Operand::General(register, 8)
}

/// The code with these instructions inserted before another one. Jumps among them use their
/// indices.
pub(crate) fn program(
    code: &Code,
    at: &Instruction,
    all: &[Instruction],
    jumps: &[(usize, usize)],
) -> Code {
    let mut all = all.to_vec();
    for &(from, to) in jumps {
        all[from].operands = vec![Operand::Target(APART + (at.address << 8) + to as u64)];
    }
    with(code, at, &all, &[])
}

/// A jump on a zero register does not depend on the flags, so an earlier comparison of lengths is
/// irrelevant. Concrete runs do not take the jump.
#[test]
fn a_jump_that_asks_a_register_is_no_branch_of_lengths() {
    let binary = of_sha_instructions("sha_ni_x1/sha256/finish");
    let entry = binary.code().at(binary.entry()).unwrap();
    // rcx points to the slices, and rdi to the chaining value.
    let asking = |name: &str| {
        let all = [
            instruction("push", &[whole(RCX)]),
            instruction("mov", &[whole(RAX), memory(RCX, None, 8, 8)]),
            instruction("mov", &[Operand::General(RCX, 4), memory(RDI, None, 0, 4)]),
            instruction("cmp", &[whole(RAX), Operand::Immediate(100_000)]),
            instruction("jb", &[]),
            instruction(name, &[]),
            instruction("nop", &[]),
            instruction("pop", &[whole(RCX)]),
        ];
        let code = program(binary.code(), entry, &all, &[(4, 7), (5, 7)]);
        binary.with(code).prove()
    };
    asking("jne").unwrap();
    for name in ["jrcxz", "jecxz"] {
        let fault = asking(name).unwrap_err();
        assert_eq!(fault.at.map(|(_, text)| text), Some(name.into()), "{}", fault.what);
    }
}

/// The sign flag is the sign of a difference only if the difference fits in a register. This
/// function does nothing for messages of 2^62 bytes.
#[test]
fn the_sign_of_a_difference_is_that_of_so_many_bits() {
    let binary = of_sha_instructions("sha_ni_x1/sha256/finish");
    let entry = binary.code().at(binary.entry()).unwrap();
    let ret = binary.code().instructions().find(|i| i.name() == "ret").expect("a return");
    let if_less = |name: &str| {
        let r10 = whole(10);
        let all = [
            instruction("mov", &[whole(RAX), memory(RCX, None, 8, 8)]),
            instruction("xor", &[r10, r10]),
            instruction("sub", &[r10, whole(RAX)]),
            instruction("cmp", &[whole(RAX), r10]),
            instruction(name, &[Operand::Target(ret.address)]),
        ];
        binary.with(program(binary.code(), entry, &all, &[])).prove()
    };
    // With the overflow flag it is correct.
    if_less("jl").unwrap();
    assert!(if_less("js").is_err());
}

/// Two lengths decide a path one after another, and a third branch depends only on the second
/// length. The result is a function of two lengths. Concrete runs do not have such lengths.
#[test]
fn ways_that_meet_remember_all_that_decided_them() {
    let binary = of_sha_instructions("sha_ni_x2/sha256/finish");
    let code = binary.code();
    let asks = asks_for_a_block(code);
    let vectors =
        code.instructions().filter(|i| matches!(i.operands[..], [Operand::Vector(..), _]));
    let table = table(vectors);
    let changed = asks.windows(2).map(|pair| {
        let [first, second] = [pair[0], pair[1]].map(|ask| ask.operands[0]);
        let own = [first, second, whole(RSP)];
        let mut free = (0..16).filter(|&register| !own.contains(&whole(register)));
        let [x, y] = std::array::from_fn(|_| free.next().unwrap());
        let [short_x, short_y] = [x, y].map(|register| Operand::General(register, 4));
        let all = [
            instruction("push", &[whole(x)]),
            instruction("push", &[whole(y)]),
            // The slot is then sixteen bytes further up.
            instruction("mov", &[whole(x), memory(RSP, None, -56, 8)]),
            instruction("mov", &[short_y, Operand::Immediate(1)]),
            instruction("cmp", &[whole(x), Operand::Immediate(5)]),
            instruction("je", &[]),
            instruction("cmp", &[second, Operand::Immediate(6)]),
            instruction("je", &[]),
            instruction("mov", &[short_y, Operand::Immediate(0)]),
            instruction("cmp", &[second, Operand::Immediate(7)]),
            instruction("sete", &[kept(-64)]),
            instruction("movzx", &[short_x, kept(-64)]),
            instruction("and", &[short_x, short_y]),
            instruction("shl", &[whole(x), Operand::Immediate(40)]),
            instruction("lea", &[whole(y), table]),
            instruction("movzx", &[short_x, memory(x, Some(y), 0, 1)]),
            instruction("pop", &[whole(y)]),
            instruction("pop", &[whole(x)]),
        ];
        let keep = [instruction("mov", &[memory(RSP, None, -72, 8), first])];
        let code = with(code, pair[0], &keep, &[]);
        program(&code, pair[1], &all, &[(5, 9), (7, 9)])
    });
    refused(&binary, changed, 0, "an address is unknown or depends on a message");
}

/// In the first iteration a word decides a branch, and in later ones a number. On concrete values,
/// the word looks like a growing number.
#[test]
fn what_grows_in_a_loop_is_no_word() {
    let binary = of_sha_instructions("sha_ni_x2/sha256/finish");
    let code = binary.code();
    // The chaining value is loaded before the loop, after the call for whole blocks.
    let call = code.instructions().find(|i| i.name() == "call").expect("a call");
    let loads = |i: &&Instruction| {
        let place = i.operands.iter().find_map(|operand| match operand {
            Operand::Memory(place) => Some(place),
            _ => None,
        });
        i.address > call.address
            && ["movd", "pinsrd"].contains(&&i.name()[..])
            && place.is_some_and(|place| place.bytes == 4 && !place.image)
    };
    let load = code.instructions().find(loads).expect("a load of words");
    let is_memory = |operand: &&Operand| matches!(operand, Operand::Memory(_));
    let word = load.operands.iter().find(is_memory).unwrap();
    let eax = Operand::General(RAX, 4);
    let keep = [
        instruction("push", &[whole(RAX)]),
        instruction("mov", &[eax, *word]),
        instruction("shr", &[eax, Operand::Immediate(8)]),
        instruction("mov", &[memory(RSP, None, -56, 8), whole(RAX)]),
        instruction("pop", &[whole(RAX)]),
    ];
    let kept = memory(RSP, None, -64, 8);
    let asking = |name: &str| {
        let all = [
            instruction("cmp", &[kept, Operand::Immediate(0)]),
            instruction(name, &[]),
            instruction("nop", &[]),
            instruction("mov", &[kept, Operand::Immediate(1)]),
        ];
        let code = with(code, load, &keep, &[]);
        let code = program(&code, asks_for_a_block(binary.code())[0], &all, &[(1, 3)]);
        binary.with(code).prove()
    };
    asking("jmp").unwrap();
    let fault = asking("je").unwrap_err();
    assert!(fault.what.contains("depends on a message"), "{}", fault.what);
}

/// A mask with n ones, plus one, is not a mask with n + 1 ones.
#[test]
fn ones_are_no_number_to_be_added_to() {
    let binary = original();
    let masks: Vec<&Instruction> =
        binary.code().instructions().filter(|i| i.name() == "bzhi").collect();
    let mut tried = 0;
    for mask in &masks {
        let [to @ Operand::General(a, 8), from @ Operand::General(b, 8), Operand::General(c, 8)] =
            mask.operands[..]
        else {
            panic!("{mask}")
        };
        if a == c || tried == 4 {
            continue;
        }
        let mut free = (8..16).filter(|register| ![a, b, c].contains(register));
        let [less, count] = std::array::from_fn(|_| free.next().unwrap());
        let all = [
            instruction("push", &[whole(less)]),
            instruction("push", &[whole(count)]),
            // One, if the message does not fill the row.
            instruction("cmp", &[whole(c), Operand::Immediate(64)]),
            instruction("setb", &[kept(-64)]),
            instruction("movzx", &[Operand::General(less, 4), kept(-64)]),
            instruction("lea", &[whole(count), memory(c, Some(less), 0, 0)]),
            instruction("bzhi", &[to, from, whole(count)]),
            instruction("sub", &[to, whole(less)]),
            instruction("pop", &[whole(count)]),
            instruction("pop", &[whole(less)]),
        ];
        let changed = program(binary.code(), mask, &all, &[]);
        // The replaced instruction is no longer at its address.
        let address = APART + (mask.address << 8) + all.len() as u64;
        let nothing = Instruction { address, next: address + 1, ..instruction("nop", &[]) };
        let found = binary.with(changed.changed(nothing)).prove();
        assert!(found.is_err(), "{mask}: the first byte is masked out");
        tried += 1;
    }
    assert!(tried > 0, "{} masks", masks.len());
}

/// A function that writes digests must not write anything else, not even unchanged contents.
#[test]
fn chaining_values_that_are_only_read_are_not_written() {
    let binary = named("avx512_x16/sha256/write");
    let entry = binary.code().at(binary.entry()).unwrap();
    let eax = Operand::General(RAX, 4);
    let all = [
        instruction("mov", &[eax, memory(RDI, None, 0, 4)]),
        instruction("mov", &[memory(RDI, None, 0, 4), eax]),
    ];
    let fault = binary.with(program(binary.code(), entry, &all, &[])).prove().unwrap_err();
    assert!(fault.what.contains("it writes"), "{}", fault.what);
}

/// The frame of a called function is below its caller's.
#[test]
fn nothing_is_filled_below_the_stack_pointer() {
    let of_image = |i: &&Instruction| {
        i.name() == "call" && matches!(i.operands[..], [Operand::Memory(place)] if place.image)
    };
    let (binary, call) = Shipped::all()
        .filter(|kernel| kernel.task == Task::Iterate)
        .find_map(|kernel| {
            let binary = Binary::find(shipped(), kernel).unwrap();
            let executed = binary.executed().unwrap();
            let is_it = |i: &&Instruction| of_image(i) && executed.contains(&i.address);
            let call = binary.code().instructions().find(is_it).cloned();
            Some((binary, call?))
        })
        .expect("a loop that clears memory");
    let call = &call;
    let filled = |below: u64| {
        let push = [RDI, RSI, RDX, RDX].map(|register| instruction("push", &[whole(register)]));
        let mut pop = [RDI, RSI, RDX, RDX].map(|register| instruction("pop", &[whole(register)]));
        pop.reverse();
        let own = [
            instruction("sub", &[whole(RSP), Operand::Immediate(128)]),
            instruction("mov", &[whole(RDI), whole(RSP)]),
            instruction("sub", &[whole(RDI), Operand::Immediate(below)]),
            instruction("xor", &[whole(RSI), whole(RSI)]),
            instruction("mov", &[whole(RDX), Operand::Immediate(64)]),
            call.clone(),
            instruction("sub", &[whole(RSP), Operand::Immediate(0u64.wrapping_sub(128))]),
        ];
        let all = [&push[..], &own, &pop].concat();
        binary.with(program(binary.code(), call, &all, &[])).prove()
    };
    filled(0).unwrap();
    for below in [8, 64] {
        assert!(filled(below).is_err(), "{below}");
    }
}

/// The upper half of a length in bits has three bits from the lower half of the length in bytes,
/// and the others from its upper half.
#[test]
#[ignore = "wants a program for i686: run by `cargo xtask cross-i686`"]
fn the_upper_half_of_a_length_of_32_bit_code_has_two_parts() {
    let path = std::env::var_os("LANESUM_I686").expect("LANESUM_I686 is the path of a program");
    let image = read(Path::new(&path)).unwrap();
    let mut tried = 0;
    for kernel in image.shipped().filter(|kernel| kernel.task == Task::Finish) {
        let binary = Binary::find(&image, kernel).unwrap();
        let executed = binary.executed().unwrap();
        let all = binary.code().instructions().filter(|i| executed.contains(&i.address));
        for shift in all.filter(|i| i.name() == "shld") {
            // Shifts only the lower half.
            let [to, from, _] = shift.operands[..] else { panic!("{shift}") };
            let all = [instruction("mov", &[to, from])];
            let narrow = Instruction {
                address: APART + (shift.address << 8) + 1,
                next: APART + (shift.address << 8) + 2,
                ..instruction("shr", &[to, Operand::Immediate(29)])
            };
            let changed = program(binary.code(), shift, &all, &[]).changed(narrow);
            assert!(binary.with(changed).prove().is_err(), "{kernel}: {shift}");
            tried += 1;
        }
    }
    assert!(tried > 0);
}
