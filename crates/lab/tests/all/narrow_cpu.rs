//! Executes single instructions on the CPU in 32-bit code, whose encodings differ from those of 64-bit code.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::binary_cpu::{Case, MASKS, RECORD, record, records};
use lanesum_prove::concrete::Concrete;

/// The number of general, vector and mask registers.
const REGISTERS: usize = 8;

/// Bytes of an instruction and its length, before a record.
const CODE: usize = 36;

/// These states with the upper halves of general registers zero, which the child does not load.
pub(crate) fn narrowed(mut starts: Vec<Vec<Concrete<u8>>>) -> Vec<Vec<Concrete<u8>>> {
    let all = starts.iter_mut().flatten().flat_map(|start| &mut start.general);
    all.for_each(|register| register[4..].fill(0));
    starts
}

/// The child program. Without a C library: it reads an instruction and a record at a time, copies the instruction to
/// writable code, executes it, and writes the record.
fn program() -> String {
    let (vector, move_) = if is_x86_feature_detected!("avx512f") {
        ("zmm", "vmovdqu64")
    } else if is_x86_feature_detected!("avx") {
        ("ymm", "vmovdqu")
    } else {
        ("xmm", "movdqu")
    };
    const GENERAL: [&str; REGISTERS] = ["eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi"];
    const MEMORY: usize = 144 + 2048;
    let transfer = |name: &str, call: usize, descriptor: usize, place: &str, len: usize| {
        format!(
            "mov edi, offset {place}\nmov ebp, {len}\n{name}: mov eax, {call}\nmov ebx, {descriptor}\n\
             mov ecx, edi\nmov edx, ebp\nint 0x80\ntest eax, eax\njle quit\nadd edi, eax\n\
             sub ebp, eax\njnz {name}\n"
        )
    };
    let mut text = String::from(
        ".intel_syntax noprefix\n.section .code, \"awx\", @progbits\n.globl _start\n_start:\n\
         mov eax, 186\nmov ebx, offset stack\nxor ecx, ecx\nint 0x80\n",
    );
    // SIGSEGV, SIGILL, SIGBUS, SIGFPE and SIGTRAP.
    for signal in [11, 4, 7, 8, 5] {
        writeln!(
            text,
            "mov eax, 174\nmov ebx, {signal}\nmov ecx, offset action\nxor edx, edx\nmov esi, 8\nint 0x80"
        )
        .unwrap();
    }
    text += "next:\n";
    text += &transfer("read", 3, 0, "code", CODE + RECORD);
    // The registers that point into the test memory.
    write!(
        text,
        "mov ecx, [code]\nmov esi, offset code + 4\nmov edi, offset slot\nrep movsb\n\
         mov word ptr [edi], 0x25ff\nmov dword ptr [edi + 2], offset back\n\
         mov eax, [place + 136]\nmov dword ptr [place + 136], 0\nmov dword ptr [place + 140], 0\n\
         cmp eax, 4\nje 1f\nmov dword ptr [place + 32], 0\ncmp eax, -1\nje 1f\n\
         add dword ptr [place + eax * 8], offset place + {MEMORY}\n\
         1: add dword ptr [place + 32], offset place + {MEMORY}\n\
         mov esp, offset top\npush [place + 128]\npopfd\n"
    )
    .unwrap();
    let at = |from: usize, len: usize, i: usize| format!("[place + {}]", from + len * i);
    let vectors = (0..REGISTERS).map(|i| (format!("{vector}{i}"), at(144, 64, i)));
    let count = if is_x86_feature_detected!("avx512bw") { REGISTERS } else { 0 };
    let masks = (0..count).map(|i| (format!("k{i}"), at(MASKS, 8, i)));
    let general = GENERAL.iter().enumerate().map(|(i, name)| (name, at(0, 8, i)));
    vectors.clone().for_each(|(name, at)| writeln!(text, "{move_} {name}, {at}").unwrap());
    masks.clone().for_each(|(name, at)| writeln!(text, "kmovq {name}, {at}").unwrap());
    general.clone().for_each(|(name, at)| writeln!(text, "mov {name}, {at}").unwrap());
    text += "jmp slot\nsave:\n";
    general.for_each(|(name, at)| writeln!(text, "mov {at}, {name}").unwrap());
    text += "mov esp, offset top\npushfd\npop [place + 128]\n";
    vectors.for_each(|(name, at)| writeln!(text, "{move_} {at}, {name}").unwrap());
    masks.for_each(|(name, at)| writeln!(text, "kmovq {at}, {name}").unwrap());
    // The upper halves of registers do not exist.
    (0..REGISTERS)
        .for_each(|i| writeln!(text, "mov dword ptr [place + {}], 0", 8 * i + 4).unwrap());
    text += "jmp 1f\nfaulted: mov dword ptr [place + 136], 2\n1: cld\nmov esp, offset top\n";
    text += &transfer("write", 4, 1, "place", RECORD);
    write!(
        text,
        "jmp next\nquit: mov eax, 1\nxor ebx, ebx\nint 0x80\n.balign 16\nslot: .skip 64\n\
         .data\nstack: .long other, 0, 65536\naction: .long faulted, 0x48000000, 0, 0, 0\n\
         back: .long save\n.bss\n.balign 64\n.skip 12\ncode: .skip {CODE}\nplace: .skip {RECORD}\n\
         other: .skip 65536\n.skip 4096\ntop: .skip 64\n"
    )
    .unwrap();
    text
}

/// Runs each case on the CPU from each of its start states, and returns one record per run.
pub(crate) fn executed(name: &str, cases: &[Case], starts: &[Vec<Concrete<u8>>]) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    let [source, object, program_] =
        ["s", "o", "elf"].map(|end| folder.join(format!("cases.{end}")));
    fs::write(&source, program()).unwrap();
    let ran = |command: &mut Command| assert!(command.status().unwrap().success(), "{command:?}");
    ran(Command::new("as").args(["--32", "-o"]).args([&object, &source]));
    let link = ["-m", "elf_i386", "-N", "--no-warn-rwx-segments", "-o"];
    ran(Command::new("ld").args(link).args([&program_, &object]));
    let mut input = Vec::new();
    for (case, start) in
        cases.iter().zip(starts).flat_map(|(case, all)| all.iter().map(move |one| (case, one)))
    {
        let len = input.len();
        input.extend((case.bytes.len() as u32).to_le_bytes());
        input.extend(&case.bytes);
        input.resize(len + CODE, 0);
        input.extend(record(case, start));
    }
    records(&program_, input, starts)
}
