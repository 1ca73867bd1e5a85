//! The unproven functions that hashing reaches, computed from the code of the library's interface.

use std::collections::{BTreeMap, BTreeSet};

use super::image::Image;
use super::instruction::{Instruction, Operand, decode};

/// The entry points of hashing in Rust, for one message, batches, lanes and keys. In C, every
/// function with the prefix `lanesum_`, and every exported one.
const ROOTS: [&str; 3] = ["lanesum::run::", "lanesum::keyed::", "lanesum::lanes::"];
const ROOT_OF_C: &str = "lanesum_";

/// The engine's modules. The crates of the command and of the C library have the same name prefix.
const MODULES: [&str; 14] = [
    "base::",
    "choose::",
    "digest::",
    "kernel::",
    "keyed::",
    "lanes::",
    "locked::",
    "messages::",
    "outputs::",
    "run::",
    "rustcrypto::",
    "sha1dc::",
    "tree::",
    "words::",
];

/// The number of bytes after a data address in an instruction that are searched for function
/// pointers.
const TABLE: u64 = 256;

/// The functions of the engine and the specification that hashing reaches and that are not proven,
/// with their source paths and the number of functions per path. Also code without a symbol that
/// the engine's functions reach.
///
/// A function reaches its calls and jumps, the code after it unless that is padding, and every
/// function whose address it takes or that is in data that it reads. This over-approximates, except
/// for computed addresses.
pub fn left_out(image: &Image, proven: &[u64]) -> BTreeMap<String, usize> {
    let mut names: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
    image.names().for_each(|(name, at)| names.entry(at).or_default().push(name));
    let is_root = |(name, _): &(&str, u64)| {
        let path = path(name);
        ROOTS.iter().any(|root| path.starts_with(root))
            || path.starts_with(ROOT_OF_C) && !path.contains("::")
    };
    let mut wanted: Vec<u64> = image.names().filter(is_root).map(|(_, at)| at).collect();
    // The tables refer to all kernels, regardless of the reader.
    wanted.extend(image.dispatched().iter().map(|one| one.address));
    let mut reached = BTreeSet::new();
    let mut all = BTreeMap::new();
    // Callers use dynamic symbols, not the symbol table. Some libraries have functions with other prefixes.
    let is_function =
        |(name, at): &&(String, u64)| name.starts_with(ROOT_OF_C) || image.is_code(*at);
    let exports = image.exports().iter().filter(is_function).map(|(_, at)| at);
    for at in exports.copied().chain(image.others_dispatched()) {
        wanted.push(at);
        if image.function_around(at).is_none() {
            all.insert(format!("code without a symbol at {at:#x}"), 1);
        }
    }
    while let Some(at) = wanted.pop() {
        let Some(function) = image.function_around(at) else { continue };
        if !reached.insert(function.address) {
            continue;
        }
        // Several symbols may share an address.
        let own = names.get(&function.address).into_iter().flatten().find(|name| is_own(name));
        if let Some(name) = own.filter(|_| !proven.contains(&function.address)) {
            *all.entry((*name).to_owned()).or_default() += 1;
        }
        let bits = 8 * image.pointer().0 as u32;
        let code = decode(&function.code, function.address, bits);
        let places = code.iter().flatten().flat_map(|one| leads_to(image, one));
        for at in places.chain(image.goes_on(function)) {
            if image.function_around(at).is_some() {
                wanted.push(at);
            } else if own.is_some() && image.is_code(at) {
                all.insert(format!("code without a symbol at {at:#x}"), 1);
            }
        }
    }
    all
}

/// Whether this is the path of a function of the engine or the specification.
fn is_own(name: &str) -> bool {
    let path = path(name);
    match path.strip_prefix("lanesum::") {
        Some(path) => MODULES.iter().any(|module| path.starts_with(module)),
        None => path.starts_with("lanesum_spec::"),
    }
}

/// The path of a function, or of the type that it belongs to.
fn path(name: &str) -> &str {
    name.trim_start_matches('<')
}

/// The possible successors of an instruction, and the functions that it refers to.
fn leads_to(image: &Image, one: &Instruction) -> Vec<u64> {
    let mut all = Vec::new();
    let mut data = |at: u64| {
        all.push(at);
        all.extend(image.pointers(at, TABLE));
    };
    for operand in &one.operands {
        match operand {
            Operand::Target(to) => match image.through(*to) {
                // A PLT stub.
                Some(slot) => data(slot as u64),
                None => data(*to),
            },
            Operand::Memory(place) if place.image => data(place.offset as u64),
            // A program at a fixed address has addresses as numbers.
            Operand::Memory(place) if image.is_fixed() => {
                data(image.pointer().unsigned(place.offset));
            }
            Operand::Immediate(k) if image.is_fixed() => data(image.pointer().unsigned(*k as i64)),
            // 32-bit code uses offsets from the global offset table.
            Operand::Memory(place) if image.pointer().0 == 4 => {
                let at = image.table_of_addresses().map(|at| at.wrapping_add(place.offset as u64));
                at.into_iter().for_each(|at| data(image.pointer().unsigned(at as i64)));
            }
            _ => {}
        }
    }
    all
}
