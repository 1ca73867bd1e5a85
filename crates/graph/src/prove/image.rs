//! A linked program or library for x86: its functions by name, and what is in its memory once it
//! is loaded.

use std::collections::BTreeMap;

use object::{
    Architecture, Object, ObjectSection, ObjectSegment, ObjectSymbol, ObjectSymbolTable,
    RelocationFlags, RelocationTarget, SectionKind, SegmentFlags, SymbolKind, elf,
};

use super::address::{Address, Region};
use super::fault::Fault;
use super::instruction::Instruction;
use super::value::{Byte, Pointer};

/// A function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its path in the source, as it is shown: several may have the same.
    pub name: String,
    /// Where it is.
    pub address: u64,
    /// Its machine code.
    pub code: Vec<u8>,
}

/// So many bytes of one thing in place of its own, where they are in it.
fn patch(from: u64, own: &mut [u8], at: u64, bytes: &[u8]) {
    for (at, &byte) in (at..).zip(bytes) {
        let place = at.checked_sub(from).and_then(|place| own.get_mut(place as usize));
        if let Some(place) = place {
            *place = byte;
        }
    }
}

/// Whether a relocation is to the C library's function that fills memory.
fn is_memset(file: &object::File<'_>, target: RelocationTarget) -> bool {
    let RelocationTarget::Symbol(index) = target else { return false };
    let table = file.dynamic_symbol_table();
    let symbol = table.and_then(|table| table.symbol_by_index(index).ok());
    symbol.is_some_and(|symbol| symbol.is_undefined() && symbol.name() == Ok("memset"))
}

/// Where the loader adds where the program is, as `.relr.dyn` has it packed: places, and after each
/// bits for those that follow it.
fn packed(file: &object::File<'_>, pointer: Pointer) -> Option<Vec<u64>> {
    let len = pointer.0;
    let mut all = Vec::new();
    for section in file.sections().filter(|section| section.name() == Ok(".relr.dyn")) {
        let mut next = 0u64;
        for bytes in section.data().ok()?.chunks_exact(len) {
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
    }
    Some(all)
}

/// Whether a section is in memory what it is in the file, and stays so: the loader reads segments,
/// which may say otherwise.
fn is_loaded(file: &object::File<'_>, section: &object::Section<'_, '_>, is_code: bool) -> bool {
    let Some((from, len)) = section.file_range() else { return section.size() == 0 };
    let (address, end) = (section.address(), section.address().saturating_add(len));
    len == 0
        || file.segments().any(|segment| {
            let (offset, in_file) = segment.file_range();
            let flags = match segment.flags() {
                SegmentFlags::Elf { p_flags, .. } => p_flags.0,
                _ => 0,
            };
            let is_kept = flags & elf::PF_W.0 == 0 && (!is_code || flags & elf::PF_X.0 != 0);
            let first = segment.address();
            is_kept
                && first <= address
                && end <= first.saturating_add(in_file)
                && address - first == from.wrapping_sub(offset)
        })
}

/// A section whose bytes stay what they are.
#[derive(Clone)]
struct Constant {
    from: u64,
    bytes: Vec<u8>,
}

/// A program or a library.
#[derive(Clone)]
pub struct Image {
    pointer: Pointer,
    functions: BTreeMap<u64, Function>,
    /// By name: one function may have several, and one name several functions.
    names: BTreeMap<String, Vec<u64>>,
    objects: BTreeMap<String, u64>,
    constants: Vec<Constant>,
    /// Where the loader puts addresses: in the program, or those of other libraries.
    relocated: BTreeMap<u64, Option<Address>>,
}

impl Image {
    /// Whether a file is anything but an object that is to be linked yet.
    pub(super) fn is_linked(file: &[u8]) -> bool {
        let kind = object::File::parse(file).map(|file| file.kind());
        kind.ok() != Some(object::ObjectKind::Relocatable)
    }

    /// Of how many bits the addresses in a file are.
    pub(super) fn bits(file: &[u8]) -> Option<u32> {
        let file = object::File::parse(file).ok()?;
        Some(if file.is_64() { 64 } else { 32 })
    }

    /// What is in a library or a program.
    ///
    /// # Errors
    ///
    /// If it is no ELF file for x86, or has lost its symbols.
    pub fn new(file: &[u8]) -> Result<Self, Fault> {
        let file = object::File::parse(file)
            .map_err(|error| Fault::whole(format!("it is no ELF file: {error}")))?;
        let pointer = match (file.format(), file.architecture()) {
            (object::BinaryFormat::Elf, Architecture::X86_64) => Pointer(8),
            (object::BinaryFormat::Elf, Architecture::I386) => Pointer(4),
            (_, other) => return Err(Fault::whole(format!("it is for {other:?}, not x86"))),
        };
        let wrong = |error| Fault::whole(format!("it cannot be read: {error}"));
        let mut constants = Vec::new();
        for section in file.sections() {
            let name = section.name().map_err(wrong)?;
            let constant = matches!(
                section.kind(),
                SectionKind::Text | SectionKind::ReadOnlyData | SectionKind::ReadOnlyString
            );
            let is_code = section.kind() == SectionKind::Text;
            if constant && !is_loaded(&file, &section, is_code) {
                return Err(Fault::whole(format!("{name} is not loaded as it stands there")));
            }
            // The loader makes these read-only before any function runs.
            if constant || matches!(name, ".data.rel.ro" | ".got") {
                let bytes = section.data().map_err(wrong)?.to_vec();
                constants.push(Constant { from: section.address(), bytes });
            }
        }
        let mut image = Self {
            pointer,
            functions: BTreeMap::new(),
            names: BTreeMap::new(),
            objects: BTreeMap::new(),
            constants,
            relocated: BTreeMap::new(),
        };
        // Of these the addresses are packed, and what is added is there already.
        let what = "it packs relocations in a way that is not understood";
        for at in packed(&file, pointer).ok_or_else(|| Fault::whole(what.into()))? {
            let bytes = image.constant(at, pointer.0).map(<[u8]>::to_vec);
            let place = bytes.map(|mut bytes| {
                bytes.resize(8, 0);
                i64::from_le_bytes(bytes.try_into().unwrap_or_default())
            });
            image.relocated.insert(at, place.map(|place| Address::new(Region::Image, place)));
        }
        for (at, relocation) in file.dynamic_relocations().into_iter().flatten() {
            let here = match relocation.flags() {
                RelocationFlags::Elf { r_type: elf::R_X86_64_RELATIVE } if pointer.0 == 8 => {
                    Some(Address::new(Region::Image, relocation.addend()))
                }
                RelocationFlags::Elf {
                    r_type: elf::R_X86_64_GLOB_DAT | elf::R_X86_64_JUMP_SLOT,
                } if pointer.0 == 8 && is_memset(&file, relocation.target()) => {
                    Some(Address::new(Region::Memset, 0))
                }
                // What is added is there already.
                RelocationFlags::Elf { r_type: elf::R_386_RELATIVE } if pointer.0 == 4 => {
                    let bytes = image.constant(at, 4).and_then(|bytes| bytes.try_into().ok());
                    let place = |bytes| i64::from(u32::from_le_bytes(bytes));
                    bytes.map(|bytes| Address::new(Region::Image, place(bytes)))
                }
                _ => None,
            };
            image.relocated.insert(at, here);
        }
        for symbol in file.symbols() {
            if symbol.kind() == SymbolKind::Data {
                let name = symbol.name().map_err(wrong)?;
                image.objects.insert(name.to_owned(), symbol.address());
            }
            if symbol.kind() != SymbolKind::Text || symbol.size() == 0 {
                continue;
            }
            let name = symbol.name().map_err(wrong)?;
            // Some compilers say what a generic function is of, some do not.
            let name = format!("{:#}", rustc_demangle::demangle(name));
            let name = match name.rfind("::<") {
                Some(end) if name.ends_with('>') => name[..end].to_owned(),
                _ => name,
            };
            let (address, len) = (symbol.address(), symbol.size());
            if let Some(code) = image.constant(address, len as usize) {
                let code = code.to_vec();
                image.names.entry(name.clone()).or_default().push(address);
                image.functions.insert(address, Function { name, address, code });
            }
        }
        if image.functions.is_empty() {
            return Err(Fault::whole("it names no functions: its symbols were stripped".into()));
        }
        Ok(image)
    }

    /// All functions.
    pub(super) fn functions(&self) -> impl Iterator<Item = &Function> {
        self.functions.values()
    }

    /// The functions whose path in the source is `name`.
    pub fn named<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a Function> + use<'a> {
        let places = self.names.get(name).map_or(&[][..], Vec::as_slice);
        places.iter().filter_map(|place| self.functions.get(place))
    }

    /// The same with other bytes from an address on.
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

    /// How many bytes an address has.
    pub(super) fn pointer(&self) -> Pointer {
        self.pointer
    }

    /// Where the data of a name are.
    pub(super) fn object(&self, name: &str) -> Option<u64> {
        self.objects.get(name).copied()
    }

    /// The function at an address.
    pub fn function(&self, address: u64) -> Option<&Function> {
        self.functions.get(&address)
    }

    /// The machine code of an instruction.
    pub fn code(&self, instruction: &Instruction) -> Option<&[u8]> {
        self.constant(instruction.address, (instruction.next - instruction.address) as usize)
    }

    /// Whether the loader writes any of these bytes.
    pub(super) fn is_relocated(&self, from: u64, to: u64) -> bool {
        let len = self.pointer.0 as u64;
        let before = from.saturating_sub(len - 1);
        self.relocated.range(before..to).next().is_some()
    }

    fn constant(&self, address: u64, len: usize) -> Option<&[u8]> {
        self.constants.iter().find_map(|section| {
            let from = usize::try_from(address.checked_sub(section.from)?).ok()?;
            section.bytes.get(from..from.checked_add(len)?)
        })
    }

    /// A byte of what stays as it is.
    pub fn byte<W>(&self, address: u64) -> Option<Byte<W>> {
        let slot = self.relocated.range(..=address).next_back();
        if let Some((&at, place)) = slot
            && address < at + self.pointer.0 as u64
        {
            return Some(Byte::Address((*place)?, (address - at) as u8));
        }
        self.constant(address, 1).map(|byte| Byte::Number(byte[0]))
    }
}
