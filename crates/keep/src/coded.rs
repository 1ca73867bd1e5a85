//! Records as bytes, for sorting.

use std::io;

use lanesum_manifest::{Checksum, Named, Record, Time};

use crate::sorter::{MAX_MEMORY_BYTES, Sorted, Sorter};

/// The sort key of a name: the byte order of keys is the path order of names.
pub(crate) fn key_of(name: &[u8]) -> Vec<u8> {
    name.iter().map(|&byte| if byte == b'/' { 0 } else { byte }).collect()
}

/// Appends the encoding that [`Bytes::record`] decodes.
pub(crate) fn push(record: &Record, out: &mut Vec<u8>) {
    let part = |bytes: &[u8], out: &mut Vec<u8>| {
        out.extend((bytes.len() as u32).to_le_bytes());
        out.extend(bytes);
    };
    part(record.name(), out);
    out.push(u8::from(record.len_of_file().is_some()));
    out.extend(record.len_of_file().unwrap_or_default().to_le_bytes());
    out.push(u8::from(record.modified().is_some()));
    out.extend(record.modified().map_or(0, Time::nanoseconds).to_le_bytes());
    out.extend((record.digests().len() as u32).to_le_bytes());
    for (algorithm, digest) in record.digests() {
        part(algorithm.name().as_bytes(), out);
        part(digest, out);
    }
}

/// A decoder that consumes bytes from the front. The input is untrusted.
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl<'a> Bytes<'a> {
    pub(crate) fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        self.0.split_off(..count)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub(crate) fn part(&mut self) -> Option<&'a [u8]> {
        let len = self.u32()?;
        self.take(len as usize)
    }

    pub(crate) fn algorithm(&mut self) -> Option<Checksum> {
        Checksum::from_name(str::from_utf8(self.part()?).ok()?)
    }

    pub(crate) fn record(&mut self) -> Option<Record> {
        let name = self.part()?;
        let [has_len] = self.array()?;
        let len = self.u64()?;
        let [has_time] = self.array()?;
        let time = i128::from_le_bytes(self.array()?);
        let time =
            Time::new(time.div_euclid(1_000_000_000) as i64, time.rem_euclid(1_000_000_000) as u32);
        let mut record = Record::new(name)
            .with_stat((has_len == 1).then_some(len), (has_time == 1).then_some(time));
        for _ in 0..self.u32()? {
            let algorithm = self.algorithm()?;
            let digest = self.part().filter(|digest| digest.len() == algorithm.digest_len())?;
            record.add(algorithm, digest);
        }
        Some(record)
    }
}

/// Sorts records by name or by another key.
pub(crate) struct Sorting {
    sorter: Sorter,
    value: Vec<u8>,
}

impl Sorting {
    pub(crate) fn new() -> Self {
        Self { sorter: Sorter::new(MAX_MEMORY_BYTES), value: Vec::new() }
    }

    pub(crate) fn push(&mut self, key: &[u8], record: &Record) -> io::Result<()> {
        self.value.clear();
        push(record, &mut self.value);
        self.sorter.push(key, &self.value)
    }

    pub(crate) fn finish(self) -> io::Result<SortedRecords> {
        Ok(SortedRecords(self.sorter.finish()?))
    }
}

/// Sorted records.
pub(crate) struct SortedRecords(Sorted);

impl SortedRecords {
    pub(crate) fn next(&mut self) -> io::Result<Option<Record>> {
        let Some((_, value)) = self.0.next()? else { return Ok(None) };
        let record = Bytes(&value).record();
        record.map(Some).ok_or_else(|| io::Error::other("a temporary file was modified"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_reads_back_from_its_bytes() {
        let mut record = Record::new(b"a/\xff\n b");
        for algorithm in Checksum::all() {
            record.add(algorithm, &vec![7; algorithm.digest_len()]);
        }
        for record in [
            Record::new(b"x"),
            record.clone(),
            record.clone().with_stat(Some(0), None),
            record.with_stat(None, Some(Time::new(-1, 999_999_999))),
        ] {
            let mut bytes = Vec::new();
            push(&record, &mut bytes);
            assert_eq!(Bytes(&bytes).record(), Some(record));
            for len in 0..bytes.len() {
                assert_eq!(Bytes(&bytes[..len]).record(), None);
            }
        }
    }
}
