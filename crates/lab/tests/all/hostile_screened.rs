//! Hostile versions of functions that look for blocks of collision attacks. They report blocks without reading all
//! conditions.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use crate::common::{Named, shipped};
use crate::hostile_ends::{APART, RAX, instruction, memory, of_sha_instructions, with};
use crate::hostile_parts::{program, whole};
use lanesum_prove::{Binary, Instruction, Operand};

const RSP: usize = 4;
const RSI: usize = 6;
const RDI: usize = 7;

const EAX: Operand = Operand::General(RAX, 4);

fn number(k: u64) -> Operand {
    Operand::Immediate(k)
}

/// The call of the function that reads all conditions of a block.
fn call_of_read(binary: &Binary<'_>) -> Instruction {
    let read = shipped().named("lanesum_spec::sha1dc::read").next().unwrap().address;
    let leads_to_it = |i: &&Instruction| match i.operands[..] {
        [Operand::Target(at)] => at == read,
        [Operand::Memory(place)] if place.image => {
            let slot = format!("{:?}", shipped().byte::<u64>(place.offset as u64));
            slot.contains(&format!("offset: {read} "))
        }
        _ => false,
    };
    let mut calls = binary.code().instructions().filter(|i| i.name() == "call");
    calls.find(leads_to_it).expect("a call of the function").clone()
}

/// The function first reads the conditions of no vector. It uses this result, although it then reads the conditions of
/// all remaining vectors.
#[test]
fn the_conditions_of_a_block_are_read_once() {
    for name in ["portable_x1/sha1/screen", "bmi2_x1/sha1/screen"] {
        let binary = of_sha_instructions(name);
        let call = call_of_read(&binary);
        let before = [
            instruction("sub", &[whole(RSP), number(64)]),
            instruction("mov", &[memory(RSP, None, 32, 8), whole(RDI)]),
            instruction("mov", &[memory(RSP, None, 40, 8), whole(RSI)]),
            instruction("mov", &[Operand::General(RSI, 4), number(0)]),
            call.clone(),
            instruction("mov", &[memory(RSP, None, 48, 4), EAX]),
            instruction("mov", &[whole(RDI), memory(RSP, None, 32, 8)]),
            instruction("mov", &[whole(RSI), memory(RSP, None, 40, 8)]),
        ];
        let behind = [
            instruction("mov", &[EAX, memory(RSP, None, 48, 4)]),
            instruction("add", &[whole(RSP), number(64)]),
        ];
        let code = with(binary.code(), &call, &before, &behind);
        let fault = binary.with(code).prove().unwrap_err();
        assert!(fault.what.contains("the conditions of a block twice"), "{name}: {}", fault.what);
    }
}

/// The function reads bits of the first block. If they are zero, it reads no conditions of any other block.
#[test]
fn bits_of_the_first_block_are_not_those_of_the_next() {
    let binary = of_sha_instructions("portable_x1/sha1/screen");
    let all: Vec<&Instruction> =
        binary.code().instructions().filter(|i| i.address >= binary.entry()).collect();
    let of_frame = |name: &str| {
        let is_it = |i: &&&Instruction| i.name() == name && i.operands[0] == whole(RSP);
        *all.iter().find(is_it).expect("a frame")
    };
    let Operand::Immediate(len) = of_frame("sub").operands[1] else { panic!("no constant") };
    // The frame becomes larger, by a slot for whether the bits are read, and one for them.
    let larger = |one: &Instruction| {
        let operands = vec![whole(RSP), number(len + 32)];
        Instruction { operands, ..one.clone() }
    };
    let [is_read, bits] =
        [(0, 8), (8, 4)].map(|(at, bytes)| memory(RSP, None, len as i64 + at, bytes));
    let clear = [instruction("mov", &[is_read, number(0)])];
    let code = binary.code().changed(larger(of_frame("add")));
    let code = with(&code, of_frame("sub"), &[], &clear);
    let code = code.changed(Instruction {
        address: APART + (of_frame("sub").address << 8),
        next: APART + (of_frame("sub").address << 8) + 1,
        ..larger(of_frame("sub"))
    });
    // Each iteration calls a function with the address of a block, and stores its result.
    let stores = |i: &&Instruction| matches!(i.operands[..], [Operand::Memory(_), EAX]);
    let store = all.iter().position(stores).expect("a store");
    let call = all[..store].iter().rfind(|i| i.name() == "call").expect("a call");
    let xmm0 = Operand::Vector(0, 16);
    let skipping = |skip: &str| {
        let inserted = [
            instruction("cmp", &[is_read, number(0)]),
            instruction("jne", &[]),
            instruction("mov", &[is_read, number(1)]),
            instruction("movdqu", &[xmm0, memory(RDI, None, 0, 16)]),
            instruction("psllw", &[xmm0, number(1)]),
            instruction("pmovmskb", &[EAX, xmm0]),
            instruction("mov", &[bits, EAX]),
            instruction("jmp", &[]),
            instruction("cmp", &[bits, number(0)]),
            instruction("mov", &[EAX, number(0)]),
            instruction(skip, &[Operand::Target(call.next)]),
        ];
        binary.with(program(&code, call, &inserted, &[(1, 8), (7, 11)])).prove()
    };
    skipping("nop").unwrap();
    let fault = skipping("je").unwrap_err();
    assert!(fault.what.contains("depends on a message"), "{}", fault.what);
}
