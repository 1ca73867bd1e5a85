//! Message types: one message read in pieces, and batches of messages in memory.

use core::convert::Infallible;
use core::fmt;

/// A message for [`Lanes`], read in pieces like `std::io::BufRead`. `&[u8]` implements it, and a pair of any name and
/// a message; a file needs a wrapper:
///
/// ```
/// use std::fs::File;
/// use std::io::{self, BufRead, BufReader};
///
/// struct Open(BufReader<File>);
///
/// impl lanesum::Message for Open {
///     type Error = io::Error;
///
///     fn fill(&mut self) -> io::Result<&[u8]> {
///         self.0.fill_buf()
///     }
///
///     fn consume(&mut self, n: usize) {
///         self.0.consume(n);
///     }
/// }
/// ```
///
/// [`Lanes`]: crate::Lanes
#[diagnostic::on_unimplemented(
    note = "messages in memory are `&[u8]`: \"abc\".as_bytes(), &vec[..]",
    note = "to hash a file or another reader, implement `Message` for a type that wraps a `BufReader`: see its documentation"
)]
pub trait Message {
    /// The error of a failed read.
    type Error;

    /// Returns the available bytes; empty means end of message. Returns the same bytes again until
    /// [`consume`](Self::consume) is called.
    ///
    /// Must block until at least one byte is available or the message ends. For sources that must not block, use
    /// [`update_many`](crate::update_many) in place of `Lanes`.
    fn fill(&mut self) -> Result<&[u8], Self::Error>;

    /// Drops the first `n` available bytes.
    fn consume(&mut self, n: usize);
}

impl Message for &[u8] {
    type Error = Infallible;

    fn fill(&mut self) -> Result<&[u8], Infallible> {
        Ok(self)
    }

    fn consume(&mut self, n: usize) {
        *self = &self[n..];
    }
}

/// A message with a name, by which to recognize it when it is complete.
impl<T, M: Message> Message for (T, M) {
    type Error = M::Error;

    fn fill(&mut self) -> Result<&[u8], M::Error> {
        self.1.fill()
    }

    fn consume(&mut self, n: usize) {
        self.1.consume(n);
    }
}

/// A batch of messages in memory, indexed from 0.
///
/// Implemented for slices, arrays, [`Strided`] and [`Offsets`], and with feature `alloc` (part of `std`) also for
/// `Vec`, `Box` and `Arc`.
#[diagnostic::on_unimplemented(
    note = "pass a reference to a slice or an array of byte strings, `&Strided` or `&Offsets`; `hash_iter` accepts iterators"
)]
#[cfg_attr(
    not(feature = "alloc"),
    diagnostic::on_unimplemented(
        note = "`Vec`, `Box` and `Arc` need the feature `alloc` of the crate `lanesum`; slices and arrays do not"
    )
)]
pub trait Messages {
    /// Returns the number of messages.
    fn count(&self) -> usize;

    /// Returns message `index`.
    ///
    /// # Panics
    ///
    /// May panic if `index` is not less than [`count`](Self::count).
    fn message(&self, index: usize) -> &[u8];
}

impl<T: AsRef<[u8]>> Messages for [T] {
    fn count(&self) -> usize {
        self.len()
    }

    #[inline]
    fn message(&self, index: usize) -> &[u8] {
        self[index].as_ref()
    }
}

impl<T: AsRef<[u8]>, const N: usize> Messages for [T; N] {
    fn count(&self) -> usize {
        N
    }

    #[inline]
    fn message(&self, index: usize) -> &[u8] {
        self[index].as_ref()
    }
}

#[cfg(feature = "alloc")]
impl<T: AsRef<[u8]>> Messages for alloc::vec::Vec<T> {
    fn count(&self) -> usize {
        self.len()
    }

    #[inline]
    fn message(&self, index: usize) -> &[u8] {
        self[index].as_ref()
    }
}

/// Implements [`Messages`] for smart pointers to messages.
#[cfg(feature = "alloc")]
macro_rules! pointer {
    ($($(#[$cfg:meta])? $pointer:ty),* $(,)?) => {$(
        $(#[$cfg])?
        impl<M: Messages + ?Sized> Messages for $pointer {
            fn count(&self) -> usize {
                (**self).count()
            }

            #[inline]
            fn message(&self, index: usize) -> &[u8] {
                (**self).message(index)
            }
        }
    )*};
}
#[cfg(feature = "alloc")]
pointer!(
    alloc::boxed::Box<M>,
    #[cfg(target_has_atomic = "ptr")]
    alloc::sync::Arc<M>,
);

/// Messages of equal length at a fixed distance: rows of a table, chunks of a file, pairs of
/// digests in a Merkle tree.
#[derive(Clone, Copy, Debug)]
pub struct Strided<'m> {
    bytes: &'m [u8],
    len: usize,
    stride: usize,
    count: usize,
}

impl<'m> Strided<'m> {
    /// Splits `bytes` into consecutive messages of `len` bytes.
    ///
    /// # Errors
    ///
    /// If `len` is zero or does not divide the length of `bytes`.
    pub fn new(bytes: &'m [u8], len: usize) -> Result<Self, BatchError> {
        if len == 0 || !bytes.len().is_multiple_of(len) {
            return Err(BatchError::Uneven { bytes: bytes.len(), len });
        }
        Ok(Self { bytes, len, stride: len, count: bytes.len() / len })
    }

    /// Selects `count` messages of `len` bytes whose starts are `stride` bytes apart.
    ///
    /// # Errors
    ///
    /// If the last message does not end inside `bytes`, or if messages overlap.
    pub fn with_stride(
        bytes: &'m [u8],
        len: usize,
        stride: usize,
        count: usize,
    ) -> Result<Self, BatchError> {
        let end = |last: usize| last.checked_mul(stride).and_then(|start| start.checked_add(len));
        let fits = match count.checked_sub(1) {
            Some(last) => end(last).is_some_and(|end| end <= bytes.len()),
            None => true,
        };
        if !fits || (stride < len && count > 1) {
            return Err(BatchError::Stride { bytes: bytes.len(), len, stride, count });
        }
        Ok(Self { bytes, len, stride, count })
    }
}

impl Messages for Strided<'_> {
    fn count(&self) -> usize {
        self.count
    }

    #[inline]
    fn message(&self, index: usize) -> &[u8] {
        &self.bytes[index * self.stride..][..self.len]
    }
}

/// An integer type for offsets.
pub trait Offset: Copy + Send + Sync {
    /// Returns the offset in bytes, or `None` if it is negative or exceeds `usize`.
    fn to_usize(self) -> Option<usize>;
}

macro_rules! offset {
    ($($int:ident)*) => {$(
        impl Offset for $int {
            #[inline]
            fn to_usize(self) -> Option<usize> {
                usize::try_from(self).ok()
            }
        }
    )*};
}
offset!(i32 i64 u32 u64 usize);

/// Consecutive messages in one buffer, in the layout of Arrow's strings: message i is
/// `bytes[offsets[i]..offsets[i + 1]]`.
#[derive(Clone, Copy, Debug)]
pub struct Offsets<'m, O> {
    bytes: &'m [u8],
    offsets: &'m [O],
}

impl<'m, O: Offset> Offsets<'m, O> {
    /// Uses each pair of adjacent `offsets` as the bounds of a message, so n offsets make n - 1 messages.
    ///
    /// # Errors
    ///
    /// If an offset is negative, less than the one before it, or past the end of `bytes`. The error
    /// contains its index.
    pub fn new(bytes: &'m [u8], offsets: &'m [O]) -> Result<Self, BatchError> {
        let mut before = 0;
        for (index, offset) in offsets.iter().enumerate() {
            let offset = offset.to_usize().ok_or(BatchError::Negative { index })?;
            if offset < before {
                return Err(BatchError::Backwards { index });
            }
            if offset > bytes.len() {
                return Err(BatchError::PastEnd { index, bytes: bytes.len() });
            }
            before = offset;
        }
        Ok(Self { bytes, offsets })
    }
}

impl<O: Offset> Messages for Offsets<'_, O> {
    fn count(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    #[inline]
    fn message(&self, index: usize) -> &[u8] {
        // `new` validated every offset.
        let at = |i: usize| self.offsets[i].to_usize().unwrap_or_default();
        &self.bytes[at(index)..at(index + 1)]
    }
}

/// The error for lengths or offsets that do not fit the buffer of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BatchError {
    /// The message length is zero or does not divide the length of the buffer.
    Uneven {
        /// The length of the buffer, in bytes.
        bytes: usize,
        /// The length of a message, in bytes.
        len: usize,
    },
    /// Strided messages that overlap or go past the end of the buffer.
    Stride {
        /// The length of the buffer, in bytes.
        bytes: usize,
        /// The length of a message, in bytes.
        len: usize,
        /// The distance between the starts of two consecutive messages, in bytes.
        stride: usize,
        /// The number of messages.
        count: usize,
    },
    /// An offset is negative or exceeds `usize`.
    Negative {
        /// The index of the offset.
        index: usize,
    },
    /// An offset is less than the one before it.
    Backwards {
        /// The index of the offset.
        index: usize,
    },
    /// An offset is past the end of the buffer.
    PastEnd {
        /// The index of the offset.
        index: usize,
        /// The length of the buffer, in bytes.
        bytes: usize,
    },
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Uneven { bytes, len: 0 } => {
                write!(f, "message length is 0, but the buffer has {bytes} bytes")
            }
            Self::Uneven { bytes, len } => {
                write!(f, "{bytes} bytes are not a whole number of messages of {len} bytes")
            }
            Self::Stride { bytes, len, stride, count } => write!(
                f,
                "{count} messages of {len} bytes, {stride} bytes apart, overlap or do not fit in {bytes} bytes"
            ),
            Self::Negative { index } => write!(f, "offset {index} is negative or too large"),
            Self::Backwards { index } => write!(f, "offset {index} is less than the one before it"),
            Self::PastEnd { index, bytes } => {
                write!(f, "offset {index} is past the end of the buffer of {bytes} bytes")
            }
        }
    }
}

impl core::error::Error for BatchError {}
