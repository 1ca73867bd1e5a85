//! Columns and tables from a producer with Arrow's PyCapsule interface.

use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, FieldRef};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use super::capsules::{import_array, import_stream};
use super::column::concatenated;
use super::source::check;
use crate::buffer::is_buffer;
use crate::errors::named;
use crate::foreign::check_objects;

/// Whether an object has Arrow's PyCapsule interface.
pub(crate) fn is_arrow(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    // `hasattr` raises no exception for a missing attribute: an exception would be slower.
    Ok(object.hasattr("__arrow_c_array__")? || object.hasattr("__arrow_c_stream__")?)
}

/// A column, in its producer's chunks.
pub(crate) struct Input {
    pub(crate) chunks: Vec<ArrayRef>,
    pub(crate) field: FieldRef,
    /// Whether the column came as a stream of chunks.
    pub(crate) is_chunked: bool,
}

impl Input {
    /// Imports a column from the producer `object`, which was passed as argument `name`.
    pub(crate) fn new(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        check_objects(name, object)?;
        // The import panics on a released array, and on one that does not match its type.
        match catch_unwind(AssertUnwindSafe(|| Self::take(object))) {
            Ok(taken) => taken.map_err(|error| named(object.py(), error, name)),
            Err(_) => {
                let text = format!("{name}: not an Arrow array that can be taken, or taken before");
                Err(PyValueError::new_err(text))
            }
        }
    }

    fn take(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if object.hasattr("__arrow_c_array__")? {
            let (array, field) = import_array(object)?;
            return Ok(Self { chunks: vec![array], field, is_chunked: false });
        }
        let (chunks, field) = import_stream(object)?;
        Ok(Self { chunks, field, is_chunked: true })
    }

    /// Whether this is a table, whose rows are structs of its columns.
    pub(crate) fn is_table(&self) -> bool {
        matches!(self.field.data_type(), DataType::Struct(_))
    }

    /// Concatenates all chunks; errors name the argument `name`.
    fn whole(self, name: &str) -> PyResult<ArrayRef> {
        if self.chunks.len() > 1 {
            self.chunks.iter().try_for_each(|chunk| check(name, chunk))?;
        }
        concatenated(&self.chunks, self.field.data_type())
    }

    /// Returns the columns of a table or list. All must have the same number of rows.
    pub(crate) fn columns(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Vec<ArrayRef>> {
        if is_arrow(object)? {
            let table = Self::new(name, object)?;
            if !table.is_table() {
                let kind = table.field.data_type();
                let text = format!(
                    "{name}: a table or a list of columns is required, not one column of {kind}"
                );
                return Err(PyTypeError::new_err(text));
            }
            let table = table.whole(name)?;
            if table.null_count() > 0 {
                return Err(PyValueError::new_err(format!("{name}: has rows that are null")));
            }
            return Ok(table.as_struct().columns().to_vec());
        }
        let is_dict = object.is_instance_of::<PyDict>();
        let wrong = || {
            let kind = object.get_type();
            let remedy = if is_dict { ": pass its values()" } else { "" };
            PyTypeError::new_err(format!(
                "{name}: a table or a list of columns is required, not {kind}{remedy}"
            ))
        };
        if is_dict || is_buffer(object) || object.is_instance_of::<PyString>() {
            return Err(wrong());
        }
        let columns = object.try_iter().map_err(|_| wrong())?;
        let columns = columns.enumerate().map(|(i, column)| {
            let (column, name) = (column?, format!("{name}: item {i}"));
            if !is_arrow(&column)? {
                let kind = column.get_type().name()?;
                let text = format!(
                    "{name}: an Arrow column is required, not '{kind}': make one by pyarrow.array"
                );
                return Err(PyTypeError::new_err(text));
            }
            Self::new(&name, &column)?.whole(&name)
        });
        let columns = columns.collect::<PyResult<Vec<_>>>()?;
        if let Some(other) = columns.iter().find(|column| column.len() != columns[0].len()) {
            let (first, other) = (columns[0].len(), other.len());
            let text = format!("{name}: columns of {first} and of {other} rows");
            return Err(PyValueError::new_err(text));
        }
        Ok(columns)
    }
}
