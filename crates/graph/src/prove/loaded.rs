//! What the loader makes of a file: it reads segments and the tables that the dynamic segment names,
//! and no sections. What sections say is believed only where the loader does the same.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use object::read::elf::{ElfFile, FileHeader, ProgramHeader, SectionHeader};
use object::{Object, ObjectKind, ObjectSection, elf};

use super::fault::Fault;
use super::value::Pointer;

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

/// Entries of the dynamic segment, by their tags.
struct Dynamic(BTreeMap<u64, u64>);

impl Dynamic {
    fn get(&self, tag: elf::DynamicTag) -> Option<u64> {
        self.0.get(&(tag.0 as u64)).copied()
    }
}

/// What the loader makes of a file.
pub(super) struct LoadedFile<'f> {
    file: &'f [u8],
    pointer: Pointer,
    loads: Vec<Segment>,
    /// What is made read-only once relocations are done.
    kept: Range<u64>,
    /// Its tables of relocations.
    pub(super) tables: Vec<Relocations<'f>>,
    /// The number of relocations at the head of the first table that some loaders apply as relative
    /// ones without reading their types.
    pub(super) relative: u64,
    /// The table of lazily bound functions: until the first call is resolved, the program jumps to the
    /// addresses stored in their slots.
    pub(super) lazy: Option<usize>,
    /// Whether it is loaded where it says and nowhere else.
    pub(super) is_fixed: bool,
    dynamic: Dynamic,
    /// The memory of the dynamic segment.
    dynamic_at: Range<u64>,
    /// Memory that the loader itself reads. No relocation may change it.
    read: RefCell<Vec<Range<u64>>>,
}

/// A refusal of a file that loaders may read differently.
fn ambiguous(what: impl Into<String>) -> Fault {
    Fault::whole(format!("loaders may read it differently: {}", what.into()))
}

/// A number of the file, whose lowest byte is the first.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |k, &byte| k << 8 | u64::from(byte))
}

impl<'f> LoadedFile<'f> {
    /// What becomes of a file.
    ///
    /// # Errors
    ///
    /// If glibc, musl and Linux might not all make the same of it: each takes other entries for granted.
    pub(super) fn new(
        file: &object::File<'f>,
        data: &'f [u8],
        pointer: Pointer,
    ) -> Result<Self, Fault> {
        match file {
            object::File::Elf32(elf) => Self::of(file, elf, data, pointer),
            object::File::Elf64(elf) => Self::of(file, elf, data, pointer),
            _ => Err(ambiguous("it is no ELF file")),
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
            lazy: None,
            is_fixed,
            dynamic: Dynamic(BTreeMap::new()),
            dynamic_at: 0..0,
            read: RefCell::default(),
        };
        let header = elf.elf_header();
        if header.e_phnum(endian) == elf::PN_XNUM {
            return Err(ambiguous("its program headers are counted elsewhere"));
        }
        let mut others = BTreeMap::new();
        for header in elf.elf_program_headers() {
            let from: u64 = header.p_vaddr(endian).into();
            let (in_file, in_memory) =
                (header.p_filesz(endian).into(), header.p_memsz(endian).into());
            let offset: u64 = header.p_offset(endian).into();
            let kind = header.p_type(endian);
            let end = from.checked_add(in_memory);
            let end = end.ok_or_else(|| ambiguous("a segment wraps around memory"))?;
            match kind {
                elf::PT_LOAD => {
                    if in_file > in_memory {
                        return Err(ambiguous(
                            "a segment has more bytes in the file than in memory",
                        ));
                    }
                    if offset % PAGE != from % PAGE {
                        return Err(ambiguous("a segment does not lie in the file as in its page"));
                    }
                    if offset.checked_add(in_file).is_none_or(|end| end > data.len() as u64) {
                        return Err(ambiguous("a segment goes beyond the file"));
                    }
                    if loaded.loads.last().is_some_and(|last: &Segment| last.memory.start > from) {
                        return Err(ambiguous(
                            "its segments are not in the order of their addresses",
                        ));
                    }
                    let flags = header.p_flags(endian).0;
                    loaded.loads.push(Segment { memory: from..end, in_file, offset, flags });
                }
                elf::PT_DYNAMIC | elf::PT_GNU_RELRO | elf::PT_PHDR => {
                    let name = match kind {
                        elf::PT_DYNAMIC => "PT_DYNAMIC",
                        elf::PT_PHDR => "PT_PHDR",
                        _ => "PT_GNU_RELRO",
                    };
                    let old = others.insert(kind.0, (from, end, offset, in_file));
                    old.map_or(Ok(()), |_| Err(ambiguous(format!("it has two {name} segments"))))?;
                }
                _ => {}
            }
        }
        // A program finds out where it is from where its program headers are.
        if let Some(&(from, end, offset, _)) = others.get(&elf::PT_PHDR.0) {
            let is_own = offset == header.e_phoff(endian).into()
                && loaded.bytes(from, end - from).is_some_and(|b| loaded.is_at(b, offset));
            if !is_own {
                return Err(ambiguous("PT_PHDR is not where its program headers are"));
            }
        }
        if let Some(&(from, end, ..)) = others.get(&elf::PT_GNU_RELRO.0) {
            // Of a page that is not whole the rest stays as it is.
            loaded.kept = from..end / PAGE * PAGE;
        }
        match others.get(&elf::PT_DYNAMIC.0) {
            Some(&(from, _, offset, len)) => {
                loaded.read_dynamic(from, offset, len)?;
                loaded.read_tables()?;
                // What other tools show of it is to be what the loader reads.
                for (tag, name) in [(elf::DT_SYMTAB, ".dynsym"), (elf::DT_STRTAB, ".dynstr")] {
                    let (Some(at), Some(section)) =
                        (loaded.dynamic.get(tag), file.section_by_name(name))
                    else {
                        continue;
                    };
                    if section.address() != at || !loaded.is_loaded(&section) {
                        return Err(ambiguous(format!(
                            "section {name} is not what is loaded there"
                        )));
                    }
                }
            }
            // A static program applies the relocations in these sections itself, before anything else.
            None => {
                for section in elf.elf_section_table().iter() {
                    let at: u64 = section.sh_addr(endian).into();
                    let bytes = section.data(endian, data);
                    let bytes = bytes.map_err(|_| ambiguous("a section goes beyond the file"))?;
                    let table = match section.sh_type(endian) {
                        elf::SHT_REL if at != 0 => Relocations::Rel(bytes),
                        elf::SHT_RELA if at != 0 => Relocations::Rela(bytes),
                        _ => continue,
                    };
                    // It reads memory, not the section.
                    let offset: u64 = section.sh_offset(endian).into();
                    let read = loaded.table(at, bytes.len() as u64);
                    if !read.is_some_and(|read| loaded.is_at(read, offset)) {
                        return Err(ambiguous(
                            "its relocations are not loaded as they stand there",
                        ));
                    }
                    loaded.tables.push(table);
                }
            }
        }
        Ok(loaded)
    }

    /// Whether bytes of the file are those from an offset on.
    fn is_at(&self, bytes: &[u8], offset: u64) -> bool {
        let own = usize::try_from(offset).ok().and_then(|offset| self.file.get(offset..));
        own.is_some_and(|own| own.as_ptr() == bytes.as_ptr())
    }

    /// Reads the entries of the dynamic segment up to the one that ends it, as loaders do, which do
    /// not ask how long it is said to be.
    fn read_dynamic(&mut self, from: u64, offset: u64, len: u64) -> Result<(), Fault> {
        let all = self.table(from, len).filter(|all| self.is_at(all, offset));
        let all = all.ok_or_else(|| ambiguous("PT_DYNAMIC is not loaded as it is in the file"))?;
        for entry in all.chunks_exact(2 * self.pointer.0) {
            let (tag, value) = entry.split_at(self.pointer.0);
            let (tag, value) = (number(tag), number(value));
            if tag == elf::DT_NULL.0 as u64 {
                self.dynamic_at = from..from + len;
                return Ok(());
            }
            if [elf::DT_GNU_CONFLICT, elf::DT_GNU_LIBLIST].iter().any(|own| own.0 as u64 == tag) {
                return Err(ambiguous("older releases of glibc take it for prelinked"));
            }
            let old = self.dynamic.0.insert(tag, value);
            if old.is_some() && tag != elf::DT_NEEDED.0 as u64 {
                return Err(ambiguous(format!("its dynamic segment has tag {tag:#x} twice")));
            }
        }
        Err(ambiguous("PT_DYNAMIC has no DT_NULL within its p_filesz"))
    }

    /// Finds the tables that the dynamic segment names.
    fn read_tables(&mut self) -> Result<(), Fault> {
        let is_64 = self.pointer.0 == 8;
        let len = self.pointer.0 as u64;
        let own = if is_64 { elf::DT_RELA } else { elf::DT_REL };
        for (tag, wanted) in [
            (elf::DT_SYMENT, if is_64 { 24 } else { 16 }),
            (elf::DT_RELAENT, 3 * len),
            (elf::DT_RELENT, 2 * len),
            (elf::DT_RELRENT, len),
            (elf::DT_PLTREL, own.0 as u64),
        ] {
            if self.dynamic.get(tag).is_some_and(|value| value != wanted) {
                let tag = tag.0;
                return Err(ambiguous(format!("dynamic tag {tag:#x} is not the usual {wanted}")));
            }
        }
        let table = |at: elf::DynamicTag, len: elf::DynamicTag| match self.dynamic.get(len) {
            None | Some(0) => Ok(None),
            Some(len) => {
                let found = self.dynamic.get(at).and_then(|at| self.table(at, len));
                let missing = || ambiguous("its relocations are not where they are said to be");
                found.map(Some).ok_or_else(missing)
            }
        };
        let rela = table(elf::DT_RELA, elf::DT_RELASZ)?.map(Relocations::Rela);
        let rel = table(elf::DT_REL, elf::DT_RELSZ)?.map(Relocations::Rel);
        // Some loaders read tables of both kinds, and some only those of the usual one.
        if (if is_64 { &rel } else { &rela }).is_some() {
            return Err(ambiguous("it has relocations of the kind that its class does not use"));
        }
        let relr = table(elf::DT_RELR, elf::DT_RELRSZ)?.map(Relocations::Relr);
        let of_calls = if is_64 { Relocations::Rela } else { Relocations::Rel };
        let of_calls = table(elf::DT_JMPREL, elf::DT_PLTRELSZ)?.map(of_calls);
        // Without the tag glibc skips these relocations, and musl assumes the other kind.
        if of_calls.is_some() && self.dynamic.get(elf::DT_PLTREL).is_none() {
            return Err(ambiguous("it has relocations of calls and no DT_PLTREL"));
        }
        let is_last = of_calls.is_some() && !self.binds_now();
        let count = if is_64 { elf::DT_RELACOUNT } else { elf::DT_RELCOUNT };
        self.relative = self.dynamic.get(count).unwrap_or(0);
        self.tables = [rela, rel, relr, of_calls].into_iter().flatten().collect();
        self.lazy = is_last.then(|| self.tables.len() - 1);
        Ok(())
    }

    /// Whether every loader binds functions before any code of the file runs.
    fn binds_now(&self) -> bool {
        let has = |tag, flag: u64| self.dynamic.get(tag).is_some_and(|flags| flags & flag != 0);
        self.dynamic.get(elf::DT_BIND_NOW).is_some()
            || has(elf::DT_FLAGS, elf::DF_BIND_NOW.0)
            || has(elf::DT_FLAGS_1, elf::DF_1_NOW.0)
    }

    /// Whether the loader loads other libraries with it: dependencies, filters or auditors.
    pub(super) fn has_libraries(&self) -> bool {
        [elf::DT_NEEDED, elf::DT_AUXILIARY, elf::DT_FILTER, elf::DT_AUDIT, elf::DT_DEPAUDIT]
            .into_iter()
            .any(|tag| self.dynamic.get(tag).is_some())
    }

    /// The places of words that loaders write without a relocation: all of the dynamic segment, and in the
    /// table of calls the words for lazy binding.
    pub(super) fn written(&self) -> Vec<u64> {
        let len = self.pointer.0 as u64;
        let mut all: Vec<u64> = self.dynamic_at.clone().step_by(self.pointer.0).collect();
        if let (Some(_), Some(table)) = (self.lazy, self.dynamic.get(elf::DT_PLTGOT)) {
            all.extend([1, 2].map(|i| table.wrapping_add(i * len)));
        }
        all
    }

    /// Whether glibc may replace the stub of each function that it binds by a jump, at the address in the
    /// relocation's addend.
    pub(super) fn replaces_stubs(&self) -> bool {
        const DT_X86_64_PLT: u64 = 0x7000_0000;
        self.pointer.0 == 8 && self.dynamic.0.contains_key(&DT_X86_64_PLT)
    }

    /// Memory that the loader reads.
    fn table(&self, from: u64, len: u64) -> Option<&'f [u8]> {
        let bytes = self.bytes(from, len)?;
        self.read.borrow_mut().push(from..from + len);
        Some(bytes)
    }

    /// Whether the loader reads any of the `len` bytes from `at` on.
    pub(super) fn reads(&self, at: u64, len: u64) -> bool {
        let end = at.saturating_add(len);
        self.read.borrow().iter().any(|read| read.start < end && at < read.end)
    }

    /// A symbol of the dynamic table: its name, whether loaders take it from another library, and its
    /// length.
    ///
    /// They bind a local or hidden symbol to its own value even if it has no section, and take an undefined
    /// symbol with a value for a definition.
    fn symbol(&self, i: usize) -> Option<(&'f [u8], bool, u64)> {
        let is_64 = self.pointer.0 == 8;
        let len = if is_64 { 24 } else { 16 };
        let at = self.dynamic.get(elf::DT_SYMTAB)?.checked_add(len * i as u64)?;
        let entry = self.table(at, len)?;
        let (info, value, size) = if is_64 {
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

    /// Whether a symbol of the dynamic table is one that other libraries have, of this name, and this
    /// file has none of it.
    pub(super) fn is_others(&self, symbol: usize, name: &str) -> bool {
        let is_it = |i: usize| self.symbol(i).filter(|(own, ..)| *own == name.as_bytes());
        is_it(symbol).is_some_and(|(_, is_others, _)| is_others)
            && self.found_by_hash(name).is_some_and(|all| {
                all.into_iter().all(|i| is_it(i).is_none_or(|(_, is_others, _)| is_others))
            })
    }

    /// The length of a symbol of the dynamic table.
    pub(super) fn length_of(&self, symbol: usize) -> Option<u64> {
        self.symbol(symbol).map(|(_, _, len)| len)
    }

    /// Whether loaders may call a function of the file for it to choose another: a symbol that they find by name,
    /// or a relocation, is of such a function. Unknown numbers of symbols count as such.
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
        let by_name = || match self.named_symbols() {
            Some(all) => all.into_iter().any(is_chosen),
            None => true,
        };
        by_relocation || by_name()
    }

    /// Whether a relocation calls a function for the address of another.
    fn is_late(&self, kind: u32) -> bool {
        let kind = elf::RelocationType(kind);
        kind == if self.pointer.0 == 8 { elf::R_X86_64_IRELATIVE } else { elf::R_386_IRELATIVE }
    }

    /// The kind of a symbol of the dynamic table.
    fn symbol_kind(&self, i: usize) -> Option<u8> {
        let [len, info] = if self.pointer.0 == 8 { [24, 4] } else { [16, 12] };
        let at = self.dynamic.get(elf::DT_SYMTAB)?.checked_add(len * i as u64)?;
        Some(self.table(at, len)?[info as usize] & 15)
    }

    /// All symbols that loaders can find by name; `None` if a table exceeds the loaded memory.
    fn named_symbols(&self) -> Option<BTreeSet<usize>> {
        let word = |table: u64, i: u64| {
            let at = table.checked_add(4 * i)?;
            self.table(at, 4).map(number)
        };
        let mut all = BTreeSet::new();
        if let Some(table) = self.dynamic.get(elf::DT_GNU_HASH) {
            let [buckets, first, blooms] = [word(table, 0)?, word(table, 1)?, word(table, 2)?];
            let from = 4 + blooms * self.pointer.0 as u64 / 4;
            for bucket in 0..buckets {
                let mut i = word(table, from + bucket)?;
                while i != 0 && all.insert(i as usize) {
                    let chain = word(table, from + buckets + i.checked_sub(first)?)?;
                    i = if chain & 1 == 1 { 0 } else { i + 1 };
                }
            }
        }
        if let Some(table) = self.dynamic.get(elf::DT_HASH) {
            let buckets = word(table, 0)?;
            let mut seen = BTreeSet::new();
            for bucket in 0..buckets {
                let mut i = word(table, 2 + bucket)?;
                while i != 0 && seen.insert(i as usize) {
                    i = word(table, 2 + buckets + i)?;
                }
            }
            all.extend(seen);
        }
        Some(all)
    }

    /// The symbols among which loaders look for a name; none if their tables go beyond what is loaded.
    fn found_by_hash(&self, name: &str) -> Option<Vec<usize>> {
        let word = |table: u64, i: u64| {
            let at = table.checked_add(4 * i)?;
            self.table(at, 4).map(number)
        };
        let mut all = Vec::new();
        if let Some(table) = self.dynamic.get(elf::DT_GNU_HASH) {
            let hash =
                name.bytes().fold(5381u32, |h, byte| h.wrapping_mul(33).wrapping_add(byte.into()));
            let [buckets, first, blooms] = [word(table, 0)?, word(table, 1)?, word(table, 2)?];
            let from = 4 + blooms * self.pointer.0 as u64 / 4;
            let mut i = word(table, from + u64::from(hash).checked_rem(buckets)?)?;
            while i != 0 {
                all.push(i as usize);
                let chain = word(table, from + buckets + i.checked_sub(first)?)?;
                i = if chain & 1 == 1 { 0 } else { i + 1 };
            }
        }
        if let Some(table) = self.dynamic.get(elf::DT_HASH) {
            let hash = name.bytes().fold(0u32, |h, byte| {
                let h = (h << 4).wrapping_add(byte.into());
                (h ^ (h >> 24 & 0xf0)) & 0x0fff_ffff
            });
            let [buckets, chains] = [word(table, 0)?, word(table, 1)?];
            let mut i = word(table, 2 + u64::from(hash).checked_rem(buckets)?)?;
            while i != 0 {
                // A chain that comes back to where it was has no end.
                if all.len() as u64 > 2 * chains {
                    return None;
                }
                all.push(i as usize);
                i = word(table, 2 + buckets + i)?;
            }
        }
        Some(all)
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

    /// The memory from the first segment to the last.
    pub(super) fn extent(&self) -> Range<u64> {
        let end = self.loads.iter().map(|load| load.memory.end).max().unwrap_or(0);
        self.loads.first().map_or(0, |load| load.memory.start)..end
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
