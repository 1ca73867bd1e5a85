//! Numbers that stand for any value: how many blocks there are, and how long messages are.

/// Which messages a length is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Of {
    /// That of a lane.
    Lane(u8),
    /// The shortest of some lanes, each a bit.
    Shortest(u32),
    /// The longest of some lanes.
    Longest(u32),
}

impl Of {
    /// The lanes, each a bit.
    pub fn lanes(self) -> u32 {
        match self {
            Self::Lane(lane) => 1 << lane,
            Self::Shortest(lanes) | Self::Longest(lanes) => lanes,
        }
    }
}

/// What a number depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Count {
    /// How many blocks there are.
    Blocks,
    /// How many bytes are compressed already; in 32-bit code the lower half of that.
    Before,
    /// The upper half of that, in 32-bit code.
    BeforeHigh,
    /// The length of a message in bytes.
    Length(Of),
    /// How many whole blocks that is.
    Whole(Of),
    /// The number of its last block once it is padded.
    Last(Of),
    /// The length of a lane's message with the bytes that are compressed already; in 32-bit code the
    /// lower half of that.
    Bytes(u8),
    /// The upper half of that, in 32-bit code.
    BytesHigh(u8),
    /// The same in bits, without the lowest word.
    High(u8),
    /// The upper half of the lowest word of the same in bits, where words have 64 bits in 32-bit code.
    Middle(u8),
    /// The length in words of the slice of an array of chaining values: at least up to the last word of the
    /// last lane. Each array has its own.
    Words(u8),
    /// How many bytes the slice of a lane's blocks has: as many as they have, or more.
    Slice(u8),
}

impl Count {
    /// The lanes whose lengths decide it, each a bit.
    pub fn lanes(self) -> u32 {
        match self {
            Self::Blocks | Self::Before | Self::BeforeHigh | Self::Words(_) | Self::Slice(_) => 0,
            Self::Length(of) | Self::Whole(of) | Self::Last(of) => of.lanes(),
            Self::Bytes(lane) | Self::BytesHigh(lane) | Self::High(lane) | Self::Middle(lane) => {
                1 << lane
            }
        }
    }

    /// The sum of both, if that has a name.
    pub(super) fn with(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Before, Self::Length(Of::Lane(lane)))
            | (Self::Length(Of::Lane(lane)), Self::Before) => Some(Self::Bytes(lane)),
            _ => None,
        }
    }

    /// The lesser, or the greater, of two lengths.
    pub(super) fn extreme(self, other: Self, greater: bool) -> Option<Self> {
        let (Self::Length(x), Self::Length(y)) = (self, other) else { return None };
        let lanes = x.lanes() | y.lanes();
        let is = |of: Of| match of {
            Of::Lane(_) => true,
            Of::Shortest(_) => !greater,
            Of::Longest(_) => greater,
        };
        let of = if greater { Of::Longest(lanes) } else { Of::Shortest(lanes) };
        (is(x) && is(y)).then_some(Self::Length(of))
    }

    /// A length, and so many bytes more, divided by the length of a block, which is of sixteen
    /// words of `word_len` bytes.
    pub(super) fn blocks(self, more: i64, word_len: usize) -> Option<Self> {
        match self {
            Self::Length(of) if more == 0 => Some(Self::Whole(of)),
            // What is padded ends with one bit and two words.
            Self::Length(of) if more == 2 * word_len as i64 => Some(Self::Last(of)),
            _ => None,
        }
    }
}

/// A number of which some bits are known; the others are decided by lengths, and by nothing that
/// a message has in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bits {
    /// The bits that are known.
    pub known: u64,
    /// These.
    pub value: u64,
    /// The lanes whose lengths decide the others, each a bit.
    pub lanes: u32,
}

impl Bits {
    /// A number.
    pub fn number(k: u64) -> Self {
        Self { known: u64::MAX, value: k, lanes: 0 }
    }

    /// A number of which nothing is known but what decides it.
    pub fn open(lanes: u32) -> Self {
        Self { known: 0, value: 0, lanes }
    }

    /// The bits that may be set.
    pub fn possible(self) -> u64 {
        self.value | !self.known
    }

    /// The sum, as far as it is plain.
    pub(super) fn sum(self, other: Self) -> Self {
        let lanes = self.lanes | other.lanes;
        if self.possible() & other.possible() == 0 {
            return Self {
                known: self.known & other.known,
                value: self.value | other.value,
                lanes,
            };
        }
        Self::open(lanes)
    }

    /// Shifted by `n` bits, fewer than 64, of a number of so many bits.
    pub(super) fn shifted(self, left: bool, n: u64, bits: u32) -> Self {
        let mask = u64::MAX >> (64 - bits);
        let (known, value) = (self.known & mask, self.value & mask);
        let (known, value) = if left {
            (known << n | ((1 << n) - 1), value << n)
        } else {
            (known >> n | !(mask >> n), value >> n)
        };
        Self { known: known | !mask, value: value & mask, lanes: self.lanes }
    }
}
