//! Batches by the lengths of their messages.

use lanesum_spec::Family;

use crate::words::blocks;

/// The lengths of the messages of a batch, known before hashing.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) count: usize,
    /// The total number of blocks, of at most [`Shape::MAX_MESSAGES`] messages: 0 for more.
    pub(crate) blocks: usize,
    /// The minimum and maximum number of blocks per message, padding included.
    pub(crate) min_blocks: usize,
    pub(crate) max_blocks: usize,
    /// The length in bytes, if all messages have the same.
    pub(crate) common_len: Option<usize>,
    /// The class of short messages, if they are short.
    pub(crate) short: Option<Short>,
}

/// Messages so short that overhead is a large part of the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Short {
    /// One block each, padding included.
    One,
    /// Two blocks each.
    Two,
    /// Two blocks each; the second is padding whose schedule is expanded in advance.
    Padded,
}

impl Shape {
    /// The maximum number of messages for which the cost model is used.
    pub(crate) const MAX_MESSAGES: usize = 8;

    /// Returns the shape of messages of `lens` bytes, at least one.
    #[inline(always)]
    pub(crate) fn new(family: Family, lens: impl ExactSizeIterator<Item = usize>) -> Self {
        let (count, mut sum, mut shortest, mut longest) = (lens.len(), 0, usize::MAX, 0);
        for len in lens {
            (shortest, longest) = (shortest.min(len), longest.max(len));
            if count <= Self::MAX_MESSAGES {
                sum += blocks(family, len);
            }
        }
        let [min_blocks, max_blocks] = [shortest, longest].map(|len| blocks(family, len));
        let common_len = (shortest == longest).then_some(longest);
        let short = match max_blocks {
            1 => Some(Short::One),
            2 if common_len == Some(family.block_len()) => Some(Short::Padded),
            2 => Some(Short::Two),
            _ => None,
        };
        Self { count, blocks: sum, min_blocks, max_blocks, common_len, short }
    }
}

impl Short {
    pub(super) const ALL: [Self; 3] = [Self::One, Self::Two, Self::Padded];
}
