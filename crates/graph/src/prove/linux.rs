//! The functions of the module for Linux (`kmod`), as the kernel's build makes them, and called as it
//! calls functions.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use lanesum_spec::Family;
use object::{Object, ObjectSection, ObjectSymbol, SymbolKind, elf};

use super::Binary;
use super::contract::Contract;
use super::fault::Fault;
use super::features::{self, Features};
use super::image::Image;
use super::kernel::{Shipped, Task};
use super::tools::{Scratch, TextError, has_flag, image_of, link, run};
use crate::{emit, stitch};

/// Where functions of a kernel with mitigations jump to return. What it is there changes with the CPU;
/// that it returns is the kernel's word.
const RETURN: &str = "__x86_return_thunk";

/// The prefix of the names of the module's functions.
const PREFIX: &str = "lanesum_";

/// A function of the module.
pub struct LinuxFunction {
    /// The text's name: algorithm and tier, as `sha512_avx2`.
    pub name: String,
    family: Family,
    features: Features,
}

impl LinuxFunction {
    /// The function in a module's object.
    ///
    /// # Errors
    ///
    /// If there is none, or more than one.
    pub fn find<'a>(&self, image: &'a Image) -> Result<Binary<'a>, Fault> {
        let symbol = format!("{PREFIX}{}", self.name);
        let mut functions = image.named(&symbol);
        let (Some(function), None) = (functions.next(), functions.next()) else {
            return Err(Fault::whole(format!("there is not one function {symbol}")));
        };
        let kernel = Shipped { name: "linux", lanes: 1, family: self.family, task: Task::Compress };
        Ok(Binary::new(image, function, kernel, Contract::of_linux(self.features)))
    }
}

/// Every function of the module: those of the engine's texts that it takes.
pub fn functions() -> impl Iterator<Item = LinuxFunction> {
    let families = [("sha1", Family::Sha1), ("sha256", Family::Sha256), ("sha512", Family::Sha512)];
    let emitted = families.into_iter().flat_map(|(name, family)| {
        [("x86_64", emit::Isa::X86_64), ("bmi2", emit::Isa::Bmi2)].map(|(tier, isa)| {
            LinuxFunction {
                name: format!("{name}_{tier}"),
                family,
                features: features::of_emitted(isa),
            }
        })
    });
    let stitched =
        stitch::kernels().into_iter().filter(|kernel| kernel.isa != stitch::VectorIsa::Sse2);
    let stitched = stitched.map(|kernel| LinuxFunction {
        features: features::of_stitched(kernel.isa),
        name: kernel.name,
        family: kernel.family,
    });
    let instructions = stitch::ShaNiText::all().map(|text| LinuxFunction {
        features: features::of_kernel("sha_ni_x1"),
        name: text.name.to_owned(),
        family: text.family,
    });
    emitted.chain(stitched).chain(instructions)
}

/// Sections by which the kernel changes code when it loads a module, or later: alternatives for other
/// CPUs, paravirtual calls, locks of a single CPU, jump labels, static calls, tracing and checks of
/// indirect calls. Sections of mitigations are allowed: the kernel checks that it replaces a return, a call
/// or an `endbr64`, by another form of the same.
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

/// Sections whose memory the kernel frees once a module is loaded, or does not load.
const FREED: [&str; 2] = [".init", ".exit"];

/// The beginnings of the names of sections that loaders of programs protect after they have written to them. The
/// kernel does not.
const WRITTEN: [&str; 2] = [".data.rel.ro", ".got"];

/// Sections that the linker itself changes: nothing that is proven is in them.
const EDITED: [&str; 2] = [".eh_frame", ".note"];

/// The sections of a file that are in memory, by name and length.
fn loaded_sections(data: &[u8]) -> Result<Vec<(String, u64)>, TextError> {
    let wrong = |error| TextError::Fault(None, Fault::whole(format!("it cannot be read: {error}")));
    let file = object::File::parse(data).map_err(wrong)?;
    let mut all = Vec::new();
    for section in file.sections().filter(|section| section.size() > 0) {
        let name = section.name().map_err(wrong)?;
        if has_flag(&section, elf::SHF_ALLOC) && !EDITED.iter().any(|own| name.starts_with(own)) {
            all.push((name.to_owned(), section.size()));
        }
    }
    Ok(all)
}

/// Checks that every section of an object is one section of the library that the linker makes of it. The kernel
/// joins none.
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

/// Checks that the code in an object is what runs in the kernel.
fn check_unpatched(data: &[u8]) -> Result<(), TextError> {
    let refused = |what: String| Err(TextError::Fault(None, Fault::whole(what)));
    let wrong = |error| TextError::Fault(None, Fault::whole(format!("it cannot be read: {error}")));
    let file = object::File::parse(data).map_err(wrong)?;
    for section in file.sections().filter(|section| section.size() > 0) {
        let name = section.name().map_err(wrong)?;
        let is_one = |all: &[&str]| all.iter().any(|one| name.starts_with(one));
        // The linker joins sections of these names with anything appended.
        if is_one(&PATCHED) {
            return refused(format!("the kernel changes its code by section {name}"));
        }
        if is_one(&FREED) {
            return refused(format!("the kernel does not keep section {name}"));
        }
        if is_one(&WRITTEN) {
            return refused(format!("the kernel does not protect section {name}"));
        }
        if has_flag(&section, elf::SHF_ALLOC) && has_flag(&section, elf::SHF_MERGE) {
            return refused(format!("the linker merges what is in section {name}"));
        }
    }
    let own: BTreeSet<String> = functions().map(|one| format!("{PREFIX}{}", one.name)).collect();
    let mut names = BTreeSet::new();
    for symbol in file.symbols() {
        let name = symbol.name().map_err(wrong)?;
        // A weak one gives way to the linker's here, and not in the kernel.
        if name == RETURN && !symbol.is_undefined() {
            return refused(format!("it defines {RETURN}, which is the kernel's"));
        }
        // Other objects call the one that is global, and prefer any to a weak one.
        let is_found = symbol.is_global() && !symbol.is_weak() && symbol.kind() == SymbolKind::Text;
        if own.contains(name) && !(is_found && names.insert(name.to_owned())) {
            return refused(format!("other objects do not call its {name}"));
        }
        // The linker defines some that the kernel does not: there a weak one is zero.
        if name != RETURN && symbol.is_undefined() {
            return refused(format!("it refers to {name}, which it does not define"));
        }
    }
    Ok(())
}

/// Reads the object of the module's texts.
///
/// # Errors
///
/// Returns an error if the file cannot be read or linked, or if the kernel loads it differently.
pub fn read(object: &Path) -> Result<Image, TextError> {
    let data = fs::read(object).map_err(|error| TextError::Io(object.to_owned(), error))?;
    check_unpatched(&data)?;
    let folder = Scratch::new()?;
    let [source, thunk] = ["return.s", "return.o"].map(|name| folder.file(name));
    // A separate section, whose distance from the module's code is unknown.
    let text = format!(
        ".section .return, \"ax\"\n.globl {RETURN}\n.hidden {RETURN}\n.type {RETURN}, @function\n\
         {RETURN}:\nret\n.size {RETURN}, .-{RETURN}\n.section .note.GNU-stack, \"\", @progbits\n"
    );
    fs::write(&source, text).map_err(|error| TextError::Io(source.clone(), error))?;
    run("as", &[Path::new("--64"), Path::new("-o"), &thunk, &source])?;
    let library = link(object, &[&thunk])?;
    check_sections(&data, &library)?;
    image_of(&library)
}

/// Whether a function is a part of the module's: a text behind what aligns its frame, or the way back.
pub(super) fn is_its(name: &str) -> bool {
    name == RETURN || name.starts_with("lanesum_sha") && name.ends_with("_text")
}
