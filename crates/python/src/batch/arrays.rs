//! Messages in one buffer: arrays, and bytes with offsets.

use lanesum::{Messages, Offset, Offsets, Strided};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::numpy::{check_item, plain, refuse_masked};
use super::objects::at;
use super::out::Out;
use crate::buffer::{Bytes, Rows, View, has_objects};
use crate::errors::named;
use crate::foreign::is_a;
use crate::run::{Batch, Form};

/// Maximum number of an array's strings that are trimmed or encoded as UTF-8 at a time.
const WINDOW: usize = 64 << 10;
/// Maximum total length of these strings, in bytes.
const WINDOW_BYTES: usize = 16 << 20;

/// The item type of an array, by its format.
enum Items {
    /// Objects, with their bytes elsewhere.
    Objects,
    /// Structures with a field of objects, whose bytes are addresses.
    Addresses,
    /// Byte strings, padded with zeros (NumPy's `S`).
    Padded,
    /// Strings of four-byte characters, padded with zeros (NumPy's `U`).
    Text { is_swapped: bool },
    /// Bytes: an array with one axis is one message.
    Octets,
    /// Any other type: the message is its representation in memory.
    Plain,
}

impl Items {
    fn of(format: &[u8]) -> Self {
        let (order, kind) = match format {
            [order @ (b'@' | b'=' | b'<' | b'>' | b'!'), kind @ ..] => (*order, kind),
            kind => (b'@', kind),
        };
        let digits = kind.iter().take_while(|byte| byte.is_ascii_digit()).count();
        match &kind[digits..] {
            b"O" => Self::Objects,
            _ if has_objects(format) => Self::Addresses,
            b"s" => Self::Padded,
            b"w" => Self::Text {
                is_swapped: match order {
                    b'<' => cfg!(target_endian = "big"),
                    b'>' | b'!' => cfg!(target_endian = "little"),
                    _ => false,
                },
            },
            b"B" | b"b" | b"c" => Self::Octets,
            _ => Self::Plain,
        }
    }
}

/// Computes the digests of an array's rows. For an array of objects or of `StringDType`, returns
/// the memory for the digests of its items.
pub(super) fn digests<'py>(
    batch: &Batch,
    data: &Bound<'py, PyAny>,
    out: Option<Out<'py>>,
) -> PyResult<Result<Bound<'py, PyAny>, Option<Out<'py>>>> {
    refuse_masked("data", data)?;
    let view = match View::get(data, ffi::PyBUF_FULL_RO) {
        Err(error) if error.is_instance_of::<PyValueError>(data.py()) => match plain(data)? {
            Some(plain) => View::get(&plain, ffi::PyBUF_FULL_RO),
            None => return objects(batch, data, out).map(Err),
        },
        view => view,
    };
    let view = view.map_err(|error| named(data.py(), error, "data"))?;
    let axes = view.shape().len();
    let items = Items::of(view.format());
    match items {
        Items::Objects => return objects(batch, data, out).map(Err),
        Items::Addresses => {
            return Err(PyTypeError::new_err(
                "data: a field of a structured array has objects: hash its other fields",
            ));
        }
        Items::Octets if axes == 1 => {
            return Err(PyTypeError::new_err(
                "data: an array of bytes with one axis is one message, not many: give it two axes, \
                 or offsets",
            ));
        }
        Items::Padded | Items::Text { .. } if axes != 1 => {
            return Err(PyValueError::new_err("data: an array of strings must have one axis"));
        }
        _ => {}
    }
    let rows = view.rows("data")?;
    let py = data.py();
    let digests =
        place(py, batch, rows.count, Kind::of(data)?, out, &[rows.bytes], |out| match items {
            Items::Padded => batch.run_windows(py, rows, out, |row, arena| {
                let len = row.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
                arena.extend_from_slice(&row[..len]);
                Ok(())
            }),
            Items::Text { is_swapped } => {
                batch.run_windows(py, rows, out, |row, arena| encode(row, is_swapped, arena))
            }
            _ => {
                let Rows { bytes, len, stride, count } = rows;
                let rows = Strided::with_stride(bytes, len, stride, count)
                    .map_err(|error| PyValueError::new_err(format!("data: {error}")))?;
                batch.run(py, &rows, out)
            }
        })?;
    Ok(Ok(digests))
}

/// Returns memory for the digests of an array's items: `out`, or a new array if `data` is a NumPy
/// array.
fn objects<'py>(
    batch: &Batch,
    data: &Bound<'py, PyAny>,
    out: Option<Out<'py>>,
) -> PyResult<Option<Out<'py>>> {
    if !matches!(Kind::of(data)?, Kind::Numpy) {
        return Ok(out);
    }
    let axes: usize = data.getattr("ndim")?.extract()?;
    if axes != 1 {
        return Err(PyTypeError::new_err("data: an array of objects must have one axis"));
    }
    match out {
        Some(out) => Ok(Some(out)),
        None => Out::new(&array(data.py(), batch, data.len()?)?).map(Some),
    }
}

/// Creates a NumPy array for `count` digests.
fn array<'py>(py: Python<'py>, batch: &Batch, count: usize) -> PyResult<Bound<'py, PyAny>> {
    let (zeros, len) = (py.import("numpy")?.getattr("zeros")?, batch.place_len());
    match batch.form {
        Form::Bytes => zeros.call1(((count, len), "u1")),
        Form::Hex => zeros.call1((count, format!("S{len}"))),
    }
}

/// Appends the UTF-8 of a row's four-byte characters, without the padding zeros.
fn encode(row: &[u8], is_swapped: bool, arena: &mut Vec<u8>) -> PyResult<()> {
    let characters = row.as_chunks::<4>().0;
    let last = characters.iter().rposition(|bytes| *bytes != [0; 4]);
    for &bytes in &characters[..last.map_or(0, |last| last + 1)] {
        let number = u32::from_ne_bytes(bytes);
        let number = if is_swapped { number.swap_bytes() } else { number };
        let character = char::from_u32(number)
            .ok_or_else(|| PyValueError::new_err(format!("U+{number:04X} has no UTF-8")))?;
        arena.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    }
    Ok(())
}

impl Batch {
    /// Computes the digests of the messages that `write` makes from rows.
    fn run_windows(
        &self,
        py: Python<'_>,
        rows: Rows<'_>,
        mut out: &mut [u8],
        write: impl Fn(&[u8], &mut Vec<u8>) -> PyResult<()>,
    ) -> PyResult<()> {
        let (mut arena, mut offsets) = (Vec::new(), Vec::new());
        let window = (WINDOW_BYTES / rows.len.max(1)).clamp(1, WINDOW);
        for start in (0..rows.count).step_by(window) {
            let end = rows.count.min(start + window);
            arena.clear();
            offsets.clear();
            offsets.push(0usize);
            for i in start..end {
                write(&rows.bytes[i * rows.stride..][..rows.len], &mut arena)
                    .map_err(|error| at(py, error, "data", i))?;
                offsets.push(arena.len());
            }
            let messages = Offsets::new(&arena, &offsets)
                .map_err(|error| PyValueError::new_err(format!("data: {error}")))?;
            let len = (end - start) * self.place_len();
            let places = out.split_off_mut(..len).unwrap_or_default();
            self.run(py, &messages, places)?;
        }
        Ok(())
    }
}

/// The type of a result.
#[derive(Clone, Copy)]
enum Kind {
    /// A NumPy array.
    Numpy,
    /// A bytes object.
    Bytes,
}

impl Kind {
    /// Returns the type that matches `data`.
    fn of(data: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(if is_a(data, "numpy", "ndarray")? { Self::Numpy } else { Self::Bytes })
    }
}

/// Provides memory for `count` digests, `out` or a new object, and calls `fill` to write them.
fn place<'py>(
    py: Python<'py>,
    batch: &Batch,
    count: usize,
    kind: Kind,
    out: Option<Out<'py>>,
    data: &[&[u8]],
    fill: impl FnOnce(&mut [u8]) -> PyResult<()>,
) -> PyResult<Bound<'py, PyAny>> {
    let len = batch.place_len();
    if let Some(mut out) = out {
        fill(out.whole(count, len, data)?)?;
        return Ok(out.object());
    }
    let bytes = count
        .checked_mul(len)
        .ok_or_else(|| PyValueError::new_err("data: too many messages for memory"))?;
    match kind {
        Kind::Bytes => Ok(PyBytes::new_with(py, bytes, fill)?.into_any()),
        Kind::Numpy => {
            let digests = array(py, batch, count)?;
            fill(View::writable(&digests)?.as_mut_slice())?;
            Ok(digests)
        }
    }
}

/// Computes the digests of concatenated messages: message i is `data[offsets[i]:offsets[i + 1]]`.
pub(crate) fn between<'py>(
    batch: &Batch,
    data: &Bound<'py, PyAny>,
    offsets: &Bound<'py, PyAny>,
    out: Option<Out<'py>>,
) -> PyResult<Bound<'py, PyAny>> {
    refuse_masked("data", data)?;
    refuse_masked("offsets", offsets)?;
    check_item(data).map_err(|error| named(data.py(), error, "data"))?;
    let bytes = Bytes::of_named("data", data)?;
    let view = View::get(data, ffi::PyBUF_FULL_RO)?;
    if view.item_len() > 1 || view.shape().len() > 1 {
        return Err(PyTypeError::new_err(
            "data: offsets count bytes, so a buffer of single bytes with one axis is required: \
             memoryview(data).cast('B')",
        ));
    }
    if !crate::buffer::is_buffer(offsets) {
        let name = offsets.get_type().name()?;
        let text = format!("offsets: an array of integers is required, not '{name}'");
        return Err(PyTypeError::new_err(text));
    }
    let view = View::get(offsets, ffi::PyBUF_FULL_RO)
        .map_err(|error| named(offsets.py(), error, "offsets"))?;
    let rows = view.rows("offsets")?;
    if view.shape().len() != 1 || rows.stride != rows.len {
        return Err(PyValueError::new_err("offsets: must be a contiguous array with one axis"));
    }
    // Copy the offsets: another thread may write to them meanwhile.
    let (format, bytes) = (view.format(), bytes.as_slice());
    let kind = Kind::of(data)?;
    match (format, view.item_len()) {
        (b"i" | b"l" | b"=i" | b"=l", 4) => {
            of_offsets(batch, data.py(), bytes, kind, &copied(rows, i32::from_ne_bytes), out)
        }
        (b"l" | b"q" | b"n" | b"=l" | b"=q", 8) => {
            of_offsets(batch, data.py(), bytes, kind, &copied(rows, i64::from_ne_bytes), out)
        }
        (b"I" | b"L" | b"=I" | b"=L", 4) => {
            of_offsets(batch, data.py(), bytes, kind, &copied(rows, u32::from_ne_bytes), out)
        }
        (b"L" | b"Q" | b"N" | b"=L" | b"=Q", 8) => {
            of_offsets(batch, data.py(), bytes, kind, &copied(rows, u64::from_ne_bytes), out)
        }
        _ => Err(PyTypeError::new_err(format!(
            "offsets: integers of 32 or 64 bits are required, not items of format '{}'",
            format.escape_ascii()
        ))),
    }
}

fn copied<T, const N: usize>(rows: Rows<'_>, number: impl Fn([u8; N]) -> T) -> Vec<T> {
    rows.bytes.as_chunks::<N>().0.iter().map(|&bytes| number(bytes)).collect()
}

fn of_offsets<'py, O: Offset>(
    batch: &Batch,
    py: Python<'py>,
    bytes: &[u8],
    kind: Kind,
    offsets: &[O],
    out: Option<Out<'py>>,
) -> PyResult<Bound<'py, PyAny>> {
    let messages = Offsets::new(bytes, offsets)
        .map_err(|error| PyValueError::new_err(format!("offsets: {error}")))?;
    if offsets.is_empty() {
        return Err(PyValueError::new_err(
            "offsets: one more than messages are required, not none",
        ));
    }
    place(py, batch, messages.count(), kind, out, &[bytes], |out| batch.run(py, &messages, out))
}
