//! The functions of the Linux module (`kmod`), as built and called by the kernel.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use lanesum_spec::Family;
use object::{Object, ObjectSection, ObjectSymbol, RelocationTarget, SectionKind, SymbolKind, elf};

use super::Binary;
use super::contract::Contract;
use super::fault::{Fault, unreadable};
use super::features::Features;
use super::image::Image;
use super::kernel::{Shipped, Task};
use super::loaded::has_flag;
use super::tools::{Scratch, TextError, image_of, link, run};
use super::unambiguous::is_of;

/// The return thunk of kernels with mitigations. The kernel patches it for the CPU, and guarantees
/// that it returns.
const RETURN: &str = "__x86_return_thunk";

/// The prefix of the module's function names.
const PREFIX: &str = "lanesum_";

/// A function of the module.
pub struct LinuxFunction {
    /// Its name: algorithm and tier, such as `sha512_avx2`.
    pub name: String,
    /// The family of its compression function.
    pub family: Family,
    /// The features of the CPUs for which the module uses it.
    pub features: Features,
}

impl LinuxFunction {
    /// Finds the function in a module's object.
    ///
    /// # Errors
    ///
    /// If there is not exactly one.
    pub fn find<'a>(&self, image: &'a Image) -> Result<Binary<'a>, Fault> {
        let symbol = format!("{PREFIX}{}", self.name);
        let mut functions = image.named(&symbol);
        let (Some(function), None) = (functions.next(), functions.next()) else {
            return Err(Fault::whole(format!("not exactly one function {symbol}")));
        };
        let kernel = Shipped { name: "linux", lanes: 1, family: self.family, task: Task::Compress };
        Ok(Binary::new(image, function, kernel, Contract::of_linux(self.family, self.features)))
    }
}

/// Sections that make the kernel patch code when it loads a module, or later: alternatives for
/// other CPUs, paravirtual calls, locks on uniprocessors, jump labels, static calls, tracing, and
/// indirect call checks.
const PATCHED: [&str; 8] = [
    ".altinstructions",
    ".parainstructions",
    ".smp_locks",
    "__jump_table",
    ".static_call_sites",
    "__mcount_loc",
    "__patchable_function_entries",
    ".cfi_sites",
];

/// Prefixes of sections that the kernel frees after loading a module, or does not load.
const FREED: [&str; 2] = [".init", ".exit"];

/// Prefixes of sections that user-space loaders make read-only after relocation. The kernel does
/// not.
const WRITTEN: [&str; 2] = [".data.rel.ro", ".got"];

/// Other sections that a module's assembly functions may have: the sites of return thunks, which the kernel
/// replaces by equivalent code, and the tables of unwinders. The kernel sorts some of them.
const TABLES: [&str; 5] =
    [".return_sites", ".orc_header", ".orc_unwind", ".orc_unwind_ip", ".eh_frame"];

/// Whether a section contains code or constants that the kernel does not change, according to its name
/// and type.
fn is_proven<'f>(name: &str, section: &impl ObjectSection<'f>) -> bool {
    match section.kind() {
        SectionKind::Text => name.starts_with(".text"),
        SectionKind::ReadOnlyData => is_of(name, ".rodata"),
        _ => false,
    }
}

/// Whether nothing that is proven can be in a section, and the linker may rewrite it.
fn is_edited(name: &str, kind: SectionKind) -> bool {
    name == ".eh_frame" || kind == SectionKind::Note && name.starts_with(".note")
}

/// The names and sizes of a file's sections that occupy memory.
fn loaded_sections(data: &[u8]) -> Result<Vec<(String, u64)>, TextError> {
    let file = object::File::parse(data).map_err(unreadable)?;
    let mut all = Vec::new();
    for section in file.sections().filter(|section| section.size() > 0) {
        let name = section.name().map_err(unreadable)?;
        if has_flag(&section, elf::SHF_ALLOC) && !is_edited(name, section.kind()) {
            all.push((name.to_owned(), section.size()));
        }
    }
    Ok(all)
}

/// Checks that each section of an object is a single section of the library linked from it. The
/// kernel does not merge sections.
fn check_sections(object: &[u8], library: &[u8]) -> Result<(), TextError> {
    let linked = loaded_sections(library)?;
    for section in loaded_sections(object)? {
        if linked.iter().filter(|one| **one == section).count() != 1 {
            let what = format!("the kernel loads section {} separately", section.0);
            return Err(TextError::Fault(None, Fault::whole(what)));
        }
    }
    Ok(())
}

/// Checks that the code in an object is the code that runs in the kernel.
fn check_unpatched(data: &[u8], functions: &[LinuxFunction]) -> Result<(), TextError> {
    let refused = |what: String| Err(TextError::Fault(None, Fault::whole(what)));
    let file = object::File::parse(data).map_err(unreadable)?;
    for section in file.sections().filter(|section| section.size() > 0) {
        let name = section.name().map_err(unreadable)?;
        let is_one = |all: &[&str]| all.iter().any(|one| name.starts_with(one));
        // The linker merges sections with any suffix of these names.
        if is_one(&PATCHED) {
            return refused(format!("the kernel patches code listed in section {name}"));
        }
        if is_one(&FREED) {
            return refused(format!("the kernel discards section {name}"));
        }
        if is_one(&WRITTEN) {
            return refused(format!("the kernel does not protect section {name}"));
        }
        if !has_flag(&section, elf::SHF_ALLOC) {
            continue;
        }
        if has_flag(&section, elf::SHF_MERGE) {
            return refused(format!("the linker merges the contents of section {name}"));
        }
        if !is_proven(name, &section) && !is_edited(name, section.kind()) && !TABLES.contains(&name)
        {
            return refused(format!("the kernel may change section {name}"));
        }
    }
    // Code, and tables of addresses, may refer only to sections that the kernel leaves unchanged.
    for section in file.sections() {
        let name = section.name().map_err(unreadable)?;
        for (_, relocation) in section.relocations().filter(|_| is_proven(name, &section)) {
            let RelocationTarget::Symbol(symbol) = relocation.target() else { continue };
            let symbol = file.symbol_by_index(symbol).map_err(unreadable)?;
            let Some(section) = symbol.section_index() else { continue };
            let section = file.section_by_index(section).map_err(unreadable)?;
            let to = section.name().map_err(unreadable)?;
            if !is_proven(to, &section) {
                let what = format!("section {name} refers to {to}, which the kernel may change");
                return refused(what);
            }
        }
    }
    let own: BTreeSet<String> =
        functions.iter().map(|one| format!("{PREFIX}{}", one.name)).collect();
    let mut names = BTreeSet::new();
    for symbol in file.symbols() {
        let name = symbol.name().map_err(unreadable)?;
        // The linker would prefer its own definition to a weak one; the kernel does not.
        if name == RETURN && !symbol.is_undefined() {
            return refused(format!("it defines {RETURN}, which is the kernel's"));
        }
        // Other objects resolve the name to a global symbol, and prefer any to a weak one.
        let is_found = symbol.is_global() && !symbol.is_weak() && symbol.kind() == SymbolKind::Text;
        if own.contains(name) && !(is_found && names.insert(name.to_owned())) {
            return refused(format!("other objects do not resolve {name} to this function"));
        }
        if symbol.is_weak() && !symbol.is_undefined() {
            return refused(format!("another object may define {name}, which is weak"));
        }
        // The linker defines symbols that the kernel does not, where an undefined weak symbol is
        // zero.
        if name != RETURN && symbol.is_undefined() {
            return refused(format!("undefined symbol {name}"));
        }
    }
    Ok(())
}

/// Reads the object of the module's assembly functions, which contains at least these.
///
/// # Errors
///
/// Returns an error if the file cannot be read or linked, or if the kernel loads it differently.
pub fn read(object: &Path, functions: &[LinuxFunction]) -> Result<Image, TextError> {
    let data = fs::read(object).map_err(|error| TextError::Io(object.to_owned(), error))?;
    check_unpatched(&data, functions)?;
    let folder = Scratch::new()?;
    let [source, thunk] = ["return.s", "return.o"].map(|name| folder.file(name));
    // A separate section, at an unknown distance from the module's code.
    let text = format!(
        ".section .return, \"ax\"\n.globl {RETURN}\n.hidden {RETURN}\n.type {RETURN}, @function\n\
         {RETURN}:\nret\n.size {RETURN}, .-{RETURN}\n.section .note.GNU-stack, \"\", @progbits\n"
    );
    fs::write(&source, text).map_err(|error| TextError::Io(source.clone(), error))?;
    run("as", &[Path::new("--64"), Path::new("-o"), &thunk, &source])?;
    let library = link(&data, &[&thunk])?;
    check_sections(&data, &library)?;
    // Symbols that it does not define were refused.
    image_of(&library, BTreeSet::new()).map(Image::of_linux)
}

/// Whether a function belongs to the module: an assembly function called by a frame-aligning
/// wrapper, or the return thunk.
pub(super) fn is_its(name: &str) -> bool {
    name == RETURN || name.starts_with("lanesum_sha") && name.ends_with("_text")
}
