//! Symbolic execution of machine code. Everything unsupported is a fault, so a function that runs
//! to its end has done nothing forbidden.

use super::address::{Address, Region};
use super::call::Call;
use super::domain::{Domain, Operation};
use super::fault::Fault;
use super::instruction::{Instruction, Mnemonic, Operand, Place};
use super::processor::Processor;
use super::value::{Byte, Content, number};
use super::words::Words;

/// The maximum number of instructions for a few blocks.
const MOST: usize = 1_000_000;

/// The reason for which an execution stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// It has returned to the caller.
    Returned,
    /// It has reached the given address.
    Reached,
    /// The next instruction depends on bits of a message.
    Forked,
}

impl<W: Copy + PartialEq> Call<'_, W> {
    /// Executes until the function returns or reaches `until` again; returns whether it returned.
    /// Calls `goes` with the addresses of each instruction and its successor, if it has one.
    ///
    /// # Errors
    ///
    /// At the first instruction that violates the rules for kernels.
    pub fn run<D: Domain<Word = W>>(
        &self,
        domain: &mut D,
        machine: &mut Processor<W>,
        until: Option<u64>,
        goes: impl FnMut(u64, u64),
    ) -> Result<bool, Fault> {
        match self.run_to_fork(domain, machine, until, goes)? {
            Stop::Returned => Ok(true),
            Stop::Reached => Ok(false),
            Stop::Forked => {
                let instruction = self.code.at(machine.at)?;
                Err(Fault::at(instruction, "the branch target is unknown".into()))
            }
        }
    }

    /// Executes like [`run`](Self::run), but stops at a branch or an instruction that depends on bits of a message.
    pub(super) fn run_to_fork<D: Domain<Word = W>>(
        &self,
        domain: &mut D,
        machine: &mut Processor<W>,
        until: Option<u64>,
        mut goes: impl FnMut(u64, u64),
    ) -> Result<Stop, Fault> {
        for _ in 0..MOST {
            let instruction = self.code.at(machine.at)?;
            let fault = |what: String| Fault::at(instruction, what);
            let mut words = self.words(&mut *domain);
            let next = self.step(&mut words, machine, instruction).map_err(fault)?;
            if machine.fork.is_some() || machine.scanned.is_some() {
                return Ok(Stop::Forked);
            }
            let Some(next) = next else { return Ok(Stop::Returned) };
            goes(instruction.address, next);
            machine.at = next;
            if until == Some(next) {
                return Ok(Stop::Reached);
            }
        }
        Err(Fault::whole("it does not terminate".into()))
    }

    /// Executes an instruction. Returns the next address, or `None` after returning to the caller.
    pub(super) fn step<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &mut Processor<W>,
        instruction: &Instruction,
    ) -> Result<Option<u64>, String> {
        if let Some(feature) =
            instruction.features.iter().find(|&&f| !self.contract.features.has(f))
        {
            return Err(format!("it requires {feature:?}"));
        }
        // The instruction overwrites the carry.
        if instruction.writes_flags && instruction.mnemonic != Mnemonic::Adc {
            machine.carried = None;
        }
        if instruction.writes_flags {
            (machine.compared, machine.tested) = (None, None);
        }
        let vector = |operand: &Operand| matches!(operand, Operand::Vector(..));
        let next = if instruction.operands.iter().any(vector)
            || instruction.mnemonic == Mnemonic::Vzeroupper
        {
            self.vector_step(words, machine, instruction)?;
            Some(instruction.next)
        } else {
            self.general_step(words, machine, instruction)?
        };
        // Even if the instruction does not change it: where paths join, it may have become unknown.
        self.forget_below(machine)?;
        Ok(next)
    }

    /// The address of a memory operand.
    pub(super) fn place<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &Processor<W>,
        place: &Place,
    ) -> Result<Address, String> {
        let sum = self.effective(words, machine, place)?;
        let value = words.value(&sum);
        match value {
            // In a program at a fixed address, numbers may be addresses.
            Content::Address(Address { region: Region::Number, .. }) | Content::Number(_)
                if self.image.is_fixed() =>
            {
                let number = words.whole(value).ok_or("an address is not a number")?;
                Ok(Address { region: Region::Image, ..number })
            }
            Content::Address(address) => Ok(address),
            Content::Number(_) => Err("an address is a constant".into()),
            // Only the length of one other message decides the address.
            Content::Bits(bits)
                if bits.lanes.count_ones() == 1 && bits.lanes & (1 << self.lane) == 0 =>
            {
                Ok(Address::new(Region::Elsewhere, 0))
            }
            _ => Err("an address is unknown or depends on a message".into()),
        }
    }

    /// The bytes of base + index · scale + offset.
    pub(super) fn effective<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &Processor<W>,
        place: &Place,
    ) -> Result<Vec<Byte<W>>, String> {
        if place.gathers.is_some() {
            return Err("unsupported instruction".into());
        }
        if place.image {
            let at = self
                .image
                .place(place.offset as u64)
                .ok_or("an address is outside of all sections")?;
            return Ok(words.pointer.bytes(at));
        }
        let len = words.pointer.0;
        let register = |register: usize| machine.general[register][..len].to_vec();
        let mut sum = place.base.map_or(number(0, len), register);
        if let Some((index, scale)) = place.index {
            let shift = u64::from(scale.trailing_zeros());
            let mut index = register(index);
            if shift != 0 {
                index = words.shifted(Operation::ShiftLeft, &index, shift)?;
            }
            sum = words.arithmetic(Operation::Add, &sum, &index)?;
        }
        words.arithmetic(Operation::Add, &sum, &number(place.offset as u64, len))
    }
}
