//! `lanesum doctor --proof` compares the assembly of the command with the proven assembly.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::fs;
use std::ops::Range;

use object::read::elf::ElfFile64;
use object::{Endianness, Object, ObjectSegment};

use crate::common::{Folder, Ran, hex, ran, well};

const LANESUM: &str = env!("CARGO_BIN_EXE_lanesum");

/// The assembly in a copy of the command, and its bytes there.
struct Copy {
    folder: Folder,
    bytes: Vec<u8>,
    /// Kernel and compression function, whether it is a table, and the place in the file.
    places: Vec<(String, bool, Range<usize>)>,
}

impl Copy {
    fn new() -> Self {
        let folder = Folder::new();
        let bytes = fs::read(LANESUM).unwrap();
        let symbols = folder.peer(&format!("nm -C -S {LANESUM}"));
        assert_eq!(symbols.status, Some(0), "{}", symbols.err);
        let place = |line: &str| {
            let [at, len, _, name] = line.split(' ').collect::<Vec<_>>()[..] else { return None };
            let path = name.strip_prefix("lanesum::kernel::x86::")?;
            let (path, part) = path.rsplit_once("::")?;
            if !matches!(part, "text" | "TABLE") {
                return None;
            }
            let mut words = path.rsplit("::").filter(|word| *word != "compress");
            let family = words.next()?;
            let kernel = words.next()?;
            let number = |word| usize::from_str_radix(word, 16).ok();
            let start = offset(&bytes, number(at)? as u64)?;
            let row = format!("{kernel} {family}");
            Some((row, part == "TABLE", start..start + number(len)?))
        };
        let places = symbols.out.lines().filter_map(place).collect();
        // Other programs write the copy: a thread that starts a program meanwhile would inherit its
        // descriptor, and the copy could not run.
        assert_eq!(folder.peer(&format!("cp {LANESUM} copy")).status, Some(0));
        Self { folder, bytes, places }
    }

    /// Writes a byte of the copy.
    fn write(&self, at: usize, byte: u8) {
        self.folder.file("byte", [byte]);
        let dd = format!("dd if=byte of=copy bs=1 seek={at} conv=notrunc status=none");
        well(self.folder.peer(&dd), "");
    }

    fn run(&self, words: &str) -> Ran {
        let mut command = self.folder.command(self.folder.at("copy"));
        ran(&command.args(words.split_whitespace()).output().unwrap())
    }
}

/// The place of an address in a program file.
fn offset(program: &[u8], address: u64) -> Option<usize> {
    let file = ElfFile64::<Endianness>::parse(program).unwrap();
    file.segments().find_map(|segment| {
        let at = address.checked_sub(segment.address())?;
        let (start, len) = segment.file_range();
        (at < len).then_some((start + at) as usize)
    })
}

/// The rows of the report: kernel and compression function, and the rest.
fn rows(out: &str) -> Vec<(String, String)> {
    let rows = out.split("\n\n").next().unwrap().lines().map(|line| {
        let words: Vec<_> = line.split_whitespace().collect();
        (words[..2].join(" "), words[2..].join(" "))
    });
    rows.collect()
}

#[test]
fn the_assembly_of_this_build_is_proven_and_a_changed_one_is_not() {
    let copy = Copy::new();
    let run = copy.run("doctor --proof");
    assert_eq!((run.status, &run.err[..]), (Some(0), ""), "{}", run.out);
    let all = rows(&run.out);
    assert!(all.iter().all(|(_, said)| said.starts_with("proven ")), "{}", run.out);
    let mut found: Vec<_> = copy.places.iter().filter(|place| !place.1).map(|p| &p.0).collect();
    let mut listed: Vec<_> = all.iter().map(|row| &row.0).collect();
    found.sort();
    listed.sort();
    assert_eq!(found, listed, "every function in the program that is assembly");
    assert_eq!(copy.places.iter().filter(|place| place.1).count(), 16, "tables");

    for (row, is_table, place) in &copy.places {
        // The last byte of a function may be a constant. A table ends with padding.
        let at = if *is_table { place.start } else { place.end - 1 };
        copy.write(at, copy.bytes[at] ^ 1);
        let run = copy.run("doctor --proof");
        assert_eq!((run.status, &run.err[..]), (Some(1), ""), "{row}: {}", run.out);
        for (other, said) in rows(&run.out) {
            assert_eq!(said.starts_with("not proven"), other == *row, "{row}: {}", run.out);
            assert_eq!(said.contains("table"), other == *row && *is_table, "{row}: {}", run.out);
        }
        let count = format!("\n{} of {} functions are the proven ones", all.len() - 1, all.len());
        assert!(run.out.contains(&count), "{row}: {}", run.out);
        copy.write(at, copy.bytes[at]);
    }
}

/// Constants of all kernels that read any from memory differ: known answers keep the kernels from being used.
#[test]
fn digests_are_correct_if_the_constants_of_assembly_differ() {
    let copy = Copy::new();
    let has_table = |row: &str| copy.places.iter().any(|(of, is_table, _)| *is_table && of == row);
    for (row, is_table, place) in &copy.places {
        if *is_table {
            copy.write(place.start, copy.bytes[place.start] ^ 1);
        } else if !has_table(row) {
            // After the code, except for two kernels with constants in their instructions. Those end with `ret`.
            let at = place.end - 1;
            copy.write(at, copy.bytes[at] ^ u8::from(copy.bytes[at] != 0xc3));
        }
    }
    let run = copy.run("doctor --proof");
    assert!(run.out.contains("\n2 of 24 "), "{}", run.out);
    let mut lines = String::new();
    for i in 0..40 {
        let message = vec![7; 100 * i];
        for algorithm in ["sha1", "sha256", "sha512"] {
            lines += &format!("{}  {i:02}\n", hex(algorithm, &message));
        }
        copy.folder.file(format!("{i:02}"), message);
    }
    copy.folder.file("SUMS", lines);
    well(copy.run("check --quiet SUMS"), "");
}
