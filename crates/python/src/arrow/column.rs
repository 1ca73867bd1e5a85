//! Digests as a column: a Python sequence that every Arrow library accepts.

use std::sync::atomic::{AtomicUsize, Ordering};

use arrow_array::{Array, ArrayRef, make_array, new_empty_array};
use arrow_buffer::Buffer;
use arrow_data::ArrayData;
use arrow_data::transform::MutableArrayData;
use arrow_schema::{ArrowError, DataType, Field, FieldRef};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyList, PySlice, PyString, PyTuple};

use super::capsules::{arrow, export_array, export_schema, export_stream};
use super::cells::Cells;
use crate::buffer::to_bytes;

/// A column of digests: a sequence of `bytes` or hexadecimal `str`, with None for null.
///
/// pandas, NumPy, pyarrow, Polars and DuckDB accept it as a column. Libraries with Arrow's
/// PyCapsule interface use it without a copy.
#[pyclass(name = "Column", module = "lanesum", frozen, generic)]
pub(crate) struct Column {
    chunks: Vec<ArrayRef>,
    /// The number of rows up to the end of each chunk.
    ends: Vec<usize>,
    field: FieldRef,
    is_chunked: bool,
}

/// The state of a pickled array: its type, length, validity, buffers and children.
type Pickled = (String, usize, Option<Vec<u8>>, Vec<Vec<u8>>, Vec<PickledChild>);
type PickledChild = (String, usize, Option<Vec<u8>>, Vec<Vec<u8>>);

impl Column {
    pub(super) fn new(chunks: Vec<ArrayRef>, field: FieldRef, is_chunked: bool) -> Self {
        let ends = chunks.iter().scan(0, |end, chunk| {
            *end += chunk.len();
            Some(*end)
        });
        Self { ends: ends.collect(), chunks, field, is_chunked }
    }

    /// Creates a column with other rows, and the field of this one.
    fn with(&self, chunks: Vec<ArrayRef>) -> Self {
        Self::new(chunks, self.field.clone(), self.is_chunked)
    }

    /// Returns the chunk of row `row`, and the row's index in it.
    fn place(&self, row: usize) -> (usize, usize) {
        let chunk = self.ends.partition_point(|&end| end <= row);
        (chunk, row - chunk.checked_sub(1).map_or(0, |before| self.ends[before]))
    }

    fn is_text(&self) -> bool {
        let mut kind = self.field.data_type();
        while let DataType::Dictionary(_, values) = kind {
            kind = values;
        }
        *kind == DataType::LargeUtf8
    }

    /// Converts a value to an object.
    fn object<'py>(&self, py: Python<'py>, value: Option<&[u8]>) -> PyResult<Bound<'py, PyAny>> {
        Ok(match value {
            None => py.None().into_bound(py),
            Some(value) if self.is_text() => PyString::from_bytes(py, value)?.into_any(),
            Some(value) => to_bytes(py, value)?.into_any(),
        })
    }

    /// Returns the object in row `row`, which must exist.
    fn item<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Bound<'py, PyAny>> {
        let (chunk, row) = self.place(row);
        let value = self.chunks[chunk].slice(row, 1);
        self.object(py, Cells::new("column", &value)?.get(0))
    }

    /// Calls `each` with the values of all rows.
    fn each(&self, mut each: impl FnMut(Option<&[u8]>) -> PyResult<()>) -> PyResult<()> {
        for chunk in &self.chunks {
            let cells = Cells::new("column", chunk)?;
            (0..chunk.len()).try_for_each(|row| each(cells.get(row)))?;
        }
        Ok(())
    }

    /// Copies the rows with these chunks and indices.
    fn taken(&self, rows: &[(usize, usize)]) -> PyResult<Self> {
        let rows = rows.iter().map(|&(chunk, row)| (chunk, row, row + 1));
        Ok(self.with(vec![gathered(&self.chunks, rows)?]))
    }

    /// Returns `count` rows from row `start` on, without a copy.
    fn range(&self, start: usize, count: usize) -> Self {
        let (mut chunks, mut start, mut left) = (Vec::new(), start, count);
        for chunk in &self.chunks {
            let skipped = start.min(chunk.len());
            let len = left.min(chunk.len() - skipped);
            if len > 0 {
                chunks.push(chunk.slice(skipped, len));
            }
            start -= skipped;
            left -= len;
        }
        self.with(chunks)
    }
}

/// Returns the concatenation of `chunks`, which are of type `kind`.
pub(super) fn concatenated(chunks: &[ArrayRef], kind: &DataType) -> PyResult<ArrayRef> {
    match chunks {
        [] => Ok(new_empty_array(kind)),
        [only] => Ok(only.clone()),
        _ => gathered(chunks, chunks.iter().enumerate().map(|(i, chunk)| (i, 0, chunk.len()))),
    }
}

/// Copies ranges of rows, each with its chunk, start and end, to one array. All chunks must have one type.
fn gathered(
    chunks: &[ArrayRef],
    ranges: impl ExactSizeIterator<Item = (usize, usize, usize)> + Clone,
) -> PyResult<ArrayRef> {
    let data =
        chunks.iter().map(|chunk| normalized(chunk.to_data())).collect::<Result<Vec<_>, _>>();
    let chunks = data.map_err(arrow)?;
    let rows = ranges.clone().map(|(_, start, end)| end - start).sum();
    let mut array = MutableArrayData::new(chunks.iter().collect(), false, rows);
    for (chunk, start, end) in ranges {
        array.try_extend(chunk, start, end).map_err(arrow)?;
    }
    Ok(make_array(array.freeze()))
}

/// Replaces empty arrays, also inside others. An imported slice of no rows has the offset of its place, but no
/// values: `MutableArrayData` panics.
fn normalized(data: ArrayData) -> Result<ArrayData, ArrowError> {
    fn has_empty(data: &ArrayData) -> bool {
        data.is_empty() || data.child_data().iter().any(has_empty)
    }
    if data.is_empty() {
        return Ok(ArrayData::new_empty(data.data_type()));
    }
    if !has_empty(&data) {
        return Ok(data);
    }
    let children = data.child_data().iter().cloned().map(normalized).collect::<Result<_, _>>()?;
    data.into_builder().child_data(children).build()
}

/// Returns the state of an array, without the bytes outside a slice.
fn pickled(array: &ArrayRef) -> PyResult<Pickled> {
    let data = gathered(std::slice::from_ref(array), [(0, 0, array.len())].into_iter())?.to_data();
    let part = |data: &ArrayData| {
        let validity = data.nulls().map(|nulls| nulls.inner().sliced().to_vec());
        let buffers = data.buffers().iter().map(|buffer| buffer.to_vec()).collect();
        (data.data_type().to_string(), data.len(), validity, buffers)
    };
    let (kind, len, validity, buffers) = part(&data);
    Ok((kind, len, validity, buffers, data.child_data().iter().map(part).collect()))
}

/// Validates a state and returns its array.
fn unpickled((kind, len, validity, buffers, children): Pickled) -> Result<ArrayData, ArrowError> {
    let children = children.into_iter().map(|(kind, len, validity, buffers)| {
        unpickled((kind, len, validity, buffers, Vec::new()))
    });
    ArrayData::builder(kind.parse::<DataType>()?)
        .len(len)
        .null_bit_buffer(validity.map(Buffer::from))
        .buffers(buffers.into_iter().map(Buffer::from).collect())
        .child_data(children.collect::<Result<_, _>>()?)
        .align_buffers(true)
        .build()
}

#[pymethods]
impl Column {
    fn __len__(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    /// The number of null digests.
    #[getter]
    fn null_count(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.logical_null_count()).sum()
    }

    /// Whether the data was a stream of chunks. pyarrow.chunked_array(column) makes no copy;
    /// pyarrow.array(column) concatenates several chunks.
    #[getter]
    fn is_chunked(&self) -> bool {
        self.is_chunked
    }

    fn __getitem__<'py>(&self, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, len) = (key.py(), self.__len__() as isize);
        let Ok(slice) = key.cast::<PySlice>() else {
            let index = py.import("operator")?.call_method1("index", (key,))?;
            let index = index.extract::<isize>().ok();
            let row = index.map(|index| if index < 0 { index + len } else { index });
            return match row.filter(|row| (0..len).contains(row)) {
                Some(row) => self.item(py, row as usize),
                None => Err(PyIndexError::new_err("column index out of range")),
            };
        };
        let slice = slice.indices(len)?;
        let column = if slice.step == 1 || slice.slicelength < 2 {
            self.range(slice.start as usize, slice.slicelength)
        } else {
            let row = |i: usize| (slice.start + slice.step * i as isize) as usize;
            let rows: Vec<_> = (0..slice.slicelength).map(|i| self.place(row(i))).collect();
            self.taken(&rows)?
        };
        Ok(Bound::new(py, column)?.into_any())
    }

    fn __iter__(slf: Bound<'_, Self>) -> Values {
        Values { column: slf.unbind(), next: AtomicUsize::new(0) }
    }

    fn __reversed__(&self, py: Python<'_>) -> PyResult<Values> {
        let rows: Vec<_> = (0..self.__len__()).rev().map(|row| self.place(row)).collect();
        let column = if rows.is_empty() { self.with(Vec::new()) } else { self.taken(&rows)? };
        Ok(Values { column: Py::new(py, column)?, next: AtomicUsize::new(0) })
    }

    /// Returns the index of the first occurrence of `value` from row `start` up to row `stop`,
    /// which may be negative as in a slice.
    ///
    /// Raises ValueError if it does not occur.
    #[pyo3(signature = (value, start=0, stop=None))]
    fn index<'py>(
        slf: &Bound<'py, Self>,
        value: &Bound<'py, PyAny>,
        start: isize,
        stop: Option<isize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let sequence = slf.py().import("collections.abc")?.getattr("Sequence")?;
        sequence.call_method1("index", (slf, value, start, stop))
    }

    /// Returns the number of occurrences of `value`.
    fn count<'py>(
        slf: &Bound<'py, Self>,
        value: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let sequence = slf.py().import("collections.abc")?.getattr("Sequence")?;
        sequence.call_method1("count", (slf, value))
    }

    /// Returns the digests as a list of `bytes` or hexadecimal `str`, with None for null.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let objects = PyList::empty(py);
        self.each(|value| objects.append(self.object(py, value)?))?;
        Ok(objects)
    }

    /// Returns the digests as a NumPy array of `dtype`, by default objects. (NumPy's `S` strings
    /// lose trailing zero bytes.)
    ///
    /// Raises ValueError if `copy` is False, since the array is always a copy, and for nulls in an
    /// array of another type than objects.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            return Err(PyValueError::new_err("copy: an array of a Column is always a copy"));
        }
        let numpy = py.import("numpy")?;
        let array = numpy.call_method1("empty", (self.__len__(), "O"))?;
        array.set_item(PySlice::full(py), self.to_pylist(py)?)?;
        let Some(dtype) = dtype else { return Ok(array) };
        let dtype = numpy.call_method1("dtype", (dtype,))?;
        if dtype.eq(array.getattr("dtype")?)? {
            return Ok(array);
        }
        if self.null_count() > 0 {
            return Err(PyValueError::new_err("dtype: only an array of objects can have nulls"));
        }
        array.call_method1("astype", (dtype,))
    }

    /// Whether `other` is a Column with equal digests, whatever the chunks.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Ok(other) = other.cast::<Self>() else { return Ok(py.NotImplemented()) };
        let other = other.get();
        let mut is_equal = self.__len__() == other.__len__() && self.is_text() == other.is_text();
        if is_equal {
            let cells = other.chunks.iter().map(|chunk| Cells::new("column", chunk));
            let cells = cells.collect::<PyResult<Vec<_>>>()?;
            let mut row = 0;
            self.each(|value| {
                let (chunk, index) = other.place(row);
                is_equal &= value == cells[chunk].get(index);
                row += 1;
                Ok(())
            })?;
        }
        Ok(is_equal.into_pyobject(py)?.to_owned().into_any().unbind())
    }

    /// Restores a pickled Column.
    #[staticmethod]
    fn _restore(name: &str, kind: &str, is_chunked: bool, chunks: Vec<Pickled>) -> PyResult<Self> {
        let invalid = |error: ArrowError| PyValueError::new_err(error.to_string());
        let chunks = chunks.into_iter().map(|chunk| unpickled(chunk).map(make_array));
        let chunks = chunks.collect::<Result<Vec<_>, _>>().map_err(invalid)?;
        let field = Field::new(name, kind.parse::<DataType>().map_err(invalid)?, true);
        let mut kinds = chunks.iter().map(|chunk| chunk.data_type());
        if let Some(other) = kinds.find(|&kind| kind != field.data_type()) {
            let text = format!("a chunk of {other} in a column of {}", field.data_type());
            return Err(PyValueError::new_err(text));
        }
        Ok(Self::new(chunks, field.into(), is_chunked))
    }

    #[expect(clippy::type_complexity)]
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (String, String, bool, Bound<'py, PyList>))> {
        let (py, column) = (slf.py(), slf.get());
        let restore = slf.get_type().getattr("_restore")?;
        let chunks = PyList::empty(py);
        for chunk in &column.chunks {
            let (kind, len, validity, buffers, children) = pickled(chunk)?;
            let bytes = |bytes: Vec<u8>| PyBytes::new(py, &bytes);
            let all = |buffers: Vec<Vec<u8>>| buffers.into_iter().map(bytes).collect::<Vec<_>>();
            let children = children.into_iter().map(|(kind, len, validity, buffers)| {
                (kind, len, validity.map(bytes), all(buffers))
            });
            let children: Vec<_> = children.collect();
            chunks.append((kind, len, validity.map(bytes), all(buffers), children))?;
        }
        let kind = column.field.data_type().to_string();
        Ok((restore, (column.field.name().clone(), kind, column.is_chunked, chunks)))
    }

    /// Returns the type of the digests, as a capsule of Arrow's C interface.
    #[pyo3(signature = ())]
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        export_schema(py, &self.field)
    }

    /// Returns the digests as capsules of one Arrow array, with the chunks concatenated. Ignores
    /// `requested_schema`: consumers cast to another type themselves.
    #[pyo3(signature = (requested_schema=None))]
    #[expect(unused_variables, reason = "the interface requires the argument")]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let array = concatenated(&self.chunks, self.field.data_type())?;
        export_array(py, &array, &self.field)
    }

    /// Returns the digests as a capsule of an Arrow stream. Ignores `requested_schema`: consumers
    /// cast to another type themselves.
    #[pyo3(signature = (requested_schema=None))]
    #[expect(unused_variables, reason = "the interface requires the argument")]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        export_stream(py, self.chunks.clone(), self.field.clone())
    }

    fn __repr__(&self) -> String {
        let (kind, count) = (self.field.data_type(), self.__len__());
        format!("<lanesum.Column of {count} {kind}>")
    }
}

/// An iterator over the digests of a column.
#[pyclass(name = "ColumnIterator", module = "lanesum", frozen)]
pub(crate) struct Values {
    column: Py<Column>,
    next: AtomicUsize,
}

#[pymethods]
impl Values {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (column, row) = (self.column.get(), self.next.fetch_add(1, Ordering::Relaxed));
        (row < column.__len__()).then(|| column.item(py, row)).transpose()
    }

    fn __length_hint__(&self) -> usize {
        self.column.get().__len__().saturating_sub(self.next.load(Ordering::Relaxed))
    }
}
