//! Read buffers, which are used again for file after file.

use std::cell::RefCell;
use std::io;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The length of a buffer of a file in company, in bytes. Sixteen of them, one a
/// lane, are as much as a second-level cache holds.
pub(crate) const SHARED_LEN: usize = 64 << 10;

/// The length of a buffer of a file alone, in bytes: reads of this length cost least.
/// `examples/buffers.rs` measures the curve.
pub(crate) const ALONE_LEN: usize = 256 << 10;

/// Buffers that workers have left behind. A worker comes and goes as it pays, and what it frees
/// stays with its part of the allocator: the next one would take as much again.
#[derive(Default)]
pub(crate) struct LeftBehind(Mutex<Vec<Box<[u8]>>>);

impl LeftBehind {
    fn lock(&self) -> MutexGuard<'_, Vec<Box<[u8]>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A worker's spare buffers. As many are made as there were ever files in lanes.
#[derive(Clone)]
pub(crate) struct Pool {
    spare: Rc<RefCell<Vec<Box<[u8]>>>>,
    /// The length of a buffer of a file alone, in bytes.
    alone_len: usize,
}

/// A buffer on loan from a [`Pool`], to which it returns when dropped.
pub(crate) struct Buffer {
    /// Empty while they are lent, and once it has been dropped.
    bytes: Box<[u8]>,
    home: Pool,
}

impl Pool {
    pub(crate) fn new(alone_len: usize) -> Self {
        Self { spare: Rc::default(), alone_len }
    }

    /// A buffer of this worker's, or one that others have left behind, or a new one.
    pub(crate) fn take(&self, others: &LeftBehind) -> Buffer {
        let spare = self.spare.borrow_mut().pop().or_else(|| others.lock().pop());
        let bytes = spare.unwrap_or_else(|| vec![0; SHARED_LEN].into_boxed_slice());
        Buffer { bytes, home: self.clone() }
    }

    /// A new buffer of `alone_len` bytes. The allocator maps a buffer this long, so the kernel clears only the
    /// pages that are read into.
    pub(crate) fn take_alone(&self) -> Buffer {
        Buffer { bytes: vec![0; self.alone_len].into_boxed_slice(), home: self.clone() }
    }

    /// Leaves all spare buffers behind.
    pub(crate) fn leave(&self, to: &LeftBehind) {
        to.lock().append(&mut self.spare.borrow_mut());
    }
}

impl Buffer {
    /// The length of the buffer of a file alone, in bytes.
    pub(crate) fn alone_len(&self) -> usize {
        self.home.alone_len
    }

    /// Makes it as long as the buffer of a file alone. The bytes in it are lost.
    pub(crate) fn widen(&mut self) {
        let len = self.alone_len();
        if self.bytes.len() != len {
            self.replace(vec![0; len].into_boxed_slice());
        }
    }

    /// Puts other bytes in place of these, and gives these back.
    pub(crate) fn replace(&mut self, bytes: Box<[u8]>) -> Box<[u8]> {
        std::mem::replace(&mut self.bytes, bytes)
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // A widened one is not kept: memory is bounded by that of files in company.
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

/// The same call again as long as a signal interrupts it.
pub(crate) fn retry<T>(mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}
