//! Templates: arrays of attributes.

use cryptoki_sys::*;

use super::Status;
use crate::guard::{slice, slice_mut};

/// An attribute of a template, with its value.
#[derive(Clone, Copy)]
pub struct Given<'t> {
    pub kind: CK_ATTRIBUTE_TYPE,
    pub value: &'t [u8],
}

/// Returns the attributes of a template, without duplicates.
///
/// # Safety
///
/// `template` is null or valid for `count` attributes, whose values are null or valid for their
/// lengths.
pub unsafe fn given<'t>(
    template: *const CK_ATTRIBUTE,
    count: CK_ULONG,
) -> Result<Vec<Given<'t>>, CK_RV> {
    // SAFETY: the caller guarantees `count` attributes.
    let attributes = unsafe { slice(template, count as usize) }.status()?;
    let mut all: Vec<Given<'_>> = Vec::new();
    for attribute in attributes {
        if attribute.ulValueLen as usize > isize::MAX as usize {
            return Err(CKR_ATTRIBUTE_VALUE_INVALID);
        }
        // SAFETY: the caller guarantees a valid value; its length does not exceed the address
        // space.
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

/// Returns the value of an attribute in a template.
pub fn asked<'t>(template: &[Given<'t>], kind: CK_ATTRIBUTE_TYPE) -> Option<&'t [u8]> {
    template.iter().find(|given| given.kind == kind).map(|given| given.value)
}

/// Returns the number in an attribute of a template.
pub fn asked_number(
    template: &[Given<'_>],
    kind: CK_ATTRIBUTE_TYPE,
) -> Result<Option<CK_ULONG>, CK_RV> {
    let Some(value) = asked(template, kind) else { return Ok(None) };
    let bytes = value.try_into().map_err(|_| CKR_ATTRIBUTE_VALUE_INVALID)?;
    Ok(Some(CK_ULONG::from_ne_bytes(bytes)))
}

/// The length that marks an attribute as unavailable.
const UNAVAILABLE: CK_ULONG = CK_ULONG::MAX;

/// Writes the value that `answer` returns for each attribute of a template. Continues after errors
/// and returns the last one (§5.7).
///
/// # Safety
///
/// `template` is null or valid for `count` attributes, whose buffers are null or valid for writes
/// of their lengths.
pub unsafe fn answer(
    template: *mut CK_ATTRIBUTE,
    count: CK_ULONG,
    answer: impl Fn(CK_ATTRIBUTE_TYPE) -> Result<Vec<u8>, CK_RV>,
) -> Result<(), CK_RV> {
    // SAFETY: the caller guarantees `count` attributes.
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
            // SAFETY: the length was checked, and the caller guarantees a valid buffer.
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
