//! The loader's view of a file. Loaders read segments and the tables that the dynamic segment
//! refers to, but no sections. The prover uses section headers only where they match that view.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use object::read::elf::{ElfFile, FileHeader, ProgramHeader, SectionHeader};
use object::{Object, ObjectKind, ObjectSection, ObjectSymbol, SectionFlags, elf};

use super::fault::Fault;
use super::value::Pointer;

/// Whether a section has a flag.
pub(super) fn has_flag<'f>(section: &impl ObjectSection<'f>, flag: elf::SectionFlags) -> bool {
    match section.flags() {
        SectionFlags::Elf { sh_flags, .. } => sh_flags.0 & flag.0 != 0,
        _ => true,
    }
}

/// The page size: the unit of mapping and protection.
const PAGE: u64 = 4096;

/// The address of the PLT, and the size of its stubs (x86-64 psABI).
const DT_X86_64_PLT: u64 = 0x7000_0000;
const DT_X86_64_PLTENT: u64 = 0x7000_0003;

/// The size of stubs that glibc may replace by jumps. They begin at multiples of it.
pub(super) const STUB: u64 = 16;

/// A loadable segment.
struct Segment {
    /// Its address range.
    memory: Range<u64>,
    /// Its size and offset in the file.
    in_file: u64,
    offset: u64,
    flags: u32,
}

/// A relocation table.
pub(super) enum Relocations<'f> {
    /// With explicit addends.
    Rela(&'f [u8]),
    /// With implicit addends.
    Rel(&'f [u8]),
    /// Packed relative relocations.
    Relr(&'f [u8]),
}

/// The dynamic section, by tag.
struct Dynamic(BTreeMap<u64, u64>);

impl Dynamic {
    fn get(&self, tag: elf::DynamicTag) -> Option<u64> {
        self.0.get(&(tag.0 as u64)).copied()
    }
}

/// The loader's view of a file.
pub(super) struct LoadedFile<'f> {
    file: &'f [u8],
    pointer: Pointer,
    loads: Vec<Segment>,
    /// The range that becomes read-only after relocation (RELRO).
    kept: Range<u64>,
    /// The relocation tables.
    pub(super) tables: Vec<Relocations<'f>>,
    /// The number of leading relocations in the first table that some loaders apply as relative
    /// without reading their types.
    pub(super) relative: u64,
    /// The index of the table of functions (DT_JMPREL).
    pub(super) calls: Option<usize>,
    /// Whether loaders bind these functions lazily. Until a function is first called, its slot holds an address for the
    /// resolver.
    pub(super) is_lazy: bool,
    /// Whether the file is loaded at fixed addresses.
    pub(super) is_fixed: bool,
    /// Whether the file names a dynamic linker (PT_INTERP).
    has_linker: bool,
    /// The address of the program's first instruction (e_entry), zero in most libraries.
    entry: u64,
    /// The initial contents of thread-local variables (PT_TLS).
    thread: Range<u64>,
    /// The size of all thread-local variables.
    thread_len: u64,
    /// Whether the stack may be executable. In such a program, some Linux kernels make all readable memory executable.
    executes_stack: bool,
    dynamic: Dynamic,
    /// The address range of the dynamic section.
    dynamic_at: Range<u64>,
    /// Address ranges of tables that the loader itself reads. No relocation may change them.
    read: RefCell<Vec<Range<u64>>>,
    /// The address ranges of the headers, which startup code of a static program reads after relocation.
    headers: Vec<Range<u64>>,
}

/// The fault of a file that loaders may interpret differently.
fn ambiguous(what: impl Into<String>) -> Fault {
    Fault::whole(format!("loaders may read it differently: {}", what.into()))
}

/// The ranges of the file's header and of its program headers in the file. Loaders ignore the size of the header that
/// it states itself.
fn header_ranges<E: FileHeader>(elf: &ElfFile<'_, E>) -> [Range<u64>; 2] {
    let (header, endian) = (elf.elf_header(), elf.endian());
    let (at, count) = (header.e_phoff(endian).into(), u64::from(header.e_phnum(endian)));
    let len = count * u64::from(header.e_phentsize(endian));
    [0..size_of::<E>() as u64, at..at.saturating_add(len)]
}

/// A little-endian number.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |k, &byte| k << 8 | u64::from(byte))
}

impl<'f> LoadedFile<'f> {
    /// Reads a file as loaders do.
    ///
    /// # Errors
    ///
    /// If glibc, musl and Linux might load the file differently.
    pub(super) fn new(
        file: &object::File<'f>,
        data: &'f [u8],
        pointer: Pointer,
    ) -> Result<Self, Fault> {
        match file {
            object::File::Elf32(elf) => Self::of(file, elf, data, pointer),
            object::File::Elf64(elf) => Self::of(file, elf, data, pointer),
            _ => Err(ambiguous("not an ELF file")),
        }
    }

    fn of<E: FileHeader>(
        file: &object::File<'f>,
        elf: &ElfFile<'f, E>,
        data: &'f [u8],
        pointer: Pointer,
    ) -> Result<Self, Fault> {
        let endian = elf.endian();
        let is_fixed = file.kind() == ObjectKind::Executable;
        let mut loaded = Self {
            file: data,
            pointer,
            loads: Vec::new(),
            kept: 0..0,
            tables: Vec::new(),
            relative: 0,
            calls: None,
            is_lazy: false,
            is_fixed,
            has_linker: false,
            entry: elf.elf_header().e_entry(endian).into(),
            thread: 0..0,
            thread_len: 0,
            executes_stack: true,
            dynamic: Dynamic(BTreeMap::new()),
            dynamic_at: 0..0,
            read: RefCell::default(),
            headers: Vec::new(),
        };
        let header = elf.elf_header();
        if header.e_phnum(endian) == elf::PN_XNUM {
            return Err(ambiguous("the number of program headers is PN_XNUM"));
        }
        let mut others = BTreeMap::new();
        for header in elf.elf_program_headers() {
            let from: u64 = header.p_vaddr(endian).into();
            let (in_file, in_memory) =
                (header.p_filesz(endian).into(), header.p_memsz(endian).into());
            let offset: u64 = header.p_offset(endian).into();
            let kind = header.p_type(endian);
            let end = from.checked_add(in_memory);
            let end = end.ok_or_else(|| ambiguous("a segment wraps around the address space"))?;
            match kind {
                elf::PT_LOAD => {
                    if in_file > in_memory {
                        return Err(ambiguous("p_filesz of a segment exceeds p_memsz"));
                    }
                    if offset % PAGE != from % PAGE {
                        return Err(ambiguous(
                            "p_offset and p_vaddr of a segment differ modulo a page",
                        ));
                    }
                    if offset.checked_add(in_file).is_none_or(|end| end > data.len() as u64) {
                        return Err(ambiguous("a segment exceeds the file"));
                    }
                    let last = loaded.loads.last();
                    if last.is_some_and(|last: &Segment| last.memory.start > from) {
                        return Err(ambiguous("segments are not sorted by address"));
                    }
                    if last.is_some_and(|last| last.memory.end.div_ceil(PAGE) > from / PAGE) {
                        return Err(ambiguous("segments share a page"));
                    }
                    let flags = header.p_flags(endian).0;
                    loaded.loads.push(Segment { memory: from..end, in_file, offset, flags });
                }
                elf::PT_DYNAMIC | elf::PT_GNU_RELRO | elf::PT_PHDR | elf::PT_TLS => {
                    let name = match kind {
                        elf::PT_DYNAMIC => "PT_DYNAMIC",
                        elf::PT_PHDR => "PT_PHDR",
                        elf::PT_TLS => "PT_TLS",
                        _ => "PT_GNU_RELRO",
                    };
                    let old = others.insert(kind.0, (from, end, offset, in_file));
                    old.map_or(Ok(()), |_| Err(ambiguous(format!("it has two {name} segments"))))?;
                }
                elf::PT_INTERP => loaded.has_linker = true,
                elf::PT_GNU_STACK => {
                    loaded.executes_stack = header.p_flags(endian).0 & elf::PF_X.0 != 0;
                }
                _ => {}
            }
        }
        if is_fixed && loaded.loads.first().is_some_and(|load| load.memory.start < PAGE) {
            return Err(ambiguous("musl loads a program for address zero anywhere"));
        }
        loaded.check_code(file, elf)?;
        loaded.check_headers(elf)?;
        if let Some(&(from, end, _, in_file)) = others.get(&elf::PT_TLS.0) {
            loaded.thread = from..from.saturating_add(in_file);
            loaded.thread_len = end - from;
        }
        // A program computes its load address from that of its program headers.
        if let Some(&(from, end, offset, _)) = others.get(&elf::PT_PHDR.0) {
            let is_own = offset == header.e_phoff(endian).into()
                && loaded.bytes(from, end - from).is_some_and(|b| loaded.is_at(b, offset));
            if !is_own {
                return Err(ambiguous("PT_PHDR is not at the program headers"));
            }
        }
        if let Some(&(from, end, ..)) = others.get(&elf::PT_GNU_RELRO.0) {
            // The loader protects whole pages only: from the start of the first one, and without the last, partial one.
            loaded.kept = from..end / PAGE * PAGE;
            let mut all = loaded.touching(from / PAGE * PAGE..loaded.kept.end);
            if all.any(|load| load.flags & (elf::PF_W.0 | elf::PF_X.0) != elf::PF_W.0) {
                return Err(ambiguous("PT_GNU_RELRO is not in data"));
            }
        }
        let dynamic = others.get(&elf::PT_DYNAMIC.0);
        loaded.check_dynamic(file, elf, dynamic.map(|&(from, .., len)| (from, len)))?;
        match dynamic {
            Some(&(from, _, offset, len)) => {
                loaded.read_dynamic(from, offset, len)?;
                loaded.read_tables()?;
                loaded.check_startup(file, from)?;
                loaded.check_symbols(file, elf)?;
            }
            None => loaded.read_sections(file, elf)?,
        }
        Ok(loaded)
    }

    /// Checks that the headers in the file, which Linux reads, are those in memory, which startup code and the dynamic
    /// linker read.
    ///
    /// # Errors
    ///
    /// If a header is not in exactly one segment.
    fn check_headers<E: FileHeader>(&mut self, elf: &ElfFile<'f, E>) -> Result<(), Fault> {
        for range in header_ranges(elf) {
            let in_file = |load: &Segment| load.offset..load.offset + load.in_file;
            let touches = |load: &&Segment| {
                in_file(load).start < range.end && range.start < in_file(load).end
            };
            let mut all = self.loads.iter().filter(touches);
            let one = all.next().filter(|one| {
                let whole = in_file(one);
                all.next().is_none() && whole.start <= range.start && range.end <= whole.end
            });
            let one =
                one.ok_or_else(|| ambiguous("not exactly one segment contains its headers"))?;
            let load_address = |load: &Segment| load.memory.start.wrapping_sub(load.offset);
            if self.loads.first().map(load_address) != Some(load_address(one)) {
                return Err(ambiguous("Linux up to 5.17 expects its headers elsewhere"));
            }
            let from = one.memory.start + (range.start - one.offset);
            self.headers.push(from..from + (range.end - range.start));
        }
        Ok(())
    }

    /// Checks PT_DYNAMIC, at `place`, for startup code, which does not read it: in a static program, this code reads the
    /// dynamic section at `_DYNAMIC`, or none if the program is for fixed addresses.
    ///
    /// # Errors
    ///
    /// If they may differ.
    fn check_dynamic<E: FileHeader>(
        &self,
        file: &object::File<'f>,
        elf: &ElfFile<'f, E>,
        place: Option<(u64, u64)>,
    ) -> Result<(), Fault> {
        let endian = elf.endian();
        for section in elf.elf_section_table().iter() {
            let own = (section.sh_addr(endian).into(), section.sh_size(endian).into());
            if section.sh_type(endian) == elf::SHT_DYNAMIC && place != Some(own) {
                return Err(ambiguous("PT_DYNAMIC is not the dynamic section"));
            }
        }
        for symbol in file.symbols().filter(|symbol| symbol.name() == Ok("_DYNAMIC")) {
            if symbol.address() != place.map_or(0, |(from, _)| from) {
                return Err(ambiguous("PT_DYNAMIC is not at _DYNAMIC"));
            }
        }
        if place.is_some() == (self.is_fixed && !self.has_linker) {
            return Err(ambiguous(
                "PT_DYNAMIC in a static program at fixed addresses, or none elsewhere",
            ));
        }
        Ok(())
    }

    /// Checks a static program with a dynamic section, at `dynamic`, for the startup code of all releases of glibc.
    ///
    /// # Errors
    ///
    /// If that code applies other relocations. Before 2.35 it expects the table of functions behind the other table, and
    /// a global offset table that begins with the address of the dynamic section. From then on, some releases expect
    /// that the program is linked for address zero.
    fn check_startup(&self, file: &object::File<'f>, dynamic: u64) -> Result<(), Fault> {
        // Linux starts a program without the flag, too.
        if self.has_linker || !self.is_program() && self.entry == 0 {
            return Ok(());
        }
        if self.loads.first().is_none_or(|load| load.memory.start != load.offset) {
            return Err(ambiguous("a static program is not linked for address zero"));
        }
        let tags = if self.pointer.0 == 8 {
            [elf::DT_RELA, elf::DT_RELASZ]
        } else {
            [elf::DT_REL, elf::DT_RELSZ]
        };
        let [from, len] = tags.map(|tag| self.dynamic.get(tag).unwrap_or(0));
        let of_calls = self.dynamic.get(elf::DT_JMPREL);
        if of_calls.is_some_and(|at| at != from.wrapping_add(len)) {
            return Err(ambiguous("DT_JMPREL of a static program is not behind other relocations"));
        }
        let tables = file.symbols().filter(|one| one.name() == Ok("_GLOBAL_OFFSET_TABLE_"));
        for table in tables {
            let first = self.table(table.address(), self.pointer.0 as u64);
            if first.map(number) != Some(dynamic) {
                return Err(ambiguous("the global offset table does not begin with PT_DYNAMIC"));
            }
        }
        Ok(())
    }

    /// Reads the relocation sections of a static program at fixed addresses, whose startup code applies the relocations
    /// between two symbols.
    ///
    /// # Errors
    ///
    /// If a section differs from the memory, or from the range between the symbols.
    fn read_sections<E: FileHeader>(
        &mut self,
        file: &object::File<'f>,
        elf: &ElfFile<'f, E>,
    ) -> Result<(), Fault> {
        let endian = elf.endian();
        let bound = |end: &str| -> Vec<u64> {
            let names = ["rela", "rel"].map(|kind| format!("__{kind}_iplt_{end}"));
            let is_it = |name: &str| names.iter().any(|own| own == name);
            let all = file.symbols();
            all.filter(|one| one.name().is_ok_and(is_it)).map(|one| one.address()).collect()
        };
        let bounds = ["start", "end"].map(bound);
        let is_named = file.symbols().next().is_some();
        let other = || ambiguous("startup code reads another table of relocations");
        for section in elf.elf_section_table().iter() {
            let at: u64 = section.sh_addr(endian).into();
            let bytes = section.data(endian, self.file);
            let bytes = bytes.map_err(|_| ambiguous("a section exceeds the file"))?;
            let table = match section.sh_type(endian) {
                elf::SHT_REL if at != 0 => Relocations::Rel(bytes),
                elf::SHT_RELA if at != 0 => Relocations::Rela(bytes),
                _ => continue,
            };
            // Startup code reads memory, not the section.
            let offset: u64 = section.sh_offset(endian).into();
            let read = self.table(at, bytes.len() as u64);
            if !read.is_some_and(|read| self.is_at(read, offset)) {
                return Err(ambiguous("a relocation section differs from the loaded memory"));
            }
            // A stripped program is only compared with a proven one.
            if is_named && bounds != [vec![at], vec![at + bytes.len() as u64]] {
                return Err(other());
            }
            self.tables.push(table);
        }
        if bounds[0] != bounds[1] && self.tables.is_empty() { Err(other()) } else { Ok(()) }
    }

    /// Checks that tools that read sections see the loader's dynamic symbols.
    ///
    /// # Errors
    ///
    /// If not exactly one section has all of them, and their names.
    fn check_symbols<E: FileHeader>(
        &self,
        file: &object::File<'f>,
        elf: &ElfFile<'f, E>,
    ) -> Result<(), Fault> {
        let endian = elf.endian();
        let all = elf.elf_section_table();
        let mut tables = all.enumerate().filter(|(_, one)| one.sh_type(endian) == elf::SHT_DYNSYM);
        let (Some((index, table)), None) = (tables.next(), tables.next()) else {
            return Err(ambiguous("not exactly one section of dynamic symbols"));
        };
        let names = object::SectionIndex(table.sh_link(endian) as usize);
        for (tag, index, name) in
            [(elf::DT_SYMTAB, index, ".dynsym"), (elf::DT_STRTAB, names, ".dynstr")]
        {
            let section = file.section_by_index(index).ok();
            let section = section.filter(|section| {
                Some(section.address()) == self.dynamic.get(tag) && self.is_loaded(section)
            });
            if section.is_none() {
                return Err(ambiguous(format!("section {name} differs from the loaded memory")));
            }
        }
        let len = if self.pointer.0 == 8 { 24 } else { 16 };
        let count = (table.sh_size(endian).into() / len) as usize;
        if self.found_by_hash(None).is_none_or(|all| all.into_iter().any(|i| i >= count)) {
            return Err(ambiguous("a dynamic symbol is outside of its section"));
        }
        Ok(())
    }

    /// Whether `bytes` is the part of the file at `offset`.
    fn is_at(&self, bytes: &[u8], offset: u64) -> bool {
        let own = usize::try_from(offset).ok().and_then(|offset| self.file.get(offset..));
        own.is_some_and(|own| own.as_ptr() == bytes.as_ptr())
    }

    /// Reads the dynamic section up to DT_NULL. Loaders ignore the segment's size, so DT_NULL must
    /// be within it.
    fn read_dynamic(&mut self, from: u64, offset: u64, len: u64) -> Result<(), Fault> {
        let all = self.table(from, len).filter(|all| self.is_at(all, offset));
        let all =
            all.ok_or_else(|| ambiguous("PT_DYNAMIC is not loaded from its place in the file"))?;
        for entry in all.chunks_exact(2 * self.pointer.0) {
            let (tag, value) = entry.split_at(self.pointer.0);
            let (tag, value) = (number(tag), number(value));
            if tag == elf::DT_NULL.0 as u64 {
                self.dynamic_at = from..from + len;
                return Ok(());
            }
            let prelinked = [elf::DT_GNU_CONFLICT, elf::DT_GNU_LIBLIST, elf::DT_GNU_PRELINKED];
            if prelinked.iter().any(|own| own.0 as u64 == tag) {
                return Err(ambiguous("older releases of glibc treat it as prelinked"));
            }
            let is_flag = tag == elf::DT_FLAGS.0 as u64 && value & elf::DF_TEXTREL.0 != 0;
            if tag == elf::DT_TEXTREL.0 as u64 || is_flag {
                return Err(ambiguous("with DT_TEXTREL, musl leaves code writable"));
            }
            let old = self.dynamic.0.insert(tag, value);
            if old.is_some() && tag != elf::DT_NEEDED.0 as u64 {
                return Err(ambiguous(format!("duplicate dynamic tag {tag:#x}")));
            }
        }
        Err(ambiguous("PT_DYNAMIC has no DT_NULL within its p_filesz"))
    }

    /// Locates the tables that the dynamic section refers to.
    fn read_tables(&mut self) -> Result<(), Fault> {
        let is_64 = self.pointer.0 == 8;
        let len = self.pointer.0 as u64;
        let tables = [(elf::DT_REL, elf::DT_RELSZ), (elf::DT_RELA, elf::DT_RELASZ)];
        let (own, other) = (tables[usize::from(is_64)], tables[usize::from(!is_64)]);
        for (tag, wanted) in [
            (elf::DT_SYMENT, if is_64 { 24 } else { 16 }),
            (elf::DT_RELAENT, 3 * len),
            (elf::DT_RELENT, 2 * len),
            (elf::DT_RELRENT, len),
            (elf::DT_PLTREL, own.0.0 as u64),
        ] {
            if self.dynamic.get(tag).is_some_and(|value| value != wanted) {
                let tag = tag.0;
                return Err(ambiguous(format!("dynamic tag {tag:#x} is not the usual {wanted}")));
            }
        }
        if self.replaces_stubs() && self.dynamic.0.get(&DT_X86_64_PLTENT) != Some(&STUB) {
            return Err(ambiguous("glibc replaces stubs of another size than 16 bytes"));
        }
        // glibc computes from the ends of two tables which relocations to apply: none of DT_JMPREL if an empty DT_RELA
        // is at its end.
        let table = |at: elf::DynamicTag, len: elf::DynamicTag| {
            let found = match (self.dynamic.get(at), self.dynamic.get(len)) {
                (None, None) => return Ok(None),
                (Some(at), Some(0)) if !self.is_table(at.saturating_sub(1), 2) => return Ok(None),
                (Some(at), Some(len @ 1..)) if !self.is_table(at, len) => self.table(at, len),
                _ => None,
            };
            let wrong =
                "a relocation table is not in memory, overlaps another, or is empty and next to it";
            found.map(Some).ok_or_else(|| ambiguous(wrong))
        };
        // Some loaders apply tables of both kinds, others only the usual one.
        if [other.0, other.1].iter().any(|&tag| self.dynamic.get(tag).is_some()) {
            return Err(ambiguous("relocations of the wrong kind for its class"));
        }
        let kind = if is_64 { Relocations::Rela } else { Relocations::Rel };
        let of_calls = table(elf::DT_JMPREL, elf::DT_PLTRELSZ)?.map(kind);
        let relr = table(elf::DT_RELR, elf::DT_RELRSZ)?.map(Relocations::Relr);
        let all = table(own.0, own.1)?.map(kind);
        // Without the tag glibc skips these relocations, and musl assumes the other kind. Without a table glibc crashes.
        if of_calls.is_some() != self.dynamic.get(elf::DT_PLTREL).is_some() {
            return Err(ambiguous("DT_JMPREL without DT_PLTREL, or the other way round"));
        }
        let has_calls = of_calls.is_some();
        self.is_lazy = !self.binds_now();
        // With another number in this word, glibc computes where first calls lead.
        let word = self.slots().filter(|_| has_calls && self.is_lazy);
        let word = word.and_then(|slots| self.bytes(slots.checked_add(len)?, len));
        if word.is_some_and(|word| number(word) != 0) {
            return Err(ambiguous("its global offset table is that of a prelinked file"));
        }
        let count = if is_64 { elf::DT_RELACOUNT } else { elf::DT_RELCOUNT };
        self.relative = self.dynamic.get(count).unwrap_or(0);
        self.tables = [all, relr, of_calls].into_iter().flatten().collect();
        self.calls = has_calls.then(|| self.tables.len() - 1);
        Ok(())
    }

    /// Whether every loader binds all functions before the file's code runs.
    fn binds_now(&self) -> bool {
        let has = |tag, flag: u64| self.dynamic.get(tag).is_some_and(|flags| flags & flag != 0);
        self.dynamic.get(elf::DT_BIND_NOW).is_some()
            || has(elf::DT_FLAGS, elf::DF_BIND_NOW.0)
            || has(elf::DT_FLAGS_1, elf::DF_1_NOW.0)
    }

    /// Whether the file is a program that relocates itself: it has no dynamic linker and no dependencies, filters
    /// or auditors, and exports nothing. A library need not have any of these either. It lacks the flag of a program,
    /// which musl and glibc up to 2.29 ignore.
    pub(super) fn is_static(&self) -> bool {
        let libraries =
            [elf::DT_NEEDED, elf::DT_AUXILIARY, elf::DT_FILTER, elf::DT_AUDIT, elf::DT_DEPAUDIT];
        self.is_program()
            && !self.has_linker
            && libraries.into_iter().all(|tag| self.dynamic.get(tag).is_none())
            && self.found_by_hash(None).is_some_and(|all| all.is_empty())
    }

    /// Whether the file has fixed addresses, or the flag of a program.
    fn is_program(&self) -> bool {
        let flags = self.dynamic.get(elf::DT_FLAGS_1);
        self.is_fixed || flags.is_some_and(|flags| flags & elf::DF_1_PIE.0 != 0)
    }

    /// The addresses of a program's first instruction, and of code that the loader calls.
    pub(super) fn begins(&self) -> Vec<u64> {
        // With lazy binding, the last one is called for thread-local variables by glibc up to 2.33.
        let tags = [elf::DT_INIT, elf::DT_FINI, elf::DT_TLSDESC_PLT];
        let called = tags.map(|tag| self.dynamic.get(tag));
        called.into_iter().flatten().chain([self.entry]).filter(|&at| at != 0).collect()
    }

    /// The address ranges of pointers to such code, and the initial contents of thread-local variables.
    pub(super) fn implicit(&self) -> Vec<Range<u64>> {
        let arrays = [
            (elf::DT_PREINIT_ARRAY, elf::DT_PREINIT_ARRAYSZ),
            (elf::DT_INIT_ARRAY, elf::DT_INIT_ARRAYSZ),
            (elf::DT_FINI_ARRAY, elf::DT_FINI_ARRAYSZ),
        ];
        let array = |(at, len)| {
            let (at, len) = (self.dynamic.get(at)?, self.dynamic.get(len)?);
            Some(at..at.saturating_add(len))
        };
        arrays.into_iter().filter_map(array).chain([self.thread.clone()]).collect()
    }

    /// The parts of executable pages that no loaded section contains. Loaders map whole pages of the file.
    pub(super) fn outside_of_sections(&self, file: &object::File<'f>) -> Vec<Range<u64>> {
        let sections = file.sections().filter(|section| has_flag(section, elf::SHF_ALLOC));
        let mut sections: Vec<Range<u64>> = sections
            .filter(|section| section.size() > 0 && self.is_loaded(section))
            .map(|section| section.address()..section.address() + section.size())
            .collect();
        sections.sort_by_key(|range| range.start);
        let mut all = Vec::new();
        for load in self.loads.iter().filter(|load| load.flags & elf::PF_X.0 != 0) {
            let mut at = load.memory.start / PAGE * PAGE;
            let end = load.memory.end.div_ceil(PAGE) * PAGE;
            for range in sections.iter().cloned().chain(std::iter::once(end..end)) {
                if at < range.start.min(end) {
                    all.push(at..range.start.min(end));
                }
                at = at.max(range.end);
            }
        }
        all
    }

    /// Checks that executable segments contain nothing but headers, loaded sections and padding.
    ///
    /// # Errors
    ///
    /// If there is anything else, which tools that read sections do not see.
    fn check_code<E: FileHeader>(
        &self,
        file: &object::File<'f>,
        elf: &ElfFile<'f, E>,
    ) -> Result<(), Fault> {
        const PADDING: [u8; 3] = [0, 0x90, 0xcc];
        let headers = header_ranges(elf);
        let is_code = |at: &u64| {
            let Some(load) = self.load(*at, 1) else { return false };
            let offset = at - load.memory.start + load.offset;
            let byte = self.file.get(offset as usize);
            byte.is_some_and(|byte| !PADDING.contains(byte))
                && !headers.iter().any(|range| range.contains(&offset))
        };
        match self.outside_of_sections(file).into_iter().flatten().find(is_code) {
            Some(at) => Err(ambiguous(format!("there is code outside of sections, at {at:#x}"))),
            None => Ok(()),
        }
    }

    /// The segments, and their contents before relocation: all that the loader reads, except for the ELF header's
    /// fields about sections, which change when a file is stripped.
    pub(super) fn contents(&self) -> Vec<u8> {
        // e_shoff, and e_shnum with e_shstrndx.
        let sections =
            if self.pointer.0 == 8 { [0x28..0x30, 0x3c..0x40] } else { [0x20..0x24, 0x30..0x34] };
        let mut all = Vec::new();
        for load in &self.loads {
            let Range { start, end } = load.memory;
            all.extend(format!("{start:x} {end:x} {:x} {:x}\n", load.in_file, load.flags).bytes());
            let from = all.len();
            let bytes = self.file.get(load.offset as usize..).unwrap_or_default();
            all.extend(&bytes[..bytes.len().min(load.in_file as usize)]);
            for place in sections.clone().into_iter().flatten().filter(|_| load.offset == 0) {
                if let Some(byte) = all.get_mut(from + place) {
                    *byte = 0;
                }
            }
        }
        all.extend(format!("{:x?}\n", self.kept).bytes());
        all
    }

    /// The initial contents of the segments, by address.
    pub(super) fn initial(&self) -> Vec<(u64, Vec<u8>)> {
        let of = |load: &Segment| {
            let from = load.memory.start;
            Some((from, self.bytes(from, load.in_file)?.to_vec()))
        };
        self.loads.iter().filter_map(of).collect()
    }

    /// The addresses of the words of the dynamic section, which loaders change.
    pub(super) fn dynamic_words(&self) -> impl Iterator<Item = u64> + use<> {
        self.dynamic_at.clone().step_by(self.pointer.0)
    }

    /// The address of the slots of functions, which begin with three reserved words.
    pub(super) fn slots(&self) -> Option<u64> {
        self.dynamic.get(elf::DT_PLTGOT)
    }

    /// The addresses of words that loaders write without a relocation, for lazy binding: the PLT's reserved words,
    /// even if no function is bound, and (glibc up to 2.33) the word for thread-local variables.
    pub(super) fn bound(&self) -> Vec<u64> {
        if self.binds_now() {
            return Vec::new();
        }
        let has_table = self.dynamic.get(elf::DT_JMPREL).is_some();
        let table = self.slots().filter(|_| has_table);
        let reserved = |table: u64| [1, 2].map(|i| table.wrapping_add(i * self.pointer.0 as u64));
        let descriptors = self.dynamic.get(elf::DT_TLSDESC_GOT);
        table.into_iter().flat_map(reserved).chain(descriptors).collect()
    }

    /// Whether glibc may replace the PLT stub of each bound function by a jump. The relocation's
    /// addend is an address in the stub.
    pub(super) fn replaces_stubs(&self) -> bool {
        self.pointer.0 == 8 && self.dynamic.0.contains_key(&DT_X86_64_PLT)
    }

    /// Whether the `len` bytes at `at` are in a writable segment. Elsewhere, a relocation ends the process, or changes
    /// memory of another file.
    pub(super) fn is_writable(&self, at: u64, len: u64) -> bool {
        let holds = |load: &Segment| {
            load.memory.start <= at && at.checked_add(len).is_some_and(|end| end <= load.memory.end)
        };
        self.loads.iter().any(|load| load.flags & elf::PF_W.0 != 0 && holds(load))
    }

    /// Returns memory, and records that the loader reads it.
    fn table(&self, from: u64, len: u64) -> Option<&'f [u8]> {
        let bytes = self.bytes(from, len)?;
        self.read.borrow_mut().push(from..from + len);
        Some(bytes)
    }

    /// Whether any of the `len` bytes at `at` is in a table that the loader reads.
    fn is_table(&self, at: u64, len: u64) -> bool {
        let end = at.saturating_add(len);
        self.read.borrow().iter().any(|read| read.start < end && at < read.end)
    }

    /// Whether the loader or startup code reads any of the `len` bytes at `at`.
    pub(super) fn reads(&self, at: u64, len: u64) -> bool {
        let end = at.saturating_add(len);
        let is_header = |one: &Range<u64>| one.start < end && at < one.end;
        self.is_table(at, len) || self.headers.iter().any(is_header)
    }

    /// A dynamic symbol: its name, whether loaders resolve it in another library, and its size.
    ///
    /// Loaders bind a local or hidden symbol to its own value even if it has no section, and treat
    /// an undefined symbol with a value as a definition.
    fn symbol(&self, i: usize) -> Option<(&'f [u8], bool, u64)> {
        let entry = self.symbol_entry(i)?;
        let (info, value, size) = if self.pointer.0 == 8 {
            (&entry[4..8], &entry[8..16], &entry[16..])
        } else {
            (&entry[12..], &entry[4..8], &entry[8..12])
        };
        let is_local = info[0] >> 4 == elf::STB_LOCAL.0;
        let is_default = info[1] == elf::STV_DEFAULT.0;
        let is_undefined = number(&info[2..]) == 0 && number(value) == 0;
        let strings = self.dynamic.get(elf::DT_STRTAB)?;
        let place = number(&entry[..4]);
        let left = self.dynamic.get(elf::DT_STRSZ)?.checked_sub(place)?;
        let from = strings.checked_add(place)?;
        let all = self.bytes(from, left)?;
        let name = &all[..all.iter().position(|&byte| byte == 0)?];
        self.table(from, name.len() as u64 + 1)?;
        Some((name, is_undefined && is_default && !is_local, number(size)))
    }

    /// Whether a dynamic symbol has this name, is undefined, and has no definition in this file.
    pub(super) fn is_others(&self, symbol: usize, name: &str) -> bool {
        let is_it = |i: usize| self.symbol(i).filter(|(own, ..)| *own == name.as_bytes());
        is_it(symbol).is_some_and(|(_, is_others, _)| is_others)
            && self.found_by_hash(Some(name)).is_some_and(|all| {
                all.into_iter().all(|i| is_it(i).is_none_or(|(_, is_others, _)| is_others))
            })
    }

    /// The size of a dynamic symbol.
    pub(super) fn length_of(&self, symbol: usize) -> Option<u64> {
        self.symbol(symbol).map(|(_, _, len)| len)
    }

    /// The value of a dynamic symbol that this file defines.
    pub(super) fn value_of(&self, symbol: usize) -> Option<u64> {
        let entry = self.symbol_entry(symbol)?;
        let value = if self.pointer.0 == 8 { &entry[8..16] } else { &entry[4..8] };
        Some(number(value)).filter(|&value| value != 0)
    }

    /// Whether an offset is in a thread-local variable of the file, or near the beginning of another file's, and so less
    /// than any address in this file.
    pub(super) fn is_offset_in_thread(&self, symbol: usize, offset: u64) -> bool {
        let is_own = symbol == 0 || self.value_of(symbol).is_some();
        let first = self.loads.first().map_or(0, |load| load.memory.start);
        offset <= if is_own { self.thread_len } else { PAGE - 1 } && self.thread_len < first
    }

    /// Whether the loader may call an indirect function (IFUNC) of the file, through a symbol found
    /// by name or a relocation. Symbols of unknown type count.
    pub(super) fn chooses_functions(&self) -> bool {
        let is_chosen =
            |i: usize| self.symbol_kind(i).is_none_or(|kind| kind == elf::STT_GNU_IFUNC.0);
        let is_named =
            |relocation: &Relocation| relocation.symbol != 0 && is_chosen(relocation.symbol);
        let by_relocation = self.tables.iter().any(|table| {
            let all = match *table {
                Relocations::Relr(_) => return false,
                Relocations::Rela(table) => entries(table, self.pointer.0, true),
                Relocations::Rel(table) => entries(table, self.pointer.0, false),
            };
            all.is_some_and(|all| all.iter().any(|one| self.is_late(one.kind) || is_named(one)))
        });
        by_relocation || self.found_by_hash(None).is_none_or(|all| all.into_iter().any(is_chosen))
    }

    /// Whether a relocation calls a function to compute an address.
    fn is_late(&self, kind: u32) -> bool {
        let kind = elf::RelocationType(kind);
        kind == if self.pointer.0 == 8 { elf::R_X86_64_IRELATIVE } else { elf::R_386_IRELATIVE }
    }

    /// The type of a dynamic symbol.
    fn symbol_kind(&self, i: usize) -> Option<u8> {
        let info = if self.pointer.0 == 8 { 4 } else { 12 };
        Some(self.symbol_entry(i)?[info] & 15)
    }

    /// The entry of a dynamic symbol.
    fn symbol_entry(&self, i: usize) -> Option<&'f [u8]> {
        let len = if self.pointer.0 == 8 { 24 } else { 16 };
        let at = self.dynamic.get(elf::DT_SYMTAB)?.checked_add(len * i as u64)?;
        self.table(at, len)
    }

    /// The symbols that hash lookups can find, or only those compared with `name`. `None` if a
    /// table is malformed or exceeds the loaded memory.
    fn found_by_hash(&self, name: Option<&str>) -> Option<BTreeSet<usize>> {
        let word = |table: u64, i: u64| {
            let at = table.checked_add(4 * i)?;
            self.table(at, 4).map(number)
        };
        let searched = |buckets: u64, hash: fn(&str) -> u32| match name {
            None => Some(0..buckets),
            Some(name) => {
                u64::from(hash(name)).checked_rem(buckets).map(|bucket| bucket..bucket + 1)
            }
        };
        let mut all = BTreeSet::new();
        if let Some(table) = self.dynamic.get(elf::DT_GNU_HASH) {
            let [buckets, first, blooms] = [word(table, 0)?, word(table, 1)?, word(table, 2)?];
            let from = 4 + blooms * self.pointer.0 as u64 / 4;
            for bucket in searched(buckets, gnu_hash)? {
                let mut i = word(table, from + bucket)?;
                while i != 0 && all.insert(i as usize) {
                    let chain = word(table, from + buckets + i.checked_sub(first)?)?;
                    i = if chain & 1 == 1 { 0 } else { i + 1 };
                }
            }
        }
        if let Some(table) = self.dynamic.get(elf::DT_HASH) {
            let [buckets, symbols] = [word(table, 0)?, word(table, 1)?];
            let mut seen = BTreeSet::new();
            for bucket in searched(buckets, system_v_hash)? {
                let mut i = word(table, 2 + bucket)?;
                while i != 0 {
                    // A chain that loops or joins another bucket's may not terminate.
                    if i >= symbols || !seen.insert(i as usize) {
                        return None;
                    }
                    i = word(table, 2 + buckets + i)?;
                }
            }
            all.extend(seen);
        }
        Some(all)
    }

    /// The segment that contains the range, if no other shares a page with it.
    fn load(&self, from: u64, len: u64) -> Option<&Segment> {
        let end = from.checked_add(len)?;
        let mut all = self.touching(from..end);
        let (Some(one), None) = (all.next(), all.next()) else { return None };
        (one.memory.start <= from && end - one.memory.start <= one.in_file).then_some(one)
    }

    /// The segments that share a page with the range.
    fn touching(&self, range: Range<u64>) -> impl Iterator<Item = &Segment> {
        self.loads.iter().filter(move |load| {
            let Range { start, end } = load.memory;
            start / PAGE * PAGE < range.end && range.start < end.div_ceil(PAGE) * PAGE
        })
    }

    /// The address range from the first segment to the last.
    pub(super) fn extent(&self) -> Range<u64> {
        let end = self.loads.iter().map(|load| load.memory.end).max().unwrap_or(0);
        self.loads.first().map_or(0, |load| load.memory.start)..end
    }

    /// The initial contents of memory, before relocation.
    fn bytes(&self, from: u64, len: u64) -> Option<&'f [u8]> {
        let load = self.load(from, len)?;
        let at = usize::try_from(from - load.memory.start + load.offset).ok()?;
        self.file.get(at..at.checked_add(usize::try_from(len).ok()?)?)
    }

    /// Whether a section's contents in the file and in memory are the same.
    pub(super) fn is_loaded(&self, section: &object::Section<'_, '_>) -> bool {
        let Some((offset, len)) = section.file_range() else { return section.size() == 0 };
        len == 0
            || self.load(section.address(), len).is_some_and(|load| {
                section.address() - load.memory.start == offset.wrapping_sub(load.offset)
            })
    }

    /// Whether a loaded section is readable and read-only, and executable if it is code.
    pub(super) fn stays(&self, section: &object::Section<'_, '_>, is_code: bool) -> bool {
        let (from, len) = (section.address(), section.size());
        len == 0
            || self.load(from, len).is_some_and(|load| {
                let flags = |all: u32| load.flags & all;
                flags(elf::PF_R.0 | elf::PF_W.0) == elf::PF_R.0
                    && (!is_code || flags(elf::PF_X.0) != 0)
            })
    }

    /// Whether a CPU can execute a section's contents.
    pub(super) fn is_executable(&self, section: &object::Section<'_, '_>) -> bool {
        let readable = if self.executes_stack { elf::PF_R.0 } else { 0 };
        let (from, in_file) = (section.address(), section.file_range().is_some());
        let end = from.saturating_add(section.size());
        let is = |load: &Segment| load.flags & (elf::PF_X.0 | readable) != 0;
        in_file && has_flag(section, elf::SHF_ALLOC) && self.touching(from..end).any(is)
    }

    /// Whether a loaded section is read-only after relocation.
    pub(super) fn is_kept(&self, section: &object::Section<'_, '_>) -> bool {
        let (from, len) = (section.address(), section.size());
        self.is_loaded(section) && self.kept.start <= from && from + len <= self.kept.end
    }
}

/// The hash function of DT_GNU_HASH.
fn gnu_hash(name: &str) -> u32 {
    name.bytes().fold(5381, |h: u32, byte| h.wrapping_mul(33).wrapping_add(byte.into()))
}

/// The hash function of DT_HASH.
fn system_v_hash(name: &str) -> u32 {
    name.bytes().fold(0, |h: u32, byte| {
        let h = (h << 4).wrapping_add(byte.into());
        (h ^ (h >> 24 & 0xf0)) & 0x0fff_ffff
    })
}

/// A relocation; `addend` is `None` if it is implicit.
pub(super) struct Relocation {
    pub(super) at: u64,
    pub(super) kind: u32,
    pub(super) symbol: usize,
    pub(super) addend: Option<i64>,
}

/// The entries of a relocation table, with explicit addends if `adds`; `None` if the table is
/// truncated.
pub(super) fn entries(table: &[u8], pointer: usize, adds: bool) -> Option<Vec<Relocation>> {
    let len = pointer * (2 + usize::from(adds));
    if !table.len().is_multiple_of(len) {
        return None;
    }
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
