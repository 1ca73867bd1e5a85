//! The bytes of Python objects.

use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::slice;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use pyo3::{PyTypeCheck, ffi};

use crate::errors::named;
use crate::foreign::is_null;

/// Number of bytes above which a call releases the GIL, as in `hashlib`.
pub(crate) const GIL_MINSIZE: usize = 2047;

/// The bytes of an object. They do not move while this value exists.
pub(crate) enum Bytes<'a, 'py> {
    /// The bytes of a `bytes` or `str`, which are immutable.
    Constant(&'a [u8]),
    /// The bytes of another buffer.
    Exported(View<'py>),
}

impl<'a, 'py> Bytes<'a, 'py> {
    /// Returns the bytes of a buffer object. Fails with `hashlib`'s errors for a string and for a
    /// buffer that is not contiguous.
    #[inline]
    pub(crate) fn of(object: &'a Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Self::Constant(bytes.as_bytes()));
        }
        Self::of_buffer(object)
    }

    #[cold]
    fn of_buffer(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        if PyString::type_check(object) {
            return Err(PyTypeError::new_err("Strings must be encoded before hashing"));
        }
        if !is_buffer(object) {
            return Err(PyTypeError::new_err("object supporting the buffer API required"));
        }
        View::get(object, ffi::PyBUF_SIMPLE).map(Self::Exported)
    }

    /// Returns the bytes of a buffer, or the UTF-8 of a string.
    #[inline]
    pub(crate) fn of_text(object: &'a Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Self::Constant(bytes.as_bytes()));
        }
        match object.cast::<PyString>() {
            Ok(text) => Ok(Self::Constant(text.to_str()?.as_bytes())),
            Err(_) if is_buffer(object) => Self::of_buffer(object),
            Err(_) => {
                let kind = object.get_type().name()?;
                let mut text = format!("a bytes-like object or str is required, not '{kind}'");
                if is_null(object)? {
                    text += ": nulls are supported only by digest_many, double_hash_many and hmac_many, in Arrow \
                             columns and in pandas and Polars Series";
                }
                Err(PyTypeError::new_err(text))
            }
        }
    }

    /// Returns the bytes of argument `name`, which errors name.
    pub(crate) fn of_named(name: &str, object: &'a Bound<'py, PyAny>) -> PyResult<Self> {
        Self::of_argument(object).map_err(|error| named(object.py(), error, name))
    }

    /// Returns the bytes of an argument that must be a buffer. Fails with the standard library's
    /// error for other types.
    pub(crate) fn of_argument(object: &'a Bound<'py, PyAny>) -> PyResult<Self> {
        if !is_buffer(object) {
            let name = object.get_type().name()?;
            let text = format!("a bytes-like object is required, not '{name}'");
            return Err(PyTypeError::new_err(text));
        }
        Self::of(object)
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[u8] {
        match self {
            Self::Constant(bytes) => bytes,
            Self::Exported(view) => view.as_slice(),
        }
    }
}

/// Whether items of a format in the notation of `struct` contain Python objects, as their addresses.
/// The names of a structure's fields are between colons.
pub(crate) fn has_objects(format: &[u8]) -> bool {
    format.split(|&byte| byte == b':').step_by(2).any(|types| types.contains(&b'O'))
}

/// Copies `bytes` to a `bytes` object. Unlike `PyBytes::new`, it raises MemoryError.
pub(crate) fn to_bytes<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, bytes.len(), |copy| {
        copy.copy_from_slice(bytes);
        Ok(())
    })
}

/// Whether an object exports a buffer.
pub(crate) fn is_buffer(object: &Bound<'_, PyAny>) -> bool {
    // SAFETY: `object` is alive and the thread is attached.
    unsafe { ffi::PyObject_CheckBuffer(object.as_ptr()) == 1 }
}

/// A buffer exported by an object, released on drop.
///
/// The exporter neither moves nor resizes the memory until then. Another thread may write to it
/// meanwhile; the digest is then of a mixture of old and new bytes, as with `hashlib`.
pub(crate) struct View<'py> {
    raw: Box<ffi::Py_buffer>,
    _attached: Python<'py>,
}

impl<'py> View<'py> {
    /// Requests a buffer of `object` in the form specified by `flags`.
    pub(crate) fn get(object: &Bound<'py, PyAny>, flags: c_int) -> PyResult<Self> {
        let mut raw = Box::new(MaybeUninit::<ffi::Py_buffer>::zeroed());
        // SAFETY: `object` is alive, the thread is attached, and `raw` is valid for the
        // `Py_buffer`, which is boxed and so does not move while it is exported.
        let status = unsafe { ffi::PyObject_GetBuffer(object.as_ptr(), raw.as_mut_ptr(), flags) };
        if status != 0 {
            return Err(PyErr::fetch(object.py()));
        }
        // SAFETY: the call succeeded, so it has initialized `raw`.
        let raw = unsafe { raw.assume_init() };
        Ok(Self { raw, _attached: object.py() })
    }

    /// Requests a buffer for digests: writable and contiguous.
    pub(crate) fn writable(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        if !is_buffer(object) {
            let name = object.get_type().name()?;
            let text = format!("out: a writable buffer is required, not '{name}'");
            return Err(PyTypeError::new_err(text));
        }
        let view = Self::get(object, ffi::PyBUF_CONTIG | ffi::PyBUF_FORMAT)
            .map_err(|error| named(object.py(), error, "out"))?;
        match has_objects(view.format()) {
            true => Err(PyTypeError::new_err("out: an array of objects has no room for digests")),
            false => Ok(view),
        }
    }

    fn len(&self) -> usize {
        usize::try_from(self.raw.len).unwrap_or_default()
    }

    /// Returns all bytes; the buffer was requested as contiguous.
    pub(crate) fn as_slice(&self) -> &[u8] {
        if self.raw.len == 0 {
            return &[];
        }
        // SAFETY: the exporter keeps `len` bytes alive until the buffer is released.
        unsafe { slice::from_raw_parts(self.raw.buf.cast::<u8>(), self.len()) }
    }

    /// Returns all bytes, writable; the buffer was requested as contiguous and writable.
    pub(crate) fn as_mut_slice(&mut self) -> &mut [u8] {
        if self.raw.len == 0 {
            return &mut [];
        }
        // SAFETY: the exporter keeps `len` writable bytes alive until the buffer is released.
        unsafe { slice::from_raw_parts_mut(self.raw.buf.cast::<u8>(), self.len()) }
    }

    /// Returns the address of the first byte.
    fn start(&self) -> usize {
        self.raw.buf as usize
    }

    /// Whether it shares a byte with `other`. Both must be contiguous.
    pub(crate) fn overlaps(&self, other: &[u8]) -> bool {
        let start = other.as_ptr() as usize;
        !other.is_empty() && self.start() < start + other.len() && start < self.start() + self.len()
    }

    /// Returns the type of the items, in the notation of `struct`; bytes if the exporter does not
    /// specify it.
    pub(crate) fn format(&self) -> &[u8] {
        if self.raw.format.is_null() {
            return b"B";
        }
        // SAFETY: the exporter keeps the C string alive until the buffer is released.
        unsafe { std::ffi::CStr::from_ptr(self.raw.format) }.to_bytes()
    }

    /// Returns the length of an item, in bytes.
    pub(crate) fn item_len(&self) -> usize {
        usize::try_from(self.raw.itemsize).unwrap_or_default()
    }

    /// Returns the number of items along each axis.
    pub(crate) fn shape(&self) -> &[isize] {
        self.axes(self.raw.shape)
    }

    /// Returns the distance between neighbours along each axis, in bytes.
    fn strides(&self) -> &[isize] {
        self.axes(self.raw.strides)
    }

    fn axes(&self, first: *const isize) -> &[isize] {
        if first.is_null() {
            return &[];
        }
        // SAFETY: the exporter provides `ndim` entries and keeps them alive until the buffer is
        // released.
        unsafe { slice::from_raw_parts(first, self.raw.ndim as usize) }
    }

    /// Returns the rows of an array along its first axis: the bytes from the first to the last row,
    /// the length of a row, and the stride.
    ///
    /// Fails unless each row is contiguous and the rows are in order. Errors name the array as
    /// argument `name`.
    pub(crate) fn rows(&self, name: &str) -> PyResult<Rows<'_>> {
        let (&[count, ref shape @ ..], &[stride, ref strides @ ..]) =
            (self.shape(), self.strides())
        else {
            let text = format!("{name}: an array without an axis is no batch");
            return Err(PyTypeError::new_err(text));
        };
        let uneven = || {
            PyValueError::new_err(format!(
                "{name}: the bytes of each row must be one right after the other, and the rows in \
                 order: make a contiguous copy"
            ))
        };
        let mut len = self.item_len();
        let axes = shape.iter().zip(strides).rev();
        for (&items, &stride) in axes {
            if items > 1 && usize::try_from(stride) != Ok(len) {
                return Err(uneven());
            }
            len *= usize::try_from(items).map_err(|_| uneven())?;
        }
        let count = usize::try_from(count).map_err(|_| uneven())?;
        let stride = if count > 1 { usize::try_from(stride).map_err(|_| uneven())? } else { len };
        if !self.raw.suboffsets.is_null() || stride < len {
            return Err(uneven());
        }
        let span = match count {
            0 => 0,
            _ => (count - 1) * stride + len,
        };
        let bytes: &[u8] = match span {
            0 => &[],
            // SAFETY: the exporter guarantees `count` items with these strides until the buffer is
            // released. No stride is negative, so all of them are within `span` bytes of `buf`.
            _ => unsafe { slice::from_raw_parts(self.raw.buf.cast::<u8>(), span) },
        };
        Ok(Rows { bytes, len, stride, count })
    }
}

/// The rows of an array.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'v> {
    pub(crate) bytes: &'v [u8],
    /// The length of a row, in bytes.
    pub(crate) len: usize,
    /// The distance between the starts of consecutive rows, in bytes.
    pub(crate) stride: usize,
    pub(crate) count: usize,
}

impl Drop for View<'_> {
    fn drop(&mut self) {
        // SAFETY: the buffer was exported, and is released once, on an attached thread.
        unsafe { ffi::PyBuffer_Release(&mut *self.raw) }
    }
}
