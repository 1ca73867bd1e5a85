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

/// The number of bytes after an address of data that are searched for pointers.
const TABLE: u64 = 256;

/// The functions of the engine and the specification that hashing reaches and that are not proven,
/// with their source paths and the number of functions per path. Also code without a symbol that
/// the engine's functions reach, and executable data.
///
/// A function reaches its calls and jumps, the code after it unless that is padding, and every
/// function whose address it takes or that is in data that it refers to, through any number of
/// pointers. This over-approximates, except for computed addresses.
pub fn left_out(image: &Image, proven: &[u64]) -> BTreeMap<String, usize> {
    let mut names: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
    image.names().for_each(|(name, at)| names.entry(at).or_default().push(name));
    let is_root = |(name, _): &(&str, u64)| {
        let path = path(name);
        ROOTS.iter().any(|root| path.starts_with(root))
            || path.starts_with(ROOT_OF_C) && !path.contains("::")
    };
    // Addresses, and whether the engine's code leads there.
    let roots = image.names().filter(is_root).map(|(_, at)| at);
    // The tables refer to all kernels, regardless of the reader.
    let roots = roots.chain(image.dispatched().iter().map(|one| one.address));
    let mut wanted: Vec<(u64, bool)> = roots.map(|at| (at, true)).collect();
    let (mut reached, mut data) = (BTreeSet::new(), BTreeSet::new());
    let named = image.executable_data().iter().map(|name| format!("section {name} is executable"));
    let mut all: BTreeMap<String, usize> = named.map(|line| (line, 1)).collect();
    // Callers use dynamic symbols, not the symbol table. Some libraries have functions with other prefixes.
    let is_function =
        |(name, at): &&(String, u64)| name.starts_with(ROOT_OF_C) || image.is_code(*at);
    let exports = image.exports().iter().filter(is_function).map(|(_, at)| at);
    for &at in exports.chain(image.checks()) {
        // A program may have a PLT stub as the address of another file's function.
        let slot = image.through(at);
        wanted.push((slot.map_or(at, |slot| slot as u64), true));
        if slot.is_none() && image.function_around(at).is_none() {
            all.insert(without_symbol(at), 1);
        }
    }
    while let Some((at, by_engine)) = wanted.pop() {
        let Some(function) = image.function_around(at) else {
            if !image.is_code(at) && data.insert((at, by_engine)) {
                wanted.extend(image.pointers(at, TABLE).map(|to| (to, by_engine)));
            } else if image.is_code(at) && by_engine {
                all.insert(without_symbol(at), 1);
            }
            continue;
        };
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
        let places = places.chain(image.goes_on(function));
        wanted.extend(places.map(|at| (at, own.is_some())));
    }
    all
}

/// The line for code that has no name.
fn without_symbol(at: u64) -> String {
    format!("code without a symbol at {at:#x}")
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

/// The possible successors of an instruction, and the addresses that it refers to.
fn leads_to(image: &Image, one: &Instruction) -> Vec<u64> {
    let to = |operand: &Operand| match operand {
        Operand::Target(to) => Some(match image.through(*to) {
            // A PLT stub.
            Some(slot) => slot as u64,
            None => *to,
        }),
        Operand::Memory(place) if place.image => Some(place.offset as u64),
        // A program at a fixed address has addresses as numbers.
        Operand::Memory(place) if image.is_fixed() => Some(image.pointer().unsigned(place.offset)),
        Operand::Immediate(k) if image.is_fixed() => Some(image.pointer().unsigned(*k as i64)),
        // 32-bit code uses offsets from the global offset table.
        Operand::Memory(place) if image.pointer().0 == 4 => {
            let at = image.table_of_addresses().map(|at| at.wrapping_add(place.offset as u64));
            at.map(|at| image.pointer().unsigned(at as i64))
        }
        _ => None,
    };
    one.operands.iter().filter_map(to).collect()
}
