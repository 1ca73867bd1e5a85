//! The index of a pack: the id, the offset and the CRC-32 of each object.

use crate::object::ObjectHash;

/// Length of the fan-out table, in bytes: the cumulative number of objects for each first byte.
const FAN_OUT_BYTES: usize = 256 * 4;

/// A parsed index. All tables are within its bounds; ids and offsets are not validated.
pub(crate) struct Index {
    bytes: Vec<u8>,
    hash: ObjectHash,
    count: usize,
    is_first_version: bool,
}

impl Index {
    /// Parses the contents of an index file.
    pub(crate) fn parse(bytes: Vec<u8>, hash: ObjectHash) -> Result<Self, String> {
        let is_first_version = !bytes.starts_with(b"\xfftOc");
        let tables = if is_first_version { 0 } else { 8 };
        if !is_first_version && bytes.get(4..8) != Some(&[0, 0, 0, 2]) {
            return Err("its version is not 1 or 2".into());
        }
        let fan_out = bytes.get(tables..tables + FAN_OUT_BYTES).ok_or("it is truncated")?;
        let counts: Vec<u32> = fan_out.chunks_exact(4).map(big_endian).collect();
        if !counts.is_sorted() {
            return Err("its counts decrease".into());
        }
        let count = counts[255] as usize;
        // The hash function has more bytes per id: without this check, a corrupt first byte looks like version 1.
        let entry = if is_first_version { 4 + hash.len() } else { hash.len() + 8 };
        let needed = tables + FAN_OUT_BYTES + count * entry + 2 * hash.len();
        let is_possible = match is_first_version {
            true => bytes.len() == needed,
            // Followed by 64-bit offsets, at most one for each object.
            false => bytes.len() >= needed && (bytes.len() - needed) / 8 <= count,
        };
        if !is_possible {
            return Err(format!("its length does not match its {count} objects"));
        }
        let index = Self { bytes, hash, count, is_first_version };
        for at in 1..count {
            if index.id(at - 1) >= index.id(at) {
                return Err("its ids are not sorted".into());
            }
        }
        for (byte, &end) in counts.iter().enumerate() {
            let outside = |at: usize, before: bool| {
                index.ids_first_byte(at).is_some_and(|first| (first > byte) != before)
            };
            if (end > 0 && outside(end as usize - 1, false)) || outside(end as usize, true) {
                return Err("its counts do not match its ids".into());
            }
        }
        Ok(index)
    }

    fn ids_first_byte(&self, at: usize) -> Option<usize> {
        (at < self.count).then(|| self.id(at)[0].into())
    }

    /// The number of objects.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    fn table(&self) -> &[u8] {
        &self.bytes[if self.is_first_version { FAN_OUT_BYTES } else { 8 + FAN_OUT_BYTES }..]
    }

    /// Returns the id of the object at position `at`.
    #[inline]
    pub(crate) fn id(&self, at: usize) -> &[u8] {
        let len = self.hash.len();
        let start = if self.is_first_version { at * (4 + len) + 4 } else { at * len };
        &self.table()[start..][..len]
    }

    /// Returns the CRC-32 of an object's entry in the pack; `None` in version 1.
    pub(crate) fn crc(&self, at: usize) -> Option<u32> {
        let start = self.count * self.hash.len() + at * 4;
        (!self.is_first_version).then(|| big_endian(&self.table()[start..][..4]))
    }

    /// Returns the offset of an object in the pack; `None` if it refers to a missing 64-bit offset.
    pub(crate) fn offset(&self, at: usize) -> Option<u64> {
        if self.is_first_version {
            let start = at * (4 + self.hash.len());
            return Some(big_endian(&self.table()[start..][..4]).into());
        }
        let start = self.count * (self.hash.len() + 4);
        let short = big_endian(&self.table()[start + at * 4..][..4]);
        if short >> 31 == 0 {
            return Some(short.into());
        }
        let long = &self.table()[start + self.count * 4..];
        let long = &long[..long.len() - 2 * self.hash.len()];
        let bytes = long.chunks_exact(8).nth((short & 0x7fff_ffff) as usize)?;
        Some(u64::from_be_bytes(bytes.try_into().ok()?))
    }

    /// Returns the position of an id.
    pub(crate) fn find(&self, id: &[u8]) -> Option<usize> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low.midpoint(high);
            match self.id(middle).cmp(id) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(middle),
            }
        }
        None
    }

    /// Returns the checksum of the pack.
    pub(crate) fn pack_checksum(&self) -> &[u8] {
        let end = self.bytes.len() - self.hash.len();
        &self.bytes[end - self.hash.len()..end]
    }
}

#[inline]
pub(crate) fn big_endian(bytes: &[u8]) -> u32 {
    u32::from_be_bytes(bytes.try_into().expect("four bytes"))
}
