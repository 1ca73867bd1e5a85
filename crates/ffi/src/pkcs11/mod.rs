//! A PKCS #11 module: digests and HMAC for programs that load one.
//!
//! It implements Cryptoki 2.40 and 3.0, through `C_GetFunctionList` and `C_GetInterface`. It has
//! one slot, whose token stores nothing: keys belong to sessions, in the memory of the process.
//! Section numbers (§) refer to PKCS #11 v2.40, "Base Specification".

mod attribute;
mod digest;
mod general;
mod key;
mod library;
mod list;
mod mac;
mod many;
mod mechanism;
mod object;
mod operation;
mod random;
mod session;
mod slot;
mod state;
mod template;

use cryptoki_sys::*;

use self::library::within;
use self::operation::{Outcome, Session};
use crate::guard::{Failure, barrier, cleared, put, slice_mut};

/// Runs a function of the module and returns its status.
fn call(call: impl FnOnce() -> Result<(), CK_RV>) -> CK_RV {
    barrier(CKR_GENERAL_ERROR, || call().err().unwrap_or(CKR_OK))
}

/// Runs a function that handles a key: wipes its stack frames and returns its status.
#[inline(always)]
fn keyed(call: impl FnOnce() -> Result<(), CK_RV>) -> CK_RV {
    cleared(|| self::call(call))
}

/// Runs a function in a session, wipes its stack frames and returns its status.
#[inline(always)]
fn in_session(
    session: CK_SESSION_HANDLE,
    work: impl FnOnce(&mut Session) -> Result<(), CK_RV>,
) -> CK_RV {
    keyed(|| within(session, work))
}

/// Maps an invalid pointer to a status of PKCS #11.
trait Status<T> {
    fn status(self) -> Result<T, CK_RV>;
}

impl<T> Status<T> for Result<T, Failure> {
    fn status(self) -> Result<T, CK_RV> {
        self.map_err(|_| CKR_ARGUMENTS_BAD)
    }
}

/// Returns a reference to an output value.
///
/// # Safety
///
/// The pointer is null, or valid for reads and writes, and nothing else uses the value for `'a`.
unsafe fn at<'a, T>(pointer: *mut T) -> Result<&'a mut T, Failure> {
    // SAFETY: the caller guarantees a valid pointer, or null.
    unsafe { slice_mut(pointer, 1) }.map(|one| &mut one[0])
}

/// Writes the result of a call, §5.2: always its length, and the first `needed` bytes of `result`
/// if `out` is not null. The standard allows `out` to overlap the input (`pDigest` may be `pData`),
/// so it is written only after `result` has read all input. The result borrows nothing from the
/// application.
///
/// # Safety
///
/// `len` is null or valid for reads and writes; `out` is null or valid for writes of `*len` bytes.
unsafe fn give<R: AsRef<[u8]>>(
    out: *mut CK_BYTE,
    len: *mut CK_ULONG,
    needed: usize,
    result: impl FnOnce() -> Result<R, CK_RV>,
) -> Result<Outcome, CK_RV> {
    // SAFETY: the caller guarantees a valid `len`, or null.
    if !unsafe { has_place(out, len, needed) }? {
        return Ok(Outcome::Told);
    }
    let result = result()?;
    // SAFETY: `has_place` has checked the length; the result is memory of the library.
    unsafe { put(out, needed, &result.as_ref()[..needed]) }.status()?;
    Ok(Outcome::Done)
}

/// Whether to write `needed` values, rather than only their number. Sets `*len` to `needed` even if
/// the buffer is too small.
///
/// # Safety
///
/// `len` is null or valid for reads and writes.
unsafe fn has_place<T>(out: *mut T, len: *mut CK_ULONG, needed: usize) -> Result<bool, CK_RV> {
    // SAFETY: the caller guarantees a valid `len`, or null.
    let len = unsafe { at(len) }.status()?;
    let room = core::mem::replace(len, needed as CK_ULONG);
    if !out.is_null() && room < needed as CK_ULONG {
        return Err(CKR_BUFFER_TOO_SMALL);
    }
    Ok(!out.is_null())
}

/// Writes a list, §5.2: always its length, and all elements if `out` is not null.
///
/// # Safety
///
/// `count` is null or valid for reads and writes; `out` is null or valid for writes of `*count`
/// values.
unsafe fn give_list<T: Copy>(all: &[T], out: *mut T, count: *mut CK_ULONG) -> Result<(), CK_RV> {
    // SAFETY: the caller guarantees a valid `count`, or null.
    if unsafe { has_place(out, count, all.len()) }? {
        // SAFETY: `has_place` has checked that the list fits.
        unsafe { slice_mut(out, all.len()) }.status()?.copy_from_slice(all);
    }
    Ok(())
}

/// Pads `text` with blanks, without a terminating NUL, as PKCS #11 structures require.
fn padded<const N: usize>(text: &str) -> [u8; N] {
    let mut padded = [b' '; N];
    padded[..text.len()].copy_from_slice(text.as_bytes());
    padded
}
