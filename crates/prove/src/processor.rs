//! The machine state between instructions.

use super::address::Address;
use super::value::Byte;

/// Flags, as far as they are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// The zero flag.
    pub zero: Option<bool>,
    /// The carry flag.
    pub carry: Option<bool>,
    /// The sign flag.
    pub sign: Option<bool>,
    /// The overflow flag.
    pub overflow: Option<bool>,
}

/// The last comparison, if only lengths decide its result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compared {
    /// The compared numbers, if they are representable.
    pub numbers: Option<[Address; 2]>,
    /// The lanes whose lengths decide the result, as a bit set.
    pub lanes: u32,
}

/// The addition of lower halves that set the carry flag.
#[derive(Clone, Copy, Debug)]
pub enum Carried<W> {
    /// Halves of words, or constants.
    Halves {
        terms: [Half<W>; 2],
        /// The sum of both terms.
        sum: W,
    },
    /// The number of bytes already compressed plus the length of this lane's message.
    Length(u8),
}

/// Half of a word.
#[derive(Clone, Copy, Debug)]
pub enum Half<W> {
    /// The lower half of this word.
    Word(W),
    /// A constant.
    Number(u64),
}

/// Registers and memory.
#[derive(Clone, Debug)]
pub struct Processor<W> {
    /// General registers, by number.
    pub general: [[Byte<W>; 8]; 16],
    /// Vector registers.
    pub vectors: Vec<[Byte<W>; 64]>,
    /// Flags.
    pub flags: Flags,
    /// The comparison that set the flags, if lengths decide its result.
    pub compared: Option<Compared>,
    /// The word that is zero if and only if the zero flag is set, if it is unknown.
    pub tested: Option<W>,
    /// The word whose lowest set bit an instruction looks for.
    pub scanned: Option<W>,
    /// The other target of the last branch, if the lengths of these lanes decide it.
    pub fork: Option<(u64, u32)>,
    /// The addition that set the carry flag, if it added halves of words.
    pub carried: Option<Carried<W>>,
    /// The stack, from the return address down.
    pub stack: Downwards<W>,
    /// The frame: the stack below the aligned stack pointer.
    pub frame: Downwards<W>,
    /// The frame's alignment, and the stack offset below which all bytes belong to the frame.
    pub aligned: Option<(i64, i64)>,
    /// Mask registers.
    pub masks: [[Byte<W>; 8]; 8],
    /// The chaining values.
    pub state: Vec<Byte<W>>,
    /// The output slots for digests.
    pub out: Vec<Byte<W>>,
    /// Whether the callee for whole blocks has compressed those that all messages have.
    pub has_compressed: bool,
    /// The address of the next instruction.
    pub at: u64,
}

impl<W: Copy + PartialEq> Processor<W> {
    /// All bytes of registers and memory.
    pub(super) fn bytes_mut(&mut self) -> impl Iterator<Item = &mut Byte<W>> {
        let registers = self.general.iter_mut().chain(&mut self.masks).flatten();
        let vectors = self.vectors.iter_mut().flatten();
        let stack = self.stack.bytes.iter_mut().chain(&mut self.frame.bytes).flatten();
        registers.chain(vectors).chain(stack).chain(&mut self.state).chain(&mut self.out)
    }

    /// The bytes that may hold halves of words.
    pub(super) fn halves_mut(&mut self) -> impl Iterator<Item = &mut Byte<W>> {
        let registers = self.general.iter_mut().flatten();
        registers.chain(self.stack.bytes.iter_mut().chain(&mut self.frame.bytes).flatten())
    }
}

/// The number of the stack pointer.
pub const RSP: usize = 4;

/// Memory that grows downwards, starting at offset `top`.
#[derive(Clone, Debug, PartialEq)]
pub struct Downwards<W> {
    pub(super) top: i64,
    /// In descending order of offsets; `None` if not written.
    pub(super) bytes: Vec<Option<Byte<W>>>,
}

impl<W: Copy> Downwards<W> {
    /// Unwritten memory below offset `top`.
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

    /// The offsets from the lowest written byte to the top.
    pub fn offsets(&self) -> std::ops::Range<i64> {
        self.top - self.bytes.len() as i64..self.top
    }

    /// Discards all bytes below an offset.
    pub(super) fn truncate(&mut self, offset: i64) {
        self.bytes.truncate(self.index(offset).map_or(0, |i| i + 1));
    }
}
