//! Code that depends on its load address: an earlier prover assumed that facts about addresses in
//! the file hold for all load addresses.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::fs;
use std::process::Command;

use crate::linux::{sha256, shown};
use crate::refused::folder;
use lanesum_prove::Image;

/// Proves SHA-256 with SHA instructions in a program at a fixed address, with the lines `first`
/// before it.
fn of_a_program(case: &str, first: &str) -> Result<(), String> {
    let name = "lanesum_sha256_sha_ni";
    let (text, table) = sha256();
    let whole = format!(
        ".intel_syntax noprefix\n.text\n.globl {name}\n.type {name}, @function\n{name}:\n\
         test rdx, rdx\njz 1f\nlea rcx, [rip+table]\n{first}{text}1: ret\n\
         .size {name}, .-{name}\n.set nowhere, 0\n.section .rodata\n.p2align 6\ntable:\n{table}\
         .section .note.GNU-stack, \"\", @progbits\n"
    );
    let [source, object, program] =
        ["s", "o", "elf"].map(|end| folder().join(format!("places-{case}.{end}")));
    fs::write(&source, whole).unwrap();
    let ran = |command: &mut Command| assert!(command.status().unwrap().success(), "{command:?}");
    ran(Command::new("as").arg("-o").args([&object, &source]));
    ran(Command::new("ld").args(["-static", "-no-pie", "-e", "0", "-o"]).args([&program, &object]));
    let image = Image::new(&fs::read(&program).unwrap()).map_err(|fault| fault.to_string())?;
    shown(&image)
}

/// In a program at a fixed address, code can compute the address zero.
#[test]
fn an_address_in_a_program_that_is_loaded_nowhere_else_may_be_zero() {
    let asks = |symbol: &str| format!("lea rax, [rip+{symbol}]\ntest rax, rax\njz 1f\n");
    assert_eq!(of_a_program("none", ""), Ok(()));
    assert_eq!(of_a_program("table", &asks("table")), Ok(()));
    assert!(of_a_program("zero", &asks("nowhere")).is_err());
}
