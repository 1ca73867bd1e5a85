//! A PKCS #11 module: digests and HMAC for every program that loads one.
//!
//! Cryptoki 2.40 and 3.0, by `C_GetFunctionList` and `C_GetInterface`. There is
//! one slot, whose token has no memory: keys live in sessions, as sessions do in
//! the process. Paragraphs (§) are those of PKCS #11 v2.40, "Base Specification".

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

/// Runs a function of the module: its status.
fn call(call: impl FnOnce() -> Result<(), CK_RV>) -> CK_RV {
    barrier(CKR_GENERAL_ERROR, || call().err().unwrap_or(CKR_OK))
}

/// The same for a function that has a key in its hands.
#[inline(always)]
fn keyed(call: impl FnOnce() -> Result<(), CK_RV>) -> CK_RV {
    cleared(|| self::call(call))
}

/// Runs a function that works in a session and has a key in its hands.
#[inline(always)]
fn in_session(
    session: CK_SESSION_HANDLE,
    work: impl FnOnce(&mut Session) -> Result<(), CK_RV>,
) -> CK_RV {
    keyed(|| within(session, work))
}

/// What PKCS #11 says of a pointer that cannot be right.
trait Status<T> {
    fn status(self) -> Result<T, CK_RV>;
}

impl<T> Status<T> for Result<T, Failure> {
    fn status(self) -> Result<T, CK_RV> {
        self.map_err(|_| CKR_ARGUMENTS_BAD)
    }
}

/// The place for a value.
///
/// # Safety
///
/// It is null, or there is such a place, which nobody else uses for `'a`.
unsafe fn at<'a, T>(pointer: *mut T) -> Result<&'a mut T, Failure> {
    // SAFETY: as the caller says.
    unsafe { slice_mut(pointer, 1) }.map(|one| &mut one[0])
}

/// Writes the result of a call, §5.2: its length in any case, and the first so many bytes of what
/// `result` gives, if there is a place for them. The input may be there too, as the standard allows
/// (`pDigest` may be `pData`): so it is written at once, after `result` has read all, which keeps
/// nothing that it borrows from the application.
///
/// # Safety
///
/// `len` is null or a length's place; so many bytes can be written at `out`, or it
/// is null.
unsafe fn give<R: AsRef<[u8]>>(
    out: *mut CK_BYTE,
    len: *mut CK_ULONG,
    needed: usize,
    result: impl FnOnce() -> Result<R, CK_RV>,
) -> Result<Outcome, CK_RV> {
    // SAFETY: as the caller says.
    if !unsafe { has_place(out, len, needed) }? {
        return Ok(Outcome::Told);
    }
    let result = result()?;
    // SAFETY: there is room for so many; the result is ours.
    unsafe { put(out, needed, &result.as_ref()[..needed]) }.status()?;
    Ok(Outcome::Done)
}

/// Whether there is a place for so many values, or only their number was asked for. That is told
/// also when there is too little room.
///
/// # Safety
///
/// `len` is null or a number's place.
unsafe fn has_place<T>(out: *mut T, len: *mut CK_ULONG, needed: usize) -> Result<bool, CK_RV> {
    // SAFETY: as the caller says.
    let len = unsafe { at(len) }.status()?;
    let room = core::mem::replace(len, needed as CK_ULONG);
    if !out.is_null() && room < needed as CK_ULONG {
        return Err(CKR_BUFFER_TOO_SMALL);
    }
    Ok(!out.is_null())
}

/// Writes a list, §5.2: its length in any case, and all of it, if there is a place for that.
///
/// # Safety
///
/// `count` is null or a number's place; so many values can be written at `out`, or
/// it is null.
unsafe fn give_list<T: Copy>(all: &[T], out: *mut T, count: *mut CK_ULONG) -> Result<(), CK_RV> {
    // SAFETY: as the caller says.
    if unsafe { has_place(out, count, all.len()) }? {
        // SAFETY: there is room for at least so many.
        unsafe { slice_mut(out, all.len()) }.status()?.copy_from_slice(all);
    }
    Ok(())
}

/// `text` as PKCS #11 has it in its structures: filled up with blanks, no zero.
fn padded<const N: usize>(text: &str) -> [u8; N] {
    let mut padded = [b' '; N];
    padded[..text.len()].copy_from_slice(text.as_bytes());
    padded
}
