//! Libraries of somebody who knows the prover: what they say of themselves is not what the loader makes
//! of them. Where the loader and the prover would see different bytes, the library is refused.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::refused::folder;
use lanesum_graph::prove::{Binary, Image, Shipped, namesakes, read};

fn linked(name: &str, text: &str, flags: &[&str]) -> PathBuf {
    let [source, object, library] =
        ["s", "o", "so"].map(|end| folder().join(format!("{name}.{end}")));
    fs::write(&source, text).unwrap();
    let ran = |command: &mut Command| assert!(command.status().unwrap().success(), "{command:?}");
    ran(Command::new("as").arg("-o").args([&object, &source]));
    ran(Command::new("ld").args(["-shared", "-o"]).args([&library, &object]).args(flags));
    library
}

/// A number in the file is another in memory once the loader has added where the program is,
/// however that is written down.
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

/// Where a section is once it is loaded, as `objdump` has it.
fn section(file: &[u8], name: &str) -> u64 {
    let path = folder().join("section.so");
    fs::write(&path, file).unwrap();
    let output = Command::new("objdump").arg("-h").arg(&path).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = said.lines().find(|line| line.split_whitespace().nth(1) == Some(name));
    let words: Vec<&str> = line.expect("the section").split_whitespace().collect();
    u64::from_str_radix(words[3], 16).unwrap()
}

/// The loader reads segments: sections that say something else are not believed.
#[test]
fn sections_that_are_not_loaded_so_are_refused() {
    let library = lanesum_testkit::release_library();
    let file = fs::read(library).unwrap();
    let number = |at: usize, len: usize| {
        file[at..at + len].iter().rev().fold(0usize, |k, &byte| k << 8 | usize::from(byte))
    };
    // The table of segments: each a type, flags, and where it is in the file.
    let (table, len, count) = (number(32, 8), number(54, 2), number(56, 2));
    let code = (0..count).map(|i| table + i * len);
    let mut code = code.filter(|&at| number(at, 4) == 1 && number(at + 4, 4) & 1 == 1);
    let at = code.next_back().expect("a segment of code");
    let path = folder().join("segments.so");
    for (place, byte) in [(at + 9, file[at + 9] ^ 0x10), (at + 4, file[at + 4] | 2)] {
        let mut other = file.clone();
        other[place] = byte;
        fs::write(&path, other).unwrap();
        let found = read(&path).map(|_| ()).unwrap_err().to_string();
        assert!(found.contains("is not loaded as it stands there"), "{found}");
    }
}

/// A function that is only chosen when the program is loaded is none that is proven.
#[test]
fn a_function_that_chooses_another_is_no_kernel() {
    let name = "_ZN7lanesum6kernel3foo3bar17h0123456789abcdefE";
    for (kind, count) in [("function", 1), ("gnu_indirect_function", 0)] {
        let text = format!(
            ".text\n.globl {name}\n.type {name}, @{kind}\n{name}: ret\n.size {name}, .-{name}\n\
             .globl other\n.type other, @function\nother: ret\n.size other, .-other\n\
             .section .note.GNU-stack, \"\", @progbits\n"
        );
        let image = read(&linked(kind, &text, &[])).unwrap();
        assert_eq!(image.named("lanesum::kernel::foo::bar").count(), count, "{kind}");
        assert_eq!(image.named("other").count(), 1);
    }
}

/// What is read-only only by its section's name may be written to.
#[test]
fn what_the_loader_does_not_protect_is_no_constant() {
    let text = ".text\n.globl f\n.type f, @function\nf: ret\n.size f, .-f\n\
                .section .data.rel.ro, \"aw\"\n.balign 8\n.quad 5\n\
                .section .note.GNU-stack, \"\", @progbits\n";
    for (flag, is_constant) in [("relro", true), ("norelro", false)] {
        let library = linked(flag, text, &["-z", flag]);
        let at = section(&fs::read(&library).unwrap(), ".data.rel.ro");
        let byte = read(&library).unwrap().byte::<u64>(at);
        assert_eq!(byte.is_some(), is_constant, "{flag}: {byte:?}");
    }
}

/// Code in a section that is not executed is none.
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

/// A number of so many bytes in a file.
fn number(file: &[u8], at: usize, len: usize) -> usize {
    file[at..at + len].iter().rev().fold(0, |k, &byte| k << 8 | usize::from(byte))
}

/// Where the entries of a file's table of segments are that are of a type.
fn segments(file: &[u8], kind: usize) -> Vec<usize> {
    let (table, len, count) = (number(file, 32, 8), number(file, 54, 2), number(file, 56, 2));
    let all = (0..count).map(|i| table + i * len);
    all.filter(|&at| number(file, at, 4) == kind).collect()
}

const LOAD: usize = 1;
const DYNAMIC: usize = 2;

/// Of two segments that are loaded to one place the last is there.
#[test]
fn segments_that_are_loaded_over_others_are_refused() {
    let file = fs::read(lanesum_testkit::release_library()).unwrap();
    let loads = segments(&file, LOAD);
    let is_code = |&&at: &&usize| number(&file, at + 4, 4) & 1 == 1;
    let code = *loads.iter().find(is_code).expect("a segment of code");
    let place = number(&file, code + 16, 8);
    let path = folder().join("over.so");
    // A segment that is not looked into otherwise goes to where code is, or into its last page.
    let spare = segments(&file, 0x6474_e551);
    let spare = *spare.first().expect("a segment that says how the stack is");
    for at in [place, place + number(&file, code + 40, 8) - 1] {
        let mut other = file.clone();
        other[spare..spare + 4].copy_from_slice(&(LOAD as u32).to_le_bytes());
        for (field, k) in [(8, 0), (16, at), (24, at), (32, 1), (40, 1)] {
            other[spare + field..spare + field + 8].copy_from_slice(&(k as u64).to_le_bytes());
        }
        fs::write(&path, other).unwrap();
        let found = read(&path).map(|_| ()).unwrap_err().to_string();
        assert!(found.contains("is not loaded as it stands there"), "{found}");
    }
}

/// The loader reads relocations where the dynamic segment says that they are, whatever sections
/// there are.
#[test]
fn relocations_are_those_that_the_loader_reads() {
    const RELA: usize = 7;
    const RELA_LEN: usize = 8;
    const SYMBOLS: usize = 6;
    let file = fs::read(lanesum_testkit::release_library()).unwrap();
    let dynamic = segments(&file, DYNAMIC)[0];
    let (from, len) = (number(&file, dynamic + 8, 8), number(&file, dynamic + 32, 8));
    let entry = |tag: usize| (from..from + len).step_by(16).find(|&at| number(&file, at, 8) == tag);
    let entry = |tag: usize| entry(tag).expect("an entry of the dynamic segment") + 8;
    let path = folder().join("dynamic.so");
    let with = |tag: usize, k: usize| {
        let mut other = file.clone();
        other[entry(tag)..entry(tag) + 8].copy_from_slice(&(k as u64).to_le_bytes());
        fs::write(&path, other).unwrap();
        read(&path).map_err(|error| error.to_string())
    };
    // The last of the table is not read any more: the number that the file has there stays.
    let whole = Image::new(&file).unwrap();
    let (table, len) = (number(&file, entry(RELA), 8), number(&file, entry(RELA_LEN), 8));
    let shorter = with(RELA_LEN, 24).unwrap();
    let places = (1..len / 24).map(|i| number(&file, table + 24 * i, 8) as u64);
    let text = |image: &Image, at| format!("{:?}", image.byte::<u64>(at));
    let read_only = places.filter(|&at| text(&whole, at).contains("Address("));
    let moved = read_only.filter(|&at| text(&shorter, at) != text(&whole, at)).count();
    assert!(moved > 0, "no relocation is missed");
    // Where nothing is, half a relocation, and other symbols.
    for (tag, k) in
        [(RELA, 1 << 40), (RELA_LEN, 30), (SYMBOLS, number(&file, entry(SYMBOLS), 8) + 24)]
    {
        let found = with(tag, k).map(|_| ()).unwrap_err();
        assert!(found.contains("relocations"), "{tag}: {found}");
    }
}

/// Of 64-bit code relocations say what is added. Others are read by some loaders and not by all.
#[test]
fn relocations_of_another_kind_are_refused() {
    const RELA: usize = 7;
    const REL: usize = 17;
    const REL_LEN: usize = 18;
    const COUNT: usize = 0x6fff_fff9;
    const HASH: usize = 0x6fff_fef5;
    let file = fs::read(lanesum_testkit::release_library()).unwrap();
    let dynamic = segments(&file, DYNAMIC)[0];
    let (from, len) = (number(&file, dynamic + 8, 8), number(&file, dynamic + 32, 8));
    let entry = |tag: usize| {
        let found = (from..from + len).step_by(16).find(|&at| number(&file, at, 8) == tag);
        found.expect("an entry of the dynamic segment")
    };
    let table = number(&file, entry(RELA) + 8, 8);
    let mut other = file.clone();
    // In place of two entries that are of no account.
    for (old, tag, k) in [(COUNT, REL, table), (HASH, REL_LEN, 16)] {
        let at = entry(old);
        other[at..at + 8].copy_from_slice(&(tag as u64).to_le_bytes());
        other[at + 8..at + 16].copy_from_slice(&(k as u64).to_le_bytes());
    }
    let path = folder().join("other-relocations.so");
    fs::write(&path, other).unwrap();
    let found = read(&path).map(|_| ()).unwrap_err().to_string();
    assert!(found.contains("relocations are not where"), "{found}");
}

/// To what the loader put somewhere it may add once more, or half of it may be overwritten.
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
        assert!(found.contains("two of its relocations are of one place"), "{second}: {found}");
    }
}

/// Two functions of one name: which of them the engine's table has is not seen. Both are right here,
/// and only one of them would have to be.
#[test]
fn which_of_two_functions_is_called_is_not_guessed() {
    const SYMBOLS: usize = 2;
    let file = fs::read(lanesum_testkit::release_library()).unwrap();
    let (table, len, count) = (number(&file, 40, 8), number(&file, 58, 2), number(&file, 60, 2));
    let header = |i: usize| table + i * len;
    let is_table = |&i: &usize| number(&file, header(i) + 4, 4) == SYMBOLS;
    let symbols = (0..count).find(is_table).map(header).expect("a table of symbols");
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
    assert!(size <= number(&file, larger + 16, 8), "it is no larger");
    let kernel = Shipped::all().find(|kernel| kernel.to_string() == "portable_x1/sha1").unwrap();
    let mut other = file.clone();
    other.copy_within(own..own + 4, larger);
    // The other function is what it was: the one that is right is found, and the other said.
    let image = Image::new(&other).unwrap();
    let found = Binary::find(&image, kernel).unwrap();
    let proven: Vec<u64> = found.code().functions().collect();
    assert!(namesakes(&image, &proven).contains(&kernel.path()), "the other is not seen");
    assert!(!namesakes(&Image::new(&file).unwrap(), &proven).contains(&kernel.path()));
    // Both are right.
    other.copy_within(place(own)..place(own) + size, place(larger));
    other.copy_within(own + 16..own + 24, larger + 16);
    let said = Binary::find(&Image::new(&other).unwrap(), kernel).map(|_| ()).unwrap_err();
    assert!(said.to_string().starts_with("there are 2 functions"), "{said}");
}
