//! Memory for columns of digests.

use std::sync::Mutex;

use arrow_buffer::{Buffer, MutableBuffer, OffsetBuffer, ScalarBuffer};
use memmap2::MmapMut;
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

/// Bytes with arbitrary contents. The owner must overwrite all of them.
pub(super) enum Memory {
    Small(MutableBuffer),
    Large(Pages),
}

/// Minimum length for mapped memory: `mmap` can fail, where an allocator would abort the process.
///
/// Huge pages are not used: a virtual machine that returns free ones to its host has to fault each in
/// again, which takes three times as long as the digests.
const LARGE: usize = 4 << 20;

impl Memory {
    /// Allocates `len` bytes for the digests of argument `name`.
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

    /// Converts the memory to a column's buffer.
    pub(super) fn into_buffer(self) -> Buffer {
        match self {
            Self::Small(bytes) => bytes.into(),
            Self::Large(pages) => Buffer::from(bytes::Bytes::from_owner(pages)),
        }
    }
}

/// The first `len` bytes of a mapping, which is cached for the next column when this one is dropped:
/// faulting in new pages takes a third as long as their digests.
pub(super) struct Pages {
    /// None once dropped.
    map: Option<MmapMut>,
    len: usize,
}

/// Cached mappings, in the order in which their columns were dropped. Only tries the lock: in the
/// child of a fork, a thread that no longer exists may hold it forever.
static CACHED: Mutex<Vec<MmapMut>> = Mutex::new(Vec::new());

/// Maximum number of bytes in cached mappings.
const CACHED_BYTES: usize = 1 << 30;

impl Pages {
    fn new(len: usize) -> std::io::Result<Self> {
        let fits = |map: &MmapMut| (len..=2 * len).contains(&map.len());
        let cached = CACHED.try_lock().ok().and_then(|mut cached| {
            let place = cached.iter().rposition(fits)?;
            Some(cached.remove(place))
        });
        let map = cached.map_or_else(|| MmapMut::map_anon(len), Ok)?;
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
            cache(map);
        }
    }
}

/// Caches a mapping. The system may reclaim its pages when memory is low.
#[cfg(target_os = "linux")]
fn cache(map: MmapMut) {
    if map.len() > CACHED_BYTES {
        return;
    }
    // SAFETY: the bytes are not read before they are written again: a column writes all its bytes.
    if unsafe { map.unchecked_advise(memmap2::UncheckedAdvice::Free) }.is_err() {
        return;
    }
    let Ok(mut cached) = CACHED.try_lock() else { return };
    cached.push(map);
    let mut bytes = 0;
    let first = cached.iter().rposition(|map| {
        bytes += map.len();
        bytes > CACHED_BYTES
    });
    if let Some(last) = first {
        cached.drain(..=last);
    }
}

/// Returns the offsets of `count` values of `len` bytes each; errors name the argument `name`.
pub(super) fn offsets(name: &str, len: usize, count: usize) -> PyResult<OffsetBuffer<i64>> {
    let mut memory = Memory::new(name, (count + 1) * size_of::<i64>())?;
    let places = memory.bytes().as_chunks_mut().0;
    for (offset, place) in (0i64..).step_by(len).zip(places) {
        *place = offset.to_ne_bytes();
    }
    let offsets = ScalarBuffer::from(memory.into_buffer());
    // SAFETY: the offsets begin with zero and never decrease.
    Ok(unsafe { OffsetBuffer::new_unchecked(offsets) })
}
