//! Executes single instructions on concrete values, for comparison with a CPU.

use super::Binary;
use super::address::{Address, Region};
use super::call::{Blocks, Stride};
use super::domain::Numbers;
use super::instruction::{Instruction, Mnemonic, Operand, Place};
use super::processor::{Flags, RSP};
use super::value::Byte;

/// The size of [`Concrete::memory`].
pub const MEMORY: usize = 256;

/// The offset of a memory operand in [`Concrete::memory`].
pub const OPERAND: i64 = 64;

/// The offset of [`Concrete::memory`] in the machine's frame, which is aligned to 64 bytes.
const FROM: i64 = -1024;

/// Concrete registers and memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Concrete<B> {
    /// General registers.
    pub general: [[B; 8]; 16],
    /// Vector registers.
    pub vectors: Vec<[B; 64]>,
    /// Memory.
    pub memory: Vec<B>,
    /// Mask registers.
    pub masks: [[B; 8]; 8],
    /// Flags.
    pub flags: Flags,
}

/// The effects of an instruction. `None` and unknown flags claim nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effects {
    /// Registers and memory.
    pub left: Concrete<Option<u8>>,
    /// Whether it jumps.
    pub jumps: bool,
}

/// The register that points to the memory operand, unless the operand is in the program, and its
/// value relative to the start of [`Concrete::memory`].
pub fn pointer(instruction: &Instruction, general: &[[u8; 8]; 16]) -> Option<(usize, i64)> {
    let place = memory(instruction)?;
    let index = place
        .index
        .map_or(0, |(index, scale)| u64::from_le_bytes(general[index]).wrapping_mul(scale) as i64);
    let base = if place.image { RSP } else { place.base? };
    let offset = if place.image { 0 } else { place.offset };
    Some((base, OPERAND.wrapping_sub(index).wrapping_sub(offset)))
}

fn memory(instruction: &Instruction) -> Option<Place> {
    instruction.operands.iter().find_map(|operand| match operand {
        Operand::Memory(place) if instruction.mnemonic != Mnemonic::Lea => Some(*place),
        _ => None,
    })
}

impl Binary<'_> {
    /// Executes one instruction with its memory operand at [`OPERAND`]. Each register, and the
    /// memory, consists of words if `words` returns true, and of numbers otherwise.
    ///
    /// # Errors
    ///
    /// If the instruction is unsupported for these values.
    pub fn execute(
        &self,
        instruction: &Instruction,
        before: &Concrete<u8>,
        mut words: impl FnMut() -> bool,
    ) -> Result<Effects, String> {
        let call = self.call(Stride::Is(self.kernel.lanes), 0, &[0u64; 16], Blocks::Are(1));
        let len = call.contract.word_len;
        let mut bytes = |from: &[u8]| -> Vec<Byte<u64>> {
            let chunk = |chunk: &[u8]| {
                let word = chunk.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
                (0..chunk.len() as u8).map(move |i| Byte::Of(word, i)).collect::<Vec<_>>()
            };
            if words() {
                from.chunks_exact(len).flat_map(chunk).collect()
            } else {
                from.iter().map(|&byte| Byte::Number(byte)).collect()
            }
        };
        let mut machine = call.entry_state(0, &vec![0; call.contract.words]);
        for (register, from) in machine.general.iter_mut().zip(&before.general) {
            register.copy_from_slice(&bytes(from));
        }
        for (register, from) in machine.vectors.iter_mut().zip(&before.vectors) {
            register.copy_from_slice(&bytes(from));
        }
        machine.aligned = Some((64, 0));
        for (i, byte) in bytes(&before.memory).into_iter().enumerate() {
            machine.frame.set(FROM + i as i64, byte);
        }
        machine.masks = before.masks.map(|mask| mask.map(Byte::Number));
        machine.flags = before.flags;
        let mut point = |register: usize, to: i64| {
            let to = Address::new(Region::Frame, FROM.wrapping_add(to));
            machine.general[register] = call.pointer().register(to);
        };
        point(RSP, 0);
        let mut instruction = instruction.clone();
        let place = memory(&instruction);
        if let Some((base, more)) = pointer(&instruction, &before.general) {
            point(base, more);
            let index = place.and_then(|place| place.index);
            if let Some((index, _)) = index {
                if index == base {
                    return Err("the address of its operand cannot be chosen".into());
                }
                let from = &before.general[index];
                machine.general[index] = std::array::from_fn(|i| Byte::Number(from[i]));
            }
        } else if place.is_some() {
            return Err("the address of its operand cannot be chosen".into());
        }
        for operand in &mut instruction.operands {
            if let Operand::Memory(place) = operand
                && place.image
                && instruction.mnemonic != Mnemonic::Lea
            {
                *place = Place { base: Some(RSP), image: false, offset: 0, ..*place };
            }
        }
        let mut domain = Numbers { bits: 8 * len as u32 };
        let next = call.step(&mut call.words(&mut domain), &mut machine, &instruction)?;
        let known = |byte: &Byte<u64>| match byte {
            Byte::Number(byte) => Some(*byte),
            Byte::Of(word, i) => Some((word >> (8 * i)) as u8),
            Byte::Unknown | Byte::Address(..) | Byte::Bits(..) => None,
        };
        let left = Concrete {
            general: machine.general.map(|register| register.map(|byte| known(&byte))),
            vectors: machine.vectors.iter().map(|vector| vector.map(|byte| known(&byte))).collect(),
            memory: (0..MEMORY as i64).map(|i| known(&machine.frame.get(FROM + i))).collect(),
            masks: machine.masks.map(|mask| mask.map(|byte| known(&byte))),
            flags: machine.flags,
        };
        Ok(Effects { left, jumps: next != Some(instruction.next) })
    }
}
