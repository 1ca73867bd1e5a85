//! A linked x86 program or library: its functions by name, and its memory after loading.

mod dispatch;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use object::{
    Architecture, Object, ObjectSection, ObjectSymbol, RelocationFlags, RelocationTarget,
    SectionIndex, SectionKind, SymbolFlags, SymbolIndex, SymbolKind, elf,
};

pub use self::dispatch::Dispatched;
use super::address::{Address, Region};
use super::fault::Fault;
use super::instruction::{Instruction, Mnemonic, Operand, decode, relative_field};
use super::kernel::{Shipped, Task};
use super::loaded::{LoadedFile, Relocation, Relocations, STUB, entries, has_flag};
use super::unambiguous::{entry_len, is_of};
use super::value::{Byte, Pointer};

/// Marks of branch targets.
const ENDBR64: [u8; 4] = [0xf3, 0x0f, 0x1e, 0xfa];
const ENDBR32: [u8; 4] = [0xf3, 0x0f, 0x1e, 0xfb];

/// A function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its source path, as demangled. Paths need not be unique.
    pub name: String,
    /// The address of its first instruction.
    pub address: u64,
    /// Its machine code.
    pub code: Vec<u8>,
}

/// Functions of the C library and of the compiler's that never return.
const ENDLESS: [&str; 6] =
    ["_Exit", "_Unwind_Resume", "__stack_chk_fail", "_exit", "abort", "exit"];

/// Overwrites `own`, whose first byte is at address `from`, with the overlapping part of `bytes` at
/// `at`.
fn patch(from: u64, own: &mut [u8], at: u64, bytes: &[u8]) {
    for (at, &byte) in (at..).zip(bytes) {
        let place = at.checked_sub(from).and_then(|place| own.get_mut(place as usize));
        if let Some(place) = place {
            *place = byte;
        }
    }
}

/// The addresses of packed relative relocations (DT_RELR): addresses, each followed by bitmaps of
/// the words after it. `None` if the last entry is incomplete, which glibc reads beyond the table, or the first one is
/// a bitmap.
fn packed(table: &[u8], Pointer(len): Pointer) -> Option<Vec<u64>> {
    if !table.len().is_multiple_of(len) || table.first().is_some_and(|byte| byte & 1 == 1) {
        return None;
    }
    let mut all = Vec::new();
    let mut next = 0u64;
    for bytes in table.chunks_exact(len) {
        let mut whole = [0; 8];
        whole[..len].copy_from_slice(bytes);
        let entry = u64::from_le_bytes(whole);
        if entry & 1 == 0 {
            all.push(entry);
            next = entry.checked_add(len as u64)?;
            continue;
        }
        for i in 1..8 * len as u64 {
            if entry >> i & 1 == 1 {
                all.push(next.checked_add((i - 1) * len as u64)?);
            }
        }
        next = next.checked_add((8 * len as u64 - 1) * len as u64)?;
    }
    Some(all)
}

/// The address ranges of the arrays of pointers to code that startup code of a static program calls.
fn constructors(file: &object::File<'_>) -> impl Iterator<Item = Range<u64>> {
    let names = [".preinit_array", ".init_array", ".fini_array"];
    let sections = names.into_iter().filter_map(|name| file.section_by_name(name));
    sections.map(|one| one.address()..one.address() + one.size())
}

/// The possible addresses of the global offset table. Linkers place it in one of two sections.
fn tables_of_addresses(file: &object::File<'_>) -> Vec<u64> {
    let sections = [".got.plt", ".got"].into_iter().filter_map(|name| file.section_by_name(name));
    let symbols = file.symbols().filter(|one| one.name() == Ok("_GLOBAL_OFFSET_TABLE_"));
    let all = sections.map(|one| one.address()).chain(symbols.map(|one| one.address()));
    BTreeSet::from_iter(all).into_iter().collect()
}

/// Whether a symbol is an indirect function (IFUNC), resolved at load time.
fn is_chosen_late(flags: SymbolFlags<SectionIndex, SymbolIndex>) -> bool {
    matches!(flags, SymbolFlags::Elf { st_info, .. } if st_info.0 & 15 == elf::STT_GNU_IFUNC.0)
}

/// The referent of an object's relocation.
#[derive(Clone)]
enum Referent {
    /// A slot that the linker creates.
    Slot,
    /// A symbol of another object; `begins` if the relocated address is that of the symbol itself.
    Undefined { begins: bool },
    /// The address range of a section or a mergeable section's entry, in a library linked from this object.
    Section(Range<u64>),
}

/// An object's relocation: its referent, and the number of bytes that linkers may change before the relocated field and
/// from its beginning on.
#[derive(Clone)]
struct Named {
    before: u64,
    len: u64,
    referent: Referent,
}

/// The maximum of these numbers.
const MOST_CHANGED: u64 = 32;

/// A relocation with an unknown effect.
const UNKNOWN: Named =
    Named { before: MOST_CHANGED, len: MOST_CHANGED, referent: Referent::Section(0..0) };

/// Whether a linker may replace the instructions around a relocation, whatever they are: by others that access a
/// thread-local variable of the program, or that compute an address instead of loading it from a slot.
fn is_rewritten(relocation: &object::Relocation, is_64: bool) -> bool {
    match relocation.flags() {
        RelocationFlags::Elf { r_type } if is_64 => matches!(r_type.0, 16..=23 | 34..=36 | 43..),
        RelocationFlags::Elf { r_type } => matches!(r_type.0, 14..=19 | 24..=37 | 39..),
        _ => true,
    }
}

/// Maps addresses of relocated fields, in a library linked from an object, to the object's
/// relocations. The linker may have defined symbols that the object does not define, as another linker does not.
fn relocations_of(file: &object::File<'_>, undefined: &BTreeSet<String>) -> BTreeMap<u64, Named> {
    let of_slot = [elf::R_X86_64_GOTPCREL, elf::R_X86_64_GOTPCRELX, elf::R_X86_64_REX_GOTPCRELX];
    // An address, absolute or relative. The types of 32-bit code have the same numbers.
    let of_address = [elf::R_X86_64_64, elf::R_X86_64_PC32, elf::R_X86_64_PLT32];
    let named = |relocation: &object::Relocation| {
        let kind = match relocation.flags() {
            RelocationFlags::Elf { r_type } => Some(r_type),
            _ => None,
        };
        let symbol = match relocation.target() {
            RelocationTarget::Symbol(symbol) => file.symbol_by_index(symbol).ok(),
            _ => None,
        };
        // Another object's definition may replace a weak one, and the linker's, that of the final link.
        let is_replaced = symbol.as_ref().is_some_and(|symbol| {
            let is_linkers = || symbol.name().is_ok_and(|name| undefined.contains(name));
            symbol.is_weak() || !symbol.is_undefined() && is_linkers()
        });
        let is_undefined = symbol.as_ref().is_some_and(|symbol| symbol.is_undefined());
        let section = symbol.as_ref().and_then(|symbol| symbol.section_index());
        let section = section.and_then(|section| file.section_by_index(section).ok());
        let is_slot = kind.is_some_and(|kind| of_slot.contains(&kind));
        let is_address = kind.is_some_and(|kind| of_address.contains(&kind));
        let begins = !relocation.has_implicit_addend() && relocation.addend() == -4;
        let referent = match section {
            _ if is_replaced => Referent::Undefined { begins: false },
            _ if is_slot => Referent::Slot,
            _ if !is_address => Referent::Section(0..0),
            None if is_undefined => Referent::Undefined { begins },
            None => Referent::Section(0..0),
            Some(section) => {
                let whole = section.address()..section.address() + section.size();
                let own = symbol.filter(|symbol| symbol.kind() != SymbolKind::Section);
                Referent::Section(match (entry_len(file, &section), own) {
                    (None, _) => whole,
                    (Some(len), Some(own)) if len > 0 && whole.contains(&own.address()) => {
                        let from = own.address() - (own.address() - whole.start) % len;
                        from..whole.end.min(from + len)
                    }
                    // Linkers differ in the entry that an offset in a section refers to.
                    _ => 0..0,
                })
            }
        };
        // Lengths that are too large only make more bytes unknown.
        let (before, len) = match kind {
            // Some linkers change the bytes of a prefix, an opcode and a ModRM byte, whatever they are.
            Some(elf::R_X86_64_REX_GOTPCRELX) => (3, 4),
            _ if is_slot => (2, 4),
            _ => (0, if relocation.size() == 32 { 4 } else { 8 }),
        };
        Named { before, len, referent }
    };
    let mut all = BTreeMap::new();
    // Others have no addresses, but offsets from zero.
    for section in file.sections().filter(|section| has_flag(section, elf::SHF_ALLOC)) {
        // Some linkers ignore the relocation behind one that they rewrite.
        let mut is_behind = false;
        for (at, relocation) in section.relocations() {
            let is_rewritten = is_rewritten(&relocation, file.is_64());
            let own = if is_rewritten || is_behind { UNKNOWN } else { named(&relocation) };
            is_behind = is_rewritten;
            // With two relocations of one field, nothing is known about it.
            all.entry(at).and_modify(|other| *other = UNKNOWN).or_insert(own);
        }
    }
    all
}

/// Whether a relocation stores the offset of a thread-local variable.
fn is_of_thread(kind: elf::RelocationType, Pointer(len): Pointer) -> bool {
    match len {
        8 => matches!(kind, elf::R_X86_64_DTPOFF64 | elf::R_X86_64_TPOFF64 | elf::R_X86_64_TLSDESC),
        _ => matches!(
            kind,
            elf::R_386_TLS_TPOFF
                | elf::R_386_TLS_DTPOFF32
                | elf::R_386_TLS_TPOFF32
                | elf::R_386_TLS_DESC
        ),
    }
}

/// Whether linkers create relocations of this kind. Others store other sums, such as the distance of two addresses.
fn is_usual(kind: elf::RelocationType, pointer: Pointer) -> bool {
    // None, an address, a copy, the address of a symbol or a function, and an address of the file: the numbers are equal
    // in 32-bit code.
    matches!(kind.0, 0 | 1 | 5..=8)
        || is_of_thread(kind, pointer)
        || match pointer.0 {
            8 => matches!(kind, elf::R_X86_64_DTPMOD64 | elf::R_X86_64_IRELATIVE),
            _ => matches!(kind, elf::R_386_TLS_DTPMOD32 | elf::R_386_IRELATIVE),
        }
}

/// A section that is constant after loading, or an entry of a mergeable section.
#[derive(Clone)]
struct ConstantSection {
    from: u64,
    bytes: Vec<u8>,
    is_code: bool,
    align: u64,
}

impl ConstantSection {
    fn range(&self) -> Range<u64> {
        self.from..self.from + self.bytes.len() as u64
    }
}

/// A program or a library.
#[derive(Clone)]
pub struct Image {
    pointer: Pointer,
    is_fixed: bool,
    /// The address range from the first segment to the last.
    extent: Range<u64>,
    /// The possible addresses of the global offset table, to which offsets in position-independent code are relative.
    tables_of_addresses: Vec<u64>,
    /// The relocations of an object.
    named: Option<BTreeMap<u64, Named>>,
    /// Whether the loader or another assembler replaces instructions by equivalent ones, so that their bytes are
    /// unknown.
    is_code_unknown: bool,
    functions: BTreeMap<u64, Function>,
    /// Function addresses by name. A function may have several names, and a name several functions.
    names: BTreeMap<String, Vec<u64>>,
    /// Addresses and sizes of data by name, mangled and demangled; `None` for an ambiguous name.
    objects: BTreeMap<String, Option<(u64, u64)>>,
    /// The sizes of data by address; the maximum, if symbols share an address.
    data: BTreeMap<u64, u64>,
    constants: Vec<ConstantSection>,
    /// The addresses that the loader stores: in the program, or in other libraries (`None`).
    relocated: BTreeMap<u64, Option<Address>>,
    /// The addresses that the loader stores if it resolves symbols of this file in it.
    symbolic: BTreeMap<u64, u64>,
    /// The addresses in slots of functions that are bound late, unless a first call there resolves the function.
    late: BTreeMap<u64, u64>,
    /// The slots of functions of other files that never return.
    endless: BTreeSet<u64>,
    /// Whether the C library's functions are in the file.
    is_static: bool,
    /// The functions in the engine's tables.
    dispatched: Vec<Dispatched>,
    /// The addresses of the functions in these tables that check the CPU.
    checks: Vec<u64>,
    /// The addresses of the functions that the dynamic symbol table exports, by name.
    exports: Vec<(String, u64)>,
    /// The addresses of exported data.
    exported_data: Vec<u64>,
    /// The addresses of code that runs without a call: a program's first instruction, and constructors.
    begins: Vec<u64>,
    /// The address ranges of pointers to such code, and of the initial contents of thread-local variables.
    implicit: Vec<Range<u64>>,
    /// The names of sections of data that CPUs can execute.
    executable_data: Vec<String>,
    /// The parts of executable pages that are in no section.
    outside_of_sections: Vec<Range<u64>>,
    /// The initial contents of the segments, by address.
    initial: Arc<[(u64, Vec<u8>)]>,
    /// The contents of the segments.
    contents: Arc<[u8]>,
}

impl Image {
    /// An empty program with pointers of this size.
    #[cfg(test)]
    pub(super) fn empty(pointer: Pointer) -> Self {
        Self {
            pointer,
            is_fixed: false,
            extent: 0..0,
            tables_of_addresses: Vec::new(),
            named: None,
            is_code_unknown: false,
            functions: BTreeMap::new(),
            names: BTreeMap::new(),
            objects: BTreeMap::new(),
            data: BTreeMap::new(),
            constants: Vec::new(),
            relocated: BTreeMap::new(),
            symbolic: BTreeMap::new(),
            late: BTreeMap::new(),
            endless: BTreeSet::new(),
            is_static: false,
            dispatched: Vec::new(),
            checks: Vec::new(),
            exports: Vec::new(),
            exported_data: Vec::new(),
            begins: Vec::new(),
            implicit: Vec::new(),
            executable_data: Vec::new(),
            outside_of_sections: Vec::new(),
            initial: Arc::new([]),
            contents: Arc::new([]),
        }
    }

    /// Whether a file is not a relocatable object.
    pub(super) fn is_linked(file: &[u8]) -> bool {
        let kind = object::File::parse(file).map(|file| file.kind());
        kind.ok() != Some(object::ObjectKind::Relocatable)
    }

    /// The address size of a file in bits.
    pub(super) fn bits(file: &[u8]) -> Option<u32> {
        let file = object::File::parse(file).ok()?;
        Some(if file.is_64() { 64 } else { 32 })
    }

    /// Reads a library or a program.
    ///
    /// # Errors
    ///
    /// If it is not an ELF file for x86, or its symbols are stripped.
    pub fn new(data: &[u8]) -> Result<Self, Fault> {
        Self::of_stripped(data)?.with_symbols()
    }

    /// Reads a library linked from a single object, whose list of kernels may refer to another
    /// object, as may these symbols.
    pub(super) fn of_object(data: &[u8], undefined: BTreeSet<String>) -> Result<Self, Fault> {
        Self::load(data, Some(undefined))?.with_symbols()
    }

    fn with_symbols(self) -> Result<Self, Fault> {
        if self.functions.is_empty() {
            return Err(Fault::whole(
                "no function symbols: the file is stripped, or all are weak".into(),
            ));
        }
        Ok(self)
    }

    /// Reads a library or a program, possibly stripped.
    ///
    /// # Errors
    ///
    /// If it is not an ELF file for x86.
    pub fn of_stripped(data: &[u8]) -> Result<Self, Fault> {
        Self::load(data, None)
    }

    /// `undefined`: the symbols that an object does not define, if the file is linked from one.
    fn load(data: &[u8], undefined: Option<BTreeSet<String>>) -> Result<Self, Fault> {
        let file = object::File::parse(data)
            .map_err(|error| Fault::whole(format!("not an ELF file: {error}")))?;
        // Linux checks only the machine, and then reads the header of that machine's class.
        let pointer = match (file.format(), file.architecture(), file.is_64()) {
            (object::BinaryFormat::Elf, Architecture::X86_64, true) => Pointer(8),
            (object::BinaryFormat::Elf, Architecture::I386, false) => Pointer(4),
            (_, other, _) => return Err(Fault::whole(format!("it is for {other:?}, not x86"))),
        };
        let wrong = |error| Fault::whole(format!("malformed file: {error}"));
        let loaded = LoadedFile::new(&file, data, pointer)?;
        let (mut constants, mut executable_data) = (Vec::new(), Vec::new());
        for section in file.sections() {
            let name = section.name().map_err(wrong)?;
            let is_code = section.kind() == SectionKind::Text;
            if !is_code && loaded.is_executable(&section) {
                executable_data.push(name.to_owned());
            }
            // The linker joins or edits other sections of an object, such as call frame information.
            let is_one =
                !name.starts_with('.') || [".text", ".rodata"].iter().any(|one| is_of(name, one));
            let constant = is_code
                || (is_one || undefined.is_none())
                    && matches!(
                        section.kind(),
                        SectionKind::ReadOnlyData | SectionKind::ReadOnlyString
                    );
            if constant && !(loaded.is_loaded(&section) && loaded.stays(&section, is_code)) {
                return Err(Fault::whole(format!("section {name} is not loaded as in the file")));
            }
            // The loader makes these read-only before any function runs, if PT_GNU_RELRO covers
            // them.
            if constant
                || matches!(name, ".data.rel.ro" | ".got" | ".got.plt") && loaded.is_kept(&section)
            {
                let (from, bytes) = (section.address(), section.data().map_err(wrong)?);
                let align = if is_one { section.align() } else { 1 };
                // Other links may omit entries of an object's mergeable section, and reorder the others.
                let (len, align) = match entry_len(&file, &section).filter(|_| undefined.is_some())
                {
                    None => (bytes.len().max(1), align),
                    Some(len) if len > 0 && !is_code => {
                        (len as usize, align.min(1 << len.trailing_zeros()))
                    }
                    Some(_) => continue,
                };
                for (bytes, from) in bytes.chunks(len).zip((from..).step_by(len)) {
                    constants.push(ConstantSection { from, bytes: bytes.to_vec(), is_code, align });
                }
            }
        }
        let is_whole = undefined.is_none();
        let named = undefined.map(|names| relocations_of(&file, &names));
        let mut image = Self {
            pointer,
            named,
            is_code_unknown: false,
            is_fixed: loaded.is_fixed,
            extent: loaded.extent(),
            tables_of_addresses: tables_of_addresses(&file),
            functions: BTreeMap::new(),
            names: BTreeMap::new(),
            objects: BTreeMap::new(),
            data: BTreeMap::new(),
            constants,
            relocated: BTreeMap::new(),
            symbolic: BTreeMap::new(),
            late: BTreeMap::new(),
            endless: BTreeSet::new(),
            is_static: loaded.is_static(),
            dispatched: Vec::new(),
            checks: Vec::new(),
            exports: Vec::new(),
            exported_data: Vec::new(),
            begins: loaded.begins(),
            implicit: loaded.implicit().into_iter().chain(constructors(&file)).collect(),
            executable_data,
            outside_of_sections: loaded.outside_of_sections(&file),
            initial: loaded.initial().into(),
            contents: loaded.contents().into(),
        };
        // Loaders look up symbols of any type, and those without a section if they have a value.
        for symbol in file.dynamic_symbols().filter(|symbol| symbol.address() != 0) {
            if symbol.kind() != SymbolKind::Data || image.is_executable(symbol.address()) {
                image.exports.push((symbol.name().map_err(wrong)?.to_owned(), symbol.address()));
            } else {
                image.exported_data.push(symbol.address());
            }
        }
        image.relocate(&file, &loaded)?;
        let (mut others, mut undefined_kernels) = (BTreeSet::new(), BTreeSet::new());
        let kernels: BTreeSet<String> = image.shipped().map(Shipped::path).collect();
        for symbol in file.symbols() {
            if symbol.kind() == SymbolKind::Data {
                let name = symbol.name().map_err(wrong)?;
                let found = Some((symbol.address(), symbol.size()));
                let len = image.data.entry(symbol.address()).or_default();
                *len = symbol.size().max(*len);
                let path = format!("{:#}", rustc_demangle::demangle(name));
                for name in BTreeSet::from([name.to_owned(), path]) {
                    let known = image.objects.entry(name).or_insert(found);
                    *known = known.filter(|_| *known == found);
                }
            }
            if matches!(symbol.kind(), SymbolKind::Section | SymbolKind::File) {
                continue;
            }
            let name = symbol.name().map_err(wrong)?;
            // Only some compilers include the arguments of a generic function.
            let name = format!("{:#}", rustc_demangle::demangle(name));
            let name = match name.rfind("::<") {
                Some(end) if name.ends_with('>') => name[..end].to_owned(),
                _ => name,
            };
            if symbol.is_undefined() {
                undefined_kernels.extend(Some(name).filter(|name| kernels.contains(name)));
                continue;
            }
            // Another object's definition may replace a weak one.
            let is_function = symbol.kind() == SymbolKind::Text
                && !is_chosen_late(symbol.flags())
                && (is_whole || !symbol.is_weak());
            let (address, len) = (symbol.address(), symbol.size());
            let code = image.constant(address, len as usize);
            let code = code.filter(|_| is_function && len > 0 && image.is_code(address));
            let Some(code) = code.map(<[u8]>::to_vec) else {
                others.insert(name);
                continue;
            };
            image.names.entry(name.clone()).or_default().push(address);
            // If symbols share an address, the longest one has the code.
            let known = image.functions.get(&address).map_or(0, |known| known.code.len());
            if code.len() >= known {
                image.functions.insert(address, Function { name, address, code });
            }
        }
        // Other objects call the symbol of a name, whatever it is, and wherever it is.
        let mut all = others.iter().chain(&undefined_kernels);
        let other = all.find(|name| image.names.contains_key(*name));
        if let Some(name) = other.filter(|_| !is_whole) {
            let what = format!("a symbol {name} is not a function in code that others call");
            return Err(Fault::whole(what));
        }
        let dispatch::Entries { functions, checks } = dispatch::entries(&image, is_whole)?;
        (image.dispatched, image.checks) = (functions, checks);
        Ok(image)
    }

    /// Records the addresses that the loader stores.
    fn relocate(&mut self, file: &object::File<'_>, loaded: &LoadedFile<'_>) -> Result<(), Fault> {
        let pointer = self.pointer;
        let what = "unsupported relocations";
        let strange = || Fault::whole(what.into());
        // The loader protects data only after all relocations.
        let chosen =
            || Fault::whole("the loader calls code of the file before it protects the data".into());
        // Implicit addends are in the relocated field.
        let there = |image: &Self, at: u64| {
            let mut bytes = image.constant(at, pointer.0)?.to_vec();
            bytes.resize(8, 0);
            Some(i64::from_le_bytes(bytes.try_into().ok()?))
        };
        if !loaded.is_static() && loaded.chooses_functions() {
            return Err(chosen());
        }
        let mut copies = Vec::new();
        for (i, table) in loaded.tables.iter().enumerate() {
            let (table, adds) = match *table {
                Relocations::Relr(table) => {
                    for at in packed(table, pointer).ok_or_else(strange)? {
                        let place = there(self, at).and_then(|place| self.pointer_at(at, place));
                        let to = self.initial_number(at, pointer.0).filter(|_| place.is_none());
                        self.symbolic.extend(to.map(|to| (at, to)));
                        self.store(loaded, at, place)?;
                    }
                    continue;
                }
                Relocations::Rela(table) => (table, true),
                Relocations::Rel(table) => (table, false),
            };
            let all = entries(table, pointer.0, adds).ok_or_else(strange)?;
            // glibc applies the first DT_RELACOUNT relocations as relative without reading their
            // types; musl reads the types.
            let is_relative = |one: &Relocation| match pointer.0 {
                8 => elf::RelocationType(one.kind) == elf::R_X86_64_RELATIVE,
                _ => elf::RelocationType(one.kind) == elf::R_386_RELATIVE,
            };
            let count = if i == 0 { loaded.relative } else { 0 };
            let head = usize::try_from(count).ok().and_then(|count| all.get(..count));
            // No loader reads a library that is linked from an object.
            if self.named.is_none() && !head.is_some_and(|head| head.iter().all(is_relative)) {
                let what = "the number of relative relocations is wrong";
                return Err(Fault::whole(what.into()));
            }
            // Startup code of a static program with musl ignores DT_JMPREL.
            let is_of_calls = loaded.calls == Some(i);
            if is_of_calls && all.iter().any(is_relative) {
                return Err(Fault::whole(
                    "relative relocations are among those of functions".into(),
                ));
            }
            let functions_len = all.len() as u64;
            for one in all {
                let added = one.addend.or_else(|| there(self, one.at));
                let kind = elf::RelocationType(one.kind);
                // A nonzero addend points past the function's start.
                let is_memset = || {
                    one.addend.unwrap_or(0) == 0
                        && !(is_of_calls && loaded.is_lazy)
                        && loaded.is_others(one.symbol, "memset")
                };
                let here = match (pointer.0, kind) {
                    (8, elf::R_X86_64_RELATIVE) | (4, elf::R_386_RELATIVE) => {
                        added.and_then(|place| self.pointer_at(one.at, place))
                    }
                    (8, elf::R_X86_64_GLOB_DAT | elf::R_X86_64_JUMP_SLOT) if is_memset() => {
                        Some(Address::new(Region::Memset, 0))
                    }
                    (4, elf::R_386_GLOB_DAT | elf::R_386_JMP_SLOT) if is_memset() => {
                        Some(Address::new(Region::Memset, 0))
                    }
                    // In a static program the C library's resolver selects `memset`. With other
                    // libraries, another file defines it.
                    (8, elf::R_X86_64_IRELATIVE) | (4, elf::R_386_IRELATIVE)
                        if loaded.is_static() =>
                    {
                        let is_it = |symbol: object::Symbol<'_, '_>| {
                            is_chosen_late(symbol.flags()) && Some(symbol.address() as i64) == added
                        };
                        let mut named = file
                            .symbols()
                            .filter(|symbol| symbol.name() == Ok("memset"))
                            .peekable();
                        // The name may not have another meaning, too.
                        let is_only = named.peek().is_some() && named.all(is_it);
                        is_only.then(|| Address::new(Region::Memset, 0))
                    }
                    // The loader copies a symbol of another library here.
                    (8, elf::R_X86_64_COPY) | (4, elf::R_386_COPY) => {
                        let len = loaded.length_of(one.symbol).ok_or_else(strange)?;
                        if self.has_constants(one.at, len) || !loaded.is_writable(one.at, len) {
                            return Err(strange());
                        }
                        copies.push((one.at, len));
                        continue;
                    }
                    // A relocation of type NONE stores nothing.
                    (_, elf::RelocationType(0)) => continue,
                    _ => None,
                };
                if self.named.is_none() && !is_usual(kind, pointer) {
                    return Err(strange());
                }
                // Without a symbol, glibc adds the load address. A weak symbol without a definition is zero.
                let value = match loaded.value_of(one.symbol) {
                    _ if one.symbol == 0 => Some(0),
                    None if self.is_fixed => Some(0),
                    value => value,
                };
                // Writable memory has an addend, too.
                let initial = || self.initial_number(one.at, pointer.0).map(|k| k as i64);
                let added = pointer.signed(one.addend.or_else(initial).unwrap_or(0));
                if let (None, Some(value)) = (here, value) {
                    let to = pointer.unsigned(value.wrapping_add(added as u64) as i64);
                    // Otherwise the offset that the loader computes may be an address.
                    if self.is_fixed
                        && is_of_thread(kind, pointer)
                        && !loaded.is_offset_in_thread(one.symbol, to)
                    {
                        return Err(strange());
                    }
                    self.symbolic.extend(Some((one.at, to)).filter(|_| to != 0));
                }
                if ENDLESS.iter().any(|name| loaded.is_others(one.symbol, name)) {
                    self.endless.insert(one.at);
                }
                let is_late = is_of_calls && loaded.is_lazy && kind == elf::R_X86_64_JUMP_SLOT;
                if let Some(first) = self.initial_number(one.at, pointer.0).filter(|_| is_late)
                    && !self.resolves(first, loaded.slots(), functions_len).unwrap_or(false)
                {
                    self.late.insert(one.at, first);
                }
                self.store(loaded, one.at, here)?;
                if loaded.replaces_stubs() && kind == elf::R_X86_64_JUMP_SLOT {
                    let stub = one.addend.unwrap_or(0) as u64 & !(STUB - 1);
                    [stub, stub + STUB / 2].into_iter().try_for_each(|at| self.put(at, None))?;
                }
                // TLS descriptors have two words.
                if matches!(
                    (pointer.0, kind),
                    (8, elf::R_X86_64_TLSDESC) | (4, elf::R_386_TLS_DESC)
                ) {
                    self.put(one.at.wrapping_add(pointer.0 as u64), None)?;
                }
            }
        }
        for at in loaded.bound() {
            self.put(at, None)?;
        }
        let words = self.relocated.keys().map(|&at| (at, pointer.0 as u64));
        if let Some((at, _)) = words.chain(copies).find(|&(at, len)| loaded.reads(at, len)) {
            let what = format!("a relocation changes data that the loader reads, at {at:#x}");
            return Err(Fault::whole(what));
        }
        loaded.dynamic_words().try_for_each(|at| self.put(at, None))
    }

    /// Records a word that a relocation stores.
    fn store(
        &mut self,
        loaded: &LoadedFile<'_>,
        at: u64,
        what: Option<Address>,
    ) -> Result<(), Fault> {
        if !loaded.is_writable(at, self.pointer.0 as u64) {
            let what = format!("a relocation changes {at:#x}, which is not writable");
            return Err(Fault::whole(what));
        }
        self.put(at, what)
    }

    /// Records a word that the loader stores. It may add to the previous contents, so a second
    /// relocation of a word is a fault.
    fn put(&mut self, at: u64, what: Option<Address>) -> Result<(), Fault> {
        let len = self.pointer.0 as u64;
        let around = at.saturating_sub(len - 1)..at.saturating_add(len);
        if self.relocated.range(around).next().is_some() {
            return Err(Fault::whole(format!("two relocations overlap at {at:#x}")));
        }
        self.relocated.insert(at, what);
        Ok(())
    }

    /// Whether any of the `len` bytes at `from` are constant.
    fn has_constants(&self, from: u64, len: u64) -> bool {
        let touches = |section: &ConstantSection| {
            let end = section.from.saturating_add(section.bytes.len() as u64);
            section.from < from.saturating_add(len) && from < end
        };
        self.constants.iter().any(touches)
    }

    /// Whether the file is loaded at fixed addresses.
    pub(super) fn is_fixed(&self) -> bool {
        self.is_fixed
    }

    /// The address range of the program, from the first segment to the last, or of a section. Only
    /// sections of an object have a known range.
    pub(super) fn extent(&self, region: Region) -> Range<u64> {
        match region {
            Region::Section(i) => {
                self.constants.get(usize::from(i)).map_or(0..0, ConstantSection::range)
            }
            _ if self.named.is_some() => 0..0,
            _ => self.extent.clone(),
        }
    }

    /// An address in the program; `None` if no section of an object contains it.
    pub(super) fn place(&self, at: u64) -> Option<Address> {
        let region = match self.named {
            None => Region::Image,
            Some(_) => {
                let i =
                    self.constants.iter().position(|section| self.is_in(&section.range(), at))?;
                Region::Section(u16::try_from(i).ok()?)
            }
        };
        Some(Address::new(region, at as i64))
    }

    /// Whether an address is in a section, or at its end and not in the next one.
    fn is_in(&self, section: &Range<u64>, at: u64) -> bool {
        let is_next = || self.constants.iter().any(|other| other.range().contains(&at));
        section.contains(&at) || section.end == at && section.start < at && !is_next()
    }

    /// The address that a relative relocation at `at` with the addend `to` stores.
    fn pointer_at(&self, at: u64, to: i64) -> Option<Address> {
        let Some(named) = &self.named else { return Some(Address::new(Region::Image, to)) };
        match &named.get(&at)?.referent {
            Referent::Section(section) if self.is_in(section, to as u64) => self.place(to as u64),
            _ => None,
        }
    }

    /// Whether a relocation of an object, except that of the field `own`, may change any of the bytes from `from` to `to`.
    fn is_named(&self, from: u64, to: u64, own: Option<u64>) -> bool {
        let Some(named) = &self.named else { return false };
        let near = from.saturating_sub(MOST_CHANGED)..to.saturating_add(MOST_CHANGED);
        let mut others = named.range(near).filter(|(at, _)| Some(**at) != own);
        others.any(|(at, one)| at.saturating_sub(one.before) < to && from < at + one.len)
    }

    /// Whether an instruction of an object depends on where the final link, or the kernel, places
    /// sections: it has a relocation of anything but a memory operand's address or a branch target,
    /// refers to a section other than its relocation's (or, without a relocation, other than its
    /// own), or continues past the end of its section.
    pub(super) fn leads_astray(&self, one: &Instruction) -> bool {
        let Some(named) = &self.named else { return false };
        let (Some(section), Some(code)) = (
            self.constants.iter().map(ConstantSection::range).find(|r| r.contains(&one.address)),
            self.code(one),
        ) else {
            return true;
        };
        let field = relative_field(code, one.address, 8 * self.pointer.0 as u32);
        let relocation = field.and_then(|field| named.get(&field));
        let is_other = self.is_named(one.address, one.next, field)
            || relocation.is_some_and(|own| own.len != 4)
            || field.zip(relocation).is_some_and(|(at, own)| at - one.address < own.before);
        // Linkers may replace other instructions with such an operand.
        let reads_slot =
            !one.is_vex && matches!(one.mnemonic, Mnemonic::Mov | Mnemonic::Call | Mnemonic::Jmp);
        let goes_on = !matches!(one.mnemonic, Mnemonic::Jmp | Mnemonic::Ret);
        if is_other || goes_on && !section.contains(&one.next) {
            return true;
        }
        let own = Referent::Section(section);
        let referent = relocation.map_or(&own, |relocation| &relocation.referent);
        !one.operands.iter().all(|operand| match (operand, referent) {
            (Operand::Memory(place), _) if !place.image => true,
            (Operand::Memory(place), Referent::Slot) => {
                reads_slot && self.relocated.contains_key(&(place.offset as u64))
            }
            (Operand::Memory(place), Referent::Section(section)) => {
                self.is_in(section, place.offset as u64)
            }
            (Operand::Memory(_), Referent::Undefined { .. })
            | (Operand::Target(_), Referent::Slot) => false,
            (Operand::Target(at), Referent::Section(section)) => section.contains(at),
            // A PLT stub.
            (Operand::Target(at), Referent::Undefined { begins }) => {
                *begins && self.through(*at).is_some()
            }
            _ => true,
        })
    }

    /// Whether an address is within its region. The contents beyond it are at an unknown distance.
    pub(super) fn is_within(&self, at: Address) -> bool {
        match at.region {
            Region::Section(_) => self.extent(at.region).contains(&(at.offset as u64)),
            region => region.is_image(),
        }
    }

    /// The alignment of the program, or of a section, in bytes.
    pub(super) fn alignment(&self, region: Region) -> i64 {
        match region {
            Region::Section(i) => {
                self.constants.get(usize::from(i)).map_or(1, |section| section.align as i64)
            }
            _ if self.named.is_some() => 1,
            _ => 4096,
        }
    }

    /// A constant byte, if it is in `region`.
    pub(super) fn byte_of<W>(&self, region: Region, address: u64) -> Option<Byte<W>> {
        let is_there = match region {
            Region::Section(_) => self.extent(region).contains(&address),
            _ => true,
        };
        if is_there { self.byte(address) } else { None }
    }

    /// The address of the slot that the code at `at` jumps through, if it is a PLT stub.
    pub(super) fn through(&self, at: u64) -> Option<i64> {
        if !self.is_code(at) {
            return None;
        }
        // endbr64 may come first.
        let marked = self.constant(at, 4) == Some(&ENDBR64);
        let first = at;
        let at = if marked { at + 4 } else { at };
        if self.is_relocated(first, at + 6) {
            return None;
        }
        // jmp [...]: in 64-bit code, relative to the next instruction. In 32-bit code it is a number, whatever the
        // load address is.
        let place = self.constant(at, 6)?.strip_prefix(&[0xff, 0x25])?;
        let place = u32::from_le_bytes(place.try_into().ok()?);
        match self.pointer.0 {
            8 => Some((at as i64 + 6).wrapping_add(i64::from(place as i32))),
            _ => self.is_fixed.then_some(place.into()),
        }
    }

    /// Whether the code at `at` is the end of a PLT stub, at which the loader resolves one of `count` functions: it
    /// pushes the number of that function, and jumps to the first stub. That one pushes the first reserved word of the
    /// global offset table at `table`, and jumps through the second.
    fn resolves(&self, at: u64, table: Option<u64>, count: u64) -> Option<bool> {
        const BOUND: [u8; 1] = [0xf2];
        let (table, len) = (table?, self.pointer.0 as u64);
        let word = |at: u64| Some(u32::from_le_bytes(self.constant(at, 4)?.try_into().ok()?));
        let relative = |at: u64| Some(at.wrapping_add(4).wrapping_add(word(at)? as i32 as u64));
        let has = |at: u64, bytes: &[u8]| {
            self.is_code(at) && self.constant(at, bytes.len()) == Some(bytes)
        };
        let behind =
            |at: u64, bytes: &[u8]| if has(at, bytes) { at + bytes.len() as u64 } else { at };
        let push = [ENDBR64, ENDBR32].iter().fold(at, |at, mark| behind(at, mark));
        let jump = behind(push + 5, &BOUND);
        // The number of a function, or the offset of its relocation.
        let unit = if len == 8 { 1 } else { 2 * len };
        let number = u64::from(word(push + 1)?);
        let is_one = number.is_multiple_of(unit) && number / unit < count;
        let first = relative(jump + 1)?;
        let next = behind(first + 6, &BOUND);
        let is_slot = |at: u64, [own, by_base]: [u8; 2], i: u64| match len {
            8 => has(at, &[0xff, own]) && relative(at + 2) == Some(table + i * len),
            // Relative to the table, which is in ebx.
            _ => has(at, &[0xff, by_base]) && word(at + 2).map(u64::from) == Some(i * len),
        };
        let pushes = has(push, &[0x68]) && is_slot(first, [0x35, 0xb3], 1);
        Some(is_one && pushes && has(jump, &[0xe9]) && is_slot(next, [0x25, 0xa3], 2))
    }

    /// The little-endian number of `len` bytes in a segment, before relocation.
    fn initial_number(&self, at: u64, len: usize) -> Option<u64> {
        let bytes = self.initial.iter().find_map(|(start, bytes)| {
            let place = usize::try_from(u64::checked_sub(at, *start)?).ok()?;
            bytes.get(place..place.checked_add(len)?)
        })?;
        Some(bytes.iter().rev().fold(0, |k, &byte| k << 8 | u64::from(byte)))
    }

    /// The addresses that the loader stores in the `len` bytes at `from`, with their places. In a program at a fixed
    /// address, also numbers: the first and the aligned ones, with the size of a pointer and with four bytes.
    pub(super) fn pointers(&self, from: u64, len: u64) -> impl Iterator<Item = (u64, u64)> {
        let end = from.saturating_add(len);
        let all = self.relocated.range(from..end).filter_map(|(&at, to)| Some((at, (*to)?)));
        let all = all.filter(|(_, to)| to.region.is_image()).map(|(at, to)| (at, to.offset as u64));
        let named = self.symbolic.range(from..end).chain(self.late.range(from..end));
        let named = named.map(|(&at, &to)| (at, to));
        let sizes = BTreeSet::from([4, self.pointer.0]).into_iter().filter(|_| self.is_fixed);
        let numbers = sizes.flat_map(move |size| {
            let next = from.checked_next_multiple_of(size as u64).unwrap_or(end);
            let places = (from..next.min(end)).take(1).chain((next..end).step_by(size));
            places.filter_map(move |at| Some((at, self.initial_number(at, size)?)))
        });
        all.chain(named).chain(numbers)
    }

    /// The possible addresses of the global offset table, to which offsets in position-independent code are relative.
    pub(super) fn tables_of_addresses(&self) -> &[u64] {
        &self.tables_of_addresses
    }

    /// An unambiguous encoding of all segments, of all constants, code included, and of the addresses that the
    /// loader stores. Code outside the proven functions matters: calls go through the linker's
    /// stubs.
    pub(super) fn constant_bytes(&self) -> Vec<u8> {
        let mut all = self.contents.to_vec();
        for section in &self.constants {
            all.extend(section.from.to_le_bytes());
            all.extend((section.bytes.len() as u64).to_le_bytes());
            all.extend(&section.bytes);
        }
        // In a static program only a symbol, which `strip` removes, names `memset`. The segments have its relocation.
        let is_memset = |to: &Address| to.region == Region::Memset;
        for (at, to) in &self.relocated {
            let to = to.filter(|to| !is_memset(to));
            all.extend(format!("{at:x} {to:?}\n").as_bytes());
        }
        all
    }

    /// The addresses of the functions in the engine's tables that check the CPU.
    pub(super) fn checks(&self) -> &[u64] {
        &self.checks
    }

    /// The names and addresses of the functions that other files can call.
    pub(super) fn exports(&self) -> &[(String, u64)] {
        &self.exports
    }

    /// The addresses of data that other files can read, such as tables of functions.
    pub(super) fn exported_data(&self) -> &[u64] {
        &self.exported_data
    }

    /// The addresses of code that runs without a call of the file's functions, and the pointers in the initial contents of
    /// thread-local variables.
    pub(super) fn implicit(&self) -> impl Iterator<Item = u64> {
        let pointers = self.implicit.iter().flat_map(|range| {
            let len = range.end.min(self.extent.end).saturating_sub(range.start);
            self.pointers(range.start, len).map(|(_, to)| to)
        });
        self.begins.iter().copied().chain(pointers)
    }

    /// Whether a place is in the arrays of pointers to code that loaders call, or in the initial contents of thread-local
    /// variables.
    pub(super) fn is_implicit(&self, place: u64) -> bool {
        self.implicit.iter().any(|range| range.contains(&place))
    }

    /// The names of sections of data that CPUs can execute.
    pub(super) fn executable_data(&self) -> &[String] {
        &self.executable_data
    }

    /// The names and addresses of all functions.
    pub(super) fn names(&self) -> impl Iterator<Item = (&str, u64)> {
        self.names.iter().flat_map(|(name, all)| all.iter().map(move |&at| (&**name, at)))
    }

    /// The address range of all data whose symbols contain an address or end there, or an empty range at the address.
    pub(super) fn data_around(&self, address: u64) -> Range<u64> {
        // A symbol may claim any length.
        let end = self.extent.end;
        let before = self.data.range(..=address);
        let all = before.map(|(&from, &len)| from..from.saturating_add(len).min(end));
        let all = all.filter(|range| range.end >= address);
        all.fold(address..address, |whole, one| whole.start.min(one.start)..whole.end.max(one.end))
    }

    /// The function that contains an address.
    pub(super) fn function_around(&self, address: u64) -> Option<&Function> {
        let (_, function) = self.functions.range(..=address).next_back()?;
        (address - function.address < function.code.len() as u64).then_some(function)
    }

    /// The code from an address to the next function, or to the end of the section.
    pub(super) fn unnamed(&self, from: u64) -> Option<&[u8]> {
        let next = self.functions.range(from..).next().map_or(u64::MAX, |(&at, _)| at);
        let mut code = self.constants.iter().filter(|section| section.is_code);
        let section = code.find(|section| section.range().contains(&from))?;
        let rest = &section.bytes[(from - section.from) as usize..];
        Some(&rest[..rest.len().min(usize::try_from(next - from).unwrap_or(usize::MAX))])
    }

    /// The end of a function, if code other than padding follows it before the next function.
    pub(super) fn goes_on(&self, function: &Function) -> Option<u64> {
        const PADDING: [u8; 2] = [0xcc, 0];
        let end = function.address + function.code.len() as u64;
        let rest = self.unnamed(end)?;
        let is_padding = |one: &Result<Instruction, _>| {
            one.as_ref().is_ok_and(|one| matches!(one.mnemonic, Mnemonic::Nop | Mnemonic::Int3))
        };
        let is_code = rest.iter().any(|byte| !PADDING.contains(byte))
            && !decode(rest, end, 8 * self.pointer.0 as u32).iter().all(is_padding);
        is_code.then_some(end)
    }

    /// The functions whose source path is `name`.
    pub fn named<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a Function> + use<'a> {
        let places = self.names.get(name).map_or(&[][..], Vec::as_slice);
        places.iter().filter_map(|place| self.functions.get(place))
    }

    /// The next function, if execution that continues at `end` reaches it through padding.
    pub(super) fn falls_into(&self, end: u64) -> Option<u64> {
        let rest = self.unnamed(end).unwrap_or_default();
        let (&next, _) = self.functions.range(end..).next()?;
        let is_trap = |one: &Result<Instruction, _>| {
            one.as_ref().is_ok_and(|one| one.mnemonic == Mnemonic::Int3)
        };
        let is_stopped = || decode(rest, end, 8 * self.pointer.0 as u32).iter().any(is_trap);
        (next == end + rest.len() as u64 && !is_stopped()).then_some(next)
    }

    /// Whether a function is the C library's, in a static program, and never returns.
    pub(super) fn is_own_end(&self, function: &Function) -> bool {
        self.is_static && ENDLESS.contains(&&*function.name)
    }

    /// Whether a slot has the address of another file's function that never returns.
    pub(super) fn is_endless(&self, slot: u64) -> bool {
        self.endless.contains(&slot)
    }

    /// Returns a copy with `bytes` at `at`.
    pub fn patched(&self, at: u64, bytes: &[u8]) -> Self {
        let mut image = self.clone();
        for function in image.functions.values_mut() {
            patch(function.address, &mut function.code, at, bytes);
        }
        for section in &mut image.constants {
            patch(section.from, &mut section.bytes, at, bytes);
        }
        image
    }

    /// Every function of a kernel in a library or program with the engine.
    pub fn shipped(&self) -> impl Iterator<Item = Shipped> + use<> {
        Shipped::of_bits(8 * self.pointer().0)
    }

    /// Returns why a program lacks this function of a kernel, if it may: it does not detect collisions, or hashes families
    /// outside FIPS 180-4 one message at a time. The engine's tables refer to all other functions, so no linker removes
    /// them.
    pub fn omits(&self, kernel: Shipped) -> Option<&'static str> {
        if self.is_object() || self.names.contains_key(&kernel.path()) {
            return None;
        }
        let detects = |name: &String| name.contains("lanesum::sha1dc::");
        match kernel.task {
            Task::Read if !self.names.keys().any(detects) => Some("nothing detects collisions"),
            _ if kernel.lanes > 1
                && !kernel.family.is_fips()
                && self.entries(kernel).is_empty() =>
            {
                Some("the feature `compat` is off")
            }
            _ => None,
        }
    }

    /// The pointer size.
    pub(super) fn pointer(&self) -> Pointer {
        self.pointer
    }

    /// The functions in the engine's tables; empty for an assembly file.
    pub fn dispatched(&self) -> &[Dispatched] {
        &self.dispatched
    }

    /// The addresses of the functions that the engine's tables refer to for a kernel and task. No table refers to the
    /// function that evaluates all conditions of collision attacks.
    pub(super) fn entries(&self, kernel: Shipped) -> Vec<u64> {
        if kernel.task == Task::Read {
            return self.named(&kernel.path()).map(|function| function.address).collect();
        }
        let own = self.dispatched.iter().filter(|one| one.kernel == kernel);
        own.map(|one| one.address).collect()
    }

    /// The image as Linux loads it, which replaces returns and marks of branch targets.
    pub(super) fn of_linux(self) -> Self {
        Self { is_code_unknown: true, ..self }
    }

    /// The image of a function that another assembler translates, in another file, at any address.
    pub(super) fn of_text(mut self) -> Self {
        let code = self.constants.iter_mut().filter(|section| section.is_code);
        code.for_each(|section| section.align = 1);
        Self { is_code_unknown: true, ..self }
    }

    /// Whether the file was linked from a single object, whose tables may be in others.
    pub fn is_object(&self) -> bool {
        self.named.is_some()
    }

    /// Whether exactly one symbol names the engine's table of kernels. Otherwise the table may have
    /// entries that the prover does not see.
    pub fn lists_kernels(&self) -> bool {
        self.object(dispatch::LIST).is_some()
    }

    /// The addresses at which the loader stores pointers. In a program at a fixed address, those of
    /// all pointer-sized words.
    pub(super) fn places(&self) -> Vec<u64> {
        if !self.is_fixed {
            return self.relocated.keys().copied().collect();
        }
        let len = self.pointer.0 as u64;
        let of = |section: &ConstantSection| {
            let end = section.from + section.bytes.len() as u64;
            (section.from.next_multiple_of(len)..end).step_by(self.pointer.0)
        };
        self.constants.iter().filter(|section| !section.is_code).flat_map(of).collect()
    }

    /// The address and size of a data symbol, unless the name is ambiguous.
    pub(super) fn object(&self, name: &str) -> Option<(u64, u64)> {
        self.objects.get(name).copied().flatten()
    }

    /// The function at an address.
    pub fn function(&self, address: u64) -> Option<&Function> {
        self.functions.get(&address)
    }

    /// The encoding of an instruction.
    pub fn code(&self, instruction: &Instruction) -> Option<&[u8]> {
        self.constant(instruction.address, (instruction.next - instruction.address) as usize)
    }

    /// Whether the loader writes any byte from `from` to `to`.
    pub(super) fn is_relocated(&self, from: u64, to: u64) -> bool {
        let len = self.pointer.0 as u64;
        let before = from.saturating_sub(len - 1);
        self.relocated.range(before..to).next().is_some()
    }

    /// Whether an address is in a code section.
    pub(super) fn is_code(&self, address: u64) -> bool {
        self.constants.iter().any(|section| {
            let place = address.checked_sub(section.from);
            section.is_code && place.is_some_and(|place| place < section.bytes.len() as u64)
        })
    }

    /// Whether an address is in a code section, or in an executable page and in no section.
    pub(super) fn is_executable(&self, address: u64) -> bool {
        self.is_code(address) || self.outside_of_sections.iter().any(|one| one.contains(&address))
    }

    pub(super) fn constant(&self, address: u64, len: usize) -> Option<&[u8]> {
        self.constants.iter().find_map(|section| {
            let from = usize::try_from(address.checked_sub(section.from)?).ok()?;
            section.bytes.get(from..from.checked_add(len)?)
        })
    }

    /// The constant byte at an address.
    pub fn byte<W>(&self, address: u64) -> Option<Byte<W>> {
        let slot = self.relocated.range(..=address).next_back();
        if let Some((&at, place)) = slot
            && address < at + self.pointer.0 as u64
        {
            let place = (*place)?;
            // A writable pointer may change after loading.
            return self.constant(address, 1).map(|_| Byte::Address(place, (address - at) as u8));
        }
        // The value depends on the addresses of sections.
        if self.is_named(address, address.saturating_add(1), None)
            || self.is_code_unknown && self.is_code(address)
        {
            return None;
        }
        self.constant(address, 1).map(|byte| Byte::Number(byte[0]))
    }
}
