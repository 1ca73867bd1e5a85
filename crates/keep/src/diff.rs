//! Compares two sequences of records, and computes the records of a tree.

use std::io;
use std::ops::ControlFlow;

use lanesum_files::{Progress, Walk};
use lanesum_manifest::{Checksum, Class, Finding, Named, Record, path_order};

use crate::audit::settle;
use crate::coded::{Sorting, key_of};
use crate::{Audit, Outcome, Records, Sink, audit};

/// Compares two sequences of records. `moves` is the algorithm that identifies moved files.
///
/// # Errors
///
/// If records cannot be read to their end, or a temporary file cannot be written.
pub fn diff(
    mut before: Records,
    mut now: Records,
    moves: Option<Checksum>,
    sink: &mut impl Sink,
) -> io::Result<()> {
    let (mut missing, mut new) = (Sorting::new(), Sorting::new());
    let key = |record: &Record| {
        let digest = moves.and_then(|algorithm| record.digest(algorithm));
        digest.map(<[u8]>::to_vec).unwrap_or_default()
    };
    let (mut left, mut right) = (before.next_record()?, now.next_record()?);
    loop {
        let order = match (&left, &right) {
            (Some(left), Some(right)) => path_order(left.name(), right.name()),
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (None, None) => break,
        };
        let (old, new_one) = (
            if order.is_le() { std::mem::replace(&mut left, before.next_record()?) } else { None },
            if order.is_ge() { std::mem::replace(&mut right, now.next_record()?) } else { None },
        );
        sink.entry(old.as_ref(), new_one.as_ref());
        match (old, new_one) {
            (Some(old), Some(now)) => {
                let outcome = Outcome { finding: Finding::compared(old, now), reason: None };
                if sink.finding(outcome).is_break() {
                    return Ok(());
                }
            }
            (Some(old), None) => missing.push(&key(&old), &old)?,
            (None, Some(now)) => new.push(&key(&now), &now)?,
            (None, None) => {}
        }
    }
    settle(missing, new, moves, sink)
}

/// Hashes all files of a tree and returns their records. Files that cannot be read are passed to `failed`
/// and have no record.
///
/// # Errors
///
/// If a temporary file cannot be written.
pub fn hashed(
    walk: Walk,
    how: &Audit<'_>,
    progress: &Progress,
    failed: impl FnMut(Outcome) + Send,
) -> io::Result<Records> {
    struct Hashing<F> {
        records: Sorting,
        failed: F,
        error: Option<io::Error>,
    }

    impl<F: FnMut(Outcome) + Send> Sink for Hashing<F> {
        fn out_of_scope(&mut self, _: &Record) {}

        fn entry(&mut self, _: Option<&Record>, now: Option<&Record>) {
            if let Some(now) = now
                && let Err(error) = self.records.push(&key_of(now.name()), now)
            {
                self.error.get_or_insert(error);
            }
        }

        fn finding(&mut self, outcome: Outcome) -> ControlFlow<()> {
            if outcome.finding.class == Class::Unreadable {
                (self.failed)(outcome);
            }
            if self.error.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }

    let mut hashing = Hashing { records: Sorting::new(), failed, error: None };
    let none = Records::sorted(Sorting::new())?;
    audit(none, walk, how, progress, &mut hashing)?;
    match hashing.error {
        Some(error) => Err(error),
        None => Records::sorted(hashing.records),
    }
}
