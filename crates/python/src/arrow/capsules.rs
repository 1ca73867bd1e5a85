//! Arrow's C data interface in PyCapsules: arrays and streams of arrays of any type.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::{null, write};
use std::sync::Arc;
use std::vec::IntoIter;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, from_ffi_and_data_type};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, ArrayRef, make_array};
use arrow_schema::{ArrowError, DataType, Field, FieldRef};
use pyo3::exceptions::{PyException, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

/// The name of a capsule with a schema.
const SCHEMA: &CStr = c"arrow_schema";
/// The name of a capsule with an array.
const ARRAY: &CStr = c"arrow_array";
/// The name of a capsule with a stream of arrays.
const STREAM: &CStr = c"arrow_array_stream";

/// Converts an error of Arrow to an exception.
pub(super) fn arrow(error: ArrowError) -> PyErr {
    PyException::new_err(error.to_string())
}

/// Calls a method that exports a column. For a column of mixed types, libraries raise
/// subclasses of TypeError and ValueError.
fn exported<'py>(object: &Bound<'py, PyAny>, method: &str) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    object.call_method0(method).map_err(|error| {
        if error.is_instance_of::<PyTypeError>(py) || error.is_instance_of::<PyValueError>(py) {
            let reason = error.value(py);
            PyTypeError::new_err(format!("no Arrow form ({reason}): cast it to text or bytes"))
        } else {
            error
        }
    })
}

/// Imports the array of an object with the method `__arrow_c_array__`.
pub(super) fn import_array(object: &Bound<'_, PyAny>) -> PyResult<(ArrayRef, FieldRef)> {
    let invalid = |error: ArrowError| PyTypeError::new_err(error.to_string());
    let capsules = exported(object, "__arrow_c_array__")?;
    let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = capsules.extract()?;
    let schema = schema.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
    let array = array.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
    // SAFETY: a capsule with this name holds a schema, which lives as long as `capsules`.
    let schema = unsafe { schema.as_ref() };
    let field = Field::try_from(schema).map_err(invalid)?;
    // SAFETY: a capsule with this name holds an array; `from_raw` moves it and marks the original as released.
    let mut array = unsafe { FFI_ArrowArray::from_raw(array.as_ptr()) };
    // SAFETY: the producer guarantees that the array has this schema.
    unsafe { clear_null_buffers((&raw mut array).cast(), field.data_type()) };
    // SAFETY: the producer guarantees that the array has this schema.
    let data = unsafe { from_ffi(array, schema) }.map_err(invalid)?;
    Ok((make_array(data), field.into()))
}

/// Imports the arrays of an object with the method `__arrow_c_stream__`.
pub(super) fn import_stream(object: &Bound<'_, PyAny>) -> PyResult<(Vec<ArrayRef>, FieldRef)> {
    let invalid = |error: ArrowError| PyValueError::new_err(error.to_string());
    let failed = |stream: &mut FFI_ArrowArrayStream, status: c_int| {
        // SAFETY: the stream is valid, and its last call failed.
        let text = stream.get_last_error.map(|last| unsafe { last(stream) });
        let text = match text.filter(|text| !text.is_null()) {
            // SAFETY: the text ends with a zero byte and lives until the next call.
            Some(text) => unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned(),
            None => format!("the Arrow stream failed with status {status}"),
        };
        arrow(ArrowError::CDataInterface(text))
    };
    let capsule = exported(object, "__arrow_c_stream__")?.cast_into::<PyCapsule>()?;
    let stream = capsule.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: a capsule with this name holds a stream; `from_raw` moves it and marks the original as released.
    let mut stream = unsafe { FFI_ArrowArrayStream::from_raw(stream.as_ptr()) };
    let (Some(get_schema), Some(get_next), Some(_)) =
        (stream.get_schema, stream.get_next, stream.release)
    else {
        return Err(PyValueError::new_err("the Arrow stream has been released"));
    };

    let mut schema = FFI_ArrowSchema::empty();
    // SAFETY: the stream is not released, and `schema` is writable.
    let status = unsafe { get_schema(&mut stream, &mut schema) };
    if status != 0 {
        return Err(failed(&mut stream, status));
    }
    let field = Field::try_from(&schema).map_err(invalid)?;
    let mut chunks = Vec::new();
    loop {
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: the stream is not released, and `array` is writable.
        let status = unsafe { get_next(&mut stream, &mut array) };
        if status != 0 {
            return Err(failed(&mut stream, status));
        }
        if array.is_released() {
            return Ok((chunks, field.into()));
        }
        // SAFETY: the producer guarantees that the array has the stream's type.
        let data = unsafe {
            clear_null_buffers((&raw mut array).cast(), field.data_type());
            from_ffi_and_data_type(array, field.data_type().clone())
        };
        chunks.push(make_array(data.map_err(invalid)?));
    }
}

/// The first members of Arrow's C struct of an array. They are private in its Rust type.
#[repr(C)]
struct RawArray {
    len: i64,
    null_count: i64,
    offset: i64,
    buffer_count: i64,
    child_count: i64,
    buffers: *mut *const c_void,
    children: *mut *mut Self,
    dictionary: *mut Self,
}

/// Removes the buffers of columns of type `Null`. The specification defines none, and the import
/// rejects one, but Polars exports an unused validity buffer.
///
/// # Safety
///
/// `array` points to an array of type `kind` that the caller owns.
unsafe fn clear_null_buffers(array: *mut RawArray, kind: &DataType) {
    // SAFETY: as above. The import rejects arrays with another number of children.
    let raw = unsafe { &mut *array };
    match kind {
        DataType::Null => raw.buffer_count = 0,
        DataType::Dictionary(_, values) if !raw.dictionary.is_null() => {
            // SAFETY: the dictionary of such an array is an array of type `values`.
            unsafe { clear_null_buffers(raw.dictionary, values) };
        }
        DataType::List(field) | DataType::LargeList(field) | DataType::FixedSizeList(field, _)
            if raw.child_count == 1 =>
        {
            // SAFETY: the child of a list is an array of its field's type.
            unsafe { clear_null_buffers(*raw.children, field.data_type()) };
        }
        DataType::Struct(fields) if raw.child_count == fields.len() as i64 => {
            for (i, field) in fields.iter().enumerate() {
                // SAFETY: each child is an array of its field's type.
                unsafe { clear_null_buffers(*raw.children.add(i), field.data_type()) };
            }
        }
        _ => {}
    }
}

/// Exports a type.
pub(super) fn export_schema<'py>(
    py: Python<'py>,
    field: &Field,
) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(field).map_err(arrow)?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// Exports an array of type `field`.
pub(super) fn export_array<'py>(
    py: Python<'py>,
    array: &dyn Array,
    field: &Field,
) -> PyResult<Bound<'py, PyTuple>> {
    let capsule = PyCapsule::new_with_value(py, FFI_ArrowArray::new(&array.to_data()), ARRAY)?;
    PyTuple::new(py, [export_schema(py, field)?, capsule])
}

/// Exports arrays of type `field` as a stream.
pub(super) fn export_stream(
    py: Python<'_>,
    chunks: Vec<ArrayRef>,
    field: FieldRef,
) -> PyResult<Bound<'_, PyCapsule>> {
    let exported = Box::new(Exported { chunks: chunks.into_iter(), field });
    let stream = FFI_ArrowArrayStream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release),
        private_data: Box::into_raw(exported).cast(),
    };
    PyCapsule::new_with_value(py, stream, STREAM)
}

/// The private data of an exported stream.
struct Exported {
    chunks: IntoIter<ArrayRef>,
    field: Arc<Field>,
}

impl Exported {
    /// # Safety
    ///
    /// `stream` is a stream of [`export_stream`] that is not released, and used by no other thread.
    unsafe fn of<'a>(stream: *mut FFI_ArrowArrayStream) -> &'a mut Self {
        // SAFETY: `private_data` is a `Box<Self>` until the stream is released.
        unsafe { &mut *(*stream).private_data.cast() }
    }
}

unsafe extern "C" fn get_schema(
    stream: *mut FFI_ArrowArrayStream,
    out: *mut FFI_ArrowSchema,
) -> c_int {
    // SAFETY: the consumer calls this with the stream.
    let exported = unsafe { Exported::of(stream) };
    match FFI_ArrowSchema::try_from(&*exported.field) {
        Ok(schema) => {
            // SAFETY: the consumer passes memory for a schema.
            unsafe { write(out, schema) };
            0
        }
        // EINVAL
        Err(_) => 22,
    }
}

unsafe extern "C" fn get_next(
    stream: *mut FFI_ArrowArrayStream,
    out: *mut FFI_ArrowArray,
) -> c_int {
    // SAFETY: the consumer calls this with the stream.
    let next = unsafe { Exported::of(stream) }.chunks.next();
    // A released array ends the stream.
    let array =
        next.map_or_else(FFI_ArrowArray::empty, |chunk| FFI_ArrowArray::new(&chunk.to_data()));
    // SAFETY: the consumer passes memory for an array.
    unsafe { write(out, array) };
    0
}

unsafe extern "C" fn get_last_error(_: *mut FFI_ArrowArrayStream) -> *const c_char {
    null()
}

unsafe extern "C" fn release(stream: *mut FFI_ArrowArrayStream) {
    // SAFETY: the consumer releases the stream once; `private_data` comes from `Box::into_raw`.
    unsafe {
        drop(Box::from_raw((*stream).private_data.cast::<Exported>()));
        (*stream).release = None;
    }
}
