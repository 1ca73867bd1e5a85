//! Compares two states of a tree: two manifests, or a manifest and the files. The source of the records
//! does not matter. Sorted sequences are merged, with one record of each in memory.

use std::cmp::Ordering;
use std::iter::Peekable;

use crate::{Checksum, Class, Named, Record, path_order};

/// The result of comparing one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The class of the difference.
    pub class: Class,
    /// The earlier record, under the earlier name; `None` if the file is new.
    pub before: Option<Record>,
    /// The current record; `None` if the file is missing. Only a name if it cannot be read.
    pub now: Option<Record>,
}

impl Finding {
    /// Classifies a file that has two records.
    pub fn compared(before: Record, now: Record) -> Self {
        Self { class: before.compare(&now), before: Some(before), now: Some(now) }
    }

    /// Classifies a missing file, judging only by its name.
    pub fn missing(before: Record) -> Self {
        Self { class: Class::Missing, before: Some(before), now: None }
    }

    /// Classifies a new file, judging only by its name.
    pub fn new(now: Record) -> Self {
        Self { class: Class::New, before: None, now: Some(now) }
    }

    /// Returns the previous name, if it differs from the current one.
    pub fn moved_from(&self) -> Option<&[u8]> {
        self.before.as_ref().filter(|_| self.class == Class::Moved).map(Named::name)
    }
}

impl Named for Finding {
    fn name(&self) -> &[u8] {
        self.now.as_ref().or(self.before.as_ref()).map_or(b"", Named::name)
    }
}

/// The items with one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pair<A, B> {
    /// In both states.
    Both(A, B),
    /// Only in the earlier state.
    Before(A),
    /// Only in the current state.
    Now(B),
}

/// Pairs items of the same name in two sequences, both sorted by [`path_order`] and without duplicates.
pub struct Pairs<A: Iterator, B: Iterator> {
    before: Peekable<A>,
    now: Peekable<B>,
}

impl<A: Iterator, B: Iterator> Pairs<A, B> {
    /// Creates an iterator over the pairs of two sorted sequences.
    pub fn new(before: A, now: B) -> Self {
        Self { before: before.peekable(), now: now.peekable() }
    }

    fn next_by(
        &mut self,
        order: impl FnOnce(&A::Item, &B::Item) -> Ordering,
    ) -> Option<Pair<A::Item, B::Item>> {
        let order = match (self.before.peek(), self.now.peek()) {
            (Some(before), Some(now)) => order(before, now),
            (Some(_), None) => Ordering::Less,
            (None, _) => Ordering::Greater,
        };
        Some(match order {
            Ordering::Less => Pair::Before(self.before.next()?),
            Ordering::Greater => Pair::Now(self.now.next()?),
            Ordering::Equal => Pair::Both(self.before.next()?, self.now.next()?),
        })
    }
}

impl<A, B> Iterator for Pairs<A, B>
where
    A: Iterator<Item: Named>,
    B: Iterator<Item: Named>,
{
    type Item = Pair<A::Item, B::Item>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_by(|before, now| path_order(before.name(), now.name()))
    }
}

/// Finds moved files among the missing and the new ones.
///
/// Both sequences are records that have a digest of one algorithm, sorted by that digest. Each missing
/// file is paired with one new file of the same contents, so further copies are new. Empty files do not
/// move, since they are indistinguishable.
pub struct Moves<A: Iterator, B: Iterator> {
    algorithm: Checksum,
    pairs: Pairs<A, B>,
    /// The second file of a pair of empty files, which is returned next.
    held: Option<Record>,
    empty: Vec<u8>,
}

impl<A: Iterator<Item = Record>, B: Iterator<Item = Record>> Moves<A, B> {
    /// Creates an iterator that compares digests of `algorithm`.
    pub fn new(algorithm: Checksum, missing: A, new: B) -> Self {
        let empty = algorithm.empty_digest();
        Self { algorithm, pairs: Pairs::new(missing, new), held: None, empty }
    }
}

impl<A: Iterator<Item = Record>, B: Iterator<Item = Record>> Iterator for Moves<A, B> {
    type Item = Finding;

    fn next(&mut self) -> Option<Finding> {
        if let Some(new) = self.held.take() {
            return Some(Finding::new(new));
        }
        let algorithm = self.algorithm;
        let pair = self
            .pairs
            .next_by(|before, now| before.digest(algorithm).cmp(&now.digest(algorithm)))?;
        Some(match pair {
            Pair::Before(before) => Finding::missing(before),
            Pair::Now(now) => Finding::new(now),
            Pair::Both(before, now) if before.digest(algorithm) == Some(&self.empty) => {
                self.held = Some(now);
                Finding::missing(before)
            }
            Pair::Both(before, now) => {
                Finding { class: Class::Moved, before: Some(before), now: Some(now) }
            }
        })
    }
}
