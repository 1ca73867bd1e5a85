//! What the loader makes of a file: it reads segments and the tables that the dynamic segment names,
//! and no sections. What sections say is believed only where the loader does the same.

use std::ops::Range;

use object::read::elf::{Dyn, ElfFile, FileHeader, ProgramHeader};
use object::{Object, ObjectKind, ObjectSection, ObjectSymbolTable, elf};

/// The unit of memory that the loader maps and protects.
const PAGE: u64 = 4096;

/// A segment that is loaded.
struct Segment {
    /// Where it is in memory.
    memory: Range<u64>,
    /// How many bytes of it are in the file, and where.
    in_file: u64,
    offset: u64,
    flags: u32,
}

/// A table of relocations.
pub(super) enum Relocations<'f> {
    /// Each with what is added.
    Rela(&'f [u8]),
    /// What is added is there already.
    Rel(&'f [u8]),
    /// The same, packed, of those alone that add where the program is.
    Relr(&'f [u8]),
}

/// What the loader makes of a file.
pub(super) struct LoadedFile<'f> {
    file: &'f [u8],
    loads: Vec<Segment>,
    /// What is made read-only once relocations are done.
    kept: Range<u64>,
    /// Its tables of relocations.
    pub(super) tables: Vec<Relocations<'f>>,
    /// Whether it is loaded where it says and nowhere else.
    pub(super) is_fixed: bool,
}

impl<'f> LoadedFile<'f> {
    /// What becomes of a file; none if its tables are not where they say.
    pub(super) fn new(file: &object::File<'f>, data: &'f [u8]) -> Option<Self> {
        match file {
            object::File::Elf32(elf) => Self::of(file, elf, data),
            object::File::Elf64(elf) => Self::of(file, elf, data),
            _ => None,
        }
    }

    fn of<E: FileHeader>(
        file: &object::File<'f>,
        elf: &ElfFile<'f, E>,
        data: &'f [u8],
    ) -> Option<Self> {
        let endian = elf.endian();
        let is_fixed = file.kind() == ObjectKind::Executable;
        let mut loaded =
            Self { file: data, loads: Vec::new(), kept: 0..0, tables: Vec::new(), is_fixed };
        for header in elf.elf_program_headers() {
            let from: u64 = header.p_vaddr(endian).into();
            let memory = from..from.checked_add(header.p_memsz(endian).into())?;
            match header.p_type(endian) {
                elf::PT_LOAD => loaded.loads.push(Segment {
                    memory,
                    in_file: header.p_filesz(endian).into(),
                    offset: header.p_offset(endian).into(),
                    flags: header.p_flags(endian).0,
                }),
                // Of a page that is not whole the rest stays as it is.
                elf::PT_GNU_RELRO => loaded.kept = from..memory.end / PAGE * PAGE,
                _ => {}
            }
        }
        let mut headers = elf.elf_program_headers().iter();
        match headers.find(|header| header.p_type(endian) == elf::PT_DYNAMIC) {
            Some(header) => {
                let from: u64 = header.p_vaddr(endian).into();
                let all = loaded.bytes(from, header.p_filesz(endian).into())?;
                // That the file has it there is what the reader takes for granted.
                let entries = header.dynamic(endian, data).ok()??;
                if all.as_ptr() != entries.as_ptr().cast() {
                    return None;
                }
                let value = |tag: elf::DynamicTag| {
                    let used = entries.iter().take_while(|e| e.tag(endian) != elf::DT_NULL);
                    used.filter(|e| e.tag(endian) == tag).map(|e| e.val(endian)).last()
                };
                let table = |at: elf::DynamicTag, len: elf::DynamicTag| match value(len) {
                    None | Some(0) => Some(None),
                    Some(len) => loaded.bytes(value(at)?, len).map(Some),
                };
                let rela = table(elf::DT_RELA, elf::DT_RELASZ)?.map(Relocations::Rela);
                let rel = table(elf::DT_REL, elf::DT_RELSZ)?.map(Relocations::Rel);
                // Some loaders read tables of both kinds, and some only those of the usual one.
                let unusual = if file.is_64() { &rel } else { &rela };
                if unusual.is_some() {
                    return None;
                }
                let relr = table(elf::DT_RELR, elf::DT_RELRSZ)?.map(Relocations::Relr);
                let of_calls = if file.is_64() { Relocations::Rela } else { Relocations::Rel };
                let of_calls = table(elf::DT_JMPREL, elf::DT_PLTRELSZ)?.map(of_calls);
                let names = [(elf::DT_SYMTAB, ".dynsym"), (elf::DT_STRTAB, ".dynstr")];
                let are_there = names.iter().all(|&(tag, name)| {
                    let section = file.section_by_name(name);
                    let place = section.map(|section| section.address());
                    value(tag).is_none_or(|at| Some(at) == place)
                });
                if !are_there {
                    return None;
                }
                loaded.tables = [rela, rel, relr, of_calls].into_iter().flatten().collect();
            }
            // The program itself does what is in these, before anything else.
            None => {
                for section in elf.elf_section_table().iter() {
                    use object::read::elf::SectionHeader;
                    let is_loaded = section.sh_addr(endian).into() != 0;
                    let bytes = section.data(endian, data).ok()?;
                    match section.sh_type(endian) {
                        elf::SHT_REL if is_loaded => loaded.tables.push(Relocations::Rel(bytes)),
                        elf::SHT_RELA if is_loaded => loaded.tables.push(Relocations::Rela(bytes)),
                        _ => {}
                    }
                }
            }
        }
        Some(loaded)
    }

    /// The only segment that is in some bytes of memory.
    fn load(&self, from: u64, len: u64) -> Option<&Segment> {
        let end = from.checked_add(len)?;
        let touches = |load: &&Segment| {
            let Range { start, end: last } = load.memory;
            start / PAGE * PAGE < end && from < last.div_ceil(PAGE) * PAGE
        };
        let mut all = self.loads.iter().filter(touches);
        let (Some(one), None) = (all.next(), all.next()) else { return None };
        (one.memory.start <= from && end - one.memory.start <= one.in_file).then_some(one)
    }

    /// Bytes of memory, as they are before relocations.
    fn bytes(&self, from: u64, len: u64) -> Option<&'f [u8]> {
        let load = self.load(from, len)?;
        let at = usize::try_from(from - load.memory.start + load.offset).ok()?;
        self.file.get(at..at.checked_add(usize::try_from(len).ok()?)?)
    }

    /// Whether a section is in memory what it is in the file.
    pub(super) fn is_loaded(&self, section: &object::Section<'_, '_>) -> bool {
        let Some((offset, len)) = section.file_range() else { return section.size() == 0 };
        len == 0
            || self.load(section.address(), len).is_some_and(|load| {
                section.address() - load.memory.start == offset.wrapping_sub(load.offset)
            })
    }

    /// Whether nobody can write to a section that is loaded so, and whether it is executed if it is
    /// code.
    pub(super) fn stays(&self, section: &object::Section<'_, '_>, is_code: bool) -> bool {
        let (from, len) = (section.address(), section.size());
        len == 0
            || self.load(from, len).is_some_and(|load| {
                load.flags & elf::PF_W.0 == 0 && (!is_code || load.flags & elf::PF_X.0 != 0)
            })
    }

    /// The same of what is written to while the program is loaded, but not afterwards.
    pub(super) fn is_kept(&self, section: &object::Section<'_, '_>) -> bool {
        let (from, len) = (section.address(), section.size());
        self.is_loaded(section) && self.kept.start <= from && from + len <= self.kept.end
    }
}

/// A relocation: where, of what type, with which symbol, and what is added if that is said.
pub(super) struct Relocation {
    pub(super) at: u64,
    pub(super) kind: u32,
    pub(super) symbol: usize,
    pub(super) addend: Option<i64>,
}

/// The entries of a table, in a file for addresses of so many bytes; none if it is cut short.
pub(super) fn entries(table: &[u8], pointer: usize, adds: bool) -> Option<Vec<Relocation>> {
    let len = pointer * (2 + usize::from(adds));
    if !table.len().is_multiple_of(len) {
        return None;
    }
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0u64, |k, &byte| k << 8 | u64::from(byte));
    let one = |entry: &[u8]| {
        let part = |i: usize| entry.get(i * pointer..(i + 1) * pointer).map(number);
        let (at, info) = (part(0)?, part(1)?);
        let (symbol, kind) =
            if pointer == 8 { (info >> 32, info as u32) } else { (info >> 8, info as u32 & 0xff) };
        let addend = part(2).map(|k| if pointer == 4 { i64::from(k as i32) } else { k as i64 });
        Some(Relocation { at, kind, symbol: symbol as usize, addend })
    };
    table.chunks_exact(len).map(one).collect()
}

/// Whether a symbol of the dynamic table is one that other libraries have, of this name.
pub(super) fn is_others(file: &object::File<'_>, symbol: usize, name: &str) -> bool {
    use object::ObjectSymbol;
    let table = file.dynamic_symbol_table();
    let symbol = table.and_then(|t| t.symbol_by_index(object::SymbolIndex(symbol)).ok());
    symbol.is_some_and(|symbol| symbol.is_undefined() && symbol.name() == Ok(name))
}

/// How many bytes the symbol of the dynamic table has.
pub(super) fn length_of(file: &object::File<'_>, symbol: usize) -> Option<u64> {
    use object::ObjectSymbol;
    let symbol = file.dynamic_symbol_table()?.symbol_by_index(object::SymbolIndex(symbol)).ok()?;
    Some(symbol.size())
}
