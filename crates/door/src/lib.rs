//! The checks at the entry of every function that C calls. A barrier stops panics, and
//! pointers are checked before they are used.
//!
//! Each library for C (liblanesum, liblanesum_md) is built on these and gives a [`Failure`] the
//! shape that its callers know: a status, or silence. One that has [`quiet`] called when it is
//! loaded prints nothing when it panics.

mod failure;

use std::panic::{AssertUnwindSafe, catch_unwind};

pub use self::failure::{Failure, text};

/// Runs `call`, and gives `on_panic` if it panics: nothing unwinds into a caller that is not
/// Rust.
#[inline]
pub fn barrier<T>(on_panic: T, call: impl FnOnce() -> T) -> T {
    // What the call had its hands on is behind pointers of the caller's, who is told that the
    // call failed.
    catch_unwind(AssertUnwindSafe(call)).unwrap_or(on_panic)
}

/// The longest slice that there is, in bytes.
const MAX_LEN: usize = isize::MAX as usize;

/// The `len` values at `pointer`, which may be null if there are none.
///
/// # Errors
///
/// If it is null, not aligned, or more than memory has.
///
/// # Safety
///
/// Otherwise `len` initialised values are there, and stay as they are for `'a`.
#[inline]
pub unsafe fn slice<'a, T>(pointer: *const T, len: usize) -> Result<&'a [T], Failure> {
    if len == 0 {
        return Ok(&[]);
    }
    check(pointer, len)?;
    // SAFETY: not null, aligned, at most as long as a slice may be; the rest is
    // the caller's word.
    Ok(unsafe { core::slice::from_raw_parts(pointer, len) })
}

/// The same, to write to.
///
/// # Errors
///
/// As [`slice()`].
///
/// # Safety
///
/// As [`slice()`], and nothing else reads or writes the values for `'a`.
#[inline]
pub unsafe fn slice_mut<'a, T>(pointer: *mut T, len: usize) -> Result<&'a mut [T], Failure> {
    if len == 0 {
        return Ok(&mut []);
    }
    check(pointer, len)?;
    // SAFETY: as for `slice`.
    Ok(unsafe { core::slice::from_raw_parts_mut(pointer, len) })
}

/// What `pointer` points to.
///
/// # Errors
///
/// If it is null or not aligned.
///
/// # Safety
///
/// Otherwise a value is there that is initialised (or of a type that need not be),
/// and nobody changes it for `'a` but by means that its type allows.
#[inline]
pub unsafe fn reference<'a, T>(pointer: *const T) -> Result<&'a T, Failure> {
    check(pointer, 1)?;
    // SAFETY: not null and aligned; the rest is the caller's word.
    Ok(unsafe { &*pointer })
}

/// Whether `len` values could be at `pointer`.
///
/// # Errors
///
/// If it is null, not aligned, or more than memory has.
#[inline]
pub fn check<T>(pointer: *const T, len: usize) -> Result<(), Failure> {
    if pointer.is_null() {
        Err(Failure::Null)
    } else if !pointer.is_aligned() {
        Err(Failure::Alignment)
    } else if len > MAX_LEN / size_of::<T>().max(1) {
        Err(Failure::TooLong)
    } else {
        Ok(())
    }
}

/// Copies `bytes` to `out`, which has room for `room` bytes. The bytes may be the
/// only thing read before: `out` is not touched until now.
///
/// # Errors
///
/// If `out` is null, or the room too small.
///
/// # Safety
///
/// Otherwise `room` bytes may be written there.
#[inline]
pub unsafe fn put(out: *mut u8, room: usize, bytes: &[u8]) -> Result<(), Failure> {
    check_room(out, room, bytes.len())?;
    // SAFETY: there is room; `bytes` is memory of the library's own.
    unsafe { copy(bytes, out) };
    Ok(())
}

/// Copies `bytes` to `out`. A digest has just been written, sixteen bytes at a time, and is copied
/// so: a core that reads it by more would wait until all of it has left for the cache.
///
/// # Safety
///
/// So many bytes may be written there, and are none of `bytes`.
#[inline]
pub unsafe fn copy(bytes: &[u8], out: *mut u8) {
    let (from, len) = (bytes.as_ptr(), bytes.len());
    // SAFETY: as the caller says; a length that is known is copied by plain moves.
    unsafe {
        match len {
            20 => from.copy_to_nonoverlapping(out, 20),
            28 => from.copy_to_nonoverlapping(out, 28),
            32 => from.copy_to_nonoverlapping(out, 32),
            48 => from.copy_to_nonoverlapping(out, 48),
            64 => from.copy_to_nonoverlapping(out, 64),
            _ => from.copy_to_nonoverlapping(out, len),
        }
    }
}

/// Whether `len` bytes could be [`put`].
///
/// # Errors
///
/// As [`put`].
#[inline]
pub fn check_room(out: *const u8, room: usize, len: usize) -> Result<(), Failure> {
    check(out, room)?;
    if room < len { Err(Failure::Length) } else { Ok(()) }
}

/// Whether the bytes of `read` and `written` are apart. Neither is looked at.
///
/// # Errors
///
/// If they share a byte.
#[inline]
pub fn apart(read: *const [u8], written: *const [u8]) -> Result<(), Failure> {
    let [a, b] = [read, written].map(|bytes| bytes.cast::<u8>().addr());
    let (a_end, b_end) = (a.saturating_add(read.len()), b.saturating_add(written.len()));
    if a < b_end && b < a_end { Err(Failure::Overlap) } else { Ok(()) }
}

/// Whether every message could be where its pointer says and is plainly apart from `written`. If not,
/// [`slice()`] and [`apart`] may still find nothing wrong with them, and else say what is.
#[inline]
pub fn are_apart(pointers: &[*const u8], lens: &[usize], written: *const [u8]) -> bool {
    let first = written.cast::<u8>().addr();
    let last = first.wrapping_add(written.len());
    // Numbers of 63 bits: the first bit of a difference says which is the less, and one word gathers
    // those of all messages. Compilers make vectors of it.
    let of_one = |pointer: *const u8, len: usize| {
        let start = pointer.addr();
        let end = start.wrapping_add(len);
        let is_apart =
            end.wrapping_sub(first.wrapping_add(1)) | last.wrapping_sub(start.wrapping_add(1));
        start.wrapping_sub(1) | start | len | end | !is_apart
    };
    let wrong =
        pointers.iter().zip(lens).fold(first | last, |wrong, (&p, &len)| wrong | of_one(p, len));
    wrong >> (usize::BITS - 1) == 0
}

/// Has panics, which end as a status, print nothing into somebody else's program. To be
/// called when the library is loaded.
pub extern "C" fn quiet() {
    std::panic::set_hook(Box::new(|_| {}));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever is plainly apart the checks that say why find nothing wrong with; and what they find
    /// nothing wrong with is plainly apart but for bytes that are none.
    #[test]
    fn what_is_plainly_apart_is_apart() {
        let ends =
            [0, 1, 2, 8, 63, 64, 65, MAX_LEN - 1, MAX_LEN, MAX_LEN + 1, usize::MAX - 1, usize::MAX];
        for start in ends {
            for len in ends {
                for first in ends {
                    for room in [0, 1, 8, 64] {
                        if first.checked_add(room).is_none() {
                            continue;
                        }
                        let pointer = core::ptr::without_provenance::<u8>(start);
                        let out = core::ptr::without_provenance::<u8>(first);
                        let written = core::ptr::slice_from_raw_parts(out, room);
                        let read = core::ptr::slice_from_raw_parts(pointer, len);
                        let checked = check(pointer, len).is_ok() && apart(read, written).is_ok();
                        let fine = 64 as *const u8;
                        let plain = are_apart(&[fine, pointer, fine], &[0, len, 0], written);
                        assert!(!plain || checked, "{start} {len} {first} {room}");
                        // Below half of the addresses, where programs have their memory, all that
                        // may be is found at once, if there are bytes at all.
                        let ends = [start.checked_add(len), first.checked_add(room)];
                        let is_low = ends.iter().all(|end| end.is_some_and(|end| end <= MAX_LEN));
                        let is_inside = start > first && start < first + room
                            || first < 64 && 64 < first + room;
                        if checked && is_low && len > 0 && !is_inside && first > 0 {
                            assert!(plain, "{start} {len} {first} {room}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_panic_ends_at_the_barrier() {
        extern "C" fn door(panics: bool) -> i32 {
            barrier(-1, || {
                assert!(!panics, "planted");
                1
            })
        }
        assert_eq!((door(false), door(true)), (1, -1));
    }

    #[test]
    fn every_failure_has_its_number_and_a_clause() {
        let all: Vec<_> = (-100..100).filter_map(Failure::of_number).collect();
        assert_eq!(all.len(), 24);
        for failure in all {
            assert_eq!(Failure::of_number(failure.status()), Some(failure));
            let text = failure.text().to_str().unwrap();
            assert!(text.starts_with(char::is_lowercase) && !text.ends_with('.'), "{text:?}");
        }
    }

    #[test]
    fn pointers_that_cannot_be_right_are_not_followed() {
        let (values, null) = ([1_u32, 2], core::ptr::null::<u32>());
        let odd = values.as_ptr().cast::<u8>().wrapping_add(1).cast::<u32>();
        // SAFETY: none of these is followed but the last.
        unsafe {
            assert_eq!(slice(null, 1), Err(Failure::Null));
            assert_eq!(slice(odd, 1), Err(Failure::Alignment));
            assert_eq!(slice(values.as_ptr(), usize::MAX / 4), Err(Failure::TooLong));
            assert_eq!(slice(null, 0), Ok(&[][..]));
            assert_eq!(slice(values.as_ptr(), 2), Ok(&values[..]));
        }
        let bytes = [0_u8; 8];
        let part = |from: usize, to: usize| &raw const bytes[from..to];
        assert_eq!(apart(&bytes[..4], part(4, 8)), Ok(()));
        assert_eq!(apart(&bytes[..4], part(3, 8)), Err(Failure::Overlap));
    }
}
