//! Digests as a column that every library of Arrow's can take.

use arrow_array::{Array, ArrayRef, new_empty_array};
use arrow_schema::FieldRef;
use arrow_select::concat::concat;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use pyo3_arrow::error::{PyArrowError, PyArrowResult};
use pyo3_arrow::ffi::{
    ArrayIterator, to_array_pycapsules, to_schema_pycapsule, to_stream_pycapsule,
};

/// A column of digests, for whatever takes Arrow's PyCapsule interface: `pyarrow.array(column)`,
/// `polars.Series(column)`, `duckdb`, `nanoarrow`. Nothing is copied.
#[pyclass(name = "Column", module = "lanesum", frozen)]
pub(crate) struct Column {
    chunks: Vec<ArrayRef>,
    field: FieldRef,
    is_chunked: bool,
}

impl Column {
    pub(super) fn new(chunks: Vec<ArrayRef>, field: FieldRef, is_chunked: bool) -> Self {
        Self { chunks, field, is_chunked }
    }
}

#[pymethods]
impl Column {
    fn __len__(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }

    /// How many digests are null.
    #[getter]
    fn null_count(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.logical_null_count()).sum()
    }

    /// Whether the data came as a stream of chunks, as these digests then are.
    #[getter]
    fn is_chunked(&self) -> bool {
        self.is_chunked
    }

    /// The type of the digests, as Arrow's.
    #[pyo3(signature = ())]
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyArrowResult<Bound<'py, PyCapsule>> {
        to_schema_pycapsule(py, self.field.as_ref())
    }

    /// The digests as one array of Arrow's; chunks are put together.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyArrowResult<Bound<'py, PyTuple>> {
        let array = match &*self.chunks {
            [] => new_empty_array(self.field.data_type()),
            [only] => only.clone(),
            chunks => {
                let chunks: Vec<&dyn Array> = chunks.iter().map(|chunk| &**chunk).collect();
                concat(&chunks).map_err(PyArrowError::from)?
            }
        };
        to_array_pycapsules(py, self.field.clone(), &array, requested_schema)
    }

    /// The digests as a stream of Arrow's.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyArrowResult<Bound<'py, PyCapsule>> {
        let chunks = self.chunks.clone().into_iter().map(Ok);
        let reader = Box::new(ArrayIterator::new(chunks, self.field.clone()));
        to_stream_pycapsule(py, reader, requested_schema)
    }

    fn __repr__(&self) -> String {
        let (kind, count) = (self.field.data_type(), self.__len__());
        format!("<lanesum.Column of {count} {kind}>")
    }
}
