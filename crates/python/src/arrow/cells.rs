//! Random access to the values of Arrow columns.

use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_buffer::NullBuffer;
use arrow_schema::DataType;
use pyo3::prelude::*;

use super::source::{Source, check_keys};

/// Random access to the values of a column.
pub(super) enum Cells<'a> {
    /// Only nulls.
    Nothing,
    Values(Source<'a>, Option<&'a NullBuffer>),
    /// Keys into the values of a dictionary.
    Keys(Vec<usize>, Option<NullBuffer>, Box<Self>),
}

impl<'a> Cells<'a> {
    /// Creates access to the values of `array`, which was passed as argument `name`.
    pub(super) fn new(name: &str, array: &'a dyn Array) -> PyResult<Self> {
        Ok(match array.data_type() {
            DataType::Null => Self::Nothing,
            DataType::Dictionary(..) => {
                let dictionary = array.as_any_dictionary();
                check_keys(name, dictionary)?;
                match dictionary.values().len() {
                    0 => Self::Nothing,
                    _ => Self::Keys(
                        dictionary.normalized_keys(),
                        dictionary.keys().nulls().cloned(),
                        Box::new(Self::new(name, dictionary.values())?),
                    ),
                }
            }
            _ => Self::Values(Source::new(name, array)?, array.nulls()),
        })
    }

    /// Returns the bytes in row `row`, or `None` if it is null.
    pub(super) fn get(&self, row: usize) -> Option<&[u8]> {
        match self {
            Self::Nothing => None,
            Self::Values(source, nulls) => {
                let is_valid = nulls.is_none_or(|nulls| nulls.is_valid(row));
                is_valid.then(|| source.message(row))
            }
            Self::Keys(keys, nulls, values) => {
                let is_valid = nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row));
                is_valid.then(|| values.get(keys[row])).flatten()
            }
        }
    }
}
