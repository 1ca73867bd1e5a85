//! The messages of a batch.

use core::ops::Range;

use lanesum_spec::Family;

use crate::words::{MAX_LANES, blocks, readable};

/// The number of bytes of each message to prefetch before its window is hashed.
const TOUCHED_BYTES: usize = 256;

/// The messages of a batch, by index. Batches access it as a trait object, because they would otherwise be compiled
/// for each type of messages.
pub(crate) trait Source<'m> {
    /// Returns message `index`.
    fn message(&self, index: usize) -> &'m [u8];

    /// Writes message `first + places[i]` to `data[i]`.
    fn read(&self, first: usize, places: &[u16], data: &mut [&'m [u8]]);

    /// Returns the number of blocks per message if all messages have the same number.
    fn alike(&self, family: Family, indices: Range<usize>) -> Option<usize>;

    /// Writes the number of blocks of message `first + i` to `counts[i]`, at most `u32::MAX`.
    fn count_blocks(&self, family: Family, first: usize, counts: &mut [u32]);

    /// Prefetches the beginning of each message in order, by reading a byte of every 64. Groups access
    /// messages sorted by length, an order that defeats the hardware prefetcher.
    fn touch(&self, indices: Range<usize>);
}

impl<'m, F: Fn(usize) -> &'m [u8]> Source<'m> for F {
    fn message(&self, index: usize) -> &'m [u8] {
        self(index)
    }

    fn read(&self, first: usize, places: &[u16], data: &mut [&'m [u8]]) {
        for (&place, to) in places.iter().zip(data) {
            *to = readable(self(first + usize::from(place)));
        }
    }

    fn alike(&self, family: Family, mut indices: Range<usize>) -> Option<usize> {
        let blocks = |i| blocks(family, self(i).len());
        let each = blocks(indices.next()?);
        indices.all(|i| blocks(i) == each).then_some(each)
    }

    fn count_blocks(&self, family: Family, first: usize, counts: &mut [u32]) {
        for (i, count) in counts.iter_mut().enumerate() {
            *count = blocks(family, self(first + i).len()).try_into().unwrap_or(u32::MAX);
        }
    }

    fn touch(&self, indices: Range<usize>) {
        let mut all = 0;
        for i in indices {
            let bytes = self(i);
            let near = &bytes[..bytes.len().min(TOUCHED_BYTES)];
            let Some((last, before)) = near.split_last() else { continue };
            all |= last;
            let mut at = 0;
            while let Some(byte) = before.get(at) {
                all |= byte;
                at += 64;
            }
        }
        core::hint::black_box(all);
    }
}

/// The places of unsorted messages.
pub(super) static PLACES: [u16; MAX_LANES] = {
    let mut places = [0; MAX_LANES];
    let mut i = 0;
    while i < MAX_LANES {
        places[i] = i as u16;
        i += 1;
    }
    places
};
