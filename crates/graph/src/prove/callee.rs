//! Functions that a kernel calls, and that are not executed: one that is proven by itself, and what
//! C says of another.

use super::address::{Address, Region};
use super::call::Call;
use super::contract::Argument;
use super::domain::Domain;
use super::general::size;
use super::instruction::Operand;
use super::processor::{Flags, Processor, RSP};
use super::value::{Byte, Bytes, Content};
use super::words::Words;

impl<W: Copy + PartialEq> Call<'_, W> {
    /// Whether it is such a function that is called; then it has done what it does.
    pub(super) fn called_out<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &mut Processor<W>,
        target: &Operand,
    ) -> Result<bool, String> {
        let at = match target {
            Operand::Target(at) => match self.image.through(*at) {
                // The linker's way there.
                Some(slot) => {
                    let slot = Address::new(Region::Image, slot);
                    let bytes = self.load(machine, slot, words.pointer.0)?;
                    let Content::Address(at) = words.value(&bytes) else { return Ok(false) };
                    at
                }
                None => Address::new(Region::Image, *at as i64),
            },
            // Far ones have a segment beside.
            _ if size(target)? != words.pointer.0 => return Ok(false),
            _ => {
                let bytes = self.read(words, machine, target, words.pointer.0)?;
                let Content::Address(at) = words.value(&bytes) else { return Ok(false) };
                at
            }
        };
        let is_code = self.image.is_within(at) && at.is_fixed();
        let is_memset = at == Address::new(Region::Memset, 0);
        let compresses = self.case().is_some()
            && self.compress.map(|(at, _)| *at as i64) == is_code.then_some(at.offset);
        if !is_memset && !compresses {
            return Ok(false);
        }
        // In Linux itself no other function is called.
        let Content::Address(top) = words.value(&machine.general[RSP][..words.pointer.0]) else {
            return Err("it calls what is no kernel's".into());
        };
        if self.in_linux {
            return Err("it calls what is no kernel's".into());
        }
        if !self.is_aligned(machine, top, 16) {
            return Err("the stack is not aligned for a call".into());
        }
        let arguments = if is_memset {
            self.filled(words, machine, top)?;
            3
        } else {
            self.compressed(words, machine, top)?;
            self.compress.map_or(0, |(_, arguments)| arguments.len())
        };
        self.forget_what_a_call_changes(machine, top);
        // Arguments on the stack are the called function's.
        let on_stack = arguments.saturating_sub(self.convention().registers().len());
        for i in 0..on_stack * words.pointer.0 {
            self.store(machine, top.plus(i as i64), &[Byte::Unknown])?;
        }
        Ok(true)
    }

    /// The bytes of an argument of a function that is about to be called.
    fn argument(&self, machine: &Processor<W>, top: Address, i: usize) -> Result<Bytes<W>, String> {
        let (registers, len) = (self.convention().registers(), self.pointer().0);
        match registers.get(i) {
            Some(&register) => Ok(machine.general[register][..len].to_vec()),
            None => self.load(machine, top.plus(((i - registers.len()) * len) as i64), len),
        }
    }

    /// C's memset: so many bytes are another.
    fn filled<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &mut Processor<W>,
        top: Address,
    ) -> Result<(), String> {
        let argument = |machine: &Processor<W>, i| self.argument(machine, top, i);
        let to = words.value(&argument(machine, 0)?);
        let len = words.value(&argument(machine, 2)?);
        let (Content::Address(to), Content::Number(len @ 0..=0x10000)) = (to, len) else {
            return Err("what memory it fills is not known".into());
        };
        // Below is what it has on the stack itself, and its arguments.
        let on_stack = 3usize.saturating_sub(self.convention().registers().len());
        let own = top.plus((on_stack * words.pointer.0) as i64);
        if to.region == own.region && to.offset < own.offset {
            return Err("it fills what the function that does it has on the stack".into());
        }
        let byte = argument(machine, 1)?[0];
        self.store(machine, to, &vec![byte; len as usize])?;
        Ok(())
    }

    /// The whole blocks that every message has are compressed. What the chaining value then is has
    /// the name that it had before.
    fn compressed<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &mut Processor<W>,
        top: Address,
    ) -> Result<(), String> {
        let case = self.case().ok_or("it calls what is no kernel's")?;
        if std::mem::replace(&mut machine.has_compressed, true) {
            return Err("it compresses whole blocks again".into());
        }
        let arguments = self.compress.map_or(&[][..], |(_, arguments)| arguments);
        for (i, &argument) in arguments.iter().enumerate() {
            let wanted = match argument {
                Argument::Blocks => Some(Address::counted(1, self.whole_blocks())),
                _ => self.given(argument),
            };
            let Some(wanted) = wanted else { continue };
            if self.argument(machine, top, i)? != words.pointer.bytes(wanted) {
                return Err("it calls the kernel with other arguments".into());
            }
        }
        if !self.is_lane(machine, &case.chaining) {
            return Err("it calls the kernel with another chaining value".into());
        }
        let state = machine.state.clone();
        for byte in machine.bytes_mut().filter(|byte| matches!(byte, Byte::Of(..))) {
            *byte = Byte::Unknown;
        }
        machine.state = state;
        Ok(())
    }

    /// Registers that are the caller's to keep, and what is below the stack pointer.
    fn forget_what_a_call_changes(&self, machine: &mut Processor<W>, top: Address) {
        let saved = self.convention().saved();
        for i in (0..16).filter(|i| *i != RSP && !saved.contains(i)) {
            machine.general[i].fill(Byte::Unknown);
        }
        machine.vectors.iter_mut().for_each(|vector| vector.fill(Byte::Unknown));
        machine.masks.iter_mut().for_each(|mask| mask.fill(Byte::Unknown));
        machine.flags = Flags::default();
        (machine.compared, machine.carried) = (None, None);
        if top.region == Region::Frame {
            machine.frame.truncate(top.offset);
        } else {
            machine.stack.truncate(top.offset);
            machine.frame.bytes.clear();
        }
    }
}
