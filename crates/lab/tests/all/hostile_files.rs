//! Hostile libraries: headers, sections and tables that describe other bytes than those that
//! loaders use. The prover must reject a library if its view could differ from the loader's.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::refused::folder;
use lanesum_prove::{
    Binary, Image, Shipped, Task, check_fingerprints, fingerprints, misdirected, namesakes, read,
};
use lanesum_spec::Family;

fn ran(command: &mut Command) {
    assert!(command.status().unwrap().success(), "{command:?}");
}

/// An object of this assembly code.
fn object(name: &str, text: &str) -> PathBuf {
    let [source, object] = ["s", "o"].map(|end| folder().join(format!("{name}.{end}")));
    fs::write(&source, text).unwrap();
    ran(Command::new("as").arg("-o").args([&object, &source]));
    object
}

/// A library linked from it.
fn linked(name: &str, text: &str, flags: &[&str]) -> PathBuf {
    let (object, library) = (object(name, text), folder().join(format!("{name}.so")));
    ran(Command::new("ld").args(["-shared", "-o"]).args([&library, &object]).args(flags));
    library
}

/// The loader adds the load address to a number in the file, for every packing of relocations.
#[test]
fn relocations_that_are_packed_are_read() {
    let name = "_RNvNtNtNtNtCs0_7lanesum6kernel3x8611bmi2_asm_x13foo";
    let head = format!(".intel_syntax noprefix\n.text\n.globl {name}\n.type {name}, @function\n");
    let text = format!(
        "{head}{name}: ret\n.size {name}, .-{name}\n.section .data.rel.ro, \"aw\"\n.balign 8\n\
         .quad {name}\n.quad {name}\n.section .note.GNU-stack, \"\", @progbits\n"
    )
    .replace(&format!(".quad {name}"), ".quad .text");
    for (i, flags) in [&[][..], &["-z", "pack-relative-relocs"]].into_iter().enumerate() {
        let library = linked(&format!("packed-{i}"), &text, flags);
        let image = read(&library).unwrap();
        let file = fs::read(&library).unwrap();
        let place = section(&file, ".data.rel.ro");
        for at in [place, place + 8] {
            let byte = image.byte::<u64>(at);
            assert!(format!("{byte:?}").contains("Address("), "{flags:?}: {byte:?}");
        }
    }
}

/// glibc applies an incomplete last entry of packed relocations, and takes a bitmap without an address before it for
/// words at address zero.
#[test]
fn packed_relocations_that_loaders_read_differently_are_refused() {
    let text = ".text\n.globl f\n.type f, @function\nf: ret\n.size f, .-f\n\
                .section .data.rel.ro, \"aw\"\n.balign 8\n.quad .text\n.skip 1024\n.quad .text\n\
                .section .note.GNU-stack, \"\", @progbits\n";
    let library = linked("packed", text, &["-z", "pack-relative-relocs"]);
    let file = fs::read(&library).unwrap();
    let [table, len] = [36, 35].map(|tag| entry(&file, tag) + 8);
    let first = number(&file, table, 8);
    // So that a relocation at address zero is one of writable memory.
    let flags = segments(&file, LOAD)[0] + 4;
    assert_eq!(number(&file, len, 8), 16);
    for (place, value) in [(len, 9), (first, 3)] {
        let mut other = file.clone();
        put(&mut other, flags, 6, 4);
        Image::new(&other).unwrap();
        put(&mut other, place, value, 8);
        refused_with(&other, "unsupported relocations");
    }
}

/// A relocation that copies data of another library may change the names of symbols before the loader reads them. Any
/// relocation may change the program headers, which startup code of a static program reads afterwards.
#[test]
fn relocations_of_names_and_headers_are_refused() {
    const COPY: usize = 5;
    const RELATIVE: usize = 8;
    let text = ".intel_syntax noprefix\n.text\n.globl f\n.type f, @function\n\
                f: mov rax, [rip + data@GOTPCREL]\nmov rax, [rip + memset@GOTPCREL]\nret\n.size f, .-f\n\
                .section .note.GNU-stack, \"\", @progbits\n";
    let library = linked("copied", text, &["-z", "now"]);
    let mut file = fs::read(&library).unwrap();
    // The segment with names and headers becomes writable.
    let first = segments(&file, LOAD)[0];
    put(&mut file, first + 4, 6, 4);
    let value = |tag: usize| number(&file, entry(&file, tag) + 8, 8);
    let [relocations, symbols, strings] = [RELA, 6, 5].map(value);
    let symbol = number(&file, relocations + 12, 4);
    let named = |name: &[u8]| {
        let at = file[strings..].windows(name.len()).position(|own| own == name);
        strings + at.expect("a name")
    };
    let (memset, data) = (named(b"memset\0"), named(b"data\0"));
    assert_eq!(strings + number(&file, symbols + 24 * symbol, 4), data);
    put(&mut file, symbols + 24 * symbol + 16, 7, 8);
    let slot = number(&file, relocations + 24, 8);
    let byte = Image::new(&file).unwrap().byte::<u64>(slot as u64);
    assert!(format!("{byte:?}").contains("Memset"), "{byte:?}");
    let header = number(&file, 32, 8) + 16;
    for (kind, to) in [(COPY, memset), (COPY, header), (RELATIVE, header)] {
        let mut other = file.clone();
        put(&mut other, relocations, to, 8);
        put(&mut other, relocations + 8, symbol << 32 | kind, 8);
        refused_with(&other, "data that the loader reads");
    }
}

/// The address of a section, according to `objdump`.
fn section(file: &[u8], name: &str) -> u64 {
    let path = folder().join("section.so");
    fs::write(&path, file).unwrap();
    let output = Command::new("objdump").arg("-h").arg(&path).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = said.lines().find(|line| line.split_whitespace().nth(1) == Some(name));
    let words: Vec<&str> = line.expect("the section").split_whitespace().collect();
    u64::from_str_radix(words[3], 16).unwrap()
}

/// The loader reads segments. Sections that contradict them are rejected.
#[test]
fn sections_that_are_not_loaded_so_are_refused() {
    let file = fs::read(lanesum_testkit::release_library()).unwrap();
    let number = |at: usize, len: usize| number(&file, at, len);
    // Program headers: type, flags, and file offset.
    let all = segments(&file, LOAD);
    let is_code = |&&at: &&usize| number(at + 4, 4) & 1 == 1;
    let at = *all.iter().rfind(is_code).expect("a segment of code");
    let path = folder().join("segments.so");
    let constants = number(section_header(&file, ".rodata") + 16, 8);
    let is_theirs = |&&at: &&usize| {
        let from = number(at + 16, 8);
        (from..from + number(at + 40, 8)).contains(&constants)
    };
    let unread = *all.iter().find(is_theirs).expect("their segment");
    let unequal = "is not loaded as in the file";
    for (place, byte, wanted) in [
        (at + 9, file[at + 9] ^ 0x10, "there is code outside of sections"),
        (at + 4, file[at + 4] | 2, unequal),
        (unread + 4, 0, unequal),
    ] {
        let mut other = file.clone();
        other[place] = byte;
        fs::write(&path, other).unwrap();
        let found = read(&path).map(|_| ()).unwrap_err().to_string();
        assert!(found.contains(wanted), "{found}");
    }
}

/// An indirect function (IFUNC), resolved at load time, is not a kernel.
#[test]
fn a_function_that_chooses_another_is_no_kernel() {
    let name = "_ZN7lanesum6kernel3foo3bar17h0123456789abcdefE";
    let library = |kind: &str| {
        let text = format!(
            ".text\n.globl {name}\n.type {name}, @{kind}\n{name}: ret\n.size {name}, .-{name}\n\
             .section .note.GNU-stack, \"\", @progbits\n"
        );
        read(&linked(kind, &text, &[])).map_err(|error| error.to_string())
    };
    let image = library("function").unwrap();
    assert_eq!(image.named("lanesum::kernel::foo::bar").count(), 1);
    let found = library("gnu_indirect_function").map(|_| ());
    assert!(found.as_ref().is_err_and(|what| what.contains("before it protects")), "{found:?}");
}

/// Data that is read-only only by its section's name may be written.
#[test]
fn what_the_loader_does_not_protect_is_no_constant() {
    let text = ".text\n.globl f\n.type f, @function\nf: ret\n.size f, .-f\n\
                .section .data.rel.ro, \"aw\"\n.balign 8\n.quad 5\n.quad .text\n\
                .section .note.GNU-stack, \"\", @progbits\n";
    for (flag, is_constant) in [("relro", true), ("norelro", false)] {
        let library = linked(flag, text, &["-z", flag]);
        let at = section(&fs::read(&library).unwrap(), ".data.rel.ro");
        let byte = read(&library).unwrap().byte::<u64>(at);
        assert_eq!(byte.is_some(), is_constant, "{flag}: {byte:?}");
        // The loader stores an address there, which the program may overwrite.
        let byte = read(&library).unwrap().byte::<u64>(at + 8);
        assert_eq!(byte.is_some(), is_constant, "{flag}: {byte:?}");
    }
}

/// The loader makes the pages of PT_GNU_RELRO read-only, and so not executable.
#[test]
fn code_that_the_loader_protects_is_refused() {
    let mut file = fs::read(lanesum_testkit::release_library()).unwrap();
    let kept = segments(&file, 0x6474_e552)[0];
    let code = number(&file, section_header(&file, ".text") + 16, 8);
    let end = number(&file, kept + 16, 8) + number(&file, kept + 40, 8);
    put(&mut file, kept + 16, code, 8);
    put(&mut file, kept + 40, end - code, 8);
    refused_with(&file, "PT_GNU_RELRO");
}

/// The dynamic linker reads PT_DYNAMIC, and the startup code of a static program `_DYNAMIC`.
#[test]
fn two_dynamic_sections_are_refused() {
    let file = fs::read(lanesum_testkit::release_library()).unwrap();
    let mut other = file.clone();
    let section = section_header(&file, ".dynamic");
    put(&mut other, section + 16, number(&file, section + 16, 8) + 16, 8);
    refused_with(&other, "PT_DYNAMIC is not the dynamic section");
    let path = folder().join("dynamic.so");
    let library = lanesum_testkit::release_library();
    let added = "--add-symbol=_DYNAMIC=.data:0,local,object";
    let mut objcopy = Command::new("objcopy");
    assert!(objcopy.arg(added).args([&library, &path]).status().unwrap().success());
    refused_with(&fs::read(&path).unwrap(), "PT_DYNAMIC is not at _DYNAMIC");
}

/// The dynamic linker finds symbols by hash tables, tools by a section.
#[test]
fn symbols_outside_of_their_section_are_refused() {
    let file = fs::read(lanesum_testkit::release_library()).unwrap();
    let section = section_header(&file, ".dynsym");
    let with = |field: usize, k: usize, len: usize| {
        let mut other = file.clone();
        put(&mut other, section + field, k, len);
        other
    };
    let len = number(&file, section + 32, 8);
    refused_with(&with(32, len - 24, 8), "a dynamic symbol is outside of its section");
    refused_with(&with(4, 1, 4), "not exactly one section of dynamic symbols");
    refused_with(&with(16, 8, 8), "section .dynsym differs");
    // Names in another section.
    refused_with(&with(40, number(&file, 62, 2), 4), "section .dynstr differs");
}

/// musl makes the whole library writable if a relocation changes code.
#[test]
fn a_library_that_relocates_code_is_refused() {
    let file = fs::read(lanesum_testkit::release_library()).unwrap();
    let mut other = file.clone();
    put(&mut other, entry(&file, 14), 22, 8);
    refused_with(&other, "DT_TEXTREL");
    let mut other = file.clone();
    let flags = entry(&file, FLAGS) + 8;
    put(&mut other, flags, number(&file, flags, 8) | 4, 8);
    refused_with(&other, "DT_TEXTREL");
}

/// With a compiler's plugin, linkers replace an object's code by code generated from its intermediate code. Of section
/// groups with the same name in several objects, they link one.
#[test]
fn an_object_that_a_link_may_replace_is_refused() {
    let found = |lines: &str| {
        let text = format!(
            ".text\n.globl f\n.type f, @function\nf: ret\n.size f, .-f\n{lines}\n.byte 1\n\
             .section .note.GNU-stack, \"\", @progbits\n"
        );
        read(&object("replaced", &text)).map(|_| ()).map_err(|error| error.to_string())
    };
    found(".section .rodata, \"a\"").unwrap();
    found("g: ret").unwrap();
    // Another kernel of the path is in another object.
    let kernel = |hash: u32| format!("_ZN7lanesum6kernel3x866sha_ni6sha25617h{hash:016x}E");
    let own = format!(".type {0}, @function\n{0}: ret\n.size {0}, .-{0}", kernel(1));
    found(&own).unwrap();
    let other = found(&format!("{own}\njmp {}", kernel(2)));
    assert!(other.as_ref().is_err_and(|found| found.contains("that others call")), "{other:?}");
    // A function that other objects call, and that no search for functions finds.
    for lines in [".globl g\ng: ret", ".globl g\n.type g, @function\ng: ret", ".weak g\ng: ret"] {
        let found = found(lines);
        assert!(
            found.as_ref().is_err_and(|found| found.contains("symbol g")),
            "{lines}: {found:?}"
        );
    }
    for (section, what) in [
        (".gnu.lto_f.1, \"e\"", "code that replaces"),
        (".gnu.lto_f.1, \"\"", "code that replaces"),
        (".llvm.lto, \"\"", "code that replaces"),
        (".other, \"e\"", "code that replaces"),
        (".rodata, \"aG\", @progbits, tables, comdat", "may replace a section of a group"),
        (".gnu.linkonce.r.tables, \"a\"", "may replace section .gnu.linkonce"),
        (".other, \"0x802\", @progbits", "decompresses section .other"),
    ] {
        let found = found(&format!(".section {section}"));
        assert!(found.as_ref().is_err_and(|found| found.contains(what)), "{section}: {found:?}");
    }
    // GNU's linker reads only the flags of a section in a group, others only the list of the group's sections.
    const GROUP: usize = 0x200;
    let group = "@progbits, tables, comdat\n.byte 1\n.section";
    let lines = format!(".section .rodata, \"aG\", {group} .debug, \"G\", {group} .other, \"\"");
    let text = format!(".text\n.globl f\n.type f, @function\nf: ret\n.size f, .-f\n{lines}\n");
    let path = object("group", &text);
    let mut file = fs::read(&path).unwrap();
    let flags = section_header(&file, ".rodata") + 8;
    let own = number(&file, flags, 8);
    put(&mut file, flags, own - GROUP, 8);
    fs::write(&path, &file).unwrap();
    let fault = read(&path).map(|_| ()).unwrap_err().to_string();
    assert!(fault.contains("may replace a section of a group"), "{fault}");
}

/// Some linkers ignore relocations that others apply, and symbols that others resolve.
#[test]
fn an_object_that_linkers_read_differently_is_refused() {
    const REL: usize = 9;
    const LIVE_PATCH: usize = 0x10_0000;
    const SYMBOLS: usize = 2;
    let text = |lines: &str| {
        format!(
            ".text\n.globl f\n.type f, @function\nf: lea t(%rip), %rax\nret\n.size f, .-f\n{lines}\n\
             .section .rodata\nt: .quad 1\n.data\n.quad f\n.section .other, \"\"\n.skip 24\n\
             .section .note.GNU-stack, \"\", @progbits\n"
        )
    };
    let found = |file: &[u8]| {
        let path = folder().join("differently.o");
        fs::write(&path, file).unwrap();
        read(&path).map(|_| ()).map_err(|error| error.to_string())
    };
    let refused = |case: &str, file: &[u8], what: &str| {
        let found = found(file);
        assert!(found.as_ref().is_err_and(|found| found.contains(what)), "{case}: {found:?}");
    };
    let file = fs::read(object("alike", &text(""))).unwrap();
    found(&file).unwrap();
    let header = |name: &str| section_header(&file, name);
    let [code, data, symbols] = [".rela.text", ".rela.data", ".symtab"].map(header);
    let [kind, link, info] = [4, 40, 44];
    let changed = |at: usize, to: usize| {
        let mut other = file.clone();
        put(&mut other, at, to, 4);
        other
    };
    let relocations = "not every linker applies its relocations";
    refused("another symbol table", &changed(code + link, 0), relocations);
    refused("a second section", &changed(data + info, number(&file, code + info, 4)), relocations);
    refused("another kind", &changed(code + kind, REL), relocations);
    refused("a live patch", &changed(code + 8, LIVE_PATCH), relocations);
    let count = number(&file, symbols + 32, 8) / 24;
    refused("all local", &changed(symbols + info, count), "local symbols");
    refused("none local", &changed(symbols + info, 1), "local symbols");
    refused(
        "two tables",
        &changed(header(".other") + kind, SYMBOLS),
        "not exactly one symbol table",
    );
    refused("no table", &changed(symbols + kind, 1), "not exactly one symbol table");
    let assembled = |lines: &str| fs::read(object("not-alike", &text(lines))).unwrap();
    refused("thread-local", &assembled(".type t, @tls_object"), "symbol t is thread-local");
    // Startup code calls the first of these, and continues behind it.
    for section in [".init", ".fini", ".ctors.x", ".gnu.warning.x", ".interp"] {
        let file = assembled(&format!(".section {section}, \"ax\"\nret"));
        refused(section, &file, "linkers may place code");
    }
    for section in [".text.x", "x"] {
        found(&assembled(&format!(".section {section}, \"ax\"\nret"))).unwrap();
    }
}

/// Code in a non-executable section is not code.
#[test]
fn a_function_among_data_is_none() {
    for (flags, count) in [("ax", 1), ("a", 0)] {
        let text = format!(
            ".section .here, \"{flags}\"\n.globl f\n.type f, @function\nf: ret\n.size f, .-f\n.text\n\
             .globl g\n.type g, @function\ng: ret\n.size g, .-g\n\
             .section .note.GNU-stack, \"\", @progbits\n"
        );
        let image = read(&linked(&format!("data-{flags}"), &text, &[])).unwrap();
        assert_eq!((image.named("f").count(), image.named("g").count()), (count, 1), "{flags}");
    }
}

/// A little-endian number of `len` bytes in a file.
pub(crate) fn number(file: &[u8], at: usize, len: usize) -> usize {
    file[at..at + len].iter().rev().fold(0, |k, &byte| k << 8 | usize::from(byte))
}

/// The offsets of the program headers of a type.
pub(crate) fn segments(file: &[u8], kind: usize) -> Vec<usize> {
    let (table, len, count) = (number(file, 32, 8), number(file, 54, 2), number(file, 56, 2));
    let all = (0..count).map(|i| table + i * len);
    all.filter(|&at| number(file, at, 4) == kind).collect()
}

/// Writes a little-endian number of `len` bytes into a file.
pub(crate) fn put(file: &mut [u8], at: usize, k: usize, len: usize) {
    file[at..at + len].copy_from_slice(&k.to_le_bytes()[..len]);
}

/// Tags of the dynamic section.
pub(crate) const PLT_TABLE: usize = 3;
pub(crate) const RELA: usize = 7;
pub(crate) const RELA_LEN: usize = 8;
pub(crate) const JUMPS: usize = 23;
pub(crate) const FLAGS: usize = 30;
pub(crate) const FLAGS_1: usize = 0x6fff_fffb;

const LOAD: usize = 1;
const DYNAMIC: usize = 2;
const STACK: usize = 0x6474_e551;
const RELRO: usize = 0x6474_e552;
const NOTE: usize = 4;

/// Where segments overlap, the last one is in memory.
#[test]
fn segments_that_are_loaded_over_others_are_refused() {
    let file = fs::read(lanesum_testkit::release_library()).unwrap();
    let loads = segments(&file, LOAD);
    let is_code = |&&at: &&usize| number(&file, at + 4, 4) & 1 == 1;
    let code = *loads.iter().find(is_code).expect("a segment of code");
    let place = number(&file, code + 16, 8);
    let path = folder().join("over.so");
    // Move an otherwise unused segment over the code, or into its last page.
    let spare = segments(&file, 0x6474_e551);
    let spare = *spare.first().expect("PT_GNU_STACK");
    for at in [place, place + number(&file, code + 40, 8) - 1] {
        let mut other = file.clone();
        other[spare..spare + 4].copy_from_slice(&(LOAD as u32).to_le_bytes());
        for (field, k) in [(8, at % 4096), (16, at), (24, at), (32, 1), (40, 1)] {
            other[spare + field..spare + field + 8].copy_from_slice(&(k as u64).to_le_bytes());
        }
        fs::write(&path, other).unwrap();
        let found = read(&path).map(|_| ()).unwrap_err().to_string();
        assert!(found.contains("sorted by address"), "{found}");
    }
}

/// The loader reads the relocation tables that the dynamic section refers to, whatever the sections
/// are.
#[test]
fn relocations_are_those_that_the_loader_reads() {
    const SYMBOLS: usize = 6;
    const RELATIVE_COUNT: usize = 0x6fff_fff9;
    let file = fs::read(lanesum_testkit::release_library()).unwrap();
    let dynamic = segments(&file, DYNAMIC)[0];
    let (from, len) = (number(&file, dynamic + 8, 8), number(&file, dynamic + 32, 8));
    let entry = |tag: usize| (from..from + len).step_by(16).find(|&at| number(&file, at, 8) == tag);
    let entry = |tag: usize| entry(tag).expect("an entry of the dynamic section") + 8;
    let path = folder().join("dynamic.so");
    let with = |tag: usize, k: usize| {
        let mut other = file.clone();
        other[entry(tag)..entry(tag) + 8].copy_from_slice(&(k as u64).to_le_bytes());
        fs::write(&path, other).unwrap();
        read(&path).map_err(|error| error.to_string())
    };
    // Only the first relocation of the table is read, so the engine's tables have no functions.
    let mut shorter = file.clone();
    for (tag, k) in [(RELA_LEN, 24), (RELATIVE_COUNT, 1)] {
        put(&mut shorter, entry(tag), k, 8);
    }
    refused_with(&shorter, "the table of kernels");
    // An address outside of memory, half a relocation, and other symbols.
    for (tag, k, what) in [
        (RELA, 1 << 40, "relocation"),
        (RELA_LEN, 30, "relocation"),
        (SYMBOLS, number(&file, entry(SYMBOLS), 8) + 24, ".dynsym"),
    ] {
        let found = with(tag, k).map(|_| ()).unwrap_err();
        assert!(found.contains(what), "{tag}: {found}");
    }
}

/// Relocations of 64-bit code have explicit addends. Only some loaders apply others.
#[test]
fn relocations_of_another_kind_are_refused() {
    const REL: usize = 17;
    const REL_LEN: usize = 18;
    const COUNT: usize = 0x6fff_fff9;
    const HASH: usize = 0x6fff_fef5;
    let file = fs::read(lanesum_testkit::release_library()).unwrap();
    let dynamic = segments(&file, DYNAMIC)[0];
    let (from, len) = (number(&file, dynamic + 8, 8), number(&file, dynamic + 32, 8));
    let entry = |tag: usize| {
        let found = (from..from + len).step_by(16).find(|&at| number(&file, at, 8) == tag);
        found.expect("an entry of the dynamic section")
    };
    let table = number(&file, entry(RELA) + 8, 8);
    let mut other = file.clone();
    // Replace two entries that are not needed.
    for (old, tag, k) in [(COUNT, REL, table), (HASH, REL_LEN, 16)] {
        let at = entry(old);
        other[at..at + 8].copy_from_slice(&(tag as u64).to_le_bytes());
        other[at + 8..at + 16].copy_from_slice(&(k as u64).to_le_bytes());
    }
    let path = folder().join("other-relocations.so");
    fs::write(&path, other).unwrap();
    let found = read(&path).map(|_| ()).unwrap_err().to_string();
    assert!(found.contains("relocations of the wrong kind for its class"), "{found}");
}

/// A second relocation of a word may add to it again, or overwrite half of it.
#[test]
fn two_relocations_of_one_place_are_refused() {
    let relocations = |second: &str, section: &str| {
        let text = format!(
            ".text\n.globl f\n.type f, @function\nf: ret\n.size f, .-f\n\
             .section {section}, \"aw\"\n.balign 8\nplace: .quad f\n.quad 0\n.quad 0\n\
             .reloc {second}\n.section .note.GNU-stack, \"\", @progbits\n"
        );
        let name = format!("twice-{}", second.len());
        read(&linked(&name, &text, &[])).map(|_| ()).map_err(|error| error.to_string())
    };
    relocations("place + 8, R_X86_64_64, f", ".data.rel.ro").unwrap();
    for second in ["place, R_X86_64_64, f + 16", "place + 4, R_X86_64_64, f"] {
        let found = relocations(second, ".data.rel.ro").unwrap_err();
        assert!(found.contains("two relocations overlap"), "{second}: {found}");
    }
}

/// With two functions of one name, it is unknown which one the engine's table refers to. Both are
/// correct here, but only one of them would have to be.
#[test]
fn which_of_two_functions_is_called_is_not_guessed() {
    const SYMBOLS: usize = 2;
    let file = fs::read(lanesum_testkit::release_library()).unwrap();
    let (table, len, count) = (number(&file, 40, 8), number(&file, 58, 2), number(&file, 60, 2));
    let header = |i: usize| table + i * len;
    let is_table = |&i: &usize| number(&file, header(i) + 4, 4) == SYMBOLS;
    let symbols = (0..count).find(is_table).map(header).expect("a symbol table");
    let names = number(&file, header(number(&file, symbols + 40, 4)) + 24, 8);
    let (from, len) = (number(&file, symbols + 24, 8), number(&file, symbols + 32, 8));
    let symbol = |wanted: &str| {
        let is_it = |&at: &usize| {
            let name = &file[names + number(&file, at, 4)..];
            let name = &name[..name.iter().position(|&byte| byte == 0).unwrap()];
            String::from_utf8_lossy(name).contains(wanted)
        };
        (from..from + len).step_by(24).find(is_it).unwrap_or_else(|| panic!("no {wanted}"))
    };
    let own = symbol("portable_x14sha18compress");
    let larger = symbol("avx512_x86sha5128compress");
    let code = segments(&file, LOAD).into_iter().find(|&at| number(&file, at + 4, 4) & 1 == 1);
    let code = code.expect("a segment of code");
    let place = |at: usize| {
        number(&file, at + 8, 8) - number(&file, code + 16, 8) + number(&file, code + 8, 8)
    };
    let size = number(&file, own + 16, 8);
    assert!(size <= number(&file, larger + 16, 8), "the other kernel is shorter");
    let kernel = Shipped::all().find(|kernel| kernel.to_string() == "portable_x1/sha1").unwrap();
    let mut other = file.clone();
    other.copy_within(own..own + 4, larger);
    // The other function is still the larger kernel, under this name.
    let image = Image::new(&other).unwrap();
    let at = number(&file, larger + 8, 8) as u64;
    assert_eq!(namesakes(&image, kernel), [at]);
    assert!(namesakes(&Image::new(&file).unwrap(), kernel).is_empty());
    // Both are correct.
    other.copy_within(place(own)..place(own) + size, place(larger));
    other.copy_within(own + 16..own + 24, larger + 16);
    assert_eq!(namesakes(&Image::new(&other).unwrap(), kernel), [at]);
    // The command rejects the file even if it proves only this kernel.
    let path = folder().join("namesake.so");
    fs::write(&path, &other).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_lanesum-graph"));
    let output = command.args(["prove", "--binary"]).args([&path]).arg("portable_x1/sha1").output();
    let output = output.unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("another function has its name"), "{said}");
}

/// A program that detects no collisions lacks one function. One that renames it does not.
#[test]
fn only_programs_without_collision_detection_omit_its_function() {
    let file = fs::read(lanesum_testkit::release_library()).unwrap();
    let renamed = |file: &[u8], name: &[u8]| {
        let mut other = file.to_vec();
        let places: Vec<_> =
            (0..file.len() - name.len()).filter(|&at| file[at..].starts_with(name)).collect();
        assert!(!places.is_empty());
        places.into_iter().for_each(|at| other[at + name.len() - 1] = b'_');
        other
    };
    let one = renamed(&file, b"lanesum_spec6sha1dc4read");
    let all = renamed(&renamed(&one, b"7lanesum6sha1dc"), b"lanesum..sha1dc");
    // A table refers to this one, whatever its name.
    let named_otherwise = renamed(&file, b"7avx2_x83md5");
    for (file, is_omitted) in
        [(&file, false), (&one, false), (&all, true), (&named_otherwise, false)]
    {
        let image = Image::new(file).unwrap();
        let omitted: Vec<_> = Shipped::all().filter(|&one| image.omits(one).is_some()).collect();
        let names: Vec<_> = omitted.iter().map(Shipped::to_string).collect();
        assert_eq!(names, if is_omitted { vec!["portable_x1/sha1/read"] } else { vec![] });
    }
}

/// The offset of a section header in the file.
pub(crate) fn section_header(file: &[u8], wanted: &str) -> usize {
    let (table, len, count) = (number(file, 40, 8), number(file, 58, 2), number(file, 60, 2));
    let header = |i: usize| table + i * len;
    let names = number(file, header(number(file, 62, 2)) + 24, 8);
    let is_it = |&at: &usize| {
        let name = &file[names + number(file, at, 4)..];
        name.starts_with(wanted.as_bytes()) && name[wanted.len()] == 0
    };
    (0..count).map(header).find(is_it).unwrap_or_else(|| panic!("no section {wanted}"))
}

/// The tags of the dynamic section with the offsets of their entries, and the offset of its end.
pub(crate) fn dynamic(file: &[u8]) -> (Vec<(usize, usize)>, usize) {
    let header = segments(file, DYNAMIC)[0];
    let from = number(file, header + 8, 8);
    let tags = (0..).map(|i| from + 16 * i).map(|at| (number(file, at, 8), at));
    let all: Vec<(usize, usize)> = tags.take_while(|(tag, _)| *tag != 0).collect();
    let end = from + 16 * all.len();
    (all, end)
}

/// The offset of an entry of the dynamic section.
pub(crate) fn entry(file: &[u8], tag: usize) -> usize {
    let all = dynamic(file).0;
    all.into_iter().find(|(own, _)| *own == tag).unwrap_or_else(|| panic!("no tag {tag:#x}")).1
}

pub(crate) fn refused_with(file: &[u8], what: &str) {
    let found = Image::new(file).map(|_| ()).map_err(|fault| fault.to_string());
    assert!(found.as_ref().is_err_and(|found| found.contains(what)), "{what}: {found:?}");
}

/// Given two dynamic segments, some loaders read the first and some the last.
#[test]
fn a_second_dynamic_segment_is_refused() {
    let file = fs::read(lanesum_testkit::release_library()).unwrap();
    let own = segments(&file, DYNAMIC)[0];
    // After the other, before it, and a duplicate.
    for (slot, skipped) in [(STACK, 16), (NOTE, 16), (STACK, 0)] {
        let slot = segments(&file, slot).first().copied().or_else(|| segments(&file, RELRO).pop());
        let slot = slot.expect("an unused segment");
        let mut other = file.clone();
        other.copy_within(own..own + 56, slot);
        for (field, by) in [(8, skipped), (16, skipped), (24, skipped)] {
            let k = number(&other, slot + field, 8) + by;
            put(&mut other, slot + field, k, 8);
        }
        refused_with(&other, "two PT_DYNAMIC");
    }
}

/// Loaders read the dynamic section up to DT_NULL, regardless of its declared size.
#[test]
fn a_dynamic_segment_that_goes_on_is_refused() {
    let file = fs::read(lanesum_testkit::release_library()).unwrap();
    let own = segments(&file, DYNAMIC)[0];
    let from = number(&file, own + 8, 8);
    let (entries, end) = dynamic(&file);
    let rela = entries.iter().find(|(tag, _)| *tag == RELA).expect("relocations").1;
    for len in [0, 16, rela - from, end - from] {
        let mut other = file.clone();
        put(&mut other, own + 32, len, 8);
        refused_with(&other, "PT_DYNAMIC");
    }
    // A duplicate tag.
    let (first, second) = (entries[1].1, rela);
    let mut other = file.clone();
    other.copy_within(second..second + 8, first);
    refused_with(&other, "duplicate");
}

/// The prover reads the loaded names, not those at the offset of a section. Otherwise it would
/// mistake another function for `memset`.
#[test]
fn names_of_functions_are_those_that_the_loader_reads() {
    let file = fs::read(lanesum_testkit::release_library()).unwrap();
    let part = |name: &str| {
        let header = section_header(&file, name);
        (header, number(&file, header + 24, 8), number(&file, header + 32, 8))
    };
    let (strings, from, len) = part(".dynstr");
    let memset = file[from..from + len].windows(8).position(|name| name == b"\0memset\0");
    let memset = from + 1 + memset.expect("the name of memset");
    // The loaded name is `strlen`; the section points to a copy with the old name.
    let mut other = file.clone();
    other[memset..memset + 6].copy_from_slice(b"strlen");
    let end = other.len();
    other.extend_from_slice(&file[from..from + len]);
    put(&mut other, strings + 24, end, 8);
    refused_with(&other, ".dynstr");
    // A section with another table of symbols.
    let (symbols, from, len) = part(".dynsym");
    let mut other = file.clone();
    let end = other.len();
    other.extend_from_slice(&file[from..from + len]);
    put(&mut other, symbols + 24, end, 8);
    refused_with(&other, ".dynsym");

    // Without contradicting sections, the prover reads the loaded names. `strlen` is not `memset`,
    // nor is the address sixteen bytes after its start.
    let mut named = file.clone();
    named[memset..memset + 6].copy_from_slice(b"strlen");
    let mut behind = file.clone();
    let is_memset = |at: &usize| {
        let symbol = number(&file, *at + 12, 4);
        let name = number(&file, from + 24 * symbol, 4);
        symbol != 0 && part(".dynstr").1 + name == memset
    };
    let (_, table, len) = part(".rela.dyn");
    let entry = (table..table + len).step_by(24).find(is_memset).expect("a relocation of memset");
    put(&mut behind, entry + 16, 16, 8);
    let of = |file: &[u8]| -> Vec<bool> {
        let image = Image::new(file).unwrap();
        // Some of these loops call memset.
        let is_md5 = |kernel: &Shipped| kernel.family == Family::Md5;
        let loops = Shipped::all().filter(|k| k.task == Task::Iterate).filter(is_md5);
        loops.map(|kernel| Binary::find(&image, kernel).unwrap().refute().is_ok()).collect()
    };
    let own = of(&file);
    assert!(own.iter().all(|is| *is));
    for other in [named, behind] {
        assert!(of(&other) != own, "another function is mistaken for memset");
    }
}

/// Offsets and addresses of segments, and the constraints on them that loaders rely on.
#[test]
fn segments_that_loaders_map_differently_are_refused() {
    let file = fs::read(lanesum_testkit::release_library()).unwrap();
    let loads = segments(&file, LOAD);
    let with = |at: usize, k: usize| {
        let mut other = file.clone();
        put(&mut other, at, k, 8);
        other
    };
    let field = |i: usize, field: usize| (loads[i] + field, number(&file, loads[i] + field, 8));
    let (at, offset) = field(1, 8);
    refused_with(&with(at, offset + 1), "differ modulo a page");
    let (at, len) = field(0, 40);
    refused_with(&with(at, len - 1), "exceeds p_memsz");
    let (_, next) = field(1, 16);
    refused_with(&with(at, next - number(&file, loads[0] + 16, 8) + 1), "share a page");
    let last = loads.len() - 1;
    let (at, len) = field(last, 32);
    let beyond = file.len() + len;
    let mut other = with(at, beyond);
    put(&mut other, loads[last] + 40, 2 * beyond, 8);
    refused_with(&other, "exceeds the file");
    let mut swapped = file.clone();
    swapped.copy_within(loads[0]..loads[0] + 56, loads[1]);
    swapped[loads[0]..loads[0] + 56].copy_from_slice(&file[loads[1]..loads[1] + 56]);
    refused_with(&swapped, "sorted by address");
    // Linux reads headers in the file, others those in memory.
    let (at, len) = field(0, 8);
    refused_with(&with(at, len + 4096), "contains its headers");
    refused_with(&with(32, file.len()), "");
    // Linux up to 5.17 computes the address of the program headers from that of the first segment.
    let data = section_header(&file, ".data");
    let [address, offset] = [16, 24].map(|field| number(&file, data + field, 8));
    assert_ne!(address, offset);
    const OWN: usize = 6;
    let [headers, count] = [number(&file, 32, 8), number(&file, 56, 2)];
    let mut moved = file.clone();
    for own in segments(&file, OWN) {
        put(&mut moved, own + 8, offset, 8);
        put(&mut moved, own + 16, address, 8);
    }
    moved.copy_within(headers..headers + 56 * count, offset);
    put(&mut moved, 32, offset, 8);
    refused_with(&moved, "expects its headers elsewhere");
    // In a program at fixed addresses, code knows its addresses. musl loads one for address zero elsewhere.
    const NOTE: usize = 4;
    let mut program = file.clone();
    put(&mut program, 16, 2, 2);
    put(&mut program, segments(&file, NOTE)[0], 3, 4);
    refused_with(&program, "address zero");
    // A program computes its load address from this header.
    let spare = segments(&file, STACK)[0];
    for (at, offset) in [(64, 64), (0x40, 0x80)] {
        let mut other = file.clone();
        put(&mut other, spare, 6, 4);
        for (field, k) in [(8, offset), (16, at + 4096), (24, at), (32, 56), (40, 56)] {
            put(&mut other, spare + field, k, 8);
        }
        refused_with(&other, "PT_PHDR");
    }
}

/// glibc applies the first DT_RELACOUNT relocations as relative without reading their types. No
/// relocation may change data that the loader itself reads.
#[test]
fn relocations_that_loaders_read_differently_are_refused() {
    const RELATIVE_COUNT: usize = 0x6fff_fff9;
    let file = fs::read(lanesum_testkit::release_library()).unwrap();
    let (entries, _) = dynamic(&file);
    let entry = |tag: usize| entries.iter().find(|(own, _)| *own == tag).expect("an entry").1 + 8;
    let table = number(&file, entry(RELA), 8);
    let count = number(&file, entry(RELATIVE_COUNT), 8);
    let mut other = file.clone();
    put(&mut other, entry(RELATIVE_COUNT), count + 1, 8);
    refused_with(&other, "relative relocations");
    let mut other = file.clone();
    put(&mut other, table + 8, 6, 8);
    refused_with(&other, "relative relocations");
    let section = number(&file, segments(&file, DYNAMIC)[0] + 16, 8);
    let mut other = file.clone();
    put(&mut other, table, section + 8, 8);
    refused_with(&other, "that the loader reads");
}

/// A table entry refers to a function other than the kernel's: of another CPU, another family,
/// another task, or none. The names of the functions do not matter.
#[test]
fn tables_that_lead_elsewhere_are_refused() {
    let file = fs::read(lanesum_testkit::release_library()).unwrap();
    let whole = Image::new(&file).unwrap();
    let named = |name: &str| Shipped::all().find(|kernel| kernel.to_string() == name).unwrap();
    let entry = |name: &str| Binary::find(&whole, named(name)).unwrap().entry();
    let (entries, _) = dynamic(&file);
    let value = |tag: usize| {
        let at = entries.iter().find(|(own, _)| *own == tag).expect("an entry").1;
        number(&file, at + 8, 8)
    };
    let (table, len) = (value(7), value(8));
    let all: Vec<(Shipped, u64)> =
        Shipped::all().map(|kernel| (kernel, entry(&kernel.to_string()))).collect();
    assert!(misdirected(&whole, &all).is_empty());
    assert!(whole.dispatched().len() >= all.len());
    // All copies of the functions' addresses that relocations store.
    let changed = |changes: &[(u64, u64)]| {
        let mut other = file.clone();
        for &(from, to) in changes {
            let mut moved = 0;
            for at in (table..table + len).step_by(24) {
                if number(&file, at + 16, 8) as u64 == from && number(&file, at + 8, 8) == 8 {
                    put(&mut other, at + 16, to as usize, 8);
                    moved += 1;
                }
            }
            assert!(moved > 0, "no table refers to {from:#x}");
        }
        Image::new(&other).unwrap()
    };
    let moved = |from: u64, to: u64| changed(&[(from, to)]);
    for (from, to) in [
        ("sse2_x4/sha256", "sse2_x4/sha1"),
        ("avx2_x4/sha512", "avx512_vl_x4/sha512"),
        ("sha_ni_x2/sha256/finish", "sha_ni_x1/sha256/finish"),
        ("bmi2_asm_x1/sha256/finish", "avx2_x1/sha256/finish"),
        ("portable_x1/sha1", "portable_x1/sha1/iterate"),
        ("bmi2_x1/sha512/iterate", "avx2_x1/sha512/iterate"),
    ] {
        let image = moved(entry(from), entry(to));
        // Kernels with SHA instructions have functions of one name, but their code differs.
        let found = Binary::find(&image, named(from)).and_then(|binary| binary.refute());
        let found = found.unwrap_err().to_string();
        let is_named = named(from).path() == named(to).path();
        assert!(is_named || found.contains("its table entry refers to"), "{from}: {found}");
        assert!(!misdirected(&image, &all).is_empty(), "{from}");
    }
    // The functions that detect collisions have one type each, but pointers of one size.
    for (one, other) in [
        ("portable_x1/sha1/screen", "portable_x1/sha1/apart"),
        ("avx2_x8/sha1/screen", "avx2_x8/sha1/apart"),
        ("sse2_x4/sha1/apart", "avx512_x16/sha1/apart"),
    ] {
        let [x, y] = [one, other].map(entry);
        let image = changed(&[(x, y), (y, x)]);
        for name in [one, other] {
            let found = Binary::find(&image, named(name)).err().expect(name).to_string();
            assert!(found.contains("its table entry refers to"), "{name}: {found}");
        }
        assert!(misdirected(&image, &all).len() >= 2, "{one}");
    }
    // The slots of kernels that share the portable kernel's `screen`.
    let shared = entry("portable_x1/sha1/screen");
    let slots = whole.dispatched().iter().filter(|one| one.address == shared).count();
    assert!(slots > 1, "{slots}");
    let image = moved(shared, entry("portable_x1/sha1/apart"));
    assert_eq!(misdirected(&image, &all).len(), slots);
    // An unproven function is identified by its name.
    let unproven = |family| {
        let kernel = Shipped { task: Task::Finish, family, ..named("sse2_x4/sha256") };
        whole.named(&kernel.path()).next().expect("a function").address
    };
    let image = moved(unproven(Family::Sha256), unproven(Family::Sha1));
    assert_eq!(misdirected(&image, &all).len(), 1);
    // If kernels share a loop, each of their entries is checked.
    let shared = entry("bmi2_x1/sha512/iterate");
    let uses = whole.dispatched().iter().filter(|one| one.address == shared).count();
    assert!(uses > 1, "{uses}");
}

/// The C library of a static program chooses `memset` when it starts, and only a symbol names that function.
#[test]
fn a_stripped_static_program_has_the_fingerprints_of_the_proven_one() {
    let source = folder().join("static.c");
    let text = "#include \"lanesum.h\"\nint main(void) { unsigned char digest[32];\n\
                return lanesum_hash(LANESUM_SHA256, \"abc\", 3, digest, 32); }\n";
    fs::write(&source, text).unwrap();
    let archive = lanesum_testkit::release_library().with_extension("a");
    for flag in ["-static-pie", "-static"] {
        let [program, stripped] =
            ["", ".stripped"].map(|end| folder().join(flag[1..].to_owned() + end));
        let mut cc = Command::new("cc");
        cc.args([flag, "-I"]).arg("../ffi/include").arg("-o").args([&program, &source, &archive]);
        assert!(cc.status().unwrap().success());
        let file = fs::read(&program).unwrap();
        let image = Image::new(&file).unwrap();
        let kernels = Shipped::all().map(|kernel| Binary::find(&image, kernel).unwrap().entry());
        let lines = fingerprints(&image, &kernels.collect::<Vec<_>>());
        let mut strip = Command::new("strip");
        assert!(strip.arg("-o").args([&stripped, &program]).status().unwrap().success());
        let mut file = fs::read(&stripped).unwrap();
        let check = |file: &[u8]| check_fingerprints(&Image::of_stripped(file).unwrap(), &lines);
        assert!(check(&file).unwrap() >= 100, "{flag}");
        // Another resolver.
        let kind = 37_u64.to_le_bytes();
        let at = file.windows(8).position(|word| word == kind).expect("R_X86_64_IRELATIVE");
        file[at + 8] ^= 16;
        let error = check(&file).unwrap_err().to_string();
        assert!(error.contains("constants or relocations differ"), "{flag}: {error}");
    }
}

/// Packages strip a library after its proof.
#[test]
fn a_stripped_library_has_the_fingerprints_of_the_proven_one() {
    let library = lanesum_testkit::release_library();
    let image = read(&library).unwrap();
    let functions = Shipped::all().flat_map(|kernel| {
        Binary::find(&image, kernel).unwrap().code().functions().collect::<Vec<_>>()
    });
    let lines = fingerprints(&image, &functions.collect::<Vec<_>>());
    let stripped = folder().join("stripped.so");
    let mut strip = Command::new("strip");
    assert!(strip.arg("-o").args([&stripped, &library]).status().unwrap().success());
    let file = fs::read(&stripped).unwrap();
    assert!(Image::new(&file).is_err_and(|fault| fault.to_string().contains("stripped")));
    let check = |file: &[u8]| check_fingerprints(&Image::of_stripped(file).unwrap(), &lines);
    let count = check(&file).unwrap();
    assert!(count >= 100, "{count}");
    // A byte of a kernel, one of its data, and one of a table entry.
    let kernel = Shipped::all().next().unwrap();
    let code = Binary::find(&image, kernel).unwrap().entry() as usize;
    let load = segments(&file, LOAD).into_iter().find(|&at| number(&file, at + 4, 4) & 1 == 1);
    let load = load.expect("a segment of code");
    let code = code - number(&file, load + 16, 8) + number(&file, load + 8, 8);
    let data = section_header(&file, ".rodata");
    let data = number(&file, data + 24, 8) + number(&file, data + 32, 8) / 2;
    let table = number(&file, section_header(&file, ".rela.dyn") + 24, 8);
    // The value of an exported function, the flags of a segment, and the entry point.
    let symbols = section_header(&file, ".dynsym");
    let symbols = number(&file, symbols + 24, 8)
        ..number(&file, symbols + 24, 8) + number(&file, symbols + 32, 8);
    let name = number(&file, section_header(&file, ".dynstr") + 24, 8);
    let is_own = |at: &usize| file[name + number(&file, *at, 4)..].starts_with(b"lanesum_hash\0");
    let symbol = symbols.step_by(24).find(is_own).expect("lanesum_hash is exported");
    let flags = segments(&file, LOAD)[0] + 4;
    for (at, what) in [
        (code, "different code"),
        (data, "constants"),
        (table + 16, "relocations"),
        (symbol + 9, "constants"),
        (flags, "constants"),
        (24, "constants"),
    ] {
        let mut other = file.clone();
        other[at] ^= 8;
        let found = check(&other).map_err(|fault| fault.to_string());
        assert!(found.as_ref().is_err_and(|found| found.contains(what)), "{what}: {found:?}");
    }
    // Code that no section contains, at the address of an exported function.
    for file in [&file, &fs::read(&library).unwrap()] {
        let mut other = file.clone();
        let header = segments(&other, NOTE)[0];
        let from = other.len().next_multiple_of(4096);
        other.resize(from, 0);
        other.extend([0xc3; 16]);
        let last = segments(&other, LOAD).into_iter().next_back().unwrap();
        let address = number(&other, last + 16, 8) + number(&other, last + 40, 8);
        let address = address.next_multiple_of(4096);
        // The program header follows the others of its kind.
        let place = if header > last {
            other.copy_within(last + 56..header, last + 112);
            last + 56
        } else {
            other.copy_within(header + 56..last + 56, header);
            last
        };
        for (field, k) in [(8, from), (16, address), (24, address), (32, 16), (40, 16), (48, 4096)]
        {
            put(&mut other, place + field, k, 8);
        }
        put(&mut other, place, LOAD, 4);
        put(&mut other, place + 4, 5, 4);
        let found = Image::of_stripped(&other).map(|_| ()).map_err(|fault| fault.to_string());
        assert!(
            found.as_ref().is_err_and(|found| found.contains("outside of sections")),
            "{found:?}"
        );
    }
    // Code in a section that is not loaded, and between the header and its end as it states itself.
    for (segment, section) in [(None, ".plt"), (Some(segments(&file, LOAD)[0]), ".gnu.hash")] {
        let mut other = file.clone();
        if let Some(segment) = segment {
            other[segment + 4] |= 1;
            put(&mut other, 52, 0xffff, 2);
        }
        let header = section_header(&other, section);
        put(&mut other, header + 8, 0, 8);
        let found = Image::of_stripped(&other).map(|_| ()).map_err(|fault| fault.to_string());
        assert!(
            found.as_ref().is_err_and(|found| found.contains("outside of sections")),
            "{section}: {found:?}"
        );
    }
    let short: String = lines.lines().filter(|line| !line.starts_with("function")).collect();
    assert!(check_fingerprints(&Image::of_stripped(&file).unwrap(), &short).is_err());
}
