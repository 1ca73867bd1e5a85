//! Wrong assembly files, with errors that a prover has missed or could miss: all are rejected.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use lanesum_kernels::emit::Target;

use crate::kernels::text_of;

pub(crate) fn shipped(kernel: &str) -> String {
    if let Some(target) = Target::named(kernel) {
        return text_of(target);
    }
    let stitched = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/src/kernel/x86/stitched");
    fs::read_to_string(stitched.join(format!("{kernel}.s"))).unwrap()
}

pub(crate) fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("refused");
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The fault that `lanesum-graph prove` reports for an assembly file; `None` if it is proven.
pub(crate) fn fault(kernel: &str, case: &str, text: &str) -> Option<String> {
    let file = folder().join(format!("{kernel}-{case}.s"));
    fs::write(&file, text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_lanesum-graph"));
    let output = command.arg("prove").args([Path::new(kernel), &file]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    match output.status.code() {
        Some(0) => None,
        Some(1) => Some(said),
        code => panic!("{kernel}, {case}: exit status {code:?}: {said}"),
    }
}

/// A replacement of one line: the old line and the new one. If several lines match, the last is
/// replaced, so that the prover executes most of the kernel before it.
type Change = (&'static str, &'static str);

fn changed(kernel: &str, (from, to): Change) -> String {
    let whole = shipped(kernel);
    let mut lines: Vec<&str> = whole.lines().collect();
    let at = lines.iter().rposition(|line| line.trim() == from);
    let at = at.unwrap_or_else(|| panic!("{kernel} has no line `{from}`"));
    lines[at] = to;
    lines.join("\n") + "\n"
}

fn are_rejected(kernel: &str, changes: &[Change]) {
    for (i, &change) in changes.iter().enumerate() {
        let found = fault(kernel, &i.to_string(), &changed(kernel, change));
        assert!(found.is_some(), "{kernel} is proven with `{}` for `{}`", change.1, change.0);
    }
}

#[test]
fn shipped_kernels_are_proven_by_the_command() {
    for kernel in ["sha256_bmi2", "sha512_bmi2", "sha1_i686", "sha1_sse2", "sha256_avx512"] {
        assert_eq!(fault(kernel, "shipped", &shipped(kernel)), None);
    }
}

const COUNT: &str = "sub qword ptr [rsp + 112], 1";

/// Lines that the assembler treats as instructions or constants, and that a simple parser would
/// skip.
#[test]
fn every_statement_of_an_assembly_file_is_read() {
    let before_the_end = |line: &'static str| -> String {
        shipped("sha256_bmi2").replace(COUNT, &format!("{line}\n    {COUNT}"))
    };
    for (i, line) in [
        ".byte 0x31,0xc0",
        "xor eax, eax; x:",
        "x: xor eax, eax",
        "1: xor eax, eax; x:",
        ".p2align 4; xor eax, eax",
        ".p2align 4, 0xf8",
        ".cfi_def_cfa_offset 376; xor eax, eax",
        ".macro sub a, b, c",
        ".if 0",
        ".rept 2",
        ".pushsection .rodata",
        ".include \"other.s\"",
        ".att_syntax",
    ]
    .into_iter()
    .enumerate()
    {
        let found = fault("sha256_bmi2", &format!("between-{i}"), &before_the_end(line));
        assert!(found.is_some(), "`{line}` is accepted");
    }
    // Lines that the assembler ignores are accepted.
    for (i, line) in ["# add eax, ecx", "add eax, 0 # 1", "nop; nop"].into_iter().enumerate() {
        assert_eq!(fault("sha256_bmi2", &format!("nothing-{i}"), &before_the_end(line)), None);
    }
    are_rejected(
        "sha1_sse2",
        &[
            ("jb 2b", ".byte 0x31,0xc0\njb 2b"),
            ("jb 2b", "xor eax, eax; jb 2b"),
            ("jb 2b", ".p2align 4; xor eax, eax\njb 2b"),
            ("jb 2b", ".skip 3, 0xf8\njb 2b"),
        ],
    );
    // The assembler reads these as octal numbers: 25 and 74.
    are_rejected("sha1_sse2", &[("psrld xmm10, 31", "psrld xmm10, 031")]);
    are_rejected("sha256_bmi2", &[(COUNT, "sub qword ptr [rsp + 0112], 1")]);
    // A table of constants with a gap, or with an entry of another width.
    let constant = ".quad 0x5fcb6fab3ad6faec";
    are_rejected(
        "sha512_bmi2",
        &[
            (constant, ".p2align 6\n.quad 0x5fcb6fab3ad6faec"),
            (constant, ".long 0x5fcb6fab\n.long 0x3ad6faec"),
            (constant, ".quad 0x5fcb6fab3ad6faec, 0"),
            (constant, ""),
        ],
    );
}

#[test]
fn wrong_block_counts_are_rejected() {
    let text = shipped("sha256_bmi2");
    let with = |changes: &[(&str, &str)]| {
        changes.iter().fold(text.clone(), |text, (from, to)| {
            assert!(text.contains(from), "{from}");
            text.replacen(from, to, 1)
        })
    };
    let cases = [
        (
            "it stops one block early",
            with(&[(
                "sub qword ptr [rsp + 112], 1",
                "sub qword ptr [rsp + 112], 1\n    mov r10, qword ptr [rsp + 112]\n    sub r10, 1",
            )]),
        ),
        (
            "it ignores a single block",
            with(&[("test rdx, rdx", "sub rdx, 1"), ("push rbx", "add rdx, 1\n    push rbx")]),
        ),
        (
            "it stops one block late",
            with(&[(
                "sub qword ptr [rsp + 112], 1",
                "sub qword ptr [rsp + 112], 1\n    \
              mov r10, qword ptr [rsp + 112]\n    add r10, 1",
            )]),
        ),
        ("its count decreases by two per block", with(&[(COUNT, "sub qword ptr [rsp + 112], 2")])),
        ("its count has 32 bits", with(&[(COUNT, "sub dword ptr [rsp + 112], 1")])),
        ("its count is truncated to 32 bits", with(&[("push rbx", "mov edx, edx\n    push rbx")])),
        ("it tests the lower half of the count", with(&[("test rdx, rdx", "test edx, edx")])),
        ("the branch at its start is inverted", with(&[("jz .L", "jnz .L")])),
        ("the branch at its end is inverted", with(&[("jnz .L", "jz .L")])),
        ("it tests a pointer instead of the count", with(&[("test rdx, rdx", "test rsi, rsi")])),
    ];
    for (i, (what, text)) in cases.iter().enumerate() {
        let found = fault("sha256_bmi2", &format!("count-{i}"), text);
        assert!(found.is_some(), "proven, although {what}");
    }
}

#[test]
fn wrong_operand_widths_are_rejected() {
    are_rejected(
        "sha512_bmi2",
        &[("mov qword ptr [rsi], rax", "mov dword ptr [rsi], eax"), ("bswap r11", "bswap r11d")],
    );
    let whole = shipped("sha512_bmi2");
    // One instruction of each kind with narrow operands.
    let narrow = |line: &str| {
        let names = [
            ("rax", "eax"),
            ("rcx", "ecx"),
            ("rdx", "edx"),
            ("rbx", "ebx"),
            ("rbp", "ebp"),
            ("rsi", "esi"),
            ("rdi", "edi"),
            ("qword", "dword"),
        ];
        let names = names.map(|(x, y)| (x.to_owned(), y.to_owned()));
        let high = (8..16).map(|i| (format!("r{i}"), format!("r{i}d")));
        names.into_iter().chain(high).fold(line.to_owned(), |line, (x, y)| line.replace(&x, &y))
    };
    let mut seen = 0;
    for name in ["mov r", "add r", "xor r", "and r", "andn r", "rorx r", "lea r", "add r"] {
        let of = |line: &&str| line.trim().starts_with(name) && !line.contains("rsp");
        let Some(line) = whole.lines().filter(of).nth(5) else { continue };
        let text = whole.replacen(line, &narrow(line), 1);
        assert!(text != whole);
        let found = fault("sha512_bmi2", &format!("narrow-{seen}"), &text);
        assert!(found.is_some(), "`{}` is proven for `{line}`", narrow(line));
        seen += 1;
    }
    assert!(seen >= 6, "{seen}");
    // The address computed by an addition truncated to 32 bits.
    let sum = changed("sha512_bmi2", ("add rsi, r15", "lea rsi, [rsi + r15]"));
    assert_eq!(fault("sha512_bmi2", "sum", &sum), None);
    are_rejected("sha512_bmi2", &[("add rsi, r15", "lea rsi, [esi + r15d]")]);
    are_rejected("sha256_bmi2", &[("mov r9d, r10d", "mov r9d, r10w")]);
}

/// A vector shift by the word width or more yields zero. Only shifts of general registers reduce
/// the count modulo the width.
#[test]
fn vector_shift_counts_are_not_reduced_modulo_the_width() {
    are_rejected(
        "sha1_sse2",
        &[
            ("psrld xmm10, 31", "psrld xmm10, 63"),
            ("psrld xmm10, 30", "psrld xmm10, 62"),
            ("pslld xmm11, 2", "pslld xmm11, 34"),
            ("psrld xmm10, 31", "psrld xmm10, 287"),
        ],
    );
    are_rejected("sha256_sse2", &[("psrld xmm6, 3", "psrld xmm6, 35")]);
    are_rejected("sha512_avx", &[("vpsrlq xmm10, xmm9, 7", "vpsrlq xmm10, xmm9, 71")]);
}

#[test]
fn wrong_counts_in_stitched_kernels_are_rejected() {
    are_rejected(
        "sha1_sse2",
        &[
            // Truncated to 32 bits: wrong only for large messages, such as 2^26 blocks or more.
            ("imul rdx, rdx, 64", "imul edx, edx, 64"),
            ("imul rdx, rdx, 64", "mov edx, edx\nimul rdx, rdx, 64"),
            ("cmp rsi, [rsp+72]", "cmp esi, [rsp+72]"),
            ("cmp r14, [rsp+72]", "cmp r14d, [rsp+72]"),
            ("cmovb rsi, r14", "cmovb esi, r14d"),
            // Reads one block beyond the end.
            ("cmovb rsi, r14", "mov rsi, r14"),
            ("cmovb rsi, r14", "cmovb rsi, [rsi+1000000]"),
            ("jb 2b", ""),
            ("jb 2b", "jae 2b"),
            ("imul rdx, rdx, 64", "imul rdx, rdx, 128"),
            ("imul rdx, rdx, 64", "imul rdx, rdx, 65"),
            ("imul rdx, rdx, 64", "imul rdx, rdx, 32"),
            ("and rsp, -64", ""),
            ("and rsp, -64", "and esp, -64"),
        ],
    );
    are_rejected(
        "sha1_avx2",
        &[
            ("jae 5f", ""),
            ("jae 5f", "jb 5f"),
            ("cmovae rdi, rsi", ""),
            ("lea r14, [rsi+128]", "lea r14, [rsi+192]"),
            ("lea rdi, [rsi+64]", "lea rdi, [rsi+128]"),
        ],
    );
    are_rejected(
        "sha256_avx512",
        &[
            ("vpaddd ymm0{k1}, ymm0, ymm5", "vpaddd ymm0, ymm0, ymm5"),
            ("vpaddd ymm0{k1}, ymm0, ymm5", "vpaddd ymm0{k2}, ymm0, ymm5"),
            ("vpaddd ymm0{k1}, ymm0, ymm5", "vpaddq ymm0{k1}, ymm0, ymm5"),
            ("vpaddd ymm0{k1}, ymm0, ymm5", "vpaddd ymm0{k1}{z}, ymm0, ymm5"),
            ("kmovw k1, eax", "kmovw k1, edx"),
            ("mov eax, 0x33", "mov eax, 0x32"),
        ],
    );
}

/// An unsupported instruction is reported as a fault; the prover does not panic.
#[test]
fn unsupported_instructions_are_rejected() {
    let line = "mov r9d, r10d";
    for (i, other) in [
        "adc r9d, r10d",
        "adc r9d, 5",
        "shrd r9d, r10d, 3",
        "ror r9d, r10d",
        "push r9",
        "pop r9",
        "mov r9d",
        "mov",
        "add r9d, r10d, eax",
        "rorx r9d, r10d",
        "test r9d",
        "ret",
        "mov r9d, [rip]",
        "mov r9d, dword ptr [rip + .Lsha256_bmi2_end]",
    ]
    .into_iter()
    .enumerate()
    {
        let text = changed("sha256_bmi2", (line, other));
        let found = fault("sha256_bmi2", &format!("no-meaning-{i}"), &text);
        assert!(found.is_some(), "`{other}` is proven for `{line}`");
    }
}

/// Block counts are 64-bit words: n · 2^20 is nonnegative only for small n.
#[test]
fn block_counts_are_64_bit_words() {
    let text = shipped("sha256_bmi2");
    let with = |shift: u32| {
        let check = format!(
            "push rbx\n    mov rax, rdx\n    shl rax, {shift}\n    test rax, rax\n    \
             js .Lsha256_bmi2_end\n"
        );
        text.replacen("push rbx\n", &check, 1)
    };
    // The target of a jump that is never taken does not matter.
    assert_eq!(fault("sha256_bmi2", "shifted-by-6", &with(6)), None);
    for shift in [7, 20, 58, 63] {
        let found = fault("sha256_bmi2", &format!("shifted-by-{shift}"), &with(shift));
        assert!(found.is_some(), "a test of the count shifted by {shift} is accepted");
    }
}

/// A conditional move reads its source even if the condition is false, so the source must be valid.
#[test]
fn a_conditional_move_always_reads_its_source() {
    let text = shipped("sha256_bmi2");
    let with = |place: &str| {
        text.replacen("push rbx\n", &format!("cmovz rax, qword ptr {place}\n    push rbx\n"), 1)
    };
    assert_eq!(fault("sha256_bmi2", "conditional-0", &with("[rsi]")), None);
    for (i, place) in ["[rsi + 64]", "[rsi - 8]", "[rdi + 32]", "[rdx]"].into_iter().enumerate() {
        let found = fault("sha256_bmi2", &format!("conditional-{}", i + 1), &with(place));
        assert!(found.is_some(), "a read of {place} is accepted");
    }
}

/// Addresses in the frame become invalid when the stack is realigned.
#[test]
fn realigning_the_stack_invalidates_the_frame() {
    let text = shipped("sha1_sse2");
    let again = "and rsp, -64\nmov rbx, rsp\nlea rsp, [rax-512]\nand rsp, -64\n";
    let with = |to: &str| {
        let text = text.replacen("and rsp, -64\n", again, 1);
        let to = format!("mov [{to}], rdi\n");
        assert!(text.contains("mov [rsp+64], rdi\n"));
        text.replacen("mov [rsp+64], rdi\n", &to, 1)
    };
    assert_eq!(fault("sha1_sse2", "aligned-0", &with("rsp+64")), None);
    assert!(fault("sha1_sse2", "aligned-1", &with("rbx+64")).is_some());
    are_rejected(
        "sha1_sse2",
        &[
            ("and rsp, -64", "mov r8, 1\nshl r8, 63\nand rsp, r8"),
            ("and rsp, -64", "and rsp, -48"),
            ("and rsp, -64", "and rsp, -16\nmovdqa [rsp-256], xmm0"),
            ("and rsp, -64", "and rsp, -64\nmov [rsp+128], rax"),
            ("sub rsp, 128", "sub rsp, 64"),
        ],
    );
}

/// A fault reports the line number in the assembly file.
#[test]
fn a_fault_reports_its_line() {
    for (kernel, line, other) in [
        ("sha1_sse2", "jb 2b", "movdqa xmm0, [rsi+1]"),
        ("sha256_bmi2", COUNT, "sub qword ptr [rcx], 1"),
    ] {
        let whole = shipped(kernel);
        let number = whole.lines().count()
            - whole.lines().rev().position(|found| found.trim() == line).unwrap();
        let found = fault(kernel, "line", &changed(kernel, (line, other))).unwrap();
        assert!(found.contains(&format!("line {number}: ")), "{number}: {found}");
    }
}

/// 32-bit code, where every word of SHA-512 is a pair of registers.
#[test]
fn wrong_i686_kernels_are_rejected() {
    let text = shipped("sha512_i686");
    let count = text.lines().find(|line| line.contains("sub dword ptr [esp + ")).unwrap();
    let place = count.trim().strip_prefix("sub ").unwrap().strip_suffix(", 1").unwrap();
    for (i, before) in [
        ".byte 0x31,0xc0,0xff,0xe0".to_owned(),
        format!("sub {place}, 1"),
        format!("add {place}, 1"),
        format!("sub word ptr {}, 1", place.strip_prefix("dword ptr ").unwrap()),
        "adc eax, eax".to_owned(),
        "shrd eax, ecx, 35\n adc ebx, eax".to_owned(),
        "add dword ptr [esp + 128], 1".to_owned(),
        "xor dword ptr [esp + 132], 1".to_owned(),
        "push eax".to_owned(),
        "call 1f\n1:".to_owned(),
        "jecxz 1f\n1:".to_owned(),
        ".code64".to_owned(),
        ".code16".to_owned(),
        "data16 mov eax, ecx\n mov dword ptr [esp + 192], eax".to_owned(),
        "addr16 mov eax, [si]".to_owned(),
        "mov dword ptr [esp + 8192], 0".to_owned(),
        "std".to_owned(),
    ]
    .into_iter()
    .enumerate()
    {
        let text = text.replacen(count, &format!("    {before}\n{count}"), 1);
        let found = fault("sha512_i686", &i.to_string(), &text);
        assert!(found.is_some(), "`{before}` is accepted");
    }
    let early = format!("{count}\n    mov eax, {place}\n    sub eax, 1");
    assert!(fault("sha512_i686", "early", &text.replacen(count, &early, 1)).is_some());
}

/// Each case changes one half of a word, or the carry between the halves.
#[test]
fn errors_in_word_halves_and_carries_are_rejected() {
    let text = shipped("sha512_i686");
    let lines: Vec<&str> = text.lines().collect();
    let nth = |what: &str, n: usize| {
        let mut all = (0..lines.len()).filter(|&i| lines[i].trim().starts_with(what));
        all.nth(n).unwrap_or_else(|| panic!("no {what} number {n}"))
    };
    let with = |at: usize, line: &str| {
        let mut lines = lines.clone();
        lines[at] = line;
        lines.join("\n")
    };
    let mut seen = 0;
    let mut refused = |text: &str, what: &str| {
        let found = fault("sha512_i686", &format!("halves-{seen}"), text);
        assert!(found.is_some(), "{what}");
        seen += 1;
    };
    for n in [0, 1, 7, 100, 500] {
        let adc = lines[nth("adc", n)];
        refused(&with(nth("adc", n), &adc.replace("adc", "add")), "a carry is ignored");
        refused(&with(nth("adc", n), &format!("clc\n{adc}")), "a carry is cleared");
        refused(&with(nth("adc", n), &format!("stc\n{adc}")), "a carry is set");
        refused(&with(nth("adc", n), &format!("cmc\n{adc}")), "a carry is inverted");
        refused(&with(nth("adc", n), &adc.replace("adc", "sbb")), "a carry is subtracted");
        refused(&with(nth("adc", n), &format!("{adc}\n{adc}")), "a carry is added twice");
        let add = nth("add", n);
        refused(&with(add, &lines[add].replace("add", "adc")), "an earlier carry is added");
        refused(&with(add, &lines[add].replace("add", "or")), "an addition is replaced");
        let shrd = nth("shrd", n);
        refused(
            &with(shrd, &lines[shrd].replace("shrd", "shld")),
            "a shift has the wrong direction",
        );
        let (operands, count) = lines[shrd].rsplit_once(", ").unwrap();
        let count: u32 = count.parse().unwrap();
        refused(
            &with(shrd, &format!("{operands}, {}", (count + 1) % 32)),
            "a shift has the wrong count",
        );
    }
    // The CPU reduces these counts modulo 32.
    let shrd = nth("shrd", 3);
    let (operands, count) = lines[shrd].rsplit_once(", ").unwrap();
    let more = format!("{operands}, {}", count.parse::<u32>().unwrap() + 32);
    assert_eq!(fault("sha512_i686", "halves-modulo", &with(shrd, &more)), None);
    // The halves of a word of the chaining value are exchanged.
    for (x, y) in [("[eax + 8]", "[eax + 12]"), ("[eax]", "[eax + 4]")] {
        let text = text.replace(x, "[eax + X]").replace(y, x).replace("[eax + X]", y);
        refused(&text, "halves are exchanged");
    }
    // Only the last of these stores is removed.
    let last =
        lines.iter().rposition(|line| line.trim().starts_with("mov dword ptr [eax + ")).unwrap();
    refused(&with(last, ""), "half a word is not stored");
}

/// The calling convention of 32-bit functions.
#[test]
fn violations_of_cdecl_are_rejected() {
    for kernel in ["sha1_i686", "sha256_i686", "sha512_i686"] {
        let text = shipped(kernel);
        let mut seen = 0;
        let mut refused = |from: &str, to: &str| {
            assert!(text.contains(from), "{kernel}: {from}");
            let found = fault(kernel, &format!("cdecl-{seen}"), &text.replacen(from, to, 1));
            assert!(found.is_some(), "{kernel} is proven with `{to}` for `{from}`");
            seen += 1;
        };
        refused("    pop ebx", "    pop ecx");
        refused("    pop ebp", "    pop edx");
        refused("    pop edi", "    pop esi");
        refused("    ret\n", "    ret 12\n");
        refused("    ret\n", "    add esp, 4\n    jmp dword ptr [esp - 4]\n");
        refused("test ecx, ecx", "test cx, cx");
        refused("test ecx, ecx", "cmp ecx, 1");
        refused("mov ecx, dword ptr [esp + 12]", "mov ecx, dword ptr [esp + 8]");
        refused("mov ecx, dword ptr [esp + 12]", "mov ecx, dword ptr [esp + 16]");
        refused("mov ecx, dword ptr [esp + 12]", "movzx ecx, word ptr [esp + 12]");
    }
}

/// An immediate with a relocation is not a constant: the loader replaces the linker's address in
/// the file.
#[test]
fn relocated_immediates_are_not_constants() {
    for (kernel, register, last) in
        [("sha256_bmi2", "rax", "    push rbx\n"), ("sha256_i686", "eax", "    push ebx\n")]
    {
        let text = shipped(kernel);
        let with = |value: &str| {
            let check = format!(
                "    mov {register}, {value}\n    cmp {register}, 0x1000\n    jne .L{kernel}_end\n{last}"
            );
            assert!(text.contains(last));
            text.replacen(last, &check, 1)
        };
        assert_eq!(fault(kernel, "not-relocated", &with("0x1000")), None);
        let mut address = with("offset lanesum_text");
        if register == "rax" {
            address = address.replace("mov rax, offset", "movabs rax, offset");
        }
        assert!(fault(kernel, "relocated", &address).is_some(), "{kernel}");
    }
}

/// A prefix changes the meaning of some instructions, but not their name in iced-x86.
#[test]
fn prefixes_of_pushes_returns_and_jumps_are_rejected() {
    for kernel in ["sha256_bmi2", "sha256_i686"] {
        let text = shipped(kernel);
        let (first, sp, size) = if kernel.ends_with("i686") {
            ("    push ebx\n", "esp", 4)
        } else {
            ("    push rbx\n", "rsp", 8)
        };
        let before = |line: &str| text.replacen(first, &format!("{line}\n{first}"), 1);
        let last = |line: &str| text.replacen("    ret\n", &format!("{line}\n"), 1);
        for (i, text) in [
            last(".byte 0x66, 0xc3"),
            text.replacen(" jz .L", " data16 jz .L", 1),
            last(".byte 0xcb"),
            last(".byte 0xca, 0, 0"),
            last(".byte 0x66, 0xff, 0x2c, 0x24"),
            last(".byte 0xff, 0x2c, 0x24"),
            before(&format!(".byte 0x66, 0x6a, 0x00\n    add {sp}, {size}")),
            before(&format!(".byte 0x66, 0x68, 0, 0\n    add {sp}, {size}")),
            before(&format!("push ax\n    add {sp}, {size}")),
            before(&format!(".byte 0x66, 0xff, 0x34, 0x24\n    add {sp}, {size}")),
            // As long as a push of four bytes, and as a jump by four.
            before(&format!(".byte 0x2e, 0x66, 0x68, 0, 0\n    add {sp}, {size}")),
            before(&format!(".byte 0x66, 0x2e, 0x2e, 0x6a, 0\n    add {sp}, {size}")),
            before(".byte 0x66, 0x2e, 0x2e, 0x2e, 0x75, 0"),
        ]
        .iter()
        .enumerate()
        {
            let found = fault(kernel, &format!("prefix-{i}"), text);
            assert!(found.is_some(), "{kernel}: case {i} is proven");
        }
    }
}

/// An assembly file must define the same function with every assembler. These files define the
/// proven function with the system's assembler, and another one with the compiler's.
#[test]
fn assembler_detection_is_rejected() {
    let text = shipped("sha256_bmi2");
    let first = "    push rbx\n";
    for (i, lines) in [
        ".ifndef .gasversion.\nret\n.endif\n",
        ".ifdef .gasversion.\n.else\nret\n.endif\n",
        ".if .gasversion. < 1\nret\n.endif\n",
        "nop; .ifndef .gasversion.; ret; .endif\n",
        ".IFNDEF .gasversion.\nret\n.ENDIF\n",
        ".ifc a,b\nret\n.endif\n",
        ".skip .gasversion. & 0\n",
        ".rept 0\nret\n.endr\n",
        ".macro nothing\n.endm\n",
        ".include \"/dev/null\"\n",
        // Names with a leading full stop.
        ".section \"\\056note.GNU-stack\",\"x\",@progbits\n.text\n",
        ".section \"\\056note.y\",\"aw\",@init_array\n.quad 0\n.text\n",
    ]
    .into_iter()
    .enumerate()
    {
        let text = text.replacen(first, &format!("{lines}{first}"), 1);
        let found = fault("sha256_bmi2", &format!("assembler-{i}"), &text);
        let found = found.unwrap_or_else(|| panic!("`{lines}` is proven"));
        assert!(found.contains("assemblers may treat"), "{found}");
    }
}

/// An instruction that begins with bytes of a directive would continue with the encoding of the next statement,
/// or with padding, which depend on the assembler and on the function's address. Branches and addresses
/// in directives have distances, which depend on these, too.
#[test]
fn bytes_in_code_are_whole_instructions() {
    let text = shipped("sha256_bmi2");
    let first = "    test rdx, rdx\n";
    let found = |case: &str, lines: &str| {
        let text = text.replacen(first, &format!("{lines}\n{first}"), 1);
        fault("sha256_bmi2", &format!("whole-{case}"), &text)
    };
    for (i, lines) in [
        ".byte 0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8",
        // In two directives, and after a jump.
        ".byte 0x48, 0xb8, 1, 2, 3, 4\n1: .byte 5, 6, 7, 8",
        "jmp 1f\n.byte 0x0f, 0x0b\n1:",
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(found(&format!("{i}"), lines), None, "{lines}");
    }
    for (i, lines) in [
        // The constant is padding, and an aligned function needs six bytes of it.
        ".byte 0x48, 0xb8\n.p2align 3\n.byte 0, 0",
        ".byte 0x48, 0xb8; .balign 8; .byte 0, 0",
        // The constant is an instruction.
        ".byte 0xb8\nmov r10d, r11d\nnop",
        ".byte 0x66\nmov eax, 1\n.byte 0, 0",
        "jmp 1f\n.byte 0xb8\n1: nop; nop; nop; nop",
        // A jump across padding, whose length depends on the function's address.
        ".byte 0xeb, 14; .p2align 4; jmp 1f; nop; nop; xor dword ptr [rdi], 1; 1:",
        // The distance between two addresses, or an address from which one is computed.
        ".byte 0x48, 0x8d, 5, 0, 0, 0, 0; .p2align 4; .byte 0x48, 0x8d, 13, 0, 0, 0, 0\n\
         sub rcx, rax; cmp rcx, 16; jne .Lsha256_bmi2_end",
        ".byte 0xe8, 0, 0, 0, 0; pop rax",
        "cmp rdx, rdx; .byte 0x0f, 0x84, 0, 0, 0, 0",
        // The length of other directives and octal numbers are not evaluated.
        ".long 0x90909090",
        ".byte 0x3d, 0, 0, 0, 010",
    ]
    .into_iter()
    .enumerate()
    {
        let found =
            found(&format!("not-{i}"), lines).unwrap_or_else(|| panic!("`{lines}` is proven"));
        assert!(found.contains("assemblers may treat"), "{lines}: {found}");
    }
    // The fault names the directive, not the statement after it.
    let line = 1 + text.lines().position(|line| line == first.trim_end()).unwrap();
    let fault_at = found("line", ".byte 0xeb, 0\nnop").unwrap();
    assert!(
        fault_at.contains(&format!("line {line}: assemblers may treat \".byte\"")),
        "{fault_at}"
    );
    // After the last instruction of a file. Assemblers encode the displacement in one byte or in four, so the
    // jump leads to the return or to the increment.
    let (jump, end) = ("    jz .Lsha256_bmi2_end\n", "    .cfi_endproc\n");
    let with = |bytes: &str| {
        let more = "inc dword ptr [rdi]\nnop\nret\nlea r10d, [edi - 0x100000000]\n";
        let text = text.replacen(jump, "    jz 9f\n", 1);
        text.replacen(end, &format!("{more}.cfi_endproc; 9: .byte {bytes}\n"), 1)
    };
    let found = fault("sha256_bmi2", "whole-last", &with("0xeb, 0xf5"));
    assert!(found.is_some_and(|found| found.contains("assemblers may treat")));
    assert_eq!(fault("sha256_bmi2", "whole-return", &with("0xc3")), None);
}

/// GNU's assembler and LLVM's differ in the precedence of most operators.
#[test]
fn operators_with_several_precedences_are_rejected() {
    let text = shipped("sha256_bmi2");
    let first = "    push rbx\n";
    for (i, value) in
        ["1 << 2 + 2", "1 + 2 & 5", "6 and 3 or 8", "NOT 1 + 1", "(1 + 2) * 3", "7 % 4"]
            .into_iter()
            .enumerate()
    {
        for (form, line) in
            [format!("add rsp, {value}"), format!("1: nop; mov rax, [rsp + {value}]")]
                .into_iter()
                .enumerate()
        {
            let text = text.replacen(first, &format!("{line}\n{first}"), 1);
            let found = fault("sha256_bmi2", &format!("operator-{i}-{form}"), &text);
            let found = found.unwrap_or_else(|| panic!("`{line}` is proven"));
            assert!(found.contains("assemblers may treat"), "{line}: {found}");
        }
    }
}
