//! Buffers that files are read into, used again and again.

use std::cell::RefCell;
use std::io;
use std::num::NonZeroUsize;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The length of a buffer of a file in company, in bytes. Sixteen of them, one a
/// lane, are as much as a second-level cache holds.
pub(crate) const SHARED_LEN: usize = 64 << 10;

/// The length of a buffer of a file alone, in bytes: reads of this length cost least.
/// `examples/buffers.rs` measures the curve.
static ALONE_LEN: AtomicUsize = AtomicUsize::new(256 << 10);

pub(crate) fn alone_len() -> usize {
    ALONE_LEN.load(Ordering::Relaxed)
}

/// Sets the length of buffers of files alone, in bytes, for the whole process: to measure by.
#[doc(hidden)]
pub fn set_alone_len(bytes: NonZeroUsize) {
    ALONE_LEN.store(bytes.get(), Ordering::Relaxed);
}

/// A worker's spare buffers. As many are made as there were ever files in lanes.
#[derive(Clone, Default)]
pub(crate) struct Pool(Rc<RefCell<Vec<Box<[u8]>>>>);

/// A buffer on loan from a [`Pool`], to which it returns when dropped.
pub(crate) struct Buffer {
    /// Empty in no buffer that has not been dropped.
    bytes: Box<[u8]>,
    home: Pool,
}

impl Pool {
    pub(crate) fn take(&self) -> Buffer {
        let spare = self.0.borrow_mut().pop();
        let bytes = spare.unwrap_or_else(|| vec![0; SHARED_LEN].into_boxed_slice());
        Buffer { bytes, home: self.clone() }
    }
}

impl Buffer {
    /// Makes it as long as the buffer of a file alone. The bytes in it are lost.
    pub(crate) fn widen(&mut self) {
        let len = alone_len();
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
            self.home.0.borrow_mut().push(std::mem::take(&mut self.bytes));
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
