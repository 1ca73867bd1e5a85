//! Changes to data that loaders read: headers, segments, the dynamic section, relocations, names,
//! symbols with their versions and hash tables, and the binding of functions.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::ops::Range;

use crate::attack::one;
use crate::common::random;
use crate::hostile_files::{
    FLAGS, FLAGS_1, JUMPS, PLT_TABLE, RELA, RELA_LEN, dynamic, entry, number, put, section_header,
    segments,
};

const JUMPS_LEN: usize = 2;

/// Tags that loaders know: the usual ones, other kinds of relocations and hash tables, and tags
/// that make glibc write to a library, load others or call functions.
const TAGS: [usize; 25] = [
    2,
    4,
    12,
    16,
    17,
    18,
    20,
    22,
    23,
    24,
    25,
    27,
    30,
    32,
    33,
    35,
    36,
    37,
    0x6fff_fef5,
    0x6fff_fef8,
    0x6fff_fefc,
    0x6fff_fffb,
    0x7000_0000,
    0x7fff_fffd,
    0x7fff_ffff,
];

const KINDS: [&str; 15] = [
    "header",
    "segment",
    "dynamic",
    "tag",
    "relocation",
    "jump",
    "slot",
    "string",
    "symbol",
    "binding",
    "version",
    "hash",
    "lazy",
    "table",
    "cave",
];

/// Changes a library with these kernels and this slot for `memset`; returns the kind of change.
pub(crate) fn trick(file: &mut [u8], kernels: &[u64], slot: u64, seed: &mut u64) -> &'static str {
    let kind = one(&KINDS, seed);
    let at =
        |range: Range<usize>, seed: &mut u64| range.start + random(seed) as usize % range.len();
    let (headers, count) = (number(file, 32, 8), number(file, 56, 2));
    let tags: Vec<usize> = dynamic(file).0.into_iter().map(|(_, at)| at).collect();
    let (rela, jumps) = (table(file, RELA, RELA_LEN), table(file, JUMPS, JUMPS_LEN));
    let symbols = section(file, ".dynsym");
    let of_memset = rela.clone().step_by(24).find(|&at| number(file, at, 8) as u64 == slot);
    let of_memset = of_memset.expect("a relocation of memset");
    let kernel = one(kernels, seed) as usize;
    // Read before a change: afterwards, section headers may be unreadable.
    let data = protected(file);
    let place = match kind {
        "header" => Some(at(0..64, seed)),
        "segment" => Some(at(headers..headers + 56 * count, seed)),
        "dynamic" => Some(at(tags[0]..tags[tags.len() - 1] + 16, seed)),
        "relocation" => Some(at(rela.clone(), seed)),
        "jump" => Some(at(jumps.clone(), seed)),
        "string" => Some(at(section(file, ".dynstr"), seed)),
        "symbol" => Some(at(symbols.clone(), seed)),
        "hash" => Some(at(section(file, ".gnu.hash"), seed)),
        "version" => {
            let name = one(&[".gnu.version", ".gnu.version_r"], seed);
            Some(at(section(file, name), seed))
        }
        _ => None,
    };
    if let Some(at) = place {
        file[at] = match random(seed) % 3 {
            0 => file[at] ^ 1 << (random(seed) % 8),
            1 => file[at].wrapping_add(8),
            _ => random(seed) as u8,
        };
    }
    let word = data.start + random(seed) % ((data.end - data.start) / 8) * 8;
    let some = one(&[0, 1, kernel, slot as usize, word as usize, symbols.start, jumps.start], seed);
    match kind {
        "tag" => {
            let entry = one(&tags, seed);
            put(file, entry, one(&TAGS, seed), 8);
            if random(seed).is_multiple_of(2) {
                put(file, entry + 8, some, 8);
            }
        }
        // Bind the slot of `memset` differently, or that of another function.
        "slot" => {
            let all = [of_memset, jumps.start, jumps.start + 24];
            let (entry, kind) = (one(&all, seed), one(&[1, 5, 6, 7, 8, 37], seed));
            put(file, entry + 8, kind, 4);
            if random(seed).is_multiple_of(2) {
                put(file, entry + 16, some, 8);
            }
        }
        // A symbol becomes local, hidden, defined, an IFUNC, or moves to another section.
        "binding" => {
            let own = symbols.start + 24 * number(file, of_memset + 12, 4);
            let other = symbols.start + 24 * (random(seed) as usize % (symbols.len() / 24));
            let symbol = one(&[own, other], seed);
            let fields = [
                (4, one(&[0x02, 0x12, 0x1a, 0x22, 0x10, 0x0a], seed), 1),
                (5, random(seed) as usize % 4, 1),
                (6, one(&[0, 1, 15, 0xfff1, 0xfff2], seed), 2),
                (8, one(&[0, kernel], seed), 8),
            ];
            for (field, k, len) in fields {
                if random(seed).is_multiple_of(2) {
                    put(file, symbol + field, k, len);
                }
            }
        }
        // Lazy binding, for which the loader writes after DT_PLTGOT.
        "lazy" => {
            for tag in [FLAGS, FLAGS_1] {
                let at = entry(file, tag) + 8;
                put(file, at, 0, 8);
            }
            let at = entry(file, PLT_TABLE) + 8;
            put(
                file,
                at,
                one(&[word as usize - 8, word as usize, slot as usize - 8, some], seed),
                8,
            );
            if random(seed).is_multiple_of(3) {
                let entry = jumps.start;
                file.copy_within(of_memset..of_memset + 16, entry);
                put(file, entry + 8, 7, 4);
            }
        }
        // A table entry refers to another kernel's function.
        "table" => {
            let leads = |at: &usize| kernels.contains(&(number(file, *at + 16, 8) as u64));
            let entries: Vec<usize> = rela.step_by(24).filter(leads).collect();
            put(file, one(&entries, seed) + 16, kernel, 8);
        }
        // A jump from within a function to padding, or into another function.
        "cave" => {
            let code = segments(file, 1).into_iter().find(|&at| file[at + 4] & 1 == 1).unwrap();
            let to = one(kernels, seed);
            let from = kernel as u64 + random(seed) % 64;
            let place = from as usize - number(file, code + 16, 8) + number(file, code + 8, 8);
            let by = (to as i64 - random(seed) as i64 % 16 - from as i64 - 5) as i32;
            file[place] = 0xe9;
            file[place + 1..place + 5].copy_from_slice(&by.to_le_bytes());
        }
        _ => {}
    }
    kind
}

/// The addresses of words that relocations fill with addresses of the program, and these addresses.
pub(crate) fn relocations(file: &[u8]) -> Vec<(u64, u64)> {
    let all = table(file, RELA, RELA_LEN).step_by(24);
    all.map(|at| (number(file, at, 8) as u64, number(file, at + 16, 8) as u64)).collect()
}

/// The memory with constants that the loader protects after binding.
pub(crate) fn protected(file: &[u8]) -> Range<u64> {
    let header = section_header(file, ".data.rel.ro");
    let [from, len] = [16, 32].map(|field| number(file, header + field, 8) as u64);
    from..from + len
}

/// A table that the dynamic section refers to, in the file.
fn table(file: &[u8], at: usize, len: usize) -> Range<usize> {
    let value = |tag: usize| number(file, entry(file, tag) + 8, 8);
    // Tables for loaders only are at their address in the file.
    value(at)..value(at) + value(len)
}

/// A section's range in the file.
fn section(file: &[u8], name: &str) -> Range<usize> {
    let header = section_header(file, name);
    let [from, len] = [24, 32].map(|field| number(file, header + field, 8));
    from..from + len
}
