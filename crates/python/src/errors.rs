//! Errors that say which argument they are about.

use std::num::NonZeroUsize;

use pyo3::exceptions::{PyBufferError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;

/// An error about `what`: an argument, or an item of one. Errors that are nothing but a text have it at
/// the head of theirs, all others as a note.
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

/// An error that somebody else's code raised about `what`, which a note says: its trace stays.
pub(crate) fn noted(py: Python<'_>, error: PyErr, what: &str) -> PyErr {
    // A note that cannot be added is done without.
    let _ = error.value(py).call_method1("add_note", (what,));
    error
}

/// How many there may be of what argument `name` counts, at least one; none is `otherwise`.
pub(crate) fn count(
    name: &str,
    number: Option<&Bound<'_, PyAny>>,
    otherwise: &str,
) -> PyResult<Option<NonZeroUsize>> {
    let Some(number) = number else { return Ok(None) };
    let wrong = || PyValueError::new_err(format!("{name}: at least 1, or None for {otherwise}"));
    match number.extract::<usize>() {
        Ok(number) => NonZeroUsize::new(number).map(Some).ok_or_else(wrong),
        Err(error) if error.is_instance_of::<PyOverflowError>(number.py()) => Err(wrong()),
        Err(error) => Err(named(number.py(), error, name)),
    }
}
