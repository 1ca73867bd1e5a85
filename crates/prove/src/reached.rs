//! The unproven functions that hashing reaches, computed from the code of the library's interface.

use std::collections::{BTreeMap, BTreeSet};

use super::image::Image;
use super::instruction::{End, Operand, Place, end_of, references};
use super::kernel::Shipped;

/// The entry points of hashing in Rust, for one message, batches, lanes and keys. In C, every
/// function with the prefix `lanesum_`, and every exported one.
const ROOTS: [&str; 3] = ["lanesum::run::", "lanesum::keyed::", "lanesum::lanes::"];
const ROOT_OF_C: &str = "lanesum_";

/// The engine's modules. The crates of the command and of the C library have the same name prefix.
const MODULES: [&str; 17] = [
    "base::",
    "choose::",
    "digest::",
    "kernel::",
    "keyed::",
    "lanes::",
    "locked::",
    "messages::",
    "outputs::",
    "peers::",
    "run::",
    "rustcrypto::",
    "sha1dc::",
    "tree::",
    "typed::",
    "unstable::",
    "words::",
];

/// The number of bytes before and after an address of data that are searched for pointers: code may address a table from
/// its start or from its end. A table with a symbol is searched whole.
const TABLE: u64 = 1024;

/// An address to which code or data lead.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Lead {
    at: u64,
    /// Whether the engine's code leads there.
    by_engine: bool,
    /// Whether only proven code does.
    by_proven: bool,
    /// Whether the code reads one slot at this address, and no table.
    is_slot: bool,
}

impl Lead {
    fn new(at: u64, by_engine: bool) -> Self {
        Self { at, by_engine, by_proven: false, is_slot: false }
    }
}

/// The functions of the engine and the specification that hashing reaches and that are not proven,
/// with their source paths and the number of functions per path. Also code without a symbol that
/// the engine's functions reach, and executable data.
///
/// A function reaches its calls and jumps, the code after it unless that is padding, the next function if execution may
/// continue there, and every function whose address it takes or that is in data that it refers to, through any number of
/// pointers. This over-approximates, except for computed addresses.
///
/// Except for kernels, `proven` functions are proven only as the kernels call them. They are listed if other functions
/// reach them. Kernels are listed if other functions reach code behind their entry points.
pub fn left_out(image: &Image, proven: &[u64]) -> BTreeMap<String, usize> {
    let kernels: BTreeSet<String> = image.shipped().map(Shipped::path).collect();
    let mut names: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
    image.names().for_each(|(name, at)| names.entry(at).or_default().push(name));
    let is_root = |(name, _): &(&str, u64)| {
        paths(name).any(|path| ROOTS.iter().any(|root| path.starts_with(root)))
            || name.starts_with(ROOT_OF_C) && !name.contains("::")
    };
    let roots = image.names().filter(is_root).map(|(_, at)| at);
    // The tables refer to all kernels, regardless of the reader.
    let roots = roots.chain(image.dispatched().iter().map(|one| one.address));
    let mut wanted: Vec<Lead> = roots.map(|at| Lead::new(at, true)).collect();
    wanted.extend(image.exported_data().iter().map(|&at| Lead::new(at, true)));
    // Other code may store addresses where hashing finds them: constructors, and the program's. No code refers to the
    // initial contents of thread-local variables.
    wanted.extend(image.implicit().map(|at| Lead::new(at, false)));
    let (mut reached, mut listed, mut data) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let bits = 8 * image.pointer().0 as u32;
    // The addresses of all decoded instructions, and the addresses at which execution may continue: targets of branches,
    // relative operands and pointers. Numbers in a program at a fixed address are often no addresses.
    let (mut starts, mut targets) = (BTreeSet::new(), BTreeSet::new());
    let named = image.executable_data().iter().map(|name| format!("section {name} is executable"));
    let mut all: BTreeMap<String, usize> = named.map(|line| (line, 1)).collect();
    // Callers use dynamic symbols, not the symbol table. Some libraries have functions with other prefixes.
    let is_function =
        |(name, at): &&(String, u64)| name.starts_with(ROOT_OF_C) || image.is_executable(*at);
    let exports = image.exports().iter().filter(is_function).map(|(_, at)| at);
    for &at in exports.chain(image.checks()) {
        // A program may have a PLT stub as the address of another file's function.
        let slot = image.through(at);
        wanted.push(Lead {
            is_slot: slot.is_some(),
            ..Lead::new(slot.map_or(at, |slot| slot as u64), true)
        });
        if slot.is_none() && image.function_around(at).is_none() {
            all.insert(without_symbol(at), 1);
        }
    }
    targets.extend(wanted.iter().map(|lead| lead.at));
    while let Some(lead) = wanted.pop() {
        let Lead { at, by_engine, by_proven, is_slot } = lead;
        let function = image.function_around(at);
        // A program at a fixed address may have pointers in its code.
        let is_data = function.is_none() && !image.is_executable(at);
        if (is_data || image.is_fixed()) && data.insert(lead) {
            let len = image.pointer().0 as u64;
            let first = wanted.len();
            let to = |(_, at)| Lead { at, is_slot: false, ..lead };
            wanted.extend(image.pointers(at, len).map(to));
            if is_data {
                let table = image.data_around(at);
                let start = table.start.min(at.saturating_sub(TABLE));
                let end = table.end.max(at.saturating_add(TABLE));
                let before = image.pointers(start, at - start);
                // Linkers place the array of constructors before other data.
                let before = before.filter(|&(place, _)| !image.is_implicit(place));
                let after = at.saturating_add(len);
                let after = image.pointers(after, end.saturating_sub(after));
                wanted.extend(before.chain(after).map(|(_, at)| {
                    // Code that reads one slot calls no function of the others. A number of a program at a fixed
                    // address may lead into a function.
                    let is_no_call = is_slot || image.is_fixed() && !is_start(image, at);
                    Lead { at, by_proven: by_proven || is_no_call, is_slot: false, ..lead }
                }));
            }
            if !image.is_fixed() {
                targets.extend(wanted[first..].iter().map(|lead| lead.at));
            }
        }
        let Some(function) = function else {
            if !is_data && by_engine {
                all.insert(without_symbol(at), 1);
            }
            let code = image.unnamed(at).filter(|_| !is_data && reached.insert((at, false)));
            let code = code.unwrap_or_default();
            if continues(image, code, at) {
                let next = image.falls_into(at + code.len() as u64);
                wanted.extend(next.map(|at| Lead::new(at, by_engine)));
            }
            let code = references(code, at, bits);
            let operands = || code.iter().flat_map(|(_, all)| all);
            targets.extend(operands().filter_map(target));
            let places = operands().flat_map(|operand| leads_to(image, operand));
            wanted.extend(places.map(|to| Lead { by_engine, ..to }));
            continue;
        };
        // Several symbols may share an address.
        let mut of_function = names.get(&function.address).into_iter().flatten();
        let is_kernel = || of_function.clone().any(|name| kernels.contains(*name));
        // A proof begins at the entry point.
        let is_called = at == function.address && is_kernel();
        let is_proven = proven.contains(&function.address) && (by_proven || is_called);
        let is_new = reached.insert((function.address, is_proven));
        // They may lead into an instruction.
        let is_within = |starts: &BTreeSet<u64>| targets.contains(&at) && !starts.contains(&at);
        if !is_new && !is_within(&starts) {
            continue;
        }
        let own = of_function.find(|name| is_own(name));
        if let Some(name) = own.filter(|_| !is_proven && listed.insert(function.address)) {
            *all.entry((*name).to_owned()).or_default() += 1;
        }
        let from = if is_new { function.address } else { at };
        let code = &function.code[(from - function.address) as usize..];
        let behind = image.goes_on(function).or_else(|| {
            let falls = !is_proven && continues(image, code, from);
            image.falls_into(from + code.len() as u64).filter(|_| falls)
        });
        let mut code = references(code, from, bits);
        if !is_new {
            let joins = code.iter().position(|(at, _)| starts.contains(at));
            code.truncate(joins.unwrap_or(code.len()));
        }
        starts.extend(code.iter().map(|(at, _)| *at));
        if is_within(&starts) {
            wanted.push(lead);
        }
        let operands = || code.iter().flat_map(|(_, operands)| operands);
        let places = operands().flat_map(|operand| leads_to(image, operand));
        let places = places.chain(behind.map(|at| Lead::new(at, false)));
        let by = |lead: Lead| Lead { by_engine: own.is_some(), by_proven: is_proven, ..lead };
        wanted.extend(places.map(by));
        // musl maps parts of the file between its segments, too. A proven function stays in its own code.
        for operand in operands().filter(|_| !is_proven) {
            targets.extend(target(operand));
            if let Operand::Target(to) = *operand
                && own.is_some()
                && !image.is_executable(to)
            {
                all.insert(without_symbol(to), 1);
            }
        }
    }
    all
}

/// The address at which execution may continue because of an operand.
fn target(operand: &Operand) -> Option<u64> {
    match *operand {
        Operand::Target(to) => Some(to),
        Operand::Memory(place) if place.image => Some(place.offset as u64),
        _ => None,
    }
}

/// Whether execution continues behind some code at an address. Functions that never return are often called at the end.
fn continues(image: &Image, code: &[u8], at: u64) -> bool {
    let bits = 8 * image.pointer().0 as u32;
    let returns = |to: u64| {
        image.function(to).is_none_or(|called| {
            !image.is_own_end(called) && end_of(&called.code, called.address, bits).1
        })
    };
    let slot_returns = |slot: u64| {
        let all = image.pointers(slot, 1).filter(|&(place, _)| place == slot);
        let mut all = all.map(|(_, to)| to).peekable();
        if all.peek().is_none() { !image.is_endless(slot) } else { all.any(returns) }
    };
    match end_of(code, at, bits).0 {
        End::Nothing => false,
        End::Next => !code.is_empty(),
        End::Call(Some(Operand::Target(to))) => match image.through(to) {
            Some(slot) => slot_returns(slot as u64),
            None => returns(to),
        },
        End::Call(Some(Operand::Memory(place))) if place.image => slot_returns(place.offset as u64),
        End::Call(_) => true,
    }
}

/// Whether an address is not behind the start of a function.
fn is_start(image: &Image, at: u64) -> bool {
    image.function_around(at).is_none_or(|own| own.address == at)
}

/// The line for code that has no name.
fn without_symbol(at: u64) -> String {
    format!("code without a symbol at {at:#x}")
}

/// Whether this is the path of a function of the engine or the specification.
fn is_own(name: &str) -> bool {
    paths(name).any(|path| match path.strip_prefix("lanesum::") {
        Some(path) => MODULES.iter().any(|module| path.starts_with(module)),
        None => path.starts_with("lanesum_spec::"),
    })
}

/// The path of a function, or the paths of its type and its trait.
fn paths(name: &str) -> impl Iterator<Item = &str> {
    name.split(" as ").map(|path| path.trim_start_matches(['<', '&', '[', '(']))
}

/// The addresses that an operand may refer to.
fn leads_to(image: &Image, operand: &Operand) -> Vec<Lead> {
    let pointer = image.pointer();
    let lead = |at: u64, is_slot| Lead { is_slot, ..Lead::new(at, false) };
    // A longer access reads several slots, and `lea` computes the address of any.
    let is_access = |place: Place| (1..=pointer.0).contains(&place.bytes);
    let (offset, is_number) = match *operand {
        // A PLT stub.
        Operand::Target(to) => {
            let slot = image.through(to);
            return vec![lead(slot.map_or(to, |slot| slot as u64), slot.is_some())];
        }
        Operand::Memory(place) if place.image => {
            return vec![lead(place.offset as u64, is_access(place))];
        }
        Operand::Memory(place) => (place.offset, false),
        Operand::Immediate(k) => (k as i64, true),
        _ => return Vec::new(),
    };
    // A program at a fixed address has addresses as numbers.
    let address = image.is_fixed().then(|| pointer.unsigned(offset));
    // Position-independent code uses offsets from the global offset table: 64-bit code only as numbers. Other numbers may
    // lead into functions.
    let may_be = |at: u64| match is_number {
        true => image.is_executable(at) && is_start(image, at),
        false => pointer.0 == 4,
    };
    let tables = image.tables_of_addresses().iter();
    let all = tables.map(|at| pointer.unsigned(at.wrapping_add(offset as u64) as i64));
    let all = all.filter(|&at| may_be(at));
    let is_slot = matches!(
        *operand, Operand::Memory(place @ Place { base: None, index: None, .. }) if is_access(place)
    );
    let address = address.map(|at| lead(at, is_slot));
    address.into_iter().chain(all.map(|at| lead(at, false))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_every_module_of_the_engine_are_its_own() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/src/lib.rs");
        let source = std::fs::read_to_string(file).unwrap();
        let module = |line: &str| {
            let name = line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';')?;
            Some(name.to_owned())
        };
        let all: Vec<String> = source.lines().filter_map(module).collect();
        assert_eq!(all.len(), MODULES.len());
        for module in all {
            let path = format!("lanesum::{module}::Item");
            for name in [
                format!("{path}::function"),
                format!("<{path} as core::fmt::Debug>::fmt"),
                format!("<&[u8] as {path}>::function"),
                format!("<&[{path}] as core::iter::IntoIterator>::into_iter"),
            ] {
                assert!(is_own(&name), "{name}");
            }
        }
        for name in ["lanesum::pkcs11::list", "core::fmt::write", "<u8 as core::fmt::Debug>::fmt"] {
            assert!(!is_own(name), "{name}");
        }
    }
}
