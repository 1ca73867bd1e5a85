//! The contents of registers and memory, byte by byte. Instructions that move bytes need no further
//! semantics; those that operate on words reassemble them from their bytes.

use super::address::{Address, Region};
use super::lengths::Bits;

/// A byte of a register or of memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Byte<W> {
    /// An unknown value. Instructions may copy it and compute with it, with an unknown result. No
    /// branch or address may depend on it.
    Unknown,
    /// A constant, independent of any message.
    Number(u8),
    /// Byte i of a word, counted from the lowest.
    Of(W, u8),
    /// Byte i of an address, counted from the lowest.
    Address(Address, u8),
    /// A partially known byte: the mask of its known bits, their values, and the lanes whose
    /// lengths decide the others.
    Bits(u8, u8, u32),
}

impl<W: Copy + PartialEq> Byte<W> {
    /// The known bits, if they are independent of message contents.
    pub(super) fn open(self) -> Option<Bits> {
        match self {
            Self::Number(k) => Some(Bits::number(k.into())),
            Self::Bits(known, value, lanes) => {
                Some(Bits { known: known.into(), value: value.into(), lanes })
            }
            Self::Address(address, _) => address.open(),
            Self::Unknown | Self::Of(..) => None,
        }
    }

    /// A byte with these known bits.
    pub(super) fn of_bits(Bits { known, value, lanes }: Bits) -> Self {
        match known as u8 {
            0xff => Self::Number(value as u8),
            known => Self::Bits(known, value as u8 & known, lanes),
        }
    }

    /// The common facts of both values, if the lengths of `lanes` select between them.
    pub(super) fn joined(self, other: Self, lanes: u32) -> Self {
        // Even equal partially known bytes may differ in their unknown bits.
        if self == other && !matches!(self, Self::Bits(..)) {
            return self;
        }
        let (Some(x), Some(y)) = (self.open(), other.open()) else { return Self::Unknown };
        let known = x.known & y.known & !(x.value ^ y.value);
        Self::of_bits(Bits { known, value: x.value & known, lanes: x.lanes | y.lanes | lanes })
    }
}

/// The bytes of a partially known number.
pub fn bits<W: Copy + PartialEq>(bits: Bits, len: usize) -> Vec<Byte<W>> {
    let byte =
        |i: usize| Bits { known: bits.known >> (8 * i), value: bits.value >> (8 * i), ..bits };
    (0..len).map(|i| Byte::of_bits(byte(i))).collect()
}

/// The meaning of consecutive bytes, in little-endian order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Content<W> {
    /// At least one byte is unknown.
    Unknown,
    /// A number.
    Number(u64),
    /// A word.
    Word(W),
    /// The lower half of a word. An upper half is the lower half of the word rotated by half its
    /// width.
    Half(W),
    /// An address.
    Address(Address),
    /// The lowest four bytes of a larger number.
    Low(Address),
    /// A partially known number.
    Bits(Bits),
    /// Bytes of different values.
    Mixed,
}

impl<W> Content<W> {
    /// The known bits of a number, if they are independent of message contents.
    pub(super) fn open(&self) -> Option<Bits> {
        match self {
            Self::Number(k) => Some(Bits::number(*k)),
            Self::Bits(bits) => Some(*bits),
            Self::Address(a) | Self::Low(a) => a.open(),
            _ => None,
        }
    }
}

/// The bytes of a number.
pub fn number<W>(k: u64, len: usize) -> Vec<Byte<W>> {
    k.to_le_bytes()[..len].iter().map(|&byte| Byte::Number(byte)).collect()
}

/// The size of an address in bytes: four or eight. Unit tests use one, to enumerate all operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pointer(pub usize);

impl Pointer {
    /// Sign-extends a number of this size.
    pub fn signed(self, k: i64) -> i64 {
        let unused = 64 - 8 * self.0 as u32;
        k << unused >> unused
    }

    /// Zero-extends a number of this size.
    pub(super) fn unsigned(self, k: i64) -> u64 {
        k as u64 & (u64::MAX >> (64 - 8 * self.0 as u32))
    }

    /// The minimum distance in bytes of any object from both ends of memory.
    pub(super) fn page(self) -> i128 {
        if self.0 == 1 { 2 } else { 4096 }
    }

    /// The bytes of an address, or of a constant.
    pub fn bytes<W>(self, address: Address) -> Vec<Byte<W>> {
        let address = Address { offset: self.signed(address.offset), ..address };
        match address {
            Address { region: Region::Number, offset, .. } if address.is_fixed() => {
                number(offset as u64, self.0)
            }
            _ => (0..self.0 as u8).map(|i| Byte::Address(address, i)).collect(),
        }
    }

    /// The bytes of an address in a register, zero-extended.
    pub fn register<W: Copy>(self, address: Address) -> [Byte<W>; 8] {
        let bytes = self.bytes(address);
        std::array::from_fn(|i| bytes.get(i).copied().unwrap_or(Byte::Number(0)))
    }

    /// The maximum size of an object, as a signed number.
    pub fn most(self) -> i64 {
        i64::MAX >> (64 - 8 * self.0 as u32)
    }
}

/// The bytes of a value.
pub(super) type Bytes<W> = Vec<Byte<W>>;

/// The meaning of bytes that may include partially known ones.
pub(super) fn some_bits<W: Copy + PartialEq>(bytes: &[Byte<W>]) -> Content<W> {
    if bytes.len() > 8 || !bytes.iter().any(|byte| matches!(byte, Byte::Bits(..))) {
        return Content::Mixed;
    }
    let mut all = Bits::number(0);
    for (i, byte) in bytes.iter().enumerate() {
        let Some(bits) = byte.open() else { return Content::Mixed };
        all.known &= !(!bits.known << (8 * i) & 0xff << (8 * i));
        all.value |= (bits.value & bits.known & 0xff) << (8 * i);
        all.lanes |= bits.lanes;
    }
    Content::Bits(all)
}
