//! Output buffers for the digests of a batch.

use core::ops::Range;

use crate::Digest;
use crate::base::write_hex;

/// An output buffer for the digests of a batch: `&mut` a slice, an array or a vector of [`Digest`] or
/// `[u8; N]`; or [`Bytes`], [`Truncated`] or [`Hex`] over a byte buffer.
///
/// A vector is resized to one element per message. Every other buffer must have exactly one
/// element per message, or the batch panics. An array shorter than the digest receives the first
/// bytes of the digest, as for truncated MACs. A longer array panics.
#[diagnostic::on_unimplemented(
    note = "wrap a buffer of bytes: `Bytes(&mut buffer)`, `Truncated(&mut buffer, len)` or `Hex(&mut buffer)`",
    note = "other outputs are `&mut` a slice, an array or a vector of `Digest` or `[u8; N]`"
)]
pub trait Outputs {
    /// The checked buffer.
    #[doc(hidden)]
    type Places: Places;

    /// Checks that the buffer fits `count` digests of `len` bytes.
    ///
    /// # Panics
    ///
    /// If the number of elements is not `count`, or if an element is longer than a digest.
    #[doc(hidden)]
    #[track_caller]
    fn places(self, count: usize, len: usize) -> Self::Places;
}

/// A buffer with one place per message. The trait is not exported, which seals [`Outputs`].
pub trait Places: Split {
    /// Writes digests `first + places[i]`: the first bytes of `bytes[i]`.
    fn put(&mut self, first: usize, places: &[u16], bytes: &[[u8; Digest::MAX_LEN]]);

    /// Returns the memory of digests `range`, if each occupies `len` bytes without gaps.
    fn packed(&mut self, _range: Range<usize>, _len: usize) -> Option<&mut [u8]> {
        None
    }

    /// Writes to the memory of digests `range` sequentially, before digests arrive in another order.
    /// A cache miss costs as much as hashing a short message, and the hardware prefetcher only
    /// follows sequential accesses.
    fn touch(&mut self, _range: Range<usize>) {}
}

/// Output places that can be split between threads.
pub trait Split: Send + Sized {
    /// Splits into the first `index` places and the rest.
    fn split(self, index: usize) -> (Self, Self);
}

/// Writes one byte of every 64-byte cache line.
fn touch(bytes: &mut [u8]) {
    bytes.iter_mut().step_by(64).for_each(|byte| *byte = 0);
}

impl<T: Send> Split for &mut [T] {
    fn split(self, index: usize) -> (Self, Self) {
        self.split_at_mut(index)
    }
}

/// Panics if the number of places is not the number of messages.
#[track_caller]
fn check(places: usize, count: usize) {
    assert!(
        places == count,
        "number of outputs ({places}) does not match number of messages ({count})"
    );
}

/// A slice of [`Digest`]s, each of `len` bytes.
#[derive(Debug)]
pub struct Digests<'o> {
    all: &'o mut [Digest],
    len: usize,
}

impl Places for Digests<'_> {
    #[inline]
    fn put(&mut self, first: usize, places: &[u16], bytes: &[[u8; Digest::MAX_LEN]]) {
        for (&place, bytes) in places.iter().zip(bytes) {
            self.all[first + usize::from(place)] = Digest::new(bytes, self.len);
        }
    }
}

impl Split for Digests<'_> {
    fn split(self, index: usize) -> (Self, Self) {
        let (first, second) = self.all.split_at_mut(index);
        (Self { all: first, len: self.len }, Self { all: second, len: self.len })
    }
}

impl<'o> Outputs for &'o mut [Digest] {
    type Places = Digests<'o>;

    fn places(self, count: usize, len: usize) -> Digests<'o> {
        check(self.len(), count);
        Digests { all: self, len }
    }
}

impl<const N: usize> Places for &mut [[u8; N]] {
    #[inline]
    fn put(&mut self, first: usize, places: &[u16], bytes: &[[u8; Digest::MAX_LEN]]) {
        for (&place, bytes) in places.iter().zip(bytes) {
            self[first + usize::from(place)].copy_from_slice(&bytes[..N]);
        }
    }

    fn packed(&mut self, range: Range<usize>, len: usize) -> Option<&mut [u8]> {
        (N == len).then(|| self[range].as_flattened_mut())
    }

    fn touch(&mut self, range: Range<usize>) {
        touch(self[range].as_flattened_mut());
    }
}

impl<const N: usize> Outputs for &mut [[u8; N]] {
    type Places = Self;

    fn places(self, count: usize, len: usize) -> Self {
        assert!(N <= len, "outputs of {N} bytes are longer than digests of {len} bytes");
        check(self.len(), count);
        self
    }
}

impl<'o, T, const COUNT: usize> Outputs for &'o mut [T; COUNT]
where
    &'o mut [T]: Outputs,
{
    type Places = <&'o mut [T] as Outputs>::Places;

    fn places(self, count: usize, len: usize) -> Self::Places {
        self.as_mut_slice().places(count, len)
    }
}

/// The value that fills new elements of a vector before digests overwrite them.
#[cfg(feature = "alloc")]
#[diagnostic::on_unimplemented(
    message = "`Vec<{Self}>` cannot receive digests",
    note = "a vector receives digests as `Digest` or `[u8; N]`"
)]
pub trait Blank: Clone {
    /// The fill value.
    const BLANK: Self;
}

#[cfg(feature = "alloc")]
impl Blank for Digest {
    const BLANK: Self = Self::EMPTY;
}

#[cfg(feature = "alloc")]
impl<const N: usize> Blank for [u8; N] {
    const BLANK: Self = [0; N];
}

#[cfg(feature = "alloc")]
impl<'o, T: Blank> Outputs for &'o mut alloc::vec::Vec<T>
where
    &'o mut [T]: Outputs,
{
    type Places = <&'o mut [T] as Outputs>::Places;

    fn places(self, count: usize, len: usize) -> Self::Places {
        self.resize(count, T::BLANK);
        self.as_mut_slice().places(count, len)
    }
}

/// A byte buffer that receives the digests without gaps.
#[derive(Debug)]
pub struct Bytes<'o>(pub &'o mut [u8]);

/// A byte buffer that receives the first bytes of each digest without gaps. The second field is the
/// number of bytes per digest.
///
/// ```
/// use lanesum::{Algorithm, Truncated, hash_many, sha256};
///
/// let mut out = [0; 2 * 20];
/// hash_many(Algorithm::SHA256, &["first", "second"], Truncated(&mut out, 20));
/// assert_eq!(out[20..], sha256("second")[..20]);
/// ```
#[derive(Debug)]
pub struct Truncated<'o>(pub &'o mut [u8], pub usize);

/// A byte buffer with places of `len` bytes.
#[derive(Debug)]
pub struct Packed<'o> {
    all: &'o mut [u8],
    len: usize,
}

/// Panics if the buffer is not exactly `count * each` bytes long.
#[track_caller]
fn check_room(room: usize, count: usize, each: usize) {
    // No buffer has `usize::MAX` bytes.
    let needed = count.saturating_mul(each);
    assert!(
        room == needed,
        "output buffer has {room} bytes; {count} outputs of {each} bytes need {needed}"
    );
}

impl<'o> Outputs for Bytes<'o> {
    type Places = Packed<'o>;

    fn places(self, count: usize, len: usize) -> Packed<'o> {
        Truncated(self.0, len).places(count, len)
    }
}

impl<'o> Outputs for Truncated<'o> {
    type Places = Packed<'o>;

    fn places(self, count: usize, len: usize) -> Packed<'o> {
        let Self(all, each) = self;
        assert!(
            (1..=len).contains(&each),
            "digests of {len} bytes cannot be truncated to {each}: pass 1 to {len}"
        );
        check_room(all.len(), count, each);
        Packed { all, len: each }
    }
}

impl Places for Packed<'_> {
    #[inline]
    fn put(&mut self, first: usize, places: &[u16], bytes: &[[u8; Digest::MAX_LEN]]) {
        /// A constant length lets the compiler copy without calling `memcpy`.
        #[inline]
        fn copy<const LEN: usize>(
            to: &mut [u8],
            first: usize,
            places: &[u16],
            bytes: &[[u8; Digest::MAX_LEN]],
        ) {
            to.as_chunks_mut::<LEN>().0.put(first, places, bytes);
        }

        let to = &mut *self.all;
        match self.len {
            16 => copy::<16>(to, first, places, bytes),
            20 => copy::<20>(to, first, places, bytes),
            28 => copy::<28>(to, first, places, bytes),
            32 => copy::<32>(to, first, places, bytes),
            48 => copy::<48>(to, first, places, bytes),
            64 => copy::<64>(to, first, places, bytes),
            // SHA-512/t and truncated tags can have any length.
            len => {
                for (&place, bytes) in places.iter().zip(bytes) {
                    let start = (first + usize::from(place)) * len;
                    to[start..start + len].copy_from_slice(&bytes[..len]);
                }
            }
        }
    }

    #[inline]
    fn packed(&mut self, range: Range<usize>, len: usize) -> Option<&mut [u8]> {
        (self.len == len).then(|| &mut self.all[len * range.start..len * range.end])
    }

    fn touch(&mut self, range: Range<usize>) {
        touch(&mut self.all[self.len * range.start..self.len * range.end]);
    }
}

impl Split for Packed<'_> {
    fn split(self, index: usize) -> (Self, Self) {
        let (first, second) = self.all.split_at_mut(index * self.len);
        (Self { all: first, len: self.len }, Self { all: second, len: self.len })
    }
}

/// A byte buffer that receives the digests as lower-case hexadecimal without gaps.
#[derive(Debug)]
pub struct Hex<'o>(pub &'o mut [u8]);

/// A byte buffer with places for the hexadecimal of `len` bytes.
#[derive(Debug)]
pub struct PackedHex<'o> {
    all: &'o mut [u8],
    len: usize,
}

impl<'o> Outputs for Hex<'o> {
    type Places = PackedHex<'o>;

    fn places(self, count: usize, len: usize) -> PackedHex<'o> {
        check_room(self.0.len(), count, 2 * len);
        PackedHex { all: self.0, len }
    }
}

impl Places for PackedHex<'_> {
    #[inline]
    fn put(&mut self, first: usize, places: &[u16], bytes: &[[u8; Digest::MAX_LEN]]) {
        /// With a constant length the digits are computed in vectors and stored directly to the buffer.
        #[inline]
        fn write<const LEN: usize>(
            to: &mut [u8],
            first: usize,
            places: &[u16],
            bytes: &[[u8; Digest::MAX_LEN]],
        ) {
            let to = to.as_chunks_mut::<2>().0.as_chunks_mut::<LEN>().0;
            for (&place, bytes) in places.iter().zip(bytes) {
                write_hex(&bytes[..LEN], &mut to[first + usize::from(place)]);
            }
        }

        let to = &mut *self.all;
        match self.len {
            16 => write::<16>(to, first, places, bytes),
            20 => write::<20>(to, first, places, bytes),
            28 => write::<28>(to, first, places, bytes),
            32 => write::<32>(to, first, places, bytes),
            48 => write::<48>(to, first, places, bytes),
            64 => write::<64>(to, first, places, bytes),
            len => {
                for (&place, bytes) in places.iter().zip(bytes) {
                    let to = &mut to[(first + usize::from(place)) * 2 * len..][..2 * len];
                    write_hex(&bytes[..len], to.as_chunks_mut().0);
                }
            }
        }
    }

    fn touch(&mut self, range: Range<usize>) {
        touch(&mut self.all[2 * self.len * range.start..2 * self.len * range.end]);
    }
}

impl Split for PackedHex<'_> {
    fn split(self, index: usize) -> (Self, Self) {
        let (first, second) = self.all.split_at_mut(index * 2 * self.len);
        (Self { all: first, len: self.len }, Self { all: second, len: self.len })
    }
}
