//! Calls that the proof does not follow: a function with its own proof, and `memset` as C specifies
//! it.

use super::Whole;
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

/// Bytes of stack that `memset` may use below its return address.
const MEMSET_STACK: i64 = 4 << 10;

impl<W: Copy + PartialEq> Call<'_, W> {
    /// Applies the effect of such a call; returns false if the callee must be executed.
    pub(super) fn called_out<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &mut Processor<W>,
        target: &Operand,
    ) -> Result<bool, String> {
        let at = match target {
            Operand::Target(at) => match self.image.through(*at) {
                // A PLT stub.
                Some(slot) => {
                    let slot = Address::new(Region::Image, slot);
                    let bytes = self.load(machine, slot, words.pointer.0)?;
                    let Content::Address(at) = words.value(&bytes) else { return Ok(false) };
                    at
                }
                None => Address::new(Region::Image, *at as i64),
            },
            // Far pointers include a segment.
            _ if size(target)? != words.pointer.0 => return Ok(false),
            _ => {
                let bytes = self.read(words, machine, target, words.pointer.0)?;
                let Content::Address(at) = words.value(&bytes) else { return Ok(false) };
                at
            }
        };
        let is_code = self.image.is_within(at) && at.is_fixed();
        let is_memset = at == Address::new(Region::Memset, 0);
        let is_entry = |whole: &Whole| is_code && whole.entry as i64 == at.offset;
        let compresses = self.case().is_some() && self.compress.is_some_and(is_entry);
        if !is_memset && !compresses {
            return Ok(false);
        }
        // Code in the Linux kernel calls no other function.
        let Content::Address(top) = words.value(&machine.general[RSP][..words.pointer.0]) else {
            return Err("it calls a function outside of the kernel".into());
        };
        if self.contract.in_linux {
            return Err("it calls a function outside of the kernel".into());
        }
        if !self.is_aligned(machine, top, 16) {
            return Err("the stack is not aligned for a call".into());
        }
        // The proof of `compress` assumes half of the stack below its return address.
        let (name, callees) = match is_memset {
            true => ("memset", MEMSET_STACK),
            false => ("compress", self.convention().most_stack() / 2),
        };
        let lowest = top.offset - callees - words.pointer.0 as i64;
        if lowest < self.lowest_offset(machine, top.region) {
            return Err(format!("too little stack is left for {name}"));
        }
        let arguments = match is_memset {
            true => 3,
            false => self.compress.map_or(0, |whole| whole.arguments.len()),
        };
        let on_stack = arguments.saturating_sub(self.convention().registers().len());
        let len = (on_stack * words.pointer.0) as i64;
        if is_memset {
            self.filled(words, machine, (top, len))?;
        } else {
            self.compressed(words, machine, (top, len))?;
        }
        self.forget_what_a_call_changes(machine, top);
        // The callee may overwrite its stack arguments.
        for i in 0..len {
            self.store(machine, top.plus(i), &[Byte::Unknown])?;
        }
        Ok(true)
    }

    /// Whether `at` is in the callee's part of the stack: below the stack pointer `top`, including the red
    /// zone, or in the `arguments` bytes of its stack arguments.
    fn is_callees(at: Address, (top, arguments): (Address, i64)) -> bool {
        at.region == top.region && at.offset < top.offset.saturating_add(arguments)
    }

    /// The bytes of argument `i` of a call.
    fn argument(&self, machine: &Processor<W>, top: Address, i: usize) -> Result<Bytes<W>, String> {
        let (registers, len) = (self.convention().registers(), self.pointer().0);
        match registers.get(i) {
            Some(&register) => Ok(machine.general[register][..len].to_vec()),
            None => self.load(machine, top.plus(((i - registers.len()) * len) as i64), len),
        }
    }

    /// C's `memset`.
    fn filled<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &mut Processor<W>,
        (top, arguments): (Address, i64),
    ) -> Result<(), String> {
        let argument = |machine: &Processor<W>, i| self.argument(machine, top, i);
        let to = words.value(&argument(machine, 0)?);
        let len = words.value(&argument(machine, 2)?);
        let (Content::Address(to), Content::Number(len @ 0..=0x10000)) = (to, len) else {
            return Err("the range of a memset is unknown".into());
        };
        if Self::is_callees(to, (top, arguments)) {
            return Err("a memset overwrites its own frame".into());
        }
        let byte = argument(machine, 1)?[0];
        self.store(machine, to, &vec![byte; len as usize])?;
        Ok(())
    }

    /// Compresses the whole blocks that all messages have. The symbol of the previous chaining
    /// value then denotes the new one.
    fn compressed<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &mut Processor<W>,
        (top, on_stack): (Address, i64),
    ) -> Result<(), String> {
        let case = self.case().ok_or("it calls a function outside of the kernel")?;
        let arguments = self.compress.map_or(&[][..], |whole| &whole.arguments[..]);
        if case.len.is_some() {
            return self.compressed_copied(words, machine, (top, on_stack), (case, arguments));
        }
        if std::mem::replace(&mut machine.has_compressed, true) {
            return Err("it compresses whole blocks twice".into());
        }
        for (i, &argument) in arguments.iter().enumerate() {
            let wanted = match argument {
                Argument::Blocks => Some(Address::counted(1, self.whole_blocks())),
                _ => self.argument_value(argument),
            };
            let Some(wanted) = wanted else { continue };
            if self.argument(machine, top, i)? != words.pointer.bytes(wanted) {
                return Err("it calls the kernel with wrong arguments".into());
            }
        }
        self.begun(machine, case)
    }

    /// Lets the symbol of the previous chaining value denote that of all blocks before the current
    /// one.
    fn begun(&self, machine: &mut Processor<W>, case: &Case<W>) -> Result<(), String> {
        if !self.is_lane(machine, &case.chaining) {
            return Err("it calls the kernel with a wrong chaining value".into());
        }
        let state = machine.state.clone();
        for byte in machine.bytes_mut().filter(|byte| matches!(byte, Byte::Of(..))) {
            *byte = Byte::Unknown;
        }
        machine.state = state;
        Ok(())
    }

    /// Compresses blocks for a function that pads a copy of a message's end: all whole blocks
    /// before the current one, or one or two blocks at any address.
    fn compressed_copied<D: Domain<Word = W>>(
        &self,
        words: &mut Words<'_, D>,
        machine: &mut Processor<W>,
        (top, on_stack): (Address, i64),
        (case, arguments): (&Case<W>, &[Argument]),
    ) -> Result<(), String> {
        let pointer = words.pointer;
        let own = || "compress is passed memory on its own stack".to_owned();
        let is_callees = |at| Self::is_callees(at, (top, on_stack));
        let (mut blocks, mut slice) = (Content::Unknown, None);
        for (i, &argument) in arguments.iter().enumerate() {
            let bytes = self.argument(machine, top, i)?;
            match (argument, self.argument_value(argument)) {
                (Argument::Blocks, _) => blocks = words.value(&bytes),
                (Argument::Slices, _) => {
                    let Content::Address(at) = words.value(&bytes) else {
                        return Err("the address of the slice is unknown".into());
                    };
                    if is_callees(at) {
                        return Err(own());
                    }
                    let parts = [at, at.plus(pointer.0 as i64)];
                    let [from, len] = parts.map(|part| self.load(machine, part, pointer.0));
                    slice = Some((words.value(&from?), words.value(&len?)));
                }
                (_, Some(given)) if bytes != pointer.bytes(given) => {
                    return Err("it calls the kernel with wrong arguments".into());
                }
                _ => {}
            }
        }
        let Some((Content::Address(from), len)) = slice else {
            return Err("the address of the blocks is unknown".into());
        };
        let is_begun = case.len.is_some_and(|len| len.done != 0);
        let all = Address { done: 1, ..Address::new(Region::Number, 0) };
        let message = Address::new(Region::Message(0), 0);
        if is_begun && !machine.has_compressed {
            let is_whole =
                (blocks, from) == (Content::Address(all), message) && case.len == words.whole(len);
            if !is_whole {
                return Err("it skips whole blocks".into());
            }
            machine.has_compressed = true;
            return self.begun(machine, case);
        }
        let (Content::Number(blocks @ 1..=2), Content::Number(len)) = (blocks, len) else {
            return Err("the number of compressed blocks is unknown".into());
        };
        let bytes = blocks as usize * self.block_len() as usize;
        if len < bytes as u64 {
            return Err("it compresses blocks past the end of the slice".into());
        }
        if is_callees(from) {
            return Err(own());
        }
        // The proof of `compress` assumes that the whole slice is memory, not only its blocks.
        let most = 2 * self.block_len() as u64;
        if len > most {
            return Err("compress is passed a slice that is longer than its memory".into());
        }
        let mut all = self.load(machine, from, len as usize)?;
        let unknown = "a word of a block is unknown";
        let mut block = Vec::new();
        for bytes in all[..bytes].chunks_exact_mut(self.contract.word_len) {
            if self.contract.big_endian {
                bytes.reverse();
            }
            let word = words.value(bytes);
            block.push(words.as_word(word).ok_or(unknown)?);
        }
        let mut state = self.lane_words(words, machine).ok_or("the chaining value is unknown")?;
        for block in block.chunks_exact(self.contract.block_words) {
            state = words.domain.compressed(&state, block).ok_or(unknown)?;
        }
        self.set_lane(machine, &state);
        Ok(())
    }

    /// Invalidates the caller-saved registers and the memory below the stack pointer.
    fn forget_what_a_call_changes(&self, machine: &mut Processor<W>, top: Address) {
        let saved = self.convention().saved();
        for i in (0..16).filter(|i| *i != RSP && !saved.contains(i)) {
            machine.general[i].fill(Byte::Unknown);
        }
        machine.vectors.iter_mut().for_each(|vector| vector.fill(Byte::Unknown));
        machine.masks.iter_mut().for_each(|mask| mask.fill(Byte::Unknown));
        machine.flags = Flags::default();
        (machine.compared, machine.tested, machine.carried) = (None, None, None);
        if top.region == Region::Frame {
            machine.frame.truncate(top.offset);
        } else {
            machine.stack.truncate(top.offset);
            machine.frame.bytes.clear();
        }
    }
}
