//! Executed code that an earlier prover did not read, or read elsewhere: the linker's stubs,
//! relocations of a static program, and the Linux kernel's replacement of a module's code.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::shipped;
use crate::hostile_files::{
    FLAGS_1, JUMPS, RELA, RELA_LEN, entry, number, put, refused_with, section_header, segments,
};
use crate::hostile_loader::in_file;
use crate::refused::folder;
use lanesum_prove::{
    Binary, Image, Mnemonic, Operand, Shipped, Task, check_fingerprints, decode, fingerprints,
    left_out, misdirected,
};

const FUNCTION: &str = "calls_memset";

/// An ELF file linked from one object.
fn linked(name: &str, text: &str, flags: &[&str]) -> PathBuf {
    let [source, object, file] =
        ["s", "o", "elf"].map(|end| folder().join(format!("{name}.{end}")));
    let head = format!(
        ".intel_syntax noprefix\n.text\n.globl {FUNCTION}\n.type {FUNCTION}, @function\n{FUNCTION}:\n"
    );
    let end =
        format!(".size {FUNCTION}, .-{FUNCTION}\n.section .note.GNU-stack, \"\", @progbits\n");
    fs::write(&source, format!("{head}{}", text.replace("END\n", &end))).unwrap();
    let ran = |command: &mut Command| assert!(command.status().unwrap().success(), "{command:?}");
    ran(Command::new("as").arg("-o").args([&object, &source]));
    ran(Command::new("ld").args(flags).arg("-o").args([&file, &object]));
    file
}

/// A kernel calls `memset` through a PLT stub, which no function's fingerprint includes.
#[test]
fn a_fingerprint_covers_the_stubs_of_the_linker() {
    let library = linked("stub", "call memset@PLT\nret\nEND\n", &["-shared"]);
    let file = fs::read(library).unwrap();
    let image = Image::new(&file).unwrap();
    let function = image.named(FUNCTION).next().unwrap();
    let lines = fingerprints(&image, &[function.address]);
    assert_eq!(check_fingerprints(&image, &lines), Ok(1));
    let stubs = section_header(&file, ".plt");
    let (from, len) = (number(&file, stubs + 24, 8), number(&file, stubs + 32, 8));
    for at in from..from + len {
        let mut other = file.clone();
        other[at] ^= 1;
        let found = Image::new(&other).and_then(|image| check_fingerprints(&image, &lines));
        assert!(found.is_err(), "a change of byte {at:#x} of a stub is accepted");
    }
}

/// A static program applies relocations from memory. A section header with another offset shows
/// different ones to a prover, which would mistake another function for `memset`.
#[test]
fn relocations_of_a_static_program_are_those_in_memory() {
    let chosen =
        ".globl memset\n.type memset, @gnu_indirect_function\nmemset: ret\n.size memset, 1\n";
    let text = format!(
        "call memset@PLT\nlea rax, [rip+__rela_iplt_start]\nlea rcx, [rip+__rela_iplt_end]\nret\nEND\n.text\n{chosen}"
    );
    let file = fs::read(linked("static", &text, &["-static", "-e", "0"])).unwrap();
    assert!(Image::new(&file).is_ok());
    let header = ["rela.plt", "rela.iplt", "rela.dyn"].map(|name| format!(".{name}"));
    let all = String::from_utf8_lossy(&file).into_owned();
    let name = header.iter().find(|name| all.contains(&***name)).expect("relocations");
    let header = section_header(&file, name);
    let (from, len) = (number(&file, header + 24, 8), number(&file, header + 32, 8));
    assert!(len > 0);
    let mut other = file.clone();
    other.extend_from_slice(&file[from..from + len]);
    put(&mut other, header + 24, file.len(), 8);
    refused_with(&other, "the loaded memory");
    // Startup code reads the last entry, too.
    let mut other = file.clone();
    put(&mut other, header + 32, len - 24, 8);
    refused_with(&other, "startup code reads another table");
    // Without its symbols, and with a dynamic section, which it does not read.
    let at = file.windows(16).position(|name| name == b"__rela_iplt_end\0").expect("its name");
    // A section of another type.
    let mut other = file.clone();
    put(&mut other, header + 4, 1, 4);
    refused_with(&other, "startup code reads another table");
    let mut other = file.clone();
    other[at] = b'x';
    refused_with(&other, "startup code reads another table");
    let mut other = file.clone();
    put(&mut other, segments(&file, 0x6474_e551)[0], 2, 4);
    refused_with(&other, "PT_DYNAMIC in a static program");
}

/// Startup code of a static program at any address: that of musl ignores DT_JMPREL, and that of glibc up to 2.34 expects
/// it behind the other relocations, and the address of the dynamic section in the global offset table. Later releases
/// expect the header at address zero.
#[test]
fn relocations_of_a_static_program_are_those_of_any_startup_code() {
    let text = "call memset@PLT\nlea rax, [rip + _GLOBAL_OFFSET_TABLE_]\nret\nEND\n.text\n\
                .globl memset\n.type memset, @gnu_indirect_function\nmemset: ret\n.size memset, 1\n\
                .section .data.rel.ro, \"aw\"\n.quad calls_memset\n";
    let flags = ["-static", "-pie", "--no-dynamic-linker", "-e", "0"];
    let file = fs::read(linked("static-pie", text, &flags)).unwrap();
    assert!(Image::new(&file).is_ok());
    let [at, len, jumps] =
        [RELA, RELA_LEN, JUMPS].map(|tag| number(&file, entry(&file, tag) + 8, 8));
    assert_eq!(at + len, jumps);
    let with = |at: usize, k: usize| {
        let mut other = file.clone();
        put(&mut other, at, k, 8);
        other
    };
    refused_with(&with(in_file(&file, jumps) + 8, 8), "among those of functions");
    refused_with(&with(entry(&file, RELA_LEN) + 8, len - 24), "not behind other relocations");
    let table = number(&file, section_header(&file, ".got.plt") + 24, 8);
    let begins = "does not begin with PT_DYNAMIC";
    refused_with(&with(table, number(&file, table, 8) + 8), begins);
    // Without the flag of a program.
    let other = "lea rax, [rip + _GLOBAL_OFFSET_TABLE_]\nret\nEND\n";
    let mut file = fs::read(linked("static-unflagged", other, &flags)).unwrap();
    let flag = entry(&file, FLAGS_1) + 8;
    put(&mut file, flag, 0, 8);
    let table = number(&file, section_header(&file, ".got.plt") + 24, 8);
    put(&mut file, table, 0, 8);
    assert!(Image::new(&file).is_ok());
    put(&mut file, 24, 0x1000, 8);
    refused_with(&file, begins);
    let flags = [&flags[..], &["-Ttext-segment=0x10000"]].concat();
    let mut file = fs::read(linked("static-pie-moved", text, &flags)).unwrap();
    // Some linkers give it the type of a program at a fixed address.
    file[16] = 3;
    refused_with(&file, "not linked for address zero");
}

/// Without exactly one symbol for the table of kernels, an entry that no proof covers could be in it.
#[test]
fn a_table_of_kernels_without_its_own_name_is_not_proven() {
    assert!(shipped().lists_kernels());
    let library = lanesum_testkit::release_library();
    let output = Command::new("nm").arg(&library).output().unwrap();
    let names = String::from_utf8_lossy(&output.stdout).into_owned();
    let list = names.lines().find(|line| line.contains("5table7KERNELS"));
    let list = list.and_then(|line| line.split_whitespace().last()).expect("the list's symbol");
    let changed = folder().join("table.so");
    for option in
        [format!("--strip-symbol={list}"), format!("--add-symbol={list}=.data:0,local,object")]
    {
        let mut objcopy = Command::new("objcopy");
        objcopy.arg(&option).args([&library, &changed]);
        assert!(objcopy.status().unwrap().success());
        let image = Image::new(&fs::read(&changed).unwrap()).unwrap();
        assert!(!image.dispatched().is_empty() && !image.lists_kernels(), "{option}");
        let mut prove = Command::new(env!("CARGO_BIN_EXE_lanesum-graph"));
        prove.arg("prove").arg("--binary").args([&changed, Path::new("sha_ni_x1/sha256")]);
        let output = prove.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            !output.status.success() && text.contains("no symbol names the list"),
            "{option}: {text}"
        );
    }
    // Without entries, a function of the right name could be one that nothing calls.
    let mut objcopy = Command::new("objcopy");
    objcopy.arg(format!("--strip-symbol={list}")).arg("--rename-section=.data.rel.ro=.data.rel.rw");
    objcopy.args([&library, &changed]);
    assert!(objcopy.status().unwrap().success());
    let image = Image::new(&fs::read(&changed).unwrap()).unwrap();
    let kernel = Shipped::all().next().unwrap();
    assert!(
        Binary::find(&image, kernel)
            .is_err_and(|fault| fault.to_string().contains("no table entry"))
    );
}

/// Callers find a function by its dynamic symbol, which may differ from the one in the symbol table.
#[test]
fn an_exported_function_is_the_one_that_callers_find() {
    let mut file = fs::read(lanesum_testkit::release_library()).unwrap();
    let part = |file: &[u8], name: &str| number(file, section_header(file, name) + 24, 8);
    let (symbols, strings) = (part(&file, ".dynsym"), part(&file, ".dynstr"));
    let name = |at: usize| &file[strings + number(&file, at, 4)..];
    let mut all = (symbols..).step_by(24).skip(1);
    let symbol = all.find(|&at| name(at).starts_with(b"lanesum_hash\0")).unwrap();
    // In the stubs of the linker.
    let stubs = number(&file, section_header(&file, ".plt") + 16, 8);
    put(&mut file, symbol + 8, stubs, 8);
    let wanted = format!("code without a symbol at {stubs:#x}");
    let is_listed = |case: &str, file: &[u8], wanted: &str| {
        let all = left_out(&Image::new(file).unwrap(), &[]);
        assert!(all.contains_key(wanted), "{case}: {wanted} is not listed");
    };
    is_listed("function", &file, &wanted);
    // Loaders ignore the type of a symbol, and find one without a section by its value.
    const OBJECT: u8 = 0x11;
    let mut other = file.clone();
    other[symbol + 4] = OBJECT;
    is_listed("object", &other, &wanted);
    let mut other = file.clone();
    put(&mut other, symbol + 6, 0, 2);
    is_listed("undefined", &other, &wanted);
    // Constants in an executable segment, or in any segment if the stack is executable.
    const LOAD: usize = 1;
    const STACK: usize = 0x6474_e551;
    for segment in [segments(&file, LOAD)[0], segments(&file, STACK)[0]] {
        let mut other = file.clone();
        other[segment + 4] |= 1;
        is_listed("executable", &other, "section .rodata is executable");
    }
}

/// Loaders map whole pages, so code may follow the last section of an executable segment.
#[test]
fn code_behind_the_sections_of_a_page_is_listed() {
    let mut file = fs::read(lanesum_testkit::release_library()).unwrap();
    let image = Image::new(&file).unwrap();
    let write = image.named("lanesum::kernel::Kernel::write_by").next().expect("a function");
    let is_code = |&at: &usize| number(&file, at + 4, 4) & 1 == 1;
    let load = segments(&file, 1).into_iter().find(is_code).expect("a segment of code");
    let end = number(&file, load + 16, 8) + number(&file, load + 40, 8);
    let to = end.next_multiple_of(4096) - 1;
    assert!(to > end);
    let at = in_file(&file, write.address as usize);
    file[at] = 0xe9;
    put(&mut file, at + 1, to.wrapping_sub(write.address as usize + 5), 4);
    let wanted = format!("code without a symbol at {to:#x}");
    let all = left_out(&Image::new(&file).unwrap(), &[]);
    assert!(all.contains_key(&wanted), "{wanted} is not listed");
}

/// The detection of collision attacks is called through the table only. Some of its functions have no proofs, so the
/// table may lead anywhere.
#[test]
fn functions_that_only_a_table_refers_to_are_listed() {
    let file = fs::read(lanesum_testkit::release_library()).unwrap();
    let (screen, stubs) = ("lanesum::kernel::x86::bmi2_x1::sha1::screen", ".plt");
    let image = Image::new(&file).unwrap();
    let others = image.dispatched().iter().filter(|one| one.kernel.task != Task::Screen);
    let proven: Vec<u64> = others.map(|one| one.address).collect();
    assert!(left_out(&image, &proven).contains_key(screen), "{screen} is not listed");
    // A relocation of the table.
    let at = image.named(screen).next().unwrap().address;
    let table = section_header(&file, ".rela.dyn");
    let (from, len) = (number(&file, table + 24, 8), number(&file, table + 32, 8));
    let mut entries = (from..from + len).step_by(24);
    let entry = entries.find(|entry| number(&file, entry + 16, 8) as u64 == at).unwrap();
    let to = number(&file, section_header(&file, stubs) + 16, 8);
    let mut other = file.clone();
    put(&mut other, entry + 16, to, 8);
    let wanted = format!("code without a symbol at {to:#x}");
    assert!(left_out(&Image::new(&other).unwrap(), &proven).contains_key(&wanted), "{wanted}");
}

/// A function that a kernel calls is proven only for the arguments of that call.
#[test]
fn a_function_that_other_functions_call_is_not_proven_by_a_kernel() {
    let (image, write) = (shipped(), "lanesum::kernel::Kernel::write_by");
    let kernels = image.dispatched().iter().map(|one| one.address);
    let called = image.named(write).map(|function| function.address);
    let proven: Vec<u64> = kernels.chain(called).collect();
    assert!(left_out(image, &proven).contains_key(write), "{write} is not listed");
}

/// Hashing calls such a function through a table. It computes the address of the slot, or reads two slots at once.
#[test]
fn a_function_in_a_table_is_not_proven_by_a_kernel() {
    let path = "lanesum::kernel::foo::bar";
    let table = "\n.section .data.rel.ro, \"aw\"\n.balign 8\ntable: .quad other, KERNEL\n.text\n\
                 .type other, @function\nother: ret\n.size other, .-other";
    let shared: [&[&str]; 2] = [&["--64"], &["-shared"]];
    let fixed: [&[&str]; 2] = [&["--64"], &["-static", "-no-pie", "-e", "0"]];
    for (case, tools, run, is_listed) in [
        ("first", shared, "call [rip + table]", false),
        ("second", shared, "call [rip + table + 8]", true),
        ("row", shared, "lea rax, [rip + table]\ncall [rax + 8]", true),
        (
            "both",
            shared,
            "movups xmm0, [rip + table]\nmovhlps xmm0, xmm0\nmovq rax, xmm0\ncall rax",
            true,
        ),
        ("fixed-row", fixed, "call [table + rax * 8]", true),
        ("fixed-base", fixed, "call [table + rax]", true),
        ("fixed-number", fixed, "mov eax, offset table\ncall [rax + 8]", true),
    ] {
        let run = format!("{run}\nret\n.size RUN, .-RUN{table}");
        let image = image_of(&format!("slots-{case}"), tools, END, &run);
        let proven: Vec<u64> = image.named(path).map(|function| function.address).collect();
        assert_eq!(left_out(&image, &proven).contains_key(path), is_listed, "{case}");
    }
}

/// A function that a kernel calls only in code that is never executed is not proven with the kernel.
#[test]
fn a_call_that_is_never_executed_proves_nothing() {
    const CALL: u8 = 0xe8;
    const LEN: u64 = 5;
    let image = shipped();
    let unseen = |kernel: Shipped| {
        let binary = Binary::find(image, kernel).unwrap();
        let executed = binary.executed().unwrap();
        let mut all = binary.code().instructions().filter(|i| !executed.contains(&i.address));
        all.find(|i| i.next - i.address >= LEN).map(|i| (kernel, binary.entry(), i.clone()))
    };
    let (kernel, entry, unseen) = Shipped::all().find_map(unseen).unwrap();
    let other = image.named("lanesum::kernel::x86::sha_ni::sha1_traced").next().unwrap().address;
    let distance = other.wrapping_sub(unseen.address + LEN) as i32;
    let mut bytes = vec![0x90; (unseen.next - unseen.address) as usize];
    bytes[0] = CALL;
    bytes[1..LEN as usize].copy_from_slice(&distance.to_le_bytes());
    let changed = image.patched(unseen.address, &bytes);
    let binary = Binary::at(&changed, entry, kernel).unwrap();
    assert!(binary.code().is_function(other));
    assert!(!binary.called().unwrap().contains(&other), "{kernel}: {unseen}");
}

/// A table entry of one kernel refers to another kernel's function. An instruction of that function
/// requires a feature of the other kernel's CPUs, and concrete runs do not reach it.
#[test]
fn an_instruction_that_is_seldom_executed_is_looked_at() {
    // vpaddd ymm0, ymm0, ymm0
    const AVX2: [u8; 4] = [0xc5, 0xfd, 0xfe, 0xc0];
    let image = shipped();
    let named = |name: &str| Shipped::all().find(|kernel| kernel.to_string() == name).unwrap();
    let [own, other] = ["bmi2_x1/sha256", "avx2_x1/sha256"].map(named);
    let entry = image.dispatched().iter().find(|one| one.kernel == own).unwrap();
    // The function is proven as the other kernel's.
    let as_proven = |kernel: Shipped| match kernel {
        _ if kernel == own => (other, entry.address),
        _ => (kernel, Binary::find(image, kernel).unwrap().entry()),
    };
    let all: Vec<(Shipped, u64)> = Shipped::all().map(as_proven).collect();
    assert!(!misdirected(image, &all).contains(entry));
    let binary = Binary::at(image, entry.address, own).unwrap();
    let executed = binary.executed().unwrap();
    let mut unseen = binary.code().instructions().filter(|i| !executed.contains(&i.address));
    let unseen = unseen.find(|i| i.next - i.address >= AVX2.len() as u64);
    let unseen = unseen.expect("an instruction that is not executed");
    let mut bytes = vec![0x90; (unseen.next - unseen.address) as usize];
    bytes[..AVX2.len()].copy_from_slice(&AVX2);
    let changed = image.patched(unseen.address, &bytes);
    assert!(Binary::at(&changed, entry.address, own).unwrap().executed().is_ok());
    assert!(misdirected(&changed, &all).contains(entry));
}

/// A slot of the table that has no function is zero. In another one, the loader stores the address of a function.
#[test]
fn slots_without_a_function_are_zero() {
    const ADDRESS: usize = 1;
    const GLOB_DAT: usize = 6;
    let mut file = fs::read(lanesum_testkit::release_library()).unwrap();
    let image = Image::new(&file).unwrap();
    let entry = |name: &str| {
        let kernel = Shipped::all().find(|kernel| kernel.to_string() == name).unwrap();
        Binary::find(&image, kernel).unwrap().entry() as usize
    };
    let part = |name: &str, field: usize| number(&file, section_header(&file, name) + field, 8);
    let (from, len, symbols) = (part(".rela.dyn", 24), part(".rela.dyn", 32), part(".dynsym", 24));
    let all = || (from..from + len).step_by(24);
    let value = |i: usize| number(&file, symbols + 24 * i + 8, 8);
    let symbol = (1..).find(|&i| value(i) != 0).expect("an exported symbol");
    let value = value(symbol);
    let spare = all().find(|at| number(&file, at + 8, 4) == GLOB_DAT).expect("another relocation");
    // A relocation with a symbol.
    let put_address = |file: &mut [u8], slot: usize, to: usize| {
        put(file, spare, slot, 8);
        put(file, spare + 8, symbol << 32 | ADDRESS, 8);
        put(file, spare + 16, to.wrapping_sub(value), 8);
    };
    let stored: Vec<[usize; 2]> =
        all().map(|at| [0, 16].map(|field| number(&file, at + field, 8))).collect();
    let job = |name: &str| {
        let [compress, finish] =
            [name.to_owned(), format!("{name}/finish")].map(|name| entry(&name));
        let is_it = |&[at, to]: &[usize; 2]| to == compress && stored.contains(&[at + 8, finish]);
        stored.iter().copied().find(is_it).expect("the kernel's functions")[0]
    };
    // The function that writes traces, the first of the three that detect collisions, and that for messages of a block.
    for (name, slot, other) in [
        ("bmi2_x1/sha1", 7, "sha_ni_x1/sha1/traced"),
        ("sse2_x1/sha256", 5, "portable_x1/sha1/screen"),
        ("sha_ni_x2/sha1", 5, "sse2_x4/sha1/screen"),
        ("sse2_x1/sha256", 4, "sha_ni_x1/sha256/digest_blocks"),
    ] {
        let slot = job(name) + 8 * slot;
        let mut changed = file.clone();
        put_address(&mut changed, slot, entry(other));
        refused_with(&changed, "the table of kernels differs");
        // A number.
        let at = in_file(&file, slot);
        assert_eq!(number(&file, at, 8), 0, "{name}");
        let mut changed = file.clone();
        put(&mut changed, at, 1, 8);
        refused_with(&changed, "the table of kernels differs");
    }
    // Elsewhere the relocation does no harm.
    let free = stored.iter().map(|[at, _]| at + 8).find(|&at| {
        let is_near = |[other, _]: &[usize; 2]| other.abs_diff(at) < 8;
        !stored.iter().any(is_near)
    });
    put_address(&mut file, free.expect("a word without a relocation"), value);
    assert!(Image::new(&file).is_ok());
}

/// The table entries of two kernels refer to one `finish`. It calls the `compress` of the kernel that it is proven for through
/// a stub, so that this function is not part of its code.
#[test]
fn what_a_shared_function_calls_is_looked_at() {
    const LEN: usize = 6;
    let original = fs::read(lanesum_testkit::release_library()).unwrap();
    let whole = Image::new(&original).unwrap();
    let named = |name: &str| Shipped::all().find(|kernel| kernel.to_string() == name).unwrap();
    let entry = |kernel| Binary::find(&whole, kernel).unwrap().entry() as usize;
    let own = named("bmi2_x1/sha256/finish");
    for (other, is_supported) in
        [("sse2_x1/sha256/finish", true), ("avx512_x1/sha256/finish", false)]
    {
        let (other, mut file) = (named(other), original.clone());
        let compress = entry(Shipped { task: Task::Compress, ..other });
        let part = |name: &str, field: usize| {
            number(&original, section_header(&original, name) + field, 8)
        };
        let (from, len) = (part(".rela.dyn", 24), part(".rela.dyn", 32));
        let mut slot = None;
        for at in (from..from + len).step_by(24) {
            match number(&file, at + 16, 8) {
                to if to == entry(own) => put(&mut file, at + 16, entry(other), 8),
                to if to == compress => slot = Some(number(&file, at, 8)),
                _ => {}
            }
        }
        let slot = slot.expect("a slot of the table");
        let (text, offset) = (part(".text", 16), part(".text", 24));
        let code = &original[offset..offset + part(".text", 32)];
        let stub =
            text + code.windows(LEN).position(|bytes| bytes == [0xcc; LEN]).expect("padding");
        // A jump through the slot.
        let at = in_file(&file, stub);
        file[at..at + 2].copy_from_slice(&[0xff, 0x25]);
        put(&mut file, at + 2, slot.wrapping_sub(stub + LEN), 4);
        let finish = whole.function(entry(other) as u64).unwrap();
        let mut calls = 0;
        for one in decode(&finish.code, finish.address, 64).into_iter().flatten() {
            let is_call = one.mnemonic == Mnemonic::Call && one.next - one.address == LEN as u64;
            if is_call && matches!(one.operands[..], [Operand::Memory(_)]) {
                let call = one.address as usize;
                let at = in_file(&file, call);
                file[at] = 0xe8;
                put(&mut file, at + 1, stub.wrapping_sub(call + LEN - 1), 4);
                file[at + LEN - 1] = 0x90;
                calls += 1;
            }
        }
        assert!(calls > 0, "{other}");
        let image = Image::new(&file).unwrap();
        let shared = Binary::find(&image, other).unwrap();
        assert!(!shared.code().has(compress as u64), "{other}");
        shared.prove().unwrap();
        let proven = Shipped::all().filter(|kernel| *kernel != own);
        let proven: Vec<(Shipped, u64)> =
            proven.map(|kernel| (kernel, entry(kernel) as u64)).collect();
        let wrong = misdirected(&image, &proven);
        assert_eq!(wrong.iter().any(|one| one.kernel == own), !is_supported, "{other}: {wrong:?}");
    }
}

/// Symbols of a kernel's function, and of an entry point of hashing.
const KERNEL: &str = "_ZN7lanesum6kernel3foo3bar17h0123456789abcdefE";
const RUN: &str = "_ZN7lanesum3run3run17h0123456789abcdefE";

/// Assembles a kernel and an entry point of hashing like [`image_of`], and lists the unproven code that hashing reaches.
fn left_out_of(case: &str, tools: [&[&str]; 2], kernel: &str, run: &str) -> Vec<String> {
    let image = image_of(case, tools, kernel, run);
    left_out(&image, &[]).into_keys().filter(|name| !name.contains("lanesum::run::")).collect()
}

/// Assembles a kernel and an entry point of hashing from these lines.
fn image_of(case: &str, [tools, flags]: [&[&str]; 2], kernel: &str, run: &str) -> Image {
    let [source, object, file] =
        ["s", "o", "elf"].map(|end| folder().join(format!("left-{case}.{end}")));
    let text = format!(
        ".intel_syntax noprefix\n.text\n.type {KERNEL}, @function\n{KERNEL}:\n{kernel}\n\
         .globl {RUN}\n.type {RUN}, @function\n{RUN}:\n{run}\n\
         .section .note.GNU-stack, \"\", @progbits\n"
    );
    fs::write(&source, text.replace("KERNEL", KERNEL).replace("RUN", RUN)).unwrap();
    let ran = |command: &mut Command| assert!(command.status().unwrap().success(), "{command:?}");
    ran(Command::new("as").args(tools).arg("-o").args([&object, &source]));
    ran(Command::new("ld").args(flags).arg("-o").args([&file, &object]));
    Image::new(&fs::read(file).unwrap()).unwrap()
}

/// Options for a library with packed relocations.
const PACKED: [&str; 3] = ["-shared", "-z", "pack-relative-relocs"];

/// The end of the kernel, and of a function that calls it.
const END: &str = "ret\n.size KERNEL, .-KERNEL";
const CALL: &str = "call KERNEL\nret\n.size RUN, .-RUN";

/// Code that hashing reaches is listed, regardless of symbols that hide it.
#[test]
fn symbols_do_not_hide_what_is_unproven() {
    let of = |case: &str, kernel: &str, run: &str| {
        left_out_of(case, [&["--64"], &["-shared"]], kernel, run)
    };
    let kernel = "lanesum::kernel::foo::bar";
    assert_eq!(of("plain", END, CALL), [kernel]);
    assert!(of("none", END, "ret\n.size RUN, .-RUN").is_empty());
    // A second symbol for the function, and one for its first byte.
    for (case, size) in [("longer", "4"), ("same", "1"), ("shorter", "0")] {
        let other = format!(
            "nop\nnop\nret\n.size KERNEL, 1\n.globl other\n.type other, @function\n\
             .set other, KERNEL\n.size other, {size}"
        );
        let found = of(case, &other, CALL);
        assert!(found.contains(&kernel.to_owned()), "{case}: {found:?}");
    }
    // A function with any name that other files can call.
    let exported = "\n.globl update\n.type update, @function\nupdate: call KERNEL\nret\n.size update, .-update";
    assert_eq!(of("exported", END, &format!("ret\n.size RUN, .-RUN{exported}")), [kernel]);
    // A table of functions.
    let table = "\n.section .data.rel.ro, \"aw\"\n.balign 8\n.globl table\n.type table, @object\ntable: .quad KERNEL\n\
                 .size table, 8\n.text";
    assert_eq!(of("exported-table", END, &format!("ret\n.size RUN, .-RUN{table}")), [kernel]);
    // It begins within an instruction of another function.
    let within = "jmp 1f\n.byte 0x48, 0xb8\n.globl update\nupdate: call KERNEL\nret\nnop\nnop\n1: ret\n\
                  .size RUN, .-RUN";
    assert_eq!(of("exported-within", END, within), [kernel]);
    // No symbol, a call into a function, and a function that continues after the end of its symbol.
    let unnamed = |found: Vec<String>| {
        assert!(found.iter().any(|name| name.starts_with("code without a symbol")), "{found:?}");
    };
    unnamed(of("unnamed", END, "call 1f\nret\n.size RUN, .-RUN\n1: ret"));
    assert_eq!(of("into", &format!("nop\n{END}"), &CALL.replace("KERNEL", "KERNEL + 1")), [kernel]);
    unnamed(of("goes-on", END, "nop\n.size RUN, .-RUN\ncall KERNEL\nret"));
    // Behind the last segment, where musl may map the rest of the file.
    unnamed(of("outside", END, "1: call 1b + 0x200000\nret\n.size RUN, .-RUN"));
    // Padding is not code.
    assert_eq!(of("padding", &format!("{END}\n.p2align 4"), CALL), [kernel]);
    assert_eq!(of("traps", &format!("{END}\n.p2align 4, 0xcc"), CALL), [kernel]);
}

/// Calls and addresses count in instructions that the prover does not support, and in code within other instructions.
#[test]
fn instructions_without_semantics_do_not_hide_what_is_unproven() {
    let kernel = "lanesum::kernel::foo::bar";
    let table = "\n.section .data.rel.ro, \"aw\"\n.balign 8\ntable: .quad KERNEL\n.text";
    for (case, run) in [
        ("prefix", ".byte 0x2e\ncall KERNEL\nret"),
        ("size", ".byte 0x67\ncall KERNEL\nret"),
        ("jump", ".byte 0x2e\njmp KERNEL"),
        ("segment", "lea rax, cs:[rip + KERNEL]\ncall rax\nret"),
        ("narrow", "lea eax, [eip + KERNEL]\ncall rax\nret"),
        ("mmx", "movq mm0, [rip + table]\nmovq rax, mm0\ncall rax\nret"),
        ("within", "jmp 1f + 2\n1: .byte 0x48, 0xb8\ncall KERNEL\nret\nnop\nnop\nret"),
        (
            "address",
            "lea rax, [rip + 1f + 2]\njmp rax\n1: .byte 0x48, 0xb8\ncall KERNEL\nret\nnop\nnop\nret",
        ),
        ("slot", "jmp [rip + within]\n1: .byte 0x48, 0xb8\ncall KERNEL\nret\nnop\nnop\nret"),
    ] {
        let run = format!("{run}\n.size RUN, .-RUN{table}");
        // Behind a distance at which the search around a slot does not find the other.
        let within = "\n.section .data.rel.ro, \"aw\"\n.skip 4096\nwithin: .quad 1b + 2\n.text";
        let run = if case == "slot" { run + within } else { run };
        let found = left_out_of(&format!("form-{case}"), [&["--64"], &["-shared"]], END, &run);
        assert_eq!(found, [kernel], "{case}");
    }
}

/// A stub of 32-bit code jumps through a number, which is an address in the file only if that is loaded at a fixed one.
#[test]
fn a_stub_of_32_bit_code_leads_through_a_number() {
    let run = "call 1f\nret\n.size RUN, .-RUN\n.section .stubs, \"ax\"\n.balign 64\n1: jmp [SLOT]\n.section .rodata\n.balign 4\nslot: .long KERNEL\n.text";
    let fixed: [&[&str]; 2] = [&["--32"], &["-m", "elf_i386", "-static", "-no-pie", "-e", "0"]];
    let kernel = "lanesum::kernel::foo::bar";
    assert_eq!(left_out_of("stub-fixed", fixed, END, &run.replace("SLOT", "slot")), [kernel]);
    let shared: [&[&str]; 2] = [&["--32"], &["-m", "elf_i386", "-shared"]];
    let run = run.replace("SLOT", "4096").replace("rodata", "data.rel.ro, \"aw\"");
    let found = left_out_of("stub-shared", shared, END, &run);
    assert!(found.iter().any(|name| name.starts_with("code without a symbol")), "{found:?}");
}

/// A constructor or a thread-local variable contains the address of a function. Hashing refers to neither.
#[test]
fn functions_that_other_code_leaves_for_hashing_are_listed() {
    let constructor = |symbol: &str| {
        format!(
            ".section .init_array, \"aw\"\n.balign 8\n.quad begin\n\
             .section .begin, \"ax\"\n.balign 64\n{symbol}\n\
             begin: lea rax, [rip + KERNEL]\nmov [rip + slot], rax\nret\n\
             .bss\n.balign 8\nslot: .skip 8\n.text"
        )
    };
    let thread = ".section .tdata, \"awT\"\n.balign 8\nown: .quad KERNEL\n.text";
    let slot = "call [rip + slot]";
    for (case, run, more) in [
        ("named", slot, &constructor(".type begin, @function\n.size begin, 15")[..]),
        ("unnamed", slot, &constructor("")),
        ("thread", "mov rax, [rip + own@gottpoff]\ncall fs:[rax]", thread),
    ] {
        let run = format!("{run}\nret\n.size RUN, .-RUN\n{more}");
        for (kind, flags) in [("usual", &["-shared"][..]), ("packed", &PACKED)] {
            let case = format!("implicit-{case}-{kind}");
            let found = left_out_of(&case, [&["--64"], flags], END, &run);
            assert_eq!(found, ["lanesum::kernel::foo::bar"], "{case}");
        }
    }
}

/// glibc jumps to the address in the slot of a function that is bound late, until a first call resolves the function. With
/// another number in a reserved word before the slots, it computes that address.
#[test]
fn functions_that_are_bound_late_are_listed() {
    const PUSH: u8 = 0x68;
    const THREAD_RESOLVER: usize = 0x6fff_fef6;
    let kernel = "lanesum::kernel::foo::bar";
    let run = "call other@PLT\nret\n.size RUN, .-RUN";
    for (case, flags) in [
        ("plain", &["-shared", "-z", "lazy"][..]),
        ("marked", &["-shared", "-z", "lazy", "-z", "ibtplt"]),
    ] {
        let name = format!("late-{case}");
        let image = image_of(&name, [&["--64"], flags], END, run);
        assert_eq!(left_out(&image, &[]).into_keys().collect::<Vec<_>>(), ["lanesum::run::run"]);
        let to = image.named(kernel).next().unwrap().address as usize;
        let file = fs::read(folder().join(format!("left-{name}.elf"))).unwrap();
        let part = |name: &str, field: usize| number(&file, section_header(&file, name) + field, 8);
        let (table, stubs) = (part(".got.plt", 24), part(".plt", 24));
        let is_listed = |file: &[u8], wanted: &str| {
            let all = left_out(&Image::new(file).unwrap(), &[]);
            assert!(all.keys().any(|name| name.starts_with(wanted)), "{case}: {all:?}");
        };
        // The first slot.
        let mut other = file.clone();
        put(&mut other, table + 24, to, 8);
        is_listed(&other, kernel);
        // The first stub, to which all others jump.
        let mut other = file.clone();
        other[stubs] = 0xe9;
        put(&mut other, stubs + 1, to.wrapping_sub(part(".plt", 16) + 5), 4);
        is_listed(&other, kernel);
        // The number of a function.
        let push = file[stubs..].iter().position(|&byte| byte == PUSH).unwrap();
        let mut other = file.clone();
        put(&mut other, stubs + push + 1, 1, 4);
        is_listed(&other, "code without a symbol");
        let mut other = file.clone();
        put(&mut other, table + 8, to, 8);
        refused_with(&other, "prelinked file");
    }
    // Up to 2.33, glibc calls another function in the same way, to resolve a thread-local variable.
    let run = "lea rax, own@tlsdesc[rip]\ncall [rax + own@tlscall]\nret\n.size RUN, .-RUN\n.globl own\n\
               .section .tdata, \"awT\"\nown: .quad 1\n.text";
    let image = image_of("late-thread", [&["--64"], &["-shared", "-z", "lazy"]], END, run);
    assert!(!left_out(&image, &[]).contains_key(kernel));
    let to = image.named(kernel).next().unwrap().address as usize;
    let mut file = fs::read(folder().join("left-late-thread.elf")).unwrap();
    let at = entry(&file, THREAD_RESOLVER) + 8;
    put(&mut file, at, to, 8);
    assert!(left_out(&Image::new(&file).unwrap(), &[]).contains_key(kernel));
}

/// The loader computes a function's address from a symbol that no file defines, or from the offset of a thread-local
/// variable, in a program at fixed addresses.
#[test]
fn addresses_that_relocations_compute_are_listed() {
    const OFFSET: usize = 18;
    const DISTANCE: usize = 24;
    let kernel = "lanesum::kernel::foo::bar";
    let [source, object, library] =
        ["s", "o", "so"].map(|end| folder().join(format!("other.{end}")));
    let text = ".globl other\n.type other, @object\n.size other, 8\n.data\nother: .quad 0\n\
                .section .note.GNU-stack, \"\", @progbits\n";
    fs::write(&source, text).unwrap();
    let ran = |command: &mut Command| assert!(command.status().unwrap().success(), "{command:?}");
    ran(Command::new("as").arg("-o").args([&object, &source]));
    ran(Command::new("ld").arg("-shared").arg("-o").args([&library, &object]));
    let flags = ["-no-pie", "-e", "0", "-z", "nocopyreloc", "-z", "now", "--dynamic-linker"];
    let flags = [&flags[..], &["/lib/ld.so", library.to_str().unwrap()]].concat();
    let run = "call [slot]\nret\n.size RUN, .-RUN\n.data\n.skip 4096\n.balign 8\n\
               slot: .quad other\n.skip 4096\n.text";
    let image = image_of("sum", [&["--64"], &flags], END, run);
    assert!(!left_out(&image, &[]).contains_key(kernel));
    let to = image.named(kernel).next().unwrap().address as usize;
    let file = fs::read(folder().join("left-sum.elf")).unwrap();
    let at = number(&file, section_header(&file, ".rela.dyn") + 24, 8);
    let with = |kind: Option<usize>| {
        let mut other = file.clone();
        put(&mut other, at + 16, to, 8);
        kind.into_iter().for_each(|kind| put(&mut other, at + 8, kind, 4));
        other
    };
    assert!(left_out(&Image::new(&with(None)).unwrap(), &[]).contains_key(kernel));
    for kind in [OFFSET, DISTANCE] {
        refused_with(&with(Some(kind)), "unsupported relocations");
    }
}

/// Some loaders initialize thread-local variables from the first segment for it, others from the last.
#[test]
fn two_segments_for_thread_local_variables_are_refused() {
    const STACK: usize = 0x6474_e551;
    const TLS: usize = 7;
    let text = "ret\nEND\n.section .tdata, \"awT\"\n.quad 1\n";
    let mut file = fs::read(linked("thread", text, &["-shared"])).unwrap();
    assert!(Image::new(&file).is_ok());
    let own = segments(&file, TLS)[0];
    let other = segments(&file, STACK)[0];
    file.copy_within(own..own + 56, other);
    refused_with(&file, "two PT_TLS segments");
}

/// A proof of a function begins at its entry point. Another function jumps behind that.
#[test]
fn code_behind_the_entry_point_of_a_kernel_is_not_proven() {
    const JUMP: u8 = 0xe9;
    const LEN: u64 = 5;
    let image = shipped();
    let kernel = Shipped::all().find(|kernel| kernel.to_string() == "bmi2_x1/sha256").unwrap();
    let path = kernel.path();
    let proven: Vec<u64> = image.dispatched().iter().map(|one| one.address).collect();
    let write =
        image.named("lanesum::kernel::Kernel::write_by").next().expect("a function").address;
    let binary = Binary::find(image, kernel).unwrap();
    let mut starts = binary.code().instructions().map(|one| one.address);
    let behind = starts.find(|&at| at > binary.entry()).expect("a second instruction");
    for (to, is_listed) in [(binary.entry(), false), (behind, true)] {
        let distance = (to.wrapping_sub(write + LEN) as i32).to_le_bytes();
        let changed = image.patched(write, &[&[JUMP][..], &distance].concat());
        assert_eq!(left_out(&changed, &proven).contains_key(&path), is_listed, "{to:#x}");
    }
}

/// A function does not end with a return or a jump, so that execution continues in the next one.
#[test]
fn functions_behind_others_are_listed() {
    let next = "_ZN7lanesum6kernel3foo4next17h0123456789abcdefE";
    for (case, run, padding, is_listed) in [
        ("adjacent", "mov eax, 1", "", true),
        ("padded", "mov eax, 1", ".balign 64, 0x90", true),
        ("branch", "1: dec eax\njne 1b", "", true),
        ("call", "call KERNEL", "", true),
        ("other", "call memcpy@PLT", "", true),
        ("register", "call rax", "", true),
        ("unnamed", "jmp 1f", "1: mov eax, 1", true),
        ("return", "ret", "", false),
        ("jump", "jmp KERNEL", "", false),
        ("trap", "ud2", "", false),
        ("stopped", "mov eax, 1", "int3", false),
        ("end", "call abort@PLT", "", false),
        ("loop", "call endless", "", false),
    ] {
        let run = format!(
            "{run}\n.size RUN, .-RUN\n{padding}\n.type {next}, @function\n{next}: ret\n.size {next}, .-{next}\n\
             .balign 64\n.type endless, @function\nendless: jmp endless\n.size endless, .-endless"
        );
        let found = left_out_of(&format!("behind-{case}"), [&["--64"], &["-shared"]], END, &run);
        let is_it = |name: &String| name == "lanesum::kernel::foo::next";
        assert_eq!(found.iter().any(is_it), is_listed, "{case}: {found:?}");
    }
}

/// Functions whose addresses are numbers, or relative to a table, are listed too.
#[test]
fn functions_whose_addresses_are_computed_are_listed() {
    let kernel = "lanesum::kernel::foo::bar";
    let fixed: [&[&str]; 2] = [&["--64"], &["-static", "-no-pie", "-e", "0"]];
    // Far apart, so that a search of the pointer's surroundings does not find the function.
    let table = "\n.section .rodata\n.balign 8\ntable: .quad KERNEL\n.skip 4096\npointer: .quad table\n.text";
    for (case, run) in [
        ("number", "mov eax, offset KERNEL\ncall rax\nret"),
        ("slot", "call [table]\nret"),
        ("row", "call [table + rax * 8]\nret"),
        ("pointer", "mov rax, [pointer]\ncall [rax]\nret"),
    ] {
        let run = format!("{run}\n.size RUN, .-RUN{table}");
        assert_eq!(left_out_of(case, fixed, END, &run), [kernel], "{case}");
        // Writable, unaligned, or in code.
        let code = run.replace(".section .rodata", ".type data, @function\ndata: nop");
        for (place, run) in [
            ("data", run.replace(".section .rodata", ".data")),
            ("unaligned", run.replace(".balign 8", ".byte 1")),
            ("code", format!("{code}\n.size data, .-data")),
        ] {
            let found = left_out_of(&format!("{case}-{place}"), fixed, END, &run);
            assert_eq!(found, [kernel], "{case}, {place}");
        }
    }
    // An address of four bytes in 64-bit code.
    let run = "mov eax, [table]\ncall rax\nret\n.size RUN, .-RUN\n.section .rodata\n.balign 8\n\
               table: .long KERNEL, 1\n.text";
    assert_eq!(left_out_of("short", fixed, END, run), [kernel]);
    // Relative to the global offset table. With `-z now` it has no section `.got.plt`.
    for (file, flags) in [
        ("lazy", &["-shared", "-z", "lazy"][..]),
        ("now", &["-shared", "-z", "now"]),
        ("fixed", fixed[1]),
    ] {
        let flags: [&[&str]; 2] = [&["--32"], &[&["-m", "elf_i386"], flags].concat()];
        for (case, call, data) in [
            ("memory", "lea eax, [ebx + KERNEL@GOTOFF]\ncall eax", ""),
            ("number", "add ebx, offset KERNEL@GOTOFF\ncall ebx", ""),
            ("slot", "call [ebx + slot@GOTOFF]", ".data\nslot: .long KERNEL\n.text"),
        ] {
            let run = format!(
                "call 1f\n1: pop ebx\nadd ebx, offset _GLOBAL_OFFSET_TABLE_\n{call}\nret\n\
                 .size RUN, .-RUN\n{data}"
            );
            let case = format!("relative-{case}-{file}");
            assert_eq!(left_out_of(&case, flags, END, &run), [kernel], "{case}");
        }
    }
    // With the large code model, 64-bit code uses such offsets, too.
    let flags: [&[&str]; 2] = [&["--64"], &["-shared"]];
    let run = "movabs rax, offset KERNEL@GOTOFF\nlea rbx, [rip + _GLOBAL_OFFSET_TABLE_]\nadd rax, rbx\n\
               call rax\nret\n.size RUN, .-RUN";
    assert_eq!(left_out_of("relative-large", flags, END, run), [kernel]);
    // A pointer to a table.
    let run = format!("mov rax, [rip + pointer]\ncall [rax]\nret\n.size RUN, .-RUN{table}");
    let run = run.replace(".rodata", ".data.rel.ro, \"aw\"");
    assert_eq!(left_out_of("pointer-shared", flags, END, &run), [kernel]);
    // In writable data, with packed relocations.
    let packed: [&[&str]; 2] = [&["--64"], &PACKED];
    let slot =
        "call [rip + slot]\nret\n.size RUN, .-RUN\n.data\n.balign 8\nslot: .quad KERNEL\n.text";
    assert_eq!(left_out_of("slot-packed", packed, END, slot), [kernel]);
    // The loader adds a number to the address of another function.
    let sum = "\n.globl other\n.type other, @function\nother: ret\n.size other, .-other\n\
               .section .data.rel.ro, \"aw\"\n.balign 8\nslot: .quad other + (KERNEL - other)\n.text";
    let added = format!("call [rip + slot]\nret\n.size RUN, .-RUN{sum}");
    assert_eq!(left_out_of("sum-shared", flags, END, &added), [kernel]);
    // A table of many functions.
    let long = "\n.section .data.rel.ro, \"aw\"\n.balign 8\ntable: .skip 320\n.quad KERNEL\n.text";
    let row = format!("lea rax, [rip + table]\ncall [rax + 320]\nret\n.size RUN, .-RUN{long}");
    assert_eq!(left_out_of("row-shared", flags, END, &row), [kernel]);
    // A table with a symbol may be longer.
    let longer = "\n.section .data.rel.ro, \"aw\"\n.balign 8\n.type table, @object\ntable: .skip 8000\n.quad KERNEL\n\
                  .size table, .-table\n.text";
    let row = format!("lea rax, [rip + table]\ncall [rax + 8000]\nret\n.size RUN, .-RUN{longer}");
    assert_eq!(left_out_of("longer-shared", flags, END, &row), [kernel]);
    // A part of it has a symbol, too.
    let part =
        longer.replace("table: ", ".type part, @object\n.size part, 8\ntable: .skip 8\npart: ");
    let row = format!("lea rax, [rip + part]\ncall [rax + 8000]\nret\n.size RUN, .-RUN{part}");
    assert_eq!(left_out_of("part-shared", flags, END, &row), [kernel]);
    let ends = longer.replace(".skip 8000\n.quad KERNEL", ".quad KERNEL\n.skip 8000\nend:");
    let row = format!("lea rax, [rip + end]\ncall [rax - 8008]\nret\n.size RUN, .-RUN{ends}");
    assert_eq!(left_out_of("longer-end-shared", flags, END, &row), [kernel]);
    // Addressed from its end, and from its end in the middle of other data.
    for (case, data) in [("end", "end:"), ("middle", "end: .skip 64")] {
        let long = long.replace(".text", &format!("{data}\n.text"));
        let row = format!("lea rax, [rip + end]\ncall [rax - 8]\nret\n.size RUN, .-RUN{long}");
        assert_eq!(left_out_of(&format!("{case}-shared"), flags, END, &row), [kernel], "{case}");
    }
    let found = left_out_of(
        "pointer-unnamed",
        flags,
        END,
        &run.replace("quad KERNEL", "quad 1f").replace(".text", ".text\n1: ret"),
    );
    assert!(found.iter().any(|name| name.starts_with("code without a symbol")), "{found:?}");
}
