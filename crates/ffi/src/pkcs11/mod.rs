//! A PKCS #11 module: digests and HMAC for every program that loads one.
//!
//! Cryptoki 2.40 and 3.0, by `C_GetFunctionList` and `C_GetInterface`. There is
//! one slot, whose token has no memory: keys live in sessions, as sessions do in
//! the process. Paragraphs (§) are those of PKCS #11 v2.40, "Base Specification".

mod attribute;
mod digest;
mod general;
mod library;
mod list;
mod mac;
mod many;
mod mechanism;
mod object;
mod random;
mod session;
mod slot;
mod state;
mod template;

use cryptoki_sys::*;

use crate::guard::{Failure, barrier, cleared, slice_mut};

/// Runs a function of the module: its status.
fn call(call: impl FnOnce() -> Result<(), CK_RV>) -> CK_RV {
    barrier(CKR_GENERAL_ERROR, || call().err().unwrap_or(CKR_OK))
}

/// The same for a function that has a key in its hands.
#[inline(always)]
fn keyed(call: impl FnOnce() -> Result<(), CK_RV>) -> CK_RV {
    cleared(|| self::call(call))
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

/// A place for output. The input may be there too, as the standard allows (`pDigest` may be
/// `pData`): so it is no reference, is written at once, and after all has been read.
struct Place {
    first: *mut CK_BYTE,
    len: usize,
}

impl Place {
    /// Writes the output.
    ///
    /// # Safety
    ///
    /// As of [`place`], and nothing that is borrowed from the application is used any more.
    unsafe fn put(self, bytes: &[u8]) {
        assert_eq!(bytes.len(), self.len, "the output is as long as was said");
        // SAFETY: there is room for so many; `bytes` are ours.
        unsafe { bytes.as_ptr().copy_to_nonoverlapping(self.first, self.len) };
    }
}

/// The place for so many bytes of output, §5.2: `None` if only their number was
/// asked for. The number is told also when there is too little room.
///
/// # Safety
///
/// `len` is null or a length's place; so many bytes can be written at `out`, or it
/// is null.
unsafe fn place(
    out: *mut CK_BYTE,
    len: *mut CK_ULONG,
    needed: usize,
) -> Result<Option<Place>, CK_RV> {
    // SAFETY: as the caller says.
    let len = unsafe { at(len) }.status()?;
    let room = core::mem::replace(len, needed as CK_ULONG);
    if out.is_null() {
        return Ok(None);
    }
    if room < needed as CK_ULONG {
        return Err(CKR_BUFFER_TOO_SMALL);
    }
    Ok(Some(Place { first: out, len: needed }))
}

/// What a call that ends an operation did.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// It told a length: the operation goes on.
    Told,
    /// It wrote the result.
    Done,
}

/// Ends an operation, if there is one, unless `last` only told a length or found
/// too little room: "always terminates the active operation" (§5.8 and on).
fn end<O>(
    operation: &mut Option<O>,
    last: impl FnOnce(&mut O) -> Result<Outcome, CK_RV>,
) -> Result<(), CK_RV> {
    let result = last(operation.as_mut().ok_or(CKR_OPERATION_NOT_INITIALIZED)?);
    if !matches!(result, Ok(Outcome::Told) | Err(CKR_BUFFER_TOO_SMALL)) {
        *operation = None;
    }
    result.map(drop)
}

/// Goes on with an operation, if there is one; an error ends it.
fn proceed<O>(
    operation: &mut Option<O>,
    next: impl FnOnce(&mut O) -> Result<(), CK_RV>,
) -> Result<(), CK_RV> {
    let result = next(operation.as_mut().ok_or(CKR_OPERATION_NOT_INITIALIZED)?);
    if result.is_err() {
        *operation = None;
    }
    result
}

/// Begins an operation, if there is none of its kind. With no mechanism, one that
/// there is ends (PKCS #11 3.0 §5.10, C_DigestInit).
fn begin<O>(
    operation: &mut Option<O>,
    mechanism: *const CK_MECHANISM,
    first: impl FnOnce() -> Result<O, CK_RV>,
) -> Result<(), CK_RV> {
    match (operation.is_some(), mechanism.is_null()) {
        (true, true) => *operation = None,
        (true, false) => return Err(CKR_OPERATION_ACTIVE),
        (false, true) => return Err(CKR_ARGUMENTS_BAD),
        (false, false) => *operation = Some(first()?),
    }
    Ok(())
}

/// `text` as PKCS #11 has it in its structures: filled up with blanks, no zero.
fn padded<const N: usize>(text: &str) -> [u8; N] {
    let mut padded = [b' '; N];
    padded[..text.len()].copy_from_slice(text.as_bytes());
    padded
}
