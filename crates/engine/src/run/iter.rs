//! Hashes the messages of an iterator in windows.

use super::many::hash_here;
use crate::choose::AsEngine;
use crate::{Digest, Engine, Messages};

/// The number of messages read ahead.
const READ_AHEAD: usize = 128;

/// Hashes the messages of an iterator and yields their digests in order. Reads up to 128 messages
/// ahead, to hash them together, and does not allocate.
///
/// ```
/// use lanesum::{Algorithm, hash_iter};
///
/// let lines = "one\ntwo\nthree".lines();
/// let digests: Vec<_> = hash_iter(Algorithm::SHA256, lines).collect();
/// assert_eq!(digests.len(), 3);
/// ```
pub fn hash_iter<T>(engine: impl AsEngine, messages: T) -> HashIter<T::IntoIter>
where
    T: IntoIterator<Item: AsRef<[u8]>>,
{
    HashIter {
        engine: engine.to_engine(),
        messages: messages.into_iter(),
        digests: [Digest::EMPTY; _],
        next: 0,
        end: 0,
    }
}

/// An iterator over digests: see [`hash_iter`].
#[derive(Clone, Debug)]
pub struct HashIter<T> {
    engine: Engine,
    messages: T,
    /// `digests[next..end]` are not yet yielded.
    digests: [Digest; READ_AHEAD],
    next: usize,
    end: usize,
}

/// Messages read from the iterator.
struct Window<M> {
    messages: [Option<M>; READ_AHEAD],
    count: usize,
}

impl<M: AsRef<[u8]>> Messages for Window<M> {
    fn count(&self) -> usize {
        self.count
    }

    fn message(&self, index: usize) -> &[u8] {
        self.messages[index].as_ref().map(AsRef::as_ref).unwrap_or_default()
    }
}

impl<T: Iterator<Item: AsRef<[u8]>>> Iterator for HashIter<T> {
    type Item = Digest;

    fn next(&mut self) -> Option<Digest> {
        if self.next == self.end {
            let mut window = Window { messages: [const { None }; _], count: 0 };
            for (to, message) in window.messages.iter_mut().zip(&mut self.messages) {
                *to = Some(message);
                window.count += 1;
            }
            let digests = &mut self.digests[..window.count];
            hash_here(self.engine.choice(), &window, digests);
            (self.next, self.end) = (0, window.count);
        }
        let digest = self.digests[..self.end].get(self.next)?;
        self.next += 1;
        Some(*digest)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let ready = self.end - self.next;
        let (low, high) = self.messages.size_hint();
        (low.saturating_add(ready), high.and_then(|high| high.checked_add(ready)))
    }
}
