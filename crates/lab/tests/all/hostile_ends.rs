//! Hostile versions of functions that compress the ends of messages: inserted instructions read at
//! positions that depend on the lengths of two lanes. Lanes are proven separately, and each proof
//! relies on another lane's own proof for what only that lane's length decides.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use crate::common::{Named, mnemonic, shipped};
use lanesum_prove::{Binary, Code, Fault, Instruction, Operand, Place, Shipped};

pub(crate) const RAX: usize = 0;
pub(crate) const RCX: usize = 1;
pub(crate) const RSP: usize = 4;

/// An address without code, for inserted instructions.
pub(crate) const APART: u64 = 1 << 40;

/// A kernel for 64-bit words in lanes, whose loop over lanes the compiler unrolls.
pub(crate) fn original() -> Binary<'static> {
    let is_one = |kernel: &Shipped| kernel.to_string() == "avx512_x8/sha512/finish";
    Binary::find(shipped(), Shipped::all().find(is_one).unwrap()).unwrap()
}

pub(crate) fn instruction(name: &str, operands: &[Operand]) -> Instruction {
    Instruction {
        address: 0,
        next: 0,
        mnemonic: mnemonic(name),
        is_vex: name.starts_with('v'),
        operands: operands.to_vec(),
        mask: None,
        zeroes: false,
        broadcast: false,
        writes_flags: matches!(name, "xor" | "and" | "add" | "sub" | "shl" | "cmp"),
        features: &[],
        text: name.into(),
    }
}

/// A memory operand: registers and an offset.
pub(crate) fn memory(base: usize, index: Option<usize>, offset: i64, bytes: usize) -> Operand {
    let index = index.map(|index| (index, 1));
    Operand::Memory(Place { base: Some(base), index, gathers: None, offset, image: false, bytes })
}

/// A slot below the stack pointer, which a function may use freely.
pub(crate) fn kept(offset: i64) -> Operand {
    memory(RSP, None, offset, 1)
}

/// The code with instructions inserted before or after another one.
pub(crate) fn with(
    code: &Code,
    at: &Instruction,
    before: &[Instruction],
    behind: &[Instruction],
) -> Code {
    let own = [at.clone()];
    let all = before.iter().chain(&own).chain(behind);
    let jump = |to| instruction("jmp", &[Operand::Target(to)]);
    let from = APART + (at.address << 8);
    let mut changed =
        code.changed(Instruction { address: at.address, next: at.next, ..jump(from) });
    for (address, one) in (from..).zip(all.cloned().chain([jump(at.next)])) {
        changed = changed.changed(Instruction { address, next: address + 1, ..one });
    }
    changed
}

/// Checks that all changes are rejected, except `same` equivalent ones. Most fail in the concrete
/// runs that find the loop. At least one does not, and its proof fails with the message `wanted`.
pub(crate) fn refused(
    binary: &Binary<'_>,
    all: impl Iterator<Item = Code>,
    same: usize,
    wanted: &str,
) {
    let all: Vec<Code> = all.collect();
    let count = all.len();
    let faults: Vec<Fault> =
        all.into_iter().filter_map(|code| binary.with(code).prove().err()).collect();
    assert_eq!(faults.len() + same, count, "{faults:?}");
    let is_proofs = |fault: &Fault| {
        let at = fault.at.as_ref().map(|(at, _)| *at);
        at >= Some(APART) && fault.what == wanted
    };
    assert!(faults.iter().any(is_proofs), "{faults:?}");
}

/// A read at an offset in one lane's message that depends on another lane's length.
#[test]
fn no_length_decides_where_another_message_is_read() {
    let binary = original();
    let code = binary.code();
    let instructions: Vec<&Instruction> = code.instructions().collect();
    let last = instructions.iter().rfind(|i| i.name() == "vmovdqu8" && i.mask.is_some());
    let last = last.expect("a read of the end of a message");
    let Some(Operand::Memory(place)) = last.operands.get(1) else { panic!("{last}") };
    let (base, index) = (place.base.unwrap(), place.index.map(|index| index.0));
    let own = [Some(base), index, Some(RSP)];
    let scratch = (0..16).find(|&register| !own.contains(&Some(register))).unwrap();
    let whole = Operand::General(scratch, 8);
    // The correct contents overwrite the result of the read.
    let mut beyond = (*last).clone();
    beyond.operands[1] = Operand::Memory(Place { base: Some(scratch), ..*place });
    let far = [
        instruction("push", &[whole]),
        instruction("movzx", &[Operand::General(scratch, 4), kept(-56)]),
        instruction("shl", &[whole, Operand::Immediate(40)]),
        instruction("add", &[whole, Operand::General(base, 8)]),
        beyond,
        instruction("pop", &[whole]),
    ];
    let sets = [instruction("sets", &[kept(-64)])];
    let below_zero = instructions.iter().filter(|i| i.name() == "cmovs");
    let changed = below_zero.map(|one| with(&with(code, one, &sets, &[]), last, &far, &[]));
    // Equivalent: its own lane's length in each of two rows. If that is negative, the mask is empty.
    refused(&binary, changed, 2, "a sum of addresses is not an address");
}

/// A mask from a message. The contents that the code needs stay the same.
#[test]
fn no_message_decides_a_mask() {
    let binary = original();
    let code = binary.code();
    let is_end =
        |i: &&Instruction| i.name() == "vmovdqu8" && matches!(i.operands[0], Operand::Vector(..));
    // Concrete runs do not execute it.
    let ends = Vec::from_iter(code.instructions().filter(is_end));
    let last = ends.last().expect("a read of the end of a message");
    let Operand::Vector(data, _) = last.operands[0] else { panic!("{last}") };
    let (rax, eax) = (Operand::General(RAX, 8), Operand::General(RAX, 4));
    let slot = memory(RSP, None, -128, 8);
    let masked = |from: Instruction, name: &str, to: Operand| {
        let all = [
            instruction("mov", &[slot, rax]),
            from,
            instruction("kmovw", &[Operand::Mask(7), eax]),
            Instruction { mask: Some(7), ..instruction(name, &[to, Operand::Vector(data, 64)]) },
            instruction("mov", &[rax, slot]),
        ];
        binary.with(with(code, last, &[], &all)).prove()
    };
    let scratch = memory(RSP, None, -64, 64);
    for (name, to) in [("vmovdqa32", Operand::Vector(31, 64)), ("vmovdqu32", scratch)] {
        masked(instruction("mov", &[eax, Operand::Immediate(5)]), name, to).unwrap();
        let fault = masked(instruction("vmovd", &[eax, Operand::Vector(data, 16)]), name, to);
        let wanted = "a mask is unknown or depends on a message";
        assert_eq!(fault.unwrap_err().what, wanted, "{name}");
    }
}

/// The first address in the image that one of these instructions reads.
pub(crate) fn table<'i>(instructions: impl Iterator<Item = &'i Instruction>) -> Operand {
    let mut operands = instructions.flat_map(|i| &i.operands).copied();
    let is_there = |operand: &Operand| matches!(operand, Operand::Memory(place) if place.image);
    operands.find(is_there).expect("an access to the table")
}

/// A read at one of two addresses that both depend on another lane's length: the position is a
/// function of two lengths.
#[test]
fn no_two_lengths_decide_where_a_row_is_read() {
    let binary = original();
    let code = binary.code();
    let instructions: Vec<&Instruction> = code.instructions().collect();
    let goes_on: Vec<&&Instruction> = instructions.iter().filter(|i| i.name() == "setae").collect();
    let table = table(instructions.iter().copied());
    let keep = ["setae", "setb"].into_iter().zip([-64, -65]);
    let keep = Vec::from_iter(keep.map(|(name, at)| instruction(name, &[kept(at)])));
    let [rax, rcx] = [RAX, RCX].map(|register| Operand::General(register, 8));
    let [eax, ecx] = [RAX, RCX].map(|register| Operand::General(register, 4));
    // The slot is then sixteen bytes further up. For messages of one length, the address is in the
    // table.
    let far = [
        instruction("push", &[rax]),
        instruction("push", &[rcx]),
        instruction("movzx", &[eax, kept(-48)]),
        instruction("movzx", &[ecx, kept(-49)]),
        instruction("cmovae", &[ecx, eax]),
        instruction("xor", &[ecx, Operand::Immediate(1)]),
        instruction("shl", &[rcx, Operand::Immediate(40)]),
        instruction("lea", &[rax, table]),
        instruction("movzx", &[eax, memory(RAX, Some(RCX), 0, 1)]),
        instruction("pop", &[rcx]),
        instruction("pop", &[rax]),
    ];
    let wanted = "an address is unknown or depends on a message";
    let pairs = goes_on.windows(2);
    let changed = pairs.map(|pair| with(&with(code, pair[0], &[], &keep), pair[1], &[], &far));
    refused(&binary, changed, 0, wanted);
}

/// Whole blocks that all messages have are skipped, or compressed twice. Concrete runs have no such
/// blocks.
#[test]
fn whole_blocks_are_compressed_once() {
    let binary = original();
    let code = binary.code();
    let call = code.instructions().find(|i| i.name() == "call").expect("a call");
    let fault = |code: Code| binary.with(code).prove().unwrap_err().to_string();
    let nothing = Instruction { address: call.address, next: call.next, ..instruction("nop", &[]) };
    assert_eq!(fault(code.changed(nothing)), "it skips whole blocks");
    // The arguments are in rdi, rdx, rcx and r9.
    let kept = [7, 2, 1, 9].map(|register| Operand::General(register, 8));
    let all = |name| kept.map(|register| instruction(name, &[register]));
    let [push, mut pop] = [all("push"), all("pop")];
    pop.reverse();
    let twice = [&push[..], std::slice::from_ref(call), &pop[..]].concat();
    let said = fault(with(code, call, &twice, &[]));
    assert!(said.ends_with("it compresses whole blocks twice"), "{said}");
}

/// A function that calls `compress` for many whole blocks only counts blocks from 0, or from those.
#[test]
fn blocks_are_counted_from_those_that_are_compressed() {
    let is_one = |kernel: &Shipped| kernel.to_string() == "sha_ni_x2/sha256/finish";
    let binary = Binary::find(shipped(), Shipped::all().find(is_one).unwrap()).unwrap();
    let code = binary.code();
    let instructions = Vec::from_iter(code.instructions());
    let call = instructions.iter().position(|i| i.name() == "call").expect("a call");
    // The number of blocks is passed in r9, and counts on afterwards.
    let passed = instructions[..call].iter().rev().find_map(|i| match i.operands[..] {
        [Operand::General(9, 8), counter @ Operand::General(..)] if i.name() == "mov" => {
            Some(counter)
        }
        _ => None,
    });
    let Some(Operand::General(counter, 8)) = passed else { panic!("the counter is unknown") };
    let low = Operand::General(counter, 4);
    let is_reset = |i: &&&Instruction| i.name() == "xor" && i.operands == [low, low];
    // The code for messages without a call may be behind it.
    let (before, after) = instructions.split_at(call);
    let reset = before.iter().rev().chain(after).find(is_reset).expect("a call for no blocks");
    binary.prove().unwrap();
    let one = instruction("mov", &[low, Operand::Immediate(1)]);
    let none = instruction("xor", &[low, low]);
    // The first block is skipped; blocks are compressed again; one is skipped behind them.
    for (at, wrong) in [
        (*reset, one),
        (instructions[call], none),
        (instructions[call], instruction("add", &[low, Operand::Immediate(1)])),
    ] {
        let changed = binary.with(with(code, at, &[], &[wrong]));
        assert!(changed.prove().is_err(), "{} at {:#x}", at.text, at.address);
    }
}

/// A far call of the function that compresses whole blocks would load a segment from the slot.
#[test]
fn other_functions_are_not_called_far() {
    let binary = original();
    let call = binary.code().instructions().find(|i| i.name() == "call").expect("a call");
    assert_eq!(binary.bytes(call).unwrap()[..2], [0xff, 0x15], "{call}");
    let image = shipped().patched(call.address + 1, &[0x1d]);
    let far = Binary::at(&image, binary.entry(), binary.kernel).unwrap();
    let fault = far.prove().unwrap_err();
    assert_eq!(fault.at.map(|(at, _)| at), Some(call.address), "{}", fault.what);
}

/// A kernel that pads while loading.
pub(crate) fn of_sha_instructions(name: &str) -> Binary<'static> {
    let is_one = |kernel: &Shipped| kernel.to_string() == name;
    Binary::find(shipped(), Shipped::all().find(is_one).unwrap()).unwrap()
}

/// The checks for a remaining whole block.
pub(crate) fn asks_for_a_block(code: &Code) -> Vec<&Instruction> {
    let is_one = |i: &&Instruction| match i.operands[..] {
        [Operand::General(_, 8), Operand::Immediate(63)] => i.name() == "cmp",
        _ => false,
    };
    code.instructions().filter(is_one).collect()
}

/// Messages of one length modulo a block are padded a byte too early. Concrete runs lack that
/// length.
#[test]
fn every_end_of_a_message_is_a_case() {
    let binary = of_sha_instructions("sha_ni_x1/sha256/finish");
    let code = binary.code();
    let asks = asks_for_a_block(code)[0];
    let Operand::General(left, _) = asks.operands[0] else { panic!("{asks}") };
    let scratch = if left == RAX { RCX } else { RAX };
    let padded_early = |bytes: u64| {
        let one_less = [
            instruction("cmp", &[asks.operands[0], Operand::Immediate(bytes)]),
            instruction("sete", &[kept(-64)]),
            instruction("push", &[Operand::General(scratch, 8)]),
            instruction("movzx", &[Operand::General(scratch, 4), kept(-56)]),
            instruction("sub", &[asks.operands[0], Operand::General(scratch, 8)]),
            instruction("pop", &[Operand::General(scratch, 8)]),
        ];
        binary.with(with(code, asks, &one_less, &[]))
    };
    for bytes in [2, 15, 16, 31, 37, 47, 62] {
        let changed = padded_early(bytes);
        changed.refute().unwrap();
        assert!(changed.prove().is_err(), "{bytes}");
    }
    // Fewer bytes than ever remain there.
    padded_early((-100_i64).cast_unsigned()).prove().unwrap();
}

/// Registers of the caller may hold chaining values. A counter that begins with one is no length, and
/// decides no branch. Concrete runs lack the length at which it is read.
#[test]
fn a_counter_may_begin_only_with_a_number() {
    let binary = of_sha_instructions("sha_ni_x1/sha256/finish");
    let code = binary.code();
    let frame = |name: &str| {
        let is_one = |i: &&Instruction| match i.operands[..] {
            [Operand::General(RSP, 8), Operand::Immediate(_)] => i.name() == name,
            _ => false,
        };
        let found = code.instructions().find(is_one).expect("a frame");
        let Operand::Immediate(len) = found.operands[1] else { panic!("{found}") };
        let operands = vec![found.operands[0], Operand::Immediate(len + 16)];
        (len, Instruction { operands, ..found.clone() })
    };
    // A slot that no callee overwrites, below the registers that the function restores.
    let ((len, begins), (_, ends)) = (frame("sub"), frame("add"));
    let mut moved = code.changed(begins.clone()).changed(ends);
    for i in code.instructions() {
        let is_outside = |operand: &mut Operand| match operand {
            Operand::Memory(place) if place.base == Some(RSP) && place.offset >= len as i64 => {
                place.offset += 16;
                true
            }
            _ => false,
        };
        let mut further = i.clone();
        if further.operands.iter_mut().map(is_outside).fold(false, |any, one| any | one) {
            moved = moved.changed(further);
        }
    }
    let code = moved;
    let asks = asks_for_a_block(&code)[0];
    let slot = memory(RSP, None, len as i64, 8);
    let to = Operand::Target(APART + (asks.address << 8) + 5);
    let reads = [
        instruction("add", &[slot, Operand::Immediate(64)]),
        instruction("cmp", &[asks.operands[0], Operand::Immediate(3)]),
        instruction("jne", &[to]),
        instruction("cmp", &[slot, Operand::Immediate(0)]),
        instruction("js", &[to]),
    ];
    let begun = |value: Operand| {
        let begin = [instruction("mov", &[slot, value])];
        binary.with(with(&with(&code, &begins, &[], &begin), asks, &reads, &[])).prove()
    };
    begun(Operand::Immediate(0)).unwrap();
    let fault = begun(Operand::General(10, 8)).unwrap_err();
    assert_eq!(fault.what, "a condition is unknown or depends on a message");
}

/// Two lengths decide where a row is read in a kernel with two lanes. Each lane's proof knows its
/// own length, and therefore sees a function of the other length only.
#[test]
fn no_two_lengths_of_two_lanes_decide_where_a_row_is_read() {
    let binary = of_sha_instructions("sha_ni_x2/sha256/finish");
    let code = binary.code();
    let left = asks_for_a_block(code);
    assert!(left.len() >= 2, "each lane checks the remaining length");
    let vectors =
        code.instructions().filter(|i| matches!(i.operands[..], [Operand::Vector(..), _]));
    let table = table(vectors);
    // Whether `bytes` bytes of a lane's message remain.
    let are_left = |i: &Instruction, bytes: u64, at: i64| {
        let all = [i.operands[0], Operand::Immediate(bytes)];
        [instruction("cmp", &all), instruction("sete", &[kept(at)])]
    };
    // A length that neither concrete runs nor messages of equal length have.
    let [rax, rcx] = [RAX, RCX].map(|register| Operand::General(register, 8));
    let [eax, ecx] = [RAX, RCX].map(|register| Operand::General(register, 4));
    let far = [
        instruction("push", &[rax]),
        instruction("push", &[rcx]),
        instruction("movzx", &[eax, kept(-48)]),
        instruction("movzx", &[ecx, kept(-49)]),
        instruction("and", &[eax, ecx]),
        instruction("shl", &[rax, Operand::Immediate(40)]),
        instruction("lea", &[rcx, table]),
        instruction("movzx", &[eax, memory(RAX, Some(RCX), 0, 1)]),
        instruction("pop", &[rcx]),
        instruction("pop", &[rax]),
    ];
    let wanted = "an address is unknown or depends on a message";
    let changed = left.windows(2).map(|pair| {
        let first = with(code, pair[0], &are_left(pair[0], 5, -64), &[]);
        let second = [&are_left(pair[1], 6, -65)[..], &far].concat();
        with(&first, pair[1], &second, &[])
    });
    refused(&binary, changed, 0, wanted);
}

/// Slices of blocks and of chaining values may be longer than required. A kernel that then does
/// nothing is wrong.
#[test]
fn slices_may_be_longer_than_they_must() {
    const RDX: usize = 2;
    const RSI: usize = 6;
    const R9: usize = 9;
    let binary = of_sha_instructions("sha_ni_x1/sha256");
    let code = binary.code();
    let entry = code.at(binary.entry()).unwrap();
    let ret = code.instructions().find(|i| i.name() == "ret").expect("a return");
    let general = |register| Operand::General(register, 8);
    let unless_equal = instruction("jne", &[Operand::Target(ret.address)]);
    let compare = |other: Operand| instruction("cmp", &[general(RAX), other]);
    // rcx points to the slices, r9 is the number of blocks, and rdx the distance between words.
    let of_blocks = [
        instruction("mov", &[general(RAX), general(R9)]),
        instruction("shl", &[general(RAX), Operand::Immediate(6)]),
        compare(memory(RCX, None, 8, 8)),
        unless_equal.clone(),
    ];
    let of_state = [
        instruction("imul", &[general(RAX), general(RDX), Operand::Immediate(7)]),
        instruction("add", &[general(RAX), Operand::Immediate(1)]),
        compare(general(RSI)),
        unless_equal,
    ];
    for what in [&of_blocks, &of_state] {
        let fault = binary.with(with(code, entry, what, &[])).prove().unwrap_err();
        assert!(fault.at.is_some_and(|(at, _)| at >= APART), "{}", fault.what);
        // Without the branch, the kernel is correct.
        binary.with(with(code, entry, &what[..2], &[])).prove().unwrap();
    }
}

/// Slices of chaining values may have different lengths. A loop of PBKDF2 that then does nothing is
/// wrong.
#[test]
fn slices_of_chaining_values_may_differ_in_length() {
    const RDI: usize = 7;
    let binary = of_sha_instructions("sha_ni_x1/sha256/iterate");
    let code = binary.code();
    let entry = code.at(binary.entry()).unwrap();
    let ret = code.instructions().find(|i| i.name() == "ret").expect("a return");
    let general = |register| Operand::General(register, 8);
    let unless_equal = instruction("jne", &[Operand::Target(ret.address)]);
    // rdi points to two slices of initial chaining values; rcx and r9 are the lengths of the
    // digest's and the sum's slice.
    let lengths = [general(RCX), general(9), memory(RDI, None, 8, 8), memory(RDI, None, 24, 8)];
    for (i, first) in lengths.iter().enumerate() {
        for other in &lengths[i + 1..] {
            let compare = [
                instruction("mov", &[general(RAX), *first]),
                instruction("cmp", &[general(RAX), *other]),
                unless_equal.clone(),
            ];
            let found = binary.with(with(code, entry, &compare, &[])).prove();
            assert!(found.is_err(), "{first:?}, {other:?}");
        }
    }
}

/// Addresses more than a page past a slice may wrap around, so their order is unknown.
#[test]
fn addresses_far_behind_a_slice_may_wrap() {
    let binary = of_sha_instructions("sha_ni_x1/sha256");
    let code = binary.code();
    let entry = code.at(binary.entry()).unwrap();
    let ret = code.instructions().find(|i| i.name() == "ret").expect("a return");
    let general = |register| Operand::General(register, 8);
    let [rax, r10, r11] = [RAX, 10, 11].map(general);
    let to_the_end = |name: &str| instruction(name, &[Operand::Target(ret.address)]);
    let add = instruction("add", &[r11, r10]);
    // rcx points to the slices, and r9 is the number of blocks.
    let begin = [
        instruction("cmp", &[general(9), Operand::Immediate(0)]),
        to_the_end("je"),
        instruction("mov", &[rax, memory(RCX, None, 0, 8)]),
        instruction("mov", &[r10, memory(RCX, None, 8, 8)]),
        instruction("mov", &[r11, rax]),
    ];
    let compare = [instruction("cmp", &[r11, rax]), to_the_end("jb")];
    let zero = [instruction("cmp", &[r11, Operand::Immediate(0)]), to_the_end("je")];
    let end = |what: &[Instruction], times: usize| {
        let all = [&begin[..], &vec![add.clone(); times], what].concat();
        binary.with(with(code, entry, &all, &[])).prove()
    };
    // The end of a slice is above its start.
    end(&compare, 1).unwrap();
    end(&zero, 1).unwrap();
    for (what, times) in [(&compare, 2), (&zero, 2), (&zero, 3)] {
        assert!(end(what, times).is_err(), "{times} lengths behind");
    }
    // Twice the length, minus the length.
    let all =
        [&begin[..], &[add.clone(), add.clone(), instruction("add", &[rax, r10])], &compare[..]];
    assert!(binary.with(with(code, entry, &all.concat(), &[])).prove().is_err());
}
