//! Where the digests of a batch go: into the caller's memory, as bytes or hex.

use crate::Digest;

/// A place for the digests of a batch.
pub trait Outputs: Send {
    /// How many digests of `len` bytes fit, if that is a whole number.
    fn count(&self, len: usize) -> Option<usize>;

    /// Writes digest `index`: the first `len` of `bytes`.
    fn put(&mut self, index: usize, bytes: &[u8; Digest::MAX_LEN], len: usize);

    /// Writes digests `first + places[i]`, each the first `len` of `bytes[i]`.
    #[inline]
    fn put_group(
        &mut self,
        first: usize,
        places: &[u16],
        bytes: &[[u8; Digest::MAX_LEN]],
        len: usize,
    ) {
        for (&place, bytes) in places.iter().zip(bytes) {
            self.put(first + usize::from(place), bytes, len);
        }
    }

    /// The place in two: for the first `index` digests of `len` bytes, and for
    /// the others.
    fn split(self, index: usize, len: usize) -> (Self, Self)
    where
        Self: Sized;
}

impl Outputs for &mut [Digest] {
    fn count(&self, _: usize) -> Option<usize> {
        Some(self.len())
    }

    #[inline]
    fn put(&mut self, index: usize, bytes: &[u8; Digest::MAX_LEN], len: usize) {
        self[index] = Digest::new(bytes, len);
    }

    fn split(self, index: usize, _: usize) -> (Self, Self) {
        self.split_at_mut(index)
    }
}

/// Digests as bytes, one right after the other.
#[derive(Debug)]
pub struct Bytes<'o>(pub &'o mut [u8]);

impl Outputs for Bytes<'_> {
    fn count(&self, len: usize) -> Option<usize> {
        self.0.len().is_multiple_of(len).then(|| self.0.len() / len)
    }

    #[inline]
    fn put(&mut self, index: usize, bytes: &[u8; Digest::MAX_LEN], len: usize) {
        self.0[index * len..][..len].copy_from_slice(&bytes[..len]);
    }

    #[inline]
    fn put_group(
        &mut self,
        first: usize,
        places: &[u16],
        bytes: &[[u8; Digest::MAX_LEN]],
        len: usize,
    ) {
        /// A length known to the compiler is copied without a call.
        #[inline]
        fn copy<const LEN: usize>(
            to: &mut [u8],
            first: usize,
            places: &[u16],
            bytes: &[[u8; Digest::MAX_LEN]],
        ) {
            let to = to.as_chunks_mut::<LEN>().0;
            for (&place, bytes) in places.iter().zip(bytes) {
                to[first + usize::from(place)].copy_from_slice(&bytes[..LEN]);
            }
        }

        let to = &mut *self.0;
        match len {
            16 => copy::<16>(to, first, places, bytes),
            20 => copy::<20>(to, first, places, bytes),
            28 => copy::<28>(to, first, places, bytes),
            32 => copy::<32>(to, first, places, bytes),
            48 => copy::<48>(to, first, places, bytes),
            64 => copy::<64>(to, first, places, bytes),
            // SHA-512/t has any length.
            _ => {
                for (&place, bytes) in places.iter().zip(bytes) {
                    self.put(first + usize::from(place), bytes, len);
                }
            }
        }
    }

    fn split(self, index: usize, len: usize) -> (Self, Self) {
        let (first, second) = self.0.split_at_mut(index * len);
        (Self(first), Self(second))
    }
}

/// Digests as lower-case hexadecimal, one right after the other.
#[derive(Debug)]
pub struct Hex<'o>(pub &'o mut [u8]);

impl Outputs for Hex<'_> {
    fn count(&self, len: usize) -> Option<usize> {
        self.0.len().is_multiple_of(2 * len).then(|| self.0.len() / (2 * len))
    }

    #[inline]
    fn put(&mut self, index: usize, bytes: &[u8; Digest::MAX_LEN], len: usize) {
        let to = &mut self.0[index * 2 * len..][..2 * len];
        match len {
            20 => to.copy_from_slice(&hex(bytes)[..40]),
            32 => to.copy_from_slice(&hex(bytes)[..64]),
            64 => to.copy_from_slice(&hex(bytes)),
            _ => to.copy_from_slice(&hex(bytes)[..2 * len]),
        }
    }

    fn split(self, index: usize, len: usize) -> (Self, Self) {
        let (first, second) = self.0.split_at_mut(index * 2 * len);
        (Self(first), Self(second))
    }
}

/// Lower-case hexadecimal, by arithmetic alone: compilers make vectors of it, and
/// no index depends on a byte.
#[inline]
pub(crate) fn hex(bytes: &[u8; Digest::MAX_LEN]) -> [u8; 2 * Digest::MAX_LEN] {
    let digit = |nibble: u8| nibble + b'0' + (b'a' - b'0' - 10) * u8::from(nibble > 9);
    let mut hex = [0; 2 * Digest::MAX_LEN];
    for (pair, byte) in hex.as_chunks_mut().0.iter_mut().zip(bytes) {
        *pair = [digit(byte >> 4), digit(byte & 15)];
    }
    hex
}
