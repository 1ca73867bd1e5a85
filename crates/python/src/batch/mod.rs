//! Batches: lists, arrays and columns of messages.

mod arrays;
mod chains;
mod numpy;
mod objects;
mod out;
mod watched;

use std::num::NonZeroUsize;

use lanesum::unstable::pbkdf2_many_while;
use lanesum::{Algorithm, HmacKey};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyInt, PyList, PyString};

use self::out::Out;
use crate::algorithm::{by_digestmod, by_object};
use crate::arrow::{self, Column, Input, Values, is_arrow};
use crate::buffer::{Bytes, is_buffer, to_bytes};
use crate::errors::{collected, count, named, zeros};
use crate::foreign;
use crate::keyed::Cost;
use crate::run::{Batch, Form, Pieces, Work, shared};

/// Returns the form of the digests for the argument `encoding`, by default bytes.
fn form(encoding: Option<&Bound<'_, PyAny>>) -> PyResult<Form> {
    let Some(encoding) = encoding else { return Ok(Form::Bytes) };
    let Ok(encoding) = encoding.cast::<PyString>() else {
        let kind = encoding.get_type().name()?;
        let text = format!("encoding: 'bytes' or 'hex' is required, not '{kind}'");
        return Err(PyTypeError::new_err(text));
    };
    match encoding.to_str()? {
        "bytes" => Ok(Form::Bytes),
        "hex" => Ok(Form::Hex),
        other => {
            let text = format!("encoding: 'bytes' or 'hex' is required, not '{other}'");
            Err(PyValueError::new_err(text))
        }
    }
}

/// Returns the number of threads for the argument `threads`; `None` means one per core.
fn threads(threads: Option<&Bound<'_, PyAny>>) -> PyResult<Option<NonZeroUsize>> {
    count("threads", threads, "for one per core")
}

/// Computes the digests of the messages in `data`.
fn many<'py>(
    batch: &Batch,
    data: &Bound<'py, PyAny>,
    offsets: Option<&Bound<'py, PyAny>>,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    foreign::check_frame("data", data)?;
    let data = &foreign::series(data)?;
    if offsets.is_none() && is_arrow(data)? {
        if out.is_some() {
            return Err(PyTypeError::new_err(
                "out: the digests of a column are always a new column",
            ));
        }
        let input = Input::new("data", data)?;
        if input.is_table() {
            return Err(PyTypeError::new_err(
                "data: a table is not one column: select a column, or hash rows by digest_rows",
            ));
        }
        let digests = arrow::digests(data.py(), batch, &input)?;
        return foreign::like(data, Bound::new(data.py(), digests)?.into_any());
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

/// Returns the algorithm that argument `algorithm` selects; `order` is the
/// order of the arguments.
pub(crate) fn algorithm(object: &Bound<'_, PyAny>, order: &str) -> PyResult<Algorithm> {
    let is_one = object.is_instance_of::<PyString>()
        || object.is_callable()
        || object.is_instance_of::<PyModule>();
    if !is_one {
        let kind = object.get_type().name()?;
        let text = format!(
            "algorithm: a name or constructor is required, not '{kind}': the order is {order}"
        );
        return Err(PyTypeError::new_err(text));
    }
    by_digestmod(object).map_err(|error| match error.is_instance_of::<PyValueError>(object.py()) {
        true => error,
        false => named(object.py(), error, "algorithm"),
    })
}

/// Returns the HMAC key for argument `key`; `order` is the
/// order of the arguments.
fn hmac_key(algorithm: Algorithm, key: &Bound<'_, PyAny>, order: &str) -> PyResult<HmacKey> {
    if !is_buffer(key) {
        let kind = key.get_type().name()?;
        let text =
            format!("key: a bytes-like object is required, not '{kind}': the order is {order}");
        return Err(PyTypeError::new_err(text));
    }
    Ok(HmacKey::new(algorithm, Bytes::of_named("key", key)?.as_slice()))
}

/// Computes the digests of many messages in one call, in parallel SIMD lanes.
///
/// algorithm is a name such as "sha256", or a constructor of this package or hashlib.
///
/// data is a list or another iterable of buffers or text (hashed as UTF-8), a NumPy array (each row
/// along the first axis is a message), or a column with Arrow's PyCapsule interface.
///
/// offsets makes messages of one buffer: message i is data[offsets[i]:offsets[i + 1]].
///
/// out is a writable buffer of exactly the digests' length, which is filled and returned.
///
/// encoding is "bytes", or "hex" for lower-case hexadecimal: str in a list, and ASCII in an array, a
/// buffer or out.
///
/// threads is the maximum number of threads; None means one per core.
///
/// Returns a list for an iterable, an array for a NumPy array, bytes for other buffers, a Series for a
/// Polars Series, and a Column for another column. Raises TypeError for arguments of a wrong type or in
/// a wrong order, ValueError for an unknown algorithm and for offsets or an out that do not fit.
///
///     >>> lanesum.digest_many("sha256", ["abc", b""], encoding="hex")[0][:16]
///     'ba7816bf8f01cfea'
#[pyfunction]
#[pyo3(
    signature = (algorithm, data, *, offsets=None, out=None, encoding=None, threads=None),
    text_signature = "(algorithm, data, *, offsets=None, out=None, encoding='bytes', threads=None)"
)]
fn digest_many<'py>(
    algorithm: &Bound<'py, PyAny>,
    data: &Bound<'py, PyAny>,
    offsets: Option<&Bound<'py, PyAny>>,
    out: Option<&Bound<'py, PyAny>>,
    encoding: Option<&Bound<'py, PyAny>>,
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let work = Work::Digest(self::algorithm(algorithm, "algorithm, data")?);
    let batch = Batch { work, form: form(encoding)?, threads: self::threads(threads)? };
    many(&batch, data, offsets, out)
}

/// Hashes many messages, and each digest once more: double SHA-256 (SHA256d), as in Bitcoin.
///
/// algorithm, data, offsets, out, encoding and threads are as in digest_many, and so are the results and errors.
///
///     >>> digests = lanesum.double_hash_many("sha256", ["warp"])
///     >>> digests[0] == lanesum.sha256(lanesum.sha256(b"warp").digest()).digest()
///     True
#[pyfunction]
#[pyo3(
    signature = (algorithm, data, *, offsets=None, out=None, encoding=None, threads=None),
    text_signature = "(algorithm, data, *, offsets=None, out=None, encoding='bytes', threads=None)"
)]
fn double_hash_many<'py>(
    algorithm: &Bound<'py, PyAny>,
    data: &Bound<'py, PyAny>,
    offsets: Option<&Bound<'py, PyAny>>,
    out: Option<&Bound<'py, PyAny>>,
    encoding: Option<&Bound<'py, PyAny>>,
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let work = Work::DoubleDigest(self::algorithm(algorithm, "algorithm, data")?);
    let batch = Batch { work, form: form(encoding)?, threads: self::threads(threads)? };
    many(&batch, data, offsets, out)
}

/// Computes the HMACs of many messages under one key.
///
/// algorithm is a name such as "sha256", or a constructor of this package or hashlib.
///
/// key is the secret, a buffer.
///
/// data, offsets, out, encoding and threads are as in digest_many, and so are the results and errors.
///
///     >>> lanesum.hmac_many("sha256", b"key", ["ada@example.org"], encoding="hex")[0][:16]
///     'e7e8f78d42b41603'
#[pyfunction]
#[pyo3(
    signature = (algorithm, key, data, *, offsets=None, out=None, encoding=None, threads=None),
    text_signature = "(algorithm, key, data, *, offsets=None, out=None, encoding='bytes', threads=None)"
)]
fn hmac_many<'py>(
    algorithm: &Bound<'py, PyAny>,
    key: &Bound<'py, PyAny>,
    data: &Bound<'py, PyAny>,
    offsets: Option<&Bound<'py, PyAny>>,
    out: Option<&Bound<'py, PyAny>>,
    encoding: Option<&Bound<'py, PyAny>>,
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    /// The order of the arguments, for error messages.
    const ORDER: &str = "algorithm, key, data";
    let algorithm = self::algorithm(algorithm, ORDER)?;
    let work = Work::Tag(hmac_key(algorithm, key, ORDER)?);
    let batch = Batch { work, form: form(encoding)?, threads: self::threads(threads)? };
    many(&batch, data, offsets, out)
}

/// Computes one digest for each row of several columns of bytes or text.
///
/// algorithm is a name such as "sha256", or a constructor of this package or hashlib.
///
/// columns is a table, or several columns of the same length, with Arrow's PyCapsule interface. The
/// index of a pandas DataFrame is not a column. Each row is framed before hashing, so that
/// different rows are different messages.
///
/// key makes the digests HMACs under it.
///
/// encoding is "bytes", or "hex" for lower-case hexadecimal.
///
/// threads is the maximum number of threads; None means one per core.
///
/// Returns a Column, or a Series for a Polars DataFrame or Polars Series. Raises TypeError for
/// arguments of a wrong type or in a wrong order, ValueError for an unknown algorithm and for
/// columns with different lengths.
///
///     >>> words = pyarrow.array(["ab", "a"]), pyarrow.array(["c", "bc"])
///     >>> len(set(lanesum.digest_rows("sha256", words)))
///     2
#[pyfunction]
#[pyo3(
    signature = (algorithm, columns, *, key=None, encoding=None, threads=None),
    text_signature = "(algorithm, columns, *, key=None, encoding='bytes', threads=None)"
)]
fn digest_rows<'py>(
    py: Python<'py>,
    algorithm: &Bound<'py, PyAny>,
    columns: &Bound<'py, PyAny>,
    key: Option<&Bound<'py, PyAny>>,
    encoding: Option<&Bound<'py, PyAny>>,
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    /// The order of the arguments, for error messages.
    const ORDER: &str = "algorithm, columns, key=key";
    let algorithm = self::algorithm(algorithm, ORDER)?;
    let work = match key {
        Some(key) => Work::Tag(hmac_key(algorithm, key, ORDER)?),
        None => Work::Digest(algorithm),
    };
    let batch = Batch { work, form: form(encoding)?, threads: self::threads(threads)? };
    foreign::check_frame("columns", columns)?;
    let input = Input::columns("columns", &foreign::without_index(columns)?)?;
    foreign::like(columns, Bound::new(py, arrow::row_digests(py, &batch, &input)?)?.into_any())
}

/// Derives keys from many passwords with PBKDF2, which RFC 8018 defines.
///
/// hash_name is the name of the algorithm under HMAC, such as "sha256".
///
/// passwords and salts are iterables of equal length, of buffers or of text (UTF-8): password i has salt i.
///
/// iterations is PBKDF2's iteration count. A key longer than a digest takes that many iterations for
/// each part of it that is as long as a digest.
///
/// dklen is the length of each key in bytes; None means that of a digest.
///
/// threads is the maximum number of threads; None means one per core.
///
/// Returns a list of keys. Raises the errors of pbkdf2_hmac, and ValueError if the numbers of passwords
/// and salts differ, as zip does with strict=True: at most one salt more than passwords is read.
///
///     >>> keys = lanesum.pbkdf2_many("sha256", ["password"], [b"salt"], 1000, 16)
///     >>> keys[0] == lanesum.pbkdf2_hmac("sha256", b"password", b"salt", 1000, 16)
///     True
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
    /// Maximum number of passwords in a piece: twice the lanes of the widest kernel.
    const TOGETHER: usize = 64;

    let algorithm = by_object("hash_name", hash_name)?;
    let cost = Cost::new(algorithm, iterations, dklen)?;
    let threads = self::threads(threads)?;
    let passwords = objects_of("passwords", passwords, usize::MAX)?;
    // Salts may be an infinite iterator.
    let salts = objects_of("salts", salts, passwords.len() + 1)?;
    if passwords.len() != salts.len() {
        let (passwords, salts) = (passwords.len(), salts.len());
        let count = match salts > passwords {
            true => format!("more than {passwords}"),
            false => salts.to_string(),
        };
        let text = format!("salts: {count} salts for {passwords} passwords");
        return Err(PyValueError::new_err(text));
    }
    let (passwords, salts) = (held("passwords", &passwords)?, held("salts", &salts)?);
    let passwords = collected("passwords", passwords.iter().map(|bytes| Ok(bytes.as_slice())))?;
    let salts = collected("salts", salts.iter().map(|bytes| Ok(bytes.as_slice())))?;
    let mut keys = zeros("dklen", passwords.len(), cost.key_len)?;
    let pieces = Pieces::new(passwords.len(), |_| 0, &mut keys, cost.key_len).of_at_most(TOGETHER);
    shared(py, threads, pieces, |piece, interrupt| {
        let (passwords, salts) = (&passwords[piece.range.clone()], &salts[piece.range]);
        let resume = &mut || !interrupt.is_raised();
        let (iterations, keys) = (cost.iterations, piece.out);
        let derived = pbkdf2_many_while(algorithm, passwords, salts, iterations, keys, resume);
        debug_assert!(derived.is_ok(), "`Cost` has validated the arguments");
    })?;
    let list = PyList::empty(py);
    for key in keys.chunks_exact(cost.key_len) {
        list.append(to_bytes(py, key)?)?;
    }
    Ok(list)
}

/// Returns the first `limit` objects of an iterable argument that is not a single message. The only
/// NumPy arrays among these contain text, byte strings or objects, or have rows.
fn objects_of<'py>(
    name: &str,
    many: &Bound<'py, PyAny>,
    limit: usize,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let kind = match many.getattr_opt("dtype")? {
        Some(dtype) => {
            dtype.getattr_opt("kind")?.map_or(Ok(None), |kind| kind.extract().map(Some))?
        }
        None => None,
    };
    let has_objects = kind.is_some_and(|kind: String| "SUTO".contains(&kind));
    let has_rows =
        || many.getattr("ndim").and_then(|ndim| ndim.extract()).is_ok_and(|n: usize| n > 1);
    if !has_objects && (is_buffer(many) && !has_rows() || many.is_instance_of::<PyString>()) {
        let kind = many.get_type().name()?;
        let text = format!("{name}: an iterable of bytes or text is required, not '{kind}'");
        return Err(PyTypeError::new_err(text));
    }
    let objects = many.try_iter().map_err(|error| named(many.py(), error, name))?;
    collected(name, objects.take(limit))
}

/// Returns the bytes of each object; for text, its UTF-8.
fn held<'a, 'py>(name: &str, objects: &'a [Bound<'py, PyAny>]) -> PyResult<Vec<Bytes<'a, 'py>>> {
    let held = objects.iter().enumerate().map(|(i, object)| {
        objects::item(object).map_err(|error| objects::at(object.py(), error, name, i))
    });
    collected(name, held)
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(digest_many, module)?)?;
    module.add_function(wrap_pyfunction!(double_hash_many, module)?)?;
    module.add_function(wrap_pyfunction!(chains::chain, module)?)?;
    module.add_function(wrap_pyfunction!(chains::chain_many, module)?)?;
    module.add_function(wrap_pyfunction!(hmac_many, module)?)?;
    module.add_function(wrap_pyfunction!(digest_rows, module)?)?;
    module.add_class::<Column>()?;
    module.add_class::<Values>()?;
    module.add_function(wrap_pyfunction!(watched::sha1dc_many, module)?)?;
    module.add_function(wrap_pyfunction!(pbkdf2_many, module)?)
}
