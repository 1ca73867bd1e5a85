//! The values that registers and memory hold, byte by byte. An instruction that moves bytes
//! needs no more meaning than that, and one that works on words finds them again.

use super::address::{Address, Region};
use super::lengths::Bits;

/// A byte of a register or of memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Byte<W> {
    /// Nothing that is known: it may be moved and worked upon, and what comes of it is
    /// not known either. No branch and no address may depend on it.
    Unknown,
    /// A number that no message decides.
    Number(u8),
    /// The byte of a word that is so far from its lowest.
    Of(W, u8),
    /// The byte of an address, likewise.
    Address(Address, u8),
    /// A byte of which some bits are known, and which of its bits; the lanes are those whose
    /// lengths decide the others.
    Bits(u8, u8, u32),
}

impl<W: Copy + PartialEq> Byte<W> {
    /// What is known of it, if no message decides it.
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

    /// A byte of which so much is known.
    pub(super) fn of_bits(Bits { known, value, lanes }: Bits) -> Self {
        match known as u8 {
            0xff => Self::Number(value as u8),
            known => Self::Bits(known, value as u8 & known, lanes),
        }
    }

    /// What is true of both, one of which it is as lengths of these lanes have it.
    pub(super) fn joined(self, other: Self, lanes: u32) -> Self {
        // What is not known of two bytes may differ.
        if self == other && !matches!(self, Self::Bits(..)) {
            return self;
        }
        let (Some(x), Some(y)) = (self.open(), other.open()) else { return Self::Unknown };
        let known = x.known & y.known & !(x.value ^ y.value);
        Self::of_bits(Bits { known, value: x.value & known, lanes: x.lanes | y.lanes | lanes })
    }
}

/// The bytes of a number of which some bits are known.
pub fn bits<W: Copy + PartialEq>(bits: Bits, len: usize) -> Vec<Byte<W>> {
    let byte =
        |i: usize| Bits { known: bits.known >> (8 * i), value: bits.value >> (8 * i), ..bits };
    (0..len).map(|i| Byte::of_bits(byte(i))).collect()
}

/// What some bytes in a row are, the lowest first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Content<W> {
    /// Some of it is not known.
    Unknown,
    /// A number.
    Number(u64),
    /// A word.
    Word(W),
    /// The lower half of a word: so is every half, the upper one being that of the word
    /// rotated by half of its width.
    Half(W),
    /// An address.
    Address(Address),
    /// The lowest four bytes of a number that is larger.
    Low(Address),
    /// A number of which some bits are known.
    Bits(Bits),
    /// Bytes of several things.
    Mixed,
}

impl<W> Content<W> {
    /// What is known of a number, if no message decides it.
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

/// The bytes of an address: four or eight. Unit tests have one, so that they can try every operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pointer(pub usize);

impl Pointer {
    /// A number of that many bytes, with its sign.
    pub fn signed(self, k: i64) -> i64 {
        let unused = 64 - 8 * self.0 as u32;
        k << unused >> unused
    }

    /// An address of that many bytes.
    pub(super) fn unsigned(self, k: i64) -> u64 {
        k as u64 & (u64::MAX >> (64 - 8 * self.0 as u32))
    }

    /// The fewest bytes between any object and the ends of all memory.
    pub(super) fn page(self) -> i128 {
        if self.0 == 1 { 2 } else { 4096 }
    }

    /// The bytes of an address, or of a number if nothing of it is unknown.
    pub fn bytes<W>(self, address: Address) -> Vec<Byte<W>> {
        let address = Address { offset: self.signed(address.offset), ..address };
        match address {
            Address { region: Region::Number, offset, .. } if address.is_fixed() => {
                number(offset as u64, self.0)
            }
            _ => (0..self.0 as u8).map(|i| Byte::Address(address, i)).collect(),
        }
    }

    /// The same as a register holds it, whose other bytes are zero.
    pub fn register<W: Copy>(self, address: Address) -> [Byte<W>; 8] {
        let bytes = self.bytes(address);
        std::array::from_fn(|i| bytes.get(i).copied().unwrap_or(Byte::Number(0)))
    }

    /// The greatest number of bytes that an object has, as a number with a sign.
    pub fn most(self) -> i64 {
        i64::MAX >> (64 - 8 * self.0 as u32)
    }
}

/// The bytes of a value.
pub(super) type Bytes<W> = Vec<Byte<W>>;

/// What bytes are of which some bits may be known.
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
