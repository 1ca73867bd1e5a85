//! Errors that name their argument.

use std::ffi::OsStr;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use pyo3::exceptions::{
    PyBufferError, PyMemoryError, PyOSError, PyOverflowError, PyTypeError, PyValueError,
};
use pyo3::prelude::*;
use pyo3::types::PyString;

/// Adds `what`, an argument or one of its items, to an error: as a prefix if the error is only a
/// text, otherwise as a note.
pub(crate) fn named(py: Python<'_>, error: PyErr, what: &str) -> PyErr {
    let kind = error.get_type(py);
    let text = || format!("{what}: {}", error.value(py));
    if kind.is(py.get_type::<PyTypeError>()) {
        PyTypeError::new_err(text())
    } else if kind.is(py.get_type::<PyValueError>()) {
        PyValueError::new_err(text())
    } else if kind.is(py.get_type::<PyBufferError>()) {
        PyBufferError::new_err(text())
    } else {
        noted(py, error, what)
    }
}

/// Adds `what` as a note to an error raised by other code, preserving its traceback.
pub(crate) fn noted(py: Python<'_>, error: PyErr, what: &str) -> PyErr {
    // A note that cannot be added is dropped.
    let _ = error.value(py).call_method1("add_note", (what,));
    error
}

/// Creates the OSError of an error number and a path, with the texts and classes of Python's own
/// functions.
pub(crate) fn os_error(py: Python<'_>, number: i32, path: &OsStr) -> PyErr {
    let text = py.import("os").and_then(|os| os.call_method1("strerror", (number,)));
    match text {
        Ok(text) => PyOSError::new_err((number, text.unbind(), path.to_owned())),
        Err(error) => error,
    }
}

/// Returns the path of argument `name`, which may be `bytes`.
pub(crate) fn path(name: &str, argument: &Bound<'_, PyAny>) -> PyResult<PathBuf> {
    let fsdecode = argument.py().import("os")?.getattr("fsdecode")?;
    let decoded = fsdecode.call1((argument,)).map_err(|error| named(argument.py(), error, name))?;
    let path: PathBuf = decoded.extract()?;
    if path.as_os_str().as_encoded_bytes().contains(&0) {
        return Err(PyValueError::new_err(format!("{name}: embedded null byte")));
    }
    Ok(path)
}

/// Returns the patterns of the argument `globs`: one string, or an iterable of them.
pub(crate) fn globs(globs: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<String>> {
    let Some(globs) = globs else { return Ok(Vec::new()) };
    if globs.is_instance_of::<PyString>() {
        return Ok(vec![globs.extract()?]);
    }
    let patterns = globs.try_iter().and_then(|globs| globs.map(|glob| glob?.extract()).collect());
    patterns.map_err(|error| named(globs.py(), error, "globs"))
}

/// Returns the argument `name`, an integer. Fails with ValueError if it is out of range of `T`.
pub(crate) fn integer<'py, T>(name: &str, number: &Bound<'py, PyAny>) -> PyResult<T>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    number.extract().map_err(|error: PyErr| {
        match error.is_instance_of::<PyOverflowError>(number.py()) {
            true => PyValueError::new_err(format!("{name}: {number} is out of range")),
            false => named(number.py(), error, name),
        }
    })
}

/// Collects items of argument `name`. Unlike `collect`, it raises MemoryError.
pub(crate) fn collected<T>(
    name: &str,
    items: impl Iterator<Item = PyResult<T>>,
) -> PyResult<Vec<T>> {
    let mut all = Vec::new();
    for item in items {
        reserve(name, &mut all, 1)?;
        all.push(item?);
    }
    Ok(all)
}

/// Returns `count` places for results of argument `name`, each of `len` zeros.
pub(crate) fn zeros(name: &str, count: usize, len: usize) -> PyResult<Vec<u8>> {
    let mut zeros = Vec::new();
    // More than can be addressed fails, too.
    let len = count.saturating_mul(len);
    reserve(name, &mut zeros, len)?;
    zeros.resize(len, 0);
    Ok(zeros)
}

fn reserve<T>(name: &str, vec: &mut Vec<T>, more: usize) -> PyResult<()> {
    vec.try_reserve(more).map_err(|error| PyMemoryError::new_err(format!("{name}: {error}")))
}

/// Returns the argument `name`, a number of at least one; `None` means `otherwise`.
pub(crate) fn count(
    name: &str,
    number: Option<&Bound<'_, PyAny>>,
    otherwise: &str,
) -> PyResult<Option<NonZeroUsize>> {
    let Some(number) = number else { return Ok(None) };
    let wrong = || {
        let text = format!("{name}: at least 1 is required, or None {otherwise}, not {number}");
        PyValueError::new_err(text)
    };
    match number.extract::<usize>() {
        Ok(count) => NonZeroUsize::new(count).map(Some).ok_or_else(wrong),
        Err(error) if error.is_instance_of::<PyOverflowError>(number.py()) => match number.gt(0)? {
            true => Ok(Some(NonZeroUsize::MAX)),
            false => Err(wrong()),
        },
        Err(error) => Err(named(number.py(), error, name)),
    }
}
