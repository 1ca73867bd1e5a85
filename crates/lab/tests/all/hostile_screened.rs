//! Hostile versions of the functions that look for blocks of collision attacks on SHA-1, which an earlier prover proved.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use crate::common::{Named, named};
use crate::hostile_ends::{APART, RCX, RSP, instruction, memory, with};
use lanesum_prove::{Instruction, Operand};

const RDI: usize = 7;

/// If a word of the schedule is zero, this function tests forever whether a vector remains.
#[test]
fn vectors_that_remain_are_not_tested_forever() {
    let binary = named("portable_x1/sha1/read");
    let all = Vec::from_iter(binary.code().instructions());
    let scans = all.iter().find(|i| i.name() == "tzcnt").expect("a search for a vector");
    // The branch at the end of the loop, on whether vectors remain.
    let back = all.iter().rfind(|i| i.name() == "jne").expect("a loop");
    let rest = [scans.operands[1]; 2];
    let ecx = Operand::General(RCX, 4);
    let test = |of: [Operand; 2]| Instruction { writes_flags: true, ..instruction("test", &of) };
    let again = |name: &str| {
        let all = [
            test(rest),
            instruction("je", &[Operand::Target(back.next)]),
            instruction("mov", &[ecx, memory(RDI, None, 0, 4)]),
            test([ecx, ecx]),
            instruction(name, &[Operand::Target(APART + (back.address << 8))]),
            instruction("jmp", &[back.operands[0]]),
        ];
        binary.with(with(binary.code(), back, &all, &[]))
    };
    let nothing = again("nop");
    nothing.prove().unwrap();
    let forever = again("je");
    forever.refute().unwrap();
    assert_eq!(forever.prove().unwrap_err().what, "it looks for no vector");
}

/// The search for a vector writes its number to the stack pointer, which the next instruction restores.
#[test]
fn no_vector_is_the_stack_pointer() {
    let binary = named("portable_x1/sha1/read");
    let scans = binary.code().instructions().find(|i| i.name() == "tzcnt").expect("a search");
    let Operand::General(own, 4) = scans.operands[0] else { panic!("{scans}") };
    let [rsp, saved] = [RSP, own].map(|register| Operand::General(register, 8));
    let saves = [instruction("mov", &[saved, rsp])];
    let restores = [instruction("xchg", &[rsp, saved])];
    let by = |register: usize, restores: &[Instruction]| {
        let operands = vec![Operand::General(register, 4), scans.operands[1]];
        let scans = Instruction { operands, ..scans.clone() };
        let code = binary.code().changed(scans.clone());
        binary.with(with(&code, &scans, &saves, restores)).prove()
    };
    by(own, &[]).unwrap();
    let fault = by(RSP, &restores).unwrap_err();
    assert_eq!(fault.what, "the stack pointer leaves the function's frame");
}

/// This function compresses two blocks per iteration, and writes the trace of the first only.
#[test]
fn every_block_has_its_own_trace() {
    for name in ["sha_ni_x1/sha1/traced", "sha_ni_vl_x1/sha1/traced"] {
        let binary = named(name);
        let all = Vec::from_iter(binary.code().instructions());
        let goes_back = |i: &&&Instruction| match i.operands[..] {
            [Operand::Target(to)] => i.name() == "jne" && to < i.address,
            _ => false,
        };
        let back = *all.iter().find(goes_back).expect("a loop");
        let Operand::Target(head) = back.operands[0] else { panic!("{back}") };
        let stores = |i: &Instruction| match i.operands[..] {
            [Operand::Memory(to), Operand::Vector(..)] => to.base != Some(RSP),
            _ => false,
        };
        let body = all.iter().filter(|i| (head..back.address).contains(&i.address));
        let second = body.filter(|i| !stores(i)).map(|&i| i.clone());
        let last = instruction("je", &[Operand::Target(back.next)]);
        let twice = Vec::from_iter(std::iter::once(last).chain(second));
        let changed = binary.with(with(binary.code(), back, &twice, &[]));
        let fault = changed.prove().unwrap_err();
        assert_eq!(fault.what, "it writes one row for several blocks", "{name}");
        assert_eq!(changed.refute().unwrap_err().what, "trace 1 is wrong", "{name}");
        assert!(binary.refute().is_ok(), "{name}");
    }
}
