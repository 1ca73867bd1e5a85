//! Symbolic numbers: block counts and message lengths.

/// The engine's `MAX_LANES`: the number of lanes in the arguments of `apart`.
pub(super) const MAX_LANES: usize = 32;

/// The number of words of a difference between schedules.
pub(super) const DIFFERENCE: usize = 80;

/// The length in bytes of the slice of a difference.
pub(super) const DIFFERENCE_LEN: usize = 4 * DIFFERENCE;

/// The length in bytes of the results of `apart`: two words per lane.
pub(super) const RESULTS_LEN: usize = 2 * 4 * MAX_LANES;

/// The messages that a length belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LengthOf {
    /// A lane.
    Lane(u8),
    /// The shortest message of some lanes, as a bit set.
    Shortest(u32),
    /// The longest message of some lanes, as a bit set.
    Longest(u32),
}

impl LengthOf {
    /// The lanes, as a bit set.
    pub fn lanes(self) -> u32 {
        match self {
            Self::Lane(lane) => 1 << lane,
            Self::Shortest(lanes) | Self::Longest(lanes) => lanes,
        }
    }
}

/// A symbolic number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Count {
    /// The number of blocks.
    Blocks,
    /// The number of bytes already compressed; in 32-bit code, its lower half.
    Before,
    /// The upper half of `Before`, in 32-bit code.
    BeforeHigh,
    /// The length of a message in bytes.
    Length(LengthOf),
    /// The number of whole blocks of a message.
    Whole(LengthOf),
    /// The index of the last block of a padded message.
    Last(LengthOf),
    /// The total length of a lane's message, compressed bytes included; in 32-bit code, its lower
    /// half.
    Bytes(u8),
    /// The upper half of `Bytes`, in 32-bit code.
    BytesHigh(u8),
    /// The total length in bits, without its lowest word.
    High(u8),
    /// The upper half of the lowest word of the total length in bits, for 64-bit words in 32-bit
    /// code.
    Middle(u8),
    /// The length in words of the slice of an array of chaining values, at least up to the last
    /// word of the last lane. Arrays have separate lengths.
    Words(u8),
    /// The length in bytes of the slice of a lane's blocks, at least that of the blocks.
    Slice(u8),
    /// The length in words of the slice of suspects, at least a word per lane and block.
    Suspects,
    /// The length in bytes of the slice of a lane's difference, at least that of the difference.
    Difference(u8),
}

impl Count {
    /// The lanes whose lengths decide it, as a bit set.
    pub fn lanes(self) -> u32 {
        match self {
            Self::Blocks
            | Self::Before
            | Self::BeforeHigh
            | Self::Words(_)
            | Self::Slice(_)
            | Self::Suspects
            | Self::Difference(_) => 0,
            Self::Length(of) | Self::Whole(of) | Self::Last(of) => of.lanes(),
            Self::Bytes(lane) | Self::BytesHigh(lane) | Self::High(lane) | Self::Middle(lane) => {
                1 << lane
            }
        }
    }

    /// The sum of both, if it is representable.
    pub(super) fn with(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Before, Self::Length(LengthOf::Lane(lane)))
            | (Self::Length(LengthOf::Lane(lane)), Self::Before) => Some(Self::Bytes(lane)),
            _ => None,
        }
    }

    /// The minimum or maximum of two lengths.
    pub(super) fn extreme(self, other: Self, greater: bool) -> Option<Self> {
        let (Self::Length(x), Self::Length(y)) = (self, other) else { return None };
        let lanes = x.lanes() | y.lanes();
        let is = |of: LengthOf| match of {
            LengthOf::Lane(_) => true,
            LengthOf::Shortest(_) => !greater,
            LengthOf::Longest(_) => greater,
        };
        let of = if greater { LengthOf::Longest(lanes) } else { LengthOf::Shortest(lanes) };
        (is(x) && is(y)).then_some(Self::Length(of))
    }

    /// The quotient of a length plus `more` bytes and the block length, which is sixteen words of
    /// `word_len` bytes.
    pub(super) fn blocks(self, more: i64, word_len: usize) -> Option<Self> {
        match self {
            Self::Length(of) if more == 0 => Some(Self::Whole(of)),
            // The padding has an end bit and a length of two words.
            Self::Length(of) if more == 2 * word_len as i64 => Some(Self::Last(of)),
            _ => None,
        }
    }
}

/// A number with known bits. The others depend on lengths, but not on the contents of messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bits {
    /// The mask of known bits.
    pub known: u64,
    /// Their values.
    pub value: u64,
    /// The lanes whose lengths decide the other bits, as a bit set.
    pub lanes: u32,
}

impl Bits {
    /// A number with all bits known.
    pub fn number(k: u64) -> Self {
        Self { known: u64::MAX, value: k, lanes: 0 }
    }

    /// A number without known bits, decided by the lengths of `lanes`.
    pub fn open(lanes: u32) -> Self {
        Self { known: 0, value: 0, lanes }
    }

    /// The bits that may be set.
    pub fn possible(self) -> u64 {
        self.value | !self.known
    }

    /// The sum; its bits are known only if no bit can carry.
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

    /// A number of `bits` bits, shifted by `n` < 64 bits.
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
