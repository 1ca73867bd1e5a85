//! Shared boundary code of the C libraries: panic barrier, pointer checks, error codes.
//!
//! Each C library (liblanesum, liblanesum_md) maps a [`Failure`] to the convention of its API: a
//! status, or no report. A library that calls [`quiet`] when loaded prints nothing on a panic.

mod failure;

use std::panic::{AssertUnwindSafe, catch_unwind};

pub use self::failure::{Failure, text};

/// Runs `call`, or returns `on_panic` if it panics, so that no panic unwinds into C callers.
#[inline]
pub fn barrier<T>(on_panic: T, call: impl FnOnce() -> T) -> T {
    // Unwind safety: state that the call has modified is behind the caller's pointers, and the
    // caller learns that the call failed.
    catch_unwind(AssertUnwindSafe(call)).unwrap_or(on_panic)
}

/// The maximum length of a slice, in bytes.
const MAX_LEN: usize = isize::MAX as usize;

/// Returns the `len` values at `pointer`, which may be null if `len` is 0.
///
/// # Errors
///
/// If `pointer` is null or misaligned, or `len` values exceed the address space.
///
/// # Safety
///
/// Otherwise `pointer` is valid for reads of `len` initialized values, which do not change for
/// `'a`.
#[inline]
pub unsafe fn slice<'a, T>(pointer: *const T, len: usize) -> Result<&'a [T], Failure> {
    if len == 0 {
        return Ok(&[]);
    }
    check(pointer, len)?;
    // SAFETY: not null, aligned, and no longer than a slice may be; the caller guarantees the rest.
    Ok(unsafe { core::slice::from_raw_parts(pointer, len) })
}

/// Returns the `len` values at `pointer` for writing. The pointer may be null if `len` is 0.
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
    // SAFETY: not null, aligned, and no longer than a slice may be; the caller guarantees the rest.
    Ok(unsafe { core::slice::from_raw_parts_mut(pointer, len) })
}

/// Returns a reference to the value at `pointer`.
///
/// # Errors
///
/// If `pointer` is null or misaligned.
///
/// # Safety
///
/// Otherwise it points to a value that is initialized (or whose type allows uninitialized memory),
/// and for `'a` the value changes only in ways that its type allows.
#[inline]
pub unsafe fn reference<'a, T>(pointer: *const T) -> Result<&'a T, Failure> {
    check(pointer, 1)?;
    // SAFETY: not null and aligned; the caller guarantees the rest.
    Ok(unsafe { &*pointer })
}

/// Checks whether `pointer` can be valid for `len` values.
///
/// # Errors
///
/// If `pointer` is null or misaligned, or `len` values exceed the address space.
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

/// Copies `bytes` to `out`, a buffer of `room` bytes. Nothing accesses `out` before this call, so
/// the input may overlap it.
///
/// # Errors
///
/// If `room` is less than `bytes.len()`, or `out` is null and `room` is not 0.
///
/// # Safety
///
/// Otherwise `out` is valid for writes of `room` bytes.
#[inline]
pub unsafe fn put(out: *mut u8, room: usize, bytes: &[u8]) -> Result<(), Failure> {
    check_room(out, room, bytes.len())?;
    // SAFETY: `room` was checked; `bytes` is memory of the library, which does not overlap `out`.
    unsafe { copy(bytes, out) };
    Ok(())
}

/// Copies `bytes` to `out`, in moves of 16 bytes if they are a digest of SHA. The digest was just
/// written with 16-byte stores: `memcpy` would load more bytes at once, which defeats store-to-load
/// forwarding and stalls until the stores reach the cache.
///
/// # Safety
///
/// `out` is valid for writes of `bytes.len()` bytes and does not overlap `bytes`.
#[inline]
pub unsafe fn copy(bytes: &[u8], out: *mut u8) {
    /// Moves a value of type `T` from one address to another, each `at` bytes further.
    #[inline(always)]
    unsafe fn one<T>(from: *const u8, out: *mut u8, at: usize) {
        // SAFETY: as required of the caller of `copy`.
        unsafe {
            out.add(at).cast::<T>().write_unaligned(from.add(at).cast::<T>().read_unaligned());
        }
    }
    let (from, len) = (bytes.as_ptr(), bytes.len());
    // SAFETY: as required of the caller; the moves of each length are of `len` bytes.
    unsafe {
        match len {
            20 => {
                one::<u128>(from, out, 0);
                one::<u32>(from, out, 16);
            }
            28 => {
                one::<u128>(from, out, 0);
                one::<u64>(from, out, 16);
                one::<u32>(from, out, 24);
            }
            32 => {
                one::<u128>(from, out, 0);
                one::<u128>(from, out, 16);
            }
            48 => (0..3).for_each(|i| one::<u128>(from, out, 16 * i)),
            64 => (0..4).for_each(|i| one::<u128>(from, out, 16 * i)),
            _ => from.copy_to_nonoverlapping(out, len),
        }
    }
}

/// Checks that `out`, a buffer of `room` bytes, can hold `len` bytes. It may be null if `room` is 0.
///
/// # Errors
///
/// If `room` is less than `len`, or `out` is null and `room` is not 0.
#[inline]
pub fn check_room(out: *const u8, room: usize, len: usize) -> Result<(), Failure> {
    if room > 0 {
        check(out, room)?;
    }
    if room < len { Err(Failure::Length) } else { Ok(()) }
}

/// Checks that `read` and `written` do not overlap, without accessing them.
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

/// Returns true if every message has a possible address range and is clearly disjoint from
/// `written`. On false, [`slice()`] and [`apart`] report the error, or accept the messages.
#[inline]
pub fn are_apart(pointers: &[*const u8], lens: &[usize], written: *const [u8]) -> bool {
    let first = written.cast::<u8>().addr();
    let last = first.wrapping_add(written.len());
    // Valid addresses have 63 bits, so the top bit of a difference shows whether it is negative.
    // OR-ing the words of all messages keeps the loop free of branches, and compilers vectorize it.
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

/// Silences the panic hook: panics become statuses and print nothing in the host program. Call it
/// when the library is loaded.
pub extern "C" fn quiet() {
    std::panic::set_hook(Box::new(|_| {}));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Messages that `are_apart` accepts pass the individual checks. Conversely, it accepts every
    /// non-empty message in the lower half of the address space that passes them.
    #[test]
    fn are_apart_agrees_with_the_individual_checks() {
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
                        // In the lower half of the address space, where programs have their memory,
                        // `are_apart` accepts all valid non-empty messages.
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
        assert_eq!(all.len(), 25);
        for failure in all {
            assert_eq!(Failure::of_number(failure.status()), Some(failure));
            let text = failure.text().to_str().unwrap();
            assert!(text.starts_with(char::is_lowercase) && !text.ends_with('.'), "{text:?}");
        }
    }

    #[test]
    fn invalid_pointers_are_not_dereferenced() {
        let (values, null) = ([1_u32, 2], core::ptr::null::<u32>());
        let odd = values.as_ptr().cast::<u8>().wrapping_add(1).cast::<u32>();
        // SAFETY: only the last pointer is dereferenced, and it is valid.
        unsafe {
            assert_eq!(slice(null, 1), Err(Failure::Null));
            assert_eq!(slice(odd, 1), Err(Failure::Alignment));
            assert_eq!(slice(values.as_ptr(), usize::MAX / 4), Err(Failure::TooLong));
            assert_eq!(slice(null, 0), Ok(&[][..]));
            assert_eq!(slice(values.as_ptr(), 2), Ok(&values[..]));
        }
        for (room, len, found) in [
            (0, 0, Ok(())),
            (0, 1, Err(Failure::Length)),
            (1, 1, Err(Failure::Null)),
            (1, 2, Err(Failure::Null)),
        ] {
            assert_eq!(check_room(core::ptr::null(), room, len), found, "{room} {len}");
        }
        let bytes = [0_u8; 8];
        let part = |from: usize, to: usize| &raw const bytes[from..to];
        assert_eq!(apart(&bytes[..4], part(4, 8)), Ok(()));
        assert_eq!(apart(&bytes[..4], part(3, 8)), Err(Failure::Overlap));
    }
}
