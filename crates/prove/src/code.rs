//! The code of a kernel.

use std::collections::BTreeMap;

use super::address::Address;
use super::fault::Fault;
use super::image::{Function, Image};
use super::instruction::{Instruction, Mnemonic, Operand, decode};
use super::kernel::ENGINE;
use super::linux;
use super::value::Byte;

/// A decoded function and its callees.
#[derive(Clone)]
pub struct Code {
    /// By address; `Err` has the text of an unsupported instruction.
    instructions: BTreeMap<u64, Result<Instruction, String>>,
    /// The entry points.
    functions: Vec<u64>,
}

impl Code {
    /// Decodes `function` and, transitively, the engine's functions that it calls.
    pub fn new(image: &Image, function: &Function) -> Self {
        let mut code = Self { instructions: BTreeMap::new(), functions: Vec::new() };
        let mut wanted = vec![function.clone()];
        let bits = 8 * image.pointer().0 as u32;
        while let Some(function) = wanted.pop() {
            if code.functions.contains(&function.address) {
                continue;
            }
            code.functions.push(function.address);
            for found in decode(&function.code, function.address, bits) {
                match found {
                    // The loader changes this instruction, or its meaning depends on the final
                    // link.
                    Ok(one)
                        if image.is_relocated(one.address, one.next)
                            || image.leads_astray(&one) =>
                    {
                        code.instructions.insert(one.address, Err(one.text));
                    }
                    Ok(instruction) => {
                        wanted.extend(called(image, &instruction).filter(|f| is_ours(f)).cloned());
                        code.instructions.insert(instruction.address, Ok(instruction));
                    }
                    Err((address, text)) => {
                        code.instructions.insert(address, Err(text));
                    }
                }
            }
        }
        code
    }

    /// The instruction at an address.
    ///
    /// # Errors
    ///
    /// If there is no supported instruction.
    pub fn at(&self, address: u64) -> Result<&Instruction, Fault> {
        match self.instructions.get(&address) {
            Some(Ok(instruction)) => Ok(instruction),
            Some(Err(text)) => Err(Fault {
                at: Some((address, text.clone())),
                what: "unsupported or relocated instruction".into(),
            }),
            None => Err(Fault {
                at: Some((address, String::new())),
                what: "it jumps outside of the kernel's code".into(),
            }),
        }
    }

    /// All instructions, by address.
    pub fn instructions(&self) -> impl Iterator<Item = &Instruction> {
        self.instructions.values().filter_map(|found| found.as_ref().ok())
    }

    /// Whether an instruction starts at an address.
    pub fn has(&self, address: u64) -> bool {
        self.instructions.contains_key(&address)
    }

    /// A copy with one instruction replaced.
    pub fn changed(&self, instruction: Instruction) -> Self {
        let mut code = self.clone();
        code.instructions.insert(instruction.address, Ok(instruction));
        code
    }

    /// The entry points of the function and its callees.
    pub fn functions(&self) -> impl Iterator<Item = u64> {
        self.functions.iter().copied()
    }

    /// Whether an address is an entry point.
    pub fn is_function(&self, address: u64) -> bool {
        self.functions.contains(&address)
    }
}

/// Whether a function belongs to the engine, the specification or the Linux module. Others belong
/// to the standard library, which kernels reach only by panicking.
fn is_ours(function: &Function) -> bool {
    let path = function.name.trim_start_matches('<');
    path.starts_with(ENGINE) || path.starts_with("lanesum_spec::") || linux::is_its(path)
}

/// The target of a direct call or jump, or of one through a constant pointer.
fn called<'a>(
    image: &'a Image,
    instruction: &Instruction,
) -> impl Iterator<Item = &'a Function> + use<'a> {
    let target = match (instruction.mnemonic, &instruction.operands[..]) {
        (Mnemonic::Call | Mnemonic::Jmp, [Operand::Target(target)]) => Some(*target),
        (Mnemonic::Call | Mnemonic::Jmp, [Operand::Memory(place)]) if place.image => {
            match image.byte::<u64>(place.offset as u64) {
                Some(Byte::Address(Address { region, offset, .. }, 0)) if region.is_image() => {
                    Some(offset as u64)
                }
                _ => None,
            }
        }
        _ => None,
    };
    target.and_then(|target| image.function(target)).into_iter()
}
