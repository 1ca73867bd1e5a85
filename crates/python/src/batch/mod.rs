//! Many messages at once, in whatever Python keeps them in.

mod arrays;
mod objects;
mod out;
mod watched;

use std::num::NonZeroUsize;

use lanesum::HmacKey;
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyInt, PyList, PyString};

use self::out::Out;
use crate::algorithm::{by_digestmod, by_object};
use crate::arrow::{self, Column, Input, is_arrow};
use crate::buffer::{Bytes, is_buffer};
use crate::errors::{count, named};
use crate::keyed::Cost;
use crate::run::{Batch, Form, Pieces, Work, shared};

/// How digests are to be written, by the argument `encoding`.
fn form(encoding: &str) -> PyResult<Form> {
    match encoding {
        "bytes" => Ok(Form::Bytes),
        "hex" => Ok(Form::Hex),
        _ => {
            let text = format!("encoding: 'bytes' or 'hex', not '{encoding}'");
            Err(PyValueError::new_err(text))
        }
    }
}

/// How many threads, by the argument `threads`: none is one a core.
fn threads(threads: Option<&Bound<'_, PyAny>>) -> PyResult<Option<NonZeroUsize>> {
    count("threads", threads, "one a core")
}

/// The digests of `data`, whatever it is.
fn many<'py>(
    batch: &Batch,
    data: &Bound<'py, PyAny>,
    offsets: Option<&Bound<'py, PyAny>>,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    if offsets.is_none() && is_arrow(data)? {
        if out.is_some() {
            return Err(PyTypeError::new_err("out: digests of a column are a column of their own"));
        }
        let digests = arrow::digests(data.py(), batch, &Input::new("data", data)?)?;
        return Ok(Bound::new(data.py(), digests)?.into_any());
    }
    let out = out.map(Out::new).transpose()?;
    if let Some(offsets) = offsets {
        return arrays::between(batch, data, offsets, out);
    }
    let is_one = data.is_instance_of::<PyBytes>()
        || data.is_instance_of::<PyByteArray>()
        || data.is_instance_of::<PyString>();
    if is_one {
        let name = data.get_type().name()?;
        let text = format!("data: '{name}' is one message, not many");
        return Err(PyTypeError::new_err(text));
    }
    let out = match is_buffer(data) {
        true => match arrays::digests(batch, data, out)? {
            Ok(digests) => return Ok(digests),
            Err(out) => out,
        },
        false => out,
    };
    objects::digests(batch, data, out)
}

/// The digests of many messages at once: much faster than one by one.
#[pyfunction]
#[pyo3(
    signature = (algorithm, data, *, offsets=None, out=None, encoding="bytes", threads=None),
)]
fn digest_many<'py>(
    algorithm: &Bound<'py, PyAny>,
    data: &Bound<'py, PyAny>,
    offsets: Option<&Bound<'py, PyAny>>,
    out: Option<&Bound<'py, PyAny>>,
    encoding: &str,
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let work = Work::Digest(by_object(algorithm)?);
    let batch = Batch { work, form: form(encoding)?, threads: self::threads(threads)? };
    many(&batch, data, offsets, out)
}

/// The tags of many messages under one key: HMAC, as digest_many has digests.
#[pyfunction]
#[pyo3(
    signature = (key, data, digestmod, *, offsets=None, out=None, encoding="bytes", threads=None),
)]
fn hmac_many<'py>(
    key: &Bound<'py, PyAny>,
    data: &Bound<'py, PyAny>,
    digestmod: &Bound<'py, PyAny>,
    offsets: Option<&Bound<'py, PyAny>>,
    out: Option<&Bound<'py, PyAny>>,
    encoding: &str,
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let algorithm = by_digestmod(digestmod)?;
    let key = HmacKey::new(algorithm, Bytes::of_named("key", key)?.as_slice());
    let batch =
        Batch { work: Work::Tag(key), form: form(encoding)?, threads: self::threads(threads)? };
    many(&batch, data, offsets, out)
}

/// One digest for each row of several columns of bytes or text: a column.
///
/// columns is a table or some columns with Arrow's PyCapsule interface. With a key the digests are
/// HMACs. What is hashed of a row is framed, so that no two rows are the same message.
#[pyfunction]
#[pyo3(signature = (algorithm, columns, *, key=None, encoding="bytes", threads=None))]
fn digest_rows(
    py: Python<'_>,
    algorithm: &Bound<'_, PyAny>,
    columns: &Bound<'_, PyAny>,
    key: Option<&Bound<'_, PyAny>>,
    encoding: &str,
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<Column> {
    let algorithm = by_object(algorithm)?;
    let work = match key {
        Some(key) => Work::Tag(HmacKey::new(algorithm, Bytes::of_named("key", key)?.as_slice())),
        None => Work::Digest(algorithm),
    };
    let batch = Batch { work, form: form(encoding)?, threads: self::threads(threads)? };
    arrow::row_digests(py, &batch, &Input::columns("columns", columns)?)
}

/// PBKDF2 of many passwords, each with its salt: a list of keys.
#[pyfunction]
#[pyo3(signature = (hash_name, passwords, salts, iterations, dklen=None, *, threads=None))]
fn pbkdf2_many<'py>(
    py: Python<'py>,
    hash_name: &Bound<'py, PyAny>,
    passwords: &Bound<'py, PyAny>,
    salts: &Bound<'py, PyAny>,
    iterations: &Bound<'py, PyInt>,
    dklen: Option<&Bound<'py, PyInt>>,
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    /// So many passwords fill the widest lanes twice.
    const TOGETHER: usize = 64;

    let algorithm = by_object(hash_name)?;
    let cost = Cost::new(algorithm, iterations, dklen)?;
    let threads = self::threads(threads)?;
    let (passwords, salts) = (objects_of("passwords", passwords)?, objects_of("salts", salts)?);
    if passwords.len() != salts.len() {
        let (passwords, salts) = (passwords.len(), salts.len());
        let text = format!("salts: {salts} for {passwords} passwords");
        return Err(PyValueError::new_err(text));
    }
    let (passwords, salts) = (held("passwords", &passwords)?, held("salts", &salts)?);
    let passwords: Vec<&[u8]> = passwords.iter().map(Bytes::as_slice).collect();
    let salts: Vec<&[u8]> = salts.iter().map(Bytes::as_slice).collect();
    let len = passwords.len().checked_mul(cost.key_len);
    let len = len.ok_or_else(|| PyValueError::new_err("dklen: too much for memory"))?;
    let mut keys = Vec::new();
    keys.try_reserve_exact(len)
        .map_err(|error| PyMemoryError::new_err(format!("dklen: {len} bytes of keys: {error}")))?;
    keys.resize(len, 0);
    let pieces = Pieces::new(passwords.len(), |_| 0, &mut keys, cost.key_len).of_at_most(TOGETHER);
    shared(py, threads, pieces, |range, keys| {
        let (passwords, salts) = (&passwords[range.clone()], &salts[range]);
        let derived = lanesum::pbkdf2_many(algorithm, passwords, salts, cost.iterations, keys);
        debug_assert!(derived.is_ok(), "the cost was looked at");
    })?;
    PyList::new(py, keys.chunks_exact(cost.key_len).map(|key| PyBytes::new(py, key)))
}

/// The objects of an argument that can be iterated, and is not one message.
fn objects_of<'py>(name: &str, many: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    if is_buffer(many) || many.is_instance_of::<PyString>() {
        let kind = many.get_type().name()?;
        let text = format!("{name}: '{kind}' is one, not many");
        return Err(PyTypeError::new_err(text));
    }
    many.try_iter().map_err(|error| named(many.py(), error, name))?.collect()
}

/// The bytes of each; text is its UTF-8.
fn held<'a, 'py>(name: &str, objects: &'a [Bound<'py, PyAny>]) -> PyResult<Vec<Bytes<'a, 'py>>> {
    let held = objects.iter().enumerate().map(|(i, object)| {
        Bytes::of_text(object).map_err(|error| objects::at(object.py(), error, name, i))
    });
    held.collect()
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(digest_many, module)?)?;
    module.add_function(wrap_pyfunction!(hmac_many, module)?)?;
    module.add_function(wrap_pyfunction!(digest_rows, module)?)?;
    module.add_class::<Column>()?;
    module.add_function(wrap_pyfunction!(watched::sha1dc_many, module)?)?;
    module.add_function(wrap_pyfunction!(pbkdf2_many, module)?)
}
