//! Functions that a kernel calls, and that are not executed: one that is proven by itself, and what
//! C says of another.

use super::address::{Address, Region};
use super::call::Call;
use super::case::Case;
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
            && self.compress.map(|whole| whole.entry as i64) == is_code.then_some(at.offset);
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
            self.compress.map_or(0, |whole| whole.arguments.len())
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
        let arguments = self.compress.map_or(&[][..], |whole| &whole.arguments[..]);
        if case.len.is_some() {
            return self.compressed_copied(words, machine, top, (case, arguments));
        }
        if std::mem::replace(&mut machine.has_compressed, true) {
            return Err("it compresses whole blocks again".into());
        }
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
        self.begun(machine, case)
    }

    /// The chaining value is now that of the blocks before the block at hand, under the name that it had
    /// before.
    fn begun(&self, machine: &mut Processor<W>, case: &Case<W>) -> Result<(), String> {
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

    /// Some blocks are compressed by a function that pads a copy of a message's end: all whole blocks
    /// before the block at hand, or one or two blocks wherever they are.
    fn compressed_copied<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &mut Processor<W>,
        top: Address,
        (case, arguments): (&Case<W>, &[Argument]),
    ) -> Result<(), String> {
        let pointer = words.pointer;
        let (mut blocks, mut slice) = (Content::Unknown, None);
        for (i, &argument) in arguments.iter().enumerate() {
            let bytes = self.argument(machine, top, i)?;
            match (argument, self.given(argument)) {
                (Argument::Blocks, _) => blocks = words.value(&bytes),
                (Argument::Slices, _) => {
                    let Content::Address(at) = words.value(&bytes) else {
                        return Err("where the slice is, is not known".into());
                    };
                    let parts = [at, at.plus(pointer.0 as i64)];
                    let [from, len] = parts.map(|part| self.load(machine, part, pointer.0));
                    slice = Some((words.value(&from?), words.value(&len?)));
                }
                (_, Some(given)) if bytes != pointer.bytes(given) => {
                    return Err("it calls the kernel with other arguments".into());
                }
                _ => {}
            }
        }
        let Some((Content::Address(from), len)) = slice else {
            return Err("where the blocks are, is not known".into());
        };
        let is_begun = case.len.is_some_and(|len| len.done != 0);
        let all = Address { done: 1, ..Address::new(Region::Number, 0) };
        let message = Address::new(Region::Message(0), 0);
        if is_begun && !machine.has_compressed {
            let is_whole =
                (blocks, from) == (Content::Address(all), message) && case.len == words.whole(len);
            if !is_whole {
                return Err("it leaves whole blocks out".into());
            }
            machine.has_compressed = true;
            return self.begun(machine, case);
        }
        let (Content::Number(blocks @ 1..=2), Content::Number(len)) = (blocks, len) else {
            return Err("how many blocks it compresses is not known".into());
        };
        let bytes = blocks as usize * self.block_len() as usize;
        if len < bytes as u64 {
            return Err("it compresses more blocks than there are".into());
        }
        let unknown = "a word of a block is not known";
        let mut block = Vec::new();
        for bytes in self.load(machine, from, bytes)?.chunks_exact_mut(self.word_len) {
            if self.big_endian {
                bytes.reverse();
            }
            let word = words.value(bytes);
            block.push(words.as_word(word).ok_or(unknown)?);
        }
        let mut state = self.lane_words(words, machine).ok_or("the chaining value is not known")?;
        for block in block.chunks_exact(self.block_words) {
            state = words.domain.compressed(&state, block).ok_or(unknown)?;
        }
        self.set_lane(machine, &state);
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
