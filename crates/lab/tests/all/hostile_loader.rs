//! Hostile libraries in which the loader binds a function other than the `memset` that the prover
//! assumes, or reads tables and headers differently.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::fs;
use std::process::Command;

use crate::attack_files::relocations;
use crate::common::Named;
use crate::hostile_files::{
    FLAGS, FLAGS_1, JUMPS, PLT_TABLE, RELA, RELA_LEN, dynamic, entry, number, put, refused_with,
    section_header, segments,
};
use crate::refused::folder;
use lanesum_prove::{Binary, Image, Operand, Shipped, Task};
use lanesum_spec::Family;

const NEEDED: usize = 1;
const NAME: usize = 14;
const PLT_LEN: usize = 2;
const HASH: usize = 0x6fff_fef5;
const PLT_KIND: usize = 20;
const DEPAUDIT: usize = 0x6fff_fefb;
const AUDIT: usize = 0x6fff_fefc;
const DESCRIPTORS: usize = 0x6fff_fef7;
const AUXILIARY: usize = 0x7fff_fffd;
const FILTER: usize = 0x7fff_ffff;
/// A tag that loaders ignore.
const UNUSED: usize = 0x6fff_fe00;

const RELATIVE: usize = 8;
const JUMP_SLOT: usize = 7;
const IRELATIVE: usize = 37;

/// The release library, and its parts that bind `memset`.
struct Library {
    file: Vec<u8>,
    /// A kernel whose loop calls `memset` through its slot.
    kernel: Shipped,
    /// The call: its address, and its offset in the file.
    call: (usize, usize),
    /// The offset in the file of the slot's relocation.
    relocation: usize,
    /// The address of the slot.
    slot: usize,
    /// The symbol's index, and its offset in the file.
    symbol: (usize, usize),
}

impl Library {
    fn new() -> Self {
        let file = fs::read(lanesum_testkit::release_library()).unwrap();
        let section = |name: &str| number(&file, section_header(&file, name) + 24, 8);
        let (symbols, strings) = (section(".dynsym"), section(".dynstr"));
        let value = |tag: usize| number(&file, entry(&file, tag) + 8, 8);
        let mut all = (value(RELA)..value(RELA) + value(RELA_LEN)).step_by(24);
        let symbol = |at: usize| number(&file, at + 12, 4);
        let is_memset = |at: &usize| {
            let name = strings + number(&file, symbols + 24 * symbol(*at), 4);
            symbol(*at) != 0 && file[name..].starts_with(b"memset\0")
        };
        let relocation = all.find(is_memset).expect("a relocation of memset");
        let slot = number(&file, relocation, 8);
        let symbol = (symbol(relocation), symbols + 24 * symbol(relocation));
        let image = Image::new(&file).unwrap();
        let calls = |kernel: Shipped| {
            let binary = Binary::find(&image, kernel).unwrap();
            let through =
                |place: &Operand| matches!(place, Operand::Memory(p) if p.offset == slot as i64);
            let mut all = binary.code().instructions();
            let call = all.find(|i| i.name() == "call" && i.operands.iter().any(through))?;
            let executed = binary.executed().unwrap().contains(&call.address);
            executed.then_some((kernel, call.address as usize))
        };
        let mut loops = Shipped::all()
            .filter(|kernel| kernel.task == Task::Iterate && kernel.family == Family::Md5);
        let (kernel, call) = loops.find_map(calls).expect("a loop that calls memset");
        let call = (call, in_file(&file, call));
        Self { relocation, slot, symbol, kernel, call, file }
    }

    /// Executes the file's loop on concrete values.
    fn is_right(&self, file: &[u8]) -> Result<(), String> {
        let image = Image::new(file).map_err(|fault| fault.to_string())?;
        let binary = Binary::find(&image, self.kernel);
        binary.and_then(|binary| binary.refute()).map_err(|fault| fault.to_string())
    }

    fn is_refused(&self, case: &str, file: &[u8]) {
        assert!(self.is_right(file).is_err(), "{case}: another function is mistaken for memset");
    }

    /// A copy of the file in which the slot has a jump slot relocation, and initially contains
    /// `first`.
    fn with_a_jump_slot(&self, first: usize) -> Vec<u8> {
        let mut file = self.file.clone();
        let jumps = number(&file, entry(&file, JUMPS) + 8, 8);
        put(&mut file, self.relocation + 8, 0, 8);
        put(&mut file, jumps, self.slot, 8);
        put(&mut file, jumps + 8, self.symbol.0 << 32 | JUMP_SLOT, 8);
        let slot = in_file(&file, self.slot);
        put(&mut file, slot, first, 8);
        file
    }
}

/// The offset of an address in the file.
pub(crate) fn in_file(file: &[u8], address: usize) -> usize {
    let all =
        segments(file, 1).into_iter().map(|at| [8, 16, 32].map(|part| number(file, at + part, 8)));
    let mut all = all.filter(|[_, from, len]| (*from..from + len).contains(&address));
    let [offset, from, _] = all.next().expect("a segment");
    address - from + offset
}

/// A function of the library other than `memset`.
const OTHER: usize = 0x6_0000;

/// glibc binds a local or hidden symbol to the library's own value, even if it has no section; musl
/// does so with local symbols. An undefined symbol with a value may serve as a definition.
#[test]
fn a_symbol_that_other_libraries_do_not_define_is_no_memset() {
    let library = Library::new();
    library.is_right(&library.file).unwrap();
    let symbol = library.symbol.1;
    for (case, info, other, value) in [
        ("hidden", 0x12, 2, OTHER),
        ("protected", 0x12, 3, OTHER),
        ("local", 0x02, 0, OTHER),
        ("defined", 0x12, 0, OTHER),
        ("hidden, at the beginning", 0x12, 2, 0),
    ] {
        let mut file = library.file.clone();
        (file[symbol + 4], file[symbol + 5]) = (info, other);
        put(&mut file, symbol + 8, value, 8);
        library.is_refused(case, &file);
    }
}

/// Until a lazily bound function is resolved, its slot holds the address in the file.
#[test]
fn a_function_that_is_bound_late_is_no_memset() {
    let library = Library::new();
    let now = library.with_a_jump_slot(OTHER);
    library.is_right(&now).unwrap();
    let mut lazy = now.clone();
    for tag in [FLAGS, FLAGS_1] {
        put(&mut lazy, entry(&now, tag) + 8, 0, 8);
    }
    library.is_refused("lazy", &lazy);
    // Either flag is sufficient.
    for tag in [FLAGS, FLAGS_1] {
        let mut other = now.clone();
        put(&mut other, entry(&now, tag) + 8, 0, 8);
        library.is_right(&other).unwrap();
    }
    // Without the tag for their kind, glibc applies none.
    let mut none = now.clone();
    put(&mut none, entry(&now, PLT_KIND), UNUSED, 8);
    refused_with(&none, "DT_PLTREL");
}

/// A library gets the `memset` of others, even if it has an indirect function of that name and loads none itself.
/// Only a static program gets its own.
#[test]
fn a_memset_that_a_library_chooses_itself_is_none() {
    let library = Library::new();
    let mut file = library.file.clone();
    put(&mut file, library.relocation + 8, IRELATIVE, 8);
    put(&mut file, library.relocation + 16, OTHER, 8);
    let symbols = section_header(&file, ".symtab");
    let part = |header: usize, field: usize| number(&file, header + field, 8);
    let strings = part(section_header(&file, ".strtab"), 24);
    let mut all = (part(symbols, 24)..part(symbols, 24) + part(symbols, 32)).step_by(24);
    let name = |at: usize| &file[strings + number(&file, at, 4)..];
    let is_memset =
        |&at: &usize| name(at).starts_with(b"memset\0") || name(at).starts_with(b"memset@");
    let symbol = all.find(is_memset).expect("a symbol for memset");
    let first = part(symbols, 24) + 24;
    let end = strings + number(&file, symbol, 4) + 6;
    file[end] = 0;
    // A global indirect function (IFUNC).
    file[symbol + 4] = 0x1a;
    put(&mut file, symbol + 6, 1, 2);
    put(&mut file, symbol + 8, OTHER, 8);
    library.is_refused("chosen", &file);
    // Every tag that loads libraries.
    for tag in [AUXILIARY, FILTER, AUDIT, DEPAUDIT] {
        let mut file = without_libraries(&file);
        let at = entry(&file, NAME);
        put(&mut file, at, tag, 8);
        library.is_refused("of another kind", &file);
    }
    // The process may have loaded all that it needs.
    let mut file = without_libraries(&file);
    refused_with(&file, BEFORE);
    let flags = entry(&file, FLAGS_1) + 8;
    file[flags + 3] |= PROGRAM;
    // glibc up to 2.29 ignores the flag. A library without exports has no callers.
    refused_with(&file, BEFORE);
    let hash = entry(&file, HASH);
    put(&mut file, hash, UNUSED, 8);
    library.is_right(&file).unwrap();
    // Another symbol has the same name.
    let mut two = file.clone();
    put(&mut two, first, number(&file, symbol, 4), 4);
    library.is_refused("ambiguous", &two);
    // A dynamic linker relocates it after libraries are loaded.
    let note = segments(&file, 4)[0];
    put(&mut file, note, 3, 4);
    refused_with(&file, BEFORE);
}

/// Part of the fault of a file whose code runs during relocation.
const BEFORE: &str = "before it protects the data";
/// The highest byte of DF_1_PIE.
const PROGRAM: u8 = 8;

/// The file without its entries for needed libraries.
fn without_libraries(file: &[u8]) -> Vec<u8> {
    let mut file = file.to_vec();
    while let Some((_, at)) = dynamic(&file).0.into_iter().find(|(tag, _)| *tag == NEEDED) {
        let count = dynamic(&file).0.len();
        put(&mut file, at, UNUSED + count + at, 8);
    }
    file
}

/// In a prelinked program, glibc up to 2.35 applies other relocations.
#[test]
fn a_prelinked_file_is_refused() {
    for tag in [0x6fff_fdf5, 0x6fff_fef8, 0x6fff_fef9] {
        let mut file = Library::new().file;
        let at = entry(&file, NAME);
        put(&mut file, at, tag, 8);
        refused_with(&file, "prelinked");
    }
}

/// A relocation may change a PLT stub.
#[test]
fn a_stub_that_a_relocation_changes_leads_nowhere() {
    let library = Library::new();
    let mut file = library.with_a_jump_slot(0);
    let stubs = section_header(&file, ".plt");
    let (stubs, len) = (number(&file, stubs + 16, 8), number(&file, stubs + 32, 8));
    let is_stub = |at: &usize| file[in_file(&file, *at)..].starts_with(&[0xff, 0x25]);
    let stub = (stubs..stubs + len).step_by(16).find(is_stub).expect("a stub");
    // The stub jumps through the slot of memset, and the call goes to the stub.
    let place = in_file(&file, stub) + 2;
    put(&mut file, place, library.slot.wrapping_sub(stub + 6), 4);
    let (call, place) = library.call;
    file[place] = 0xe8;
    put(&mut file, place + 1, stub.wrapping_sub(call + 5), 4);
    file[place + 5] = 0x90;
    library.is_right(&file).unwrap();
    // `ret`, for every load address.
    put(&mut file, library.relocation, stub, 8);
    put(&mut file, library.relocation + 8, RELATIVE, 8);
    put(&mut file, library.relocation + 16, 0xc3, 8);
    library.is_refused("written upon", &file);
}

/// A call through a slot that remains writable after binding.
#[test]
fn a_slot_that_can_be_written_to_leads_nowhere() {
    let library = Library::new();
    let in_section = |section: &str| {
        let mut file = library.file.clone();
        // A word without a relocation.
        let first = number(&file, section_header(&file, section) + 16, 8);
        let all = relocations(&file);
        let is_free = |slot: &usize| all.iter().all(|&(at, _)| at != *slot as u64);
        let slot = (first..).step_by(8).find(is_free).expect("a word");
        put(&mut file, library.relocation, slot, 8);
        let (call, place) = library.call;
        put(&mut file, place + 2, slot.wrapping_sub(call + 6), 4);
        file
    };
    library.is_right(&in_section(".got.plt")).unwrap();
    library.is_refused("writable", &in_section(".data"));
}

/// With lazy binding, glibc stores two words after the one at DT_PLTGOT, even if no function is bound, and up to 2.33
/// the word at DT_TLSDESC_GOT. It always relocates addresses in the dynamic section.
#[test]
fn what_loaders_write_without_relocations_is_no_constant() {
    let library = Library::new();
    let image = Image::new(&library.file).unwrap();
    let header = section_header(&library.file, ".data.rel.ro");
    let part = |field: usize| number(&library.file, header + field, 8);
    let (from, len) = (part(16), part(32));
    let is_number =
        |at: usize| format!("{:?}", image.byte::<u64>(at as u64)).starts_with("Some(Number");
    let mut words = (from..from + len - 8).step_by(8);
    // Any other number is that of a prelinked file.
    let is_zero =
        |at: usize| is_number(at) && number(&library.file, in_file(&library.file, at), 8) == 0;
    let at = words.find(|&at| is_zero(at) && is_number(at + 8)).expect("two numbers");
    let mut now = library.file.clone();
    let table = entry(&now, PLT_TABLE) + 8;
    put(&mut now, table, at - 8, 8);
    let mut lazy = now.clone();
    for tag in [FLAGS, FLAGS_1] {
        put(&mut lazy, entry(&now, tag) + 8, 0, 8);
    }
    let mut empty = lazy.clone();
    let (len, kind) = (entry(&empty, PLT_LEN) + 8, entry(&empty, PLT_KIND));
    put(&mut empty, len, 0, 8);
    put(&mut empty, kind, UNUSED, 8);
    let with_descriptors = |file: &[u8]| {
        let mut file = file.to_vec();
        let (table, name) = (entry(&file, PLT_TABLE), entry(&file, NAME));
        put(&mut file, table + 8, number(&library.file, table + 8, 8), 8);
        put(&mut file, name, DESCRIPTORS, 8);
        put(&mut file, name + 8, at, 8);
        file
    };
    for (case, file, are_constant) in [
        ("now", &now, [true; 2]),
        ("lazy", &lazy, [false; 2]),
        ("empty", &empty, [false; 2]),
        ("descriptors now", &with_descriptors(&now), [true; 2]),
        ("descriptors", &with_descriptors(&lazy), [false, true]),
    ] {
        let image = Image::new(file).unwrap();
        let found = [at, at + 8].map(|at| image.byte::<u64>(at as u64).is_some());
        assert_eq!(found, are_constant, "{case}: {at:#x}");
    }
    // Two words of the relocations themselves.
    let mut other = lazy.clone();
    let mut read = (number(&lazy, entry(&lazy, RELA) + 8, 8)..).step_by(8);
    let none =
        read.find(|&at| number(&lazy, in_file(&lazy, at), 8) == 0).expect("an addend of zero");
    put(&mut other, table, none - 8, 8);
    refused_with(&other, "data that the loader reads");
    // A section of constants that extends into the dynamic section.
    let mut longer = library.file.clone();
    let (segment, place) = (segments(&longer, 2)[0], header + 32);
    let [at, size] = [16, 32].map(|field| number(&longer, segment + field, 8));
    put(&mut longer, place, at + size - from, 8);
    let image = Image::new(&longer).unwrap();
    assert!(image.byte::<u64>(at as u64 - 8).is_some());
    assert_eq!(image.byte::<u64>(at as u64 + 8), None);
}

/// glibc computes from the ends of DT_RELA and DT_JMPREL which relocations to apply. With an empty DT_RELA at the end of
/// DT_JMPREL it applies none of them, and at its beginning the first DT_RELACOUNT as relative ones.
#[test]
fn tables_of_relocations_that_meet_are_refused() {
    const COUNT: usize = 0x6fff_fff9;
    const WRONG: &str = "a relocation table is not in memory, overlaps another";
    let file = fs::read(lanesum_testkit::release_library()).unwrap();
    let value = |tag: usize| number(&file, entry(&file, tag) + 8, 8);
    let (jumps, len) = (value(JUMPS), value(PLT_LEN));
    let with = |changes: &[(usize, usize)]| {
        let mut other = file.clone();
        for &(tag, to) in changes {
            let at = entry(&file, tag) + 8;
            put(&mut other, at, to, 8);
        }
        other
    };
    for changes in [
        &[(RELA, jumps + len), (RELA_LEN, 0)][..],
        &[(RELA, jumps), (RELA_LEN, 0)],
        &[(JUMPS, value(RELA))],
        &[(JUMPS, jumps - 24), (PLT_LEN, len + 24)],
        &[(RELA_LEN, value(RELA_LEN) + 24)],
    ] {
        refused_with(&with(changes), WRONG);
    }
    // Linkers create an empty table at address zero, here without the relocations of the engine's tables.
    refused_with(&with(&[(RELA, 0), (RELA_LEN, 0), (COUNT, 0)]), "the table of kernels");
    refused_with(&with(&[(PLT_LEN, 0)]), "DT_PLTREL");
    for (tag, what) in [(RELA, WRONG), (RELA_LEN, WRONG), (PLT_LEN, WRONG), (PLT_KIND, "DT_PLTREL")]
    {
        let mut other = file.clone();
        put(&mut other, entry(&file, tag), UNUSED, 8);
        refused_with(&other, what);
    }
    // Without the table, but with its kind.
    let mut other = file.clone();
    for (i, tag) in [JUMPS, PLT_LEN].into_iter().enumerate() {
        put(&mut other, entry(&file, tag), UNUSED + i, 8);
    }
    refused_with(&other, "DT_PLTREL");
}

/// A relocation of memory that is not writable ends the process, and one outside of the library may change another file's
/// memory.
#[test]
fn relocations_of_other_memory_are_refused() {
    const COPY: usize = 5;
    let library = Library::new();
    let place = |name: &str| number(&library.file, section_header(&library.file, name) + 16, 8);
    let [free, constants, code] = [".bss", ".rodata", ".text"].map(place);
    let end = free + (1 << 24);
    for kind in [RELATIVE, COPY] {
        let with = |to: usize| {
            let mut file = library.file.clone();
            put(&mut file, library.relocation, to, 8);
            put(&mut file, library.relocation + 8, library.symbol.0 << 32 | kind, 8);
            file
        };
        Image::new(&with(free)).unwrap();
        let what = if kind == COPY { "unsupported relocations" } else { "which is not writable" };
        for to in [constants, code, end, usize::MAX - 7, usize::MAX] {
            refused_with(&with(to), what);
        }
    }
}

/// If a file locates its PLT stubs, glibc can replace each by a jump to the address in its
/// relocation.
#[test]
fn what_glibc_replaces_by_a_jump_is_no_code() {
    const STUBS: usize = 0x7000_0000;
    const STUB_LEN: usize = 0x7000_0003;
    let library = Library::new();
    let mut file = library.file.clone();
    let [at, len, jumps, size] = [NAME, NEEDED, JUMPS, PLT_LEN].map(|tag| entry(&file, tag));
    put(&mut file, at, STUBS, 8);
    put(&mut file, len, STUB_LEN, 8);
    put(&mut file, len + 8, 16, 8);
    let [jumps, size] = [jumps, size].map(|at| number(&file, at + 8, 8));
    let stubs = number(&file, section_header(&file, ".plt") + 16, 8);
    for (i, jump) in (jumps..jumps + size).step_by(24).enumerate() {
        put(&mut file, jump + 16, stubs + 16 * (i + 1), 8);
    }
    library.is_right(&file).unwrap();
    // Any address in the 16 bytes around a call.
    let stub = library.call.0 & !15;
    for addend in [stub, library.call.0, stub + 15] {
        put(&mut file, jumps + 16, addend, 8);
        library.is_refused("replaced", &file);
    }
    // The padding behind a function.
    let image = Image::new(&file).unwrap();
    let ends = |kernel: Shipped| {
        let binary = Binary::find(&image, kernel).ok()?;
        let function = image.function(binary.entry())?;
        let end = function.address + function.code.len() as u64;
        let executed = binary.executed().ok()?;
        let is_within = !end.is_multiple_of(16) && executed.range(end & !15..end).next().is_some();
        is_within.then_some((kernel, end as usize))
    };
    let mut all = Shipped::all()
        .filter(|kernel| (kernel.task, kernel.family) == (Task::Compress, Family::Sha256));
    let (kernel, end) = all.find_map(ends).expect("a function that ends within 16 bytes");
    put(&mut file, jumps + 16, end, 8);
    let image = Image::new(&file).unwrap();
    assert!(Binary::find(&image, kernel).unwrap().refute().is_err(), "{kernel}");
    // It replaces as many bytes as the file states.
    put(&mut file, len + 8, 32, 8);
    refused_with(&file, "another size than 16 bytes");
}

/// An indirect function (IFUNC) runs during binding: it can change the tables of kernels before
/// they are protected.
#[test]
fn a_function_that_runs_while_the_loader_binds_is_refused() {
    let library = Library::new();
    for file in [library.file.clone(), without_libraries(&library.file)] {
        let mut late = file;
        put(&mut late, library.relocation + 8, IRELATIVE, 8);
        refused_with(&late, BEFORE);
    }
    // An exported one, and one that a relocation refers to.
    let section =
        |field: usize| number(&library.file, section_header(&library.file, ".dynsym") + field, 8);
    let mut all = (section(24)..section(24) + section(32)).step_by(24);
    let is_defined = |at: &usize| number(&library.file, at + 6, 2) != 0;
    let exported = all.rfind(is_defined).expect("a function of the interface");
    for symbol in [exported, library.symbol.1] {
        let mut file = library.file.clone();
        file[symbol + 4] = 0x1a;
        refused_with(&file, BEFORE);
    }
}

/// The prover reads a list to its end, all four bytes of a 32-bit number, and every slot of an entry.
#[test]
fn tables_are_read_to_their_ends() {
    let table = |case: &str, list: &str, width: usize, collisions: &str| {
        let name = "_ZN7lanesum6kernel5table7KERNELS17h0123456789abcdefE";
        // A kernel and its functions for one family, in the layout of the engine's table.
        let text = format!(
            ".text\n.globl f\n.type f, @function\nf: ret\n.size f, .-f\n\
             .section .rodata\nname: .ascii \"portable_x1\"\n\
             .section .data.rel.ro, \"aw\"\n.balign 8\n\
             jobs: .quad 0, {width}, .text, .text, 0, .text, 0, {collisions}\n\
             entry: .quad name, 11, 0, 1, .text, jobs, 1\n\
             .globl {name}\n.type {name}, @object\n{name}:\n{list}\n.size {name}, .-{name}\n\
             .section .note.GNU-stack, \"\", @progbits\n"
        );
        let [source, object, library] =
            ["s", "o", "so"].map(|end| folder().join(format!("table-{case}.{end}")));
        fs::write(&source, text).unwrap();
        let ran = |command: &mut Command| assert!(command.status().unwrap().success());
        ran(Command::new("as").arg("-o").args([&object, &source]));
        ran(Command::new("ld").args(["-shared", "-o"]).args([&library, &object]));
        fs::read(&library).unwrap()
    };
    let (one, none) = (".quad entry", "0, 0, 0");
    let some = [(none, 3), (".text, .text, 0", 5), (".text, .text, .text", 6)];
    for (collisions, count) in some {
        let image = Image::new(&table("right", one, 0, collisions)).unwrap();
        assert_eq!(image.dispatched().len(), count, "{collisions}");
    }
    let many = format!(".rept 512\n{one}\n.endr\n.quad jobs");
    refused_with(&table("long", &many, 0, none), "the table of kernels");
    refused_with(&table("wide", one, 0x100, none), "the table of kernels");
    // Some of the functions that detect collisions, or none that is code.
    for collisions in
        [".text, 0, 0", "0, .text, 0", "0, 0, .text", "name, .text, 0", ".text, .text, name"]
    {
        refused_with(&table("part", one, 0, collisions), "the table of kernels");
    }
}

/// Linux reads the header of the machine's class, regardless of the file's class.
#[test]
fn a_file_of_another_class_is_refused() {
    let mut file = fs::read(lanesum_testkit::release_library()).unwrap();
    put(&mut file, 18, 3, 2);
    refused_with(&file, "not x86");
}
