//! Kernels by an attacker who knows the prover and wants a wrong one proven. All were tried
//! manually; the ones that used to be proven remain here as regression tests.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use crate::refused::{fault, shipped};
use lanesum_prove::{Binary, Shipped};

const KERNEL: &str = "sha256_bmi2";
/// The first instruction that is executed if there is a block.
const FIRST: &str = "    push rbx\n";
const LAST: &str = "    ret\n";

/// Returns the fault reported for the kernel with `from` replaced by `to`.
fn with(case: &str, from: &str, to: &str) -> Option<String> {
    let text = shipped(KERNEL);
    assert!(text.contains(from), "{KERNEL} has no `{from}`");
    fault(KERNEL, &format!("hostile-{case}"), &text.replacen(from, to, 1))
}

/// Harmful code before the first instruction is rejected.
#[test]
fn forbidden_code_in_a_prologue_is_rejected() {
    for (i, line) in [
        // Wrong for one number of blocks.
        "cmp rdx, 5\n je .Lsha256_bmi2_end",
        "mov rax, rdx\n and rax, 7\n jz .Lsha256_bmi2_end",
        "bt rdx, 40\n jc .Lsha256_bmi2_end",
        // The result depends on the addresses of the caller's memory.
        "test rdi, 8\n jnz .Lsha256_bmi2_end",
        "cmp rdi, rsi\n jb .Lsha256_bmi2_end",
        "cmp rsp, rdi\n jb .Lsha256_bmi2_end",
        // Reads and writes out of bounds, even if the result is unused.
        "mov rax, qword ptr [rsi - 1]",
        "mov rax, qword ptr [rsi + 57]",
        "movups xmm0, [rsi + 49]",
        "mov eax, dword ptr [rdi + 29]",
        "mov byte ptr [rdi + 32], 0",
        "mov byte ptr [rsi], 0",
        "mov rax, qword ptr [rsp + 8]",
        "mov byte ptr [rsp - 129], 0",
        "movaps [rsp - 24], xmm0\n movaps [rsp - 32], xmm0",
        // A frame larger than any stack, and one too large for the prover to track.
        "sub rsp, 0x10000000\n mov byte ptr [rsp], 0\n add rsp, 0x10000000",
        "mov rax, 0x100000000000\n sub rsp, rax\n mov byte ptr [rsp], 0\n add rsp, rax",
        // Addresses truncated to 32 bits.
        "mov esi, esi",
        "add edi, 0",
        "lea rsi, [esi]",
        "mov eax, dword ptr [esi]",
        // The caller's state: segments, ports, system calls, direction flag, rounding mode.
        "mov eax, fs:[0]",
        "syscall",
        "int 0x80",
        "std",
        "ldmxcsr [rsp - 8]",
        "stmxcsr [rsp - 8]",
        "fld1",
        "emms",
        "rdtsc",
        "cpuid",
        "lock add dword ptr [rsp - 8], 1",
        "rep movsb",
        "rep stosq",
        "in al, dx",
        "hlt",
        "ud2",
        "popfq",
        "pushfq\n popfq",
        // Jumps into an instruction, past the end, and to addresses without code.
        "jmp 1f + 1\n 1: .byte 0x48, 0xb8, 0x31, 0xc0, 0xeb, 0xfe, 0, 0, 0, 0",
        "jmp lanesum_text - 1",
        "jmp .Lsha256_bmi2_end + 400000",
        "call rax",
        "lea rax, [rip + lanesum_text]\n push rax\n ret",
        // Self-modifying code.
        "lea rax, [rip + lanesum_text]\n mov byte ptr [rax], 0xc3",
        "mov byte ptr [rip + lanesum_text], 0xc3",
        // Calls of foreign functions.
        "call abort@plt",
        "call memcpy@plt",
        "call [rip + malloc@gotpcrel]",
    ]
    .into_iter()
    .enumerate()
    {
        let found = with(&format!("first-{i}"), FIRST, &format!("    {line}\n{FIRST}"));
        assert!(found.is_some(), "`{line}` is proven");
    }
    // Harmless code is accepted.
    for (i, line) in [
        "mov rax, qword ptr [rsi]\n mov rcx, qword ptr [rsi + 56]",
        "mov eax, dword ptr [rdi + 28]",
        "mov byte ptr [rsp - 128], 0",
        "push rsp\n add rsp, 8",
    ]
    .into_iter()
    .enumerate()
    {
        let found = with(&format!("harmless-{i}"), FIRST, &format!("    {line}\n{FIRST}"));
        assert_eq!(found, None, "`{line}`");
    }
}

/// These endings violate the calling convention.
#[test]
fn violations_of_the_calling_convention_are_rejected() {
    for (i, line) in [
        "mov rbx, rax\n ret",
        "xor ebp, ebp\n ret",
        "mov r15d, r15d\n ret",
        "xchg r12, r13\n ret",
        "std\n ret",
        "ret 8",
        "add rsp, 8\n ret",
        "pop rcx\n jmp rcx\n ret",
        "push rax\n ret",
        "add qword ptr [rsp], 1\n ret",
        "mov byte ptr [rsp + 8], 0\n ret",
        "xor dword ptr [rdi], 1\n ret",
        "leave\n ret",
        "nop",
        "jmp lanesum_text",
        "1: jmp 1b",
    ]
    .into_iter()
    .enumerate()
    {
        // A plain jump to the return address is a return.
        let is_return = line.starts_with("pop rcx");
        let found = with(&format!("last-{i}"), LAST, &format!("    {line}\n"));
        assert!(found.is_some() || is_return, "`{line}` is proven");
    }
}

/// The last of two overlapping stores determines the contents.
#[test]
fn overlapping_stores_are_detected() {
    let text = shipped(KERNEL);
    let saved = text.lines().find(|line| line.trim().starts_with("mov qword ptr [rsp + 112]"));
    let saved = saved.expect("the count is on the stack").to_owned() + "\n";
    for place in [105, 108, 111, 113, 116, 119] {
        let to = format!("{saved}    mov qword ptr [rsp + {place}], rax\n");
        let found = with(&format!("overlap-{place}"), &saved, &to);
        assert!(found.is_some(), "an overlapping store at offset {place} is proven");
    }
}

/// A kernel in a library may use only instructions whose CPU features the engine checks.
#[test]
fn a_kernel_with_instructions_of_another_cpu_is_rejected() {
    let image = crate::common::shipped();
    for (name, other) in
        [("sse2_x4", "avx2_x8"), ("avx2_x8", "avx512_x16"), ("portable_x1", "bmi2_asm_x1")]
    {
        let named = |name: &str| {
            Shipped::all().find(|kernel| kernel.to_string() == format!("{name}/sha256")).unwrap()
        };
        let other = Binary::find(image, named(other)).unwrap();
        let as_if = Shipped { name: named(name).name, ..other.kernel };
        let found = other.as_if(as_if).prove().unwrap_err().to_string();
        assert!(found.contains("it requires "), "{name}: {found}");
    }
}

/// Memory below the red zone may be overwritten at any time, because a signal handler has its frame
/// there.
#[test]
fn memory_below_the_red_zone_is_volatile() {
    let kept = |below: u64, again: u64| {
        format!(
            "    mov qword ptr [rsp - {below}], rbx\n sub rsp, -{again}\n xor ebx, ebx\n \
             sub rsp, {again}\n mov rbx, qword ptr [rsp - {below}]\n{FIRST}"
        )
    };
    for (below, again, harm) in [(8, 0, false), (128, 0, false), (8, 8, false), (8, 128, true)] {
        // The stack pointer rises by no more than was pushed before.
        let pushed = format!("    sub rsp, {again}\n{}", kept(below, again));
        let text = pushed.replace(FIRST, &format!("    add rsp, {again}\n{FIRST}"));
        let found = with(&format!("below-{below}-{again}"), FIRST, &text);
        assert_eq!(found.is_some(), harm, "{below} below, {again} up: {found:?}");
    }
}

/// An assembly file defines one function and its kernel's table of constants. Everything else that
/// it adds to a program is rejected, whether harmful or not.
#[test]
fn extra_contents_of_an_assembly_file_are_rejected() {
    for (i, lines) in [
        // Code that runs automatically, before any call.
        ".section .init_array, \"aw\"\n .quad lanesum_text\n .text",
        ".section .ctors, \"aw\"\n .quad lanesum_text\n .text",
        // Writable memory.
        ".data\n .quad 1\n .text",
        ".bss\n .skip 8\n .text",
        ".comm shared, 8",
        ".section .tdata, \"awT\", @progbits\n .quad 1\n .text",
        // Names of other functions.
        ".globl memcpy\n memcpy: ret",
        ".weak malloc\n malloc: ret",
        ".globl memset\n .set memset, lanesum_text",
        "memset: ret",
        ".set memcpy, 8",
        // A resolver function that selects another one.
        ".type lanesum_text, @gnu_indirect_function",
        // Code in another section.
        ".section .text.hot, \"ax\"\n ret\n .text",
        ".section .text, \"ax\", @progbits, unique, 1\n ret\n .text",
        // Constants that the linker merges.
        ".section .rodata, \"aM\", @progbits, 4\n .long 1, 1, 2\n .text",
    ]
    .into_iter()
    .enumerate()
    {
        let found = with(&format!("besides-{i}"), LAST, &format!("{LAST} {lines}\n"));
        assert!(found.is_some(), "`{lines}` is proven");
    }
    let found = with("harmless-besides", LAST, &format!("{LAST} .Llocal: ret\n"));
    assert_eq!(found, None);
}

/// With GNU's assembler these files define the proven function. With another one, in another file or
/// at another address, they define another function.
#[test]
fn what_another_assembler_reads_differently_is_rejected() {
    let first = |lines: &str| format!("{lines}\n{FIRST}");
    for (i, (lines, part)) in [
        // A comment that ends, and one that does not begin.
        ("# \r    ret", "\r"),
        ("# \u{2028} ret", "\u{2028}"),
        ("nop # \x0b", "\x0b"),
        ("/* # */ rorx r10d, ebp, 1 << 2 + 2", "/"),
        // The C preprocessor reads these lines differently.
        ("# define add sub", "# define add sub"),
        ("nop # /*\nret\n# */", "/*"),
        ("nop # \\", "\\"),
        ("nop # ??/", "??/"),
        ("# embed \"/dev/null\" if_empty(ret)", "# embed \"/dev/null\" if_empty(ret)"),
        ("rorx r10d, ebp, '#' - 31 + 1 << 1", "'"),
        // A symbol with two values.
        (".set .Lx, .Lsha256_bmi2_block\n.Ly: .set .Lx, .Ly", ".set"),
        (".Lx = .\nnop\n.Lx = .", "="),
        // The rest of the function would be in another section.
        ("nop\n.text", ".text"),
        (".section .rodata", ".section"),
        (".byte \"a\"", "\""),
        // Padding that is executed only at other addresses.
        (".p2align 6, 0xc3", ".p2align"),
        (".balign 64, 0xc3", ".balign"),
        (".p2align 4,,8", ".p2align"),
        ("mov eax, .Lb - .La\n.La: nop\n.p2align 6\n.Lb:", ".Lb - .La"),
        ("mov eax, 1f -+ 2f\n2: nop\n.p2align 6\n1:", "1f -+ 2f"),
        // A byte of padding. An address of code, and a distance in it.
        (
            "cmp byte ptr [rip + .Lsha256_bmi2_block - 9], 0x66",
            "byte ptr [rip + .Lsha256_bmi2_block - 9]",
        ),
        ("lea rax, [rip]", "[rip]"),
        ("lea eax, [eip]", "[eip]"),
        ("lea rax, [rip*1 + 5]", "[rip*1 + 5]"),
        ("call 1f\n1: pop rax", "1f"),
        ("jmp .Lsha256_bmi2_block + 4", ".Lsha256_bmi2_block + 4"),
        // The label 10, or 8.
        ("8: nop\n010: nop\njmp 8b", "010:"),
        ("8: nop\njmp 010b", "010b"),
        // Prefixes that are merged with the next instruction's, or not.
        ("mov rax, -1\nrex64 mov r8d, eax", "rex64"),
        ("data16 mov eax, eax", "data16"),
        ("{vex} vpaddd xmm0, xmm0, xmm0", "{vex}"),
        // A number, or memory.
        ("mov eax, dword ptr [8] - 4", "dword ptr [8] - 4"),
        ("mov eax, [rsp + dword]", "[rsp + dword]"),
        ("mov eax, 8[rsp]", "8[rsp]"),
        // A shift by `cl`, or an instruction of APX, which shifts the second operand by one.
        ("mov ecx, 1\nshr r10d, ecx", "ecx"),
        ("mov ecx, 1\nrol r10, rcx", "rcx"),
        ("mov ecx, 1\nsal dword ptr [rsp - 8], ecx", "ecx"),
        // A label in another section.
        (".cfi_label .Lx", ".cfi_label"),
    ]
    .into_iter()
    .enumerate()
    {
        let found = with(&format!("assembler-{i}"), FIRST, &first(lines));
        let found = found.unwrap_or_else(|| panic!("`{lines}` is proven"));
        assert!(found.contains(&format!("may treat {part:?} differently")), "{lines}: {found}");
    }
}

/// Another file may include a function at any address, so it does not align data.
#[test]
fn data_are_aligned_only_as_the_function_is() {
    let text = shipped("sha1_sse2");
    for (name, is_proven) in [("movdqu", true), ("movdqa", false)] {
        let text = format!("{name} xmm0, [rip + .Ldata]\n{text}\n.p2align 6\n.Ldata: .quad 0, 0\n");
        let found = fault("sha1_sse2", &format!("data-{name}"), &text);
        let is_misaligned = found.as_ref().is_some_and(|found| found.contains("misaligned"));
        assert_eq!((found.is_none(), is_misaligned), (is_proven, !is_proven), "{found:?}");
    }
}
