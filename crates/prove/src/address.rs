//! Addresses, and numbers with symbolic parts.

use super::lengths::{Bits, Count};

/// The object that an address points into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Region {
    /// No object: a number, possibly symbolic.
    Number,
    /// An array of chaining values, by index.
    State(u8),
    /// The slices of the lanes' messages: pointers and lengths.
    Data,
    /// A lane's blocks.
    Message(u16),
    /// A lane's difference between the schedules of two messages.
    Difference(u8),
    /// The slices of the read-only chaining values: pointers and lengths.
    Chains,
    /// The padding that turns a digest into the next block.
    Link,
    /// The output slots of the lanes' digests.
    Out,
    /// A row per block, which the function writes: a word per lane, the conditions that its block fulfills, or the
    /// trace of the only lane's block.
    Rows,
    /// The stack; offset 0 is the return address.
    Stack,
    /// The stack below an aligned stack pointer.
    Frame,
    /// The program, at link-time addresses.
    Image,
    /// A section of an object, at its addresses in a library linked from that object only. Its
    /// distance from other sections is unknown: the final link, or the kernel, decides it.
    Section(u16),
    /// The caller's value of a register.
    Callers(u8),
    /// The return address.
    Return,
    /// The expanded last block of messages of equal length.
    Expanded,
    /// Not an address: a number whose lowest n bits are set, for a symbolic n.
    Ones,
    /// An address that only another lane's length decides; that lane's proof covers it.
    Elsewhere,
    /// The C library's `memset`.
    Memset,
}

impl Region {
    /// Whether this is the program or one of its sections.
    pub(super) fn is_image(self) -> bool {
        matches!(self, Self::Image | Self::Section(_))
    }
}

/// A symbolic address or number: the region's address + `done` · k + `total` · n + `stride` · s +
/// `offset`. Here k is the number of blocks done, s the distance between a lane's words, and n the
/// number that `of` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Address {
    /// The object that it points into.
    pub region: Region,
    /// The coefficient of the number of blocks done.
    pub done: i32,
    /// The coefficient of n.
    pub total: i32,
    /// The meaning of n; `Blocks` if its coefficient is zero.
    pub of: Count,
    /// The coefficient of the distance between a lane's words.
    pub stride: i32,
    /// The constant part.
    pub offset: i64,
}

impl Address {
    /// The address `offset` bytes into a region.
    pub fn new(region: Region, offset: i64) -> Self {
        Self { region, done: 0, total: 0, of: Count::Blocks, stride: 0, offset }
    }

    /// Whether the offset into the region is constant.
    pub fn is_fixed(self) -> bool {
        (self.done, self.total, self.stride) == (0, 0, 0)
    }

    /// The number `total` · n.
    pub fn counted(total: i32, of: Count) -> Self {
        Self { total, of, ..Self::new(Region::Number, 0) }
    }

    /// The lanes whose lengths decide it, as a bit set.
    pub fn lanes(self) -> u32 {
        self.of.lanes()
    }

    /// The known bits of a number or program address that depends on lengths. Lengths never select
    /// between addresses in other regions.
    pub(super) fn open(self) -> Option<Bits> {
        let may_be = matches!(self.region, Region::Number | Region::Ones) || self.region.is_image();
        may_be.then(|| Bits::open(self.lanes()))
    }

    /// The address `n` bytes further.
    pub fn plus(self, n: i64) -> Self {
        Self { offset: self.offset.wrapping_add(n), ..self }
    }

    /// The sum of two values, at least one of them a number.
    pub(super) fn sum(self, other: Self) -> Option<Self> {
        let region = match (self.region, other.region) {
            // A mask is not an integer: adding 1 carries.
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

    /// The difference of two addresses in a region, or of an address and a number.
    pub fn minus(self, other: Self) -> Option<Self> {
        let minus = other.times(-1, other.region)?;
        if self.region == other.region && self.region != Region::Ones {
            let x = Self { region: Region::Number, ..self };
            return x.sum(Self { region: Region::Number, ..minus });
        }
        if other.region == Region::Number { self.sum(minus) } else { None }
    }

    /// The product with `n`, as an address in `region`.
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
