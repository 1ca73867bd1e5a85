//! Registers and memory as they are between instructions.

use super::address::Address;
use super::value::Byte;

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

/// What was compared, if nothing but lengths decides it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compared {
    /// The numbers, if they have names.
    pub numbers: Option<[Address; 2]>,
    /// The lanes whose lengths decide it, each a bit.
    pub lanes: u32,
}

/// Lower halves that were added.
#[derive(Clone, Copy, Debug)]
pub enum Carried<W> {
    /// Those of words, or numbers.
    Halves {
        /// What was added: a half's word, or a number.
        terms: [Half<W>; 2],
        /// The sum of both.
        sum: W,
    },
    /// What was compressed before and the length of this lane's message.
    Length(u8),
}

/// Half of a word.
#[derive(Clone, Copy, Debug)]
pub enum Half<W> {
    /// Its word, the half being the lower one.
    Word(W),
    /// The number that it is.
    Number(u64),
}

/// Registers and memory.
#[derive(Clone, Debug)]
pub struct Processor<W> {
    /// General registers, in the order of their numbers.
    pub general: [[Byte<W>; 8]; 16],
    /// Vector registers.
    pub vectors: Vec<[Byte<W>; 64]>,
    /// Flags.
    pub flags: Flags,
    /// What the flags are of, if lengths decide it.
    pub compared: Option<Compared>,
    /// Where it may go besides, if the lengths of these lanes decide that.
    pub fork: Option<(u64, u32)>,
    /// What the carry is of, if the instruction before added halves of words.
    pub carried: Option<Carried<W>>,
    /// The stack, from the return address down.
    pub stack: Downwards<W>,
    /// The same, from where its pointer was aligned.
    pub frame: Downwards<W>,
    /// To how many bytes that was, and below which offset of the stack all is the frame's.
    pub aligned: Option<(i64, i64)>,
    /// Registers of masks.
    pub masks: [[Byte<W>; 8]; 8],
    /// The chaining values.
    pub state: Vec<Byte<W>>,
    /// Where digests are to be.
    pub out: Vec<Byte<W>>,
    /// Whether the whole blocks that all messages have are compressed, by the function for that.
    pub has_compressed: bool,
    /// The next instruction.
    pub at: u64,
}

impl<W: Copy + PartialEq> Processor<W> {
    /// Every byte of it.
    pub(super) fn bytes_mut(&mut self) -> impl Iterator<Item = &mut Byte<W>> {
        let registers = self.general.iter_mut().chain(&mut self.masks).flatten();
        let vectors = self.vectors.iter_mut().flatten();
        let stack = self.stack.bytes.iter_mut().chain(&mut self.frame.bytes).flatten();
        registers.chain(vectors).chain(stack).chain(&mut self.state).chain(&mut self.out)
    }

    /// Those where halves of words are worked upon.
    pub(super) fn halves_mut(&mut self) -> impl Iterator<Item = &mut Byte<W>> {
        let registers = self.general.iter_mut().flatten();
        registers.chain(self.stack.bytes.iter_mut().chain(&mut self.frame.bytes).flatten())
    }
}

/// The stack pointer.
pub const RSP: usize = 4;

/// Memory that grows down from some bytes above its origin.
#[derive(Clone, Debug, PartialEq)]
pub struct Downwards<W> {
    pub(super) top: i64,
    /// From the highest on; nothing was written to those that are none.
    pub(super) bytes: Vec<Option<Byte<W>>>,
}

impl<W: Copy> Downwards<W> {
    /// Nothing was written to it; it ends so many bytes above its origin.
    pub(super) fn new(top: i64) -> Self {
        Self { top, bytes: Vec::new() }
    }

    fn index(&self, offset: i64) -> Option<usize> {
        usize::try_from(self.top - 1 - offset).ok()
    }

    pub(super) fn written(&self, offset: i64) -> Option<Byte<W>> {
        *self.bytes.get(self.index(offset)?)?
    }

    /// The byte at an offset.
    pub fn get(&self, offset: i64) -> Byte<W> {
        self.written(offset).unwrap_or(Byte::Unknown)
    }

    /// Writes a byte.
    pub fn set(&mut self, offset: i64, byte: Byte<W>) {
        if let Some(i) = self.index(offset) {
            if i >= self.bytes.len() {
                self.bytes.resize(i + 1, None);
            }
            self.bytes[i] = Some(byte);
        }
    }

    /// The offsets that hold anything, from the lowest.
    pub fn offsets(&self) -> std::ops::Range<i64> {
        self.top - self.bytes.len() as i64..self.top
    }

    /// Forgets all below an offset.
    pub(super) fn truncate(&mut self, offset: i64) {
        self.bytes.truncate(self.index(offset).map_or(0, |i| i + 1));
    }
}
