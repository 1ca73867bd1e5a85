//! A machine that runs machine code on symbols. Whatever has no meaning here is a
//! fault, so that a function that runs to its end did nothing else than it may.

use super::super::domain::Domain;
use super::Fault;
use super::call::Call;
use super::instruction::{Instruction, Operand, Place};
use super::memory::Downwards;
use super::value::{Address, Byte, Region, Value, Words, address, number};

/// Flags, as far as they are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// Whether the result is zero.
    pub zero: Option<bool>,
    /// Whether there was a carry or a borrow.
    pub carry: Option<bool>,
    /// The highest bit of the result.
    pub sign: Option<bool>,
    /// Whether the result is none of its size with a sign.
    pub overflow: Option<bool>,
}

/// Registers and memory.
#[derive(Clone, Debug)]
pub struct Machine<W> {
    /// General registers, in the order of their numbers.
    pub general: [[Byte<W>; 8]; 16],
    /// Vector registers.
    pub vectors: Vec<[Byte<W>; 64]>,
    /// Flags.
    pub flags: Flags,
    /// The stack, from the return address down.
    pub stack: Downwards<W>,
    /// The same, from where its pointer was aligned.
    pub frame: Downwards<W>,
    /// To how many bytes that was, and below which offset of the stack all is the frame's.
    pub aligned: Option<(i64, i64)>,
    /// Registers of masks, as far as they are known.
    pub masks: [Option<u64>; 8],
    /// The chaining values.
    pub state: Vec<Byte<W>>,
    /// Where digests are to be.
    pub out: Vec<Byte<W>>,
    /// The next instruction.
    pub at: u64,
}

/// More instructions than any kernel needs for a few blocks.
const MOST: usize = 1_000_000;

/// The stack pointer.
pub const RSP: usize = 4;

impl<W: Copy + PartialEq> Call<'_, W> {
    /// Runs until the caller's turn, or until it is at `until` again. Whether it is
    /// the caller's is returned; `goes` is told of every instruction that another
    /// follows, and where that is.
    ///
    /// # Errors
    ///
    /// At the first instruction that does what kernels may not.
    pub fn run<D: Domain<Word = W>>(
        &self,
        domain: &mut D,
        machine: &mut Machine<W>,
        until: Option<u64>,
        mut goes: impl FnMut(u64, u64),
    ) -> Result<bool, Fault> {
        for _ in 0..MOST {
            let instruction = self.code.at(machine.at)?;
            let fault = |what: String| Fault::at(instruction, what);
            let mut words = Words { domain: &mut *domain, len: self.word_len };
            let next = self.step(&mut words, machine, instruction).map_err(fault)?;
            let Some(next) = next else { return Ok(true) };
            goes(instruction.address, next);
            machine.at = next;
            if until == Some(next) {
                return Ok(false);
            }
        }
        Err(Fault::whole("it does not come to an end".into()))
    }

    /// One instruction, and where the next is: none if the caller's.
    pub(super) fn step<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &mut Machine<W>,
        instruction: &Instruction,
    ) -> Result<Option<u64>, String> {
        if let Some(feature) = instruction.features.iter().find(|&&f| !(self.features)(f)) {
            return Err(format!("it needs {feature:?}"));
        }
        let vector = |operand: &Operand| matches!(operand, Operand::Vector(..));
        if instruction.operands.iter().any(vector) || instruction.name == "vzeroupper" {
            self.vector_step(words, machine, instruction)?;
            return Ok(Some(instruction.next));
        }
        self.general_step(words, machine, instruction)
    }

    /// Where a place in memory is.
    pub(super) fn place<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &Machine<W>,
        place: &Place,
    ) -> Result<Address, String> {
        let sum = self.effective(words, machine, place)?;
        match words.value(&sum) {
            Value::Address(address) => Ok(address),
            Value::Number(_) => Err("an address is a mere number".into()),
            _ => Err("an address depends on what is not known, or on a message".into()),
        }
    }

    /// The bytes of base + index · scale + offset.
    pub(super) fn effective<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &Machine<W>,
        place: &Place,
    ) -> Result<Vec<Byte<W>>, String> {
        use crate::emit::semantics::Function::{Add, ShiftLeft};
        if place.image {
            return Ok(address(Address::new(Region::Image, place.offset)));
        }
        let mut sum = place.base.map_or(number(0, 8), |base| machine.general[base].to_vec());
        if let Some((index, scale)) = place.index {
            let shift = u64::from(scale.trailing_zeros());
            let index = machine.general[index];
            let index = if shift == 0 {
                index.to_vec()
            } else {
                words.shifted(ShiftLeft, &index, shift)?
            };
            sum = words.arithmetic(Add, &sum, &index)?;
        }
        words.arithmetic(Add, &sum, &number(place.offset as u64, 8))
    }
}
