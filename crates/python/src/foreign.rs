//! Special cases for other libraries' data frames, for which the Arrow interface gives a surprising
//! result.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

/// Returns a module, or Python's `None` if it is not imported.
fn imported<'py>(py: Python<'py>, module: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("sys")?.getattr("modules")?.call_method1("get", (module,))
}

/// Whether `object` is an instance of `class` of `module`; false if the module is not imported.
pub(crate) fn is_a(object: &Bound<'_, PyAny>, module: &str, class: &str) -> PyResult<bool> {
    is_in(object, &imported(object.py(), module)?, class)
}

/// Whether `object` is an instance of `class` of a module that `imported` returned.
fn is_in(object: &Bound<'_, PyAny>, module: &Bound<'_, PyAny>, class: &str) -> PyResult<bool> {
    match module.getattr_opt(class)? {
        Some(class) => object.is_instance(&class),
        None => Ok(false),
    }
}

/// Fails if argument `name` is a Polars LazyFrame or expression, which have no values yet.
pub(crate) fn check_frame(name: &str, data: &Bound<'_, PyAny>) -> PyResult<()> {
    let polars = imported(data.py(), "polars")?;
    for (class, remedy) in [
        ("LazyFrame", "pass its collect()"),
        ("Expr", "pass a function that calls this one to its map_batches"),
    ] {
        if is_in(data, &polars, class)? {
            let text = format!("{name}: a Polars {class} has no values yet: {remedy}");
            return Err(PyTypeError::new_err(text));
        }
    }
    Ok(())
}

/// Fails if argument `name` is Polars data with objects, which Polars exports as their addresses.
pub(crate) fn check_objects(name: &str, data: &Bound<'_, PyAny>) -> PyResult<()> {
    let dtypes = match (is_a(data, "polars", "Series")?, is_a(data, "polars", "DataFrame")?) {
        (true, _) => vec![data.getattr("dtype")?],
        (_, true) => data.getattr("dtypes")?.extract()?,
        _ => Vec::new(),
    };
    if dtypes.is_empty() {
        return Ok(());
    }
    let object = data.py().import("polars")?.getattr("Object")?;
    for dtype in dtypes {
        if contains_objects(&dtype, &object)? {
            let text = format!("{name}: a Polars column of {dtype} has no bytes or text: cast it");
            return Err(PyTypeError::new_err(text));
        }
    }
    Ok(())
}

/// Whether a Polars type is `object`, or contains it.
fn contains_objects(dtype: &Bound<'_, PyAny>, object: &Bound<'_, PyAny>) -> PyResult<bool> {
    if dtype.eq(object)? {
        return Ok(true);
    }
    if let Some(inner) = dtype.getattr_opt("inner")? {
        return contains_objects(&inner, object);
    }
    let Some(fields) = dtype.getattr_opt("fields")? else { return Ok(false) };
    for field in fields.try_iter()? {
        if contains_objects(&field?.getattr("dtype")?, object)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Converts a pandas Index or array, such as a Categorical, to a pandas Series, which has the Arrow
/// interface. Returns other objects unchanged.
pub(crate) fn series<'py>(data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if !is_a(data, "pandas", "Index")? && !is_a(data, "pandas.api.extensions", "ExtensionArray")? {
        return Ok(data.clone());
    }
    if is_a(data, "pandas", "MultiIndex")? {
        let text =
            "data: a pandas MultiIndex is not one column: pass its to_frame() to digest_rows";
        return Err(PyTypeError::new_err(text));
    }
    data.py().import("pandas")?.getattr("Series")?.call1((data,))
}

/// Whether `object` is a null of a Python library: None, a NaN, or pandas' NA or NaT.
pub(crate) fn is_null(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(object.is_none()
        || object.extract::<f64>().is_ok_and(f64::is_nan)
        || is_a(object, "pandas.api.typing", "NAType")?
        || is_a(object, "pandas.api.typing", "NaTType")?)
}

/// Removes the index of a pandas DataFrame, which pandas exports as columns. Returns other objects
/// unchanged.
pub(crate) fn without_index<'py>(columns: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if !is_a(columns, "pandas", "DataFrame")? {
        return Ok(columns.clone());
    }
    let index = columns.py().import("pandas")?.getattr("RangeIndex")?.call1((columns.len()?,))?;
    columns.call_method1("set_axis", (index,))
}

/// Converts the digests of Polars data to a Polars Series: Polars' expressions accept no columns of
/// other libraries. Returns the digests of other data unchanged.
pub(crate) fn like<'py>(
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
    let polars = data.py().import("polars")?;
    let series = polars.getattr("Series")?.call1((name, stream))?;
    // Digests of a categorical column are exported with a dictionary.
    if is_a(&series.getattr("dtype")?, "polars", "Categorical")? {
        return series.call_method1("cast", (polars.getattr("String")?,));
    }
    Ok(series)
}
