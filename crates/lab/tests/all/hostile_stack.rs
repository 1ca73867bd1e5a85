//! Hostile kernels that misuse the stack pointer. Each is correct unless a signal arrives, or the
//! stack alignment differs in a later block.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use crate::linux::{proven, sha256};
use crate::refused::{fault, shipped};

/// The fault of a kernel with lines replaced by others; `None` if it is proven.
fn with(kernel: &str, case: &str, changes: &[(&str, &str)]) -> Option<String> {
    let text = changes.iter().fold(shipped(kernel), |text, (from, to)| {
        assert!(text.contains(from), "{kernel} has no `{from}`");
        text.replacen(from, to, 1)
    });
    fault(kernel, &format!("stack-{case}"), &text)
}

/// A signal handler's frame is written at the stack pointer, or shortly below. So the pointer must
/// always be in the stack.
#[test]
fn the_stack_pointer_points_to_the_stack_all_the_time() {
    let first = "    push rbx\n";
    for (i, (lines, harm)) in [
        // To the chaining value, the blocks, the program, or an invalid address.
        ("mov rax, rsp\n mov rsp, rdi\n mov rsp, rax", true),
        ("xchg rsp, rsi\n xchg rsp, rsi", true),
        ("mov rax, rsp\n lea rsp, [rip + lanesum_text]\n mov rsp, rax", true),
        ("mov rax, rsp\n mov esp, esp\n mov rsp, rax", true),
        ("mov rax, rsp\n mov spl, dil\n mov rsp, rax", true),
        ("mov rax, rsp\n xor esp, esp\n mov rsp, rax", true),
        // Above the caller's frame.
        ("mov rax, [rsp]\n add rsp, 4096\n sub rsp, 4096\n mov [rsp], rax", true),
        ("mov rax, [rsp]\n add rsp, 9\n sub rsp, 9\n mov [rsp], rax", true),
        ("pop rax\n push rax", false),
        ("mov rax, rsp\n mov rsp, rax", false),
    ]
    .into_iter()
    .enumerate()
    {
        let found = with("sha256_bmi2", &i.to_string(), &[(first, &format!(" {lines}\n{first}"))]);
        assert_eq!(found.is_some(), harm, "`{lines}`: {found:?}");
    }
}

/// Memory below the stack pointer is volatile, regardless of the instruction that moves the
/// pointer.
#[test]
fn a_vector_instruction_moves_the_stack_pointer_as_any_other() {
    let first = "push rbx\n";
    let kept = |up: u64| {
        format!(
            "sub rsp, 512\nmov [rsp-8], rbx\nlea rax, [rsp+{up}]\nmovq xmm0, rax\nmovq rsp, xmm0\n\
             xor ebx, ebx\nsub rsp, {up}\nmov rbx, [rsp-8]\nadd rsp, 512\n{first}"
        )
    };
    for (up, harm) in [(64, false), (256, true)] {
        let found = with("sha1_sse2", &format!("vector-{up}"), &[(first, &kept(up))]);
        assert_eq!(found.is_some(), harm, "{up}: {found:?}");
    }
}

/// The limit of the stack includes the bytes above an aligned frame and the bytes that alignment
/// skips.
#[test]
fn a_frame_is_no_larger_for_being_aligned() {
    let (first, last) = ("    push rbx\n", ".Lsha256_bmi2_end:");
    for (above, to, below, harm) in [
        (1024, 4096, 1024, false),
        (65_000, 4096, 60_000, true),
        (33_000, 64, 33_000, true),
        (0, 4096, 61_200, true),
        (65_536, 64, 0, true),
    ] {
        let begin = format!(
            "mov rax, rsp\nsub rsp, {above}\nand rsp, -{to}\nsub rsp, {below}\npush rax\n{first}"
        );
        let end = format!("mov rsp, [rsp]\n{last}");
        let changes = [(first, &begin[..]), (last, &end[..])];
        let found = with("sha256_bmi2", &format!("aligned-{above}-{below}"), &changes);
        assert_eq!(found.is_some(), harm, "{above}, {to}, {below}: {found:?}");
    }
}

/// The stack reaches 64 KiB below the first address of a function, not below its aligned frame. This function changes the
/// chaining value if the stack is at the lowest addresses of memory.
#[test]
fn an_address_far_below_a_frame_may_be_zero() {
    let (first, last) = ("    push rbx\n", ".Lsha256_bmi2_end:");
    for (below, harm) in [(4_000, false), (65_000, true)] {
        let begin = format!(
            "mov rax, rsp\nsub rsp, 60000\nand rsp, -64\npush rax\nlea rax, [rsp-{below}]\ntest rax, rax\n\
             jnz 77f\nxor dword ptr [rdi], 1\n77:\n{first}"
        );
        let end = format!("mov rsp, [rsp]\n{last}");
        let found =
            with("sha256_bmi2", &format!("below-{below}"), &[(first, &begin), (last, &end)]);
        assert_eq!(found.is_some(), harm, "{below}: {found:?}");
    }
}

/// Earlier pushes are above the aligned stack pointer.
#[test]
fn the_stack_pointer_stays_in_its_frame() {
    let align = "and rsp, -64\n";
    for (up, harm) in [(64, false), (1024, true)] {
        let to = format!("{align}add rsp, {up}\nsub rsp, {up}\n");
        let found = with("sha1_sse2", &format!("frame-{up}"), &[(align, &to)]);
        assert_eq!(found.is_some(), harm, "{up}: {found:?}");
    }
}

/// Two stack pointers that the loop exchanges differ from one iteration to the next, so the invariant does not include
/// them. They sink with each block, far below the stack. Few blocks are harmless.
#[test]
fn a_stack_pointer_that_changes_in_a_loop_is_known() {
    let (text, table) = sha256();
    let with = |lines: &str| {
        let begin =
            "push rbp\npush rbx\nmov rbp, rsp\nmov rbx, rsp\nsub rsp, 256\nand rsp, -32\n2:\n";
        let text = text.replacen("2:\n", &format!("{begin}{lines}"), 1);
        text.replacen("\nret\n", "\nmov rsp, rbp\npop rbx\npop rbp\nret\n", 1)
    };
    assert_eq!(proven("no exchange", &with("sub rsp, 16\nadd rsp, 16\n"), &table), Ok(()));
    let found = proven("exchange", &with("xchg rsp, rbx\nsub rsp, 16\n"), &table);
    assert!(found.is_err_and(|fault| fault.contains("the stack pointer leaves")));
}
