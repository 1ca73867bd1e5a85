//! What can be hashed a run of bytes at a time.

use core::convert::Infallible;

/// A message: a run of bytes at a time, as `std::io::BufRead` gives them.
pub trait Message {
    /// Why the message could not be had.
    type Error;

    /// The bytes at hand; empty only at the end of the message. Called again
    /// before [`consume`](Self::consume) it gives the same bytes.
    fn fill(&mut self) -> Result<&[u8], Self::Error>;

    /// Drops the first `n` bytes at hand.
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
