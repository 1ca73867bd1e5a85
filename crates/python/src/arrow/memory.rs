//! Memory that a column of digests is made in.

use std::sync::Mutex;

use arrow_buffer::{Buffer, MutableBuffer, OffsetBuffer, ScalarBuffer};
use memmap2::MmapMut;
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

/// Bytes of any values, all of which are to be written.
pub(super) enum Memory {
    Small(MutableBuffer),
    Large(Pages),
}

/// So many bytes and more are asked of the system, which may say no; an allocator would end the process.
///
/// Not in pages of 2 MiB: a virtual machine that gives free ones back to its host waits for each
/// again, three times as long as the digests take.
const LARGE: usize = 4 << 20;

impl Memory {
    /// So many bytes, for what is made of argument `name`.
    pub(super) fn new(name: &str, len: usize) -> PyResult<Self> {
        if len < LARGE {
            return Ok(Self::Small(MutableBuffer::from_len_zeroed(len)));
        }
        let pages = Pages::new(len).map_err(|error| {
            PyMemoryError::new_err(format!("{name}: {len} bytes for digests: {error}"))
        })?;
        Ok(Self::Large(pages))
    }

    pub(super) fn bytes(&mut self) -> &mut [u8] {
        match self {
            Self::Small(bytes) => bytes,
            Self::Large(pages) => pages.bytes(),
        }
    }

    /// The same memory for a column.
    pub(super) fn into_buffer(self) -> Buffer {
        match self {
            Self::Small(bytes) => bytes.into(),
            Self::Large(pages) => Buffer::from(bytes::Bytes::from_owner(pages)),
        }
    }
}

/// The first so many bytes of a mapping, which is kept for the next column when this one is
/// dropped: the system takes a third as long to give new pages as their digests take.
pub(super) struct Pages {
    /// None once dropped.
    map: Option<MmapMut>,
    len: usize,
}

/// Mappings that no column is in, the last one dropped last. Nobody waits for them: in the child of a
/// fork the lock may be held for ever by a thread that is not there.
static KEPT: Mutex<Vec<MmapMut>> = Mutex::new(Vec::new());

/// How many bytes of mappings are kept.
const MOST: usize = 1 << 30;

impl Pages {
    fn new(len: usize) -> std::io::Result<Self> {
        let fits = |map: &MmapMut| (len..=2 * len).contains(&map.len());
        let kept = KEPT.try_lock().ok().and_then(|mut kept| {
            let place = kept.iter().rposition(fits)?;
            Some(kept.remove(place))
        });
        let map = kept.map_or_else(|| MmapMut::map_anon(len), Ok)?;
        Ok(Self { map: Some(map), len })
    }

    fn bytes(&mut self) -> &mut [u8] {
        self.map.as_deref_mut().map_or(&mut [], |map| &mut map[..self.len])
    }
}

impl AsRef<[u8]> for Pages {
    fn as_ref(&self) -> &[u8] {
        self.map.as_deref().map_or(&[], |map| &map[..self.len])
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        #[cfg(target_os = "linux")]
        if let Some(map) = self.map.take() {
            keep(map);
        }
    }
}

/// Keeps a mapping whose pages the system may take when it is short of memory.
#[cfg(target_os = "linux")]
fn keep(map: MmapMut) {
    // SAFETY: nobody looks at these bytes until they are written again: a column writes all of its.
    if map.len() > MOST || unsafe { map.unchecked_advise(memmap2::UncheckedAdvice::Free) }.is_err()
    {
        return;
    }
    let Ok(mut kept) = KEPT.try_lock() else { return };
    kept.push(map);
    let mut bytes = 0;
    let first = kept.iter().rposition(|map| {
        bytes += map.len();
        bytes > MOST
    });
    if let Some(last) = first {
        kept.drain(..=last);
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
