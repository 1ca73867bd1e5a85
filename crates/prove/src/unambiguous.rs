//! Checks that every link of an object contains the code that the system's linker makes of it.

use std::collections::BTreeSet;

use object::read::elf::{ElfFile, FileHeader, SectionHeader};
use object::{Object, ObjectSection, ObjectSymbol, SectionIndex, SymbolKind, elf};

use super::fault::{Fault, unreadable};
use super::loaded::has_flag;

/// Whether a section has this name, or this name followed by a dot and another. Linkers place sections of other names
/// that begin with a dot among constructors or startup code, or omit them.
pub(super) fn is_of(section: &str, name: &str) -> bool {
    section.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The length of the entries of a mergeable section; zero if it varies, as in a section of strings.
pub(super) fn entry_len(file: &object::File<'_>, section: &object::Section<'_, '_>) -> Option<u64> {
    fn of<E: FileHeader>(elf: &ElfFile<'_, E>, index: SectionIndex) -> Option<u64> {
        let section = elf.section_by_index(index).ok()?;
        Some(section.elf_section_header().sh_entsize(elf.endian()).into())
    }
    if !has_flag(section, elf::SHF_MERGE) {
        return None;
    }
    let len = match file {
        object::File::Elf32(elf) => of(elf, section.index()),
        object::File::Elf64(elf) => of(elf, section.index()),
        _ => None,
    };
    Some(len.filter(|_| !has_flag(section, elf::SHF_STRINGS)).unwrap_or(0))
}

/// Checks that all linkers read the same symbols and relocations. GNU's linker treats a relocation section of another
/// symbol table as data and ignores a second one for a section; other linkers apply both. Addends of the unusual kind
/// of relocations differ, too.
fn check_tables<E: FileHeader>(elf: &ElfFile<'_, E>) -> Result<(), String> {
    let (endian, sections) = (elf.endian(), elf.elf_section_table());
    let mut tables = sections.enumerate().filter(|(_, s)| s.sh_type(endian) == elf::SHT_SYMTAB);
    let (Some((index, table)), None) = (tables.next(), tables.next()) else {
        return Err("not exactly one symbol table".into());
    };
    let usual = if elf.is_64() { elf::SHT_RELA } else { elf::SHT_REL };
    let mut relocated = BTreeSet::new();
    for section in sections.iter() {
        // Some linkers read the list of a group's sections, and ignore the flags of these sections.
        let group = section.group(endian, elf.data()).map_err(|error| error.to_string())?;
        let mut members = group.iter().flat_map(|(_, all)| *all).map(|index| index.get(endian));
        let is_loaded = |index: u32| {
            let member = sections.section(SectionIndex(index as usize));
            member.is_ok_and(|one| one.sh_flags(endian).0 & elf::SHF_ALLOC.0 != 0)
        };
        if members.any(is_loaded) {
            return Err("another object may replace a section of a group".into());
        }
        let kind = section.sh_type(endian);
        if ![elf::SHT_REL, elf::SHT_RELA].contains(&kind) {
            continue;
        }
        // Linux applies the relocations of a live patch later.
        let flags = section.sh_flags(endian).0 & !(elf::SHF_INFO_LINK.0 | elf::SHF_GROUP.0);
        let is_usual = kind == usual && section.sh_link(endian) as usize == index.0 && flags == 0;
        if !is_usual || !relocated.insert(section.sh_info(endian)) {
            return Err("not every linker applies its relocations".into());
        }
    }
    // Linkers treat symbols before this one as local, whatever their binding is.
    let first = table.sh_info(endian) as usize;
    if elf.symbols().any(|symbol| symbol.is_local() != (symbol.index().0 < first)) {
        return Err("local symbols are not before the others".into());
    }
    Ok(())
}

/// Checks that all linkers link an object in the same way, and that no link replaces its code or constants: by code that
/// the linker's plugin generates from intermediate code, or by another object's section group of the same name. Checks
/// that global functions have symbols with a type and a size.
pub(super) fn check_object(data: &[u8]) -> Result<(), Fault> {
    let refused = |what: String| Err(Fault::whole(what));
    let file = object::File::parse(data).map_err(unreadable)?;
    let tables = match &file {
        object::File::Elf32(elf) => check_tables(elf),
        object::File::Elf64(elf) => check_tables(elf),
        _ => Err("not an ELF file".into()),
    };
    tables.or_else(refused)?;
    for section in file.sections() {
        let name = section.name().map_err(unreadable)?;
        let is_intermediate = [".gnu.lto_", ".gnu.debuglto_", ".llvm.lto", ".llvmbc"];
        if has_flag(&section, elf::SHF_EXCLUDE)
            || is_intermediate.iter().any(|one| name.starts_with(one))
        {
            return refused(format!("section {name} may have code that replaces this object's"));
        }
        if name == ".note.GNU-split-stack" {
            return refused("some linkers change the beginnings of its functions".into());
        }
        if !has_flag(&section, elf::SHF_ALLOC) {
            continue;
        }
        if name.starts_with(".gnu.linkonce") {
            return refused(format!("another object may replace section {name}"));
        }
        if has_flag(&section, elf::SHF_COMPRESSED) {
            return refused(format!("not every linker decompresses section {name}"));
        }
        let is_code = has_flag(&section, elf::SHF_EXECINSTR);
        if is_code && name.starts_with('.') && !name.starts_with(".text") {
            return refused(format!("linkers may place code of section {name} elsewhere"));
        }
    }
    for symbol in file.symbols().filter(|symbol| !symbol.is_undefined()) {
        let section = symbol.section_index().and_then(|index| file.section_by_index(index).ok());
        let has = |flag| section.as_ref().is_some_and(|section| has_flag(section, flag));
        let is_function = symbol.kind() == SymbolKind::Text && symbol.size() != 0;
        // Other objects may call any global symbol.
        let what = if symbol.is_global() && has(elf::SHF_EXECINSTR) && !is_function {
            "is in code, but has no type or size of a function"
        } else if symbol.kind() == SymbolKind::Tls && !has(elf::SHF_TLS) {
            // Some linkers compute an offset, others an address.
            "is thread-local, but its section is not"
        } else {
            continue;
        };
        return refused(format!("symbol {} {what}", symbol.name().map_err(unreadable)?));
    }
    Ok(())
}
