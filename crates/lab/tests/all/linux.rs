//! Functions of the module for Linux: proven as the kernel's build makes them, and refused where Linux
//! calls them otherwise than programs call theirs.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use lanesum_kernels::proof::linux_functions;
use lanesum_kernels::stitch::{ShaNiText, tables};
use lanesum_prove::Image;
use lanesum_prove::linux::read;
use lanesum_prove::text::TextError;

/// SHA-256 by SHA instructions: its text, and the rows of its table.
pub(crate) fn sha256() -> (String, String) {
    let text = ShaNiText::all().into_iter().find(|text| text.name == "sha256_sha_ni").unwrap();
    let (_, table) = tables().find(|(name, _)| name == "sha256.table").unwrap();
    (text.text(), table.replace("row ", ".byte "))
}

/// Proves the module's SHA-256 by SHA instructions with this text and this table.
pub(crate) fn proven(case: &str, text: &str, table: &str) -> Result<(), String> {
    let others = format!(".section .rodata\n.p2align 6\ntable:\n{table}");
    assembled(case, &module(text, "", RETURN, &others))
}

const RETURN: &str = "jmp __x86_return_thunk";

/// A module with this text of SHA-256, with more at its beginning and its end, and in other sections.
fn module(text: &str, begin: &str, end: &str, others: &str) -> String {
    let text = text.replace("\nret\n", "\njmp __x86_return_thunk\n");
    format!(
        ".intel_syntax noprefix\n.text\nfirst:\n.globl lanesum_sha256_sha_ni\n\
         .type lanesum_sha256_sha_ni, @function\nlanesum_sha256_sha_ni:\ntest rdx, rdx\njz 1f\n\
         {begin}lea rcx, [rip+table]\n{text}1: {end}\n\
         .size lanesum_sha256_sha_ni, .-lanesum_sha256_sha_ni\nlast:\n{others}"
    )
}

/// Assembles a module and proves it.
fn assembled(case: &str, whole: &str) -> Result<(), String> {
    assembled_for(case, whole, |object| read(object, &linux_functions()))
}

/// Assembles functions and proves them as an object for programs, or for Linux.
fn assembled_for(
    case: &str,
    whole: &str,
    read: impl FnOnce(&Path) -> Result<Image, TextError>,
) -> Result<(), String> {
    // Two tests that run at the same time may have a case of the same name.
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let (process, number) = (std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let folder = std::env::temp_dir().join(format!("lanesum-linux-{process}-{number}"));
    fs::create_dir_all(&folder).unwrap();
    let [source, object] = ["module.s", "module.o"].map(|name| folder.join(name));
    fs::write(&source, whole).unwrap();
    let status = Command::new("as").arg("-o").args([&object, &source]).status().unwrap();
    assert!(status.success(), "{case}");
    let image = read(&object);
    fs::remove_dir_all(&folder).unwrap();
    let image = image.map_err(|error| error.to_string())?;
    shown(&image)
}

/// Refutes or proves the SHA-256 by SHA instructions that an image has under the module's name.
pub(crate) fn shown(image: &Image) -> Result<(), String> {
    let mut functions = linux_functions().into_iter();
    let function = functions.find(|function| function.name == "sha256_sha_ni").unwrap();
    let shown = function.find(image).and_then(|binary| {
        binary.refute()?;
        binary.prove()
    });
    shown.map_err(|fault| fault.to_string())
}

#[test]
fn what_the_kernel_calls_is_proven_as_it_calls_it() {
    let (text, table) = sha256();
    assert_eq!(proven("right", &text, &table), Ok(()));

    let begun = |lines: &str| text.replacen("shl rdx, 6\n", &format!("{lines}shl rdx, 6\n"), 1);
    for (case, text, table, why) in [
        // Interrupts write there.
        ("red zone", begun("mov [rsp-8], rdi\n"), table.clone(), "outside of its frame"),
        // Programs have more room.
        ("room", begun("sub rsp, 4096\nmov [rsp], rdi\nadd rsp, 4096\n"), table.clone(), "frame"),
        // Programs have a multiple of 16 there.
        ("stack", begun("push rdi\nmovdqa [rsp], xmm0\npop rdi\n"), table.clone(), "aligned"),
        ("table", text.clone(), table.replacen("0x98", "0x99", 1), "not proven"),
        // Every address of the kernel has its highest bit set.
        ("sign", begun("test rsi, rsi\njs 1f\n"), table.clone(), "a condition is unknown"),
        ("less", begun("cmp rdi, 0\njl 1f\n"), table.clone(), "a condition is unknown"),
        ("masked", begun("mov rax, rsp\nand rax, rax\njs 1f\n"), table.clone(), "unknown"),
        // The kernel runs other code: it changes this, or has another function of the name.
        (
            "alternatives",
            text.clone(),
            format!("{table}.section .altinstructions, \"a\"\n.skip 12\n"),
            "patches code",
        ),
        // Once the module is loaded the kernel frees what only its start needs.
        ("freed", text.clone(), format!("{table}.section .init.text, \"ax\"\nret\n"), "discards"),
        (
            "frame",
            begun("mov rax, rsp\nsub rsp, 1024\nand rsp, -4096\npush rax\nmov rsp, [rsp]\n"),
            table.clone(),
            "frame",
        ),
        // Modules are less than 2^30 bytes below the end of memory.
        (
            "wrap",
            begun("lea r8, [rip]\nlea rax, [r8+0x40000000]\ncmp rax, r8\njb 1f\n"),
            table.clone(),
            "a condition is unknown",
        ),
        // Where sections are, in which order and how far apart, is the kernel's matter.
        (
            "order",
            begun("lea rax, [rip+table]\nlea r8, [rip]\ncmp rax, r8\njb 1f\n"),
            table.clone(),
            "a sum of addresses is not an address",
        ),
        (
            "distance",
            begun("lea rax, [rip+first+0x1000]\nmov r8d, [rax]\n"),
            table.clone(),
            "unsupported or relocated instruction",
        ),
        (
            "relocation",
            begun("lea rax, [rip+table-0x1000]\nmov r8d, [rax]\n"),
            table.clone(),
            "unsupported or relocated instruction",
        ),
        (
            "far",
            begun("lea rax, [rip]\nmov r8d, [rax+0x1000]\n"),
            table.clone(),
            "it reads memory that is not constant",
        ),
        (
            "joined",
            text.clone(),
            format!("{table}.section .text.unlikely, \"ax\"\nret\n"),
            "loads section .text separately",
        ),
        (
            "second",
            text.clone(),
            format!("{table}.section .rodata, \"a\", unique, 1\n.byte 1\n"),
            "loads section .rodata separately",
        ),
        // Kernels check where such a jump goes.
        (
            "indirect",
            begun("lea rax, [rip+2f]\njmp rax\n2:\n"),
            table.clone(),
            "indirect jump or call",
        ),
        // Another function of the name may take its place.
        (
            "another",
            begun(".weak lanesum_sha256_sha_ni\n"),
            table.clone(),
            "do not resolve lanesum_sha256_sha_ni",
        ),
        // The linker defines the symbol, and the kernel does not.
        (
            "weak",
            begun(".weak _DYNAMIC\nlea rax, [rip+_DYNAMIC]\ntest rax, rax\njz 1f\n"),
            table.clone(),
            "undefined symbol _DYNAMIC",
        ),
        (
            "thunk",
            text.clone(),
            format!(
                "{table}.text\n.weak __x86_return_thunk\n.type __x86_return_thunk, @function\n\
                 __x86_return_thunk: xor dword ptr [rdi], 1\nret\n.size __x86_return_thunk, 4\n"
            ),
            "defines __x86_return_thunk",
        ),
        ("block", text.replacen("sha256msg2 xmm3", "sha256msg2 xmm4", 1), table.clone(), ""),
    ] {
        let fault = proven(case, &text, &table).expect_err(case);
        assert!(fault.contains(why), "{case}: {fault}");
    }
}

/// The linker defines the start of a section: in a program, that of all objects' sections of this name.
#[test]
fn a_table_that_may_start_in_another_object_is_unknown() {
    let (text, table) = sha256();
    let others = format!(".section lanes, \"a\"\n.p2align 6\ntable:\n{table}");
    let whole = module(&text, "", RETURN, &others).replace(RETURN, "ret");
    let assembled = |case: &str, whole: &str| assembled_for(case, whole, lanesum_prove::read);
    assert_eq!(assembled("own", &whole), Ok(()));
    for (case, place) in [("start", "__start_lanes"), ("slot", "__start_lanes@GOTPCREL")] {
        let whole = whole.replace("[rip+table]", &format!("[rip+{place}]"));
        let whole = if case == "slot" { whole.replace("lea rcx", "mov rcx") } else { whole };
        let fault = assembled(case, &whole).expect_err(case);
        assert!(fault.contains("unsupported or relocated instruction"), "{case}: {fault}");
    }
}

/// Sections of one name keep their own alignment, and other links place them elsewhere.
#[test]
fn sections_that_the_linker_joins_are_aligned_separately() {
    let (text, table) = sha256();
    let assembled = |case: &str, align: u32| {
        let others = format!(
            ".section .rodata\n.p2align {align}\ntable:\n{table}\
             .section .rodata.zz, \"a\"\n.p2align 6\n.quad 0\n"
        );
        let whole = module(&text, "", RETURN, &others).replace(RETURN, "ret");
        assembled_for(case, &whole, lanesum_prove::read)
    };
    assert_eq!(assembled("aligned", 6), Ok(()));
    let fault = assembled("unaligned", 3).unwrap_err();
    assert!(fault.contains("aligned"), "{fault}");
}

/// Debug information is not loaded, and its relocations are offsets from zero: here in the place of
/// the code's addresses.
#[test]
fn relocations_of_sections_that_are_not_loaded_are_ignored() {
    let (text, table) = sha256();
    let others = |debug: &str| {
        format!(
            ".section .rodata\n.p2align 6\ntable:\n{table}\
             .section .debug_line, \"\", @progbits\n{debug}"
        )
    };
    let assembled = |case: &str, begin: &str, debug: &str| {
        let whole = module(&text, begin, RETURN, &others(debug)).replace(RETURN, "ret");
        // The code's first field that is a multiple of four.
        let whole = whole.replace("lea rcx, [rip+table]", ".p2align 2\nnop\nlea rcx, [rip+table]");
        assembled_for(case, &whole, lanesum_prove::read)
    };
    let at_all = |symbol: &str| format!(".rept 0x4000\n.long {symbol}\n.endr\n");
    assert_eq!(assembled("no-debug", "", ""), Ok(()));
    assert_eq!(assembled("debug", "", &at_all("first")), Ok(()));
    // The place of the constants, at a distance from the code that only this link has.
    let begin = "lea r8, [rip+first+0x1000]\nmov r8d, [r8]\n";
    let fault = assembled("fake", begin, &at_all("table")).unwrap_err();
    assert!(fault.contains("unsupported or relocated instruction"), "{fault}");
}

/// Only addresses in relocations have the same meaning in every link. Linkers edit call frame information.
#[test]
fn only_addresses_in_constant_sections_are_known() {
    let (text, table) = sha256();
    let assembled = |case: &str, [begin, load, more]: [&str; 3]| {
        let others = format!(
            ".section .rodata\n.p2align 6\n.globl table\n.hidden table\ntable:\n{table}{more}"
        );
        let whole = module(&text, begin, RETURN, &others).replace(RETURN, "ret");
        assembled_for(case, &whole.replace("lea rcx, [rip+table]", load), lanesum_prove::read)
    };
    let load = "lea rcx, [rip+table]";
    // The offset of a slot, with an addend that leads to the table only if the linker places it so. The next
    // instruction is at 0x1010.
    let slot = |kind: &str, place: u32| {
        format!(
            ".byte 0x48, 0x8d, 0x0d\n.reloc ., R_X86_64_{kind}, table + {place:#x} - 0x1008\n.long 0"
        )
    };
    assert_eq!(assembled("address", ["", &slot("PC32", 0x1004), ""]), Ok(()));
    for place in (0x2000..0x6000).step_by(0x1000) {
        let fault = assembled("slot", ["", &slot("GOT32", place), ""]).unwrap_err();
        assert!(fault.contains("unsupported or relocated instruction"), "{fault}");
    }
    let frame = ".section .eh_frame, \"a\"\nframe: .long 0\n";
    assert_eq!(assembled("frame", ["", load, frame]), Ok(()));
    let fault = assembled("edited", ["mov r8d, [rip+frame]\n", load, frame]).unwrap_err();
    assert!(fault.contains("unsupported or relocated instruction"), "{fault}");
    // Linkers place the other section among the addresses of constructors.
    for (section, is_constant) in [(".rodata.frame", true), (".ctors.rodata", false)] {
        let frame = frame.replace(".eh_frame", section);
        let found = assembled("named", ["mov r8d, [rip+frame]\n", load, &frame]);
        assert_eq!(found.is_ok(), is_constant, "{section}: {found:?}");
    }
}

/// Some linkers replace the instructions around a relocation of a thread-local variable, and change the opcode before
/// the offset of a slot, even if no CPU executes these instructions. They change prologues for split stacks.
#[test]
fn instructions_that_linkers_replace_are_unknown() {
    let (text, table) = sha256();
    let found = |begin: &str, more: &str| {
        let others = format!(
            ".section .rodata\n.p2align 6\ntable:\n{table}\
             .section .tbss, \"awT\", @nobits\nvariable: .zero 8\n{more}"
        );
        let whole = module(&text, begin, RETURN, &others).replace(RETURN, "ret");
        assembled_for("replaced", &whole, lanesum_prove::read)
    };
    let refused = |begin: &str, more: &str, what: &str| {
        let found = found(begin, more);
        assert!(found.as_ref().is_err_and(|found| found.contains(what)), "{begin}: {found:?}");
    };
    let unsupported = "unsupported or relocated instruction";
    // A relocation in code that is never executed.
    let dead = |kind: &str, symbol: &str, before: usize, behind: usize| {
        format!(
            "jmp 2f\n.skip {before}, 0x90\n.reloc ., R_X86_64_{kind}, {symbol}-4\n.long 0\n\
             .skip {behind}, 0x90\n2:\n"
        )
    };
    let next = dead("PLT32", "first", 32, 32);
    let variable = |before, behind| dead("TLSGD", "variable", before, behind) + &next;
    assert_eq!(found(&variable(32, 32), ""), Ok(()));
    refused(&variable(0, 32), "", unsupported);
    refused(&variable(32, 12), "", unsupported);
    // Some linkers do not apply the next relocation, here that of the table.
    refused(&dead("TLSGD", "variable", 32, 32), "", unsupported);
    // The last byte of the executed jump is where a load's opcode would be.
    let slot = |before: &str| {
        format!("jmp 2f\n{before}.byte 0xe9\n.reloc ., R_X86_64_GOTPCREL, first-4\n.long 0\n2:\n")
    };
    assert_eq!(found(&slot("nop\n"), ""), Ok(()));
    refused(&slot(""), "", unsupported);
    refused("movq xmm7, [rip+memset@GOTPCREL]\n", "", unsupported);
    let split = ".section .note.GNU-split-stack, \"\", @progbits\n";
    refused("", split, "change the beginnings of its functions");
}

/// Linkers omit equal entries of such a section, and sort the others.
#[test]
fn entries_that_linkers_merge_are_separate() {
    let (text, table) = sha256();
    let assembled = |case: &str, begin: &str, flags: &str| {
        let others = format!(
            ".section .rodata\n.p2align 6\ntable:\n{table}\
             .section .rodata.some, \"{flags}\n.p2align 4\nsome: .quad 1, 2, 3, 4\n"
        );
        let begin = format!("lea r8, [rip+some]\n{begin}\n");
        let whole = module(&text, &begin, RETURN, &others).replace(RETURN, "ret");
        assembled_for(case, &whole, lanesum_prove::read)
    };
    let [plain, merged] = ["a\", @progbits", "aM\", @progbits, 16"];
    for flags in [plain, merged] {
        assert_eq!(assembled("first", "mov r9, [r8+8]\nmovdqa xmm0, [r8]", flags), Ok(()));
    }
    for (case, second) in [
        ("second", "mov r9, [r8+16]"),
        ("both", "mov r9d, [r8+14]"),
        ("symbol", "mov r9, [rip+some+16]"),
        ("distance", "lea r9, [rip+some+16]\nsub r9, r8"),
    ] {
        assert_eq!(assembled(case, second, plain), Ok(()), "{case}");
        assert!(assembled(case, second, merged).is_err(), "{case}");
    }
    let strings = "aMS\", @progbits, 1";
    assert!(assembled("strings", "mov r9b, [r8]", strings).is_err());
}

/// A caller resolves a name to the global symbol. Another function that has this name only when
/// demangled is not called.
#[test]
fn a_symbol_that_is_no_function_hides_none_of_its_name() {
    let (text, table) = sha256();
    let others = format!(".section .rodata\n.p2align 6\ntable:\n{table}");
    const OWN: &str = "_ZN21lanesum_sha256_sha_ni17h0123456789abcdefE";
    let right = module(&text, "", RETURN, &others)
        .replace(".globl lanesum_sha256_sha_ni\n", "")
        .replace("lanesum_sha256_sha_ni", OWN);
    let right_for_programs = right.replace("jmp __x86_return_thunk", "ret");
    // Another object's function takes the place of a weak one.
    let weak = right_for_programs.clone() + "\n.weak " + OWN + "\n";
    let fault = assembled_for("weak", &weak, lanesum_prove::read).unwrap_err();
    assert!(fault.contains("all are weak"), "{fault}");
    for (case, section, kind, size) in [
        ("long", ".text", "@function", "0x100000"),
        ("data", ".rodata", "@function", "1"),
        ("object", ".rodata", "@object", "1"),
    ] {
        let decoy = format!(
            "\n{section_line}\n.globl lanesum_sha256_sha_ni\n.type lanesum_sha256_sha_ni, {kind}\n\
             lanesum_sha256_sha_ni: ret\n.size lanesum_sha256_sha_ni, {size}\n",
            section_line =
                if section == ".text" { section.into() } else { format!(".section {section}") },
        );
        let fault =
            assembled_for(case, &(right_for_programs.clone() + &decoy), lanesum_prove::read);
        let fault = fault.expect_err(case);
        assert!(fault.contains("lanesum_sha256_sha_ni is not a function"), "{case}: {fault}");
        if kind == "@function" {
            let fault = assembled(case, &(right.clone() + &decoy)).expect_err(case);
            assert!(fault.contains("lanesum_sha256_sha_ni is not a function"), "{case}: {fault}");
        }
    }
}

#[test]
fn the_committed_texts_are_those_made_now() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kmod");
    let texts = ShaNiText::all().into_iter().filter(|text| !text.is_of_engine);
    let texts = texts.map(|text| (text.file(), text.text()));
    for (name, text) in texts.chain(tables()) {
        let committed = fs::read_to_string(folder.join(&name)).unwrap();
        assert!(committed == text, "{name} is not what is made now: run `make generate`");
    }
}

/// The kernel sorts some tables, and replaces code that others list. Another object may define a weak symbol.
#[test]
fn what_the_kernel_changes_is_neither_code_nor_constant() {
    let (text, table) = sha256();
    let module = |begin: &str, section: &str, others: &str| {
        let others = format!(".section {section}\n.p2align 6\ntable:\n{table}{others}");
        module(&text, begin, RETURN, &others)
    };
    const CONSTANTS: &str = ".rodata, \"a\"";
    let sites = ".section .return_sites, \"a\"\n.long first - .\n";
    assert_eq!(assembled("sites", &module("", CONSTANTS, sites)), Ok(()));
    for (case, whole, why) in [
        ("sorted", module("", "__ex_table, \"a\"", ""), "may change section __ex_table"),
        ("sorted code", module("", "__ex_table, \"ax\"", ""), "may change section __ex_table"),
        ("unwound", module("", ".orc_unwind, \"a\"", ""), "refers to .orc_unwind"),
        ("information", module("", ".modinfo, \"a\"", ""), "may change section .modinfo"),
        // The linker joins it to the section of constants.
        (
            "note of constants",
            module("", ".rodata.a, \"a\", @note", ".section .rodata, \"a\"\n"),
            "may change section .rodata.a",
        ),
        ("note", module("", ".note.t, \"a\", @progbits", ""), "may change section .note.t"),
        (
            "sealed",
            module("", CONSTANTS, ".section .ibt_endbr_seal, \"a\"\n.long first - .\n"),
            "may change section .ibt_endbr_seal",
        ),
        (
            "own bytes",
            module("cmp byte ptr [rip+first], 0x48\njne 1f\n", CONSTANTS, ""),
            "it reads memory that is not constant",
        ),
        (
            "thunk",
            module("cmp byte ptr [rip+__x86_return_thunk], 0xc3\njne 1f\n", CONSTANTS, ""),
            "it reads memory that is not constant",
        ),
        (
            "weak",
            module("", CONSTANTS, ".weak table\n.hidden table\n"),
            "another object may define table",
        ),
    ] {
        let fault = assembled(case, &whole).expect_err(case);
        assert!(fault.contains(why), "{case}: {fault}");
    }
}

/// The kernel loads every section at a separate address, and does not join, merge or protect sections as the linker
/// does.
#[test]
fn where_the_kernel_loads_sections_decides_nothing() {
    let (text, table) = sha256();
    let first_row = table.lines().find(|line| line.starts_with(".byte")).unwrap();
    let module = |begin: &str, end: &str, others: &str| module(&text, begin, end, others);
    let rows = format!(".section .rodata\n.p2align 6\ntable:\n{table}");
    let other = ".section .text_other, \"ax\"\n.p2align 4\n.type lanesum_sha_other_text, @function\n\
                 lanesum_sha_other_text: ret\n.size lanesum_sha_other_text, .-lanesum_sha_other_text\n";
    let with_other = format!("{other}{rows}");
    // The linker puts the other section behind this one, or the way back.
    let call = "call lanesum_sha_other_text\n";
    for right in [
        module("", RETURN, &rows),
        module(call, RETURN, &with_other),
        module("", RETURN, &with_other),
    ] {
        assert_eq!(assembled("right-sections", &right), Ok(()));
    }
    let begin = |lines: &str| module(lines, RETURN, &with_other);
    for (case, whole, why) in [
        ("end", module("", "", &rows), "unsupported or relocated instruction"),
        ("end-of-other", module(call, "", &with_other), "unsupported or relocated instruction"),
        (
            "jump",
            begin(&format!("{call}cmp rdx, -1\nje last\n")),
            "unsupported or relocated instruction",
        ),
        ("call", begin(&format!("{call}call last\n")), "unsupported or relocated instruction"),
        (
            "call-behind",
            begin(&format!("{call}call last+1\n")),
            "unsupported or relocated instruction",
        ),
        (
            "addend",
            begin(&format!("{call}call lanesum_sha_other_text-1\n")),
            "unsupported or relocated instruction",
        ),
        (
            "return",
            begin(&format!(
                "{call}lea rax, [rip+last]\nlea r8, [rip+2f]\npush r8\npush rax\nret\n2:\n"
            )),
            "it returns to a wrong address",
        ),
        (
            "return-behind",
            begin(&format!(
                "{call}lea rax, [rip+first]\nadd rax, last-first+1\nlea r8, [rip+2f]\npush r8\n\
                 push rax\nret\n2:\n"
            )),
            "it returns to a wrong address",
        ),
        (
            "immediate",
            begin("mov eax, offset table - .\ncmp eax, 0x7ffffff0\nja 1f\n"),
            "unsupported or relocated instruction",
        ),
        (
            "both",
            begin("cmp dword ptr [rip+table], offset table - .\nja 1f\n"),
            "unsupported or relocated instruction",
        ),
        (
            "displacement",
            begin("xor eax, eax\n.byte 0x8d, 0x80\n.long table - .\ntest eax, eax\njs 1f\n"),
            "unsupported or relocated instruction",
        ),
        (
            "data",
            module(
                "mov eax, [rip+distance]\ncmp eax, 0x7ffffff0\njb 1f\n",
                RETURN,
                &format!("{rows}\ndistance: .long first - .\n"),
            ),
            "it reads memory that is not constant",
        ),
        // The linker puts the section at the beginning of a page.
        ("alignment", module("", RETURN, &rows.replace(".p2align 6", ".p2align 3")), "aligned"),
        (
            "protected",
            module("", RETURN, &rows.replace(".rodata", ".data.rel.ro, \"aw\"")),
            "does not protect section .data.rel.ro",
        ),
        (
            "merged",
            module(
                "",
                RETURN,
                &format!(
                    ".section .rodata, \"aM\", @progbits, 16\n.p2align 6\ntable:\n{first_row}\n{table}"
                ),
            ),
            "merges the contents of section .rodata",
        ),
        (
            "twice",
            module(
                "",
                RETURN,
                &format!("{with_other}\n.section .text_other, \"ax\", @progbits, unique, 1\nret\n"),
            ),
            "loads section .text_other separately",
        ),
    ] {
        let fault = assembled(case, &whole).expect_err(case);
        assert!(fault.contains(why), "{case}: {fault}");
    }
}
