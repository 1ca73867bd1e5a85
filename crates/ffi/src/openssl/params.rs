//! Parameters as the core passes them: an array of typed names and values.

use core::ffi::{CStr, c_char, c_uint};
use core::sync::atomic::Ordering::Relaxed;
use core::{ptr, slice};

use super::abi::{INTEGER, OCTET_PTR, OCTET_STRING, Param, UNSIGNED, UTF8_PTR, UTF8_STRING};
use crate::guard;

/// An array of parameters, which may be none at all.
pub struct Params<'p> {
    params: &'p [Param],
}

impl<'p> Params<'p> {
    /// The array that starts at `first`, up to the one without a key.
    ///
    /// # Safety
    ///
    /// `first` is null, or such an array starts there that nobody changes for `'p` (but for
    /// what entries say of their answers), and what its entries point to is as they say; where
    /// an answer is to go, nobody else is at it.
    pub unsafe fn new(first: *const Param) -> Self {
        if first.is_null() {
            return Self { params: &[] };
        }
        let mut len = 0;
        // SAFETY: a parameter without a key ends the array, so all up to it are there.
        while unsafe { !(*first.add(len)).key.is_null() } {
            len += 1;
        }
        // SAFETY: the array is as long as counted, and stays as it is for 'p.
        Self { params: unsafe { slice::from_raw_parts(first, len) } }
    }

    /// Each parameter with its key.
    pub fn iter(&self) -> impl Iterator<Item = (&'p [u8], Value<'p>)> + use<'p> {
        self.params.iter().map(|param| {
            // SAFETY: keys are strings that end with a zero, constant for 'p.
            let key = unsafe { CStr::from_ptr(param.key) };
            (key.to_bytes(), Value { param })
        })
    }
}

/// A parameter's value, or the place for it.
pub struct Value<'p> {
    param: &'p Param,
}

impl<'p> Value<'p> {
    /// Where the data is, of a value of one of these kinds: here, or where a pointer here says.
    fn data(&self, here: c_uint, elsewhere: c_uint) -> Option<*const u8> {
        let data = self.param.data.cast_const();
        match self.param.kind {
            kind if kind == here => Some(data.cast()),
            // SAFETY: the data of this kind is a pointer, if there is any.
            kind if kind == elsewhere => unsafe { data.cast::<*const u8>().as_ref() }.copied(),
            _ => None,
        }
    }

    /// A string of bytes, `None` if it is of another kind.
    pub fn bytes(&self) -> Option<&'p [u8]> {
        let data = self.data(OCTET_STRING, OCTET_PTR)?;
        // SAFETY: so many bytes are there, says the caller of `Params::new`.
        unsafe { guard::slice(data, self.param.data_len) }.ok()
    }

    /// A text, up to its zero if it has one; `None` if it is of another kind or
    /// not UTF-8.
    pub fn text(&self) -> Option<&'p str> {
        let data = self.data(UTF8_STRING, UTF8_PTR).filter(|data| !data.is_null())?;
        // SAFETY: so many bytes are there, says the caller of `Params::new`.
        let bytes = unsafe { guard::slice(data, self.param.data_len) }.ok()?;
        let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
        str::from_utf8(&bytes[..end]).ok()
    }

    /// A number of any width that is not negative and fits.
    pub fn number(&self) -> Option<u64> {
        if !matches!(self.param.kind, INTEGER | UNSIGNED) || self.param.data.is_null() {
            return None;
        }
        if !(1..=64).contains(&self.param.data_len) {
            return None;
        }
        // SAFETY: so many bytes are there, says the caller of `Params::new`.
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

    /// Answers with a number, in the width that was asked for. Whether it could.
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
        // SAFETY: there is room for so many bytes, says the caller of `Params::new`.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), param.data.cast(), len) };
        param.return_len.store(len, Relaxed);
        true
    }

    /// Answers with a text that lasts as long as the provider. Whether it could.
    pub fn set_text(self, text: &CStr) -> bool {
        let param = self.param;
        let bytes = text.to_bytes();
        param.return_len.store(bytes.len(), Relaxed);
        match param.kind {
            _ if param.data.is_null() => true,
            UTF8_PTR => {
                // SAFETY: the place for this kind is that of a pointer.
                unsafe { param.data.cast::<*const c_char>().write(text.as_ptr()) };
                true
            }
            UTF8_STRING if bytes.len() <= param.data_len => {
                let with_end = text.to_bytes_with_nul();
                let len = with_end.len().min(param.data_len);
                // SAFETY: there is room for `data_len` bytes, says the caller of `new`.
                unsafe { ptr::copy_nonoverlapping(with_end.as_ptr(), param.data.cast(), len) };
                true
            }
            _ => false,
        }
    }
}
