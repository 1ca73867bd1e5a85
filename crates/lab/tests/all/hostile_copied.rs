//! Wrong functions that pad a copy of a message's end. Their call of `compress` violates an assumption of its
//! proof: that the arguments are not on its own stack, and that slices are memory.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use crate::common::{Named, named, shipped};
use crate::hostile_ends::{RAX, RCX, RSP, instruction, memory, with};
use crate::hostile_parts::whole;
use lanesum_prove::{Binary, Code, Instruction, Operand};

/// Returns the function's instructions, without its callees'.
fn own<'b>(binary: &'b Binary<'_>) -> impl Iterator<Item = &'b Instruction> {
    let from = binary.entry();
    let len = shipped().function(from).unwrap().code.len() as u64;
    binary.code().instructions().filter(move |i| (from..from + len).contains(&i.address))
}

/// The copy and its slice are in the red zone, where the call stores its return address and `compress` has its
/// frame.
#[test]
fn a_callee_overwrites_the_red_zone() {
    for name in ["bmi2_asm_x1/sha256/finish", "sha512_ni_x1/sha512/finish"] {
        let binary = named(name);
        let call = own(&binary).filter(|i| i.name() == "call").last().unwrap();
        let moved = |first: &str, last: &str, by| {
            let one = |name: &str| instruction(name, &[whole(RSP), Operand::Immediate(by)]);
            binary.with(with(binary.code(), call, &[one(first)], &[one(last)])).prove()
        };
        moved("sub", "add", 112).unwrap();
        for by in [32, 112] {
            let fault = moved("add", "sub", by).unwrap_err().to_string();
            let wanted = "compress is passed memory on its own stack";
            assert!(fault.ends_with(wanted), "{name}, {by}: {fault}");
        }
    }
}

/// The block is in the red zone, and its slice is not.
#[test]
fn a_callee_overwrites_a_block_in_the_red_zone() {
    let binary = named("bmi2_asm_x1/sha256/finish");
    let call = own(&binary).filter(|i| i.name() == "call").last().unwrap();
    // One block, at the address in rax.
    let one = [Operand::General(9, 4), Operand::Immediate(1)];
    let count = own(&binary).find(|i| i.name() == "mov" && i.operands == one).unwrap();
    let moved = |by| {
        let slice = |offset| memory(RSP, None, offset, 8);
        let all = [
            instruction("mov", &[slice(0x70), whole(RAX)]),
            instruction("mov", &[slice(0x78), Operand::Immediate(64)]),
            instruction("lea", &[whole(RCX), slice(0x70)]),
            instruction("add", &[whole(RSP), Operand::Immediate(by)]),
            instruction("call", &call.operands),
            instruction("sub", &[whole(RSP), Operand::Immediate(by)]),
            instruction("jmp", &[Operand::Target(call.next)]),
        ];
        binary.with(with(binary.code(), count, &[], &all)).prove()
    };
    moved(0).unwrap();
    let fault = moved(0x60).unwrap_err().to_string();
    assert!(fault.ends_with("compress is passed memory on its own stack"), "{fault}");
}

/// `compress` returns immediately if a slice has 2^63 bytes or more. Its proof assumes shorter slices, so
/// `finish` must not pass a longer one.
#[test]
fn a_callee_is_passed_slices_of_memory() {
    let compress = named("bmi2_asm_x1/sha256");
    let reads = own(&compress).find(|i| match i.operands[..] {
        [_, Operand::Memory(place)] => i.name() == "mov" && place.base == Some(RCX),
        _ => false,
    });
    let back = own(&compress).find(|i| i.name() == "ret").unwrap().address;
    let skips = [
        instruction("cmp", &[memory(RCX, None, 8, 8), Operand::Immediate(0)]),
        instruction("jl", &[Operand::Target(back)]),
    ];
    let skipping = with(compress.code(), reads.unwrap(), &skips, &[]);
    compress.with(skipping).prove().unwrap();
    let finish = named("bmi2_asm_x1/sha256/finish");
    let stored = |i: &&Instruction| {
        matches!(i.operands[..], [Operand::Memory(_), Operand::Immediate(64 | 128)])
    };
    let lengths: Vec<&Instruction> = own(&finish).filter(stored).collect();
    assert_eq!(lengths.len(), 2);
    let with_lengths = |len: &dyn Fn(u64) -> u64| {
        let change = |code: Code, old: &&Instruction| {
            let [to, Operand::Immediate(k)] = old.operands[..] else { unreachable!() };
            let operands = vec![to, Operand::Immediate(len(k))];
            code.changed(Instruction { operands, ..(*old).clone() })
        };
        finish.with(lengths.iter().fold(finish.code().clone(), change)).prove()
    };
    with_lengths(&|k| k).unwrap();
    let fault = with_lengths(&|k| k.wrapping_neg()).unwrap_err().to_string();
    assert!(
        fault.ends_with("compress is passed a slice that is longer than its memory"),
        "{fault}"
    );
    // The stack ends before.
    assert!(with_lengths(&|_| 4096).is_err());
}
