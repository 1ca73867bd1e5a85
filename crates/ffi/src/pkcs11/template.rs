//! Reads templates, which are arrays of attributes.

use cryptoki_sys::*;

use super::Status;
use crate::guard::{slice, slice_mut};

/// An attribute that is asked for by value.
#[derive(Clone, Copy)]
pub struct Given<'t> {
    pub kind: CK_ATTRIBUTE_TYPE,
    pub value: &'t [u8],
}

/// The attributes of a template, each of them once.
///
/// # Safety
///
/// So many attributes are there, or it is null; and each one's value, or it is null.
pub unsafe fn given<'t>(
    template: *const CK_ATTRIBUTE,
    count: CK_ULONG,
) -> Result<Vec<Given<'t>>, CK_RV> {
    // SAFETY: as the caller says.
    let attributes = unsafe { slice(template, count as usize) }.status()?;
    let mut all: Vec<Given<'_>> = Vec::new();
    for attribute in attributes {
        if attribute.ulValueLen as usize > isize::MAX as usize {
            return Err(CKR_ATTRIBUTE_VALUE_INVALID);
        }
        // SAFETY: as the caller says; the length is one that memory may have.
        let value = unsafe {
            slice(attribute.pValue.cast_const().cast::<u8>(), attribute.ulValueLen as usize)
        };
        let value = value.map_err(|_| CKR_ATTRIBUTE_VALUE_INVALID)?;
        match all.iter().find(|known| known.kind == attribute.type_) {
            Some(known) if known.value != value => return Err(CKR_TEMPLATE_INCONSISTENT),
            Some(_) => {}
            None => all.push(Given { kind: attribute.type_, value }),
        }
    }
    Ok(all)
}

/// The attribute of that number in a template.
pub fn asked<'t>(template: &[Given<'t>], kind: CK_ATTRIBUTE_TYPE) -> Option<&'t [u8]> {
    template.iter().find(|given| given.kind == kind).map(|given| given.value)
}

/// A number in a template.
pub fn asked_number(
    template: &[Given<'_>],
    kind: CK_ATTRIBUTE_TYPE,
) -> Result<Option<CK_ULONG>, CK_RV> {
    let Some(value) = asked(template, kind) else { return Ok(None) };
    let bytes = value.try_into().map_err(|_| CKR_ATTRIBUTE_VALUE_INVALID)?;
    Ok(Some(CK_ULONG::from_ne_bytes(bytes)))
}

/// What stands where a length would, of an attribute that cannot be told.
const UNAVAILABLE: CK_ULONG = CK_ULONG::MAX;

/// Answers each attribute of a template as `answer` does; the last error is the
/// call's, and no error keeps the others from being answered (§5.7).
///
/// # Safety
///
/// So many attributes are there, or it is null; and room for each one's value, or
/// it is null.
pub unsafe fn answer(
    template: *mut CK_ATTRIBUTE,
    count: CK_ULONG,
    answer: impl Fn(CK_ATTRIBUTE_TYPE) -> Result<Vec<u8>, CK_RV>,
) -> Result<(), CK_RV> {
    // SAFETY: as the caller says.
    let attributes = unsafe { slice_mut(template, count as usize) }.status()?;
    let mut result = Ok(());
    for attribute in attributes {
        let one = answer(attribute.type_).and_then(|value| {
            let value = zeroize::Zeroizing::new(value);
            let room = attribute.ulValueLen;
            attribute.ulValueLen = value.len() as CK_ULONG;
            if attribute.pValue.is_null() {
                return Ok(());
            }
            if room < value.len() as CK_ULONG {
                return Err(CKR_BUFFER_TOO_SMALL);
            }
            // SAFETY: there is room for at least so many bytes.
            let place = unsafe { slice_mut(attribute.pValue.cast::<u8>(), value.len()) };
            place.status()?.copy_from_slice(&value);
            Ok(())
        });
        if one.is_err() {
            attribute.ulValueLen = UNAVAILABLE;
            result = one;
        }
    }
    result
}
