//! `OSSL_PARAM` arrays: typed names and values.

use core::ffi::{CStr, c_char, c_uint};
use core::sync::atomic::Ordering::Relaxed;
use core::{ptr, slice};

use super::abi::{INTEGER, OCTET_PTR, OCTET_STRING, Param, UNSIGNED, UTF8_PTR, UTF8_STRING};
use crate::guard;

/// An array of parameters, possibly empty.
pub struct Params<'p> {
    params: &'p [Param],
}

impl<'p> Params<'p> {
    /// Returns the array that starts at `first`, up to its terminator.
    ///
    /// # Safety
    ///
    /// `first` is null, or points to an array that is terminated by a null key and does not change
    /// for `'p`, except for `return_len`. Data pointers are valid as the entries specify, and
    /// output buffers are not used otherwise.
    pub unsafe fn new(first: *const Param) -> Self {
        if first.is_null() {
            return Self { params: &[] };
        }
        let mut len = 0;
        // SAFETY: the caller guarantees that a parameter without a key terminates the array.
        while unsafe { !(*first.add(len)).key.is_null() } {
            len += 1;
        }
        // SAFETY: the array has `len` entries, and does not change for 'p.
        Self { params: unsafe { slice::from_raw_parts(first, len) } }
    }

    /// Iterates over the parameters and their keys.
    pub fn iter(&self) -> impl Iterator<Item = (&'p [u8], Value<'p>)> + use<'p> {
        self.params.iter().map(|param| {
            // SAFETY: keys are NUL-terminated and constant for 'p.
            let key = unsafe { CStr::from_ptr(param.key) };
            (key.to_bytes(), Value { param })
        })
    }
}

/// The value of a parameter, or the buffer for it.
pub struct Value<'p> {
    param: &'p Param,
}

impl<'p> Value<'p> {
    /// Returns the data of a value: inline for type `here`, or behind a pointer for type
    /// `elsewhere`.
    fn data(&self, here: c_uint, elsewhere: c_uint) -> Option<*const u8> {
        let data = self.param.data.cast_const();
        match self.param.kind {
            kind if kind == here => Some(data.cast()),
            // SAFETY: the data of this type is null or points to a pointer.
            kind if kind == elsewhere => unsafe { data.cast::<*const u8>().as_ref() }.copied(),
            _ => None,
        }
    }

    /// Returns an octet string, or `None` if the type differs.
    pub fn bytes(&self) -> Option<&'p [u8]> {
        let data = self.data(OCTET_STRING, OCTET_PTR)?;
        // SAFETY: the caller of `Params::new` guarantees `data_len` valid bytes.
        unsafe { guard::slice(data, self.param.data_len) }.ok()
    }

    /// Returns a UTF-8 string, up to a NUL if it has one, or `None` if the type differs or the
    /// string is not UTF-8.
    pub fn text(&self) -> Option<&'p str> {
        let data = self.data(UTF8_STRING, UTF8_PTR).filter(|data| !data.is_null())?;
        // SAFETY: the caller of `Params::new` guarantees `data_len` valid bytes.
        let bytes = unsafe { guard::slice(data, self.param.data_len) }.ok()?;
        let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
        str::from_utf8(&bytes[..end]).ok()
    }

    /// Returns an integer of any width, or `None` if it is negative or exceeds 64 bits.
    pub fn number(&self) -> Option<u64> {
        if !matches!(self.param.kind, INTEGER | UNSIGNED) || self.param.data.is_null() {
            return None;
        }
        if !(1..=64).contains(&self.param.data_len) {
            return None;
        }
        // SAFETY: the caller of `Params::new` guarantees `data_len` valid bytes.
        let bytes =
            unsafe { slice::from_raw_parts(self.param.data.cast::<u8>(), self.param.data_len) };
        let mut number = [0; 64];
        let number = &mut number[..bytes.len()];
        number.copy_from_slice(bytes);
        if cfg!(target_endian = "big") {
            number.reverse();
        }
        if self.param.kind == INTEGER && number[number.len() - 1] >= 0x80 {
            return None;
        }
        let (low, high) = number.split_at(number.len().min(8));
        let fits = high.iter().all(|&byte| byte == 0);
        fits.then(|| low.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte)))
    }

    /// Writes a number in the requested width. Returns false if the type differs or the number does
    /// not fit.
    pub fn set_number(self, number: u64) -> bool {
        let param = self.param;
        if !matches!(param.kind, INTEGER | UNSIGNED) {
            return false;
        }
        param.return_len.store(size_of::<usize>(), Relaxed);
        if param.data.is_null() {
            return true;
        }
        let mut bytes = [0; 64];
        bytes[..8].copy_from_slice(&number.to_le_bytes());
        let len = param.data_len;
        let signed = usize::from(param.kind == INTEGER);
        let needed = (64 + signed).saturating_sub(number.leading_zeros() as usize).div_ceil(8);
        if !(1..=bytes.len()).contains(&len) || needed > len {
            return false;
        }
        if cfg!(target_endian = "big") {
            bytes[..len].reverse();
        }
        // SAFETY: the caller of `Params::new` guarantees `data_len` writable bytes.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), param.data.cast(), len) };
        param.return_len.store(len, Relaxed);
        true
    }

    /// Writes a string that lives as long as the provider. Returns false if the type differs or the
    /// string does not fit.
    pub fn set_text(self, text: &CStr) -> bool {
        let param = self.param;
        let bytes = text.to_bytes();
        param.return_len.store(bytes.len(), Relaxed);
        match param.kind {
            _ if param.data.is_null() => true,
            UTF8_PTR => {
                // SAFETY: the buffer for this type is that of a pointer.
                unsafe { param.data.cast::<*const c_char>().write(text.as_ptr()) };
                true
            }
            UTF8_STRING if bytes.len() <= param.data_len => {
                let with_end = text.to_bytes_with_nul();
                let len = with_end.len().min(param.data_len);
                // SAFETY: the caller of `new` guarantees `data_len` writable bytes.
                unsafe { ptr::copy_nonoverlapping(with_end.as_ptr(), param.data.cast(), len) };
                true
            }
            _ => false,
        }
    }
}
