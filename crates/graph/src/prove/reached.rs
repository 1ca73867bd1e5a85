//! The functions that run besides the proven ones when something is hashed, computed from the code of
//! the library's interface.

use std::collections::{BTreeMap, BTreeSet};

use super::image::{Function, Image};
use super::instruction::{Instruction, Operand, decode};

/// Where hashing begins in Rust: one message, batches, lanes and keys. In C, every function whose name
/// begins so.
const ROOTS: [&str; 3] = ["lanesum::run::", "lanesum::keyed::", "lanesum::lanes::"];
const ROOT_OF_C: &str = "lanesum_";

/// The engine's modules. The crates of the command and of the C library have its name, too.
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

/// How far behind the place in data that an instruction reads there may be addresses of functions.
const TABLE: u64 = 256;

/// The functions of the engine and of the specification that hashing leads to and that are not among
/// the proven, by their paths in the source, and how many there are of each name.
///
/// A function leads to its calls and jumps, and to every function whose address it takes or that lies in
/// data that it reads. That is more than it reaches, and less only where it computes an address.
pub fn left_out(image: &Image, proven: &[u64]) -> BTreeMap<String, usize> {
    let is_root = |function: &&Function| {
        let path = path(function);
        ROOTS.iter().any(|root| path.starts_with(root))
            || path.starts_with(ROOT_OF_C) && !path.contains("::")
    };
    let mut wanted: Vec<&Function> = image.functions().filter(is_root).collect();
    // The tables lead to kernels, whoever reads them.
    wanted.extend(image.dispatched().iter().filter_map(|one| image.function(one.address)));
    let mut reached = BTreeSet::new();
    while let Some(function) = wanted.pop() {
        if reached.insert(function.address) {
            let bits = 8 * image.pointer().0 as u32;
            for one in decode(&function.code, function.address, bits).iter().flatten() {
                let places = leads_to(image, one);
                wanted.extend(places.into_iter().filter_map(|at| image.function(at)));
            }
        }
    }
    let mut all = BTreeMap::new();
    for function in reached.iter().filter_map(|&at| image.function(at)) {
        let path = path(function);
        let is_own = match path.strip_prefix("lanesum::") {
            Some(path) => MODULES.iter().any(|module| path.starts_with(module)),
            None => path.starts_with("lanesum_spec::"),
        };
        if is_own && !proven.contains(&function.address) {
            *all.entry(function.name.clone()).or_default() += 1;
        }
    }
    all
}

/// The path of a function, or of the type that it is of.
fn path(function: &Function) -> &str {
    function.name.trim_start_matches('<')
}

/// Where code may go from an instruction.
fn leads_to(image: &Image, one: &Instruction) -> Vec<u64> {
    let mut all = Vec::new();
    for operand in &one.operands {
        match operand {
            Operand::Target(to) => all.push(*to),
            Operand::Memory(place) if place.image => {
                let at = place.offset as u64;
                all.push(at);
                all.extend(image.pointers(at, TABLE));
            }
            _ => {}
        }
    }
    all
}
