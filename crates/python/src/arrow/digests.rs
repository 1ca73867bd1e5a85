//! Digests of a column.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, FixedSizeBinaryArray, LargeStringArray, new_null_array};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, Field};
use lanesum::Messages;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::column::Column;
use super::input::Input;
use super::memory::{Memory, offsets};
use super::source::{Masked, Source, check_keys};
use crate::run::{Batch, Form};

/// Computes the digests of a column, with its chunks, nulls and dictionary encoding.
pub(crate) fn digests(py: Python<'_>, batch: &Batch, input: &Input) -> PyResult<Column> {
    let chunks = input.chunks.iter().map(|chunk| of_array(py, batch, chunk));
    let chunks = chunks.collect::<PyResult<Vec<_>>>()?;
    let of = kind(batch, input.field.data_type());
    let field = Field::new(input.field.name(), of, true);
    Ok(Column::new(chunks, Arc::new(field), input.is_chunked))
}

/// Returns the type of the digests of a column of type `of`.
fn kind(batch: &Batch, of: &DataType) -> DataType {
    match of {
        DataType::Dictionary(keys, values) => {
            DataType::Dictionary(keys.clone(), Box::new(kind(batch, values)))
        }
        _ => match batch.form {
            Form::Bytes => DataType::FixedSizeBinary(batch.place_len() as i32),
            Form::Hex => DataType::LargeUtf8,
        },
    }
}

fn of_array(py: Python<'_>, batch: &Batch, array: &dyn Array) -> PyResult<ArrayRef> {
    match array.data_type() {
        // Hash each value of the dictionary once.
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            check_keys("data", dictionary)?;
            Ok(dictionary.with_values(of_array(py, batch, dictionary.values())?))
        }
        DataType::Null => Ok(new_null_array(&kind(batch, array.data_type()), array.len())),
        _ => {
            let source = Source::new("data", array)?;
            written(batch, array.len(), array.nulls(), |out| match &source {
                Source::Short(messages) => run(py, batch, messages, array.nulls(), out),
                Source::Long(messages) => run(py, batch, messages, array.nulls(), out),
                Source::Views(messages) => run(py, batch, messages, array.nulls(), out),
                Source::Fixed(messages) => run(py, batch, messages, array.nulls(), out),
            })
        }
    }
}

fn run<M: Messages + Sync>(
    py: Python<'_>,
    batch: &Batch,
    messages: &M,
    nulls: Option<&NullBuffer>,
    out: &mut [u8],
) -> PyResult<()> {
    match nulls.filter(|nulls| nulls.null_count() > 0) {
        Some(nulls) => batch.run(py, &Masked { messages: By(messages), nulls }, out),
        None => batch.run(py, messages, out),
    }
}

/// Borrowed messages.
struct By<'m, M>(&'m M);

impl<M: Messages> Messages for By<'_, M> {
    fn count(&self) -> usize {
        self.0.count()
    }

    #[inline]
    fn message(&self, index: usize) -> &[u8] {
        self.0.message(index)
    }
}

/// Creates an array of `count` digests that `fill` writes; digests of nulls are zeroed.
pub(super) fn written(
    batch: &Batch,
    count: usize,
    nulls: Option<&NullBuffer>,
    fill: impl FnOnce(&mut [u8]) -> PyResult<()>,
) -> PyResult<ArrayRef> {
    let len = batch.place_len();
    let bytes = count.checked_mul(len);
    let bytes = bytes.ok_or_else(|| PyValueError::new_err("data: too many rows for memory"))?;
    let mut out = Memory::new("data", bytes)?;
    fill(out.bytes())?;
    if let Some(nulls) = nulls.filter(|nulls| nulls.null_count() > 0) {
        let places = out.bytes().chunks_exact_mut(len).enumerate();
        places.filter(|(i, _)| nulls.is_null(*i)).for_each(|(_, place)| place.fill(0));
    }
    let (out, nulls) = (out.into_buffer(), nulls.cloned());
    Ok(match batch.form {
        Form::Bytes => {
            let array = FixedSizeBinaryArray::try_new_with_len(len as i32, out, nulls, count);
            Arc::new(array.map_err(|error| PyValueError::new_err(error.to_string()))?)
        }
        Form::Hex => {
            let offsets = offsets("data", len, count)?;
            // SAFETY: the offsets end at the last digit, and digits and zeros are ASCII.
            Arc::new(unsafe { LargeStringArray::new_unchecked(offsets, out, nulls) })
        }
    })
}
