//! Read buffers, reused from file to file.

use std::cell::RefCell;
use std::io;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Buffer length for a file that shares the lanes with others, in bytes. Sixteen of them, one per
/// lane, fit in the L2 cache.
pub(crate) const SHARED_LEN: usize = 64 << 10;

/// Buffer length for a single file, in bytes: the length with the lowest cost per byte.
/// `examples/buffers.rs` measures the curve.
pub(crate) const ALONE_LEN: usize = 256 << 10;

/// Buffers of workers that have ended. Workers start and stop with the measured rate, and memory
/// that one frees stays in its allocator arena: without this pool, the next worker would allocate
/// as much again.
#[derive(Default)]
pub(crate) struct LeftBehind(Mutex<Vec<Box<[u8]>>>);

impl LeftBehind {
    fn lock(&self) -> MutexGuard<'_, Vec<Box<[u8]>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A worker's spare buffers. It grows to the maximum number of files that were in lanes at once.
#[derive(Clone)]
pub(crate) struct Pool {
    spare: Rc<RefCell<Vec<Box<[u8]>>>>,
    /// Buffer length for a single file, in bytes.
    alone_len: usize,
}

/// A buffer borrowed from a [`Pool`]. It returns there on drop.
pub(crate) struct Buffer {
    /// Empty while lent out, and after drop.
    bytes: Box<[u8]>,
    home: Pool,
}

impl Pool {
    pub(crate) fn new(alone_len: usize) -> Self {
        Self { spare: Rc::default(), alone_len }
    }

    /// Takes a spare buffer of this worker, else one from `others`, else allocates one.
    pub(crate) fn take(&self, others: &LeftBehind) -> Buffer {
        let spare = self.spare.borrow_mut().pop().or_else(|| others.lock().pop());
        let bytes = spare.unwrap_or_else(|| vec![0; SHARED_LEN].into_boxed_slice());
        Buffer { bytes, home: self.clone() }
    }

    /// Allocates a buffer of `alone_len` bytes. The allocator maps a buffer this long, so the
    /// kernel zeroes only the pages that are read into.
    pub(crate) fn take_alone(&self) -> Buffer {
        Buffer { bytes: vec![0; self.alone_len].into_boxed_slice(), home: self.clone() }
    }

    /// Moves all spare buffers to `to`.
    pub(crate) fn leave(&self, to: &LeftBehind) {
        to.lock().append(&mut self.spare.borrow_mut());
    }
}

impl Buffer {
    /// Returns the buffer length for a single file, in bytes.
    pub(crate) fn alone_len(&self) -> usize {
        self.home.alone_len
    }

    /// Grows the buffer to `alone_len` bytes and discards its contents.
    pub(crate) fn widen(&mut self) {
        let len = self.alone_len();
        if self.bytes.len() != len {
            self.replace(vec![0; len].into_boxed_slice());
        }
    }

    /// Swaps in `bytes` and returns the old buffer.
    pub(crate) fn replace(&mut self, bytes: Box<[u8]>) -> Box<[u8]> {
        std::mem::replace(&mut self.bytes, bytes)
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // A widened buffer is not pooled: memory is bounded by the shared buffers.
        if self.bytes.len() == SHARED_LEN {
            self.home.spare.borrow_mut().push(std::mem::take(&mut self.bytes));
        }
    }
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }
}

/// Retries `call` while a signal interrupts it.
pub(crate) fn retry<T>(mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}
