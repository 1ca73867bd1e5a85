//! The functions of the module for Linux (`kmod`), as the kernel's build makes them, and called as it
//! calls functions.

use std::fs;
use std::path::Path;

use lanesum_spec::Family;

use super::Binary;
use super::contract::Contract;
use super::fault::Fault;
use super::features::{self, Features};
use super::image::Image;
use super::kernel::{Shipped, Task};
use super::tools::{Scratch, TextError, linked_with, run};
use crate::{emit, stitch};

/// Where functions of a kernel with mitigations jump to return. What it is there changes with the CPU;
/// that it returns is the kernel's word.
const RETURN: &str = "__x86_return_thunk";

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
        let symbol = format!("lanesum_{}", self.name);
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

/// What is in the object of the module's texts.
///
/// # Errors
///
/// If there is none, or if the linker refuses it.
pub fn read(object: &Path) -> Result<Image, TextError> {
    let folder = Scratch::new()?;
    let [source, thunk] = ["return.s", "return.o"].map(|name| folder.file(name));
    let text = format!(
        ".globl {RETURN}\n.hidden {RETURN}\n.type {RETURN}, @function\n{RETURN}:\nret\n\
         .size {RETURN}, .-{RETURN}\n.section .note.GNU-stack, \"\", @progbits\n"
    );
    fs::write(&source, text).map_err(|error| TextError::Io(source.clone(), error))?;
    run("as", &[Path::new("--64"), Path::new("-o"), &thunk, &source])?;
    linked_with(object, &[&thunk])
}

/// Whether a function is a part of the module's: a text behind what aligns its frame, or the way back.
pub(super) fn is_its(name: &str) -> bool {
    name == RETURN || name.starts_with("lanesum_sha") && name.ends_with("_text")
}
