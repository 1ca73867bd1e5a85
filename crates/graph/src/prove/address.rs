//! Addresses, and numbers of which some is not known.

use super::lengths::{Bits, Count};

/// What an address points into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Region {
    /// No object: a number, which may depend on how many blocks there are.
    Number,
    /// Chaining values: of several, those of this number.
    State(u8),
    /// Where the lanes' messages are, and how long.
    Data,
    /// A lane's blocks.
    Message(u16),
    /// Where chaining values are that are only read, and how long.
    Chains,
    /// What makes a digest the next block.
    Link,
    /// Where the lanes' digests are to be.
    Out,
    /// The stack; 0 is where the return address is.
    Stack,
    /// The stack, from where its pointer was aligned.
    Frame,
    /// The program itself, by its own addresses.
    Image,
    /// A section of an object, by addresses in a library linked from that object only. Its distance from other
    /// sections is unknown: the final link, or the kernel, decides it.
    Section(u16),
    /// What the caller had in a register.
    Callers(u8),
    /// Where the caller goes on.
    Return,
    /// The last block of messages that are of one length, expanded.
    Expanded,
    /// No address: a number that has so many of its lowest bits set.
    Ones,
    /// Where only the length of another lane's message decides: that lane's proof sees to it.
    Elsewhere,
    /// Where the C library clears memory, and fills it.
    Memset,
}

impl Region {
    /// Whether it is the program, or a part of it.
    pub(super) fn is_image(self) -> bool {
        matches!(self, Self::Image | Self::Section(_))
    }
}

/// An address, or a number, of which some is not known:
/// the region's + `done` · k + `total` · n + `stride` · s + `offset`, after k blocks, the
/// words of a lane lying s words apart, n being what `of` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Address {
    /// What it points into.
    pub region: Region,
    /// What each block that is done adds.
    pub done: i32,
    /// What each of n adds.
    pub total: i32,
    /// What n is: as always where it adds nothing.
    pub of: Count,
    /// How often the distance of a lane's words is in it.
    pub stride: i32,
    /// The rest.
    pub offset: i64,
}

impl Address {
    /// So many bytes into a region.
    pub fn new(region: Region, offset: i64) -> Self {
        Self { region, done: 0, total: 0, of: Count::Blocks, stride: 0, offset }
    }

    /// Whether all is known of it but where its region is.
    pub fn is_fixed(self) -> bool {
        (self.done, self.total, self.stride) == (0, 0, 0)
    }

    /// So many of n.
    pub fn counted(total: i32, of: Count) -> Self {
        Self { total, of, ..Self::new(Region::Number, 0) }
    }

    /// The lanes whose lengths decide it, each a bit.
    pub fn lanes(self) -> u32 {
        self.of.lanes()
    }

    /// What is known of its bits, if it is a number that lengths decide, or a place in the program
    /// that they do. Places elsewhere are never of two that lengths choose from.
    pub(super) fn open(self) -> Option<Bits> {
        let may_be = matches!(self.region, Region::Number | Region::Ones) || self.region.is_image();
        may_be.then(|| Bits::open(self.lanes()))
    }

    /// The same place so many bytes on.
    pub fn plus(self, n: i64) -> Self {
        Self { offset: self.offset.wrapping_add(n), ..self }
    }

    /// The sum, of which one is a mere number.
    pub(super) fn sum(self, other: Self) -> Option<Self> {
        let region = match (self.region, other.region) {
            // Ones are no number of which one more is one greater.
            (Region::Ones, _) | (_, Region::Ones) => return None,
            (region, Region::Number) | (Region::Number, region) => region,
            _ => return None,
        };
        let (total, of) = match (self.total, other.total) {
            (total, 0) => (total, self.of),
            (0, total) => (total, other.of),
            (x, y) if self.of == other.of => (x.checked_add(y)?, self.of),
            (1, 1) => (1, self.of.with(other.of)?),
            _ => return None,
        };
        Some(Self {
            region,
            done: self.done.checked_add(other.done)?,
            total,
            of: if total == 0 { Count::Blocks } else { of },
            stride: self.stride.checked_add(other.stride)?,
            offset: self.offset.wrapping_add(other.offset),
        })
    }

    /// The difference of two places in one region, or of a place and a number.
    pub fn minus(self, other: Self) -> Option<Self> {
        let minus = other.times(-1, other.region)?;
        if self.region == other.region && self.region != Region::Ones {
            let x = Self { region: Region::Number, ..self };
            return x.sum(Self { region: Region::Number, ..minus });
        }
        if other.region == Region::Number { self.sum(minus) } else { None }
    }

    /// So many times that, as an address in a region.
    pub fn times(self, n: i64, region: Region) -> Option<Self> {
        let part = |x: i32| i32::try_from(i64::from(x).checked_mul(n)?).ok();
        Some(Self {
            region,
            done: part(self.done)?,
            total: part(self.total)?,
            of: if n == 0 { Count::Blocks } else { self.of },
            stride: part(self.stride)?,
            offset: self.offset.wrapping_mul(n),
        })
    }
}
