//! An external merge sort with bounded memory.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, Write};
use std::ops::Range;

/// Memory of the items above which they are written to a temporary file, in bytes.
pub(crate) const MAX_MEMORY_BYTES: usize = 24 << 20;

/// An item: its sort key and its contents.
pub(crate) type Item = (Vec<u8>, Vec<u8>);

/// The next item of a run: its key, the number of the run, and its value.
pub(crate) type Head = (Vec<u8>, usize, Vec<u8>);

/// Sorts items by key. The sort is stable.
pub(crate) struct Sorter {
    max_bytes: usize,
    /// The keys and values of all items in memory.
    bytes: Vec<u8>,
    /// The ranges of each item's key and value in `bytes`.
    items: Vec<(Range<usize>, Range<usize>)>,
    /// Unnamed temporary files, each with sorted items.
    runs: Vec<File>,
}

impl Sorter {
    pub(crate) fn new(max_bytes: usize) -> Self {
        Self { max_bytes, bytes: Vec::new(), items: Vec::new(), runs: Vec::new() }
    }

    pub(crate) fn push(&mut self, key: &[u8], value: &[u8]) -> io::Result<()> {
        let start = self.bytes.len();
        self.bytes.extend(key);
        let middle = self.bytes.len();
        self.bytes.extend(value);
        self.items.push((start..middle, middle..self.bytes.len()));
        let held = self.bytes.len() + self.items.len() * size_of::<(Range<usize>, Range<usize>)>();
        if held >= self.max_bytes { self.spill() } else { Ok(()) }
    }

    fn sort(&mut self) {
        let bytes = &self.bytes;
        self.items.sort_by(|(a, _), (b, _)| bytes[a.clone()].cmp(&bytes[b.clone()]));
    }

    fn spill(&mut self) -> io::Result<()> {
        self.sort();
        let mut file = BufWriter::new(tempfile::tempfile()?);
        for (key, value) in &self.items {
            for part in [key, value] {
                file.write_all(&(part.len() as u32).to_le_bytes())?;
                file.write_all(&self.bytes[part.clone()])?;
            }
        }
        let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        self.runs.push(file);
        self.bytes.clear();
        self.items.clear();
        Ok(())
    }

    /// Returns all items in order.
    pub(crate) fn finish(mut self) -> io::Result<Sorted> {
        if self.runs.is_empty() {
            self.sort();
            return Ok(Sorted::Held { bytes: self.bytes, items: self.items.into_iter() });
        }
        if !self.items.is_empty() {
            self.spill()?;
        }
        let mut runs: Vec<_> = self.runs.into_iter().map(BufReader::new).collect();
        let mut heads = BinaryHeap::new();
        for (number, run) in runs.iter_mut().enumerate() {
            if let Some((key, value)) = read(run)? {
                heads.push(Reverse((key, number, value)));
            }
        }
        Ok(Sorted::Merged { runs, heads })
    }
}

/// The sorted items.
pub(crate) enum Sorted {
    Held {
        bytes: Vec<u8>,
        items: std::vec::IntoIter<(Range<usize>, Range<usize>)>,
    },
    Merged {
        runs: Vec<BufReader<File>>,
        /// The next item of each run.
        heads: BinaryHeap<Reverse<Head>>,
    },
}

impl Sorted {
    pub(crate) fn next(&mut self) -> io::Result<Option<Item>> {
        match self {
            Self::Held { bytes, items } => {
                Ok(items.next().map(|(key, value)| (bytes[key].to_vec(), bytes[value].to_vec())))
            }
            Self::Merged { runs, heads } => {
                let Some(Reverse((key, number, value))) = heads.pop() else { return Ok(None) };
                if let Some((key, value)) = read(&mut runs[number])? {
                    heads.push(Reverse((key, number, value)));
                }
                Ok(Some((key, value)))
            }
        }
    }
}

fn read(run: &mut impl Read) -> io::Result<Option<Item>> {
    let mut part = || {
        let mut len = [0; 4];
        run.read_exact(&mut len)?;
        let mut bytes = vec![0; u32::from_le_bytes(len) as usize];
        run.read_exact(&mut bytes)?;
        Ok(bytes)
    };
    let key = match part() {
        Err(error) if io::Error::kind(&error) == ErrorKind::UnexpectedEof => return Ok(None),
        key => key?,
    };
    Ok(Some((key, part()?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn items_are_sorted_with_any_memory_limit(
            keys in prop::collection::vec(prop::collection::vec(0..3_u8, 0..4), 0..60),
            max_bytes in 1..2000_usize,
        ) {
            let mut sorter = Sorter::new(max_bytes);
            let mut expected: Vec<Item> =
                keys.into_iter().enumerate().map(|(i, key)| (key, vec![i as u8])).collect();
            for (key, value) in &expected {
                sorter.push(key, value).unwrap();
            }
            let mut sorted = sorter.finish().unwrap();
            let mut found = Vec::new();
            while let Some(item) = sorted.next().unwrap() {
                found.push(item);
            }
            // `sort_by` is stable, too.
            expected.sort_by(|a, b| a.0.cmp(&b.0));
            prop_assert_eq!(found, expected);
        }
    }
}
