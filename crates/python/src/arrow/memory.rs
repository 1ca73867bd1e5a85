//! Memory that a column of digests is made in.

use arrow_buffer::{Buffer, MutableBuffer, OffsetBuffer, ScalarBuffer};
use memmap2::MmapMut;
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

/// Zeros, to be written over.
pub(super) enum Memory {
    Small(MutableBuffer),
    Large(MmapMut),
}

/// So many bytes and more are asked of the system, which may say no; an allocator would end the process.
///
/// Not in pages of 2 MiB: a virtual machine that gives free ones back to its host waits for each
/// again, three times as long as the digests take.
const LARGE: usize = 4 << 20;

impl Memory {
    /// Zeros of so many bytes, for what is made of argument `name`.
    pub(super) fn new(name: &str, len: usize) -> PyResult<Self> {
        if len < LARGE {
            return Ok(Self::Small(MutableBuffer::from_len_zeroed(len)));
        }
        let map = MmapMut::map_anon(len).map_err(|error| {
            PyMemoryError::new_err(format!("{name}: {len} bytes for digests: {error}"))
        })?;
        Ok(Self::Large(map))
    }

    pub(super) fn bytes(&mut self) -> &mut [u8] {
        match self {
            Self::Small(bytes) => bytes,
            Self::Large(map) => map,
        }
    }

    /// The same memory for a column.
    pub(super) fn into_buffer(self) -> Buffer {
        match self {
            Self::Small(bytes) => bytes.into(),
            Self::Large(map) => Buffer::from(bytes::Bytes::from_owner(map)),
        }
    }
}

/// Offsets of `count` values of `len` bytes each, which are of argument `name`.
pub(super) fn offsets(name: &str, len: usize, count: usize) -> PyResult<OffsetBuffer<i64>> {
    let mut memory = Memory::new(name, (count + 1) * size_of::<i64>())?;
    let places = memory.bytes().as_chunks_mut().0;
    for (offset, place) in (0i64..).step_by(len).zip(places) {
        *place = offset.to_ne_bytes();
    }
    let offsets = ScalarBuffer::from(memory.into_buffer());
    // SAFETY: they begin with zero, and none is less than the one before.
    Ok(unsafe { OffsetBuffer::new_unchecked(offsets) })
}
