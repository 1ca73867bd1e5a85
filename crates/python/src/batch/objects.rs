//! Messages that are individual objects: lists, tuples, and other iterables.

use std::num::NonZeroUsize;

use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};

use super::numpy;
use super::out::Out;
use crate::buffer::{Bytes, to_bytes};
use crate::errors::{named, noted};
use crate::run::{Batch, Form};

/// Maximum number of objects held at a time with one thread: few enough to stay in its cache until
/// their digests are objects.
const WINDOW_OF_ONE: usize = 4 << 10;
/// Maximum number of objects held at a time with several threads: enough to justify starting them.
const WINDOW: usize = 32 << 10;
/// Maximum number of bytes held if an iterator creates the objects.
const WINDOW_BYTES: usize = 64 << 20;

/// Names item `index` of argument `name` in an error.
pub(crate) fn at(py: Python<'_>, error: PyErr, name: &str, index: usize) -> PyErr {
    named(py, error, &format!("{name}: item {index}"))
}

/// Returns the bytes of an item, or the UTF-8 of a string.
#[inline]
pub(super) fn item<'a, 'py>(object: &'a Bound<'py, PyAny>) -> PyResult<Bytes<'a, 'py>> {
    let bytes = Bytes::of_text(object)?;
    if let Bytes::Exported(_) = bytes {
        numpy::check_item(object)?;
    }
    Ok(bytes)
}

/// Computes the digests of the objects in `data`: a list of them, or `out`.
pub(crate) fn digests<'py>(
    batch: &Batch,
    data: &Bound<'py, PyAny>,
    mut out: Option<Out<'py>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = data.py();
    let is_held = data.is_instance_of::<PyList>() || data.is_instance_of::<PyTuple>();
    let mut objects = data.try_iter().map_err(|error| named(py, error, "data"))?;
    // Unlike `PyList::new`, appending raises MemoryError.
    let all = PyList::empty(py);
    let most = if batch.threads == NonZeroUsize::new(1) { WINDOW_OF_ONE } else { WINDOW };
    let mut window = Vec::new();
    let (mut places, mut done) = (Vec::new(), 0);
    loop {
        window.clear();
        let mut bytes = 0;
        while window.len() < most && bytes < WINDOW_BYTES {
            let Some(object) = objects.next() else { break };
            let object = object.map_err(|error| noted(py, error, "data"))?;
            if !is_held {
                let error = |error| at(py, error, "data", done + window.len());
                bytes += item(&object).map_err(error)?.as_slice().len();
            }
            window.push(object);
        }
        if window.is_empty() {
            break;
        }
        let held = window
            .iter()
            .enumerate()
            .map(|(i, object)| item(object).map_err(|error| at(py, error, "data", done + i)));
        let held = held.collect::<PyResult<Vec<_>>>()?;
        let messages: Vec<&[u8]> = held.iter().map(Bytes::as_slice).collect();
        if let Some(out) = &out {
            out.check_apart(&messages)?;
        }
        places.resize(messages.len() * batch.place_len(), 0);
        batch.run(py, &messages, &mut places)?;
        match &mut out {
            Some(out) => out.put(done, &places, batch.place_len())?,
            None => {
                let places = places.chunks_exact(batch.place_len());
                for place in places {
                    all.append(object(py, batch.form, place)?)?;
                }
            }
        }
        done += window.len();
    }
    match out {
        Some(out) => out.filled(done, batch.place_len()),
        None => Ok(all.into_any()),
    }
}

/// Converts a digest to a Python object.
fn object<'py>(py: Python<'py>, form: Form, place: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    Ok(match form {
        Form::Bytes => to_bytes(py, place)?.into_any(),
        Form::Hex => PyString::from_bytes(py, place)?.into_any(),
    })
}
