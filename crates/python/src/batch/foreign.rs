//! Special cases for other libraries' data frames, for which the Arrow interface gives a surprising
//! result.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

/// Whether `object` is an instance of `class` of `module`; false if the module is not imported.
fn is_a(object: &Bound<'_, PyAny>, module: &str, class: &str) -> PyResult<bool> {
    let modules = object.py().import("sys")?.getattr("modules")?;
    let module = modules.call_method1("get", (module,))?;
    match module.getattr_opt(class)? {
        Some(class) => object.is_instance(&class),
        None => Ok(false),
    }
}

/// Removes the index of a pandas DataFrame, which pandas exports as columns. Returns other objects
/// unchanged.
pub(super) fn without_index<'py>(columns: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if !is_a(columns, "pandas", "DataFrame")? {
        return Ok(columns.clone());
    }
    let index = columns.py().import("pandas")?.getattr("RangeIndex")?.call1((columns.len()?,))?;
    columns.call_method1("set_axis", (index,))
}

/// Converts the digests of Polars data to a Polars Series: Polars' expressions accept no columns of
/// other libraries. Returns the digests of other data unchanged.
pub(super) fn like<'py>(
    data: &Bound<'py, PyAny>,
    digests: Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let is_series = |object: &Bound<'py, PyAny>| is_a(object, "polars", "Series");
    let is_polars = if data.is_instance_of::<PyList>() || data.is_instance_of::<PyTuple>() {
        data.len()? > 0 && is_series(&data.get_item(0)?)?
    } else {
        is_series(data)? || is_a(data, "polars", "DataFrame")?
    };
    if !is_polars {
        return Ok(digests);
    }
    // Polars would iterate over a Column because it is a sequence, and an empty one would have no
    // type.
    let words = PyDict::new(data.py());
    words.set_item("__arrow_c_stream__", digests.getattr("__arrow_c_stream__")?)?;
    let stream = data.py().import("types")?.getattr("SimpleNamespace")?.call((), Some(&words))?;
    let name = if is_series(data)? { data.getattr("name")?.extract()? } else { String::new() };
    data.py().import("polars")?.getattr("Series")?.call1((name, stream))
}
